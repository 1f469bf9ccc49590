// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Text in pictures against ImageMagick's, letter by letter.
#include <QFileInfo>
#include <QProcess>
#include <QTest>
#include <cmath>

#include "io/drawing.hpp"
#include "support/files.hpp"
#include "support/skips.hpp"

using namespace sfumato;
using namespace sfumato::testing;

class TestDrawing : public QObject {
  Q_OBJECT

  static constexpr int side = 70;
  static constexpr const char* font = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";
  Folder folder_;

  static HeldPicture paper() {
    HeldPicture out =
        blank_picture({side, side, 3, SampleType::u8, AlphaKind::none, Coding::srgb()});
    std::fill(out.bytes.begin(), out.bytes.end(), static_cast<char>(255));
    return out;
  }
  static std::vector<float> drawn(const std::string& text, int x, int y) {
    HeldPicture picture = paper();
    draw_text(picture, x, y, text, {40, {0, 0, 0}, false});
    std::vector<float> out;
    for (const char byte : picture.bytes) {
      out.push_back(static_cast<float>(static_cast<unsigned char>(byte)) / 255);
    }
    return out;
  }
  static double difference(const std::vector<float>& a, const std::vector<float>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      sum += std::pow(static_cast<double>(a[i]) - static_cast<double>(b[i]), 2);
    }
    return std::sqrt(sum / static_cast<double>(a.size()));
  }

 private slots:
  void letters_are_those_of_the_text_data() {
    QTest::addColumn<QString>("text");
    for (const char* text : {"A", "ü", "Ö", "ß", "é", "Ж", "…", "×"}) {
      QTest::newRow(text) << QString::fromUtf8(text);
    }
  }
  void letters_are_those_of_the_text() {
    QFETCH(QString, text);
    if (!QFileInfo::exists(QLatin1String(font))) SKIP_WITHOUT("DejaVu Sans");
    const std::string file = (folder_ / "theirs.tif").string();
    if (QProcess::execute("convert", {"-size", "70x70", "xc:white", "-font", font, "-pointsize",
                                      "40", "-fill", "black", "-annotate", "+5+50", text, "-type",
                                      "TrueColor", "-depth", "8", QString::fromStdString(file)}) !=
        0) {
      SKIP_WITHOUT("ImageMagick");
    }
    const std::vector<float> theirs = values_of(file), ours = drawn(text.toStdString(), 5, 50);
    QCOMPARE(ours.size(), theirs.size());
    // Apart from how edges are smoothed.
    const double ink = difference(ours, drawn("", 5, 50)), off = difference(ours, theirs);
    QVERIFY2(ink > 0.1 && off < ink / 2, qPrintable(QString("%1 of %2").arg(off).arg(ink)));
  }

  void what_is_outside_is_clipped() {
    QCOMPARE(drawn("A", -200, 50), drawn("", 0, 0));
    QCOMPARE(drawn("A", 5, 500), drawn("", 0, 0));
    QVERIFY(drawn("AAAAAA", -10, 20) != drawn("", 0, 0));
  }

  void widths() {
    const TextStyle style{40, {0, 0, 0}, false};
    QCOMPARE(width_of_text("", style), 0);
    QCOMPARE(width_of_text("ü", style), width_of_text("u", style));
    QVERIFY(width_of_text("uu", style) > width_of_text("u", style));
    // What is no UTF-8 is drawn as such.
    QCOMPARE(width_of_text("\xff", style), width_of_text("\xef\xbf\xbd", style));
  }
};

QTEST_GUILESS_MAIN(TestDrawing)
#include "test_drawing.moc"
