// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Pictures that readers or writers of HEIF and AVIF turn or crop: what is said of a place is true
// of the same place afterwards. The place is a bright square; exiftool reads what is said.
#include <QJsonObject>
#include <QStandardPaths>
#include <QTest>

#include "io/carried_files.hpp"
#include "io/programs.hpp"
#include "support/files.hpp"
#include "support/skips.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

constexpr int width = 320, height = 192;
constexpr int left = 224, top = 32, side_across = 64, side_down = 32;

// The bytes of a box behind its head, and where it begins.
struct Found {
  std::size_t at = 0, size = 0;
};

Found box_in(const std::string& bytes, const std::string& name, std::size_t from = 0) {
  const std::size_t at = bytes.find(name, from) - 4;
  return {at, static_cast<std::size_t>(big_endian(bytes, at, 4))};
}

void grow(std::string& bytes, const std::string& name, std::size_t by) {
  const Found box = box_in(bytes, name);
  bytes.replace(box.at, 4, big_endian_bytes(box.size + by, 4));
}

// A HEIF file of libheif whose first item gets these properties, too.
std::string with_properties(std::string heif, const std::vector<std::string>& properties) {
  const Found list = box_in(heif, "ipco");
  std::size_t count = 0;
  for (std::size_t at = list.at + 8; at < list.at + list.size;) {
    at += static_cast<std::size_t>(big_endian(heif, at, 4));
    ++count;
  }
  std::string boxes, numbers;
  for (const std::string& one : properties) {
    boxes += one;
    numbers += static_cast<char>(++count);
  }
  const std::size_t before = heif.size();
  // The associations follow the list: version and flags, their number, the item, how many, each.
  const Found uses = box_in(heif, "ipma");
  const std::size_t count_at = uses.at + 8 + 4 + 4 + 2;
  const auto held = static_cast<std::size_t>(big_endian(heif, count_at, 1));
  heif.insert(count_at + 1 + held, numbers);
  heif[count_at] = static_cast<char>(held + properties.size());
  grow(heif, "ipma", numbers.size());
  heif.insert(list.at + list.size, boxes);
  grow(heif, "ipco", boxes.size());
  const std::size_t more = heif.size() - before;
  grow(heif, "iprp", more);
  grow(heif, "meta", more);
  // Places of the items' data: offsets of four bytes.
  const Found places = box_in(heif, "iloc");
  std::size_t at = places.at + 8 + 4 + 2;
  const auto items = static_cast<int>(big_endian(heif, at, 2));
  at += 2;
  const int version = heif[places.at + 8];
  for (int i = 0; i < items; ++i) {
    at += version == 0 ? 4 : 6;
    const auto base = static_cast<std::size_t>(big_endian(heif, places.at + 13, 1) >> 4);
    at += base;
    const auto extents = static_cast<int>(big_endian(heif, at, 2));
    at += 2;
    for (int e = 0; e < extents; ++e, at += 8) {
      heif.replace(at, 4, big_endian_bytes(big_endian(heif, at, 4) + more, 4));
    }
  }
  return heif;
}

std::string property_box(const std::string& name, const std::string& data) {
  return big_endian_bytes(8 + data.size(), 4) + name + data;
}

// The bright square in a picture, in parts of its sides: the middle and the sides.
std::array<double, 4> square_in(const std::filesystem::path& path) {
  const OIIO::ImageSpec s = spec_of(path);
  const std::vector<float> values = values_of(path);
  int x0 = s.width, y0 = s.height, x1 = 0, y1 = 0;
  for (int y = 0; y < s.height; ++y) {
    for (int x = 0; x < s.width; ++x) {
      if (values[static_cast<std::size_t>(s.nchannels * (y * s.width + x))] < 0.5f) continue;
      x0 = std::min(x0, x);
      x1 = std::max(x1, x + 1);
      y0 = std::min(y0, y);
      y1 = std::max(y1, y + 1);
    }
  }
  return {0.5 * (x0 + x1) / s.width, 0.5 * (y0 + y1) / s.height, 1.0 * (x1 - x0) / s.width,
          1.0 * (y1 - y0) / s.height};
}

}  // namespace

class TestIoTurned : public QObject {
  Q_OBJECT
  Folder folder_;

  void make(const QStringList& more = {}) {
    std::vector<float> pixels;
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        const bool in = x >= left && x < left + side_across && y >= top && y < top + side_down;
        pixels.insert(pixels.end(), 3, in ? 1.0f : 0.0f);
      }
    }
    const std::string path = (folder_ / "a.png").string();
    auto out = OIIO::ImageOutput::create(path);
    QVERIFY(out && out->open(path, {width, height, 3, OIIO::TypeDesc::UINT8}) &&
            out->write_image(OIIO::TypeDesc::FLOAT, pixels.data()) && out->close());
    copy_picture(folder_ / "a.png", folder_ / "a.jpg", {.overwrite = true});
    output_of(
        "exiftool",
        QStringList{"-q", "-n", "-overwrite_original", "-EXIF:SubjectArea=256 48 64 32",
                    "-EXIF:FocalPlaneXResolution=3000", "-EXIF:FocalPlaneYResolution=1000",
                    "-EXIF:ExifImageWidth=320", "-EXIF:ExifImageHeight=192",
                    "-EXIF:XResolution=300", "-EXIF:YResolution=150", "-EXIF:ResolutionUnit=2",
                    "-XMP-exif:ExifImageWidth=320", "-XMP-exif:ExifImageHeight=192",
                    "-XMP-mwg-rs:RegionInfo={AppliedToDimensions={W=320,H=192,Unit=pixel},"
                    "RegionList=[{Area={X=0.8,Y=0.25,W=0.2,H=0.16666667,Unit=normalized},"
                    "Name=Ada,Type=Face}]}",
                    "-XMP-MP:RegionInfoMP={Regions=[{Rectangle=0.7|, 0.16666667|, 0.2|, "
                    "0.16666667,PersonDisplayName=Ada}]}"} +
            more + QStringList{text_of(folder_ / "a.jpg")});
  }

  // What is said of the square is where it is.
  void check(const std::filesystem::path& path, const std::filesystem::path& pixels) {
    const auto square = square_in(pixels);
    const OIIO::ImageSpec s = spec_of(pixels);
    const QJsonObject t = exif_tags(path);
    const auto near = [](double a, double b) { return std::abs(a - b) < 0.02; };
    const QStringList area = t["ExifIFD:SubjectArea"].toString().split(' ');
    QCOMPARE(area.size(), 4);
    QVERIFY(near(area[0].toDouble() / s.width, square[0]));
    QVERIFY(near(area[1].toDouble() / s.height, square[1]));
    QVERIFY(near(area[2].toDouble() / s.width, square[2]));
    QVERIFY(near(area[3].toDouble() / s.height, square[3]));
    QVERIFY(near(t["XMP-mwg-rs:RegionAreaX"].toDouble(), square[0]));
    QVERIFY(near(t["XMP-mwg-rs:RegionAreaY"].toDouble(), square[1]));
    QVERIFY(near(t["XMP-mwg-rs:RegionAreaW"].toDouble(), square[2]));
    QVERIFY(near(t["XMP-mwg-rs:RegionAreaH"].toDouble(), square[3]));
    const QStringList corner = t["XMP-MP:RegionRectangle"].toString().split(',');
    QCOMPARE(corner.size(), 4);
    QVERIFY(near(corner[0].toDouble(), square[0] - square[2] / 2));
    QVERIFY(near(corner[1].toDouble(), square[1] - square[3] / 2));
    QCOMPARE(t["XMP-exif:ExifImageWidth"].toInt(), s.width);
    QCOMPARE(t["XMP-exif:ExifImageHeight"].toInt(), s.height);
    QCOMPARE(t["ExifIFD:ExifImageWidth"].toInt(), s.width);
    QCOMPARE(t["XMP-mwg-rs:RegionAppliedToDimensionsW"].toInt(), s.width);
  }

 private Q_SLOTS:
  void initTestCase() {
    for (const char* program : {"exiftool", "heif-enc"}) {
      if (QStandardPaths::findExecutable(program).isEmpty()) SKIP_WITHOUT("a tool for pictures");
    }
  }

  void readers_turn_and_crop_data() {
    QTest::addColumn<QList<QByteArray>>("names");
    QTest::addColumn<bool>("lies");
    QTest::newRow("by nothing") << QList<QByteArray>{} << false;
    QTest::newRow("by a quarter") << QList<QByteArray>{"irot\1"} << true;
    QTest::newRow("by half") << QList<QByteArray>{"irot\2"} << false;
    QTest::newRow("by three quarters") << QList<QByteArray>{"irot\3"} << true;
    QTest::newRow("upside down") << QList<QByteArray>{QByteArray("imir\0", 5)} << false;
    QTest::newRow("mirrored") << QList<QByteArray>{"imir\1"} << false;
    QTest::newRow("both") << QList<QByteArray>{"irot\1", "imir\1"} << true;
    // 256 x 160 around a centre that is 32 to the right of the picture's and 16 above.
    const auto number = [](std::uint64_t n) { return big_endian_bytes(n, 4); };
    const std::string clap = "clap" + number(256) + number(1) + number(160) + number(1) +
                             number(32) + number(1) + number(0xfffffff0) + number(1);
    const QByteArray cropped(clap.data(), static_cast<qsizetype>(clap.size()));
    QTest::newRow("cropped") << QList<QByteArray>{cropped} << false;
    QTest::newRow("cropped and turned") << QList<QByteArray>{cropped, "irot\1"} << true;
  }
  void readers_turn_and_crop() {
    QFETCH(QList<QByteArray>, names);
    QFETCH(bool, lies);
    make();
    output_of("heif-enc",
              {"-q", "95", text_of(folder_ / "a.jpg"), "-o", text_of(folder_ / "a.heic")});
    std::vector<std::string> properties;
    for (const QByteArray& one : names) {
      properties.push_back(property_box(one.first(4).toStdString(), one.mid(4).toStdString()));
    }
    put(folder_ / "b.heic", with_properties(content(folder_ / "a.heic"), properties));
    for (const char* name : {"b.jpg", "b.tif"}) {
      pass_through(folder_ / "b.heic", folder_ / name, {.overwrite = true});
      check(folder_ / name, folder_ / name);
      const QJsonObject t = exif_tags(folder_ / name);
      QCOMPARE(t["IFD0:XResolution"].toInt(), lies ? 150 : 300);
      QCOMPARE(t["ExifIFD:FocalPlaneXResolution"].toInt(), lies ? 1000 : 3000);
    }
  }

  void writers_turn_data() {
    QTest::addColumn<int>("orientation");
    for (int i = 1; i <= 8; ++i) QTest::addRow("%d", i) << i;
  }
  void writers_turn() {
    QFETCH(int, orientation);
    make({QString("-EXIF:Orientation=%1").arg(orientation),
          QString("-XMP-tiff:Orientation=%1").arg(orientation)});
    pass_through(folder_ / "a.jpg", folder_ / "b.avif", {.overwrite = true, .quality = 100});
    // Without what the reader might turn again.
    pass_through(folder_ / "b.avif", folder_ / "b.png",
                 {.overwrite = true, .keep_metadata = false});
    check(folder_ / "b.avif", folder_ / "b.png");
    QCOMPARE(exif_tags(folder_ / "b.avif")["XMP-tiff:Orientation"].toInt(), 1);
  }
};

QTEST_GUILESS_MAIN(TestIoTurned)
#include "test_io_turned.moc"
