// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Stored by QSettings; themes are palettes of the Fusion style.
#include "app/settings.hpp"

#include <QApplication>
#include <QPalette>
#include <QProxyStyle>
#include <QSettings>
#include <QStyleOptionButton>
#include <algorithm>

namespace sfumato::gui {
namespace {

struct Colours {
  QColor window, base, text, button, bright, highlight, link, tip;
};

QPalette palette_of(const Colours& c) {
  QPalette p;
  const std::pair<QPalette::ColorRole, QColor> colours[] = {{QPalette::Window, c.window},
                                                            {QPalette::WindowText, c.text},
                                                            {QPalette::Base, c.base},
                                                            {QPalette::AlternateBase, c.window},
                                                            {QPalette::ToolTipBase, c.tip},
                                                            {QPalette::ToolTipText, c.text},
                                                            {QPalette::Text, c.text},
                                                            {QPalette::Button, c.button},
                                                            {QPalette::ButtonText, c.text},
                                                            {QPalette::BrightText, c.bright},
                                                            {QPalette::Link, c.link},
                                                            {QPalette::Highlight, c.highlight},
                                                            {QPalette::HighlightedText, Qt::white}};
  for (const auto& [role, colour] : colours) p.setColor(role, colour);
  QColor faint = c.text;
  faint.setAlphaF(0.45f);
  p.setColor(QPalette::PlaceholderText, faint);
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
    p.setColor(QPalette::Disabled, role, faint);
  }
  // Colours in which Fusion draws frames and grooves.
  p.setColor(QPalette::Light, c.button.lighter(130));
  p.setColor(QPalette::Midlight, c.button.lighter(112));
  p.setColor(QPalette::Mid, c.button.darker(125));
  p.setColor(QPalette::Dark, c.button.darker(160));
  p.setColor(QPalette::Shadow, QColor(0, 0, 0, 160));
  return p;
}

const Colours dark{QColor(45, 46, 48),    QColor(32, 33, 35),    QColor(222, 222, 222),
                   QColor(56, 57, 60),    QColor(255, 120, 110), QColor(46, 110, 176),
                   QColor(110, 170, 230), QColor(62, 63, 66)};
const Colours light{QColor(240, 240, 241), QColor(255, 255, 255), QColor(28, 28, 30),
                    QColor(236, 236, 238), QColor(200, 30, 20),   QColor(46, 110, 176),
                    QColor(30, 90, 160),   QColor(255, 252, 235)};

// Fusion with check boxes whose outline contrasts with the window: on a dark one, an empty box
// would be invisible.
class Style : public QProxyStyle {
 public:
  Style() : QProxyStyle(QStringLiteral("fusion")) {}
  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override {
    const auto* box = qstyleoption_cast<const QStyleOptionButton*>(option);
    if (element != PE_IndicatorCheckBox || box == nullptr ||
        option->palette.color(QPalette::Base).lightnessF() > 0.5f) {
      return QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
    QStyleOptionButton edged(*box);
    edged.palette.setColor(QPalette::Window, edged.palette.color(QPalette::Text).darker(130));
    QProxyStyle::drawPrimitive(element, &edged, painter, widget);
  }
};

// The desktop's own settings from before the first theme was applied.
struct Desktop {
  QString style = QApplication::style()->objectName();
  QPalette palette = QApplication::palette();
};

// From the command line; takes precedence over the preferences.
QString run_device;

}  // namespace

void Settings::use_for_this_run(const QString& device) {
  run_device = device;
}

QString Settings::device_now() const {
  return run_device.isEmpty() ? device : run_device;
}

Settings Settings::load() {
  const QSettings kept;
  Settings s;
  s.device = kept.value(QStringLiteral("device"), s.device).toString();
  if (s.device == QLatin1String("auto")) s.device.clear();  // written by earlier versions
  s.memory_mb = std::clamp(kept.value(QStringLiteral("memory_mb"), 0).toInt(), 0, 1 << 20);
  s.theme = static_cast<Theme>(std::clamp(kept.value(QStringLiteral("theme"), 0).toInt(), 0, 2));
  s.language = kept.value(QStringLiteral("language")).toString();
  s.screen_profile = kept.value(QStringLiteral("screen_profile")).toString();
  return s;
}

void Settings::save() const {
  QSettings kept;
  kept.setValue(QStringLiteral("device"), device);
  kept.setValue(QStringLiteral("memory_mb"), memory_mb);
  kept.setValue(QStringLiteral("theme"), static_cast<int>(theme));
  kept.setValue(QStringLiteral("language"), language);
  kept.setValue(QStringLiteral("screen_profile"), screen_profile);
}

SessionOptions Settings::session() const {
  SessionOptions options;
  options.device = device_now().toStdString();
  options.memory_limit = static_cast<std::size_t>(memory_mb) << 20;
  return options;
}

void apply_theme(Theme theme) {
  static const Desktop desktop;
  if (theme == Theme::system) {
    QApplication::setStyle(desktop.style);
    QApplication::setPalette(desktop.palette);
  } else {
    QApplication::setStyle(new Style);
    QApplication::setPalette(palette_of(theme == Theme::dark ? dark : light));
  }
}

}  // namespace sfumato::gui
