// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// How a morphological operation is computed: its kernel launches, as data. pass_plan.hpp says how
// passes are executed; the kernels are those of morphology.cl.
#pragma once

#include <vector>

#include "filters/shared/pass_plan.hpp"

namespace sfumato {

enum class MorphologyOperation : int { dilate, erode, open, close, gradient, tophat, blackhat };
enum class MorphologyShape : int { square, disk, diamond };

struct MorphologyRequest {
  MorphologyOperation operation = MorphologyOperation::dilate;
  MorphologyShape shape = MorphologyShape::square;
  int radius = 1;
  int channels = 4;       ///< 4: straight colour and alpha; 1: gray
  bool has_alpha = true;  ///< pixels of alpha 0 are left out and stay unchanged
  PixelStorage storage = PixelStorage::f32;
  PlanDevice device;
};

/// Half-lengths of the element's rows; [d] applies to the rows d above and below the centre.
std::vector<int> morphology_chords(MorphologyShape shape, int radius);

/// The reach of the operation in radii: 1, or 2 for a dilation and an erosion in sequence.
int morphology_stages(MorphologyOperation operation);

/// Rows of scratch memory are as long as a multiple of this many pixels.
int morphology_row_multiple(const MorphologyRequest& request);

/// Device memory besides input and output, in bytes per pixel of the input.
double morphology_scratch(const MorphologyRequest& request);

/// The passes that compute exactly `out` from `in`, which must hold every pixel that the border
/// rule of `edge` may need within radius times stages of `out`.
PassPlan plan_morphology(const MorphologyRequest& request, const Plane& in, const Edge& edge,
                         const Plane& out);

}  // namespace sfumato
