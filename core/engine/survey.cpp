// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Collects the samples of a survey in one pass from the top of the picture to its bottom.
#include "engine/survey.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace sfumato {
namespace {

constexpr double kept_bytes = 256.0 * 1024 * 1024;

// A row of samples: `columns` of row `y`, to be put from sample number `first` on.
struct RowWish {
  int y = 0;
  std::vector<int> columns;  // rising
  std::size_t first = 0;
};

// The samples in the order in which a survey holds them, as rows to be read.
class Collector {
 public:
  explicit Collector(const PictureFormat& format) : format_(format) {}

  // Every step-th pixel each way, from the picture's origin on.
  void add_grid(int most) {
    const double area = static_cast<double>(format_.width) * format_.height;
    int step = std::max(1, static_cast<int>(std::sqrt(area / most)));
    const auto count = [&](int n) { return (n + step - 1) / step; };
    while (static_cast<double>(count(format_.width)) * count(format_.height) > most) ++step;
    std::vector<int> columns;
    for (int x = 0; x < format_.width; x += step) columns.push_back(x);
    for (int y = 0; y < format_.height; y += step) add_row(y, columns);
  }

  // Windows around the middles of equal cells of the picture; how many there are is returned.
  int add_windows(const SurveyWish::Windows& wish) {
    const double aspect = static_cast<double>(format_.width) / format_.height;
    const int across =
        std::clamp(static_cast<int>(std::sqrt(wish.count * aspect)), 1, std::max(1, wish.count));
    const int down = std::max(1, wish.count / across);
    for (int j = 0; j < down; ++j) {
      for (int i = 0; i < across; ++i) {
        const int x = middle(i, across, format_.width), y = middle(j, down, format_.height);
        std::vector<int> columns;
        for (int k = -wish.reach; k <= wish.reach; ++k) {
          columns.push_back(std::clamp(x + k * wish.step, 0, format_.width - 1));
        }
        for (int k = -wish.reach; k <= wish.reach; ++k) {
          add_row(std::clamp(y + k * wish.step, 0, format_.height - 1), columns);
        }
      }
    }
    return across * down;
  }

  std::size_t size() const { return size_; }

  // The stored samples, one after the other.
  std::vector<char> read(PixelSource& source) {
    const std::size_t pixel = format_.pixel_bytes();
    std::vector<char> samples(size_ * pixel), row;
    std::stable_sort(rows_.begin(), rows_.end(),
                     [](const RowWish& a, const RowWish& b) { return a.y < b.y; });
    for (const RowWish& wish : rows_) {
      const Rect span{wish.columns.front(), wish.y, wish.columns.back() + 1, wish.y + 1};
      row.resize(static_cast<std::size_t>(span.width()) * pixel);
      source.read(span, row.data(), static_cast<std::ptrdiff_t>(row.size()));
      char* to = samples.data() + wish.first * pixel;
      for (const int x : wish.columns) {
        std::memcpy(to, row.data() + static_cast<std::size_t>(x - span.x0) * pixel, pixel);
        to += pixel;
      }
    }
    return samples;
  }

 private:
  static int middle(int i, int count, int size) {
    return static_cast<int>((2.0 * i + 1) * size / (2.0 * count));
  }
  void add_row(int y, const std::vector<int>& columns) {
    rows_.push_back({y, columns, size_});
    size_ += columns.size();
  }

  PictureFormat format_;
  std::vector<RowWish> rows_;
  std::size_t size_ = 0;
};

}  // namespace

Learnings survey_picture(const Plan& plan, PixelSource& source) {
  if (plan.steps.empty() || !plan.steps.front().wish) return {};
  const PlannedStep& step = plan.steps.front();
  const PictureFormat& format = source.format();
  const double bytes =
      static_cast<double>(format.rect().area()) * static_cast<double>(format.pixel_bytes());
  if (bytes <= kept_bytes || step.border == Border::wrap) source.keep_all();

  Collector collector(format);
  collector.add_grid(step.wish->grid);
  const std::size_t grid = collector.size();
  std::vector<int> counts;
  for (const auto& kind : step.wish->windows) counts.push_back(collector.add_windows(kind));

  std::vector<char> stored = collector.read(source);
  PictureFormat line = format;
  line.width = static_cast<int>(collector.size());
  line.height = 1;
  const auto channels = static_cast<std::size_t>(plan.channels);
  std::vector<float> pixels(collector.size() * channels);
  const Plane plane{0, 0, line.width, 1, line.width, 0};
  load_pixels({stored.data(), static_cast<std::ptrdiff_t>(stored.size()), line.rect()}, line,
              {pixels.data(), plane, plan.channels}, step.state, Rows());

  Survey survey;
  survey.channels = plan.channels;
  survey.has_alpha = format.has_alpha();
  auto next = pixels.begin();
  const auto take = [&](std::size_t samples) {
    const auto from = next;
    next += static_cast<std::ptrdiff_t>(samples * channels);
    return std::vector<float>(from, next);
  };
  survey.grid = take(grid);
  for (std::size_t kind = 0; kind < counts.size(); ++kind) {
    const auto side = static_cast<std::size_t>(2 * step.wish->windows[kind].reach + 1);
    auto& windows = survey.windows.emplace_back();
    for (int i = 0; i < counts[kind]; ++i) windows.push_back(take(side * side));
  }
  return {{step.index, step.filter().learn(step.given, step.picture, survey)}};
}

}  // namespace sfumato
