// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A batch before it starts: every input with its output, and nothing that could be regretted.
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
#include "io/io.hpp"
#include "params/recipe.hpp"

namespace sfumato {

/// What becomes of outputs that are there already.
enum class Existing {
  refuse,     ///< the batch does not start, and lists them
  skip,       ///< their inputs are left out
  rename,     ///< the new file is called "name_2.ext", or the next free number
  overwrite,  ///< replaced, in one instant, when the new one is whole
};

struct BatchRequest {
  InputQuery inputs;
  /// Taken instead of `inputs` where there are any; items are numbered in their order.
  std::vector<FoundInput> found = {};
  Recipe recipe;
  std::string recipe_name;       ///< for {recipe}
  std::filesystem::path folder;  ///< of outputs, journal and report; made when the batch starts
  NameTemplate name{default_name_template};
  /// The outputs' format, by its extension without the dot; empty: the source's own where it can be
  /// written, TIFF for raw files and others, PNG for a movie's frames.
  std::string extension = {};
  WriteOptions write = {};  ///< `overwrite`, `input_path` and `cancelled` do not count
  /// Skipping and renaming keep what an earlier run made of a source that has changed, too.
  Existing existing = Existing::refuse;
  /// By image parameter: a reference whose path is a name template with the source's own {folder},
  /// as "{folder}/{stem}_N.exr". Steps that name a picture themselves keep it. Another input's role
  /// picture is no input itself; its own it may be.
  std::map<std::string, ImageRef> roles = {};
  /// Of every `shards` inputs in the plan's order, the one numbered `shard`, from 1. What is there
  /// must not change the order or the names while other shards run: outputs want a folder that is
  /// searched for no inputs, and are not renamed.
  int shard = 1, shards = 1;
  /// What was made of a source that was rewritten is replaced always; where another file has
  /// come to lie at its path, what was made of the first stays, and the new output gets another
  /// name.
  bool redo_changed = false;
  bool leave_out_clashing = false;  ///< instead of refusing the whole; see BatchPlan::clashes
};

/// What an earlier run says of a picture that it made.
struct EarlierWork {
  double seconds = 0;
  std::string device;
  std::vector<Message> warnings;
};

/// One picture to be made.
struct BatchItem {
  std::int64_t number = 0;  ///< its place in the whole plan, from 1, the same in every shard
  FoundInput source;
  std::uintmax_t size = 0;  ///< of the source's file, in bytes
  std::int64_t time = 0;    ///< when that was last changed, in nanoseconds since 1970
  std::filesystem::path target;
  bool replaces = false;                  ///< a file at `target` may be replaced
  std::map<std::string, ImageRef> roles;  ///< the pictures for the recipe's roles, by parameter
  std::string roles_stamp;  ///< changes when a file of its or the recipe's roles is rewritten
  std::optional<EarlierWork> done_before = {};  ///< skipped because an earlier run made it
};

struct BatchPlan {
  std::vector<BatchItem> items;
  std::vector<BatchItem> skipped;  ///< their outputs are there; or, resumed, they are done
  std::vector<Message> warnings;
  std::vector<BatchItem> for_roles;  ///< left out: they are other inputs' role pictures
  std::vector<Message> clashes;      ///< what was left out, as ClashError says it
  /// Of all that decides an output's pixels and bytes but its source: recipe, options, roles.
  std::string recipe_hash;
  std::int64_t count = 0;   ///< of all inputs, those of other shards too
  std::string inputs_hash;  ///< of their order and names, as far as shards must agree on them
};

/// Outputs that are there already, or that two inputs would have in common.
class ClashError : public BatchError {
 public:
  ClashError(Message sentence, std::vector<Message> clashes)
      : BatchError(std::move(sentence)), clashes_(std::move(clashes)) {}
  /// One line each: the output, and why not.
  const std::vector<Message>& clashes() const { return clashes_; }

 private:
  std::vector<Message> clashes_;
};

/// What earlier runs say of an input; see Journal.
struct Earlier {
  enum class State {
    unknown,
    begun,  ///< and not ended
    failed,
    done
  };
  State state = State::unknown;
  std::filesystem::path target;
  bool ours = false;     ///< what lies at `target` may be replaced: an earlier run made or found it
  bool changed = false;  ///< the source at this path, or a picture of its roles, was another one
  bool same_file = false;  ///< where it changed: the source is the same file, rewritten
  EarlierWork work = {};   ///< where it is done
  bool taken = false;      ///< the name that was asked about is another input's
};
using Recall = std::function<Earlier(const BatchItem& item, const std::string& recipe_hash)>;

/// The pictures for an item's roles, by parameter. Throws BatchError for a pattern that is none.
std::map<std::string, ImageRef> roles_of(const BatchRequest& request, const BatchItem& item);

/// The recipe with an item's pictures, where its steps name none.
Recipe with_roles(Recipe recipe, const std::map<std::string, ImageRef>& roles);

/// The items of a plan for which `wanted` is true, to be run by themselves: those that failed, or
/// were given up. Nothing else of the plan changes; it has no skipped items.
BatchPlan part_of(const BatchPlan& plan, const std::function<bool(const BatchItem&)>& wanted);

/// Finds the inputs and names the outputs; changes nothing on the disk, but for a file that comes
/// and goes where names differ by letter case alone. Frames of a movie whose names would be one get
/// "_00001" and so on behind the stem. With `recall`, what was done is skipped as long as its
/// output is there; what was started or failed is tried again under its old name, where `existing`
/// decides about a file that is not ours; and counters pass over names that are others'. Any
/// thread. Throws BatchError, ClashError, FileError (no such format, a folder that is a file), and
/// ParameterError or RecipeError for what a filter refuses.
BatchPlan plan_batch(const BatchRequest& request, const Recall& recall = {});

}  // namespace sfumato
