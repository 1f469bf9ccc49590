// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// One OpenCL C file as the build embedded it, its includes resolved.
#pragma once

#include <cstddef>
#include <string_view>

namespace sfumato::kernels {

struct Source {
  const char* name;
  const unsigned char* bytes;
  std::size_t size;

  std::string_view text() const { return {reinterpret_cast<const char*>(bytes), size}; }
};

}  // namespace sfumato::kernels
