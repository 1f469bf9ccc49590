// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Pictures in another size: which size, by which filter, row by row.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "image/format.hpp"
#include "image/parallel_rows.hpp"

namespace sfumato {

/// How the pixels of a resized picture are made. Where a picture becomes smaller, a filter is as
/// much wider; beyond the border, its weights are left out, and the others sum to 1.
enum class ResizeFilter : int {
  lanczos3,  ///< sinc(x) sinc(x / 3), |x| < 3: sharp, with faint overshoot (Duchon 1979)
  mitchell,  ///< cubic, B = C = 1/3, |x| < 2: soft, little overshoot (Mitchell and Netravali 1988)
  box,       ///< the mean of the area that a new pixel covers: none
};

struct PictureSize {
  int width = 0, height = 0;
  bool operator==(const PictureSize&) const = default;
};

/// The size that a picture is to have.
struct Resizing {
  PictureSize most;  ///< it is made smaller until it fits into this; zeros: any size is good
  double scale = 0;  ///< it is made that many times as wide and high, before; 0: stays as it is
  ResizeFilter filter = ResizeFilter::lanczos3;
  bool stored = false;  ///< numbers are averaged as the file holds them, not light

  bool operator==(const Resizing&) const = default;
  /// The new size, at least 1 x 1; sides are rounded to nearest.
  PictureSize of(const PictureSize& size) const;
  /// How many times as wide and high, before rounding.
  double factor(const PictureSize& size) const;
};

/// Resizes a picture of interleaved floats whose rows come from top to bottom; holds as many rows
/// as the filter is high.
class Resampler {
 public:
  /// Gets rows [y0, y1) of the new picture, packed.
  using Put = std::function<void(int y0, int y1, const float* rows)>;

  /// `channels` is 1 to 4.
  Resampler(const PictureSize& from, const PictureSize& to, int channels, ResizeFilter filter);

  /// Takes the next `count` rows, `stride` floats apart, and passes on what can be made of them.
  /// After the last row, the new picture is complete.
  void add(const float* rows, std::ptrdiff_t stride, int count, const Put& put,
           const ParallelRows& parallel);

  /// Rows of the new picture that were passed on.
  int rows_made() const { return next_; }

 private:
  // The samples that make each sample of a new row or column: `count` weights, the first one for
  // the sample `first`.
  struct Taps {
    std::vector<int> first, count;
    std::vector<float> weights;  // `most` of each
    std::size_t most = 0;

    Taps(int from, int to, ResizeFilter filter);
    const float* of(int i) const { return &weights[static_cast<std::size_t>(i) * most]; }
    int last(int i) const {
      const auto at = static_cast<std::size_t>(i);
      return first[at] + count[at];
    }
  };

  float* held(int y) { return &held_[static_cast<std::size_t>(y - held_y0_) * row_]; }
  int rows_at_once() const;
  const ParallelRows& threads_for(int rows, std::size_t taps, const ParallelRows& parallel) const;
  void put_ready(const Put& put, const ParallelRows& parallel);
  void forget_rows();

  int channels_, height_;
  std::size_t row_;  // floats of a new row
  Taps across_, down_;
  std::vector<float> held_, made_;  // rows of the new width; rows that are complete
  int held_y0_ = 0, held_y1_ = 0;   // of the old picture
  int next_ = 0;                    // row of the new one
};

}  // namespace sfumato
