// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// WebP pictures read by libwebp: OpenImageIO 2.4 always multiplies colour by alpha, and reads
// neither EXIF nor XMP. Frames of animations are the parts of a file, each as it is shown.
#include <OpenImageIO/tiffutils.h>
#include <webp/decode.h>
#include <webp/demux.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <string_view>

#include "io/file_origin.hpp"
#include "io/module/animation.hpp"
#include "io/module/embedded.hpp"
#include "io/module/parts.hpp"

namespace sfumato::files {
namespace {

using OIIO::ImageSpec;
using OIIO::TypeDesc;
using namespace std::string_view_literals;

struct Deleter {
  void operator()(WebPDemuxer* demuxer) const { WebPDemuxDelete(demuxer); }
  void operator()(WebPAnimDecoder* decoder) const { WebPAnimDecoderDelete(decoder); }
};

// A frame of a file, from 1; it points into the file's bytes.
class StoredFrame {
 public:
  explicit StoredFrame(const WebPDemuxer* demuxer, int number = 1)
      : found_(WebPDemuxGetFrame(demuxer, number, &at_) != 0) {}
  ~StoredFrame() { WebPDemuxReleaseIterator(&at_); }
  StoredFrame(const StoredFrame&) = delete;
  StoredFrame& operator=(const StoredFrame&) = delete;
  explicit operator bool() const { return found_; }
  const WebPIterator* operator->() const { return &at_; }

 private:
  WebPIterator at_{};
  bool found_;
};

class WebpInput final : public WithErrorText<OIIO::ImageInput> {
 public:
  const char* format_name() const override { return "webp"; }
  bool close() override {
    pixels_ = {};
    animation_.reset();
    demuxer_.reset();
    shown_frames_.clear();
    stored_frames_.clear();
    bytes_ = {};
    return true;
  }

  bool open(const std::string& name, ImageSpec& spec) override {
    std::ifstream in(name, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    if (in.bad()) return fail(message({"webp.not_read", "the file cannot be read"}));
    const WebPData data{reinterpret_cast<const std::uint8_t*>(bytes_.data()), bytes_.size()};
    WebPDemuxState state = WEBP_DEMUX_PARSE_ERROR;
    demuxer_.reset(WebPDemuxPartial(&data, &state));
    if (state == WEBP_DEMUX_PARSING_HEADER || state == WEBP_DEMUX_PARSED_HEADER) {
      return fail(message({"webp.ends_early", "the file ends early"}));
    }
    if (!demuxer_ || state != WEBP_DEMUX_DONE)
      return fail(message({"webp.container", "the container is damaged"}));
    const StoredFrame frame(demuxer_.get());
    WebPBitstreamFeatures features{};
    if (!frame ||
        WebPGetFeatures(frame->fragment.bytes, frame->fragment.size, &features) != VP8_STATUS_OK) {
      return fail(message({"decoder.no_picture", "there is no picture in it"}));
    }
    const auto width = static_cast<int>(WebPDemuxGetI(demuxer_.get(), WEBP_FF_CANVAS_WIDTH));
    const auto height = static_cast<int>(WebPDemuxGetI(demuxer_.get(), WEBP_FF_CANVAS_HEIGHT));
    frame_ = {frame->x_offset, frame->y_offset, frame->x_offset + frame->width,
              frame->y_offset + frame->height};
    // What the first frame of an animation does not cover is transparent.
    const bool covered = frame_ == Rect{0, 0, width, height};
    frames_ = frame->num_frames;
    if (frames_ > 1) find_frames();
    const bool alpha =
        frames_ > 1 ? !shows_no_hole(width, height) : frame->has_alpha != 0 || !covered;
    m_spec = ImageSpec(width, height, alpha ? 4 : 3, TypeDesc::UINT8);
    if (m_spec.nchannels == 4) m_spec.attribute("oiio:UnassociatedAlpha", 1);
    m_spec.attribute("oiio:ColorSpace", "sRGB");
    m_spec.attribute("compression", features.format == 2 ? "lossless" : "webp");
    m_spec.attribute("sfumato:frames", frames_);
    m_spec.attribute("sfumato:loops",
                     static_cast<int>(WebPDemuxGetI(demuxer_.get(), WEBP_FF_LOOP_COUNT)));
    say_frames();
    read_metadata();
    spec = m_spec;
    return true;
  }

  int current_subimage() const override { return number_; }
  bool seek_subimage(int subimage, int miplevel) override {
    if (miplevel != 0 || subimage < 0 || subimage >= std::max(1, frames_)) return false;
    number_ = subimage;
    return true;
  }

  bool read_native_scanline(int subimage, int miplevel, int y, int, void* data) override {
    if (!seek_subimage(subimage, miplevel)) return false;
    auto* to = static_cast<std::uint8_t*>(data);
    if (number_ > 0) return read_shown(y, to);
    if (pixels_.empty() && !decode()) return false;
    const auto row = static_cast<std::size_t>(m_spec.scanline_bytes());
    if (frame_.width() < m_spec.width || y < frame_.y0 || y >= frame_.y1) std::memset(to, 0, row);
    if (y < frame_.y0 || y >= frame_.y1) return true;
    const auto channels = static_cast<std::size_t>(m_spec.nchannels);
    const std::size_t held = static_cast<std::size_t>(frame_.width()) * channels;
    std::memcpy(to + static_cast<std::size_t>(frame_.x0) * channels,
                pixels_.data() + static_cast<std::size_t>(y - frame_.y0) * held, held);
    return true;
  }

 private:
  // As they stand in the file: the demuxer goes through all frames before the one that is asked
  // for.
  void find_frames() {
    constexpr std::size_t head = 16, flags_at = 15;
    visit_chunks([&](std::string_view name, std::string_view body) {
      if (name != "ANMF" || body.size() < head) return;
      const auto number = [&](std::size_t at) {
        int value = 0;
        for (std::size_t i = 3; i-- > 0;) {
          value = value << 8 | static_cast<unsigned char>(body[at + i]);
        }
        return value;
      };
      const auto flags = static_cast<unsigned char>(body[flags_at]);
      Frame& frame = shown_frames_.emplace_back();
      frame.area = {2 * number(0), 2 * number(3), 2 * number(0) + number(6) + 1,
                    2 * number(3) + number(9) + 1};
      frame.microseconds = std::int64_t{1000} * number(12);
      if ((flags & 1) != 0) frame.dispose = Dispose::background;
      if ((flags & 2) == 0) frame.blend = Blend::over;
      stored_frames_.push_back(body.substr(head));
    });
  }

  bool shows_no_hole(int width, int height) const {
    const Rect canvas{0, 0, width, height};
    const bool sound = std::all_of(shown_frames_.begin(), shown_frames_.end(), [&](const Frame& f) {
      return f.area.x1 <= canvas.x1 && f.area.y1 <= canvas.y1;
    });
    return sound && shown_frames_.size() == static_cast<std::size_t>(frames_) &&
           frames_are_opaque(width, height, shown_frames_,
                             [this](std::size_t number) { return opacity_of(number); });
  }

  std::optional<FrameOpacity> opacity_of(std::size_t number) const {
    const std::string_view stored = stored_frames_[number];
    const Rect& area = shown_frames_[number].area;
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(stored.data());
    WebPBitstreamFeatures features{};
    FrameOpacity opaque;
    if (WebPGetFeatures(bytes, stored.size(), &features) != VP8_STATUS_OK ||
        features.width != area.width() || features.height != area.height()) {
      return std::nullopt;
    }
    if (features.has_alpha == 0) return opaque;
    int width = 0, height = 0;
    const std::unique_ptr<std::uint8_t, decltype(&WebPFree)> pixels(
        WebPDecodeRGBA(bytes, stored.size(), &width, &height), &WebPFree);
    if (!pixels) return std::nullopt;
    const std::size_t count = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    for (std::size_t i = 0; i < count; ++i) opaque.push_back(pixels.get()[4 * i + 3] == 255);
    return opaque;
  }

  // libwebp decodes a picture as a whole; it has at most 16383 pixels a side.
  bool decode() {
    const StoredFrame frame(demuxer_.get());
    const bool alpha = m_spec.nchannels == 4;
    const int stride = frame_.width() * m_spec.nchannels;
    pixels_.resize(static_cast<std::size_t>(stride) * static_cast<std::size_t>(frame_.height()));
    WebPDecoderConfig config;
    if (!frame || WebPInitDecoderConfig(&config) == 0)
      return fail(message({"webp.other_version", "libwebp is of another version"}));
    config.options.use_threads = 1;
    config.output.colorspace = alpha ? MODE_RGBA : MODE_RGB;
    config.output.is_external_memory = 1;
    config.output.u.RGBA = {pixels_.data(), stride, pixels_.size()};
    const auto status = WebPDecode(frame->fragment.bytes, frame->fragment.size, &config);
    if (status == VP8_STATUS_OK) return true;
    pixels_ = {};
    if (status == VP8_STATUS_OUT_OF_MEMORY) {
      return fail(message({"webp.no_memory", "there is not enough memory"}));
    }
    return fail(message({"webp.damaged", "the picture's data is damaged"}));
  }

  void say_frames() {
    if (frames_ < 2) return;
    if (frames_ > most_pages) m_spec.attribute(pages_beyond, 1);
    std::vector<std::int64_t> times;
    const auto count = static_cast<std::size_t>(std::min(frames_, most_pages));
    for (std::size_t i = 0; i < count; ++i) {
      times.push_back(
          shown_microseconds(i < shown_frames_.size() ? shown_frames_[i].microseconds : 0));
    }
    say_times(times, m_spec);
  }

  // A row of a frame after the first, drawn over those before it.
  bool read_shown(int y, std::uint8_t* to) {
    if ((!animation_ || drawn_ > number_) && !start_animation()) return false;
    for (; drawn_ < number_; ++drawn_) {
      int time = 0;
      if (WebPAnimDecoderGetNext(animation_.get(), &shown_, &time) == 0) {
        animation_.reset();
        return fail(message({"webp.damaged", "the picture's data is damaged"}));
      }
    }
    const std::uint8_t* from = shown_ + std::size_t{4} * static_cast<std::size_t>(m_spec.width) *
                                            static_cast<std::size_t>(y);
    const auto channels = static_cast<std::size_t>(m_spec.nchannels);
    for (int x = 0; x < m_spec.width; ++x, from += 4, to += channels) {
      std::memcpy(to, from, channels);
    }
    return true;
  }

  bool start_animation() {
    WebPAnimDecoderOptions options;
    if (WebPAnimDecoderOptionsInit(&options) == 0) {
      return fail(message({"webp.other_version", "libwebp is of another version"}));
    }
    options.color_mode = MODE_RGBA;
    pixels_ = {};
    const WebPData data{reinterpret_cast<const std::uint8_t*>(bytes_.data()), bytes_.size()};
    animation_.reset(WebPAnimDecoderNew(&data, &options));
    drawn_ = -1;
    return animation_ || fail(message({"webp.no_memory", "there is not enough memory"}));
  }

  // The first one of a name, whether the file's flags announce it or not, which libwebp asks for.
  std::string chunk(std::string_view name) const {
    std::string out;
    visit_chunks([&](std::string_view found, std::string_view body) {
      if (out.empty() && found == name) out = body;
    });
    return out;
  }

  template <class Visit>
  void visit_chunks(const Visit& visit) const {
    constexpr std::size_t file_head = 12, head = 8;
    const std::string_view all = bytes_;
    for (std::size_t at = file_head; at < all.size() && all.size() - at >= head;) {
      std::size_t size = 0;
      for (std::size_t i = 0; i < 4; ++i) {
        size |= std::size_t{static_cast<unsigned char>(all[at + 4 + i])} << 8 * i;
      }
      if (size > all.size() - at - head) return;
      visit(all.substr(at, 4), all.substr(at + head, size));
      at += head + size + (size & 1);
    }
  }

  // Chunks that nothing is read of.
  void note_others() {
    constexpr std::array taken = {"VP8X"sv, "VP8 "sv, "VP8L"sv, "ALPH"sv, "ANIM"sv,
                                  "ANMF"sv, "ICCP"sv, "EXIF"sv, "XMP "sv};
    std::string others;
    visit_chunks([&](std::string_view name, std::string_view) {
      const bool letters =
          std::all_of(name.begin(), name.end(), [](char c) { return c >= ' ' && c <= '~'; });
      if (!letters || std::find(taken.begin(), taken.end(), name) != taken.end()) return;
      if (others.size() < 1000 && others.find(name) == std::string::npos) {
        others.append(others.empty() ? "" : ", ").append(name);
      }
    });
    if (!others.empty()) m_spec.attribute(other_data, others);
  }

  void read_metadata() {
    note_others();
    const std::string profile = chunk("ICCP");
    if (!profile.empty()) {
      m_spec.attribute("ICCProfile", TypeDesc(TypeDesc::UINT8, static_cast<int>(profile.size())),
                       profile.data());
    }
    const std::string exif = chunk("EXIF");
    if (!exif.empty()) {
      OIIO::decode_exif(exif, m_spec);
      m_spec.attribute("sfumato:exif", TypeDesc(TypeDesc::UINT8, static_cast<int>(exif.size())),
                       exif.data());
    }
    const std::string xmp = chunk("XMP ");
    if (xmp.empty()) return;
    decode_xmp_of_file(xmp, m_spec);
    m_spec.attribute("sfumato:xmp", xmp);
  }

  std::string bytes_;  // of the file
  std::unique_ptr<WebPDemuxer, Deleter> demuxer_;
  std::vector<Frame> shown_frames_;              // of an animation
  std::vector<std::string_view> stored_frames_;  // their data in the file
  Rect frame_;                                   // where the frame is on the canvas
  std::vector<std::uint8_t> pixels_;
  int frames_ = 1, number_ = 0;
  std::unique_ptr<WebPAnimDecoder, Deleter> animation_;
  std::uint8_t* shown_ = nullptr;  // its canvas, R, G, B and A
  int drawn_ = -1;                 // the frame on it
};

}  // namespace

std::unique_ptr<OIIO::ImageInput> make_webp_input() {
  return std::make_unique<WebpInput>();
}

}  // namespace sfumato::files
