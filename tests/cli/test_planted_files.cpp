// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Links, pipes, sockets and devices in place of outputs, reports and journals.
#include <QFileInfo>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>

#include "batch_program.hpp"

class TestPlantedFiles : public BatchTest {
  Q_OBJECT

  static constexpr uid_t someone = 65534;

  QByteArray native(const QString& name) const { return path(name).toUtf8(); }

  // "pipe", "socket" or "device" at a path.
  void plant(const QString& kind, const QString& name) const {
    if (kind == "pipe") {
      QCOMPARE(::mkfifo(native(name).constData(), 0666), 0);
    } else if (kind == "device") {
      QCOMPARE(::mknod(native(name).constData(), S_IFCHR | 0666, ::makedev(1, 3)), 0);
    } else {
      const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
      sockaddr_un address{};
      address.sun_family = AF_UNIX;
      QVERIFY(native(name).size() < int{sizeof address.sun_path});
      std::strcpy(address.sun_path, native(name).constData());
      QCOMPARE(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
      ::close(socket);
    }
  }

  // A folder where everyone may add files, such as /tmp, with another user's link in it.
  void plant_link(const QString& folder, const QString& name, const QString& to) const {
    make_folder(folder);
    QCOMPARE(::chmod(native(folder).constData(), 01777), 0);
    QVERIFY(QFile::link(path(to), path(folder + "/" + name)));
    QCOMPARE(::lchown(native(folder + "/" + name).constData(), someone, someone), 0);
  }

  static QStringList render(const QString& output, bool overwrite = true) {
    return QStringList{"gaussian", "in/000.ppm", output, "--device", "reference"} +
           (overwrite ? QStringList{"--overwrite"} : QStringList());
  }
  QStringList batch(const QStringList& more) const { return command("out", {"in"}) + more; }

 private Q_SLOTS:
  void init() {
    for (const char* folder : {"in", "out", "shared", "mine"}) {
      QDir(path(folder)).removeRecursively();
    }
    make_inputs(1, 20, 16);
    make_folder("out");
    make_folder("mine");
    write("mine/file", "mine");
  }

  void what_is_no_file_is_refused_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QStringList>("arguments");
    for (const char* kind : {"pipe", "socket", "device"}) {
      const auto row = [&](const char* what, const char* name, const QStringList& arguments) {
        QTest::addRow("%s as %s", kind, what) << QString(kind) << QString(name) << arguments;
      };
      row("output", "out/a.png", render("out/a.png"));
      row("output of a batch", "out/a.png",
          batch({"--name", "a.png", "--existing", "overwrite", "-q"}));
      row("report", "out/r.json", batch({"--report", "out/r.json", "-q"}));
      row("table", "out/r.csv", batch({"--report", "out/r.csv", "-q"}));
      row("journal", "out/sfumato-batch.jsonl", batch({"-q"}));
      row("recipe", "out/r.json", {"apply", "out/r.json", "in/000.ppm", "out/a.png"});
      row("list of files", "out/list",
          {"batch", "gaussian", "-o", "out", "--files-from", "out/list"});
      row("input", "out/a.png", {"gaussian", "out/a.png", "out/b.png"});
    }
  }
  void what_is_no_file_is_refused() {
    QFETCH(const QString, kind);
    QFETCH(const QString, name);
    QFETCH(const QStringList, arguments);
    if (kind == "device" && ::geteuid() != 0) QSKIP("only root makes devices");
    plant(kind, name);
    struct stat before {
    }, after{};
    QCOMPARE(::lstat(native(name).constData(), &before), 0);
    const Run r = run(arguments);
    QVERIFY2(r.status == 1 || r.status == 2, qPrintable(r.err));
    QVERIFY2(r.err.contains("not an ordinary file"), qPrintable(r.err));
    QCOMPARE(::lstat(native(name).constData(), &after), 0);
    QCOMPARE(after.st_ino, before.st_ino);
  }

  // A pipe among the inputs of a folder that bears a journal's name is not waited for.
  void pipes_among_the_inputs_are_passed_over() {
    plant("pipe", "in/sfumato-batch.jsonl");
    plant("pipe", "in/x.png");
    const Run r = run(batch({"-q"}));
    QVERIFY2(r.status == 0 || r.err.contains("not an ordinary file"), qPrintable(r.err));
    QVERIFY(QFile::exists(path("out/000_gaussian.ppm")));
  }

  void pipes_beside_the_journal_are_passed_over() {
    plant("pipe", "out/sfumato-batch.2-of-2.jsonl");
    const Run r = run(batch({"-q", "--resume"}));
    QVERIFY2(r.status == 0, qPrintable(r.err));
  }

  void ones_own_link_is_followed_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QStringList>("arguments");
    const QStringList in_batch = batch({"--name", "a.png", "--existing", "overwrite", "-q"});
    for (const char* to : {"mine/file.png", "mine/without"}) {
      QTest::addRow("output %s", to) << "out/a.png" << to << render("out/a.png");
      QTest::addRow("output of a batch %s", to) << "out/a.png" << to << in_batch;
    }
    QTest::newRow("report") << "out/r.json"
                            << "mine/file.png" << batch({"--report", "out/r.json", "-q"});
  }
  void ones_own_link_is_followed() {
    QFETCH(const QString, name);
    QFETCH(const QString, to);
    QFETCH(const QStringList, arguments);
    QVERIFY(QFile::rename(path("mine/file"), path(to)));
    const QStringList before = QDir(path("mine")).entryList(QDir::Files | QDir::Hidden);
    const bool is_report = name.endsWith(".json");
    if (is_report) write(to, "{\n  \"sfumato_batch\": 1}");
    QVERIFY(QFile::link(path(to), path(name)));
    const Run r = run(arguments);
    QVERIFY2(r.status == 0, qPrintable(r.err));
    QVERIFY(QFileInfo(path(name)).isSymLink());
    QVERIFY(read(to).contains(is_report ? "\"done\": 1" : "IHDR"));
    QCOMPARE(QDir(path("mine")).entryList(QDir::Files | QDir::Hidden), before);
  }

  void the_link_of_another_is_not_followed_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QStringList>("arguments");
    const auto row = [](const char* what, const char* name, const char* to,
                        const QStringList& arguments) {
      QTest::newRow(what) << QString(name) << QString(to) << arguments;
    };
    row("output", "a.png", "mine/file", render("shared/a.png"));
    row("new output", "a.png", "mine/new", render("shared/a.png", false));
    row("folder", "folder", "mine", render("shared/folder/a.png"));
    row("output of a batch", "a.png", "mine/file",
        command("shared", {"in", "--name", "a.png", "--existing", "overwrite"}));
    row("folder of a batch", "folder", "mine", command("shared/folder", {"in"}));
    row("report", "r.json", "mine/report", batch({"--report", "shared/r.json"}));
    row("new report", "r.json", "mine/new", batch({"--report", "shared/r.json"}));
    row("report's folder", "folder", "mine", batch({"--report", "shared/folder/r.json"}));
    row("journal", "sfumato-batch.jsonl", "mine/file", command("shared", {"in"}));
  }
  void the_link_of_another_is_not_followed() {
    QFETCH(const QString, name);
    QFETCH(const QString, to);
    QFETCH(const QStringList, arguments);
    if (::geteuid() != 0) QSKIP("only root can make links of other users");
    write("mine/report", "{\n  \"sfumato_batch\": 1}");
    plant_link("shared", name, to);
    const auto all = [&] {
      QMap<QString, QByteArray> files = outputs("mine");
      return files;
    };
    const auto before = all();
    const Run r = run(arguments);
    QVERIFY2(r.status == 1 || r.status == 2, qPrintable(r.err));
    QVERIFY2(r.err.contains("another user") || r.err.contains("not an ordinary file"),
             qPrintable(r.err));
    QCOMPARE(all(), before);
    // In a folder of one's own it is as good as any.
    QCOMPARE(::chmod(native("shared").constData(), 0755), 0);
    if (name == "a.png" && arguments[0] == "gaussian") {
      const Run own = run(arguments);
      QVERIFY2(own.status == 0, qPrintable(own.err));
      QVERIFY(all() != before);
    }
  }
};

QTEST_GUILESS_MAIN(TestPlantedFiles)
#include "test_planted_files.moc"
