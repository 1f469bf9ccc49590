// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The parameter panel for every filter: the right editors, their texts, and their visibility.
#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QTest>
#include <QToolButton>
#include <algorithm>

#include "gui/panel_driver.hpp"
#include "params/color_editor.hpp"
#include "params/curve_editor.hpp"
#include "params/gradient_editor.hpp"
#include "params/image_editor.hpp"
#include "params/matrix_editor.hpp"
#include "params/model_text.hpp"
#include "params/number_editor.hpp"
#include "params/number_slider.hpp"
#include "params/number_spin.hpp"
#include "params/text.hpp"
#include "params/word_editors.hpp"
#include "support/not_empty.hpp"

using namespace sfumato;
using namespace sfumato::gui;
using namespace sfumato::testing;

namespace {

bool is_right_editor(const ParameterEditor* editor, Kind kind) {
  switch (kind) {
    case Kind::real:
    case Kind::integer:
      return qobject_cast<const NumberEditor*>(editor) != nullptr;
    case Kind::boolean:
      return qobject_cast<const BooleanEditor*>(editor) != nullptr;
    case Kind::choice:
      return qobject_cast<const ChoiceEditor*>(editor) != nullptr;
    case Kind::color:
      return qobject_cast<const ColorEditor*>(editor) != nullptr;
    case Kind::gradient:
      return qobject_cast<const GradientEditor*>(editor) != nullptr;
    case Kind::curve:
      return qobject_cast<const CurveEditor*>(editor) != nullptr;
    case Kind::matrix:
      return qobject_cast<const MatrixEditor*>(editor) != nullptr;
    case Kind::image:
      return qobject_cast<const ImageEditor*>(editor) != nullptr;
  }
  return false;
}

/// A value that is not the default, with more digits than a widget shows.
Value other_value(const Parameter& p) {
  switch (p.kind) {
    case Kind::real: {
      const double low = std::max(p.valid.min, -1e6), high = std::min(p.valid.max, 1e6);
      return low + (high - low) / 3;
    }
    case Kind::integer:
      return static_cast<std::int64_t>(std::min(p.valid.max, p.valid.min + 7));
    case Kind::boolean:
      return !std::get<bool>(p.default_value);
    case Kind::choice:
      return Choice(p.choices.back().id);
    case Kind::color:
      return Color{1.0 / 3, 0.2, 0.7, 0.9};
    case Kind::gradient:
      return Gradient{{{1.0 / 3, {0.1, 1.0 / 7, 0.2, 0.5}}, {1.0 / 3, {1, 0, 0, 1}}}};
    case Kind::curve:
      return Curve{{{0.1, 1.0 / 3}, {0.10001, 0.5}, {0.9, 1}}};
    case Kind::matrix:
      return p.max_rows == 1 ? Matrix{1, 3, {1.0 / 3, 2, -3}}
                             : Matrix{3, 3, {1, 2, 3, 1e-9, 5, 6, 7, 8, 1.0 / 3}};
    case Kind::image:
      return ImageRef{"a:b.exr", "N.X,N.Y"};
  }
  return {};
}

void every_filter() {
  QTest::addColumn<QString>("id");
  for (const RegisteredFilter& f : not_empty(Registry::get().all(), "filters")) {
    QTest::newRow(f.filter->info().id.c_str()) << QString::fromStdString(f.filter->info().id);
  }
}

double slider_end(const Parameter& p) {
  return p.slider.max;
}

}  // namespace

class TestParameterPanel : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void builds_every_filter_data() { every_filter(); }
  void builds_every_filter() {
    QFETCH(QString, id);
    PanelDriver driver(id.toLatin1().constData());
    const ParameterSet& set = parameters_of(id.toLatin1().constData());
    for (const Parameter& p : set) {
      const ParameterEditor* editor = driver.editor(p.name.c_str());
      QVERIFY2(editor != nullptr, p.name.c_str());
      QVERIFY2(is_right_editor(editor, p.kind), p.name.c_str());
      QCOMPARE(editor->accessibleName(), label_of(p));
      QCOMPARE(editor->toolTip(), help_of(p));
      QCOMPARE(editor->whatsThis(), help_of(p));
      QCOMPARE(driver.row(p.name.c_str())->isVisibleTo(driver.row(p.name.c_str())->parentWidget()),
               p.visible_if.evaluate(defaults(set)));
    }
    QCOMPARE(driver.panel.values(), defaults(set));
    QVERIFY(driver.changes.empty());
    QVERIFY(driver.panel.widget()->minimumSizeHint().width() <= 340);
  }

  void every_focusable_widget_has_a_name_data() { every_filter(); }
  void every_focusable_widget_has_a_name() {
    QFETCH(QString, id);
    PanelDriver driver(id.toLatin1().constData());
    const auto editors = driver.panel.findChildren<ParameterEditor*>();
    for (const ParameterEditor* editor : not_empty(editors, "editors")) {
      int focusable = 0;
      for (const QWidget* child : editor->findChildren<QWidget*>()) {
        const bool reached = child->focusPolicy() != Qt::NoFocus &&
                             child->focusProxy() == nullptr &&
                             !child->objectName().startsWith(QLatin1String("qt_"));
        const bool inner =
            child->parentWidget() != editor && child->parentWidget()->focusPolicy() != Qt::NoFocus;
        const bool popup = child->window() != driver.panel.window();
        if (!reached || inner || popup) continue;
        ++focusable;
        QVERIFY2(child->accessibleName().startsWith(editor->accessibleName()),
                 child->metaObject()->className());
        QVERIFY(!child->toolTip().isEmpty());
      }
      QVERIFY2(focusable > 0, qPrintable(editor->accessibleName()));
    }
  }

  void set_values_round_trips_in_silence_data() { every_filter(); }
  void set_values_round_trips_in_silence() {
    QFETCH(QString, id);
    PanelDriver driver(id.toLatin1().constData());
    const ParameterSet& set = parameters_of(id.toLatin1().constData());
    Values values = defaults(set);
    for (const Parameter& p : set) {
      const Value value = other_value(p);
      check(p, value);
      values.set(p.name, value);
    }
    driver.panel.set_values(values);
    QCOMPARE(driver.panel.values(), values);
    for (const Parameter& p : set) {
      QVERIFY2(driver.editor(p.name.c_str())->value() == values.at(p.name), p.name.c_str());
    }
    QTest::qWait(1);
    // Moving the focus through all editors changes nothing either.
    for (std::size_t i = 0; i < 4 * set.size(); ++i) {
      QWidget* focused = driver.panel.focusWidget();
      QTest::keyClick(focused != nullptr ? focused : &driver.panel, Qt::Key_Tab);
    }
    QVERIFY(driver.changes.empty());
    QCOMPARE(driver.panel.values(), values);
    driver.panel.set_values(defaults(set));
    QCOMPARE(driver.panel.values(), defaults(set));
    QVERIFY(driver.changes.empty());
  }

  void other_filters_come_and_go() {
    PanelDriver driver("gaussian");
    const ParameterSet& median = parameters_of("median");
    driver.panel.show_filter(median, defaults(median));
    QCOMPARE(driver.panel.values(), defaults(median));
    driver.panel.clear();
    QVERIFY(driver.panel.values().empty());
    QVERIFY(driver.panel.widget() == nullptr);
    driver.panel.set_values({});
    driver.panel.show_filter(median, defaults(median));
    QVERIFY(driver.editor("radius") != nullptr);
    QVERIFY(driver.changes.empty());
  }

  void a_new_filter_may_be_shown_in_answer() {
    PanelDriver driver("canny");
    const ParameterSet& median = parameters_of("median");
    connect(&driver.panel, &ParameterPanel::value_changed, this,
            [&] { driver.panel.show_filter(median, defaults(median)); });
    QTest::keyClick(driver.part<NumberSlider>("sigma"), Qt::Key_Right);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QCOMPARE(driver.panel.values(), defaults(median));
  }

  void slider_keys_step() {
    PanelDriver driver("gaussian");
    auto* slider = driver.part<NumberSlider>("sigma");
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_Right);
    QVERIFY(driver.is_one_gesture("sigma"));
    QCOMPARE(driver.value<double>("sigma"), 2.1);
    QTest::keyPress(slider, Qt::Key_Up);
    QTest::keyPress(slider, Qt::Key_Up);
    QTest::keyRelease(slider, Qt::Key_Up);
    QCOMPARE(driver.value<double>("sigma"), 2.3);
    QCOMPARE(driver.finished(), 2);
    QTest::keyClick(slider, Qt::Key_PageDown);
    QCOMPARE(driver.value<double>("sigma"), 1.3);
    QTest::keyClick(slider, Qt::Key_End);
    QCOMPARE(driver.value<double>("sigma"), slider_end(parameters_of("gaussian").at("sigma")));
    QTest::keyClick(slider, Qt::Key_Home);
    QCOMPARE(driver.value<double>("sigma"), 0.0);
    QTest::keyClick(slider, Qt::Key_Left);
    QCOMPARE(driver.value<double>("sigma"), 0.0);
  }

  void slider_drag_is_one_gesture() {
    PanelDriver driver("gaussian");
    auto* slider = driver.part<NumberSlider>("sigma");
    const QPoint middle = slider->rect().center();
    drag(slider, {slider->width() / 4, middle.y()}, {slider->width() * 3 / 4, middle.y()});
    QVERIFY(driver.changes.size() >= 3);
    QVERIFY(driver.is_one_gesture("sigma"));
    const double sigma = driver.value<double>("sigma");
    QVERIFY2(sigma > 30 && sigma < 55, qPrintable(QString::number(sigma)));
    // Three digits are enough for dragging.
    QCOMPARE(QString::number(sigma, 'g', 3).toDouble(), sigma);
    QCOMPARE(driver.part<NumberSpin>("sigma")->value(), sigma);
  }

  void values_set_during_a_drag_wait() {
    PanelDriver driver("bilateral");
    auto* slider = driver.part<NumberSlider>("sigma");
    const QPoint place(slider->width() * 3 / 4, slider->height() / 2);
    QTest::mousePress(slider, Qt::LeftButton, {}, place);
    const double dragged = driver.value<double>("sigma");
    Values other = driver.panel.values();
    other.set("sigma", 1.0);
    other.set("range_sigma", 0.3);
    driver.panel.set_values(other);
    QCOMPARE(driver.value<double>("sigma"), dragged);
    QCOMPARE(driver.value<double>("range_sigma"), 0.3);
    QTest::mouseRelease(slider, Qt::LeftButton, {}, place);
    QVERIFY(driver.is_one_gesture("sigma"));
    QCOMPARE(driver.value<double>("sigma"), dragged);
  }

  void double_click_gives_the_default() {
    PanelDriver driver("gaussian");
    Values values = driver.panel.values();
    values.set("sigma", 40.0);
    driver.panel.set_values(values);
    auto* slider = driver.part<NumberSlider>("sigma");
    QTest::mouseDClick(slider, Qt::LeftButton, {}, slider->rect().center());
    QCOMPARE(driver.value<double>("sigma"), 2.0);
    QVERIFY(driver.changes.back().finished);
  }

  void wheel_only_with_focus() {
    PanelDriver driver("gaussian");
    auto* slider = driver.part<NumberSlider>("sigma");
    driver.part<QComboBox>("method")->setFocus();
    const auto turn = [&](QWidget* widget) {
      const QPointF at = widget->rect().center();
      QWheelEvent event(at, widget->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier,
                        Qt::NoScrollPhase, false);
      QCoreApplication::sendEvent(widget, &event);
    };
    turn(slider);
    turn(driver.part<NumberSpin>("sigma"));
    QVERIFY(driver.changes.empty());
    slider->setFocus();
    turn(slider);
    QCOMPARE(driver.value<double>("sigma"), 2.1);
    QTRY_COMPARE_WITH_TIMEOUT(driver.finished(), 1, 180000);
    QVERIFY(driver.is_one_gesture("sigma"));
  }

  void spin_takes_exact_values() {
    PanelDriver driver("gaussian");
    auto* spin = driver.part<NumberSpin>("sigma");
    QCOMPARE(spin->text(), QStringLiteral("2.0 px"));
    spin->setFocus();
    spin->selectAll();
    QTest::keyClicks(spin, QStringLiteral("412.375"));
    QCOMPARE(driver.finished(), 0);
    QVERIFY(driver.changes.size() >= 3);
    QTest::keyClick(spin, Qt::Key_Return);
    QVERIFY(driver.is_one_gesture("sigma"));
    QCOMPARE(driver.value<double>("sigma"), 412.375);
    // Beyond the slider, which stops at its end.
    QCOMPARE(driver.part<NumberSlider>("sigma")->value(), int{NumberSlider::positions});
    driver.changes.clear();
    QTest::keyClick(spin, Qt::Key_Up);
    QVERIFY(driver.is_one_gesture("sigma"));
    QCOMPARE(driver.value<double>("sigma"), 412.475);
    spin->selectAll();
    QTest::keyClicks(spin, QStringLiteral("99999"));  // values outside the range are rejected
    QTest::keyClick(spin, Qt::Key_Return);
    QVERIFY(driver.value<double>("sigma") <= 1000);
  }

  void whole_numbers_stay_whole() {
    PanelDriver driver("median");
    auto* slider = driver.part<NumberSlider>("radius");
    QTest::keyClick(slider, Qt::Key_Right);
    QCOMPARE(driver.changes.back().value, Value(driver.value<std::int64_t>("radius")));
    auto* spin = driver.part<NumberSpin>("radius");
    spin->setFocus();
    spin->selectAll();
    QTest::keyClicks(spin, QStringLiteral("17.5"));
    QTest::keyClick(spin, Qt::Key_Return);
    QVERIFY(driver.value<std::int64_t>("radius") == 17 ||
            driver.value<std::int64_t>("radius") == 175);
  }

  void choices_are_chosen() {
    PanelDriver driver("gaussian");
    auto* box = driver.part<QComboBox>("method");
    const Parameter& method = parameters_of("gaussian").at("method");
    QCOMPARE(box->count(), static_cast<int>(method.choices.size()));
    QCOMPARE(box->itemText(1), model_text(method.choices[1].label));
    QCOMPARE(box->itemData(1, Qt::ToolTipRole).toString(), model_text(method.choices[1].help));
    box->setFocus();
    QTest::keyClick(box, Qt::Key_Down);
    QCOMPARE(driver.changes.size(), std::size_t{1});
    QVERIFY(driver.is_one_gesture("method"));
    QCOMPARE(driver.value<Choice>("method").id, method.choices[1].id);
  }

  void switches_switch() {
    PanelDriver driver("convolve");
    auto* box = driver.part<QCheckBox>("normalise");
    QTest::mouseClick(box, Qt::LeftButton, {}, {8, box->height() / 2});
    QVERIFY(driver.is_one_gesture("normalise"));
    QVERIFY(driver.value<bool>("normalise"));
    QTest::keyClick(box, Qt::Key_Space);
    QVERIFY(!driver.value<bool>("normalise"));
  }

  void conditions_show_and_hide() {
    PanelDriver driver("frequency");
    auto* band = driver.part<QComboBox>("band");
    QVERIFY(!driver.row("cutoff_high")->isVisible());
    band->setCurrentIndex(band->findData(QStringLiteral("band_pass")));
    QVERIFY(driver.row("cutoff_high")->isVisible());
    Values values = driver.panel.values();
    values.set("band", parameters_of("frequency").at("band").default_value);
    driver.panel.set_values(values);
    QVERIFY(!driver.row("cutoff_high")->isVisible());
  }

  void reset_buttons_reset() {
    PanelDriver driver("gaussian");
    auto* button = driver.row("sigma")->findChild<QToolButton*>();
    QVERIFY(!button->isVisible());
    QTest::keyClick(driver.part<NumberSlider>("sigma"), Qt::Key_Right);
    QVERIFY(button->isVisible());
    QVERIFY(button->toolTip().contains(QStringLiteral("2 px")));
    driver.changes.clear();
    QTest::mouseClick(button, Qt::LeftButton);
    QCOMPARE(driver.changes.size(), std::size_t{1});
    QVERIFY(driver.is_one_gesture("sigma"));
    QCOMPARE(driver.value<double>("sigma"), 2.0);
    QVERIFY(!button->isVisible());
  }

  void common_parameters_are_folded_away() {
    PanelDriver driver("gaussian");
    auto* more = driver.panel.findChild<QToolButton*>(QStringLiteral("more"));
    QVERIFY(!driver.row("mix")->isVisible());
    QTest::mouseClick(more, Qt::LeftButton);
    for (const char* name : {"border", "light", "mask", "mix"}) {
      QVERIFY2(driver.row(name)->isVisible(), name);
    }
    const ParameterSet& median = parameters_of("median");
    driver.panel.show_filter(median, defaults(median));
    QVERIFY(driver.row("mix")->isVisible());  // once open, it stays open
    QVERIFY(driver.changes.empty());
  }

  void screenshots() {
    const QString folder = qEnvironmentVariable("SFUMATO_SHOTS");
    if (folder.isEmpty()) QSKIP("SFUMATO_SHOTS names no folder");
    QApplication::setStyle(QStringLiteral("Fusion"));
    const QPalette light = QApplication::palette();
    for (const bool dark : {false, true}) {
      QApplication::setPalette(dark ? dark_palette() : light);
      for (const char* id : {"bilateral", "gradient_map", "curve", "convolve", "levels"}) {
        shoot(id, folder + QStringLiteral("/%1-%2.png")
                               .arg(QLatin1String(id),
                                    dark ? QLatin1String("dark") : QLatin1String("light")));
      }
    }
    QApplication::setPalette(light);
  }

 private:
  static QPalette dark_palette() {
    QPalette p(QColor(48, 48, 50));
    p.setColor(QPalette::Base, QColor(32, 32, 34));
    p.setColor(QPalette::Highlight, QColor(70, 130, 220));
    return p;
  }

  static void shoot(const char* id, const QString& file) {
    PanelDriver driver(id);
    Values values = driver.panel.values();
    for (const Parameter& p : parameters_of(id)) {
      if (p.kind == Kind::curve)
        values.set(p.name, Curve{{{0, 0}, {0.3, 0.2}, {0.7, 0.85}, {1, 1}}});
      if (p.name == "matrix") values.set(p.name, parse(p, "0 -1 0; -1 5 -1; 0 -1 0"));
      if (p.kind == Kind::gradient && std::string_view(id) == "gradient_map") {
        values.set(p.name, parse(p, "0 #1a1040; 0.4 #c03a5080; 0.75 #ffb347; 1 #fff8e0"));
      }
      if (p.name == "range_sigma") values.set(p.name, 0.2);
    }
    driver.panel.set_values(values);
    if (std::string_view(id) != "curve") {
      driver.panel.findChild<QToolButton*>(QStringLiteral("more"))->click();
    }
    driver.panel.resize(340, driver.panel.widget()->heightForWidth(340) > 0
                                 ? driver.panel.widget()->heightForWidth(340)
                                 : driver.panel.widget()->sizeHint().height());
    QTest::qWait(20);
    QVERIFY(driver.panel.grab().save(file));
  }
};

QTEST_MAIN(TestParameterPanel)
#include "test_parameter_panel.moc"
