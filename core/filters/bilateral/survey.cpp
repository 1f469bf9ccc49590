// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Chooses colours that represent the picture's, and measures their quality on its windows.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "filters/bilateral/cholesky.hpp"
#include "filters/bilateral/colors.hpp"
#include "filters/bilateral/fast.hpp"

namespace sfumato {
namespace {

constexpr double margin = 3;  // dB; allows for the small number of windows
// The same for levels: rare values may lie between two, and more levels are cheap.
constexpr double margin_of_levels = 10;
constexpr double regularisation = 1e-3;
constexpr int dense_reach = 24;           // of the lattice's windows
constexpr int roomy_cell = 8;             // from this cell size on, half of its pixels may suffice
constexpr std::size_t most_bins = 8192;   // with more colours, centres have never paid off
constexpr double most_missing = 5e-6;     // times range_sigma squared; more is visible
constexpr double cost_of_lattice = 0.22;  // relative to the exact window

using colors::Sample;
using colors::similarity;
using colors::WeightedColor;

// How badly the centres represent the picture's colours: the mean fourth power of the missing part
// of each colour's kernel with itself. The fourth power makes a few colours without any centre
// count more than many colours halfway between two, since windows at fixed positions rarely meet
// such colours.
double missing(const std::vector<WeightedColor>& bins, const std::vector<Sample>& centres,
               const std::vector<float>& fold, double falloff) {
  const std::size_t n = centres.size();
  std::vector<float> near(n);
  double sum = 0, weight = 0;
  for (const WeightedColor& s : bins) {
    for (std::size_t k = 0; k < n; ++k) {
      near[k] = static_cast<float>(similarity(s.place, centres[k], falloff));
    }
    float held = 0;
    for (std::size_t k = 0; k < n; ++k) {
      if (near[k] < 1e-5f) continue;
      float part = 0;
      for (std::size_t l = 0; l < n; ++l) part += fold[k * n + l] * near[l];
      held += near[k] * part;
    }
    const auto w = static_cast<double>(s.weight);
    sum += w * std::pow(std::clamp(1 - static_cast<double>(held), 0.0, 1.0), 4);
    weight += w;
  }
  return sum / weight;
}

// Squared errors over the probes, and the resulting quality.
struct Errors {
  double sum = 0;
  std::int64_t count = 0;

  void add(const std::array<double, 3>& difference) {
    for (const double d : difference) sum += d * d;
    count += 3;
  }
  // Without observations, nothing is known.
  double decibels() const {
    return count == 0 ? 0 : -10 * std::log10(std::max(sum / static_cast<double>(count), 1e-10));
  }
};

struct Mean {
  double weight = 0;
  std::array<double, 3> color{};

  void add(const WeightedColor& q, double w) {
    weight += w * static_cast<double>(q.weight);
    for (std::size_t c = 0; c < 3; ++c) {
      color[c] += w * static_cast<double>(q.weight) * static_cast<double>(q.color[c]);
    }
  }
};

// The windows of one kind: 3 x 3 probes in the middle of each, surrounded by `half` samples, for a
// filter of this sigma and radius.
class Windows {
 public:
  Windows(const BilateralRequest& request, const SurveyRequest::Windows& kind, double sigma,
          int radius)
      : reach_(kind.reach),
        half_(kind.reach - 1),
        falloff_(0.5 / (request.range_sigma * request.range_sigma)),
        limit_(bilateral_fast_most(request)) {
    double sum = 0;
    const int reached = std::max(half_, radius / kind.step);
    place_.resize(static_cast<std::size_t>(2 * half_ + 1));
    for (int k = -reached; k <= reached; ++k) {
      const double away = k * kind.step;
      const double weight = std::exp(-0.5 * away * away / (sigma * sigma));
      // Beyond the samples, the outermost one is repeated, as by the border rule.
      place_[static_cast<std::size_t>(std::clamp(k, -half_, half_) + half_)] += weight;
      sum += weight;
    }
    for (double& p : place_) p /= sum;
  }

  double kernel(const Sample& a, const Sample& b) const { return similarity(a, b, falloff_); }

  // Calls body(at(dx, dy), place(dx, dy), p) for each probe of the window with any weight.
  template <typename Body>
  void each_probe(const std::vector<WeightedColor>& window, Body&& body) const {
    for (int y = -1; y <= 1; ++y) {
      for (int x = -1; x <= 1; ++x) {
        if (window[index(x, y)].weight > 0) body(x, y);
      }
    }
  }

  // The exact mean around a probe over the samples selected by `wanted(x, y)`.
  template <typename Wanted>
  std::array<double, 3> mean(const std::vector<WeightedColor>& window, int px, int py,
                             Wanted&& wanted) const {
    const WeightedColor& p = window[index(px, py)];
    Mean mean;
    for (int y = -half_; y <= half_; ++y) {
      for (int x = -half_; x <= half_; ++x) {
        const double share = wanted(px + x, py + y);
        if (share == 0) continue;
        const WeightedColor& q = window[index(px + x, py + y)];
        mean.add(q, share * place(x) * place(y) * kernel(p.place, q.place));
      }
    }
    for (std::size_t c = 0; c < 3; ++c) {
      mean.color[c] =
          mean.weight > 0 ? mean.color[c] / mean.weight : static_cast<double>(p.color[c]);
    }
    return mean.color;
  }

  // The same by centres; features(i) are the kernel's values between sample i and the centres.
  std::array<double, 3> approximate(const std::vector<WeightedColor>& window,
                                    const std::vector<float>& features,
                                    const std::vector<float>& fold, int px, int py,
                                    double guard) const {
    const std::size_t p = index(px, py), count = features.size() / window.size();
    std::vector<float> a(count);
    for (std::size_t k = 0; k < count; ++k) {
      for (std::size_t l = 0; l < count; ++l) {
        a[l] += fold[k * count + l] * features[p * count + k];
      }
    }
    Mean mean;
    for (int y = -half_; y <= half_; ++y) {
      for (int x = -half_; x <= half_; ++x) {
        const std::size_t i = index(px + x, py + y);
        float w = 0;
        for (std::size_t k = 0; k < count; ++k) w += a[k] * features[i * count + k];
        mean.add(window[i], place(x) * place(y) * static_cast<double>(w));
      }
    }
    std::array<double, 3> out{};
    for (std::size_t c = 0; c < 3; ++c) {
      const auto own = static_cast<double>(window[p].color[c]);
      const double d = (mean.color[c] - mean.weight * own) / std::max(mean.weight, guard);
      out[c] = own + std::clamp(d, -limit_, limit_);
    }
    return out;
  }

 private:
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>((y + reach_) * (2 * reach_ + 1) + x + reach_);
  }
  double place(int k) const { return place_[static_cast<std::size_t>(k + half_)]; }

  int reach_, half_;
  double falloff_, limit_;
  std::vector<double> place_;
};

std::array<double, 3> operator-(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

std::vector<float> folded(const std::vector<Sample>& centres, const BilateralRequest& request) {
  const std::size_t n = centres.size();
  const double falloff = 0.5 / (request.range_sigma * request.range_sigma);
  std::vector<double> kernel(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      kernel[i * n + j] =
          similarity(centres[i], centres[j], falloff) + (i == j ? regularisation : 0);
    }
  }
  const std::vector<double> inverse = Cholesky(std::move(kernel), n).inverse();
  return {inverse.begin(), inverse.end()};
}

// The cost of each of `count` centres in taps of the exact window, measured on two CPU cores: per
// pixel its weight, for spreading and for slicing; per cell its part of the fold, the blur over the
// grid's reach, and the cell's memory traffic.
double cost_of_centres(int count, const BilateralGrid& grid, int spread_step) {
  const double area = static_cast<double>(grid.cell) * grid.cell;
  return count * (4.0 + 3.5 / spread_step + (0.45 * count + 2 * grid.reach() + 25) / area);
}

// Of channels that are filtered apart, each window shows one in turn.
std::vector<WeightedColor> look_at(const BilateralRequest& request, const Survey& survey,
                                   const std::vector<float>& pixels, std::size_t window) {
  if (survey.tick) survey.tick();
  return colors::seen(pixels, request, survey.has_alpha, window % 3);
}

// The samples all over the picture, of every channel.
std::vector<WeightedColor> look_everywhere(const BilateralRequest& request, const Survey& survey) {
  std::vector<WeightedColor> all;
  for (std::size_t i = 0; i < (filters_channels_apart(request) ? 3u : 1u); ++i) {
    const std::vector<WeightedColor> some = look_at(request, survey, survey.grid, i);
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

// How far apart the channels' values are at most.
double range_of(const std::vector<WeightedColor>& samples) {
  float least = std::numeric_limits<float>::max(), most = -least;
  for (const WeightedColor& s : samples) {
    if (s.weight == 0) continue;
    for (const float v : s.color) {
      least = std::min(least, v);
      most = std::max(most, v);
    }
  }
  return most > least ? static_cast<double>(most) - static_cast<double>(least) : 0;
}

// Errors of leaving out taps: all but every second one of every second row, and of every row.
struct LatticeErrors {
  Errors lattice, quincunx;
};

LatticeErrors errors_of_lattices(const BilateralRequest& request, const Survey& survey,
                                 const BilateralGrid& grid) {
  const SurveyRequest::Windows kind = bilateral_survey(request).windows[1];
  // If the window is wider than its surveyed part, a smaller window stands in, which does worse.
  const double shrunk = std::min(1.0, static_cast<double>(dense_reach) / bilateral_radius(request));
  const Windows dense(request, kind, request.sigma * shrunk, kind.reach - 1);
  LatticeErrors errors;
  for (std::size_t i = 0; i < survey.windows[1].size(); ++i) {
    const std::vector<WeightedColor> window = look_at(request, survey, survey.windows[1][i], i);
    dense.each_probe(window, [&](int x, int y) {
      const auto all = [](int, int) { return 1.0; };
      const auto some = [&](int u, int v) {
        return u % 2 == 0 && v % 2 == 0 ? 1.0 : u == x && v == y ? 0.25 : 0.0;
      };
      const auto half = [](int u, int v) { return (u + v) % 2 == 0 ? 1.0 : 0.0; };
      const std::array<double, 3> want = dense.mean(window, x, y, all);
      errors.lattice.add(want - dense.mean(window, x, y, some));
      if (grid.cell >= roomy_cell) errors.quincunx.add(want - dense.mean(window, x, y, half));
    });
  }
  return errors;
}

// Representative colours, and the matrix that folds the kernel values to them.
struct Centres {
  std::vector<Sample> colors;
  std::vector<float> fold;
};

// Chooses centres for a picture and measures them on its windows.
class CentreTrial {
 public:
  CentreTrial(const BilateralRequest& request, const Survey& survey, const BilateralGrid& grid)
      : request_(request),
        survey_(survey),
        guard_(bilateral_fast_guard(grid)),
        falloff_(0.5 / (request.range_sigma * request.range_sigma)),
        sparse_(request, bilateral_survey(request).windows[0], request.sigma,
                bilateral_radius(request)) {
    for (std::size_t i = 0; i < survey.windows[0].size(); ++i) {
      const std::vector<WeightedColor>& window =
          windows_.emplace_back(look_at(request, survey, survey.windows[0][i], i));
      auto& means = exact_.emplace_back();
      sparse_.each_probe(window, [&](int x, int y) {
        means.push_back(sparse_.mean(window, x, y, [](int, int) { return 1.0; }));
      });
    }
    bins_ = colors::binned(look_everywhere(request, survey), request.range_sigma);
    pivots_.emplace(bins_, falloff_);
  }
  CentreTrial(const CentreTrial&) = delete;
  CentreTrial& operator=(const CentreTrial&) = delete;

  // The largest number of centres to try.
  int most() const {
    return bins_.empty() || bins_.size() > most_bins ? 0 : bilateral_most_centres;
  }

  // That many centres; nullopt if too many colours would have none nearby.
  std::optional<Centres> choose(int count) {
    Centres centres;
    centres.colors = pivots_->first(static_cast<std::size_t>(count));
    if (survey_.tick) survey_.tick();
    colors::settle(centres.colors, bins_);
    centres.fold = folded(centres.colors, request_);
    const double range = request_.range_sigma;
    if (missing(bins_, centres.colors, centres.fold, falloff_) * range * range > most_missing) {
      return std::nullopt;
    }
    return centres;
  }

  // The quality of the filter with these centres.
  double decibels(const Centres& centres) const {
    Errors errors;
    for (std::size_t i = 0; i < windows_.size(); ++i) {
      if (survey_.tick) survey_.tick();
      const std::vector<float> features = features_of(windows_[i], centres.colors);
      auto want = exact_[i].begin();
      sparse_.each_probe(windows_[i], [&](int x, int y) {
        errors.add(sparse_.approximate(windows_[i], features, centres.fold, x, y, guard_) -
                   *want++);
      });
    }
    return errors.decibels();
  }

 private:
  // The kernel's values between each sample of a window and each centre.
  std::vector<float> features_of(const std::vector<WeightedColor>& window,
                                 const std::vector<Sample>& centres) const {
    std::vector<float> features;
    features.reserve(window.size() * centres.size());
    for (const WeightedColor& s : window) {
      for (const Sample& c : centres) {
        features.push_back(static_cast<float>(sparse_.kernel(s.place, c)));
      }
    }
    return features;
  }

  const BilateralRequest& request_;
  const Survey& survey_;
  const double guard_, falloff_;
  const Windows sparse_;
  std::vector<std::vector<WeightedColor>> windows_;
  std::vector<std::vector<std::array<double, 3>>> exact_;  // of each window's probes
  std::vector<WeightedColor> bins_;
  std::optional<colors::Pivots> pivots_;
};

}  // namespace

SurveyRequest bilateral_survey(const BilateralRequest& request) {
  const int radius = bilateral_radius(request);
  int step = (radius + 7) / 8, reach = radius / step;
  // A picture smaller than the window is seen as a whole, but no further.
  if (request.longer_side > 0 && request.longer_side < 2 * radius) {
    step = std::clamp(request.longer_side / 16, 1, step);
    reach = std::min(radius / step, request.longer_side / step + 1);
  }
  SurveyRequest wanted;
  wanted.grid = 32768;
  wanted.windows.push_back({48, reach + 1, step});
  wanted.windows.push_back({48, std::min(radius, dense_reach) + 1, 1});
  return wanted;
}

double combined_decibels(double a, double b) {
  return -10 * std::log10(std::pow(10, -a / 10) + std::pow(10, -b / 10));
}

std::shared_ptr<const BilateralSurveyResult> survey_bilateral(const BilateralRequest& request,
                                                              const Survey& survey,
                                                              int iterations) {
  // Later iterations preserve an earlier error at most, and add their own.
  const double promised = bilateral_fast_promise(request) + 20 * std::log10(iterations);
  const bool by_levels = request.distance != BilateralDistance::color;
  const BilateralGrid grid = bilateral_grid(request);
  const int radius = bilateral_radius(request);
  auto surveyed = std::make_shared<BilateralSurveyResult>();
  surveyed->places = request.channels == 4 && request.distance == BilateralDistance::color ? 3 : 1;

  const LatticeErrors every_second = errors_of_lattices(request, survey, grid);
  const double taps = (2.0 * radius + 1) * (2.0 * radius + 1);
  const bool lattice_is_good = every_second.lattice.decibels() >= promised + margin;
  // The exact filter is replaced only by something clearly cheaper.
  const double affordable = (lattice_is_good ? cost_of_lattice : 0.5) * taps;

  if (by_levels) surveyed->range = range_of(look_everywhere(request, survey));

  // Tries ever more centres. Their error and that of the omitted pixels must together keep the
  // promise.
  const double quincunx = every_second.quincunx.decibels();
  if (quincunx >= promised + margin) surveyed->spread_step = 2;
  CentreTrial trial(request, survey, grid);
  for (int count = 16; count <= trial.most(); count += 16) {
    if (cost_of_centres(count, grid, surveyed->spread_step) > affordable) break;
    const std::optional<Centres> centres = trial.choose(count);
    if (!centres) continue;
    const double decibels = trial.decibels(*centres);
    if (decibels < promised + (by_levels ? margin_of_levels : margin)) continue;
    for (const Sample& c : centres->colors) {
      surveyed->centres.insert(surveyed->centres.end(), c.begin(), c.begin() + surveyed->places);
    }
    surveyed->fold = centres->fold;
    surveyed->decibels =
        surveyed->spread_step == 1 ? decibels : combined_decibels(decibels, quincunx);
    return surveyed;
  }
  surveyed->decibels = every_second.lattice.decibels();
  surveyed->exact = !lattice_is_good;
  return surveyed;
}

}  // namespace sfumato
