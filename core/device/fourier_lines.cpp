// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "device/fourier_lines.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <utility>

#include "device/fft.hpp"

namespace sfumato::kernels {
extern const Source engine_fourier_lines;
}

namespace sfumato {
namespace {

constexpr int lanes = 8;

constexpr int largest_radix = 31;

// About what a pass over one sample costs by radix: reading and writing, then its sums.
struct RadixCost {
  int radix;
  double cost;
};
constexpr std::array radices = {RadixCost{2, 1.0},   RadixCost{3, 1.1},  RadixCost{4, 1.1},
                                RadixCost{5, 1.3},   RadixCost{6, 1.3},  RadixCost{7, 1.7},
                                RadixCost{8, 1.4},   RadixCost{10, 1.6}, RadixCost{11, 2.5},
                                RadixCost{12, 1.6},  RadixCost{13, 2.9}, RadixCost{16, 1.8},
                                RadixCost{17, 6.0},  RadixCost{19, 6.7}, RadixCost{23, 8.1},
                                RadixCost{29, 10.2}, RadixCost{31, 10.9}};

// n without the primes that are radices.
int without_radices(int n) {
  for (int radix = 2; radix <= largest_radix; ++radix) {
    while (n % radix == 0) n /= radix;
  }
  return n;
}

struct Factors {
  double cost = 0;
  std::vector<int> radices;
};

// The cheapest factors of n, which must be a product of radices. `known` has those of its divisors.
const Factors& cheapest(int n, std::map<int, Factors>& known) {
  const auto found = known.find(n);
  if (found != known.end()) return found->second;
  Factors best{std::numeric_limits<double>::infinity(), {}};
  for (const RadixCost& r : radices) {
    if (n % r.radix != 0) continue;
    const Factors& others = cheapest(n / r.radix, known);
    if (others.cost + r.cost >= best.cost) continue;
    best = {others.cost + r.cost, others.radices};
    best.radices.push_back(r.radix);
  }
  return known[n] = best;
}

// Large radices first: the passes with the longest steps then come last.
Radices factorised(int n) {
  std::map<int, Factors> known = {{1, {}}};
  std::vector<int> factors = cheapest(n, known).radices;
  std::sort(factors.rbegin(), factors.rend());
  Radices out;
  for (const int radix : factors) out.radix[static_cast<std::size_t>(out.count++)] = radix;
  return out;
}

bool is_prime(int n) {
  for (int d = 2; d * d <= n; ++d) {
    if (n % d == 0) return false;
  }
  return n > 1;
}

// Whose powers are all numbers from 1 below the prime, in Rader's order.
std::vector<std::int32_t> powers_of_root(int prime) {
  std::vector<std::int32_t> powers;
  for (std::int64_t root = 2; std::ssize(powers) != prime - 1; ++root) {
    powers.clear();
    std::int64_t power = 1;
    do {
      powers.push_back(static_cast<std::int32_t>(power));
      power = power * root % prime;
    } while (power != 1);
  }
  return powers;
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

// Eight lines, and the same again for every second pass; what is convolved lies there, too, if it
// is the whole line.
std::size_t bytes_for(const FourierLines& lines) {
  const bool whole = lines.factor == lines.length;
  const int samples = whole ? std::max(lines.length, lines.padded) : lines.length + lines.padded;
  return 2 * static_cast<std::size_t>(samples) * 2 * lanes * sizeof(float);
}

void append_factors(std::vector<float>& to, int length) {
  for (int j = 0; j < length; ++j) append(to, turn(static_cast<double>(j) / length));
}

}  // namespace

FourierLines fourier_lines(int length) {
  FourierLines out;
  out.length = length;
  out.factor = without_radices(length);
  out.radices = factorised(length / out.factor);
  if (out.factor == 1) return out;
  const bool rader = is_prime(out.factor) && without_radices(out.factor - 1) == 1;
  out.padded = rader ? out.factor - 1 : fft_size(2 * out.factor - 1);
  out.convolved = factorised(out.padded);
  return out;
}

std::vector<float> fourier_factors(const FourierLines& lines) {
  std::vector<float> out;
  append_factors(out, lines.length);
  append_factors(out, lines.padded);
  return out;
}

std::vector<std::int32_t> fourier_order(const FourierLines& lines) {
  return lines.rader() ? powers_of_root(lines.factor) : std::vector<std::int32_t>{};
}

std::vector<float> fourier_chirp(const FourierLines& lines) {
  std::vector<float> out;
  const auto padded = static_cast<std::size_t>(lines.padded);
  std::vector<std::complex<double>> wave(padded);
  if (lines.rader()) {
    const std::vector<std::int32_t> order = fourier_order(lines);
    for (std::size_t j = 0; j < padded; ++j) {
      wave[j] = turn(static_cast<double>(order[(padded - j) % padded]) / lines.factor);
    }
  } else {
    for (int j = 0; j < lines.factor; ++j) {
      const std::complex<double> chirp = chirp_at(j, lines.factor);
      append(out, chirp);
      wave[static_cast<std::size_t>(j)] = std::conj(chirp);
      if (j > 0) wave[padded - static_cast<std::size_t>(j)] = std::conj(chirp);
    }
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
                                    Argument::of_memory(tables.order.get()),
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
  Tables made{fourier_lines(length), nullptr, nullptr, nullptr};
  made.factors = uploaded(fourier_factors(made.lines));
  if (made.lines.factor > 1) made.chirp = uploaded(fourier_chirp(made.lines));
  if (made.lines.rader()) made.order = uploaded(fourier_order(made.lines));
  return tables_.emplace(length, std::move(made)).first->second;
}

template <typename Value>
std::unique_ptr<DeviceMemory> LineTransforms::uploaded(const std::vector<Value>& values) {
  auto memory = driver_.allocate(values.size() * sizeof(Value));
  driver_.write(*memory, values.data(), memory->bytes());
  return memory;
}

}  // namespace sfumato
