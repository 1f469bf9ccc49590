// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// sfumato: the filters on the command line. Exit status 0 done, 1 failed, 2 wrong usage.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>

#include "commands.hpp"
#include "filters/registry.hpp"
#include "image/rows.hpp"
#include "io/io.hpp"
#include "params/errors.hpp"
#include "params/suggest.hpp"
#include "terminal.hpp"

namespace sfumato::cli {

const std::vector<std::string>& command_names() {
  static const std::vector<std::string> names{"apply",   "compare", "devices",
                                              "filters", "help",    "recipe"};
  return names;
}

namespace {

int dispatch(const std::string& command, const Arguments& rest) {
  if (command == "help" || command == "--help" || command == "-h") return run_help(rest);
  if (command == "--version" || command == "version") {
    std::puts("sfumato " SFUMATO_VERSION);
    return 0;
  }
  if (command == "apply") return run_apply(rest);
  if (command == "compare") return run_compare(rest);
  if (command == "filters") return run_filters(rest);
  if (command == "devices") return run_devices(rest);
  if (command == "recipe") return run_recipe(rest);
  if (command == "--complete") return run_complete(rest);
  if (Registry::get().find(command) != nullptr) return run_filter(command, rest);
  std::vector<std::string> known = Registry::get().ids();
  known.insert(known.end(), command_names().begin(), command_names().end());
  throw UsageError("there is no filter or command " + in_quotes(command) +
                   did_you_mean(command, known) + " (`sfumato filters` lists the filters)");
}

// Drivers and compilers in our process may call exit() or abort() behind our back: whatever was
// begun beside an output is removed even then.
extern "C" void on_abort(int signal) {
  remove_temporaries();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void clean_up_whatever_happens() {
  std::atexit([] { remove_temporaries(); });
  std::signal(SIGABRT, on_abort);
}

}  // namespace
}  // namespace sfumato::cli

int main(int argc, char** argv) {
  using namespace sfumato;
  try {
    if (argc < 2) {
      cli::run_help({});
      return 2;
    }
    cli::catch_interrupts();
    cli::clean_up_whatever_happens();
    return cli::dispatch(argv[1], cli::Arguments(argv + 2, argv + argc));
  } catch (const cli::UsageError& e) {
    cli::say(e.what());
    return 2;
  } catch (const ParameterError& e) {
    cli::say(e.what());
    return 2;
  } catch (const Cancelled&) {
    cli::say("stopped; nothing was written");
    return 1;
  } catch (const std::bad_alloc&) {
    cli::say(
        "there is not enough memory for this picture; close other programs or use a smaller "
        "--memory limit");
    return 1;
  } catch (const std::exception& e) {
    cli::say(e.what());
    return 1;
  }
}
