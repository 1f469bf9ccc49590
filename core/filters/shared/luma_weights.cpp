// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Maps names to weights.
#include "filters/shared/luma_weights.hpp"

#include "params/vocabulary.hpp"

namespace sfumato {

Parameter weights_word() {
  return vocabulary("weights").with_choices(
      {{"rec601", "Rec. 601", "0.299, 0.587, 0.114: luma of standard television"},
       {"rec709", "Rec. 709", "0.2126, 0.7152, 0.0722: luma of HDTV and sRGB"},
       {"average", "Average", "one third each"},
       {"night", "Night vision", "0.3, 0.59, 0.11"}});
}

std::array<float, 4> gray_weights(const Values& values) {
  const std::string& name = values.choice("weights");
  if (name == "rec709") return {0.2126f, 0.7152f, 0.0722f, 0};
  if (name == "average") return {1.0f / 3, 1.0f / 3, 1.0f / 3, 0};
  if (name == "night") return {0.3f, 0.59f, 0.11f, 0};
  return {0.299f, 0.587f, 0.114f, 0};
}

}  // namespace sfumato
