// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What is said at a program's start: of drivers, of folders and of memory.
#pragma once

#include <QtGlobal>

namespace sfumato::gui {

inline constexpr const char* start_templates[] = {
    QT_TRANSLATE_NOOP("Core", "the OpenCL driver %1 is left out: %2"),
    QT_TRANSLATE_NOOP("Core",
                      "OpenCL is not used: the driver %1 would end this program (%2); name the "
                      "others in OCL_ICD_VENDORS"),
    QT_TRANSLATE_NOOP("Core", "its library cannot be loaded (%1)"),
    QT_TRANSLATE_NOOP("Core", "it crashes while its library is loaded"),
    QT_TRANSLATE_NOOP("Core", "it crashes while it is asked for its devices"),
    QT_TRANSLATE_NOOP("Core", "it ends the program while its library is loaded"),
    QT_TRANSLATE_NOOP("Core", "it ends the program while it is asked for its devices"),
    QT_TRANSLATE_NOOP("Core", "it hangs while its library is loaded"),
    QT_TRANSLATE_NOOP("Core", "it hangs while it is asked for its devices"),
    QT_TRANSLATE_NOOP("Core", "it crashes when the program ends"),
    QT_TRANSLATE_NOOP("Core", "it hangs when the program ends"),
    QT_TRANSLATE_NOOP("Core",
                      "OpenCL is not used: its drivers need some %1 MB of memory, and this program "
                      "may take %2 MB"),
    QT_TRANSLATE_NOOP("Core",
                      "compiled kernels are kept in %1 for this run only (%2); set %3 to a folder "
                      "that can be written to"),
    QT_TRANSLATE_NOOP("Core",
                      "compiled kernels are kept in %1 for this run only (%2); set %3 to a folder "
                      "that programs can be run from"),
    QT_TRANSLATE_NOOP("Core",
                      "compiled kernels are kept in %1 until you log out (%2); set %3 to a folder "
                      "that can be written to"),
    QT_TRANSLATE_NOOP("Core",
                      "compiled kernels are kept in %1 until you log out (%2); set %3 to a folder "
                      "that programs can be run from"),
    QT_TRANSLATE_NOOP("Core",
                      "there is no folder for compiled kernels (%1), and drivers that need one, as "
                      "PoCL does, are not used; set XDG_CACHE_HOME to a folder that can be written "
                      "to"),
    QT_TRANSLATE_NOOP("Core", "there is no folder for compiled kernels"),
    QT_TRANSLATE_NOOP("Core",
                      "no OpenCL driver is installed: the built-in reference computes, which is "
                      "slower; Debian has one in pocl-opencl-icd"),
    QT_TRANSLATE_NOOP("Core", "it needs the linker ld, which is not in PATH"),
    QT_TRANSLATE_NOOP("Core", "trying the OpenCL driver %1"),
    QT_TRANSLATE_NOOP("Core", "HOME is not set"),
    QT_TRANSLATE_NOOP("Core", "HOME is no full path: %1"),
    QT_TRANSLATE_NOOP("Core", "there is no folder %1, which HOME names"),
    QT_TRANSLATE_NOOP("Core", "%1 cannot be written to (%2)"),
    QT_TRANSLATE_NOOP("Core", "the disk that holds %1 is nearly full"),
    QT_TRANSLATE_NOOP("Core", "nothing may be run from %1"),
    QT_TRANSLATE_NOOP("Core",
                      "no picture can be opened or written: there is too little memory, or no more "
                      "threads may be started; close other programs or raise the limits that are "
                      "set here (ulimit)"),
};

}  // namespace sfumato::gui
