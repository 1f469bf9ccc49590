// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The processor's Fourier transforms against the sum that defines them.
#pragma once

#include <cmath>
#include <complex>
#include <cstdio>
#include <numbers>
#include <vector>

#include "device/native_driver.hpp"

namespace sfumato::testing {

/// The largest error of a transform of `batch` pictures, as a part of the largest result, and of
/// going there and back. A picture is a sum of a few waves, whose transform is known.
inline double fourier_error(Driver& driver, int width, int height, int batch) {
  using Complex = std::complex<double>;
  const std::size_t picture = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  const auto all = picture * static_cast<std::size_t>(batch);
  const auto sample = [&](std::size_t i) {
    const std::size_t x = i % static_cast<std::size_t>(width),
                      y = i / static_cast<std::size_t>(width);
    return Complex(static_cast<double>((7 * x * x + 3 * y + i / picture) % 11) / 11,
                   static_cast<double>((5 * x + y * y) % 13) / 13);
  };
  std::vector<std::complex<float>> data(all);
  for (std::size_t i = 0; i < all; ++i) data[i] = std::complex<float>(sample(i));
  const std::vector<std::complex<float>> before = data;
  const auto memory = driver.allocate(all * sizeof data[0]);
  const auto transform = [&](bool inverse) {
    driver.write(*memory, data.data(), memory->bytes());
    driver.transform(*memory, {width, height, batch, inverse, {}, [] {}});
    driver.read(*memory, data.data(), memory->bytes());
  };
  transform(false);
  double worst = 0, largest = 0;
  // Some of the results, each by the definition.
  for (std::size_t pick = 0; pick < 12; ++pick) {
    const std::size_t at = pick * 7919 % all, b = at / picture;
    const auto u = static_cast<double>(at % picture % static_cast<std::size_t>(width));
    const auto v = static_cast<double>(at % picture / static_cast<std::size_t>(width));
    Complex sum = 0;
    for (std::size_t i = 0; i < picture; ++i) {
      const auto x = static_cast<double>(i % static_cast<std::size_t>(width));
      const auto y = static_cast<double>(i / static_cast<std::size_t>(width));
      const double turns = u * x / width + v * y / height;
      sum += Complex(before[b * picture + i]) *
             std::polar(1.0, -2 * std::numbers::pi * (turns - std::floor(turns)));
    }
    worst = std::max(worst, std::abs(Complex(data[at]) - sum));
    largest = std::max(largest, std::abs(sum));
  }
  worst /= std::max(largest, 1.0);
  transform(true);
  for (std::size_t i = 0; i < all; ++i) {
    const Complex back = Complex(data[i]) / static_cast<double>(picture);
    worst = std::max(worst, std::abs(back - Complex(before[i])));
  }
  return worst;
}

/// Whether lines of every radix, primes by both kinds of convolution, alone and as factors, and
/// pictures of one row or column come out right.
inline bool native_fourier_is_right(const DeviceInfo& device) {
  const auto driver = open_driver(device, {});
  struct Size {
    int width, height, batch;
  };
  std::vector<Size> sizes = {{1, 1, 1},
                             {1, 9, 2},
                             {9, 1, 2},
                             {3, 5, 3},
                             {243, 17, 1},
                             {64, 512, 1},
                             {125, 8, 2},
                             {97, 101, 1},
                             {1, 4999, 1},
                             {2003, 2, 1},
                             {1001, 169, 1},
                             {121, 34, 1},
                             // Radices from 17 to 31; Rader's primes, twice and more; Bluestein's.
                             {323, 667, 1},
                             {31, 529, 1},
                             {4003, 2, 1},
                             {2, 6007, 1},
                             {4006, 3, 1},
                             {3, 4006, 1},
                             {411, 5, 1},
                             {83, 166, 1},
                             {6031, 1, 1},
                             {4551, 2, 1},
                             {2, 4551, 1},
                             {498, 4, 1}};
  for (int n = 2; n <= 40; ++n) sizes.push_back({n, 41 - n, 1});
  bool right = true;
  for (const Size& s : sizes) {
    const double error = fourier_error(*driver, s.width, s.height, s.batch);
    if (error <= 2e-6) continue;
    std::printf("transform of %d x %d: error %g\n", s.width, s.height, error);
    right = false;
  }
  return right;
}

}  // namespace sfumato::testing
