// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Renders the sample scene: balls on a chequered floor under an area light, noisy because of few
// samples per pixel, with the normals and depths that geometry_blur needs, in the channels of one
// EXR.
#include <OpenImageIO/imageio.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace {

struct Vec {
  float x = 0, y = 0, z = 0;
};
Vec operator+(Vec a, Vec b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
Vec operator-(Vec a, Vec b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
Vec operator*(Vec a, float s) {
  return {a.x * s, a.y * s, a.z * s};
}
float dot(Vec a, Vec b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
Vec unit(Vec a) {
  return a * (1.0f / std::sqrt(dot(a, a)));
}

struct Ball {
  Vec centre;
  float radius;
  Vec color;
};
const Ball balls[] = {{{-1.3f, 1.0f, 5.2f}, 1.0f, {0.85f, 0.25f, 0.15f}},
                      {{0.9f, 0.75f, 4.4f}, 0.75f, {0.2f, 0.5f, 0.85f}},
                      {{0.1f, 1.6f, 7.4f}, 1.6f, {0.8f, 0.7f, 0.3f}},
                      {{2.7f, 0.5f, 5.6f}, 0.5f, {0.3f, 0.7f, 0.35f}},
                      {{-2.4f, 0.35f, 3.9f}, 0.35f, {0.75f, 0.75f, 0.78f}}};

struct Hit {
  float distance = std::numeric_limits<float>::infinity();
  Vec normal, color;
  bool found() const { return std::isfinite(distance); }
};

Hit trace(Vec from, Vec along) {
  Hit hit;
  if (along.y < 0) {  // the floor, y = 0
    const float t = -from.y / along.y;
    const Vec p = from + along * t;
    if (t > 1e-3f && p.z < 30) {
      const bool dark = (static_cast<int>(std::floor(p.x)) + static_cast<int>(std::floor(p.z))) & 1;
      hit = {t, {0, 1, 0}, dark ? Vec{0.25f, 0.25f, 0.27f} : Vec{0.75f, 0.73f, 0.7f}};
    }
  }
  for (const Ball& ball : balls) {
    const Vec to = from - ball.centre;
    const float b = dot(to, along);
    const float inside = b * b - dot(to, to) + ball.radius * ball.radius;
    if (inside < 0) continue;
    const float t = -b - std::sqrt(inside);
    if (t > 1e-3f && t < hit.distance) {
      hit = {t, unit(from + along * t - ball.centre), ball.color};
    }
  }
  return hit;
}

class Noise {
 public:
  explicit Noise(std::uint32_t seed) : state_(seed * 747796405u + 2891336453u) {}
  float next() {
    state_ = state_ * 747796405u + 2891336453u;
    const std::uint32_t word = ((state_ >> ((state_ >> 28) + 4)) ^ state_) * 277803737u;
    return static_cast<float>((word >> 22 ^ word) >> 8) / 16777216.0f;
  }

 private:
  std::uint32_t state_;
};

// Light that reaches a point: one shadow ray to a random position on the lamp, and some sky.
float light_at(Vec point, Vec normal, Noise& noise) {
  const Vec lamp{-3.0f + 3.0f * noise.next(), 6.0f, 1.0f + 3.0f * noise.next()};
  const Vec to = lamp - point;
  const float distance = std::sqrt(dot(to, to));
  const Vec along = to * (1 / distance);
  const bool shadow = trace(point + normal * 1e-3f, along).distance < distance;
  const float sky = 0.15f + 0.1f * normal.y;
  return sky + (shadow ? 0.0f : std::max(0.0f, dot(normal, along)) * 28.0f / (distance * distance));
}

}  // namespace

int main(int argc, char** argv) {
  if ((argc != 2 && argc != 4) || !std::string_view(argv[1]).ends_with(".exr")) {
    std::fprintf(stderr, "usage: sfumato-scene OUTPUT.exr [WIDTH HEIGHT]\n");
    return 2;
  }
  const int width = argc == 4 ? std::max(8, std::atoi(argv[2])) : 1200;
  const int height = argc == 4 ? std::max(8, std::atoi(argv[3])) : 800;
  constexpr int channels = 7;
  std::vector<float> pixels;
  pixels.reserve(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * channels);
  const Vec eye{0, 1.7f, -1.5f};
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const float scale = 1.1f / static_cast<float>(height);
      const Vec along =
          unit({(static_cast<float>(x) - static_cast<float>(width) / 2) * scale,
                (static_cast<float>(height) / 2 - static_cast<float>(y)) * scale - 0.1f, 1.0f});
      Noise noise(static_cast<std::uint32_t>(y * width + x));
      const Hit hit = trace(eye, along);
      Vec color{0.25f, 0.32f, 0.45f};
      if (hit.found()) {
        constexpr int samples = 3;
        float light = 0;
        for (int i = 0; i < samples; ++i)
          light += light_at(eye + along * hit.distance, hit.normal, noise);
        color = hit.color * (light / samples);
      }
      for (const float v :
           {color.x, color.y, color.z, hit.normal.x, hit.normal.y, hit.normal.z, hit.distance}) {
        pixels.push_back(v);
      }
    }
  }
  OIIO::ImageSpec spec(width, height, channels, OIIO::TypeDesc::FLOAT);
  spec.channelnames = {"R", "G", "B", "N.X", "N.Y", "N.Z", "Z"};
  spec.attribute("compression", "zip");
  auto out = OIIO::ImageOutput::create(argv[1]);
  if (!out || !out->open(argv[1], spec) ||
      !out->write_image(OIIO::TypeDesc::FLOAT, pixels.data()) || !out->close()) {
    std::fprintf(stderr, "sfumato-scene: cannot write %s: %s\n", argv[1],
                 out ? out->geterror().c_str() : OIIO::geterror().c_str());
    return 1;
  }
  return 0;
}
