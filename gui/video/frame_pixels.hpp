// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Movie frames in the engine's format.
#pragma once

#include <QImage>
#include <QVideoFrame>
#include <memory>
#include <mutex>
#include <vector>

#include "io/io.hpp"

namespace sfumato::gui {

/// Eight bits of red, green and blue, sRGB-coded, which the engine filters without converting to
/// float.
PictureFormat frame_format(int width, int height);

/// Recycles the memory of frames: fresh pages cost as much as a filter's pass. Thread-safe.
class FramePool {
 public:
  /// A frame of undefined format and content. Its memory is returned on release, even if the pool
  /// is gone.
  std::shared_ptr<HeldPicture> take();

 private:
  static constexpr std::size_t most = 6;
  struct Left {
    std::mutex mutex;
    std::vector<std::unique_ptr<HeldPicture>> frames;
  };
  std::shared_ptr<Left> left_ = std::make_shared<Left>();
};

/// The pixels of a decoded frame, in one pass if it is planar 4:2:0. False if it cannot be read.
/// Thread-safe.
bool read_pixels(QVideoFrame frame, HeldPicture& out);

/// The same memory as an image, which keeps it alive.
QImage image_of(const std::shared_ptr<const HeldPicture>& picture);

}  // namespace sfumato::gui
