// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What the benchmark measures, and how a measurement is kept.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gpu/passes.hpp"

namespace sfumato::bench {

/// One line of the table: a filter on a resident picture, no transfers and no conversions.
struct Case {
  std::string filter;
  std::vector<std::pair<std::string, std::string>> values;
  std::string kind;  ///< "f32x4", "f32x3" (four inside, opaque), "f32x1", "u8x4",
                     ///< "u8x3" (packed), "u8x1"
  std::string peer;  ///< what the peer runs: "gaussian", "bilateral", "median", "canny" or nothing

  std::string label() const;
  double number(const std::string& name, double otherwise) const;
};

struct Result {
  double milliseconds = 0;  ///< median
  std::string method;       ///< as the filter explains it
  std::optional<double> peer_ms;
};

/// Median milliseconds of `run`, warmed up once; repeated until `seconds` or `most` runs.
double median_ms(const std::function<void()>& run, double seconds = 1.0, int most = 25);

/// A device with one picture resident on it.
class DeviceBench {
 public:
  DeviceBench(const DeviceInfo& info, int width, int height);
  ~DeviceBench();

  const DeviceInfo& info() const;
  /// The best of several copy kernels over the RGBA float picture.
  double copy_ms();
  Result measure(const Case& c);
  /// Fourier transforms of four channels there and back, and nothing else.
  double transforms_ms();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The name and version of the peer, or empty where none was found at configure time.
std::string peer_name();
/// The peer's time for a case on a picture of this size; nullopt where it has no such filter.
std::optional<double> peer_ms(const Case& c, int width, int height);

}  // namespace sfumato::bench
