// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Texts and attributes of files whose names are those of readers' own notes: they change no pixel
// and refuse no picture.
#include <QTest>

#include "io/property_inputs.hpp"
#include "io/raw_files.hpp"

using namespace sfumato;
using namespace sfumato::testing;
using namespace std::string_literals;

class TestIoForeignNames : public QObject {
  Q_OBJECT

  Folder folder_;

  static std::string with_text(const std::string& png, const std::string& keyword,
                               const std::string& text) {
    return with_chunks(png, chunk("tEXt", keyword + '\0' + text));
  }

 private slots:
  void initTestCase() {
    Image image = scene(usual_format(3, SampleType::u8, AlphaKind::none));
    through(folder_ / "plain.png", image);
  }

  void texts_of_png_data() {
    QTest::addColumn<QString>("keyword");
    QTest::addColumn<QString>("text");
    for (const char* name :
         {"sfumato:cicp", "sfumato:short", "sfumato:shifted", "sfumato:jp2_space",
          "sfumato:pictures", "sfumato:frames", "sfumato:others", "sfumato:png_lost",
          "tiff:PhotometricInterpretation", "tiff:ColorSpace", "psd:ColorMode",
          "oiio:UnassociatedAlpha", "oiio:BitsPerSample"}) {
      QTest::newRow(name) << QString(name) << "14";
    }
    QTest::newRow("ink") << QString("jpeg:ColorSpace") << "CMYK";
    QTest::newRow("space") << QString("oiio:ColorSpace") << "Linear";
    QTest::newRow("aspect") << QString("PixelAspectRatio") << "3";
    QTest::newRow("resolution") << QString("XResolution") << "300";
  }
  void texts_of_png() {
    QFETCH(QString, keyword);
    QFETCH(QString, text);
    put(folder_ / "a.png",
        with_text(content(folder_ / "plain.png"), keyword.toStdString(), text.toStdString()));
    const auto in = open_picture(folder_ / "a.png"), plain = open_picture(folder_ / "plain.png");
    QVERIFY(in->info().warnings == plain->info().warnings);
    QVERIFY(in->format() == plain->format());
    QVERIFY(read_all(*in).bytes == read_all(*plain).bytes);
    copy_picture(folder_ / "a.png", folder_ / "b.tif", {.overwrite = true});
    copy_picture(folder_ / "plain.png", folder_ / "c.tif", {.overwrite = true});
    QCOMPARE(spec_of(folder_ / "b.tif").get_float_attribute("XResolution"),
             spec_of(folder_ / "c.tif").get_float_attribute("XResolution"));
  }

  // Texts that are too long to be unpacked hide none beside them.
  void texts_beside_long_ones() {
    const QByteArray packed = qCompress(QByteArray(7'900'000, 'x')).mid(4);  // zlib's own
    std::string chunks;
    for (int i = 0; i < 6; ++i) chunks += chunk("zTXt", "long\0\0"s + packed.toStdString());
    for (const std::string& text : {"PixelAspectRatio\0"s + "3", "XResolution\0"s + "300"}) {
      put(folder_ / "a.png",
          with_chunks(content(folder_ / "plain.png"), chunks + chunk("tEXt", text)));
      copy_picture(folder_ / "a.png", folder_ / "b.exr", {.overwrite = true});
      copy_picture(folder_ / "plain.png", folder_ / "c.exr", {.overwrite = true});
      for (const char* attribute : {"PixelAspectRatio", "XResolution", "xDensity"}) {
        QCOMPARE(spec_of(folder_ / "b.exr").get_float_attribute(attribute),
                 spec_of(folder_ / "c.exr").get_float_attribute(attribute));
      }
    }
  }

  // The curve that is stated in numbers counts.
  void curve_beside_a_text() {
    std::string png = content(folder_ / "plain.png");
    for (const char* name : {"sRGB", "gAMA"}) {
      const std::size_t at = png.find(name);
      if (at == std::string::npos) continue;
      const std::size_t size = static_cast<unsigned char>(png[at - 1]);
      png.erase(at - 4, size + 12);
    }
    put(folder_ / "a.png", with_text(png, "oiio:ColorSpace", "Linear"));
    QCOMPARE(open_picture(folder_ / "a.png")->format().coding, Coding::srgb());
  }

  void attributes_of_openexr() {
    OIIO::ImageSpec spec(40, 30, 3, OIIO::TypeDesc::HALF);
    for (const char* name :
         {"sfumato:short", "sfumato:shifted", "sfumato:pictures", "sfumato:frames",
          "sfumato:jp2_space", "tiff:PhotometricInterpretation"}) {
      spec.attribute(name, 14);
    }
    spec.attribute("sfumato:others", "nothing");
    make_file(folder_ / "a.exr", {spec});
    const auto in = open_picture(folder_ / "a.exr");
    QVERIFY(in->info().warnings.empty());
    QCOMPARE(read_all(*in).format.width, 40);
  }
};

QTEST_GUILESS_MAIN(TestIoForeignNames)
#include "test_io_foreign_names.moc"
