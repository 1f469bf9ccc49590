# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Support for building other programs against the library: find_package(sfumato) with the target
# sfumato::sfumato, pkg-config's sfumato, and the examples.
include(CMakePackageConfigHelpers)

# sfumato_install_development(TARGET): installs the shared library TARGET and all of that.
function(sfumato_install_development target)
  set(here "${PROJECT_SOURCE_DIR}/packaging/cmake")
  set(out "${CMAKE_CURRENT_BINARY_DIR}")
  set(package "${CMAKE_INSTALL_LIBDIR}/cmake/sfumato")
  install(TARGETS ${target} EXPORT sfumatoTargets LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  install(EXPORT sfumatoTargets NAMESPACE sfumato:: DESTINATION "${package}")
  configure_package_config_file("${here}/sfumatoConfig.cmake.in" "${out}/sfumatoConfig.cmake"
                                INSTALL_DESTINATION "${package}")
  write_basic_package_version_file("${out}/sfumatoConfigVersion.cmake"
                                   COMPATIBILITY SameMajorVersion)
  install(FILES "${out}/sfumatoConfig.cmake" "${out}/sfumatoConfigVersion.cmake"
          DESTINATION "${package}")
  install(CODE "
    set(TEMPLATE \"${here}/sfumato.pc.in\")
    set(OUTPUT \"${out}/sfumato.pc\")
    set(VERSION \"${PROJECT_VERSION}\")
    set(LIBDIR \"${CMAKE_INSTALL_LIBDIR}\")
    set(INCLUDEDIR \"${CMAKE_INSTALL_INCLUDEDIR}\")
    include(\"${here}/InstallPkgConfig.cmake\")")
  install(FILES "${PROJECT_SOURCE_DIR}/tests/examples/blur.c"
                "${PROJECT_SOURCE_DIR}/tests/examples/blur.cpp"
                "${here}/examples/CMakeLists.txt" "${here}/examples/README"
          DESTINATION "${CMAKE_INSTALL_DOCDIR}/examples")
endfunction()
