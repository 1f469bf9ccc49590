// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// median compared bit for bit with sorting every window, and with OpenCV if installed.
// Slow: not built with sanitizers, where small_kernels runs every filter.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <map>

#include "device/passes.hpp"
#include "support/devices.hpp"
#include "support/pictures.hpp"
#include "support/sessions.hpp"

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

// Display-coded, as in the filter, so that no conversion is involved.
PictureFormat format_of(int w, int h, int channels, SampleType type) {
  const bool alpha = channels == 2 || channels == 4;
  return {w, h, channels, type, alpha ? AlphaKind::straight : AlphaKind::none, Coding::srgb()};
}

// Noise, flat parts, few levels, an edge and specks, below 0 and above 1 if the type allows. Some
// pixels are transparent.
Image hard_picture(const PictureFormat& format, std::uint32_t seed = 7) {
  Image image(format);
  for (int y = 0; y < format.height; ++y) {
    for (int x = 0; x < format.width; ++x) {
      for (int c = 0; c < format.channels; ++c) {
        float v = noise_at(seed);
        const int kind = (3 * x / format.width + 2 * (2 * y / format.height)) % 5;
        if (kind == 1) v = std::floor(v * 4) / 4;
        if (kind == 2) v = 0.5f;
        if (kind == 3) v = v * 3 - 1;
        if (kind == 4 && v < 0.9f) v = x % 7 < 3 ? 0.25f : 0.75f;
        if (format.has_alpha() && c == format.channels - 1) {
          v = noise_at(seed) < 0.2f ? 0.0f : kind == 2 ? 0.5f : 1.0f;
        }
        image.set(x, y, c, v);
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

struct Sample {
  float value[4];
  float luminance;
};

// NaN is the largest.
bool less(float a, float b) {
  return std::isnan(b) ? !std::isnan(a) : a < b;
}

Image oracle(Image& image, int rx, int ry, const std::string& border, bool luminance) {
  const PictureFormat f = image.format;
  Image out(f);
  const int colors = f.color_channels();
  for (int y = 0; y < f.height; ++y) {
    for (int x = 0; x < f.width; ++x) {
      for (int c = 0; c < f.channels; ++c) out.set(x, y, c, image.get(x, y, c));
      if (f.has_alpha() && image.get(x, y, colors) == 0.0f) continue;
      std::vector<Sample> samples;
      for (int j = -ry; j <= ry; ++j) {
        for (int i = -rx; i <= rx; ++i) {
          const int px = place(x + i, f.width, border), py = place(y + j, f.height, border);
          const bool outside = px < 0 || py < 0;
          if (outside && (border == "renormalise" || f.has_alpha())) continue;
          Sample s = {};
          for (int c = 0; c < colors && !outside; ++c) s.value[c] = image.get(px, py, c);
          if (!outside && f.has_alpha() && image.get(px, py, colors) == 0.0f) continue;
          s.luminance = colors < 3 ? s.value[0]
                                   : std::fma(0.0722f, s.value[2],
                                              std::fma(0.7152f, s.value[1], 0.2126f * s.value[0]));
          samples.push_back(s);
        }
      }
      const std::size_t middle = (samples.size() - 1) / 2;
      const auto at = static_cast<std::ptrdiff_t>(middle);
      if (luminance) {
        std::stable_sort(samples.begin(), samples.end(), [](const Sample& a, const Sample& b) {
          return less(a.luminance, b.luminance);
        });
        // The first of equals.
        std::size_t first = middle;
        while (first > 0 && !less(samples[first - 1].luminance, samples[middle].luminance)) --first;
        for (int c = 0; c < colors; ++c) out.set(x, y, c, samples[first].value[c]);
        continue;
      }
      for (int c = 0; c < colors; ++c) {
        std::nth_element(
            samples.begin(), samples.begin() + at, samples.end(),
            [c](const Sample& a, const Sample& b) { return less(a.value[c], b.value[c]); });
        out.set(x, y, c, samples[middle].value[c]);
      }
    }
  }
  return out;
}

using Words = std::vector<std::pair<std::string, std::string>>;

}  // namespace

class TestMedian : public QObject {
  Q_OBJECT

 private:
  Sessions sessions_{std::size_t{1} << 30};

  // Every device and form gives exactly `want`.
  void compare(Image& picture, const Words& words, Image& want, const std::string& what) {
    for (const Runner& runner : runners()) {
      Image got(picture.format);
      MemorySource source(picture.format, picture.view());
      MemorySink sink(picture.format, got.view());
      const RenderReport report =
          sessions_.on(runner).render(one_step("median", words), source, sink);
      const std::string label = what + ", " + runner.label;
      QVERIFY2(
          report.warnings.empty(),
          (label + ": " + (report.warnings.empty() ? "" : in_english(report.warnings[0]))).c_str());
      const double worst = largest_difference(got, want);
      QVERIFY2(worst == 0, qPrintable(QString("%1: differs by %2").arg(label.c_str()).arg(worst)));
    }
  }

 private slots:
  void the_middle_of_every_window_data() {
    QTest::addColumn<int>("radius");
    for (const int r : {1, 2, 3, 4, 5, 6, 7, 8, 20, 60}) QTest::addRow("radius %d", r) << r;
  }
  void the_middle_of_every_window() {
    QFETCH(int, radius);
    const int w = radius > 20 ? 13 : 53, h = radius > 20 ? 9 : 31;
    for (const SampleType type :
         {SampleType::u8, SampleType::u16, SampleType::f16, SampleType::f32}) {
      for (const int channels : {1, 3, 4}) {
        Image picture = hard_picture(format_of(w, h, channels, type));
        for (const char* border : borders) {
          // Large windows take long to sort, and the remaining cases differ little.
          const bool whole = type == SampleType::u8 || type == SampleType::f32;
          if (radius >= 20 && (channels == 3 || !whole)) continue;
          for (const char* mode : {"each", "luminance"}) {
            const bool luminance = std::string(mode) == "luminance";
            // The luminance of samples depends on their conversion to numbers, which is the
            // engine's.
            if (luminance && (type != SampleType::f32 || channels == 1)) continue;
            Image want = oracle(picture, radius, radius, border, luminance);
            compare(picture,
                    {{"radius", std::to_string(radius)}, {"channels", mode}, {"border", border}},
                    want,
                    std::string(mode) + ", " + border + ", type " +
                        std::to_string(static_cast<int>(type)) + ", " + std::to_string(channels) +
                        " channels");
            if (QTest::currentTestFailed()) return;
          }
        }
      }
    }
  }

  // Larger than what an item or a group computes at once.
  void small_windows_meet_without_seams_data() {
    QTest::addColumn<int>("radius");
    for (const int r : {2, 3, 4, 5, 6, 7}) QTest::addRow("radius %d", r) << r;
  }
  void small_windows_meet_without_seams() {
    QFETCH(int, radius);
    for (const SampleType type : {SampleType::u8, SampleType::f32}) {
      for (const int channels : {1, 3, 4}) {
        Image picture = hard_picture(format_of(151, 67, channels, type));
        Image want = oracle(picture, radius, radius, "renormalise", false);
        compare(picture, {{"radius", std::to_string(radius)}, {"border", "renormalise"}}, want,
                "type " + std::to_string(static_cast<int>(type)) + ", " + std::to_string(channels) +
                    " channels");
        if (QTest::currentTestFailed()) return;
      }
    }
  }

  // Larger than the tiles processed at once.
  void large_windows_meet_without_seams() {
    for (const SampleType type : {SampleType::u8, SampleType::f32}) {
      Image picture = hard_picture(format_of(151, 139, 2, type));
      Image want = oracle(picture, 33, 33, "mirror", false);
      compare(picture, {{"radius", "33"}, {"border", "mirror"}}, want, "radius 33");
    }
  }

  void iterations_run_one_after_another() {
    for (const SampleType type : {SampleType::u8, SampleType::f32}) {
      Image picture = hard_picture(format_of(40, 27, 4, type));
      for (const char* border : borders) {
        Image want = oracle(picture, 2, 2, border, false);
        for (int i = 1; i < 3; ++i) want = oracle(want, 2, 2, border, false);
        compare(picture, {{"radius", "2"}, {"iterations", "3"}, {"border", border}}, want, border);
      }
    }
  }

  void separable_is_rows_then_columns() {
    for (const int radius : {1, 2, 4, 11, 40}) {
      for (const int channels : {1, 4}) {
        Image picture = hard_picture(format_of(58, 45, channels, SampleType::f32));
        for (const char* border : borders) {
          Image rows = oracle(picture, radius, 0, border, false);
          Image want = oracle(rows, 0, radius, border, false);
          compare(picture,
                  {{"radius", std::to_string(radius)}, {"method", "separable"}, {"border", border}},
                  want, border);
          if (QTest::currentTestFailed()) return;
        }
      }
    }
  }

  // Rows and columns are found bit by bit where the square is found by a network.
  void separable_takes_the_memory_that_it_states() {
    const RegisteredFilter& entry = Registry::get().at("median");
    const Values values =
        one_step("median", {{"radius", "2"}, {"method", "separable"}}).steps[0].values;
    for (const Runner& runner : runners()) {
      for (const int channels : {1, 4}) {
        Picture picture;
        picture.width = 512;
        picture.height = 383;  // just below sizes to which the pool rounds up
        picture.channels = channels;
        const auto prepared =
            entry.filter->prepare(values, picture, target_of(runner.device, runner.form));
        DeviceContext context(runner.device, runner.form, std::size_t{1} << 30,
                              std::size_t{1} << 30, {});
        const TileJob job{context.image(picture.rect(), channels),
                          Edge(picture.rect(), Border::clamp),
                          context.image(picture.rect(), channels),
                          {}};
        const std::size_t before = context.pool().peak();
        Passes passes(context, *entry.source);
        prepared->run(job, passes);
        context.finish();
        const auto taken = static_cast<double>(context.pool().peak() - before);
        const Needs needs = prepared->needs();
        const double stated = 512 * 383 * needs.scratch_per_pixel;
        QVERIFY2(
            taken <= stated + (1 << 18) + static_cast<double>(needs.scratch),
            qPrintable(QString("%1: %2 of %3").arg(runner.label.c_str()).arg(taken).arg(stated)));
      }
    }
  }

  void separable_of_nine_has_rank_4_5_or_6() {
    Image picture(format_of(64, 48, 1, SampleType::f32));
    std::uint32_t seed = 11;
    for (int y = 0; y < 48; ++y) {
      for (int x = 0; x < 64; ++x) picture.set(x, y, 0, noise_at(seed));
    }
    for (const Runner& runner : runners()) {
      Image got =
          run(sessions_.on(runner), one_step("median", {{"radius", "1"}, {"method", "separable"}}),
              picture, picture.format);
      std::map<int, int> ranks;
      for (int y = 1; y < 47; ++y) {
        for (int x = 1; x < 63; ++x) {
          int rank = 1;
          for (int i = 0; i < 9; ++i) {
            rank += picture.get(x + i % 3 - 1, y + i / 3 - 1, 0) < got.get(x, y, 0) ? 1 : 0;
          }
          ++ranks[rank];
        }
      }
      QCOMPARE(ranks.size(), 3u);
      QVERIFY(ranks[4] > 0 && ranks[5] > ranks[4] && ranks[6] > 0);
    }
  }

  void what_is_not_a_number_is_the_largest() {
    Image picture = hard_picture(format_of(48, 36, 3, SampleType::f32));
    std::uint32_t seed = 3;
    for (int y = 0; y < 36; ++y) {
      for (int x = 0; x < 48; ++x) {
        const float which = noise_at(seed);
        const float many = x < 24 ? 0.1f : 0.6f;
        if (which < many) picture.set(x, y, 1, std::copysign(std::nanf(""), which - many / 2));
        if (which > 0.95f) picture.set(x, y, 1, std::copysign(INFINITY, which - 0.975f));
      }
    }
    for (const int radius : {1, 2, 3, 4, 7, 12}) {
      for (const char* mode : {"each", "luminance"}) {
        Image want = oracle(picture, radius, radius, "mirror", std::string(mode) == "luminance");
        compare(picture,
                {{"radius", std::to_string(radius)}, {"channels", mode}, {"border", "mirror"}},
                want, mode);
      }
    }
  }

  void a_constant_stays() {
    for (const SampleType type :
         {SampleType::u8, SampleType::u16, SampleType::f16, SampleType::f32}) {
      Image picture(format_of(50, 40, 3, type));
      for (int y = 0; y < 40; ++y) {
        for (int x = 0; x < 50; ++x) {
          for (int c = 0; c < 3; ++c) picture.set(x, y, c, 0.4f * static_cast<float>(c));
        }
      }
      for (const char* radius : {"1", "2", "6", "40"}) {
        compare(picture, {{"radius", radius}}, picture, std::string("radius ") + radius);
      }
    }
  }

  void a_radius_of_nothing_changes_nothing() {
    Image picture = hard_picture(format_of(20, 20, 4, SampleType::u16));
    for (const Runner& runner : runners()) {
      Image got =
          run(sessions_.on(runner), one_step("median", {{"radius", "0"}}), picture, picture.format);
      QVERIFY(got.bytes == picture.bytes);
    }
  }

#ifdef SFUMATO_HAVE_OPENCV
  void opencv_finds_the_same() {
    for (const SampleType type : {SampleType::u8, SampleType::u16, SampleType::f32}) {
      const int depth = type == SampleType::u8 ? CV_8U : type == SampleType::u16 ? CV_16U : CV_32F;
      for (const int channels : {1, 3}) {
        Image picture = hard_picture(format_of(133, 97, channels, type));
        for (const int radius : {1, 2, 3, 7, 15, 45, 63, 127}) {
          if (radius > 2 && type != SampleType::u8) continue;
          Image want(picture.format);
          const auto pitch = static_cast<std::size_t>(picture.view().row_stride);
          const cv::Mat from(97, 133, CV_MAKETYPE(depth, channels), picture.bytes.data(), pitch);
          cv::Mat to(97, 133, CV_MAKETYPE(depth, channels), want.bytes.data(), pitch);
          cv::medianBlur(from, to, 2 * radius + 1);
          QVERIFY(to.data == reinterpret_cast<uchar*>(want.bytes.data()));
          compare(picture, {{"radius", std::to_string(radius)}}, want,
                  "radius " + std::to_string(radius));
        }
      }
    }
  }
#endif
};

QTEST_GUILESS_MAIN(TestMedian)
#include "test_median.moc"
