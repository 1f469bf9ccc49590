// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The extension area of TGA files (Truevision TGA File Format Specification 2.0): OpenImageIO 2.4
// reads a part of it, and writes little more than the shape of pixels.
#include "io/module/targa_area.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "io/module/embedded.hpp"
#include "io/module/targa.hpp"
#include "io/module/tiff_writer.hpp"

namespace sfumato::files {
namespace {

using OIIO::ImageSpec;

constexpr char held_area[] = "sfumato:targa_area", x_origin[] = "X origin", y_origin[] = "Y origin";
constexpr std::uint64_t origin_at = 8;
constexpr std::size_t origin_bytes = 4;

// Where the fields of the area begin, and their bytes. Texts end with a zero.
struct AreaField {
  std::size_t at, size;
};
namespace area {
constexpr AreaField author{2, 41}, stamp{367, 12}, job{379, 41}, job_time{420, 6},
    software{426, 41}, version{467, 3}, key{470, 4}, aspect{474, 4}, gamma{478, 4},
    offsets{482, 12}, table{482, 4};
constexpr std::size_t kind_of_alpha = 494;
// Four lines of comments follow each other.
constexpr std::size_t comments_at = 43, comment_bytes = 81, most_comments = 4;
}  // namespace area

void clear_field(std::string& fields, const AreaField& field) {
  std::fill_n(fields.begin() + static_cast<std::ptrdiff_t>(field.at), field.size, '\0');
}

bool is_zero(const std::string& fields, const AreaField& field) {
  return fields.find_first_not_of('\0', field.at) >= std::min(fields.size(), field.at + field.size);
}

std::uint64_t short_in(const std::string& fields, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(fields[i]); };
  return byte(at) | static_cast<std::uint64_t>(byte(at + 1)) << 8;
}

void put_short(std::string& fields, std::size_t at, std::uint32_t value) {
  fields.replace(at, 2, little_endian(value, 2));
}

// With the version, a hundredth of the number, if there is one.
std::string program_in(const std::string& fields) {
  std::string out = fields.substr(area::software.at, area::software.size);
  out = utf8_of(out.substr(0, out.find('\0')));
  const auto number = static_cast<unsigned>(short_in(fields, area::version.at));
  if (out.empty() || number == 0) return out;
  std::array<char, 16> digits{};
  std::snprintf(digits.data(), digits.size(), " %u.%02u", number / 100, number % 100);
  const char letter = fields[area::version.at + 2];
  return out + digits.data() + (letter > ' ' && letter <= 'z' ? std::string(1, letter) : "");
}

// False if it is cut, which happens between characters.
bool put_text(std::string& fields, std::size_t at, std::size_t most, std::string text) {
  const bool whole = text.size() <= most;
  if (!whole) text = text.substr(0, end_of_characters(text, most));
  fields.replace(at, text.size(), text);
  return whole;
}

constexpr std::array<std::size_t, 6> stamp_order = {1, 2, 0, 3, 4, 5};  // the month first

void put_date(std::string& fields, const std::string& date) {
  if (!is_date(date)) return;
  std::array<unsigned, 6> parts{};
  std::sscanf(date.c_str(), "%4u:%2u:%2u %2u:%2u:%2u", &parts[0], &parts[1], &parts[2], &parts[3],
              &parts[4], &parts[5]);
  for (std::size_t i = 0; i < stamp_order.size(); ++i) {
    put_short(fields, area::stamp.at + 2 * i, parts[stamp_order[i]]);
  }
}

// One that is none of the calendar is left out.
void read_stamp(std::string& fields, ImageSpec& spec) {
  spec.erase_attribute("DateTime");
  if (is_zero(fields, area::stamp)) return;
  std::array<unsigned, 6> parts{};
  for (std::size_t i = 0; i < stamp_order.size(); ++i) {
    parts[stamp_order[i]] = static_cast<unsigned>(short_in(fields, area::stamp.at + 2 * i));
  }
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%04u:%02u:%02u %02u:%02u:%02u", parts[0], parts[1],
                parts[2], parts[3], parts[4], parts[5]);
  const bool sound = is_date(text.data());
  spec.attribute(sound ? "DateTime" : "sfumato:no_date", text.data());
  if (!sound) clear_field(fields, area::stamp);
}

// Where on a screen the picture lies.
void read_origin(Bytes& in, ImageSpec& spec) {
  const std::uint64_t x = in.number(origin_at, 2), y = in.number(origin_at + 2, 2);
  if (x == 0 && y == 0) return;
  spec.attribute(x_origin, std::to_string(x));
  spec.attribute(y_origin, std::to_string(y));
}

// The bytes of the header that say it; they follow the area where that is carried.
std::string origin_of(const ImageSpec& spec) {
  std::string out;
  for (const char* name : {x_origin, y_origin}) {
    const int value = OIIO::Strutil::stoi(spec.get_string_attribute(name));
    out += little_endian(static_cast<std::uint32_t>(value), 2);
  }
  return out;
}

// OpenImageIO reads on behind a text that fills its field.
void end_texts(const std::string& fields, ImageSpec& spec) {
  const auto text_of = [&](std::size_t at, std::size_t size) { return fields.substr(at, size); };
  const auto runs_on = [](const std::string& text) { return text.find('\0') == text.npos; };
  for (const auto& [field, name] :
       {std::pair(area::author, "Artist"), {area::job, "DocumentName"}}) {
    const std::string text = text_of(field.at, field.size);
    if (runs_on(text)) spec.attribute(name, utf8_of(text));
  }
  std::string comments;
  bool any = false;
  for (std::size_t i = 0; i < area::most_comments; ++i) {
    std::string line = text_of(area::comments_at + i * area::comment_bytes, area::comment_bytes);
    any = any || runs_on(line);
    line.resize(std::min(line.find('\0'), line.size()));
    if (!line.empty()) comments += (comments.empty() ? "" : "\n") + utf8_of(line);
  }
  if (any) spec.attribute("ImageDescription", comments);
}

std::string empty_area() {
  std::string fields(targa_area_bytes, '\0');
  put_short(fields, 0, targa_area_bytes);
  fields[area::version.at + 2] = ' ';
  return fields;
}

}  // namespace

void read_targa_area(const std::filesystem::path& path, ImageSpec& spec) {
  Bytes in(path, false);
  const TargaHeader header(in);
  read_origin(in, spec);
  if (header.developer != 0) spec.attribute("sfumato:targa_developer", 1);
  if (header.area == 0 || in.number(header.area, 2) < targa_area_bytes) return;
  std::string fields = in.text(header.area, targa_area_bytes);
  if (fields.empty()) return;
  read_stamp(fields, spec);
  put_bytes(spec, held_area, fields);
  end_texts(fields, spec);
  const std::string program = program_in(fields);
  if (!program.empty()) spec.attribute("Software", program);
  if (!is_zero(fields, area::table)) spec.attribute("sfumato:targa_table", 1);
  spec.erase_attribute("oiio:ColorSpace");
  spec.erase_attribute("oiio:Gamma");
  const double above = static_cast<double>(short_in(fields, area::gamma.at)),
               below = static_cast<double>(short_in(fields, area::gamma.at + 2));
  if (above <= 0 || below <= 0) return;
  const auto value = static_cast<float>(above / below);
  spec.attribute("oiio:ColorSpace", value == 1.0f ? "Linear" : "Gamma");
  spec.attribute("oiio:Gamma", value);
}

bool has_in_targa(const ImageSpec& spec, Property property) {
  if (property == Property::private_tags) {
    return spec.get_int_attribute("sfumato:targa_developer") != 0;
  }
  const std::string fields = bytes_in(spec, held_area);
  if (fields.size() != targa_area_bytes) return false;
  return !is_zero(fields, property == Property::key_color ? area::key : area::job_time);
}

std::string targa_area_of(const ImageSpec& spec, const std::string& comments, bool& cut) {
  std::string fields = empty_area();
  const auto take = [&](const AreaField& field, const char* name) {
    const std::string text(spec.get_string_attribute(name));
    cut = !put_text(fields, field.at, field.size - 1, text) || cut;
  };
  take(area::author, "Artist");
  take(area::job, "DocumentName");
  take(area::software, "Software");
  put_date(fields, std::string(spec.get_string_attribute("DateTime")));
  const std::vector<std::string> lines = broken_lines(comments, area::comment_bytes - 1);
  for (std::size_t i = 0; i < std::min(lines.size(), area::most_comments); ++i) {
    put_text(fields, area::comments_at + i * area::comment_bytes, area::comment_bytes - 1,
             lines[i]);
  }
  cut = cut || lines.size() > area::most_comments;
  return fields;
}

std::string carried_targa_area(const ImageSpec& spec, bool texts, bool same_colors) {
  std::string fields = bytes_in(spec, held_area);
  if (fields.size() != targa_area_bytes) fields = empty_area();
  if (!texts) {
    const std::string shape = fields.substr(area::aspect.at, area::aspect.size + area::gamma.size);
    fields = empty_area();
    fields.replace(area::aspect.at, shape.size(), shape);
  }
  clear_field(fields, area::offsets);
  if (!same_colors) {
    clear_field(fields, area::key);
    clear_field(fields, area::gamma);
  }
  return texts ? fields + origin_of(spec) : fields;
}

std::string finished_targa_area(std::string fields, double shape, bool alpha) {
  constexpr double whole = 10000, most = 60000;
  constexpr char no_alpha = 0, straight = 3;
  if (shape > 0 && is_zero(fields, area::aspect)) {
    const double above = std::min(most, whole * std::max(shape, 1.0));
    put_short(fields, area::aspect.at, static_cast<std::uint32_t>(std::lround(above)));
    put_short(fields, area::aspect.at + 2,
              static_cast<std::uint32_t>(std::lround(std::min(most, above / shape))));
  }
  fields[area::kind_of_alpha] = alpha ? straight : no_alpha;
  return fields;
}

bool put_targa_area(int descriptor, const std::filesystem::path& path, const std::string& fields) {
  Bytes in(path, false);
  const TargaHeader header(in);
  const std::string_view all = fields, stated = all.substr(0, targa_area_bytes),
                         origin = all.substr(stated.size());
  return header.area != 0 && in.has(header.area, stated.size()) &&
         write_at(descriptor, stated, header.area) &&
         (origin.size() != origin_bytes || write_at(descriptor, origin, origin_at));
}

}  // namespace sfumato::files
