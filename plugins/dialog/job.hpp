// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A recipe over pixels that were handed over, through a selection.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "dialog/host_layers.hpp"
#include "engine/session.hpp"
#include "io/io.hpp"

namespace sfumato::hosts {

struct Job {
  std::filesystem::path picture;  ///< as read_pixel_file() takes it
  /// Likewise, gray, on the same canvas; empty: all. A result with alpha is as opaque as it is
  /// selected, for the host to lay it over the picture; another is laid over it here.
  std::filesystem::path selection;
  std::string title;             ///< of the picture, for sentences; empty: none
  std::filesystem::path result;  ///< written as the picture lies in its file, whole or not at all
  Recipe recipe;                 ///< layers by their names
  gui::HostLayers* layers = nullptr;
  SessionOptions session;
  std::function<bool(double)> progress;  ///< false cancels
};

/// Renders in a worker. Returns what is to be said of it, one sentence each. Throws FileError,
/// EngineError, RecipeError, Cancelled, std::bad_alloc; nothing is written then.
std::vector<Message> run(const Job& job);

}  // namespace sfumato::hosts
