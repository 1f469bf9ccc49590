// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Limits of memory and of threads: a sentence, and small pictures as far as they go.
#include <sys/resource.h>

#include "cli/program.hpp"

class TestLittle : public CliTest {
  Q_OBJECT

  Run filter(int resource, quint64 limit, const QStringList& arguments = {}, bool nobody = false) {
    QFile::remove(path("out.png"));
    return run(QStringList{"gaussian", "in.png", "out.png", "--sigma", "3"} + arguments, {},
               [resource, limit, nobody] {
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
    const Run r = filter(resource, quint64{512} << 20);
    QVERIFY2(r.status == 0, qPrintable(r.err));
    QVERIFY2(one_line(r.err) && r.err.contains("OpenCL is not used") && r.err.contains("512 MB"),
             qPrintable(r.err));
    QVERIFY(QFile::exists(path("out.png")));
    const Run plain = filter(resource, quint64{512} << 20, {"--device", "reference"});
    QVERIFY2(plain.status == 0 && plain.err.isEmpty(), qPrintable(plain.err));
  }

  void less_is_refused_with_a_sentence() {
    for (const int megabytes : {100, 150, 200, 250, 300, 350, 400, 420, 440, 460, 480}) {
      const Run r =
          filter(RLIMIT_AS, static_cast<quint64>(megabytes) << 20, {"--device", "reference"});
      const QString label = QString::number(megabytes) + " MB: " + r.err;
      QVERIFY2(r.status == 0 || (r.status == 1 && one_line(r.err) && r.err.contains("memory")),
               qPrintable(label));
    }
  }

  void without_threads_there_is_a_sentence() {
    // Root may start as many as it likes.
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
