// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A table from black to white, interpolated linearly.
#include "preview/tone.hpp"

#include <algorithm>
#include <cmath>

namespace sfumato::gui {
namespace {

constexpr double steep = 0.02;  // relative to white; below it the curve is computed

}  // namespace

Tone::Tone(Coding from, Coding to, double exposure)
    : from_(from), to_(to), gain_(std::exp2(exposure)), direct_(exposure == 0 && from == to) {
  if (direct_) return;
  white_ = encode(from, 1 / gain_);
  for (int i = 0; i <= steps; ++i) {
    table_[static_cast<std::size_t>(i)] = static_cast<float>(sample(white_ * i / steps));
  }
}

void Tone::convert(const float* stored, int count, quint16* samples) const {
  if (!direct_) {
    for (int i = 0; i < count; ++i) samples[i] = (*this)(stored[i]);
    return;
  }
  for (int i = 0; i < count; ++i) {
    const float bounded = std::min(1.0f, std::max(0.0f, stored[i]));  // 0 for NaN
    samples[i] = static_cast<quint16>(static_cast<int>(65535.0f * bounded + 0.5f));
  }
}

double Tone::sample(double stored) const {
  return 65535 * std::clamp(encode(to_, decode(from_, stored) * gain_), 0.0, 1.0);
}

quint16 Tone::by_table(float stored) const {
  const double part = static_cast<double>(stored) / white_;
  if (part >= 1) return 65535;
  if (part < steep) return static_cast<quint16>(sample(static_cast<double>(stored)) + 0.5);
  const double at = part * steps;
  const auto i = static_cast<std::size_t>(at);
  const double low = static_cast<double>(table_[i]), high = static_cast<double>(table_[i + 1]);
  return static_cast<quint16>(low + (high - low) * (at - static_cast<double>(i)) + 0.5);
}

}  // namespace sfumato::gui
