// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Descriptions that stand where few readers look: behind a picture's data, or as bytes in texts.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include "io/property_inputs.hpp"
#include "support/skips.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

const std::string exif_bytes("MM\0*\0\0\0\x08\0\1\x01\x12\0\3\0\0\0\1\0\6\0\0\0\0\0\0", 26);
const std::string xmp_bytes =
    "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF "
    "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description rdf:about='' "
    "xmlns:xmp='http://ns.adobe.com/xap/1.0/' xmp:Rating='3'/></rdf:RDF></x:xmpmeta>";

std::string compressed(const std::string& text) {
  return qCompress(QByteArray::fromStdString(text)).mid(4).toStdString();
}

// ImageMagick's convention.
std::string raw(const std::string& name, const std::string& bytes) {
  return "\n" + name + "\n    " + std::to_string(bytes.size()) + "\n" +
         QByteArray::fromStdString(bytes).toHex().toStdString() + "\n";
}

std::string text_chunk(const std::string& keyword, const std::string& text) {
  return chunk("tEXt", keyword + '\0' + text);
}

std::string with_late_chunks(std::string png, const std::string& chunks) {
  return png.insert(png.size() - 12, chunks);
}

QJsonObject tags_of(const std::filesystem::path& file) {
  const QByteArray text = output_of("exiftool", {"-j", "-a", "-G1", "-n", text_of(file)});
  return QJsonDocument::fromJson(text).array()[0].toObject();
}

}  // namespace

class TestIoLate : public QObject {
  Q_OBJECT

  Folder folder_;

  // What a copy says, in a format of another kind.
  QJsonObject copied(const std::string& bytes, const std::string& from, const std::string& to) {
    put(folder_ / ("a." + from), bytes);
    const auto out = folder_ / ("b." + to);
    copy_picture(folder_ / ("a." + from), out, {.overwrite = true});
    return tags_of(out);
  }

 private slots:
  void initTestCase() {
    if (QStandardPaths::findExecutable("exiftool").isEmpty()) SKIP_WITHOUT("exiftool");
    make_file(folder_ / "plain.png", {OIIO::ImageSpec(24, 18, 3, OIIO::TypeDesc::UINT8)});
  }

  void chunks_of_png_data() {
    QTest::addColumn<std::string>("chunks");
    QTest::addColumn<QString>("tag");
    QTest::addColumn<QString>("value");
    const QString title = "IFD0:ImageDescription", rating = "XMP-xmp:Rating",
                  turned = "IFD0:Orientation", size = QString::fromUtf8("Größe");
    const std::string keyword("Description\0", 12);
    QTest::newRow("tEXt") << chunk("tEXt", keyword +
                                               "Gr\xf6\xdf"
                                               "e")
                          << title << size;
    QTest::newRow("zTXt") << chunk("zTXt", keyword + '\0' +
                                               compressed("Gr\xf6\xdf"
                                                          "e"))
                          << title << size;
    QTest::newRow("iTXt") << chunk("iTXt", keyword + std::string("\0\0de\0\0", 6) + "Größe")
                          << title << size;
    QTest::newRow("compressed iTXt")
        << chunk("iTXt", keyword + std::string("\1\0de\0\0", 6) + compressed("Größe")) << title
        << size;
    QTest::newRow("EXIF") << chunk("eXIf", exif_bytes) << turned << "6";
    const std::string xmp("XML:com.adobe.xmp\0", 18);
    QTest::newRow("XMP") << chunk("iTXt", xmp + std::string("\0\0\0\0", 4) + xmp_bytes) << rating
                         << "3";
    QTest::newRow("compressed XMP")
        << chunk("iTXt", xmp + std::string("\1\0\0\0", 4) + compressed(xmp_bytes)) << rating << "3";
    const std::string raw_name = "Raw profile type ", mark("Exif\0\0", 6);
    QTest::newRow("EXIF as text") << text_chunk(raw_name + "exif", raw("exif", mark + exif_bytes))
                                  << turned << "6";
    QTest::newRow("EXIF of an old name")
        << text_chunk(raw_name + "APP1", raw("generic profile", mark + exif_bytes)) << turned
        << "6";
    QTest::newRow("XMP as text") << text_chunk(raw_name + "xmp", raw("xmp", xmp_bytes)) << rating
                                 << "3";
    QTest::newRow("XMP of an old name")
        << text_chunk(raw_name + "APP1",
                      raw("generic profile",
                          std::string("http://ns.adobe.com/xap/1.0/\0", 29) + xmp_bytes))
        << rating << "3";
    QTest::newRow("IPTC among resources")
        << text_chunk(raw_name + "8bim",
                      raw("8bim", std::string("8BIM\4\4\0\0\0\0\0\x08\x1c\2\x19\0\3sea", 20)))
        << "IPTC:Keywords"
        << "sea";
  }

  // Before the data and behind it, in the whole picture and in a frame.
  void chunks_of_png() {
    QFETCH(const std::string, chunks);
    QFETCH(const QString, tag);
    QFETCH(const QString, value);
    const std::string plain = content(folder_ / "plain.png");
    for (const std::string& file : {with_chunks(plain, chunks), with_late_chunks(plain, chunks)}) {
      for (const char* to : {"png", "jpg", "tif"}) {
        const QJsonObject tags = copied(file, "png", to);
        QVERIFY2(tags[tag].toVariant().toString() == value, QJsonDocument(tags).toJson());
      }
    }
  }

  // Rows are found where they are, however they are asked for.
  void pixels_before_late_chunks() {
    make_file(folder_ / "rows.png", {OIIO::ImageSpec(40, 300, 3, OIIO::TypeDesc::UINT16)});
    const std::string plain = content(folder_ / "rows.png");
    std::string file = with_late_chunks(plain, chunk("eXIf", exif_bytes));
    file = with_late_chunks(file, chunk("vpAg", "unknown"));
    put(folder_ / "late.png", with_late_chunks(file, text_chunk("Author", "nobody")));
    const auto one = open_picture(folder_ / "rows.png"), late = open_picture(folder_ / "late.png");
    QCOMPARE(late->info().orientation, 6);
    std::vector<char> a(one->format().row_bytes()), b(a.size());
    for (const int y : {299, 0, 150, 149, 299, 3}) {
      one->read({0, y, 40, y + 1}, a.data(), static_cast<std::ptrdiff_t>(a.size()));
      late->read({0, y, 40, y + 1}, b.data(), static_cast<std::ptrdiff_t>(b.size()));
      QCOMPARE(b, a);
    }
  }

  void damaged_chunks_are_ignored_data() {
    QTest::addColumn<std::string>("chunks");
    const std::string xmp("XML:com.adobe.xmp\0", 18);
    QTest::newRow("no stream") << chunk("iTXt", xmp + std::string("\1\0\0\0", 4) + "no stream");
    QTest::newRow("no text") << chunk("iTXt", xmp);
    QTest::newRow("odd digits") << text_chunk("Raw profile type exif", "\nexif\n 26\n4578696");
    QTest::newRow("no digits") << text_chunk("Raw profile type exif", "");
    QTest::newRow("no EXIF") << chunk("eXIf", "MM");
    QTest::newRow("a chunk that claims too much")
        << std::string("\x7f\xff\xff\xff", 4) + "tEXtAuthor";
  }

  void damaged_chunks_are_ignored() {
    QFETCH(const std::string, chunks);
    const QJsonObject tags =
        copied(with_late_chunks(content(folder_ / "plain.png"), chunks), "png", "jpg");
    QCOMPARE(tags["File:ImageWidth"].toInt(), 24);
    QVERIFY(!tags.contains("XMP-xmp:Rating"));
    QVERIFY(!tags.contains("IFD0:Orientation"));
  }

  // Several, and beside the description of EXIF.
  void comments_of_jpeg() {
    make_file(folder_ / "plain.jpg", {OIIO::ImageSpec(24, 18, 3, OIIO::TypeDesc::UINT8)});
    const std::string plain = content(folder_ / "plain.jpg");
    const auto comment = [](const std::string& text) {
      return "\xff\xfe" + big_endian_bytes(text.size() + 2, 2) + text;
    };
    std::string file = plain;
    file.insert(2, comment("one") + comment("two"));
    QCOMPARE(copied(file, "jpg", "tif")["IFD0:ImageDescription"].toString(), "one\ntwo");
    put(folder_ / "said.jpg", plain);
    output_of("exiftool", {"-q", "-overwrite_original", "-EXIF:ImageDescription=Hallo",
                           text_of(folder_ / "said.jpg")});
    file = content(folder_ / "said.jpg");
    file.insert(2, comment("beside"));
    for (const char* to : {"tif", "jpg", "png"}) {
      const QJsonObject tags = copied(file, "jpg", to);
      QVERIFY2(tags["IFD0:ImageDescription"].toString() == "Hallo", QJsonDocument(tags).toJson());
      const char* place = std::string(to) == "jpg" ? "File:Comment" : "ExifIFD:UserComment";
      QVERIFY2(tags[place].toString() == "beside", QJsonDocument(tags).toJson());
    }
  }

  void comments_of_gif() {
    std::string gif = transparent_gif(1, "first");
    gif.insert(gif.size() - 1, std::string("\x21\xfe\6second\0", 10));
    const QJsonObject tags = copied(gif, "gif", "tif");
    QCOMPARE(tags["IFD0:ImageDescription"].toString(), "first\nsecond");
  }

  // As the standard has it, and in blocks.
  void xmp_of_gif() {
    std::string magic("\1", 1);
    for (int i = 255; i >= 0; --i) magic += static_cast<char>(i);
    std::string blocks;
    for (std::size_t at = 0; at < xmp_bytes.size(); at += 200) {
      const std::string piece = xmp_bytes.substr(at, 200);
      blocks += static_cast<char>(piece.size()) + piece;
    }
    for (const std::string& body : {xmp_bytes + magic, blocks}) {
      std::string gif = transparent_gif(1, "first");
      gif.insert(gif.size() - 1, "\x21\xff\x0bXMP DataXMP" + body + std::string(1, '\0'));
      const QJsonObject tags = copied(gif, "gif", "png");
      QVERIFY2(tags["XMP-xmp:Rating"].toInt() == 3, QJsonDocument(tags).toJson());
      QCOMPARE(tags["PNG:Description"].toString(), "first");
    }
  }
};

QTEST_GUILESS_MAIN(TestIoLate)
#include "test_io_late.moc"
