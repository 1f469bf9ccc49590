// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The files of a batch as a list, each with what has become of it.
#pragma once

#include <QAbstractListModel>
#include <QString>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "batch/file_thumbnails.hpp"
#include "batch/inputs.hpp"

namespace sfumato::gui {

/// What has become of a file.
enum class FileState {
  waiting,
  reading,
  filtering,
  writing,
  done,
  skipped,  ///< its output was there
  failed,
  cancelled
};

/// News of one file.
struct FileChange {
  int row = 0;
  FileState state = FileState::waiting;
  double part = 0;  ///< of the filtering, 0 to 1
  QString reason;   ///< one sentence, where it failed
  QString output;   ///< the file that was written
};

/// Made for thousands: a change costs what is seen of it. GUI thread only.
class BatchModel : public QAbstractListModel {
  Q_OBJECT

 public:
  /// Beside DisplayRole (the name), DecorationRole (a small picture, asked for when it is shown),
  /// ToolTipRole and AccessibleTextRole.
  enum Role { state_role = Qt::UserRole, part_role, detail_role };

  explicit BatchModel(QObject* parent = nullptr);

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;

  /// Those that are not in the list yet. Returns how many.
  int add(std::vector<FoundInput> files);
  void remove(std::vector<int> rows);
  void clear();

  const FoundInput& input(int row) const { return entries_[static_cast<std::size_t>(row)].input; }
  FileState state(int row) const { return entries_[static_cast<std::size_t>(row)].state; }
  QString path(int row) const;
  /// Empty until it is written.
  QString output(int row) const { return entries_[static_cast<std::size_t>(row)].output; }
  std::vector<FoundInput> inputs() const;
  std::vector<int> rows_in(FileState state) const;

  void apply(const std::vector<FileChange>& changes);
  /// All wait again.
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
  // Rows of the files whose thumbnails were asked for.
  mutable std::unordered_multimap<std::string, int> shown_;
  mutable FileThumbnails thumbnails_;
};

/// "Failed", "Filtering": empty while it waits.
QString state_text(FileState state);

}  // namespace sfumato::gui
