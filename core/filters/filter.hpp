// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The filter contract: what core/filters/<id>/<id>.cpp with its cl/<id>/<id>.cl promises.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/passes.hpp"
#include "device/tuning.hpp"
#include "image/format.hpp"
#include "image/parallel_rows.hpp"
#include "params/parameter_set.hpp"
#include "params/recipe.hpp"
#include "text/message.hpp"

namespace sfumato {

/// How true a zoomed-out preview of the filter is.
enum class PreviewClass {
  exact,            ///< parameters scaled by their zoom law give the reduced result exactly
  approximate,      ///< close; a badge says so, and the view is refined
  full_scale_only,  ///< only true at 1:1
};

/// How a filter wants colour to stand to opacity.
enum class AlphaPreference { premultiplied, straight };

/// What becomes of samples that are not finite numbers.
enum class NonFinite {
  propagates,      ///< a result whose window holds one may be none either
  left_out,        ///< they weigh nothing: the results are those of the others
  becomes_number,  ///< a result may be a number nevertheless, as a lookup's is
};

/// What the engine does with the samples of a role (an extra input picture).
struct RoleInfo {
  std::string parameter;  ///< the image parameter that binds it, such as "normal"
  int channels = 1;       ///< 1, or 4 (x, y, z, unused)
  /// True for data (normals, depth): numbers as stored. False: brought to the filter's light.
  bool data = true;
  /// True where numbers lie in -1..1 (normals): integers, which cannot hold them, stand for n as
  /// (n + 1) / 2, as normal maps are written.
  bool is_signed = false;
  bool required = false;
};

/// Roles whose pictures are not laid over the input: of any size, and handed whole to every tile.
inline bool stands_alone(std::string_view role) {
  return role == "kernel";
}

/// What a filter is: constant for the life of the program.
struct FilterInfo {
  std::string id, label, category;
  std::string summary;  ///< one sentence
  /// A few, for `sfumato help`. Where it does not say what becomes of samples that are not finite
  /// numbers, `non_finite` does: where they propagate, every result whose window (a point filter's
  /// pixel) holds none is as without them, and what needs the whole picture reads them as 0.
  std::string description;
  /// What is computed, in lines of plain UTF-8 for help and manual pages; I is the input, `sigma`
  /// and other words are parameters. Never empty in a filter of ours.
  std::string formula = {};
  std::string source;  ///< where it comes from, in the literature
  int version = 1;     ///< grows when equal values give other pixels
  ParameterSet parameters;
  /// The choice of `method` that others approximate; empty: each computes something of its own.
  std::string exact_method = {};
  std::vector<RoleInfo> roles = {};
  Light light = Light::display;  ///< default of the parameter `light`
  AlphaPreference alpha = AlphaPreference::straight;
  PreviewClass preview = PreviewClass::approximate;
  NonFinite non_finite = NonFinite::propagates;
  /// Sizes that the tuner may choose.
  std::vector<Tunable> tunables = {};

  /// The role that an image parameter binds; null where it binds none of the filter's own, as a
  /// mask does.
  const RoleInfo* role(std::string_view parameter) const;
};

/// Whether a filter is handed the 8-bit samples of an opaque picture, which it reads and writes
/// itself instead of float images: as the numbers they are, or sRGB-coded, to be filtered as light.
enum class StoredSamples { none, plain, srgb };

/// What a filter learned from a survey of a picture; each filter that surveys derives its own.
struct SurveyResult {
  virtual ~SurveyResult() = default;
};

/// The picture as a filter is prepared for it: known before any pixel is read.
struct Picture {
  int width = 0, height = 0;
  int channels = 4;  ///< of the float images inside: 1 (gray) or 4
  bool has_alpha = false;
  StoredSamples samples = StoredSamples::none;
  bool samples_packed3 = false;  ///< the samples are RGB without padding (four channels inside)
  /// Of the role that stands alone; 0 where it is not known, and may be as large as the picture.
  int kernel_width = 0, kernel_height = 0;
  /// What the filter learned from a survey of this picture; null where none was made.
  std::shared_ptr<const SurveyResult> surveyed;

  Rect rect() const { return {0, 0, width, height}; }
  bool operator==(const Picture&) const = default;
};

/// What a filter wants to see of a picture's pixels before it decides how to work: samples on a
/// grid over the whole picture, and windows with every `step`-th pixel each way, as float pixels of
/// the step's state. The samples depend on the picture alone, never on tiles or devices.
struct SurveyRequest {
  int grid = 4096;  ///< samples of the grid, at most
  struct Windows {
    int count = 0;  ///< windows, at most, spread evenly over the picture
    int reach = 0;  ///< samples on every side of the middle one
    int step = 1;   ///< pixels from one sample to the next
  };
  std::vector<Windows> windows;  ///< by kind
};

/// What was seen: pixels of `channels` floats each, one after the other.
struct Survey {
  int channels = 4;
  bool has_alpha = false;
  std::vector<float> grid;
  /// By kind, as wished for: the windows of that kind, each (2 reach + 1)^2 pixels, row by row.
  /// Samples outside the picture are those of its edge.
  std::vector<std::vector<std::vector<float>>> windows;
  /// To be called many times a second while learning; throws Cancelled. May be empty.
  std::function<void()> tick = {};
};

/// What a filter may know of the device it is prepared for; `reference` is true where the scalar
/// code will run.
struct Target {
  bool reference = false;
  Form form = Form::cpu;
  bool images = false;
  std::size_t local_memory = 0;
  std::size_t global_memory = 0;
  std::size_t max_group = 256;
  unsigned compute_units = 1;
  /// A way that takes the whole picture at once is not to be chosen where there is another one.
  bool in_tiles = false;
  std::string device;
  /// The device's sizes, chosen once per session; null: the defaults.
  std::shared_ptr<const Tuning> tuning;

  /// One of the sizes that the filter `owner` declares as `tunables`: whoever launches its kernels
  /// takes them from here, in planning and in running alike.
  int tuned(std::string_view owner, const std::vector<Tunable>& tunables,
            std::string_view name) const {
    const Tunable& tunable = find_tunable(tunables, name);
    return tuning ? tuning->at(owner, tunable, form) : tunable.otherwise(form);
  }
  bool operator==(const Target&) const = default;
};

/// What one tile needs. Declared once; the engine derives every rectangle from it.
struct Needs {
  int halo_x = 0, halo_y = 0;  ///< input pixels beyond the output tile, each side
  bool whole_image = false;    ///< no tiles: the picture in one piece
  /// Device memory beside input and output, in bytes per pixel of the input window, and in all.
  double scratch_per_pixel = 0;
  std::size_t scratch = 0;
  /// Arithmetic per output pixel of the scalar reference, for its "this will take" message.
  double reference_work = 10;
};

/// One tile for the device. Every pixel of `output.plane` is to be computed; `input.plane` holds
/// every pixel that the border rule of `edge` can ask for.
struct TileJob {
  DeviceImage input;
  Edge edge;
  DeviceImage output;
  /// Bound roles; windows as the input's, unless they stand alone.
  std::map<std::string, DeviceImage, std::less<>> roles;
};

/// The same tile for the scalar reference.
struct ReferenceJob {
  FloatView input;
  Edge edge;
  FloatView output;
  std::map<std::string, FloatView, std::less<>> roles;
  ParallelRows&
      rows;  ///< runs the rows of the tile, on all processors, with progress and cancelling
};

/// A filter made ready for its values, one picture and one device. It owns what is chosen and
/// computed for the picture as a whole (method, weights, radii, plans), so that no tile decides
/// differently and none computes it again; the engine keeps it for later renders that are equal in
/// all of these. It holds nothing of a device, and any number of threads may use it at a time.
class PreparedFilter {
 public:
  PreparedFilter() = default;
  virtual ~PreparedFilter() = default;
  PreparedFilter(const PreparedFilter&) = delete;
  PreparedFilter& operator=(const PreparedFilter&) = delete;

  /// What a tile needs.
  virtual Needs needs() const = 0;

  /// Launches the passes that compute one tile; of a filter that was prepared for a device. Throws
  /// DeviceError or Cancelled.
  virtual void run(const TileJob& job, Passes& passes) const = 0;

  /// Computes one tile in scalar C++: the definition of the filter, and the last resort; of a
  /// filter that was prepared for the reference. Throws Cancelled.
  virtual void reference(const ReferenceJob& job) const = 0;

  /// One line about how the picture is computed, for --verbose; empty: nothing to say.
  virtual std::string explain() const { return {}; }
};
using PreparedPtr = std::unique_ptr<const PreparedFilter>;

/// A filter. Objects hold no state: any number of sessions use one at a time.
class Filter {
 public:
  virtual ~Filter() = default;

  virtual const FilterInfo& info() const = 0;

  /// What no single parameter's range can say. Throws ParameterError with one sentence.
  virtual void check(const Values&) const {}

  /// True where the values change nothing; the engine then leaves the pixels alone, to the bit.
  virtual bool neutral(const Values&) const { return false; }

  /// True where the result is data (flags, magnitudes), written as it is, not a picture in a light.
  virtual bool gives_data(const Values&) const { return false; }

  /// True where the input is data: as the first step the filter is given the file's numbers as they
  /// are, and its result is a picture in its light.
  virtual bool takes_data(const Values&) const { return false; }

  /// True where a gray picture gets colours; it has four channels inside then.
  virtual bool makes_colour(const Values&) const { return false; }

  /// True where `run` can read and write such samples itself.
  virtual bool takes_samples(const Values&, StoredSamples, const Target&) const { return false; }

  /// How far a device may be from the reference, relative to max(1, largest input): the written
  /// tolerance for linear filters, unless an approximate method states its own bound.
  virtual double tolerance(const Values&) const { return 2e-5; }

  /// How far tiles may be from the whole: 0 wherever the method allows it.
  virtual double tiling_tolerance(const Values&) const { return 0; }

  /// What must be seen of the picture before the filter can be prepared for good; nullopt: nothing.
  /// For a later step of a recipe the steps before it are run once more, to see what it will be
  /// given.
  virtual std::optional<SurveyRequest> survey(const Values&, const Picture&, const Target&) const {
    return std::nullopt;
  }

  /// Learns from the survey that survey() asked for, once for the picture: what it returns is in
  /// Picture::knowledge from then on, for this device and every one that may have to take over.
  virtual std::shared_ptr<const SurveyResult> evaluate(const Values&, const Picture&,
                                                       const Survey&) const {
    return nullptr;
  }

  /// Decides, once for the picture and device, what "auto" and 0 stand for, and how it is computed.
  /// Values are complete and checked. Where a survey is wished for but was not made yet, what holds
  /// for most pictures is decided.
  virtual PreparedPtr prepare(const Values& values, const Picture& picture,
                              const Target& target) const = 0;

  /// Rewrites values of version `from` as `from` + 1 understands them; empty: nothing changed.
  virtual Migration migration(int from) const {
    static_cast<void>(from);
    return {};
  }
};

/// A filter that is prepared by the constructor Prepared(values, picture, target).
template <typename Prepared>
class FilterOf : public Filter {
 public:
  PreparedPtr prepare(const Values& values, const Picture& picture,
                      const Target& target) const override {
    return std::make_unique<Prepared>(values, picture, target);
  }
};

/// A filter's own parameters followed by those that every filter has: border (unless it is among
/// its own), light (with the filter's default), mask, mix. Point filters ask for no pixel outside
/// the picture: `border` false.
ParameterSet with_common(std::string id, std::vector<Parameter> own, Light light, bool border);

/// Throws ParameterError: the filter does not take this value of `parameter`, and why.
[[noreturn]] void refuse(const FilterInfo& info, std::string_view parameter, Message why);

/// A parameter of the filter for a message: its name, and in windows its label.
MessageValue named(const FilterInfo& info, std::string_view parameter);
/// A choice of it likewise.
MessageValue named(const FilterInfo& info, std::string_view parameter, std::string_view choice);
/// The filter itself.
MessageValue named(const FilterInfo& info);

/// The values of the common parameters.
Light light_of(const Values& values);
Border border_of(const Values& values);

/// Reads a float image under the border rule, in scalar code.
class Sampler {
 public:
  Sampler(const FloatView& image, const Edge& edge) : image_(image), edge_(edge) {}

  /// The pixel that stands for (x, y); nullptr where none does (borders zero, renormalise).
  const float* at(int x, int y) const {
    const int mx = border_index(x, edge_.x0, edge_.x1, edge_.border());
    const int my = border_index(y, edge_.y0, edge_.y1, edge_.border());
    return mx == nowhere || my == nowhere ? nullptr : image_.at(mx, my);
  }
  bool renormalises() const { return edge_.border() == Border::renormalise; }

 private:
  FloatView image_;
  Edge edge_;
};

}  // namespace sfumato
