// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Rows that are asked for again, further up: every format's reader gives the same ones.
#include <QTest>

#include "support/files.hpp"
#include "support/not_empty.hpp"

using namespace sfumato;
using namespace sfumato::testing;

class TestIoAgain : public QObject {
  Q_OBJECT

 private slots:
  void every_format_goes_back_data() {
    QTest::addColumn<QString>("extension");
    QTest::addColumn<bool>("tiled");
    for (const FormatInfo& f : not_empty(writable_formats(), "formats to write")) {
      for (const std::string& extension : f.extensions) {
        QTest::newRow(extension.c_str()) << QString::fromStdString(extension) << false;
      }
    }
    QTest::newRow("tiled tif") << "tif" << true;
    QTest::newRow("tiled exr") << "exr" << true;
  }
  void every_format_goes_back() {
    QFETCH(QString, extension);
    QFETCH(bool, tiled);
    Folder folder;
    const auto path = folder / ("picture." + extension.toStdString());
    const FormatInfo* info = format_of(path);
    const bool integer = is_integer(info->depths[0]);
    const PictureFormat format{
        60, 300, 3, info->depths[0], AlphaKind::none, integer ? Coding::srgb() : Coding::linear()};
    if (tiled) {
      OIIO::ImageSpec spec(60, 300, 3, oiio_type(format.type));
      spec.tile_width = spec.tile_height = 16;
      make_file(path, {spec});
    } else {
      Image image = scene(format);
      const auto out = create_picture(path, {}, format);
      out->write(image.view());
      out->commit();
    }
    const auto all = read_all(*open_picture(path));
    const auto again = open_picture(path);
    HeldPicture parts{all.format, std::vector<char>(all.bytes.size())};
    const HostView view = parts.view();
    for (const int y0 : {0, 100, 250, 30, 200, 0}) {
      const Rect region{0, y0, 60, std::min(300, y0 + 100)};
      again->read(region, view.row(y0), view.row_stride);
    }
    QVERIFY(parts.bytes == all.bytes);
  }
};

QTEST_GUILESS_MAIN(TestIoAgain)
#include "test_io_again.moc"
