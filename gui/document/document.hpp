// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What the editor works on: one picture and the stack of steps laid over it, with undo.
#pragma once

#include <QObject>
#include <QUndoStack>
#include <string>
#include <vector>

#include "document/opened_picture.hpp"
#include "params/recipe.hpp"

namespace sfumato::gui {

/// The picture, the recipe and which of its steps is shown. Every change of the recipe goes through
/// the undo stack. GUI thread only.
class Document : public QObject {
  Q_OBJECT

 public:
  explicit Document(QObject* parent = nullptr);

  const PicturePtr& picture() const { return picture_; }
  /// Another picture under the same recipe; not undone.
  void set_picture(PicturePtr picture);

  const Recipe& recipe() const { return recipe_; }
  int size() const { return static_cast<int>(recipe_.steps.size()); }
  /// The step whose parameters are shown; -1: none.
  int current() const { return current_; }
  /// nullptr: none. Valid until the recipe changes.
  const Step* current_step() const {
    return current_ < 0 ? nullptr : &recipe_.steps[static_cast<std::size_t>(current_)];
  }
  void set_current(int step);

  QUndoStack& undo_stack() { return undo_; }
  /// Whether the recipe differs from the one last saved or opened.
  bool is_modified() const { return !undo_.isClean(); }

  // Changes, each one step of undo. Steps are numbered from 0.
  /// Adds the filter with its defaults behind the current step, and makes it current.
  void add_step(const std::string& filter);
  void remove_step(int step);
  void duplicate_step(int step);
  /// `to` is the number that the step has afterwards.
  void move_step(int from, int to);
  void set_enabled(int step, bool enabled);
  /// Changes of one parameter that follow each other are one step of undo until `finished`.
  void set_value(int step, const std::string& name, const Value& value, bool finished);
  /// All values of a step at their defaults.
  void reset_step(int step);
  /// A preset or an opened file instead of all steps; `text` names the change.
  void replace_recipe(Recipe recipe, const QString& text);

 Q_SIGNALS:
  void picture_changed();
  /// Steps came, went, moved or were switched.
  void stack_changed();
  /// Values of one step changed.
  void values_changed(int step);
  /// Any of the two above: the result is another one.
  void recipe_changed();
  void current_changed(int step);

 private:
  friend class RecipeCommand;
  void apply(const Recipe& recipe, int current);
  void push(Recipe recipe, int current, const QString& text, const std::string& merge_key = {});

  PicturePtr picture_;
  Recipe recipe_;
  int current_ = -1;
  int gesture_ = 0;  // grows where changes of one value are no longer one step of undo
  QUndoStack undo_;
};

}  // namespace sfumato::gui
