// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Estimates are no more exact than what is known.
#include "time_text.hpp"

#include <cmath>
#include <cstdint>

namespace sfumato::cli {
namespace {

// Either one is enough for an estimate.
constexpr double enough_done = 0.01, enough_time = 2;
constexpr double longest = 1e9;  // seconds; more is not a useful estimate

}  // namespace

std::string time_left(double part, double seconds) {
  if (!(part > 0) || (part <= enough_done && seconds < enough_time)) return {};
  const double left = part < 1 ? seconds / part - seconds : 0;
  if (!(left < longest)) return {};
  const auto whole = static_cast<std::int64_t>(std::lround(left));
  if (whole < 90) return std::to_string(whole) + " s left";
  const std::int64_t minutes = (whole + 30) / 60;
  if (minutes < 60) return std::to_string(minutes) + " min left";
  std::string text = std::to_string(minutes / 60) + " h";
  if (minutes % 60 != 0) text += " " + std::to_string(minutes % 60) + " min";
  return text + " left";
}

}  // namespace sfumato::cli
