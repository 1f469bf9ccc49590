// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Resolutions that are no whole numbers, and places on pages; read by exiftool.
#include <QJsonObject>
#include <QStandardPaths>
#include <QTest>

#include "io/carried_files.hpp"
#include "io/programs.hpp"
#include "support/files.hpp"
#include "support/skips.hpp"

using namespace sfumato;
using namespace sfumato::testing;

class TestIoResolutions : public QObject {
  Q_OBJECT
  Folder folder_;

  static OIIO::ImageSpec picture() { return {16, 12, 3, OIIO::TypeDesc::UINT8}; }

  // A file with that resolution per inch, as exiftool states it.
  std::filesystem::path said(const std::string& name, double x, double y) {
    const auto path = folder_ / name;
    make_file(path, {picture()});
    output_of("exiftool",
              {"-q", "-n", "-overwrite_original", QString("-XResolution=%1").arg(x, 0, 'g', 12),
               QString("-YResolution=%1").arg(y, 0, 'g', 12), "-ResolutionUnit=2", text_of(path)});
    return path;
  }

 private Q_SLOTS:
  void initTestCase() {
    if (QStandardPaths::findExecutable("exiftool").isEmpty()) SKIP_WITHOUT("exiftool");
  }

  void stay_exact_data() {
    QTest::addColumn<double>("x");
    QTest::addColumn<double>("y");
    QTest::newRow("less than one") << 0.5 << 0.5;
    QTest::newRow("near a whole one") << 72.009 << 144.018;
    QTest::newRow("half") << 72.5 << 72.5;
    QTest::newRow("whole") << 300.0 << 300.0;
    QTest::newRow("per centimetre") << 50.8 << 50.8;
    QTest::newRow("a third") << 100.0 / 3 << 100.0 / 3;
  }
  void stay_exact() {
    QFETCH(double, x);
    QFETCH(double, y);
    const auto near = [](double a, double b) { return std::abs(a - b) <= 2e-7 * b; };
    const auto first = said("a.tif", x, y);
    for (const char* name : {"b.tif", "b.jpg", "b.png", "b.webp", "b.jp2", "b.avif"}) {
      const auto path = folder_ / name;
      QCOMPARE(pass_through(first, path, {.overwrite = true}).size(), std::size_t{0});
      const QJsonObject tags = exif_tags(path);
      const double unit = tags["IFD0:ResolutionUnit"].toInt() == 3 ? 2.54 : 1;
      QVERIFY2(near(tags["IFD0:XResolution"].toDouble() * unit, x), name);
      QVERIFY2(near(tags["IFD0:YResolution"].toDouble() * unit, y), name);
      // And from there.
      pass_through(path, folder_ / "c.tif", {.overwrite = true});
      const QJsonObject again = exif_tags(folder_ / "c.tif");
      const double other = again["IFD0:ResolutionUnit"].toInt() == 3 ? 2.54 : 1;
      QVERIFY2(near(again["IFD0:XResolution"].toDouble() * other, x), name);
      QVERIFY2(near(again["IFD0:YResolution"].toDouble() * other, y), name);
    }
    pass_through(first, folder_ / "b.exr", {.overwrite = true});
    const OIIO::ImageSpec exr = spec_of(folder_ / "b.exr");
    QVERIFY(near(static_cast<double>(exr.get_float_attribute("XResolution")), x));
  }

  // JFIF has whole numbers, which may be near, but not others.
  void jfif_says_nothing_wrong() {
    pass_through(said("a.tif", 72.4, 72.4), folder_ / "b.jpg", {.overwrite = true});
    QJsonObject tags = exif_tags(folder_ / "b.jpg");
    QCOMPARE(tags["JFIF:XResolution"].toInt(), 72);
    QCOMPARE(tags["JFIF:ResolutionUnit"].toInt(), 1);
    pass_through(said("a.tif", 0.5, 0.5), folder_ / "b.jpg", {.overwrite = true});
    tags = exif_tags(folder_ / "b.jpg");
    QCOMPARE(tags["JFIF:ResolutionUnit"].toInt(), 0);
    QCOMPARE(tags["JFIF:XResolution"].toInt(), tags["JFIF:YResolution"].toInt());
  }

  void other_resolutions_are_told() {
    const auto is_told = [&](double resolution) {
      const auto warnings = pass_through(said("a.tif", resolution, resolution), folder_ / "b.bmp",
                                         {.overwrite = true});
      return std::any_of(warnings.begin(), warnings.end(), [](const std::string& one) {
        return one.find("resolution is rounded") != std::string::npos;
      });
    };
    QVERIFY(is_told(0.5));
    QVERIFY(!is_told(72));
  }

  // 2835 pixels per metre are 72 per inch in PNG; beside 5670, both stay as they are.
  void both_directions_are_treated_alike() {
    const auto at = [&](int x, int y) {
      make_file(folder_ / "a.png", {picture()});
      const std::string density = big_endian_bytes(static_cast<std::uint64_t>(x), 4) +
                                  big_endian_bytes(static_cast<std::uint64_t>(y), 4) + '\1';
      put(folder_ / "a.png",
          with_chunks(without_chunks(content(folder_ / "a.png"), "pHYs"), chunk("pHYs", density)));
      pass_through(folder_ / "a.png", folder_ / "b.tif", {.overwrite = true});
      const QJsonObject tags = exif_tags(folder_ / "b.tif");
      return std::pair(tags["IFD0:XResolution"].toDouble(), tags["IFD0:YResolution"].toDouble());
    };
    QCOMPARE(at(2835, 2835), std::pair(72.0, 72.0));
    QCOMPARE(at(2835, 5670), std::pair(72.009, 144.018));
  }

  // A place that makes no sense costs no picture.
  void far_places_of_pages_data() {
    QTest::addColumn<QString>("place");
    for (const char* place : {"2000000", "1000000000", "4294967295"}) QTest::newRow(place) << place;
  }
  void far_places_of_pages() {
    QFETCH(QString, place);
    const auto path = said("far.tif", 300, 300);
    output_of("exiftool", {"-q", "-n", "-overwrite_original", "-IFD0:XPosition=" + place,
                           "-IFD0:YPosition=" + place, text_of(path)});
    QCOMPARE(exif_tags(path)["IFD0:XPosition"].toDouble(), place.toDouble());
    make_file(folder_ / "plain.tif", {picture()});
    pass_through(path, folder_ / "near.tif", {.overwrite = true});
    QCOMPARE(exif_tags(folder_ / "near.tif")["IFD0:YPosition"].toDouble(), place.toDouble());
    pass_through(path, folder_ / "b.png", {.overwrite = true});
    QVERIFY(values_of(folder_ / "b.png") == values_of(folder_ / "plain.tif"));
  }
};

QTEST_GUILESS_MAIN(TestIoResolutions)
#include "test_io_resolutions.moc"
