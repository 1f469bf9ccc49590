// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// sfumato-bench: every filter on a resident picture, compared with the device's copy limit and with
// peers, in one run on one machine. Prints a table and writes JSON to a file.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "bench.hpp"
#include "filters/registry.hpp"
#include "params/text.hpp"
#include "support/cases.hpp"

using namespace sfumato;
using namespace sfumato::bench;

namespace {

struct Arguments {
  std::string device = "auto";
  std::string against;  ///< a device that takes turns with the first
  std::string filter;
  std::string json;
  std::string plots;  ///< a folder for SVGs instead of the table
  int width = 3000, height = 2000;
  bool peers = true;
  std::string kind = "f32x4";
  std::vector<std::pair<std::string, std::string>> values;  ///< of the single case to time
};

Arguments parse(int argc, char** argv) {
  Arguments a;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto next = [&]() -> std::string {
      if (i + 1 >= argc) {
        std::fprintf(stderr, "%s needs a value\n", word.c_str());
        std::exit(2);
      }
      return argv[++i];
    };
    if (word == "--device") {
      a.device = next();
    } else if (word == "--against") {
      a.against = next();
    } else if (word == "--filter") {
      a.filter = next();
    } else if (word == "--json") {
      a.json = next();
    } else if (word == "--plot") {
      a.plots = next();
    } else if (word == "--no-peers") {
      a.peers = false;
    } else if (word == "--kind") {
      a.kind = next();
    } else if (word == "--set") {
      const std::string text = next();
      const std::size_t at = text.find('=');
      if (at == std::string::npos) std::exit(2);
      a.values.emplace_back(text.substr(0, at), text.substr(at + 1));
    } else if (word == "--size") {
      if (std::sscanf(next().c_str(), "%dx%d", &a.width, &a.height) != 2) std::exit(2);
    } else {
      std::fprintf(stderr,
                   "usage: sfumato-bench [--device D] [--size WxH] [--filter ID] [--no-peers] "
                   "[--json FILE]\n"
                   "       sfumato-bench --against D ...   (another device instead of peers, in "
                   "turns)\n"
                   "       sfumato-bench --plot DIR [--device D] [--size WxH]   (SVGs instead)\n"
                   "       sfumato-bench --filter ID --set NAME=VALUE... [--kind f32x4]   (one "
                   "case)\n");
      std::exit(2);
    }
  }
  return a;
}

using Json = nlohmann::ordered_json;

// The value itself, or the elements of an array.
std::vector<Json> each_of(const Json& value) {
  if (!value.is_array()) return {value};
  return value.get<std::vector<Json>>();
}

// A value's texts: one per element of an array; a matrix is named by its size.
std::vector<std::string> texts_of(const Json& value) {
  std::vector<std::string> out;
  if (value.is_object()) {
    for (const Json& side : each_of(value.at("product_and_spot"))) {
      out.push_back(product_and_spot(side.get<int>()));
    }
    return out;
  }
  for (const Json& one : each_of(value)) out.push_back(testing::Cases::text_of(one));
  return out;
}

// Every combination of the values in one entry of a filter's "bench".
std::vector<Case> cases_of(const std::string& filter, const Json& entry) {
  const Case plain{filter, {}, "f32x4", entry.value("peer", std::string())};
  std::vector<Case> all{plain};
  const Json values = entry.value("values", Json::object());
  for (const auto& [name, value] : values.items()) {
    std::vector<Case> more;
    for (const std::string& text : texts_of(value)) {
      for (Case c : all) {
        c.values.emplace_back(name, text);
        more.push_back(c);
      }
    }
    all = more;
  }
  std::vector<Case> out;
  for (const Json& kind : each_of(entry.value("pixels", Json("f32x4")))) {
    for (Case c : all) {
      c.kind = kind.get<std::string>();
      out.push_back(c);
    }
  }
  return out;
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const RegisteredFilter& f : Registry::get().all()) {
    for (const Json& entry : testing::Cases(*f.filter).bench()) {
      for (const Case& c : cases_of(f.filter->info().id, entry)) all.push_back(c);
    }
  }
  return all;
}

// Runs every case on one device, one table row each.
class Table {
 public:
  /// `against`: null to compare with peers.
  Table(DeviceBench& bench, DeviceBench* against, const Arguments& arguments)
      : bench_(bench),
        against_(against),
        info_(bench.info()),
        arguments_(arguments),
        pixels_(static_cast<double>(arguments.width) * arguments.height),
        copy_(bench.copy_ms()) {}

  Json run() {
    print_head();
    const std::string& only = arguments_.filter;
    if (!arguments_.values.empty()) {
      run_case({only, arguments_.values, arguments_.kind, ""});
    } else {
      if (only.empty() || only == "fourier") run_transforms();
      for (const Case& c : cases()) {
        if (only.empty() || c.filter == only) run_case(c);
      }
    }
    if (against_ != nullptr) print_ratios();
    return {{"device", info_.identity()}, {"copy_ms", copy_}, {"results", std::move(rows_)}};
  }

 private:
  void print_head() const {
    std::printf("%s\n%d x %d, copy of RGBA float: %.3f ms (%.1f GB/s); sizes: %s\n\n",
                info_.identity().c_str(), arguments_.width, arguments_.height, copy_,
                pixels_ * 32 / copy_ / 1e6,
                in_english(origin_message(bench_.sizes_from())).c_str());
    if (against_ != nullptr) std::printf("peer: %s\n\n", against_->info().identity().c_str());
    const bool peer = against_ != nullptr || !peer_name().empty();
    std::printf("%-46s %-6s %9s %9s %7s %10s %7s  %s\n", "filter", "pixels", "ms", "MP/s", "copies",
                peer ? "peer ms" : "", peer ? "faster" : "", "method");
  }

  // Of the other device's times to this one's.
  void print_ratios() const {
    if (ratios_.empty()) return;
    double logarithms = 0;
    for (const double ratio : ratios_) logarithms += std::log(ratio);
    std::printf("\n%zu cases: geometric mean %.2f, least %.2f, below 1: %d\n", ratios_.size(),
                std::exp(logarithms / static_cast<double>(ratios_.size())),
                *std::min_element(ratios_.begin(), ratios_.end()),
                static_cast<int>(std::count_if(ratios_.begin(), ratios_.end(),
                                               [](double ratio) { return ratio < 1; })));
  }

  // In turns, since the speed of a shared machine changes from minute to minute; the better time of
  // each device counts.
  Result measure_in_turns(const Case& c) {
    constexpr int turns = 3;
    const Patience patience{0.3, 25, 400, false};
    Result best;
    for (int turn = 0; turn < turns; ++turn) {
      Result r = bench_.measure(c, patience);
      r.peer_ms = against_->measure(c, patience).milliseconds;
      if (turn > 0) {
        r.milliseconds = std::min(r.milliseconds, best.milliseconds);
        r.peer_ms = std::min(*r.peer_ms, *best.peer_ms);
      }
      best = std::move(r);
    }
    ratios_.push_back(*best.peer_ms / best.milliseconds);
    return best;
  }

  void run_transforms() {
    constexpr const char* name = "four real transforms and their inverse";
    try {
      const double ms = bench_.transforms_ms();
      std::printf("%-46s %-6s %9.3f %9.1f %7.2f\n", name, "f32x4", ms, pixels_ / ms / 1e3,
                  ms / copy_);
      rows_.push_back({{"filter", name}, {"pixels", "f32x4"}, {"ms", ms}, {"copies", ms / copy_}});
    } catch (const DeviceError& e) {
      std::printf("transforms: %s\n", e.what());
    }
  }

  void run_case(const Case& c) {
    Result r;
    try {
      r = against_ != nullptr ? measure_in_turns(c) : bench_.measure(c);
    } catch (const DeviceError& e) {
      std::printf("%-46s %-6s %s\n", c.label().c_str(), c.kind.c_str(), e.what());
      rows_.push_back({{"filter", c.label()}, {"pixels", c.kind}, {"error", e.what()}});
      return;
    }
    // Peers run on the processor, so they are compared only with a CPU device.
    if (arguments_.peers && against_ == nullptr && info_.cpu && !c.peer.empty()) {
      r.peer_ms = peer_ms(c, arguments_.width, arguments_.height);
    }
    print(c, r);
    Json row = {{"filter", c.label()},
                {"pixels", c.kind},
                {"ms", r.milliseconds},
                {"megapixels_per_second", pixels_ / r.milliseconds / 1e3},
                {"copies", r.milliseconds / copy_},
                {"share_of_copy_limit", copy_ / r.milliseconds},
                {"method", r.method}};
    if (r.peer_ms) row["peer_ms"] = *r.peer_ms;
    rows_.push_back(std::move(row));
  }

  void print(const Case& c, const Result& r) const {
    std::printf("%-46s %-6s %9.3f %9.1f %7.2f", c.label().c_str(), c.kind.c_str(), r.milliseconds,
                pixels_ / r.milliseconds / 1e3, r.milliseconds / copy_);
    if (r.peer_ms) {
      std::printf(" %10.2f %6.2fx", *r.peer_ms, *r.peer_ms / r.milliseconds);
    } else {
      std::printf(" %18s", "");
    }
    std::printf("  %s\n", r.method.c_str());
    std::fflush(stdout);
  }

  DeviceBench& bench_;
  DeviceBench* const against_;
  const DeviceInfo& info_;
  const Arguments& arguments_;
  const double pixels_, copy_;  // of the picture; ms
  Json rows_ = Json::array();
  std::vector<double> ratios_;
};

}  // namespace

int main(int argc, char** argv) try {
  const Arguments arguments = parse(argc, argv);
  Json report = {{"version", SFUMATO_VERSION},
                 {"width", arguments.width},
                 {"height", arguments.height},
                 {"peer", peer_name()},
                 {"devices", Json::array()}};
  const auto devices = choose_devices(list_devices(), arguments.device);
  if (devices.empty()) throw std::runtime_error("no OpenCL device");
  std::optional<DeviceBench> against;
  if (!arguments.against.empty()) {
    const auto others = choose_devices(list_devices(), arguments.against);
    if (others.empty()) throw std::runtime_error("no device " + arguments.against);
    against.emplace(others.front(), arguments.width, arguments.height);
  }
  for (const DeviceInfo& info : devices) {
    DeviceBench bench(info, arguments.width, arguments.height);
    if (!arguments.plots.empty()) {
      std::printf("%s\nsizes: %s\n", info.identity().c_str(),
                  in_english(origin_message(bench.sizes_from())).c_str());
      draw_plots(bench, arguments.plots, arguments.width, arguments.height);
      return 0;  // of one device
    }
    if (against) report["peer"] = against->info().identity();
    report["devices"].push_back(Table(bench, against ? &*against : nullptr, arguments).run());
  }
  if (!arguments.json.empty()) {
    std::ofstream out(arguments.json);
    out << report.dump(2) << '\n';
    if (!out) throw std::runtime_error("cannot write " + arguments.json);
  }
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "sfumato-bench: %s\n", e.what());
  return 1;
}
