// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Metadata in Canon's boxes (CR3), whose compressed pictures no program here writes. exiftool reads
// the same.
#include <QJsonObject>
#include <QTest>

#include "io/module/bytes.hpp"
#include "io/module/camera_raw.hpp"
#include "io/programs.hpp"
#include "io/raw_files.hpp"
#include "io/tiff_writer.hpp"
#include "support/files.hpp"
#include "support/skips.hpp"

using namespace std::string_literals;
using namespace sfumato;
using namespace sfumato::testing;

namespace {

std::string box(const std::string& name, const std::string& body) {
  return big_endian_bytes(body.size() + 8, 4) + name + body;
}

std::string canon_file(int orientation) {
  TiffWriter image, photo, gps;
  image.text(0x010f, "Canon");
  image.text(0x0110, "Canon EOS R5");
  image.shorts(0x0112, {static_cast<std::uint32_t>(orientation)});
  image.text(0x8298, "Ada");
  photo.text(0xa434, "Petzval 85");
  photo.shorts(0xa001, {2});
  gps.text(0x001d, "2020:01:02");
  const std::string of_canon = "\x85\xc0\xb6\x87\x82\x0f\x11\xe0\x81\x11\xf4\xce\x46\x2b\x6a\x48"s,
                    of_xmp = "\xbe\x7a\xcf\xcb\x97\xa9\x42\xe8\x9c\x71\x99\x94\x91\xe3\xaf\xac"s,
                    packet =
                        "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF "
                        "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"
                        "<rdf:Description xmlns:xmp='http://ns.adobe.com/xap/1.0/' "
                        "xmp:Rating='4'/></rdf:RDF></x:xmpmeta>";
  const std::string own = of_canon + box("CMT1", image.file("")) + box("CMT2", photo.file("")) +
                          box("CMT4", gps.file(""));
  return box("ftyp", "crx \0\0\0\1crx isom"s) + box("moov", box("uuid", own)) +
         box("uuid", of_xmp + packet) + box("mdat", std::string(64, '\0'));
}

std::string text_of_entry(const files::TiffEntries& entries, std::uint16_t tag) {
  const auto found = entries.find(tag);
  return found == entries.end() ? "none" : std::string(found->second.value.c_str());
}

}  // namespace

class TestCameraRaw : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void boxes_of_canon() {
    if (QStandardPaths::findExecutable("exiftool").isEmpty()) SKIP_WITHOUT("exiftool");
    const Folder folder;
    put(folder / "a.cr3", canon_file(6));
    const QJsonObject theirs = exif_tags(folder / "a.cr3");
    QCOMPARE(theirs["IFD0:Copyright"].toString(), QString("Ada"));
    QCOMPARE(theirs["XMP-xmp:Rating"].toInt(), 4);
    const files::Metadata held = files::metadata_in_raw(folder / "a.cr3");
    QCOMPARE(QString::fromStdString(text_of_entry(held.exif.image, 0x8298)),
             theirs["IFD0:Copyright"].toString());
    QCOMPARE(QString::fromStdString(text_of_entry(held.exif.photo, 0xa434)),
             theirs["ExifIFD:LensModel"].toString());
    QCOMPARE(QString::fromStdString(text_of_entry(held.exif.gps, 0x001d)),
             theirs["GPS:GPSDateStamp"].toString());
    QVERIFY(held.exif.photo.count(0xa001) == 0 && !held.exif.is_damaged);
    QVERIFY(held.xmp.find("Rating") != std::string::npos);
    QCOMPARE(files::orientation_in_raw(folder / "a.cr3"), 6);
  }

  // Boxes that are cut, or of another maker, say nothing.
  void damaged_boxes() {
    const Folder folder;
    const std::string whole = canon_file(3);
    for (std::size_t size = 0; size < whole.size(); size += 7) {
      put(folder / "a.cr3", whole.substr(0, size));
      const files::Metadata held = files::metadata_in_raw(folder / "a.cr3");
      QVERIFY(held.exif.image.size() < 20);
      QVERIFY(files::orientation_in_raw(folder / "a.cr3") >= 0);
    }
    std::string other = whole;
    other.replace(other.find("\x85\xc0"), 1, "x");
    put(folder / "a.cr3", other);
    QVERIFY(files::metadata_in_raw(folder / "a.cr3").exif.empty());
  }
};

QTEST_GUILESS_MAIN(TestCameraRaw)
#include "test_camera_raw.moc"
