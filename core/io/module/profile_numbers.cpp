// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Takes the numbers out of ICC profiles (ICC.1:2022, 10).
#include <lcms2.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string_view>
#include <type_traits>

#include "io/module/bytes.hpp"
#include "io/module/parts.hpp"

namespace sfumato::files {
namespace {

using ProfileKind = ProfileNumbers::Kind;

// A tag's data within a profile; size 0 if it is not there.
struct Tag {
  std::uint64_t at = 0, size = 0;
};

Tag tag_of(Bytes& in, std::string_view name) {
  constexpr std::uint64_t count_at = 128, first = 132, entry = 12;
  const std::uint64_t count = std::min<std::uint64_t>(in.number(count_at, 4), 1000);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t at = first + i * entry;
    if (in.text(at, 4) == name) return {in.number(at + 4, 4), in.number(at + 8, 4)};
  }
  return {};
}

bool read_tone(Bytes& in, std::string_view name, ProfileTone& tone) {
  const Tag tag = tag_of(in, name);
  const std::string type = in.text(tag.at, 4);
  if (tag.size < 12) return false;
  if (type == "para") {
    constexpr std::array<std::uint64_t, 5> counts = {1, 3, 4, 5, 7};
    const std::uint64_t function = in.number(tag.at + 8, 2);
    if (function >= counts.size() || tag.size < 12 + 4 * counts[function]) return false;
    tone.function = static_cast<int>(function);
    for (std::uint64_t i = 0; i < counts[function]; ++i) {
      tone.parameters.push_back(static_cast<std::int32_t>(in.number(tag.at + 12 + 4 * i, 4)));
    }
    return true;
  }
  const std::uint64_t count = in.number(tag.at + 8, 4);
  if (type != "curv" || count > 65536 || tag.size < 12 + 2 * count) return false;
  const std::string samples = in.text(tag.at + 12, 2 * count);
  if (samples.size() < 2 * count) return false;
  for (std::size_t i = 0; i < samples.size(); i += 2) {
    const auto high = static_cast<unsigned char>(samples[i]),
               low = static_cast<unsigned char>(samples[i + 1]);
    tone.samples.push_back(static_cast<std::uint16_t>(high << 8 | low));
  }
  return true;
}

bool read_matrix(Bytes& in, ProfileNumbers& out) {
  constexpr std::array<std::string_view, 3> colors = {"rXYZ", "gXYZ", "bXYZ"},
                                            curves = {"rTRC", "gTRC", "bTRC"};
  for (std::size_t c = 0; c < 3; ++c) {
    const Tag tag = tag_of(in, colors[c]);
    if (tag.size < 20 || in.text(tag.at, 4) != "XYZ ") return false;
    for (std::size_t i = 0; i < 3; ++i) {
      out.colorants[3 * c + i] = static_cast<std::int32_t>(in.number(tag.at + 8 + 4 * i, 4));
    }
    if (!read_tone(in, curves[c], out.tones.emplace_back())) return false;
  }
  return true;
}

struct ContextDeleter {
  void operator()(void* context) const { cmsDeleteContext(static_cast<cmsContext>(context)); }
};
struct ProfileDeleter {
  void operator()(void* profile) const { cmsCloseProfile(profile); }
};
struct TransformDeleter {
  void operator()(void* transform) const { cmsDeleteTransform(transform); }
};

// Converts a profile's codes to CIE Lab or XYZ, of LittleCMS's types.
template <typename Color>
class ToColor {
 public:
  ToColor(const std::vector<unsigned char>& bytes, cmsUInt32Number type)
      : context_(cmsCreateContext(nullptr, nullptr)) {
    auto* const context = static_cast<cmsContext>(context_.get());
    profile_.reset(cmsOpenProfileFromMemTHR(context, bytes.data(),
                                            static_cast<cmsUInt32Number>(bytes.size())));
    constexpr bool lab = std::is_same_v<Color, cmsCIELab>;
    to_.reset(lab ? cmsCreateLab4ProfileTHR(context, nullptr) : cmsCreateXYZProfileTHR(context));
    if (!profile_ || !to_) return;
    transform_.reset(cmsCreateTransformTHR(
        context, profile_.get(), type, to_.get(), lab ? TYPE_Lab_DBL : TYPE_XYZ_DBL,
        INTENT_RELATIVE_COLORIMETRIC, cmsFLAGS_NOOPTIMIZE | cmsFLAGS_NOCACHE));
  }
  explicit operator bool() const { return transform_ != nullptr; }
  Color operator()(const std::uint16_t* codes) const {
    Color color{};
    cmsDoTransform(transform_.get(), codes, &color, 1);
    return color;
  }

 private:
  std::unique_ptr<void, ContextDeleter> context_;
  std::unique_ptr<void, ProfileDeleter> profile_, to_;
  std::unique_ptr<void, TransformDeleter> transform_;
};
using ToLab = ToColor<cmsCIELab>;
using ToXyz = ToColor<cmsCIEXYZ>;

std::uint16_t rounded(double value) {
  return static_cast<std::uint16_t>(std::lround(std::clamp(value, 0.0, 65535.0)));
}

constexpr int grid = ProfileNumbers::grid;

std::array<std::uint16_t, 3> stored(const cmsCIELab& lab) {
  return {rounded(lab.L * 652.8), rounded((lab.a + 128) * 256), rounded((lab.b + 128) * 256)};
}
std::array<std::uint16_t, 3> stored(const cmsCIEXYZ& xyz) {
  return {rounded(xyz.X * 32768), rounded(xyz.Y * 32768), rounded(xyz.Z * 32768)};
}

// The colours at the grid's nodes, or `halves` of a step after them.
template <typename Color>
std::vector<Color> colors_at(const ToColor<Color>& to_color, int nodes, double halves) {
  std::vector<Color> out;
  const auto code = [halves](int i) { return rounded(65535.0 * (i + halves) / (grid - 1)); };
  for (int r = 0; r < nodes; ++r) {
    for (int g = 0; g < nodes; ++g) {
      for (int b = 0; b < nodes; ++b) {
        const std::array<std::uint16_t, 3> codes = {code(r), code(g), code(b)};
        out.push_back(to_color(codes.data()));
      }
    }
  }
  return out;
}

cmsCIELab between(const cmsCIELab& a, const cmsCIELab& b) {
  return {(a.L + b.L) / 2, (a.a + b.a) / 2, (a.b + b.b) / 2};
}
cmsCIELab between(const cmsCIEXYZ& a, const cmsCIEXYZ& b) {
  const cmsCIEXYZ middle{(a.X + b.X) / 2, (a.Y + b.Y) / 2, (a.Z + b.Z) / 2};
  cmsCIELab lab{};
  cmsXYZ2Lab(nullptr, &lab, &middle);
  return lab;
}

// How far the middles of cells are from what the grid makes of them, at most. A reader that
// interpolates takes the mean of two corners there.
template <typename Color>
double farthest(const std::vector<Color>& nodes, const std::vector<cmsCIELab>& middles) {
  double most = 0;
  const auto at = [](int r, int g, int b) {
    return static_cast<std::size_t>((r * grid + g) * grid + b);
  };
  std::size_t next = 0;
  for (int r = 0; r + 1 < grid; ++r) {
    for (int g = 0; g + 1 < grid; ++g) {
      for (int b = 0; b + 1 < grid; ++b) {
        const cmsCIELab made = between(nodes[at(r, g, b)], nodes[at(r + 1, g + 1, b + 1)]);
        most = std::max(most, cmsDeltaE(&made, &middles[next++]));
      }
    }
  }
  return most;
}

template <typename Color>
void store(const std::vector<Color>& colors, ProfileNumbers& out) {
  for (const Color& color : colors) {
    for (const std::uint16_t n : stored(color)) out.table.push_back(n);
  }
}

// In Lab or XYZ: in which of them the profile's own table is straight between its nodes.
bool sample_colors(const std::vector<unsigned char>& profile, ProfileNumbers& out) {
  const ToLab to_lab(profile, TYPE_RGB_16);
  const ToXyz to_xyz(profile, TYPE_RGB_16);
  if (!to_lab || !to_xyz) return false;
  const auto labs = colors_at(to_lab, grid, 0), middles = colors_at(to_lab, grid - 1, 0.5);
  const auto xyzs = colors_at(to_xyz, grid, 0);
  const bool xyz = farthest(xyzs, middles) < farthest(labs, middles);
  out.kind = xyz ? ProfileKind::xyz_table : ProfileKind::table;
  if (xyz) {
    store(xyzs, out);
  } else {
    store(labs, out);
  }
  return true;
}

// A gray profile with tables becomes one with a curve.
bool sample_gray(const std::vector<unsigned char>& profile, ProfileNumbers& out) {
  const ToLab to_lab(profile, TYPE_GRAY_16);
  if (!to_lab) return false;
  constexpr int samples = 4096;
  ProfileTone& tone = out.tones.emplace_back();
  for (int i = 0; i < samples; ++i) {
    const std::uint16_t code = rounded(65535.0 * i / (samples - 1));
    const cmsCIELab lab = to_lab(&code);
    cmsCIEXYZ xyz{};
    cmsLab2XYZ(nullptr, &xyz, &lab);
    tone.samples.push_back(rounded(65535 * xyz.Y));
  }
  return true;
}

}  // namespace

ProfileNumbers numbers_of(const std::vector<unsigned char>& profile) {
  ProfileNumbers out;
  if (!is_whole_profile(profile)) return out;
  std::optional<Message> other;
  out.coding = coding_of_profile(profile, other);
  Bytes in(std::string(profile.begin(), profile.end()));
  in.set_big_endian(true);
  const std::string space = in.text(16, 4);
  const auto has = [&](std::string_view name) { return tag_of(in, name).size > 0; };
  const bool tables = has("A2B0") || has("A2B1") || has("B2A0") || has("B2A1");
  bool found = false;
  if (space == "GRAY") {
    out.kind = ProfileKind::gray;
    found = tables ? sample_gray(profile, out) : read_tone(in, "kTRC", out.tones.emplace_back());
  } else if (space == "RGB ") {
    out.kind = ProfileKind::matrix;
    found = tables ? sample_colors(profile, out) : read_matrix(in, out);
  }
  if (found) return out;
  ProfileNumbers none;
  none.coding = out.coding;
  return none;
}

}  // namespace sfumato::files
