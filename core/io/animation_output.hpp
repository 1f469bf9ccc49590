// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Writes pictures that are shown one after the other into one file: an animated WebP, or a movie.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "io/io.hpp"

namespace sfumato {

struct AnimationFormat {
  std::string id;                       ///< "webp", or a movie's container by ffmpeg's name
  std::string name;                     ///< for people: "MP4"
  std::vector<std::string> extensions;  ///< lower case, without the dot
  bool is_movie = false;                ///< written by the program ffmpeg
};

/// Every format that can be written, from a table.
const std::vector<AnimationFormat>& animation_formats();
/// The format that a path's extension names, or null.
const AnimationFormat* animation_format_of(const std::filesystem::path& path);

struct AnimationOptions {
  /// As for pictures; `compression` is not used. Of movies, `quality` is 18 in H.264's scale of 0
  /// to 51 for 0, else (100 - quality) / 2 (rounded); `bits` may be 8 or 16, of which ten are kept.
  WriteOptions write = {};
  /// How often an animated WebP is shown; 0: for ever.
  int loops = 0;
  /// The movie whose sound, colours and shape of pixels are taken over; empty: none.
  std::filesystem::path movie = {};
  /// How long each picture is shown, in seconds, if all are shown equally long; else 0.
  double step = 0;
  /// Otherwise: how many pictures there are, from when on the last one is shown, and how long, in
  /// seconds.
  std::int64_t pictures = 0;
  double last_start = 0, last_step = 0;
  /// As ReadOptions::contained, for the sound.
  bool contained = true;
};

/// As OutputPicture: a temporary until commit(). One thread at a time.
class AnimationOutput {
 public:
  virtual ~AnimationOutput() = default;
  /// Of the pictures that add() takes.
  virtual const PictureFormat& format() const = 0;
  /// What the file cannot hold, one sentence each.
  virtual const std::vector<Message>& warnings() const = 0;
  /// Bytes of memory in addition to a picture that is passed, an upper estimate.
  virtual std::size_t working_bytes() const = 0;
  /// A picture, shown from `start` seconds on, after that of the one before. `origin` is the input
  /// that it was made from. Throws FileError, and Cancelled if WriteOptions::cancelled says so.
  virtual void add(InputPicture& origin, const HostView& picture, double start) = 0;
  /// The last picture is shown until `end`, in seconds. Otherwise as OutputPicture::commit().
  virtual void commit(double end) = 0;
};

/// Throws FileError if no animation or movie of this name can be written, or not at the depth that
/// `options` ask for. Files need not exist.
void check_animation_format(const std::filesystem::path& path, const WriteOptions& options);

/// As check_output(), for such a file.
void check_animation(const std::filesystem::path& path, const WriteOptions& options);

/// Starts a file for pictures like `first`, which is the origin of the first one that is added.
/// Throws FileError, also if the program ffmpeg is missing.
std::unique_ptr<AnimationOutput> create_animation(const std::filesystem::path& path,
                                                  const AnimationOptions& options,
                                                  InputPicture& first);

}  // namespace sfumato
