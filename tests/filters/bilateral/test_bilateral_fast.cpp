// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// bilateral's method fast: 45 dB against exact wherever it is chosen, one choice per picture, the
// same pixels in tiles, and every second tap by definition where no survey is possible.
// Slow: not built with sanitizers, where small_kernels runs every filter.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <random>

#include "engine/survey.hpp"
#include "filters/bilateral/fast.hpp"
#include "support/devices.hpp"
#include "support/once.hpp"
#include "support/pictures.hpp"
#include "support/sessions.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

using Words = std::vector<std::pair<std::string, std::string>>;

PictureFormat format_of(int w, int h, int channels, AlphaKind alpha = AlphaKind::none) {
  return {w, h, channels, SampleType::f32, alpha, Coding::srgb()};
}

enum class Motif { sky, leaves, hues, grain, confetti, board, thumbnail };

// Elements of photographs: slow gradients with an outline, texture with few hues, many hues in
// smooth patches (or in few pixels, as in a thumbnail), fine grain; confetti, which a few colours
// cannot represent; and a board of single pixels, every second of which says nothing about the
// others.
Image picture_of(Motif kind, const PictureFormat& format) {
  Image image(format);
  std::mt19937 chance(7);
  const auto random = [&] { return static_cast<float>(chance() % 65536) / 65536.0f; };
  for (int y = 0; y < format.height; ++y) {
    for (int x = 0; x < format.width; ++x) {
      const auto u = static_cast<float>(x), v = static_cast<float>(y);
      const float wave = std::sin(u * 0.031f) * std::cos(v * 0.023f);
      const bool hill = v > static_cast<float>(format.height) * (0.6f + 0.1f * std::sin(u * 0.02f));
      float color[3] = {};
      for (int c = 0; c < 3; ++c) {
        const auto k = static_cast<float>(c);
        switch (kind) {
          case Motif::sky:
            color[c] =
                (hill ? 0.2f + 0.05f * k : 0.5f + 0.15f * k) + 0.1f * wave + 0.02f * random();
            break;
          case Motif::leaves:
            color[c] = 0.3f + 0.2f * std::sin(u * 0.7f) * std::sin(v * 0.9f + u * 0.1f) +
                       (c == 1 ? 0.15f : 0.0f) + 0.05f * random();
            break;
          case Motif::hues:
            color[c] =
                0.5f + 0.35f * std::sin(u * 0.017f + 2.1f * k + 1.5f * wave) + 0.02f * random();
            break;
          case Motif::grain:
            color[c] = (hill ? 0.3f : 0.7f) + 0.1f * wave + 0.04f * (random() - random());
            break;
          case Motif::confetti:
            color[c] = random();
            break;
          case Motif::thumbnail:
            color[c] = 0.5f + 0.35f * std::sin(u * 0.17f + 2.1f * k +
                                               1.5f * std::sin(u * 0.31f) * std::cos(v * 0.23f) +
                                               v * 0.11f * (k + 1));
            break;
          case Motif::board:
            color[c] = (hill ? 0.3f : 0.7f) + ((x + y) % 2 == 0 ? 0.03f : -0.03f);
            break;
        }
      }
      for (int c = 0; c < format.channels; ++c) {
        const bool alpha = format.has_alpha() && c == format.channels - 1;
        image.set(x, y, c, alpha ? std::min(1.0f, u / 40.0f) : color[c]);
      }
    }
  }
  return image;
}

double decibels(Image& a, Image& b) {
  double sum = 0;
  const PictureFormat& f = a.format;
  const int colors = std::min(f.channels, 3);
  std::int64_t count = 0;
  for (int y = 0; y < f.height; ++y) {
    for (int x = 0; x < f.width; ++x) {
      if (f.has_alpha() && a.get(x, y, 3) == 0) continue;
      for (int c = 0; c < colors; ++c, ++count) {
        const double d = static_cast<double>(a.get(x, y, c)) - static_cast<double>(b.get(x, y, c));
        sum += d * d;
      }
    }
  }
  return -10 * std::log10(std::max(sum / static_cast<double>(count), 1e-12));
}

}  // namespace

class TestBilateralFast : public QObject {
  Q_OBJECT

 private:
  std::string said_;
  Sessions sessions_{0, [this](const Message& line) { said_ += in_english(line) + "\n"; }};
  Once<Image> exact_;

  Image filtered(const Runner& runner, Image& picture, const Words& words, const char* method,
                 const RenderOptions& options = {}) {
    Words all = words;
    all.emplace_back("method", method);
    said_.clear();
    return run(sessions_.on(runner), one_step("bilateral", all), picture, picture.format, options);
  }

  // The exact sums, in the fastest form; agreement of forms is tested elsewhere.
  Image exact(Image& picture, const Words& words) {
    const auto& all = runners();
    const auto wide =
        std::find_if(all.begin(), all.end(), [](const Runner& r) { return r.form == Form::cpu; });
    Words method = words;
    method.emplace_back("method", "exact");
    return exact_.of(key_of(one_step("bilateral", method), picture), [&] {
      return filtered(wide == all.end() ? all.front() : *wide, picture, words, "exact");
    });
  }

  void reaches_45_decibels(const Runner& runner, Image& picture, const Words& words,
                           const std::string& what, const char* method) {
    Image want = exact(picture, words);
    Image got = filtered(runner, picture, words, "fast");
    const double ratio = decibels(got, want);
    QVERIFY2(ratio >= 45, qPrintable(QString("%1, %2: %3 dB; %4")
                                         .arg(runner.label.c_str(), what.c_str())
                                         .arg(ratio)
                                         .arg(said_.c_str())));
    QVERIFY2(said_.find(method) != std::string::npos, (what + ": " + said_).c_str());
    // The result is filtered, and not just the picture.
    QVERIFY(decibels(want, picture) < ratio);
  }

 private slots:
  void photographs_reach_45_decibels() {
    for (const Runner& runner : runners()) {
      for (const auto& [kind, name] : {std::pair(Motif::sky, "sky"),
                                       {Motif::leaves, "leaves"},
                                       {Motif::hues, "hues"},
                                       {Motif::grain, "grain"}}) {
        for (const char* sigma : {"4", "40"}) {
          if (runner.form == Form::gpu && std::string(sigma) == "40") continue;  // slow on a CPU
          Image picture = picture_of(kind, format_of(150, 110, 3));
          reaches_45_decibels(runner, picture, {{"sigma", sigma}, {"range_sigma", "0.1"}},
                              std::string(name) + " at sigma " + sigma, "fast by ");
          if (QTest::currentTestFailed()) return;
        }
      }
    }
  }

  void gray_and_transparent_pictures_do_too() {
    for (const Runner& runner : runners()) {
      Image gray = picture_of(Motif::sky, format_of(120, 90, 1));
      reaches_45_decibels(runner, gray, {{"sigma", "8"}}, "gray", "colours");
      Image clear = picture_of(Motif::sky, format_of(120, 90, 4, AlphaKind::straight));
      reaches_45_decibels(runner, clear, {{"sigma", "8"}}, "alpha", "colours");
    }
  }

  // An explicit radius truncates the Gaussian; beyond 3 sigma it adds almost nothing.
  void any_radius_is_matched() {
    for (const Runner& runner : runners()) {
      Image picture = picture_of(Motif::hues, format_of(120, 90, 3));
      for (const char* radius : {"12", "40"}) {
        reaches_45_decibels(runner, picture, {{"sigma", "10"}, {"radius", radius}},
                            std::string("radius ") + radius, "fast by ");
      }
    }
  }

  // In such a window most pixels are repeated by the border, and few may resemble the centre.
  void windows_larger_than_the_picture() {
    for (const Runner& runner : runners()) {
      Image picture = picture_of(Motif::thumbnail, format_of(64, 48, 3));
      for (const char* sigma : {"60", "150"}) {
        reaches_45_decibels(runner, picture, {{"sigma", sigma}}, sigma, "window of");
      }
    }
  }

  void every_border_is_matched() {
    for (const Runner& runner : runners()) {
      Image picture = picture_of(Motif::sky, format_of(120, 90, 3));
      for (const char* border : {"clamp", "mirror", "wrap", "zero", "renormalise"}) {
        reaches_45_decibels(runner, picture, {{"sigma", "8"}, {"border", border}}, border,
                            "colours");
      }
    }
  }

  void scattered_colours_are_left_to_others() {
    for (const Runner& runner : runners()) {
      Image picture = picture_of(Motif::confetti, format_of(150, 110, 3));
      Image want = exact(picture, {{"sigma", "5"}, {"range_sigma", "0.1"}});
      Image got = filtered(runner, picture, {{"sigma", "5"}, {"range_sigma", "0.1"}}, "fast");
      QVERIFY2(said_.find("colours") == std::string::npos, said_.c_str());
      QVERIFY(decibels(got, want) >= 45);
    }
  }

  // In wide windows half of the pixels represent the rest, unless the two halves differ.
  void every_second_pixel_is_spread_where_it_may() {
    for (const Runner& runner : runners()) {
      const Words wide = {{"sigma", "14"}, {"range_sigma", "0.1"}};
      Image grain = picture_of(Motif::grain, format_of(150, 110, 3));
      reaches_45_decibels(runner, grain, wide, "grain", "colours of every second pixel");
      if (QTest::currentTestFailed()) return;
      Image board = picture_of(Motif::board, format_of(150, 110, 3));
      reaches_45_decibels(runner, board, wide, "board", "colours, some");
      if (QTest::currentTestFailed()) return;
      reaches_45_decibels(runner, grain, {{"sigma", "6"}, {"range_sigma", "0.1"}}, "narrow",
                          "colours, some");
    }
  }

  void tiles_equal_the_whole_and_choose_once() {
    for (const Runner& runner : runners()) {
      for (const auto& [kind, sigma] :
           {std::pair(Motif::hues, "6"), {Motif::confetti, "6"}, {Motif::grain, "14"}}) {
        Image picture = picture_of(kind, format_of(211, 157, 3));
        for (const char* border : {"clamp", "mirror", "wrap", "renormalise"}) {
          const Words words = {{"sigma", sigma}, {"border", border}};
          Image whole = filtered(runner, picture, words, "fast");
          const std::string said = said_;
          RenderOptions options;
          options.forced_tile = 48;
          Image tiled = filtered(runner, picture, words, "fast", options);
          QCOMPARE(said_, said);
          QCOMPARE(largest_difference(whole, tiled), 0.0);
          options.forced_tile = 0;
          options.region = {30, 40, 130, 100};
          Image region = filtered(runner, picture, words, "fast", options);
          for (int y = 40; y < 100; ++y) {
            for (int x = 30; x < 130; ++x) QCOMPARE(region.get(x, y, 1), whole.get(x, y, 1));
          }
        }
      }
    }
  }

  void forms_agree_on_the_choice_and_the_pixels() {
    std::string first;
    std::unique_ptr<Image> want;
    for (const Runner& runner : runners()) {
      Image picture = picture_of(Motif::hues, format_of(120, 90, 3));
      Image got = filtered(runner, picture, {{"sigma", "8"}}, "fast");
      if (!want) {
        want = std::make_unique<Image>(got);
        first = said_;
      }
      QCOMPARE(said_, first);
      const double worst = largest_difference(got, *want);
      QVERIFY2(worst < 5e-4, qPrintable(QString("%1: %2").arg(runner.label.c_str()).arg(worst)));
    }
  }

  void automatic_is_exact_for_small_windows_and_fast_for_large_ones() {
    for (const Runner& runner : runners()) {
      Image picture = picture_of(Motif::sky, format_of(100, 80, 3));
      Image small = filtered(runner, picture, {{"sigma", "2"}}, "auto");
      QVERIFY2(said_.find("exact") != std::string::npos, said_.c_str());
      filtered(runner, picture, {{"sigma", "3"}, {"radius", "9"}}, "auto");
      QVERIFY2(said_.find("exact") != std::string::npos, said_.c_str());
      filtered(runner, picture, {{"sigma", "3"}, {"radius", "10"}}, "auto");
      QVERIFY2(said_.find("fast by") != std::string::npos, said_.c_str());
      Image large = filtered(runner, picture, {{"sigma", "12"}}, "auto");
      QVERIFY2(said_.find("fast by") != std::string::npos, said_.c_str());
      filtered(runner, picture, {{"sigma", "12"}, {"distance", "luminance"}}, "auto");
      QVERIFY2(said_.find("exact") != std::string::npos, said_.c_str());
    }
  }

  // The survey made for one device holds for every device that takes over.
  void the_choice_stays_when_the_device_changes() {
    Image picture = picture_of(Motif::hues, format_of(120, 90, 3));
    const Recipe recipe = one_step("bilateral", {{"sigma", "8"}, {"method", "auto"}});
    const auto plan_on = [&](const Target& target, const SurveyResults& surveyed) {
      return make_plan(recipe, picture.format, picture.format, target, {.surveyed = surveyed});
    };
    for (const Runner& runner : runners()) {
      MemorySource source(picture.format, picture.view());
      const SurveyResults surveyed = survey_picture(plan_on(open(runner)->target(), {}), source);
      for (const Runner& other : runners()) {
        const Plan plan = plan_on(open(other)->target(), surveyed);
        const PlannedStep& step = plan.steps.at(0);
        QVERIFY(!step.request);
        QVERIFY(in_english(step.prepared->explain()).starts_with("fast by"));
        QCOMPARE(step.picture.surveyed, surveyed.at(0));
      }
    }
  }

  // If no device is left, the scalar code computes the exact sums, with a warning.
  void a_failing_device_is_followed_by_exact_sums() {
    Image picture = picture_of(Motif::sky, format_of(100, 80, 3));
    std::string said;
    SessionOptions options;
    options.verbose = true;
    options.log = [&](const Message& line) { said += in_english(line) + "\n"; };
    options.device = runners().front().device.name;
    bool armed = false;
    options.before_launch = [&](std::int64_t) {
      if (armed) throw DeviceError(CL_OUT_OF_RESOURCES, foreign_message("as the test wants it"));
    };
    Session session(options);
    session.prepare();
    armed = true;
    Image got = run(session, one_step("bilateral", {{"sigma", "3"}, {"method", "fast"}}), picture,
                    picture.format);
    Image want = filtered(runners().front(), picture, {{"sigma", "3"}}, "exact");
    QVERIFY2(said.find("going on with") != std::string::npos, said.c_str());
    QVERIFY(largest_difference(got, want) < 1e-4);
  }

  // Recipes of version 1, in which auto was exact, keep their pixels.
  void old_recipes_stay_exact() {
    for (const char* method : {"auto", "separable"}) {
      std::string text =
          "{'sfumato': 1, 'steps': [{'filter': 'bilateral', 'version': 1, 'enabled': true, "
          "'values': {'sigma': 20.0, 'method': '" +
          std::string(method) + "'}}]}";
      std::replace(text.begin(), text.end(), '\'', '"');
      const Recipe recipe = parse_recipe(text, Registry::get());
      QCOMPARE(recipe.steps.at(0).values.choice("method"),
               std::string(method) == "auto" ? "exact" : "separable");
    }
  }

  // A few spots of unique colours are preserved, although the decibels of the whole picture would
  // not require it.
  void rare_colours_keep_their_own() {
    for (const Runner& runner : runners()) {
      Image picture = picture_of(Motif::sky, format_of(240, 180, 3));
      const auto each_of_the_spots = [](auto&& body) {
        for (int i = 0; i < 24; ++i) {
          for (int y = 0; y < 4; ++y) {
            for (int x = 0; x < 4; ++x) body(i, 60 + 4 * (i % 6) + x, 80 + 4 * (i / 6) + y);
          }
        }
      };
      each_of_the_spots([&](int i, int x, int y) {
        for (int c = 0; c < 3; ++c) {
          const double turn = 0.2618 * i + 2.0944 * c;
          picture.set(x, y, c, static_cast<float>(0.5 + 0.45 * std::cos(turn)));
        }
      });
      const Words words = {{"sigma", "8"}, {"range_sigma", "0.1"}};
      Image want = filtered(runner, picture, words, "exact");
      Image got = filtered(runner, picture, words, "fast");
      QVERIFY2(said_.find("colours") != std::string::npos, said_.c_str());
      double sum = 0;
      each_of_the_spots([&](int, int x, int y) {
        for (int c = 0; c < 3; ++c) {
          const double d =
              static_cast<double>(got.get(x, y, c)) - static_cast<double>(want.get(x, y, c));
          sum += d * d;
        }
      });
      const double ratio = -10 * std::log10(std::max(sum / (24 * 16 * 3), 1e-12));
      QVERIFY2(ratio > 35, qPrintable(QString("%1 dB; %2").arg(ratio).arg(said_.c_str())));
    }
  }

  // After other steps, the picture is surveyed as they produce it: the same choice and pixels as
  // when it is filtered separately, in tiles too.
  void a_later_step_is_shown_what_it_will_be_given() {
    for (const Runner& runner : runners()) {
      for (const Motif kind : {Motif::hues, Motif::confetti}) {
        Image picture = picture_of(kind, format_of(150, 110, 3));
        Recipe recipe = one_step("gaussian", {{"sigma", "0.7"}});
        recipe.steps.push_back(one_step("hue_saturation", {{"hue", "40"}}).steps[0]);
        Image turned = run(sessions_.on(runner), recipe, picture, picture.format);
        Image want = filtered(runner, turned, {{"sigma", "6"}}, "fast");
        const std::string said = said_.substr(0, said_.find('\n'));
        recipe.steps.push_back(
            one_step("bilateral", {{"sigma", "6"}, {"method", "fast"}}).steps[0]);
        for (const int tile : {0, 48}) {
          RenderOptions options;
          options.forced_tile = tile;
          double last = 0;
          bool rises = true;
          options.progress = [&](double part) {
            rises = rises && part >= last && part <= 1;
            last = part;
            return true;
          };
          said_.clear();
          Image got = run(sessions_.on(runner), recipe, picture, picture.format, options);
          QVERIFY2(said_.find(said) != std::string::npos, (said_ + "for " + said).c_str());
          QCOMPARE(largest_difference(got, want), 0.0);
          QVERIFY(rises && last == 1);
        }
      }
    }
  }

  // A small window, for which centres would cost more: every second tap, by definition.
  // Equal errors double the squares: 3.0103 dB. A much smaller one does not count.
  void errors_add_up_as_squares() {
    QVERIFY(std::abs(combined_decibels(50, 50) - 46.9897) < 1e-4);
    QVERIFY(std::abs(combined_decibels(45, 55) - combined_decibels(55, 45)) < 1e-9);
    QVERIFY(std::abs(combined_decibels(45, 140) - 45) < 1e-6);
  }

  void every_second_tap_is_its_sum() {
    constexpr int radius = 7;
    constexpr double sigma = 3, range_sigma = 0.2;
    for (const Runner& runner : runners()) {
      Image picture = picture_of(Motif::sky, format_of(61, 47, 3));
      const Words words = {{"sigma", "3"}, {"radius", "7"}, {"range_sigma", "0.2"}};
      Image got = filtered(runner, picture, words, "fast");
      QVERIFY2(said_.find("every second tap") != std::string::npos, said_.c_str());
      for (int y = 0; y < 47; ++y) {
        for (int x = 0; x < 61; ++x) {
          double weight = 0, color[3] = {};
          for (int j = y - radius; j <= y + radius; ++j) {
            for (int i = x - radius; i <= x + radius; ++i) {
              const bool even = i % 2 == 0 && j % 2 == 0;
              if (!even && (i != x || j != y)) continue;
              const int qx = std::clamp(i, 0, 60), qy = std::clamp(j, 0, 46);
              double squared = 0;
              for (int c = 0; c < 3; ++c) {
                const double d = static_cast<double>(picture.get(x, y, c)) -
                                 static_cast<double>(picture.get(qx, qy, c));
                squared += d * d;
              }
              const double away = (i - x) * (i - x) + (j - y) * (j - y);
              const double w = (even ? 1 : 0.25) * std::exp(-0.5 * away / (sigma * sigma)) *
                               std::exp(-0.5 * squared / (range_sigma * range_sigma));
              weight += w;
              for (int c = 0; c < 3; ++c)
                color[c] += w * static_cast<double>(picture.get(qx, qy, c));
            }
          }
          for (int c = 0; c < 3; ++c) {
            const double d = color[c] / weight - static_cast<double>(got.get(x, y, c));
            QVERIFY2(std::abs(d) < 5e-5, qPrintable(QString("(%1, %2): %3").arg(x).arg(y).arg(d)));
          }
        }
      }
    }
  }

  void the_grid_follows_the_window() {
    for (const double sigma : {1.0, 4.0, 13.0, 40.0, 333.0}) {
      for (const int radius : {0, static_cast<int>(sigma) + 1}) {
        BilateralRequest request;
        request.sigma = sigma;
        request.radius = radius;
        const BilateralGrid grid = bilateral_grid(request);
        double sum = 0;
        for (int t = -grid.reach(); t <= grid.reach(); ++t) {
          sum += static_cast<double>(grid.taps[static_cast<std::size_t>(std::abs(t))]);
        }
        // Cells accumulate the weight of `cell` pixels.
        QVERIFY(std::abs(sum * grid.cell - 1) < 0.02);
        QVERIFY(grid.cell >= 1 && grid.cell <= sigma + 1);
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestBilateralFast)
#include "test_bilateral_fast.moc"
