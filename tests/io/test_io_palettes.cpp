// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Colour maps of TIFF files, whose numbers have 16 bits, or had eight in old programs.
#include <QTest>

#include "io/tiff_writer.hpp"
#include "support/files.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

// A row of all colours of a map; number i's are 7 i, 13 i and 200 - i, modulo 256, times `scale`.
struct Map {
  std::uint32_t bits, scale, more;

  std::uint32_t colors() const { return 1u << bits; }
  std::uint32_t value(std::uint32_t channel, std::uint32_t number) const {
    const std::uint32_t color = channel == 0   ? 7 * number
                                : channel == 1 ? 13 * number
                                               : 200 + 255 * number;
    return color % 256;
  }
  std::string file(std::size_t base = 0) const {
    std::vector<std::uint32_t> values;
    for (std::uint32_t c = 0; c < 3; ++c) {
      for (std::uint32_t i = 0; i < colors(); ++i) values.push_back(value(c, i) * scale + more);
    }
    std::string row;
    for (std::uint32_t i = 0; i < colors(); ++i) {
      if (i * bits % 8 == 0) row.push_back('\0');
      row.back() =
          static_cast<char>(row.back() | static_cast<char>(i << (8 - bits - i * bits % 8)));
    }
    TiffWriter t;
    t.longs(256, colors());
    t.longs(257, 1);
    t.shorts(258, {bits});
    t.shorts(259, {1});
    t.shorts(262, {3});
    t.shorts(277, {1});
    t.longs(278, 1);
    t.longs(279, static_cast<std::uint32_t>(row.size()));
    t.shorts(320, values);
    return t.file(row, base);
  }
  bool is_read(InputPicture& picture) const {
    const PictureFormat& f = picture.format();
    std::vector<std::uint8_t> row(f.row_bytes());
    picture.read(f.rect(), row.data(), static_cast<std::ptrdiff_t>(row.size()));
    bool right = f.channels == 3 && f.type == SampleType::u8 &&
                 f.width == static_cast<int>(colors()) && f.height == 1;
    for (std::uint32_t i = 0; right && i < 3 * colors(); ++i) right = row[i] == value(i % 3, i / 3);
    return right;
  }
};

bool has_warning(const InputPicture& picture, const char* id) {
  const auto& all = picture.info().warnings;
  return std::any_of(all.begin(), all.end(), [id](const Message& m) { return m.id == id; });
}

}  // namespace

class TestIoPalettes : public QObject {
  Q_OBJECT

  Folder folder_;

 private slots:
  void maps_data() {
    QTest::addColumn<std::uint32_t>("bits");
    QTest::addColumn<std::uint32_t>("scale");
    for (const std::uint32_t bits : {4u, 8u}) {
      for (const std::uint32_t scale : {1u, 257u}) {
        QTest::addRow("%u bits, times %u", bits, scale) << bits << scale;
      }
    }
  }

  void maps() {
    QFETCH(const std::uint32_t, bits);
    QFETCH(const std::uint32_t, scale);
    const Map map{bits, scale, 0};
    put(folder_ / "a.tif", map.file());
    const auto picture = open_picture(folder_ / "a.tif");
    QVERIFY(picture->info().warnings.empty());
    QVERIFY(map.is_read(*picture));
  }

  // Each page's colour map is judged alone.
  void maps_of_pages() {
    const Map old{8, 1, 0}, usual{8, 257, 0};
    for (const bool first : {false, true}) {
      const Map &one = first ? old : usual, &two = first ? usual : old;
      const std::string page = one.file();
      put(folder_ / "b.tif", two_pages(page, two.file(page.size())));
      QVERIFY(one.is_read(*open_picture(folder_ / "b.tif", {.page = 1})));
      QVERIFY(two.is_read(*open_picture(folder_ / "b.tif", {.page = 2})));
      // The other page is copied, as it looks.
      copy_picture(folder_ / "b.tif", folder_ / "c.tif", {.overwrite = true});
      QVERIFY(two.is_read(*open_picture(folder_ / "c.tif", {.page = 2})));
    }
  }

  // More than eight bits are told of.
  void fine_maps() {
    for (const std::uint32_t scale : {256u, 257u}) {
      put(folder_ / "d.tif", Map{8, scale, 0}.file());
      QVERIFY(!has_warning(*open_picture(folder_ / "d.tif"), "file.palette_of_16_bits"));
    }
    put(folder_ / "d.tif", Map{8, 250, 100}.file());
    QVERIFY(has_warning(*open_picture(folder_ / "d.tif"), "file.palette_of_16_bits"));
  }

  // Opacity beside the numbers of colours, and a sample that is none.
  void more_than_numbers_data() {
    QTest::addColumn<std::uint32_t>("bits");
    QTest::addColumn<std::uint32_t>("scale");
    QTest::addColumn<std::uint32_t>("extra");
    for (const std::uint32_t bits : {4u, 8u, 16u}) {
      for (const std::uint32_t scale : {1u, 257u}) {
        for (const std::uint32_t extra : {0u, 1u, 2u}) {
          QTest::addRow("%u bits, times %u, extra sample %u", bits, scale, extra)
              << bits << scale << extra;
        }
      }
    }
  }

  void more_than_numbers() {
    QFETCH(const std::uint32_t, bits);
    QFETCH(const std::uint32_t, scale);
    QFETCH(const std::uint32_t, extra);
    const Map map{bits, scale, 0};
    std::vector<std::uint32_t> values;
    for (std::uint32_t c = 0; c < 3; ++c) {
      for (std::uint32_t i = 0; i < map.colors(); ++i) values.push_back(map.value(c, i) * scale);
    }
    // Four pixels: a number, and another sample.
    const std::vector<std::uint32_t> numbers = {3, 15, 0, 7}, others = {15, 9, 4, 0};
    std::string data;
    for (std::size_t i = 0; i < 4; ++i) {
      if (bits == 4) {
        data += static_cast<char>(numbers[i] << 4 | others[i]);
      } else {
        data += TiffWriter::number(numbers[i], static_cast<int>(bits / 8)) +
                TiffWriter::number(others[i] * (bits == 8 ? 17 : 4369), static_cast<int>(bits / 8));
      }
    }
    TiffWriter t;
    t.shorts(320, values);
    t.shorts(338, {extra});
    put(folder_ / "more.tif", plain_tiff(2, 2, 2, static_cast<int>(bits), 3, 1, data, t));
    const auto picture = open_picture(folder_ / "more.tif");
    const PictureFormat& f = picture->format();
    const std::size_t channels = extra == 0 ? 3 : 4;
    QCOMPARE(static_cast<std::size_t>(f.channels), channels);
    QVERIFY(f.alpha == (extra == 0   ? AlphaKind::none
                        : extra == 1 ? AlphaKind::premultiplied
                                     : AlphaKind::straight));
    std::vector<std::uint8_t> rows(2 * f.row_bytes());
    picture->read(f.rect(), rows.data(), static_cast<std::ptrdiff_t>(f.row_bytes()));
    const std::size_t step = bits == 16 ? 2 : 1;
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::uint32_t c = 0; c < 3; ++c) {
        QCOMPARE(std::uint32_t{rows[(i * channels + c) * step]}, map.value(c, numbers[i]));
      }
      if (extra != 0) QCOMPARE(std::uint32_t{rows[(i * 4 + 3) * step]}, 17 * others[i]);
    }
  }

  // Of two pixels: with 16 colours, and with a number that is too large.
  void more_is_copied() {
    for (const std::uint32_t colors : {16u, 8u}) {
      TiffWriter t;
      t.shorts(320, std::vector<std::uint32_t>(3 * std::size_t{colors}, 0x1234));
      t.shorts(338, {2});
      put(folder_ / "more.tif", plain_tiff(2, 1, 2, 4, 3, 1, "\x10\xbf", t));
      const std::string why = refusal(
          [&] { copy_picture(folder_ / "more.tif", folder_ / "copy.tif", {.overwrite = true}); });
      QVERIFY2(why.empty() == (colors == 16), why.c_str());
      if (colors == 16) QCOMPARE(open_picture(folder_ / "copy.tif")->format().channels, 4);
    }
  }

  // A page of either kind.
  void more_in_pages() {
    TiffWriter t;
    t.shorts(320, std::vector<std::uint32_t>(3 * 16, 0x1234));
    t.shorts(338, {2});
    const std::string more = plain_tiff(2, 1, 2, 4, 3, 1, "\x10\x2f", t);
    const Map map{8, 257, 0};
    put(folder_ / "pages.tif", two_pages(more, map.file(more.size())));
    QCOMPARE(open_picture(folder_ / "pages.tif")->format().channels, 4);
    QVERIFY(map.is_read(*open_picture(folder_ / "pages.tif", {.page = 2})));
    copy_picture(folder_ / "pages.tif", folder_ / "copy.tif", {.overwrite = true});
    QVERIFY(map.is_read(*open_picture(folder_ / "copy.tif", {.page = 2})));
    QCOMPARE(open_picture(folder_ / "copy.tif")->format().channels, 4);
  }

  void damaged_chains() {
    std::string ring = Map{8, 1, 0}.file();
    const auto entries = static_cast<std::size_t>(static_cast<unsigned char>(ring[8]));
    ring.replace(10 + 12 * entries, 4, std::string("\x08\0\0\0", 4));
    put(folder_ / "ring.tif", ring);
    QVERIFY((Map{8, 1, 0}.is_read(*open_picture(folder_ / "ring.tif"))));
  }
};

QTEST_GUILESS_MAIN(TestIoPalettes)
#include "test_io_palettes.moc"
