// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "compare/comparison_run.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "compare/cells.hpp"
#include "image/orientation.hpp"
#include "io/resizing_sink.hpp"

namespace sfumato {
namespace {

using Clock = std::chrono::steady_clock;

// Counts the time that is not the filter's.
class TimedSink final : public PixelSink {
 public:
  explicit TimedSink(PixelSink& to) : to_(to) {}
  const PictureFormat& format() const override { return to_.format(); }
  bool wants_bands() const override { return to_.wants_bands(); }
  void write(const HostView& pixels) override {
    const Clock::time_point start = Clock::now();
    to_.write(pixels);
    seconds_ += std::chrono::duration<double>(Clock::now() - start).count();
  }
  double seconds() const { return seconds_; }

 private:
  PixelSink& to_;
  double seconds_ = 0;
};

}  // namespace

ComparisonRun::ComparisonRun(std::shared_ptr<const HeldPicture> original,
                             std::vector<Variant> variants, RendererFor renderer_for,
                             ComparisonOptions options)
    : variants_(std::move(variants)),
      results_(variants_.size()),
      renderer_for_(std::move(renderer_for)),
      options_(std::move(options)),
      original_(std::move(original)),
      format_(original_->format) {
  format_.type = SampleType::f32;
  format_.coding = Coding::srgb();
  if (format_.has_alpha()) format_.alpha = AlphaKind::premultiplied;
  if (swaps_sides(options_.orientation)) {
    // Cells are made as the picture is stored.
    for (CellSize* size : {&options_.whole, &options_.detail_cell}) {
      std::swap(size->width, size->height);
    }
  }
}

Rect ComparisonRun::detail() const {
  return upright_region(options_.detail, format_.width, format_.height, options_.orientation);
}

PictureSize ComparisonRun::size() const {
  return swaps_sides(options_.orientation) ? PictureSize{format_.height, format_.width}
                                           : PictureSize{format_.width, format_.height};
}

HeldPicture ComparisonRun::whole_of(HeldPicture& picture, const ShowColors& shown) const {
  const auto [width, height] = options_.whole;
  return upright_cell(whole_cell(picture, width, height, shown), options_.orientation);
}

HeldPicture ComparisonRun::detail_of(HeldPicture part, const ShowColors& shown) const {
  const auto [width, height] = options_.detail_cell;
  convert(part, shown);
  // A part that was asked for may be larger.
  const bool fits = options_.detail.width() <= width && options_.detail.height() <= height;
  return upright_cell(fits ? detail_cell(part, width, height) : whole_cell(part, width, height),
                      options_.orientation);
}

Renderer& ComparisonRun::renderer_of(const Variant& variant) {
  std::unique_ptr<Renderer>& renderer = renderers_[{variant.device, variant.form}];
  if (!renderer) renderer = renderer_for_(variant);
  return *renderer;
}

HeldPicture ComparisonRun::render(std::size_t number, const Rect& region, double* seconds) {
  HeldPicture out = held(region.width(), region.height());
  HostView view = out.view();
  view.region = region;
  MemorySink sink(format_, view);
  render_into(sink, number, region, seconds);
  return out;
}

// The whole result as large as a cell, for those with which nothing is compared.
HeldPicture ComparisonRun::render_small(std::size_t number, double* seconds) {
  const auto [width, height] = options_.whole;
  const PictureSize size = size_in_cell(format_, width, height);
  HeldPicture out = held(size.width, size.height);
  MemorySink sink(out.format, out.view());
  ResizingSink resizing(sink, {format_.width, format_.height}, cell_filter, false);
  TimedSink timed(resizing);
  render_into(timed, number, format_.rect(), seconds);
  *seconds -= timed.seconds();
  return out;
}

HeldPicture ComparisonRun::held(int width, int height) const {
  HeldPicture out{format_, {}};
  out.format.width = width;
  out.format.height = height;
  out.bytes.resize(out.format.bytes());
  return out;
}

bool ComparisonRun::is_compared(std::size_t number) const {
  return variants_[number].base ||
         std::any_of(variants_.begin(), variants_.end(), [number](const Variant& other) {
           return other.base == number && !other.left_out;
         });
}

void ComparisonRun::render_into(PixelSink& sink, std::size_t number, const Rect& region,
                                double* seconds) {
  MemorySource source = original_->source();
  RenderOptions options;
  options.roles = options_.roles;
  if (region != format_.rect()) options.region = region;
  if (options_.progress) {
    options.progress = [&](double part) { return options_.progress(number, part); };
  }
  const RenderReport report =
      renderer_of(variants_[number]).render(variants_[number].recipe, source, sink, options);
  results_[number].device = report.device;
  if (!report.methods.empty()) results_[number].explained = report.methods.back();
  if (seconds != nullptr) *seconds = report.seconds;
}

void ComparisonRun::repeat(std::size_t number) {
  constexpr double little = 0.2;
  constexpr std::size_t most = 5;
  ComparedVariant& result = results_[number];
  std::vector<double> times;
  double spent = result.first_seconds;
  const auto wanted = static_cast<std::size_t>(std::max(0, options_.renders - 1));
  while (options_.renders > 0 ? times.size() < wanted : times.size() < most && spent < little) {
    times.push_back(0);
    render(number, format_.rect(), &times.back());
    spent += times.back();
  }
  if (times.empty()) return;
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  result.warm_seconds = *middle;
}

// `base` becomes the result if it is one.
void ComparisonRun::measure(std::size_t number, HeldPicture& base, bool is_base) {
  ComparedVariant& result = results_[number];
  if (!is_compared(number)) {
    HeldPicture small = render_small(number, &result.first_seconds);
    result.whole = whole_of(small, options_.colors);
    repeat(number);
    if (options_.measured) options_.measured(number);
    return;
  }
  HeldPicture picture = render(number, format_.rect(), &result.first_seconds);
  result.whole = whole_of(picture, options_.colors);
  if (is_base) {
    base = std::move(picture);
  } else if (variants_[number].base) {
    result.difference = difference_between(picture.view(), base.view(), format_);
    result.gain = gain_for(result.difference->largest);
    if (result.difference->largest > 0) {
      picture = difference_picture(std::move(picture), base, static_cast<float>(result.gain));
      result.whole_difference = whole_of(picture, {});
    }
  }
  picture = {};
  repeat(number);
  if (options_.measured) options_.measured(number);
}

void ComparisonRun::run() {
  std::vector<bool> done(variants_.size(), false);
  for (std::size_t i = 0; i < variants_.size(); ++i) {
    if (variants_[i].base || variants_[i].left_out) continue;
    HeldPicture base;
    measure(i, base, true);
    done[i] = true;
    for (std::size_t k = 0; k < variants_.size(); ++k) {
      if (variants_[k].base != i || variants_[k].left_out || done[k]) continue;
      measure(k, base, false);
      done[k] = true;
    }
  }
  choose_detail();
  draw_details();
}

void ComparisonRun::choose_detail() {
  const ComparedVariant* worst = nullptr;
  for (const ComparedVariant& result : results_) {
    if (!result.difference || result.difference->largest == 0) continue;
    if (worst == nullptr || result.difference->largest > worst->difference->largest) {
      worst = &result;
    }
  }
  if (!options_.detail.empty()) return;
  detail_is_largest_ = worst != nullptr;
  const int x = worst == nullptr ? format_.width / 2 : worst->difference->x;
  const int y = worst == nullptr ? format_.height / 2 : worst->difference->y;
  options_.detail =
      detail_around(format_, x, y, options_.detail_cell.width, options_.detail_cell.height);
}

// A part is rendered again, because all results would take much memory.
void ComparisonRun::draw_details() {
  std::map<std::size_t, HeldPicture> bases;
  for (std::size_t i = 0; i < variants_.size(); ++i) {
    if (variants_[i].left_out) continue;
    HeldPicture part = render(i, options_.detail, nullptr);
    results_[i].detail = detail_of(part, options_.colors);
    if (!variants_[i].base) {
      bases[i] = std::move(part);
    } else if (results_[i].difference->largest > 0) {
      auto base = bases.find(*variants_[i].base);
      if (base == bases.end()) {
        base =
            bases.emplace(*variants_[i].base, render(*variants_[i].base, options_.detail, nullptr))
                .first;
      }
      part =
          difference_picture(std::move(part), base->second, static_cast<float>(results_[i].gain));
      results_[i].detail_difference = detail_of(std::move(part), {});
    }
  }
}

}  // namespace sfumato
