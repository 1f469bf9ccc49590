// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Uses repeating pictures one pixel high: a line in them is an impulse, and their discrete
// frequencies are exact even for an infinite kernel.
#include "params/response.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "engine/renderer.hpp"
#include "filters/registry.hpp"
#include "filters/shared/fourier/dft.hpp"

namespace sfumato::gui {
namespace {

using Line = std::vector<float>;

constexpr int smallest = 512, largest = 4096;  // lengths of a line, px
constexpr int near = 16;                       // px on either side for the test
constexpr double most_work = 8e6;              // of the reference, for one line
constexpr int most_pixels = 64;
constexpr std::size_t finer = 4;
constexpr float noticeable = 1e-5f;  // relative to the kernel's largest value
constexpr double linear_within = 1e-4;

// The step without pictures, on stored numbers, with a border that treats all pixels alike.
Recipe probed(const Step& step) {
  const ParameterSet& set = Registry::get().at(step.filter).filter->info().parameters;
  Recipe recipe;
  recipe.steps = {step};
  Step& own = recipe.steps.front();
  own.enabled = true;
  for (const Parameter& parameter : set) {
    if (parameter.kind == Kind::image) own.values.set(parameter.name, ImageRef());
  }
  if (set.find("light") != nullptr) own.values.set("light", Choice("stored"));
  if (set.find("border") != nullptr) own.values.set("border", Choice("wrap"));
  return recipe;
}

// Runs a step on lines along rows or columns.
class Bench {
 public:
  Bench(const Step& step, const std::function<bool()>& wanted)
      : recipe_(probed(step)), session_(make_reference_renderer()) {
    options_.progress = [wanted](double) { return !wanted || wanted(); };
    fit();
  }

  /// Pixels of the picture per pixel of a line.
  int pixels() const { return pixels_; }
  /// A line length, a power of two, beyond the filter's reach.
  int length() const { return length_; }

  // Pixels [from, to) of the result.
  Line run(Line line, bool vertical, int from, int to) {
    const int n = static_cast<int>(line.size());
    constexpr std::ptrdiff_t pixel = sizeof(float);
    const PictureFormat format{vertical ? 1 : n, vertical ? n : 1, 1,
                               SampleType::f32,  AlphaKind::none,  Coding::linear()};
    options_.region = vertical ? Rect{0, from, 1, to} : Rect{from, 0, to, 1};
    Line out(static_cast<std::size_t>(to - from));
    MemorySource source(format, {line.data(), format.width * pixel, format.rect()});
    MemorySink sink(format, {out.data(), options_.region.width() * pixel, options_.region});
    session_->render(recipe_, source, sink, options_);
    return out;
  }

 private:
  // Reduces lengths until the work is small, if a smaller picture is representative.
  void fit() {
    Step& step = recipe_.steps.front();
    const Filter& filter = *Registry::get().at(step.filter).filter;
    const Values own = step.values;
    if (filter.info().preview == PreviewClass::full_scale_only) {
      fits(filter, own);
      return;
    }
    while (!fits(filter, step.values) && pixels_ < most_pixels) {
      const Values smaller = scaled(filter.info().parameters, own, 0.5 / pixels_);
      if (smaller == step.values) return;
      step.values = smaller;
      pixels_ *= 2;
    }
  }

  bool fits(const Filter& filter, const Values& given) {
    length_ = smallest;
    while (true) {
      Picture picture;
      picture.width = picture.height = length_;
      picture.channels = 1;
      Target target;
      target.reference = true;
      const Needs needs = filter.prepare(given, picture, target)->needs();
      const int reach = needs.whole_image ? 0 : std::max(needs.halo_x, needs.halo_y);
      if (2 * reach < length_) return needs.reference_work * length_ <= most_work;
      if (length_ >= largest) return false;
      length_ *= 2;
    }
  }

  Recipe recipe_;
  const std::unique_ptr<Renderer> session_;
  RenderOptions options_;
  int pixels_ = 1, length_ = smallest;
};

Line less(Line line, float offset) {
  for (float& v : line) v -= offset;
  return line;
}

float largest_of(const Line& line) {
  float most = 0;
  for (const float v : line) most = std::max(most, std::abs(v));
  return most;
}

double sum_of(const Line& line) {
  return std::accumulate(line.begin(), line.end(), 0.0);
}

double size_of(const Line& line) {
  return std::accumulate(line.begin(), line.end(), 0.0,
                         [](double sum, float v) { return sum + std::abs(v); });
}

// Whether nothing is left where the line meets its repetition.
bool ends_quietly(const Line& answer) {
  const auto n = answer.size();
  const Line ends{answer.begin(), answer.begin() + static_cast<std::ptrdiff_t>(n / 16)};
  return largest_of(ends) <= noticeable * largest_of(answer);
}

Line impulse(int n) {
  Line line(static_cast<std::size_t>(n));
  line[static_cast<std::size_t>(n / 2)] = 1;
  return line;
}

// The filter's result for black, if it is uniform.
std::optional<float> offset_of(Bench& bench, bool vertical) {
  const int n = bench.length();
  const Line black = bench.run(Line(static_cast<std::size_t>(n)), vertical, n / 2 - near, n / 2);
  const auto [low, high] = std::minmax_element(black.begin(), black.end());
  if (!(*high - *low <= noticeable)) return std::nullopt;
  return *low;
}

// The response to an impulse in the middle of a sufficiently long line.
Line answer_of(Bench& bench, float offset, bool vertical) {
  for (int n = bench.length();; n *= 2) {
    Line answer = less(bench.run(impulse(n), vertical, 0, n), offset);
    if (ends_quietly(answer) || n >= largest) return answer;
  }
}

// A filter is linear if its result for noise is the sum of the impulse responses.
bool is_linear(Bench& bench, const Line& answer, float offset, bool vertical) {
  const int n = static_cast<int>(answer.size()), middle = n / 2;
  Line noise;
  std::uint32_t seed = 1;
  for (int i = 0; i < n; ++i) {
    seed = seed * 1664525u + 1013904223u;
    noise.push_back(static_cast<float>(seed >> 8) / 8388608.0f - 1);
  }
  const Line got = less(bench.run(noise, vertical, middle - near, middle + near), offset);
  const double within = linear_within * std::max(1.0, size_of(answer));
  for (int x = -near; x < near; ++x) {
    double want = 0;
    for (int k = 0; k < n; ++k) {
      want += static_cast<double>(answer[static_cast<std::size_t>(k)]) *
              static_cast<double>(noise[static_cast<std::size_t>((2 * n + x - k) % n)]);
    }
    const double found = static_cast<double>(got[static_cast<std::size_t>(x + near)]);
    if (!(std::abs(want - found) <= within)) return false;
  }
  return true;
}

// At the line's frequencies, and between them if the kernel ends within it.
Line magnitude_of(const Line& answer, bool endless) {
  ComplexPlane data(answer.begin(), answer.end());
  if (!endless) data.resize(finer * answer.size());
  const int n = static_cast<int>(data.size());
  transform_plane(data, n, 1, false, ParallelRows({}, 1));
  Line out;
  for (int i = 0; i <= n / 2; ++i) {
    out.push_back(static_cast<float>(std::abs(data[static_cast<std::size_t>(i)])));
  }
  return out;
}

Line trimmed(const Line& answer) {
  const int middle = static_cast<int>(answer.size()) / 2;
  const float least = noticeable * largest_of(answer);
  int reach = 0;
  for (int i = 1; i < middle; ++i) {
    const float left = answer[static_cast<std::size_t>(middle - i)];
    const float right = answer[static_cast<std::size_t>(middle + i)];
    if (std::max(std::abs(left), std::abs(right)) > least) reach = i;
  }
  return {answer.begin() + middle - reach, answer.begin() + middle + reach + 1};
}

}  // namespace

double Response::sum() const {
  return sum_of(kernel);
}

std::optional<Response> response_of(const Step& step, const std::function<bool()>& wanted) {
  const FilterInfo& info = Registry::get().at(step.filter).filter->info();
  if (info.plot == Plot::none) return std::nullopt;
  Bench bench(step, wanted);
  for (const bool vertical : {false, true}) {
    const std::optional<float> offset = offset_of(bench, vertical);
    if (!offset) return std::nullopt;
    const Line answer = answer_of(bench, *offset, vertical);
    if (!is_linear(bench, answer, *offset, vertical)) return std::nullopt;
    if (largest_of(answer) == 0) continue;
    const bool endless = !ends_quietly(answer);
    return Response{bench.pixels(), trimmed(answer), magnitude_of(answer, endless), vertical,
                    endless};
  }
  return std::nullopt;
}

}  // namespace sfumato::gui
