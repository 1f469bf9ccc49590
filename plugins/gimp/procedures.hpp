// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What GIMP is offered: a procedure for every filter, and the entries of its menu.
#pragma once

#include <string>
#include <vector>

#include "filters/registry.hpp"
#include "text/message.hpp"

namespace sfumato::gimp {

struct Procedure {
  std::string name;   ///< "plug-in-sfumato-gaussian"
  std::string label;  ///< of its menu entry
  std::string blurb, help;
  std::string menu;                ///< "<Image>/Filters/Sfumato"; empty: for scripts alone
  const Filter* filter = nullptr;  ///< null: any, chosen in the dialog
  std::string category;            ///< where the dialog begins
  Message said = {};               ///< the blurb of what is no filter
};

/// The whole browser first, then categories, then filters. No window and no device is needed.
const std::vector<Procedure>& procedures();
const Procedure* find_procedure(const std::string& name);

/// A parameter as an argument: its name with '-' for '_', and what it takes, for people.
std::string argument_name(const Parameter& parameter);
std::string argument_help(const Parameter& parameter);

}  // namespace sfumato::gimp
