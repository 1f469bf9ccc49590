// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The editor, without a screen, opens a picture and computes its preview where drivers, folders and
// the locale are not as they should be.
#include "cli/program.hpp"
#include "conditions/vendors.hpp"

class TestEditorStart : public CliTest {
  Q_OBJECT

 private Q_SLOTS:
  void it_opens_a_picture_data() {
    QTest::addColumn<QStringList>("environment");
    QTest::newRow("C locale") << QStringList{"LC_ALL=C"};
    QTest::newRow("no drivers") << QStringList{"OCL_ICD_VENDORS=" + path("none")};
    QTest::newRow("bad drivers") << QStringList{"OCL_ICD_VENDORS=" + path("vendors")};
    QTest::newRow("no cache") << QStringList{"XDG_CACHE_HOME=/dev/null/x"};
  }

  void it_opens_a_picture() {
    QFETCH(const QStringList, environment);
    QDir().mkpath(path("none"));
    copy_good_drivers(path("vendors"));
    QVERIFY(write_icd(path("vendors/bad.icd"), bad_driver("aborts")));
    const QString home = path("Jörg 日本");
    QVERIFY(QDir().mkpath(home));
    write_ppm("Bild ä 日本.ppm", 60, 40);
    QProcess editor;
    settle(editor, QStringList{"QT_QPA_PLATFORM=offscreen", "HOME=" + home,
                               "XDG_CONFIG_HOME=", "XDG_RUNTIME_DIR=" + home, "TMPDIR=" + home} +
                       environment);
    editor.start(SFUMATO_EDITOR, {"--new-instance", path("Bild ä 日本.ppm")});
    QVERIFY(editor.waitForStarted());
    const QString maps = QString("/proc/%1/maps").arg(editor.processId());
    // The picture is opened by the file module, which comes with the first one.
    const auto opened = [&] {
      QFile file(maps);
      return file.open(QIODevice::ReadOnly) && file.readAll().contains("sfumato-io-openimageio");
    };
    // Drivers were looked at before, and the preview is computed behind it.
    QTRY_VERIFY_WITH_TIMEOUT(opened() || editor.state() == QProcess::NotRunning, 120000);
    QCOMPARE(editor.state(), QProcess::Running);
    editor.terminate();
    QVERIFY(editor.waitForFinished(60000));
  }
};

QTEST_GUILESS_MAIN(TestEditorStart)
#include "test_editor_start.moc"
