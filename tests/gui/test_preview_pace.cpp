// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The preview while a slider is dragged and with a slow device: something is always shown, and the
// newest value in the end.
#include <QCoreApplication>
#include <QSignalSpy>
#include <QTest>
#include <atomic>
#include <thread>

#include "opened.hpp"
#include "preview/preview_renderer.hpp"
#include "preview/preview_view.hpp"
#include "support/pictures.hpp"

using namespace sfumato;
using namespace sfumato::gui;
using namespace std::chrono_literals;
using sfumato::testing::Image;
using sfumato::testing::one_step;
using sfumato::testing::opened;

namespace {

ResultPtr last_of(const QSignalSpy& spy) {
  return spy.isEmpty() ? nullptr : spy.last().at(0).value<ResultPtr>();
}

double sigma_of(const ResultPtr& result) {
  return result->request.recipe.steps[0].values.number("sigma");
}

// A device with this duration for every launch.
SessionOptions slow(std::chrono::milliseconds launch) {
  SessionOptions options;
  options.device = "cpu";
  options.cache_folder = std::filesystem::path();
  options.before_launch = [launch](std::int64_t) { std::this_thread::sleep_for(launch); };
  return options;
}

Recipe blur(double sigma) {
  Values values;
  values.set("sigma", sigma);
  return one_step("gaussian", values);
}

}  // namespace

class TestPreviewPace : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void a_drag_is_followed() {
    const PicturePtr picture = opened(400, 300);
    PreviewRenderer renderer(slow(40ms));
    QSignalSpy spy(&renderer, &PreviewRenderer::rendered);
    renderer.request({picture, blur(2), 1, picture->format().rect(), 0});  // compiles
    QTRY_VERIFY_WITH_TIMEOUT(!spy.isEmpty(), 180000);
    const double seconds = last_of(spy)->seconds;
    QVERIFY2(seconds > 0.03, "no slow device");
    spy.clear();
    double sigma = 2;
    // Results arrive during the drag, however slow the machine is.
    for (int i = 0; i < 125 || (spy.size() < 8 && i < 8000); ++i) {
      sigma += 0.001;
      renderer.request({picture, blur(sigma), 1, picture->format().rect(), 0});
      QTest::qWait(16);
    }
    QVERIFY2(spy.size() >= 8, qPrintable(QString::number(spy.size())));
    QTRY_VERIFY_WITH_TIMEOUT(!renderer.is_busy(), 180000);
    QCoreApplication::processEvents();
    QCOMPARE(sigma_of(last_of(spy)), sigma);
    for (qsizetype i = 1; i < spy.size(); ++i) {
      QVERIFY(sigma_of(spy[i][0].value<ResultPtr>()) > sigma_of(spy[i - 1][0].value<ResultPtr>()));
    }
  }

  // A slow render does not starve a drag.
  void a_drag_of_a_very_slow_recipe_is_followed_too() {
    const PicturePtr picture = opened(400, 300);
    PreviewRenderer renderer(slow(150ms));
    QSignalSpy spy(&renderer, &PreviewRenderer::rendered);
    renderer.request({picture, blur(2), 1, picture->format().rect(), 0});
    QTRY_VERIFY_WITH_TIMEOUT(!spy.isEmpty(), 180000);
    spy.clear();
    for (int i = 0; i < 10000 && spy.isEmpty(); ++i) {
      renderer.request({picture, blur(2 + 0.001 * i), 1, picture->format().rect(), 0});
      QTest::qWait(16);
    }
    QVERIFY(!spy.isEmpty());
  }

  void the_picture_is_shown_before_a_device_is_there() {
    const PicturePtr picture = opened(400, 300);
    std::atomic<bool> blocked = true;
    SessionOptions options = slow(0ms);
    options.before_launch = [&](std::int64_t) {
      while (blocked) std::this_thread::sleep_for(1ms);
    };
    PreviewRenderer renderer(options);
    // The renderer's destructor waits for its device.
    const auto unblock = qScopeGuard([&] { blocked = false; });
    PreviewView view(renderer);
    view.resize(400, 300);
    view.show();
    QSignalSpy before(&renderer, &PreviewRenderer::before_ready), shown(&view, &PreviewView::shown);
    view.set_picture(picture);  // without any recipe: a result
    QTRY_VERIFY_WITH_TIMEOUT(!shown.isEmpty(), 180000);
    const QImage plain = view.grab({20, 20, 360, 200}).toImage();

    const PicturePtr other = opened(400, 300);
    shown.clear();
    view.set_picture({});  // otherwise the recipe would be requested for the first picture
    view.set_recipe(blur(4));
    view.set_picture(other);
    QTRY_VERIFY_WITH_TIMEOUT(before.size() > 1, 180000);
    QTRY_COMPARE_WITH_TIMEOUT(view.grab({20, 20, 360, 200}).toImage(), plain, 180000);
    QVERIFY(shown.isEmpty());
    blocked = false;
    QTRY_VERIFY_WITH_TIMEOUT(!renderer.is_busy(), 180000);
    QTRY_VERIFY_WITH_TIMEOUT(view.grab({20, 20, 360, 200}).toImage() != plain, 180000);
  }

  void a_recipe_that_nobody_knows_is_first_shown_coarsely() {
    const PicturePtr picture = opened(1200, 900);
    PreviewRenderer renderer;
    QSignalSpy spy(&renderer, &PreviewRenderer::rendered);
    PreviewRequest request{picture, one_step("bilateral", {{"sigma", "20"}, {"method", "exact"}}),
                           1, picture->format().rect(), 0};
    request.coarsest = 8;
    renderer.request(request);
    QTRY_VERIFY_WITH_TIMEOUT(spy.size() == 2, 120000);
    QVERIFY(spy[0][0].value<ResultPtr>()->request.reduction >= 4);
    QCOMPARE(spy[0][0].value<ResultPtr>()->stage, PreviewStage::coarse);
    QCOMPARE(last_of(spy)->request.reduction, 1);
    QVERIFY(last_of(spy)->last);
  }

  void cost_is_learned_from_what_was_finished_and_given_up() {
    PreviewPace pace;
    const Recipe recipe = blur(4);
    constexpr double pixels = 1e6, soon = PreviewPace::soon;
    QCOMPARE(pace.coarser(recipe, 1, pixels, 8), 4);  // unknown
    QCOMPARE(pace.coarser(one_step("grayscale", Values()), 1, pixels, 8), 1);
    pace.add_measurement(recipe, 1, pixels, 0.5 * soon);
    QCOMPARE(pace.coarser(recipe, 1, pixels, 8), 1);
    pace.add_measurement(recipe, 1, pixels, 3.5 * soon);
    QCOMPARE(pace.coarser(recipe, 1, pixels, 8), 2);
    pace.add_lower_bound(recipe, 1, pixels, 3);
    QCOMPARE(pace.coarser(recipe, 1, pixels, 8), 8);
    QCOMPARE(pace.coarser(recipe, 1, pixels, 1), 1);
    QCOMPARE(pace.coarser(recipe, 1, 1000, 8), 1);  // nothing would be visible
    pace.add_measurement(recipe, 1, pixels, 0.5 * soon);
    QCOMPARE(pace.coarser(recipe, 1, pixels, 8), 1);
    pace.forget();
    QCOMPARE(pace.coarser(recipe, 1, pixels, 8), 4);
  }

  void a_refinement_gives_way_at_once() {
    const PicturePtr picture = opened(1600, 1200);
    PreviewRenderer renderer(slow(5ms));
    QSignalSpy spy(&renderer, &PreviewRenderer::rendered);
    PreviewRequest request{picture, one_step("median", {{"radius", "40"}}), 4, {0, 0, 400, 300}, 0};
    request.refine = true;
    renderer.request(request);
    QTRY_VERIFY_WITH_TIMEOUT(!spy.isEmpty(), 180000);
    QVERIFY(!last_of(spy)->last);
    QTest::qWait(400);  // it has started, or is done
    const qsizetype answers = spy.size();
    renderer.request({picture, {}, 4, {0, 0, 400, 300}, 0});
    QTRY_VERIFY_WITH_TIMEOUT(spy.size() > answers, 180000);
    QTRY_VERIFY_WITH_TIMEOUT(last_of(spy)->request.recipe.steps.empty(), 180000);
  }
};

QTEST_MAIN(TestPreviewPace)
#include "test_preview_pace.moc"
