# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# A part of the install script: sfumato.pc, for the prefix that is installed to, which
# `cmake --install --prefix` says later than the configure step. TEMPLATE, OUTPUT (a file of the
# build folder), VERSION, LIBDIR and INCLUDEDIR (below the prefix) are set before it.
set(destination "${LIBDIR}/pkgconfig")
foreach(folder LIBDIR INCLUDEDIR destination)
  cmake_path(ABSOLUTE_PATH ${folder} BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}" NORMALIZE)
endforeach()
configure_file("${TEMPLATE}" "${OUTPUT}" @ONLY)
file(INSTALL "${OUTPUT}" DESTINATION "${destination}")
