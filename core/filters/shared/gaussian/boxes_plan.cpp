// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Plans the passes of repeated boxes.
#include <algorithm>
#include <cstdint>

#include "filters/shared/gaussian/passes.hpp"

namespace sfumato::gaussian {
namespace {

class BoxesPlanner : private PassBuilder {
 public:
  using PassBuilder::PassBuilder;

  PassPlan plan() {
    boxes();
    return std::move(plan_);
  }

 private:
  // Vectors that fit into local memory, with room for alignment.
  int local_vectors() const {
    const std::size_t bytes = std::min(s_.request.device.local_memory, std::size_t{1} << 20);
    return static_cast<int>(bytes / float16_bytes) - 64;
  }

  // Layout of a line on CPU devices, in vectors.
  struct BoxLine {
    int size;   // of a box
    int apron;  // extent of the result's reach beyond itself
    int cache;  // part that stays in the cache
    int span;   // results per line when lines run one at a time

    int of(int results) const { return results + apron; }
  };

  // All boxes along rows, then all along columns, if a line and its reach fit into the cache, which
  // depends on the scheme alone.
  bool boxes_by_lines() {
    BoxLine line{};
    line.size = 2 * s_.box_reach + 1;
    line.apron = 2 * s_.passes * (s_.box_reach + 1);
    const int most = std::min(14336, local_vectors());  // 896 KiB
    line.cache = std::min(8192, most - line.size);      // 512 KiB
    line.span = std::max(line.cache, 3 * line.apron) - line.apron;
    if (line.of(line.span) + line.size > most) return false;
    const Rect r = held();
    const int id = scratch();
    const Plane between = room(id, {out_.x, out_.x + out_.width - 1}, {r.y0, r.y1 - 1});
    add_box_rows(line, id, between);
    add_box_columns(line, id, between);
    return true;
  }

  static LocalArg vectors(int count) {
    return LocalArg{static_cast<std::size_t>(count) * float16_bytes};
  }

  // Factor that turns a box's sum into a mean.
  float box_scale() const {
    return static_cast<float>(1.0 / (2 * s_.box_reach + 1 + 2.0 * s_.box_end));
  }

  void add_box_rows(const BoxLine& line, int id, const Plane& between) {
    PlannedPass rows;
    rows.kernel = "gaussian_box_rows";
    rows.options = options("BOX_ROWS", true, false);
    const int width = std::min(line.span, between.width);
    rows.args = {BufferArg{},
                 in_,
                 edge_,
                 BufferArg{id},
                 between,
                 s_.box_reach,
                 static_cast<float>(s_.box_end),
                 box_scale(),
                 s_.passes,
                 width,
                 vectors(line.of(width) + 2 * lanes_),
                 vectors(line.size)};
    rows.global = {items(between.width, width), items(between.height, lanes_)};
    plan_.passes.push_back(std::move(rows));
  }

  void add_box_columns(const BoxLine& line, int id, const Plane& between) {
    // As many lines side by side as keep each long compared with its apron.
    int across = 16;
    const int least = std::min(out_.height, 2 * line.apron);
    while (across > 1 && line.cache / across - line.apron < least) across /= 2;
    const int long_enough = across == 1 ? line.span : line.cache / across - line.apron;
    // Also short enough that a launch can be cut into pieces.
    const int height = std::min({long_enough, out_.height, std::max(512, 3 * line.apron)});
    const int pitch = line.of(height) | 1;  // makes lines fall into different cache sets
    PlannedPass columns;
    columns.kernel = "gaussian_box_columns";
    columns.options = options("BOX_COLUMNS", false, true);
    columns.args = {BufferArg{id},
                    between,
                    edge_,
                    BufferArg{BufferArg::result},
                    out_,
                    s_.box_reach,
                    static_cast<float>(s_.box_end),
                    box_scale(),
                    s_.passes,
                    height,
                    across,
                    pitch,
                    TableArg{norm_table()},
                    edge_.border() == Border::renormalise ? 1 : 0,
                    vectors(across * pitch),
                    vectors(line.size)};
    columns.global = {items(out_.width, across * lanes_), items(out_.height, height)};
    plan_.passes.push_back(std::move(columns));
  }

  // A single box of whole pixels over 8-bit samples, on CPU devices, if an item's sums fit into
  // local memory.
  bool box_of_samples() {
    constexpr int most_reach = 255;
    const PixelStorage storage = s_.request.source;
    if (storage == PixelStorage::f32 || s_.request.result != storage || s_.request.srgb_samples ||
        s_.passes != 1 || (s_.box_end != 0 && s_.box_end != 1) ||
        edge_.border() == Border::renormalise) {
      return false;
    }
    const int reach = s_.box_reach + static_cast<int>(s_.box_end);
    if (reach > most_reach) return false;
    const int each = storage == PixelStorage::u8_packed3 ? 3 : s_.request.channels;
    // Long and high compared with the reach, and short enough for all processors to have some.
    const int span = std::max(512, 2 * reach), band = std::max(128, 4 * reach);
    const auto samples = static_cast<std::size_t>(span + 4 * reach + 1) * each + 32;
    const LocalArg sums{samples * sizeof(std::uint32_t)};
    if (sums.bytes + float16_bytes > s_.request.device.local_memory) return false;
    const double area = (2.0 * reach + 1) * (2.0 * reach + 1);
    PlannedPass pass;
    pass.kernel = "gaussian_box_samples";
    pass.options = options("BOX_SAMPLES", true, true);
    pass.args = {BufferArg{},
                 in_,
                 edge_,
                 BufferArg{BufferArg::result},
                 out_,
                 reach,
                 static_cast<float>(1 / area),
                 span,
                 band,
                 sums};
    pass.global = {items(out_.width, span), items(out_.height, band)};
    plan_.passes.push_back(std::move(pass));
    return true;
  }

  // How far pass p's result extends beyond the final one along its axis.
  int more_than_out(int p) const { return (s_.passes - 1 - p) * (s_.box_reach + 1); }

  void boxes() {
    if (cpu_ && (box_of_samples() || boxes_by_lines())) return;
    int here = scratch(), there = scratch();
    // A CPU device keeps them in local memory if they fit.
    const bool apart = !cpu_ || 2 * s_.box_reach + 1 > local_vectors();
    const int tails = apart ? scratch() : -1;
    // Two lines of 512 pixels and their reach, in 48 KiB.
    const bool fits = !cpu_ && s_.box_reach <= 480;
    Plane at = fits ? rows_by_windows(here, there) : rows_by_transposing(here, there, tails);
    Edge edge = edge_;
    for (int p = 0; p < s_.passes; ++p) {
      const bool last = p + 1 == s_.passes;
      const int more = more_than_out(p);
      const Plane to = last ? out_
                            : room(there, {out_.x, out_.x + out_.width - 1},
                                   {out_.y - more, out_.y + out_.height - 1 + more});
      box({here}, at, edge, {last ? BufferArg::result : there}, to, tails);
      at = to;
      edge = Edge(at.rect(), Border::clamp);
      std::swap(here, there);
    }
  }

  // On GPUs: all boxes along rows, with each row in local memory; the result is in the scratch
  // `here`.
  Plane rows_by_windows(int& here, int& there) {
    const Rect r = held();
    BufferArg from{BufferArg::source};
    Plane at = in_;
    Edge edge = edge_;
    for (int p = 0; p < s_.passes; ++p) {
      const int more = more_than_out(p);
      const Plane to =
          room(there, {out_.x - more, out_.x + out_.width - 1 + more}, {r.y0, r.y1 - 1});
      const int size = 2 * s_.box_reach + 1;
      PlannedPass pass;
      pass.kernel = "gaussian_box_rows";
      pass.options = options("BOX_ROWS", p == 0, false);
      const LocalArg line{static_cast<std::size_t>(512 + size + 1) *
                          static_cast<std::size_t>(s_.request.channels) * sizeof(float)};
      pass.args = {from,
                   at,
                   edge,
                   BufferArg{there},
                   to,
                   s_.box_reach,
                   static_cast<float>(s_.box_end),
                   static_cast<float>(1.0 / (size + 2.0 * s_.box_end)),
                   line,
                   line};
      pass.global = {items(to.width, 512) * 256, items(to.height, 1)};
      pass.local = {256, 1};
      plan_.passes.push_back(std::move(pass));
      from = {there};
      at = to;
      edge = Edge(at.rect(), Border::clamp);
      std::swap(here, there);
    }
    return at;
  }

  // The same as columns of the transposed picture.
  Plane rows_by_transposing(int& here, int& there, int tails) {
    const Rect r = held();
    Plane at = room(here, {r.y0, r.y1 - 1}, {r.x0, r.x1 - 1});
    transpose({BufferArg::source}, in_, {here}, at);
    Edge edge = edge_;
    std::swap(edge.x0, edge.y0);
    std::swap(edge.x1, edge.y1);
    for (int p = 0; p < s_.passes; ++p) {
      const int more = more_than_out(p);
      const Plane to =
          room(there, {r.y0, r.y1 - 1}, {out_.x - more, out_.x + out_.width - 1 + more});
      box({here}, at, edge, {there}, to, tails);
      at = to;
      edge = Edge(at.rect(), Border::clamp);
      std::swap(here, there);
    }
    const Plane back = room(there, {out_.x, out_.x + out_.width - 1}, {r.y0, r.y1 - 1});
    transpose({here}, at, {there}, back);
    std::swap(here, there);
    return back;
  }

  void transpose(BufferArg from, const Plane& in, BufferArg to, const Plane& out) {
    PlannedPass pass;
    pass.kernel = "gaussian_transpose";
    pass.options = options("TRANSPOSE", from.id == BufferArg::source, false);
    pass.args = {from, in, to, out};
    const int square = cpu_ ? 64 : 16;
    pass.global = {items(out.width, square), items(out.height, square)};
    if (!cpu_) {
      pass.local = {16, 16};
      for (std::size_t& count : pass.global) count *= 16;
    }
    plan_.passes.push_back(std::move(pass));
  }

  void box(BufferArg from, const Plane& in, const Edge& edge, BufferArg to, const Plane& out,
           int tails) {
    const bool last = to.id == BufferArg::result;
    const int size = 2 * s_.box_reach + 1;
    PlannedPass pass;
    pass.kernel = "gaussian_box";
    pass.options = options("BOX", false, last);
    const int blocks = std::max(1, (cpu_ ? 256 : 64) / size);
    const int count = floor_div(out.y + out.height - 1 - s_.box_reach, size) -
                      floor_div(out.y - s_.box_reach, size) + 1;
    const bool renormalise = last && edge_.border() == Border::renormalise;
    pass.args = {from,
                 in,
                 edge,
                 to,
                 out,
                 s_.box_reach,
                 static_cast<float>(s_.box_end),
                 static_cast<float>(1.0 / (size + 2.0 * s_.box_end)),
                 blocks,
                 TableArg{last ? norm_table() : table(std::vector<float>{1.0f})},
                 renormalise ? 1 : 0};
    if (cpu_) {
      // At most 256 KiB, less one vector.
      const int across = std::clamp(std::min(4096, local_vectors() / 2) / size, 1, 16);
      pass.args.push_back(across);
      if (size > local_vectors()) {
        pass.options += " -D TAILS_APART";
        const int width = round_up(out.width, across * lanes_);
        room(tails, {out.x, out.x + width - 1}, {out.y, out.y + out.height - 1});
        pass.args.push_back(BufferArg{tails});
      } else {
        pass.args.push_back(LocalArg{static_cast<std::size_t>(size) *
                                     static_cast<std::size_t>(across) * float16_bytes});
      }
      pass.args.push_back(LocalArg{static_cast<std::size_t>(2 * across) * float16_bytes});
      pass.global = {items(out.width, across * lanes_), items(count, blocks)};
    } else {
      pass.args.push_back(BufferArg{tails});
      pass.args.push_back(
          room(tails, {out.x, out.x + out.width - 1}, {out.y, out.y + out.height - 1}));
      pass.global = {items(out.width, 64) * 64, items(count, blocks)};
      pass.local = {64, 1};
    }
    plan_.passes.push_back(std::move(pass));
  }
};

}  // namespace

PassPlan plan_boxes(const GaussianScheme& scheme, const Plane& in, const Edge& edge,
                    const Plane& out) {
  return BoxesPlanner(scheme, in, edge, out).plan();
}

}  // namespace sfumato::gaussian
