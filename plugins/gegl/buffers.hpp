// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// GEGL's buffers as the engine's pictures. A picture's first pixel lies at `origin`, in GEGL's
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

/// What lies far beyond any picture, as planes without end do, is cut.
inline Rect rect_of(const GeglRectangle& r, Origin origin = {}) {
  constexpr long long most = 1 << 30;
  const auto cut = [&](long long at) { return static_cast<int>(std::clamp(at, -most, most)); };
  const long long x = static_cast<long long>(r.x) - origin.x,
                  y = static_cast<long long>(r.y) - origin.y;
  return {cut(x), cut(y), cut(x + r.width), cut(y + r.height)};
}

/// Whether there is too much of it to be read as one picture.
bool is_too_large(const GeglRectangle& extent);
/// EngineError for a role of which there is too much.
[[noreturn]] void throw_too_large(const std::string& role);

/// Reads a buffer as `babl`, which is what `format` says; beyond the buffer, or where there is
/// none, there is 0.
class BufferSource final : public PixelSource {
 public:
  /// `covered` is what of the picture there are pixels of, all in all: a buffer may hold a part.
  BufferSource(GeglBuffer* buffer, const Babl* babl, const PictureFormat& format, Origin origin,
               const Rect& covered)
      : buffer_(buffer), babl_(babl), format_(format), origin_(origin), covered_(covered) {
    if (buffer_ != nullptr) g_object_ref(buffer_);
  }
  /// Of a buffer that holds all there is.
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

/// What lies on an operation's pad for a role.
struct RoleInput {
  /// What was computed of it for the region in work; nullptr where that is nothing.
  GeglBuffer* buffer = nullptr;
  const Babl* format = nullptr;  ///< its own
  GeglRectangle box{};           ///< all of it, in the picture's coordinates; not empty
};

/// A role's own numbers: integers as they are stored, so that normal maps keep their meaning; gray
/// ones are one channel. Of colours where the filter wants one number (a layer of a colour image
/// has no fewer) it is the first. It lies on the picture, whose first pixel is at `origin` in the
/// buffer's coordinates, unless it is one that stands alone. Throws EngineError where that has no
/// end.
std::shared_ptr<PixelSource> role_source(const RoleInput& input, Origin origin,
                                         const PictureFormat& picture, const FilterInfo& filter,
                                         const std::string& role);
/// The same of a buffer that holds all of it.
std::shared_ptr<PixelSource> role_source(GeglBuffer* buffer, Origin origin,
                                         const PictureFormat& picture, const FilterInfo& filter,
                                         const std::string& role);

/// How numbers below zero were encoded. The engine's sRGB curve is mirrored there, Babl's goes
/// straight on: light that was encoded by the one would be another for the other.
enum class BelowZero { as_babl, mirrored };

/// Writes to a buffer; the caller keeps it.
class BufferSink final : public PixelSink {
 public:
  /// `below`: BelowZero::mirrored is for floats with sRGB's curve and no alpha alone.
  BufferSink(GeglBuffer* buffer, const Babl* babl, const PictureFormat& format, Origin origin,
             BelowZero below = BelowZero::as_babl)
      : buffer_(buffer), babl_(babl), format_(format), origin_(origin), below_(below) {}

  const PictureFormat& format() const override { return format_; }
  bool wants_bands() const override { return false; }
  void write(const HostView& pixels) override;

 private:
  // Those of `pixels` from `first` on; of several threads each writes its own.
  void write_rows(const HostView& pixels, int first, int rows) const;

  GeglBuffer* buffer_;
  const Babl* babl_;
  PictureFormat format_;
  Origin origin_;
  BelowZero below_;
};

}  // namespace sfumato::gegl
