// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A worker that starts with a driver that would end it, and without a cache folder, still filters,
// and its host is informed.
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "conditions/vendors.hpp"
#include "host/client.hpp"
#include "support/pictures.hpp"
#include "support/skips.hpp"

using namespace sfumato;
using namespace sfumato::testing;

class TestWorkerStart : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  // Warnings of a new worker's first render.
  static QString warnings_of_a_render() {
    std::string lost;
    hosts::ClientOptions options;
    options.log = [&lost](const Message& sentence) { lost += in_english(sentence); };
    hosts::Client client(options);
    Image input = scene({60, 40, 3, SampleType::u8}), output(input.format);
    MemorySource source(input.format, input.view());
    MemorySink sink(output.format, output.view());
    const RenderReport report = client.render(one_step("gaussian", {{"sigma", "3"}}), source, sink);
    if (!lost.empty()) return "lost: " + QString::fromStdString(lost);
    QStringList all;
    for (const std::string& one : in_english(report.warnings)) all << QString::fromStdString(one);
    return all.join('\n');
  }

 private Q_SLOTS:
  void init() {
    QVERIFY(folder_.isValid());
    qputenv("XDG_CACHE_HOME", folder_.filePath("cache ä").toUtf8());
    qputenv("XDG_RUNTIME_DIR", folder_.filePath("session").toUtf8());
    qunsetenv("OCL_ICD_VENDORS");
  }

  void an_ordinary_start_has_nothing_to_say() {
    if (copy_good_drivers(folder_.filePath("good")) == 0) SKIP_WITHOUT("an OpenCL driver");
    QCOMPARE(warnings_of_a_render(), QString());
  }

  void a_driver_that_would_end_it_is_left_out() {
    for (const char* misdeed : {"aborts", "exits", "hangs"}) {
      const QString vendors = folder_.filePath(misdeed);
      copy_good_drivers(vendors);
      QVERIFY(write_icd(vendors + "/bad.icd", bad_driver(misdeed)));
      qputenv("OCL_ICD_VENDORS", vendors.toUtf8());
      const QString first = warnings_of_a_render();
      QVERIFY2(first.contains("the OpenCL driver bad.icd is left out: it "), qPrintable(first));
      QVERIFY2(!first.contains("lost"), qPrintable(first));
    }
  }

  void without_a_cache_folder_it_takes_another() {
    const QString session = folder_.filePath("session");
    QVERIFY(QDir().mkpath(session));
    QVERIFY(QFile::setPermissions(session, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    qputenv("XDG_CACHE_HOME", "/dev/null/cache");
    qputenv("SFUMATO_DEVICE", "pocl");  // the built-in device compiles none
    const auto forget = qScopeGuard([] { qunsetenv("SFUMATO_DEVICE"); });
    const QString said = warnings_of_a_render();
    QVERIFY2(said.startsWith("compiled kernels are kept in " + session), qPrintable(said));
  }
};

QTEST_GUILESS_MAIN(TestWorkerStart)
#include "test_worker_start.moc"
