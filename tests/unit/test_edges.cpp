// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// canny and edges against direct sums, an independent flood fill, and OpenCV where that is
// installed.
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "params/errors.hpp"
#include "support/devices.hpp"
#include "support/pictures.hpp"

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

constexpr const char* borders[] = {"clamp", "mirror", "wrap", "zero", "renormalise"};

// Display-coded, as both filters work: no conversion comes between.
PictureFormat format_of(int w, int h, int channels, SampleType type) {
  const bool alpha = channels == 2 || channels == 4;
  return {w, h, channels, type, alpha ? AlphaKind::straight : AlphaKind::none, Coding::srgb()};
}

using Words = std::vector<std::pair<std::string, std::string>>;

std::string number(double v) {
  return QString::number(v, 'g', 17).toStdString();
}

// Pictures that a detector of edges meets, in 0..1, the same in all colours.
float pixel_of(const std::string& kind, int x, int y, int w, int h, std::uint32_t& seed) {
  const auto fx = static_cast<float>(x), fy = static_cast<float>(y);
  const float noise = noise_at(seed);
  if (kind == "noise") return noise;
  if (kind == "ramps") return std::fmod(fx * 0.013f + fy * 0.007f, 1.0f);
  if (kind == "steps") return x > w / 2 ? (y > h / 3 ? 0.9f : 0.5f) : (y > 2 * h / 3 ? 0.6f : 0.1f);
  if (kind == "discs") {
    const float dx = std::fmod(fx, 37.0f) - 18, dy = std::fmod(fy, 31.0f) - 15;
    return dx * dx + dy * dy < 140 ? 0.8f : 0.2f;
  }
  // Like a photograph: slow shading, objects, texture, and grain.
  const float shade = 0.4f + 0.2f * std::sin(fx * 0.05f) * std::cos(fy * 0.041f);
  const float object = std::sin(fx * 0.11f + std::sin(fy * 0.07f) * 3) > 0.4f ? 0.25f : 0.0f;
  return std::clamp(shade + object + 0.06f * std::sin(fx * 1.3f + fy) + 0.05f * (noise - 0.5f),
                    0.0f, 1.0f);
}

Image picture_of(const std::string& kind, const PictureFormat& format) {
  Image image(format);
  std::uint32_t seed = 5;
  const int colors = format.color_channels();
  for (int y = 0; y < format.height; ++y) {
    for (int x = 0; x < format.width; ++x) {
      const float v = pixel_of(kind, x, y, format.width, format.height, seed);
      for (int c = 0; c < format.channels; ++c) image.set(x, y, c, c < colors ? v : 1.0f);
    }
  }
  return image;
}

// The coordinate that stands for i, or -1.
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

// Weighted sum over the 3 x 3 pixels around (x, y) of channel c, in float64.
double sum_around(Image& image, int x, int y, int c, const std::string& border,
                  const std::array<double, 9>& weights) {
  double sum = 0;
  for (int i = 0; i < 9; ++i) {
    const int px = place(x + i % 3 - 1, image.format.width, border);
    const int py = place(y + i / 3 - 1, image.format.height, border);
    const bool outside = px < 0 || py < 0;
    double v = outside ? 0 : static_cast<double>(image.get(px, py, c));
    // What was dropped is as the middle.
    if (outside && border == "renormalise") v = static_cast<double>(image.get(x, y, c));
    sum += weights[static_cast<std::size_t>(i)] * v;
  }
  return sum;
}

struct Weights {
  std::array<double, 9> across, down;
};
const std::map<std::string, Weights> gradients{
    {"sobel",
     {{-.125, 0, .125, -.25, 0, .25, -.125, 0, .125},
      {-.125, -.25, -.125, 0, 0, 0, .125, .25, .125}}},
    {"prewitt",
     {{-1 / 6., 0, 1 / 6., -1 / 6., 0, 1 / 6., -1 / 6., 0, 1 / 6.},
      {-1 / 6., -1 / 6., -1 / 6., 0, 0, 0, 1 / 6., 1 / 6., 1 / 6.}}},
    {"scharr",
     {{-3 / 32., 0, 3 / 32., -10 / 32., 0, 10 / 32., -3 / 32., 0, 3 / 32.},
      {-3 / 32., -10 / 32., -3 / 32., 0, 0, 0, 3 / 32., 10 / 32., 3 / 32.}}},
    {"roberts", {{0, 0, 0, 0, -.5, .5, 0, -.5, .5}, {0, 0, 0, 0, -.5, -.5, 0, .5, .5}}}};

// The direction of brightening as a part of a full turn, upwards; 0 where there is none.
double turn_of(double across, double down) {
  if (across == 0 && down == 0) return 0;
  const double turn = std::atan2(-down, across) / (2 * std::numbers::pi);
  return turn < 0 ? turn + 1 : turn;
}

// Pixels above `low` that hang together, corners too, with one above `high`.
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
      // The turn joins the bar of this lane with that of the next.
      if (within < step - thick) {
        on = inside && lane > 0 && lane <= format.height / step - 1 &&
             (lane % 2 == 1 ? x >= format.width - 8 - thick : x < 8 + thick);
      }
      if (std::abs(x - cut_x) < 3 && std::abs(y - cut_y) < step / 2) on = false;
      // Fading slowly: a step would break the edges along it.
      const float fading = lane == 0 && bright ? 1.0f - 0.004f * static_cast<float>(x - 8) : 0.0f;
      image.set(x, y, 0, on ? std::max(fading, 60.0f / 255) : 0.0f);
    }
  }
  return image;
}

}  // namespace

class TestEdges : public QObject {
  Q_OBJECT

 private:
  std::map<std::string, std::unique_ptr<Session>> sessions_;

  // Each device in each form, and the reference.
  std::vector<std::pair<std::string, Session*>> everywhere() {
    if (sessions_.empty()) {
      for (const Runner& runner : runners()) {
        SessionOptions options;
        options.device = runner.device.name;
        options.form = runner.form;
        options.memory_limit = std::size_t{1} << 30;
        sessions_[runner.label] = std::make_unique<Session>(options);
      }
      SessionOptions options;
      options.device = "reference";
      sessions_["reference"] = std::make_unique<Session>(options);
    }
    std::vector<std::pair<std::string, Session*>> all;
    for (const auto& [label, session] : sessions_) all.emplace_back(label, session.get());
    return all;
  }

  // Runs without a device falling back to another.
  Image render(Session& session, const std::string& filter, const Words& words, Image& picture,
               const PictureFormat& output) {
    Image got(output);
    MemorySource source(picture.format, picture.view());
    MemorySink sink(output, got.view());
    const RenderReport report = session.render(one_step(filter, words), source, sink);
    if (!report.warnings.empty()) qWarning("%s", report.warnings[0].c_str());
    if (!report.warnings.empty()) QTest::qFail(report.warnings[0].c_str(), __FILE__, __LINE__);
    return got;
  }

  void same_pixels(Image& got, Image& want, const std::string& what) {
    const double worst = largest_difference(got, want);
    QVERIFY2(worst == 0, qPrintable(QString("%1: differs by %2").arg(what.c_str()).arg(worst)));
  }

  static PictureFormat floats(const PictureFormat& format) {
    PictureFormat out = format;
    out.type = SampleType::f32;
    return out;
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

  // Depths, colours and opaque alpha change nothing.
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
        for (const auto& [label, session] : everywhere()) {
          Image thin = render(*session, "canny", {{"sigma", "0.7"}, {"show", "thinned"}}, picture,
                              picture.format);
          Image got = render(
              *session, "canny",
              {{"sigma", "0.7"}, {"low_threshold", number(low)}, {"high_threshold", number(high)}},
              picture, picture.format);
          const std::vector<bool> want = flooded(thin, low, high);
          for (int y = 0; y < 210; ++y) {
            for (int x = 0; x < 333; ++x) {
              if ((got.get(x, y, 0) != 0) == want[static_cast<std::size_t>(y * 333 + x)]) continue;
              QFAIL(qPrintable(QString("%1, %2: (%3, %4)").arg(kind, label.c_str()).arg(x).arg(y)));
            }
          }
        }
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
      // At the low threshold alone, both halves are there.
      Image all = render(*session, "canny",
                         {{"sigma", "1"}, {"low_threshold", "0.02"}, {"high_threshold", "0.02"}},
                         cut, format);
      QCOMPARE(count(all, 320, 608), below);
    }
  }

  // A step whose height dips, at one pixel just below the low threshold; strong at its left end.
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
      const auto columns = [&](double codes) {
        Image edges = render(
            *session, "canny",
            {{"sigma", "0"}, {"low_threshold", number(codes / 255 / 2)}, {"high_threshold", "0.3"}},
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
        QVERIFY(std::string(e.what()).find("high-threshold") != std::string::npos);
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
          Image way = render(*session, "canny", words("direction"), picture, picture.format);
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
                double off = std::abs(static_cast<double>(way.get(x, y, 0)) -
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
        // On the outermost pixels the gradient meets the blurred picture's border, or a border's
        // blur.
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
            for (int y = 0; y < 77; ++y) {
              for (int x = 0; x < 203; ++x) {
                if (thin.get(x, y, 0) == 0) continue;
                for (int j = std::max(0, y - reach); j <= std::min(76, y + reach); ++j) {
                  for (int i = std::max(0, x - reach); i <= std::min(202, x + reach); ++i) {
                    for (int c = 0; c < channels; ++c) want.set(i, j, c, 1.0f);
                  }
                }
              }
            }
            same_pixels(wide, want, label + ", " + std::to_string(reach) + " px");
            if (QTest::currentTestFailed()) return;
          }
        }
      }
    }
  }

  // A transparent region makes no edges, whatever its colours, not even along its rim.
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

  void what_is_not_a_number_is_told() {
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
      QVERIFY(report.warnings[0].find("not finite") != std::string::npos);
      Image want = render(session, "canny", {}, zeros, picture.format);
      same_pixels(got, want, runner.label);
    }
  }

  void direct_sums_of_every_operator_data() {
    QTest::addColumn<QString>("border");
    for (const char* border : borders) QTest::newRow(border) << border;
  }
  void direct_sums_of_every_operator() {
    QFETCH(QString, border);
    const std::string rule = border.toStdString();
    for (const int channels : {1, 3}) {
      Image picture(format_of(53, 31, channels, SampleType::f32));
      std::uint32_t seed = 2;
      for (int y = 0; y < 31; ++y) {
        for (int x = 0; x < 53; ++x) {
          for (int c = 0; c < channels; ++c) picture.set(x, y, c, 3 * noise_at(seed) - 1);
        }
      }
      for (const auto& [label, session] : everywhere()) {
        const auto check = [&](const char* name, const char* show, const auto& want,
                               double allowed) {
          Image got =
              render(*session, "edges", {{"operator", name}, {"show", show}, {"border", rule}},
                     picture, picture.format);
          for (int y = 0; y < 31; ++y) {
            for (int x = 0; x < 53; ++x) {
              for (int c = 0; c < channels; ++c) {
                const double right = want(x, y, c);
                double off = std::abs(static_cast<double>(got.get(x, y, c)) - right);
                if (std::string(show) == "direction") off = std::min(off, 1 - off);
                if (off <= allowed || std::isnan(right)) continue;
                QFAIL(qPrintable(QString("%1 %2, %3: (%4, %5) is off by %6")
                                     .arg(name, show, label.c_str())
                                     .arg(x)
                                     .arg(y)
                                     .arg(off)));
              }
            }
          }
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
                // Next to nothing may point anywhere.
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

  // A ramp of 1 a pixel is 1, whichever operator looks at it.
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
            const auto value = [&](const char* show) {
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

  // Float files keep the sign; integer files cut it off, or are given an offset.
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
