// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// inverse_spectrum: the picture whose Fourier transform is given as two pictures. Source: ShaderX2,
// "Advanced Image Processing with DirectX 9 Pixel Shaders": h(x, y) = sum of H e^(i 2 pi (ux/M +
// vy/N)).
#include <cmath>

#include "filters/filter.hpp"
#include "filters/shared/fourier/dft.hpp"
#include "filters/shared/fourier/fourier.hpp"
#include "filters/shared/pixel_launch.hpp"
#include "params/vocabulary.hpp"

namespace sfumato::filters {
namespace {

double known(float value) {
  return std::isfinite(value) ? static_cast<double>(value) : 0.0;
}

class PreparedInverse final : public PreparedFilter {
 public:
  PreparedInverse(const Values& values, const Picture& picture)
      : frame_{picture.width, picture.height, 0, 0},
        shift_x_(values.get<bool>("centred") ? picture.width / 2 : 0),
        shift_y_(values.get<bool>("centred") ? picture.height / 2 : 0),
        channels_(picture.channels) {}

  Needs needs() const override {
    Needs needs;
    needs.whole_image = true;
    needs.scratch = fourier_bytes(frame_, channels_);
    needs.reference_work = transform_work(frame_.width, frame_.height) + 100;
    return needs;
  }

  void run(const TileJob& job, Passes& passes) const override {
    const DeviceImage& imaginary = job.roles.find("imaginary")->second;
    FourierImage image(passes, frame_, job.input.channels);
    image.load(job.input, job.edge);  // finds samples that are no numbers
    image.multiply("inverse_spectrum_lay", job.input, job.input.plane, imaginary, imaginary.plane,
                   job.edge.x0, job.edge.y0, shift_x_, shift_y_);
    image.transform(true);
    const Launch launch = pixel_launch(
        "inverse_spectrum_store", "-D PASS_FFT -D CHANNELS=" + std::to_string(job.input.channels),
        job.output.plane.width, job.output.plane.height, 20);
    passes.launch(launch, image.data(), frame_.width, frame_.height, job.output, job.output.plane,
                  job.edge.x0, job.edge.y0, static_cast<float>(factor()));
    image.tell_bad_samples();
  }

  void reference(const ReferenceJob& job) const override {
    const int w = frame_.width, h = frame_.height, channels = job.input.channels;
    const FloatView& imaginary = job.roles.find("imaginary")->second;
    const Rect out = job.output.plane.rect();
    for (int c = 0; c < std::min(channels, 3); ++c) {
      ComplexPlane plane = hermitian_spectrum(job, imaginary, c);
      transform_plane(plane, w, h, true, job.rows);
      job.rows.run(out.y0, out.y1, [&](int y) {
        for (int x = out.x0; x < out.x1; ++x) {
          const auto row = static_cast<std::size_t>(y - job.edge.y0) * static_cast<std::size_t>(w);
          job.output.at(x, y)[c] = static_cast<float>(
              factor() * plane[row + static_cast<std::size_t>(x - job.edge.x0)].real());
          if (channels == 4) job.output.at(x, y)[3] = 1;
        }
      });
    }
  }

 private:
  // The sample of the shifted spectrum at the frequency (u, v), which counts modulo its size.
  std::complex<double> frequency(const ReferenceJob& job, const FloatView& imaginary, int u, int v,
                                 int c) const {
    const int x = job.edge.x0 + (u % frame_.width + shift_x_) % frame_.width;
    const int y = job.edge.y0 + (v % frame_.height + shift_y_) % frame_.height;
    return {known(job.input.at(x, y)[c]), known(imaginary.at(x, y)[c])};
  }

  // The part of one channel's spectrum that a real picture has: half the sum of each frequency and
  // the conjugate of its opposite.
  ComplexPlane hermitian_spectrum(const ReferenceJob& job, const FloatView& imaginary,
                                  int c) const {
    const int w = frame_.width, h = frame_.height;
    ComplexPlane plane(frame_.samples());
    job.rows.run(0, h, [&](int v) {
      const std::size_t row = static_cast<std::size_t>(v) * static_cast<std::size_t>(w);
      for (int u = 0; u < w; ++u) {
        plane[row + static_cast<std::size_t>(u)] =
            0.5 * (frequency(job, imaginary, u, v, c) +
                   std::conj(frequency(job, imaginary, w - u, h - v, c)));
      }
    });
    return plane;
  }

  double factor() const { return 1 / std::sqrt(static_cast<double>(frame_.samples())); }

  const FourierFrame frame_;
  const int shift_x_, shift_y_;
  const int channels_;
};

class InverseSpectrum final : public Filter {
 public:
  const FilterInfo& info() const override { return info_; }

  bool takes_data(const Values&) const override { return true; }

  // Of any numbers from 0 to 1, whose picture has a very bright pixel.
  double tolerance(const Values&) const override { return 5e-4; }

  PreparedPtr prepare(const Values& values, const Picture& picture, const Target&) const override {
    return std::make_unique<PreparedInverse>(values, picture);
  }

 private:
  const FilterInfo info_{
      .id = "inverse_spectrum",
      .label = "Picture from spectrum",
      .category = "Frequency",
      .summary = "Makes the picture whose spectrum is given.",
      .description =
          "The input is the real part of a spectrum, and the role imaginary its imaginary part: "
          "two float files as `spectrum --show real` and `--show imaginary` write them, or the one "
          "that `--show complex` writes, whose imaginary part is taken if no other is given. They "
          "may have been edited in between. "
          "light is that of the spectrum. What is not symmetric, as an edit may leave it, is made "
          "so: each frequency and its opposite become the mean of the one and the other's "
          "conjugate. The result is opaque.",
      .formula =
          "I(x, y) = Re Σ H(u, v) exp(2πi (u x / M + v y / N)) / √(M N),\n"
          "the sum over the M x N frequencies; H(u, v) is at\n"
          "(u + ⌊M / 2⌋, v + ⌊N / 2⌋), modulo M and N, if centred",
      .source = "ShaderX2, Advanced Image Processing with DirectX 9 Pixel Shaders",
      .version = 1,
      .parameters =
          with_common("inverse_spectrum", {vocabulary("imaginary"), vocabulary("centred")},
                      Light::display, false),
      .roles = {{.parameter = "imaginary", .channels = 4, .data = true, .required = true}},
      .light = Light::display,
      .alpha = AlphaPreference::premultiplied,
      .preview = PreviewClass::full_scale_only};
};

}  // namespace

std::unique_ptr<Filter> make_inverse_spectrum() {
  return std::make_unique<InverseSpectrum>();
}

}  // namespace sfumato::filters
