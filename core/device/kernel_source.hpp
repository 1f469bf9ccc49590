// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// OpenCL C files as the build embedded them.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace sfumato::kernels {

struct Source {
  const char* name;
  const char* begin;
  const char* end;
  const char* file = nullptr;  ///< its path below the folder of kernels; null: it is no file

  /// The file with its lines #include "room/x.clh" replaced by these files, each once, and with
  /// #line before each piece. Throws std::logic_error for a file that is not embedded.
  std::string text() const;
};

/// A file below the folder of kernels, by its path there.
struct EmbeddedFile {
  std::string_view name;
  const char* begin;
  const char* end;

  std::string_view bytes() const { return {begin, end}; }
};
/// All of them, sorted by name.
std::span<const EmbeddedFile> embedded_files();

}  // namespace sfumato::kernels
