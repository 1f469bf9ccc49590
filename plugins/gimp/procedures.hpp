// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The procedures offered to GIMP, one per filter, and the menu entries.
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
  std::string menu;                ///< "<Image>/Filters/Sfumato"; empty: for scripts only
  const Filter* filter = nullptr;  ///< null: chosen in the dialog
  std::string category;            ///< initially shown in the dialog
  Message said = {};               ///< description of a procedure that is not a filter
};

/// The full browser first, then categories, then filters. Needs no window and no device.
const std::vector<Procedure>& procedures();
const Procedure* find_procedure(const std::string& name);

/// The name of a parameter as an argument, with '-' for '_', and a description of its values.
std::string argument_name(const Parameter& parameter);
std::string argument_help(const Parameter& parameter);

}  // namespace sfumato::gimp
