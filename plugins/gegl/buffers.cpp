// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Reading the buffers of roles, and writing results.
#include "buffers.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>
#include <new>
#include <optional>
#include <vector>

#include "engine/errors.hpp"
#include "numbers.hpp"

namespace sfumato::gegl {
namespace {

// Samples per row.
std::size_t numbers_in(const Rect& region, const PictureFormat& format) {
  return static_cast<std::size_t>(region.width()) * static_cast<std::size_t>(format.channels);
}

bool goes_below_zero(const HostView& pixels, const PictureFormat& format) {
  const std::size_t count = numbers_in(pixels.region, format);
  for (int y = pixels.region.y0; y < pixels.region.y1; ++y) {
    const auto* row = static_cast<const float*>(pixels.row(y));
    std::uint32_t signs = 0;  // no branch, so that checking costs no more than reading
    for (std::size_t i = 0; i < count; ++i) signs |= std::bit_cast<std::uint32_t>(row[i]);
    if ((signs >> 31) != 0) return true;
  }
  return false;
}

// The first channel of a picture.
class FirstChannel final : public PixelSource {
 public:
  explicit FirstChannel(std::shared_ptr<PixelSource> from)
      : from_(std::move(from)), format_(from_->format()) {
    format_.channels = 1;
  }
  const PictureFormat& format() const override { return format_; }
  Rect covered() const override { return from_->covered(); }
  void read(const Rect& region, void* to, std::ptrdiff_t row_stride) override {
    const std::size_t sample = format_.pixel_bytes(), pixel = from_->format().pixel_bytes();
    std::vector<char> row(static_cast<std::size_t>(region.width()) * pixel);
    for (int y = region.y0; y < region.y1; ++y) {
      from_->read({region.x0, y, region.x1, y + 1}, row.data(),
                  static_cast<std::ptrdiff_t>(row.size()));
      char* out = static_cast<char*>(to) + (y - region.y0) * row_stride;
      for (const char* in = row.data(); in != row.data() + row.size(); in += pixel) {
        out = std::copy_n(in, sample, out);
      }
    }
  }
  void keep_all() override { from_->keep_all(); }

 private:
  std::shared_ptr<PixelSource> from_;
  PictureFormat format_;
};

}  // namespace

bool is_too_large(const GeglRectangle& extent) {
  constexpr double most_area = 1 << 28;
  constexpr int most = 1 << 24;
  return gegl_rectangle_is_infinite_plane(&extent) != 0 || extent.width > most ||
         extent.height > most || static_cast<double>(extent.width) * extent.height > most_area;
}

void throw_too_large(const std::string& role) {
  throw EngineError(message(
      {"gegl.large_role", "The {role} picture has no end or is too large: crop it first."}, role));
}

void BufferSink::write(const HostView& pixels) {
  // Most of the time goes into new pages for the buffer's tiles, which several threads get faster.
  constexpr double thread_cost = 64;  // in rows; below that, one thread is faster
  struct Work {
    const BufferSink* sink;
    const HostView* pixels;
    std::atomic<bool> no_memory = false;
  } work{this, &pixels};
  gegl_parallel_distribute_range(
      static_cast<gsize>(pixels.region.height()), thread_cost,
      [](gsize first, gsize count, gpointer data) {
        auto& w = *static_cast<Work*>(data);
        try {
          w.sink->write_rows(*w.pixels, static_cast<int>(first), static_cast<int>(count));
        } catch (const std::bad_alloc&) {
          w.no_memory = true;
        }
      },
      &work);
  if (work.no_memory) throw std::bad_alloc();
}

void BufferSink::write_rows(const HostView& pixels, int first, int rows) const {
  HostView part = pixels;
  part.region.y0 += first;
  part.region.y1 = part.region.y0 + rows;
  part.data = static_cast<char*>(pixels.data) + first * pixels.row_stride;
  const GeglRectangle r = rectangle_of(part.region, origin_);
  if (below_ == NegativeCoding::as_babl || !goes_below_zero(part, format_)) {
    gegl_buffer_set(buffer_, &r, 0, babl_, part.data, static_cast<int>(part.row_stride));
    return;
  }
  constexpr double slope = 12.92;  // of the sRGB curve at zero
  constexpr int most_rows = 64;    // rows at once, about the height of a GEGL tile
  const std::size_t count = numbers_in(part.region, format_);
  std::vector<float> band(count * most_rows);
  for (int y = part.region.y0; y < part.region.y1; y += most_rows) {
    const int height = std::min(most_rows, part.region.y1 - y);
    for (int i = 0; i < height; ++i) {
      const auto* from = static_cast<const float*>(part.row(y + i));
      float* to = band.data() + count * static_cast<std::size_t>(i);
      std::transform(from, from + count, to, [](float v) {
        return v < 0 ? static_cast<float>(slope * decode(Coding::srgb(), v)) : v;
      });
    }
    const GeglRectangle at{r.x, y + origin_.y, r.width, height};
    gegl_buffer_set(buffer_, &at, 0, babl_, band.data(), GEGL_AUTO_ROWSTRIDE);
  }
}

void BufferSource::read(const Rect& region, void* to, std::ptrdiff_t row_stride) {
  const GeglRectangle r = rectangle_of(region, origin_);
  if (buffer_ != nullptr) {
    gegl_buffer_get(buffer_, &r, 1.0, babl_, to, static_cast<int>(row_stride), GEGL_ABYSS_NONE);
    return;
  }
  const std::size_t bytes = static_cast<std::size_t>(region.width()) * format_.pixel_bytes();
  for (int y = 0; y < region.height(); ++y) {
    std::memset(static_cast<char*>(to) + y * row_stride, 0, bytes);
  }
}

namespace {

// How a role is read.
struct RoleNumbers {
  const Babl* babl = nullptr;
  PictureFormat format;  // except for its size
};

RoleNumbers numbers_of(const Babl* own, bool data, bool opacity) {
  const Babl* space = babl_format_get_space(own);
  const char* model = babl_get_name(babl_format_get_model(own));
  const bool whole = babl_get_name(babl_format_get_type(own, 0))[0] == 'u';
  const bool gray = is_gray(own);
  const bool perceptual = std::strchr(model, '~') != nullptr;
  const bool coded = std::strchr(model, '\'') != nullptr;
  const auto curve = coded ? coding_of(space) : std::nullopt;
  RoleNumbers out;
  out.format.channels = (gray ? 1 : 3) + (opacity ? 1 : 0);
  out.format.type = whole ? SampleType::u16 : SampleType::f32;
  out.format.alpha = opacity ? AlphaKind::straight : AlphaKind::none;
  out.format.coding = curve ? *curve : coded || perceptual ? Coding::srgb() : Coding::linear();
  std::string name = gray ? "Y" : "RGB";
  // A curve without a name here is converted to sRGB's, but data samples stay unchanged.
  if (coded && (curve || data)) {
    name = gray ? "Y'" : "R'G'B'";
  } else if (coded || perceptual) {
    name = gray ? "Y~" : "R~G~B~";
  }
  if (opacity) name += "A";
  name += whole ? " u16" : " float";
  out.babl = babl_format_with_space(name.c_str(), space);
  return out;
}

}  // namespace

std::shared_ptr<PixelSource> role_source(const RoleInput& input, Origin origin,
                                         const PictureFormat& picture, const FilterInfo& filter,
                                         const std::string& role) {
  const RoleInfo* info = filter.role(role);
  const bool data = info != nullptr && info->data;
  // Pictures that are not laid over the input count by their opacity.
  const bool opacity =
      !data && !filter.is_aligned(role) && babl_format_has_alpha(input.format) != 0;
  RoleNumbers numbers = numbers_of(input.format, data, opacity);
  PictureFormat& format = numbers.format;
  format.width = picture.width;
  format.height = picture.height;
  if (!filter.is_aligned(role)) {
    if (is_too_large(input.box)) throw_too_large(role);
    origin = {input.box.x, input.box.y};
    format.width = input.box.width;
    format.height = input.box.height;
  }
  std::shared_ptr<PixelSource> source =
      std::make_shared<BufferSource>(input.buffer, numbers.babl, format, origin,
                                     rect_of(input.box, origin).intersected(format.rect()));
  if (format.channels == 3 && data && info->channels == 1) {
    source = std::make_shared<FirstChannel>(source);
  }
  return source;
}

std::shared_ptr<PixelSource> role_source(GeglBuffer* buffer, Origin origin,
                                         const PictureFormat& picture, const FilterInfo& filter,
                                         const std::string& role) {
  return role_source({buffer, gegl_buffer_get_format(buffer), *gegl_buffer_get_extent(buffer)},
                     origin, picture, filter, role);
}

}  // namespace sfumato::gegl
