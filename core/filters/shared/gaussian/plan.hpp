// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// How a Gaussian blur is computed: the method, its numbers and the kernel launches, as data.
//
// There are two steps. choose_gaussian() decides once for a picture and a recipe: the method, the
// taps, the decimation. plan_gaussian() plans the passes for one output rectangle; it may be called
// for any tile of the picture, and the tiles agree to the last bit.
//
// pass_plan.hpp says how passes are executed.
#pragma once

#include <cstddef>
#include <vector>

#include "filters/shared/pass_plan.hpp"

namespace sfumato {

enum class GaussianMethod : int {
  automatic,
  direct,
  separable,
  symmetric,
  bilinear,
  boxes,
  multirate,
  fft,
  bilinear_float
};

/// Results of a group that shares products.
inline constexpr int gaussian_line = 256;

/// Sizes of the passes (gaussian/sizes.hpp), which affect the speed but never the pixels.
struct GaussianSizes {
  // GPU form.
  int strip_items = 256;    ///< items per group, fused passes
  int strip_waves = 6;      ///< groups per compute unit, fused passes
  int decimate_waves = 12;  ///< groups per compute unit, decimation
  int row_results = 4;      ///< results per item along rows, not fused
  int row_items = 256;      ///< items per group along rows, not fused
  int column_results = 8;   ///< results per item along columns, not fused
  int column_items = 256;   ///< items per group along columns, not fused
  // CPU form.
  int strip_vectors = 16;   ///< vectors across a strip, fused passes
  int strip_rows = 512;     ///< most rows per band, fused passes
  int decimate_rows = 128;  ///< most rows per band, decimation
};

struct GaussianRequest {
  double sigma = 1.0;
  int radius = 0;  ///< 0 = wide enough
  GaussianMethod method = GaussianMethod::automatic;
  int iterations = 4;  ///< for `boxes` only
  Border border = Border::clamp;
  Rect picture;
  int channels = 4;  ///< of the sums: 4 or 1
  PixelStorage source = PixelStorage::f32, result = PixelStorage::f32;
  bool srgb_samples = false;  ///< samples are sRGB-coded, sums are light (CPU form only)
  PlanDevice device;
  GaussianSizes sizes;
};

struct GaussianPart;

/// The choices made once for the picture.
struct GaussianScheme {
  GaussianRequest request;
  GaussianMethod method = GaussianMethod::separable;  ///< never automatic
  int radius = 0;            ///< taps[0..radius], at full or at low resolution
  std::vector<double> taps;  ///< one half, taps[0] the centre; none for boxes one after another, or
                             ///< for a sum
  int reach = 0;             ///< taps that the kernel reads: padded with zeros to a compiled size
  std::vector<int> factors;  ///< multirate: the successive decimations
  int decimation = 1;        ///< their product
  int box_reach = 0;         ///< boxes: l, the whole pixels on each side of the centre
  double box_end = 0.0;      ///< boxes: the weight of the two end pixels, alpha
  int passes = 1;            ///< boxes: number of passes
  int halo = 0;              ///< input pixels needed on every side of an output rectangle
  bool fused = true;         ///< rows and columns in one pass
  /// A product of a sample and a weight is computed once for two results, through local memory
  /// (Practical Rendering and Computation with Direct3D 11, listing 10.3).
  bool shares_products = false;
  /// Multirate: blurs of the low resolution, whose weighted sum is interpolated and added to the
  /// colours of another picture; none for a single blur.
  std::vector<GaussianPart> parts;
};

/// A term of a weighted sum of Gaussians.
struct GaussianTerm {
  double sigma;  ///< in px
  float weight;
};

/// The same at the low resolution that all terms share, in whose pixels its halo is. The halo of
/// the widest is the `reach` of the sum, the largest radius its `radius`.
struct GaussianPart {
  float weight;
  GaussianScheme blur;
};

/// Throws std::invalid_argument for a sigma that is not positive and finite, or for fft.
GaussianScheme choose_gaussian(const GaussianRequest& request);

/// Whether choose_gaussian_sum() can be used: every sigma is at least 3.5, and the border does not
/// renormalise, which it would do for each term.
bool can_sum_gaussians(const std::vector<GaussianTerm>& terms, Border border);

/// The weighted sum of several Gaussians, added to a picture: the request's sigma is not used. The
/// terms share a low resolution, which the narrowest allows; wider ones are blurred at still lower
/// ones. Between float pixels only.
GaussianScheme choose_gaussian_sum(const GaussianRequest& request,
                                   const std::vector<GaussianTerm>& terms);

/// `passes` boxes of 2 * reach + 1 pixels plus `end` times the two pixels beyond, instead of the
/// kernel described by `request`.
GaussianScheme choose_boxes(const GaussianRequest& request, int reach, double end, int passes);

/// The passes that compute exactly `out` from `in` (and add it to the plan's base, if the scheme is
/// a sum; `base` is its place), which must hold every pixel that the border rule of `edge` may need
/// within scheme.halo of `out`.
PassPlan plan_gaussian(const GaussianScheme& scheme, const Plane& in, const Edge& edge,
                       const Plane& out, const Plane& base = {});

/// The radius for which the fused kernel is compiled or run, given taps of this radius.
int strip_radius(bool cpu, int radius);

/// One half of the sampled, normalised Gaussian with this half-width.
std::vector<double> gaussian_taps(double sigma, int radius);

/// One half of the normalised box convolved with itself, `passes` in all, as a single kernel.
std::vector<double> box_taps(int reach, double end, int passes);

/// The prefilter of a decimation by `factor`: a box of `factor`, applied four times (5 for 3, 6 for
/// 2). One half, decimation_reach(factor) + 1 taps.
std::vector<double> decimation_taps(int factor);
int decimation_reach(int factor);

/// The interpolator from every `factor`-th pixel: the prefilter's shape for 2 and 3, the cubic
/// B-spline above. One half, 2 * factor + 1 values, the last 0.
std::vector<double> interpolation_taps(int factor);

/// The decimations for a Gaussian of `sigma`, at least 3.5: as many as leave the error of a picture
/// in 0..1 at most at 1.5e-4.
std::vector<int> decimations_for(double sigma);

/// The low-resolution taps that, between decimation by `factors` and interpolation, result in a
/// Gaussian of `sigma`: one half, long enough for an error of 1e-6. The first `later` factors are
/// interpolated by themselves, after the others.
std::vector<double> multirate_taps(double sigma, const std::vector<int>& factors,
                                   std::size_t later = 0);

/// Input pixels that decimation by `factors` and interpolation need on every side, for taps that
/// reach `reach` pixels of the low resolution.
int multirate_halo(const GaussianRequest& request, const std::vector<int>& factors, int reach);

/// The result of `scheme`, at x0 .. x1 - 1, for a picture that is 1 inside [lo, hi) and 0 outside.
std::vector<double> blurred_indicator(const GaussianScheme& scheme, int lo, int hi, int x0, int x1);

}  // namespace sfumato
