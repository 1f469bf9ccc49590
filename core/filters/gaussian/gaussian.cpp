// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// gaussian: weights exp(-i^2 / 2 sigma^2) sampled at whole pixels, normalised to sum 1. Sources:
// Practical Rendering and Computation with Direct3D 11, ch. 10 (direct, separable and shared
// forms); NVIDIA, Constant Time Gaussian Blur (2011), with the box of exact variance of Gwosdek et
// al. (2011); multirate after the idea of Rau and McClellan (1997).
#include <cmath>
#include <iterator>
#include <mutex>
#include <optional>

#include "filters/filter.hpp"
#include "filters/shared/fourier/fourier.hpp"
#include "filters/shared/gaussian/sizes.hpp"
#include "filters/shared/gaussian/step.hpp"
#include "filters/shared/run_plan.hpp"
#include "filters/shared/separable_convolution.hpp"
#include "params/errors.hpp"
#include "params/vocabulary.hpp"

namespace sfumato::filters {
namespace {

constexpr const char* method_names[] = {"auto",      "direct",   "separable",
                                        "symmetric", "bilinear", "boxes",
                                        "multirate", "fft",      "bilinear_float"};

GaussianMethod method_of(const Values& values) {
  const std::string& name = values.choice("method");
  for (int i = 0; i < static_cast<int>(std::size(method_names)); ++i) {
    if (name == method_names[i]) return static_cast<GaussianMethod>(i);
  }
  return GaussianMethod::automatic;
}

int iterations_of(const Values& values) {
  return static_cast<int>(values.get<std::int64_t>("iterations"));
}

GaussianRequest make_request(const Values& values, const Picture& picture, const Target& target) {
  GaussianRequest request = gaussian_request(picture, border_of(values), target);
  request.sigma = values.number("sigma");
  request.radius = static_cast<int>(values.get<std::int64_t>("radius"));
  request.method = method_of(values);
  request.iterations = iterations_of(values);
  request.sizes = gaussian_sizes(target);
  return request;
}

// One half of the kernel used by the reference and the transform, wide enough to be exact.
std::vector<double> exact_half(const Values& values) {
  const double sigma = values.number("sigma");
  const int radius = static_cast<int>(values.get<std::int64_t>("radius"));
  return gaussian_taps(sigma, radius != 0 ? radius : gaussian_reference_halo(sigma));
}

// `boxes` as one kernel: the box of exact variance, convolved with itself.
std::vector<double> boxes_half(double sigma, int iterations) {
  const double v = sigma * sigma / iterations;
  const int l = static_cast<int>(std::floor((std::sqrt(12 * v + 1) - 1) / 2));
  const double alpha = (2 * l + 1) * (l * (l + 1.0) - 3 * v) / (6 * (v - (l + 1.0) * (l + 1)));
  return box_taps(l, alpha, iterations);
}

std::vector<float> floats(const std::vector<double>& values, double factor) {
  std::vector<float> out;
  out.reserve(values.size());
  for (const double v : values) out.push_back(static_cast<float>(v * factor));
  return out;
}

std::vector<float> reciprocals(const std::vector<double>& values) {
  std::vector<float> out;
  out.reserve(values.size());
  for (const double v : values) out.push_back(static_cast<float>(1.0 / v));
  return out;
}

// Factors for the transform of a picture along either axis, and the divisors of a border that
// renormalises.
struct FftTables {
  std::vector<float> along_x, along_y;
  FourierNorms norms;
};

// By Fourier transforms of the whole picture.
class FourierGaussian final : public PreparedFilter {
 public:
  FourierGaussian(const FilterInfo& info, const Values& values, const Picture& picture)
      : info_(info),
        half_(exact_half(values)),
        border_(border_of(values)),
        picture_(picture),
        frame_(fourier_frame(picture, reach(), reach())) {}

  Needs needs() const override {
    Needs needs;
    needs.reference_work = 4.0 * static_cast<double>(half_.size());
    needs.whole_image = true;
    needs.scratch = fourier_bytes(frame_, picture_.channels);
    return needs;
  }

  void run(const TileJob& job, Passes& passes) const override {
    const FftTables& t = tables();
    FourierImage image(passes, frame_, picture_.channels);
    image.load(job.input, job.edge);
    image.transform(false);
    image.multiply("fft_multiply", passes.table(t.along_x), passes.table(t.along_y));
    image.transform(true);
    image.store(job.output, job.edge, t.norms);
    image.tell_bad_samples();
  }

  void reference(const ReferenceJob& job) const override { separable_reference(job, half_); }

  Message explain() const override {
    return message({"gaussian.fft", "{method}, the whole picture at once"},
                   named(info_, "method", "fft"));
  }

 private:
  int reach() const { return static_cast<int>(half_.size()) - 1; }

  // Computed at the first run: mere planning does not need them, and wide ones take a while.
  const FftTables& tables() const {
    std::call_once(once_, [this] {
      const double factor = 1.0 / static_cast<double>(frame_.samples());
      tables_.along_x = floats(transfer_function(half_, frame_.width), factor);
      tables_.along_y = floats(transfer_function(half_, frame_.height), 1.0);
      tables_.norms = border_ == Border::renormalise
                          ? FourierNorms{reciprocals(weight_inside(half_, 0, picture_.width)),
                                         reciprocals(weight_inside(half_, 0, picture_.height))}
                          : no_norms(picture_);
    });
    return tables_;
  }

  const FilterInfo& info_;
  const std::vector<double> half_;
  const Border border_;
  const Picture picture_;
  const FourierFrame frame_;
  mutable std::once_flag once_;
  mutable FftTables tables_;
};

// By sums in the spatial domain (every method except fft), and by definition.
class PreparedGaussian final : public PreparedFilter {
 public:
  PreparedGaussian(const FilterInfo& info, const Values& values, const Picture& picture,
                   const Target& target)
      : info_(info),
        channels_(picture.channels),
        half_(method_of(values) == GaussianMethod::boxes
                  ? boxes_half(values.number("sigma"), iterations_of(values))
                  : exact_half(values)),
        work_(4.0 * static_cast<double>(exact_half(values).size())) {
    if (target.reference) return;
    GaussianRequest request = make_request(values, picture, target);
    // auto is passed on as a named method: multirate then begins at sigma 4 in this filter, later
    // than for blurs inside other filters.
    const bool automatic = request.method == GaussianMethod::automatic;
    if (automatic) request.method = choose_gaussian(request).method;
    scheme_ = choose_gaussian(request);
    method_ = automatic ? scheme_->method : request.method;
    samples_ = method_ == GaussianMethod::bilinear && target.form == Form::gpu;
  }

  Needs needs() const override {
    Needs needs;
    needs.reference_work = work_;
    if (!scheme_) {
      needs.halo_x = needs.halo_y = static_cast<int>(half_.size()) - 1;
      needs.scratch_per_pixel = 8.0 * channels_;
      return needs;
    }
    // A fetch between two pixels may touch one pixel more than the taps.
    const bool fetches =
        method_ == GaussianMethod::bilinear || method_ == GaussianMethod::bilinear_float;
    needs.halo_x = needs.halo_y = scheme_->halo + (fetches ? 1 : 0);
    needs.scratch_per_pixel = scratch_per_pixel(*scheme_);
    needs.scratch_past_edges = method_ == GaussianMethod::boxes;
    return needs;
  }

  void run(const TileJob& job, Passes& passes) const override {
    // Planning is repeated for new slider values only, not for further frames.
    const auto plan = plans_.of(
        job, [&] { return plan_gaussian(*scheme_, job.input.plane, job.edge, job.output.plane); });
    const int side = 2 * scheme_->radius + 1;
    const int taps = scheme_->method == GaussianMethod::direct ? side * side : 2 * side + 8;
    // A software sampler costs about a hundred times its arithmetic.
    const bool sampled = scheme_->method == GaussianMethod::bilinear && passes.device().cpu &&
                         passes.form() == Form::gpu;
    run_pass_plan(*plan, job, passes, (sampled ? 200.0 : 2.0) * channels_ * taps);
  }

  void reference(const ReferenceJob& job) const override { separable_reference(job, half_); }

  Message explain() const override {
    if (!scheme_) return message({"gaussian.reference", "direct sums in float64"});
    const MessageValue method = named(info_, "method", method_names[static_cast<int>(method_)]);
    const int halo = scheme_->halo, taps = 2 * scheme_->radius + 1;
    if (method_ == GaussianMethod::boxes) {
      return message({"gaussian.boxes", "{method}, {passes} of {width} px, halo {halo} px"}, method,
                     scheme_->passes, 2 * scheme_->box_reach + 3, halo);
    }
    if (scheme_->decimation > 1) {
      return message({"gaussian.decimated", "{method}, decimated by {factor}, halo {halo} px"},
                     method, scheme_->decimation, halo);
    }
    if (method_ == GaussianMethod::bilinear && !samples_) {
      return message({"gaussian.no_sampler",
                      "{method} (fetches worked out, as there is no sampler), {taps} taps, halo "
                      "{halo} px"},
                     method, taps, halo);
    }
    return message({"gaussian.taps", "{method}, {taps} taps, halo {halo} px"}, method, taps, halo);
  }

 private:
  const FilterInfo& info_;
  const int channels_;
  const std::vector<double> half_;  // of the defining kernel, centre first
  const double work_;
  std::optional<GaussianScheme> scheme_;  // on a device
  GaussianMethod method_ = GaussianMethod::separable;
  bool samples_ = false;  // uses the device's sampler
  const TilePlans plans_;
};

class Gaussian final : public Filter {
 public:
  const FilterInfo& info() const override { return info_; }

  bool neutral(const Values& values) const override { return values.number("sigma") < least_sigma; }

  void check(const Values& values) const override {
    const auto radius = static_cast<double>(values.get<std::int64_t>("radius"));
    const double reach = radius != 0 ? radius : 4 * values.number("sigma");
    if (method_of(values) != GaussianMethod::direct || reach <= 32) return;
    refuse(info_, "method",
           message({"gaussian.large_direct",
                    "{method}: {direct} sums (2 radius + 1)^2 products per pixel and is limited to "
                    "sigma 8 (radius 32); use {separable}, which gives the same result"},
                   named(info_, "method"), named(info_, "method", "direct"),
                   named(info_, "method", "separable")));
  }

  bool takes_samples(const Values& values, StoredSamples samples,
                     const Target& target) const override {
    const GaussianMethod method = method_of(values);
    // On GPUs the conversion is free compared with the transfer; their kernels take plain samples
    // only.
    if (samples == StoredSamples::srgb && target.form != Form::cpu) return false;
    return method == GaussianMethod::automatic || method == GaussianMethod::separable ||
           method == GaussianMethod::symmetric || method == GaussianMethod::multirate;
  }

  double tolerance(const Values& values) const override {
    const GaussianMethod method = method_of(values);
    if (method == GaussianMethod::bilinear) return 4e-3;  // the sampler's 8-bit fractions
    const bool cut = values.get<std::int64_t>("radius") != 0;
    const bool exact = method == GaussianMethod::fft || method == GaussianMethod::boxes;
    return exact || cut ? 2e-5 : 1.5e-4;
  }

  double tiling_tolerance(const Values& values) const override {
    // The sampler's rounding depends on a pixel's position in its image.
    return method_of(values) == GaussianMethod::bilinear ? 2e-3 : 0;
  }

  PreparedPtr prepare(const Values& values, const Picture& picture,
                      const Target& target) const override {
    if (method_of(values) == GaussianMethod::fft && !target.reference) {
      return std::make_unique<FourierGaussian>(info_, values, picture);
    }
    return std::make_unique<PreparedGaussian>(info_, values, picture, target);
  }

 private:
  const FilterInfo info_{
      .id = "gaussian",
      .label = "Gaussian blur",
      .category = "Blur",
      .summary = "Blurs with a Gaussian of any width, at nearly the same speed.",
      .description =
          "Each pixel becomes the mean of its neighbours, weighted by exp(-d^2 / 2 sigma^2). auto "
          "is the fastest method whose error stays below 1.5e-4 of full scale.",
      .formula =
          "out(p) = Σ w(q − p) I(q) / Σ w(q − p)\n"
          "w(d) = exp(−|d|² / (2 sigma²)), all q with |d.x|, |d.y| ≤ r\n"
          "r = radius; where that is 0, as far as weights count (4 sigma or more)",
      .source =
          "Practical Rendering and Computation with Direct3D 11, ch. 10; NVIDIA, Constant "
          "Time Gaussian Blur (2011); Gwosdek et al., SSVM 2011; Rau and McClellan 1997",
      .version = 1,
      .parameters = with_common(
          "gaussian",
          {vocabulary("sigma").with_default(2.0),
           vocabulary("radius").with_default(0).with_help(
               "How far the kernel reaches; 0 takes in all weights that count, to 4 sigma or "
               "more."),
           vocabulary("method").with_choices(
               {{"auto", "Automatic", "the fastest whose error is at most 1.5e-4"},
                {"direct", "Direct", "the two-dimensional sum, for sigma up to 8"},
                {"separable", "Separable", "rows, then columns"},
                {"symmetric", "Symmetric",
                 "separable, each product used twice through local memory: half the products, but "
                 "three times the traffic and two barriers per weight, so it loses"},
                {"bilinear", "Bilinear",
                 "two taps per fetch from the device's sampler, error 1e-3"},
                {"boxes", "Boxes", "several boxes of exact variance; error to 0.05"},
                {"multirate", "Multirate", "shrink, blur, enlarge: the same cost at any sigma"},
                {"fft", "Fourier", "through the frequency domain; needs the whole picture"},
                {"bilinear_float", "Bilinear, computed",
                 "the same fetches in float: what bilinear differs by is the sampler's own "
                 "error"}}),
           vocabulary("iterations")
               .with_valid({1, 12})
               .with_help("How many boxes in a row stand in for the Gaussian.")
               .with_default(4)
               .visible_when("method = boxes")},
          Light::linear, true),
      .exact_method = "fft",
      .light = Light::linear,
      .alpha = AlphaPreference::premultiplied,
      .preview = PreviewClass::approximate,
      .plot = Plot::kernel,
      .tunables = gaussian_tunables()};
};

}  // namespace

std::unique_ptr<Filter> make_gaussian() {
  return std::make_unique<Gaussian>();
}

}  // namespace sfumato::filters
