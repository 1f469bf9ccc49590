// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The devices of a run, and the main memory that they leave for pictures.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "batch/runner.hpp"
#include "engine/session.hpp"

namespace sfumato {

struct BatchDevices {
  std::vector<std::unique_ptr<Session>> sessions;  ///< one at least
  std::optional<Target> cpu;         ///< of the device whose memory is ours, if there is one
  std::size_t for_pictures = 0;      ///< bytes of main memory
  std::size_t threads_that_fit = 0;  ///< that have memory for a small picture each
};

/// A session for each device that `options.session.device` stands for; one at least, which may end
/// at the scalar reference. A limit that cannot be kept is told to `options.session.log`. Throws
/// EngineError for a device that is not there.
BatchDevices open_devices(const BatchOptions& options);

}  // namespace sfumato
