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

 private slots:
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
