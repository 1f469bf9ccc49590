// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Curves as SVG: well-formed, drawn inside the plot, and without undrawable points.
#include <QRegularExpression>
#include <QTest>
#include <QXmlStreamAttributes>
#include <QXmlStreamReader>
#include <cmath>
#include <limits>

#include "bench/svg_plot.hpp"

using namespace sfumato::bench;

namespace {

Chart some_chart() {
  return {"Time by method",
          "30 × 20",
          "Device",
          "sigma, px",
          "time, ms",
          "method",
          {1, 10, 100},
          true,
          {{"slow", {{1, 3}, {10, 300}}, false},
           {"fast", {{1, 2}, {10, 2.5}, {100, 4}}, false},
           {"auto", {{1, 2}, {10, 2.5}, {100, 4}}, true}}};
}

struct Read {
  int paths = 0, markers = 0;
  QStringList texts;
  bool inside = true;
  QString error;
};

Read read(const Chart& chart) {
  Read found;
  QXmlStreamReader xml(QByteArray::fromStdString(draw_svg(chart)));
  while (!xml.atEnd()) {
    if (xml.readNext() != QXmlStreamReader::StartElement) continue;
    const QString name = xml.name().toString();
    const QXmlStreamAttributes attributes = xml.attributes();
    if (name == "path") {
      // A legend's sample uses a relative line.
      found.paths += attributes.value("d").contains('h') ? 0 : 1;
      static const QRegularExpression separators("[MLh ]");
      for (const QString& part : attributes.value("d").toString().split(separators)) {
        if (part.isEmpty()) continue;
        bool is_number = false;
        const double v = part.toDouble(&is_number);
        found.inside = found.inside && is_number && v >= 0 && v <= 840;
      }
    }
    found.markers +=
        name == "circle" || name == "polygon" || (name == "rect" && attributes.hasAttribute("x"));
    if (name == "text") found.texts << xml.readElementText();
  }
  found.error = xml.errorString();
  return found;
}

}  // namespace

class TestSvgPlot : public QObject {
  Q_OBJECT

 private slots:
  void it_is_well_formed_and_names_everything() {
    const Read found = read(some_chart());
    QVERIFY2(found.error.isEmpty(), qPrintable(found.error));
    for (const char* text : {"Time by method", "Device", "30 × 20", "sigma, px", "time, ms", "slow",
                             "fast", "auto", "1", "10", "100"}) {
      QVERIFY2(found.texts.contains(text), text);
    }
    QCOMPARE(found.paths, 3);
    QCOMPARE(found.markers, 5 + 2);  // points, and samples in the legend; an underlay has none
    QVERIFY(found.inside);
  }

  void names_are_escaped() {
    Chart chart = some_chart();
    chart.title = "A < B & \"C\" > D";
    chart.curves[0].name = "<script>";
    const Read found = read(chart);
    QVERIFY2(found.error.isEmpty(), qPrintable(found.error));
    QVERIFY(found.texts.contains("A < B & \"C\" > D"));
    QVERIFY(found.texts.contains("<script>"));
  }

  void points_that_cannot_be_drawn_are_left_out() {
    Chart chart = some_chart();
    chart.curves = {{"odd",
                     {{1, std::nan("")},
                      {2, 0},
                      {3, -1},
                      {4, std::numeric_limits<double>::infinity()},
                      {10, 5}},
                     false},
                    {"none", {}, false}};
    const Read found = read(chart);
    QVERIFY2(found.error.isEmpty(), qPrintable(found.error));
    QCOMPARE(found.paths, 1);
    QCOMPARE(found.markers, 1 + 1);
    QVERIFY(found.inside);
    QVERIFY(!found.texts.contains("none"));
    chart.curves.clear();
    QVERIFY(read(chart).error.isEmpty());
  }

  void a_linear_axis_begins_at_0() {
    Chart chart = some_chart();
    chart.log_y = false;
    const Read found = read(chart);
    QVERIFY(found.texts.contains("0"));
    QVERIFY(found.inside);
  }

  void numbers_are_short() {
    QCOMPARE(axis_number(0), std::string("0"));
    QCOMPARE(axis_number(1000), std::string("1000"));
    QCOMPARE(axis_number(1024), std::string("1024"));
    QCOMPARE(axis_number(0.5), std::string("0.5"));
    QCOMPARE(axis_number(0.02), std::string("0.02"));
    QCOMPARE(axis_number(12.5), std::string("12.5"));
  }
};

QTEST_APPLESS_MAIN(TestSvgPlot)
#include "test_svg_plot.moc"
