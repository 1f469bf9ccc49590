// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Merged pictures of PSD and PSB files: modes, depths, runs, opacity and other channels, made byte
// by byte, and by ImageMagick.
#include <QTest>
#include <cmath>
#include <functional>

#include "io/property_inputs.hpp"
#include "support/skips.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

constexpr int width = 11, height = 5;

std::string big(std::uint64_t value, int bytes) {
  return big_endian_bytes(value, bytes);
}

enum Mode { bitmap, gray, indexed, rgb, cmyk, multichannel = 7, duotone = 8, lab = 9 };

std::string resource(int id, const std::string& data) {
  return "8BIM" + big(static_cast<std::uint64_t>(id), 2) + big(0, 2) + big(data.size(), 4) + data +
         std::string(data.size() & 1, '\0');
}

// As runs of equal bytes and of others.
std::string packed(const std::string& row) {
  std::string out;
  for (std::size_t at = 0; at < row.size();) {
    std::size_t same = 1;
    while (at + same < row.size() && row[at + same] == row[at] && same < 128) ++same;
    if (same > 1) {
      out += static_cast<char>(257 - same);
      out += row[at];
    } else {
      out += '\0';
      out += row[at];
    }
    at += same;
  }
  return out;
}

// What Photoshop and GIMP say of files whose colours are mixed with white.
std::string of_photoshop() {
  std::string name;
  for (const char letter : std::string("Adobe Photoshop")) name += std::string(1, '\0') + letter;
  return resource(1057, big(1, 4) + "\1" + big(15, 4) + name + big(0, 4) + big(1, 4));
}
std::string of_gimp() {
  return resource(1006, "\14Transparency");
}

struct File {
  int mode = rgb, depth = 8, channels = 3;
  bool large = false, runs = false;
  std::string palette = "", resources = "", layers = "";
  int compression = -1;

  std::string word(std::uint64_t value) const { return big(value, large ? 8 : 4); }
  std::string bytes(const std::function<std::string(int, int)>& row) const {
    std::string out = "8BPS" + big(large ? 2 : 1, 2) + std::string(6, '\0') +
                      big(static_cast<std::uint64_t>(channels), 2) + big(height, 4) +
                      big(width, 4) + big(static_cast<std::uint64_t>(depth), 2) +
                      big(static_cast<std::uint64_t>(mode), 2);
    out += big(palette.size(), 4) + palette + big(resources.size(), 4) + resources;
    out += word(layers.size()) + layers;
    std::string lengths, data;
    for (int c = 0; c < channels; ++c) {
      for (int y = 0; y < height; ++y) {
        const std::string stored = runs ? packed(row(c, y)) : row(c, y);
        lengths += big(stored.size(), large ? 4 : 2);
        data += stored;
      }
    }
    const int kind = compression >= 0 ? compression : runs ? 1 : 0;
    return out + big(static_cast<std::uint64_t>(kind), 2) + (runs ? lengths : "") + data;
  }
};

// A list of layers without any pixel; a negative number says that there is opacity.
std::string layers_of(int count, bool large = false) {
  std::string list = big(static_cast<std::uint16_t>(count), 2);
  for (int i = 0; i < std::abs(count); ++i) {
    list += std::string(16, '\0') + big(0, 2) + "8BIMnorm" + std::string("\xff\0\0\0", 4) +
            big(12, 4) + big(0, 8) + std::string("\1x\0\0", 4);
  }
  if (list.size() & 1) list += '\0';
  return big(list.size(), large ? 8 : 4) + list + big(0, 4);
}

int code(int x, int y, int c) {
  return (x / 2 * 31 + y * 17 + c * 60) % 251;
}

std::string sample(double part, int depth) {
  if (depth == 32) {
    const auto value = static_cast<float>(part);
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return big(bits, 4);
  }
  return big(static_cast<std::uint64_t>(std::lround(part * (depth == 8 ? 255 : 65535))), depth / 8);
}

}  // namespace

class TestIoPsdPictures : public QObject {
  Q_OBJECT

  Folder folder_;

  std::unique_ptr<InputPicture> opened(const std::string& bytes) {
    put(folder_ / "a.psd", bytes);
    return open_picture(folder_ / "a.psd");
  }
  bool warns_of(const InputPicture& picture, const char* id) {
    const auto& all = picture.info().warnings;
    return std::any_of(all.begin(), all.end(), [id](const Message& m) { return m.id == id; });
  }
  std::vector<double> samples_of(InputPicture& picture) {
    const PictureFormat& f = picture.format();
    std::string rows(f.row_bytes() * static_cast<std::size_t>(f.height), '\0');
    picture.read(f.rect(), rows.data(), static_cast<std::ptrdiff_t>(f.row_bytes()));
    std::vector<double> out;
    const auto bytes = static_cast<std::size_t>(sample_bytes(f.type));
    for (std::size_t i = 0; i < rows.size(); i += bytes) {
      if (f.type == SampleType::f32) {
        float value = 0;
        std::memcpy(&value, rows.data() + i, sizeof value);
        out.push_back(static_cast<double>(value));
      } else {
        std::uint16_t value = 0;
        std::memcpy(&value, rows.data() + i, bytes);
        out.push_back(value / (f.type == SampleType::u8 ? 255.0 : 65535.0));
      }
    }
    return out;
  }
  void compare(InputPicture& picture, int channels, double tolerance,
               const std::function<double(int, int, int)>& expected) {
    QCOMPARE(picture.format().channels, channels);
    const std::vector<double> samples = samples_of(picture);
    QCOMPARE(samples.size(), static_cast<std::size_t>(width * height * channels));
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const int c = static_cast<int>(i) % channels, x = static_cast<int>(i) / channels % width,
                y = static_cast<int>(i) / channels / width;
      QVERIFY2(std::abs(samples[i] - expected(x, y, c)) <= tolerance,
               qPrintable(QString("%1, %2, %3: %4, not %5")
                              .arg(x)
                              .arg(y)
                              .arg(c)
                              .arg(samples[i])
                              .arg(expected(x, y, c))));
    }
  }
  std::string refused(const std::string& bytes) {
    put(folder_ / "a.psd", bytes);
    return refusal([&] { samples_of(*open_picture(folder_ / "a.psd")); });
  }
  // Rows of codes; channel `alpha` has opacity, which colours show on white.
  static std::function<std::string(int, int)> rows(int depth, int alpha = -1,
                                                   bool on_white = true) {
    return [=](int c, int y) {
      std::string out;
      for (int x = 0; x < width; ++x) {
        const double opacity = alpha < 0 ? 1 : opacity_at(x);
        const double part = c == alpha ? opacity
                            : on_white ? code(x, y, c) / 255.0 * opacity + 1 - opacity
                                       : code(x, y, c) / 255.0;
        out += sample(part, depth);
      }
      return out;
    };
  }
  static double opacity_at(int x) { return x % 3 == 0 ? 1 : 0.2 * (1 + x % 4); }

 private slots:
  void initTestCase() {
    if (QStandardPaths::findExecutable("convert").isEmpty()) SKIP_WITHOUT("ImageMagick");
  }

  void colors_data() {
    QTest::addColumn<int>("mode");
    QTest::addColumn<int>("depth");
    for (const int depth : {8, 16, 32}) {
      QTest::addRow("gray, %d bits", depth) << int(gray) << depth;
      QTest::addRow("RGB, %d bits", depth) << int(rgb) << depth;
    }
    QTest::newRow("duotone") << int(duotone) << 8;
  }

  void colors() {
    QFETCH(const int, mode);
    QFETCH(const int, depth);
    const int channels = mode == rgb ? 3 : 1;
    for (const bool large : {false, true}) {
      for (const bool runs : {false, true}) {
        const File file{mode, depth, channels, large, runs, mode == duotone ? "inks" : ""};
        const auto picture = opened(file.bytes(rows(depth)));
        QVERIFY(warns_of(*picture, "psd.duotone") == (mode == duotone));
        QVERIFY(picture->format().coding == (depth == 32 ? Coding::linear() : Coding::srgb()));
        compare(*picture, channels, 1e-6,
                [](int x, int y, int c) { return code(x, y, c) / 255.0; });
      }
    }
  }

  void single_bits() {
    const auto black = [](int x, int y) { return (x + y) % 3 == 0; };
    const auto row = [&](int, int y) {
      std::string out((width + 7) / 8, '\0');
      for (int x = 0; x < width; ++x) {
        if (black(x, y)) out[static_cast<std::size_t>(x / 8)] |= static_cast<char>(0x80 >> x % 8);
      }
      return out;
    };
    for (const bool runs : {false, true}) {
      compare(*opened(File{bitmap, 1, 1, false, runs}.bytes(row)), 1, 0,
              [&](int x, int y, int) { return black(x, y) ? 0.0 : 1.0; });
    }
  }

  // With and without a transparent colour.
  void palettes() {
    std::string palette;
    for (int c = 0; c < 3; ++c) {
      for (int i = 0; i < 256; ++i) palette += static_cast<char>(i * (2 * c + 1) + c);
    }
    const auto row = [](int, int y) {
      std::string out;
      for (int x = 0; x < width; ++x) out += static_cast<char>(x * 3 + y);
      return out;
    };
    const auto color = [](int x, int y, int c) {
      const int number = x * 3 + y;
      return c == 3 ? (number == 7 ? 0.0 : 1.0) : ((number * (2 * c + 1) + c) & 0xff) / 255.0;
    };
    compare(*opened(File{indexed, 8, 1, false, false, palette}.bytes(row)), 3, 1e-6, color);
    compare(
        *opened(File{indexed, 8, 1, false, true, palette, resource(1047, big(7, 2))}.bytes(row)), 4,
        1e-6, color);
    QVERIFY(!refused(File{indexed, 8, 1, false, false, palette.substr(1)}.bytes(row)).empty());
  }

  // The fourth channel is opacity only if the number of layers says so.
  void opacity() {
    for (const int depth : {8, 16, 32}) {
      const File selection{rgb, depth, 4};
      const auto without = opened(selection.bytes(rows(depth)));
      QVERIFY(warns_of(*without, "psd.channels_left_out"));
      compare(*without, 3, 1e-6, [](int x, int y, int c) { return code(x, y, c) / 255.0; });
      for (const bool large : {false, true}) {
        const File file{rgb,
                        depth,
                        4,
                        large,
                        true,
                        "",
                        large ? of_photoshop() : of_gimp(),
                        layers_of(-1, large)};
        const auto picture = opened(file.bytes(rows(depth, 3)));
        QVERIFY(picture->format().alpha == AlphaKind::straight);
        QVERIFY(!warns_of(*picture, "psd.channels_left_out"));
        QVERIFY(!warns_of(*picture, "psd.ground_unknown"));
        // Little opacity leaves few codes.
        compare(*picture, 4, depth == 8 ? 0.012 : 1e-4,
                [](int x, int y, int c) { return c == 3 ? opacity_at(x) : code(x, y, c) / 255.0; });
      }
    }
    // Gray is not shown on white.
    compare(*opened(File{gray, 8, 2, false, false, "", "", layers_of(-1)}.bytes(rows(8, 1, false))),
            2, 1e-6,
            [](int x, int y, int c) { return c == 1 ? opacity_at(x) : code(x, y, c) / 255.0; });
  }

  // Where nothing says so, light colours could be on white: they stay, and a sentence says it. Dark
  // ones could not, whatever the file says, which may be of another program's original.
  void opacity_of_unknown() {
    const auto light = [](int x, int y, int c) {
      return c == 3 ? opacity_at(x) : (230 + (x + y + c) % 20) / 255.0;
    };
    const auto stored = [&](int c, int y) {
      std::string out;
      for (int x = 0; x < width; ++x) out += sample(light(x, y, c), 8);
      return out;
    };
    const auto picture = opened(File{rgb, 8, 4, false, true, "", "", layers_of(-1)}.bytes(stored));
    QVERIFY(warns_of(*picture, "psd.ground_unknown"));
    compare(*picture, 4, 1e-6, light);
    for (const std::string& says : {std::string(), of_gimp(), of_photoshop()}) {
      const auto dark =
          opened(File{rgb, 8, 4, false, true, "", says, layers_of(-1)}.bytes(rows(8, 3, false)));
      QVERIFY(!warns_of(*dark, "psd.ground_unknown"));
      compare(*dark, 4, 1e-6,
              [](int x, int y, int c) { return c == 3 ? opacity_at(x) : code(x, y, c) / 255.0; });
    }
  }

  // Files of 16 and 32 bits keep layers behind an empty list.
  void opacity_in_blocks() {
    for (const char* key : {"Lr16", "Mt16"}) {
      std::string block = key == std::string("Mt16") ? "" : layers_of(-1).substr(4);
      block.resize((block.size() + 3) / 4 * 4, '\0');
      const std::string layers =
          big(0, 4) + big(0, 4) + "8BIM" + key + big(block.size(), 4) + block;
      const auto picture =
          opened(File{rgb, 16, 4, false, true, "", of_gimp(), layers}.bytes(rows(16, 3)));
      compare(*picture, 4, 1e-4,
              [](int x, int y, int c) { return c == 3 ? opacity_at(x) : code(x, y, c) / 255.0; });
    }
  }

  // Programs that do not show the colours on white, such as ImageMagick.
  void opacity_of_others() {
    output_of("convert",
              {"-size",    "40x30", "gradient:", "(",      "-clone", "0",
               "-rotate",  "180",   ")",         "(",      "-clone", "0",
               "-negate",  ")",     "(",         "-clone", "0",      ")",
               "-channel", "RGBA",  "-combine",  "-depth", "8",      text_of(folder_ / "o.png")});
    QCOMPARE(spec_of(folder_ / "o.png").nchannels, 4);
    for (const char* how : {"RLE", "None", "Zip"}) {
      output_of("convert",
                {text_of(folder_ / "o.png"), "-compress", how, text_of(folder_ / "o.psd")});
      copy_picture(folder_ / "o.psd", folder_ / "ours.png",
                   {.bits = SampleType::u8, .overwrite = true});
      const std::vector<float> ours = values_of(folder_ / "ours.png"),
                               made = values_of(folder_ / "o.png");
      QCOMPARE(ours.size(), made.size());
      for (std::size_t i = 0; i < ours.size(); ++i) {
        if (i % 4 != 3 && made[i / 4 * 4 + 3] == 0) continue;
        QVERIFY2(std::abs(ours[i] - made[i]) < 0.002f, qPrintable(QString::number(i)));
      }
    }
  }

  // Layers that are not read are named; the merged picture is there.
  void zipped_layers() {
    make_file(folder_ / "plain.png", {OIIO::ImageSpec(24, 18, 3, OIIO::TypeDesc::UINT8)});
    output_of("convert", {text_of(folder_ / "plain.png"), text_of(folder_ / "plain.png"),
                          "-compress", "Zip", text_of(folder_ / "z.psd")});
    const auto picture = open_picture(folder_ / "z.psd");
    QVERIFY(warns_of(*picture, "psd.layers_left_out"));
    copy_picture(folder_ / "z.psd", folder_ / "z.png");
    QVERIFY(values_of(folder_ / "z.png") == values_of(folder_ / "plain.png"));
    QVERIFY(!refusal([&] { open_picture(folder_ / "z.psd", {.page = 2}); }).empty());
  }

  void inks() {
    const File file{cmyk, 8, 4};
    const auto picture = opened(file.bytes(rows(8)));
    QVERIFY(warns_of(*picture, "psd.cmyk_without_profile"));
    compare(*picture, 3, 0.002,
            [](int x, int y, int c) { return code(x, y, c) * code(x, y, 3) / 255.0 / 255.0; });
    const File clear{cmyk, 8, 5, false, true, "", of_photoshop(), layers_of(-1)};
    compare(*opened(clear.bytes(rows(8, 4))), 4, 0.03, [](int x, int y, int c) {
      return c == 3 ? opacity_at(x) : code(x, y, c) * code(x, y, 3) / 255.0 / 255.0;
    });
    QVERIFY(warns_of(*opened(File{multichannel, 8, 5}.bytes(rows(8))), "psd.multichannel"));
    QVERIFY(refused(File{lab, 8, 3}.bytes(rows(8))).find("Lab") != std::string::npos);
  }

  // They are sound, but not read, and that is said.
  void other_kinds() {
    std::vector<std::string> files;
    for (const int mode : {5, 6, 10}) files.push_back(File{mode}.bytes(rows(8)));
    files.push_back(File{rgb, 24}.bytes(rows(8)));
    for (const int compression : {2, 3}) {
      File file;
      file.compression = compression;
      files.push_back(file.bytes(rows(8)));
    }
    for (const std::string& bytes : files) {
      const std::string why = refused(bytes);
      QVERIFY2(why.find("of a kind that cannot be read") != std::string::npos, why.c_str());
    }
  }

  void damaged() {
    for (const bool runs : {false, true}) {
      const std::string whole =
          File{rgb, 8, 4, false, runs, "", of_photoshop(), layers_of(-1)}.bytes(rows(8, 3));
      QVERIFY(refused(whole).empty());
      for (std::size_t size = 0; size < whole.size(); ++size) {
        QVERIFY2(!refused(whole.substr(0, size)).empty(), qPrintable(QString::number(size)));
      }
      for (const std::uint64_t many : {0u, 300000u, 1000000000u, 0xffffffffu}) {
        std::string bytes = whole;
        bytes.replace(14, 4, big(many, 4));
        QVERIFY(!refused(bytes).empty());
        bytes = whole;
        bytes.replace(18, 4, big(many, 4));
        QVERIFY(!refused(bytes).empty());
      }
    }
    // Another version, of which nothing is known.
    std::string other = File{}.bytes(rows(8));
    other[5] = '\3';
    QVERIFY(refused(other).find("its version has the number 3") != std::string::npos);
    QVERIFY(refused("8BPS").find("header is cut short") != std::string::npos);
    // A row that does not fill its length.
    std::string bytes = File{gray, 8, 1, false, true}.bytes(rows(8));
    bytes[26 + 3 * 4 + 2 + 2 * height] = '\x81';
    QVERIFY(!refused(bytes).empty());
  }
};

QTEST_GUILESS_MAIN(TestIoPsdPictures)
#include "test_io_psd_pictures.moc"
