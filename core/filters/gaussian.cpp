// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// gaussian: weights exp(-i^2 / 2 sigma^2) sampled at whole pixels, normalised to sum 1.
// Sources: Practical Rendering and Computation with Direct3D 11, ch. 10 (direct, separable and
// shared forms); NVIDIA, Constant Time Gaussian Blur (2011), with the box of exact variance of
// Gwosdek et al. (2011); multirate after the idea of Rau and McClellan (1997).
#include <algorithm>
#include <cmath>

#include "filters/filter.hpp"
#include "filters/support/gaussian_plan.hpp"
#include "filters/support/run_plan.hpp"
#include "filters/support/separable.hpp"
#include "gpu/fft.hpp"
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
  return choose_gaussian(ask);
}

// The whole kernel's half that the reference, and the transform, use: wide enough to be exact.
std::vector<double> exact_half(const Values& values) {
  const double sigma = values.number("sigma");
  const int radius = static_cast<int>(values.get<std::int64_t>("radius"));
  return gaussian_taps(sigma, radius != 0 ? radius : static_cast<int>(std::ceil(6 * sigma)) + 1);
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

  bool neutral(const Values& values) const override { return values.number("sigma") == 0.0; }

  void check(const Values& values) const override {
    const auto radius = static_cast<double>(values.get<std::int64_t>("radius"));
    const double reach = radius != 0 ? radius : 4 * values.number("sigma");
    if (method_of(values) != GaussianMethod::direct || reach <= 32) return;
    throw ParameterError(ParameterError::Reason::not_allowed, "method",
                         "method: direct sums (2 radius + 1)^2 products a pixel and is offered to "
                         "sigma 8 (radius 32); use separable, which gives the same",
                         "gaussian");
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
      const FftFrame frame = fft_frame(values, picture);
      needs.whole_image = true;
      needs.scratch = static_cast<std::size_t>(frame.width) *
                      static_cast<std::size_t>(frame.height) * 8 * (picture.channels == 4 ? 4 : 2);
      return needs;
    }
    const GaussianScheme scheme = scheme_for(values, picture, target);
    // A fetch between two pixels may touch one more than the taps do.
    needs.halo_x = needs.halo_y =
        scheme.halo + (method_of(values) == GaussianMethod::bilinear ? 1 : 0);
    // Scratch is what a plan for the picture asks for, per pixel of it.
    const int side = 2 * scheme.halo + 256;
    const Plane in{0, 0, side, side, side, 0};
    const Plane out{scheme.halo, scheme.halo, 256, 256, 256, 0};
    const PassPlan plan = plan_gaussian(scheme, in, Edge(in.rect(), Border::clamp), out);
    needs.scratch_per_pixel =
        static_cast<double>(scratch_bytes(plan)) / (static_cast<double>(side) * side);
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

  struct FftFrame {
    std::vector<double> half;
    int halo = 0, width = 0, height = 0;
  };

  static FftFrame fft_frame(const Values& values, const Picture& picture) {
    FftFrame frame;
    frame.half = exact_half(values);
    frame.halo = static_cast<int>(frame.half.size()) - 1;
    frame.width = fft_size(picture.width + 2 * frame.halo);
    frame.height = fft_size(picture.height + 2 * frame.halo);
    return frame;
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
    FftFrame frame;
    std::vector<float> along_x, along_y, norm_x, norm_y;
  };

  static FftTables fft_tables(const TileJob& job) {
    FftTables tables{fft_frame(job.values, job.picture), {}, {}, {}, {}};
    const FftFrame& frame = tables.frame;
    const double factor = 1.0 / (static_cast<double>(frame.width) * frame.height);
    tables.along_x = floats(transfer_function(frame.half, frame.width), factor);
    tables.along_y = floats(transfer_function(frame.half, frame.height), 1.0);
    tables.norm_x.assign(static_cast<std::size_t>(job.picture.width), 1.0f);
    tables.norm_y.assign(static_cast<std::size_t>(job.picture.height), 1.0f);
    if (job.edge.border() == Border::renormalise) {
      tables.norm_x = reciprocals(weight_inside(frame.half, job.edge.x0, job.edge.x1));
      tables.norm_y = reciprocals(weight_inside(frame.half, job.edge.y0, job.edge.y1));
    }
    return tables;
  }

  static void run_fft(const TileJob& job, Passes& passes) {
    const auto tables =
        passes.context().remembered<FftTables>(plan_key(job), [&job] { return fft_tables(job); });
    const FftFrame& frame = tables->frame;
    const auto along_x = passes.table(tables->along_x), along_y = passes.table(tables->along_y);
    const auto norm_x = passes.table(tables->norm_x), norm_y = passes.table(tables->norm_y);
    const int w = frame.width, h = frame.height;
    const int channels = job.picture.channels;
    const int pairs = channels == 4 ? 2 : 1;
    const std::size_t samples =
        static_cast<std::size_t>(w) * static_cast<std::size_t>(h) * static_cast<std::size_t>(pairs);
    const auto data = passes.buffer(samples * 8);
    const auto bad = passes.buffer(sizeof(int));
    int any_bad = 0;
    passes.context().write(*bad, &any_bad, sizeof any_bad);

    Launch launch;
    launch.options = "-D PASS_FFT -D CHANNELS=" + std::to_string(channels);
    launch.local = {64, 1};
    launch.global = {static_cast<std::size_t>(w), static_cast<std::size_t>(h)};
    launch.work = 20;
    launch.kernel = "fft_pack";
    passes.launch(launch, job.input, job.input.plane, job.edge, data, w, h, frame.halo, frame.halo,
                  bad);
    passes.transform(*data, w, h, pairs, false);
    launch.kernel = "fft_multiply";
    passes.launch(launch, data, w, h, along_x, along_y);
    passes.transform(*data, w, h, pairs, true);

    launch.kernel = "fft_unpack";
    launch.global = {static_cast<std::size_t>(job.output.plane.width),
                     static_cast<std::size_t>(job.output.plane.height)};
    passes.launch(launch, data, w, h, frame.halo, frame.halo, job.edge, job.output,
                  job.output.plane, norm_x, norm_y);
    passes.context().read(*bad, &any_bad, sizeof any_bad);
    if (any_bad != 0) {
      passes.warn(
          "the picture has samples that are not finite numbers; gaussian by fft reads them "
          "as 0");
    }
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
      .summary = "Blurs by a Gaussian of any width, at nearly the same speed for all.",
      .description =
          "Each pixel becomes the mean of its neighbours, weighted by exp(-d^2 / 2 sigma^2). A "
          "radius of 0 takes in all that counts (4 sigma and more); another radius cuts the kernel "
          "there. auto is the fastest method whose error stays below 1.5e-4 of full scale.",
      .source =
          "Practical Rendering and Computation with Direct3D 11, ch. 10; NVIDIA, Constant "
          "Time Gaussian Blur (2011); Gwosdek et al., SSVM 2011; Rau and McClellan 1997",
      .version = 1,
      .parameters = with_common(
          "gaussian",
          {vocabulary("sigma").with_default(2.0), vocabulary("radius").with_default(0),
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
               .with_default(4)
               .visible_when("method = boxes")},
          Light::linear, true),
      .exact_method = "fft",
      .roles = {},
      .light = Light::linear,
      .alpha = AlphaWish::premultiplied,
      .preview = PreviewClass::approximate};
};

}  // namespace

std::unique_ptr<Filter> make_gaussian() {
  return std::make_unique<Gaussian>();
}

}  // namespace sfumato::filters
