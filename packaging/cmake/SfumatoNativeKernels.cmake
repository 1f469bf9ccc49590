# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# The built-in device's objects: the CPU forms of all kernels, for each instruction set. Clang makes
# them, whatever compiles the rest; without it the program has no built-in device.
option(SFUMATO_BUILT_IN "Build the built-in device (needs Clang 15 or later and Python)" ON)
set(sets "")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$")
  set(sets x86-64-v2 x86-64-v3 x86-64-v4)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  set(sets armv8-a)
endif()
set(SFUMATO_INSTRUCTION_SETS "${sets}" CACHE STRING
    "Instruction sets of the built-in device; native: the best one of this machine")
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

# The best of the instruction sets that this machine has.
function(sfumato_find_native_set result)
  execute_process(COMMAND "${SFUMATO_KERNEL_CLANG}" -march=native -x c -E -dM /dev/null
                  OUTPUT_VARIABLE macros)
  set(best "${sets}")
  if(sets MATCHES "x86-64")
    set(best x86-64-v2)
    if(macros MATCHES "__AVX2__" AND macros MATCHES "__FMA__" AND macros MATCHES "__BMI2__")
      set(best x86-64-v3)
    endif()
    if(best STREQUAL x86-64-v3 AND macros MATCHES "__AVX512BW__" AND macros MATCHES "__AVX512CD__"
       AND macros MATCHES "__AVX512DQ__" AND macros MATCHES "__AVX512VL__")
      set(best x86-64-v4)
    endif()
  endif()
  set(${result} "${best}" PARENT_SCOPE)
endfunction()

# Adds the target sfumato-native-kernels, which does nothing without the device, and sets SFUMATO_HAS_BUILT_IN.
function(sfumato_add_native_kernels)
  set(SFUMATO_HAS_BUILT_IN OFF CACHE INTERNAL "Whether the built-in device is built")
  set(possible ${SFUMATO_BUILT_IN})
  if(SFUMATO_BUILT_IN AND NOT SFUMATO_INSTRUCTION_SETS)
    message(STATUS "No built-in device: there is none for ${CMAKE_SYSTEM_PROCESSOR}")
    set(possible OFF)
  elseif(SFUMATO_BUILT_IN AND (NOT SFUMATO_KERNEL_CLANG OR NOT Python3_FOUND))
    message(WARNING "No built-in device: Clang 15 or later, or Python, is not there. "
                    "Filters need an OpenCL driver, or take the slow reference.")
    set(possible OFF)
  endif()
  if(NOT possible)
    add_custom_target(sfumato-native-kernels)
    return()
  endif()
  set(SFUMATO_HAS_BUILT_IN ON CACHE INTERNAL "Whether the built-in device is built")
  set(chosen "${SFUMATO_INSTRUCTION_SETS}")
  if(chosen STREQUAL "native")
    sfumato_find_native_set(chosen)
  endif()
  set(script "${PROJECT_SOURCE_DIR}/packaging/native_kernels.py")
  set(header "${PROJECT_SOURCE_DIR}/core/device/native_kernels.hpp")
  file(GLOB_RECURSE kernels CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cl/*.cl"
       "${PROJECT_SOURCE_DIR}/cl/*.clh" "${PROJECT_SOURCE_DIR}/cl/*.programs")
  set(target "")
  if(CMAKE_CROSSCOMPILING AND CMAKE_LIBRARY_ARCHITECTURE)
    set(target --target "${CMAKE_LIBRARY_ARCHITECTURE}")
  endif()
  set(folder "${CMAKE_BINARY_DIR}/lib/sfumato")
  file(MAKE_DIRECTORY "${folder}")
  set(objects "")
  foreach(set IN LISTS chosen)
    set(object "${folder}/kernels-${set}.so")
    add_custom_command(
      OUTPUT "${object}"
      COMMAND "${Python3_EXECUTABLE}" "${script}" --clang "${SFUMATO_KERNEL_CLANG}"
              --kernels "${PROJECT_SOURCE_DIR}/cl" --include "${PROJECT_SOURCE_DIR}/core"
              --march "${set}" ${target} --jobs 2 --cache "${SFUMATO_KERNEL_CACHE}" --output "${object}"
      DEPENDS "${script}" "${header}" ${kernels}
      COMMENT "Compiling kernels for ${set}"
      VERBATIM)
    list(APPEND objects "${object}")
  endforeach()
  add_custom_target(sfumato-native-kernels ALL DEPENDS ${objects})
  install(FILES ${objects} DESTINATION "${CMAKE_INSTALL_LIBDIR}/sfumato")
endfunction()
