# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# sfumato-build-info: the commit and the library versions for `--version`, known only to the build.
# The commit is SFUMATO_COMMIT if set, else that of the git checkout, else that which `git archive`
# wrote into packaging/commit.txt, else unknown. After a commit only one small file is recompiled,
# and only programs link it.
set(SFUMATO_COMMIT "" CACHE STRING "The commit that is built; empty: asked of git")

function(sfumato_add_build_info)
  set(script "${PROJECT_SOURCE_DIR}/packaging/cmake/BuildInfo.cmake")
  set(output "${PROJECT_BINARY_DIR}/build_info.cpp")
  # Files that change with the commit.
  set(changed "${PROJECT_SOURCE_DIR}/packaging/commit.txt")
  find_program(SFUMATO_GIT git)
  if(SFUMATO_GIT AND EXISTS "${PROJECT_SOURCE_DIR}/.git")
    foreach(name HEAD logs/HEAD)
      execute_process(COMMAND "${SFUMATO_GIT}" -C "${PROJECT_SOURCE_DIR}" rev-parse --git-path ${name}
                      OUTPUT_VARIABLE path OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
      get_filename_component(path "${path}" ABSOLUTE BASE_DIR "${PROJECT_SOURCE_DIR}")
      if(NOT IS_DIRECTORY "${path}" AND EXISTS "${path}")
        list(APPEND changed "${path}")
      endif()
    endforeach()
  endif()

  set(libraries "")
  if(SFUMATO_IO)
    get_directory_property(oiio DIRECTORY "${PROJECT_SOURCE_DIR}/core/io" DEFINITION OIIO_VERSION)
    get_directory_property(lcms DIRECTORY "${PROJECT_SOURCE_DIR}/core/io" DEFINITION LCMS2_VERSION)
    set(libraries "OpenImageIO ${oiio}, LittleCMS ${lcms}")
  endif()
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" "-DSOURCE=${PROJECT_SOURCE_DIR}" "-DCOMMIT=${SFUMATO_COMMIT}"
            "-DGIT=${SFUMATO_GIT}" "-DLIBRARIES=${libraries}" "-DOUTPUT=${output}" -P "${script}"
    DEPENDS "${script}" ${changed}
    COMMENT "Asking for the commit"
    VERBATIM)
  add_library(sfumato-build-info STATIC "${output}")
  target_include_directories(sfumato-build-info PUBLIC "${PROJECT_SOURCE_DIR}/core")
endfunction()
