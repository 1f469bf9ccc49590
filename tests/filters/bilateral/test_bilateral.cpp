// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// bilateral with several iterations, with non-finite samples, and its memory.
// Slow: not built with sanitizers, where small_kernels runs every filter.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>

#include "filters/bilateral/fast.hpp"
#include "support/pictures.hpp"
#include "support/sessions.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

using Words = std::vector<std::pair<std::string, std::string>>;

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

PictureFormat srgb_floats(int w, int h, int channels) {
  const AlphaKind alpha = channels == 4 ? AlphaKind::straight : AlphaKind::none;
  return {w, h, channels, SampleType::f32, alpha, Coding::srgb()};
}

Words with(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// The weighted mean of one pixel's window in float64, by definition; clamps at the border and
// leaves out non-finite samples.
double mean_at(Image& picture, int x, int y, int channel, double sigma, double range_sigma) {
  const int radius = static_cast<int>(std::ceil(3 * sigma));
  const auto at = [&](int i, int j, int c) {
    return static_cast<double>(picture.get(std::clamp(i, 0, picture.format.width - 1),
                                           std::clamp(j, 0, picture.format.height - 1), c));
  };
  double weight = 0, color = 0;
  for (int j = y - radius; j <= y + radius; ++j) {
    for (int i = x - radius; i <= x + radius; ++i) {
      double squared = 0;
      for (int c = 0; c < 3; ++c) squared += std::pow(at(i, j, c) - at(x, y, c), 2);
      if (!std::isfinite(squared)) continue;
      const double away = (i - x) * (i - x) + (j - y) * (j - y);
      const double w =
          std::exp(-0.5 * (away / (sigma * sigma) + squared / (range_sigma * range_sigma)));
      weight += w;
      color += w * at(i, j, channel);
    }
  }
  return color / weight;
}

}  // namespace

class TestBilateral : public QObject {
  Q_OBJECT

 private:
  Sessions sessions_;

  // Every device and form, and the scalar code.
  template <typename Body>
  void on_each(Body&& body) {
    for (const Runner& runner : runners()) {
      body(runner.label, sessions_.on(runner), false);
      if (QTest::currentTestFailed()) return;
    }
    body("reference", sessions_.on("reference", "reference", std::nullopt), true);
  }

  static Image filtered(Session& session, Image& picture, const Words& words,
                        const RenderOptions& options = {}) {
    return run(session, one_step("bilateral", words), picture, picture.format, options);
  }

 private slots:
  // Sums in float64 that share no code with the filter, for each distance and for alpha.
  void distances_are_what_they_say() {
    constexpr double sigma = 1.5, range_sigma = 0.15;
    const int radius = 5;
    for (const int channels : {3, 4}) {
      Image picture = scene(srgb_floats(29, 23, channels));
      const auto at = [&](int x, int y, int c) {
        return static_cast<double>(picture.get(std::clamp(x, 0, 28), std::clamp(y, 0, 22), c));
      };
      const auto alpha = [&](int x, int y) { return channels == 4 ? at(x, y, 3) : 1.0; };
      const auto apart = [&](const std::string& distance, int c, int x, int y, int i, int j) {
        if (distance == "channel") return at(i, j, c) - at(x, y, c);
        double d = 0;
        constexpr double weights[] = {0.2126, 0.7152, 0.0722};
        for (int k = 0; k < 3; ++k) d += weights[k] * (at(i, j, k) - at(x, y, k));
        return d;
      };
      for (const std::string distance : {"channel", "luminance"}) {
        on_each([&](const std::string& label, Session& session, bool) {
          Image got = filtered(session, picture,
                               {{"sigma", "1.5"},
                                {"radius", "5"},
                                {"range_sigma", "0.15"},
                                {"distance", distance},
                                {"method", "exact"}});
          for (const auto& [x, y] : {std::pair{14, 11}, {3, 3}, {27, 20}, {9, 17}}) {
            if (alpha(x, y) == 0) continue;
            for (int c = 0; c < 3; ++c) {
              double sum = 0, weight = 0;
              for (int j = y - radius; j <= y + radius; ++j) {
                for (int i = x - radius; i <= x + radius; ++i) {
                  const double away = (i - x) * (i - x) + (j - y) * (j - y);
                  const double d = apart(distance, c, x, y, i, j);
                  const double w =
                      alpha(i, j) * std::exp(-0.5 * (away / (sigma * sigma) +
                                                     d * d / (range_sigma * range_sigma)));
                  sum += w * at(i, j, c);
                  weight += w;
                }
              }
              const double d = std::abs(static_cast<double>(got.get(x, y, c)) - sum / weight);
              QVERIFY2(d < 2e-5,
                       (label + ", " + distance + ": off by " + std::to_string(d)).c_str());
            }
          }
        });
      }
    }
  }

  // Rows first, then the columns of that result, each by its own one-dimensional sum.
  void separable_is_rows_then_columns() {
    constexpr double sigma = 1.5, range_sigma = 0.2;
    const int radius = 4, w = 27, h = 19;
    Image picture = scene(srgb_floats(w, h, 3));
    const auto line = [&](const std::vector<double>& from, bool rows) {
      std::vector<double> to(from.size());
      const auto at = [&](int x, int y, int c) {
        x = std::clamp(x, 0, w - 1);
        y = std::clamp(y, 0, h - 1);
        return from[static_cast<std::size_t>((y * w + x) * 3 + c)];
      };
      for (int y = 0; y < h; ++y) {
        for (int x = 0; x < w; ++x) {
          double sum[3] = {}, weight = 0;
          for (int k = -radius; k <= radius; ++k) {
            const int i = rows ? x + k : x, j = rows ? y : y + k;
            double squared = 0;
            for (int c = 0; c < 3; ++c) squared += std::pow(at(i, j, c) - at(x, y, c), 2);
            const double part =
                std::exp(-0.5 * (k * k / (sigma * sigma) + squared / (range_sigma * range_sigma)));
            weight += part;
            for (int c = 0; c < 3; ++c) sum[c] += part * at(i, j, c);
          }
          for (int c = 0; c < 3; ++c) {
            to[static_cast<std::size_t>((y * w + x) * 3 + c)] = sum[c] / weight;
          }
        }
      }
      return to;
    };
    std::vector<double> numbers;
    for (int i = 0; i < w * h * 3; ++i) {
      numbers.push_back(static_cast<double>(picture.get(i / 3 % w, i / 3 / w, i % 3)));
    }
    const std::vector<double> want = line(line(numbers, true), false);
    on_each([&](const std::string& label, Session& session, bool) {
      Image got = filtered(
          session, picture,
          {{"sigma", "1.5"}, {"radius", "4"}, {"range_sigma", "0.2"}, {"method", "separable"}});
      double most = 0;
      for (int i = 0; i < w * h * 3; ++i) {
        most = std::max(most, std::abs(static_cast<double>(got.get(i / 3 % w, i / 3 / w, i % 3)) -
                                       want[static_cast<std::size_t>(i)]));
      }
      QVERIFY2(most < 2e-5, (label + ": " + std::to_string(most)).c_str());
    });
  }

  void iterations_are_runs_one_after_the_other() {
    on_each([&](const std::string& label, Session& session, bool) {
      for (const int channels : {3, 4}) {
        for (const char* method : {"exact", "separable"}) {
          for (const char* border : {"clamp", "mirror", "zero", "renormalise"}) {
            const Words words = {
                {"sigma", "2"}, {"range_sigma", "0.2"}, {"method", method}, {"border", border}};
            Image picture = scene(srgb_floats(43, 31, channels));
            Image want = picture;
            for (int i = 0; i < 3; ++i) want = filtered(session, want, words);
            Image got = filtered(session, picture, with(words, {{"iterations", "3"}}));
            const double d = largest_difference(got, want);
            // Floats are stored unchanged: no digit is lost between the runs.
            QVERIFY2(d == 0, (label + ", " + method + ", " + border + ": " + std::to_string(d) +
                              " in " + std::to_string(channels) + " channels")
                                 .c_str());
            QVERIFY(largest_difference(got, picture) > 0.05);
          }
        }
      }
    });
  }

  void a_wrapping_border_is_followed_by_every_iteration() {
    on_each([&](const std::string& label, Session& session, bool) {
      const Words words = {{"sigma", "2"}, {"method", "exact"}, {"border", "wrap"}};
      Image picture = scene(srgb_floats(40, 32, 3));
      Image want = filtered(session, picture, words);
      want = filtered(session, want, words);
      Image got = filtered(session, picture, with(words, {{"iterations", "2"}}));
      QVERIFY2(largest_difference(got, want) < 2e-6, label.c_str());
    });
  }

  void tiles_of_several_iterations_equal_the_whole() {
    on_each([&](const std::string& label, Session& session, bool reference) {
      for (const char* method : {"exact", "separable", "fast"}) {
        if (reference && std::string(method) == "fast") continue;
        for (const char* border : {"clamp", "mirror", "wrap", "renormalise"}) {
          const Words words = {
              {"sigma", "2"}, {"iterations", "3"}, {"method", method}, {"border", border}};
          Image picture = scene(srgb_floats(131, 97, 3));
          Image whole = filtered(session, picture, words);
          RenderOptions tiles;
          tiles.forced_tile = 32;
          Image tiled = filtered(session, picture, words, tiles);
          QVERIFY2(largest_difference(whole, tiled) == 0,
                   (label + ", " + method + ", " + border).c_str());
        }
      }
    });
  }

  void devices_and_scalar_code_agree_over_iterations() {
    Image picture = scene(srgb_floats(61, 47, 4));
    const Words words = {{"sigma", "2"}, {"iterations", "4"}, {"method", "exact"}};
    Image want = filtered(sessions_.on("reference", "reference", std::nullopt), picture, words);
    on_each([&](const std::string& label, Session& session, bool) {
      Image got = filtered(session, picture, words);
      QVERIFY2(largest_difference(got, want) <= 4 * 2e-5, label.c_str());
    });
  }

  // Errors carry over from run to run: fast promises the same for all iterations together.
  void fast_keeps_its_promise_over_iterations() {
    Image picture(srgb_floats(160, 120, 3));
    for (int y = 0; y < 120; ++y) {
      for (int x = 0; x < 160; ++x) {
        for (int c = 0; c < 3; ++c) {
          const double hill = y > 70 + 12 * std::sin(x * 0.05) ? 0.2 : 0.6;
          picture.set(x, y, c,
                      static_cast<float>(hill + 0.08 * c + 0.1 * std::sin(x * 0.03 + c) +
                                         0.04 * std::sin(x * 2.1 + y * 1.3)));
        }
      }
    }
    for (const Runner& runner : runners()) {
      Session& session = sessions_.on(runner);
      const Words words = {{"sigma", "5"}, {"iterations", "3"}};
      Image want = filtered(session, picture, with(words, {{"method", "exact"}}));
      Image got = filtered(session, picture, with(words, {{"method", "fast"}}));
      double sum = 0;
      for (int y = 0; y < 120; ++y) {
        for (int x = 0; x < 160; ++x) {
          for (int c = 0; c < 3; ++c) {
            sum += std::pow(static_cast<double>(got.get(x, y, c) - want.get(x, y, c)), 2);
          }
        }
      }
      const double decibels = -10 * std::log10(std::max(sum / (160 * 120 * 3), 1e-12));
      QVERIFY2(decibels >= 45, (runner.label + ": " + std::to_string(decibels) + " dB").c_str());
      QVERIFY(largest_difference(got, want) > 0);
    }
  }

  // Bad samples have no weight, like missing ones; a pixel without a valid colour keeps its own.
  void bad_samples_are_left_out() {
    Image picture = scene(srgb_floats(41, 33, 3));
    picture.set(10, 10, 0, not_a_number);
    for (int c = 0; c < 3; ++c) picture.set(20, 12, c, infinity);
    picture.set(21, 12, 1, -infinity);
    picture.set(0, 0, 2, not_a_number);
    on_each([&](const std::string& label, Session& session, bool) {
      Image got =
          filtered(session, picture, {{"sigma", "2"}, {"range_sigma", "0.3"}, {"method", "exact"}});
      for (int y = 0; y < 33; ++y) {
        for (int x = 0; x < 41; ++x) {
          bool sound = true;
          for (int c = 0; c < 3; ++c) sound = sound && std::isfinite(picture.get(x, y, c));
          for (int c = 0; c < 3; ++c) {
            const float v = got.get(x, y, c), own = picture.get(x, y, c);
            const std::string where = label + " at " + std::to_string(x) + ", " + std::to_string(y);
            if (sound) {
              const double d = mean_at(picture, x, y, c, 2, 0.3) - static_cast<double>(v);
              QVERIFY2(std::abs(d) < 5e-5, (where + ": " + std::to_string(d)).c_str());
            } else {
              QVERIFY2(v == own || (std::isnan(v) && std::isnan(own)), where.c_str());
            }
          }
        }
      }
    });
  }

  // With each channel separate, only the bad one is left out.
  void bad_channels_leave_the_others_alone() {
    Image good = scene(srgb_floats(41, 33, 3)), picture = good;
    picture.set(15, 15, 1, not_a_number);
    on_each([&](const std::string& label, Session& session, bool) {
      const Words words = {{"sigma", "2"}, {"distance", "channel"}};
      Image want = filtered(session, good, words), got = filtered(session, picture, words);
      for (int y = 0; y < 33; ++y) {
        for (int x = 0; x < 41; ++x) {
          QCOMPARE(got.get(x, y, 0), want.get(x, y, 0));
          QCOMPARE(got.get(x, y, 2), want.get(x, y, 2));
          QVERIFY2(std::isfinite(got.get(x, y, 1)) == (x != 15 || y != 15), label.c_str());
        }
      }
    });
  }

  // For every method and kind of picture: bad pixels stay, and all others are finite and close to
  // the result without bad ones.
  void every_method_leaves_bad_samples_out() {
    for (const int channels : {1, 3, 4}) {
      Image good = scene(srgb_floats(91, 63, channels)), picture = good;
      picture.set(30, 30, 0, not_a_number);
      picture.set(61, 31, channels - 1, infinity);  // alpha, of four
      picture.set(90, 62, 0, -infinity);
      on_each([&](const std::string& label, Session& session, bool) {
        for (const char* method : {"exact", "separable", "fast"}) {
          const Words words = {{"sigma", "2"}, {"method", method}};
          Image want = filtered(session, good, words), got = filtered(session, picture, words);
          expect_only_bad_pixels_bad(picture, got, want, label + ", " + method);
        }
      });
    }
  }

  // Beside cells around the picture, which matter little in a large one.
  void fast_takes_the_memory_that_it_states() {
    const Plane picture{0, 0, 4000, 3000, 4000, 0};
    for (const bool cpu : {false, true}) {
      for (const int channels : {1, 4}) {
        BilateralRequest request;
        request.sigma = 12;
        request.channels = channels;
        request.device.cpu = cpu;
        BilateralSurveyResult surveyed;
        surveyed.places = channels == 1 ? 1 : 3;
        surveyed.centres.assign(16 * static_cast<std::size_t>(surveyed.places), 0.5f);
        surveyed.fold.assign(16 * 16, 0.0f);
        const BilateralGrid grid = bilateral_grid(request);
        const PassPlan plan = plan_bilateral_fast(request, grid, surveyed, picture,
                                                  Edge(picture.rect(), Border::clamp), picture);
        double taken = 0;
        for (const PlannedScratch& s : plan.scratch) taken += 4.0 * static_cast<double>(s.floats);
        const double stated = 4000.0 * 3000 * bilateral_fast_scratch(request, grid, surveyed);
        QVERIFY2(taken >= stated && taken < 1.05 * stated,
                 qPrintable(QString("%1 of %2, cpu %3").arg(taken).arg(stated).arg(cpu)));
      }
    }
  }

 private:
  static void expect_only_bad_pixels_bad(Image& picture, Image& got, Image& want,
                                         const std::string& what) {
    const PictureFormat& f = picture.format;
    for (int y = 0; y < f.height; ++y) {
      for (int x = 0; x < f.width; ++x) {
        const std::string where = what + ", " + std::to_string(f.channels) + " channels, at " +
                                  std::to_string(x) + ", " + std::to_string(y);
        const bool has_colour = std::isfinite(picture.get(x, y, 0));
        for (int c = 0; c < f.channels; ++c) {
          const float own = picture.get(x, y, c), v = got.get(x, y, c);
          QVERIFY2(std::isfinite(v) == std::isfinite(own), where.c_str());
          if (!std::isfinite(own) || !has_colour) continue;
          QVERIFY2(std::abs(v - want.get(x, y, c)) < 0.25f, where.c_str());
        }
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestBilateral)
#include "test_bilateral.moc"
