// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What ffprobe says about a movie, and how ffmpeg's programs are started.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/movie.hpp"

namespace sfumato::files {

struct MovieInfo {
  PictureFormat format;  ///< rotated as it is shown
  std::string matrix;    ///< from luma and chroma to colours, by the names of ffmpeg's filter
  std::string primaries, transfer;        ///< by ffmpeg's names; empty: the movie does not say
  int pixel_width = 1, pixel_height = 1;  ///< the shape of a pixel, rotated, too
  bool hdr = false;                       ///< PQ or HLG
  bool opacity = false;                   ///< pictures have it; it is not read
};

/// An audio stream.
struct MovieSound {
  int stream = 0;     ///< among those of sound, from 0
  std::string codec;  ///< by ffprobe's name
  int channels = 0;
};

/// Waits for ffprobe. Throw FileError for what is no movie, and Cancelled.
MovieInfo movie_info(const MoviePrograms& programs, const std::filesystem::path& path);
/// Those that can be copied or decoded, in order.
std::vector<MovieSound> movie_sounds(const MoviePrograms& programs,
                                     const std::filesystem::path& path);
/// As Movies::count().
MovieCount movie_count(const MoviePrograms& programs, const std::filesystem::path& path);

/// The words that start a program of ffmpeg's, which is confined if it can be. `movie`: the input,
/// behind `before`, without anything else that it may name. `bytes`: of memory.
std::vector<std::string> movie_words(const MoviePrograms& programs, std::vector<std::string> before,
                                     const std::filesystem::path& movie,
                                     const std::vector<std::string>& after, std::uint64_t bytes);
/// What decoding takes: the frames that a decoder keeps, several threads and conversions.
std::uint64_t decoding_bytes(const PictureFormat& format);

/// An error line without what differs in every run, as in "[matroska,webm @ 0x55c858ce6900] File
/// ended prematurely".
std::string without_addresses(std::string words);
[[noreturn]] void fail_damaged_movie(const std::filesystem::path& path, const std::string& why);
Message partly_damaged_movie(const std::filesystem::path& path, const std::string& why);

}  // namespace sfumato::files
