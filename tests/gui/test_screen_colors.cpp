// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The colours of pictures and screens in the preview. Expected values are computed by hand.
#include <lcms2.h>

#include <QColorSpace>
#include <QSignalSpy>
#include <QTest>
#include <array>
#include <cmath>
#include <limits>

#include "painted.hpp"
#include "preview/display.hpp"
#include "preview/preview_view.hpp"
#include "preview/screen_profile.hpp"

using namespace sfumato;
using namespace sfumato::gui;
using sfumato::testing::floats;
using sfumato::testing::held;
using sfumato::testing::painted;
using sfumato::testing::rgb8;

namespace {

QByteArray icc(QColorSpace::NamedColorSpace space) {
  return QColorSpace(space).iccProfile();
}

QByteArray bytes_of(cmsHPROFILE profile) {
  cmsUInt32Number size = 0;
  cmsSaveProfileToMem(profile, nullptr, &size);
  QByteArray bytes(static_cast<qsizetype>(size), '\0');
  cmsSaveProfileToMem(profile, bytes.data(), &size);
  cmsCloseProfile(profile);
  return bytes;
}

QByteArray gray_profile(double gamma) {
  cmsToneCurve* curve = cmsBuildGamma(nullptr, gamma);
  const QByteArray bytes = bytes_of(cmsCreateGrayProfile(cmsD50_xyY(), curve));
  cmsFreeToneCurve(curve);
  return bytes;
}

// Its tables are Display P3, its matrix sRGB.
QByteArray table_profile() {
  const QByteArray p3 = icc(QColorSpace::DisplayP3);
  cmsHPROFILE from = cmsOpenProfileFromMem(p3.data(), static_cast<cmsUInt32Number>(p3.size()));
  cmsHPROFILE xyz = cmsCreateXYZProfile();
  cmsHTRANSFORM to_xyz = cmsCreateTransform(from, TYPE_RGB_16, xyz, TYPE_XYZ_16,
                                            INTENT_RELATIVE_COLORIMETRIC, cmsFLAGS_NOOPTIMIZE);
  cmsStage* table = cmsStageAllocCLut16bit(nullptr, 33, 3, 3, nullptr);
  const auto sample = [](const cmsUInt16Number in[], cmsUInt16Number out[], void* transform) {
    cmsDoTransform(transform, in, out, 1);
    return 1;
  };
  cmsStageSampleCLut16bit(table, sample, to_xyz, 0);
  cmsPipeline* pipeline = cmsPipelineAlloc(nullptr, 3, 3);
  cmsPipelineInsertStage(pipeline, cmsAT_BEGIN, table);
  cmsHPROFILE profile = cmsCreate_sRGBProfile();
  cmsSetProfileVersion(profile, 2.4);
  cmsWriteTag(profile, cmsSigAToB0Tag, pipeline);
  const QByteArray bytes = bytes_of(profile);
  cmsPipelineFree(pipeline);
  cmsDeleteTransform(to_xyz);
  cmsCloseProfile(xyz);
  cmsCloseProfile(from);
  return bytes;
}

// One colour through to_display(), 0..255.
std::array<double, 3> displayed(const std::array<double, 3>& color, const QByteArray& from,
                                const QByteArray& screen) {
  std::vector<float> values;
  for (const double v : color) values.push_back(static_cast<float>(v / 255));
  const QImage image = to_display(held(floats(1, 1, 3), values), from, 0, screen);
  const QRgba64 pixel = image.pixelColor(0, 0).rgba64();
  return {pixel.red() / 257.0, pixel.green() / 257.0, pixel.blue() / 257.0};
}

bool near(const std::array<double, 3>& a, const std::array<double, 3>& b, double tolerance) {
  for (std::size_t c = 0; c < 3; ++c) {
    if (std::abs(a[c] - b[c]) > tolerance) {
      qWarning("%g %g %g instead of %g %g %g", a[0], a[1], a[2], b[0], b[1], b[2]);
      return false;
    }
  }
  return true;
}

}  // namespace

class TestScreenColors : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void colours_of_matrix_profiles() {
    const QByteArray adobe = icc(QColorSpace::AdobeRgb), p3 = icc(QColorSpace::DisplayP3);
    // By the primaries' matrices and D65.
    QVERIFY(near(displayed({200, 100, 50}, adobe, {}), {227.07, 100.07, 42.35}, 0.6));
    QVERIFY(near(displayed({120, 130, 110}, adobe, {}), {116.41, 131.08, 109.49}, 0.6));
    // Light of -0.40, 1.00, -0.04 in sRGB.
    QVERIFY(near(displayed({0, 255, 0}, adobe, {}), {0, 255, 0}, 0.6));
    QVERIFY(near(displayed({255, 0, 0}, {}, p3), {233.96, 51.07, 35.33}, 0.6));
    QVERIFY(near(displayed({0, 255, 0}, {}, p3), {116.89, 251.24, 76.07}, 0.6));
    QVERIFY(near(displayed({255, 255, 255}, {}, p3), {255, 255, 255}, 0.3));
    // A picture on a screen with its own profile stays unchanged; so does sRGB on sRGB.
    QVERIFY(near(displayed({10, 200, 90}, p3, p3), {10, 200, 90}, 0.01));
    QVERIFY(near(displayed({10, 200, 90}, icc(QColorSpace::SRgb), {}), {10, 200, 90}, 0.01));
    QVERIFY(near(displayed({10, 200, 90}, "no profile", "none either"), {10, 200, 90}, 0.01));
  }

  void colours_of_profiles_with_tables() {
    const QByteArray tables = table_profile();
    QVERIFY(near(displayed({127.5, 63.75, 63.75}, tables, {}), {137.15, 59.19, 61.67}, 1.5));
    QVERIFY(near(displayed({255, 255, 255}, tables, {}), {255, 255, 255}, 1));
    QVERIFY(near(displayed({0, 0, 0}, tables, {}), {0, 0, 0}, 1));
    // On a screen that is also P3, nothing changes.
    QVERIFY(near(displayed({127.5, 63.75, 63.75}, tables, icc(QColorSpace::DisplayP3)),
                 {127.5, 63.75, 63.75}, 1.5));
  }

  void gray_profiles() {
    const HeldPicture picture = held(floats(4, 1, 2), {0.5f, 1, 0, 1, 1, 1, 0.25f, 0.25f});
    const QImage image = to_display(picture, gray_profile(1.8), 0);
    // Light of 0.287 and 0.0825, on the sRGB curve.
    const int want[] = {146, 0, 255, 81};
    for (int x = 0; x < 4; ++x) {
      const QColor color = image.pixelColor(x, 0);
      QVERIFY2(std::abs(color.red() - want[x]) <= 1, qPrintable(color.name()));
      QCOMPARE(color.red(), color.green());
      QCOMPARE(color.red(), color.blue());
    }
    QVERIFY(std::abs(image.pixelColor(3, 0).alphaF() - 0.25f) < 0.001f);
    // Unused for colour.
    QVERIFY(near(displayed({10, 200, 90}, gray_profile(1.8), {}), {10, 200, 90}, 0.01));
  }

  // Every 16-bit sample rounded to 8 bits, as Qt does; beyond black and white, and none, too.
  void images_for_painting_are_the_same_rounded() {
    const QByteArray p3 = icc(QColorSpace::DisplayP3);
    for (const int channels : {1, 2, 3, 4}) {
      std::vector<float> values;
      for (int i = 0; i < 6007 * channels; ++i) {
        const bool alpha = channels % 2 == 0 && i % channels == channels - 1;
        values.push_back(alpha ? static_cast<float>(i % 97) / 96.0f
                               : static_cast<float>((i * 7919) % 65536) / 60000.0f - 0.02f);
      }
      values[0] = std::numeric_limits<float>::quiet_NaN();
      for (const bool coded : {false, true}) {
        PictureFormat format = floats(6007, 1, channels);
        if (coded) format.coding = Coding::srgb();
        const HeldPicture picture = held(format, values);
        for (const QByteArray& screen : {QByteArray(), p3}) {
          for (const double exposure : {0.0, -1.5}) {
            const QImage image = to_display(picture, {}, exposure, screen);
            QCOMPARE(to_screen(picture, {}, exposure, screen),
                     image.convertToFormat(channels % 2 == 0 ? QImage::Format_ARGB32_Premultiplied
                                                             : QImage::Format_RGB32));
          }
        }
      }
    }
  }

  void the_view_asks_for_the_colours_of_its_screen() {
    PreviewRenderer renderer;
    PreviewView view(renderer);
    view.resize(40, 30);
    QSignalSpy shown(&view, &PreviewView::shown);
    view.set_picture(painted(rgb8(40, 30), [](int, int, int c) { return c == 0 ? 1.0 : 0.0; }));
    view.set_screen_profile(icc(QColorSpace::DisplayP3));
    const auto last = [&] {
      return shown.last().at(0).value<std::shared_ptr<const PreviewResult>>();
    };
    QTRY_VERIFY_WITH_TIMEOUT(
        !shown.isEmpty() && !last()->request.screen_profile.isEmpty() && !renderer.is_busy(),
        180000);
    QVERIFY(std::abs(last()->after.pixelColor(5, 5).red() - 234) <= 1);
    QVERIFY(screen_profile_of(&view).isEmpty());  // no X11 here
  }
};

QTEST_MAIN(TestScreenColors)
#include "test_screen_colors.moc"
