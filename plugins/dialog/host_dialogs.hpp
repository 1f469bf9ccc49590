// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What a host's user is asked: one filter, or several one after another.
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
  std::string category;        ///< where the browser of filters begins
  std::optional<Recipe> last;  ///< what was applied the last time, to begin with
  std::string notice;          ///< what is said at first, in the user's language
  SessionOptions session;
  gui::HostLayers* layers = nullptr;
  unsigned long long host_window = 0;  ///< as put_before() takes it
  /// Asked now and then; false closes the window. May be empty.
  std::function<bool()> host_is_there;
};

/// Takes a recipe as it was kept, or has the dialog say why it cannot be read: one of a newer
/// version is no reason to show none.
void begin_with(Question& question, const std::string& recipe);

/// Shows the filter dialog, and the one of several steps where that is wanted. What OK applies, or
/// nullopt. GUI thread, after set_up_application().
std::optional<Recipe> ask_for_recipe(const Question& question);

}  // namespace sfumato::hosts
