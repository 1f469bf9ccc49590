# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Options, language level, warnings and sanitizers, for all targets.
option(SFUMATO_IO "Build file access through OpenImageIO" ON)
option(SFUMATO_CLI "Build the command line program (needs SFUMATO_IO and CLI11)" ON)
option(SFUMATO_GUI "Build the editor (needs SFUMATO_IO and Qt 6 Widgets)" ON)
option(SFUMATO_HOSTS "Build the worker and what plug-ins link" ON)
option(SFUMATO_TESTS "Build the tests (needs Qt 6 Test)" ON)
option(SFUMATO_FUZZ "Build the targets of libFuzzer (needs Clang and SFUMATO_IO)" OFF)
option(SFUMATO_BENCH "Build the benchmark (needs the core alone)" ON)
option(SFUMATO_UNITY "Compile several files of a library at once: faster from nothing, slower after a change" ON)
option(SFUMATO_PLUGINS "Build the plug-ins of GEGL, GIMP and Krita (needs SFUMATO_HOSTS)" ON)
option(SFUMATO_WERROR "Treat warnings as errors" OFF)
set(SFUMATO_SANITIZE "" CACHE STRING "Sanitizers for every target: address,undefined or thread")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# Most of a file's compile time goes into headers, which a unity build shares. Tests, and targets
# that define macros for other libraries' headers, are excluded. Headers are not precompiled: GCC 12
# has crashed while it loaded 300 MB of Qt's.
if(SFUMATO_UNITY)
  set(CMAKE_UNITY_BUILD ON)
  set(CMAKE_UNITY_BUILD_BATCH_SIZE 10)
endif()

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

# Loops over pixels are in the core, which requests a higher level itself.
foreach(language C CXX)
  string(REPLACE "-O3" "-O2" CMAKE_${language}_FLAGS_RELEASE "${CMAKE_${language}_FLAGS_RELEASE}")
endforeach()

find_program(SFUMATO_CCACHE ccache)
if(SFUMATO_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # For ccache: included files are taken from the compiler's list (without preprocessing), and
  # results are shared between clones.
  set(ccache "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=time_macros CCACHE_DEPEND=1
             "CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}" CCACHE_NOHASHDIR=1 "${SFUMATO_CCACHE}")
  set(CMAKE_C_COMPILER_LAUNCHER ${ccache})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${ccache})
endif()

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion)
add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor;-Woverloaded-virtual>")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  add_compile_options(-Wno-restrict)  # GCC 12 sees overlaps in std::string's operator+ (bug 105651)
endif()
# One contraction policy, so that the scalar reference gives the same sums with every compiler.
add_compile_options(-ffp-contract=off)
if(SFUMATO_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC takes a file of a unity build for a header and warns about its local types.
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>")
endif()
if(SFUMATO_WERROR)
  add_compile_options(-Werror)
endif()
if(SFUMATO_SANITIZE)
  add_compile_definitions(SFUMATO_SANITIZED)
  add_compile_options(-fsanitize=${SFUMATO_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    add_compile_options(-fno-sanitize=float-cast-overflow)  # VkFFT's casts; GCC does not look either
  endif()
  add_link_options(-fsanitize=${SFUMATO_SANITIZE})
endif()
add_compile_definitions(CL_HPP_TARGET_OPENCL_VERSION=120 CL_HPP_MINIMUM_OPENCL_VERSION=120
                        CL_TARGET_OPENCL_VERSION=120 CL_HPP_ENABLE_EXCEPTIONS)
