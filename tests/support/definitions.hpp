// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Filters compared with their definitions on single pixels, by numbers that share no code with
// them, on every device and by the reference.
#pragma once

#include <QTest>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "support/devices.hpp"
#include "support/pictures.hpp"
#include "support/registry_walk.hpp"
#include "support/sessions.hpp"

namespace sfumato::testing {

using Words = std::vector<std::pair<std::string, std::string>>;
using Triple = std::array<double, 3>;

inline Image black(int width, int height, int channels = 3) {
  return Image(linear_format(width, height, channels));
}

inline Image row_of(const std::vector<Triple>& pixels) {
  Image image = black(static_cast<int>(pixels.size()), 1);
  for (int x = 0; x < image.format.width; ++x) {
    for (int c = 0; c < 3; ++c) {
      image.set(x, 0, c, static_cast<float>(pixels[static_cast<std::size_t>(x)][c]));
    }
  }
  return image;
}

inline Image row_of_grays(const std::vector<double>& values) {
  std::vector<Triple> pixels;
  for (const double v : values) pixels.push_back({v, v, v});
  return row_of(pixels);
}

/// The published weights of gray, by their names.
inline const std::vector<std::pair<std::string, Triple>> gray_weights = {
    {"rec601", {0.299, 0.587, 0.114}},
    {"rec709", {0.2126, 0.7152, 0.0722}},
    {"average", {1 / 3.0, 1 / 3.0, 1 / 3.0}},
    {"night", {0.3, 0.59, 0.11}}};

/// The primaries, which show each weight alone, and a mixture.
inline const std::vector<Triple> weighed_colours = {
    {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.5, 0.25, 0.75}};

/// The gray of each of these colours, times `to`.
inline std::vector<Triple> weighed(const Triple& weights, const Triple& to) {
  std::vector<Triple> out;
  for (const Triple& p : weighed_colours) {
    const double gray = weights[0] * p[0] + weights[1] * p[1] + weights[2] * p[2];
    out.push_back({gray * to[0], gray * to[1], gray * to[2]});
  }
  return out;
}

/// Options that bind a picture to a role.
inline RenderOptions with_picture(const std::string& role, const Image& picture) {
  RenderOptions options;
  options.roles = [role, source = std::make_shared<OwnedSource>(picture)](
                      int, const std::string& name, const ImageRef&) {
    return name == role ? source : nullptr;
  };
  return options;
}

/// A base of tests.
class Definitions {
 protected:
  // Filters `picture`, in stored light, on every device and by the reference, and passes the
  // results to `check`.
  template <typename Check>
  void each(const std::string& filter, Words words, Image& picture, Check&& check,
            const RenderOptions& options = {}) {
    words.emplace_back("light", "stored");
    const Recipe recipe = one_step(filter, words);
    Image by_hand =
        run(sessions_.on("reference", "reference", {}), recipe, picture, picture.format, options);
    check(by_hand, std::string("the reference"));
    for (const Runner& runner : runners()) {
      Image result = run(sessions_.on(runner), recipe, picture, picture.format, options);
      check(result, runner.label);
    }
  }

  // The pixels of the first row.
  void expect_row(const std::string& filter, const Words& words, Image picture,
                  const std::vector<Triple>& expected, double tolerance = 1e-6,
                  const RenderOptions& options = {}) {
    QCOMPARE(static_cast<int>(expected.size()), picture.format.width);
    const auto check = [&](Image& result, const std::string& where) {
      for (int x = 0; x < picture.format.width; ++x) {
        for (int c = 0; c < 3; ++c) {
          const double want = expected[static_cast<std::size_t>(x)][c];
          const double got = static_cast<double>(result.get(x, 0, c));
          QVERIFY2(
              std::abs(got - want) <= tolerance,
              qPrintable(QString("%1, %2: pixel %3, channel %4 is %5, not %6")
                             .arg(QString::fromStdString(filter), QString::fromStdString(where))
                             .arg(x)
                             .arg(c)
                             .arg(got)
                             .arg(want)));
        }
      }
    };
    each(filter, words, picture, check, options);
  }

  Sessions sessions_{std::size_t{1} << 30};
};

}  // namespace sfumato::testing
