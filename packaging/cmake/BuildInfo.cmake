# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Writes OUTPUT, the source of sfumato-build-info: see SfumatoBuildInfo.cmake.
cmake_minimum_required(VERSION 3.25)
if(NOT COMMIT AND GIT AND EXISTS "${SOURCE}/.git")
  execute_process(COMMAND "${GIT}" -C "${SOURCE}" rev-parse HEAD RESULT_VARIABLE failed
                  OUTPUT_VARIABLE COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(failed)
    set(COMMIT "")
  endif()
endif()
if(NOT COMMIT)
  file(STRINGS "${SOURCE}/packaging/commit.txt" lines LIMIT_COUNT 1)
  if(lines MATCHES "^[0-9a-f]+$")  # else as it is in a checkout
    set(COMMIT "${lines}")
  endif()
endif()
file(CONFIGURE OUTPUT "${OUTPUT}" @ONLY CONTENT
"// Written by the build.
#include \"engine/build_info.hpp\"

namespace sfumato {
BuildInfo build_info() {
  return {\"@COMMIT@\", \"@LIBRARIES@\"};
}
}  // namespace sfumato
")
