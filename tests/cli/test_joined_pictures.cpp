// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// How the pictures of joined movies are stored: as those of the input, or one sentence names what
// changes. ffprobe reads the files.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStandardPaths>

#include "batch_program.hpp"
#include "support/skips.hpp"

class TestJoinedPictures : public BatchTest {
  Q_OBJECT

  void film(const QString& name, const QStringList& source, const QStringList& how) const {
    QCOMPARE(QProcess::execute("ffmpeg", QStringList{"-v", "error", "-y"} + source + how +
                                             QStringList{path(name)}),
             0);
  }
  static QStringList pattern(const QString& size, const QString& more = {}) {
    return {"-f", "lavfi", "-i", "testsrc2=size=" + size + ":rate=10:duration=0.5" + more};
  }
  // The first stream of pictures, with its packets.
  QJsonObject stream(const QString& name) const {
    QProcess probe;
    probe.start("ffprobe", {"-v", "error", "-select_streams", "v:0", "-count_packets",
                            "-show_streams", "-show_format", "-of", "json", path(name)});
    probe.waitForFinished(-1);
    const QJsonObject all = QJsonDocument::fromJson(probe.readAllStandardOutput()).object();
    QJsonObject out = all["streams"].toArray()[0].toObject();
    out["whole"] = all["format"].toObject()["duration"];
    return out;
  }
  Run join(const QString& input, const QString& format) {
    return run(command("out", {input, "--join", format, "--overwrite"}));
  }

 private Q_SLOTS:
  void initTestCase() {
    if (QStandardPaths::findExecutable("ffmpeg").isEmpty()) SKIP_WITHOUT("ffmpeg");
    make_folder("in");
  }

  void colours_range_and_sizes_stay_data() {
    QTest::addColumn<QStringList>("how");
    QTest::addColumn<QString>("size");
    QTest::addColumn<QString>("pixels");
    QTest::addColumn<QString>("range");
    const QStringList h264 = {"-c:v", "libx264"};
    QTest::newRow("4:2:0") << h264 + QStringList{"-pix_fmt", "yuv420p"} << "64x48"
                           << "yuv420p"
                           << "tv";
    QTest::newRow("4:2:2") << h264 + QStringList{"-pix_fmt", "yuv422p"} << "64x48"
                           << "yuv422p"
                           << "tv";
    QTest::newRow("4:4:4") << h264 + QStringList{"-pix_fmt", "yuv444p"} << "64x48"
                           << "yuv444p"
                           << "tv";
    QTest::newRow("ten bits") << h264 + QStringList{"-pix_fmt", "yuv444p10le"} << "64x48"
                              << "yuv444p10le"
                              << "tv";
    QTest::newRow("odd") << h264 + QStringList{"-pix_fmt", "yuv444p", "-vf", "crop=65:47"}
                         << "65x47"
                         << "yuv444p"
                         << "tv";
    QTest::newRow("full range") << h264 + QStringList{"-pix_fmt",           "yuv420p",      "-vf",
                                                      "scale=out_range=pc", "-color_range", "pc"}
                                << "64x48"
                                << "yuv420p"
                                << "pc";
  }
  void colours_range_and_sizes_stay() {
    QFETCH(QStringList, how);
    QFETCH(QString, size);
    QFETCH(QString, pixels);
    QFETCH(QString, range);
    film("in/a.mkv", pattern(size == "65x47" ? "66x48" : size, ",format=yuv444p"), how);
    for (const char* format : {"mp4", "mkv", "webm"}) {
      const Run r = join("in/a.mkv", format);
      QVERIFY2(r.status == 0, qPrintable(r.err));
      const bool other = QByteArray(format) == "webm";
      QVERIFY2(r.err.contains("not stored as") == other, qPrintable(r.err));
      const QJsonObject s = stream(QString("out/a_gaussian.%1").arg(format));
      QString found = s["pix_fmt"].toString();
      if (range == "pc") found.replace("yuvj", "yuv");
      QCOMPARE(found, pixels);
      QCOMPARE(s["color_range"].toString(), range);
      QCOMPARE(QString("%1x%2").arg(s["width"].toInt()).arg(s["height"].toInt()), size);
    }
  }

  void other_codecs_are_named_and_lossless_ones_stay_so() {
    film("in/b.mkv", pattern("64x48"), {"-c:v", "ffv1", "-pix_fmt", "yuv444p"});
    Run r = join("in/b.mkv", "mp4");
    QVERIFY2(r.status == 0 && r.err.contains("without loss"), qPrintable(r.err));
    film("in/c.mkv", pattern("64x48"), {"-c:v", "mpeg4"});
    r = join("in/c.mkv", "mp4");
    QVERIFY2(r.status == 0 && r.err.contains("mpeg4") && r.err.contains("with losses"),
             qPrintable(r.err));
    film("in/d.gif", pattern("64x48"), {});
    r = join("in/d.gif", "mp4");
    QVERIFY2(r.status == 0 && r.err.contains("4:2:0"), qPrintable(r.err));
    QCOMPARE(stream("out/d_gaussian.mp4")["pix_fmt"].toString(), QString("yuv420p"));
  }

  void pictures_that_come_unevenly_are_as_many_as_before() {
    film("in/e.mp4", pattern("64x48", ",setpts='if(eq(N,0),0,if(eq(N,1),0.1,0.1+0.3*(N-1)))/TB'"),
         {"-c:v", "libx264", "-pix_fmt", "yuv420p", "-bf", "0", "-fps_mode", "passthrough",
          "-enc_time_base", "1:90000", "-bsf:v",
          "setts=duration=if(eq(N\\,4)\\,0.7/TB\\,DURATION)"});
    const QJsonObject before = stream("in/e.mp4");
    QCOMPARE(before["nb_read_packets"].toString(), QString("5"));
    for (const char* format : {"mp4", "mov", "mkv", "webm"}) {
      const Run r = join("in/e.mp4", format);
      QVERIFY2(r.status == 0, qPrintable(r.err));
      const QJsonObject after = stream(QString("out/e_gaussian.%1").arg(format));
      QCOMPARE(after["nb_read_packets"].toString(), QString("5"));
      const double end = after["whole"].toString().toDouble();
      QVERIFY2(std::abs(end - before["whole"].toString().toDouble()) < 0.02,
               qPrintable(QString("%1 %2").arg(format).arg(end)));
    }
  }
};

QTEST_GUILESS_MAIN(TestJoinedPictures)
#include "test_joined_pictures.moc"
