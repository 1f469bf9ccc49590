// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Texts in several languages and other chunks of PNG files: kept, or named where they are not.
// exiftool reads the copies.
#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

#include "io/carried_files.hpp"
#include "io/property_inputs.hpp"
#include "support/skips.hpp"

using namespace std::string_literals;
using namespace sfumato;
using namespace sfumato::testing;

namespace {

std::string language_chunk(const std::string& keyword, const std::string& language,
                           const std::string& translated, const std::string& text) {
  return chunk("iTXt", keyword + "\0\0\0"s + language + '\0' + translated + '\0' + text);
}

// All chunks' names in order.
std::vector<std::string> names_in(const std::string& png) {
  std::vector<std::string> out;
  for (std::size_t at = 8; at + 12 <= png.size();) {
    out.push_back(png.substr(at + 4, 4));
    at += 12 + static_cast<std::size_t>(big_endian(png, at, 4));
  }
  return out;
}

bool has_chunk(const std::string& png, const std::string& name) {
  const std::vector<std::string> names = names_in(png);
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Two pixels of a palette of red and blue, or two gray ones of 16 bits.
std::string palette_png() {
  return "\x89PNG\r\n\x1a\n" + chunk("IHDR", "\0\0\0\2\0\0\0\1\x08\3\0\0\0"s) +
         chunk("PLTE", "\xff\x10\x20\0\0\xff"s) +
         chunk("IDAT", "\x78\x01\x01\x03\x00\xfc\xff\0\0\1\0\4\0\2"s) + chunk("IEND", "");
}

}  // namespace

class TestIoPngChunks : public QObject {
  Q_OBJECT

  Folder folder_;
  std::string plain_;
  std::vector<std::string> said_;

  // The bytes of a copy; what was said is in `said_`.
  std::string copy(const std::string& bytes, const std::string& to, WriteOptions options = {}) {
    put(folder_ / "a.png", bytes);
    options.overwrite = true;
    said_ = pass_through(folder_ / "a.png", folder_ / to, options);
    return content(folder_ / to);
  }
  bool says(const std::string& words) const {
    return std::any_of(said_.begin(), said_.end(), [&](const std::string& one) {
      return one.find(words) != std::string::npos;
    });
  }
  QJsonObject tags_of(const std::string& name) const { return exif_tags(folder_ / name); }

 private slots:
  void initTestCase() {
    for (const char* program : {"convert", "exiftool"}) {
      if (QStandardPaths::findExecutable(program).isEmpty()) SKIP_WITHOUT("a tool for pictures");
    }
    make_file(folder_ / "plain.png", {OIIO::ImageSpec(16, 12, 3, OIIO::TypeDesc::UINT8)});
    plain_ = without_chunks(content(folder_ / "plain.png"), "sRGB gAMA cHRM oFFs tEXt");
  }

  void texts_in_languages_are_all_kept() {
    const std::string texts = language_chunk("Title", "de", "Titel", "Leuchtturm") +
                              language_chunk("Title", "x-default", "", "Lighthouse") +
                              language_chunk("Title", "fr", "Titre", "Phare") +
                              chunk("tEXt", "Comment\0one"s) + chunk("tEXt", "Comment\0two"s) +
                              chunk("tEXt", "Description\0Gr\xfc\xdf"s);
    const std::string png = copy(with_chunks(plain_, texts), "b.png");
    QVERIFY2(said_.empty(), said_.empty() ? "" : said_[0].c_str());
    QVERIFY(png.find(texts) != std::string::npos);
    // None is there twice.
    const std::vector<std::string> names = names_in(png);
    QCOMPARE(std::count(names.begin(), names.end(), "iTXt"), 3);
    QCOMPARE(png.find("tEXtTitle"), std::string::npos);
    const QJsonObject kept = tags_of("b.png");
    QCOMPARE(kept["PNG:Title-de"].toString(), "Leuchtturm");
    QCOMPARE(kept["PNG:Title-fr"].toString(), "Phare");
    QCOMPARE(kept["PNG:Description"].toString(), "Grüß");
    // A copy of the copy says the same.
    put(folder_ / "once.png", png);
    QVERIFY(copy(content(folder_ / "once.png"), "c.png").find(texts) != std::string::npos);
    copy(with_chunks(plain_, texts), "b.png", {.keep_metadata = false});
    QVERIFY(content(folder_ / "b.png").find("Leuchtturm") == std::string::npos);
  }

  // What EXIF and XMP say is said there, and texts of other names are not made of it.
  void no_texts_are_made_of_xmp() {
    make_file(folder_ / "xmp.jpg", {OIIO::ImageSpec(16, 12, 3, OIIO::TypeDesc::UINT8)});
    output_of("exiftool",
              {"-q", "-n", "-overwrite_original",
               "-XMP-mwg-rs:RegionInfo={AppliedToDimensions={W=16,H=12,Unit=pixel},RegionList=[{"
               "Area={X=0.2,Y=0.5,W=0.1,H=0.2,Unit=normalized},Name=Ada,Type=Face}]}",
               "-XMP-dc:Source=archive", "-XMP-dc:Creator=Bo", "-XMP-dc:Description=by XMP",
               "-EXIF:Artist=Cy", "-EXIF:Make=Maker", "-EXIF:HostComputer=box",
               text_of(folder_ / "xmp.jpg")});
    said_ = pass_through(folder_ / "xmp.jpg", folder_ / "b.png", {.overwrite = true});
    QVERIFY(said_.empty());
    const QJsonObject kept = tags_of("b.png");
    QStringList texts;
    for (const QString& name : kept.keys()) {
      if (name.startsWith("PNG:")) texts << name.mid(4);
    }
    for (const QString& name : texts) {
      QVERIFY2(!name.contains("oiio", Qt::CaseInsensitive) && !name.contains("Dim") &&
                   !name.contains("Area") && !name.contains("Region") && name != "Source" &&
                   name != "Make" && name != "HostComputer" && name != "Description",
               qPrintable(texts.join(' ')));
    }
    QCOMPARE(kept["PNG:Author"].toString(), "Cy");
    QCOMPARE(kept["XMP-dc:Source"].toString(), "archive");
    QCOMPARE(kept["XMP-dc:Description"].toString(), "by XMP");
    QCOMPARE(kept["XMP-mwg-rs:RegionName"].toString(), "Ada");
    QCOMPARE(kept["IFD0:Make"].toString(), "Maker");
    // None of them is there in a picture without any.
    make_file(folder_ / "none.tif", {OIIO::ImageSpec(16, 12, 3, OIIO::TypeDesc::UINT8)});
    pass_through(folder_ / "none.tif", folder_ / "b.png", {.overwrite = true});
    QCOMPARE(content(folder_ / "b.png").find("oiio"), std::string::npos);
  }

  void other_formats_get_the_default_and_the_rest_is_named() {
    const std::string texts = language_chunk("Title", "de", "Titel", "Leuchtturm") +
                              language_chunk("Title", "x-default", "", "Lighthouse") +
                              chunk("tEXt", "Comment\0one"s) + chunk("tEXt", "Comment\0two"s);
    copy(with_chunks(plain_, texts), "b.jpg");
    QVERIFY2(says("Title (de)") && !says("x-default") && !says("Comment"), said_.at(0).c_str());
    const QJsonObject tags = tags_of("b.jpg");
    QCOMPARE(tags["IFD0:DocumentName"].toString(), "Lighthouse");
    QVERIFY(tags["ExifIFD:UserComment"].toString().contains("one\ntwo"));
    // Without a default, the first counts.
    copy(with_chunks(plain_, language_chunk("Title", "de", "", "Leuchtturm") +
                                 language_chunk("Title", "fr", "", "Phare")),
         "b.tif");
    QVERIFY(says("Title (fr)"));
    QCOMPARE(tags_of("b.tif")["IFD0:DocumentName"].toString(), "Leuchtturm");
    // Who cannot hold texts at all says that.
    copy(with_chunks(plain_, texts), "b.bmp");
    QVERIFY(says("comments") && !says("Title"));
  }

  void chunks_are_kept_where_they_stay_true() {
    const std::string place = chunk("oFFs", big_endian_bytes(5, 4) + "\xff\xff\xff\xf9\1"s);
    const std::string png =
        copy(with_chunks(plain_, place + chunk("sBIT", "\5\6\5") +
                                     chunk("sPLT", "x\0\x08\1\2\3\4\0\5"s) + chunk("prVt", "safe") +
                                     chunk("prVT", "unsafe")),
             "b.png");
    QVERIFY(png.find(place) != std::string::npos);
    QCOMPARE(chunk_of(png, "prVt"), std::string("safe"));
    QVERIFY(says("the chunks sBIT, sPLT, prVT say"));
    for (const char* name : {"sBIT", "sPLT", "prVT"}) QVERIFY(!has_chunk(png, name));
    // All bits count: nothing is lost.
    copy(with_chunks(plain_, chunk("sBIT", "\x08\x08\x08")), "b.png");
    QVERIFY(said_.empty());
    copy(with_chunks(plain_, place + chunk("sBIT", "\5\6\5")), "b.tif");
    QVERIFY(says("the chunks oFFs, sBIT of the PNG file"));
  }

  void no_place_is_invented() {
    QVERIFY(!has_chunk(copy(plain_, "b.png"), "oFFs"));
    // A large file, whose head is written long before its end.
    make_file(folder_ / "large.tif", {OIIO::ImageSpec(900, 700, 3, OIIO::TypeDesc::UINT16)});
    copy_picture(folder_ / "large.tif", folder_ / "large.png");
    QVERIFY(!has_chunk(content(folder_ / "large.png"), "oFFs"));
    QVERIFY(values_of(folder_ / "large.png") == values_of(folder_ / "large.tif"));
  }

  void the_background_has_the_samples_of_the_file() {
    const auto after_palette = [](std::string png, const std::string& chunks) {
      return png.insert(png.find("IDAT") - 4, chunks);
    };
    QCOMPARE(chunk_of(copy(after_palette(palette_png(), chunk("bKGD", "\0"s)), "b.png"), "bKGD"),
             "\0\xff\0\x10\0\x20"s);
    const std::string three = chunk("bKGD", "\0\x0a\0\x14\0\x1e"s);
    QCOMPARE(chunk_of(copy(with_chunks(plain_, three), "b.png"), "bKGD"), "\0\x0a\0\x14\0\x1e"s);
    QCOMPARE(chunk_of(copy(with_chunks(plain_, three), "b.png", {.bits = SampleType::u16}), "bKGD"),
             "\x0a\x0a\x14\x14\x1e\x1e"s);
    QVERIFY(!says("bKGD"));
    // A number that the palette does not have.
    copy(after_palette(palette_png(), chunk("bKGD", "\x09")), "b.png");
    QVERIFY(says("bKGD"));
    copy(with_chunks(plain_, three), "b.jpg");
    QVERIFY(says("bKGD"));
  }

  void profiles_as_text_count() {
    const std::vector<unsigned char> profile = gamma_profile();
    const std::string bytes(profile.begin(), profile.end());
    const std::string text = "Raw profile type icc\0\nicc\n    "s + std::to_string(bytes.size()) +
                             "\n" + QByteArray::fromStdString(bytes).toHex().toStdString() + "\n";
    const std::string png = with_chunks(plain_, chunk("tEXt", text));
    put(folder_ / "profile.png", png);
    QVERIFY(open_picture(folder_ / "profile.png")->info().icc_profile == profile);
    const std::string copied = copy(png, "b.png");
    QVERIFY(has_chunk(copied, "iCCP"));
    QVERIFY(copied.find("Raw profile") == std::string::npos);
  }

  void light_is_lost_with_its_curve() {
    const std::string light = chunk("cICP", "\x09\x10\0\1"s) + chunk("mDCV", mastering_data());
    QCOMPARE(chunk_of(copy(with_chunks(plain_, light), "b.png"), "mDCV"), mastering_data());
    QVERIFY(said_.empty());
    // Colours are metadata to none: they stay without it.
    copy(with_chunks(plain_, light), "b.png", {.keep_metadata = false});
    QVERIFY(has_chunk(content(folder_ / "b.png"), "mDCV"));
    copy(with_chunks(plain_, light), "b.png", {.profile = ProfileChoice::srgb});
    QVERIFY(says("true of the unconverted colours only: the mastering display"));
    QVERIFY(!says("cannot hold"));
    QVERIFY(!has_chunk(content(folder_ / "b.png"), "mDCV"));
    copy(with_chunks(plain_, light), "b.jpg");
    QVERIFY(says("JPEG cannot hold it: the mastering display"));
  }

  // Colours that stay as they are need no curve of HDR displays.
  void light_without_a_curve_stays() {
    for (const std::string& colors : {chunk("cICP", "\x01\x0d\0\1"s), ""s}) {
      for (const ProfileChoice choice : {ProfileChoice::keep, ProfileChoice::srgb}) {
        const std::string light = colors + chunk("mDCV", mastering_data());
        const std::string png = copy(with_chunks(plain_, light), "b.png", {.profile = choice});
        QVERIFY(said_.empty());
        QCOMPARE(chunk_of(png, "mDCV"), mastering_data());
      }
    }
  }

  // What a text says beside EXIF stays in PNG; other formats have one place for it.
  void texts_beside_exif() {
    put(folder_ / "pair.png", plain_);
    QCOMPARE(
        QProcess::execute(
            "exiftool", {"-q", "-overwrite_original", "-EXIF:Artist=E. Xif", "-EXIF:Copyright=both",
                         "-EXIF:Software=Camera", "-EXIF:ImageDescription=from EXIF",
                         QString::fromStdString((folder_ / "pair.png").string())}),
        0);
    const std::string texts = chunk("tEXt", "Author\0P. Ng"s) + chunk("tEXt", "Software\0Editor"s) +
                              chunk("tEXt", "Copyright\0both"s) +
                              language_chunk("Description", "", "", "from a text");
    const std::string pair = with_chunks(content(folder_ / "pair.png"), texts);
    copy(pair, "b.png");
    QVERIFY(said_.empty());
    QJsonObject tags = tags_of("b.png");
    QCOMPARE(tags["PNG:Author"].toString(), "P. Ng");
    QCOMPARE(tags["PNG:Software"].toString(), "Editor");
    QCOMPARE(tags["PNG:Description"].toString(), "from a text");
    QCOMPARE(tags["IFD0:Artist"].toString(), "E. Xif");
    QCOMPARE(tags["IFD0:ImageDescription"].toString(), "from EXIF");
    for (const char* name : {"b.jpg", "b.tif", "b.webp", "b.exr"}) {
      copy(pair, name);
      QVERIFY2(says("the texts Author, Software, Description"), name);
      QVERIFY(!says("Copyright"));
      tags = tags_of(name);
      QCOMPARE(tags[name == "b.exr"s ? "OpenEXR:Artist" : "IFD0:Artist"].toString(), "E. Xif");
    }
  }

  // Names that mean other things than texts, and more texts than OpenImageIO reads.
  void texts_that_others_cannot_hold_are_named() {
    copy(with_chunks(plain_, chunk("tEXt", "Orientation\0north"s)), "b.jpg");
    QVERIFY(says("Orientation"));
    const std::string texts = chunk("tEXt", "Creator\0someone"s) + chunk("tEXt", "my:key\0mine"s) +
                              chunk("tEXt", "Type\0drawing"s) +
                              chunk("tEXt", "HostComputer\0box"s) +
                              chunk("tEXt", "Keywords\0red"s) + chunk("tEXt", "Name\0title"s);
    for (const char* name : {"b.jpg", "b.webp", "b.tif"}) {
      copy(with_chunks(plain_, texts), name);
      QVERIFY2(says("the texts Type, Creator, my:key"), name);
      QCOMPARE(says("IPTC metadata"), name == "b.webp"s);
      QCOMPARE(tags_of(name)["IFD0:HostComputer"].toString(), "box");
      QCOMPARE(tags_of(name)["IFD0:DocumentName"].toString(), "title");
    }
    copy(with_chunks(plain_, texts), "b.exr");
    QVERIFY(says("the texts Type"));
    QCOMPARE(tags_of("b.exr")["OpenEXR:Creator"].toString(), "someone");
    std::string many;
    for (int i = 1; i <= 1200; ++i) many += chunk("tEXt", "Key" + std::to_string(i) + "\0text"s);
    const std::string png = copy(with_chunks(plain_, many), "b.png");
    QVERIFY(said_.empty());
    QVERIFY(png.find(many) != std::string::npos);
    copy(with_chunks(plain_, many), "b.jpg");
    QVERIFY(says("Key1100") || says(", …"));
  }

  void no_chunk_of_very_many_is_lost_unsaid() {
    std::string many;
    for (int i = 0; i < 12000; ++i) many += chunk("prVt", std::to_string(i));
    put(folder_ / "many.png", with_chunks(plain_, many));
    const Said said = copy_picture(folder_ / "many.png", folder_ / "b.png", {.overwrite = true});
    QVERIFY(!said.reading.empty());
    QVERIFY(in_english(said.reading.at(0)).find("more than 10000 chunks") != std::string::npos);
  }

  // Without metadata, too, what a picture means stays or is named.
  void resolution_is_no_metadata() {
    const std::string shape = with_chunks(
        plain_, chunk("pHYs", big_endian_bytes(2000, 4) + big_endian_bytes(1000, 4) + '\1'));
    copy(shape, "b.ppm", {.keep_metadata = false});
    QVERIFY(says("the resolution, the shape of its pixels"));
    copy(shape, "b.jpg", {.keep_metadata = false});
    QVERIFY(said_.empty());
    for (const char* group : {"IFD0:", "JFIF:"}) {
      const QJsonObject tags = tags_of("b.jpg");
      QCOMPARE(tags[QString(group) + "XResolution"].toDouble(), 20.0);
      QCOMPARE(tags[QString(group) + "YResolution"].toDouble(), 10.0);
    }
  }

  // Pixels per metre in other units, to the last digit.
  void resolutions_are_exact() {
    for (const auto& [metre, centimetre, inch] :
         {std::tuple(2000, 20.0, 50.8), {2001, 20.01, 50.8254}, {11811, 118.11, 300.0}}) {
      const std::string shape =
          chunk("pHYs", big_endian_bytes(static_cast<unsigned>(metre), 4) +
                            big_endian_bytes(static_cast<unsigned>(metre), 4) + '\1');
      copy(with_chunks(plain_, shape), "c.jp2");
      for (const char* from : {"a.png", "c.jp2"}) {
        for (const char* to : {"b.tif", "b.jpg", "b.webp"}) {
          copy_picture(folder_ / from, folder_ / to, {.overwrite = true});
          const QJsonObject tags = tags_of(to);
          const bool inches = tags["IFD0:ResolutionUnit"].toInt() == 2;
          QCOMPARE(tags["IFD0:XResolution"].toDouble(), inches ? inch : centimetre);
          QCOMPARE(tags["IFD0:YResolution"].toDouble(), inches ? inch : centimetre);
        }
        copy_picture(folder_ / from, folder_ / "b.png", {.overwrite = true});
        QCOMPARE(tags_of("b.png")["PNG-pHYs:PixelsPerUnitX"].toInt(), metre);
      }
    }
  }

  static std::string packed_text(int megabytes) {
    const QByteArray packed = qCompress(QByteArray(megabytes << 20, 'a'), 9).mid(4);
    return chunk("zTXt", "Comment\0\0"s + packed.toStdString());
  }

  // Little data may become much text: it is counted before others read it.
  void texts_that_become_long() {
    std::string many;
    for (int i = 0; i < 10; ++i) many += packed_text(1);
    put(folder_ / "a.png", with_chunks(plain_, many));
    QCOMPARE(refusal([&] { read_all(*open_picture(folder_ / "a.png")); }), ""s);
    while (many.size() < 2'000'000) many += many;
    put(folder_ / "a.png", with_chunks(plain_, many));
    QElapsedTimer timer;
    timer.start();
    const std::string why = refusal([&] { read_all(*open_picture(folder_ / "a.png")); });
    QVERIFY2(why.find("its texts have more than 67108864 bytes") != std::string::npos, why.c_str());
    QVERIFY(timer.elapsed() < 10000);
  }

  // A place that is far away is no damage: it is kept, or named where it cannot be.
  void places_far_away() {
    copy(plain_, "near.tif");
    for (const std::uint32_t far : {0x7fffffffu, 0x40000001u, 0x80000001u, 0xffffffecu}) {
      const std::string place =
          chunk("oFFs", big_endian_bytes(far, 4) + big_endian_bytes(far, 4) + '\0');
      const std::string png = copy(with_chunks(plain_, place), "b.png");
      QCOMPARE(chunk_of(png, "oFFs"), place.substr(8, 9));
      QVERIFY(said_.empty());
      copy(with_chunks(plain_, place), "b.tif");
      QVERIFY(says("oFFs"));
      QVERIFY(values_of(folder_ / "b.tif") == values_of(folder_ / "near.tif"));
    }
  }

  void damaged_chunks_are_named() {
    std::string damaged = chunk("prVt", "safe");
    damaged[damaged.size() - 1] ^= 1;
    const std::string png = copy(with_chunks(plain_, damaged), "b.png");
    QVERIFY(says("prVt"));
    QVERIFY(!has_chunk(png, "prVt"));
    // Longer than a description may be.
    copy(with_chunks(plain_, chunk("prVt", std::string(std::size_t{3} << 20, 'x'))), "b.png");
    QVERIFY(says("prVt"));
    // One that ends after the file is damage to the picture, too.
    QVERIFY(!refusal([&] { copy(with_chunks(plain_, "\x7f\xff\xff\xffprVt"), "b.png"); }).empty());
    // A text without an end.
    copy(with_chunks(plain_, chunk("iTXt", "Title") + chunk("tEXt", "Comment")), "b.png");
    QVERIFY(has_chunk(content(folder_ / "b.png"), "IEND"));
  }
};

QTEST_GUILESS_MAIN(TestIoPngChunks)
#include "test_io_png_chunks.moc"
