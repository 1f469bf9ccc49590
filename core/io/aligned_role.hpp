// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Aligns a role picture with the picture that it belongs to.
#pragma once

#include "io/io.hpp"

namespace sfumato::files {

/// Presents `role` at the size of `of`, so that corresponding pixels have the same coordinates (see
/// ReadOptions::of). Returns `role` itself if it is aligned already. `name` is the role's, for
/// messages. Throws FileError if the two cannot be aligned.
std::unique_ptr<InputPicture> align_role(std::unique_ptr<InputPicture> role, const InputPicture& of,
                                         const std::string& name);

}  // namespace sfumato::files
