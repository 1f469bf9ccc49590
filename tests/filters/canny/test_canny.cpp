// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// canny compared with direct sums, an independent flood fill, and OpenCV if installed.
// Slow: not built with sanitizers, where small_kernels runs every filter.
#include <QTest>
#include <algorithm>
#include <cmath>

#include "params/errors.hpp"
#include "support/edges.hpp"

#ifdef SFUMATO_HAVE_OPENCV
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#pragma GCC diagnostic pop
#endif

using namespace sfumato;
using namespace sfumato::testing;

namespace {

std::string number(double v) {
  return QString::number(v, 'g', 17).toStdString();
}

// Pixels above `low` that are connected, diagonally too, with one above `high`.
std::vector<bool> flooded(Image& strengths, double low, double high) {
  const int w = strengths.format.width, h = strengths.format.height;
  const auto at = [w](int x, int y) { return static_cast<std::size_t>(y * w + x); };
  std::vector<bool> kept(at(0, h));
  std::vector<std::pair<int, int>> open;
  const auto visit = [&](int x, int y, double limit) {
    if (x < 0 || y < 0 || x >= w || y >= h || kept[at(x, y)]) return;
    if (static_cast<double>(strengths.get(x, y, 0)) <= limit) return;
    kept[at(x, y)] = true;
    open.emplace_back(x, y);
  };
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) {
      visit(x, y, high);
      while (!open.empty()) {
        const auto [px, py] = open.back();
        open.pop_back();
        for (int i = 0; i < 9; ++i) visit(px + i % 3 - 1, py + i / 3 - 1, low);
      }
    }
  }
  return kept;
}

// A bar that winds through the picture from the upper left; only its beginning is bright.
Image serpentine(const PictureFormat& format, int cut_x, int cut_y, bool bright) {
  Image image(format);
  constexpr int step = 16, thick = 6;
  for (int y = 0; y < format.height; ++y) {
    for (int x = 0; x < format.width; ++x) {
      const int lane = y / step, within = y % step;
      const bool inside = x >= 8 && x < format.width - 8;
      const bool right_turn = lane % 2 == 0 && x >= format.width - 8 - thick;
      const bool left_turn = lane % 2 == 1 && x < 8 + thick;
      const bool last = lane >= format.height / step - 1;
      bool on = inside && lane <= format.height / step - 1 &&
                (within >= step - thick || (!last && (right_turn || left_turn)));
      // The turn connects the bar of this lane with that of the next.
      if (within < step - thick) {
        on = inside && lane > 0 && lane <= format.height / step - 1 &&
             (lane % 2 == 1 ? x >= format.width - 8 - thick : x < 8 + thick);
      }
      if (std::abs(x - cut_x) < 3 && std::abs(y - cut_y) < step / 2) on = false;
      // A gradual fade: a step would break the edges along it.
      const float fading = lane == 0 && bright ? 1.0f - 0.004f * static_cast<float>(x - 8) : 0.0f;
      image.set(x, y, 0, on ? std::max(fading, 60.0f / 255) : 0.0f);
    }
  }
  return image;
}

}  // namespace

class TestCanny : public QObject, private Everywhere {
  Q_OBJECT

 private:
  void compare_with_flood(Image& picture, const char* sigma, double low, double high) {
    const int w = picture.format.width, h = picture.format.height;
    for (const auto& [label, session] : everywhere()) {
      Image thin = render(*session, "canny", {{"sigma", sigma}, {"show", "thinned"}}, picture,
                          picture.format);
      Image got = render(
          *session, "canny",
          {{"sigma", sigma}, {"low_threshold", number(low)}, {"high_threshold", number(high)}},
          picture, picture.format);
      const std::vector<bool> want = flooded(thin, low, high);
      for (int y = 0; y < h; ++y) {
        for (int x = 0; x < w; ++x) {
          if ((got.get(x, y, 0) != 0) == want[static_cast<std::size_t>(y * w + x)]) continue;
          QFAIL(qPrintable(
              QString("%1, %2 x %3: (%4, %5)").arg(label.c_str()).arg(w).arg(h).arg(x).arg(y)));
        }
      }
    }
  }

 private slots:
#ifdef SFUMATO_HAVE_OPENCV
  void opencv_finds_the_same_edges_data() {
    QTest::addColumn<QString>("kind");
    for (const char* kind : {"noise", "ramps", "steps", "discs", "photograph"}) {
      QTest::newRow(kind) << kind;
    }
  }
  void opencv_finds_the_same_edges() {
    QFETCH(QString, kind);
    for (const auto& [w, h] : {std::pair(1, 1),
                               {1, 17},
                               {23, 1},
                               {2, 2},
                               {3, 2},
                               {2, 9},
                               {67, 45},
                               {131, 98},
                               {64, 64},
                               {1093, 71},
                               {80, 301}}) {
      Image picture = picture_of(kind.toStdString(), format_of(w, h, 1, SampleType::u8));
      const auto pitch = static_cast<std::size_t>(picture.view().row_stride);
      const cv::Mat from(h, w, CV_8UC1, picture.bytes.data(), pitch);
      for (const auto& [low, high] :
           {std::pair(50.0, 150.0), {100.0, 100.0}, {0.0, 0.0}, {20.0, 400.0}, {99.5, 200.25}}) {
        cv::Mat to;
        cv::Canny(from, to, low, high, 3, true);
        Image want(picture.format);
        for (int y = 0; y < h; ++y) std::copy_n(to.ptr<char>(y), w, want.sample(0, y, 0));
        const Words words{{"sigma", "0"},
                          {"low_threshold", number(low / 2040)},
                          {"high_threshold", number(high / 2040)}};
        for (const auto& [label, session] : everywhere()) {
          Image got = render(*session, "canny", words, picture, picture.format);
          same_pixels(
              got, want,
              QString("%1x%2, %3 to %4, ").arg(w).arg(h).arg(low).arg(high).toStdString() + label);
          if (QTest::currentTestFailed()) return;
        }
      }
    }
  }
#endif

  // Depth, colour and opaque alpha change nothing.
  void gray_in_any_format_has_the_same_edges() {
    const Words words{{"sigma", "0"}, {"low_threshold", "0.05"}, {"high_threshold", "0.12"}};
    const Words blurred{{"low_threshold", "0.01"}, {"high_threshold", "0.03"}};
    for (const Words& w : {words, blurred}) {
      for (const auto& [label, session] : everywhere()) {
        Image gray = picture_of("photograph", format_of(150, 101, 1, SampleType::u8));
        Image want = render(*session, "canny", w, gray, gray.format);
        int edges = 0;
        for (int y = 0; y < 101; ++y) {
          for (int x = 0; x < 150; ++x) edges += want.get(x, y, 0) != 0 ? 1 : 0;
        }
        QVERIFY2(edges > 300, qPrintable(QString("%1 edges").arg(edges)));
        for (const SampleType type : {SampleType::u8, SampleType::u16, SampleType::f32}) {
          for (const int channels : {1, 2, 3, 4}) {
            Image picture(format_of(150, 101, channels, type));
            const int colors = picture.format.color_channels();
            for (int y = 0; y < 101; ++y) {
              for (int x = 0; x < 150; ++x) {
                for (int c = 0; c < channels; ++c) {
                  picture.set(x, y, c, c < colors ? gray.get(x, y, 0) : 1.0f);
                }
              }
            }
            Image got = render(*session, "canny", w, picture, picture.format);
            for (int y = 0; y < 101; ++y) {
              for (int x = 0; x < 150; ++x) {
                for (int c = 0; c < channels; ++c) {
                  const float right = c < colors ? want.get(x, y, 0) : 1.0f;
                  if (got.get(x, y, c) == right) continue;
                  QFAIL(qPrintable(QString("%1, type %2, %3 channels: (%4, %5)")
                                       .arg(label.c_str())
                                       .arg(static_cast<int>(type))
                                       .arg(channels)
                                       .arg(x)
                                       .arg(y)));
                }
              }
            }
          }
        }
      }
    }
  }

  void a_flood_fill_keeps_the_same_edges() {
    for (const char* kind : {"noise", "photograph"}) {
      Image picture = picture_of(kind, format_of(333, 210, 1, SampleType::f32));
      for (const auto& [low, high] : {std::pair(0.02, 0.09), {0.1, 0.36}, {0.05, 0.05}}) {
        compare_with_flood(picture, "0.7", low, high);
        if (QTest::currentTestFailed()) return;
      }
    }
  }

  // Where the last pixels, or blocks of them, are the only link.
  void a_flood_fill_along_borders() {
    for (int thin = 3; thin <= 10; ++thin) {
      for (const auto& [w, h] : {std::pair(thin, 600), {600, thin}}) {
        Image picture = picture_of("noise", format_of(w, h, 1, SampleType::f32));
        compare_with_flood(picture, "0", 0.15, 0.3);
        if (QTest::currentTestFailed()) return;
      }
    }
  }

  void a_long_path_is_kept_and_a_cut_one_is_not() {
    const PictureFormat format = format_of(1204, 608, 1, SampleType::u8);
    const Words words{{"sigma", "1"}, {"low_threshold", "0.02"}, {"high_threshold", "0.15"}};
    Image whole = serpentine(format, -100, -100, true);
    Image dark = serpentine(format, -100, -100, false);
    Image cut = serpentine(format, 600, 300, true);
    // Edges above and below the cut.
    const auto count = [](Image& edges, int y0, int y1) {
      int n = 0;
      for (int y = y0; y < y1; ++y) {
        for (int x = 0; x < edges.format.width; ++x) n += edges.get(x, y, 0) != 0 ? 1 : 0;
      }
      return n;
    };
    for (const auto& [label, session] : everywhere()) {
      Image kept = render(*session, "canny", words, whole, format);
      const int above = count(kept, 0, 280), below = count(kept, 320, 608);
      QVERIFY2(above > 30000 && below > 30000,
               qPrintable(QString("%1: %2, %3").arg(label.c_str()).arg(above).arg(below)));
      Image none = render(*session, "canny", words, dark, format);
      QCOMPARE(count(none, 0, 608), 0);
      Image half = render(*session, "canny", words, cut, format);
      QCOMPARE(count(half, 0, 280), above);
      QCOMPARE(count(half, 320, 608), 0);
      // With only the low threshold, both halves are there.
      Image all = render(*session, "canny",
                         {{"sigma", "1"}, {"low_threshold", "0.02"}, {"high_threshold", "0.02"}},
                         cut, format);
      QCOMPARE(count(all, 320, 608), below);
    }
  }

  // A step whose height dips just below the low threshold at one pixel; strong at its left end.
  void one_pixel_cuts_an_edge() {
    constexpr int w = 2500, h = 12, dip = 1237;
    Image picture(format_of(w, h, 1, SampleType::f32));
    for (int x = 0; x < w; ++x) {
      const auto away = static_cast<float>(std::abs(x - dip));
      const float low_part = std::min(40 + 0.05f * away * away, 60.0f);
      const float height = std::max(low_part, 200.0f - static_cast<float>(x)) / 255;
      for (int y = 0; y < h; ++y) picture.set(x, y, 0, y < h / 2 ? 0.0f : height);
    }
    for (const auto& [label, session] : everywhere()) {
      const auto columns = [&, session = session](double samples) {
        Image edges = render(*session, "canny",
                             {{"sigma", "0"},
                              {"low_threshold", number(samples / 255 / 2)},
                              {"high_threshold", "0.3"}},
                             picture, picture.format);
        int n = 0, last = -1;
        for (int x = 0; x < w; ++x) {
          for (int y = 0; y < h; ++y) {
            if (edges.get(x, y, 0) == 0) continue;
            ++n;
            last = x;
          }
        }
        return std::pair(n, last);
      };
      QCOMPARE(columns(39), std::pair(w, w - 1));
      QCOMPARE(columns(40.05), std::pair(dip, dip - 1));
    }
  }

  void thresholds_the_wrong_way_round_are_refused() {
    Image picture = picture_of("steps", format_of(20, 20, 1, SampleType::u8));
    for (const auto& [label, session] : everywhere()) {
      try {
        render(*session, "canny", {{"low_threshold", "0.2"}, {"high_threshold", "0.1"}}, picture,
               picture.format);
        QFAIL("accepted");
      } catch (const ParameterError& e) {
        QCOMPARE(e.parameter(), std::string("low_threshold"));
        QVERIFY(std::string(e.what()).find("high_threshold") != std::string::npos);
      }
    }
  }

  void what_canny_shows() {
    for (const char* border : borders) {
      for (const bool sobel : {true, false}) {
        Image picture = picture_of("photograph", format_of(61, 44, 1, SampleType::f32));
        const Weights& weights = gradients.at(sobel ? "sobel" : "roberts");
        const auto words = [&](const char* show) {
          return Words{{"sigma", "0"},
                       {"show", show},
                       {"border", border},
                       {"operator", sobel ? "sobel" : "2x2"}};
        };
        for (const auto& [label, session] : everywhere()) {
          Image size = render(*session, "canny", words("magnitude"), picture, picture.format);
          Image method = render(*session, "canny", words("direction"), picture, picture.format);
          Image thin = render(*session, "canny", words("thinned"), picture, picture.format);
          int ridges = 0;
          for (int y = 0; y < 44; ++y) {
            for (int x = 0; x < 61; ++x) {
              const double gx = sum_around(picture, x, y, 0, border, weights.across);
              const double gy = sum_around(picture, x, y, 0, border, weights.down);
              const double length = std::hypot(gx, gy);
              const std::string at =
                  label + ", " + border + QString(": (%1, %2)").arg(x).arg(y).toStdString();
              // Values are rounded to 1 / 262140.
              QVERIFY2(std::abs(static_cast<double>(size.get(x, y, 0)) - length) < 6e-6,
                       at.c_str());
              if (length > 1e-3) {
                double off = std::abs(static_cast<double>(method.get(x, y, 0)) -
                                      std::fmod(2 * turn_of(gx, gy), 1.0));
                off = std::min(off, 1 - off);
                QVERIFY2(off < 4e-6 / length + 1e-6, at.c_str());
              }
              const float ridge = thin.get(x, y, 0);
              QVERIFY2(ridge == 0 || ridge == size.get(x, y, 0), at.c_str());
              ridges += ridge != 0 ? 1 : 0;
            }
          }
          QVERIFY(ridges > 200 && ridges < 61 * 44 / 2);
        }
      }
    }
  }

  void sigma_is_the_gaussian_filter() {
    Image picture = picture_of("photograph", format_of(120, 90, 1, SampleType::f32));
    const Words gradient{{"sigma", "0"}, {"show", "magnitude"}};
    for (const char* sigma : {"0.8", "1.4", "6.3"}) {
      for (const auto& [label, session] : everywhere()) {
        Image blurred = render(*session, "gaussian",
                               {{"sigma", sigma}, {"light", "display"}, {"method", "separable"}},
                               picture, picture.format);
        Image want = render(*session, "canny", gradient, blurred, picture.format);
        Image got = render(*session, "canny", {{"sigma", sigma}, {"show", "magnitude"}}, picture,
                           picture.format);
        // At the outermost pixels, the gradient meets the border of the blurred picture, or the
        // blurred border.
        double worst = 0;
        for (int y = 1; y < 89; ++y) {
          for (int x = 1; x < 119; ++x) {
            worst = std::max(worst,
                             static_cast<double>(std::abs(got.get(x, y, 0) - want.get(x, y, 0))));
          }
        }
        QVERIFY2(worst < 5e-5, qPrintable(QString("%1: %2").arg(label.c_str()).arg(worst)));
      }
    }
  }

  void gaps_are_closed_by_widening() {
    for (const SampleType type : {SampleType::u8, SampleType::f32}) {
      for (const int channels : {1, 3}) {
        Image picture = picture_of("discs", format_of(203, 77, channels, type));
        for (const int reach : {1, 3, 40}) {
          for (const auto& [label, session] : everywhere()) {
            Image thin = render(*session, "canny", {{"sigma", "0"}}, picture, picture.format);
            Image wide =
                render(*session, "canny", {{"sigma", "0"}, {"close_gaps", std::to_string(reach)}},
                       picture, picture.format);
            Image want(picture.format);
            int edges = 0;
            for (int y = 0; y < 77; ++y) {
              for (int x = 0; x < 203; ++x) {
                if (thin.get(x, y, 0) == 0) continue;
                ++edges;
                for (int j = std::max(0, y - reach); j <= std::min(76, y + reach); ++j) {
                  for (int i = std::max(0, x - reach); i <= std::min(202, x + reach); ++i) {
                    for (int c = 0; c < channels; ++c) want.set(i, j, c, 1.0f);
                  }
                }
              }
            }
            QVERIFY2(edges > 0 && edges < 203 * 77, label.c_str());
            same_pixels(wide, want, label + ", " + std::to_string(reach) + " px");
            if (QTest::currentTestFailed()) return;
          }
        }
      }
    }
  }

  // A transparent region has no edges, whatever its colours, not even along its boundary.
  void nothing_comes_from_what_is_transparent() {
    for (const SampleType type : {SampleType::u8, SampleType::f32}) {
      Image picture(format_of(60, 40, 4, type));
      std::uint32_t seed = 9;
      for (int y = 0; y < 40; ++y) {
        for (int x = 0; x < 60; ++x) {
          const bool clear = x > 20 && x < 40 && y > 10 && y < 30;
          for (int c = 0; c < 3; ++c) picture.set(x, y, c, clear ? noise_at(seed) : 0.8f);
          picture.set(x, y, 3, clear ? 0.0f : 1.0f);
        }
      }
      for (const char* sigma : {"0", "1.4"}) {
        for (const auto& [label, session] : everywhere()) {
          Image got = render(*session, "canny", {{"sigma", sigma}, {"low_threshold", "0.001"}},
                             picture, picture.format);
          for (int y = 0; y < 40; ++y) {
            for (int x = 0; x < 60; ++x) {
              QCOMPARE(got.get(x, y, 3), picture.get(x, y, 3));
              const bool clear = picture.get(x, y, 3) == 0;
              QCOMPARE(got.get(x, y, 0), clear ? picture.get(x, y, 0) : 0.0f);
            }
          }
        }
      }
    }
  }

  void gradients_reach_as_far_as_is_promised() {
    Image picture(format_of(16, 12, 3, SampleType::f32));
    for (int y = 0; y < 12; ++y) {
      for (int x = 0; x < 16; ++x) {
        for (int c = 0; c < 3; ++c) picture.set(x, y, c, x < 8 ? -170.0f : 170.0f);
      }
    }
    for (const char* kind : {"sobel", "2x2"}) {
      for (const auto& [label, session] : everywhere()) {
        Image got =
            render(*session, "canny",
                   {{"sigma", "0"}, {"operator", kind}, {"light", "stored"}, {"show", "magnitude"}},
                   picture, picture.format);
        // For a step between two pixels, Sobel's operator sees half on each.
        const float want = kind[0] == '2' ? 340 : 170;
        QVERIFY2(std::abs(got.get(7, 5, 0) - want) < 0.01,
                 qPrintable(QString::number(got.get(7, 5, 0))));
      }
    }
  }

  void what_is_not_a_number_is_reported() {
    Image picture = picture_of("discs", format_of(50, 50, 3, SampleType::f32));
    picture.set(20, 20, 1, std::nanf(""));
    picture.set(30, 20, 0, INFINITY);
    Image zeros = picture;
    zeros.set(20, 20, 1, 0.0f);
    zeros.set(30, 20, 0, 0.0f);
    for (const Runner& runner : runners()) {
      SessionOptions options;
      options.device = runner.device.name;
      options.form = runner.form;
      Session session(options);
      Image got(picture.format);
      MemorySource source(picture.format, picture.view());
      MemorySink sink(picture.format, got.view());
      const RenderReport report = session.render(one_step("canny", Words{}), source, sink);
      QCOMPARE(report.warnings.size(), 1u);
      QVERIFY(in_english(report.warnings[0]).find("not finite") != std::string::npos);
      Image want = render(session, "canny", {}, zeros, picture.format);
      same_pixels(got, want, runner.label);
    }
  }
};

QTEST_GUILESS_MAIN(TestCanny)
#include "test_canny.moc"
