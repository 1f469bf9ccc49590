// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Command-line options: those of every rendering command, and a filter's parameters.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "commands.hpp"
#include "filters/filter.hpp"
#include "image/resampling.hpp"
#include "params/parameter_set.hpp"

namespace sfumato::cli {

/// The options of every rendering command.
struct CommonOptions {
  std::string device;
  std::string bits;         ///< "", 8, 16, half or float
  std::string compression;  ///< as in WriteOptions
  bool overwrite = false;
  bool verbose = false;
  bool dither = false;
  bool strip_metadata = false;
  std::string profile;      ///< "", keep, srgb or strip
  int quality = 0;          ///< as in WriteOptions
  std::int64_t memory = 0;  ///< MB of device memory; 0: chosen
  unsigned threads = 0;     ///< that compute; 0: chosen
  std::int64_t max_pixels = 0;
  std::int64_t page = 0;             ///< the number of a page or frame, from 1; 0: not given
  std::optional<Resizing> resizing;  ///< of the result
  bool no_sandbox = false;           ///< ReadOptions::contained is false
};

/// The common options, for help and completion.
const std::vector<OptionHelp>& common_option_help();

struct Parsed {
  CommonOptions common;
  Values values;                   ///< each checked, but without defaults
  std::vector<std::string> given;  ///< names of the common options given: "--device"
  std::vector<std::string> positional;
};

/// Splits arguments into common options, parameters of `set` (may be null) and the rest. Throws
/// UsageError or ParameterError, suggesting the nearest option for an unknown one.
Parsed parse_arguments(const Arguments& arguments, const ParameterSet* set);

/// A parameter's option: `--range-sigma` for range_sigma.
std::string option_name(const std::string& parameter);

/// Refusals of an option's value.
Message not_whole(const std::string& option, const std::string& text, std::int64_t least,
                  std::int64_t most);
Message not_once(const std::string& option);

}  // namespace sfumato::cli
