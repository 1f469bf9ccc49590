// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Smaller pictures, for previews.
#pragma once

#include "image/format.hpp"
#include "image/parallel_rows.hpp"

namespace sfumato {

/// The format of reduce()'s result: float samples, the same channels, alpha kind and coding, and
/// sides divided by `factor`, rounded up.
PictureFormat reduced_format(const PictureFormat& format, int factor);

/// Every pixel of `to` becomes the mean of factor x factor pixels of `from` (fewer at the right and
/// lower edge), in linear light with colour weighted by alpha. `from` holds the whole picture, `to`
/// all of reduced_format(). `factor` is at least 1. Throws Cancelled.
void reduce(const HostView& from, const PictureFormat& format, int factor, const HostView& to,
            const ParallelRows& rows);

}  // namespace sfumato
