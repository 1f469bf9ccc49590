// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The texts of our procedures in GIMP's menus.
#pragma once

#include "gimp/procedures.hpp"

namespace sfumato::gimp {

struct Words {
  std::string label, blurb;
};

/// In the application's language; see hosts::Language.
Words words_of(const Procedure& procedure);

}  // namespace sfumato::gimp
