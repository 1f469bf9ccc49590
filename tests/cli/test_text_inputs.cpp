// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Pipes, folders, devices and files of the kernel in place of recipes, matrices, lists and
// pictures: one sentence, and nothing waits for a pipe.
#include <sys/stat.h>

#include <QDir>
#include <QTest>

#include "program.hpp"

class TestTextInputs : public CliTest {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    QVERIFY(folder_.isValid());
    write_ppm("in.ppm", 8, 8);
    for (const char* name : {"pipe.json", "pipe.txt", "pipe.png"}) {
      QCOMPARE(::mkfifo(qPrintable(path(name)), 0600), 0);
    }
    for (const char* name : {"folder.json", "folder.txt"}) QVERIFY(QDir().mkpath(path(name)));
    write("empty.json", {});
  }

  void what_is_no_text_is_refused_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("word");
    for (const char* kind : {".json", ".txt"}) {
      const QString suffix = QString::fromLatin1(kind);
      QTest::addRow("pipe%s", kind) << "pipe" + suffix << "save the text";
      QTest::addRow("folder%s", kind) << "folder" + suffix << "give a file in it";
    }
    for (const char* device : {"/dev/zero", "/dev/full", "/dev/null"}) {
      QTest::newRow(device) << device << "save the text";
    }
    for (const char* kernel : {"/proc/self/mem", "/proc/kmsg", "/proc/self/status"}) {
      QTest::newRow(kernel) << kernel << "save the text";
    }
    QTest::newRow("empty") << "empty.json"
                           << "is empty";
    QTest::newRow("missing") << "./none.json"
                             << "no such file";
  }

  void what_is_no_text_is_refused() {
    QFETCH(const QString, file);
    QFETCH(const QString, word);
    const QStringList words{file, word};
    const QString recipe = file.contains('/') ? file : "./" + file;
    refused({"apply", recipe, "in.ppm", "o.png"}, 1, words);
    refused({"batch", recipe, "-o", "out", "in.ppm"}, 1, words);
    refused({"compare", recipe, "in.ppm", "o.png"}, 1, words);
    refused({"convolve", "in.ppm", "o.png", "--matrix", "@" + file}, 1, words);
    refused({"batch", "median", "-o", "out", "--files-from", file}, 1, words);
  }

  void what_is_no_picture_is_refused() {
    for (const char* file : {"pipe.png", "/dev/zero", "/dev/full", "/proc/self/mem", "/proc/kmsg",
                             "/proc/self/status"}) {
      const QStringList words{file, "save the picture"};
      refused({"median", file, "o.png"}, 1, words);
      refused({"median", "in.ppm", "o.png", "--mask", file}, 1, words);
      refused({"diff", "in.ppm", file}, 1, words);
    }
    refused({"convolve", "in.ppm", "o.png", "--matrix", "@pipe.png"}, 1, {"save the picture"});
  }
};

QTEST_GUILESS_MAIN(TestTextInputs)
#include "test_text_inputs.moc"
