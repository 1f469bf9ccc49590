// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// sfumato compare: the methods of one filter on one picture, with their errors and times.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include "commands.hpp"
#include "difference_output.hpp"
#include "filters/registry.hpp"
#include "image/difference.hpp"
#include "job.hpp"
#include "params/errors.hpp"
#include "params/suggest.hpp"
#include "params/text.hpp"
#include "sheet.hpp"
#include "terminal.hpp"

namespace sfumato::cli {
namespace {

const std::string& compare_usage() {
  return find_command("compare")->usage;
}

// Takes `--methods a,b` or `--methods=a,b` out of the arguments.
std::optional<std::vector<std::string>> take_methods(Arguments& arguments) {
  for (auto word = arguments.begin(); word != arguments.end(); ++word) {
    if (word->rfind("--methods", 0) != 0) continue;
    std::string list;
    auto end = word + 1;
    if (word->size() > 9 && (*word)[9] == '=') {
      list = word->substr(10);
    } else if (word->size() == 9 && end != arguments.end()) {
      list = *end++;
    } else if (word->size() != 9) {
      continue;
    }
    std::vector<std::string> names;
    for (std::size_t at = 0; at <= list.size();) {
      const std::size_t comma = std::min(list.find(',', at), list.size());
      if (comma > at) names.push_back(list.substr(at, comma - at));
      at = comma + 1;
    }
    if (names.empty())
      throw UsageError(message({"usage.methods", "--methods takes names separated by commas"}));
    arguments.erase(word, end);
    return names;
  }
  return std::nullopt;
}

std::vector<std::string> all_methods(const FilterInfo& info) {
  const Parameter* method = info.parameters.find("method");
  if (method == nullptr || method->choices.size() < 2) {
    throw UsageError(message(
        {"usage.single_method", "{filter} has a single method: there is nothing to compare"},
        info.id));
  }
  std::vector<std::string> names;
  for (const ChoiceOption& c : method->choices) names.push_back(c.id);
  return names;
}

Recipe with_method(Recipe recipe, const std::string& method) {
  recipe.steps[0].values.set("method", Choice(method));
  return recipe;
}

// The methods to show, the exact one first. Methods that reject these values are left out with a
// message, or rejected if the user named them.
std::vector<std::string> chosen_methods(const FilterInfo& info, const Recipe& recipe,
                                        const std::optional<std::vector<std::string>>& wanted) {
  const std::vector<std::string> known = all_methods(info);
  const auto default_method = std::get<Choice>(info.parameters.find("method")->default_value).id;
  std::vector<std::string> methods{info.exact_method.empty() ? default_method : info.exact_method};
  for (const std::string& name : wanted.value_or(known)) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      const std::string nearest = nearest_name(name, known);
      throw UsageError(nearest.empty()
                           ? message({"usage.no_method", "{filter} has no method {method}"},
                                     info.id, in_quotes(name))
                           : message({"usage.no_method_but",
                                      "{filter} has no method {method}; did you mean {nearest}?"},
                                     info.id, in_quotes(name), in_quotes(nearest)));
    }
    if (std::find(methods.begin(), methods.end(), name) != methods.end()) continue;
    try {
      check_recipe(with_method(recipe, name));
      methods.push_back(name);
    } catch (const ParameterError& e) {
      if (wanted) throw;
      say(message({"compare.left_out", "left out: {reason}"}, e.message()));
    }
  }
  return methods;
}

struct Measured {
  std::string method, explained;
  Difference difference;  // from the exact one
  double seconds = 0;     // median of several renders
};

// One picture in memory, rendered by one method after another.
class Comparison {
 public:
  Comparison(Renderer& renderer, Recipe recipe, InputPicture& input, const CommonOptions& common)
      : renderer_(renderer), recipe_(std::move(recipe)), original_(read_all(input)) {
    format_ = original_.format;
    format_.type = SampleType::f32;
    format_.coding = Coding::srgb();
    if (format_.has_alpha()) format_.alpha = AlphaKind::premultiplied;
    roles_ = role_files(common, input);
  }

  const PictureFormat& format() const { return format_; }
  const std::string& device() const { return device_; }

  HeldPicture render(const std::string& method, double* seconds = nullptr) {
    HeldPicture out = blank_picture(format_);
    MemorySource source(original_.format, original_.view());
    MemorySink sink(format_, out.view());
    RenderOptions options;
    options.roles = roles_;
    ProgressBar bar(method);
    options.progress = [&bar](double part) { return bar.show(part); };
    const RenderReport report =
        renderer_.render(with_method(recipe_, method), source, sink, options);
    device_ = report.device;
    explained_ = report.methods.empty() ? "changes nothing" : in_english(report.methods.back());
    if (seconds != nullptr) *seconds = report.seconds;
    return out;
  }

  // The error of the first render, which includes compilation; then the time of further renders.
  Measured measure(const std::string& method, HeldPicture& exact) {
    Measured out{method, {}, {}, 0};
    HeldPicture first = render(method);
    out.difference = difference_between(first.view(), exact.view(), format_);
    out.explained = explained_;
    std::vector<double> times;
    double spent = 0;
    while (times.empty() || (times.size() < 5 && spent < 3)) {
      times.push_back(0);
      render(method, &times.back());
      spent += times.back();
    }
    std::sort(times.begin(), times.end());
    out.seconds = times[times.size() / 2];
    return out;
  }

 private:
  Renderer& renderer_;
  Recipe recipe_;
  HeldPicture original_;
  PictureFormat format_;
  RoleResolver roles_;
  std::string device_, explained_;  // of the last render
};

std::string formatted(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

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

// The caption of a column of the sheet.
std::string error_text(const Difference& d) {
  if (d.incomparable > 0) {
    return std::to_string(d.incomparable) + " samples are finite in only one of the two";
  }
  return psnr_text(d) + ", largest " + largest_text(d);
}

std::string values_text(const FilterInfo& info, const Values& values) {
  std::string text;
  for (const Parameter& p : info.parameters) {
    if (p.name == "method" || p.kind == Kind::image || !p.visible_if.evaluate(values)) {
      continue;
    }
    text += (text.empty() ? "" : ", ") + p.name + " " + print(p, values.at(p.name));
  }
  return text;
}

void print_table(const std::vector<Measured>& all) {
  std::printf("%-14s %10s %12s %12s\n", "method", "time", "PSNR", "largest");
  for (const Measured& m : all) {
    const bool exact = &m == &all.front();
    std::printf("%-14s %10s %12s %12s  %s\n", m.method.c_str(), time_text(m.seconds).c_str(),
                exact ? "-" : psnr_text(m.difference).c_str(),
                exact ? "-" : largest_text(m.difference).c_str(), m.explained.c_str());
  }
}

SheetColumn make_column(const Measured& m, HeldPicture result, HeldPicture& exact,
                        const Rect& detail) {
  SheetColumn column{m.method, {time_text(m.seconds)}, {}};
  column.cells.push_back(whole_cell(result));
  column.cells.push_back(detail_cell(result, detail));
  if (m.difference.largest == 0) {
    column.cells.resize(4);
    return column;
  }
  const double gain = gain_for(m.difference.largest);
  column.notes.push_back(error_text(m.difference));
  column.notes.push_back("difference shown " + formatted("%g", gain) + " times");
  result = difference_picture(result, exact, static_cast<float>(gain));
  column.cells.push_back(whole_cell(result));
  column.cells.push_back(detail_cell(result, detail));
  return column;
}

Sheet make_sheet(Comparison& comparison, const std::vector<Measured>& all, HeldPicture& exact) {
  const auto worst =
      std::max_element(all.begin(), all.end(), [](const Measured& a, const Measured& b) {
        return a.difference.largest < b.difference.largest;
      });
  const PictureFormat& format = comparison.format();
  const bool equal = worst->difference.largest == 0;
  const int x = equal ? format.width / 2 : worst->difference.x;
  const int y = equal ? format.height / 2 : worst->difference.y;
  const Rect detail = detail_around(format, x, y);

  Sheet sheet;
  sheet.rows = {"whole", "detail 1:1", "difference", "its detail"};
  sheet.columns.push_back(make_column(all.front(), exact, exact, detail));
  sheet.columns.back().notes.emplace_back("the others are compared with this");
  for (std::size_t i = 1; i < all.size(); ++i) {
    sheet.columns.push_back(make_column(all[i], comparison.render(all[i].method), exact, detail));
    if (all[i].difference.largest == 0) sheet.columns.back().notes.push_back("identical");
  }
  sheet.notes.push_back(equal ? "All are identical to the last bit."
                              : "The detail is where the largest difference lies, x " +
                                    std::to_string(x) + ", y " + std::to_string(y) +
                                    ". Differences are of sRGB numbers, white being 1.");
  return sheet;
}

void write_sheet(const Sheet& sheet, const std::filesystem::path& path,
                 const WriteOptions& options) {
  HeldPicture drawn = draw(sheet);
  const auto output = create_picture(path, options, drawn.format);
  output->write(drawn.view());
  output->commit();
}

}  // namespace

int run_compare(const Arguments& given) {
  if (given.empty())
    throw UsageError(message({"usage.which_filter", "which filter? {usage}"}, compare_usage()));
  const FilterInfo& info = Registry::get().at(given[0]).filter->info();
  Arguments arguments(given.begin() + 1, given.end());
  const auto wanted = take_methods(arguments);
  const Parsed parsed = parse_arguments(arguments, &info.parameters);
  if (parsed.values.has("method")) {
    throw UsageError(
        message({"usage.method_of_compare",
                 "compare runs several methods: name them with --methods, not --method"}));
  }
  refuse_other_options(*find_command("compare"), parsed.given);
  require_two_files(parsed, compare_usage());
  const CommonOptions& common = parsed.common;
  const std::filesystem::path input_path = parsed.positional[0], sheet_path = parsed.positional[1];
  const Recipe recipe = recipe_of(info, parsed.values);
  const std::vector<std::string> methods = chosen_methods(info, recipe, wanted);
  WriteOptions write;
  write.overwrite = common.overwrite;
  write.quality = common.quality;
  write.bits = SampleType::u8;
  write.input_path = input_path;
  check_input(input_path);
  check_output(sheet_path, write);
  check_recipe(with_method(recipe, methods.front()));
  check_device(common);

  const std::unique_ptr<Renderer> renderer = make_session(session_options(common));
  const auto input = open_picture(input_path, read_options(common, input_path));
  for (const Message& warning : input->info().warnings) say(warning);
  Comparison comparison(*renderer, recipe, *input, common);
  HeldPicture exact = comparison.render(methods.front());
  std::vector<Measured> all;
  for (const std::string& method : methods) all.push_back(comparison.measure(method, exact));
  print_table(all);

  Sheet sheet = make_sheet(comparison, all, exact);
  sheet.title = info.label;
  sheet.notes.insert(
      sheet.notes.begin(),
      {values_text(info, recipe.steps[0].values),
       input_path.filename().string() + ", " + std::to_string(input->format().width) + " x " +
           std::to_string(input->format().height) + ", on " + comparison.device() +
           "; times are medians of whole renders in memory, conversions included"});
  write_sheet(sheet, sheet_path, write);
  return 0;
}

}  // namespace sfumato::cli
