// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Matrices of weights from files: `--matrix @kernel.csv`.
#pragma once

#include <filesystem>
#include <string>

namespace sfumato::cli {

/// The weights as an option's value, "a b; c d". Text: a row of numbers on each line, separated by
/// spaces, commas, semicolons or tabs; lines that begin with # are comments. A picture: its samples
/// as they are stored, integers as 0 to 1, the mean of the colours. Throws FileError.
std::string matrix_from_file(const std::filesystem::path& path, bool contained);

}  // namespace sfumato::cli
