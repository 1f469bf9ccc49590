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
  /// Null where none can be started; containment_fault() says why.
  static std::unique_ptr<DecoderProcess> start();
  /// Kills it.
  ~DecoderProcess();
  DecoderProcess(const DecoderProcess&) = delete;
  DecoderProcess& operator=(const DecoderProcess&) = delete;

  /// Whose file it reads, for messages.
  void set_path(const std::filesystem::path& path) { path_ = path; }

  void send(PacketKind kind, const std::string& text = {},
            const std::vector<int>& descriptors = {});
  /// The next packet, which is of that kind. Throws FileError: what the process says, or how it
  /// ended.
  Packet receive(PacketKind kind);

  /// Lets it take so many bytes more than it does, and so much processor time from its start; an
  /// answer may take three times that.
  void allow(std::size_t bytes, std::chrono::seconds time);

 private:
  DecoderProcess(Descriptor socket, pid_t id);
  [[noreturn]] void tell_end();

  Channel channel_;
  pid_t id_;
  std::filesystem::path path_;
  std::string format_;  // of the file, once it is recognised
  std::chrono::seconds patience_{30};
};

/// Where sfumato-decode is; empty: nowhere. It lies beside the file module.
std::filesystem::path find_decoder();

}  // namespace sfumato::decoder
