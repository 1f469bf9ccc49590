// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Assembles version texts.
#include "engine/build_info.hpp"

#include <nlohmann/json.hpp>

#include "device/fft.hpp"
#include "device/opencl_loader.hpp"

namespace sfumato {
namespace {

// The file of the ICD loader; asking it for its version would load the drivers.
std::string loader_text() {
  const std::string file = opencl_library();
  return file.empty() ? "none" : file;
}

// 10226: 1.2.26.
std::string fft_text() {
  const int n = fft_library_version();
  return std::to_string(n / 10000) + "." + std::to_string(n / 100 % 100) + "." +
         std::to_string(n % 100);
}

}  // namespace

std::string version_text(std::string_view program, const BuildInfo& build, std::string_view more) {
  const std::string commit = build.commit.empty() ? "unknown (built outside of a git checkout)"
                                                  : std::string(build.commit);
  std::string text = std::string(program) + " " SFUMATO_VERSION "\nCommit: " + commit +
                     "\nLibraries: nlohmann-json " + std::to_string(NLOHMANN_JSON_VERSION_MAJOR) +
                     "." + std::to_string(NLOHMANN_JSON_VERSION_MINOR) + "." +
                     std::to_string(NLOHMANN_JSON_VERSION_PATCH) + ", VkFFT " + fft_text();
  for (const std::string_view libraries : {build.file_libraries, more}) {
    if (!libraries.empty()) text += ", " + std::string(libraries);
  }
  return text + "\nOpenCL: 1.2 or later, through " + loader_text();
}

}  // namespace sfumato
