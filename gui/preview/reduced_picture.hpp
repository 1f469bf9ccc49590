// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// One picture at the visible scales, and its unfiltered image.
#pragma once

#include <QByteArray>
#include <QImage>
#include <cstdint>
#include <memory>
#include <vector>

#include "document/opened_picture.hpp"
#include "engine/pixels.hpp"
#include "image/parallel_rows.hpp"
#include "preview/histogram.hpp"

namespace sfumato::gui {

/// The picture at one scale; the original itself at 1.
struct ReducedPicture {
  PicturePtr picture;
  int factor = 1;
  HeldPicture own;  ///< empty if the factor is 1
  const std::uint64_t content = new_content();

  /// A part of it as shown on the screen, and its values.
  struct Before {
    Rect region;
    double exposure = 0;
    QByteArray screen_profile;
    std::shared_ptr<const HeldPicture> values;
    QImage image;
    Histogram histogram;
  };

  const HeldPicture& pixels() const { return factor == 1 ? picture->pixels : own; }
  /// Whether before() is cached; it does not depend on the recipe.
  bool has_before(const Rect& region, double exposure, const QByteArray& screen_profile) const;
  const Before& before(const Rect& region, double exposure, const QByteArray& screen_profile) const;

 private:
  mutable Before before_;
};
using ReducedPtr = std::shared_ptr<const ReducedPicture>;

/// Caches the last scales of the last picture. One thread.
class ReducedPictures {
 public:
  /// `rows` may throw Cancelled.
  ReducedPtr at(const PicturePtr& picture, int factor, const ParallelRows& rows);

 private:
  std::vector<ReducedPtr> kept_;  // most recently used first
};

/// The format of a region's values: float.
PictureFormat region_format(const PictureFormat& format, const Rect& region);

/// The screen image of values of `picture`, in the format that paints fastest.
QImage shown(const HeldPicture& values, const OpenedPicture& picture, double exposure,
             const QByteArray& screen_profile);

}  // namespace sfumato::gui
