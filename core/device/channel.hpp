// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Packets between a program and its child over a Unix socket: a header, a text, and descriptors.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "device/descriptor.hpp"

namespace sfumato {

/// The data is not a message of this protocol. Nothing after it can be trusted.
class ProtocolError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The other side is gone.
class Closed : public std::runtime_error {
 public:
  Closed() : std::runtime_error("the other side is gone") {}
};

/// The kind of a packet; the numbers are part of the protocol.
enum class PacketKind : std::uint32_t {
  hello = 1,     ///< host: its protocol version and the requested device
  welcome = 2,   ///< worker: its protocol version and the device in use
  needs = 3,     ///< host: asks for the input that a region of the output needs
  needed = 4,    ///< worker: that region
  render = 5,    ///< host: a recipe on a region, with descriptors of pixels
  progress = 6,  ///< worker: progress of the render
  done = 7,      ///< worker: the whole result was passed
  failed = 8,    ///< worker: the request cannot be met, one sentence
  cancel = 9,    ///< host: cancels the render; done or failed still follows
  working = 10,  ///< worker: the answer takes long, but work goes on
  pixels = 11,   ///< worker: a slot holds a piece of the result
  taken = 12,    ///< host: that slot may be filled again

  fork = 32,          ///< reader: a process for one picture, at the socket that comes along
  forked = 33,        ///< decoder: its process number
  reap = 34,          ///< reader: how did the process end?
  reaped = 35,        ///< decoder: its status, as of waitpid(2)
  open = 36,          ///< reader: the file and how to read it, with descriptors of it
  recognised = 37,    ///< decoder: the file's format
  opened = 38,        ///< decoder: what the picture is
  memory = 39,        ///< reader: memory for decoded rows, which comes along
  decode = 40,        ///< reader: asks for rows
  decoded = 41,       ///< decoder: they lie in the memory
  describe = 42,      ///< reader: asks for FileOrigin::description()
  page = 43,          ///< reader: FileOrigin::begin_page()
  described = 44,     ///< decoder: the description
  read_native = 45,   ///< reader: FileOrigin::read_native(), into the memory that comes along
  send_rows = 46,     ///< reader: asks for rows through the socket: there is no memory to share
  send_native = 47,   ///< reader: FileOrigin::read_native(), through the socket
  bytes = 48,         ///< decoder: the next of them
  profile_with = 49,  ///< reader: FileOrigin::profile_with(); described follows
  can_convert = 50,   ///< reader: FileOrigin::can_convert_colors()
  can = 51,           ///< decoder: whether it can
  convert = 52,       ///< reader: FileOrigin::convert_colors() with these pixels; bytes follow
  profile = 53,       ///< reader: an ICC profile, in place of a file
  numbers = 54,       ///< decoder: what it says, as ProfileNumbers
  turn = 55,          ///< reader: FrameReader::turn_to()
  turned = 56,        ///< decoder: rows are that frame's from now on
  piece = 57,         ///< reader: FileOrigin::next_of_page(); bytes follow
  begun = 58,         ///< decoder: what becomes of the page
  claims = 59,        ///< decoder: the bytes that opening the file takes beyond the usual
  allowed = 60,       ///< reader: it may have memory for them; only if there are some
};

struct Packet {
  PacketKind kind{};
  std::string text;  ///< JSON or CBOR
  std::vector<Descriptor> descriptors;
};

/// Limits for the text and the descriptors of a packet.
inline constexpr std::size_t longest_text = std::size_t{8} << 20;
inline constexpr std::size_t most_descriptors = 64;

/// One end of the socket. Any thread may send; only one may receive.
class Channel {
 public:
  explicit Channel(Descriptor socket);

  /// Throws Closed, also if the other side reads nothing for ten seconds.
  void send(PacketKind kind, const std::string& text, const std::vector<int>& descriptors = {});
  /// Whether the other side is reading, so that send() would not wait.
  bool has_room() const;
  /// The next message; nullopt if none has started within `patience` (negative: waits forever).
  /// Once started, a message must be complete within ten seconds. Throws Closed, ProtocolError.
  std::optional<Packet> receive(std::chrono::milliseconds patience);

  int descriptor() const { return socket_.get(); }

 private:
  using Time = std::chrono::steady_clock::time_point;
  void receive_exactly(char* to, std::size_t bytes, Time deadline,
                       std::vector<Descriptor>& descriptors);

  Descriptor socket_;
  std::mutex sending_;
};

}  // namespace sfumato
