// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// bilateral's method fast where the distance compares one number, by levels of it: 50 dB against
// exact, agreement with direct sums in float64, the same pixels in tiles.
#include <QTest>
#include <array>
#include <cmath>
#include <limits>

#include "support/devices.hpp"
#include "support/pictures.hpp"
#include "support/sessions.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

using Words = std::vector<std::pair<std::string, std::string>>;

PictureFormat format_of(int channels) {
  return {130,
          90,
          channels,
          SampleType::f32,
          channels == 4 ? AlphaKind::straight : AlphaKind::none,
          Coding::srgb()};
}

double decibels(Image& a, Image& b) {
  double sum = 0;
  const PictureFormat& f = a.format;
  std::int64_t count = 0;
  for (int y = 0; y < f.height; ++y) {
    for (int x = 0; x < f.width; ++x) {
      if (f.has_alpha() && a.get(x, y, 3) == 0) continue;
      for (int c = 0; c < std::min(f.channels, 3); ++c, ++count) {
        const double d = static_cast<double>(a.get(x, y, c)) - static_cast<double>(b.get(x, y, c));
        sum += d * d;
      }
    }
  }
  return -10 * std::log10(std::max(sum / static_cast<double>(count), 1e-12));
}

double luminance_of(Image& image, int x, int y) {
  return 0.2126 * static_cast<double>(image.get(x, y, 0)) +
         0.7152 * static_cast<double>(image.get(x, y, 1)) +
         0.0722 * static_cast<double>(image.get(x, y, 2));
}

// The definition, for one channel of an opaque pixel at least 3 sigma from every border.
double direct_sum(Image& image, int x, int y, int c, int sigma, double range, bool luminance) {
  double sum = 0, weight = 0;
  for (int j = y - 3 * sigma; j <= y + 3 * sigma; ++j) {
    for (int i = x - 3 * sigma; i <= x + 3 * sigma; ++i) {
      const auto v = static_cast<double>(image.get(i, j, c));
      const double d = luminance ? luminance_of(image, i, j) - luminance_of(image, x, y)
                                 : v - static_cast<double>(image.get(x, y, c));
      const double away = (i - x) * (i - x) + (j - y) * (j - y);
      const double w = std::exp(-away / (2.0 * sigma * sigma) - d * d / (2 * range * range));
      sum += w * v;
      weight += w;
    }
  }
  return sum / weight;
}

}  // namespace

class TestBilateralLevels : public QObject {
  Q_OBJECT

  std::string said_;
  Sessions sessions_{0, [this](const Message& line) { said_ += in_english(line) + "\n"; }};

  Image filtered(const Runner& runner, Image& picture, Words words, const char* method,
                 const RenderOptions& options = {}) {
    words.emplace_back("method", method);
    said_.clear();
    return run(sessions_.on(runner), one_step("bilateral", words), picture, picture.format,
               options);
  }

 private slots:
  void levels_reach_50_decibels_data() {
    QTest::addColumn<QString>("distance");
    QTest::addColumn<int>("channels");
    for (const char* distance : {"channel", "luminance"}) {
      for (const int channels : {1, 3, 4}) {
        QTest::addRow("%s, %d channels", distance, channels) << QString(distance) << channels;
      }
    }
  }
  void levels_reach_50_decibels() {
    QFETCH(const QString, distance);
    QFETCH(const int, channels);
    Image picture = scene(format_of(channels));
    for (const Runner& runner : runners()) {
      for (const auto& [sigma, range] :
           {std::pair("5", "0.2"), {"5", "0.05"}, {"12", "0.1"}, {"12", "0.02"}}) {
        Words words{{"sigma", sigma}, {"range_sigma", range}, {"distance", distance.toStdString()}};
        Image want = filtered(runner, picture, words, "exact");
        Image got = filtered(runner, picture, words, "fast");
        const double ratio = decibels(got, want);
        QVERIFY2(ratio >= 50, qPrintable(QString("%1, %2, %3: %4 dB; %5")
                                             .arg(runner.label.c_str(), sigma, range)
                                             .arg(ratio)
                                             .arg(said_.c_str())));
        QVERIFY2(said_.find("fast by") != std::string::npos, said_.c_str());
        QVERIFY(decibels(want, picture) < ratio);
      }
    }
  }

  void levels_agree_with_direct_sums() {
    Image picture = scene(format_of(3));
    for (const bool luminance : {false, true}) {
      const Words words{{"sigma", "7"},
                        {"range_sigma", "0.1"},
                        {"light", "stored"},
                        {"distance", luminance ? "luminance" : "channel"}};
      for (const Runner& runner : runners()) {
        Image got = filtered(runner, picture, words, "fast");
        QVERIFY2(said_.find("16 levels") != std::string::npos, said_.c_str());
        for (const auto& [x, y] : std::vector<std::pair<int, int>>{{30, 40}, {64, 45}, {101, 60}}) {
          for (int c = 0; c < 3; ++c) {
            const double want = direct_sum(picture, x, y, c, 7, 0.1, luminance);
            const auto is = static_cast<double>(got.get(x, y, c));
            QVERIFY2(std::abs(is - want) < 0.005, qPrintable(QString("%1: %2, %3, not %4")
                                                                 .arg(runner.label.c_str())
                                                                 .arg(c)
                                                                 .arg(is)
                                                                 .arg(want)));
          }
        }
      }
    }
  }

  // However different, colours of one luminance mix: the change has no limit then. The grid's cells
  // round the foot of so high a step.
  void colours_of_one_luminance_mix() {
    Image picture(format_of(3));
    for (int y = 0; y < 90; ++y) {
      for (int x = 0; x < 130; ++x) {
        const bool left = x < 65;
        picture.set(x, y, 0, left ? 1.0f : 0.0f);
        picture.set(x, y, 1, left ? 0.0f : static_cast<float>(0.2126 / 0.7152));
      }
    }
    const Words words{
        {"sigma", "6"}, {"range_sigma", "0.01"}, {"light", "stored"}, {"distance", "luminance"}};
    for (const Runner& runner : runners()) {
      Image got = filtered(runner, picture, words, "fast");
      for (const int x : {58, 64, 65, 72}) {
        const double want = direct_sum(picture, x, 45, 0, 6, 0.01, true);
        QVERIFY2(std::abs(static_cast<double>(got.get(x, 45, 0)) - want) < 0.01,
                 qPrintable(QString("%1, %2: %3, not %4")
                                .arg(runner.label.c_str())
                                .arg(x)
                                .arg(static_cast<double>(got.get(x, 45, 0)))
                                .arg(want)));
      }
    }
  }

  void tiles_are_like_the_whole() {
    Image picture = scene(format_of(4));
    for (const char* distance : {"channel", "luminance"}) {
      const Words words{{"sigma", "5"}, {"range_sigma", "0.1"}, {"distance", distance}};
      for (const Runner& runner : runners()) {
        Image whole = filtered(runner, picture, words, "fast");
        RenderOptions options;
        options.forced_tile = 41;
        Image tiled = filtered(runner, picture, words, "fast", options);
        QVERIFY2(tiled.bytes == whole.bytes, (runner.label + ", " + distance).c_str());
      }
    }
  }

  // A channel without a number keeps it; the other channels and all neighbours are filtered.
  void bad_numbers_stay_in_their_channel() {
    Image picture = scene(format_of(3));
    const Words words{{"sigma", "5"}, {"range_sigma", "0.1"}, {"distance", "channel"}};
    for (const Runner& runner : runners()) {
      picture.set(50, 40, 1, 0.5f);
      Image good = filtered(runner, picture, words, "fast");
      picture.set(50, 40, 1, std::numeric_limits<float>::quiet_NaN());
      Image got = filtered(runner, picture, words, "fast");
      QVERIFY(std::isnan(got.get(50, 40, 1)));
      for (const int c : {0, 2}) {
        QVERIFY(std::abs(got.get(50, 40, c) - good.get(50, 40, c)) < 1e-4f);
      }
      QVERIFY(std::abs(got.get(52, 41, 1) - good.get(52, 41, 1)) < 0.02f);
    }
  }

  // Nor does a pixel whose opacity is no number reach its neighbours, whatever the distance.
  void bad_opacity_weighs_nothing() {
    Image picture = scene(format_of(4));
    for (const char* distance : {"color", "channel", "luminance"}) {
      const Words words{{"sigma", "5"}, {"range_sigma", "0.2"}, {"distance", distance}};
      for (const Runner& runner : runners()) {
        picture.set(50, 40, 3, 0.0f);
        Image good = filtered(runner, picture, words, "fast");
        picture.set(50, 40, 3, std::numeric_limits<float>::quiet_NaN());
        Image got = filtered(runner, picture, words, "fast");
        for (int c = 0; c < 3; ++c) {
          QVERIFY2(std::abs(got.get(52, 41, c) - good.get(52, 41, c)) < 0.01f,
                   (runner.label + ", " + distance).c_str());
        }
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestBilateralLevels)
#include "test_bilateral_levels.moc"
