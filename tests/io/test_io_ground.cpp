// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What is transparent, in files that hold no opacity: laid over a ground.
#include <QTest>
#include <algorithm>

#include "support/files.hpp"

using namespace sfumato;
using namespace sfumato::testing;
using enum SampleType;

class TestIoGround : public QObject {
  Q_OBJECT

 private slots:
  // A disc that fades out, over nothing: where a file holds no opacity, the ground is said, white
  // for what is shown and black for light, and edges are mixed as light.
  void alpha_is_laid_over_a_ground_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<bool>("white");
    for (const char* from : {"png", "exr", "tif"}) {
      for (const char* to : {"jpg", "ppm", "hdr", "pfm"}) {
        const bool white = to[0] == 'j' || to[1] == 'p';
        QTest::addRow("%s to %s", from, to) << from << to << white;
      }
    }
  }

  void alpha_is_laid_over_a_ground() {
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(bool, white);
    const Folder folder;
    const bool exr = from == "exr";
    // Large flat pieces: a JPEG's blocks of 8 by 8 keep them.
    Image image(usual_format(4, exr ? f32 : u8,
                             exr ? AlphaKind::premultiplied : AlphaKind::straight, 64, 32));
    for (int y = 0; y < 32; ++y) {
      for (int x = 0; x < 64; ++x) {
        const float a = static_cast<float>(x / 16) / 3;  // 0, 1/3, 2/3, 1
        const float red = exr ? 0.6f * a : 0.8f, other = exr ? 0.1f * a : 0.2f;
        for (int c = 0; c < 4; ++c) image.set(x, y, c, c == 0 ? red : c == 3 ? a : other);
      }
    }
    const auto a = folder / ("a." + from.toStdString()), b = folder / ("b." + to.toStdString());
    through(a, image);
    const auto warnings = pass_through(a, b, {.quality = 100});
    const auto said = std::find_if(warnings.begin(), warnings.end(), [](const std::string& w) {
      return w.find("transparency") != std::string::npos;
    });
    QVERIFY(said != warnings.end());
    QVERIFY2(said->find(white ? "over white" : "over black") != std::string::npos, said->c_str());
    auto in = open_picture(b);
    QCOMPARE(in->format().channels, 3);
    QCOMPARE(folder.names().size(), 2u);
    Image out(in->format());
    out.bytes = read_all(*in).bytes;
    const double tolerance = to == "pfm" ? 1e-5 : 0.012;  // HDR: 1/256; JPEG: two levels
    for (int x = 4; x < 64; x += 16) {
      const double cover = static_cast<double>(image.get(x, 9, 3));
      for (int c = 0; c < 3; ++c) {
        const double light =
            exr ? static_cast<double>(image.get(x, 9, c))
                : cover * decode(Coding::srgb(), static_cast<double>(image.get(x, 9, c)));
        const double mixed = light + (white ? 1 - cover : 0);
        const double expected = encode(in->format().coding, mixed);
        const double got = static_cast<double>(out.get(x, 9, c));
        QVERIFY2(std::abs(got - expected) < tolerance,
                 qPrintable(QString("%1 %2: %3, not %4").arg(x).arg(c).arg(got).arg(expected)));
      }
    }
  }

  // Gray too; and what is opaque keeps its samples to the bit.
  void opaque_pixels_are_not_touched_by_the_ground() {
    const Folder folder;
    for (const SampleType type : {u8, u16}) {
      for (const int channels : {2, 4}) {
        Image image = scene(usual_format(channels, type, AlphaKind::straight));
        for (int y = 0; y < image.format.height; ++y) {
          for (int x = 0; x < image.format.width; ++x) {
            image.set(x, y, channels - 1, x < 5 ? 0.0f : 1.0f);
          }
        }
        through(folder / "a.png", image, {.overwrite = true});
        pass_through(folder / "a.png", folder / "b.pnm", {.overwrite = true});
        auto in = open_picture(folder / "b.pnm");
        QCOMPARE(in->format().channels, channels - 1);
        QCOMPARE(in->format().type, type);
        Image out(in->format());
        out.bytes = read_all(*in).bytes;
        for (int y = 0; y < image.format.height; ++y) {
          for (int x = 0; x < image.format.width; ++x) {
            for (int c = 0; c < channels - 1; ++c) {
              QCOMPARE(out.get(x, y, c), x < 5 ? 1.0f : image.get(x, y, c));
            }
          }
        }
      }
    }
  }

  // What is laid over a ground is rounded by the writer, which dithers in the engine's stead.
  void a_ground_is_dithered() {
    const Folder folder;
    const PictureFormat f = usual_format(2, f32, AlphaKind::premultiplied, 64, 64);
    const double code = 100.4;  // between two
    Image image(f);
    for (int y = 0; y < f.height; ++y) {
      for (int x = 0; x < f.width; ++x) {
        image.set(x, y, 0, static_cast<float>(decode(Coding::srgb(), code / 255)) - 0.1f);
        image.set(x, y, 1, 0.9f);
      }
    }
    for (const bool dither : {false, true}) {
      const WriteOptions options{.bits = u8, .overwrite = true, .dither = dither};
      auto back = through(folder / "a.pgm", image, options);
      const HeldPicture held = read_all(*back);
      double sum = 0;
      for (const char c : held.bytes) sum += static_cast<unsigned char>(c);
      const double mean = sum / static_cast<double>(held.bytes.size());
      QVERIFY2(std::abs(mean - (dither ? code : 100)) < 0.02, qPrintable(QString::number(mean)));
    }
  }
};

QTEST_GUILESS_MAIN(TestIoGround)
#include "test_io_ground.moc"
