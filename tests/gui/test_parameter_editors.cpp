// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The painted and compound editors, operated by mouse and keys: gradient, curve, matrix, colour,
// image.
#include <QColorDialog>
#include <QComboBox>
#include <QCoreApplication>
#include <QDropEvent>
#include <QLineEdit>
#include <QLocale>
#include <QMimeData>
#include <QSpinBox>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <cmath>

#include "filters/shared/curve_pieces.hpp"
#include "gui/panel_driver.hpp"
#include "image/parallel_rows.hpp"
#include "params/color_button.hpp"
#include "params/color_editor.hpp"
#include "params/curve_plot.hpp"
#include "params/error_line.hpp"
#include "params/gradient_bar.hpp"
#include "params/matrix_model.hpp"
#include "params/number_spin.hpp"
#include "params/text.hpp"

using namespace sfumato;
using namespace sfumato::gui;
using namespace sfumato::testing;

namespace {

Gradient gradient_of(const PanelDriver& driver) {
  return driver.value<Gradient>("gradient");
}

Curve curve_of(const PanelDriver& driver) {
  return driver.value<Curve>("curve");
}

/// The curve filter's reference on one row of grays.
std::vector<float> filtered(const Curve& curve, std::vector<float> row) {
  const Filter& filter = *Registry::get().at("curve").filter;
  Values values = defaults(filter.info().parameters);
  values.set("curve", curve);
  std::vector<float> out(row.size());
  const int width = static_cast<int>(row.size());
  Plane plane;
  plane.width = width;
  plane.height = 1;
  plane.stride = width;
  Picture picture;
  picture.width = width;
  picture.height = 1;
  picture.channels = 1;
  ParallelRows rows;
  Target target;
  target.reference = true;
  filter.prepare(values, picture, target)
      ->reference({{row.data(), plane, 1}, {}, {out.data(), plane, 1}, {}, rows});
  return out;
}

void drop(QWidget* widget, const QString& file) {
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(file)});
  QDragEnterEvent enter({5, 5}, Qt::CopyAction, &data, Qt::LeftButton, {});
  QCoreApplication::sendEvent(widget, &enter);
  QVERIFY(enter.isAccepted());
  QDropEvent event({5, 5}, Qt::CopyAction, &data, Qt::LeftButton, {});
  QCoreApplication::sendEvent(widget, &event);
}

}  // namespace

class TestParameterEditors : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void gradient_takes_a_stop_by_click() {
    PanelDriver driver("gradient_map");
    auto* bar = driver.part<GradientBar>("gradient");
    QTest::mouseClick(bar, Qt::LeftButton, {}, {bar->x_of(0.25), 10});
    const Gradient gradient = gradient_of(driver);
    QCOMPARE(gradient.stops.size(), std::size_t{3});
    QVERIFY(std::abs(gradient.stops[1].position - 0.25) < 0.01);
    // The original colour.
    QVERIFY(std::abs(gradient.stops[1].color.g - gradient.stops[1].position) < 1e-9);
    QCOMPARE(bar->chosen(), 1);
    QVERIFY(driver.is_one_gesture("gradient"));
  }

  void gradient_stops_meet_but_do_not_pass() {
    PanelDriver driver("gradient_map");
    auto* bar = driver.part<GradientBar>("gradient");
    QTest::mouseClick(bar, Qt::LeftButton, {}, {bar->x_of(0.5), 10});
    driver.changes.clear();
    drag(bar, bar->handle(0).center(), {bar->x_of(0.9), bar->handle(0).center().y()});
    QVERIFY(driver.is_one_gesture("gradient"));
    const Gradient gradient = gradient_of(driver);
    QCOMPARE(gradient.stops[0].position, gradient.stops[1].position);
    QCOMPARE(gradient.stops[2].position, 1.0);
    check(parameters_of("gradient_map").at("gradient"), gradient);
  }

  void gradient_works_by_keys() {
    PanelDriver driver("gradient_map");
    auto* bar = driver.part<GradientBar>("gradient");
    bar->setFocus(Qt::TabFocusReason);
    QCOMPARE(bar->chosen(), 0);
    QTest::keyClick(bar, Qt::Key_Insert);
    QCOMPARE(gradient_of(driver).stops.size(), std::size_t{3});
    QCOMPARE(gradient_of(driver).stops[1].position, 0.5);
    driver.changes.clear();
    QTest::keyClick(bar, Qt::Key_Right);
    QCOMPARE(gradient_of(driver).stops[1].position, 0.51);
    QVERIFY(driver.is_one_gesture("gradient"));
    QTest::keyClick(bar, Qt::Key_Left, Qt::ShiftModifier);
    QCOMPARE(gradient_of(driver).stops[1].position, 0.41);
    QTest::keyClick(bar, Qt::Key_Tab);
    QCOMPARE(bar->chosen(), 2);
    QVERIFY(bar->hasFocus());
    for (int i = 0; i < 5; ++i) QTest::keyClick(bar, Qt::Key_Delete);
    QCOMPARE(gradient_of(driver).stops.size(), std::size_t{1});  // the last one stays
    QTest::keyClick(bar, Qt::Key_Tab);
    QVERIFY(!bar->hasFocus());
  }

  void gradient_colours_are_edited() {
    PanelDriver driver("gradient_map");
    auto* bar = driver.part<GradientBar>("gradient");
    bar->setFocus();
    QTest::keyClick(bar, Qt::Key_Return);
    auto* dialog = driver.part<QColorDialog>("gradient");
    QVERIFY(dialog != nullptr);
    dialog->setCurrentColor(QColor(255, 0, 51));
    QCOMPARE(driver.finished(), 0);
    QCOMPARE(gradient_of(driver).stops[0].color, (Color{1, 0, 0.2, 1}));
    dialog->accept();
    QVERIFY(driver.is_one_gesture("gradient"));
    QCOMPARE(gradient_of(driver).stops[0].color, (Color{1, 0, 0.2, 1}));
  }

  void cancelled_colours_come_back() {
    PanelDriver driver("gradient_map");
    const Gradient before = gradient_of(driver);
    driver.part<ColorButton>("gradient")->click();
    auto* dialog = driver.part<QColorDialog>("gradient");
    dialog->setCurrentColor(QColor(255, 0, 51));
    QVERIFY(gradient_of(driver) != before);
    dialog->reject();
    QCOMPARE(gradient_of(driver), before);
    QVERIFY(driver.changes.back().finished);
  }

  void gradient_stops_are_exact_in_numbers() {
    PanelDriver driver("gradient_map");
    auto* line = driver.part<ErrorLine>("gradient")->line();
    line->setFocus();
    line->selectAll();
    QTest::keyClicks(line, QStringLiteral("4 0.5 0 1"));  // brighter than white
    QTest::keyClick(line, Qt::Key_Return);
    QCOMPARE(gradient_of(driver).stops[0].color, (Color{4, 0.5, 0, 1}));
    QVERIFY(driver.changes.back().finished);
    const Gradient before = gradient_of(driver);
    line->selectAll();
    QTest::keyClicks(line, QStringLiteral("blau"));
    QVERIFY(driver.part<ErrorLine>("gradient")->has_error());
    QCOMPARE(gradient_of(driver), before);
    auto* spin = driver.part<NumberSpin>("gradient");
    spin->setFocus();
    spin->selectAll();
    QTest::keyClicks(spin, spin->locale().toString(0.125));
    QTest::keyClick(spin, Qt::Key_Return);
    QCOMPARE(gradient_of(driver).stops[0].position, 0.125);
  }

  void curve_points_come_move_and_go() {
    PanelDriver driver("curve");
    auto* plot = driver.part<CurvePlot>("curve");
    const QPoint place = plot->place_of({0.5, 0.75}).toPoint();
    QTest::mouseClick(plot, Qt::LeftButton, {}, place);
    QVERIFY(driver.is_one_gesture("curve"));
    QCOMPARE(curve_of(driver).points.size(), std::size_t{3});
    QVERIFY(std::abs(curve_of(driver).points[1].y - 0.75) < 0.01);
    driver.changes.clear();
    // Far beyond its neighbour: it stops before it.
    drag(plot, place, {plot->width() + 50, place.y()});
    QVERIFY(driver.is_one_gesture("curve"));
    QVERIFY(curve_of(driver).points[1].x < 1 && curve_of(driver).points[1].x > 0.99);
    check(parameters_of("curve").at("curve"), curve_of(driver));
    const QPoint now = plot->place_of(curve_of(driver).points[1]).toPoint();
    QTest::mouseClick(plot, Qt::RightButton, {}, now);
    QCOMPARE(curve_of(driver).points.size(), std::size_t{2});
    QTest::mouseClick(plot, Qt::RightButton, {}, plot->place_of({0, 0}).toPoint());
    QCOMPARE(curve_of(driver).points.size(), std::size_t{2});
  }

  void curve_works_by_keys() {
    PanelDriver driver("curve");
    auto* plot = driver.part<CurvePlot>("curve");
    plot->setFocus(Qt::TabFocusReason);
    QTest::keyClick(plot, Qt::Key_Insert);
    QCOMPARE(curve_of(driver), (Curve{{{0, 0}, {0.5, 0.5}, {1, 1}}}));
    driver.changes.clear();
    QTest::keyClick(plot, Qt::Key_Up);
    QVERIFY(driver.is_one_gesture("curve"));
    QTest::keyClick(plot, Qt::Key_Right, Qt::ShiftModifier);
    QCOMPARE(curve_of(driver), (Curve{{{0, 0}, {0.6, 0.51}, {1, 1}}}));
    QTest::keyClick(plot, Qt::Key_Backtab);
    QCOMPARE(plot->chosen(), 0);
    QTest::keyClick(plot, Qt::Key_Down);  // at the range's end
    QCOMPARE(curve_of(driver).points[0].y, 0.0);
    QTest::keyClick(plot, Qt::Key_Delete);
    QCOMPARE(curve_of(driver).points.size(), std::size_t{2});
    QTest::keyClick(plot, Qt::Key_Delete);
    QCOMPARE(curve_of(driver).points.size(), std::size_t{2});
  }

  void curve_is_drawn_as_filtered() {
    const std::vector<Curve> curves{{{{0, 0}, {1, 1}}},
                                    {{{0, 0.1}, {0.3, 0.2}, {0.7, 0.9}, {1, 0.8}}},
                                    {{{0.2, 1}, {0.25, 0}, {0.5, 0}, {0.9, 0.7}}}};
    std::vector<float> row;
    for (int i = -20; i <= 120; ++i) row.push_back(static_cast<float>(i) / 100);
    for (const Curve& curve : curves) {
      const std::vector<CurvePiece> pieces = pieces_of(curve);
      const std::vector<float> out = filtered(curve, row);
      for (std::size_t i = 0; i < row.size(); ++i) {
        const double drawn = curve_at(pieces, static_cast<double>(row[i]));
        QVERIFY(std::abs(drawn - static_cast<double>(out[i])) < 1e-5);
      }
    }
  }

  void matrix_text_is_checked_as_it_is_typed() {
    PanelDriver driver("convolve");
    auto* error = driver.part<ErrorLine>("matrix");
    QLineEdit* line = error->line();
    const Matrix before = driver.value<Matrix>("matrix");
    line->setFocus();
    line->selectAll();
    QTest::keyClicks(line, QStringLiteral("x 2"));
    QVERIFY(error->isVisible());
    QVERIFY(!error->text().isEmpty());
    QCOMPARE(driver.value<Matrix>("matrix"), before);
    QTest::keyClick(line, Qt::Key_Return);
    QVERIFY(error->isVisible());  // the text stays for correction
    line->selectAll();
    QTest::keyClicks(line, QStringLiteral("0 1 0; 1 -4 1; 0 1 0"));
    QVERIFY(!error->isVisible());
    QTest::keyClick(line, Qt::Key_Return);
    QVERIFY(driver.changes.back().finished);
    QCOMPARE(driver.value<Matrix>("matrix"), (Matrix{3, 3, {0, 1, 0, 1, -4, 1, 0, 1, 0}}));
    QCOMPARE(driver.part<MatrixModel>("matrix")->rowCount(), 3);
    const auto* table = driver.part<QTableView>("matrix");
    QTRY_COMPARE_WITH_TIMEOUT(table->columnViewportPosition(2) + table->columnWidth(2),
                              table->viewport()->width(), 180000);  // all cells visible
  }

  void matrix_cells_are_edited() {
    PanelDriver driver("convolve");
    auto* model = driver.part<MatrixModel>("matrix");
    auto* table = driver.part<QTableView>("matrix");
    table->setFocus();
    table->setCurrentIndex(model->index(0, 0));
    QTest::keyClicks(table->viewport(), QStringLiteral("7"));
    auto* cell = table->findChild<QLineEdit*>();
    QVERIFY(cell != nullptr);
    QTest::keyClicks(cell, QStringLiteral(".25"));
    QTest::keyClick(cell, Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(driver.value<Matrix>("matrix"), (Matrix{1, 1, {7.25}}), 180000);
    QVERIFY(driver.is_one_gesture("matrix"));
    QCOMPARE(driver.part<ErrorLine>("matrix")->line()->text(), QStringLiteral("7.25"));
    QVERIFY(!model->setData(model->index(0, 0), QStringLiteral("much"), Qt::EditRole));
    QVERIFY(!model->setData(model->index(0, 0), QStringLiteral("nan"), Qt::EditRole));
  }

  void matrix_grows_about_its_middle() {
    PanelDriver driver("convolve");
    const QList<QSpinBox*> sizes = driver.editor("matrix")->findChildren<QSpinBox*>();
    QCOMPARE(sizes.size(), 2);
    QCOMPARE(sizes[0]->maximum(), 255);
    sizes[0]->setFocus();
    QTest::keyClick(sizes[0], Qt::Key_Up);
    QCOMPARE(driver.value<Matrix>("matrix"), (Matrix{3, 1, {0, 1, 0}}));
    sizes[1]->setFocus();
    sizes[1]->selectAll();
    QTest::keyClicks(sizes[1], QStringLiteral("4"));  // has no centre
    QTest::keyClick(sizes[1], Qt::Key_Return);
    QCOMPARE(driver.value<Matrix>("matrix").columns, 5);
    sizes[1]->setValue(255);
    sizes[0]->setValue(255);
    QCOMPARE(driver.value<Matrix>("matrix").at(127, 127), 1.0);
    check(parameters_of("convolve").at("matrix"), driver.value<Matrix>("matrix"));
    sizes[0]->setValue(1);
    sizes[1]->setValue(1);
    QCOMPARE(driver.value<Matrix>("matrix"), (Matrix{1, 1, {1}}));
    const QList<QSpinBox*> row = driver.editor("row")->findChildren<QSpinBox*>();
    QVERIFY(!row[0]->isVisible() && row[1]->isVisible());  // one row only
  }

  void colours_beyond_one_have_numbers() {
    const ParameterSet set("test",
                           {Parameter::color("tint", "Tint", "A tint.", {1, 1, 1, 1}),
                            Parameter::color("lamp", "Lamp", "A lamp.", {1, 1, 1, 1}, {0, 100})});
    PanelDriver driver(set);
    QVERIFY(driver.part<NumberSpin>("tint") == nullptr);
    const QList<NumberSpin*> spins = driver.editor("lamp")->findChildren<NumberSpin*>();
    QCOMPARE(spins.size(), 4);
    spins[1]->setFocus();
    spins[1]->selectAll();
    QTest::keyClicks(spins[1], QStringLiteral("12"));
    QTest::keyClick(spins[1], Qt::Key_Return);
    QVERIFY(driver.is_one_gesture("lamp"));
    QCOMPARE(driver.value<Color>("lamp"), (Color{1, 12, 1, 1}));
    driver.changes.clear();
    QTest::mouseClick(driver.part<ColorButton>("lamp"), Qt::LeftButton);
    auto* dialog = driver.part<QColorDialog>("lamp");
    dialog->setCurrentColor(QColor(0, 255, 255));
    dialog->accept();
    QCOMPARE(driver.value<Color>("lamp"), (Color{0, 12, 1, 1}));  // untouched components stay
    QVERIFY(driver.is_one_gesture("lamp"));
  }

  // Neither sign groups digits, in any language.
  void a_point_and_a_comma_stand_before_decimals() {
    for (const auto& [locale, shown] :
         {std::pair(QLocale(QLocale::English), "2.5"), {QLocale(QLocale::German), "2,5"}}) {
      NumberSpin spin;
      spin.setLocale(locale);
      spin.set_decimals(1, 3);
      spin.setRange(0, 1000);
      spin.show();
      for (const char* typed : {"2.5", "2,5"}) {
        spin.setValue(7);
        spin.selectAll();
        QTest::keyClicks(&spin, QString::fromLatin1(typed));
        QTest::keyClick(&spin, Qt::Key_Return);
        QCOMPARE(spin.value(), 2.5);
        QCOMPARE(spin.text(), QString::fromLatin1(shown));
        QCOMPARE(spin.valueFromText(QString::fromLatin1(typed)), 2.5);
      }
      spin.selectAll();
      QTest::keyClicks(&spin, QStringLiteral("1.2,3"));
      QCOMPARE(spin.value(), 1.23);  // the second sign is ignored
    }
  }

  void images_are_typed_dropped_and_cleared() {
    PanelDriver driver("gaussian");
    driver.panel.findChild<QToolButton*>(QStringLiteral("more"))->click();
    auto* path = driver.part<QLineEdit>("mask");
    path->setFocus();
    QTest::keyClicks(path, QStringLiteral("/tmp/a mask:1.exr"));
    QVERIFY(driver.changes.empty());  // an incomplete name is not a file
    QTest::keyClick(path, Qt::Key_Return);
    QVERIFY(driver.is_one_gesture("mask"));
    QCOMPARE(driver.value<ImageRef>("mask"), (ImageRef{"/tmp/a mask:1.exr", ""}));
    auto* channels = driver.part<QComboBox>("mask");
    QVERIFY(channels->isVisible());
    channels->setFocus();
    QTest::keyClicks(channels, QStringLiteral("A, B"));
    QTest::keyClick(channels, Qt::Key_Return);
    QCOMPARE(driver.value<ImageRef>("mask").channels, std::string("A,B"));
    check(parameters_of("gaussian").at("mask"), driver.value<ImageRef>("mask"));
    drop(driver.editor("mask"), QStringLiteral("/tmp/other.png"));
    QCOMPARE(driver.value<ImageRef>("mask"), (ImageRef{"/tmp/other.png", ""}));
    path->clear();
    QCOMPARE(driver.value<ImageRef>("mask"), ImageRef{});
    QVERIFY(!channels->isVisible());
  }
};

QTEST_MAIN(TestParameterEditors)
#include "test_parameter_editors.moc"
