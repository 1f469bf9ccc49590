// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Reads the options of `sfumato batch`.
#include "batch_options.hpp"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <iterator>
#include <map>
#include <string_view>
#include <system_error>
#include <utility>

#include "batch/report.hpp"
#include "io/target.hpp"
#include "params/suggest.hpp"
#include "text/system_reason.hpp"

namespace sfumato::cli {
namespace {

// "2/8".
void read_shard(const std::string& text, BatchArguments& out) {
  const std::size_t slash = text.find('/');
  out.shard = 0;
  if (slash != std::string::npos) {
    const auto number = [](const std::string& digits) {
      const bool good = !digits.empty() && digits.size() < 7 &&
                        digits.find_first_not_of("0123456789") == std::string::npos;
      return good ? std::stoi(digits) : 0;
    };
    out.shard = number(text.substr(0, slash));
    out.shards = number(text.substr(slash + 1));
  }
  if (out.shard < 1 || out.shards < 1 || out.shard > out.shards) {
    throw UsageError(
        message({"usage.shard", "--shard takes I/N, the part I of N from 1, not {value}"},
                in_quotes(text)));
  }
}

std::int64_t whole(const char* option, const std::string& text, std::int64_t most) {
  const bool digits = !text.empty() && text.size() < 15 &&
                      text.find_first_not_of("0123456789") == std::string::npos;
  const std::int64_t value = digits ? std::stoll(text) : 0;
  if (value < 1 || value > most) {
    throw UsageError(not_whole(option, text, 1, most));
  }
  return value;
}

// Reports early what would otherwise be noticed only at the end. The outputs' folder and its
// parents will be created.
void check_report(const std::filesystem::path& report, const std::filesystem::path& output) {
  namespace fs = std::filesystem;
  try {
    Report::check(report);
  } catch (const BatchError& error) {
    throw UsageError(error.message());
  }
  std::error_code error;
  if (fs::is_directory(report, error)) {
    throw UsageError(message(
        {"file.output_is_folder", "{file}: this is a folder; give the name of a file in it"},
        report.string()));
  }
  const fs::path folder = fs::absolute(report).parent_path();
  const bool is_folder = fs::is_directory(fs::status(folder, error));
  if (error && error != std::errc::no_such_file_or_directory) {
    throw UsageError(unusable(folder, error).message());
  }
  if (is_folder) {
    if (::access(folder.c_str(), W_OK | X_OK) == 0) return;
    throw UsageError(
        message({"usage.report_not_writable",
                 "{folder}: you may not write to this folder; choose another for the report"},
                folder.string()));
  }
  // The trailing slash gives "out" and "out/" the same form.
  const fs::path made = (fs::absolute(output) / "").lexically_normal().parent_path();
  if (!output.empty() && *made.lexically_relative(folder.lexically_normal()).begin() != "..") {
    return;
  }
  throw UsageError(
      message({"usage.no_report_folder",
               "{folder}: there is no such folder for the report; make it, or choose another"},
              folder.string()));
}

Existing read_existing(const std::string& text) {
  static const std::map<std::string, Existing> names = {{"refuse", Existing::refuse},
                                                        {"skip", Existing::skip},
                                                        {"rename", Existing::rename},
                                                        {"overwrite", Existing::overwrite}};
  const auto found = names.find(text);
  if (found == names.end()) {
    const std::string nearest = nearest_name(text, {"refuse", "skip", "rename", "overwrite"});
    throw UsageError(
        nearest.empty()
            ? message({"usage.existing",
                       "--existing takes refuse, skip, rename or overwrite, not {value}"},
                      in_quotes(text))
            : message({"usage.existing_but",
                       "--existing takes refuse, skip, rename or overwrite, not {value}; did you "
                       "mean {nearest}?"},
                      in_quotes(text), in_quotes(nearest)));
  }
  return found->second;
}

}  // namespace

const std::vector<OptionHelp>& batch_option_help() {
  static const std::vector<OptionHelp> all{
      {"--output", "DIR", "the folder for the outputs, created if missing", ArgumentKind::folder,
       "-o"},
      {"--name", "TEMPLATE",
       "names of the outputs, default {folder}/{stem}_{recipe}.{ext}; also {parent}, {date}, "
       "{time}, {counter}, {counter:4}, {frame:4}"},
      {"--format", "EXT",
       "format of the outputs: png, jpg, tif, exr...; by default each input's own"},
      {"--existing", "WHAT",
       "what to do about outputs that exist: refuse to start (default), skip, rename or overwrite"},
      {"--overwrite", "", "short for --existing overwrite"},
      {"--recursive", "", "search folders at any depth", ArgumentKind::text, "-r"},
      {"--pages", "",
       "process every page, frame or picture of files that hold several (TIFF, GIF, WebP, PNG, "
       "HEIF, "
       "PSD, ICO, MPO), each as a picture of its own"},
      {"--join", "EXT",
       "write all frames of an animation or a movie to one file: webp (animated), mp4, mov, mkv or "
       "webm"},
      {"--resume", "",
       "continue where an earlier run ended, however it ended; start if there was none"},
      {"--dry-run", "", "print what would be done, without doing it"},
      {"--report", "FILE", "write the result of every file to a .json or .csv file",
       ArgumentKind::file},
      {"--files-from", "FILE",
       "read the names of inputs from a file, one per line or NUL-terminated, never as patterns; - "
       "is stdin",
       ArgumentKind::file},
      {"--watch", "DIR",
       "process each picture that appears in DIR, until Ctrl-C; one that is saved again is "
       "processed again, and a different one of the same name gets a new name",
       ArgumentKind::folder},
      {"--shard", "I/N", "only part I of N of the plan, divided the same way on every machine"},
      {"--jobs", "N", "threads that read and write, default one more than there are processors",
       ArgumentKind::text, "-j"},
      {"--limit", "MB",
       "main memory, default half of what the program may use; at least about 600"},
      {"--quiet", "", "report only failures", ArgumentKind::text, "-q"},
      {"--json-lines", "", "report progress on stdout, one JSON object per line"}};
  return all;
}

namespace {

// An extension may have a dot before it.
void check_given(const char* option, std::string& value) {
  if (std::string_view(option) != "--name") value.erase(0, value.find_first_not_of('.'));
  if (value.empty()) throw UsageError(not_once(option));
}

void check_together(const BatchArguments& given) {
  if (given.dry_run && given.report) {
    throw UsageError(message({"usage.report_of_dry_run",
                              "--report tells what became of files, and with --dry-run nothing "
                              "does; its plan is on stdout, with --json-lines for programs"}));
  }
  if (given.quiet && given.json_lines) {
    throw UsageError(message({"usage.contradiction", "{option} and {other} contradict each other"},
                             "--quiet", "--json-lines"));
  }
}

}  // namespace

BatchArguments take_batch_options(Arguments& arguments) {
  BatchArguments out;
  std::string output, existing, shard, jobs, limit, watch, report, files_from;
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  app.add_option("--output,-o", output);
  app.add_option("--name", out.name);
  app.add_option("--format", out.format);
  app.add_option("--existing", existing);
  app.add_flag("--recursive,-r", out.recursive);
  app.add_flag("--pages", out.pages);
  app.add_option("--join", out.join);
  app.add_flag("--resume", out.resume);
  app.add_flag("--dry-run", out.dry_run);
  app.add_flag("--quiet,-q", out.quiet);
  app.add_flag("--json-lines", out.json_lines);
  app.add_option("--report", report);
  app.add_option("--files-from", files_from);
  app.add_option("--watch", watch);
  app.add_option("--shard", shard);
  app.add_option("--jobs,-j", jobs);
  app.add_option("--limit", limit);
  const auto end = std::find(arguments.begin(), arguments.end(), "--");
  const Arguments files(end, arguments.end());
  try {
    app.parse(Arguments(std::make_reverse_iterator(end), arguments.rend()));
  } catch (const CLI::ArgumentMismatch& e) {
    const std::string text = e.what();
    throw UsageError(not_once(text.substr(0, text.find(':'))));
  } catch (const CLI::ParseError& e) {
    throw UsageError(foreign_message(e.what()));
  }
  arguments = app.remaining();
  arguments.insert(arguments.end(), files.begin(), files.end());
  out.output = output;
  if (app.count("--existing") != 0) out.existing = read_existing(existing);
  if (app.count("--shard") != 0) read_shard(shard, out);
  if (app.count("--jobs") != 0) out.jobs = static_cast<int>(whole("--jobs", jobs, 1024));
  if (app.count("--limit") != 0) {
    out.memory = static_cast<std::size_t>(whole("--limit", limit, std::int64_t{1} << 30)) << 20;
  }
  if (app.count("--watch") != 0) out.watch = watch;
  if (app.count("--files-from") != 0) out.files_from = files_from;
  if (app.count("--report") != 0) {
    check_report(report, output);
    out.report = report;
  }
  const auto given = {std::pair{"--format", &out.format}, std::pair{"--join", &out.join},
                      std::pair{"--name", &out.name}};
  for (const auto& [option, value] : given) {
    if (app.count(option) != 0) check_given(option, *value);
  }
  check_together(out);
  return out;
}

FileError unusable(const std::filesystem::path& folder, const std::error_code& why) {
  return FileError(
      message({"folder.unusable", "{folder}: the folder cannot be used ({reason}); choose another"},
              files::shown(folder), system_reason(why)));
}

std::vector<std::string> read_file_list(const std::string& from) {
  const std::string text = from == "-" ? std::string(std::istreambuf_iterator<char>(std::cin),
                                                     std::istreambuf_iterator<char>())
                                       : files::read_text(from);
  if (std::cin.bad()) {
    throw FileError(message({"list.not_read", "{file}: the list of files cannot be read"}, from));
  }
  const char between = text.find('\0') != std::string::npos ? '\0' : '\n';
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(between, at), text.size());
    std::string name = text.substr(at, end - at);
    if (between == '\n' && name.ends_with('\r')) name.pop_back();
    if (!name.empty()) out.push_back(std::move(name));
    at = end + 1;
  }
  return out;
}

}  // namespace sfumato::cli
