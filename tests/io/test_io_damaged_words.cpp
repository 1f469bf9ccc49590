// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Words in files that are damaged, long or of unknown kinds: what is lost of them has a sentence,
// and nothing else is. exiftool reads the copies.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include "io/carried_files.hpp"
#include "io/property_inputs.hpp"
#include "io/property_results.hpp"
#include "support/skips.hpp"

using namespace std::string_literals;
using namespace sfumato;
using namespace sfumato::testing;

namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

// Behind the length that Qt puts in front.
std::string packed(const std::string& text) {
  return qCompress(QByteArray::fromStdString(text)).mid(4).toStdString();
}

std::string packed_text(const std::string& keyword, const std::string& text) {
  return chunk("zTXt", keyword + "\0\0"s + packed(text));
}
std::string text_in(const std::string& language, const std::string& keyword,
                    const std::string& text) {
  return chunk("iTXt", keyword + "\0\1\0"s + language + "\0\0"s + packed(text));
}

// An artist, and pointers at the directories of the camera and of the place.
std::string exif_block(std::uint32_t photo, std::uint32_t gps) {
  const auto entry = [](int tag, int type, std::uint32_t count, std::uint32_t value) {
    return TiffWriter::number(static_cast<std::uint32_t>(tag), 2) +
           TiffWriter::number(static_cast<std::uint32_t>(type), 2) + TiffWriter::number(count, 4) +
           TiffWriter::number(value, 4);
  };
  std::string out = "II*\0\x08\0\0\0"s + TiffWriter::number(3, 2);
  out += entry(0x013b, 2, 4, 0x006f4a) + entry(0x8769, 4, 1, photo) + entry(0x8825, 4, 1, gps);
  out += TiffWriter::number(0, 4);  // 50 bytes
  out += TiffWriter::number(1, 2) + entry(0xa405, 3, 1, 35) + TiffWriter::number(0, 4);
  return out + TiffWriter::number(1, 2) + entry(0, 1, 4, 2) + TiffWriter::number(0, 4);
}
constexpr std::uint32_t photo_at = 50, gps_at = 68;

bool says(const std::vector<Message>& all, const std::string& id) {
  return std::any_of(all.begin(), all.end(), [&](const Message& m) { return m.id == id; });
}

}  // namespace

class TestIoDamagedWords : public QObject {
  Q_OBJECT

  Folder folder_;
  std::string png_, jpeg_;
  Said said_;

  QJsonObject copied(const std::string& from, const std::string& to) {
    said_ = copy_picture(folder_ / from, folder_ / to, {.overwrite = true, .quality = 100});
    return exif_tags(folder_ / to);
  }
  void put_png(const std::string& chunks) { put(folder_ / "a.png", with_chunks(png_, chunks)); }

 private slots:
  void initTestCase() {
    if (QStandardPaths::findExecutable("exiftool").isEmpty()) SKIP_WITHOUT("exiftool");
    make_file(folder_ / "plain.png", {OIIO::ImageSpec(33, 21, 3, OIIO::TypeDesc::UINT8)});
    make_file(folder_ / "plain.jpg", {OIIO::ImageSpec(33, 21, 3, OIIO::TypeDesc::UINT8)});
    png_ = without_chunks(content(folder_ / "plain.png"), "sRGB gAMA cHRM");
    jpeg_ = content(folder_ / "plain.jpg");
  }

  // As long as all texts may be.
  void long_texts_stay_in_png() {
    const std::string long_one = packed_text("Comment", std::string(17 * mebibyte, 'a'));
    put_png(long_one);
    copied("a.png", "b.png");
    QVERIFY(said_.reading.empty());
    QVERIFY(said_.writing.empty());
    QVERIFY(content(folder_ / "b.png").find(long_one) != std::string::npos);
    const std::string plain = chunk("tEXt", "Comment\0"s + std::string(20 * mebibyte, 'b'));
    put_png(plain);
    copied("a.png", "b.png");
    QVERIFY(said_.reading.empty());
    QVERIFY(said_.writing.empty());
    QVERIFY(content(folder_ / "b.png").find(plain) != std::string::npos);
    copied("a.png", "b.tif");
    const bool kept =
        content(folder_ / "b.tif").find(std::string(20 * mebibyte, 'b')) != std::string::npos;
    QVERIFY(kept || says(said_.writing, "format.other_texts"));
  }

  void long_texts_keep_their_languages() {
    const std::string german = text_in("de", "Title", std::string(20 * mebibyte, 'd')),
                      french = text_in("fr", "Title", std::string(20 * mebibyte, 'f'));
    put_png(german + french);
    copied("a.png", "b.png");
    QVERIFY(said_.writing.empty());
    QVERIFY(content(folder_ / "b.png").find(german + french) != std::string::npos);
    copied("a.png", "b.tif");
    QVERIFY(says(said_.writing, "format.other_texts"));
  }

  // Not for the XMP that is beside them.
  void damaged_texts_are_named() {
    const std::string xmp =
        chunk("iTXt",
              "XML:com.adobe.xmp\0\0\0\0\0<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF "
              "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description "
              "xmlns:dc='http://purl.org/dc/elements/1.1/' dc:format='image/png'/></rdf:RDF>"
              "</x:xmpmeta>"s);
    for (const std::string& damaged :
         {chunk("zTXt", "Warning\0\0"s + packed(std::string(100, 'w')).substr(0, 8)),
          chunk("iTXt", "Warning\0\1\0\0\0rubbish"s)}) {
      put_png(damaged + chunk("tEXt", "Title\0Sea"s) + xmp);
      const QJsonObject tags = copied("a.png", "b.png");
      QCOMPARE(said_.reading.size(), 1u);
      QCOMPARE(said_.reading[0].id, "file.unread_texts"s);
      QVERIFY(in_english(said_.reading[0]).find("Warning") != std::string::npos);
      QVERIFY(said_.writing.empty());
      QCOMPARE(tags["PNG:Title"].toString(), "Sea");
      QCOMPARE(tags["XMP-dc:Format"].toString(), "image/png");
    }
    put_png(chunk("iTXt", "XML:com.adobe.xmp\0\1\0\0\0rubbish"s) + chunk("tEXt", "Title\0Sea"s));
    QCOMPARE(copied("a.png", "b.png")["PNG:Title"].toString(), "Sea");
    QVERIFY(said_.reading.empty());
    QVERIFY(says(said_.writing, "file.xmp_cut"));
  }

  void damaged_exif_is_said_data() {
    QTest::addColumn<QByteArray>("block");
    QTest::addColumn<bool>("damaged");
    QTest::addColumn<QString>("artist");
    const std::string sound = exif_block(photo_at, gps_at);
    const auto row = [](const char* name, const std::string& block, bool damaged,
                        const char* artist) {
      QTest::newRow(name) << QByteArray::fromStdString(block) << damaged << artist;
    };
    row("sound", sound, false, "Jo");
    row("cut in the second directory", sound.substr(0, photo_at + 8), true, "Jo");
    row("cut in the first", sound.substr(0, 30), true, "Jo");
    row("its directory is nowhere", "II*\0\xff\xff\0\0"s + sound.substr(8), true, "");
    row("the camera's is nowhere", exif_block(9999, gps_at), true, "Jo");
    row("the place's is nowhere", exif_block(photo_at, 0x7fffffff), true, "Jo");
    row("no block", "rubbish, and more of it", true, "");
  }
  void damaged_exif_is_said() {
    QFETCH(const QByteArray, block);
    QFETCH(const bool, damaged);
    QFETCH(const QString, artist);
    const std::string bytes = block.toStdString();
    put_png(chunk("eXIf", bytes));
    const std::string body = "Exif\0\0"s + bytes;
    put(folder_ / "a.jpg", jpeg_.substr(0, 20) + "\xff\xe1" + big_endian_bytes(body.size() + 2, 2) +
                               body + jpeg_.substr(20));
    copied("plain.png", "a.webp");
    std::string webp = content(folder_ / "a.webp");
    put(folder_ / "a.webp", with_exif(webp, bytes));
    for (const char* from : {"a.png", "a.jpg", "a.webp"}) {
      const QJsonObject tags = copied(from, "b.jpg");
      QCOMPARE(says(said_.writing, "file.exif_cut"), damaged);
      QCOMPARE(tags["IFD0:Artist"].toString(), artist);
      if (!damaged) QCOMPARE(tags["ExifIFD:FocalLengthIn35mmFormat"].toInt(), 35);
    }
  }

  // In a file that holds it as an item.
  void damaged_exif_of_heif_is_said() {
    put_png(chunk("eXIf", exif_block(photo_at, gps_at)));
    if (!refusal([&] { copied("a.png", "a.avif"); }).empty()) SKIP_WITHOUT("an encoder of AVIF");
    copied("a.avif", "b.jpg");
    QVERIFY(!says(said_.writing, "file.exif_cut"));
    std::string bytes = content(folder_ / "a.avif");
    const std::size_t block = bytes.find("II*\0"s);
    QVERIFY(block != std::string::npos);
    put(folder_ / "a.avif", bytes.replace(block + 4, 4, "\xff\xff\0\0"s));
    copied("a.avif", "b.jpg");
    QVERIFY(says(said_.writing, "file.exif_cut"));
    // The number of bytes in front of the block leads beyond its end.
    const bool marked = bytes.compare(block - 6, 4, "Exif") == 0;
    const std::size_t number = block - (marked ? 10 : 4);
    put(folder_ / "a.avif", bytes.replace(number, 4, "\x7f\xff\xff\xff"));
    copied("a.avif", "b.jpg");
    QVERIFY(says(said_.writing, "file.exif_cut"));
  }

  void photoshop_resources_of_psd_are_kept() {
    if (QStandardPaths::findExecutable("convert").isEmpty()) SKIP_WITHOUT("ImageMagick");
    output_of("convert", {text_of(folder_ / "plain.png"), text_of(folder_ / "a.psd")});
    const std::string plugin = image_resource(4000, std::string(9 * mebibyte, 'p'));
    put(folder_ / "a.psd", with_resource(content(folder_ / "a.psd"), plugin));
    copied("a.psd", "b.tif");
    QVERIFY(content(folder_ / "b.tif").find(plugin) != std::string::npos);
    QVERIFY(!says(said_.writing, "file.resources_cut"));
  }

  void photoshop_resources_are_kept() {
    const std::string large = image_resource(4000, std::string(9 * mebibyte, 'p')),
                      setting = image_resource(1037, "\0\0\0\x1e"s);
    const std::string plugin = large + setting;
    put_tiff(plugin);
    copied("a.tif", "b.tif");
    QVERIFY(said_.writing.empty());
    QVERIFY(content(folder_ / "b.tif").find(large) != std::string::npos);
    copied("a.tif", "b.jpg");
    QVERIFY(said_.writing.empty());
    copied("b.jpg", "c.tif");
    QVERIFY(said_.writing.empty());
    QVERIFY(content(folder_ / "c.tif").find(large) != std::string::npos);
    copied("a.tif", "b.webp");
    QVERIFY(says(said_.writing, "format.drops"));
    put_tiff(plugin.substr(0, mebibyte));
    copied("a.tif", "b.tif");
    QVERIFY(says(said_.writing, "file.resources_cut"));
  }

 private:
  void put_tiff(const std::string& resources) {
    copied("plain.png", "a.tif");
    put(folder_ / "a.tif", with_tag(content(folder_ / "a.tif"), 34377, 1, resources));
  }
  // Its directory again at the end, with one more entry.
  static std::string with_tag(const std::string& tiff, int tag, int type,
                              const std::string& value) {
    const auto at = static_cast<std::size_t>(little_endian_at(tiff, 4, 4));
    const auto count = static_cast<std::size_t>(little_endian_at(tiff, at, 2));
    std::string out = tiff + std::string(tiff.size() % 2, '\0');
    const auto value_at = static_cast<std::uint32_t>(out.size());
    out += value + std::string(value.size() % 2, '\0');
    const auto directory = static_cast<std::uint32_t>(out.size());
    const std::string entry = TiffWriter::number(static_cast<std::uint32_t>(tag), 2) +
                              TiffWriter::number(static_cast<std::uint32_t>(type), 2) +
                              TiffWriter::number(static_cast<std::uint32_t>(value.size()), 4) +
                              TiffWriter::number(value_at, 4);
    std::string entries, last;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string one = tiff.substr(at + 2 + 12 * i, 12);
      (little_endian_at(one, 0, 2) < static_cast<std::uint64_t>(tag) ? entries : last) += one;
    }
    out += TiffWriter::number(static_cast<std::uint32_t>(count + 1), 2) + entries + entry + last +
           std::string(4, '\0');
    return out.replace(4, 4, TiffWriter::number(directory, 4));
  }
  // An extended file (VP8X), made of a simple one.
  static std::string with_exif(const std::string& webp, const std::string& exif) {
    const auto number = [](std::size_t value, int bytes) {
      return TiffWriter::number(static_cast<std::uint32_t>(value), bytes);
    };
    const std::string picture = webp.substr(12);
    const std::string body = "WEBPVP8X"s + number(10, 4) + number(8, 4) + number(32, 3) +
                             number(20, 3) + picture + "EXIF" + number(exif.size(), 4) + exif +
                             std::string(exif.size() % 2, '\0');
    return "RIFF" + number(body.size(), 4) + body;
  }
};

QTEST_GUILESS_MAIN(TestIoDamagedWords)
#include "test_io_damaged_words.moc"
