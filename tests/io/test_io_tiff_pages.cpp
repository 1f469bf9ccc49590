// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Pages of TIFF files that are copied with the filtered one: as they are stored, whatever they
// hold. exiftool and ImageMagick read the copies.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <algorithm>

#include "io/carried_files.hpp"
#include "io/property_inputs.hpp"
#include "io/shown_pixels.hpp"
#include "support/skips.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

const std::string sixteen = "0123456789abcdef";

// 4 x 4 pixels, described by `t`, behind `base` bytes of another file.
std::string page(TiffWriter t = {}, std::size_t base = 0, const std::string& data = sixteen,
                 std::uint32_t bits = 8) {
  t.longs(256, 4);
  t.longs(257, 4);
  t.shorts(258, {bits});
  t.shorts(259, {1});
  t.shorts(277, {1});
  t.longs(278, 4);
  t.longs(279, static_cast<std::uint32_t>(data.size()));
  return t.file(data, base);
}

TiffWriter gray() {
  TiffWriter t;
  t.shorts(262, {1});
  return t;
}

// A file whose second page is described by `t`.
std::string two(const TiffWriter& t, const std::string& data = sixteen, std::uint32_t bits = 8) {
  const std::string first = page(gray());
  return two_pages(first, page(t, first.size(), data, bits));
}

std::uint32_t number_at(const std::string& file, std::size_t at, std::size_t bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = bytes; i-- > 0;) {
    value = value << 8 | static_cast<unsigned char>(file[at + i]);
  }
  return value;
}

void reverse(std::string& file, std::size_t at, std::size_t unit, std::size_t count = 1) {
  for (std::size_t i = 0; i < count; ++i, at += unit) {
    std::reverse(file.begin() + static_cast<std::ptrdiff_t>(at),
                 file.begin() + static_cast<std::ptrdiff_t>(at + unit));
  }
}

// The directory at a place, and those that it points at, in big-endian order.
void turn_directory(std::string& file, std::size_t at) {
  constexpr std::array<std::size_t, 13> units = {0, 1, 1, 2, 4, 4, 1, 1, 2, 4, 4, 4, 8};
  const std::size_t count = number_at(file, at, 2);
  reverse(file, at, 2);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t entry = at + 2 + 12 * i;
    const std::uint32_t tag = number_at(file, entry, 2), type = number_at(file, entry + 2, 2);
    const std::size_t unit = units[type], two_numbers = type == 5 || type == 10 ? 2 : 1;
    const std::size_t values = number_at(file, entry + 4, 4) * two_numbers;
    const bool far = values * unit > 4;
    const std::size_t place = far ? number_at(file, entry + 8, 4) : entry + 8;
    if (tag == 330 || tag == 34665 || tag == 34853) turn_directory(file, number_at(file, place, 4));
    reverse(file, place, unit, values);
    for (const auto& [begin, size] : {std::pair(entry, 2), {entry + 2, 2}, {entry + 4, 4}}) {
      reverse(file, begin, static_cast<std::size_t>(size));
    }
    if (far) reverse(file, entry + 8, 4);
  }
  const std::size_t link = at + 2 + 12 * count;
  const std::size_t next = number_at(file, link, 4);
  reverse(file, link, 4);
  if (next != 0) turn_directory(file, next);
}

std::string in_big_endian(std::string file) {
  turn_directory(file, number_at(file, 4, 4));
  reverse(file, 4, 4);
  return "MM" + std::string("\0*", 2) + file.substr(4);
}

// Tags of all types about what samples mean, people and printers.
TiffWriter many_tags() {
  TiffWriter t = gray();
  t.shorts(280, {3});
  t.shorts(281, {200});
  t.fractions(286, 5, {1.5});
  t.fractions(318, 5, {0.3127, 0.3290});
  t.fractions(319, 5, {0.64, 0.33, 0.21, 0.71, 0.15, 0.06});
  t.shorts(301, std::vector<std::uint32_t>(256, 513));
  t.shorts(321, {10, 240});
  t.fractions(532, 5, {0, 255});
  t.text(269, "a document");
  t.text(315, "Ada");
  t.text(65000, std::string(1000, 'p'));
  t.add(65001, 7, 5, "bytes");
  t.add(65002, 8, 1, TiffWriter::number(0xfffe, 2));
  t.add(65003, 12, 1, std::string("\0\0\0\0\0\0\xf8\x3f", 8));
  return t;
}

// What exiftool says of the second page, but where it is.
QJsonObject said_of_page(const std::filesystem::path& path) {
  const QByteArray text =
      output_of("exiftool", {"-j", "-a", "-G1", "-n", "-u", "-b", text_of(path)});
  const QJsonObject all = QJsonDocument::fromJson(text).array()[0].toObject();
  QJsonObject out;
  for (auto it = all.begin(); it != all.end(); ++it) {
    const QString name = it.key();
    const bool place = name.endsWith("StripOffsets") || name.endsWith("PreviewImageStart");
    if (name.startsWith("IFD1:") && !place) out[name] = it.value();
  }
  return out;
}

}  // namespace

class TestIoTiffPages : public QObject {
  Q_OBJECT

  Folder folder_;
  Said said_;

  void copy(const std::string& bytes, WriteOptions options = {}) {
    put(folder_ / "a.tif", bytes);
    options.overwrite = true;
    said_ = copy_picture(folder_ / "a.tif", folder_ / "b.tif", options);
  }
  bool says(const std::string& id) const {
    return std::any_of(said_.reading.begin(), said_.reading.end(),
                       [&](const Message& m) { return m.id == id; });
  }
  int pages_of(const std::string& name) const {
    const QByteArray said = output_of("identify", {"-format", "x", text_of(folder_ / name)});
    return static_cast<int>(said.count('x'));
  }
  std::string copied() const { return content(folder_ / "b.tif"); }
  std::string fault_of(const std::string& bytes) {
    try {
      copy(bytes);
    } catch (const FileError& error) {
      return error.message().id + ": " + in_english(error.message());
    }
    return {};
  }

 private slots:
  void initTestCase() {
    if (QStandardPaths::findExecutable("exiftool").isEmpty()) SKIP_WITHOUT("exiftool");
    NEED("convert");
  }

  void every_tag_of_a_page_stays() {
    const std::string little = two(many_tags());
    for (const std::string& bytes : {little, in_big_endian(little)}) {
      copy(bytes);
      const QJsonObject before = said_of_page(folder_ / "a.tif");
      QVERIFY(before.contains("IFD1:WhitePoint") && before.contains("IFD1:ReferenceBlackWhite"));
      QVERIFY(before.size() > 20);
      QCOMPARE(said_of_page(folder_ / "b.tif"), before);
      QVERIFY(copied().find(std::string(1000, 'p')) != std::string::npos);
      QVERIFY(shown_pixels(folder_ / "b.tif", 1) == shown_pixels(folder_ / "a.tif", 1));
    }
  }

  // Of no type, of a type for fractions, and of bits that nobody knows.
  // OpenImageIO does not notice it where a page is shown to it.
  void pages_without_all_their_data_are_refused() {
    constexpr std::uint32_t width = 32, height = 24, bytes = width * height, directory = 114,
                            data = 8 + 2 * directory;
    const auto page = [&](std::uint32_t at, std::uint32_t next) {
      std::string out = TiffWriter::number(9, 2);
      const std::pair<std::uint32_t, std::uint32_t> entries[] = {
          {256, width}, {257, height}, {258, 8},      {259, 1},    {262, 1},
          {273, at},    {277, 1},      {278, height}, {279, bytes}};
      for (const auto& [tag, value] : entries) {
        out += TiffWriter::number(tag, 2) + TiffWriter::number(4, 2) + TiffWriter::number(1, 4) +
               TiffWriter::number(value, 4);
      }
      return out + TiffWriter::number(next, 4);
    };
    const std::string whole = std::string("II*\0", 4) + TiffWriter::number(8, 4) +
                              page(data, 8 + directory) + page(data + bytes, 0) +
                              std::string(2 * bytes, 'x');
    const auto read = [&](int number) {
      ReadOptions options;
      options.page = number;
      const auto picture = open_picture(folder_ / "a.tif", options);
      std::vector<char> pixels(picture->format().bytes());
      picture->read(picture->format().rect(), pixels.data(), width);
    };
    put(folder_ / "a.tif", whole);
    for (const int number : {1, 2}) read(number);
    put(folder_ / "a.tif", whole.substr(0, whole.size() - 1));
    read(1);
    QVERIFY_THROWS_EXCEPTION(FileError, read(2));
    put(folder_ / "a.tif", whole.substr(0, data + bytes - 1));
    for (const int number : {1, 2}) QVERIFY_THROWS_EXCEPTION(FileError, read(number));
  }

  void pages_of_unknown_kinds_are_named() {
    for (const auto& [type, value] :
         {std::pair(1710, 1u), std::pair(11, 0x3f800000u), std::pair(4, 1710u)}) {
      TiffWriter t = gray();
      t.add(254, type, 1, TiffWriter::number(value, 4));
      copy(two_pages(page(t), page(gray(), page(t).size())));
      QVERIFY(says("file.subfile_type"));
      QCOMPARE(in_english(said_.reading.at(0)).find("page 1 ") != std::string::npos, true);
      QCOMPARE(pages_of("b.tif"), 2);
    }
    copy(two(many_tags()));
    QVERIFY(!says("file.subfile_type"));
  }

  // What samples mean, colours and the order of rows are none.
  void pages_without_metadata() {
    copy(two(many_tags()), {.keep_metadata = false});
    const QJsonObject said = said_of_page(folder_ / "b.tif");
    for (const char* name : {"WhitePoint", "PrimaryChromaticities", "ReferenceBlackWhite",
                             "MinSampleValue", "HalftoneHints"}) {
      QVERIFY2(said.contains(QString("IFD1:") + name), name);
    }
    for (const char* word : {"Ada", "a document", "pppp", "bytes"}) {
      QVERIFY2(copied().find(word) == std::string::npos, word);
    }
  }

  // Of kinds that are not read: inks, sensors, 64 bits, codes of unknown numbers.
  void pages_of_other_kinds_are_copied() {
    for (const std::uint32_t photometric : {5u, 8u, 32803u, 32845u, 60000u}) {
      TiffWriter t;
      t.shorts(262, {photometric});
      copy(two(t));
      QCOMPARE(said_of_page(folder_ / "b.tif"), said_of_page(folder_ / "a.tif"));
      QVERIFY(copied().find(sixteen) != std::string::npos);
    }
    copy(two(gray(), sixteen + std::string(112, 'z'), 64));
    QVERIFY(copied().find(sixteen + std::string(112, 'z')) != std::string::npos);
    std::string odd = two(gray());
    const std::size_t second = page(gray()).size() + 8;
    const std::size_t code = odd.find(std::string("\3\1\3\0\1\0\0\0\1", 9), second);
    odd.replace(code + 8, 2, TiffWriter::number(50002, 2));
    copy(odd);
    QVERIFY(copied().find(sixteen) != std::string::npos);
  }

  // Numbers of more than one byte are put into the other order, compressed ones, too.
  void samples_in_the_other_order_data() {
    QTest::addColumn<QStringList>("kind");
    for (const char* code : {"none", "lzw", "zip", "rle"}) {
      QTest::addRow("16 bits, %s", code) << QStringList{"-depth", "16", "-compress", code};
      QTest::addRow("gray of 16 bits, %s", code)
          << QStringList{"-colorspace", "gray", "-depth", "16", "-compress", code};
      QTest::addRow("8 bits, %s", code) << QStringList{"-depth", "8", "-compress", code};
      QTest::addRow("float, %s", code) << QStringList{
          "-depth", "32", "-define", "quantum:format=floating-point", "-compress", code};
    }
    QTest::addRow("tiles") << QStringList{"-depth", "16",      "-compress",
                                          "lzw",    "-define", "tiff:tile-geometry=16x16"};
    QTest::addRow("planes") << QStringList{"-depth", "16",         "-compress",
                                           "zip",    "-interlace", "plane"};
    QTest::addRow("bits") << QStringList{"-monochrome", "-compress", "group4"};
  }
  void samples_in_the_other_order() {
    QFETCH(QStringList, kind);
    output_of("convert", QStringList{"-size", "61x47", "plasma:red-blue", "plasma:lime-black"}
                             << kind << "-define"
                             << "tiff:endian=msb" << text_of(folder_ / "msb.tif"));
    const std::string bytes = content(folder_ / "msb.tif");
    QCOMPARE(bytes.substr(0, 2), std::string("MM"));
    copy(bytes);
    QCOMPARE(copied().substr(0, 2), std::string("II"));
    const auto before = shown_pixels(folder_ / "msb.tif", 1);
    QVERIFY(!before.empty());
    QVERIFY(shown_pixels(folder_ / "b.tif", 1) == before);
    // Not stored anew in another way.
    const QJsonObject a = said_of_page(folder_ / "a.tif"), b = said_of_page(folder_ / "b.tif");
    for (const char* name : {"Compression", "Predictor", "BitsPerSample", "PlanarConfiguration"}) {
      QCOMPARE(b[QString("IFD1:") + name], a[QString("IFD1:") + name]);
    }
  }

  // The second page has a directory of EXIF, whose comment depends on the order of bytes, and a
  // picture of its own.
  void directories_of_a_page_stay() {
    const std::string comment = std::string("UNICODE\0", 8);
    for (const bool big : {false, true}) {
      const std::string greeting = big ? std::string("\0H\0i", 4) : std::string("H\0i\0", 4);
      TiffWriter exif, sub = gray(), t = gray();
      exif.add(37510, 7, 12, comment + greeting);
      exif.text(42036, "Petzval 85");
      exif.longs(40962, 4);
      std::string file = page(gray());
      const std::size_t exif_at = file.size() + 8;
      file += exif.file("", file.size());
      const std::size_t sub_at = file.size() + 8;
      file += page(sub, file.size(), "sub picture's 16");
      t.longs(34665, static_cast<std::uint32_t>(exif_at));
      t.longs(330, static_cast<std::uint32_t>(sub_at));
      file = two_pages(file, page(t, file.size()));
      copy(big ? in_big_endian(file) : file);
      const QJsonObject tags = exif_tags(folder_ / "b.tif");
      QCOMPARE(tags["ExifIFD:UserComment"].toString(), QString("Hi"));
      QCOMPARE(tags["ExifIFD:LensModel"].toString(), QString("Petzval 85"));
      QCOMPARE(tags["SubIFD:ImageWidth"].toInt(), 4);
      const auto at = static_cast<std::size_t>(tags["SubIFD:StripOffsets"].toInt());
      QCOMPARE(copied().substr(at, 16), std::string("sub picture's 16"));
      QVERIFY(!says("file.further_pictures"));
    }
  }

  void pictures_beside_the_filtered_one_are_told() {
    for (const std::uint32_t type : {0u, 1u}) {
      TiffWriter sub = gray(), t = gray();
      sub.longs(254, type);
      t.longs(330, 0);
      std::string file = page(t);
      const std::string entry = std::string("\x4a\1\4\0\1\0\0\0", 8);
      file.replace(file.find(entry) + 8, 4,
                   TiffWriter::number(static_cast<std::uint32_t>(file.size() + 8), 4));
      copy(file + page(sub, file.size()));
      QCOMPARE(says("file.further_pictures"), type == 0);
    }
  }

  // Small pictures as older programs and cameras mark them.
  void older_marks_of_smaller_copies() {
    TiffWriter older = gray();
    older.shorts(255, {2});
    copy(two(older));
    QVERIFY(!exif_tags(folder_ / "b.tif").contains("IFD1:ImageWidth"));
    older = gray();
    older.shorts(255, {3});
    copy(two(older));
    QVERIFY(exif_tags(folder_ / "b.tif").contains("IFD1:ImageWidth"));
    const std::string first = page(gray());
    std::string camera = std::string("II*\0\10\0\0\0\3\0", 10);
    const auto at = static_cast<std::uint32_t>(first.size() + 10 + 36 + 4);
    for (const auto& [tag, value] : {std::pair(259u, 6u), {513u, at}, {514u, 4u}}) {
      camera += TiffWriter::number(tag, 2) + std::string("\4\0\1\0\0\0", 6) +
                TiffWriter::number(value, 4);
    }
    copy(two_pages(first, camera + std::string(4, '\0') + "jpeg"));
    QVERIFY(!exif_tags(folder_ / "b.tif").contains("IFD1:Compression"));
  }

  // A tag that is there twice counts once, as libtiff reads it.
  void tags_that_are_there_twice() {
    TiffWriter t = gray();
    t.text(65010, "first");
    t.text(65010, "second, and longer");
    copy(two(t));
    QVERIFY(copied().find("first") != std::string::npos);
    QVERIFY(copied().find("second, and longer") == std::string::npos);
    QVERIFY(!shown_pixels(folder_ / "b.tif", 1).empty());
  }

  // A smaller copy of a page that is no other is kept with it.
  void smaller_copies_of_copied_pages_stay() {
    TiffWriter small = gray(), other = gray();
    small.longs(254, 1);
    std::string bytes = page(gray());
    std::size_t last = 8;
    for (const TiffWriter& t : {small, other, small}) {
      const std::size_t at = bytes.size() + 8;
      const auto entries = static_cast<std::size_t>(static_cast<unsigned char>(bytes[last]));
      bytes.replace(last + 2 + 12 * entries, 4,
                    TiffWriter::number(static_cast<std::uint32_t>(at), 4));
      bytes += page(t, bytes.size());
      last = at;
    }
    copy(bytes);
    const QJsonObject tags = exif_tags(folder_ / "b.tif");
    QVERIFY(!tags.contains("IFD1:SubfileType") && tags.contains("IFD1:ImageWidth"));
    QCOMPARE(tags["IFD2:SubfileType"].toInt(), 1);
    QVERIFY(!tags.contains("IFD3:ImageWidth"));
  }

  void pages_that_point_outside_are_refused() {
    const std::string sound = two(gray());
    const std::size_t second = page(gray()).size() + 8;
    for (const int tag : {273, 279, 256, 257}) {
      std::string bytes = sound;
      const std::size_t entry = bytes.find(
          TiffWriter::number(static_cast<std::uint32_t>(tag), 2) + std::string("\4\0\1\0\0\0", 6),
          second);
      bytes.replace(entry + 8, 4, TiffWriter::number(tag < 260 ? 0 : 0x7fffffff, 4));
      QVERIFY2(fault_of(bytes).starts_with("file.page_not_copied"),
               qPrintable(QString::number(tag)));
    }
    // Old JPEG: its tables are at places that nobody knows to be so.
    std::string old = sound;
    const std::size_t code = old.find(std::string("\3\1\3\0\1\0\0\0\1", 9), second);
    old.replace(code + 8, 1, "\6");
    QVERIFY(fault_of(old).find("kind 6") != std::string::npos);
  }

  // A strip that stands for thousands of others.
  void pages_that_share_their_bytes() {
    const auto shared = [](std::uint32_t count, std::uint32_t each) {
      const std::string first = page(gray());
      TiffWriter t = gray();
      t.longs(256, 4);
      t.longs(257, count);
      t.shorts(258, {8});
      t.longs(278, 1);
      std::string places, sizes;
      for (std::uint32_t i = 0; i < count; ++i) {
        places += TiffWriter::number(8, 4);
        sizes += TiffWriter::number(each, 4);
      }
      t.add(279, 4, count, sizes);
      t.add(324, 4, count, places);
      t.add(325, 4, count, sizes);
      return two_pages(first, t.file("", first.size()));
    };
    QVERIFY(fault_of(shared(100, 100)).empty());
    QVERIFY(fault_of(shared(50000, 400000)).find("much larger than the file") != std::string::npos);
  }
};

QTEST_GUILESS_MAIN(TestIoTiffPages)
#include "test_io_tiff_pages.moc"
