// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// sfumato batch --watch: a folder whose pictures are filtered as they come.
#include <chrono>
#include <set>
#include <thread>

#include "batch_run.hpp"
#include "hot_folder.hpp"
#include "terminal.hpp"

namespace sfumato::cli {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr auto look_again = 1s;

void sleep_till_the_next_look() {
  for (auto slept = 0ms; slept < look_again && !interrupted(); slept += 50ms) {
    std::this_thread::sleep_for(50ms);
  }
}

}  // namespace

int watch(Batch& batch) {
  const fs::path folder = *batch.arguments.watch;
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    throw FileError(
        message({"watch.no_folder", "{folder}: there is no such folder to watch; check the name"},
                folder.string()));
  }
  JournalOptions options;
  options.given_up = interrupted;
  Journal journal(batch.ask.folder, 1, 1, options);
  const Recall recall = [&journal](const BatchItem& item, const std::string& hash) {
    return journal.recall(item, hash);
  };
  journal.sweep();
  BatchAsk& ask = batch.ask;
  ask.redo_changed = ask.existing == Existing::refuse;  // files are saved again and again
  if (ask.existing == Existing::refuse) ask.existing = Existing::skip;
  ask.inputs.words = {folder.string()};
  ask.inputs.may_be_none = true;
  ask.leave_out_clashing = true;
  ask.inputs.left_out = [&journal](const fs::path& file) { return journal.is_output(file); };
  HotFolder hot;
  std::int64_t done = 0;
  bool has_run = false;
  std::set<std::string> told;
  std::set<fs::path> left_out;  // by files that are no batch's
  if (!batch.arguments.quiet) say("watching " + folder.string() + "; Ctrl-C ends");
  while (!interrupted()) {
    BatchPlan plan = plan_batch(ask, recall);
    left_out.clear();
    for (const BatchItem& item : plan.skipped) {
      if (item.done_before || !ask.redo_changed) continue;
      left_out.insert(item.source.path);
      plan.warnings.push_back(
          message({"watch.exists", "{output}: the file exists already; {file} is left out"},
                  item.target.string(), item.source.path.string()));
    }
    for (const Message& clash : plan.clashes) {
      plan.warnings.push_back(message({"watch.left_out", "{clash}; left out"}, clash));
    }
    if (fs::is_directory(folder, error)) {
      hot.forget_removed();
    } else {
      plan.warnings.push_back(message(
          {"watch.folder_gone", "{folder}: the folder has gone; waiting for it"}, folder.string()));
    }
    for (const Message& warning : plan.warnings) {
      if (told.insert(in_english(warning)).second) say(warning);
    }
    hot.take_settled(plan, HotFolder::Clock::now());
    for (const BatchItem& item : plan.items) {
      if (!ask.redo_changed || !item.replaces || batch.arguments.quiet) continue;
      say(item.target.string() + ": made anew from " + item.source.path.string());
    }
    if (!plan.items.empty()) {
      Report report(plan);
      bool broke_off = false;
      try {
        run_plan(batch, plan, journal, report);
        has_run = true;
      } catch (const FileError& fault) {
        // A disk that has become full has no room for the journal either.
        if (!has_run) throw;
        broke_off = true;
        say(fault.what());
      }
      done += report.summary().done;
      hot.ended(plan, report, HotFolder::Clock::now(), broke_off);
    }
    sleep_till_the_next_look();
  }
  if (!batch.arguments.quiet) {
    std::string sum = std::to_string(done) + " done, " + std::to_string(hot.failing()) + " failed";
    if (!left_out.empty()) sum += ", " + std::to_string(left_out.size()) + " left out";
    say(sum);
  }
  return hot.failing() == 0 && left_out.empty() ? 0 : 1;
}

}  // namespace sfumato::cli
