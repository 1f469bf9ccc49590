// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Drawables as libgimp knows them: what both versions of GIMP have in common is built on this.
#pragma once

#include <libgimp/gimp.h>

#include "gimp/host.hpp"

namespace sfumato::gimp {

#if GIMP_MAJOR_VERSION >= 3
using DrawableHandle = GimpDrawable*;
using ImageHandle = GimpImage*;
#else
using DrawableHandle = gint32;
using ImageHandle = gint32;
#endif

/// Throw HostError where the drawable is gone.
DrawableHandle drawable_of(Item drawable);
ImageHandle image_of(Item drawable);

/// What may keep a drawable from being filtered.
struct DrawableState {
  bool is_group, is_locked, is_in_locked_group, is_indexed;
};

/// As objection_to(Item) of a drawable that is there.
Message objection_to(const DrawableState& state);

}  // namespace sfumato::gimp
