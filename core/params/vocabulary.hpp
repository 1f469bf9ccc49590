// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The shared vocabulary: parameters that mean the same in every filter, each defined once.
#pragma once

#include <string_view>
#include <vector>

#include "params/parameter.hpp"

namespace sfumato {

/// The definition of a word, for a filter to use as it is or to narrow:
/// `vocabulary("sigma").with_default(1.4).with_valid({0, 100})`. Open choices (method, show,
/// channels, operator, operation, shape, weights, band, from, to) need with_choices(). Throws
/// std::logic_error, naming the nearest word, if the name is unknown.
///
/// Lengths: sigma, radius, close_gaps, spacing. Values: range_sigma, threshold, low_threshold,
/// high_threshold, normal_threshold, depth_threshold, normal_sigma, depth_sigma. Amounts: amount,
/// intensity, gain, factor, offset, mix, angle, iterations, order, cutoff, cutoff_high, seed.
/// Choices: border, light, distance and the open ones. Switches: normalise, grayscale, centred.
/// Images: mask, normal, depth, guide, kernel. Weights: matrix, row, column. Others: gradient,
/// curve.
const Parameter& vocabulary(std::string_view name);

/// A Gaussian of a smaller sigma is the identity: its outer weights vanish in float precision.
inline constexpr double least_sigma = 0.05;

/// All words, in order of definition.
const std::vector<Parameter>& vocabulary();

}  // namespace sfumato
