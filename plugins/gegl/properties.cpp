// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// One property type per kind of parameter.
#include "properties.hpp"

#include "gegl.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "language.hpp"
#include "params/text.hpp"

namespace sfumato::gegl {
namespace {

constexpr auto flags = static_cast<GParamFlags>(G_PARAM_READWRITE | G_PARAM_CONSTRUCT);

// GEGL's counterpart of a logarithmic slider: most of the travel for small values.
constexpr double gamma_of_logarithm = 3;

double gamma_of(const Parameter& p) {
  switch (p.law) {
    case SliderLaw::linear:
      return 1;
    case SliderLaw::logarithmic:
      return gamma_of_logarithm;
    case SliderLaw::power:
      return p.law_gamma;
  }
  return 1;
}

double finite(double bound) {
  constexpr double most = std::numeric_limits<double>::max();
  return std::clamp(bound, -most, most);
}

int whole(double bound) {
  return static_cast<int>(std::clamp(bound, -2147483648.0, 2147483647.0));
}

// Property names reserved by GEGL's nodes.
constexpr const char* taken[] = {"cache-policy", "dont-cache",  "gegl-operation", "name",
                                 "operation",    "passthrough", "use-opencl"};

// Turns snake_case names into GObject's form.
std::string canonical(std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

const char* unit_key(Unit unit) {
  switch (unit) {
    case Unit::px:
      return "pixel-distance";
    case Unit::degrees:
      return "degree";
    case Unit::fraction:
    case Unit::none:
      break;
  }
  return nullptr;
}

// The types of choices and their names live as long as the process.
GType type_of_choices(const std::string& filter, const Parameter& p) {
  const std::string type_name = "Sfumato_" + filter + "_" + p.name;
  if (const GType known = g_type_from_name(type_name.c_str())) return known;
  auto* values = g_new0(GEnumValue, p.choices.size() + 1);
  for (std::size_t i = 0; i < p.choices.size(); ++i) {
    values[i].value = static_cast<int>(i);
    values[i].value_name = g_strdup(word(p.choices[i].label, TextKind::choice));
    values[i].value_nick = g_strdup(canonical(p.choices[i].id).c_str());
  }
  return g_enum_register_static(g_strdup(type_name.c_str()), values);
}

int index_of(const Parameter& p, const std::string& id) {
  const auto found = std::find_if(p.choices.begin(), p.choices.end(),
                                  [&](const ChoiceOption& option) { return option.id == id; });
  return found == p.choices.end() ? 0 : static_cast<int>(found - p.choices.begin());
}

const Babl* color_format() {
  return babl_format("R'G'B'A double");
}

GeglColor* color_of(const Color& color) {
  GeglColor* out = gegl_color_new(nullptr);
  const double numbers[] = {color.r, color.g, color.b, color.a};
  gegl_color_set_pixel(out, color_format(), numbers);
  return out;
}

}  // namespace

std::vector<const Parameter*> shown_parameters(const FilterInfo& info) {
  std::vector<const Parameter*> out;
  for (const Parameter& p : info.parameters) {
    if (p.kind != Kind::image) out.push_back(&p);
  }
  return out;
}

std::string property_name(const std::string& filter, const Parameter& p) {
  const std::string name = canonical(p.name);
  return std::find(std::begin(taken), std::end(taken), name) == std::end(taken)
             ? name
             : canonical(filter) + "-" + name;
}

GParamSpec* property_of(const std::string& filter, const Parameter& p) {
  const std::string name = property_name(filter, p);
  const char *nick = word(p.label), *blurb = word(p.help);
  GParamSpec* spec = nullptr;
  switch (p.kind) {
    case Kind::real: {
      const double value = std::get<double>(p.default_value);
      spec = gegl_param_spec_double(name.c_str(), nick, blurb, finite(p.valid.min),
                                    finite(p.valid.max), value, p.slider.min, p.slider.max,
                                    gamma_of(p), flags);
      if (p.step > 0) {
        auto* real = GEGL_PARAM_SPEC_DOUBLE(spec);
        gegl_param_spec_double_set_steps(real, p.step, 10 * p.step);
        gegl_param_spec_double_set_digits(
            real, std::clamp(static_cast<int>(std::ceil(-std::log10(p.step))) + 1, 1, 6));
      }
      break;
    }
    case Kind::integer:
      spec =
          gegl_param_spec_int(name.c_str(), nick, blurb, whole(p.valid.min), whole(p.valid.max),
                              whole(static_cast<double>(std::get<std::int64_t>(p.default_value))),
                              whole(p.slider.min), whole(p.slider.max), gamma_of(p), flags);
      break;
    case Kind::boolean:
      spec =
          g_param_spec_boolean(name.c_str(), nick, blurb, std::get<bool>(p.default_value), flags);
      break;
    case Kind::choice:
      spec = gegl_param_spec_enum(name.c_str(), nick, blurb, type_of_choices(filter, p),
                                  index_of(p, std::get<Choice>(p.default_value).id), flags);
      break;
    case Kind::color: {
      GeglColor* value = color_of(std::get<Color>(p.default_value));
      spec = gegl_param_spec_color(name.c_str(), nick, blurb, value, flags);
      g_object_unref(value);
      break;
    }
    default:
      spec = gegl_param_spec_string(name.c_str(), nick, blurb, FALSE, FALSE,
                                    print(p, p.default_value).c_str(), flags);
  }
  if (const char* unit = unit_key(p.unit)) gegl_param_spec_set_property_key(spec, "unit", unit);
  return spec;
}

Value from_gvalue(const Parameter& p, const GValue& from) {
  switch (p.kind) {
    case Kind::real:
      return g_value_get_double(&from);
    case Kind::integer:
      return static_cast<std::int64_t>(g_value_get_int(&from));
    case Kind::boolean:
      return g_value_get_boolean(&from) != FALSE;
    case Kind::choice: {
      const auto i = static_cast<std::size_t>(std::max(0, g_value_get_enum(&from)));
      return Choice(p.choices.at(std::min(i, p.choices.size() - 1)).id);
    }
    case Kind::color: {
      auto* color = static_cast<GeglColor*>(g_value_get_object(&from));
      if (color == nullptr) return p.default_value;
      double numbers[4];
      gegl_color_get_pixel(color, color_format(), numbers);
      return Color{numbers[0], numbers[1], numbers[2], numbers[3]};
    }
    default: {
      const char* text = g_value_get_string(&from);
      return text != nullptr ? parse(p, text) : p.default_value;
    }
  }
}

void to_gvalue(const Parameter& p, const Value& from, GValue& to) {
  switch (p.kind) {
    case Kind::real:
      g_value_set_double(&to, std::get<double>(from));
      break;
    case Kind::integer:
      g_value_set_int(&to, whole(static_cast<double>(std::get<std::int64_t>(from))));
      break;
    case Kind::boolean:
      g_value_set_boolean(&to, std::get<bool>(from));
      break;
    case Kind::choice:
      g_value_set_enum(&to, index_of(p, std::get<Choice>(from).id));
      break;
    case Kind::color:
      g_value_take_object(&to, color_of(std::get<Color>(from)));
      break;
    default:
      g_value_set_string(&to, print(p, from).c_str());
  }
}

}  // namespace sfumato::gegl
