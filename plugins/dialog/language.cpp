// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "dialog/language.hpp"

#include <QCoreApplication>

#include "app/settings.hpp"
#include "params/core_text.hpp"
#include "params/model_text.hpp"
#include "params/translation.hpp"

namespace sfumato::hosts {
void name_program() {
  QCoreApplication::setOrganizationName(QStringLiteral("sfumato"));
  QCoreApplication::setApplicationName(QStringLiteral("sfumato-editor"));
  QCoreApplication::setApplicationVersion(QStringLiteral(SFUMATO_VERSION));
}

Language::Language() {
  if (QCoreApplication::instance() != nullptr) return;
  static char name[] = "sfumato";
  static char* words[] = {name, nullptr};
  static int count = 1;
  name_program();
  made_ = std::make_unique<QCoreApplication>(count, words);
  gui::install_translations(gui::Settings::load().language);
}

Language::~Language() = default;

std::string user_text(const Message& message) {
  return gui::core_text(message).toStdString();
}

std::string user_text(const std::vector<Message>& messages) {
  std::string out;
  for (const Message& one : messages) out += (out.empty() ? "" : "\n") + user_text(one);
  return out;
}

std::string filter_text(const std::string& label) {
  return gui::model_text(label, TextKind::filter).toStdString();
}

std::string choice_text(const std::string& label) {
  return gui::model_text(label, TextKind::choice).toStdString();
}

std::string model_text(const std::string& text) {
  return gui::model_text(text).toStdString();
}

}  // namespace sfumato::hosts
