// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Comments that stand beside EXIF: segments of JPEG files, and those of JPEG 2000 codestreams.
// exiftool and OpenJPEG's compressor are asked, or the bytes.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include "io/property_inputs.hpp"
#include "io/property_results.hpp"
#include "support/skips.hpp"

using namespace std::string_literals;
using namespace sfumato;
using namespace sfumato::testing;

namespace {

std::string segment(int marker, const std::string& body) {
  return "\xff"s + static_cast<char>(marker) + big_endian_bytes(body.size() + 2, 2) + body;
}

// Behind the start of the picture.
std::string with_segments(const std::string& jpeg, const std::string& segments) {
  const std::size_t head = 4 + static_cast<std::size_t>(big_endian(jpeg, 4, 2));
  return jpeg.substr(0, head) + segments + jpeg.substr(head);
}

// Of the kind 1 texts, of 0 bytes; in front of the first tile.
std::string with_comment(const std::string& codestream, int kind, const std::string& body) {
  const std::size_t tile = codestream.find("\xff\x90\0\x0a"s);
  return codestream.substr(0, tile) +
         segment(0x64, big_endian_bytes(static_cast<std::uint64_t>(kind), 2) + body) +
         codestream.substr(tile);
}

bool says(const std::vector<Message>& all, const std::string& id) {
  return std::any_of(all.begin(), all.end(), [&](const Message& m) { return m.id == id; });
}

}  // namespace

class TestIoOwnComments : public QObject {
  Q_OBJECT

  Folder folder_;
  std::string jpeg_, codestream_;
  Said said_;

  QJsonObject copied(const std::string& from, const std::string& to) {
    said_ = copy_picture(folder_ / from, folder_ / to, {.overwrite = true, .quality = 100});
    return exif_tags(folder_ / to);
  }
  std::vector<std::string> comments(const std::string& name) const {
    std::vector<std::string> out;
    for (const auto& [marker, body] : segments_of(content(folder_ / name))) {
      if (marker == 0xfe) out.push_back(body);
    }
    return out;
  }

 private slots:
  void initTestCase() {
    if (QStandardPaths::findExecutable("exiftool").isEmpty()) SKIP_WITHOUT("exiftool");
    make_file(folder_ / "plain.jpg", {OIIO::ImageSpec(33, 21, 3, OIIO::TypeDesc::UINT8)});
    make_file(folder_ / "plain.png", {OIIO::ImageSpec(33, 21, 3, OIIO::TypeDesc::UINT8)});
    copy_picture(folder_ / "plain.png", folder_ / "plain.j2k");
    jpeg_ = content(folder_ / "plain.jpg");
    codestream_ = content(folder_ / "plain.j2k");
  }

  // Not a part of EXIF, which the file has none of.
  void jpeg_comments_stay_comments() {
    put(folder_ / "a.jpg", with_segments(jpeg_, segment(0xfe, "Grüße")));
    const QJsonObject tags = copied("a.jpg", "b.jpg");
    QVERIFY(said_.writing.empty());
    QVERIFY(comments("b.jpg") == std::vector<std::string>{"Grüße"});
    QVERIFY(!tags.contains("IFD0:ImageDescription"));
    QCOMPARE(copied("b.jpg", "c.png")["PNG:Description"].toString(), "Grüße");
  }

  void long_jpeg_comments_are_kept() {
    const std::string text(65500, 'a');
    put(folder_ / "a.jpg", with_segments(jpeg_, segment(0xfe, text)));
    copied("a.jpg", "b.jpg");
    QVERIFY(said_.writing.empty());
    QVERIFY(comments("b.jpg") == std::vector<std::string>{text});
    // EXIF has no room for it.
    copied("a.jpg", "b.tif");
    copied("b.tif", "c.jpg");
    QVERIFY(said_.writing.empty());
    QVERIFY(comments("c.jpg") == std::vector<std::string>{text});
  }

  // What fills more than a segment is one text again.
  void texts_of_several_segments_are_one() {
    std::string text(65532, 'a');
    text += "ü";
    text.append(9000, 'b');
    put(folder_ / "a.png", with_chunks(content(folder_ / "plain.png"),
                                       chunk("iTXt", "Description\0\0\0\0\0"s + text)));
    copied("a.png", "b.jpg");
    QVERIFY(said_.writing.empty());
    QCOMPARE(comments("b.jpg").size(), 2u);
    copied("b.jpg", "c.ppm");
    QVERIFY(content(folder_ / "c.ppm").find("# " + text + "\n") != std::string::npos);
  }

  void comments_of_codestreams_are_read_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("text");
    QTest::newRow("ASCII") << QByteArray("at sea") << "at sea";
    QTest::newRow("Latin-9") << QByteArray(
                                    "Gr\xfc\xdf"
                                    "e, 5 \xa4")
                             << "Grüße, 5 €";
    QTest::newRow("UTF-8") << QByteArray("Σκιά") << "Σκιά";
  }
  void comments_of_codestreams_are_read() {
    QFETCH(const QByteArray, bytes);
    QFETCH(const QString, text);
    put(folder_ / "a.j2k", with_comment(codestream_, 1, bytes.toStdString()));
    QCOMPARE(copied("a.j2k", "b.png")["PNG:Description"].toString(), text);
    QVERIFY(said_.reading.empty());
    QVERIFY(said_.writing.empty());
    copied("a.j2k", "b.jp2");
    QVERIFY(content(folder_ / "b.jp2").find("\0\1"s + bytes.toStdString()) != std::string::npos);
    copied("b.jp2", "c.j2k");
    QVERIFY(said_.writing.empty());
    QVERIFY(content(folder_ / "c.j2k").find("\0\1"s + bytes.toStdString()) != std::string::npos);
  }

  void comments_of_bytes_are_named() {
    put(folder_ / "a.j2k", with_comment(codestream_, 0, "\1\2\3"));
    copied("a.j2k", "b.png");
    QVERIFY(says(said_.reading, "file.binary_comments"));
    // What OpenJPEG says of itself is none about the picture.
    copied("plain.j2k", "b.png");
    QVERIFY(said_.reading.empty());
    QVERIFY(!exif_tags(folder_ / "b.png").contains("PNG:Description"));
  }

  void comments_of_openjpeg_are_read() {
    if (QStandardPaths::findExecutable("opj_compress").isEmpty()) SKIP_WITHOUT("opj_compress");
    copied("plain.png", "a.ppm");
    output_of("opj_compress", {"-i", text_of(folder_ / "a.ppm"), "-o", text_of(folder_ / "a.jp2"),
                               "-n", "3", "-C", "at sea"});
    QCOMPARE(copied("a.jp2", "b.png")["PNG:Description"].toString(), "at sea");
  }

  // Texts of other formats have their only place there.
  void texts_go_into_codestreams() {
    put(folder_ / "a.png",
        with_chunks(content(folder_ / "plain.png"), chunk("tEXt", "Title\0Lighthouse"s)));
    const QJsonObject tags = copied("a.png", "b.j2k");
    QVERIFY(said_.writing.empty());
    QCOMPARE(tags["File:Comment"].toString(), "Title: Lighthouse");
  }
};

QTEST_GUILESS_MAIN(TestIoOwnComments)
#include "test_io_own_comments.moc"
