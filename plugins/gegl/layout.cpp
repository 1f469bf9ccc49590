// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Chooses formats with the fewest conversions, and cells aligned to GEGL's.
#include "layout.hpp"

#include <algorithm>
#include <optional>

#include "numbers.hpp"

namespace sfumato::gegl {
namespace {

// Floats in the form the filter uses: linear light, samples by the space's own curve, or samples by
// sRGB's in any space.
enum class Floats { light, own_samples, srgb_samples };

const char* encoding(Floats floats, AlphaKind alpha, bool gray) {
  static constexpr const char* names[][3] = {
      {"RGB float", "R'G'B' float", "R~G~B~ float"},
      {"RGBA float", "R'G'B'A float", "R~G~B~A float"},
      {"RaGaBaA float", "R'aG'aB'aA float", "R~aG~aB~aA float"},
      {"Y float", "Y' float", "Y~ float"},
      {"YA float", "Y'A float", "Y~A float"},
      {"YaA float", "Y'aA float", "Y~aA float"}};
  const int row = alpha == AlphaKind::none ? 0 : alpha == AlphaKind::straight ? 1 : 2;
  return names[row + (gray ? 3 : 0)][static_cast<int>(floats)];
}

// The largest side of the engine's pictures.
constexpr int largest_side = 1 << 24;

struct Side {
  int first = 0, size = 0;
};

// One dimension of the picture: all of it or, if it is too long, a window around the requested
// region. Windows begin at few positions, so that grids align between neighbouring regions.
Side side_of(int first, int size, int roi_first, int roi_size) {
  if (size <= largest_side) return {first, size};
  constexpr long long places = largest_side / 4;
  const long long middle = static_cast<long long>(roi_first) + roi_size / 2,
                  place = middle >= 0 ? middle / places : -((-middle + places - 1) / places),
                  last = static_cast<long long>(first) + size - largest_side;
  const long long begin = place * places - largest_side / 2 + places / 2;
  return {static_cast<int>(std::clamp(begin, static_cast<long long>(first), last)), largest_side};
}

// The cells of a picture that share pixels with `roi`: repeated halves, as GEGL's own processor
// makes them, so that each of its regions lies within one cell and nothing is computed twice.
GeglRectangle cells_around(const GeglRectangle& roi, const GeglRectangle& all, double most_area) {
  GeglRectangle common;
  if (gegl_rectangle_intersect(&common, &roi, &all) == 0) return {0, 0, 0, 0};
  if (static_cast<double>(all.width) * all.height <= most_area) return all;
  GeglRectangle first = all, second = all, out;
  if (all.width > all.height) {
    first.width = all.width / 2;
    second.x += first.width;
    second.width -= first.width;
  } else {
    first.height = all.height / 2;
    second.y += first.height;
    second.height -= first.height;
  }
  const GeglRectangle a = cells_around(roi, first, most_area),
                      b = cells_around(roi, second, most_area);
  gegl_rectangle_bounding_box(&out, &a, &b);
  return out;
}

// The area of a cell for a filter with this reach: large enough to keep the cost of the reach low.
double cell_area(int reach) {
  const int even = (reach + 63) / 64 * 64;  // grids vary the reach a little
  const double side = std::clamp(12 * even, 1024, 8192);
  return side * side;
}

}  // namespace

// Integers and halves are passed as stored: they are smaller than floats, and filters that request
// stored samples get them.
Layout chosen_numbers(GeglOperation* op, const Filter& filter, const Values& values) {
  Layout out;
  const Light light = light_of(values);
  const Babl* own = gegl_operation_get_source_format(op, "input");
  const Babl* space = gegl_operation_get_source_space(op, "input");
  const auto stored = own != nullptr ? stored_format(own) : std::nullopt;
  const bool as_stored = stored && stored->type != SampleType::f32;
  const bool linear = light == Light::linear ||
                      (light == Light::stored && as_stored && stored->coding == Coding::linear());
  PictureFormat& r = out.result;
  const bool has_alpha = own == nullptr || babl_format_has_alpha(own) != 0;
  // Gray stays gray, as in files.
  const bool gray = own != nullptr && is_gray(own) && !filter.makes_colour(values);
  r.channels = (gray ? 1 : 3) + (has_alpha ? 1 : 0);
  r.type = SampleType::f32;
  r.alpha = !has_alpha                                              ? AlphaKind::none
            : filter.info().alpha == AlphaPreference::premultiplied ? AlphaKind::premultiplied
                                                                    : AlphaKind::straight;
  // Results of encoded input are mostly used encoded, and the worker encodes faster than Babl.
  const auto curve = coding_of(space);
  out.encoded = linear && as_stored && !has_alpha && stored->coding == Coding::srgb() &&
                curve == Coding::srgb() && !filter.gives_data(values);
  const Floats floats = linear && !out.encoded ? Floats::light
                        : curve                ? Floats::own_samples
                                               : Floats::srgb_samples;
  r.coding = floats == Floats::light ? Coding::linear() : curve.value_or(Coding::srgb());
  out.result_babl = babl_format_with_space(encoding(floats, r.alpha, gray), space);
  out.format = as_stored ? *stored : r;
  out.babl = as_stored ? own : out.result_babl;
  return out;
}

Layout layout_of(GeglOperation* op, const Filter& filter, const Values& values,
                 const GeglRectangle& roi) {
  Layout out = chosen_numbers(op, filter, values);
  const GeglRectangle* box = gegl_operation_source_get_bounding_box(op, "input");
  out.empty = box == nullptr || box->width <= 0 || box->height <= 0;
  if (out.empty) return out;
  out.cut_x = box->width > largest_side;
  out.cut_y = box->height > largest_side;
  const Side x = side_of(box->x, box->width, roi.x, roi.width),
             y = side_of(box->y, box->height, roi.y, roi.height);
  out.origin = {x.first, y.first};
  out.format.width = out.result.width = x.size;
  out.format.height = out.result.height = y.size;
  return out;
}

bool is_whole(const GeglRectangle& region, const Layout& layout) {
  const GeglRectangle all = layout.bounds();
  return gegl_rectangle_equal(&region, &all) != 0;
}

GeglRectangle cells_around(const GeglRectangle& roi, const Layout& layout, int reach) {
  return cells_around(roi, layout.bounds(), cell_area(reach));
}

}  // namespace sfumato::gegl
