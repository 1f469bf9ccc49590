# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Part of the install script: writes sfumato.pc for the actual prefix, which `cmake --install
# --prefix` may set after the configure step. Expects TEMPLATE, OUTPUT (a file of the build folder),
# VERSION, LIBDIR and INCLUDEDIR (below the prefix).
set(destination "${LIBDIR}/pkgconfig")
foreach(folder LIBDIR INCLUDEDIR destination)
  cmake_path(ABSOLUTE_PATH ${folder} BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}" NORMALIZE)
endforeach()
configure_file("${TEMPLATE}" "${OUTPUT}" @ONLY)
file(INSTALL "${OUTPUT}" DESTINATION "${destination}")
