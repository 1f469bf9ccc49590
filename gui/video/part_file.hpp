// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The file of a movie being written: hidden, beside its target, and never left behind.
#pragma once

#include <QString>

namespace sfumato::gui {

/// A file for another program to write to, locked while this object lives. Files whose writers were
/// killed are removed when the next one is created in their folder.
class PartFile {
 public:
  /// Throws std::runtime_error, one sentence, if the file cannot be created or another program
  /// writes to the same target.
  explicit PartFile(const QString& target);
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;
  /// Removes the file unless it was committed.
  ~PartFile();

  const QString& path() const { return path_; }
  /// Renames the file to its target. Throws std::runtime_error; without `overwrite`, also if the
  /// target exists by now, which stays unchanged.
  void commit(bool overwrite);

 private:
  QString target_, path_;
  int lock_ = -1;
};

}  // namespace sfumato::gui
