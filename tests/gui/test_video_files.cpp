// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Movies that are played, and what a written one keeps of its input besides the pixels.
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

#ifdef SFUMATO_VIDEO
#include <QDir>
#include <QScopeGuard>
#include <cmath>
#include <cstdint>
#include <mutex>
#include <utility>

#include "io/movie.hpp"
#include "movie_files.hpp"
#include "support/files.hpp"
#include "support/locale.hpp"
#include "support/skips.hpp"
#include "video/frame_pixels.hpp"
#include "video/movie_player.hpp"
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
    const QTemporaryDir folder;
    const QString wide = folder.filePath(QStringLiteral("wide.mp4")),
                  turned = folder.filePath(QStringLiteral("turned.mov")),
                  senseless = folder.filePath(QStringLiteral("senseless.mkv"));
    if (!VideoWriter::is_available()) SKIP_WITHOUT("ffmpeg");
    QVERIFY(ffmpeg(QStringLiteral("-f lavfi -i testsrc2=size=320x180:rate=25:duration=0.4 -vf "
                                  "setsar=64/45 -pix_fmt yuv420p"),
                   wide));
    QVERIFY(ffmpeg(QStringLiteral("-i %1 -c copy -metadata:s:v:0 rotate=90").arg(wide), turned));
    QVERIFY(ffmpeg(QStringLiteral("-i %1 -c:v ffv1 -vf setsar=101").arg(wide), senseless));
    for (const auto& [input, said] : {std::pair(wide, "320\n180\n64:45"),
                                      {turned, "180\n320\n45:64"},
                                      { senseless,
                                        "320\n180\n1:1" }}) {
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
    QCOMPARE((PixelRatio{64, 45}.shown(QSize(720, 576))), QSize(1024, 576));
    QCOMPARE((PixelRatio{1, 100}.shown(QSize(10, 576))), QSize(1, 576));
    QCOMPARE(PixelRatio().shown(QSize(720, 576)), QSize(720, 576));
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

  void without_the_programs_nothing_is_shown_and_nothing_written() {
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
    QSignalSpy failed(&view, &VideoView::failed);
    view.open(job.input);
    QVERIFY(!failed.isEmpty() || failed.wait(180000));
    QVERIFY2(failed[0][0].toString().contains(QStringLiteral("install Debian's package ffmpeg")),
             qPrintable(failed[0][0].toString()));
  }

  void what_is_played_is_what_is_written_data() {
    QTest::addColumn<QString>("options");
    const QString lossless = QStringLiteral("-c:v ffv1 -pix_fmt ");
    QTest::newRow("4:2:0") << lossless + QStringLiteral("yuv420p");
    QTest::newRow("4:2:0, of BT.709") << lossless + QStringLiteral("yuv420p -colorspace bt709");
    QTest::newRow("4:2:0, full range")
        << QStringLiteral("-c:v libx264 -crf 1 -pix_fmt yuvj420p -color_range pc");
    QTest::newRow("4:2:2") << lossless + QStringLiteral("yuv422p");
    QTest::newRow("4:4:4, ten bits") << lossless + QStringLiteral("yuv444p10le");
    QTest::newRow("of BT.2020") << lossless + QStringLiteral("yuv420p10le -colorspace bt2020nc");
    QTest::newRow("RGB") << lossless + QStringLiteral("bgr0");
    QTest::newRow("odd sides") << lossless + QStringLiteral("yuv420p -vf crop=63:47:0:0:exact=1");
  }

  void what_is_played_is_what_is_written() {
    QFETCH(const QString, options);
    if (!VideoWriter::is_available()) SKIP_WITHOUT("ffmpeg");
    const QTemporaryDir folder;
    const QString movie = folder.filePath(QStringLiteral("movie.mkv"));
    QVERIFY(ffmpeg(
        QStringLiteral("-f lavfi -i smptebars=size=64x48:rate=25:duration=0.2 ") + options, movie));
    Movies movies;
    ReadOptions read;
    read.frame = 1;
    const auto written = movies.open(movie.toStdString(), read);
    const PictureFormat format = written->format();
    HeldPicture expected = blank_picture(format);
    written->read(format.rect(), expected.bytes.data(),
                  static_cast<std::ptrdiff_t>(format.row_bytes()));

    MoviePlayer player;
    HeldPicture played;
    std::mutex mutex;  // frames come on another thread
    connect(
        &player, &MoviePlayer::frame, this,
        [&](const QVideoFrame& frame) {
          const std::lock_guard lock(mutex);
          if (played.bytes.empty()) read_pixels(frame, played);
        },
        Qt::DirectConnection);
    QSignalSpy moved(&player, &MoviePlayer::position_changed);
    player.open(movie.toStdString());
    QVERIFY(!moved.isEmpty() || moved.wait(180000));
    const std::lock_guard lock(mutex);
    QCOMPARE(played.format.width, format.width);
    QCOMPARE(played.format.height, format.height);
    int most = 0;
    for (std::size_t i = 0; i < played.bytes.size(); ++i) {
      const auto seen = static_cast<unsigned char>(played.bytes[i]);
      const double own =
          format.type == SampleType::u8
              ? static_cast<unsigned char>(expected.bytes[i])
              : reinterpret_cast<const std::uint16_t*>(expected.bytes.data())[i] / 257.0;
      most = std::max(most, static_cast<int>(std::lround(std::abs(seen - own))));
    }
    QVERIFY2(most <= 3, qPrintable(QString::number(most)));
  }

  void a_movie_that_names_others_is_not_played() {
    if (!VideoWriter::is_available()) SKIP_WITHOUT("ffmpeg");
    const QTemporaryDir folder;
    QVERIFY(!movie_in(folder).isEmpty());
    const QString list = folder.filePath(QStringLiteral("list.mp4"));
    for (const char* content :
         {"ffconcat version 1.0\nfile movie.mp4\n",
          "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nmovie.mp4\n#EXT-X-ENDLIST\n"}) {
      testing::put(list.toStdString(), content);
      VideoView view;
      QSignalSpy failed(&view, &VideoView::failed), shown(&view, &VideoView::shown);
      view.open(list);
      QVERIFY(!failed.isEmpty() || failed.wait(180000));
      QVERIFY2(failed[0][0].toString().contains(QStringLiteral("list.mp4")),
               qPrintable(failed[0][0].toString()));
      QVERIFY(shown.isEmpty() && !view.source().is_playing());
    }
  }

  void numbers_for_the_programs_have_a_point() {
    if (!VideoWriter::is_available()) SKIP_WITHOUT("ffmpeg");
    if (!build_locale(QStringLiteral("de_DE"))) SKIP_WITHOUT("localedef");
    const QTemporaryDir folder;
    const QString movie = movie_in(folder);
    QVERIFY(!movie.isEmpty());
    const auto back = qScopeGuard([] { std::setlocale(LC_ALL, "C"); });
    QVERIFY(std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr);
    MoviePlayer player;
    QSignalSpy failed(&player, &MoviePlayer::failed);
    player.open(movie.toStdString());
    player.seek(1520);
    QTRY_VERIFY_WITH_TIMEOUT(player.position() == 1520 || !failed.isEmpty(), 180000);
    QVERIFY2(failed.isEmpty(), failed.isEmpty() ? "" : qPrintable(failed[0][0].toString()));
    QCOMPARE(player.duration(), 2000);
    const MovieCount count = Movies().count(movie.toStdString());
    QCOMPARE(count.starts.at(1), 0.04);
  }

  void the_last_of_many_requests_counts() {
    if (!VideoWriter::is_available()) SKIP_WITHOUT("ffmpeg");
    const QTemporaryDir folder;
    const QString movie = movie_in(folder);
    QVERIFY(!movie.isEmpty());
    MoviePlayer player;
    player.seek(500);  // of nothing
    player.play();
    QVERIFY(!player.is_playing());
    player.open(movie.toStdString());
    player.play();
    for (int i = 0; i < 40; ++i) player.seek(50 * i);
    player.pause();
    QTRY_VERIFY_WITH_TIMEOUT(std::abs(player.position() - 1950) < 60, 180000);
    QCOMPARE(player.duration(), 2000);
    player.seek(1000000);
    QTRY_COMPARE_WITH_TIMEOUT(player.position(), 1960, 180000);
    QVERIFY(!player.is_playing());
    player.close();
    QCOMPARE(player.duration(), 0);
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
