// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Colour profiles and tone curves of files.
#include <lcms2.h>

#include <QTest>
#include <array>

#include "io/raw_files.hpp"
#include "support/files.hpp"
#include "support/profiles.hpp"

using namespace sfumato;
using namespace sfumato::testing;
using enum SampleType;

namespace {

using Bytes = std::vector<unsigned char>;

// An RGB profile with sRGB's white and primaries (or wider ones) and this curve.
Bytes rgb_profile(cmsToneCurve* curve, bool wide = false) {
  const cmsCIExyY white = {0.3127, 0.3290, 1};
  const cmsCIExyYTRIPLE narrow = {{0.64, 0.33, 1}, {0.30, 0.60, 1}, {0.15, 0.06, 1}};
  const cmsCIExyYTRIPLE adobe = {{0.64, 0.33, 1}, {0.21, 0.71, 1}, {0.15, 0.06, 1}};
  std::array<cmsToneCurve*, 3> curves = {curve, curve, curve};
  Bytes out = saved(cmsCreateRGBProfile(&white, wide ? &adobe : &narrow, curves.data()));
  cmsFreeToneCurve(curve);
  return out;
}

Bytes gamma_profile(double gamma, bool wide = false) {
  return rgb_profile(cmsBuildGamma(nullptr, gamma), wide);
}

Bytes srgb_profile() {
  return saved(cmsCreate_sRGBProfile());
}

// sRGB's curve as a table of 16-bit numbers, as the oldest profiles hold it.
Bytes srgb_table_profile() {
  std::vector<cmsUInt16Number> table(1024);
  for (std::size_t i = 0; i < table.size(); ++i) {
    table[i] = static_cast<cmsUInt16Number>(
        std::lround(decode(Coding::srgb(), static_cast<double>(i) / 1023.0) * 65535.0));
  }
  return rgb_profile(cmsBuildTabulatedToneCurve16(nullptr, 1024, table.data()));
}

// An S that no formula of ours describes.
Bytes odd_profile() {
  std::array<cmsUInt16Number, 5> table = {0, 2000, 32768, 63000, 65535};
  return rgb_profile(cmsBuildTabulatedToneCurve16(nullptr, table.size(), table.data()));
}

void set_profile(OIIO::ImageSpec& spec, const Bytes& profile) {
  spec.attribute("ICCProfile",
                 OIIO::TypeDesc(OIIO::TypeDesc::UINT8, static_cast<int>(profile.size())),
                 profile.data());
}

std::unique_ptr<InputPicture> open_picture_with(const std::filesystem::path& path,
                                                const Bytes& profile) {
  OIIO::ImageSpec s(40, 30, 3, OIIO::TypeDesc::UINT8);
  set_profile(s, profile);
  make_file(path, {s});
  return open_picture(path);
}

Coding coding_with(const Bytes& profile, SampleType type = u8) {
  const Folder folder;
  OIIO::ImageSpec s(8, 8, 3, oiio_type(type));
  set_profile(s, profile);
  make_file(folder / "a.tif", {s});
  return open_picture(folder / "a.tif")->format().coding;
}

}  // namespace

class TestIoProfiles : public QObject {
  Q_OBJECT

 private slots:
  void profiles_survive_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    for (const char* from : {"tif", "jpg", "png", "webp"}) {
      for (const char* to : {"tif", "jpg", "png", "webp"}) {
        QTest::addRow("%s to %s", from, to) << from << to;
      }
    }
  }

  void profiles_survive() {
    QFETCH(QString, from);
    QFETCH(QString, to);
    const Folder folder;
    const Bytes profile = gamma_profile(2.2, true);
    const auto a = folder / ("a." + from.toStdString()), b = folder / ("b." + to.toStdString());
    OIIO::ImageSpec s(40, 30, 3, OIIO::TypeDesc::UINT8);
    set_profile(s, profile);
    if (from == "webp") {  // OpenImageIO writes no profile into these, but we do
      make_file(folder / "t.tif", {s});
      pass_through(folder / "t.tif", a);
    } else {
      make_file(a, {s});
    }
    QVERIFY(pass_through(a, b).empty());
    auto in = open_picture(b);
    QVERIFY(in->info().icc_profile == profile);
    QVERIFY(std::abs(in->format().coding.gamma - 2.2f) < 0.01f);
    auto out = create_picture(folder / ("c." + to.toStdString()), {}, *in);
    QVERIFY(out->format().coding == in->format().coding);
  }

  // Left out with a warning, whatever is written: libpng would refuse the whole file.
  void damaged_profiles_data() {
    QTest::addColumn<int>("at");
    QTest::addColumn<int>("value");
    QTest::newRow("too long") << 2 << 0x7f;
    QTest::newRow("no profile") << 36 << 0;
    QTest::newRow("of a device link") << 12 << int{'l'};
    QTest::newRow("too many tags") << 129 << 0x7f;
    QTest::newRow("a tag beyond its end") << 132 + 4 << 0x7f;
    QTest::newRow("a tag that is too long") << 132 + 12 + 8 << 0xff;
    QTest::newRow("a tag within its head") << 132 + 7 << 4;
  }

  void damaged_profiles() {
    QFETCH(const int, at);
    QFETCH(const int, value);
    const Folder folder;
    Bytes profile = gamma_profile(2.2, true);
    QVERIFY(open_picture_with(folder / "whole.tif", profile)->info().warnings.empty());
    profile.at(static_cast<std::size_t>(at)) = static_cast<unsigned char>(value);
    if (at == 132 + 7) profile.at(132 + 6) = 0;
    const auto in = open_picture_with(folder / "a.tif", profile);
    QVERIFY(in->info().icc_profile.empty());
    QCOMPARE(in->info().warnings.size(), std::size_t{1});
    const std::string said = in_english(in->info().warnings[0]);
    QVERIFY2(said.find("profile is damaged") != std::string::npos, said.c_str());
    for (const char* to : {"b.png", "b.jpg", "b.tif", "b.webp"}) {
      pass_through(folder / "a.tif", folder / to);
      QVERIFY2(open_picture(folder / to)->info().icc_profile.empty(), to);
    }
  }

  void curves_of_profiles() {
    QVERIFY(coding_with(srgb_profile()) == Coding::srgb());
    QVERIFY(coding_with(srgb_table_profile()) == Coding::srgb());
    QVERIFY(coding_with(gamma_profile(1.0)) == Coding::linear());
    QVERIFY(coding_with(gamma_profile(1.0), f32) == Coding::linear());
    QVERIFY(coding_with(srgb_profile(), f32) == Coding::srgb());
    const Coding power = coding_with(gamma_profile(1.8));
    QCOMPARE(power.curve, Coding::Curve::gamma);
    QVERIFY(std::abs(power.gamma - 1.8f) < 0.01f);
    QVERIFY(coding_with({1, 2, 3, 4}) == Coding::srgb());  // rubbish for a profile
    QVERIFY(coding_with({}) == Coding::srgb());
  }

  void an_unknown_curve_is_said_and_kept() {
    const Folder folder;
    const Bytes profile = odd_profile();
    OIIO::ImageSpec s(8, 8, 3, OIIO::TypeDesc::UINT16);
    set_profile(s, profile);
    make_file(folder / "a.tif", {s});
    auto in = open_picture(folder / "a.tif");
    QVERIFY(in->format().coding == Coding::srgb());
    QCOMPARE(in->info().warnings.size(), 1u);
    in.reset();
    pass_through(folder / "a.tif", folder / "b.tif");
    QVERIFY(open_picture(folder / "b.tif")->info().icc_profile == profile);
  }

  void profiles_of_other_colours_are_refused() {
    const Folder folder;
    const cmsHPROFILE lab = cmsCreateLab4Profile(nullptr);
    cmsSetDeviceClass(lab, cmsSigOutputClass);  // of a kind that files embed
    OIIO::ImageSpec s(8, 8, 3, OIIO::TypeDesc::UINT8);
    set_profile(s, saved(lab));
    make_file(folder / "a.tif", {s});
    const std::string message = refusal([&] { open_picture(folder / "a.tif"); });
    QVERIFY2(message.find("a.tif") != std::string::npos, message.c_str());
    QVERIFY2(message.find("Lab colours; convert it to RGB") != std::string::npos, message.c_str());
  }

  // Colours in a gray picture's file: its profile and its one name do not fit.
  void gray_files_get_colours() {
    const Folder folder;
    OIIO::ImageSpec s(8, 8, 1, OIIO::TypeDesc::UINT8);
    const std::unique_ptr<cmsToneCurve, decltype(&cmsFreeToneCurve)> curve(
        cmsBuildGamma(nullptr, 2.2), &cmsFreeToneCurve);
    const Bytes profile = saved(cmsCreateGrayProfile(cmsD50_xyY(), curve.get()));
    set_profile(s, profile);
    make_file(folder / "a.tif", {s});
    auto in = open_picture(folder / "a.tif");
    QVERIFY(!in->info().icc_profile.empty());
    const auto kept = create_picture(folder / "b.tif", {}, *in);
    QCOMPARE(kept->format().channels, 1);
    for (const char* name : {"c.tif", "d.webp"}) {
      const bool webp = std::string(name) == "d.webp";  // has colours only
      auto out = create_picture(folder / name, {.in_color = !webp}, *in);
      QCOMPARE(out->format().channels, 3);
      QVERIFY(out->format().coding == Coding::srgb());
      QVERIFY(out->warnings().empty());
      Image image(out->format());
      out->write(image.view());
      out->commit();
      QVERIFY(open_picture(folder / name)->info().icc_profile.empty());
    }
    make_file(folder / "e.png", {OIIO::ImageSpec(8, 8, 2, OIIO::TypeDesc::UINT16)});
    const PictureFormat both =
        create_picture(folder / "f.png", {.in_color = true}, *open_picture(folder / "e.png"))
            ->format();
    QCOMPARE(both.channels, 4);
    QVERIFY(both.has_alpha() && both.type == u16);
    OIIO::ImageSpec render(8, 8, 2, OIIO::TypeDesc::HALF);
    render.channelnames = {"Y", "Z"};
    make_file(folder / "g.exr", {render});
    in = open_picture(folder / "g.exr");
    auto out = create_picture(folder / "h.exr", {.in_color = true}, *in);
    QCOMPARE(out->warnings().size(), 1u);  // Z
    Image image(out->format());
    out->write(image.view());
    out->commit();
    QVERIFY(spec_of(folder / "h.exr").channelnames == std::vector<std::string>({"R", "G", "B"}));
  }

  // A float file is linear: the profile keeps its primaries and gets a straight curve.
  void profiles_follow_the_curve() {
    const Folder folder;
    OIIO::ImageSpec s(8, 8, 3, OIIO::TypeDesc::UINT8);
    set_profile(s, gamma_profile(2.2, true));
    make_file(folder / "a.tif", {s});
    auto in = open_picture(folder / "a.tif");
    auto out = create_picture(folder / "b.tif", {.bits = f32}, *in);
    QVERIFY(out->format().coding == Coding::linear());
    QVERIFY(out->warnings().empty());
    Image image(out->format());
    out->write(image.view());
    out->commit();
    auto back = open_picture(folder / "b.tif");
    QVERIFY(back->format().coding == Coding::linear());
    QVERIFY(!back->info().icc_profile.empty());
    QVERIFY(back->info().icc_profile != in->info().icc_profile);
    auto again = create_picture(folder / "c.tif", {.bits = u16}, *back);
    QVERIFY(again->format().coding == Coding::srgb());
    // OpenEXR holds no profile, but primaries; sRGB's are its own.
    pass_through(folder / "a.tif", folder / "d.exr");
    const OIIO::ParamValue* primaries = spec_of(folder / "d.exr").find_attribute("chromaticities");
    QVERIFY(primaries != nullptr);
    OIIO::ImageSpec plain(8, 8, 3, OIIO::TypeDesc::UINT8);
    set_profile(plain, srgb_profile());
    make_file(folder / "e.tif", {plain});
    QVERIFY(
        create_picture(folder / "f.exr", {}, *open_picture(folder / "e.tif"))->warnings().empty());
  }

  void png_gamma() {
    const Folder folder;
    OIIO::ImageSpec s(8, 8, 3, OIIO::TypeDesc::UINT8);
    s.attribute("oiio:ColorSpace", "Linear");
    make_file(folder / "a.png", {s});
    QVERIFY(open_picture(folder / "a.png")->format().coding == Coding::linear());
    pass_through(folder / "a.png", folder / "b.png");
    QVERIFY(open_picture(folder / "b.png")->format().coding == Coding::linear());
    // TIFF has nothing to say it with: the engine is asked for sRGB numbers.
    auto in = open_picture(folder / "a.png");
    QVERIFY(create_picture(folder / "c.tif", {}, *in)->format().coding == Coding::srgb());
    s.attribute("oiio:ColorSpace", "Gamma1.8");
    s.attribute("oiio:Gamma", 1.8f);
    make_file(folder / "d.png", {s});
    pass_through(folder / "d.png", folder / "e.png");
    const Coding coding = open_picture(folder / "e.png")->format().coding;
    QCOMPARE(coding.curve, Coding::Curve::gamma);
    QVERIFY(std::abs(coding.gamma - 1.8f) < 0.01f);
  }

  // Gray with a profile for colours keeps it, in PNG as colours.
  void gray_with_a_profile_for_colours() {
    const Folder folder;
    OIIO::ImageSpec s(8, 8, 1, OIIO::TypeDesc::UINT8);
    const Bytes profile = gamma_profile(2.2, true);
    s.attribute("ICCProfile",
                OIIO::TypeDesc(OIIO::TypeDesc::UINT8, static_cast<int>(profile.size())),
                profile.data());
    make_file(folder / "gray.jpg", {s});
    QVERIFY(open_picture(folder / "gray.jpg")->info().icc_profile == profile);
    for (const auto& [name, channels] : {std::pair{"a.png", 3}, {"a.tif", 1}, {"a.jpg", 1}}) {
      QVERIFY(copy_picture(folder / "gray.jpg", folder / name).writing.empty());
      const auto copy = open_picture(folder / name);
      QCOMPARE(copy->format().channels, channels);
      QVERIFY(copy->info().icc_profile == profile);
      QVERIFY(copy->info().warnings.empty());
    }
  }

  // libpng drops profiles that are damaged, or for other pictures.
  void profiles_that_png_drops() {
    const Folder folder;
    make_file(folder / "plain.png", {OIIO::ImageSpec(8, 8, 3, OIIO::TypeDesc::UINT8)});
    const std::string plain = without_chunks(content(folder / "plain.png"), "sRGB gAMA cHRM");
    const Bytes profile = gamma_profile(2.2, true);
    std::string whole(profile.begin(), profile.end()), cut = whole.substr(0, 200), cmyk = whole;
    cmyk.replace(16, 4, "CMYK");
    for (const std::string& bytes : {whole, cut, cmyk, std::string("no profile")}) {
      const QByteArray packed = qCompress(QByteArray::fromStdString(bytes)).mid(4);
      put(folder / "a.png",
          with_chunks(plain, chunk("iCCP", std::string("p\0\0", 3) + packed.toStdString())));
      const auto picture = open_picture(folder / "a.png");
      const auto& said = picture->info().warnings;
      QCOMPARE(said.size(), bytes == whole ? 0u : 1u);
      if (!said.empty()) QCOMPARE(said[0].id, "profile.refused");
    }
  }
};

QTEST_GUILESS_MAIN(TestIoProfiles)
#include "test_io_profiles.moc"
