// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Our windows in a host's neighbourhood.
#pragma once

#include <string>

#include "engine/session.hpp"

class QWidget;

namespace sfumato::hosts {

/// Whether windows can be shown, before the QApplication, which would end the process where they
/// cannot. Where Qt is told to use what is not there, it is told to use what is.
bool find_screen();

/// Language, theme and icon as the user chose them for the editor; where the theme was left to the
/// desktop, a dark host's windows get dark company. Once, after the QApplication.
void set_up_application(bool dark_host);

/// The device and memory that the user chose for the editor.
SessionOptions chosen_session();

/// Keeps a window in front of the host's (0: none), where the desktop lets one say so.
void put_before(QWidget& window, unsigned long long host);

/// What a result is called: the labels of the recipe's filters, in the user's language.
std::string name_of(const Recipe& recipe);

}  // namespace sfumato::hosts
