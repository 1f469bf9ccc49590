// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Pixels per length: what a file says in several places, and each format's own units.
#include <algorithm>
#include <cmath>

#include "io/module/embedded.hpp"
#include "io/module/exif_attributes.hpp"
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

// PNG counts whole pixels per metre: 300 per inch come back as 299.9994. Only if both are such
// numbers, so that pixels keep their shape.
Resolution in_inches(const Resolution& r) {
  const Resolution exact{r.x * inch / r.unit, r.y * inch / r.unit, inch};
  const auto was_whole = [](double value) {
    return std::abs(value - std::round(value)) <= 0.5 * inch && value > 0.5;
  };
  if (r.unit != 1 || !was_whole(exact.x) || !was_whole(exact.y)) return exact;
  return {std::round(exact.x), std::round(exact.y), inch};
}

bool is_whole(double value) {
  constexpr double of_float = 2e-7;  // what is rounded
  return std::abs(value - std::round(value)) <= of_float * value;
}

// Whole numbers per centimetre that are none per inch: JFIF has no others.
std::optional<Resolution> whole_centimetres(const Resolution& r) {
  const double x = r.x * centimetre / r.unit, y = r.y * centimetre / r.unit;
  const Resolution inches = in_inches(r);
  const bool whole = is_whole(inches.x) && is_whole(inches.y);
  if (whole || !is_whole(x) || !is_whole(y)) return std::nullopt;
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

// That of EXIF in a JPEG file.
Resolution exif_resolution_of_jpeg(const std::filesystem::path& path, int page) {
  Bytes in = opened_jpeg(path, page);
  std::uint64_t end = 0;
  for (const Segment& s : head_of_jpeg(in, end)) {
    if (s.marker != jpeg_app1 || !s.begins(in, exif_mark)) continue;
    Bytes exif(s.body(in).substr(exif_mark.size()));
    return resolution_of_exif(exif);
  }
  return {};
}

Resolution exif_resolution_of(const std::string& kind, const std::filesystem::path& path, int page,
                              const ImageSpec& s) {
  if (kind == "jpeg") return exif_resolution_of_jpeg(path, page);
  std::string block;
  if (kind == "jpeg2000") block = bytes_in(s, "sfumato:exif");
  if (kind == "png") {
    Bytes in(path, true);
    block = metadata_in_png(in).exif;
  }
  if (block.empty()) return {};
  Bytes exif(std::move(block));
  return resolution_of_exif(exif);
}

// What JFIF says in whole numbers.
Resolution resolution_of_jfif(const std::filesystem::path& path, int page) {
  constexpr std::string_view jfif("JFIF\0", 5);
  Bytes in = opened_jpeg(path, page);
  std::uint64_t end = 0;
  for (const Segment& s : head_of_jpeg(in, end)) {
    if (s.marker != jpeg_app0 || !s.begins(in, jfif)) continue;
    const std::uint64_t code = in.number(s.at + 7, 1);
    return {static_cast<double>(in.number(s.at + 8, 2)),
            static_cast<double>(in.number(s.at + 10, 2)),
            code == 1   ? inch
            : code == 2 ? centimetre
                        : 0};
  }
  return {};
}

// What PNG says in whole numbers.
Resolution resolution_of_phys(const std::filesystem::path& path) {
  Bytes in(path, true);
  for (const Chunk& chunk : head_of_png(in)) {
    if (chunk.name != "pHYs" || chunk.size != 9) continue;
    const bool metres = in.number(chunk.at + 8, 1) == 1;
    return {static_cast<double>(in.number(chunk.at, 4)),
            static_cast<double>(in.number(chunk.at + 4, 4)), metres ? 1.0 : 0};
  }
  return {};
}

// Whether whole numbers, or few digits, say the same as an exact resolution.
bool rounds(const Resolution& said, const Resolution& exact) {
  if (said.unit <= 0 || exact.unit <= 0 || exact.x <= 0 || exact.y <= 0) return false;
  constexpr double rounded = 0.5001;
  const auto is_near = [&](double a, double b) {
    return std::abs(a - b * said.unit / exact.unit) <= rounded;
  };
  return is_near(said.x, exact.x) && is_near(said.y, exact.y);
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
  constexpr std::uint32_t small = 100;
  const DecimalFraction decimal(value);
  Fraction one{decimal.above, decimal.below};
  // A third has no digits.
  constexpr std::uint32_t few_digits = 10'000;
  const Fraction simple = fraction_of(value);
  if ((decimal.below > few_digits && simple.below <= small) || !decimal.is_exact) one = simple;
  return {tiff_rational, 1, little_endian(one.above, 4) + little_endian(one.below, 4)};
}

}  // namespace

namespace {

bool is_stated(const Resolution& r) {
  return r.unit > 0 && r.x > 0 && r.y > 0;
}

// JFIF may say a ratio only, or nothing at all; then EXIF's word counts, as it does where others
// have rounded it. What OpenImageIO states per inch is read as PNG states it.
Resolution stated_resolution(const std::string& kind, const std::filesystem::path& path, int page,
                             const ImageSpec& s) {
  Resolution r = resolution_in(s), own;
  if (kind == "jpeg") own = resolution_of_jfif(path, page);
  if (kind == "png") own = resolution_of_phys(path);
  if (is_stated(own)) r = own;
  const Resolution exif = exif_resolution_of(kind, path, page, s);
  const bool only_exif = kind == "jpeg" && r.unit <= 0 && is_stated(exif);
  return only_exif || rounds(r, exif) ? exif : r;
}

}  // namespace

void settle_resolution(const std::string& kind, const std::filesystem::path& path, int page,
                       ImageSpec& s) {
  // Some headers hold 0 where they say nothing.
  const float aspect = s.get_float_attribute("PixelAspectRatio", 1.0f);
  if (!std::isfinite(aspect) || aspect <= 0) s.erase_attribute("PixelAspectRatio");
  Resolution r = stated_resolution(kind, path, page, s);
  // Some programs write the smallest number there is for none.
  constexpr double smallest = 2.0 / 65536;
  if (kind == "psd" && r.x < smallest && r.y < smallest) return keep_resolution({}, s);
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

void keep_resolution(const ImageSpec& from, ImageSpec& to) {
  for (const char* name : {"XResolution", "YResolution", "ResolutionUnit"}) {
    to.erase_attribute(name);
    if (const OIIO::ParamValue* said = from.find_attribute(name)) to.extra_attribs.push_back(*said);
  }
}

namespace {

// JFIF's whole numbers, where they are near enough; EXIF has the exact ones.
void round_for_jfif(ImageSpec& s, const Resolution& r) {
  constexpr double near_enough = 0.01, most = 65535;
  const auto fits = [](double value) {
    return std::abs(std::round(value) - value) <= near_enough * value && value < most;
  };
  if (fits(r.x) && fits(r.y)) {
    return set_resolution(s, std::round(r.x), std::round(r.y), r.unit == inch ? "in" : "cm");
  }
  // The shape alone.
  const double larger = std::max(r.x, r.y);
  constexpr double parts = 10000;
  const bool square = r.x == r.y;
  set_resolution(s, square ? 1 : std::round(parts * r.x / larger),
                 square ? 1 : std::round(parts * r.y / larger), "none");
}

}  // namespace

bool convert_resolution(ImageSpec& s, const std::string& kind) {
  const Resolution r = resolution_in(s);
  if (r.x <= 0 || r.unit <= 0) {
    convert_aspect(s, kind);
    return true;
  }
  set_aspect(s, kind, r.x, r.y);
  if (kind == "png" || kind == "bmp") {
    const double x = r.x / r.unit, y = r.y / r.unit;
    constexpr double far = 1e-3, most = 0x7fffffff;
    set_resolution(s, std::round(x), std::round(y), "m");
    if (std::min(x, y) < 0.5 || std::max(x, y) > most) keep_resolution({}, s);
    const auto is_near = [](double value) {
      return std::abs(std::round(value) - value) <= far * value;
    };
    return is_near(x) && is_near(y);
  }
  const Resolution inches = in_inches(r);
  if (kind == "jpeg") {
    const bool whole = is_whole(inches.x) && is_whole(inches.y);
    const bool centimetres = r.unit == centimetre && is_whole(r.x) && is_whole(r.y);
    const auto other = whole || centimetres ? std::nullopt : whole_centimetres(r);
    round_for_jfif(s, centimetres ? r : other.value_or(inches));
    return true;
  }
  const bool centimetres = r.unit == centimetre && kind != "openexr";
  const Resolution& one = centimetres ? r : inches;
  set_resolution(s, one.x, one.y, centimetres ? "cm" : "in");
  return true;
}

void put_resolution(Exif& exif, const ImageSpec& s) {
  Resolution r = resolution_in(s);
  for (const std::uint16_t tag : {x_tag, y_tag, unit_tag}) exif.image.erase(tag);
  if (r.x <= 0 || r.unit <= 0) return;
  if (const auto whole = r.unit == 1 ? whole_centimetres(r) : std::nullopt) r = *whole;
  if (r.unit != centimetre) r = in_inches(r);
  constexpr int tiff_short = 3;
  exif.image[x_tag] = fraction_entry(r.x);
  exif.image[y_tag] = fraction_entry(r.y);
  exif.image[unit_tag] = {tiff_short, 1, little_endian(r.unit == centimetre ? 3 : 2, 2)};
}

bool settle_fractions_of_tiff(int descriptor, Bytes& in, const TiffDirectory& directory,
                              const TiffEntries& exact) {
  constexpr std::uint64_t tiff_rational = 5;
  const auto word = static_cast<std::uint64_t>(directory.word);
  const TiffWriter writer(in.big_endian(), directory.big_tiff, 0);
  const auto value_of = [&](std::uint16_t tag) -> std::string {
    const auto found = exact.find(tag);
    return found == exact.end() ? std::string() : found->second.value;
  };
  for (const std::uint16_t tag : {x_tag, y_tag}) {
    const std::uint64_t entry = directory.find(in, tag);
    if (entry == 0 || in.number(entry + 2, 2) != tiff_rational) continue;
    const std::uint64_t field = entry + 4 + word;
    const std::uint64_t at = directory.big_tiff ? field : in.number(field, 4);
    std::string bytes = value_of(tag);
    const auto above = static_cast<double>(in.number(at, 4)),
               below = static_cast<double>(in.number(at + 4, 4));
    if (bytes.empty() && below > 0) {
      const DecimalFraction one(above / below);
      if (one.is_exact) bytes = little_endian(one.above, 4) + little_endian(one.below, 4);
    }
    if (bytes.empty()) continue;
    if (in.big_endian()) swap_tiff_value(bytes, static_cast<int>(tiff_rational));
    if (!write_at(descriptor, bytes, at)) return false;
  }
  const std::uint64_t unit = directory.find(in, unit_tag);
  std::string code = value_of(unit_tag);
  if (unit == 0 || code.size() != 2) return true;
  if (in.big_endian()) std::reverse(code.begin(), code.end());
  return write_at(descriptor, code, unit + 4 + word);
}

}  // namespace sfumato::files
