// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// bloom of one pixel compared with a mean of Gaussians in float64.
#include <QtTest>
#include <array>
#include <cmath>

#include "support/definitions.hpp"

using namespace sfumato;
using namespace sfumato::testing;

class TestBloom : public QObject, private Definitions {
  Q_OBJECT

 private slots:
  // A bright pixel spreads as the mean of Gaussians, each twice as wide as the one before.
  void bloom_of_one_pixel() {
    Image picture = black(65, 65);
    for (int c = 0; c < 3; ++c) picture.set(32, 32, c, 5.0f);
    const std::array<double, 2> sigmas = {1.5, 3.0};
    const auto spilt = [&](int dx, int dy) {
      double sum = 0;
      for (const double s : sigmas) {
        double line = 0;
        for (int i = -40; i <= 40; ++i) line += std::exp(-i * i / (2 * s * s));
        sum += std::exp(-(dx * dx + dy * dy) / (2 * s * s)) / (line * line);
      }
      return 0.5 * 4.0 * sum / 2;  // intensity times the part beyond the threshold
    };
    each("bloom",
         {{"threshold", "1"},
          {"knee", "0"},
          {"sigma", "1.5"},
          {"levels", "2"},
          {"intensity", "0.5"}},
         picture, [&](Image& result, const std::string& where) {
           for (const auto& [dx, dy] :
                std::vector<std::pair<int, int>>{{0, 0}, {1, 0}, {0, 2}, {3, 3}, {-7, 1}}) {
             const double want = spilt(dx, dy) + (dx == 0 && dy == 0 ? 5 : 0);
             const auto got = static_cast<double>(result.get(32 + dx, 32 + dy, 1));
             QVERIFY2(std::abs(got - want) < 1e-3,
                      qPrintable(QString("%1: %2, %3 is %4, not %5")
                                     .arg(QString::fromStdString(where))
                                     .arg(dx)
                                     .arg(dy)
                                     .arg(got)
                                     .arg(want)));
           }
         });
  }
};

QTEST_GUILESS_MAIN(TestBloom)
#include "test_bloom.moc"
