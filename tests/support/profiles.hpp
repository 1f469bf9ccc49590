// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Colour profiles as the bytes that files hold.
#pragma once

#include <lcms2.h>

#include <vector>

namespace sfumato::testing {

/// The profile as bytes; closes it.
inline std::vector<unsigned char> saved(cmsHPROFILE profile) {
  cmsUInt32Number size = 0;
  cmsSaveProfileToMem(profile, nullptr, &size);
  std::vector<unsigned char> out(size);
  cmsSaveProfileToMem(profile, out.data(), &size);
  cmsCloseProfile(profile);
  return out;
}

}  // namespace sfumato::testing
