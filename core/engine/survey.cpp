// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Collects the samples of a survey in one pass from the top of the picture to its bottom.
#include "engine/survey.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "image/vector_state.hpp"

namespace sfumato {
namespace {

constexpr double kept_bytes = 256.0 * 1024 * 1024;

// A row of samples: `columns` of row `y`, stored from sample number `first` on.
struct RowRequest {
  int y = 0;
  std::vector<int> columns;  // ascending
  std::size_t first = 0;
};

// Every step-th pixel in both directions, from the picture's origin on.
int grid_step(const PictureFormat& format, int most) {
  const double area = static_cast<double>(format.width) * format.height;
  int step = std::max(1, static_cast<int>(std::sqrt(area / most)));
  const auto count = [&](int n) { return (n + step - 1) / step; };
  while (static_cast<double>(count(format.width)) * count(format.height) > most) ++step;
  return step;
}

// A position in the i-th of `count` equal parts, pseudo-random by `number` but the same for every
// picture of that size, so that periodic content cannot hide between regular positions.
int place_in(int i, int count, int size, std::uint32_t number) {
  number = (number ^ 61u ^ (number >> 16)) * 9u;
  number = (number ^ (number >> 4)) * 0x27d4eb2du;  // mixes all bits
  const double part = 0.1 + 0.8 * static_cast<double>((number ^ (number >> 15)) >> 8) / 16777216.0;
  return std::min(size - 1, static_cast<int>((i + part) * size / count));
}

}  // namespace

// Samples in the order in which a survey holds them, taken row by row.
struct SurveySink::Layout {
  std::vector<RowRequest> rows;
  std::size_t size = 0;
  std::uint32_t number = 0;  // counts window coordinates

  void add(int y, const std::vector<int>& columns) {
    rows.push_back({y, columns, size});
    size += columns.size();
  }

  void add_grid(const PictureFormat& format, int most) {
    const int step = grid_step(format, most);
    std::vector<int> columns;
    for (int x = 0; x < format.width; x += step) columns.push_back(x);
    for (int y = 0; y < format.height; y += step) add(y, columns);
  }

  // Places one window in each of several equal cells of the picture; returns their number.
  int add_windows(const PictureFormat& format, const SurveyRequest::Windows& request) {
    const double aspect = static_cast<double>(format.width) / format.height;
    const int across = std::clamp(static_cast<int>(std::sqrt(request.count * aspect)), 1,
                                  std::max(1, request.count));
    const int down = std::max(1, request.count / across);
    for (int j = 0; j < down; ++j) {
      for (int i = 0; i < across; ++i) {
        const int x = place_in(i, across, format.width, number++),
                  y = place_in(j, down, format.height, number++);
        std::vector<int> columns;
        for (int k = -request.reach; k <= request.reach; ++k) {
          columns.push_back(std::clamp(x + k * request.step, 0, format.width - 1));
        }
        for (int k = -request.reach; k <= request.reach; ++k) {
          add(std::clamp(y + k * request.step, 0, format.height - 1), columns);
        }
      }
    }
    return across * down;
  }
};

SurveySink::SurveySink(const PictureFormat& format, SurveyRequest request)
    : format_(format), request_(std::move(request)), layout_(std::make_unique<Layout>()) {
  layout_->add_grid(format_, request_.grid);
  grid_ = layout_->size;
  for (const auto& kind : request_.windows) counts_.push_back(layout_->add_windows(format_, kind));
  std::stable_sort(layout_->rows.begin(), layout_->rows.end(),
                   [](const RowRequest& a, const RowRequest& b) { return a.y < b.y; });
  samples_.resize(layout_->size * format_.pixel_bytes());
}

SurveySink::~SurveySink() = default;

void SurveySink::write(const HostView& pixels) {
  const std::size_t pixel = format_.pixel_bytes();
  const auto first =
      std::lower_bound(layout_->rows.begin(), layout_->rows.end(), pixels.region.y0,
                       [](const RowRequest& request, int y) { return request.y < y; });
  for (auto request = first; request != layout_->rows.end() && request->y < pixels.region.y1;
       ++request) {
    char* to = samples_.data() + request->first * pixel;
    const char* row = static_cast<const char*>(pixels.row(request->y));
    for (const int x : request->columns) {
      std::memcpy(to, row + static_cast<std::size_t>(x - pixels.region.x0) * pixel, pixel);
      to += pixel;
    }
  }
}

void SurveySink::read(PixelSource& source, const std::function<void()>& tick) {
  std::vector<char> row(static_cast<std::size_t>(format_.width) * format_.pixel_bytes());
  int last = -1;
  for (const RowRequest& request : layout_->rows) {
    if (request.y == last) continue;
    if (tick) tick();
    last = request.y;
    const Rect span{0, request.y, format_.width, request.y + 1};
    const auto pitch = static_cast<std::ptrdiff_t>(row.size());
    source.read(span, row.data(), pitch);
    write({row.data(), pitch, span});
  }
}

Survey SurveySink::survey(const PixelState& state, int channels) {
  PictureFormat line = format_;
  line.width = static_cast<int>(layout_->size);
  line.height = 1;
  const auto wide = static_cast<std::size_t>(channels);
  std::vector<float> pixels(layout_->size * wide);
  const Plane plane{0, 0, line.width, 1, line.width, 0};
  load_pixels({samples_.data(), static_cast<std::ptrdiff_t>(samples_.size()), line.rect()}, line,
              {pixels.data(), plane, channels}, state, ParallelRows());

  Survey survey;
  survey.channels = channels;
  survey.has_alpha = format_.has_alpha();
  auto next = pixels.begin();
  const auto take = [&](std::size_t samples) {
    const auto from = next;
    next += static_cast<std::ptrdiff_t>(samples * wide);
    return std::vector<float>(from, next);
  };
  survey.grid = take(grid_);
  for (std::size_t kind = 0; kind < counts_.size(); ++kind) {
    const auto side = static_cast<std::size_t>(2 * request_.windows[kind].reach + 1);
    auto& windows = survey.windows.emplace_back();
    for (int i = 0; i < counts_[kind]; ++i) windows.push_back(take(side * side));
  }
  return survey;
}

void keep_if_small(PixelSource& source) {
  const PictureFormat& format = source.format();
  const double bytes =
      static_cast<double>(format.rect().area()) * static_cast<double>(format.pixel_bytes());
  if (bytes <= kept_bytes) source.keep_all();
}

SurveyResults survey_picture(const Plan& plan, PixelSource& source,
                             const std::function<void()>& tick) {
  if (plan.steps.empty() || !plan.steps.front().request) return {};
  const PlannedStep& step = plan.steps.front();
  const PictureFormat& format = source.format();
  keep_if_small(source);
  if (step.border == Border::wrap) source.keep_all();
  SurveySink samples(format, *step.request);
  samples.read(source, tick);
  return {{step.index, survey_step(step, samples, plan.channels, tick)}};
}

std::shared_ptr<const SurveyResult> survey_step(const PlannedStep& step, SurveySink& samples,
                                                int channels, std::function<void()> tick) {
  reset_vector_state();
  Survey survey = samples.survey(step.taken, channels);
  survey.tick = std::move(tick);
  return step.filter().evaluate(step.values, step.picture, survey);
}

}  // namespace sfumato
