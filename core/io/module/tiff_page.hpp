// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A page of a TIFF file on its way into another one, as it is stored: samples are not decoded, and
// values of tags that nobody here knows stay what they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/file_origin.hpp"
#include "io/module/embedded.hpp"
#include "io/module/exif.hpp"
#include "io/module/tiff_samples.hpp"
#include "io/module/tiff_writer.hpp"

namespace sfumato::files {

/// Where the directories of a TIFF file's pages are.
struct TiffPages {
  std::vector<std::uint64_t> directories;
  bool is_cut = false;  ///< the chain goes on to a place where there is none, or in a ring
  bool go_on = false;   ///< there are more than most_pages
};
TiffPages pages_in_tiff(Bytes& in);
/// Puts the main picture first, where a smaller copy of it or its mask comes before it.
void move_main_to_front(Bytes& in, std::vector<std::uint64_t>& directories);

/// Whether a directory says what its picture is to the others in a way that makes no sense, so that
/// it counts as a picture of its own.
bool has_unknown_subfile_type(Bytes& in, const TiffDirectory& directory);

/// Why a page cannot be copied.
class PageFault : public MessageError {
 public:
  using MessageError::MessageError;
};

[[noreturn]] void throw_page_too_large();

/// All numbers of a tag; none if the directory lacks it. nullopt: the entry is damaged, or has more
/// than 2^20.
std::optional<std::vector<std::uint64_t>> tiff_numbers(Bytes& in, const TiffDirectory& from,
                                                       std::uint16_t tag);

/// Makes the bytes of the copy, in little-endian order: what directories point at, then those,
/// the page's own at last.
class TiffPageCopy {
 public:
  /// `directory` is the page's in the file `path`. Throws PageFault.
  TiffPageCopy(const std::filesystem::path& path, std::uint64_t directory, const PagePlace& to);

  /// As FileOrigin::next_of_page(). Throws PageFault.
  PagePiece next();

  /// The bytes of all that is copied, before the first piece.
  std::uint64_t bytes() const { return bytes_; }

 private:
  // What a directory points at: a strip, a tile or a long value.
  struct Data {
    std::uint64_t at = 0, size = 0;      // in the file that it comes from
    std::size_t unit = 1;                // bytes to be reversed together
    std::optional<std::uint32_t> strip;  // its number, if it is decoded and encoded again
    std::uint64_t new_at = 0, new_size = 0;
  };
  // An entry whose value is such data.
  struct LongValue {
    std::uint16_t tag = 0;
    TiffEntry entry;
    std::size_t data = 0;  // its number
  };
  struct Directory {
    std::uint64_t at = 0;
    TiffEntries entries;
    bool tiled = false;
    std::size_t strips = 0;  // or tiles; they are the first data
    std::vector<Data> data;
    std::vector<LongValue> values;
    std::size_t parent = 0;  // the number of the directory that points at it
    std::uint16_t tag = 0;   // by this tag

    bool is_picture() const { return tag == 0 || tag == sub_pictures; }
    bool is_exif() const { return tag == exif_pointer || tag == gps_pointer; }
  };

  void add_directory(std::uint64_t at, std::size_t parent, std::uint16_t tag, int depth);
  void add_samples(const TiffDirectory& from, Directory& to);
  void add_old_jpeg(const TiffDirectory& from, Directory& to);
  void add_entries(const TiffDirectory& from, Directory& to);
  void add_value(std::uint64_t entry, Directory& to);
  void add_data(Data data, Directory& to);
  void settle_order(Directory& made) const;
  std::vector<std::uint64_t> numbers(const TiffDirectory& from, std::uint16_t tag);
  std::uint64_t number(const TiffDirectory& from, std::uint16_t tag, std::uint64_t missing);
  bool are_turned(const TiffDirectory& from, std::size_t& unit);

  void put_some(Data& data, std::string& out);
  std::string some_of(Data& data);
  void put_directory(Directory& directory, std::string& out);

  Bytes in_;
  PagePlace to_;
  std::vector<Directory> directories_;  // each before those that it points at
  std::uint64_t bytes_ = 0;
  std::uint64_t in_order_ = 0;  // bytes of values that depend on the order of bytes

  // How far it is.
  std::size_t left_ = 0, data_ = 0;       // directories, and the number of the data
  std::uint64_t done_ = 0, put_ = 0;      // bytes of the data, and of all pieces
  std::string encoded_;                   // the data, if it is encoded again
  std::unique_ptr<TurnedStrips> turned_;  // of the directory at `turned_at_`
  std::uint64_t turned_at_ = 0;
};

/// Whether the directory and the last row of a file of one page are there.
bool tiff_is_whole(const std::filesystem::path& path);

/// Appends such copies to a finished TIFF file.
class TiffTail {
 public:
  /// The file is open for writing as `descriptor`.
  TiffTail(int descriptor, std::filesystem::path path);

  /// Where the next page's copy begins.
  PagePlace place(bool metadata) const { return {end_, big_tiff_, metadata}; }
  /// Writes a piece. False if that cannot be done, or it is none.
  bool append(const PagePiece& piece);

 private:
  int descriptor_;
  std::filesystem::path path_;
  bool big_tiff_ = false;
  std::uint64_t link_ = 0;  // where the next page's offset stands; 0: nowhere
  std::uint64_t end_ = 0;   // even
};

}  // namespace sfumato::files
