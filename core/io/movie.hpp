// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Movies as pictures: frames that the program ffmpeg decodes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "io/animation_frames.hpp"
#include "io/io.hpp"

namespace sfumato {

class Movie;

/// How the programs that read movies run.
struct MoviePrograms {
  /// Asked several times a second while one works; returns true to end it with Cancelled. May be
  /// empty.
  std::function<bool()> cancelled = {};
  /// They may change no file, reach no network and take a limited amount of memory.
  bool contained = true;
};

/// How many pictures a movie's file holds.
struct MovieCount {
  std::int64_t pictures = 0;
  std::vector<double> starts = {};  ///< of each picture, in seconds from the file's start
  double end = 0;                   ///< of the last one
  double rate = 0;  ///< pictures per second, if ffprobe finds one that suits all; else any number
  Message fault = {};  ///< one sentence if the file is damaged or ends too early
};

/// Keeps decoders running from one frame to the next: frames that are requested in order, or nearly
/// so, are decoded once. Any thread; each movie serves one thread at a time.
class Movies {
 public:
  explicit Movies(MoviePrograms programs = {});
  ~Movies();
  Movies(const Movies&) = delete;
  Movies& operator=(const Movies&) = delete;

  /// Counts each picture once, even if the frame rate varies. Reads the whole file, but decodes it
  /// only if its format does not tell how long it should be (MPEG program streams). Throws
  /// FileError if there is no picture.
  MovieCount count(const std::filesystem::path& path);

  /// What decoders have complained about so far while pictures of this movie were read, as a
  /// sentence; empty: nothing.
  Message complaint(const std::filesystem::path& path);

  /// The frame `options.frame`, from 1: 8-bit RGB, or 16-bit if the movie has more than 8 bits,
  /// sRGB-coded and rotated as it is shown. It is decoded when it is first read, and held from then
  /// on. Throws FileError, also when it is read.
  std::unique_ptr<InputPicture> open(const std::filesystem::path& path, const ReadOptions& options);

  /// Readers of animations that several frames share.
  Animations& animations() { return animations_; }

 private:
  std::shared_ptr<Movie> at(const std::filesystem::path& path);
  void close_all();

  const MoviePrograms programs_;
  Animations animations_;
  std::mutex mutex_;
  std::map<std::filesystem::path, std::shared_ptr<Movie>> movies_;
  /// Of movies that are closed.
  std::map<std::filesystem::path, std::string> complaints_;
};

}  // namespace sfumato
