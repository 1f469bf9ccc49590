// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Splits a transform by the smallest factor of its size.
#include "filters/shared/fourier/dft.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sfumato {
namespace {

using Complex = std::complex<double>;

int smallest_factor(int n) {
  for (int p = 2; p * p <= n; ++p) {
    if (n % p == 0) return p;
  }
  return n;
}

// One size, with its roots of unity.
class Transform {
 public:
  Transform(int n, bool inverse) : n_(n), roots_(static_cast<std::size_t>(n)) {
    for (int k = 0; k < n; ++k) {
      roots_[static_cast<std::size_t>(k)] =
          std::polar(1.0, (inverse ? 2 : -2) * std::numbers::pi * k / n);
    }
  }

  void operator()(std::vector<Complex>& line) const {
    std::vector<Complex> from = line;
    split(from.data(), 1, n_, line.data());
  }

 private:
  // to[k] = sum over j of from[j * stride] e^(-2 pi i j k / n): p transforms of n / p samples, then
  // p products for each result.
  void split(const Complex* from, int stride, int n, Complex* to) const {
    if (n == 1) {
      *to = *from;
      return;
    }
    const int p = smallest_factor(n), part = n / p;
    for (int q = 0; q < p; ++q) split(from + q * stride, stride * p, part, to + q * part);
    std::vector<Complex> parts(static_cast<std::size_t>(p)), sums(static_cast<std::size_t>(p));
    for (int k = 0; k < part; ++k) {
      for (int q = 0; q < p; ++q) parts[static_cast<std::size_t>(q)] = to[q * part + k];
      for (int m = 0; m < p; ++m) {
        Complex sum = 0;
        for (int q = 0; q < p; ++q) {
          sum +=
              parts[static_cast<std::size_t>(q)] * root(static_cast<long>(q) * (k + m * part), n);
        }
        sums[static_cast<std::size_t>(m)] = sum;
      }
      for (int m = 0; m < p; ++m) to[k + m * part] = sums[static_cast<std::size_t>(m)];
    }
  }

  // The root of unity of order n, raised to the power `turns`.
  Complex root(long turns, int n) const {
    return roots_[static_cast<std::size_t>(turns % n * (n_ / n))];
  }

  int n_;
  std::vector<Complex> roots_;
};

// Lines of one size that are mirrored before the transform and cut back afterwards.
class Mirrored {
 public:
  explicit Mirrored(int n) : n_(n), whole_(n == 1 ? 1 : 2 * (n - 1), false) {}

  void operator()(std::vector<Complex>& line) const {
    for (int i = n_ - 2; i > 0; --i) line.push_back(line[static_cast<std::size_t>(i)]);
    whole_(line);
    line.resize(static_cast<std::size_t>(n_));
  }

 private:
  int n_;
  Transform whole_;
};

// Rows, then columns.
template <typename Lines>
void each_line(ComplexPlane& data, int width, int height, const ParallelRows& rows,
               const Lines& along, const Lines& down) {
  const auto w = static_cast<std::size_t>(width), h = static_cast<std::size_t>(height);
  rows.run(0, height, [&](int y) {
    const auto first = data.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(y) * w);
    std::vector<Complex> line(first, first + width);
    along(line);
    std::copy(line.begin(), line.end(), first);
  });
  rows.run(0, width, [&](int x) {
    std::vector<Complex> line(h);
    for (std::size_t y = 0; y < h; ++y) line[y] = data[y * w + static_cast<std::size_t>(x)];
    down(line);
    for (std::size_t y = 0; y < h; ++y) data[y * w + static_cast<std::size_t>(x)] = line[y];
  });
}

}  // namespace

void transform_plane(ComplexPlane& data, int width, int height, bool inverse,
                     const ParallelRows& rows) {
  const Transform along(width, inverse), down(height, inverse);
  each_line(data, width, height, rows, along, down);
}

void transform_even_plane(ComplexPlane& data, int width, int height, const ParallelRows& rows) {
  const Mirrored along(width), down(height);
  each_line(data, width, height, rows, along, down);
}

double transform_work(int width, int height) {
  double work = 0;
  for (int n : {width, height}) {
    while (n > 1) {
      const int p = smallest_factor(n);
      work += 8.0 * p;
      n /= p;
    }
  }
  return work;
}

}  // namespace sfumato
