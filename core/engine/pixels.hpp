// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Sources and sinks of pictures, read and written in pieces: files, memory, hosts.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "image/format.hpp"

namespace sfumato {

/// Delivers a picture's stored pixels, one region at a time.
class PixelSource {
 public:
  virtual ~PixelSource() = default;

  virtual const PictureFormat& format() const = 0;

  /// Copies `region` (inside the picture) to rows at `to`, `row_stride` bytes apart. The engine
  /// requests regions from top to bottom, and may request overlapping rows again. Throws on a read
  /// error.
  virtual void read(const Rect& region, void* to, std::ptrdiff_t row_stride) = 0;

  /// The part of the picture that has pixels: a role may lie beside its picture. Elsewhere read()
  /// gives 0.
  virtual Rect covered() const { return format().rect(); }

  /// Called before the first read if regions will not come from top to bottom.
  virtual void keep_all() {}
};

/// Receives a picture's pixels in bands from top to bottom that tile it exactly.
class PixelSink {
 public:
  virtual ~PixelSink() = default;

  virtual const PictureFormat& format() const = 0;
  virtual void write(const HostView& pixels) = 0;

  /// True if tiles must span the picture's width, as most file formats require.
  virtual bool wants_bands() const { return true; }
};

/// Reads a window that may reach beyond the picture, which repeats outside.
void read_window(PixelSource& source, const Rect& window, const Rect& picture, void* to,
                 std::ptrdiff_t row_stride);

/// Sets the pixels of `region` at `to` to 0.
void clear_rows(const Rect& region, std::size_t pixel_bytes, void* to, std::ptrdiff_t row_stride);

/// A picture, or a region of one, in the caller's memory. Reads do not wrap around: they must lie
/// inside the held region.
class MemorySource final : public PixelSource {
 public:
  MemorySource(const PictureFormat& format, const HostView& pixels)
      : format_(format), pixels_(pixels) {}
  const PictureFormat& format() const override { return format_; }
  void read(const Rect& region, void* to, std::ptrdiff_t row_stride) override;

 private:
  PictureFormat format_;
  HostView pixels_;
};

/// Pixels in the caller's memory that may lie anywhere on the picture, or reach beyond it;
/// elsewhere read() gives 0. `covered` is the area that has pixels, if that is more than the held
/// region; as with MemorySource, reads must not touch the part that is not held.
class LaidSource final : public PixelSource {
 public:
  LaidSource(const PictureFormat& format, const HostView& pixels, const Rect& covered)
      : memory_(format, pixels), held_(pixels.region), covered_(covered) {}
  /// Holds all existing pixels.
  LaidSource(const PictureFormat& format, const HostView& pixels)
      : LaidSource(format, pixels, pixels.region) {}
  const PictureFormat& format() const override { return memory_.format(); }
  Rect covered() const override { return covered_; }
  void read(const Rect& region, void* to, std::ptrdiff_t row_stride) override;

 private:
  MemorySource memory_;
  Rect held_, covered_;
};

class MemorySink final : public PixelSink {
 public:
  MemorySink(const PictureFormat& format, const HostView& pixels)
      : format_(format), pixels_(pixels) {}
  const PictureFormat& format() const override { return format_; }
  void write(const HostView& pixels) override;
  bool wants_bands() const override { return false; }

 private:
  PictureFormat format_;
  HostView pixels_;
};

/// Integer samples that encode -1..1 as (n + 1) / 2, delivered as floats; 0 where there are no
/// pixels.
class SignedSource final : public PixelSource {
 public:
  explicit SignedSource(std::shared_ptr<PixelSource> from);
  const PictureFormat& format() const override { return format_; }
  Rect covered() const override { return from_->covered(); }
  void read(const Rect& region, void* to, std::ptrdiff_t row_stride) override;
  void keep_all() override { from_->keep_all(); }

 private:
  std::shared_ptr<PixelSource> from_;
  PictureFormat format_;
  std::vector<char> samples_;
};

/// Serves overlapping regions from a source that is best read once, from top to bottom. Keeps the
/// rows from the top of the last region on, or all rows after keep_all(). A region above those is
/// read again, as the replacement for a failed device may need.
class RowWindow final : public PixelSource {
 public:
  /// Reads whole rows [y0, y1) of the picture. Called with ascending, adjacent ranges, which
  /// restart further up, at a multiple of `chunk_rows`, if rows are needed again.
  using ReadRows = std::function<void(int y0, int y1, void* to, std::ptrdiff_t row_stride)>;

  /// `chunk_rows`: the number of rows that is cheapest to read at once (a file's strip or tile
  /// height).
  RowWindow(const PictureFormat& format, ReadRows read_rows, int chunk_rows = 16);
  const PictureFormat& format() const override { return format_; }

  void read(const Rect& region, void* to, std::ptrdiff_t row_stride) override;
  void keep_all() override { keep_all_ = true; }

 private:
  const char* row(int y) const;

  struct Chunk {
    int y0 = 0, y1 = 0;
    std::vector<char> bytes;
  };
  PictureFormat format_;
  ReadRows read_rows_;
  int chunk_rows_;
  bool keep_all_ = false;
  std::size_t row_bytes_;
  int next_ = 0;  // first row not read yet
  std::deque<Chunk> chunks_;
};

}  // namespace sfumato
