// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// EXIF as attributes of OpenEXR: none is lost unsaid. exiftool writes the inputs and reads the
// copies.
#include <QProcess>
#include <QStandardPaths>
#include <QTest>

#include "support/files.hpp"
#include "support/skips.hpp"

using namespace sfumato;
using namespace sfumato::testing;

class TestIoExrExif : public QObject {
  Q_OBJECT

  Folder folder_;

  // The value of an attribute of a copy.
  QString value(const char* tag) const {
    QProcess process;
    process.start("exiftool",
                  {"-s3", "-n", tag, QString::fromStdString((folder_ / "b.exr").string())});
    process.waitForFinished();
    return QString::fromUtf8(process.readAllStandardOutput()).trimmed();
  }

  std::string said_of(const std::string& name, const QStringList& tags,
                      const WriteOptions& options = {.overwrite = true}) {
    make_file(folder_ / name, {OIIO::ImageSpec(16, 12, 3, OIIO::TypeDesc::UINT8)});
    const QString file = QString::fromStdString((folder_ / name).string());
    QProcess::execute("exiftool",
                      QStringList{"-q", "-m", "-overwrite_original"} + tags + QStringList{file});
    std::string all;
    for (const std::string& one : pass_through(folder_ / name, folder_ / "b.exr", options)) {
      all += one + "\n";
    }
    return all;
  }

 private slots:
  void initTestCase() {
    if (QStandardPaths::findExecutable("exiftool").isEmpty()) SKIP_WITHOUT("exiftool");
  }

  // XMP is named as left out; its words take no one's place.
  void exif_counts_before_xmp_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"a.jpg", "a.png", "a.tif", "a.webp"}) QTest::newRow(name) << name;
  }
  void exif_counts_before_xmp() {
    QFETCH(const QString, name);
    const std::string said = said_of(
        name.toStdString(),
        {"-EXIF:Artist=E. Xif", "-EXIF:Copyright=by EXIF", "-EXIF:ImageDescription=an EXIF",
         "-EXIF:Software=Camera", "-EXIF:HostComputer=host", "-XMP-dc:Creator=X. Mp",
         "-XMP-dc:Rights=by XMP", "-XMP-dc:Description=a packet", "-XMP-xmp:CreatorTool=Editor"});
    QVERIFY2(said.find("XMP metadata") != std::string::npos, said.c_str());
    QCOMPARE(value("-Artist"), "E. Xif");
    QCOMPARE(value("-Owner"), "by EXIF");
    QCOMPARE(value("-Comments"), "an EXIF");
    QCOMPARE(value("-Software"), "Camera");
    QCOMPARE(value("-HostComputer"), "host");
  }

  // OpenImageIO's reader of TIFF leaves some entries out.
  void entries_have_attributes_or_are_named() {
    const QStringList tags = {"-EXIF:ImageUniqueID=0123", "-EXIF:GPSImgDirection=90",
                              "-EXIF:Gamma=2.2",          "-EXIF:Rating=4",
                              "-EXIF:XPTitle=a title",    "-EXIF:ProcessingSoftware=Lab"};
    for (const char* name : {"b.jpg", "b.tif"}) {
      const std::string said = said_of(name, tags);
      QVERIFY2(
          said.find("the EXIF entries ProcessingSoftware, Rating, XPTitle\n") != std::string::npos,
          said.c_str());
      QCOMPARE(value("-ExifImageUniqueID"), "0123");
      QCOMPARE(value("-GPSImgDirection"), "90");
      QVERIFY(std::abs(value("-ExifGamma").toDouble() - 2.2) < 1e-6);
    }
    QVERIFY(said_of("b.jpg", tags, {.overwrite = true, .keep_metadata = false}).empty());
    QCOMPARE(value("-ExifImageUniqueID"), "");
  }

  // In other formats they stay.
  void what_has_no_attribute_stays_elsewhere() {
    said_of("c.jpg", {"-EXIF:ProcessingSoftware=Lab"});
    for (const char* name : {"d.jpg", "d.png", "d.tif", "d.webp"}) {
      QVERIFY(pass_through(folder_ / "c.jpg", folder_ / name).empty());
      QProcess process;
      process.start("exiftool", {"-s3", "-EXIF:ProcessingSoftware",
                                 QString::fromStdString((folder_ / name).string())});
      process.waitForFinished();
      QCOMPARE(process.readAllStandardOutput().trimmed(), QByteArray("Lab"));
    }
  }
};

QTEST_GUILESS_MAIN(TestIoExrExif)
#include "test_io_exr_exif.moc"
