// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// box compared with float64 sums over every window, for whole and fractional radii, and far along
// rows.
// Slow: not built with sanitizers, where small_kernels runs every filter.
#include <QTest>
#include <cmath>
#include <map>
#include <optional>

#include "support/devices.hpp"
#include "support/engine.hpp"
#include "support/pictures.hpp"
#include "support/sessions.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

constexpr const char* borders[] = {"clamp", "mirror", "wrap", "zero", "renormalise"};

PictureFormat linear(int w, int h, int channels) {
  return {w, h, channels, SampleType::f32, AlphaKind::none, Coding::linear()};
}

Image noisy(const PictureFormat& format, std::uint32_t seed = 9) {
  Image image(format);
  for (int y = 0; y < format.height; ++y) {
    for (int x = 0; x < format.width; ++x) {
      for (int c = 0; c < format.channels; ++c) {
        image.set(x, y, c, noise_at(seed) < 0.5f ? noise_at(seed) : (x / 9 + y / 5) % 2 == 0);
      }
    }
  }
  return image;
}

// The coordinate that replaces i, or -1.
int place(int i, int n, const std::string& border) {
  if (i >= 0 && i < n) return i;
  if (border == "clamp") return i < 0 ? 0 : n - 1;
  if (border == "wrap") return ((i % n) + n) % n;
  if (border == "mirror") {
    while (n > 1 && (i < 0 || i >= n)) i = i < 0 ? -i : 2 * (n - 1) - i;
    return n == 1 ? 0 : i;
  }
  return -1;
}

// The weight of a sample at this distance: how much of its pixel the window covers.
double weight(int away, double radius) {
  return std::clamp(radius + 1 - std::abs(away), 0.0, 1.0);
}

// One channel's window, by definition.
double mean_at(Image& image, int x, int y, int c, double radius, const std::string& border) {
  const int r = static_cast<int>(std::ceil(radius));
  double sum = 0, kept = 0, whole = 0;
  for (int j = -r; j <= r; ++j) {
    for (int i = -r; i <= r; ++i) {
      const double w = weight(i, radius) * weight(j, radius);
      const int px = place(x + i, image.format.width, border);
      const int py = place(y + j, image.format.height, border);
      whole += w;
      if (px < 0 || py < 0) continue;
      kept += w;
      sum += w * static_cast<double>(image.get(px, py, c));
    }
  }
  return sum / (border == "renormalise" ? kept : whole);
}

}  // namespace

class TestBox : public QObject {
  Q_OBJECT

 private:
  Sessions sessions_{std::size_t{2} << 30};

  // Blurs on every device and form, and by the reference if it is not too slow.
  template <typename Check>
  void each(Image& picture, const std::vector<std::pair<std::string, std::string>>& words,
            bool with_reference, Check&& check) {
    const Recipe recipe = one_step("box", words);
    const auto blur = [&](Session& session, const std::string& label) {
      Image got(picture.format);
      MemorySource source(picture.format, picture.view());
      MemorySink sink(picture.format, got.view());
      const RenderReport report = session.render(recipe, source, sink);
      QVERIFY2(
          report.warnings.empty(),
          (label + ": " + (report.warnings.empty() ? "" : in_english(report.warnings[0]))).c_str());
      check(got, label);
    };
    for (const Runner& runner : runners()) {
      blur(sessions_.on(runner.label, runner.device.name, runner.form), runner.label);
      if (QTest::currentTestFailed()) return;
    }
    if (with_reference) blur(sessions_.on("reference", "reference", {}), "reference");
  }

 private slots:
  // Kernels of GPUs decode no samples, and those of processors do.
  void who_reads_the_pictures_own_samples() {
    const PictureFormat photo = rgb8(40, 30);
    for (const Form form : {Form::cpu, Form::gpu}) {
      Target target;
      target.form = form;
      const auto samples = [&](const char* light) {
        return make_plan(one_step("box", {{"light", light}}), photo, photo, target).picture.samples;
      };
      QCOMPARE(samples("linear"), form == Form::cpu ? StoredSamples::srgb : StoredSamples::none);
      QCOMPARE(samples("display"), StoredSamples::plain);
    }
  }

  void sums_over_every_window_data() {
    QTest::addColumn<double>("radius");
    for (const double r : {0.25, 0.5, 1.0, 1.7, 2.0, 3.5, 9.0, 20.3, 31.0}) {
      QTest::addRow("radius %g", r) << r;
    }
  }
  void sums_over_every_window() {
    QFETCH(double, radius);
    const bool large = radius > 10;
    for (const int channels : {1, 4}) {
      Image picture = noisy(linear(large ? 47 : 71, large ? 29 : 53, channels));
      for (const char* border : borders) {
        std::vector<double> want;
        for (int y = 0; y < picture.format.height; ++y) {
          for (int x = 0; x < picture.format.width; ++x) {
            for (int c = 0; c < channels; ++c) {
              want.push_back(mean_at(picture, x, y, c, radius, border));
            }
          }
        }
        each(picture, {{"radius", std::to_string(radius)}, {"border", border}}, true,
             [&](Image& got, const std::string& label) {
               std::size_t i = 0;
               for (int y = 0; y < picture.format.height; ++y) {
                 for (int x = 0; x < picture.format.width; ++x) {
                   for (int c = 0; c < channels; ++c, ++i) {
                     const double e = std::abs(static_cast<double>(got.get(x, y, c)) - want[i]);
                     QVERIFY2(e < 1e-6, qPrintable(QString("%1, %2: (%3, %4) is off by %5")
                                                       .arg(label.c_str(), border)
                                                       .arg(x)
                                                       .arg(y)
                                                       .arg(e)));
                   }
                 }
               }
             });
        if (QTest::currentTestFailed()) return;
      }
    }
  }

  // Boxes of width w = 2 r + 1 have the variance (2 l + 1) l (l + 1) / 3 w + 2 a (l + 1)^2 / w,
  // where l is the number of whole pixels on each side and a the fraction; variances add up.
  void variance_is_that_of_the_width() {
    for (const double radius : {0.4, 1.0, 3.6, 12.25}) {
      for (const int iterations : {1, 2, 5, 12}) {
        if (iterations * radius > 85) continue;  // beyond the picture
        Image point(linear(181, 175, 1));
        point.set(90, 87, 0, 1.0f);
        const double l = std::floor(radius), a = radius - l, w = 2 * radius + 1;
        const double one = (2 * l + 1) * l * (l + 1) / (3 * w) + 2 * a * (l + 1) * (l + 1) / w;
        each(point,
             {{"radius", std::to_string(radius)}, {"iterations", std::to_string(iterations)}}, true,
             [&](Image& got, const std::string& label) {
               double sum = 0, xx = 0, yy = 0, x1 = 0;
               for (int y = 0; y < 175; ++y) {
                 for (int x = 0; x < 181; ++x) {
                   const auto v = static_cast<double>(got.get(x, y, 0));
                   sum += v;
                   x1 += v * (x - 90);
                   xx += v * (x - 90) * (x - 90);
                   yy += v * (y - 87) * (y - 87);
                 }
               }
               const double want = iterations * one;
               QVERIFY2(std::abs(sum - 1) < 1e-5 && std::abs(x1) < 1e-4 * (1 + want) &&
                            std::abs(xx - want) < 1e-4 * (1 + want) &&
                            std::abs(yy - want) < 1e-4 * (1 + want),
                        qPrintable(QString("%1, radius %2: sum %3, variances %4 %5, not %6")
                                       .arg(label.c_str())
                                       .arg(radius)
                                       .arg(sum)
                                       .arg(xx)
                                       .arg(yy)
                                       .arg(want)));
             });
        if (QTest::currentTestFailed()) return;
      }
    }
  }

  // Errors accumulate neither along a row, however long, nor in a window, however wide, and bright
  // parts leave no trace behind them.
  void the_far_end_of_a_long_row_data() {
    QTest::addColumn<double>("radius");
    QTest::addColumn<bool>("upright");
    for (const double r : {2.0, 63.5, 500.0, 2500.5}) {
      QTest::addRow("along, radius %g", r) << r << false;
      QTest::addRow("down, radius %g", r) << r << true;
    }
  }
  void the_far_end_of_a_long_row() {
    QFETCH(double, radius);
    QFETCH(bool, upright);
    constexpr int length = 20000;
    Image picture(upright ? linear(3, length, 1) : linear(length, 3, 1));
    std::vector<double> sums(length + 1);
    std::uint32_t seed = 21;
    for (int i = 0; i < length; ++i) {
      // A bright half, then a uniform tone whose sums round the same way each time.
      const float v = i < length / 2 ? 1000 * noise_at(seed) : 0.1f;
      for (int j = 0; j < 3; ++j) picture.set(upright ? j : i, upright ? i : j, 0, v);
      sums[static_cast<std::size_t>(i) + 1] =
          sums[static_cast<std::size_t>(i)] + static_cast<double>(v);
    }
    const int l = static_cast<int>(std::floor(radius));
    const double a = radius - l;
    const auto sample = [&](int i) {
      return sums[static_cast<std::size_t>(i) + 1] - sums[static_cast<std::size_t>(i)];
    };
    each(picture, {{"radius", std::to_string(radius)}}, false,
         [&](Image& got, const std::string& label) {
           for (int i = l + 1; i < length - l - 1; ++i) {
             const double inner =
                 sums[static_cast<std::size_t>(i + l) + 1] - sums[static_cast<std::size_t>(i - l)];
             const double want =
                 (inner + a * (sample(i - l - 1) + sample(i + l + 1))) / (2 * radius + 1);
             const auto v = static_cast<double>(got.get(upright ? 1 : i, upright ? i : 1, 0));
             const bool beyond = i - l - 1 >= length / 2;
             const double allowed = beyond ? 2e-6 : 2e-5 * 1000;
             QVERIFY2(
                 std::abs(v - want) <= allowed,
                 qPrintable(
                     QString("%1 at %2: %3, not %4").arg(label.c_str()).arg(i).arg(v).arg(want)));
           }
         });
  }

  // An integer radius reaches no further: even an infinity just beyond has no effect.
  void a_whole_radius_ends_where_it_says() {
    for (const double radius : {1.0, 4.0, 4.5}) {
      Image picture = noisy(linear(60, 40, 1));
      picture.set(30, 20, 0, INFINITY);
      each(picture, {{"radius", std::to_string(radius)}}, true,
           [&](Image& got, const std::string& label) {
             const int r = static_cast<int>(std::ceil(radius));
             for (int y = 0; y < 40; ++y) {
               for (int x = 0; x < 60; ++x) {
                 const bool touched = std::abs(x - 30) <= r && std::abs(y - 20) <= r;
                 QVERIFY2(std::isfinite(got.get(x, y, 0)) != touched, label.c_str());
               }
             }
           });
    }
  }

  void codes_come_out_rounded() {
    Image picture({61, 44, 3, SampleType::u8, AlphaKind::none, Coding::srgb()});
    std::uint32_t seed = 4;
    for (char& byte : picture.bytes)
      byte = static_cast<char>(static_cast<int>(noise_at(seed) * 256));
    each(picture, {{"radius", "2.5"}, {"light", "display"}}, true,
         [&](Image& got, const std::string& label) {
           for (int y = 0; y < 44; ++y) {
             for (int x = 0; x < 61; ++x) {
               for (int c = 0; c < 3; ++c) {
                 const double want = mean_at(picture, x, y, c, 2.5, "clamp") * 255;
                 const double v = static_cast<double>(got.get(x, y, c)) * 255;
                 QVERIFY2(std::abs(v - want) < 0.501, label.c_str());
               }
             }
           }
         });
  }

  // Sums of 8-bit samples are integers; their pictures are larger than what is summed at once.
  void codes_are_means_of_whole_windows_data() {
    QTest::addColumn<int>("radius");
    QTest::addColumn<int>("channels");
    for (const int r : {1, 2, 40, 255, 256}) {
      for (const int channels : {1, 3, 4}) {
        QTest::addRow("radius %d, %d channels", r, channels) << r << channels;
      }
    }
  }
  void codes_are_means_of_whole_windows() {
    QFETCH(int, radius);
    QFETCH(int, channels);
    const int w = 620, h = 150, size = 2 * radius + 1;
    // Premultiplied, so that alpha needs no conversion.
    Image picture({w, h, channels, SampleType::u8,
                   channels == 4 ? AlphaKind::premultiplied : AlphaKind::none, Coding::srgb()});
    std::uint32_t seed = 8;
    for (char& byte : picture.bytes)
      byte = static_cast<char>(static_cast<int>(noise_at(seed) * 256));
    for (const std::string border : {"clamp", "mirror", "wrap", "zero"}) {
      // The sums of all samples above and to the left, with those that the border rule adds.
      const int across = w + 2 * radius, down = h + 2 * radius;
      std::vector<std::vector<std::int64_t>> sums(static_cast<std::size_t>(channels));
      for (int c = 0; c < channels; ++c) {
        auto& sum = sums[static_cast<std::size_t>(c)];
        sum.assign(static_cast<std::size_t>(across + 1) * static_cast<std::size_t>(down + 1), 0);
        for (int y = 0; y < down; ++y) {
          std::int64_t row = 0;
          for (int x = 0; x < across; ++x) {
            const int px = place(x - radius, w, border), py = place(y - radius, h, border);
            if (px >= 0 && py >= 0) {
              row += std::lround(static_cast<double>(picture.get(px, py, c)) * 255);
            }
            const std::size_t at = static_cast<std::size_t>(y + 1) * (across + 1) + x + 1;
            sum[at] = sum[at - static_cast<std::size_t>(across) - 1] + row;
          }
        }
      }
      each(picture, {{"radius", std::to_string(radius)}, {"light", "display"}, {"border", border}},
           false, [&](Image& got, const std::string& label) {
             for (int y = 0; y < h; ++y) {
               for (int x = 0; x < w; ++x) {
                 for (int c = 0; c < channels; ++c) {
                   const auto& sum = sums[static_cast<std::size_t>(c)];
                   const auto at = [&](int i, int j) {
                     return sum[static_cast<std::size_t>(j) * (across + 1) + i];
                   };
                   const auto whole = static_cast<double>(at(x + size, y + size) - at(x, y + size) -
                                                          at(x + size, y) + at(x, y));
                   const double want = whole / size / size;
                   const double v = static_cast<double>(got.get(x, y, c)) * 255;
                   if (std::abs(v - want) < 0.501) continue;
                   QFAIL(qPrintable(QString("%1, %2: (%3, %4) is %5, not %6")
                                        .arg(label.c_str(), border.c_str())
                                        .arg(x)
                                        .arg(y)
                                        .arg(v)
                                        .arg(want)));
                 }
               }
             }
           });
      if (QTest::currentTestFailed()) return;
    }
  }

  void a_radius_of_nothing_changes_nothing() {
    Image picture = noisy(linear(20, 20, 4));
    each(picture, {{"radius", "0"}}, true, [&](Image& got, const std::string& label) {
      QVERIFY2(got.bytes == picture.bytes, label.c_str());
    });
  }
};

QTEST_GUILESS_MAIN(TestBox)
#include "test_box.moc"
