// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The options of `sfumato batch` besides those of every rendering command.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

#include "batch/plan.hpp"
#include "commands.hpp"
#include "options.hpp"

namespace sfumato::cli {

struct BatchArguments {
  std::filesystem::path output;  ///< empty if none was given
  std::string name{default_name_template};
  std::string format;
  Existing existing = Existing::refuse;
  bool recursive = false, resume = false, dry_run = false, quiet = false, json_lines = false;
  bool pages = false;  ///< each page or frame becomes an input
  std::string join;    ///< the extension of files that take all frames; empty: none
  int jobs = 0;
  std::size_t memory = 0;  ///< bytes of main memory; 0: half of usable_memory()
  int shard = 1, shards = 1;
  std::optional<std::filesystem::path> watch, report;
  std::optional<std::string> files_from;  ///< a file of names, or "-"
};

const std::vector<OptionHelp>& batch_option_help();

/// Takes these options out of the arguments, keeping the order of the rest. Throws UsageError.
BatchArguments take_batch_options(Arguments& arguments);

/// The error of a folder that cannot even be looked at.
FileError unusable(const std::filesystem::path& folder, const std::error_code& why);

/// Names, one per line or each followed by a zero byte; "-" is standard input.
std::vector<std::string> read_file_list(const std::string& from);

}  // namespace sfumato::cli
