# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Writes a text file as a byte array, with a function in namespace sfumato that returns it.
# Called as: cmake -DSOURCE= -DHEADER= -DFUNCTION= -DOUTPUT= -P EmbedText.cmake
cmake_policy(VERSION 3.25)
get_filename_component(name "${SOURCE}" NAME)
file(READ "${SOURCE}" hex HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
string(REGEX REPLACE "((0x..,){24})" "\\1\n    " bytes "${bytes}")
file(WRITE "${OUTPUT}"
"// Written by the build from ${name}.
#include \"${HEADER}\"

namespace sfumato {
namespace {
const unsigned char bytes[] = {
    ${bytes}0};
}
std::string_view ${FUNCTION}() {
  return {reinterpret_cast<const char*>(bytes), sizeof bytes - 1};
}
}  // namespace sfumato
")
