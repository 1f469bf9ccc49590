// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Inputs that are packets of a program or its decoder, and a socket that they wait in.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "device/channel.hpp"

namespace sfumato::fuzz {

struct SmallPacket {
  PacketKind kind{};
  std::string text;
};

/// What an input stands for: packets, and bytes after them that need not be one.
struct Packets {
  std::vector<SmallPacket> packets;
  std::string raw;
};
/// A packet's kind takes one byte, its length two; then comes its text. Bytes after the kind 255
/// are raw.
Packets packets_in(const std::uint8_t* data, std::size_t size);
/// The input that stands for these.
std::string input_of(const std::vector<SmallPacket>& packets);

/// Both ends of a socket.
struct Sockets {
  Sockets();
  Descriptor near, far;
};
/// Writes all into a socket, and ends it: whoever reads at its other end then finds it closed.
/// `descriptor_for` (may be empty) says which descriptor goes with a packet; -1: none.
void fill_socket(int socket, const Packets& packets,
                 const std::function<int(const SmallPacket&)>& descriptor_for = {});

}  // namespace sfumato::fuzz
