// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Values and parameter declarations as JSON.
#include "params/json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "params/errors.hpp"
#include "params/refusals.hpp"
#include "params/suggest.hpp"
#include "params/text.hpp"

namespace sfumato {
namespace {

using Json = nlohmann::ordered_json;
using Reason = ParameterError::Reason;

/// A JSON value for a message: short scalars verbatim, anything else by its type.
MessageValue described(const Json& json) {
  if (json.is_string()) return in_quotes(json.get_ref<const std::string&>());
  if (json.is_array()) return message({"json.array", "an array"});
  if (json.is_object()) return message({"json.object", "an object"});
  return json.dump();
}

[[noreturn]] void malformed_json(const Parameter& parameter, Message sentence) {
  throw ParameterError(Reason::malformed, parameter.name, std::move(sentence));
}

[[noreturn]] void refuse_gradient(const Parameter& parameter, const Json& json) {
  malformed_json(parameter,
                 message({"json.not_gradient",
                          "{parameter}: {value} is not a gradient; give [{{\"position\": ..., "
                          "\"color\": [...]}}, ...]"},
                         named(parameter), described(json)));
}

[[noreturn]] void refuse_curve(const Parameter& parameter, const Json& json) {
  malformed_json(parameter, message({"json.not_curve",
                                     "{parameter}: {value} is not a curve; give [[x, y], ...]"},
                                    named(parameter), described(json)));
}

[[noreturn]] void refuse_matrix(const Parameter& parameter, const Json& json) {
  malformed_json(parameter,
                 message({"json.not_matrix",
                          "{parameter}: {value} is not a matrix; give an array of rows that are "
                          "equally long"},
                         named(parameter), described(json)));
}

[[noreturn]] void refuse_whole(const Parameter& parameter, const Json& json) {
  malformed_json(parameter,
                 message({"json.not_whole", "{parameter}: {value} is not a whole number"},
                         named(parameter), described(json)));
}

std::string text_in(const Parameter& parameter, const Json& json) {
  if (json.is_string()) return json.get<std::string>();
  malformed_json(parameter, message({"json.not_text", "{parameter}: {value} is not a text"},
                                    named(parameter), described(json)));
}

double number_in(const Parameter& parameter, const Json& json) {
  if (!json.is_number())
    malformed_json(parameter, message({"json.not_number", "{parameter}: {value} is not a number"},
                                      named(parameter), described(json)));
  return json.get<double>();
}

Value integer_from(const Parameter& parameter, const Json& json) {
  if (!json.is_number()) refuse_whole(parameter, json);
  const bool beyond = json.is_number_unsigned() &&
                      json.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX);
  if (json.is_number_integer() && !beyond) return json.get<std::int64_t>();
  const Value whole = coerce(parameter, json.get<double>());
  if (std::holds_alternative<std::int64_t>(whole)) return whole;
  const double value = json.get<double>();
  if (value != std::floor(value)) refuse_whole(parameter, json);
  throw ParameterError(Reason::not_allowed, parameter.name,
                       beyond_integers(parameter, json.dump()));
}

Json color_to(const Color& color) {
  return Json::array({color.r, color.g, color.b, color.a});
}

Color color_from(const Parameter& parameter, const Json& json) {
  if (!json.is_array() || json.size() < 3 || json.size() > 4)
    malformed_json(parameter,
                   message({"json.not_color",
                            "{parameter}: {value} is not a colour; give [red, green, blue, "
                            "alpha]"},
                           named(parameter), described(json)));
  Color color;
  color.r = number_in(parameter, json[0]);
  color.g = number_in(parameter, json[1]);
  color.b = number_in(parameter, json[2]);
  if (json.size() == 4) color.a = number_in(parameter, json[3]);
  return color;
}

Gradient gradient_from(const Parameter& parameter, const Json& json) {
  if (!json.is_array()) refuse_gradient(parameter, json);
  Gradient gradient;
  for (const Json& item : json) {
    if (!item.is_object() || item.size() != 2 || !item.contains("position") ||
        !item.contains("color"))
      refuse_gradient(parameter, json);
    gradient.stops.push_back(
        {number_in(parameter, item["position"]), color_from(parameter, item["color"])});
  }
  return gradient;
}

Curve curve_from(const Parameter& parameter, const Json& json) {
  if (!json.is_array()) refuse_curve(parameter, json);
  Curve curve;
  for (const Json& item : json) {
    if (!item.is_array() || item.size() != 2) refuse_curve(parameter, json);
    curve.points.push_back({number_in(parameter, item[0]), number_in(parameter, item[1])});
  }
  return curve;
}

Matrix matrix_from(const Parameter& parameter, const Json& json) {
  constexpr std::size_t most = 1000000;  // check() knows the real limits
  if (!json.is_array() || json.empty() || json.size() > most) refuse_matrix(parameter, json);
  Matrix matrix;
  matrix.rows = static_cast<int>(json.size());
  for (const Json& row : json) {
    if (!row.is_array() || row.size() != json[0].size() || row.size() > most)
      refuse_matrix(parameter, json);
    matrix.columns = static_cast<int>(row.size());
    for (const Json& value : row) matrix.values.push_back(number_in(parameter, value));
  }
  return matrix;
}

Message no_such_member(const Parameter& parameter, const std::string& name) {
  const std::string nearest = nearest_name(name, {"path", "channels"});
  if (nearest.empty()) {
    return message({"json.no_such_member", "{parameter}: an image has no {name}"}, named(parameter),
                   in_quotes(name));
  }
  return message(
      {"json.no_such_member_but", "{parameter}: an image has no {name}; did you mean {nearest}?"},
      named(parameter), in_quotes(name), in_quotes(nearest));
}

Value image_from(const Parameter& parameter, const Json& json) {
  if (json.is_null()) return ImageRef();
  ImageRef image;
  if (!json.is_object() || !json.contains("path"))
    malformed_json(parameter,
                   message({"json.not_image",
                            "{parameter}: {value} is not an image; give {{\"path\": ..., "
                            "\"channels\": ...}} or null"},
                           named(parameter), described(json)));
  for (const auto& [name, value] : json.items()) {
    if (name == "path")
      image.path = text_in(parameter, value);
    else if (name == "channels")
      image.channels = text_in(parameter, value);
    else
      malformed_json(parameter, no_such_member(parameter, name));
  }
  return image;
}

Value value_from(const Parameter& parameter, const Json& json) {
  switch (parameter.kind) {
    case Kind::real:
      return number_in(parameter, json);
    case Kind::integer:
      return integer_from(parameter, json);
    case Kind::boolean:
      if (!json.is_boolean()) {
        malformed_json(parameter,
                       message({"json.not_switch", "{parameter}: {value} is not true or false"},
                               named(parameter), described(json)));
      }
      return json.get<bool>();
    case Kind::choice:
      return Choice(text_in(parameter, json));
    case Kind::color:
      return color_from(parameter, json);
    case Kind::gradient:
      return gradient_from(parameter, json);
    case Kind::curve:
      return curve_from(parameter, json);
    case Kind::matrix:
      return matrix_from(parameter, json);
    case Kind::image:
      return image_from(parameter, json);
  }
  return {};
}

/// JSON has no infinity: null means no limit.
Json limit_to(double limit) {
  return std::isfinite(limit) ? Json(limit) : Json(nullptr);
}

Json range_to(const Range& range) {
  return Json::array({limit_to(range.min), limit_to(range.max)});
}

bool takes_text(Kind kind) {
  return kind != Kind::real && kind != Kind::integer && kind != Kind::boolean;
}

struct Writer {
  Json operator()(double value) const { return value; }
  Json operator()(std::int64_t value) const { return value; }
  Json operator()(bool value) const { return value; }
  Json operator()(const Choice& choice) const { return choice.id; }
  Json operator()(const Color& color) const { return color_to(color); }

  Json operator()(const Gradient& gradient) const {
    Json json = Json::array();
    for (const Gradient::Stop& stop : gradient.stops)
      json.push_back(Json::object({{"position", stop.position}, {"color", color_to(stop.color)}}));
    return json;
  }

  Json operator()(const Curve& curve) const {
    Json json = Json::array();
    for (const Curve::Point& point : curve.points) json.push_back(Json::array({point.x, point.y}));
    return json;
  }

  Json operator()(const Matrix& matrix) const {
    Json json = Json::array();
    for (int row = 0; row < matrix.rows; ++row) {
      Json values = Json::array();
      for (int column = 0; column < matrix.columns; ++column)
        values.push_back(matrix.at(row, column));
      json.push_back(std::move(values));
    }
    return json;
  }

  Json operator()(const ImageRef& image) const {
    if (!image.bound()) return nullptr;
    return Json::object({{"path", image.path}, {"channels", image.channels}});
  }
};

}  // namespace

nlohmann::ordered_json to_json(const Parameter& parameter, const Value& value) {
  if (kind_of(value) != parameter.kind) check(parameter, value);  // throws with the right message
  return std::visit(Writer(), value);
}

Value from_json(const Parameter& parameter, const nlohmann::ordered_json& json) {
  if (json.is_string() && takes_text(parameter.kind))
    return parse(parameter, json.get_ref<const std::string&>());
  Value value = value_from(parameter, json);
  check(parameter, value);
  return value;
}

nlohmann::ordered_json to_json(const ParameterSet& set, const Values& values) {
  const Values all = complete(set, values);
  Json json = Json::object();
  for (const Parameter& parameter : set)
    json[parameter.name] = to_json(parameter, all.at(parameter.name));
  return json;
}

Values from_json(const ParameterSet& set, const nlohmann::ordered_json& json) {
  if (!json.is_object())
    throw ParameterError(Reason::malformed, {},
                         message({"json.values",
                                  "values must be an object of names and values, not "
                                  "{value}"},
                                 described(json)));
  Values values = defaults(set);
  for (const auto& [name, value] : json.items()) {
    const Parameter& parameter = set.at(name);
    values.set(parameter.name, sfumato::from_json(parameter, value));
  }
  return values;
}

nlohmann::ordered_json schema(const Parameter& parameter) {
  const Kind kind = parameter.kind;
  const bool number = kind == Kind::real || kind == Kind::integer;
  Json json = Json::object();
  json["name"] = parameter.name;
  json["label"] = parameter.label;
  json["help"] = parameter.help;
  json["kind"] = name_of(kind);
  json["default"] = to_json(parameter, parameter.default_value);
  if (kind != Kind::boolean && kind != Kind::choice && kind != Kind::image)
    json["valid"] = range_to(parameter.valid);
  if (number) {
    json["slider"] = range_to(parameter.slider);
    json["law"] = name_of(parameter.law);
    if (parameter.law == SliderLaw::power) json["law_gamma"] = parameter.law_gamma;
    json["step"] = parameter.step;
    json["unit"] = name_of(parameter.unit);
    json["zoom"] = name_of(parameter.zoom);
  }
  if (kind == Kind::choice) {
    Json choices = Json::array();
    for (const ChoiceOption& option : parameter.choices)
      choices.push_back(
          Json::object({{"id", option.id}, {"label", option.label}, {"help", option.help}}));
    json["choices"] = std::move(choices);
  }
  if (kind == Kind::matrix) {
    json["max_rows"] = parameter.max_rows;
    json["max_columns"] = parameter.max_columns;
    json["odd_only"] = parameter.odd_only;
  }
  json["visible_if"] = parameter.visible_if.text();
  json["changes_halo"] = parameter.changes_halo;
  return json;
}

nlohmann::ordered_json schema(const ParameterSet& set) {
  Json json = Json::array();
  for (const Parameter& parameter : set) json.push_back(schema(parameter));
  return json;
}

}  // namespace sfumato
