// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A picture in the frequency domain on a device, for filters whose kernels include fourier.clh:
// padded by its border rule, transformed, multiplied, and transformed back.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "filters/filter.hpp"

namespace sfumato {

/// The stored samples and frequencies, and the position of the picture among them.
struct FourierFrame {
  int width = 0, height = 0;
  int halo_x = 0, halo_y = 0;  ///< columns on its left and rows above it
  /// The transform covers the picture mirrored in both directions without repeating its edges.
  /// Frequencies come in equal pairs, of which one is stored.
  bool even = false;
  /// For an even frame: samples of mirrored lines to transform at once.
  int at_once = 1 << 20;

  std::size_t samples() const {
    return static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  }
  /// Size of the transform: one period of the repetition.
  int period_x() const { return period(width); }
  int period_y() const { return period(height); }
  /// Forward then inverse multiplies by this.
  double factor() const { return static_cast<double>(period_x()) * period_y(); }

 private:
  int period(int n) const { return !even ? n : n == 1 ? 1 : 2 * (n - 1); }
};

/// A frame of a fast size with at least this many pixels of padding on every side.
FourierFrame fourier_frame(const Picture& picture, int halo_x, int halo_y);

/// Device memory for a picture in that frame, in bytes.
std::size_t fourier_bytes(const FourierFrame& frame, int channels);

/// Factors per column and row of the picture, for borders that renormalise.
struct FourierNorms {
  std::vector<float> x, y;
};

/// One picture and its transform. Two channels share a complex transform, as real and imaginary
/// part; multiplication by a real kernel's transform keeps them separate.
class FourierImage {
 public:
  FourierImage(Passes& passes, const FourierFrame& frame, int channels);

  /// Loads the picture, and beyond its edge what the border rule supplies; non-finite samples
  /// become 0.
  void load(const DeviceImage& image, const Edge& edge);
  /// Transforms in place; forward then inverse multiplies by frame.factor().
  void transform(bool inverse);
  /// Runs a kernel (data, width, height, arguments...) of fourier.clh or the filter over all
  /// frequencies: one item per frequency, for PAIRS pictures in turn.
  template <typename... Arguments>
  void multiply(const char* kernel, const Arguments&... arguments) {
    passes_.launch(launch(kernel, frame_.width, frame_.height), data_, frame_.width, frame_.height,
                   arguments...);
  }
  /// Writes the pixels of `out`.
  void store(const DeviceImage& out, const Edge& edge, const FourierNorms& norms) const;
  /// Warns if load() met non-finite samples, which are read as 0. Waits for the device.
  void tell_bad_samples() const;

  const std::shared_ptr<DeviceMemory>& data() const { return data_; }

 private:
  Launch launch(const char* kernel, int width, int height) const;
  void transform_even(bool along_x);

  Passes& passes_;
  FourierFrame frame_;
  int channels_, pairs_;
  std::shared_ptr<DeviceMemory> data_, bad_;
};

/// Norms of 1 for every pixel of a picture.
FourierNorms no_norms(const Picture& picture);

}  // namespace sfumato
