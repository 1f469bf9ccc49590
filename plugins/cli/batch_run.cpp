// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A progress bar on the terminal, lines in a log, JSON lines, or failures only.
#include "batch_run.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "terminal.hpp"
#include "text/message_json.hpp"

namespace sfumato::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using namespace std::chrono_literals;

std::string megapixel_text(double megapixels, double seconds) {
  char text[64];
  std::snprintf(text, sizeof text, "%.0f MP/s", seconds > 0 ? megapixels / seconds : 0);
  return text;
}

void print_line(const ordered_json& json) {
  std::puts(json.dump(-1, ' ', false, ordered_json::error_handler_t::replace).c_str());
}

// Reports a run to the user: as a bar or lines, as JSON lines, or failures only.
class ConsoleListener final : public BatchListener {
 public:
  ConsoleListener(const BatchPlan& plan, const BatchArguments& batch, Report& report)
      : plan_(plan), batch_(batch), report_(report), bar_("") {
    if (!batch.json_lines) return;
    ordered_json event{
        {"event", "plan"}, {"files", plan.items.size()}, {"skipped", plan.skipped.size()}};
    if (!plan.warnings.empty()) {
      event["warnings"] = in_english(plan.warnings);
      event["warning_messages"] = json_of(plan.warnings);
    }
    line(event);
  }

  void entered(const BatchItem& item, ItemStage stage) override {
    if (!batch_.json_lines) return;
    static constexpr const char* names[] = {"reading", "filtering", "writing"};
    ordered_json event{{"event", names[static_cast<int>(stage)]}, {"number", item.number}};
    if (item.source.frame) event["frame"] = *item.source.frame;
    line(event);
  }

  void progressed(const BatchItem& item, double part) override {
    if (batch_.json_lines || batch_.quiet) return;
    parts_[item.number] = part;
    show();
  }

  void ended(const BatchItem& item, const ItemResult& result) override {
    report_.add(item, result);
    ++ended_;
    parts_.erase(item.number);
    // A failed item may have been read, but was not produced.
    if (result.state == ItemResult::State::done) megapixels_ += result.megapixels;
    if (batch_.json_lines) {
      ordered_json event{{"event", name_of(result.state)},
                         {"number", item.number},
                         {"source", item.source.path.string()},
                         {"output", item.target.string()},
                         {"seconds", result.seconds},
                         {"reason", in_english(result.reason)},
                         {"warnings", in_english(result.warnings)}};
      if (!result.reason.empty()) event["reason_message"] = json_of(result.reason);
      if (!result.warnings.empty()) event["warning_messages"] = json_of(result.warnings);
      if (item.source.frame) event["frame"] = *item.source.frame;
      line(event);
      return;
    }
    if (result.state == ItemResult::State::failed)
      say(naming(item.source.path.string(), result.reason));
    if (batch_.quiet) return;
    for (const Message& warning : result.warnings) {
      // A warning that applies to all items is shown once, for the first.
      if (!reported_.insert(without_names(in_english(warning), item)).second) continue;
      say(naming(item.source.path.filename().string(), warning));
    }
    show();
  }

  void said(const Message& sentence) override {
    if (reported_.insert(in_english(sentence)).second) say(sentence);
  }

 private:
  void show() {
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
    const auto all = plan_.items.size();
    double part = static_cast<double>(ended_);
    for (const auto& [number, filtered] : parts_) part += 0.9 * filtered;  // the rest is writing
    const Message text = message({"batch.progress", "{ended} of {all}, {speed}"}, ended_, all,
                                 megapixel_text(megapixels_, seconds));
    if (!terminal_) return remind(text);
    bar_.relabel(in_users_words(text));
    bar_.show(part / static_cast<double>(all));
  }

  // A log has no bar, but an occasional line.
  void remind(const Message& text) {
    const auto now = std::chrono::steady_clock::now();
    if (now - reminded_ < 10s) return;
    reminded_ = now;
    say(text);
  }

  static void line(const ordered_json& json) {
    print_line(json);
    std::fflush(stdout);
  }

  static std::string without_names(std::string text, const BatchItem& item) {
    for (const fs::path& path : {item.source.path, item.target}) {
      for (const std::string& name : {path.string(), path.filename().string()}) {
        for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos;) {
          text.erase(at, name.size());
        }
      }
    }
    return text;
  }

  // Messages about files begin with the file's name; others do not.
  static Message naming(const std::string& file, const Message& text) {
    const bool named = in_english(text).find(file) != std::string::npos;
    return named ? text : message({"batch.of_file", "{source}: {text}"}, file, text);
  }

  const BatchPlan& plan_;
  const BatchArguments& batch_;
  Report& report_;
  ProgressBar bar_;
  const bool terminal_ = ::isatty(STDERR_FILENO) != 0;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point reminded_ = started_;
  std::size_t ended_ = 0;
  double megapixels_ = 0;
  std::map<std::int64_t, double> parts_;  // of what is being filtered
  std::set<std::string> reported_;
};

// Makes Ctrl-C reach a run within a moment, whatever it is doing.
class Interrupts {
 public:
  explicit Interrupts(BatchRunner& runner)
      : thread_([&runner](const std::stop_token& stop) {
          while (!stop.stop_requested() && !interrupted()) std::this_thread::sleep_for(50ms);
          if (interrupted()) runner.cancel();
        }) {}

 private:
  std::jthread thread_;
};

}  // namespace

BatchSummary run_plan(const Batch& batch, const BatchPlan& plan, Journal& journal, Report& report) {
  ConsoleListener listener(plan, batch.arguments, report);
  BatchRunner runner(plan, batch.request.recipe, batch.options, &journal, listener);
  const Interrupts interrupts(runner);
  return runner.run();
}

namespace {

Message listed(Message first, Message next) {
  return message({"list.two", "{first}, {next}"}, std::move(first), std::move(next));
}

Message sum_of(const BatchSummary& summary, std::size_t left_out) {
  Message counts = message({"batch.done", "{count} done"}, summary.done);
  if (left_out > 0) {
    counts = listed(std::move(counts), message({"batch.left_out", "{count} left out"}, left_out));
  }
  if (summary.failed > 0) {
    counts = listed(std::move(counts), message({"batch.failed", "{count} failed"}, summary.failed));
  }
  if (summary.cancelled > 0) {
    counts =
        listed(std::move(counts),
               message({"batch.cancelled", "{count} not started or cancelled"}, summary.cancelled));
  }
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.1f", summary.seconds);
  const std::string speed = megapixel_text(summary.megapixels, summary.seconds);
  return summary.cancelled > 0 ? message({"batch.sum_of_part",
                                          "{counts} in {seconds} s, {speed}; --resume continues"},
                                         std::move(counts), seconds, speed)
                               : message({"batch.sum", "{counts} in {seconds} s, {speed}"},
                                         std::move(counts), seconds, speed);
}

}  // namespace

int finish(const Batch& batch, const BatchPlan& plan, const Report& report,
           const BatchSummary& summary) {
  if (batch.arguments.report) report.write(*batch.arguments.report, summary);
  const bool whole = summary.failed == 0 && summary.cancelled == 0;
  if (batch.arguments.json_lines) {
    const ordered_json line{{"event", "summary"},
                            {"done", summary.done},
                            {"failed", summary.failed},
                            {"cancelled", summary.cancelled},
                            {"skipped", plan.skipped.size()},
                            {"seconds", summary.seconds},
                            {"megapixels", summary.megapixels}};
    print_line(line);
  } else if (!batch.arguments.quiet || !whole) {
    say(sum_of(summary, plan.skipped.size()));
  }
  return whole ? 0 : 1;
}

void print_plan(const BatchPlan& plan, bool json_lines) {
  for (const BatchItem& item : plan.items) {
    if (json_lines) {
      const ordered_json line{{"number", item.number},
                              {"source", item.source.path.string()},
                              {"output", item.target.string()},
                              {"replaces", item.replaces}};
      print_line(line);
      continue;
    }
    const std::string frame =
        item.source.is_numbered() ? ", picture " + std::to_string(*item.source.frame) : "";
    std::printf("%s%s -> %s%s\n", item.source.path.c_str(), frame.c_str(), item.target.c_str(),
                item.replaces ? " (replaces)" : "");
  }
  if (json_lines) return;
  std::printf("%zu file%s to make", plan.items.size(), plan.items.size() == 1 ? "" : "s");
  if (!plan.skipped.empty()) std::printf(", %zu left out: they exist", plan.skipped.size());
  std::puts("");
}

void print_clashes(const ClashError& error) {
  constexpr std::size_t most = 20;
  std::size_t shown = 0;
  for (const Message& clash : error.clashes()) {
    if (++shown > most) break;
    say(clash);
  }
  if (error.clashes().size() > most) {
    say(message({"batch.more_clashes", "and {count} more"}, error.clashes().size() - most));
  }
}

}  // namespace sfumato::cli
