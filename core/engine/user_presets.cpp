// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A user's preset is a recipe file with a "name", in a folder of its own.
#include "engine/user_presets.hpp"

#include <algorithm>
#include <cerrno>

#include "device/files.hpp"
#include "filters/registry.hpp"
#include "params/scan.hpp"
#include "params/suggest.hpp"
#include "text/system_reason.hpp"

namespace sfumato {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t longest_id = 60;

}  // namespace

std::string preset_id_of(std::string_view title) {
  std::string id;
  for (const char c : title) {
    const bool digit = c >= '0' && c <= '9', upper = c >= 'A' && c <= 'Z';
    const bool beyond_ascii = static_cast<unsigned char>(c) >= 0x80;
    if (digit || (c >= 'a' && c <= 'z') || beyond_ascii) {
      id += c;
    } else if (upper) {
      id += static_cast<char>(c - 'A' + 'a');
    } else if (!id.empty() && id.back() != '_') {
      id += '_';
    }
    if (id.size() == longest_id) break;
  }
  std::size_t whole = 0;  // characters
  while (const std::size_t length = scan::utf8_length(id, whole)) whole += length;
  id.resize(whole);
  while (!id.empty() && id.back() == '_') id.pop_back();
  return id.empty() ? "preset" : id;
}

std::string free_preset_title(const fs::path& folder, std::string_view title) {
  const std::string wanted(scan::trim(title));
  const std::vector<std::string> ids = Presets(folder).ids();
  const auto taken = [&](const std::string& candidate) {
    return std::find(ids.begin(), ids.end(), preset_id_of(candidate)) != ids.end();
  };
  if (!taken(wanted)) return wanted;
  // Short enough to leave room for the number in the id.
  std::string start = wanted;
  if (start.size() > longest_id - 10) {
    std::size_t end = 0;
    while (end < longest_id - 10) end += std::max<std::size_t>(1, scan::utf8_length(start, end));
    start.resize(end);
  }
  for (int number = 2;; ++number) {
    const std::string candidate = start + " " + std::to_string(number);
    if (!taken(candidate)) return candidate;
  }
}

fs::path save_preset(const fs::path& folder, std::string_view title, Recipe recipe, bool replace) {
  const std::string name(scan::trim(title));
  if (name.empty()) throw RecipeError(message({"preset.no_name", "a preset needs a name"}));
  const std::string id = preset_id_of(name);
  const fs::path file = folder / (id + ".json");
  const std::vector<std::string> taken = Presets(folder).ids();
  if (!replace && std::find(taken.begin(), taken.end(), id) != taken.end()) {
    throw RecipeError(
        message({"preset.exists", "there is a preset {preset} already; choose another name"},
                in_quotes(id)));
  }
  std::error_code error;
  fs::create_directories(folder, error);
  recipe.extra.set_text("name", name);
  if (!write_file_atomically(file, print_recipe(recipe, Registry::get(), folder))) {
    throw RecipeError(message({"preset.unwritable", "cannot write {file} ({reason})"},
                              in_quotes(file.string()), system_reason(errno)));
  }
  return file;
}

fs::path rename_preset(const Preset& preset, std::string_view title) {
  if (preset.built_in()) {
    throw RecipeError(message({"preset.rename_built_in",
                               "the preset {preset} is built in and cannot be renamed; save a copy "
                               "under another name"},
                              in_quotes(preset.name)));
  }
  const fs::path folder = preset.file.parent_path();
  const std::string id = preset_id_of(scan::trim(title));
  const fs::path file = save_preset(folder, title, preset.recipe(), id == preset.id);
  if (file != preset.file) remove_preset(preset);
  return file;
}

void remove_preset(const Preset& preset) {
  if (preset.built_in()) {
    throw RecipeError(message({"preset.delete_built_in",
                               "the preset {preset} is built in and cannot be deleted; save a copy "
                               "under another name"},
                              in_quotes(preset.name)));
  }
  std::error_code error;
  fs::remove(preset.file, error);
  if (error) {
    throw RecipeError(message({"preset.undeletable", "cannot delete {file}: {why}"},
                              in_quotes(preset.file.string()), error.message()));
  }
}

}  // namespace sfumato
