// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Coarser scales are derived from finer ones if available.
#include "preview/reduced_picture.hpp"

#include <algorithm>
#include <cstring>

#include "image/reduce.hpp"
#include "image/transfer.hpp"
#include "preview/display.hpp"

namespace sfumato::gui {
namespace {

// Coarse and fine views of one picture alternate.
constexpr std::size_t most_reduced = 5;

// The stored numbers of a region, as floats.
HeldPicture values_of(const HeldPicture& picture, const Rect& region) {
  HeldPicture out = blank_picture(region_format(picture.format, region));
  const PictureFormat& f = picture.format;
  const HostView from = picture.view(), to = out.view();
  const int sample = sample_bytes(f.type);
  ParallelRows().run(0, region.height(), [&](int y) {
    const char* in = static_cast<const char*>(from.row(region.y0 + y)) +
                     static_cast<std::size_t>(region.x0) * f.pixel_bytes();
    auto* row = static_cast<float*>(to.row(y));
    const int count = region.width() * f.channels;
    if (f.type == SampleType::f32) {
      std::memcpy(row, in, static_cast<std::size_t>(count) * sizeof(float));
    } else {
      for (int i = 0; i < count; ++i) row[i] = read_sample(in + i * sample, f.type);
    }
  });
  return out;
}

}  // namespace

PictureFormat region_format(const PictureFormat& format, const Rect& region) {
  PictureFormat out = format;
  out.width = region.width();
  out.height = region.height();
  out.type = SampleType::f32;
  return out;
}

QImage shown(const HeldPicture& values, const OpenedPicture& picture, double exposure,
             const QByteArray& screen_profile) {
  const QByteArray profile(reinterpret_cast<const char*>(picture.icc_profile.data()),
                           static_cast<qsizetype>(picture.icc_profile.size()));
  return upright(to_screen(values, profile, exposure, screen_profile), picture.orientation);
}

bool ReducedPicture::has_before(const Rect& region, double exposure,
                                const QByteArray& screen_profile) const {
  return before_.values && before_.region == region && before_.exposure == exposure &&
         before_.screen_profile == screen_profile;
}

const ReducedPicture::Before& ReducedPicture::before(const Rect& region, double exposure,
                                                     const QByteArray& screen_profile) const {
  if (!has_before(region, exposure, screen_profile)) {
    const bool same_values = before_.values && before_.region == region;
    const auto values = same_values
                            ? before_.values
                            : std::make_shared<const HeldPicture>(values_of(pixels(), region));
    before_ = {region,
               exposure,
               screen_profile,
               values,
               shown(*values, *picture, exposure, screen_profile),
               histogram_of(*values, exposure)};
  }
  return before_;
}

ReducedPtr ReducedPictures::at(const PicturePtr& picture, int factor, const ParallelRows& rows) {
  std::erase_if(kept_, [&](const ReducedPtr& kept) { return kept->picture != picture; });
  const auto found = std::find_if(kept_.begin(), kept_.end(),
                                  [&](const ReducedPtr& kept) { return kept->factor == factor; });
  if (found != kept_.end()) {
    std::rotate(kept_.begin(), found, found + 1);
    return kept_.front();
  }
  auto made = std::make_shared<ReducedPicture>();
  made->picture = picture;
  made->factor = factor;
  if (factor > 1) {
    const HeldPicture* from = &picture->pixels;
    int finer = 1;
    for (const ReducedPtr& kept : kept_) {
      if (kept->factor <= finer || factor % kept->factor != 0) continue;
      from = &kept->pixels();
      finer = kept->factor;
    }
    made->own = blank_picture(reduced_format(picture->format(), factor));
    reduce(from->view(), from->format, factor / finer, made->own.view(), rows);
  }
  kept_.insert(kept_.begin(), std::move(made));
  if (kept_.size() > most_reduced) kept_.pop_back();
  return kept_.front();
}

}  // namespace sfumato::gui
