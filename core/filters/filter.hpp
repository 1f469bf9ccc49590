// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The filter contract, fulfilled by core/filters/<id>/<id>.cpp with cl/<id>/<id>.cl.
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

/// How faithful a zoomed-out preview of the filter is.
enum class PreviewClass {
  exact,            ///< parameters scaled by their zoom law give the reduced result exactly
  approximate,      ///< close; the preview shows a badge and is refined
  full_scale_only,  ///< only true at 1:1
};

/// What windows plot of a filter's values, if they make it a convolution.
enum class Plot {
  none,      ///< it never is one
  kernel,    ///< its kernel, and on demand its response
  response,  ///< its response to each frequency, and on demand its kernel
};

/// The alpha form in which a filter takes colour.
enum class AlphaPreference { premultiplied, straight };

/// The effect of samples that are not finite numbers.
enum class NonFinite {
  propagates,      ///< a result may be non-finite if its window contains one
  left_out,        ///< they have no weight: results depend on the other samples only
  becomes_number,  ///< a result may still be a number, as after a lookup
};

/// How the engine prepares the samples of a role (an additional input picture).
struct RoleInfo {
  std::string parameter;  ///< the image parameter that binds the role, such as "normal"
  int channels = 1;       ///< 1, or 4 (x, y, z, unused)
  /// True for data (normals, depth), whose numbers stay as stored. False: converted to the filter's
  /// light.
  bool data = true;
  /// True for values in -1..1 (normals). Integers encode n as (n + 1) / 2, as normal maps do.
  bool is_signed = false;
  bool required = false;
  /// Laid over the input. False: a picture of any size, passed whole to every tile.
  bool aligned = true;
};

/// The constant description of a filter.
struct FilterInfo {
  std::string id, label, category;
  std::string summary;  ///< one sentence
  /// A few sentences for `sfumato help`. Unless it says otherwise, `non_finite` describes the
  /// effect of samples that are not finite numbers. If they propagate, every result whose window (a
  /// point filter's pixel) contains none is unaffected; a filter that needs the whole picture reads
  /// them as 0.
  std::string description;
  /// The computation, in lines of plain UTF-8 for help and manual pages; I is the input, `sigma`
  /// and other words are parameters. Never empty in the filters shipped.
  std::string formula = {};
  std::string source;  ///< the source in the literature
  int version = 1;     ///< grows when equal values give different pixels
  ParameterSet parameters;
  /// The choice of `method` that the others approximate; empty if each computes something
  /// different.
  std::string exact_method = {};
  std::vector<RoleInfo> roles = {};
  Light light = Light::display;  ///< default of the parameter `light`
  AlphaPreference alpha = AlphaPreference::straight;
  PreviewClass preview = PreviewClass::approximate;
  Plot plot = Plot::none;
  NonFinite non_finite = NonFinite::propagates;
  /// Sizes that the tuner may choose.
  std::vector<Tunable> tunables = {};

  /// The role that an image parameter binds; null where it binds none of the filter's own, as a
  /// mask does.
  const RoleInfo* role(std::string_view parameter) const;
  /// Whether the picture that an image parameter binds is laid over the input, as a mask is.
  bool is_aligned(std::string_view parameter) const;
};

/// Whether a filter receives the 8-bit samples of an opaque picture, which it reads and writes
/// itself in place of float images: as plain numbers, or sRGB-coded and filtered as light.
enum class StoredSamples { none, plain, srgb };

/// The result of a filter's survey of a picture; each filter with a survey derives its own type.
struct SurveyResult {
  virtual ~SurveyResult() = default;
};

/// The picture that a filter is prepared for, as known before any pixel is read.
struct Picture {
  int width = 0, height = 0;
  int channels = 4;  ///< of the float images inside: 1 (gray) or 4
  bool has_alpha = false;
  StoredSamples samples = StoredSamples::none;
  bool samples_packed3 = false;  ///< samples are RGB without padding (four channels inside)
  /// Size of the role that is not aligned; 0 if unknown, in which case it may be as large as the
  /// picture.
  int kernel_width = 0, kernel_height = 0;
  /// The result of this picture's survey; null if none was made.
  std::shared_ptr<const SurveyResult> surveyed;

  Rect rect() const { return {0, 0, width, height}; }
  bool operator==(const Picture&) const = default;
};

/// The samples that a filter needs to see before it chooses its method: a grid over the whole
/// picture, and windows of every `step`-th pixel in both directions, as float pixels in the step's
/// state. The positions depend on the picture's size alone, never on tiles or devices.
struct SurveyRequest {
  int grid = 4096;  ///< largest number of samples in the grid
  struct Windows {
    int count = 0;  ///< largest number of windows, spread evenly over the picture
    int reach = 0;  ///< samples on each side of the centre
    int step = 1;   ///< pixels between samples
  };
  std::vector<Windows> windows;  ///< by kind
};

/// The samples of a survey: pixels of `channels` floats, one after another.
struct Survey {
  int channels = 4;
  bool has_alpha = false;
  std::vector<float> grid;
  /// By kind, as requested: windows of (2 reach + 1)^2 pixels each, row by row. Samples outside the
  /// picture repeat its edge.
  std::vector<std::vector<std::vector<float>>> windows;
  /// To be called many times a second during evaluation; throws Cancelled. May be empty.
  std::function<void()> tick = {};
};

/// What a filter may know of the device it is prepared for. `reference` is true if the scalar code
/// will run.
struct Target {
  bool reference = false;
  Form form = Form::cpu;
  bool images = false;
  std::size_t local_memory = 0;
  std::size_t global_memory = 0;
  std::size_t max_group = 256;
  unsigned compute_units = 1;
  /// Avoid methods that need the whole picture at once if there is another.
  bool in_tiles = false;
  /// Kernels were compiled with the program: long ones cost no time before the first result.
  bool built_in = false;
  std::string device;
  /// The device's sizes, chosen once per session; null: the defaults.
  std::shared_ptr<const Tuning> tuning;

  /// One of the sizes that the filter `owner` declares as `tunables`. Everything that launches its
  /// kernels must look sizes up here, both in planning and in running.
  int tuned(std::string_view owner, const std::vector<Tunable>& tunables,
            std::string_view name) const {
    const Tunable& tunable = find_tunable(tunables, name);
    return tuning ? tuning->at(owner, tunable, form) : tunable.otherwise(form);
  }
  bool operator==(const Target&) const = default;
};

/// The requirements of a tile. Declared once; the engine derives every rectangle from them.
struct Needs {
  int halo_x = 0, halo_y = 0;  ///< input pixels beyond the output tile on each side
  bool whole_image = false;    ///< no tiles: the picture in one piece
  /// Device memory besides input and output: bytes per pixel of the input window, and a fixed
  /// amount.
  double scratch_per_pixel = 0;
  std::size_t scratch = 0;
  /// Scratch rows and columns are longer by the halo where the picture ends, too.
  bool scratch_past_edges = false;
  /// Operations of the scalar reference per output pixel, to estimate its duration.
  double reference_work = 10;
};

/// One tile for the device. The filter computes every pixel of `output.plane`; `input.plane` holds
/// every pixel that the border rule of `edge` may need.
struct TileJob {
  DeviceImage input;
  Edge edge;
  DeviceImage output;
  /// Bound roles, with the input's window if they are aligned.
  std::map<std::string, DeviceImage, std::less<>> roles;
};

/// The same tile for the scalar reference.
struct ReferenceJob {
  FloatView input;
  Edge edge;
  FloatView output;
  std::map<std::string, FloatView, std::less<>> roles;
  ParallelRows& rows;  ///< runs the tile's rows on all processors, with progress and cancelling
};

/// A filter prepared for its values, one picture and one device. It owns everything chosen and
/// computed for the whole picture (method, weights, radii, plans), so that tiles agree and nothing
/// is computed twice. The engine keeps it for later renders with the same values, picture and
/// device. It holds no device resources, and any number of threads may use it at once.
class PreparedFilter {
 public:
  PreparedFilter() = default;
  virtual ~PreparedFilter() = default;
  PreparedFilter(const PreparedFilter&) = delete;
  PreparedFilter& operator=(const PreparedFilter&) = delete;

  /// The requirements of a tile.
  virtual Needs needs() const = 0;

  /// Launches the passes that compute one tile; only if prepared for a device. Throws DeviceError
  /// or Cancelled.
  virtual void run(const TileJob& job, Passes& passes) const = 0;

  /// Computes one tile in scalar C++: the definition of the filter, and the last resort. Only if
  /// prepared for the reference. Throws Cancelled.
  virtual void reference(const ReferenceJob& job) const = 0;

  /// The method in a few words, for --verbose and windows; empty if there is nothing to say.
  virtual Message explain() const { return {}; }
};
using PreparedPtr = std::unique_ptr<const PreparedFilter>;

/// What a file can hold beside a filter's result: a layer of its own, made by other values.
struct ResultLayer {
  std::string name;
  Values values;
};

/// A filter. Stateless: any number of sessions may use one at once.
class Filter {
 public:
  virtual ~Filter() = default;

  virtual const FilterInfo& info() const = 0;

  /// Checks what the range of a single parameter cannot express. Throws ParameterError with one
  /// sentence.
  virtual void check(const Values&) const {}

  /// True if the values change nothing; the engine then leaves the pixels bit-identical.
  virtual bool neutral(const Values&) const { return false; }

  /// True if the result is data (flags, magnitudes), written as is, and not a picture in some
  /// light.
  virtual bool gives_data(const Values&) const { return false; }

  /// True if the input is data: as the first step, the filter receives the file's numbers
  /// unchanged, and its result is a picture in its light.
  virtual bool takes_data(const Values&) const { return false; }

  /// True if a gray picture becomes coloured; it has four channels inside then.
  virtual bool makes_colour(const Values&) const { return false; }

  /// The layer that a file gets beside the result; nullopt: none.
  virtual std::optional<ResultLayer> layer(const Values&) const { return std::nullopt; }

  /// True if run() can read and write such samples itself.
  virtual bool takes_samples(const Values&, StoredSamples, const Target&) const { return false; }

  /// Tolerance between a device and the reference, relative to max(1, largest input): that of
  /// linear filters, unless an approximate method states its own.
  virtual double tolerance(const Values&) const { return 2e-5; }

  /// Tolerance between tiles and the whole: 0 wherever the method allows it.
  virtual double tiling_tolerance(const Values&) const { return 0; }

  /// The survey needed before the filter can be prepared; nullopt: none. For a later step of a
  /// recipe, the steps before it are run an extra time to obtain its input.
  virtual std::optional<SurveyRequest> survey(const Values&, const Picture&, const Target&) const {
    return std::nullopt;
  }

  /// Evaluates the survey that survey() requested, once per picture. The result is in
  /// Picture::surveyed from then on, for this device and any that replaces it.
  virtual std::shared_ptr<const SurveyResult> evaluate(const Values&, const Picture&,
                                                       const Survey&) const {
    return nullptr;
  }

  /// Chooses, once for the picture and device, the meaning of "auto" and 0, and the method. Values
  /// are complete and checked. If a requested survey was not made yet, assumes what suits most
  /// pictures.
  virtual PreparedPtr prepare(const Values& values, const Picture& picture,
                              const Target& target) const = 0;

  /// Rewrites values of version `from` for version `from` + 1; empty if nothing changed.
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

/// A filter's own parameters followed by the common ones: border (unless among its own), light
/// (with the filter's default), mask, mix. Point filters need no pixel outside the picture:
/// `border` false.
ParameterSet with_common(std::string id, std::vector<Parameter> own, Light light, bool border);

/// Throws ParameterError: the filter does not accept this value of `parameter`, with the reason.
[[noreturn]] void refuse(const FilterInfo& info, std::string_view parameter, Message why);

/// A parameter of the filter for a message: its name, or its label in windows.
MessageValue named(const FilterInfo& info, std::string_view parameter);
/// The same for a choice.
MessageValue named(const FilterInfo& info, std::string_view parameter, std::string_view choice);
/// The same for the filter itself.
MessageValue named(const FilterInfo& info);

/// The values of the common parameters.
Light light_of(const Values& values);
Border border_of(const Values& values);

/// Reads a float image under the border rule, in scalar code.
class Sampler {
 public:
  Sampler(const FloatView& image, const Edge& edge) : image_(image), edge_(edge) {}

  /// The pixel that replaces (x, y); nullptr if there is none (borders zero, renormalise).
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
