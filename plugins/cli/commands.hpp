// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The commands of the `sfumato` program. Each takes the arguments after its name and returns the
// exit status; errors are exceptions, which main() turns into messages.
#pragma once

#include <string>
#include <vector>

#include "text/message.hpp"

namespace sfumato::cli {

using Arguments = std::vector<std::string>;

/// Wrong usage: exit status 2.
class UsageError : public MessageError {
 public:
  using MessageError::MessageError;
};

int run_filter(const std::string& filter, const Arguments& arguments);
int run_apply(const Arguments& arguments);
int run_batch(const Arguments& arguments);
int run_compare(const Arguments& arguments);
int run_diff(const Arguments& arguments);
int run_filters(const Arguments& arguments);
int run_devices(const Arguments& arguments);
int run_recipe(const Arguments& arguments);
int run_presets(const Arguments& arguments);
/// Times sizes on a device and writes the fastest to the user's table.
int run_tune(const Arguments& arguments);
int run_help(const Arguments& arguments);
/// Prints completions, one per line, for the words of a command line, the last of which is
/// incomplete. `described`: each followed by a tab and its description, and with additional lines
/// about expected files (complete.cpp).
int run_complete(const Arguments& words, bool described);
/// `--list`: the names of all manual pages, "sfumato-gaussian.1". NAME DATE: prints that page,
/// dated DATE (2026-11-25).
int run_manual(const Arguments& arguments);

/// What may follow an option or a name, for completion.
enum class ArgumentKind { text, nothing, picture, file, folder, recipe };

struct OptionHelp {
  const char* name;
  const char* argument;  ///< "" for a switch
  const char* help;
  ArgumentKind wanted = ArgumentKind::text;
  const char* brief = "";  ///< the short form, "-o"
};

/// A command other than a filter.
struct CommandInfo {
  std::string name, usage;
  std::string summary;  ///< a few words, for lists
  std::string text;
  /// The rendering options (options.hpp) that it accepts.
  std::vector<std::string> options = {};
  /// Options that only it has, or to which it gives another meaning.
  std::vector<OptionHelp> own = {};
  std::vector<std::string> examples = {};
  /// Commands that its manual page refers to.
  std::vector<std::string> related = {};
};
const std::vector<CommandInfo>& all_commands();
/// The command with that name, or nullptr.
const CommandInfo* find_command(const std::string& name);
std::vector<std::string> command_names();

/// Throws UsageError for the first of `given` that the command does not accept.
void refuse_other_options(const CommandInfo& command, const std::vector<std::string>& given);

}  // namespace sfumato::cli
