// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The values a parameter can hold: nine kinds, compared exactly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sfumato {

/// What a parameter holds, in the order of the alternatives of `Value`.
enum class Kind { real, integer, boolean, choice, color, gradient, curve, matrix, image };

/// One of a parameter's named choices, by its id.
struct Choice {
  std::string id;

  Choice() = default;
  explicit Choice(std::string_view name) : id(name) {}
  bool operator==(const Choice&) const = default;
};

/// Straight (not premultiplied) red, green, blue and alpha; nominally 0..1.
struct Color {
  double r = 0, g = 0, b = 0, a = 1;
  bool operator==(const Color&) const = default;
};

/// Colour stops along 0..1. Positions never decrease; two equal ones make a hard edge. At least one
/// stop.
struct Gradient {
  struct Stop {
    double position = 0;
    Color color;
    bool operator==(const Stop&) const = default;
  };
  std::vector<Stop> stops;
  bool operator==(const Gradient&) const = default;
};

/// A transfer function through points with strictly increasing x. At least two points.
struct Curve {
  struct Point {
    double x = 0, y = 0;
    bool operator==(const Point&) const = default;
  };
  std::vector<Point> points;
  bool operator==(const Curve&) const = default;
};

/// A matrix of weights, row by row: `values.size() == rows * columns`.
struct Matrix {
  int rows = 0, columns = 0;
  std::vector<double> values;

  double at(int row, int column) const {
    return values[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                  static_cast<std::size_t>(column)];
  }
  bool operator==(const Matrix&) const = default;
};

/// A picture in a role (mask, normal, depth...): a file and some of its channels. With an empty
/// path, nothing is bound to the role.
struct ImageRef {
  std::string path;
  std::string channels;  ///< comma-separated names ("N.X,N.Y,N.Z"); empty: chosen by the role

  bool bound() const { return !path.empty(); }
  bool operator==(const ImageRef&) const = default;
};

using Value =
    std::variant<double, std::int64_t, bool, Choice, Color, Gradient, Curve, Matrix, ImageRef>;

/// The kind of the value held.
Kind kind_of(const Value& value);

/// The kind's stable name, as used in schemas: "real", "integer", "boolean", "choice", "color"...
std::string_view name_of(Kind kind);

}  // namespace sfumato
