// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Packing, transforming and unpacking.
#include "filters/support/fourier.hpp"

#include "gpu/fft.hpp"

namespace sfumato {
namespace {

int pairs_of(int channels) {
  return channels == 4 ? 2 : 1;
}

}  // namespace

FourierFrame fourier_frame(const Picture& picture, int halo_x, int halo_y) {
  return {fft_size(picture.width + 2 * halo_x), fft_size(picture.height + 2 * halo_y), halo_x,
          halo_y};
}

std::size_t fourier_bytes(const FourierFrame& frame, int channels) {
  // Twice: VkFFT may ask for a buffer of the same size.
  return frame.samples() * 8 * static_cast<std::size_t>(pairs_of(channels)) * 2;
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
  Launch launch;
  launch.kernel = kernel;
  launch.options = "-D PASS_FFT -D CHANNELS=" + std::to_string(channels_);
  launch.local = {64, 1};
  launch.global = {static_cast<std::size_t>(width), static_cast<std::size_t>(height)};
  launch.work = 20;
  return launch;
}

void FourierImage::load(const DeviceImage& image, const Edge& edge) {
  passes_.launch(launch("fft_pack", frame_.width, frame_.height), image, image.plane, edge, data_,
                 frame_.width, frame_.height, frame_.halo_x, frame_.halo_y, bad_);
}

void FourierImage::transform(bool inverse) {
  passes_.transform(*data_, frame_.width, frame_.height, pairs_, inverse);
}

void FourierImage::store(const DeviceImage& out, const Edge& edge,
                         const FourierNorms& norms) const {
  const auto norm_x = passes_.table(norms.x), norm_y = passes_.table(norms.y);
  passes_.launch(launch("fft_unpack", out.plane.width, out.plane.height), data_, frame_.width,
                 frame_.height, frame_.halo_x, frame_.halo_y, edge, out, out.plane, norm_x, norm_y);
}

void FourierImage::tell_bad_samples(const std::string& who) const {
  int any = 0;
  passes_.context().read(*bad_, &any, sizeof any);
  if (any == 0) return;
  passes_.warn("the picture has samples that are not finite numbers; " + who + " reads them as 0");
}

}  // namespace sfumato
