// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// sfumato batch: what a joined movie says of its light and its time.
#include <QRegularExpression>
#include <QStandardPaths>

#include "batch_program.hpp"
#include "support/skips.hpp"

class TestBatchLight : public BatchTest {
  Q_OBJECT

 private Q_SLOTS:
  void init() { make_inputs(1, 24, 18); }

  // x264's words go into the pictures, where ffmpeg's filter of headers finds them.
  void light_and_time_code_are_kept_or_named() {
    if (QStandardPaths::findExecutable("ffmpeg").isEmpty()) SKIP_WITHOUT("ffmpeg");
    const auto headers_of = [](const QString& file) {
      QProcess filter;
      filter.setProcessChannelMode(QProcess::MergedChannels);
      filter.start("ffmpeg", {"-v", "verbose", "-i", file, "-map", "0:v", "-c", "copy", "-bsf:v",
                              "trace_headers", "-f", "null", "-"});
      filter.waitForFinished(180000);
      return QString(filter.readAll());
    };
    QCOMPARE(
        QProcess::execute(
            "ffmpeg",
            {"-v",
             "error",
             "-y",
             "-f",
             "lavfi",
             "-i",
             "testsrc2=size=64x48:rate=25:duration=0.4",
             "-c:v",
             "libx265",
             "-pix_fmt",
             "yuv420p10le",
             "-x265-params",
             "log-level=error:hdr10=1:repeat-headers=1:master-display=G(8500,39850)B(6550,2300)"
             "R(35400,14600)WP(15635,16450)L(10000000,1):max-cll=1000,400",
             "-color_primaries",
             "bt2020",
             "-color_trc",
             "smpte2084",
             "-colorspace",
             "bt2020nc",
             "-timecode",
             "01:02:03:04",
             path("in/h.mov")}),
        0);
    for (const QString kind : {"mp4", "mov", "mkv", "webm", "webp"}) {
      const Run r = run(command("out", {"in/h.mov", "--join", kind}));
      QVERIFY2(r.status == 0, qPrintable(r.err));
      const bool light = kind != "webm" && kind != "webp";
      QVERIFY2(r.err.contains("mastering display") == !light, qPrintable(r.err));
      QVERIFY2(!r.err.contains("data and attached files"), qPrintable(r.err));
      QCOMPARE(r.err.contains("tags and chapters"), kind == "webp");
      if (kind == "webp") continue;
      const QString headers = headers_of(path("out/h_gaussian." + kind));
      QCOMPARE(headers.contains("Mastering Display Colour Volume"), light);
      QCOMPARE(headers.contains(QRegularExpression("max_content_light_level\\s+\\d+ = 1000")),
               light);
      QCOMPARE(headers.contains(QRegularExpression("display_primaries_x\\[2\\]\\s+\\d+ = 35400")),
               light);
      QProcess probe;
      probe.start("ffprobe", {"-v", "error", "-show_entries", "stream_tags=timecode", "-of",
                              "csv=p=0", path("out/h_gaussian." + kind)});
      QVERIFY(probe.waitForFinished(180000));
      QVERIFY(probe.readAllStandardOutput().contains("01:02:03:04"));
    }
  }
};

QTEST_GUILESS_MAIN(TestBatchLight)
#include "test_batch_light.moc"
