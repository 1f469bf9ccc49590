// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// curve compared with cubics computed by hand.
#include <QTest>

#include "support/definitions.hpp"

using namespace sfumato;
using namespace sfumato::testing;

class TestCurve : public QObject, private Definitions {
  Q_OBJECT

 private slots:
  // Cubics through (0, 0), (0.5, 0.25), (1, 1): slopes 0.5, the harmonic mean 0.75, and 1.5;
  // straight beyond.
  void curves_between_their_points() {
    expect_row("curve", {{"curve", "0 0; 0.5 0.25; 1 1"}},
               row_of_grays({-0.2, 0, 0.25, 0.5, 0.75, 1, 1.5}),
               {{-0.1, -0.1, -0.1},
                {0, 0, 0},
                {0.109375, 0.109375, 0.109375},
                {0.25, 0.25, 0.25},
                {0.578125, 0.578125, 0.578125},
                {1, 1, 1},
                {1.75, 1.75, 1.75}},
               1e-5);
    // Level at turning points, so that nothing overshoots.
    expect_row("curve", {{"curve", "0 0; 0.5 1; 1 0"}}, row_of_grays({0.25, 0.5, 0.75}),
               {{0.625, 0.625, 0.625}, {1, 1, 1}, {0.625, 0.625, 0.625}}, 1e-5);
  }
};

QTEST_GUILESS_MAIN(TestCurve)
#include "test_curve.moc"
