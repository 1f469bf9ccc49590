// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Packing, transforming and unpacking.
#include "filters/shared/fourier/fourier.hpp"

#include <algorithm>

#include "device/fft.hpp"
#include "filters/shared/pixel_launch.hpp"

namespace sfumato {
namespace {

int pairs_of(int channels) {
  return channels == 4 ? 2 : 1;
}

// A side with large prime factors needs a longer transform (Bluestein's); this bounds how much
// longer its buffer is.
std::size_t stretch(int n) {
  return fft_is_direct(n) ? 1 : n < 128 ? 4 : 3;
}

// Mirrored rows or columns of an even frame.
struct Strip {
  int samples = 1, lines = 1;  ///< of the picture
  int period = 1, count = 1;   ///< of one mirrored line, and lines at once

  std::size_t bytes() const {
    return static_cast<std::size_t>(period) * static_cast<std::size_t>(count) * 8 *
           (2 + stretch(period));
  }
};

Strip strip_of(const FourierFrame& frame, bool along_x) {
  Strip s;
  s.samples = along_x ? frame.width : frame.height;
  s.lines = along_x ? frame.height : frame.width;
  s.period = along_x ? frame.period_x() : frame.period_y();
  // In multiples of four, so that pieces of transforms find equal sizes.
  const int most = frame.at_once / s.period;
  s.count = most < 4 ? std::max(1, most) : std::min(most / 4, (s.lines + 3) / 4) * 4;
  return s;
}

}  // namespace

FourierFrame fourier_frame(const Picture& picture, int halo_x, int halo_y) {
  return {.width = fft_size(picture.width + 2 * halo_x),
          .height = fft_size(picture.height + 2 * halo_y),
          .halo_x = halo_x,
          .halo_y = halo_y};
}

std::size_t fourier_bytes(const FourierFrame& frame, int channels) {
  const std::size_t data = frame.samples() * 8 * static_cast<std::size_t>(pairs_of(channels));
  if (frame.even) {
    return data + std::max(strip_of(frame, true).bytes(), strip_of(frame, false).bytes());
  }
  // The picture, what VkFFT may allocate, and what a new plan is checked with.
  return data * (2 + std::max(stretch(frame.width), stretch(frame.height)));
}

FourierNorms no_norms(const Picture& picture) {
  return {std::vector<float>(static_cast<std::size_t>(picture.width), 1.0f),
          std::vector<float>(static_cast<std::size_t>(picture.height), 1.0f)};
}

FourierImage::FourierImage(Passes& passes, const FourierFrame& frame, int channels)
    : passes_(passes),
      frame_(frame),
      channels_(channels),
      pairs_(pairs_of(channels)),
      data_(passes.buffer(frame.samples() * 8 * static_cast<std::size_t>(pairs_))),
      bad_(passes.buffer(sizeof(int))) {
  const int none = 0;
  passes.context().write(*bad_, &none, sizeof none);
}

Launch FourierImage::launch(const char* kernel, int width, int height) const {
  return pixel_launch(kernel, "-D PASS_FFT -D CHANNELS=" + std::to_string(channels_), width, height,
                      20);
}

void FourierImage::load(const DeviceImage& image, const Edge& edge) {
  passes_.launch(launch("fft_pack", frame_.width, frame_.height), image, image.plane, edge, data_,
                 frame_.width, frame_.height, frame_.halo_x, frame_.halo_y, bad_);
}

// The transform of an even function is even and equal to its inverse, so each axis is transformed
// in turn.
void FourierImage::transform_even(bool along_x) {
  const Strip s = strip_of(frame_, along_x);
  if (s.samples == 1) return;
  const auto mirrored =
      passes_.buffer(static_cast<std::size_t>(s.period) * static_cast<std::size_t>(s.count) * 8);
  const auto copy = [&](const char* kernel, int samples, int first, int pair) {
    passes_.launch(along_x ? launch(kernel, samples, s.count) : launch(kernel, s.count, samples),
                   data_, frame_.width, frame_.height, mirrored, s.period, s.count, first, pair,
                   along_x ? 1 : 0);
  };
  for (int pair = 0; pair < pairs_; ++pair) {
    for (int first = 0; first < s.lines; first += s.count) {
      copy("fft_unfold", s.period, first, pair);
      passes_.transform(*mirrored, s.period, 1, s.count, false);
      copy("fft_fold", s.samples, first, pair);
    }
  }
}

void FourierImage::transform(bool inverse) {
  if (frame_.even) {
    transform_even(true);
    transform_even(false);
    return;
  }
  passes_.transform(*data_, frame_.width, frame_.height, pairs_, inverse);
}

void FourierImage::store(const DeviceImage& out, const Edge& edge,
                         const FourierNorms& norms) const {
  const auto norm_x = passes_.table(norms.x), norm_y = passes_.table(norms.y);
  passes_.launch(launch("fft_unpack", out.plane.width, out.plane.height), data_, frame_.width,
                 frame_.height, frame_.halo_x, frame_.halo_y, edge, out, out.plane, norm_x, norm_y);
}

void FourierImage::tell_bad_samples() const {
  int any = 0;
  passes_.context().read(*bad_, &any, sizeof any);
  if (any == 0) return;
  passes_.warn(
      message({"filter.not_finite",
               "the picture has samples that are not finite numbers; they are read as 0"}));
}

}  // namespace sfumato
