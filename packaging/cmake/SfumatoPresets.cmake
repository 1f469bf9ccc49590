# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Finds the built-in presets (core/presets/<id>.json) and embeds them as bytes. Nothing is listed by
# hand; the tests check that each is a recipe.

set(SFUMATO_PRESET_SCRIPT "${CMAKE_CURRENT_LIST_DIR}/EmbedPresets.cmake")

# Adds the generated table of presets to `outvar`.
function(sfumato_collect_presets outvar)
  set(folder "${PROJECT_SOURCE_DIR}/core/presets")
  file(GLOB files CONFIGURE_DEPENDS "${folder}/*.json")
  list(FILTER files EXCLUDE REGEX "/de\\.json$")  # their translations
  set(ids "")
  foreach(file IN LISTS files)
    get_filename_component(id "${file}" NAME_WLE)
    if(NOT id MATCHES "^[a-z][a-z0-9_]*$")
      message(FATAL_ERROR "The preset core/presets/${id}.json has no snake_case name.")
    endif()
    list(APPEND ids "${id}")
  endforeach()
  list(SORT ids)
  list(JOIN ids "," joined)
  set(output "${CMAKE_CURRENT_BINARY_DIR}/presets_table.cpp")
  # The names are part of the command, so that the table is rewritten when a file is removed.
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" "-DFOLDER=${folder}" "-DIDS=${joined}" "-DOUTPUT=${output}"
            -P "${SFUMATO_PRESET_SCRIPT}"
    DEPENDS ${files} "${SFUMATO_PRESET_SCRIPT}"
    COMMENT "Embedding presets"
    VERBATIM)
  set(${outvar} ${${outvar}} "${output}" PARENT_SCOPE)
endfunction()
