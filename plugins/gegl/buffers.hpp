// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// GEGL's buffers as the engine's pictures. A picture's first pixel is at `origin` in GEGL's
// coordinates.
#pragma once

#include "gegl.hpp"

#include <algorithm>
#include <memory>
#include <string>

#include "engine/pixels.hpp"
#include "filters/filter.hpp"

namespace sfumato::gegl {

struct Origin {
  int x = 0, y = 0;
};

inline GeglRectangle rectangle_of(const Rect& r, Origin origin = {}) {
  return {r.x0 + origin.x, r.y0 + origin.y, r.width(), r.height()};
}

/// Clips coordinates far beyond any picture, as infinite planes have.
inline Rect rect_of(const GeglRectangle& r, Origin origin = {}) {
  constexpr long long most = 1 << 30;
  const auto cut = [&](long long at) { return static_cast<int>(std::clamp(at, -most, most)); };
  const long long x = static_cast<long long>(r.x) - origin.x,
                  y = static_cast<long long>(r.y) - origin.y;
  return {cut(x), cut(y), cut(x + r.width), cut(y + r.height)};
}

/// Whether the extent is too large to be read as one picture.
bool is_too_large(const GeglRectangle& extent);
/// Throws EngineError for a role that is too large.
[[noreturn]] void throw_too_large(const std::string& role);

/// Reads a buffer as `babl`, which `format` describes. Outside the buffer, and without one, pixels
/// are 0.
class BufferSource final : public PixelSource {
 public:
  /// `covered` is the part of the picture that has pixels; the buffer may hold only some of them.
  BufferSource(GeglBuffer* buffer, const Babl* babl, const PictureFormat& format, Origin origin,
               const Rect& covered)
      : buffer_(buffer), babl_(babl), format_(format), origin_(origin), covered_(covered) {
    if (buffer_ != nullptr) g_object_ref(buffer_);
  }
  /// For a buffer that holds all existing pixels.
  BufferSource(GeglBuffer* buffer, const Babl* babl, const PictureFormat& format, Origin origin)
      : BufferSource(buffer, babl, format, origin,
                     rect_of(*gegl_buffer_get_extent(buffer), origin).intersected(format.rect())) {}
  ~BufferSource() override { g_clear_object(&buffer_); }
  BufferSource(const BufferSource&) = delete;
  BufferSource& operator=(const BufferSource&) = delete;

  const PictureFormat& format() const override { return format_; }
  Rect covered() const override { return covered_; }
  void read(const Rect& region, void* to, std::ptrdiff_t row_stride) override;

 private:
  GeglBuffer* buffer_;
  const Babl* babl_;
  PictureFormat format_;
  Origin origin_;
  Rect covered_;
};

/// The input on an operation's pad for a role.
struct RoleInput {
  /// The pixels computed for the current region; nullptr if there are none.
  GeglBuffer* buffer = nullptr;
  const Babl* format = nullptr;  ///< the buffer's own
  GeglRectangle box{};           ///< its full extent in the picture's coordinates; not empty
};

/// A role in its own numbers: integers as stored, so that normal maps keep their meaning; gray as
/// one channel. If the filter wants one channel but the layer is in colour (as every layer of a
/// colour image is), the first is used. The role lies on the picture, whose first pixel is at
/// `origin` in the buffer's coordinates, if it is aligned. Throws EngineError if a role that is not
/// aligned is infinite.
std::shared_ptr<PixelSource> role_source(const RoleInput& input, Origin origin,
                                         const PictureFormat& picture, const FilterInfo& filter,
                                         const std::string& role);
/// The same for a buffer that holds all of it.
std::shared_ptr<PixelSource> role_source(GeglBuffer* buffer, Origin origin,
                                         const PictureFormat& picture, const FilterInfo& filter,
                                         const std::string& role);

/// How negative numbers were encoded. The engine's sRGB curve is odd, Babl's continues linearly, so
/// each would decode the other's numbers wrongly.
enum class NegativeCoding { as_babl, mirrored };

/// Writes to a buffer, which the caller keeps.
class BufferSink final : public PixelSink {
 public:
  /// NegativeCoding::mirrored is only for floats with sRGB's curve and without alpha.
  BufferSink(GeglBuffer* buffer, const Babl* babl, const PictureFormat& format, Origin origin,
             NegativeCoding below = NegativeCoding::as_babl)
      : buffer_(buffer), babl_(babl), format_(format), origin_(origin), below_(below) {}

  const PictureFormat& format() const override { return format_; }
  bool wants_bands() const override { return false; }
  void write(const HostView& pixels) override;

 private:
  // Writes `rows` rows of `pixels` from `first` on; several threads each write their own.
  void write_rows(const HostView& pixels, int first, int rows) const;

  GeglBuffer* buffer_;
  const Babl* babl_;
  PictureFormat format_;
  Origin origin_;
  NegativeCoding below_;
};

}  // namespace sfumato::gegl
