// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "io/module/tiff_chain.hpp"

#include <string>

#include "io/module/embedded.hpp"
#include "io/module/tiff_writer.hpp"

namespace sfumato::files {
namespace {

bool begin_at(int descriptor, const Bytes& in, const TiffDirectory& directory,
              std::uint64_t place) {
  std::string bytes;
  TiffWriter(in.big_endian(), directory.big_tiff, 0).put(bytes, place, directory.word);
  return write_at(descriptor, bytes, directory.header);
}

}  // namespace

bool TiffChain::begin_at_last() {
  Bytes in(path_, false);
  const TiffDirectory directory(in);
  if (directory.count == 0) return false;
  if (first_ == 0) first_ = directory.at;
  const std::uint64_t next = in.number(directory.entry(directory.count), directory.word);
  return next == 0 || begin_at(descriptor_, in, directory, next);
}

bool TiffChain::begin_at_first() {
  if (first_ == 0) return true;
  Bytes in(path_, false);
  const TiffDirectory directory(in);
  return begin_at(descriptor_, in, directory, first_);
}

}  // namespace sfumato::files
