// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Text within HTML and SVG.
#pragma once

#include <string>
#include <string_view>

namespace sfumato {

/// With the characters that mark elements and attributes as entities; others that XML does not
/// allow become U+FFFD.
std::string escaped(std::string_view text);

/// RFC 4648.
std::string base64(std::string_view bytes);

}  // namespace sfumato
