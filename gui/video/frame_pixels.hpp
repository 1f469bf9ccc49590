// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Frames of movies as the engine takes them.
#pragma once

#include <QImage>
#include <QVideoFrame>
#include <memory>
#include <mutex>
#include <vector>

#include "io/io.hpp"

namespace sfumato::gui {

/// Eight bits of red, green and blue, sRGB-coded: what the engine filters without a float between.
PictureFormat frame_format(int width, int height);

/// Memory of frames that nobody holds any more, for the next ones: fresh pages cost as much as a
/// filter's pass. Any thread.
class FramePool {
 public:
  /// A frame of unknown format and content; goes back when it is let go, though the pool is gone.
  std::shared_ptr<HeldPicture> take();

 private:
  static constexpr std::size_t most = 6;
  struct Left {
    std::mutex mutex;
    std::vector<std::unique_ptr<HeldPicture>> frames;
  };
  std::shared_ptr<Left> left_ = std::make_shared<Left>();
};

/// The pixels of a decoded frame, in one pass where it is planar 4:2:0. False where it cannot be
/// read. Any thread.
bool read_pixels(QVideoFrame frame, HeldPicture& out);

/// The same memory as an image, which keeps it.
QImage image_of(const std::shared_ptr<const HeldPicture>& picture);

}  // namespace sfumato::gui
