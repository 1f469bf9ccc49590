# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# OpenImageIO reads movies, cameras, volumes and medical pictures by libraries that bring two hundred
# others, and to load these takes longer than most filters. Sfumato reads movies by a program of its
# own and the others not at all (core/io/module/recognise.cpp names the reader of every file), and its
# colours are not OpenColorIO's, so its programs load libraries of the same names instead, whose
# functions do nothing but fail. Which functions those are is taken from the libraries of this
# machine; where that cannot be found out, there are none.

# A library's dynamic symbols, as "KIND NAME" or "KIND NAME@VERSION", with "SIZE " before those that
# have one.
function(sfumato_dynamic_symbols file which result)
  execute_process(COMMAND "${CMAKE_NM}" -D -S ${which} "${file}"
                  OUTPUT_VARIABLE lines ERROR_QUIET RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    set(lines "")
  endif()
  string(REPLACE "@@" "@" lines "${lines}")
  string(REGEX MATCHALL "([0-9a-f]+ )?[TWUiVDBRu] [^\n]+" lines "${lines}")
  set(${result} "${lines}" PARENT_SCOPE)
endfunction()

# Makes a library in place of `needed` (libname.so.N) with what `wanted` lists of it.
function(sfumato_add_stand_in needed file wanted)
  sfumato_dynamic_symbols("${file}" --defined-only defined)
  set(source "extern \"C\" {\n")
  set(versions "")
  set(count 0)
  foreach(symbol IN LISTS defined)
    string(REGEX MATCH "^(([0-9a-f]+) )?(.) ([^@]+)(@(.*))?$" _ "${symbol}")
    set(size "${CMAKE_MATCH_2}")
    set(kind "${CMAKE_MATCH_3}")
    set(name "${CMAKE_MATCH_4}")
    set(version "${CMAKE_MATCH_6}")
    if(NOT ("U ${name}" IN_LIST wanted OR "U ${name}@${version}" IN_LIST wanted))
      continue()
    endif()
    if(kind MATCHES "[TW]")
      string(APPEND source "[[gnu::visibility(\"default\")]] long ${name}() { return -1; }\n")
    elseif(size)
      # Zeros: a number that the library would have set, or a type that is never thrown.
      string(APPEND source "[[gnu::visibility(\"default\")]] char ${name}[0x${size}];\n")
    else()
      return()
    endif()
    if(version)
      list(APPEND versions "${version}")
      string(APPEND of_${version} " ${name};")
    endif()
    math(EXPR count "${count} + 1")
  endforeach()
  if(count EQUAL 0)
    return()
  endif()
  string(REGEX REPLACE "\\.so\\..*$" "" target "${needed}")
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/stand-ins")
  file(CONFIGURE OUTPUT "${folder}/${target}.cpp" CONTENT "${source}}\n")
  add_library(stand-in-${target} MODULE "${folder}/${target}.cpp")
  set_target_properties(stand-in-${target} PROPERTIES
    PREFIX "" OUTPUT_NAME "${needed}" SUFFIX "" UNITY_BUILD OFF
    LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib/sfumato/stand-ins")
  target_link_options(stand-in-${target} PRIVATE -nostdlib "LINKER:-soname,${needed}")
  list(REMOVE_DUPLICATES versions)
  if(versions)
    set(script "")
    foreach(version IN LISTS versions)
      string(APPEND script "${version} {${of_${version}} };\n")
    endforeach()
    file(CONFIGURE OUTPUT "${folder}/${target}.map" CONTENT "${script}")
    target_link_options(stand-in-${target} PRIVATE
                        "LINKER:--version-script,${folder}/${target}.map")
  endif()
  add_dependencies(sfumato-io-openimageio stand-in-${target})
  install(TARGETS stand-in-${target}
          LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/sfumato/stand-ins")
endfunction()

find_library(SFUMATO_OIIO_LIBRARY NAMES OpenImageIO HINTS ${OIIO_LIBRARY_DIRS} ${OIIO_LIBDIR})
mark_as_advanced(SFUMATO_OIIO_LIBRARY)
if(SFUMATO_OIIO_LIBRARY AND CMAKE_NM AND CMAKE_READELF)
  file(REAL_PATH "${SFUMATO_OIIO_LIBRARY}" library)
  cmake_path(GET library PARENT_PATH folder)
  sfumato_dynamic_symbols("${library}" --undefined-only wanted)
  execute_process(COMMAND "${CMAKE_READELF}" -d "${library}" OUTPUT_VARIABLE needs ERROR_QUIET)
  set(names "opencv_(core|imgproc|videoio)|dcm(data|image|imgle)|oflog|ofstd|openvdb")
  # Since then, OpenImageIO compares the names of colour spaces by it.
  if(OIIO_VERSION VERSION_LESS 2.5)
    string(APPEND names "|OpenColorIO")
  endif()
  # Since then libheif may load a decoder that needs the true ones.
  if(HEIF_VERSION VERSION_LESS 1.17)
    string(APPEND names "|avformat|avcodec|avutil|swscale")
  endif()
  string(REGEX MATCHALL "lib(${names})\\.so[.0-9]*" needs "${needs}")
  foreach(needed IN LISTS needs)
    if(EXISTS "${folder}/${needed}")
      sfumato_add_stand_in("${needed}" "${folder}/${needed}" "${wanted}")
    endif()
  endforeach()
endif()
