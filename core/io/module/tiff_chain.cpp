// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "io/module/tiff_chain.hpp"

#include <string>
#include <vector>

#include "io/module/embedded.hpp"
#include "io/module/input.hpp"
#include "io/module/parts.hpp"
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

bool tiff_is_whole(const std::filesystem::path& path, std::size_t pages) try {
  const auto written = open_as("tiff", path);
  std::size_t page = 0;
  for (; written->seek_subimage(static_cast<int>(page), 0); ++page) {
    const OIIO::ImageSpec s = written->spec();
    std::vector<char> row(static_cast<std::size_t>(s.scanline_bytes(true)));
    const bool whole =
        read_native_rows(*written, static_cast<int>(page), s, s.height - 1, s.height, row.data()) &&
        !written->has_error();
    if (!whole) return false;
  }
  written->geterror();  // the end of the pages is no error
  return page == pages;
} catch (const FileError&) {
  return false;  // the directory is missing
}

}  // namespace sfumato::files
