// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Views of stereo pictures in OpenEXR files: parts and layers of one eye, and the list of their
// names, which OpenImageIO 2.4 reads but does not write.
#include <algorithm>

#include "io/module/embedded.hpp"

namespace sfumato::files {

std::vector<std::string> other_views(const std::vector<OIIO::ImageSpec>& parts,
                                     const Choice& choice) {
  // A view is the first name of a layer, or the part's own word.
  const auto view_of = [&](int part, const std::string& channel) {
    std::string view =
        lower(std::string(parts[static_cast<std::size_t>(part)].get_string_attribute("view")));
    return view.empty() ? lower(channel.substr(0, channel.find('.'))) : view;
  };
  const auto is_eye = [](const std::string& view) { return view == "left" || view == "right"; };
  const std::string own =
      view_of(choice.part, std::string(parts[static_cast<std::size_t>(choice.part)].channel_name(
                               choice.channels.front())));
  std::vector<std::string> out;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    for (const std::string& channel : parts[p].channelnames) {
      const std::string view = view_of(static_cast<int>(p), channel);
      const bool other =
          view != own && (is_eye(view) || parts[p].find_attribute("view") != nullptr);
      if (other && std::find(out.begin(), out.end(), view) == out.end()) out.push_back(view);
    }
  }
  return out;
}

std::string exr_attribute_of_views(const OIIO::ImageSpec& spec) {
  const OIIO::ParamValue* list = spec.find_attribute("multiView");
  if (list == nullptr || list->type().basetype != OIIO::TypeDesc::STRING) return {};
  const auto size = [](std::size_t count) {
    std::string out;
    for (int i = 0; i < 4; ++i) out += static_cast<char>(count >> (8 * i) & 0xff);
    return out;
  };
  std::string value;
  for (int i = 0; i < list->nvalues() * static_cast<int>(list->type().numelements()); ++i) {
    const std::string name(list->get_string_indexed(i));
    value += size(name.size()) + name;
  }
  return std::string("multiView\0stringvector\0", 23) + size(value.size()) + value;
}

}  // namespace sfumato::files
