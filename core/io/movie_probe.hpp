// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What ffprobe says about a movie, and how ffmpeg's programs are started.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "io/movie.hpp"

namespace sfumato::files {

/// How many colours are stored for the pixels of a picture.
enum class Chroma : std::uint8_t { half, half_across, full };

struct MovieInfo {
  PictureFormat format;     ///< rotated as it is shown
  std::string codec;        ///< of the pictures, by ffprobe's name
  std::string pixels;       ///< how they are stored, by ffmpeg's name
  std::string matrix;       ///< from luma and chroma to colours, by the names of ffmpeg's filter
  bool full_range = false;  ///< luma and chroma use all their numbers
  std::string primaries, transfer;        ///< by ffmpeg's names; empty: the movie does not say
  int pixel_width = 1, pixel_height = 1;  ///< the shape of a pixel, rotated, too
  bool hdr = false;                       ///< PQ or HLG
  bool opacity = false;                   ///< pictures have it; it is not read
  std::string language = {};              ///< of the pictures; empty: the file does not say
  bool interlaced = false;                ///< a picture has two fields, each of half its rows
  double duration = 0;                    ///< in seconds; 0: the movie does not say
  double rate = 0;                        ///< as MovieCount::rate
};

/// An audio stream.
struct MovieSound {
  int stream = 0;     ///< among those of sound, from 0
  std::string codec;  ///< by ffprobe's name
  int channels = 0;
  std::string language = {};  ///< as the file names it; empty: it does not say
  std::string title = {};     ///< "Commentary"; empty: it does not say
};

/// What a movie holds beside the pictures and sounds that are read.
struct MovieExtras {
  bool pictures = false;   ///< other streams of pictures: a cover, another view
  bool subtitles = false;  ///< as text or as pictures
  bool others = false;     ///< data and attached files
  bool chapters = false;
  /// Titles, authors, places, dates, the time code: names in lower case. Not what a writer says of
  /// itself.
  std::map<std::string, std::string> tags = {};
};

/// Waits for ffprobe. Throw FileError for what is no movie, and Cancelled.
MovieInfo movie_info(const MoviePrograms& programs, const std::filesystem::path& path);
/// Those that can be copied or decoded, in order.
std::vector<MovieSound> movie_sounds(const MoviePrograms& programs,
                                     const std::filesystem::path& path);
MovieExtras movie_extras(const MoviePrograms& programs, const std::filesystem::path& path);
/// What ffprobe says of a movie's first picture, these entries, in JSON.
std::string first_picture_json(const MoviePrograms& programs, const std::filesystem::path& path,
                               const std::string& entries);
/// Of a format of pixels by ffmpeg's name; full for RGB.
Chroma chroma_of(const std::string& pixels);
/// The number of bits that samples of such a format have, 8 to 16.
int bits_of_pixels(std::string pixels);
/// "30000/1001"; 0 for what is no such number.
double quotient(const std::string& said);
/// As Movies::count().
MovieCount movie_count(const MoviePrograms& programs, const std::filesystem::path& path);

/// The words that start a program of ffmpeg's, which is confined if it can be. `movie`: the input,
/// after `before`, without anything else that it may name. `bytes`: of memory.
std::vector<std::string> movie_words(const MoviePrograms& programs, std::vector<std::string> before,
                                     const std::filesystem::path& movie,
                                     const std::vector<std::string>& after, std::uint64_t bytes);
/// The same for words that name no movie. `output`: an existing file that the program writes to;
/// empty: none.
std::vector<std::string> confined_words(const MoviePrograms& programs,
                                        std::vector<std::string> words, std::uint64_t bytes,
                                        const std::filesystem::path& output);
/// What decoding takes: the frames that a decoder keeps, several threads and conversions.
std::uint64_t decoding_bytes(const PictureFormat& format);

/// An error line without what differs in every run, as in "[matroska,webm @ 0x55c858ce6900] File
/// ended prematurely".
std::string without_addresses(std::string words);
[[noreturn]] void fail_damaged_movie(const std::filesystem::path& path, const std::string& why);
Message partly_damaged_movie(const std::filesystem::path& path, const std::string& why);

}  // namespace sfumato::files
