// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Files and profiles that say of which colours they are.
#pragma once

#include <lcms2.h>

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "io/raw_files.hpp"
#include "support/files.hpp"
#include "support/profiles.hpp"

namespace sfumato::testing {

/// A PNG file of random numbers with chunks for its colours, and nothing else that is said of them.
inline void make_png(const std::filesystem::path& path, const OIIO::ImageSpec& spec,
                     const std::string& chunks) {
  make_file(path, {spec});
  put(path, with_chunks(without_chunks(content(path), "sRGB gAMA cHRM"), chunks));
}

inline OIIO::ImageSpec small(int channels, OIIO::TypeDesc type) {
  OIIO::ImageSpec s(24, 18, channels, type);
  if (channels == 4) s.attribute("oiio:UnassociatedAlpha", 1);
  return s;
}

/// A profile with Adobe RGB's primaries, which no number of H.273 names, and a gamma of 2.2.
inline std::vector<unsigned char> gamma_profile() {
  const cmsCIExyY white = {0.3127, 0.3290, 1};
  const cmsCIExyYTRIPLE colors = {{0.64, 0.33, 1}, {0.21, 0.71, 1}, {0.15, 0.06, 1}};
  cmsToneCurve* curve = cmsBuildGamma(nullptr, 2.2);
  const std::array<cmsToneCurve*, 3> curves = {curve, curve, curve};
  auto out = saved(cmsCreateRGBProfile(&white, &colors, curves.data()));
  cmsFreeToneCurve(curve);
  return out;
}

}  // namespace sfumato::testing
