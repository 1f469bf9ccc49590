// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// GEGL operations, one per filter of the registry.
#pragma once

#include <glib-object.h>

namespace sfumato::gegl {

/// Registers `sfumato:<id>` for every filter that is not registered yet.
void register_operations(GTypeModule* module);

}  // namespace sfumato::gegl
