// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Estimates kernel rates from waiting times.
#include "device/pace.hpp"

#include <algorithm>

namespace sfumato {

Pace::Rate Pace::rate_of(Kernel kernel) const {
  const auto found = rates_.find(kernel);
  return found == rates_.end() ? Rate{first_rate_, false} : found->second;
}

double Pace::pending_seconds() const {
  double sum = 0;
  for (const auto& [kernel, work] : pending_) sum += work / rate_of(kernel).per_second;
  return sum;
}

std::size_t Pace::fitting(Kernel kernel, double unit_work, std::size_t units,
                          std::size_t together) const {
  const Rate rate = rate_of(kernel);
  const double unit = unit_work / rate.per_second;
  const double room = most - pending_seconds();
  if (unit * static_cast<double>(units) <= room) return units;
  if (busy()) return 0;
  const double part = rate.measured ? most : most / 8;
  const auto fits = static_cast<std::size_t>(part / unit) / together * together;
  return std::min(std::max(fits, together), units);
}

void Pace::launched(Kernel kernel, double work) {
  pending_[kernel] += work;
}

void Pace::waited(double seconds) {
  // With several kernels in flight their shares are unknown: the correction applies to all alike.
  const double wrong = pending_seconds() / std::max(seconds, 1e-6);
  for (const auto& [kernel, work] : pending_) {
    Rate rate = rate_of(kernel);
    // The first launch may include compilation, so it says little about slowness.
    rate.per_second *= std::clamp(wrong, rate.measured ? 1.0 / 64 : 1.0 / 4, 64.0);
    rate.measured = true;
    rates_[kernel] = rate;
  }
  pending_.clear();
}

}  // namespace sfumato
