// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The one parser, printer and validator of values, for command line, hosts and windows alike.
#pragma once

#include <string>
#include <string_view>

#include "params/parameter.hpp"
#include "params/value.hpp"

namespace sfumato {

/// Reads a value as people write it, independent of the locale. Throws ParameterError with one
/// sentence if the text is malformed or the value is not allowed.
///   real      "2.5" "1e3" "+1" ".5"; no NaN, infinity, hexadecimal or trailing characters
///   integer   "3" "-2" "3.0"; no fraction, no overflow
///   boolean   yes no true false on off 1 0
///   choice    its id
///   color     "#rgb" "#rgba" "#rrggbb" "#rrggbbaa" "r g b" "r g b a"
///   gradient  "0 #000000; 0.5 #00ff00; 1 #ffffff" (position and colour)
///   curve     "0 0; 0.5 0.7; 1 1" (x and y)
///   matrix    "a b c; d e f" (rows)
///   image     "file.exr" or "file.exr:N.X,N.Y,N.Z"; empty: not bound. The part after the last ':'
///             names channels if it has no '/' and follows a file extension. "::" always ends the
///             path: "odd:name::N.X"; "a.exr:b::" is a path alone.
Value parse(const Parameter& parameter, std::string_view text);

/// Writes a value so that parse() returns it exactly; numbers are as short as that allows. Throws
/// ParameterError if the value is of another kind; does not call check().
std::string print(const Parameter& parameter, const Value& value);

/// Throws ParameterError if the parameter cannot have this value: wrong kind, NaN or infinity,
/// outside the valid range, unknown choice, unsorted or too large.
void check(const Parameter& parameter, const Value& value);

/// Converts a whole number for a real parameter to real, and a real without a fraction for an
/// integer parameter to integer; returns any other value unchanged.
Value coerce(const Parameter& parameter, Value value);

/// The shortest decimal text that reads back as the same double; "nan", "inf" or "-inf" otherwise.
std::string print_number(double value);

/// A number with its unit, e.g. "2.5 px", and a range with its unit, e.g. "0 to 1000 px".
std::string print_with_unit(double value, Unit unit);
std::string print_range(const Range& range, Unit unit);

/// Reads a finite decimal number, independent of the locale; returns false for anything else,
/// including numbers beyond the range of a double.
bool parse_number(std::string_view text, double& value);

/// Splits `path` or `path:channels`, as parse() does for images.
ImageRef parse_image(std::string_view text);
std::string print_image(const ImageRef& image);

}  // namespace sfumato
