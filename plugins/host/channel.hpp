// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Messages between a host and its worker: a header, a text, and descriptors, over a Unix socket.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "host/descriptor.hpp"

namespace sfumato::hosts {

/// What comes is no message of this protocol. Nothing that follows can be trusted.
class ProtocolError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The other side is gone.
class Closed : public std::runtime_error {
 public:
  Closed() : std::runtime_error("the other side is gone") {}
};

/// What a packet is; the numbers are part of the protocol.
enum class PacketKind : std::uint32_t {
  hello = 1,     ///< host: which version it speaks, which device it wants
  welcome = 2,   ///< worker: what it speaks, which device it has
  needs = 3,     ///< host: which input a region of the output needs
  needed = 4,    ///< worker: that region
  render = 5,    ///< host: a recipe on a region, with descriptors of pixels
  progress = 6,  ///< worker: how far the render is
  done = 7,      ///< worker: the sink is filled
  failed = 8,    ///< worker: the request cannot be met, one sentence
  cancel = 9,    ///< host: the render is not wanted any more; done or failed still comes
  working = 10   ///< worker: an answer takes long, and is on its way
};

struct Packet {
  PacketKind kind{};
  std::string text;  ///< JSON
  std::vector<Descriptor> descriptors;
};

/// The longest text and the most descriptors of a packet.
inline constexpr std::size_t longest_text = std::size_t{8} << 20;
inline constexpr std::size_t most_descriptors = 64;

/// One end of the socket. Sending is for any thread, receiving for one.
class Channel {
 public:
  explicit Channel(Descriptor socket);

  /// Throws Closed, also where the other side takes nothing for ten seconds.
  void send(PacketKind kind, const std::string& text, const std::vector<int>& descriptors = {});
  /// Whether the other side reads what it is sent: send() would not wait for it.
  bool has_room() const;
  /// The next message; nullopt: none has started within `patience` (negative: waits for ever). One
  /// that has started must be whole within ten seconds. Throws Closed, ProtocolError.
  std::optional<Packet> receive(std::chrono::milliseconds patience);

  int descriptor() const { return socket_.get(); }

 private:
  using Time = std::chrono::steady_clock::time_point;
  void receive_exactly(char* to, std::size_t bytes, Time deadline,
                       std::vector<Descriptor>& descriptors);

  Descriptor socket_;
  std::mutex sending_;
};

}  // namespace sfumato::hosts
