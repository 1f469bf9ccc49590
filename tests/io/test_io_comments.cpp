// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Comments in headers of PNM and TGA files and in GIF files, several pictures in a PNM file, and
// what OpenEXR says of the camera. exiftool and ImageMagick look at the copies.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <limits>

#include "io/property_results.hpp"
#include "support/skips.hpp"

using namespace std::string_literals;
using namespace sfumato;
using namespace sfumato::testing;

namespace {

std::string little(std::uint32_t value, int bytes) {
  return TiffWriter::number(value, bytes);
}

// One pixel, with words before it.
std::string named_targa(const std::string& id) {
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
    make_file(folder_ / "plain.jpg", {OIIO::ImageSpec(16, 12, 3, OIIO::TypeDesc::UINT8)});
    make_file(folder_ / "plain.png", {OIIO::ImageSpec(16, 12, 3, OIIO::TypeDesc::UINT8)});
    put(folder_ / "plain.png", without_chunks(content(folder_ / "plain.png"), "sRGB gAMA cHRM"));
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
  }

  // One that never ends, one that is long, and one that is too long.
  void long_comments_of_pnm_files() {
    QVERIFY(!refusal([&] { copy("P6\n# " + std::string(100000, 'x'), "a.ppm", "b.png"); }).empty());
    const std::string rest = "1\n1\n255\nabc";
    const std::string kept = "P6\n# " + std::string(200000, 'x') + "\n# end\n" + rest;
    QVERIFY(copy(kept, "a.ppm", "b.ppm") == kept);
    QVERIFY(said_.reading.empty() && said_.writing.empty());
    copy("P6\n# " + std::string(2000000, 'x') + "\n" + rest, "a.ppm", "b.ppm");
    QCOMPARE(said_.reading.at(0).id, "file.comments_cut"s);
    QCOMPARE(content(folder_ / "b.ppm").size(), 5 + (std::size_t{1} << 20) + 1 + rest.size());
  }

  // Texts of other files become lines, whichever way their lines end.
  void texts_become_comments_of_pnm_and_hdr_files() {
    const std::string png =
        with_chunks(content(folder_ / "plain.png"),
                    chunk("tEXt", "Title\0Sea\r4 4 255"s) + chunk("tEXt", "Comment\0EXPOSURE=8"s));
    const std::string head = "P6\n# Title: Sea\n# 4 4 255\n# EXPOSURE=8\n16\n12\n255\n";
    QCOMPARE(copy(png, "a.png", "b.ppm").substr(0, head.size()), head);
    QVERIFY(said_.writing.empty());
    const std::string hdr = copy(png, "a.png", "b.hdr");
    QVERIFY(hdr.find("\n# Title: Sea\n# 4 4 255\n# EXPOSURE=8\n") != std::string::npos);
    for (const Message& m : said_.writing) QCOMPARE(m.id, "format.other_depth"s);
    copy_file("b.hdr", "c.exr");
    QVERIFY(said_.writing.empty());  // no exposure
  }

  // What TGA's extension area says goes into another TGA file as it is, and elsewhere by name.
  void extension_areas_are_kept() {
    const TargaSays says{.author = "Jo Do\xe9",
                         .job = "Job 7",
                         .software = "Painter",
                         .version = 205,
                         .comments = {"First line", "", "", "fourth"},
                         .stamp = {5, 6, 2024, 7, 8, 9},
                         .key = 0x80112233,
                         .hours = 12,
                         .aspect = {2, 1},
                         .gamma = {22, 10}};
    const std::string from = targa_file(says), kept = copy(from, "a.tga", "b.tga");
    QVERIFY(said_.writing.empty());
    QVERIFY(targa_area(kept) == targa_area(from));
    copy_file("a.tga", "b.png");
    const QJsonObject tags = tags_of("b.png");
    QCOMPARE(tags["PNG:Author"].toString(), "Jo Doé");
    QCOMPARE(tags["PNG:Description"].toString(), "First line\nfourth");
    QCOMPARE(tags["PNG:Title"].toString(), "Job 7");
    QCOMPARE(tags["PNG:ModifyDate"].toString(), "2024:05:06 07:08:09");
    QCOMPARE(said_.writing.size(), std::size_t{1});
    QVERIFY(names(said_.writing[0], Property::key_color));
    QVERIFY(names(said_.writing[0], Property::job_time));
    // And back, with what TGA has places for.
    const std::string back = copy_file("b.png", "c.tga");
    QVERIFY(said_.writing.empty());
    QCOMPARE(targa_text(back, 2), "Jo Doé"s);
    QCOMPARE(targa_text(back, 43), "First line"s);
    QCOMPARE(targa_text(back, 43 + 81), "fourth"s);
    QCOMPARE(targa_text(back, 379), "Job 7"s);
    QCOMPARE(targa_text(back, 426), "Painter 2.05"s);
    QVERIFY(targa_area(back).substr(367, 12) == targa_area(from).substr(367, 12));
    QCOMPARE(targa_shape(back), 2.0);
    copy_picture(folder_ / "a.tga", folder_ / "b.tga", {.overwrite = true, .keep_metadata = false});
    const std::string bare = content(folder_ / "b.tga");
    for (const std::size_t at : {2, 43, 379, 426}) QCOMPARE(targa_text(bare, at), ""s);
    QCOMPARE(targa_shape(bare), 2.0);
  }

  // Where on a screen the picture lies is kept, or becomes a comment.
  void origins_of_targa() {
    std::string from = targa_file({.author = "Jo"});
    from.replace(8, 4, TiffWriter::number(3, 2) + TiffWriter::number(700, 2));
    for (const std::string& one : {from, from.substr(0, from.size() - 26)}) {
      const std::string kept = copy(one, "a.tga", "b.tga");
      QVERIFY(said_.writing.empty());
      QCOMPARE(kept.substr(8, 4), from.substr(8, 4));
      copy_file("a.tga", "b.png");
      const QJsonObject tags = tags_of("b.png");
      QCOMPARE(tags["PNG:XOrigin"].toInt(), 3);
      copy_file("a.tga", "b.bmp");
      QVERIFY(names(said_.writing.at(0), Property::comments));
    }
    copy_picture(folder_ / "a.tga", folder_ / "b.tga", {.overwrite = true, .keep_metadata = false});
    QCOMPARE(content(folder_ / "b.tga").substr(8, 4), std::string(4, '\0'));
  }

  // Dates that no calendar has are left out by a word.
  void dates_of_targa() {
    using Stamp = std::array<std::uint32_t, 6>;
    for (const Stamp& stamp :
         {Stamp{13, 1, 2020, 0, 0, 0}, Stamp{2, 30, 2020, 0, 0, 0}, Stamp{1, 1, 2020, 24, 0, 0},
          Stamp{1, 1, 60000, 0, 0, 0}, Stamp{0, 0, 2020, 1, 1, 1}}) {
      const std::string kept = copy(targa_file({.stamp = stamp}), "a.tga", "b.tga");
      QCOMPARE(said_.reading.at(0).id, "file.no_date"s);
      QCOMPARE(targa_area(kept).substr(367, 12), std::string(12, '\0'));
      copy_file("a.tga", "b.png");
      QVERIFY(!tags_of("b.png").contains("PNG:ModifyDate"));
    }
    copy(targa_file({.stamp = {2, 29, 2020, 23, 59, 59}}), "a.tga", "b.png");
    QVERIFY(said_.reading.empty());
    QCOMPARE(tags_of("b.png")["PNG:ModifyDate"].toString(), "2020:02:29 23:59:59");
    // Nor are they written.
    put(folder_ / "p.png", content(folder_ / "b.png"));
    output_of("exiftool", {"-overwrite_original", "-n", "-PNG:ModifyDate=2020:13:01 00:00:00",
                           text_of(folder_ / "p.png")});
    QCOMPARE(targa_area(copy_file("p.png", "b.tga")).substr(367, 2) == "\x0d\0"s, false);
  }

  // A curve that is stated is used and kept; a table for correcting colours is named.
  void colours_of_extension_areas() {
    const std::string from = targa_file({.gamma = {18, 10}});
    const std::string kept = copy(from, "a.tga", "b.tga");
    QVERIFY(targa_area(kept) == targa_area(from));
    QVERIFY(open_picture(folder_ / "a.tga")->format().coding == Coding::power(1.8f));
    copy_file("a.tga", "b.png");
    QVERIFY(std::abs(tags_of("b.png")["PNG:Gamma"].toDouble() - 1.8) < 1e-4);
    copy(targa_file({.table = 18}), "a.tga", "b.tga");
    QCOMPARE(said_.reading.at(0).id, "file.color_correction"s);
    QVERIFY(targa_area(content(folder_ / "b.tga")).substr(482, 12) == std::string(12, '\0'));
  }

  // Lines of 80 bytes, broken at spaces, between characters if there are none.
  void long_texts_for_tga() {
    const std::string word = std::string(70, 'x') + " " + std::string(19, 'y');
    const auto described = [&](const std::string& text) {
      return with_chunks(content(folder_ / "plain.png"),
                         chunk("iTXt", "Description\0\0\0\0\0"s + text));
    };
    std::string made = copy(described(word), "a.png", "b.tga");
    QVERIFY(said_.writing.empty());
    QCOMPARE(targa_text(made, 43), std::string(70, 'x'));
    QCOMPARE(targa_text(made, 43 + 81), std::string(19, 'y'));
    std::string many;
    for (int i = 0; i < 200; ++i) many += "é";
    made = copy(described("-" + many), "a.png", "b.tga");
    QCOMPARE(targa_text(made, 43).size(), std::size_t{79});
    QVERIFY(targa_text(made, 43 + 81).starts_with("é"));
    made = copy(described(many + many), "a.png", "b.tga");
    QCOMPARE(said_.writing.at(0).id, "format.cut_texts"s);
  }

  // EXIF that holds nothing but a comment is comments.
  void comments_are_no_exif() {
    std::filesystem::copy_file(folder_ / "plain.jpg", folder_ / "c.jpg");
    output_of("exiftool",
              {"-q", "-overwrite_original", "-UserComment=by hand", text_of(folder_ / "c.jpg")});
    copy_file("c.jpg", "c.bmp");
    QCOMPARE(said_.writing.size(), std::size_t{1});
    QVERIFY(names(said_.writing[0], Property::comments));
    QVERIFY(!names(said_.writing[0], Property::exif));
    QCOMPARE(targa_text(copy_file("c.jpg", "c.tga"), 43), "by hand"s);
    QVERIFY(said_.writing.empty());
    output_of("exiftool", {"-q", "-overwrite_original", "-FNumber=8", text_of(folder_ / "c.jpg")});
    copy_file("c.jpg", "c.bmp");
    QVERIFY(names(said_.writing.at(0), Property::exif));
  }

  // Programs disagree on what the scale means: it is kept, and named where it is lost.
  void scales_of_pfm_files() {
    const std::string pfm = "Pf\n1 1\n-2.5\n\0\0\x80\x3f"s;
    QCOMPARE(copy(pfm, "a.pfm", "b.pfm"), pfm);
    QVERIFY(said_.writing.empty());
    copy_file("a.pfm", "b.exr");
    QVERIFY(names(said_.writing.at(0), Property::sample_scale));
    QCOMPARE(values_of(folder_ / "b.exr").at(0), 1.0f);
    QCOMPARE(copy("Pf\n1 1\n1e3\n\x3f\x80\0\0"s, "a.pfm", "b.pfm"),
             "Pf\n1 1\n-1000\n\0\0\x80\x3f"s);
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
    QCOMPARE(copy(named_targa("Mein \xe9"), "a.tga", "b.tga").substr(18, 6), "Mein \xe9"s);
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
