// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What Photoshop's files say in their image resources, and resources that make no sense.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include "io/property_inputs.hpp"
#include "support/skips.hpp"

using namespace sfumato;
using namespace sfumato::testing;

class TestIoPsd : public QObject {
  Q_OBJECT

  Folder folder_;

  static QJsonObject tags_of(const std::filesystem::path& file) {
    const QByteArray text = output_of("exiftool", {"-j", "-a", "-G1", "-n", text_of(file)});
    return QJsonDocument::fromJson(text).array()[0].toObject();
  }

  void make(const QString& name, const QStringList& tags) const {
    output_of("convert", {text_of(folder_ / "plain.png"), "-compress", "RLE", "-density", "300",
                          "-units", "PixelsPerInch", text_of(folder_ / name.toStdString())});
    if (tags.isEmpty()) return;
    output_of("exiftool", QStringList{"-q", "-n", "-overwrite_original"}
                              << tags << text_of(folder_ / name.toStdString()));
  }

 private slots:
  void initTestCase() {
    for (const char* program : {"exiftool", "convert"}) {
      if (QStandardPaths::findExecutable(program).isEmpty()) SKIP_WITHOUT("a tool for pictures");
    }
    make_file(folder_ / "plain.png", {OIIO::ImageSpec(24, 18, 3, OIIO::TypeDesc::UINT8)});
  }

  // All that was said is said again, in the same characters, and nothing else.
  void is_kept_data() {
    QTest::addColumn<QString>("to");
    for (const char* to : {"jpg", "png", "tif", "jp2"}) QTest::newRow(to) << QString(to);
  }

  void is_kept() {
    QFETCH(const QString, to);
    make("a.psd", {"-charset", "iptc=utf8", "-IPTC:CodedCharacterSet=\x1b%G",
                   "-IPTC:Caption-Abstract=Größe", "-IPTC:Keywords=sea", "-IPTC:Keywords=sky",
                   "-XMP:Description=Höhe", "-XMP:Title=Leuchtturm", "-XMP:Rating=4",
                   "-EXIF:ImageDescription=Länge", "-EXIF:LensModel=Petzval 85",
                   "-EXIF:ColorSpace=1", "-GPS:GPSLatitude=12.5", "-GPS:GPSLatitudeRef=N"});
    const auto out = folder_ / ("a." + to.toStdString());
    const Said said = copy_picture(folder_ / "a.psd", out, {.overwrite = true});
    QVERIFY(said.reading.empty());
    const QJsonObject before = tags_of(folder_ / "a.psd"), after = tags_of(out);
    int compared = 0;
    for (const QString& tag : before.keys()) {
      const bool about = tag.startsWith("IPTC:") || tag.startsWith("XMP-") ||
                         tag.startsWith("GPS:") || tag.endsWith(":ImageDescription") ||
                         tag.endsWith(":LensModel");
      if (!about) continue;
      QVERIFY2(before[tag] == after[tag], tag.toUtf8());
      ++compared;
    }
    QVERIFY(compared >= 10);
    for (const QString& tag : after.keys()) {
      if (tag.startsWith("IPTC:")) QVERIFY2(before.contains(tag), tag.toUtf8());
    }
  }

  // A caption is not made of EXIF's description.
  void nothing_is_made_up() {
    make("b.psd", {"-EXIF:ImageDescription=Grüße", "-EXIF:ColorSpace=1"});
    for (const char* to : {"jpg", "png", "tif"}) {
      const auto out = folder_ / (std::string("b.") + to);
      copy_picture(folder_ / "b.psd", out);
      const QJsonObject tags = tags_of(out);
      QCOMPARE(tags["IFD0:ImageDescription"].toString(), QString("Grüße"));
      QVERIFY(!tags.contains("IPTC:Caption-Abstract"));
    }
  }

  // What cannot be kept is named.
  void is_named() {
    make("c.psd", {"-IPTC:Keywords=sea", "-XMP:Title=Leuchtturm", "-EXIF:LensModel=Petzval 85",
                   "-EXIF:ColorSpace=1"});
    const Said said = copy_picture(folder_ / "c.psd", folder_ / "c.bmp");
    std::string all;
    for (const Message& m : said.writing) all += in_english(m);
    for (const char* word : {"IPTC", "XMP", "EXIF"}) {
      QVERIFY2(all.find(word) != std::string::npos, all.c_str());
    }
  }

  // Lengths that lead out of the resources, or nowhere.
  void damaged_resources() {
    make("d.psd", {"-IPTC:Keywords=sea", "-XMP:Title=x", "-EXIF:ColorSpace=1"});
    const std::string whole = content(folder_ / "d.psd");
    std::size_t at = whole.find("8BIM");
    int tried = 0;
    for (; at != std::string::npos && tried < 200; at = whole.find("8BIM", at + 1)) {
      for (const std::uint64_t size : {0xffffffffu, 0x7fffffffu, 0x00ffffffu, 0x100u, 1u, 0u}) {
        std::string bytes = whole;
        bytes.replace(at + 8, 4, big_endian_bytes(size, 4));
        put(folder_ / "e.psd", bytes);
        try {
          copy_picture(folder_ / "e.psd", folder_ / "e.png", {.overwrite = true});
        } catch (const FileError&) {
          // OpenImageIO may refuse it.
        }
        ++tried;
      }
    }
    QVERIFY(tried > 6);
    for (std::size_t cut = 26; cut < whole.size(); cut += 37) {
      put(folder_ / "e.psd", whole.substr(0, cut));
      try {
        copy_picture(folder_ / "e.psd", folder_ / "e.png", {.overwrite = true});
      } catch (const FileError&) {
        // Cut short.
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestIoPsd)
#include "test_io_psd.moc"
