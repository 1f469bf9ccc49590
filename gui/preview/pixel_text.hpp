// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The values of one pixel as text.
#pragma once

#include <QString>

#include "io/io.hpp"

namespace sfumato::gui {

/// The samples of a pixel of float `values`, as a picture with samples of `type` would store them:
/// integers for integer types, in the user's locale.
QString pixel_text(const HeldPicture& values, int x, int y, SampleType type);

}  // namespace sfumato::gui
