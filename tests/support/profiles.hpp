// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Colour profiles as bytes of files.
#pragma once

#include <lcms2.h>

#include <vector>

namespace sfumato::testing {

/// Saves the profile to bytes and closes it.
inline std::vector<unsigned char> saved(cmsHPROFILE profile) {
  cmsUInt32Number size = 0;
  cmsSaveProfileToMem(profile, nullptr, &size);
  std::vector<unsigned char> out(size);
  cmsSaveProfileToMem(profile, out.data(), &size);
  cmsCloseProfile(profile);
  return out;
}

}  // namespace sfumato::testing
