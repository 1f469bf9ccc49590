// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The one parser, printer and validator of values, for the command line, hosts and windows alike.
#pragma once

#include <string>
#include <string_view>

#include "params/parameter.hpp"
#include "params/value.hpp"

namespace sfumato {

/// Reads a value as people write it; never asks the locale. Throws ParameterError with one sentence
/// if the text is malformed or the value is not allowed.
///   real      "2.5" "1e3" "+1" ".5"; no NaN, infinity, hexadecimal or trailing characters
///   integer   "3" "-2" "3.0"; no fraction, no overflow
///   boolean   yes no true false on off 1 0
///   choice    its id
///   color     "#rgb" "#rgba" "#rrggbb" "#rrggbbaa" "r g b" "r g b a"
///   gradient  "0 #000000; 0.5 #00ff00; 1 #ffffff" (position and colour)
///   curve     "0 0; 0.5 0.7; 1 1" (x and y)
///   matrix    "a b c; d e f" (rows)
///   image     "file.exr" or "file.exr:N.X,N.Y,N.Z"; empty: not bound. The part after the last ':'
///             is channels if it has no '/' and an extension stands before it. "::" ends the path
///             whatever it holds: "odd:name::N.X", and "a.exr:b::" is a path alone.
Value parse(const Parameter& parameter, std::string_view text);

/// Writes a value so that parse() gives it back to the last bit. Numbers are as short as that
/// allows. Throws ParameterError if the value is of another kind; does not check().
std::string print(const Parameter& parameter, const Value& value);

/// Throws ParameterError if the parameter cannot have this value: another kind, NaN or infinity,
/// outside the valid range, no such choice, unsorted, too large.
void check(const Parameter& parameter, const Value& value);

/// A whole number for a real parameter made real, and a real one without fraction for an integer
/// parameter made whole; any other value as it is.
Value coerce(const Parameter& parameter, Value value);

/// The shortest decimal text that reads back as the same double; "nan", "inf", "-inf" beyond.
std::string print_number(double value);

/// A number with its unit, e.g. "2.5 px", and a range with its unit, e.g. "0 to 1000 px".
std::string print_with_unit(double value, Unit unit);
std::string print_range(const Range& range, Unit unit);

/// Reads a finite decimal number without the locale; false if the text is anything else. Text too
/// large or too small for a double is refused too.
bool parse_number(std::string_view text, double& value);

/// `path`, or `path:channels`, as parse() takes images.
ImageRef parse_image(std::string_view text);
std::string print_image(const ImageRef& image);

}  // namespace sfumato
