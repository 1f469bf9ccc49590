// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A decoder's process, whatever the program at the other end asks for.
#include <sys/socket.h>

#include <cstring>
#include <utility>

#include "fuzz/targets/packets.hpp"
#include "fuzz/targets/seeds.hpp"
#include "io/decoder/picture_text.hpp"
#include "io/decoder/serve.hpp"
#include "io/file_origin.hpp"

namespace {

using namespace sfumato;
using namespace sfumato::decoder;

constexpr int width = 7, height = 20, chunk = 8;
constexpr std::size_t native_row = 28;

class Picture final : public InputPicture,
                      public FileOrigin,
                      public FrameReader,
                      public DecodedRows {
 public:
  Picture() {
    format_ = {width, height, 3, SampleType::u8, AlphaKind::none, Coding::srgb()};
    info_.channel_names = {"R", "G", "B"};
  }
  void read_rows(const Rect&, void*, std::ptrdiff_t) override {}
  FileOrigin* origin() override { return this; }
  const std::string& description() override { return description_; }
  PageCopy begin_page(int number, const PagePlace&) override {
    return number == 1 ? PageCopy::copied : PageCopy::none;
  }
  PagePiece next_of_page() override { return {"page", 8}; }
  void read_native(int part, int y0, int y1, void* to, std::size_t bytes) override {
    if (part != 0 || y0 < 0 || y0 >= y1 || y1 > height ||
        bytes != native_row * static_cast<std::size_t>(y1 - y0)) {
      throw FileError(message({"fuzz.no_rows", "no such rows"}));
    }
    std::memset(to, 1, bytes);
  }
  std::vector<unsigned char> profile_with(const ProfileCurve&) override { return {1, 2}; }
  bool can_convert_colors() override { return true; }
  void convert_colors(float* pixels, std::size_t count) override {
    for (std::size_t i = 0; i < 4 * count; ++i) pixels[i] = 1;
  }
  void turn_to(int frame) override {
    if (frame != 2) throw FileError(message({"fuzz.no_frame", "no such frame"}));
  }
  int chunk_rows() const override { return chunk; }
  void use_memory(char* chunks) override { chunks_ = chunks; }
  // Two chunks, as FilePicture has them.
  const char* decode(int y0, int y1) override {
    if (y0 < 0 || y0 >= y1 || y1 > height || y1 - y0 > chunk) fuzz::broken("the rows are there");
    if (chunks_ == nullptr) chunks_ = own_;
    char* const at = chunks_ + (y0 / chunk % 2 == 0 ? 0 : sizeof own_ / 2);
    std::memset(at, 2, format_.row_bytes() * static_cast<std::size_t>(y1 - y0));
    return at;
  }

 private:
  std::string description_ = "a page";
  char own_[2 * chunk * 3 * width] = {};
  char* chunks_ = nullptr;
};

class Module final : public files::FileModule {
 public:
  std::string recognise(const std::filesystem::path& path) override {
    if (path.empty()) throw FileError(message({"fuzz.no_name", "no name"}));
    return "tiff";
  }
  std::size_t memory_to_open(const std::filesystem::path&, const std::string&) override {
    return 0;
  }
  std::unique_ptr<InputPicture> open(const std::filesystem::path&, const ReadOptions&) override {
    return std::make_unique<Picture>();
  }
  std::unique_ptr<files::FileWriter> create(const files::WriteRequest&) override { return {}; }
  std::unique_ptr<files::FramesWriter> animate(const files::WriteRequest&, int) override {
    return {};
  }
  int width_of_text(const std::string&, const TextStyle&) override { return 0; }
  void draw_text(HeldPicture&, int, int, const std::string&, const TextStyle&) override {}
  std::string versions() override { return {}; }
  ProfileNumbers numbers_of(const std::vector<unsigned char>&) override { return {}; }
};

// The kernel refuses a decoder as much memory; with sanitizers, it has no such limit.
bool is_too_large(const fuzz::SmallPacket& packet) {
  constexpr std::int64_t most = 1 << 16;
  if (packet.kind != PacketKind::send_native) return false;
  try {
    return read_rows(packet.text).bytes > most;
  } catch (const ProtocolError&) {
    return false;
  }
}

}  // namespace

std::vector<std::string> sfumato::fuzz::seeds() {
  const SmallPacket open{PacketKind::open, text_of("a.tif", ReadOptions{})};
  return {input_of({open,
                    {PacketKind::memory, ""},
                    {PacketKind::decode, text_of(RowRange{0, 0, 8})},
                    {PacketKind::decode, text_of(RowRange{0, 16, 20})},
                    {PacketKind::describe, ""}}),
          input_of({open,
                    {PacketKind::send_rows, text_of(RowRange{0, 8, 16})},
                    {PacketKind::send_native, text_of(RowRange{0, 3, 5, 2 * native_row})},
                    {PacketKind::read_native, text_of(RowRange{0, 0, 12})},
                    {PacketKind::turn, text_of(std::int64_t{2})},
                    {PacketKind::page, text_of(PageRequest{1, {8, false, true}})},
                    {PacketKind::piece, ""}}),
          input_of({open,
                    {PacketKind::profile_with, text_of(ProfileCurve{})},
                    {PacketKind::can_convert, ""},
                    {PacketKind::convert, std::string(32, '\0')}}) +
              "\xff"
              "raw"};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Module module;
  static const SharedMemory memory(2 * chunk * 3 * width);
  fuzz::Packets packets = fuzz::packets_in(data, size);
  std::erase_if(packets.packets, is_too_large);
  fuzz::Sockets sockets;
  fuzz::fill_socket(sockets.near.get(), packets, [](const fuzz::SmallPacket& packet) {
    return packet.kind == PacketKind::memory || packet.kind == PacketKind::read_native
               ? memory.descriptor()
               : -1;
  });
  Channel channel(std::move(sockets.far));
  try {
    answer_requests(channel, module, [](GivenFile) {});
  } catch (const Closed&) {
    return 0;
  } catch (const ProtocolError&) {
    return 0;
  }
}
