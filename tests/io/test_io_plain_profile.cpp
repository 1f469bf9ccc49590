// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Profiles that are written anew from their numbers show the same colours, by LittleCMS.
#include <lcms2.h>

#include <QTest>
#include <array>
#include <cmath>
#include <random>

#include "io/io.hpp"
#include "io/plain_profile.hpp"
#include "support/profiles.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

using Bytes = std::vector<unsigned char>;

const std::filesystem::path path = "picture.tif";

cmsHPROFILE opened(const Bytes& bytes) {
  return cmsOpenProfileFromMem(bytes.data(), static_cast<cmsUInt32Number>(bytes.size()));
}

// 8-bit sRGB codes of colours of all kinds, dark ones among them.
std::vector<double> shown(const Bytes& bytes, bool gray) {
  cmsHPROFILE from = opened(bytes), to = cmsCreate_sRGBProfile();
  cmsHTRANSFORM transform = cmsCreateTransform(
      from, gray ? TYPE_GRAY_16 : TYPE_RGB_16, to, TYPE_RGB_DBL, INTENT_RELATIVE_COLORIMETRIC,
      cmsFLAGS_NOOPTIMIZE | cmsFLAGS_BLACKPOINTCOMPENSATION);
  std::vector<double> out;
  std::minstd_rand random(7);
  for (int i = 0; i < 4000; ++i) {
    std::array<std::uint16_t, 3> codes{};
    for (std::uint16_t& code : codes) {
      const double value = static_cast<double>(random()) / static_cast<double>(random.max());
      code = static_cast<std::uint16_t>(65535 * (i % 2 == 0 ? value : value * value * value));
    }
    std::array<double, 3> color{};
    cmsDoTransform(transform, codes.data(), color.data(), 1);
    for (const double c : color) out.push_back(255 * std::clamp(c, 0.0, 1.0));
  }
  cmsDeleteTransform(transform);
  cmsCloseProfile(from);
  cmsCloseProfile(to);
  return out;
}

double difference(const Bytes& a, const Bytes& b, bool gray) {
  const std::vector<double> one = shown(a, gray), other = shown(b, gray);
  double most = 0;
  for (std::size_t i = 0; i < one.size(); ++i) most = std::max(most, std::abs(one[i] - other[i]));
  return most;
}

Bytes rgb(cmsToneCurve* curve, double version = 4.3) {
  const cmsCIExyY white = {0.3127, 0.3290, 1};
  const cmsCIExyYTRIPLE wide = {{0.64, 0.33, 1}, {0.21, 0.71, 1}, {0.15, 0.06, 1}};
  std::array<cmsToneCurve*, 3> curves = {curve, curve, curve};
  cmsHPROFILE profile = cmsCreateRGBProfile(&white, &wide, curves.data());
  cmsSetProfileVersion(profile, version);
  cmsFreeToneCurve(curve);
  return saved(profile);
}

Bytes gray(cmsToneCurve* curve) {
  const Bytes out = saved(cmsCreateGrayProfile(cmsD50_xyY(), curve));
  cmsFreeToneCurve(curve);
  return out;
}

cmsToneCurve* samples() {
  std::array<cmsUInt16Number, 6> all = {0, 1500, 9000, 30000, 50000, 65535};
  return cmsBuildTabulatedToneCurve16(nullptr, all.size(), all.data());
}

// Tables in place of a matrix, and not what a matrix can do: colours bend towards green.
Bytes tables(bool pcs_is_lab) {
  cmsHPROFILE profile = cmsCreate_sRGBProfile();
  cmsSetProfileVersion(profile, 2.4);
  if (pcs_is_lab) cmsSetPCS(profile, cmsSigLabData);
  cmsStage* table = cmsStageAllocCLut16bit(nullptr, 17, 3, 3, nullptr);
  const auto bent = [](const cmsUInt16Number in[], cmsUInt16Number out[], void* lab) {
    const double r = in[0] / 65535.0, g = in[1] / 65535.0, b = in[2] / 65535.0;
    const double y = std::pow(0.3 * r + 0.6 * g + 0.1 * b, 2.2);
    if (lab != nullptr) {
      out[0] = static_cast<cmsUInt16Number>(65280 * std::cbrt(y));
      out[1] = static_cast<cmsUInt16Number>(32768 + 12000 * (r - g * g));
      out[2] = static_cast<cmsUInt16Number>(32768 + 12000 * (g - b));
    } else {
      out[0] = static_cast<cmsUInt16Number>(31000 * (0.8 * y + 0.2 * r * r));
      out[1] = static_cast<cmsUInt16Number>(32768 * y);
      out[2] = static_cast<cmsUInt16Number>(27000 * (0.7 * y + 0.3 * b * b));
    }
    return 1;
  };
  cmsStageSampleCLut16bit(table, bent, pcs_is_lab ? profile : nullptr, 0);
  cmsPipeline* pipeline = cmsPipelineAlloc(nullptr, 3, 3);
  cmsPipelineInsertStage(pipeline, cmsAT_BEGIN, table);
  cmsWriteTag(profile, cmsSigAToB0Tag, pipeline);
  cmsPipelineFree(pipeline);
  return saved(profile);
}

}  // namespace

class TestIoPlainProfile : public QObject {
  Q_OBJECT

 private slots:
  void colours_are_the_same_data() {
    QTest::addColumn<Bytes>("profile");
    QTest::addColumn<bool>("is_gray");
    QTest::addColumn<double>("most");  // of 255
    const double exact = 0.005, by_table = 0.6;
    QTest::newRow("sRGB") << saved(cmsCreate_sRGBProfile()) << false << exact;
    QTest::newRow("gamma") << rgb(cmsBuildGamma(nullptr, 1.8)) << false << exact;
    QTest::newRow("gamma, version 2") << rgb(cmsBuildGamma(nullptr, 2.2), 2.1) << false << exact;
    QTest::newRow("linear") << rgb(cmsBuildGamma(nullptr, 1.0)) << false << exact;
    QTest::newRow("samples") << rgb(samples()) << false << exact;
    std::array<double, 7> parts = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045, 0.01, 0.005};
    for (int type = 1; type <= 5; ++type) {
      QTest::addRow("function %d", type)
          << rgb(cmsBuildParametricToneCurve(nullptr, type, parts.data())) << false << exact;
    }
    QTest::newRow("gray") << gray(cmsBuildGamma(nullptr, 2.2)) << true << exact;
    QTest::newRow("gray, samples") << gray(samples()) << true << exact;
    QTest::newRow("tables of XYZ") << tables(false) << false << by_table;
    QTest::newRow("tables of Lab") << tables(true) << false << by_table;
  }

  void colours_are_the_same() {
    QFETCH(const Bytes, profile);
    QFETCH(const bool, is_gray);
    QFETCH(const double, most);
    const Bytes plain = plain_profile(profile, path);
    QVERIFY(!plain.empty());
    QVERIFY(plain != profile);
    const double found = difference(plain, profile, is_gray);
    QVERIFY2(found <= most, qPrintable(QString::number(found)));
    // It is as plain as it can be, and its curve is the same.
    QVERIFY(coding_of_icc(plain, path) == coding_of_icc(profile, path) || most > 0.1);
    if (most < 0.1) QCOMPARE(plain_profile(plain, path), plain);
  }

  void what_is_none_has_none() {
    const Bytes srgb = saved(cmsCreate_sRGBProfile());
    Bytes cut = srgb, far = srgb;
    cut.resize(300);
    far.at(132 + 4) = 0x7f;  // where a tag begins
    for (const Bytes& bytes : {Bytes(), Bytes{1, 2, 3}, cut, far,
                               saved(cmsCreateLab4Profile(nullptr)), Bytes(std::size_t{9} << 20)}) {
      QVERIFY(plain_profile(bytes, path).empty());
      QVERIFY(!coding_of_icc(bytes, path));
    }
  }

  void numbers_are_counted() {
    using Kind = ProfileNumbers::Kind;
    QVERIFY(are_complete({}));
    QVERIFY(profile_of_numbers({}).empty());
    ProfileNumbers numbers;
    numbers.kind = Kind::gray;
    QVERIFY(!are_complete(numbers));
    numbers.tones = {{3, {1, 2, 3, 4, 5}, {}}};
    QVERIFY(are_complete(numbers));
    numbers.tones = {{3, {1, 2, 3, 4}, {}}};
    QVERIFY(!are_complete(numbers));
    numbers.tones = {{5, {1}, {}}};
    QVERIFY(!are_complete(numbers));
    numbers.tones = {{-1, {}, std::vector<std::uint16_t>(70000)}};
    QVERIFY(!are_complete(numbers));
    numbers.tones = {{}, {}};
    numbers.kind = Kind::matrix;
    QVERIFY(!are_complete(numbers));
    numbers.table.resize(3 * 33 * 33 * 33);
    QVERIFY(!are_complete(numbers));
    for (const Kind kind : {Kind::xyz_table, Kind::table}) {
      numbers.kind = kind;
      QVERIFY(are_complete(numbers));
    }
    numbers.table.resize(100);
    QVERIFY(!are_complete(numbers));
    numbers.table.resize(3 * 33 * 33 * 33);
    QVERIFY(are_complete(numbers));
  }
};

QTEST_GUILESS_MAIN(TestIoPlainProfile)
#include "test_io_plain_profile.moc"
