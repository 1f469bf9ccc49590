// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A panel of a filter's parameters, built from the parameter model alone.
#pragma once

#include <QPointer>
#include <QScrollArea>
#include <map>
#include <string>

#include "params/parameter_set.hpp"
#include "params/recipe.hpp"

class QLabel;
class QVBoxLayout;

namespace sfumato::gui {

class ParameterEditor;
class ParameterRow;
class SectionButton;

/// Editors of all parameters of one filter whose conditions currently hold, one below another.
/// Every editor has a label (with a reset button if the value is not the default), help as tooltip
/// and "what's this", and an accessible name. GUI thread only.
class ParameterPanel : public QScrollArea {
  Q_OBJECT

 public:
  explicit ParameterPanel(QWidget* parent = nullptr);
  ~ParameterPanel() override;

  /// Shows the parameters of `set`, which must outlive the panel or the next call. `values` is
  /// complete. Emits nothing.
  void show_filter(const ParameterSet& set, const Values& values);
  /// The same for a step; nullptr: shows nothing.
  void show_step(const Step* step);
  /// Shows nothing.
  void clear();
  /// Shows other values of the same filter (undo, a preset); emits nothing. A slider being dragged
  /// is left alone.
  void set_values(const Values& values);
  /// The channels to offer in image parameters bound to this file.
  void offer_channels(const QString& file, const QStringList& names);
  /// The layers of a host's document, for image parameters of every filter shown from now on.
  void offer_layers(const QStringList& names);
  /// Gives the focus to the first visible parameter.
  void focus_first();
  /// The complete values shown.
  const Values& values() const { return values_; }

 Q_SIGNALS:
  /// The user changed one value; `finished` is false while dragging a slider or typing, and true
  /// for the last change of a gesture, so that it becomes one undo step.
  void value_changed(const std::string& name, const sfumato::Value& value, bool finished);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void build(const ParameterSet& set, const Values& values);
  void take(const std::string& name, const Value& value, bool finished);
  void update_visibility();
  void add_row(const Parameter& parameter, QVBoxLayout* layout);
  QWidget* make_more(QWidget* page);
  void open_more(bool open);

  const ParameterSet* set_ = nullptr;
  Values values_;
  std::map<std::string, ParameterEditor*> editors_;
  std::map<std::string, ParameterRow*> rows_;
  QPointer<SectionButton> more_;  ///< expands the common parameters: border, light, mask, mix
  QPointer<QWidget> more_box_;
  QLabel* hint_;
  QStringList layers_;
  bool has_layers_ = false;
  bool more_open_ = false;  ///< persists across filters
};

}  // namespace sfumato::gui
