// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// bloom compared with its definition: means of Gaussians in float64, closed forms of rays, and
// colours by hand.
#include <QTest>
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

  // Between two doublings, the widest Gaussian is as wide as the radius says, and counts in part.
  void radius_between_doublings() {
    Image picture = black(129, 129);
    for (int c = 0; c < 3; ++c) picture.set(64, 64, c, 5.0f);
    const double widest = 1.5 * std::exp2(1.25);
    const std::vector<std::pair<double, double>> glows = {
        {1.5, 1 / 2.25}, {3.0, 1 / 2.25}, {widest, 0.25 / 2.25}};
    Words words = one_pixel_words("1.5");
    words.emplace_back("radius", std::to_string(3 * widest));
    each("bloom", words, picture, [&](Image& result, const std::string& where) {
      for (const auto& [dx, dy] : std::vector<std::pair<int, int>>{{1, 0}, {0, 4}, {3, 3}, {-7, 1}})
        near(result.get(64 + dx, 64 + dy, 1), 2 * spread(glows, dx, dy), 5e-4, where);
    });
  }

  // The glow grows without jumps, at a doubling and below sigma, too.
  void radius_is_continuous() {
    Image picture = black(65, 65);
    for (int c = 0; c < 3; ++c) picture.set(32, 32, c, 5.0f);
    for (const double radius : {9.0, 18.0, 36.0}) {
      std::vector<double> before;
      for (const double at : {radius - 1e-3, radius + 1e-3}) {
        Words words = one_pixel_words("3");
        words.emplace_back("radius", std::to_string(at));
        std::size_t i = 0;
        each("bloom", words, picture, [&](Image& result, const std::string& where) {
          for (const int x : {33, 40, 55}) {
            const auto got = static_cast<double>(result.get(x, 32, 0));
            if (at < radius) {
              before.push_back(got);
            } else {
              near(result.get(x, 32, 0), before.at(i++), 3e-4, where);
            }
          }
        });
      }
    }
  }

  // Along an axis of the picture, a ray is a geometric series.
  void rays_along_the_axes() {
    Image picture = black(129, 129);
    for (int c = 0; c < 3; ++c) picture.set(64, 64, c, 5.0f);
    Words words = one_pixel_words("0.05");
    words.insert(words.end(), {{"levels", "1"}, {"streaks", "4"}, {"length", "20"}});
    const double fading = std::pow(0.01, 1 / 20.0);
    // 30 samples: passes of four and four, and one of two.
    const double all = (1 - std::pow(fading, 32)) / (1 - fading);
    each("bloom", words, picture, [&](Image& result, const std::string& where) {
      for (const int k : {1, 2, 3, 4, 15, 16, 20, 31}) {
        const double want = 2 * std::pow(fading, k) / all / 4;
        near(result.get(64 + k, 64, 1), want, 2e-4, where);
        near(result.get(64 - k, 64, 1), want, 2e-4, where);
        near(result.get(64, 64 + k, 1), want, 2e-4, where);
        near(result.get(64, 64 - k, 1), want, 2e-4, where);
      }
      near(result.get(64 + 33, 64, 1), 0, 1e-6, where);
      near(result.get(70, 70, 1), 0, 1e-6, where);
    });
  }

  // A slanted ray: in each column, its sum is that of the series, and its middle is on the line.
  void slanted_rays() {
    Image picture = black(129, 129);
    for (int c = 0; c < 3; ++c) picture.set(64, 64, c, 5.0f);
    Words words = one_pixel_words("0.05");
    words.insert(words.end(),
                 {{"levels", "1"}, {"streaks", "1"}, {"length", "40"}, {"angle", "30"}});
    const double along = std::cos(M_PI / 6);
    const double fading = std::pow(0.01, 1 / (40 * along));
    // 52 samples: passes of four and four, and one of four.
    const double all = (1 - std::pow(fading, 64)) / (1 - fading);
    each("bloom", words, picture, [&](Image& result, const std::string& where) {
      for (const int k : {1, 5, 22, 40}) {
        double sum = 0, middle = 0;
        for (int y = 0; y < 129; ++y) {
          const auto v = static_cast<double>(result.get(64 + k, y, 2));
          sum += v;
          middle += v * (64 - y);
        }
        near(static_cast<float>(sum), 2 * std::pow(fading, k) / all, 2e-4, where);
        near(static_cast<float>(middle / sum), k * std::tan(M_PI / 6), 2e-3, where);
      }
    });
  }

  // Where the border repeats a plain picture, every blur of it is the same picture.
  void rays_across_borders() {
    Image picture = black(9, 5);
    for (int y = 0; y < 5; ++y) {
      for (int x = 0; x < 9; ++x) {
        for (int c = 0; c < 3; ++c) picture.set(x, y, c, 1.5f);
      }
    }
    for (const char* border : {"clamp", "mirror", "wrap"}) {
      Words words = one_pixel_words("2");
      words.insert(words.end(), {{"streaks", "3"}, {"angle", "20"}, {"border", border}});
      each("bloom", words, picture, [&](Image& result, const std::string& where) {
        near(result.get(0, 0, 0), 2.0, 1e-3, where + border);
        near(result.get(8, 4, 2), 2.0, 1e-3, where + border);
      });
    }
  }

  void rays_in_tiles() {
    Image picture = scene(linear_format(150, 90, 3));
    for (const char* border : {"clamp", "wrap", "renormalise"}) {
      Words words = one_pixel_words("1");
      words.insert(words.end(), {{"levels", "1"},
                                 {"threshold", "0.2"},
                                 {"streaks", "5"},
                                 {"angle", "17"},
                                 {"length", "13"},
                                 {"border", border}});
      agree_in_tiles(one_step("bloom", words), picture, border);
    }
  }

  // Wide glows share a low resolution; the part of a row that a tile computes is another one.
  void wide_glows_in_tiles() {
    for (const int channels : {1, 3, 4}) {
      Image picture = scene(linear_format(150, 90, channels));
      for (const char* border : {"clamp", "wrap", "mirror", "zero", "renormalise"}) {
        const Recipe recipe = one_step(
            "bloom", {{"threshold", "0.2"}, {"sigma", "4.2"}, {"levels", "4"}, {"border", border}});
        agree_in_tiles(recipe, picture, border);
      }
    }
  }

  // Wide glows of one bright pixel, at every position within a pixel of the low resolution.
  void wide_glows_of_one_pixel() {
    for (int at = 90; at < 97; ++at) {
      Image picture = black(187, 187);
      for (int c = 0; c < 3; ++c) picture.set(at, at, c, 101.0f);
      Words words = one_pixel_words("3.7");
      words.insert(words.end(), {{"levels", "3"}});
      const double third = 0.5 * 100 / 3;
      const std::vector<std::pair<double, double>> glows = {
          {3.7, third}, {7.4, third}, {14.8, third}};
      each("bloom", words, picture, [&](Image& result, const std::string& where) {
        for (const auto& [dx, dy] : std::vector<std::pair<int, int>>{
                 {0, 0}, {1, 0}, {0, 2}, {3, 3}, {-7, 1}, {20, -11}, {40, 0}}) {
          const double own = dx == 0 && dy == 0 ? 101 : 0;
          near(result.get(at + dx, at + dy, 1), spread(glows, dx, dy) + own, 2e-4, where);
        }
      });
    }
  }

  // The threshold by channel, by luminance, or by the largest channel, of a blur too narrow to
  // show.
  void brightness_by_its_measure() {
    const Triple color = {4, 2, 0.5};
    const double luminance = 0.2126 * 4 + 0.7152 * 2 + 0.0722 * 0.5;
    const std::vector<std::pair<const char*, Triple>> parts = {
        {"largest", {3 / 4.0, 3 / 4.0, 3 / 4.0}},
        {"luminance", {1 - 1 / luminance, 1 - 1 / luminance, 1 - 1 / luminance}},
        {"each", {3 / 4.0, 1 / 2.0, 0}}};
    for (const auto& [channels, part] : parts) {
      Words words = one_pixel_words("0.05");
      words.insert(words.end(), {{"levels", "1"}, {"channels", channels}});
      Triple want;
      for (std::size_t c = 0; c < 3; ++c) want[c] = color[c] * (1 + 0.5 * part[c]);
      expect_row("bloom", words, row_of({color}), {want}, 1e-4);
    }
  }

  void values_out_of_range_are_refused() {
    for (const auto& [name, value] : Words{{"radius", "-1"},
                                           {"radius", "nan"},
                                           {"streaks", "33"},
                                           {"streaks", "1.5"},
                                           {"length", "0"},
                                           {"angle", "361"},
                                           {"channels", "brightest"}}) {
      QVERIFY_THROWS_EXCEPTION(ParameterError, one_step("bloom", {{name, value}}));
    }
  }

 private:
  void agree_in_tiles(const Recipe& recipe, Image& picture, const std::string& where) {
    for (const Runner& runner : runners()) {
      Image whole = run(sessions_.on(runner), recipe, picture, picture.format);
      RenderOptions options;
      options.forced_tile = 37;
      Image tiled = run(sessions_.on(runner), recipe, picture, picture.format, options);
      QVERIFY2(whole.bytes == tiled.bytes, (runner.label + " " + where).c_str());
    }
  }

  static Words one_pixel_words(const std::string& sigma) {
    return {{"threshold", "1"}, {"knee", "0"}, {"sigma", sigma}, {"intensity", "0.5"}};
  }

  // A sum of Gaussians (sigma, weight), as sampled at whole pixels.
  static double spread(const std::vector<std::pair<double, double>>& glows, int dx, int dy) {
    double sum = 0;
    for (const auto& [s, weight] : glows) {
      double line = 0;
      for (int i = -64; i <= 64; ++i) line += std::exp(-i * i / (2 * s * s));
      sum += weight * std::exp(-(dx * dx + dy * dy) / (2 * s * s)) / (line * line);
    }
    return sum;
  }

  static void near(float got, double want, double tolerance, const std::string& where) {
    QVERIFY2(std::abs(static_cast<double>(got) - want) <= tolerance,
             qPrintable(QString("%1: %2, not %3")
                            .arg(QString::fromStdString(where))
                            .arg(static_cast<double>(got))
                            .arg(want)));
  }
};

QTEST_GUILESS_MAIN(TestBloom)
#include "test_bloom.moc"
