// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// EXIF, GPS and IPTC go from file to file as they are: exiftool puts them into the first and looks
// for them in the second.
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTest>

#include "support/files.hpp"
#include "support/skips.hpp"

using namespace sfumato;
using namespace sfumato::testing;
using enum SampleType;

namespace {

QByteArray exiftool(QStringList arguments, const std::filesystem::path& file) {
  QProcess process;
  arguments << QString::fromStdString(file.string());
  process.start(QStandardPaths::findExecutable("exiftool"), arguments);
  return process.waitForFinished() ? process.readAllStandardOutput() : QByteArray();
}

const QStringList exif_tags = {"-EXIF:ISO=200",
                               "-EXIF:UserComment=seen from the pier",
                               "-EXIF:LensModel=Petzval 85",
                               "-EXIF:FNumber=2.2",
                               "-EXIF:ExposureTime=1/250",
                               "-EXIF:DateTimeOriginal=2021:05:06 07:08:09",
                               "-EXIF:OffsetTimeOriginal=+02:00",
                               "-EXIF:XPTitle=Leuchtturm",
                               "-EXIF:Artist=A. Painter",
                               "-EXIF:Copyright=(c) A. Painter",
                               "-EXIF:ImageDescription=a lighthouse",
                               "-GPS:GPSLatitude=48.137",
                               "-GPS:GPSLatitudeRef=N",
                               "-GPS:GPSLongitude=11.575",
                               "-GPS:GPSLongitudeRef=E",
                               "-GPS:GPSAltitude=519"};
const QStringList iptc_tags = {"-IPTC:Keywords=sea", "-IPTC:Keywords=light",
                               "-IPTC:Caption-Abstract=A lighthouse at the sea",
                               "-IPTC:By-line=A. Painter"};

// What exiftool finds of these, a line each.
QByteArray found(const QStringList& tags, const std::filesystem::path& file) {
  QStringList names;
  for (const QString& tag : tags) {
    const QString name = tag.section('=', 0, 0);
    if (!names.contains(name)) names << name;
  }
  return exiftool(QStringList{"-a", "-s", "-n"} + names, file);
}

void make_described(const std::filesystem::path& path, QStringList tags) {
  Image image = scene({40, 30, 3, u8, AlphaKind::none, Coding::srgb()});
  through(path, image, {.quality = 100});
  exiftool(QStringList{"-q", "-n", "-overwrite_original"} + tags, path);
}

}  // namespace

class TestIoCarried : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    if (QStandardPaths::findExecutable("exiftool").isEmpty()) SKIP_WITHOUT("exiftool");
  }

  void bytes_survive_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("order");
    for (const char* from : {"tif", "jpg", "png", "webp"}) {
      for (const char* to : {"tif", "jpg", "png", "webp"}) {
        QTest::addRow("%s to %s", from, to) << from << to << "II";
      }
    }
    QTest::newRow("big-endian jpg to tif") << "jpg"
                                           << "tif"
                                           << "MM";
    QTest::newRow("big-endian jpg to jpg") << "jpg"
                                           << "jpg"
                                           << "MM";
    QTest::newRow("big-endian jpg to png") << "jpg"
                                           << "png"
                                           << "MM";
  }

  void bytes_survive() {
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, order);
    const Folder folder;
    const auto a = folder / ("a." + from.toStdString()), b = folder / ("b." + to.toStdString());
    // A PNG file's IPTC is in text that exiftool packs; WebP has none.
    const bool iptc = from == "tif" || from == "jpg";
    QStringList tags{"-ExifByteOrder=" + order};
    tags += exif_tags;
    if (iptc) tags += iptc_tags;
    make_described(a, tags);
    const QByteArray before = found(exif_tags, a);
    QVERIFY2(before.count('\n') == exif_tags.size(), before.constData());
    const auto warnings = pass_through(a, b, {.quality = 100});
    QCOMPARE(warnings.size(), iptc && to == "webp" ? 1u : 0u);
    QCOMPARE(found(exif_tags, b), before);
    if (iptc && to != "webp") {
      QCOMPARE(found(iptc_tags, b).count('\n'), 3);
      QCOMPARE(found(iptc_tags, b), found(iptc_tags, a));
    }
    QCOMPARE(exiftool({"-validate", "-warning", "-a", "-s3"}, b).count("offset"), 0);
    if (from != "jpg" && to != "jpg") QVERIFY(values_of(a) == values_of(b));
    // And on from there.
    const auto c = folder / "c.jpg";
    pass_through(b, c, {.quality = 100});
    QCOMPARE(found(exif_tags, c), before);
    if (iptc && to != "webp") QCOMPARE(found(iptc_tags, c), found(iptc_tags, a));
    // Nothing of it where the user wants none.
    pass_through(a, b, {.overwrite = true, .keep_metadata = false});
    QCOMPARE(found(exif_tags + iptc_tags, b), QByteArray());
  }

  // The picture's thumbnail shows it before the filter.
  void thumbnails_are_left_out() {
    const Folder folder;
    make_described(folder / "small.jpg", {});
    make_described(folder / "a.jpg",
                   {"-ThumbnailImage<=" + QString::fromStdString((folder / "small.jpg").string()),
                    "-EXIF:Artist=A. Painter"});
    QVERIFY(!exiftool({"-b", "-ThumbnailImage"}, folder / "a.jpg").isEmpty());
    for (const char* name : {"b.jpg", "b.png", "b.tif", "b.webp"}) {
      pass_through(folder / "a.jpg", folder / name);
      QCOMPARE(exiftool({"-b", "-ThumbnailImage"}, folder / name), QByteArray());
      QCOMPARE(exiftool({"-s3", "-EXIF:Artist"}, folder / name), QByteArray("A. Painter\n"));
    }
  }

  // What one segment of a JPEG file cannot hold is told, and the rest is kept. XMP may take
  // several.
  void too_much_for_jpeg() {
    const Folder folder;
    make_described(folder / "a.tif",
                   {"-EXIF:Artist=A. Painter", "-XMP:Description=" + QString(70000, 'x')});
    QVERIFY(pass_through(folder / "a.tif", folder / "b.jpg").empty());
    QCOMPARE(exiftool({"-s3", "-XMP:Description"}, folder / "b.jpg"),
             QByteArray(70000, 'x') + '\n');
    QCOMPARE(exiftool({"-s3", "-EXIF:Artist"}, folder / "b.jpg"), QByteArray("A. Painter\n"));
    // Words become comments of the file.
    make_described(folder / "w.tif", {"-EXIF:ImageDescription=" + QString(70000, 'x')});
    QVERIFY(pass_through(folder / "w.tif", folder / "w.jpg").empty());
    QCOMPARE(exiftool({"-a", "-s3", "-File:Comment"}, folder / "w.jpg").count('x'), 70000);
    make_described(folder / "c.tif",
                   {"-EXIF:Artist=A. Painter", "-EXIF:Copyright=" + QString(70000, 'x')});
    const auto warnings = pass_through(folder / "c.tif", folder / "b.jpg", {.overwrite = true});
    QCOMPARE(warnings.size(), 1u);
    QVERIFY2(warnings[0].find("EXIF metadata)") != std::string::npos, warnings[0].c_str());
    QCOMPARE(exiftool({"-s3", "-EXIF:Artist"}, folder / "b.jpg"), QByteArray("A. Painter\n"));
    QVERIFY(values_of(folder / "b.jpg").size() == values_of(folder / "c.tif").size());
  }

  void empty_texts() {
    const Folder folder;
    make_described(folder / "a.jpg", {"-IPTC:By-line=", "-IPTC:Headline=x"});
    std::string bytes = content(folder / "a.jpg");
    const std::size_t at = bytes.find(std::string("\x1c\x02\x69\x00\x01x", 6));
    QVERIFY(at != std::string::npos);
    bytes[at + 4] = 0;  // no letters
    bytes[at + 5] = 0;
    QFile file(QString::fromStdString((folder / "b.jpg").string()));
    QVERIFY(file.open(QFile::WriteOnly));
    file.write(bytes.data(), static_cast<qint64>(bytes.size()));
    file.close();
    for (const char* name : {"c.jpg", "c.tif", "c.png"}) {
      QVERIFY(pass_through(folder / "b.jpg", folder / name).empty());
    }
  }

  // Directories that point anywhere: what can be read is kept, and nothing else happens.
  void damaged_blocks_data() {
    QTest::addColumn<int>("seed");
    for (int seed = 0; seed < 40; ++seed) QTest::addRow("seed %d", seed) << seed;
  }

  void damaged_blocks() {
    QFETCH(int, seed);
    const Folder folder;
    make_described(folder / "a.jpg", exif_tags + iptc_tags);
    std::string bytes = content(folder / "a.jpg");
    const std::size_t begin = bytes.find("Exif"), end = bytes.find("\xff\xdb");
    QVERIFY(begin != std::string::npos && end > begin);
    auto state = static_cast<std::uint32_t>(seed + 1);
    for (int i = 0; i < 12; ++i) {
      state = state * 1664525u + 1013904223u;
      bytes[begin + (state >> 8) % (end - begin)] = static_cast<char>(state >> 24);
    }
    QFile file(QString::fromStdString((folder / "b.jpg").string()));
    QVERIFY(file.open(QFile::WriteOnly));
    file.write(bytes.data(), static_cast<qint64>(bytes.size()));
    file.close();
    for (const char* name : {"c.jpg", "c.tif", "c.png", "c.webp"}) {
      try {
        pass_through(folder / "b.jpg", folder / name);
        QVERIFY(open_picture(folder / name) != nullptr);
      } catch (const FileError&) {
        // said: a marker was hit
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestIoCarried)
#include "test_io_carried.moc"
