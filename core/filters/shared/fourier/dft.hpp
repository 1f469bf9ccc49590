// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The discrete Fourier transform in scalar C++, for references: any size, float64. Source: Cooley
// and Tukey, An Algorithm for the Machine Calculation of Complex Fourier Series, 1965, for
// arbitrary factors; a prime factor p costs p products per sample.
#pragma once

#include <complex>
#include <vector>

#include "image/parallel_rows.hpp"

namespace sfumato {

using ComplexPlane = std::vector<std::complex<double>>;

/// Transforms width x height samples in place, row by row. Forward uses e^(-i...), inverse
/// e^(+i...); neither is scaled.
void transform_plane(ComplexPlane& data, int width, int height, bool inverse,
                     const ParallelRows& rows);

/// Transforms a picture mirrored in both directions without repeating its edges; only width x
/// height samples and as many frequencies are stored. Forward and inverse are the same.
void transform_even_plane(ComplexPlane& data, int width, int height, const ParallelRows& rows);

/// Arithmetic per sample of one transform, roughly.
double transform_work(int width, int height);

}  // namespace sfumato
