# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# The built-in device's objects: the CPU forms of all kernels, for each instruction set. Clang makes
# them, whatever compiles the rest; without it the program has no built-in device.
# Off until all of its tests are there.
option(SFUMATO_BUILT_IN "Build the built-in device (needs Clang 15 or later and Python)" OFF)
set(sets "")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$")
  set(sets x86-64-v2 x86-64-v3 x86-64-v4)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  set(sets armv8-a)
endif()
set(SFUMATO_INSTRUCTION_SETS "${sets}" CACHE STRING "Instruction sets of the built-in device")
find_program(SFUMATO_KERNEL_CLANG
             NAMES clang-19 clang-18 clang-17 clang-16 clang-15 DOC "Compiles kernels")
find_package(Python3 COMPONENTS Interpreter)

# Compiled kernels are kept with other compiled objects, for the next clone.
if(SFUMATO_CCACHE)
  execute_process(COMMAND "${SFUMATO_CCACHE}" --get-config cache_dir
                  OUTPUT_VARIABLE kept OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
if(NOT kept)
  set(kept "${CMAKE_BINARY_DIR}")
endif()
set(SFUMATO_KERNEL_CACHE "${kept}/kernels" CACHE PATH "Keeps compiled kernels")

# Adds the target sfumato-native-kernels, and sets SFUMATO_HAS_BUILT_IN.
function(sfumato_add_native_kernels)
  set(SFUMATO_HAS_BUILT_IN OFF PARENT_SCOPE)
  if(NOT SFUMATO_BUILT_IN OR NOT SFUMATO_INSTRUCTION_SETS)
    return()
  endif()
  if(NOT SFUMATO_KERNEL_CLANG OR NOT Python3_FOUND)
    message(WARNING "No built-in device: Clang 15 or later, or Python, is not there. "
                    "Filters need an OpenCL driver, or take the slow reference.")
    return()
  endif()
  set(SFUMATO_HAS_BUILT_IN ON PARENT_SCOPE)
  set(script "${PROJECT_SOURCE_DIR}/packaging/native_kernels.py")
  set(header "${PROJECT_SOURCE_DIR}/core/device/native_kernels.hpp")
  file(GLOB_RECURSE kernels CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cl/*.cl"
       "${PROJECT_SOURCE_DIR}/cl/*.clh" "${PROJECT_SOURCE_DIR}/cl/*.programs")
  set(folder "${CMAKE_BINARY_DIR}/lib/sfumato")
  file(MAKE_DIRECTORY "${folder}")
  set(objects "")
  foreach(set IN LISTS SFUMATO_INSTRUCTION_SETS)
    set(object "${folder}/kernels-${set}.so")
    add_custom_command(
      OUTPUT "${object}"
      COMMAND "${Python3_EXECUTABLE}" "${script}" --clang "${SFUMATO_KERNEL_CLANG}"
              --kernels "${PROJECT_SOURCE_DIR}/cl" --include "${PROJECT_SOURCE_DIR}/core"
              --march "${set}" --jobs 2 --cache "${SFUMATO_KERNEL_CACHE}" --output "${object}"
      DEPENDS "${script}" "${header}" ${kernels}
      COMMENT "Compiling kernels for ${set}"
      VERBATIM)
    list(APPEND objects "${object}")
  endforeach()
  add_custom_target(sfumato-native-kernels ALL DEPENDS ${objects})
  install(FILES ${objects} DESTINATION "${CMAKE_INSTALL_LIBDIR}/sfumato")
endfunction()
