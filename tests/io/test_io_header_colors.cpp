// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Colours that the headers of BMP, TIFF, JPEG 2000 and GIF state.
#include <QTest>
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "io/colored_files.hpp"
#include "io/property_inputs.hpp"
#include "support/skips.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

double tag_of(const std::filesystem::path& file, const char* tag, int at = 0) {
  const QString text = QString::fromUtf8(output_of("exiftool", {"-s3", "-n", tag, text_of(file)}));
  return text.section(' ', at, at).toDouble();
}

bool near(double a, double b, double tolerance) {
  return std::abs(a - b) <= tolerance;
}

}  // namespace

class TestIoHeaderColors : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    if (QStandardPaths::findExecutable("exiftool").isEmpty()) SKIP_WITHOUT("exiftool");
  }

  void bmp_says_what_it_cannot() {
    if (QStandardPaths::findExecutable("convert").isEmpty()) SKIP_WITHOUT("convert");
    const Folder folder;
    const auto a = folder / "a.bmp", b = folder / "b.bmp";
    make_png(folder / "a.png", small(4, OIIO::TypeDesc::UINT8), {});
    output_of("convert", {text_of(folder / "a.png"), text_of(a)});
    const std::string plain = with_end_points(content(a), 1.8);
    const auto with = [&](std::initializer_list<std::pair<std::size_t, std::string>> fields) {
      std::string out = plain;
      for (const auto& [at, bytes] : fields) out.replace(14 + at, 4, bytes);
      return out;
    };
    const std::string far("\xff\xff\xff\x7f", 4), some("\0\2\0\0", 4), none(4, '\0');
    const auto profile = [&](const std::string& at, const std::string& size) {
      return with({{56, "DEBM"}, {112, at}, {116, size}});
    };
    using Case = std::pair<std::string, std::string>;
    for (const auto& [bytes, id] :
         {Case{profile(far, some), "profile.damaged"}, Case{profile(some, far), "profile.damaged"},
          Case{profile(some, none), "profile.damaged"},
          Case{with({{56, "KNIL"}}), "profile.elsewhere"},
          Case{with({{96, std::string("\0\0\1\0", 4)}}), "colors.unequal_curves"}}) {
      put(b, bytes);
      const auto said = open_picture(b)->info().warnings;
      QCOMPARE(said.size(), 1u);
      QCOMPARE(said[0].id, id);
    }
  }

  // A profile counts where all of it is there, whatever the header says of its length.
  void cut_profiles_of_bmp() {
    if (QStandardPaths::findExecutable("convert").isEmpty()) SKIP_WITHOUT("convert");
    const Folder folder;
    const auto a = folder / "a.bmp", b = folder / "b.bmp";
    make_png(folder / "a.png", small(4, OIIO::TypeDesc::UINT8), {});
    output_of("convert", {text_of(folder / "a.png"), text_of(a)});
    const std::vector<unsigned char> profile = gamma_profile();
    std::string bytes = content(a);
    const auto number = [](std::size_t value) {
      return TiffWriter::number(static_cast<std::uint32_t>(value), 4);
    };
    bytes.replace(14 + 56, 4, "DEBM");
    bytes.replace(14 + 112, 4, number(bytes.size() - 14));
    bytes.replace(14 + 116, 4, number(profile.size()));
    bytes.append(profile.begin(), profile.end());
    put(b, bytes);
    QVERIFY(open_picture(b)->info().icc_profile == profile);
    put(b, bytes.substr(0, bytes.size() - 10));
    QVERIFY(open_picture(b)->info().icc_profile.empty());
    QCOMPARE(open_picture(b)->info().warnings.at(0).id, std::string("profile.damaged"));
  }

  // Few writers state primaries: most big-endian files have none of these tags.
  void big_endian_files_without_colours() {
    for (const int counts_from : {0, 1}) {  // white, black
      struct Entry {
        std::uint16_t tag, type;
        std::uint32_t value;
      };
      const std::vector<Entry> entries = {{256, 3, 3},
                                          {257, 3, 2},
                                          {258, 3, 16},
                                          {259, 3, 1},
                                          {262, 3, static_cast<std::uint32_t>(counts_from)},
                                          {273, 4, 8 + 2 + 9 * 12 + 4},
                                          {277, 3, 1},
                                          {278, 3, 2},
                                          {279, 4, 12}};
      std::string bytes("MM\0*\0\0\0\x08\0\x09", 10);
      for (const auto& [tag, type, value] : entries) {
        bytes += big_endian_bytes(tag, 2) + big_endian_bytes(type, 2) + big_endian_bytes(1, 4);
        bytes += type == 3 ? big_endian_bytes(value, 2) + std::string(2, '\0')
                           : big_endian_bytes(value, 4);
      }
      bytes += std::string(4, '\0');
      const std::vector<std::uint16_t> codes = {0, 1, 258, 32768, 65534, 65535};
      for (const std::uint16_t code : codes) bytes += big_endian_bytes(code, 2);
      const Folder folder;
      put(folder / "b.tif", bytes);
      const auto picture = open_picture(folder / "b.tif");
      QCOMPARE(picture->info().warnings.size(), std::size_t{0});
      const HeldPicture all = read_all(*picture);
      QCOMPARE(all.bytes.size(), sizeof(std::uint16_t) * codes.size());
      for (std::size_t i = 0; i < codes.size(); ++i) {
        std::uint16_t read = 0;
        std::memcpy(&read, all.bytes.data() + 2 * i, sizeof read);
        QCOMPARE(int{read}, counts_from == 0 ? 65535 - codes[i] : codes[i]);
      }
    }
  }

  void tags_in_every_order_data() {
    QTest::addColumn<QStringList>("how");
    QTest::addColumn<QString>("format");
    QTest::newRow("little-endian") << QStringList{"-endian", "LSB"} << "TIFF:";
    QTest::newRow("big-endian") << QStringList{"-endian", "MSB"} << "TIFF:";
    QTest::newRow("BigTIFF") << QStringList{} << "TIFF64:";
    const QStringList floats = {"-depth", "32", "-define", "quantum:format=floating-point"};
    QTest::newRow("floats") << floats << "TIFF:";
  }

  void tags_in_every_order() {
    QFETCH(const QStringList, how);
    QFETCH(const QString, format);
    if (QStandardPaths::findExecutable("convert").isEmpty()) SKIP_WITHOUT("convert");
    const Folder folder;
    const auto a = folder / "a.tif";
    make_png(folder / "a.png", small(3, OIIO::TypeDesc::UINT8), {});
    const auto make = [&](const char* green) {
      const QStringList colors = {"-white-point",   "0.3127,0.329", "-red-primary",  "0.64,0.33",
                                  "-green-primary", green,          "-blue-primary", "0.15,0.06"};
      output_of("convert", QStringList{text_of(folder / "a.png")} + colors + how +
                               QStringList{format + text_of(a)});
    };
    make("0.3,0.6");
    QVERIFY(open_picture(a)->info().icc_profile.empty());
    make("0.21,0.71");
    copy_picture(a, folder / "b.png");
    QVERIFY(near(tag_of(folder / "b.png", "-RedMatrixColumn"), 0.6097, 2e-3));
  }

  void tags_of_tiff_data() {
    QTest::addColumn<double>("gamma");  // 0: no table
    QTest::addColumn<int>("tables");
    QTest::addColumn<int>("channels");
    for (const int channels : {1, 3}) {
      for (const int tables : {1, 3}) {
        if (tables > channels) continue;
        for (const double gamma : {1.0, 1.8, 2.2}) {
          QTest::addRow("%d channels, %d tables, %g", channels, tables, gamma)
              << gamma << tables << channels;
        }
      }
      QTest::addRow("%d channels, no table", channels) << 0.0 << 0 << channels;
    }
  }

  void tags_of_tiff() {
    QFETCH(const double, gamma);
    QFETCH(const int, tables);
    QFETCH(const int, channels);
    const Folder folder;
    const std::string data(static_cast<std::size_t>(4 * channels), 'x');
    const auto photometric = channels == 1 ? 1 : 2;
    const auto make = [&](bool primaries, bool other_curve) {
      TiffWriter tags;
      std::vector<std::uint32_t> table;
      for (int i = 0; i < 256 * tables; ++i) {
        table.push_back(
            static_cast<std::uint32_t>(std::lround(65535 * std::pow(i % 256 / 255.0, gamma))));
      }
      if (other_curve && !table.empty()) table[100] = 0;
      if (!table.empty()) tags.shorts(301, table);
      if (primaries) {
        tags.fractions(318, 5, {0.3127, 0.3290});
        tags.fractions(319, 5, {0.64, 0.33, 0.21, 0.71, 0.15, 0.06});
      }
      put(folder / "a.tif", plain_tiff(2, 2, channels, 8, photometric, 1, data, tags));
      return open_picture(folder / "a.tif");
    };
    for (const bool primaries : {true, false}) {
      const auto in = make(primaries, false);
      QVERIFY(in->info().warnings.empty());
      const Coding coding = in->format().coding;
      QVERIFY(coding == (gamma == 0   ? Coding::srgb()
                         : gamma == 1 ? Coding::linear()
                                      : Coding::power(coding.gamma)));
      if (gamma > 1) QVERIFY(near(static_cast<double>(coding.gamma), gamma, 0.01));
      QCOMPARE(in->info().icc_profile.empty(), channels == 1 || (!primaries && gamma == 0));
      if (!primaries || channels == 1) continue;
      copy_picture(folder / "a.tif", folder / "b.png", {.overwrite = true});
      QVERIFY(near(tag_of(folder / "b.png", "-RedMatrixColumn"), 0.6097, 2e-3));
    }
    const auto in = make(false, true);
    QCOMPARE(in->info().warnings.size(), gamma == 0 ? 0u : 1u);
    if (gamma > 0) QCOMPARE(in->info().warnings[0].id, std::string("colors.other_curve"));
  }

  // Tags that say too much, or nothing that makes sense.
  void damaged_tags_of_tiff() {
    const Folder folder;
    const std::string data(12, 'x');
    for (const int type : {1, 2, 3, 4, 5, 7, 11, 12, 99}) {
      for (const std::uint32_t count : {0u, 1u, 2u, 6u, 256u, 0x7fffffffu, 0xffffffffu}) {
        TiffWriter tags;
        for (const int tag : {301, 318, 319}) tags.add(tag, type, count, std::string(48, '\0'));
        put(folder / "a.tif", plain_tiff(2, 2, 3, 8, 2, 1, data, tags));
        try {
          QVERIFY(open_picture(folder / "a.tif")->info().icc_profile.empty());
        } catch (const FileError&) {
          // OpenImageIO may refuse it.
        }
      }
    }
  }

  void senseless_primaries_of_tiff() {
    const Folder folder;
    for (const double number : {0.0, 0.25, 4000.0}) {
      TiffWriter tags;
      tags.fractions(318, 5, {number, number});
      tags.fractions(319, 5, std::vector<double>(6, number));
      put(folder / "a.tif", plain_tiff(2, 2, 3, 8, 2, 1, std::string(12, 'x'), tags));
      QVERIFY(open_picture(folder / "a.tif")->info().icc_profile.empty());
      copy_picture(folder / "a.tif", folder / "b.png", {.overwrite = true});
    }
  }

  void spaces_of_jpeg2000() {
    const Folder folder;
    make_png(folder / "a.png", small(3, OIIO::TypeDesc::UINT8), {});
    copy_picture(folder / "a.png", folder / "a.jp2");
    const auto in = [&](unsigned space) {
      put(folder / "b.jp2", in_space(content(folder / "a.jp2"), space));
      return open_picture(folder / "b.jp2");
    };
    QVERIFY(in(16)->info().warnings.empty());
    const auto romm = in(21);
    QVERIFY(romm->info().warnings.empty());
    QVERIFY(near(static_cast<double>(romm->format().coding.gamma), 1.8, 0.01));
    copy_picture(folder / "b.jp2", folder / "b.png");
    QVERIFY(near(tag_of(folder / "b.png", "-RedMatrixColumn"), 0.7977, 2e-3));
    for (const unsigned space : {20u, 22u, 99u, 0xffffffffu}) {
      const auto other = in(space);
      QCOMPARE(other->info().warnings.size(), 1u);
      QCOMPARE(other->info().warnings[0].id, std::string("colors.other_space"));
      QVERIFY(other->info().icc_profile.empty());
    }
    for (const unsigned space : {12u, 14u}) {
      QVERIFY(refusal([&] { in(space); }).find("convert it to RGB") != std::string::npos);
    }
  }

  void profiles_of_gif() {
    const Folder folder;
    const std::vector<unsigned char> bytes = gamma_profile();
    const std::string profile(bytes.begin(), bytes.end());
    for (const int frames : {1, 3}) {
      put(folder / "a.gif", with_profile(transparent_gif(frames, "text"), profile));
      put(folder / "b.gif", with_profile(transparent_gif(frames), profile));
      QVERIFY(open_picture(folder / "b.gif")->info().icc_profile == bytes);
      QVERIFY(open_picture(folder / "a.gif")->info().icc_profile == bytes);
    }
    put(folder / "c.gif", with_profile(transparent_gif(), profile.substr(0, 300)));
    const auto cut = open_picture(folder / "c.gif");
    QVERIFY(cut->info().icc_profile.empty());
    QCOMPARE(cut->info().warnings.size(), 1u);
    QCOMPARE(cut->info().warnings[0].id, std::string("profile.damaged"));
  }
};

QTEST_GUILESS_MAIN(TestIoHeaderColors)
#include "test_io_header_colors.moc"
