// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A recipe made ready for one picture and one device: methods chosen, rectangles derived.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "filters/filter.hpp"
#include "filters/registry.hpp"
#include "image/transfer.hpp"
#include "params/recipe.hpp"

namespace sfumato {

class PreparedFilters;

/// One enabled step that changes something.
struct PlannedStep {
  const RegisteredFilter* entry = nullptr;
  int index = 0;    ///< in the recipe, for messages
  Values values;    ///< complete
  Picture picture;  ///< as this step's filter sees it
  /// What the filter must see before it can decide; nullopt: nothing, or it has seen it.
  std::optional<SurveyRequest> request;
  std::shared_ptr<const PreparedFilter> prepared;
  Needs needs;       ///< of `prepared`
  PixelState taken;  ///< what the filter is given
  PixelState state;  ///< what it gives back: the same, unless it takes the file's numbers as data
  bool gives_data = false;
  Border border = Border::clamp;
  double mix = 1;
  bool masked = false;

  const Filter& filter() const { return *entry->filter; }
  /// Whether something of the original stays.
  bool blends() const { return masked || mix != 1.0; }
  /// How it is computed, in one line: the filter's name, and what it says about its method.
  std::string explained() const;
};

/// What is decided once per picture, before any pixel is read, and holds for every tile.
struct Plan {
  std::vector<PlannedStep> steps;
  Picture picture;
  PictureFormat input, output;
  Target target;
  int channels = 4;  ///< of the float images between steps
  /// Tiles would give other pixels than the whole (a whole-image filter, or a wrapping border
  /// behind another step): one tile only.
  bool whole = false;
  /// The first step's border wraps and tiles are allowed: its windows reach over the picture's
  /// sides, so the source is not read from top to bottom.
  bool wraps = false;
  /// The first step that must see its picture before it can decide; null: all is decided.
  const PlannedStep* survey() const;
  /// One step whose kernels read and write the stored 8-bit samples themselves.
  bool on_samples() const { return picture.samples != StoredSamples::none; }

  /// The windows that computing `out` asks of each step, input of step 0 first: entry i is the
  /// input of step i, the last is `out` itself. Cut to the picture, unless the plan wraps.
  std::vector<Rect> windows(const Rect& out) const;
  /// Device memory for a tile of this size, in bytes, roughly from above.
  double tile_bytes(int width, int height) const;
  /// The state of stored pixels at either end.
  PixelState input_state() const { return {input.coding, input.alpha}; }
  PixelState output_state() const { return {output.coding, output.alpha}; }
};

/// Formats of the roles that stand alone, by step, as far as they are known.
using KernelFormats = std::map<int, PictureFormat>;
/// What filters learned from surveys, by step.
using SurveyResults = std::map<int, std::shared_ptr<const SurveyResult>>;

/// What a plan may know beside recipe, formats and device.
struct PlanOptions {
  /// Nothing is done on stored samples then, which have no fractions to spread.
  bool dither = false;
  KernelFormats kernels = {};
  SurveyResults surveyed = {};
  /// Where prepared filters are looked for and kept; null: all are prepared again.
  PreparedFilters* prepared = nullptr;
};

/// Makes the plan; neutral and switched-off steps are left out. Throws ParameterError for values
/// that are not allowed.
Plan make_plan(const Recipe& recipe, const PictureFormat& input, const PictureFormat& output,
               const Target& target, const PlanOptions& options = {});

/// What `make` makes for `target`; where that is a picture in one piece of more than `limit` bytes,
/// what it makes without the ways that want one piece, if that helps.
Plan plan_within(double limit, Target target, const std::function<Plan(const Target&)>& make);

/// Whether a gray picture comes out in colour: it wants an output of three or four channels.
bool makes_colour(const Recipe& recipe);

/// Cuts `region` into tiles whose device memory stays below `limit` bytes, row of tiles after row
/// of tiles; as wide as the region unless narrower ones waste clearly less on halos. `forced` (if
/// not 0) is the tile's side, for tests. Throws DeviceError (memory) if nothing fits.
std::vector<Rect> make_tiles(const Plan& plan, const Rect& region, double limit, int forced);

}  // namespace sfumato
