// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What hosts and the core say, in the user's language, with or without a window.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "text/message.hpp"

class QCoreApplication;

namespace sfumato::hosts {

/// Gives a program without an application one that speaks the user's language, for as long as this
/// lives; where there is one, it is left alone. One thread, which makes no application meanwhile.
class Language {
 public:
  Language();
  ~Language();
  Language(const Language&) = delete;
  Language& operator=(const Language&) = delete;

 private:
  std::unique_ptr<QCoreApplication> made_;
};

/// Names the program as the editor is named, so that settings are the editor's.
void name_program();

/// In the language of the application (see Language), as a window says it.
std::string user_text(const Message& message);
/// A line each.
std::string user_text(const std::vector<Message>& messages);

/// A filter's name likewise, and a choice's.
std::string filter_text(const std::string& label);
std::string choice_text(const std::string& label);
/// Any other text of the registry or the presets: a category, a summary, a parameter's help.
std::string model_text(const std::string& text);

}  // namespace sfumato::hosts
