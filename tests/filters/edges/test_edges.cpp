// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// edges compared with direct float64 sums, and with ramps.
#include <QTest>
#include <cmath>

#include "params/errors.hpp"
#include "support/edges.hpp"

using namespace sfumato;
using namespace sfumato::testing;

class TestEdges : public QObject, private Everywhere {
  Q_OBJECT

 private:
  static PictureFormat floats(const PictureFormat& format) {
    PictureFormat out = format;
    out.type = SampleType::f32;
    return out;
  }

  // Fails where a result is further from want(x, y, c) than allowed. NaN: any value will do.
  template <typename Want>
  static void compare(Image& got, const QString& label, bool direction, const Want& want,
                      double allowed) {
    int compared = 0;
    const PictureFormat& f = got.format;
    for (int i = 0; i < f.width * f.height * f.channels; ++i) {
      const int c = i % f.channels, x = i / f.channels % f.width, y = i / f.channels / f.width;
      const double right = want(x, y, c);
      compared += std::isnan(right) ? 0 : 1;
      double off = std::abs(static_cast<double>(got.get(x, y, c)) - right);
      if (direction) off = std::min(off, 1 - off);
      if (off <= allowed || std::isnan(right)) continue;
      QFAIL(qPrintable(QString("%1: (%2, %3) is off by %4").arg(label).arg(x).arg(y).arg(off)));
    }
    // Few gradients of noise are negligible.
    QVERIFY2(compared > f.width * f.height * f.channels * 9 / 10, qPrintable(label));
  }

 private slots:
  void direct_sums_of_every_operator_data() {
    QTest::addColumn<QString>("border");
    for (const char* border : borders) QTest::newRow(border) << border;
  }
  void direct_sums_of_every_operator() {
    QFETCH(QString, border);
    const std::string rule = border.toStdString();
    // Rows of whole runs: the last of them has neighbours beyond the picture.
    constexpr int width = 64;
    for (const int channels : {1, 3}) {
      Image picture(format_of(width, 31, channels, SampleType::f32));
      std::uint32_t seed = 2;
      for (int y = 0; y < 31; ++y) {
        for (int x = 0; x < width; ++x) {
          for (int c = 0; c < channels; ++c) picture.set(x, y, c, 3 * noise_at(seed) - 1);
        }
      }
      for (const auto& [label, session] : everywhere()) {
        const auto check = [&, label = label, session = session](const char* name, const char* show,
                                                                 const auto& want, double allowed) {
          Image got =
              render(*session, "edges", {{"operator", name}, {"show", show}, {"border", rule}},
                     picture, picture.format);
          compare(got, QString("%1 %2, %3").arg(name, show, label.c_str()),
                  std::string(show) == "direction", want, allowed);
        };
        for (const auto& [name, w] : gradients) {
          const auto gx = [&, w = w](int x, int y, int c) {
            return sum_around(picture, x, y, c, rule, w.across);
          };
          const auto gy = [&, w = w](int x, int y, int c) {
            return sum_around(picture, x, y, c, rule, w.down);
          };
          check(name.c_str(), "horizontal", gx, 1e-6);
          check(name.c_str(), "vertical", gy, 1e-6);
          check(
              name.c_str(), "magnitude",
              [&](int x, int y, int c) { return std::hypot(gx(x, y, c), gy(x, y, c)); }, 1e-6);
          check(
              name.c_str(), "direction",
              [&](int x, int y, int c) {
                const double across = gx(x, y, c), down = gy(x, y, c);
                // A negligible gradient may have any direction.
                return std::hypot(across, down) > 1e-3 ? turn_of(across, down) : std::nan("");
              },
              1e-4);
          if (QTest::currentTestFailed()) return;
        }
        check(
            "laplacian", "magnitude",
            [&](int x, int y, int c) {
              return std::abs(sum_around(picture, x, y, c, rule, {0, 1, 0, 1, -4, 1, 0, 1, 0}));
            },
            4e-6);
        check(
            "surround", "magnitude",
            [&](int x, int y, int c) {
              std::array<double, 9> w;
              w.fill(-0.125);
              w[4] = 1;
              return std::abs(sum_around(picture, x, y, c, rule, w));
            },
            1e-6);
        if (QTest::currentTestFailed()) return;
      }
    }
  }

  // A ramp of 1 per pixel gives 1 for every operator.
  void ramps_have_the_slope_they_have() {
    struct Ramp {
      float across, down;
    };
    for (const Ramp ramp : {Ramp{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {0.6f, 0.8f}, {-3, 4}}) {
      Image picture(format_of(40, 30, 3, SampleType::f32));
      for (int y = 0; y < 30; ++y) {
        for (int x = 0; x < 40; ++x) {
          for (int c = 0; c < 3; ++c) {
            picture.set(x, y, c,
                        ramp.across * static_cast<float>(x) + ramp.down * static_cast<float>(y));
          }
        }
      }
      const double length = std::hypot(ramp.across, ramp.down);
      for (const char* gray : {"no", "yes"}) {
        for (const char* name : {"sobel", "scharr", "prewitt", "roberts"}) {
          for (const auto& [label, session] : everywhere()) {
            const auto value = [&, session = session](const char* show) {
              Image got = render(*session, "edges",
                                 {{"operator", name}, {"show", show}, {"grayscale", gray}}, picture,
                                 picture.format);
              return static_cast<double>(got.get(17, 11, 1));
            };
            const std::string what = std::string(name) + ", " + label;
            QVERIFY2(std::abs(value("magnitude") - length) < 2e-5, what.c_str());
            QVERIFY2(std::abs(value("horizontal") - static_cast<double>(ramp.across)) < 2e-5,
                     what.c_str());
            QVERIFY2(std::abs(value("vertical") - static_cast<double>(ramp.down)) < 2e-5,
                     what.c_str());
            const double turn =
                turn_of(static_cast<double>(ramp.across), static_cast<double>(ramp.down));
            QVERIFY2(std::abs(value("direction") - turn) < 1e-5, what.c_str());
          }
        }
      }
    }
  }

  void grayscale_is_the_mean_of_the_colours() {
    Image picture(format_of(33, 21, 3, SampleType::f32)),
        gray(format_of(33, 21, 1, SampleType::f32));
    std::uint32_t seed = 4;
    for (int y = 0; y < 21; ++y) {
      for (int x = 0; x < 33; ++x) {
        float sum = 0;
        for (int c = 0; c < 3; ++c) {
          picture.set(x, y, c, noise_at(seed));
          sum += picture.get(x, y, c);
        }
        gray.set(x, y, 0, sum / 3);
      }
    }
    for (const auto& [label, session] : everywhere()) {
      Image got = render(*session, "edges", {{"grayscale", "yes"}}, picture, picture.format);
      Image want = render(*session, "edges", {}, gray, gray.format);
      for (int y = 0; y < 21; ++y) {
        for (int x = 0; x < 33; ++x) {
          for (int c = 0; c < 3; ++c) {
            QVERIFY(std::abs(got.get(x, y, c) - want.get(x, y, 0)) < 1e-6f);
          }
        }
      }
    }
  }

  // Float files keep the sign; integer files clip it, or need an offset.
  void signs_in_integer_files() {
    Image picture = picture_of("steps", format_of(40, 40, 1, SampleType::u8));
    for (const auto& [label, session] : everywhere()) {
      Image signs =
          render(*session, "edges", {{"show", "vertical"}}, picture, floats(picture.format));
      Image cut = render(*session, "edges", {{"show", "vertical"}}, picture, picture.format);
      Image shifted = render(*session, "edges", {{"show", "vertical"}, {"offset", "0.5"}}, picture,
                             picture.format);
      Image negative = picture;
      for (int y = 0; y < 40; ++y) {
        for (int x = 0; x < 40; ++x) negative.set(x, y, 0, 1 - picture.get(x, y, 0));
      }
      Image other = render(*session, "edges", {{"show", "vertical"}}, negative, picture.format);
      float most = 0;
      for (int y = 0; y < 40; ++y) {
        for (int x = 0; x < 40; ++x) {
          const float v = signs.get(x, y, 0);
          most = std::max(most, v);
          QVERIFY(std::abs(cut.get(x, y, 0) - std::max(v, 0.0f)) < 0.6f / 255);
          QVERIFY(std::abs(other.get(x, y, 0) - std::max(-v, 0.0f)) < 0.6f / 255);
          QVERIFY(std::abs(shifted.get(x, y, 0) - (v + 0.5f)) < 0.6f / 255);
        }
      }
      QVERIFY(most > 0.1f);
    }
  }

  void no_direction_where_there_is_none() {
    Image picture = picture_of("steps", format_of(20, 20, 1, SampleType::u8));
    for (const auto& [label, session] : everywhere()) {
      for (const char* name : {"laplacian", "surround"}) {
        for (const char* show : {"horizontal", "vertical", "direction"}) {
          try {
            render(*session, "edges", {{"operator", name}, {"show", show}}, picture,
                   picture.format);
            QFAIL("accepted");
          } catch (const ParameterError& e) {
            QCOMPARE(e.parameter(), std::string("show"));
            QVERIFY(std::string(e.what()).find(name) != std::string::npos);
          }
        }
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestEdges)
#include "test_edges.moc"
