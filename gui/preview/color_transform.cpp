// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Qt converts between matrix profiles, exactly and fast; LittleCMS handles all others.
#include "preview/color_transform.hpp"

#include <lcms2.h>

#include <QColorSpace>
#include <algorithm>
#include <deque>
#include <mutex>
#include <vector>

namespace sfumato::gui {
namespace {

struct ProfileDeleter {
  void operator()(void* profile) const { cmsCloseProfile(profile); }
};
struct TransformDeleter {
  void operator()(void* transform) const { cmsDeleteTransform(transform); }
};
using TransformPtr = std::unique_ptr<void, TransformDeleter>;

class Profile {
 public:
  explicit Profile(const QByteArray& bytes)
      : handle_(bytes.isEmpty()
                    ? cmsCreate_sRGBProfile()
                    : cmsOpenProfileFromMem(bytes.constData(),
                                            static_cast<cmsUInt32Number>(bytes.size()))) {
    if (bytes.isEmpty()) {
      space_ = QColorSpace(QColorSpace::SRgb);
    } else if (rgb() && !has_tables()) {
      space_ = QColorSpace::fromIccProfile(bytes);
    }
  }

  cmsHPROFILE get() const { return handle_.get(); }
  bool rgb() const { return handle_ && cmsGetColorSpace(get()) == cmsSigRgbData; }
  bool gray() const { return handle_ && cmsGetColorSpace(get()) == cmsSigGrayData; }
  // Invalid for profiles that Qt does not follow: it ignores tables.
  const QColorSpace& space() const { return space_; }

 private:
  bool has_tables() const {
    return cmsIsTag(get(), cmsSigAToB0Tag) || cmsIsTag(get(), cmsSigAToB1Tag) ||
           cmsIsTag(get(), cmsSigBToA0Tag) || cmsIsTag(get(), cmsSigBToA1Tag);
  }

  std::unique_ptr<void, ProfileDeleter> handle_;
  QColorSpace space_;
};

TransformPtr between(const Profile& from, cmsUInt32Number type, const Profile& to,
                     cmsUInt32Number flags) {
  return TransformPtr(cmsCreateTransform(
      from.get(), type, to.get(), TYPE_RGBA_16, INTENT_RELATIVE_COLORIMETRIC,
      flags | cmsFLAGS_BLACKPOINTCOMPENSATION | cmsFLAGS_NOCACHE));  // for threads
}

class ByQt final : public ColorTransform {
 public:
  ByQt(const QColorSpace& from, const QColorSpace& to) : from_(from), to_(to) {}
  void apply(QImage& image) const override {
    image.setColorSpace(from_);
    image.convertToColorSpace(to_);
    image.setColorSpace({});
  }

 private:
  QColorSpace from_, to_;
};

class ByTables final : public ColorTransform {
 public:
  explicit ByTables(TransformPtr transform) : transform_(std::move(transform)) {}
  void apply(QImage& image) const override {
    for (int y = 0; y < image.height(); ++y) {
      uchar* row = image.scanLine(y);
      cmsDoTransform(transform_.get(), row, row, static_cast<cmsUInt32Number>(image.width()));
    }
  }

 private:
  TransformPtr transform_;
};

// All values of a gray profile, computed once.
class ByGraySamples final : public ColorTransform {
 public:
  explicit ByGraySamples(const TransformPtr& transform) : samples_(4 * 65536) {
    std::vector<quint16> gray(65536);
    for (std::size_t i = 0; i < gray.size(); ++i) gray[i] = static_cast<quint16>(i);
    cmsDoTransform(transform.get(), gray.data(), samples_.data(), 65536);
  }
  void apply(QImage& image) const override {
    for (int y = 0; y < image.height(); ++y) {
      auto* pixel = reinterpret_cast<quint16*>(image.scanLine(y));
      for (int x = 0; x < image.width(); ++x, pixel += 4) {
        const quint16* sample = &samples_[std::size_t{4} * pixel[0]];
        std::copy(sample, sample + 3, pixel);
      }
    }
  }

 private:
  std::vector<quint16> samples_;
};

std::shared_ptr<const ColorTransform> make_transform(const Profile& from, const Profile& to) {
  if (from.space().isValid() && to.space().isValid()) {
    if (from.space() == to.space()) return nullptr;
    return std::make_shared<ByQt>(from.space(), to.space());
  }
  if (from.gray()) {
    const TransformPtr samples = between(from, TYPE_GRAY_16, to, cmsFLAGS_NOOPTIMIZE);
    return samples ? std::make_shared<ByGraySamples>(samples) : nullptr;
  }
  TransformPtr tables =
      between(from, TYPE_RGBA_16, to, cmsFLAGS_HIGHRESPRECALC | cmsFLAGS_CLUT_PRE_LINEARIZATION);
  return tables ? std::make_shared<ByTables>(std::move(tables)) : nullptr;
}

DisplayColors make_colors(const QByteArray& picture_profile, bool gray,
                          const QByteArray& screen_profile) {
  const Profile picture(picture_profile), screen(screen_profile), srgb{QByteArray()};
  const bool fits = picture.rgb() || (gray && picture.gray());
  const Profile& from = fits ? picture : srgb;
  const Profile& to = screen.rgb() ? screen : srgb;
  // A picture in sRGB may still be stored with another curve.
  const bool own = fits && from.space() != srgb.space();
  return {own, make_transform(from, to)};
}

struct CacheEntry {
  QByteArray picture, screen;
  bool gray = false;
  DisplayColors colors;
};

constexpr std::size_t most_kept = 4;

}  // namespace

DisplayColors display_colors(const QByteArray& picture_profile, bool gray,
                             const QByteArray& screen_profile) {
  static std::mutex mutex;
  static std::deque<CacheEntry> kept;
  const std::lock_guard lock(mutex);
  for (const CacheEntry& one : kept) {
    if (one.gray == gray && one.picture == picture_profile && one.screen == screen_profile) {
      return one.colors;
    }
  }
  kept.push_front(
      {picture_profile, screen_profile, gray, make_colors(picture_profile, gray, screen_profile)});
  if (kept.size() > most_kept) kept.pop_back();
  return kept.front().colors;
}

}  // namespace sfumato::gui
