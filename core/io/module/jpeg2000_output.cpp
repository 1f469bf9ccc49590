// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// JPEG 2000 pictures written by OpenJPEG, in tiles: OpenImageIO 2.4 holds the whole picture, and
// writes no profile, no metadata and no word about opacity.
#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>

#include "image/processors.hpp"
#include "io/module/embedded.hpp"
#include "io/module/jpeg2000.hpp"

namespace sfumato::files {
namespace {

using OIIO::ImageSpec;
using OIIO::TypeDesc;

int side_of_tiles(const ImageSpec& spec) {
  constexpr std::int64_t most_tiles = 65535;
  int side = jpeg2000_tile;
  const auto tiles = [&](int length) { return (std::int64_t{length} + side - 1) / side; };
  while (tiles(spec.width) * tiles(spec.height) > most_tiles) side *= 2;
  return side;
}

// Its error against the peak, in decibels, is the same in every tile, which a rate would not be.
float decibels_of(int quality) {
  return 24.0f + 0.22f * static_cast<float>(quality);
}

class Jpeg2000Output final : public WithErrorText<OIIO::ImageOutput> {
 public:
  Jpeg2000Output(bool codestream, Metadata metadata, std::function<bool()> cancelled)
      : codestream_(codestream), metadata_(std::move(metadata)), cancelled_(std::move(cancelled)) {}

  const char* format_name() const override { return "jpeg2000"; }
  int supports(OIIO::string_view feature) const override { return feature == "ioproxy"; }

  bool open(const std::string& name, const ImageSpec& spec, OpenMode mode) override {
    if (mode != Create || spec.nchannels == 2 || spec.nchannels > 4) return false;
    m_spec = spec;
    if (m_spec.format != TypeDesc::UINT16) m_spec.set_format(TypeDesc::UINT8);
    comment_ = latin_9_of(std::string(m_spec.get_string_attribute(own_comment)));
    side_ = side_of_tiles(m_spec);
    strip_.resize(static_cast<std::size_t>(m_spec.scanline_bytes()) *
                  static_cast<std::size_t>(std::min(side_, m_spec.height)));
    if (!ioproxy_use_or_open(name)) return false;
    if (!codestream_) {
      const std::string boxes = jp2_boxes(m_spec, metadata_);
      if (!iowrite(boxes.data(), boxes.size())) return false;
    }
    begin_ = iotell();
    return start();
  }

  bool write_scanline(int y, int, TypeDesc format, const void* data,
                      OIIO::stride_t xstride) override {
    const void* from = to_native_scanline(format, data, xstride, scratch_);
    const auto row = static_cast<std::size_t>(m_spec.scanline_bytes());
    std::memcpy(strip_.data() + static_cast<std::size_t>(y % side_) * row, from, row);
    if ((y + 1) % side_ != 0 && y + 1 != m_spec.height) return true;
    return write_strip(y / side_);
  }

  bool close() override { return opj_end_compress(codec_.get(), stream_.get()) != 0 || refused(); }

 private:
  bool refused() {
    return why ? false : fail(message({"jpeg2000.refuses", "OpenJPEG refuses the picture"}));
  }

  bool start() {
    codec_.reset(opj_create_compress(OPJ_CODEC_J2K));
    stream_.reset(opj_stream_create(std::size_t{1} << 20, OPJ_FALSE));
    if (!codec_ || !stream_) return refused();
    opj_set_error_handler(
        codec_.get(),
        [](const char* text, void* self) {
          static_cast<Jpeg2000Output*>(self)->errorfmt("{}", text == nullptr ? "" : text);
        },
        this);
    opj_stream_set_user_data(stream_.get(), this, nullptr);
    opj_stream_set_write_function(
        stream_.get(), [](void* bytes, OPJ_SIZE_T size, void* self) -> OPJ_SIZE_T {
          const bool written = static_cast<Jpeg2000Output*>(self)->iowrite(bytes, size);
          return written ? size : std::numeric_limits<OPJ_SIZE_T>::max();
        });
    opj_stream_set_seek_function(stream_.get(), [](OPJ_OFF_T to, void* self) -> OPJ_BOOL {
      auto& out = *static_cast<Jpeg2000Output*>(self);
      return out.ioseek(out.begin_ + to) ? OPJ_TRUE : OPJ_FALSE;
    });
    opj_stream_set_skip_function(stream_.get(), [](OPJ_OFF_T by, void* self) -> OPJ_OFF_T {
      return static_cast<Jpeg2000Output*>(self)->ioseek(by, SEEK_CUR) ? by : -1;
    });
    describe();
    opj_cparameters_t parameters = parameters_of_file();
    if (!image_ || opj_setup_encoder(codec_.get(), &parameters, image_.get()) == 0) {
      return refused();
    }
    opj_codec_set_threads(codec_.get(), static_cast<int>(compute_threads()));
    return opj_start_compress(codec_.get(), image_.get(), stream_.get()) != 0 || refused();
  }

  void describe() {
    std::array<opj_image_cmptparm_t, 4> components{};
    for (opj_image_cmptparm_t& c : components) {
      c.dx = c.dy = 1;
      c.w = static_cast<OPJ_UINT32>(m_spec.width);
      c.h = static_cast<OPJ_UINT32>(m_spec.height);
      c.prec = m_spec.format == TypeDesc::UINT16 ? 16 : 8;
    }
    image_.reset(opj_image_tile_create(static_cast<OPJ_UINT32>(m_spec.nchannels), components.data(),
                                       m_spec.nchannels < 3 ? OPJ_CLRSPC_GRAY : OPJ_CLRSPC_SRGB));
    if (!image_) return;
    image_->x1 = static_cast<OPJ_UINT32>(m_spec.width);
    image_->y1 = static_cast<OPJ_UINT32>(m_spec.height);
  }

  opj_cparameters_t parameters_of_file() {
    opj_cparameters_t out{};
    opj_set_default_encoder_parameters(&out);
    if (!comment_.empty()) out.cp_comment = comment_.data();
    const auto [method, quality] = m_spec.decode_compression_metadata("jpeg2000", 100);
    out.tcp_numlayers = 1;
    if (quality >= 100) {
      out.cp_disto_alloc = 1;
      out.tcp_rates[0] = 0;
    } else {
      out.cp_fixed_quality = 1;
      out.tcp_distoratio[0] = decibels_of(quality);
      out.irreversible = 1;
    }
    out.tcp_mct = m_spec.nchannels >= 3 ? 1 : 0;
    out.tile_size_on = OPJ_TRUE;
    out.cp_tdx = out.cp_tdy = side_;
    // Each resolution halves the picture: no more of them than it has halves.
    int least = std::min({m_spec.width, m_spec.height, side_});
    for (out.numresolution = 1; least > 1 && out.numresolution < 6; least /= 2) {
      ++out.numresolution;
    }
    return out;
  }

  // OpenJPEG takes tiles channel by channel.
  bool write_strip(int strip) {
    const int rows = std::min(side_, m_spec.height - strip * side_);
    const int across = (m_spec.width + side_ - 1) / side_;
    for (int i = 0; i < across; ++i) {
      if (cancelled_ && cancelled_()) throw Cancelled();
      const int columns = std::min(side_, m_spec.width - i * side_);
      if (m_spec.format == TypeDesc::UINT16) {
        take_apart<std::uint16_t>(i * side_, columns, rows);
      } else {
        take_apart<std::uint8_t>(i * side_, columns, rows);
      }
      if (opj_write_tile(codec_.get(), static_cast<OPJ_UINT32>(strip * across + i), tile_.data(),
                         static_cast<OPJ_UINT32>(tile_.size()), stream_.get()) == 0) {
        return refused();
      }
    }
    return true;
  }

  template <typename T>
  void take_apart(int x0, int columns, int rows) {
    const auto channels = static_cast<std::size_t>(m_spec.nchannels);
    const auto plane = static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows);
    tile_.resize(plane * channels * sizeof(T));
    auto* to = reinterpret_cast<T*>(tile_.data());
    const auto* from = reinterpret_cast<const T*>(strip_.data());
    for (int y = 0; y < rows; ++y) {
      const T* pixel =
          from + (static_cast<std::size_t>(y) * static_cast<std::size_t>(m_spec.width) +
                  static_cast<std::size_t>(x0)) *
                     channels;
      for (int x = 0; x < columns; ++x, ++to) {
        for (std::size_t c = 0; c < channels; ++c) to[c * plane] = *pixel++;
      }
    }
  }

  const bool codestream_;
  const Metadata metadata_;
  const std::function<bool()> cancelled_;
  int side_ = 0;
  std::int64_t begin_ = 0;  // of the codestream in the file
  std::string comment_;     // in the codestream
  std::vector<unsigned char> strip_, tile_, scratch_;
  OpjImage image_;
  OpjStream stream_;
  OpjCodec codec_;
};

}  // namespace

std::unique_ptr<OIIO::ImageOutput> make_jpeg2000_output(bool codestream, Metadata metadata,
                                                        std::function<bool()> cancelled) {
  return std::make_unique<Jpeg2000Output>(codestream, std::move(metadata), std::move(cancelled));
}

}  // namespace sfumato::files
