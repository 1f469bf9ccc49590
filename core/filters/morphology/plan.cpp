// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Plans the passes of a morphological operation for one output rectangle.
#include "filters/morphology/plan.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "filters/shared/integer_division.hpp"

namespace sfumato {
namespace {

using Operation = MorphologyOperation;

constexpr int no_key = std::numeric_limits<int>::min();
// The widest reach of one pass along rows on GPUs: two lines of 512 + 2 * 480 pixels fit into 48
// KiB.
constexpr int row_span = 512, row_reach = 480;
// Limits for the number of rows that CPUs compute at once.
constexpr int least_band = 256, most_band = 4096;

std::size_t size_of(int count) {
  return static_cast<std::size_t>(std::max(0, count));
}

bool holds_samples(const MorphologyRequest& request) {
  return request.storage != PixelStorage::f32;
}
// Samples per stored pixel.
int each_of(const MorphologyRequest& request) {
  return request.storage == PixelStorage::u8_packed3 ? 3 : request.channels;
}
int sample_bytes(const MorphologyRequest& request) {
  return holds_samples(request) ? 1 : 4;
}
// Samples that CPUs compare at once.
constexpr int most_lanes = 64;
bool wide(const MorphologyRequest& request) {
  return request.device.built_in && holds_samples(request);
}
int lanes_of(const MorphologyRequest& request) {
  return wide(request) ? most_lanes : 16;
}
// Bytes of one stored pixel, and of its keys.
int pixel_bytes(const MorphologyRequest& request) {
  return each_of(request) * sample_bytes(request);
}
int key_bytes(const MorphologyRequest& request) {
  return (request.device.cpu ? each_of(request) : request.channels) * sample_bytes(request);
}

// On CPUs, the most local memory to use, and the part to keep in the cache.
std::size_t most_bytes(const MorphologyRequest& request) {
  constexpr std::size_t most = std::size_t{896} << 10, rest = std::size_t{16} << 10;
  return std::min(most, request.device.local_memory - rest);
}
std::size_t line_bytes(const MorphologyRequest& request) {
  return std::min(std::size_t{512} << 10, most_bytes(request));
}

// Whether the rows that one window reaches, at least one vector wide, exceed local memory and go to
// a buffer.
bool rows_apart(const MorphologyRequest& request, int reach, int longest) {
  const int vector = lanes_of(request) * sample_bytes(request);
  const std::size_t rows = size_of(2 * reach + 1) * size_of(vector);
  if (request.shape == MorphologyShape::square) return rows > most_bytes(request);
  const int each = std::lcm(lanes_of(request), each_of(request)) *
                   sample_bytes(request);  // whole pixels and vectors
  const std::size_t line = size_of(each + 2 * longest * pixel_bytes(request)) + 256;
  return size_of(2 * reach + 1) * size_of(each) + line + 64 > most_bytes(request);
}

// On CPUs, how many pixels of a row the kernel for small squares takes at once; 0 if the square is
// not small, or the rows that its windows reach do not fit into local memory.
int near_span(const MorphologyRequest& request, int reach) {
  constexpr int most_reach = 12, least = 64, most = 1024;
  if (!request.device.cpu || request.shape != MorphologyShape::square || reach > most_reach) {
    return 0;
  }
  const std::size_t pixel = size_of(pixel_bytes(request)), rows = size_of(2 * reach + 2);
  const auto bytes = [&](std::size_t span) {
    return (rows + 1) * span * pixel + size_of(2 * reach) * pixel + 256;
  };
  const std::size_t fitting =
      (std::size_t{96} << 10) / ((rows + 1) * pixel) / most_lanes * most_lanes;
  const std::size_t span = std::clamp<std::size_t>(fitting, least, most);
  return bytes(span) <= most_bytes(request) ? static_cast<int>(span) : 0;
}

class MorphologyPlanner {
 public:
  MorphologyPlanner(const MorphologyRequest& request, const Plane& in, const Edge& edge,
                    const Plane& out)
      : request_(request), in_(in), edge_(edge), out_(out), wraps_(edge.border() == Border::wrap) {
    // With clamp and mirror, the pixels that replace those outside are in the element anyway.
    if (!wraps_) edge_.rule = static_cast<int>(Border::renormalise);
    zeros_count_ = edge.border() == Border::zero && !(request.channels == 4 && request.has_alpha);
  }

  PassPlan plan() {
    const End source{{BufferArg::source}, in_}, result{{BufferArg::result}, out_};
    switch (request_.operation) {
      case Operation::dilate:
      case Operation::erode:
        stage(source, request_.operation == Operation::erode, result);
        break;
      case Operation::open:
      case Operation::close:
        two_stages(source, result);
        break;
      case Operation::gradient: {
        const End high = picture(out_.rect()), low = picture(out_.rect());
        stage(source, false, high);
        stage(source, true, low);
        difference(high, low, result);
        break;
      }
      case Operation::tophat:
      case Operation::blackhat: {
        const End both = picture(out_.rect());
        two_stages(source, both);
        if (request_.operation == Operation::tophat) {
          difference(source, both, result);
        } else {
          difference(both, source, result);
        }
        break;
      }
    }
    return std::move(plan_);
  }

 private:
  // A picture in a buffer.
  struct End {
    BufferArg buffer;
    Plane plane;
  };

  int scratch(std::size_t bytes) {
    plan_.scratch.push_back({(bytes + 256) / 4, false, 0, 0});
    return static_cast<int>(plan_.scratch.size()) - 1;
  }
  // A scratch buffer that successive stages share.
  int shared(int& id, std::size_t bytes) {
    if (id < 0) return id = scratch(bytes);
    std::size_t& floats = plan_.scratch[static_cast<std::size_t>(id)].floats;
    floats = std::max(floats, (bytes + 256) / 4);
    return id;
  }
  Plane laid(const Rect& r) const {
    const int each = morphology_row_multiple(request_);
    const int stride = (r.width() + each - 1) / each * each;
    return {r.x0, r.y0, r.width(), r.height(), stride, 0};
  }
  static std::size_t pixels(const Plane& p) { return size_of(p.stride) * size_of(p.height); }
  End picture(const Rect& r) {
    const Plane plane = laid(r);
    return {{scratch(pixels(plane) * size_of(pixel_bytes(request_)))}, plane};
  }

  // The part of the picture that the buffer holds.
  Rect held(const Plane& in) const {
    return in.rect().intersected({edge_.x0, edge_.y0, edge_.x1, edge_.y1});
  }
  // The part of it that a window around `r` may need.
  Rect required(const Plane& in, const Rect& r, int x, int y) const {
    // A wrapping window may need the other end of the picture.
    return wraps_ ? held(in) : r.grown(x, y).intersected(held(in));
  }

  PlannedPass pass(const char* kernel) const {
    PlannedPass p;
    p.kernel = kernel;
    p.options = "-D CHANNELS=" + std::to_string(request_.channels) +
                " -D HAS_ALPHA=" + (request_.channels == 4 && request_.has_alpha ? "1" : "0");
    if (request_.storage == PixelStorage::u8) p.options += " -D SRC_U8 -D DST_U8";
    if (request_.storage == PixelStorage::u8_packed3) p.options += " -D SRC_PACKED3 -D DST_PACKED3";
    if (request_.device.cpu) p.options += " -D FORM_CPU";
    if (wide(request_)) p.options += " -D WIDE_KEYS";
    return p;
  }

  void two_stages(const End& from, const End& to) {
    const bool opens =
        request_.operation == Operation::open || request_.operation == Operation::tophat;
    const int r = request_.radius;
    const End middle = picture(required(in_, to.plane.rect(), r, r));
    stage(from, opens, middle);
    stage(middle, !opens, to);
  }

  // One dilation or erosion.
  void stage(const End& from, bool erodes, const End& to) {
    flip_ = erodes ? -1 : 0;
    // The key of 0, if pixels outside count as 0.
    outside_ = zeros_count_ ? flip_ : no_key;
    if (request_.shape == MorphologyShape::square) {
      square(from, to);
    } else if (request_.device.cpu) {
      chords_on_cpu(from, to);
    } else {
      chords_on_gpu(from, to);
    }
  }

  void square(const End& from, const End& to) {
    // A window that already reaches beyond both sides gains nothing by reaching further.
    const int rx = std::min(request_.radius, edge_.x1 - edge_.x0);
    const int ry = std::min(request_.radius, edge_.y1 - edge_.y0);
    if (const int span = near_span(request_, request_.radius)) {
      near_on_cpu(from, to, rx, ry, span);
      return;
    }
    const Rect rows = required(from.plane, to.plane.rect(), rx, ry);
    const Rect wanted{to.plane.x, rows.y0, to.plane.x + to.plane.width, rows.y1};
    const Plane between = laid(wanted);
    const int keys = shared(keys_, pixels(between) * size_of(key_bytes(request_)));
    if (request_.device.cpu) {
      rows_on_cpu(from, keys, between, rx);
      columns_on_cpu(keys, between, from, to, ry);
    } else {
      rows_on_gpu(from, keys, between, rx, rows);
      columns_on_gpu(keys, between, from, to, ry);
    }
  }

  void near_on_cpu(const End& from, const End& to, int rx, int ry, int span) {
    constexpr int band = 128;
    const std::size_t bytes = size_of(pixel_bytes(request_));
    PlannedPass p = pass("morphology_near");
    p.args = {from.buffer,
              from.plane,
              edge_,
              to.buffer,
              to.plane,
              rx,
              ry,
              flip_,
              outside_,
              span,
              band,
              LocalArg{size_of(span + 2 * rx) * bytes + 256},
              LocalArg{size_of(2 * ry + 2) * size_of(span) * bytes}};
    p.global = {items(to.plane.width, span), items(to.plane.height, band)};
    plan_.passes.push_back(std::move(p));
  }

  void rows_on_cpu(const End& from, int keys, const Plane& between, int reach) {
    constexpr int band = 8;
    const int bytes = pixel_bytes(request_);
    // Long compared with its reach, and as long as the cache allows.
    const int fitting = static_cast<int>(line_bytes(request_)) / bytes - 2 * reach;
    const int span = std::clamp(8 * reach, 768, std::max(768, fitting)) / most_lanes * most_lanes;
    PlannedPass p = pass("morphology_rows");
    p.args = {from.buffer,
              from.plane,
              edge_,
              BufferArg{keys},
              between,
              reach,
              flip_,
              outside_,
              span,
              band,
              LocalArg{size_of((span + 2 * reach) * bytes) + 256}};
    p.global = {items(between.width, span), items(between.height, band)};
    plan_.passes.push_back(std::move(p));
  }

  // The first arguments of the kernels of both forms.
  PlannedPass columns(int keys, const Plane& between, const End& from, const End& to, int reach) {
    PlannedPass p = pass("morphology_columns");
    p.args = {BufferArg{keys}, between,  edge_, from.buffer, from.plane,
              to.buffer,       to.plane, reach, flip_,       outside_};
    return p;
  }

  void columns_on_cpu(int keys, const Plane& between, const End& from, const End& to, int reach) {
    const int size = 2 * reach + 1, lanes = lanes_of(request_);
    const int vector = lanes * sample_bytes(request_);
    const int fast = static_cast<int>(line_bytes(request_)) / 8 / (size * vector);
    const int most =
        std::min(static_cast<int>(most_bytes(request_)) / (size * vector), 1024 / vector);
    const int across = std::max(1, std::min(std::max(fast, 4), most));
    const int blocks = std::max(1, 256 / size);
    PlannedPass p = columns(keys, between, from, to, reach);
    p.args.emplace_back(blocks);
    p.args.emplace_back(across);
    p.args.emplace_back(LocalArg{size_of(size * across * vector)});
    p.args.emplace_back(LocalArg{size_of(across * vector)});
    if (rows_apart(request_, reach, 0)) {
      p.options += " -D TAILS_APART";
      const std::size_t samples =
          size_of(to.plane.width * each_of(request_) + lanes - 1 + across * lanes);
      p.args[p.args.size() - 2] =
          BufferArg{shared(tails_, samples * size_of(to.plane.height * sample_bytes(request_)))};
    }
    p.global = {items(to.plane.width * each_of(request_), across * lanes),
                items(to.plane.height, blocks * size)};
    plan_.passes.push_back(std::move(p));
  }

  // An element that already reaches beyond both sides gains nothing by reaching further: the
  // half-length limit applies to its rows and its longest chord.
  int chord_reach() const { return std::min(request_.radius, edge_.y1 - edge_.y0); }
  int longest_chord() const { return std::min(request_.radius, edge_.x1 - edge_.x0); }

  void chords_on_cpu(const End& from, const End& to) {
    const int reach = chord_reach(), rows = 2 * reach + 1, bytes = pixel_bytes(request_);
    const int longest = longest_chord();
    int span = holds_samples(request_) ? 256 : 64;
    const auto line = [&] { return size_of((span + 2 * longest) * bytes) + 256; };
    const auto ring = [&] { return size_of(rows) * size_of(span * bytes) + 64; };
    const int least =
        lanes_of(request_) / std::gcd(lanes_of(request_), each_of(request_));  // whole vectors
    const bool apart = rows_apart(request_, reach, longest);
    while (span > least && line() + (apart ? 0 : ring()) > line_bytes(request_)) span /= 2;
    const int band = std::clamp(4 * reach, least_band, most_band);
    PlannedPass p = pass("morphology_chords");
    p.args = {from.buffer,
              from.plane,
              edge_,
              to.buffer,
              to.plane,
              reach,
              flip_,
              outside_,
              zeros_count_ ? 1 : 0,
              TableArg{chord_table()},
              span,
              band,
              LocalArg{line()},
              LocalArg{ring()}};
    p.global = {items(to.plane.width, span), items(to.plane.height, band)};
    if (apart) {
      p.options += " -D RING_APART";
      const std::size_t rings = p.global[0] * p.global[1];
      p.args.back() = BufferArg{shared(tails_, rings * (ring() - 64) + 64)};
    }
    plan_.passes.push_back(std::move(p));
  }

  // Reaches add up over successive passes.
  void rows_on_gpu(const End& from, int keys, const Plane& between, int reach, const Rect& rows) {
    const auto launch = [&](bool first, const End& source, const End& result, int reaches) {
      PlannedPass p = pass(first ? "morphology_rows" : "morphology_more_rows");
      p.args = {source.buffer, source.plane, edge_, result.buffer, result.plane, reaches};
      if (first) p.args.emplace_back(flip_);
      p.args.emplace_back(outside_);
      const LocalArg line{size_of((row_span + 2 * reaches) * key_bytes(request_))};
      p.args.emplace_back(line);
      p.args.emplace_back(line);
      p.local = {256, 1};
      p.global = {items(result.plane.width, row_span) * 256, size_of(result.plane.height)};
      plan_.passes.push_back(std::move(p));
    };
    End source = from;
    for (int left = reach, turn = 0;; ++turn) {
      const int reaches = std::min(left, row_reach);
      left -= reaches;
      End result{{keys}, between};
      if (left > 0) {
        const Rect r = required(from.plane, between.rect(), left, 0);
        result.plane = laid({r.x0, rows.y0, r.x1, rows.y1});
        result.buffer.id =
            shared(wider_[turn % 2], pixels(result.plane) * size_of(key_bytes(request_)));
      }
      launch(turn == 0, source, result, reaches);
      if (left == 0) return;
      source = result;
    }
  }

  void columns_on_gpu(int keys, const Plane& between, const End& from, const End& to, int reach) {
    const Plane place = laid(to.plane.rect());
    PlannedPass p = columns(keys, between, from, to, reach);
    p.args.emplace_back(BufferArg{shared(tails_, pixels(place) * size_of(key_bytes(request_)))});
    p.args.emplace_back(place);
    p.local = {64, 1};
    p.global = {items(to.plane.width, 64) * 64, items(to.plane.height, 2 * reach + 1)};
    plan_.passes.push_back(std::move(p));
  }

  void chords_on_gpu(const End& from, const End& to) {
    const int reach = chord_reach();
    const Plane place = laid(required(from.plane, to.plane.rect(), request_.radius, reach));
    const int longest = std::min(2 * longest_chord() + 1, place.width);
    const int levels = std::bit_width(static_cast<unsigned>(longest));
    const int id = shared(keys_, pixels(place) * size_of(levels) * size_of(key_bytes(request_)));
    const auto launch = [&](const char* kernel, const Plane& over, std::vector<PassArg> args) {
      PlannedPass p = pass(kernel);
      p.args = std::move(args);
      p.local = {64, 1};
      p.global = {items(over.width, 64) * 64, size_of(over.height)};
      plan_.passes.push_back(std::move(p));
    };
    launch("morphology_keys", place, {from.buffer, from.plane, BufferArg{id}, place, flip_});
    for (int level = 1; level < levels; ++level) {
      launch("morphology_level", place, {BufferArg{id}, place, level});
    }
    launch("morphology_chords", to.plane,
           {BufferArg{id}, place, edge_, from.buffer, from.plane, to.buffer, to.plane, reach, flip_,
            outside_, TableArg{chord_table()}});
  }

  void difference(const End& a, const End& b, const End& to) {
    PlannedPass p = pass("morphology_difference");
    p.args = {a.buffer, a.plane, b.buffer, b.plane, to.buffer, to.plane};
    if (request_.device.cpu) {
      p.args.emplace_back(8);
      p.global = {1, items(to.plane.height, 8)};
    } else {
      p.local = {64, 1};
      p.global = {items(to.plane.width, 64) * 64, size_of(to.plane.height)};
    }
    plan_.passes.push_back(std::move(p));
  }

  int chord_table() {
    if (plan_.tables.empty()) {
      std::vector<int> chords = morphology_chords(request_.shape, request_.radius);
      chords.resize(size_of(chord_reach() + 1));
      for (int& half : chords) half = std::min(half, longest_chord());
      plan_.tables.emplace_back(chords.begin(), chords.end());
    }
    return 0;
  }

  const MorphologyRequest& request_;
  const Plane in_;
  Edge edge_;
  const Plane out_;
  const bool wraps_;
  bool zeros_count_ = false;
  int flip_ = 0, outside_ = no_key;
  int keys_ = -1, tails_ = -1;
  int wider_[2] = {-1, -1};
  PassPlan plan_;
};

}  // namespace

std::vector<int> morphology_chords(MorphologyShape shape, int radius) {
  std::vector<int> chords;
  for (int d = 0; d <= radius; ++d) {
    int half = radius;
    if (shape == MorphologyShape::diamond) half = radius - d;
    if (shape == MorphologyShape::disk) {
      // Squares of integers below 2^53 are exact, and so is the integer part of the root.
      half = static_cast<int>(
          std::sqrt(static_cast<double>(radius) * radius - static_cast<double>(d) * d));
    }
    chords.push_back(half);
  }
  return chords;
}

int morphology_stages(MorphologyOperation operation) {
  return operation == Operation::dilate || operation == Operation::erode ||
                 operation == Operation::gradient
             ? 1
             : 2;
}

int morphology_row_multiple(const MorphologyRequest& request) {
  const int lanes = lanes_of(request);
  return wide(request) ? lanes / std::gcd(lanes, each_of(request)) : lanes;
}

double morphology_scratch(const MorphologyRequest& request) {
  double bytes = 0;
  if (request.operation == Operation::gradient) bytes += 2 * pixel_bytes(request);
  if (morphology_stages(request.operation) == 2) bytes += 2 * pixel_bytes(request);
  if (request.device.cpu && rows_apart(request, request.radius, request.radius)) {
    // Tails as large as the result, or rings of at most 2.5 times their band's height each.
    bytes += request.shape == MorphologyShape::square ? pixel_bytes(request)
                                                      : 3.5 * pixel_bytes(request);
  }
  if (request.shape == MorphologyShape::square && near_span(request, request.radius) == 0) {
    bytes += key_bytes(request) * (request.device.cpu           ? 1.0
                                   : request.radius > row_reach ? 4.0
                                                                : 2.0);
  } else if (request.shape != MorphologyShape::square && !request.device.cpu) {
    bytes += key_bytes(request) * std::bit_width(2u * static_cast<unsigned>(request.radius) + 1);
  }
  return bytes * 1.1;
}

PassPlan plan_morphology(const MorphologyRequest& request, const Plane& in, const Edge& edge,
                         const Plane& out) {
  return MorphologyPlanner(request, in, edge, out).plan();
}

}  // namespace sfumato
