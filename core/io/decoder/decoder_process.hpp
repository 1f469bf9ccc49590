// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The process that decodes one picture, as the program sees it.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/channel.hpp"
#include "text/message.hpp"

namespace sfumato::decoder {

/// One process for one picture. One thread at a time.
class DecoderProcess {
 public:
  /// Starts a process that reads the file `path`. receive() asks `cancelled` (may be empty) several
  /// times a second. Null if sfumato-decode is not installed, as take_containment_fault() says
  /// then. Throws FileError if none can be started.
  static std::unique_ptr<DecoderProcess> start(const std::filesystem::path& path,
                                               const std::function<bool()>& cancelled);
  /// Kills it.
  ~DecoderProcess();
  DecoderProcess(const DecoderProcess&) = delete;
  DecoderProcess& operator=(const DecoderProcess&) = delete;

  void send(PacketKind kind, const std::string& text = {},
            const std::vector<int>& descriptors = {});
  /// The next packet, which is of that kind. Throws FileError with what the process says, or how it
  /// ended, and Cancelled.
  Packet receive(PacketKind kind);

  /// Throws FileError: its answer cannot be true.
  [[noreturn]] void throw_impossible_answer() const;

  /// Lets it take that much more memory than it does now, in bytes.
  void allow_memory(std::size_t bytes);
  /// Lets it take that much more processor time; it may keep us waiting three times as long.
  void allow_time(std::chrono::milliseconds time);

 private:
  DecoderProcess(const std::filesystem::path& path, Descriptor socket, pid_t id,
                 const std::function<bool()>& cancelled);
  std::optional<Packet> next_packet();
  [[noreturn]] void throw_end();

  Channel channel_;
  pid_t id_;                    // 0 once it has ended
  int end_signal_ = 0;          // by which it ended; 0: by none, or not known
  std::filesystem::path path_;  // for messages
  std::string format_;          // of the file, once it is recognised
  std::function<bool()> cancelled_;
  std::chrono::milliseconds time_;      // its processor time in all
  std::chrono::milliseconds patience_;  // what is left of the time that it may keep us waiting
};

/// Where sfumato-decode is; empty: nowhere. It lies beside the file module.
std::filesystem::path find_decoder();

}  // namespace sfumato::decoder
