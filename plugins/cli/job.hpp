// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What every rendering command does with its options.
#pragma once

#include <filesystem>
#include <vector>

#include "engine/presets.hpp"
#include "engine/session.hpp"
#include "engine/start.hpp"
#include "io/io.hpp"
#include "options.hpp"

namespace sfumato::cli {

ReadOptions read_options(const CommonOptions& common);
/// The same for one file, with the page or frame that was asked for.
ReadOptions read_options(const CommonOptions& common, const std::filesystem::path& input);
WriteOptions write_options(const CommonOptions& common);
SessionOptions session_options(const CommonOptions& common);

/// Throws if a recipe's filters reject their values, or if role files cannot be opened.
void check_recipe(const Recipe& recipe);
/// Checks the role files only.
void check_role_files(const Recipe& recipe);

/// Must precede the first look at devices and the first thread. Reports the messages of
/// sfumato::start_devices() once; if the caller `lists` devices, a missing driver is left for it to
/// report. Throws Cancelled after Ctrl-C.
const Start& start_devices(const std::string& device, bool lists = false);

/// Sets the number of threads, and starts devices if needed. Throws UsageError if the named device
/// does not exist.
void check_device(const CommonOptions& common);

/// What a word must name, apart from files.
enum class WantedRecipe { preset, recipe /**< or a recipe's file */, any /**< or a filter */ };

/// The preset with this id; throws UsageError with the nearest one if there is none. `others` adds
/// what else the word may have meant.
const Preset& preset_at(const Presets& presets, const std::string& id, WantedRecipe wanted,
                        const std::vector<std::string>& others = {});

/// Reports which of the given values have no effect given the others.
void warn_of_idle_values(const FilterInfo& info, const Values& given);

/// Opens the files that image parameters name, laid over `picture`, which must outlive the result.
RoleResolver role_files(const CommonOptions& common, const InputPicture& picture);

/// Throws FileError if the output, which shows how pictures differ, would replace one of them.
void refuse_compared(const std::filesystem::path& output,
                     const std::vector<std::filesystem::path>& inputs);

/// Checks where a chart is to be written. Throws UsageError for a name that does not end in .svg,
/// and FileError.
void check_chart(const std::filesystem::path& path, const WriteOptions& options);

/// Throws UsageError unless there are exactly one INPUT and one OUTPUT.
void require_two_files(const Parsed& parsed, const std::string& usage);

}  // namespace sfumato::cli
