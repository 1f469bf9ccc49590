// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Filters compared with their definitions on single pixels, by numbers that share no code with
// them, on every device and by the reference.
#include <QtTest>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "support/devices.hpp"
#include "support/pictures.hpp"
#include "support/sessions.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

using Words = std::vector<std::pair<std::string, std::string>>;
using Triple = std::array<double, 3>;

Image black(int width, int height, int channels = 3) {
  return Image(linear_format(width, height, channels));
}

Image row_of(const std::vector<Triple>& pixels) {
  Image image = black(static_cast<int>(pixels.size()), 1);
  for (int x = 0; x < image.format.width; ++x) {
    for (int c = 0; c < 3; ++c) {
      image.set(x, 0, c, static_cast<float>(pixels[static_cast<std::size_t>(x)][c]));
    }
  }
  return image;
}

Image row_of_grays(const std::vector<double>& values) {
  std::vector<Triple> pixels;
  for (const double v : values) pixels.push_back({v, v, v});
  return row_of(pixels);
}

// One row of a table of colours: RGB, and the published components.
struct Known {
  Triple rgb, hsv, hsl;
};
const std::vector<Known> colours = {
    {{1, 0, 0}, {0, 1, 1}, {0, 1, 0.5}},
    {{0, 1, 0}, {1 / 3.0, 1, 1}, {1 / 3.0, 1, 0.5}},
    {{0, 0, 1}, {2 / 3.0, 1, 1}, {2 / 3.0, 1, 0.5}},
    {{1, 1, 0}, {1 / 6.0, 1, 1}, {1 / 6.0, 1, 0.5}},
    {{0, 1, 1}, {0.5, 1, 1}, {0.5, 1, 0.5}},
    {{1, 0, 1}, {5 / 6.0, 1, 1}, {5 / 6.0, 1, 0.5}},
    {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}},
    {{1, 1, 1}, {0, 0, 1}, {0, 0, 1}},
    {{0.75, 0.75, 0.75}, {0, 0, 0.75}, {0, 0, 0.75}},
    {{0.5, 0.5, 0}, {1 / 6.0, 1, 0.5}, {1 / 6.0, 1, 0.25}},
    {{0.5, 1, 1}, {0.5, 0.5, 1}, {0.5, 1, 0.75}},
    {{0.5, 0.5, 1}, {2 / 3.0, 0.5, 1}, {2 / 3.0, 1, 0.75}},
    {{0.75, 0.25, 0.75}, {5 / 6.0, 2 / 3.0, 0.75}, {5 / 6.0, 0.5, 0.5}},
};

}  // namespace

class TestDefinitions : public QObject {
  Q_OBJECT

 private:
  Sessions sessions_{std::size_t{1} << 30};

  // Filters `picture`, in stored light, on every device and by the reference, and passes the
  // results to `check`.
  template <typename Check>
  void each(const std::string& filter, Words words, Image& picture, Check&& check,
            const RenderOptions& options = {}) {
    words.emplace_back("light", "stored");
    const Recipe recipe = one_step(filter, words);
    Image by_hand =
        run(sessions_.on("reference", "reference", {}), recipe, picture, picture.format, options);
    check(by_hand, std::string("the reference"));
    for (const Runner& runner : runners()) {
      Image result = run(sessions_.on(runner), recipe, picture, picture.format, options);
      check(result, runner.label);
    }
  }

  // The pixels of the first row.
  void expect_row(const std::string& filter, const Words& words, Image picture,
                  const std::vector<Triple>& expected, double tolerance = 1e-6) {
    each(filter, words, picture, [&](Image& result, const std::string& where) {
      for (int x = 0; x < picture.format.width; ++x) {
        for (int c = 0; c < 3; ++c) {
          const double want = expected[static_cast<std::size_t>(x)][c];
          const double got = static_cast<double>(result.get(x, 0, c));
          QVERIFY2(
              std::abs(got - want) <= tolerance,
              qPrintable(QString("%1, %2: pixel %3, channel %4 is %5, not %6")
                             .arg(QString::fromStdString(filter), QString::fromStdString(where))
                             .arg(x)
                             .arg(c)
                             .arg(got)
                             .arg(want)));
        }
      }
    });
  }

 private slots:
  void hues_of_known_colours() {
    std::vector<Triple> rgb, hsv, hsl;
    for (const Known& k : colours) {
      rgb.push_back(k.rgb);
      hsv.push_back(k.hsv);
      hsl.push_back(k.hsl);
    }
    expect_row("convert", {{"to", "hsv"}}, row_of(rgb), hsv);
    expect_row("convert", {{"to", "hsl"}}, row_of(rgb), hsl);
    expect_row("convert", {{"from", "hsv"}, {"to", "rgb"}}, row_of(hsv), rgb);
    expect_row("convert", {{"from", "hsl"}, {"to", "rgb"}}, row_of(hsl), rgb);
    expect_row("convert", {{"from", "hsv"}, {"to", "rgb"}}, row_of({{1, 1, 1}}), {{1, 0, 0}});
  }

  // Components are data in the file: converting back uses the same words in reverse, in any light.
  void components_lead_back() {
    std::vector<Triple> rgb;
    for (const Known& k : colours) rgb.push_back(k.rgb);
    const std::vector<Runner> all = runners();
    for (const Coding& coding : {Coding::linear(), Coding::srgb()}) {
      Image picture = row_of(rgb);
      picture.format.coding = coding;
      for (const char* model : {"hsv", "hsl", "yiq"}) {
        for (const char* light : {"display", "linear", "stored"}) {
          Session& session = sessions_.on(all.front());
          Image there = run(session, one_step("convert", {{"to", model}, {"light", light}}),
                            picture, picture.format);
          Image back =
              run(session, one_step("convert", {{"from", model}, {"to", "rgb"}, {"light", light}}),
                  there, picture.format);
          for (int x = 0; x < picture.format.width; ++x) {
            for (int c = 0; c < 3; ++c) {
              QVERIFY2(std::abs(back.get(x, 0, c) - picture.get(x, 0, c)) <= 2e-5f,
                       qPrintable(QString("%1 in %2").arg(model, light)));
            }
          }
        }
      }
    }
  }

  // As printed in the television standard, to three digits; 0.5 is added to I and Q.
  void luma_and_colour_differences() {
    expect_row("convert", {{"to", "yiq"}},
               row_of({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}, {0, 0, 0}}),
               {{0.299, 1.096, 0.711},
                {0.587, 0.226, -0.023},
                {0.114, 0.178, 0.811},
                {1, 0.5, 0.5},
                {0, 0.5, 0.5}},
               2e-3);
  }

  void hues_turn_from_red_to_green() {
    expect_row("hue_saturation", {{"hue", "120"}}, row_of({{1, 0, 0}, {0, 1, 0}, {0.5, 0.5, 0}}),
               {{0, 1, 0}, {0, 0, 1}, {0, 0.5, 0.5}});
    expect_row("hue_saturation", {{"hue", "-60"}}, row_of({{1, 0, 0}}), {{1, 0, 1}});
    expect_row("hue_saturation", {{"saturation", "0.5"}, {"value", "0.5"}}, row_of({{1, 0, 0}}),
               {{0.5, 0.25, 0.25}});
  }

  void levels_are_a_power_between_two_ends() {
    expect_row("levels", {{"gamma", "2"}}, row_of_grays({0, 0.25, 0.81, 1}),
               {{0, 0, 0}, {0.5, 0.5, 0.5}, {0.9, 0.9, 0.9}, {1, 1, 1}});
    expect_row("levels",
               {{"black", "0.2"}, {"white", "0.6"}, {"output_black", "1"}, {"output_white", "0"}},
               row_of_grays({0.2, 0.3, 0.6}), {{1, 1, 1}, {0.75, 0.75, 0.75}, {0, 0, 0}});
  }

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

  void grays_by_their_weights() {
    const std::vector<Triple> primaries = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.5, 0.25, 0.75}};
    const std::vector<std::pair<std::string, Triple>> weights = {
        {"rec601", {0.299, 0.587, 0.114}},
        {"rec709", {0.2126, 0.7152, 0.0722}},
        {"average", {1 / 3.0, 1 / 3.0, 1 / 3.0}},
        {"night", {0.3, 0.59, 0.11}}};
    for (const auto& [name, w] : weights) {
      std::vector<Triple> grays, reds;
      for (const Triple& p : primaries) {
        const double gray = w[0] * p[0] + w[1] * p[1] + w[2] * p[2];
        grays.push_back({gray, gray, gray});
        reds.push_back({gray, 0, 0});
      }
      expect_row("grayscale", {{"weights", name}}, row_of(primaries), grays);
      expect_row("gradient_map", {{"weights", name}, {"gradient", "0 #000000; 1 #ff0000"}},
                 row_of(primaries), reds, 1e-5);
      expect_row("night_vision",
                 {{"weights", name},
                  {"sigma", "0"},
                  {"gain", "0.5"},
                  {"noise", "0"},
                  {"scanlines", "0"},
                  {"gradient", "0 #000000; 0.5 #ff0000; 1 #ff0000"}},
                 row_of(primaries), reds, 1e-5);
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

  // A wall bent between columns 7 and 8: each side is blurred separately.
  void normals_stop_the_blur() {
    Image picture = black(16, 9), normal = black(16, 9);
    for (int y = 0; y < 9; ++y) {
      for (int x = 0; x < 16; ++x) {
        normal.set(x, y, x < 8 ? 0 : 1, 1.0f);
        for (int c = 0; c < 3; ++c) picture.set(x, y, c, static_cast<float>(x * x));
      }
    }
    RenderOptions options;
    options.roles = [&](int, const std::string& role,
                        const ImageRef&) -> std::shared_ptr<PixelSource> {
      if (role != "normal") return nullptr;
      return std::make_shared<MemorySource>(normal.format, normal.view());
    };
    each(
        "geometry_blur", {{"sigma", "1"}, {"radius", "2"}, {"normal", "bound"}}, picture,
        [&](Image& result, const std::string& where) {
          for (const int x : {6, 7, 8, 9, 12}) {
            double sum = 0, weight = 0;
            for (int k = -2; k <= 2; ++k) {
              if ((x + k < 8) != (x < 8)) continue;
              weight += std::exp(-0.5 * k * k);
              sum += std::exp(-0.5 * k * k) * (x + k) * (x + k);
            }
            const auto got = static_cast<double>(result.get(x, 4, 0));
            QVERIFY2(std::abs(got - sum / weight) < 1e-3,
                     (where + ": " + std::to_string(got) + ", not " + std::to_string(sum / weight))
                         .c_str());
          }
        },
        options);
  }

  // A step in depth between columns 7 and 8, and one between rows 3 and 4.
  void geometry_stops_the_blur() {
    Image picture = black(16, 12), depth = black(16, 12, 1);
    for (int y = 0; y < 12; ++y) {
      for (int x = 0; x < 16; ++x) {
        depth.set(x, y, 0, (x < 8 ? 1.0f : 2.0f) * (y < 4 ? 1.0f : 3.0f));
        for (int c = 0; c < 3; ++c) picture.set(x, y, c, static_cast<float>(x));
      }
    }
    RenderOptions options;
    options.roles = [&](int, const std::string& role,
                        const ImageRef&) -> std::shared_ptr<PixelSource> {
      if (role != "depth") return nullptr;
      return std::make_shared<MemorySource>(depth.format, depth.view());
    };
    const auto blur = [&](Words words, auto&& check) {
      words.emplace_back("depth", "bound");
      each("geometry_blur", words, picture, check, options);
    };
    blur({{"show", "discontinuities"}, {"sigma", "1"}}, [](Image& flags, const std::string& where) {
      const auto at = [&](int x, int y) { return std::lround(flags.get(x, y, 0) * 15); };
      const std::array<std::array<int, 3>, 6> known = {
          {{7, 8, 2}, {8, 8, 1}, {2, 3, 8}, {2, 4, 4}, {7, 3, 10}, {12, 9, 0}}};
      for (const auto& [x, y, flag] : known) {
        QVERIFY2(at(x, y) == flag, (where + ": " + std::to_string(x) + ", " + std::to_string(y) +
                                    " has " + std::to_string(at(x, y)))
                                       .c_str());
      }
    });
    blur({{"sigma", "1"}, {"radius", "2"}}, [](Image& result, const std::string& where) {
      const double one = std::exp(-0.5), two = std::exp(-2.0);
      const std::array<std::pair<int, double>, 3> known = {
          {{4, 4.0},
           {7, (7 + 6 * one + 5 * two) / (1 + one + two)},
           {8, (8 + 9 * one + 10 * two) / (1 + one + two)}}};
      for (const auto& [x, want] : known) {
        const auto got = static_cast<double>(result.get(x, 8, 0));
        QVERIFY2(std::abs(got - want) < 1e-4, qPrintable(QString("%1: column %2 is %3, not %4")
                                                             .arg(QString::fromStdString(where))
                                                             .arg(x)
                                                             .arg(got)
                                                             .arg(want)));
      }
    });
  }
};

QTEST_GUILESS_MAIN(TestDefinitions)
#include "test_definitions.moc"
