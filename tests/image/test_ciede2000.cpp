// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// CIEDE2000 against the table of Sharma, Wu and Dalal (2005), and many pixels at once against one.
#include <QTest>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "image/ciede2000.hpp"

using namespace sfumato;

namespace {

struct Pair {
  Lab a, b;
  double difference;
};

// Table 1 of the paper.
const std::vector<Pair> table = {
    {{50, 2.6772, -79.7751}, {50, 0, -82.7485}, 2.0425},
    {{50, 3.1571, -77.2803}, {50, 0, -82.7485}, 2.8615},
    {{50, 2.8361, -74.0200}, {50, 0, -82.7485}, 3.4412},
    {{50, -1.3802, -84.2814}, {50, 0, -82.7485}, 1.0000},
    {{50, -1.1848, -84.8006}, {50, 0, -82.7485}, 1.0000},
    {{50, -0.9009, -85.5211}, {50, 0, -82.7485}, 1.0000},
    {{50, 0, 0}, {50, -1, 2}, 2.3669},
    {{50, -1, 2}, {50, 0, 0}, 2.3669},
    {{50, 2.4900, -0.0010}, {50, -2.4900, 0.0009}, 7.1792},
    {{50, 2.4900, -0.0010}, {50, -2.4900, 0.0010}, 7.1792},
    {{50, 2.4900, -0.0010}, {50, -2.4900, 0.0011}, 7.2195},
    {{50, 2.4900, -0.0010}, {50, -2.4900, 0.0012}, 7.2195},
    {{50, -0.0010, 2.4900}, {50, 0.0009, -2.4900}, 4.8045},
    {{50, -0.0010, 2.4900}, {50, 0.0010, -2.4900}, 4.8045},
    {{50, -0.0010, 2.4900}, {50, 0.0011, -2.4900}, 4.7461},
    {{50, 2.5, 0}, {50, 0, -2.5}, 4.3065},
    {{50, 2.5, 0}, {73, 25, -18}, 27.1492},
    {{50, 2.5, 0}, {61, -5, 29}, 22.8977},
    {{50, 2.5, 0}, {56, -27, -3}, 31.9030},
    {{50, 2.5, 0}, {58, 24, 15}, 19.4535},
    {{50, 2.5, 0}, {50, 3.1736, 0.5854}, 1.0000},
    {{50, 2.5, 0}, {50, 3.2972, 0}, 1.0000},
    {{50, 2.5, 0}, {50, 1.8634, 0.5757}, 1.0000},
    {{50, 2.5, 0}, {50, 3.2592, 0.3350}, 1.0000},
    {{60.2574, -34.0099, 36.2677}, {60.4626, -34.1751, 39.4387}, 1.2644},
    {{63.0109, -31.0961, -5.8663}, {62.8187, -29.7946, -4.0864}, 1.2630},
    {{61.2901, 3.7196, -5.3901}, {61.4292, 2.2480, -4.9620}, 1.8731},
    {{35.0831, -44.1164, 3.7933}, {35.0232, -40.0716, 1.5901}, 1.8645},
    {{22.7233, 20.0904, -46.6940}, {23.0331, 14.9730, -42.5619}, 2.0373},
    {{36.4612, 47.8580, 18.3852}, {36.2715, 50.5065, 21.2231}, 1.4146},
    {{90.8027, -2.0831, 1.4410}, {91.1528, -1.6435, 0.0447}, 1.4441},
    {{90.9257, -0.5406, -0.9208}, {88.6381, -0.8985, -0.7239}, 1.5381},
    {{6.7747, -0.2908, -2.4247}, {5.8714, -0.0985, -2.2286}, 0.6377},
    {{2.0776, 0.0795, -1.1350}, {0.9033, -0.0636, -0.5514}, 0.9082}};

}  // namespace

class TestCiede2000 : public QObject {
  Q_OBJECT

 private slots:
  void published_table() {
    for (const Pair& p : table) {
      QVERIFY2(std::abs(ciede2000(p.a, p.b) - p.difference) < 5e-5,
               qPrintable(QString::number(p.difference)));
      QVERIFY(std::abs(ciede2000(p.b, p.a) - p.difference) < 5e-5);
    }
  }

  // White, the primaries and a gray, from their published values.
  void lab_of_colours() {
    const auto near = [](const Lab& found, double l, double a, double b) {
      return std::abs(found[0] - l) < 0.01 && std::abs(found[1] - a) < 0.01 &&
             std::abs(found[2] - b) < 0.01;
    };
    QVERIFY(near(lab_of(1, 1, 1), 100, 0, 0));
    QVERIFY(near(lab_of(0, 0, 0), 0, 0, 0));
    QVERIFY(near(lab_of(1, 0, 0), 53.24, 80.09, 67.20));
    QVERIFY(near(lab_of(0, 1, 0), 87.73, -86.18, 83.18));
    QVERIFY(near(lab_of(0, 0, 1), 32.30, 79.19, -107.86));
  }

  // Colours near each other and far, dark and bright. Where hues are opposite to each other, the
  // formula itself jumps.
  void many_pixels_as_one() {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> any(0, 1);
    constexpr std::size_t count = 40000;
    std::vector<float> a(3 * count), b(3 * count), found(count);
    for (std::size_t i = 0; i < a.size(); ++i) {
      const float value = any(random);
      a[i] = i % 2 == 0 ? value * value * value : value;
      b[i] = i < count ? any(random) : std::max(0.0f, a[i] + 0.1f * (any(random) - 0.5f));
    }
    ciede2000(a.data(), b.data(), 3, count, found.data());
    int jumps = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const double right =
          ciede2000(lab_of(static_cast<double>(a[3 * i]), static_cast<double>(a[3 * i + 1]),
                           static_cast<double>(a[3 * i + 2])),
                    lab_of(static_cast<double>(b[3 * i]), static_cast<double>(b[3 * i + 1]),
                           static_cast<double>(b[3 * i + 2])));
      if (std::abs(right - static_cast<double>(found[i])) > 2e-3) ++jumps;
    }
    QVERIFY2(jumps <= 4, qPrintable(QString::number(jumps)));
  }

  void equal_pixels_and_none() {
    std::vector<float> a = {0.2f, 0.4f, 0.6f, 9, 0, 0, 0, 9, 1, 1, 1, 9}, b = a, found(3);
    ciede2000(a.data(), b.data(), 4, 3, found.data());
    for (const float one : found) QCOMPARE(one, 0.0f);
    b[4] = std::numeric_limits<float>::quiet_NaN();
    ciede2000(a.data(), b.data(), 4, 3, found.data());
    QVERIFY(std::isnan(found[1]));
  }
};

QTEST_GUILESS_MAIN(TestCiede2000)
#include "test_ciede2000.moc"
