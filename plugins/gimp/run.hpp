// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// One call of a procedure, whichever GIMP it comes from.
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
  Values values;                      ///< for Mode::given; the rest is at its default
  std::map<std::string, Item> roles;  ///< likewise
};

struct Outcome {
  enum class Kind { done, cancelled, failed };
  Kind kind = Kind::done;
  std::vector<Message> messages;
};

/// Never throws; where it fails or is cancelled the image is as it was.
Outcome run(const Call& call) noexcept;

/// What is said of it in the user's language, a line each.
std::string words_of(const Outcome& outcome) noexcept;

/// How the drawable's pixels of that format lie on its image.
PixelFile header_of(Item drawable, const PictureFormat& format);

/// The dialog on a drawable; false: it was cancelled. Layers are named in the recipe.
bool ask(const Procedure& procedure, Item drawable, Recipe& recipe);

}  // namespace sfumato::gimp
