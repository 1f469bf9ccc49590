// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "device/fourier_lines.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <utility>

#include "device/fft.hpp"

namespace sfumato::kernels {
extern const Source engine_fourier_lines;
}

namespace sfumato {
namespace {

constexpr int lanes = 8;

// Factors of n, large radices first: the passes with the longest steps then come last.
void factorise(int n, FourierLines& to) {
  for (const int radix : {8, 13, 11, 7, 5, 4, 3, 2}) {
    for (; n % radix == 0; n /= radix) to.radix[static_cast<std::size_t>(to.count++)] = radix;
  }
}

std::complex<double> turn(double part) {
  return std::polar(1.0, -2 * std::numbers::pi * part);
}

void append(std::vector<float>& to, std::complex<double> value) {
  to.push_back(static_cast<float>(value.real()));
  to.push_back(static_cast<float>(value.imag()));
}

// exp(-pi i j^2 / length), with j^2 taken modulo 2 length so that it keeps its digits.
std::complex<double> chirp_at(std::int64_t j, std::int64_t length) {
  return turn(static_cast<double>(j * j % (2 * length)) / static_cast<double>(2 * length));
}

// Of a smooth length, for tables: recursive, in double precision (Cooley and Tukey, 1965).
std::vector<std::complex<double>> transformed(const std::vector<std::complex<double>>& from) {
  const std::size_t n = from.size();
  if (n == 1) return from;
  std::size_t radix = 2;
  while (n % radix != 0) ++radix;
  const std::size_t part = n / radix;
  std::vector<std::vector<std::complex<double>>> parts(radix);
  for (std::size_t i = 0; i < n; ++i) parts[i % radix].push_back(from[i]);
  for (auto& one : parts) one = transformed(one);
  std::vector<std::complex<double>> out(n);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t r = 0; r < radix; ++r) {
      out[k] += parts[r][k % part] * turn(static_cast<double>(r * k % n) / static_cast<double>(n));
    }
  }
  return out;
}

// Eight lines, and the same again for every second pass.
std::size_t bytes_for(const FourierLines& lines) {
  return 2 * static_cast<std::size_t>(std::max(lines.padded, lines.length)) * 2 * lanes *
         sizeof(float);
}

}  // namespace

FourierLines fourier_lines(int length) {
  FourierLines out;
  out.length = length;
  if (!fft_is_direct(length)) out.padded = fft_size(2 * length - 1);
  factorise(out.padded != 0 ? out.padded : length, out);
  return out;
}

std::vector<float> fourier_factors(int length) {
  std::vector<float> out;
  out.reserve(2 * static_cast<std::size_t>(length));
  for (int j = 0; j < length; ++j) append(out, turn(static_cast<double>(j) / length));
  return out;
}

std::vector<float> fourier_chirp(const FourierLines& lines) {
  std::vector<float> out;
  const auto padded = static_cast<std::size_t>(lines.padded);
  std::vector<std::complex<double>> wave(padded);
  for (int j = 0; j < lines.length; ++j) {
    const std::complex<double> chirp = chirp_at(j, lines.length);
    append(out, chirp);
    wave[static_cast<std::size_t>(j)] = std::conj(chirp);
    if (j > 0) wave[padded - static_cast<std::size_t>(j)] = std::conj(chirp);
  }
  for (const std::complex<double>& value : transformed(wave)) {
    append(out, value / static_cast<double>(lines.padded));
  }
  return out;
}

std::size_t fourier_local_bytes(int width, int height) {
  return std::max(bytes_for(fourier_lines(width)), bytes_for(fourier_lines(height)));
}

void LineTransforms::transform(DeviceMemory& pictures, const FourierJob& job) {
  if (job.width > 1) {
    transform_along("fourier_rows", pictures, job, job.width, job.height);
  }
  if (job.height > 1) {
    transform_along("fourier_columns", pictures, job, job.height, job.width);
  }
}

// In pieces of some milliseconds.
void LineTransforms::transform_along(const char* kernel, DeviceMemory& pictures,
                                     const FourierJob& job, int length, int lines) {
  constexpr int samples_of_thread = 1 << 19;
  const Tables& tables = tables_for(length);
  FourierLines plan = tables.lines;
  plan.inverse = job.inverse ? 1 : 0;
  const int blocks = (lines + lanes - 1) / lanes;
  const int together =
      std::max(1, samples_of_thread / (lanes * length)) * static_cast<int>(std::max(1u, threads_));
  DeviceKernel& made = driver_.kernel(kernels::engine_fourier_lines, "-DFORM_CPU", kernel);
  for (int b = 0; b < job.batch; ++b) {
    for (int first = 0; first < blocks; first += together) {
      const std::array arguments = {Argument::of_memory(&pictures),
                                    Argument::of(job.width),
                                    Argument::of(job.height),
                                    Argument::of(first),
                                    Argument::of(plan),
                                    Argument::of_memory(tables.factors.get()),
                                    Argument::of_memory(tables.chirp.get()),
                                    Argument::of_local(bytes_for(plan))};
      const auto count = static_cast<std::size_t>(std::min(together, blocks - first));
      const auto picture = static_cast<std::size_t>(b);
      driver_.launch(made, arguments, {{0, picture}, {count, picture + 1}, {1, 1}});
      job.between();
    }
  }
}

const LineTransforms::Tables& LineTransforms::tables_for(int length) {
  constexpr std::size_t most = 16;
  const auto found = tables_.find(length);
  if (found != tables_.end()) return found->second;
  if (tables_.size() >= most) tables_.clear();
  Tables made{fourier_lines(length), nullptr, nullptr};
  const int padded = made.lines.padded;
  made.factors = uploaded(fourier_factors(padded != 0 ? padded : length));
  if (padded != 0) made.chirp = uploaded(fourier_chirp(made.lines));
  return tables_.emplace(length, std::move(made)).first->second;
}

std::unique_ptr<DeviceMemory> LineTransforms::uploaded(const std::vector<float>& values) {
  auto memory = driver_.allocate(values.size() * sizeof(float));
  driver_.write(*memory, values.data(), memory->bytes());
  return memory;
}

}  // namespace sfumato
