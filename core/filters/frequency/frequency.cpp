// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// frequency: weights the picture's frequencies by their distance from 0. Sources: ShaderX2,
// "Advanced Image Processing with DirectX 9 Pixel Shaders"; Gonzalez and Woods, Digital Image
// Processing, ch. 4 (ideal, Butterworth and Gaussian filters); Butterworth, On the Theory of Filter
// Amplifiers, 1930.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "filters/filter.hpp"
#include "filters/shared/fourier/dft.hpp"
#include "filters/shared/fourier/fourier.hpp"
#include "filters/shared/pixel_launch.hpp"
#include "params/errors.hpp"
#include "params/vocabulary.hpp"

namespace sfumato::filters {
namespace {

enum class Shape : int { ideal, butterworth, gaussian };
enum class Band : int { low, high, pass, stop };

// Distances within rounding of each other count as equal.
constexpr double slack = 1 + 1e-6;

struct Response {
  Shape shape = Shape::butterworth;
  Band band = Band::low;
  double cutoff = 0.25, cutoff_high = 0.5;  ///< fractions of the highest frequency
  double order = 2;

  double low(double d2, double c) const {
    if (shape == Shape::ideal) return d2 <= c * c * slack ? 1 : 0;
    if (shape == Shape::gaussian) return std::exp(-0.5 * d2 / (c * c));
    return 1 / (1 + std::pow(d2 / (c * c), order));
  }

  /// The gain at a frequency whose squared distance from 0 is d2.
  double at(double d2) const {
    const double first = low(d2, cutoff);
    if (band == Band::low) return first;
    if (band == Band::high) return 1 - first;
    const double passed = low(d2, cutoff_high) * (1 - first);
    return band == Band::pass ? passed : 1 - passed;
  }
};

Response response_of(const Values& values) {
  const auto index = [&](const char* name, std::initializer_list<const char*> names) {
    int i = 0;
    for (const char* n : names) {
      if (values.choice(name) == n) return i;
      ++i;
    }
    return 0;
  };
  Response r;
  r.shape = static_cast<Shape>(index("shape", {"ideal", "butterworth", "gaussian"}));
  r.band = static_cast<Band>(index("band", {"low", "high", "band_pass", "band_stop"}));
  r.cutoff = values.number("cutoff");
  r.cutoff_high = values.number("cutoff_high");
  r.order = values.number("order");
  return r;
}

// Slope of the response of one cutoff at the highest frequency along an axis.
double slope_at_end(const Response& r, double cutoff) {
  if (r.shape == Shape::gaussian) return std::exp(-0.5 / (cutoff * cutoff)) / (cutoff * cutoff);
  const double x = std::pow(1 / cutoff, 2 * r.order);
  return 2 * r.order * x / ((1 + x) * (1 + x));
}

// The distance, in px, at which a pixel's spread falls below a tenth of the tolerance. A response
// decays as its bell or its poles do. If it is steep at the highest frequency, its periodic
// extension has a kink, whose ripple decays only as slope / distance^2 (summed over the finest
// texture, measured: 0.06 slope / distance).
double reach_of(const Response& r) {
  constexpr double left = 13.8, ripple = 0.06 / 5e-6;
  const double falloff =
      r.shape == Shape::gaussian ? 2.0 : std::sin(std::numbers::pi / (2 * std::max(1.0, r.order)));
  double slope = slope_at_end(r, r.cutoff);
  if (r.band == Band::pass || r.band == Band::stop) slope += slope_at_end(r, r.cutoff_high);
  return std::max({16.0, left / (std::numbers::pi * r.cutoff * falloff), ripple * slope});
}

// A repeating picture, plain or mirrored, transformed over one period: exact.
FourierFrame period_of(const Picture& picture, Border border) {
  return {.width = picture.width, .height = picture.height, .even = border == Border::mirror};
}

// A frame wide enough that everything within reach is the border's own continuation, at most until
// the picture itself would repeat.
FourierFrame padded(const Picture& picture, int reach) {
  return fourier_frame(picture, std::min(reach, (picture.width + 1) / 2),
                       std::min(reach, (picture.height + 1) / 2));
}

// The frame of the definition.
FourierFrame frame_for(const Values& values, const Picture& picture) {
  const Border border = border_of(values);
  if (border == Border::wrap || border == Border::mirror) return period_of(picture, border);
  return padded(picture, std::max(16, static_cast<int>(std::ceil(8 / values.number("cutoff")))));
}

// The frame on a device. Periods of pictures rarely have small prime factors. If the filter's reach
// is small compared with the picture, a padded frame is several times faster with the same result.
FourierFrame frame_on(const Target& target, const Values& values, const Picture& picture) {
  FourierFrame frame = frame_for(values, picture);
  const Border border = border_of(values);
  if (target.reference || (border != Border::wrap && border != Border::mirror)) return frame;
  const Response r = response_of(values);
  const double reach = reach_of(r);
  if (r.shape != Shape::ideal && 2 * reach <= std::min(picture.width, picture.height)) {
    return padded(picture, static_cast<int>(std::ceil(reach)));
  }
  if (target.form == Form::gpu) {
    frame.at_once = static_cast<int>(
        std::clamp<std::size_t>(target.global_memory / 512, std::size_t{1} << 20, 1 << 24));
  }
  return frame;
}

// The squared distances from 0 of the first `count` frequencies along one axis of that period, as
// fractions of the highest.
std::vector<float> distances(int count, int period) {
  std::vector<float> out;
  for (int u = 0; u < count; ++u) {
    const double d = 2.0 * std::min(u, period - u) / period;
    out.push_back(static_cast<float>(d * d));
  }
  return out;
}

class PreparedFrequency final : public PreparedFilter {
 public:
  PreparedFrequency(const Values& values, const Picture& picture, const Target& target)
      : response_(response_of(values)),
        border_(border_of(values)),
        offset_(values.number("offset")),
        on_reference_(target.reference),
        picture_(picture),
        frame_(frame_on(target, values, picture)),
        along_x_(distances(frame_.width, frame_.period_x())),
        along_y_(distances(frame_.height, frame_.period_y())) {}

  Needs needs() const override {
    Needs needs;
    needs.whole_image = true;
    needs.scratch = on_reference_ ? reference_bytes() : fourier_bytes(frame_, picture_.channels);
    needs.reference_work = 2 * transform_work(frame_.period_x(), frame_.period_y());
    return needs;
  }

  void run(const TileJob& job, Passes& passes) const override {
    const Response& r = response_;
    const FourierFrame& frame = frame_;
    FourierImage image(passes, frame, job.input.channels);
    image.load(job.input, job.edge);
    image.transform(false);
    const auto square = [](double c, double more) { return static_cast<float>(c * c * more); };
    const double more = r.shape == Shape::ideal ? slack : 1;
    image.multiply("frequency_weigh", passes.table(along_x_), passes.table(along_y_),
                   static_cast<int>(r.shape), static_cast<int>(r.band), square(r.cutoff, more),
                   square(r.cutoff_high, more), static_cast<float>(r.order),
                   static_cast<float>(1.0 / frame.factor()));
    image.transform(true);
    const Launch launch = pixel_launch(
        "frequency_store", "-D PASS_FFT -D CHANNELS=" + std::to_string(job.input.channels),
        job.output.plane.width, job.output.plane.height, 20);
    passes.launch(launch, image.data(), frame.width, frame.height, frame.halo_x, frame.halo_y,
                  job.edge, job.input, job.input.plane, job.output, job.output.plane,
                  static_cast<float>(r.at(0)), static_cast<float>(offset_),
                  picture_.has_alpha ? 1 : 0);
    image.tell_bad_samples();
  }

  void reference(const ReferenceJob& job) const override {
    const int channels = job.input.channels;
    // The channels, followed by the coverage of the picture.
    std::vector<ComplexPlane> planes;
    for (int c = 0; c < channels; ++c) planes.push_back(filtered_plane(job, c));
    if (job.edge.border() == Border::renormalise) planes.push_back(filtered_plane(job, channels));
    const Rect out = job.output.plane.rect();
    job.rows.run(out.y0, out.y1, [&](int y) {
      for (int x = out.x0; x < out.x1; ++x) store_pixel(job, planes, x, y);
    });
  }

  Message explain() const override {
    char period[32];
    std::snprintf(period, sizeof period, "%.3g", 2 / response_.cutoff);
    return message(
        {"frequency.cuts", "cuts at a period of {period} px, transforms of {width} x {height}"},
        period, frame_.period_x(), frame_.period_y());
  }

 private:
  static double finite(float v) { return std::isfinite(v) ? static_cast<double>(v) : 0.0; }

  // The index of a pixel of the picture in a plane.
  std::size_t place(const Edge& edge, int x, int y) const {
    return static_cast<std::size_t>(y - edge.y0 + frame_.halo_y) *
               static_cast<std::size_t>(frame_.width) +
           static_cast<std::size_t>(x - edge.x0 + frame_.halo_x);
  }

  // A channel, or after the last one the coverage (1 inside the picture), filtered by the response.
  ComplexPlane filtered_plane(const ReferenceJob& job, int channel) const {
    const Sampler source(job.input, job.edge);
    ComplexPlane plane(frame_.samples());
    const auto width = static_cast<std::size_t>(frame_.width);
    job.rows.run(0, frame_.height, [&](int j) {
      for (int i = 0; i < frame_.width; ++i) {
        const float* sample =
            source.at(job.edge.x0 + i - frame_.halo_x, job.edge.y0 + j - frame_.halo_y);
        if (sample == nullptr) continue;
        plane[static_cast<std::size_t>(j) * width + static_cast<std::size_t>(i)] =
            channel < job.input.channels ? finite(sample[channel]) : 1.0;
      }
    });
    transform(plane, frame_, false, job.rows);
    for (std::size_t k = 0; k < plane.size(); ++k) {
      const auto squared = static_cast<double>(along_x_[k % width] + along_y_[k / width]);
      plane[k] *= response_.at(squared) / frame_.factor();
    }
    transform(plane, frame_, true, job.rows);
    return plane;
  }

  void store_pixel(const ReferenceJob& job, const std::vector<ComplexPlane>& planes, int x,
                   int y) const {
    const int channels = job.input.channels;
    const std::size_t at = place(job.edge, x, y);
    const float* own = job.input.at(x, y);
    float* to = job.output.at(x, y);
    const double whole = response_.at(0);
    const double alpha = channels == 4 ? finite(own[3]) : 1;
    for (int c = 0; c < std::min(channels, 3); ++c) {
      double v = planes[static_cast<std::size_t>(c)][at].real();
      if (picture_.has_alpha) {
        v = alpha * v + finite(own[c]) * (whole - planes[3][at].real());
      } else if (job.edge.border() == Border::renormalise) {
        const double inside = planes[static_cast<std::size_t>(channels)][at].real();
        const bool enough = inside * whole > 0 && std::abs(inside) * 8 >= std::abs(whole);
        if (enough) v *= whole / inside;
      }
      to[c] = static_cast<float>(v + offset_ * alpha);
    }
    if (channels == 4) to[3] = static_cast<float>(alpha);
  }

  static void transform(ComplexPlane& plane, const FourierFrame& frame, bool inverse,
                        ParallelRows& rows) {
    if (frame.even) {
      transform_even_plane(plane, frame.width, frame.height, rows);
    } else {
      transform_plane(plane, frame.width, frame.height, inverse, rows);
    }
  }

  // A plane for each channel, and one for the coverage.
  std::size_t reference_bytes() const {
    const int planes = picture_.channels + (border_ == Border::renormalise ? 1 : 0);
    return static_cast<std::size_t>(planes) * frame_.samples() * sizeof(ComplexPlane::value_type);
  }

  const Response response_;
  const Border border_;
  const double offset_;
  const bool on_reference_;
  const Picture picture_;
  const FourierFrame frame_;
  const std::vector<float> along_x_, along_y_;  // squared distances of the frequencies
};

class Frequency final : public FilterOf<PreparedFrequency> {
 public:
  const FilterInfo& info() const override { return info_; }

  void check(const Values& values) const override {
    const Response r = response_of(values);
    if (r.band == Band::low || r.band == Band::high || r.cutoff < r.cutoff_high) return;
    refuse(info_, "cutoff_high",
           message({"frequency.empty_band",
                    "{cutoff_high}: it must be above {cutoff}, where the band begins"},
                   named(info_, "cutoff_high"), named(info_, "cutoff")));
  }

  // For sums of this many terms; even an 8K picture stays within it.
  double tolerance(const Values& values) const override {
    return values.choice("border") == "renormalise" ? 4e-4 : 5e-5;
  }

 private:
  const FilterInfo info_{
      .id = "frequency",
      .label = "Frequency filter",
      .category = "Frequency",
      .summary = "Keeps or removes fine or coarse detail by its frequency.",
      .description =
          "The picture is split into waves; those up to cutoff (low), above it (high), between "
          "cutoff and cutoff_high (band_pass) or outside them (band_stop) are kept. 1 is the "
          "highest frequency, a period of 2 px; a cutoff c is a period of 2 / c px. ideal cuts "
          "sharply and rings, butterworth falls as 1 / (1 + (D / c)^2n), gaussian as exp(-D^2 / 2 "
          "c^2). Alpha is kept; what is transparent counts as the pixel itself. offset is added, "
          "which makes results without frequency 0 visible. With border wrap the picture is one "
          "period of what is transformed, with mirror half a period each way, and the cut is "
          "exact; other borders pad it.",
      .formula =
          "out = inverse transform of T(D) times the transform of I, plus offset\n"
          "D = 2 √((u / M)² + (v / N)²)\n"
          "T(D) = L(cutoff) for low, 1 − L(cutoff) for high,\n"
          "B = L(cutoff_high) · (1 − L(cutoff)) for band_pass, 1 − B for band_stop\n"
          "L(c) = 1 where D ≤ c, else 0, for ideal,\n"
          "1 / (1 + (D / c)^(2 order)) for butterworth,\n"
          "exp(−D² / (2 c²)) for gaussian",
      .source =
          "ShaderX2, Advanced Image Processing with DirectX 9 Pixel Shaders; Gonzalez and Woods, "
          "Digital Image Processing, ch. 4",
      .version = 2,
      .parameters =
          with_common("frequency",
                      {vocabulary("shape").with_choices(
                           {{"butterworth", "Butterworth", "falls off smoothly, by order"},
                            {"gaussian", "Gaussian", "falls off like a bell: never rings"},
                            {"ideal", "Ideal", "cuts sharply, and rings"}}),
                       vocabulary("band").with_choices(
                           {{"low", "Low-pass", "coarse forms"},
                            {"high", "High-pass", "fine detail"},
                            {"band_pass", "Band-pass", "what lies between"},
                            {"band_stop", "Band-stop", "all but what lies between"}}),
                       vocabulary("cutoff").with_valid({1e-4, 10}),
                       vocabulary("cutoff_high")
                           .with_valid({1e-4, 10})
                           .visible_when("band = band_pass | band_stop"),
                       vocabulary("order").visible_when("shape = butterworth"),
                       vocabulary("offset"), vocabulary("border").with_default("mirror")},
                      Light::display, true),
      .light = Light::display,
      .alpha = AlphaPreference::premultiplied,
      .preview = PreviewClass::approximate,
      .plot = Plot::response};
};

}  // namespace

std::unique_ptr<Filter> make_frequency() {
  return std::make_unique<Frequency>();
}

}  // namespace sfumato::filters
