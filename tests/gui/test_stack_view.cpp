// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The list of steps and the sliders of a window, operated by mouse.
#include <QCoreApplication>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QStyleOptionButton>
#include <QStyleOptionViewItem>
#include <QTest>
#include <QToolButton>

#include "app/filter_browser.hpp"
#include "app/main_window.hpp"
#include "app/settings.hpp"
#include "app/stack_view.hpp"
#include "document/document.hpp"
#include "gui/panel_driver.hpp"
#include "opened.hpp"
#include "params/number_slider.hpp"
#include "params/parameter_row.hpp"
#include "params/response_plot.hpp"
#include "preview/preview_view.hpp"
#include "support/pictures.hpp"

using namespace sfumato;
using namespace sfumato::gui;
using sfumato::testing::opened;

namespace {

QString order_of(const Document& document) {
  QStringList names;
  for (const Step& step : document.recipe().steps) names << QString::fromStdString(step.filter);
  return names.join(QLatin1Char(' '));
}

struct Stack {
  Document document;
  StackView view{document};
  QListWidget* list = view.findChild<QListWidget*>();

  Stack() {
    for (const char* filter : {"gaussian", "median", "grayscale"}) document.add_step(filter);
    view.resize(260, 240);
    view.show();
    view.activateWindow();
    (void)QTest::qWaitForWindowActive(&view);
  }
  QPoint middle(int row) const { return list->visualItemRect(list->item(row)).center(); }
  QToolButton* button(const char* name) const {
    for (QToolButton* b : view.findChildren<QToolButton*>()) {
      if (b->accessibleName() == QLatin1String(name)) return b;
    }
    return nullptr;
  }
  // The check box of a row, where the style paints it.
  QPoint box(int row) const {
    QStyleOptionViewItem option;
    option.initFrom(list);
    option.rect = list->visualItemRect(list->item(row));
    option.features = QStyleOptionViewItem::HasCheckIndicator | QStyleOptionViewItem::HasDisplay;
    option.text = list->item(row)->text();
    return list->style()
        ->subElementRect(QStyle::SE_ItemViewItemCheckIndicator, &option, list)
        .center();
  }
};

}  // namespace

class TestStackView : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
    qputenv("SFUMATO_DEVICE", "reference");
  }

  void a_click_chooses_and_a_box_switches() {
    Stack stack;
    QTest::mouseClick(stack.list->viewport(), Qt::LeftButton, {}, stack.middle(0));
    QCOMPARE(stack.document.current(), 0);
    QTest::mouseClick(stack.list->viewport(), Qt::LeftButton, {}, stack.box(1));
    QVERIFY(!stack.document.recipe().steps[1].enabled);
    QTest::mouseClick(stack.list->viewport(), Qt::LeftButton, {}, stack.box(1));
    QVERIFY(stack.document.recipe().steps[1].enabled);
    QVERIFY(stack.list->visualItemRect(stack.list->item(0)).height() >= 22);
  }

  void buttons_move_duplicate_and_remove() {
    Stack stack;
    stack.document.set_current(2);
    QTest::mouseClick(stack.button("Move up"), Qt::LeftButton);
    QCOMPARE(order_of(stack.document), QStringLiteral("gaussian grayscale median"));
    QTest::mouseClick(stack.button("Move down"), Qt::LeftButton);
    QCOMPARE(order_of(stack.document), QStringLiteral("gaussian median grayscale"));
    QVERIFY(!stack.button("Move down")->isEnabled());
    QTest::mouseClick(stack.button("Duplicate step"), Qt::LeftButton);
    QCOMPARE(order_of(stack.document), QStringLiteral("gaussian median grayscale grayscale"));
    QTest::mouseClick(stack.button("Remove step"), Qt::LeftButton);
    QTest::mouseClick(stack.button("Remove step"), Qt::LeftButton);
    QCOMPARE(order_of(stack.document), QStringLiteral("gaussian median"));
  }

  // The list's behaviour when a row is dropped.
  void rows_that_were_moved_are_steps_that_were_moved() {
    Stack stack;
    QVERIFY(stack.list->model()->moveRow({}, 0, {}, 3));
    QTRY_COMPARE_WITH_TIMEOUT(order_of(stack.document), QStringLiteral("median grayscale gaussian"),
                              180000);
    QVERIFY(stack.list->model()->moveRow({}, 2, {}, 1));
    QTRY_COMPARE_WITH_TIMEOUT(order_of(stack.document), QStringLiteral("median gaussian grayscale"),
                              180000);
    stack.document.undo_stack().undo();
    QCOMPARE(order_of(stack.document), QStringLiteral("median grayscale gaussian"));
  }

  void the_failing_step_is_marked() {
    MainWindow window;
    window.show();
    window.preview().set_picture(opened(60, 40));
    window.document().add_step("gaussian");
    QSignalSpy failed(&window.renderer(), &PreviewRenderer::failed);
    window.document().add_step("fft_convolve");  // lacks its kernel
    // Emitted on another thread, perhaps before this one waits.
    QTRY_VERIFY_WITH_TIMEOUT(!failed.isEmpty(), 180000);
    const FilterInfo& info = Registry::get().at("fft_convolve").filter->info();
    QVERIFY2(failed[0][0].toString().startsWith(QString::fromStdString(info.label)),
             qPrintable(failed[0][0].toString()));
    auto* list = window.findChild<StackView*>()->findChild<QListWidget*>();
    QTRY_VERIFY_WITH_TIMEOUT(!list->item(1)->icon().isNull(), 180000);
    QCOMPARE(list->item(1)->toolTip(), failed[0][0].toString());
    QVERIFY(list->item(0)->icon().isNull());
    window.document().remove_step(1);
    QVERIFY(list->item(0)->icon().isNull());
    window.document().undo_stack().setClean();
  }

  void a_slider_in_the_window_is_dragged() {
    MainWindow window;
    window.resize(1200, 800);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    window.preview().set_picture(opened(160, 120));
    window.document().add_step("gaussian");
    auto* editor = window.parameters().findChild<ParameterEditor*>(QStringLiteral("sigma"));
    auto* slider = editor->findChild<NumberSlider*>();
    const double before = window.document().recipe().steps[0].values.number("sigma");
    const int undo = window.document().undo_stack().count();
    QSignalSpy shown(&window.preview(), &PreviewView::shown);
    sfumato::testing::drag(slider, {slider->width() / 4, slider->height() / 2},
                           {slider->width() * 3 / 4, slider->height() / 2});
    const double after = window.document().recipe().steps[0].values.number("sigma");
    QVERIFY(after > before);
    QCOMPARE(window.document().undo_stack().count(), undo + 1);  // one gesture
    const auto shows = [&] {
      return !shown.isEmpty() &&
             shown.last()[0].value<ResultPtr>()->request.recipe == window.document().recipe();
    };
    QTRY_VERIFY_WITH_TIMEOUT(shows(), 180000);
    // Its reach is shown beside it, the filter's name above.
    const auto says = [&](const QString& text) {
      const auto labels = window.findChildren<QLabel*>();
      return std::any_of(labels.begin(), labels.end(), [&](const QLabel* label) {
        return label->isVisible() && label->text() == text;
      });
    };
    QVERIFY(says(QStringLiteral("3σ = %1 px").arg(std::ceil(3 * after))));
    QVERIFY(says(QStringLiteral("Gaussian blur")));
    window.document().undo_stack().setClean();
  }

  void switching_a_step_keeps_the_focus() {
    MainWindow window;
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    window.document().add_step("gaussian");
    auto* editor = window.parameters().findChild<ParameterEditor*>(QStringLiteral("sigma"));
    editor->setFocus();
    QWidget* focus = QApplication::focusWidget();
    QVERIFY(focus && editor->isAncestorOf(focus));
    QTest::keyClick(focus, Qt::Key_B, Qt::ControlModifier);
    QVERIFY(!window.document().recipe().steps[0].enabled);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QCOMPARE(QApplication::focusWidget(), focus);
    window.document().undo_stack().setClean();
  }

  void a_search_without_a_hit_says_so() {
    FilterBrowser browser;
    browser.show();
    auto* search = browser.findChild<QLineEdit*>();
    auto* nothing = browser.findChild<QLabel*>();
    QTest::keyClicks(search, QStringLiteral("xyzzy"));
    QVERIFY(nothing->isVisible());
    QCOMPARE(nothing->text(), QStringLiteral("No filter of that name"));
    search->clear();
    QVERIFY(!nothing->isVisible());
  }

  void an_empty_box_is_seen_in_every_theme() {
    for (const Theme theme : {Theme::light, Theme::dark}) {
      apply_theme(theme);
      Stack stack;
      stack.document.set_current(1);
      stack.document.set_enabled(0, false);
      const QImage image = stack.list->viewport()->grab().toImage();
      const int ground = qGray(image.pixel(image.width() - 2, stack.middle(0).y()));
      int most = 0;  // contrast with the background, along a line through the box
      for (int x = 0; x <= stack.box(0).x(); ++x) {
        most = std::max(most, std::abs(qGray(image.pixel(x, stack.box(0).y())) - ground));
      }
      QVERIFY2(most > 40, qPrintable(QString::number(most)));
    }
    apply_theme(Theme::system);
  }

  void an_empty_stack_says_how_it_is_filled() {
    Stack stack;
    auto* hint = stack.list->viewport()->findChild<QLabel*>();
    QVERIFY(hint != nullptr && !hint->isVisible());
    while (stack.document.size() > 0) stack.document.remove_step(0);
    QVERIFY(hint->isVisible());
    stack.document.undo_stack().undo();
    QVERIFY(!hint->isVisible());
  }
};

QTEST_MAIN(TestStackView)
#include "test_stack_view.moc"
