// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A role's picture laid on the picture that it belongs to.
#pragma once

#include "io/io.hpp"

namespace sfumato::files {

/// Presents `role` at `of`'s size, so that pixels that belong together meet, as
/// ReadOptions::of promises; as it is where nothing is to be done. `name` is the role's, for
/// messages. Throws FileError where the two cannot be laid on each other.
std::unique_ptr<InputPicture> align_role(std::unique_ptr<InputPicture> role, const InputPicture& of,
                                         const std::string& name);

}  // namespace sfumato::files
