// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Smaller pictures, for previews.
#pragma once

#include "image/format.hpp"
#include "image/parallel_rows.hpp"

namespace sfumato {

/// What reduce() makes of a picture of that format: float samples, the same channels, alpha kind
/// and coding, sides divided by `factor` and rounded up.
PictureFormat reduced_format(const PictureFormat& format, int factor);

/// Every pixel of `to` becomes the mean of factor x factor pixels of `from` (fewer at the right and
/// lower edge), as light, colour weighted by alpha: what a screen shows of a picture seen from
/// afar. `from` holds the whole picture; `to` all of reduced_format(). `factor` is 1 or more.
/// Throws Cancelled.
void reduce(const HostView& from, const PictureFormat& format, int factor, const HostView& to,
            const ParallelRows& rows);

}  // namespace sfumato
