// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The preview shows what the engine computes, the newest request wins, and nothing is computed on
// the GUI thread.
#include <QCoreApplication>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QVBoxLayout>
#include <QVector>
#include <QWheelEvent>
#include <atomic>

#include "engine/presets.hpp"
#include "image/reduce.hpp"
#include "opened.hpp"
#include "preview/display.hpp"
#include "shown.hpp"

using namespace sfumato;
using namespace sfumato::gui;
using namespace sfumato::testing;

class TestPreview : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void what_is_shown_at_full_scale_is_the_crop_of_the_result() {
    const PicturePtr picture = opened(rgb8(211, 157));
    const Recipe recipe = one_step("gaussian", {{"sigma", "5"}});
    PreviewRenderer renderer;
    QSignalSpy spy(&renderer, &PreviewRenderer::rendered);
    renderer.request({picture, recipe, 1, {40, 30, 140, 110}, 0});
    QTRY_VERIFY_WITH_TIMEOUT(!spy.isEmpty(), 180000);
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
    QCOMPARE(truth_of(one_step("median", {{"radius", "4"}}), 4), PreviewClass::approximate);
    QCOMPARE(truth_of(one_step("median", {{"radius", "4"}}), 1), PreviewClass::exact);
  }

  // Pixels of a reduced picture are means of linear light, so gray of means equals the mean of
  // grays in linear light only.
  void gray_is_exact_in_linear_light_alone() {
    const PicturePtr picture = opened(rgb8(160, 120));
    const auto farthest = [&](const Recipe& recipe) {
      PreviewRenderer renderer(on("reference"));
      QSignalSpy spy(&renderer, &PreviewRenderer::rendered);
      renderer.request({picture, recipe, 4, Rect{0, 0, 40, 30}});
      if (!QTest::qWaitFor([&] { return !spy.isEmpty(); }, 180000)) return 1e9f;
      const ResultPtr got = last_of(spy);
      HeldPicture whole = blank_picture(region_format(picture->format(), {0, 0, 160, 120}));
      MemorySource source = picture->source();
      MemorySink sink(whole.format, whole.view());
      Session session(on("reference"));
      session.render(recipe, source, sink);
      HeldPicture want = blank_picture(reduced_format(whole.format, 4));
      reduce(whole.view(), whole.format, 4, want.view(), ParallelRows());
      float most = 0;
      const auto* a = reinterpret_cast<const float*>(got->after_values.bytes.data());
      const auto* b = reinterpret_cast<const float*>(want.bytes.data());
      for (int i = 0; i < 40 * 30 * 3; ++i) most = std::max(most, std::abs(a[i] - b[i]));
      return most;
    };
    const Recipe linear = one_step("grayscale", {{"light", "linear"}});
    QCOMPARE(truth_of(linear, 4), PreviewClass::exact);
    QVERIFY(farthest(linear) < 2e-5f);
    for (const char* light : {"display", "stored"}) {
      const Recipe other = one_step("grayscale", {{"light", light}});
      QCOMPARE(truth_of(other, 4), PreviewClass::approximate);
      QCOMPARE(truth_of(other, 1), PreviewClass::exact);
      QVERIFY(farthest(other) > 2e-5f);
    }
    Recipe masked = linear;
    masked.steps[0].values.set("mask", ImageRef{"mask.png", {}});
    QCOMPARE(truth_of(masked, 4), PreviewClass::approximate);
  }

  void the_newest_request_wins() {
    const PicturePtr picture = opened(rgb8(900, 700));
    PreviewRenderer renderer;
    QSignalSpy spy(&renderer, &PreviewRenderer::rendered), idle(&renderer, &PreviewRenderer::idle);
    for (int i = 1; i <= 40; ++i) {
      renderer.request({picture,
                        one_step("bilateral", {{"sigma", std::to_string(i)}, {"method", "exact"}}),
                        1, picture->format().rect(), 0});
    }
    const Recipe last = one_step("gaussian", {{"sigma", "2"}});
    renderer.request({picture, last, 1, picture->format().rect(), 0});
    QVERIFY(idle.wait(180000));
    QCoreApplication::processEvents();
    QVERIFY(last_of(spy));
    QCOMPARE(last_of(spy)->request.recipe.steps[0].filter, std::string("gaussian"));
    QVERIFY2(spy.size() <= 3, "stale requests were answered");
  }

  void a_failure_is_one_sentence_and_the_next_request_works() {
    const PicturePtr picture = opened(rgb8(60, 40));
    PreviewRenderer renderer;
    QSignalSpy failed(&renderer, &PreviewRenderer::failed),
        spy(&renderer, &PreviewRenderer::rendered);
    Recipe bad = one_step("fft_convolve", Values());
    renderer.request({picture, bad, 1, picture->format().rect(), 0});
    QVERIFY(failed.wait(180000));
    QVERIFY(!failed[0][0].toString().isEmpty());
    renderer.request({picture, {}, 1, picture->format().rect(), 0});
    QTRY_VERIFY_WITH_TIMEOUT(!spy.isEmpty(), 180000);
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

  void nothing_is_rendered_on_the_gui_thread() {
    QVERIFY(on_gui_thread());
    PreviewRenderer renderer;
    std::atomic<int> here{0}, elsewhere{0};
    const auto count = [&] { ++(on_gui_thread() ? here : elsewhere); };
    // On the thread that made the result.
    connect(&renderer, &PreviewRenderer::rendered, this, count, Qt::DirectConnection);
    QSignalSpy spy(&renderer, &PreviewRenderer::rendered);
    renderer.request({opened(rgb8(60, 40)), {}, 1, {0, 0, 60, 40}, 0});
    QTRY_VERIFY_WITH_TIMEOUT(!spy.isEmpty(), 180000);
    QCOMPARE(here, 0);
    QCOMPARE(elsewhere, 1);
  }

  void a_slow_render_is_cancelled_at_once_data() {
    QTest::addColumn<QString>("device");
    QTest::addColumn<QByteArray>("sigma");
    QTest::newRow("reference") << QStringLiteral("reference") << QByteArray("5");
    QTest::newRow("best device") << QString() << QByteArray("20");
  }
  void a_slow_render_is_cancelled_at_once() {
    QFETCH(const QString, device);
    QFETCH(const QByteArray, sigma);
    const PicturePtr picture = opened(rgb8(2000, 1500));
    PreviewRenderer renderer(on(device.toStdString()));
    QSignalSpy progressed(&renderer, &PreviewRenderer::progressed),
        idle(&renderer, &PreviewRenderer::idle), rendered(&renderer, &PreviewRenderer::rendered);
    renderer.request({picture, endless(sigma.constData()), 1, picture->format().rect(), 0});
    QVERIFY(progressed.wait(180000));
    QVERIFY(renderer.is_busy());
    renderer.cancel();
    QVERIFY(!idle.isEmpty() || idle.wait(180000));
    QVERIFY(!renderer.is_busy());
    QVERIFY(rendered.isEmpty());

    renderer.request({picture, {}, 1, {0, 0, 20, 20}, 0});
    QTRY_VERIFY_WITH_TIMEOUT(!rendered.isEmpty(), 180000);
  }

  void cancelling_a_request_that_never_started_ends_it() {
    const PicturePtr picture = opened(rgb8(60, 40));
    PreviewRenderer renderer;
    QSignalSpy idle(&renderer, &PreviewRenderer::idle);
    renderer.request({picture, {}, 1, picture->format().rect(), 0});
    renderer.cancel();
    QTRY_VERIFY_WITH_TIMEOUT(!idle.isEmpty() && !renderer.is_busy(), 180000);
  }

  void the_ring_cancels_and_the_last_result_stays() {
    Shown shown(opened(rgb8(400, 300)), "reference");
    QVERIFY(shown.finished());
    QVERIFY(shown.ring->isHidden());
    QCOMPARE(shown.badge->text(), QStringLiteral("Exact"));
    shown.results.clear();
    QVERIFY(shown.starts_endless());
    QVERIFY2(QTest::qWaitFor([&] { return !shown.results.isEmpty(); }, 180000),  // a coarse one
             qPrintable(shown.state()));
    QTRY_VERIFY_WITH_TIMEOUT(shown.ring->isVisible(), 180000);
    QCOMPARE(last_of(shown.results)->stage, PreviewStage::coarse);
    const QImage before = shown.view.grab({60, 60, 280, 100}).toImage();
    const qsizetype results = shown.results.size();
    auto* button = shown.ring->findChild<QToolButton*>();
    QCOMPARE(button->accessibleName(), QStringLiteral("Cancel rendering"));
    QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(shown.ring->isHidden());
    QCOMPARE(shown.badge->text(),
             QStringLiteral("Cancelled. Change something or press F5 to render again"));
    QTRY_VERIFY_WITH_TIMEOUT(!shown.renderer.is_busy(), 180000);
    QCoreApplication::processEvents();
    QCOMPARE(shown.results.size(), results);
    QCOMPARE(shown.view.grab({60, 60, 280, 100}).toImage(), before);
  }

  void escape_cancels_and_f5_renders_again() {
    Shown shown(opened(rgb8(400, 300)), "reference");
    QVERIFY(shown.finished());
    QVERIFY(shown.starts_endless());
    QTest::keyClick(&shown.view, Qt::Key_Escape);
    QVERIFY(shown.ring->isHidden());
    QTRY_VERIFY_WITH_TIMEOUT(!shown.renderer.is_busy(), 180000);
    QTest::keyClick(&shown.view, Qt::Key_F5);
    QVERIFY(shown.renderer.is_busy());
    QVERIFY(shown.badge->text() != QStringLiteral("Cancelled"));
    QVERIFY2(QTest::qWaitFor([&] { return shown.ring->isVisible(); }, 180000),
             qPrintable(shown.badge->text()));
    QVERIFY(!shown.badge->text().startsWith(QStringLiteral("Cancelled")));
    shown.results.clear();
    shown.view.set_recipe({});
    QVERIFY(shown.finished());
    QCOMPARE(shown.badge->text(), QStringLiteral("Exact"));
  }

  void badges_say_how_true_the_preview_is_data() {
    QTest::addColumn<QString>("filter");
    QTest::addColumn<QString>("badge");
    QTest::newRow("exact") << "grayscale"
                           << "Exact";
    QTest::newRow("approximate") << "median"
                                 << "Approximate at this zoom";
    QTest::newRow("full scale only") << "spectrum"
                                     << "True at 1:1 only";
  }
  // For a picture too large to be computed at 1:1 for a small view.
  void badges_say_how_true_the_preview_is() {
    QFETCH(const QString, filter);
    QFETCH(const QString, badge);
    const PictureFormat large{8000, 4000, 1, SampleType::u8, AlphaKind::none, Coding::srgb()};
    auto picture = std::make_shared<OpenedPicture>();
    picture->pixels = blank_picture(large);
    Shown shown(picture);
    shown.view.set_recipe(one_step(filter.toStdString(), {{"light", "linear"}}));
    QVERIFY(shown.finished());
    QTRY_COMPARE_WITH_TIMEOUT(shown.badge->text(), badge, 180000);
    QCOMPARE(shown.view.zoom(), 0.05);
    // The effect of a click, and the methods.
    const bool clickable = badge != QStringLiteral("Exact");
    QCOMPARE(shown.badge->toolTip().contains(QStringLiteral("1:1")), clickable);
    QVERIFY2(shown.badge->toolTip().contains(QStringLiteral("on ")),
             qPrintable(shown.badge->toolTip()));
    QCOMPARE(shown.badge->accessibleDescription(), shown.badge->toolTip());
    if (filter == QStringLiteral("spectrum")) return;  // slow for a large picture
    QTest::mouseClick(shown.badge, Qt::LeftButton);
    QCOMPARE(shown.view.zoom(), badge == QStringLiteral("Exact") ? 0.05 : 1.0);
  }

  void an_approximate_preview_is_refined_to_the_reduced_result() {
    const PicturePtr picture = opened(rgb8(803, 601));
    const Recipe recipe = one_step("median", {{"radius", "4"}});
    Shown shown(picture);
    QVERIFY(shown.finished());
    QVector<std::pair<PreviewStage, QString>> seen;
    connect(&shown.view, &PreviewView::shown, this, [&](const ResultPtr& result) {
      seen.append({result->stage, shown.badge->text()});
    });
    shown.view.set_recipe(recipe);
    QTRY_VERIFY_WITH_TIMEOUT(!seen.isEmpty() && seen.last().first == PreviewStage::exact, 180000);
    QVERIFY(seen.contains(
        std::pair(PreviewStage::requested, QStringLiteral("Approximate, refining…"))));
    QCOMPARE(shown.badge->text(), QStringLiteral("Exact"));
    const ResultPtr got = last_of(shown.results);
    QCOMPARE(got->request.reduction, 2);

    Session session;
    PictureFormat format = picture->format();
    format.type = SampleType::f32;
    Image whole(format), want(reduced_format(format, 2));
    MemorySource source = picture->source();
    MemorySink sink(format, whole.view());
    session.render(recipe, source, sink);
    reduce(whole.view(), format, 2, want.view(), ParallelRows());
    QCOMPARE(got->request.region, want.format.rect());
    const auto* a = reinterpret_cast<const float*>(got->after_values.bytes.data());
    const auto* b = reinterpret_cast<const float*>(want.bytes.data());
    for (std::size_t i = 0; i < want.bytes.size() / sizeof(float); ++i) {
      QVERIFY(std::abs(a[i] - b[i]) < 1e-6f);
    }

    // Brightened for viewing, it is exact at once.
    seen.clear();
    shown.view.set_exposure(1);
    QVERIFY(sfumato::testing::answered(seen, shown.renderer));
    QCOMPARE(seen.size(), 1);
    QCOMPARE(seen[0].first, PreviewStage::exact);
    QCOMPARE(shown.badge->text(), QStringLiteral("Exact"));
  }

  void a_slow_recipe_is_first_shown_coarsely() {
    Shown shown(opened(rgb8(200, 150)), "reference");
    QVERIFY(shown.finished());
    // As slow as necessary on this machine.
    double sigma = 1;
    while (last_of(shown.results)->seconds <= 0.15) {
      sigma *= 2;
      shown.results.clear();
      shown.view.set_recipe(endless(QByteArray::number(sigma).constData()));
      QVERIFY(shown.finished());
    }
    QVector<std::pair<int, QString>> seen;  // reductions, and the badge's text for each
    connect(&shown.view, &PreviewView::shown, this, [&](const ResultPtr& result) {
      seen.append({result->request.reduction, shown.badge->text()});
    });
    shown.results.clear();
    shown.view.set_recipe(endless(QByteArray::number(sigma + 1).constData()));
    QTRY_COMPARE_WITH_TIMEOUT(seen.size(), 2, 180000);
    QVERIFY(seen[0].first > 1);
    QCOMPARE(seen[0].second, QStringLiteral("Approximate, refining…"));
    QCOMPARE(seen[1].first, 1);
    QTRY_COMPARE_WITH_TIMEOUT(shown.badge->text(), QStringLiteral("Exact"), 180000);
  }

  void histograms_follow_the_result() {
    const PicturePtr picture = opened(rgb8(50, 40));
    PreviewRenderer renderer;
    QSignalSpy spy(&renderer, &PreviewRenderer::rendered);
    QSignalSpy counted(&renderer, &PreviewRenderer::counted);
    renderer.request({picture, one_step("grayscale", Values()), 1, {10, 0, 50, 40}, 0});
    QTRY_COMPARE_WITH_TIMEOUT(counted.size(), 1, 180000);
    QCOMPARE(spy.size(), 1);
    const ResultPtr got = last_of(spy);
    QCOMPARE(counted[0][0].value<ResultPtr>(), got);
    QCOMPARE(got->before_histogram.pixels, 1600u);
    QVERIFY(got->before_histogram == histogram_of(*got->before_values));
    const auto after = counted[0][1].value<Histogram>();
    QVERIFY(after == histogram_of(got->after_values));
    QVERIFY(after.channel[0] == after.channel[2]);
    QVERIFY(got->before_histogram.channel[0] != got->before_histogram.channel[2]);
  }
};

QTEST_MAIN(TestPreview)
#include "test_preview.moc"
