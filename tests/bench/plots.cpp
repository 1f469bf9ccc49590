// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The plots: methods by sigma, radius or matrix size, and group sizes by work per item.
#include <cmath>

#include "filters/registry.hpp"
#include "params/text.hpp"
#include "plot_writer.hpp"

namespace sfumato::bench {
namespace {

using Words = std::vector<std::pair<std::string, std::string>>;

std::vector<double> numbers(std::initializer_list<double> values) {
  return values;
}

class MethodPlots : PlotWriter {
 public:
  using PlotWriter::PlotWriter;

  void draw_all() {
    gaussian();
    bilateral();
    median();
    box_and_morphology();
    convolve();
    if (bench_.form() == Form::gpu) {
      sizes_of_items();
    } else {
      sizes_of_strips();
    }
  }

 private:
  // The ids of a filter's methods except auto.
  static std::vector<std::string> methods_of(const char* filter) {
    std::vector<std::string> ids;
    const Parameter* p = Registry::get().at(filter).filter->info().parameters.find("method");
    if (p == nullptr) return ids;
    for (const ChoiceOption& c : p->choices) {
      if (c.id != "auto") ids.push_back(c.id);
    }
    return ids;
  }

  void gaussian() {
    Chart chart{"Gaussian blur: time by method",
                subtitle("RGBA float"),
                device(),
                "sigma, px (log)",
                "time, ms (log)",
                "method",
                numbers({0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256}),
                true,
                {}};
    std::vector<std::string> methods = methods_of("gaussian");
    methods.insert(methods.begin(), "auto");
    for (const std::string& method : methods) {
      // CPU devices have no sampler and run `separable` instead.
      if (method == "bilinear" && bench_.form() == Form::cpu) continue;
      Curve curve{method, {}, method == "auto"};
      for (const double sigma : {0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0,
                                 32.0, 64.0, 128.0, 256.0}) {
        const Case c{"gaussian", {{"sigma", print_number(sigma)}, {"method", method}}, "f32x4", ""};
        if (!add(curve, sigma, c, method == "auto" ? "" : method)) break;
      }
      chart.curves.push_back(std::move(curve));
    }
    write("gaussian-methods", chart);
  }

  void bilateral() {
    Chart chart{"Bilateral filter: time by method",
                subtitle("opaque RGB float, sigma = radius / 2"),
                device(),
                "radius of the window, px (log)",
                "time, ms (log)",
                "method",
                numbers({1, 2, 3, 5, 7, 10, 15, 20, 30, 50}),
                true,
                {}};
    for (const std::string& method : methods_of("bilateral")) {
      draw(chart, method, [&](double radius) {
        const Words words{{"radius", print_number(radius)},
                          {"sigma", print_number(radius / 2)},
                          {"method", method}};
        return Case{"bilateral", words, "f32x3", ""};
      });
    }
    write("bilateral-methods", chart);
  }

  void median() {
    Chart chart{"Median: time by method and depth",
                subtitle("pixels"),
                device(),
                "radius of the window, px (log)",
                "time, ms (log)",
                "method, pixels",
                numbers({1, 2, 3, 5, 7, 10, 15, 31, 50, 100}),
                true,
                {}};
    for (const std::string& method : methods_of("median")) {
      for (const char* kind : {"u8x3", "f32x4"}) {
        draw(chart, method + (kind[0] == 'u' ? ", 8-bit RGB" : ", RGBA float"), [&](double radius) {
          return Case{"median", {{"radius", print_number(radius)}, {"method", method}}, kind, ""};
        });
      }
    }
    write("median-methods", chart);
  }

  void box_and_morphology() {
    Chart chart{"Box and dilation: time by shape",
                subtitle("RGBA float"),
                device(),
                "radius, px (log)",
                "time, ms (log)",
                "filter, shape",
                numbers({1, 2, 5, 10, 20, 50, 100, 200, 500}),
                true,
                {}};
    draw(chart, "box", [](double radius) {
      return Case{"box", {{"radius", print_number(radius)}}, "f32x4", ""};
    });
    for (const char* shape : {"square", "disk", "diamond"}) {
      draw(chart, std::string("dilate, ") + shape, [&](double radius) {
        return Case{
            "morphology", {{"radius", print_number(radius)}, {"shape", shape}}, "f32x4", ""};
      });
    }
    write("box-morphology", chart);
  }

  void convolve() {
    Chart chart{"Convolution: time by method",
                subtitle("RGBA float, matrices of rank 2"),
                device(),
                "side of the matrix, px (log)",
                "time, ms (log)",
                "method",
                numbers({3, 5, 7, 9, 11, 15, 21, 31, 63, 127}),
                true,
                {}};
    for (const char* method : {"auto", "direct", "factored", "fft"}) {
      const auto case_at = [&](double side) {
        const Words words{{"matrix", product_and_spot(static_cast<int>(side))}, {"method", method}};
        return Case{"convolve", words, "f32x4", ""};
      };
      draw(chart, method, case_at, std::string(method) == "auto");
    }
    write("convolve-methods", chart);
  }

  // One curve over the first size per value of the second.
  struct SizeCurve {
    std::string name;
    std::vector<std::pair<std::string, int>> sizes;  ///< sizes that stay fixed
  };
  void sizes(const std::string& file, Chart chart, const Case& c,
             const std::vector<std::string>& varied, const std::vector<SizeCurve>& curves) {
    chart.log_y = false;
    for (const SizeCurve& of : curves) {
      Curve curve{of.name, {}, false};
      for (const double x : chart.x_ticks) {
        Case sized = c;
        for (const std::string& name : varied) {
          sized.sizes[c.filter][name] = static_cast<int>(x);
        }
        for (const auto& [name, value] : of.sizes) sized.sizes[c.filter][name] = value;
        add(curve, x, sized);
      }
      chart.curves.push_back(std::move(curve));
    }
    write(file, chart);
  }

  Chart size_chart(const std::string& title, const std::string& what, const std::string& x_label,
                   const std::string& legend, std::vector<double> ticks) const {
    return {title,  subtitle(what),   device(), x_label, "time, ms",
            legend, std::move(ticks), false,    {}};
  }

  static std::vector<SizeCurve> groups() {
    std::vector<SizeCurve> all;
    for (const auto& [columns, rows] :
         std::vector<std::pair<int, int>>{{16, 1}, {32, 1}, {32, 2}, {32, 4}, {64, 2}, {64, 4}}) {
      all.push_back({std::to_string(columns * rows) + " (" + std::to_string(columns) + " × " +
                         std::to_string(rows) + ")",
                     {{"group_columns", columns}, {"group_rows", rows}}});
    }
    return all;
  }

  // GPU form: results per item, by group size.
  void sizes_of_items() {
    std::vector<SizeCurve> lines;
    for (const int items : {64, 128, 256}) {
      lines.push_back({std::to_string(items), {{"row_items", items}, {"column_items", items}}});
    }
    const std::string x = "results of a work-item (log)", legend = "items of a work-group";
    sizes("gaussian-sizes",
          size_chart("Gaussian blur, separable, not fused: results of a work-item",
                     "RGBA float, sigma 30", x, legend, {1, 2, 4, 8}),
          {"gaussian", {{"sigma", "30"}, {"method", "separable"}}, "f32x4", ""},
          {"row_results", "column_results"}, lines);
    sizes("bilateral-sizes",
          size_chart("Bilateral filter, exact: results of a work-item",
                     "opaque RGB float, radius 5", x, legend, {1, 2, 4, 8}),
          {"bilateral", {{"radius", "5"}, {"method", "exact"}}, "f32x3", ""}, {"results"},
          groups());
    sizes("convolve-sizes",
          size_chart("Convolution, direct: results of a work-item", "RGBA float, matrix of 11 × 11",
                     x, legend, {1, 2, 4, 8, 16}),
          {"convolve", {{"matrix", product_and_spot(11)}, {"method", "direct"}}, "f32x4", ""},
          {"results"}, groups());
  }

  // CPU form: one-item groups, which compute strips of so many rows and columns.
  void sizes_of_strips() {
    const auto strips = [](const char* name, std::initializer_list<int> widths, int pixels) {
      std::vector<SizeCurve> all;
      for (const int width : widths) {
        all.push_back({std::to_string(width * pixels) + " px", {{name, width}}});
      }
      return all;
    };
    const std::string x = "rows of results of a work-item (log)", legend = "width of its strip";
    sizes("gaussian-sizes",
          size_chart("Gaussian blur, separable, fused: results of a work-item",
                     "RGBA float, sigma 3", x, legend, {64, 128, 256, 512, 1024}),
          {"gaussian", {{"sigma", "3"}, {"method", "separable"}}, "f32x4", ""}, {"strip_rows"},
          strips("strip_vectors", {4, 8, 16, 32}, 4));
    sizes("bilateral-sizes",
          size_chart("Bilateral filter, exact: results of a work-item",
                     "opaque RGB float, radius 5", x, legend, {8, 16, 32, 64}),
          {"bilateral", {{"radius", "5"}, {"method", "exact"}}, "f32x3", ""}, {"strip_rows"},
          strips("strip_columns", {32, 64, 128, 256}, 1));
    sizes("convolve-sizes",
          size_chart("Convolution, direct: results of a work-item", "RGBA float, matrix of 11 × 11",
                     x, legend, {64, 128, 256, 512}),
          {"convolve", {{"matrix", product_and_spot(11)}, {"method", "direct"}}, "f32x4", ""},
          {"strip_rows"}, strips("strip_vectors", {4, 8, 16, 32}, 4));
  }
};

}  // namespace

std::string product_and_spot(int side) {
  std::string text;
  for (int j = 0; j < side; ++j) {
    for (int i = 0; i < side; ++i) {
      const double a = std::cos(1.5 * (2.0 * i / (side - 1) - 1));
      const double b = std::cos(1.5 * (2.0 * j / (side - 1) - 1));
      const double weight = a * b * 2 / side / side + (i == 0 && j == 1 ? 0.25 : 0);
      text += (i == 0 ? (j == 0 ? "" : "; ") : " ") + print_number(weight);
    }
  }
  return text;
}

void draw_methods(DeviceBench& bench, const std::filesystem::path& folder, int width, int height) {
  MethodPlots(bench, folder, width, height).draw_all();
}

}  // namespace sfumato::bench
