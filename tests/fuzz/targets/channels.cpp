// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Names of channels and layers: whatever a file calls them, what is chosen is there.
#include <string_view>

#include "fuzz/targets/seeds.hpp"
#include "io/module/parts.hpp"

namespace {

using namespace sfumato;
using namespace sfumato::files;

// Up to the next '\n', which is skipped.
std::string line_of(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string out(text.substr(0, end));
  text.remove_prefix(std::min(text.size(), end + 1));
  return out;
}

// A line for each part: its name, and its channels, separated by '|'.
std::vector<OIIO::ImageSpec> parts_in(std::string_view text) {
  constexpr std::size_t most_parts = 4, most_channels = 16;
  std::vector<OIIO::ImageSpec> parts;
  while (!text.empty() && parts.size() < most_parts) {
    const std::string line = line_of(text);
    OIIO::ImageSpec spec(4, 4, 1, OIIO::TypeDesc::HALF);
    spec.channelnames.clear();
    std::size_t at = std::min(line.find('|'), line.size());
    const std::string name = line.substr(0, at);
    if (!name.empty()) spec.attribute("oiio:subimagename", name);
    while (at < line.size() && spec.channelnames.size() < most_channels) {
      const std::size_t end = std::min(line.find('|', at + 1), line.size());
      spec.channelnames.push_back(line.substr(at + 1, end - at - 1));
      at = end;
    }
    // Some readers name more channels than there are, or fewer.
    spec.nchannels = static_cast<int>(spec.channelnames.size()) + (name == "more" ? 2 : 0);
    spec.deep = name == "deep";
    if (spec.nchannels > 0) parts.push_back(std::move(spec));
  }
  return parts;
}

void check(const files::Choice& choice, const std::vector<OIIO::ImageSpec>& parts) {
  if (choice.part < 0 || static_cast<std::size_t>(choice.part) >= parts.size())
    fuzz::broken("the part is there");
  const int channels = parts[static_cast<std::size_t>(choice.part)].nchannels;
  if (choice.channels.empty() || choice.channels.size() > 4) fuzz::broken("one to four channels");
  for (const int channel : choice.channels) {
    if (channel < 0 || channel >= channels) fuzz::broken("the channel is there");
  }
  if (choice.alpha < -1 || choice.alpha >= static_cast<int>(choice.channels.size()))
    fuzz::broken("opacity is among the channels");
}

}  // namespace

std::vector<std::string> sfumato::fuzz::seeds() {
  return {"\n\n|R|G|B|A\n", "normal\n\nbeauty|R|G|B\nnormals|N.X|N.Y|N.Z\n",
          "depth\n\nview|ViewLayer.Combined.R|ViewLayer.Combined.G|ViewLayer.Combined.B|"
          "ViewLayer.Depth.Z|ViewLayer.Mist.V\n",
          "\nnormal.x, Normal.Y,N.Z\n|normal.X|normal.Y|normal.Z|u|v\nmore|Y\ndeep|Z",
          "\nflow\n|flow.u|flow.v\n"};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  ReadOptions options;
  options.role = line_of(text);
  options.channels = line_of(text);
  const std::vector<OIIO::ImageSpec> parts = parts_in(text);
  if (parts.empty()) return 0;
  try {
    check(choose_channels("a.exr", "openexr", parts, options), parts);
    check(choose_channels("a.tif", "tiff", parts, options), parts);
  } catch (const FileError&) {
    // there is no such channel
  }
  PictureInfo info;
  name_layers(parts, info);
  // What is named can be asked for; names that are empty or hold a comma cannot.
  for (const std::string& name : info.all_channels) {
    if (name.find_first_not_of(" ,") == std::string::npos || name.find(',') != std::string::npos ||
        name.front() == ' ' || name.back() == ' ') {
      continue;
    }
    options.channels = name;
    check(choose_channels("a.exr", "openexr", parts, options), parts);
  }
  return 0;
}
