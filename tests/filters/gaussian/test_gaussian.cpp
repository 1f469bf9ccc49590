// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// gaussian compared with float64 sums that share no code with it, and with published weights.
// Slow: not built with sanitizers, where small_kernels runs every filter.
#include <QTest>
#include <algorithm>
#include <cmath>

#include "device/passes.hpp"
#include "filters/shared/gaussian/plan.hpp"
#include "support/devices.hpp"
#include "support/engine.hpp"
#include "support/pictures.hpp"
#include "support/sessions.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

constexpr const char* borders[] = {"clamp", "mirror", "wrap", "zero", "renormalise"};

// Noise, steps in both directions, an impulse, stripes, and single pixels at the corners, side by
// side.
Image hard_picture(int w, int h, int channels) {
  Image image({w, h, channels, SampleType::f32, AlphaKind::none, Coding::linear()});
  std::uint32_t seed = 5;
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) {
      for (int c = 0; c < channels; ++c) {
        const int kind = (x * 5 / w + c) % 5;
        float v = noise_at(seed);
        if (kind == 1) v = x % (w / 5) < w / 10 ? 0.0f : 1.0f;
        if (kind == 2) v = y < h / 2 ? 1.0f : 0.0f;
        if (kind == 3) v = (x ^ y) & 1 ? 1.0f : 0.0f;
        if (kind == 4) v = x % 19 == 9 && y % 23 == 11 ? 1.0f : 0.0f;
        if ((x == 0 || x == w - 1) && (y == 0 || y == h - 1)) v = 1.0f;
        image.set(x, y, c, v);
      }
    }
  }
  return image;
}

// The sample at `i`, inside or not, of a line under a border rule.
double sample_at(const std::vector<double>& line, int i, const std::string& border) {
  const int n = static_cast<int>(line.size());
  if (i >= 0 && i < n) return line[static_cast<std::size_t>(i)];
  if (border == "clamp") return line[i < 0 ? 0 : static_cast<std::size_t>(n - 1)];
  if (border == "wrap") return line[static_cast<std::size_t>(((i % n) + n) % n)];
  if (border == "mirror") {
    if (n == 1) return line[0];
    while (i < 0 || i >= n) i = i < 0 ? -i : 2 * (n - 1) - i;
    return line[static_cast<std::size_t>(i)];
  }
  return 0;
}

// One line under a border rule, blurred by the untruncated sampled Gaussian (to 7 sigma).
std::vector<double> blur_line(const std::vector<double>& line, double sigma, int radius,
                              const std::string& border) {
  const int n = static_cast<int>(line.size());
  const int r = radius != 0 ? radius : static_cast<int>(std::ceil(7 * sigma));
  std::vector<double> weights;
  for (int k = -r; k <= r; ++k) weights.push_back(std::exp(-0.5 * k * k / (sigma * sigma)));
  std::vector<double> wide;
  for (int i = -r; i < n + r; ++i) wide.push_back(sample_at(line, i, border));
  // Tap by tap, so that no sum waits for its own last addition.
  std::vector<double> out(line.size());
  for (std::size_t k = 0; k < weights.size(); ++k) {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += weights[k] * wide[i + k];
  }
  std::vector<double> upto{0.0};  // cumulative sums of the weights
  for (const double weight : weights) upto.push_back(upto.back() + weight);
  for (int i = 0; i < n; ++i) {
    const bool cut = border == "renormalise";  // to the weights of samples 0 to n - 1
    const int first = cut ? std::max(0, r - i) : 0;
    const int end = cut ? std::min(2 * r + 1, r - i + n) : 2 * r + 1;
    out[static_cast<std::size_t>(i)] /=
        upto[static_cast<std::size_t>(end)] - upto[static_cast<std::size_t>(first)];
  }
  return out;
}

// Rows, then columns.
std::vector<double> oracle(Image& image, double sigma, int radius, const std::string& border) {
  const int w = image.format.width, h = image.format.height, n = image.format.channels;
  const auto index = [&](int x, int y, int c) {
    return static_cast<std::size_t>((y * w + x) * n + c);
  };
  std::vector<double> out(static_cast<std::size_t>(w * h * n));
  for (int c = 0; c < n; ++c) {
    for (int y = 0; y < h; ++y) {
      std::vector<double> line;
      for (int x = 0; x < w; ++x) line.push_back(static_cast<double>(image.get(x, y, c)));
      line = blur_line(line, sigma, radius, border);
      for (int x = 0; x < w; ++x) out[index(x, y, c)] = line[static_cast<std::size_t>(x)];
    }
    for (int x = 0; x < w; ++x) {
      std::vector<double> line;
      for (int y = 0; y < h; ++y) line.push_back(out[index(x, y, c)]);
      line = blur_line(line, sigma, radius, border);
      for (int y = 0; y < h; ++y) out[index(x, y, c)] = line[static_cast<std::size_t>(y)];
    }
  }
  return out;
}

}  // namespace

class TestGaussian : public QObject {
  Q_OBJECT

 private:
  Sessions sessions_{std::size_t{1} << 30};

 private slots:
  void the_published_weights() {
    // Practical Rendering and Computation with Direct3D 11, ch. 10: sigma = sqrt 2, seven taps.
    const std::vector<double> half = gaussian_taps(std::sqrt(2.0), 3);
    const double published[] = {0.285375187, 0.222250419, 0.104983664, 0.030078323};
    QCOMPARE(half.size(), 4u);
    for (std::size_t i = 0; i < 4; ++i) QVERIFY(std::abs(half[i] - published[i]) < 1e-7);
    // and through every form of the filter: an impulse gives their outer product
    for (const Runner& runner : runners()) {
      for (const char* method : {"auto", "direct", "separable", "symmetric", "bilinear_float"}) {
        Image impulse({15, 15, 1, SampleType::f32, AlphaKind::none, Coding::linear()});
        impulse.set(7, 7, 0, 1.0f);
        const Recipe recipe = one_step(
            "gaussian", {{"sigma", "1.4142135623730951"}, {"radius", "3"}, {"method", method}});
        Image out = run(sessions_.on(runner), recipe, impulse, impulse.format);
        for (int y = 0; y < 15; ++y) {
          for (int x = 0; x < 15; ++x) {
            const int dx = std::abs(x - 7), dy = std::abs(y - 7);
            const double want = dx > 3 || dy > 3 ? 0.0 : published[dx] * published[dy];
            QVERIFY2(std::abs(static_cast<double>(out.get(x, y, 0)) - want) < 1e-7, method);
          }
        }
      }
    }
  }

  void close_to_the_true_gaussian_data() {
    QTest::addColumn<double>("sigma");
    for (const double s : {0.3, 0.5, 1.0, 2.0, 3.5, 5.5, 8.0, 20.0, 64.0, 150.0, 300.0}) {
      QTest::addRow("sigma %g", s) << s;
    }
  }
  void close_to_the_true_gaussian() {
    QFETCH(double, sigma);
    const int w = sigma > 20 ? 331 : 187, h = sigma > 20 ? 207 : 101;
    for (const int channels : {4, 1}) {
      Image picture = hard_picture(w, h, channels);
      for (const char* border : borders) {
        // Gray differs only in the shape of vectors: two borders suffice.
        const bool plain = std::string(border) == "clamp" || std::string(border) == "mirror";
        if (channels == 1 && !plain) continue;
        if (sigma > 64 && !plain && std::string(border) != "renormalise") continue;
        const std::vector<double> want = oracle(picture, sigma, 0, border);
        for (const Runner& runner : runners()) {
          for (const char* method : {"auto", "multirate", "fft", "separable", "symmetric",
                                     "bilinear_float", "direct", "boxes"}) {
            const std::string name = method;
            // GPU groups, and transforms padded by six sigma, are slow on a processor: at large
            // sigma one border suffices.
            const bool crawls = name == "fft" || (runner.device.cpu && runner.form == Form::gpu);
            if (sigma > 20 && crawls && std::string(border) != "clamp") continue;
            if (sigma > 64 && runner.device.cpu && runner.form == Form::gpu && name != "auto")
              continue;
            if (name == "direct" && (sigma > 8 || channels == 1)) continue;
            if ((name == "separable" || name == "symmetric") && sigma > 100) continue;
            if (name == "boxes" && sigma < 0.5) continue;
            const Recipe recipe =
                one_step("gaussian",
                         {{"sigma", std::to_string(sigma)}, {"method", name}, {"border", border}});
            Image got(picture.format);
            MemorySource source(picture.format, picture.view());
            MemorySink sink(picture.format, got.view());
            const RenderReport report = sessions_.on(runner).render(recipe, source, sink);
            const std::string label = name + ", " + border + ", " + std::to_string(channels) +
                                      " channels, " + runner.label;
            QVERIFY2(
                report.warnings.empty(),
                (label + ": " + (report.warnings.empty() ? "" : in_english(report.warnings[0])))
                    .c_str());
            const double bound = name == "boxes" ? (sigma >= 1 ? 0.051 : 0.111) : 1.5e-4;
            double worst = 0;
            std::size_t i = 0;
            for (int y = 0; y < h; ++y) {
              for (int x = 0; x < w; ++x) {
                for (int c = 0; c < channels; ++c, ++i) {
                  const double e = std::abs(static_cast<double>(got.get(x, y, c)) - want[i]);
                  worst = std::isfinite(e) ? std::max(worst, e) : INFINITY;
                }
              }
            }
            QVERIFY2(
                worst <= bound,
                qPrintable(QString("%1: error %2").arg(QString::fromStdString(label)).arg(worst)));
          }
        }
      }
    }
  }

  // More boxes are nearer to the Gaussian: the error of n falls like 1/n, against sums in double
  // precision.
  void more_boxes_are_nearer() {
    Image picture = hard_picture(120, 90, 1);
    const std::vector<double> want = oracle(picture, 5, 0, "clamp");
    for (const Runner& runner : runners()) {
      std::vector<double> errors;
      for (const char* iterations : {"2", "4", "12"}) {
        const Recipe recipe =
            one_step("gaussian", {{"sigma", "5"}, {"method", "boxes"}, {"iterations", iterations}});
        Image got = run(sessions_.on(runner), recipe, picture, picture.format);
        double worst = 0;
        std::size_t i = 0;
        for (int y = 0; y < 90; ++y) {
          for (int x = 0; x < 120; ++x, ++i) {
            worst = std::max(worst, std::abs(static_cast<double>(got.get(x, y, 0)) - want[i]));
          }
        }
        errors.push_back(worst);
      }
      QVERIFY2(errors[1] < 0.7 * errors[0] && errors[2] < 0.5 * errors[1], runner.label.c_str());
    }
  }

  // As close as it states, wherever weights are renormalised too.
  void two_taps_per_fetch_under_every_border() {
    for (const int channels : {4, 1}) {
      Image picture = scene({90, 61, channels, SampleType::f32, AlphaKind::none, Coding::linear()});
      for (const char* border : borders) {
        const auto blurred = [&](const Runner& runner, const char* method) {
          return run(sessions_.on(runner),
                     one_step("gaussian", {{"sigma", "3"}, {"method", method}, {"border", border}}),
                     picture, picture.format);
        };
        for (const Runner& runner : runners()) {
          Image got = blurred(runner, "bilinear"), want = blurred(runner, "separable");
          const double far = largest_difference(got, want);
          QVERIFY2(far < 1e-3,
                   qPrintable(QString("%1, %2: %3").arg(border, runner.label.c_str()).arg(far)));
        }
      }
    }
  }

  void a_given_radius_cuts_the_kernel() {
    Image picture = hard_picture(90, 61, 4);
    for (const auto& [sigma, radius] :
         {std::pair(2.0, 1), {2.0, 5}, {10.0, 4}, {5.0, 37}, {30.0, 45}}) {
      const std::vector<double> want = oracle(picture, sigma, radius, "clamp");
      for (const Runner& runner : runners()) {
        Image got = run(sessions_.on(runner),
                        one_step("gaussian", {{"sigma", std::to_string(sigma)},
                                              {"radius", std::to_string(radius)}}),
                        picture, picture.format);
        double worst = 0;
        std::size_t i = 0;
        for (int y = 0; y < 61; ++y) {
          for (int x = 0; x < 90; ++x) {
            for (int c = 0; c < 4; ++c, ++i)
              worst = std::max(worst, std::abs(static_cast<double>(got.get(x, y, c)) - want[i]));
          }
        }
        QVERIFY2(worst < 2e-6, qPrintable(QString("%1, sigma %2, radius %3: %4")
                                              .arg(QString::fromStdString(runner.label))
                                              .arg(sigma)
                                              .arg(radius)
                                              .arg(worst)));
      }
    }
  }

  // 8-bit samples that are blurred as they are, in every layout that kernels write.
  void stored_samples_in_every_layout() {
    for (const int channels : {1, 3, 4}) {
      const PictureFormat format{90,
                                 61,
                                 channels,
                                 SampleType::u8,
                                 channels == 4 ? AlphaKind::premultiplied : AlphaKind::none,
                                 Coding::srgb()};
      Image picture = scene(format);
      for (const char* sigma : {"1", "7"}) {
        const Recipe recipe = one_step("gaussian", {{"sigma", sigma}, {"light", "stored"}});
        Image want =
            run(sessions_.on("reference", "reference", {}), recipe, picture, picture.format);
        for (const Runner& runner : runners()) {
          const Target target = target_of(runner.device, runner.form);
          QVERIFY(make_plan(recipe, format, format, target).on_samples());
          Image got(format);
          MemorySource source(format, picture.view());
          MemorySink sink(format, got.view());
          const RenderReport report = sessions_.on(runner).render(recipe, source, sink);
          const QString label = QString("sigma %1, %2 channels, %3")
                                    .arg(sigma)
                                    .arg(channels)
                                    .arg(runner.label.c_str());
          QVERIFY2(report.warnings.empty(), qPrintable(label));
          QVERIFY2(largest_difference(got, want) < 1.01 / 255, qPrintable(label));
        }
      }
    }
  }

  // References read no further than their taps.
  void the_halo_of_the_reference() {
    Target target;
    target.reference = true;
    const PictureFormat format = rgb8(90, 61);
    const Plan plan =
        make_plan(one_step("gaussian", {{"sigma", "2"}, {"radius", "5"}}), format, format, target);
    QCOMPARE(plan.steps.at(0).needs.halo_x, 5);
    QCOMPARE(plan.steps.at(0).needs.halo_y, 5);
  }

  void a_constant_stays_and_large_values_do_not_overflow() {
    for (const Runner& runner : runners()) {
      for (const char* sigma : {"1.3", "9", "70"}) {
        Image picture({150, 90, 4, SampleType::f32, AlphaKind::none, Coding::linear()});
        for (int y = 0; y < 90; ++y) {
          for (int x = 0; x < 150; ++x) {
            for (int c = 0; c < 4; ++c) picture.set(x, y, c, c == 3 ? -3.5f : 60000.0f);
          }
        }
        Image out = run(sessions_.on(runner), one_step("gaussian", {{"sigma", sigma}}), picture,
                        picture.format);
        for (int y = 0; y < 90; ++y) {
          for (int x = 0; x < 150; ++x) {
            QVERIFY(std::abs(out.get(x, y, 0) - 60000.0f) < 0.2f);
            QVERIFY(std::abs(out.get(x, y, 3) + 3.5f) < 1e-5f);
          }
        }
      }
    }
  }

  // An image that is larger than what is asked for keeps its content beyond it. Where it is not
  // larger, neither PoCL nor Oclgrind notices what is written there.
  void images_are_written_where_asked() {
    constexpr int w = 21, h = 13, wide = 32, high = 16;
    const Plane place{0, 0, w, h, wide, 0};
    for (const Runner& runner : runners()) {
      if (runner.form != Form::gpu || !runner.device.images) continue;
      DeviceContext context(runner.device, runner.form, std::size_t{1} << 28, std::size_t{1} << 28,
                            {});
      Passes passes(context, *Registry::get().at("gaussian").source);
      const auto from = filled_image(passes, wide, high, 1),
                 to = filled_image(passes, wide, high, 7);
      const DeviceImage zeros = context.image(place.rect(), 4);
      const std::vector<float> nothing(std::size_t{wide} * h * 4);
      context.write(*zeros.buffer, nothing.data(), nothing.size() * sizeof(float));
      const auto taps = passes.table(std::vector<float>{0, 1});
      Launch launch{
          "gaussian_image_rows", "-D CHANNELS=4 -D PASS_IMAGE_ROWS", {wide, high}, {16, 8}};
      passes.launch_with(launch, {Argument::of_memory(from.get()), Argument::of(place),
                                  Argument::of_memory(to.get()), Argument::of(place),
                                  Argument::of_memory(taps.get()), Argument::of(0)});
      expect_image(context, *to, 1, 7, place);
      launch.kernel = "gaussian_to_image";
      launch.options = "-D CHANNELS=4 -D PASS_TO_IMAGE";
      passes.launch_with(
          launch, {Argument::of_memory(zeros.buffer.get()), Argument::of(zeros.plane),
                   Argument::of(Edge(place.rect(), Border::clamp)), Argument::of_memory(to.get()),
                   Argument::of(place)});
      expect_image(context, *to, 0, 7, place);
    }
  }

 private:
  static std::shared_ptr<DeviceMemory> filled_image(Passes& passes, int w, int h, float v) {
    auto image = passes.image(w, h);
    const std::vector<float> pixels(image->bytes() / sizeof(float), v);
    passes.context().write(*image, pixels.data(), image->bytes());
    return image;
  }

  // `inside` within the place, `beyond` elsewhere.
  static void expect_image(DeviceContext& context, const DeviceMemory& image, float inside,
                           float beyond, const Plane& place) {
    std::vector<float> pixels(image.bytes() / sizeof(float));
    context.read(image, pixels.data(), image.bytes());
    const auto wide = static_cast<std::size_t>(place.stride);
    for (std::size_t i = 0; i < pixels.size(); ++i) {
      const int x = static_cast<int>(i / 4 % wide), y = static_cast<int>(i / 4 / wide);
      const float want = x < place.width && y < place.height ? inside : beyond;
      QVERIFY2(pixels[i] == want, qPrintable(QString("%1, %2").arg(x).arg(y)));
    }
  }
};

QTEST_GUILESS_MAIN(TestGaussian)
#include "test_gaussian.moc"
