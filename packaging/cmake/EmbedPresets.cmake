# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Writes the files FOLDER/<id>.json as byte arrays, with a table.
# Called as: cmake -DFOLDER= -DIDS=a,b,c -DOUTPUT= -P EmbedPresets.cmake
cmake_policy(VERSION 3.25)
string(REPLACE "," ";" ids "${IDS}")
set(arrays "")
set(rows "")
set(index 0)
foreach(id IN LISTS ids)
  file(READ "${FOLDER}/${id}.json" hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(REGEX REPLACE "((0x..,){24})" "\\1\n    " bytes "${bytes}")
  string(APPEND arrays "const unsigned char bytes_${index}[] = {\n    ${bytes}0};\n")
  string(APPEND rows "      {\"${id}\", text_of(bytes_${index}, sizeof bytes_${index} - 1)},\n")
  math(EXPR index "${index} + 1")
endforeach()
file(WRITE "${OUTPUT}"
"// Written by the build from the folder core/presets.
#include \"engine/presets.hpp\"

namespace sfumato {
namespace {
${arrays}
std::string_view text_of(const unsigned char* bytes, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}
}  // namespace

std::span<const BuiltInPreset> built_in_presets() {
  static const BuiltInPreset rows[] = {
${rows}  };
  return rows;
}
}  // namespace sfumato
")
