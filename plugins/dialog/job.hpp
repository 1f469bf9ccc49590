// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Applies a recipe to pixels from a host, through a selection.
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
  /// Likewise, gray, on the same canvas; empty: all is selected. If the picture has alpha, the
  /// selection scales the result's opacity, and the host lays it over the picture; otherwise it is
  /// blended with the picture here.
  std::filesystem::path selection;
  std::string title;             ///< of the picture, for messages; empty: none
  std::filesystem::path result;  ///< written atomically, in the form of the picture's file
  Recipe recipe;                 ///< refers to layers by name
  gui::HostLayers* layers = nullptr;
  SessionOptions session;
  std::function<bool(double)> progress;  ///< receives the part done, 0 to 1; false cancels
};

/// Renders in a worker. Returns warnings, one sentence each. Throws FileError, EngineError,
/// RecipeError, Cancelled or std::bad_alloc; nothing is written then.
std::vector<Message> run(const Job& job);

}  // namespace sfumato::hosts
