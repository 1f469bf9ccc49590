# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Finds the filters (core/filters/<id>/<id>.cpp with cl/<id>/<id>.cl), embeds every kernel file,
# and writes the registry. Nothing is listed by hand.

set(SFUMATO_EMBED_SCRIPT "${CMAKE_CURRENT_LIST_DIR}/EmbedKernel.cmake")

# Makes `source` (.cl) sfumato::kernels::<symbol>. Its includes are resolved when it is compiled for a
# device, so that each file is embedded once; the resolved file shows that none is missing, and is
# what Oclgrind's tests run.
function(sfumato_embed_kernel source symbol)
  set(output "${CMAKE_CURRENT_BINARY_DIR}/kernels/${symbol}.cl")
  get_filename_component(room "${source}" DIRECTORY)
  file(GLOB_RECURSE includes CONFIGURE_DEPENDS "${room}/*.clh"
       "${PROJECT_SOURCE_DIR}/cl/shared/*.clh")
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" "-DSOURCE=${source}" "-DOUTPUT=${output}"
            "-DINCLUDE_DIR=${PROJECT_SOURCE_DIR}/cl" -P "${SFUMATO_EMBED_SCRIPT}"
    DEPENDS "${source}" ${includes} "${SFUMATO_EMBED_SCRIPT}"
    COMMENT "Embedding ${symbol}.cl"
    VERBATIM)
  set(kernel_symbols ${kernel_symbols} "${symbol}" PARENT_SCOPE)
  set(kernel_sources ${kernel_sources} "${source}" PARENT_SCOPE)
  set(kernel_files ${kernel_files} "${output}" PARENT_SCOPE)
endfunction()

# Writes kernels.S, which embeds the bytes of all files below cl, and kernels.cpp, which names them;
# both are added to `outvar`. An assembler embeds a file instantly; a compiler would parse it byte
# by byte.
function(sfumato_write_kernels outvar)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/kernels")
  set(root "${PROJECT_SOURCE_DIR}/cl")
  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE "${root}" "${root}/*.cl" "${root}/*.clh")
  list(FILTER files EXCLUDE REGEX "^native/")  # for kernels that are compiled with the program
  list(SORT files)
  set(bytes "")
  set(definitions "")
  set(rows "")
  set(embedded "")
  foreach(file IN LISTS files)
    string(MAKE_C_IDENTIFIER "${file}" symbol)
    set(begin "sfumato_cl_${symbol}_begin")
    set(end "sfumato_cl_${symbol}_end")
    string(APPEND bytes "    .global ${begin}\n    .hidden ${begin}\n${begin}:\n"
                        "    .incbin \"${root}/${file}\"\n"
                        "    .global ${end}\n    .hidden ${end}\n${end}:\n")
    string(APPEND definitions "extern \"C\" const char ${begin}[], ${end}[];\n")
    string(APPEND rows "    {\"${file}\", ${begin}, ${end}},\n")
    list(APPEND embedded "${root}/${file}")
  endforeach()
  foreach(symbol source IN ZIP_LISTS kernel_symbols kernel_sources)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${root}" OUTPUT_VARIABLE name)
    string(MAKE_C_IDENTIFIER "${name}" file)
    string(APPEND definitions "extern const Source ${symbol};\n"
                              "const Source ${symbol}{\"${symbol}\", sfumato_cl_${file}_begin, "
                              "sfumato_cl_${file}_end, \"${name}\"};\n")
  endforeach()
  file(CONFIGURE OUTPUT "${folder}/kernels.S" @ONLY CONTENT
"// Written by the build from the folder cl.
    .section .rodata
@bytes@    .section .note.GNU-stack,\"\",%progbits
")
  file(CONFIGURE OUTPUT "${folder}/kernels.cpp" @ONLY CONTENT
"// Written by the build from the folder cl.
#include \"device/kernel_source.hpp\"

namespace sfumato::kernels {
@definitions@
std::span<const EmbeddedFile> embedded_files() {
  static constexpr EmbeddedFile files[] = {
@rows@  };
  return files;
}
}  // namespace sfumato::kernels
")
  set_source_files_properties("${folder}/kernels.S" PROPERTIES OBJECT_DEPENDS "${kernel_files};${embedded}")
  set(${outvar} ${${outvar}} "${folder}/kernels.S" "${folder}/kernels.cpp" PARENT_SCOPE)
endfunction()

# The rooms below `folder`, named after the files that match `pattern`, except shared ones and the
# engine's.
function(sfumato_list_rooms outvar folder pattern)
  file(GLOB files CONFIGURE_DEPENDS RELATIVE "${folder}" "${folder}/*/${pattern}")
  list(TRANSFORM files REPLACE "/.*" "")
  list(REMOVE_DUPLICATES files)
  list(REMOVE_ITEM files shared engine)
  set(${outvar} ${files} PARENT_SCOPE)
endfunction()

# Fails if a room lacks the file of its own name, or has no counterpart.
function(sfumato_check_rooms)
  sfumato_list_rooms(cpp_ids "${PROJECT_SOURCE_DIR}/core/filters" "*.cpp")
  sfumato_list_rooms(cl_ids "${PROJECT_SOURCE_DIR}/cl" "*.cl")
  foreach(id IN LISTS cpp_ids)
    if(NOT EXISTS "${PROJECT_SOURCE_DIR}/core/filters/${id}/${id}.cpp")
      message(FATAL_ERROR "The room core/filters/${id} has no filter: ${id}.cpp is missing in it.")
    endif()
    if(NOT EXISTS "${PROJECT_SOURCE_DIR}/cl/${id}/${id}.cl")
      message(FATAL_ERROR "The filter core/filters/${id} has no kernels: cl/${id}/${id}.cl is missing.")
    endif()
  endforeach()
  foreach(id IN LISTS cl_ids)
    if(NOT id IN_LIST cpp_ids)
      message(FATAL_ERROR
              "The kernels cl/${id} have no filter: core/filters/${id}/${id}.cpp is missing.")
    endif()
  endforeach()
endfunction()

function(sfumato_collect_filters outvar)
  sfumato_check_rooms()
  sfumato_list_rooms(ids "${PROJECT_SOURCE_DIR}/core/filters" "*.cpp")
  list(SORT ids)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/core/filters/*.cpp")
  set(declarations "")
  set(rows "")
  foreach(id IN LISTS ids)
    sfumato_embed_kernel("${PROJECT_SOURCE_DIR}/cl/${id}/${id}.cl" ${id})
    string(APPEND declarations "namespace filters { std::unique_ptr<Filter> make_${id}(); }\n")
    string(APPEND declarations "namespace kernels { extern const Source ${id}; }\n")
    string(APPEND rows "      {\"${id}\", &filters::make_${id}, &kernels::${id}},\n")
  endforeach()

  # The engine's own kernels: conversions at both ends, and blending.
  file(GLOB engine_cl CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cl/engine/*.cl")
  foreach(file IN LISTS engine_cl)
    get_filename_component(id "${file}" NAME_WE)
    sfumato_embed_kernel("${file}" "engine_${id}")
  endforeach()

  sfumato_write_kernels(sources)

  set(registry "${CMAKE_CURRENT_BINARY_DIR}/kernels/registry_table.cpp")
  file(CONFIGURE OUTPUT "${registry}" @ONLY CONTENT
"// Written by the build from the rooms of core/filters.
#include \"filters/registry_table.hpp\"

namespace sfumato {
@declarations@
std::span<const RegistryRow> registry_table() {
  static const RegistryRow rows[] = {
@rows@  };
  return rows;
}
}  // namespace sfumato
")
  set(${outvar} ${sources} "${registry}" PARENT_SCOPE)
endfunction()
