// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Convolution with a picture, compared with direct sums.
// Slow: not built with sanitizers, where small_kernels runs every filter.
#include <QTest>
#include <cmath>

#include "engine/errors.hpp"
#include "params/errors.hpp"
#include "support/devices.hpp"
#include "support/pictures.hpp"
#include "support/sessions.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

using Words = std::vector<std::pair<std::string, std::string>>;

PictureFormat linear(int w, int h, int channels) {
  return {w,
          h,
          channels,
          SampleType::f32,
          channels == 4 ? AlphaKind::straight : AlphaKind::none,
          Coding::linear()};
}

}  // namespace

class TestFftConvolve : public QObject {
  Q_OBJECT

 private:
  Sessions sessions_;
  Image filtered(const Runner& runner, const char* filter, const Words& words, Image& picture,
                 const RenderOptions& options = {}) {
    return run(sessions_.on(runner), one_step(filter, words), picture, picture.format, options);
  }

  static RenderOptions with_kernel(Image& kernel) {
    RenderOptions options;
    options.roles = [&kernel](int, const std::string& role,
                              const ImageRef&) -> std::shared_ptr<PixelSource> {
      if (role != "kernel") return nullptr;
      return std::make_shared<MemorySource>(kernel.format, kernel.view());
    };
    return options;
  }

 private slots:
  // A kernel whose colours sum to 0, like that of a derivative.
  void a_kernel_may_sum_to_nothing() {
    Image kernel(linear(3, 1, 3));
    for (int c = 0; c < 3; ++c) {
      kernel.set(0, 0, c, 1);
      kernel.set(2, 0, c, -1);
    }
    Image picture = scene(linear(41, 30, 3));
    for (const Runner& runner : runners()) {
      Image got = filtered(runner, "fft_convolve", {{"normalise", "no"}, {"border", "wrap"}},
                           picture, with_kernel(kernel));
      double largest = 0;
      for (int y = 0; y < 30; ++y) {
        for (int x = 0; x < 41; ++x) {
          // The kernel's left half picks up what is on the right.
          const float want = picture.get((x + 1) % 41, y, 1) - picture.get((x + 40) % 41, y, 1);
          largest = std::max(largest, static_cast<double>(std::abs(want)));
          QVERIFY2(std::abs(got.get(x, y, 1) - want) < 1e-4f,
                   qPrintable(QString("%1 at (%2, %3): %4, not %5")
                                  .arg(runner.label.c_str())
                                  .arg(x)
                                  .arg(y)
                                  .arg(got.get(x, y, 1))
                                  .arg(want)));
        }
      }
      QVERIFY(largest > 0.05);
    }
  }

  // A bright point becomes the kernel, not rotated.
  void a_point_becomes_the_kernel() {
    for (const auto& [kw, kh] : {std::pair(5, 3), {4, 6}, {1, 1}, {31, 40}}) {
      for (const int channels : {1, 3}) {
        Image kernel = scene(linear(kw, kh, 3));
        Image point(linear(40, 30, channels));
        for (int c = 0; c < channels; ++c) point.set(20, 15, c, 1);
        for (const Runner& runner : runners()) {
          Image got = filtered(runner, "fft_convolve", {{"normalise", "no"}, {"border", "zero"}},
                               point, with_kernel(kernel));
          for (int y = 0; y < 30; ++y) {
            for (int x = 0; x < 40; ++x) {
              const int i = x - 20 + kw / 2, j = y - 15 + kh / 2;
              const bool inside = i >= 0 && i < kw && j >= 0 && j < kh;
              for (int c = 0; c < channels; ++c) {
                const float mean =
                    inside ? (kernel.get(i, j, 0) + kernel.get(i, j, 1) + kernel.get(i, j, 2)) / 3
                           : 0;
                const float want = !inside ? 0 : channels == 3 ? kernel.get(i, j, c) : mean;
                QVERIFY2(std::abs(got.get(x, y, c) - want) < 1e-4f,
                         qPrintable(QString("%1 x %2, %3 channels, %4 at (%5, %6): %7, not %8")
                                        .arg(kw)
                                        .arg(kh)
                                        .arg(channels)
                                        .arg(runner.label.c_str())
                                        .arg(x)
                                        .arg(y)
                                        .arg(got.get(x, y, c))
                                        .arg(want)));
              }
            }
          }
        }
      }
    }
  }

  void normalised_kernels_keep_a_constant_data() {
    QTest::addColumn<int>("w");
    QTest::addColumn<int>("h");
    for (const auto& [w, h] : {std::pair(33, 21), {1, 1}, {1, 17}, {2, 3}, {16, 16}}) {
      QTest::addRow("%d x %d", w, h) << w << h;
    }
  }

  void normalised_kernels_keep_a_constant() {
    QFETCH(int, w);
    QFETCH(int, h);
    Image kernel = scene(linear(7, 5, 3));
    Image flat(linear(w, h, 3));
    for (int y = 0; y < h; ++y) {
      for (int x = 0; x < w; ++x) {
        for (int c = 0; c < 3; ++c) flat.set(x, y, c, 0.2f * static_cast<float>(c + 1));
      }
    }
    for (const Runner& runner : runners()) {
      for (const char* border : {"clamp", "mirror", "wrap", "renormalise"}) {
        Image got =
            filtered(runner, "fft_convolve", {{"border", border}}, flat, with_kernel(kernel));
        QVERIFY2(largest_difference(got, flat) < 2e-5, border);
      }
    }
  }

  // A repeating picture with odd sides, and kernels with odd, even and larger sides.
  void wrapping_is_the_circular_sum() {
    Image picture = scene(linear(41, 37, 1));
    for (const auto& [kw, kh] : {std::pair(5, 7), {6, 4}, {53, 3}}) {
      Image kernel = scene(linear(kw, kh, 1));
      for (const Runner& runner : runners()) {
        Image got = filtered(runner, "fft_convolve", {{"normalise", "no"}, {"border", "wrap"}},
                             picture, with_kernel(kernel));
        for (int y = 0; y < 37; ++y) {
          for (int x = 0; x < 41; ++x) {
            double want = 0;
            for (int j = 0; j < kh; ++j) {
              for (int i = 0; i < kw; ++i) {
                const int u = (x - i + kw / 2 + 2 * 41) % 41, v = (y - j + kh / 2 + 2 * 37) % 37;
                want += static_cast<double>(kernel.get(i, j, 0)) *
                        static_cast<double>(picture.get(u, v, 0));
              }
            }
            QVERIFY(std::abs(static_cast<double>(got.get(x, y, 0)) - want) < 2e-5 * kw * kh);
          }
        }
      }
    }
    for (const Runner& runner : runners()) {
      Words words = {{"sigma", "3"}, {"border", "wrap"}, {"method", "fft"}};
      Image by_fft = filtered(runner, "log", words, picture);
      words.back().second = "direct";
      Image direct = filtered(runner, "log", words, picture);
      QVERIFY(largest_difference(by_fft, direct) < 2e-5);
    }
  }

  void a_kernel_of_nothing_is_refused() {
    Image kernel(linear(5, 5, 1)), flat(linear(20, 20, 3));
    for (const Runner& runner : runners()) {
      try {
        filtered(runner, "fft_convolve", {}, flat, with_kernel(kernel));
        QFAIL("not refused");
      } catch (const ParameterError& e) {
        QVERIFY(std::string(e.what()).find("sums to 0") != std::string::npos);
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestFftConvolve)
#include "test_fft_convolve.moc"
