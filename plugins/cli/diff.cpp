// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// sfumato diff: how much two pictures differ, in numbers and as a picture.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <future>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "compare/cells.hpp"
#include "diff_layers.hpp"
#include "difference_output.hpp"
#include "io/compare_pictures.hpp"
#include "io/module.hpp"
#include "job.hpp"
#include "own_options.hpp"
#include "params/scan.hpp"
#include "params/suggest.hpp"
#include "terminal.hpp"

namespace sfumato::cli {
namespace {

using nlohmann::ordered_json;

struct DiffJob {
  std::filesystem::path a, b, out;
  ReadOptions read;
  CompareOptions compare;
  WriteOptions write;
  DifferenceKind kind = DifferenceKind::absolute;
  std::optional<double> gain, most;
  bool json = false;
};

// "12,-5".
std::array<int, 2> offset_of(const std::string& text) {
  std::array<int, 2> out{};
  int read = 0;
  if (std::sscanf(text.c_str(), "%9d,%9d%n", &out[0], &out[1], &read) != 2 ||
      static_cast<std::size_t>(read) != text.size()) {
    throw UsageError(
        message({"usage.offset", "--offset takes X,Y in pixels, not {value}"}, in_quotes(text)));
  }
  return out;
}

DiffJob job_of(Arguments arguments) {
  const CommandInfo& command = *find_command("diff");
  const OwnOptions own(command, arguments);
  const Parsed parsed = parse_arguments(arguments, nullptr);
  refuse_other_options(command, parsed.given);
  const auto& files = parsed.positional;
  if (files.size() < 2 || files.size() > 3) {
    throw UsageError(message({"usage.two_pictures", "name two pictures: {usage}"}, command.usage));
  }
  DiffJob job;
  job.a = files[0];
  job.b = files[1];
  if (files.size() == 3) job.out = files[2];
  job.read = read_options(parsed.common);
  job.read.channels = own.text("--channels");
  job.read.cancelled = interrupted;
  job.write = write_options(parsed.common);
  job.compare.threshold = own.number("--threshold", 0).value_or(0);
  if (own.has("--offset")) job.compare.offset = offset_of(own.text("--offset"));
  if (own.word("--profiles", {"ignore", "respect"}) == "respect") {
    job.compare.numbers = ComparedNumbers::seen;
  }
  const std::string kind = own.word("--show", {"absolute", "signed", "map"});
  job.kind = kind == "map"      ? DifferenceKind::map
             : kind == "signed" ? DifferenceKind::signs
                                : DifferenceKind::absolute;
  job.gain = own.number("--gain", 0);
  job.most = own.number("--max", 0);
  job.json = own.has("--json");
  return job;
}

struct LayerDifference {
  MatchedChannels which;
  PictureDifference found;
};

struct Found {
  std::vector<LayerDifference> layers;
  std::vector<std::string> only_a, only_b;  // layers and channels
};

PictureDifference compared(const DiffJob& job, const MatchedChannels& which,
                           const std::function<void(const ComparedRows&)>& rows = {}) {
  ReadOptions read_a = job.read, read_b = job.read;
  if (!which.in_a.empty()) read_a.channels = which.in_a;
  if (!which.in_b.empty()) read_b.channels = which.in_b;
  // Each in its own decoder, which takes longer to start than to read the header.
  auto other = std::async(std::launch::async, open_picture, job.b, read_b);
  const auto a = open_picture(job.a, read_a), b = other.get();
  CompareOptions options = job.compare;
  if (which.single) {
    options.colors = false;
    options.numbers = ComparedNumbers::stored;
  }
  ProgressBar bar(which.name.empty() ? "comparing" : which.name);
  options.progress = [&bar](double part) { return bar.show(part); };
  PictureDifference out = compare_pictures(*a, *b, options, rows);
  if (!which.name.empty() || rows) return out;
  for (const auto* picture : {a.get(), b.get()}) {
    for (const Message& warning : picture->info().warnings) say(warning);
  }
  return out;
}

// The picture itself, and all else that both files have, by their names.
Found compare_all(const DiffJob& job) {
  Found out;
  Matching matching{{MatchedChannels{}}, {}, {}};
  if (job.read.channels.empty()) matching = match_channels(job.a, job.b, job.read);
  for (const MatchedChannels& which : matching.all) {
    out.layers.push_back({which, compared(job, which)});
  }
  out.only_a = matching.only_a;
  out.only_b = matching.only_b;
  return out;
}

std::string number(double value, const char* format = "%.6g") {
  char text[48];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

void print_channel(const std::string& name, const ChannelDifference& d, bool structure) {
  const std::string place =
      d.largest > 0 ? std::to_string(d.x) + "," + std::to_string(d.y) : std::string("-");
  std::printf("%-10s %12s %13s %12s %12s %9s", name.c_str(), number(d.largest).c_str(),
              place.c_str(), number(d.mean()).c_str(), number(d.root_mean_square()).c_str(),
              number(d.psnr(), "%.2f").c_str());
  if (structure) {
    std::printf(" %9s", d.places > 0 ? number(d.similarity(), "%.6f").c_str() : "-");
  }
  std::printf(" %11lld\n", static_cast<long long>(d.beyond));
}

void print_layer(const DiffJob& job, const LayerDifference& one) {
  const PictureDifference& f = one.found;
  if (!one.which.name.empty()) std::printf("\n%s\n", one.which.name.c_str());
  std::printf("%-10s %12s %13s %12s %12s %9s %9s %11s\n", "channel", "largest", "at x,y", "mean",
              "RMS", "PSNR, dB", "SSIM", "different");
  for (std::size_t i = 0; i < f.names.size(); ++i) {
    print_channel(f.names[i], f.channels[i], job.compare.structure);
  }
  if (f.names.size() > 1) print_channel("all", f.all, job.compare.structure);
  if (f.all.incomparable > 0) {
    std::printf("%lld samples are finite in only one of the two\n",
                static_cast<long long>(f.all.incomparable));
  }
  if (f.color) {
    std::printf("CIEDE2000: mean %s, largest %s at %d,%d\n",
                number(f.color->mean(), "%.4f").c_str(), number(f.color->largest, "%.4f").c_str(),
                f.color->x, f.color->y);
    if (f.color->incomparable > 0) {
      std::printf("without pixels that are not finite: %lld\n",
                  static_cast<long long>(f.color->incomparable));
    }
  }
}

// Infinities and what is no number are null in JSON.
ordered_json json_number(double value) {
  return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr);
}

ordered_json json_of(const std::string& name, const ChannelDifference& d) {
  return {{"name", name},
          {"largest", json_number(d.largest)},
          {"x", d.x},
          {"y", d.y},
          {"mean", json_number(d.mean())},
          {"rms", json_number(d.root_mean_square())},
          {"psnr", json_number(d.psnr())},
          {"ssim", json_number(d.similarity())},
          {"samples", d.samples},
          {"different", d.beyond},
          {"not_finite_in_one", d.incomparable}};
}

void print_json(const DiffJob& job, const Found& found, bool exceeded) {
  ordered_json layers = ordered_json::array();
  for (const LayerDifference& one : found.layers) {
    const PictureDifference& f = one.found;
    ordered_json channels = ordered_json::array();
    for (std::size_t i = 0; i < f.names.size(); ++i) {
      channels.push_back(json_of(f.names[i], f.channels[i]));
    }
    ordered_json entry{{"layer", one.which.name},
                       {"width", f.common.width()},
                       {"height", f.common.height()},
                       {"channels", channels},
                       {"all", json_of("all", f.all)}};
    if (f.color) {
      entry["ciede2000"] = {{"mean", json_number(f.color->mean())},
                            {"largest", json_number(f.color->largest)},
                            {"x", f.color->x},
                            {"y", f.color->y},
                            {"not_finite", f.color->incomparable}};
    }
    layers.push_back(entry);
  }
  const ordered_json all{
      {"a", job.a.string()}, {"b", job.b.string()},       {"threshold", job.compare.threshold},
      {"layers", layers},    {"only_in_a", found.only_a}, {"only_in_b", found.only_b},
      {"exceeded", exceeded}};
  std::puts(all.dump(2, ' ', false, ordered_json::error_handler_t::replace).c_str());
}

void say_missing(const DiffJob& job, const std::vector<std::string>& names,
                 const std::filesystem::path& only_in) {
  if (names.empty() || job.json) return;
  say(message({"diff.only_in", "{file}: only this file has the layers or channels {names}"},
              files::shown(only_in), scan::joined(names)));
}

void write_picture(const DiffJob& job, const Found& found) {
  const PictureDifference& plan = found.layers.front().found;
  const double gain = job.gain.value_or(gain_for(plan.all.largest));
  DifferenceOutput out(job.out, job.write, job.kind, gain, plan);
  compared(job, found.layers.front().which, [&](const ComparedRows& rows) { out.add(rows); });
  out.finish();
  std::vector<std::string> others;
  for (const LayerDifference& one : found.layers) others.push_back(one.which.name);
  if (others.size() > 1) {
    others.erase(others.begin());
    say(message({"diff.others_not_shown",
                 "{file} shows the picture's differences, not those of {names} (--channels NAME "
                 "shows them)"},
                files::shown(job.out), scan::joined(others)));
  }
  if (!job.json)
    std::printf("differences in %s are shown %s times\n", job.out.string().c_str(),
                number(gain).c_str());
}

}  // namespace

int run_diff(const Arguments& arguments) {
  const DiffJob job = job_of(arguments);
  check_input(job.a);
  check_input(job.b);
  if (!job.out.empty()) {
    refuse_compared(job.out, {job.a, job.b});
    check_output(job.out, job.write);
  }
  const Found found = compare_all(job);
  for (const Message& warning : found.layers.front().found.warnings) {
    say(warning);
    if (warning.id == "compare.profiles") {
      say(message({"diff.respect", "--profiles respect compares the colours"}));
    }
  }
  say_missing(job, found.only_a, job.a);
  say_missing(job, found.only_b, job.b);
  bool exceeded = job.most && !(found.only_a.empty() && found.only_b.empty());
  for (const LayerDifference& one : found.layers) {
    exceeded = exceeded || (job.most && one.found.all.largest > *job.most);
    if (!job.json) print_layer(job, one);
  }
  if (job.json) print_json(job, found, exceeded);
  if (!job.out.empty()) write_picture(job, found);
  return exceeded ? 1 : 0;
}

}  // namespace sfumato::cli
