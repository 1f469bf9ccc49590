// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Reads pictures in strips, in the file's sample type if the engine has it.
#include "io/module/input.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>

#include "io/jpeg_head.hpp"
#include "io/module/animation.hpp"
#include "io/module/embedded.hpp"
#include "params/suggest.hpp"

namespace sfumato::files {
namespace {

using OIIO::ImageSpec;
using OIIO::TypeDesc;
using namespace std::string_view_literals;

// The smallest type of the engine that holds the file's numbers.
SampleType sample_type(const ImageSpec& spec, const Choice& choice) {
  SampleType widest = SampleType::u8;
  for (const int c : choice.channels) {
    const TypeDesc t = spec.channelformat(c);
    const SampleType one = t == TypeDesc::UINT8    ? SampleType::u8
                           : t == TypeDesc::UINT16 ? SampleType::u16
                           : t == TypeDesc::HALF   ? SampleType::f16
                                                   : SampleType::f32;
    if (one == widest) continue;
    // Float holds both, if there are halves and integers.
    const bool mixed = choice.channels.front() != c && is_integer(one) != is_integer(widest);
    widest = mixed ? SampleType::f32 : std::max(widest, one);
  }
  return widest;
}

// For files without a profile. Signed integers are data, floats are linear light, and integers in
// OpenEXR are identifiers.
Coding coding_of_file(const ImageSpec& spec, const std::string& kind, TypeDesc type) {
  if (type.is_signed() || kind == "openexr") return Coding::linear();
  const std::string space(spec.get_string_attribute("oiio:ColorSpace"));
  if (OIIO::Strutil::iequals(space, "linear")) return Coding::linear();
  if ((kind == "png" || kind == "targa") && OIIO::Strutil::istarts_with(space, "Gamma")) {
    float gamma = spec.get_float_attribute("oiio:Gamma", 0.0f);
    if (gamma <= 0) std::from_chars(space.data() + 5, space.data() + space.size(), gamma);
    // The PNG specification asks for 1/2.2 in sRGB files too, for old readers.
    if (gamma > 0.1f && gamma < 10.0f && std::abs(gamma - 2.2f) > 0.02f) {
      return Coding::power(gamma);
    }
  }
  return Coding::srgb();
}

// The picture's colours, if they are neither RGB nor gray: OpenImageIO returns some as they are
// stored, and loses most of others.
std::optional<Message> other_colors(const std::string& kind, const ImageSpec& spec) {
  for (const std::string_view name :
       {"tiff:ColorSpace"sv, "jpeg:ColorSpace"sv, "psd:ColorMode"sv}) {
    if (!name.starts_with(kind + ":")) continue;
    const std::string space(spec.get_string_attribute(std::string(name)));
    for (const char* ink : {"CMYK", "YCCK", "YCbCrK"}) {
      if (OIIO::Strutil::iequals(space, ink)) return other_colors_of_tiff(5);
    }
  }
  if (kind == "tiff" || kind == "psd") {
    return other_colors_of_tiff(spec.get_int_attribute("tiff:PhotometricInterpretation"));
  }
  constexpr int cmyk = 12, ycck = 13, lab = 14;  // JPEG 2000's numbers
  const int space = spec.get_int_attribute("sfumato:jp2_space");
  if (space == cmyk || space == ycck) return other_colors_of_tiff(5);
  return space == lab ? other_colors_of_tiff(8) : std::nullopt;
}

void check_sequence(const PictureInfo& info) {
  if (frames_of_heif(info.path) <= 1) return;
  throw FileError(message({"file.sequence",
                           "{file}: of an image sequence in a HEIF or AVIF file only the first "
                           "frame can be read; convert it to PNG or to a movie first"},
                          shown(info.path)));
}

void check_page(const PictureInfo& info, int page) {
  if (page <= info.pages) return;
  throw FileError(message({"file.no_page",
                           "{file}: there is no page or frame {page}; the file's last one has the "
                           "number {last}"},
                          shown(info.path), page, info.pages));
}

}  // namespace

FilePicture::FilePicture(const std::filesystem::path& path, const ReadOptions& options) {
  info_.path = path;
  info_.file_format = recognise(path);
  if (info_.file_format != "openexr") page_ = options.page;
  in_ = reopen();
  // All scans of a progressive file are decoded by now.
  if (info_.file_format == "jpeg" && in_->has_error()) trouble_ = in_->geterror();
  // Those of icons are numbered, however few of them can be read.
  if (options.page > 0 || info_.file_format == "ico")
    info_.pages = std::min(count_pages(), most_pages);
  if (options.page > 0) {
    if (info_.file_format == "heif" && options.page > info_.pages) check_sequence(info_);
    if (info_.file_format == "psd" && options.page > info_.pages) check_layers(info_.path, *in_);
    check_page(info_, options.page);
  }
  if (page_ > 0) {
    find_page();
  } else {
    find_parts();
  }
  if (info_.file_format == "jpeg") begin_ = opened_jpeg(info_.path, page_).begin();
  for (ImageSpec& s : parts_) {
    check_place(info_.path, s);
    complete(s);
  }
  if (info_.file_format == "openexr") read_exr_attributes(info_.path, parts_);
  choice_ = choose_channels(info_.path, info_.file_format, parts_, options);
  name_layers(parts_, info_);
  check(options);
  find_format(options);
  find_windows();
  info_.working_bytes = find_working_bytes();
  info_.chunk_bytes =
      format_.row_bytes() * static_cast<std::size_t>(std::min(chunk_rows(), format_.height));
  begin_rows();
}

void FilePicture::begin_rows() {
  window_ = std::make_unique<RowWindow>(
      format_,
      [this](int y0, int y1, void* to, std::ptrdiff_t row_stride) {
        copy_packed_rows(decode(y0, y1), format_.row_bytes(), y1 - y0, to, row_stride);
      },
      chunk_rows());
}

void FilePicture::turn_to(int frame) {
  if (frame < 1 || static_cast<std::size_t>(frame) > info_.frame_times.size()) {
    throw std::logic_error("there is no such frame");
  }
  begin_rows();  // ends reading ahead
  if (ahead_.valid()) std::exchange(ahead_, {}).wait();
  page_ = frame;
  if (!in_->seek_subimage(page_ - 1, 0)) throw_page_fault(page_, *in_);
  begin_rows();
}

void FilePicture::find_windows() {
  info_.data_window = info_.display_window = format_.rect();
  if (info_.file_format != "openexr") return;
  const ImageSpec& s = spec();
  info_.data_window = {s.x, s.y, s.x + s.width, s.y + s.height};
  info_.display_window = {s.full_x, s.full_y, s.full_x + s.full_width, s.full_y + s.full_height};
}

// Without what only looks like a word of ours.
ImageSpec FilePicture::described(const ImageSpec& said) const {
  ImageSpec out = without_missing_channels(said);
  if (dynamic_cast<const ErrorText*>(in_.get()) == nullptr) remove_own_names(out);
  return out;
}

void FilePicture::find_parts() {
  parts_.push_back(described(in_->spec(0)));
  if (info_.file_format == "openexr") {
    for (int i = 1; in_->seek_subimage(i, 0); ++i) parts_.push_back(described(in_->spec(i)));
  } else if (info_.file_format == "tiff") {
    more_pages_ = count_pages() > 1 && has_more_tiff_pages(info_.path);
  } else if (info_.file_format == "fits") {
    more_pages_ = in_->seek_subimage(1, 0);
  } else if (info_.file_format == "psd" || info_.file_format == "ico") {
    // Not all of these readers can return to the first picture: a second one looks ahead.
    more_pages_ = reopen()->seek_subimage(1, 0);
  }
  in_->seek_subimage(0, 0);
  in_->geterror();  // the end of the parts is no error
}

void FilePicture::throw_page_fault(int page, OIIO::ImageInput& in) const {
  throw FileError(message({"file.page_not_read",
                           "{file}: page or frame {page} cannot be read ({reason}); the file is "
                           "damaged, make it again"},
                          shown(info_.path), page, complaint_of(in)));
}

void FilePicture::find_page() {
  if (!in_->seek_subimage(page_ - 1, 0)) throw_page_fault(page_, *in_);
  parts_.push_back(described(in_->spec()));
  if (info_.pages < 2) return;
  info_.frame_times = said_times(in_->spec());
  info_.loops = in_->spec().get_int_attribute("sfumato:loops");
}

int FilePicture::count_pages() const {
  const std::string& kind = info_.file_format;
  if (kind == "png") return frames_of_png(info_.path);
  if (kind == "gif" || kind == "webp") return in_->spec().get_int_attribute("sfumato:frames", 1);
  if (kind == "jpeg") return static_cast<int>(pictures_in_jpeg(info_.path).begins.size());
  if (kind == "tiff" || kind == "ico") {
    return in_->spec().get_int_attribute("sfumato:pages", 1);
  }
  if (kind == "heif" || kind == "netpbm") {
    return in_->spec().get_int_attribute("sfumato:pictures", 1);
  }
  int count = 1;
  if (kind == "psd" || kind == "fits") {
    const std::unique_ptr<OIIO::ImageInput> in = reopen();
    while (count < most_pages && in->seek_subimage(count, 0)) ++count;
    in->geterror();  // the end of the pages is no error
  }
  return count;
}

void FilePicture::check(const ReadOptions& options) const {
  const ImageSpec& s = spec();
  const auto pixels = static_cast<std::uint64_t>(std::max(0, s.width)) *
                      static_cast<std::uint64_t>(std::max(0, s.height));
  if (s.width == 0 || s.height == 0) {
    const Message side =
        s.width == 0 ? message({"file.width", "width"}) : message({"file.height", "height"});
    throw FileError(message({"file.no_extent",
                             "{file}: the {side} of the picture is 0; the file is damaged, make it "
                             "again"},
                            shown(info_.path), side));
  }
  if (pixels == 0 || s.depth > 1) {
    throw FileError(
        message({"file.not_flat", "{file}: there is no flat picture in the file; export it again"},
                shown(info_.path)));
  }
  if (pixels > options.max_pixels) {
    throw FileError(message({"file.too_many_pixels",
                             "{file}: the file claims {width}x{height} pixels, more than the limit "
                             "of {limit}; if it really is that large, raise the limit "
                             "(--max-pixels)"},
                            shown(info_.path), s.width, s.height, options.max_pixels));
  }
  check_density(options);
  check_whole();
  if (!holds_claim(info_.path, info_.file_format, s)) {
    throw FileError(message({"file.too_small",
                             "{file}: the file is damaged or cut short: it is too small for the "
                             "{width}x{height} pixels that it claims; make it again"},
                            shown(info_.path), s.width, s.height));
  }
  check_colors(info_.path, other_colors(info_.file_format, s));
  // OpenImageIO 2.4 exchanges their bytes.
  constexpr int odd_bits = 24;
  if (info_.file_format == "tiff" && s.get_int_attribute("oiio:BitsPerSample") == odd_bits) {
    throw_kind(info_.path, info_.file_format,
               message({"file.bits_of_sample", "its samples have {bits} bits"}, odd_bits));
  }
  check_photometric(info_.path, info_.file_format, s);
}

// A picture may be blank, but one that large seldom is.
void FilePicture::check_density(const ReadOptions& options) const {
  if (options.max_pixels != default_max_pixels) return;
  const ImageSpec& s = spec();
  const std::uint64_t bytes = few_bytes_for(info_.path, info_.file_format, s);
  if (bytes == 0) return;
  const std::uint64_t pixels =
      std::uint64_t{1} * static_cast<unsigned>(s.width) * static_cast<unsigned>(s.height);
  throw FileError(message({"file.few_bytes",
                           "{file}: the file claims {width}x{height} pixels and has {bytes} "
                           "bytes; if it really is that large, say so (--max-pixels {pixels})"},
                          shown(info_.path), s.width, s.height, bytes, pixels));
}

void FilePicture::find_format(const ReadOptions& options) {
  const ImageSpec& s = spec();
  for (const int c : choice_.channels) info_.channel_names.push_back(s.channel_name(c));
  info_.channel_names.resize(choice_.count());
  info_.orientation = std::clamp(s.get_int_attribute("Orientation", 1), 1, 8);
  find_profile();
  format_.width = s.width;
  format_.height = s.height;
  format_.channels = static_cast<int>(choice_.count());
  format_.type = sample_type(s, choice_);
  if (choice_.alpha >= 0) {
    // OpenImageIO was asked for alpha as it is stored, and reports straight alpha, except in some
    // formats that have no other kind.
    constexpr std::array silent = {"png"sv, "bmp"sv, "gif"sv, "dds"sv,
                                   "sgi"sv, "ico"sv, "dpx"sv, "psd"sv};
    const std::string& kind = info_.file_format;
    const bool straight = std::find(silent.begin(), silent.end(), kind) != silent.end() ||
                          (kind == "targa" && !is_premultiplied_targa(info_.path)) ||
                          s.get_int_attribute("oiio:UnassociatedAlpha") != 0;
    format_.alpha = straight ? AlphaKind::straight : AlphaKind::premultiplied;
  }
  const bool data = options.role == "normal" || options.role == "depth";
  warn_of_contents(data || !options.channels.empty());
  format_.coding = coding_of_file(s, info_.file_format, s.channelformat(choice_.channels.front()));
  find_other_numbers();
  find_colors(data);
  find_coding(data);
}

// Colours that the file declares by numbers become a profile. Those of cICP count before one.
void FilePicture::find_colors(bool data) {
  if (data) return;
  const DeclaredColors said =
      declared_colors(info_.file_format, info_.path, spec(), info_.icc_profile, page_);
  if (said.doubt) warn(*said.doubt);
  if (said.narrow && is_integer(format_.type)) read_narrow();
  if (!said.primaries) return;
  numbers_.declared = true;
  if (said.cicp) numbers_.cicp = *said.cicp;
  if (said.hdr != HdrCurve::none && is_integer(format_.type)) return read_hdr(said);
  if (format_.color_channels() < 3) {
    if (said.cicp || said.curve_is_stated) format_.coding = said.coding;
    return;
  }
  info_.icc_profile = profile_of(*said.primaries, said.coding);
}

// Nothing is lost between black and white: the full range has more codes.
void FilePicture::read_narrow() {
  const double codes = format_.type == SampleType::u8 ? 256 : 65536;
  const double black = codes / 256 * 16, white = codes / 256 * 235;
  full_range_.resize(static_cast<std::size_t>(codes));
  for (std::size_t i = 0; i < full_range_.size(); ++i) {
    const double value = (static_cast<double>(i) - black) / (white - black);
    full_range_[i] =
        static_cast<std::uint16_t>(std::lround(std::clamp(value, 0.0, 1.0) * (codes - 1)));
  }
  warn(message({"file.narrow_range",
                "{file}: its samples have the narrow range of video and are spread to the full "
                "one; what is darker than black or brighter than white is cut off"},
               shown(info_.path)));
}

void FilePicture::read_hdr(const DeclaredColors& said) {
  numbers_.curve = said.hdr;
  hdr_samples_ = std::exchange(format_.type, SampleType::f32);
  format_.coding = Coding::linear();
  info_.icc_profile.clear();
  if (format_.color_channels() == 3) {
    info_.icc_profile = profile_of(*said.primaries, Coding::linear());
  }
  const std::size_t codes = hdr_samples_ == SampleType::u8 ? 256 : 65536;
  light_of_codes_.resize(codes);
  for (std::size_t i = 0; i < codes; ++i) {
    light_of_codes_[i] = static_cast<float>(
        light_of(said.hdr, static_cast<double>(i) / static_cast<double>(codes - 1)));
  }
}

void FilePicture::find_coding(bool data) {
  const ImageSpec& s = spec();
  // A tone curve is not defined below zero.
  const TypeDesc first = s.channelformat(choice_.channels.front());
  if (info_.icc_profile.empty() || (first.is_signed() && !first.is_floating_point())) return;
  std::optional<Message> other;
  if (const auto coding = coding_of_profile(info_.icc_profile, other)) {
    format_.coding = *coding;
  } else if (other) {
    throw FileError(message(
        {"profile.not_rgb", "{file}: the picture's profile is for {colors}; convert it to RGB"},
        shown(info_.path), *other));
  } else if (!data) {
    format_.coding = is_integer(format_.type) ? Coding::srgb() : Coding::linear();
    warn(unknown_curve(info_.path, format_.type));
  }
}

// Some MiB at once, in whole strips or tiles of the file: enough for decoders that use several
// threads, and not too much for wide pictures.
int FilePicture::chunk_rows() const {
  const ImageSpec& s = spec();
  const std::size_t row =
      std::max<std::size_t>(1, static_cast<std::size_t>(format_.width) * format_.pixel_bytes());
  const int requested =
      static_cast<int>(std::clamp<std::size_t>((std::size_t{4} << 20) / row, 8, 512));
  int unit = s.tile_height > 1 && s.tile_width > 0 ? s.tile_height
                                                   : s.get_int_attribute("tiff:RowsPerStrip", 1);
  if (info_.file_format == "openexr" && s.tile_width == 0) unit = 32;
  // A file that is one strip is decoded row by row, not as a whole.
  if (unit <= 0 || (s.tile_width == 0 && unit > 4 * requested)) unit = 1;
  return std::max(1, (requested + unit / 2) / unit) * unit;
}

void FilePicture::read_rows(const Rect& region, void* to, std::ptrdiff_t row_stride) {
  window_->read(region, to, row_stride);
}

char* FilePicture::chunk(int number) {
  const std::size_t bytes = static_cast<std::size_t>(chunk_rows()) * format_.row_bytes();
  if (chunks_ == nullptr) {
    own_chunks_.resize(2 * bytes);
    chunks_ = own_chunks_.data();
  }
  return chunks_ + static_cast<std::size_t>(number) * bytes;
}

const char* FilePicture::decode(int y0, int y1) {
  int now = 0;
  if (ahead_.valid() && ahead_y0_ == y0 && ahead_y1_ == y1) {
    now = ahead_chunk_;
    ahead_.get();
  } else {
    if (ahead_.valid()) ahead_.get();
    decode_into(y0, y1, chunk(now));
  }
  if (y1 < format_.height) {
    ahead_chunk_ = 1 - now;
    ahead_y0_ = y1;
    ahead_y1_ = std::min(format_.height, y1 + (y1 - y0));
    ahead_ = std::async(std::launch::async, [this, to = chunk(ahead_chunk_)] {
      decode_into(ahead_y0_, ahead_y1_, to);
    });
  }
  return chunk(now);
}

void FilePicture::decode_into(int y0, int y1, char* to) {
  if (numbers_.curve != HdrCurve::none) return decode_hdr_into(y0, y1, to);
  decode_codes_into(y0, y1, format_.type, to);
}

// Codes of the full range.
void FilePicture::decode_codes_into(int y0, int y1, SampleType as, char* to) {
  decode_samples_into(y0, y1, as, to);
  if (full_range_.empty()) return;
  const auto channels = static_cast<std::size_t>(format_.channels);
  const std::size_t samples =
      static_cast<std::size_t>(y1 - y0) * static_cast<std::size_t>(format_.width) * channels;
  const auto bytes = static_cast<std::size_t>(sample_bytes(as));
  for (std::size_t i = 0; i < samples; ++i, to += bytes) {
    if (format_.has_alpha() && i % channels == channels - 1) continue;
    std::uint16_t code = 0;
    std::memcpy(&code, to, bytes);
    code = full_range_[code];
    std::memcpy(to, &code, bytes);
  }
}

void FilePicture::decode_hdr_into(int y0, int y1, char* to) {
  const std::size_t samples = static_cast<std::size_t>(y1 - y0) *
                              static_cast<std::size_t>(format_.width) *
                              static_cast<std::size_t>(format_.channels);
  const auto bytes = static_cast<std::size_t>(sample_bytes(hdr_samples_));
  codes_.resize(samples * bytes);
  decode_codes_into(y0, y1, hdr_samples_, codes_.data());
  const std::size_t most = light_of_codes_.size() - 1;
  const auto channels = static_cast<std::size_t>(format_.channels);
  auto* light = reinterpret_cast<float*>(to);
  for (std::size_t i = 0; i < samples; ++i) {
    std::uint16_t code = 0;
    std::memcpy(&code, codes_.data() + i * bytes, bytes);
    const bool alpha = format_.has_alpha() && i % channels == channels - 1;
    light[i] = alpha ? static_cast<float>(code) / static_cast<float>(most) : light_of_codes_[code];
  }
}

void FilePicture::decode_samples_into(int y0, int y1, SampleType as, char* to) {
  const ImageSpec& s = spec();
  const auto [first, last] = std::minmax_element(choice_.channels.begin(), choice_.channels.end());
  const int begin = *first, end = *last + 1;
  const bool direct = choice_.contiguous() && choice_.blank == 0;
  const TypeDesc type = type_desc(as);
  const std::size_t sample = type.size();
  const std::size_t to_pixel = sample * choice_.count();
  const std::size_t pixels =
      static_cast<std::size_t>(y1 - y0) * static_cast<std::size_t>(format_.width);
  char* into = to;
  if (!direct) {
    scratch_.resize(pixels * static_cast<std::size_t>(end - begin) * sample);
    into = scratch_.data();
  }
  const bool ok = read_rows_of(*in_, number_of(choice_.part), s, y0, y1, begin, end, type, into);
  // Some readers return what they have of a damaged file and report success, but set an error.
  if (!ok || in_->has_error()) {
    throw_unread(*in_, info_.path, info_.file_format, [&](const MessageValue& reason) {
      return message({"file.damaged_near",
                      "{file}: the file is damaged or cut short near row {row} of {height} "
                      "({reason}); make it again"},
                     shown(info_.path), y0, format_.height, reason);
    });
  }
  if (direct) return;
  const std::size_t from_pixel = static_cast<std::size_t>(end - begin) * sample;
  if (choice_.blank > 0) std::memset(to, 0, pixels * to_pixel);
  for (std::size_t i = 0; i < choice_.channels.size(); ++i) {
    const char* from = into + static_cast<std::size_t>(choice_.channels[i] - begin) * sample;
    char* out = to + i * sample;
    for (std::size_t p = 0; p < pixels; ++p) {
      std::memcpy(out + p * to_pixel, from + p * from_pixel, sample);
    }
  }
}

}  // namespace sfumato::files
