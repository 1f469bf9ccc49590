// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What every rendering command makes of its options.
#pragma once

#include "engine/presets.hpp"
#include "engine/session.hpp"
#include "engine/start.hpp"
#include "io/io.hpp"
#include "options.hpp"

namespace sfumato::cli {

ReadOptions read_options(const CommonOptions& common);
WriteOptions write_options(const CommonOptions& common);
SessionOptions session_options(const CommonOptions& common);

/// Refuses what a recipe's filters refuse of their values, and role files that cannot be opened.
void check_recipe(const Recipe& recipe);
/// The latter alone.
void check_role_files(const Recipe& recipe);

/// What comes before the first look at OpenCL's devices, and before the first thread: says what
/// start_opencl() says, once. Where the caller `lists` devices, that is left to it where there is
/// no driver. Throws Cancelled after Ctrl-C.
const Start& start_devices(bool lists = false);

/// Starts devices where they are wanted. Throws UsageError for a device that is named and not
/// there.
void check_device(const CommonOptions& common);

/// The preset with this id; throws UsageError with the nearest one where there is none. `wanted`
/// says what would have been taken: "preset"; `others` is what else may have been meant.
const Preset& preset_at(const Presets& presets, const std::string& id, const std::string& wanted,
                        const std::vector<std::string>& others = {});

/// Says which of the given values have no effect beside the others.
void warn_of_idle_values(const FilterInfo& info, const Values& given);

/// Opens the files that image parameters name, laid as `picture`, which must outlive the result.
RoleResolver role_files(const CommonOptions& common, const InputPicture& picture);

/// Throws UsageError unless there are exactly an INPUT and an OUTPUT.
void want_two_files(const Parsed& parsed, const std::string& usage);

}  // namespace sfumato::cli
