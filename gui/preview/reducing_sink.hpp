// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Reduces a 1:1 render while it arrives, so that it is never held whole.
#pragma once

#include <vector>

#include "engine/pixels.hpp"
#include "image/parallel_rows.hpp"

namespace sfumato::gui {

/// Receives `region` of a float picture, whose upper left corner is at multiples of `factor`, and
/// writes the result of reduce() to rows at `to`.
class ReducingSink final : public PixelSink {
 public:
  ReducingSink(const PictureFormat& format, const Rect& region, int factor, const HostView& to,
               ParallelRows rows);
  const PictureFormat& format() const override { return format_; }
  void write(const HostView& pixels) override;

 private:
  void flush();

  PictureFormat format_;
  Rect region_;
  int factor_;
  HostView to_;
  ParallelRows rows_;
  std::size_t pitch_;
  int capacity_, held_ = 0, done_ = 0;  // rows held in `band_`, and rows written
  std::vector<char> band_;
};

}  // namespace sfumato::gui
