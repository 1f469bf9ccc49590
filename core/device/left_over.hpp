// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Temporary files beside those that they become: their names, and what killed programs leave of
// them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sfumato::files {

/// A hidden name beside the target, with its extension, that no other process or thread uses. One
/// of a killed process with the same number may be there.
std::filesystem::path temporary_name(const std::filesystem::path& target);

/// Locks a temporary that was just made, as long as its descriptor or a copy of it is open, so that
/// others can tell it from one that was left behind. False: a program that removes those was faster
/// and has taken it; another must be made.
bool lock_new(int descriptor);

/// Names in a folder that look like temporaries, of any target and program.
std::vector<std::string> temporaries_in(const std::filesystem::path& folder);

/// Whether a file's name is that of a temporary of the target.
bool is_temporary_of(const std::string& name, const std::filesystem::path& target);

/// Removes a temporary of this user that no program is writing. Links, and files of others, stay.
void remove_left_over(const std::filesystem::path& temporary) noexcept;

/// Removes all such temporaries in a folder; only the first call for a folder looks. Any thread.
void remove_left_over_in(const std::filesystem::path& folder);

}  // namespace sfumato::files
