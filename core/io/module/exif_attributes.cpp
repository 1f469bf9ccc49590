// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// EXIF's entries (JEITA CP-3451) as attributes, and back: OpenImageIO 2.4 leaves out some kinds of
// numbers.
#include "io/module/exif_attributes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "io/module/embedded.hpp"
#include "io/module/exif_names.hpp"
#include "io/module/tiff_writer.hpp"

namespace sfumato::files {
namespace {

using OIIO::ImageSpec;
using OIIO::ParamValue;
using OIIO::TypeDesc;

enum : int {
  exif_bytes = 1,
  exif_text,
  exif_short,
  exif_long,
  exif_fraction,
  exif_signed_byte,
  exif_any,
  exif_signed_short,
  exif_signed_long,
  exif_signed_fraction,
  exif_float,
  exif_double
};

constexpr double most32 = 4294967295.0;
// Longer lists are no descriptions.
constexpr std::size_t most_numbers = 64;

double quotient(double above, double below) {
  if (below != 0) return above / below;
  if (above == 0) return std::numeric_limits<double>::quiet_NaN();
  return std::copysign(std::numeric_limits<double>::infinity(), above);
}

std::uint64_t bits_in_value(const std::string& value, std::size_t at, std::size_t bytes) {
  std::uint64_t bits = 0;
  for (std::size_t i = bytes; i-- > 0;)
    bits = bits << 8 | static_cast<unsigned char>(value[at + i]);
  return bits;
}

double signed_in_value(const std::string& value, std::size_t at, std::size_t bytes) {
  const double all = std::ldexp(1, static_cast<int>(8 * bytes));
  const auto number = static_cast<double>(bits_in_value(value, at, bytes));
  return number < all / 2 ? number : number - all;
}

// A number of an entry; EXIF's own types, and those of TIFF that some programs write instead.
double number_at(const TiffEntry& entry, std::size_t at) {
  const std::string& v = entry.value;
  switch (entry.type) {
    case exif_signed_byte:
      return signed_in_value(v, at, 1);
    case exif_signed_short:
      return signed_in_value(v, at, 2);
    case exif_signed_long:
      return signed_in_value(v, at, 4);
    case exif_fraction:
      return quotient(static_cast<double>(bits_in_value(v, at, 4)),
                      static_cast<double>(bits_in_value(v, at + 4, 4)));
    case exif_signed_fraction:
      return quotient(signed_in_value(v, at, 4), signed_in_value(v, at + 4, 4));
    case exif_float:
      return static_cast<double>(
          std::bit_cast<float>(static_cast<std::uint32_t>(bits_in_value(v, at, 4))));
    case exif_double:
      return std::bit_cast<double>(bits_in_value(v, at, 8));
    default:
      return static_cast<double>(
          bits_in_value(v, at, static_cast<std::size_t>(tiff_value_bytes(entry.type))));
  }
}

bool is_whole(int type) {
  return type != exif_fraction && type != exif_signed_fraction && type < exif_float;
}

std::optional<ParamValue> numbers_of(const std::string& name, const TiffEntry& entry) {
  const std::uint64_t size = tiff_value_bytes(entry.type);
  const bool number = entry.type >= exif_bytes && entry.type <= exif_double;
  if (!number || entry.count == 0 || entry.count > most_numbers) return std::nullopt;
  if (entry.value.size() < entry.count * size) return std::nullopt;
  std::vector<float> floats;
  for (std::size_t i = 0; i < entry.count; ++i) {
    const double value = number_at(entry, i * size);
    constexpr double most_int = std::numeric_limits<int>::max();
    if (entry.count == 1 && is_whole(entry.type)) {
      if (value > most_int) return std::nullopt;
      return ParamValue(name, static_cast<int>(value));
    }
    const auto held = static_cast<float>(value);
    if (is_whole(entry.type) && static_cast<double>(held) != value) return std::nullopt;
    floats.push_back(held);
  }
  const int count = static_cast<int>(floats.size());
  return ParamValue(name, count == 1 ? TypeDesc(TypeDesc::FLOAT) : TypeDesc(TypeDesc::FLOAT, count),
                    1, floats.data());
}

}  // namespace

std::vector<double> numbers_in(const ParamValue& p) {
  const TypeDesc type = p.type();
  const std::size_t count = type.numelements() * static_cast<std::size_t>(type.aggregate);
  std::vector<double> out;
  if (count > most_numbers || p.nvalues() != 1) return out;
  for (std::size_t i = 0; i < count; ++i) {
    switch (type.basetype) {
      case TypeDesc::FLOAT:
        out.push_back(static_cast<double>(static_cast<const float*>(p.data())[i]));
        break;
      case TypeDesc::DOUBLE:
        out.push_back(static_cast<const double*>(p.data())[i]);
        break;
      case TypeDesc::INT:
        out.push_back(static_cast<const int*>(p.data())[i]);
        break;
      case TypeDesc::UINT:
        out.push_back(static_cast<const unsigned*>(p.data())[i]);
        break;
      default:
        return {};
    }
  }
  return out;
}

namespace {

// Whole numbers of so many bytes; empty if one does not fit.
std::string whole_numbers(const std::vector<double>& all, int bytes, bool is_signed) {
  const double most = std::ldexp(1, 8 * bytes - (is_signed ? 1 : 0)) - 1;
  const double least = is_signed ? -most - 1 : 0;
  std::string out;
  for (const double one : all) {
    if (!(one >= least && one <= most) || one != std::round(one)) return {};
    out += little_endian(static_cast<std::uint64_t>(static_cast<std::int64_t>(one)), bytes);
  }
  return out;
}

std::string fractions(const std::vector<double>& all, bool is_signed) {
  const double most = is_signed ? most32 / 2 : most32;
  std::string out;
  for (const double one : all) {
    if ((one < 0 && !is_signed) || (std::isfinite(one) && std::abs(one) > most + 1)) return {};
    Fraction held = fraction_of(std::abs(one));
    if (one < 0) held.above = 0u - held.above;
    out += little_endian(held.above, 4) + little_endian(held.below, 4);
  }
  return out;
}

TiffEntry entry_of_numbers(const std::vector<double>& all, EntryType type) {
  const auto entry = [&](int number, std::string value) {
    return TiffEntry{number, all.size(), std::move(value)};
  };
  switch (type) {
    case EntryType::byte:
      return entry(exif_bytes, whole_numbers(all, 1, false));
    case EntryType::one_byte:
      return entry(exif_any, all.size() == 1 ? whole_numbers(all, 1, false) : "");
    case EntryType::number16:
      return entry(exif_short, whole_numbers(all, 2, false));
    case EntryType::signed16:
      return entry(exif_signed_short, whole_numbers(all, 2, true));
    case EntryType::number32:
      return entry(exif_long, whole_numbers(all, 4, false));
    case EntryType::signed32:
      return entry(exif_signed_long, whole_numbers(all, 4, true));
    case EntryType::fraction:
      return entry(exif_fraction, fractions(all, false));
    case EntryType::signed_fraction:
      return entry(exif_signed_fraction, fractions(all, true));
    default:
      return {};
  }
}

// Empty if the attribute holds something else.
TiffEntry entry_of(const ParamValue& p, EntryType type, bool big_endian) {
  const bool is_text = p.type() == TypeDesc::STRING;
  if (type == EntryType::text || type == EntryType::marked_text) {
    if (!is_text || p.get_string().empty()) return {};
    if (type == EntryType::marked_text) return marked_text(p.get_string(), big_endian);
    const std::string text = p.get_string() + '\0';
    return {exif_text, text.size(), text};
  }
  return is_text ? TiffEntry{} : entry_of_numbers(numbers_in(p), type);
}

const EntryName* named_as(const std::string& attribute, TiffEntries Exif::*& directory) {
  // Another name of OpenImageIO's.
  const std::string wanted =
      attribute == "exif:isospeedratings" ? "exif:photographicsensitivity" : attribute;
  for (const auto one : {&Exif::photo, &Exif::gps, &Exif::image}) {
    for (const EntryName& name : entry_names(one)) {
      // Others of the first directory are written elsewhere.
      if (one == &Exif::image && name.type == EntryType::none) continue;
      if (lower(std::string(name.attribute)) != wanted) continue;
      directory = one;
      return &name;
    }
  }
  return nullptr;
}

}  // namespace

std::string text_in(const TiffEntry& entry) {
  std::string text = entry.value;
  while (!text.empty() && text.back() == '\0') text.pop_back();
  std::replace(text.begin(), text.end(), '\0', '\n');
  return utf8_of(text);
}

void complete_copyright(const Exif& exif, ImageSpec& spec) {
  constexpr std::uint16_t copyright = 0x8298;
  const auto found = exif.image.find(copyright);
  if (found == exif.image.end() || found->second.type != exif_text) return;
  const std::string both = text_in(found->second), first = both.substr(0, both.find('\n'));
  if (spec.get_string_attribute("Copyright") == first) spec.attribute("Copyright", both);
}

void settle_date(const std::string& kind, const std::filesystem::path& path, const Metadata& held,
                 ImageSpec& spec) {
  constexpr std::uint16_t date = 0x0132;
  const auto found = held.exif.image.find(date);
  const std::string in_exif = found == held.exif.image.end() ? "" : text_in(found->second),
                    own = kind == "png" ? date_in_png(path) : std::string();
  if (!own.empty() || !in_exif.empty()) {
    spec.attribute("DateTime", own.empty() ? in_exif : own);
    if (!own.empty() && !in_exif.empty() && own != in_exif) spec.attribute(other_png_date, 1);
    return;
  }
  // XMP writes 2020-01-02T03:04:05, and goes on with a zone.
  constexpr std::size_t length = 19;
  std::string said(spec.get_string_attribute("DateTime"));
  if (held.xmp.empty() || said.size() < length || said[4] != '-' || said[10] != 'T') return;
  said.resize(length);
  said[4] = said[7] = ':';
  said[10] = ' ';
  spec.attribute("DateTime", said);
}

// The last fraction of the number's continued fraction that is exact enough.
Fraction fraction_of(double value) {
  if (std::isnan(value)) return {0, 0};
  if (std::isinf(value)) return {1, 0};
  if (value >= most32) return {static_cast<std::uint32_t>(most32), 1};
  const auto wanted = static_cast<float>(value);
  double above = std::floor(value), below = 1, above_before = 1, below_before = 0;
  double rest = value - above;
  while (static_cast<float>(above / below) != wanted && rest > 0) {
    const double next = std::floor(1 / rest);
    rest = 1 / rest - next;
    const double more_above = next * above + above_before, more_below = next * below + below_before;
    if (more_above > most32 / 2 || more_below > most32 / 2) break;
    above_before = std::exchange(above, more_above);
    below_before = std::exchange(below, more_below);
  }
  return {static_cast<std::uint32_t>(above), static_cast<std::uint32_t>(below)};
}

std::optional<ParamValue> attribute_of(const Exif& exif, TiffEntries Exif::*directory,
                                       std::uint16_t tag) {
  const EntryName* known = entry_name(directory, tag);
  const auto found = (exif.*directory).find(tag);
  if (known == nullptr || found == (exif.*directory).end()) return std::nullopt;
  const TiffEntry& entry = found->second;
  const std::string name(known->attribute);
  std::optional<ParamValue> out;
  if (known->type == EntryType::text && entry.type == exif_text) {
    out = ParamValue(name, text_in(entry));
  } else if (known->type == EntryType::marked_text) {
    out = ParamValue(name, text_of_marked(entry, exif.big_endian));
  } else if (known->type != EntryType::text && known->type != EntryType::none) {
    out = numbers_of(name, entry);
  }
  // What cannot come back from there is not said there.
  if (!out || entry_of(*out, known->type, exif.big_endian).value.empty()) return std::nullopt;
  return out;
}

std::vector<std::string> put_attributes(Exif& exif, const ImageSpec& spec) {
  std::vector<std::string> without;
  for (const ParamValue& p : spec.extra_attribs) {
    const std::string name = lower(p.name().string());
    TiffEntries Exif::*directory = nullptr;
    const EntryName* known = named_as(name, directory);
    const bool of_exif = name.rfind("exif:", 0) == 0 || name.rfind("gps:", 0) == 0;
    if (known == nullptr) {
      if (of_exif && !is_usual_in_exif(name)) without.push_back(p.name().string());
      continue;
    }
    TiffEntries& entries = exif.*directory;
    if (entries.count(known->tag) != 0) continue;
    TiffEntry entry = entry_of(p, known->type, exif.big_endian);
    if (!entry.value.empty()) {
      entries.emplace(known->tag, std::move(entry));
    } else if (!is_usual_in_exif(name)) {
      without.push_back(p.name().string());
    }
  }
  return without;
}

}  // namespace sfumato::files
