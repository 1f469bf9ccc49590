// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What a confined process can and cannot do, tried in children of this program.
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QFile>
#include <QProcess>
#include <QProcessEnvironment>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

#include "io/decoder/decoder_process.hpp"
#include "io/decoder/sandbox.hpp"
#include "support/files.hpp"

using namespace sfumato::decoder;

using Act = std::function<bool()>;
Q_DECLARE_METATYPE(Act)

namespace {

constexpr int refused = 41, done = 42, unconfined = 43;

// How a child ends that runs `act` once it is confined: a signal as a negative number.
int end_of(const Act& act) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGSYS, SIG_DFL);
    limit(std::size_t{256} << 20, 60);
    if (!confine().calls) ::_exit(unconfined);
    ::_exit(act() ? done : refused);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

bool call(long number, long a = 0, long b = 0, long c = 0, long d = 0) {
  return ::syscall(number, a, b, c, d) >= 0;
}

}  // namespace

class TestSandbox : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    if (end_of([] { return true; }) == unconfined) QSKIP("seccomp is missing or forbidden here");
  }

  // Refused, or the end of the process; never done.
  void what_is_forbidden_data() {
    QTest::addColumn<Act>("act");
    QTest::addColumn<int>("end");
    const auto row = [](const char* name, int end, Act act) {
      QTest::newRow(name) << std::move(act) << end;
    };
    row("open a file", refused,
        [] { return call(SYS_openat, AT_FDCWD, reinterpret_cast<long>("/etc/passwd"), O_RDONLY); });
    row("make a file", refused, [] {
      return call(SYS_openat, AT_FDCWD, reinterpret_cast<long>("made"), O_CREAT | O_WRONLY, 0600);
    });
    row("look at a file", refused, [] {
      struct stat state {};
      return call(SYS_newfstatat, AT_FDCWD, reinterpret_cast<long>("/etc/passwd"),
                  reinterpret_cast<long>(&state), 0);
    });
    row("look at a file as if at a descriptor", refused, [] {
      struct stat state {};
      return call(SYS_newfstatat, AT_FDCWD, reinterpret_cast<long>("/etc/passwd"),
                  reinterpret_cast<long>(&state), AT_EMPTY_PATH);
    });
    row("look at a file by statx", refused, [] {
      struct statx state {};
      return ::statx(AT_FDCWD, "/etc/passwd", AT_EMPTY_PATH, STATX_SIZE, &state) == 0;
    });
    row("openat2", -SIGSYS, [] { return call(SYS_openat2, AT_FDCWD, 0, 0, 0); });
    row("remove a file", -SIGSYS,
        [] { return call(SYS_unlinkat, AT_FDCWD, reinterpret_cast<long>("made")); });
    row("a socket", -SIGSYS, [] { return ::socket(AF_INET, SOCK_STREAM, 0) >= 0; });
    row("a socket pair", -SIGSYS, [] {
      std::array<int, 2> ends{};
      return ::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) == 0;
    });
    row("another program", -SIGSYS, [] {
      char name[] = "true";
      char* words[] = {name, nullptr};
      return ::execv("/bin/true", words) == 0;
    });
    row("a child", -SIGSYS, [] { return call(SYS_clone, SIGCHLD); });
    row("a child by vfork", -SIGSYS, [] { return call(SYS_vfork); });
    row("tracing", -SIGSYS, [] { return ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0; });
    row("another's memory", -SIGSYS,
        [] { return call(SYS_process_vm_readv, ::getppid(), 0, 0, 0); });
    row("a signal to the parent", -SIGSYS, [] { return ::kill(::getppid(), SIGCONT) == 0; });
    row("a signal to another's thread", -SIGSYS,
        [parent = ::getpid()] { return call(SYS_tgkill, parent, parent, SIGCONT); });
    row("memory that is executed", -SIGSYS, [] {
      return ::mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
             MAP_FAILED;
    });
    row("memory made executable", -SIGSYS, [] {
      void* page =
          ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      return ::mprotect(page, 4096, PROT_READ | PROT_EXEC) == 0;
    });
    row("another program's limits", -SIGSYS,
        [parent = ::getppid()] { return call(SYS_prlimit64, parent, 0, 0, 0); });
    row("signals through a socket", -SIGSYS,
        [parent = ::getppid()] { return call(SYS_fcntl, 0, F_SETOWN, parent); });
    row("shared memory without a file", -SIGSYS, [] {
      return ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0) !=
             MAP_FAILED;
    });
    row("damaging memory on purpose", -SIGSYS,
        [] { return ::madvise(nullptr, 0, MADV_HWPOISON) == 0; });
    row("io_uring", -SIGSYS, [] { return call(SYS_io_uring_setup, 8, 0); });
    row("mounting", -SIGSYS, [] { return call(SYS_mount, 0, 0, 0, 0); });
    row("namespaces", -SIGSYS, [] { return call(SYS_unshare, 0x10000000); });
    row("a filter of its own", refused, [] { return call(SYS_prctl, 22, 2, 0); });
    row("higher limits", refused, [] { return call(SYS_setrlimit, 9, 0); });
  }

  void what_is_forbidden() {
    QFETCH(const Act, act);
    QTEST(end_of(act), "end");
  }

  void what_decoders_need() {
    QCOMPARE(end_of([] {
               std::vector<int> numbers(1 << 20, 7);
               int sum = 0;
               std::thread([&] {
                 for (const int n : numbers) sum += n;
               }).join();
               return sum == 7 << 20;
             }),
             done);
    const int file = ::open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    QCOMPARE(end_of([file] {
               char byte = 0;
               struct stat state {};
               return call(SYS_fstat, file, reinterpret_cast<long>(&state)) &&
                      ::read(file, &byte, 1) == 1 && ::lseek(file, 0, SEEK_SET) == 0 &&
                      ::pread(file, &byte, 1, 3) == 1;
             }),
             done);
    ::close(file);
  }

  // They ask for the size first, which is refused, and go on without it.
  void streams_of_the_c_library() {
    FILE* const stream = std::fopen("/etc/passwd", "re");
    QVERIFY(stream != nullptr);
    QCOMPARE(end_of([stream] {
               if (std::fgetc(stream) != 'r' || std::fseek(stream, 0, SEEK_END) != 0) return false;
               const long end = std::ftell(stream);
               std::rewind(stream);
               return end > 1 && std::fgetc(stream) == 'r';
             }),
             done);
    std::fclose(stream);
  }

  void nothing_that_only_root_may_do() {
    // The child reads its own status through a descriptor that it opened before.
    const pid_t child = ::fork();
    if (child == 0) {
      const int status = ::open("/proc/self/status", O_RDONLY | O_CLOEXEC);
      if (!confine().calls) ::_exit(unconfined);
      std::array<char, 8192> text{};
      const ssize_t got = ::read(status, text.data(), text.size() - 1);
      const bool none = got > 0 &&
                        std::strstr(text.data(), "CapEff:\t0000000000000000") != nullptr &&
                        std::strstr(text.data(), "CapPrm:\t0000000000000000") != nullptr;
      ::_exit(none ? done : refused);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    QCOMPARE(WIFEXITED(status) ? WEXITSTATUS(status) : -1, done);
  }

  // Confinement is for good, and for threads that are started later.
  void threads_too() {
    QCOMPARE(end_of([] {
               std::thread([] { ::socket(AF_INET, SOCK_STREAM, 0); }).join();
               return true;
             }),
             -SIGSYS);
  }

  // What reads a movie: `sfumato-decode --confine`.
  void a_program_that_may_change_nothing_data() {
    QTest::addColumn<QString>("script");
    QTest::addColumn<bool>("may");
    QTest::newRow("read a file") << "cat /etc/passwd" << true;
    QTest::newRow("write to its output") << "echo done" << true;
    QTest::newRow("start a program") << "/bin/true" << true;
    QTest::newRow("make a file") << "echo x > \"$FOLDER/made\"" << false;
    QTest::newRow("change a file") << "echo x >> \"$FOLDER/there\"" << false;
    QTest::newRow("remove a file") << "rm \"$FOLDER/there\"" << false;
    QTest::newRow("make a folder") << "mkdir \"$FOLDER/made\"" << false;
    QTest::newRow("a signal to another") << "kill -0 $PARENT" << false;
    QTest::newRow("much memory") << "head -c 300000000 /dev/zero | tail | wc -c | grep 300000000"
                                 << false;
  }

  void a_program_that_may_change_nothing() {
    QFETCH(const QString, script);
    QFETCH(const bool, may);
    QTemporaryDir folder;
    QFile there(folder.filePath("there"));
    QVERIFY(there.open(QIODevice::WriteOnly) && there.write("as before") == 9);
    there.close();
    const auto run = [&](bool confined) {
      QProcess shell;
      QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
      environment.insert("FOLDER", folder.path());
      environment.insert("PARENT", QString::number(::getpid()));
      shell.setProcessEnvironment(environment);
      QStringList words{"bash", "-c", script};
      if (confined) {
        words = QStringList{QString::fromStdString(find_decoder().string()), "--confine", "100"} +
                words;
      }
      shell.start(words.takeFirst(), words);
      shell.waitForFinished(-1);
      return shell.exitStatus() == QProcess::NormalExit && shell.exitCode() == 0;
    };
    QCOMPARE(run(true), may);
    QVERIFY(QFile::exists(folder.filePath("there")) && there.open(QIODevice::ReadOnly));
    QCOMPARE(there.readAll(), "as before");
    QVERIFY(!QFile::exists(folder.filePath("made")));
    QVERIFY(run(false));  // it is not for another reason
  }

  // What writes a movie: `sfumato-decode --confine --output`.
  void a_program_that_may_change_one_file_data() {
    QTest::addColumn<QString>("script");
    QTest::addColumn<bool>("may");
    QTest::newRow("write over it") << "echo x > \"$FOLDER/it\"" << true;
    QTest::newRow("read it") << "grep before \"$FOLDER/it\"" << true;
    QTest::newRow("write more than complaints")
        << "head -c 3000000 /dev/zero > \"$FOLDER/it\"" << true;
    QTest::newRow("remove it") << "rm \"$FOLDER/it\"" << false;
    QTest::newRow("change another") << "echo x >> \"$FOLDER/there\"" << false;
    QTest::newRow("make another") << "echo x > \"$FOLDER/made\"" << false;
  }

  void a_program_that_may_change_one_file() {
    QFETCH(const QString, script);
    QFETCH(const bool, may);
    QTemporaryDir folder;
    for (const char* name : {"it", "there"})
      sfumato::testing::put(folder.filePath(name).toStdString(), "as before");
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("FOLDER", folder.path());
    QProcess shell;
    shell.setProcessEnvironment(environment);
    shell.start(QString::fromStdString(find_decoder().string()),
                {"--confine", "100", "--output", folder.filePath("it"), "bash", "-c", script});
    shell.waitForFinished(-1);
    QCOMPARE(shell.exitStatus() == QProcess::NormalExit && shell.exitCode() == 0, may);
    QFile there(folder.filePath("there"));
    QVERIFY(there.open(QIODevice::ReadOnly));
    QCOMPARE(there.readAll(), "as before");
    QVERIFY(QFile::exists(folder.filePath("it")) && !QFile::exists(folder.filePath("made")));
  }

  void a_program_without_the_network() {
    const int server = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const auto gone = qScopeGuard([server] { ::close(server); });
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    QCOMPARE(::bind(server, reinterpret_cast<sockaddr*>(&address), size), 0);
    QCOMPARE(::listen(server, 4), 0);
    QCOMPARE(::getsockname(server, reinterpret_cast<sockaddr*>(&address), &size), 0);
    const QString script = QStringLiteral(": < /dev/tcp/127.0.0.1/%1").arg(ntohs(address.sin_port));
    QProcess shell;
    shell.start(QString::fromStdString(find_decoder().string()),
                {"--confine", "100", "bash", "-c", script});
    shell.waitForFinished(-1);
    QVERIFY(shell.exitCode() != 0);
    shell.start("bash", {"-c", script});
    shell.waitForFinished(-1);
    QCOMPARE(shell.exitCode(), 0);
  }

  void memory_and_time_are_limited() {
#ifdef SFUMATO_SANITIZED
    QSKIP("sanitizers reserve terabytes");
#endif
    const auto child_with = [](std::size_t bytes, unsigned seconds, auto act) {
      const pid_t child = ::fork();
      if (child == 0) {
        limit(bytes, seconds);
        act();
        ::_exit(done);
      }
      int status = 0;
      ::waitpid(child, &status, 0);
      return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
    };
    const auto take = [](std::size_t bytes) {
      return [bytes] {
        if (std::malloc(bytes) == nullptr) ::_exit(refused);
      };
    };
    QCOMPARE(child_with(64 << 20, 60, take(32 << 20)), done);
    QCOMPARE(child_with(64 << 20, 60, take(128 << 20)), refused);
    QCOMPARE(child_with(64 << 20, 1,
                        [] {
                          while (true) std::atomic_signal_fence(std::memory_order_seq_cst);
                        }),
             -SIGXCPU);
  }
};

QTEST_GUILESS_MAIN(TestSandbox)
#include "test_sandbox.moc"
