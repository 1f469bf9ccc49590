// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Reads and writes without waiting for a host that has ended.
#include "dialog/host_line.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>

#include "dialog/language.hpp"
#include "io/io.hpp"

namespace sfumato::hosts {
namespace {

constexpr int patience_ms = 60000;  // for a host to write a layer
constexpr std::size_t longest_line = std::size_t{1} << 20;

}  // namespace

void HostLine::tell(const std::string& line) {
  const std::lock_guard lock(mutex_);
  const std::string whole = line + "\n";
  std::size_t at = 0;
  while (at < whole.size()) {
    const ssize_t put = ::write(STDOUT_FILENO, whole.data() + at, whole.size() - at);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return;  // nobody reads it
    at += static_cast<std::size_t>(put);
  }
}

bool HostLine::alive() const {
  if (!attached_) return true;
  pollfd state{STDIN_FILENO, 0, 0};
  return ::poll(&state, 1, 0) <= 0 || (state.revents & (POLLHUP | POLLERR | POLLNVAL)) == 0;
}

std::string HostLine::read_line() {
  while (true) {
    if (const auto end = read_.find('\n'); end != std::string::npos) {
      std::string line = read_.substr(0, end);
      read_.erase(0, end + 1);
      return line;
    }
    pollfd state{STDIN_FILENO, POLLIN, 0};
    const int ready = ::poll(&state, 1, patience_ms);
    if (ready < 0 && errno == EINTR) continue;
    char some[4096];
    const ssize_t got = ready > 0 ? ::read(STDIN_FILENO, some, sizeof some) : 0;
    if (got <= 0 || read_.size() > longest_line) {
      throw FileError(
          message({"host.silent", "The program that the picture is in does not answer."}));
    }
    read_.append(some, static_cast<std::size_t>(got));
  }
}

std::string HostLine::ask_for_layer(const std::string& name) {
  const nlohmann::json question{{"layer", name}};
  tell(question.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  const auto answer = nlohmann::json::parse(read_line(), nullptr, false);
  if (answer.is_object() && answer.contains("file") && answer["file"].is_string()) {
    return answer["file"];
  }
  if (answer.is_object() && answer.contains("message") && answer["message"].is_string()) {
    throw FileError(foreign_message(answer["message"].get<std::string>()));
  }
  throw FileError(
      message({"host.not_asked", "The program that the picture is in sent an unexpected answer."}));
}

std::filesystem::path LineLayers::file_of(const std::string& name) {
  const std::lock_guard lock(mutex_);
  const auto known = files_.find(name);
  if (known != files_.end()) return known->second;
  if (std::find(names_.begin(), names_.end(), name) == names_.end() || !line_.attached()) {
    throw FileError(message(
        {"layer.unknown", "There is no layer called \"{layer}\" to take pixels from."}, name));
  }
  return files_[name] = line_.ask_for_layer(name);
}

}  // namespace sfumato::hosts
