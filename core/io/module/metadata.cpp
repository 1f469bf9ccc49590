// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Which of a file's attributes are copied with the picture into another file.
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <string_view>

#include "io/module/parts.hpp"

namespace sfumato::files {
namespace {

using namespace std::string_view_literals;

// How one file stores its pixels; the writer sets these again.
constexpr std::array storage = {"compression"sv,
                                "compressionquality"sv,
                                "planarconfig"sv,
                                "iccprofile"sv,
                                "tiff:compression"sv,
                                "png:compressionlevel"sv,
                                "textureformat"sv,
                                "wrapmodes"sv,
                                "fovcot"sv,
                                "openexr:chunkcount"sv,
                                "openexr:lineorder"sv,
                                "openexr:version"sv,
                                "openexr:levelmode"sv,
                                "openexr:roundingmode"sv,
                                "openexr:maxsamplesperpixel"sv,
                                "multiview"sv,
                                "exif:colorspace"sv,
                                "exif:thumbnailoffset"sv,
                                "jpeg:progressive"sv};

// Belong to a format: of no use, or wrong, in another. `icc` covers "ICCProfile:..." as well.
constexpr std::array families = {"tiff:"sv,    "jpeg:"sv, "png:"sv,  "webp:"sv, "heif:"sv, "raw:"sv,
                                 "openexr:"sv, "gif:"sv,  "pnm:"sv,  "psd:"sv,  "bmp:"sv,  "dpx:"sv,
                                 "targa:"sv,   "ico:"sv,  "fits:"sv, "hdr:"sv};
constexpr std::array never = {"oiio:"sv,
                              "iccprofile:"sv,
                              "thumbnail"sv,
                              "sfumato:"sv,
                              "rdf:"sv,                   // how XMP is written
                              "raw profile type 8bim"sv,  // these are read as bytes
                              "raw profile type app1"sv,
                              "raw profile type exif"sv,
                              "raw profile type icc"sv,
                              "raw profile type icm"sv,
                              "raw profile type iptc"sv,
                              "raw profile type xmp"sv};

// Kept even if the user wants no metadata: without them the picture is shown wrongly.
constexpr std::array essential = {"orientation"sv, "xresolution"sv, "yresolution"sv,
                                  "resolutionunit"sv, "pixelaspectratio"sv};

// What OpenEXR's numbers mean as colours, which is no metadata either.
constexpr std::array of_colors = {"chromaticities"sv, "whiteluminance"sv, "adoptedneutral"sv,
                                  "colorinteropid"sv};

// Every OpenEXR file has the first two; others are about colours, whose loss is said elsewhere, and
// about an animation.
constexpr std::array no_loss = {"screenwindowcenter"sv, "screenwindowwidth"sv, "chromaticities"sv,
                                "whiteluminance"sv,     "framespersecond"sv,   "colorinteropid"sv};

template <class List>
bool begins(std::string_view name, const List& list) {
  return std::any_of(list.begin(), list.end(),
                     [&](std::string_view p) { return name.substr(0, p.size()) == p; });
}

template <class List>
bool among(std::string_view name, const List& list) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

// OpenEXR's numbers that EXIF has places for.
constexpr std::array of_cameras = {"exposuretime"sv, "fnumber"sv,  "latitude"sv, "longitude"sv,
                                   "altitude"sv,     "isospeed"sv, "focus"sv};

// Whether an attribute says what kind of a texture the picture is, not how its levels are stored.
bool is_environment(const OIIO::ParamValue& p) {
  const std::string name = lower(p.name().string());
  if (p.type() != OIIO::TypeDesc::STRING) return false;
  return name == "wrapmodes" ||
         (name == "textureformat" && p.get_string().find("Environment") != std::string::npos);
}

bool kept(std::string_view name, bool same_kind, bool all) {
  if (among(name, essential) || among(name, of_colors)) return true;
  if (!all || among(name, storage) || begins(name, never)) return false;
  // Only OpenEXR's own attributes are more than storage, and are kept in another OpenEXR file.
  if (begins(name, families)) return same_kind && begins(name, std::array{"openexr:"sv});
  return true;
}

// OpenImageIO's writers of IPTC end the process over an empty text.
bool is_empty_text(const OIIO::ParamValue& p) {
  return p.type() == OIIO::TypeDesc::STRING && p.get_ustring().empty();
}

}  // namespace

bool is_copied_name(const std::string& name) {
  const std::string held = lower(name);
  return held == "wrapmodes" || held == "envmap" || held == "textureformat" ||
         (kept(held, true, true) && held != "pixelaspectratio");
}

void copy_metadata(const OIIO::ImageSpec& from, const std::string& from_kind, OIIO::ImageSpec& to,
                   const std::string& to_kind, bool all) {
  const bool same_kind = from_kind == to_kind;
  for (const OIIO::ParamValue& p : from.extra_attribs) {
    const bool same_exr = same_kind && to_kind == "openexr";
    if (same_exr && is_replaced_in_exr(from, p.name().string())) continue;
    const bool environment = all && same_exr && is_environment(p);
    if ((environment || kept(lower(p.name().string()), same_kind, all)) && !is_empty_text(p)) {
      to.extra_attribs.add_or_replace(p);
    }
  }
}

void keep_only_storage(OIIO::ImageSpec& spec) {
  auto& all = spec.extra_attribs;
  const auto told = [](const OIIO::ParamValue& p) {
    const std::string name = lower(p.name().string());
    return !among(name, essential) && !among(name, storage) && !begins(name, families) &&
           !begins(name, never);
  };
  all.erase(std::remove_if(all.begin(), all.end(), told), all.end());
}

bool has_other_metadata(const OIIO::ImageSpec& from, bool has_xmp) {
  // Maker notes are EXIF's, too.
  constexpr std::array named = {"exif:"sv, "gps:"sv, "iptc:"sv, "canon:"sv};
  return std::any_of(from.extra_attribs.begin(), from.extra_attribs.end(),
                     [&](const OIIO::ParamValue& p) {
                       const std::string name = lower(p.name().string());
                       const bool of_family = name.find(':') != std::string::npos;
                       const bool text = p.type() == OIIO::TypeDesc::STRING;
                       if (begins(name, named) || among(name, of_cameras) || is_usual_in_exif(name))
                         return false;
                       if (of_family ? has_xmp : text) return false;
                       return !among(name, essential) && !among(name, no_loss) &&
                              !is_empty_text(p) && kept(name, false, true);
                     });
}

bool has_environment(const OIIO::ImageSpec& from) {
  return std::any_of(from.extra_attribs.begin(), from.extra_attribs.end(), is_environment);
}

bool has_numbers(const OIIO::ImageSpec& from) {
  constexpr std::array of_exif = {"exif:"sv, "gps:"sv, "iptc:"sv};
  return std::any_of(
      from.extra_attribs.begin(), from.extra_attribs.end(), [&](const OIIO::ParamValue& p) {
        const std::string name = lower(p.name().string());
        return p.type().basetype != OIIO::TypeDesc::STRING && !among(name, essential) &&
               !among(name, no_loss) && !among(name, of_cameras) && !begins(name, of_exif) &&
               kept(name, false, true);
      });
}

std::string date_of(const std::filesystem::path& path) {
  struct stat status {};
  std::tm parts{};
  if (::stat(path.c_str(), &status) != 0 || ::gmtime_r(&status.st_mtime, &parts) == nullptr) {
    return unknown_date;
  }
  std::array<char, 32> text{};
  const std::size_t length = std::strftime(text.data(), text.size(), "%Y:%m:%d %H:%M:%S", &parts);
  return length == std::string_view(unknown_date).size() ? text.data() : unknown_date;
}

}  // namespace sfumato::files
