// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A batch before it starts: every input with its output. Planning changes no file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "batch/errors.hpp"
#include "batch/inputs.hpp"
#include "batch/name_template.hpp"
#include "io/file_version.hpp"
#include "io/io.hpp"
#include "params/recipe.hpp"

namespace sfumato {

/// What to do about outputs that exist already.
enum class Existing {
  refuse,     ///< the batch does not start, and lists them
  skip,       ///< their inputs are left out
  rename,     ///< the new file is called "name_2.ext", or the next free number
  overwrite,  ///< replaced atomically once the new file is complete
};

struct BatchRequest {
  InputQuery inputs;
  /// Used instead of `inputs` if not empty; items are numbered in this order.
  std::vector<FoundInput> found = {};
  Recipe recipe;
  std::string recipe_name;       ///< for {recipe}
  std::filesystem::path folder;  ///< of outputs, journal and report; made when the batch starts
  NameTemplate name{default_name_template};
  /// The outputs' format, by its extension without the dot. Empty: the source's own if it can be
  /// written, otherwise TIFF (for raw files, for example); PNG for a movie's frames.
  std::string extension = {};
  /// The format, by its extension without the dot, of files that take all pictures of a movie or an
  /// animation (io/animation_output.hpp). Empty: each picture gets a file of its own. Otherwise
  /// inputs.join is set, too.
  std::string join = {};
  WriteOptions write = {};  ///< `overwrite`, `input_path` and `cancelled` are ignored
  /// `skip` and `rename` also keep what an earlier run made from a source that has since changed.
  Existing existing = Existing::refuse;
  /// Role pictures, by image parameter. Each path is a name template in which {folder} is the
  /// source's own folder, such as "{folder}/{stem}_N.exr". Steps that name a picture themselves
  /// keep it. An input that is another input's role picture is not filtered; a picture may play a
  /// role for itself.
  std::map<std::string, ImageRef> roles = {};
  /// This run makes every `shards`-th item of the plan, from number `shard` (1 to `shards`) on.
  /// Outputs of other shards must not change the plan: the output folder must not be searched for
  /// inputs, and `existing` must not be `rename`.
  int shard = 1, shards = 1;
  /// If a source was rewritten since an earlier run, its output is replaced whatever `existing`
  /// says. If another file has taken the source's path, the earlier output stays, and the new one
  /// gets another name.
  bool redo_changed = false;
  bool leave_out_clashing = false;  ///< instead of refusing the batch; see BatchPlan::clashes
};

/// What an earlier run recorded about a picture that it made.
struct EarlierWork {
  double seconds = 0;
  std::string device;
  std::vector<Message> warnings;
};

/// One picture to be made.
struct BatchItem {
  std::int64_t number = 0;  ///< its place in the whole plan, from 1, the same in every shard
  FoundInput source;
  FileStamp stamp;  ///< of the source's file
  std::filesystem::path target;
  bool replaces = false;                  ///< a file at `target` may be replaced
  std::map<std::string, ImageRef> roles;  ///< the pictures for the recipe's roles, by parameter
  std::string roles_stamp;  ///< changes when one of its role pictures, or the recipe's, does
  std::optional<EarlierWork> done_before = {};  ///< skipped because an earlier run made it
};

struct BatchPlan {
  std::vector<BatchItem> items;
  std::vector<BatchItem> skipped;  ///< their outputs exist, or an earlier run made them
  std::vector<Message> warnings;
  std::vector<BatchItem> for_roles;  ///< left out: they are other inputs' role pictures
  std::vector<Message> clashes;      ///< outputs left out, worded as in ClashError
  /// Of everything but the source that determines an output's bytes: recipe, options, roles.
  std::string recipe_hash;
  std::int64_t count = 0;   ///< of all inputs, including those of other shards
  std::string inputs_hash;  ///< of their order and names, as far as shards must agree on them
};

/// Outputs exist already, or would be made from two inputs.
class ClashError : public BatchError {
 public:
  ClashError(Message sentence, std::vector<Message> clashes)
      : BatchError(std::move(sentence)), clashes_(std::move(clashes)) {}
  /// One line each: the output, and why not.
  const std::vector<Message>& clashes() const { return clashes_; }

 private:
  std::vector<Message> clashes_;
};

/// What earlier runs recorded about an input; see Journal.
struct PriorResult {
  enum class State {
    unknown,
    started,  ///< and not ended
    failed,
    done
  };
  State state = State::unknown;
  std::filesystem::path target;
  bool ours = false;       ///< an earlier run made the file at `target`, or was to replace it
  bool changed = false;    ///< the source, or one of its role pictures, was different then
  bool same_file = false;  ///< if it changed: the source is the same file, rewritten
  EarlierWork work = {};   ///< if it is done
  bool taken = false;      ///< the item's target is the output of another input
};
using HistoryLookup =
    std::function<PriorResult(const BatchItem& item, const std::string& recipe_hash)>;

/// The pictures for an item's roles, by parameter. Throws BatchError for an invalid template.
std::map<std::string, ImageRef> roles_of(const BatchRequest& request, const BatchItem& item);

/// The recipe with an item's role pictures in the steps that name none.
Recipe with_roles(Recipe recipe, const std::map<std::string, ImageRef>& roles);

/// A plan of only those items for which `wanted` is true, for example those that failed or were
/// cancelled. It has no skipped items; its hashes and count are those of `plan`.
BatchPlan part_of(const BatchPlan& plan, const std::function<bool(const BatchItem&)>& wanted);

/// Finds the inputs and names the outputs. Changes nothing on the disk, except that a file is made
/// and removed to compare names that differ only in letter case. If the template has neither
/// {frame} nor {counter}, frames of a movie and pages get "_00001" and so on after the stem. With
/// `recall`, finished items are skipped as long as their outputs exist; started and failed ones are
/// tried again under their old names, where `existing` decides about files that no run made; and
/// counters skip names of other inputs. Any thread. Throws BatchError, ClashError, FileError for a
/// format that cannot be written, and ParameterError or RecipeError for what a filter refuses.
BatchPlan plan_batch(const BatchRequest& request, const HistoryLookup& recall = {});

}  // namespace sfumato
