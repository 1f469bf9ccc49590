// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// sfumato tune: its output, the saved sizes, their effect on `devices` and --verbose, and its
// refusals.
// Slow: not built with sanitizers, where small_kernels runs every filter.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QJsonValue>

#include "program.hpp"
#include "support/skips.hpp"

class TestCliTuning : public CliTest {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QVERIFY(folder_.isValid());
    const QJsonArray devices = QJsonDocument::fromJson(run({"devices", "--json"}).out.toUtf8())
                                   .object()["devices"]
                                   .toArray();
    has_device_ = !devices.isEmpty();
  }

  void bad_words() {
    refused({"tune", "gausian"}, 2, {"gausian", "gaussian"});
    refused({"tune", "grayscale"}, 2, {"grayscale", "bilateral", "convolve", "gaussian"});
    refused({"tune", "--device", "toaster"}, 2, {"toaster", "devices"});
    refused({"tune", "--device", "reference"}, 2, {"reference", "--device"});
    refused({"tune"}, 2, {"reference", "--device"});  // the environment names it
    refused({"tune", "--jsn"}, 2, {"--jsn"});
    refused({"tune", "--memory", "100"}, 2, {"--memory", "tune"});
    refused({"tune", "gaussian", "--plot", "tuned.png", "--device", "auto"}, 2,
            {"tuned.png", ".svg"});
    refused({"tune", "--reset", "gaussian"}, 2, {"--reset"});
    refused({"tune", "--device"}, 2, {"--device", "one value"});
  }

  void a_cache_folder_that_cannot_be_written() {
    if (!has_device_) SKIP_WITHOUT("an OpenCL device");
    // A file blocks the folder; no time is wasted on measuring.
    write("blocked", "");
    const QStringList blocked{"XDG_CACHE_HOME=" + path("blocked"),
                              "POCL_CACHE_DIR=" + path("cache/pocl")};
    for (const QStringList& arguments : {QStringList{"tune"}, QStringList{"tune", "gaussian"}}) {
      const Run r = run(arguments, blocked);
      QCOMPARE(r.status, 1);
      QVERIFY2(one_line(r.err) && r.err.contains("tuning.json"), qPrintable(r.err));
    }
    const Run homeless =
        run({"tune"}, {"XDG_CACHE_HOME=", "HOME=", "POCL_CACHE_DIR=" + path("cache/pocl")});
    QCOMPARE(homeless.status, 1);
    QVERIFY2(one_line(homeless.err) && homeless.err.contains("XDG_CACHE_HOME"),
             qPrintable(homeless.err));
  }

  void a_tuned_device_says_so_until_it_is_reset() {
    if (!has_device_) SKIP_WITHOUT("an OpenCL device");
    write_ppm("in.ppm", 40, 30);
    const QString before = sizes();
    QVERIFY(before == "defaults" || before == "shipped");
    const Run tuned = run({"tune", "--json", "convolve", "--plot", "tuned.svg"});
    QVERIFY2(tuned.status == 0, qPrintable(tuned.err));
    const QJsonObject result = QJsonDocument::fromJson(tuned.out.toUtf8()).object();
    QVERIFY(!result["device"].toString().isEmpty());
    QCOMPARE(result["file"].toString(), path("cache/sfumato/tuning.json"));
    QVERIFY(!result["sizes"].toArray().isEmpty());
    for (const QJsonValue& value : result["sizes"].toArray()) {
      const QJsonObject size = value.toObject();
      QCOMPARE(size["filter"].toString(), "convolve");
      QVERIFY(size["before"].toInt() > 0 && size["after"].toInt() > 0);
      QVERIFY(size["before_ms"].toDouble() > 0 && size["after_ms"].toDouble() > 0);
      QCOMPARE(size["refused"].toInt(), 0);
    }
    QVERIFY(read("tuned.svg").count("<circle") >= 2);
    refused({"tune", "convolve", "--plot", "tuned.svg", "--device", "auto"}, 1, {"tuned.svg"});
    QCOMPARE(run({"tune", "convolve", "--plot", "tuned.svg", "--overwrite"}).status, 0);
    QCOMPARE(sizes(), "user");
    QVERIFY(run({"devices"}).out.contains("tuned here"));
    const QStringList render{"gaussian", "in.ppm", "o.png", "--verbose", "--overwrite"};
    QVERIFY(run(render).err.contains("tuned here"));

    QCOMPARE(run({"tune", "--reset"}).status, 0);
    QCOMPARE(sizes(), before);
    QVERIFY(!run(render).err.contains("tuned here"));
    const Run again = run({"tune", "--reset", "--json"});
    QCOMPARE(again.status, 0);
    QCOMPARE(QJsonDocument::fromJson(again.out.toUtf8()).object()["removed"].toBool(), false);
  }

  void a_damaged_table_is_said_once_and_costs_nothing() {
    if (!has_device_) SKIP_WITHOUT("an OpenCL device");
    write_ppm("in.ppm", 40, 30);
    write("cache/sfumato/tuning.json", "{\"sfumato_tuning\": 1,");
    const Run r = run({"gaussian", "in.ppm", "o.png", "--overwrite"});
    QCOMPARE(r.status, 0);
    QVERIFY2(one_line(r.err) && r.err.contains("tuning.json"), qPrintable(r.err));
    const Run devices = run({"devices"});
    QCOMPARE(devices.status, 0);
    QVERIFY2(one_line(devices.err), qPrintable(devices.err));
    QCOMPARE(run({"tune", "--reset"}).status, 0);
    QVERIFY(run({"gaussian", "in.ppm", "o.png", "--overwrite"}).err.isEmpty());
  }

  void completion_and_help_know_it() {
    QVERIFY(run({"--complete", "tu"}).out.contains("tune"));
    QVERIFY(run({"--complete", "tune", "--"}).out.contains("--reset"));
    QVERIFY(run({"--complete", "tune", "ga"}).out.contains("gaussian"));
    QVERIFY(run({"--complete", "tune", "--device", "g"}).out.contains("gpu"));
    const Run help = run({"help", "tune"});
    QCOMPARE(help.status, 0);
    QVERIFY(help.out.contains("--reset") && help.out.contains("tuning.json"));
  }

 private:
  // The line of `devices` about the tuned device.
  QString sizes() {
    return QJsonDocument::fromJson(run({"devices", "--json"}).out.toUtf8())
        .object()["devices"]
        .toArray()
        .first()
        .toObject()["sizes"]
        .toString();
  }

  bool has_device_ = false;
};

QTEST_GUILESS_MAIN(TestCliTuning)
#include "test_cli_tuning.moc"
