// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The values a parameter can hold.
#include "params/value.hpp"

namespace sfumato {

static_assert(std::variant_size_v<Value> == static_cast<std::size_t>(Kind::image) + 1,
              "Kind names the alternatives of Value in their order");

Kind kind_of(const Value& value) {
  return static_cast<Kind>(value.index());
}

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::real:
      return "real";
    case Kind::integer:
      return "integer";
    case Kind::boolean:
      return "boolean";
    case Kind::choice:
      return "choice";
    case Kind::color:
      return "color";
    case Kind::gradient:
      return "gradient";
    case Kind::curve:
      return "curve";
    case Kind::matrix:
      return "matrix";
    case Kind::image:
      return "image";
  }
  return "real";
}

}  // namespace sfumato
