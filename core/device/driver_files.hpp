// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The OpenCL drivers that are installed, as the ICD loader finds them, without loading any.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sfumato {

/// One driver: a file that names a library, or a library that the environment names by itself.
struct DriverFile {
  std::filesystem::path icd;  ///< the .icd file, perhaps a link; empty: the environment names it
  std::string library;        ///< as the loader opens it: a path, or a name to look for
  bool listed = false;        ///< from OCL_ICD_FILENAMES

  /// What people are told: "pocl.icd", or the library's name; without control characters.
  std::string name() const;
  /// The same for all versions; each of them begins with it.
  std::string identity() const;
  /// Changes with the files: paths, sizes and times of the .icd file and its library.
  std::string version() const;
};

/// The drivers that the environment (OCL_ICD_VENDORS, OPENCL_VENDOR_PATH, OCL_ICD_FILENAMES) and
/// /etc/OpenCL/vendors name, in the order of their names. Files that cannot be read are left out,
/// as the loader leaves them. Never throws but std::bad_alloc.
std::vector<DriverFile> list_driver_files();

/// Changes when libraries were installed or taken away: the time of the linker's cache.
std::string linker_state();

}  // namespace sfumato
