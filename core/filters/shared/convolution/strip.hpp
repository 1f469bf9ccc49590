// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A few products of columns and rows in one pass on GPUs. Private to the planners.
#pragma once

#include <memory>

#include "filters/shared/convolution/convolution.hpp"

namespace sfumato {

/// Whether the pass can compute these products on this device: at most three, of at most 72 rows
/// and columns.
bool fits_strip(const Convolution& convolution);

/// Launches the pass; `sums` are the sums of weights that a border may leave out.
void run_strip(const Convolution& convolution, const TileJob& job, Passes& passes,
               const std::shared_ptr<DeviceMemory>& sums);

}  // namespace sfumato
