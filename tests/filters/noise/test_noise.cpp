// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// noise compared with the published words of Philox, with the moments, probabilities and
// correlations of its distributions, and with itself in tiles. Statistics are of fixed seeds: they
// pass always or never.
#include <QTest>
#include <cmath>
#include <limits>
#include <numbers>

#include "filters/noise/random.hpp"
#include "support/devices.hpp"
#include "support/pictures.hpp"
#include "support/sessions.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

/// A plane of numbers, in float64.
struct Field {
  int width = 0, height = 0;
  std::vector<double> values;

  double at(int x, int y) const { return values[static_cast<std::size_t>(y * width + x)]; }
};

struct Moments {
  double mean = 0, deviation = 0, skewness = 0, kurtosis = 0;
};

Moments moments_of(const std::vector<double>& values) {
  Moments m;
  const auto count = static_cast<double>(values.size());
  for (const double v : values) m.mean += v / count;
  double second = 0, third = 0, fourth = 0;
  for (const double v : values) {
    const double d = v - m.mean;
    second += d * d / count;
    third += d * d * d / count;
    fourth += d * d * d * d / count;
  }
  m.deviation = std::sqrt(second);
  m.skewness = third / std::pow(second, 1.5);
  m.kurtosis = fourth / (second * second);
  return m;
}

/// The correlation of the field with another, moved by (dx, dy).
double correlation(const Field& a, const Field& b, int dx = 0, int dy = 0) {
  const Moments of_a = moments_of(a.values), of_b = moments_of(b.values);
  double sum = 0;
  int count = 0;
  for (int y = 0; y + dy < a.height; ++y) {
    for (int x = std::max(0, -dx); x + std::max(0, dx) < a.width; ++x, ++count) {
      sum += (a.at(x, y) - of_a.mean) * (b.at(x + dx, y + dy) - of_b.mean);
    }
  }
  return sum / (count * of_a.deviation * of_b.deviation);
}

/// The largest distance between the values' distribution and the one given (Kolmogorov, Smirnov).
template <typename Distribution>
double distance(std::vector<double> values, Distribution&& distribution) {
  std::sort(values.begin(), values.end());
  const auto count = static_cast<double>(values.size());
  double largest = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double wanted = distribution(values[i]), below = static_cast<double>(i) / count;
    largest = std::max({largest, wanted - below, below + 1 / count - wanted});
  }
  return largest;
}

}  // namespace

class TestNoise : public QObject {
  Q_OBJECT

 private:
  using Words = std::vector<std::pair<std::string, std::string>>;

  static constexpr int side = 1000;  // a million values
  Sessions sessions_;

  static Image flat(int width, int height, int channels, float value) {
    Image image({width, height, channels, SampleType::f32,
                 channels == 4 ? AlphaKind::straight : AlphaKind::none, Coding::srgb()});
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        for (int c = 0; c < channels; ++c) image.set(x, y, c, c == 3 ? 0.75f : value);
      }
    }
    return image;
  }

  static Field plane_of(Image& image, int c) {
    Field out{image.format.width, image.format.height, {}};
    out.values.reserve(static_cast<std::size_t>(out.width) * static_cast<std::size_t>(out.height));
    for (int y = 0; y < out.height; ++y) {
      for (int x = 0; x < out.width; ++x)
        out.values.push_back(static_cast<double>(image.get(x, y, c)));
    }
    return out;
  }

  // On the first device; that all agree to the bit is tested by test_every_filter, and below.
  Image noisy(Image input, const Words& words, const RenderOptions& options = {}) {
    return run(sessions_.on(runners().front()), one_step("noise", words), input, input.format,
               options);
  }

  Field sample(const Words& words, float value = 0.5f) {
    Image out = noisy(flat(side, side, 1, value), words);
    return plane_of(out, 0);
  }

  template <typename Check>
  void everywhere(Image& picture, const Words& words, Check&& check) {
    const Recipe recipe = one_step("noise", words);
    const auto one = [&](const std::string& label, Session& session) {
      Image out = run(session, recipe, picture, picture.format);
      check(out, label);
    };
    one("reference", sessions_.on("reference", "reference", {}));
    for (const Runner& runner : runners()) {
      if (QTest::currentTestFailed()) return;
      one(runner.label, sessions_.on(runner));
    }
  }

 private slots:
  // The known answers published with Philox 2x32-10.
  void philox_gives_its_published_words() {
    using Pair = std::pair<std::uint32_t, std::uint32_t>;
    QVERIFY(filters::philox(0, 0, 0) == Pair(0xFF1DAE59u, 0x6CD10DF2u));
    QVERIFY(filters::philox(0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu) ==
            Pair(0x2C3F628Bu, 0xAB4FD7ADu));
    QVERIFY(filters::philox(0x243F6A88u, 0x85A308D3u, 0x13198A2Eu) ==
            Pair(0xDD7CE038u, 0xF62A4C12u));
  }

  // The first of these words, at pixel (0, 0) of seed 0.
  void the_first_pixel_has_the_first_word() {
    Image picture = flat(3, 2, 4, 0);
    const double uniform = (2 * static_cast<double>(0xFF1DAE) + 1) / 0x1p24 - 1;
    everywhere(
        picture, {{"kind", "uniform"}, {"amount", "0.5"}}, [&](Image& out, const auto& label) {
          const double wanted = 0.5 * std::sqrt(3.0) * uniform;
          QVERIFY2(std::abs(static_cast<double>(out.get(0, 0, 0)) - wanted) < 1e-7, label.c_str());
          QVERIFY2(out.get(0, 0, 3) == 0.75f, label.c_str());
        });
  }

  // Normal: an error of four deviations of each moment, and of 1 in 16000 for the distance.
  void gaussian_noise_is_normal() {
    Field field = sample({{"amount", "0.2"}, {"seed", "1"}});
    const Moments m = moments_of(field.values);
    QVERIFY2(std::abs(m.mean - 0.5) < 4 * 0.2 / side, qPrintable(QString::number(m.mean)));
    QVERIFY(std::abs(m.deviation / 0.2 - 1) < 4 / (std::numbers::sqrt2 * side));
    QVERIFY(std::abs(m.skewness) < 4 * std::sqrt(6.0) / side);
    QVERIFY(std::abs(m.kurtosis - 3) < 4 * std::sqrt(24.0) / side);
    const double far = distance(field.values, [](double v) {
      return 0.5 * std::erfc(-(v - 0.5) / 0.2 / std::numbers::sqrt2);
    });
    QVERIFY2(far < 2.28 / side, qPrintable(QString::number(far * side)));
  }

  // The normal values themselves, from the rarest to the middle.
  void normal_values_have_their_quantiles() {
    for (int k = 0; k < 24; ++k) {
      for (const std::uint32_t word : {1u << k, (1u << k) * 3 / 2}) {
        const auto odd = static_cast<float>(static_cast<int>(word * 2 + 1) - 0x1000000);
        const double quantile = (word + 0.5) / 0x1p24;
        const auto got = static_cast<double>(filters::normal_of(odd));
        const double back = 0.5 * std::erfc(-got / std::numbers::sqrt2);
        const double density = std::exp(-got * got / 2) / std::sqrt(2 * std::numbers::pi);
        QVERIFY2(std::abs(back - quantile) < 2e-5 * density, qPrintable(QString::number(word)));
        QCOMPARE(filters::normal_of(-odd), -filters::normal_of(odd));
      }
    }
  }

  void uniform_noise_is_even() {
    Field field = sample({{"kind", "uniform"}, {"amount", "0.1"}, {"seed", "2"}});
    const Moments m = moments_of(field.values);
    const double half = 0.1 * std::sqrt(3.0);
    QVERIFY(std::abs(m.mean - 0.5) < 4 * 0.1 / side);
    QVERIFY(std::abs(m.deviation / 0.1 - 1) < 4 * std::sqrt(0.2) / side);
    QVERIFY(std::abs(m.skewness) < 4 * std::sqrt(6.0) / side);
    QVERIFY(std::abs(m.kurtosis - 1.8) < 4 / static_cast<double>(side));
    const double far =
        distance(field.values, [&](double v) { return (v - 0.5 + half) / (2 * half); });
    QVERIFY2(far < 2.28 / side, qPrintable(QString::number(far * side)));
  }

  void specks_are_black_or_white() {
    Image picture = flat(side, side, 1, 0.25f);
    Image out = noisy(picture, {{"kind", "salt_and_pepper"}, {"amount", "0.1"}, {"seed", "3"}});
    int black = 0, white = 0;
    for (const double v : plane_of(out, 0).values) {
      black += v == 0;
      white += v == 1;
      QVERIFY(v == 0 || v == 1 || v == 0.25);
    }
    const double deviation = std::sqrt(0.05 * 0.95) * side;
    QVERIFY2(std::abs(black - 50000) < 4 * deviation, qPrintable(QString::number(black)));
    QVERIFY2(std::abs(white - 50000) < 4 * deviation, qPrintable(QString::number(white)));
    Image all = noisy(flat(50, 50, 1, 0.25f), {{"kind", "salt_and_pepper"}, {"amount", "1"}});
    for (const double v : plane_of(all, 0).values) QVERIFY(v == 0 || v == 1);
  }

  void photons_have_their_probabilities_data() {
    QTest::addColumn<double>("mean");
    for (const double mean : {0.01, 0.5, 1.0, 4.0, 7.75, 8.25, 12.0, 40.0, 300.0}) {
      QTest::addRow("%g", mean) << mean;
    }
  }
  void photons_have_their_probabilities() {
    QFETCH(const double, mean);
    Field field = sample({{"kind", "poisson"}, {"photons", "400"}, {"seed", "4"}},
                         static_cast<float>(mean / 400));
    std::vector<int> counts(1000);
    for (const double v : field.values) {
      const double count = v * 400;
      QVERIFY(std::abs(count - std::round(count)) < 1e-4);
      ++counts.at(static_cast<std::size_t>(std::lround(count)));
    }
    double squares = 0, classes = 0, rest = 1e6, rest_counted = 1e6;
    for (std::size_t k = 0; k < counts.size(); ++k) {
      const double real = static_cast<double>(k);
      const double wanted = 1e6 * std::exp(real * std::log(mean) - mean - std::lgamma(real + 1));
      if (wanted < 10) continue;
      squares += (counts[k] - wanted) * (counts[k] - wanted) / wanted;
      rest -= wanted;
      rest_counted -= counts[k];
      ++classes;
    }
    QVERIFY2(std::abs(rest_counted - rest) < 5 * std::sqrt(std::max(rest, 1.0)) + 3,
             qPrintable(QString("%1 %2").arg(rest).arg(rest_counted)));
    // Chi squared, with four deviations.
    QVERIFY2(squares < classes + 4 * std::sqrt(2 * classes) + 2,
             qPrintable(QString("%1 of %2 classes").arg(squares).arg(classes)));
    const Moments m = moments_of(field.values);
    QVERIFY(std::abs(m.mean * 400 - mean) < 4 * std::sqrt(mean) / side);
  }

  void values_without_photons_stay() {
    Image picture = flat(6, 1, 1, 0);
    const float infinity = std::numeric_limits<float>::infinity();
    const float values[] = {0, -0.5f, infinity, -infinity, 1e30f, 1};
    for (int x = 0; x < 6; ++x) picture.set(x, 0, 0, values[x]);
    everywhere(picture, {{"kind", "poisson"}, {"photons", "1000000"}},
               [&](Image& out, const auto& label) {
                 for (int x = 0; x < 5; ++x) {
                   QVERIFY2(out.get(x, 0, 0) == values[x], label.c_str());
                 }
                 QVERIFY2(std::abs(out.get(5, 0, 0) - 1) < 5e-3f, label.c_str());
                 QVERIFY2(out.get(5, 0, 0) != 1, label.c_str());
               });
  }

  void neighbours_channels_and_seeds_are_independent() {
    const auto independent = [](double c) { return std::abs(c) < 4.5 / side; };
    for (const char* kind : {"gaussian", "uniform", "poisson", "salt_and_pepper"}) {
      const Words words{{"kind", kind}, {"amount", "0.2"}, {"channels", "each"}, {"seed", "5"}};
      Image out = noisy(flat(side, side, 4, 0.5f), words);
      const Field red = plane_of(out, 0), green = plane_of(out, 1), blue = plane_of(out, 2);
      QVERIFY(independent(correlation(red, green)));
      QVERIFY(independent(correlation(red, blue)));
      QVERIFY(independent(correlation(green, blue)));
      QVERIFY(independent(correlation(red, red, 1, 0)));
      QVERIFY(independent(correlation(red, red, 0, 1)));
      QVERIFY(independent(correlation(red, red, -1, 1)));
      QVERIFY(independent(correlation(red, green, 1, 1)));
      const Field other = sample({{"kind", kind}, {"amount", "0.2"}, {"seed", "6"}});
      QVERIFY(independent(correlation(red, other)));
    }
  }

  void channels_are_alike_if_asked() {
    for (const char* kind : {"gaussian", "uniform", "poisson", "salt_and_pepper", "grain"}) {
      const std::string name = kind;
      const bool colourless = name == "grain" || name == "salt_and_pepper";
      Image alike = noisy(flat(90, 40, 4, 0.5f), {{"kind", kind}, {"channels", "alike"}});
      Image each = noisy(flat(90, 40, 4, 0.5f), {{"kind", kind}, {"channels", "each"}});
      Image automatic = noisy(flat(90, 40, 4, 0.5f), {{"kind", kind}});
      QVERIFY(automatic.bytes == (colourless ? alike : each).bytes);
      const Field red = plane_of(alike, 0);
      QVERIFY(red.values == plane_of(alike, 1).values && red.values == plane_of(alike, 2).values);
      QVERIFY(red.values == plane_of(each, 0).values);
      QVERIFY(red.values != plane_of(each, 1).values);
      Image gray = noisy(flat(90, 40, 1, 0.5f), {{"kind", kind}});
      QVERIFY(red.values == plane_of(gray, 0).values);
      for (const double alpha : plane_of(each, 3).values) QCOMPARE(alpha, 0.75);
    }
  }

  // Half of the size away, the correlation is one half; far away, nothing is left.
  void grain_has_its_size_data() {
    QTest::addColumn<int>("size");
    for (const int size : {2, 4, 6, 10, 16}) QTest::addRow("%d", size) << size;
  }
  void grain_has_its_size() {
    QFETCH(const int, size);
    const Field field = sample({{"kind", "grain"}, {"size", std::to_string(size)}, {"seed", "7"}});
    const double error = 4.0 * size / side;
    const int half = size / 2;
    for (const auto& [dx, dy] : {std::pair(half, 0), {0, half}}) {
      const double c = correlation(field, field, dx, dy);
      QVERIFY2(std::abs(c - 0.5) < error, qPrintable(QString::number(c)));
    }
    QVERIFY(std::abs(correlation(field, field, 3 * size, 0)) < error);
    QVERIFY(std::abs(correlation(field, field, 0, 3 * size)) < error);
  }

  // The deviation is the same at each phase of the lattice, and normal values stay normal.
  void grain_is_normal_and_even() {
    const Field field =
        sample({{"kind", "grain"}, {"size", "4"}, {"amount", "0.2"}, {"seed", "8"}});
    const Moments m = moments_of(field.values);
    QVERIFY(std::abs(m.mean - 0.5) < 4 * 4 * 0.2 / side);
    QVERIFY2(std::abs(m.deviation / 0.2 - 1) < 0.01, qPrintable(QString::number(m.deviation)));
    QVERIFY(std::abs(m.skewness) < 0.04);
    QVERIFY2(std::abs(m.kurtosis - 3) < 0.06, qPrintable(QString::number(m.kurtosis)));
    const double cell = 4 / 1.98307;
    std::vector<double> phases[4];
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        const double place = x / cell;
        phases[static_cast<std::size_t>((place - std::floor(place)) * 4)].push_back(field.at(x, y));
      }
    }
    for (const auto& phase : phases) {
      QVERIFY(std::abs(moments_of(phase).deviation / 0.2 - 1) < 0.015);
    }
  }

  void grain_is_strongest_at_middle_gray() {
    for (const double value : {0.0, 0.1, 0.5, 0.75, 1.0, 1.5, -0.5}) {
      Image out = noisy(flat(400, 400, 1, static_cast<float>(value)), {{"kind", "grain"}});
      const double wanted = value < 0 || value > 1 ? 0 : 0.05 * 4 * value * (1 - value);
      const Moments m = moments_of(plane_of(out, 0).values);
      QVERIFY2(std::abs(m.deviation - wanted) <= 0.02 * wanted + 1e-9,
               qPrintable(QString("%1: %2").arg(value).arg(m.deviation)));
    }
  }

  // The same pixels, in tiles and whole, by each device, form and the reference.
  void noise_is_the_same_everywhere_data() {
    QTest::addColumn<QString>("kind");
    for (const char* kind : {"gaussian", "uniform", "poisson", "salt_and_pepper", "grain"}) {
      QTest::addRow("%s", kind) << kind;
    }
  }
  void noise_is_the_same_everywhere() {
    QFETCH(const QString, kind);
    for (const int channels : {1, 4}) {
      for (const char* size : {"0.5", "1.5", "16"}) {
        const Words words{{"kind", kind.toStdString()}, {"size", size}, {"photons", "15"}};
        Image picture =
            scene({211, 83, channels, SampleType::f32,
                   channels == 4 ? AlphaKind::straight : AlphaKind::none, Coding::srgb()});
        const Recipe recipe = one_step("noise", words);
        Image wanted =
            run(sessions_.on("reference", "reference", {}), recipe, picture, picture.format);
        for (const Runner& runner : runners()) {
          RenderOptions options;
          for (const int tile : {0, 32, 57}) {
            options.forced_tile = tile;
            Image out = run(sessions_.on(runner), recipe, picture, picture.format, options);
            QVERIFY2(out.bytes == wanted.bytes,
                     (runner.label + " " + std::to_string(tile)).c_str());
          }
        }
      }
    }
  }

  // Frames of a movie are as independent as seeds: their noise is not correlated.
  void frames_are_independent() {
    std::vector<std::vector<double>> all;
    for (const char* frame : {"0", "1", "2", "3"}) {
      Image out = noisy(flat(300, 300, 1, 0.5f), {{"frame_number", frame}, {"amount", "0.1"}});
      all.push_back(plane_of(out, 0).values);
      for (double& v : all.back()) v = (v - 0.5) / 0.1;
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        double sum = 0;
        for (std::size_t n = 0; n < all[i].size(); ++n) sum += all[i][n] * all[k][n];
        // The mean of 90,000 products has a standard deviation of 1/300.
        QVERIFY(std::abs(sum / 90000) < 4 / 300.0);
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestNoise)
#include "test_noise.moc"
