// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// OpenEXR attributes that OpenImageIO 2.4 does not read, or would write with another type: they go
// into another OpenEXR file as they are.
#include <algorithm>
#include <array>
#include <cstdint>

#include "io/module/embedded.hpp"

namespace sfumato::files {
namespace {

using OIIO::ImageSpec;
using namespace std::string_view_literals;

constexpr const char *exr_bytes = "sfumato:exr_attributes", *exr_names = "sfumato:exr_names",
                     *exr_lost = "sfumato:exr_lost", *exr_replaced = "sfumato:exr_replaced";

// The types that OpenImageIO reads under any name, and writes as they were.
constexpr std::array known_types = {
    "string"sv, "int"sv,   "float"sv,        "double"sv,   "m33f"sv,    "m44f"sv,    "m33d"sv,
    "m44d"sv,   "v2i"sv,   "v2f"sv,          "v2d"sv,      "v3i"sv,     "v3f"sv,     "v3d"sv,
    "box2i"sv,  "box2f"sv, "stringvector"sv, "timecode"sv, "keycode"sv, "rational"sv};

// Those that it reads, but writes as others: as a vector of three numbers, for example.
constexpr std::array changed_types = {"floatvector"sv, "chromaticities"sv};

// What the file says of itself is said anew.
constexpr std::array of_storage = {"channels"sv,
                                   "compression"sv,
                                   "dataWindow"sv,
                                   "displayWindow"sv,
                                   "lineOrder"sv,
                                   "pixelAspectRatio"sv,
                                   "screenWindowCenter"sv,
                                   "screenWindowWidth"sv,
                                   "tiles"sv,
                                   "name"sv,
                                   "type"sv,
                                   "version"sv,
                                   "chunkCount"sv,
                                   "preview"sv,
                                   "deepImageState"sv,
                                   "maxSamplesPerPixel"sv,
                                   "multiView"sv,
                                   "view"sv,
                                   "dwaCompressionLevel"sv};

// Attributes that OpenImageIO takes for its own of these names, and the types that it writes.
struct NamedAttribute {
  std::string_view name, type, in_spec;
};
constexpr std::array named_attributes = {
    NamedAttribute{"owner", "string", "copyright"},
    NamedAttribute{"capDate", "string", "datetime"},
    NamedAttribute{"comments", "string", "imagedescription"},
    NamedAttribute{"expTime", "float", "exposuretime"},
    NamedAttribute{"aperture", "float", "fnumber"},
    NamedAttribute{"xDensity", "float", "xresolution"},
    NamedAttribute{"worldToCamera", "m44f", "worldtocamera"},
    NamedAttribute{"worldToNDC", "m44f", "worldtoscreen"},
    NamedAttribute{"envmap", "envmap", "textureformat"},
    NamedAttribute{"wrapmodes", "string", "wrapmodes"},
    NamedAttribute{"chromaticities", "chromaticities", "chromaticities"}};

// Longer names need a mark in the file's head.
constexpr std::size_t longest_name = 31;
constexpr std::uint64_t most_held = std::uint64_t{1} << 19;  // of a part: heads stay short
constexpr std::size_t most_names = std::size_t{1} << 16;     // in bytes
constexpr int most_attributes = 100000;

struct ExrAttribute {
  std::string name, type;
  std::uint64_t at = 0, value = 0, end = 0;  // in the file, with its name
};

// What becomes of an attribute.
enum class Kept {
  by_spec,   // OpenImageIO reads and writes it
  as_bytes,  // only as it is, instead of what OpenImageIO makes of it
  unread,    // only as it is, and no other format gets it
  nowhere
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
  out.value = at + 4;
  at += size + 4;
  out.end = at;
  return true;
}

template <class List>
bool among(std::string_view name, const List& list) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

const NamedAttribute* named(const std::string& name) {
  const auto found = std::find_if(named_attributes.begin(), named_attributes.end(),
                                  [&](const NamedAttribute& one) { return one.name == name; });
  return found == named_attributes.end() ? nullptr : found;
}

// OpenImageIO leaves out empty texts, and what comes after a 0.
bool is_whole_text(Bytes& in, const ExrAttribute& one) {
  const std::uint64_t size = one.end - one.value;
  if (one.type == "stringvector") return size > 0;
  return one.type != "string" ||
         (size > 0 && in.text(one.value, size).find('\0') == std::string::npos);
}

// Types that files say of themselves are right under their own names only.
Kept treatment_of(Bytes& in, const ExrAttribute& one) {
  const NamedAttribute* own = named(one.name);
  if (own != nullptr && own->type == one.type) {
    return is_whole_text(in, one) ? Kept::by_spec : Kept::as_bytes;
  }
  // Primaries count, however they are stored.
  if (one.name == "chromaticities" && one.type == "floatvector") return Kept::by_spec;
  if (among(one.name, of_storage)) {
    // Of other types than OpenEXR's own, these would be left out.
    const bool lost = (one.name == "name" && one.type != "string") ||
                      (one.name == "tiles" && one.type != "tiledesc") ||
                      (one.name == "multiView" && one.type != "stringvector");
    return lost ? Kept::nowhere : Kept::by_spec;
  }
  if (!is_copied_name(one.name)) return Kept::unread;
  if (among(one.type, changed_types)) return Kept::as_bytes;
  if (!among(one.type, known_types)) return Kept::unread;
  if (own != nullptr) return Kept::as_bytes;
  return is_whole_text(in, one) ? Kept::by_spec : Kept::as_bytes;
}

void add_name(std::string& to, const ExrAttribute& one) {
  to += (to.empty() ? "" : ", ") + one.name + " (" + one.type + ")";
}

// What a header holds beside that which OpenImageIO copies.
struct HeldAttributes {
  std::string bytes, names, lost, replaced;

  void add(Bytes& in, const ExrAttribute& one, Kept kept) {
    const bool fits = kept != Kept::nowhere && bytes.size() + one.end - one.at <= most_held &&
                      std::max(one.name.size(), one.type.size()) <= longest_name;
    if (fits) bytes += in.text(one.at, one.end - one.at);
    if (kept == Kept::as_bytes && replaced.size() < most_names) {
      const NamedAttribute* own = named(one.name);
      replaced += (own == nullptr ? lower(one.name) : std::string(own->in_spec)) + "\n";
    }
    // The rest of a text after a 0 is read by nobody; an empty one says nothing.
    const bool cut = one.type == "string" && one.end > one.value;
    if (fits && kept == Kept::as_bytes && !cut) return;
    std::string& list = fits ? names : lost;
    if (list.size() < most_names) add_name(list, one);
  }
};

// Reads a part's header, and goes behind it. False where it makes no sense.
bool read_header(Bytes& in, std::uint64_t& at, ImageSpec& spec) {
  HeldAttributes held;
  int count = 0;
  for (ExrAttribute one; next_attribute(in, at, one);) {
    if (++count > most_attributes) return false;
    const Kept kept = treatment_of(in, one);
    if (kept != Kept::by_spec) held.add(in, one, kept);
    // Two sides, and a byte whose lower half says which levels there are.
    if (one.name == "tiles" && (in.number(one.value + 8, 1) & 15) != 0) {
      spec.attribute(smaller_copies, 1);
    }
  }
  if (!held.bytes.empty()) put_bytes(spec, exr_bytes, held.bytes);
  if (!held.names.empty()) spec.attribute(exr_names, held.names);
  if (!held.lost.empty()) spec.attribute(exr_lost, held.lost);
  if (!held.replaced.empty()) spec.attribute(exr_replaced, "\n" + held.replaced);
  return in.has(at++, 1) && in.number(at - 1, 1) == 0;
}

// What decides how many bytes are packed together.
struct Blocks {
  double pixel = 0, width = 0, tile = 0;
  int compression = 0;

  double bytes() const {
    // In the order of OpenEXR's numbers: none, RLE, ZIPS, ZIP, PIZ, PXR24, B44, B44A, DWAA, DWAB.
    constexpr std::array<double, 10> rows = {1, 1, 1, 16, 32, 16, 32, 32, 32, 256};
    const auto known = static_cast<std::size_t>(std::clamp(compression, 0, 9));
    return pixel * (tile > 0 ? tile : width * rows[known]);
  }
  void read(Bytes& in, const ExrAttribute& one) {
    const auto number = [&](std::uint64_t at) { return static_cast<double>(in.number(at, 4)); };
    if (one.name == "compression") compression = static_cast<int>(in.number(one.value, 1));
    if (one.name == "tiles") tile = number(one.value) * number(one.value + 4);
    if (one.name == "dataWindow") {
      const auto side = [&](std::uint64_t at) {
        return static_cast<std::int32_t>(in.number(one.value + at, 4));
      };
      width = std::max(1.0, 1.0 + side(8) - side(0));
    }
    if (one.name == "channels") read_channels(in, one);
  }

 private:
  // Each a name, and 16 bytes, of which the first say its type: half numbers have two bytes.
  void read_channels(Bytes& in, const ExrAttribute& one) {
    constexpr std::uint64_t half_type = 1, behind_name = 16;
    pixel = 0;
    for (std::uint64_t at = one.value; at < one.end && !word_at(in, at).empty();) {
      pixel += in.number(at, 4) == half_type ? 2 : 4;
      at += behind_name;
    }
  }
};

}  // namespace

double exr_block_bytes(const std::filesystem::path& path) {
  constexpr std::uint64_t several_parts = 0x1000;
  constexpr int most_parts = 1000;
  Bytes in(path, false);
  const bool several = (in.number(4, 4) & several_parts) != 0;
  double most = 0;
  std::uint64_t at = 8;
  for (int i = 0; i < (several ? most_parts : 1) && in.has(at, 1); ++i) {
    Blocks blocks;
    int count = 0;
    for (ExrAttribute one; next_attribute(in, at, one) && ++count < most_attributes;) {
      blocks.read(in, one);
    }
    most = std::max(most, blocks.bytes());
    if (in.number(at++, 1) != 0 || in.number(at, 1) == 0) break;
  }
  return most;
}

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

bool is_replaced_in_exr(const ImageSpec& spec, const std::string& name) {
  const std::string all(spec.get_string_attribute(exr_replaced));
  return !all.empty() && all.find("\n" + lower(name) + "\n") != std::string::npos;
}

std::string lost_exr_attributes(const ImageSpec& spec, bool all) {
  const std::string lost(spec.get_string_attribute(exr_lost));
  const std::string names = all ? std::string(spec.get_string_attribute(exr_names)) : "";
  return names.empty() || lost.empty() ? names + lost : names + ", " + lost;
}

}  // namespace sfumato::files
