// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The editor's document: one picture and a stack of steps, with undo.
#pragma once

#include <QObject>
#include <QUndoStack>
#include <string>
#include <vector>

#include "document/opened_picture.hpp"
#include "params/recipe.hpp"

namespace sfumato::gui {

/// The picture, the recipe, and the current step. Every change of the recipe goes through the undo
/// stack. GUI thread only.
class Document : public QObject {
  Q_OBJECT

 public:
  explicit Document(QObject* parent = nullptr);

  const PicturePtr& picture() const { return picture_; }
  /// Replaces the picture under the same recipe; cannot be undone.
  void set_picture(PicturePtr picture);

  const Recipe& recipe() const { return recipe_; }
  int size() const { return static_cast<int>(recipe_.steps.size()); }
  /// The step whose parameters are shown; -1: none.
  int current() const { return current_; }
  /// nullptr if there is none. Valid until the recipe changes.
  const Step* current_step() const {
    return current_ < 0 ? nullptr : &recipe_.steps[static_cast<std::size_t>(current_)];
  }
  void set_current(int step);

  QUndoStack& undo_stack() { return undo_; }
  /// Whether the recipe differs from the one last saved or opened.
  bool is_modified() const { return !undo_.isClean(); }

  // Changes, each of which is one undo step. Steps are numbered from 0.
  /// Adds the filter with its defaults after the current step, and makes it current.
  void add_step(const std::string& filter);
  void remove_step(int step);
  void duplicate_step(int step);
  /// `to` is the step's number afterwards.
  void move_step(int from, int to);
  void set_enabled(int step, bool enabled);
  /// Successive changes of one parameter are merged into one undo step until `finished`.
  void set_value(int step, const std::string& name, const Value& value, bool finished);
  /// Resets all values of a step to their defaults.
  void reset_step(int step);
  /// Replaces all steps by a preset or an opened file; `text` names the change.
  void replace_recipe(Recipe recipe, const QString& text);

 Q_SIGNALS:
  void picture_changed();
  /// Steps were added, removed, moved, enabled or disabled.
  void stack_changed();
  /// Values of one step changed.
  void values_changed(int step);
  /// Either of the above: the result changes.
  void recipe_changed();
  void current_changed(int step);

 private:
  friend class RecipeCommand;
  void apply(const Recipe& recipe, int current);
  void push(Recipe recipe, int current, const QString& text, const std::string& merge_key = {});

  PicturePtr picture_;
  Recipe recipe_;
  int current_ = -1;
  int gesture_ = 0;  // increases when further changes of a value start a new undo step
  QUndoStack undo_;
};

}  // namespace sfumato::gui
