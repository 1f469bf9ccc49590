// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Sets up our windows beside a host's.
#pragma once

#include <string>

#include "engine/session.hpp"

class QWidget;

namespace sfumato::hosts {

/// Whether windows can be shown. To be called before the QApplication is made, which would end the
/// process if they cannot. If QT_QPA_PLATFORM asks for a platform that is not usable, replaces it
/// by one that is.
bool find_screen();

/// Sets language, theme and icon as the user chose them for the editor. If the theme is left to the
/// desktop, it is dark beside a dark host. To be called once, after the QApplication is made.
void set_up_application(bool dark_host);

/// The device and memory that the user chose for the editor.
SessionOptions chosen_session();

/// Keeps a window in front of the host's (its X11 id; 0: none), if the desktop supports it.
void put_before(QWidget& window, unsigned long long host);

/// The name of a result: the labels of the recipe's filters, in the user's language.
std::string name_of(const Recipe& recipe);

}  // namespace sfumato::hosts
