// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The worker process as seen by its host.
#pragma once

#include <sys/types.h>

#include <filesystem>

#include "host/descriptor.hpp"

namespace sfumato::hosts {

/// The descriptor at which a worker finds the socket to its host.
inline constexpr int worker_socket = 3;

/// A child that is killed and reaped. One that the system does not let end is dealt with when the
/// next one starts or ends.
class Process {
 public:
  Process(pid_t id, Descriptor socket) : id_(id), socket_(std::move(socket)) {}
  Process(Process&& other) noexcept
      : id_(std::exchange(other.id_, -1)), socket_(std::move(other.socket_)) {}
  Process& operator=(Process&&) = delete;
  /// Kills the process and waits for its end, but not forever; a worker holds nothing that could be
  /// lost.
  ~Process();

  int id() const { return static_cast<int>(id_); }
  /// Our end of the socket to it; may be taken once.
  Descriptor take_socket() { return std::move(socket_); }

 private:
  pid_t id_;
  Descriptor socket_;
};

/// Starts `program` with its end of a new socket at descriptor worker_socket; it inherits the
/// environment and no other open descriptors. Throws std::runtime_error.
Process start_process(const std::filesystem::path& program);

}  // namespace sfumato::hosts
