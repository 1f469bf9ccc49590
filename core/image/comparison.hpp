// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// How much two pictures differ, in numbers of several kinds, from rows as they come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sfumato {

/// The differences of one channel, or of all.
struct ChannelDifference {
  double largest = 0;  ///< of absolute differences; infinite where only one picture has a NaN
  int x = 0, y = 0, channel = 0;  ///< where that is; the first place, row by row
  double sum = 0, squares = 0;    ///< of absolute differences
  std::int64_t samples = 0;
  std::int64_t beyond = 0;        ///< samples that differ by more than the threshold
  std::int64_t incomparable = 0;  ///< samples finite in one picture only; they count as infinite
  double structure = 0;           ///< sum of the structural similarity over its places
  /// Where all of a window lies in the picture, but for those with samples that are not finite in
  /// both; 0: too small.
  std::int64_t places = 0;

  double mean() const { return samples > 0 ? sum / static_cast<double>(samples) : 0; }
  double root_mean_square() const;
  /// Peak signal-to-noise ratio in dB for a white of 1; infinite for equal pictures.
  double psnr() const;
  /// Mean structural similarity, -1 to 1: Wang et al., "Image Quality Assessment: From Error
  /// Visibility to Structural Similarity", IEEE Transactions on Image Processing 13 (4), 2004, with
  /// their window (a Gaussian of sigma 1.5, 11 samples) and constants, for a white of 1. NaN if
  /// `places` is 0.
  double similarity() const;

  void add(const ChannelDifference& other);
};

/// Compares two pictures of `width` by `height` pixels and `channels` channels.
class PictureComparison {
 public:
  struct Options {
    double white = 1;       ///< what samples count as one: 255 for codes of 8 bits
    double threshold = 0;   ///< of `beyond`, in units of white
    bool structure = true;  ///< whether the similarity is computed
    unsigned threads = 0;   ///< 0: one per processor
  };

  PictureComparison(int width, int height, int channels, const Options& options);

  /// The next `rows` rows of both, channel by channel: channel c of row y begins at
  /// c * plane + y * width of `a` and of `b`. All rows must come, from top to bottom.
  void add_rows(const float* a, const float* b, int rows, std::int64_t plane);

  /// After the last row.
  const std::vector<ChannelDifference>& channels() const { return channels_; }
  ChannelDifference all() const;

 private:
  void compare_held();
  void compare_samples(int first, int rows, int channel, ChannelDifference& out) const;
  void compare_structure(int first, int rows, int channel, ChannelDifference& out) const;
  // Windows side by side, from the one that begins at (x, y) of the rows that are held.
  struct Windows {
    int channel = 0, x = 0, y = 0, count = 0;
  };
  void add_finite(const float* similarities, const Windows& windows, ChannelDifference& out) const;
  bool differ_in_finiteness(const Windows& windows, int number) const;
  void settle_infinities(const float* a, const float* b, float* differences,
                         ChannelDifference& out) const;
  const float* row_of(const std::vector<float>& held, int channel, int row) const;

  int width_, height_;
  Options options_;
  std::vector<ChannelDifference> channels_;
  // Rows of each channel, one channel after the other: the last ones that were compared, for the
  // windows of the next ones, and those that will be.
  int capacity_ = 0, held_ = 0, kept_ = 0;
  int begin_ = 0;  // the number of the first one in the picture
  std::vector<float> a_, b_;
};

/// Differences of colours as they are seen.
struct ColorDifference {
  double largest = 0, sum = 0;
  int x = 0, y = 0;
  std::int64_t pixels = 0;
  std::int64_t incomparable = 0;  ///< pixels, among those, that are not finite; without difference

  /// Over the others.
  double mean() const {
    return pixels > incomparable ? sum / static_cast<double>(pixels - incomparable) : 0;
  }
};

}  // namespace sfumato
