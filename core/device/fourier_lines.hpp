// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Fourier transforms on processors, by the kernels of cl/engine/fourier_lines.cl.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "device/driver.hpp"

namespace sfumato {

/// What the kernels get by value: Radices and FourierLines there.
struct Radices {
  int count = 0;
  std::array<int, 28> radix{};
};
struct FourierLines {
  int length = 0;  ///< samples of a line
  int inverse = 0;
  int factor = 1;              ///< of the length, transformed as a convolution; 1: none
  int padded = 0;              ///< samples of the convolution
  Radices radices, convolved;  ///< of length / factor, and of `padded`

  /// The factor is a prime, whose convolution has a sample less (Rader, 1968), and not of at least
  /// twice its samples (Bluestein, 1970).
  bool rader() const { return padded == factor - 1 && factor > 1; }
};

/// The passes for a line of `length` samples: by radices up to 31, and by a convolution for a
/// factor with larger primes.
FourierLines fourier_lines(int length);

/// cos and sin, in turn, of the powers of a root of unity, exp(-2 pi i j / n): for the length, then
/// for the convolution.
std::vector<float> fourier_factors(const FourierLines& lines);

/// The powers of a primitive root of the factor, if that is Rader's.
std::vector<std::int32_t> fourier_order(const FourierLines& lines);

/// For a line with a convolution: Bluestein's chirp exp(-pi i j^2 / factor), if it is his; then the
/// transform of what is convolved with, divided by `padded`.
std::vector<float> fourier_chirp(const FourierLines& lines);

/// Bytes of local memory that the lines of such a picture take.
std::size_t fourier_local_bytes(int width, int height);

/// Transforms by one driver, with its factors. Not thread-safe.
class LineTransforms {
 public:
  /// The driver must outlive it; `threads` run its kernels.
  LineTransforms(Driver& driver, unsigned threads) : driver_(driver), threads_(threads) {}

  /// Driver::transform().
  void transform(DeviceMemory& pictures, const FourierJob& job);

 private:
  struct Tables {
    FourierLines lines;
    std::unique_ptr<DeviceMemory> factors, chirp, order;
  };
  const Tables& tables_for(int length);
  void transform_along(const char* kernel, DeviceMemory& pictures, const FourierJob& job,
                       int length, int lines);
  template <typename Value>
  std::unique_ptr<DeviceMemory> uploaded(const std::vector<Value>& values);

  Driver& driver_;
  const unsigned threads_;
  std::map<int, Tables> tables_;
};

}  // namespace sfumato
