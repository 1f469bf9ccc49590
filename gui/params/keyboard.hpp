// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Keyboard operation of windows: mnemonics of menus, and the order of Tab.
#pragma once

#include <QString>

class QLayout;
class QMenu;

namespace sfumato::gui {

/// A name as the text of a menu entry, with its ampersands escaped.
QString menu_text(QString name);

/// Gives each entry without a mnemonic a unique letter of its text, preferably the first of a word.
void fill_mnemonics(QMenu& menu);

/// Makes Tab visit the layout's widgets, and their children, in layout order.
void tab_along(const QLayout& layout);

/// Fields consume the undo and redo shortcuts even if they have nothing to undo, as after a number
/// was entered. This passes them on to the window, for the whole program; call it once.
void pass_undo_on();

}  // namespace sfumato::gui
