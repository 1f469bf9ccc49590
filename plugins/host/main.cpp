// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// sfumato-worker: holds the OpenCL device for a host program, which starts it. --version prints its
// version.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <csignal>
#include <cstdio>
#include <cstring>

#include "device/process.hpp"
#include "device/standard_streams.hpp"
#include "engine/build_info.hpp"
#include "engine/start.hpp"
#include "host/worker.hpp"

int main(int argc, char** argv) {
  sfumato::open_standard_streams();
  using namespace sfumato;
  using namespace sfumato::hosts;
  sfumato::begin_program(argc, argv);
  if (argc == 2 && std::strcmp(argv[1], "--version") == 0) {
    std::puts(sfumato::version_text("sfumato-worker", {sfumato::build_info().commit, {}}).c_str());
    return 0;
  }
  struct stat state {};
  if (::fstat(child_socket, &state) != 0 || !S_ISSOCK(state.st_mode)) {
    std::fputs("sfumato-worker is started by programs that filter pictures, not by hand.\n",
               stderr);
    return 2;
  }
  ::fcntl(child_socket, F_SETFD, FD_CLOEXEC);  // not inherited by compilers that drivers start
  std::signal(SIGPIPE, SIG_IGN);
  const rlimit no_core{0, 0};  // a driver's crash must not leave a core file on the user's disk
  ::setrlimit(RLIMIT_CORE, &no_core);
  return serve(Descriptor(child_socket));
}
