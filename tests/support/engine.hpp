// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Shared by tests of the engine: formats, a session without a cache, a recipe of three steps.
#pragma once

#include "device/device.hpp"
#include "support/pictures.hpp"

namespace sfumato::testing {

constexpr PictureFormat rgba(int w, int h) {
  return {w, h, 4, SampleType::f32, AlphaKind::straight, {Coding::Curve::linear, 1.0f}};
}
constexpr PictureFormat rgb8(int w, int h) {
  return {w, h, 3, SampleType::u8, AlphaKind::none, {Coding::Curve::srgb, 1.0f}};
}

inline SessionOptions quiet() {
  SessionOptions options;
  options.device = "cpu";
  options.cache_folder = std::filesystem::path();
  return options;
}

/// The first processor's device alone: only the reference can replace it.
inline SessionOptions one_device() {
  SessionOptions options = quiet();
  for (const DeviceInfo& info : list_devices()) {
    if (info.cpu) {
      options.device = info.title();
      break;
    }
  }
  return options;
}

inline Target cpu_target() {
  Target target;
  target.form = Form::cpu;
  return target;
}

inline Recipe two_blurs(const std::string& border) {
  Recipe recipe = one_step("gaussian", {{"sigma", "3"}, {"border", border}});
  const Recipe second =
      one_step("gaussian", {{"sigma", "1.5"}, {"border", border}, {"light", "display"}});
  const Recipe third = one_step("grayscale", {{"mix", "0.4"}});
  recipe.steps.push_back(second.steps[0]);
  recipe.steps.push_back(third.steps[0]);
  return recipe;
}

}  // namespace sfumato::testing
