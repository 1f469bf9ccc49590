// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// sfumato: the filters on the command line. Exit status 0 done, 1 failed, 2 wrong usage.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <system_error>

#include "commands.hpp"
#include "device/opencl_loader.hpp"
#include "device/standard_streams.hpp"
#include "engine/build_info.hpp"
#include "engine/presets.hpp"
#include "engine/start.hpp"
#include "filters/registry.hpp"
#include "image/parallel_rows.hpp"
#include "io/io.hpp"
#include "io/loading_memory.hpp"
#include "io/stand_ins.hpp"
#include "params/errors.hpp"
#include "params/suggest.hpp"
#include "terminal.hpp"
#include "text/system_reason.hpp"

namespace sfumato::cli {

namespace {

bool asks_for_help(const Arguments& words) {
  return std::any_of(words.begin(), words.end(),
                     [](const std::string& w) { return w == "--help" || w == "-h"; });
}

int dispatch(const std::string& command, const Arguments& rest) {
  const bool is_filter = Registry::get().find(command) != nullptr;
  if ((is_filter || find_command(command) != nullptr) && asks_for_help(rest)) {
    return run_help({command});
  }
  if (command == "help" || command == "--help" || command == "-h") return run_help(rest);
  if (command == "--version" || command == "version") {
    std::puts(version_text("sfumato", build_info()).c_str());
    return 0;
  }
  if (command == "apply") return run_apply(rest);
  if (command == "batch") return run_batch(rest);
  if (command == "compare") return run_compare(rest);
  if (command == "diff") return run_diff(rest);
  if (command == "filters") return run_filters(rest);
  if (command == "devices") return run_devices(rest);
  if (command == "presets") return run_presets(rest);
  if (command == "recipe") return run_recipe(rest);
  if (command == "tune") return run_tune(rest);
  if (command == "--complete") return run_complete(rest, false);
  if (command == "--complete-described") return run_complete(rest, true);
  if (command == "--manual") return run_manual(rest);
  if (is_filter) return run_filter(command, rest);
  const Presets presets(user_preset_folder());
  if (const Preset* preset = presets.find(command)) {
    throw UsageError(
        message({"usage.is_preset", "{word} is a preset: sfumato apply {preset} INPUT OUTPUT"},
                in_quotes(command), preset->id));
  }
  std::vector<std::string> known = Registry::get().ids();
  for (const std::string& name : command_names()) known.push_back(name);
  const std::string nearest = nearest_name(command, known);
  throw UsageError(
      nearest.empty()
          ? message({"usage.no_command",
                     "there is no filter or command {word} (`sfumato filters` lists the filters)"},
                    in_quotes(command))
          : message({"usage.no_command_but",
                     "there is no filter or command {word}; did you mean {nearest}? (`sfumato "
                     "filters` lists the filters)"},
                    in_quotes(command), in_quotes(nearest)));
}

// Drivers and compilers in our process may call exit() or abort(): temporary files beside outputs
// are removed even then.
extern "C" void on_abort(int signal) {
  remove_temporaries();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

// Libraries may throw where nothing catches: while they are loaded, or in their own threads.
[[noreturn]] void on_uncaught() {
  remove_temporaries();
  const char* why = "a library failed unexpectedly";
  try {
    if (const std::exception_ptr thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    why = "there is not enough memory; close other programs or raise the limit (ulimit -v)";
  } catch (const std::system_error&) {
    why =
        "there is not enough memory, or no more threads can be started; end other programs or "
        "raise the limits (ulimit -v, -u)";
  } catch (...) {
    // nothing more is known
  }
  std::fprintf(stderr, "sfumato: %s\n", why);
  ::_exit(1);
}

void install_last_resort_cleanup() {
  std::set_terminate(on_uncaught);
  std::atexit([] { remove_temporaries(); });
  std::at_quick_exit([] { remove_temporaries(); });
  std::signal(SIGABRT, on_abort);
}

// Whether everything printed reached its destination, which fails on a full disk. A closed pipe is
// not an error: its reader has read enough.
bool output_arrived() {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return true;
  if (errno != EPIPE) {
    say(message({"output.lost", "the output could not be written ({reason}); do not use any of it"},
                system_reason(errno)));
  }
  return false;
}

// Whether the program may end without what libraries do then. An ordinary end waits for encoders
// whose pictures are no longer wanted, and takes a tenth of the time of a small picture.
bool may_end_quickly() {
#ifdef SFUMATO_SANITIZED
  return interrupted();  // leaks are looked for at an ordinary end
#else
  return interrupted() || !opencl_was_called();
#endif
}

// The exit status; failures are said.
int run(int argc, char** argv) {
  try {
    if (argc < 2) {
      run_help({});
      return 2;
    }
    // Written all at once at the end, so that a failure can be reported with its reason.
    static char buffer[1 << 20];  // the C library ignores the size without a buffer
    if (::isatty(STDOUT_FILENO) == 0) std::setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    catch_interrupts();
    install_last_resort_cleanup();
    const int status = dispatch(argv[1], Arguments(argv + 2, argv + argc));
    return output_arrived() ? status : 1;
  } catch (const UsageError& e) {
    say(e.message());
    return 2;
  } catch (const ParameterError& e) {
    say(e.message());
    return 2;
  } catch (const MessageError& e) {
    say(e.message());
    return 1;
  } catch (const Cancelled&) {
    say(message({"stopped", "stopped; nothing was written"}));
    return 1;
  } catch (const std::bad_alloc&) {
    say(message({"memory.not_enough",
                 "there is not enough memory for this picture; close other programs or use a "
                 "smaller --memory limit"}));
    return 1;
  } catch (const std::system_error& e) {
    say(e.code() == std::errc::resource_unavailable_try_again
            ? message({"threads.no_more",
                       "no more threads can be started; end other programs or raise the limit "
                       "that is set here (ulimit -u)"})
            : foreign_message(e.what()));
    return 1;
  } catch (const std::exception& e) {
    say(e.what());
    return 1;
  }
}

}  // namespace
}  // namespace sfumato::cli

int main(int argc, char** argv) {
  using namespace sfumato;
  open_standard_streams();
  begin_program(argc, argv);
  files::use_stand_ins();
  files::use_loading_memory();
  const int status = cli::run(argc, argv);
  if (!cli::may_end_quickly()) return status;
  std::fflush(stdout);
  std::quick_exit(status);
}
