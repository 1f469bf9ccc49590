// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// sfumato compare: methods, values, recipes, devices side by side on one picture.
#include <algorithm>
#include <cstdio>
#include <optional>
#include <utility>

#include "commands.hpp"
#include "compare/comparison_report.hpp"
#include "compare_axes.hpp"
#include "filters/registry.hpp"
#include "image/orientation.hpp"
#include "image/transfer.hpp"
#include "io/file_origin.hpp"
#include "io/target.hpp"
#include "job.hpp"
#include "own_options.hpp"
#include "params/errors.hpp"
#include "params/scan.hpp"
#include "params/suggest.hpp"
#include "params/text.hpp"
#include "recipe_word.hpp"
#include "terminal.hpp"

namespace sfumato::cli {
namespace {

namespace fs = std::filesystem;

constexpr int most_renders = 1000;

const CommandInfo& command() {
  return *find_command("compare");
}

// What the words ask for.
struct CompareJob {
  const FilterInfo* filter = nullptr;  // null: a recipe
  Recipe recipe;
  std::string title;
  std::vector<Axis> axes;
  bool methods_wanted = false;
  bool several_recipes = false;
};

bool is_page(const fs::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".html" || extension == ".htm";
}

// Whether the sheet is of nothing but methods.
bool varies_methods_alone(const OwnOptions& own) {
  for (const char* other : {"--vary", "--recipes", "--devices", "--forms"}) {
    if (own.has(other)) return false;
  }
  return true;
}

std::vector<Axis> axes_of(const CompareJob& job, const OwnOptions& own, const std::string& word) {
  std::vector<Axis> axes;
  const bool methods = own.has("--methods") || (varies_methods_alone(own) &&
                                                job.filter != nullptr && !own.has("--original"));
  if (own.has("--methods") && job.filter == nullptr) {
    throw UsageError(message(
        {"usage.methods_of_recipe", "--methods compares those of one filter, not of a recipe"}));
  }
  if (methods) {
    std::optional<std::vector<std::string>> wanted;
    if (own.has("--methods")) wanted = parts_of("--methods", own.text("--methods"));
    axes.push_back(method_axis(*job.filter, wanted));
  }
  if (own.has("--recipes")) {
    axes.push_back(recipe_axis(word, parts_of("--recipes", own.text("--recipes"))));
  }
  for (const std::string& varied : own.texts("--vary")) {
    axes.push_back(varied_axis(job.recipe, varied));
  }
  if (own.has("--devices"))
    axes.push_back(device_axis(parts_of("--devices", own.text("--devices"))));
  if (own.has("--forms")) axes.push_back(form_axis(parts_of("--forms", own.text("--forms"))));
  if (axes.empty() && !own.has("--original")) {
    throw UsageError(message({"usage.nothing_varied",
                              "there is nothing to compare: vary something by --vary, --recipes, "
                              "--devices or --original"}));
  }
  return axes;
}

// Compares all with one that is not left out.
void compare_against(Grid& grid, const std::string& name) {
  std::optional<std::size_t> base;
  std::vector<std::string> titles;
  for (std::size_t i = 0; i < grid.variants.size(); ++i) {
    if (grid.variants[i].left_out) continue;
    titles.push_back(grid.variants[i].title);
    if (!base && titles.back() == name) base = i;
  }
  if (!base) {
    throw UsageError(
        message({"usage.no_variant", "{name} is none of what is compared; these are: {names}"},
                in_quotes(name), scan::joined(titles)));
  }
  compare_all_with(grid, *base);
}

Grid grid_of(const CompareJob& job, const OwnOptions& own) {
  const std::uint64_t count = count_variants(job.axes);
  if (count > most_variants) {
    throw UsageError(message({"usage.too_many_variants",
                              "{count} pictures are too many for one comparison; {most} are the "
                              "most"},
                             count, most_variants));
  }
  Variant common;
  common.recipe = job.recipe;
  if (job.axes.empty()) common.title = job.title;
  Grid grid = all_variants(common, job.axes);
  leave_out_refused(grid, [&](const ParameterError& e) {
    if (job.methods_wanted) throw e;
    say(message({"compare.left_out", "left out: {reason}"}, e.message()));
  });
  const std::string against = own.text("--against");
  if (own.has("--original") || against == "original") {
    add_original(grid, "original");
    if (grid.variants.size() == 2 && !own.has("--against")) grid.variants[1].base = 0;
  }
  if (own.has("--against")) compare_against(grid, against);
  return grid;
}

// "300x200+40+10", as X servers and ImageMagick write it, of the picture as it is shown; returns
// where that is stored.
Rect rect_of(const std::string& text, const PictureFormat& format, int orientation) {
  int width = 0, height = 0, x = 0, y = 0, end = 0;
  const int read = std::sscanf(text.c_str(), "%dx%d+%d+%d%n", &width, &height, &x, &y, &end);
  if (read != 4 || static_cast<std::size_t>(end) != text.size() || width < 1 || height < 1) {
    throw UsageError(message(
        {"usage.crop", "--crop takes a size and a place, such as 300x200+40+10, not {value}"},
        in_quotes(text)));
  }
  PictureSize shown{format.width, format.height};
  if (swaps_sides(orientation)) std::swap(shown.width, shown.height);
  if (x < 0 || y < 0 || width > shown.width - x || height > shown.height - y) {
    throw UsageError(message(
        {"usage.crop_outside", "{value} does not lie within the picture of {width} x {height}"},
        in_quotes(text), shown.width, shown.height));
  }
  return stored_region({x, y, x + width, y + height}, format.width, format.height, orientation);
}

// Those that are the same in all variants.
std::string values_text(const FilterInfo& info, const Values& values,
                        const std::vector<Axis>& axes) {
  std::string text;
  for (const Parameter& p : info.parameters) {
    const bool varied = std::any_of(axes.begin(), axes.end(),
                                    [&](const Axis& axis) { return axis.name == p.name; });
    if (varied || p.name == "method" || p.kind == Kind::image || !p.visible_if.evaluate(values))
      continue;
    text += (text.empty() ? "" : ", ") + p.name + " " + print(p, values.at(p.name));
  }
  return text;
}

void print_table(const ComparisonRun& run, const Grid& grid) {
  std::size_t width = 14;
  for (const Variant& v : grid.variants) width = std::max(width, v.title.size());
  const int w = static_cast<int>(width);
  std::printf("%-*s %10s %12s %12s %10s\n", w, "", "time", "PSNR", "largest", "first");
  for (std::size_t i = 0; i < grid.variants.size(); ++i) {
    const ComparedVariant& r = run.results()[i];
    if (grid.variants[i].left_out) continue;
    const std::string psnr = r.difference ? psnr_text(*r.difference) : "-";
    const std::string largest = r.difference ? largest_text(*r.difference) : "-";
    std::printf("%-*s %10s %12s %12s %10s  %s\n", w, grid.variants[i].title.c_str(),
                time_text(r.seconds()).c_str(), psnr.c_str(), largest.c_str(),
                time_text(r.first_seconds).c_str(),
                r.explained.empty() ? "changes nothing" : in_english(r.explained).c_str());
  }
}

ComparisonTitle title_of(const CompareJob& job, const ComparisonRun& run, const fs::path& input) {
  ComparisonTitle title{job.several_recipes ? input.stem().string() : job.title, {}};
  if (job.filter != nullptr && !job.several_recipes) {
    title.notes.push_back(values_text(*job.filter, job.recipe.steps[0].values, job.axes));
  }
  std::vector<std::string> devices;
  for (const ComparedVariant& r : run.results()) {
    if (!r.device.empty() && std::find(devices.begin(), devices.end(), r.device) == devices.end()) {
      devices.push_back(r.device);
    }
  }
  title.words = in_users_words;
  title.notes.push_back(in_users_words(message(
      {"sheet.picture",
       "{file}, {width} x {height}, on {devices}; times are of whole renders in memory, "
       "conversions included"},
      input.filename().string(), run.size().width, run.size().height, scan::joined(devices))));
  return title;
}

void write_picture(const HeldPicture& picture, const fs::path& path, const WriteOptions& options) {
  const auto output = create_picture(path, options, picture.format);
  output->write(picture.view());
  output->commit();
}

WriteOptions written(const CommonOptions& common, const fs::path& input) {
  WriteOptions write;
  write.overwrite = common.overwrite;
  write.quality = common.quality;
  write.bits = SampleType::u8;
  write.input_path = input;
  return write;
}

// Before anything is rendered.
void check_outputs(const fs::path& output, const fs::path& plot, const WriteOptions& write) {
  refuse_compared(output, {write.input_path});
  if (is_page(output)) {
    files::check_target(output, write, [](const fs::path&, const WriteOptions&) {});
  } else {
    check_output(output, write);
  }
  if (!plot.empty()) check_chart(plot, write);
}

CompareJob job_of(const RecipeWord& word, const OwnOptions& own, const std::string& first) {
  CompareJob job;
  job.recipe = word.recipe();
  job.title = word.name();
  if (const RegisteredFilter* found = Registry::get().find(first)) {
    job.filter = &found->filter->info();
    job.title = job.filter->label;
  }
  job.axes = axes_of(job, own, first);
  job.several_recipes = own.has("--recipes");
  job.methods_wanted = own.has("--methods") && !own.has("--vary");
  const bool compares_methods = std::any_of(job.axes.begin(), job.axes.end(),
                                            [](const Axis& a) { return a.name == "method"; });
  if (compares_methods && word.parsed.values.has("method")) {
    throw UsageError(
        message({"usage.method_of_compare",
                 "compare runs several methods: name them with --methods, not --method"}));
  }
  return job;
}

RendererFor renderers(const CommonOptions& common) {
  return [common](const Variant& variant) {
    CommonOptions own = common;
    if (!variant.device.empty()) own.device = variant.device;
    check_device(own);
    SessionOptions options = session_options(own);
    options.form = variant.form;
    return make_session(options);
  };
}

// The picture's profile is respected on sheets.
ShowColors colors_of(InputPicture& input) {
  FileOrigin* origin = input.origin();
  if (input.info().icc_profile.empty() || origin == nullptr || !origin->can_convert_colors()) {
    return {};
  }
  return [origin, coding = input.format().coding](float* pixels, std::size_t count) {
    const auto change = [&](auto&& body) {
      for (std::size_t i = 0; i < 4 * count; ++i) {
        if (i % 4 != 3) pixels[i] = static_cast<float>(body(static_cast<double>(pixels[i])));
      }
    };
    change([&](double v) { return encode(coding, decode(Coding::srgb(), v)); });
    origin->convert_colors(pixels, count);
    change([](double v) { return encode(Coding::srgb(), v); });
  };
}

}  // namespace

int run_compare(const Arguments& given) {
  if (given.empty() || given[0].starts_with('-')) {
    throw UsageError(message({"usage.which_filter", "which filter? {usage}"}, command().usage));
  }
  Arguments arguments = given;
  const OwnOptions own(command(), arguments, {"--vary"});
  const RecipeWord word(arguments, command().usage);
  const CompareJob job = job_of(word, own, arguments[0]);
  refuse_other_options(command(), word.parsed.given);
  require_two_files(word.parsed, command().usage);
  const CommonOptions& common = word.parsed.common;
  const fs::path input_path = word.parsed.positional[0], output = word.parsed.positional[1];
  const fs::path plot = own.text("--plot");
  const Grid grid = grid_of(job, own);
  if (!plot.empty() && grid.number_name.empty()) {
    throw UsageError(message({"usage.plot_of_numbers",
                              "--plot draws curves over a number: vary one, such as --vary "
                              "sigma=2,8,32"}));
  }
  ComparisonOptions options;
  // A curve of first renders would show what compilation takes.
  options.renders = own.whole("--renders", 1, most_renders).value_or(plot.empty() ? 0 : 4);
  if (is_page(output)) options.whole = {1600, 1000}, options.detail_cell = {900, 600};
  const WriteOptions write = written(common, input_path);
  check_input(input_path);
  check_outputs(output, plot, write);
  for (const Variant& variant : grid.variants) check_role_files(variant.recipe);
  check_device(common);

  const auto input = open_picture(input_path, read_options(common, input_path));
  for (const Message& warning : input->info().warnings) say(warning);
  options.orientation = input->info().orientation;
  if (own.has("--crop")) {
    options.detail = rect_of(own.text("--crop"), input->format(), options.orientation);
  }
  options.roles = role_files(common, *input);
  ProgressBar bar("comparing");
  options.progress = [&](std::size_t number, double part) {
    return bar.show((static_cast<double>(number) + part) /
                    static_cast<double>(grid.variants.size()));
  };
  options.colors = colors_of(*input);
  ComparisonRun run(std::make_shared<HeldPicture>(read_all(*input)), grid.variants,
                    renderers(common), options);
  run.run();
  bar.clear();
  print_table(run, grid);
  const ComparisonTitle title = title_of(job, run, input_path);
  if (is_page(output)) {
    files::replace_text(output, page_of(run, grid, title));
  } else {
    write_picture(draw(sheet_of(run, grid, title, own.has("--crop")), options.whole.width), output,
                  write);
  }
  if (!plot.empty()) files::replace_text(plot, svg_of(charts_of(run, grid, title)));
  return 0;
}

}  // namespace sfumato::cli
