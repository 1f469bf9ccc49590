// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Collects bands of whole groups of rows and reduces them when full.
#include "preview/reducing_sink.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "image/reduce.hpp"

namespace sfumato::gui {

ReducingSink::ReducingSink(const PictureFormat& format, const Rect& region, int factor,
                           const HostView& to, ParallelRows rows)
    : format_(format),
      region_(region),
      factor_(factor),
      to_(to),
      rows_(std::move(rows)),
      pitch_(static_cast<std::size_t>(region.width()) * format.pixel_bytes()),
      capacity_(factor * std::max(1, 128 / factor)),
      band_(pitch_ * static_cast<std::size_t>(capacity_)) {}

void ReducingSink::write(const HostView& pixels) {
  for (int y = pixels.region.y0; y < pixels.region.y1; ++y) {
    std::memcpy(band_.data() + pitch_ * static_cast<std::size_t>(held_), pixels.row(y), pitch_);
    if (++held_ == capacity_ || y + 1 == region_.y1) flush();
  }
}

void ReducingSink::flush() {
  PictureFormat band = format_;
  band.width = region_.width();
  band.height = held_;
  const PictureFormat small = reduced_format(band, factor_);
  const HostView from{band_.data(), static_cast<std::ptrdiff_t>(pitch_), band.rect()};
  const HostView to{to_.row(to_.region.y0 + done_), to_.row_stride, small.rect()};
  reduce(from, band, factor_, to, rows_);
  done_ += small.height;
  held_ = 0;
}

}  // namespace sfumato::gui
