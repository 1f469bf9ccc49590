// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Comments in headers of PNM and TGA files and in GIF files, several pictures in a PNM file, and
// what OpenEXR says of the camera. exiftool and ImageMagick look at the copies.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <limits>

#include "io/property_inputs.hpp"
#include "support/skips.hpp"

using namespace std::string_literals;
using namespace sfumato;
using namespace sfumato::testing;

namespace {

std::string little(std::uint32_t value, int bytes) {
  return TiffWriter::number(value, bytes);
}

// One pixel, with words before it.
std::string targa(const std::string& id) {
  return std::string(1, static_cast<char>(id.size())) + "\0\2"s + std::string(9, '\0') +
         little(1, 2) + little(1, 2) + "\x18\x20" + id + "\x28\x3c\x50";
}

}  // namespace

class TestIoComments : public QObject {
  Q_OBJECT

  Folder folder_;
  Said said_;

  std::string copy(const std::string& bytes, const std::string& from, const std::string& to,
                   const ReadOptions& read = {}) {
    put(folder_ / from, bytes);
    return copy_file(from, to, read);
  }
  std::string copy_file(const std::string& from, const std::string& to,
                        const ReadOptions& read = {}) {
    said_ = copy_picture(folder_ / from, folder_ / to, {.overwrite = true}, read);
    return content(folder_ / to);
  }
  QJsonObject tags_of(const std::string& name) const { return exif_tags(folder_ / name); }

 private slots:
  void initTestCase() {
    for (const char* program : {"exiftool", "identify"}) {
      if (QStandardPaths::findExecutable(program).isEmpty()) SKIP_WITHOUT("a tool for pictures");
    }
  }

  void comments_of_pnm_files_are_kept() {
    const std::string ppm = "P6\n# Grün\n#  second\n1 1 # third\n255\nabc";
    const std::string kept = copy(ppm, "a.ppm", "b.ppm");
    QCOMPARE(kept, "P6\n# Grün\n# second\n# third\n1\n1\n255\nabc"s);
    QVERIFY(said_.writing.empty());
    QCOMPARE(QString(output_of("identify", {"-format", "%wx%h", text_of(folder_ / "b.ppm")})),
             "1x1");
    copy(ppm, "a.ppm", "b.png");
    QCOMPARE(tags_of("b.png")["PNG:Description"].toString(), "Grün\nsecond\nthird");
    copy(ppm, "a.ppm", "b.pfm");
    QCOMPARE(said_.writing.at(0).id, "format.drops"s);
    // One that never ends, and one that is long.
    QVERIFY(!refusal([&] { copy("P6\n# " + std::string(100000, 'x'), "a.ppm", "b.png"); }).empty());
    copy("P6\n# " + std::string(200000, 'x') + "\n1 1 255\nabc", "a.ppm", "b.ppm");
    QVERIFY(content(folder_ / "b.ppm").size() < 70000);
  }

  void pictures_follow_each_other() {
    const std::string all = "P5 1 1 255\nxP5\n#two\n2 1 255\nabP4 1 1\n\x80"s;
    QCOMPARE(copy(all, "a.pgm", "b.pgm"), "P5\n1\n1\n255\nx"s);
    QCOMPARE(said_.reading.at(0).id, "file.several_pictures"s);
    QCOMPARE(copy(all, "a.pgm", "b.pgm", {.page = 2}), "P5\n# two\n2\n1\n255\nab"s);
    QVERIFY(said_.reading.empty());
    QCOMPARE(copy(all, "a.pgm", "b.pgm", {.page = 3}), "P5\n1\n1\n255\n\0"s);
    QVERIFY(refusal([&] { copy(all, "a.pgm", "b.pgm", {.page = 4}); }).find("3") !=
            std::string::npos);
    // What follows is no picture, or only its beginning.
    for (const char* rest : {"\n", "junk", "P5", "P5 x", "P6 9 9 70000\n"}) {
      copy("P5 1 1 255\nx"s + rest, "a.pgm", "b.pgm");
      QVERIFY(said_.reading.empty());
    }
  }

  void words_before_a_tga_picture_are_kept() {
    QCOMPARE(copy(targa("Mein \xe9"), "a.tga", "b.tga").substr(18, 6), "Mein \xe9"s);
    QVERIFY(said_.writing.empty());
    copy_file("a.tga", "b.png");
    QCOMPARE(tags_of("b.png")["PNG:Description"].toString(), "Mein é");
    copy_file("a.tga", "b.bmp");
    QCOMPARE(said_.writing.at(0).id, "format.drops"s);
  }

  // Some are UTF-8, others Latin-1.
  void comments_of_gif_files_have_their_own_characters() {
    std::string gif = transparent_gif(1, "Grün");
    gif.insert(gif.size() - 1, "\x21\xfe\4caf\xe9\0"s);
    copy(gif, "a.gif", "b.png");
    QCOMPARE(tags_of("b.png")["PNG:Description"].toString(), "Grün\ncafé");
  }

  void cameras_are_said_in_both_ways() {
    OIIO::ImageSpec s(16, 12, 3, OIIO::TypeDesc::HALF);
    const std::map<const char*, float> numbers = {
        {"latitude", -33.5125f}, {"longitude", 151.25f}, {"altitude", -12.5f}, {"isoSpeed", 400},
        {"focus", 2.5f},         {"expTime", 0.01f},     {"aperture", 2.8f}};
    for (const auto& [name, value] : numbers) s.attribute(name, value);
    make_file(folder_ / "a.exr", {s});
    for (const char* to : {"b.jpg", "b.tif", "b.png", "b.webp"}) {
      copy_file("a.exr", to);
      const QJsonObject tags = tags_of(to);
      QVERIFY2(std::abs(tags["GPS:GPSLatitude"].toDouble() - 33.5125) < 1e-5, to);
      QCOMPARE(tags["GPS:GPSLatitudeRef"].toString(), "S");
      QVERIFY(std::abs(tags["GPS:GPSLongitude"].toDouble() - 151.25) < 1e-5);
      QCOMPARE(tags["GPS:GPSLongitudeRef"].toString(), "E");
      QCOMPARE(tags["GPS:GPSAltitude"].toDouble(), 12.5);
      QCOMPARE(tags["GPS:GPSAltitudeRef"].toInt(), 1);
      QCOMPARE(tags["ExifIFD:ISO"].toInt(), 400);
      QCOMPARE(tags["ExifIFD:SubjectDistance"].toDouble(), 2.5);
      QVERIFY2(std::abs(tags["ExifIFD:ExposureTime"].toDouble() - 0.01) < 1e-6,
               QJsonDocument(tags).toJson());
      QVERIFY(std::abs(tags["ExifIFD:FNumber"].toDouble() - 2.8) < 1e-6);
      for (const Message& m : said_.writing) QVERIFY(m.id != "format.drops");
      copy_file(to, "c.exr");
      const OIIO::ImageSpec back = spec_of(folder_ / "c.exr");
      for (const auto& [name, value] : numbers) {
        const std::string key = name == "expTime"s    ? "ExposureTime"
                                : name == "aperture"s ? "FNumber"
                                                      : name;
        QVERIFY2(std::abs(back.get_float_attribute(key) - value) < 1e-3f, name);
      }
    }
  }

  // Angles beyond the poles say nothing; what is far is infinitely far in EXIF.
  void impossible_places_are_left_out() {
    OIIO::ImageSpec s(16, 12, 3, OIIO::TypeDesc::HALF);
    s.attribute("latitude", 91.0f);
    s.attribute("longitude", std::numeric_limits<float>::quiet_NaN());
    s.attribute("altitude", std::numeric_limits<float>::infinity());
    s.attribute("isoSpeed", 1e9f);
    s.attribute("focus", std::numeric_limits<float>::infinity());
    make_file(folder_ / "a.exr", {s});
    copy_file("a.exr", "b.tif");
    const QJsonObject tags = tags_of("b.tif");
    for (const char* name : {"Latitude", "Longitude", "Altitude"}) {
      QVERIFY(!tags.contains(QString("GPS:GPS") + name));
    }
    QCOMPARE(tags["ExifIFD:ISOSpeed"].toInt(), 1000000000);
    copy_file("b.tif", "c.exr");
    QVERIFY(std::isinf(spec_of(folder_ / "c.exr").get_float_attribute("focus")));
  }
};

QTEST_GUILESS_MAIN(TestIoComments)
#include "test_io_comments.moc"
