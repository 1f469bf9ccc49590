// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What XMP says about gain maps and movies after a picture, which are not in the new file.
#include <OpenImageIO/tiffutils.h>

#include <algorithm>
#include <array>

#include "io/module/embedded.hpp"
#include "io/module/xmp_tags.hpp"

namespace sfumato::files {
namespace {

using OIIO::ImageSpec;
using OIIO::ParamValue;

// Names of a namespace that begin so are about what follows the picture; all if it has no such
// list.
struct Space {
  std::string_view uri;
  std::array<std::string_view, 2> names{};

  bool whole() const { return names[0].empty(); }
};
constexpr std::array spaces = {
    Space{"http://ns.adobe.com/hdr-gain-map/1.0/"}, Space{"http://ns.apple.com/HDRGainMap/1.0/"},
    Space{"http://ns.google.com/photos/1.0/container/"},  // lists what follows the picture
    Space{"http://ns.google.com/photos/1.0/container/item/"},
    Space{"http://ns.google.com/photos/1.0/camera/", {"MotionPhoto", "MicroVideo"}}};

// Copies a packet without these names.
class Cleaner {
 public:
  explicit Cleaner(std::string_view xml) : xml_(xml) {
    for (auto tag = next_xmp_tag(xml, 0); tag; tag = next_xmp_tag(xml, tag->end)) {
      for (const XmpAttribute& a : tag->attributes) bind(a);
    }
  }

  // nullopt if there is nothing to leave out, or an element has no end.
  std::optional<std::string> run() {
    if (bound_.empty()) return std::nullopt;
    for (auto tag = next_xmp_tag(xml_, 0); tag; tag = next_xmp_tag(xml_, at_)) {
      at_ = tag->end;
      if (tag->closes) continue;
      if (unwanted(tag->name)) {
        if (!tag->alone && !go_behind(tag->name)) return std::nullopt;
        leave_out(tag->begin, at_);
        continue;
      }
      for (const XmpAttribute& a : tag->attributes) {
        if (unwanted(a.name) || declares(a)) leave_out(a.begin, a.end);
      }
    }
    return out_.append(xml_.substr(copied_));
  }

 private:
  struct Bound {
    std::string prefix;
    const Space* space;
  };

  void bind(const XmpAttribute& a) {
    constexpr std::string_view declaration = "xmlns:";
    constexpr std::size_t most = 64;
    if (a.name.substr(0, declaration.size()) != declaration || bound_.size() >= most) return;
    for (const Space& s : spaces) {
      if (a.value != s.uri) continue;
      bound_.push_back({std::string(a.name.substr(declaration.size())) + ":", &s});
    }
  }

  bool declares(const XmpAttribute& a) const {
    return a.name.substr(0, 6) == "xmlns:" &&
           std::any_of(spaces.begin(), spaces.end(),
                       [&](const Space& s) { return s.whole() && a.value == s.uri; });
  }

  bool unwanted(std::string_view name) const {
    return std::any_of(bound_.begin(), bound_.end(), [name](const Bound& b) {
      if (name.substr(0, b.prefix.size()) != b.prefix) return false;
      const std::string_view local = name.substr(b.prefix.size());
      return b.space->whole() ||
             std::any_of(b.space->names.begin(), b.space->names.end(),
                         [local](std::string_view n) { return local.substr(0, n.size()) == n; });
    });
  }

  // Goes past the end tag of an element that has begun; false if there is none.
  bool go_behind(std::string_view name) {
    int depth = 1;
    while (depth > 0) {
      const std::optional<XmpTag> tag = next_xmp_tag(xml_, at_);
      if (!tag) return false;
      at_ = tag->end;
      if (tag->name == name && !tag->alone) depth += tag->closes ? -1 : 1;
    }
    return true;
  }

  void leave_out(std::size_t begin, std::size_t end) {
    out_.append(xml_.substr(copied_, begin - copied_));
    copied_ = end;
  }

  std::string_view xml_;
  std::vector<Bound> bound_;
  std::string out_;
  std::size_t copied_ = 0, at_ = 0;
};

}  // namespace

std::string without_attached(std::string packet) {
  std::optional<std::string> cleaned = Cleaner(packet).run();
  return cleaned ? std::move(*cleaned) : packet;
}

void forget_attached(const std::string& packet, const std::string& cleaned, ImageSpec& spec) {
  if (packet == cleaned) return;
  ImageSpec said, kept;
  OIIO::decode_xmp(packet, said);
  OIIO::decode_xmp(cleaned, kept);
  for (const ParamValue& p : said.extra_attribs) {
    const bool own = spec.find_attribute(p.name()) != nullptr;
    if (own && kept.find_attribute(p.name()) == nullptr) spec.erase_attribute(p.name());
  }
}

}  // namespace sfumato::files
