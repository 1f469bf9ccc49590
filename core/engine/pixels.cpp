// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Sources and sinks in memory, and the sliding window over files that are read once.
#include "engine/pixels.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "image/parallel_rows.hpp"
#include "image/transfer.hpp"

namespace sfumato {
namespace {

// On several threads where that is worth it: one alone does not use all of the memory's speed.
void copy_rows(const HostView& from, const HostView& to, const Rect& region, std::size_t pixel) {
  constexpr std::size_t worth_threads = std::size_t{1} << 21, band_bytes = std::size_t{1} << 18;
  const std::size_t bytes = static_cast<std::size_t>(region.width()) * pixel;
  const auto copy = [&](int y0, int y1) {
    for (int y = y0; y < y1; ++y) {
      const char* in = static_cast<const char*>(from.row(y)) +
                       static_cast<std::size_t>(region.x0 - from.region.x0) * pixel;
      char* out = static_cast<char*>(to.row(y)) +
                  static_cast<std::size_t>(region.x0 - to.region.x0) * pixel;
      std::memcpy(out, in, bytes);
    }
  };
  if (bytes * static_cast<std::size_t>(region.height()) < worth_threads) {
    copy(region.y0, region.y1);
    return;
  }
  const int rows = static_cast<int>(std::max<std::size_t>(1, band_bytes / bytes));
  ParallelRows().run(0, (region.height() + rows - 1) / rows, [&](int band) {
    const int y0 = region.y0 + band * rows;
    copy(y0, std::min(y0 + rows, region.y1));
  });
}

}  // namespace

std::uint64_t new_content() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

void read_window(PixelSource& source, const Rect& window, const Rect& picture, void* to,
                 std::ptrdiff_t row_stride) {
  if (picture.contains(window)) {
    source.read(window, to, row_stride);
    return;
  }
  const std::size_t pixel = source.format().pixel_bytes();
  // Runs of columns and rows that lie within one repetition of the picture.
  for (int y = window.y0; y < window.y1;) {
    const int from_y = border_index(y, picture.y0, picture.y1, Border::wrap);
    const int rows = std::min(window.y1 - y, picture.y1 - from_y);
    for (int x = window.x0; x < window.x1;) {
      const int from_x = border_index(x, picture.x0, picture.x1, Border::wrap);
      const int columns = std::min(window.x1 - x, picture.x1 - from_x);
      char* at = static_cast<char*>(to) + static_cast<std::ptrdiff_t>(y - window.y0) * row_stride +
                 static_cast<std::size_t>(x - window.x0) * pixel;
      source.read({from_x, from_y, from_x + columns, from_y + rows}, at, row_stride);
      x += columns;
    }
    y += rows;
  }
}

void copy_packed_rows(const char* from, std::size_t row_bytes, int rows, void* to,
                      std::ptrdiff_t row_stride) {
  for (int y = 0; y < rows; ++y) {
    std::memcpy(static_cast<char*>(to) + y * row_stride,
                from + static_cast<std::size_t>(y) * row_bytes, row_bytes);
  }
}

void clear_rows(const Rect& region, std::size_t pixel_bytes, void* to, std::ptrdiff_t row_stride) {
  const std::size_t bytes = static_cast<std::size_t>(region.width()) * pixel_bytes;
  for (int y = 0; y < region.height(); ++y) {
    std::memset(static_cast<char*>(to) + y * row_stride, 0, bytes);
  }
}

void MemorySource::read(const Rect& region, void* to, std::ptrdiff_t row_stride) {
  if (!pixels_.region.contains(region)) throw std::logic_error("region outside the pixels held");
  copy_rows(pixels_, HostView{to, row_stride, region}, region, format_.pixel_bytes());
}

void LaidSource::read(const Rect& region, void* to, std::ptrdiff_t row_stride) {
  const Rect there = region.intersected(held_);
  if (!(there == region)) clear_rows(region, format().pixel_bytes(), to, row_stride);
  if (there.empty()) return;
  char* const first = static_cast<char*>(to) + (there.y0 - region.y0) * row_stride +
                      static_cast<std::size_t>(there.x0 - region.x0) * format().pixel_bytes();
  memory_.read(there, first, row_stride);
}

void MemorySink::write(const HostView& pixels) {
  copy_rows(pixels, pixels_, pixels.region.intersected(pixels_.region), format_.pixel_bytes());
}

WriteBehind::~WriteBehind() {
  stop_ = true;
}

void WriteBehind::write_strips(const HostView& band) {
  by_strips(band, rows_, [this](const HostView& strip) {
    if (!stop_) to_.write(strip);
  });
}

void WriteBehind::write(const HostView& pixels) {
  constexpr std::size_t least = std::size_t{1} << 20, most = least << 4;  // worth a thread; held
  finish();
  const std::size_t pitch =
      static_cast<std::size_t>(pixels.region.width()) * format().pixel_bytes();
  const std::size_t bytes = pitch * static_cast<std::size_t>(pixels.region.height());
  if (bytes < least || bytes > most || pixels.region.y1 >= format().height) {
    write_strips(pixels);
    return;
  }
  band_.resize(bytes);
  const HostView copy{band_.data(), static_cast<std::ptrdiff_t>(pitch), pixels.region};
  copy_rows(pixels, copy, pixels.region, format().pixel_bytes());
  try {
    writing_ = std::async(std::launch::async, [this, copy] { write_strips(copy); });
  } catch (const std::system_error&) {  // no thread can be had
    write_strips(pixels);
  }
}

void WriteBehind::finish() {
  if (writing_.valid()) writing_.get();
}

SignedSource::SignedSource(std::shared_ptr<PixelSource> from)
    : from_(std::move(from)), format_(from_->format()) {
  format_.type = SampleType::f32;
  format_.coding = Coding::linear();
}

void SignedSource::read(const Rect& region, void* to, std::ptrdiff_t row_stride) {
  const PictureFormat& stored = from_->format();
  const std::size_t pitch = static_cast<std::size_t>(region.width()) * stored.pixel_bytes();
  samples_.resize(pitch * static_cast<std::size_t>(region.height()));
  from_->read(region, samples_.data(), static_cast<std::ptrdiff_t>(pitch));
  const int samples = region.width() * stored.channels, step = sample_bytes(stored.type);
  const Rect there = from_->covered().intersected(region);
  const int first = (there.x0 - region.x0) * stored.channels,
            last = (there.x1 - region.x0) * stored.channels;
  for (int y = region.y0; y < region.y1; ++y) {
    const auto row = static_cast<std::ptrdiff_t>(y - region.y0);
    const char* in = samples_.data() + row * static_cast<std::ptrdiff_t>(pitch);
    auto* out = reinterpret_cast<float*>(static_cast<char*>(to) + row * row_stride);
    std::fill_n(out, samples, 0.0f);
    if (y < there.y0 || y >= there.y1) continue;
    for (int i = first; i < last; ++i) out[i] = 2 * read_sample(in + i * step, stored.type) - 1;
  }
}

RowWindow::RowWindow(const PictureFormat& format, ReadRows read_rows, int chunk_rows)
    : format_(format),
      read_rows_(std::move(read_rows)),
      chunk_rows_(std::max(1, chunk_rows)),
      row_bytes_(static_cast<std::size_t>(format.width) * format.pixel_bytes()) {}

RowWindow::~RowWindow() {
  stop_ahead_ = true;
}

void RowWindow::keep_all() {
  wait_for_rows_ahead();
  keep_all_ = true;
}

void RowWindow::read_ahead(int y1) {
  constexpr std::size_t most = std::size_t{16} << 20;  // bytes
  const auto rows = static_cast<int>(std::min<std::size_t>(most / row_bytes_, 1 << 20));
  const int end = std::min({y1, format_.height, next_ + rows});
  if (next_ >= end) return;
  try {
    ahead_ = std::async(std::launch::async, [this, end] {
      while (next_ < end && !stop_ahead_) read_chunk();
    });
  } catch (const std::system_error&) {  // no thread can be had: they are read when requested
  }
}

void RowWindow::wait_for_rows_ahead() {
  if (ahead_.valid()) ahead_.get();
}

void RowWindow::read_chunk() {
  const int end = std::min(format_.height, next_ + chunk_rows_);
  const std::size_t bytes = static_cast<std::size_t>(end - next_) * row_bytes_;
  Chunk chunk{next_, end, std::make_unique_for_overwrite<char[]>(bytes)};
  read_rows_(next_, end, chunk.bytes.get(), static_cast<std::ptrdiff_t>(row_bytes_));
  next_ = end;
  chunks_.push_back(std::move(chunk));
}

void RowWindow::copy_rows(int y0, int y1, const Rect& region, char* to,
                          std::ptrdiff_t row_stride) const {
  const std::size_t skip = static_cast<std::size_t>(region.x0) * format_.pixel_bytes();
  const std::size_t bytes = static_cast<std::size_t>(region.width()) * format_.pixel_bytes();
  for (const Chunk& chunk : chunks_) {
    for (int y = std::max(y0, chunk.y0); y < std::min(y1, chunk.y1); ++y) {
      std::memcpy(to + static_cast<std::ptrdiff_t>(y - region.y0) * row_stride,
                  chunk.bytes.get() + static_cast<std::size_t>(y - chunk.y0) * row_bytes_ + skip,
                  bytes);
    }
  }
}

void RowWindow::drop_above(int y) {
  while (!keep_all_ && !chunks_.empty() && chunks_.front().y1 <= y) chunks_.pop_front();
}

void RowWindow::read(const Rect& region, void* to, std::ptrdiff_t row_stride) {
  char* const rows = static_cast<char*>(to);
  wait_for_rows_ahead();
  drop_above(region.y0);
  if (region.y0 < (chunks_.empty() ? next_ : chunks_.front().y0)) {
    chunks_.clear();
    next_ = region.y0 / chunk_rows_ * chunk_rows_;
  }
  const int held = std::min(next_, region.y1);
  copy_rows(region.y0, held, region, rows, row_stride);
  const std::optional<Rect> expected =
      keep_all_ ? std::nullopt : std::exchange(expected_, std::nullopt);
  const int keep_from = !expected ? 0 : expected->empty() ? format_.height : expected->y0;
  const bool whole_rows = region.width() == format_.width;
  int done = std::max(held, region.y0);
  while (next_ < region.y1) {
    const int end = std::min(format_.height, next_ + chunk_rows_);
    if (whole_rows && next_ == done && end <= std::min(keep_from, region.y1)) {
      read_rows_(next_, end, rows + static_cast<std::ptrdiff_t>(next_ - region.y0) * row_stride,
                 row_stride);
      next_ = done = end;
      chunks_.clear();  // these lie above, too
      continue;
    }
    read_chunk();
    copy_rows(done, region.y1, region, rows, row_stride);
    done = std::clamp(next_, done, region.y1);
    drop_above(std::max(region.y0, keep_from));
  }
  drop_above(keep_from);
  if (expected && expected->y0 >= region.y0) read_ahead(expected->y1);
}

}  // namespace sfumato
