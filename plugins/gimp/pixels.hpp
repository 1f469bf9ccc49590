// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// How GIMP's pixels are passed on: unchanged if the engine has their format, as floats otherwise.
#pragma once

#include <gegl.h>

#include "image/format.hpp"

namespace sfumato::gimp {

struct Numbers {
  PictureFormat format;
  const Babl* babl = nullptr;
  bool has_other_curve =
      false;  ///< samples with a curve unknown to the engine, for which sRGB's stands in
};

/// The format of a buffer, which must not be indexed.
Numbers numbers_of(GeglBuffer* buffer);

}  // namespace sfumato::gimp
