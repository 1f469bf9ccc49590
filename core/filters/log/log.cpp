// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// log: Laplacian of Gaussian, the second derivative of the blurred picture, and its zero crossings.
// Sources: Marr and Hildreth, Theory of Edge Detection, 1980; ShaderX2, "Advanced Image Processing
// with DirectX 9 Pixel Shaders", which applies 17 x 17 weights in the frequency domain.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "filters/filter.hpp"
#include "filters/shared/convolution/convolving_filter.hpp"
#include "filters/shared/pixel_launch.hpp"
#include "params/vocabulary.hpp"

namespace sfumato::filters {
namespace {

int radius_of(const Values& values) {
  const int radius = static_cast<int>(values.get<std::int64_t>("radius"));
  return radius != 0 ? radius
                     : std::max(1, static_cast<int>(std::ceil(4 * values.number("sigma"))));
}

bool shows_crossings(const Values& values) {
  return values.choice("show") == "zero_crossings";
}

// One-dimensional profiles of a Gaussian and its second derivative. For a normalised response both
// are multiplied by sigma, hence their products by sigma^2: edges then respond equally at every
// sigma.
struct Profiles {
  std::vector<double> blur, curved;
};
Profiles profiles_of(const Values& values) {
  const double sigma = values.number("sigma"), s2 = sigma * sigma;
  const double scale = values.get<bool>("scale_normalised") ? sigma : 1;
  constexpr double root_two_pi = 2.5066282746310002;
  Profiles p;
  for (int x = -radius_of(values); x <= radius_of(values); ++x) {
    const double d2 = static_cast<double>(x) * x;
    p.blur.push_back(scale * std::exp(-d2 / (2 * s2)) / (root_two_pi * sigma));
    p.curved.push_back(p.blur.back() * (d2 - s2) / (s2 * s2));
  }
  return p;
}

// The Laplacian of exp(-r^2 / 2 sigma^2) / (2 pi sigma^2) at whole pixels. Truncation and sampling
// leave a mean, which is removed so that a flat picture gives 0.
void set_weights(ConvolutionRequest& request, const Profiles& p) {
  const std::size_t side = p.blur.size();
  const auto count = static_cast<double>(side * side);
  double mean = 0;
  for (const double a : p.curved) {
    for (const double b : p.blur) mean += 2 * a * b / count;
  }
  request.matrix = {static_cast<int>(side), static_cast<int>(side), {}};
  for (std::size_t y = 0; y < side; ++y) {
    for (std::size_t x = 0; x < side; ++x) {
      request.matrix.values.push_back(p.curved[y] * p.blur[x] + p.blur[y] * p.curved[x] - mean);
    }
  }
  // The same as products of columns and rows.
  request.factors.columns = {p.curved, p.blur, std::vector<double>(side, -mean)};
  request.factors.rows = {p.blur, p.curved, std::vector<double>(side, 1.0)};
}

ConvolutionRequest make_request(const Values& values) {
  ConvolutionRequest request;
  set_weights(request, profiles_of(values));
  request.gray = values.get<bool>("grayscale");
  request.gray_weights = {0.299f, 0.587f, 0.114f, 0};
  request.method = values.choice("method");
  if (shows_crossings(values)) return request;
  request.scale = values.number("gain");
  request.offset = values.number("offset");
  return request;
}

// The wider the response, the less it changes from one pixel to the next.
float threshold_of(const Values& values) {
  const bool normalised = values.get<bool>("scale_normalised");
  return static_cast<float>(values.number("threshold") /
                            (normalised ? values.number("sigma") : 1.0));
}

// Zero crossings of the response.
class ZeroCrossings final : public PreparedFilter {
 public:
  // Rounding errors around 0, for samples of at most 1, must not count as signs.
  ZeroCrossings(Convolution response, float threshold)
      : response_(std::move(response)),
        threshold_(threshold),
        noise_(static_cast<float>(convolution_tolerance(response_.request, false) / 10)) {}

  Needs needs() const override {
    Needs needs = convolution_needs(response_);
    needs.halo_x += 1;
    needs.halo_y += 1;
    needs.scratch_per_pixel += 4.0 * response_.picture.channels;
    return needs;
  }

  void run(const TileJob& job, Passes& passes) const override {
    const Rect reach = with_neighbours(job.output.plane, job.edge);
    TileJob response = job;
    response.output = passes.scratch(reach, job.input.channels);
    run_convolution(response_, response, passes);
    const Launch launch = pixel_launch(
        "zero_crossings", "-D PASS_CROSSINGS -D CHANNELS=" + std::to_string(job.input.channels),
        job.output.plane.width, job.output.plane.height, 12);
    passes.launch(launch, response.output, response.output.plane, job.edge, job.output,
                  job.output.plane, threshold_, noise_, reach.x1 - 1, reach.y1 - 1);
  }

  void reference(const ReferenceJob& job) const override {
    const Rect reach = with_neighbours(job.output.plane, job.edge);
    const int channels = job.input.channels;
    std::vector<float> values(static_cast<std::size_t>(reach.area()) *
                              static_cast<std::size_t>(channels));
    const FloatView response{values.data(),
                             {reach.x0, reach.y0, reach.width(), reach.height(), reach.width(), 0},
                             channels};
    convolution_reference(response_, {job.input, job.edge, response, job.roles, job.rows});
    const auto crosses = [this](float a, float b) {
      return (a < -noise_) != (b < -noise_) && std::abs(a - b) > threshold_ && std::isfinite(a - b);
    };
    const Rect out = job.output.plane.rect();
    job.rows.run(out.y0, out.y1, [&](int y) {
      for (int x = out.x0; x < out.x1; ++x) {
        const float* a = response.at(x, y);
        const float* b = response.at(std::min(x + 1, reach.x1 - 1), y);
        const float* c = response.at(x, std::min(y + 1, reach.y1 - 1));
        float* to = job.output.at(x, y);
        const float alpha = channels == 4 ? a[3] : 1;
        for (int i = 0; i < std::min(channels, 3); ++i) {
          to[i] = crosses(a[i], b[i]) || crosses(a[i], c[i]) ? alpha : 0;
        }
        if (channels == 4) to[3] = alpha;
      }
    });
  }

  Message explain() const override { return explain_convolution(response_); }

 private:
  // The tile, plus the column and row after it if the picture has them.
  static Rect with_neighbours(const Plane& out, const Edge& edge) {
    const Rect r = out.rect();
    return {r.x0, r.y0, std::min(r.x1 + 1, edge.x1), std::min(r.y1 + 1, edge.y1)};
  }

  const Convolution response_;
  const float threshold_, noise_;
};

class LaplacianOfGaussian final : public Filter {
 public:
  const FilterInfo& info() const override { return info_; }

  bool gives_data(const Values& values) const override { return shows_crossings(values); }

  double tolerance(const Values& values) const override {
    return convolution_tolerance(make_request(values), false);
  }

  PreparedPtr prepare(const Values& values, const Picture& picture,
                      const Target& target) const override {
    Convolution response = choose_convolution(make_request(values), picture, target);
    if (!shows_crossings(values)) {
      return std::make_unique<PreparedConvolution>(std::move(response));
    }
    return std::make_unique<ZeroCrossings>(std::move(response), threshold_of(values));
  }

  Migration migration(int from) const override {
    if (from != 1) return {};
    return [](nlohmann::ordered_json& values) {  // the choice did not exist yet
      if (!values.contains("scale_normalised")) values["scale_normalised"] = false;
    };
  }

 private:
  const FilterInfo info_{
      .id = "log",
      .label = "Laplacian of Gaussian",
      .category = "Edges",
      .summary = "Shows lines and edges of one size: the second derivative of the blurred picture.",
      .description =
          "Each pixel becomes the Laplacian of the picture blurred by sigma: negative on bright "
          "spots and lines of that size, positive on dark ones, 0 on edges. scale_normalised "
          "multiplies it by sigma squared, and thresholds divide by sigma: what is seen then "
          "depends on the picture, not on sigma. The response is multiplied by gain, added to "
          "offset and stored as a picture; for the numbers as they are, use light stored. "
          "zero_crossings are 1 where it changes its sign by more than threshold, from one finite "
          "number to another. A radius of 8 gives the 17 x 17 weights of the source.",
      .formula =
          "response(p) = gain · Σ L(q − p) I(q) + offset,\n"
          "q.x and q.y within r of p; r = radius, or ⌈4 sigma⌉ where radius is 0\n"
          "L(d) = (|d|² − 2 sigma²) / (2π sigma⁶) · exp(−|d|² / (2 sigma²))\n"
          "less its mean, times sigma² if scale_normalised;\n"
          "I turned gray first if grayscale",
      .source =
          "Marr and Hildreth, Theory of Edge Detection, 1980; ShaderX2, Advanced Image Processing "
          "with DirectX 9 Pixel Shaders; Lindeberg, Feature Detection with Automatic Scale "
          "Selection, 1998",
      .version = 2,
      .parameters = with_common(
          "log",
          {vocabulary("sigma")
               .with_default(1.4)
               .with_valid({0.3, 60})
               .with_slider({0.3, 20})
               .with_help("Standard deviation of the Gaussian whose Laplacian is taken."),
           vocabulary("radius")
               .with_default(0)
               .with_help("Half-width of the window; 0 stands for 4 sigma, rounded up.")
               .with_valid({0, 250}),
           vocabulary("show").with_choices(
               {{"response", "Response", "the Laplacian"},
                {"zero_crossings", "Zero crossings", "where it changes its sign"}}),
           Parameter::boolean(
               "scale_normalised", "Scale-normalised",
               "Multiply by sigma squared, so that spots and edges respond alike at every sigma.",
               true),
           vocabulary("gain").visible_when("show = response"),
           vocabulary("offset").with_default(0.5).visible_when("show = response"),
           vocabulary("threshold")
               .with_default(0.02)
               .with_valid({0, 100})
               .with_slider({0, 0.2})
               .with_help("By how much the response must change where it changes its sign.")
               .visible_when("show = zero_crossings"),
           vocabulary("grayscale").with_default(true), convolution_method_word()},
          Light::display, true),
      .exact_method = "direct",
      .light = Light::display,
      .alpha = AlphaPreference::premultiplied,
      .preview = PreviewClass::full_scale_only,
      .plot = Plot::kernel};
};

}  // namespace

std::unique_ptr<Filter> make_log() {
  return std::make_unique<LaplacianOfGaussian>();
}

}  // namespace sfumato::filters
