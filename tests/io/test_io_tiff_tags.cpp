// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What TIFF files say that other formats do not: smaller copies and masks among pages, tags of
// maps and private ones. exiftool and libtiff read the copies.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include "io/carried_files.hpp"
#include "io/property_inputs.hpp"
#include "io/shown_pixels.hpp"
#include "support/skips.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

// A gray page of 4 x 4 pixels that says what it is to the others.
std::string page(int subfile_type, std::size_t base, char value = 'x',
                 const std::string& note = {}) {
  TiffWriter t;
  t.longs(254, static_cast<std::uint32_t>(subfile_type));
  t.longs(256, 4);
  t.longs(257, 4);
  t.shorts(258, {8});
  t.shorts(259, {1});
  t.shorts(262, {subfile_type == 4 ? 4u : 1u});
  t.shorts(277, {1});
  t.longs(278, 4);
  t.longs(279, 16);
  if (!note.empty()) t.text(65000, note);
  const std::string file = t.file(std::string(16, value), base);
  return file;
}

std::string pages(const std::vector<int>& types, bool noted = false) {
  const auto note = [&](std::size_t i) { return noted ? "page " + std::to_string(i) : ""; };
  std::string out = page(types[0], 0, 'x', note(0));
  std::size_t last = 8;  // the last directory
  for (std::size_t i = 1; i < types.size(); ++i) {
    const std::string next = page(types[i], out.size(), static_cast<char>('x' + i), note(i));
    const auto entries = static_cast<std::size_t>(static_cast<unsigned char>(out[last]));
    out.replace(last + 2 + 12 * entries, 4,
                TiffWriter::number(static_cast<std::uint32_t>(out.size() + 8), 4));
    last = out.size() + 8;
    out += next;
  }
  return out;
}

}  // namespace

class TestIoTiffTags : public QObject {
  Q_OBJECT

  Folder folder_;
  Said said_;

  void copy(const std::string& bytes, const std::string& to, const ReadOptions& read = {},
            WriteOptions options = {}) {
    put(folder_ / "a.tif", bytes);
    options.overwrite = true;
    said_ = copy_picture(folder_ / "a.tif", folder_ / to, options, read);
  }
  bool says(const std::string& id) const {
    const auto has = [&](const std::vector<Message>& all) {
      return std::any_of(all.begin(), all.end(), [&](const Message& m) { return m.id == id; });
    };
    return has(said_.reading) || has(said_.writing);
  }
  QJsonObject tags_of(const std::string& name) const { return exif_tags(folder_ / name); }

 private slots:
  void initTestCase() {
    if (QStandardPaths::findExecutable("exiftool").isEmpty()) SKIP_WITHOUT("exiftool");
  }

  void copied_pages_stay_what_they_are() {
    copy(pages({0, 1, 4, 2}), "b.tif");
    QVERIFY(says("format.first_page"));
    QJsonObject tags = tags_of("b.tif");
    QVERIFY(!tags.contains("IFD3:ImageWidth"));
    QCOMPARE(tags["IFD1:SubfileType"].toInt(), 4);
    QCOMPARE(tags["IFD1:PhotometricInterpretation"].toInt(), 4);
    QCOMPARE(tags["IFD2:SubfileType"].toInt(), 2);
    QCOMPARE(values_of(folder_ / "b.tif", 2)[0], static_cast<float>('x' + 3) / 255);
    // Without metadata, too: what a page is, is none.
    copy(pages({0, 4}), "b.tif", {}, {.keep_metadata = false});
    QCOMPARE(tags_of("b.tif")["IFD1:SubfileType"].toInt(), 4);
  }

  // A process that may open no file has a file's descriptors again once they were closed.
  void many_pages_stay_what_they_are() {
    constexpr std::size_t count = 300;
    copy(pages(std::vector<int>(count, 2), true), "b.tif");
    for (const std::size_t i : {0u, 1u, 30u, 120u, 299u}) {
      const auto number = static_cast<int>(i);
      const float value = static_cast<float>(static_cast<unsigned char>('x' + i)) / 255;
      QCOMPARE(values_of(folder_ / "b.tif", number)[0], value);
      QCOMPARE(values_of(folder_ / "a.tif", number)[0], value);
    }
    const QJsonObject tags = tags_of("b.tif");
    for (std::size_t i = 0; i < count; ++i) {
      QCOMPARE(tags[QString("IFD%1:OwnerName").arg(i)].toString(), QString("page %1").arg(i));
    }
  }

  void pages_that_cannot_be_read_are_not_left_out() {
    std::string bytes = pages({0, 0, 0});
    const std::size_t second = page(0, 0).size() + 8;
    bytes.replace(second + 2 + 12, 2, TiffWriter::number(255, 2));  // the width's tag
    try {
      copy(bytes, "b.tif");
      QFAIL("the page was left out");
    } catch (const FileError& error) {
      QCOMPARE(error.message().id, "file.page_not_copied");
    }
    copy(bytes, "b.tif", {.page = 3});
    QCOMPARE(values_of(folder_ / "b.tif")[0], static_cast<float>('x' + 2) / 255);
  }

  void a_list_of_pages_that_is_cut_is_told() {
    std::string bytes = pages({0, 0, 0});
    const std::size_t second = page(0, 0).size() + 8;
    for (const std::uint32_t next : {0xfffffff0u, static_cast<std::uint32_t>(second), 8u}) {
      std::string cut = bytes;
      cut.replace(second + 2 + 12 * static_cast<unsigned char>(cut[second]), 4,
                  TiffWriter::number(next, 4));
      copy(cut, "b.tif");
      QVERIFY2(says("file.pages_cut"), qPrintable(QString::number(next)));
      QVERIFY(tags_of("b.tif").contains("IFD1:ImageWidth"));
      QVERIFY(!tags_of("b.tif").contains("IFD2:ImageWidth"));
    }
    copy(bytes, "b.tif");
    QVERIFY(!says("file.pages_cut"));
  }

  void masks_in_front() {
    copy(pages({4, 0}), "b.tif");
    QCOMPARE(values_of(folder_ / "b.tif")[0], static_cast<float>('x' + 1) / 255);
  }

  // Rows of compressed planes are read in strips.
  void compressed_planes_of_several_pages_are_read() {
    NEED("convert");
    QVERIFY(ran("convert",
                {"-size", "40x30", "plasma:red-blue", "plasma:lime-white", "-interlace", "plane",
                 "-compress", "zip", "planes.tif"},
                folder_ / "."));
    QVERIFY(ran("convert", {"planes.tif[1]", "second.ppm"}, folder_ / "."));
    QVERIFY(shown_pixels(folder_ / "planes.tif", 2) == shown_pixels(folder_ / "second.ppm"));
    copy(content(folder_ / "planes.tif"), "b.tif");
    QVERIFY(shown_pixels(folder_ / "b.tif", 2) == shown_pixels(folder_ / "second.ppm"));
  }

  void smaller_copies_in_front_are_not_the_picture() {
    copy(pages({1, 0, 1}), "b.tif");
    QVERIFY(!says("format.first_page"));
    QCOMPARE(values_of(folder_ / "b.tif")[0], static_cast<float>('x' + 1) / 255);
    QVERIFY(!tags_of("b.tif").contains("IFD1:ImageWidth"));
    copy(pages({1, 0, 2}), "b.tif");
    QVERIFY(says("format.first_page"));
    QCOMPARE(values_of(folder_ / "b.tif", 1)[0], static_cast<float>('x' + 2) / 255);
    copy(pages({1, 1}), "b.tif");
    QCOMPARE(values_of(folder_ / "b.tif")[0], static_cast<float>('x') / 255);
  }

  // A smaller copy is made of the unfiltered picture, and no page that is missed.
  void smaller_copies_are_no_pages() {
    copy(pages({0, 1}), "b.tif");
    QVERIFY(!says("format.first_page"));
    QVERIFY(!tags_of("b.tif").contains("IFD1:ImageWidth"));
    copy(pages({0, 1}), "b.png");
    QVERIFY(!says("format.first_picture"));
    copy(pages({0, 1, 0}), "b.png");
    QVERIFY(says("format.first_picture"));
  }

  void pages_that_are_no_pictures_are_told() {
    copy(pages({0, 1, 4}), "b.tif", {.page = 2});
    QVERIFY(says("file.page_is_reduced"));
    QVERIFY(!tags_of("b.tif").contains("IFD0:SubfileType"));
    copy(pages({0, 1, 4}), "b.tif", {.page = 3});
    QVERIFY(says("file.page_is_mask"));
    copy(pages({0, 1, 4}), "b.tif", {.page = 1});
    QVERIFY(!says("file.page_is_mask") && !says("file.page_is_reduced"));
  }

  void tags_of_pages_are_kept_with_them() {
    TiffWriter maps = map_tags();
    maps.text(65000, "second");
    const std::string first = plain_tiff(2, 2, 3, 8, 2, 1, std::string(12, 'x'), map_tags());
    copy(first, "b.tif");
    QCOMPARE(tags_of("b.tif")["IFD0:PixelScale"].toString(), "10 20 0");
    copy(first, "b.tif", {}, {.keep_metadata = false});
    QVERIFY(!tags_of("b.tif").contains("IFD0:PixelScale"));
    copy(plain_tiff(2, 2, 3, 8, 2, 1, std::string(12, 'x'), maps), "c.tif");
    QCOMPARE(tags_of("c.tif")["IFD0:PixelScale"].toString(), "10 20 0");
    QVERIFY(content(folder_ / "c.tif").find("second") != std::string::npos);
  }

  void tags_that_cannot_be_kept_are_told() {
    TiffWriter pointing;
    pointing.add(65001, 13, 1, TiffWriter::number(8, 4));  // another directory's place
    copy(plain_tiff(2, 2, 3, 8, 2, 1, std::string(12, 'x'), pointing), "b.tif");
    QVERIFY(says("file.tags_cut"));
    TiffWriter layers;
    layers.add(37724, 7, 36, "Adobe Photoshop Document Data Block" + std::string(1, '\0'));
    copy(plain_tiff(2, 2, 3, 8, 2, 1, std::string(12, 'x'), layers), "b.tif");
    QVERIFY(says("file.layers_attached"));
    QVERIFY(content(folder_ / "b.tif").find("Document Data Block") == std::string::npos);
    // A value that lies outside the file, and one that claims all memory.
    TiffWriter lies;
    lies.add(65002, 7, 5000, TiffWriter::number(0x7fffffff, 4));
    lies.add(65003, 12, 0xffffffff, TiffWriter::number(8, 4));
    copy(plain_tiff(2, 2, 3, 8, 2, 1, std::string(12, 'x'), lies), "b.tif");
    QVERIFY(!tags_of("b.tif").isEmpty());
  }
};

QTEST_GUILESS_MAIN(TestIoTiffTags)
#include "test_io_tiff_tags.moc"
