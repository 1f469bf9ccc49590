// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Frames of an animation that share a reader: the same as those that are read alone.
#include <signal.h>

#include <QTest>
#include <QTestData>
#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include "io/movie.hpp"
#include "io/property_inputs.hpp"
#include "io/shown_pixels.hpp"
#include "io/waiting_process.hpp"
#include "support/files.hpp"
#include "support/skips.hpp"

using namespace sfumato;
using namespace sfumato::testing;

class TestIoFrames : public QObject {
  Q_OBJECT

  Folder folder_;
  static constexpr int frames = 40;

  // Small frames over a larger one, from a picture that changes in places only.
  bool make(const char* file, const QStringList& options) const {
    return ran("ffmpeg",
               QStringList{"-v", "error", "-y", "-f", "lavfi", "-i",
                           QString("testsrc2=s=64x48:d=%1:r=10").arg(frames / 10)} +
                   options + QStringList{file},
               folder_ / ".");
  }

  static std::vector<char> pixels_of(InputPicture& picture) { return read_all(picture).bytes; }

  // Of one pixel each; the first one has the second colour.
  static std::string webp_of(int count) {
    const auto little = [](std::uint32_t value, int bytes) {
      return TiffWriter::number(value, bytes);
    };
    const std::string pixel("\x2f\0\0\0\x10\x07\x10\x11\x11\x88\x88\xfe\x07\0", 14);
    const std::string frame = "ANMF" + little(16 + 8 + 14, 4) + std::string(12, '\0') +
                              little(100, 3) + '\0' + "VP8L" + little(13, 4) + pixel;
    std::string out = "VP8X" + little(10, 4) + little(2, 4) + std::string(6, '\0') + "ANIM" +
                      little(6, 4) + std::string(6, '\0');
    for (int i = 0; i < count; ++i) out += frame;
    return "RIFF" + little(static_cast<std::uint32_t>(out.size() + 4), 4) + "WEBP" + out;
  }

  static std::vector<std::string> said_of(const std::filesystem::path& path, int page,
                                          bool contained) {
    std::vector<std::string> out;
    const auto picture = open_picture(path, {.page = page, .contained = contained});
    read_all(*picture);
    for (const Message& one : picture->info().warnings) out.push_back(in_english(one));
    return out;
  }

 private slots:
  // What is there is read, and said.
  void more_frames_than_can_be_numbered() {
    put(folder_ / "many.webp", webp_of(65'600));
    put(folder_ / "many.gif", transparent_gif(65'600));
    put(folder_ / "most.gif", transparent_gif(65'535));
    const std::string more = "more than 65535";
    for (const bool contained : {true, false}) {
      for (const char* name : {"many.webp", "many.gif"}) {
        const auto said = said_of(folder_ / name, 1, contained);
        QVERIFY2(said.size() == 1 && said[0].find(more + " pages or frames") != std::string::npos,
                 name);
      }
      const auto webp = said_of(folder_ / "many.webp", 0, contained),
                 gif = said_of(folder_ / "many.gif", 0, contained);
      QVERIFY(webp.size() == 1 && webp[0].find("of 65600 frames") != std::string::npos);
      QVERIFY(gif.size() == 1 && gif[0].find("of more than 65535 frames") != std::string::npos);
      QVERIFY(said_of(folder_ / "most.gif", 65'535, contained).empty());
    }
  }

  // Of ffmpeg's frames, what did not change is transparent; the pictures are opaque. ImageMagick
  // draws them one over the other.
  void opaque_pictures_of_transparent_frames() {
    NEED("ffmpeg");
    NEED("convert");
    QVERIFY(make("o.gif", {}));
    QVERIFY(make("o.webp", {"-c:v", "libwebp_anim", "-lossless", "1", "-pix_fmt", "bgra"}));
    QVERIFY(ran("convert", {"o.gif", "-coalesce", "-dispose", "Background", "whole.gif"},
                folder_ / "."));
    QVERIFY(make("o.png", {"-plays", "0", "-f", "apng", "-pix_fmt", "rgba"}));
    for (const char* name : {"o.gif", "o.webp", "whole.gif", "o.png"}) {
      QVERIFY2(!open_picture(folder_ / name, {.page = 1})->format().has_alpha(), name);
      const auto last = open_picture(folder_ / name, {.page = 30});
      QCOMPARE(last->format().channels, 3);
      if (name[0] != 'o' || name[2] != 'g') continue;
      QVERIFY(ran(
          "convert",
          {"o.gif", "-coalesce", "-delete", "0-28", "-delete", "1--1", "-depth", "8", "rgb:shown"},
          folder_ / "."));
      const std::string shown = content(folder_ / "shown");
      const std::vector<char> pixels = pixels_of(*last);
      QVERIFY(shown == std::string(pixels.begin(), pixels.end()));
    }
    put(folder_ / "clear.gif", transparent_gif(3));
    QVERIFY(open_picture(folder_ / "clear.gif", {.page = 1})->format().has_alpha());
  }

  // A number that a file announces is not repeated as true.
  void announced_frames() {
    make_file(folder_ / "still.png", {OIIO::ImageSpec(8, 6, 3, OIIO::TypeDesc::UINT8)});
    const std::string still = content(folder_ / "still.png");
    const auto path = folder_ / "announced.png";
    for (const std::uint64_t announced : {1ul, 2ul, 9ul, 0x7ffffffful, 0xfffffffful}) {
      for (const int held : {1, 2}) {
        put(path, animated_png(still, held, announced));
        QCOMPARE(open_picture(path, {.page = 1})->info().pages, held);
        QVERIFY(pixels_of(*open_picture(path, {.page = held})) ==
                pixels_of(*open_picture(folder_ / "still.png")));
        const auto said = said_of(path, 0, true);
        const std::string count = "number of those that it holds is " + std::to_string(held);
        const bool wrong = announced != static_cast<std::uint64_t>(held);
        QCOMPARE(std::any_of(said.begin(), said.end(),
                             [&](const auto& one) { return one.find(count) != one.npos; }),
                 wrong);
        QCOMPARE(said.size(), static_cast<std::size_t>((held > 1 ? 1 : 0) + (wrong ? 1 : 0)));
      }
    }
  }

  void frames_are_the_same_in_any_order_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<bool>("contained");
    for (const bool contained : {true, false}) {
      const auto row = [&](const char* name) -> QTestData& {
        return QTest::newRow(qPrintable(QString(name) + (contained ? "" : ", in the program")));
      };
      row("GIF") << "a.gif" << QStringList{} << contained;
      row("PNG") << "a.png" << QStringList{"-plays", "0", "-f", "apng"} << contained;
      row("PNG of 16 bits") << "b.png"
                            << QStringList{"-plays", "0", "-f", "apng", "-pix_fmt", "rgb48be"}
                            << contained;
      row("WebP") << "a.webp" << QStringList{"-c:v", "libwebp_anim", "-lossless", "1"} << contained;
    }
  }

  void frames_are_the_same_in_any_order() {
    NEED("ffmpeg");
    QFETCH(const QString, file);
    QFETCH(const QStringList, options);
    QFETCH(const bool, contained);
    QVERIFY(make(qPrintable(file), options));
    const auto path = folder_ / file.toStdString();
    const int count = open_picture(path, {.page = 1})->info().pages;
    QVERIFY(count > 30);  // libwebp joins some
    std::vector<std::vector<char>> alone;
    for (int i = 1; i <= count; ++i) {
      alone.push_back(pixels_of(*open_picture(path, {.page = i, .contained = contained})));
    }
    QVERIFY(alone.front() != alone.back());
    std::vector<int> order(static_cast<std::size_t>(count)), backwards, mixed,
        few = {count, 1, 1, 30, 2, 29};
    std::iota(order.begin(), order.end(), 1);
    backwards.assign(order.rbegin(), order.rend());
    mixed = order;
    std::shuffle(mixed.begin(), mixed.end(), std::mt19937(7));
    for (const std::vector<int>& one : {order, backwards, mixed, few}) {
      const auto movies = std::make_shared<Movies>();
      for (const int i : one) {
        const ReadOptions read{.page = i, .movies = movies, .contained = contained};
        const auto frame = open_picture(path, read);
        QCOMPARE(frame->info().frame_times.size(), static_cast<std::size_t>(count));
        QVERIFY2(pixels_of(*frame) == alone[static_cast<std::size_t>(i - 1)],
                 qPrintable(QString::number(i)));
      }
    }
  }

  void threads_share_a_reader() {
    NEED("ffmpeg");
    QVERIFY(make("t.gif", {}));
    const auto path = folder_ / "t.gif";
    std::vector<std::vector<char>> alone, shared(frames);
    for (int i = 1; i <= frames; ++i) alone.push_back(pixels_of(*open_picture(path, {.page = i})));
    const auto movies = std::make_shared<Movies>();
    std::atomic<int> next = 0;
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        for (int i = next++; i < frames; i = next++) {
          shared[static_cast<std::size_t>(i)] =
              pixels_of(*open_picture(path, {.page = i + 1, .movies = movies}));
        }
      });
    }
    threads.clear();
    QVERIFY(shared == alone);
  }

  void frames_take_over_what_their_file_says() {
    NEED("ffmpeg");
    NEED("exiftool");
    QVERIFY(make("m.webp", {"-c:v", "libwebp_anim", "-lossless", "1"}));
    const auto path = folder_ / "m.webp";
    QVERIFY(ran("exiftool", {"-q", "-overwrite_original", "-XMP-dc:Title=One of many", "m.webp"},
                folder_ / "."));
    const auto movies = std::make_shared<Movies>();
    const auto third = open_picture(path, {.page = 3, .movies = movies});
    const std::vector<char> before = pixels_of(*third);
    const auto fifth = open_picture(path, {.page = 5, .movies = movies});
    QVERIFY(pixels_of(*fifth) != before);
    // Written when its reader is at another frame.
    const auto out = create_picture(folder_ / "third.png", {}, *third);
    HeldPicture pixels{third->format(), before};
    out->write(pixels.view());
    out->commit();
    QVERIFY(shown_pixels(folder_ / "third.png") == shown_pixels(path, 3));
    QCOMPARE(output_of("exiftool", {"-s3", "-XMP-dc:Title",
                                    QString::fromStdString((folder_ / "third.png").string())})
                 .trimmed(),
             "One of many");
  }

  void a_reader_that_ended_is_replaced() {
    NEED("ffmpeg");
    QVERIFY(make("k.gif", {}));
    const auto path = folder_ / "k.gif";
    const auto movies = std::make_shared<Movies>();
    const auto frame = [&](int number) {
      return pixels_of(*open_picture(path, {.page = number, .movies = movies}));
    };
    const std::vector<char> second = frame(2);
    const std::set<int> readers = children_of(waiting_process());
    QCOMPARE(readers.size(), std::size_t{1});
    QCOMPARE(::kill(*readers.begin(), SIGKILL), 0);
    const std::string why = refusal([&] { frame(3); });
    QVERIFY2(why.find("its decoder ended (GIF)") != std::string::npos, why.c_str());
    QVERIFY(frame(3) == pixels_of(*open_picture(path, {.page = 3})));
    QVERIFY(frame(2) == second);
  }

  void a_file_that_was_written_again_is_read_again() {
    NEED("ffmpeg");
    QVERIFY(make("w.gif", {}));
    const auto path = folder_ / "w.gif";
    const auto movies = std::make_shared<Movies>();
    const std::vector<char> before = pixels_of(*open_picture(path, {.page = 2, .movies = movies}));
    QVERIFY(make("w.gif", {"-vf", "negate,scale=32:24"}));
    const auto after = open_picture(path, {.page = 2, .movies = movies});
    QCOMPARE(after->format().width, 32);
    QVERIFY(pixels_of(*after) == pixels_of(*open_picture(path, {.page = 2})));
    // Frames that are not there are refused as ever.
    const std::string why =
        refusal([&] { open_picture(path, {.page = frames + 1, .movies = movies}); });
    QVERIFY2(why.find("no page or frame 41") != std::string::npos, why.c_str());
  }

  void many_animations_do_not_keep_their_readers() {
    NEED("ffmpeg");
    const auto movies = std::make_shared<Movies>();
    for (int i = 0; i < 8; ++i) {
      const QString file = QString("many_%1.gif").arg(i);
      QVERIFY(make(qPrintable(file), {"-frames:v", "3"}));
      const auto path = folder_ / file.toStdString();
      for (const int page : {1, 2}) {
        const auto frame = open_picture(path, {.page = page, .movies = movies});
        QVERIFY(pixels_of(*frame) == pixels_of(*open_picture(path, {.page = page})));
      }
    }
    QTRY_VERIFY_WITH_TIMEOUT(children_of(waiting_process()).size() <= 4, 180000);
  }
};

QTEST_GUILESS_MAIN(TestIoFrames)
#include "test_io_frames.moc"
