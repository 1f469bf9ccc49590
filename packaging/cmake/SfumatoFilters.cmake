# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Finds the filters (core/filters/<id>.cpp with cl/filters/<id>.cl), embeds every kernel file with its
# includes resolved, and writes the registry. Nothing is listed by hand.

set(SFUMATO_EMBED_SCRIPT "${CMAKE_CURRENT_LIST_DIR}/EmbedKernel.cmake")

# Resolves the includes of `source` (.cl); kernels.S embeds the result as sfumato::kernels::<symbol>.
function(sfumato_embed_kernel source symbol)
  set(output "${CMAKE_CURRENT_BINARY_DIR}/kernels/${symbol}.cl")
  file(GLOB includes CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cl/include/*.clh")
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" "-DSOURCE=${source}" "-DOUTPUT=${output}"
            "-DINCLUDE_DIR=${PROJECT_SOURCE_DIR}/cl/include" -P "${SFUMATO_EMBED_SCRIPT}"
    DEPENDS "${source}" ${includes} "${SFUMATO_EMBED_SCRIPT}"
    COMMENT "Embedding ${symbol}.cl"
    VERBATIM)
  set(kernel_symbols ${kernel_symbols} "${symbol}" PARENT_SCOPE)
  set(kernel_files ${kernel_files} "${output}" PARENT_SCOPE)
endfunction()

# Writes kernels.S, which embeds the bytes of all kernels, and kernels.cpp, which names them; both are
# added to `outvar`. The assembler takes a file in no time; a compiler would parse it byte by byte.
function(sfumato_write_kernels outvar)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/kernels")
  set(bytes "")
  set(definitions "")
  foreach(symbol file IN ZIP_LISTS kernel_symbols kernel_files)
    set(begin "sfumato_kernel_${symbol}_begin")
    set(end "sfumato_kernel_${symbol}_end")
    string(APPEND bytes "    .global ${begin}\n    .hidden ${begin}\n${begin}:\n"
                        "    .incbin \"${file}\"\n"
                        "    .global ${end}\n    .hidden ${end}\n${end}:\n")
    string(APPEND definitions "extern \"C\" const char ${begin}[], ${end}[];\n"
                          "extern const Source ${symbol};\n"
                          "const Source ${symbol}{\"${symbol}\", ${begin}, ${end}};\n")
  endforeach()
  file(CONFIGURE OUTPUT "${folder}/kernels.S" @ONLY CONTENT
"// Written by the build from the folder cl.
    .section .rodata
@bytes@    .section .note.GNU-stack,\"\",%progbits
")
  file(CONFIGURE OUTPUT "${folder}/kernels.cpp" @ONLY CONTENT
"// Written by the build from the folder cl.
#include \"gpu/kernel_source.hpp\"

namespace sfumato::kernels {
@definitions@}  // namespace sfumato::kernels
")
  set_source_files_properties("${folder}/kernels.S" PROPERTIES OBJECT_DEPENDS "${kernel_files}")
  set(${outvar} ${${outvar}} "${folder}/kernels.S" "${folder}/kernels.cpp" PARENT_SCOPE)
endfunction()

function(sfumato_collect_filters outvar)
  file(GLOB cpp_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/core/filters/*.cpp")
  file(GLOB cl_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cl/filters/*.cl")
  set(cpp_ids "")
  set(cl_ids "")
  foreach(file IN LISTS cpp_files)
    get_filename_component(id "${file}" NAME_WE)
    list(APPEND cpp_ids "${id}")
  endforeach()
  foreach(file IN LISTS cl_files)
    get_filename_component(id "${file}" NAME_WE)
    list(APPEND cl_ids "${id}")
  endforeach()
  foreach(id IN LISTS cpp_ids)
    if(NOT id IN_LIST cl_ids)
      message(FATAL_ERROR "The filter core/filters/${id}.cpp has no kernels: cl/filters/${id}.cl is missing.")
    endif()
  endforeach()
  foreach(id IN LISTS cl_ids)
    if(NOT id IN_LIST cpp_ids)
      message(FATAL_ERROR "The kernels cl/filters/${id}.cl have no filter: core/filters/${id}.cpp is missing.")
    endif()
  endforeach()
  list(SORT cpp_ids)

  set(sources ${cpp_files})
  set(declarations "")
  set(rows "")
  foreach(id IN LISTS cpp_ids)
    sfumato_embed_kernel("${PROJECT_SOURCE_DIR}/cl/filters/${id}.cl" ${id})
    string(APPEND declarations "namespace filters { std::unique_ptr<Filter> make_${id}(); }\n")
    string(APPEND declarations "namespace kernels { extern const Source ${id}; }\n")
    string(APPEND rows "      {\"${id}\", &filters::make_${id}, &kernels::${id}},\n")
  endforeach()

  # Kernels of the engine itself: conversions at both ends, blending.
  file(GLOB engine_cl CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cl/*.cl")
  foreach(file IN LISTS engine_cl)
    get_filename_component(id "${file}" NAME_WE)
    sfumato_embed_kernel("${file}" "engine_${id}")
  endforeach()

  sfumato_write_kernels(sources)

  set(registry "${CMAKE_CURRENT_BINARY_DIR}/kernels/registry_table.cpp")
  file(CONFIGURE OUTPUT "${registry}" @ONLY CONTENT
"// Written by the build from the folders core/filters and cl/filters.
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
