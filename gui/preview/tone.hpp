// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Converts stored numbers to displayed samples.
#pragma once

#include <QtGlobal>
#include <algorithm>
#include <array>

#include "image/format.hpp"

namespace sfumato::gui {

/// From stored numbers to 16-bit samples on another curve, `exposure` stops brighter. NaN is black.
/// Thread-safe.
class Tone {
 public:
  Tone(Coding from, Coding to, double exposure);

  quint16 operator()(float stored) const {
    if (!(stored > 0)) return 0;
    if (direct_) return static_cast<quint16>(65535 * std::min(stored, 1.0f) + 0.5f);
    return by_table(stored);
  }
  /// The same for `count` numbers.
  void convert(const float* stored, int count, quint16* samples) const;
  /// The stored number that becomes white; larger ones are clipped.
  double white() const { return white_; }

 private:
  static constexpr int steps = 4096;

  quint16 by_table(float stored) const;
  double sample(double stored) const;

  Coding from_, to_;
  double gain_, white_ = 1;
  bool direct_;                           // samples equal the stored numbers
  std::array<float, steps + 1> table_{};  // from 0 to white
};

}  // namespace sfumato::gui
