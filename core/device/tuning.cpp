// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Reads and writes tables of tuned sizes.
#include "device/tuning.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "device/files.hpp"
#include "params/json_text.hpp"
#include "text/system_reason.hpp"

namespace sfumato {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* version_key = "sfumato_tuning";
constexpr int version = 1;

const char* form_name(Form form) {
  return form == Form::gpu ? "gpu" : "cpu";
}

std::string text_of(const Json& entry, const char* key) {
  const auto found = entry.find(key);
  return found != entry.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// The entries of a table. Throws JsonError if this program cannot read the text.
Json entries_of(std::string_view text) {
  const Json table = parse_json(text);
  if (!table.is_object() || !table.contains(version_key)) {
    throw JsonError(message({"tuning.no_table", "it is not a tuning table"}));
  }
  if (table[version_key] != version) {
    throw JsonError(message({"tuning.other_version", "it is a tuning table of another version"}));
  }
  const auto devices = table.find("devices");
  if (devices == table.end() || !devices->is_array()) {
    throw JsonError(message({"tuning.no_devices", "it lists no devices"}));
  }
  return *devices;
}

// Integers by filter and name; other members of an entry are ignored.
Sizes sizes_of(const Json& entry) {
  Sizes sizes;
  const auto filters = entry.find("sizes");
  if (filters == entry.end() || !filters->is_object()) return sizes;
  for (const auto& [filter, values] : filters->items()) {
    if (!values.is_object()) continue;
    for (const auto& [name, value] : values.items()) {
      if (!value.is_number()) continue;
      const double number = value.get<double>();
      if (number != std::floor(number) || std::abs(number) > 1e6) continue;
      sizes[filter][name] = static_cast<int>(number);
    }
  }
  return sizes;
}

bool is_for(const Json& entry, const DeviceInfo& info, Form form) {
  return entry.is_object() && text_of(entry, "device") == info.identity() &&
         text_of(entry, "form") == form_name(form);
}

bool begins(const std::string& text, const std::string& with) {
  return text.compare(0, with.size(), with) == 0;
}

// The table's entries, or nothing if there is no file. Throws JsonError.
Json read_entries(const std::filesystem::path& file) {
  std::string text;
  std::error_code error;
  if (file.empty() || !std::filesystem::exists(file, error)) return Json::array();
  try {
    if (!read_file(file, text))
      throw JsonError(
          message({"file.unreadable", "it cannot be read ({reason})"}, system_reason(errno)));
    return entries_of(text);
  } catch (const JsonError& e) {
    throw JsonError(message({"tuning.not_used", "the tuning table {file} is not used: {why}"},
                            file.string(), e.message()));
  }
}

[[noreturn]] void refuse_to_write(const std::filesystem::path& file) {
  throw TuningError(
      message({"tuning.not_written", "the tuning table {file} cannot be written ({reason})"},
              file.string(), system_reason(errno)));
}

void require_folder(const std::filesystem::path& file) {
  if (!file.empty()) return;
  throw TuningError(message({"tuning.no_folder",
                             "there is no cache folder to keep sizes in; set XDG_CACHE_HOME or "
                             "HOME"}));
}

void write_entries(const std::filesystem::path& file, const Json& entries) {
  require_folder(file);
  const Json table{{version_key, version}, {"devices", entries}};
  if (!write_file_atomically(file, print_json(table))) refuse_to_write(file);
}

// All entries except the device's. A damaged table contributes none.
Json others(const std::filesystem::path& file, const DeviceInfo& info, Form form, bool& had_one) {
  Json kept = Json::array();
  had_one = false;
  try {
    for (const Json& entry : read_entries(file)) {
      if (is_for(entry, info, form)) {
        had_one = true;
      } else {
        kept.push_back(entry);
      }
    }
  } catch (const JsonError&) {
    had_one = true;
  }
  return kept;
}

}  // namespace

bool Tunable::allows(int value) const {
  return std::find(choices.begin(), choices.end(), value) != choices.end();
}

const Tunable& find_tunable(const std::vector<Tunable>& all, std::string_view name) {
  for (const Tunable& t : all) {
    if (t.name == name) return t;
  }
  throw std::logic_error("there is no tunable " + std::string(name));
}

int Tuning::at(std::string_view filter, const Tunable& tunable, Form form) const {
  for (const Sizes& layer : layers_) {
    const auto values = layer.find(filter);
    if (values == layer.end()) continue;
    const auto value = values->second.find(tunable.name);
    if (value != values->second.end() && tunable.allows(value->second)) return value->second;
  }
  return tunable.otherwise(form);
}

void Tuning::set(const std::string& filter, const std::string& tunable, int value) {
  if (layers_.empty()) layers_.emplace_back();
  layers_.front()[filter][tunable] = value;
}

Message origin_message(TuningOrigin origin) {
  switch (origin) {
    case TuningOrigin::user:
      return message({"tuning.user", "tuned here"});
    case TuningOrigin::shipped:
      return message({"tuning.shipped", "as shipped"});
    case TuningOrigin::defaults:
      break;
  }
  return message({"tuning.defaults", "the defaults"});
}

Sizes shipped_sizes(std::string_view shipped, const DeviceInfo& info, Form form, bool* found) {
  *found = false;
  Sizes best;
  std::size_t longest = 0;
  for (const Json& entry : entries_of(shipped)) {
    if (!entry.is_object() || text_of(entry, "form") != form_name(form)) continue;
    const std::string vendor = text_of(entry, "vendor"), name = text_of(entry, "name"),
                      platform = text_of(entry, "platform");
    if (!begins(info.vendor, vendor) || !begins(info.name, name) ||
        !begins(info.platform, platform)) {
      continue;
    }
    const std::size_t length = vendor.size() + name.size() + platform.size();
    if (length <= longest) continue;
    longest = length;
    best = sizes_of(entry);
    *found = true;
  }
  return best;
}

UserTuning::UserTuning(const std::filesystem::path& cache_folder)
    : file_(cache_folder.empty() ? cache_folder : cache_folder / "tuning.json") {}

bool UserTuning::find(const DeviceInfo& info, Form form, Sizes& sizes) const {
  for (const Json& entry : read_entries(file_)) {
    if (!is_for(entry, info, form)) continue;
    sizes = sizes_of(entry);
    return true;
  }
  return false;
}

void UserTuning::put(const DeviceInfo& info, Form form, const Sizes& sizes) const {
  bool had_one = false;
  Json entries = others(file_, info, form, had_one);
  Json values = Json::object();
  for (const auto& [filter, of] : sizes) values[filter] = of;
  entries.push_back({{"device", info.identity()},
                     {"form", form_name(form)},
                     {"version", SFUMATO_VERSION},
                     {"sizes", values}});
  write_entries(file_, entries);
}

void UserTuning::check_writable() const {
  require_folder(file_);
  std::filesystem::path probe = file_;
  probe += ".probe";
  if (!write_file_atomically(probe, "")) refuse_to_write(file_);
  std::error_code error;
  std::filesystem::remove(probe, error);
}

bool UserTuning::remove(const DeviceInfo& info, Form form) const {
  bool had_one = false;
  const Json entries = others(file_, info, form, had_one);
  if (had_one) write_entries(file_, entries);
  return had_one;
}

Tuning load_tuning(const DeviceInfo& info, Form form, const std::filesystem::path& cache_folder,
                   const std::function<void(const Message&)>& warn) {
  std::vector<Sizes> layers(2);
  TuningOrigin origin = TuningOrigin::defaults;
  try {
    bool found = false;
    layers[1] = shipped_sizes(shipped_tuning_table(), info, form, &found);
    if (found) origin = TuningOrigin::shipped;
    if (UserTuning(cache_folder).find(info, form, layers[0])) origin = TuningOrigin::user;
  } catch (const std::exception& e) {
    if (warn) warn(message_in(e));
  }
  return {origin, std::move(layers)};
}

}  // namespace sfumato
