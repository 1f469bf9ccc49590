// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// OpenEXR attributes of types that OpenImageIO 2.4 does not read: they go into another OpenEXR file
// as they are.
#include <algorithm>
#include <array>

#include "io/module/embedded.hpp"

namespace sfumato::files {
namespace {

using OIIO::ImageSpec;
using namespace std::string_view_literals;

constexpr const char *exr_bytes = "sfumato:exr_attributes", *exr_names = "sfumato:exr_names",
                     *exr_lost = "sfumato:exr_lost";

// The types that OpenImageIO reads, and those of attributes that say how a file is stored.
constexpr std::array known_types = {"string"sv,        "int"sv,          "float"sv,
                                    "double"sv,        "m33f"sv,         "m44f"sv,
                                    "m33d"sv,          "m44d"sv,         "v2i"sv,
                                    "v2f"sv,           "v2d"sv,          "v3i"sv,
                                    "v3f"sv,           "v3d"sv,          "box2i"sv,
                                    "box2f"sv,         "stringvector"sv, "timecode"sv,
                                    "keycode"sv,       "rational"sv,     "chromaticities"sv,
                                    "floatvector"sv,   "chlist"sv,       "compression"sv,
                                    "lineOrder"sv,     "tiledesc"sv,     "preview"sv,
                                    "deepImageState"sv};

// Longer names need a mark in the file's head.
constexpr std::size_t longest_name = 31;
constexpr std::uint64_t most_held = std::uint64_t{1} << 19;  // of a part: heads stay short
constexpr std::size_t most_names = std::size_t{1} << 16;     // in bytes
constexpr int most_attributes = 100000;

struct ExrAttribute {
  std::string name, type;
  std::uint64_t at = 0, end = 0;  // in the file, with its name
};

// Reads a word that ends by 0, and goes behind it; empty if there is none, then it goes nowhere.
std::string word_at(Bytes& in, std::uint64_t& at) {
  constexpr std::uint64_t longest = 256;
  const std::string bytes = in.text(at, std::min(longest, in.behind(at)));
  const std::size_t end = bytes.find('\0');
  if (end == std::string::npos || end == 0) return {};
  at += end + 1;
  return bytes.substr(0, end);
}

// Reads an attribute, and goes behind it. False at the end of a header, and where it makes no
// sense.
bool next_attribute(Bytes& in, std::uint64_t& at, ExrAttribute& out) {
  out.at = at;
  out.name = word_at(in, at);
  if (out.name.empty()) return false;
  out.type = word_at(in, at);
  const std::uint64_t size = in.number(at, 4);
  if (out.type.empty() || !in.has(at, size + 4)) return false;
  at += size + 4;
  out.end = at;
  return true;
}

bool is_unread(const ExrAttribute& one) {
  if (one.type == "envmap") return one.name != "envmap";
  return std::find(known_types.begin(), known_types.end(), one.type) == known_types.end();
}

void add_name(std::string& to, const ExrAttribute& one) {
  to += (to.empty() ? "" : ", ") + one.name + " (" + one.type + ")";
}

// Reads a part's header, and goes behind it. False where it makes no sense.
bool read_header(Bytes& in, std::uint64_t& at, ImageSpec& spec) {
  std::string all, names, lost;
  int count = 0;
  for (ExrAttribute one; next_attribute(in, at, one);) {
    if (++count > most_attributes) return false;
    if (!is_unread(one)) continue;
    const bool fits = all.size() + one.end - one.at <= most_held &&
                      std::max(one.name.size(), one.type.size()) <= longest_name;
    if (fits) all += in.text(one.at, one.end - one.at);
    std::string& list = fits ? names : lost;
    if (list.size() < most_names) add_name(list, one);
  }
  if (!all.empty()) put_bytes(spec, exr_bytes, all);
  if (!names.empty()) spec.attribute(exr_names, names);
  if (!lost.empty()) spec.attribute(exr_lost, lost);
  return in.has(at++, 1) && in.number(at - 1, 1) == 0;
}

}  // namespace

void read_exr_attributes(const std::filesystem::path& path, std::vector<ImageSpec>& parts) {
  Bytes in(path, false);
  std::uint64_t at = 8;
  for (ImageSpec& part : parts) {
    if (!read_header(in, at, part)) return;
  }
}

std::string exr_attributes_in(const ImageSpec& spec) {
  return bytes_in(spec, exr_bytes);
}

std::string lost_exr_attributes(const ImageSpec& spec, bool all) {
  const std::string lost(spec.get_string_attribute(exr_lost));
  const std::string names = all ? std::string(spec.get_string_attribute(exr_names)) : "";
  return names.empty() || lost.empty() ? names + lost : names + ", " + lost;
}

}  // namespace sfumato::files
