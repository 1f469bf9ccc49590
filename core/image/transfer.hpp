// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Conversion of pixels between descriptions, in scalar code: the reference of
// cl/engine/transfer.cl.
#pragma once

#include "image/format.hpp"
#include "image/parallel_rows.hpp"

namespace sfumato {

/// What the numbers of a float image mean at one point of the pipeline.
struct PixelState {
  Coding coding = Coding::linear();
  AlphaKind alpha = AlphaKind::none;
  bool operator==(const PixelState&) const = default;
};

/// Converts one pixel between states, in place; `channels` is 1 or 4. Premultiplied colour with
/// alpha 0 has no straight form and passes unchanged.
void convert_pixel(float* pixel, int channels, const PixelState& from, const PixelState& to);

/// Stored pixels to float pixels of `to.channels` (1 or 4) in `state`.
void load_pixels(const HostView& from, const PictureFormat& format, const FloatView& to,
                 const PixelState& state, const ParallelRows& rows);

/// Whether colour under full transparency can be carried from `before` to `after`: equal channels
/// and coding, and straight alpha before.
inline bool keeps_hidden_color(const PictureFormat& before, const PictureFormat& after) {
  return after.has_alpha() && before.channels == after.channels &&
         before.alpha == AlphaKind::straight && before.coding == after.coding;
}

/// Float pixels in `state` to stored pixels. Where `original` (in `format`, with the same channels
/// but perhaps another type) and the result are both transparent, the original colour is kept.
/// `dither` rounds integers by a fixed pattern instead of to nearest.
void store_pixels(const FloatView& from, const PixelState& state, const HostView& to,
                  const PictureFormat& format, const HostView* original,
                  const PictureFormat* original_format, bool dither, const ParallelRows& rows);

/// Reads one stored sample as a number (integers: 0..1), and writes it (NaN becomes 0 in integers).
float read_sample(const void* sample, SampleType type);
void write_sample(void* sample, SampleType type, float value, float rounding);

}  // namespace sfumato
