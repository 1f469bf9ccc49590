// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Opens roles once rather than per render.
#include "preview/preview_roles.hpp"

#include <utility>

#include "filters/filter.hpp"
#include "image/reduce.hpp"

namespace sfumato::gui {
namespace {

constexpr std::size_t most_scales = 3;  // per role

// Whether the role's values are data, which are averaged as numbers rather than as light.
bool is_data(const std::string& role) {
  return role == "normal" || role == "depth" || role == "mask";
}

HeldPicture reduced(const HeldPicture& whole, const std::string& role, int factor,
                    const std::function<bool()>& go_on) {
  PictureFormat from = whole.format;
  if (is_data(role)) from.coding = Coding::linear();
  HeldPicture out = blank_picture(reduced_format(from, factor));
  reduce(whole.view(), from, factor, out.view(), ParallelRows([&](int, int) { return go_on(); }));
  out.format.coding = whole.format.coding;
  return out;
}

}  // namespace

std::shared_ptr<PreviewRoles::CacheEntry> PreviewRoles::opened(const std::string& role,
                                                               const ImageRef& reference) {
  const auto stamp = stamp_of(reference.path);
  std::shared_ptr<CacheEntry>& kept = kept_[{role, reference.path, reference.channels}];
  if (kept && stamp && kept->stamp == stamp) return kept;
  kept = nullptr;
  auto made = std::make_shared<CacheEntry>();
  made->stamp = stamp;
  const auto open =
      role_files(*file_, {}, [&](const Message& warning) { made->warnings.push_back(warning); });
  std::shared_ptr<PixelSource> source = open(0, role, reference);
  // Integers that encode -1..1 are decoded before averaging.
  if (role == "normal" && is_integer(source->format().type)) {
    source = std::make_shared<SignedSource>(std::move(source));
  }
  made->whole = read_all(*source);
  kept = made;
  return made;
}

RoleResolver PreviewRoles::resolver(const PicturePtr& picture, int factor,
                                    std::function<bool()> go_on, Warn warn) {
  if (picture_ != picture) {
    kept_.clear();
    file_ = nullptr;
    picture_ = picture;
  }
  return
      [this, factor, go_on = std::move(go_on), warn = std::move(warn)](
          int, const std::string& role, const ImageRef& reference) -> std::shared_ptr<PixelSource> {
        if (!reference.bound()) return nullptr;
        if (!file_) {
          ReadOptions reading;
          reading.channels = picture_->channels;
          file_ = open_picture(picture_->path, reading);
        }
        const std::shared_ptr<CacheEntry> kept = opened(role, reference);
        for (const Message& warning : kept->warnings) warn(warning);
        if (factor > 1 && kept->reduced.count(factor) == 0) {
          if (kept->reduced.size() >= most_scales) kept->reduced.clear();
          kept->reduced[factor] = reduced(kept->whole, role, factor, go_on);
        }
        const HeldPicture& pixels = factor > 1 ? kept->reduced.at(factor) : kept->whole;
        // The source keeps the pixels it reads.
        const auto held = std::make_shared<std::pair<std::shared_ptr<CacheEntry>, MemorySource>>(
            kept, pixels.source());
        return {held, &held->second};
      };
}

}  // namespace sfumato::gui
