// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The preview: what it shows is what the engine computes, the newest request wins, the view's
// geometry, and no work on the GUI thread.
#include <QMouseEvent>
#include <QSignalSpy>
#include <QWheelEvent>
#include <QtTest>
#include <atomic>

#include "engine/presets.hpp"
#include "preview/display.hpp"
#include "preview/preview_view.hpp"
#include "preview/renderer.hpp"
#include "support/pictures.hpp"

using namespace sfumato;
using namespace sfumato::gui;
using sfumato::testing::Image;
using sfumato::testing::one_step;
using sfumato::testing::scene;

namespace {

PicturePtr opened(const PictureFormat& format, int orientation = 1) {
  auto picture = std::make_shared<OpenedPicture>();
  Image image = scene(format);
  picture->pixels = {image.format, image.bytes};
  picture->orientation = orientation;
  return picture;
}

PictureFormat rgb8(int w, int h) {
  return {w, h, 3, SampleType::u8, AlphaKind::none, Coding::srgb()};
}

using ResultPtr = std::shared_ptr<const PreviewResult>;

ResultPtr last_of(QSignalSpy& spy) {
  return spy.isEmpty() ? nullptr : spy.last().at(0).value<ResultPtr>();
}

}  // namespace

class TestPreview : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void what_is_shown_at_full_scale_is_the_crop_of_the_result() {
    const PicturePtr picture = opened(rgb8(211, 157));
    const Recipe recipe = one_step("gaussian", {{"sigma", "5"}});
    Renderer renderer;
    QSignalSpy spy(&renderer, &Renderer::rendered);
    renderer.request({picture, recipe, 1, {40, 30, 140, 110}, 0});
    QVERIFY(spy.wait(60000));
    const ResultPtr got = last_of(spy);
    QCOMPARE(got->truth, PreviewClass::exact);

    Session session;
    PictureFormat format = picture->format();
    format.type = SampleType::f32;
    Image whole(format);
    MemorySource source = picture->source();
    MemorySink sink(format, whole.view());
    session.render(recipe, source, sink);
    const auto* values = reinterpret_cast<const float*>(got->after_values.bytes.data());
    for (int y = 30; y < 110; ++y) {
      for (int x = 40; x < 140; ++x) {
        for (int c = 0; c < 3; ++c) QCOMPARE(*values++, whole.get(x, y, c));
      }
    }
    QCOMPARE(got->after.width(), 100);
  }

  void a_reduced_preview_scales_lengths() {
    const Recipe recipe = one_step("gaussian", {{"sigma", "12"}});
    const Recipe small = scaled_recipe(recipe, 4);
    QCOMPARE(small.steps[0].values.number("sigma"), 3.0);
    QCOMPARE(truth_of(one_step("grayscale", Values()), 4), PreviewClass::exact);
    QCOMPARE(truth_of(one_step("median", {{"radius", "4"}}), 4), PreviewClass::approximate);
    QCOMPARE(truth_of(one_step("median", {{"radius", "4"}}), 1), PreviewClass::exact);
  }

  void the_newest_request_wins() {
    const PicturePtr picture = opened(rgb8(900, 700));
    Renderer renderer;
    QSignalSpy spy(&renderer, &Renderer::rendered), idle(&renderer, &Renderer::idle);
    for (int i = 1; i <= 40; ++i) {
      renderer.request({picture,
                        one_step("bilateral", {{"sigma", std::to_string(i)}, {"method", "exact"}}),
                        1, picture->format().rect(), 0});
    }
    const Recipe last = one_step("gaussian", {{"sigma", "2"}});
    renderer.request({picture, last, 1, picture->format().rect(), 0});
    QVERIFY(idle.wait(60000));
    QCoreApplication::processEvents();
    QVERIFY(last_of(spy));
    QCOMPARE(last_of(spy)->request.recipe.steps[0].filter, std::string("gaussian"));
    QVERIFY2(spy.size() <= 3, "stale requests were answered");
  }

  void a_failure_is_one_sentence_and_the_next_request_works() {
    const PicturePtr picture = opened(rgb8(60, 40));
    Renderer renderer;
    QSignalSpy failed(&renderer, &Renderer::failed), spy(&renderer, &Renderer::rendered);
    Recipe bad = one_step("fft_convolve", Values());
    renderer.request({picture, bad, 1, picture->format().rect(), 0});
    QVERIFY(failed.wait(60000));
    QVERIFY(!failed[0][0].toString().isEmpty());
    renderer.request({picture, {}, 1, picture->format().rect(), 0});
    QVERIFY(spy.wait(60000));
  }

  void every_orientation_is_upright() {
    for (int orientation = 1; orientation <= 8; ++orientation) {
      const int w = 5, h = 3;
      QImage stored(w, h, QImage::Format_RGB32);
      for (int y = 0; y < h; ++y) {
        for (int x = 0; x < w; ++x) stored.setPixel(x, y, qRgb(x * 10, y * 10, 0));
      }
      const QImage turned = upright(stored, orientation);
      for (int v = 0; v < turned.height(); ++v) {
        for (int u = 0; u < turned.width(); ++u) {
          const Rect at = stored_region({u, v, u + 1, v + 1}, w, h, orientation);
          QCOMPARE(turned.pixel(u, v), stored.pixel(at.x0, at.y0));
        }
      }
    }
  }

  void the_view_zooms_about_the_cursor_and_pans() {
    Renderer renderer;
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
    Renderer renderer;
    PreviewView view(renderer);
    view.resize(400, 300);
    view.set_picture(opened(rgb8(400, 300)));
    QTest::mousePress(&view, Qt::LeftButton, {}, {200, 100});
    QTest::mouseMove(&view, {300, 100});
    QTest::mouseRelease(&view, Qt::LeftButton, {}, {300, 100});
    QCOMPARE(view.divider(), 0.75);
  }

  void the_view_shows_before_and_after() {
    Renderer renderer;
    PreviewView view(renderer);
    view.resize(200, 100);
    view.set_picture(opened(rgb8(200, 100)));
    QSignalSpy shown(&view, &PreviewView::shown);
    view.set_recipe(one_step("grayscale", Values()));
    QTRY_VERIFY_WITH_TIMEOUT(!shown.isEmpty() && !renderer.is_busy(), 60000);
    const QImage image = view.grab().toImage();
    const auto is_gray = [&](int x) {
      const QColor c = image.pixelColor(x, 20);
      return std::abs(c.red() - c.blue()) <= 2;
    };
    QVERIFY(!is_gray(40) || !is_gray(60) || !is_gray(80));
    QVERIFY(is_gray(140) && is_gray(160) && is_gray(180));
  }

  void both_halves_lie_in_one_place() {
    Renderer renderer;
    PreviewView view(renderer);
    view.resize(200, 100);
    view.set_picture(opened(rgb8(200, 100)));
    QSignalSpy shown(&view, &PreviewView::shown);
    QTRY_VERIFY_WITH_TIMEOUT(!shown.isEmpty() && !renderer.is_busy(), 60000);
    const QImage split = view.grab().toImage();  // of a recipe that changes nothing
    view.set_mode(PreviewMode::single);
    QTRY_VERIFY_WITH_TIMEOUT(!renderer.is_busy(), 60000);
    const QImage whole = view.grab().toImage();
    for (const int x : {20, 60, 140, 180}) QCOMPARE(split.pixel(x, 30), whole.pixel(x, 30));
  }

  void exposure_does_not_touch_the_values() {
    const PicturePtr picture = opened(rgb8(50, 40));
    Renderer renderer;
    QSignalSpy spy(&renderer, &Renderer::rendered);
    renderer.request({picture, {}, 1, picture->format().rect(), 0});
    QVERIFY(spy.wait(60000));
    const ResultPtr plain = last_of(spy);
    renderer.request({picture, {}, 1, picture->format().rect(), 1});
    QVERIFY(spy.wait(60000));
    const ResultPtr bright = last_of(spy);
    QVERIFY(plain->after_values.bytes == bright->after_values.bytes);
    QVERIFY(bright->after.pixelColor(20, 5).red() > plain->after.pixelColor(20, 5).red());
  }
};

QTEST_MAIN(TestPreview)
#include "test_preview.moc"
