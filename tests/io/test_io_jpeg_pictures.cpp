// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// JPEG files of several pictures (CIPA DC-007), previews and gain maps.
#include <QTest>

#include "io/raw_files.hpp"
#include "io/shown_pixels.hpp"

using namespace sfumato;
using namespace sfumato::testing;
using namespace std::string_literals;

class TestIoJpegPictures : public QObject {
  Q_OBJECT

  Folder folder_;

 private slots:
  // The pictures of a stereo pair, cut out by exiftool.
  void jpeg_pictures_are_alone() {
    NEED("exiftool");
    OIIO::ImageSpec a(40, 30, 3, OIIO::TypeDesc::UINT8), b(24, 32, 1, OIIO::TypeDesc::UINT8),
        c(16, 8, 3, OIIO::TypeDesc::UINT8);
    b.attribute("CompressionQuality", 60);
    make_file(folder_ / "a.jpg", {a});
    make_file(folder_ / "b.jpg", {b});
    make_file(folder_ / "c.jpg", {c});
    QVERIFY(ran("exiftool",
                {"-n", "-q", "-overwrite_original", "-Artist=Second", "-Orientation=6",
                 "-XResolution=200", "-YResolution=200", "b.jpg"},
                folder_ / "."));
    const auto path = folder_ / "pair.mpo";
    put(path, multi_picture({content(folder_ / "a.jpg"), content(folder_ / "c.jpg"),
                             content(folder_ / "b.jpg")},
                            {0x010001, 0x020002}));
    const QString image = QString("exiftool -b -MPImage3 pair.mpo > second.jpg");
    QVERIFY(ran("sh", {"-c", image}, folder_ / "."));
    QVERIFY(content(folder_ / "second.jpg") == content(folder_ / "b.jpg"));
    const auto in = open_picture(path);
    QCOMPARE(in->info().warnings.size(), 1u);
    QCOMPARE(in->info().warnings[0].id, std::string("file.several_pictures"));
    QVERIFY(in_english(in->info().warnings[0]).find(" 2 pictures") != std::string::npos);
    QVERIFY(shown_pixels(path) == shown_pixels(folder_ / "a.jpg"));
    QVERIFY(shown_pixels(path, 1) == shown_pixels(folder_ / "a.jpg"));
    QVERIFY(shown_pixels(path, 2) == shown_pixels(folder_ / "second.jpg"));
    const auto second = open_picture(path, {.page = 2}), alone = open_picture(folder_ / "b.jpg");
    QCOMPARE(second->info().pages, 2);
    QVERIFY(second->info().warnings.empty());
    QCOMPARE(second->info().orientation, 6);
    QVERIFY(second->info().jpeg_quality != in->info().jpeg_quality);
    QCOMPARE(second->info().jpeg_quality, alone->info().jpeg_quality);
    QVERIFY(pass_through(path, folder_ / "copy.jpg", {.quality = 100}, {.page = 2}).empty());
    QCOMPARE(std::string(spec_of(folder_ / "copy.jpg").get_string_attribute("Artist")),
             std::string("Second"));
    QCOMPARE(spec_of(folder_ / "copy.jpg").get_float_attribute("XResolution"), 200.0f);
    QVERIFY(content(folder_ / "copy.jpg").find("MPF") == std::string::npos);
    QVERIFY(!refusal([&] { open_picture(path, {.page = 3}); }).empty());
    // A part of the second one's data.
    const std::string whole = content(path);
    put(folder_ / "cut.mpo", whole.substr(0, whole.size() - content(folder_ / "b.jpg").size() / 4));
    QVERIFY(shown_pixels(folder_ / "cut.mpo", 1) == shown_pixels(folder_ / "a.jpg"));
    const std::string said = refusal([&] { open_picture(folder_ / "cut.mpo", {.page = 2}); });
    QVERIFY2(said.find("cut short") != std::string::npos, said.c_str());
  }

  // A gain map is none of the pictures, whether its own XMP or the first picture's names it.
  void gain_maps_are_no_pages() {
    make_file(folder_ / "g.jpg", {OIIO::ImageSpec(40, 30, 3, OIIO::TypeDesc::UINT8)});
    const std::string plain = content(folder_ / "g.jpg");
    const std::string xmp =
        "http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x='adobe:ns:meta/' "
        "xmlns:hdrgm='http://ns.adobe.com/hdr-gain-map/1.0/'/>"s;
    const std::string named =
        "\xff\xd8\xff\xe1" + big_endian_bytes(xmp.size() + 2, 2) + xmp + plain.substr(2);
    const std::string first = plain.substr(0, 20) + named.substr(2, xmp.size() + 4) +
                              plain.substr(20);  // behind JFIF's segment
    struct Case {
      std::vector<std::string> jpegs;
      std::vector<int> kinds;
      int pages;
    };
    const std::vector<Case> cases = {{{plain, named}, {0}, 1},
                                     {{plain, named, plain}, {0, 0x020002}, 2},
                                     {{first, plain}, {0}, 1},
                                     {{first, plain, plain}, {0x010001, 0}, 1},
                                     {{first, plain, plain}, {0x020002, 0}, 2}};
    for (const Case& one : cases) {
      put(folder_ / "gain.jpg", multi_picture(one.jpegs, one.kinds));
      std::vector<std::string> ids;
      const auto in = open_picture(folder_ / "gain.jpg");
      for (const Message& m : in->info().warnings) ids.push_back(m.id);
      const std::vector<std::string> two = {"file.several_pictures", "file.gain_map"};
      QCOMPARE(ids, one.pages == 2 ? two : std::vector<std::string>{"file.gain_map"});
      QCOMPARE(open_picture(folder_ / "gain.jpg", {.page = 1})->info().pages, one.pages);
      QVERIFY(shown_pixels(folder_ / "gain.jpg", one.pages) == shown_pixels(folder_ / "g.jpg"));
    }
  }

  // Previews are no pictures, nor is what the index promises and the file does not hold.
  void jpeg_files_of_one_picture() {
    make_file(folder_ / "d.jpg", {OIIO::ImageSpec(40, 30, 3, OIIO::TypeDesc::UINT8)});
    const std::string one = content(folder_ / "d.jpg");
    const std::string whole = multi_picture({one, one}, {0x020002});
    put(folder_ / "preview.jpg", multi_picture({one, one}, {0x010002}));
    put(folder_ / "cut.jpg", whole.substr(0, whole.size() - one.size()));
    for (const char* file : {"preview.jpg", "cut.jpg"}) {
      const auto path = folder_ / file;
      QVERIFY2(open_picture(path)->info().warnings.empty(), file);
      QCOMPARE(open_picture(path, {.page = 1})->info().pages, 1);
      QVERIFY(shown_pixels(path, 1) == shown_pixels(folder_ / "d.jpg"));
    }
  }
};

QTEST_GUILESS_MAIN(TestIoJpegPictures)
#include "test_io_jpeg_pictures.moc"
