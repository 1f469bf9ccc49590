// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Movies as pictures: every frame once, in any order, with its own pixels.
#include <QProcess>
#include <QStandardPaths>
#include <QTest>
#include <atomic>
#include <thread>

#include "io/movie.hpp"
#include "support/files.hpp"
#include "support/skips.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

constexpr int frames = 20;

// Frames that differ, kept without loss; false where ffmpeg cannot make them.
bool make_movie(const std::filesystem::path& path, const QStringList& more) {
  QStringList words{"-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=25"};
  words += {"-frames:v", QString::number(frames)};
  return QProcess::execute("ffmpeg",
                           words + more + QStringList{QString::fromStdString(path.string())}) == 0;
}

std::vector<char> pixels_of(InputPicture& picture) {
  return read_all(picture).bytes;
}

}  // namespace

class TestIoMovies : public QObject {
  Q_OBJECT

  Folder folder_;
  std::filesystem::path movie_;
  std::vector<std::vector<char>> expected_;  // by ffmpeg itself

 private Q_SLOTS:
  void initTestCase() {
    if (QStandardPaths::findExecutable("ffmpeg").isEmpty()) SKIP_WITHOUT("ffmpeg");
    movie_ = folder_ / "-m 1%.mkv";
    QVERIFY(make_movie(movie_, {"-c:v", "ffv1", "-pix_fmt", "bgr0"}));
    const auto raw = folder_ / "raw.rgb";
    QCOMPARE(QProcess::execute(
                 "ffmpeg", {"-v", "error", "-i", QString::fromStdString(movie_.string()), "-f",
                            "rawvideo", "-pix_fmt", "rgb24", QString::fromStdString(raw.string())}),
             0);
    const std::string all = content(raw);
    constexpr std::size_t bytes = 64 * 48 * 3;
    QCOMPARE(all.size(), bytes * frames);
    for (std::size_t i = 0; i < frames; ++i) {
      expected_.emplace_back(all.begin() + std::ptrdiff_t(i * bytes),
                             all.begin() + std::ptrdiff_t((i + 1) * bytes));
    }
  }

  void frames_are_counted() {
    QCOMPARE(Movies().count(movie_).pictures, std::int64_t{frames});
    QVERIFY(Movies().count(movie_).fault.empty());
    const auto h264 = folder_ / "h264.mp4";
    if (!make_movie(h264, {"-c:v", "libx264", "-pix_fmt", "yuv420p"}))
      SKIP_WITHOUT("an encoder of H.264");
    QCOMPARE(Movies().count(h264).pictures, std::int64_t{frames});
    QVERIFY(Movies().count(h264).fault.empty());
    // Trimmed without decoding, it has packets that are not shown.
    const auto trimmed = folder_ / "trimmed.mp4";
    QCOMPARE(QProcess::execute("ffmpeg", {"-v", "error", "-y", "-ss", "0.3", "-i",
                                          QString::fromStdString(h264.string()), "-c", "copy",
                                          QString::fromStdString(trimmed.string())}),
             0);
    QVERIFY(Movies().count(trimmed).pictures < frames);
    QVERIFY(Movies().count(trimmed).fault.empty());
  }

  // None of them ends with another status than whole ones.
  void movies_that_were_cut_are_told_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QStringList>("codec");
    QTest::newRow("Matroska") << "cut.mkv" << QStringList{"-c:v", "ffv1", "-pix_fmt", "bgr0"};
    QTest::newRow("MP4, its index first")
        << "cut.mp4"
        << QStringList{"-c:v", "mjpeg", "-pix_fmt", "yuvj420p", "-movflags", "+faststart"};
    QTest::newRow("AVI") << "cut.avi" << QStringList{"-c:v", "mjpeg", "-pix_fmt", "yuvj420p"};
    QTest::newRow("MXF") << "cut.mxf" << QStringList{"-c:v", "mpeg2video"};
    QTest::newRow("MPEG, without an index") << "cut.mpg" << QStringList{"-c:v", "mpeg1video"};
  }
  void movies_that_were_cut_are_told() {
    QFETCH(const QString, name);
    QFETCH(const QStringList, codec);
    const auto path = folder_ / name.toStdString();
    if (!make_movie(path, codec)) SKIP_WITHOUT("a codec of ffmpeg");
    const MovieCount whole = Movies().count(path);
    QCOMPARE(whole.pictures, std::int64_t{frames});
    QVERIFY(whole.fault.empty());
    std::filesystem::resize_file(path, std::filesystem::file_size(path) * 6 / 10);
    const MovieCount cut = Movies().count(path);
    QVERIFY2(cut.pictures > 0 && cut.pictures < frames, std::to_string(cut.pictures).c_str());
    const std::string fault = in_english(cut.fault);
    QVERIFY2(fault.find(name.toStdString()) != std::string::npos, fault.c_str());
    QVERIFY(fault.find(" @ 0x") == std::string::npos);
    // What there is can be had.
    ReadOptions options;
    options.movies = std::make_shared<Movies>();
    for (options.frame = 1; options.frame < cut.pictures; ++options.frame) {
      QVERIFY(!pixels_of(*open_picture(path, options)).empty());
    }
  }

  // Whoever reads it hears of it, but loses no picture.
  void decoders_complaints_are_kept() {
    const auto path = folder_ / "scratched.avi";
    if (!make_movie(path, {"-c:v", "mjpeg", "-pix_fmt", "yuvj420p"}))
      SKIP_WITHOUT("a codec of ffmpeg");
    std::string bytes = content(path);
    std::fill_n(bytes.begin() + std::ptrdiff_t(bytes.size() / 2), 400, '\x55');
    put(path, bytes);
    QVERIFY(Movies().count(path).fault.empty());
    ReadOptions options;
    options.movies = std::make_shared<Movies>();
    for (options.frame = 1; options.frame <= frames; ++options.frame) {
      pixels_of(*open_picture(path, options));
    }
    const std::string complaint = in_english(options.movies->complaint(path));
    QVERIFY2(complaint.find("scratched.avi\": the movie is damaged (") != std::string::npos,
             complaint.c_str());
    QVERIFY(options.movies->complaint(movie_).empty());
  }

  void every_frame_has_its_pixels_in_any_order() {
    ReadOptions options;
    options.movies = std::make_shared<Movies>();
    for (const int number : {1, 2, 4, 3, 5, 20, 6, 7, 19, 1}) {
      options.frame = number;
      const auto picture = open_picture(movie_, options);
      QCOMPARE(picture->format().width, 64);
      QCOMPARE(picture->format().channels, 3);
      QVERIFY2(pixels_of(*picture) == expected_[static_cast<std::size_t>(number - 1)],
               std::to_string(number).c_str());
    }
    options.movies.reset();
    options.frame = 9;
    QVERIFY(pixels_of(*open_picture(movie_, options)) == expected_[8]);
  }

  void frames_are_asked_for_at_once() {
    ReadOptions options;
    options.movies = std::make_shared<Movies>();
    std::atomic<int> same = 0;
    {
      std::vector<std::jthread> threads;
      for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&, i, mine = options]() mutable {
          for (int number = 1 + i; number <= frames; number += 4) {
            mine.frame = number;
            same += pixels_of(*open_picture(movie_, mine)) ==
                    expected_[static_cast<std::size_t>(number - 1)];
          }
        });
      }
    }
    QCOMPARE(same.load(), frames);
  }

  void deep_movies_stay_deep() {
    const auto deep = folder_ / "deep.mkv";
    if (!make_movie(deep, {"-c:v", "ffv1", "-pix_fmt", "yuv444p10le"}))
      SKIP_WITHOUT("a codec of 10 bits");
    ReadOptions options;
    options.frame = 3;
    const auto picture = open_picture(deep, options);
    QCOMPARE(picture->format().type, SampleType::u16);
    QVERIFY(!pixels_of(*picture).empty());
  }

  // Lists of parts and playlists lead to other files and hosts: none is followed, whatever its
  // name.
  void what_leads_elsewhere_is_no_movie_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("list");
    QTest::newRow("parts") << "ffconcat version 1.0\nfile 'part.mkv'\n" << true;
    QTest::newRow("playlist") << "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\npart.mkv\n"
                                 "#EXT-X-ENDLIST\n"
                              << true;
    QTest::newRow("of a player") << "[playlist]\nFile1=part.mkv\nNumberOfEntries=1\n" << true;
    QTest::newRow("of another player")
        << "\xef\xbb\xbf<?xml version='1.0'?>\n<playlist xmlns='http://xspf.org/ns/0/'/>" << true;
    QTest::newRow("description of streams")
        << "<?xml version='1.0'?>\n<MPD xmlns='urn:mpeg:dash:schema:mpd:2011'/>" << true;
    QTest::newRow("streams") << "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\n"
                                "t=0 0\nm=video 5004 RTP/AVP 96\n"
                             << false;
  }

  void what_leads_elsewhere_is_no_movie() {
    QFETCH(const QString, text);
    QFETCH(const bool, list);
    std::filesystem::copy_file(movie_, folder_ / "part.mkv",
                               std::filesystem::copy_options::overwrite_existing);
    ReadOptions options;
    options.frame = 1;
    for (const char* name : {"list.mp4", "list.mkv"}) {
      put(folder_ / name, text.toStdString());
      const std::string why = refusal([&] { Movies().count(folder_ / name); });
      QVERIFY(why.find(name) != std::string::npos);
      QCOMPARE(why.find("a list of other files") != std::string::npos, list);
      QVERIFY(refusal([&] { open_picture(folder_ / name, options); }).find(name) !=
              std::string::npos);
    }
  }

  void what_is_no_frame_is_told() {
    ReadOptions options;
    options.frame = frames + 1;
    const std::string beyond = refusal([&] { pixels_of(*open_picture(movie_, options)); });
    QVERIFY2(beyond.find("ends at picture 20") != std::string::npos, beyond.c_str());
    // Where the decoder passed over all there are.
    const std::string far = refusal([&] { read_all(*Movies().open(movie_, {.frame = 333})); });
    QVERIFY2(far.find("ends at picture 20, before 333") != std::string::npos, far.c_str());
    put(folder_ / "no.mp4", "this is no movie");
    QVERIFY(refusal([&] { Movies().count(folder_ / "no.mp4"); }).find("no.mp4") !=
            std::string::npos);
    QVERIFY(refusal([&] { open_picture(folder_ / "no.mp4", options); }).find("no.mp4") !=
            std::string::npos);
    QVERIFY(!refusal([&] { Movies().count(folder_ / "none.mp4"); }).empty());
    options.frame = 1;
    options.max_pixels = 100;
    QVERIFY(refusal([&] { open_picture(movie_, options); }).find("--max-pixels") !=
            std::string::npos);
  }
};

QTEST_GUILESS_MAIN(TestIoMovies)
#include "test_io_movies.moc"
