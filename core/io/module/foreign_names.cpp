// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Files may hold texts and attributes of any name, among them those by which readers tell what they
// found: such texts must not pass for it.
#include <OpenImageIO/tiffutils.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include "io/module/embedded.hpp"

namespace sfumato::files {
namespace {

using namespace std::string_view_literals;
using OIIO::ImageSpec;

constexpr std::string_view own_prefix = "sfumato:", color_space_text = "oiio:colorspace";

// Of what OpenImageIO and we take for more than texts.
constexpr std::array reserved_prefixes = {own_prefix, "oiio:"sv, "tiff:"sv,    "jpeg:"sv,
                                          "psd:"sv,   "png:"sv,  "openexr:"sv, "iccprofile"sv};
constexpr std::array reserved_names = {"xresolution"sv,      "yresolution"sv, "resolutionunit"sv,
                                       "pixelaspectratio"sv, "orientation"sv, "cicp"sv};

bool is_reserved(const std::string& name) {
  const bool named =
      std::find(reserved_names.begin(), reserved_names.end(), name) != reserved_names.end();
  return named || std::any_of(reserved_prefixes.begin(), reserved_prefixes.end(),
                              [&](std::string_view p) { return name.starts_with(p); });
}

// What a PNG file says by chunks, without its texts themselves, which may be long.
struct PngNames {
  std::vector<std::string> keywords;  // in lower case
  double gamma = 0;                   // as gAMA has it; 0 if it is not there
};

PngNames names_in_png(Bytes& in) {
  constexpr std::uint64_t longest_keyword = 79;
  PngNames out;
  std::uint64_t size = 0;
  for (std::uint64_t at = 8; in.has(at, 12); at += size + 12) {
    size = in.number(at, 4);
    const std::string chunk = in.text(at + 4, 4);
    if (chunk == "gAMA" && out.gamma == 0)
      out.gamma = static_cast<double>(in.number(at + 8, 4)) / 100000;
    if (chunk != "tEXt" && chunk != "zTXt" && chunk != "iTXt") continue;
    const std::uint64_t held = std::min({size, longest_keyword, in.behind(at + 8)});
    const std::string body = in.text(at + 8, held);
    out.keywords.push_back(lower(body.substr(0, body.find('\0'))));
  }
  return out;
}

void restore_color_space(double coded, ImageSpec& spec) {
  if (coded <= 0) return;
  const double gamma = 1 / coded;
  if (std::abs(gamma - 1) < 0.01) {
    spec.attribute("oiio:ColorSpace", "Linear");
  } else {
    spec.attribute("oiio:ColorSpace", "Gamma");
    spec.attribute("oiio:Gamma", static_cast<float>(gamma));
  }
}

template <typename Test>
void remove_if(ImageSpec& spec, const Test& test) {
  auto& all = spec.extra_attribs;
  all.erase(
      std::remove_if(all.begin(), all.end(),
                     [&](const OIIO::ParamValue& p) { return test(lower(p.name().string())); }),
      all.end());
}

}  // namespace

void remove_own_names(ImageSpec& spec) {
  remove_if(spec, [](const std::string& name) { return name.starts_with(own_prefix); });
}

void decode_xmp_of_file(const std::string& packet, ImageSpec& spec) {
  ImageSpec said;
  OIIO::decode_xmp(packet, said);
  remove_own_names(said);
  for (const OIIO::ParamValue& p : said.extra_attribs) spec.extra_attribs.add_or_replace(p);
}

void remove_posing_texts(const std::filesystem::path& path, ImageSpec& spec) {
  Bytes in(path, true);
  PngNames said = names_in_png(in);
  std::vector<std::string>& names = said.keywords;
  names.erase(std::remove_if(names.begin(), names.end(),
                             [](const std::string& name) { return !is_reserved(name); }),
              names.end());
  if (names.empty()) return;
  const auto is_among = [&](std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  remove_if(spec, is_among);
  if (is_among(color_space_text)) restore_color_space(said.gamma, spec);
}

}  // namespace sfumato::files
