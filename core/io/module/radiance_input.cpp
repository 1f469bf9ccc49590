// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Radiance HDR files whose rows are plain pixels, or runs of them as Radiance wrote them at first
// (G. Ward, Radiance File Formats): OpenImageIO 2.4 takes the marks of runs for pixels.
#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <vector>

#include "io/module/embedded.hpp"
#include "io/module/radiance.hpp"

namespace sfumato::files {
namespace {

using OIIO::ImageSpec;

using Rgbe = std::array<unsigned char, 4>;

std::uint64_t radiance_data(const RadianceHeader& header) {
  return header.place_of_axes + header.axes.size() + 1;
}

// The mark of a row whose four components are packed each for itself.
bool begins_packed_row(const Rgbe& mark) {
  return mark[0] == 2 && mark[1] == 2 && mark[2] < 128;
}

class RadianceInput final : public WithErrorText<OIIO::ImageInput> {
 public:
  const char* format_name() const override { return "hdr"; }
  bool close() override {
    in_.close();
    return true;
  }

  bool open(const std::string& name, ImageSpec& spec) override {
    return open(name, spec, ImageSpec());
  }
  // What the header says is read by OpenImageIO.
  bool open(const std::string& name, ImageSpec& spec, const ImageSpec& config) override {
    xyz_ = is_xyze(name);
    const auto reader = xyz_ ? make_xyze_input() : OIIO::ImageInput::create("hdr");
    if (!reader || !reader->open(name, m_spec, config)) {
      if (reader) errorfmt("{}", reader->geterror());
      return false;
    }
    begin_ = static_cast<std::streamoff>(radiance_data(radiance_header(name)));
    in_.open(name, std::ios::binary);
    go_back();
    spec = m_spec;
    return true;
  }

  // Rows have no places of their own in the file.
  bool read_native_scanline(int subimage, int miplevel, int y, int, void* data) override {
    if (subimage != 0 || miplevel != 0) return false;
    if (y < next_) go_back();
    row_.resize(static_cast<std::size_t>(m_spec.width));
    for (; next_ <= y; ++next_) {
      if (!read_row()) {
        next_ = m_spec.height;  // the place in the file is lost
        return fail(message({"netpbm.row_missing", "row {row} is missing"}, y));
      }
    }
    auto* to = static_cast<float*>(data);
    for (const Rgbe& pixel : row_) {
      constexpr int bias = 128 + 8;
      const float unit = pixel[3] == 0 ? 0 : std::ldexp(1.0f, pixel[3] - bias);
      for (std::size_t c = 0; c < 3; ++c) *to++ = unit * static_cast<float>(pixel[c]);
    }
    if (xyz_) convert_xyz(static_cast<float*>(data), row_.size());
    return true;
  }

 private:
  void go_back() {
    next_ = 0;
    in_.clear();
    in_.seekg(begin_);
  }

  bool read_quad(Rgbe& to) {
    return static_cast<bool>(in_.read(reinterpret_cast<char*>(to.data()), to.size()));
  }

  bool read_row() {
    constexpr int least = 8, most = 32767;  // pixels of a row whose components are packed
    Rgbe first{};
    if (!read_quad(first)) return false;
    const bool may_be_packed = m_spec.width >= least && m_spec.width <= most;
    return may_be_packed && begins_packed_row(first) ? read_components(first) : read_runs(first);
  }

  // A pixel of three ones repeats the one before it; several in a row say how often, the lowest
  // digits first.
  bool read_runs(Rgbe pixel) {
    std::size_t filled = 0;
    int shift = 0;
    while (true) {
      if (pixel[0] != 1 || pixel[1] != 1 || pixel[2] != 1) {
        row_[filled++] = pixel;
        shift = 0;
      } else {
        const std::size_t count = shift < 32 ? std::size_t{pixel[3]} << shift : row_.size();
        if (filled == 0 || count > row_.size() - filled) return false;
        std::fill_n(row_.begin() + static_cast<std::ptrdiff_t>(filled), count, row_[filled - 1]);
        filled += count;
        shift += 8;
      }
      if (filled == row_.size()) return true;
      if (!read_quad(pixel)) return false;
    }
  }

  bool read_components(const Rgbe& mark) {
    if ((mark[2] << 8 | mark[3]) != m_spec.width) return false;
    for (std::size_t c = 0; c < mark.size(); ++c) {
      for (std::size_t filled = 0; filled < row_.size();) {
        constexpr int longest = 128;
        int code = in_.get();
        const bool run = code > longest;
        const auto count = static_cast<std::size_t>(run ? code - longest : code);
        if (!in_ || count == 0 || count > row_.size() - filled) return false;
        int value = run ? in_.get() : 0;
        for (std::size_t i = 0; i < count; ++i) {
          if (!run) value = in_.get();
          row_[filled++][c] = static_cast<unsigned char>(value);
        }
      }
    }
    return static_cast<bool>(in_);
  }

  std::ifstream in_;
  std::streamoff begin_ = 0;
  bool xyz_ = false;
  int next_ = 0;  // row in the file
  std::vector<Rgbe> row_;
};

}  // namespace

bool has_plain_rows(const std::filesystem::path& path) {
  Bytes in(path, true);
  const std::string first = in.text(radiance_data(radiance_header(path)), 4);
  Rgbe mark{};
  if (first.size() < mark.size()) return false;
  std::copy(first.begin(), first.end(), mark.begin());
  return !begins_packed_row(mark);
}

std::unique_ptr<OIIO::ImageInput> make_radiance_input() {
  return std::make_unique<RadianceInput>();
}

}  // namespace sfumato::files
