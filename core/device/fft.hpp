// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Fourier transforms on the device, through VkFFT. Plans are made once per size and checked.
#pragma once

#include <compare>
#include <functional>
#include <map>
#include <memory>

#include "device/driver.hpp"

namespace cl {
class CommandQueue;
class Context;
}  // namespace cl

namespace sfumato {

/// The smallest size >= n with no prime factors but 2, 3, 5 and 7, which is fast everywhere.
int fft_size(int n);

/// Whether n samples are transformed as they are, having no prime factors beyond 13, and not by a
/// longer transform (Bluestein's).
bool fft_is_direct(int n);

/// The version of VkFFT: 10226 is 1.2.26.
int fft_library_version();

/// Plans of one OpenCL context. Not thread-safe: one per session.
class FftCache {
 public:
  /// Context and queue must outlive the cache.
  FftCache(const cl::Context& context, const DeviceInfo& device, cl::CommandQueue& queue);
  ~FftCache();
  FftCache(const FftCache&) = delete;
  FftCache& operator=(const FftCache&) = delete;

  /// As Driver::transform(). The first call for a size makes a plan and checks it against a closed
  /// form. On CPU devices the work is cut into pieces of some milliseconds. Throws DeviceError if
  /// VkFFT cannot compute it correctly.
  void transform(DeviceMemory& pictures, const FourierJob& job);

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
  Plan& plan(const Shape& shape, const FourierJob& job);
  struct PlannedPieces;
  /// Plans for the pieces in which a picture's rows or columns are transformed.
  PlannedPieces planned(int width, int height, TransformAxes along, const FourierJob& job);
  void transform_in_pieces(DeviceMemory& pictures, const FourierJob& job);
  void append(Plan& plan, const DeviceMemory& pictures, std::size_t offset, const FourierJob& job);
  /// Throws DeviceError if the plan is wrong; overwrites `scratch`.
  void check(Plan& plan, const Shape& shape, const DeviceMemory& scratch, const FourierJob& job);

  const cl::Context& context_;
  DeviceInfo device_;
  cl::CommandQueue& queue_;
  std::map<Shape, std::unique_ptr<Plan>> plans_;
};

}  // namespace sfumato
