// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Movies and gain maps that cameras put into a picture's file are mentioned and left out, and no
// new file says that it has them. exiftool looks at both.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include "io/property_inputs.hpp"
#include "support/skips.hpp"

using namespace sfumato;
using namespace sfumato::testing;
using namespace std::string_literals;

namespace {

QJsonArray tags_of(const std::vector<std::filesystem::path>& files) {
  QStringList arguments = {"-j", "-a", "-G1", "-n"};
  for (const auto& file : files) arguments << text_of(file);
  return QJsonDocument::fromJson(output_of("exiftool", arguments)).array();
}

QJsonObject tags_of(const std::filesystem::path& file) {
  return tags_of(std::vector{file})[0].toObject();
}

std::vector<std::string> ids_of(const std::filesystem::path& file, const ReadOptions& read = {}) {
  std::vector<std::string> out;
  const auto in = open_picture(file, read);
  for (const Message& m : in->info().warnings) out.push_back(m.id);
  return out;
}

// Of the directory of Samsung's trailer: kind and name of a piece, and its data.
std::string samsung_trailer(const std::string& name, const std::string& data) {
  const auto number = [](std::size_t value, int bytes) {
    return TiffWriter::number(static_cast<std::uint32_t>(value), bytes);
  };
  const std::string head = number(0, 2) + number(0x0a30, 2);
  const std::string piece = head + number(name.size(), 4) + name + data;
  const std::string list = "SEFH" + number(101, 4) + number(1, 4) + head + number(piece.size(), 4) +
                           number(piece.size(), 4);
  return piece + list + number(list.size(), 4) + "SEFT";
}

// A packet that says `words` in elements and attributes of some namespaces.
std::string packet(const std::string& attributes, const std::string& elements) {
  return "<?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?><!-- <x:no> --><x:xmpmeta "
         "xmlns:x='adobe:ns:meta/'><rdf:RDF "
         "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description rdf:about='' "
         "xmlns:xmp='http://ns.adobe.com/xap/1.0/' xmp:Rating='3' " +
         attributes + ">" + elements +
         "<xmp:Label>a &lt; b</xmp:Label></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket "
         "end='w'?>";
}

const std::string google = "http://ns.google.com/photos/1.0/";
const std::string map_name = "http://ns.adobe.com/hdr-gain-map/1.0/";

std::string directory(const std::string& c, const std::string& i, const std::string& how,
                      const std::string& meaning) {
  return "<" + c + ":Directory" + how + "><rdf:Seq><rdf:li rdf:parseType='Resource'><" + c +
         ":Item " + i + ":Semantic='Primary' " + i + ":Mime=\"image/jpeg\"/></rdf:li><rdf:li " +
         "rdf:parseType='Resource'><" + c + ":Item><" + i + ":Semantic>" + meaning + "</" + i +
         ":Semantic></" + c + ":Item></rdf:li></rdf:Seq></" + c + ":Directory>";
}

std::string spaces(const std::string& c, const std::string& i) {
  return "xmlns:" + c + "='" + google + "container/' xmlns:" + i + "='" + google +
         "container/item/'";
}

}  // namespace

class TestIoAttached : public QObject {
  Q_OBJECT

  Folder folder_;
  std::string film_;

  void jpeg_with(const std::string& xmp, const std::string& name) const {
    put(folder_ / "a.xmp", xmp);
    std::filesystem::copy_file(folder_ / "plain.jpg", folder_ / name,
                               std::filesystem::copy_options::overwrite_existing);
    output_of("exiftool", {"-q", "-overwrite_original", "-XMP<=" + text_of(folder_ / "a.xmp"),
                           text_of(folder_ / name)});
  }

 private slots:
  void initTestCase() {
    for (const char* program : {"exiftool", "ffmpeg", "heif-enc", "heif-info"}) {
      if (QStandardPaths::findExecutable(program).isEmpty()) SKIP_WITHOUT("a tool for pictures");
    }
    OIIO::ImageSpec s(64, 48, 3, OIIO::TypeDesc::UINT8);
    make_file(folder_ / "plain.jpg", {s});
    make_file(folder_ / "plain.png", {s});
    output_of("ffmpeg", {"-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:d=0.3:r=10", "-c:v",
                         "mpeg4", text_of(folder_ / "a.mp4")});
    film_ = content(folder_ / "a.mp4");
    QVERIFY(film_.substr(4, 4) == "ftyp");
  }

  void words_of_xmp_data() {
    QTest::addColumn<QByteArray>("xmp");
    QTest::addColumn<bool>("map");
    const auto row = [](const char* name, const std::string& attributes,
                        const std::string& elements, bool map) {
      QTest::newRow(name) << QByteArray::fromStdString(packet(attributes, elements)) << map;
    };
    const std::string camera = "xmlns:GCamera='" + google + "camera/' ";
    row("attributes", camera + "GCamera:MicroVideo=\"1\" GCamera:MicroVideoOffset='99'", "", false);
    row("elements", camera,
        "<GCamera:MotionPhoto>1</GCamera:MotionPhoto>"
        "<GCamera:MotionPhotoVersion>1</GCamera:MotionPhotoVersion>",
        false);
    row("another prefix", "xmlns:q='" + google + "camera/'  q:MotionPhoto = '1'", "", false);
    row("a list", spaces("Container", "Item"), directory("Container", "Item", "", "MotionPhoto"),
        false);
    row("a structure", spaces("Container", "Item"),
        directory("Container", "Item", " rdf:parseType='Resource'", "MotionPhoto"), false);
    row("gain map",
        spaces("Container", "Item") + " xmlns:hdrgm='" + map_name + "' hdrgm:Version='1.0'",
        directory("Container", "Item", "", "GainMap"), true);
    row("gain map, other prefixes", spaces("c", "i") + " xmlns:m = \"" + map_name + "\"",
        directory("c", "i", " rdf:parseType=\"Resource\"", "GainMap") +
            "<m:GainMapMax><rdf:Seq><rdf:li>2</rdf:li></rdf:Seq></m:GainMapMax>",
        true);
    row("Apple's",
        "xmlns:HDRGainMap='http://ns.apple.com/HDRGainMap/1.0/' "
        "HDRGainMap:HDRGainMapVersion='65536'",
        "", true);
  }

  // Whatever holds the words, and wherever they go.
  void words_of_xmp() {
    QFETCH(const QByteArray, xmp);
    QFETCH(const bool, map);
    jpeg_with(xmp.toStdString(), "a.jpg");
    put(folder_ / "b.jpg", content(folder_ / "a.jpg") + film_);
    const std::vector<std::string> expected = {map ? "file.gain_map" : "file.movie_attached"};
    QCOMPARE(ids_of(folder_ / "b.jpg"), expected);
    std::filesystem::copy_file(folder_ / "plain.png", folder_ / "b.png",
                               std::filesystem::copy_options::overwrite_existing);
    output_of("exiftool", {"-q", "-overwrite_original", "-XMP<=" + text_of(folder_ / "a.xmp"),
                           text_of(folder_ / "b.png")});
    std::vector<std::filesystem::path> outs;
    for (const char* from : {"b.jpg", "b.png"}) {
      for (const char* to : {"jpg", "png", "tif", "webp", "exr", "jp2"}) {
        outs.push_back(folder_ / (from + "."s + to));
        copy_picture(folder_ / from, outs.back(), {.overwrite = true});
        QVERIFY(ids_of(outs.back()).empty());
        QVERIFY(content(outs.back()).find("ftypisom") == std::string::npos);
      }
    }
    for (const QJsonValue& one : tags_of(outs)) {
      const QJsonObject tags = one.toObject();
      for (const QString& tag : tags.keys()) {
        for (const char* word : {"Semantic", "parseType", "ParseType", "MotionPhoto", "MicroVideo",
                                 "GainMap", "DirectoryItem", "hdrgm", "Hdrgm", "EmbeddedVideo"}) {
          QVERIFY2(!tag.contains(word), tag.toUtf8());
        }
      }
      if (tags["SourceFile"].toString().endsWith("exr")) continue;
      QCOMPARE(tags["XMP-xmp:Rating"].toInt(), 3);
      QCOMPARE(tags["XMP-xmp:Label"].toString(), QString("a < b"));
    }
  }

  // An editor has cut it off.
  void a_movie_that_is_gone() {
    jpeg_with(packet("xmlns:GCamera='" + google + "camera/' GCamera:MotionPhoto='1'", ""), "c.jpg");
    QVERIFY(tags_of(folder_ / "c.jpg").contains("XMP-GCamera:MotionPhoto"));
    QVERIFY(ids_of(folder_ / "c.jpg").empty());
    copy_picture(folder_ / "c.jpg", folder_ / "d.jpg");
    QVERIFY(!tags_of(folder_ / "d.jpg").contains("XMP-GCamera:MotionPhoto"));
  }

  void samsungs_trailer() {
    const auto path = folder_ / "s.jpg";
    put(path, content(folder_ / "plain.jpg") + samsung_trailer("MotionPhoto_Data", film_));
    QVERIFY(tags_of(path).contains("Samsung:EmbeddedVideoFile"));
    QCOMPARE(ids_of(path), std::vector<std::string>{"file.movie_attached"});
    copy_picture(path, folder_ / "t.jpg");
    QVERIFY(!tags_of(folder_ / "t.jpg").contains("Samsung:EmbeddedVideoFile"));
    put(path, content(folder_ / "plain.jpg") + samsung_trailer("Image_UTC_Data", "1600000000000"));
    QCOMPARE(ids_of(path), std::vector<std::string>{"file.bytes_behind"});
  }

  void movies_in_heif() {
    const auto path = folder_ / "m.heic";
    output_of("heif-enc", {text_of(folder_ / "plain.png"), "-o", text_of(path)});
    QVERIFY(ids_of(path).empty());
    put(path, content(path) + big_endian_bytes(film_.size() + 8, 4) + "mpvd" + film_);
    QVERIFY(tags_of(path).contains("QuickTime:MotionPhotoVideo"));
    QCOMPARE(ids_of(path), std::vector<std::string>{"file.movie_attached"});
    copy_picture(path, folder_ / "n.heic", {.quality = 100});
    QVERIFY(!tags_of(folder_ / "n.heic").contains("QuickTime:MotionPhotoVideo"));
  }

  // The second of three pictures becomes what is computed from the first and the third.
  void tone_maps_in_heif() {
    const auto path = folder_ / "three.heic";
    const QString png = text_of(folder_ / "plain.png");
    output_of("heif-enc", {png, png, png, "-o", text_of(path)});
    QCOMPARE(ids_of(path), std::vector<std::string>{"file.several_pictures"});
    std::string bytes = content(path);
    std::vector<std::size_t> items;
    for (std::size_t at = bytes.find("grid"); at < bytes.find("iprp");
         at = bytes.find("grid", at + 1))
      items.push_back(at);
    QCOMPARE(items.size(), 3u);
    bytes.replace(items[1], 4, "tmap");
    put(path, bytes);
    const std::vector<std::string> two = {"file.several_pictures", "file.gain_map"};
    QCOMPARE(ids_of(path), two);
    QCOMPARE(open_picture(path, {.page = 1})->info().pages, 2);
    const auto id = [&](std::size_t i) { return bytes.substr(items[i] - 4, 2); };
    put(path, with_reference(bytes, big_endian_bytes(16, 4) + "dimg" + id(1) +
                                        big_endian_bytes(2, 2) + id(0) + id(2)));
    QCOMPARE(ids_of(path), std::vector<std::string>{"file.gain_map"});
    QCOMPARE(open_picture(path, {.page = 1})->info().pages, 1);
    QVERIFY(output_of("heif-info", {text_of(path)}).contains("primary"));
  }

 private:
  // With another reference, in front of the others; the items' data lie behind it.
  static std::string with_reference(std::string bytes, const std::string& box) {
    const auto grow = [&](std::size_t at) {
      bytes.replace(at, 4, big_endian_bytes(big_endian(bytes, at, 4) + box.size(), 4));
    };
    // Of version 1, with offsets and lengths of four bytes, and bases of four, which are 0.
    std::size_t at = bytes.find("iloc") + 12;
    for (std::uint64_t i = big_endian(bytes, at - 2, 2); i > 0; --i) {
      const bool in_file = big_endian(bytes, at + 2, 2) == 0;
      const auto extents = big_endian(bytes, at + 10, 2);
      at += 12;
      for (std::uint64_t k = 0; k < extents; ++k, at += 8) {
        if (in_file) grow(at);
      }
    }
    grow(bytes.find("meta") - 4);
    const std::size_t references = bytes.find("iref");
    grow(references - 4);
    return bytes.insert(references + 8, box);
  }
};

QTEST_GUILESS_MAIN(TestIoAttached)
#include "test_io_attached.moc"
