// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Planning: states between steps, halos, tiles.
#include "engine/plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/errors.hpp"
#include "engine/prepared_filters.hpp"

namespace sfumato {
namespace {

Coding coding_in(Light light, const Coding& stored) {
  switch (light) {
    case Light::linear:
      return Coding::linear();
    case Light::display:
      return Coding::srgb();
    case Light::stored:
      return stored;
  }
  return stored;
}

AlphaKind alpha_for(AlphaPreference request, const PictureFormat& format) {
  if (!format.has_alpha()) return AlphaKind::none;
  return request == AlphaPreference::premultiplied ? AlphaKind::premultiplied : AlphaKind::straight;
}

// Whether the whole recipe can run on the stored 8-bit samples, and how.
StoredSamples stored_samples_for(const Plan& plan) {
  const bool u8 = plan.input.type == SampleType::u8 && plan.output.type == SampleType::u8;
  if (!u8 || plan.input.channels != plan.output.channels || plan.input.channels == 2 ||
      plan.input.coding != plan.output.coding || plan.input.alpha != plan.output.alpha ||
      plan.steps.size() != 1 || plan.target.reference) {
    return StoredSamples::none;
  }
  const PlannedStep& s = plan.steps[0];
  if (s.blends() || s.gives_data) return StoredSamples::none;
  const bool decodes = plan.input.channels != 4 && plan.input.coding == Coding::srgb() &&
                       s.state == PixelState{Coding::linear(), AlphaKind::none};
  const StoredSamples samples = s.state == plan.input_state() ? StoredSamples::plain
                                : decodes                     ? StoredSamples::srgb
                                                              : StoredSamples::none;
  return samples != StoredSamples::none && s.filter().takes_samples(s.values, samples, plan.target)
             ? samples
             : StoredSamples::none;
}

// Whether a step with these complete values changes nothing and is left out.
bool is_idle(const Filter& filter, const Values& values) {
  return filter.neutral(values) || values.number("mix") == 0.0;
}

// The step with these complete values, without anything that depends on the whole recipe.
PlannedStep planned(const RegisteredFilter& entry, int index, const Values& values,
                    const PictureFormat& input) {
  const Filter& filter = *entry.filter;
  PlannedStep step;
  step.entry = &entry;
  step.index = index;
  step.values = values;
  step.mix = values.number("mix");
  step.masked = values.get<ImageRef>("mask").bound();
  step.border = border_of(values);
  step.gives_data = filter.gives_data(values);
  step.state = {coding_in(light_of(values), input.coding), alpha_for(filter.info().alpha, input)};
  step.taken = step.state;
  return step;
}

// Lets the step's filter choose its method for its input picture.
void prepare_step(PlannedStep& step, const Plan& plan, const PlanOptions& options) {
  step.picture = plan.picture;
  if (const auto kernel = options.kernels.find(step.index); kernel != options.kernels.end()) {
    step.picture.kernel_width = kernel->second.width;
    step.picture.kernel_height = kernel->second.height;
  }
  const Filter& filter = step.filter();
  if (const auto surveyed = options.surveyed.find(step.index); surveyed != options.surveyed.end()) {
    step.picture.surveyed = surveyed->second;
  } else {
    step.request = filter.survey(step.values, step.picture, plan.target);
  }
  step.prepared = options.prepared != nullptr
                      ? options.prepared->of(filter, step.values, step.picture, plan.target)
                      : filter.prepare(step.values, step.picture, plan.target);
  step.needs = step.prepared->needs();
}

// Whether tiles would differ from the whole, and which part of that is due to wrapping borders.
void decide_on_tiles(Plan& plan) {
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const PlannedStep& s = plan.steps[i];
    const bool reaches = s.needs.halo_x > 0 || s.needs.halo_y > 0;
    plan.whole = plan.whole || s.needs.whole_image;
    if (s.border == Border::wrap && reaches) {
      // Windows that repeat the picture several times cost more than the picture itself.
      const bool repeats =
          2 * s.needs.halo_x > plan.input.width || 2 * s.needs.halo_y > plan.input.height;
      plan.wraps = i == 0 && !repeats;
      plan.whole = plan.whole || i > 0 || repeats;
    }
  }
  if (plan.whole) plan.wraps = false;
}

}  // namespace

Plan make_plan(const Recipe& recipe, const PictureFormat& input, const PictureFormat& output,
               const Target& target, const PlanOptions& options) {
  Plan plan;
  plan.input = input;
  plan.output = output;
  plan.target = target;
  plan.channels = input.channels == 1 && output.channels == 1 ? 1 : 4;
  plan.picture.width = input.width;
  plan.picture.height = input.height;
  plan.picture.channels = plan.channels;
  plan.picture.has_alpha = input.has_alpha();

  int index = -1;
  for (const Step& step : recipe.steps) {
    ++index;
    if (!step.enabled) continue;
    const RegisteredFilter& entry = Registry::get().at(step.filter);
    const Filter& filter = *entry.filter;
    const Values values = complete(filter.info().parameters, step.values);
    filter.check(values);
    if (is_idle(filter, values)) continue;
    PlannedStep next = planned(entry, index, values, input);
    if (plan.steps.empty() && filter.takes_data(values)) next.taken.coding = input.coding;
    plan.steps.push_back(std::move(next));
  }
  plan.picture.samples = options.dither ? StoredSamples::none : stored_samples_for(plan);
  plan.picture.samples_packed3 = plan.on_samples() && input.channels == 3;
  for (PlannedStep& step : plan.steps) prepare_step(step, plan, options);
  decide_on_tiles(plan);
  return plan;
}

Plan plan_within(double limit, Target target, const std::function<Plan(const Target&)>& make) {
  const auto fits = [limit](const Plan& plan) {
    return !plan.whole || plan.tile_bytes(plan.input.width, plan.input.height) <= limit;
  };
  Plan plan = make(target);
  if (fits(plan)) return plan;
  target.in_tiles = true;
  Plan tiled = make(target);
  return fits(tiled) ? tiled : plan;
}

Message PlannedStep::method() const {
  if (!request) return prepared->explain();
  return message({"step.by_pixels", "chosen by the picture's pixels"});
}

Message PlannedStep::explained() const {
  const MessageValue name = named(filter().info());
  const Message how = method();
  return how.empty() ? message({"step.filter", "{filter}"}, name)
                     : message({"step.method", "{filter}: {how}"}, name, how);
}

const PlannedStep* Plan::survey() const {
  const auto step = std::find_if(steps.begin(), steps.end(),
                                 [](const PlannedStep& s) { return s.request.has_value(); });
  return step == steps.end() ? nullptr : &*step;
}

bool makes_colour(const Recipe& recipe) {
  return std::any_of(recipe.steps.begin(), recipe.steps.end(), [](const Step& step) {
    if (!step.enabled) return false;
    const Filter& filter = *Registry::get().at(step.filter).filter;
    const Values values = complete(filter.info().parameters, step.values);
    return !is_idle(filter, values) && filter.makes_colour(values);
  });
}

namespace {

// The number of the last step that is enabled; nullopt if none is.
std::optional<std::size_t> last_enabled(const Recipe& recipe) {
  for (std::size_t i = recipe.steps.size(); i-- > 0;) {
    if (recipe.steps[i].enabled) return i;
  }
  return std::nullopt;
}

Values complete_values(const Step& step) {
  return complete(Registry::get().at(step.filter).filter->info().parameters, step.values);
}

}  // namespace

std::optional<RecipeLayer> layer_of(const Recipe& recipe) {
  const auto last = last_enabled(recipe);
  if (!last) return std::nullopt;
  const Step& step = recipe.steps[*last];
  auto layer = Registry::get().at(step.filter).filter->layer(complete_values(step));
  if (!layer) return std::nullopt;
  RecipeLayer result{std::move(layer->name), recipe};
  result.recipe.steps[*last].values = std::move(layer->values);
  return result;
}

bool works_on_stored(const Recipe& recipe) {
  const auto last = last_enabled(recipe);
  return last && light_of(complete_values(recipe.steps[*last])) == Light::stored;
}

std::vector<Rect> Plan::windows(const Rect& out) const {
  if (whole) return std::vector<Rect>(steps.size() + 1, input.rect());
  std::vector<Rect> result(steps.size() + 1);
  result.back() = out;
  for (std::size_t i = steps.size(); i-- > 0;) {
    const Rect grown = result[i + 1].grown(steps[i].needs.halo_x, steps[i].needs.halo_y);
    result[i] = wraps && i == 0 ? grown : grown.intersected(input.rect());
  }
  return result;
}

namespace {

struct Sides {
  double width = 0, height = 0;
  double area() const { return width * height; }
};

// Pixels that the scratch of a step is counted for.
double scratch_area(const Needs& needs, const Sides& in, const Sides& out) {
  if (!needs.scratch_past_edges) return in.area();
  return std::max((out.width + 2 * needs.halo_x) * in.height,
                  in.width * (out.height + 2 * needs.halo_y));
}

}  // namespace

double Plan::tile_bytes(int width, int height) const {
  const auto reach = [this](int n, int halo, int limit) {
    return static_cast<double>(whole   ? limit
                               : wraps ? n + 2 * halo
                                       : std::min(n + 2 * halo, limit));
  };
  const auto sides = [&](int halo_x, int halo_y) {
    return Sides{reach(width, halo_x, input.width), reach(height, halo_y, input.height)};
  };
  const double pixel = 4.0 * channels;
  double most = 0;
  int halo_x = 0, halo_y = 0;
  for (std::size_t i = steps.size(); i-- > 0;) {
    const PlannedStep& s = steps[i];
    const Sides out = sides(halo_x, halo_y);
    halo_x += s.needs.halo_x;
    halo_y += s.needs.halo_y;
    const Sides in = sides(halo_x, halo_y);
    const double scratch = scratch_area(s.needs, in, out) * s.needs.scratch_per_pixel +
                           static_cast<double>(s.needs.scratch);
    double held = (in.area() + out.area()) * pixel + scratch;
    if (s.masked) held += 2 * 4.0 * out.area();
    if (s.blends() && s.gives_data) held += in.area() * pixel;
    for (const RoleInfo& role : s.filter().info().roles) {
      held += in.area() * role.channels * 4.0 * 2.0;  // as stored and as float, roughly
    }
    most = std::max(most, on_samples() ? scratch : held);
  }
  return most + sides(halo_x, halo_y).area() * static_cast<double>(input.pixel_bytes()) +
         sides(0, 0).area() * static_cast<double>(output.pixel_bytes());
}

namespace {

struct TileSize {
  int width = 0, height = 0;
};

// A step that needs the whole picture at once must fit into memory.
void check_whole(const Plan& plan, const Rect& region, double limit) {
  const double bytes = plan.tile_bytes(region.width(), region.height());
  if (bytes <= limit) return;
  throw DeviceError(CL_MEM_OBJECT_ALLOCATION_FAILURE,
                    message({"engine.whole_picture",
                             "this recipe works on the whole picture at once, which takes "
                             "{needed} MB of memory; the limit is {limit} MB"},
                            static_cast<long long>(bytes / (1 << 20)) + 1,
                            static_cast<long long>(limit / (1 << 20))));
}

// Tile sides are multiples of a vector in every format.
int whole_vectors(int n) {
  return (n + 15) / 16 * 16;
}

// The most rows, in multiples of 16 and at most `rows`, for tiles of this width; 0 if none fit.
int rows_within(const Plan& plan, int width, int rows, double limit) {
  int low = 0, high = whole_vectors(rows) / 16;  // in units of 16 rows
  while (low < high) {
    const int middle = (low + high + 1) / 2;
    if (plan.tile_bytes(width, middle * 16) <= limit) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low * 16;
}

// The most rows, in multiples of 16, that the limit across the region allows; at least 16.
int rows_across(const Plan& plan, const Rect& region, double limit) {
  int rows = whole_vectors(region.height());
  while (limit > 0 && rows > 16 && bytes_across(plan, region.width(), rows) > limit) {
    rows = whole_vectors(rows / 2);
  }
  return rows;
}

// Rows for tiles of some MiB, unless their halos, which are computed twice, are large beside them.
int streamed_rows(const Plan& plan, const Rect& region, int halo_y) {
  constexpr std::size_t bytes = std::size_t{12} << 20;
  constexpr int halos = 32;
  const std::size_t row = static_cast<std::size_t>(region.width()) *
                          std::max(plan.input.pixel_bytes(), plan.output.pixel_bytes());
  return std::max({16, static_cast<int>(bytes / std::max<std::size_t>(1, row)), halos * halo_y});
}

// The tile size that fits the memory and wastes little on halos; of height 0 if none fits.
TileSize best_tile(const Plan& plan, const Rect& region, double limit, double across,
                   bool streamed) {
  int most_rows = rows_across(plan, region, across);
  int halo_x = 0, halo_y = 0;
  for (const PlannedStep& s : plan.steps) {
    halo_x += s.needs.halo_x;
    halo_y += s.needs.halo_y;
  }
  if (streamed) most_rows = std::min(most_rows, whole_vectors(streamed_rows(plan, region, halo_y)));
  TileSize best;
  double least = 0;
  for (int columns = 1; columns <= 64 && (columns == 1 || region.width() / columns >= 64);
       ++columns) {
    const int w = whole_vectors((region.width() + columns - 1) / columns);
    const int h = rows_within(plan, w, most_rows, limit);
    if (h == 0) continue;
    const double overhead = static_cast<double>(w + 2 * halo_x * (columns > 1)) * (h + 2 * halo_y) /
                            (static_cast<double>(w) * h);
    if (least == 0 || overhead < least * 0.9) {  // narrower tiles must gain clearly
      least = overhead;
      best = {w, h};
    }
  }
  if (best.height == 0) return best;
  const int bands = (region.height() + best.height - 1) / best.height;
  best.height = whole_vectors((region.height() + bands - 1) / bands);
  return best;
}

TileSize tile_size(const Plan& plan, const Rect& region, double limit, double across,
                   bool streamed) {
  const TileSize size = best_tile(plan, region, limit, across, streamed);
  if (size.height > 0) return size;
  throw DeviceError(CL_MEM_OBJECT_ALLOCATION_FAILURE,
                    message({"engine.no_tile",
                             "not even a tile of 16 rows fits into {limit} MB of device "
                             "memory"},
                            static_cast<long long>(limit / (1 << 20))));
}

// How many pixels are loaded for each one of the result, in the middle of the picture.
double loaded_per_pixel(const Plan& plan, double width, double height) {
  double across = width, down = height;
  for (const PlannedStep& s : plan.steps) {
    across += 2.0 * s.needs.halo_x;
    down += 2.0 * s.needs.halo_y;
  }
  if (!plan.wraps) {
    across = std::min<double>(across, plan.input.width);
    down = std::min<double>(down, plan.input.height);
  }
  return across * down / (width * height);
}

}  // namespace

double bytes_across(const Plan& plan, int width, int rows) {
  int halo = 0;
  for (const PlannedStep& s : plan.steps) halo += s.needs.halo_y;
  const double read = std::min(rows + 2.0 * halo, static_cast<double>(plan.input.height));
  return width * (read * static_cast<double>(plan.input.pixel_bytes()) +
                  rows * static_cast<double>(plan.output.pixel_bytes()));
}

double limit_beside_halos(const Plan& plan, const Rect& region, double limit, double most,
                          double across, bool streamed) {
  constexpr double acceptable = 3;  // larger tiles have their cost, too
  constexpr double clearly_less = 0.9;
  if (plan.whole || region.empty()) return limit;
  double best = limit, least = std::numeric_limits<double>::infinity();
  while (true) {
    const TileSize tile = best_tile(plan, region, limit, across, streamed);
    const int width = std::min(tile.width, region.width()),
              height = std::min(tile.height, region.height());
    const bool one = width == region.width() && height == region.height();
    const double loads = one ? 0 : height == 0 ? least : loaded_per_pixel(plan, width, height);
    if (loads <= acceptable) return limit;
    if (loads < clearly_less * least) {
      least = loads;
      best = limit;
    }
    if (limit >= most) return best;
    limit = std::min(2 * limit, most);
  }
}

std::vector<Rect> make_tiles(const Plan& plan, const Rect& region, double limit, int forced,
                             double across, bool streamed) {
  if (region.empty()) return {};
  if (plan.whole) {
    check_whole(plan, region, limit);
    return {region};
  }
  const TileSize size =
      forced > 0 ? TileSize{forced, forced} : tile_size(plan, region, limit, across, streamed);
  std::vector<Rect> tiles;
  for (int y = region.y0; y < region.y1; y += size.height) {
    for (int x = region.x0; x < region.x1; x += size.width) {
      tiles.push_back(Rect{x, y, x + size.width, y + size.height}.intersected(region));
    }
  }
  return tiles;
}

}  // namespace sfumato
