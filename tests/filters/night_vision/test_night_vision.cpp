// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// night_vision compared with its definition: lines, weights of gray, the statistics of its grain,
// colours and overlays from pictures.
#include <QTest>
#include <array>
#include <cmath>
#include <set>

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

  // An overlay of another size: opaque, half or not at all, in between linearly.
  void overlay_is_stretched() {
    Image picture = black(4, 1);
    for (int x = 0; x < 4; ++x) {
      for (int c = 0; c < 3; ++c) picture.set(x, 0, c, 0.5f);
    }
    Image overlay({2, 1, 4, SampleType::f32, AlphaKind::straight, Coding::linear()});
    overlay.set(0, 0, 0, 1.0f);
    overlay.set(0, 0, 3, 1.0f);
    // Pixel centres lie at −0.25, 0.25, 0.75 and 1.25 of the overlay's pixels.
    expect_row("night_vision", plain_words(), picture,
               {{1, 0, 0}, {0.875, 0.125, 0.125}, {0.625, 0.375, 0.375}, {0.5, 0.5, 0.5}}, 1e-5,
               with_picture("overlay", overlay));
    // Shrunk to one pixel: the mean by a tent that reaches 4 px from the middle to either side.
    Image wide({4, 1, 4, SampleType::f32, AlphaKind::straight, Coding::linear()});
    for (int x = 0; x < 4; ++x) wide.set(x, 0, 3, 1.0f);
    wide.set(0, 0, 1, 8.0f);
    wide.set(2, 0, 2, 16.0f);
    Image one = black(1, 1);
    // Beyond the ends it reads the last pixels again.
    const double sum = 2 * (1 / 8.0 + 3 / 8.0 + 5 / 8.0 + 7 / 8.0);
    expect_row("night_vision", plain_words(), one,
               {{0, 8 * (5 / 8.0 + 3 / 8.0 + 1 / 8.0) / sum, 16 * (7 / 8.0) / sum}}, 1e-5,
               with_picture("overlay", wide));
  }

  // A picture's middle row in place of the gradient.
  void colours_of_a_picture() {
    expect_row("night_vision", plain_words(), row_of_grays({0, 0.25, 1, 2}),
               {{0, 1, 0}, {0.25, 0.75, 0}, {1, 0, 0}, {1, 0, 0}}, 1e-5,
               with_picture("ramp", row_of({{0, 1, 0}, {1, 0, 0}})));
  }

  // Each frame of a movie has noise of its own; frame 0 that of the seed.
  void noise_moves_with_the_frame() {
    Image picture = black(64, 64);
    const auto noisy = [&](const std::string& frame, const std::string& seed) {
      Words words = plain_words();
      words.insert(words.end(), {{"noise", "1"}, {"frame_number", frame}, {"seed", seed}});
      return run(sessions_.on("reference", "reference", {}), one_step("night_vision", words),
                 picture, picture.format);
    };
    const std::vector<std::pair<const char*, const char*>> all = {
        {"0", "0"}, {"1", "0"}, {"2", "0"}, {"2147483647", "0"}, {"1", "1"}, {"0", "1"}};
    std::set<std::vector<char>> different;
    for (const auto& [frame, seed] : all) {
      different.insert(noisy(frame, seed).bytes);
      QVERIFY(noisy(frame, seed).bytes == noisy(frame, seed).bytes);
    }
    QCOMPARE(different.size(), all.size());
  }

  void values_out_of_range_are_refused() {
    for (const char* frame : {"-1", "2147483648", "first"}) {
      QVERIFY_THROWS_EXCEPTION(ParameterError, one_step("night_vision", {{"frame_number", frame}}));
    }
  }

 private:
  static Words plain_words() {
    return {{"sigma", "0"},
            {"gain", "1"},
            {"scanlines", "0"},
            {"noise", "0"},
            {"gradient", "0 #000000; 1 #ffffff"}};
  }
};

QTEST_GUILESS_MAIN(TestNightVision)
#include "test_night_vision.moc"
