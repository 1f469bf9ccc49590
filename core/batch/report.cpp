// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Reports as JSON and CSV.
#include "batch/report.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <vector>

#include "device/descriptor.hpp"
#include "device/files.hpp"
#include "io/target.hpp"
#include "params/json_text.hpp"
#include "params/suggest.hpp"
#include "text/message_json.hpp"

namespace sfumato {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

enum class ReportKind { json, csv };

constexpr const char* json_begins = "{\n  \"sfumato_batch\"";
constexpr const char* csv_names = "source,frame,output,result,reason,seconds,device,warnings\r\n";

ReportKind report_kind_of(const fs::path& path) {
  const std::string extension = path.extension().string();
  if (extension == ".json") return ReportKind::json;
  if (extension == ".csv") return ReportKind::csv;
  throw BatchError(
      message({"batch.report_name", "the name of a report ends in .json or .csv, unlike {file}"},
              in_quotes(path.string())));
}

// Names need not be UTF-8: a report replaces bytes that are not.
ordered_json readable(const ordered_json& json) {
  return ordered_json::parse(json.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
}

std::string readable(const std::string& text) {
  return readable(ordered_json(text)).get<std::string>();
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", value);
  std::replace(text, text + sizeof text, ',', '.');  // whatever the locale
  return text;
}

std::string field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + '"';
}

std::string joined(const std::vector<Message>& sentences) {
  std::string out;
  for (const Message& one : sentences) out += (out.empty() ? "" : "; ") + in_english(one);
  return out;
}

// Sentences for people; ids and values for programs.
void add_warnings(ordered_json& to, const std::vector<Message>& warnings) {
  to["warnings"] = ordered_json::array();
  for (const Message& one : warnings) to["warnings"].push_back(readable(in_english(one)));
  if (!warnings.empty()) to["warning_messages"] = readable(json_of(warnings));
}

struct Line {
  const BatchItem* item;
  std::string result;
  ItemResult details;
};

std::vector<Line> lines_of(const BatchPlan& plan,
                           const std::map<std::int64_t, ItemResult>& results) {
  std::vector<Line> out;
  for (const BatchItem& item : plan.items) {
    const auto found = results.find(item.number);
    if (found == results.end()) {
      out.push_back({&item, name_of(ItemResult::State::cancelled), {}});
    } else {
      out.push_back({&item, name_of(found->second.state), found->second});
    }
  }
  for (const BatchItem& item : plan.skipped) {
    ItemResult before;
    if (item.done_before) {
      before.seconds = item.done_before->seconds;
      before.device = item.done_before->device;
      before.warnings = item.done_before->warnings;
    }
    out.push_back({&item, "skipped", std::move(before)});
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const Line& a, const Line& b) { return a.item->number < b.item->number; });
  return out;
}

}  // namespace

const char* name_of(ItemResult::State state) {
  switch (state) {
    case ItemResult::State::done:
      return "done";
    case ItemResult::State::failed:
      return "failed";
    case ItemResult::State::cancelled:
      break;
  }
  return "cancelled";
}

std::string Report::json(const BatchSummary& summary) const {
  ordered_json files = ordered_json::array();
  for (const Line& line : lines_of(plan_, results_)) {
    ordered_json file{{"source", readable(line.item->source.path.string())}};
    if (line.item->source.frame) file["frame"] = *line.item->source.frame;
    file["output"] = readable(line.item->target.string());
    file["result"] = line.result;
    if (line.item->done_before) file["done_before"] = true;
    if (!line.details.reason.empty()) {
      file["reason"] = readable(in_english(line.details.reason));
      file["reason_message"] = readable(json_of(line.details.reason));
    }
    if (line.details.seconds > 0) file["seconds"] = line.details.seconds;
    if (!line.details.device.empty()) file["device"] = readable(line.details.device);
    if (!line.details.warnings.empty()) add_warnings(file, line.details.warnings);
    files.push_back(std::move(file));
  }
  ordered_json all{{"sfumato_batch", 1},
                   {"recipe", plan_.recipe_hash},
                   {"done", summary.done},
                   {"failed", summary.failed},
                   {"cancelled", summary.cancelled},
                   {"skipped", plan_.skipped.size()},
                   {"seconds", summary.seconds},
                   {"megapixels", summary.megapixels}};
  add_warnings(all, plan_.warnings);
  all["files"] = std::move(files);
  return print_json(all);
}

std::string Report::csv() const {
  std::string out = csv_names;
  for (const Line& line : lines_of(plan_, results_)) {
    const ItemResult& d = line.details;
    const auto& frame = line.item->source.frame;
    out += field(readable(line.item->source.path.string())) + ',' +
           (frame ? std::to_string(*frame) : "") + ',' +
           field(readable(line.item->target.string())) + ',' + line.result + ',' +
           field(readable(in_english(d.reason))) + ',' + (d.seconds > 0 ? number(d.seconds) : "") +
           ',' + field(readable(d.device)) + ',' + field(readable(joined(d.warnings))) + "\r\n";
  }
  return out;
}

void Report::check(const fs::path& path) {
  const std::string begins =
      report_kind_of(path) == ReportKind::json ? json_begins : std::string(csv_names);
  std::error_code error;
  if (fs::is_directory(path, error)) return;
  const Descriptor file(open_ordinary(path));
  if (!file && errno == ELOOP) {
    throw BatchError(message({"batch.report_not_ordinary",
                              "{file}: this is not an ordinary file, and cannot be a report; "
                              "remove it or choose another name"},
                             path.string()));
  }
  if (!file) return;
  std::string text(begins.size(), '\0');
  const ssize_t got = ::read(file.get(), text.data(), text.size());
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  if (!text.empty() && text != begins) {
    throw BatchError(message(
        {"batch.no_report", "{file}: this file is not a batch report, and is not replaced by one"},
        path.string()));
  }
}

bool Report::has_ended(const BatchItem& item, ItemResult::State state) const {
  const auto found = results_.find(item.number);
  return found != results_.end() && found->second.state == state;
}

bool Report::done(const BatchItem& item) const {
  return has_ended(item, ItemResult::State::done);
}

bool Report::failed(const BatchItem& item) const {
  return has_ended(item, ItemResult::State::failed);
}

BatchSummary Report::summary() const {
  BatchSummary sum;
  for (const auto& [number, result] : results_) {
    if (result.state == ItemResult::State::done) {
      ++sum.done;
      sum.megapixels += result.megapixels;
    }
    if (result.state == ItemResult::State::failed) ++sum.failed;
  }
  sum.cancelled = std::ssize(plan_.items) - sum.done - sum.failed;
  return sum;
}

void Report::write(const fs::path& path, const BatchSummary& summary) const {
  const std::string text = report_kind_of(path) == ReportKind::json ? json(summary) : csv();
  check(path);
  files::replace_text(path, text);
}

}  // namespace sfumato
