// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Whether a file system answers: a network folder whose server is gone never does.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>

namespace sfumato::files {

/// How long a file system may take to find a file.
inline constexpr std::chrono::milliseconds answer_within{20000};

/// Throws FileError if `find`, called with the path on another thread, takes longer than
/// `patience`; that thread is then left to itself. By default the file's status is asked for.
void check_reachable(const std::filesystem::path& path,
                     std::chrono::milliseconds patience = answer_within,
                     const std::function<void(const std::filesystem::path&)>& find = {});

}  // namespace sfumato::files
