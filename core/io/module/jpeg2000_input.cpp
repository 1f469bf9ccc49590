// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// JPEG 2000 pictures read by OpenJPEG, in rows of tiles. OpenImageIO 2.4 holds the whole picture
// twice, ignores where it lies on its grid, and knows no gray with opacity.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "io/module/jpeg2000_codestream.hpp"

namespace sfumato::files {
namespace {

using OIIO::ImageSpec;
using OIIO::TypeDesc;
using Kind = Jp2Channel::Kind;

constexpr int sycc = 18;

// ceil(a / b) of ISO/IEC 15444-1, B.2.
std::int64_t quotient_up(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

// Rows and columns on the grid to which the coordinates of tiles and components refer.
struct Grid {
  std::int64_t begin = 0, end = 0;    // the picture's rows
  std::int64_t x0 = 0, y0 = 0;        // of the first pixel
  std::int64_t across = 1, down = 1;  // from one pixel to the next
  std::int64_t tile_y0 = 0, tile_rows = 0;
};

// Where a pixel lies between two samples of a component.
struct Place {
  std::size_t first = 0, second = 0;
  float share = 0;  // of the second
};

Place place_of(std::int64_t at, std::int64_t step, std::int64_t begin, std::int64_t count) {
  const auto within = [&](std::int64_t sample) {
    return static_cast<std::size_t>(std::clamp<std::int64_t>(sample - begin, 0, count - 1));
  };
  const std::int64_t below = at / step;
  return {within(below), within(below + 1),
          static_cast<float>(at % step) / static_cast<float>(step)};
}

class Jpeg2000Input final : public WithErrorText<OIIO::ImageInput>, public KnownMemory {
 public:
  const char* format_name() const override { return "jpeg2000"; }

  bool open(const std::string& name, ImageSpec& spec) override {
    file_.reset(std::fopen(name.c_str(), "rb"));
    head_ = read_jp2_head(name);
    if (!file_ || head_.codestream_size == 0) {
      return fail(message({"file.none_inside", "there is no picture in the file"}));
    }
    if (!begin() || !measure()) return false;
    describe();
    spec = m_spec;
    return true;
  }
  bool open(const std::string& name, ImageSpec& spec, const ImageSpec&) override {
    return open(name, spec);
  }
  bool close() override {
    codestream_.reset();
    file_.reset();
    return true;
  }
  int current_subimage() const override { return 0; }
  bool seek_subimage(int subimage, int miplevel) override { return subimage == 0 && miplevel == 0; }

  bool read_native_scanline(int subimage, int miplevel, int y, int, void* data) override {
    if (!seek_subimage(subimage, miplevel) || y < 0 || y >= m_spec.height) return false;
    const std::int64_t at = grid_.y0 + y * grid_.down;
    if ((at < rows_begin_ || at >= rows_end_) && !decode_around(at)) return false;
    values_.resize(static_cast<std::size_t>(m_spec.width) * head_.channels.size());
    for (std::size_t c = 0; c < head_.channels.size(); ++c) gather(c, at);
    if (head_.space == sycc && yields_rgb()) convert_ycc();
    store(data);
    return true;
  }

  /// OpenJPEG's samples have 32 bits; it holds those of its tiles once more.
  std::size_t working_bytes() const override {
    const auto& image = codestream_->image();
    const std::size_t rows = static_cast<std::size_t>(
        std::min<std::int64_t>(m_spec.height, grid_.tile_rows / grid_.down + 1));
    return static_cast<std::size_t>(m_spec.width) * rows * image.numcomps * sizeof(OPJ_INT32) * 2;
  }

 private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  const opj_image_comp_t& component(const Jp2Channel& channel) const {
    return codestream_->image().comps[channel.component];
  }
  bool yields_rgb() const {
    return head_.channels.size() >= 3 && head_.channels[2].kind == Kind::colour;
  }
  bool refused() {
    if (!says_.empty()) {
      errorfmt("{}", says_);
      return false;
    }
    return fail(message({"jpeg2000.refuses", "OpenJPEG refuses the picture"}));
  }

  bool begin() {
    codestream_ = std::make_unique<Codestream>();
    rows_begin_ = rows_end_ = 0;
    says_.clear();
    return codestream_->open(file_.get(), head_, says_) || refused();
  }

  // The picture is as fine as its finest component.
  bool measure() {
    const opj_image_t& image = codestream_->image();
    const auto is_there = [&](const Jp2Channel& one) { return one.component < image.numcomps; };
    if (head_.channels.empty() ||
        !std::all_of(head_.channels.begin(), head_.channels.end(), is_there)) {
      return refused();
    }
    grid_.across = grid_.down = 256;
    for (OPJ_UINT32 i = 0; i < image.numcomps; ++i) {
      const opj_image_comp_t& c = image.comps[i];
      if (c.prec == 0 || c.prec > 31 || c.dx == 0 || c.dy == 0) return refused();
      grid_.across = std::min<std::int64_t>(grid_.across, c.dx);
      grid_.down = std::min<std::int64_t>(grid_.down, c.dy);
    }
    grid_.x0 = quotient_up(image.x0, grid_.across) * grid_.across;
    grid_.y0 = quotient_up(image.y0, grid_.down) * grid_.down;
    grid_.begin = grid_.tile_y0 = image.y0;
    grid_.end = image.y1;
    grid_.tile_rows = std::int64_t{image.y1} - image.y0;
    std::int64_t tile_y0 = 0, tile_rows = 0;
    if (codestream_->has_rows_of_tiles(tile_y0, tile_rows) && !is_subsampled()) {
      // Each decoding begins with the header: small tiles are decoded in several rows.
      constexpr std::int64_t pixels_at_once = std::int64_t{4} << 20;
      const std::int64_t across = std::max<std::int64_t>(1, std::int64_t{image.x1} - image.x0);
      const std::int64_t least_rows = pixels_at_once / across + 1;
      grid_.tile_y0 = tile_y0;
      grid_.tile_rows = quotient_up(least_rows, tile_rows) * tile_rows;
    }
    return true;
  }

  // Samples between those of other tiles are needed then.
  bool is_subsampled() const {
    const opj_image_t& image = codestream_->image();
    return std::any_of(image.comps, image.comps + image.numcomps,
                       [](const opj_image_comp_t& c) { return c.dx != 1 || c.dy != 1; });
  }

  int bits_of(const Jp2Channel& channel) const {
    return channel.column < 0 ? static_cast<int>(component(channel).prec)
                              : head_.palette.bits[static_cast<std::size_t>(channel.column)];
  }

  void describe() {
    const opj_image_t& image = codestream_->image();
    int bits = 1;
    for (const Jp2Channel& one : head_.channels) bits = std::max(bits, bits_of(one));
    guess_ycc();
    const Jp2Channel& first = head_.channels.front();
    const bool shifted = component(first).sgnd != 0 && first.column < 0;
    const auto length = [](std::int64_t from, std::int64_t to, std::int64_t step) {
      return static_cast<int>(quotient_up(to, step) - quotient_up(from, step));
    };
    m_spec =
        ImageSpec(length(image.x0, image.x1, grid_.across), length(image.y0, image.y1, grid_.down),
                  static_cast<int>(head_.channels.size()),
                  bits <= 8    ? TypeDesc::UINT8
                  : bits <= 16 ? TypeDesc::UINT16
                               : TypeDesc::UINT32);
    m_spec.attribute("oiio:BitsPerSample", bits);
    name_channels();
    if (shifted) m_spec.attribute("sfumato:shifted", 1);
    m_spec.attribute("sfumato:pictures", head_.codestreams);
    if (head_.space >= 0) m_spec.attribute("sfumato:jp2_space", head_.space);
    if (head_.profile.empty()) return;
    m_spec.attribute("ICCProfile",
                     TypeDesc(TypeDesc::UINT8, static_cast<int>(head_.profile.size())),
                     head_.profile.data());
  }

  // Nothing but luma and chroma is halved in such a way.
  void guess_ycc() {
    if (head_.space >= 0 || !head_.profile.empty() || !yields_rgb()) return;
    const auto steps = [&](std::size_t c) {
      const opj_image_comp_t& one = component(head_.channels[c]);
      return std::pair(one.dx, one.dy);
    };
    if (steps(0) != steps(1) && steps(1) == steps(2)) head_.space = sycc;
  }

  void name_channels() {
    constexpr std::array names = {"R", "G", "B"};
    const auto colours = static_cast<std::size_t>(
        std::count_if(head_.channels.begin(), head_.channels.end(),
                      [](const Jp2Channel& c) { return c.kind == Kind::colour; }));
    m_spec.alpha_channel = -1;
    for (std::size_t i = 0; i < head_.channels.size(); ++i) {
      const Kind kind = head_.channels[i].kind;
      std::string& name = m_spec.channelnames[i];
      name = "channel" + std::to_string(i);
      if (kind == Kind::colour && colours == 1) name = "Y";
      if (kind == Kind::colour && colours == 3) name = names[i];
      const bool opacity = kind == Kind::opacity || kind == Kind::premultiplied_opacity;
      if (!opacity || m_spec.alpha_channel >= 0) continue;
      name = "A";
      m_spec.alpha_channel = static_cast<int>(i);
      m_spec.attribute("oiio:UnassociatedAlpha", kind == Kind::opacity ? 1 : 0);
    }
  }

  // Decodes the row of tiles in which a row of the grid is.
  bool decode_around(std::int64_t at) {
    const std::int64_t tile = (at - grid_.tile_y0) / grid_.tile_rows;
    const std::int64_t top = grid_.tile_y0 + tile * grid_.tile_rows;
    const std::int64_t from = std::max(grid_.begin, top),
                       to = std::min(grid_.end, top + grid_.tile_rows);
    if (is_used_ && !begin()) return false;
    is_used_ = true;
    if (!codestream_->decode(from, to)) return refused();
    rows_begin_ = from;
    rows_end_ = to;
    return true;
  }

  // One row of a channel, from 0 to 1.
  void gather(std::size_t number, std::int64_t at) {
    const Jp2Channel& channel = head_.channels[number];
    const opj_image_comp_t& c = component(channel);
    const Place row = place_of(at, c.dy, c.y0, c.h);
    const OPJ_INT32* first = c.data + row.first * c.w;
    const OPJ_INT32* second = c.data + row.second * c.w;
    if (channel.column >= 0) return look_up(number, first);
    const std::size_t count = head_.channels.size();
    float* to = values_.data() + number;
    const float zero = c.sgnd != 0 ? std::ldexp(1.0f, static_cast<int>(c.prec) - 1) : 0.0f;
    const float most = std::ldexp(1.0f, static_cast<int>(c.prec)) - 1;
    const bool aligned =
        c.dx == grid_.across && row.share == 0 && std::cmp_equal(c.w, m_spec.width);
    for (int x = 0; aligned && x < m_spec.width; ++x, to += count) {
      *to = (static_cast<float>(first[x]) + zero) / most;
    }
    for (int x = 0; !aligned && x < m_spec.width; ++x, to += count) {
      const Place column = place_of(grid_.x0 + x * grid_.across, c.dx, c.x0, c.w);
      const auto between = [&](const OPJ_INT32* samples) {
        return std::lerp(static_cast<float>(samples[column.first]),
                         static_cast<float>(samples[column.second]), column.share);
      };
      *to = (std::lerp(between(first), between(second), row.share) + zero) / most;
    }
  }

  // One row of a column of the palette.
  void look_up(std::size_t number, const OPJ_INT32* samples) {
    const Jp2Channel& channel = head_.channels[number];
    const opj_image_comp_t& c = component(channel);
    const auto column = static_cast<std::size_t>(channel.column);
    const double most = std::ldexp(1.0, bits_of(channel)) - 1;
    const auto last = static_cast<OPJ_INT32>(head_.palette.rows.size()) - 1;
    float* to = values_.data() + number;
    for (int x = 0; x < m_spec.width; ++x, to += head_.channels.size()) {
      const Place place = place_of(grid_.x0 + x * grid_.across, c.dx, c.x0, c.w);
      const auto entry = static_cast<std::size_t>(std::clamp(samples[place.first], 0, last));
      *to = static_cast<float>(head_.palette.rows[entry][column] / most);
    }
  }

  // IEC 61966-2-1, amendment 1: the middle of the codes is no colour.
  void convert_ycc() {
    const auto middle = [&](std::size_t c) {
      const int bits = bits_of(head_.channels[c]);
      return std::ldexp(1.0f, bits - 1) / (std::ldexp(1.0f, bits) - 1);
    };
    const float no_blue = middle(1), no_red = middle(2);
    const std::size_t count = head_.channels.size();
    float* at = values_.data();
    for (int x = 0; x < m_spec.width; ++x, at += count) {
      const float luma = at[0], blue = at[1] - no_blue, red = at[2] - no_red;
      at[0] = luma + 1.402f * red;
      at[1] = luma - 0.344136f * blue - 0.714136f * red;
      at[2] = luma + 1.772f * blue;
    }
  }

  template <typename T>
  void store_as(T* to) const {
    constexpr auto most = static_cast<double>(std::numeric_limits<T>::max());
    using Real = std::conditional_t<sizeof(T) < 4, float, double>;
    for (const float value : values_) {
      const Real clamped = std::clamp<Real>(value, 0, 1);
      *to++ = static_cast<T>(clamped * static_cast<Real>(most) + Real(0.5));
    }
  }
  void store(void* to) const {
    if (m_spec.format == TypeDesc::UINT8) return store_as(static_cast<std::uint8_t*>(to));
    if (m_spec.format == TypeDesc::UINT16) return store_as(static_cast<std::uint16_t*>(to));
    store_as(static_cast<std::uint32_t*>(to));
  }

  std::unique_ptr<std::FILE, Closer> file_;
  Jp2Head head_;
  Grid grid_;
  std::string says_;
  std::unique_ptr<Codestream> codestream_;
  bool is_used_ = false;                        // by a decoding
  std::int64_t rows_begin_ = 0, rows_end_ = 0;  // of the grid, decoded
  std::vector<float> values_;                   // one row
};

}  // namespace

std::unique_ptr<OIIO::ImageInput> make_jpeg2000_input() {
  return std::make_unique<Jpeg2000Input>();
}

}  // namespace sfumato::files
