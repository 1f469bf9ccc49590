// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A decoder in a hostile file's hands: it answers as the environment demands.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <string>

#include "device/channel.hpp"
#include "device/process.hpp"
#include "io/decoder/picture_text.hpp"

using namespace sfumato;
using namespace sfumato::decoder;

namespace {

constexpr std::chrono::milliseconds for_ever{-1};

std::string wanted() {
  const char* value = std::getenv("SFUMATO_TEST_DECODER");
  return value != nullptr ? value : "";
}

Opened picture() {
  Opened out;
  out.format = {40, 30, 3, SampleType::u8, AlphaKind::none, Coding::srgb()};
  out.info.file_format = "tiff";
  out.info.channel_names = {"R", "G", "B"};
  out.info.data_window = out.info.display_window = out.format.rect();
  out.chunk_rows = 8;
  if (wanted() == "warning without words") out.info.warnings.emplace_back();
  if (wanted() == "huge") out.format.width = out.format.height = 1 << 30;
  if (wanted() == "negative") out.format.width = -40;
  if (wanted() == "endless chunk") out.chunk_rows = 1 << 30;
  if (wanted() == "no chunk") out.chunk_rows = 0;
  return out;
}

std::string begun() {
  if (wanted() == "page of no CBOR") return "\xff\xfe rubbish";
  return text_of(std::int64_t{wanted() == "page of no kind" ? 7 : 2});
}

std::string piece() {
  if (wanted() == "piece of nothing") return text_of(PagePiece{{}, 8});
  if (wanted() == "piece without a place") return "short";
  return text_of(PagePiece{std::string(longest_piece, 'x'), 0});
}

void serve_falsely(Descriptor socket) {
  Channel channel(std::move(socket));
  channel.send(PacketKind::welcome, text_of(std::int64_t{wanted() != "unconfined"}));
  channel.receive(for_ever);
  channel.send(PacketKind::recognised, "tiff");
  channel.send(PacketKind::claims,
               text_of(std::int64_t{wanted() == "claims less than nothing" ? -1 : 0}));
  if (wanted() == "forbidden") ::raise(SIGSYS);
  if (wanted() == "too long") ::raise(SIGXCPU);
  if (wanted() == "ends") ::_exit(0);
  if (wanted() == "fault without words") {
    channel.send(PacketKind::failed, text_of(Message{"any", "{said} \n", {{"said", ""}}}));
  }
  if (wanted() == "other answer") channel.send(PacketKind::decoded, "");
  if (wanted() == "no CBOR") channel.send(PacketKind::opened, "\xff\xfe rubbish");
  if (wanted() == "deep") channel.send(PacketKind::opened, std::string(4 << 20, '\x81'));
  if (wanted() == "no packet") [[maybe_unused]]
    const auto sent = ::write(channel.descriptor(), "rubbishrubbishrubbish", 21);
  if (wanted() == "nothing") ::pause();
  channel.send(PacketKind::opened, text_of(picture()));
  while (true) {
    const std::optional<Packet> request = channel.receive(for_ever);
    if (request->kind == PacketKind::memory) continue;
    if (request->kind == PacketKind::page) {
      channel.send(PacketKind::begun, begun());
      continue;
    }
    if (request->kind == PacketKind::piece) {
      channel.send(PacketKind::bytes, piece());
      continue;
    }
    const std::int64_t at = wanted() == "rows beyond"   ? 1 << 30
                            : wanted() == "rows before" ? -8
                                                        : 0;
    channel.send(PacketKind::decoded, text_of(at));
  }
}

}  // namespace

int main() {
  Channel channel{Descriptor(child_socket)};
  try {
    while (true) {
      Packet packet = *channel.receive(for_ever);
      if (packet.kind == PacketKind::fork) {
        if (wanted() == "cannot fork") {
          channel.send(PacketKind::forked, text_of(std::int64_t{-1}));
          continue;
        }
        const pid_t child = ::fork();
        if (child == 0) serve_falsely(std::move(packet.descriptors.at(0)));
        packet.descriptors.clear();
        channel.send(PacketKind::forked, text_of(std::int64_t{child}));
      } else {
        int status = 0;
        ::waitpid(static_cast<pid_t>(read_number(packet.text)), &status, 0);
        channel.send(PacketKind::reaped, text_of(std::int64_t{status}));
      }
    }
  } catch (const std::exception&) {
    ::_exit(0);  // the program is gone
  }
}
