// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The program ffmpeg, which makes a movie of pictures that are passed to it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "io/child.hpp"
#include "io/movie_layout.hpp"
#include "io/movie_light.hpp"
#include "io/movie_probe.hpp"

namespace sfumato::files {

struct MovieRequest {
  std::filesystem::path shown;      ///< the target, for messages
  std::filesystem::path temporary;  ///< a file to be written over
  std::string container;            ///< AnimationFormat::id
  /// Size and depth: RGB of 8 bits, or of 16 in big-endian order, of which ten are kept.
  PictureFormat format;
  int quality = 0;                       ///< as AnimationOptions::write.quality
  double step = 0;                       ///< as AnimationOptions::step
  std::int64_t last_picture = 0;         ///< its number, from 0, if there is no such step
  double last_start = 0, last_step = 0;  ///< from when on and how long it is shown, in seconds
  MovieInfo like;                        ///< colours and shape of pixels
  std::filesystem::path movie;           ///< the input; empty: none
  std::vector<MovieSound> sounds;        ///< the input's streams
  MovieLight light;                      ///< of the input
  MovieExtras extras;                    ///< of the input: its tags and chapters are taken over
  MoviePrograms programs;                ///< that read the input, and write
};

/// Pictures go to the program as a Matroska stream of raw samples (RFC 9559), each with its time.
/// Sound is read, and converted where the container needs it, by another program, as are tags and
/// chapters. All are confined: the encoder writes to its file and to nothing else. One thread at a
/// time.
class MovieEncoder {
 public:
  /// Throws FileError if ffmpeg is missing.
  explicit MovieEncoder(MovieRequest request);

  /// Rows of samples without gaps. Throws FileError and Cancelled.
  void add(const std::string& samples, double start);
  /// Waits for the movie. Throws as add() does. Returns warnings: sound that is not whole, tags
  /// that the container cannot hold.
  std::vector<Message> finish();

 private:
  void add_sound(std::vector<std::string>& words, ChildInput& input);
  void add_notes(std::vector<std::string>& words, ChildInput& input);
  Message lost_tags() const;
  void pass(const std::string& bytes);
  void pass_picture(double start);
  bool is_whole() const;
  [[noreturn]] void fail();

  MovieRequest request_;
  MovieLayout layout_;
  std::unique_ptr<Child> sound_, notes_;
  std::unique_ptr<Child> encoder_;
  std::int64_t pictures_ = 0;
  std::int64_t last_start_ = 0;  // microseconds
  std::string samples_;          // of the last picture
};

}  // namespace sfumato::files
