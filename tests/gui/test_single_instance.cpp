// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The socket through which a second start hands over its files, and who may use it.
#include <grp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QDataStream>
#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <functional>
#include <thread>

#include "app/single_instance.hpp"

using namespace sfumato::gui;

namespace {

const QStringList files{QStringLiteral("/a b/ü.png"), QStringLiteral("/c.json")};

constexpr uid_t someone = 65534;

// What a start sends.
QByteArray message() {
  QByteArray bytes;
  QDataStream out(&bytes, QIODevice::WriteOnly);
  out.setVersion(QDataStream::Qt_6_0);
  out << files;
  return bytes;
}

sockaddr_un address_of(const QByteArray& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.constData(), sizeof address.sun_path - 1);
  return address;
}

// Runs something in a process of another user. Returns its exit status.
int as_someone(const std::function<int()>& work, pid_t* running = nullptr) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (::setgroups(0, nullptr) != 0 || ::setgid(someone) != 0 || ::setuid(someone) != 0) {
      ::_exit(99);
    }
    ::_exit(work());
  }
  if (running != nullptr) {
    *running = child;
    return 0;
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

class TestSingleInstance : public QObject {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> folder_;  // which only we may enter

  QByteArray socket() const { return folder_->filePath(QStringLiteral("test")).toUtf8(); }
  void allow(mode_t mode) const {
    QCOMPARE(::chmod(folder_->path().toUtf8().constData(), mode), 0);
  }

 private Q_SLOTS:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    qputenv("XDG_RUNTIME_DIR", folder_->path().toUtf8());
  }

  void a_second_start_hands_its_files_over() {
    SingleInstance first(QStringLiteral("test"));
    QVERIFY(!first.forward_to_running({}));  // nobody listens yet
    QVERIFY(first.listen());
    QVERIFY(QFile::exists(QString::fromUtf8(socket())));
    QSignalSpy given(&first, &SingleInstance::words_given);
    bool taken = false;
    std::thread second(
        [&] { taken = SingleInstance(QStringLiteral("test")).forward_to_running(files); });
    QVERIFY(given.wait(180000));
    second.join();
    QVERIFY(taken);
    QCOMPARE(given[0][0].toStringList(), files);
  }

  void the_socket_of_a_crashed_process_is_replaced() {
    const sockaddr_un address = address_of(socket());
    const int left = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    QCOMPARE(::bind(left, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    ::close(left);
    SingleInstance first(QStringLiteral("test"));
    QVERIFY(!first.forward_to_running(files));
    QVERIFY(first.listen());
  }

  void without_a_folder_of_ones_own_every_start_is_the_first_data() {
    QTest::addColumn<QString>("kind");
    for (const char* kind : {"unset", "relative", "missing", "open to others", "a link",
                             "of another user", "too long"}) {
      QTest::newRow(kind) << kind;
    }
  }
  void without_a_folder_of_ones_own_every_start_is_the_first() {
    QFETCH(const QString, kind);
    if (kind == QStringLiteral("unset")) qunsetenv("XDG_RUNTIME_DIR");
    if (kind == QStringLiteral("relative")) qputenv("XDG_RUNTIME_DIR", ".");
    if (kind == QStringLiteral("missing")) qputenv("XDG_RUNTIME_DIR", socket());
    if (kind == QStringLiteral("open to others")) allow(0750);
    if (kind == QStringLiteral("a link")) {
      const QString link = folder_->filePath(QStringLiteral("link"));
      QVERIFY(QFile::link(folder_->path(), link));
      qputenv("XDG_RUNTIME_DIR", link.toUtf8());
    }
    if (kind == QStringLiteral("of another user")) {
      if (::geteuid() != 0) QSKIP("only root can give folders away");
      QCOMPARE(::chown(folder_->path().toUtf8().constData(), someone, someone), 0);
    }
    if (kind == QStringLiteral("too long")) {
      const QString deep = folder_->filePath(QString(150, QLatin1Char('x')));
      QVERIFY(QDir().mkdir(deep, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
      qputenv("XDG_RUNTIME_DIR", deep.toUtf8());
    }
    SingleInstance first(QStringLiteral("test"));
    QVERIFY(!first.listen());
    QVERIFY(!first.forward_to_running(files));
    QVERIFY(!SingleInstance(QStringLiteral("test")).forward_to_running(files));
  }

  // Should another user reach the socket all the same.
  void words_of_another_user_are_not_taken() {
    if (::geteuid() != 0) QSKIP("only root can become another user");
    SingleInstance first(QStringLiteral("test"));
    QVERIFY(first.listen());
    allow(0711);
    QCOMPARE(::chmod(socket().constData(), 0777), 0);
    QSignalSpy given(&first, &SingleInstance::words_given);
    const QByteArray text = message();
    const sockaddr_un address = address_of(socket());
    pid_t child = 0;
    as_someone(
        [&] {
          const int out = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
          if (::connect(out, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
            return 1;
          }
          (void)!::send(out, text.constData(), static_cast<std::size_t>(text.size()), MSG_NOSIGNAL);
          char answer = 0;
          return ::read(out, &answer, 1) == 1 ? 2 : 0;  // it is closed without an answer
        },
        &child);
    int status = 0;
    bool ended = false;
    QTRY_VERIFY_WITH_TIMEOUT(ended = ended || ::waitpid(child, &status, WNOHANG) == child, 60000);
    QCOMPARE(WEXITSTATUS(status), 0);
    QVERIFY(given.isEmpty());
    // One's own are.
    allow(0700);
    bool taken = false;
    std::thread second(
        [&] { taken = SingleInstance(QStringLiteral("test")).forward_to_running(files); });
    QVERIFY(given.wait(180000));
    second.join();
    QVERIFY(taken);
  }

  void words_are_not_given_to_another_user() {
    if (::geteuid() != 0) QSKIP("only root can become another user");
    allow(0777);
    std::array<int, 2> ready{};
    QCOMPARE(::pipe(ready.data()), 0);
    const sockaddr_un address = address_of(socket());
    pid_t child = 0;
    as_someone(
        [&] {
          const int in = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
          if (::bind(in, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
              ::listen(in, 4) != 0 || ::write(ready[1], "1", 1) != 1) {
            return 1;
          }
          const int caller = ::accept(in, nullptr, nullptr);
          char first = 0;
          return ::read(caller, &first, 1) > 0 ? 2 : 0;
        },
        &child);
    char byte = 0;
    QCOMPARE(::read(ready[0], &byte, 1), 1);
    allow(0700);
    QVERIFY(!SingleInstance(QStringLiteral("test")).forward_to_running(files));
    int status = 0;
    QCOMPARE(::waitpid(child, &status, 0), child);
    QCOMPARE(WEXITSTATUS(status), 0);
    ::close(ready[0]);
    ::close(ready[1]);
  }
};

QTEST_GUILESS_MAIN(TestSingleInstance)
#include "test_single_instance.moc"
