// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// posterize compared with integer quotients: its levels, where they change, and what stays
// unchanged.
#include <QTest>
#include <cmath>
#include <limits>
#include <set>

#include "support/devices.hpp"
#include "support/pictures.hpp"
#include "support/sessions.hpp"

using namespace sfumato;
using namespace sfumato::testing;

class TestPosterize : public QObject {
  Q_OBJECT

 private:
  using Words = std::vector<std::pair<std::string, std::string>>;

  Sessions sessions_;

  // Filters the picture in its own coding, by the reference and on every device.
  template <typename Check>
  void everywhere(Image& picture, const Words& words, Check&& check) {
    const Recipe recipe = one_step("posterize", words);
    const auto one = [&](const std::string& label, Session& session) {
      Image out = run(session, recipe, picture, picture.format);
      check(out, label);
    };
    one("reference", sessions_.on("reference", "reference", {}));
    for (const Runner& runner : runners()) {
      one(runner.label, sessions_.on(runner));
      if (QTest::currentTestFailed()) return;
    }
  }

  static Image ramp(int width, int channels) {
    Image image({width, 3, channels, SampleType::f32,
                 channels == 4 ? AlphaKind::straight : AlphaKind::none, Coding::srgb()});
    for (int y = 0; y < 3; ++y) {
      for (int x = 0; x < width; ++x) {
        for (int c = 0; c < channels; ++c) {
          image.set(x, y, c, static_cast<float>(x) / static_cast<float>(width - 1));
        }
      }
    }
    return image;
  }

 private slots:
  void levels_are_quotients_of_whole_numbers_data() {
    QTest::addColumn<int>("levels");
    for (const int levels : {2, 3, 7, 50, 100, 256}) QTest::addRow("%d", levels) << levels;
  }
  void levels_are_quotients_of_whole_numbers() {
    QFETCH(const int, levels);
    Image picture = ramp(4001, 1);
    everywhere(picture, {{"levels", std::to_string(levels)}}, [&](Image& out, const auto& label) {
      std::set<float> seen;
      for (int x = 0; x < 4001; ++x) {
        const double steps = levels - 1, wanted = std::floor(x * steps / 4000 + 0.5) / steps;
        const float got = out.get(x, 1, 0);
        seen.insert(got);
        // If two levels are equally near, a float may fall on either side.
        const bool tie = std::fmod(x * steps * 2, 4000) == 0;
        QVERIFY2(tie || got == static_cast<float>(wanted),
                 qPrintable(QString("%1: at %2 %3, not %4")
                                .arg(QString::fromStdString(label))
                                .arg(x)
                                .arg(got)
                                .arg(wanted)));
      }
      QCOMPARE(static_cast<int>(seen.size()), levels);
      QCOMPARE(out.get(0, 1, 0), 0.0f);
      QCOMPARE(out.get(4000, 1, 0), 1.0f);
    });
  }

  void values_beyond_go_on_in_the_same_steps() {
    Image picture = ramp(8, 1);
    const float infinity = std::numeric_limits<float>::infinity();
    const std::pair<float, float> pairs[] = {{-0.4f, -1 / 3.0f},
                                             {1.2f, 4 / 3.0f},
                                             {40.1f, 40.0f},
                                             {infinity, infinity},
                                             {-infinity, -infinity}};
    for (int i = 0; i < 5; ++i) picture.set(i, 1, 0, pairs[i].first);
    everywhere(picture, {{"levels", "4"}}, [&](Image& out, const auto& label) {
      for (int i = 0; i < 5; ++i) {
        QVERIFY2(out.get(i, 1, 0) == pairs[i].second,
                 (label + ": " + std::to_string(out.get(i, 1, 0))).c_str());
      }
    });
  }

  void luminance_changes_all_colours_alike() {
    Image picture = scene({83, 31, 4, SampleType::f32, AlphaKind::straight, Coding::srgb()});
    everywhere(picture, {{"levels", "6"}, {"channels", "luminance"}},
               [&](Image& out, const auto& label) {
                 for (int x = 1; x < 83; ++x) {  // the first column is transparent: nothing to see
                   double y = 0, before = 0;
                   const double weights[] = {0.2126, 0.7152, 0.0722};
                   for (int c = 0; c < 3; ++c) {
                     y += weights[c] * static_cast<double>(out.get(x, 11, c));
                     before += weights[c] * static_cast<double>(picture.get(x, 11, c));
                   }
                   const double wanted = std::floor(before * 5 + 0.5) / 5;
                   QVERIFY2(std::abs(y - wanted) < 1e-6, label.c_str());
                   const float change = out.get(x, 11, 0) - picture.get(x, 11, 0);
                   for (int c = 1; c < 3; ++c) {
                     const float other = out.get(x, 11, c) - picture.get(x, 11, c);
                     QVERIFY2(std::abs(other - change) < 1e-6f, label.c_str());
                   }
                   QCOMPARE(out.get(x, 11, 3), picture.get(x, 11, 3));
                 }
               });
  }

  void bytes_lie_on_levels() {
    PictureFormat format{64, 64, 3, SampleType::u8, AlphaKind::none, Coding::srgb()};
    Image picture = scene(format);
    everywhere(picture, {{"levels", "6"}}, [&](Image& out, const auto& label) {
      for (std::size_t i = 0; i < out.bytes.size(); ++i) {
        const auto in = static_cast<unsigned char>(picture.bytes[i]);
        const int wanted = (in * 5 * 2 + 255) / (2 * 255) * 51;
        QVERIFY2(static_cast<unsigned char>(out.bytes[i]) == wanted, label.c_str());
      }
    });
  }
};

QTEST_GUILESS_MAIN(TestPosterize)
#include "test_posterize.moc"
