// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Finding the sizes that are fastest on a device, in seconds.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "device/tuning.hpp"

namespace sfumato {

struct TuneOptions {
  std::vector<std::string> filters;    ///< ids; empty: every filter that has sizes to choose
  std::filesystem::path cache_folder;  ///< for compiled programs; empty: none are kept
  std::optional<Form> form;            ///< instead of the device's own
  int width = 0, height = 0;           ///< of the picture that is filtered, px; 0: by the device
  /// Told how far it is, 0..1, and what is timed; returns false to cancel. May be empty.
  std::function<bool(double part, const std::string& what)> progress;
};

/// One size before and after, with the milliseconds of all its cases together, either measured
/// with the choices already made for the sizes before it.
struct TunedSize {
  std::string filter, name, help;
  int before = 0, after = 0;
  double before_ms = 0, after_ms = 0;
  int refused = 0;  ///< choices that did not run, or gave other pixels
};

struct TuneResult {
  std::string device;
  Form form = Form::gpu;
  int width = 0, height = 0;  ///< of the picture
  double seconds = 0;
  std::vector<TunedSize> sizes;
  Sizes values;  ///< of every size that was timed, for UserTuning::put
};

/// The ids of the filters that have sizes to choose in this form.
std::vector<std::string> tunable_filters(Form form);

/// Times the choices of one size after the other, from the shipped sizes on, and keeps what is
/// faster by 3 % or more, twice. A choice whose pixels are not those of the shipped sizes, to the
/// bit, is refused. Writes nothing. Throws DeviceError, Cancelled, or ParameterError for a filter
/// that is unknown.
TuneResult tune(const DeviceInfo& info, const TuneOptions& options);

}  // namespace sfumato
