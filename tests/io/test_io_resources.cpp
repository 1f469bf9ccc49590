// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Photoshop's resources in JPEG files, in one segment or in several. exiftool reads the copies.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include "io/carried_files.hpp"
#include "io/property_inputs.hpp"
#include "support/skips.hpp"

using namespace std::string_literals;
using namespace sfumato;
using namespace sfumato::testing;

namespace {

std::string record(int number, const std::string& text) {
  return "\x1c\2"s + static_cast<char>(number) + big_endian_bytes(text.size(), 2) + text;
}

// UTF-8, two keywords and a long caption.
std::string iptc() {
  return "\x1c\1\x5a\0\3\x1b%G"s + record(25, "sea") + record(25, "Grüße") +
         record(120, std::string(300, 'c'));
}

std::string segment(const std::string& resources) {
  const std::string body = "Photoshop 3.0\0"s + resources;
  return "\xff\xed" + big_endian_bytes(body.size() + 2, 2) + body;
}

}  // namespace

class TestIoResources : public QObject {
  Q_OBJECT

  Folder folder_;
  std::string jpeg_;

  // With segments after the header.
  std::string with(const std::string& segments) const {
    const std::size_t head = 4 + static_cast<std::size_t>(big_endian(jpeg_, 4, 2));
    return jpeg_.substr(0, head) + segments + jpeg_.substr(head);
  }
  QJsonObject copied(const std::string& to) {
    copy_picture(folder_ / "a.jpg", folder_ / to, {.overwrite = true, .quality = 100});
    const QByteArray text = output_of("exiftool", {"-j", "-a", "-G1", text_of(folder_ / to)});
    return QJsonDocument::fromJson(text).array()[0].toObject();
  }

 private slots:
  void initTestCase() {
    if (QStandardPaths::findExecutable("exiftool").isEmpty()) SKIP_WITHOUT("exiftool");
    make_file(folder_ / "plain.jpg", {OIIO::ImageSpec(33, 21, 3, OIIO::TypeDesc::UINT8)});
    jpeg_ = content(folder_ / "plain.jpg");
  }

  void iptc_is_read_whole_data() {
    const std::string whole = image_resource(1028, iptc());
    const std::string named = "8BIM\4\4\3abc"s + big_endian_bytes(iptc().size(), 4) + iptc();
    QTest::addColumn<QByteArray>("segments");
    const auto row = [](const char* name, const std::string& segments) {
      QTest::newRow(name) << QByteArray::fromStdString(segments);
    };
    row("in one segment", segment(whole));
    row("in two", segment(whole.substr(0, 40)) + segment(whole.substr(40)));
    row("in two, divided in its head", segment(whole.substr(0, 10)) + segment(whole.substr(10)));
    row("behind another resource", segment(image_resource(1061, std::string(16, 'd')) + whole));
    row("in the second segment",
        segment(image_resource(1034, "\1")) + segment(image_resource(4000, "x") + whole));
    row("with a name", segment(named + std::string(named.size() % 2, '\0')));
  }

  void iptc_is_read_whole() {
    QFETCH(const QByteArray, segments);
    put(folder_ / "a.jpg", with(segments.toStdString()));
    for (const char* to : {"b.png", "b.tif", "b.jpg"}) {
      const QJsonObject tags = copied(to);
      QCOMPARE(tags["IPTC:Keywords"].toArray().size(), 2);
      QCOMPARE(tags["IPTC:Keywords"].toArray()[1].toString(), "Grüße");
      QCOMPARE(tags["IPTC:Caption-Abstract"].toString().size(), 300);
    }
    // As attributes, where there are no bytes for it.
    QCOMPARE(copied("b.exr")["OpenEXR:Keywords"].toString(), "sea; Grüße");
    QVERIFY(!copied("b.png").contains("PNG:Keywords"));
  }

  // The reader sees other bytes there: the picture's stay.
  // Paths and guides lie as before; where they cannot be kept, a message says so.
  void paths_and_guides() {
    const std::string path = image_resource(2000, std::string(52, 'p')),
                      guides = image_resource(1032, "guides"),
                      clipping = image_resource(2999, "path");
    put(folder_ / "a.jpg",
        with(segment(image_resource(1005, std::string(16, 'r')) + path + guides + clipping)));
    for (const char* to : {"b.jpg", "b.tif"}) {
      copy_picture(folder_ / "a.jpg", folder_ / to, {.overwrite = true, .quality = 100});
      const std::string bytes = content(folder_ / to);
      for (const std::string& one : {path, guides, clipping})
        QVERIFY2(bytes.find(one) != std::string::npos, to);
    }
    const Said said = copy_picture(folder_ / "a.jpg", folder_ / "b.bmp");
    QVERIFY(in_english(said.writing[0]).find("paths or guides") != std::string::npos);
  }

  void content_credentials_are_named() {
    const std::string boxes = "JP\0\1\0\0\0\1\0\0\0\x10jumb....c2pa"s;
    put(folder_ / "a.jpg", with("\xff\xeb" + big_endian_bytes(boxes.size() + 2, 2) + boxes));
    const auto in = open_picture(folder_ / "a.jpg");
    QCOMPARE(in->info().warnings.size(), 1u);
    QCOMPARE(in->info().warnings[0].id, std::string("file.credentials"));
  }

  void pixels_do_not_change() {
    put(folder_ / "a.jpg", with(segment(image_resource(1028, iptc()).substr(0, 40)) +
                                segment(image_resource(1028, iptc()).substr(40))));
    copied("b.png");
    QVERIFY(values_of(folder_ / "b.png") == values_of(folder_ / "plain.jpg"));
  }

  void damaged_resources_do_no_harm() {
    const std::string whole = image_resource(1028, iptc());
    std::string lies = whole;
    lies.replace(8, 4, "\x7f\xff\xff\xff");
    for (const std::string& segments :
         {segment(whole.substr(0, 40)), segment(lies), segment(""), segment("8BIM"),
          "\xff\xed\0\x0fPhotoshop 3.0"s, segment(lies) + segment(whole)}) {
      put(folder_ / "a.jpg", with(segments));
      const QJsonObject tags = copied("b.png");
      QVERIFY(!tags.contains("PNG:Keywords") || tags["PNG:Keywords"].toString() == "sea; Grüße");
    }
  }
};

QTEST_GUILESS_MAIN(TestIoResources)
#include "test_io_resources.moc"
