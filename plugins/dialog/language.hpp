// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Texts of hosts and the core in the user's language, with or without a window.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "text/message.hpp"

class QCoreApplication;

namespace sfumato::hosts {

/// Makes a QCoreApplication with the user's language, as long as this object lives, for a program
/// that has none; an existing one is left alone. One thread, which must not make another
/// application meanwhile.
class Language {
 public:
  Language();
  ~Language();
  Language(const Language&) = delete;
  Language& operator=(const Language&) = delete;

 private:
  std::unique_ptr<QCoreApplication> made_;
};

/// Gives the program the editor's name, so that it uses the editor's settings.
void name_program();

/// A message in the language of the application (see Language), as windows show it.
std::string user_text(const Message& message);
/// One line for each message.
std::string user_text(const std::vector<Message>& messages);

/// The name of a filter, or of a choice, in the same language.
std::string filter_text(const std::string& label);
std::string choice_text(const std::string& label);
/// Any other text of the registry or the presets: a category, a summary, a parameter's help.
std::string model_text(const std::string& text);

}  // namespace sfumato::hosts
