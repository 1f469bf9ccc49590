// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Child processes at the other end of a socket: the worker and the decoder.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "device/descriptor.hpp"

namespace sfumato {

/// The descriptor at which a child finds its end of the socket.
inline constexpr int child_socket = 3;

/// A child that is killed and reaped. One that the system does not let end is dealt with when the
/// next one starts or ends.
class Process {
 public:
  Process(pid_t id, Descriptor socket) : id_(id), socket_(std::move(socket)) {}
  Process(Process&& other) noexcept
      : id_(std::exchange(other.id_, -1)), socket_(std::move(other.socket_)) {}
  Process& operator=(Process&&) = delete;
  /// Kills the process and waits for its end, but not forever; it holds nothing that could be lost.
  ~Process();

  int id() const { return static_cast<int>(id_); }
  /// Our end of the socket to it; may be taken once.
  Descriptor take_socket() { return std::move(socket_); }

 private:
  pid_t id_;
  Descriptor socket_;
};

/// This process's environment, "NAME=value" each.
std::vector<std::string> own_environment();

/// Starts `program` with its end of a new socket at descriptor child_socket. It inherits no other
/// open descriptors than the standard ones. Throws std::runtime_error.
Process start_process(const std::filesystem::path& program,
                      std::vector<std::string> environment = own_environment());

}  // namespace sfumato
