// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The editor's command line: its options, the requests in it, and shell completions.
#pragma once

#include <QStringList>
#include <optional>

namespace sfumato::gui {

struct CommandLine {
  QString device;  ///< empty: as set in the preferences
  bool alone = false;
  QStringList words;  ///< the windows' input: --batch, --recipe, files with full paths
};

/// Whether the arguments only request output on the terminal, which needs no window system.
bool only_speaks(int argc, char** argv);

/// Completions for the words after "--complete" or "--complete-described"
/// (batch/completion_writer.hpp).
void print_completions(const QStringList& words, bool described);

/// Reads the application's arguments. If help or the version is requested, prints it and exits; if
/// the arguments are wrong, exits with status 1 after a message.
CommandLine read_command_line();

/// The same for an application without a window system; nullopt if there are mistakes, or options
/// that only Qt's own platform accepts. Never exits.
std::optional<CommandLine> command_line_if_plain();

}  // namespace sfumato::gui
