// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Reading and writing values as text.
#include "params/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

#include "params/errors.hpp"
#include "params/refusals.hpp"
#include "params/scan.hpp"
#include "params/suggest.hpp"

namespace sfumato {
namespace {

using Reason = ParameterError::Reason;

[[noreturn]] void malformed(const Parameter& parameter, Message sentence) {
  throw ParameterError(Reason::malformed, parameter.name, std::move(sentence));
}

/// Recognises NaN and infinity as people write them; otherwise returns false.
bool not_finite(std::string_view text, double& value) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const std::string word = scan::folded(text);
  const bool infinite = word == "inf" || word == "infinity";
  if (!infinite && word != "nan" && !word.starts_with("nan(")) return false;
  using limits = std::numeric_limits<double>;
  value = infinite ? (negative ? -limits::infinity() : limits::infinity()) : limits::quiet_NaN();
  return true;
}

/// Whether the text has the form of a decimal number, of any magnitude.
bool looks_like_number(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  const auto digits = [&] {
    std::size_t count = 0;
    for (; !text.empty() && scan::is_digit(text.front()); ++count) text.remove_prefix(1);
    return count;
  };
  std::size_t count = digits();
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    count += digits();
  }
  if (count == 0) return false;
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
    if (digits() == 0) return false;
  }
  return text.empty();
}

double parse_real(const Parameter& parameter, std::string_view text) {
  double value = 0;
  if (parse_number(text, value)) return value;
  if (looks_like_number(text))
    throw ParameterError(Reason::not_allowed, parameter.name,
                         beyond_numbers(parameter, in_quotes(text)));
  if (not_finite(text, value)) return value;  // check() reports what is allowed
  malformed(
      parameter,
      message({"parameter.no_number", "{parameter}: {value} is not a number; {wanted}"},
              named(parameter), in_quotes(text), wanted_number(parameter.valid, parameter.unit)));
}

[[noreturn]] void not_whole(const Parameter& parameter, std::string_view text) {
  malformed(
      parameter,
      message({"parameter.not_whole", "{parameter}: {value} is not a whole number; {wanted}"},
              named(parameter), in_quotes(text), wanted_number(parameter.valid, parameter.unit)));
}

std::int64_t parse_integer(const Parameter& parameter, std::string_view text) {
  std::string_view digits = text;
  if (digits.size() > 1 && digits.front() == '+' && scan::is_digit(digits[1]))
    digits.remove_prefix(1);
  std::int64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (error == std::errc() && stop == end) return value;
  double real = 0;
  if (!looks_like_number(text)) not_whole(parameter, text);
  if (parse_number(text, real) && real == std::floor(real) && std::fabs(real) < 9e15)
    return static_cast<std::int64_t>(real);  // "3.0", "1e3"
  if (parse_number(text, real) && real != std::floor(real)) not_whole(parameter, text);
  throw ParameterError(Reason::not_allowed, parameter.name,
                       beyond_integers(parameter, in_quotes(text)));
}

Choice parse_choice(const Parameter& parameter, std::string_view text) {
  for (const ChoiceOption& option : parameter.choices)
    if (scan::folded(option.id) == scan::folded(text)) return Choice(option.id);
  return Choice(text);  // check() lists the choices
}

int hex_digit(char c) {
  c = scan::lower(c);
  if (scan::is_digit(c)) return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool parse_hex(std::string_view digits, Color& color) {
  const std::size_t width = digits.size() <= 4 ? 1 : 2;
  const std::size_t count = digits.size() / width;
  if (digits.size() % width || (count != 3 && count != 4)) return false;
  std::array<double, 4> parts = {0, 0, 0, 1};
  for (std::size_t i = 0; i < count; ++i) {
    const int high = hex_digit(digits[i * width]);
    const int low = hex_digit(digits[i * width + width - 1]);
    if (high < 0 || low < 0) return false;
    parts[i] = (high * 16 + low) / 255.0;
  }
  color = {parts[0], parts[1], parts[2], parts[3]};
  return true;
}

bool parse_color(std::string_view text, Color& color) {
  if (text.starts_with('#')) return parse_hex(text.substr(1), color);
  const auto words = scan::words(text);
  if (words.size() != 3 && words.size() != 4) return false;
  std::array<double, 4> parts = {0, 0, 0, 1};
  for (std::size_t i = 0; i < words.size(); ++i)
    if (!parse_number(words[i], parts[i])) return false;
  color = {parts[0], parts[1], parts[2], parts[3]};
  return true;
}

bool parse_stop(std::string_view text, Gradient::Stop& stop) {
  const auto words = scan::words(text);
  return words.size() >= 2 && parse_number(words[0], stop.position) &&
         parse_color(scan::trim(text.substr(words[0].size())), stop.color);
}

bool parse_point(std::string_view text, Curve::Point& point) {
  const auto words = scan::words(text);
  return words.size() == 2 && parse_number(words[0], point.x) && parse_number(words[1], point.y);
}

/// The parts between semicolons, each read by `parse`; `refusal` says what is wrong if one fails.
template <class Part>
std::vector<Part> parse_parts(const Parameter& parameter, std::string_view text,
                              bool (*parse)(std::string_view, Part&), Message refusal) {
  std::vector<Part> parts;
  for (const std::string_view part : scan::split(text, ';')) {
    if (!parse(part, parts.emplace_back())) malformed(parameter, std::move(refusal));
  }
  return parts;
}

Gradient parse_gradient(const Parameter& parameter, std::string_view text) {
  return {parse_parts(
      parameter, text, parse_stop,
      message({"parameter.not_gradient",
               "{parameter}: {value} is not a gradient; write stops like \"0 #000000; 1 #ffffff\""},
              named(parameter), in_quotes(text)))};
}

Curve parse_curve(const Parameter& parameter, std::string_view text) {
  return {parse_parts(
      parameter, text, parse_point,
      message({"parameter.not_curve",
               "{parameter}: {value} is not a curve; write points like \"0 0; 0.5 0.7; 1 1\""},
              named(parameter), in_quotes(text)))};
}

Matrix parse_matrix(const Parameter& parameter, std::string_view text) {
  Matrix matrix;
  for (const std::string_view row : scan::split(text, ';')) {
    const auto words = scan::words(row);
    for (const std::string_view word : words)
      if (!parse_number(word, matrix.values.emplace_back()))
        malformed(parameter, message({"parameter.not_row",
                                      "{parameter}: {value} is not a number; write rows like \"0 "
                                      "-1 0; -1 5 -1; 0 -1 0\""},
                                     named(parameter), in_quotes(word)));
    const int columns = static_cast<int>(std::min<std::size_t>(words.size(), 1000000));
    if (columns == 0 || (matrix.rows > 0 && columns != matrix.columns))
      malformed(parameter, message({"parameter.not_matrix",
                                    "{parameter}: {value} is not a matrix; write as many numbers "
                                    "in every row, like \"0 -1 0; "
                                    "-1 5 -1; 0 -1 0\""},
                                   named(parameter), in_quotes(text)));
    matrix.columns = columns;
    ++matrix.rows;
  }
  // A row of weights may be written as a column.
  if (parameter.max_rows == 1 && matrix.columns == 1) std::swap(matrix.rows, matrix.columns);
  return matrix;
}

bool same_bits(double a, double b) {
  return a == b && std::signbit(a) == std::signbit(b);
}

std::string print_color(const Color& color) {
  const std::array<double, 4> parts = {color.r, color.g, color.b, color.a};
  const std::size_t count = same_bits(color.a, 1) ? 3 : 4;
  std::string hex = "#", numbers;
  bool exact = true;
  for (std::size_t i = 0; i < count; ++i) {
    const double scaled = parts[i] >= 0 && parts[i] <= 1 ? std::round(parts[i] * 255) : -1;
    exact = exact && same_bits(scaled / 255.0, parts[i]);
    const auto byte = static_cast<unsigned>(std::max(scaled, 0.0));
    hex += "0123456789abcdef"[byte / 16];
    hex += "0123456789abcdef"[byte % 16];
    if (i > 0) numbers += ' ';
    numbers += print_number(parts[i]);
  }
  return exact ? hex : numbers;
}

std::string print_gradient(const Gradient& gradient) {
  std::string text;
  for (const Gradient::Stop& stop : gradient.stops)
    text +=
        (text.empty() ? "" : "; ") + print_number(stop.position) + " " + print_color(stop.color);
  return text;
}

std::string print_curve(const Curve& curve) {
  std::string text;
  for (const Curve::Point& point : curve.points)
    text += (text.empty() ? "" : "; ") + print_number(point.x) + " " + print_number(point.y);
  return text;
}

std::string print_matrix(const Matrix& matrix) {
  std::string text;
  const auto columns = static_cast<std::size_t>(std::max(matrix.columns, 1));
  for (std::size_t i = 0; i < matrix.values.size(); ++i) {
    if (i > 0) text += i % columns == 0 ? "; " : " ";
    text += print_number(matrix.values[i]);
  }
  return text;
}

/// Whether the path ends in a file name with an extension such as ".exr".
bool has_extension(std::string_view path) {
  path.remove_prefix(path.rfind('/') + 1);  // npos + 1 is 0
  const std::size_t dot = path.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return false;
  const std::string_view extension = path.substr(dot + 1);
  return !extension.empty() && extension.size() <= 4 && scan::is_letter(extension[0]) &&
         std::all_of(extension.begin(), extension.end(),
                     [](char c) { return scan::is_letter(c) || scan::is_digit(c); });
}

}  // namespace

Value parse(const Parameter& parameter, std::string_view text) {
  const std::string_view trimmed = scan::trim(text);
  Value value;
  switch (parameter.kind) {
    case Kind::real:
      value = parse_real(parameter, trimmed);
      break;
    case Kind::integer:
      value = parse_integer(parameter, trimmed);
      break;
    case Kind::boolean: {
      bool flag = false;
      if (!scan::parse_boolean(trimmed, flag))
        malformed(parameter,
                  message({"parameter.not_switch", "{parameter}: {value} is neither yes nor no"},
                          named(parameter), in_quotes(text)));
      value = flag;
      break;
    }
    case Kind::choice:
      value = parse_choice(parameter, trimmed);
      break;
    case Kind::color: {
      Color color;
      if (!parse_color(trimmed, color))
        malformed(parameter, message({"parameter.not_color",
                                      "{parameter}: {value} is not a colour; write \"#rrggbb\", or "
                                      "red, green, blue and perhaps "
                                      "alpha as numbers with spaces between"},
                                     named(parameter), in_quotes(text)));
      value = color;
      break;
    }
    case Kind::gradient:
      value = parse_gradient(parameter, trimmed);
      break;
    case Kind::curve:
      value = parse_curve(parameter, trimmed);
      break;
    case Kind::matrix:
      value = parse_matrix(parameter, trimmed);
      break;
    case Kind::image:
      value = parse_image(text);
      break;
  }
  check(parameter, value);
  return value;
}

std::string print(const Parameter& parameter, const Value& value) {
  if (kind_of(value) != parameter.kind)
    throw ParameterError(Reason::wrong_kind, parameter.name, wrong_kind(parameter, kind_of(value)));
  switch (parameter.kind) {
    case Kind::real:
      return print_number(std::get<double>(value));
    case Kind::integer:
      return std::to_string(std::get<std::int64_t>(value));
    case Kind::boolean:
      return std::get<bool>(value) ? "yes" : "no";
    case Kind::choice:
      return std::get<Choice>(value).id;
    case Kind::color:
      return print_color(std::get<Color>(value));
    case Kind::gradient:
      return print_gradient(std::get<Gradient>(value));
    case Kind::curve:
      return print_curve(std::get<Curve>(value));
    case Kind::matrix:
      return print_matrix(std::get<Matrix>(value));
    case Kind::image:
      return print_image(std::get<ImageRef>(value));
  }
  return {};
}

Value coerce(const Parameter& parameter, Value value) {
  if (parameter.kind == Kind::real) {
    if (const auto* integer = std::get_if<std::int64_t>(&value))
      return static_cast<double>(*integer);
  }
  if (parameter.kind == Kind::integer) {
    const auto* real = std::get_if<double>(&value);
    if (real && *real == std::floor(*real) && std::fabs(*real) < 9e15)
      return static_cast<std::int64_t>(*real);
  }
  return value;
}

std::string print_number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  std::array<char, 32> buffer;
  // Numbers of ordinary size are written out: 100000, not 1e+05.
  const double size = std::fabs(value);
  const bool ordinary = size == 0 || (size >= 1e-4 && size < 1e9);
  char *const begin = buffer.data(), *const end = begin + buffer.size();
  const auto result = ordinary ? std::to_chars(begin, end, value, std::chars_format::fixed)
                               : std::to_chars(begin, end, value);
  return std::string(buffer.data(), result.ptr);
}

std::string print_with_unit(double value, Unit unit) {
  std::string number = print_number(value);
  if (unit == Unit::px) return number + " px";
  if (unit == Unit::degrees) return number + (value == 1 ? " degree" : " degrees");
  return number;
}

std::string print_range(const Range& range, Unit unit) {
  const bool below = std::isfinite(range.min), above = std::isfinite(range.max);
  if (below && above) return print_number(range.min) + " to " + print_with_unit(range.max, unit);
  if (below) return "at least " + print_with_unit(range.min, unit);
  if (above) return "at most " + print_with_unit(range.max, unit);
  return "of any size";
}

bool parse_number(std::string_view text, double& value) {
  if (!looks_like_number(text)) return false;
  if (text.starts_with('+')) text.remove_prefix(1);
  const char* end = text.data() + text.size();
  double result = 0;
  const auto [stop, error] = std::from_chars(text.data(), end, result);
  if (error != std::errc() || stop != end || !std::isfinite(result)) return false;
  value = result;
  return true;
}

ImageRef parse_image(std::string_view text) {
  const auto cut = [&](std::size_t at, std::size_t width) {
    return ImageRef{std::string(text.substr(0, at)), std::string(text.substr(at + width))};
  };
  const std::size_t end = text.rfind("::");
  if (end != std::string_view::npos) return cut(end, 2);
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || text.find('/', colon) != std::string_view::npos ||
      !has_extension(text.substr(0, colon)) || colon + 1 == text.size())
    return {std::string(text), {}};
  return cut(colon, 1);
}

std::string print_image(const ImageRef& image) {
  const std::string plain = image.channels.empty() ? image.path : image.path + ":" + image.channels;
  return parse_image(plain) == image ? plain : image.path + "::" + image.channels;
}

}  // namespace sfumato
