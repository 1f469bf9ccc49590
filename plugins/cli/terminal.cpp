// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Messages, progress and interrupts.
#include "terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "io/io.hpp"
#include "text/translations.hpp"
#include "time_text.hpp"

namespace sfumato::cli {
namespace {

volatile std::sig_atomic_t interrupts = 0;
ProgressBar* visible_bar = nullptr;
constexpr int room_beside = 28;  // " [] 100 %  23 h 59 min left", and the last column

// The time to end in, in seconds; a call to a file system that does not answer may take forever.
constexpr unsigned end_within = 10;
volatile std::sig_atomic_t first_signal = SIGTERM;

extern "C" void end_at_once(int signal) {
  remove_temporaries();  // only unlinks files, which is safe in a handler
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

extern "C" void on_alarm(int) {
  end_at_once(first_signal);
}

extern "C" void on_interrupt(int signal) {
  if (interrupts != 0) end_at_once(signal);
  interrupts = 1;
  first_signal = signal;
  ::alarm(end_within);
}

int terminal_columns(int file) {
  winsize size{};
  return ::ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

// The translations that the environment asks for, as for programs that use gettext.
const Translations& chosen_translations() {
  const auto value_of = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string_view(value != nullptr ? value : "");
  };
  std::string_view locale;
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    if (locale.empty()) locale = value_of(name);
  }
  if (locale.empty() || locale == "C" || locale.starts_with("C.") || locale == "POSIX") {
    return Translations::of("en");
  }
  // "de_AT:en" names languages in the order of preference.
  for (std::string_view list = value_of("LANGUAGE"); !list.empty();) {
    const std::size_t end = std::min(list.find(':'), list.size());
    const std::string_view language = list.substr(0, end);
    const Translations& found = Translations::of(language);
    if (!found.all().empty() || language.starts_with("en")) return found;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return Translations::of(locale);
}

const Translations& translations() {
  static const Translations& chosen = chosen_translations();
  return chosen;
}

}  // namespace

void say(std::string_view sentence) {
  if (visible_bar != nullptr) visible_bar->clear();
  // A message has one line, although kernel compilers write several. Names in files could hold
  // what a terminal takes for commands.
  std::string line(sentence);
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; };
  std::replace_if(line.begin(), line.end(), is_control, ' ');
  for (std::size_t at = 0; (at = line.find('\xc2', at)) != std::string::npos; ++at) {
    const bool is_second_set = at + 1 < line.size() && (line[at + 1] & '\xe0') == '\x80';
    if (is_second_set) line.replace(at, 2, 2, ' ');  // U+0080 to U+009F
  }
  std::fprintf(stderr, "sfumato: %s\n", line.c_str());
}

void say(const Message& sentence) {
  say(in_users_words(sentence));
}

std::string in_users_words(const Message& sentence) {
  return in_words(sentence, translations(), Reader::terminal);
}

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    // What nohup, or a shell for its background, has turned off stays off.
    if (::sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) continue;
    ::sigaction(signal, &action, nullptr);
  }
  std::signal(SIGALRM, on_alarm);
  std::signal(SIGPIPE, SIG_IGN);  // unread messages must not cost the picture
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow becomes a write error with a message
}

bool interrupted() {
  return interrupts != 0;
}

int text_width() {
  return std::clamp(terminal_columns(STDOUT_FILENO), 40, 100);
}

std::string wrapped(std::string_view text, int width, int indent) {
  std::string out;
  int column = indent;
  bool first = true;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t space = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, space - at);
    const int length = static_cast<int>(word.size());
    if (!first && column + 1 + length > width) {
      out += '\n' + std::string(static_cast<std::size_t>(indent), ' ');
      column = indent;
    } else if (!first) {
      out += ' ';
      ++column;
    }
    out += word;
    column += length;
    first = false;
    at = space + 1;
  }
  return out;
}

ProgressBar::ProgressBar(std::string label)
    : label_(std::move(label)),
      start_(std::chrono::steady_clock::now()),
      drawn_(start_),
      terminal_(::isatty(STDERR_FILENO) != 0) {}

ProgressBar::~ProgressBar() {
  clear();
  if (visible_bar == this) visible_bar = nullptr;
}

bool ProgressBar::show(double part) {
  if (interrupted()) return false;
  using namespace std::chrono_literals;
  const auto now = std::chrono::steady_clock::now();
  if (!terminal_ || now - start_ < 1s || now - drawn_ < 100ms) return true;
  drawn_ = now;
  visible_ = true;
  visible_bar = this;
  const std::string left = time_left(part, std::chrono::duration<double>(now - start_).count());
  const int beside = static_cast<int>(label_.size()) + room_beside;
  const int room = std::clamp(terminal_columns(STDERR_FILENO) - beside, 10, 40);
  const int full = static_cast<int>(std::lround(part * room));
  std::string bar(static_cast<std::size_t>(full), '#');
  bar.resize(static_cast<std::size_t>(room), '.');
  std::fprintf(stderr, "\r%s [%s] %3d %%  %s\033[K", label_.c_str(), bar.c_str(),
               static_cast<int>(part * 100), left.c_str());
  std::fflush(stderr);
  return true;
}

void ProgressBar::clear() {
  if (!visible_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  visible_ = false;
}

}  // namespace sfumato::cli
