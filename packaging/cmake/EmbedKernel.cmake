# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Writes one OpenCL C file as a byte array, its #include "x.clh" lines replaced by the files.
# Called as: cmake -DSOURCE= -DSYMBOL= -DOUTPUT= -DINCLUDE_DIR= -P EmbedKernel.cmake

# Appends the text of `path` to `outvar`; each include is taken once. Square brackets and
# semicolons would be eaten by CMake's lists, so they travel as control characters.
cmake_policy(VERSION 3.25)
set_property(GLOBAL PROPERTY SFUMATO_SEEN "")
foreach(code RANGE 1 4)
  string(ASCII ${code} mark${code})
endforeach()
function(resolve path outvar)
  get_filename_component(name "${path}" NAME)
  file(READ "${path}" text)
  string(REPLACE ";" "${mark1}" text "${text}")
  string(REPLACE "[" "${mark2}" text "${text}")
  string(REPLACE "]" "${mark3}" text "${text}")
  string(REPLACE "\\" "${mark4}" text "${text}")
  string(REPLACE "\n" ";" lines "${text}")
  set(result "#line 1 \"${name}\"\n")
  set(number 0)
  foreach(line IN LISTS lines)
    math(EXPR number "${number} + 1")
    if(line MATCHES "^#include \"([a-z0-9_]+\\.clh)\"")
      set(included "${CMAKE_MATCH_1}")
      get_property(seen GLOBAL PROPERTY SFUMATO_SEEN)
      if(NOT included IN_LIST seen)
        set_property(GLOBAL APPEND PROPERTY SFUMATO_SEEN "${included}")
        if(NOT EXISTS "${INCLUDE_DIR}/${included}")
          message(FATAL_ERROR "${path}:${number}: no file ${INCLUDE_DIR}/${included}")
        endif()
        resolve("${INCLUDE_DIR}/${included}" inner)
        math(EXPR next "${number} + 1")
        string(APPEND result "${inner}#line ${next} \"${name}\"\n")
      endif()
    else()
      string(APPEND result "${line}\n")
    endif()
  endforeach()
  set(${outvar} "${result}" PARENT_SCOPE)
endfunction()

resolve("${SOURCE}" text)
string(REPLACE "${mark1}" ";" text "${text}")
string(REPLACE "${mark2}" "[" text "${text}")
string(REPLACE "${mark3}" "]" text "${text}")
string(REPLACE "${mark4}" "\\" text "${text}")
file(WRITE "${OUTPUT}.cl" "${text}")
file(READ "${OUTPUT}.cl" hex HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
string(REGEX REPLACE "((0x..,){24})" "\\1\n    " bytes "${bytes}")
file(WRITE "${OUTPUT}"
"// Written by the build from ${SYMBOL}.cl.
#include \"gpu/kernel_source.hpp\"

namespace sfumato::kernels {
namespace {
const unsigned char bytes[] = {
    ${bytes}0};
}
extern const Source ${SYMBOL};
const Source ${SYMBOL}{\"${SYMBOL}\", bytes, sizeof(bytes) - 1};
}  // namespace sfumato::kernels
")
