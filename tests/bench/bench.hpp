// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The cases and results of the benchmark.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "device/passes.hpp"
#include "device/tuning.hpp"

namespace sfumato::bench {

/// One row of the table: a filter on a resident picture, without transfers or conversions.
struct Case {
  std::string filter;
  std::vector<std::pair<std::string, std::string>> values;
  std::string kind;  ///< "f32x4", "f32x3" (four inside, opaque), "f32x1", "u8x4",
                     ///< "u8x3" (packed), "u8x1"
  std::string peer;  ///< the peer's filter: "gaussian", "bilateral", "median", "canny" or none

  Sizes sizes = {};  ///< replace the device's tuned sizes; empty: unchanged

  std::string label() const;
  double number(const std::string& name, double otherwise) const;
};

/// The filter has no form for such pixels: the engine converts them before and after.
class NoSuchForm : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Result {
  double milliseconds = 0;  ///< median
  std::string method;       ///< as explained by the filter
  std::optional<double> peer_ms;
};

/// Limits for the duration of a measurement.
struct Patience {
  double seconds = 1.0;  ///< in total; at least three runs
  int most = 25;         ///< runs
  double enough_ms = 0;  ///< two longer runs are enough; 0: no limit
  bool least = false;    ///< the minimum instead of the median, for a shared machine
};

/// Median (or minimum) milliseconds of `run`, after a warm-up.
double median_ms(const std::function<void()>& run, const Patience& patience = {});

/// A matrix of rank 2 as text: a cosine bump, plus a spot beside its centre.
std::string product_and_spot(int side);

/// A device with one picture resident on it.
class DeviceBench {
 public:
  DeviceBench(const DeviceInfo& info, int width, int height);
  ~DeviceBench();

  const DeviceInfo& info() const;
  Form form() const;
  /// The origin of the sizes used by cases without their own.
  TuningOrigin sizes_from() const;
  /// The fastest of several copy kernels on the RGBA float picture.
  double copy_ms();
  /// Throws ParameterError for values that the filter rejects, and NoSuchForm.
  Result measure(const Case& c, const Patience& patience = {});
  /// Forward and inverse Fourier transforms of four channels, and nothing else.
  double transforms_ms();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Measures and draws all plots, as SVG files in `folder`, which is created if missing.
void draw_plots(DeviceBench& bench, const std::filesystem::path& folder, int width, int height);

/// The name and version of the peer; empty if none was found at configure time.
std::string peer_name();
/// The peer's time for a case on a picture of this size; nullopt if it lacks the filter.
std::optional<double> peer_ms(const Case& c, int width, int height);

}  // namespace sfumato::bench
