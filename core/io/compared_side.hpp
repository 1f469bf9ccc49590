// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// One of two pictures that are compared, as numbers and as light.
#pragma once

#include <vector>

#include "io/compare_pictures.hpp"

namespace sfumato {

/// The most rows that are compared at once.
inline constexpr int compared_rows = 128;

class ComparedSide {
 public:
  /// `plan` is common_part(); the common part begins at `x`, `y` of this picture. `light`: colours
  /// are needed, too.
  ComparedSide(InputPicture& picture, int x, int y, const PictureDifference& plan,
               ComparedNumbers numbers, bool light);

  /// Reads rows of the common part, at most compared_rows. Throws FileError.
  void read(int first, int rows);

  /// Channel c of the first row begins at c * plane().
  const float* numbers() const { return planes_.data(); }
  std::ptrdiff_t plane() const { return width_ * compared_rows; }
  /// Pixels of four numbers: linear light with sRGB's primaries, premultiplied.
  const float* light() const { return light_.data(); }

 private:
  void take_samples(int source, int rows, const std::vector<float>& codes, float* to,
                    std::ptrdiff_t step) const;
  void premultiply(int rows);
  void make_light(int rows);
  void fill_light(int rows);
  void decode_light(std::size_t pixels);
  template <typename Factor>
  void scale_light(std::size_t pixels, const Factor& factor);
  void show(int rows);
  int source_of(int channel) const;

  InputPicture& picture_;
  const PictureFormat format_;
  const int x_, y_, width_, channels_;
  const double white_;
  const ComparedNumbers numbers_;
  const bool lit_, converts_;
  const bool premultiplies_;
  std::vector<float> numbers_of_codes_;  // of 8- and 16-bit samples and halves
  std::vector<float> light_of_codes_;
  std::vector<char> bytes_;
  std::vector<float> planes_, light_;
};

}  // namespace sfumato
