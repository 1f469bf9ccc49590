// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// One call of a procedure, independent of GIMP's version.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gimp/host.hpp"
#include "gimp/procedures.hpp"
#include "io/pixel_file.hpp"

namespace sfumato::gimp {

enum class Mode { ask, given, last };

struct Call {
  const Procedure* procedure = nullptr;
  Mode mode = Mode::given;
  Item drawable = 0;
  Values values;                      ///< for Mode::given; missing values take their default
  std::map<std::string, Item> roles;  ///< likewise
};

struct Outcome {
  enum class Kind { done, cancelled, failed };
  Kind kind = Kind::done;
  std::vector<Message> messages;
};

/// Never throws. If it fails or is cancelled, the image stays unchanged.
Outcome run(const Call& call) noexcept;

/// The messages of the outcome in the user's language, one per line.
std::string words_of(const Outcome& outcome) noexcept;

/// Describes how the drawable's pixels of that format lie on its image.
PixelFile header_of(Item drawable, const PictureFormat& format);

/// Runs the dialog on a drawable; false if it was cancelled. The recipe refers to layers by name.
bool run_dialog(const Procedure& procedure, Item drawable, Recipe& recipe);

}  // namespace sfumato::gimp
