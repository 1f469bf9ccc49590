// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The numbers of a Gaussian blur: taps, prefilters, decimations, box weights; no passes.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <stdexcept>

#include "filters/shared/gaussian/plan.hpp"

#include "filters/shared/integer_division.hpp"

namespace sfumato {
namespace {

// The largest radius whose window fits into the registers of a GPU's items.
constexpr int most_strip_radius = 24;

double cubic_bspline(double t) {
  t = std::abs(t);
  if (t >= 2.0) return 0.0;
  if (t >= 1.0) return (2.0 - t) * (2.0 - t) * (2.0 - t) / 6.0;
  return 2.0 / 3.0 - t * t + 0.5 * t * t * t;
}

// Number of boxes in the prefilter: four, and more for small factors as long as interpolating
// between two low-resolution pixels still needs no more than four of them.
int box_count(int factor) {
  return factor == 2 ? 6 : factor == 3 ? 5 : 4;
}

int product_of(const std::vector<int>& factors) {
  return std::accumulate(factors.begin(), factors.end(), 1, std::multiplies<>());
}

// The response of symmetric taps at angular frequency w.
double response(const std::vector<double>& half, double w) {
  double sum = half[0];
  for (std::size_t i = 1; i < half.size(); ++i) {
    sum += 2.0 * half[i] * std::cos(w * static_cast<double>(i));
  }
  return sum;
}

void normalise(std::vector<double>& half) {
  double sum = half[0];
  for (std::size_t i = 1; i < half.size(); ++i) sum += 2.0 * half[i];
  for (double& tap : half) tap /= sum;
}

}  // namespace

int strip_radius(bool cpu, int radius) {
  if (cpu) return radius <= 4 ? 4 : radius <= 8 ? 8 : radius;
  for (const int bucket : {2, 4, 8, 12, 16, 20}) {
    if (radius <= bucket) return bucket;
  }
  return most_strip_radius;
}

std::vector<double> gaussian_taps(double sigma, int radius) {
  std::vector<double> half(static_cast<std::size_t>(radius) + 1);
  for (int i = 0; i <= radius; ++i) half[i] = std::exp(-0.5 * i * i / (sigma * sigma));
  normalise(half);
  return half;
}

int decimation_reach(int factor) {
  return box_count(factor) * (factor - 1) / 2;
}

std::vector<double> decimation_taps(int factor) {
  std::vector<double> full{1.0};
  for (int pass = 0; pass < box_count(factor); ++pass) {
    std::vector<double> next(full.size() + factor - 1, 0.0);
    for (std::size_t i = 0; i < full.size(); ++i) {
      for (int j = 0; j < factor; ++j) next[i + j] += full[i] / factor;
    }
    full = std::move(next);
  }
  return {full.begin() + static_cast<std::ptrdiff_t>(full.size() / 2), full.end()};
}

std::vector<double> interpolation_taps(int factor) {
  std::vector<double> half;
  if (factor <= 3) {
    half = decimation_taps(factor);
    for (double& tap : half) tap *= factor;
  } else {
    for (int i = 0; i < 2 * factor; ++i) half.push_back(cubic_bspline(double(i) / factor));
  }
  half.resize(2 * static_cast<std::size_t>(factor) + 1, 0.0);
  return half;
}

std::vector<double> multirate_taps(double sigma, const std::vector<int>& factors,
                                   std::size_t later) {
  const int d = product_of(factors);
  const int last =
      product_of({factors.begin(), factors.begin() + static_cast<std::ptrdiff_t>(later)});
  const std::vector<double> first_up = interpolation_taps(d / last);
  const std::vector<double> last_up =
      last > 1 ? interpolation_taps(last) : std::vector<double>{1.0};
  constexpr int points = 256;
  std::array<double, points> wave;
  for (int i = 0; i < points; ++i) wave[i] = std::cos(2.0 * std::numbers::pi * i / points);
  std::array<double, points / 2 + 1> spectrum;
  for (int k = 0; k <= points / 2; ++k) {
    const double w = 2.0 * std::numbers::pi * k / points / d;
    double others = response(first_up, w * last) * response(last_up, w) / d;
    int step = 1;
    for (const int factor : factors) {
      others *= response(decimation_taps(factor), w * step);
      step *= factor;
    }
    spectrum[k] = std::exp(-0.5 * sigma * sigma * w * w) / others;
  }
  std::vector<double> half(points / 4);
  for (int n = 0; n < points / 4; ++n) {
    double sum = spectrum[0] + spectrum[points / 2] * (n % 2 ? -1.0 : 1.0);
    for (int k = 1; k < points / 2; ++k) sum += 2.0 * spectrum[k] * wave[k * n % points];
    half[n] = sum / points;
  }
  // The truncated tail may add up to 5e-6 on either side.
  double tail = 0.0;
  std::size_t length = half.size();
  while (length > 1 && tail + std::abs(half[length - 1]) < 5e-6) tail += std::abs(half[--length]);
  half.resize(length);
  normalise(half);
  return half;
}

std::vector<double> box_taps(int reach, double end, int passes) {
  const int wide = 2 * reach + 3;
  const double total = 2 * reach + 1 + 2 * end;
  std::vector<double> kernel{1.0};
  for (int pass = 0; pass < passes; ++pass) {
    const int n = static_cast<int>(kernel.size());
    std::vector<double> below(kernel.size() + 1, 0.0);
    std::partial_sum(kernel.begin(), kernel.end(), below.begin() + 1);
    const auto sum_below = [&](int i) {
      return below[static_cast<std::size_t>(std::clamp(i, 0, n))];
    };
    const auto at = [&](int i) {
      return i >= 0 && i < n ? kernel[static_cast<std::size_t>(i)] : 0.0;
    };
    std::vector<double> next;
    for (int i = 0; i < n + wide - 1; ++i) {
      const double inner = sum_below(i) - sum_below(i - wide + 2);
      next.push_back((inner + end * (at(i) + at(i - wide + 1))) / total);
    }
    kernel = std::move(next);
  }
  return {kernel.begin() + static_cast<std::ptrdiff_t>(kernel.size() / 2), kernel.end()};
}

namespace {

// Symmetric taps over the samples around `at`.
template <typename Sample>
double filtered(const std::vector<double>& half, const Sample& sample, int at) {
  double sum = half[0] * sample(at);
  for (int i = 1; i < static_cast<int>(half.size()); ++i) {
    sum += half[i] * (sample(at - i) + sample(at + i));
  }
  return sum;
}

// From the composite kernel of all passes and its running sum.
std::vector<double> indicator_of_boxes(const GaussianScheme& scheme, int lo, int hi, int x0,
                                       int x1) {
  std::vector<double> out;
  const std::vector<double> half = box_taps(scheme.box_reach, scheme.box_end, scheme.passes);
  std::vector<double> kernel(half.rbegin(), half.rend() - 1);
  kernel.insert(kernel.end(), half.begin(), half.end());
  const int centre = static_cast<int>(kernel.size() / 2);
  std::vector<double> below(kernel.size() + 1, 0.0);
  std::partial_sum(kernel.begin(), kernel.end(), below.begin() + 1);
  for (int x = x0; x < x1; ++x) {
    const int from = std::max(lo, x - centre), to = std::min(hi, x + centre + 1);
    out.push_back(below[std::max(to, from) - x + centre] - below[from - x + centre]);
  }
  return out;
}

// From the running sum of one half of the taps.
std::vector<double> indicator_of_taps(const std::vector<double>& taps, int lo, int hi, int x0,
                                      int x1) {
  std::vector<double> out;
  std::vector<double> below(taps.size() + 1, 0.0);
  std::partial_sum(taps.begin(), taps.end(), below.begin() + 1);
  const auto upto = [&](int reach) {  // sum of taps[0 .. reach]
    return reach < 0 ? 0.0 : below[std::min<std::size_t>(reach + 1, taps.size())];
  };
  for (int x = x0; x < x1; ++x) out.push_back(upto(x - lo) + upto(hi - 1 - x) - taps[0]);
  return out;
}

// The indicator at a low resolution, wherever it is not constant.
struct LowIndicator {
  double at(int m) const {
    return samples[std::clamp(m - first, 0, static_cast<int>(samples.size()) - 1)];
  }
  int last() const { return first + static_cast<int>(samples.size()) - 1; }

  std::vector<double> samples;
  int first = 0;
};

LowIndicator decimated_indicator(const std::vector<int>& factors, int lo, int hi) {
  LowIndicator level;
  for (const int factor : factors) {
    const std::vector<double> half = decimation_taps(factor);
    const int reach = static_cast<int>(half.size()) - 1;
    const bool full = level.samples.empty();
    const auto sample = [&](int i) { return !full ? level.at(i) : i >= lo && i < hi ? 1.0 : 0.0; };
    LowIndicator next;
    next.first = floor_div((full ? lo - 1 : level.first) - reach, factor);
    const int to = -floor_div(-((full ? hi : level.last()) + reach), factor);
    for (int m = next.first; m <= to; ++m) {
      next.samples.push_back(filtered(half, sample, m * factor));
    }
    level = std::move(next);
  }
  return level;
}

// By the steps of the blur itself, in one dimension.
std::vector<double> indicator_of_multirate(const GaussianScheme& scheme, int lo, int hi, int x0,
                                           int x1) {
  std::vector<double> out;
  const LowIndicator level = decimated_indicator(scheme.factors, lo, hi);
  const int d = scheme.decimation;
  const std::vector<double> interpolator = interpolation_taps(d);
  const int from = floor_div(x0, d) - 1, to = floor_div(x1 - 1, d) + 2;
  std::vector<double> low;
  for (int m = from; m <= to; ++m) {
    low.push_back(filtered(
        scheme.taps, [&](int i) { return level.at(i); }, m));
  }
  for (int x = x0; x < x1; ++x) {
    const int m = floor_div(x, d);
    double sum = 0.0;
    for (int j = -1; j <= 2; ++j) {
      sum += low[m + j - from] * interpolator[std::abs(x - (m + j) * d)];
    }
    out.push_back(sum);
  }
  return out;
}

}  // namespace

std::vector<double> blurred_indicator(const GaussianScheme& scheme, int lo, int hi, int x0,
                                      int x1) {
  if (scheme.method == GaussianMethod::boxes) return indicator_of_boxes(scheme, lo, hi, x0, x1);
  if (scheme.factors.empty()) return indicator_of_taps(scheme.taps, lo, hi, x0, x1);
  return indicator_of_multirate(scheme, lo, hi, x0, x1);
}

GaussianScheme choose_boxes(const GaussianRequest& request, int reach, double end, int passes) {
  GaussianScheme s;
  s.request = request;
  s.method = GaussianMethod::boxes;
  s.box_reach = reach;
  s.box_end = end;
  s.passes = passes;
  s.halo = passes * (reach + 1);
  if (!request.device.cpu && s.halo <= most_strip_radius) {
    // Narrow ones are faster as a single kernel.
    s.taps = box_taps(reach, end, passes);
    s.radius = s.reach = s.halo;
  }
  return s;
}

namespace {

// As requested, or wide enough.
int radius_of_taps(const GaussianRequest& request) {
  return request.radius > 0 ? request.radius : static_cast<int>(std::ceil(4.0 * request.sigma));
}

// Whether the picture and its halo fit into an image, whose sampler interpolates.
bool fits_image(const GaussianRequest& request) {
  const int side =
      std::max(request.picture.width(), request.picture.height()) + 2 * radius_of_taps(request) + 2;
  return request.device.images && static_cast<std::size_t>(side) <= request.device.max_image;
}

// The requested method, or an equivalent where it makes no sense.
GaussianMethod gaussian_method(const GaussianRequest& request) {
  using enum GaussianMethod;
  if (request.method == automatic || request.method == multirate) {
    // Below this, summing all taps is faster than changing the resolution.
    const double multirate_from = request.method == multirate ? 4.0 : 3.5;
    return request.radius == 0 && request.sigma >= multirate_from ? multirate : separable;
  }
  // Above sigma 8, a direct sum over the square is prohibitive.
  const int square = std::max(request.radius, static_cast<int>(std::ceil(4 * request.sigma)));
  if (request.method == direct && square > 32) return separable;
  if (request.method == bilinear && !request.device.cpu && !fits_image(request)) return separable;
  return request.method;
}

// Boxes with fractional ends whose variances add up to that of the Gaussian.
GaussianScheme boxes_of_sigma(const GaussianRequest& request) {
  const int passes = std::clamp(request.iterations, 1, 12);
  const double v = request.sigma * request.sigma / passes;
  const int l = static_cast<int>(std::floor((std::sqrt(12.0 * v + 1.0) - 1.0) / 2.0));
  const double end =
      (2.0 * l + 1.0) * (l * (l + 1.0) - 3.0 * v) / (6.0 * (v - (l + 1.0) * (l + 1.0)));
  return choose_boxes(request, l, end, passes);
}

}  // namespace

std::vector<int> decimations_for(double sigma) {
  static const std::vector<std::vector<int>> ladder = {{2},
                                                       {3},
                                                       {4},
                                                       {3, 2},
                                                       {4, 2},
                                                       {4, 3},
                                                       {4, 4},
                                                       {4, 3, 2},
                                                       {4, 4, 2},
                                                       {4, 4, 3},
                                                       {4, 4, 4},
                                                       {4, 4, 3, 2},
                                                       {4, 4, 4, 2},
                                                       {4, 4, 4, 3},
                                                       {4, 4, 4, 4},
                                                       {4, 4, 4, 3, 2},
                                                       {4, 4, 4, 4, 2},
                                                       {4, 4, 4, 4, 3},
                                                       {4, 4, 4, 4, 4}};
  const auto least = [](int d) { return d == 2 ? 1.75 : d == 3 ? 2.0 : 2.5; };
  const std::vector<int>* factors = &ladder.front();
  for (const std::vector<int>& rung : ladder) {
    const int d = product_of(rung);
    if (d * least(d) > sigma) break;
    factors = &rung;
  }
  return *factors;
}

int multirate_halo(const GaussianRequest& request, const std::vector<int>& factors, int reach) {
  const int d = product_of(factors);
  int halo = d * (reach + 2);
  if (request.device.cpu) {
    // Every pixel of a vector reads the samples of all of them, if only with weight 0.
    const int lanes = 16 / request.channels;
    halo += (lanes - 2 + d) / d * d;
  }
  int step = 1;
  for (const int factor : factors) {
    halo += decimation_reach(factor) * step;
    step *= factor;
  }
  return halo;
}

namespace {

// Decimations, taps at the low resolution, and an interpolation.
GaussianScheme choose_multirate(const GaussianRequest& request) {
  GaussianScheme s;
  s.request = request;
  s.method = GaussianMethod::multirate;
  s.factors = decimations_for(request.sigma);
  s.decimation = product_of(s.factors);
  s.taps = multirate_taps(request.sigma, s.factors);
  s.radius = static_cast<int>(s.taps.size()) - 1;
  s.reach = strip_radius(request.device.cpu, s.radius);
  s.halo = multirate_halo(request, s.factors, s.reach);
  return s;
}

// Whether a GPU's group can hold a line of samples and their products.
bool fits_local_memory(const GaussianRequest& request, int radius) {
  const std::size_t line = static_cast<std::size_t>(gaussian_line + 2 * radius) *
                           static_cast<std::size_t>(request.channels) * sizeof(float);
  return !request.device.cpu && 2 * line <= request.device.local_memory;
}

// Every tap at full resolution, by `method`.
GaussianScheme choose_taps(const GaussianRequest& request, GaussianMethod method) {
  using enum GaussianMethod;
  GaussianScheme s;
  s.request = request;
  s.method = method;
  s.radius = radius_of_taps(request);
  s.taps = gaussian_taps(request.sigma, s.radius);
  s.shares_products = method == symmetric && fits_local_memory(request, s.radius);
  // A ring of 256 rows in a CPU's cache, or a window in a GPU's registers.
  s.fused = !s.shares_products && s.radius <= (request.device.cpu ? 112 : most_strip_radius);
  const bool fetches = method == bilinear || method == bilinear_float;
  const bool folded = fetches && request.device.cpu;
  const bool strip = s.fused && (method == separable || method == symmetric || folded);
  s.reach = strip ? strip_radius(request.device.cpu, s.radius) : s.radius;
  s.halo = s.reach + (fetches && !folded ? 1 : 0);
  return s;
}

}  // namespace

bool can_sum_gaussians(const std::vector<GaussianTerm>& terms, Border border) {
  return border != Border::renormalise && !terms.empty() &&
         std::ranges::all_of(terms, [](const GaussianTerm& term) { return term.sigma >= 3.5; });
}

GaussianScheme choose_gaussian_sum(const GaussianRequest& request,
                                   const std::vector<GaussianTerm>& terms) {
  GaussianScheme s;
  s.request = request;
  s.method = GaussianMethod::multirate;
  s.factors = decimations_for(std::ranges::min(terms, {}, &GaussianTerm::sigma).sigma);
  s.decimation = product_of(s.factors);
  for (const GaussianTerm& term : terms) {
    GaussianScheme blur;
    blur.request = request;
    blur.request.border = Border::clamp;
    blur.method = GaussianMethod::separable;
    const double sigma = term.sigma / s.decimation;
    if (sigma >= 3.5) {
      blur.method = GaussianMethod::multirate;
      blur.factors = decimations_for(sigma);
      blur.decimation = product_of(blur.factors);
    }
    std::vector<int> all = s.factors;
    all.insert(all.end(), blur.factors.begin(), blur.factors.end());
    blur.taps = multirate_taps(term.sigma, all, blur.factors.empty() ? 0 : s.factors.size());
    blur.radius = static_cast<int>(blur.taps.size()) - 1;
    blur.reach = strip_radius(request.device.cpu, blur.radius);
    blur.halo =
        blur.factors.empty() ? blur.reach : multirate_halo(request, blur.factors, blur.reach);
    s.reach = std::max(s.reach, blur.halo);
    s.radius = std::max(s.radius, blur.radius);
    s.parts.push_back({term.weight, std::move(blur)});
  }
  s.halo = multirate_halo(request, s.factors, s.reach);
  return s;
}

GaussianScheme choose_gaussian(const GaussianRequest& request) {
  if (!(request.sigma > 0.0) || !std::isfinite(request.sigma) || request.radius < 0) {
    throw std::invalid_argument("a Gaussian needs a positive sigma and a radius of 0 or more");
  }
  if (request.method == GaussianMethod::fft) {
    throw std::invalid_argument("the fft method is not made of these passes");
  }
  const GaussianMethod method = gaussian_method(request);
  if (method == GaussianMethod::boxes) return boxes_of_sigma(request);
  if (method == GaussianMethod::multirate) return choose_multirate(request);
  return choose_taps(request, method);
}

}  // namespace sfumato
