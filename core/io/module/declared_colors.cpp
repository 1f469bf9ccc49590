// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Colours that a file declares by numbers instead of a profile: PNG's cICP, gAMA and cHRM, the nclx
// of HEIF and AVIF, OpenEXR's chromaticities, BMP's end points, and EXIF's Adobe RGB.
#include <algorithm>
#include <cmath>

#include "io/module/embedded.hpp"
#include "io/module/tiff_writer.hpp"
#include "params/suggest.hpp"

namespace sfumato::files {
namespace {

using OIIO::ImageSpec;
using OIIO::TypeDesc;

constexpr std::array<double, 2> d65 = {0.3127, 0.3290}, c_white = {0.310, 0.316},
                                aces_white = {0.32168, 0.33767};

// By ITU-T H.273, table 2; nullopt for numbers that it reserves, and for "unspecified".
std::optional<Primaries> primaries_numbered(int number) {
  switch (number) {
    case 1:
      return srgb_primaries;
    case 4:
      return Primaries{{{0.67, 0.33}, {0.21, 0.71}, {0.14, 0.08}, c_white}};
    case 5:
      return Primaries{{{0.64, 0.33}, {0.29, 0.60}, {0.15, 0.06}, d65}};
    case 6:
    case 7:
      return Primaries{{{0.630, 0.340}, {0.310, 0.595}, {0.155, 0.070}, d65}};
    case 8:
      return Primaries{{{0.681, 0.319}, {0.243, 0.692}, {0.145, 0.049}, c_white}};
    case 9:
      return Primaries{{{0.708, 0.292}, {0.170, 0.797}, {0.131, 0.046}, d65}};
    case 11:
      return Primaries{{{0.680, 0.320}, {0.265, 0.690}, {0.150, 0.060}, {0.314, 0.351}}};
    case 12:
      return Primaries{{{0.680, 0.320}, {0.265, 0.690}, {0.150, 0.060}, d65}};
    case 22:
      return Primaries{{{0.630, 0.340}, {0.295, 0.605}, {0.155, 0.077}, d65}};
    default:
      return std::nullopt;
  }
}

// By table 3. Also for BT.709 and its relatives: what cameras mark so is meant for sRGB displays.
Coding coding_numbered(int number) {
  switch (number) {
    case 4:
      return Coding::power(2.2f);
    case 5:
      return Coding::power(2.8f);
    case 8:
      return Coding::linear();
    case 17:
      return Coding::power(2.6f);
    default:
      return Coding::srgb();
  }
}

// Whether a number stands for a curve that is known here; 2 is "unspecified".
bool is_known_transfer(int number) {
  constexpr std::array known = {1, 2, 4, 5, 6, 7, 8, 11, 12, 13, 14, 15, 16, 17, 18};
  return std::find(known.begin(), known.end(), number) != known.end();
}

bool are_srgbs(const Primaries& p) {
  for (std::size_t i = 0; i < p.size(); ++i) {
    for (std::size_t k = 0; k < 2; ++k) {
      if (std::abs(p[i][k] - srgb_primaries[i][k]) > 1e-3) return false;
    }
  }
  return true;
}

// Whether they span colours, of which white is one.
bool are_sound(const Primaries& p) {
  constexpr double least = 1e-5;
  const bool in_range = std::all_of(p.begin(), p.end(), [](const std::array<double, 2>& one) {
    return std::isfinite(one[0]) && std::isfinite(one[1]) && std::abs(one[0]) < 10 &&
           std::abs(one[1]) < 10;
  });
  const double area =
      (p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[2][0] - p[0][0]) * (p[1][1] - p[0][1]);
  return in_range && std::abs(area) > least && p[3][1] > least;
}

DeclaredColors colors_of_cicp(const std::filesystem::path& path,
                              const std::array<unsigned char, 4>& cicp) {
  DeclaredColors out;
  constexpr unsigned char full = 1, unspecified = 2;
  const bool other_primaries = cicp[0] != unspecified && !primaries_numbered(cicp[0]);
  if (other_primaries || !is_known_transfer(cicp[1])) {
    out.doubt = message({"colors.other_numbers",
                         "{file}: its colours are declared by numbers that are reserved, or whose "
                         "meaning is not known here (primaries {primaries}, curve {curve}); they "
                         "are taken for sRGB's"},
                        shown(path), static_cast<int>(cicp[0]), static_cast<int>(cicp[1]));
  }
  out.cicp = cicp;
  out.cicp->back() = full;
  out.narrow = cicp.back() != full;
  out.primaries = primaries_numbered(cicp[0]).value_or(srgb_primaries);
  out.hdr = hdr_numbered(cicp[1]);
  out.coding = out.hdr == HdrCurve::none ? coding_numbered(cicp[1]) : Coding::linear();
  return out;
}

std::array<unsigned char, 4> four_of(std::string_view bytes) {
  std::array<unsigned char, 4> out{};
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<unsigned char>(bytes[i]);
  return out;
}

// `said`: a chunk made for it says what the colours are.
DeclaredColors colors_of_png(const std::filesystem::path& path, bool& said) {
  DeclaredColors out;
  bool named = false;  // by a profile, or as sRGB
  std::optional<double> stated_gamma;
  std::optional<Primaries> primaries;
  Bytes in(path, true);
  for (const auto& [name, at, size] : head_of_png(in)) {
    said = said || name == "cICP";
    if (name == "cICP" && size == 4) return colors_of_cicp(path, four_of(in.text(at, 4)));
    if (name == "iCCP" || name == "sRGB") named = true;
    if (name == "gAMA") stated_gamma = static_cast<double>(in.number(at, 4)) / 1e5;
    if (name == "cHRM" && size == 32) {
      constexpr std::array<std::uint64_t, 4> order = {1, 2, 3, 0};  // white is first
      primaries.emplace();
      for (std::size_t k = 0; k < 8; ++k) {
        const std::uint64_t place = at + 8 * order[k / 2] + 4 * (k % 2);
        (*primaries)[k / 2][k % 2] = static_cast<double>(in.number(place, 4)) / 1e5;
      }
    }
  }
  const double gamma = stated_gamma.value_or(0);
  const bool plain = gamma > 0.1 && gamma < 10;
  said = said || named || primaries || gamma > 0;
  if (!named && stated_gamma && !plain) out.doubt = other_curve(path);
  if (named || !primaries || are_srgbs(*primaries)) return out;
  out.primaries = primaries;
  out.coding = plain ? Coding::power(static_cast<float>(1 / gamma)) : Coding::srgb();
  if (gamma == 1) out.coding = Coding::linear();
  return out;
}

enum class ExifColors { unsaid, adobe_rgb, others };

// Adobe RGB (1998), as EXIF 2.21 and DCF name it: by the colour space 2, or by "R03" among the
// rules of interoperability. "Uncalibrated" alone says that the colours are others than sRGB's.
ExifColors named_in_exif(Bytes& exif, std::uint64_t place) {
  constexpr std::uint16_t color_space = 0xa001, index = 1;
  TiffDirectory directory(exif, place);
  const auto word = static_cast<std::uint64_t>(directory.word);
  const auto number = [&](std::uint16_t tag, int bytes) -> std::uint64_t {
    const std::uint64_t entry = directory.find(exif, tag);
    return entry == 0 ? 0 : exif.number(entry + 4 + word, bytes);
  };
  const std::uint64_t photo = number(exif_pointer, directory.word);
  if (photo == 0) return ExifColors::unsaid;
  directory.go_to(exif, photo);
  const std::uint64_t space = number(color_space, 2);
  if (space == 2) return ExifColors::adobe_rgb;
  const std::uint64_t rules = number(interoperability, directory.word);
  const ExifColors others = space == 0xffff ? ExifColors::others : ExifColors::unsaid;
  if (space == 1 || rules == 0) return others;
  directory.go_to(exif, rules);
  const std::uint64_t entry = directory.find(exif, index);
  return entry != 0 && exif.text(entry + 4 + word, 3) == "R03" ? ExifColors::adobe_rgb : others;
}

DeclaredColors colors_of_exif(Bytes& exif, const std::filesystem::path& path, std::uint64_t place) {
  DeclaredColors out;
  const ExifColors named = named_in_exif(exif, place);
  if (named == ExifColors::others) {
    out.doubt = message({"colors.uncalibrated",
                         "{file}: its EXIF says that the colours are not sRGB's, and nothing says "
                         "which they are; they are taken for sRGB's"},
                        shown(path));
  }
  if (named != ExifColors::adobe_rgb) return out;
  out.primaries = Primaries{{{0.64, 0.33}, {0.21, 0.71}, {0.15, 0.06}, d65}};
  out.coding = Coding::power(563.0f / 256);
  return out;
}

DeclaredColors colors_in_exif_of(const std::string& kind, const std::filesystem::path& path,
                                 const ImageSpec& spec, int page) {
  if (kind == "tiff") {
    Bytes in(path, false);
    return colors_of_exif(in, path, directory_of(spec));
  }
  std::string block;
  if (kind == "jpeg") {
    Bytes in = opened_jpeg(path, page);
    std::uint64_t end = 0;
    for (const Segment& s : head_of_jpeg(in, end)) {
      if (s.marker != jpeg_app1 || !s.begins(in, exif_mark)) continue;
      block = s.body(in).substr(exif_mark.size());
      break;
    }
  } else if (kind == "png") {
    Bytes in(path, true);
    block = metadata_in_png(in).exif;
  } else if (kind == "psd") {
    block = exif_in_psd(path);
  } else if (const OIIO::ParamValue* held = spec.find_attribute("sfumato:exif")) {
    block.assign(static_cast<const char*>(held->data()),
                 static_cast<std::size_t>(held->datasize()));
  }
  if (block.empty()) return {};
  Bytes in(block);
  return colors_of_exif(in, path, 0);
}

// Linear spaces by the names of the Color Interop Forum, as OpenEXR 3.4 holds them; nullopt for
// others. The end tells scenes from displays, which have the same primaries.
std::optional<Primaries> primaries_named(std::string_view name) {
  const std::string_view space = name.substr(0, name.rfind('_'));
  if (space == "lin_rec709") return srgb_primaries;
  if (space == "lin_rec2020") return primaries_numbered(9);
  if (space == "lin_p3d65") return primaries_numbered(12);
  if (space == "lin_adobergb") {
    return Primaries{{{0.64, 0.33}, {0.21, 0.71}, {0.15, 0.06}, d65}};
  }
  if (space == "lin_ciexyzd65") return Primaries{{{1, 0}, {0, 1}, {0, 0}, d65}};
  if (space == "lin_ap1") {
    return Primaries{{{0.713, 0.293}, {0.165, 0.830}, {0.128, 0.044}, aces_white}};
  }
  if (space == "lin_ap0") {
    return Primaries{{{0.7347, 0.2653}, {0, 1}, {0.0001, -0.077}, aces_white}};
  }
  return std::nullopt;
}

DeclaredColors colors_named(const std::filesystem::path& path, const ImageSpec& spec) {
  DeclaredColors out;
  const std::string name(spec.get_string_attribute(color_name));
  if (name.empty() || name == "data" || name == "unknown") return out;
  out.primaries = primaries_named(name);
  out.coding = Coding::linear();
  if (!out.primaries) {
    out.doubt = message({"colors.other_name",
                         "{file}: its colours have a name that is not known here ({name}); they "
                         "are taken for linear light with sRGB's primaries"},
                        shown(path), in_quotes(name));
  } else if (are_srgbs(*out.primaries)) {
    out.primaries.reset();
  }
  return out;
}

DeclaredColors colors_of_openexr(const std::filesystem::path& path, const ImageSpec& spec) {
  DeclaredColors out;
  const OIIO::ParamValue* p = spec.find_attribute("chromaticities", TypeDesc(TypeDesc::FLOAT, 8));
  if (p == nullptr) return colors_named(path, spec);
  Primaries primaries;
  for (std::size_t i = 0; i < 8; ++i) {
    primaries[i / 2][i % 2] = static_cast<double>(static_cast<const float*>(p->data())[i]);
  }
  if (are_srgbs(primaries)) return out;
  out.primaries = primaries;
  out.coding = Coding::linear();
  return out;
}

// OpenImageIO names the transfer function of DPX and Cineon files.
bool is_display_coded(const ImageSpec& spec) {
  const std::string_view space = spec.get_string_attribute("oiio:ColorSpace");
  if (spec.get_string_attribute("dpx:Transfer") == "Printing density") return false;
  return space.empty() || OIIO::Strutil::iequals(space, "sRGB") ||
         OIIO::Strutil::iequals(space, "Rec709") || OIIO::Strutil::iequals(space, "linear");
}

DeclaredColors colors_in_header(const std::string& kind, const std::filesystem::path& path,
                                const ImageSpec& spec) {
  if (kind == "openexr") return colors_of_openexr(path, spec);
  if (kind == "bmp") return colors_in_bmp(path);
  if (kind == "tiff") return colors_in_tiff(path, spec);
  if (kind == "hdr") return colors_in_radiance(path);
  if (kind == "jpeg2000") return colors_in_jp2(path, spec);
  DeclaredColors out;
  if ((kind == "dpx" || kind == "cineon") && !is_display_coded(spec)) {
    out.doubt =
        message({"colors.film",
                 "{file}: its numbers are on another curve than sRGB's, such as the density "
                 "of film; they are taken for sRGB's"},
                shown(path));
  }
  return out;
}

// Light in floats is not taken for sRGB's. JPEG 2000 says in boxes of its own what its colours are.
bool may_have_exif(const std::string& kind, const ImageSpec& spec) {
  return kind == "jpeg" || kind == "webp" || kind == "png" || kind == "heif" || kind == "psd" ||
         (kind == "tiff" && !spec.format.is_floating_point());
}

// Whether a file that declares nothing has the same colours.
bool are_usual(const DeclaredColors& colors, const std::string& kind, const ImageSpec& spec) {
  const bool light = kind == "hdr" || (kind == "tiff" && spec.format.is_floating_point());
  const Coding usual = light ? Coding::linear() : Coding::srgb();
  return are_srgbs(*colors.primaries) && colors.coding == usual && colors.hdr == HdrCurve::none;
}

}  // namespace

Message other_curve(const std::filesystem::path& path) {
  return message({"colors.other_curve",
                  "{file}: its transfer function is damaged or no plain curve; sRGB's is used"},
                 shown(path));
}

HdrCurve hdr_numbered(int transfer) {
  return transfer == 16 ? HdrCurve::pq : transfer == 18 ? HdrCurve::hlg : HdrCurve::none;
}

DeclaredColors declared_colors(const std::string& kind, const std::filesystem::path& path,
                               const ImageSpec& spec, const std::vector<unsigned char>& profile,
                               int page) {
  DeclaredColors out;
  bool said = false;
  if (kind == "png") out = colors_of_png(path, said);
  if (!out.cicp && !profile.empty()) {
    const auto cicp = cicp_of_profile(profile);
    const bool hdr = cicp && hdr_numbered((*cicp)[1]) != HdrCurve::none;
    return hdr ? colors_of_cicp(path, *cicp) : DeclaredColors();
  }
  if (kind != "png") out = colors_in_header(kind, path, spec);
  if (const OIIO::ParamValue* nclx = spec.find_attribute("sfumato:cicp")) {
    out = colors_of_cicp(
        path, four_of({static_cast<const char*>(nclx->data()), static_cast<std::size_t>(4)}));
  }
  if (!out.primaries && !said && may_have_exif(kind, spec)) {
    const DeclaredColors named = colors_in_exif_of(kind, path, spec, page);
    if (named.primaries) out = named;
    if (!out.doubt) out.doubt = named.doubt;
  }
  if (!out.primaries && out.curve_is_stated) out.primaries = srgb_primaries;
  if (!out.primaries) return {.doubt = out.doubt};
  if (!are_sound(*out.primaries)) {
    return {.doubt = message({"colors.impossible_primaries",
                              "{file}: the primaries or the white that it states are impossible; "
                              "the colours are taken for sRGB's"},
                             shown(path))};
  }
  // sRGB's curve is commonly described by 2.2.
  const bool usual_gamma = kind == "bmp" && out.coding.curve == Coding::Curve::gamma &&
                           std::abs(out.coding.gamma - 2.2f) < 0.02f;
  if (usual_gamma && are_srgbs(*out.primaries)) out.coding = Coding::srgb();
  return are_usual(out, kind, spec) ? DeclaredColors{.narrow = out.narrow, .doubt = out.doubt}
                                    : out;
}

double light_of(HdrCurve curve, double value) {
  if (curve == HdrCurve::pq) {
    const double root = std::pow(std::max(value, 0.0), 1 / pq_m2);
    const double nits =
        10000 * std::pow(std::max(root - pq_c1, 0.0) / (pq_c2 - pq_c3 * root), 1 / pq_m1);
    return nits / hdr_white;
  }
  const double scene =
      value <= 0.5 ? value * value / 3 : (std::exp((value - hlg_c) / hlg_a) + hlg_b) / 12;
  return scene / hlg_white;
}

double coded(HdrCurve curve, double light) {
  if (!(light > 0)) return 0;
  if (curve == HdrCurve::pq) {
    const double part = std::pow(std::min(light * hdr_white / 10000, 1.0), pq_m1);
    return std::pow((pq_c1 + pq_c2 * part) / (1 + pq_c3 * part), pq_m2);
  }
  const double scene = std::min(light * hlg_white, 1.0);
  return scene <= 1.0 / 12 ? std::sqrt(3 * scene) : hlg_a * std::log(12 * scene - hlg_b) + hlg_c;
}

}  // namespace sfumato::files
