// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Libraries in place of those that OpenImageIO is linked with but that Sfumato never uses.
#pragma once

#include <filesystem>
#include <vector>

namespace sfumato::files {

/// For programs in which only Sfumato loads libraries, before the first picture: the file module
/// comes with stand-ins for the libraries that read movies and cameras, which load two hundred
/// others. Where plug-ins of others may want the true ones, it must not be called.
void use_stand_ins();

/// The stand-ins in a folder, loaded if the program uses them.
class StandIns {
 public:
  explicit StandIns(const std::filesystem::path& folder);
  StandIns(const StandIns&) = delete;
  StandIns& operator=(const StandIns&) = delete;
  /// Unloads those that nothing was linked with.
  ~StandIns();

  explicit operator bool() const { return !loaded_.empty(); }

 private:
  std::vector<void*> loaded_;
};

}  // namespace sfumato::files
