// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Differences of pictures against sums in double precision, over sizes, bands and threads.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "image/comparison.hpp"

using namespace sfumato;

namespace {

constexpr float no_number = std::numeric_limits<float>::quiet_NaN(),
                infinite = std::numeric_limits<float>::infinity();

struct Planes {
  int width, height, channels;
  std::vector<float> a, b;

  Planes(int w, int h, int c, float white = 1) : width(w), height(h), channels(c) {
    std::mt19937 random(static_cast<unsigned>(w * 31 + h));
    std::uniform_real_distribution<float> noise(-0.1f, 0.1f);
    for (int i = 0; i < w * h * c; ++i) {
      const float smooth = 0.5f + 0.4f * std::sin(static_cast<float>(i % w) * 0.2f +
                                                  static_cast<float>(i / w) * 0.1f);
      a.push_back(white * smooth);
      b.push_back(white * (smooth + noise(random)));
    }
  }
  PictureComparison compared(PictureComparison::Options options = {}, int rows = 7) const {
    PictureComparison out(width, height, channels, options);
    for (int y = 0; y < height; y += rows) {
      const std::ptrdiff_t from = static_cast<std::ptrdiff_t>(y) * width;
      out.add_rows(a.data() + from, b.data() + from, std::min(rows, height - y),
                   static_cast<std::int64_t>(width) * height);
    }
    return out;
  }
};

// Wang's definition, window by window, in double precision.
double similarity_of(const Planes& p, int channel) {
  double weights[11][11], sum = 0;
  for (int y = 0; y < 11; ++y) {
    for (int x = 0; x < 11; ++x) {
      weights[y][x] = std::exp(-((x - 5) * (x - 5) + (y - 5) * (y - 5)) / (2 * 1.5 * 1.5));
      sum += weights[y][x];
    }
  }
  double total = 0;
  for (int y = 0; y + 11 <= p.height; ++y) {
    for (int x = 0; x + 11 <= p.width; ++x) {
      double ma = 0, mb = 0, aa = 0, bb = 0, ab = 0;
      for (int v = 0; v < 11; ++v) {
        for (int u = 0; u < 11; ++u) {
          const auto at = static_cast<std::size_t>((channel * p.height + y + v) * p.width + x + u);
          const double a = static_cast<double>(p.a[at]), b = static_cast<double>(p.b[at]),
                       w = weights[v][u] / sum;
          ma += w * a;
          mb += w * b;
          aa += w * a * a;
          bb += w * b * b;
          ab += w * a * b;
        }
      }
      total += (2 * ma * mb + 1e-4) * (2 * (ab - ma * mb) + 9e-4) /
               ((ma * ma + mb * mb + 1e-4) * (aa - ma * ma + bb - mb * mb + 9e-4));
    }
  }
  return total / (p.width - 10) / (p.height - 10);
}

// How many windows have none of these samples.
std::int64_t windows_without(const Planes& p, const std::vector<int>& samples) {
  std::int64_t out = 0;
  for (int y = 0; y + 11 <= p.height; ++y) {
    for (int x = 0; x + 11 <= p.width; ++x) {
      const bool has = std::any_of(samples.begin(), samples.end(), [&](int at) {
        const int u = at % p.width - x, v = at / p.width - y;
        return u >= 0 && u < 11 && v >= 0 && v < 11;
      });
      out += has ? 0 : 1;
    }
  }
  return out;
}

}  // namespace

class TestComparison : public QObject {
  Q_OBJECT

 private slots:
  void sums_data() {
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("height");
    QTest::newRow("one pixel") << 1 << 1;
    QTest::newRow("a row") << 37 << 1;
    QTest::newRow("odd") << 61 << 43;
    QTest::newRow("several bands") << 19 << 700;
    QTest::newRow("wide") << 1100 << 13;
  }
  void sums() {
    QFETCH(int, width);
    QFETCH(int, height);
    const Planes p(width, height, 3);
    const PictureComparison found = p.compared({.threshold = 0.05, .threads = 3});
    for (int c = 0; c < 3; ++c) {
      double sum = 0, squares = 0, largest = 0;
      int x = 0, y = 0;
      std::int64_t beyond = 0;
      for (int i = 0; i < width * height; ++i) {
        const auto at = static_cast<std::size_t>(c * width * height + i);
        const double d = std::abs(static_cast<double>(p.a[at]) - static_cast<double>(p.b[at]));
        sum += d;
        squares += d * d;
        beyond += d > 0.05 ? 1 : 0;
        if (d <= largest) continue;
        largest = d;
        x = i % width;
        y = i / width;
      }
      const ChannelDifference& one = found.channels()[static_cast<std::size_t>(c)];
      QVERIFY(std::abs(one.mean() - sum / width / height) < 1e-7);
      QVERIFY(std::abs(one.root_mean_square() - std::sqrt(squares / width / height)) < 1e-7);
      QVERIFY(std::abs(one.largest - largest) < 1e-7);
      QCOMPARE(one.x, x);
      QCOMPARE(one.y, y);
      QCOMPARE(one.beyond, beyond);
      QCOMPARE(one.samples, std::int64_t{width} * height);
    }
    QCOMPARE(found.all().samples, std::int64_t{3} * width * height);
  }

  // In parts of any size the same windows are taken.
  void similarity() {
    for (const auto& [width, height] : {std::pair(11, 11), {61, 43}, {530, 20}, {16, 300}}) {
      const Planes p(width, height, 2);
      for (const int rows : {1, 64, 1000}) {
        const PictureComparison found = p.compared({.threads = 2}, rows);
        for (int c = 0; c < 2; ++c) {
          const ChannelDifference& one = found.channels()[static_cast<std::size_t>(c)];
          QCOMPARE(one.places, std::int64_t{width - 10} * (height - 10));
          QVERIFY(std::abs(one.similarity() - similarity_of(p, c)) < 1e-5);
        }
      }
    }
    QVERIFY(std::isnan(Planes(10, 50, 1).compared().all().similarity()));
    QVERIFY(std::isnan(Planes(50, 10, 1).compared().all().similarity()));
  }

  // Codes are compared as they are, so that equal ones differ by nothing.
  void white() {
    const Planes p(40, 30, 1), codes(40, 30, 1, 65535);
    const ChannelDifference one = p.compared().all(),
                            other = codes.compared({.white = 65535}).all();
    QVERIFY(std::abs(one.psnr() - other.psnr()) < 1e-3);
    QVERIFY(std::abs(one.similarity() - other.similarity()) < 1e-6);
    QVERIFY(std::abs(one.largest - other.largest) < 1e-6);
  }

  void equal_pictures() {
    Planes p(50, 40, 1);
    p.a[3] = no_number;
    p.a[700] = infinite;
    p.b = p.a;
    const ChannelDifference found = p.compared().all();
    QCOMPARE(found.largest, 0.0);
    QCOMPARE(found.incomparable, std::int64_t{0});
    QCOMPARE(found.psnr(), std::numeric_limits<double>::infinity());
    // Windows with these samples say nothing; the others are equal.
    QVERIFY(std::abs(found.similarity() - 1) < 1e-6);
    QCOMPARE(found.places, windows_without(p, {3, 700}));
    std::fill(p.a.begin(), p.a.end(), no_number);
    p.b = p.a;
    QVERIFY(std::isnan(p.compared().all().similarity()));
  }

  void numbers_on_one_side() {
    Planes p(50, 40, 1);
    p.b = p.a;
    p.a[50 * 7 + 9] = no_number;
    p.b[50 * 20 + 1] = infinite;
    p.a[50 * 30] = -infinite;
    p.b[50 * 30] = infinite;
    const ChannelDifference found = p.compared({.threshold = 1}).all();
    QCOMPARE(found.incomparable, std::int64_t{3});
    QCOMPARE(found.beyond, std::int64_t{3});
    QVERIFY(std::isinf(found.largest));
    QCOMPARE(found.y, 7);
    QCOMPARE(found.x, 9);
    QVERIFY(std::isinf(found.psnr()) && found.psnr() < 0);
    // Windows with one of them count as without likeness, and no others.
    const std::int64_t all = std::int64_t{40} * 30;
    QCOMPARE(found.places, all);
    const double alike =
        static_cast<double>(windows_without(p, {50 * 7 + 9, 50 * 20 + 1, 50 * 30}));
    QVERIFY(std::abs(found.similarity() - alike / static_cast<double>(all)) < 1e-6);
  }
};

QTEST_GUILESS_MAIN(TestComparison)
#include "test_comparison.moc"
