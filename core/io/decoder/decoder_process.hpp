// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The process that decodes one picture, as the program sees it.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "device/channel.hpp"
#include "text/message.hpp"

namespace sfumato::decoder {

/// One process for one picture. One thread at a time.
class DecoderProcess {
 public:
  /// To read the file `path`. Null where sfumato-decode is not installed, as
  /// take_containment_fault() says then. Throws FileError where none can be started.
  static std::unique_ptr<DecoderProcess> start(const std::filesystem::path& path);
  /// Kills it.
  ~DecoderProcess();
  DecoderProcess(const DecoderProcess&) = delete;
  DecoderProcess& operator=(const DecoderProcess&) = delete;

  void send(PacketKind kind, const std::string& text = {},
            const std::vector<int>& descriptors = {});
  /// The next packet, which is of that kind. Throws FileError: what the process says, or how it
  /// ended.
  Packet receive(PacketKind kind);

  /// Throws FileError: it answered what cannot be true.
  [[noreturn]] void tell_nonsense() const;

  /// Lets it take so many bytes more than it does, and so much processor time from its start; an
  /// answer may take three times that.
  void allow(std::size_t bytes, std::chrono::seconds time);

 private:
  DecoderProcess(const std::filesystem::path& path, Descriptor socket, pid_t id);
  [[noreturn]] void tell_end();

  Channel channel_;
  pid_t id_;
  std::filesystem::path path_;  // for messages
  std::string format_;          // of the file, once it is recognised
  std::chrono::seconds patience_{30};
};

/// Where sfumato-decode is; empty: nowhere. It lies beside the file module.
std::filesystem::path find_decoder();

}  // namespace sfumato::decoder
