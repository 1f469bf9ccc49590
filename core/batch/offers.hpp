// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What a shell is offered for the word that is started, by every program of ours. Plain, one word a
// line. Described, each with a tab and its meaning behind it, and lines that begin with a tab say
// what else is meant:
//   <tab>files             any file
//   <tab>files<tab>a b c   files with these extensions, in any letter case
//   <tab>folders           folders
//   <tab>message<tab>text  something that only the user knows: a number, a name
#pragma once

#include <set>
#include <string>
#include <utility>

namespace sfumato {

class Offers {
 public:
  Offers(std::string typed, bool described) : typed_(std::move(typed)), described_(described) {}

  /// The word as far as it is typed.
  const std::string& typed() const { return typed_; }
  /// The word started behind "--option=", which is put before what is offered.
  void cut_option(const std::string& option);

  void word(const std::string& word, const std::string& text) const;
  /// All files where no extension is given.
  void files(const std::set<std::string>& extensions = {}) const;
  void folders() const;
  void message(const std::string& text) const;

 private:
  std::string typed_, before_;
  bool described_;
};

void offer_presets(const Offers& offers);
/// The words that --device takes, then the numbers of this machine's devices. Asking drivers may
/// take long, or end the process: after two seconds it ends, with what was offered before.
void offer_devices(const Offers& offers);

}  // namespace sfumato
