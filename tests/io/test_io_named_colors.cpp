// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Colours that files declare by numbers or names, of which some are not known here.
#include <QTest>

#include "io/colored_files.hpp"
#include "io/property_inputs.hpp"
#include "support/skips.hpp"

using namespace sfumato;
using namespace sfumato::testing;
using namespace std::string_literals;

namespace {

double tag_of(const std::filesystem::path& file, const char* tag) {
  const QString text = QString::fromUtf8(output_of("exiftool", {"-s3", "-n", tag, text_of(file)}));
  return text.section(' ', 0, 0).toDouble();
}

bool near(double a, double b, double tolerance) {
  return std::abs(a - b) <= tolerance;
}

}  // namespace

class TestIoNamedColors : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    if (QStandardPaths::findExecutable("exiftool").isEmpty()) SKIP_WITHOUT("exiftool");
  }

  void other_numbers_data() {
    QTest::addColumn<int>("primaries");
    QTest::addColumn<int>("transfer");
    QTest::addColumn<bool>("known");
    const auto row = [](const char* name, int primaries, int transfer, bool known) {
      QTest::newRow(name) << primaries << transfer << known;
    };
    row("XYZ", 10, 13, false);
    row("reserved primaries", 3, 13, false);
    row("primaries of the future", 99, 13, false);
    row("logarithmic", 1, 9, false);
    row("reserved curve", 1, 3, false);
    row("curve of the future", 1, 40, false);
    row("unspecified", 2, 2, true);
    row("BT.709", 1, 1, true);
    row("digital cinema", 11, 17, true);
    row("Display P3", 12, 13, true);
  }

  // What is not known is not taken for sRGB's without a word.
  void other_numbers() {
    QFETCH(const int, primaries);
    QFETCH(const int, transfer);
    QFETCH(const bool, known);
    const Folder folder;
    const auto a = folder / "a.png";
    make_png(a, small(3, OIIO::TypeDesc::UINT8),
             chunk("cICP", std::string{static_cast<char>(primaries), static_cast<char>(transfer),
                                       '\0', '\1'}));
    const std::vector<Message> said = open_picture(a)->info().warnings;
    QCOMPARE(std::none_of(said.begin(), said.end(),
                          [](const Message& m) { return m.id == "colors.other_numbers"; }),
             known);
    if (transfer != 17) return;
    // A power of 2.6 (SMPTE ST 428-1), as the new file says, too.
    QVERIFY(near(static_cast<double>(open_picture(a)->format().coding.gamma), 2.6, 1e-3));
    pass_through(a, folder / "b.tif");
    QVERIFY(tag_of(folder / "b.tif", "-ICC_Profile:RedMatrixColumn") > 0.4);
  }

  void named_colors_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<double>("red_x");  // 0: sRGB's
    QTest::addColumn<bool>("known");
    QTest::newRow("ACEScg") << "lin_ap1_scene" << 0.713 << true;
    QTest::newRow("ACES") << "lin_ap0_scene" << 0.7347 << true;
    QTest::newRow("Rec.2020") << "lin_rec2020_display" << 0.708 << true;
    QTest::newRow("Rec.709") << "lin_rec709_scene" << 0.0 << true;
    QTest::newRow("data") << "data" << 0.0 << true;
    QTest::newRow("on a curve") << "srgb_ap1_scene" << 0.0 << false;
    QTest::newRow("of no standard") << "my own" << 0.0 << false;
  }

  // By OpenEXR's name for them, where no primaries are stated.
  void named_colors() {
    QFETCH(const QString, name);
    QFETCH(const double, red_x);
    QFETCH(const bool, known);
    const Folder folder;
    const auto a = folder / "a.exr", b = folder / "b.tif", c = folder / "c.exr";
    OIIO::ImageSpec s = small(3, OIIO::TypeDesc::HALF);
    s.attribute("colorInteropID", name.toStdString());
    make_file(a, {s});
    const std::vector<Message> said = open_picture(a)->info().warnings;
    QCOMPARE(std::none_of(said.begin(), said.end(),
                          [](const Message& m) { return m.id == "colors.other_name"; }),
             known);
    pass_through(a, b);
    QCOMPARE(tag_of(b, "-ICC_Profile:RedMatrixColumn") > 0, red_x > 0);
    // A profile says it there.
    pass_through(a, folder / "e.jpg");
    pass_through(a, folder / "e.png");
    const QStringList all = {"-a", text_of(b), text_of(folder / "e.jpg"),
                             text_of(folder / "e.png")};
    QVERIFY(!output_of("exiftool", all).contains("nterop"));
    pass_through(a, c, {.keep_metadata = false});
    const OIIO::ImageSpec again = spec_of(c);
    QCOMPARE(again.get_string_attribute("colorInteropID"), OIIO::string_view(name.toStdString()));
    const OIIO::ParamValue* primaries = again.find_attribute("chromaticities");
    QCOMPARE(primaries != nullptr, red_x > 0);
    if (red_x > 0) QVERIFY(near(static_cast<double>(primaries->get_float_indexed(0)), red_x, 1e-3));
    pass_through(a, folder / "d.exr", {.profile = ProfileChoice::srgb});
    if (red_x > 0) QVERIFY(spec_of(folder / "d.exr").find_attribute("colorInteropID") == nullptr);
  }

  void impossible_colors_data() {
    QTest::addColumn<QByteArray>("chunks");
    QTest::addColumn<QString>("id");  // of what is said
    const auto numbers = [](std::initializer_list<std::uint64_t> all) {
      std::string out;
      for (const std::uint64_t one : all) out += big_endian_bytes(one, 4);
      return out;
    };
    const auto row = [](const char* name, const std::string& chunks, const char* id) {
      QTest::newRow(name) << QByteArray::fromStdString(chunks) << QString(id);
    };
    row("no primaries", chunk("cHRM", std::string(32, '\0')), "colors.impossible_primaries");
    row("primaries in a line",
        chunk("cHRM", numbers({31270, 32900, 10000, 10000, 20000, 20000, 30000, 30000})),
        "colors.impossible_primaries");
    row("a black white",
        chunk("cHRM", numbers({31270, 0, 64000, 33000, 30000, 60000, 15000, 6000})),
        "colors.impossible_primaries");
    row("Display P3",
        chunk("cHRM", numbers({31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000})), "");
    row("no gamma", chunk("gAMA", numbers({0})), "colors.other_curve");
    row("an absurd gamma", chunk("gAMA", numbers({2000000000})), "colors.other_curve");
    row("a usual gamma", chunk("gAMA", numbers({45455})), "");
    row("no gamma, but sRGB", chunk("sRGB", std::string(1, '\0')) + chunk("gAMA", numbers({0})),
        "");
  }

  void impossible_colors() {
    QFETCH(const QByteArray, chunks);
    QFETCH(const QString, id);
    const Folder folder;
    const auto a = folder / "a.png";
    make_png(a, small(3, OIIO::TypeDesc::UINT8), chunks.toStdString());
    QStringList said;
    const std::vector<Message> warnings = open_picture(a)->info().warnings;
    for (const Message& m : warnings) said << QString::fromStdString(m.id);
    QCOMPARE(said.join(' '), id);
  }

  void impossible_chromaticities() {
    const Folder folder;
    OIIO::ImageSpec s = small(3, OIIO::TypeDesc::HALF);
    const std::array<float, 8> none{};
    s.attribute("chromaticities", OIIO::TypeDesc(OIIO::TypeDesc::FLOAT, 8), none.data());
    make_file(folder / "a.exr", {s});
    const std::vector<Message> said = open_picture(folder / "a.exr")->info().warnings;
    QCOMPARE(said.size(), 1u);
    QCOMPARE(said[0].id, "colors.impossible_primaries"s);
  }
};

QTEST_GUILESS_MAIN(TestIoNamedColors)
#include "test_io_named_colors.moc"
