// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Headers of Radiance HDR files (G. Ward, Radiance File Formats): OpenImageIO 2.4 reads a part of
// them, turns some pictures the wrong way, and writes none of it.
#include "io/module/radiance.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "io/module/embedded.hpp"

namespace sfumato::files {
namespace {

using OIIO::ImageSpec;
using OIIO::TypeDesc;

constexpr std::uint64_t longest_header = 65536;

// The axes from the first sample: rows or columns first, each up or down, left or right. In the
// order of EXIF's orientations. Y grows upwards.
constexpr std::array<std::string_view, 8> axes = {"-Y+X", "-Y-X", "+Y-X", "+Y+X",
                                                  "+X-Y", "-X-Y", "-X+Y", "+X+Y"};

// "-Y 32 +X 16".
int orientation_of(std::string_view line) {
  std::string signs;
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    if (line[i] == '+' || line[i] == '-') signs.append(line.substr(i, 2));
  }
  const auto found = std::find(axes.begin(), axes.end(), signs);
  return found == axes.end() ? 1 : static_cast<int>(found - axes.begin()) + 1;
}

// The numbers after a variable's name, at most `count`; fewer if some make no sense.
std::vector<double> numbers_in(std::string_view text, std::size_t count) {
  std::vector<double> out;
  while (out.size() < count) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || !std::isfinite(number)) break;
    out.push_back(number);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
  return out;
}

double number_in(std::string_view text) {
  const std::vector<double> one = numbers_in(text, 1);
  return one.empty() ? 0 : one[0];
}

void append_line(std::string& to, std::string_view line) {
  if (!to.empty()) to += '\n';
  to += line;
}

std::string trimmed(std::string_view text) {
  const std::size_t from = std::min(text.find_first_not_of(" \t"), text.size());
  return std::string(text.substr(from));
}

void take_primaries(std::string_view value, RadianceHeader& out) {
  const std::vector<double> numbers = numbers_in(value, 8);
  if (numbers.size() < 8) return;
  out.primaries.emplace();
  for (std::size_t i = 0; i < 8; ++i) (*out.primaries)[i / 2][i % 2] = numbers[i];
}

// Factors of a variable that is given several times are multiplied.
void take_line(std::string_view line, RadianceHeader& out) {
  const std::size_t sign = line.find('=');
  const std::string_view name = line.substr(0, sign);
  const std::string_view value = sign == std::string_view::npos ? "" : line.substr(sign + 1);
  if (name == "FORMAT") {
    out.xyz = value == "32-bit_rle_xyze";
  } else if (name == "EXPOSURE" || name == "COLORCORR") {
    append_line(out.exposures, line);
  } else if (name == "GAMMA") {
    out.gamma = number_in(value);
  } else if (name == "PIXASPECT") {
    out.aspect *= number_in(value);
  } else if (name == "PRIMARIES") {
    take_primaries(value, out);
  } else if (name == "SOFTWARE") {
    append_line(out.software, trimmed(value));
  } else if (name == "CAPDATE" && is_date(trimmed(value))) {
    out.date = trimmed(value);
  } else if (!line.empty()) {
    append_line(out.texts, line);
  }
}

void append_number(std::string& to, float value) {
  std::array<char, 64> digits{};
  const auto end =
      std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::fixed);
  to.append(" ").append(digits.data(), end.ptr);
}

// A line of its own for each line of a text; an empty one would end the header.
void add_lines(std::string& to, std::string_view before, std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (!line.empty()) to.append(before).append(line).append("\n");
  }
}

}  // namespace

RadianceHeader radiance_header(const std::filesystem::path& path) {
  RadianceHeader out;
  Bytes in(path, false);
  const std::string head = in.text(0, std::min(longest_header, in.size()));
  std::string_view left = head;
  left.remove_prefix(std::min(left.find('\n'), left.size() - 1) + 1);  // the file's mark
  while (!left.empty()) {
    const std::string_view line = left.substr(0, left.find('\n'));
    left.remove_prefix(std::min(line.size() + 1, left.size()));
    if (line.empty()) break;
    take_line(line, out);
  }
  out.place_of_axes = head.size() - left.size();
  out.axes = left.substr(0, left.find('\n'));
  return out;
}

void read_radiance(const std::filesystem::path& path, ImageSpec& spec) {
  const RadianceHeader header = radiance_header(path);
  spec.attribute("Orientation", orientation_of(header.axes));
  if (header.aspect > 0 && header.aspect != 1) {
    spec.attribute("PixelAspectRatio", static_cast<float>(1 / header.aspect));
  }
  if (!header.software.empty()) spec.attribute("Software", header.software);
  if (!header.date.empty()) spec.attribute("DateTime", header.date);
  if (!header.texts.empty()) spec.attribute("Comment", header.texts);
  if (!header.exposures.empty()) spec.attribute(radiance_exposures, header.exposures);
  if (!header.primaries || header.xyz) return;
  std::array<float, 8> numbers{};
  for (std::size_t i = 0; i < 8; ++i) {
    numbers[i] = static_cast<float>((*header.primaries)[i / 2][i % 2]);
  }
  spec.attribute("chromaticities", TypeDesc(TypeDesc::FLOAT, 8), numbers.data());
}

std::string radiance_lines(const ImageSpec& spec, const std::string& exposures, bool texts) {
  std::string out;
  add_lines(out, "", exposures);
  const float aspect = spec.get_float_attribute("PixelAspectRatio");
  if (aspect > 0 && aspect != 1) {
    out += "PIXASPECT=";
    append_number(out, 1 / aspect);
    out += '\n';
  }
  const OIIO::ParamValue* p = spec.find_attribute("chromaticities", TypeDesc(TypeDesc::FLOAT, 8));
  if (p != nullptr) {
    out += "PRIMARIES=";
    for (int i = 0; i < 8; ++i) append_number(out, static_cast<const float*>(p->data())[i]);
    out += '\n';
  }
  add_lines(out, "SOFTWARE= ", spec.get_string_attribute("Software"));
  std::string date(spec.get_string_attribute("Exif:DateTimeOriginal"));
  if (date.empty()) date = spec.get_string_attribute("DateTime");
  if (is_date(date)) add_lines(out, "CAPDATE= ", date);
  if (texts) add_lines(out, "", spec.get_string_attribute("Comment"));
  return out;
}

bool turn_radiance(int descriptor, const std::filesystem::path& path, const ImageSpec& spec) {
  const int orientation = std::clamp(spec.get_int_attribute("Orientation", 1), 1, 8);
  if (orientation == 1) return true;
  const RadianceHeader header = radiance_header(path);
  const std::string_view signs = axes[static_cast<std::size_t>(orientation - 1)];
  const std::string line = std::string(signs.substr(0, 2)) + " " + std::to_string(spec.height) +
                           " " + std::string(signs.substr(2)) + " " + std::to_string(spec.width);
  return line.size() == header.axes.size() && write_at(descriptor, line, header.place_of_axes);
}

}  // namespace sfumato::files
