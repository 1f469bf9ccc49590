// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// How many more files this process may open.
#pragma once

#include <mutex>

namespace sfumato {

/// Whether at least so many descriptors are free below the limit of this process at this moment.
/// Takes none, so that other threads are not disturbed.
bool has_free_descriptors(int count);

/// While descriptors are scarce, only one holder of this goes on at a time; otherwise it holds
/// nothing. For what takes many at once, and for libraries that end the program without one.
[[nodiscard]] std::unique_lock<std::mutex> turn_at_scarce_descriptors();

}  // namespace sfumato
