// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Reads presets, the program's own and the user's.
#include "engine/presets.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <optional>

#include "device/files.hpp"
#include "filters/registry.hpp"
#include "params/json_text.hpp"
#include "params/scan.hpp"
#include "params/suggest.hpp"
#include "text/system_reason.hpp"

namespace sfumato {
namespace {

namespace fs = std::filesystem;

/// A text member of the recipe made safe for a terminal and put on one line, or `otherwise`.
std::string member_text(const Recipe& recipe, const char* name, const std::string& otherwise) {
  std::string text = recipe.extra.text(name).value_or(std::string());
  std::replace_if(
      text.begin(), text.end(),
      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, ' ');
  const std::string trimmed(scan::trim(text));
  return trimmed.empty() ? otherwise : trimmed;
}

std::string filters_of(const Recipe& recipe) {
  std::vector<std::string> names;
  for (const Step& step : recipe.steps) names.push_back(step.filter);
  return scan::joined(names);
}

/// Throws RecipeError if the text is not a recipe that this program can run.
Preset preset_of(std::string id, std::string text, const fs::path& file) {
  Preset preset{.id = std::move(id),
                .name = {},
                .category = {},
                .summary = {},
                .text = std::move(text),
                .file = file};
  const Recipe recipe = preset.recipe();
  preset.name = member_text(recipe, "name", preset.id);
  preset.category = member_text(recipe, "category", "Own");
  preset.summary = member_text(recipe, "summary", filters_of(recipe));
  return preset;
}

/// Why a file cannot be a preset, as far as its name and type show; nullopt if nothing does.
std::optional<Message> fault_of_file(const fs::path& file, const std::string& id) {
  // Such a name could neither be shown nor typed.
  if (in_quotes(id) != '"' + id + '"') {
    return message(
        {"preset.bad_name", "a preset's file needs a name of at most 60 plain characters"});
  }
  std::error_code error;
  const auto size = fs::file_size(file, error);
  if (error) {
    return message({"preset.unreadable_why", "it cannot be read ({why})"}, error.message());
  }
  if (size > json_largest) {
    return message({"preset.large", "it is too large for a recipe"});
  }
  return std::nullopt;
}

bool is_preset_file(const fs::directory_entry& entry) {
  std::error_code error;
  // Hidden ones are being written, or left over.
  return entry.path().extension() == ".json" && entry.path().filename().string()[0] != '.' &&
         entry.is_regular_file(error);
}

std::string key_of(std::string_view id) {
  return scan::folded(id);
}

}  // namespace

Recipe Preset::recipe() const {
  return parse_recipe(text, Registry::get(), file.parent_path());
}

Presets::Presets(const fs::path& folder) {
  for (const BuiltInPreset& row : built_in_presets()) {
    const std::string id(row.id);
    try {
      presets_.push_back(preset_of(id, std::string(row.text), {}));
    } catch (const RecipeError& e) {
      damaged_.push_back(
          {id, message({"preset.built_in_damaged", "the built-in preset {preset}: {why}"},
                       in_quotes(id), e.message())});
    }
  }
  if (folder.empty()) return;
  std::vector<fs::path> files;
  std::error_code error;
  // A folder that cannot be listed has no presets.
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (is_preset_file(*it)) files.push_back(it->path());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) add_user_file(file);
}

void Presets::add_user_file(const fs::path& file) {
  const std::string id = file.stem().string();
  try {
    if (const auto fault = fault_of_file(file, id)) throw RecipeError(*fault);
    std::string text;
    if (!read_file(file, text)) {
      throw RecipeError(
          message({"file.unreadable", "it cannot be read ({reason})"}, system_reason(errno)));
    }
    Preset preset = preset_of(id, std::move(text), file);
    std::erase_if(presets_, [&](const Preset& p) { return key_of(p.id) == key_of(id); });
    std::erase_if(damaged_, [&](const DamagedPreset& p) { return key_of(p.id) == key_of(id); });
    presets_.push_back(std::move(preset));
  } catch (const RecipeError& e) {
    damaged_.push_back({id, message({"preset.damaged", "the preset {file} cannot be used: {why}"},
                                    in_quotes(file.string()), e.message())});
  }
}

std::vector<std::string> Presets::ids() const {
  std::vector<std::string> ids;
  for (const Preset& preset : presets_) ids.push_back(preset.id);
  return ids;
}

const Preset* Presets::find(std::string_view id) const {
  const std::string key = key_of(id);
  for (const DamagedPreset& damaged : damaged_) {
    if (key_of(damaged.id) == key) throw RecipeError(damaged.why);
  }
  for (const Preset& preset : presets_) {
    if (key_of(preset.id) == key) return &preset;
  }
  return nullptr;
}

fs::path user_preset_folder() {
  if (const char* xdg = std::getenv("XDG_DATA_HOME"); xdg != nullptr && xdg[0] == '/') {
    return fs::path(xdg) / "sfumato" / "presets";
  }
  if (const char* home = std::getenv("HOME"); home != nullptr && home[0] == '/') {
    return fs::path(home) / ".local" / "share" / "sfumato" / "presets";
  }
  return {};
}

}  // namespace sfumato
