// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What the headers of Radiance HDR files say (G. Ward, Radiance File Formats).
#include <QTest>
#include <array>
#include <cstdint>
#include <vector>

#include "io/colored_files.hpp"
#include "io/property_inputs.hpp"
#include "support/skips.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

double tag_of(const std::filesystem::path& file, const char* tag) {
  return output_of("exiftool", {"-s3", "-n", tag, text_of(file)}).split(' ')[0].toDouble();
}

bool near(double a, double b, double tolerance) {
  return std::abs(a - b) <= tolerance;
}

// The header's lines.
QStringList lines_of(const std::filesystem::path& file) {
  const std::string bytes = content(file);
  const std::size_t end = bytes.find('\n', bytes.find("\n\n") + 2);
  return QString::fromStdString(bytes.substr(0, end)).split('\n');
}

}  // namespace

class TestIoRadiance : public QObject {
  Q_OBJECT

 private slots:
  void primaries() {
    const Folder folder;
    const auto a = folder / "a.hdr";
    put(a, radiance("PRIMARIES= 0.708 0.292\t0.170 0.797 0.131 0.046 0.3127 0.3290\n"));
    QVERIFY(open_picture(a)->format().coding == Coding::linear());
    QVERIFY(copy_picture(a, folder / "b.exr").writing.empty());
    QVERIFY(near(tag_of(folder / "b.exr", "-Chromaticities"), 0.708, 1e-3));
    copy_picture(a, folder / "b.tif");
    QVERIFY(near(tag_of(folder / "b.tif", "-RedMatrixColumn"), 0.6735, 2e-3));
    copy_picture(folder / "b.exr", folder / "b.hdr");
    QVERIFY(lines_of(folder / "b.hdr")
                .contains("PRIMARIES= 0.708 0.292 0.17 0.797 0.131 0.046 0.3127 0.329"));
    for (const char* line :
         {"", "PRIMARIES=\n", "PRIMARIES=0.7 0.3\n", "PRIMARIES=a b c\n",
          "PRIMARIES=nan 0 0 0 0 0 0 0\n", "PRIMARIES=.64 .33 .3 .6 .15 .06 .3127 .329\n"}) {
      put(a, radiance(line));
      QVERIFY(open_picture(a)->info().icc_profile.empty());
    }
  }

  // Runs of whole pixels, which a pixel of three ones repeats, against the same without runs.
  void old_runs() {
    const Folder folder;
    for (const char* format : {"32-bit_rle_rgbe", "32-bit_rle_xyze"}) {
      for (const int width : {5, 12, 400}) {
        const std::string head = std::string("#?RADIANCE\nFORMAT=") + format + "\n\n-Y 3 +X " +
                                 std::to_string(width) + "\n";
        std::string plain, runs;
        for (int y = 0; y < 3; ++y) {
          const std::string first{static_cast<char>(0x90 + y), 0x40, 0x20, '\x81'},
              other{0x10, static_cast<char>(0x88 + y), 0x30, '\x7f'};
          plain += first;
          for (int x = 1; x < width; ++x) plain += other;
          runs += first + other;
          const int left = width - 2;
          runs += std::string{1, 1, 1, static_cast<char>(left & 0xff)};
          if (left > 255) runs += std::string{1, 1, 1, static_cast<char>(left >> 8)};
        }
        put(folder / "plain.hdr", head + plain);
        put(folder / "runs.hdr", head + runs);
        copy_picture(folder / "plain.hdr", folder / "plain.exr", {.overwrite = true});
        copy_picture(folder / "runs.hdr", folder / "runs.exr", {.overwrite = true});
        const std::vector<float> values = values_of(folder / "runs.exr");
        QVERIFY(values == values_of(folder / "plain.exr"));
        if (head.find("rgbe") != std::string::npos) {
          QCOMPARE(values[0], 0x90 / 128.0f);
          QCOMPARE(values[values.size() - 2], 0x8a / 512.0f);
        }
        // Runs that are too long, have nothing before them, or are not there.
        const std::string longer = std::string{1, 1, 1, '\xff'} + std::string{1, 1, 1, '\xff'};
        for (const std::string& bytes :
             {head + runs.substr(0, runs.size() - 4), head + longer + runs,
              head + runs.substr(0, 8) + longer + runs, head + plain.substr(0, 9), head}) {
          put(folder / "bad.hdr", bytes);
          QVERIFY(!refusal([&] {
                     copy_picture(folder / "bad.hdr", folder / "bad.exr", {.overwrite = true});
                   }).empty());
        }
      }
    }
  }

  // XYZ becomes light with sRGB's primaries, beyond them too: red, green and blue that add up to
  // XYZ by their chromaticities and that of the white (IEC 61966-2-1).
  void xyz() {
    if (QStandardPaths::findExecutable("convert").isEmpty()) SKIP_WITHOUT("convert");
    const Folder folder;
    const std::string pixels("\x80\x40\x20\x81\x30\x40\x50\x80\x10\x80\x20\x7e\x5f\x64\x6d\x81",
                             16);
    const std::vector<std::array<double, 3>> xyz = {
        {1, 0.5, 0.25}, {0.1875, 0.25, 0.3125}, {0.015625, 0.125, 0.03125}, {95, 100, 109}};
    const auto file = [&](const std::string& format, const std::string& lines) {
      std::string out = "#?RADIANCE\n" + lines + "FORMAT=" + format + "\n\n-Y 2 +X 4\n";
      return out + pixels + pixels;
    };
    put(folder / "a.hdr",
        file("32-bit_rle_xyze", "# by hand\nPRIMARIES=.7 .3 .2 .7 .1 .1 .3 .3\n"));
    const auto in = open_picture(folder / "a.hdr");
    QVERIFY(in->info().warnings.empty() && in->info().icc_profile.empty());
    QVERIFY(in->format().coding == Coding::linear());
    copy_picture(folder / "a.hdr", folder / "a.exr");
    const std::vector<float> found = values_of(folder / "a.exr");
    QCOMPARE(found.size(), 24u);
    const auto column = [](double x, double y) {
      return std::array<double, 3>{x / y, 1, (1 - x - y) / y};
    };
    const std::array<std::array<double, 3>, 3> primaries = {column(0.64, 0.33), column(0.3, 0.6),
                                                            column(0.15, 0.06)};
    // Their luminances in white of 0.3127, 0.3290.
    constexpr std::array<double, 3> light = {0.2126390, 0.7151687, 0.0721923};
    for (std::size_t i = 0; i < 8; ++i) {
      const double scale = i % 4 == 3 ? 128 : 1;
      for (std::size_t k = 0; k < 3; ++k) {
        double sum = 0;
        for (std::size_t c = 0; c < 3; ++c) {
          sum += static_cast<double>(found[3 * i + c]) * light[c] * primaries[c][k];
        }
        QVERIFY2(near(sum * scale, xyz[i % 4][k], 1e-4 * scale), QByteArray::number(sum * scale));
      }
    }
    // ImageMagick agrees where nothing is cut off, and rows may be asked for in any order.
    output_of("convert", {text_of(folder / "a.hdr"), "-depth", "16", text_of(folder / "m.png")});
    copy_picture(folder / "a.hdr", folder / "s.png", {.bits = SampleType::u16});
    const std::vector<float> theirs = values_of(folder / "m.png"),
                             ours = values_of(folder / "s.png");
    for (const std::size_t i : {std::size_t{3}, std::size_t{9}}) {
      for (std::size_t c = 0; c < 3; ++c) {
        QVERIFY(near(static_cast<double>(ours[i + c]), static_cast<double>(theirs[i + c]), 0.01));
      }
    }
    put(folder / "b.hdr", file("32-bit_rle_rgbe", ""));
    QVERIFY(near(static_cast<double>(values_of(folder / "b.hdr")[0]), 1, 1e-6));
    put(folder / "c.hdr", file("32-bit_rle_xyze", "").substr(0, 60));
    QVERIFY(!refusal([&] { copy_picture(folder / "c.hdr", folder / "c.exr"); }).empty());
  }

  // The first sample lies where the axes begin. ImageMagick turns the copy as EXIF says.
  void axes_data() {
    QTest::addColumn<QString>("axes");
    for (const char* axes : {"-Y 4 +X 6", "-Y 4 -X 6", "+Y 4 -X 6", "+Y 4 +X 6", "+X 4 -Y 6",
                             "-X 4 -Y 6", "-X 4 +Y 6", "+X 4 +Y 6"}) {
      QTest::newRow(axes) << axes;
    }
  }

  void axes() {
    if (QStandardPaths::findExecutable("convert").isEmpty()) SKIP_WITHOUT("convert");
    QFETCH(const QString, axes);
    const Folder folder;
    std::string file = radiance("", axes.toStdString(), 24);
    file.replace(file.size() - 24 * 4, 4, std::string("\0\0\0\0", 4));
    put(folder / "a.hdr", file);
    copy_picture(folder / "a.hdr", folder / "a.tif", {.bits = SampleType::u8});
    output_of("convert",
              {text_of(folder / "a.tif"), "-auto-orient", "-strip", text_of(folder / "b.png")});
    const OIIO::ImageSpec shown = spec_of(folder / "b.png");
    const bool columns = axes[1] == 'X';
    QCOMPARE(shown.width, columns ? 4 : 6);
    QCOMPARE(shown.height, columns ? 6 : 4);
    const std::vector<float> pixels = values_of(folder / "b.png");
    const auto x = axes.contains("-X") ? shown.width - 1 : 0;
    const auto y = axes.contains("+Y") ? shown.height - 1 : 0;
    const auto darkest = std::min_element(pixels.begin(), pixels.end()) - pixels.begin();
    QCOMPARE(darkest / shown.nchannels, std::ptrdiff_t{y} * shown.width + x);

    // In another such file it lies in the same way.
    QVERIFY(copy_picture(folder / "a.hdr", folder / "c.hdr").writing.empty());
    QCOMPARE(lines_of(folder / "c.hdr").back(), axes);
    QCOMPARE(values_of(folder / "c.hdr"), values_of(folder / "a.hdr"));
    // No other program expects that of a file in another format.
    const Said said = copy_picture(folder / "a.tif", folder / "d.hdr");
    QCOMPARE(lines_of(folder / "d.hdr").back().left(2), "-Y");
    const bool turned = axes != "-Y 4 +X 6";
    const bool told = std::any_of(said.writing.begin(), said.writing.end(),
                                  [](const Message& m) { return m.id == "format.no_orientation"; });
    QCOMPARE(told, turned);
  }

  // All that is in it, with and without metadata.
  void kept_lines() {
    const Folder folder;
    put(folder / "a.hdr", radiance("# by hand\nEXPOSURE=2\nEXPOSURE=.5e1\nCOLORCORR= 1 2 1\n"
                                   "PIXASPECT= 2\nSOFTWARE= pinhole 3\nVIEW= -vtv -vh 40\n"
                                   "CAPDATE= 2020:01:02 03:04:05\nGMT= 2020:01:02 02:04:05\n"));
    QVERIFY(copy_picture(folder / "a.hdr", folder / "b.hdr").writing.empty());
    QCOMPARE(lines_of(folder / "b.hdr"),
             QStringList({"#?RADIANCE", "EXPOSURE=2", "EXPOSURE=.5e1", "COLORCORR= 1 2 1",
                          "PIXASPECT= 2", "SOFTWARE= pinhole 3", "CAPDATE= 2020:01:02 03:04:05",
                          "# by hand", "VIEW= -vtv -vh 40", "GMT= 2020:01:02 02:04:05",
                          "FORMAT=32-bit_rle_rgbe", "", "-Y 4 +X 4"}));
    QVERIFY(
        copy_picture(folder / "a.hdr", folder / "c.hdr", {.keep_metadata = false}).writing.empty());
    QCOMPARE(lines_of(folder / "c.hdr"),
             QStringList({"#?RADIANCE", "EXPOSURE=2", "EXPOSURE=.5e1", "COLORCORR= 1 2 1",
                          "PIXASPECT= 2", "FORMAT=32-bit_rle_rgbe", "", "-Y 4 +X 4"}));
    const Said said = copy_picture(folder / "a.hdr", folder / "d.exr", {.keep_metadata = false});
    QCOMPARE(in_english(said.writing.at(0)).substr(in_english(said.writing.at(0)).find("left")),
             "left out, since OpenEXR cannot hold it: the exposure that the header states");
  }

  // Radiance's usual primaries are not sRGB's: those must be stated, without metadata, too.
  void primaries_are_no_metadata() {
    const Folder folder;
    const std::string said = "PRIMARIES= 0.64 0.33 0.3 0.6 0.15 0.06 0.3127 0.329";
    put(folder / "a.hdr", radiance(said + "\n# a comment\n"));
    QVERIFY(
        copy_picture(folder / "a.hdr", folder / "b.hdr", {.keep_metadata = false}).writing.empty());
    QCOMPARE(lines_of(folder / "b.hdr").at(1), QString::fromStdString(said));
    QVERIFY(!lines_of(folder / "b.hdr").contains("# a comment"));
    copy_picture(folder / "a.hdr", folder / "b.exr", {.keep_metadata = false});
    QVERIFY(near(tag_of(folder / "b.exr", "-Chromaticities"), 0.64, 1e-6));
  }

  // Pixels twice as high as wide, as OpenEXR counts: their width by their height.
  void aspect() {
    const Folder folder;
    put(folder / "a.hdr", radiance("PIXASPECT=4\nPIXASPECT=.5\n"));
    copy_picture(folder / "a.hdr", folder / "a.exr");
    QVERIFY(near(tag_of(folder / "a.exr", "-PixelAspectRatio"), 0.5, 1e-6));
    copy_picture(folder / "a.exr", folder / "b.hdr");
    QVERIFY(lines_of(folder / "b.hdr").contains("PIXASPECT= 2"));
  }

  void date_of_a_photo() {
    const Folder folder;
    make_file(folder / "plain.jpg", {OIIO::ImageSpec(8, 8, 3, OIIO::TypeDesc::UINT8)});
    output_of("exiftool", {"-q", "-overwrite_original", "-ModifyDate=2024:01:02 03:04:05",
                           "-DateTimeOriginal=2020:01:02 03:04:05", "-Software=pinhole",
                           text_of(folder / "plain.jpg")});
    copy_picture(folder / "plain.jpg", folder / "a.hdr");
    QVERIFY(lines_of(folder / "a.hdr").contains("CAPDATE= 2020:01:02 03:04:05"));
    QVERIFY(lines_of(folder / "a.hdr").contains("SOFTWARE= pinhole"));
  }

  void odd_headers_data() {
    QTest::addColumn<std::string>("lines");
    QTest::newRow("no numbers") << std::string("EXPOSURE=\nPIXASPECT=\nGAMMA=1\nCOLORCORR=\n");
    QTest::newRow("no date") << std::string("CAPDATE= yesterday\n");
    QTest::newRow("zero") << std::string("PIXASPECT=0\n");
    QTest::newRow("infinite") << std::string("PIXASPECT=inf\n");
    QTest::newRow("no sign") << std::string("EXPOSURE 3\noconv a b\n");
  }

  void odd_headers() {
    QFETCH(const std::string, lines);
    const Folder folder;
    put(folder / "a.hdr", radiance(lines));
    const Said said = copy_picture(folder / "a.hdr", folder / "b.hdr");
    QVERIFY(said.reading.empty() && said.writing.empty());
    QCOMPARE(values_of(folder / "b.hdr"), values_of(folder / "a.hdr"));
    copy_picture(folder / "b.hdr", folder / "b.exr");
    QCOMPARE(tag_of(folder / "b.exr", "-PixelAspectRatio"), 1.0);
  }

  void gamma_is_doubted() {
    const Folder folder;
    put(folder / "a.hdr", radiance("GAMMA=2.2\n"));
    const auto in = open_picture(folder / "a.hdr");
    QCOMPARE(in->info().warnings.size(), 1u);
    QCOMPARE(in->info().warnings[0].id, "colors.gamma_of_radiance");
    QVERIFY(in->format().coding == Coding::linear());
  }
};

QTEST_GUILESS_MAIN(TestIoRadiance)
#include "test_io_radiance.moc"
