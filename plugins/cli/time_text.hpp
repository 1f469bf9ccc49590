// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Remaining time in words.
#pragma once

#include <string>

namespace sfumato::cli {

/// "40 s left", "5 min left", "2 h 10 min left", given the part (0..1) done in so many seconds;
/// empty while too little is done for an estimate.
std::string time_left(double part, double seconds);

}  // namespace sfumato::cli
