// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// sfumato batch: a filter, a recipe or a preset on many files.
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "batch_options.hpp"
#include "batch_run.hpp"
#include "io/file_version.hpp"
#include "io/movie.hpp"
#include "job.hpp"
#include "params/suggest.hpp"
#include "recipe_word.hpp"
#include "terminal.hpp"

namespace sfumato::cli {
namespace {

namespace fs = std::filesystem;

const std::string& usage() {
  static const std::string text =
      "sfumato batch RECIPE.json|PRESET|FILTER [--PARAMETER VALUE ...] -o DIR FILES|FOLDERS...";
  return text;
}

// Role pictures named by a pattern belong to each file; others belong to the recipe.
std::map<std::string, ImageRef> take_role_patterns(Values& values) {
  std::map<std::string, ImageRef> out;
  Values left;
  for (const auto& [name, value] : values) {
    const auto* image = std::get_if<ImageRef>(&value);
    if (image != nullptr && image->path.find('{') != std::string::npos) {
      out[name] = *image;
    } else {
      left.set(name, value);
    }
  }
  values = std::move(left);
  return out;
}

// Reports a faulty template as wrong usage.
NameTemplate name_template(const std::string& text) {
  try {
    return NameTemplate(text);
  } catch (const BatchError& error) {
    throw UsageError(error.message());
  }
}

// Counts what a file holds, once as long as it does not change.
template <typename Count>
auto counting_once(Count count) {
  using File = std::pair<fs::path, FileStamp>;
  return
      [count, known = std::map<File, decltype(count(fs::path()))>()](const fs::path& path) mutable {
        const File file{path, stamp_of(path).value_or(FileStamp{})};
        const auto found = known.find(file);
        return found != known.end() ? found->second : known[file] = count(path);
      };
}

std::function<MovieCount(const fs::path&)> frame_counter(bool contained) {
  return counting_once([movies = std::make_shared<Movies>(MoviePrograms{interrupted, contained})](
                           const fs::path& path) { return movies->count(path); });
}

std::function<int(const fs::path&)> page_counter(const ReadOptions& options) {
  ReadOptions read = options;
  read.cancelled = interrupted;
  return counting_once([read](const fs::path& path) { return count_pages(path, read); });
}

// Which pictures of files that hold several are inputs.
void choose_pages(InputQuery& inputs, const BatchArguments& batch, const CommonOptions& common) {
  inputs.movie_frames = frame_counter(!common.no_sandbox);
  inputs.page = common.page;
  inputs.join = !batch.join.empty();
  const char* all = inputs.join ? "--join" : batch.pages ? "--pages" : nullptr;
  if (all == nullptr && inputs.page == 0) return;
  if (all != nullptr && (inputs.page > 0 || (inputs.join && batch.pages))) {
    throw UsageError(message({"usage.contradiction", "{option} and {other} contradict each other"},
                             all, inputs.page > 0 ? "--page or --frame" : "--pages"));
  }
  inputs.pages = page_counter(read_options(common));
}

void check_watch(const BatchArguments& batch, const std::vector<std::string>& files) {
  if (!files.empty()) {
    throw UsageError(message(
        {"usage.watch_files", "--watch takes its files from the folder alone, not also {word}"},
        in_quotes(files[0])));
  }
  const char* other = batch.report       ? "--report"
                      : batch.files_from ? "--files-from"
                      : batch.dry_run    ? "--dry-run"
                      : batch.shards > 1 ? "--shard"
                                         : nullptr;
  if (other == nullptr) return;
  throw UsageError(message(
      {"usage.watch_has_no_end", "{option} needs a plan that ends, which --watch does not have"},
      other));
}

// The plan, given the journal's records; clashes are listed.
BatchPlan planned(Batch& batch, const Journal& journal) {
  // Outputs that lie among the inputs are not inputs.
  batch.request.inputs.left_out = [&journal](const fs::path& file) {
    return journal.is_output(file);
  };
  HistoryLookup recall;
  if (batch.arguments.resume) {
    recall = [&journal](const BatchItem& item, const std::string& hash) {
      return journal.recall(item, hash);
    };
  }
  try {
    return plan_batch(batch.request, recall);
  } catch (const ClashError& error) {
    print_clashes(error);
    throw;
  }
}

int run_once(Batch& batch) {
  JournalOptions options;
  options.only_look = batch.arguments.dry_run;
  options.given_up = interrupted;
  std::optional<Journal> journal;
  BatchPlan plan;
  // If another batch has run in between, the plan is made again.
  do {
    journal.emplace(batch.request.folder, batch.request.shard, batch.request.shards, options);
    plan = planned(batch, *journal);
  } while (!batch.arguments.dry_run && !plan.items.empty() && !journal->hold());
  if (!plan.for_roles.empty()) {
    plan.warnings.push_back(
        message({"batch.for_roles",
                 "left out because they are roles of other pictures: {count} of the inputs"},
                plan.for_roles.size()));
  }
  for (const Message& warning : plan.warnings) say(warning);
  // Before the first entry: leftovers of a killed run can be recognised only while the journal has
  // no newer entries for its outputs.
  if (!batch.arguments.dry_run) journal->sweep();
  journal->agree(plan);
  if (batch.arguments.dry_run) {
    print_plan(plan, batch.arguments.json_lines);
    return 0;
  }
  Report report(plan);
  try {
    const BatchSummary summary = run_plan(batch, plan, *journal, report);
    return finish(batch, plan, report, summary);
  } catch (const std::exception&) {
    // What was finished so far is reported all the same.
    const BatchSummary so_far = report.summary();
    if (so_far.done + so_far.failed > 0 || batch.arguments.json_lines)
      finish(batch, plan, report, so_far);
    throw;
  }
}

}  // namespace

int run_batch(const Arguments& given) {
  Arguments arguments = given;
  Batch batch;
  batch.arguments = take_batch_options(arguments);
  BatchArguments& taken = batch.arguments;
  RecipeWord word(arguments, usage());
  BatchRequest& request = batch.request;
  request.roles = take_role_patterns(word.parsed.values);
  request.recipe = word.recipe();
  request.recipe_name = word.name();
  if (taken.output.empty())
    throw UsageError(
        message({"usage.where_to", "where to? name a folder with -o DIR: {usage}"}, usage()));
  request.folder = taken.output;
  request.name = name_template(taken.name);
  request.extension = taken.format;
  request.join = taken.join;
  request.write = write_options(word.parsed.common);
  request.existing = taken.existing;
  if (word.parsed.common.overwrite) {
    if (taken.existing != Existing::refuse && taken.existing != Existing::overwrite) {
      throw UsageError(
          message({"usage.contradiction", "{option} and {other} contradict each other"},
                  "--overwrite", "--existing"));
    }
    request.existing = Existing::overwrite;
  }
  request.shard = taken.shard;
  request.shards = taken.shards;
  request.inputs.words = word.parsed.positional;
  request.inputs.recursive = taken.recursive;
  request.inputs.output_folder = taken.output;
  choose_pages(request.inputs, taken, word.parsed.common);
  if (taken.watch) check_watch(taken, request.inputs.words);
  if (taken.files_from) {
    request.inputs.listed = read_file_list(*taken.files_from);
    if (request.inputs.words.empty() && request.inputs.listed.empty()) {
      throw UsageError(
          *taken.files_from == "-"
              ? message({"usage.no_input", "standard input: the list of files is empty"})
              : message({"usage.empty_list", "{file}: the list of files is empty"},
                        *taken.files_from));
    }
  }
  if (request.inputs.words.empty() && request.inputs.listed.empty() && !taken.watch) {
    throw UsageError(message({"usage.which_files", "which files or folders? {usage}"}, usage()));
  }
  check_role_files(request.recipe);
  check_device(word.parsed.common);
  batch.options.session = session_options(word.parsed.common);
  batch.options.read = read_options(word.parsed.common);
  batch.options.write = request.write;
  batch.options.memory_limit = taken.memory;
  batch.options.jobs = taken.jobs;
  if (taken.watch) return watch(batch);
  return run_once(batch);
}

}  // namespace sfumato::cli
