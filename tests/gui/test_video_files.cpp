// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What a written movie keeps of its input besides the pixels: sound and shape.
#include <QtTest>

#ifdef SFUMATO_VIDEO
#include <QDir>
#include <QScopeGuard>
#include <cmath>
#include <utility>

#include "movie_files.hpp"
#include "support/skips.hpp"
#include "video/pixel_shape.hpp"
#include "video/video_view.hpp"

using namespace sfumato;
using namespace sfumato::gui;
using namespace sfumato::testing;
#endif

class TestVideoFiles : public QObject {
  Q_OBJECT

 private Q_SLOTS:
#ifdef SFUMATO_VIDEO
  void sound_is_copied_where_the_container_holds_it_and_else_converted() {
    const QTemporaryDir folder;
    const QString mov = folder.filePath(QStringLiteral("in.mov")),
                  mkv = folder.filePath(QStringLiteral("in.mkv"));
    const QString streams = QStringLiteral(
        "-f lavfi -i testsrc2=size=160x90:rate=25:duration=0.4 -f lavfi -i sine=duration=0.4 "
        "-map 0 -map 1 -map 1 -pix_fmt yuv420p -c:a:0 %1 -c:a:1 aac");
    if (!VideoWriter::is_available()) SKIP_WITHOUT("ffmpeg");
    QVERIFY(ffmpeg(streams.arg(QStringLiteral("pcm_s16le")), mov));
    QVERIFY(ffmpeg(streams.arg(QStringLiteral("flac")), mkv));
    const auto codecs = [&](const QString& input, const char* output) {
      VideoJob job;
      job.input = input;
      job.output = folder.filePath(QLatin1String(output));
      job.overwrite = true;
      const QString fault = written(job);
      if (!fault.isEmpty()) return fault;
      return answer_of(QStringLiteral("ffprobe"),
                       QStringLiteral("-v error -select_streams a -show_entries stream=codec_name "
                                      "-of default=nk=1:nw=1"),
                       job.output)
          .replace(QLatin1Char('\n'), QLatin1Char(' '));
    };
    QCOMPARE(codecs(mov, "out.mp4"), QStringLiteral("aac aac"));
    QCOMPARE(codecs(mov, "out.mov"), QStringLiteral("pcm_s16le aac"));
    QCOMPARE(codecs(mov, "out.mkv"), QStringLiteral("pcm_s16le aac"));
    QCOMPARE(codecs(mkv, "out.mp4"), QStringLiteral("aac aac"));
    QCOMPARE(codecs(mkv, "out.mov"), QStringLiteral("aac aac"));
    QCOMPARE(codecs(mkv, "out.MKV"), QStringLiteral("flac aac"));
    QCOMPARE(codecs(mkv, "out.webm"), QStringLiteral("opus opus"));
    const QString fault = codecs(mkv, "out.avi");  // holds no times of frames
    QVERIFY2(fault.contains(QStringLiteral("out.avi")) && fault.contains(QStringLiteral(".mp4")),
             qPrintable(fault));
  }

  void pixels_that_are_not_square_stay_so() {
    for (const char* square : {"1:1", "0:1", "N/A", "", "7:0", "2000000000:1"}) {
      QVERIFY2(PixelRatio::from(QLatin1String(square)).is_square(), square);
    }
    const QTemporaryDir folder;
    const QString wide = folder.filePath(QStringLiteral("wide.mp4")),
                  turned = folder.filePath(QStringLiteral("turned.mov"));
    if (!VideoWriter::is_available()) SKIP_WITHOUT("ffmpeg");
    QVERIFY(ffmpeg(QStringLiteral("-f lavfi -i testsrc2=size=320x180:rate=25:duration=0.4 -vf "
                                  "setsar=64/45 -pix_fmt yuv420p"),
                   wide));
    QVERIFY(ffmpeg(QStringLiteral("-i %1 -c copy -metadata:s:v:0 rotate=90").arg(wide), turned));
    for (const auto& [input, said] : {std::pair(wide, "320\n180\n64:45"),
                                      { turned,
                                        "180\n320\n45:64" }}) {
      VideoJob job;
      job.input = input;
      job.output = folder.filePath(QStringLiteral("out.mp4"));
      job.overwrite = true;
      QCOMPARE(written(job), QString());
      QCOMPARE(answer_of(QStringLiteral("ffprobe"),
                         QStringLiteral("-v error -select_streams v:0 -show_entries "
                                        "stream=width,height,sample_aspect_ratio -of "
                                        "default=nk=1:nw=1"),
                         job.output),
               QLatin1String(said));
    }
  }

  void pixels_that_are_not_square_are_shown_so() {
    const MovieShape dv{QSize(720, 576), { 64, 45 }};
    QCOMPARE(dv.shown(QSize(720, 576)), QSize(1024, 576));
    QCOMPARE(dv.shown(QSize(576, 720)), QSize(576, 1024));   // turned
    QCOMPARE(dv.shown(QSize(1024, 576)), QSize(1024, 576));  // by the decoder
    QCOMPARE(MovieShape().shown(QSize(720, 576)), QSize(720, 576));
    const QTemporaryDir folder;
    const QString wide = folder.filePath(QStringLiteral("wide.mp4")),
                  square = folder.filePath(QStringLiteral("square.mp4"));
    const QString options = QStringLiteral(
        "-f lavfi -i testsrc2=size=320x180:rate=25:duration=1 -vf setsar=%1 -pix_fmt yuv420p");
    if (!VideoWriter::is_available()) SKIP_WITHOUT("ffmpeg");
    QVERIFY(ffmpeg(options.arg(QStringLiteral("64/45")), wide));
    QVERIFY(ffmpeg(options.arg(QStringLiteral("1")), square));
    VideoView view;
    view.resize(600, 500);
    view.show();
    const auto ratio = [&view] {
      const QSizeF size = view.screen().frame_rect().size();
      return size.isEmpty() ? 0 : size.width() / size.height();
    };
    view.open(wide);
    QTRY_VERIFY_WITH_TIMEOUT(std::abs(ratio() - 455.0 / 180) < 0.02, 180000);
    view.open(square);
    QTRY_VERIFY_WITH_TIMEOUT(std::abs(ratio() - 320.0 / 180) < 0.02, 180000);
  }

  void without_the_programs_pixels_are_square_and_nothing_is_written() {
    const QTemporaryDir folder, empty;
    VideoJob job;
    job.input = folder.filePath(QStringLiteral("wide.mp4"));
    job.output = folder.filePath(QStringLiteral("frame.png"));
    if (!VideoWriter::is_available()) SKIP_WITHOUT("ffmpeg");
    QVERIFY(ffmpeg(QStringLiteral("-f lavfi -i testsrc2=size=320x180:rate=25:duration=1 -vf "
                                  "setsar=64/45 -pix_fmt yuv420p"),
                   job.input));
    const QByteArray before = qgetenv("PATH");
    const auto back = qScopeGuard([&] { qputenv("PATH", before); });
    qputenv("PATH", empty.path().toUtf8());
    QVERIFY(written(job).contains(QStringLiteral("ffmpeg")));
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden).size(), 1);
    VideoView view;
    view.resize(600, 500);
    QSignalSpy shown(&view, &VideoView::shown);
    for (int time = 0; time < 2; ++time) {
      view.open(job.input);
      QVERIFY(shown.wait(180000));
      const QSizeF size = view.screen().frame_rect().size();
      QVERIFY(std::abs(size.width() / size.height() - 320.0 / 180) < 0.02);
    }
  }

  void the_next_one_waits_until_the_end_of_the_last_one_is_reported() {
    const QTemporaryDir folder;
    VideoJob job;
    job.input = folder.filePath(QStringLiteral("none.mp4"));
    job.output = folder.filePath(QStringLiteral("out.mp4"));
    VideoWriter writer;
    QSignalSpy finished(&writer, &VideoWriter::finished);
    QVERIFY(writer.start(job));
    QThread::sleep(2);  // it has failed by now
    QVERIFY(writer.is_running() && !writer.start(job));
    QVERIFY(finished.wait(180000));
    QVERIFY(!writer.is_running() && writer.start(job));
  }
#else
  void there_is_no_video() {
    SKIP_WITHOUT("Qt Multimedia");
  }
#endif
};

QTEST_MAIN(TestVideoFiles)
#include "test_video_files.moc"
