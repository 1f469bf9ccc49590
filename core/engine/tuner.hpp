// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Finds the fastest sizes for a device, in seconds.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "device/tuning.hpp"

namespace sfumato {

struct TuneOptions {
  std::vector<std::string> filters;    ///< ids; empty: every filter that has sizes to choose
  std::filesystem::path cache_folder;  ///< for compiled programs; empty: none are kept
  std::optional<Form> form;            ///< instead of the device's own
  int width = 0, height = 0;           ///< of the test picture, in pixels; 0: chosen for the device
  /// Receives the progress, 0..1, and what is being timed; returns false to cancel. May be empty.
  std::function<bool(double part, const std::string& what)> progress;
};

/// One size before and after tuning, with the total milliseconds of its cases, both measured with
/// the choices already made for earlier sizes.
struct TunedSize {
  std::string filter, name, help;
  int before = 0, after = 0;
  double before_ms = 0, after_ms = 0;
  int refused = 0;  ///< choices that did not run or gave other pixels
  std::vector<std::pair<int, double>> timed = {};  ///< each choice that runs, and its milliseconds
};

struct TuneResult {
  std::string device;
  Form form = Form::gpu;
  int width = 0, height = 0;  ///< of the picture
  double seconds = 0;
  std::vector<TunedSize> sizes;
  Sizes values;  ///< of every size that was timed, for UserTuning::put
};

/// The ids of the filters with tunable sizes in this form.
std::vector<std::string> tunable_filters(Form form);

/// Times the choices of one size after another, starting from the shipped sizes, and keeps a choice
/// that is at least 3 % faster in two measurements. A choice whose pixels are not bit-identical to
/// those of the shipped sizes is rejected. Writes nothing. Throws DeviceError, Cancelled, or
/// ParameterError for an unknown filter.
TuneResult tune(const DeviceInfo& info, const TuneOptions& options);

}  // namespace sfumato
