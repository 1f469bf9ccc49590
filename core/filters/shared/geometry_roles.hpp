// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The roles that carry a render's geometry.
#pragma once

#include "filters/filter.hpp"

namespace sfumato {

/// Normals: x, y, z and a channel that is not used, each in -1..1.
inline RoleInfo normal_role() {
  return {.parameter = "normal", .channels = 4, .data = true, .is_signed = true, .required = false};
}

/// Depth: one channel, in the file's own unit.
inline RoleInfo depth_role() {
  return {.parameter = "depth", .channels = 1, .data = true, .required = false};
}

}  // namespace sfumato
