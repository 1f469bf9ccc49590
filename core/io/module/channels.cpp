// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Which channels of a file are the picture, by name, by role or by convention.
#include <algorithm>
#include <array>
#include <initializer_list>
#include <string_view>

#include "io/module/parts.hpp"
#include "params/suggest.hpp"

namespace sfumato::files {
namespace {

using Specs = std::vector<OIIO::ImageSpec>;
using Names = std::initializer_list<std::string_view>;

bool among(std::string_view name, Names names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// A channel's full name in lower case: "layer.x"; a part's name counts as its layer.
struct Channel {
  int part, index;
  std::string layer, tail;
  std::string full() const { return layer.empty() ? tail : layer + "." + tail; }
};

std::vector<Channel> all_channels(const Specs& parts) {
  std::vector<Channel> out;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (parts[p].deep) continue;  // several depths per pixel do not make a picture
    const std::string part = lower(part_name(parts[p]));
    for (int c = 0; c < parts[p].nchannels; ++c) {
      const std::string name = lower(parts[p].channel_name(c));
      const std::size_t dot = name.rfind('.');
      Channel channel{static_cast<int>(p), c, "", name};
      if (dot != std::string::npos) {
        channel.layer = name.substr(0, dot);
        channel.tail = name.substr(dot + 1);
      } else if (parts.size() > 1 && !part.empty()) {
        channel.layer = part;
      }
      out.push_back(std::move(channel));
    }
  }
  return out;
}

// Channels of one part and layer, in the file's order.
struct Layer {
  int part;
  std::string name;  // lower case; "" for channels without a layer
  std::vector<Channel> channels;

  const Channel* find(Names tails) const {
    for (const std::string_view tail : tails) {
      for (const Channel& c : channels) {
        if (c.tail == tail) return &c;
      }
    }
    return nullptr;
  }
  std::string_view last_name() const {
    const std::size_t dot = name.rfind('.');
    return std::string_view(name).substr(dot == std::string::npos ? 0 : dot + 1);
  }
};

std::vector<Layer> layers_of(const std::vector<Channel>& channels) {
  std::vector<Layer> layers;
  for (const Channel& c : channels) {
    auto found = std::find_if(layers.begin(), layers.end(), [&](const Layer& l) {
      return l.part == c.part && l.name == c.layer;
    });
    if (found == layers.end()) found = layers.insert(layers.end(), Layer{c.part, c.layer, {}});
    found->channels.push_back(c);
  }
  return layers;
}

Choice make(int part, std::initializer_list<const Channel*> channels, const Channel* alpha) {
  Choice choice;
  choice.part = part;
  for (const Channel* c : channels) choice.channels.push_back(c->index);
  if (alpha != nullptr) {
    choice.alpha = static_cast<int>(choice.channels.size());
    choice.channels.push_back(alpha->index);
  }
  return choice;
}

std::optional<Choice> colour(const Layer& layer) {
  const Channel* r = layer.find({"r", "red"});
  const Channel* g = layer.find({"g", "green"});
  const Channel* b = layer.find({"b", "blue"});
  const Channel* a = layer.find({"a", "alpha"});
  if (r != nullptr && g != nullptr && b != nullptr) return make(layer.part, {r, g, b}, a);
  return std::nullopt;
}

// Numbers that belong together, such as a direction: X, Y, Z, in this order.
std::optional<Choice> vectors(const Layer& layer) {
  const Channel* x = layer.find({"x"});
  const Channel* y = layer.find({"y"});
  const Channel* z = layer.find({"z"});
  if (x == nullptr || y == nullptr || z == nullptr) return std::nullopt;
  return make(layer.part, {x, y, z}, nullptr);
}

// Two numbers that belong together, such as a motion: with a third, since two channels would be
// gray and opacity.
std::optional<Choice> pair(const Layer& layer) {
  const bool flat = layer.find({"z"}) == nullptr;
  const Channel* first = layer.find({"u"});
  const Channel* second = layer.find({"v"});
  if (first == nullptr || second == nullptr) {
    first = flat ? layer.find({"x"}) : nullptr;
    second = layer.find({"y"});
  }
  if (first == nullptr || second == nullptr) return std::nullopt;
  Choice choice = make(layer.part, {first, second}, nullptr);
  choice.blank = 1;
  return choice;
}

std::optional<Choice> gray(const Layer& layer) {
  if (pair(layer) || vectors(layer)) return std::nullopt;
  const Channel* a = layer.find({"a", "alpha"});
  if (const Channel* y = layer.find({"y", "i", "l", "gray", "luminance"})) {
    return make(layer.part, {y}, a);
  }
  return std::nullopt;
}

// Formats without named channels: colour first, then opacity if the file says which it is. TIFF
// says whether several channels are gray with others.
Choice plain(const OIIO::ImageSpec& spec, bool tiff) {
  Choice choice;
  const int colours = spec.nchannels >= 3 && !(tiff && is_gray_in_tiff(spec)) ? 3 : 1;
  for (int c = 0; c < colours; ++c) choice.channels.push_back(c);
  int alpha = spec.alpha_channel;
  for (int c = colours; c < spec.nchannels && alpha < 0; ++c) {
    if (lower(spec.channel_name(c)) == "a") alpha = c;
  }
  if (alpha >= colours && alpha < spec.nchannels) {
    choice.alpha = colours;
    choice.channels.push_back(alpha);
  }
  return choice;
}

// The first layer with colours: without a name, of a usual name, or any.
std::optional<Choice> first_colour(const Specs& parts, const std::vector<Layer>& layers) {
  const auto usual = [](const Layer& l) {
    return among(l.last_name(), {"combined", "beauty", "rgba", "rgb", "color", "colour", "main"});
  };
  for (const Layer& l : layers) {
    if (!l.name.empty() && parts.size() == 1) continue;
    if (auto c = colour(l)) return c;
  }
  for (const Layer& l : layers) {
    if (!usual(l)) continue;
    if (auto c = colour(l)) return c;
  }
  return std::nullopt;
}

Choice picture(const Specs& parts, const std::vector<Layer>& layers) {
  if (auto c = first_colour(parts, layers)) return *c;
  for (const Layer& l : layers) {
    auto c = l.name.empty() ? gray(l) : std::nullopt;
    if (c) return *c;
  }
  for (const auto kind : {colour, gray, vectors}) {
    for (const Layer& l : layers) {
      if (auto c = kind(l)) return *c;
    }
  }
  // Nothing looks like colour (a lone depth channel): the first channel stands for gray.
  for (const Layer& l : layers) {
    if (!pair(l)) return make(l.part, {&l.channels.front()}, nullptr);
  }
  return *pair(layers.front());
}

// Colours as luminance and two differences, of which one alone must not be filtered.
bool has_chroma(const std::vector<Layer>& layers, const Choice& choice) {
  return std::any_of(layers.begin(), layers.end(), [&](const Layer& l) {
    const Channel* y = l.find({"y"});
    const bool chosen =
        y != nullptr && l.part == choice.part && y->index == choice.channels.front();
    return chosen && l.find({"ry"}) != nullptr && l.find({"by"}) != nullptr;
  });
}

bool means_normal(std::string_view name) {
  return among(name, {"n", "nn", "nrm", "norm", "normal", "normals", "shadingnormal"});
}

std::optional<Choice> normals(const std::vector<Layer>& layers) {
  // Exact names before names that only contain the word ("worldnormal").
  for (const bool exact : {true, false}) {
    for (const Layer& l : layers) {
      const bool named = exact ? means_normal(l.last_name())
                               : l.last_name().find("normal") != std::string_view::npos;
      if (!named) continue;
      const Channel* x = l.find({"x", "r", "red"});
      const Channel* y = l.find({"y", "g", "green"});
      const Channel* z = l.find({"z", "b", "blue"});
      if (x != nullptr && y != nullptr && z != nullptr) return make(l.part, {x, y, z}, nullptr);
    }
  }
  for (const Layer& l : layers) {  // "nx", "ny", "nz" as some renderers write them
    const Channel* x = l.find({"nx", "normalx", "normal_x"});
    const Channel* y = l.find({"ny", "normaly", "normal_y"});
    const Channel* z = l.find({"nz", "normalz", "normal_z"});
    if (x != nullptr && y != nullptr && z != nullptr) return make(l.part, {x, y, z}, nullptr);
  }
  return std::nullopt;
}

std::optional<Choice> depth(const std::vector<Layer>& layers) {
  for (const Layer& l : layers) {
    if (!l.name.empty()) continue;
    if (const Channel* z = l.find({"z", "depth", "zdepth"})) return make(l.part, {z}, nullptr);
  }
  for (const bool exact : {true, false}) {
    for (const Layer& l : layers) {
      const bool named = exact ? among(l.last_name(), {"depth", "z", "zdepth", "depthz"})
                               : l.last_name().find("depth") != std::string_view::npos;
      if (!named) continue;
      if (const Channel* z = l.find({"z", "v", "r", "y", "depth", "x"})) {
        return make(l.part, {z}, nullptr);
      }
    }
  }
  for (const Layer& l : layers) {  // a picture with depth beside its colour in one layer
    if (means_normal(l.last_name())) continue;
    if (const Channel* z = l.find({"z", "depth"})) return make(l.part, {z}, nullptr);
  }
  return std::nullopt;
}

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> out;
  std::size_t at = 0;
  while (at <= list.size()) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    std::string name = lower(list.substr(at, end - at));
    while (!name.empty() && name.front() == ' ') name.erase(0, 1);
    while (!name.empty() && name.back() == ' ') name.pop_back();
    if (!name.empty()) out.push_back(name);
    at = end + 1;
  }
  return out;
}

// A channel is requested by its own name, or with its part's or layer's before it.
const Channel* named(const std::vector<Channel>& channels, const Specs& parts,
                     const std::string& name, int part) {
  for (const Channel& c : channels) {
    if (part >= 0 && c.part != part) continue;
    const std::string own = lower(parts[static_cast<std::size_t>(c.part)].channel_name(c.index));
    if (own == name || c.full() == name) return &c;
  }
  return nullptr;
}

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& name,
                         const std::vector<Channel>& channels) {
  std::vector<std::string> known;
  std::string list;
  for (const Channel& c : channels) {
    known.push_back(c.full());
    if (known.size() <= 12) list += (list.empty() ? "" : ", ") + in_quotes(known.back());
  }
  if (known.size() > 12) list += "...";
  for (const Layer& l : layers_of(channels)) {
    if (!l.name.empty()) known.push_back(l.name);
  }
  const std::string nearest = nearest_name(name, known);
  if (nearest.empty()) {
    throw FileError(message({"channel.unknown",
                             "{file}: there is no channel or layer {channel}; the file has "
                             "{channels}"},
                            shown(path), in_quotes(name), list));
  }
  throw FileError(message({"channel.unknown_meant",
                           "{file}: there is no channel or layer {channel}; the file has "
                           "{channels}; did you mean {nearest}?"},
                          shown(path), in_quotes(name), list, in_quotes(nearest)));
}

// The channels of these names, if the part has them all.
std::optional<Choice> of_part(const Specs& parts, const std::vector<Channel>& channels,
                              const std::vector<std::string>& names, int part) {
  Choice choice;
  choice.part = part;
  for (const std::string& name : names) {
    const Channel* c = named(channels, parts, name, part);
    if (c == nullptr) return std::nullopt;
    choice.channels.push_back(c->index);
  }
  // The second of two and the fourth of four can only be opacity.
  if (names.size() % 2 == 0) choice.alpha = static_cast<int>(names.size()) - 1;
  return choice;
}

// The first layer with this name, either whole or after its last dot, or in a part with this name.
std::optional<Choice> of_layer(const Specs& parts, const std::vector<Channel>& channels,
                               const std::string& name) {
  for (const Layer& l : layers_of(channels)) {
    const std::string part = lower(part_name(parts[static_cast<std::size_t>(l.part)]));
    if (l.name != name && l.last_name() != name && part != name) continue;
    if (auto c = colour(l)) return c;
    if (auto c = vectors(l)) return c;
    if (auto c = pair(l)) return c;
    Choice choice;
    choice.part = l.part;
    for (const Channel& c : l.channels) {
      if (choice.channels.size() < 3) choice.channels.push_back(c.index);
    }
    if (choice.channels.size() == 2) choice.channels.pop_back();
    return choice;
  }
  return std::nullopt;
}

Choice by_name(const std::filesystem::path& path, const Specs& parts,
               const std::vector<Channel>& channels, const std::string& list) {
  const std::vector<std::string> names = split(list);
  if (names.empty() || names.size() > 4) {
    throw FileError(message({"channel.too_many",
                             "{file}: one to four channels can be read, not those of {channels}; "
                             "name fewer"},
                            shown(path), in_quotes(list)));
  }
  // All channels must be of one part: the first that has them all.
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (auto choice = of_part(parts, channels, names, static_cast<int>(p))) return *choice;
  }
  if (names.size() == 1) {
    if (auto choice = of_layer(parts, channels, names[0])) return *choice;
  }
  for (const std::string& name : names) {
    if (named(channels, parts, name, -1) == nullptr) refuse(path, name, channels);
  }
  throw FileError(message({"channel.different_parts",
                           "{file}: the channels {channels} are in different parts of the file; "
                           "name channels of one part"},
                          shown(path), in_quotes(list)));
}

}  // namespace

std::string part_name(const OIIO::ImageSpec& spec) {
  const std::string name(spec.get_string_attribute("oiio:subimagename"));
  return name.empty() ? std::string(spec.get_string_attribute("name")) : name;
}

bool is_gray_in_tiff(const OIIO::ImageSpec& page) {
  constexpr int min_is_white = 0, min_is_black = 1;
  const int photometric = page.get_int_attribute("tiff:PhotometricInterpretation", -1);
  return photometric == min_is_white || photometric == min_is_black;
}

void name_gray_channels(OIIO::ImageSpec& page) {
  if (page.nchannels < 3 || !is_gray_in_tiff(page)) return;
  page.channelnames = {"Y"};
  for (int c = 1; c < page.nchannels; ++c) {
    page.channelnames.push_back(c == page.alpha_channel ? "A" : "channel" + std::to_string(c));
  }
}

OIIO::ImageSpec without_missing_channels(OIIO::ImageSpec spec) {
  if (spec.alpha_channel >= spec.nchannels) spec.alpha_channel = -1;
  if (spec.z_channel >= spec.nchannels) spec.z_channel = -1;
  return spec;
}

void check_place(const std::filesystem::path& path, const OIIO::ImageSpec& s) {
  constexpr int farthest = 1 << 30;
  if (s.width > farthest || s.height > farthest) {
    throw FileError(message({"file.too_large",
                             "{file}: the file claims {width}x{height} pixels; pictures of more "
                             "than {most} pixels a side cannot be read"},
                            shown(path), s.width, s.height, farthest));
  }
  for (const int at : {s.x, s.y, s.full_x, s.full_y, s.full_width, s.full_height}) {
    if (at >= -farthest && at <= farthest) continue;
    throw FileError(message({"file.too_far",
                             "{file}: the picture lies too far from the origin of its coordinates; "
                             "the file is damaged, make it again"},
                            shown(path)));
  }
}

Choice choose_channels(const std::filesystem::path& path, const std::string& kind,
                       const Specs& parts, const ReadOptions& options) {
  const std::vector<Channel> channels = all_channels(parts);
  if (channels.empty()) {
    throw FileError(message({"file.deep",
                             "{file}: the file holds deep data only, several values per pixel; "
                             "flatten it first"},
                            shown(path)));
  }
  if (!options.channels.empty()) return by_name(path, parts, channels, options.channels);
  const std::vector<Layer> layers = layers_of(channels);
  if (options.role == "normal") {
    if (auto c = normals(layers)) return *c;
  } else if (options.role == "depth") {
    if (auto c = depth(layers)) return *c;
  } else if (options.role == "imaginary") {
    if (auto c = of_layer(parts, channels, options.role)) return *c;
  }
  const bool named = kind == "openexr" || kind == "bmp";
  Choice choice = named ? picture(parts, layers) : plain(parts[0], kind == "tiff");
  if (named && has_chroma(layers, choice)) {
    throw FileError(message({"file.chroma",
                             "{file}: its colours are stored as luminance and chroma (Y, RY, BY), "
                             "which cannot be read; convert it to RGB first"},
                            shown(path)));
  }
  if (options.role == "normal" || options.role == "depth") {
    // Data, not colour: it has no opacity, and depth is one number.
    if (choice.alpha >= 0) choice.channels.pop_back();
    choice.alpha = -1;
    if (options.role == "depth") {
      choice.left_out = static_cast<int>(choice.channels.size()) - 1;
      choice.channels.resize(1);
      choice.blank = 0;
    }
  }
  return choice;
}

void name_layers(const Specs& parts, PictureInfo& info) {
  const std::vector<Channel> channels = all_channels(parts);
  // As the file writes them, not in lower case.
  const auto add = [](std::vector<std::string>& to, const std::string& name) {
    if (!name.empty() && std::find(to.begin(), to.end(), name) == to.end()) to.push_back(name);
  };
  for (const Channel& c : channels) {
    const OIIO::ImageSpec& part = parts[static_cast<std::size_t>(c.part)];
    const std::string own(part.channel_name(c.index));
    const std::size_t dot = own.rfind('.');
    std::string layer = own.substr(0, dot == std::string::npos ? 0 : dot), full = own;
    if (dot == std::string::npos && parts.size() > 1) {
      layer = part_name(part);
      full = layer.empty() ? own : layer + "." + own;
    }
    add(info.layers, layer);
    add(info.all_channels, full);
  }
}

}  // namespace sfumato::files
