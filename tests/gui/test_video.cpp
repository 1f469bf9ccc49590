// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Movies: colours of frames, the recipe live on them, and the player.
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QTest>
#include <functional>

#ifdef SFUMATO_VIDEO
#include <sys/stat.h>

#include <QDir>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <array>
#include <ctime>

#include "movie_files.hpp"
#include "support/pictures.hpp"
#include "support/skips.hpp"
#include "video/frame_pixels.hpp"
#include "video/video_runner.hpp"
#include "video/video_view.hpp"
#include "video/video_writer.hpp"

using namespace sfumato;
using namespace sfumato::gui;
using namespace sfumato::testing;

namespace {

// Gray bars from black to white, with constant chroma, in limited range.
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

// The means of luma and chroma of a flat movie's first frame, as they are stored.
std::array<double, 3> stored_colour(const QString& movie, int width, int height) {
  QProcess process;
  process.start(QStringLiteral("ffmpeg"),
                QStringLiteral("-v error -i %1 -frames:v 1 -f rawvideo -pix_fmt yuv420p -")
                    .arg(movie)
                    .split(QLatin1Char(' ')));
  process.waitForFinished(180000);
  const QByteArray all = process.readAllStandardOutput();
  const qsizetype luma = qsizetype{width} * height;
  if (all.size() != luma * 3 / 2) return {};
  const auto mean = [&](qsizetype from, qsizetype count) {
    double sum = 0;
    for (qsizetype i = 0; i < count; ++i) sum += static_cast<uchar>(all[from + i]);
    return sum / static_cast<double>(count);
  };
  return {mean(0, luma), mean(luma, luma / 4), mean(luma + luma / 4, luma / 4)};
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
    QVERIFY(rendered.wait(180000));
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
    QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, 180000);
    runner.set_recipe({});
    QVERIFY(rendered.wait(180000));
    QCOMPARE(failed.size(), 1);
  }

  void a_movie_plays_and_is_scrubbed() {
    QTemporaryDir folder;
    if (!VideoWriter::is_available()) SKIP_WITHOUT("ffmpeg");
    const QString movie = movie_in(folder);
    QVERIFY(!movie.isEmpty());
    VideoView view;
    view.resize(480, 320);
    view.show();
    view.set_recipe(one_step("grayscale", Values()));
    QSignalSpy shown(&view, &VideoView::shown);
    view.open(movie);
    view.toggle();
    QTRY_VERIFY_WITH_TIMEOUT(shown.size() > 5, 180000);
    QCOMPARE(view.source().duration(), 2000);
    QCOMPARE(view.screen().after().size(), QSize(320, 180));
    QTRY_VERIFY_WITH_TIMEOUT(view.source().position() > 1000, 180000);
    QTRY_VERIFY_WITH_TIMEOUT(view.source().position() < 1000, 180000);  // at the beginning again
    QVERIFY(view.source().is_playing());
    view.toggle();
    QTRY_VERIFY_WITH_TIMEOUT(!view.source().is_playing(), 180000);
    view.source().seek(1500);
    QTRY_VERIFY_WITH_TIMEOUT(std::abs(view.source().position() - 1500) < 100, 180000);
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
    if (!VideoWriter::is_available()) SKIP_WITHOUT("ffmpeg");
    job.input = movie_in(folder);
    QVERIFY(!job.input.isEmpty());
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
    QVERIFY(!shown.isEmpty() || shown.wait(180000));
    const QColor c = view.screen().after().pixelColor(20, 90);  // red before
    QVERIFY(std::abs(c.red() - c.blue()) <= 3 && std::abs(c.red() - c.green()) <= 3);

    QVERIFY(writer.start(job));  // replacing the existing file
    QVERIFY(finished.wait(180000));
    QVERIFY(!finished[1][0].toBool() && !finished[1][1].toString().isEmpty());

    job.output = folder.filePath(QStringLiteral("other.mp4"));
    QSignalSpy progressed(&writer, &VideoWriter::progressed);
    QVERIFY(writer.start(job));
    QVERIFY(progressed.wait(180000));
    writer.cancel();
    QVERIFY(!finished.isEmpty() && (finished.size() == 3 || finished.wait(180000)));
    QVERIFY(!finished[2][0].toBool() && finished[2][1].toString().isEmpty());
    const QStringList left = QDir(folder.path()).entryList(QDir::Files | QDir::Hidden);
    QCOMPARE(left, QStringList({QStringLiteral("movie.mp4"), QStringLiteral("out.mp4")}));
  }

  void a_movie_becomes_numbered_pictures() {
    QTemporaryDir folder;
    VideoJob job;
    if (!VideoWriter::is_available()) SKIP_WITHOUT("ffmpeg");
    job.input = movie_in(folder);
    QVERIFY(!job.input.isEmpty());
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

  void a_written_movie_has_the_colours_of_its_input() {
    if (!VideoWriter::is_available()) SKIP_WITHOUT("ffmpeg");
    struct Case {
      const char *size, *matrix, *tags, *said;
    };
    const QTemporaryDir folder;
    const QString in = folder.filePath(QStringLiteral("in.mp4"));
    for (const Case& one :
         {Case{"1280x720", "bt709", "-colorspace bt709 -color_primaries bt709 -color_trc bt709",
               "bt709"},
          Case{"1280x720", "bt709", "", "bt709"},
          Case{"1280x720", "bt601", "-colorspace smpte170m", "smpte170m"},
          Case{"320x180", "bt601", "", "smpte170m"}, Case {
            "320x180",
            "bt709",
            "-colorspace bt709",
            "bt709"
          }}) {
      // An orange, for which the matrices give very different values.
      const QString tags = QLatin1String(one.tags);
      const bool made = ffmpeg(
          QStringLiteral("-f lavfi -i color=0xe06020:size=%1:rate=25:duration=0.2,format=rgb24 -vf "
                         "scale=out_color_matrix=%2:out_range=tv,format=yuv420p%3")
              .arg(QLatin1String(one.size), QLatin1String(one.matrix),
                   tags.isEmpty() ? QString() : QLatin1Char(' ') + tags),
          in);
      QVERIFY(made);
      VideoJob job;
      job.input = in;
      job.overwrite = true;
      job.output = folder.filePath(QStringLiteral("out.mp4"));
      QCOMPARE(written(job), QString());
      const int width = QByteArray(one.size).split('x')[0].toInt(),
                height = QByteArray(one.size).split('x')[1].toInt();
      const auto before = stored_colour(in, width, height),
                 after = stored_colour(job.output, width, height);
      for (std::size_t i = 0; i < 3; ++i) {
        QVERIFY2(before[i] > 0 && std::abs(before[i] - after[i]) < 2, one.size);
      }
      QCOMPARE(answer_of(QStringLiteral("ffprobe"),
                         QStringLiteral("-v error -select_streams v:0 -show_entries "
                                        "stream=color_range,color_space -of default=nk=1:nw=1"),
                         job.output),
               QStringLiteral("tv\n") + QLatin1String(one.said));

      // And the filtered colour is the right one.
      job.output = folder.filePath(QStringLiteral("frame.png"));
      QCOMPARE(written(job), QString());
      const QColor seen =
          QImage(folder.filePath(QStringLiteral("frame_00001.png"))).pixelColor(50, 50);
      QVERIFY2(std::abs(seen.red() - 0xe0) < 4 && std::abs(seen.green() - 0x60) < 4 &&
                   std::abs(seen.blue() - 0x20) < 4,
               qPrintable(seen.name() + QLatin1Char(' ') + QLatin1String(one.matrix)));
    }
  }

  void a_movie_is_as_long_as_its_pictures() {
    if (!VideoWriter::is_available()) SKIP_WITHOUT("ffmpeg");
    const QTemporaryDir folder;
    for (const char* sound : {"0.5", "3"}) {
      VideoJob job;
      job.input = folder.filePath(QStringLiteral("in.mp4"));
      job.output = folder.filePath(QStringLiteral("out.mp4"));
      job.overwrite = true;
      const bool made =
          ffmpeg(QStringLiteral("-f lavfi -i testsrc2=size=320x180:rate=25:duration=2 -f lavfi -i "
                                "sine=duration=%1 -pix_fmt yuv420p -c:a aac")
                     .arg(QLatin1String(sound)),
                 job.input);
      QVERIFY(made);
      QCOMPARE(written(job), QString());
      const auto streams = [](const QString& file) {
        return answer_of(QStringLiteral("ffprobe"),
                         QStringLiteral("-v error -count_packets -show_entries "
                                        "stream=codec_type,nb_read_packets -of csv=p=0"),
                         file);
      };
      QVERIFY2(streams(job.output).contains(QStringLiteral("video,50")),
               qPrintable(streams(job.output)));
      QCOMPARE(streams(job.output), streams(job.input));  // all of the sound, too
    }
  }

  void frames_that_come_unevenly_keep_their_times() {
    const QTemporaryDir folder;
    VideoJob job;
    job.input = folder.filePath(QStringLiteral("uneven.mkv"));
    job.output = folder.filePath(QStringLiteral("out.mp4"));
    if (!VideoWriter::is_available()) SKIP_WITHOUT("ffmpeg");
    QVERIFY(ffmpeg(QStringLiteral("-f lavfi -i testsrc2=size=160x90:rate=25:duration=2 -vf "
                                  "settb=1/1000,setpts=N*37+40*mod(N\\,3) -fps_mode passthrough "
                                  "-pix_fmt yuv420p -bf 0"),
                   job.input));
    QCOMPARE(written(job), QString());
    const auto times = [](const QString& file) {
      QStringList all = answer_of(QStringLiteral("ffprobe"),
                                  QStringLiteral("-v error -select_streams v -show_entries "
                                                 "packet=pts_time -of csv=p=0"),
                                  file)
                            .split(QRegularExpression(QStringLiteral("[,\\s]+")));
      std::sort(all.begin(), all.end(),
                [](const QString& x, const QString& y) { return x.toDouble() < y.toDouble(); });
      return all;
    };
    const QStringList before = times(job.input), after = times(job.output);
    QCOMPARE(before.size(), 50);
    // The last one may be there again, since MP4 does not say how long it is shown.
    QVERIFY(after.size() == 50 || after.size() == 51);
    for (int i = 0; i < 50; ++i) {
      QVERIFY2(std::abs(before[i].toDouble() - after[i].toDouble()) < 0.001,
               qPrintable(before[i] + QLatin1Char(' ') + after[i]));
    }
  }

  void a_shorter_sequence_leaves_nothing_of_a_longer_one() {
    const QTemporaryDir folder;
    VideoJob job;
    if (!VideoWriter::is_available()) SKIP_WITHOUT("ffmpeg");
    job.input = movie_in(folder);
    QVERIFY(!job.input.isEmpty());
    for (const char* name : {"frame_00007.png", "frame_00051.png", "frame_123456.png",
                             "frame_051.png", "frame_00052.tif", "other_00052.png"}) {
      QFile file(folder.filePath(QLatin1String(name)));
      QVERIFY(file.open(QIODevice::WriteOnly));
    }
    job.output = folder.filePath(QStringLiteral("frame.png"));
    QCOMPARE(VideoWriter::in_the_way(job.output).size(), 3);
    QVERIFY(!written(job).isEmpty());
    QVERIFY(QFile::exists(folder.filePath(QStringLiteral("frame_00051.png"))));
    job.overwrite = true;
    QCOMPARE(written(job), QString());
    QCOMPARE(VideoWriter::in_the_way(job.output).size(), 50);
    for (const char* name : {"frame_051.png", "frame_00052.tif", "other_00052.png"}) {
      QVERIFY2(QFile::exists(folder.filePath(QLatin1String(name))), name);
    }
  }

  void an_input_that_is_no_file_is_refused() {
    if (!VideoWriter::is_available()) SKIP_WITHOUT("ffmpeg");
    const QTemporaryDir folder;
    VideoJob job;
    job.input = folder.filePath(QStringLiteral("silent.mp4"));
    QCOMPARE(::mkfifo(qPrintable(job.input), 0600), 0);  // ffprobe would wait for ever
    job.output = folder.filePath(QStringLiteral("out.mp4"));
    QVERIFY(written(job).contains(job.input));
  }

  void an_input_that_names_others_is_not_followed() {
    if (!VideoWriter::is_available()) SKIP_WITHOUT("ffmpeg");
    const QTemporaryDir folder;
    QVERIFY(!movie_in(folder).isEmpty());
    VideoJob job;
    job.input = folder.filePath(QStringLiteral("list.mp4"));
    QFile list(job.input);
    QVERIFY(list.open(QIODevice::WriteOnly));
    list.write("ffconcat version 1.0\nfile movie.mp4\n");
    list.close();
    job.output = folder.filePath(QStringLiteral("out.mp4"));
    QVERIFY(written(job).contains(job.input));
    QVERIFY(!QFileInfo::exists(job.output));
  }

  void an_animated_picture_is_written_and_its_lost_sound_said() {
    if (!VideoWriter::is_available()) SKIP_WITHOUT("ffmpeg");
    const QTemporaryDir folder;
    VideoJob job;
    job.input = movie_in(folder);
    job.output = folder.filePath(QStringLiteral("out.webp"));
    VideoWriter writer;
    QSignalSpy finished(&writer, &VideoWriter::finished);
    QVERIFY(writer.start(job));
    QVERIFY(!finished.isEmpty() || finished.wait(120000));
    QVERIFY2(finished[0][0].toBool(), qPrintable(finished[0][1].toString()));
    QVERIFY2(finished[0][1].toString().contains(QStringLiteral("sound")),
             qPrintable(finished[0][1].toString()));
    QCOMPARE(finished[0][2].toInt(), 50);
    const QString said = answer_of(QStringLiteral("webpmux"), QStringLiteral("-info"), job.output);
    QVERIFY2(said.contains(QStringLiteral("Number of frames: 50")), qPrintable(said));
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
    QVERIFY(!failed.isEmpty() || failed.wait(180000));
    QVERIFY(failed[0][0].toString().contains(QStringLiteral("none.mp4")));
  }

  void a_turned_movie_is_written_upright() {
    if (!VideoWriter::is_available()) SKIP_WITHOUT("ffmpeg");
    QTemporaryDir folder;
    const QString lying = movie_in(folder), turned = folder.filePath(QStringLiteral("turned.mov"));
    const QStringList command =
        QStringList{QStringLiteral("-v"), QStringLiteral("error"), QStringLiteral("-i"), lying} +
        QStringLiteral("-c copy -metadata:s:v:0 rotate=90").split(QLatin1Char(' ')) +
        QStringList{turned};
    QVERIFY(!lying.isEmpty());
    QCOMPARE(QProcess::execute(QStringLiteral("ffmpeg"), command), 0);
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

  // SFUMATO_MEASURE: the frames per second of the Gaussian at 1920 x 1080.
  void frames_per_second() {
    if (!qEnvironmentVariableIsSet("SFUMATO_MEASURE")) QSKIP("only to measure");
    const QVideoFrame frame = frame_of(1920, 1080, QVideoFrameFormat::Format_YUV420P);
    for (const char* sigma : {"2", "8", "32", "100"}) {
      VideoRunner runner;
      QSignalSpy rendered(&runner, &VideoRunner::rendered);
      runner.set_recipe(one_step("gaussian", {{ "sigma", sigma }}));
      QElapsedTimer clock;
      std::clock_t start = 0;
      for (int i = 0; i < 60; ++i) {
        runner.show(frame);
        QVERIFY(rendered.wait(180000));
        if (i != 9) continue;
        clock.start();
        start = std::clock();
      }
      const double busy = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
      qInfo("sigma %s: %.1f frames a second, %.1f ms of all processors each", sigma,
            50e3 / static_cast<double>(clock.elapsed()), 20 * busy);
    }
  }
#else
  void there_is_no_video() {
    SKIP_WITHOUT("Qt Multimedia");
  }
#endif
};

QTEST_MAIN(TestVideo)
#include "test_video.moc"
