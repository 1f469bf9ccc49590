// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// gradient_map compared with its definition on single pixels.
#include <QtTest>
#include <limits>

#include "support/definitions.hpp"

using namespace sfumato;
using namespace sfumato::testing;

class TestGradientMap : public QObject, private Definitions {
  Q_OBJECT

 private slots:
  void gradients_are_straight_between_their_stops() {
    expect_row("gradient_map", {{"gradient", "0 #000000; 0.5 #ff0000; 1 #ffffff"}},
               row_of_grays({-1, 0, 0.25, 0.5, 0.75, 1, 3}),
               {{0, 0, 0}, {0, 0, 0}, {0.5, 0, 0}, {1, 0, 0}, {1, 0.5, 0.5}, {1, 1, 1}, {1, 1, 1}});
    // The first colour applies before it and to NaN; the last one after it.
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    constexpr double infinity = std::numeric_limits<double>::infinity();
    expect_row("gradient_map", {{"gradient", "0 #ff0000; 0.5 #0000ff; 0.5 #000000; 1 #00ff00"}},
               row_of_grays({-3, -infinity, none, infinity}),
               {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {0, 1, 0}});
  }

  void grays_by_their_weights() {
    for (const auto& [name, w] : gray_weights) {
      expect_row("gradient_map", {{"weights", name}, {"gradient", "0 #000000; 1 #ff0000"}},
                 row_of(weighed_colours), weighed(w, {1, 0, 0}), 1e-5);
    }
  }
};

QTEST_GUILESS_MAIN(TestGradientMap)
#include "test_gradient_map.moc"
