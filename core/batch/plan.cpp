// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Names every output before any is made, so that a clash is found before anything is lost.
#include "batch/plan.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "batch/journal_line.hpp"
#include "batch/request_check.hpp"
#include "device/program_cache.hpp"
#include "filters/registry.hpp"
#include "io/target.hpp"

namespace sfumato {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t second = 1'000'000'000;

constexpr std::int64_t most_numbers = 1'000'000;  // of inputs that are gone, for a counter to skip

std::string hex_of(const std::string& text) {
  char hex[17];
  std::snprintf(hex, sizeof hex, "%016llx", static_cast<unsigned long long>(fnv1a(text)));
  return hex;
}

// A template that begins with {folder} stays as it is: the folder will be absolute.
std::string absolute_text(const std::string& path) {
  return path.empty() || path.starts_with("{folder}") ? path : fs::absolute(path).string();
}

// A relative path means another picture when it is given in another folder.
Recipe with_absolute_pictures(Recipe recipe) {
  for (Step& step : recipe.steps) {
    for (const auto& [name, value] : Values(step.values)) {
      const auto* image = std::get_if<ImageRef>(&value);
      if (image == nullptr || !image->bound()) continue;
      step.values.set(name, ImageRef{absolute_text(image->path), image->channels});
    }
  }
  return recipe;
}

std::string hash_of(const BatchRequest& request) {
  const WriteOptions& w = request.write;
  std::string text = print_recipe(with_absolute_pictures(request.recipe), Registry::get());
  text += request.extension + '\n' + w.compression + '\n';
  if (!request.join.empty()) text += "join " + request.join + '\n';
  for (const int number :
       {w.bits ? static_cast<int>(*w.bits) : -1, w.quality, static_cast<int>(w.keep_metadata),
        static_cast<int>(w.profile), static_cast<int>(w.dither)}) {
    text += std::to_string(number) + '\n';
  }
  if (w.resizing) {
    const Resizing& size = *w.resizing;
    text += "size " + std::to_string(size.most.width) + ' ' + std::to_string(size.most.height) +
            ' ' + std::to_string(size.scale) + ' ' + std::to_string(static_cast<int>(size.filter)) +
            '\n';
  }
  for (const auto& [name, role] : request.roles) {
    text += name + '=' + absolute_text(role.path) + '\n' + role.channels + '\n';
  }
  return hex_of(text);
}

// Keeps the source's own extension, whether "jpg" or "jpeg".
std::string extension_for(const BatchRequest& request, const FoundInput& input) {
  if (input.joined) return request.join;
  if (!request.extension.empty()) return request.extension;
  if (input.movie) return "png";
  if (files::lower_extension(input.path) == "mpo") return "jpg";  // of which it holds several
  if (format_of(input.path) == nullptr) return "tif";
  return input.path.extension().string().substr(1);
}

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(fs::symlink_status(path, error));
}

std::string ascii_lower(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

// Whether the folder's file system ignores letter case. Only making a file can tell.
bool folds_case(fs::path folder) {
  std::error_code error;
  while (!fs::is_directory(folder, error) && folder.has_relative_path()) {
    folder = folder.parent_path();
  }
  const files::Temporary probe(folder / "case", 0600);
  if (probe.descriptor() < 0) return false;
  std::string other = probe.path().filename().string();
  std::transform(other.begin(), other.end(), other.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return ::access((folder / other).c_str(), F_OK) == 0;
}

NameFields fields_of(const BatchRequest& request, const BatchItem& item) {
  NameFields fields;
  fields.source = item.source.path;
  fields.below = item.source.below;
  fields.recipe = request.recipe_name;
  fields.extension = extension_for(request, item.source);
  fields.counter = item.number;
  fields.frame = item.source.frame;
  fields.time = item.stamp.time / second;
  return fields;
}

class Planner {
 public:
  Planner(const BatchRequest& request, const HistoryLookup& recall)
      : request_(request), recall_(recall) {
    plan_.recipe_hash = hash_of(request);
  }

  BatchPlan run() {
    FoundInputs found = request_.found.empty() ? search() : FoundInputs{request_.found, {}};
    plan_.warnings = std::move(found.warnings);
    const std::unordered_set<std::string> pictures = role_pictures(found.files);
    std::int64_t row = 0;
    for (FoundInput& input : found.files) {
      ++row;
      BatchItem item;
      // Only items to be made are numbered, as shards divide these; rows of a list keep their
      // numbers.
      item.number = request_.found.empty() ? std::ssize(all_) + 1 : row;
      item.source = std::move(input);
      if (pictures.count(item.source.path.string()) != 0) {
        plan_.for_roles.push_back(std::move(item));
        continue;
      }
      all_.push_back(std::move(item));
    }
    if (all_.empty() && !plan_.for_roles.empty() && !request_.inputs.may_be_none) {
      throw BatchError(message({"batch.only_roles",
                                "every input is a role picture of another input, so that none is "
                                "left; give the roles a template that matches other files"}));
    }
    plan_.count = std::ssize(all_);
    plan_.inputs_hash = inputs_hash();
    keep_pictures_of(request_.recipe);
    for (BatchItem& item : all_) name(item);
    // Outputs that earlier runs have named keep their names, even if other inputs come first now.
    std::vector<bool> named(all_.size()), clashing(all_.size());
    for (std::size_t i = 0; i < all_.size(); ++i) {
      named[i] = earlier_[i].state != PriorResult::State::unknown;
      clashing[i] = named[i] && !reserve(i);
    }
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (!named[i]) {
        if (recall_ && request_.name.uses("counter")) count_on(all_[i]);
        clashing[i] = !reserve(i);
      }
      if (!clashing[i] && is_ours(all_[i])) place(all_[i], earlier_[i]);
    }
    if (!clashes_.empty() && !request_.leave_out_clashing) refuse();
    plan_.clashes = std::move(clashes_);
    return std::move(plan_);
  }

 private:
  // The role pictures of all inputs: normals, depth or guide.
  std::unordered_set<std::string> role_pictures(const std::vector<FoundInput>& files) const {
    std::unordered_set<std::string> pictures;
    if (request_.roles.empty()) return pictures;
    for (const FoundInput& file : files) {
      BatchItem item;
      item.source = file;
      for (const auto& [name, role] : roles_of(request_, item)) {
        // A picture may play a role for itself.
        if (role.path != file.path.string()) pictures.insert(role.path);
      }
    }
    return pictures;
  }

  std::size_t index_of(const BatchItem& item) const {
    return static_cast<std::size_t>(&item - all_.data());
  }
  bool is_ours(const BatchItem& item) const {
    return (item.number - 1) % request_.shards == request_.shard - 1;
  }

  FoundInputs search() const {
    InputQuery inputs = request_.inputs;
    if (inputs.output_folder.empty()) inputs.output_folder = request_.folder;
    return find_inputs(inputs);
  }

  // Without the searched folders, which may have other names on other machines.
  std::string inputs_hash() const {
    std::string text;
    for (const BatchItem& item : all_) {
      text += (item.source.below / item.source.path.filename()).string() + '\0' +
              std::to_string(item.source.frame.value_or(0)) + '\0';
    }
    return hex_of(text);
  }

  fs::path filled(const BatchItem& item, const NameFields& fields) const {
    fs::path target =
        (fs::absolute(request_.folder) / request_.name.fill(fields)).lexically_normal();
    if (item.source.is_numbered() && !request_.name.uses("frame") &&
        !request_.name.uses("counter")) {
      target.replace_filename(target.stem().string() + number_.text_of(fields) +
                              target.extension().string());
    }
    return target;
  }

  // Sets everything in an item except whether it is to be made.
  void name(BatchItem& item) {
    if (const auto file = version_of(item.source.path)) {
      item.stamp = file->stamp;
      inputs_.insert(file->id);
    }
    item.target = filled(item, fields_of(request_, item));
    item.roles = roles_of(request_, item);
    item.roles_stamp = recipe_stamps_;
    for (const auto& [parameter, role] : item.roles) item.roles_stamp += keep_picture(role.path);
    PriorResult earlier = recall_ ? recall_(item, plan_.recipe_hash) : PriorResult{};
    const bool known = earlier.state != PriorResult::State::unknown;
    // If a foreign file is there now, the name is chosen again.
    if (known &&
        (earlier.state == PriorResult::State::done || earlier.ours || !is_there(earlier.target)) &&
        !is_another(earlier)) {
      item.target = earlier.target;
    }
    earlier_.push_back(std::move(earlier));
  }

  // Another picture has taken the source's path, and both are to have outputs.
  bool is_another(const PriorResult& earlier) const {
    return request_.redo_changed && earlier.changed && !earlier.same_file;
  }

  // Protects a role picture from being replaced by an output. Returns a stamp that changes when the
  // picture does.
  const std::string& keep_picture(const std::string& path) {
    const auto [at, first] = role_stamps_.try_emplace(path);
    if (!first) return at->second;
    if (const auto file = id_of(path)) role_files_.insert(*file);
    const auto stamp = stamp_of(path);
    at->second = hex_of(path + '\0' + std::to_string(stamp ? stamp->size : 0) + '\0' +
                        std::to_string(stamp ? stamp->time : 0));
    return at->second;
  }

  void keep_pictures_of(const Recipe& recipe) {
    for (const Step& step : recipe.steps) {
      for (const auto& [name, value] : step.values) {
        const auto* image = std::get_if<ImageRef>(&value);
        if (image != nullptr && image->bound()) recipe_stamps_ += keep_picture(image->path);
      }
    }
  }

  // Counts on from the item's own number, to the first name that belongs to no other input.
  void count_on(BatchItem& item) {
    NameFields fields = fields_of(request_, item);
    const auto is_taken = [&] {
      return taken_.count(key_of(item.target)) != 0 || recall_(item, plan_.recipe_hash).taken;
    };
    for (std::int64_t tries = 0; tries < plan_.count + most_numbers && is_taken(); ++tries) {
      ++fields.counter;
      item.target = filled(item, fields);
    }
  }

  void place(BatchItem& item, const PriorResult& earlier) {
    if (!item.source.fault.empty()) {
      plan_.items.push_back(item);
      return;
    }
    if (earlier.state == PriorResult::State::done && is_there(item.target)) {
      item.done_before = earlier.work;
      plan_.skipped.push_back(item);
      return;
    }
    if (is_another(earlier) && is_there(item.target)) rename(item);
    // If existing files are to be kept, so is what was made of an earlier version.
    const bool kept =
        earlier.changed && !request_.redo_changed &&
        (request_.existing == Existing::skip || request_.existing == Existing::rename);
    const bool ours = earlier.ours && item.target == earlier.target && !kept;
    if (kept && request_.existing == Existing::skip && is_there(item.target)) {
      plan_.warnings.push_back(
          message({"batch.changed",
                   "{file}: changed since {output} was made from it; that file is left as it is"},
                  item.source.path.string(), item.target.string()));
    }
    if (is_there(item.target) && !(ours ? may_replace(item) : settle(item))) return;
    plan_.items.push_back(item);
  }

  // The same for all paths that are one file, through links or letter case.
  std::string key_of(const fs::path& target) {
    const fs::path place = places_.of(files::followed(target));
    std::string key = place.string(), folded = ascii_lower(key);
    const auto [at, first] = spelled_.try_emplace(folded, key);
    if (first || at->second == key) return key;
    if (!folds_) folds_ = folds_case(place.parent_path());
    return *folds_ ? at->second : key;
  }

  // If another input's output has this name: records a clash, and returns false.
  bool reserve(std::size_t i) {
    BatchItem& item = all_[i];
    if (!item.source.fault.empty()) return true;  // nothing will be made
    const auto [at, first] = taken_.try_emplace(key_of(item.target), i);
    if (first) return true;
    if (request_.existing == Existing::rename) {
      rename(item);
      return true;
    }
    const BatchItem& other = all_[at->second];
    clashes_.push_back(
        message({"clash.of_two", "{output}: the output of both {first} and {second}"},
                item.target.string(), other.source.path.string(), item.source.path.string()));
    return false;
  }

  // Decides about the file that exists at the target. False: the item is not to be made.
  bool settle(BatchItem& item) {
    switch (request_.existing) {
      case Existing::skip:
        plan_.skipped.push_back(item);
        return false;
      case Existing::rename:
        rename(item);
        return true;
      case Existing::overwrite:
        return may_replace(item);
      case Existing::refuse:
        break;
    }
    clashes_.push_back(
        id_of(item.target) == id_of(item.source.path)
            ? message({"clash.input", "{output}: the input itself"}, item.target.string())
            : message({"clash.exists", "{output}: the file exists already"}, item.target.string()));
    return false;
  }

  // If the target is another input or a role picture, by any name: records a clash, and returns
  // false.
  bool may_replace(BatchItem& item) {
    const auto there = id_of(item.target);
    if (there && role_files_.count(*there) != 0) {
      clashes_.push_back(message({"clash.role", "{output}: itself a role picture of this batch"},
                                 item.target.string()));
      return false;
    }
    if (there && inputs_.count(*there) != 0 && there != id_of(item.source.path)) {
      clashes_.push_back(message({"clash.other_input", "{output}: itself an input of this batch"},
                                 item.target.string()));
      return false;
    }
    item.replaces = true;
    return true;
  }

  void rename(BatchItem& item) {
    const fs::path folder = item.target.parent_path(), stem = item.target.stem(),
                   extension = item.target.extension();
    for (int n = 2;; ++n) {
      item.target = folder / (stem.string() + "_" + std::to_string(n) + extension.string());
      if (is_there(item.target)) continue;
      if (taken_.try_emplace(key_of(item.target), index_of(item)).second) return;
    }
  }

  [[noreturn]] void refuse() {
    const std::size_t count = clashes_.size();
    throw ClashError(
        count == 1
            ? message(
                  {"batch.clash",
                   "an output cannot have its name, so nothing was started; skip, rename or "
                   "overwrite existing files (--existing), resume an earlier run (--resume), or "
                   "give other names (--name)"})
            : message({"batch.clashes",
                       "{count} outputs cannot have their names, so nothing was started; skip, "
                       "rename or overwrite existing files (--existing), resume an earlier run "
                       "(--resume), or give other names (--name)"},
                      count),
        std::move(clashes_));
  }

  const BatchRequest& request_;
  const HistoryLookup& recall_;
  const NameTemplate number_{"_{frame:5}"};
  BatchPlan plan_;
  std::vector<BatchItem> all_;
  std::vector<PriorResult> earlier_;                          // of each item
  std::set<FileId> inputs_, role_files_;                      // by identity
  std::unordered_map<std::string, std::string> role_stamps_;  // by path
  std::string recipe_stamps_;                                 // of the recipe's own pictures
  std::unordered_map<std::string, std::size_t> taken_;        // items, by key_of() of their outputs
  std::unordered_map<std::string, std::string> spelled_;      // keys, by the same in lower case
  std::optional<bool> folds_;                                 // set once it matters
  CanonicalPaths places_;
  std::vector<Message> clashes_;
};

}  // namespace

std::map<std::string, ImageRef> roles_of(const BatchRequest& request, const BatchItem& item) {
  NameFields fields = fields_of(request, item);
  fields.below = item.source.path.parent_path();
  const std::string extension = item.source.path.extension().string();
  fields.extension = extension.empty() ? extension : extension.substr(1);
  std::map<std::string, ImageRef> roles;
  for (const auto& [name, role] : request.roles) {
    const fs::path file = fs::absolute(NameTemplate(role.path).text_of(fields));
    roles[name] = {file.lexically_normal().string(), role.channels};
  }
  return roles;
}

Recipe with_roles(Recipe recipe, const std::map<std::string, ImageRef>& roles) {
  for (Step& step : recipe.steps) {
    const ParameterSet& set = Registry::get().at(step.filter).filter->info().parameters;
    for (const auto& [name, picture] : roles) {
      if (set.find(name) == nullptr || step.values.get<ImageRef>(name).bound()) continue;
      step.values.set(name, picture);
    }
  }
  return recipe;
}

BatchPlan part_of(const BatchPlan& plan, const std::function<bool(const BatchItem&)>& wanted) {
  BatchPlan part;
  part.recipe_hash = plan.recipe_hash;
  part.count = plan.count;
  part.inputs_hash = plan.inputs_hash;
  for (const BatchItem& item : plan.items) {
    if (wanted(item)) part.items.push_back(item);
  }
  return part;
}

BatchPlan plan_batch(const BatchRequest& request, const HistoryLookup& recall) {
  check_request(request);
  return Planner(request, recall).run();
}

}  // namespace sfumato
