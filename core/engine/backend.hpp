// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The two ways to compute a tile: an OpenCL device, or the scalar references.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "engine/plan.hpp"
#include "image/transfer.hpp"

namespace sfumato {

/// Pixels held by a backend: a float image between steps, or loaded samples.
class BackendImage {
 public:
  virtual ~BackendImage() = default;
  Plane plane;
  int channels = 4;
};
using BackendImagePtr = std::shared_ptr<BackendImage>;

/// Fills rows of stored pixels at `to`.
using FillRows = std::function<void(void* to, std::ptrdiff_t row_stride)>;
using BoundRoles = std::map<std::string, BackendImagePtr, std::less<>>;

/// Computes tiles, one at a time. All functions may throw DeviceError or Cancelled.
class Backend {
 public:
  virtual ~Backend() = default;

  virtual std::string name() const = 0;
  virtual Target target() const = 0;
  /// Bytes that a tile may take, unless it has large halos.
  virtual double tile_limit() const = 0;
  virtual void set_tile_limit(double bytes) = 0;
  /// Bytes that a picture which cannot be tiled may take, or a tile with large halos.
  virtual double whole_limit() const = 0;

  /// Called often with the finished part (0..1) of the current step; false cancels.
  std::function<bool(double)> tick;
  /// Receives the filters' warnings.
  std::function<void(const Message&)> warn;

  /// Takes in stored pixels of `region`.
  virtual BackendImagePtr take_samples(const Rect& region, const PictureFormat& format,
                                       const FillRows& fill) = 0;
  /// Converts stored pixels to a float image in `state`.
  virtual BackendImagePtr load(const BackendImagePtr& samples, const PictureFormat& format,
                               const PixelState& state, int channels) = 0;
  /// Converts a float image from one state to another.
  virtual BackendImagePtr convert(const BackendImagePtr& image, const PixelState& from,
                                  const PixelState& to) = 0;
  /// Runs one step of the plan and returns the pixels of `out`.
  virtual BackendImagePtr run(const Plan& plan, const PlannedStep& step,
                              const BackendImagePtr& input, const Edge& edge, const Rect& out,
                              const BoundRoles& roles) = 0;
  /// original + (result - original) * amount * mask, on premultiplied values. `mask` may be null.
  virtual BackendImagePtr blend(const BackendImagePtr& original, const BackendImagePtr& result,
                                const BackendImagePtr& mask, float amount, AlphaKind alpha) = 0;
  /// Converts a float image to stored pixels of `region` and passes them to `take`. `samples` (or
  /// null) is the loaded input, for colour under transparency.
  virtual void store(const BackendImagePtr& image, const PixelState& state, const Rect& region,
                     const PictureFormat& format, const BackendImagePtr& samples,
                     const PictureFormat& samples_format, bool dither,
                     const std::function<void(const HostView&)>& take) = 0;
};

/// What planning needs to know of a device before it is opened; without `tuning` its sizes are the
/// defaults.
Target target_of(const DeviceInfo& info, Form form, std::shared_ptr<const Tuning> tuning = nullptr);

/// Rough speed of one core on the references' vectorisable operations (Needs::reference_work), per
/// second. Filters count slower operations several times.
constexpr double reference_speed = 1.2e9;

/// A picture that cannot be tiled may take `limit` bytes, a tile `tile`.
std::unique_ptr<Backend> make_reference_backend(double limit, double tile);
/// Both alike.
inline std::unique_ptr<Backend> make_reference_backend(double limit) {
  return make_reference_backend(limit, limit);
}
/// Limits on the use of a device's memory, in bytes.
struct MemoryLimits {
  std::size_t all = 0;  ///< by everything together, including rounding of buffer sizes
  double tile = 0;      ///< by a tile
  double whole = 0;     ///< by a picture that cannot be tiled
};

/// `target` is target_of(info, ...). `before_launch` (may be empty) receives the number of each
/// launch and may throw. Throws DeviceError if the device cannot be opened.
std::unique_ptr<Backend> make_device_backend(const DeviceInfo& info, const Target& target,
                                             const MemoryLimits& limits,
                                             const std::filesystem::path& cache_folder,
                                             std::function<void(std::int64_t)> before_launch);

}  // namespace sfumato
