// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What varies in a comparison: a parameter and its values, the method, or presets.
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "compare/variants.hpp"
#include "engine/presets.hpp"

class QComboBox;
class QLineEdit;
class QMenu;
class QToolButton;

namespace sfumato::gui {

class VariedRow : public QWidget {
  Q_OBJECT

 public:
  /// `name` is for screen readers; the row may vary nothing if it `may_be_none`.
  VariedRow(const QString& name, bool may_be_none, QWidget* parent = nullptr);

  /// Offers the parameters of a step, and presets.
  void offer(const Recipe& recipe, int step, const std::vector<Preset>& presets);
  /// A parameter's id, "method" or "presets"; empty: nothing. Suggests its values.
  void choose(const QString& what);
  QString chosen() const;
  /// Values separated by commas or semicolons, or ids of presets.
  void set_values(const QString& values);
  QString values() const;

  /// nullopt: nothing varies. Throws ParameterError for values that the parameter cannot have.
  std::optional<Axis> axis() const;

 Q_SIGNALS:
  void changed();

 private:
  void suggest();
  void fill_menu();
  void show_chosen_presets();
  std::optional<Axis> axis_of_presets() const;

  const bool may_be_none_;
  Recipe recipe_;
  int step_ = -1;
  std::vector<Preset> presets_;
  QComboBox* what_;
  QLineEdit* values_;
  QToolButton* choice_;
  QMenu* menu_;
};

}  // namespace sfumato::gui
