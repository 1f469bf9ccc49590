// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The devices of a run, and the main memory that they leave for pictures.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "batch/runner.hpp"
#include "engine/renderer.hpp"

namespace sfumato {

struct BatchDevices {
  std::vector<std::unique_ptr<Renderer>> renderers;  ///< at least one
  /// The CPU device or the scalar reference, which work in main memory, if one of them is used.
  std::optional<Target> cpu;
  std::size_t for_pictures = 0;      ///< bytes of main memory
  std::size_t threads_that_fit = 0;  ///< that each have memory for a small picture
};

/// Opens a session for each device that `options.session.device` stands for: at least one, which
/// may fall back to the scalar reference. Logs to `options.session.log` if the memory limit cannot
/// be kept. Throws EngineError for a device that does not exist.
BatchDevices open_devices(const BatchOptions& options);

/// The least BatchOptions::memory_limit that leaves so many bytes for pictures beside one device.
std::size_t limit_for_pictures(std::size_t bytes);

}  // namespace sfumato
