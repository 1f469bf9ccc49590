// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// One of two pictures that are compared, as numbers and as light.
#pragma once

#include <utility>
#include <vector>

#include "io/compare_pictures.hpp"

namespace sfumato {

/// The most rows that are compared at once.
inline constexpr int compared_rows = 64;

class ComparedSide {
 public:
  /// `plan` is common_part(); the common part begins at `x`, `y` of this picture. `light`: colours
  /// are needed, too.
  ComparedSide(InputPicture& picture, int x, int y, const PictureDifference& plan,
               ComparedNumbers numbers, bool light);

  /// Reads rows of the common part, at most compared_rows, beside those that are shown. Throws
  /// FileError.
  void read(int first, int rows);
  /// What was read last takes the place of what was shown.
  void show() { std::swap(shown_, read_); }

  /// Channel c of the first row begins at c * plane().
  const float* numbers() const { return shown_.planes.data(); }
  std::ptrdiff_t plane() const { return width_ * compared_rows; }
  /// Pixels of four numbers: linear light with sRGB's primaries, premultiplied.
  const float* light() const { return shown_.light.data(); }

 private:
  void take_row(int row);
  void take_row_of_bytes(int row);
  void take_samples(int source, int row, const std::vector<float>& codes, float* to,
                    std::ptrdiff_t step) const;
  void fill_light(int row);
  void premultiply(int rows);
  void make_light(int rows);
  void decode_light(std::size_t pixels);
  template <typename Factor>
  void scale_light(std::size_t pixels, const Factor& factor);
  void make_seen(int rows);
  int source_of(int channel) const;

  InputPicture& picture_;
  const PictureFormat format_;
  const int x_, y_, width_, channels_;
  const double white_;
  const ComparedNumbers numbers_;
  const bool lit_, converts_;
  const bool premultiplies_;
  std::vector<float> parts_of_codes_;  // of 8- and 16-bit samples and halves: of white
  std::vector<float> numbers_of_codes_, light_of_codes_;
  std::vector<char> bytes_;
  struct Rows {
    std::vector<float> planes, light;
  };
  Rows read_, shown_;
};

}  // namespace sfumato
