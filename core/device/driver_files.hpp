// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The installed OpenCL drivers, found as the ICD loader finds them, without loading any.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sfumato {

/// One driver: an .icd file that names a library, or a library named directly by the environment.
struct DriverFile {
  std::filesystem::path icd;  ///< the .icd file, perhaps a link; empty: named by the environment
  std::string library;        ///< as the loader opens it: a path, or a name to search for
  bool listed = false;        ///< from OCL_ICD_FILENAMES

  /// For the user: "pocl.icd" or the library's name, without control characters.
  std::string name() const;
  /// The same for all versions; every version() begins with it.
  std::string identity() const;
  /// Changes with the files: paths, sizes and times of the .icd file and its library.
  std::string version() const;
};

/// The drivers named by the environment (OCL_ICD_VENDORS, OPENCL_VENDOR_PATH, OCL_ICD_FILENAMES)
/// and by /etc/OpenCL/vendors, sorted by name. Unreadable files are left out, as the loader does.
/// Throws only std::bad_alloc.
std::vector<DriverFile> list_driver_files();

/// Changes when libraries are installed or removed: the time of the linker's cache.
std::string linker_state();

}  // namespace sfumato
