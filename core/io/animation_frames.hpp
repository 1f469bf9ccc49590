// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Frames of animations (GIF, PNG, WebP), each of which is drawn over the ones before it.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "io/file_version.hpp"
#include "io/io.hpp"

namespace sfumato {

class AnimationFile;

/// Keeps readers from one frame to the next: frames that are requested in order, or nearly so, are
/// drawn once. Any thread; each animation serves one thread at a time.
class Animations {
 public:
  /// Opens a page or frame, from 1, with a reader of its own.
  using Open = std::function<std::unique_ptr<InputPicture>(int page)>;

  Animations();
  ~Animations();

  /// A frame of an animation is read when it is first needed, and held from then on; any other page
  /// is what `open` makes of it. `open` must stay valid as long as this object and all frames.
  /// Throws FileError, also when the frame is read.
  std::unique_ptr<InputPicture> open(const std::filesystem::path& path, int page, const Open& open);

 private:
  struct Known {
    std::filesystem::path path;
    FileVersion version;
    std::shared_ptr<AnimationFile> file;
  };
  std::shared_ptr<AnimationFile> find(const std::filesystem::path& path,
                                      const FileVersion& version);

  std::mutex mutex_;
  std::vector<Known> known_;  // the one used last is last
};

}  // namespace sfumato
