// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The plots of growth: time by radius and pixels for each filter that has a reach, and time by the
// picture's size for those and the others.
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "params/text.hpp"
#include "plot_writer.hpp"

namespace sfumato::bench {
namespace {

using Words = std::vector<std::pair<std::string, std::string>>;

struct Growth {
  const char* filter;
  const char* file;  ///< the chart's name: growth-FILE.svg
  const char* title;
  const char* parameter;  ///< in ascending `values`
  const char* label;
  std::vector<double> values;
  Words others = {};
};

const std::vector<double> radii{1, 2, 3, 5, 7, 10, 15, 25, 50, 100};
const std::vector<double> sigmas{0.5, 1, 2, 3, 4, 6, 8, 16, 32, 64};

std::vector<Growth> smoothing() {
  return {{"gaussian", "gaussian", "Gaussian blur", "sigma", "sigma, px (log)", sigmas},
          {"gaussian",
           "gaussian-boxes",
           "Gaussian blur by boxes",
           "sigma",
           "sigma, px (log)",
           sigmas,
           {{"method", "boxes"}}},
          {"box", "box", "Box", "radius", "radius, px (log)", radii},
          {"bloom", "bloom", "Bloom", "sigma", "sigma, px (log)", sigmas},
          {"bilateral",
           "bilateral-exact",
           "Bilateral filter, exact",
           "radius",
           "radius, px (log)",
           {1, 2, 3, 5, 7, 10, 15, 25},
           {{"method", "exact"}}},
          {"bilateral",
           "bilateral-fast",
           "Bilateral filter, fast",
           "sigma",
           "sigma, px (log)",
           {2, 4, 8, 16, 32, 64},
           {{"method", "fast"}}},
          {"joint_bilateral",
           "joint-bilateral",
           "Joint bilateral by guide, normal and depth",
           "radius",
           "radius, px (log)",
           {1, 2, 3, 5, 7, 10, 15}},
          {"atrous",
           "atrous",
           "À-trous wavelet by colour, normal and depth",
           "iterations",
           "levels (log)",
           {1, 2, 3, 4, 5, 6}},
          {"geometry_blur",
           "geometry-blur",
           "Geometry blur",
           "sigma",
           "sigma, px (log)",
           {0.5, 1, 2, 3, 4, 6, 8, 16}}};
}

std::vector<Growth> others() {
  return {
      {"median", "median", "Median", "radius", "radius, px (log)", radii},
      {"morphology", "morphology", "Dilation by a square", "radius", "radius, px (log)", radii},
      {"morphology",
       "morphology-disk",
       "Dilation by a disk",
       "radius",
       "radius, px (log)",
       radii,
       {{"shape", "disk"}}},
      {"canny", "canny", "Canny edges", "sigma", "sigma, px (log)", {0.5, 1, 1.4, 2, 4, 8, 16}},
      {"log", "log", "Laplacian of Gaussian", "sigma", "sigma, px (log)", {1, 2, 4, 8, 16, 32}},
      {"unsharp_mask", "unsharp-mask", "Unsharp mask", "sigma", "sigma, px (log)", sigmas},
      {"night_vision",
       "night-vision",
       "Night vision",
       "sigma",
       "sigma, px (log)",
       {0.5, 1, 2, 4, 8}},
  };
}

constexpr std::array<std::pair<const char*, const char*>, 4> kinds{{{"u8x3", "8-bit RGB"},
                                                                    {"f32x1", "gray float"},
                                                                    {"f32x3", "RGB float"},
                                                                    {"f32x4", "RGBA float"}}};

// What filters cost in pictures of several sizes, a chart for each group.
struct Pictures {
  const char* file;
  const char* title;
  std::vector<std::pair<const char*, Words>> filters;
};

std::vector<Pictures> pictures() {
  return {{"pictures-smoothing",
           "Smoothing by the picture's size",
           {{"gaussian", {{"sigma", "4"}}},
            {"box", {{"radius", "15"}}},
            {"bloom", {}},
            {"bilateral", {{"radius", "7"}}},
            {"joint_bilateral", {{"radius", "7"}}},
            {"atrous", {{"iterations", "5"}}},
            {"geometry_blur", {{"sigma", "3"}}},
            {"median", {{"radius", "3"}}}}},
          {"pictures-others",
           "Edges, colour and frequency by the picture's size",
           {{"canny", {{"sigma", "1.4"}}},
            {"log", {{"sigma", "2"}}},
            {"morphology", {{"radius", "15"}}},
            {"unsharp_mask", {}},
            {"night_vision", {}},
            {"grayscale", {}},
            {"spectrum", {}},
            {"frequency", {}}}}};
}

class GrowthPlots : PlotWriter {
 public:
  using PlotWriter::PlotWriter;

  void draw_all() {
    const double copy = bench_.copy_ms();
    for (const Growth& growth : smoothing()) by_radius(growth, copy);
    for (const Growth& growth : others()) by_radius(growth, copy);
    for (const Pictures& group : pictures()) by_picture(group);
  }

 private:
  // With what copying the RGBA picture takes, which nothing that changes all of it can beat.
  void by_radius(const Growth& growth, double copy) {
    Chart chart{growth.title,
                subtitle("pixels"),
                device(),
                growth.label,
                "time, ms (log)",
                "pixels",
                growth.values,
                true,
                {}};
    for (const auto& [kind, name] : kinds) {
      draw(chart, name, [&, kind = kind](double x) {
        Words words = growth.others;
        words.emplace_back(growth.parameter, print_number(x));
        return Case{growth.filter, words, kind, ""};
      });
      if (chart.curves.back().points.empty()) chart.curves.pop_back();  // no form for such pixels
    }
    chart.curves.push_back({"copy of RGBA float",
                            {{growth.values.front(), copy}, {growth.values.back(), copy}},
                            true});
    write(std::string("growth-") + growth.file, chart);
  }

  void by_picture(const Pictures& group) {
    Chart chart{group.title,
                "RGB float; best of several runs, the picture resident on the device",
                device(),
                "megapixels (log)",
                "time, ms (log)",
                "filter",
                {0.25, 1, 4, 16, 33},
                true,
                {}};
    for (const auto& [filter, words] : group.filters) chart.curves.push_back({filter, {}, false});
    std::vector<bool> goes_on(group.filters.size(), true);
    for (const double megapixels : chart.x_ticks) {
      // About three to two.
      const int height = static_cast<int>(std::sqrt(megapixels * 1e6 / 1.5)) / 4 * 4;
      std::optional<DeviceBench> bench;
      try {
        bench.emplace(bench_.info(), height / 2 * 3, height);
      } catch (const DeviceError& e) {
        std::printf("%g megapixels: %s\n", megapixels, e.what());
        break;
      }
      for (std::size_t i = 0; i < group.filters.size(); ++i) {
        const auto& [filter, words] = group.filters[i];
        if (!goes_on[i]) continue;
        goes_on[i] = add(*bench, chart.curves[i], megapixels, Case{filter, words, "f32x3", ""});
      }
    }
    write(group.file, chart);
  }
};

}  // namespace

void draw_growth(DeviceBench& bench, const std::filesystem::path& folder, int width, int height) {
  GrowthPlots(bench, folder, width, height).draw_all();
}

}  // namespace sfumato::bench
