// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// seccomp by libseccomp, Landlock by its system calls.
#include "io/decoder/sandbox.hpp"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <memory>

#include "io/decoder/process_memory.hpp"

namespace sfumato::decoder {
namespace {

// Reading and writing what is open, memory, threads, and the time.
constexpr std::array allowed = {
#ifdef SFUMATO_SANITIZED
    SCMP_SYS(pipe2),  // by which they find out whether memory is there
#endif
    SCMP_SYS(read),
    SCMP_SYS(readv),
    SCMP_SYS(pread64),
    SCMP_SYS(write),
    SCMP_SYS(writev),
    SCMP_SYS(lseek),
    SCMP_SYS(fstat),
    SCMP_SYS(close),
    SCMP_SYS(dup),
    SCMP_SYS(sendmsg),
    SCMP_SYS(recvmsg),
    SCMP_SYS(poll),
    SCMP_SYS(ppoll),
    SCMP_SYS(munmap),
    SCMP_SYS(mremap),
    SCMP_SYS(brk),
    SCMP_SYS(futex),
    SCMP_SYS(set_robust_list),
    SCMP_SYS(get_robust_list),
    SCMP_SYS(rseq),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
    SCMP_SYS(rt_sigaction),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(sigaltstack),
    SCMP_SYS(getpid),
    SCMP_SYS(gettid),
    SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_getres),
    SCMP_SYS(clock_nanosleep),
    SCMP_SYS(nanosleep),
    SCMP_SYS(gettimeofday),
    SCMP_SYS(sched_yield),
    SCMP_SYS(getrandom),
    SCMP_SYS(restart_syscall),
    SCMP_SYS(sched_getaffinity),
    SCMP_SYS(membarrier),
    SCMP_SYS(fadvise64),
    SCMP_SYS(getrusage)};

// What libraries try but do not need: the call fails. newfstatat is what glibc makes
// of fstat(3), too; no filter can see whether its path is empty, and any other would tell which
// files there are. The decoder's program has an fstat() of its own (given_file.cpp), and glibc's
// streams do without.
constexpr std::array refused = {
    SCMP_SYS(open),          SCMP_SYS(openat),      SCMP_SYS(access),
    SCMP_SYS(faccessat),     SCMP_SYS(faccessat2),  SCMP_SYS(stat),
    SCMP_SYS(lstat),         SCMP_SYS(fchmod),      SCMP_SYS(statx),
    SCMP_SYS(readlink),      SCMP_SYS(getcwd),      SCMP_SYS(statfs),
    SCMP_SYS(sysinfo),       SCMP_SYS(uname),       SCMP_SYS(ioctl),
    SCMP_SYS(unlink),        SCMP_SYS(setpriority), SCMP_SYS(sched_setscheduler),
    SCMP_SYS(prctl),         SCMP_SYS(getuid),      SCMP_SYS(geteuid),
    SCMP_SYS(getgid),        SCMP_SYS(getegid),     SCMP_SYS(mbind),
    SCMP_SYS(get_mempolicy), SCMP_SYS(getcpu),      SCMP_SYS(readlinkat),
    SCMP_SYS(setrlimit),     SCMP_SYS(newfstatat)};

// What a program that reads a movie does not need: the network, other processes, and doors into the
// kernel that are rarely used.
constexpr std::array refused_to_programs = {SCMP_SYS(socket),
                                            SCMP_SYS(connect),
                                            SCMP_SYS(bind),
                                            SCMP_SYS(listen),
                                            SCMP_SYS(accept),
                                            SCMP_SYS(accept4),
                                            SCMP_SYS(sendto),
                                            SCMP_SYS(sendmmsg),
                                            SCMP_SYS(kill),
                                            SCMP_SYS(tkill),
                                            SCMP_SYS(ptrace),
                                            SCMP_SYS(process_vm_readv),
                                            SCMP_SYS(process_vm_writev),
                                            SCMP_SYS(pidfd_open),
                                            SCMP_SYS(pidfd_send_signal),
                                            SCMP_SYS(bpf),
                                            SCMP_SYS(perf_event_open),
                                            SCMP_SYS(io_uring_setup),
                                            SCMP_SYS(userfaultfd),
                                            SCMP_SYS(mount),
                                            SCMP_SYS(umount2),
                                            SCMP_SYS(unshare),
                                            SCMP_SYS(setns),
                                            SCMP_SYS(chroot),
                                            SCMP_SYS(pivot_root),
                                            SCMP_SYS(keyctl),
                                            SCMP_SYS(add_key),
                                            SCMP_SYS(request_key),
                                            SCMP_SYS(open_by_handle_at)};

struct Release {
  void operator()(void* context) const { ::seccomp_release(context); }
};

// What SCMP_A0() and its kind are, which C++ does not have.
scmp_arg_cmp argument(unsigned number, scmp_compare how, scmp_datum_t value,
                      scmp_datum_t masked = 0) {
  return {number, how, value, masked};
}

// Of this process's own threads alone, and of memory that is not executed.
bool add_with_arguments(scmp_filter_ctx context) {
  const auto rule = [&](std::uint32_t action, int call, scmp_arg_cmp compared) {
    return ::seccomp_rule_add(context, action, call, 1, compared) == 0;
  };
  bool good = true;
  // Larger numbers damage memory on purpose, for tests of the kernel.
  good &= rule(SCMP_ACT_ALLOW, SCMP_SYS(madvise),
               argument(2, SCMP_CMP_LT, static_cast<scmp_datum_t>(MADV_HWPOISON)));
  good &= rule(SCMP_ACT_ALLOW, SCMP_SYS(mprotect), argument(2, SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
  // Shared memory without a file would not count for RLIMIT_DATA.
  const auto map = [&](std::uint64_t kinds, std::uint64_t kind) {
    return ::seccomp_rule_add(context, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 2,
                              argument(2, SCMP_CMP_MASKED_EQ, PROT_EXEC, 0),
                              argument(3, SCMP_CMP_MASKED_EQ, kinds, kind)) == 0;
  };
  good &= map(MAP_SHARED | MAP_PRIVATE, MAP_PRIVATE);
  good &= map(MAP_SHARED | MAP_ANONYMOUS, MAP_SHARED);
  // Not F_SETOWN and F_SETSIG, by which a socket would send signals to other programs.
  for (const int command : {F_GETFD, F_SETFD, F_GETFL, F_DUPFD, F_DUPFD_CLOEXEC, F_GET_SEALS}) {
    good &= rule(SCMP_ACT_ALLOW, SCMP_SYS(fcntl),
                 argument(1, SCMP_CMP_EQ, static_cast<scmp_datum_t>(command)));
  }
  good &= rule(SCMP_ACT_ALLOW, SCMP_SYS(clone),
               argument(0, SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD));
  // Its arguments lie in memory, where no filter sees them: glibc goes on with clone().
  good &= ::seccomp_rule_add(context, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0;
  // Of itself, and only to read.
  good &= ::seccomp_rule_add(context, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 2,
                             argument(0, SCMP_CMP_EQ, 0), argument(2, SCMP_CMP_EQ, 0)) == 0;
  good &= ::seccomp_rule_add(context, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1,
                             argument(0, SCMP_CMP_EQ, static_cast<scmp_datum_t>(::getpid()))) == 0;
  return good;
}

bool confine_calls() {
  const std::unique_ptr<void, Release> context(::seccomp_init(SCMP_ACT_KILL_PROCESS));
  if (!context) return false;
  for (const int call : allowed) {
    if (::seccomp_rule_add(context.get(), SCMP_ACT_ALLOW, call, 0) != 0) return false;
  }
  for (const int call : refused) {
    // Some are not there on every architecture.
    ::seccomp_rule_add(context.get(), SCMP_ACT_ERRNO(EACCES), call, 0);
  }
  return add_with_arguments(context.get()) && ::seccomp_load(context.get()) == 0;
}

bool confine_calls_of_program() {
  const std::unique_ptr<void, Release> context(::seccomp_init(SCMP_ACT_ALLOW));
  if (!context) return false;
  for (const int call : refused_to_programs) {
    // Some are not there on every architecture.
    ::seccomp_rule_add(context.get(), SCMP_ACT_ERRNO(EPERM), call, 0);
  }
  return ::seccomp_load(context.get()) == 0;
}

constexpr std::uint64_t changing_files =
    LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |
    LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
    LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
    LANDLOCK_ACCESS_FS_MAKE_SYM;
constexpr std::uint64_t reading_files =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;

#ifdef SYS_landlock_create_ruleset
// Lets a file be opened for writing. Without a right to its folder it stays where it is.
bool allow_writing(int rules, const char* path) {
  const int file = ::open(path, O_PATH | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0) return false;
  landlock_path_beneath_attr one{};
  one.allowed_access = LANDLOCK_ACCESS_FS_WRITE_FILE;
  one.parent_fd = file;
  const bool good =
      ::syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &one, 0) == 0;
  ::close(file);
  return good;
}
#endif

// Refuses these rights to every file, but writing to `output`, which may be null.
bool confine_files(std::uint64_t rights, const char* output) {
#ifdef SYS_landlock_create_ruleset
  landlock_ruleset_attr everything{};
  everything.handled_access_fs = rights;
  const auto rules = static_cast<int>(
      ::syscall(SYS_landlock_create_ruleset, &everything, sizeof everything.handled_access_fs, 0));
  if (rules < 0) return false;
  const bool good = (output == nullptr || allow_writing(rules, output)) &&
                    ::syscall(SYS_landlock_restrict_self, rules, 0) == 0;
  ::close(rules);
  return good;
#else
  static_cast<void>(rights);
  static_cast<void>(output);
  return false;
#endif
}

// What root may do beside others. Without them, root is like any user here.
void drop_capabilities() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> none{};
  ::syscall(SYS_capset, &header, none.data());
}

// Only the limit that counts: the program that waits for the picture may raise it, this process
// not.
void lower(__rlimit_resource resource, rlim_t most) {
  rlimit now{};
  if (::getrlimit(resource, &now) != 0) return;
  now.rlim_cur = std::min(now.rlim_cur, most);
  ::setrlimit(resource, &now);
}

}  // namespace

Confinement confine() noexcept {
  Confinement done;
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return done;
  drop_capabilities();
  done.files = confine_files(changing_files | reading_files, nullptr);
  done.calls = confine_calls();
  return done;
}

Confinement confine_program(const char* output) noexcept {
  Confinement done;
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return done;
  done.files = confine_files(changing_files, output);
  done.calls = confine_calls_of_program();
  return done;
}

void limit(std::size_t bytes, unsigned seconds) noexcept {
  lower(RLIMIT_CORE, 0);
  lower(RLIMIT_CPU, seconds);
#ifndef SFUMATO_SANITIZED
  // Sanitizers reserve terabytes.
  lower(RLIMIT_DATA, data_in_use(::getpid()) + bytes);
#else
  static_cast<void>(bytes);
#endif
}

}  // namespace sfumato::decoder
