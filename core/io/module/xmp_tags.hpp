// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The tags of an XMP packet: as much of XML as its editing needs.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace sfumato::files {

/// An attribute of a tag; its places count from the packet's beginning, with the blanks before it.
struct XmpAttribute {
  std::size_t begin = 0, end = 0;
  std::string_view name, value;
};

struct XmpTag {
  std::size_t begin = 0, end = 0;
  std::string_view name;
  bool closes = false;  ///< an end tag
  bool alone = false;   ///< without contents
  std::vector<XmpAttribute> attributes;
};

/// The next tag; nullopt at the end, or where it is no XML.
std::optional<XmpTag> next_xmp_tag(std::string_view xml, std::size_t at);

}  // namespace sfumato::files
