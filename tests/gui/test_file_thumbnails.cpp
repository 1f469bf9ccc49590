// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Thumbnails of files in the batch window: every format, upright, and hostile ones cost only
// themselves.
#include <unistd.h>

#include <QFile>
#include <QImageReader>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <filesystem>

#include "batch/file_thumbnails.hpp"
#include "batch_window_driver.hpp"
#include "support/not_empty.hpp"

using namespace sfumato;
using namespace sfumato::gui;
using namespace sfumato::testing;

class TestFileThumbnails : public QObject, private BatchWindowDriver {
  Q_OBJECT

  static constexpr int side = FileThumbnails::side;

  // Red on the left, blue on the right.
  void halves(const std::string& name, int width, int height) const {
    const PictureFormat format{width, height, 3, SampleType::u8, AlphaKind::none, Coding::srgb()};
    const auto out = create_picture(at(name), {.overwrite = true}, format);
    Image image(out->format());
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) image.set(x, y, x < width / 2 ? 0 : 2, 1);
    }
    out->write(image.view());
    out->commit();
  }

  static bool is_red(QColor c) { return c.red() > 200 && c.blue() < 60 && c.green() < 60; }
  static bool is_blue(QColor c) { return c.blue() > 200 && c.red() < 60 && c.green() < 60; }

 private Q_SLOTS:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  void every_format_has_one_data() {
    QTest::addColumn<QString>("name");
    for (const FormatInfo& format : not_empty(writable_formats(), "formats")) {
      QTest::newRow(format.id.c_str()) << QString::fromStdString("a." + format.extensions.front());
    }
  }
  void every_format_has_one() {
    QFETCH(const QString, name);
    halves(name.toStdString(), 500, 250);
    const QImage image = FileThumbnails::read(shown(name.toStdString()));
    QCOMPARE(image.size(), QSize(side, side / 2));
    QVERIFY(is_red(image.pixelColor(side / 4, side / 4)));
    QVERIFY(is_blue(image.pixelColor(3 * side / 4, side / 4)));
  }

  void small_pictures_are_not_enlarged() {
    halves("small.png", 40, 20);
    const QImage image = FileThumbnails::read(shown("small.png"));
    QCOMPARE(image.size(), QSize(40, 20));
    QVERIFY(is_red(image.pixelColor(5, 10)) && is_blue(image.pixelColor(35, 10)));
  }

  void narrow_pictures_have_one() {
    picture("narrow.png", 1, 3000);
    const QSize size = FileThumbnails::read(shown("narrow.png")).size();
    QCOMPARE(size, QSize(1, side));
  }

  // As cameras store pictures that were taken upright: turned by 90 degrees to the right.
  void they_are_upright() {
    halves("stored.jpg", 400, 200);
    const QByteArray jpeg = content("stored.jpg");
    const QByteArray exif = QByteArray::fromHex(
        "ffe100224578696600004d4d002a000000080001011200030000000100060000"
        "00000000");
    QFile turned(shown("turned.jpg"));
    QVERIFY(turned.open(QIODevice::WriteOnly));
    turned.write(jpeg.first(2) + exif + jpeg.mid(2));
    turned.close();
    const QImage image = FileThumbnails::read(shown("turned.jpg"));
    QCOMPARE(image.size(), QSize(side / 2, side));
    QVERIFY(is_red(image.pixelColor(side / 4, side / 4)));
    QVERIFY(is_blue(image.pixelColor(side / 4, 3 * side / 4)));
  }

  // Qt's readers, which decode in this process, are not asked: here they know a format of their
  // own that nobody else knows.
  void only_our_own_readers_are_used() {
    QVERIFY(QImageReader::supportedImageFormats().contains("xpm"));
    text("own.xpm",
         "/* XPM */\nstatic char *a[] = {\n\"2 1 2 1\",\n\"a c #ff0000\",\n\"b c #0000ff\",\n"
         "\"ab\"};\n");
    QVERIFY(!QImage(shown("own.xpm")).isNull());
    QVERIFY(FileThumbnails::read(shown("own.xpm")).isNull());
  }

  void what_cannot_be_read_has_none() {
    text("none.ppm", "nothing");
    QVERIFY(FileThumbnails::read(shown("none.ppm")).isNull());
    text("huge.ppm", "P6\n1000000 1000000\n255\n");
    QVERIFY(FileThumbnails::read(shown("huge.ppm")).isNull());
    QVERIFY(FileThumbnails::read(shown("missing.png")).isNull());
  }

  // A Softimage picture that crashes OpenImageIO's reader; others come all the same.
  void a_crash_costs_one_thumbnail() {
    QByteArray pic(104, '\0');
    pic.replace(0, 8, QByteArray::fromHex("5380f6343f800000"));
    pic.replace(88, 14, "PICT" + QByteArray::fromHex("001000103f8000000003"));
    // One packet of three channels, whose runs go far beyond a row's end.
    pic += QByteArray::fromHex("000801e0") + QByteArray::fromHex("ff010203").repeated(200);
    QFile file(shown("crash.pic"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(pic);
    file.close();
    halves("good.png", 300, 300);
    FileThumbnails thumbnails;
    QSignalSpy ready(&thumbnails, &FileThumbnails::ready);
    QVERIFY(thumbnails.thumbnail(shown("good.png")).isNull());
    QVERIFY(thumbnails.thumbnail(shown("crash.pic")).isNull());
    QTRY_COMPARE_WITH_TIMEOUT(ready.size(), 2, 180000);
    QCOMPARE(thumbnails.thumbnail(shown("good.png")).size(), QSize(side, side));
  }

  void reading_can_be_given_up() {
    picture("a.png", 200, 400);
    QVERIFY(!FileThumbnails::read(shown("a.png"), [] { return false; }).isNull());
    QVERIFY(FileThumbnails::read(shown("a.png"), [] { return true; }).isNull());
  }
};

QTEST_MAIN(TestFileThumbnails)
#include "test_file_thumbnails.moc"
