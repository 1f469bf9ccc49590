// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The preview's view: its geometry, its two halves, and their operation by keys and mouse.
#include <QCoreApplication>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWheelEvent>

#include "opened.hpp"
#include "shown.hpp"

using namespace sfumato;
using namespace sfumato::gui;
using namespace sfumato::testing;

class TestPreviewView : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void the_view_zooms_about_the_cursor_and_pans() {
    PreviewRenderer renderer;
    PreviewView view(renderer);
    view.resize(400, 300);
    view.set_picture(opened(rgb8(1600, 1200), 6));
    QVERIFY(view.fits());
    const double fitting = view.zoom();
    QVERIFY(std::abs(fitting - 300.0 / 1600) < 1e-6);  // turned: 1200 x 1600
    view.zoom_to(1, {100, 150});
    QCOMPARE(view.zoom(), 1.0);
    const QRectF before = view.visible();
    QWheelEvent wheel({100, 150}, {100, 150}, {}, {0, 120}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&view, &wheel);
    QVERIFY(view.zoom() > 1);
    const QRectF after = view.visible();
    const auto under = [](const QRectF& seen) {
      return seen.topLeft() + QPointF(seen.width() * 100 / 400, seen.height() * 150 / 300);
    };
    QVERIFY(QLineF(under(before), under(after)).length() < 0.01);

    QTest::mousePress(&view, Qt::MiddleButton, {}, {200, 150});
    QTest::mouseMove(&view, {150, 130});
    QTest::mouseRelease(&view, Qt::MiddleButton, {}, {150, 130});
    QVERIFY(view.visible().left() > after.left());
    QTest::keyClick(&view, Qt::Key_0);
    QCOMPARE(view.zoom(), fitting);
    QTest::keyClick(&view, Qt::Key_1);
    QCOMPARE(view.zoom(), 1.0);
  }

  void the_divider_is_dragged() {
    PreviewRenderer renderer;
    PreviewView view(renderer);
    view.resize(400, 300);
    view.set_picture(opened(rgb8(400, 300)));
    QTest::mousePress(&view, Qt::LeftButton, {}, {200, 100});
    QTest::mouseMove(&view, {300, 100});
    QTest::mouseRelease(&view, Qt::LeftButton, {}, {300, 100});
    QCOMPARE(view.divider(), 0.75);
  }

  void before_and_after_are_compared_by_keys() {
    PreviewRenderer renderer;
    PreviewView view(renderer);
    view.resize(200, 100);
    view.set_picture(opened(rgb8(200, 100)));
    QTest::keyClick(&view, Qt::Key_Left, Qt::ShiftModifier);
    QCOMPARE(view.divider(), 0.48);
    for (int i = 0; i < 40; ++i) QTest::keyClick(&view, Qt::Key_Right, Qt::ShiftModifier);
    QCOMPARE(view.divider(), 1.0);
    view.set_mode(PreviewMode::single);
    QSignalSpy shown(&view, &PreviewView::shown);
    view.set_recipe(one_step("grayscale", Values()));
    // The unfiltered picture may have been shown first.
    QTRY_VERIFY_WITH_TIMEOUT(is_shown(shown, "grayscale"), 180000);
    const QImage after = view.grab().toImage();
    QTest::keyPress(&view, Qt::Key_B);
    QVERIFY(view.grab().toImage() != after);
    QTest::keyRelease(&view, Qt::Key_B);
    QCOMPARE(view.grab().toImage(), after);
  }

  // Before the layout has set its size, a request would have the wrong size.
  void a_view_asks_when_it_is_seen() {
    QWidget window;
    PreviewRenderer renderer;
    auto* view = new PreviewView(renderer, &window);
    QVBoxLayout layout(&window);
    layout.setContentsMargins(0, 0, 0, 0);
    layout.addWidget(view);
    QSignalSpy shown(view, &PreviewView::shown);
    view->set_picture(opened(rgb8(400, 300)));
    view->set_recipe(one_step("grayscale", Values()));
    QVERIFY(!renderer.is_busy());
    window.resize(400, 300);
    window.show();
    QTRY_VERIFY_WITH_TIMEOUT(is_shown(shown, "grayscale"), 180000);
    // On a busy machine a coarse one comes first.
    for (const auto& one : shown) {
      const PreviewRequest& request = one[0].value<ResultPtr>()->request;
      const int reduction = request.reduction;
      QCOMPARE(request.region,
               (Rect{0, 0, (400 + reduction - 1) / reduction, (300 + reduction - 1) / reduction}));
    }
  }

  void the_view_shows_before_and_after() {
    PreviewRenderer renderer;
    PreviewView view(renderer);
    view.resize(200, 100);
    view.set_picture(opened(rgb8(200, 100)));
    QSignalSpy shown(&view, &PreviewView::shown);
    view.set_recipe(one_step("grayscale", Values()));
    // The unfiltered picture may have been shown first.
    QTRY_VERIFY_WITH_TIMEOUT(is_shown(shown, "grayscale"), 180000);
    const QImage image = view.grab().toImage();
    const auto is_gray = [&](int x) {
      const QColor c = image.pixelColor(x, 20);
      return std::abs(c.red() - c.blue()) <= 2;
    };
    QVERIFY(!is_gray(40) || !is_gray(60) || !is_gray(80));
    QVERIFY(is_gray(140) && is_gray(160) && is_gray(180));
  }

  void both_halves_lie_in_one_place() {
    PreviewRenderer renderer;
    PreviewView view(renderer);
    view.resize(200, 100);
    view.set_picture(opened(rgb8(200, 100)));
    QSignalSpy shown(&view, &PreviewView::shown);
    QVERIFY(sfumato::testing::answered(shown, renderer));
    const QImage split = view.grab().toImage();  // of a recipe without effect
    view.set_mode(PreviewMode::single);
    QTRY_VERIFY_WITH_TIMEOUT(!renderer.is_busy(), 180000);
    const QImage whole = view.grab().toImage();
    for (const int x : {20, 60, 140, 180}) QCOMPARE(split.pixel(x, 30), whole.pixel(x, 30));
  }

  void exposure_does_not_touch_the_values() {
    const PicturePtr picture = opened(rgb8(50, 40));
    PreviewRenderer renderer;
    QSignalSpy spy(&renderer, &PreviewRenderer::rendered);
    renderer.request({picture, {}, 1, picture->format().rect(), 0});
    QTRY_VERIFY_WITH_TIMEOUT(!spy.isEmpty(), 180000);
    const ResultPtr plain = last_of(spy);
    renderer.request({picture, {}, 1, picture->format().rect(), 1});
    QTRY_COMPARE_WITH_TIMEOUT(spy.size(), 2, 180000);
    const ResultPtr bright = last_of(spy);
    QVERIFY(plain->after_values.bytes == bright->after_values.bytes);
    QVERIFY(bright->after.pixelColor(20, 5).red() > plain->after.pixelColor(20, 5).red());
  }
};

QTEST_MAIN(TestPreviewView)
#include "test_preview_view.moc"
