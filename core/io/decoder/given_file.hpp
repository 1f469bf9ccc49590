// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Opening by name where nothing can be opened: for the decoder's program alone.
#pragma once

#include "io/decoder/serve.hpp"

namespace sfumato::decoder {

/// From here on open(2), fopen(3) and stat(2) of this program and of the libraries that it loads
/// find this file, by exactly this path, and no other. It can be open as often at a time as it has
/// descriptors. Before, they do as they always do.
void give_file(GivenFile file);

}  // namespace sfumato::decoder
