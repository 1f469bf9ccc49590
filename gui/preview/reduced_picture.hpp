// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// One picture at the scales at which it is seen, and what is shown of it before any filter.
#pragma once

#include <QByteArray>
#include <QImage>
#include <memory>
#include <vector>

#include "document/opened_picture.hpp"
#include "image/parallel_rows.hpp"
#include "preview/histogram.hpp"

namespace sfumato::gui {

/// The picture at one scale; the original itself at 1.
struct ReducedPicture {
  PicturePtr picture;
  int factor = 1;
  HeldPicture own;  ///< empty where the factor is 1

  /// A part of it as the screen shows it, and the numbers behind it.
  struct Before {
    Rect region;
    double exposure = 0;
    QByteArray screen_profile;
    std::shared_ptr<const HeldPicture> values;
    QImage image;
    Histogram histogram;
  };

  const HeldPicture& pixels() const { return factor == 1 ? picture->pixels : own; }
  /// True where before() has to compute nothing: a recipe that changes does not change it.
  bool has_before(const Rect& region, double exposure, const QByteArray& screen_profile) const;
  const Before& before(const Rect& region, double exposure, const QByteArray& screen_profile) const;

 private:
  mutable Before before_;
};
using ReducedPtr = std::shared_ptr<const ReducedPicture>;

/// Keeps the last scales of the last picture. One thread.
class ReducedPictures {
 public:
  /// Throws Cancelled by `rows`.
  ReducedPtr at(const PicturePtr& picture, int factor, const ParallelRows& rows);

 private:
  std::vector<ReducedPtr> kept_;  // the last used first
};

/// The format of a region's values: float.
PictureFormat region_format(const PictureFormat& format, const Rect& region);

/// What the screen shows of numbers of `picture`, in the format that is painted fastest.
QImage shown(const HeldPicture& values, const OpenedPicture& picture, double exposure,
             const QByteArray& screen_profile);

}  // namespace sfumato::gui
