// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// BMP pictures: OpenImageIO 2.4 does not say that a fourth channel is opacity, and counts bytes
// wrongly.
#include <algorithm>
#include <utility>

#include "io/module/embedded.hpp"
#include "io/module/parts.hpp"
#include "io/module/tiff_writer.hpp"

namespace sfumato::files {
namespace {

using OIIO::ImageSpec;
using OIIO::TypeDesc;

constexpr std::uint32_t file_header = 14, plain_header = 40, masked_header = 108,
                        profile_header = 124;
constexpr std::uint32_t palette_bytes = 4 * 256;

// Rows of blue, green, red and perhaps opacity, from bottom to top.
class BmpOutput final : public WithErrorText<OIIO::ImageOutput> {
 public:
  const char* format_name() const override { return "bmp"; }
  int supports(OIIO::string_view feature) const override { return feature == "ioproxy"; }

  bool open(const std::string& name, const ImageSpec& spec, OpenMode mode) override {
    if (mode != Create || spec.nchannels == 2 || spec.nchannels > 4) return false;
    m_spec = spec;
    m_spec.set_format(TypeDesc::UINT8);
    const std::size_t padded = (static_cast<std::size_t>(m_spec.scanline_bytes()) + 3) / 4 * 4;
    row_.resize(padded);
    if (const OIIO::ParamValue* profile = spec.find_attribute("ICCProfile")) {
      profile_.assign(static_cast<const char*>(profile->data()),
                      static_cast<std::size_t>(profile->datasize()));
    }
    if (!ioproxy_use_or_open(name)) return false;
    const std::string head = header();
    begin_ = static_cast<std::int64_t>(head.size());
    return iowrite(head.data(), head.size());
  }

  bool write_scanline(int y, int, TypeDesc format, const void* data,
                      OIIO::stride_t xstride) override {
    const auto* from =
        static_cast<const unsigned char*>(to_native_scanline(format, data, xstride, scratch_));
    const auto bytes = static_cast<std::size_t>(m_spec.scanline_bytes());
    std::copy_n(from, bytes, row_.begin());
    const auto step = static_cast<std::size_t>(m_spec.nchannels);
    for (std::size_t at = 0; step >= 3 && at < bytes; at += step) {
      std::swap(row_[at], row_[at + 2]);
    }
    const std::int64_t below = m_spec.height - 1 - y;
    return ioseek(begin_ + below * static_cast<std::int64_t>(row_.size())) &&
           iowrite(row_.data(), row_.size());
  }

  // The profile follows the picture.
  bool close() override {
    const std::string profile = std::exchange(profile_, {});
    return profile.empty() || (ioseek(begin_ + static_cast<std::int64_t>(picture_bytes())) &&
                               iowrite(profile.data(), profile.size()));
  }

 private:
  std::uint64_t picture_bytes() const {
    return row_.size() * static_cast<std::uint64_t>(m_spec.height);
  }

  std::string header() const {
    const bool gray = m_spec.nchannels == 1, alpha = m_spec.nchannels == 4;
    const bool profile = !profile_.empty();
    const std::uint32_t info = profile ? profile_header : alpha ? masked_header : plain_header;
    const std::uint32_t begin = file_header + info + (gray ? palette_bytes : 0);
    const std::uint64_t size = picture_bytes();
    std::string out = "BM" + little_endian(begin + size + profile_.size(), 4) + little_endian(0, 4);
    out += little_endian(begin, 4) + little_endian(info, 4);
    out += little_endian(static_cast<std::uint64_t>(m_spec.width), 4);
    out += little_endian(static_cast<std::uint64_t>(m_spec.height), 4);
    out += little_endian(1, 2) + little_endian(static_cast<std::uint64_t>(m_spec.nchannels) * 8, 2);
    out += little_endian(alpha ? 3 : 0, 4) + little_endian(size, 4);
    out += per_metre("XResolution") + per_metre("YResolution");
    out += little_endian(gray ? 256 : 0, 4) + little_endian(0, 4);
    if (alpha || profile) out += colors();
    if (profile) {
      constexpr std::uint64_t relative_colorimetric = 2;  // LCS_GM_GRAPHICS
      out += little_endian(relative_colorimetric, 4) +
             little_endian(begin - file_header + size, 4) + little_endian(profile_.size(), 4) +
             little_endian(0, 4);
    }
    for (std::uint64_t i = 0; gray && i < 256; ++i) out += little_endian(i * 0x010101u, 4);
    return out;
  }

  std::string per_metre(const char* name) const {
    const bool said = m_spec.get_string_attribute("ResolutionUnit") == "m";
    const float value = said ? m_spec.get_float_attribute(name) : 0;
    return little_endian(static_cast<std::uint64_t>(std::clamp(value, 0.0f, 2e9f)), 4);
  }

  // Where the channels are, and what their colours are: a profile's, sRGB's, or the system's, which
  // is no statement.
  std::string colors() const {
    const bool alpha = m_spec.nchannels == 4;
    std::string out;
    for (const std::uint64_t mask : {0x00ff0000u, 0x0000ff00u, 0x000000ffu, 0xff000000u}) {
      out += little_endian(alpha ? mask : 0, 4);
    }
    const bool srgb = m_spec.get_string_attribute("oiio:ColorSpace") == "sRGB";
    out += !profile_.empty() ? "DEBM" : srgb ? "BGRs" : " niW";
    return out.append(48, '\0');  // primaries and curves, which these do not have
  }

  std::int64_t begin_ = 0;
  std::string profile_;
  std::vector<unsigned char> row_, scratch_;
};

}  // namespace

std::unique_ptr<OIIO::ImageOutput> make_bmp_output() {
  return std::make_unique<BmpOutput>();
}

}  // namespace sfumato::files
