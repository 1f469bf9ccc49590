// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Pictures come back from the two parts of their spectrum; waves are what their frequencies say.
#include <QTest>
#include <cmath>
#include <numbers>

#include "support/pictures.hpp"
#include "support/sessions.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

// A picture for a role.
RoleResolver role_of(Image& picture) {
  return [&picture](int, const std::string&, const ImageRef& reference) {
    return reference.bound() ? std::make_shared<MemorySource>(picture.format, picture.view())
                             : std::shared_ptr<MemorySource>();
  };
}

}  // namespace

class TestInverseSpectrum : public QObject {
  Q_OBJECT

  Sessions sessions_;

  Image part(const Runner& on, Image& picture, const char* show, const std::string& centred) {
    return run(sessions_.on(on),
               one_step("spectrum", {{"show", show}, {"centred", centred}, {"light", "stored"}}),
               picture, picture.format);
  }
  Image picture_of(const Runner& on, Image& real, Image& imaginary, const std::string& centred) {
    RenderOptions options;
    options.roles = role_of(imaginary);
    return run(sessions_.on(on),
               one_step("inverse_spectrum",
                        {{"imaginary", "role"}, {"centred", centred}, {"light", "stored"}}),
               real, real.format, options);
  }

 private Q_SLOTS:
  void pictures_come_back() {
    const std::vector<std::pair<int, int>> sizes = {{1, 1},    {2, 1},     {1, 7},    {17, 13},
                                                    {64, 48},  {127, 131}, {97, 300}, {251, 1},
                                                    {509, 31}, {90, 128}};
    for (const Runner& on : runners()) {
      for (const auto& [width, height] : sizes) {
        for (const int channels : {1, 3}) {
          Image picture = scene(linear_format(width, height, channels));
          for (const char* centred : {"true", "false"}) {
            Image real = part(on, picture, "real", centred),
                  imaginary = part(on, picture, "imaginary", centred);
            Image back = picture_of(on, real, imaginary, centred);
            const double error = largest_difference(back, picture);
            QVERIFY2(error <= 2e-6, qPrintable(QString("%1: %2 x %3, %4 channels: %5")
                                                   .arg(QString::fromStdString(on.label))
                                                   .arg(width)
                                                   .arg(height)
                                                   .arg(channels)
                                                   .arg(error)));
          }
        }
      }
    }
  }

  // Two frequencies, opposite each other, are a wave; one alone is half of it.
  void waves_are_what_their_frequencies_say() {
    constexpr int width = 30, height = 21, u = 4, v = -3;
    const double scale = std::sqrt(1.0 * width * height);
    for (const Runner& on : runners()) {
      for (const bool both : {true, false}) {
        Image real(linear_format(width, height, 1)), imaginary(linear_format(width, height, 1));
        const int x = width / 2 + u, y = height / 2 + v;
        const int xo = width / 2 - u, yo = height / 2 - v;
        real.set(x, y, 0, static_cast<float>(0.3 * scale));
        imaginary.set(x, y, 0, static_cast<float>(-0.2 * scale));
        if (both) {
          real.set(xo, yo, 0, static_cast<float>(0.3 * scale));
          imaginary.set(xo, yo, 0, static_cast<float>(0.2 * scale));
        }
        Image wave = picture_of(on, real, imaginary, "true");
        for (int j = 0; j < height; ++j) {
          for (int i = 0; i < width; ++i) {
            const double angle =
                2 * std::numbers::pi * (1.0 * u * i / width + 1.0 * v * j / height);
            const double half = 0.3 * std::cos(angle) + 0.2 * std::sin(angle);
            QVERIFY(std::abs(static_cast<double>(wave.get(i, j, 0)) - (both ? 2 : 1) * half) <
                    1e-5);
          }
        }
      }
    }
  }

  void numbers_that_are_none_count_as_0() {
    for (const Runner& on : runners()) {
      Image real(linear_format(12, 9, 3)), imaginary(linear_format(12, 9, 3));
      real.set(6, 4, 1, static_cast<float>(std::sqrt(108.0)));  // frequency 0
      real.set(2, 2, 0, std::nanf(""));
      imaginary.set(3, 1, 2, INFINITY);
      Image made = picture_of(on, real, imaginary, "true");
      QVERIFY(std::abs(made.get(5, 5, 1) - 1) < 1e-5f);
      QVERIFY(std::abs(made.get(5, 5, 0)) < 1e-6f && std::abs(made.get(1, 7, 2)) < 1e-6f);
    }
  }

  void a_part_that_is_missing_is_refused() {
    Image real(linear_format(8, 8, 1));
    QVERIFY_THROWS_EXCEPTION(
        std::exception, run(sessions_.on(runners().front()), one_step("inverse_spectrum", Values()),
                            real, real.format));
  }
};

QTEST_GUILESS_MAIN(TestInverseSpectrum)
#include "test_inverse_spectrum.moc"
