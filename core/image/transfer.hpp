// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Pixels from one description to another, in scalar code: the reference of cl/engine/transfer.cl.
#pragma once

#include "image/format.hpp"
#include "image/parallel_rows.hpp"

namespace sfumato {

/// What the numbers of a float image mean at some moment.
struct PixelState {
  Coding coding = Coding::linear();
  AlphaKind alpha = AlphaKind::none;
  bool operator==(const PixelState&) const = default;
};

/// One pixel's colour and alpha from one state to another, in place; `channels` is 1 or 4. Colour
/// premultiplied with alpha 0 has no straight form and passes as it is.
void convert_pixel(float* pixel, int channels, const PixelState& from, const PixelState& to);

/// Stored pixels to float pixels of `to.channels` (1 or 4) in `state`.
void load_pixels(const HostView& from, const PictureFormat& format, const FloatView& to,
                 const PixelState& state, const ParallelRows& rows);

/// Whether colour under full transparency can be kept from `before` in `after`: the same channels
/// and coding, and alpha that was straight.
inline bool keeps_hidden_color(const PictureFormat& before, const PictureFormat& after) {
  return after.has_alpha() && before.channels == after.channels &&
         before.alpha == AlphaKind::straight && before.coding == after.coding;
}

/// Float pixels in `state` to stored ones. Where `original` (stored as `format` has it, same
/// channels, maybe another type) and the result are both transparent, the original's colour is
/// kept. `dither` rounds integers by a fixed pattern instead of to nearest.
void store_pixels(const FloatView& from, const PixelState& state, const HostView& to,
                  const PictureFormat& format, const HostView* original,
                  const PictureFormat* original_format, bool dither, const ParallelRows& rows);

/// One stored sample as a number (integers: 0..1), and back (NaN becomes 0 in integers).
float read_sample(const void* sample, SampleType type);
void write_sample(void* sample, SampleType type, float value, float rounding);

}  // namespace sfumato
