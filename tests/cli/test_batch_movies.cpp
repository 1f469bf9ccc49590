// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// sfumato batch: movies, pages and animations, one by one or joined.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QJsonValue>
#include <QRegularExpression>
#include <QStandardPaths>
#include <algorithm>
#include <cstdlib>

#include "batch_program.hpp"
#include "support/skips.hpp"

class TestBatchMovies : public BatchTest {
  Q_OBJECT

  // in/m.mkv, in which a part of 12 pictures is missing.
  void make_cut_movie() const {
    QCOMPARE(QProcess::execute("ffmpeg", {"-v", "error", "-y", "-f", "lavfi", "-i",
                                          "testsrc2=size=64x48:rate=25", "-frames:v", "12", "-c:v",
                                          "ffv1", "-pix_fmt", "bgr0", path("in/m.mkv")}),
             0);
    QFile movie(path("in/m.mkv"));
    QVERIFY(movie.resize(movie.size() * 6 / 10));
  }

 private Q_SLOTS:
  void init() {
    for (const QString& folder : QDir(path(".")).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
      QDir(path(folder)).removeRecursively();
    }
    make_inputs(2, 24, 18);
  }

  void movies_become_numbered_pictures() {
    if (QStandardPaths::findExecutable("ffmpeg").isEmpty()) SKIP_WITHOUT("ffmpeg");
    make_folder("frames");
    const QStringList source{
        "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=25"};
    QCOMPARE(
        QProcess::execute("ffmpeg", source + QStringList{"-frames:v", "12", "-c:v", "ffv1",
                                                         "-pix_fmt", "bgr0", path("in/m.mkv")}),
        0);
    QCOMPARE(QProcess::execute("ffmpeg", {"-v", "error", "-y", "-i", path("in/m.mkv"), "-pix_fmt",
                                          "rgb24", path("frames/m_%05d.png")}),
             0);
    const Run plan = run(command("out", {"in/m.mkv", "--dry-run"}));
    QVERIFY2(plan.out.contains("picture 12 -> " + path("out/m_gaussian_00012.png")),
             qPrintable(plan.out + plan.err));
    for (const char* shard : {"1/2", "2/2"}) {
      const Run r = run(command("out", {"in/m.mkv", "--format", "ppm", "--shard", shard, "-q"}));
      QVERIFY2(r.status == 0, qPrintable(r.err));
    }
    QCOMPARE(outputs("out").size(), 12);
    for (int i = 1; i <= 12; i += 5) {
      const QString number = QString("%1").arg(i, 5, 10, QLatin1Char('0'));
      QCOMPARE(run({"gaussian", "frames/m_" + number + ".png", "frame.ppm", "--sigma", "2",
                    "--device", "reference", "--overwrite"})
                   .status,
               0);
      QVERIFY(read("out/m_gaussian_" + number + ".ppm") == read("frame.ppm"));
    }
    const Run none = run(command("other", {"in/000.ppm", "in/none.mkv"}));
    QCOMPARE(none.status, 1);
  }

  void pictures_of_another_size_are_scaled_to_the_first() {
    if (QStandardPaths::findExecutable("ffmpeg").isEmpty()) SKIP_WITHOUT("ffmpeg");
    QByteArray both;
    for (const char* size : {"64x48", "96x80"}) {
      QCOMPARE(
          QProcess::execute("ffmpeg", {"-v", "error", "-y", "-f", "lavfi", "-i",
                                       QString("testsrc2=size=%1:rate=25:duration=0.4").arg(size),
                                       "-c:v", "mpeg2video", "-f", "mpegts", path("part.ts")}),
          0);
      both += read("part.ts");
    }
    write("in/m.mpg", both);
    QCOMPARE(QProcess::execute(
                 "ffmpeg", {"-v", "error", "-y", "-i", path("in/m.mpg"), "-fps_mode", "passthrough",
                            "-vf", "scale=64:48:flags=neighbor+full_chroma_int,format=rgb24",
                            "-pix_fmt", "rgb24", path("shown_%05d.ppm")}),
             0);
    // Among others the fifteenth, alone.
    const Run r = run({"batch", "gaussian", "--sigma", "0", "-o", "out", "in/m.mpg", "--format",
                       "ppm", "--device", "reference", "--shard", "1/7"});
    const QByteArray made = read("out/m_gaussian_00015.ppm");
    constexpr qsizetype samples = 64 * 48 * 3;
    QVERIFY2(made.size() > samples, qPrintable(r.err));
    // The one that it is closest to.
    int closest = 0;
    qsizetype least = samples * 255;
    for (int i = 1; i <= 19; ++i) {
      const QByteArray shown = read(QString("shown_%1.ppm").arg(i, 5, 10, QLatin1Char('0')));
      QCOMPARE(shown.size(), made.size());
      qsizetype sum = 0;
      for (qsizetype k = made.size() - samples; k < made.size(); ++k) {
        sum += std::abs(static_cast<uchar>(made[k]) - static_cast<uchar>(shown[k]));
      }
      if (sum < least) closest = i;
      least = std::min(least, sum);
    }
    QCOMPARE(closest, 15);
    QVERIFY2(least < samples, qPrintable(QString::number(least / samples)));
  }

  void pages_and_frames_become_numbered_pictures() {
    if (QStandardPaths::findExecutable("ffmpeg").isEmpty()) SKIP_WITHOUT("ffmpeg");
    QCOMPARE(QProcess::execute("ffmpeg", {"-v", "error", "-y", "-f", "lavfi", "-i",
                                          "testsrc2=size=64x48:rate=10:duration=0.4", "-plays", "0",
                                          "-f", "apng", path("in/a.png")}),
             0);
    QCOMPARE(QProcess::execute("ffmpeg", {"-v", "error", "-y", "-i", path("in/a.png"), "-pix_fmt",
                                          "rgb24", path("frame_%d.ppm")}),
             0);
    QByteArray stack_of_frames;
    for (int i = 1; i <= 4; ++i) stack_of_frames += read(QString("frame_%1.ppm").arg(i));
    write("stack.ppm", stack_of_frames);
    const QStringList all =
        command("out", {"in/a.png", "in/000.ppm", "--format", "ppm", "--pages"});
    const Run r = run(all);
    QVERIFY2(r.status == 0, qPrintable(r.err));
    QVERIFY2(!r.err.contains("animation"), qPrintable(r.err));
    QCOMPARE(outputs("out").keys(),
             QStringList({"000_gaussian.ppm", "a_gaussian_00001.ppm", "a_gaussian_00002.ppm",
                          "a_gaussian_00003.ppm", "a_gaussian_00004.ppm"}));
    for (const char* number : {"1", "4"}) {
      QCOMPARE(run({"gaussian", QString("frame_%1.ppm").arg(number), "one.ppm", "--sigma", "2",
                    "--device", "reference", "--overwrite"})
                   .status,
               0);
      QVERIFY(read(QString("out/a_gaussian_0000%1.ppm").arg(number)) == read("one.ppm"));
      QCOMPARE(run({"gaussian", "in/a.png", "frame.ppm", "--frame", number, "--sigma", "2",
                    "--device", "reference", "--overwrite"})
                   .status,
               0);
      QVERIFY(read("frame.ppm") == read("one.ppm"));
    }
    const Run again = run(all + QStringList{"--resume"});
    QVERIFY2(again.err.contains("0 done, 5 left out") || again.err.contains("5 left out"),
             qPrintable(again.err));
    const Run third =
        run(command("third", {"in/a.png", "in/000.ppm", "--format", "ppm", "--page", "3"}));
    QVERIFY2(third.status == 0, qPrintable(third.err));
    QCOMPARE(outputs("third").keys(), QStringList({"000_gaussian.ppm", "a_gaussian_00003.ppm"}));
    QVERIFY(read("third/a_gaussian_00003.ppm") == read("out/a_gaussian_00003.ppm"));
    const Run stack = run(command("stack", {"stack.ppm", "--format", "ppm", "--page", "3"}));
    QVERIFY2(stack.status == 0, qPrintable(stack.err));
    QCOMPARE(outputs("stack").keys(), QStringList({"stack_gaussian_00003.ppm"}));
    QVERIFY(read("stack/stack_gaussian_00003.ppm") == read("out/a_gaussian_00003.ppm"));
    const Run ninth = run(command("ninth", {"in/a.png", "--page", "9"}));
    QCOMPARE(ninth.status, 1);
    QVERIFY2(ninth.err.contains("no page or frame 9"), qPrintable(ninth.err));
    const Run first = run(command("first", {"in/a.png"}));
    QVERIFY2(first.err.contains("animation of 4 frames"), qPrintable(first.err));
  }

  void frames_are_joined_to_an_animated_picture() {
    if (QStandardPaths::findExecutable("ffmpeg").isEmpty()) SKIP_WITHOUT("ffmpeg");
    const auto ffmpeg = [&](const QStringList& words) {
      return QProcess::execute("ffmpeg", QStringList{"-v", "error", "-y"} + words) == 0;
    };
    // Frames of different times, twice.
    QVERIFY(ffmpeg({"-f", "lavfi", "-i", "testsrc2=size=64x48:rate=10:duration=0.4", "-vf",
                    "settb=1/100,setpts=N*8+N*N*4", "-fps_mode", "passthrough", "-enc_time_base",
                    "1:100", "-plays", "2", "-f", "apng", path("in/a.png")}));
    const QStringList joined = command(
        "out", {"in/a.png", "in/000.ppm", "--format", "ppm", "--join", "webp", "--quality", "100"});
    const Run r = run(joined);
    QVERIFY2(r.status == 0, qPrintable(r.err));
    QCOMPARE(outputs("out").keys(), QStringList({"000_gaussian.ppm", "a_gaussian.webp"}));
    QVERIFY2(r.err.contains("1 input is a single picture"), qPrintable(r.err));
    // Each frame is what the filter makes of it alone, by libwebp's own reader.
    QCOMPARE(run(command("single", {"in/a.png", "--pages", "--format", "ppm"})).status, 0);
    for (int i = 1; i <= 4; ++i) {
      const QString frame = path(QString("frame_%1.webp").arg(i));
      QCOMPARE(run({"gaussian", "out/a_gaussian.webp", "frame.ppm", "--sigma", "0", "--frame",
                    QString::number(i), "--device", "reference", "--overwrite"})
                   .status,
               0);
      QVERIFY(read("frame.ppm") == read(QString("single/a_gaussian_0000%1.ppm").arg(i)));
    }
    QProcess info;
    info.start("webpmux", {"-info", path("out/a_gaussian.webp")});
    QVERIFY(info.waitForFinished(180000));
    const QString said = info.readAllStandardOutput();
    QVERIFY2(said.contains("Number of frames: 4") && said.contains("Loop Count : 2"),
             qPrintable(said));
    QStringList times;
    static const QRegularExpression row("^ +\\d+: +\\d+ +\\d+ +\\w+ +\\d+ +\\d+ +(\\d+)",
                                        QRegularExpression::MultilineOption);
    for (auto match = row.globalMatch(said); match.hasNext();) times << match.next().captured(1);
    QCOMPARE(times.mid(0, 3), QStringList({"120", "200", "280"}));
    const Run again = run(joined + QStringList{"--resume"});
    QVERIFY2(again.err.contains("2 left out"), qPrintable(again.err));
    QCOMPARE(QDir(path("out")).entryList({".*"}, QDir::Files | QDir::Hidden), QStringList());
  }

  void frames_are_joined_to_a_movie_with_its_sound() {
    if (QStandardPaths::findExecutable("ffmpeg").isEmpty()) SKIP_WITHOUT("ffmpeg");
    const auto said = [](const QString& program, const QStringList& words) {
      QProcess process;
      process.start(program, words);
      process.waitForFinished(180000);
      return QString(process.readAllStandardOutput()).trimmed();
    };
    QCOMPARE(
        QProcess::execute(
            "ffmpeg", {"-v", "error", "-y", "-f", "lavfi", "-i",
                       "testsrc2=size=66x48:rate=30000/1001:duration=0.5,format=yuv444p,crop=65:47",
                       "-f", "lavfi", "-i", "sine=duration=0.5", "-pix_fmt", "yuv444p", "-c:v",
                       "libx264", "-c:a", "aac", path("in/clip.mkv")}),
        0);
    QCOMPARE(QProcess::execute("ffmpeg", {"-v", "error", "-y", "-i", path("in/clip.mkv"), "-t",
                                          "0.3", path("in/logo.gif")}),
             0);
    for (const char* format : {"mp4", "mov", "mkv", "webm"}) {
      const Run r = run(command(format, {"in/clip.mkv", "in/logo.gif", "--join", format}));
      QVERIFY2(r.status == 0, qPrintable(r.err));
      const QString clip = QString("clip_gaussian.%1").arg(format),
                    logo = QString("logo_gaussian.%1").arg(format);
      QCOMPARE(outputs(format).keys(), QStringList({clip, logo}));
      const auto probe = [&](const QString& file, const QString& entries) {
        return said("ffprobe", {"-v", "error", "-show_entries", entries, "-of", "csv=p=0", file});
      };
      const QString made = path(QString("%1/%2").arg(format, clip));
      const QString shape = said(
          "ffprobe", {"-v", "error", "-select_streams", "v", "-count_packets", "-show_entries",
                      "stream=width,height,r_frame_rate,nb_read_packets", "-of", "csv=p=0", made});
      QCOMPARE(shape, QString("65,47,30000/1001,15"));
      // The sound is the same, packet by packet, unless the container cannot hold it.
      const auto sound = [&](const QString& file) {
        return said("ffmpeg",
                    {"-v", "error", "-i", file, "-map", "0:a", "-c", "copy", "-f", "md5", "-"});
      };
      if (QString(format) == "webm") {
        QVERIFY(probe(made, "stream=codec_name").contains("opus"));
      } else {
        QCOMPARE(sound(made), sound(path("in/clip.mkv")));
      }
      QVERIFY(
          !probe(path(QString("%1/%2").arg(format, logo)), "stream=codec_type").contains("audio"));
      // What is seen is what the filter makes of each frame, but for the codec's loss.
      QCOMPARE(run(command("frames", {"in/clip.mkv", "--format", "ppm", "--overwrite"})).status, 0);
      QCOMPARE(QProcess::execute("ffmpeg", {"-v", "error", "-y", "-i", made, "-frames:v", "1",
                                            "-pix_fmt", "rgb24", path("seen.ppm")}),
               0);
      constexpr int width = 65, height = 47, seen_width = 65, seen_height = 47;
      const QByteArray seen = read("seen.ppm").right(3 * seen_width * seen_height),
                       due = read("frames/clip_gaussian_00001.ppm").right(3 * width * height);
      double sum = 0;
      for (int y = 0; y < height; ++y) {
        for (int x = 0; x < 3 * width; ++x) {
          sum += std::abs(static_cast<uchar>(seen[3 * seen_width * y + x]) -
                          static_cast<uchar>(due[3 * width * y + x]));
        }
      }
      QVERIFY2(sum / (3 * width * height) < 6, qPrintable(QString::number(sum)));
    }
  }

  void what_a_movie_holds_besides_is_kept_or_named() {
    if (QStandardPaths::findExecutable("ffmpeg").isEmpty()) SKIP_WITHOUT("ffmpeg");
    make_folder("parts");
    write("parts/notes",
          ";FFMETADATA1\ntitle=A \\= b\\; c\nartist=Ö\nlocation=+51.0000+013.0000/\n"
          "creation_time=2020-01-02T03:04:05Z\nweird=1\n"
          "[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=200\ntitle=One\n"
          "[CHAPTER]\nTIMEBASE=1/1000\nSTART=200\nEND=400\ntitle=Two\n");
    write("parts/words.srt", "1\n00:00:00,000 --> 00:00:00,300\nHello\n");
    QCOMPARE(QProcess::execute("ffmpeg", {"-v",
                                          "error",
                                          "-y",
                                          "-f",
                                          "lavfi",
                                          "-i",
                                          "testsrc2=size=64x48:rate=25",
                                          "-f",
                                          "lavfi",
                                          "-i",
                                          "sine=duration=0.4",
                                          "-f",
                                          "ffmetadata",
                                          "-i",
                                          path("parts/notes"),
                                          "-i",
                                          path("parts/words.srt"),
                                          "-map",
                                          "0",
                                          "-map",
                                          "1",
                                          "-map",
                                          "3",
                                          "-map",
                                          "0",
                                          "-map_metadata",
                                          "2",
                                          "-map_chapters",
                                          "2",
                                          "-t",
                                          "0.4",
                                          "-metadata:s:a",
                                          "language=deu",
                                          "-metadata:s:a:0",
                                          "title=Kommentar",
                                          "-metadata:s:v",
                                          "language=fra",
                                          "-c:v",
                                          "ffv1",
                                          "-vf",
                                          "setfield=tff",
                                          "-field_order",
                                          "tt",
                                          "-c:a",
                                          "aac",
                                          "-attach",
                                          path("parts/notes"),
                                          "-metadata:s:t",
                                          "mimetype=text/plain",
                                          path("in/m.mkv")}),
             0);
    for (const QString kind : {"mp4", "mov", "mkv", "webm"}) {
      const Run r = run(command("out", {"in/m.mkv", "--join", kind}));
      QVERIFY2(r.status == 0, qPrintable(r.err));
      QVERIFY2(r.err.contains("subtitles") && r.err.contains("attached files") &&
                   r.err.contains("only the first stream of pictures") &&
                   r.err.contains("interlaced"),
               qPrintable(r.err));
      QProcess probe;
      probe.start("ffprobe", {"-v", "error", "-show_entries",
                              "stream=codec_type:stream_tags=language,title,handler_name:format_"
                              "tags:chapter=start_time:"
                              "chapter_tags=title",
                              "-of", "json", path("out/m_gaussian." + kind)});
      QVERIFY(probe.waitForFinished(180000));
      const QJsonObject said = QJsonDocument::fromJson(probe.readAllStandardOutput()).object();
      const QJsonObject tags = said["format"].toObject()["tags"].toObject();
      const auto tag = [&tags](const QString& name) {
        return tags[tags.contains(name) ? name : name.toUpper()].toString();
      };
      QCOMPARE(tag("title"), "A = b; c");
      QCOMPARE(tag("artist"), "Ö");
      QCOMPARE(tag("location"), "+51.0000+013.0000/");
      QVERIFY(tag("creation_time").startsWith("2020-01-02T03:04:05"));
      QVERIFY(kind == "mp4" || kind == "mov" || !tags.contains("MAJOR_BRAND"));
      // One that MP4 has no place for.
      QCOMPARE(r.err.contains("weird"), tag("weird") != "1");
      const QJsonArray chapters = said["chapters"].toArray();
      QCOMPARE(chapters.size(), 2);
      QCOMPARE(chapters[1].toObject()["tags"].toObject()["title"].toString(), "Two");
      QCOMPARE(chapters[1].toObject()["start_time"].toString().toDouble(), 0.2);
      QStringList languages, titles;
      QString pictures;
      for (const QJsonValue& stream : said["streams"].toArray()) {
        const QString language = stream.toObject()["tags"].toObject()["language"].toString();
        if (stream.toObject()["codec_type"] == "video") pictures = language;
        if (stream.toObject()["codec_type"] != "audio") continue;
        const QJsonObject track = stream.toObject()["tags"].toObject();
        languages << language;
        titles << track[kind == "mp4" || kind == "mov" ? "handler_name" : "title"].toString();
      }
      QVERIFY2(pictures.startsWith("fr"), qPrintable(pictures));  // "fre" is "fra", too
      QCOMPARE(titles, QStringList("Kommentar"));
      QVERIFY(!r.err.contains("track title"));
      // QuickTime's kind of file has no number for some languages.
      QCOMPARE(languages, QStringList(r.err.contains("language\" of") ? "" : "deu"));
      QVERIFY(kind == "mov" || !r.err.contains("language\" of"));
    }
    // Opacity that is no part of the pixels.
    QCOMPARE(QProcess::execute("ffmpeg", {"-v", "error", "-y", "-f", "lavfi", "-i",
                                          "color=red:d=0.2:s=64x48:r=10,format=yuva420p", "-c:v",
                                          "libvpx-vp9", "-auto-alt-ref", "0", path("in/a.webm")}),
             0);
    const Run opaque = run(command("opaque", {"in/a.webm", "--format", "png"}));
    QVERIFY2(opaque.err.contains("opacity"), qPrintable(opaque.err));
    QVERIFY(QDir(path("in")).remove("a.webm"));
    // A movie that was joined holds nothing but what is taken over.
    QVERIFY(QDir(path("in")).remove("m.mkv") &&
            QFile::rename(path("out/m_gaussian.mov"), path("in/m.mov")));
    const Run again = run(command("again", {"in/m.mov", "--join", "mp4"}));
    QVERIFY2(again.status == 0 && !again.err.contains("left out"), qPrintable(again.err));
  }

  void joined_frames_keep_their_rate_and_their_time_in_all() {
    if (QStandardPaths::findExecutable("ffmpeg").isEmpty()) SKIP_WITHOUT("ffmpeg");
    QCOMPARE(QProcess::execute("ffmpeg", {"-v", "error", "-y", "-f", "lavfi", "-i",
                                          "testsrc2=size=32x24:rate=60:duration=1", "-f", "apng",
                                          path("in/a.png")}),
             0);
    for (const char* format : {"mp4", "webp"}) {
      const Run r = run(command(format, {"in/a.png", "--join", format}));
      QVERIFY2(r.status == 0, qPrintable(r.err));
    }
    QProcess process;
    process.start("ffprobe", {"-v", "error", "-count_packets", "-show_entries",
                              "stream=r_frame_rate,nb_read_packets", "-of", "csv=p=0",
                              path("mp4/a_gaussian.mp4")});
    QVERIFY(process.waitForFinished(180000));
    QCOMPARE(QString(process.readAllStandardOutput()).trimmed(), QString("60/1,60"));
    process.start("webpmux", {"-info", path("webp/a_gaussian.webp")});
    QVERIFY(process.waitForFinished(180000));
    int sum = 0;  // of fewer frames, where some are the same
    static const QRegularExpression row("^ +\\d+: +\\d+ +\\d+ +\\w+ +\\d+ +\\d+ +(\\d+)",
                                        QRegularExpression::MultilineOption);
    for (auto at = row.globalMatch(process.readAllStandardOutput()); at.hasNext();) {
      sum += at.next().captured(1).toInt();
    }
    QVERIFY2(sum >= 999 && sum <= 1001, qPrintable(QString::number(sum)));
  }

  void a_joined_file_that_is_not_whole_is_none() {
    const QString program = QStandardPaths::findExecutable("ffmpeg");
    if (program.isEmpty()) SKIP_WITHOUT("ffmpeg");
    QCOMPARE(QProcess::execute("ffmpeg", {"-v", "error", "-y", "-f", "lavfi", "-i",
                                          "testsrc2=size=64x48:rate=25:duration=1", "-f", "lavfi",
                                          "-i", "sine=duration=5", path("in/a.mkv")}),
             0);
    // As a full disk does, of which ffmpeg does not always tell.
    make_folder("bin");
    QFile script(path("bin/ffmpeg"));
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write(("#!/bin/sh\nfor last; do :; done\n\"" + program +
                  "\" \"$@\"\nstatus=$?\ncase $last in file:*) truncate -s -2000 "
                  "\"${last#file:}\";; esac\nexit $status\n")
                     .toUtf8());
    script.close();
    QVERIFY(script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    const QByteArray before = qgetenv("PATH");
    const auto back = qScopeGuard([&] { qputenv("PATH", before); });
    qputenv("PATH", path("bin").toUtf8() + ':' + before);
    for (const char* format : {"mkv", "mp4"}) {
      const Run r = run(command(format, {"in/a.mkv", "--join", format}));
      QCOMPARE(r.status, 1);
      QVERIFY2(r.err.contains("cannot be written whole"), qPrintable(r.err));
      QVERIFY(outputs(format).isEmpty());
    }
  }

  void a_damaged_movie_that_was_joined_fails_again() {
    if (QStandardPaths::findExecutable("ffmpeg").isEmpty()) SKIP_WITHOUT("ffmpeg");
    make_cut_movie();
    for (int time = 0; time < 2; ++time) {
      const Run r = run(command("out", {"in/m.mkv", "--join", "mp4", "--resume"}));
      QCOMPARE(r.status, 1);
      QVERIFY2(r.err.contains("1 failed"), qPrintable(r.err));
    }
  }

  void what_cannot_be_joined_is_refused() {
    const Run format = run(command("out", {"in/000.ppm", "--join", "gif"}));
    QCOMPARE(format.status, 1);
    QVERIFY2(format.err.contains("*.gif") && format.err.contains(".webp, .mp4"),
             qPrintable(format.err));
    const Run depth = run(command("out", {"in/000.ppm", "--join", "webp", "--bits", "16"}));
    QVERIFY2(depth.status == 1 && depth.err.contains("16-bit"), qPrintable(depth.err));
    for (const QStringList& other : {QStringList{"--pages"}, QStringList{"--page", "2"}}) {
      const Run both = run(command("out", QStringList{"in/000.ppm", "--join", "mp4"} + other));
      QVERIFY2(both.status == 2 && both.err.contains("contradict"), qPrintable(both.err));
    }
    for (const char* nothing : {"", "."}) {
      for (const char* option : {"--join", "--format"}) {
        const Run empty = run(command("out", {"in/000.ppm", option, nothing}));
        QVERIFY2(empty.status == 2 && empty.err.contains(option), qPrintable(empty.err));
      }
    }
    QVERIFY(outputs("out").isEmpty());
    if (QStandardPaths::findExecutable("ffmpeg").isEmpty()) SKIP_WITHOUT("ffmpeg");
    QCOMPARE(QProcess::execute("ffmpeg", {"-v", "error", "-y", "-f", "lavfi", "-i",
                                          "testsrc2=size=64x48:rate=1:duration=2", "-vf",
                                          "settb=1,setpts=N*18000", "-fps_mode", "passthrough",
                                          "-enc_time_base", "1", "-f", "apng", path("in/a.png")}),
             0);
    const Run hours = run(command("out", {"in/a.png", "--join", "webp"}));
    QVERIFY2(hours.status == 1 && hours.err.contains("4.6 hours"), qPrintable(hours.err));
    QVERIFY(outputs("out").isEmpty());
  }

  void a_movie_that_was_cut_is_reported_and_its_rest_made() {
    if (QStandardPaths::findExecutable("ffmpeg").isEmpty()) SKIP_WITHOUT("ffmpeg");
    make_cut_movie();
    const QStringList arguments = command("out", {"in/m.mkv", "--format", "ppm", "--resume"});
    const Run r = run(arguments + QStringList{"--report", "m.json"});
    QCOMPARE(r.status, 1);
    QVERIFY2(r.err.contains("the movie is damaged"), qPrintable(r.err));
    QVERIFY(outputs("out").size() > 3 && outputs("out").size() < 12);
    const QJsonDocument json = QJsonDocument::fromJson(read("m.json"));
    QCOMPARE(json["failed"].toInt(), 1);
    QCOMPARE(json["done"].toInt(), outputs("out").size());
    // It stays damaged, and nothing is processed twice.
    const Run again = run(arguments);
    QCOMPARE(again.status, 1);
    QVERIFY2(again.err.contains("0 done") && again.err.contains("1 failed"), qPrintable(again.err));
  }
};

QTEST_GUILESS_MAIN(TestBatchMovies)
#include "test_batch_movies.moc"
