// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The launch of a kernel that computes one pixel by work-item.
#pragma once

#include <string>
#include <utility>

#include "device/passes.hpp"

namespace sfumato {

/// `work` is per pixel. The kernel meets work-items to the right of `width` too.
inline Launch pixel_launch(std::string kernel, std::string options, int width, int height,
                           double work) {
  Launch launch;
  launch.kernel = std::move(kernel);
  launch.options = std::move(options);
  launch.local = {64, 1};
  launch.global = {static_cast<std::size_t>(width), static_cast<std::size_t>(height)};
  launch.work = work;
  return launch;
}

}  // namespace sfumato
