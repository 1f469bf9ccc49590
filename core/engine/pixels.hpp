// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Sources and sinks of pictures, read and written in pieces: files, memory, hosts.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <vector>

#include "image/format.hpp"

namespace sfumato {

/// Delivers a picture's stored pixels, one region at a time.
class PixelSource {
 public:
  virtual ~PixelSource() = default;

  virtual const PictureFormat& format() const = 0;

  /// Not 0: identifies the pixels, so that what a renderer made of them for one render may be used
  /// by the next. See new_content().
  virtual std::uint64_t content() const { return 0; }

  /// Copies `region` (inside the picture) to rows at `to`, `row_stride` bytes apart. The engine
  /// requests regions from top to bottom, and may request overlapping rows again. Throws on a read
  /// error.
  virtual void read(const Rect& region, void* to, std::ptrdiff_t row_stride) = 0;

  /// The part of the picture that has pixels: a role may lie beside its picture. Elsewhere read()
  /// gives 0.
  virtual Rect covered() const { return format().rect(); }

  /// Called before the first read if regions will not come from top to bottom.
  virtual void keep_all() {}

  /// Called before a read: the region that will probably be requested after it, or an empty one.
  /// Rows above it need not be kept, and its own may be read meanwhile, on another thread.
  virtual void expect(const Rect&) {}
};

/// A number for the content of sources that no other call in this process returns.
std::uint64_t new_content();

/// Receives a picture's pixels in bands from top to bottom that tile it exactly, or in tiles, some
/// of which may come again after a device failed.
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

/// Calls `use(strip)` for strips of `rows` rows of held pixels, from the top.
template <typename Use>
void by_strips(const HostView& whole, int rows, Use&& use) {
  for (int y = whole.region.y0; y < whole.region.y1; y += rows) {
    HostView strip = whole;
    strip.data = strip.row(y);
    strip.region.y0 = y;
    strip.region.y1 = std::min(whole.region.y1, y + rows);
    use(strip);
  }
}

/// Copies rows without gaps to rows `row_stride` bytes apart.
void copy_packed_rows(const char* from, std::size_t row_bytes, int rows, void* to,
                      std::ptrdiff_t row_stride);

/// Sets the pixels of `region` at `to` to 0.
void clear_rows(const Rect& region, std::size_t pixel_bytes, void* to, std::ptrdiff_t row_stride);

/// A picture, or a region of one, in the caller's memory. Reads do not wrap around: they must lie
/// inside the held region.
class MemorySource final : public PixelSource {
 public:
  MemorySource(const PictureFormat& format, const HostView& pixels, std::uint64_t content = 0)
      : format_(format), pixels_(pixels), content_(content) {}
  const PictureFormat& format() const override { return format_; }
  std::uint64_t content() const override { return content_; }
  void read(const Rect& region, void* to, std::ptrdiff_t row_stride) override;

 private:
  PictureFormat format_;
  HostView pixels_;
  std::uint64_t content_;
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

/// Passes bands on in strips of some rows, on another thread while the next band is computed: bands
/// of 1 to 16 MiB, but not the last. Errors are thrown by the next call.
class WriteBehind final : public PixelSink {
 public:
  /// `to` must outlive it.
  WriteBehind(PixelSink& to, int rows) : to_(to), rows_(rows) {}
  /// Waits for the strip that is being written; the others are not.
  ~WriteBehind() override;
  const PictureFormat& format() const override { return to_.format(); }
  bool wants_bands() const override { return to_.wants_bands(); }
  void write(const HostView& pixels) override;
  /// Waits until all is written.
  void finish();

 private:
  void write_strips(const HostView& band);

  PixelSink& to_;
  const int rows_;
  std::vector<char> band_;
  std::atomic<bool> stop_ = false;
  std::future<void> writing_;  // uses the other members until it is waited for
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
/// rows from the top of the last region on, or all rows after keep_all(). If expect() says what
/// comes next, only its rows are kept, others are read to where they are requested without a copy,
/// and some of the next are read ahead. A region above the rows kept is read again, as the
/// replacement for a failed device may need.
class RowWindow final : public PixelSource {
 public:
  /// Reads whole rows [y0, y1) of the picture. Called with ascending, adjacent ranges, which
  /// restart further up, at a multiple of `chunk_rows`, if rows are needed again; one at a time,
  /// but on another thread for those ahead.
  using ReadRows = std::function<void(int y0, int y1, void* to, std::ptrdiff_t row_stride)>;

  /// `chunk_rows`: the number of rows that is cheapest to read at once (a file's strip or tile
  /// height).
  RowWindow(const PictureFormat& format, ReadRows read_rows, int chunk_rows = 16);
  ~RowWindow() override;
  const PictureFormat& format() const override { return format_; }

  void read(const Rect& region, void* to, std::ptrdiff_t row_stride) override;
  void keep_all() override;
  void expect(const Rect& next) override { expected_ = next; }

 private:
  struct Chunk {
    int y0 = 0, y1 = 0;
    std::unique_ptr<char[]> bytes;
  };
  void read_chunk();
  /// Rows [y0, y1) of the chunks to `region`, which lies at `to`.
  void copy_rows(int y0, int y1, const Rect& region, char* to, std::ptrdiff_t row_stride) const;
  void drop_above(int y);
  void read_ahead(int y1);
  /// Throws what reading ahead has thrown.
  void wait_for_rows_ahead();

  PictureFormat format_;
  ReadRows read_rows_;
  int chunk_rows_;
  bool keep_all_ = false;
  std::optional<Rect> expected_;
  std::size_t row_bytes_;
  int next_ = 0;  // first row not read yet
  std::deque<Chunk> chunks_;
  std::atomic<bool> stop_ahead_ = false;
  std::future<void> ahead_;  // uses the other members until it is waited for
};

}  // namespace sfumato
