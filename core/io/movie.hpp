// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Movies as pictures: frames that the program ffmpeg decodes.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "io/io.hpp"

namespace sfumato {

class Movie;

/// How many pictures a movie's file holds.
struct MovieCount {
  std::int64_t pictures = 0;
  Message fault = {};  ///< one sentence where the file is damaged, or ends before it should
};

/// Decoders that go on from one frame to the next: frames that are asked for in order, or nearly
/// so, are decoded once. Any thread; each movie decodes for one of them at a time.
class Movies {
 public:
  Movies();
  ~Movies();
  Movies(const Movies&) = delete;
  Movies& operator=(const Movies&) = delete;

  /// Each picture counts once, however unevenly they come. Reads the file to its end; decodes only
  /// what has no index that tells how long it should be (MPEG program streams). Throws FileError
  /// where there is no picture.
  MovieCount count(const std::filesystem::path& path);

  /// What decoders have complained of so far while pictures of this movie were read, as a sentence;
  /// empty: nothing.
  Message complaint(const std::filesystem::path& path);

  /// The frame of `options.frame`, from 1: eight bits of red, green and blue, or sixteen where the
  /// movie has more than eight, sRGB-coded and turned as it is shown. It is decoded when it is read
  /// first, and held from then on. Throws FileError, reading too.
  std::unique_ptr<InputPicture> open(const std::filesystem::path& path, const ReadOptions& options);

 private:
  std::shared_ptr<Movie> at(const std::filesystem::path& path);
  void close_all();

  std::mutex mutex_;
  std::map<std::filesystem::path, std::shared_ptr<Movie>> movies_;
  /// Of movies that are closed.
  std::map<std::filesystem::path, std::string> complaints_;
};

}  // namespace sfumato
