// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Temporary files beside outputs.
#pragma once

#include <sys/types.h>

#include <filesystem>

#include "device/descriptor.hpp"
#include "device/left_over.hpp"

namespace sfumato::files {

/// A file beside its target that will take the target's name: hidden, with the target's extension,
/// and locked as long as it is being written, so that others can tell it from one that was left
/// behind. It follows its folder if that is renamed or moved meanwhile. One thread at a time.
class Temporary {
 public:
  /// Creates it with these permissions. Where that fails, descriptor() is -1 and errno says why.
  Temporary(const std::filesystem::path& target, mode_t permissions);
  /// Removes it, unless it was renamed.
  ~Temporary();
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  /// As it was made; empty once it is renamed or removed.
  const std::filesystem::path& path() const { return path_; }
  /// Where it and its target are now, whatever their folder is called meanwhile: for calls of this
  /// process to the system, not for messages. Valid as long as this.
  std::filesystem::path path_now() const;
  std::filesystem::path target_now() const;
  /// The open folder, as openat() takes it; -1 if there is none.
  int folder() const { return folder_.get(); }
  int descriptor() const { return descriptor_; }
  /// Closes the file, which stays locked. Returns 0 or an errno value.
  int close();
  /// Gives it its target's name, after close(). Without `replace`, EEXIST if there is such a file.
  /// Returns 0 or an errno value.
  int rename(bool replace);
  void remove() noexcept;

 private:
  bool create(mode_t permissions);
  std::filesystem::path now(const std::filesystem::path& path) const;
  void forget() noexcept;

  std::filesystem::path target_, path_;
  Descriptor folder_;
  int descriptor_ = -1;
  int lock_ = -1;  // keeps the lock between close() and rename()
  int slot_ = -1;  // in the table of remove_temporaries()
};

/// The temporary that this program is writing for a target; empty: none. Any thread.
std::filesystem::path temporary_in_work(const std::filesystem::path& target);

}  // namespace sfumato::files
