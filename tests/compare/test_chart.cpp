// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Charts: SVG that is well-formed, with every point in its place.
#include <QTest>
#include <QXmlStreamReader>
#include <cmath>

#include "compare/chart.hpp"
#include "compare/markup.hpp"

using namespace sfumato;

namespace {

struct Drawn {
  QList<QPointF> dots;
  QStringList texts;
  int curves = 0;
  double width = 0, height = 0;
  QString error;
};

Drawn read(const std::vector<Chart>& charts) {
  Drawn out;
  QXmlStreamReader xml(QByteArray::fromStdString(svg_of(charts)));
  while (!xml.atEnd()) {
    if (xml.readNext() != QXmlStreamReader::StartElement) continue;
    const auto number = [&](const char* name) {
      return xml.attributes().value(QLatin1String(name)).toDouble();
    };
    if (xml.name() == u"svg") {
      out.width = number("width");
      out.height = number("height");
    }
    if (xml.name() == u"polyline") ++out.curves;
    if (xml.name() == u"circle") out.dots.append({number("cx"), number("cy")});
    if (xml.name() == u"text") out.texts.append(xml.readElementText());
  }
  out.error = xml.hasError() ? xml.errorString() : QString();
  return out;
}

}  // namespace

class TestChart : public QObject {
  Q_OBJECT

 private slots:
  // Equal ratios have equal distances.
  void wide_ranges_are_logarithmic() {
    const Drawn d = read({{"Time", "sigma", "ms", {{"a", {{1, 2}, {10, 20}, {100, 200}}}}}});
    QCOMPARE(d.error, "");
    QCOMPARE(d.curves, 1);
    QCOMPARE(d.dots.size(), 3);
    QVERIFY(std::abs((d.dots[1].x() - d.dots[0].x()) - (d.dots[2].x() - d.dots[1].x())) < 0.3);
    QVERIFY(std::abs((d.dots[1].y() - d.dots[0].y()) - (d.dots[2].y() - d.dots[1].y())) < 0.3);
    QVERIFY(d.dots[0].y() > d.dots[2].y());
    for (const char* text : {"Time", "sigma", "ms", "a", "1", "10", "100"}) {
      QVERIFY2(d.texts.contains(text), text);
    }
  }

  void narrow_ranges_begin_at_0() {
    const Drawn d = read({{"", "", "", {{"a", {{2, 10}, {4, 5}, {8, 0}}}}}});
    QVERIFY(std::abs((d.dots[1].x() - d.dots[0].x()) * 2 - (d.dots[2].x() - d.dots[1].x())) < 0.3);
    QVERIFY(std::abs((d.dots[1].y() - d.dots[0].y()) - (d.dots[2].y() - d.dots[1].y())) < 0.3);
    QVERIFY(d.texts.contains("0"));
  }

  void charts_lie_below_each_other() {
    const Chart one{"A", "x", "y", {{"a", {{1, 2}, {2, 3}}}}};
    const Drawn single = read({one}), both = read({one, one});
    QCOMPARE(both.height, 2 * single.height);
    QCOMPARE(both.dots[2].y() - both.dots[0].y(), single.height);
  }

  void what_cannot_be_drawn_is_left_out() {
    const Drawn d = read({{"A", "x", "y", {{"none", {{1, NAN}}}, {"a", {{1, 2}, {2, INFINITY}}}}}});
    QCOMPARE(d.dots.size(), 1);
    QCOMPARE(d.curves, 1);
    QVERIFY(d.texts.contains("a") && !d.texts.contains("none"));
    QCOMPARE(read({{"A", "x", "y", {}}}).error, "");
    QCOMPARE(read({{"A", "x", "y", {{"a", {{5, 5}}}}}}).error, "");
  }

  void names_may_hold_anything() {
    const Drawn d = read({{"<b>&\"'\x01", "x", "y", {{"]]>", {{1, 2}}}}}});
    QCOMPARE(d.error, "");
    QVERIFY(d.texts.contains(QString::fromUtf8("<b>&\"'\xef\xbf\xbd")));
    QVERIFY(d.texts.contains("]]>"));
  }

  void base64_is_what_qt_writes() {
    QByteArray bytes;
    for (int i = 0; i < 260; ++i) {
      QCOMPARE(QByteArray::fromStdString(base64(bytes.toStdString())), bytes.toBase64());
      bytes.append(static_cast<char>(i * 37));
    }
  }
};

QTEST_GUILESS_MAIN(TestChart)
#include "test_chart.moc"
