// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The file that a picture was read from, as the writer of another file and the decoder's process
// see it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "image/format.hpp"

namespace sfumato {

/// The most pages of a file: TIFF directories are counted in 16 bits.
inline constexpr int most_pages = 65535;

/// The most bytes of FileOrigin::description().
inline constexpr std::size_t longest_description = std::size_t{64} << 20;

/// The longest time that a frame of an animation is shown, in microseconds.
inline constexpr std::int64_t longest_frame = 65'535'000'000;

/// Of a pixel whose colours are converted: four numbers.
inline constexpr std::size_t bytes_of_color = 4 * sizeof(float);

/// A tone curve for a profile.
struct ProfileCurve {
  Coding coding = Coding::linear();
  int transfer = 0;   ///< by ITU-T H.273, 16 (PQ) or 18 (HLG), in place of `coding`; 0: none
  int primaries = 2;  ///< by ITU-T H.273, named beside `transfer`
};

/// Where a page's copy begins in another file of its kind, and how that is written.
struct PagePlace {
  std::uint64_t begin = 0;  ///< even
  bool big_tiff = false;    ///< offsets have 64 bits
  bool metadata = true;     ///< with it
};

/// What becomes of a page in a copy of its file.
enum class PageCopy : int { none, left_out, copied };

/// Bytes of a page's copy. `directory` is where the page's directory is in the file that gets them:
/// in the last piece, else 0.
struct PagePiece {
  std::string bytes;
  std::uint64_t directory = 0;
};
/// The most bytes of a piece.
inline constexpr std::size_t longest_piece = std::size_t{7} << 20;

/// What a writer takes over of a file beside the picture's pixels: metadata, channels, layers and
/// pages that were not read. Descriptions are bytes that the file module packs and unpacks
/// (io/module/origin.hpp). One thread at a time.
class FileOrigin {
 public:
  virtual ~FileOrigin() = default;

  /// Everything but pixels. Throws FileError.
  virtual const std::string& description() = 0;

  /// Begins to copy a page after the first, from 1. A smaller copy of another page is left out: it
  /// shows an unfiltered picture. Throws FileError.
  virtual PageCopy begin_page(int number, const PagePlace& to) = 0;

  /// The next piece of that page, up to the one with its directory. Throws FileError.
  virtual PagePiece next_of_page() = 0;

  /// Rows [y0, y1) of a part with all channels in the file's own types, packed: `bytes`
  /// bytes in all. In tiled files `y0` begins a row of tiles. Throws FileError.
  virtual void read_native(int part, int y0, int y1, void* to, std::size_t bytes) = 0;

  /// The picture's ICC profile under another tone curve; empty if that cannot be made. Throws
  /// FileError.
  virtual std::vector<unsigned char> profile_with(const ProfileCurve& curve) = 0;

  /// Whether the picture's ICC profile can be used to convert colours. Throws FileError.
  virtual bool can_convert_colors() = 0;

  /// Converts pixels of four numbers from the profile's colours to linear light with sRGB's
  /// primaries, in place; the fourth stays. Gray becomes linear light. Only if
  /// can_convert_colors(). Throws FileError.
  virtual void convert_colors(float* pixels, std::size_t count) = 0;
};

/// A reader of an animation, which can go on to another frame. One thread at a time.
class FrameReader {
 public:
  virtual ~FrameReader() = default;

  /// The picture is that frame, from 1, of PictureInfo::frame_times from now on. Going forward
  /// draws the frames between, going back begins anew. Throws FileError.
  virtual void turn_to(int frame) = 0;
};

/// A picture's rows as its decoder makes them, ahead of the reader. One thread at a time.
class DecodedRows {
 public:
  virtual ~DecodedRows() = default;

  /// The number of rows that is cheapest to decode at once.
  virtual int chunk_rows() const = 0;

  /// Memory for two chunks, which the caller keeps, in place of the decoder's own.
  virtual void use_memory(char* chunks) = 0;

  /// Rows [y0, y1), at most chunk_rows(): packed, in one of the two chunks, valid until the next
  /// call. The chunk after it is decoded meanwhile. Throws FileError.
  virtual const char* decode(int y0, int y1) = 0;
};

}  // namespace sfumato
