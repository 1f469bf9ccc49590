// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// sfumato batch --watch: filters the pictures of a folder as they arrive.
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

constexpr auto scan_interval = 1s;

void sleep_until_next_scan() {
  for (auto slept = 0ms; slept < scan_interval && !interrupted(); slept += 50ms) {
    std::this_thread::sleep_for(50ms);
  }
}

// The request for a folder that is scanned repeatedly.
BatchRequest watch_request(BatchRequest request, const fs::path& folder, const Journal& journal) {
  request.redo_changed = request.existing == Existing::refuse;  // files may be saved again
  if (request.existing == Existing::refuse) request.existing = Existing::skip;
  request.inputs.words = {folder.string()};
  request.inputs.may_be_none = true;
  request.leave_out_clashing = true;
  request.inputs.left_out = [&journal](const fs::path& file) { return journal.is_output(file); };
  return request;
}

JournalOptions interruptible_journal() {
  JournalOptions options;
  options.given_up = interrupted;
  return options;
}

// A watched folder: scanned repeatedly, with pictures filtered once they have settled.
class Watch {
 public:
  explicit Watch(Batch& batch)
      : batch_(batch),
        folder_(*batch.arguments.watch),
        journal_(batch.request.folder, 1, 1, interruptible_journal()) {
    journal_.sweep();
    batch.request = watch_request(batch.request, folder_, journal_);
  }

  // Scans the folder once and filters settled pictures.
  void scan() {
    const HistoryLookup recall = [this](const BatchItem& item, const std::string& hash) {
      return journal_.recall(item, hash);
    };
    BatchPlan plan = plan_batch(batch_.request, recall);
    warn_of_left_out(plan);
    warn_of_lost_folder(plan);
    for (const Message& warning : plan.warnings) {
      if (reported_.insert(in_english(warning)).second) say(warning);
    }
    hot_.take_settled(plan, HotFolder::Clock::now());
    report_remade(plan);
    if (!plan.items.empty()) run(plan);
  }

  void say_sum() const {
    say(left_out_.empty()
            ? message({"watch.sum", "{done} done, {failed} failed"}, done_, hot_.failing())
            : message(
                  {"watch.sum_with_left_out", "{done} done, {failed} failed, {left_out} left out"},
                  done_, hot_.failing(), left_out_.size()));
  }

  bool all_well() const { return hot_.failing() == 0 && left_out_.empty(); }

 private:
  // Pictures whose outputs are files of someone else, or of another picture.
  void warn_of_left_out(BatchPlan& plan) {
    left_out_.clear();
    for (const BatchItem& item : plan.skipped) {
      if (item.done_before || !batch_.request.redo_changed) continue;
      left_out_.insert(item.source.path);
      plan.warnings.push_back(
          message({"watch.exists", "{output}: the file exists already; {file} is left out"},
                  item.target.string(), item.source.path.string()));
    }
    for (const Message& clash : plan.clashes) {
      plan.warnings.push_back(message({"watch.left_out", "{clash}; left out"}, clash));
    }
  }

  void warn_of_lost_folder(BatchPlan& plan) {
    std::error_code error;
    if (fs::is_directory(folder_, error)) {
      hot_.forget_removed();
    } else {
      plan.warnings.push_back(
          message({"watch.folder_gone", "{folder}: the folder has gone; waiting for it"},
                  folder_.string()));
    }
  }

  void report_remade(const BatchPlan& plan) const {
    if (!batch_.request.redo_changed || batch_.arguments.quiet) return;
    for (const BatchItem& item : plan.items) {
      if (!item.replaces) continue;
      say(message({"watch.made_again", "{output}: made again from {file}"}, item.target.string(),
                  item.source.path.string()));
    }
  }

  void run(const BatchPlan& plan) {
    Report report(plan);
    bool broke_off = false;
    try {
      run_plan(batch_, plan, journal_, report);
      has_run_ = true;
    } catch (const FileError& fault) {
      // A full disk has no room for the journal either.
      if (!has_run_) throw;
      broke_off = true;
      say(fault.message());
    }
    done_ += report.summary().done;
    hot_.ended(plan, report, HotFolder::Clock::now(), broke_off);
  }

  Batch& batch_;
  const fs::path folder_;
  Journal journal_;
  HotFolder hot_;
  std::int64_t done_ = 0;
  bool has_run_ = false;
  std::set<std::string> reported_;
  std::set<fs::path> left_out_;  // because their outputs belong to someone else
};

}  // namespace

int watch(Batch& batch) {
  const fs::path folder = *batch.arguments.watch;
  std::error_code error;
  const bool is_folder = fs::is_directory(fs::status(folder, error));
  if (error && error != std::errc::no_such_file_or_directory) throw unusable(folder, error);
  if (!is_folder) {
    throw FileError(
        message({"watch.no_folder", "{folder}: there is no such folder to watch; check the name"},
                folder.string()));
  }
  Watch watched(batch);
  if (!batch.arguments.quiet)
    say(message({"watch.begins", "watching {folder}; Ctrl-C ends"}, folder.string()));
  while (!interrupted()) {
    watched.scan();
    sleep_until_next_scan();
  }
  if (!batch.arguments.quiet) watched.say_sum();
  return watched.all_well() ? 0 : 1;
}

}  // namespace sfumato::cli
