// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Sizes, places and regions in XMP packets (XMP part 1; Guidelines of the Metadata Working Group
// 2.0, 5.9; IPTC Photo Metadata 2019.1, image regions; Google's Photo Sphere metadata).
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "io/module/embedded.hpp"
#include "io/module/pixel_change.hpp"
#include "io/module/xmp_tags.hpp"

namespace sfumato::files {
namespace {

using namespace std::string_view_literals;

// By which names of spaces are known here, whatever a packet calls them.
constexpr std::array<std::array<std::string_view, 2>, 9> known_spaces = {
    {{"http://www.w3.org/1999/02/22-rdf-syntax-ns#", "rdf:"},
     {"http://ns.adobe.com/exif/1.0/", "exif:"},
     {"http://ns.adobe.com/tiff/1.0/", "tiff:"},
     {"http://www.metadataworkinggroup.com/schemas/regions/", "mwg-rs:"},
     {"http://ns.adobe.com/xap/1.0/sType/Dimensions#", "stDim:"},
     {"http://ns.adobe.com/xmp/sType/Area#", "stArea:"},
     {"http://ns.microsoft.com/photo/1.2/t/Region#", "MPReg:"},
     {"http://iptc.org/std/Iptc4xmpExt/2008-02-29/", "Iptc4xmpExt:"},
     {"http://ns.google.com/photos/1.0/panorama/", "GPano:"}}};

// A value and its place in the packet.
struct XmpLeaf {
  std::string name;
  int owner = 0;  // the structure or list that it is in
  std::size_t begin = 0, size = 0;
};

struct XmpOwner {
  std::string name;
  int parent = -1;
};

// The values of a packet, by the structures that they are in.
class XmpLeaves {
 public:
  explicit XmpLeaves(std::string_view xml) : xml_(xml), owners_{{}} {
    for (auto tag = next_xmp_tag(xml, 0); tag; tag = next_xmp_tag(xml, tag->end)) {
      if (tag->closes) {
        close(*tag);
      } else {
        open(*tag);
      }
    }
  }

  const std::vector<XmpLeaf>& leaves() const { return leaves_; }
  const std::vector<XmpOwner>& owners() const { return owners_; }
  std::string_view text(const XmpLeaf& leaf) const { return xml_.substr(leaf.begin, leaf.size); }

 private:
  struct Element {
    std::string name;  // of the property
    int outer, inner;  // owners of its text, and of what is in it
    std::size_t begin;
    bool has_elements = false;
  };

  std::string known_name(std::string_view name) const {
    const std::size_t colon = name.find(':');
    if (colon == std::string_view::npos) return std::string(name);
    const auto found = prefixes_.find(std::string(name.substr(0, colon)));
    return found == prefixes_.end() ? std::string(name)
                                    : found->second + std::string(name.substr(colon + 1));
  }

  int new_owner(const std::string& name, int parent) {
    owners_.push_back({name, parent});
    return static_cast<int>(owners_.size()) - 1;
  }

  void open(const XmpTag& tag) {
    constexpr std::string_view declares = "xmlns:";
    for (const XmpAttribute& a : tag.attributes) {
      if (!a.name.starts_with(declares)) continue;
      for (const auto& [uri, prefix] : known_spaces) {
        if (a.value == uri) prefixes_[std::string(a.name.substr(declares.size()))] = prefix;
      }
    }
    if (!open_.empty()) open_.back().has_elements = true;
    const std::string name = known_name(tag.name);
    const int scope = open_.empty() ? 0 : open_.back().inner;
    Element element{name, scope, scope, tag.end};
    if (!name.starts_with("rdf:")) {
      element.inner = new_owner(name, scope);
    } else {
      element.name = open_.empty() ? "" : open_.back().name;
      if (name == "rdf:li") element.inner = new_owner(element.name, scope);
    }
    for (const XmpAttribute& a : tag.attributes) {
      const std::string held = known_name(a.name);
      if (held.starts_with("rdf:") || held.starts_with("xml")) continue;
      leaves_.push_back({held, element.inner, place_of(a.value), a.value.size()});
    }
    if (!tag.alone) open_.push_back(std::move(element));
  }

  void close(const XmpTag& tag) {
    if (open_.empty()) return;
    const Element& ended = open_.back();
    if (!ended.has_elements) {
      leaves_.push_back({ended.name, ended.outer, ended.begin, tag.begin - ended.begin});
    }
    open_.pop_back();
  }

  std::size_t place_of(std::string_view value) const {
    return static_cast<std::size_t>(value.data() - xml_.data());
  }

  std::string_view xml_;
  std::map<std::string, std::string> prefixes_;
  std::vector<XmpOwner> owners_;
  std::vector<Element> open_;
  std::vector<XmpLeaf> leaves_;
};

bool read_decimal(std::string_view text, double& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && std::isfinite(value);
}

// A number, or a fraction as "1500/1".
std::optional<double> number_in(std::string_view text) {
  const std::size_t slash = text.find('/');
  double above = 0, below = 1;
  if (!read_decimal(text.substr(0, slash), above)) return std::nullopt;
  if (slash == std::string_view::npos) return above;
  if (!read_decimal(text.substr(slash + 1), below) || below == 0) return std::nullopt;
  return above / below;
}

std::string decimal(double value) {
  constexpr int digits = 9;
  std::array<char, 32> text{};
  const double small = 1e-12;  // what rounding leaves of 0
  const auto [end, error] =
      std::to_chars(text.data(), text.data() + text.size(), std::abs(value) < small ? 0 : value,
                    std::chars_format::general, digits);
  return {text.data(), end};
}

std::string whole(double value) {
  return std::to_string(std::llround(std::max(0.0, value)));
}

// The values of one structure, by their names.
using XmpGroup = std::map<std::string, const XmpLeaf*>;

class XmpPixels {
 public:
  XmpPixels(const PixelChange& change, std::string_view packet)
      : change_(change), packet_(packet), leaves_(packet), groups_(leaves_.owners().size()) {
    for (const XmpLeaf& leaf : leaves_.leaves()) {
      groups_[static_cast<std::size_t>(leaf.owner)].try_emplace(leaf.name, &leaf);
    }
  }

  std::string run() {
    for (const XmpLeaf& leaf : leaves_.leaves()) change_size(leaf);
    for (std::size_t owner = 0; owner < groups_.size(); ++owner) {
      change_dimensions(owner);
      change_area(owner);
      change_boundary(owner);
      change_density(owner);
    }
    change_subject("exif:SubjectArea");
    change_subject("exif:SubjectLocation");
    std::string out;
    std::size_t copied = 0;
    for (const auto& [begin, edit] : edits_) {
      out.append(packet_.substr(copied, begin - copied)).append(edit.text);
      copied = begin + edit.size;
    }
    return out.append(packet_.substr(copied));
  }

 private:
  struct Edit {
    std::size_t size = 0;
    std::string text;
  };

  void put(const XmpLeaf& leaf, std::string text) {
    edits_[leaf.begin] = {leaf.size, std::move(text)};
  }
  std::optional<double> number_of(const XmpLeaf* leaf) const {
    return leaf == nullptr ? std::nullopt : number_in(leaves_.text(*leaf));
  }
  const XmpLeaf* in_group(std::size_t owner, const char* name) const {
    const auto found = groups_[owner].find(name);
    return found == groups_[owner].end() ? nullptr : found->second;
  }
  bool says(std::size_t owner, const char* name, std::string_view text) const {
    const XmpLeaf* leaf = in_group(owner, name);
    return leaf != nullptr && leaves_.text(*leaf) == text;
  }
  // The nearest structure around a value that has one of this name.
  std::string_view said_around(std::size_t owner, const char* name) const {
    constexpr int most = 8;  // a hostile packet may be very deep
    int at = static_cast<int>(owner);
    for (int i = 0; i < most && at >= 0;
         ++i, at = leaves_.owners()[static_cast<std::size_t>(at)].parent) {
      const XmpLeaf* leaf = in_group(static_cast<std::size_t>(at), name);
      if (leaf != nullptr) return leaves_.text(*leaf);
    }
    return {};
  }

  void change_size(const XmpLeaf& leaf) {
    if (leaf.name == "exif:PixelXDimension" || leaf.name == "tiff:ImageWidth") {
      put(leaf, std::to_string(change_.to.width));
    } else if (leaf.name == "exif:PixelYDimension" || leaf.name == "tiff:ImageLength") {
      put(leaf, std::to_string(change_.to.height));
    } else if (leaf.name == "MPReg:Rectangle") {
      change_rectangle(leaf);
    } else if (leaf.name == "tiff:Orientation" && change_.is_turned()) {
      put(leaf, "1");
    } else if (leaf.name.starts_with("GPano:") && !change_.is_turned()) {
      change_panorama(leaf);
    }
  }

  void change_panorama(const XmpLeaf& leaf) {
    constexpr std::array across = {
        "GPano:FullPanoWidthPixels"sv, "GPano:CroppedAreaImageWidthPixels"sv,
        "GPano:CroppedAreaLeftPixels"sv, "GPano:LargestValidInteriorRectLeft"sv,
        "GPano:LargestValidInteriorRectWidth"sv};
    constexpr std::array down = {
        "GPano:FullPanoHeightPixels"sv, "GPano:CroppedAreaImageHeightPixels"sv,
        "GPano:CroppedAreaTopPixels"sv, "GPano:LargestValidInteriorRectTop"sv,
        "GPano:LargestValidInteriorRectHeight"sv};
    const auto among = [&](const auto& names) {
      return std::find(names.begin(), names.end(), leaf.name) != names.end();
    };
    const auto value = number_of(&leaf);
    if (value && among(across)) put(leaf, whole(*value * change_.of_width()));
    if (value && among(down)) put(leaf, whole(*value * change_.of_height()));
  }

  // The size that regions were counted for, which may be another one than the picture's.
  void change_dimensions(std::size_t owner) {
    if (leaves_.owners()[owner].name != "mwg-rs:AppliedToDimensions") return;
    const XmpLeaf *width = in_group(owner, "stDim:w"), *height = in_group(owner, "stDim:h");
    const auto across = number_of(width), down = number_of(height);
    const XmpLeaf* unit = in_group(owner, "stDim:unit");
    if (!across || !down || (unit != nullptr && leaves_.text(*unit) != "pixel")) return;
    const bool other = change_.exchanges();
    const double by_width =
                     1.0 * change_.to.width / (other ? change_.from.height : change_.from.width),
                 by_height =
                     1.0 * change_.to.height / (other ? change_.from.width : change_.from.height);
    put(*width, whole((other ? *down : *across) * by_width));
    put(*height, whole((other ? *across : *down) * by_height));
  }

  // A rectangle's centre and sides, in parts of the picture's or in pixels.
  void move_rectangle(std::array<double, 4>& r, bool relative) const {
    const double w = relative ? change_.from.width : 1, h = relative ? change_.from.height : 1;
    const double new_w = relative ? change_.to.width : 1, new_h = relative ? change_.to.height : 1;
    const auto [x, y] = change_.point(r[0] * w, r[1] * h);
    double across = r[2] * w * change_.of_width(), down = r[3] * h * change_.of_height();
    if (change_.exchanges()) std::swap(across, down);
    r = {x / new_w, y / new_h, across / new_w, down / new_h};
  }

  // Parts of a picture that is only scaled stay as they are.
  bool moves(bool relative) const {
    return !relative || change_.is_turned() || change_.is_cropped();
  }

  void change_area(std::size_t owner) {
    const XmpLeaf *x = in_group(owner, "stArea:x"), *y = in_group(owner, "stArea:y");
    const XmpLeaf *w = in_group(owner, "stArea:w"), *h = in_group(owner, "stArea:h");
    const auto left = number_of(x), top = number_of(y);
    const bool relative = !says(owner, "stArea:unit", "pixel");
    if (!left || !top || !moves(relative)) return;
    std::array<double, 4> r = {*left, *top, number_of(w).value_or(0), number_of(h).value_or(0)};
    move_rectangle(r, relative);
    put(*x, decimal(r[0]));
    put(*y, decimal(r[1]));
    if (w != nullptr) put(*w, decimal(r[2]));
    if (h != nullptr) put(*h, decimal(r[3]));
    const XmpLeaf* d = in_group(owner, "stArea:d");
    const auto diameter = number_of(d);
    if (diameter && !relative) put(*d, decimal(*diameter * change_.of_width()));
  }

  // Microsoft's: the upper left corner and sides, in parts of the picture's.
  void change_rectangle(const XmpLeaf& leaf) {
    std::array<double, 4> r{};
    std::string_view rest = leaves_.text(leaf);
    for (double& one : r) {
      const std::size_t begin = std::min(rest.find_first_not_of(" "), rest.size());
      const std::size_t end = std::min(rest.find(','), rest.size());
      if (begin >= end || !read_decimal(rest.substr(begin, end - begin), one)) return;
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (!moves(true)) return;
    move_corner(r, true);
    put(leaf, decimal(r[0]) + ", " + decimal(r[1]) + ", " + decimal(r[2]) + ", " + decimal(r[3]));
  }
  void move_corner(std::array<double, 4>& r, bool relative) const {
    r[0] += r[2] / 2;
    r[1] += r[3] / 2;
    move_rectangle(r, relative);
    r[0] -= r[2] / 2;
    r[1] -= r[3] / 2;
  }

  // IPTC's: a rectangle's corner, a circle's centre, or one of a polygon's points.
  void change_boundary(std::size_t owner) {
    const XmpLeaf *x = in_group(owner, "Iptc4xmpExt:rbX"), *y = in_group(owner, "Iptc4xmpExt:rbY");
    const XmpLeaf *w = in_group(owner, "Iptc4xmpExt:rbW"), *h = in_group(owner, "Iptc4xmpExt:rbH");
    const auto left = number_of(x), top = number_of(y);
    const bool relative = said_around(owner, "Iptc4xmpExt:rbUnit") != "pixel";
    if (!left || !top || !moves(relative)) return;
    std::array<double, 4> r = {*left, *top, number_of(w).value_or(0), number_of(h).value_or(0)};
    move_corner(r, relative);
    put(*x, decimal(r[0]));
    put(*y, decimal(r[1]));
    if (w != nullptr) put(*w, decimal(r[2]));
    if (h != nullptr) put(*h, decimal(r[3]));
    const XmpLeaf* radius = in_group(owner, "Iptc4xmpExt:rbRx");
    const auto length = number_of(radius);
    if (!length) return;
    const double from = relative ? change_.from.width : 1, to = relative ? change_.to.width : 1;
    put(*radius, decimal(*length * from * change_.of_width() / to));
  }

  void change_density(std::size_t owner) {
    const XmpLeaf *across = in_group(owner, "exif:FocalPlaneXResolution"),
                  *down = in_group(owner, "exif:FocalPlaneYResolution");
    const auto x = number_of(across), y = number_of(down);
    constexpr double parts = 1000;
    const auto fraction = [](double value) { return whole(value * parts) + "/1000"; };
    double new_x = x.value_or(0) * change_.of_width(), new_y = y.value_or(0) * change_.of_height();
    if (x && y && change_.exchanges()) std::swap(new_x, new_y);
    if (x) put(*across, fraction(new_x));
    if (y) put(*down, fraction(new_y));
  }

  // A list: a point, and perhaps a diameter or two sides.
  void change_subject(const std::string& name) {
    std::map<int, std::vector<const XmpLeaf*>> lists;
    for (const XmpLeaf& leaf : leaves_.leaves()) {
      if (leaf.name == name) lists[leaf.owner].push_back(&leaf);
    }
    for (const auto& [owner, list] : lists) {
      std::vector<double> numbers;
      for (const XmpLeaf* leaf : list) numbers.push_back(number_of(leaf).value_or(-1));
      const bool sound =
          std::all_of(numbers.begin(), numbers.end(), [](double n) { return n >= 0; });
      if (!sound || numbers.size() < 2) continue;
      move_subject(change_, numbers);
      for (std::size_t i = 0; i < list.size(); ++i) put(*list[i], whole(numbers[i]));
    }
  }

  const PixelChange& change_;
  std::string_view packet_;
  XmpLeaves leaves_;
  std::vector<XmpGroup> groups_;
  std::map<std::size_t, Edit> edits_;
};

}  // namespace

std::string changed_xmp(const PixelChange& change, const std::string& packet) {
  if (packet.empty() || change.is_none()) return packet;
  return XmpPixels(change, packet).run();
}

}  // namespace sfumato::files
