// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What a program and its decoder say to each other, as CBOR (RFC 8949). The decoder may be in a
// hostile file's hands: what it says is checked.
#pragma once

#include <cstdint>
#include <string>

#include "io/file_origin.hpp"
#include "io/io.hpp"
#include "io/plain_profile.hpp"

namespace sfumato::decoder {

/// ReadOptions as far as a decoder needs them, and the file's path, for its extension and messages.
std::string text_of(const std::filesystem::path& path, const ReadOptions& options);
ReadOptions read_options(const std::string& text, std::filesystem::path& path);

struct Opened {
  PictureFormat format;
  PictureInfo info;
  int chunk_rows = 1;  ///< DecodedRows::chunk_rows()
};
std::string text_of(const Opened& opened);
/// Throws ProtocolError for what no picture of at most `max_pixels` can be.
Opened read_opened(const std::string& text, std::uint64_t max_pixels);

struct PageRequest {
  int number = 0;
  PagePlace to;
};
std::string text_of(const PageRequest& request);
PageRequest read_page_request(const std::string& text);

std::string text_of(PagePiece piece);
/// Throws ProtocolError for what is none.
PagePiece read_piece(std::string text);

struct RowRange {
  int part = 0;  ///< FileOrigin::read_native() alone
  int y0 = 0, y1 = 0;
  std::int64_t bytes = 0;  ///< of native rows that are sent
};
std::string text_of(const RowRange& rows);
RowRange read_rows(const std::string& text);

std::string text_of(const ProfileCurve& curve);
ProfileCurve read_profile_curve(const std::string& text);

std::string text_of(const ProfileNumbers& numbers);
/// Throws ProtocolError for numbers that are not complete.
ProfileNumbers read_profile_numbers(const std::string& text);

std::string text_of(const Message& message);
Message read_message(const std::string& text);

/// The reason of a start that fails because memory or threads are missing.
Message little_memory();

std::string text_of(std::int64_t number);
std::int64_t read_number(const std::string& text);

}  // namespace sfumato::decoder
