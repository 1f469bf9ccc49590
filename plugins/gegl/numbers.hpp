// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Babl formats that the engine can read as stored.
#pragma once

#include "gegl.hpp"

#include <optional>

#include "image/format.hpp"

namespace sfumato::gegl {

/// The curve of encoded numbers in a space: sRGB's, a power, or linear; nullopt for any other.
std::optional<Coding> coding_of(const Babl* space);

/// Whether there is a single channel besides alpha.
bool is_gray(const Babl* format);

/// The description of a format, without a size: gray or colour, with straight or no alpha, with a
/// type and a curve that the engine knows; nullopt for any other.
std::optional<PictureFormat> stored_format(const Babl* format);

}  // namespace sfumato::gegl
