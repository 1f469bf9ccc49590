// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Files whose headers claim much memory before the first row: sound ones are read, others are
// refused by a sentence.
#include <QTest>

#include "io/property_inputs.hpp"
#include "support/blank_pictures.hpp"
#include "support/skips.hpp"

using namespace std::string_literals;
using namespace sfumato;
using namespace sfumato::testing;

namespace {

std::string little(std::uint32_t value, int bytes) {
  return TiffWriter::number(value, bytes);
}

// A canvas of two colours with one frame of 2 x 2 pixels of the second.
std::string gif_of(std::uint32_t width, std::uint32_t height) {
  return "GIF89a" + little(width, 2) + little(height, 2) + "\xf0\0\0\0\0\0\xff\x80\x40"s +
         ",\0\0\0\0\2\0\2\0\0"s + "\2\3\x4c\x12\5\0;"s;
}

// Its channels' values rise along the rows.
void make_tiled(const std::filesystem::path& path, int side, const std::string& compression) {
  OIIO::ImageSpec s(side, side, 1, OIIO::TypeDesc::FLOAT);
  s.tile_width = s.tile_height = side;
  s.attribute("compression", compression);
  const auto out = OIIO::ImageOutput::create(path.string());
  std::vector<float> pixels(static_cast<std::size_t>(side) * static_cast<std::size_t>(side));
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    pixels[i] = static_cast<float>(i % static_cast<std::size_t>(side));
  }
  QVERIFY(out->open(path.string(), s));
  QVERIFY(out->write_image(OIIO::TypeDesc::FLOAT, pixels.data()));
  QVERIFY(out->close());
}

}  // namespace

class TestIoLargeClaims : public QObject {
  Q_OBJECT

  Folder folder_;

 private slots:
  // One tile, larger than what is there for each of OpenEXR's threads.
  void large_tiles_are_read_data() {
    QTest::addColumn<QString>("compression");
    for (const char* one : {"none", "zip"}) QTest::newRow(one) << one;
  }
  void large_tiles_are_read() {
    QFETCH(const QString, compression);
    constexpr int side = 6000;
    const auto path = folder_ / "tile.exr";
    make_tiled(path, side, compression.toStdString());
    const auto in = open_picture(path);
    QVERIFY(in->info().warnings.empty());
    std::vector<float> row(side);
    for (const int y : {0, side - 1}) {
      in->read({0, y, side, y + 1}, row.data(), side * sizeof(float));
      for (int x = 0; x < side; x += 999)
        QCOMPARE(row[static_cast<std::size_t>(x)], static_cast<float>(x));
    }
  }

  void impossible_tiles_are_refused() {
    const auto path = folder_ / "hostile.exr";
    make_tiled(path, 16, "zip");
    std::string bytes = content(path);
    const std::size_t tile = bytes.find("tiledesc\0"s) + 13;
    put(path, bytes.replace(tile, 8, little(0x7fff0000, 4) + little(0x7fff0000, 4)));
    const std::string why = refusal([&] { open_picture(path); });
    QVERIFY(why.find("could not be read") != std::string::npos ||
            why.find("damaged") != std::string::npos);
    QVERIFY(why.find("std::") == std::string::npos);
  }

  // OpenImageIO would make a canvas of more than a gigabyte.
  void large_canvases_are_opened() {
    put(folder_ / "a.gif", gif_of(17000, 17000));
    ReadOptions large;
    large.max_pixels = std::uint64_t{17000} * 17000;
    const auto in = open_picture(folder_ / "a.gif", large);
    QVERIFY(in->info().warnings.empty());
    QCOMPARE(in->format().width, 17000);
    // Memory is for the rows on which something is drawn.
    QVERIFY2(in->info().working_bytes < (1 << 20),
             std::to_string(in->info().working_bytes).c_str());
    std::vector<unsigned char> row(std::size_t{4} * 17000);
    in->read({0, 1, 17000, 2}, row.data(), 4 * 17000);
    QVERIFY(std::equal(row.begin(), row.begin() + 9, "\xff\x80\x40\xff\xff\x80\x40\xff\0"s.begin(),
                       [](unsigned char a, char b) { return a == static_cast<unsigned char>(b); }));
    in->read({0, 16999, 17000, 17000}, row.data(), 4 * 17000);
    QVERIFY(std::all_of(row.begin(), row.end(), [](unsigned char a) { return a == 0; }));
    put(folder_ / "b.gif", gif_of(5, 3));
    const auto small = open_picture(folder_ / "b.gif");
    std::vector<unsigned char> pixels(60);
    small->read({0, 0, 5, 3}, pixels.data(), 20);
    const std::vector<unsigned char> first(pixels.begin(), pixels.begin() + 12);
    QCOMPARE(first, (std::vector<unsigned char>{255, 128, 64, 255, 255, 128, 64, 255, 0, 0, 0, 0}));
  }
  void impossible_canvases_are_refused() {
    put(folder_ / "a.gif", gif_of(65535, 65535));
    const std::string why = refusal([&] { open_picture(folder_ / "a.gif"); });
    QVERIFY(why.find("65535x65535 pixels, more than the limit") != std::string::npos);
  }

  // Blank pictures may take that few bytes, but seldom do.
  void few_bytes_are_asked_about_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("bytes");
    const auto row = [](const char* name, const std::string& bytes) {
      QTest::newRow(name) << QString(name) << QByteArray::fromStdString(bytes);
    };
    row("a.gif", gif_of(46000, 46000));
    row("a.j2k", blank_codestream(46000, 46000, 1));
  }
  void few_bytes_are_asked_about() {
    QFETCH(const QString, name);
    QFETCH(const QByteArray, bytes);
    const auto path = folder_ / name.toStdString();
    put(path, bytes.toStdString());
    const std::string why = refusal([&] { open_picture(path); });
    QVERIFY2(why.find("46000x46000 pixels and has " + std::to_string(bytes.size()) + " bytes") !=
                     std::string::npos &&
                 why.find("--max-pixels 2116000000") != std::string::npos,
             why.c_str());
  }

  // More than any machine has; nothing of it is taken.
  void decoding_beyond_memory_is_refused() {
    put(folder_ / "a.j2k", blank_codestream(46000, 46000, 200));
    ReadOptions large;
    large.max_pixels = std::uint64_t{46000} * 46000;
    const std::string why = refusal([&] { open_picture(folder_ / "a.j2k", large); });
    QVERIFY2(why.find("decoding its 46000 x 46000 pixels takes 3153.") != std::string::npos &&
                 why.find("are free") != std::string::npos,
             why.c_str());
  }
  void blank_pictures_are_read() {
    put(folder_ / "a.j2k", blank_codestream(3000, 2000, 3));
    const auto in = open_picture(folder_ / "a.j2k");
    std::vector<unsigned char> pixels(std::size_t{3} * 3000 * 2000);
    in->read({0, 0, 3000, 2000}, pixels.data(), 3 * 3000);
    QVERIFY(std::all_of(pixels.begin(), pixels.end(), [](unsigned char v) { return v == 128; }));
  }
};

QTEST_GUILESS_MAIN(TestIoLargeClaims)
#include "test_io_large_claims.moc"
