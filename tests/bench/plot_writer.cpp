// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The points of charts, and their files.
#include "plot_writer.hpp"

#include <fstream>
#include <stdexcept>

#include "params/errors.hpp"

namespace sfumato::bench {
namespace {

constexpr double too_long_ms = 1000;  // a curve ends at its first point beyond this

}  // namespace

std::string PlotWriter::subtitle(const std::string& what) const {
  return std::to_string(width_) + " × " + std::to_string(height_) + " " + what +
         "; best of several runs, the picture resident on the device";
}

std::string PlotWriter::device() const {
  const DeviceInfo& info = bench_.info();
  return info.name + ", " + info.platform + ", driver " + info.driver;
}

bool PlotWriter::add(DeviceBench& bench, Curve& curve, double x, const Case& c,
                     const std::string& method) {
  try {
    const Result r = bench.measure(c, {0.15, 9, too_long_ms, true});
    // A method that switches to another one has no time of its own here.
    if (!method.empty() && r.method.rfind(method, 0) != 0) return true;
    std::printf("%-24s %-34s %8g %10.3f ms\n", curve.name.c_str(), c.filter.c_str(), x,
                r.milliseconds);
    std::fflush(stdout);
    curve.points.emplace_back(x, r.milliseconds);
    return r.milliseconds < too_long_ms;
  } catch (const ParameterError&) {
    return false;  // the filter rejects it
  } catch (const NoSuchForm&) {
    return false;
  } catch (const DeviceError& e) {
    std::printf("%-24s %-34s %8g %s\n", curve.name.c_str(), c.filter.c_str(), x, e.what());
    return false;
  }
}

void PlotWriter::write(const std::string& name, const Chart& chart) const {
  const std::filesystem::path file = folder_ / (name + ".svg");
  std::ofstream out(file, std::ios::binary);
  out << draw_svg(chart);
  if (!out.flush()) throw std::runtime_error("cannot write " + file.string());
}

void draw_plots(DeviceBench& bench, const std::filesystem::path& folder, int width, int height) {
  std::filesystem::create_directories(folder);
  draw_methods(bench, folder, width, height);
  draw_growth(bench, folder, width, height);
}

}  // namespace sfumato::bench
