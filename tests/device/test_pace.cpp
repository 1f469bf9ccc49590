// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// How much is launched at once: estimated per kernel, and never noticeable when cancelling.
#include <QTest>

#include "device/pace.hpp"

using namespace sfumato;

namespace {
const int kernels[2] = {};
}

class TestPace : public QObject {
  Q_OBJECT

 private:
  const Pace::Kernel blur_ = &kernels[0], copy_ = &kernels[1];

  // Runs `units` units of work 1 on a device with `speed` per second; returns the longest time that
  // work was in flight.
  static double longest(Pace& pace, Pace::Kernel kernel, std::size_t units, double speed) {
    double longest = 0, pending = 0;
    for (std::size_t done = 0; done < units;) {
      const std::size_t count = pace.fitting(kernel, 1, units - done);
      if (count == 0) {
        pace.waited(pending);
        pending = 0;
        continue;
      }
      pace.launched(kernel, static_cast<double>(count));
      pending += static_cast<double>(count) / speed;
      longest = std::max(longest, pending);
      done += count;
    }
    if (pace.busy()) pace.waited(pending);
    return longest;
  }

 private slots:
  void what_is_short_goes_at_once() {
    const Pace pace(1e6);
    QCOMPARE(pace.fitting(blur_, 10, 100), std::size_t{100});
    QCOMPARE(pace.fitting(blur_, 10, 1400), std::size_t{1400});
  }

  void long_work_starts_small_and_waits() {
    Pace pace(1e6);
    const std::size_t first = pace.fitting(blur_, 10, 1000000);
    QVERIFY(first >= 1 && static_cast<double>(first) * 10 / 1e6 <= Pace::most / 8);
    pace.launched(blur_, static_cast<double>(first) * 10);
    QCOMPARE(pace.fitting(blur_, 10, 1000000), std::size_t{0});
    // A single row that is too long is launched all the same.
    QCOMPARE(Pace(1).fitting(blur_, 1e9, 5), std::size_t{1});
    // Units that the device runs at once take as long as one.
    QCOMPARE(Pace(1).fitting(blur_, 1e9, 5, 3), std::size_t{3});
    QCOMPARE(Pace(1).fitting(blur_, 1e9, 5, 8), std::size_t{5});
  }

  void many_short_launches_are_waited_for() {
    Pace pace(1e6);
    int launches = 0;
    while (pace.fitting(launches % 2 == 0 ? blur_ : copy_, 900, 5) != 0) {
      pace.launched(launches % 2 == 0 ? blur_ : copy_, 4500);
      ++launches;
    }
    QCOMPARE(launches, 3);  // 4.5 ms each
    pace.settled();
    QCOMPARE(pace.fitting(blur_, 1000, 5), std::size_t{5});
  }

  void rates_are_learnt_by_kernel() {
    // One kernel is 200 times slower than assumed, the other faster: neither affects the other.
    Pace pace(1e6);
    longest(pace, blur_, 200000, 5e3);
    longest(pace, copy_, 2000000, 4e6);
    const double slow = longest(pace, blur_, 200000, 5e3);
    const double fast = longest(pace, copy_, 2000000, 4e6);
    QVERIFY2(slow < 1.5 * Pace::most, qPrintable(QString::number(slow)));
    QVERIFY2(fast < 1.5 * Pace::most && fast > Pace::most / 2, qPrintable(QString::number(fast)));
  }

  void a_first_launch_that_compiles_is_forgiven() {
    Pace pace(1e6);
    const std::size_t first = pace.fitting(blur_, 1, 10000000);
    pace.launched(blur_, static_cast<double>(first));
    pace.waited(3);  // seconds of compiling
    QVERIFY(pace.fitting(blur_, 1, 10000000) >= first);
    pace.launched(blur_, 7000);
    pace.waited(0.007);
    QVERIFY(longest(pace, blur_, 1000000, 1e6) < 1.5 * Pace::most);
  }
};

QTEST_GUILESS_MAIN(TestPace)
#include "test_pace.moc"
