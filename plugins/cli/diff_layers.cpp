// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "diff_layers.hpp"

#include <algorithm>
#include <set>

#include "io/module.hpp"

namespace sfumato::cli {
namespace {

namespace fs = std::filesystem;

using Names = std::vector<std::string>;

bool holds(const Names& names, const std::string& name) {
  return std::any_of(names.begin(), names.end(), [&](const std::string& one) {
    return files::lower(one) == files::lower(name);
  });
}

// One of the two files, and what of it has found its counterpart.
class File {
 public:
  File(fs::path path, const ReadOptions& options)
      : path_(std::move(path)), options_(options), version_(version_of(path_)) {
    info_ = open(options_);
  }

  const PictureInfo& info() const { return info_; }

  Names channels_of(const std::string& layer) const {
    ReadOptions read = options_;
    read.channels = layer;
    return open(read).channel_names;
  }
  // A layer's channels are named with it, or, in a part of a file, without.
  void take(const Names& channels, const std::string& layer) {
    for (const std::string& name : channels) {
      if (layer.empty() || files::lower(name).starts_with(files::lower(layer) + ".")) {
        taken_.insert(files::lower(name));
      } else {
        taken_.insert(files::lower(layer + "." + name));
      }
    }
  }
  // All that begin with the layer's name.
  void take_layer(const std::string& layer) {
    for (const std::string& name : info_.all_channels) {
      if (files::lower(name).starts_with(files::lower(layer) + ".")) {
        taken_.insert(files::lower(name));
      }
    }
  }
  Names left() const {
    Names out;
    for (const std::string& name : info_.all_channels) {
      if (!taken_.contains(files::lower(name))) out.push_back(name);
    }
    return out;
  }

 private:
  PictureInfo open(const ReadOptions& read) const {
    PictureInfo info = open_picture(path_, read)->info();
    check_version(path_, version_);
    return info;
  }

  fs::path path_;
  const ReadOptions& options_;
  const std::optional<FileVersion> version_;
  PictureInfo info_;
  std::set<std::string> taken_;  // in lower case
};

std::string list_of(const Names& names) {
  std::string out;
  for (const std::string& one : names) out += (out.empty() ? "" : ",") + one;
  return out;
}

// Whether the channels are those of a picture as it is seen, by their usual names.
bool are_colours(const Names& names) {
  static const Names usual{"r",     "g", "b", "a", "red",  "green",    "blue",
                           "alpha", "y", "l", "i", "gray", "luminance"};
  return std::all_of(names.begin(), names.end(), [](const std::string& name) {
    return holds(usual, name.substr(name.rfind('.') + 1));
  });
}

// What of `other` the picture is compared with; empty: its picture.
std::string counterpart(const File& one, const File& other) {
  const Names& names = one.info().channel_names;
  const Names& theirs = other.info().channel_names;
  const bool same = std::all_of(names.begin(), names.end(),
                                [&](const std::string& name) { return holds(theirs, name); });
  const bool has_them = std::all_of(names.begin(), names.end(), [&](const std::string& name) {
    return holds(other.info().all_channels, name);
  });
  return same || are_colours(names) || !has_them ? std::string() : list_of(names);
}

void match_layers(File& a, File& b, Matching& to) {
  bool is_picture = to.all.front().in_a.empty();  // the first layer of its channels
  for (const std::string& layer : a.info().layers) {
    if (!holds(b.info().layers, layer)) {
      to.only_a.push_back(layer);
      a.take_layer(layer);
      continue;
    }
    const Names channels = a.channels_of(layer);
    if (is_picture && channels == a.info().channel_names) {
      is_picture = false;
      a.take(channels, layer);
      b.take(channels, layer);
      continue;
    }
    to.all.push_back({layer, layer, layer});
    a.take(channels, layer);
    b.take(b.channels_of(layer), layer);
  }
  for (const std::string& layer : b.info().layers) {
    if (holds(a.info().layers, layer)) continue;
    to.only_b.push_back(layer);
    b.take_layer(layer);
  }
}

}  // namespace

Matching match_channels(const fs::path& path_a, const fs::path& path_b,
                        const ReadOptions& options) {
  File a(path_a, options), b(path_b, options);
  Matching out;
  MatchedChannels picture{{}, counterpart(b, a), counterpart(a, b)};
  if (!picture.in_a.empty()) picture.in_b.clear();
  a.take(picture.in_a.empty() ? a.info().channel_names : b.info().channel_names, {});
  b.take(picture.in_b.empty() ? b.info().channel_names : a.info().channel_names, {});
  out.all.push_back(picture);
  match_layers(a, b, out);
  const Names left_of_b = b.left();
  for (const std::string& name : a.left()) {
    if (holds(left_of_b, name)) {
      out.all.push_back({name, name, name, true});
    } else {
      out.only_a.push_back(name);
    }
  }
  for (const std::string& name : left_of_b) {
    if (!holds(a.left(), name)) out.only_b.push_back(name);
  }
  return out;
}

}  // namespace sfumato::cli
