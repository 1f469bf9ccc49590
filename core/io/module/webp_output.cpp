// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// WebP pictures written by libwebp: OpenImageIO 2.4 divides colours by alpha on a power curve and
// writes no metadata.
#include <webp/encode.h>

#include <memory>
#include <utility>

#include "image/parallel_rows.hpp"
#include "io/module/parts.hpp"
#include "io/module/webp_frames.hpp"

namespace sfumato::files {
namespace {

using OIIO::ImageSpec;
using OIIO::TypeDesc;

class WebpOutput final : public WithErrorText<OIIO::ImageOutput> {
 public:
  WebpOutput(Metadata metadata, std::function<bool()> cancelled, std::shared_ptr<WebpFrames> frames)
      : metadata_(std::move(metadata)),
        cancelled_(std::move(cancelled)),
        frames_(std::move(frames)) {
    WebPMemoryWriterInit(&coded_);
  }
  ~WebpOutput() override {
    WebPPictureFree(&picture_);
    WebPMemoryWriterClear(&coded_);
  }
  const char* format_name() const override { return "webp"; }
  int supports(OIIO::string_view feature) const override { return feature == "ioproxy"; }

  bool open(const std::string& name, const ImageSpec& spec, OpenMode mode) override {
    if (mode != Create || (spec.nchannels != 3 && spec.nchannels != 4)) return false;
    m_spec = spec;
    m_spec.set_format(TypeDesc::UINT8);
    if (!ioproxy_use_or_open(name)) return false;
    if (WebPPictureInit(&picture_) == 0)
      return fail(message({"webp.other_version", "libwebp is of another version"}));
    picture_.use_argb = 1;
    picture_.width = spec.width;
    picture_.height = spec.height;
    if (WebPPictureAlloc(&picture_) == 0) return fail(webp_reason(picture_.error_code));
    return true;
  }

  // libwebp encodes a picture as a whole, so rows are gathered until close().
  bool write_scanline(int y, int, TypeDesc format, const void* data,
                      OIIO::stride_t xstride) override {
    const auto* from =
        static_cast<const std::uint8_t*>(to_native_scanline(format, data, xstride, scratch_));
    std::uint32_t* to = picture_.argb + static_cast<std::ptrdiff_t>(y) * picture_.argb_stride;
    const int channels = m_spec.nchannels;
    for (int x = 0; x < m_spec.width; ++x, from += channels) {
      const std::uint32_t alpha = channels == 4 ? from[3] : 255u;
      to[x] = alpha << 24 | std::uint32_t{from[0]} << 16 | std::uint32_t{from[1]} << 8 | from[2];
    }
    return true;
  }

  /// Encodes all, and writes it unless it is a frame. Throws Cancelled if the caller asked to stop.
  bool close() override {
    WebPConfig config;
    if (!configure(config))
      return fail(message({"webp.other_version", "libwebp is of another version"}));
    picture_.writer = WebPMemoryWrite;
    picture_.custom_ptr = &coded_;
    picture_.user_data = this;
    picture_.progress_hook = [](int, const WebPPicture* picture) {
      const auto& self = *static_cast<const WebpOutput*>(picture->user_data);
      return static_cast<int>(!self.cancelled_ || !self.cancelled_());
    };
    const bool encoded =
        frames_ ? frames_->add(picture_, config, chunks()) : WebPEncode(&config, &picture_) != 0;
    if (!encoded && picture_.error_code == VP8_ENC_ERROR_USER_ABORT) throw Cancelled();
    if (!encoded) return fail(webp_reason(picture_.error_code));
    WebPPictureFree(&picture_);
    return frames_ || write_file();
  }

 private:
  // For such pictures, memory matters more than the last bit of quality.
  bool large() const { return m_spec.image_pixels() > 64'000'000; }

  bool configure(WebPConfig& config) const {
    const auto [method, quality] = m_spec.decode_compression_metadata("webp", 95);
    if (WebPConfigInit(&config) == 0) return false;
    if (method == "lossless") {
      // Higher levels take several times as long to save a few percent.
      if (WebPConfigLosslessPreset(&config, 3) == 0) return false;
    } else {
      config.quality = static_cast<float>(quality);
      // Lossy WebP halves the resolution of colours; without sharp_yuv this also shifts saturated
      // edges, but takes less than half the memory.
      config.use_sharp_yuv = large() ? 0 : 1;
      config.low_memory = large() ? 1 : 0;
    }
    config.exact = 1;  // the colour of transparent pixels is kept, too
    config.thread_level = 1;
    return WebPValidateConfig(&config) != 0;
  }

  WebpChunks chunks() const {
    WebpChunks out{{}, exif_block(metadata_.exif), metadata_.xmp};
    if (const OIIO::ParamValue* profile = m_spec.find_attribute("ICCProfile")) {
      out.profile.assign(static_cast<const char*>(profile->data()),
                         static_cast<std::size_t>(profile->datasize()));
    }
    return out;
  }

  bool write_file() {
    const WebpChunks held = chunks();
    if (held.empty()) return iowrite(coded_.mem, coded_.size);
    const WebPData image{coded_.mem, coded_.size};
    WebPMemoryWriterInit(&coded_);  // with_chunks() frees what it held
    const std::string whole = with_chunks(image, held);
    if (whole.empty()) {
      return fail(message({"webp.metadata", "the metadata does not fit into the file"}));
    }
    return iowrite(whole.data(), whole.size());
  }

  Metadata metadata_;
  std::function<bool()> cancelled_;
  std::shared_ptr<WebpFrames> frames_;  // null for a file of its own
  WebPPicture picture_{};
  WebPMemoryWriter coded_{};
  std::vector<unsigned char> scratch_;
};

}  // namespace

std::unique_ptr<OIIO::ImageOutput> make_webp_output(Metadata metadata,
                                                    std::function<bool()> cancelled,
                                                    std::shared_ptr<WebpFrames> frames) {
  return std::make_unique<WebpOutput>(std::move(metadata), std::move(cancelled), std::move(frames));
}

}  // namespace sfumato::files
