// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// sfumato tune: measures the fastest sizes of groups and strips for a device and saves them.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "compare/chart.hpp"
#include "device/program_cache.hpp"
#include "engine/tuner.hpp"
#include "filters/registry.hpp"
#include "io/target.hpp"
#include "job.hpp"
#include "options.hpp"
#include "own_options.hpp"
#include "params/json_text.hpp"
#include "params/suggest.hpp"
#include "terminal.hpp"

namespace sfumato::cli {
namespace {

std::vector<std::string> filters_to_tune(const std::vector<std::string>& words) {
  const std::vector<std::string> gpu = tunable_filters(Form::gpu), cpu = tunable_filters(Form::cpu);
  std::vector<std::string> filters;
  for (const std::string& word : words) {
    const std::string id = Registry::get().at(word).filter->info().id;
    if (std::find(gpu.begin(), gpu.end(), id) == gpu.end() &&
        std::find(cpu.begin(), cpu.end(), id) == cpu.end()) {
      std::string known;
      for (const std::string& other : gpu) known += (known.empty() ? "" : ", ") + other;
      throw UsageError(message(
          {"usage.nothing_to_tune", "{filter} has no sizes to choose; these have: {filters}"},
          in_quotes(id), known));
    }
    if (std::find(filters.begin(), filters.end(), id) == filters.end()) filters.push_back(id);
  }
  return filters;
}

// `before_opencl` may throw for reasons that need no device.
DeviceInfo device_to_tune(CommonOptions common, const std::function<void()>& before_opencl) {
  if (common.device.empty()) {
    const char* request = std::getenv("SFUMATO_DEVICE");
    common.device = request != nullptr ? request : "auto";
  }
  if (common.device == "reference") {
    throw UsageError(message({"usage.reference_not_tuned",
                              "the reference runs without OpenCL and has no sizes to tune; name a "
                              "device with --device (see `sfumato devices`)"}));
  }
  before_opencl();
  check_device(common);
  const std::vector<DeviceInfo> fitting = choose_devices(list_devices(), common.device);
  if (fitting.empty()) {
    throw NoDeviceFits(message(
        {"tune.no_device", "there is no OpenCL device here to tune (see `sfumato devices`)"}));
  }
  return fitting.front();
}

std::string form_text(Form form) {
  return form == Form::gpu ? "GPU form" : "CPU form";
}

void print_text(const TuneResult& result, const std::string& file) {
  std::printf("%s, %s, %d x %d RGBA float\n", result.device.c_str(), form_text(result.form).c_str(),
              result.width, result.height);
  std::printf("%-10s %-15s %12s %18s  %s\n", "filter", "size", "choice", "ms", "what it counts");
  int changed = 0, refused = 0;
  for (const TunedSize& s : result.sizes) {
    char choice[48], times[48];
    if (s.after != s.before) {
      ++changed;
      std::snprintf(choice, sizeof choice, "%d -> %d", s.before, s.after);
      std::snprintf(times, sizeof times, "%.3f -> %.3f", s.before_ms, s.after_ms);
    } else {
      std::snprintf(choice, sizeof choice, "%d", s.before);
      std::snprintf(times, sizeof times, "%.3f", s.before_ms);
    }
    refused += s.refused;
    std::printf("%-10s %-15s %12s %18s  %s\n", s.filter.c_str(), s.name.c_str(), choice, times,
                s.help.c_str());
  }
  std::printf("%zu sizes timed in %.1f s, %d changed; kept in %s\n", result.sizes.size(),
              result.seconds, changed, file.c_str());
  if (refused > 0) {
    say(message(
        {"tune.refused",
         "{count} choices do not run on this device, or give other pixels, and were left out"},
        refused));
  }
}

void print_json_text(const TuneResult& result, const std::string& file) {
  nlohmann::ordered_json sizes = nlohmann::ordered_json::array();
  const auto rounded = [](double ms) { return std::round(ms * 1e4) / 1e4; };
  for (const TunedSize& s : result.sizes) {
    sizes.push_back({{"filter", s.filter},
                     {"name", s.name},
                     {"help", s.help},
                     {"before", s.before},
                     {"after", s.after},
                     {"before_ms", rounded(s.before_ms)},
                     {"after_ms", rounded(s.after_ms)},
                     {"refused", s.refused}});
  }
  std::puts(nlohmann::ordered_json{{"device", result.device},
                                   {"form", result.form == Form::gpu ? "gpu" : "cpu"},
                                   {"width", result.width},
                                   {"height", result.height},
                                   {"seconds", rounded(result.seconds)},
                                   {"file", file},
                                   {"sizes", sizes}}
                .dump(2)
                .c_str());
}

// Time over the sizes of groups and strips: a chart for each filter, a line for each size.
std::string plot_of(const TuneResult& result) {
  std::vector<Chart> charts;
  for (const TunedSize& s : result.sizes) {
    if (s.timed.size() < 2) continue;
    const std::string title = s.filter + " on " + result.device;
    if (charts.empty() || charts.back().title != title) {
      charts.push_back({title, "size", "milliseconds", {}});
    }
    ChartLine line{s.name, {}};
    for (const auto& [choice, ms] : s.timed) line.points.emplace_back(choice, ms);
    std::sort(line.points.begin(), line.points.end());
    charts.back().lines.push_back(std::move(line));
  }
  return svg_of(charts);
}

int reset(const UserTuning& table, const DeviceInfo& info, bool json) {
  const bool had_one = table.remove(info, info.natural_form());
  if (json) {
    std::puts(nlohmann::ordered_json{{"device", info.name}, {"removed", had_one}}.dump(2).c_str());
  } else {
    std::printf("%s: %s\n", info.name.c_str(),
                had_one ? "its sizes are forgotten" : "it had no sizes of its own");
  }
  return 0;
}

}  // namespace

int run_tune(const Arguments& given) {
  Arguments arguments = given;
  const OwnOptions own(*find_command("tune"), arguments);
  const bool json = own.has("--json"), resets = own.has("--reset");
  const std::filesystem::path plot = own.text("--plot");
  const Parsed parsed = parse_arguments(arguments, nullptr);
  refuse_other_options(*find_command("tune"), parsed.given);
  const std::vector<std::string> filters = filters_to_tune(parsed.positional);
  if (resets && own.has("--plot")) {
    throw UsageError(message({"usage.contradiction", "{option} and {other} contradict each other"},
                             "--reset", "--plot"));
  }
  if (resets && !filters.empty()) {
    throw UsageError(
        message({"usage.reset", "--reset forgets all sizes of a device; it takes no filter"}));
  }
  // The permanent folder, whatever replaces it when devices are opened.
  const std::filesystem::path folder = default_cache_folder();
  const UserTuning table(folder);
  const DeviceInfo info = device_to_tune(parsed.common, [&] {
    if (!resets) table.check_writable();
    if (!plot.empty()) check_chart(plot, write_options(parsed.common));
  });
  if (resets) return reset(table, info, json);

  Sizes kept;
  try {
    table.find(info, info.natural_form(), kept);
  } catch (const JsonError& e) {
    say(message({"tune.new_table", "{reason}; a new one is started"}, e.message()));
  }
  ProgressBar bar("tuning " + info.name);
  TuneOptions options;
  options.filters = filters;
  options.cache_folder = folder;
  options.progress = [&bar](double part, const std::string&) { return bar.show(part); };
  const TuneResult result = tune(info, options);
  bar.clear();
  // Sizes of filters that were not timed are kept.
  for (const auto& [filter, values] : result.values) kept[filter] = values;
  table.put(info, result.form, kept);
  if (!plot.empty()) files::replace_text(plot, plot_of(result));
  if (json) {
    print_json_text(result, table.file().string());
  } else {
    print_text(result, table.file().string());
  }
  return 0;
}

}  // namespace sfumato::cli
