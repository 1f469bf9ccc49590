// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What is said of Photoshop's files, and what their merged picture does with a layer (Adobe
// Photoshop File Formats Specification, layer records).
#include <algorithm>
#include <array>
#include <string_view>

#include "io/module/embedded.hpp"
#include "io/module/planner.hpp"
#include "io/module/psd.hpp"

namespace sfumato::files {
namespace {

struct PsdBlending {
  std::string_view key, name;
};
constexpr std::array psd_blending = {
    PsdBlending{"pass", "pass through"}, PsdBlending{"diss", "dissolve"},
    PsdBlending{"dark", "darken"},       PsdBlending{"mul ", "multiply"},
    PsdBlending{"idiv", "color burn"},   PsdBlending{"lbrn", "linear burn"},
    PsdBlending{"dkCl", "darker color"}, PsdBlending{"lite", "lighten"},
    PsdBlending{"scrn", "screen"},       PsdBlending{"div ", "color dodge"},
    PsdBlending{"lddg", "linear dodge"}, PsdBlending{"lgCl", "lighter color"},
    PsdBlending{"over", "overlay"},      PsdBlending{"sLit", "soft light"},
    PsdBlending{"hLit", "hard light"},   PsdBlending{"vLit", "vivid light"},
    PsdBlending{"lLit", "linear light"}, PsdBlending{"pLit", "pin light"},
    PsdBlending{"hMix", "hard mix"},     PsdBlending{"diff", "difference"},
    PsdBlending{"smud", "exclusion"},    PsdBlending{"fsub", "subtract"},
    PsdBlending{"fdiv", "divide"},       PsdBlending{"hue ", "hue"},
    PsdBlending{"sat ", "saturation"},   PsdBlending{"colr", "color"},
    PsdBlending{"lum ", "luminosity"}};

// Empty for the normal one. ImageMagick writes some keys backwards.
std::string name_of_blending(const std::string& key) {
  const std::string backwards(key.rbegin(), key.rend());
  if (key == "norm" || backwards == "norm") return {};
  for (const PsdBlending& one : psd_blending) {
    if (one.key == key || one.key == backwards) return std::string(one.name);
  }
  return "unknown";
}

// Behind the rectangle and the channels of a record.
struct PsdRecord {
  std::int32_t x = 0, y = 0;
  bool has_mask = false;
  std::uint64_t at = 0;  // "8BIM" and the blending mode
};
PsdRecord psd_record(Bytes& in, std::uint64_t at, bool large) {
  const auto side = [&](std::uint64_t place) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(in.number(place, 4)));
  };
  PsdRecord out{side(at + 4), side(at), false, at + 18};
  const std::uint64_t channels = in.number(at + 16, 2);
  for (std::uint64_t i = 0; i < channels && in.has(out.at, 6); ++i) {
    constexpr std::int16_t mask = -2, mask_of_vectors = -3;
    const auto id = static_cast<std::int16_t>(in.number(out.at, 2));
    out.has_mask = out.has_mask || id == mask || id == mask_of_vectors;
    out.at += large ? 10 : 6;
  }
  return out;
}

std::vector<Message> properties_of_psd_layer(const std::filesystem::path& path, int number) {
  Bytes in(path, true);
  const PsdHeader header(in);
  PsdRecord record;
  std::uint64_t at = header.records;
  if (at == 0) return {};
  for (int i = 1; i <= number; ++i) {
    record = psd_record(in, at, header.large);
    at = record.at + 16 + in.number(record.at + 12, 4);
    if (!in.has(record.at, 16)) return {};
  }
  constexpr std::uint64_t whole = 255, hidden = 2;
  std::vector<Message> out;
  if (record.x != 0 || record.y != 0) {
    out.push_back(
        message({"psd.layer_place", "its place in the picture ({x}, {y})"}, record.x, record.y));
  }
  const std::uint64_t opacity = in.number(record.at + 8, 1), flags = in.number(record.at + 10, 1);
  if (opacity < whole) {
    out.push_back(message({"psd.layer_opacity", "its opacity ({percent} %)"},
                          (opacity * 100 + whole / 2) / whole));
  }
  const std::string blending = name_of_blending(in.text(record.at + 4, 4));
  if (!blending.empty()) {
    out.push_back(message({"psd.layer_blending", "its blending mode ({mode})"}, blending));
  }
  if (record.has_mask) out.push_back(message({"psd.layer_mask", "its mask"}));
  if (in.number(record.at + 9, 1) != 0) {
    out.push_back(message({"psd.layer_clipped", "that the layer below it clips it"}));
  }
  if ((flags & hidden) != 0) out.push_back(message({"psd.layer_hidden", "that it is hidden"}));
  return out;
}

}  // namespace

std::vector<Message> warnings_of_psd(const std::filesystem::path& path,
                                     const OIIO::ImageSpec& spec) {
  std::vector<Message> out;
  if (spec.get_int_attribute(psd_unread_layers) > 0) {
    out.push_back(message({"psd.layers_left_out",
                           "{file}: its layers are stored in a way that cannot be read, and are "
                           "left out; the merged picture is read"},
                          shown(path)));
  }
  if (spec.get_int_attribute(psd_ground) != 0) {
    out.push_back(message({"psd.ground_unknown",
                           "{file}: nothing says whether its colours are mixed with white where it "
                           "is transparent; they are read as they are stored"},
                          shown(path)));
  }
  if (const int layer = spec.get_int_attribute(psd_layer); layer > 0) {
    const std::vector<Message> left = properties_of_psd_layer(path, layer);
    if (!left.empty()) {
      out.push_back(message({"psd.layer_alone",
                             "{file}: a layer is read as it is stored; what the picture does with "
                             "it is left out: {properties}"},
                            shown(path), listed(left)));
    }
  }
  const int channels = spec.get_int_attribute(psd_unread_channels);
  if (channels > 0) {
    out.push_back(message({"psd.channels_left_out",
                           "{file}: channels beside its colours, such as selections or inks "
                           "({count}), are left out"},
                          shown(path), channels));
  }
  const int mode = spec.get_int_attribute(psd_inks, -1);
  if (mode == PsdHeader::duotone) {
    out.push_back(
        message({"psd.duotone", "{file}: the inks of a duotone are left out; it is read in gray"},
                shown(path)));
  }
  if (mode == PsdHeader::multichannel) {
    out.push_back(message({"psd.multichannel",
                           "{file}: its channels are inks of unknown colours; they are taken for "
                           "red, green and blue, or for gray"},
                          shown(path)));
  }
  if (mode == PsdHeader::cmyk) {
    out.push_back(message({"psd.cmyk_without_profile",
                           "{file}: its inks are converted to RGB by a simple rule, because it "
                           "has no profile; the colours may look different"},
                          shown(path)));
  }
  return out;
}

void check_layers(const std::filesystem::path& path, OIIO::ImageInput& psd) {
  if (psd.spec(0).get_int_attribute(psd_unread_layers) == 0) return;
  throw FileError(message({"psd.layers_unread",
                           "{file}: its layers are stored in a way that cannot be read; only the "
                           "merged picture, page 1, can be"},
                          shown(path)));
}

}  // namespace sfumato::files
