// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A curve through points, as used by the filter and by its drawing.
#pragma once

#include <vector>

#include "params/value.hpp"

namespace sfumato {

/// y = ((c * t + b) * t + slope) * t + y0 with t = x - x0, up to the next piece.
struct CurvePiece {
  double x0 = 0, y0 = 0, slope = 0, b = 0, c = 0;
};

/// Monotone cubics after Fritsch and Carlson (1980), with the slopes of Fritsch and Butland (1984).
/// The first piece is constant before the first point, the last one after the last.
std::vector<CurvePiece> pieces_of(const Curve& curve);

double curve_at(const std::vector<CurvePiece>& pieces, double x);

}  // namespace sfumato
