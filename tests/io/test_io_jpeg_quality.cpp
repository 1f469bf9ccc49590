// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The quality of JPEG files: as asked for, or as in the input.
#include <QTest>
#include <fstream>
#include <string>

#include "support/files.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

// The table for brightness, and how often brightness is sampled for each colour.
struct Stored {
  std::string table;
  int across = 0, down = 0;
};

Stored stored_in(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(bytes.at(at)); };
  Stored out;
  for (std::size_t at = 2; byte(at) == 0xff && byte(at + 1) != 0xda;) {
    const std::size_t size = byte(at + 2) * 256u + byte(at + 3);
    if (byte(at + 1) == 0xdb && out.table.empty()) out.table = bytes.substr(at + 5, 64);
    if (byte(at + 1) == 0xc0) {
      out.across = byte(at + 11) >> 4;
      out.down = byte(at + 11) & 15;
    }
    at += 2 + size;
  }
  return out;
}

std::filesystem::path made(const Folder& folder, int quality) {
  OIIO::ImageSpec spec(64, 48, 3, OIIO::TypeDesc::UINT8);
  spec.attribute("compression", "jpeg:" + std::to_string(quality));
  spec.attribute("jpeg:subsampling", "4:2:0");
  make_file(folder / "a.jpg", {spec});
  return folder / "a.jpg";
}

Stored written(const std::filesystem::path& from, const std::filesystem::path& to, int quality) {
  const auto in = open_picture(from);
  WriteOptions options;
  options.quality = quality;
  options.overwrite = true;
  const auto out = create_picture(to, options, *in);
  HeldPicture picture = read_all(*in);
  out->write(picture.view());
  out->commit();
  return stored_in(to);
}

}  // namespace

class TestIoJpegQuality : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void every_quality_is_recognised_and_kept() {
    const Folder folder;
    for (int quality = 1; quality <= 100; quality += quality < 90 ? 7 : 1) {
      const auto a = made(folder, quality);
      const int found = open_picture(a)->info().jpeg_quality;
      QVERIFY2(found == quality, qPrintable(QString("%1, not %2").arg(found).arg(quality)));
      const Stored before = stored_in(a), kept = written(a, folder / "b.jpg", kept_quality);
      QVERIFY(!before.table.empty() && kept.table == before.table);
    }
  }

  void a_quality_is_taken_as_asked() {
    const Folder folder;
    const auto a = made(folder, 40);
    QVERIFY(written(a, folder / "b.jpg", 80).table != stored_in(a).table);
    const Stored usual = written(a, folder / "b.jpg", 0);
    QVERIFY(usual.table == written(a, folder / "c.jpg", 95).table);
  }

  // What was not JPEG has no quality to keep.
  void other_inputs_get_the_usual_one() {
    const Folder folder;
    make_file(folder / "a.png", {OIIO::ImageSpec(64, 48, 3, OIIO::TypeDesc::UINT8)});
    QCOMPARE(open_picture(folder / "a.png")->info().jpeg_quality, 0);
    QVERIFY(written(folder / "a.png", folder / "b.jpg", kept_quality).table ==
            written(folder / "a.png", folder / "c.jpg", 95).table);
  }

  void colours_are_stored_in_full() {
    const Folder folder;
    const auto a = made(folder, 90);
    const Stored before = stored_in(a), after = written(a, folder / "b.jpg", kept_quality);
    QVERIFY(before.across == 2 && before.down == 2);
    QVERIFY(after.across == 1 && after.down == 1);
  }
};

QTEST_GUILESS_MAIN(TestIoJpegQuality)
#include "test_io_jpeg_quality.moc"
