// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// One call of a procedure, whichever GIMP it comes from.
#pragma once

#include <map>
#include <string>

#include "gimp/host.hpp"
#include "gimp/procedures.hpp"
#include "io/handover.hpp"

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
  std::string message;
};

/// Never throws; where it fails or is cancelled the image is as it was. The message is in the
/// user's language.
Outcome run(const Call& call) noexcept;

/// The same with its message in the user's language.
Outcome in_users_language(Outcome outcome) noexcept;

/// How the drawable's pixels of that format lie on its image.
Handover header_of(Item drawable, const PictureFormat& format);

/// The dialog on a drawable; false: it was cancelled. Layers are named in the recipe.
bool ask(const Procedure& procedure, Item drawable, Recipe& recipe);

}  // namespace sfumato::gimp
