// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Fourier transforms on processors, by the kernels of cl/engine/fourier_lines.cl.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <vector>

#include "device/driver.hpp"

namespace sfumato {

/// What the kernels get by value: FourierLines there.
struct FourierLines {
  int length = 0;  ///< samples of a line
  int padded = 0;  ///< of the convolution that computes it; 0: a product of radices
  int count = 0;   ///< of radices
  int inverse = 0;
  std::array<int, 28> radix{};
};

/// The passes for a line of `length` samples: by radices 2 to 13, or as a convolution.
FourierLines fourier_lines(int length);

/// cos and sin, in turn, of the powers of a root of unity: exp(-2 pi i j / length).
std::vector<float> fourier_factors(int length);

/// For a line that is computed as a convolution: the chirp exp(-pi i j^2 / length), then the
/// transform of its conjugate, divided by `padded`.
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
    std::unique_ptr<DeviceMemory> factors, chirp;
  };
  const Tables& tables_for(int length);
  void transform_along(const char* kernel, DeviceMemory& pictures, const FourierJob& job,
                       int length, int lines);
  std::unique_ptr<DeviceMemory> uploaded(const std::vector<float>& values);

  Driver& driver_;
  const unsigned threads_;
  std::map<int, Tables> tables_;
};

}  // namespace sfumato
