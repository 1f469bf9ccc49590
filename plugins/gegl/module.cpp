// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The entry points that GEGL looks for in a module. Registration happens twice, and the module is
// never unloaded.
#include "gegl.hpp"

#include "operation.hpp"

extern "C" {

G_MODULE_EXPORT const GeglModuleInfo* gegl_module_query(GTypeModule* module);
G_MODULE_EXPORT gboolean gegl_module_register(GTypeModule* module);

const GeglModuleInfo* gegl_module_query(GTypeModule*) {
  static const GeglModuleInfo info{GEGL_MODULE_ABI_VERSION};
  return &info;
}

gboolean gegl_module_register(GTypeModule* module) {
  try {
    sfumato::gegl::register_operations(module);
    return TRUE;
  } catch (...) {
    return FALSE;
  }
}
}
