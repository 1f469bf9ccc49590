// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// noise: random values added to the picture, or counted in place of it. Sources: the random numbers
// are those of Philox (Salmon, Moraes, Dror, Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3",
// SC 2011), Poisson counts of large means those of Giles ("Algorithm 955", ACM Transactions on
// Mathematical Software 42, 2016).
#include <array>
#include <cmath>

#include "filters/filter.hpp"
#include "filters/noise/random.hpp"
#include "filters/shared/frame_seed.hpp"
#include "filters/shared/point_pass.hpp"
#include "params/vocabulary.hpp"

namespace sfumato::filters {
namespace {

/// The distance at which grain of the lattice's spacing 1 is correlated by one half, twice.
constexpr double grain_width = 1.98307;

enum class Noises { gaussian, uniform, poisson, salt_and_pepper, grain };

Noises kind_of(const Values& values) {
  const std::string& name = values.choice("kind");
  if (name == "uniform") return Noises::uniform;
  if (name == "poisson") return Noises::poisson;
  if (name == "salt_and_pepper") return Noises::salt_and_pepper;
  return name == "grain" ? Noises::grain : Noises::gaussian;
}

// The kernel's twin.
struct Noise {
  float amount, photons, per_photon;
  std::uint32_t share, step, seed;
};

Noise noise_of(const Values& values, Noises kind) {
  const double amount = values.number("amount");
  const auto photons = static_cast<float>(values.number("photons"));
  return {static_cast<float>(kind == Noises::uniform ? std::sqrt(3) * amount : amount),
          photons,
          1 / photons,
          static_cast<std::uint32_t>(std::lround(amount * 0x1p24)),
          static_cast<std::uint32_t>(std::lround(0x1p20 * grain_width / values.number("size"))),
          seed_of(values)};
}

// 1 / k, so that no device divides.
std::vector<float> inverses() {
  std::vector<float> out(40);
  for (std::size_t k = 1; k < out.size(); ++k) out[k] = 1 / static_cast<float>(k);
  return out;
}

class PreparedNoise final : public PreparedFilter {
 public:
  PreparedNoise(const Values& values, const Picture& picture, const Target&)
      : kind_(kind_of(values)),
        noise_(noise_of(values, kind_)),
        alike_(is_alike(values.choice("channels"), kind_)),
        colors_(picture.channels == 4 ? 3 : 1),
        inverses_(inverses()) {}

  Needs needs() const override { return {.reference_work = work()}; }

  void run(const TileJob& job, Passes& passes) const override {
    constexpr std::array options = {" -DGAUSSIAN", " -DUNIFORM", " -DPOISSON", " -DSALT_AND_PEPPER",
                                    " -DGRAIN"};
    Launch launch = point_launch(job.output.plane, passes.form(), work(), job.input.channels);
    launch.kernel = "add_noise";
    launch.options += options.at(static_cast<std::size_t>(kind_));
    if (alike_) launch.options += " -DALIKE";
    passes.launch(launch, job.input, job.input.plane, job.output, job.output.plane, noise_,
                  passes.table(inverses_));
  }

  void reference(const ReferenceJob& job) const override {
    const Plane& out = job.output.plane;
    job.rows.run(out.y, out.y + out.height, [&](int y) {
      for (int x = out.x; x < out.x + out.width; ++x) {
        const float* in = job.input.at(x, y);
        float* to = job.output.at(x, y);
        if (kind_ == Noises::grain) {
          add_grain(in, to, x, y);
        } else {
          add_noise(in, to, static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y));
        }
        if (colors_ == 3) to[3] = in[3];
      }
    });
  }

 private:
  static bool is_alike(const std::string& channels, Noises kind) {
    const bool colourless = kind == Noises::grain || kind == Noises::salt_and_pepper;
    return channels == "alike" || (channels == "auto" && colourless);
  }

  double work() const {
    const double patterns = alike_ ? 1 : colors_;
    return 20 + patterns * (kind_ == Noises::grain ? 1500 : 120);
  }

  void add_noise(const float* in, float* out, std::uint32_t x, std::uint32_t y) const {
    for (int c = 0; c < colors_; ++c) {
      out[c] = noisy(in[c], word_at(x, y, alike_ ? 0 : c, noise_.seed));
    }
  }

  float noisy(float value, std::uint32_t word) const {
    switch (kind_) {
      case Noises::uniform:
        return std::fma(noise_.amount, odd_of(word) * 0x1p-24f, value);
      case Noises::poisson:
        return counted(value, word);
      case Noises::salt_and_pepper:
        return (word >> 8) < noise_.share ? static_cast<float>(word & 1) : value;
      default:
        return std::fma(noise_.amount, normal_of(odd_of(word)), value);
    }
  }

  float counted(float value, std::uint32_t word) const {
    const float mean = value * noise_.photons;
    if (!(value > 1e-30f && mean < 0x1p48f)) return value;
    const float count = mean < few ? few_counted(mean, word, inverses_.data())
                                   : many_counted(mean, normal_of(odd_of(word)));
    // Correctly rounded, so that as many photons as white has are 1 (Markstein, 1990).
    const float quotient = count * noise_.per_photon;
    const float residual = std::fma(-quotient, noise_.photons, count);
    return std::fma(residual, noise_.per_photon, quotient);
  }

  void add_grain(const float* in, float* out, int x, int y) const {
    const LatticePlace along(x, noise_.step), down(y, noise_.step);
    const bool by_luminance = alike_ && colors_ == 3;
    const float luminance =
        by_luminance ? std::fma(0.0722f, in[2], std::fma(0.7152f, in[1], in[0] * 0.2126f)) : 0;
    float grain = 0;
    for (int c = 0; c < colors_; ++c) {
      if (c == 0 || !alike_) grain = grain_at(along, down, c, noise_.seed);
      const float level = std::fmin(std::fmax(by_luminance ? luminance : in[c], 0.0f), 1.0f);
      const float strength = noise_.amount * (4.0f * (level * (1.0f - level)));
      out[c] = std::fma(strength, grain, in[c]);
    }
  }

  const Noises kind_;
  const Noise noise_;
  const bool alike_;
  const int colors_;
  const std::vector<float> inverses_;
};

class NoiseFilter final : public FilterOf<PreparedNoise> {
 public:
  const FilterInfo& info() const override { return info_; }

  // All operations are explicit, and the numbers of photons and specks jump.
  double tolerance(const Values&) const override { return 0; }

  bool neutral(const Values& values) const override {
    return values.number("amount") == 0 && kind_of(values) != Noises::poisson;
  }

 private:
  const FilterInfo info_{
      .id = "noise",
      .label = "Noise",
      .category = "Noise",
      .summary = "Adds noise: Gaussian, uniform, of photons, specks or film grain.",
      .description =
          "The noise of a pixel is a function of its place, its channel, the seed and the frame "
          "alone: every device and every way to divide the picture give the same. In movies and "
          "batches of sequences, each frame has noise of its own, unless frame_number is not 0. "
          "Results "
          "may lie beyond 0 and 1. With kind poisson, each value is replaced by a "
          "random number of photons of that mean; in light linear, this is the noise that a camera "
          "cannot avoid. Means below 8 photons are counted exactly, to 24 bits of the probability; "
          "larger ones by an expansion about the normal distribution, by which no probability is "
          "wrong by more than 0.0003. Negative values stay. With kind grain, smooth noise is "
          "added, most at middle gray and none at black, at white and beyond; if all channels get "
          "the same grain, a pixel's luminance (Rec. 709) decides. Alpha stays.",
      .formula =
          "gaussian: out = I + amount n, n normal\n"
          "uniform: out = I + sqrt(3) amount u, u uniform in -1..1\n"
          "poisson: out = k / photons, k Poisson with mean I photons\n"
          "salt_and_pepper: out = 0 or 1 with probability amount / 2 each, else I\n"
          "grain: out = I + 4 Y (1 − Y) amount g, Y = I or its luminance, in 0..1,\n"
          "g = Σ w_i n_i / sqrt(Σ w_i²), n_i normal in a lattice size / 1.983 px wide,\n"
          "w_i a cubic B-spline",
      .source =
          "Salmon, Moraes, Dror, Shaw, Parallel Random Numbers: As Easy as 1, 2, 3, SC 2011; "
          "Giles, Algorithm 955, ACM Transactions on Mathematical Software 42, 2016",
      .parameters = with_common(
          "noise",
          {Parameter::choice(
               "kind", "Kind", "How the noise is distributed.",
               {{"gaussian", "Gaussian", "normally distributed"},
                {"uniform", "Uniform", "evenly distributed between two ends"},
                {"poisson", "Poisson", "as photons are counted: bright parts have more noise"},
                {"salt_and_pepper", "Salt and pepper", "some pixels become black or white"},
                {"grain", "Grain", "soft grains, as in film"}}),
           vocabulary("amount")
               .with_default(0.05)
               .with_valid({0, 1})
               .with_slider({0, 0.5})
               .with_unit(Unit::fraction)
               .with_step(0.01)
               .with_help("Standard deviation of the noise, of grain at middle gray; of salt and "
                          "pepper, the share of pixels that change. 0 leaves the picture "
                          "unchanged.")
               .visible_when("kind != poisson"),
           Parameter::real("photons", "Photons",
                           "How many photons a white pixel counts on average; the fewer, the more "
                           "noise.",
                           500, {1, 1e6})
               .with_slider({1, 10000})
               .with_law(SliderLaw::logarithmic)
               .with_step(10)
               .visible_when("kind = poisson"),
           Parameter::real("size", "Size",
                           "Width of a grain: at half of it to the side, the grain's correlation "
                           "falls to one half.",
                           1.5, {0.5, 16})
               .with_unit(Unit::px)
               .with_zoom(ZoomLaw::scales_with_picture)
               .with_law(SliderLaw::logarithmic)
               .with_step(0.1)
               .visible_when("kind = grain"),
           vocabulary("channels")
               .with_choices(
                   {{"auto", "Automatic", "alike for grain, salt and pepper, each for the others"},
                    {"each", "Each", "every channel has noise of its own"},
                    {"alike", "Alike", "red, green and blue have the same noise"}}),
           vocabulary("seed"), vocabulary("frame_number")},
          Light::display, false),
      .light = Light::display,
      .alpha = AlphaPreference::straight,
      .preview = PreviewClass::full_scale_only};
};

}  // namespace

std::unique_ptr<Filter> make_noise() {
  return std::make_unique<NoiseFilter>();
}

}  // namespace sfumato::filters
