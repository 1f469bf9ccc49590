// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Applies the editor's settings, which are stored under the editor's name.
#include "dialog/application.hpp"

#include <QApplication>
#include <QIcon>
#include <QWidget>
#include <QWindow>

#include "app/settings.hpp"
#include "dialog/language.hpp"
#include "filters/registry.hpp"
#include "params/translation.hpp"

namespace sfumato::hosts {

void set_up_application(bool dark_host) {
  name_program();
  QGuiApplication::setDesktopFileName(QStringLiteral("sfumato-editor"));
  QApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/sfumato-editor.png")));
  const auto settings = gui::Settings::load();
  gui::install_translations(settings.language);
  const bool own = settings.theme != gui::Theme::system;
  gui::apply_theme(own || !dark_host ? settings.theme : gui::Theme::dark);
}

SessionOptions chosen_session() {
  return gui::Settings::load().session();
}

void put_before(QWidget& window, unsigned long long host) {
  if (host == 0 || QGuiApplication::platformName() != QLatin1String("xcb")) return;
  window.winId();
  if (QWindow* other = QWindow::fromWinId(static_cast<WId>(host))) {
    window.windowHandle()->setTransientParent(other);
  }
}

std::string name_of(const Recipe& recipe) {
  std::string out;
  for (const Step& step : recipe.steps) {
    if (!step.enabled) continue;
    if (!out.empty()) out += ", ";
    out += filter_text(Registry::get().at(step.filter).filter->info().label);
  }
  return out;
}

}  // namespace sfumato::hosts
