// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The terminal: messages, a progress bar, wrapped text, and Ctrl-C.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <utility>

#include "text/message.hpp"

namespace sfumato::cli {

/// Prints one line on stderr: "sfumato: ...", clearing a progress bar first.
void say(std::string_view sentence);
/// In the user's language.
void say(const Message& sentence);
std::string in_users_words(const Message& sentence);

/// Makes the first Ctrl-C (or SIGTERM, SIGHUP) set interrupted(); a second one removes temporaries
/// and ends the program at once.
void catch_interrupts();
bool interrupted();

/// The terminal's columns, or 80 without one; at most 100, for readability.
int text_width();

/// `text` broken between words at `width` columns; lines after the first are indented by `indent`.
std::string wrapped(std::string_view text, int width, int indent);

/// A bar on stderr, if that is a terminal, after the first second. Silent in a pipe.
class ProgressBar {
 public:
  explicit ProgressBar(std::string label);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// `part` is 0..1. Returns false once the user cancelled.
  bool show(double part);
  void relabel(std::string label) { label_ = std::move(label); }
  void clear();

 private:
  std::string label_;
  std::chrono::steady_clock::time_point start_, drawn_;
  bool terminal_;
  bool visible_ = false;
};

}  // namespace sfumato::cli
