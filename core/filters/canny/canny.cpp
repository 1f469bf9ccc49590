// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// canny: edges one pixel wide, kept where they hang together with a strong one.
// Sources: Canny, "A Computational Approach to Edge Detection", 1986; ShaderX2, "Advanced Image
// Processing with DirectX 9 Pixel Shaders", for the 2x2 operator, the four sectors and the closing
// of gaps; the rules among equals are those of OpenCV's Canny.
//
// Thresholds are steps: the smallest difference in a sum may turn an edge on or off. So everything
// before them is computed in whole numbers, and the Gaussian in one order by fma alone (the filter
// gaussian may add up as it likes): from equal numbers devices, tiles and the reference find the
// same edges, to the last bit.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "filters/canny/gray.hpp"
#include "filters/filter.hpp"
#include "filters/shared/exact_arithmetic.hpp"
#include "filters/shared/gaussian/plan.hpp"
#include "params/errors.hpp"
#include "params/text.hpp"
#include "params/vocabulary.hpp"

namespace sfumato::filters {
namespace {

// The numbers are those of cl/canny/canny.cl and the files it includes.
enum class Show : int { magnitude, direction, thinned, edges };

CannyOperator operator_of(const Values& values) {
  return values.choice("operator") == "sobel" ? CannyOperator::sobel : CannyOperator::two_by_two;
}
Show show_of(const Values& values) {
  const std::string& name = values.choice("show");
  return name == "magnitude"   ? Show::magnitude
         : name == "direction" ? Show::direction
         : name == "thinned"   ? Show::thinned
                               : Show::edges;
}

// The Gaussian reaches 4 sigma, where its weight is 3e-4 of the middle's.
int radius_of(const Values& values) {
  return static_cast<int>(std::ceil(4 * values.number("sigma")));
}
std::vector<float> taps_of(const Values& values) {
  if (radius_of(values) == 0) return {1.0f};
  const std::vector<double> half = gaussian_taps(values.number("sigma"), radius_of(values));
  return {half.begin(), half.end()};
}

// Values are sums of so many colours.
int colors_of(int channels) {
  return channels == 4 ? 3 : 1;
}

// Whether there may be pixels that do not exist.
bool has_missing(const Picture& picture, const Edge& edge) {
  return picture.has_alpha || edge.border() == Border::renormalise;
}

// Codes that are not blurred are compared as the small numbers they are.
bool is_narrow(const Values& values, const Picture& picture) {
  return picture.codes != Codes::none && radius_of(values) == 0;
}

// Squared gradients above it are above the threshold. A threshold within 1e-9 of a code's is that.
std::int64_t limit_of(double threshold, int channels, bool narrow) {
  const double codes = threshold * 2040 * colors_of(channels);
  const double per_code = narrow ? 1 : canny_units / 255;
  return static_cast<std::int64_t>(std::floor(codes * codes * (1 + 1e-9) * per_code * per_code));
}

Rect picture_rect(const Picture& picture) {
  return {0, 0, picture.width, picture.height};
}

// Pixels whose gradients are asked for.
Rect measured_rect(const Values& values, const Picture& picture, const Rect& out) {
  const int reach = show_of(values) == Show::thinned ? 1 : 0;
  return out.grown(reach, reach).intersected(picture_rect(picture));
}

class Canny final : public Filter {
 public:
  const FilterInfo& info() const override { return info_; }

  void check(const Values& values) const override {
    if (values.number("low_threshold") <= values.number("high_threshold")) return;
    refuse(info_, "low_threshold",
           message({"canny.low_above_high",
                    "{low}: it must not be above {high}; equal ones make a single threshold"},
                   named(info_, "low_threshold"), named(info_, "high_threshold")));
  }

  bool gives_data(const Values& values) const override { return show_of(values) != Show::edges; }

  bool takes_codes(const Values&, Codes codes, const Target&) const override {
    return codes == Codes::plain;
  }

  double tolerance(const Values&) const override { return 0; }

  Needs needs(const Values& values, const Picture& picture, const Target& target) const override {
    const int r = radius_of(values);
    Needs needs;
    needs.whole_image = show_of(values) == Show::edges;
    needs.halo_x = needs.halo_y = r + 2;
    // Gray; for the Gaussian values, sums and the result, with weights of the first two; blocks,
    // labels and edges.
    const bool weighs = picture.has_alpha || border_of(values) == Border::renormalise;
    needs.scratch_per_pixel =
        target.reference ? 32 : 4 + (r > 0 ? (weighs ? 20 : 12) : 0) + (needs.whole_image ? 5 : 0);
    // What is laid around a picture or a tile, of usual height.
    const double rows = needs.whole_image ? picture.height + 2.0 * r + 2 : 1024;
    const double around =
        rows * (96 + 2.0 * r) + (needs.whole_image ? (2.0 * r + 2) * picture.width : 0);
    needs.scratch = static_cast<std::size_t>(needs.scratch_per_pixel * around);
    needs.reference_work = 60.0 + 8.0 * r;
    return needs;
  }

  void run(const TileJob& job, Passes& passes) const override {
    const Show show = show_of(job.values);
    const Rect picture = picture_rect(job.picture);
    const DeviceGray gray =
        make_gray(job, passes, measured_rect(job.values, job.picture, job.output.plane.rect()));
    const int kind = static_cast<int>(operator_of(job.values));
    if (show != Show::edges) {
      const float scale =
          1.0f / static_cast<float>(8 * canny_units * colors_of(job.picture.channels));
      passes.launch(span_launch("canny_show", options(job, "SHOW") + channels(job),
                                job.output.plane, passes.form(), 512, 80),
                    gray.buffer, gray.plane, picture.x1, picture.y1, job.input, job.input.plane,
                    job.output, job.output.plane, kind, static_cast<int>(show), scale);
    } else {
      paint(job, passes, link(job, passes, thin(job, passes, gray, kind)));
    }
    if (gray.bad) {
      int bad = 0;
      passes.context().read(*gray.bad, &bad, sizeof bad);
      if (bad != 0) {
        passes.warn("the picture has samples that are not finite numbers; canny reads them as 0");
      }
    }
  }

  void reference(const ReferenceJob& job) const override {
    const Show show = show_of(job.values);
    const Rect out = job.output.plane.rect();
    const Rect measured = measured_rect(job.values, job.picture, out);
    const CannyGray gray(job, show == Show::edges ? picture_rect(job.picture) : measured,
                         taps_of(job.values), has_missing(job.picture, job.edge));
    const CannyOperator kind = operator_of(job.values);
    const int colors = colors_of(job.picture.channels);
    const float scale = 1.0f / static_cast<float>(8 * canny_units * colors);
    const auto put = [&](int x, int y, float v) {
      float* to = job.output.at(x, y);
      std::fill_n(to, colors, v);
      if (job.picture.channels == 4) to[3] = job.input.at(x, y)[3];
    };
    if (show == Show::edges) {
      const std::vector<std::uint8_t> edges = reference_edges(job, gray, kind);
      job.rows.run(out.y0, out.y1, [&](int y) {
        for (int x = out.x0; x < out.x1; ++x) {
          put(x, y, edges[place(job.picture, x, y)] != 0 ? 1.0f : 0.0f);
        }
      });
      return;
    }
    job.rows.run(out.y0, out.y1, [&](int y) {
      for (int x = out.x0; x < out.x1; ++x) {
        const CannyGradient g = gray.gradient(x, y, kind);
        if (show == Show::direction) {
          // Half a turn, counted upwards.
          const bool over = g.y > 0 || (g.y == 0 && g.x < 0);
          const float turn =
              exact_turn(static_cast<float>(over ? -g.x : g.x), static_cast<float>(std::abs(g.y)));
          put(x, y, g.strength() == 0 ? 0.0f : 2 * turn);
        } else {
          const float size = std::sqrt(static_cast<float>(g.strength())) * scale;
          const bool kept = show == Show::magnitude || is_ridge(job.picture, gray, kind, x, y);
          put(x, y, kept ? size : 0.0f);
        }
      }
    });
  }

  std::string explain(const Values& values, const Picture& picture, const Target&) const override {
    std::string text = values.choice("operator") + " operator";
    if (radius_of(values) > 0) {
      text += " after a Gaussian of " + std::to_string(2 * radius_of(values) + 1) + " taps";
    }
    if (show_of(values) == Show::edges) text += ", the whole picture at once";
    return text + (is_narrow(values, picture) ? ", on 8-bit codes" : "");
  }

 private:
  // What lies on the device between two passes.
  struct DeviceGray {
    std::shared_ptr<cl::Buffer> buffer;
    Plane plane;
    std::shared_ptr<cl::Buffer> bad;  // not where codes are read: they are all numbers
  };
  struct Blocks {
    std::shared_ptr<cl::Buffer> bytes;
    int pitch = 0, across = 0, down = 0;
  };

  static std::size_t items(int count, int each) {
    return static_cast<std::size_t>((count + each - 1) / each);
  }

  // `span` pixels of a row an item on CPU devices, one on others.
  static Launch span_launch(const char* kernel, const std::string& options, const Plane& plane,
                            Form form, int span, double work) {
    Launch launch;
    launch.kernel = kernel;
    launch.options = options;
    const bool cpu = form == Form::cpu;
    launch.local = {cpu ? 1u : 64u, 1};
    launch.global = {items(std::max(plane.width, plane.stride), cpu ? span : 1),
                     static_cast<std::size_t>(plane.height)};
    launch.work = work * (cpu ? span : 1);
    return launch;
  }

  static std::string options(const TileJob& job, const char* pass) {
    std::string text = std::string("-D PASS_") + pass;
    if (job.target.form == Form::cpu) text += " -D FORM_CPU";
    if (is_narrow(job.values, job.picture)) text += " -D NARROW";
    if (has_missing(job.picture, job.edge)) text += " -D MISSING";
    return text;
  }
  static std::string channels(const TileJob& job) {
    std::string text = job.picture.channels == 1 ? " -D CHANNELS=1" : "";
    if (job.picture.has_alpha) text += " -D HAS_ALPHA";
    if (job.picture.codes == Codes::none) return text;
    return text + (job.picture.codes_packed3 ? " -D SRC_PACKED3 -D DST_PACKED3 -D CHANNELS=4"
                                             : " -D SRC_U8 -D DST_U8");
  }

  // A plane of `rect` and what vectors may touch around it: columns from 16 before on.
  static Plane padded(const Rect& rect) {
    const int width = (rect.width() + 16 + 64 + 15) / 16 * 16;
    return {rect.x0 - 16, rect.y0, width, rect.height(), width, 0};
  }
  static std::size_t area(const Plane& plane) {
    return static_cast<std::size_t>(plane.stride) * static_cast<std::size_t>(plane.height) + 64;
  }

  static DeviceGray make_gray(const TileJob& job, Passes& passes, const Rect& measured) {
    const int r = radius_of(job.values);
    DeviceGray gray;
    gray.plane = padded(measured.grown(0, 1));
    Plane wide = gray.plane;
    wide = {wide.x - r, wide.y - r, wide.width + 2 * r, wide.height + 2 * r, 0, 0};
    wide.stride = (wide.width + 15) / 16 * 16;
    wide.width = wide.stride;
    const bool weighs = r > 0 && has_missing(job.picture, job.edge);
    if (job.picture.codes == Codes::none) {
      gray.bad = passes.buffer(sizeof(int));
      const int none = 0;
      passes.context().write(*gray.bad, &none, sizeof none);
    }
    const auto pixels = passes.buffer(area(wide) * (is_narrow(job.values, job.picture) ? 2 : 4));
    const auto nothing = pixels;
    const auto weights = weighs ? passes.buffer(area(wide) * 4) : nothing;
    Launch look = span_launch("canny_gray", options(job, "GRAY") + channels(job) + weigh(weighs),
                              wide, passes.form(), wide.width, 20);
    if (passes.form() != Form::cpu) look.global[0] = items(std::max(wide.width, wide.stride), 4);
    passes.launch(look, job.input, job.input.plane, job.edge, pixels, wide, weights,
                  gray.bad ? gray.bad : nothing);
    if (r == 0) {
      gray.buffer = pixels;
      gray.plane = wide;
      return gray;
    }
    const std::string blur = options(job, "BLUR") + weigh(weighs);
    const auto taps = passes.table(taps_of(job.values));
    const Plane rows{gray.plane.x, wide.y, gray.plane.width, wide.height, gray.plane.stride, 0};
    const auto values = passes.buffer(area(wide) * 4);
    const auto sums = passes.buffer(area(rows) * 4);
    const auto weight_sums = weighs ? passes.buffer(area(rows) * 4) : nothing;
    passes.launch(span_launch("canny_weigh", blur, wide, passes.form(), 1024, 2), pixels, wide,
                  values, weights);
    const Launch along = span_launch("canny_blur_rows", blur, rows, passes.form(), 1024, 4 * r);
    passes.launch(along, values, wide, sums, rows, taps, r);
    if (weighs) passes.launch(along, weights, wide, weight_sums, rows, taps, r);
    gray.buffer = passes.buffer(area(gray.plane) * 4);
    const int down = passes.form() == Form::cpu ? 4 : 1;  // rows an item
    Launch columns = span_launch("canny_blur_columns", blur, gray.plane, passes.form(), 1024,
                                 (weighs ? 8 : 4) * r * down);
    columns.global[1] = items(gray.plane.height, down);
    passes.launch(columns, sums, weight_sums, rows, pixels, wide, gray.buffer, gray.plane, taps, r);
    return gray;
  }
  static const char* weigh(bool weighs) { return weighs ? " -D WEIGHTS" : ""; }

  // Ridges of the gradient above the thresholds, in blocks of 2 x 2 pixels.
  static Blocks thin(const TileJob& job, Passes& passes, const DeviceGray& gray, int kind) {
    const int width = job.picture.width, height = job.picture.height;
    const bool narrow = is_narrow(job.values, job.picture);
    const int n = job.picture.channels;
    // What is stored as int in kernels has that size here.
    const auto low = limit_of(job.values.number("low_threshold"), n, narrow);
    const auto high = limit_of(job.values.number("high_threshold"), n, narrow);
    Blocks blocks;
    blocks.across = (width + 1) / 2;
    blocks.down = (height + 1) / 2;
    blocks.pitch = (blocks.across + 15) / 16 * 16;
    blocks.bytes = passes.buffer(static_cast<std::size_t>(blocks.pitch) *
                                 static_cast<std::size_t>(blocks.down));
    Launch launch;
    launch.kernel = "canny_thin";
    launch.options = options(job, "THIN");
    constexpr int strip = 512, band = 128;
    int rows = blocks.down;
    if (passes.form() == Form::cpu) {
      launch.global = {items(width, strip), items(height, band)};
      launch.work = 20.0 * strip * band;
      rows = band;
    } else {
      // Of an item, in pixels: one block of a tile where neighbours may be missing.
      const bool tiles = has_missing(job.picture, job.edge);
      const int columns = tiles ? 2 : 4, rows_down = tiles ? 2 : 16;
      launch.local = {32, 8};
      launch.global = {items(tiles ? 2 * blocks.pitch : width, 32 * columns) * 32,
                       items(height, 8 * rows_down) * 8};
      launch.work = tiles ? 300 : 2000;
    }
    const auto run_with = [&](auto low_limit, auto high_limit) {
      passes.launch(launch, gray.buffer, gray.plane, width, height, blocks.bytes, blocks.pitch,
                    rows, kind, low_limit, high_limit);
    };
    if (narrow) {
      run_with(static_cast<std::int32_t>(std::min<std::int64_t>(low, INT32_MAX)),
               static_cast<std::int32_t>(std::min<std::int64_t>(high, INT32_MAX)));
    } else {
      run_with(low, high);
    }
    return blocks;
  }

  // Edges as bytes: in the output itself where that holds gray codes and nothing follows.
  static DeviceImage link(const TileJob& job, Passes& passes, const Blocks& blocks) {
    const bool cpu = passes.form() == Form::cpu;
    const std::size_t count =
        static_cast<std::size_t>(blocks.pitch) * static_cast<std::size_t>(blocks.down);
    const auto labels = passes.buffer(count * sizeof(int));
    const auto kept = passes.buffer(count * sizeof(int));
    DeviceImage edges = job.output;
    if (!writes_codes_directly(job) || job.values.number("close_gaps") > 0)
      edges = edge_map(job, passes);

    Launch launch;
    launch.options = std::string("-D PASS_LINK") + (cpu ? " -D FORM_CPU" : "");
    const int pitch = blocks.pitch, across = blocks.across, down = blocks.down;
    const auto run_kernel = [&](const char* kernel, auto&&... more) {
      launch.kernel = kernel;
      passes.launch(launch, blocks.bytes, pitch, across, down, more...);
    };
    if (cpu) {
      constexpr int band = 64;
      launch.global = {1, items(down, band)};
      launch.work = 10.0 * across * band;
      run_kernel("canny_link_bands", band, labels, kept);
      launch.global = {1, 1};
      launch.work = 4.0 * across * static_cast<double>(items(down, band));
      run_kernel("canny_link_borders", band, labels, kept);
      launch.global = {1, static_cast<std::size_t>(down)};
      launch.work = 10.0 * across;
    } else {
      constexpr int tile = 32, group_rows = 8;
      launch.local = {tile, group_rows};
      launch.global = {items(across, tile) * tile, items(down, tile) * group_rows};
      launch.work = 300;
      run_kernel("canny_link_tiles", labels, kept);
      constexpr int sides = 3;  // of each tile, a row of items each
      launch.global = {items(across, tile) * tile, items(down, tile) * sides};
      launch.work = 100;
      run_kernel("canny_link_borders", labels);
      launch.global = {items(across, tile) * tile, items(down, group_rows) * group_rows};
      launch.work = 20;
      launch.kernel = "canny_link_strong";
      passes.launch(launch, labels, pitch, across, down, kept);
      launch.global[0] = items(across, 2 * tile) * tile;
    }
    run_kernel("canny_keep", labels, kept, edges, edges.plane);
    return edges;
  }

  static bool writes_codes_directly(const TileJob& job) {
    return job.picture.codes != Codes::none && job.picture.channels == 1;
  }

  static DeviceImage edge_map(const TileJob& job, Passes& passes) {
    DeviceImage map;
    const int width = job.picture.width, height = job.picture.height;
    map.plane = {0, 0, width, height, (width + 31) / 32 * 32, 0};
    map.buffer = passes.buffer(area(map.plane));
    return map;
  }

  static void paint(const TileJob& job, Passes& passes, const DeviceImage& edges) {
    const std::string paint = options(job, "PAINT") + channels(job);
    const auto reach = static_cast<int>(job.values.get<std::int64_t>("close_gaps"));
    if (reach > 0) {
      const DeviceImage rows = edge_map(job, passes);
      const Launch launch =
          span_launch("canny_widen", paint, edges.plane, passes.form(), 1024, 2 * reach);
      passes.launch(launch, edges, rows, edges.plane, 1, 0, reach);
      passes.launch(launch, rows, edges, edges.plane, 0, 1, reach);
    } else if (writes_codes_directly(job)) {
      return;
    }
    passes.launch(span_launch("canny_paint", paint, job.output.plane, passes.form(), 1024, 6),
                  edges, edges.plane, job.input, job.input.plane, job.output, job.output.plane);
  }

  static std::size_t place(const Picture& picture, int x, int y) {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width) +
           static_cast<std::size_t>(x);
  }

  // Greater than both neighbours along the gradient; across or down the second may be equal.
  static bool is_ridge(const Picture& picture, const CannyGray& gray, CannyOperator kind, int x,
                       int y) {
    const CannyGradient g = gray.gradient(x, y, kind);
    const CannySector sector = g.sector();
    const int dx = sector == CannySector::vertical ? 0 : sector == CannySector::rising ? -1 : 1;
    const int dy = sector == CannySector::horizontal ? 0 : 1;
    const auto strength = [&](int px, int py) -> std::int64_t {
      const bool inside = px >= 0 && py >= 0 && px < picture.width && py < picture.height;
      return inside ? gray.gradient(px, py, kind).strength() : 0;
    };
    const std::int64_t own = g.strength(), after = strength(x + dx, y + dy);
    const bool straight = sector == CannySector::horizontal || sector == CannySector::vertical;
    return own > strength(x - dx, y - dy) && (straight ? own >= after : own > after);
  }

  // 1 for each pixel of the picture that is an edge.
  static std::vector<std::uint8_t> reference_edges(const ReferenceJob& job, const CannyGray& gray,
                                                   CannyOperator kind) {
    const Picture& picture = job.picture;
    const int width = picture.width, height = picture.height;
    const auto low = limit_of(job.values.number("low_threshold"), job.picture.channels, false);
    const auto high = limit_of(job.values.number("high_threshold"), job.picture.channels, false);
    enum : std::uint8_t { none, weak, kept };
    std::vector<std::uint8_t> state(place(picture, 0, height), none);
    std::vector<std::uint8_t> strong(state.size());
    job.rows.run(0, height, [&](int y) {
      for (int x = 0; x < width; ++x) {
        const std::int64_t strength = gray.gradient(x, y, kind).strength();
        if (strength <= low || !is_ridge(picture, gray, kind, x, y)) continue;
        state[place(picture, x, y)] = weak;
        strong[place(picture, x, y)] = strength > high ? 1 : 0;
      }
    });
    std::vector<std::pair<int, int>> found;
    const auto keep = [&](int x, int y) {
      state[place(picture, x, y)] = kept;
      found.emplace_back(x, y);
    };
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        if (strong[place(picture, x, y)] == 0 || state[place(picture, x, y)] == kept) continue;
        keep(x, y);
        while (!found.empty()) {
          const auto [px, py] = found.back();
          found.pop_back();
          for (int ny = std::max(py - 1, 0); ny <= std::min(py + 1, height - 1); ++ny) {
            for (int nx = std::max(px - 1, 0); nx <= std::min(px + 1, width - 1); ++nx) {
              if (state[place(picture, nx, ny)] == weak) keep(nx, ny);
            }
          }
        }
      }
    }
    const auto reach = static_cast<int>(job.values.get<std::int64_t>("close_gaps"));
    std::vector<std::uint8_t> edges(state.size());
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        if (state[place(picture, x, y)] != kept) continue;
        for (int ny = std::max(y - reach, 0); ny <= std::min(y + reach, height - 1); ++ny) {
          const auto row = edges.begin() + static_cast<std::ptrdiff_t>(place(picture, 0, ny));
          std::fill(row + std::max(x - reach, 0), row + std::min(x + reach, width - 1) + 1,
                    std::uint8_t{1});
        }
      }
    }
    return edges;
  }

  const FilterInfo info_{
      .id = "canny",
      .label = "Canny edges",
      .category = "Edges",
      .summary = "Draws edges one pixel wide, without those caused by noise.",
      .description =
          "The picture is turned gray (the mean of red, green and blue) and blurred by sigma. "
          "Where its gradient is greater than at both neighbours across the edge, and above "
          "low-threshold, there may be an edge; it is kept if it is above high-threshold, or "
          "connected to such a place by a chain of others, however long. Edges are 1 on 0. On "
          "8-bit gray pictures at sigma 0 they are those of OpenCV's Canny (L2gradient), whose "
          "thresholds are 2040 times these. Gray values are rounded to 1/262140, where all 8-bit "
          "and 16-bit codes lie, so that every device finds the same edges; values beyond +-170 "
          "are clipped. Transparent pixels have no gradient and give none to others; alpha is "
          "kept. magnitude, direction and thinned are data: direction is 0 to 1 for half a turn, "
          "counterclockwise from the right.",
      .formula =
          "M = √(P² + Q²), of the blurred gray c and its neighbours n, ne, e, ...\n"
          "sobel: P = ((ne − nw) + 2 (e − w) + (se − sw)) / 8,\n"
          "       Q = ((sw − nw) + 2 (s − n) + (se − ne)) / 8\n"
          "2x2: P = ((e − c) + (se − s)) / 2, Q = ((s − c) + (se − e)) / 2\n"
          "out = 1 where M > low_threshold and M is greatest along (P, Q),\n"
          "if M > high_threshold\n"
          "there, or at a place that a chain of such neighbours leads to",
      .source =
          "Canny, A Computational Approach to Edge Detection, 1986; ShaderX2, Advanced Image "
          "Processing with DirectX 9 Pixel Shaders",
      .version = 1,
      .parameters = with_common(
          "canny",
          {vocabulary("sigma").with_default(1.4).with_valid({0, 50}).with_slider({0, 10}).with_help(
               "Standard deviation of the blur that is applied first; 0 does not blur."),
           vocabulary("low_threshold").with_default(0.02),
           vocabulary("high_threshold").with_default(0.06),
           vocabulary("operator")
               .with_choices(
                   {{"sobel", "Sobel", "3 x 3 pixels, divided by 8: a gradient per pixel"},
                    {"2x2", "2 x 2",
                     "the differences of 2 x 2 pixels, divided by 2: finer, and half a "
                     "pixel to the lower right"}}),
           vocabulary("close_gaps").visible_when("show = edges"),
           vocabulary("show").with_choices(
               {{"edges", "Edges", "the edges that are kept"},
                {"magnitude", "Magnitude", "the length of the gradient"},
                {"direction", "Direction", "where the gradient points, folded to half a turn"},
                {"thinned", "Thinned", "the magnitude where it is greatest across the edge"}})},
          Light::display, true),
      .roles = {},
      .light = Light::display,
      .alpha = AlphaWish::straight,
      .preview = PreviewClass::approximate};
};

}  // namespace

std::unique_ptr<Filter> make_canny() {
  return std::make_unique<Canny>();
}

}  // namespace sfumato::filters
