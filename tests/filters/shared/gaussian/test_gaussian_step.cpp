// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// How blurs are planned: their method, their local memory, and sigmas beyond a repeating picture,
// where a Gaussian equals one as wide as the period.
#include <QTest>
#include <set>

#include "filters/shared/gaussian/step.hpp"

using namespace sfumato;

class TestGaussianStep : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void sigma_is_cut_where_the_border_repeats_the_picture_data() {
    QTest::addColumn<Border>("border");
    QTest::addColumn<double>("sigma");
    QTest::addColumn<double>("expected");
    QTest::newRow("wrap: its longer side") << Border::wrap << 1000.0 << 30.0;
    QTest::newRow("wrap, narrow") << Border::wrap << 29.0 << 29.0;
    QTest::newRow("mirror: twice that") << Border::mirror << 1000.0 << 60.0;
    QTest::newRow("mirror, narrow") << Border::mirror << 59.0 << 59.0;
    QTest::newRow("clamp: never") << Border::clamp << 1000.0 << 1000.0;
    QTest::newRow("zero: never") << Border::zero << 1000.0 << 1000.0;
    QTest::newRow("renormalise: never") << Border::renormalise << 1000.0 << 1000.0;
  }

  void sigma_is_cut_where_the_border_repeats_the_picture() {
    QFETCH(Border, border);
    QFETCH(double, sigma);
    Picture picture;
    picture.width = 20;
    picture.height = 30;
    QTEST(sigma_within(sigma, border, picture), "expected");
  }

  // Sums over squares end where they are out of all proportion.
  void direct_sums_are_for_small_sigmas() {
    GaussianRequest request;
    request.picture = {0, 0, 200, 200};
    request.method = GaussianMethod::direct;
    for (const auto& [sigma, method] :
         {std::pair(8.0, GaussianMethod::direct), {8.5, GaussianMethod::separable}}) {
      request.sigma = sigma;
      QCOMPARE(choose_gaussian(request).method, method);
    }
  }

  // Strips get narrower, down to four vectors, until they and 4096 bytes fit.
  void strips_fit_the_local_memory_there_is() {
    GaussianRequest request;
    request.picture = {0, 0, 4000, 3000};
    request.sigma = 8;
    request.method = GaussianMethod::separable;
    request.device.cpu = true;
    const Plane picture{0, 0, 4000, 3000, 4000, 0};
    std::set<std::size_t> sizes;
    for (std::size_t memory = 48 << 10; memory <= 512 << 10; memory += 1 << 10) {
      request.device.local_memory = memory;
      const PassPlan plan = plan_gaussian(choose_gaussian(request), picture,
                                          Edge(picture.rect(), Border::clamp), picture);
      for (const PlannedPass& pass : plan.passes) {
        std::size_t taken = 4096;
        for (const PassArg& arg : pass.args) {
          if (const auto* local = std::get_if<LocalArg>(&arg)) taken += local->bytes;
        }
        QVERIFY2(taken <= memory, qPrintable(QString::number(memory)));
        sizes.insert(taken);
      }
    }
    QVERIFY(sizes.size() > 2);
  }

  // Each step shrinks by 4, the last ones by less; the blur that remains is wide enough to be
  // exact.
  void wider_blurs_shrink_the_picture_further() {
    GaussianRequest request;
    request.picture = {0, 0, 200, 200};
    request.method = GaussianMethod::multirate;
    int before = 1;
    for (double sigma = 4; sigma < 5000; sigma *= 1.05) {
      request.sigma = sigma;
      const GaussianScheme scheme = choose_gaussian(request);
      int all = 1, last = 4;
      for (const int factor : scheme.factors) {
        QVERIFY(factor >= 2 && factor <= last);
        QVERIFY(all == 1 || last == 4 || factor < last);
        all *= factor;
        last = factor;
      }
      QCOMPARE(scheme.decimation, all);
      QVERIFY(all >= before && all <= 1024);
      QVERIFY(sigma / all >= 1.75 && (all == 1024 || sigma / all < 5.5));
      before = all;
    }
    QCOMPARE(before, 1024);
  }

  // Lines of which two no longer fit into the cache side by side.
  void boxes_as_long_as_the_cache_have_results() {
    GaussianRequest request;
    request.picture = {0, 0, 300, 200};
    request.sigma = 701;
    request.method = GaussianMethod::boxes;
    request.iterations = 3;
    request.device.cpu = true;
    request.device.local_memory = 1 << 20;
    const Plane picture{0, 0, 300, 200, 304, 0};
    const PassPlan plan = plan_gaussian(choose_gaussian(request), picture,
                                        Edge(picture.rect(), Border::clamp), picture);
    QCOMPARE(plan.passes.size(), std::size_t{2});
    for (const PlannedPass& pass : plan.passes) {
      for (const PassArg& arg : pass.args) {
        if (const int* number = std::get_if<int>(&arg)) QVERIFY(*number >= 0);
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestGaussianStep)
#include "test_gaussian_step.moc"
