# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Finds the translations (de.json beside the texts they translate, anywhere below core) and embeds
# them as bytes. Only the languages are listed by hand.

set(SFUMATO_LANGUAGES de)

# Adds the embedded files and their table to `outvar`.
function(sfumato_collect_translations outvar)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/text")
  set(bytes "")
  set(declarations "")
  set(rows "")
  set(all "")
  set(number 0)
  foreach(language IN LISTS SFUMATO_LANGUAGES)
    file(GLOB_RECURSE files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/core/${language}.json")
    list(SORT files)
    list(APPEND all ${files})
    foreach(file IN LISTS files)
      math(EXPR number "${number} + 1")
      set(begin "sfumato_translation_${number}_begin")
      set(end "sfumato_translation_${number}_end")
      string(APPEND bytes "    .global ${begin}\n    .hidden ${begin}\n${begin}:\n"
                          "    .incbin \"${file}\"\n"
                          "    .global ${end}\n    .hidden ${end}\n${end}:\n")
      cmake_path(RELATIVE_PATH file BASE_DIRECTORY "${PROJECT_SOURCE_DIR}" OUTPUT_VARIABLE name)
      string(APPEND declarations "extern \"C\" const char ${begin}[], ${end}[];\n")
      string(APPEND rows "      {\"${language}\", \"${name}\", ${begin}, ${end}},\n")
    endforeach()
  endforeach()
  file(CONFIGURE OUTPUT "${folder}/translations.S" @ONLY CONTENT
"// Written by the build from the translations below core.
    .section .rodata
@bytes@    .section .note.GNU-stack,\"\",%progbits
")
  file(CONFIGURE OUTPUT "${folder}/translation_files.cpp" @ONLY CONTENT
"// Written by the build from the translations below core.
#include \"text/translation_files.hpp\"

@declarations@
namespace sfumato {
std::span<const TranslationFile> translation_files() {
  static const TranslationFile files[] = {
@rows@  };
  return files;
}
}  // namespace sfumato
")
  set_source_files_properties("${folder}/translations.S" PROPERTIES OBJECT_DEPENDS "${all}")
  set(${outvar} "${folder}/translations.S" "${folder}/translation_files.cpp" PARENT_SCOPE)
endfunction()
