// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The model's texts in the user's language, and helpers for all editors.
#pragma once

#include <QColor>
#include <QObject>
#include <QPalette>
#include <QString>

#include "params/parameter.hpp"
#include "text/translations.hpp"

class QWidget;

namespace sfumato {
struct FilterInfo;
}

namespace sfumato::gui {

/// A text of the model in the user's language.
QString model_text(const std::string& text, TextKind kind = TextKind::text);
QString label_of(const FilterInfo& filter);
QString label_of(const ChoiceOption& option);
QString label_of(const Parameter& parameter);
QString help_of(const Parameter& parameter);

/// A number with its unit: "2.5 px".
QString number_text(double value, Unit unit);

/// A value for a tooltip: "2.5 px", "Linear light"; empty if it would be too long.
QString short_text(const Parameter& parameter, const Value& value);

/// A plain-text tooltip: text such as file names may look like markup.
QString plain_tip(const QString& text);

/// A red that is legible on the palette's window, light or dark.
QColor error_color(const QPalette& palette);

/// The palette's text colour blended over its window, `strength` 0..1: for grids, outlines and
/// hints.
QColor muted(const QPalette& palette, double strength);

/// Lets the wheel scroll the panel unless the widget has the focus, so that scrolling never changes
/// a value by accident.
void guard_wheel(QWidget* widget);

}  // namespace sfumato::gui
