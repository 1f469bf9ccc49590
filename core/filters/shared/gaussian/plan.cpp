// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Plans the passes of a Gaussian blur for one output rectangle.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "filters/shared/gaussian/passes.hpp"

namespace sfumato {
namespace gaussian {
namespace {

class GaussianPlanner : private PassBuilder {
 public:
  GaussianPlanner(const GaussianScheme& scheme, const Plane& in, const Edge& edge, const Plane& out,
                  const Plane& base)
      : PassBuilder(scheme, in, edge, out), base_(base) {}

  PassPlan plan() {
    switch (s_.method) {
      case GaussianMethod::multirate:
        multirate();
        break;
      case GaussianMethod::boxes:
        if (s_.taps.empty()) return plan_boxes(s_, in_, edge_, out_);
        strip({BufferArg::source}, in_, edge_, {BufferArg::result}, out_, s_.taps, true);
        break;
      case GaussianMethod::direct:
        direct();
        break;
      case GaussianMethod::bilinear_float:
      case GaussianMethod::bilinear:
        // A software sampler costs about a hundred times its arithmetic, so CPUs compute the two
        // products of a fetch between pixels directly.
        if (!cpu_) return plan_fetches(s_, in_, edge_, out_);
        separable();
        break;
      default:
        separable();
    }
    return std::move(plan_);
  }

 private:
  // Rows per strip: enough groups to keep every compute unit busy, but few enough not to recompute
  // the apron often.
  int band_rows(int strips, int height, int apron, int multiple, int most) const {
    const int wanted = std::max(1, static_cast<int>(s_.request.device.compute_units) * 8 / strips);
    const int rows = std::max({ceil_div(height, wanted), 2 * apron, multiple});
    return round_up(std::min(rows, std::max(most, 2 * apron)), multiple);
  }

  // Rows and columns fused, with the given half of the taps.
  void strip(BufferArg from, const Plane& in, const Edge& edge, BufferArg to, const Plane& out,
             const std::vector<double>& taps, bool ends) {
    const bool reads = from.id == BufferArg::source, writes = to.id == BufferArg::result;
    const int norm = ends ? norm_table() : table(std::vector<float>{1.0f});
    PlannedPass pass;
    pass.kernel = "gaussian_strip";
    pass.options = options("STRIP", reads, writes);
    if (cpu_) {
      cpu_strip(pass, from, in, edge, to, out, taps, norm);
    } else {
      gpu_strip(pass, from, in, edge, to, out, taps, norm);
    }
    plan_.passes.push_back(std::move(pass));
  }

  void cpu_strip(PlannedPass& pass, BufferArg from, const Plane& in, const Edge& edge, BufferArg to,
                 const Plane& out, std::vector<double> taps, int norm) {
    const int radius = strip_radius(true, static_cast<int>(taps.size()) - 1);
    taps.resize(static_cast<std::size_t>(radius) + 1, 0.0);
    const int block = radius <= 8 ? 4 : 8;
    if (radius <= 8) pass.options += " -D RADIUS=" + std::to_string(radius);
    const int round = std::max(lanes_, block);
    pass.options += " -D BLOCK=" + std::to_string(block);
    // Rounded to 8 bits, both sums are the same but for ties.
    const bool plain = s_.request.method == GaussianMethod::separable ||
                       pass.options.find("SRC_") != std::string::npos;
    if (plain) pass.options += " -D PLAIN_SUM";
    int ring = 1;
    while (ring < 2 * radius + round + lanes_) ring *= 2;
    const auto columns = [&](int vectors) {
      return static_cast<std::size_t>(vectors * lanes_ + 2 * round_up(radius, lanes_) + 16);
    };
    const auto bytes = [&](int vectors) {
      return (columns(vectors) + static_cast<std::size_t>(ring * vectors)) * float16_bytes;
    };
    int vectors = sizes_.strip_vectors;
    while (vectors > 4 && bytes(vectors) + 4096 > s_.request.device.local_memory) vectors /= 2;
    const int width = vectors * lanes_, strips = ceil_div(out.width, width);
    const int band = band_rows(strips, out.height, radius, round, sizes_.strip_rows);
    pass.args = {from,
                 in,
                 edge,
                 to,
                 out,
                 TableArg{table(whole(taps))},
                 radius,
                 width,
                 band,
                 TableArg{norm},
                 LocalArg{columns(vectors) * float16_bytes},
                 LocalArg{static_cast<std::size_t>(ring) * static_cast<std::size_t>(vectors) *
                          float16_bytes},
                 ring - 1};
    pass.global = {static_cast<std::size_t>(strips), items(out.height, band)};
  }

  void gpu_strip(PlannedPass& pass, BufferArg from, const Plane& in, const Edge& edge, BufferArg to,
                 const Plane& out, std::vector<double> taps, int norm) {
    int radius = static_cast<int>(taps.size()) - 1;
    // A box must not read further than it says: a NaN would spread, even with weight 0.
    if (s_.method != GaussianMethod::boxes) radius = strip_radius(false, radius);
    taps.resize(static_cast<std::size_t>(radius) + 1, 0.0);
    pass.options += " -D RADIUS=" + std::to_string(radius);
    const int group = sizes_.strip_items, width = s_.request.channels == 4 ? group / 2 : group;
    pass.options += " -D ITEMS=" + std::to_string(group);
    const int strips = ceil_div(out.width, width);
    const int band = gpu_band(strips, out.height, std::max(32, 2 * radius), 8, sizes_.strip_waves);
    pass.args = {from, in, edge, to, out, ValueArg{table(taps)}, band, TableArg{norm}};
    pass.local = {static_cast<std::size_t>(group), 1};
    pass.global = {static_cast<std::size_t>(strips) * pass.local[0], items(out.height, band)};
  }

  // Rows per group for about `waves` groups per compute unit: a number with many divisors, since it
  // is unknown here how many groups a unit runs at once.
  int gpu_band(int strips, int height, int least, int multiple, int waves) const {
    const int groups = static_cast<int>(s_.request.device.compute_units) * waves;
    const int bands = std::max(1, groups / strips);
    return round_up(std::max(ceil_div(height, bands), least), multiple);
  }

  // The part of each level that the result needs, coarsest first, and the position from which a
  // level is constant (clamp and zero), beyond which low resolutions are not computed.
  struct Axis {
    Span fine;                 // part of the blurred coarse level that interpolation reads
    std::vector<Span> needed;  // of every decimated level
    Span held;                 // clamp beyond this at the coarsest level
  };

  Axis axis(int x0, int x1, int lo, int hi) const {
    const bool settles = edge_.border() != Border::mirror && edge_.border() != Border::wrap;
    const bool zero = settles && edge_.border() != Border::clamp;
    const int d = s_.decimation;
    Axis a;
    a.fine = {floor_div(x0, d) - 1, floor_div(x1 - 1, d) + 2};
    if (cpu_) {
      // Every whole vector reads the same number of neighbours.
      const int left = floor_div(x0, lanes_) * lanes_;
      const int last = floor_div(x1 - 1, lanes_) * lanes_;
      a.fine = {floor_div(left, d) - 1, floor_div(last, d) - 2 + neighbours()};
    }
    std::vector<Span> settled;
    Span known{zero ? lo - 1 : lo, zero ? hi : hi - 1};
    for (const int f : s_.factors) {
      known = {floor_div(known.lo - decimation_reach(f), f),
               ceil_div(known.hi + decimation_reach(f), f)};
      settled.push_back(known);
    }
    const auto limit = [&](Span span, const Span& bounds) {
      if (!settles) return span;
      return Span{std::clamp(span.lo, bounds.lo, bounds.hi),
                  std::clamp(span.hi, bounds.lo, bounds.hi)};
    };
    a.needed.resize(s_.factors.size());
    Span want{a.fine.lo - s_.reach, a.fine.hi + s_.reach};
    for (std::size_t i = s_.factors.size(); i-- > 0;) {
      a.needed[i] = limit(want, settled[i]);
      const int f = s_.factors[i];
      want = {a.needed[i].lo * f - decimation_reach(f), a.needed[i].hi * f + decimation_reach(f)};
    }
    a.held = a.needed.back();
    return a;
  }

  int neighbours() const {
    const int d = s_.decimation;
    int cells = 1;
    for (int run = 0; run < std::lcm(d, lanes_); run += lanes_) {
      cells = std::max(cells, (run + lanes_ - 1) / d - run / d + 1);
    }
    return cells + 3;
  }

  void multirate() {
    const Axis ax = axis(out_.x, out_.x + out_.width, edge_.x0, edge_.x1);
    const Axis ay = axis(out_.y, out_.y + out_.height, edge_.y0, edge_.y1);
    BufferArg from{BufferArg::source};
    Plane in = in_;
    Edge edge = edge_;
    for (std::size_t i = 0; i < s_.factors.size(); ++i) {
      const int id = scratch();
      const Plane low = room(id, ax.needed[i], ay.needed[i]);
      decimate(from, in, edge, {id}, low, s_.factors[i]);
      from = {id};
      in = low;
      // Beyond the held part, a level is constant.
      edge = Edge(in.rect(), Border::clamp);
    }
    const int id = scratch();
    const Plane low = room(id, ax.fine, ay.fine);
    if (s_.parts.empty()) {
      strip(from, in, edge, {id}, low, s_.taps, false);
    } else {
      sum_parts(from, in, edge, {id}, low);
    }
    interpolate({id}, low);
  }

  // The weighted sum of blurs of the low resolution.
  void sum_parts(BufferArg from, const Plane& in, const Edge& edge, BufferArg to,
                 const Plane& out) {
    const int id = scratch();
    const Plane part = room(id, {out.x, out.x + out.width - 1}, {out.y, out.y + out.height - 1});
    bool first = true;
    for (const GaussianPart& p : s_.parts) {
      append(plan_gaussian(p.blur, in, edge, part), from, {id});
      PlannedPass pass;
      pass.kernel = "gaussian_add_part";
      pass.options = options("ADD_PART", false, false);
      pass.args = {BufferArg{id}, part, to, out, p.weight, first ? 1 : 0};
      pass.global = {cpu_ ? 1 : items(out.width, 64) * 64, static_cast<std::size_t>(out.height)};
      if (!cpu_) pass.local = {64, 1};
      plan_.passes.push_back(std::move(pass));
      first = false;
    }
  }

  // The passes of another plan, between buffers of this one.
  void append(PassPlan other, BufferArg from, BufferArg to) {
    const auto scratches = static_cast<int>(plan_.scratch.size());
    const auto tables = static_cast<int>(plan_.tables.size());
    for (PlannedPass& pass : other.passes) {
      for (PassArg& arg : pass.args) {
        if (auto* const buffer = std::get_if<BufferArg>(&arg)) {
          *buffer = buffer->id == BufferArg::source   ? from
                    : buffer->id == BufferArg::result ? to
                                                      : BufferArg{buffer->id + scratches};
        }
        if (auto* const table = std::get_if<TableArg>(&arg)) table->id += tables;
        if (auto* const value = std::get_if<ValueArg>(&arg)) value->id += tables;
      }
      plan_.passes.push_back(std::move(pass));
    }
    std::ranges::move(other.scratch, std::back_inserter(plan_.scratch));
    std::ranges::move(other.tables, std::back_inserter(plan_.tables));
  }

  void decimate(BufferArg from, const Plane& in, const Edge& edge, BufferArg to, const Plane& out,
                int factor) {
    PlannedPass pass;
    pass.kernel = "gaussian_decimate";
    pass.options = options("DECIMATE", from.id == BufferArg::source, false);
    pass.options += " -D FACTOR=" + std::to_string(factor);
    pass.options += " -D REACH=" + std::to_string(decimation_reach(factor));
    if (!cpu_) {
      const int columns = (256 - 2 * decimation_reach(factor) - 1) / factor + 1;
      const int strips = ceil_div(out.width, columns);
      const int band = gpu_band(strips, out.height, 16, 4, sizes_.decimate_waves);
      pass.args = {from, in, edge, to, out, ValueArg{table(decimation_taps(factor))}, band};
      pass.global = {static_cast<std::size_t>(strips) * 256, items(out.height, band)};
      pass.local = {256, 1};
      plan_.passes.push_back(std::move(pass));
      return;
    }
    const int width = 128;
    pass.options += " -D LOW_STRIP=" + std::to_string(width);
    const int strips = ceil_div(out.width, width);
    const int band = band_rows(strips, out.height, 2, lanes_, sizes_.decimate_rows);
    const std::size_t columns = static_cast<std::size_t>((width + 8) * factor + 2 * lanes_);
    pass.args = {from, in,
                 edge, to,
                 out,  TableArg{table(decimation_taps(factor))},
                 band, LocalArg{columns * float16_bytes}};
    pass.global = {static_cast<std::size_t>(strips), items(out.height, band)};
    plan_.passes.push_back(std::move(pass));
  }

  void interpolate(BufferArg from, const Plane& low) {
    const int d = s_.decimation;
    PlannedPass pass;
    pass.kernel = "gaussian_interpolate";
    pass.options = options("INTERPOLATE", false, true);
    const bool adds = !s_.parts.empty();
    if (adds) pass.options += " -D ADD_TO_BASE";
    pass.args = {from, low, BufferArg{BufferArg::result},
                 out_, d,   TableArg{table(phase_weights())}};
    const auto end = [&] {
      pass.args.emplace_back(TableArg{norm_table()});
      pass.args.emplace_back(edge_.border() == Border::renormalise ? 1 : 0);
    };
    if (!cpu_) {
      const int band = std::max(16, std::min(d, 64));
      pass.args.emplace_back(band);
      end();
      pass.global = {static_cast<std::size_t>(round_up(out_.width, 128)), items(out_.height, band)};
      pass.local = {128, 1};
    } else {
      pass.options += " -D NEIGHBOURS=" + std::to_string(neighbours());
      const int width = 64 * lanes_;
      const int strips = ceil_div(out_.width + lanes_, width);
      const int band = band_rows(strips, out_.height, 4 * std::min(d, 16), 8, 256);
      pass.args.emplace_back(std::lcm(d, lanes_) / lanes_);
      pass.args.emplace_back(band);
      end();
      pass.args.emplace_back(LocalArg{4 * 64 * float16_bytes});
      pass.global = {static_cast<std::size_t>(strips), items(out_.height, band)};
    }
    if (adds) {
      pass.args.emplace_back(BufferArg{BufferArg::base});
      pass.args.emplace_back(base_);
    }
    plan_.passes.push_back(std::move(pass));
  }

  // The weights of four low-resolution neighbours for each place of a pixel between them; for
  // processors also those of each lane of a vector, for each place that a vector begins at.
  std::vector<float> phase_weights() const {
    const int d = s_.decimation;
    const std::vector<double> kernel = interpolation_taps(d);
    std::vector<float> weights;
    for (int y = 0; y < d; ++y) {
      for (int j = -1; j <= 2; ++j) {
        weights.push_back(static_cast<float>(kernel[std::abs(y - j * d)]));
      }
    }
    const int phases = cpu_ ? std::lcm(d, lanes_) / lanes_ : 0, near = neighbours();
    for (int phase = 0; phase < phases; ++phase) {
      const int x = phase * lanes_;
      for (int j = 0; j < near; ++j) {
        for (int lane = 0; lane < 16; ++lane) {
          const int away = std::abs(x + lane / s_.request.channels - (x / d - 1 + j) * d);
          weights.push_back(away < 2 * d ? static_cast<float>(kernel[away]) : 0.0f);
        }
      }
    }
    return weights;
  }

  void separable() {
    if (s_.shares_products) {
      products();
    } else if (s_.fused) {
      strip({BufferArg::source}, in_, edge_, {BufferArg::result}, out_, s_.taps, true);
    } else {
      unfused();
    }
  }

  // Rows, then columns; each product is used twice.
  void products() {
    constexpr int group = gaussian_line;
    const Rect r = held();
    const int id = scratch(), taps = table(s_.taps), norm = norm_table();
    const Plane between = room(id, {out_.x, out_.x + out_.width - 1}, {r.y0, r.y1 - 1});
    const LocalArg line{static_cast<std::size_t>(group + 2 * s_.radius) *
                        static_cast<std::size_t>(s_.request.channels) * sizeof(float)};
    const auto add = [&](bool down, BufferArg from, const Plane& in, BufferArg to,
                         const Plane& out) {
      PlannedPass pass;
      pass.kernel = "gaussian_products";
      pass.options = options("PRODUCTS", !down, down) + (down ? " -D LAST_PASS" : "") +
                     " -D ITEMS=" + std::to_string(group);
      pass.args = {from,           in,        edge_, to,  out, TableArg{taps}, s_.radius,
                   TableArg{norm}, int{down}, line,  line};
      pass.local = {group, 1};
      pass.global = {items(down ? out.height : out.width, group) * group,
                     static_cast<std::size_t>(down ? out.width : out.height)};
      plan_.passes.push_back(std::move(pass));
    };
    add(false, BufferArg{BufferArg::source}, in_, BufferArg{id}, between);
    add(true, BufferArg{id}, between, BufferArg{BufferArg::result}, out_);
  }

  void unfused() {
    const Rect r = held();
    const int id = scratch();
    const Plane between = room(id, {out_.x, out_.x + out_.width - 1}, {r.y0, r.y1 - 1});
    const int taps = table(whole(s_.taps));
    PlannedPass rows;
    rows.kernel = "gaussian_rows";
    rows.options = options("ROWS", true, false);
    rows.args = {BufferArg{}, in_, edge_, BufferArg{id}, between, TableArg{taps}, s_.radius};
    PlannedPass columns;
    columns.kernel = "gaussian_columns";
    columns.options = options("COLUMNS", false, true);
    columns.args = {BufferArg{id}, between,        edge_,     BufferArg{BufferArg::result},
                    out_,          TableArg{taps}, s_.radius, TableArg{norm_table()}};
    if (cpu_) {
      rows.args.push_back(
          LocalArg{(256 + 1024 + 2 * static_cast<std::size_t>(lanes_)) * float16_bytes});
      rows.args.push_back(LocalArg{(256 + static_cast<std::size_t>(lanes_)) * float16_bytes});
      rows.global = {items(between.width, 256), items(between.height, lanes_)};
      columns.args.push_back(LocalArg{8 * (64 + 256) * float16_bytes});
      columns.args.push_back(LocalArg{8 * 64 * float16_bytes});
      columns.global = {items(out_.width, 8 * lanes_), items(out_.height, 64)};
    } else {
      size_pass(rows, sizes_.row_results, sizes_.row_items);
      rows.global = {items(between.width, 64 * sizes_.row_results) * rows.local[0],
                     items(between.height, sizes_.row_items / 64)};
      size_pass(columns, sizes_.column_results, sizes_.column_items);
      columns.global = {items(out_.width, sizes_.column_items) * columns.local[0],
                        items(out_.height, sizes_.column_results)};
    }
    plan_.passes.push_back(std::move(rows));
    plan_.passes.push_back(std::move(columns));
  }

  static void size_pass(PlannedPass& pass, int results, int group) {
    pass.options += " -D RESULTS=" + std::to_string(results) + " -D ITEMS=" + std::to_string(group);
    pass.local = {static_cast<std::size_t>(group), 1};
  }

  void direct() {
    const std::vector<double> line = whole(s_.taps);
    std::vector<double> square;
    for (const double down : line) {
      for (const double across : line) square.push_back(down * across);
    }
    PlannedPass pass;
    pass.kernel = "gaussian_direct";
    pass.options = options("DIRECT", true, true);
    pass.args = {BufferArg{}, in_,
                 edge_,       BufferArg{BufferArg::result},
                 out_,        TableArg{table(square)},
                 s_.radius,   TableArg{norm_table()}};
    if (cpu_) {
      const int width = round_up(8 * lanes_ + 2 * s_.radius, lanes_);
      pass.args.push_back(LocalArg{static_cast<std::size_t>(width / lanes_) *
                                   static_cast<std::size_t>(16 + 2 * s_.radius) * float16_bytes});
      pass.global = {items(out_.width, 8 * lanes_), items(out_.height, 16)};
    } else {
      pass.global = {items(out_.width, 64) * 256, items(out_.height, 16)};
      pass.local = {256, 1};
    }
    plan_.passes.push_back(std::move(pass));
  }

  const Plane base_;  // of a picture to which a sum is added
};

}  // namespace
}  // namespace gaussian

PassPlan plan_gaussian(const GaussianScheme& scheme, const Plane& in, const Edge& edge,
                       const Plane& out, const Plane& base) {
  return gaussian::GaussianPlanner(scheme, in, edge, out, base).plan();
}

}  // namespace sfumato
