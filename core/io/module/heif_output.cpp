// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// HEIF and AVIF pictures written by libheif: OpenImageIO 2.4 writes 8 bits with halved colours, no
// profile and no metadata.
#include <libheif/heif.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <future>
#include <memory>
#include <mutex>
#include <numeric>
#include <utility>

#include "image/processors.hpp"
#include "io/module/embedded.hpp"

namespace sfumato::files {
namespace {

using OIIO::ImageSpec;
using OIIO::TypeDesc;

struct EncodingDeleter {
  void operator()(heif_context* p) const { heif_context_free(p); }
  void operator()(heif_encoder* p) const { heif_encoder_release(p); }
  void operator()(heif_image* p) const { heif_image_release(p); }
  void operator()(heif_image_handle* p) const { heif_image_handle_release(p); }
  void operator()(heif_color_profile_nclx* p) const { heif_nclx_color_profile_free(p); }
  void operator()(heif_encoding_options* p) const { heif_encoding_options_free(p); }
};
template <class T>
using Owned = std::unique_ptr<T, EncodingDeleter>;

// All that an encoder needs; it may outlive the writer.
struct Encoding {
  Owned<heif_context> context;
  Owned<heif_encoder> encoder;
  Owned<heif_image> image;
  Owned<heif_color_profile_nclx> nclx;
  Owned<heif_encoding_options> options;
  Owned<heif_image_handle> handle;

  heif_error run() {
    heif_image_handle* made = nullptr;
    const heif_error error =
        heif_context_encode_image(context.get(), image.get(), encoder.get(), options.get(), &made);
    handle.reset(made);
    return error;
  }
};

// Encoders cannot be stopped. One whose picture is no longer wanted runs to its end, for which the
// program waits when it ends.
void leave_alone(std::future<heif_error> encoder) {
  static std::mutex mutex;
  static std::vector<std::future<heif_error>> running;
  const std::lock_guard lock(mutex);
  const auto ended = [](const std::future<heif_error>& one) {
    return one.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  };
  running.erase(std::remove_if(running.begin(), running.end(), ended), running.end());
  running.push_back(std::move(encoder));
}

class HeifOutput final : public WithErrorText<OIIO::ImageOutput> {
 public:
  HeifOutput(heif_compression_format compression, Metadata metadata,
             std::function<bool()> cancelled)
      : compression_(compression),
        metadata_(std::move(metadata)),
        cancelled_(std::move(cancelled)),
        work_(std::make_shared<Encoding>()) {}

  const char* format_name() const override { return "heif"; }
  int supports(OIIO::string_view feature) const override { return feature == "ioproxy"; }

  bool open(const std::string& name, const ImageSpec& spec, OpenMode mode) override {
    if (mode != Create || spec.nchannels < 3 || spec.nchannels > 4) return false;
    m_spec = spec;
    if (m_spec.format != TypeDesc::UINT16) m_spec.set_format(TypeDesc::UINT8);
    bits_ =
        m_spec.format == TypeDesc::UINT16 ? m_spec.get_int_attribute("oiio:BitsPerSample", 12) : 8;
    orientation_ = std::clamp(m_spec.get_int_attribute("Orientation", 1), 1, 8);
    if (!ioproxy_use_or_open(name)) return false;
    work_->context.reset(heif_context_alloc());
    heif_encoder* encoder = nullptr;
    if (!good(heif_context_get_encoder_for_format(work_->context.get(), compression_, &encoder))) {
      return false;
    }
    work_->encoder.reset(encoder);
    set_quality();
    if (!make_image() || !set_colours()) return false;
    set_shape();
    set_light();
    return true;
  }

  bool write_scanline(int y, int, TypeDesc format, const void* data,
                      OIIO::stride_t xstride) override {
    const void* from = to_native_scanline(format, data, xstride, scratch_);
    if (bits_ > 8) from = scaled(static_cast<const std::uint16_t*>(from));
    const auto* pixel = static_cast<const std::uint8_t*>(from);
    const std::size_t bytes = m_spec.pixel_bytes();
    std::uint8_t* to = place(0, y);
    const std::ptrdiff_t step = place(1, y) - to;
    if (step == static_cast<std::ptrdiff_t>(bytes)) {
      std::memcpy(to, pixel, bytes * static_cast<std::size_t>(m_spec.width));
      return true;
    }
    for (int x = 0; x < m_spec.width; ++x, pixel += bytes, to += step) {
      std::memcpy(to, pixel, bytes);
    }
    return true;
  }

  /// Encodes and writes all. Throws Cancelled if the caller asked to stop.
  bool close() override {
    auto encoded = std::async(std::launch::async, [work = work_] { return work->run(); });
    while (encoded.wait_for(std::chrono::milliseconds(30)) != std::future_status::ready) {
      if (!cancelled_ || !cancelled_()) continue;
      leave_alone(std::move(encoded));
      throw Cancelled();
    }
    return good(encoded.get()) && add_metadata() && write_all();
  }

 private:
  // Where a pixel belongs in the picture as it is shown: libheif 1.15 writes a wrong size into
  // files that ask readers to turn them.
  std::uint8_t* place(int x, int y) const {
    const int right = m_spec.width - 1 - x, below = m_spec.height - 1 - y;
    const std::array<std::array<int, 2>, 8> shown = {{{x, y},
                                                      {right, y},
                                                      {right, below},
                                                      {x, below},
                                                      {y, x},
                                                      {below, x},
                                                      {below, right},
                                                      {y, right}}};
    const auto [column, row] = shown[static_cast<std::size_t>(orientation_ - 1)];
    return rows_ + std::ptrdiff_t{row} * stride_ +
           std::ptrdiff_t{column} * static_cast<std::ptrdiff_t>(m_spec.pixel_bytes());
  }

  // A row of 16-bit samples in as many bits as the file has, little-endian.
  const std::uint8_t* scaled(const std::uint16_t* samples) {
    row_.resize(static_cast<std::size_t>(m_spec.scanline_bytes()));
    const std::uint32_t most = (1u << bits_) - 1;
    for (std::size_t at = 0; at < row_.size(); at += 2, ++samples) {
      const std::uint32_t code = (*samples * most + 32767) / 65535;
      row_[at] = static_cast<std::uint8_t>(code);
      row_[at + 1] = static_cast<std::uint8_t>(code >> 8);
    }
    return row_.data();
  }

  bool good(const heif_error& error) {
    if (error.code == heif_error_Ok) return true;
    if (!why) errorfmt("{}", error.message);
    return false;
  }

  void set_quality() {
    heif_encoder* encoder = work_->encoder.get();
    const auto [method, quality] = m_spec.decode_compression_metadata("heif", 95);
    lossless_ = quality >= 100;
    if (lossless_) {
      heif_encoder_set_lossless(encoder, 1);
    } else {
      heif_encoder_set_lossy_quality(encoder, quality);
    }
    // Filtered edges would lose their colours at half the resolution. Parameters that an encoder
    // does not have change nothing.
    heif_encoder_set_parameter_string(encoder, "chroma", "444");
    heif_encoder_set_parameter_boolean(encoder, "lossless-alpha", 1);
    // x265's own default takes more than twice as long for less than 1 %.
    heif_encoder_set_parameter_string(encoder, "preset", "medium");
    const auto threads = static_cast<int>(compute_threads());
    heif_encoder_set_parameter_integer(encoder, "threads", std::clamp(threads, 1, 16));
  }

  bool make_image() {
    const bool alpha = m_spec.nchannels == 4;
    const heif_chroma chroma =
        bits_ > 8
            ? (alpha ? heif_chroma_interleaved_RRGGBBAA_LE : heif_chroma_interleaved_RRGGBB_LE)
            : (alpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB);
    const bool across = orientation_ >= 5;
    const int width = across ? m_spec.height : m_spec.width,
              height = across ? m_spec.width : m_spec.height;
    heif_image* image = nullptr;
    if (!good(heif_image_create(width, height, heif_colorspace_RGB, chroma, &image))) {
      return false;
    }
    work_->image.reset(image);
    if (!good(heif_image_add_plane(image, heif_channel_interleaved, width, height, bits_))) {
      return false;
    }
    rows_ = heif_image_get_plane(image, heif_channel_interleaved, &stride_);
    return rows_ != nullptr;
  }

  // Colours are stored as brightness and differences, in full range, and in lossless files as they
  // are; numbers say so in every file, and which colours they are, unless a profile does.
  bool set_colours() {
    constexpr unsigned char unspecified = 2, bt601 = 6, identity = 0;
    std::array<unsigned char, 4> cicp = {unspecified, unspecified, 0, 1};
    if (const OIIO::ParamValue* said = m_spec.find_attribute("sfumato:cicp")) {
      std::memcpy(cicp.data(), said->data(), cicp.size());
    }
    work_->nclx.reset(heif_nclx_color_profile_alloc());
    work_->options.reset(heif_encoding_options_alloc());
    heif_color_profile_nclx* nclx = work_->nclx.get();
    heif_encoding_options* options = work_->options.get();
    if (nclx == nullptr || options == nullptr) return false;
    nclx->color_primaries = static_cast<heif_color_primaries>(cicp[0]);
    nclx->transfer_characteristics = static_cast<heif_transfer_characteristics>(cicp[1]);
    nclx->matrix_coefficients = static_cast<heif_matrix_coefficients>(lossless_ ? identity : bt601);
    nclx->full_range_flag = 1;
    options->output_nclx_profile = nclx;
    options->macOS_compatibility_workaround_no_nclx_profile = 0;
    options->save_two_colr_boxes_when_ICC_and_nclx_available = 1;
    if (!good(heif_image_set_nclx_color_profile(work_->image.get(), nclx))) return false;
    const OIIO::ParamValue* profile = m_spec.find_attribute("ICCProfile");
    return profile == nullptr ||
           good(heif_image_set_raw_color_profile(work_->image.get(), "prof", profile->data(),
                                                 static_cast<std::size_t>(profile->datasize())));
  }

  void set_shape() {
    const auto aspect = static_cast<double>(m_spec.get_float_attribute("PixelAspectRatio", 1.0f));
    if (aspect == 1.0 || !(aspect > 1e-3 && aspect < 1e3)) return;
    constexpr std::uint32_t parts = 10000;
    const auto across = static_cast<std::uint32_t>(std::lround(aspect * parts));
    const std::uint32_t common = std::gcd(across, parts);
    std::uint32_t width = across / common, height = parts / common;
    if (orientation_ >= 5) std::swap(width, height);
    heif_image_set_pixel_aspect_ratio(work_->image.get(), width, height);
  }

  void set_light() {
    const std::string mastering = bytes_in(m_spec, mastering_display),
                      level = bytes_in(m_spec, light_level);
    const auto half = [&](std::size_t at) {
      return static_cast<std::uint16_t>(big_endian_at(mastering, at, 2));
    };
    if (!mastering.empty()) {
      heif_mastering_display_colour_volume to{};
      for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t from = 4 * ((i + 1) % 3);  // green, blue, red
        to.display_primaries_x[i] = half(from);
        to.display_primaries_y[i] = half(from + 2);
      }
      to.white_point_x = half(12);
      to.white_point_y = half(14);
      to.max_display_mastering_luminance =
          static_cast<std::uint32_t>(big_endian_at(mastering, 16, 4));
      to.min_display_mastering_luminance =
          static_cast<std::uint32_t>(big_endian_at(mastering, 20, 4));
      heif_image_set_mastering_display_colour_volume(work_->image.get(), &to);
    }
    if (level.empty()) return;
    const auto candelas = [&](std::size_t at) {
      return static_cast<std::uint16_t>(
          std::min<std::uint64_t>(65535, (big_endian_at(level, at, 4) + 5000) / 10000));
    };
    const heif_content_light_level to{candelas(0), candelas(4)};
    heif_image_set_content_light_level(work_->image.get(), &to);
  }

  bool add_metadata() {
    const std::string exif = exif_block(metadata_.exif), &xmp = metadata_.xmp;
    heif_context* context = work_->context.get();
    heif_image_handle* handle = work_->handle.get();
    return (exif.empty() || good(heif_context_add_exif_metadata(context, handle, exif.data(),
                                                                static_cast<int>(exif.size())))) &&
           (xmp.empty() || good(heif_context_add_XMP_metadata(context, handle, xmp.data(),
                                                              static_cast<int>(xmp.size()))));
  }

  bool write_all() {
    work_->image.reset();
    heif_writer writer{};
    writer.writer_api_version = 1;
    writer.write = [](heif_context*, const void* bytes, std::size_t size, void* self) {
      const bool written = static_cast<HeifOutput*>(self)->iowrite(bytes, size);
      return heif_error{written ? heif_error_Ok : heif_error_Encoding_error,
                        heif_suberror_Unspecified, ""};
    };
    return good(heif_context_write(work_->context.get(), &writer, this));
  }

  const heif_compression_format compression_;
  const Metadata metadata_;
  const std::function<bool()> cancelled_;
  const std::shared_ptr<Encoding> work_;
  int bits_ = 8, stride_ = 0, orientation_ = 1;
  bool lossless_ = false;
  std::uint8_t* rows_ = nullptr;
  std::vector<unsigned char> scratch_, row_;
};

}  // namespace

bool can_encode_heif(bool avif) {
  return heif_have_encoder_for_format(avif ? heif_compression_AV1 : heif_compression_HEVC) != 0;
}

std::unique_ptr<OIIO::ImageOutput> make_heif_output(bool avif, Metadata metadata,
                                                    std::function<bool()> cancelled) {
  return std::make_unique<HeifOutput>(avif ? heif_compression_AV1 : heif_compression_HEVC,
                                      std::move(metadata), std::move(cancelled));
}

}  // namespace sfumato::files
