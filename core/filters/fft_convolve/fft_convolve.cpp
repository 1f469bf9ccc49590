// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// fft_convolve: convolution with a picture of the blur, of any size and shape. Sources: Goodman,
// Introduction to Fourier Optics (the point spread function); Stockham, High-Speed Convolution and
// Correlation, 1966.
#include <algorithm>
#include <array>
#include <cmath>

#include "filters/filter.hpp"
#include "filters/shared/fourier/dft.hpp"
#include "filters/shared/fourier/fourier.hpp"
#include "filters/shared/pixel_launch.hpp"
#include "params/errors.hpp"
#include "params/vocabulary.hpp"

namespace sfumato::filters {
namespace {

FourierFrame frame_for(int kernel_width, int kernel_height, const Picture& picture) {
  return fourier_frame(picture, kernel_width / 2 + 1, kernel_height / 2 + 1);
}

float finite(float v) {
  return std::isfinite(v) ? v : 0.0f;
}

// Factors that normalise the colours of the kernel, given as pixels of four floats.
std::array<float, 4> normalising(const FilterInfo& info, const float* pixels, const Plane& plane) {
  std::array<double, 3> sum{};
  for (int y = 0; y < plane.height; ++y) {
    for (int x = 0; x < plane.width; ++x) {
      const float* p = pixels + plane.index(plane.x + x, plane.y + y) * 4;
      for (std::size_t c = 0; c < 3; ++c) {
        sum[c] += static_cast<double>(finite(p[c])) * static_cast<double>(finite(p[3]));
      }
    }
  }
  std::array<float, 4> factors{1, 1, 1, 1};
  for (std::size_t c = 0; c < 3; ++c) {
    if (!(std::abs(sum[c]) > 1e-12)) {
      refuse(info, "kernel",
             message({"fft_convolve.sum_of_0",
                      "{kernel}: the picture sums to 0 in a channel, so it cannot be normalised; "
                      "give one that is not black, or switch {normalise} off"},
                     named(info, "kernel"), named(info, "normalise")));
    }
    factors[c] = static_cast<float>(1 / sum[c]);
  }
  return factors;
}

// The kernel for one channel of a picture, its centre at index 0. Alpha, and a gray picture, use
// the mean of the kernel's colours.
ComplexPlane laid_kernel(const FloatView& kernel, const std::array<float, 4>& factors,
                         const FourierFrame& frame, std::size_t channel, int channels) {
  const Plane& k = kernel.plane;
  ComplexPlane plane(frame.samples());
  for (int y = 0; y < k.height; ++y) {
    for (int x = 0; x < k.width; ++x) {
      const float* p = kernel.at(k.x + x, k.y + y);
      double v[4] = {};
      for (std::size_t i = 0; i < 3; ++i) {
        v[i] = static_cast<double>(finite(p[i])) * static_cast<double>(finite(p[3])) *
               static_cast<double>(factors[i]);
        v[3] += v[i] / 3;
      }
      const int i = (x - k.width / 2 + frame.width) % frame.width;
      const int j = (y - k.height / 2 + frame.height) % frame.height;
      plane[static_cast<std::size_t>(j) * static_cast<std::size_t>(frame.width) +
            static_cast<std::size_t>(i)] = channels == 4 ? v[channel] : v[3];
    }
  }
  return plane;
}

// Anything that depends on the kernel's pixels is computed once they are available, in the only
// tile.
class PreparedFftConvolve final : public PreparedFilter {
 public:
  PreparedFftConvolve(const FilterInfo& info, const Values& values, const Picture& picture)
      : info_(info),
        normalises_(values.get<bool>("normalise")),
        border_(border_of(values)),
        picture_(picture) {}

  Needs needs() const override {
    const bool known = picture_.kernel_width > 0;
    const FourierFrame frame =
        frame_for(known ? picture_.kernel_width : picture_.width,
                  known ? picture_.kernel_height : picture_.height, picture_);
    Needs needs;
    needs.whole_image = true;
    const int planes = border_ == Border::renormalise ? 3 : 2;
    needs.scratch = fourier_bytes(frame, picture_.channels) * static_cast<std::size_t>(planes);
    needs.reference_work = planes * transform_work(frame.width, frame.height) + 20;
    return needs;
  }

  void run(const TileJob& job, Passes& passes) const override {
    const DeviceImage& kernel = job.roles.find("kernel")->second;
    const Plane& k = kernel.plane;
    const int channels = job.input.channels;
    const FourierFrame frame = frame_for(k.width, k.height, picture_);
    std::vector<float> pixels(
        (static_cast<std::size_t>(k.stride) * static_cast<std::size_t>(k.height) +
         static_cast<std::size_t>(k.offset)) *
        4);
    passes.context().read(*kernel.buffer, pixels.data(), pixels.size() * sizeof(float));
    const std::array<float, 4> f = factors_of(pixels.data(), k);
    const cl_float4 factors{{f[0], f[1], f[2], f[3]}};
    const float factor = static_cast<float>(1.0 / static_cast<double>(frame.samples()));

    FourierImage image(passes, frame, channels), blur(passes, frame, channels);
    blur.multiply("fft_lay_kernel", kernel, k, factors);
    blur.transform(false);
    image.load(job.input, job.edge);
    image.transform(false);
    image.multiply("fft_multiply_pairs", blur.data(), factor);
    image.transform(true);
    const bool renormalises = job.edge.border() == Border::renormalise;
    std::shared_ptr<DeviceMemory> inside = image.data();
    if (renormalises) {
      FourierImage indicator(passes, frame, channels);
      indicator.multiply("fft_lay_indicator", frame.halo_x, frame.halo_y, picture_.width,
                         picture_.height);
      indicator.transform(false);
      indicator.multiply("fft_multiply_pairs", blur.data(), factor);
      indicator.transform(true);
      inside = indicator.data();
    }
    const Launch launch =
        pixel_launch("fft_store", "-D PASS_FFT -D CHANNELS=" + std::to_string(channels),
                     job.output.plane.width, job.output.plane.height, 20);
    passes.launch(launch, image.data(), frame.width, frame.height, frame.halo_x, frame.halo_y,
                  job.edge, job.output, job.output.plane, inside, renormalises ? 1 : 0,
                  picture_.has_alpha ? 0 : 1);
    image.tell_bad_samples();
  }

  void reference(const ReferenceJob& job) const override {
    const FloatView& kernel = job.roles.find("kernel")->second;
    const FourierFrame frame = frame_for(kernel.plane.width, kernel.plane.height, picture_);
    const std::array<float, 4> factors = factors_of(kernel.data, kernel.plane);
    for (int c = 0; c < job.input.channels; ++c) {
      store_channel(job, frame, convolved_channel(job, frame, kernel, factors, c), c);
    }
    if (!picture_.has_alpha || job.input.channels != 4) return;
    const Rect out = job.output.plane.rect();
    job.rows.run(out.y0, out.y1, [&](int y) {  // rounding must not create opacity
      for (int x = out.x0; x < out.x1; ++x) {
        float* pixel = job.output.at(x, y);
        if (std::abs(pixel[3]) < 1e-6f) std::fill_n(pixel, 4, 0.0f);
      }
    });
  }

 private:
  // The samples are the real part, coverage by the picture the imaginary part: the kernel is real.
  static ComplexPlane convolved_channel(const ReferenceJob& job, const FourierFrame& frame,
                                        const FloatView& kernel,
                                        const std::array<float, 4>& factors, int c) {
    const Sampler source(job.input, job.edge);
    const auto width = static_cast<std::size_t>(frame.width);
    ComplexPlane picture(frame.samples());
    ComplexPlane blur =
        laid_kernel(kernel, factors, frame, static_cast<std::size_t>(c), job.input.channels);
    transform_plane(blur, frame.width, frame.height, false, job.rows);
    job.rows.run(0, frame.height, [&](int j) {
      for (int i = 0; i < frame.width; ++i) {
        const float* sample =
            source.at(job.edge.x0 + i - frame.halo_x, job.edge.y0 + j - frame.halo_y);
        if (sample == nullptr) continue;
        picture[static_cast<std::size_t>(j) * width + static_cast<std::size_t>(i)] = {
            static_cast<double>(finite(sample[c])), 1.0};
      }
    });
    transform_plane(picture, frame.width, frame.height, false, job.rows);
    for (std::size_t i = 0; i < picture.size(); ++i) {
      picture[i] *= blur[i] / static_cast<double>(frame.samples());
    }
    transform_plane(picture, frame.width, frame.height, true, job.rows);
    return picture;
  }

  void store_channel(const ReferenceJob& job, const FourierFrame& frame,
                     const ComplexPlane& convolved, int c) const {
    const bool renormalises = job.edge.border() == Border::renormalise;
    const bool opaque = c == 3 && !picture_.has_alpha;
    const Rect out = job.output.plane.rect();
    job.rows.run(out.y0, out.y1, [&](int y) {
      const auto row = static_cast<std::size_t>(y - job.edge.y0 + frame.halo_y) *
                       static_cast<std::size_t>(frame.width);
      for (int x = out.x0; x < out.x1; ++x) {
        const std::complex<double> v =
            convolved[row + static_cast<std::size_t>(x - job.edge.x0 + frame.halo_x)];
        const bool divide = renormalises && std::abs(v.imag()) > 0.001;
        const double value = divide ? v.real() / v.imag() : v.real();
        job.output.at(x, y)[c] = opaque ? 1.0f : static_cast<float>(value);
      }
    });
  }

  std::array<float, 4> factors_of(const float* pixels, const Plane& plane) const {
    return normalises_ ? normalising(info_, pixels, plane) : std::array<float, 4>{1, 1, 1, 1};
  }

  const FilterInfo& info_;  // lives as long as the program
  const bool normalises_;
  const Border border_;
  const Picture picture_;
};

class FftConvolve final : public Filter {
 public:
  const FilterInfo& info() const override { return info_; }

  // For sums of many terms; larger where the divisor is close to 0.
  double tolerance(const Values& values) const override {
    return border_of(values) == Border::renormalise ? 1e-3 : 5e-5;
  }

  PreparedPtr prepare(const Values& values, const Picture& picture, const Target&) const override {
    return std::make_unique<PreparedFftConvolve>(info_, values, picture);
  }

 private:
  const FilterInfo info_{
      .id = "fft_convolve",
      .label = "Convolve with a picture",
      .category = "Frequency",
      .summary = "Blurs by a picture of the blur: the image of a single bright point.",
      .description =
          "Every point of light is spread as the kernel picture shows: a disc or a polygon for an "
          "open iris, a streak for a moving camera. The kernel may be of any size; its middle is "
          "at half its width and height rounded down. normalise (the default) divides each of its "
          "channels by its sum, so that brightness stays; a coloured kernel blurs each colour by "
          "its own channel, and alpha by their mean.",
      .formula =
          "out(p) = Σ K(q) I(p − q + c) / Σ K(q),\n"
          "K the kernel's colours times its alpha,\n"
          "c = (⌊width / 2⌋, ⌊height / 2⌋); not divided unless normalise",
      .source =
          "Goodman, Introduction to Fourier Optics; Stockham, High-Speed Convolution and "
          "Correlation, 1966",
      .version = 1,
      .parameters = with_common("fft_convolve",
                                {vocabulary("kernel"), vocabulary("normalise").with_default(true)},
                                Light::linear, true),
      .roles = {{.parameter = "kernel",
                 .channels = 4,
                 .data = false,
                 .required = true,
                 .aligned = false}},
      .light = Light::linear,
      .alpha = AlphaPreference::premultiplied,
      .preview = PreviewClass::full_scale_only};
};

}  // namespace

std::unique_ptr<Filter> make_fft_convolve() {
  return std::make_unique<FftConvolve>();
}

}  // namespace sfumato::filters
