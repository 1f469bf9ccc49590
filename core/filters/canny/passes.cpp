// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Gray, thin, link and paint: canny's launches.
#include "filters/canny/passes.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

namespace sfumato {
namespace {

// One tile on a device.
class CannyTile {
 public:
  CannyTile(const CannySettings& settings, const TileJob& job, Passes& passes)
      : s_(settings), picture_(settings.picture), job_(job), passes_(passes) {}

  void run() {
    const DeviceGray gray = make_gray(s_.measured(job_.output.plane.rect()));
    if (s_.show != CannyShow::edges) {
      passes_.launch(
          span_launch("canny_show", options("SHOW") + channels(), job_.output.plane, 512, 80),
          gray.buffer, gray.plane, picture_.width, picture_.height, job_.input, job_.input.plane,
          job_.output, job_.output.plane, static_cast<int>(s_.kind), static_cast<int>(s_.show),
          s_.scale());
    } else {
      paint(link(thin(gray)));
    }
    if (gray.bad) {
      int bad = 0;
      passes_.context().read(*gray.bad, &bad, sizeof bad);
      if (bad != 0) {
        passes_.warn(
            message({"filter.not_finite",
                     "the picture has samples that are not finite numbers; they are read as 0"}));
      }
    }
  }

 private:
  // The data on the device between two passes.
  struct DeviceGray {
    std::shared_ptr<DeviceMemory> buffer;
    Plane plane;
    std::shared_ptr<DeviceMemory> bad;  // unused for stored samples, which are always numbers
  };
  struct Blocks {
    std::shared_ptr<DeviceMemory> bytes;
    int pitch = 0, across = 0, down = 0;
  };

  static std::size_t items(int count, int each) {
    return static_cast<std::size_t>((count + each - 1) / each);
  }

  // One item per `span` pixels of a row on CPU devices, per pixel on GPUs.
  Launch span_launch(const char* kernel, const std::string& options, const Plane& plane, int span,
                     double work) const {
    Launch launch;
    launch.kernel = kernel;
    launch.options = options;
    const bool cpu = passes_.form() == Form::cpu;
    launch.local = {cpu ? 1u : 64u, 1};
    launch.global = {items(std::max(plane.width, plane.stride), cpu ? span : 1),
                     static_cast<std::size_t>(plane.height)};
    launch.work = work * (cpu ? span : 1);
    return launch;
  }

  std::string options(const char* pass) const {
    std::string text = std::string("-D PASS_") + pass;
    if (passes_.form() == Form::cpu) text += " -D FORM_CPU";
    if (s_.narrow) text += " -D NARROW";
    if (s_.missing) text += " -D MISSING";
    return text;
  }
  std::string channels() const {
    std::string text = picture_.channels == 1 ? " -D CHANNELS=1" : "";
    if (picture_.has_alpha) text += " -D HAS_ALPHA";
    if (picture_.samples == StoredSamples::none) return text;
    return text + (picture_.samples_packed3 ? " -D SRC_PACKED3 -D DST_PACKED3 -D CHANNELS=4"
                                            : " -D SRC_U8 -D DST_U8");
  }

  // A plane of `rect` with the margin that vectors may touch, from 16 columns before it.
  static Plane padded(const Rect& rect) {
    const int width = (rect.width() + 16 + 64 + 15) / 16 * 16;
    return {rect.x0 - 16, rect.y0, width, rect.height(), width, 0};
  }
  static std::size_t area(const Plane& plane) {
    return static_cast<std::size_t>(plane.stride) * static_cast<std::size_t>(plane.height) + 64;
  }

  DeviceGray make_gray(const Rect& measured) {
    const int r = s_.radius;
    DeviceGray gray;
    gray.plane = padded(measured.grown(0, 1));
    if (picture_.samples == StoredSamples::none) {
      gray.bad = passes_.buffer(sizeof(int));
      const int none = 0;
      passes_.context().write(*gray.bad, &none, sizeof none);
    }
    if (smooths_at_once()) {
      smooth(gray);
      return gray;
    }
    Plane wide = gray.plane;
    wide = {wide.x - r, wide.y - r, wide.width + 2 * r, wide.height + 2 * r, 0, 0};
    wide.stride = (wide.width + 15) / 16 * 16;
    wide.width = wide.stride;
    const bool weighs = r > 0 && s_.missing;
    const auto pixels = passes_.buffer(area(wide) * (s_.narrow ? 2 : 4));
    const auto nothing = pixels;
    const auto weights = weighs ? passes_.buffer(area(wide) * 4) : nothing;
    Launch look = span_launch("canny_gray", options("GRAY") + channels() + weigh(weighs), wide,
                              wide.width, 20);
    if (passes_.form() != Form::cpu) {
      look.global[0] = items(std::max(wide.width, wide.stride), has_gray_samples() ? 8 : 4);
    }
    passes_.launch(look, job_.input, job_.input.plane, job_.edge, pixels, wide, weights,
                   gray.bad ? gray.bad : nothing);
    if (r == 0) {
      gray.buffer = pixels;
      gray.plane = wide;
      return gray;
    }
    const std::string blur = options("BLUR") + weigh(weighs);
    const auto taps = passes_.table(s_.taps);
    const Plane rows{gray.plane.x, wide.y, gray.plane.width, wide.height, gray.plane.stride, 0};
    const auto values = passes_.buffer(area(wide) * 4);
    const auto sums = passes_.buffer(area(rows) * 4);
    const auto weight_sums = weighs ? passes_.buffer(area(rows) * 4) : nothing;
    passes_.launch(span_launch("canny_weigh", blur, wide, 1024, 2), pixels, wide, values, weights);
    const Launch along = span_launch("canny_blur_rows", blur, rows, 1024, 4 * r);
    passes_.launch(along, values, wide, sums, rows, taps, r);
    if (weighs) passes_.launch(along, weights, wide, weight_sums, rows, taps, r);
    gray.buffer = passes_.buffer(area(gray.plane) * 4);
    const int down = passes_.form() == Form::cpu ? 4 : 1;  // rows per item
    Launch columns =
        span_launch("canny_blur_columns", blur, gray.plane, 1024, (weighs ? 8 : 4) * r * down);
    columns.global[1] = items(gray.plane.height, down);
    passes_.launch(columns, sums, weight_sums, rows, pixels, wide, gray.buffer, gray.plane, taps,
                   r);
    return gray;
  }

  // As smooth_gpu.clh keeps them: rows at once, and bytes of a row.
  static constexpr int smooth_rows = 4, smooth_row_bytes = 160 * 4;
  int smooth_kept() const {
    return static_cast<int>(items(2 * s_.radius, smooth_rows) + 1) * smooth_rows;
  }
  // Whether one pass makes the blurred gray picture.
  bool smooths_at_once() const {
    constexpr int most_radius = 16, others = 1024;
    const int bytes = (smooth_kept() + smooth_rows) * smooth_row_bytes + others;
    return passes_.form() == Form::gpu && s_.radius > 0 && s_.radius <= most_radius &&
           !s_.missing && static_cast<std::size_t>(bytes) <= passes_.device().local_memory;
  }
  void smooth(DeviceGray& gray) {
    constexpr int columns = 128, strip = 64;
    gray.buffer = passes_.buffer(area(gray.plane) * 4);
    Launch launch;
    launch.kernel = "canny_smooth";
    launch.options = options("SMOOTH") + channels();
    launch.local = {columns, 1};
    launch.global = {items(gray.plane.stride, columns) * columns, items(gray.plane.height, strip)};
    launch.work = (20.0 + 4.0 * s_.radius) * strip;
    const auto kept = static_cast<std::size_t>(smooth_kept() * smooth_row_bytes);
    passes_.launch(launch, job_.input, job_.input.plane, job_.edge, gray.buffer, gray.plane,
                   passes_.table(s_.taps), s_.radius, strip, smooth_kept(),
                   Argument::of_local(kept), gray.bad ? gray.bad : gray.buffer);
  }
  static const char* weigh(bool weighs) { return weighs ? " -D WEIGHTS" : ""; }

  // Ridges of the gradient above the thresholds, in blocks of 2 x 2 pixels.
  Blocks thin(const DeviceGray& gray) {
    const int width = picture_.width, height = picture_.height;
    Blocks blocks;
    blocks.across = (width + 1) / 2;
    blocks.down = (height + 1) / 2;
    blocks.pitch = (blocks.across + 15) / 16 * 16;
    blocks.bytes = passes_.buffer(static_cast<std::size_t>(blocks.pitch) *
                                  static_cast<std::size_t>(blocks.down));
    Launch launch;
    launch.kernel = "canny_thin";
    launch.options = options("THIN");
    constexpr int strip = 512, band = 128;
    int rows = blocks.down;
    if (passes_.form() == Form::cpu) {
      launch.global = {items(width, strip), items(height, band)};
      launch.work = 20.0 * strip * band;
      rows = band;
    } else {
      // Pixels per item: one block of a tile if neighbours may be missing.
      const bool tiles = s_.missing;
      const int columns = tiles ? 2 : 4, rows_down = tiles ? 2 : 16;
      launch.local = {32, 8};
      launch.global = {items(tiles ? 2 * blocks.pitch : width, 32 * columns) * 32,
                       items(height, 8 * rows_down) * 8};
      launch.work = tiles ? 300 : 2000;
    }
    const auto run_with = [&](auto low_limit, auto high_limit) {
      passes_.launch(launch, gray.buffer, gray.plane, width, height, blocks.bytes, blocks.pitch,
                     rows, static_cast<int>(s_.kind), low_limit, high_limit);
    };
    // Kernels store this as int, so it has the size of one.
    if (s_.narrow) {
      run_with(static_cast<std::int32_t>(std::min<std::int64_t>(s_.low, INT32_MAX)),
               static_cast<std::int32_t>(std::min<std::int64_t>(s_.high, INT32_MAX)));
    } else {
      run_with(s_.low, s_.high);
    }
    return blocks;
  }

  // Edges as bytes, directly in the output if it holds gray samples and no pass follows.
  DeviceImage link(const Blocks& blocks) {
    const std::size_t count =
        static_cast<std::size_t>(blocks.pitch) * static_cast<std::size_t>(blocks.down);
    const auto labels = passes_.buffer(count * sizeof(int));
    const auto marks = passes_.buffer(count * sizeof(int));
    DeviceImage edges = job_.output;
    if (!has_gray_samples() || s_.close_gaps > 0) edges = edge_map();
    if (passes_.form() == Form::cpu) {
      link_on_cpu(blocks, labels, marks, edges);
    } else {
      link_on_gpu(blocks, labels, marks, edges);
    }
    return edges;
  }

  void link_on_cpu(const Blocks& blocks, const std::shared_ptr<DeviceMemory>& labels,
                   const std::shared_ptr<DeviceMemory>& kept, const DeviceImage& edges) {
    constexpr int band = 64;
    const int pitch = blocks.pitch, across = blocks.across, down = blocks.down;
    Launch launch;
    launch.options = "-D PASS_LINK -D FORM_CPU";
    launch.kernel = "canny_link_bands";
    launch.global = {1, items(down, band)};
    launch.work = 10.0 * across * band;
    passes_.launch(launch, blocks.bytes, pitch, across, down, band, labels, kept);
    launch.kernel = "canny_link_borders";
    launch.global = {1, 1};
    launch.work = 4.0 * across * static_cast<double>(items(down, band));
    passes_.launch(launch, blocks.bytes, pitch, across, down, band, labels, kept);
    launch.kernel = "canny_keep";
    launch.global = {1, static_cast<std::size_t>(down)};
    launch.work = 10.0 * across;
    passes_.launch(launch, blocks.bytes, pitch, across, down, labels, kept, edges, edges.plane);
  }

  void link_on_gpu(const Blocks& blocks, const std::shared_ptr<DeviceMemory>& labels,
                   const std::shared_ptr<DeviceMemory>& marks, const DeviceImage& edges) {
    constexpr int tile = 32, group_rows = 8, at_once = 4, sides = 3;
    const int pitch = blocks.pitch, across = blocks.across, down = blocks.down;
    const std::size_t tiles = items(across, tile);
    const std::size_t words = tiles * static_cast<std::size_t>(down);
    const auto kept = passes_.buffer(words * sizeof(int));
    const auto open = passes_.buffer(words * sizeof(int));
    Launch launch;
    launch.options = "-D PASS_LINK";
    launch.kernel = "canny_link_tiles";
    launch.local = {tile, 1};
    launch.global = {tiles * tile, items(down, tile)};
    launch.work = 2000;
    passes_.launch(launch, blocks.bytes, pitch, across, down, kept, open, labels, marks);
    launch.kernel = "canny_link_borders";
    launch.local = {tile, group_rows};
    launch.global[1] = items(static_cast<int>(items(down, tile)) * sides, group_rows) * group_rows;
    launch.work = 100;
    passes_.launch(launch, blocks.bytes, pitch, across, down, open, labels, marks);
    launch.kernel = "canny_link_strong";
    launch.global = {items(static_cast<int>(tiles), tile) * tile,
                     items(down, group_rows) * group_rows};
    launch.work = 50;
    passes_.launch(launch, open, static_cast<int>(tiles), down, labels, pitch, marks);
    launch.kernel = "canny_keep";
    launch.global[0] = items(across, at_once * tile) * tile;
    launch.work = 60;
    passes_.launch(launch, blocks.bytes, pitch, across, down, kept, open, static_cast<int>(tiles),
                   labels, marks, edges, edges.plane);
  }

  bool has_gray_samples() const {
    return picture_.samples != StoredSamples::none && picture_.channels == 1;
  }

  DeviceImage edge_map() {
    DeviceImage map;
    const int width = picture_.width, height = picture_.height;
    map.plane = {0, 0, width, height, (width + 31) / 32 * 32, 0};
    map.buffer = passes_.buffer(area(map.plane));
    return map;
  }

  void paint(const DeviceImage& edges) {
    const std::string paint = options("PAINT") + channels();
    const int reach = s_.close_gaps;
    if (reach > 0) {
      const DeviceImage rows = edge_map();
      const Launch launch = span_launch("canny_widen", paint, edges.plane, 1024, 2 * reach);
      passes_.launch(launch, edges, rows, edges.plane, 1, 0, reach);
      passes_.launch(launch, rows, edges, edges.plane, 0, 1, reach);
    } else if (has_gray_samples()) {
      return;
    }
    passes_.launch(span_launch("canny_paint", paint, job_.output.plane, 1024, 6), edges,
                   edges.plane, job_.input, job_.input.plane, job_.output, job_.output.plane);
  }

  const CannySettings& s_;
  const Picture& picture_;
  const TileJob& job_;
  Passes& passes_;
};

}  // namespace

void run_canny(const CannySettings& settings, const TileJob& job, Passes& passes) {
  CannyTile(settings, job, passes).run();
}

}  // namespace sfumato
