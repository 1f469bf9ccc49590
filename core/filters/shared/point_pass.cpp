// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Copies a window on the device.
#include "filters/shared/point_pass.hpp"

namespace sfumato {

void copy_window(const DeviceImage& from, const DeviceImage& to, Passes& passes) {
  Launch launch = point_launch(to.plane, passes.form(), 1);
  launch.kernel = "point_copy";
  launch.options += " -DPASS_COPY";
  passes.launch(launch, from, from.plane, to, to.plane, from.channels);
}

}  // namespace sfumato
