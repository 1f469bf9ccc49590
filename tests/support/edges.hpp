// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Shared by the tests of canny and edges: pictures with edges, gradients in float64, and every
// device, form and the reference in turn.
#pragma once

#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include "support/devices.hpp"
#include "support/pictures.hpp"

namespace sfumato::testing {

inline constexpr const char* borders[] = {"clamp", "mirror", "wrap", "zero", "renormalise"};

// Display-coded, as in both filters, so that no conversion is involved.
inline PictureFormat format_of(int w, int h, int channels, SampleType type) {
  const bool alpha = channels == 2 || channels == 4;
  return {w, h, channels, type, alpha ? AlphaKind::straight : AlphaKind::none, Coding::srgb()};
}

using Words = std::vector<std::pair<std::string, std::string>>;

// Typical pictures for an edge detector, in 0..1, the same in all colours.
inline float pixel_of(const std::string& kind, int x, int y, int w, int h, std::uint32_t& seed) {
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

inline Image picture_of(const std::string& kind, const PictureFormat& format) {
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

// The coordinate that replaces i, or -1.
inline int place(int i, int n, const std::string& border) {
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
inline double sum_around(Image& image, int x, int y, int c, const std::string& border,
                         const std::array<double, 9>& weights) {
  double sum = 0;
  for (int i = 0; i < 9; ++i) {
    const int px = place(x + i % 3 - 1, image.format.width, border);
    const int py = place(y + i / 3 - 1, image.format.height, border);
    const bool outside = px < 0 || py < 0;
    double v = outside ? 0 : static_cast<double>(image.get(px, py, c));
    // Dropped samples equal the centre.
    if (outside && border == "renormalise") v = static_cast<double>(image.get(x, y, c));
    sum += weights[static_cast<std::size_t>(i)] * v;
  }
  return sum;
}

struct Weights {
  std::array<double, 9> across, down;
};
inline const std::map<std::string, Weights> gradients{
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

// The direction of brightening as a fraction of a turn, upwards; 0 if there is none.
inline double turn_of(double across, double down) {
  if (across == 0 && down == 0) return 0;
  const double turn = std::atan2(-down, across) / (2 * std::numbers::pi);
  return turn < 0 ? turn + 1 : turn;
}

// Each device in each form, and the reference.
class Everywhere {
 public:
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

  // Fails on warnings, since a device may have been replaced by another.
  static Image render(Session& session, const std::string& filter, const Words& words,
                      Image& picture, const PictureFormat& output) {
    Image got(output);
    MemorySource source(picture.format, picture.view());
    MemorySink sink(output, got.view());
    const RenderReport report = session.render(one_step(filter, words), source, sink);
    if (!report.warnings.empty())
      QTest::qFail(in_english(report.warnings[0]).c_str(), __FILE__, __LINE__);
    return got;
  }

  static void same_pixels(Image& got, Image& want, const std::string& what) {
    const double worst = largest_difference(got, want);
    QVERIFY2(worst == 0, qPrintable(QString("%1: differs by %2").arg(what.c_str()).arg(worst)));
  }

 private:
  std::map<std::string, std::unique_ptr<Session>> sessions_;
};

}  // namespace sfumato::testing
