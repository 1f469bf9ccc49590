// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What the header of a BMP file says about colours (BITMAPV4HEADER, BITMAPV5HEADER): a profile in
// the file, or the end points of its primaries and a gamma.
#include <algorithm>
#include <array>
#include <cmath>

#include "io/module/embedded.hpp"

namespace sfumato::files {
namespace {

constexpr std::uint64_t header_at = 14;  // after the file's own
constexpr std::uint64_t colors_size = 108, profile_size = 124;

std::uint64_t field(Bytes& in, std::uint64_t at) {
  return in.number(header_at + at, 4);
}

// The kind of colours; all bits are set where the header has no field for it.
std::uint64_t kind_of(Bytes& in) {
  constexpr std::uint64_t place = 56, none = 0xffffffff;
  const bool there = in.text(0, 2) == "BM" && field(in, 0) >= colors_size;
  return there ? field(in, place) : none;
}

}  // namespace

std::vector<unsigned char> profile_in_bmp(const std::filesystem::path& path) {
  constexpr std::uint64_t embedded = 0x4d424544, offset = 112, size = 116;
  Bytes in(path, false);
  if (kind_of(in) != embedded || field(in, 0) < profile_size) return {};
  const std::uint64_t begin = header_at + field(in, offset);
  const std::string bytes = in.text(begin, std::min(field(in, size), in.behind(begin)));
  // One that is not there at all is cut, too.
  if (bytes.empty()) return std::vector<unsigned char>(1);
  return {bytes.begin(), bytes.end()};
}

DeclaredColors colors_in_bmp(const std::filesystem::path& path) {
  constexpr std::uint64_t calibrated = 0, linked = 0x4c494e4b, end_points = 60, gammas = 96;
  Bytes in(path, false);
  DeclaredColors out;
  const std::uint64_t kind = kind_of(in);
  if (kind == linked) {
    out.doubt = message({"profile.elsewhere",
                         "{file}: its colour profile is in another file, which is not read; the "
                         "colours are taken for sRGB's"},
                        shown(path));
  }
  if (kind != calibrated) return out;
  Primaries primaries{};
  std::array<double, 3> white{};
  for (std::size_t i = 0; i < 4; ++i) {
    std::array<double, 3> xyz = white;  // the sum of the others
    for (std::size_t k = 0; i < 3 && k < 3; ++k) {
      const std::uint64_t bits = field(in, end_points + 12 * i + 4 * k);
      xyz[k] = static_cast<double>(static_cast<std::int32_t>(bits)) / (1 << 30);
      white[k] += xyz[k];
    }
    const double sum = xyz[0] + xyz[1] + xyz[2];
    if (!(sum > 0)) return out;
    primaries[i] = {xyz[0] / sum, xyz[1] / sum};
  }
  out.primaries = primaries;
  const auto gamma_at = [&in](std::uint64_t channel) {
    return static_cast<double>(field(in, gammas + 4 * channel)) / 65536;
  };
  const double gamma = gamma_at(1);
  if (gamma > 0.1 && gamma < 10) {
    out.coding = gamma == 1 ? Coding::linear() : Coding::power(static_cast<float>(gamma));
  }
  if (std::abs(gamma_at(0) - gamma) > 0.01 || std::abs(gamma_at(2) - gamma) > 0.01) {
    out.doubt = message({"colors.unequal_curves",
                         "{file}: red, green and blue have different gammas; green's is taken for "
                         "all"},
                        shown(path));
  }
  return out;
}

}  // namespace sfumato::files
