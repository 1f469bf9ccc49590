// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What lets windows be worked from the keyboard: letters of menus, and the order of Tab.
#pragma once

#include <QString>

class QLayout;
class QMenu;

namespace sfumato::gui {

/// A name as the text of a menu's entry: its ampersands are shown.
QString menu_text(QString name);

/// Gives each entry without a mnemonic a letter of its text that no other entry has, of the
/// beginning of a word if it can be.
void fill_mnemonics(QMenu& menu);

/// Lets Tab go through the layout's widgets, and those within them, as they lie in it.
void tab_along(const QLayout& layout);

/// Fields take the keys of undo and redo even where they have nothing to undo, as after a number
/// was entered: from here on these keys are the window's then. For the whole program, once.
void pass_undo_on();

}  // namespace sfumato::gui
