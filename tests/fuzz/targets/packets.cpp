// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "fuzz/targets/packets.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>

#include "fuzz/targets/seeds.hpp"

namespace sfumato::fuzz {
namespace {

constexpr std::size_t head_bytes = 3, most_packets = 24;
constexpr std::uint8_t raw_mark = 0xff;

}  // namespace

Packets packets_in(const std::uint8_t* data, std::size_t size) {
  Packets out;
  std::string_view left(reinterpret_cast<const char*>(data), size);
  while (left.size() >= head_bytes && out.packets.size() < most_packets) {
    const auto byte = [&](std::size_t at) { return static_cast<std::uint8_t>(left[at]); };
    if (byte(0) == raw_mark) {
      out.raw = left.substr(1);
      return out;
    }
    const std::size_t length = static_cast<std::size_t>(byte(1)) << 8 | byte(2);
    const auto kind = static_cast<PacketKind>(byte(0));
    left.remove_prefix(head_bytes);
    out.packets.push_back({kind, std::string(left.substr(0, length))});
    left.remove_prefix(std::min(left.size(), length));
  }
  return out;
}

std::string input_of(const std::vector<SmallPacket>& packets) {
  std::string out;
  for (const SmallPacket& packet : packets) {
    out += static_cast<char>(packet.kind);
    out += static_cast<char>(packet.text.size() >> 8);
    out += static_cast<char>(packet.text.size() & 0xff);
    out += packet.text;
  }
  return out;
}

Sockets::Sockets() {
  int ends[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) broken("there are sockets");
  near = Descriptor(ends[0]);
  far = Descriptor(ends[1]);
}

void fill_socket(int socket, const Packets& packets,
                 const std::function<int(const SmallPacket&)>& descriptor_for) {
  Channel channel{Descriptor(::dup(socket))};
  for (const SmallPacket& packet : packets.packets) {
    const int with = descriptor_for ? descriptor_for(packet) : -1;
    channel.send(packet.kind, packet.text, with < 0 ? std::vector<int>() : std::vector<int>{with});
  }
  if (!packets.raw.empty()) {
    [[maybe_unused]] const auto sent = ::write(socket, packets.raw.data(), packets.raw.size());
  }
  ::shutdown(socket, SHUT_WR);
}

}  // namespace sfumato::fuzz
