# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# The manual: pages of filters and commands, written by the program, and those of packaging/man.
# Their date is SOURCE_DATE_EPOCH or the newest release in CHANGELOG.md, never the clock's.

# sfumato_add_manual(PROGRAM): `sfumato-manual` writes the pages into MAN below the build folder.
function(sfumato_add_manual program)
  if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
    message(STATUS "The manual is left out: the program that writes it does not run here "
                   "(CMAKE_CROSSCOMPILING_EMULATOR is not set)")
    return()
  endif()
  set(script "${PROJECT_SOURCE_DIR}/packaging/cmake/Manual.cmake")
  file(GLOB texts CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/packaging/man/*.in")
  set(folder "${PROJECT_BINARY_DIR}/man")
  set(stamp "${PROJECT_BINARY_DIR}/man.stamp")
  add_custom_command(
    OUTPUT "${stamp}"
    COMMAND "${CMAKE_COMMAND}" "-DPROGRAM=$<TARGET_FILE:${program}>"
            "-DEMULATOR=${CMAKE_CROSSCOMPILING_EMULATOR}" "-DSOURCE=${PROJECT_SOURCE_DIR}"
            "-DVERSION=${PROJECT_VERSION}" "-DOUTPUT=${folder}" "-DEDITOR=$<TARGET_EXISTS:sfumato-editor>"
            -P "${script}"
    COMMAND "${CMAKE_COMMAND}" -E touch "${stamp}"
    DEPENDS ${program} "${script}" "${PROJECT_SOURCE_DIR}/CHANGELOG.md" ${texts}
    COMMENT "Writing the manual"
    VERBATIM)
  add_custom_target(sfumato-manual ALL DEPENDS "${stamp}")
  install(DIRECTORY "${folder}/man1" "${folder}/man5" DESTINATION "${CMAKE_INSTALL_MANDIR}")
endfunction()
