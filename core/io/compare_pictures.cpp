// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "io/compare_pictures.hpp"

#include <algorithm>
#include <cmath>
#include <future>
#include <limits>

#include "image/ciede2000.hpp"
#include "image/parallel_rows.hpp"
#include "io/compared_side.hpp"
#include "io/file_origin.hpp"
#include "io/module.hpp"

namespace sfumato {
namespace {

// Where the second picture begins in the first: as was asked for, or by OpenEXR's coordinates.
std::array<int, 2> offset_of(const InputPicture& a, const InputPicture& b,
                             const CompareOptions& options) {
  if (options.offset) return *options.offset;
  const Rect &first = a.info().data_window, &second = b.info().data_window;
  return {second.x0 - first.x0, second.y0 - first.y0};
}

Rect common_rect(const InputPicture& a, const InputPicture& b, const CompareOptions& options) {
  const PictureFormat &f = a.format(), &g = b.format();
  const auto [x, y] = offset_of(a, b, options);
  const bool meet = f.width == g.width && f.height == g.height && x == 0 && y == 0;
  if (!meet && !options.offset) {
    if (f.width == g.width && f.height == g.height) {
      throw FileError(message({"compare.places",
                               "{second} lies at {x}, {y} of {first}; say whether it is to be "
                               "compared there (--offset)"},
                              files::shown(b.info().path), x, y, files::shown(a.info().path)));
    }
    throw FileError(message({"compare.sizes",
                             "{first} has {width} x {height} pixels, {second} {other_width} x "
                             "{other_height}; say where the second one begins in the first "
                             "(--offset)"},
                            files::shown(a.info().path), f.width, f.height,
                            files::shown(b.info().path), g.width, g.height));
  }
  const Rect common = f.rect().intersected({x, y, x + g.width, y + g.height});
  if (common.empty()) {
    throw FileError(message({"compare.apart", "{first} and {second} have no pixel in common"},
                            files::shown(a.info().path), files::shown(b.info().path)));
  }
  return common;
}

std::vector<std::string> names_of(const InputPicture& a, const InputPicture& b) {
  const bool colours = a.format().color_channels() == 3 || b.format().color_channels() == 3;
  const bool opacity = a.format().has_alpha() || b.format().has_alpha();
  std::vector<std::string> names = a.info().channel_names;
  const std::vector<std::string> plain =
      colours ? std::vector<std::string>{"R", "G", "B"} : std::vector<std::string>{"Y"};
  const bool own =
      a.format().color_channels() == static_cast<int>(plain.size()) && names.size() >= plain.size();
  names.resize(own ? plain.size() : 0);
  if (!own) names = plain;
  if (opacity) names.emplace_back("A");
  return names;
}

// Codes are compared as they are, if both have some.
double white_of(const PictureFormat& a, const PictureFormat& b) {
  if (!is_integer(a.type) || !is_integer(b.type)) return 1;
  return a.type == SampleType::u8 && b.type == SampleType::u8 ? 255 : 65535;
}

void warn_of_colours(const InputPicture& a, const InputPicture& b, const CompareOptions& options,
                     std::vector<Message>& warnings) {
  const bool same =
      a.info().icc_profile == b.info().icc_profile && a.format().coding == b.format().coding;
  if (same || options.numbers == ComparedNumbers::seen) return;
  warnings.push_back(message({"compare.profiles",
                              "the colours of the two mean different things: their numbers are "
                              "compared as they are stored"}));
}

void add_row(const float* row, int y, int width, ColorDifference& to) {
  for (int x = 0; x < width; ++x) {
    const auto one = static_cast<double>(row[x]);
    if (!std::isfinite(one)) {
      ++to.incomparable;
      continue;
    }
    to.sum += one;
    if (one <= to.largest) continue;
    to.largest = one;
    to.x = x;
    to.y = y;
  }
  to.pixels += width;
}

void add(const ColorDifference& from, ColorDifference& to) {
  if (from.largest > to.largest) {
    to.largest = from.largest;
    to.x = from.x;
    to.y = from.y;
  }
  to.sum += from.sum;
  to.pixels += from.pixels;
  to.incomparable += from.incomparable;
}

// The colours of some rows, the first of which has the number `y`.
void compare_colours(const ComparedSide& a, const ComparedSide& b, int y, int rows, int width,
                     std::vector<float>& differences, ColorDifference& to) {
  std::vector<ColorDifference> found(static_cast<std::size_t>(rows));
  ParallelRows().run(0, rows, [&](int row) {
    const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(row) * width;
    float* out = differences.data() + at;
    ciede2000(a.light() + 4 * at, b.light() + 4 * at, 4, static_cast<std::size_t>(width), out);
    add_row(out, y + row, width, found[static_cast<std::size_t>(row)]);
  });
  for (const ColorDifference& one : found) add(one, to);
}

}  // namespace

PictureDifference common_part(const InputPicture& a, const InputPicture& b,
                              const CompareOptions& options) {
  PictureDifference out;
  const PictureFormat &f = a.format(), &g = b.format();
  out.common = common_rect(a, b, options);
  out.names = names_of(a, b);
  out.premultiplied =
      f.has_alpha() && g.has_alpha()
          ? f.alpha != g.alpha || f.alpha == AlphaKind::premultiplied
          : f.alpha == AlphaKind::premultiplied || g.alpha == AlphaKind::premultiplied;
  const bool seen = options.numbers == ComparedNumbers::seen;
  out.premultiplied = out.premultiplied || seen;
  out.white = seen || out.premultiplied ? 1 : white_of(f, g);
  warn_of_colours(a, b, options, out.warnings);
  if (a.info().orientation != b.info().orientation) {
    out.warnings.push_back(message({"compare.orientation",
                                    "the two are shown turned differently: their pixels are "
                                    "compared as they are stored"}));
  }
  return out;
}

PictureDifference compare_pictures(InputPicture& a, InputPicture& b, const CompareOptions& options,
                                   const std::function<void(const ComparedRows&)>& rows) {
  PictureDifference out = common_part(a, b, options);
  const Rect& common = out.common;
  const auto [x, y] = offset_of(a, b, options);
  const int width = common.width(), height = common.height();
  ComparedSide first(a, common.x0, common.y0, out, options.numbers, options.colors);
  ComparedSide second(b, common.x0 - x, common.y0 - y, out, options.numbers, options.colors);
  PictureComparison comparison(
      width, height, static_cast<int>(out.names.size()),
      {.white = out.white, .threshold = options.threshold, .structure = options.structure});
  std::vector<float> differences;
  if (options.colors) {
    out.color.emplace();
    differences.resize(static_cast<std::size_t>(width) * compared_rows);
  }
  const auto read = [&](int top) {
    const int now = std::min(compared_rows, height - top);
    auto other = std::async(std::launch::async, [&] { second.read(top, now); });
    first.read(top, now);
    other.get();
  };
  auto reading = std::async(std::launch::async, read, 0);
  for (int top = 0; top < height; top += compared_rows) {
    reading.get();
    first.show();
    second.show();
    const int now = std::min(compared_rows, height - top);
    if (top + now < height) reading = std::async(std::launch::async, read, top + now);
    comparison.add_rows(first.numbers(), second.numbers(), now, first.plane());
    if (out.color) compare_colours(first, second, top, now, width, differences, *out.color);
    if (rows) {
      rows({first.numbers(), second.numbers(), top, now, first.plane(),
            out.color ? differences.data() : nullptr});
    }
    if (options.progress && !options.progress(static_cast<double>(top + now) / height)) {
      throw Cancelled();
    }
  }
  a.check_unchanged();
  b.check_unchanged();
  out.channels = comparison.channels();
  out.all = comparison.all();
  return out;
}

}  // namespace sfumato
