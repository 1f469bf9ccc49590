// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// BMP files of Windows and OS/2: every depth, masks, palettes and runs, computed here and read by
// ImageMagick.
#include <QTest>
#include <cmath>
#include <functional>

#include "io/property_inputs.hpp"
#include "support/skips.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

constexpr int width = 13, height = 7;  // rows are padded

std::string little(std::uint32_t value, int bytes) {
  return TiffWriter::number(value, bytes);
}

struct Header {
  int bits = 8;
  std::uint32_t compression = 0, used = 0;
  int rows = height;
  std::string masks = "";
  std::uint32_t size = 40;

  std::string bytes() const {
    std::string out =
        little(size, 4) + little(width, 4) + little(static_cast<std::uint32_t>(rows), 4) +
        little(1, 2) + little(static_cast<std::uint32_t>(bits), 2) + little(compression, 4) +
        little(0, 4) + little(2835, 4) + little(2835, 4) + little(used, 4) + little(0, 4) + masks;
    // Masks lie in longer headers, and behind the plain one.
    if (size != 40) out.resize(size, '\0');
    return out;
  }
};

std::string file_of(const std::string& header, const std::string& palette,
                    const std::string& data) {
  const auto begin = static_cast<std::uint32_t>(14 + header.size() + palette.size());
  return "BM" + little(begin + static_cast<std::uint32_t>(data.size()), 4) + little(0, 4) +
         little(begin, 4) + header + palette + data;
}

std::uint8_t part_of_color(int number, int channel) {
  return static_cast<std::uint8_t>(channel == 0   ? 255 - number * 3
                                   : channel == 1 ? number * 91 + 5
                                                  : number * 40);
}

// Blue, green, red and perhaps a byte more.
std::string palette_of(int count, bool with_fourth) {
  std::string out;
  for (int i = 0; i < count; ++i) {
    for (int c = 2; c >= 0; --c) out += static_cast<char>(part_of_color(i, c));
    if (with_fourth) out += '\0';
  }
  return out;
}

std::uint32_t number_at(int x, int y, std::uint32_t most) {
  return static_cast<std::uint32_t>(x * 977 + y * 31337 + x * x * y * 7) * 2654435761u % most;
}

// Rows of pixels, the lowest first, padded to four bytes; small ones share a byte, the first in
// its highest bits.
std::string rows_of(int bits, const std::function<std::uint32_t(int, int)>& pixel, bool top_down) {
  std::string out;
  for (int i = 0; i < height; ++i) {
    const int y = top_down ? i : height - 1 - i;
    std::string row;
    for (int x = 0; x < width; ++x) {
      if (bits >= 8) {
        row += little(pixel(x, y), bits / 8);
      } else {
        if (x * bits % 8 == 0) row += '\0';
        row.back() = static_cast<char>(row.back() |
                                       static_cast<char>(pixel(x, y) << (8 - bits - x * bits % 8)));
      }
    }
    row.resize((row.size() + 3) / 4 * 4, '\0');
    out += row;
  }
  return out;
}

}  // namespace

class TestIoBmp : public QObject {
  Q_OBJECT

  Folder folder_;

  std::unique_ptr<InputPicture> opened(const std::string& bytes) {
    put(folder_ / "a.bmp", bytes);
    return open_picture(folder_ / "a.bmp");
  }
  std::vector<std::uint16_t> samples_of(InputPicture& picture) {
    const PictureFormat& f = picture.format();
    std::string rows(f.row_bytes() * static_cast<std::size_t>(f.height), '\0');
    picture.read(f.rect(), rows.data(), static_cast<std::ptrdiff_t>(f.row_bytes()));
    std::vector<std::uint16_t> out;
    const std::size_t bytes = f.type == SampleType::u16 ? 2 : 1;
    for (std::size_t i = 0; i < rows.size(); i += bytes) {
      std::uint16_t value = 0;
      std::memcpy(&value, rows.data() + i, bytes);
      out.push_back(value);
    }
    return out;
  }
  void compare(const std::string& bytes, int channels,
               const std::function<std::uint32_t(int, int, int)>& expected) {
    const auto picture = opened(bytes);
    QCOMPARE(picture->format().width, width);
    QCOMPARE(picture->format().height, height);
    QCOMPARE(picture->format().channels, channels);
    const std::vector<std::uint16_t> samples = samples_of(*picture);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const int c = static_cast<int>(i) % channels, x = static_cast<int>(i) / channels % width,
                y = static_cast<int>(i) / channels / width;
      QVERIFY2(samples[i] == expected(x, y, c), qPrintable(QString("%1, %2, %3: %4, not %5")
                                                               .arg(x)
                                                               .arg(y)
                                                               .arg(c)
                                                               .arg(samples[i])
                                                               .arg(expected(x, y, c))));
    }
  }
  // As ImageMagick reads it.
  void compare_with_other(const std::string& bytes) {
    put(folder_ / "a.bmp", bytes);
    output_of("convert", {text_of(folder_ / "a.bmp"), "-depth", "8",
                          "PNG24:" + text_of(folder_ / "theirs.png")});
    copy_picture(folder_ / "a.bmp", folder_ / "ours.png", {.overwrite = true});
    QVERIFY(values_of(folder_ / "ours.png") == values_of(folder_ / "theirs.png"));
  }
  std::string refused(const std::string& bytes) {
    put(folder_ / "a.bmp", bytes);
    return refusal([&] { samples_of(*open_picture(folder_ / "a.bmp")); });
  }

 private slots:
  void initTestCase() {
    if (QStandardPaths::findExecutable("convert").isEmpty()) SKIP_WITHOUT("ImageMagick");
  }

  // Whole, short, long and of OS/2.
  void palettes() {
    for (const int bits : {1, 2, 4, 8}) {
      const int most = 1 << bits;
      for (const int count : {most, most / 2 + 1, most + 5}) {
        const int held = std::min(count, most);
        const auto pixel = [&](int x, int y) { return number_at(x, y, held); };
        const auto color = [&](int x, int y, int c) -> std::uint32_t {
          return part_of_color(static_cast<int>(pixel(x, y)), c);
        };
        const auto used = static_cast<std::uint32_t>(count == most ? 0 : count);
        for (const bool top_down : {false, true}) {
          const Header header{bits, 0, used, top_down ? -height : height};
          compare(file_of(header.bytes(), palette_of(count, true), rows_of(bits, pixel, top_down)),
                  3, color);
        }
        const std::string core = little(12, 4) + little(width, 2) + little(height, 2) +
                                 little(1, 2) + little(static_cast<std::uint32_t>(bits), 2);
        compare(file_of(core, palette_of(held, false), rows_of(bits, pixel, false)), 3, color);
      }
    }
  }

  // A number without a colour is not made up.
  void beyond_the_palette() {
    const auto pixel = [](int x, int) { return x == 5 ? 9u : 1u; };
    const std::string file =
        file_of(Header{8, 0, 4}.bytes(), palette_of(4, true), rows_of(8, pixel, false));
    QVERIFY(refused(file).find("colour number 9") != std::string::npos);
  }

  void masks_data() {
    QTest::addColumn<int>("bits");
    QTest::addColumn<QList<uint>>("masks");
    const auto row = [](const char* name, int bits, const QList<uint>& masks) {
      QTest::newRow(name) << bits << masks;
    };
    row("565", 16, {0xf800, 0x7e0, 0x1f, 0});
    row("555 reversed", 16, {0x1f, 0x3e0, 0x7c00, 0});
    row("1555", 16, {0x7c00, 0x3e0, 0x1f, 0x8000});
    row("4444", 16, {0xf00, 0xf0, 0xf, 0xf000});
    row("332", 16, {0xe0, 0x1c, 0x3, 0});
    row("8888", 32, {0xff0000, 0xff00, 0xff, 0xff000000});
    row("8888 reversed", 32, {0xff000000, 0xff0000, 0xff00, 0xff});
    row("101010", 32, {0x3ff00000, 0xffc00, 0x3ff, 0});
    row("2101010", 32, {0x3ff00000, 0xffc00, 0x3ff, 0xc0000000});
    row("red and blue only", 32, {0xff0000, 0, 0xff, 0});
    row("one of 16 bits", 32, {0xffff0000, 0xff00, 0xff, 0});
  }

  void masks() {
    QFETCH(const int, bits);
    QFETCH(const QList<uint>, masks);
    const auto pixel = [&](int x, int y) {
      const std::uint32_t value = number_at(x, y, 0xffffffff);
      return bits == 16 ? value & 0xffff : value;
    };
    const bool alpha = masks[3] != 0;
    std::uint32_t full = 255;
    std::vector<std::uint32_t> shifts;
    for (const std::uint32_t mask : masks) {
      std::uint32_t shift = 0;
      while (mask != 0 && (mask >> shift & 1) == 0) ++shift;
      shifts.push_back(shift);
      if (mask >> shift > 255) full = 65535;
    }
    const auto sample = [&](int x, int y, int c) -> std::uint32_t {
      const std::uint32_t mask = masks[c], shift = shifts[static_cast<std::size_t>(c)];
      if (mask == 0) return 0;
      return static_cast<std::uint32_t>(
          std::lround(double((pixel(x, y) & mask) >> shift) * full / (mask >> shift)));
    };
    std::string stated;
    for (const std::uint32_t mask : masks) stated += little(mask, 4);
    const std::string data = rows_of(bits, pixel, false);
    // In each header that can state them.
    for (const std::uint32_t size : {56u, 108u, 124u}) {
      compare(file_of(Header{bits, 3, 0, height, stated, size}.bytes(), "", data), alpha ? 4 : 3,
              sample);
    }
    compare(file_of(Header{bits, 6, 0, height, stated}.bytes(), "", data), alpha ? 4 : 3, sample);
    for (const std::uint32_t size : {40u, 52u}) {
      compare(file_of(Header{bits, 3, 0, height, stated.substr(0, 12), size}.bytes(), "", data), 3,
              sample);
    }
  }

  void plain_depths() {
    const auto pixel = [](int x, int y) { return number_at(x, y, 0xffffff); };
    const auto byte = [&](int x, int y, int c) { return pixel(x, y) >> (16 - 8 * c) & 0xff; };
    for (const bool top_down : {false, true}) {
      const int rows = top_down ? -height : height;
      for (const int bits : {24, 32}) {
        compare(file_of(Header{bits, 0, 0, rows}.bytes(), "", rows_of(bits, pixel, top_down)), 3,
                byte);
      }
    }
    const auto fifth = [&](int x, int y, int c) -> std::uint32_t {
      return static_cast<std::uint32_t>(
          std::lround(((pixel(x, y) & 0x7fff) >> (10 - 5 * c) & 31) * 255.0 / 31));
    };
    compare(file_of(Header{16}.bytes(), "",
                    rows_of(
                        16, [&](int x, int y) { return pixel(x, y) & 0x7fff; }, false)),
            3, fifth);
    // The fourth byte is opacity if any of them is not 0.
    const auto opaque = [&](int x, int y) { return pixel(x, y) | 0x40000000; };
    compare(file_of(Header{32}.bytes(), "", rows_of(32, opaque, false)), 4,
            [&](int x, int y, int c) { return c == 3 ? 0x40 : byte(x, y, c); });
  }

  void gray_palettes_are_gray() {
    std::string palette;
    for (int i = 0; i < 256; ++i) palette += std::string(3, static_cast<char>(i)) + '\0';
    const auto pixel = [](int x, int y) { return number_at(x, y, 256); };
    compare(file_of(Header{8}.bytes(), palette, rows_of(8, pixel, false)), 1,
            [&](int x, int y, int) { return pixel(x, y); });
  }

  // Runs, single pixels, and leaps over what then is number 0.
  void runs() {
    std::string eight, four;
    for (int y = 0; y < height; ++y) {
      const char a = static_cast<char>(y % 7), b = static_cast<char>((y + 3) % 7);
      eight += std::string{5, a, 0, 5, a, b, 3, a, 6, 0, 3, b, 0, 0};
      four +=
          std::string{6, static_cast<char>(0x12 + y % 3), 0, 5, 0x12, 0x34, 0x50, 0, 2, 0x66, 0, 0};
    }
    eight += std::string("\0\1", 2);
    four += std::string("\0\1", 2);
    compare_with_other(file_of(Header{8, 1, 7}.bytes(), palette_of(7, true), eight));
    compare_with_other(file_of(Header{4, 2, 7}.bytes(), palette_of(7, true), four));
    const std::string leaps{4, 1, 0, 2, 3, 2, 2, 5, 0, 0, 3, 4, 0, 2, 1, 0, 2, 6, 0, 1};
    compare_with_other(file_of(Header{8, 1, 7}.bytes(), palette_of(7, true), leaps));
    // By hand: rows are counted from the lowest.
    compare(file_of(Header{8, 1, 7}.bytes(), palette_of(7, true), leaps), 3,
            [](int x, int y, int c) -> std::uint32_t {
              const int row = height - 1 - y;
              const int number = row == 0 && x < 4                ? 1
                                 : row == 2 && x >= 7 && x < 9    ? 5
                                 : row == 3 && x < 3              ? 4
                                 : row == 3 && (x == 4 || x == 5) ? 6
                                                                  : 0;
              return part_of_color(number, c);
            });
  }

  // OS/2's of whole pixels.
  void runs_of_pixels() {
    std::string data;
    for (int y = 0; y < height; ++y) {
      data += std::string{10, 1, 2, static_cast<char>(y)} +
              std::string{0, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0} + std::string(2, '\0');
    }
    data += std::string("\0\1", 2);
    compare(
        file_of(Header{24, 4, 0, height, "", 64}.bytes(), "", data), 3,
        [](int x, int y, int c) -> std::uint32_t {
          const int row = height - 1 - y;
          return static_cast<std::uint32_t>(x >= 10 ? 3 * (x - 10) + 6 - c : c == 0 ? row : 3 - c);
        });
  }

  void cut_short() {
    const auto pixel = [](int x, int y) { return number_at(x, y, 7); };
    const std::string rows =
        file_of(Header{8, 0, 7}.bytes(), palette_of(7, true), rows_of(8, pixel, false));
    QVERIFY(opened(rows.substr(0, rows.size() - 3)));  // padding
    for (const std::size_t cut : {std::size_t{4}, std::size_t{20}, rows.size() - 90}) {
      QVERIFY(refused(rows.substr(0, rows.size() - cut)).find("cut short") != std::string::npos);
    }
    std::string runs = file_of(Header{8, 1, 7}.bytes(), palette_of(7, true), "");
    for (int y = 0; y < height; ++y) runs += std::string{13, 2, 0, 0};
    QVERIFY(opened(runs));  // without a mark for the end
    QVERIFY(refused(runs.substr(0, runs.size() - 9)).find("cut short") != std::string::npos);
    for (std::size_t size = 2; size < 54; ++size) QVERIFY(!refused(rows.substr(0, size)).empty());
  }

  // They are sound, but not read, and that is said.
  void other_kinds() {
    const std::string data(64, '\1');
    for (const Header& header : {Header{24, 4}, Header{24, 5}, Header{32, 11}, Header{8, 99},
                                 Header{64, 0}, Header{1, 3, 0, height, "", 64}}) {
      const std::string why = refused(file_of(header.bytes(), palette_of(2, true), data));
      QVERIFY2(why.find("of a kind that cannot be read") != std::string::npos, why.c_str());
    }
  }

  void sizes_that_lie() {
    const auto with_size = [](std::uint32_t columns, std::uint32_t rows,
                              std::uint32_t compression) {
      std::string bytes = file_of(Header{8, compression, 2}.bytes(), palette_of(2, true),
                                  std::string("\1\1\0\1", 4));
      bytes.replace(18, 8, little(columns, 4) + little(rows, 4));
      return bytes;
    };
    for (const std::uint32_t compression : {0u, 1u}) {
      for (const std::uint32_t many : {0u, 1000000000u, 0x7fffffffu, 0x80000000u, 0xffffffffu}) {
        QVERIFY(!refused(with_size(many, 1000000, compression)).empty());
        QVERIFY(!refused(with_size(1000000, many, compression)).empty());
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestIoBmp)
#include "test_io_bmp.moc"
