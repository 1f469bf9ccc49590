// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// HEIF and AVIF: exact where they can be, deep, turned, in full colour, cancelled, and without an
// encoder.
#include <QProcess>
#include <QTest>
#include <array>
#include <cmath>

#include "support/files.hpp"
#include "support/skips.hpp"

using namespace sfumato;
using namespace sfumato::testing;
using enum SampleType;

namespace {

bool encoders_are_there = true;

const std::array<std::string, 2> names = {"a.avif", "a.heic"};

PictureFormat format(int channels, SampleType type = u8) {
  return usual_format(channels, type, channels == 4 ? AlphaKind::straight : AlphaKind::none);
}

// An EXIF orientation's picture as it is shown.
std::vector<float> turned(const std::vector<float>& from, int width, int height, int orientation) {
  const bool across = orientation >= 5;
  const int w = across ? height : width, h = across ? width : height;
  std::vector<float> out;
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) {
      int u = across ? y : x, v = across ? x : y;  // the main diagonal
      if (orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8) {
        u = width - 1 - u;
      }
      if (orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7) {
        v = height - 1 - v;
      }
      for (int c = 0; c < 3; ++c) {
        out.push_back(from[static_cast<std::size_t>((v * width + u) * 3 + c)]);
      }
    }
  }
  return out;
}

std::vector<float> values_in(const std::filesystem::path& path) {
  const auto in = open_picture(path);
  Image image(in->format());
  image.bytes = read_all(*in).bytes;
  std::vector<float> out;
  for (int y = 0; y < image.format.height; ++y) {
    for (int x = 0; x < image.format.width; ++x) {
      for (int c = 0; c < image.format.channels; ++c) out.push_back(image.get(x, y, c));
    }
  }
  return out;
}

}  // namespace

// Stands before libheif's own.
extern "C" __attribute__((visibility("default"))) int heif_have_encoder_for_format(int) {
  return encoders_are_there ? 1 : 0;
}

class TestIoHeif : public QObject {
  Q_OBJECT

 private slots:
  void quality_100_is_lossless() {
    const Folder folder;
    for (const std::string& name : names) {
      for (const int channels : {3, 4}) {
        Image image = scene(format(channels));
        const auto back = through(folder / name, image, {.overwrite = true, .quality = 100});
        QCOMPARE(back->info().file_format, std::string("heif"));
        QCOMPARE(back->format().alpha, image.format.alpha);
        QVERIFY(back->format().coding == Coding::srgb());
        QVERIFY(back->info().warnings.empty());
        QVERIFY2(read_all(*back).bytes == image.bytes, name.c_str());
      }
    }
  }

  void quality_sets_the_size() {
    const Folder folder;
    Image image = scene(usual_format(3, u8, AlphaKind::none, 200, 150));
    for (const std::string& name : names) {
      const auto size = [&](int quality) {
        through(folder / name, image, {.overwrite = true, .quality = quality});
        return std::filesystem::file_size(folder / name);
      };
      QVERIFY(size(20) < size(80));
      QVERIFY(size(80) < size(100));
      QCOMPARE(size(0), size(95));
    }
  }

  void sixteen_bits_become_twelve() {
    const Folder folder;
    for (const std::string& name : names) {
      Image image = scene(format(3, u16));
      auto out = create_picture(folder / name, {.quality = 100}, image.format);
      QCOMPARE(out->warnings().size(), 1u);
      const std::string said = in_english(out->warnings()[0]);
      QVERIFY2(said.find("16-bit") != std::string::npos, said.c_str());
      QVERIFY2(said.find("12-bit") != std::string::npos, said.c_str());
      out->write(image.view());
      out->commit();
      const auto back = open_picture(folder / name);
      QCOMPARE(back->format().type, u16);
      Image copy(back->format());
      copy.bytes = read_all(*back).bytes;
      QVERIFY(largest_difference(image, copy) <= 0.51f / 4095);
      // What has no more bits than that loses none.
      const bool avif = name == "a.avif";
      const std::string again = avif ? "b.avif" : "b.heic";
      QVERIFY(pass_through(folder / name, folder / again, {.quality = 100}).empty());
      QVERIFY(values_in(folder / again) == values_in(folder / name));
    }
  }

  void depth_that_is_asked_for() {
    const Folder folder;
    Image image = scene(format(3));
    const auto out = create_picture(folder / "a.avif", {.bits = u16}, image.format);
    QCOMPARE(out->format().type, u16);
    QCOMPARE(out->warnings().size(), 1u);
    const std::string message =
        refusal([&] { create_picture(folder / "b.avif", {.bits = f32}, image.format); });
    QVERIFY2(message.find("AVIF") != std::string::npos, message.c_str());
  }

  // Columns of red and blue would be purple at half the resolution of colours.
  void colours_are_stored_in_full() {
    const Folder folder;
    Image image(usual_format(3, u8, AlphaKind::none, 64, 48));
    for (int y = 0; y < 48; ++y) {
      for (int x = 0; x < 64; ++x) image.set(x, y, x % 2 == 0 ? 0 : 2, 1.0f);
    }
    for (const std::string& name : names) {
      const auto back = through(folder / name, image);
      Image copy(back->format());
      copy.bytes = read_all(*back).bytes;
      QVERIFY2(largest_difference(image, copy) < 0.1, name.c_str());
    }
  }

  void lossy_avif_keeps_alpha() {
    const Folder folder;
    Image image = scene(format(4));
    const auto back = through(folder / "a.avif", image, {.quality = 60});
    Image copy(back->format());
    copy.bytes = read_all(*back).bytes;
    for (int y = 0; y < image.format.height; ++y) {
      for (int x = 0; x < image.format.width; ++x) {
        QCOMPARE(copy.get(x, y, 3), image.get(x, y, 3));
      }
    }
  }

  void pictures_are_turned() {
    const Folder folder;
    for (int orientation = 1; orientation <= 8; ++orientation) {
      OIIO::ImageSpec s(20, 10, 3, OIIO::TypeDesc::UINT8);
      s.attribute("Orientation", orientation);
      make_file(folder / "a.tif", {s});
      QVERIFY(pass_through(folder / "a.tif", folder / "a.avif", {.overwrite = true, .quality = 100})
                  .empty());
      const auto back = open_picture(folder / "a.avif");
      QCOMPARE(back->info().orientation, 1);
      QCOMPARE(back->format().width, orientation >= 5 ? 10 : 20);
      const auto shown = values_in(folder / "a.avif"),
                 wanted = turned(values_of(folder / "a.tif"), 20, 10, orientation);
      QCOMPARE(shown.size(), wanted.size());
      for (std::size_t i = 0; i < shown.size(); ++i) {
        QVERIFY2(std::abs(shown[i] - wanted[i]) < 1e-3f, std::to_string(orientation).c_str());
      }
    }
  }

  // Colours without a name are not called sRGB's.
  void stripped_profiles() {
    const Folder folder;
    Image image = scene(format(3));
    through(folder / "plain.avif", image);
    QVERIFY(content(folder / "plain.avif").find(std::string("colrnclx\0\1\0\x0d", 12)) !=
            std::string::npos);
    OIIO::ImageSpec s(20, 10, 3, OIIO::TypeDesc::HALF);
    const std::array<float, 8> adobe = {0.64f, 0.33f, 0.21f, 0.71f, 0.15f, 0.06f, 0.3127f, 0.3290f};
    s.attribute("chromaticities", OIIO::TypeDesc(OIIO::TypeDesc::FLOAT, 8), adobe.data());
    make_file(folder / "a.exr", {s});
    const auto said =
        pass_through(folder / "a.exr", folder / "a.heic", {.profile = ProfileChoice::strip});
    QCOMPARE(said.size(), 2u);  // and of the depth
    QVERIFY(content(folder / "a.heic").find(std::string("colrnclx\0\2\0\2", 12)) !=
            std::string::npos);
  }

  void sizes() {
    const Folder folder;
    for (const std::string& name : names) {
      for (const auto& [width, height] : {std::pair{1, 1}, {3, 5}, {65, 2}}) {
        Image image = scene(usual_format(3, u8, AlphaKind::none, width, height));
        const auto back = through(folder / name, image, {.overwrite = true, .quality = 100});
        QVERIFY(read_all(*back).bytes == image.bytes);
      }
      const std::string message = refusal([&] {
        create_picture(folder / ("b" + name), {}, usual_format(3, u8, AlphaKind::none, 32769, 2));
      });
      QVERIFY2(message.find("32768") != std::string::npos, message.c_str());
    }
  }

  // Of a movie's frame: 16 is black in the file, and 235 white.
  void narrow_range_is_spread() {
    const auto text = [](const std::filesystem::path& path) {
      return QString::fromStdString(path.string());
    };
    const Folder folder;
    Image image(format(3));
    const PictureFormat& f = image.format;
    for (int y = 0; y < f.height; ++y) {
      for (int x = 0; x < f.width; ++x) {
        for (int c = 0; c < 3; ++c) image.set(x, y, c, y < f.height / 2 ? 0.0f : 1.0f);
      }
    }
    through(folder / "a.png", image);
    const QString file = text(folder / "a.avif");
    QProcess process;
    process.start("ffmpeg", {"-v",
                             "error",
                             "-i",
                             text(folder / "a.png"),
                             "-vf",
                             "scale=out_range=tv:out_color_matrix=bt709,format=yuv444p",
                             "-c:v",
                             "libaom-av1",
                             "-still-picture",
                             "1",
                             "-crf",
                             "8",
                             "-cpu-used",
                             "6",
                             "-color_range",
                             "tv",
                             "-colorspace",
                             "bt709",
                             "-color_primaries",
                             "bt709",
                             "-color_trc",
                             "iec61966-2-1",
                             file});
    if (!process.waitForFinished(60000) || process.exitCode() != 0) SKIP_WITHOUT("ffmpeg's AVIF");
    const std::string bytes = content(folder / "a.avif");
    const std::size_t box = bytes.find("colrnclx");
    QVERIFY(box != std::string::npos);
    QCOMPARE(static_cast<int>(bytes.at(box + 14)), 0);  // not the full range
    const std::vector<float> found = values_in(folder / "a.avif");
    QVERIFY(found.front() < 0.02f);
    QVERIFY(found.back() > 0.98f);
    QVERIFY(open_picture(folder / "a.avif")->info().warnings.empty());
  }

  void encoding_can_be_cancelled() {
    const Folder folder;
    Image image = scene(usual_format(3, u8, AlphaKind::none, 600, 400));
    for (const std::string& name : names) {
      auto out = create_picture(folder / name, {.cancelled = [] { return true; }}, image.format);
      out->write(image.view());
      QVERIFY_THROWS_EXCEPTION(Cancelled, out->commit());
      out.reset();
      QVERIFY(folder.names().empty());
    }
  }

  void a_missing_encoder_is_named() {
    const Folder folder;
    encoders_are_there = false;
    for (const auto& [name, package] :
         {std::pair("a.avif", "libheif-plugin-aomenc"), {"a.heif", "libheif-plugin-x265"}}) {
      const auto file = folder / name;
      const std::string message = refusal([&] { create_picture(file, {}, format(3)); });
      QVERIFY2(message.find(package) != std::string::npos, message.c_str());
      QVERIFY2(message.find(name) != std::string::npos, message.c_str());
    }
    encoders_are_there = true;
    QVERIFY(folder.names().empty());
  }
};

QTEST_GUILESS_MAIN(TestIoHeif)
#include "test_io_heif.moc"
