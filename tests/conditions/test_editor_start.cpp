// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The editor, without a screen, opens a picture and computes its preview although drivers, folders
// and the locale are unusual.
#include <algorithm>

#include "cli/program.hpp"
#include "conditions/vendors.hpp"
#include "support/processes.hpp"

class TestEditorStart : public CliTest {
  Q_OBJECT

 private Q_SLOTS:
  void it_opens_a_picture_data() {
    QTest::addColumn<QStringList>("environment");
    QTest::addColumn<QString>("devices");
    // The folder for tested devices after the preview is computed; empty: none needed.
    const QString usual = path("cache/sfumato/devices");
    const QString session = path("Jörg 日本/sfumato/sfumato/devices");
    QTest::newRow("C locale") << QStringList{"LC_ALL=C"} << usual;
    QTest::newRow("no drivers") << QStringList{"OCL_ICD_VENDORS=" + path("none")} << "";
    QTest::newRow("bad drivers") << QStringList{"OCL_ICD_VENDORS=" + path("vendors")} << usual;
    QTest::newRow("no cache") << QStringList{"XDG_CACHE_HOME=/dev/null/x"} << session;
  }

  void it_opens_a_picture() {
    QFETCH(const QStringList, environment);
    QFETCH(const QString, devices);
    const bool device = run({"devices"}).out.startsWith("0 ");
    QDir(path("cache/sfumato")).removeRecursively();
    QDir().mkpath(path("none"));
    copy_good_drivers(path("vendors"));
    QVERIFY(write_icd(path("vendors/bad.icd"), bad_driver("aborts")));
    const QString home = path("Jörg 日本");
    QVERIFY(QDir().mkpath(home));
    QVERIFY(QFile::setPermissions(home, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    write_ppm("Bild ä 日本.ppm", 60, 40);
    QProcess editor;
    settle(editor, QStringList{"QT_QPA_PLATFORM=offscreen", "HOME=" + home,
                               "XDG_CONFIG_HOME=", "XDG_RUNTIME_DIR=" + home, "TMPDIR=" + home} +
                       environment);
    editor.start(SFUMATO_EDITOR, {"--new-instance", path("Bild ä 日本.ppm")});
    QVERIFY(editor.waitForStarted());
    // The decoder's process is started with the first picture.
    const auto computed = [&] {
      const auto children = sfumato::testing::children_of(static_cast<int>(editor.processId()));
      const bool opened = std::any_of(children.begin(), children.end(), [](int child) {
        QFile name(QString("/proc/%1/comm").arg(child));
        return name.open(QIODevice::ReadOnly) && name.readAll().startsWith("sfumato-decode");
      });
      return opened && (devices.isEmpty() || !device || !QDir(devices).isEmpty());
    };
    QTRY_VERIFY_WITH_TIMEOUT(computed() || editor.state() == QProcess::NotRunning, 300000);
    QCOMPARE(editor.state(), QProcess::Running);
    editor.terminate();
    QVERIFY(editor.waitForFinished(60000));
  }

  void a_start_that_another_takes_over_tries_no_driver() {
    const QString sockets = path("sockets");
    QVERIFY(QDir().mkpath(sockets));
    QVERIFY(QFile::setPermissions(sockets, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    copy_good_drivers(path("vendors"));
    QVERIFY(write_icd(path("vendors/bad.icd"), bad_driver("aborts")));
    const QStringList environment{"QT_QPA_PLATFORM=offscreen", "XDG_CONFIG_HOME=" + path("config"),
                                  "XDG_RUNTIME_DIR=" + sockets,
                                  "OCL_ICD_VENDORS=" + path("vendors"),
                                  "XDG_CACHE_HOME=" + path("cache of none")};
    QProcess first, second;
    settle(first, environment + QStringList{"SFUMATO_DEVICE=reference"});
    first.start(SFUMATO_EDITOR, QStringList());
    const auto listens = [&] {
      return !QDir(sockets).entryList({"sfumato-editor-*"}, QDir::System).isEmpty();
    };
    QTRY_VERIFY_WITH_TIMEOUT(listens() || first.state() == QProcess::NotRunning, 300000);
    settle(second, environment);
    second.start(SFUMATO_EDITOR, QStringList());
    QVERIFY(second.waitForFinished(300000));
    QCOMPARE(second.exitCode(), 0);
    QCOMPARE(first.state(), QProcess::Running);
    QVERIFY(!QFile::exists(path("cache of none/sfumato/drivers")));
    first.terminate();
    QVERIFY(first.waitForFinished(60000));
  }
};

QTEST_GUILESS_MAIN(TestEditorStart)
#include "test_editor_start.moc"
