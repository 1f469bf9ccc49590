// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Pixels per length: what a file says in several places, and each format's own units.
#include <algorithm>
#include <cmath>

#include "io/module/embedded.hpp"
#include "io/module/tiff_writer.hpp"

namespace sfumato::files {
namespace {

using OIIO::ImageSpec;

constexpr std::uint16_t x_tag = 0x011a, y_tag = 0x011b, unit_tag = 0x0128;
constexpr double inch = 0.0254, centimetre = 0.01;  // in metres

struct Resolution {
  double x = 0, y = 0;  // pixels per unit
  double unit = 0;      // in metres; 0 if x and y only have a ratio
};

// In any writing that OpenImageIO's readers use.
double unit_named(const std::string& name) {
  const std::string unit = lower(name);
  if (unit == "in" || unit == "inch" || unit == "2") return inch;
  if (unit == "cm" || unit == "3") return centimetre;
  return unit == "m" || unit == "meter" ? 1 : 0;
}

// Some readers of OpenImageIO state whole numbers, which it does not convert.
double number_in(const ImageSpec& s, const char* name) {
  const auto whole = static_cast<float>(s.get_int_attribute(name));
  return static_cast<double>(s.get_float_attribute(name, whole));
}

Resolution resolution_in(const ImageSpec& s) {
  std::string unit(s.get_string_attribute("ResolutionUnit"));
  if (const int number = s.get_int_attribute("ResolutionUnit"); unit.empty() && number > 0) {
    unit = std::to_string(number);
  }
  Resolution r{number_in(s, "XResolution"), number_in(s, "YResolution"), unit_named(unit)};
  const bool sound = std::isfinite(r.x) && std::isfinite(r.y) && r.x >= 0 && r.y >= 0;
  if (!sound) return {};
  if (r.x <= 0) r.x = r.y;
  if (r.y <= 0) r.y = r.x;
  return r;
}

// OpenImageIO's reader and writer of JPEG mean the reverse.
void reverse_aspect(ImageSpec& s) {
  const float aspect = s.get_float_attribute("PixelAspectRatio");
  if (aspect > 0) s.attribute("PixelAspectRatio", 1 / aspect);
}

// Writers of TIFF, OpenEXR and HDR go by the ratio, others are disturbed by it.
void set_aspect(ImageSpec& s, const std::string& kind, double x, double y) {
  if (kind == "tiff" || kind == "openexr" || kind == "hdr") {
    s.attribute("PixelAspectRatio", static_cast<float>(y / x));
  } else {
    s.erase_attribute("PixelAspectRatio");
  }
}

void set_resolution(ImageSpec& s, double x, double y, const char* unit) {
  s.attribute("XResolution", static_cast<float>(x));
  s.attribute("YResolution", static_cast<float>(y));
  s.attribute("ResolutionUnit", unit);
}

// PNG counts whole pixels per metre: 300 per inch come back as 299.9994.
double per_inch(double value, double unit) {
  const double exact = value * inch / unit, whole = std::round(exact);
  return std::abs(exact - whole) <= 0.5 * inch ? whole : exact;
}

// Whole numbers per centimetre that are none per inch: JFIF has no others.
std::optional<Resolution> whole_centimetres(const Resolution& r) {
  constexpr double of_float = 2e-7;  // what is rounded
  const auto is_whole = [](double value) {
    return std::abs(value - std::round(value)) <= of_float * value;
  };
  const double x = r.x * centimetre / r.unit, y = r.y * centimetre / r.unit;
  const bool inches = is_whole(per_inch(r.x, r.unit)) && is_whole(per_inch(r.y, r.unit));
  if (inches || !is_whole(x) || !is_whole(y)) return std::nullopt;
  return Resolution{std::round(x), std::round(y), centimetre};
}

// EXIF's own, from the directory that a block of it begins with.
Resolution resolution_of_exif(Bytes& in) {
  const TiffDirectory directory(in);
  const auto fraction = [&](std::uint16_t tag) {
    const std::uint64_t entry = directory.find(in, tag);
    if (entry == 0) return 0.0;
    const std::uint64_t at = in.number(entry + 8, 4);
    const std::uint64_t below = in.number(at + 4, 4);
    return below == 0 ? 0.0 : static_cast<double>(in.number(at, 4)) / static_cast<double>(below);
  };
  const std::uint64_t unit = directory.find(in, unit_tag);
  const std::uint64_t code = unit == 0 ? 2 : in.number(unit + 8, 2);  // EXIF's default is 2
  return {fraction(x_tag), fraction(y_tag), unit_named(std::to_string(code))};
}

// JFIF may say a ratio only, or nothing at all; then EXIF's word counts.
Resolution resolution_of_jpeg(const std::filesystem::path& path, int page) {
  constexpr std::string_view jfif("JFIF\0", 5);
  Bytes in = opened_jpeg(path, page);
  std::uint64_t end = 0;
  for (const Segment& s : head_of_jpeg(in, end)) {
    if (s.marker == jpeg_app0 && s.begins(in, jfif) && in.number(s.at + 7, 1) != 0) return {};
  }
  for (const Segment& s : head_of_jpeg(in, end)) {
    if (s.marker != jpeg_app1 || !s.begins(in, exif_mark)) continue;
    Bytes exif(s.body(in).substr(exif_mark.size()));
    return resolution_of_exif(exif);
  }
  return {};
}

// With the digits that a float number holds: 50.8 for what is 50.79999924 to it.
struct DecimalFraction {
  explicit DecimalFraction(double value) {
    constexpr double of_float = 1.2e-7;
    const auto is_near = [&] {
      return std::abs(std::round(value * below) / below - value) <= of_float * value;
    };
    while (below < 1'000'000 && value * below < 4e8 && !is_near()) below *= 10;
    is_exact = is_near() && value * below < 4.2e9;
    above = static_cast<std::uint32_t>(std::llround(std::min(value * below, 4.2e9)));
  }
  std::uint32_t above = 0, below = 1;
  bool is_exact = false;  // of very small and large numbers, digits are missing
};

TiffEntry fraction_entry(double value) {
  constexpr int tiff_rational = 5;
  const DecimalFraction one(value);
  return {tiff_rational, 1, little_endian(one.above, 4) + little_endian(one.below, 4)};
}

}  // namespace

void settle_resolution(const std::string& kind, const std::filesystem::path& path, int page,
                       ImageSpec& s) {
  // Some headers hold 0 where they say nothing.
  const float aspect = s.get_float_attribute("PixelAspectRatio", 1.0f);
  if (!std::isfinite(aspect) || aspect <= 0) s.erase_attribute("PixelAspectRatio");
  Resolution r = resolution_in(s);
  if (kind == "jpeg" && r.unit <= 0) {
    const Resolution said = resolution_of_jpeg(path, page);
    if (said.unit > 0 && said.x > 0 && said.y > 0) r = said;
  }
  // The default of TIFF and EXIF.
  const bool inches = kind == "tiff" || kind == "webp" || kind == "heif";
  if (inches && r.x > 0 && s.find_attribute("ResolutionUnit") == nullptr) r.unit = inch;
  if (kind == "jpeg") reverse_aspect(s);
  if (r.x <= 0 || r.unit <= 0) return;
  // Beside a resolution of square pixels, Photoshop states their shape.
  if (kind == "psd" && r.x == r.y)
    r.y *= static_cast<double>(s.get_float_attribute("PixelAspectRatio", 1.0f));
  set_resolution(s, r.x, r.y, r.unit == inch ? "in" : r.unit == centimetre ? "cm" : "m");
}

bool has_resolution(const ImageSpec& s) {
  const Resolution r = resolution_in(s);
  return r.x > 0 && r.unit > 0;
}

double pixel_aspect(const ImageSpec& s) {
  const Resolution r = resolution_in(s);
  const auto said = static_cast<double>(s.get_float_attribute("PixelAspectRatio"));
  if (r.x > 0 && r.unit > 0) return r.y / r.x;
  return std::isfinite(said) && said > 0 ? said : 1;
}

bool is_stretched(const ImageSpec& s) {
  constexpr double rounded = 1e-3;  // a resolution, to whole numbers
  return std::abs(pixel_aspect(s) - 1) > rounded;
}

// The shape alone, in numbers that say it with four digits.
void convert_aspect(ImageSpec& s, const std::string& kind) {
  constexpr float most = 10000;
  const auto aspect = static_cast<float>(pixel_aspect(s));
  if (aspect == 1.0f) return;
  if (kind == "png" || kind == "jpeg" || kind == "tiff") {
    set_resolution(s, static_cast<double>(std::min(most, most / aspect)),
                   static_cast<double>(std::min(most, most * aspect)), "none");
  } else {
    for (const char* name : {"XResolution", "YResolution", "ResolutionUnit"})
      s.erase_attribute(name);
  }
  s.attribute("PixelAspectRatio", aspect);
  if (kind == "jpeg") reverse_aspect(s);
}

void convert_resolution(ImageSpec& s, const std::string& kind) {
  const Resolution r = resolution_in(s);
  if (r.x <= 0 || r.unit <= 0) return convert_aspect(s, kind);
  set_aspect(s, kind, r.x, r.y);
  if (kind == "png" || kind == "bmp") {
    return set_resolution(s, std::round(r.x / r.unit), std::round(r.y / r.unit), "m");
  }
  const bool whole = r.x == std::round(r.x) && r.y == std::round(r.y);
  const bool centimetres = kind != "openexr" && (kind != "jpeg" || whole);
  if (r.unit == centimetre && centimetres) return set_resolution(s, r.x, r.y, "cm");
  if (const auto other = kind == "jpeg" ? whole_centimetres(r) : std::nullopt) {
    return set_resolution(s, other->x, other->y, "cm");
  }
  set_resolution(s, per_inch(r.x, r.unit), per_inch(r.y, r.unit), "in");
}

void put_resolution(Exif& exif, const ImageSpec& s) {
  Resolution r = resolution_in(s);
  for (const std::uint16_t tag : {x_tag, y_tag, unit_tag}) exif.image.erase(tag);
  if (r.x <= 0 || r.unit <= 0) return;
  if (r.unit != centimetre) {
    r = {per_inch(r.x, r.unit), per_inch(r.y, r.unit), inch};
  }
  constexpr int tiff_short = 3;
  exif.image[x_tag] = fraction_entry(r.x);
  exif.image[y_tag] = fraction_entry(r.y);
  exif.image[unit_tag] = {tiff_short, 1, little_endian(r.unit == centimetre ? 3 : 2, 2)};
}

bool settle_fractions_of_tiff(int descriptor, Bytes& in, const TiffDirectory& directory) {
  constexpr std::uint64_t tiff_rational = 5;
  for (const std::uint16_t tag : {x_tag, y_tag}) {
    const std::uint64_t entry = directory.find(in, tag);
    if (entry == 0 || in.number(entry + 2, 2) != tiff_rational) continue;
    const std::uint64_t field = entry + 4 + static_cast<std::uint64_t>(directory.word);
    const std::uint64_t at = directory.big_tiff ? field : in.number(field, 4);
    const auto above = static_cast<double>(in.number(at, 4)),
               below = static_cast<double>(in.number(at + 4, 4));
    if (below <= 0) continue;
    const DecimalFraction one(above / below);
    if (!one.is_exact) continue;
    std::string bytes;
    const TiffWriter writer(in.big_endian(), directory.big_tiff, 0);
    writer.put(bytes, one.above, 4);
    writer.put(bytes, one.below, 4);
    if (!write_at(descriptor, bytes, at)) return false;
  }
  return true;
}

}  // namespace sfumato::files
