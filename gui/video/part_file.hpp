// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A movie while it is written: hidden, beside its target, and not left behind.
#pragma once

#include <QString>

namespace sfumato::gui {

/// A file for another program to write to. It is locked while this object lives; parts whose
/// writers were killed are no one's, and removed when the next one is made in their folder.
class PartFile {
 public:
  /// Throws std::runtime_error, one sentence, where no file can be made or another program writes
  /// to the same target.
  explicit PartFile(const QString& target);
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;
  /// Removes what was not committed.
  ~PartFile();

  const QString& path() const { return path_; }
  /// Gives it the target's name. Throws std::runtime_error; without `overwrite`, also where there
  /// is a file by now, which stays as it is.
  void commit(bool overwrite);

 private:
  QString target_, path_;
  int lock_ = -1;
};

}  // namespace sfumato::gui
