// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What movies say about the light of their pictures (SMPTE ST 2086, CTA-861.3).
#pragma once

#include <filesystem>
#include <string>

#include "io/movie.hpp"

namespace sfumato::files {

/// In x264's words; empty: the movie does not say.
struct MovieLight {
  std::string mastering;  ///< "G(8500,39850)B(6550,2300)R(35400,14600)WP(15635,16450)L(10000000,1)"
  std::string level;      ///< "1000,400"

  bool empty() const { return mastering.empty() && level.empty(); }
};

/// Decodes the first picture. Throws as movie_info().
MovieLight light_of(const MoviePrograms& programs, const std::filesystem::path& path);

/// The sentence for a file that does not have it.
Message light_left_out(const std::filesystem::path& file, const std::filesystem::path& movie);

}  // namespace sfumato::files
