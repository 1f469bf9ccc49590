// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Radiance HDR files that hold XYZ (FORMAT=32-bit_rle_xyze), which OpenImageIO 2.4 refuses. Their
// colours become linear light with sRGB's primaries; those beyond them have negative parts.
#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>

#include "io/module/embedded.hpp"
#include "io/module/overlay.hpp"
#include "io/module/proxy_input.hpp"

namespace sfumato::files {
namespace {

using OIIO::ImageInput;

// Of the same length.
constexpr std::string_view xyze = "FORMAT=32-bit_rle_xyze", rgbe = "FORMAT=32-bit_rle_rgbe";

// Where the header says so; 0 if it does not.
std::uint64_t place_of_format(const std::filesystem::path& path) {
  constexpr std::uint64_t most = 65536;
  Bytes in(path, false);
  const std::string head = in.text(0, std::min(most, in.size()));
  const std::size_t end = head.find("\n\n"), at = head.find("\n" + std::string(xyze) + "\n");
  return at == std::string::npos || at > end ? 0 : at + 1;
}

// IEC 61966-2-1, to the digits of its primaries: the inverse of the matrix to XYZ.
constexpr std::array<std::array<float, 3>, 3> srgb_of_xyz = {
    {{3.2409699f, -1.5373832f, -0.4986108f},
     {-0.9692436f, 1.8759675f, 0.0415551f},
     {0.0556301f, -0.2039770f, 1.0569715f}}};

class XyzeInput final : public ProxyInput {
 public:
  const char* format_name() const override { return "hdr"; }

  bool read_native_scanline(int subimage, int miplevel, int y, int z, void* data) override {
    if (!ProxyInput::read_native_scanline(subimage, miplevel, y, z, data)) return false;
    convert_xyz(static_cast<float*>(data), static_cast<std::size_t>(m_spec.width));
    return true;
  }

 private:
  void look_into(const std::string& name) override { place_ = place_of_format(name); }
  std::unique_ptr<Proxy> show(std::FILE* file) const override {
    return std::make_unique<Overlay>(file, std::vector<Patch>{{place_, std::string(rgbe)}});
  }

  std::uint64_t place_ = 0;
};

}  // namespace

void convert_xyz(float* pixels, std::size_t count) {
  for (float* at = pixels; at < pixels + 3 * count; at += 3) {
    const std::array<float, 3> xyz = {at[0], at[1], at[2]};
    for (std::size_t c = 0; c < 3; ++c) {
      const auto& row = srgb_of_xyz[c];
      at[c] = row[0] * xyz[0] + row[1] * xyz[1] + row[2] * xyz[2];
    }
  }
}

bool is_xyze(const std::filesystem::path& path) {
  return place_of_format(path) > 0;
}

std::unique_ptr<ImageInput> make_xyze_input() {
  return std::make_unique<XyzeInput>();
}

}  // namespace sfumato::files
