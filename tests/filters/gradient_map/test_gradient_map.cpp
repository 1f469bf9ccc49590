// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// gradient_map compared with its definition on single pixels.
#include <QTest>
#include <limits>

#include "filters/registry.hpp"
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

  // A picture's middle row in place of the gradient, linear between two pixels.
  void colours_of_a_picture() {
    Image ramp = black(3, 3);
    for (int c = 0; c < 3; ++c) ramp.set(1, 0, c, 9.0f);  // not of the middle row
    ramp.set(1, 1, 0, 1.0f);
    for (int c = 0; c < 3; ++c) ramp.set(2, 1, c, c == 1 ? 0.5f : 1.0f);
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    expect_row("gradient_map", {}, row_of_grays({-1, 0, 0.25, 0.5, 0.75, 1, 3, none}),
               {{0, 0, 0},
                {0, 0, 0},
                {0.5, 0, 0},
                {1, 0, 0},
                {1, 0.25, 0.5},
                {1, 0.5, 1},
                {1, 0.5, 1},
                {0, 0, 0}},
               1e-6, with_picture("ramp", ramp));
    // Of one pixel.
    expect_row("gradient_map", {}, row_of_grays({-1, 0.5, 2}), {{9, 9, 9}, {9, 9, 9}, {9, 9, 9}},
               1e-6, with_picture("ramp", row_of({{9, 9, 9}})));
  }

  // Opacity of the picture counts; a gray picture becomes coloured.
  void opacity_of_a_picture() {
    Image ramp({2, 1, 4, SampleType::f32, AlphaKind::straight, Coding::linear()});
    for (int c = 0; c < 4; ++c) ramp.set(1, 0, c, 1.0f);
    Image picture({1, 1, 4, SampleType::f32, AlphaKind::straight, Coding::linear()});
    for (int c = 0; c < 4; ++c) picture.set(0, 0, c, 0.5f);
    each(
        "gradient_map", {}, picture,
        [](Image& result, const std::string& where) {
          for (int c = 0; c < 3; ++c) {
            QVERIFY2(std::abs(result.get(0, 0, c) - 0.5f) < 1e-6f, where.c_str());
          }
          QVERIFY2(std::abs(result.get(0, 0, 3) - 0.25f) < 1e-6f, where.c_str());
        },
        with_picture("ramp", ramp));
    const Filter& filter = *Registry::get().at("gradient_map").filter;
    const Values plain = one_step("gradient_map", Words{}).steps[0].values;
    QVERIFY(!filter.makes_colour(plain));
    QVERIFY(filter.makes_colour(one_step("gradient_map", {{"ramp", "r.png"}}).steps[0].values));
  }
};

QTEST_GUILESS_MAIN(TestGradientMap)
#include "test_gradient_map.moc"
