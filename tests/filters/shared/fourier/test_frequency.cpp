// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Spectra and frequency filters, compared with direct sums and waves of known length.
// Slow: not built with sanitizers, where small_kernels runs every filter.
#include <QTest>
#include <cmath>
#include <complex>
#include <map>
#include <numbers>

#include "engine/errors.hpp"
#include "filters/shared/fourier/dft.hpp"
#include "filters/shared/fourier/fourier.hpp"
#include "params/errors.hpp"
#include "support/devices.hpp"
#include "support/pictures.hpp"
#include "support/sessions.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

using Words = std::vector<std::pair<std::string, std::string>>;
using Complex = std::complex<double>;

PictureFormat format_of(int w, int h, int channels) {
  return {w,
          h,
          channels,
          SampleType::f32,
          channels == 4 ? AlphaKind::straight : AlphaKind::none,
          Coding::srgb()};
}

// The definition, unscaled.
Complex direct_sum(Image& picture, int c, int u, int v) {
  const PictureFormat& f = picture.format;
  Complex sum = 0;
  for (int y = 0; y < f.height; ++y) {
    for (int x = 0; x < f.width; ++x) {
      const double turns =
          static_cast<double>(u) * x / f.width + static_cast<double>(v) * y / f.height;
      sum += std::polar(static_cast<double>(picture.get(x, y, c)), -2 * std::numbers::pi * turns);
    }
  }
  return sum;
}

// Vertical stripes around 0.5 with this period in px.
Image wave(int w, int h, double period, double size = 0.25) {
  Image picture(format_of(w, h, 1));
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) {
      picture.set(x, y, 0,
                  static_cast<float>(0.5 + size * std::cos(2 * std::numbers::pi * x / period)));
    }
  }
  return picture;
}

}  // namespace

class TestFrequency : public QObject {
  Q_OBJECT

 private:
  Sessions sessions_;
  Image filtered(const Runner& runner, const char* filter, const Words& words, Image& picture,
                 const RenderOptions& options = {}) {
    return run(sessions_.on(runner), one_step(filter, words), picture, picture.format, options);
  }

 private slots:
  void the_scalar_transform_is_its_definition() {
    for (const auto& [w, h] : {std::pair(1, 1), {2, 3}, {13, 7}, {16, 30}, {49, 11}, {97, 2}}) {
      Image picture = scene(format_of(w, h, 1));
      ComplexPlane plane;
      for (int y = 0; y < h; ++y) {
        for (int x = 0; x < w; ++x) plane.emplace_back(picture.get(x, y, 0));
      }
      const ComplexPlane before = plane;
      transform_plane(plane, w, h, false, ParallelRows{});
      for (int v = 0; v < h; ++v) {
        for (int u = 0; u < w; ++u) {
          const Complex want = direct_sum(picture, 0, u, v);
          QVERIFY(std::abs(plane[static_cast<std::size_t>(v * w + u)] - want) < 1e-9 * w * h);
        }
      }
      transform_plane(plane, w, h, true, ParallelRows{});
      for (std::size_t i = 0; i < plane.size(); ++i) {
        QVERIFY(std::abs(plane[i] / static_cast<double>(w * h) - before[i]) < 1e-9);
      }
    }
  }

  void spectra_are_direct_sums_data() {
    QTest::addColumn<int>("w");
    QTest::addColumn<int>("h");
    for (const auto& [w, h] : {std::pair(16, 8), {15, 9}, {13, 7}, {31, 17}, {1, 29}, {64, 1}}) {
      QTest::addRow("%d x %d", w, h) << w << h;
    }
  }
  void spectra_are_direct_sums() {
    QFETCH(int, w);
    QFETCH(int, h);
    for (const int channels : {1, 3}) {
      Image picture = scene(format_of(w, h, channels));
      for (const Runner& runner : runners()) {
        Image magnitude = filtered(runner, "spectrum", {}, picture);
        Image raw = filtered(runner, "spectrum", {{"centred", "no"}, {"gain", "2"}}, picture);
        Image power = filtered(runner, "spectrum", {{"show", "power"}}, picture);
        Image phase = filtered(runner, "spectrum", {{"show", "phase"}}, picture);
        for (int c = 0; c < channels; ++c) {
          for (int v = 0; v < h; ++v) {
            for (int u = 0; u < w; ++u) {
              const Complex want = direct_sum(picture, c, u, v);
              const int x = (u + w / 2) % w, y = (v + h / 2) % h;
              const double log = 0.1 * std::log1p(std::abs(want));
              const double mean = std::abs(want) / (w * h);
              QVERIFY(std::abs(static_cast<double>(magnitude.get(x, y, c)) - log) < 1e-4);
              QVERIFY(std::abs(static_cast<double>(raw.get(u, v, c)) - 2 * log) < 2e-4);
              QVERIFY(std::abs(static_cast<double>(power.get(x, y, c)) - mean * mean) < 1e-5);
              // An angle is a position on a circle.
              const double angle =
                  2 * std::numbers::pi * (static_cast<double>(phase.get(x, y, c)) - 0.5);
              QVERIFY(std::abs(std::polar(1.0, angle) - want / std::abs(want)) < 0.02);
            }
          }
        }
      }
    }
  }

  void power_adds_up_to_the_mean_square() {
    Image picture = scene(format_of(60, 45, 1));
    double squares = 0;
    for (int y = 0; y < 45; ++y) {
      for (int x = 0; x < 60; ++x)
        squares += std::pow(static_cast<double>(picture.get(x, y, 0)), 2);
    }
    for (const Runner& runner : runners()) {
      Image power = filtered(runner, "spectrum", {{"show", "power"}}, picture);
      double sum = 0;
      for (int y = 0; y < 45; ++y) {
        for (int x = 0; x < 60; ++x) sum += static_cast<double>(power.get(x, y, 0));
      }
      QVERIFY(std::abs(sum - squares / (60 * 45)) < 1e-5);
    }
  }

  // A wave is multiplied by the filter's gain at its frequency, 2 / period of the highest.
  void waves_are_weighed_by_their_frequency_data() {
    QTest::addColumn<QString>("shape");
    QTest::addColumn<double>("period");
    QTest::addColumn<double>("low");
    const auto butterworth = [](double d) { return 1 / (1 + std::pow(d / 0.25, 6)); };
    const auto gaussian = [](double d) { return std::exp(-d * d / (2 * 0.25 * 0.25)); };
    for (const double period : {4.0, 6.0, 7.5, 10.0, 20.0, 40.0}) {
      const double d = 2 / period;
      QTest::addRow("ideal, %g px", period) << "ideal" << period << (d <= 0.25 ? 1.0 : 0.0);
      QTest::addRow("butterworth, %g px", period) << "butterworth" << period << butterworth(d);
      QTest::addRow("gaussian, %g px", period) << "gaussian" << period << gaussian(d);
    }
  }
  void waves_are_weighed_by_their_frequency() {
    QFETCH(QString, shape);
    QFETCH(double, period);
    QFETCH(double, low);
    // The picture and its mirror image together contain whole waves.
    Image picture = wave(241, 31, period);
    const auto size = [](Image& result, double mean) {
      double sum = 0;
      for (int x = 80; x < 160; ++x) {
        sum += std::pow(static_cast<double>(result.get(x, 15, 0)) - mean, 2);
      }
      return std::sqrt(sum / 80 * 2);
    };
    for (const Runner& runner : runners()) {
      const Words words = {{"shape", shape.toStdString()}, {"cutoff", "0.25"}, {"order", "3"}};
      Words high = words;
      high.emplace_back("band", "high");
      Image passed = filtered(runner, "frequency", words, picture);
      Image stopped = filtered(runner, "frequency", high, picture);
      // A sharp cutoff rings from the ends of the padding.
      const double allowed = shape == "ideal" ? 0.02 : 0.004;
      QVERIFY2(std::abs(size(passed, 0.5) - 0.25 * low) < allowed,
               qPrintable(QString::number(size(passed, 0.5) / 0.25)));
      QVERIFY2(std::abs(size(stopped, 0) - 0.25 * (1 - low)) < allowed,
               qPrintable(QString::number(size(stopped, 0) / 0.25)));
      for (int x = 0; x < 241; ++x) {
        QVERIFY(std::abs(passed.get(x, 9, 0) + stopped.get(x, 9, 0) - picture.get(x, 9, 0)) <
                1e-4f);
      }
    }
  }

  void bands_are_what_lies_between() {
    for (const Runner& runner : runners()) {
      for (const auto& [period, inside] : {std::pair(4.0, false), {10.0, true}, {60.0, false}}) {
        Image picture = wave(241, 31, period);
        Words words = {{"shape", "ideal"},
                       {"band", "band_pass"},
                       {"cutoff", "0.1"},
                       {"cutoff_high", "0.3"},
                       {"offset", "0.5"}};
        Image between = filtered(runner, "frequency", words, picture);
        words[1].second = "band_stop";
        words[4].second = "0";
        Image rest = filtered(runner, "frequency", words, picture);
        for (int x = 60; x < 180; ++x) {
          const float all = picture.get(x, 15, 0);
          QVERIFY(std::abs(between.get(x, 15, 0) - (inside ? all : 0.5f)) < 0.03f);
          QVERIFY(std::abs(rest.get(x, 15, 0) - (inside ? 0.5f : all)) < 0.03f);
        }
      }
    }
  }

  // 11 periods across the repeated extent are a single frequency, 0.55 of the highest if 40 px
  // repeat: a cutoff on one side of it leaves the mean, one on the other side everything.
  void waves_that_fit_the_border_are_cut_exactly_data() {
    QTest::addColumn<QString>("border");
    QTest::addColumn<int>("w");
    QTest::addColumn<int>("h");
    QTest::addColumn<int>("channels");
    for (const char* border : {"wrap", "mirror"}) {
      for (const auto& [w, h] : {std::pair(40, 40), {41, 37}, {67, 1}, {1, 42}, {36, 2}}) {
        for (const int channels : {1, 3}) {
          QTest::addRow("%s %d x %d, %d channels", border, w, h, channels)
              << border << w << h << channels;
        }
      }
    }
  }
  void waves_that_fit_the_border_are_cut_exactly() {
    QFETCH(QString, border);
    QFETCH(int, w);
    QFETCH(int, h);
    QFETCH(int, channels);
    const bool wraps = border == "wrap";
    const auto period = [wraps](int n) { return wraps ? n : std::max(1, 2 * (n - 1)); };
    const std::string name = border.toStdString();
    for (const bool upright : {true, false}) {
      const int n = upright ? w : h;
      if (n < 24) continue;
      const int waves = wraps ? 11 : 22;  // a whole number of half periods over n - 1
      const double frequency = 2.0 * waves / period(n);
      Image picture(format_of(w, h, channels));
      for (int y = 0; y < h; ++y) {
        for (int x = 0; x < w; ++x) {
          const double turn = static_cast<double>(waves) * (upright ? x : y) / period(n);
          for (int c = 0; c < channels; ++c) {
            const double size = 0.25 - 0.05 * c;
            picture.set(x, y, c,
                        static_cast<float>(0.5 + size * std::cos(2 * std::numbers::pi * turn)));
          }
        }
      }
      const auto cut = [&](const Runner& runner, double cutoff) {
        return filtered(runner, "frequency",
                        {{"shape", "ideal"}, {"border", name}, {"cutoff", print_number(cutoff)}},
                        picture);
      };
      for (const Runner& runner : runners()) {
        Image kept = cut(runner, frequency + 0.05), mean = cut(runner, frequency - 0.05);
        QVERIFY2(largest_difference(kept, picture) < 1e-4, qPrintable(runner.label.c_str()));
        Image flat(picture.format);
        for (int y = 0; y < h; ++y) {
          for (int x = 0; x < w; ++x) {
            for (int c = 0; c < channels; ++c) flat.set(x, y, c, 0.5f);
          }
        }
        // The mean of a mirrored wave is that of its period, in which every pixel except the ends
        // counts twice.
        QVERIFY2(largest_difference(mean, flat) < 1e-4, qPrintable(runner.label.c_str()));
      }
    }
  }

  // Large pictures are transformed in a padded frame if that gives the same result as one period:
  // not if the response is steep at the finest texture, which makes up half of this picture.
  void large_pictures_are_as_by_definition() {
    Session& scalar = sessions_.on("reference", "reference", std::nullopt);
    Image picture = scene(format_of(1001, 545, 1));
    for (int y = 0; y < 545; ++y) {
      for (int x = 0; x < 500; ++x) picture.set(x, y, 0, x % 2 == 0 ? 0.0f : 1.0f);
    }
    for (const Words& words :
         {Words{{"cutoff", "0.2"}, {"order", "4"}},
          {{"cutoff", "0.25"}, {"shape", "gaussian"}, {"border", "wrap"}},
          {{"cutoff", "1"}, {"order", "100"}},
          {{"cutoff", "0.5"}, {"order", "2"}},
          {{"cutoff", "0.7"}, {"shape", "gaussian"}},
          {{"cutoff", "0.1"}, {"band", "band_stop"}, {"cutoff_high", "0.9"}}}) {
      const Recipe recipe = one_step("frequency", words);
      Image want = run(scalar, recipe, picture, picture.format);
      for (const Runner& runner : runners()) {
        if (runner.form == Form::gpu && words[0].second != "0.2") continue;  // the same frames
        Image got = run(sessions_.on(runner), recipe, picture, picture.format);
        const double d = largest_difference(got, want);
        QVERIFY2(d < 2e-5, (runner.label + ", cutoff " + words[0].second + ", " + words[1].second +
                            ": " + std::to_string(d))
                               .c_str());
      }
    }
  }

  void opposite_borders_do_not_bleed() {
    Image picture(format_of(200, 40, 1));
    for (int y = 0; y < 40; ++y) {
      for (int x = 0; x < 200; ++x) picture.set(x, y, 0, x < 100 ? 0.1f : 0.9f);
    }
    for (const Runner& runner : runners()) {
      Image mirrored = filtered(runner, "frequency", {{"shape", "gaussian"}}, picture);
      QVERIFY(std::abs(mirrored.get(0, 20, 0) - 0.1f) < 1e-3f);
      QVERIFY(std::abs(mirrored.get(199, 20, 0) - 0.9f) < 1e-3f);
      Image wrapped =
          filtered(runner, "frequency", {{"shape", "gaussian"}, {"border", "wrap"}}, picture);
      QVERIFY(wrapped.get(0, 20, 0) > 0.3f && wrapped.get(199, 20, 0) < 0.7f);
    }
  }

  void bands_the_wrong_way_round_are_refused() {
    try {
      const Recipe recipe =
          one_step("frequency", {{"band", "band_pass"}, {"cutoff", "0.5"}, {"cutoff_high", "0.2"}});
      Registry::get().at("frequency").filter->check(recipe.steps[0].values);
      QFAIL("not refused");
    } catch (const ParameterError& e) {
      QVERIFY(std::string(e.what()).find("above cutoff") != std::string::npos);
    }
  }

  // Two channels share the eight bytes of a complex number; VkFFT works on a copy.
  void the_memory_stated_holds_the_transform() {
    for (const auto& [channels, pairs] : {std::pair(1, 1), {4, 2}}) {
      FourierFrame frame{.width = 200, .height = 101};
      const std::size_t picture = 200 * 101 * 8 * static_cast<std::size_t>(pairs);
      QVERIFY(fourier_bytes(frame, channels) >= 2 * picture);
      frame.even = true;
      QVERIFY(fourier_bytes(frame, channels) >= picture + std::size_t{400} * 4 * 8);
    }
  }

  void what_does_not_fit_is_reported() {
    SessionOptions options;
    options.device = "cpu";
    options.memory_limit = 4 << 20;
    Session session(options);
    Image picture = scene(format_of(700, 500, 3));
    try {
      run(session, one_step("frequency", Words{}), picture, picture.format);
      QFAIL("not refused");
    } catch (const EngineError& e) {
      const std::string said = e.what();
      QVERIFY2(said.find("whole picture at once, which takes") != std::string::npos, e.what());
      QVERIFY2(said.find("raise the limit") != std::string::npos, e.what());
    }
  }
};

QTEST_GUILESS_MAIN(TestFrequency)
#include "test_frequency.moc"
