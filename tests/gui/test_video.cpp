// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Movies: colours of frames, the recipe live on them, and the player.
#include <QtTest>

#ifdef SFUMATO_VIDEO
#include <QDir>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <ctime>

#include "support/pictures.hpp"
#include "video/frame_pixels.hpp"
#include "video/video_runner.hpp"
#include "video/video_view.hpp"
#include "video/video_writer.hpp"

using namespace sfumato;
using namespace sfumato::gui;
using sfumato::testing::one_step;

namespace {

// Bars of gray from black to white, and chroma of one colour, in limited range.
QVideoFrame frame_of(int width, int height, QVideoFrameFormat::PixelFormat format, uchar u = 128,
                     uchar v = 128) {
  QVideoFrameFormat described(QSize(width, height), format);
  described.setColorSpace(QVideoFrameFormat::ColorSpace_BT709);
  described.setColorRange(QVideoFrameFormat::ColorRange_Video);
  QVideoFrame frame(described);
  frame.map(QVideoFrame::WriteOnly);
  for (int y = 0; y < height; ++y) {
    uchar* row = frame.bits(0) + y * frame.bytesPerLine(0);
    for (int x = 0; x < width; ++x) row[x] = static_cast<uchar>(16 + x * 219 / (width - 1));
  }
  const bool planar = format == QVideoFrameFormat::Format_YUV420P;
  for (int i = 0; i < frame.mappedBytes(1); ++i) {
    frame.bits(1)[i] = planar || i % 2 == 0 ? u : v;
    if (planar) frame.bits(2)[i] = v;
  }
  frame.unmap();
  return frame;
}

HeldPicture pixels_of(const QVideoFrame& frame) {
  HeldPicture out;
  if (!read_pixels(frame, out)) return {};
  return out;
}

// A movie of 50 frames, 320 x 180; empty where it cannot be made.
QString movie_in(const QTemporaryDir& folder) {
  const QString path = folder.filePath(QStringLiteral("movie.mp4"));
  const QString options = QStringLiteral(
      "-v error -f lavfi -i testsrc2=size=320x180:rate=25:duration=2 -f lavfi -i "
      "sine=duration=2 -pix_fmt yuv420p -c:a aac");
  const int code = QProcess::execute(QStringLiteral("ffmpeg"),
                                     options.split(QLatin1Char(' ')) + QStringList{path});
  return code == 0 ? path : QString();
}

}  // namespace
#endif

class TestVideo : public QObject {
  Q_OBJECT

 private Q_SLOTS:
#ifdef SFUMATO_VIDEO
  void frames_have_their_colours() {
    for (const auto format : {QVideoFrameFormat::Format_YUV420P, QVideoFrameFormat::Format_NV12}) {
      const HeldPicture gray = pixels_of(frame_of(64, 36, format));
      const auto* bytes = reinterpret_cast<const uchar*>(gray.bytes.data());
      for (int x = 0; x < 64; ++x) {
        for (int c = 0; c < 3; ++c) {
          QVERIFY(std::abs(bytes[3 * x + c] - (x * 219 / 63) * 255 / 219) <= 1);
        }
      }
      const HeldPicture red = pixels_of(frame_of(64, 36, format, 102, 240));
      bytes = reinterpret_cast<const uchar*>(red.bytes.data()) + 3 * 14;  // luma 63, red's own
      QVERIFY(bytes[0] >= 252 && bytes[1] <= 3 && bytes[2] <= 3);
    }
  }

  void what_is_shown_is_what_the_engine_computes() {
    VideoRunner runner;
    QSignalSpy rendered(&runner, &VideoRunner::rendered);
    const Recipe recipe = one_step("gaussian", {{ "sigma", "3" }});
    runner.set_recipe(recipe);
    const QVideoFrame frame = frame_of(200, 120, QVideoFrameFormat::Format_YUV420P);
    runner.show(frame);
    QVERIFY(rendered.wait(60000));
    const HeldPicture before = pixels_of(frame);
    HeldPicture after = blank_picture(before.format);
    Session session;
    MemorySource source = before.source();
    MemorySink sink(after.format, after.view());
    session.render(recipe, source, sink);
    const QImage shown = rendered[0][1].value<QImage>();
    QVERIFY(std::equal(after.bytes.begin(), after.bytes.end(),
                       reinterpret_cast<const char*>(shown.constBits())));
  }

  void a_recipe_that_fails_is_said_once() {
    VideoRunner runner;
    QSignalSpy failed(&runner, &VideoRunner::failed), rendered(&runner, &VideoRunner::rendered);
    runner.set_recipe(one_step("fft_convolve", Values()));
    const QVideoFrame frame = frame_of(64, 36, QVideoFrameFormat::Format_NV12);
    for (int i = 0; i < 5; ++i) {
      runner.show(frame);
      QTest::qWait(30);
    }
    QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, 60000);
    runner.set_recipe({});
    QVERIFY(rendered.wait(60000));
    QCOMPARE(failed.size(), 1);
  }

  void a_movie_plays_and_is_scrubbed() {
    QTemporaryDir folder;
    const QString movie = movie_in(folder);
    if (movie.isEmpty()) QSKIP("no ffmpeg to make a movie with");
    VideoView view;
    view.resize(480, 320);
    view.show();
    view.set_recipe(one_step("grayscale", Values()));
    QSignalSpy shown(&view, &VideoView::shown);
    view.open(movie);
    view.toggle();
    QTRY_VERIFY_WITH_TIMEOUT(shown.size() > 5, 60000);
    QCOMPARE(view.source().duration(), 2000);
    QCOMPARE(view.screen().after().size(), QSize(320, 180));
    QTRY_VERIFY_WITH_TIMEOUT(view.source().position() > 1000, 20000);
    QTRY_VERIFY_WITH_TIMEOUT(view.source().position() < 1000, 20000);  // from the beginning again
    QVERIFY(view.source().is_playing());
    view.toggle();
    QTRY_VERIFY(!view.source().is_playing());
    view.source().seek(1500);
    QTRY_VERIFY_WITH_TIMEOUT(std::abs(view.source().position() - 1500) < 100, 20000);
    QTest::qWait(500);
    const QImage grab = view.grab().toImage();
    const QRect frame = view.screen().frame_rect();
    const auto colour = [&](double share) {
      const QColor c =
          grab.pixelColor(frame.left() + qRound(share * frame.width()), frame.center().y());
      return std::max({c.red(), c.green(), c.blue()}) - std::min({c.red(), c.green(), c.blue()});
    };
    QVERIFY(colour(0.6) <= 2 && colour(0.75) <= 2 && colour(0.9) <= 2);
    QVERIFY(std::max({colour(0.1), colour(0.25), colour(0.4)}) > 30);
    const QString grabs = qEnvironmentVariable("SFUMATO_GRABS");
    if (!grabs.isEmpty()) grab.save(grabs + QStringLiteral("/video.png"));
  }

  void a_movie_is_written_whole_or_not_at_all() {
    QTemporaryDir folder;
    VideoJob job;
    job.input = movie_in(folder);
    if (job.input.isEmpty() || !VideoWriter::is_available()) QSKIP("no ffmpeg");
    job.recipe = one_step("grayscale", Values());
    job.output = folder.filePath(QStringLiteral("out.mp4"));
    VideoWriter writer;
    QSignalSpy finished(&writer, &VideoWriter::finished);
    QVERIFY(writer.start(job));
    QVERIFY(!writer.start(job));
    QVERIFY(finished.wait(120000));
    QVERIFY2(finished[0][0].toBool(), qPrintable(finished[0][1].toString()));
    QCOMPARE(finished[0][2].toInt(), 50);
    VideoView view;
    QSignalSpy shown(&view, &VideoView::shown);
    view.open(job.output);
    QVERIFY(!shown.isEmpty() || shown.wait(60000));
    const QColor c = view.screen().after().pixelColor(20, 90);  // red before
    QVERIFY(std::abs(c.red() - c.blue()) <= 3 && std::abs(c.red() - c.green()) <= 3);

    QVERIFY(writer.start(job));  // over what is there
    QVERIFY(finished.wait(60000));
    QVERIFY(!finished[1][0].toBool() && !finished[1][1].toString().isEmpty());

    job.output = folder.filePath(QStringLiteral("other.mp4"));
    QSignalSpy progressed(&writer, &VideoWriter::progressed);
    QVERIFY(writer.start(job));
    QVERIFY(progressed.wait(60000));
    writer.cancel();
    QVERIFY(!finished.isEmpty() && (finished.size() == 3 || finished.wait(60000)));
    QVERIFY(!finished[2][0].toBool() && finished[2][1].toString().isEmpty());
    const QStringList left = QDir(folder.path()).entryList(QDir::Files | QDir::Hidden);
    QCOMPARE(left, QStringList({QStringLiteral("movie.mp4"), QStringLiteral("out.mp4")}));
  }

  void a_movie_becomes_numbered_pictures() {
    QTemporaryDir folder;
    VideoJob job;
    job.input = movie_in(folder);
    if (job.input.isEmpty() || !VideoWriter::is_available()) QSKIP("no ffmpeg");
    job.output = folder.filePath(QStringLiteral("frame.png"));
    VideoWriter writer;
    QSignalSpy finished(&writer, &VideoWriter::finished);
    QVERIFY(writer.start(job));
    QVERIFY(finished.wait(120000));
    QVERIFY2(finished[0][0].toBool(), qPrintable(finished[0][1].toString()));
    QVERIFY(QFileInfo::exists(folder.filePath(QStringLiteral("frame_00001.png"))));
    QVERIFY(QFileInfo::exists(folder.filePath(QStringLiteral("frame_00050.png"))));
    QVERIFY(!QFileInfo::exists(folder.filePath(QStringLiteral("frame_00051.png"))));
    QCOMPARE(QImage(folder.filePath(QStringLiteral("frame_00025.png"))).size(), QSize(320, 180));
  }

  void what_is_no_movie_is_said() {
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("none.mp4")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("no movie");
    file.close();
    VideoView view;
    QSignalSpy failed(&view, &VideoView::failed);
    view.open(file.fileName());
    QVERIFY(!failed.isEmpty() || failed.wait(20000));
    QVERIFY(failed[0][0].toString().contains(QStringLiteral("none.mp4")));
  }

  void a_turned_movie_is_written_upright() {
    QTemporaryDir folder;
    const QString lying = movie_in(folder), turned = folder.filePath(QStringLiteral("turned.mov"));
    const QStringList command =
        QStringList{QStringLiteral("-v"), QStringLiteral("error"), QStringLiteral("-i"), lying} +
        QStringLiteral("-c copy -metadata:s:v:0 rotate=90").split(QLatin1Char(' ')) +
        QStringList{turned};
    if (QProcess::execute(QStringLiteral("ffmpeg"), command) != 0) QSKIP("no ffmpeg");
    VideoWriter writer;
    QSignalSpy finished(&writer, &VideoWriter::finished);
    VideoJob job;
    job.input = turned;
    job.output = folder.filePath(QStringLiteral("frame.png"));
    QVERIFY(writer.start(job));
    QVERIFY(finished.wait(120000));
    QVERIFY2(finished[0][0].toBool(), qPrintable(finished[0][1].toString()));
    QCOMPARE(QImage(folder.filePath(QStringLiteral("frame_00025.png"))).size(), QSize(180, 320));
  }

  // SFUMATO_MEASURE: how many frames a second the Gaussian gives at 1920 x 1080.
  void frames_per_second() {
    if (!qEnvironmentVariableIsSet("SFUMATO_MEASURE")) QSKIP("only to measure");
    const QVideoFrame frame = frame_of(1920, 1080, QVideoFrameFormat::Format_YUV420P);
    for (const char* sigma : {"2", "8", "32", "100"}) {
      VideoRunner runner;
      QSignalSpy rendered(&runner, &VideoRunner::rendered);
      runner.set_recipe(one_step("gaussian", {{ "sigma", sigma }}));
      QElapsedTimer clock;
      std::clock_t begun = 0;
      for (int i = 0; i < 60; ++i) {
        runner.show(frame);
        QVERIFY(rendered.wait(60000));
        if (i != 9) continue;
        clock.start();
        begun = std::clock();
      }
      const double busy = static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC;
      qInfo("sigma %s: %.1f frames a second, %.1f ms of all processors each", sigma,
            50e3 / static_cast<double>(clock.elapsed()), 20 * busy);
    }
  }
#else
  void there_is_no_video() {
    QSKIP("built without Qt Multimedia");
  }
#endif
};

QTEST_MAIN(TestVideo)
#include "test_video.moc"
