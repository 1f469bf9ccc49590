// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A recipe prepared for one picture and one device: methods chosen, rectangles derived.
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

/// One enabled step that has an effect.
struct PlannedStep {
  const RegisteredFilter* entry = nullptr;
  int index = 0;    ///< in the recipe, for messages
  Values values;    ///< complete
  Picture picture;  ///< as this step's filter sees it
  /// The survey that the filter needs before it can choose its method; nullopt if it needs none or
  /// has it.
  std::optional<SurveyRequest> request;
  std::shared_ptr<const PreparedFilter> prepared;
  Needs needs;       ///< of `prepared`
  PixelState taken;  ///< of the filter's input
  PixelState state;  ///< of the filter's output: the same, unless its input is data
  bool gives_data = false;
  Border border = Border::clamp;
  double mix = 1;
  bool masked = false;

  const Filter& filter() const { return *entry->filter; }
  /// Whether part of the original shows through.
  bool blends() const { return masked || mix != 1.0; }
  /// The method; empty if there is nothing to say about it.
  Message method() const;
  /// How the step is computed, in one line: the filter's name and its method.
  Message explained() const;
};

/// The most device memory that is taken for each byte of Plan::tile_bytes(), since sizes of buffers
/// are rounded up.
inline constexpr double bytes_per_stated_byte = 1.5;

/// Everything decided once per picture, before any pixel is read, and valid for every tile.
struct Plan {
  std::vector<PlannedStep> steps;
  Picture picture;
  PictureFormat input, output;
  Target target;
  int channels = 4;  ///< of the float images between steps
  /// Tiles would differ from the whole (a whole-image filter, or a wrapping border after another
  /// step), so there is only one tile.
  bool whole = false;
  /// The first step's border wraps and tiles are allowed. Windows reach beyond the picture, so the
  /// source is not read from top to bottom.
  bool wraps = false;
  /// The first step that still needs a survey of its input; null if all is decided.
  const PlannedStep* survey() const;
  /// A single step whose kernels read and write the stored 8-bit samples themselves.
  bool on_samples() const { return picture.samples != StoredSamples::none; }

  /// The windows needed to compute `out`: entry i is the input of step i, the last is `out` itself.
  /// Clipped to the picture unless the plan wraps.
  std::vector<Rect> windows(const Rect& out) const;
  /// Device memory for a tile of this size, in bytes, as a rough upper bound.
  double tile_bytes(int width, int height) const;
  /// States of the stored pixels at either end.
  PixelState input_state() const { return {input.coding, input.alpha}; }
  PixelState output_state() const { return {output.coding, output.alpha}; }
};

/// Formats of the roles that are not aligned (kernels), by step, as far as they are known.
using KernelFormats = std::map<int, PictureFormat>;
/// Results of surveys, by step.
using SurveyResults = std::map<int, std::shared_ptr<const SurveyResult>>;

/// What a plan may depend on besides recipe, formats and device.
struct PlanOptions {
  /// Rules out working on stored samples, which have no fractions to dither.
  bool dither = false;
  KernelFormats kernels = {};
  SurveyResults surveyed = {};
  /// Cache of prepared filters; null: prepares all of them again.
  PreparedFilters* prepared = nullptr;
};

/// Makes the plan, leaving out neutral and disabled steps. Throws ParameterError for values that
/// are not allowed.
Plan make_plan(const Recipe& recipe, const PictureFormat& input, const PictureFormat& output,
               const Target& target, const PlanOptions& options = {});

/// The plan from `make` for `target`. If that plan needs the whole picture in more than `limit`
/// bytes, the plan without methods that need the whole picture, provided that helps.
Plan plan_within(double limit, Target target, const std::function<Plan(const Target&)>& make);

/// Whether a gray picture becomes coloured, which requires an output of three or four channels.
bool makes_colour(const Recipe& recipe);

/// The recipe of a layer that a file gets beside the recipe's result.
struct RecipeLayer {
  std::string name;
  Recipe recipe;
};

/// That of the recipe's last step; nullopt if it has none.
std::optional<RecipeLayer> layer_of(const Recipe& recipe);

/// Whether its last step works on numbers as the file holds them.
bool works_on_stored(const Recipe& recipe);

/// Cuts `region` into tiles that need less than `limit` bytes of device memory, in row-major order.
/// Tiles are as wide as the region unless narrower ones waste clearly less on halos. `forced` (if
/// not 0) is the tile's side, for tests. `across` limits the bytes of main memory that rows of the
/// region's width take while tiles are read and written, as far as tiles of 16 rows allow; 0: no
/// limit. `streamed` makes smaller ones, of some MiB, if their halos stay small beside them. Throws
/// DeviceError (memory) if nothing fits.
std::vector<Rect> make_tiles(const Plan& plan, const Rect& region, double limit, int forced,
                             double across = 0, bool streamed = false);

/// The limit for make_tiles(), at least `limit` and at most `most`, with which tiles load at most
/// three times as many pixels as they compute, or few. With `most` below `limit` it is `limit`.
double limit_beside_halos(const Plan& plan, const Rect& region, double limit, double most,
                          double across = 0, bool streamed = false);

/// Those bytes for tiles of `rows` rows: a window of the input, and a band of the output.
double bytes_across(const Plan& plan, int width, int rows);

}  // namespace sfumato
