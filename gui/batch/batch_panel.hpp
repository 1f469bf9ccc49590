// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What is done with the files, and where the results go.
#pragma once

#include <QWidget>
#include <map>
#include <optional>
#include <string>

#include "batch/found_files.hpp"
#include "batch/plan.hpp"

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace sfumato::gui {

class ErrorLine;
class RecipeChoice;
class SizeEditor;

/// The recipe with pictures for its roles, the outputs' folder, names and format, and the handling
/// of existing files. Restored in the next window. GUI thread only.
class BatchPanel : public QWidget {
  Q_OBJECT

 public:
  explicit BatchPanel(QWidget* parent = nullptr);

  RecipeChoice& recipes() { return *recipes_; }

  /// Everything except the inputs. Throws BatchError for an impossible name.
  BatchRequest request() const;
  /// Which pictures of movies, animations and files with pages are wanted.
  FrameChoice frames() const;
  /// Bytes; 0: half of the machine's memory.
  std::size_t memory_limit() const;
  QString folder() const;
  void set_folder(const QString& folder);
  /// The folder until the user chooses one; not restored in the next window.
  void suggest_folder(const QString& folder);
  /// Whether there is no folder, or only a suggested one.
  bool may_suggest_folder() const { return suggested_ || folder().isEmpty(); }
  /// The file whose output name is shown; nullopt: none.
  void set_example(const std::optional<FoundInput>& example);

  /// Why the run cannot start, as a sentence; empty if it can.
  QString obstacle() const;

 Q_SIGNALS:
  /// The list is to be made again.
  void frames_changed();
  /// Any setting except the recipe has changed.
  void changed();

 private:
  void add_name_rows(QFormLayout& form);
  void add_format_rows(QFormLayout& form);
  void add_frame_row(QFormLayout& form);
  void add_existing_rows(QFormLayout& form);
  void restore();
  void keep() const;
  void recipe_changed();
  void format_changed();
  void show_example();
  void ask_for_time();
  void show_roles();
  void browse();
  void tell();

  RecipeChoice* recipes_;
  QLabel* summary_;
  QWidget* role_rows_;
  std::map<std::string, QLineEdit*> roles_;  // by image parameter
  QLineEdit* folder_;
  ErrorLine* name_fault_;
  QLineEdit* name_;  // of name_fault_
  QLabel* example_;
  QComboBox *frames_, *format_, *depth_, *existing_;
  QSpinBox *quality_, *memory_;
  int usual_quality_ = 95;  // of the format
  SizeEditor* size_;
  QCheckBox* metadata_;
  QFormLayout* form_ = nullptr;
  bool suggested_ = false;  // the folder was not chosen by the user
  bool restored_ = false;   // until then, values are not the user's
  std::optional<FoundInput> example_input_;
  std::int64_t example_time_ = 0;  // modification time in seconds since 1970
};

}  // namespace sfumato::gui
