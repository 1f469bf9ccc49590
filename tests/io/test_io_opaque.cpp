// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Pictures whose files could hold transparency but do not: nobody is warned that it is lost.
#include <QTest>
#include <cmath>

#include "io/property_inputs.hpp"
#include "support/skips.hpp"

using namespace std::string_literals;
using namespace sfumato;
using namespace sfumato::testing;

class TestIoOpaque : public QObject {
  Q_OBJECT

  Folder folder_;

  bool loses_transparency(const std::string& name, int page = 0) {
    const auto picture = open_picture(folder_ / name, {.page = page});
    Said said = copy_picture(folder_ / name, folder_ / "copy.jpg", {.overwrite = true});
    const bool warned = std::any_of(said.writing.begin(), said.writing.end(), [](const Message& m) {
      return in_english(m).find("transparency") != std::string::npos;
    });
    if (page == 0 && warned != picture->format().has_alpha()) QTest::qFail("unlike", __FILE__, 0);
    return picture->format().has_alpha();
  }
  void make(const QStringList& how, const char* name) {
    output_of("convert", QStringList{"-size", "24x18", "plasma:red-blue"} + how +
                             QStringList{text_of(folder_ / name)});
    QVERIFY(std::filesystem::exists(folder_ / name));
  }

 private slots:
  void initTestCase() {
    if (QStandardPaths::findExecutable("convert").isEmpty()) SKIP_WITHOUT("ImageMagick");
  }

  void gif() {
    make({"-colors", "16"}, "opaque.gif");
    QVERIFY(!loses_transparency("opaque.gif"));
    make({"-colors", "16", "-fill", "none", "-draw", "color 3,3 point"}, "clear.gif");
    QVERIFY(loses_transparency("clear.gif"));
    // A transparent colour that no pixel has.
    std::string bytes = content(folder_ / "opaque.gif");
    const std::size_t picture = bytes.find(std::string("\x2c\0\0\0\0", 5));
    put(folder_ / "unused.gif", bytes.insert(picture, std::string("\x21\xf9\4\1\0\0\xff\0", 8)));
    QVERIFY(!loses_transparency("unused.gif"));
    // A picture that does not cover its canvas.
    bytes = content(folder_ / "opaque.gif");
    bytes[6] = static_cast<char>(bytes[6] + 1);
    put(folder_ / "larger.gif", bytes);
    QVERIFY(loses_transparency("larger.gif"));
  }

  // The first frame has none, the second has.
  void frames() {
    output_of("convert", {"-size", "24x18", "xc:red", "(", "xc:none", "-fill", "blue", "-draw",
                          "rectangle 3,3 8,8", ")", "-set", "dispose", "background",
                          text_of(folder_ / "frames.gif")});
    QVERIFY(!loses_transparency("frames.gif"));
    QVERIFY(loses_transparency("frames.gif", 1));
    QVERIFY(loses_transparency("frames.gif", 2));
  }

  void png() {
    output_of("convert", {"-size", "24x18", "plasma:red-blue", "-colors", "16",
                          "PNG8:" + text_of(folder_ / "palette.png")});
    const std::string bytes = content(folder_ / "palette.png");
    QCOMPARE(int{bytes[25]}, 3);
    const std::size_t data = bytes.find("IDAT") - 4;
    for (const char alpha : {'\xff', '\xfe'}) {
      std::string with = bytes;
      with.insert(data, chunk("tRNS", std::string(2, alpha)));
      put(folder_ / "opacity.png", with);
      QVERIFY(loses_transparency("opacity.png") == (alpha != '\xff'));
    }
    copy_picture(folder_ / "palette.png", folder_ / "a.tif");
    put(folder_ / "opacity.png",
        std::string(bytes).insert(data, chunk("tRNS", std::string(3, '\xff'))));
    copy_picture(folder_ / "opacity.png", folder_ / "b.tif");
    QVERIFY(values_of(folder_ / "a.tif") == values_of(folder_ / "b.tif"));
  }

  // Whether there is transparency is known when all pixels are there.
  void only_transparency_is_lost_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<float>("cover");
    QTest::addColumn<QString>("said");
    for (const char* name : {"a.j2k", "a.jpg", "a.hdr"}) {
      const QString ground = name == "a.hdr"s ? "format.over_black" : "format.over_white";
      QTest::addRow("%s, opaque", name) << name << 1.0f << "";
      QTest::addRow("%s, one pixel", name) << name << 0.99f << ground;
      QTest::addRow("%s, no number", name) << name << std::nanf("") << ground;
    }
  }
  void only_transparency_is_lost() {
    QFETCH(const QString, name);
    QFETCH(const float, cover);
    QFETCH(const QString, said);
    const Folder folder;
    const SampleType type = name == "a.hdr" ? SampleType::f32 : SampleType::u8;
    const auto out = create_picture(folder / name.toStdString(), {},
                                    usual_format(4, type, AlphaKind::premultiplied));
    QVERIFY(out->warnings().empty());
    Image image(out->format());
    QCOMPARE(image.format.type, SampleType::f32);
    auto* samples = reinterpret_cast<float*>(image.bytes.data());
    const std::size_t count = image.bytes.size() / sizeof(float);
    std::fill_n(samples, count, 1.0f);
    samples[count - 1] = cover;
    out->write(image.view());
    out->commit();
    QCOMPARE(out->warnings().size(), said.isEmpty() ? 0u : 1u);
    if (!said.isEmpty()) QCOMPARE(out->warnings()[0].id, said.toStdString());
  }
};

QTEST_GUILESS_MAIN(TestIoOpaque)
#include "test_io_opaque.moc"
