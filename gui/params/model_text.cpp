// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The model's texts in the user's language, and helpers for all editors.
#include "params/model_text.hpp"

#include <QCoreApplication>
#include <QEvent>
#include <QLocale>
#include <QTextDocument>
#include <QWidget>

#include "filters/filter.hpp"
#include "params/text.hpp"
#include "params/translation.hpp"

namespace sfumato::gui {
namespace {

class WheelGuard final : public QObject {
 public:
  using QObject::QObject;

  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() != QEvent::Wheel) return false;
    const auto* widget = qobject_cast<QWidget*>(watched);
    if (widget == nullptr || widget->hasFocus()) return false;
    event->ignore();
    return true;
  }
};

}  // namespace

QString model_text(const std::string& text, TextKind kind) {
  const std::string_view shown = translations()(text, kind);
  return QString::fromUtf8(shown.data(), static_cast<qsizetype>(shown.size()));
}

QString label_of(const FilterInfo& filter) {
  return model_text(filter.label, TextKind::filter);
}

QString label_of(const ChoiceOption& option) {
  return model_text(option.label, TextKind::choice);
}

QString label_of(const Parameter& parameter) {
  return model_text(parameter.label);
}

QString help_of(const Parameter& parameter) {
  return model_text(parameter.help);
}

// As printed by the model, but with the locale's decimal point, like every number in windows.
QString number_text(double value, Unit unit) {
  QString text = QString::fromStdString(print_with_unit(value, unit));
  return text.replace(QLatin1Char('.'), QLocale().decimalPoint());
}

QString short_text(const Parameter& parameter, const Value& value) {
  switch (parameter.kind) {
    case Kind::real:
      return number_text(std::get<double>(value), parameter.unit);
    case Kind::integer:
      return number_text(static_cast<double>(std::get<std::int64_t>(value)), parameter.unit);
    case Kind::choice: {
      const ChoiceOption* option = parameter.find_choice(std::get<Choice>(value).id);
      return option != nullptr ? label_of(*option) : QString();
    }
    default:
      return {};
  }
}

QString plain_tip(const QString& text) {
  return Qt::mightBeRichText(text) ? Qt::convertFromPlainText(text) : text;
}

QColor error_color(const QPalette& palette) {
  const bool dark = palette.color(QPalette::Window).lightnessF() < 0.5f;
  return QColor::fromHslF(0.0f, 0.7f, dark ? 0.68f : 0.45f);
}

QColor muted(const QPalette& palette, double strength) {
  const QColor back = palette.color(QPalette::Window), text = palette.color(QPalette::WindowText);
  const auto mix = [&](int from, int to) { return qRound(from + (to - from) * strength); };
  return {mix(back.red(), text.red()), mix(back.green(), text.green()),
          mix(back.blue(), text.blue())};
}

void guard_wheel(QWidget* widget) {
  widget->setFocusPolicy(Qt::StrongFocus);  // focus, but not by the wheel
  widget->installEventFilter(new WheelGuard(widget));
}

}  // namespace sfumato::gui
