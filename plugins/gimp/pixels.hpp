// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// How GIMP's numbers go over: as they are where the engine has such, as floats otherwise.
#pragma once

#include <gegl.h>

#include "image/format.hpp"

namespace sfumato::gimp {

struct Numbers {
  PictureFormat format;
  const Babl* babl = nullptr;
  bool has_other_curve =
      false;  ///< samples by a curve that the engine has not; sRGB's stands for it
};

/// Of a buffer; not for indexed ones.
Numbers numbers_of(GeglBuffer* buffer);

}  // namespace sfumato::gimp
