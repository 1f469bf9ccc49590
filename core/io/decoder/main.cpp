// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// sfumato-decode: reads pictures for the programs of Sfumato, which start it. --version prints its
// version.
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>

#include "device/process.hpp"
#include "io/decoder/given_file.hpp"
#include "io/decoder/serve.hpp"

int main(int argc, char** argv) {
  using namespace sfumato;
  if (argc == 2 && std::strcmp(argv[1], "--version") == 0) {
    std::puts("sfumato-decode " SFUMATO_VERSION);
    return 0;
  }
  struct stat state {};
  if (::fstat(child_socket, &state) != 0 || !S_ISSOCK(state.st_mode)) {
    std::fputs("sfumato-decode is started by programs that read pictures, not by hand.\n", stderr);
    return 2;
  }
  ::fcntl(child_socket, F_SETFD, FD_CLOEXEC);
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return decoder::serve(Channel(Descriptor(child_socket)), files::loaded_module(),
                          decoder::give_file);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "sfumato-decode: %s\n", error.what());
    return 1;
  }
}
