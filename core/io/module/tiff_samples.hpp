// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Compressed samples of TIFF files in the other order of bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "io/module/bytes.hpp"

namespace sfumato::files {

/// The strips or tiles of one page of a big-endian file, compressed again in little-endian order as
/// they were before: the numbers of the page's directory stay true.
class TurnedStrips {
 public:
  /// The most bytes of one that is decoded.
  static constexpr std::size_t most_bytes = std::size_t{256} << 20;

  /// `in`, which outlives this, is a big-endian file with a directory at this offset.
  TurnedStrips(Bytes& in, std::uint64_t directory);
  ~TurnedStrips();

  /// One of them; empty if it cannot be decoded.
  std::string strip(std::uint32_t number);

 private:
  struct Reader;
  std::unique_ptr<Reader> reader_;
};

}  // namespace sfumato::files
