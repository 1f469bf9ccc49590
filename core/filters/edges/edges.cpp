// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// edges: the difference between neighbouring pixels, by the classic small operators. Sources:
// Roberts, "Machine Perception of Three-Dimensional Solids", 1963; Prewitt, "Object Enhancement and
// Extraction", 1970; Sobel and Feldman, 1968; Scharr, "Optimale Operatoren in der Digitalen
// Bildverarbeitung", 2000; Image Convolution, OpenCL assignment of the Karlsruhe Institute of
// Technology, for the surround.
#include <algorithm>
#include <array>
#include <cmath>

#include "filters/filter.hpp"
#include "filters/shared/exact_arithmetic.hpp"
#include "params/errors.hpp"
#include "params/vocabulary.hpp"

namespace sfumato::filters {
namespace {

enum Kind : int { square, roberts, laplacian, surround };
enum Show : int { magnitude, horizontal, vertical, direction };

// An operator: the weights of the outer rows (or columns) and of the inner one in a 3 x 3 gradient,
// and the factor for sums.
struct Operator {
  const char* name;
  Kind kind;
  float side, middle, scale;
};
constexpr std::array<Operator, 6> operators{{{"sobel", square, 1, 2, 1.0f / 8},
                                             {"prewitt", square, 1, 1, 1.0f / 6},
                                             {"scharr", square, 3, 10, 1.0f / 32},
                                             {"roberts", roberts, 0, 0, 1.0f / 2},
                                             {"laplacian", laplacian, 0, 0, 1},
                                             {"surround", surround, 0, 0, 1.0f / 8}}};
constexpr const char* shows[] = {"magnitude", "horizontal", "vertical", "direction"};

const Operator& operator_of(const Values& values) {
  const std::string& name = values.choice("operator");
  return *std::find_if(operators.begin(), operators.end(),
                       [&](const Operator& o) { return name == o.name; });
}
Show show_of(const Values& values) {
  const std::string& name = values.choice("show");
  return static_cast<Show>(std::find(std::begin(shows), std::end(shows), name) - shows);
}
bool is_gradient(const Operator& o) {
  return o.kind == square || o.kind == roberts;
}
// Whether colours are summed first.
bool adds_colors(const Values& values, int channels) {
  return values.get<bool>("grayscale") && channels == 4;
}

// Laid out as in edges.cl.
struct EdgeNumbers {
  int kind, show;
  float side, middle, scale, offset;
};
EdgeNumbers numbers_of(const Values& values, int channels) {
  const Operator& o = operator_of(values);
  const float share = adds_colors(values, channels) ? 1.0f / 3 : 1.0f;
  return {o.kind,   show_of(values), o.side,
          o.middle, o.scale * share, static_cast<float>(values.number("offset"))};
}

class PreparedEdges final : public PreparedFilter {
 public:
  PreparedEdges(const FilterInfo& info, const Values& values, const Picture& picture)
      : numbers_(numbers_of(values, picture.channels)),
        adds_(adds_colors(values, picture.channels)),
        weighs_(picture.has_alpha && picture.channels == 4),
        how_(message({"edges.how", "{operator}, {show}"},
                     named(info, "operator", values.choice("operator")),
                     named(info, "show", values.choice("show")))) {}

  Needs needs() const override {
    Needs needs;
    needs.halo_x = needs.halo_y = 1;
    needs.reference_work = 40;
    return needs;
  }

  void run(const TileJob& job, Passes& passes) const override {
    const int channels = job.input.channels;
    const bool cpu = passes.form() == Form::cpu;
    const std::size_t span = cpu ? 512 : 1;
    Launch launch;
    launch.kernel = "edges";
    launch.options = "-D CHANNELS=" + std::to_string(channels);
    if (cpu) launch.options += " -D FORM_CPU";
    if (weighs_) launch.options += " -D HAS_ALPHA";
    if (adds_) launch.options += " -D GRAYSCALE";
    launch.local = {cpu ? 1u : 64u, 1};
    launch.global = {(static_cast<std::size_t>(job.output.plane.width) + span - 1) / span,
                     static_cast<std::size_t>(job.output.plane.height)};
    launch.work = 40.0 * channels * static_cast<double>(span);
    passes.launch(launch, job.input, job.input.plane, job.edge, job.output, job.output.plane,
                  numbers_);
  }

  void reference(const ReferenceJob& job) const override {
    const int channels = job.input.channels, colors = channels == 4 ? 3 : 1;
    const Rect out = job.output.plane.rect();
    job.rows.run(out.y0, out.y1, [&](int y) {
      const Sampler source(job.input, job.edge);
      for (int x = out.x0; x < out.x1; ++x) {
        const float* own = job.input.at(x, y);
        const Window around = window(source, own, x, y);
        float* to = job.output.at(x, y);
        for (int c = 0; c < colors; ++c) to[c] = response(numbers_, values_of(around, c));
        if (channels == 4) to[3] = own[3];
      }
    });
  }

  Message explain() const override { return how_; }

 private:
  using Window = std::array<const float*, 9>;  // row by row

  // The pixels around `own`; missing ones are equal to it.
  Window window(const Sampler& source, const float* own, int x, int y) const {
    static constexpr float zeros[4] = {};
    Window around{};
    for (int i = 0; i < 9; ++i) {
      const float* sample = source.at(x + i % 3 - 1, y + i / 3 - 1);
      if (sample == nullptr) sample = weighs_ || source.renormalises() ? own : zeros;
      if (weighs_ && (!(sample[3] > 0) || !(own[3] > 0))) sample = own;
      around[static_cast<std::size_t>(i)] = sample;
    }
    return around;
  }

  // One colour of each pixel, or the sum of its colours.
  std::array<float, 9> values_of(const Window& around, int c) const {
    std::array<float, 9> v{};
    for (std::size_t i = 0; i < 9; ++i) {
      const float* s = around[i];
      v[i] = adds_ ? (s[0] + s[1]) + s[2] : s[c];
    }
    return v;
  }

  // The operator's response to nine values, row by row.
  static float response(const EdgeNumbers& e, const std::array<float, 9>& v) {
    const float nw = v[0], n = v[1], ne = v[2], w = v[3], own = v[4], ea = v[5], sw = v[6],
                s = v[7], se = v[8];
    if (e.kind == laplacian || e.kind == surround) {
      float around = ((n - own) + (s - own)) + ((w - own) + (ea - own));
      if (e.kind == surround) around += ((nw - own) + (ne - own)) + ((sw - own) + (se - own));
      return std::abs(around) * e.scale;
    }
    float gx = 0, gy = 0;  // to the right and down
    if (e.kind == roberts) {
      const float falling = se - own, rising = ea - s;
      gx = falling + rising;
      gy = falling - rising;
    } else {
      gx = std::fma(e.side, (ne - nw) + (se - sw), e.middle * (ea - w));
      gy = std::fma(e.side, (sw - nw) + (se - ne), e.middle * (s - n));
    }
    if (e.show == direction) return exact_turn(gx, -gy);
    if (e.show == magnitude) return std::sqrt(std::fma(gx, gx, gy * gy)) * e.scale;
    return std::fma(e.show == horizontal ? gx : gy, e.scale, e.offset);
  }

  const EdgeNumbers numbers_;
  const bool adds_;    // colours are summed first
  const bool weighs_;  // transparent pixels have no difference to others
  const Message how_;
};

class Edges final : public Filter {
 public:
  const FilterInfo& info() const override { return info_; }

  void check(const Values& values) const override {
    const Operator& o = operator_of(values);
    if (is_gradient(o) || show_of(values) == magnitude) return;
    refuse(info_, "show",
           message({"edges.no_direction",
                    "{parameter}: {operator} has no direction, only a magnitude; {show} takes "
                    "{sobel}, {scharr}, {prewitt} or {roberts}"},
                   named(info_, "show"), named(info_, "operator", o.name),
                   named(info_, "show", shows[show_of(values)]), named(info_, "operator", "sobel"),
                   named(info_, "operator", "scharr"), named(info_, "operator", "prewitt"),
                   named(info_, "operator", "roberts")));
  }

  bool gives_data(const Values&) const override { return true; }

  // The direction of a small gradient is unstable, so directions are computed bit-exactly.
  double tolerance(const Values& values) const override {
    return show_of(values) == direction ? 0 : 2e-5;
  }

  PreparedPtr prepare(const Values& values, const Picture& picture, const Target&) const override {
    return std::make_unique<PreparedEdges>(info_, values, picture);
  }

 private:
  const FilterInfo info_{
      .id = "edges",
      .label = "Edge strength",
      .category = "Edges",
      .summary = "Shows how much each pixel differs from its neighbours.",
      .description =
          "sobel, scharr, prewitt and roberts measure the gradient: a ramp of 1 per pixel gives 1. "
          "horizontal is its part to the right, vertical its part downwards: both keep their sign, "
          "which float files hold and integer files clip at 0 (give an offset of 0.5, or write "
          "with --bits half). direction is where it grows brighter, 0 to 1 for a full turn, "
          "counterclockwise from the right. laplacian (the sum of four neighbours less four times "
          "the middle) and surround (the middle less the mean of eight neighbours) have no "
          "direction; the result is their magnitude. All are data, written as they are. "
          "Transparent pixels differ from nothing, and alpha is kept.",
      .formula =
          "magnitude = √(gx² + gy²), direction = atan2(−gy, gx) / 2π modulo 1,\n"
          "horizontal = gx + offset, vertical = gy + offset\n"
          "gx = (a (ne − nw) + b (e − w) + a (se − sw)) / (4 a + 2 b),\n"
          "gy = (a (sw − nw) + b (s − n) + a (se − ne)) / (4 a + 2 b),\n"
          "of the pixel c and its neighbours n, ne, e, se, s, sw, w, nw,\n"
          "(a, b) = (1, 2) for sobel, (3, 10) for scharr, (1, 1) for prewitt\n"
          "roberts: gx = ((se − c) + (e − s)) / 2, gy = ((se − c) − (e − s)) / 2\n"
          "laplacian: |n + e + s + w − 4 c|, surround: |c − mean of all eight|;\n"
          "I turned gray first if grayscale",
      .source =
          "Roberts 1963, Sobel and Feldman 1968, Prewitt 1970, Scharr 2000; Image Convolution, "
          "OpenCL assignment, Karlsruhe Institute of Technology",
      .version = 1,
      .parameters = with_common(
          "edges",
          {vocabulary("operator")
               .with_help("How differences are measured.")
               .with_choices(
                   {{"sobel", "Sobel", "3 x 3, the middle row twice"},
                    {"scharr", "Scharr", "3 x 3, weights 3 10 3: directions within a degree"},
                    {"prewitt", "Prewitt", "3 x 3, all rows alike"},
                    {"roberts", "Roberts", "2 x 2, along the diagonals: the finest"},
                    {"laplacian", "Laplacian", "four neighbours less four times the middle"},
                    {"surround", "Surround", "the middle less the mean of eight neighbours"}})
               .with_halo(false),
           vocabulary("show").with_choices(
               {{"magnitude", "Magnitude", "how strong the edge is"},
                {"horizontal", "Horizontal", "the change to the right, with its sign"},
                {"vertical", "Vertical", "the change downwards, with its sign"},
                {"direction", "Direction", "where it grows brighter, 0 to 1 for a full turn"}}),
           vocabulary("grayscale").with_help("Take the mean of red, green and blue first."),
           vocabulary("offset")
               .with_help("Added to horizontal and vertical, for files that cannot go below 0.")
               .visible_when("show = horizontal | vertical")},
          Light::display, true),
      .light = Light::display,
      .alpha = AlphaPreference::straight,
      .preview = PreviewClass::approximate,
      .plot = Plot::kernel};
};

}  // namespace

std::unique_ptr<Filter> make_edges() {
  return std::make_unique<Edges>();
}

}  // namespace sfumato::filters
