// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Pages, frames and pictures of a file, each alone. What other programs show is the oracle.
#include <QTest>

#include "io/raw_files.hpp"
#include "io/shown_pixels.hpp"
#include "io/tiff_writer.hpp"
#include "support/files.hpp"
#include "support/skips.hpp"

using namespace sfumato;
using namespace sfumato::testing;
using enum SampleType;
using namespace std::string_literals;
using namespace std::string_view_literals;

namespace {

struct ApngFrame {
  int x, y, width, height;
  char dispose, blend;
  std::string pixels;  // of 8 bits
};

// A PNG file in which the picture itself is the first frame. Its data is stored, not compressed.
std::string apng(int width, int height, char kind, const std::vector<ApngFrame>& frames) {
  const auto number = [](int value, int bytes) {
    return big_endian_bytes(static_cast<std::uint64_t>(value), bytes);
  };
  const int channels = kind == 6 ? 4 : kind == 2 ? 3 : kind == 4 ? 2 : 1;
  std::string out =
      "\x89PNG\r\n\x1a\n" +
      chunk("IHDR", number(width, 4) + number(height, 4) + std::string{8, kind, 0, 0, 0}) +
      chunk("acTL", number(static_cast<int>(frames.size()), 4) + number(0, 4));
  int sequence = 0;
  for (const ApngFrame& f : frames) {
    out += chunk("fcTL", number(sequence++, 4) + number(f.width, 4) + number(f.height, 4) +
                             number(f.x, 4) + number(f.y, 4) + number(1, 2) + number(10, 2) +
                             f.dispose + f.blend);
    std::string rows;
    for (int y = 0; y < f.height; ++y) {
      const auto row = static_cast<std::size_t>(f.width * channels);
      rows += '\0' + f.pixels.substr(static_cast<std::size_t>(y) * row, row);
    }
    std::uint32_t a = 1, b = 0;
    for (const char byte : rows) {
      a = (a + static_cast<unsigned char>(byte)) % 65521;
      b = (b + a) % 65521;
    }
    const auto size = static_cast<int>(rows.size());
    const std::string data = "\x78\x01\x01"s + static_cast<char>(size & 255) +
                             static_cast<char>(size >> 8) + static_cast<char>(~size & 255) +
                             static_cast<char>(~size >> 8 & 255) + rows +
                             big_endian_bytes(std::uint64_t{b} << 16 | a, 4);
    const bool first = &f == frames.data();
    out += first ? chunk("IDAT", data) : chunk("fdAT", number(sequence++, 4) + data);
  }
  return out + chunk("IEND", "");
}

std::string repeated(std::string_view pixel, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += pixel;
  return out;
}

}  // namespace

class TestIoPages : public QObject {
  Q_OBJECT

  Folder folder_;

  QString name(const char* file) const { return QString::fromStdString((folder_ / file).string()); }

 private slots:
  void frames_are_what_ffmpeg_shows_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QStringList>("options");
    QTest::newRow("GIF") << "a.gif" << QStringList{};
    QTest::newRow("PNG") << "a.png" << QStringList{"-plays", "0", "-f", "apng"};
    QTest::newRow("PNG of 16 bits")
        << "b.png" << QStringList{"-plays", "0", "-f", "apng", "-pix_fmt", "rgb48be"};
    QTest::newRow("gray PNG") << "c.png"
                              << QStringList{"-plays", "0", "-f", "apng", "-pix_fmt", "gray"};
  }
  void frames_are_what_ffmpeg_shows() {
    NEED("ffmpeg");
    QFETCH(const QString, file);
    QFETCH(const QStringList, options);
    const QStringList source{
        "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=64x48:d=0.5:r=10"};
    QVERIFY(ran("ffmpeg", source + options + QStringList{file}, folder_ / "."));
    QVERIFY(ran("ffmpeg", {"-v", "error", "-y", "-i", file, file + ".%d.ppm"}, folder_ / "."));
    const auto path = folder_ / file.toStdString();
    for (int i = 1; i <= 5; ++i) {
      const auto oracle = folder_ / (file.toStdString() + "." + std::to_string(i) + ".ppm");
      QVERIFY2(shown_pixels(path, i) == shown_pixels(oracle), qPrintable(QString::number(i)));
    }
    QCOMPARE(open_picture(path, {.page = 5})->info().pages, 5);
  }

  // Drawing begins with the last frame that hides all before it: those may be damaged.
  void frames_begin_where_nothing_shows_through() {
    const std::string red = repeated("\xff\0\0\xff"sv, 4), blue = repeated("\0\0\xff\xff"sv, 4),
                      lime = repeated("\0\xff\0\xff"sv, 4), half = repeated("\0\0\0\x80"sv, 4),
                      dot = repeated("\xff\xff\0\xff"sv, 1);
    // No trace, whole, over it, gone as a whole, a point, whole but taken back, a point.
    std::string bytes = apng(2, 2, 6,
                             {{0, 0, 2, 2, 2, 0, red},
                              {0, 0, 2, 2, 0, 0, blue},
                              {0, 0, 2, 2, 1, 1, half},
                              {0, 0, 1, 1, 0, 1, dot},
                              {0, 0, 2, 2, 2, 0, lime},
                              {1, 1, 1, 1, 0, 1, dot}});
    put(folder_ / "k.png", bytes);
    std::vector<std::vector<std::uint8_t>> whole;
    for (int i = 1; i <= 6; ++i) whole.push_back(shown_pixels(folder_ / "k.png", i));
    const std::vector<std::uint8_t> point{255, 255, 0, 255}, clear{0, 0, 0, 0};
    for (const auto& [x, pixel] : {std::pair(0u, point), {1u, clear}, {2u, clear}, {3u, point}}) {
      QVERIFY(std::equal(pixel.begin(), pixel.end(), whole[5].begin() + 4 * x));
    }
    // The data of the first frames, one after the other, is none.
    const std::vector<std::vector<int>> readable = {{2, 3, 4, 5, 6}, {1, 4, 5, 6}, {1, 2, 4, 5, 6}};
    std::size_t at = 0;
    for (std::size_t damaged = 0; damaged < readable.size(); ++damaged) {
      at = bytes.find("\x78\x01\x01", at + 1);
      std::string bad = bytes;
      bad[at + 7] = '\x09';  // no filter has this number
      put(folder_ / "bad_k.png", bad);
      for (int i = 1; i <= 6; ++i) {
        const auto read = [&, path = folder_ / "bad_k.png"] { return shown_pixels(path, i); };
        const bool can = std::count(readable[damaged].begin(), readable[damaged].end(), i) > 0;
        if (can) QVERIFY(read() == whole[static_cast<std::size_t>(i - 1)]);
        if (!can) QVERIFY(!refusal(read).empty());
      }
    }
  }

  // Frames that are smaller, transparent in places, and removed in each way.
  void gif_frames_are_what_imagemagick_shows() {
    NEED("convert");
    const QStringList drawn{"-size",
                            "20x12",
                            "xc:none",
                            "(",
                            "-dispose",
                            "none",
                            "-size",
                            "20x12",
                            "xc:red",
                            ")",
                            "(",
                            "-dispose",
                            "previous",
                            "-size",
                            "7x5",
                            "xc:blue",
                            "-repage",
                            "+3+4",
                            ")",
                            "(",
                            "-dispose",
                            "background",
                            "-size",
                            "6x6",
                            "xc:lime",
                            "-repage",
                            "+10+2",
                            ")",
                            "(",
                            "-dispose",
                            "none",
                            "-size",
                            "4x9",
                            "gradient:white-black",
                            "-repage",
                            "+1+1",
                            ")",
                            "(",
                            "-dispose",
                            "background",
                            "-interlace",
                            "GIF",
                            "-size",
                            "20x12",
                            "pattern:checkerboard",
                            "-transparent",
                            "#666666",
                            ")",
                            "(",
                            "-dispose",
                            "none",
                            "-size",
                            "3x3",
                            "xc:yellow",
                            "-repage",
                            "+17+9",
                            ")",
                            "-delete",
                            "0",
                            "-loop",
                            "0",
                            "d.gif"};
    QVERIFY(ran("convert", drawn, folder_ / "."));
    QVERIFY(ran("convert", {"d.gif", "-coalesce", "-define", "png:color-type=6", "d%d.png"},
                folder_ / "."));
    const auto path = folder_ / "d.gif";
    QCOMPARE(open_picture(path, {.page = 1})->info().pages, 6);
    for (int i = 0; i < 6; ++i) {
      const auto oracle = folder_ / ("d" + std::to_string(i) + ".png");
      QVERIFY2(shown_pixels(path, i + 1) == shown_pixels(oracle), qPrintable(QString::number(i)));
    }
    QVERIFY(shown_pixels(path, 1) == shown_pixels(path));
  }

  void webp_frames_are_what_imagemagick_shows() {
    NEED("webpmux");
    NEED("convert");
    for (const char* color : {"red", "blue", "lime", "#ffff0080"}) {
      const bool whole = qstrcmp(color, "red") == 0;
      QVERIFY(ran("convert",
                  {"-size", whole ? "20x12" : "6x4", QString("xc:") + color,
                   QString("%1.png").arg(QString(color).remove('#'))},
                  folder_ / "."));
    }
    for (const char* color : {"red", "blue", "lime", "ffff0080"}) {
      QVERIFY(ran("cwebp",
                  {"-quiet", "-lossless", "-exact", QString("%1.png").arg(color), "-o",
                   QString("%1.webp").arg(color)},
                  folder_ / "."));
    }
    QVERIFY(ran(
        "webpmux",
        {"-frame", "red.webp", "+100+0+0+0-b", "-frame", "blue.webp", "+100+2+2+1-b", "-frame",
         "lime.webp", "+100+8+4+0+b", "-frame", "ffff0080.webp", "+100+4+4+0+b", "-o", "a.webp"},
        folder_ / "."));
    QVERIFY(ran("convert", {"a.webp", "-coalesce", "-define", "png:color-type=6", "w%d.png"},
                folder_ / "."));
    const auto path = folder_ / "a.webp";
    QCOMPARE(open_picture(path, {.page = 1})->info().pages, 4);
    for (int i = 0; i < 3; ++i) {
      const auto oracle = folder_ / ("w" + std::to_string(i) + ".png");
      QVERIFY2(shown_pixels(path, i + 1) == shown_pixels(oracle), qPrintable(QString::number(i)));
    }
    // Half of the yellow over red.
    const auto last = shown_pixels(path, 4);
    const std::size_t at = 4 * (20 * 7 + 5);
    QVERIFY(last[at] >= 254);
    QVERIFY(std::abs(last[at + 1] - 128) <= 1);
    QCOMPARE(last[at + 3], std::uint8_t{255});
  }

  // Each way of drawing and removing a frame, by hand (PNG, third edition, 11.3.6.2).
  void png_frames_are_drawn_and_removed() {
    const std::string red = repeated("\xff\0\0\xff"sv, 8), half = repeated("\0\0\xff\x80"sv, 2),
                      clear = repeated("\0\xff\0\0"sv, 2);
    put(folder_ / "e.png", apng(4, 2, 6,
                                {{0, 0, 4, 2, 0, 0, red},
                                 {1, 0, 2, 1, 2, 1, half},   // drawn over, then taken back
                                 {1, 0, 2, 1, 1, 0, clear},  // replaces, then cleared
                                 {2, 1, 2, 1, 0, 1, half}}));
    const auto pixel = [&](int frame, int x, int y) {
      const auto all = shown_pixels(folder_ / "e.png", frame);
      const auto* at = all.data() + 4 * (4 * y + x);
      return std::vector<int>(at, at + 4);
    };
    const std::vector<int> opaque{255, 0, 0, 255}, none{0, 0, 0, 0}, mixed{127, 0, 128, 255};
    QCOMPARE(pixel(1, 1, 0), opaque);
    QCOMPARE(pixel(2, 1, 0), mixed);
    QCOMPARE(pixel(2, 0, 0), opaque);
    QCOMPARE(pixel(3, 1, 0), none);
    QCOMPARE(pixel(3, 3, 0), opaque);
    QCOMPARE(pixel(4, 2, 1), mixed);
    QCOMPARE(pixel(4, 1, 0), none);  // "previous" of frame 2 and "background" of frame 3
    QCOMPARE(pixel(4, 0, 1), opaque);
  }

  // Without alpha in the file, what is removed is transparent all the same.
  void opaque_png_frames_leave_holes() {
    put(folder_ / "h.png", apng(4, 1, 2,
                                {{0, 0, 4, 1, 1, 0, repeated("\x10\x20\x30"sv, 4)},
                                 {1, 0, 2, 1, 0, 0, repeated("\x40\x50\x60"sv, 2)}}));
    QCOMPARE(open_picture(folder_ / "h.png")->format().channels, 3);
    QCOMPARE(open_picture(folder_ / "h.png", {.page = 2})->format().channels, 4);
    const std::vector<std::uint8_t> expected{0,    0,    0,    0,   0x40, 0x50, 0x60, 255,
                                             0x40, 0x50, 0x60, 255, 0,    0,    0,    0};
    QVERIFY(shown_pixels(folder_ / "h.png", 2) == expected);
  }

  // A picture for programs that play none may come before all frames.
  void png_beside_its_frames() {
    const std::string bytes = apng(4, 1, 2,
                                   {{0, 0, 4, 1, 0, 0, repeated("\x10\x20\x30"sv, 4)},
                                    {0, 0, 4, 1, 0, 0, repeated("\x40\x50\x60"sv, 4)}});
    put(folder_ / "first.png", bytes);
    const std::size_t first = bytes.find("fcTL") - 4, size = 12 + 26;
    put(folder_ / "beside.png",
        std::string(bytes)
            .erase(first, size)
            .insert(bytes.find("IEND") - 4 - size, bytes.substr(first, size)));
    for (const auto& [name, id] :
         {std::pair{"first.png", "file.animation"}, {"beside.png", "file.animation_beside"}}) {
      const auto picture = open_picture(folder_ / name);
      QCOMPARE(picture->info().warnings.size(), 1u);
      QCOMPARE(picture->info().warnings[0].id, id);
    }
  }

  // Names that a page has are kept, and no date is made up for the others.
  void tiff_pages_say_what_they_said() {
    NEED("exiftool");
    make_file(folder_ / "named.tif", {OIIO::ImageSpec(20, 10, 3, OIIO::TypeDesc::UINT8),
                                      OIIO::ImageSpec(12, 14, 1, OIIO::TypeDesc::UINT8)});
    QVERIFY(ran("exiftool",
                {"-q", "-overwrite_original", "-IFD0:PageName=Recto", "-IFD1:PageName=Verso",
                 "-IFD0:ModifyDate=2020:01:02 03:04:05", "-IFD1:ModifyDate=", "-IFD1:Artist=Nobody",
                 "named.tif"},
                folder_ / "."));
    copy_picture(folder_ / "named.tif", folder_ / "named_again.tif");
    for (const char* name : {"named.tif", "named_again.tif"}) {
      QProcess exiftool;
      exiftool.start("exiftool", {"-G1", "-a", "-s", "-PageName", "-ModifyDate",
                                  QString::fromStdString((folder_ / name).string())});
      QVERIFY(exiftool.waitForFinished());
      const QString said = exiftool.readAllStandardOutput().simplified();
      QVERIFY2(said.contains("[IFD0] PageName : Recto"), qPrintable(said));
      QVERIFY2(said.contains("[IFD1] PageName : Verso"), qPrintable(said));
      QVERIFY2(said.contains("[IFD0] ModifyDate : 2020:01:02 03:04:05"), qPrintable(said));
      QVERIFY2(!said.contains("[IFD1] ModifyDate"), qPrintable(said));
    }
    // Who wants none gets none on any page.
    copy_picture(folder_ / "named.tif", folder_ / "nameless.tif", {.keep_metadata = false});
    const std::string nameless = content(folder_ / "nameless.tif");
    for (const char* word : {"Recto", "Verso", "Nobody", "2020"}) {
      QVERIFY2(nameless.find(word) == std::string::npos, word);
    }
  }

  void tiff_pages_are_alone() {
    OIIO::ImageSpec a(20, 10, 3, OIIO::TypeDesc::UINT8), b(12, 14, 1, OIIO::TypeDesc::UINT16),
        c(8, 8, 4, OIIO::TypeDesc::FLOAT);
    a.attribute("Artist", "First");
    b.attribute("Artist", "Second");
    b.attribute("Orientation", 6);
    const auto path = folder_ / "pages.tif";
    make_file(path, {a, b, c});
    for (int page = 1; page <= 3; ++page) {
      const auto in = open_picture(path, {.page = page});
      QCOMPARE(in->info().pages, 3);
      QVERIFY(in->info().warnings.empty());
      const auto copy = folder_ / ("page" + std::to_string(page) + ".tif");
      QVERIFY(pass_through(path, copy, {.overwrite = true}, {.page = page}).empty());
      QVERIFY(values_of(copy) == values_of(path, page - 1));
      QCOMPARE(open_picture(copy, {.page = 1})->info().pages, 1);
    }
    QCOMPARE(std::string(spec_of(folder_ / "page2.tif").get_string_attribute("Artist")),
             std::string("Second"));
    QCOMPARE(spec_of(folder_ / "page2.tif").get_int_attribute("Orientation"), 6);
    QCOMPARE(open_picture(path, {.page = 2})->info().orientation, 6);
    QCOMPARE(open_picture(path)->info().pages, 0);
  }

  void heif_pictures_are_alone() {
    NEED("heif-enc");
    NEED("heif-convert");
    NEED("convert");
    QVERIFY(ran("convert", {"-size", "64x48", "gradient:red-blue", "-depth", "8", "1.png"},
                folder_ / "."));
    QVERIFY(ran("convert", {"-size", "80x32", "gradient:lime-black", "-depth", "8", "2.png"},
                folder_ / "."));
    if (!ran("heif-enc", {"1.png", "2.png", "-o", "a.heic"}, folder_ / ".")) {
      QSKIP("heif-enc of this release writes one picture");
    }
    QVERIFY(ran("heif-convert", {"a.heic", "oracle.png"}, folder_ / "."));
    const auto path = folder_ / "a.heic";
    QCOMPARE(open_picture(path, {.page = 1})->info().pages, 2);
    QVERIFY(shown_pixels(path, 1) == shown_pixels(folder_ / "oracle-1.png"));
    QVERIFY(shown_pixels(path, 2) == shown_pixels(folder_ / "oracle-2.png"));
    QVERIFY(shown_pixels(path) == shown_pixels(path, 1));
  }

  void heif_sequences_are_their_first_frame() {
    NEED("ffmpeg");
    QVERIFY(ran("ffmpeg",
                {"-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=64x48:d=0.5:r=10", "-c:v",
                 "libaom-av1", "-cpu-used", "8", "-f", "avif", "s.avif"},
                folder_ / "."));
    const auto path = folder_ / "s.avif";
    const auto warnings = in_english(open_picture(path)->info().warnings);
    QCOMPARE(warnings.size(), 1u);
    QVERIFY2(warnings[0].find("animation of 5 frames") != std::string::npos, warnings[0].c_str());
    QVERIFY(shown_pixels(path, 1) == shown_pixels(path));
    const std::string said = refusal([&] { open_picture(path, {.page = 2}); });
    QVERIFY2(said.find("only the first frame") != std::string::npos, said.c_str());
    // Sizes of boxes that are no sizes.
    const std::string whole = content(path);
    for (const char* box : {"moov", "trak", "mdia", "hdlr", "minf", "stbl", "stsz"}) {
      for (const char byte : {'\0', '\x01', '\xff'}) {
        std::string bytes = whole;
        bytes.replace(bytes.find(box) - 4, 4, 4, byte);
        put(folder_ / "bad.avif", bytes);
        try {
          QVERIFY(open_picture(folder_ / "bad.avif")->info().warnings.size() <= 1);
        } catch (const FileError&) {
          // libheif's word counts
        }
      }
    }
  }

  void a_page_that_is_not_there_is_refused() {
    put(folder_ / "one.gif", transparent_gif(2));
    make_file(folder_ / "one.jpg", {OIIO::ImageSpec(20, 10, 3, OIIO::TypeDesc::UINT8)});
    make_file(folder_ / "one.exr", {OIIO::ImageSpec(20, 10, 3, OIIO::TypeDesc::HALF)});
    for (const auto& [file, last] :
         {std::pair("one.gif", "2"), std::pair("one.jpg", "1"), std::pair("one.exr", "1")}) {
      const std::string said =
          refusal([&, path = folder_ / file] { open_picture(path, {.page = 3}); });
      QVERIFY2(said.find("no page or frame 3") != std::string::npos, said.c_str());
      QVERIFY2(said.find(std::string("number ") + last) != std::string::npos, said.c_str());
    }
    // In a file of one picture, that is the first.
    make_file(folder_ / "one.png", {OIIO::ImageSpec(20, 10, 3, OIIO::TypeDesc::UINT8)});
    put(folder_ / "alone.gif", transparent_gif());
    for (const char* file : {"one.jpg", "one.exr", "one.png", "alone.gif"}) {
      QVERIFY2(shown_pixels(folder_ / file, 1) == shown_pixels(folder_ / file), file);
      QCOMPARE(open_picture(folder_ / file, {.page = 1})->info().pages, 1);
    }
  }

  // The frames before the damage can be read.
  void damaged_frames_are_refused() {
    const std::string gray = repeated("\x80"sv, 8);
    std::string bytes = apng(4, 2, 0, {{0, 0, 4, 2, 0, 0, gray}, {0, 0, 4, 2, 0, 0, gray}});
    const std::size_t data = bytes.find("fdAT") + 4 + 4 + 7;
    bytes[data] = '\x09';  // no filter has this number
    put(folder_ / "bad.png", bytes);
    QCOMPARE(shown_pixels(folder_ / "bad.png", 1).size(), std::size_t{32});
    QVERIFY(!refusal([&] { shown_pixels(folder_ / "bad.png", 2); }).empty());
    std::string outside = apng(4, 2, 0, {{0, 0, 4, 2, 0, 0, gray}, {1, 0, 4, 2, 0, 0, gray}});
    put(folder_ / "outside.png", outside);
    QVERIFY(!refusal([&] { shown_pixels(folder_ / "outside.png", 2); }).empty());
    QCOMPARE(shown_pixels(folder_ / "outside.png").size(), std::size_t{32});
    std::string gif = transparent_gif(2);
    put(folder_ / "cut.gif", gif.substr(0, gif.size() - 4));
    QCOMPARE(shown_pixels(folder_ / "cut.gif", 1).size(), std::size_t{16});
    QVERIFY(!refusal([&] { shown_pixels(folder_ / "cut.gif", 2); }).empty());
  }

  // A page's place is no more than other metadata, also of pages that are copied.
  void places_go_with_the_metadata() {
    const auto placed = [](double x, std::size_t base) {
      TiffWriter tags;
      tags.fractions(282, 5, {100});
      tags.fractions(283, 5, {100});
      tags.fractions(286, 5, {x});
      tags.fractions(287, 5, {2});
      return plain_tiff(2, 2, 3, 8, 2, 1, std::string(12, 'x'), tags, base);
    };
    const std::string first = placed(1.5, 0);
    put(folder_ / "placed.tif", two_pages(first, placed(2.5, first.size())));
    for (const bool all : {true, false}) {
      const auto to = folder_ / (all ? "with.tif" : "without.tif");
      pass_through(folder_ / "placed.tif", to, {.keep_metadata = all});
      for (int page = 0; page < 2; ++page) {
        const OIIO::ImageSpec s = spec_of(to, page);
        QCOMPARE(s.find_attribute("XPosition") != nullptr || s.x != 0, all);
        QVERIFY(std::abs(s.get_float_attribute("XResolution") - 100) < 1e-3f);
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestIoPages)
#include "test_io_pages.moc"
