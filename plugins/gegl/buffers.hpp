// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// GEGL's buffers as the engine's pictures. A picture's first pixel lies at `origin`, in GEGL's
// coordinates.
#pragma once

#include "gegl.hpp"

#include <memory>

#include "engine/pixels.hpp"

namespace sfumato::gegl {

struct Origin {
  int x = 0, y = 0;
};

inline GeglRectangle rectangle_of(const Rect& r, Origin origin = {}) {
  return {r.x0 + origin.x, r.y0 + origin.y, r.width(), r.height()};
}

inline Rect rect_of(const GeglRectangle& r, Origin origin = {}) {
  const int x = r.x - origin.x, y = r.y - origin.y;
  return {x, y, x + r.width, y + r.height};
}

/// Reads a buffer as `babl`, which is what `format` says; beyond the buffer there is 0.
class BufferSource final : public PixelSource {
 public:
  BufferSource(GeglBuffer* buffer, const Babl* babl, const PictureFormat& format, Origin origin)
      : buffer_(buffer), babl_(babl), format_(format), origin_(origin) {
    g_object_ref(buffer_);
  }
  ~BufferSource() override { g_object_unref(buffer_); }
  BufferSource(const BufferSource&) = delete;
  BufferSource& operator=(const BufferSource&) = delete;

  const PictureFormat& format() const override { return format_; }
  Rect covered() const override {
    return rect_of(*gegl_buffer_get_extent(buffer_), origin_).intersected(format_.rect());
  }
  void read(const Rect& region, void* to, std::ptrdiff_t row_stride) override {
    const GeglRectangle r = rectangle_of(region, origin_);
    gegl_buffer_get(buffer_, &r, 1.0, babl_, to, static_cast<int>(row_stride), GEGL_ABYSS_NONE);
  }

 private:
  GeglBuffer* buffer_;
  const Babl* babl_;
  PictureFormat format_;
  Origin origin_;
};

/// A role's own numbers: integers as they are stored, so that normal maps keep their meaning. It
/// lies on the picture, whose first pixel is at `origin` in the buffer's coordinates, or `alone`.
std::shared_ptr<PixelSource> role_source(GeglBuffer* buffer, Origin origin,
                                         const PictureFormat& picture, bool alone);

/// Writes to a buffer; the caller keeps it.
class BufferSink final : public PixelSink {
 public:
  BufferSink(GeglBuffer* buffer, const Babl* babl, const PictureFormat& format, Origin origin)
      : buffer_(buffer), babl_(babl), format_(format), origin_(origin) {}

  const PictureFormat& format() const override { return format_; }
  bool wants_bands() const override { return false; }
  void write(const HostView& pixels) override {
    const GeglRectangle r = rectangle_of(pixels.region, origin_);
    gegl_buffer_set(buffer_, &r, 0, babl_, pixels.data, static_cast<int>(pixels.row_stride));
  }

 private:
  GeglBuffer* buffer_;
  const Babl* babl_;
  PictureFormat format_;
  Origin origin_;
};

}  // namespace sfumato::gegl
