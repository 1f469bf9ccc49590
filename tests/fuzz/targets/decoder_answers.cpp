// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A program that reads a picture, whatever its decoder answers. The decoder's waiting process is a
// thread here, which puts the input into the socket of each picture.
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <thread>

#include "device/process.hpp"
#include "fuzz/targets/packets.hpp"
#include "fuzz/targets/seeds.hpp"
#include "image/parallel_rows.hpp"
#include "io/decoder/contained_picture.hpp"
#include "io/decoder/decoder_process.hpp"
#include "io/decoder/picture_text.hpp"
#include "io/file_origin.hpp"

namespace {

using namespace sfumato;
using namespace sfumato::decoder;

constexpr std::chrono::milliseconds for_ever{-1};
constexpr std::uint64_t most_pixels = 1 << 14;

// What the decoder of the next picture answers; it changes only between pictures.
fuzz::Packets answers;

// A process that has ended, and may be sent any signal.
pid_t ended_process() {
  static const pid_t id = [] {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(0);
    siginfo_t info{};
    ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT);
    return child;
  }();
  return id;
}

void wait_for_pictures(Descriptor socket) try {
  Channel channel(std::move(socket));
  std::array<Descriptor, 2> kept;  // open until the next picture: the program may send
  while (true) {
    Packet packet = *channel.receive(for_ever);
    if (packet.kind == PacketKind::fork) {
      kept[0] = std::move(packet.descriptors.at(0));
      fuzz::fill_socket(kept[0].get(), answers);
      channel.send(PacketKind::forked, text_of(std::int64_t{ended_process()}));
    } else {
      channel.send(PacketKind::reaped, text_of(std::int64_t{0}));
    }
  }
} catch (const std::exception&) {
  fuzz::broken("the waiting process is spoken to as it should be");
}

Opened picture() {
  Opened out;
  out.format = {40, 30, 3, SampleType::u8, AlphaKind::none, Coding::srgb()};
  out.info.file_format = "tiff";
  out.info.channel_names = {"R", "G", "B"};
  out.info.data_window = out.info.display_window = out.format.rect();
  out.chunk_rows = 8;
  return out;
}

template <typename Act>
bool heard(Act act) try {
  act();
  return true;
} catch (const FileError& error) {
  if (in_english(error.message()).empty()) fuzz::broken("an error says something");
  return false;
}

void use(InputPicture& picture) {
  const PictureFormat& f = picture.format();
  if (std::uint64_t{1} * f.width * f.height > most_pixels) fuzz::broken("as large as was allowed");
  std::vector<char> rows(f.row_bytes() * static_cast<std::size_t>(f.height));
  const auto stride = static_cast<std::ptrdiff_t>(f.row_bytes());
  FileOrigin& origin = *picture.origin();
  std::array<float, 8> pixels{};
  std::array<char, 64> native{};
  heard([&] {
    if (origin.begin_page(1, {}) != PageCopy::copied) return;
    while (origin.next_of_page().directory == 0) {
    }
  });
  heard([&] { picture.read(f.rect(), rows.data(), stride); });
  heard([&] { origin.description(); });
  heard([&] { origin.read_native(0, 0, 2, native.data(), native.size()); });
  heard([&] { origin.profile_with({}); });
  heard([&] { origin.can_convert_colors(); });
  heard([&] { origin.convert_colors(pixels.data(), 2); });
}

}  // namespace

// In place of the real one (device/process.cpp).
sfumato::Process::~Process() = default;
std::vector<std::string> sfumato::own_environment() {
  return {};
}
sfumato::Process sfumato::start_process(const std::filesystem::path&, std::vector<std::string>) {
  fuzz::Sockets sockets;
  std::thread(wait_for_pictures, std::move(sockets.far)).detach();
  return {0, std::move(sockets.near)};
}
// In place of the one that looks for sfumato-decode (io/io.cpp).
std::filesystem::path sfumato::decoder::find_decoder() {
  return "sfumato-decode";
}

std::vector<std::string> sfumato::fuzz::seeds() {
  const std::vector<SmallPacket> start = {{PacketKind::welcome, text_of(std::int64_t{1})},
                                          {PacketKind::recognised, "tiff"},
                                          {PacketKind::claims, text_of(std::int64_t{1} << 30)},
                                          {PacketKind::opened, text_of(picture())}};
  const auto with = [&](std::vector<SmallPacket> more) {
    more.insert(more.begin(), start.begin(), start.end());
    return input_of(more);
  };
  const SmallPacket page{PacketKind::begun, text_of(std::int64_t{0})};
  const SmallPacket rows{PacketKind::decoded, text_of(std::int64_t{0})};
  return {with({page,
                rows,
                {PacketKind::decoded, text_of(std::int64_t{960})},
                rows,
                rows,
                {PacketKind::described, "x"},
                rows,
                {PacketKind::described, "profile"},
                {PacketKind::can, text_of(std::int64_t{1})},
                {PacketKind::bytes, std::string(32, '\1')}}),
          with({{PacketKind::begun, text_of(std::int64_t{2})},
                {PacketKind::bytes, text_of(PagePiece{"first", 0})},
                {PacketKind::bytes, text_of(PagePiece{"last", 8})}}),
          with({page, {PacketKind::failed, text_of(message({"fuzz.why", "no {what}"}, "bytes"))}}),
          with({}) +
              "\xff"
              "SfW1 raw"};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  answers = fuzz::packets_in(data, size);
  ReadOptions options;
  options.max_pixels = most_pixels;
  heard([&] {
    const auto picture = open_contained("/dev/null", options);
    if (picture) use(*picture);
  });
  return 0;
}
