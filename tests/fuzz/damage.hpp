// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Damages files by their structure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "fuzz/samples.hpp"

namespace sfumato::fuzz {

using Random = std::mt19937_64;

/// A number in a file: of a chunk, a marker, a directory's entry, a header...
struct Field {
  std::size_t at = 0;
  int bytes = 1;
};

/// The fields of a valid file by its format's structure; those of directories and profiles within
/// it are among them.
std::vector<Field> fields_of(const Sample& sample);

/// An unsigned number of up to eight bytes; those beyond the end are 0.
std::uint64_t number(const std::string& bytes, std::size_t at, int size, bool big);

/// A damaged copy: mostly one or two fields with a value that is likely to hurt, the first of them
/// number `turn` of all, in turns; else bytes that are changed, missing, doubled or cut off. PNG's
/// checksums are often made right again.
std::string damaged(const Sample& sample, const std::vector<Field>& fields, std::uint64_t turn,
                    Random& random);

}  // namespace sfumato::fuzz
