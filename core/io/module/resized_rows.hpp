// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What a filter leaves alone in the input's file, in another size.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "image/resampling.hpp"
#include "io/module/origin.hpp"

namespace sfumato::files {

/// Rows of a part of the input's file in another size, with all its channels in their own types.
/// Colours are resized as the picture is; of identifiers, depths and other data, of which there is
/// no mean, the nearest pixel is taken.
class ResizedRows {
 public:
  /// Without the channels of `left_out`, which stay 0. `origin` must outlive it.
  ResizedRows(const Origin& origin, int part, const PictureSize& to, ResizeFilter filter,
              const std::vector<int>& left_out);

  /// Rows [y0, y1), packed, which follow those of the last call; valid until the next one. Throws
  /// FileError.
  const char* read(int y0, int y1);

 private:
  struct Channel {
    std::size_t at = 0, bytes = 0;  // in a pixel
    OIIO::TypeDesc type;
    std::unique_ptr<Resampler> resampler;  // null: the nearest pixel
  };

  void feed_row();
  void feed(Channel& channel, const char* row);
  void take_nearest(const Channel& channel, const char* row);
  void make_room(int end);
  char* row_at(int y) {
    return rows_.data() + static_cast<std::size_t>(y - begin_) * pixel_ * to_width_;
  }
  int nearest_row(int y) const;

  const Origin& origin_;
  int part_;
  const OIIO::ImageSpec& from_;
  PictureSize to_;
  std::size_t pixel_, to_width_;
  std::vector<Channel> channels_;
  std::vector<int> columns_;  // of the nearest pixels
  ParallelRows parallel_;
  std::vector<char> strip_, rows_;
  std::vector<float> floats_;
  int strip_y0_ = 0, strip_y1_ = 0;  // of the file, in `strip_`
  int fed_ = 0;                      // rows of the file
  int begin_ = 0, made_ = 0;         // rows of the new size, in `rows_`
};

/// The same in any size, also that of the file.
class OriginRows {
 public:
  OriginRows(const Origin& origin, int part, const PictureSize& to, ResizeFilter filter,
             const std::vector<int>& left_out);
  /// As ResizedRows::read(); in the file's own size in any order.
  const char* read(int y0, int y1);

 private:
  const Origin& origin_;
  int part_;
  std::optional<ResizedRows> resized_;
  std::vector<char> rows_;
};

}  // namespace sfumato::files
