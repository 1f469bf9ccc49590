// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Framing of messages. Both ends run on one machine from one build, so numbers are sent as they are
// in memory.
#include "device/channel.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace sfumato {
namespace {

struct Header {
  std::array<char, 4> magic;
  std::uint32_t kind, text_bytes, descriptors;
};
constexpr std::array<char, 4> magic{'S', 'f', 'W', '1'};
constexpr std::chrono::milliseconds whole_within{10000};

// Room for the descriptors of one message, aligned as the kernel requires.
union Control {
  cmsghdr header;
  char bytes[CMSG_SPACE(sizeof(int) * most_descriptors)];
};

bool wait_for(int socket, short event, std::chrono::milliseconds patience) {
  pollfd poll{socket, event, 0};
  while (true) {
    const int ready = ::poll(&poll, 1, static_cast<int>(patience.count()));
    if (ready > 0) return true;
    if (ready == 0) return false;
    if (errno != EINTR) throw Closed();
  }
}

void keep(std::vector<Descriptor>& descriptors, msghdr& message) {
  for (cmsghdr* c = CMSG_FIRSTHDR(&message); c != nullptr; c = CMSG_NXTHDR(&message, c)) {
    if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(c) + i * sizeof(int), sizeof(int));
      descriptors.emplace_back(fd);
    }
  }
}

}  // namespace

Channel::Channel(Descriptor socket) : socket_(std::move(socket)) {
  const timeval patience{whole_within.count() / 1000, 0};
  ::setsockopt(socket_.get(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
}

void Channel::send(PacketKind kind, const std::string& text, const std::vector<int>& descriptors) {
  if (text.size() > longest_text || descriptors.size() > most_descriptors) {
    throw ProtocolError("the message is too long");
  }
  Header header{magic, static_cast<std::uint32_t>(kind), static_cast<std::uint32_t>(text.size()),
                static_cast<std::uint32_t>(descriptors.size())};
  const std::lock_guard lock(sending_);
  // Descriptors are sent with the first byte.
  std::array<iovec, 2> parts{
      {{&header, sizeof header}, {const_cast<char*>(text.data()), text.size()}}};
  msghdr message{};
  message.msg_iov = parts.data();
  message.msg_iovlen = parts.size();
  Control control{};
  if (!descriptors.empty()) {
    message.msg_control = control.bytes;
    message.msg_controllen = CMSG_SPACE(sizeof(int) * descriptors.size());
    cmsghdr* c = CMSG_FIRSTHDR(&message);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof(int) * descriptors.size());
    std::memcpy(CMSG_DATA(c), descriptors.data(), sizeof(int) * descriptors.size());
  }
  while (parts[0].iov_len + parts[1].iov_len > 0) {
    const ssize_t sent = ::sendmsg(socket_.get(), &message, MSG_NOSIGNAL);
    if (sent < 0) {
      if (errno == EINTR) continue;
      throw Closed();
    }
    message.msg_control = nullptr;
    message.msg_controllen = 0;
    auto left = static_cast<std::size_t>(sent);
    for (iovec& part : parts) {
      const std::size_t taken = std::min(left, part.iov_len);
      part.iov_base = static_cast<char*>(part.iov_base) + taken;
      part.iov_len -= taken;
      left -= taken;
    }
  }
}

bool Channel::has_room() const {
  return wait_for(socket_.get(), POLLOUT, std::chrono::milliseconds(0));
}

void Channel::receive_exactly(char* to, std::size_t bytes, Time deadline,
                              std::vector<Descriptor>& descriptors) {
  while (bytes > 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0 || !wait_for(socket_.get(), POLLIN, left)) {
      throw ProtocolError("a message came only in part");
    }
    iovec part{to, bytes};
    Control control{};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof control;
    const ssize_t got = ::recvmsg(socket_.get(), &message, MSG_CMSG_CLOEXEC);
    if (got < 0) {
      if (errno == EINTR) continue;
      throw Closed();
    }
    keep(descriptors, message);
    if (got == 0) throw Closed();
    if ((message.msg_flags & MSG_CTRUNC) != 0 || descriptors.size() > most_descriptors) {
      throw ProtocolError("a message came with too many descriptors");
    }
    to += got;
    bytes -= static_cast<std::size_t>(got);
  }
}

std::optional<Packet> Channel::receive(std::chrono::milliseconds patience) {
  if (!wait_for(socket_.get(), POLLIN, patience)) return std::nullopt;
  // For the whole message, so that trickling bytes do not block the receiver.
  const Time deadline = std::chrono::steady_clock::now() + whole_within;
  Packet message;
  Header header{};
  receive_exactly(reinterpret_cast<char*>(&header), sizeof header, deadline, message.descriptors);
  if (header.magic != magic) throw ProtocolError("what came is no message");
  if (header.text_bytes > longest_text) throw ProtocolError("a message is too long");
  message.kind = static_cast<PacketKind>(header.kind);
  message.text.resize(header.text_bytes);
  receive_exactly(message.text.data(), message.text.size(), deadline, message.descriptors);
  if (message.descriptors.size() != header.descriptors) {
    throw ProtocolError("a message came without its descriptors");
  }
  return message;
}

}  // namespace sfumato
