// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What the benchmark measures, and how a measurement is kept.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "device/passes.hpp"
#include "device/tuning.hpp"

namespace sfumato::bench {

/// One line of the table: a filter on a resident picture, no transfers and no conversions.
struct Case {
  std::string filter;
  std::vector<std::pair<std::string, std::string>> values;
  std::string kind;  ///< "f32x4", "f32x3" (four inside, opaque), "f32x1", "u8x4",
                     ///< "u8x3" (packed), "u8x1"
  std::string peer;  ///< what the peer runs: "gaussian", "bilateral", "median", "canny" or nothing

  Sizes sizes = {};  ///< instead of those that the device's tables say; empty: these

  std::string label() const;
  double number(const std::string& name, double otherwise) const;
};

struct Result {
  double milliseconds = 0;  ///< median
  std::string method;       ///< as the filter explains it
  std::optional<double> peer_ms;
};

/// How long a measurement may go on.
struct Patience {
  double seconds = 1.0;  ///< in all; three runs are made nevertheless
  int most = 25;         ///< runs
  double enough_ms = 0;  ///< two runs that took longer are enough; 0: no time is
  bool least = false;    ///< the least time instead of the median: others use the machine
};

/// Median (or least) milliseconds of `run`, warmed up once.
double median_ms(const std::function<void()>& run, const Patience& patience = {});

/// A matrix of rank 2 as text: a cosine's bump, and a spot beside its middle.
std::string product_and_spot(int side);

/// A device with one picture resident on it.
class DeviceBench {
 public:
  DeviceBench(const DeviceInfo& info, int width, int height);
  ~DeviceBench();

  const DeviceInfo& info() const;
  Form form() const;
  /// Where the sizes come from that cases without their own run with.
  TuningOrigin sizes_from() const;
  /// The best of several copy kernels over the RGBA float picture.
  double copy_ms();
  /// Throws ParameterError for values that the filter refuses.
  Result measure(const Case& c, const Patience& patience = {});
  /// Fourier transforms of four channels there and back, and nothing else.
  double transforms_ms();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Measures and draws what plots.cpp lists, as SVG files in `folder`, made where it is missing.
void draw_plots(DeviceBench& bench, const std::filesystem::path& folder, int width, int height);

/// The name and version of the peer, or empty where none was found at configure time.
std::string peer_name();
/// The peer's time for a case on a picture of this size; nullopt where it has no such filter.
std::optional<double> peer_ms(const Case& c, int width, int height);

}  // namespace sfumato::bench
