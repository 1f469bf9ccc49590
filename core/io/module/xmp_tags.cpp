// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "io/module/xmp_tags.hpp"

#include <array>

namespace sfumato::files {
namespace {

constexpr std::string_view xmp_blank = " \n\r\t";

// Behind a comment, a processing instruction or a declaration at `at`; `at` if it is none.
std::size_t behind_no_tag(std::string_view xml, std::size_t at) {
  constexpr std::array<std::array<std::string_view, 2>, 4> others = {
      {{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}, {"<!", ">"}}};
  for (const auto& [begin, end] : others) {
    if (xml.substr(at, begin.size()) != begin) continue;
    const std::size_t found = xml.find(end, at + begin.size());
    return found == std::string_view::npos ? xml.size() : found + end.size();
  }
  return at;
}

std::optional<XmpAttribute> xmp_attribute_at(std::string_view xml, std::size_t at) {
  XmpAttribute out;
  out.begin = at;
  const std::size_t name = xml.find_first_not_of(xmp_blank, at);
  const std::size_t name_end = xml.find_first_of(" \n\r\t=<>", name);
  const std::size_t equals = xml.find_first_not_of(xmp_blank, name_end);
  if (equals == std::string_view::npos || xml[equals] != '=') return std::nullopt;
  const std::size_t quote = xml.find_first_not_of(xmp_blank, equals + 1);
  if (quote == std::string_view::npos || (xml[quote] != '"' && xml[quote] != '\''))
    return std::nullopt;
  const std::size_t end = xml.find(xml[quote], quote + 1);
  if (end == std::string_view::npos) return std::nullopt;
  out.end = end + 1;
  out.name = xml.substr(name, name_end - name);
  out.value = xml.substr(quote + 1, end - quote - 1);
  return out;
}

}  // namespace

std::optional<XmpTag> next_xmp_tag(std::string_view xml, std::size_t at) {
  for (at = xml.find('<', at); at < xml.size(); at = xml.find('<', at)) {
    const std::size_t behind = behind_no_tag(xml, at);
    if (behind == at) break;
    at = behind;
  }
  if (at >= xml.size()) return std::nullopt;
  XmpTag out;
  out.begin = at;
  out.closes = xml.substr(at + 1, 1) == "/";
  const std::size_t name = at + (out.closes ? 2 : 1);
  at = xml.find_first_of(" \n\r\t/>", name);
  if (at == std::string_view::npos) return std::nullopt;
  out.name = xml.substr(name, at - name);
  while (true) {
    const std::size_t next = xml.find_first_not_of(xmp_blank, at);
    if (next == std::string_view::npos) return std::nullopt;
    if (xml[next] == '>' || xml[next] == '/') {
      out.alone = xml[next] == '/';
      const std::size_t last = next + (out.alone ? 1 : 0);
      if (xml.substr(last, 1) != ">") return std::nullopt;
      out.end = last + 1;
      return out;
    }
    const std::optional<XmpAttribute> attribute = xmp_attribute_at(xml, at);
    if (!attribute) return std::nullopt;
    out.attributes.push_back(*attribute);
    at = attribute->end;
  }
}

}  // namespace sfumato::files
