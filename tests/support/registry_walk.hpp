// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The values, pictures and roles that tests walking the registry use for every filter.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/roles.hpp"
#include "engine/survey.hpp"
#include "filters/registry.hpp"
#include "support/pictures.hpp"
#include "support/values.hpp"

namespace sfumato::testing {

constexpr PictureFormat rgba(int w, int h, SampleType type = SampleType::f32) {
  return {w, h, 4, type, AlphaKind::straight, {Coding::Curve::linear, 1.0f}};
}
constexpr PictureFormat gray(int w, int h) {
  return {w, h, 1, SampleType::f32, AlphaKind::none, {Coding::Curve::linear, 1.0f}};
}

/// The values to try for a filter: its defaults, then each choice of each of its own parameters.
inline std::vector<Values> variants(const Filter& filter) {
  const FilterInfo& info = filter.info();
  const Values base = busy_values(filter);
  std::vector<Values> out{base};
  for (const Parameter& p : info.parameters) {
    if (p.kind == Kind::boolean) {
      Values v = base;
      v.set(p.name, !std::get<bool>(p.default_value));
      out.push_back(v);
    }
    if (p.kind != Kind::choice || p.name == "border" || p.name == "light") continue;
    for (const ChoiceOption& option : p.choices) {
      if (Value(Choice(option.id)) == p.default_value) continue;
      Values v = base;
      v.set(p.name, Choice(option.id));
      out.push_back(v);
    }
  }
  return out;
}

/// The usual values with so small a reach that most of a picture is beyond that of a sample.
inline Values narrow_values(const Filter& filter) {
  Values values = busy_values(filter);
  const ParameterSet& set = filter.info().parameters;
  if (set.find("sigma") != nullptr) values.set("sigma", 0.6);
  if (set.find("iterations") != nullptr) values.set("iterations", std::int64_t{1});
  return values;
}

inline std::string text_of(const FilterInfo& info, const Values& values) {
  std::string text = info.id;
  for (const Parameter& p : info.parameters) {
    if (values.at(p.name) == p.default_value) continue;
    text += " " + p.name + "=" + print(p, values.at(p.name));
  }
  return text;
}

/// A source that owns its picture.
struct OwnedSource final : PixelSource {
  explicit OwnedSource(Image i) : image(std::move(i)), memory(image.format, image.view()) {}
  const PictureFormat& format() const override { return image.format; }
  void read(const Rect& r, void* to, std::ptrdiff_t stride) override { memory.read(r, to, stride); }
  Image image;
  MemorySource memory;
};

/// Normals of a ball that fills a picture.
inline std::array<float, 3> normal_of_ball(int x, int y, int w, int h) {
  const float u = static_cast<float>(x - w / 2) / static_cast<float>(w);
  const float v = static_cast<float>(y - h / 2) / static_cast<float>(h);
  return {2 * u, 2 * v, std::sqrt(std::max(0.0f, 1.0f - 4 * (u * u + v * v)))};
}

/// Roles for the tests: a ball's normals over a ramp of depth, with a hole in both.
inline std::shared_ptr<OwnedSource> role_source(const std::string& role, int w, int h) {
  if (role == "mask") return nullptr;
  if (role == "overlay") {
    return std::make_shared<OwnedSource>(
        scene({7, 5, 4, SampleType::f32, AlphaKind::straight, Coding::linear()}));
  }
  if (!is_aligned(role)) {  // of a size of its own
    return std::make_shared<OwnedSource>(
        scene({7, 5, 3, SampleType::f32, AlphaKind::none, Coding::linear()}));
  }
  const bool vector = role == "normal" || role == "guide";
  Image image({w, h, vector ? 3 : 1, SampleType::f32, AlphaKind::none, Coding::linear()});
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) {
      const std::array<float, 3> normal = normal_of_ball(x, y, w, h);
      const bool hole = x < 3;
      const float ramp = x > 2 * w / 3 ? 5.0f : 2.0f - normal[2];
      for (int c = 0; vector && c < 3; ++c) {
        image.set(x, y, c, hole ? 0 : normal[static_cast<std::size_t>(c)]);
      }
      if (!vector) image.set(x, y, 0, hole ? std::numeric_limits<float>::infinity() : ramp);
    }
  }
  return std::make_shared<OwnedSource>(std::move(image));
}

inline RenderOptions with_roles(int w, int h) {
  RenderOptions options;
  options.roles = [w, h](int, const std::string& role, const ImageRef&) {
    return role_source(role, w, h);
  };
  return options;
}

/// The format in which a filter's results are compared: neither the foot of the sRGB curve nor a
/// division by a small alpha may amplify differences. Bit-exact comparisons use equal numbers
/// without conversion, which changes `input`.
inline PictureFormat compared_in(const Filter& filter, const Values& values, PictureFormat& input) {
  PictureFormat output = input;
  output.type = SampleType::f32;
  output.coding = light_of(values) == Light::linear ? Coding::linear() : Coding::srgb();
  if (output.has_alpha()) output.alpha = AlphaKind::premultiplied;
  if (filter.tolerance(values) != 0) return output;
  input.coding = output.coding;
  return input;
}

/// For planning outside a session: declares the roles as bound.
inline Recipe with_roles_named(Recipe recipe) {
  for (Step& step : recipe.steps) {
    for (const RoleInfo& role : Registry::get().at(step.filter).filter->info().roles) {
      step.values.set(role.parameter, ImageRef{"bound", ""});
    }
  }
  return recipe;
}

inline Plan plan_of(const Recipe& recipe, Image& input, const Target& target) {
  const PictureFormat& format = input.format;
  MemorySource source(format, input.view());
  const SurveyResults surveyed = survey_picture(make_plan(recipe, format, format, target), source);
  return make_plan(recipe, format, format, target, {.surveyed = surveyed});
}

}  // namespace sfumato::testing
