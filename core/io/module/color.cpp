// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// ICC profiles: which tone curve they state, the same colours under another curve, and sRGB's.
#include <lcms2.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string_view>
#include <type_traits>

#include "io/module/parts.hpp"

namespace sfumato::files {
namespace {

using ProfileBytes = std::vector<unsigned char>;

struct ContextDeleter {
  void operator()(void* context) const { cmsDeleteContext(static_cast<cmsContext>(context)); }
};
struct ProfileDeleter {
  void operator()(void* profile) const { cmsCloseProfile(profile); }
};
struct CurveDeleter {
  void operator()(cmsToneCurve* curve) const { cmsFreeToneCurve(curve); }
};
struct TextDeleter {
  void operator()(cmsMLU* text) const { cmsMLUfree(text); }
};
using CurvePtr = std::unique_ptr<cmsToneCurve, CurveDeleter>;
using ProfilePtr = std::unique_ptr<void, ProfileDeleter>;

// A profile in a context of its own, so that two threads share nothing.
class Profile {
 public:
  explicit Profile(const ProfileBytes& bytes) : context_(cmsCreateContext(nullptr, nullptr)) {
    if (bytes.empty()) return;
    handle_.reset(cmsOpenProfileFromMemTHR(static_cast<cmsContext>(context_.get()), bytes.data(),
                                           static_cast<cmsUInt32Number>(bytes.size())));
  }
  explicit operator bool() const { return handle_ != nullptr; }
  cmsHPROFILE get() const { return handle_.get(); }
  cmsContext context() const { return static_cast<cmsContext>(context_.get()); }
  bool gray() const { return cmsGetColorSpace(get()) == cmsSigGrayData; }
  bool rgb() const { return cmsGetColorSpace(get()) == cmsSigRgbData; }
  const cmsToneCurve* curve(cmsTagSignature tag) const {
    return static_cast<const cmsToneCurve*>(cmsReadTag(get(), tag));
  }

 private:
  std::unique_ptr<void, ContextDeleter> context_;
  ProfilePtr handle_;
};

constexpr std::array rgb_curves = {cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag};

// The largest distance of two curves, in linear light: 1/1000 is below an 8-bit step from middle
// gray up.
double distance(const cmsToneCurve* curve, Coding coding) {
  double worst = 0;
  for (int i = 0; i <= 256; ++i) {
    const double x = i / 256.0;
    const double y = static_cast<double>(cmsEvalToneCurveFloat(curve, static_cast<float>(x)));
    worst = std::max(worst, std::abs(y - decode(coding, x)));
  }
  return worst;
}

std::optional<Coding> coding_of_curve(const cmsToneCurve* curve) {
  constexpr double same = 1e-3;
  if (curve == nullptr) return std::nullopt;
  if (distance(curve, Coding::linear()) < same) return Coding::linear();
  if (distance(curve, Coding::srgb()) < same) return Coding::srgb();
  const double middle = static_cast<double>(cmsEvalToneCurveFloat(curve, 0.5f));
  if (!(middle > 0.01 && middle < 0.99)) return std::nullopt;
  // Profiles store the exponent in steps of 1/256 or 1/65536: 2.2 comes as 2.19921875 or 2.2.
  const double exponent = std::log(middle) / std::log(0.5);
  const Coding power = Coding::power(static_cast<float>(std::round(exponent * 1e4) / 1e4));
  if (distance(curve, power) < same) return power;
  return std::nullopt;
}

CurvePtr curve_of(cmsContext context, Coding coding) {
  switch (coding.curve) {
    case Coding::Curve::linear:
      return CurvePtr(cmsBuildGamma(context, 1.0));
    case Coding::Curve::srgb: {
      const std::array<double, 5> p = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
      return CurvePtr(cmsBuildParametricToneCurve(context, 4, p.data()));
    }
    default:
      return CurvePtr(cmsBuildGamma(context, static_cast<double>(coding.gamma)));
  }
}

ProfileBytes saved(cmsHPROFILE profile) {
  cmsUInt32Number size = 0;
  if (!cmsSaveProfileToMem(profile, nullptr, &size)) return {};
  ProfileBytes out(size);
  if (!cmsSaveProfileToMem(profile, out.data(), &size)) return {};
  return out;
}

// Keeps its numbers in full precision, unlike a profile that was saved.
ProfilePtr made_of(cmsContext context, const Primaries& p, Coding coding) {
  const CurvePtr curve = curve_of(context, coding);
  if (!curve) return {};
  const cmsCIExyY white = {p[3][0], p[3][1], 1};
  const cmsCIExyYTRIPLE colours = {
      {p[0][0], p[0][1], 1}, {p[1][0], p[1][1], 1}, {p[2][0], p[2][1], 1}};
  const std::array<cmsToneCurve*, 3> curves = {curve.get(), curve.get(), curve.get()};
  return ProfilePtr(cmsCreateRGBProfileTHR(context, &white, &colours, curves.data()));
}

// PQ's whole range, or HLG's scene light, as a table. The numbers of ITU-T H.273 say it exactly.
CurvePtr curve_of(cmsContext context, HdrCurve curve) {
  std::vector<cmsUInt16Number> table(4096);
  const double most = light_of(curve, 1);
  for (std::size_t i = 0; i < table.size(); ++i) {
    const double value = static_cast<double>(i) / static_cast<double>(table.size() - 1);
    table[i] = static_cast<cmsUInt16Number>(std::lround(light_of(curve, value) / most * 65535));
  }
  return CurvePtr(cmsBuildTabulatedToneCurve16(context, static_cast<cmsUInt32Number>(table.size()),
                                               table.data()));
}

using Vector = std::array<double, 3>;

double determinant(const Vector& a, const Vector& b, const Vector& c) {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
         a[2] * (b[0] * c[1] - b[1] * c[0]);
}

// The white that a profile's colours were adapted from. Version 4 has the matrix of the adaptation,
// older ones have the white itself.
cmsCIEXYZ white_of(const Profile& profile) {
  if (const auto* rows =
          static_cast<const cmsCIEXYZ*>(cmsReadTag(profile.get(), cmsSigChromaticAdaptationTag))) {
    // Solves matrix * white = D50.
    std::array<Vector, 3> columns{};
    for (std::size_t r = 0; r < 3; ++r) {
      columns[0][r] = rows[r].X;
      columns[1][r] = rows[r].Y;
      columns[2][r] = rows[r].Z;
    }
    const Vector d50 = {cmsD50_XYZ()->X, cmsD50_XYZ()->Y, cmsD50_XYZ()->Z};
    const double whole = determinant(columns[0], columns[1], columns[2]);
    if (std::abs(whole) > 1e-6) {
      return {determinant(d50, columns[1], columns[2]) / whole,
              determinant(columns[0], d50, columns[2]) / whole,
              determinant(columns[0], columns[1], d50) / whole};
    }
  }
  const auto* white =
      static_cast<const cmsCIEXYZ*>(cmsReadTag(profile.get(), cmsSigMediaWhitePointTag));
  return white != nullptr ? *white : *cmsD50_XYZ();
}

void add_to_name(const Profile& profile, Coding coding) {
  std::array<char, 200> name{};
  cmsGetProfileInfoASCII(profile.get(), cmsInfoDescription, "en", "US", name.data(), name.size());
  const std::string text = std::string(name.data()) +
                           (coding.curve == Coding::Curve::linear ? " (linear)" : " (sRGB curve)");
  const std::unique_ptr<cmsMLU, TextDeleter> texts(cmsMLUalloc(profile.context(), 1));
  cmsMLUsetASCII(texts.get(), "en", "US", text.c_str());
  cmsWriteTag(profile.get(), cmsSigProfileDescriptionTag, texts.get());
}

std::uint32_t number_at(const ProfileBytes& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | bytes[at + i];
  return value;
}

bool is_one_of(std::uint32_t signature, std::initializer_list<std::string_view> names) {
  return std::any_of(names.begin(), names.end(), [signature](std::string_view name) {
    std::uint32_t value = 0;
    for (const char c : name) value = value << 8 | static_cast<unsigned char>(c);
    return value == signature;
  });
}

}  // namespace

bool is_whole_profile(const std::vector<unsigned char>& profile) {
  constexpr std::size_t head = 132, tag = 12;  // with the number of tags
  const std::size_t size = profile.size();
  if (size < head || number_at(profile, 0) != size) return false;
  const bool embeddable = is_one_of(number_at(profile, 12), {"scnr", "mntr", "prtr", "spac"}) &&
                          is_one_of(number_at(profile, 20), {"XYZ ", "Lab "}) &&
                          is_one_of(number_at(profile, 36), {"acsp"});
  const std::size_t tags = number_at(profile, 128);
  if (!embeddable || tags > (size - head) / tag) return false;
  for (std::size_t at = head; at < head + tags * tag; at += tag) {
    const std::size_t begin = number_at(profile, at + 4), bytes = number_at(profile, at + 8);
    if (begin < head || begin > size || bytes > size - begin) return false;
  }
  return true;
}

std::optional<Coding> coding_of_profile(const ProfileBytes& bytes, std::optional<Message>& other) {
  other.reset();
  const Profile profile(bytes);
  if (!profile) return std::nullopt;
  if (profile.gray()) return coding_of_curve(profile.curve(cmsSigGrayTRCTag));
  if (!profile.rgb()) {
    const cmsColorSpaceSignature space = cmsGetColorSpace(profile.get());
    if (space == cmsSigCmykData) {
      other = message({"profile.cmyk", "CMYK, printing inks"});
    }
    if (space == cmsSigLabData) other = message({"profile.lab", "Lab colours"});
    return std::nullopt;
  }
  std::optional<Coding> common;
  for (const cmsTagSignature tag : rgb_curves) {
    const auto coding = coding_of_curve(profile.curve(tag));
    if (!coding || (common && *coding != *common)) return std::nullopt;
    common = coding;
  }
  return common;
}

ProfileBytes profile_with_coding(const ProfileBytes& bytes, Coding coding) {
  const Profile profile(bytes);
  if (!profile || (!profile.gray() && !profile.rgb())) return {};
  // Tables from device to connection space contain the old curve.
  if (cmsIsTag(profile.get(), cmsSigAToB0Tag)) return {};
  const CurvePtr curve = curve_of(profile.context(), coding);
  if (!curve) return {};
  if (profile.gray()) {
    if (!cmsWriteTag(profile.get(), cmsSigGrayTRCTag, curve.get())) return {};
  } else {
    for (const cmsTagSignature tag : rgb_curves) {
      if (!cmsWriteTag(profile.get(), tag, curve.get())) return {};
    }
  }
  add_to_name(profile, coding);
  cmsMD5computeID(profile.get());
  return saved(profile.get());
}

ProfileBytes profile_of(const Primaries& primaries, Coding coding) {
  const std::unique_ptr<void, ContextDeleter> context(cmsCreateContext(nullptr, nullptr));
  const ProfilePtr profile = made_of(static_cast<cmsContext>(context.get()), primaries, coding);
  return profile ? saved(profile.get()) : ProfileBytes();
}

std::optional<Primaries> primaries_of(const ProfileBytes& bytes) {
  const Profile profile(bytes);
  if (!profile || !profile.rgb() || cmsIsTag(profile.get(), cmsSigAToB0Tag)) return std::nullopt;
  constexpr std::array tags = {cmsSigRedColorantTag, cmsSigGreenColorantTag, cmsSigBlueColorantTag};
  const cmsCIEXYZ white = white_of(profile);
  Primaries out;
  const auto set = [&out](std::size_t at, const cmsCIEXYZ& xyz) {
    const double sum = xyz.X + xyz.Y + xyz.Z;
    if (!(std::abs(sum) > 1e-6)) return false;
    out[at] = {xyz.X / sum, xyz.Y / sum};
    return true;
  };
  for (std::size_t i = 0; i < tags.size(); ++i) {
    const auto* held = static_cast<const cmsCIEXYZ*>(cmsReadTag(profile.get(), tags[i]));
    cmsCIEXYZ own{};
    if (held == nullptr || !cmsAdaptToIlluminant(&own, cmsD50_XYZ(), &white, held) || !set(i, own))
      return std::nullopt;
  }
  return set(3, white) ? std::optional(out) : std::nullopt;
}

std::optional<std::array<unsigned char, 4>> cicp_of_profile(const ProfileBytes& bytes) {
  const Profile profile(bytes);
  if (!profile || !profile.rgb()) return std::nullopt;
  const auto* named =
      static_cast<const cmsVideoSignalType*>(cmsReadTag(profile.get(), cmsSigcicpTag));
  if (named == nullptr) return std::nullopt;
  return std::array<unsigned char, 4>{named->ColourPrimaries, named->TransferCharacteristics, 0, 1};
}

ProfileBytes with_hdr_curve(const ProfileBytes& linear, HdrCurve curve,
                            unsigned char primaries_number) {
  const Profile profile(linear);
  if (!profile) return {};
  const CurvePtr table = curve_of(profile.context(), curve);
  for (const cmsTagSignature tag : rgb_curves) {
    if (!cmsWriteTag(profile.get(), tag, table.get())) return {};
  }
  cmsVideoSignalType named{};
  named.ColourPrimaries = primaries_number;
  named.TransferCharacteristics = curve == HdrCurve::pq ? 16 : 18;
  named.VideoFullRangeFlag = 1;
  if (!cmsWriteTag(profile.get(), cmsSigcicpTag, &named)) return {};
  cmsSetProfileVersion(profile.get(), 4.4);
  cmsMD5computeID(profile.get());
  return saved(profile.get());
}

bool is_gray_profile(const ProfileBytes& bytes) {
  const Profile profile(bytes);
  return profile && profile.gray();
}

bool is_srgb_profile(const ProfileBytes& bytes) {
  std::optional<Message> other;
  const std::optional<Coding> coding = coding_of_profile(bytes, other);
  if (!coding || *coding != Coding::srgb() || !has_srgb_primaries(bytes)) return false;
  return !cmsIsTag(Profile(bytes).get(), cmsSigAToB0Tag);  // which would take precedence
}

ProfileBytes srgb_profile_with(Coding coding) {
  const std::unique_ptr<void, ContextDeleter> context(cmsCreateContext(nullptr, nullptr));
  const ProfilePtr profile(cmsCreate_sRGBProfileTHR(static_cast<cmsContext>(context.get())));
  const ProfileBytes bytes = profile ? saved(profile.get()) : ProfileBytes();
  return coding == Coding::srgb() ? bytes : profile_with_coding(bytes, coding);
}

ProfileFacts facts_of(const ProfileBytes& profile) {
  return {is_gray_profile(profile), is_srgb_profile(profile), has_srgb_primaries(profile),
          primaries_of(profile)};
}

class ToSrgb::Transform {
 public:
  explicit Transform(const ProfileBytes& bytes) : profile_(bytes) {
    if (!profile_) return;
    if (profile_.gray()) gray_ = profile_.curve(cmsSigGrayTRCTag);
    if (!profile_.rgb()) return;
    const ProfilePtr light = made_of(profile_.context(), srgb_primaries, Coding::linear());
    if (!light) return;
    transform_.reset(cmsCreateTransformTHR(profile_.context(), profile_.get(), TYPE_RGBA_FLT,
                                           light.get(), TYPE_RGBA_FLT, INTENT_RELATIVE_COLORIMETRIC,
                                           flags));
  }

  bool works() const { return gray_ != nullptr || transform_ != nullptr; }

  void run(float* pixels, int count) const {
    if (transform_) {
      cmsDoTransform(transform_.get(), pixels, pixels, static_cast<cmsUInt32Number>(count));
      return;
    }
    for (float *pixel = pixels, *end = pixels + std::ptrdiff_t{4} * count; pixel < end;
         pixel += 4) {
      for (int c = 0; c < 3; ++c) pixel[c] = cmsEvalToneCurveFloat(gray_, pixel[c]);
    }
  }

 private:
  struct Deleter {
    void operator()(void* transform) const { cmsDeleteTransform(transform); }
  };
  static constexpr cmsUInt32Number flags =
      cmsFLAGS_NOCACHE | cmsFLAGS_NOOPTIMIZE | cmsFLAGS_BLACKPOINTCOMPENSATION;

  Profile profile_;
  const cmsToneCurve* gray_ = nullptr;  // the profile's
  std::unique_ptr<void, Deleter> transform_;
};

ToSrgb::ToSrgb(const ProfileBytes& profile) : transform_(std::make_unique<Transform>(profile)) {}

ToSrgb::~ToSrgb() = default;

bool ToSrgb::works() const {
  return transform_->works();
}

void ToSrgb::run(float* pixels, int count) const {
  transform_->run(pixels, count);
}

bool has_srgb_primaries(const ProfileBytes& bytes) {
  const Profile profile(bytes);
  if (!profile) return false;
  if (profile.gray()) return true;
  if (!profile.rgb()) return false;
  // sRGB's primaries adapted to D50, as every profile of it holds them (ICC, sRGB v2 and v4).
  constexpr std::array<std::array<double, 3>, 3> srgb = {
      {{0.4360, 0.2225, 0.0139}, {0.3851, 0.7169, 0.0971}, {0.1431, 0.0606, 0.7139}}};
  constexpr std::array tags = {cmsSigRedColorantTag, cmsSigGreenColorantTag, cmsSigBlueColorantTag};
  for (std::size_t i = 0; i < tags.size(); ++i) {
    const auto* xyz = static_cast<const cmsCIEXYZ*>(cmsReadTag(profile.get(), tags[i]));
    if (xyz == nullptr) return false;
    if (std::abs(xyz->X - srgb[i][0]) > 0.003 || std::abs(xyz->Y - srgb[i][1]) > 0.003 ||
        std::abs(xyz->Z - srgb[i][2]) > 0.003) {
      return false;
    }
  }
  return true;
}

}  // namespace sfumato::files
