// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Plans the passes of a median for one output rectangle.
#include "filters/median/plan.hpp"

#include <algorithm>

#include "filters/shared/integer_division.hpp"

namespace sfumato {
namespace {

// The largest windows that fit in a GPU's registers.
constexpr int gpu_rows = 63;
enum class Method { small, medium, bits, tiles };

int words_of_row(const MedianRequest& request) {
  return (2 * request.reach_x + 1 + 31) / 32;
}

// For the CPU form: two masks of 16 lanes and one offset for each word of a window, the number of
// words being rounded up to a multiple of 8.
std::size_t mask_bytes(const MedianRequest& request) {
  const int words = (2 * request.reach_y + 1) * words_of_row(request);
  return items(words, 8) * 8 * (2 * 64 + 4);
}

int keys_of(const MedianRequest& request) {
  return request.channels == 4 && !request.luminance ? 3 : 1;
}

int key_bits(const MedianRequest& request) {
  return request.storage == PixelStorage::f32 ? 32 : 8;
}
// Words of a block of bit planes, as keys.clh has them.
int block_words(const MedianRequest& request) {
  return request.storage == PixelStorage::f32 && !request.device.cpu ? 34 : key_bits(request);
}
// Samples per stored pixel.
int each_of(const MedianRequest& request) {
  return request.storage == PixelStorage::u8_packed3 ? 3 : request.channels;
}
// As left_over.clh has them: the results of parts that are left over or not.
int part_columns(const MedianRequest& request) {
  return request.device.cpu ? 64 : 128;
}
int part_rows(const MedianRequest& request) {
  return request.device.cpu ? 2 : 8;
}

// As medium_gpu.clh lays them out: the keys of a part in local memory.
std::size_t part_bytes(const MedianRequest& request) {
  constexpr std::size_t row_keys = 160;
  return static_cast<std::size_t>(keys_of(request) * (part_rows(request) + 2 * request.reach_y)) *
         row_keys * 4;
}

// As medium_cpu.clh keeps them: samples of a row, the rows of both windows, and rows of runs of 1,
// 2 and 4 columns.
int medium_row_keys(const MedianRequest& request) {
  constexpr int most_at_once = 64;
  return (part_columns(request) + 2 * request.reach_x) * each_of(request) + most_at_once;
}
std::size_t medium_bytes(const MedianRequest& request, int rows) {
  return static_cast<std::size_t>(rows * medium_row_keys(request)) *
         static_cast<std::size_t>(key_bits(request) / 8);
}
std::size_t medium_kept_bytes(const MedianRequest& request) {
  return medium_bytes(request, 2 * request.reach_y + 2);
}
std::size_t medium_run_bytes(const MedianRequest& request) {
  return medium_bytes(request, (request.reach_x <= 3 ? 3 : 7) * 2 * request.reach_y);
}

// The largest radius for which samples fit in registers as runs, and kernels compile within two
// seconds where they are not there before.
int most_medium(const MedianRequest& request) {
  if (request.device.nvidia) return 7;
  if (!request.device.built_in) return 4;
  return request.storage == PixelStorage::f32 ? 6 : 7;
}

bool takes_medium(const MedianRequest& request) {
  if (request.reach_x > most_medium(request)) return false;
  constexpr std::size_t flags = 64;
  const std::size_t bytes = request.device.cpu
                                ? medium_kept_bytes(request) + medium_run_bytes(request)
                                : part_bytes(request) + flags;
  return bytes <= request.device.local_memory;
}

Method method_of(const MedianRequest& request) {
  if (request.reach_x == request.reach_y && !request.luminance) {
    if (request.reach_x <= 2) return Method::small;
    if (takes_medium(request)) return Method::medium;
  }
  if (request.device.cpu) {
    // The most words per window for which this takes no longer than a tile's histograms, which need
    // not be sorted for 8-bit samples.
    constexpr int most = 19;
    const bool few = (2 * request.reach_y + 1) * words_of_row(request) <= most;
    const bool sorted = request.storage == PixelStorage::f32 || request.has_alpha;
    return few && sorted ? Method::bits : Method::tiles;
  }
  return 2 * request.reach_x + 1 <= gpu_rows && 2 * request.reach_y + 1 <= gpu_rows ? Method::bits
                                                                                    : Method::tiles;
}

// Tiles large enough to keep the cost of their borders low. On GPUs one item moves down each
// column.
constexpr int gpu_columns = 64;
struct Tile {
  int width, height;
};
Tile tile_of(const MedianRequest& request) {
  constexpr int most = 256;
  const int reach = std::max(request.reach_x, request.reach_y);
  const int by_reach = std::clamp(2 * reach / 16 * 16, 64, most);
  if (!request.device.cpu) return {gpu_columns, by_reach};
  if (request.storage == PixelStorage::f32) {
    const int side = std::clamp(by_reach, 128, 192);
    return {side, side};
  }
  // 8-bit samples are not sorted. The histograms of a tile's columns, 512 bytes each, are to stay
  // in the cache.
  constexpr int cached_columns = 352;
  const int side =
      std::max(by_reach, std::clamp((cached_columns - 2 * reach) / 16 * 16, 128, most));
  return {side, side};
}
// Words per column of a tile on a CPU: 256 counts of 16 bits, 16 counts of sixteen buckets each,
// and a total.
constexpr std::size_t column_words = 128 + 8 + 1;
// Scratch memory of one tile.
std::size_t slot_words(const MedianRequest& request) {
  const Tile tile = tile_of(request);
  const auto across = static_cast<std::size_t>(tile.width + 2 * request.reach_x);
  const std::size_t samples = across * static_cast<std::size_t>(tile.height + 2 * request.reach_y);
  const std::size_t sorted =
      request.device.cpu && request.storage != PixelStorage::f32 ? 0 : 4 * (samples + 1);
  const std::size_t kept = request.device.cpu
                               ? across * column_words + std::size_t{3} *
                                                             static_cast<std::size_t>(tile.width) *
                                                             static_cast<std::size_t>(tile.height)
                               : 0;
  // Buckets are 16 bits; those of sorted samples are of one key at a time.
  const auto planes = static_cast<std::size_t>(
      request.device.cpu && request.storage != PixelStorage::f32 ? keys_of(request) : 1);
  return (kept + sorted + planes * samples / 2 + 64) / 16 * 16;
}

// Number of tiles processed at once: enough to keep the device busy, within a part of its memory.
int slots_of(const MedianRequest& request) {
  const std::size_t busy =
      (request.device.cpu ? 2u : 8u) * std::max(1u, request.device.compute_units);
  const std::size_t fitting = request.global_memory / 16 / (slot_words(request) * sizeof(float));
  return static_cast<int>(std::clamp<std::size_t>(fitting, 1, busy));
}

std::string options_of(const MedianRequest& request) {
  std::string text = "-D CHANNELS=" + std::to_string(request.channels) +
                     " -D LUMINANCE=" + (request.luminance ? "1" : "0") +
                     " -D HAS_ALPHA=" + (request.has_alpha ? "1" : "0");
  if (request.storage == PixelStorage::u8) text += " -D SRC_U8 -D DST_U8";
  if (request.storage == PixelStorage::u8_packed3) text += " -D SRC_PACKED3 -D DST_PACKED3";
  if (request.device.cpu) text += " -D FORM_CPU";
  return text;
}

class MedianPlanner {
 public:
  MedianPlanner(const MedianRequest& request, const Plane& in, const Edge& edge, const Plane& out)
      : request_(request), in_(in), edge_(edge), out_(out) {}

  PassPlan plan() {
    switch (method_of(request_)) {
      case Method::small:
        small();
        break;
      case Method::medium:
        medium();
        break;
      case Method::bits:
        bits();
        break;
      case Method::tiles:
        tiles();
        break;
    }
    return std::move(plan_);
  }

 private:
  int scratch(std::size_t floats) {
    plan_.scratch.push_back({floats, false, 0, 0});
    return static_cast<int>(plan_.scratch.size()) - 1;
  }

  // 3 x 3 and 5 x 5.
  void small() {
    PlannedPass pass;
    pass.kernel = "median_small";
    pass.options =
        options_of(request_) + " -D PASS_SMALL -D RADIUS=" + std::to_string(request_.reach_x);
    pass.args = {BufferArg{BufferArg::source}, in_, edge_, BufferArg{BufferArg::result}, out_};
    if (request_.device.cpu) {
      constexpr int strip = 128, band = 64, kept_rows = 6, most_at_once = 64;
      const int row = (strip + 2 * request_.reach_x) * each_of(request_) + most_at_once;
      pass.args.emplace_back(band);
      pass.args.emplace_back(
          LocalArg{static_cast<std::size_t>(kept_rows * row * key_bits(request_) / 8)});
      pass.global = {items(out_.width, strip), items(out_.height, band)};
      plan_.passes.push_back(std::move(pass));
      return;
    }
    if (request_.device.nvidia) pass.options += " -D ORDERED_FLOATS";
    const int columns = request_.reach_x == 1 ? 1 : 2, rows = 4 / columns;
    pass.local = {32, 4};
    pass.global = {items(out_.width, 32 * columns) * 32, items(out_.height, 4 * rows) * 4};
    const int left_over = scratch(pass.global[0] * pass.global[1] / 4 + 1);  // one byte each
    pass.args.emplace_back(BufferArg{left_over});
    PlannedPass rest = pass;
    pass.options += " -D PASS_NETWORK";
    rest.kernel = "median_small_left_over";
    rest.options += " -D PASS_LEFT_OVER";
    constexpr int group = 128, looked_at = 16;
    rest.args.emplace_back(static_cast<int>(pass.global[0]));
    rest.local = {group, 1};
    rest.global = {items(out_.width, group * columns) * group,
                   items(out_.height, rows * looked_at)};
    plan_.passes.push_back(std::move(pass));
    plan_.passes.push_back(std::move(rest));
  }

  // 7 x 7 and some more. Where pixels of alpha 0 are near, windows have different numbers of
  // samples: their medians are found bit by bit.
  void medium() {
    const auto width = static_cast<std::size_t>(part_columns(request_));
    const std::size_t across = items(out_.width, part_columns(request_)),
                      down = items(out_.height, part_rows(request_));
    left_over_ = scratch(across * down / 4 + 1);  // one byte each
    if (request_.has_alpha) parts_across_ = static_cast<int>(across);
    PlannedPass pass;
    pass.kernel = "median_medium";
    const std::string network = " -D PASS_MEDIUM -D RADIUS=" + std::to_string(request_.reach_x);
    pass.args = {BufferArg{BufferArg::source}, in_, edge_, BufferArg{BufferArg::result}, out_};
    if (request_.device.cpu) {
      constexpr int band = 64;
      // One program for samples of any number per pixel.
      MedianRequest samples = request_;
      samples.channels = 1;
      samples.has_alpha = false;
      if (samples.storage == PixelStorage::u8_packed3) samples.storage = PixelStorage::u8;
      pass.options = options_of(samples) + network;
      pass.args.insert(
          pass.args.end(),
          {band, each_of(request_), medium_row_keys(request_), BufferArg{left_over_}, parts_across_,
           LocalArg{medium_kept_bytes(request_)}, LocalArg{medium_run_bytes(request_)}});
      pass.global = {across, items(out_.height, band)};
      plan_.passes.push_back(std::move(pass));
      if (request_.has_alpha) bits();
      return;
    }
    pass.options = options_of(request_) + network;
    if (request_.device.nvidia) pass.options += " -D ORDERED_FLOATS";
    constexpr int columns = 32, rows = 4;
    pass.local = {columns, rows};
    pass.global = {across * columns, down * rows};
    pass.args.emplace_back(BufferArg{left_over_});
    PlannedPass rest = pass;
    pass.options += " -D PASS_NETWORK";
    plan_.passes.push_back(std::move(pass));
    if (request_.has_alpha) return bits();
    rest.kernel = "median_medium_left_over";
    rest.options += " -D PASS_LEFT_OVER";
    rest.local = {width, 1};
    rest.global = {across * width, down};
    plan_.passes.push_back(std::move(rest));
  }

  void tiles() {
    const Tile tile = tile_of(request_);
    const int slots = slots_of(request_), across = static_cast<int>(items(out_.width, tile.width));
    const int count = across * static_cast<int>(items(out_.height, tile.height));
    const int id = scratch(slot_words(request_) * static_cast<std::size_t>(std::min(slots, count)));
    for (int first = 0; first < count; first += slots) {
      const int last = std::min(first + slots, count);
      PlannedPass pass;
      pass.kernel = "median_tiles";
      pass.options = options_of(request_) + " -D PASS_TILES";
      pass.args = {BufferArg{BufferArg::source},
                   in_,
                   edge_,
                   BufferArg{BufferArg::result},
                   out_,
                   request_.reach_x,
                   request_.reach_y,
                   BufferArg{id},
                   static_cast<int>(slot_words(request_)),
                   first,
                   last,
                   across};
      if (request_.device.cpu) {
        pass.args.emplace_back(tile.width);
        pass.args.emplace_back(LocalArg{std::size_t{4} * 256 * 4});
      } else {
        pass.args.emplace_back(tile.height);
        pass.local = {gpu_columns, 1};
      }
      pass.global = {pass.local[0], static_cast<std::size_t>(last - first)};
      plan_.passes.push_back(std::move(pass));
    }
  }

  // The picture in bit planes: `out` grown by the reach, its rows in blocks with a few extra ones
  // at the end that windows may touch.
  void planes() {
    place_ = {out_.x - request_.reach_x,
              out_.y - request_.reach_y,
              out_.width + 2 * request_.reach_x,
              out_.height + 2 * request_.reach_y,
              0,
              0};
    place_.stride =
        request_.device.cpu ? (place_.width + 15) / 16 + 4 : (place_.width + 31) / 32 + 2;
    const std::size_t blocks =
        static_cast<std::size_t>(place_.stride) * static_cast<std::size_t>(place_.height);
    words_ = scratch(blocks * static_cast<std::size_t>(block_words(request_) * keys_of(request_)));
    left_in_ = scratch(blocks);
    if (left_over_ < 0) left_over_ = left_in_;  // not read
    PlannedPass pass;
    pass.kernel = "median_planes";
    pass.options = options_of(request_) + " -D PASS_PLANES";
    pass.args = {BufferArg{BufferArg::source},
                 in_,
                 edge_,
                 BufferArg{words_},
                 BufferArg{left_in_},
                 place_,
                 request_.reach_y,
                 BufferArg{left_over_},
                 parts_across_};
    pass.local = {request_.device.cpu ? 1u : 32u, 1};
    pass.global = {request_.device.cpu ? 1 : items(place_.stride, 32) * 32,
                   static_cast<std::size_t>(place_.height)};
    plan_.passes.push_back(std::move(pass));
  }

  // The medians that are left over, or all.
  void bits() {
    planes();
    PlannedPass pass;
    pass.kernel = "median_bits";
    pass.options = options_of(request_) + " -D PASS_BITS";
    pass.args = {BufferArg{words_},
                 BufferArg{left_in_},
                 place_,
                 BufferArg{BufferArg::source},
                 in_,
                 edge_,
                 BufferArg{BufferArg::result},
                 out_,
                 request_.reach_x,
                 request_.reach_y,
                 BufferArg{left_over_},
                 parts_across_};
    if (request_.device.cpu) {
      constexpr int strip = 64, band = 16;
      pass.options += 2 * request_.reach_x + 1 <= 17 ? " -D NARROW=1" : " -D NARROW=0";
      pass.args.emplace_back(band);
      pass.args.emplace_back(LocalArg{mask_bytes(request_)});
      pass.global = {items(out_.width, strip), items(out_.height, band)};
    } else {
      // Only a few heights are compiled; rows beyond the window do not count.
      int rows = gpu_rows;
      for (const int bucket : {47, 31, 23, 19, 15, 11, 7, 5, 3}) {
        if (2 * request_.reach_y + 1 <= bucket) rows = bucket;
      }
      pass.options += " -D ROWS=" + std::to_string(rows) +
                      " -D WORDS=" + (2 * request_.reach_x + 1 <= 31 ? "1" : "2");
      pass.local = {32, 4};
      pass.global = {items(out_.width, 32) * 32, items(out_.height, 4) * 4};
    }
    plan_.passes.push_back(std::move(pass));
  }

  const MedianRequest& request_;
  const Plane in_;
  const Edge edge_;
  const Plane out_;
  Plane place_;
  int words_ = 0, left_in_ = 0;
  int left_over_ = -1, parts_across_ = 0;  // of Method::medium
  PassPlan plan_;
};

}  // namespace

namespace {

// Of bit planes, in bytes per pixel. On CPU devices words overlap by half.
double plane_bytes(const MedianRequest& request) {
  return (request.device.cpu ? 2.5 : 1.25) *
         (keys_of(request) * block_words(request) / 8.0 + 0.125);
}

bool takes_bits(const MedianRequest& request) {
  const Method method = method_of(request);
  return method == Method::bits || (method == Method::medium && request.has_alpha);
}

}  // namespace

double median_scratch(const MedianRequest& request) {
  const Method method = method_of(request);
  // At most one byte per four pixels, plus the ends.
  constexpr double left_over = 0.5;
  const double flags =
      (method == Method::small && !request.device.cpu) || method == Method::medium ? left_over : 0;
  return flags + (takes_bits(request) ? plane_bytes(request) : 0);
}

std::size_t median_margin(const MedianRequest& request, int width, int height) {
  const double flags = 64.0 * height;  // of parts that are wider than the picture
  if (!takes_bits(request)) return static_cast<std::size_t>(flags);
  // Bit planes reach beyond the result, and rows end with a part of a block and more blocks.
  const double beyond = 2.0 * request.reach_x + (request.device.cpu ? 15 + 4 * 16 : 31 + 2 * 32);
  const double pixels = beyond * height + 2.0 * request.reach_y * (width + beyond);
  return static_cast<std::size_t>(flags + pixels * plane_bytes(request));
}

std::size_t median_slots(const MedianRequest& request) {
  return method_of(request) == Method::tiles
             ? slot_words(request) * sizeof(float) * static_cast<std::size_t>(slots_of(request))
             : 0;
}

PassPlan plan_median(const MedianRequest& request, const Plane& in, const Edge& edge,
                     const Plane& out) {
  return MedianPlanner(request, in, edge, out).plan();
}

Message median_method(const MedianRequest& request) {
  switch (method_of(request)) {
    case Method::small:
    case Method::medium:
      return message({"median.network", "by a network"});
    case Method::bits:
      return message({"median.bits", "found bit by bit"});
    case Method::tiles:
      break;
  }
  return message({"median.tiles", "by histograms of sorted tiles"});
}

}  // namespace sfumato
