// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Limits of memory and threads: a clear message, and small pictures still work where possible.
#include <fcntl.h>
#include <sys/resource.h>

#include "cli/program.hpp"

class TestLittle : public CliTest {
  Q_OBJECT

  // What only drivers are the reason for.
  static inline const QStringList without_built_in{"SFUMATO_BUILT_IN=0"};

  Run filter(int resource, quint64 limit, const QStringList& arguments = {}, bool nobody = false,
             const QStringList& environment = {}) {
    QFile::remove(path("out.png"));
    return run(QStringList{"gaussian", "in.png", "out.png", "--sigma", "3"} + arguments,
               environment, [resource, limit, nobody] {
                 if (nobody) become_nobody();
                 const rlimit both{limit, limit};
                 ::setrlimit(static_cast<__rlimit_resource>(resource), &both);
               });
  }

 private Q_SLOTS:
  void initTestCase() {
    write_ppm("in.ppm", 200, 200);
    const Run r = run({"grayscale", "in.ppm", "in.png"}, {"SFUMATO_DEVICE=reference"});
    QVERIFY2(r.status == 0, qPrintable(r.err));
  }

  void half_a_gigabyte_is_enough_for_a_small_picture_data() {
    QTest::addColumn<int>("resource");
    QTest::newRow("address space") << static_cast<int>(RLIMIT_AS);
    QTest::newRow("data") << static_cast<int>(RLIMIT_DATA);
  }

  void half_a_gigabyte_is_enough_for_a_small_picture() {
    QFETCH(const int, resource);
    const Run r = filter(resource, quint64{512} << 20, {}, false, without_built_in);
    QVERIFY2(r.status == 0, qPrintable(r.err));
    QVERIFY2(one_line(r.err) && r.err.contains("OpenCL is not used") && r.err.contains("512 MB"),
             qPrintable(r.err));
    QVERIFY(QFile::exists(path("out.png")));
    if (run({"devices"}).out.contains("built in")) {
      const Run own = filter(resource, quint64{512} << 20);
      QVERIFY2(own.status == 0 && own.err.isEmpty(), qPrintable(own.err));
    }
    const Run plain = filter(resource, quint64{512} << 20, {"--device", "reference"});
    QVERIFY2(plain.status == 0 && plain.err.isEmpty(), qPrintable(plain.err));
  }

  void less_is_refused_with_a_sentence_data() {
    QTest::addColumn<int>("resource");
    QTest::addColumn<int>("megabytes");
    for (const int megabytes : {100, 150, 200, 250, 300, 350, 400, 420, 440, 460, 480}) {
      QTest::addRow("address space %d", megabytes) << static_cast<int>(RLIMIT_AS) << megabytes;
    }
    for (int megabytes = 60; megabytes <= 200; megabytes += megabytes < 120 ? 5 : 20) {
      QTest::addRow("data %d", megabytes) << static_cast<int>(RLIMIT_DATA) << megabytes;
    }
  }

  void less_is_refused_with_a_sentence() {
    QFETCH(const int, resource);
    QFETCH(const int, megabytes);
    const Run r =
        filter(resource, static_cast<quint64>(megabytes) << 20, {"--device", "reference"});
    QVERIFY2(r.status == 0 || (r.status == 1 && one_line(r.err) && r.err.contains("memory")),
             qPrintable(QString::number(r.status) + " " + r.err));
  }

  // Libraries end the program where they cannot open a file when they are loaded.
  void few_descriptors_are_refused_with_a_sentence_data() {
    QTest::addColumn<int>("descriptors");
    for (int descriptors = 8; descriptors <= 64; ++descriptors) {
      QTest::addRow("%d", descriptors) << descriptors;
    }
  }

  void few_descriptors_are_refused_with_a_sentence() {
    QFETCH(const int, descriptors);
    constexpr int runs = 2;  // threads open files in any order
    for (int i = 0; i < runs; ++i) {
      for (const QStringList& also : {QStringList{}, {"--no-sandbox"}}) {
        const Run r = filter(RLIMIT_NOFILE, static_cast<quint64>(descriptors),
                             QStringList{"--device", "reference"} + also);
        QString said = r.err;
        said.remove("sfumato: files are decoded in this process, unprotected (--no-sandbox)\n");
        QVERIFY2(r.status == 0 || (r.status == 1 && one_line(said)),
                 qPrintable(QString::number(r.status) + " " + r.err));
        QCOMPARE(QFile::exists(path("out.png")), r.status == 0);
      }
    }
  }

  // PoCL ends the program where it cannot open a file while its devices are listed.
  void drivers_are_not_asked_where_descriptors_are_few() {
    for (const int descriptors : {32, 36, 40, 48, 56}) {
      QFile::remove(path("out.png"));
      const Run r =
          filter(RLIMIT_NOFILE, static_cast<quint64>(descriptors), {}, false, without_built_in);
      QVERIFY2(r.status == 0 && QFile::exists(path("out.png")),
               qPrintable(QString::number(descriptors) + " " + r.err));
    }
    const Run r = filter(RLIMIT_NOFILE, 16, {}, false, without_built_in);
    QVERIFY2(r.status == 1 && r.err.contains("OpenCL is not used: too many files are open"),
             qPrintable(r.err));
    QDir(path("cache")).removeRecursively();  // others could not write to it
  }

  void memory_that_is_asked_for_is_not_there() {
    write_ppm("big.ppm", 3000, 2000);
    const auto spectrum = [this](const QString& picture, const QString& memory) {
      QFile::remove(path("out.png"));
      return run({"spectrum", picture, "out.png", "--memory", memory, "--device", "reference"}, {},
                 [] {
                   const rlimit half{rlim_t{512} << 20, rlim_t{512} << 20};
                   ::setrlimit(RLIMIT_AS, &half);
                 });
    };
    const QString bound = "a memory limit of 450 MB is more than is available here";
    const Run small = spectrum("in.ppm", "450");
    QVERIFY2(small.status == 0 && one_line(small.err) && small.err.contains(bound),
             qPrintable(small.err));
    const Run large = spectrum("big.ppm", "450");
    QVERIFY2(large.status == 1 && large.err.contains(bound) && large.err.contains("takes") &&
                 !large.err.contains("raise the limit"),
             qPrintable(large.err));
    // If the limit can be raised, the message advises that.
    write_ppm("middle.ppm", 800, 600);
    const Run little = spectrum("middle.ppm", "16");
    QVERIFY2(little.status == 1 && one_line(little.err) && little.err.contains("raise the limit"),
             qPrintable(little.err));
  }

  // In a control group, where the system kills processes that take too much.
  void a_batch_in_a_small_group_does_what_single_runs_do() {
    const QString first = "/sys/fs/cgroup/memory";
    const bool is_first = QDir(first).exists();
    const QString group = (is_first ? first : QString("/sys/fs/cgroup")) + "/sfumato-test-" +
                          QString::number(QCoreApplication::applicationPid());
    if (!QDir().mkdir(group)) QSKIP("control groups may not be made here");
    const auto gone = qScopeGuard([&] { QDir().rmdir(group); });
    QFile limit(group + (is_first ? "/memory.limit_in_bytes" : "/memory.max"));
    if (!limit.open(QIODevice::WriteOnly) || limit.write("536870912") < 0 || !limit.flush()) {
      QSKIP("control groups may not be limited here");
    }
    const QByteArray members = (group + "/cgroup.procs").toLocal8Bit();
    const auto enter = [members] {
      const int file = ::open(members.constData(), O_WRONLY);
      if (file < 0 || ::write(file, "0", 1) != 1) ::_exit(99);
      ::close(file);
    };
    // Other users' tests may not be able to write where this one did.
    const QStringList own{"XDG_CACHE_HOME=" + path("cache of a group")};
    write_ppm("middle.ppm", 2200, 1500);
    write_ppm("big.ppm", 3000, 2000);
    for (const QString& picture : QStringList{"middle", "big"}) {
      const Run single = run({"canny", picture + ".ppm", picture + ".png"}, own, enter);
      if (single.status == 99) QSKIP("control groups may not be entered here");
      const Run batch = run({"batch", "canny", "-o", "batch", picture + ".ppm", "--format", "png",
                             "--name", "{stem}.{ext}"},
                            own, enter);
      QVERIFY2(batch.status == single.status && !batch.err.contains("raise the limit"),
               qPrintable(single.err + batch.err));
      QVERIFY2(single.status == 0 || (picture == "big" && single.err.contains("memory")),
               qPrintable(single.err));
      QCOMPARE(read("batch/" + picture + ".png"), read(picture + ".png"));
    }
    const Run spectrum = run({"spectrum", "big.ppm", "s.png", "--memory", "450"}, own, enter);
    QVERIFY2(spectrum.status == 0 || (spectrum.status == 1 && spectrum.err.contains("memory") &&
                                      !spectrum.err.contains("raise the limit")),
             qPrintable(QString::number(spectrum.status) + " " + spectrum.err));
    QVERIFY2(spectrum.err.contains("a memory limit of 450 MB is more than is available here"),
             qPrintable(spectrum.err));
  }

  void without_threads_there_is_a_sentence() {
    // Root is not limited in the number of processes.
    QFile::setPermissions(folder_.path(), QFile::Permissions(0x7777));
    for (const QString& device : QStringList{"reference", "auto"}) {
      const Run r = filter(RLIMIT_NPROC, 1, {"--device", device}, true);
      if (r.status == 99) QSKIP("another user cannot be taken");
      QVERIFY2(r.status == 1 && one_line(r.err) && r.err.contains("threads"), qPrintable(r.err));
    }
  }
};

QTEST_GUILESS_MAIN(TestLittle)
#include "test_little.moc"
