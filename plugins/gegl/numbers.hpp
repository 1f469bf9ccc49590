// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Babl's formats that the engine reads as they are stored.
#pragma once

#include "gegl.hpp"

#include <optional>

#include "image/format.hpp"

namespace sfumato::gegl {

/// The curve of coded numbers in a space: sRGB's, a power, or none; nullopt: another.
std::optional<Coding> coding_of(const Babl* space);

/// Whether there is one number beside alpha.
bool is_gray(const Babl* format);

/// What a format's numbers are, without a size: gray or colour, no alpha or straight, of a type and
/// a curve that the engine knows; nullopt: another.
std::optional<PictureFormat> stored_format(const Babl* format);

}  // namespace sfumato::gegl
