// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "compare/comparison_report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

namespace sfumato {
namespace {

std::string formatted(const char* format, double value) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

using Cell = HeldPicture ComparedVariant::*;

// Which variants stand in a row, and in which of its columns.
using Places = std::vector<std::pair<std::size_t, std::size_t>>;

SheetBand band_of(const ComparisonRun& run, const Places& places, std::size_t columns,
                  std::string label, Cell cell) {
  SheetBand band{std::move(label), std::vector<HeldPicture>(columns)};
  for (const auto& [variant, column] : places) band.cells[column] = run.results()[variant].*cell;
  return band;
}

bool has_pictures(const SheetBand& band) {
  return std::any_of(band.cells.begin(), band.cells.end(),
                     [](const HeldPicture& cell) { return !cell.bytes.empty(); });
}

struct KindOfCell {
  std::string label;
  Cell cell;
};

SheetRow row_of(const ComparisonRun& run, const Places& places, std::size_t columns,
                const std::vector<KindOfCell>& kinds, const Words& words) {
  SheetRow out;
  out.notes.resize(columns);
  for (const auto& [variant, column] : places) out.notes[column] = notes_of(run, variant, words);
  for (const KindOfCell& kind : kinds) {
    SheetBand band = band_of(run, places, columns, kind.label, kind.cell);
    if (has_pictures(band)) out.bands.push_back(std::move(band));
  }
  return out;
}

// A grid has lines enough.
std::vector<KindOfCell> kinds_of(const Grid& grid, bool detail_asked, bool detail,
                                 const Words& words) {
  const KindOfCell whole{words(message({"sheet.whole", "whole"})), &ComparedVariant::whole},
      part{words(message({"sheet.detail", "detail"})), &ComparedVariant::detail},
      difference{words(message({"sheet.difference", "difference"})),
                 &ComparedVariant::whole_difference},
      its_detail{words(message({"sheet.its_detail", "its detail"})),
                 &ComparedVariant::detail_difference};
  if (grid.rows.empty() && detail) return {whole, part, difference, its_detail};
  return detail_asked ? std::vector<KindOfCell>{part, its_detail}
                      : std::vector<KindOfCell>{whole, difference};
}

void add_grid(const ComparisonRun& run, const Grid& grid, const std::vector<KindOfCell>& kinds,
              const Words& words, Sheet& to) {
  to.columns = grid.columns;
  for (std::size_t row = 0; row < grid.rows.size(); ++row) {
    Places places;
    for (std::size_t i = 0; i < grid.variants.size(); ++i) {
      if (grid.variants[i].row == row) places.emplace_back(i, grid.variants[i].column);
    }
    to.rows.push_back(row_of(run, places, grid.columns.size(), kinds, words));
    to.rows.back().title = grid.rows[row];
  }
}

// What lies side by side, in lines of about the same length that fit on paper; what was left out
// takes no place.
void add_lines(const ComparisonRun& run, const Grid& grid, const std::vector<KindOfCell>& kinds,
               const Words& words, Sheet& to) {
  constexpr std::size_t most = 5;
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < grid.variants.size(); ++i) {
    if (!grid.variants[i].left_out) shown.push_back(i);
  }
  const std::size_t lines = (shown.size() + most - 1) / most;
  const std::size_t columns = (shown.size() + lines - 1) / lines;
  for (std::size_t first = 0; first < shown.size(); first += columns) {
    Places places;
    std::vector<std::string> titles;
    for (std::size_t i = first; i < std::min(first + columns, shown.size()); ++i) {
      places.emplace_back(shown[i], i - first);
      titles.push_back(grid.columns[grid.variants[shown[i]].column]);
    }
    to.rows.push_back(row_of(run, places, titles.size(), kinds, words));
    to.rows.back().columns = std::move(titles);
  }
}

Message place_of_detail(const ComparisonRun& run) {
  const Rect part = run.detail();
  if (run.detail_is_largest()) {
    return message({"sheet.detail_at_largest",
                    "The detail is around the largest difference, from x {x}, y {y}."},
                   part.x0, part.y0);
  }
  return message(
      {"sheet.detail_at", "The detail is the part from x {x}, y {y}, {width} x {height} pixels."},
      part.x0, part.y0, part.width(), part.height());
}

// The line of a series, in the order of the numbers.
ChartLine line_of(const ComparisonRun& run, const Grid& grid, const std::string& series,
                  double (*value)(const ComparedVariant&)) {
  ChartLine line{series, {}};
  for (std::size_t i = 0; i < grid.variants.size(); ++i) {
    const Variant& variant = grid.variants[i];
    if (variant.series != series || !variant.number || variant.left_out) continue;
    line.points.emplace_back(*variant.number, value(run.results()[i]));
  }
  std::sort(line.points.begin(), line.points.end());
  return line;
}

}  // namespace

std::string time_text(double seconds) {
  return seconds < 1 ? formatted("%.3g ms", seconds * 1000) : formatted("%.3g s", seconds);
}

std::string psnr_text(const Difference& d, const Words& words) {
  if (d.incomparable > 0) return "-";
  return d.largest == 0 ? words(message({"sheet.identical", "identical"}))
                        : formatted("%.1f dB", d.psnr());
}

std::string largest_text(const Difference& d, const Words& words) {
  if (d.incomparable == 0) return formatted("%.2g", d.largest);
  return words(message({"sheet.not_finite", "{count} not finite"}, d.incomparable));
}

std::vector<std::string> notes_of(const ComparisonRun& run, std::size_t number,
                                  const Words& words) {
  const Variant& variant = run.variants()[number];
  const ComparedVariant& result = run.results()[number];
  std::vector<std::string> notes;
  if (variant.left_out) return {words(message({"sheet.left_out", "left out"}))};
  if (!variant.recipe.steps.empty()) {
    const std::string first = time_text(result.first_seconds);
    notes.push_back(words(result.warm_seconds
                              ? message({"sheet.times", "{time}, first {first}"},
                                        time_text(*result.warm_seconds), first)
                              : message({"sheet.first_time", "first {time}"}, first)));
  }
  if (!result.difference) return notes;
  const Difference& d = *result.difference;
  if (d.incomparable > 0) {
    notes.push_back(
        words(message({"sheet.incomparable", "{count} samples are finite in only one of the two"},
                      d.incomparable)));
  } else if (d.largest == 0) {
    notes.push_back(psnr_text(d, words));
  } else {
    notes.push_back(words(message({"sheet.error", "{psnr}, largest {largest}"}, psnr_text(d, words),
                                  largest_text(d, words))));
    if (result.gain > 1) {
      notes.push_back(words(message({"sheet.gain", "difference shown {gain} times"},
                                    formatted("%.0f", result.gain))));
    }
  }
  return notes;
}

Sheet sheet_of(const ComparisonRun& run, const Grid& grid, const ComparisonTitle& title,
               bool detail_asked) {
  const Words& words = title.words;
  Sheet sheet;
  sheet.title = title.title;
  sheet.notes = title.notes;
  const bool detail = detail_asked || (grid.rows.empty() && !run.detail_is_whole());
  const std::vector<KindOfCell> kinds = kinds_of(grid, detail_asked, detail, words);
  if (grid.rows.empty()) {
    add_lines(run, grid, kinds, words, sheet);
  } else {
    add_grid(run, grid, kinds, words, sheet);
  }
  const auto& results = run.results();
  const bool compared = std::any_of(results.begin(), results.end(),
                                    [](const auto& r) { return r.difference.has_value(); });
  const bool differ = std::any_of(results.begin(), results.end(), [](const auto& r) {
    return r.difference && r.difference->largest != 0;
  });
  if (compared && !differ) {
    sheet.notes.push_back(
        words(message({"sheet.all_identical", "All are identical to the last bit."})));
  }
  if (detail) sheet.notes.push_back(words(place_of_detail(run)));
  if (differ) {
    sheet.notes.push_back(
        words(message({"sheet.of_srgb", "Differences are of sRGB numbers, white being 1."})));
  }
  return sheet;
}

std::vector<Chart> charts_of(const ComparisonRun& run, const Grid& grid,
                             const ComparisonTitle& title) {
  std::vector<std::string> series;
  for (const Variant& variant : grid.variants) {
    if (!variant.number) continue;
    if (std::find(series.begin(), series.end(), variant.series) == series.end()) {
      series.push_back(variant.series);
    }
  }
  Chart time{title.words(message({"chart.time", "{title}: time"}, title.title)),
             grid.number_name,
             title.words(message({"chart.milliseconds", "milliseconds"})),
             {}};
  Chart error{title.words(message({"chart.error", "{title}: error"}, title.title)),
              grid.number_name,
              "PSNR, dB",
              {}};
  for (const std::string& name : series) {
    time.lines.push_back(
        line_of(run, grid, name, [](const ComparedVariant& v) { return 1000 * v.seconds(); }));
    error.lines.push_back(line_of(run, grid, name, [](const ComparedVariant& v) {
      return v.difference ? v.difference->psnr() : INFINITY;
    }));
  }
  const bool compared =
      std::any_of(error.lines.begin(), error.lines.end(), [](const ChartLine& line) {
        return std::any_of(line.points.begin(), line.points.end(),
                           [](const auto& point) { return std::isfinite(point.second); });
      });
  std::vector<Chart> charts{std::move(time)};
  if (compared) charts.push_back(std::move(error));
  return charts;
}

}  // namespace sfumato
