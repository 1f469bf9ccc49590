// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// night_vision compared with its definition: lines, weights of gray, and the statistics of
// its grain.
#include <QtTest>
#include <array>
#include <cmath>

#include "support/definitions.hpp"

using namespace sfumato;
using namespace sfumato::testing;

class TestNightVision : public QObject, private Definitions {
  Q_OBJECT

 private slots:
  // Lines are brightest at the top row and darkest half a spacing below.
  void lines_of_night_vision() {
    Image picture = black(3, 8);
    for (int y = 0; y < 8; ++y) {
      for (int x = 0; x < 3; ++x) {
        for (int c = 0; c < 3; ++c) picture.set(x, y, c, 0.5f);
      }
    }
    each("night_vision",
         {{"sigma", "0"},
          {"gain", "1"},
          {"gradient", "0 #000000; 1 #ffffff"},
          {"scanlines", "0.8"},
          {"spacing", "4"},
          {"noise", "0"}},
         picture, [&](Image& result, const std::string& where) {
           const std::array<double, 4> light = {1, 0.6, 0.2, 0.6};
           for (int y = 0; y < 8; ++y) {
             const double want = 0.5 * light[static_cast<std::size_t>(y % 4)];
             QVERIFY2(std::abs(static_cast<double>(result.get(1, y, 1)) - want) < 1e-5,
                      (where + ": row " + std::to_string(y)).c_str());
           }
         });
  }

  void grays_by_their_weights() {
    for (const auto& [name, w] : gray_weights) {
      expect_row("night_vision",
                 {{"weights", name},
                  {"sigma", "0"},
                  {"gain", "0.5"},
                  {"noise", "0"},
                  {"scanlines", "0"},
                  {"gradient", "0 #000000; 0.5 #ff0000; 1 #ff0000"}},
                 row_of(weighed_colours), weighed(w, {1, 0, 0}), 1e-5);
    }
  }

  // Grain changes every pixel by at most half its amount, uniformly, and is determined by its seed.
  void grain_of_night_vision() {
    Image picture = black(64, 64);
    for (int y = 0; y < 64; ++y) {
      for (int x = 0; x < 64; ++x) {
        for (int c = 0; c < 3; ++c) picture.set(x, y, c, 0.5f);
      }
    }
    const Words words = {{"sigma", "0"},
                         {"gain", "1"},
                         {"noise", "0.4"},
                         {"scanlines", "0"},
                         {"gradient", "0 #000000; 1 #ffffff"}};
    each("night_vision", words, picture, [&](Image& result, const std::string& where) {
      double sum = 0, squares = 0;
      for (int y = 0; y < 64; ++y) {
        for (int x = 0; x < 64; ++x) {
          const double off = static_cast<double>(result.get(x, y, 0)) - 0.5;
          QVERIFY2(std::abs(off) <= 0.2 + 1e-5, where.c_str());
          sum += off;
          squares += off * off;
        }
      }
      // Uniform noise of width 0.4: variance 0.4 squared by 12; the mean of 4096 within 4 sigmas.
      QVERIFY2(std::abs(sum / 4096) < 4 * 0.1155 / 64, where.c_str());
      QVERIFY2(std::abs(squares / 4096 - 0.16 / 12) < 0.001, where.c_str());
    });
  }
};

QTEST_GUILESS_MAIN(TestNightVision)
#include "test_night_vision.moc"
