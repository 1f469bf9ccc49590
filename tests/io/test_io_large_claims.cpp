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

// Stands for a picture whose reading takes more than any machine has.
class Greedy final : public InputPicture {
 public:
  Greedy(std::size_t working_bytes, std::size_t chunk_bytes) {
    format_.width = format_.height = 2;
    format_.channels = 1;
    info_.path = "greedy.tif";
    info_.working_bytes = working_bytes;
    info_.chunk_bytes = chunk_bytes;
  }

 private:
  void read_rows(const Rect&, void*, std::ptrdiff_t) override {}
};

// A tile of 20 x 20 pixels, in a picture that claims to be of another size.
std::string iff_of(const Folder& folder, std::uint32_t width, std::uint32_t height) {
  const auto path = folder / "whole.iff";
  const OIIO::ImageSpec s(20, 20, 4, OIIO::TypeDesc::UINT8);
  const auto out = OIIO::ImageOutput::create(path.string());
  std::vector<unsigned char> pixels(std::size_t{4} * 20 * 20);
  for (std::size_t i = 0; i < pixels.size(); ++i)
    pixels[i] = static_cast<unsigned char>(i * 7 % 251);
  if (!out->open(path.string(), s) || !out->write_image(OIIO::TypeDesc::UINT8, pixels.data()) ||
      !out->close()) {
    return {};
  }
  const auto big = [](std::uint32_t value) {
    const std::string bytes = little(value, 4);
    return std::string(bytes.rbegin(), bytes.rend());
  };
  std::string bytes = content(path);
  return bytes.replace(bytes.find("TBHD") + 8, 8, big(width) + big(height));
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
    QCOMPARE(in->info().chunk_bytes, std::size_t{side} * side * sizeof(float));
    std::vector<float> row(side);
    for (const int y : {0, side - 1}) {
      in->read({0, y, side, y + 1}, row.data(), side * sizeof(float));
      for (int x = 0; x < side; x += 999)
        QCOMPARE(row[static_cast<std::size_t>(x)], static_cast<float>(x));
    }
  }

  // TIFF 6 lets the last strip be shorter than strips are, and so the only one, too.
  void strips_beyond_the_picture_are_read_data() {
    QTest::addColumn<QString>("compression");
    for (const char* one : {"none", "lzw", "zip", "packbits"}) QTest::newRow(one) << one;
  }
  void strips_beyond_the_picture_are_read() {
    QFETCH(const QString, compression);
    constexpr int width = 333, height = 200;
    for (const OIIO::TypeDesc type :
         {OIIO::TypeDesc::UINT8, OIIO::TypeDesc::UINT16, OIIO::TypeDesc::FLOAT}) {
      OIIO::ImageSpec s(width, height, 3, type);
      s.attribute("compression", compression.toStdString());
      s.attribute("tiff:RowsPerStrip", height);
      const auto path = folder_ / "strip.tif";
      make_file(path, {s});
      const HeldPicture usual = read_all(*open_picture(path));
      const std::string bytes = content(path);
      for (const std::uint32_t rows : {201u, 20'000u, 1'000'000u, 0xffffffffu}) {
        put(path, tiff_with_number(bytes, 278, rows));
        const auto in = open_picture(path);
        QVERIFY(in->info().warnings.empty());
        QVERIFY(read_all(*in).bytes == usual.bytes);
      }
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
  void reading_beyond_memory_is_refused_data() {
    QTest::addColumn<quint64>("working");
    QTest::addColumn<quint64>("chunk");
    constexpr quint64 most = std::numeric_limits<std::size_t>::max();
    QTest::newRow("a decoder's own") << most << quint64{0};
    QTest::newRow("rows at once") << quint64{0} << most / 4;
    QTest::newRow("more than can be counted") << quint64{0} << most;
    QTest::newRow("both") << most / 2 << most / 4;
  }
  void reading_beyond_memory_is_refused() {
    QFETCH(const quint64, working);
    QFETCH(const quint64, chunk);
    Greedy picture(working, chunk);
    const std::string why = refusal([&] { read_all(picture); });
    QVERIFY2(why.starts_with("\"greedy.tif\": its 2 x 2 pixels take ") &&
                 why.find(" 0.0 GiB") == std::string::npos &&
                 why.find("are free") != std::string::npos,
             why.c_str());
  }

  // OpenImageIO makes what no tile covers black.
  void pictures_beyond_their_tiles_are_refused() {
    put(folder_ / "a.iff", iff_of(folder_, 20, 20));
    QCOMPARE(open_picture(folder_ / "a.iff")->format().height, 20);
    const std::array<std::pair<std::uint32_t, std::uint32_t>, 3> sizes = {
        std::pair{21u, 20u}, std::pair{20u, 40u}, std::pair{83886100u, 20u}};
    for (const auto& [width, height] : sizes) {
      put(folder_ / "a.iff", iff_of(folder_, width, height));
      const std::string why = refusal([&] { open_picture(folder_ / "a.iff"); });
      QVERIFY2(why.find("it is too small for the " + std::to_string(width) + "x" +
                        std::to_string(height) + " pixels that it claims") != std::string::npos,
               why.c_str());
    }
  }

  // A run has up to 128 pixels of at least a byte.
  void runs_hold_so_many_pixels() {
    const std::string head = "\0\0\x0b\0\0\0\0\0\0\0\0\0"s, black(100, '\xff');
    put(folder_ / "a.tga", head + little(60000, 2) + little(30000, 2) + "\x08\0"s + black);
    const std::string why = refusal([&] { open_picture(folder_ / "a.tga"); });
    QVERIFY2(why.find("it is too small for the 60000x30000 pixels") != std::string::npos,
             why.c_str());
    std::string runs;
    for (int i = 0; i < 100; ++i) runs += "\xff\x40"s;
    put(folder_ / "a.tga", head + little(128, 2) + little(100, 2) + "\x08\0"s + runs);
    HeldPicture held = read_all(*open_picture(folder_ / "a.tga"));
    QVERIFY(std::all_of(held.bytes.begin(), held.bytes.end(), [](char v) { return v == '\x40'; }));
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
