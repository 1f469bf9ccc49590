// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// One OpenCL C file as the build embedded it, its includes resolved.
#pragma once

#include <cstddef>
#include <string_view>

namespace sfumato::kernels {

struct Source {
  const char* name;
  const char* begin;
  const char* end;

  std::string_view text() const { return {begin, static_cast<std::size_t>(end - begin)}; }
};

}  // namespace sfumato::kernels
