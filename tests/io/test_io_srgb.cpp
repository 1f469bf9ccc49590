// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Colours of other profiles converted to sRGB, against LittleCMS called directly.
#include <lcms2.h>

#include <QTest>
#include <array>

#include "support/files.hpp"
#include "support/profiles.hpp"

using namespace sfumato;
using namespace sfumato::testing;
using enum SampleType;

namespace {

using Bytes = std::vector<unsigned char>;

// Display P3's primaries under this curve.
Bytes p3_profile(cmsToneCurve* curve) {
  const cmsCIExyY white = {0.3127, 0.3290, 1};
  const cmsCIExyYTRIPLE primaries = {{0.680, 0.320, 1}, {0.265, 0.690, 1}, {0.150, 0.060, 1}};
  std::array<cmsToneCurve*, 3> curves = {curve, curve, curve};
  Bytes out = saved(cmsCreateRGBProfile(&white, &primaries, curves.data()));
  cmsFreeToneCurve(curve);
  return out;
}

Bytes display_p3() {
  const std::array<double, 5> p = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
  return p3_profile(cmsBuildParametricToneCurve(nullptr, 4, p.data()));
}

// An S that no formula describes.
Bytes odd_p3() {
  std::array<cmsUInt16Number, 5> table = {0, 6000, 25000, 50000, 65535};
  return p3_profile(cmsBuildTabulatedToneCurve16(nullptr, table.size(), table.data()));
}

OIIO::ImageSpec with_profile(int channels, SampleType type, const Bytes& profile) {
  OIIO::ImageSpec s(40, 30, channels, oiio_type(type));
  if (channels == 2 || channels == 4) s.alpha_channel = channels - 1;
  if (profile.empty()) return s;
  s.attribute("ICCProfile", OIIO::TypeDesc(OIIO::TypeDesc::UINT8, static_cast<int>(profile.size())),
              profile.data());
  return s;
}

// Colours by LittleCMS in double precision: to sRGB, or to light of its primaries.
class Expected {
 public:
  explicit Expected(const Bytes& profile, bool light = false) {
    const cmsHPROFILE in =
        cmsOpenProfileFromMem(profile.data(), static_cast<cmsUInt32Number>(profile.size()));
    const cmsCIExyY white = {0.3127, 0.3290, 1};
    const cmsCIExyYTRIPLE primaries = {{0.64, 0.33, 1}, {0.30, 0.60, 1}, {0.15, 0.06, 1}};
    cmsToneCurve* straight = cmsBuildGamma(nullptr, 1);
    std::array<cmsToneCurve*, 3> curves = {straight, straight, straight};
    const cmsHPROFILE srgb =
        light ? cmsCreateRGBProfile(&white, &primaries, curves.data()) : cmsCreate_sRGBProfile();
    cmsFreeToneCurve(straight);
    transform_ =
        cmsCreateTransform(in, TYPE_RGB_DBL, srgb, TYPE_RGB_DBL, INTENT_RELATIVE_COLORIMETRIC,
                           cmsFLAGS_NOOPTIMIZE | cmsFLAGS_NOCACHE);
    cmsCloseProfile(in);
    cmsCloseProfile(srgb);
  }
  ~Expected() { cmsDeleteTransform(transform_); }
  Expected(const Expected&) = delete;
  Expected& operator=(const Expected&) = delete;

  std::array<double, 3> operator()(const float* from) const {
    const std::array<double, 3> a = {static_cast<double>(from[0]), static_cast<double>(from[1]),
                                     static_cast<double>(from[2])};
    std::array<double, 3> b{};
    cmsDoTransform(transform_, a.data(), b.data(), 1);
    return b;
  }

 private:
  cmsHTRANSFORM transform_;
};

double clamped(double v) {
  return std::clamp(v, 0.0, 1.0);
}

const WriteOptions to_srgb{.profile = ProfileChoice::srgb};

}  // namespace

class TestIoSrgb : public QObject {
  Q_OBJECT

 private slots:
  void colours_are_littlecms_data() {
    QTest::addColumn<int>("type");
    QTest::addColumn<int>("channels");
    QTest::addColumn<bool>("odd");
    for (const SampleType type : {u8, u16}) {
      for (const int channels : {3, 4}) {
        for (const bool odd : {false, true}) {
          QTest::addRow("%s, %d channels, %s", type == u8 ? "8 bits" : "16 bits", channels,
                        odd ? "an odd curve" : "Display P3")
              << static_cast<int>(type) << channels << odd;
        }
      }
    }
  }

  void colours_are_littlecms() {
    QFETCH(int, type);
    QFETCH(int, channels);
    QFETCH(bool, odd);
    const Folder folder;
    const Bytes profile = odd ? odd_p3() : display_p3();
    const Expected in_srgb(profile);
    const auto a = folder / "a.png", b = folder / "b.png";
    OIIO::ImageSpec s = with_profile(channels, static_cast<SampleType>(type), profile);
    s.attribute("oiio:UnassociatedAlpha", 1);
    make_file(a, {s});
    QVERIFY(pass_through(a, b, to_srgb).empty());
    const std::vector<float> before = values_of(a), after = values_of(b);
    const double step = type == static_cast<int>(u8) ? 1 / 255.0 : 1 / 65535.0;
    const auto n = static_cast<std::size_t>(channels);
    double worst = 0, change = 0;
    for (std::size_t i = 0; i < before.size(); i += n) {
      const std::array<double, 3> want = in_srgb(&before[i]);
      for (std::size_t c = 0; c < 3; ++c) {
        const double got = static_cast<double>(after[i + c]);
        worst = std::max(worst, std::abs(got - clamped(want[c])) / step);
        change = std::max(change, std::abs(got - static_cast<double>(before[i + c])));
      }
      if (channels == 4) QCOMPARE(after[i + 3], before[i + 3]);
    }
    QVERIFY(change > 0.05);
    // Rounding, and in 16 bits that of float arithmetic.
    QVERIFY2(worst <= (type == static_cast<int>(u8) ? 0.51 : 1.5),
             qPrintable(QString::number(worst)));
    const auto back = open_picture(b);
    QVERIFY(!back->info().icc_profile.empty() && back->info().icc_profile != profile);
    QVERIFY(back->format().coding == Coding::srgb());
    QVERIFY(back->format().type == static_cast<SampleType>(type));
    pass_through(b, folder / "c.png", to_srgb);  // there is nothing left to do
    QVERIFY(values_of(folder / "c.png") == after);
    QVERIFY(open_picture(folder / "c.png")->info().icc_profile == back->info().icc_profile);
  }

  void premultiplied_colours_are_converted_straight() {
    const Folder folder;
    const Bytes profile = display_p3();
    const Expected in_light(profile, true);
    OIIO::ImageSpec s = with_profile(4, u16, profile);
    s.attribute("oiio:UnassociatedAlpha", 1);
    make_file(folder / "straight.tif", {s});
    QVERIFY(open_picture(folder / "straight.tif")->format().alpha == AlphaKind::straight);
    // Light with opacity at full depth, as OpenEXR holds it.
    pass_through(folder / "straight.tif", folder / "out.exr",
                 {.bits = f32, .profile = ProfileChoice::srgb});
    const std::vector<float> before = values_of(folder / "straight.tif"),
                             after = values_of(folder / "out.exr");
    for (std::size_t i = 0; i < before.size(); i += 4) {
      const std::array<double, 3> want = in_light(&before[i]);
      const auto alpha = static_cast<double>(before[i + 3]);
      QVERIFY(std::abs(static_cast<double>(after[i + 3]) - alpha) < 1e-6);
      for (std::size_t c = 0; c < 3; ++c) {
        const double difference = static_cast<double>(after[i + c]) - want[c] * alpha;
        QVERIFY2(std::abs(difference) < 1e-4, qPrintable(QString::number(difference)));
      }
    }
  }

  void what_is_laid_over_white_is_converted_first() {
    const Folder folder;
    const Bytes profile = display_p3();
    const Expected in_light(profile, true);
    OIIO::ImageSpec s = with_profile(4, u16, profile);
    s.attribute("oiio:UnassociatedAlpha", 1);
    make_file(folder / "a.png", {s});
    QCOMPARE(pass_through(folder / "a.png", folder / "b.ppm", to_srgb).size(), 1u);  // alpha
    const std::vector<float> before = values_of(folder / "a.png"),
                             after = values_of(folder / "b.ppm");
    for (std::size_t i = 0; i < before.size() / 4; ++i) {
      const std::array<double, 3> light = in_light(&before[4 * i]);
      const auto alpha = static_cast<double>(before[4 * i + 3]);
      for (std::size_t c = 0; c < 3; ++c) {
        const double want = encode(Coding::srgb(), clamped(light[c] * alpha + 1 - alpha));
        const double difference = static_cast<double>(after[3 * i + c]) - want;
        QVERIFY2(std::abs(difference) < 5e-4, qPrintable(QString::number(difference)));
      }
    }
  }

  void srgb_stays_as_it_is() {
    const Folder folder;
    for (const Bytes& profile : {Bytes(), saved(cmsCreate_sRGBProfile())}) {
      for (const char* name : {"a.png", "a.tif"}) {
        make_file(folder / name, {with_profile(3, u16, profile)});
        const auto out = folder / (std::string("b_") + name);
        WriteOptions options = to_srgb;
        options.overwrite = true;
        QVERIFY(pass_through(folder / name, out, options).empty());
        QVERIFY(values_of(out) == values_of(folder / name));
        QVERIFY(open_picture(out)->info().icc_profile == profile);
      }
    }
  }

  void gray_gets_the_srgb_curve_and_no_profile() {
    const Folder folder;
    for (const bool odd : {false, true}) {
      std::array<cmsUInt16Number, 5> table = {0, 6000, 25000, 50000, 65535};
      cmsToneCurve* curve = odd ? cmsBuildTabulatedToneCurve16(nullptr, table.size(), table.data())
                                : cmsBuildGamma(nullptr, 1.8);
      const Bytes profile = saved(cmsCreateGrayProfile(cmsD50_xyY(), curve));
      for (const int channels : {1, 2}) {
        OIIO::ImageSpec s = with_profile(channels, u16, profile);
        s.attribute("oiio:UnassociatedAlpha", 1);
        make_file(folder / "a.tif", {s});
        QVERIFY(pass_through(folder / "a.tif", folder / "b.tif",
                             {.overwrite = true, .profile = ProfileChoice::srgb})
                    .empty());
        const std::vector<float> before = values_of(folder / "a.tif"),
                                 after = values_of(folder / "b.tif");
        QCOMPARE(before.size(), after.size());
        for (std::size_t i = 0; i < before.size(); i += static_cast<std::size_t>(channels)) {
          const double want =
              encode(Coding::srgb(), static_cast<double>(cmsEvalToneCurveFloat(curve, before[i])));
          QVERIFY(std::abs(static_cast<double>(after[i]) - want) < 1e-4);
          if (channels == 2) QCOMPARE(after[i + 1], before[i + 1]);
        }
        QVERIFY(open_picture(folder / "b.tif")->info().icc_profile.empty());
      }
      cmsFreeToneCurve(curve);
    }
  }

  // Float files hold light: the same colours on sRGB's primaries, beyond 0 and 1 where they lie
  // there.
  void float_files_hold_light_of_its_primaries() {
    const Folder folder;
    const Bytes profile = display_p3();
    const Expected in_light(profile, true);
    make_file(folder / "a.tif", {with_profile(3, u16, profile)});
    QVERIFY(pass_through(folder / "a.tif", folder / "b.tif",
                         {.bits = f32, .profile = ProfileChoice::srgb})
                .empty());
    const auto back = open_picture(folder / "b.tif");
    QVERIFY(back->format().coding == Coding::linear());
    QVERIFY(!back->info().icc_profile.empty());
    const std::vector<float> before = values_of(folder / "a.tif"),
                             after = values_of(folder / "b.tif");
    float least = 0;
    for (std::size_t i = 0; i < before.size(); i += 3) {
      const std::array<double, 3> want = in_light(&before[i]);
      for (std::size_t c = 0; c < 3; ++c) {
        QVERIFY(std::abs(static_cast<double>(after[i + c]) - want[c]) < 1e-4);
        least = std::min(least, after[i + c]);
      }
    }
    QVERIFY(least < -0.01f);
  }

  void openexr_says_its_primaries_by_numbers() {
    const Folder folder;
    OIIO::ImageSpec s(40, 30, 3, OIIO::TypeDesc::FLOAT);
    const std::array<float, 8> p3 = {0.680f, 0.320f, 0.265f,  0.690f,
                                     0.150f, 0.060f, 0.3127f, 0.3290f};
    s.attribute("chromaticities", OIIO::TypeDesc(OIIO::TypeDesc::FLOAT, 8), p3.data());
    make_file(folder / "a.exr", {s});
    QVERIFY(pass_through(folder / "a.exr", folder / "b.exr", to_srgb).empty());
    QVERIFY(spec_of(folder / "b.exr").find_attribute("chromaticities") == nullptr);
    const Expected in_light(p3_profile(cmsBuildGamma(nullptr, 1.0)), true);
    const std::vector<float> before = values_of(folder / "a.exr"),
                             after = values_of(folder / "b.exr");
    for (std::size_t i = 0; i < before.size(); i += 3) {
      const std::array<double, 3> want = in_light(&before[i]);
      for (std::size_t c = 0; c < 3; ++c) {
        QVERIFY(std::abs(static_cast<double>(after[i + c]) - want[c]) < 1e-4);
      }
    }
    pass_through(folder / "a.exr", folder / "c.exr");
    QVERIFY(values_of(folder / "c.exr") == before);
    QVERIFY(spec_of(folder / "c.exr").find_attribute("chromaticities") != nullptr);
  }

  void a_profile_that_is_none_is_said() {
    const Folder folder;
    make_file(folder / "a.tif", {with_profile(3, u8, {1, 2, 3, 4})});
    const auto said = open_picture(folder / "a.tif")->info().warnings;
    QCOMPARE(said.size(), 1u);
    QVERIFY(in_english(said[0]).find("profile") != std::string::npos);
    QVERIFY(pass_through(folder / "a.tif", folder / "b.tif", to_srgb).empty());
    QVERIFY(values_of(folder / "b.tif") == values_of(folder / "a.tif"));
    QVERIFY(open_picture(folder / "b.tif")->format().coding == Coding::srgb());
    QVERIFY(open_picture(folder / "b.tif")->info().warnings.empty());
  }
};

QTEST_GUILESS_MAIN(TestIoSrgb)
#include "test_io_srgb.moc"
