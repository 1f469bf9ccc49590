// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// spectrum: the picture's Fourier transform as a picture. Source: ShaderX2, "Advanced Image
// Processing with DirectX 9 Pixel Shaders": H(u, v) = 1 / MN sum of h e^(-i 2 pi (ux/M + vy/N)),
// shown as 0.1 ln(1 + |H|) with H not divided by MN, frequency 0 in the middle.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "filters/filter.hpp"
#include "filters/shared/fourier/dft.hpp"
#include "filters/shared/fourier/fourier.hpp"
#include "filters/shared/pixel_launch.hpp"
#include "params/vocabulary.hpp"

namespace sfumato::filters {
namespace {

// As the kernel counts.
enum class Show : int { magnitude, phase, power, real, imaginary };

Show show_of(const Values& values) {
  constexpr std::array names = {"magnitude", "phase", "power", "real", "imaginary"};
  if (values.choice("show") == "complex") return Show::real;
  const auto* const found = std::find(names.begin(), names.end(), values.choice("show"));
  return static_cast<Show>(found - names.begin());
}

// The picture alone, whatever its size.
FourierFrame frame_for(const Picture& picture) {
  return {picture.width, picture.height, 0, 0};
}

// The index of frequency 0.
int shift_of(const Values& values, int n) {
  return values.get<bool>("centred") ? n / 2 : 0;
}

class PreparedSpectrum final : public PreparedFilter {
 public:
  PreparedSpectrum(const Values& values, const Picture& picture)
      : show_(show_of(values)),
        gain_(values.number("gain")),
        frame_(frame_for(picture)),
        shift_x_(shift_of(values, frame_.width)),
        shift_y_(shift_of(values, frame_.height)),
        channels_(picture.channels) {}

  Needs needs() const override {
    Needs needs;
    needs.whole_image = true;
    needs.scratch = fourier_bytes(frame_, channels_);
    needs.reference_work = transform_work(frame_.width, frame_.height) + 100;
    return needs;
  }

  void run(const TileJob& job, Passes& passes) const override {
    FourierImage image(passes, frame_, job.input.channels);
    image.load(job.input, job.edge);
    image.transform(false);
    const Launch launch = pixel_launch(
        "spectrum_show", "-D PASS_FFT -D CHANNELS=" + std::to_string(job.input.channels),
        job.output.plane.width, job.output.plane.height, 200);
    passes.launch(launch, image.data(), frame_.width, frame_.height, job.output, job.output.plane,
                  job.edge.x0, job.edge.y0, shift_x_, shift_y_, static_cast<int>(show_),
                  static_cast<float>(gain_));
    image.tell_bad_samples();
  }

  void reference(const ReferenceJob& job) const override {
    const int w = frame_.width, h = frame_.height, channels = job.input.channels;
    const auto width = static_cast<std::size_t>(w), height = static_cast<std::size_t>(h);
    const Rect out = job.output.plane.rect();
    for (int c = 0; c < std::min(channels, 3); ++c) {
      ComplexPlane plane(width * height);
      job.rows.run(0, h, [&](int y) {
        for (int x = 0; x < w; ++x) {
          const float v = job.input.at(job.edge.x0 + x, job.edge.y0 + y)[c];
          plane[static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x)] =
              std::isfinite(v) ? static_cast<double>(v) : 0.0;
        }
      });
      transform_plane(plane, w, h, false, job.rows);
      job.rows.run(out.y0, out.y1, [&](int y) {
        for (int x = out.x0; x < out.x1; ++x) {
          const int u = (x - job.edge.x0 + w - shift_x_) % w,
                    v = (y - job.edge.y0 + h - shift_y_) % h;
          job.output.at(x, y)[c] = static_cast<float>(
              shown(plane[static_cast<std::size_t>(v) * width + static_cast<std::size_t>(u)],
                    static_cast<double>(w) * h));
          if (channels == 4) job.output.at(x, y)[3] = 1;
        }
      });
    }
  }

 private:
  double shown(std::complex<double> value, double samples) const {
    const double size = std::abs(value);
    if (show_ == Show::magnitude) return gain_ * 0.1 * std::log1p(size);
    if (show_ == Show::real) return value.real() / std::sqrt(samples);
    if (show_ == Show::imaginary) return value.imag() / std::sqrt(samples);
    if (show_ == Show::power) return gain_ * (size / samples) * (size / samples);
    if (size <= 1e-6 * samples) return 0.5;
    if (std::abs(value.imag()) <= 1e-5 * size) return value.real() < 0 ? 1 : 0.5;
    return std::arg(value) / (2 * std::numbers::pi) + 0.5;
  }

  const Show show_;
  const double gain_;
  const FourierFrame frame_;
  const int shift_x_, shift_y_;
  const int channels_;
};

class Spectrum final : public Filter {
 public:
  const FilterInfo& info() const override { return info_; }

  bool gives_data(const Values&) const override { return true; }

  std::optional<ResultLayer> layer(const Values& values) const override {
    if (values.choice("show") != "complex") return std::nullopt;
    Values imaginary = values;
    imaginary.set("show", Choice("imaginary"));
    return ResultLayer{"imaginary", imaginary};
  }

  // Logarithms and angles amplify differences of small sums; power is small itself.
  double tolerance(const Values& values) const override {
    const double gain = std::max(1.0, values.number("gain"));
    const Show show = show_of(values);
    if (show == Show::real || show == Show::imaginary) return 1e-4;
    return show == Show::phase ? 2e-3 : 2e-4 * gain;
  }

  PreparedPtr prepare(const Values& values, const Picture& picture, const Target&) const override {
    return std::make_unique<PreparedSpectrum>(values, picture);
  }

 private:
  const FilterInfo info_{
      .id = "spectrum",
      .label = "Spectrum",
      .category = "Frequency",
      .summary = "Shows which frequencies the picture is made of.",
      .description =
          "The discrete Fourier transform of each channel, of the picture's own width and height. "
          "magnitude is 0.1 ln(1 + |H|), H being the plain sum; power is |H / MN|^2, whose sum is "
          "the mean of the squared samples; phase is the angle, half a turn to either side of 0.5. "
          "real and imaginary are the two parts of H / √(MN), which inverse_spectrum turns into "
          "the picture again; complex is the real part, and files hold the imaginary one beside "
          "it, OpenEXR as the layer imaginary, TIFF as the second page. "
          "centred puts frequency 0 into the middle, at half the width and height rounded down. "
          "Colours are weighed by alpha; the result is opaque.",
      .formula =
          "H(u, v) = Σ I(x, y) exp(−2πi (u x / M + v y / N)) over the M x N pixels,\n"
          "shown at (u + ⌊M / 2⌋, v + ⌊N / 2⌋), modulo M and N, if centred\n"
          "magnitude = gain · 0.1 ln(1 + |H|), power = gain · (|H| / (M N))²,\n"
          "phase = arg(H) / 2π + 0.5,\n"
          "real = Re H / √(M N), imaginary = Im H / √(M N)",
      .source = "ShaderX2, Advanced Image Processing with DirectX 9 Pixel Shaders",
      .version = 1,
      .parameters = with_common(
          "spectrum",
          {vocabulary("show").with_choices(
               {{"magnitude", "Magnitude", "how strong, on a logarithmic scale"},
                {"phase", "Phase", "how far along, as a fraction of a turn"},
                {"power", "Power", "the square of the magnitude, of samples' means"},
                {"real", "Real part", "of H / √(MN): what inverse_spectrum takes"},
                {"imaginary", "Imaginary part", "of H / √(MN): its role imaginary"},
                {"complex", "Both parts", "the real part; in files, with the imaginary one"}}),
           vocabulary("centred"), vocabulary("gain").visible_when("show = magnitude | power")},
          Light::display, false),
      .light = Light::display,
      .alpha = AlphaPreference::premultiplied,
      .preview = PreviewClass::full_scale_only};
};

}  // namespace

std::unique_ptr<Filter> make_spectrum() {
  return std::make_unique<Spectrum>();
}

}  // namespace sfumato::filters
