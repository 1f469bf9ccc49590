// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "fuzz/targets/seeds.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace sfumato::fuzz {

void broken(const char* promise) {
  std::fprintf(stderr, "broken: %s\n", promise);
  std::abort();
}

}  // namespace sfumato::fuzz

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv);

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  namespace fs = std::filesystem;
  for (int i = 1; i < *argc; ++i) {
    const fs::path folder = (*argv)[i];
    std::error_code error;
    if (!fs::is_directory(folder, error)) continue;
    int number = 0;
    for (const std::string& seed : sfumato::fuzz::seeds()) {
      std::ofstream(folder / ("seed-" + std::to_string(number++)), std::ios::binary) << seed;
    }
    break;
  }
  return 0;
}
