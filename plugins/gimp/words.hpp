// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What GIMP's menus say of our procedures.
#pragma once

#include "gimp/procedures.hpp"

namespace sfumato::gimp {

struct Words {
  std::string label, blurb;
};

/// In the language of the application; see hosts::Language.
Words words_of(const Procedure& procedure);

}  // namespace sfumato::gimp
