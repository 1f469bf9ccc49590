// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Colours that files declare by numbers: what pixels are taken for, and what is written of it.
#include <QTest>

#include "io/colored_files.hpp"
#include "io/property_inputs.hpp"
#include "support/skips.hpp"

using namespace sfumato;
using namespace sfumato::testing;
using enum SampleType;

namespace {

// SMPTE ST 2084 and ARIB STD-B67, as light in which 203 cd/m2, or a signal of 0.75, is 1.
double light_of_pq(double code) {
  const double m1 = 0.1593017578125, m2 = 78.84375, c1 = 0.8359375, c2 = 18.8515625, c3 = 18.6875;
  const double root = std::pow(code, 1 / m2);
  return 10000 / 203.0 * std::pow(std::max(0.0, root - c1) / (c2 - c3 * root), 1 / m1);
}

double scene_of_hlg(double code) {
  const double a = 0.17883277, b = 0.28466892, c = 0.55991073;
  return code <= 0.5 ? code * code / 3 : (std::exp((code - c) / a) + b) / 12;
}

double light_of_hlg(double code) {
  return scene_of_hlg(code) / scene_of_hlg(0.75);
}

std::string cicp_chunk(char primaries, char transfer, char full_range = 1) {
  return chunk("cICP", std::string{primaries, transfer, '\0', full_range});
}

std::vector<float> floats_of(InputPicture& in) {
  const HeldPicture held = read_all(in);
  std::vector<float> out(held.bytes.size() / sizeof(float));
  std::memcpy(out.data(), held.bytes.data(), held.bytes.size());
  return out;
}

double tag_of(const std::filesystem::path& file, const char* tag, int at = 0) {
  const QString text = QString::fromUtf8(output_of("exiftool", {"-s3", "-n", tag, text_of(file)}));
  return text.section(' ', at, at).toDouble();
}

bool near(double a, double b, double tolerance) {
  return std::abs(a - b) <= tolerance;
}

}  // namespace

class TestIoDeclaredColors : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    if (QStandardPaths::findExecutable("exiftool").isEmpty()) SKIP_WITHOUT("exiftool");
  }

  void hdr_is_light_data() {
    QTest::addColumn<int>("transfer");
    QTest::addColumn<int>("channels");
    QTest::addColumn<bool>("sixteen");
    for (const int transfer : {16, 18}) {
      for (const int channels : {1, 3, 4}) {
        for (const bool sixteen : {false, true}) {
          QTest::addRow("%s, %d channels, %d bits", transfer == 16 ? "PQ" : "HLG", channels,
                        sixteen ? 16 : 8)
              << transfer << channels << sixteen;
        }
      }
    }
  }

  // Linear light by its own curve, and the same codes again where nothing was changed.
  void hdr_is_light() {
    QFETCH(const int, transfer);
    QFETCH(const int, channels);
    QFETCH(const bool, sixteen);
    const Folder folder;
    const auto a = folder / "a.png", b = folder / "b.png";
    make_png(a, small(channels, sixteen ? OIIO::TypeDesc::UINT16 : OIIO::TypeDesc::UINT8),
             cicp_chunk(9, static_cast<char>(transfer)));
    const std::vector<float> codes = values_of(a);
    const auto in = open_picture(a);
    QVERIFY(in->format().coding == Coding::linear());
    const std::vector<float> light = floats_of(*in);
    QCOMPARE(light.size(), codes.size());
    for (std::size_t i = 0; i < codes.size(); ++i) {
      const auto code = static_cast<double>(codes[i]);
      const double want = channels == 4 && i % 4 == 3 ? code
                          : transfer == 16            ? light_of_pq(code)
                                                      : light_of_hlg(code);
      QVERIFY(near(static_cast<double>(light[i]), want, 1e-5 + want * 1e-4));
    }
    const Said said = copy_picture(a, b);
    QVERIFY(said.reading.empty() && said.writing.empty());
    QVERIFY(values_of(b) == codes);
    QCOMPARE(chunk_of(content(b), "cICP"), chunk_of(content(a), "cICP"));
    QVERIFY(chunk_of(content(b), "sRGB").empty());
    if (channels == 1) {  // no profile names such gray
      QCOMPARE(copy_picture(a, folder / "c.tif").writing.size(), 1u);
      return;
    }
    // Its profile says the same, and is read so.
    copy_picture(a, folder / "c.tif");
    QVERIFY(values_of(folder / "c.tif") == codes);
    copy_picture(folder / "c.tif", folder / "d.png");
    QVERIFY(values_of(folder / "d.png") == codes);
    QCOMPARE(chunk_of(content(folder / "d.png"), "cICP"), chunk_of(content(a), "cICP"));
  }

  // A filter works in that light: the mean of two codes is that of their light.
  void hdr_is_filtered_in_light() {
    const Folder folder;
    make_png(folder / "a.png", small(3, OIIO::TypeDesc::UINT16), cicp_chunk(9, 16));
    const auto halve = [](std::vector<char>& bytes) {
      for (std::size_t i = 0; i + sizeof(float) <= bytes.size(); i += sizeof(float)) {
        float value = 0;
        std::memcpy(&value, bytes.data() + i, sizeof value);
        value /= 2;
        std::memcpy(bytes.data() + i, &value, sizeof value);
      }
    };
    copy_picture(folder / "a.png", folder / "b.png", {}, {}, halve);
    const std::vector<float> before = values_of(folder / "a.png"),
                             after = values_of(folder / "b.png");
    for (std::size_t i = 0; i < before.size(); ++i) {
      const double want = light_of_pq(static_cast<double>(before[i])) / 2;
      QVERIFY(near(light_of_pq(static_cast<double>(after[i])), want, 1e-4 + want * 1e-3));
    }
  }

  void hdr_elsewhere() {
    const Folder folder;
    make_png(folder / "a.png", small(3, OIIO::TypeDesc::UINT16), cicp_chunk(9, 16));
    QVERIFY(copy_picture(folder / "a.png", folder / "b.exr").writing.empty());
    QVERIFY(near(tag_of(folder / "b.exr", "-WhiteLuminance"), 203, 1e-3));
    QVERIFY(near(tag_of(folder / "b.exr", "-Chromaticities"), 0.708, 1e-3));
    const std::vector<float> codes = values_of(folder / "a.png"),
                             light = values_of(folder / "b.exr");
    for (std::size_t i = 0; i < codes.size(); ++i) {
      const double want = light_of_pq(static_cast<double>(codes[i]));
      QVERIFY(near(static_cast<double>(light[i]), want, 1e-5 + want * 1e-4));
    }
    // Without a profile nothing could say which curve it is.
    for (const WriteOptions& options : {WriteOptions{.profile = ProfileChoice::strip},
                                        WriteOptions{.profile = ProfileChoice::srgb}}) {
      WriteOptions again = options;
      again.overwrite = true;
      const Said said = copy_picture(folder / "a.png", folder / "c.png", again);
      QVERIFY(std::any_of(said.writing.begin(), said.writing.end(),
                          [](const Message& m) { return m.id == "format.hdr_cut"; }));
      QVERIFY(chunk_of(content(folder / "c.png"), "cICP").empty());
    }
  }

  // What is laid over white in JPEG is as bright as white paper.
  void hdr_over_white() {
    const Folder folder;
    OIIO::ImageSpec s = small(4, OIIO::TypeDesc::UINT8);
    make_png(folder / "a.png", s, cicp_chunk(9, 16));
    Image clear({24, 18, 4, u8, AlphaKind::straight, Coding::srgb()});
    through(folder / "clear.png", clear);
    put(folder / "b.png",
        with_chunks(without_chunks(content(folder / "clear.png"), "sRGB gAMA cHRM"),
                    cicp_chunk(9, 16)));
    copy_picture(folder / "b.png", folder / "c.jpg", {.quality = 100});
    const std::vector<float> codes = values_of(folder / "c.jpg");
    QVERIFY(near(light_of_pq(static_cast<double>(codes[0])), 1, 0.05));
  }

  void numbers_become_profiles_data() {
    QTest::addColumn<int>("primaries");
    QTest::addColumn<int>("transfer");
    QTest::addColumn<double>("red");    // X of red, adapted to D50
    QTest::addColumn<double>("gamma");  // 0 for sRGB's curve
    QTest::newRow("Display P3") << 12 << 13 << 0.5151 << 0.0;
    QTest::newRow("BT.2020 like a display") << 9 << 14 << 0.6735 << 0.0;
    QTest::newRow("BT.2020, linear") << 9 << 8 << 0.6735 << 1.0;
    QTest::newRow("gamma 2.2") << 1 << 4 << 0.4361 << 2.2;
  }

  void numbers_become_profiles() {
    QFETCH(const int, primaries);
    QFETCH(const int, transfer);
    QFETCH(const double, red);
    QFETCH(const double, gamma);
    const Folder folder;
    make_png(folder / "a.png", small(3, OIIO::TypeDesc::UINT8),
             cicp_chunk(static_cast<char>(primaries), static_cast<char>(transfer)));
    const Coding coding = open_picture(folder / "a.png")->format().coding;
    QVERIFY(coding == Coding::srgb() || gamma > 0);
    if (gamma == 1) QVERIFY(coding == Coding::linear());
    if (gamma > 1) QVERIFY(near(static_cast<double>(coding.gamma), gamma, 0.01));
    for (const char* to : {"b.png", "b.jpg", "b.tif", "b.webp"}) {
      QVERIFY(copy_picture(folder / "a.png", folder / to).writing.empty());
      QVERIFY2(near(tag_of(folder / to, "-RedMatrixColumn"), red, 2e-3), to);
      QVERIFY2(open_picture(folder / to)->format().coding == coding, to);
    }
    QVERIFY(values_of(folder / "b.png") == values_of(folder / "a.png"));
    QVERIFY(chunk_of(content(folder / "b.png"), "sRGB").empty());
  }

  void narrow_range_is_spread_data() {
    QTest::addColumn<bool>("sixteen");
    QTest::addColumn<int>("transfer");
    QTest::addColumn<int>("channels");
    for (const bool sixteen : {false, true}) {
      for (const int transfer : {13, 16}) {
        for (const int channels : {3, 4}) {
          QTest::addRow("%d bits, %d channels, %d", sixteen ? 16 : 8, channels, transfer)
              << sixteen << transfer << channels;
        }
      }
    }
  }

  // 16 is black, 235 white, as ImageMagick spreads the levels between them.
  void narrow_range_is_spread() {
    QFETCH(const bool, sixteen);
    QFETCH(const int, transfer);
    QFETCH(const int, channels);
    if (QStandardPaths::findExecutable("convert").isEmpty()) SKIP_WITHOUT("convert");
    const Folder folder;
    make_png(folder / "a.png",
             small(channels, sixteen ? OIIO::TypeDesc::UINT16 : OIIO::TypeDesc::UINT8),
             cicp_chunk(1, static_cast<char>(transfer), 0));
    const Said said = copy_picture(folder / "a.png", folder / "b.png");
    QCOMPARE(said.reading.size(), 1u);
    QCOMPARE(said.reading[0].id, std::string("file.narrow_range"));
    output_of("convert", {text_of(folder / "a.png"), "-channel", "RGB", "-level",
                          sixteen ? "4096,60160" : "4112,60395", text_of(folder / "want.png")});
    const std::vector<float> want = values_of(folder / "want.png"),
                             got = values_of(folder / "b.png");
    QCOMPARE(got.size(), want.size());
    // It cuts off what a code is more than a whole number.
    const double most = 1.01 / (sixteen ? 65535 : 255);
    for (std::size_t i = 0; i < want.size(); ++i) {
      QVERIFY(near(static_cast<double>(got[i]), static_cast<double>(want[i]), most));
    }
    const std::string numbers = chunk_of(content(folder / "b.png"), "cICP");
    if (transfer == 16) QCOMPARE(numbers, std::string("\1\x10\0\1", 4));
    if (transfer == 13) QVERIFY(numbers.empty());
    QVERIFY(open_picture(folder / "b.png")->info().warnings.empty());
  }

  void srgb_by_numbers_is_srgb() {
    const Folder folder;
    make_png(folder / "a.png", small(3, OIIO::TypeDesc::UINT8), cicp_chunk(1, 13));
    QVERIFY(open_picture(folder / "a.png")->info().icc_profile.empty());
    copy_picture(folder / "a.png", folder / "b.png");
    QVERIFY(!chunk_of(content(folder / "b.png"), "sRGB").empty());
  }

  // gAMA alone is a curve; with cHRM it is a profile.
  void curves_of_png() {
    const Folder folder;
    const std::string gama = chunk("gAMA", big_endian_bytes(55556, 4));
    make_png(folder / "a.png", small(3, OIIO::TypeDesc::UINT8), gama);
    QVERIFY(near(static_cast<double>(open_picture(folder / "a.png")->format().coding.gamma), 1.8,
                 0.01));
    std::string numbers;
    for (const std::uint64_t n : {31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000}) {
      numbers += big_endian_bytes(n, 4);
    }
    const std::string chrm = chunk("cHRM", numbers);
    make_png(folder / "b.png", small(3, OIIO::TypeDesc::UINT8), gama + chrm);
    const auto in = open_picture(folder / "b.png");
    QVERIFY(near(static_cast<double>(in->format().coding.gamma), 1.8, 0.01));
    QVERIFY(!in->info().icc_profile.empty());
    // The chunk sRGB counts before both.
    make_png(folder / "c.png", small(3, OIIO::TypeDesc::UINT8),
             chunk("sRGB", std::string(1, '\0')) + gama + chrm);
    QVERIFY(open_picture(folder / "c.png")->info().icc_profile.empty());
    QVERIFY(open_picture(folder / "c.png")->format().coding == Coding::srgb());
  }

  // Who leaves the profile out gets no other label.
  void nothing_is_called_srgb_that_is_not() {
    const Folder folder;
    make_png(folder / "a.png", small(3, OIIO::TypeDesc::UINT8), cicp_chunk(12, 13));
    const Said said =
        copy_picture(folder / "a.png", folder / "b.png", {.profile = ProfileChoice::strip});
    QCOMPARE(said.writing.size(), 1u);
    for (const char* name : {"sRGB", "gAMA", "cHRM", "iCCP", "cICP"}) {
      QVERIFY2(chunk_of(content(folder / "b.png"), name).empty(), name);
    }
  }

  void adobe_rgb_of_cameras_data() {
    QTest::addColumn<QStringList>("tags");
    QTest::addColumn<bool>("adobe");
    QTest::newRow("colour space 2") << QStringList{"-EXIF:ColorSpace=2"} << true;
    QTest::newRow("R03") << QStringList{"-EXIF:ColorSpace=65535", "-EXIF:InteropIndex=R03"} << true;
    QTest::newRow("R98") << QStringList{"-EXIF:ColorSpace=1", "-EXIF:InteropIndex=R98"} << false;
    QTest::newRow("uncalibrated") << QStringList{"-EXIF:ColorSpace=65535"} << false;
  }

  void adobe_rgb_of_cameras() {
    QFETCH(const QStringList, tags);
    QFETCH(const bool, adobe);
    const Folder folder;
    make_file(folder / "a.jpg", {small(3, OIIO::TypeDesc::UINT8)});
    make_png(folder / "a.png", small(3, OIIO::TypeDesc::UINT8), {});
    for (const char* name : {"a.jpg", "a.png"}) {
      output_of("exiftool",
                QStringList{"-q", "-n", "-overwrite_original"} + tags << text_of(folder / name));
      const auto in = open_picture(folder / name);
      QCOMPARE(in->info().icc_profile.empty(), !adobe);
      const bool doubtful = !adobe && tags[0].endsWith("65535");
      QCOMPARE(in->info().warnings.size(), doubtful ? 1u : 0u);
      if (doubtful) QCOMPARE(in->info().warnings[0].id, std::string("colors.uncalibrated"));
      if (!adobe) continue;
      QVERIFY(near(static_cast<double>(in->format().coding.gamma), 2.2, 0.01));
      copy_picture(folder / name, folder / "b.png", {.overwrite = true});
      QVERIFY(near(tag_of(folder / "b.png", "-RedMatrixColumn"), 0.6097, 2e-3));
    }
    // What PNG's own chunks say counts more.
    for (const std::string& chunks :
         {chunk("sRGB", std::string(1, '\0')), chunk("gAMA", big_endian_bytes(45455, 4)),
          cicp_chunk(1, 13)}) {
      put(folder / "c.png", with_chunks(content(folder / "a.png"), chunks));
      QVERIFY(open_picture(folder / "c.png")->info().icc_profile.empty());
      QVERIFY(open_picture(folder / "c.png")->info().warnings.empty());
    }
  }

  // Said of every format that holds EXIF, but not where anything else says what the colours are.
  void uncalibrated_colors() {
    const Folder folder;
    make_png(folder / "a.png", small(3, OIIO::TypeDesc::UINT8), {});
    output_of("heif-enc", {text_of(folder / "a.png"), "-A", "-o", text_of(folder / "a.avif")});
    output_of("convert",
              {text_of(folder / "a.png"), "-compress", "RLE", text_of(folder / "a.psd")});
    for (const char* name : {"a.jpg", "a.tif", "a.webp"}) {
      copy_picture(folder / "a.png", folder / name);
    }
    std::string avif = content(folder / "a.avif");
    QVERIFY(avif.find("colrnclx") != std::string::npos);
    avif.replace(avif.find("colrnclx") + 8, 4, std::string("\0\1\0\x0d", 4));  // sRGB
    put(folder / "a.avif", avif);
    put(folder / "b.avif", avif.replace(avif.find("colrnclx"), 4, "free"));
    OIIO::ImageSpec linear(8, 8, 3, OIIO::TypeDesc::FLOAT);
    make_file(folder / "f.tif", {linear});
    OIIO::ImageSpec profiled = small(3, OIIO::TypeDesc::UINT8);
    const auto profile = gamma_profile();
    profiled.attribute("ICCProfile",
                       OIIO::TypeDesc(OIIO::TypeDesc::UINT8, static_cast<int>(profile.size())),
                       profile.data());
    make_file(folder / "i.jpg", {profiled});
    const std::vector<std::string> doubt = {"colors.uncalibrated"}, none;
    for (const auto& [name, expected] :
         std::map<std::string, std::vector<std::string>>{{"a.jpg", doubt},
                                                         {"a.tif", doubt},
                                                         {"a.webp", doubt},
                                                         {"a.png", doubt},
                                                         {"a.psd", doubt},
                                                         {"b.avif", doubt},
                                                         {"a.avif", none},
                                                         {"f.tif", none},
                                                         {"i.jpg", none}}) {
      output_of("exiftool", {"-q", "-n", "-overwrite_original", "-EXIF:ColorSpace=65535",
                             text_of(folder / name)});
      QCOMPARE(tag_of(folder / name, "-ExifIFD:ColorSpace"), 65535.0);
      const auto in = open_picture(folder / name);
      std::vector<std::string> ids;
      for (const Message& m : in->info().warnings) ids.push_back(m.id);
      QVERIFY2(ids == expected, name.c_str());
      QVERIFY(in->info().icc_profile.empty() == (name != "i.jpg"));
    }
  }

  void end_points_of_bmp() {
    if (QStandardPaths::findExecutable("convert").isEmpty()) SKIP_WITHOUT("convert");
    const Folder folder;
    const auto a = folder / "a.bmp", b = folder / "b.bmp";
    make_png(folder / "a.png", small(4, OIIO::TypeDesc::UINT8), {});
    output_of("convert", {text_of(folder / "a.png"), text_of(a)});
    for (const double gamma : {1.8, 1.0}) {
      put(b, with_end_points(content(a), gamma));
      const auto in = open_picture(b);
      QVERIFY(near(static_cast<double>(in->format().coding.gamma), gamma, 0.01));
      QVERIFY(in->format().coding == Coding::linear() || gamma > 1);
      copy_picture(b, folder / "c.exr", {.overwrite = true});
      QVERIFY(near(tag_of(folder / "c.exr", "-Chromaticities", 2), 0.21, 2e-3));
      QVERIFY(near(tag_of(folder / "c.exr", "-Chromaticities", 6), 0.3127, 2e-3));
    }
    // Headers that say too much.
    std::string bytes = content(a);
    for (std::size_t at = 14 + 56; at < 14 + 124; at += 4) {
      std::string bad = bytes;
      bad.replace(14 + 56, 4, "DEBM");
      bad.replace(at, 4, 4, '\xff');
      put(b, bad);
      QVERIFY(open_picture(b)->info().icc_profile.empty());
    }
  }

  // Gray is a palette in BMP, whose profile would be one for colours.
  void gray_profiles_do_not_go_into_bmp() {
    const Folder folder;
    cmsToneCurve* curve = cmsBuildGamma(nullptr, 1.8);
    const std::vector<unsigned char> profile = saved(cmsCreateGrayProfile(cmsD50_xyY(), curve));
    cmsFreeToneCurve(curve);
    OIIO::ImageSpec s = small(1, OIIO::TypeDesc::UINT8);
    s.attribute("ICCProfile",
                OIIO::TypeDesc(OIIO::TypeDesc::UINT8, static_cast<int>(profile.size())),
                profile.data());
    make_file(folder / "a.tif", {s});
    copy_picture(folder / "a.tif", folder / "b.bmp");
    const auto in = open_picture(folder / "b.bmp");
    QVERIFY(in->info().icc_profile.empty());
    // The same light on another curve.
    const std::vector<float> from = values_of(folder / "a.tif"), to = values_of(folder / "b.bmp");
    for (std::size_t i = 0; i < from.size(); ++i) {
      const double light = std::pow(static_cast<double>(from[i]), 1.8);
      QVERIFY(near(static_cast<double>(to[to.size() / from.size() * i]),
                   encode(Coding::srgb(), light), 0.01));
    }
  }

  // The primaries come back from a profile as they were: white and colours unadapted.
  void primaries_go_through_profiles() {
    const Folder folder;
    OIIO::ImageSpec s = small(3, OIIO::TypeDesc::HALF);
    const std::array<float, 8> aces = {0.713f, 0.293f, 0.165f,   0.830f,
                                       0.128f, 0.044f, 0.32168f, 0.33767f};
    s.attribute("chromaticities", OIIO::TypeDesc(OIIO::TypeDesc::FLOAT, 8), aces.data());
    make_file(folder / "a.exr", {s});
    copy_picture(folder / "a.exr", folder / "b.png");
    copy_picture(folder / "b.png", folder / "c.exr");
    for (int i = 0; i < 8; ++i) {
      QVERIFY(near(tag_of(folder / "c.exr", "-Chromaticities", i),
                   static_cast<double>(aces[static_cast<std::size_t>(i)]), 2e-3));
    }
  }
};

QTEST_GUILESS_MAIN(TestIoDeclaredColors)
#include "test_io_declared_colors.moc"
