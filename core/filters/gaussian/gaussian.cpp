// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// gaussian: weights exp(-i^2 / 2 sigma^2) sampled at whole pixels, normalised to sum 1.
// Sources: Practical Rendering and Computation with Direct3D 11, ch. 10 (direct, separable and
// shared forms); NVIDIA, Constant Time Gaussian Blur (2011), with the box of exact variance of
// Gwosdek et al. (2011); multirate after the idea of Rau and McClellan (1997).
#include <algorithm>
#include <cmath>

#include "filters/filter.hpp"
#include "filters/shared/fourier/fourier.hpp"
#include "filters/shared/gaussian/sizes.hpp"
#include "filters/shared/gaussian/step.hpp"
#include "filters/shared/run_plan.hpp"
#include "filters/shared/separable_convolution.hpp"
#include "params/errors.hpp"
#include "params/text.hpp"
#include "params/vocabulary.hpp"

namespace sfumato::filters {
namespace {

constexpr const char* method_names[] = {"auto",     "direct", "separable", "symmetric",
                                        "bilinear", "boxes",  "multirate", "fft"};

GaussianMethod method_of(const Values& values) {
  const std::string& name = values.choice("method");
  for (int i = 0; i < 8; ++i) {
    if (name == method_names[i]) return static_cast<GaussianMethod>(i);
  }
  return GaussianMethod::automatic;
}

GaussianScheme scheme_for(const Values& values, const Picture& picture, const Target& target) {
  GaussianAsk ask;
  ask.sigma = values.number("sigma");
  ask.radius = static_cast<int>(values.get<std::int64_t>("radius"));
  ask.method = method_of(values);
  ask.iterations = static_cast<int>(values.get<std::int64_t>("iterations"));
  ask.border = border_of(values);
  ask.picture = {0, 0, picture.width, picture.height};
  ask.channels = picture.channels;
  if (picture.codes != Codes::none) {
    ask.source = ask.result = picture.codes_packed3 ? PixelCode::u8_packed3 : PixelCode::u8;
    ask.srgb_codes = picture.codes == Codes::srgb;
  }
  ask.device = plan_device(target);
  ask.sizes = gaussian_sizes(target);
  return choose_gaussian(ask);
}

// The whole kernel's half that the reference, and the transform, use: wide enough to be exact.
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
                    "{method}: {direct} sums (2 radius + 1)^2 products a pixel and is offered to "
                    "sigma 8 (radius 32); use {separable}, which gives the same"},
                   named(info_, "method"), named(info_, "method", "direct"),
                   named(info_, "method", "separable")));
  }

  Values resolve(const Values& values, const Picture& picture,
                 const Target& target) const override {
    if (method_of(values) != GaussianMethod::automatic || target.reference) return values;
    const GaussianScheme scheme = scheme_for(values, picture, target);
    Values resolved = values;
    resolved.set("method", Choice(method_names[static_cast<int>(scheme.method)]));
    return resolved;
  }

  bool takes_codes(const Values& values, Codes codes, const Target& target) const override {
    const GaussianMethod method = method_of(values);
    // On GPUs a conversion is free beside the transfer; their kernels take plain codes only.
    if (codes == Codes::srgb && target.form != Form::cpu) return false;
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
    // The sampler's rounding depends on where a pixel lies in its image.
    return method_of(values) == GaussianMethod::bilinear ? 2e-3 : 0;
  }

  Needs needs(const Values& values, const Picture& picture, const Target& target) const override {
    Needs needs;
    needs.reference_work = 4.0 * static_cast<double>(exact_half(values).size());
    if (target.reference) {
      needs.halo_x = needs.halo_y = static_cast<int>(reference_half(values).size()) - 1;
      needs.scratch_per_pixel = 8.0 * picture.channels;
      return needs;
    }
    if (method_of(values) == GaussianMethod::fft) {
      needs.whole_image = true;
      needs.scratch = fourier_bytes(fft_frame(values, picture), picture.channels);
      return needs;
    }
    const GaussianScheme scheme = scheme_for(values, picture, target);
    // A fetch between two pixels may touch one more than the taps do.
    needs.halo_x = needs.halo_y =
        scheme.halo + (method_of(values) == GaussianMethod::bilinear ? 1 : 0);
    needs.scratch_per_pixel = scratch_per_pixel(scheme);
    return needs;
  }

  void run(const TileJob& job, Passes& passes) const override {
    if (method_of(job.values) == GaussianMethod::fft) {
      run_fft(job, passes);
    } else {
      run_plan(job, passes);
    }
  }

  void reference(const ReferenceJob& job) const override {
    separable_reference(job, reference_half(job.values));
  }

  std::string explain(const Values& values, const Picture& picture,
                      const Target& target) const override {
    const GaussianMethod method = method_of(values);
    if (target.reference) return "direct sums in float64";
    std::string text = method_names[static_cast<int>(method)];
    if (method == GaussianMethod::fft) return text + ", the whole picture at once";
    if (method == GaussianMethod::bilinear && target.form == Form::cpu) {
      text += " (fetches worked out, as there is no sampler)";
    }
    const GaussianScheme scheme = scheme_for(values, picture, target);
    if (method == GaussianMethod::boxes) {
      text += ", " + std::to_string(scheme.passes) + " of " +
              std::to_string(2 * scheme.box_reach + 3) + " px";
    } else if (scheme.decimation > 1) {
      text += ", decimated by " + std::to_string(scheme.decimation);
    } else {
      text += ", " + std::to_string(2 * scheme.radius + 1) + " taps";
    }
    return text + ", halo " + std::to_string(scheme.halo) + " px";
  }

 private:
  static std::vector<double> reference_half(const Values& values) {
    if (method_of(values) != GaussianMethod::boxes) return exact_half(values);
    return boxes_half(values.number("sigma"),
                      static_cast<int>(values.get<std::int64_t>("iterations")));
  }

  // Everything that a plan depends on.
  static std::string plan_key(const TileJob& job) {
    std::string key = "gaussian";
    for (const char* name : {"sigma", "radius", "iterations"}) {
      key += ' ' + print_number(job.values.number(name));
    }
    key += ' ' + job.values.choice("method") + ' ' + job.values.choice("border");
    const auto add = [&key](const auto&... numbers) {
      ((key += ' ' + std::to_string(numbers)), ...);
    };
    for (const Plane& p : {job.input.plane, job.output.plane}) {
      add(p.x, p.y, p.width, p.height, p.stride, p.offset);
    }
    const Edge& e = job.edge;
    const Picture& p = job.picture;
    add(e.x0, e.y0, e.x1, e.y1, e.rule, p.width, p.height, p.channels, static_cast<int>(p.codes),
        static_cast<int>(p.codes_packed3));
    for (const Tunable& size : gaussian_tunables()) {
      if (size.otherwise(job.target.form) != 0) {
        add(job.target.tuned("gaussian", gaussian_tunables(), size.name));
      }
    }
    return key;
  }

  static void run_plan(const TileJob& job, Passes& passes) {
    // A new slider value costs a plan; the next frame with it does not.
    struct Prepared {
      GaussianScheme scheme;
      PassPlan plan;
    };
    const auto prepared = passes.context().remembered<Prepared>(plan_key(job), [&] {
      Prepared made{scheme_for(job.values, job.picture, job.target), {}};
      made.plan = plan_gaussian(made.scheme, job.input.plane, job.edge, job.output.plane);
      return made;
    });
    const GaussianScheme& scheme = prepared->scheme;
    const PassPlan& plan = prepared->plan;
    const int taps = scheme.method == GaussianMethod::direct
                         ? (2 * scheme.radius + 1) * (2 * scheme.radius + 1)
                         : 2 * (2 * scheme.radius + 1) + 8;
    // A sampler in software costs some hundred times its arithmetic.
    const bool sampled = scheme.method == GaussianMethod::bilinear && passes.device().cpu &&
                         passes.form() == Form::gpu;
    run_pass_plan(plan, job, passes, (sampled ? 200.0 : 2.0) * job.picture.channels * taps);
  }

  static std::vector<float> floats(const std::vector<double>& values, double factor) {
    std::vector<float> out;
    out.reserve(values.size());
    for (const double v : values) out.push_back(static_cast<float>(v * factor));
    return out;
  }

  // What a transform of a picture is multiplied by, along either axis, and what a border that
  // renormalises divides by.
  struct FftTables {
    FourierFrame frame;
    std::vector<float> along_x, along_y;
    FourierNorms norms;
  };

  static FourierFrame fft_frame(const Values& values, const Picture& picture) {
    const int reach = static_cast<int>(exact_half(values).size()) - 1;
    return fourier_frame(picture, reach, reach);
  }

  static FftTables fft_tables(const TileJob& job) {
    const std::vector<double> half = exact_half(job.values);
    FftTables tables{fft_frame(job.values, job.picture), {}, {}, no_norms(job.picture)};
    const FourierFrame& frame = tables.frame;
    const double factor = 1.0 / static_cast<double>(frame.samples());
    tables.along_x = floats(transfer_function(half, frame.width), factor);
    tables.along_y = floats(transfer_function(half, frame.height), 1.0);
    if (job.edge.border() == Border::renormalise) {
      tables.norms = {reciprocals(weight_inside(half, job.edge.x0, job.edge.x1)),
                      reciprocals(weight_inside(half, job.edge.y0, job.edge.y1))};
    }
    return tables;
  }

  static void run_fft(const TileJob& job, Passes& passes) {
    const auto tables =
        passes.context().remembered<FftTables>(plan_key(job), [&job] { return fft_tables(job); });
    FourierImage image(passes, tables->frame, job.picture.channels);
    image.load(job.input, job.edge);
    image.transform(false);
    image.multiply("fft_multiply", passes.table(tables->along_x), passes.table(tables->along_y));
    image.transform(true);
    image.store(job.output, job.edge, tables->norms);
    image.tell_bad_samples("gaussian by fft");
  }

  static std::vector<float> reciprocals(const std::vector<double>& values) {
    std::vector<float> out;
    out.reserve(values.size());
    for (const double v : values) out.push_back(static_cast<float>(1.0 / v));
    return out;
  }

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
                {"symmetric", "Symmetric", "separable, mirrored samples added first"},
                {"bilinear", "Bilinear",
                 "two taps per fetch from the device's sampler, error 1e-3"},
                {"boxes", "Boxes", "several boxes of exact variance; error to 0.05"},
                {"multirate", "Multirate", "shrink, blur, enlarge: the same cost at any sigma"},
                {"fft", "Fourier", "through the frequency domain; needs the whole picture"}}),
           vocabulary("iterations")
               .with_valid({1, 5})
               .with_help("How many boxes in a row stand in for the Gaussian.")
               .with_default(4)
               .visible_when("method = boxes")},
          Light::linear, true),
      .exact_method = "fft",
      .roles = {},
      .light = Light::linear,
      .alpha = AlphaWish::premultiplied,
      .preview = PreviewClass::approximate,
      .tunables = gaussian_tunables()};
};

}  // namespace

std::unique_ptr<Filter> make_gaussian() {
  return std::make_unique<Gaussian>();
}

}  // namespace sfumato::filters
