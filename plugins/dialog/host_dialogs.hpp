// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Asks a host's user for one filter, or for several one after another.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "dialog/filter_dialog.hpp"
#include "params/recipe.hpp"

namespace sfumato::hosts {

struct Question {
  gui::PicturePtr picture;
  std::string filter;          ///< the only one; empty: any
  std::string category;        ///< with which the browser of filters begins
  std::optional<Recipe> last;  ///< the recipe that was applied last, to begin with
  std::string notice;          ///< shown at first, in the user's language
  SessionOptions session;
  gui::HostLayers* layers = nullptr;
  unsigned long long host_window = 0;  ///< as put_before() takes it
  /// Called every half second; false closes the window. May be empty.
  std::function<bool()> host_is_there;
};

/// Begins with a recipe that was kept. If it cannot be read, as when a newer version wrote it, the
/// dialog is shown all the same and says why.
void begin_with(Question& question, const std::string& recipe);

/// Shows the filter dialog, and the one for several steps if the user wants it. Returns the recipe
/// to apply, or nullopt if the user cancels. GUI thread, after set_up_application().
std::optional<Recipe> ask_for_recipe(const Question& question);

}  // namespace sfumato::hosts
