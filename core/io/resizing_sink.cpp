// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "io/resizing_sink.hpp"

#include <algorithm>
#include <utility>

#include "image/transfer.hpp"

namespace sfumato {
namespace {

PictureFormat in_floats(PictureFormat format, const PictureSize& size, const Coding& coding) {
  format.width = size.width;
  format.height = size.height;
  format.type = SampleType::f32;
  format.coding = coding;
  if (format.has_alpha()) format.alpha = AlphaKind::premultiplied;
  return format;
}

PictureSize size_of(const PictureFormat& format) {
  return {format.width, format.height};
}

}  // namespace

ResizingSink::ResizingSink(PixelSink& to, const PictureSize& size, ResizeFilter filter, bool dither,
                           Coding coding, std::function<bool()> cancelled)
    : to_(to),
      dither_(dither),
      cancelled_(std::move(cancelled)),
      format_(in_floats(to.format(), size, coding)),
      made_(in_floats(to.format(), size_of(to.format()), coding)),
      resampler_(size, size_of(made_), format_.channels, filter) {}

void ResizingSink::write(const HostView& pixels) {
  resampler_.add(
      static_cast<const float*>(pixels.row(pixels.region.y0)),
      pixels.row_stride / static_cast<std::ptrdiff_t>(sizeof(float)), pixels.region.height(),
      [this](int y0, int y1, const float* rows) { put(y0, y1, rows); }, parallel_);
}

void ResizingSink::put(int y0, int y1, const float* rows) {
  // An enlarged picture may be very large.
  if (cancelled_ && cancelled_()) throw Cancelled();
  const Rect region{0, y0, made_.width, y1};
  const auto stride = static_cast<std::ptrdiff_t>(made_.row_bytes());
  const PixelState state{made_.coding, made_.alpha};
  FloatView light{
      nullptr, {0, y0, made_.width, y1 - y0, made_.width, 0}, made_.channels == 1 ? 1 : 4};
  light_.resize(static_cast<std::size_t>(light.channels) * static_cast<std::size_t>(made_.width) *
                static_cast<std::size_t>(y1 - y0));
  light.data = light_.data();
  // One thread for what is done sooner than others would be started.
  static const ParallelRows alone({}, 1);
  constexpr std::size_t little = std::size_t{1} << 18;
  const ParallelRows& threads = light_.size() < little ? alone : parallel_;
  load_pixels({const_cast<float*>(rows), stride, region}, made_, light, state, threads);
  if (made_.has_alpha()) {
    // Filters overshoot; opacity does not.
    for (std::size_t at = 3; at < light_.size(); at += 4) {
      light_[at] = std::clamp(light_[at], 0.0f, 1.0f);
    }
  }
  const PictureFormat& format = to_.format();
  stored_.resize(format.row_bytes() * static_cast<std::size_t>(y1 - y0));
  const HostView out{stored_.data(), static_cast<std::ptrdiff_t>(format.row_bytes()), region};
  store_pixels(light, state, out, format, nullptr, nullptr, dither_, threads);
  to_.write(out);
}

HeldPicture resized(const HeldPicture& picture, const PictureSize& size, ResizeFilter filter) {
  constexpr int rows_at_once = 64;
  const PictureFormat& from = picture.format;
  HeldPicture out{from, {}};
  out.format.width = size.width;
  out.format.height = size.height;
  out.bytes.resize(out.format.bytes());
  MemorySink to(out.format, out.view());
  ResizingSink sink(to, size_of(from), filter, false);
  const PictureFormat& light = sink.format();
  const PixelState state{Coding::linear(), light.alpha};
  const int channels = from.channels == 1 ? 1 : 4;
  std::vector<char> band(light.row_bytes() * rows_at_once);
  std::vector<float> pixels(static_cast<std::size_t>(from.width) * rows_at_once *
                            static_cast<std::size_t>(channels));
  const ParallelRows parallel;
  for (int y = 0; y < from.height; y += rows_at_once) {
    const int rows = std::min(rows_at_once, from.height - y);
    HostView source = picture.view();
    source.data = source.row(y);
    source.region = {0, y, from.width, y + rows};
    const FloatView view{pixels.data(), {0, y, from.width, rows, from.width, 0}, channels};
    load_pixels(source, from, view, state, parallel);
    const HostView strip{band.data(), static_cast<std::ptrdiff_t>(light.row_bytes()),
                         source.region};
    store_pixels(view, state, strip, light, nullptr, nullptr, false, parallel);
    sink.write(strip);
  }
  return out;
}

std::unique_ptr<PixelSink> resizing_to(PixelSink& to, const PictureFormat& from,
                                       const WriteOptions& options) {
  const PictureSize size = size_of(from);
  if (!options.resizing || size == size_of(to.format())) return nullptr;
  const Coding averaged = options.resizing->stored ? from.coding : Coding::linear();
  return std::make_unique<ResizingSink>(to, size, options.resizing->filter, options.dither,
                                        averaged, options.cancelled);
}

}  // namespace sfumato
