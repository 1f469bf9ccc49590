// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Frames of animated PNG files (PNG, third edition, 11.3.6): OpenImageIO reads the first picture
// only.
#include <OpenImageIO/filesystem.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "io/file_origin.hpp"
#include "io/module/animation.hpp"
#include "io/module/embedded.hpp"

namespace sfumato::files {
namespace {

using OIIO::ImageSpec;
using OIIO::TypeDesc;

// Compressed data in the file.
struct Piece {
  std::uint64_t at = 0, size = 0;
};

// fcTL: the area, a delay as two numbers, and the two operations.
bool read_control(const std::string& control, const Rect& canvas, Frame& frame) {
  constexpr std::size_t size = 26, operations = 24;
  if (control.size() != size) return false;
  const auto number = [&](std::size_t at, int bytes = 4) {
    return big_endian_at(control, at, bytes);
  };
  const std::uint64_t width = number(4), height = number(8), x = number(12), y = number(16);
  const auto across = static_cast<std::uint64_t>(canvas.width());
  const auto down = static_cast<std::uint64_t>(canvas.height());
  if (width == 0 || height == 0 || x + width > across || y + height > down) return false;
  frame.area = {static_cast<int>(x), static_cast<int>(y), static_cast<int>(x + width),
                static_cast<int>(y + height)};
  const auto dispose = static_cast<unsigned char>(control[operations]);
  const auto blend = static_cast<unsigned char>(control[operations + 1]);
  if (dispose > 2 || blend > 1) return false;
  const std::uint64_t under = number(22, 2);
  const std::uint64_t seconds = 1'000'000 * number(20, 2);
  frame.microseconds = static_cast<std::int64_t>(seconds / (under > 0 ? under : 100));
  frame.dispose = static_cast<Dispose>(dispose);
  frame.blend = static_cast<Blend>(blend);
  return true;
}

class ApngInput final : public AnimationInput {
 public:
  const char* format_name() const override { return "png"; }

 private:
  std::unique_ptr<OIIO::ImageInput> make_reader(const std::string& name) const override {
    return is_unusual_png(name) ? make_late_png_input() : AnimationInput::make_reader(name);
  }

  bool find_frames(const std::string& name, const Rect& canvas,
                   std::vector<Frame>& frames) override {
    in_ = std::make_unique<Bytes>(name, true);
    for (std::uint64_t at = 8; in_->has(at, 12);) {
      const Piece body{at + 8, in_->number(at, 4)};
      const std::string chunk = in_->text(at + 4, 4);
      at = body.at + body.size + 4;
      if (!in_->has(body.at, body.size) || chunk == "IEND") break;
      if (chunk == "fcTL") {
        if (frames.size() > static_cast<std::size_t>(most_pages)) break;
        const std::string control = in_->text(body.at, body.size);
        if (!read_control(control, canvas, frames.emplace_back())) return false;
        data_.emplace_back();
      } else {
        take(chunk, body);
      }
    }
    return !frames.empty() && header_.size() == 13;
  }

  // A chunk that describes all frames, or holds data of the last one. A picture before the first
  // is no frame.
  void take(const std::string& chunk, const Piece& body) {
    if (chunk == "IHDR") header_ = in_->text(body.at, body.size);
    if (chunk == "PLTE" || chunk == "tRNS") {
      colors_ += png_chunk(chunk + in_->text(body.at, body.size));
    }
    if (chunk == "acTL" && body.size == 8) {
      set_loops(static_cast<std::int64_t>(in_->number(body.at + 4, 4)));
    }
    if (data_.empty()) return;
    if (chunk == "IDAT") data_.back().push_back(body);
    if (chunk == "fdAT" && body.size > 4) data_.back().push_back({body.at + 4, body.size - 4});
  }

  // A PNG file of its own.
  std::string file_of(std::size_t number) {
    const Rect& area = frame(number).area;
    std::string size;
    append_big_endian(size, static_cast<std::size_t>(area.width()), 4);
    append_big_endian(size, static_cast<std::size_t>(area.height()), 4);
    std::string file =
        "\x89PNG\r\n\x1a\n" + png_chunk("IHDR" + size + header_.substr(size.size())) + colors_;
    for (const Piece& piece : data_[number]) {
      for (std::uint64_t done = 0; done < piece.size; done += Bytes::largest) {
        file += png_chunk("IDAT" +
                          in_->text(piece.at + done, std::min(Bytes::largest, piece.size - done)));
      }
    }
    return file + png_chunk("IEND");
  }

  bool decode(std::size_t number, std::vector<std::uint16_t>& pixels) override {
    const std::string file = file_of(number);
    OIIO::Filesystem::IOMemReader memory(file.data(), file.size());
    const auto reader = OIIO::ImageInput::create("png");
    const Rect& area = frame(number).area;
    ImageSpec spec;
    if (!reader || !reader->set_ioproxy(&memory) || !reader->open("frame.png", spec, config()) ||
        spec.nchannels != held_channels() || spec.format != m_spec.format ||
        spec.width != area.width() || spec.height != area.height()) {
      return false;
    }
    pixels.resize(spec.image_pixels() * static_cast<std::size_t>(spec.nchannels));
    std::vector<std::uint8_t> bytes(spec.format == TypeDesc::UINT8 ? pixels.size() : 0);
    void* to = bytes.empty() ? static_cast<void*>(pixels.data()) : bytes.data();
    const bool read = reader->read_image(0, 0, 0, spec.nchannels, spec.format, to);
    std::copy(bytes.begin(), bytes.end(), pixels.begin());
    return read && !reader->has_error();
  }

  std::unique_ptr<Bytes> in_;
  std::string header_;  // what IHDR holds
  std::string colors_;  // the chunks PLTE and tRNS
  std::vector<std::vector<Piece>> data_;
};

}  // namespace

std::unique_ptr<OIIO::ImageInput> make_apng_input() {
  return std::make_unique<ApngInput>();
}

}  // namespace sfumato::files
