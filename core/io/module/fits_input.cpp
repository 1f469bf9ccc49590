// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Pictures of FITS files (FITS Standard 4.0): OpenImageIO 2.4 ignores what a number stands for
// (BSCALE, BZERO), reads rows from the wrong place, and knows no colours.
#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <set>

#include "io/file_origin.hpp"
#include "io/module/fits_header.hpp"
#include "io/module/parts.hpp"

namespace sfumato::files {
namespace {

using OIIO::ImageSpec;
using OIIO::TypeDesc;

// What keywords are called elsewhere.
constexpr std::array<std::array<const char*, 2>, 8> other_names = {{{"OBJECT", "ImageDescription"},
                                                                    {"AUTHOR", "Artist"},
                                                                    {"OBSERVER", "Artist"},
                                                                    {"TELESCOP", "Make"},
                                                                    {"INSTRUME", "Model"},
                                                                    {"CREATOR", "Software"},
                                                                    {"SWCREATE", "Software"},
                                                                    {"PROGRAM", "Software"}}};

// Keywords that are about the way in which numbers are stored, or taken over in another way.
bool is_used(const std::string& keyword) {
  static const std::set<std::string> used = {
      "SIMPLE",  "BITPIX",  "EXTEND",   "XTENSION", "PCOUNT",  "GCOUNT",   "BSCALE", "BZERO",
      "DATAMIN", "DATAMAX", "ROWORDER", "DATE-OBS", "EXPTIME", "CHECKSUM", "DATASUM"};
  const auto renamed = [&](const auto& pair) { return keyword == pair[0]; };
  return used.contains(keyword) || keyword.starts_with("NAXIS") ||
         std::any_of(other_names.begin(), other_names.end(), renamed);
}

// As the numbers are stored if an offset makes them unsigned, or signed, and nothing else.
TypeDesc type_of(const FitsPicture& picture) {
  struct Kind {
    int bits;
    double zero;
    TypeDesc type;
  };
  static const std::array kinds = {
      Kind{8, 0, TypeDesc::UINT8},   Kind{8, -128, TypeDesc::INT8},
      Kind{16, 0, TypeDesc::INT16},  Kind{16, 32768, TypeDesc::UINT16},
      Kind{32, 0, TypeDesc::INT32},  Kind{32, 2147483648.0, TypeDesc::UINT32},
      Kind{-64, 0, TypeDesc::DOUBLE}};
  const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const Kind& one) {
    return one.bits == picture.bits && one.zero == picture.zero && picture.scale == 1;
  });
  if (found != kinds.end()) return found->type;
  return std::abs(picture.bits) == 64 ? TypeDesc::DOUBLE : TypeDesc::FLOAT;
}

template <typename T>
T big_endian(const unsigned char* from) {
  std::array<unsigned char, sizeof(T)> bytes{};
  std::reverse_copy(from, from + sizeof(T), bytes.begin());
  T out;
  std::memcpy(&out, bytes.data(), sizeof(T));
  return out;
}

double stored_number(const unsigned char* from, int bits) {
  switch (bits) {
    case 8:
      return *from;
    case 16:
      return big_endian<std::int16_t>(from);
    case 32:
      return big_endian<std::int32_t>(from);
    case 64:
      return static_cast<double>(big_endian<std::int64_t>(from));
    case -32:
      return big_endian<float>(from);
    default:
      return big_endian<double>(from);
  }
}

// Of a date as 2024-05-06T07:08:09 as EXIF writes it; empty for others.
std::string date_of_text(std::string date) {
  if (date.size() < 19 || date[4] != '-' || date[7] != '-' || date[10] != 'T') return {};
  date[4] = date[7] = ':';
  date[10] = ' ';
  return date.substr(0, 19);
}

class FitsInput final : public WithErrorText<OIIO::ImageInput> {
 public:
  const char* format_name() const override { return "fits"; }

  bool open(const std::string& name, ImageSpec& spec) override {
    in_ = std::make_unique<Bytes>(name, true);
    file_ = read_fits(*in_, static_cast<std::size_t>(most_pages));
    if (file_.pictures.empty()) {
      return file_.compressed
                 ? fail_as_variant(
                       message({"fits.compressed",
                                "its pictures are compressed in tables, which cannot be read"}))
                 : fail(message({"file.none_inside", "there is no picture in the file"}));
    }
    seek_subimage(0, 0);
    spec = m_spec;
    return true;
  }
  bool open(const std::string& name, ImageSpec& spec, const ImageSpec&) override {
    return open(name, spec);
  }
  bool close() override {
    in_.reset();
    return true;
  }
  int current_subimage() const override { return now_; }

  bool seek_subimage(int subimage, int miplevel) override {
    if (miplevel != 0 || subimage < 0 ||
        static_cast<std::size_t>(subimage) >= file_.pictures.size()) {
      return false;
    }
    now_ = subimage;
    describe();
    return true;
  }

  bool read_native_scanline(int subimage, int miplevel, int y, int, void* data) override {
    if (!seek_to(subimage, miplevel) || y < 0 || y >= m_spec.height) return false;
    const FitsPicture& p = picture();
    const auto row = static_cast<std::uint64_t>(p.upwards ? p.height - 1 - y : y);
    auto* to = static_cast<char*>(data);
    for (int plane = 0; plane < p.planes; ++plane) {
      const std::uint64_t at =
          p.data + static_cast<std::uint64_t>(plane) * p.plane_bytes() + row * p.row_bytes();
      if (!read_row(at, plane, to)) return false;
    }
    return true;
  }

 private:
  const FitsPicture& picture() const { return file_.pictures[static_cast<std::size_t>(now_)]; }
  bool seek_to(int subimage, int miplevel) {
    return (subimage == now_ && miplevel == 0) || seek_subimage(subimage, miplevel);
  }

  void describe() {
    const FitsPicture& p = picture();
    m_spec = ImageSpec(p.width, p.height, p.planes, type_of(p));
    if (p.data + static_cast<std::uint64_t>(p.planes) * p.plane_bytes() > in_->size()) {
      m_spec.attribute("sfumato:short", 1);
    }
    if (p.no_zero) m_spec.attribute("sfumato:no_zero", 1);
    if (m_spec.format.is_floating_point()) {
      m_spec.attribute("oiio:ColorSpace", "Linear");
      // More than float holds.
      if (p.bits >= 32) m_spec.attribute("sfumato:integer_bits", p.bits);
    }
    describe_contents(file_.units[p.unit]);
    if (p.unit > 0) describe_contents(file_.units.front());
  }

  void describe_contents(const FitsUnit& unit) {
    for (const auto& [keyword, name] : other_names) {
      const std::string text = unit.text(keyword);
      if (!text.empty() && m_spec.find_attribute(name) == nullptr) m_spec.attribute(name, text);
    }
    const std::string date = date_of_text(unit.text("DATE-OBS"));
    if (!date.empty() && m_spec.find_attribute("DateTime") == nullptr) {
      m_spec.attribute("DateTime", date);
    }
    const double seconds = unit.number("EXPTIME", 0);
    if (seconds > 0) m_spec.attribute("ExposureTime", static_cast<float>(seconds));
    std::string notes(m_spec.get_string_attribute("Comment"));
    for (const std::string& note : unit.notes) notes += (notes.empty() ? "" : "\n") + note;
    if (!notes.empty()) m_spec.attribute("Comment", notes);
    std::string others(m_spec.get_string_attribute("sfumato:others"));
    for (const auto& [keyword, value] : unit.values) {
      const bool taken = is_used(keyword) && (keyword != "DATE-OBS" || !date.empty());
      if (!taken) others += (others.empty() ? "" : ", ") + keyword;
    }
    if (!others.empty()) m_spec.attribute("sfumato:others", others);
  }

  // Row by row, some at once: text() reads no more than a piece.
  bool read_row(std::uint64_t at, int plane, char* to) {
    const FitsPicture& p = picture();
    const auto bytes = static_cast<std::uint64_t>(std::abs(p.bits) / 8);
    const std::uint64_t piece = Bytes::largest / bytes;
    auto left = static_cast<std::uint64_t>(p.width);
    to += static_cast<std::size_t>(plane) * m_spec.format.size();
    for (; left > 0; at += std::min(left, piece) * bytes, left -= std::min(left, piece)) {
      const std::uint64_t count = std::min(left, piece);
      const std::string held = in_->text(at, count * bytes);
      if (held.empty()) return fail(message({"fits.cut", "its numbers end too early"}));
      const auto* from = reinterpret_cast<const unsigned char*>(held.data());
      for (std::uint64_t i = 0; i < count; ++i, from += bytes, to += m_spec.pixel_bytes()) {
        store(p.zero + p.scale * stored_number(from, p.bits), to);
      }
    }
    return true;
  }

  template <typename T>
  static void store_as(double value, char* to) {
    const T number = static_cast<T>(value);
    std::memcpy(to, &number, sizeof(T));
  }
  void store(double value, char* to) const {
    switch (m_spec.format.basetype) {
      case TypeDesc::UINT8:
        return store_as<std::uint8_t>(value, to);
      case TypeDesc::INT8:
        return store_as<std::int8_t>(value, to);
      case TypeDesc::UINT16:
        return store_as<std::uint16_t>(value, to);
      case TypeDesc::INT16:
        return store_as<std::int16_t>(value, to);
      case TypeDesc::UINT32:
        return store_as<std::uint32_t>(value, to);
      case TypeDesc::INT32:
        return store_as<std::int32_t>(value, to);
      case TypeDesc::FLOAT:
        return store_as<float>(value, to);
      default:
        return store_as<double>(value, to);
    }
  }

  std::unique_ptr<Bytes> in_;
  FitsFile file_;
  int now_ = 0;
};

}  // namespace

std::unique_ptr<OIIO::ImageInput> make_fits_input() {
  return std::make_unique<FitsInput>();
}

}  // namespace sfumato::files
