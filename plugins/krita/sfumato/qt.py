# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# The Qt that this Krita was built with: one process cannot use two.
import sys

import krita  # noqa: F401  (loads it)

if "PyQt6.QtCore" in sys.modules or "PyQt5.QtCore" not in sys.modules:
    try:
        from PyQt6.QtCore import (QByteArray, QCoreApplication, QFile, QIODevice, QLocale, QObject,
                                  QProcess, QProcessEnvironment, QTimer, pyqtSignal)
        from PyQt6.QtWidgets import QMessageBox, QProgressDialog
    except ImportError:
        from PyQt5.QtCore import (QByteArray, QCoreApplication, QFile, QIODevice, QLocale, QObject,
                                  QProcess, QProcessEnvironment, QTimer, pyqtSignal)
        from PyQt5.QtWidgets import QMessageBox, QProgressDialog
else:
    from PyQt5.QtCore import (QByteArray, QCoreApplication, QFile, QIODevice, QLocale, QObject,
                              QProcess, QProcessEnvironment, QTimer, pyqtSignal)
    from PyQt5.QtWidgets import QMessageBox, QProgressDialog

__all__ = ["QByteArray", "QCoreApplication", "QFile", "QIODevice", "QLocale", "QObject", "QProcess",
           "QProcessEnvironment", "QTimer", "pyqtSignal", "QMessageBox", "QProgressDialog"]
