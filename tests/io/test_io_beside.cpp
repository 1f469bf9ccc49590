// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Words of one kind in several places of a file, such as EXIF's date and XMP's: none takes another
// one's place unsaid. exiftool writes the inputs and reads the copies.
#include <QTest>

#include "io/carried_files.hpp"
#include "io/programs.hpp"
#include "support/files.hpp"
#include "support/skips.hpp"

using namespace std::string_literals;
using namespace sfumato;
using namespace sfumato::testing;

class TestIoBeside : public QObject {
  Q_OBJECT

  Folder folder_;

  void make(const std::string& name, const QStringList& tags) {
    make_file(folder_ / name, {OIIO::ImageSpec(16, 12, 3, OIIO::TypeDesc::UINT8)});
    QStringList arguments = {"-q", "-m", "-n", "-overwrite_original"};
    output_of("exiftool", arguments + tags + QStringList{text_of(folder_ / name)});
  }

  std::string copied(const std::string& from, const std::string& to) {
    std::string all;
    for (const std::string& one : pass_through(folder_ / from, folder_ / to, {.overwrite = true})) {
      all += one + "\n";
    }
    return all;
  }

  QString value(const std::string& name, const char* tag) const {
    return exif_tags(folder_ / name)[tag].toVariant().toString();
  }

  // By its attribute; the date may be the begin of one.
  bool is_dated(const std::string& name, const std::string& date) const {
    std::string wanted("capDate\0string\0\x13\0\0\0", 19);
    wanted.append(date);
    return content(folder_ / name).find(wanted) != std::string::npos;
  }

 private slots:
  void initTestCase() {
    if (QStandardPaths::findExecutable("exiftool").isEmpty()) SKIP_WITHOUT("exiftool");
  }

  void dates_data() {
    QTest::addColumn<QString>("from");
    for (const char* name : {"a.jpg", "a.tif", "a.webp", "a.png"}) QTest::newRow(name) << name;
  }
  void dates() {
    QFETCH(const QString, from);
    const std::string name = from.toStdString(), date = "2020:01:02 03:04:05";
    const QStringList of_xmp = {"-XMP-xmp:CreateDate=2021:02:03 04:05:06",
                                "-XMP-xmp:ModifyDate=2022:02:03 04:05:06"};
    make(name, of_xmp + QStringList{"-EXIF:ModifyDate=2020:01:02 03:04:05"});
    if (from == "a.png") put(folder_ / name, without_chunks(content(folder_ / name), "tIME"));
    copied(name, "b.exr");
    QVERIFY(is_dated("b.exr", date));
    copied(name, "b.tga");
    QCOMPARE(targa_area(content(folder_ / "b.tga")).substr(367, 6), "\1\0\2\0\xe4\7"s);
    copied(name, "b.hdr");
    QVERIFY(content(folder_ / "b.hdr").find("CAPDATE= " + date) != std::string::npos);
    QVERIFY(copied(name, "b.jpg").empty());
    QCOMPARE(value("b.jpg", "IFD0:ModifyDate"), QString::fromStdString(date));
    copied(name, "c.png");
    QCOMPARE(value("c.png", "PNG:ModifyDate"), QString::fromStdString(date));
    // XMP's own is written as EXIF writes dates.
    make(name, of_xmp + QStringList{"-EXIF:ModifyDate="});
    if (from == "a.png") put(folder_ / name, without_chunks(content(folder_ / name), "tIME"));
    if (from == "a.tif") return;  // exiftool leaves OpenImageIO's
    copied(name, "b.exr");
    QVERIFY(is_dated("b.exr", "202"));
  }

  // A PNG file has a date and texts of its own.
  void png_beside_exif() {
    make("a.png", {"-EXIF:ModifyDate=2020:01:02 03:04:05", "-EXIF:DocumentName=in EXIF",
                   "-PNG:Title=its own"});
    const std::string bytes = without_chunks(content(folder_ / "a.png"), "tIME");
    put(folder_ / "a.png", with_chunks(bytes, chunk("tIME", "\x07\xe5\3\4\5\6\7"s)));
    for (const char* name : {"b.jpg", "b.tif", "b.webp", "b.jp2"}) {
      const std::string said = copied("a.png", name);
      QVERIFY2(said.find("tIME") != said.npos && said.find("the texts Title\n") != said.npos,
               said.c_str());
      QCOMPARE(value(name, "IFD0:ModifyDate"), QString("2020:01:02 03:04:05"));
      QCOMPARE(value(name, "IFD0:DocumentName"), QString("in EXIF"));
    }
    const std::string said = copied("a.png", "b.exr");
    QVERIFY2(said.find("the EXIF entries DateTime\n") != said.npos, said.c_str());
    QVERIFY(content(folder_ / "b.exr").find("2021:03:04 05:06:07") != std::string::npos);
    QVERIFY(copied("a.png", "b.png").empty());
    QCOMPARE(value("b.png", "PNG:ModifyDate"), QString("2021:03:04 05:06:07"));
    QCOMPARE(value("b.png", "IFD0:ModifyDate"), QString("2020:01:02 03:04:05"));
    QCOMPARE(value("b.png", "PNG:Title"), QString("its own"));
  }

  // A JPEG file has comments beside EXIF's.
  void comments_of_jpeg() {
    make("a.jpg", {"-EXIF:UserComment=in EXIF", "-EXIF:ImageDescription=x", "-Comment=its own"});
    QVERIFY(copied("a.jpg", "b.jpg").empty());
    QVERIFY(copied("b.jpg", "c.jpg").empty());
    for (const char* name : {"b.jpg", "c.jpg"}) {
      QCOMPARE(value(name, "File:Comment"), QString("its own"));
      QCOMPARE(value(name, "ExifIFD:UserComment"), QString("in EXIF"));
    }
    const std::string said = copied("a.jpg", "b.webp");
    QVERIFY2(said.find("the texts Comment\n") != said.npos, said.c_str());
    // Both become EXIF's behind OpenEXR, where they are two attributes.
    copied("a.jpg", "b.exr");
    copied("b.exr", "b.tif");
    QCOMPARE(value("b.tif", "ExifIFD:UserComment").simplified(), QString("in EXIF its own"));
    // Two long ones are one text in our eyes, which fits into no segment.
    std::string two;
    for (const char c : {'y', 'z'}) {
      two.append("\xff\xfe").append(big_endian_bytes(40002, 2)).append(40000, c);
    }
    put(folder_ / "a.jpg", content(folder_ / "a.jpg").insert(2, two));
    QVERIFY(copied("a.jpg", "b.jpg").empty());
    std::string all;
    for (const auto& [marker, body] : segments_of(content(folder_ / "b.jpg"))) {
      if (marker == 0xfe) all += body;
    }
    std::string expected(40000, 'y');
    expected.append("\n").append(40000, 'z').append("\nits own");
    QCOMPARE(all, expected);
  }

  void iptc_counts_before_xmp() {
    make("a.jpg", {"-IPTC:ObjectName=a title", "-IPTC:Headline=a headline", "-IPTC:By-line=A",
                   "-IPTC:LanguageIdentifier=de", "-XMP-dc:Title=another",
                   "-XMP-photoshop:Headline=another", "-XMP-xmp:Rating=4", "-IPTC:Keywords=sea",
                   "-IPTC:Caption-Abstract=words", "-EXIF:ImageDescription=others",
                   "-EXIF:Artist=B", "-IPTC:CopyrightNotice=C", "-EXIF:Copyright=D"});
    const std::string said = copied("a.jpg", "b.exr");
    QVERIFY2(said.find("the IPTC entries 2:135\n") != said.npos, said.c_str());
    QVERIFY2(said.find("XMP metadata") != said.npos, said.c_str());
    QCOMPARE(value("b.exr", "OpenEXR:IPTCObjectName"), QString("a title"));
    QCOMPARE(value("b.exr", "OpenEXR:IPTCHeadline"), QString("a headline"));
    for (const char* name : {"b.jpg", "b.png", "b.tif", "b.jp2"}) {
      copied("b.exr", name);
      QCOMPARE(value(name, "IPTC:ObjectName"), QString("a title"));
      QCOMPARE(value(name, "IPTC:By-line"), QString("A"));
      QCOMPARE(value(name, "IPTC:Caption-Abstract"), QString("words"));
      QCOMPARE(value(name, "IPTC:CopyrightNotice"), QString("C"));
      QCOMPARE(value(name, "IFD0:Artist"), QString("B"));
    }
    // Lists and numbers that no format has a place for.
    const std::string lost = copied("b.exr", "b.webp");
    QVERIFY2(lost.find("IPTC:ObjectName, IPTC:Rating, ") != lost.npos, lost.c_str());
  }
};

QTEST_GUILESS_MAIN(TestIoBeside)
#include "test_io_beside.moc"
