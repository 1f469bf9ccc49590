// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// morphology compared bit for bit with every sample of the element, and with OpenCV if installed.
// Slow: not built with sanitizers, where small_kernels runs every filter.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <map>

#include "filters/morphology/plan.hpp"
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
constexpr const char* shapes[] = {"square", "disk", "diamond"};
constexpr const char* operations[] = {"dilate",   "erode",  "open",    "close",
                                      "gradient", "tophat", "blackhat"};

// Display-coded, as in the filter, so that no conversion is involved.
PictureFormat format_of(int w, int h, int channels, SampleType type) {
  const bool alpha = channels == 2 || channels == 4;
  return {w, h, channels, type, alpha ? AlphaKind::straight : AlphaKind::none, Coding::srgb()};
}

// Noise over a step, below 0 and above 1 if the type allows; some pixels are transparent.
Image noisy(const PictureFormat& format, std::uint32_t seed = 7) {
  Image image(format);
  for (int y = 0; y < format.height; ++y) {
    for (int x = 0; x < format.width; ++x) {
      for (int c = 0; c < format.channels; ++c) {
        float v = noise_at(seed) * (x > format.width / 2 ? 1.4f : 0.8f) - 0.2f;
        if (format.has_alpha() && c == format.channels - 1) {
          v = noise_at(seed) < 0.2f ? 0.0f : y % 3 == 0 ? 0.5f : 1.0f;
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

bool inside(const std::string& shape, int dx, int dy, int r) {
  if (shape == "disk") return dx * dx + dy * dy <= r * r;
  if (shape == "diamond") return std::abs(dx) + std::abs(dy) <= r;
  return std::abs(dx) <= r && std::abs(dy) <= r;
}

// One dilation or erosion, sample by sample.
Image extreme(Image& image, bool largest, const std::string& shape, int r,
              const std::string& border) {
  const PictureFormat f = image.format;
  Image out(f);
  const int colors = f.color_channels();
  for (int y = 0; y < f.height; ++y) {
    for (int x = 0; x < f.width; ++x) {
      for (int c = 0; c < f.channels; ++c) out.set(x, y, c, image.get(x, y, c));
      if (f.has_alpha() && image.get(x, y, colors) == 0.0f) continue;
      for (int c = 0; c < colors; ++c) {
        bool any = false;
        float best = 0;
        for (int j = -r; j <= r; ++j) {
          for (int i = -r; i <= r; ++i) {
            if (!inside(shape, i, j, r)) continue;
            const int px = place(x + i, f.width, border), py = place(y + j, f.height, border);
            const bool outside = px < 0 || py < 0;
            if (outside && (border == "renormalise" || f.has_alpha())) continue;
            if (!outside && f.has_alpha() && image.get(px, py, colors) == 0.0f) continue;
            const float v = outside ? 0.0f : image.get(px, py, c);
            if (std::isnan(v)) continue;
            if (!any || (largest ? v > best : v < best)) best = v;
            any = true;
          }
        }
        if (any) out.set(x, y, c, best);
      }
    }
  }
  return out;
}

Image oracle(Image& image, const std::string& operation, const std::string& shape, int r,
             const std::string& border) {
  const auto once = [&](Image& from, bool largest) {
    return extreme(from, largest, shape, r, border);
  };
  const auto less = [](Image& a, Image& b) {
    Image out(a.format);
    const int colors = a.format.color_channels();
    for (int y = 0; y < a.format.height; ++y) {
      for (int x = 0; x < a.format.width; ++x) {
        const bool clear = a.format.has_alpha() && a.get(x, y, colors) == 0.0f;
        for (int c = 0; c < a.format.channels; ++c) {
          const bool keeps = clear || c >= colors;
          out.set(x, y, c, keeps ? a.get(x, y, c) : a.get(x, y, c) - b.get(x, y, c));
        }
      }
    }
    return out;
  };
  if (operation == "dilate" || operation == "erode") return once(image, operation == "dilate");
  if (operation == "gradient") {
    Image high = once(image, true), low = once(image, false);
    return less(high, low);
  }
  const bool opens = operation == "open" || operation == "tophat";
  Image middle = once(image, !opens), both = once(middle, opens);
  if (operation == "tophat") return less(image, both);
  if (operation == "blackhat") return less(both, image);
  return both;
}

using Words = std::vector<std::pair<std::string, std::string>>;

}  // namespace

class TestMorphology : public QObject {
  Q_OBJECT

 private:
  Sessions sessions_{std::size_t{1} << 30};

  void check(Session& session, const std::string& where, Image& picture, const Words& words,
             Image& want) {
    Image got(picture.format);
    MemorySource source(picture.format, picture.view());
    MemorySink sink(picture.format, got.view());
    const RenderReport report = session.render(one_step("morphology", words), source, sink);
    std::string label = where;
    for (const auto& [name, text] : words) label += " " + name + "=" + text;
    QVERIFY2(
        report.warnings.empty(),
        (label + ": " + (report.warnings.empty() ? "" : in_english(report.warnings[0]))).c_str());
    const double worst = largest_difference(got, want);
    QVERIFY2(worst == 0, qPrintable(QString("%1: differs by %2").arg(label.c_str()).arg(worst)));
  }

  // Every device and form, and the reference, give exactly `want`.
  void compare(Image& picture, const Words& words, Image& want) {
    for (const Runner& runner : runners()) {
      check(sessions_.on(runner.label, runner.device.name, runner.form), runner.label, picture,
            words, want);
      if (QTest::currentTestFailed()) return;
    }
    check(sessions_.on("reference", "reference", {}), "reference", picture, words, want);
  }

 private slots:
  void every_sample_of_the_element_data() {
    QTest::addColumn<int>("radius");
    for (const int r : {0, 1, 2, 3, 7, 12, 13, 16, 40}) QTest::addRow("radius %d", r) << r;
  }
  void every_sample_of_the_element() {
    QFETCH(int, radius);
    const int w = radius > 7 ? 23 : 53, h = radius > 7 ? 17 : 31;
    for (const SampleType type : {SampleType::u8, SampleType::f32}) {
      for (const int channels : {1, 3, 4}) {
        Image picture = noisy(format_of(w, h, channels, type));
        for (const char* shape : shapes) {
          for (const char* border : borders) {
            const char* operation = (channels + shape[1]) % 2 == 0 ? "dilate" : "erode";
            Image want = oracle(picture, operation, shape, radius, border);
            compare(picture,
                    {{"operation", operation},
                     {"shape", shape},
                     {"radius", std::to_string(radius)},
                     {"border", border}},
                    want);
            if (QTest::currentTestFailed()) return;
          }
        }
      }
    }
  }

  void every_operation_data() {
    QTest::addColumn<QString>("operation");
    for (const char* operation : operations) QTest::newRow(operation) << operation;
  }
  void every_operation() {
    QFETCH(QString, operation);
    for (const SampleType type :
         {SampleType::u8, SampleType::u16, SampleType::f16, SampleType::f32}) {
      for (const int channels : {1, 2, 3, 4}) {
        if (type == SampleType::f16 && channels != 4) continue;
        // Differences of samples as numbers are rounded once more.
        const bool difference = operation == "gradient" || operation.endsWith("hat");
        if (difference && is_integer(type) && (type == SampleType::u16 || channels % 2 == 0)) {
          continue;
        }
        Image picture = noisy(format_of(41, 29, channels, type));
        for (const char* shape : shapes) {
          for (const char* border : borders) {
            Image want = oracle(picture, operation.toStdString(), shape, 3, border);
            compare(picture,
                    {{"operation", operation.toStdString()},
                     {"shape", shape},
                     {"radius", "3"},
                     {"border", border}},
                    want);
            if (QTest::currentTestFailed()) return;
          }
        }
      }
    }
  }

  // More than any group of items takes at once.
  void differences_in_long_rows() {
    for (const auto& [type, channels] : {std::pair(SampleType::f32, 4), {SampleType::u8, 1}}) {
      Image picture = noisy(format_of(1030, 3, channels, type));
      for (const char* operation : {"gradient", "tophat", "blackhat"}) {
        Image want = oracle(picture, operation, "disk", 1, "clamp");
        compare(picture, {{"operation", operation}, {"shape", "disk"}, {"radius", "1"}}, want);
        if (QTest::currentTestFailed()) return;
      }
    }
  }

  // Small squares larger than what is taken at once, across and down.
  void small_squares_in_large_pictures() {
    for (const auto& [type, channels] :
         {std::pair(SampleType::f32, 4), {SampleType::u8, 1}, {SampleType::u8, 3}}) {
      for (const auto& [w, h] : {std::pair(2070, 5), {5, 270}, {1, 1}}) {
        Image picture = noisy(format_of(w, h, channels, type));
        for (const char* border : {"clamp", "wrap", "zero"}) {
          for (const int radius : {1, 4}) {
            Image want = oracle(picture, "erode", "square", radius, border);
            compare(
                picture,
                {{"operation", "erode"}, {"radius", std::to_string(radius)}, {"border", border}},
                want);
            if (QTest::currentTestFailed()) return;
          }
        }
      }
    }
  }

  // Larger than the blocks processed at once: strips, bands and blocks meet without seams.
  void large_elements() {
    Image picture = noisy(format_of(331, 283, 1, SampleType::f32));
    Image packed = noisy(format_of(290, 267, 3, SampleType::u8));
    for (Image* image : {&picture, &packed}) {
      for (const char* shape : shapes) {
        // Few samples stand out, and they reveal the rest of the element.
        for (const int radius : {25, 130}) {
          const auto& f = image->format;
          Image want(f), sparse(f);
          std::uint32_t seed = 5;
          for (int k = 0; k < 9; ++k) {
            const int cx = static_cast<int>(noise_at(seed) * static_cast<float>(f.width));
            const int cy = static_cast<int>(noise_at(seed) * static_cast<float>(f.height));
            const float v = static_cast<float>(k + 1) / 15.0f;
            for (int c = 0; c < f.channels; ++c) {
              sparse.set(cx, cy, c, v);
              for (int y = 0; y < f.height; ++y) {
                for (int x = 0; x < f.width; ++x) {
                  if (inside(shape, x - cx, y - cy, radius)) {
                    want.set(x, y, c, std::max(v, want.get(x, y, c)));
                  }
                }
              }
            }
          }
          for (const Runner& runner : runners()) {
            check(sessions_.on(runner.label, runner.device.name, runner.form), runner.label, sparse,
                  {{"shape", shape}, {"radius", std::to_string(radius)}}, want);
            if (QTest::currentTestFailed()) return;
          }
        }
      }
    }
  }

  // Rows of the element above and below the centre, and that of the centre.
  void a_ring_holds_every_row_of_a_disk() {
    MorphologyRequest request;
    request.shape = MorphologyShape::disk;
    request.radius = 17;
    request.device.cpu = true;
    request.device.local_memory = 1 << 20;
    const Plane picture{0, 0, 300, 200, 304, 0};
    const PassPlan plan =
        plan_morphology(request, picture, Edge(picture.rect(), Border::clamp), picture);
    QCOMPARE(plan.passes.size(), std::size_t{1});
    const std::vector<PassArg>& args = plan.passes[0].args;
    const auto* ring = std::get_if<LocalArg>(&args.back());
    const int* span = std::get_if<int>(&args.at(args.size() - 4));
    QVERIFY(ring != nullptr && span != nullptr);
    QVERIFY(ring->bytes >= 35 * 16 * static_cast<std::size_t>(*span));
  }

  // So tall that a CPU form with little local memory processes one vector of columns at a time.
  void a_tall_element_in_little_local_memory() {
    Image one(format_of(300, 1100, 1, SampleType::f32)), want(one.format);
    one.set(7, 5, 0, 1.0f);
    for (int y = 0; y <= 5 + 990; ++y) {
      for (int x = 0; x < 300; ++x) want.set(x, y, 0, 1.0f);
    }
    for (const Runner& runner : runners()) {
      if (runner.form != Form::cpu) continue;
      SessionOptions options;
      options.device = runner.device.name;
      options.form = Form::cpu;
      options.local_memory = least_of_cpu_forms;
      Session session(options);
      check(session, runner.label, one, {{"shape", "square"}, {"radius", "990"}}, want);
    }
  }

  // Beyond the picture on all sides, and in several passes on GPUs.
  void elements_larger_than_the_picture_data() {
    QTest::addColumn<QString>("shape");
    for (const char* shape : shapes) QTest::newRow(shape) << shape;
  }
  void elements_larger_than_the_picture() {
    QFETCH(QString, shape);
    Image picture = noisy(format_of(1201, 3, 1, SampleType::f32));
    for (const char* border : {"clamp", "wrap", "zero"}) {
      Image want(picture.format);
      float best = border == std::string("zero") ? 0.0f : -10.0f;
      for (int y = 0; y < 3; ++y) {
        for (int x = 0; x < 1201; ++x) best = std::max(best, picture.get(x, y, 0));
      }
      for (int y = 0; y < 3; ++y) {
        for (int x = 0; x < 1201; ++x) want.set(x, y, 0, best);
      }
      for (const Runner& runner : runners()) {
        check(sessions_.on(runner.label, runner.device.name, runner.form), runner.label, picture,
              {{"radius", border == std::string("wrap") ? "1300" : "5000"},
               {"border", border},
               {"shape", shape.toStdString()}},
              want);
      }
    }
    // As far as the radius from a sample at either end, and no further.
    for (const bool right : {false, true}) {
      Image one(format_of(1201, 2, 1, SampleType::f32)), want(one.format);
      one.set(right ? 1200 : 0, 0, 0, 1.0f);
      for (int x = 0; x <= 1000; ++x) {
        for (int y = 0; y < 2; ++y) want.set(right ? 1200 - x : x, y, 0, 1.0f);
      }
      for (const Runner& runner : runners()) {
        check(sessions_.on(runner.label, runner.device.name, runner.form), runner.label, one,
              {{"radius", "1000"}}, want);
      }
    }
  }

  void what_is_not_a_number_is_left_out() {
    Image picture = noisy(format_of(48, 36, 3, SampleType::f32));
    std::uint32_t seed = 3;
    for (int y = 0; y < 36; ++y) {
      for (int x = 0; x < 48; ++x) {
        const float which = noise_at(seed);
        const float many = x < 24 ? 0.1f : 0.95f;
        if (which < many) picture.set(x, y, 1, std::copysign(std::nanf(""), which - many / 2));
        if (which > 0.97f) picture.set(x, y, 1, std::copysign(INFINITY, which - 0.985f));
      }
    }
    for (const char* shape : shapes) {
      for (const char* operation : {"dilate", "erode", "open", "close"}) {
        Image want = oracle(picture, operation, shape, 1, "mirror");
        compare(picture,
                {{"operation", operation}, {"shape", shape}, {"radius", "1"}, {"border", "mirror"}},
                want);
        if (QTest::currentTestFailed()) return;
      }
    }
  }

  void a_radius_of_nothing_changes_nothing() {
    Image picture = noisy(format_of(20, 20, 4, SampleType::u16));
    for (const Runner& runner : runners()) {
      for (const char* operation : {"dilate", "erode", "open", "close"}) {
        Image got = run(sessions_.on(runner.label, runner.device.name, runner.form),
                        one_step("morphology", {{"radius", "0"}, {"operation", operation}}),
                        picture, picture.format);
        QVERIFY(got.bytes == picture.bytes);
      }
    }
  }

  // Opening is idempotent and never increases a value.
  void opening_is_idempotent() {
    Image picture = noisy(format_of(60, 44, 1, SampleType::f32));
    for (const Runner& runner : runners()) {
      Session& session = sessions_.on(runner.label, runner.device.name, runner.form);
      for (const char* shape : shapes) {
        const Recipe recipe =
            one_step("morphology", {{"operation", "open"}, {"shape", shape}, {"radius", "4"}});
        Image once = run(session, recipe, picture, picture.format);
        Image twice = run(session, recipe, once, picture.format);
        QVERIFY(once.bytes == twice.bytes);
        for (int y = 0; y < 44; ++y) {
          for (int x = 0; x < 60; ++x) QVERIFY(once.get(x, y, 0) <= picture.get(x, y, 0));
        }
      }
    }
  }

#ifdef SFUMATO_HAVE_OPENCV
  void opencv_finds_the_same() {
    const std::map<std::string, int> opencv{
        {"dilate", cv::MORPH_DILATE},     {"erode", cv::MORPH_ERODE},
        {"open", cv::MORPH_OPEN},         {"close", cv::MORPH_CLOSE},
        {"gradient", cv::MORPH_GRADIENT}, {"tophat", cv::MORPH_TOPHAT},
        {"blackhat", cv::MORPH_BLACKHAT}};
    for (const SampleType type : {SampleType::u8, SampleType::f32}) {
      const int depth = type == SampleType::u8 ? CV_8U : CV_32F;
      for (const int channels : {1, 3}) {
        Image picture = noisy(format_of(133, 97, channels, type));
        for (const auto& [operation, code] : opencv) {
          for (const int radius : {1, 2, 5, 15, 36}) {
            for (const char* shape : shapes) {
              if (radius > 15 && std::string(shape) != "square") continue;  // OpenCV takes long
              cv::Mat element(2 * radius + 1, 2 * radius + 1, CV_8U);
              for (int j = 0; j <= 2 * radius; ++j) {
                for (int i = 0; i <= 2 * radius; ++i) {
                  element.at<uchar>(j, i) = inside(shape, i - radius, j - radius, radius) ? 1 : 0;
                }
              }
              Image want(picture.format);
              const auto pitch = static_cast<std::size_t>(picture.view().row_stride);
              const cv::Mat from(97, 133, CV_MAKETYPE(depth, channels), picture.bytes.data(),
                                 pitch);
              cv::Mat to(97, 133, CV_MAKETYPE(depth, channels), want.bytes.data(), pitch);
              cv::morphologyEx(from, to, code, element);
              QVERIFY(to.data == reinterpret_cast<uchar*>(want.bytes.data()));
              for (const Runner& runner : runners()) {
                check(sessions_.on(runner.label, runner.device.name, runner.form), runner.label,
                      picture,
                      {{"operation", operation},
                       {"shape", shape},
                       {"radius", std::to_string(radius)}},
                      want);
                if (QTest::currentTestFailed()) return;
              }
            }
          }
        }
      }
    }
  }
#endif
};

QTEST_GUILESS_MAIN(TestMorphology)
#include "test_morphology.moc"
