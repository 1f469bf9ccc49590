// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A movie's frames at a steady rate, as fast as they can be decoded: for a player.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "io/movie.hpp"

namespace sfumato {

/// How a frame's samples lie in memory, eight bits each, without gaps between rows or planes.
struct PlaybackFormat {
  enum class Layout {
    yuv420,  ///< planes of Y, then of U and V for two by two pixels; sides are even
    nv12,    ///< the same, U and V interleaved
    rgbx     ///< red, green, blue and a byte without meaning
  };
  Layout layout = Layout::rgbx;
  int width = 0, height = 0;
  bool bt601 = false;       ///< luma and chroma are of BT.601, else of BT.709
  bool full_range = false;  ///< luma and chroma use all of 0 to 255

  std::size_t frame_bytes() const;
};

/// What a player needs to know before the first frame.
struct PlaybackInfo {
  PlaybackFormat format;
  double duration = 0;                    ///< seconds; 0: the movie does not say
  double rate = 25;                       ///< frames per second, 1 to 60
  int pixel_width = 1, pixel_height = 1;  ///< the shape of a pixel
  std::string filters = {};               ///< what ffmpeg does with each frame
  std::uint64_t decoding_bytes = 0;       ///< of memory
};

/// Waits for ffprobe. Throws FileError and Cancelled.
PlaybackInfo playback_info(const MoviePrograms& programs, const std::filesystem::path& path);

/// Decodes in a program of ffmpeg's, confined like others that read movies. Frames are rotated as
/// they are shown; some are left out or repeated where the movie's own rate differs. One thread at
/// a time.
class MoviePlayback {
 public:
  /// From a time on, in seconds from the movie's start. Throws FileError.
  MoviePlayback(const MoviePrograms& programs, const std::filesystem::path& path,
                const PlaybackInfo& info, double from);
  ~MoviePlayback();

  /// The next frame; empty at the end. Valid until the next call. Throws Cancelled, after which
  /// nothing more can be read, and FileError if not even the first one can be decoded.
  const std::vector<char>& next();
  /// Of the frame that next() returned, in seconds.
  double time() const { return from_ + static_cast<double>(frames_ - 1) / rate_; }

 private:
  struct Program;
  double from_, rate_;
  std::int64_t frames_ = 0;
  std::vector<char> frame_;
  std::unique_ptr<Program> program_;
};

}  // namespace sfumato
