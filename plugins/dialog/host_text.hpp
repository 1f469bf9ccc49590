// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What hosts and the core say, in the user's language, with or without a window.
#pragma once

#include <memory>
#include <string>
#include <vector>

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

/// Sentences of plugins/ or the core, one a line, in the language of the application (see
/// Language); one that is not known stays as it is.
std::string user_text(const std::string& sentences);

/// A sentence with %1 to %9 for its values: as plugins/ or the core says it, and as user_text()
/// gives it.
struct Sentence {
  std::string said, shown;
};

/// Every sentence that user_text() knows, in the order in which it tries them.
std::vector<Sentence> sentences();

/// A filter's name likewise, and a choice's.
std::string filter_text(const std::string& label);
std::string choice_text(const std::string& label);
/// Any other text of the registry or the presets: a category, a summary, a parameter's help.
std::string model_text(const std::string& text);

}  // namespace sfumato::hosts
