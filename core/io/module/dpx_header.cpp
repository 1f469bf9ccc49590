// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What the header of a DPX file says of its picture (SMPTE 268M, 5): OpenImageIO 2.4 reads on
// behind texts that fill their fields, and gives most of it names that no other format gets. It
// becomes texts, which every format with comments holds.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "io/module/embedded.hpp"

namespace sfumato::files {
namespace {

using OIIO::ImageSpec;

enum class DpxKind { text, whole, number, digits };

struct DpxField {
  std::uint64_t at;
  int size;
  DpxKind kind;
  const char* name;
};

// The frames that the picture was made of, the film, and the television signal.
constexpr std::array dpx_fields = {DpxField{1416, 4, DpxKind::number, "X center"},
                                   DpxField{1420, 4, DpxKind::number, "Y center"},
                                   DpxField{1432, 100, DpxKind::text, "Source file"},
                                   DpxField{1532, 24, DpxKind::text, "Source date"},
                                   DpxField{1620, 2, DpxKind::whole, "Border left"},
                                   DpxField{1622, 2, DpxKind::whole, "Border right"},
                                   DpxField{1624, 2, DpxKind::whole, "Border top"},
                                   DpxField{1626, 2, DpxKind::whole, "Border bottom"},
                                   DpxField{1636, 4, DpxKind::number, "X scanned size"},
                                   DpxField{1640, 4, DpxKind::number, "Y scanned size"},
                                   DpxField{1664, 16, DpxKind::text, "Film edge code"},
                                   DpxField{1680, 32, DpxKind::text, "Film format"},
                                   DpxField{1712, 4, DpxKind::whole, "Frame position"},
                                   DpxField{1716, 4, DpxKind::whole, "Sequence length"},
                                   DpxField{1720, 4, DpxKind::whole, "Held count"},
                                   DpxField{1724, 4, DpxKind::number, "Frame rate"},
                                   DpxField{1728, 4, DpxKind::number, "Shutter angle"},
                                   DpxField{1732, 32, DpxKind::text, "Frame identification"},
                                   DpxField{1764, 100, DpxKind::text, "Slate information"},
                                   DpxField{1920, 4, DpxKind::digits, "Time code"},
                                   DpxField{1924, 4, DpxKind::digits, "User bits"},
                                   DpxField{1928, 1, DpxKind::whole, "Interlace"},
                                   DpxField{1929, 1, DpxKind::whole, "Field number"},
                                   DpxField{1930, 1, DpxKind::whole, "Video signal"},
                                   DpxField{1932, 4, DpxKind::number, "Horizontal sampling rate"},
                                   DpxField{1936, 4, DpxKind::number, "Vertical sampling rate"},
                                   DpxField{1940, 4, DpxKind::number, "Temporal sampling rate"},
                                   DpxField{1944, 4, DpxKind::number, "Time offset"},
                                   DpxField{1948, 4, DpxKind::number, "Video gamma"},
                                   DpxField{1952, 4, DpxKind::number, "Black level"},
                                   DpxField{1956, 4, DpxKind::number, "Black gain"},
                                   DpxField{1960, 4, DpxKind::number, "Break point"},
                                   DpxField{1964, 4, DpxKind::number, "White level"},
                                   DpxField{1968, 4, DpxKind::number, "Integration time"}};

constexpr std::uint64_t dpx_width_at = 772, dpx_height_at = 776, dpx_x_at = 1408, dpx_y_at = 1412,
                        x_original_at = 1424, y_original_at = 1428, film_rate_at = 1724,
                        video_rate_at = 1940, dpx_film_at = 1664, frame_at = 1712,
                        time_code_at = 1920;
constexpr DpxField dpx_creation{136, 24, DpxKind::text, "Creation date"},
    dpx_model{1556, 32, DpxKind::text, "Model"},
    dpx_serial{1588, 32, DpxKind::text, "Exif:BodySerialNumber"};
// Those that OpenImageIO reads.
constexpr std::array dpx_known_texts = {DpxField{160, 100, DpxKind::text, "Software"},
                                        DpxField{260, 200, DpxKind::text, "DocumentName"},
                                        DpxField{460, 200, DpxKind::text, "Copyright"},
                                        DpxField{820, 32, DpxKind::text, "ImageDescription"}};

// The header's fields; those that are not given are empty or 0. All bits set mean so, and zeros are
// what most programs leave in fields that they do not know.
class DpxHeader {
 public:
  explicit DpxHeader(const std::filesystem::path& path) : in_(path, true) {
    constexpr std::uint64_t shortest = 1664, whole_header = 2048, data_at = 4, picture_at = 808;
    in_.set_big_endian(in_.text(0, 4) == "SDPX");
    end_ = whole_header;
    // Film and television are not in all headers: the picture may begin before.
    for (const std::uint64_t at : {data_at, picture_at}) {
      if (const std::uint64_t data = in_.number(at, 4); data >= shortest) {
        end_ = std::min(end_, data);
      }
    }
  }

  std::string value(const DpxField& field) {
    switch (field.kind) {
      case DpxKind::text:
        return text_at(field);
      case DpxKind::whole: {
        const std::uint64_t value = whole_at(field.at, field.size);
        return value == 0 ? std::string() : std::to_string(value);
      }
      case DpxKind::number:
        return number_text(number_at(field.at));
      default:
        return digits_at(field.at);
    }
  }

  std::uint64_t whole_at(std::uint64_t at, int size = 4) {
    if (!has(at, static_cast<std::uint64_t>(size))) return 0;
    const std::uint64_t value = in_.number(at, size);
    return value == (std::uint64_t{1} << 8 * size) - 1 ? 0 : value;
  }

  bool is_zero(std::uint64_t at) { return has(at, 4) && in_.number(at, 4) == 0; }

  double number_at(std::uint64_t at) {
    const auto bits = static_cast<std::uint32_t>(whole_at(at));
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return std::isfinite(value) ? static_cast<double>(value) : 0;
  }

 private:
  bool has(std::uint64_t at, std::uint64_t size) const { return at + size <= end_; }

  // A zero ends it only if there is room for one.
  std::string text_at(const DpxField& field) {
    const auto size = static_cast<std::uint64_t>(field.size);
    std::string held = has(field.at, size) ? in_.text(field.at, size) : std::string();
    held.resize(std::min(held.find('\0'), held.size()));
    while (!held.empty() && (held.back() == ' ' || held.back() == '\xff')) held.pop_back();
    return utf8_of(held);
  }

  static std::string number_text(double value) {
    if (value == 0) return {};
    std::array<char, 32> out{};
    const auto end =
        std::to_chars(out.data(), out.data() + out.size(), static_cast<float>(value)).ptr;
    return {out.data(), end};
  }

  // Eight digits of four bits each, as in SMPTE 12M.
  std::string digits_at(std::uint64_t at) {
    const std::uint64_t value = whole_at(at);
    if (value == 0) return {};
    std::array<char, 16> out{};
    std::snprintf(out.data(), out.size(), "%02x:%02x:%02x:%02x",
                  static_cast<unsigned>(value >> 24 & 255),
                  static_cast<unsigned>(value >> 16 & 255), static_cast<unsigned>(value >> 8 & 255),
                  static_cast<unsigned>(value & 255));
    return out.data();
  }

  Bytes in_;
  std::uint64_t end_ = 0;
};

void put_or_erase(ImageSpec& spec, const char* name, const std::string& value) {
  if (value.empty()) {
    spec.erase_attribute(name);
  } else {
    spec.attribute(name, value);
  }
}

// "2020:01:02:03:04:05", and perhaps a time zone. A text that is no date stays a text.
void read_dpx_date(const std::string& said, ImageSpec& spec) {
  constexpr std::size_t day = 10, length = 19;
  constexpr std::string_view local = "LTZ";
  spec.erase_attribute("DateTime");
  std::string date = said.substr(0, length);
  if (date.size() > day) date[day] = ' ';
  if (!is_date(date)) return put_or_erase(spec, dpx_creation.name, said);
  spec.attribute("DateTime", date);
  const std::string zone = said.substr(length);
  put_or_erase(spec, "Time zone", zone == local ? std::string() : zone);
}

// Where in its original the picture lies, if it is a part of one.
void read_dpx_place(DpxHeader& header, ImageSpec& spec) {
  const std::uint64_t x = header.whole_at(dpx_x_at), y = header.whole_at(dpx_y_at),
                      width = header.whole_at(x_original_at),
                      height = header.whole_at(y_original_at);
  const bool is_other = (width != 0 && width != header.whole_at(dpx_width_at)) ||
                        (height != 0 && height != header.whole_at(dpx_height_at));
  if (x == 0 && y == 0 && !is_other) return;
  spec.attribute("X offset", std::to_string(x));
  spec.attribute("Y offset", std::to_string(y));
  if (width != 0) spec.attribute("X original size", std::to_string(width));
  if (height != 0) spec.attribute("Y original size", std::to_string(height));
}

// The first frame has the number 0, and perhaps such a time code: zeros count where the length of
// the sequence is given, or anything else of film or television.
void read_frames(DpxHeader& header, ImageSpec& spec) {
  bool any = false;
  for (const DpxField& field : dpx_fields) {
    const std::string value = header.value(field);
    put_or_erase(spec, field.name, value);
    any = any || (field.at >= dpx_film_at && !value.empty());
  }
  const bool counted = spec.find_attribute("Sequence length") != nullptr;
  if (counted && header.is_zero(frame_at)) spec.attribute("Frame position", "0");
  if (any && header.is_zero(time_code_at)) spec.attribute("Time code", "00:00:00:00");
  // OpenImageIO makes something of nothing.
  if (spec.find_attribute("Time code") == nullptr) spec.erase_attribute("smpte:TimeCode");
  if (spec.find_attribute("Film edge code") == nullptr) spec.erase_attribute("smpte:KeyCode");
}

// Film's rate counts before that of television; both are whole, or whole by 1000/1001, or rounded.
void read_frame_rate(DpxHeader& header, ImageSpec& spec) {
  constexpr double most = 10000, near = 1e-3;
  double rate = header.number_at(film_rate_at);
  if (rate <= 0) rate = header.number_at(video_rate_at);
  if (rate <= 0 || rate > most) return;
  for (const int below : {1, 1001, 1000}) {
    const double above = below == 1001 ? std::round(rate * 1.001) * 1000 : std::round(rate * below);
    if (below != 1000 && std::abs(above / below - rate) > near) continue;
    const std::array<int, 2> fraction = {static_cast<int>(above), below};
    spec.attribute("FramesPerSecond", OIIO::TypeRational, fraction.data());
    return;
  }
}

}  // namespace

bool is_date(const std::string& text) {
  constexpr std::string_view form = "dddd:dd:dd dd:dd:dd";
  const auto fits = [](char is, char wanted) {
    return wanted == 'd' ? is >= '0' && is <= '9' : is == wanted;
  };
  if (!std::equal(text.begin(), text.end(), form.begin(), form.end(), fits)) return false;
  std::array<int, 6> parts{};
  const int count = std::sscanf(text.c_str(), "%4d:%2d:%2d %2d:%2d:%2d", &parts[0], &parts[1],
                                &parts[2], &parts[3], &parts[4], &parts[5]);
  constexpr std::array<int, 6> least = {1, 1, 1, 0, 0, 0}, most = {9999, 12, 31, 23, 59, 60};
  if (count != 6) return false;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i] < least[i] || parts[i] > most[i]) return false;
  }
  constexpr std::array<int, 12> days = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return parts[2] <= days[static_cast<std::size_t>(parts[1] - 1)];
}

void read_dpx_header(const std::filesystem::path& path, ImageSpec& spec) {
  DpxHeader header(path);
  for (const DpxField& field : dpx_known_texts) put_or_erase(spec, field.name, header.value(field));
  for (const DpxField& field : {dpx_model, dpx_serial}) {
    put_or_erase(spec, field.name, header.value(field));
  }
  read_frames(header, spec);
  read_dpx_date(header.value(dpx_creation), spec);
  read_dpx_place(header, spec);
  read_frame_rate(header, spec);
}

}  // namespace sfumato::files
