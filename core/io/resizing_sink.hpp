// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A filtered picture on its way into a file of another size.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engine/pixels.hpp"
#include "image/resampling.hpp"
#include "io/io.hpp"

namespace sfumato {

/// Takes a picture of `size` from top to bottom, resizes it, colours weighted by opacity, and
/// passes it on in the size and form of `to`, which must outlive it.
class ResizingSink final : public PixelSink {
 public:
  /// `dither` as in RenderOptions. `coding`: what is averaged. write() throws Cancelled once
  /// `cancelled` (may be empty) returns true.
  ResizingSink(PixelSink& to, const PictureSize& size, ResizeFilter filter, bool dither,
               Coding coding = Coding::linear(), std::function<bool()> cancelled = {});

  const PictureFormat& format() const override { return format_; }
  void write(const HostView& pixels) override;

 private:
  void put(int y0, int y1, const float* rows);

  PixelSink& to_;
  bool dither_;
  std::function<bool()> cancelled_;
  PictureFormat format_;  // floats
  PictureFormat made_;    // the same in the new size
  Resampler resampler_;
  ParallelRows parallel_;
  std::vector<float> light_;
  std::vector<char> stored_;
};

/// The sink for a picture of the format `from`, if it has another size than `to`; else null.
std::unique_ptr<PixelSink> resizing_to(PixelSink& to, const PictureFormat& from,
                                       const WriteOptions& options);

/// A picture in another size, by the same means.
HeldPicture resized(const HeldPicture& picture, const PictureSize& size, ResizeFilter filter);

}  // namespace sfumato
