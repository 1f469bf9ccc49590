// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// JPEG 2000, BMP and TGA: what OpenJPEG's own program reads, tiles, quality, names of colours, and
// limits of size.
#include <QProcess>
#include <QStandardPaths>
#include <QTest>
#include <array>

#include "support/files.hpp"
#include "support/skips.hpp"

using namespace sfumato;
using namespace sfumato::testing;
using enum SampleType;

namespace {

PictureFormat format(int channels, SampleType type = u8, int width = 61, int height = 47) {
  return usual_format(channels, type, channels == 4 ? AlphaKind::straight : AlphaKind::none, width,
                      height);
}

// The samples that opj_decompress finds in a file, after the header of a PPM or PGM.
std::string decompressed(const std::filesystem::path& file, const std::filesystem::path& to) {
  QProcess::execute(QStandardPaths::findExecutable("opj_decompress"),
                    {"-quiet", "-i", QString::fromStdString(file.string()), "-o",
                     QString::fromStdString(to.string())});
  return content(to);
}

std::string big_endian_samples(const Image& image) {
  std::string out(image.bytes.begin(), image.bytes.end());
  if (image.format.type != u16) return out;
  for (std::size_t i = 0; i + 1 < out.size(); i += 2) std::swap(out[i], out[i + 1]);
  return out;
}

void make_adobe(const std::filesystem::path& path) {
  OIIO::ImageSpec s(20, 10, 4, OIIO::TypeDesc::HALF);
  const std::array<float, 8> adobe = {0.64f, 0.33f, 0.21f, 0.71f, 0.15f, 0.06f, 0.3127f, 0.3290f};
  s.attribute("chromaticities", OIIO::TypeDesc(OIIO::TypeDesc::FLOAT, 8), adobe.data());
  make_file(path, {s});
}

bool holds(const std::filesystem::path& path, const std::string& bytes) {
  return content(path).find(bytes) != std::string::npos;
}

}  // namespace

class TestIoJpeg2000 : public QObject {
  Q_OBJECT

 private slots:
  // In one tile and in several, at 8 and 16 bits.
  void others_read_the_same_samples() {
    if (QStandardPaths::findExecutable("opj_decompress").isEmpty()) SKIP_WITHOUT("opj_decompress");
    const Folder folder;
    for (const char* name : {"a.jp2", "a.j2k"}) {
      for (const auto& [width, height] : {std::pair{61, 47}, {1100, 1040}, {1, 3}}) {
        for (const SampleType type : {u8, u16}) {
          for (const int channels : {1, 3}) {
            Image image = scene(format(channels, type, width, height));
            const auto back = through(folder / name, image, {.overwrite = true});
            QCOMPARE(back->info().file_format, std::string("jpeg2000"));
            const std::string found =
                decompressed(folder / name, folder / (channels == 1 ? "b.pgm" : "b.ppm"));
            QVERIFY(found.ends_with(big_endian_samples(image)));
          }
        }
      }
    }
  }

  void quality_sets_the_size() {
    const Folder folder;
    Image image = scene(format(3, u8, 200, 150));
    const auto size = [&](int quality) {
      through(folder / "a.jp2", image, {.overwrite = true, .quality = quality});
      return std::filesystem::file_size(folder / "a.jp2");
    };
    QVERIFY(size(20) < size(80));
    QVERIFY(size(80) < size(100));
    QCOMPARE(size(0), size(100));
  }

  // Each tile is as near to the original as the others.
  void lossy_stays_near() {
    const Folder folder;
    Image image(format(3, u8, 1100, 60));
    for (int y = 0; y < 60; ++y) {
      for (int x = 0; x < 1100; ++x) {
        for (int c = 0; c < 3; ++c) image.set(x, y, c, static_cast<float>(x + y + 20 * c) / 1300);
      }
    }
    const auto back = through(folder / "a.jp2", image, {.quality = 90});
    Image copy(back->format());
    copy.bytes = read_all(*back).bytes;
    QVERIFY(largest_difference(image, copy) < 0.06);
  }

  // Gray with opacity becomes RGB: not all readers take two channels.
  void opacity() {
    const Folder folder;
    for (const char* name : {"a.jp2", "a.bmp", "a.tga"}) {
      const PictureFormat two = usual_format(2, u8, AlphaKind::premultiplied);
      const auto out = create_picture(folder / name, {}, two);
      QCOMPARE(out->format().channels, 4);
      QCOMPARE(out->format().alpha, AlphaKind::straight);
      QVERIFY(out->warnings().empty());
      Image image = scene(out->format());
      const auto back = through(folder / name, image, {.overwrite = true});
      QCOMPARE(back->format().alpha, AlphaKind::straight);
      QVERIFY(read_all(*back).bytes == image.bytes);
    }
  }

  // Colours without a name are not called sRGB's: in JP2 these are near to them, in BMP the
  // system's.
  void stripped_profiles() {
    const Folder folder;
    Image image = scene(format(4));
    through(folder / "plain.jp2", image);
    through(folder / "plain.bmp", image);
    QVERIFY(holds(folder / "plain.jp2", std::string("colr\1\0\0\0\0\0\x10", 11)));
    QVERIFY(holds(folder / "plain.bmp", "BGRs"));
    make_adobe(folder / "a.exr");
    for (const char* name : {"a.jp2", "a.bmp", "a.tga", "a.j2k"}) {
      const auto said =
          pass_through(folder / "a.exr", folder / name, {.profile = ProfileChoice::strip});
      const bool told = std::any_of(said.begin(), said.end(), [](const std::string& one) {
        return one.find("colours will look different") != std::string::npos;
      });
      QVERIFY2(told, name);
    }
    QVERIFY(holds(folder / "a.jp2", std::string("colr\1\0\4\0\0\0\x10", 11)));
    QVERIFY(holds(folder / "a.bmp", " niW"));
  }

  void sizes_up_to_their_limits() {
    const Folder folder;
    for (const auto& [name, width, height, word] : {std::tuple("a.tga", 65536, 2, "65535"),
                                                    {"a.tga", 60000, 60000, "4 GB"},
                                                    {"a.bmp", 40000, 40000, "4 GB"}}) {
      const std::string message = refusal([&, n = name, w = width, h = height] {
        create_picture(folder / n, {}, format(3, u8, w, h));
      });
      QVERIFY2(message.find(word) != std::string::npos, message.c_str());
    }
    QVERIFY(folder.names().empty());
  }

  void encoding_can_be_cancelled() {
    const Folder folder;
    Image image = scene(format(3));
    auto out = create_picture(folder / "a.jp2", {.cancelled = [] { return true; }}, image.format);
    const auto write_all = [&] {
      out->write(image.view());
      out->commit();
    };
    QVERIFY_THROWS_EXCEPTION(Cancelled, write_all());
    out.reset();
    QVERIFY(folder.names().empty());
  }
};

QTEST_GUILESS_MAIN(TestIoJpeg2000)
#include "test_io_jpeg2000.moc"
