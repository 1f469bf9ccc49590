// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The files of a batch as a list, with their states.
#pragma once

#include <QAbstractListModel>
#include <QString>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "batch/file_thumbnails.hpp"
#include "batch/inputs.hpp"

namespace sfumato::gui {

/// The state of a file.
enum class FileState {
  waiting,
  reading,
  filtering,
  writing,
  done,
  skipped,  ///< its output existed
  failed,
  cancelled
};

/// A change of one file.
struct FileChange {
  int row = 0;
  FileState state = FileState::waiting;
  double part = 0;  ///< progress of filtering, 0 to 1
  QString reason;   ///< one sentence, if it failed
  QString output;   ///< the file that was written
};

/// Designed for thousands of rows: a change costs only its visible part. GUI thread only.
class BatchModel : public QAbstractListModel {
  Q_OBJECT

 public:
  /// In addition to DisplayRole (the name), DecorationRole (a thumbnail, requested when first
  /// shown), ToolTipRole and AccessibleTextRole.
  enum Role { state_role = Qt::UserRole, part_role, detail_role };

  explicit BatchModel(QObject* parent = nullptr);

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;

  /// Adds files that are not in the list yet and returns their number.
  int add(std::vector<FoundInput> files);
  void remove(std::vector<int> rows);
  void clear();

  const FoundInput& input(int row) const { return entries_[static_cast<std::size_t>(row)].input; }
  FileState state(int row) const { return entries_[static_cast<std::size_t>(row)].state; }
  QString path(int row) const;
  /// Empty until the output is written.
  QString output(int row) const { return entries_[static_cast<std::size_t>(row)].output; }
  std::vector<FoundInput> inputs() const;
  std::vector<int> rows_in(FileState state) const;

  void apply(const std::vector<FileChange>& changes);
  /// Makes all files wait again.
  void reset_states();

 private:
  struct Entry {
    FoundInput input;
    FileState state = FileState::waiting;
    double part = 0;
    QString reason, output;
  };
  static std::string key_of(const FoundInput& input);
  QString detail(const Entry& entry) const;
  void show_thumbnail(const QString& path);

  std::vector<Entry> entries_;
  std::unordered_set<std::string> known_;
  // Rows whose thumbnails were requested, by file.
  mutable std::unordered_multimap<std::string, int> shown_;
  mutable FileThumbnails thumbnails_;
};

/// "Failed", "Filtering"; empty while the file waits.
QString state_text(FileState state);

}  // namespace sfumato::gui
