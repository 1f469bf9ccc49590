// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// sfumato-decode: reads pictures for the programs of Sfumato, which start it. --version prints its
// version; --confine MEGABYTES PROGRAM ARGUMENT... becomes a program that may change nothing, and
// --confine MEGABYTES --output FILE PROGRAM ARGUMENT... one that may write to that file.
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "device/process.hpp"
#include "io/decoder/given_file.hpp"
#include "io/decoder/picture_text.hpp"
#include "io/decoder/sandbox.hpp"
#include "io/decoder/serve.hpp"
#include "io/loading_memory.hpp"
#include "io/stand_ins.hpp"

namespace {

// Libraries start threads while they are loaded: at the usual 8 MB each, their stacks would not fit
// into a limited address space, nor would the 64 MB that malloc reserves for each.
void keep_threads_small() {
  rlimit space{};
  if (::getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY) {
    ::mallopt(M_ARENA_MAX, 1);
  }
  constexpr std::size_t bytes = std::size_t{1} << 20;
  pthread_attr_t attributes;
  if (::pthread_attr_init(&attributes) != 0) return;
  ::pthread_attr_setstacksize(&attributes, bytes);
  ::pthread_setattr_default_np(&attributes);
  ::pthread_attr_destroy(&attributes);
}

// For programs that read or write movies. Returns if it fails.
int become(const char* megabytes, char** words) {
  constexpr rlim_t longest_complaint = rlim_t{1} << 20;  // they go to a file
  const rlim_t bytes = static_cast<rlim_t>(std::strtoull(megabytes, nullptr, 10)) << 20;
  const rlimit memory{bytes, bytes}, files{longest_complaint, longest_complaint}, none{0, 0};
  const bool writes = std::strcmp(words[0], "--output") == 0 && words[1] != nullptr && words[2];
  const char* output = writes ? words[1] : nullptr;
  if (writes) words += 2;
  if (!writes) ::setrlimit(RLIMIT_FSIZE, &files);
  ::setrlimit(RLIMIT_CORE, &none);
  std::signal(SIGXFSZ, SIG_IGN);
  sfumato::decoder::confine_program(output);
  ::setrlimit(RLIMIT_DATA, &memory);  // what this process holds does not count any more
  ::execvp(words[0], words);
  std::fprintf(stderr, "%s: %s\n", words[0], std::strerror(errno));
  return 127;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace sfumato;
  if (argc == 2 && std::strcmp(argv[1], "--version") == 0) {
    std::puts("sfumato-decode " SFUMATO_VERSION);
    return 0;
  }
  if (argc >= 4 && std::strcmp(argv[1], "--confine") == 0) return become(argv[2], argv + 3);
  struct stat state {};
  if (::fstat(child_socket, &state) != 0 || !S_ISSOCK(state.st_mode)) {
    std::fputs("sfumato-decode is started by programs that read pictures, not by hand.\n", stderr);
    return 2;
  }
  ::fcntl(child_socket, F_SETFD, FD_CLOEXEC);
  std::signal(SIGPIPE, SIG_IGN);
  keep_threads_small();
  files::use_stand_ins();
  files::use_loading_memory();
  Channel channel{Descriptor(child_socket)};
  try {
    files::FileModule& module = files::loaded_module();
    return decoder::serve(channel, module, decoder::give_file);
  } catch (const std::exception& error) {
    try {
      channel.send(PacketKind::failed, decoder::text_of(decoder::reason_in(error)));
    } catch (const Closed&) {
      // the program is gone
    }
    return 1;
  }
}
