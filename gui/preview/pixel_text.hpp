// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The numbers of one pixel in words.
#pragma once

#include <QString>

#include "io/io.hpp"

namespace sfumato::gui {

/// The samples of a pixel of float `values`, as a picture of samples of `type` would hold them:
/// whole numbers for integers, by the user's locale.
QString pixel_text(const HeldPicture& values, int x, int y, SampleType type);

}  // namespace sfumato::gui
