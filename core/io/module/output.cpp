// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Writes pictures in strips, in the background, together with what is copied from the input.
#include "io/module/output.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <future>
#include <stdexcept>

#include "image/transfer.hpp"
#include "io/module/checked_file.hpp"
#include "io/module/embedded.hpp"
#include "io/module/radiance.hpp"
#include "io/module/resized_rows.hpp"
#include "io/module/second_layer.hpp"
#include "io/module/targa_area.hpp"
#include "io/module/tiff_page.hpp"
#include "text/system_reason.hpp"

namespace sfumato::files {
namespace {

using OIIO::ImageSpec;
using OIIO::TypeDesc;

constexpr std::int64_t png_header_end = 33;  // signature and IHDR

std::optional<Origin> origin_of(const WriteRequest& request) {
  if (request.origin == nullptr) return std::nullopt;
  if (request.origin->origin() == nullptr) {
    throw std::logic_error("a picture laid on another is no origin of a file");
  }
  return std::make_optional<Origin>(*request.origin);
}

[[noreturn]] void fail_without_encoder(const WriteRequest& request) {
  const char* package =
      request.info->id == "avif" ? "libheif-plugin-aomenc" : "libheif-plugin-x265";
  throw FileError(message({"file.no_encoder",
                           "{file}: the installed libheif has no encoder for {format}; install the "
                           "package {package}, or choose another format"},
                          shown(request.shown), request.info->name, package));
}

// OpenImageIO's writer, or our own where its files are lacking.
std::unique_ptr<OIIO::ImageOutput> make_output(const WriteRequest& request,
                                               const Metadata& metadata,
                                               std::shared_ptr<WebpFrames> frames) {
  const std::string& kind = request.info->id;
  const std::function<bool()>& cancelled = request.options.cancelled;
  if (kind == "pfm" || kind == "pnm") return make_netpbm_output(kind == "pfm");
  if (kind == "webp") return make_webp_output(metadata, cancelled, std::move(frames));
  if (kind == "bmp") return make_bmp_output();
  if (kind == "jpeg2000" || kind == "j2k") {
    return make_jpeg2000_output(kind == "j2k", metadata, cancelled);
  }
  if (kind == "heif" || kind == "avif") {
    if (!can_encode_heif(kind == "avif")) fail_without_encoder(request);
    return make_heif_output(kind == "avif", metadata, cancelled);
  }
  auto out = OIIO::ImageOutput::create(kind);
  if (out) return out;
  OIIO::geterror();
  throw FileError(message({"file.format_not_written",
                           "{file}: the installed OpenImageIO cannot write {format}; choose "
                           "another format"},
                          shown(request.shown), request.info->name));
}

class Writer final : public FileWriter {
 public:
  Writer(const WriteRequest& request, std::shared_ptr<WebpFrames> frames)
      : shown_(shown(request.shown)),
        name_(request.temporary.string()),
        kind_(request.info->id),
        origin_(origin_of(request)),
        plan_(plan_file(request, origin_ ? &*origin_ : nullptr)),
        descriptor_(request.descriptor),
        dither_(request.options.dither),
        resizing_(request.options.resizing.value_or(Resizing()).filter),
        keep_metadata_(request.options.keep_metadata),
        layer_(request.options.layer),
        cancelled_(request.options.cancelled),
        file_(request.descriptor) {
    out_ = make_output(request, plan_.metadata, std::move(frames));
    if (kind_ == "png") {
      file_.insert_at(png_header_end, plan_.chunks);
      // OpenImageIO states a place on a page in every file.
      file_.leave_out(png_chunk(std::string("oFFs") + std::string(9, '\0')));
      file_.leave_out(color_space_chunk(plan_.spec));
    }
    if (kind_ == "hdr") file_.insert_at(radiance_lines_at, plan_.chunks);
    if (kind_ == "openexr") settle_exr_head();
    if (kind_ == "jpeg") take_profile();
    // Through a proxy, OpenImageIO 2.4 loses the directory of a TIFF file with EXIF, and the first
    // pages of a file with several.
    if (kind_ != "tiff" && !out_->set_ioproxy(&file_)) fail();
    open();
  }

  ~Writer() override {
    if (pending_.valid()) pending_.wait();
  }

  const PictureFormat& format() const override { return plan_.format; }
  const std::vector<Message>& warnings() const override { return plan_.warnings; }

  void write(const HostView& pixels) override {
    const PictureFormat& f = plan_.format;
    if (pixels.region.y0 != next_ || pixels.region.x0 != 0 || pixels.region.x1 != f.width ||
        pixels.region.y1 > f.height) {
      throw std::logic_error("a picture file takes whole rows from top to bottom");
    }
    wait();
    const std::size_t row = static_cast<std::size_t>(f.width) * f.pixel_bytes();
    const int rows = pixels.region.height();
    band_.resize(row * static_cast<std::size_t>(rows));
    for (int y = 0; y < rows; ++y) {
      std::memcpy(band_.data() + static_cast<std::size_t>(y) * row,
                  pixels.row(pixels.region.y0 + y), row);
    }
    const int y0 = next_;
    next_ += rows;
    pending_ = std::async(std::launch::async, [this, y0, rows] { encode(y0, y0 + rows); });
  }

  void finish() override {
    wait();
    band_ = {};
    if (laid_over_) plan_.warnings.push_back(plan_.laid_over);
    if (next_ != plan_.format.height) {
      throw std::logic_error("a picture file was finished before its last row");
    }
    for (std::size_t i = static_cast<std::size_t>(plan_.part) + 1; i < plan_.parts.size(); ++i) {
      next_part(plan_.parts[i]);
      copy_part(plan_.origin_parts[i], plan_.parts[i]);
    }
    if (layer_ && kind_ == "tiff" && !append_page(*out_, name_, plan_.spec, *layer_)) fail();
    const bool closed = out_->close();
    file_.close();
    if (!closed || file_.error() != 0) fail();
    const Metadata& metadata = plan_.metadata;
    // OpenImageIO's own EXIF is not what the plan says.
    if (kind_ == "jpeg" && (origin_ || !profile_.empty()) &&
        !put_into_jpeg(descriptor_, name_, metadata, profile_, plan_.chunks)) {
      fail_whole();
    }
    if (kind_ == "targa" && !put_targa_area(descriptor_, name_, plan_.chunks)) fail_whole();
    if (kind_ == "hdr" && !turn_radiance(descriptor_, name_, plan_.spec)) fail_whole();
    if (plan_.parts.size() > 1 && !settle_exr_parts(descriptor_, name_, attributes_of_parts())) {
      fail_whole();
    }
    if (kind_ == "tiff") {
      if (!put_into_tiff(descriptor_, name_, metadata)) fail_whole();
      if (!settle_tiff_directories(descriptor_, name_, metadata.exif.image)) fail_whole();
      // TIFF files are not written through CheckedFile.
      if (!tiff_is_whole(name_)) fail_whole();
      if (plan_.copy_pages) copy_pages();
    }
  }

 private:
  void wait() {
    if (pending_.valid()) pending_.get();
  }

  // States why the file cannot be written: the disk's reason if there is one, else the encoder's.
  [[noreturn]] void fail() {
    file_.flush();
    const MessageValue why = complaint_of(*out_);
    if (file_.error() != 0) {
      throw FileError(message({"file.no_space",
                               "{file}: the file cannot be written ({reason}); free some space or "
                               "choose another folder"},
                              shown_, system_reason(file_.error())));
    }
    if (kind_ == "tiff") {
      throw FileError(message({"file.tiff_not_written",
                               "{file}: the {format} file cannot be written ({reason}); free some "
                               "space or choose another folder"},
                              shown_, kind_, why));
    }
    throw FileError(message({"file.format_fails",
                             "{file}: the {format} file cannot be written ({reason}); choose "
                             "another format"},
                            shown_, kind_, why));
  }

  void settle_exr_head() {
    file_.leave_out(exr_attribute_without_date());
    if (!origin_ || origin_->kind() != FileKind::openexr) return;
    const bool views = plan_.spec.nchannels > plan_.format.channels;
    file_.put_before(std::string("channels\0chlist\0", 16),
                     (views ? exr_attribute_of_views(origin_->spec()) : "") +
                         (keep_metadata_ ? exr_attributes_in(origin_->spec()) : ""));
  }

  // Of the parts of an OpenEXR file.
  std::vector<std::string> attributes_of_parts() const {
    std::vector<std::string> out;
    for (const int part : plan_.origin_parts) {
      out.push_back(keep_metadata_
                        ? exr_attributes_in(origin_->parts()[static_cast<std::size_t>(part)])
                        : "");
    }
    return out;
  }

  // OpenImageIO 2.4 damages profiles that are longer than a segment.
  void take_profile() {
    const OIIO::ParamValue* held = plan_.spec.find_attribute("ICCProfile");
    if (held == nullptr) return;
    const auto* bytes = static_cast<const unsigned char*>(held->data());
    profile_.assign(bytes, bytes + held->datasize());
    plan_.spec.erase_attribute("ICCProfile");
  }

  void open() {
    if (plan_.parts.size() > 1) {
      if (!out_->open(name_, static_cast<int>(plan_.parts.size()), plan_.parts.data())) fail();
      for (int i = 0; i < plan_.part; ++i) {
        const auto at = static_cast<std::size_t>(i);
        copy_part(plan_.origin_parts[at], plan_.parts[at]);
        next_part(plan_.parts[at + 1]);
      }
    } else if (!out_->open(name_, plan_.spec)) {
      fail();
    }
  }

  void next_part(const ImageSpec& spec) {
    if (!out_->open(name_, spec, OIIO::ImageOutput::AppendSubimage)) fail();
  }

  void copy_part(int part, const ImageSpec& to) {
    copy_rows(part, origin_->parts()[static_cast<std::size_t>(part)], to);
  }

  void copy_rows(int part, const ImageSpec& from, const ImageSpec& to) {
    const std::size_t row =
        static_cast<std::size_t>(std::max(from.scanline_bytes(true), to.scanline_bytes(true)));
    const int strip = strip_rows(from, row);
    OriginRows rows(*origin_, part, {to.width, to.height}, resizing_, {});
    for (int y = 0; y < to.height; y += strip) {
      stop_if_cancelled();
      const int end = std::min(to.height, y + strip);
      if (!out_->write_scanlines(to.y + y, to.y + end, to.z, TypeDesc::UNKNOWN,
                                 rows.read(y, end))) {
        fail();
      }
    }
  }

  void stop_if_cancelled() const {
    if (cancelled_ && cancelled_()) throw Cancelled();
  }

  void copy_pages() {
    TiffTail tail(descriptor_, name_);
    for (int page = 1;; ++page) {
      const PageCopy copy = origin_->begin_page(page, tail.place(keep_metadata_));
      if (copy == PageCopy::none) return;
      if (copy == PageCopy::copied) copy_page(tail);
    }
  }

  void copy_page(TiffTail& tail) {
    PagePiece piece;
    do {
      piece = origin_->next_of_page();
      if (!tail.append(piece)) fail_whole();
    } while (piece.directory == 0);
  }

  [[noreturn]] void fail_whole() {
    throw FileError(message({"file.not_whole",
                             "{file}: the file cannot be written whole; free some space or choose "
                             "another folder"},
                            shown_));
  }

  static int strip_rows(const ImageSpec& spec, std::size_t row) {
    const int unit = spec.tile_width > 0 ? std::max(1, spec.tile_height) : 32;
    const std::size_t requested = (std::size_t{4} << 20) / std::max<std::size_t>(1, row);
    return std::max(1, static_cast<int>(requested) / unit) * unit;
  }

  void encode(int y0, int y1) {
    const ImageSpec& s = plan_.spec;
    bool ok = false;
    if (plan_.to_srgb) {
      store_srgb(y0, y1);
    } else if (plan_.hdr != HdrCurve::none) {
      store_hdr(y0, y1);
    } else if (plan_.ground) {
      lay_over(*plan_.ground, y0, y1);
    }
    if (plan_.merge) {
      // Reads whole rows of the origin's tiles.
      merge(y0, y1);
      ok = out_->write_scanlines(s.y + y0, s.y + y1, s.z, TypeDesc::UNKNOWN, merged_.data());
    } else if (layer_ && kind_ == "openexr") {
      put_beside(band_, *layer_, y0, y1, merged_);
      ok = out_->write_scanlines(s.y + y0, s.y + y1, s.z, TypeDesc::UNKNOWN, merged_.data());
    } else {
      ok = out_->write_scanlines(s.y + y0, s.y + y1, s.z, type_desc(plan_.stored.type),
                                 band_.data());
    }
    if (!ok || file_.error() != 0) fail();
  }

  // Converts the band's colours, which have straight alpha, to sRGB; then lays them over the ground
  // or stores them as the file's samples.
  void store_srgb(int y0, int y1) {
    const PictureFormat& f = plan_.format;
    const int width = f.width;
    const auto row = static_cast<std::size_t>(width) * 4;
    light_.resize(row * static_cast<std::size_t>(y1 - y0));
    const HostView band{
        band_.data(),
        static_cast<std::ptrdiff_t>(width) * static_cast<std::ptrdiff_t>(f.pixel_bytes()),
        {0, y0, width, y1}};
    ParallelRows().run(y0, y1, [&](int y) {
      const auto* from = static_cast<const float*>(band.row(y));
      float* to = light_.data() + static_cast<std::size_t>(y - y0) * row;
      for (int x = 0; x < width; ++x, from += f.channels) spread(from, f.channels, to + 4 * x);
    });
    origin_->convert_colors(light_.data(), light_.size() / 4);
    if (plan_.ground) {
      premultiply();
      lay_over(*plan_.ground, y0, y1);
      return;
    }
    store({light_.data(), {0, y0, width, y1 - y0, width, 0}, 4},
          {Coding::linear(), f.has_alpha() ? AlphaKind::straight : AlphaKind::none}, y0, y1);
  }

  static void spread(const float* from, int channels, float* to) {
    for (int c = 0; c < 3; ++c) to[c] = from[channels < 3 ? 0 : c];
    to[3] = channels % 2 == 0 ? from[channels - 1] : 1.0f;
  }

  // Writes the result of store_srgb() to the band, premultiplied, for lay_over().
  void premultiply() {
    const int colors = plan_.stored.channels;
    auto* to = reinterpret_cast<float*>(band_.data());
    for (std::size_t i = 0; i < light_.size(); i += 4, to += colors + 1) {
      const float* from = light_.data() + i;
      for (int c = 0; c < colors; ++c) to[c] = from[c] * from[3];
      to[colors] = from[3];
    }
  }

  // Filters of opaque pictures round: less than half a step of 16 bits is nothing.
  static bool is_opaque(float cover) { return cover > 1.0f - 0.5f / 65535; }

  // Lays the band, premultiplied linear light, over an even ground and stores the result as the
  // file's samples.
  void lay_over(float ground, int y0, int y1) {
    const PictureFormat& f = plan_.stored;
    const std::size_t pixels =
        static_cast<std::size_t>(y1 - y0) * static_cast<std::size_t>(f.width);
    const int colors = f.channels, all = colors == 1 ? 1 : 4;
    auto* values = reinterpret_cast<float*>(band_.data());
    for (std::size_t i = 0; i < pixels; ++i) {
      const float* from = values + i * static_cast<std::size_t>(colors + 1);
      const float cover = from[colors] > 0.0f ? std::min(from[colors], 1.0f) : 0.0f;  // 0 for NaN
      if (!is_opaque(cover)) laid_over_ = true;
      const float rest = ground * (1.0f - cover);
      float* to = values + i * static_cast<std::size_t>(all);  // never beyond `from`
      for (int c = 0; c < colors; ++c) to[c] = from[c] + rest;
    }
    store({values, {0, y0, f.width, y1 - y0, f.width, 0}, all}, {Coding::linear(), AlphaKind::none},
          y0, y1);
  }

  // Stores linear light in the band, laid over the ground if there is one, on the file's HDR curve.
  void store_hdr(int y0, int y1) {
    const PictureFormat &from = plan_.format, &to = plan_.stored;
    const double most = to.type == SampleType::u8 ? 255 : 65535;
    const auto bytes = static_cast<std::size_t>(sample_bytes(to.type));
    const std::size_t from_row = static_cast<std::size_t>(from.width) * from.pixel_bytes();
    const std::size_t to_row = static_cast<std::size_t>(to.width) * to.pixel_bytes();
    mixed_.resize(to_row * static_cast<std::size_t>(y1 - y0));
    ParallelRows().run(y0, y1, [&](int y) {
      const auto row = static_cast<std::size_t>(y - y0);
      const auto* at = reinterpret_cast<const float*>(band_.data() + row * from_row);
      char* sample = mixed_.data() + row * to_row;
      for (int x = 0; x < to.width; ++x, at += from.channels) {
        for (int c = 0; c < to.channels; ++c, sample += bytes) {
          const double value = hdr_sample(at, c);
          const auto code = static_cast<std::uint16_t>(std::lround(value * most));
          std::memcpy(sample, &code, bytes);
        }
      }
    });
    band_.swap(mixed_);
  }

  double hdr_sample(const float* pixel, int channel) {
    const auto value = static_cast<double>(pixel[channel]);
    if (plan_.stored.has_alpha() && channel == plan_.stored.channels - 1) {
      return value > 0 ? std::min(value, 1.0) : 0;
    }
    double ground = 0;
    if (plan_.ground) {
      const auto cover = static_cast<double>(pixel[plan_.stored.channels]);
      const double rest = cover > 0 ? 1 - std::min(cover, 1.0) : 1;
      if (!is_opaque(static_cast<float>(cover))) laid_over_ = true;
      ground = static_cast<double>(*plan_.ground) * rest;
    }
    return coded(plan_.hdr, value + ground);
  }

  // Stores linear light in the band as the file's samples.
  void store(const FloatView& light, const PixelState& state, int y0, int y1) {
    const PictureFormat& f = plan_.stored;
    const std::size_t row = static_cast<std::size_t>(f.width) * f.pixel_bytes();
    mixed_.resize(row * static_cast<std::size_t>(y1 - y0));
    store_pixels(light, state,
                 {mixed_.data(), static_cast<std::ptrdiff_t>(row), {0, y0, f.width, y1}}, f,
                 nullptr, nullptr, dither_, ParallelRows());
    band_.swap(mixed_);
  }

  // The origin's rows with the chosen channels replaced.
  void merge(int y0, int y1) {
    const ImageSpec& from = origin_->spec();
    const ImageSpec& to = plan_.spec;
    const auto& chosen = origin_->choice().channels;
    const std::size_t pixels =
        static_cast<std::size_t>(y1 - y0) * static_cast<std::size_t>(to.width);
    const std::size_t from_pixel = from.pixel_bytes(true), to_pixel = to.pixel_bytes(true);
    if (!others_) {
      others_.emplace(*origin_, origin_->choice().part, PictureSize{to.width, to.height}, resizing_,
                      chosen);
    }
    const char* old = others_->read(y0, y1);
    merged_.resize(pixels * to_pixel);
    std::size_t from_at = 0, to_at = 0;
    for (int c = 0; c < to.nchannels; ++c) {
      const std::size_t bytes = to.channelformat(c).size();
      const auto found = std::find(chosen.begin(), chosen.end(), c);
      if (found != chosen.end()) {
        const std::size_t place = static_cast<std::size_t>(found - chosen.begin()) * bytes;
        scatter(band_.data() + place, plan_.stored.pixel_bytes(), to_at, to_pixel, bytes, pixels);
      } else {
        scatter(old + from_at, from_pixel, to_at, to_pixel, bytes, pixels);
      }
      from_at += from.channelformat(c).size();
      to_at += bytes;
    }
  }

  void scatter(const char* from, std::size_t from_step, std::size_t at, std::size_t step,
               std::size_t bytes, std::size_t count) {
    char* to = merged_.data() + at;
    for (std::size_t i = 0; i < count; ++i) {
      std::memcpy(to + i * step, from + i * from_step, bytes);
    }
  }

  std::string shown_, name_, kind_;
  std::optional<Origin> origin_;
  WritePlan plan_;
  int descriptor_;
  bool dither_;
  std::atomic<bool> laid_over_ = false;  // rows are stored on several threads
  ResizeFilter resizing_;
  bool keep_metadata_;
  std::shared_ptr<const FileLayer> layer_;  // null: none
  std::function<bool()> cancelled_;
  CheckedFile file_;
  std::unique_ptr<OIIO::ImageOutput> out_;
  int next_ = 0;  // first row not written yet
  std::vector<char> band_, mixed_, merged_;
  std::optional<OriginRows> others_;  // with the channels that were not read
  std::vector<float> light_;
  std::vector<unsigned char> profile_;  // of a JPEG file
  std::future<void> pending_;           // the last band, being encoded
};

}  // namespace

std::unique_ptr<FileWriter> make_writer(const WriteRequest& request,
                                        std::shared_ptr<WebpFrames> frames) {
  return std::make_unique<Writer>(request, std::move(frames));
}

}  // namespace sfumato::files
