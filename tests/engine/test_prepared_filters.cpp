// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Prepared filters and the plans of their tiles: reused if everything is equal, and only then.
#include <QTest>

#include "engine/prepared_filters.hpp"
#include "filters/shared/run_plan.hpp"
#include "support/devices.hpp"
#include "support/engine.hpp"
#include "support/pictures.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

const Filter& gaussian() {
  return *Registry::get().at("gaussian").filter;
}

Values blurred_by(double sigma) {
  Values values = defaults(gaussian().info().parameters);
  values.set("sigma", sigma);
  return values;
}

Picture picture_of(int width) {
  Picture picture;
  picture.width = width;
  picture.height = 40;
  return picture;
}

}  // namespace

class TestPreparedFilters : public QObject {
  Q_OBJECT

 private slots:
  void what_is_equal_is_prepared_once() {
    PreparedFilters kept;
    const auto first = kept.of(gaussian(), blurred_by(2), picture_of(60), cpu_target());
    QCOMPARE(kept.of(gaussian(), blurred_by(2), picture_of(60), cpu_target()), first);
    Picture alpha = picture_of(60), samples = picture_of(60), known = picture_of(60);
    alpha.has_alpha = true;
    samples.samples = StoredSamples::srgb;
    known.surveyed = std::make_shared<const SurveyResult>();
    for (const Picture& other : {picture_of(61), alpha, samples, known}) {
      QVERIFY(kept.of(gaussian(), blurred_by(2), other, cpu_target()) != first);
    }
    Target tiles = cpu_target(), gpu = cpu_target(), tuned = cpu_target();
    tiles.in_tiles = true;
    gpu.form = Form::gpu;
    tuned.tuning = std::make_shared<const Tuning>();
    for (const Target& other : {tiles, gpu, tuned}) {
      QVERIFY(kept.of(gaussian(), blurred_by(2), picture_of(60), other) != first);
    }
    QVERIFY(kept.of(gaussian(), blurred_by(2.5), picture_of(60), cpu_target()) != first);
    const Filter& other = *Registry::get().at("grayscale").filter;
    QVERIFY(kept.of(other, defaults(other.info().parameters), picture_of(60), cpu_target()) !=
            first);
    QCOMPARE(kept.of(gaussian(), blurred_by(2), picture_of(60), cpu_target()), first);
  }

  void what_was_not_used_for_long_is_let_go() {
    PreparedFilters kept;
    const std::weak_ptr<const PreparedFilter> used =
        kept.of(gaussian(), blurred_by(1), picture_of(60), cpu_target());
    const std::weak_ptr<const PreparedFilter> unused =
        kept.of(gaussian(), blurred_by(2), picture_of(60), cpu_target());
    for (int i = 0; i < 100; ++i) {
      kept.of(gaussian(), blurred_by(3 + i), picture_of(60), cpu_target());
      kept.of(gaussian(), blurred_by(1), picture_of(60), cpu_target());
    }
    QVERIFY(!used.expired());
    QVERIFY(unused.expired());
  }

  void a_tile_is_planned_once() {
    const TilePlans plans;
    int laid = 0;
    const auto plan_of = [&](int x, int stride, Border border) {
      TileJob job;
      job.input.plane = {0, 0, 64, 40, 64, 0};
      job.output.plane = {x, 0, 16, 40, stride, 0};
      job.edge = Edge({0, 0, 64, 40}, border);
      return plans.of(job, [&] {
        ++laid;
        return PassPlan();
      });
    };
    const auto first = plan_of(0, 16, Border::clamp);
    QCOMPARE(plan_of(0, 16, Border::clamp), first);
    QCOMPARE(laid, 1);
    plan_of(16, 16, Border::clamp);
    plan_of(0, 32, Border::clamp);
    plan_of(0, 16, Border::zero);
    QCOMPARE(laid, 4);
    for (int x = 1; x < 300; ++x) plan_of(x, 16, Border::clamp);
    QCOMPARE(first.use_count(), 1);  // no more than a few are kept
  }

  // A slider moved back and forth: cached results are never confused.
  void one_session_renders_as_many_do() {
    Image input = scene(rgba(97, 71));
    std::vector<std::pair<Recipe, Image>> wanted;
    for (const char* method : {"auto", "fft"}) {
      for (const char* sigma : {"2", "5"}) {
        const Recipe recipe =
            one_step("gaussian", {{"method", method}, {"sigma", sigma}, {"border", "renormalise"}});
        Session fresh(quiet());
        wanted.emplace_back(recipe, run(fresh, recipe, input, input.format));
      }
    }
    Session session(quiet());
    for (int round = 0; round < 2; ++round) {
      for (const auto& [recipe, image] : wanted) {
        QVERIFY(run(session, recipe, input, input.format).bytes == image.bytes);
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestPreparedFilters)
#include "test_prepared_filters.moc"
