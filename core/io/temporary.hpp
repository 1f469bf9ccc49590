// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Temporary files beside outputs: their names, and what killed programs leave of them.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace sfumato::files {

/// A file beside its target that will take the target's name: hidden, with the target's extension,
/// and locked as long as it is being written, so that others can tell it from one that was left
/// behind. One thread at a time.
class Temporary {
 public:
  /// Creates it with these permissions. Where that fails, descriptor() is -1 and errno says why.
  Temporary(const std::filesystem::path& target, mode_t permissions);
  /// Removes it, unless it was renamed.
  ~Temporary();
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  /// Empty once it is renamed or removed.
  const std::filesystem::path& path() const { return path_; }
  int descriptor() const { return descriptor_; }
  /// Closes the file, which stays locked. Returns 0 or an errno value.
  int close();
  /// Gives it its target's name, after close(). Without `replace`, EEXIST if there is such a file.
  /// Returns 0 or an errno value.
  int rename(bool replace);
  void remove() noexcept;

 private:
  bool create(mode_t permissions);
  void forget() noexcept;

  std::filesystem::path target_, path_;
  int descriptor_ = -1;
  int lock_ = -1;  // keeps the lock between close() and rename()
  int slot_ = -1;  // in the table of remove_temporaries()
};

/// The temporary that this program is writing for a target; empty: none. Any thread.
std::filesystem::path temporary_in_work(const std::filesystem::path& target);

/// Names in a folder that look like temporaries, of any target and program.
std::vector<std::string> temporaries_in(const std::filesystem::path& folder);

/// Whether a file's name is that of a temporary of the target.
bool is_temporary_of(const std::string& name, const std::filesystem::path& target);

/// Removes a temporary of this user that no program is writing. Links, and files of others, stay.
void remove_left_over(const std::filesystem::path& temporary) noexcept;

/// Removes all such temporaries in a folder; only the first call for a folder looks. Any thread.
void remove_left_over_in(const std::filesystem::path& folder);

}  // namespace sfumato::files
