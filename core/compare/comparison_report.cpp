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

SheetBand band_of(const ComparisonRun& run, const Grid& grid, std::size_t row, std::string label,
                  Cell cell) {
  SheetBand band{std::move(label), std::vector<HeldPicture>(grid.columns.size())};
  for (std::size_t i = 0; i < grid.variants.size(); ++i) {
    const Variant& variant = grid.variants[i];
    if (variant.row == row) band.cells[variant.column] = run.results()[i].*cell;
  }
  return band;
}

bool has_pictures(const SheetBand& band) {
  return std::any_of(band.cells.begin(), band.cells.end(),
                     [](const HeldPicture& cell) { return !cell.bytes.empty(); });
}

SheetRow row_of(const ComparisonRun& run, const Grid& grid, std::size_t row, bool detail_asked) {
  SheetRow out;
  if (!grid.rows.empty()) out.title = grid.rows[row];
  out.notes.resize(grid.columns.size());
  for (std::size_t i = 0; i < grid.variants.size(); ++i) {
    const Variant& variant = grid.variants[i];
    if (variant.row == row) out.notes[variant.column] = notes_of(run, i);
  }
  struct Kind {
    const char* label;
    Cell cell;
  };
  constexpr Kind whole{"whole", &ComparedVariant::whole},
      detail{"detail", &ComparedVariant::detail},
      difference{"difference", &ComparedVariant::whole_difference},
      its_detail{"its detail", &ComparedVariant::detail_difference};
  std::vector<Kind> kinds{whole, detail, difference, its_detail};
  if (!grid.rows.empty()) {
    kinds =
        detail_asked ? std::vector<Kind>{detail, its_detail} : std::vector<Kind>{whole, difference};
  }
  for (const Kind& kind : kinds) {
    SheetBand band = band_of(run, grid, row, kind.label, kind.cell);
    if (has_pictures(band)) out.bands.push_back(std::move(band));
  }
  return out;
}

std::string place_of_detail(const ComparisonRun& run) {
  const Rect& part = run.detail();
  if (run.detail_is_largest()) {
    return "The detail is around the largest difference, from x " + std::to_string(part.x0) +
           ", y " + std::to_string(part.y0) + ".";
  }
  return "The detail is the part from x " + std::to_string(part.x0) + ", y " +
         std::to_string(part.y0) + ", " + std::to_string(part.width()) + " x " +
         std::to_string(part.height()) + " pixels.";
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

std::string psnr_text(const Difference& d) {
  if (d.incomparable > 0) return "-";
  return d.largest == 0 ? "identical" : formatted("%.1f dB", d.psnr());
}

std::string largest_text(const Difference& d) {
  if (d.incomparable > 0) return std::to_string(d.incomparable) + " not finite";
  return formatted("%.2g", d.largest);
}

std::vector<std::string> notes_of(const ComparisonRun& run, std::size_t number) {
  const Variant& variant = run.variants()[number];
  const ComparedVariant& result = run.results()[number];
  std::vector<std::string> notes;
  if (variant.left_out) return {"left out"};
  if (!variant.recipe.steps.empty()) {
    std::string time = "first " + time_text(result.first_seconds);
    if (result.warm_seconds) time = time_text(*result.warm_seconds) + ", " + time;
    notes.push_back(time);
  }
  if (!result.difference) return notes;
  const Difference& d = *result.difference;
  if (d.incomparable > 0) {
    notes.push_back(std::to_string(d.incomparable) + " samples are finite in only one of the two");
  } else if (d.largest == 0) {
    notes.emplace_back("identical");
  } else {
    notes.push_back(psnr_text(d) + ", largest " + largest_text(d));
    if (result.gain > 1)
      notes.push_back("difference shown " + formatted("%g", result.gain) + " times");
  }
  return notes;
}

Sheet sheet_of(const ComparisonRun& run, const Grid& grid, const ComparisonTitle& title,
               bool detail_asked) {
  Sheet sheet;
  sheet.title = title.title;
  sheet.notes = title.notes;
  sheet.columns = grid.columns;
  const std::size_t rows = std::max<std::size_t>(1, grid.rows.size());
  for (std::size_t row = 0; row < rows; ++row) {
    sheet.rows.push_back(row_of(run, grid, row, detail_asked));
  }
  const auto& results = run.results();
  const bool compared = std::any_of(results.begin(), results.end(),
                                    [](const auto& r) { return r.difference.has_value(); });
  const bool differ = std::any_of(results.begin(), results.end(), [](const auto& r) {
    return r.difference && r.difference->largest != 0;
  });
  if (compared && !differ) sheet.notes.emplace_back("All are identical to the last bit.");
  if (rows == 1 || detail_asked) sheet.notes.push_back(place_of_detail(run));
  if (differ) sheet.notes.emplace_back("Differences are of sRGB numbers, white being 1.");
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
  Chart time{title.title + ": time", grid.number_name, "milliseconds", {}};
  Chart error{title.title + ": error", grid.number_name, "PSNR, dB", {}};
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
