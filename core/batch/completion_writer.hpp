// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The completions that our programs print for a shell. Plain: one word a line. Described: each word
// is followed by a tab and its meaning, and lines that begin with a tab say what else may follow:
//   <tab>files             any file
//   <tab>files<tab>a b c   files with these extensions, in any letter case
//   <tab>folders           folders
//   <tab>message<tab>text  something that only the user knows: a number, a name
#pragma once

#include <set>
#include <string>
#include <utility>

namespace sfumato {

class CompletionWriter {
 public:
  CompletionWriter(std::string typed, bool described)
      : typed_(std::move(typed)), described_(described) {}

  /// The part of the word that is typed already.
  const std::string& typed() const { return typed_; }
  /// Completes what follows "--option=" in the typed word, and puts this prefix before each offer.
  void cut_option(const std::string& option);

  void word(const std::string& word, const std::string& text) const;
  /// Files with these extensions (without the dot); all files if there are none.
  void files(const std::set<std::string>& extensions = {}) const;
  void folders() const;
  void message(const std::string& text) const;

 private:
  std::string typed_, before_;
  bool described_;
};

void complete_presets(const CompletionWriter& offers);
/// The words that --device takes, then the numbers of this machine's devices. Drivers may hang or
/// crash: after two seconds the process ends, and what was offered before remains.
void complete_devices(const CompletionWriter& offers);

}  // namespace sfumato
