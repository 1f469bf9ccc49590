// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Fourier transforms on the device, through VkFFT. Plans are made once per size and checked.
#pragma once

#include <compare>
#include <functional>
#include <map>
#include <memory>

#include "device/buffer_pool.hpp"
#include "device/device.hpp"

namespace sfumato {

/// The smallest size >= n with no prime factors but 2, 3, 5 and 7, which is fast everywhere.
int fft_size(int n);

/// Whether n samples are transformed as they are, having no prime factors beyond 13, and not by a
/// longer transform (Bluestein's).
bool fft_is_direct(int n);

/// The version of VkFFT: 10226 is 1.2.26.
int fft_library_version();

/// Plans of one context. Not thread-safe: one per session.
class FftCache {
 public:
  /// Context, queue and pool must outlive the cache.
  FftCache(const cl::Context& context, const DeviceInfo& device, cl::CommandQueue& queue,
           BufferPool& pool);
  ~FftCache();
  FftCache(const FftCache&) = delete;
  FftCache& operator=(const FftCache&) = delete;

  /// Transforms `batch` complex pictures of width x height in place. They lie one after another in
  /// `buffer`, with unpadded rows and two floats per sample. Neither direction is scaled: forward
  /// then inverse multiplies by width * height. The first call for a size makes a plan and checks
  /// it against a closed form. On CPU devices the work is cut into pieces of some milliseconds;
  /// `between` is called after each, and may wait and throw. Throws DeviceError if VkFFT cannot
  /// compute it correctly.
  void transform(cl::Buffer& buffer, int width, int height, int batch, bool inverse,
                 const std::function<void()>& between);

 private:
  /// The part of a picture that one plan transforms at a time, and the axes.
  enum class TransformAxes { both, rows, columns };
  struct Shape {
    int width = 0, height = 0;  ///< of the picture
    TransformAxes along = TransformAxes::both;
    int count = 0;  ///< number of pictures (both), rows or columns per launch
    auto operator<=>(const Shape&) const = default;
  };
  struct Plan;
  Plan& plan(const Shape& shape);
  struct PlannedPieces;
  /// Plans for the pieces in which a picture's rows or columns are transformed.
  PlannedPieces planned(int width, int height, TransformAxes along);
  void transform_in_pieces(cl::Buffer& buffer, int width, int height, int batch, bool inverse,
                           const std::function<void()>& between);
  void append(Plan& plan, cl::Buffer& buffer, std::size_t offset, bool inverse);
  /// Throws DeviceError if the plan is wrong; overwrites `buffer`.
  void check(Plan& plan, const Shape& shape, cl::Buffer& buffer);

  const cl::Context& context_;
  DeviceInfo device_;
  cl::CommandQueue& queue_;
  BufferPool& pool_;
  std::map<Shape, std::unique_ptr<Plan>> plans_;
};

}  // namespace sfumato
