// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The editor's command line: what it takes, what it asks for, and what a shell is offered for it.
#pragma once

#include <QStringList>
#include <optional>

namespace sfumato::gui {

struct CommandLine {
  QString device;  ///< empty: as the preferences say
  bool alone = false;
  QStringList words;  ///< what windows are given: --batch, --recipe, files by their full paths
};

/// Whether the arguments ask for words on the terminal alone, for which no window system is needed.
bool only_speaks(int argc, char** argv);

/// Completions for the words behind "--complete" or "--complete-described" (batch/offers.hpp).
void print_completions(const QStringList& words, bool described);

/// Reads the application's arguments. Prints help or the version and ends the process where these
/// are asked for, and with status 1 after a message where they are wrong.
CommandLine read_command_line();

/// The same for an application that does without a window system; nothing where there are mistakes,
/// or options that only Qt's own platform takes. Never ends the program.
std::optional<CommandLine> command_line_if_plain();

}  // namespace sfumato::gui
