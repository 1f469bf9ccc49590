// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The worker's process, as its host sees it.
#pragma once

#include <sys/types.h>

#include <filesystem>

#include "host/descriptor.hpp"

namespace sfumato::hosts {

/// The descriptor that a worker finds its host at.
inline constexpr int worker_socket = 3;

/// A child that is made to go and waited for; one that the system does not let go yet is taken care
/// of when the next one starts or goes.
class Process {
 public:
  Process(pid_t id, Descriptor socket) : id_(id), socket_(std::move(socket)) {}
  Process(Process&& other) noexcept
      : id_(std::exchange(other.id_, -1)), socket_(std::move(other.socket_)) {}
  Process& operator=(Process&&) = delete;
  /// Kills it and waits for its end, but not for ever; a worker holds nothing that could be lost.
  ~Process();

  int id() const { return static_cast<int>(id_); }
  /// The end of the line to it, once.
  Descriptor take_socket() { return std::move(socket_); }

 private:
  pid_t id_;
  Descriptor socket_;
};

/// Starts `program`, its end of a new socket at descriptor worker_socket; it inherits the
/// environment, and nothing else that is open. Throws std::runtime_error.
Process start_process(const std::filesystem::path& program);

}  // namespace sfumato::hosts
