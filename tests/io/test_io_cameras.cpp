// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What cameras and telephones write: raw files as DNG, HEIF and AVIF. They are read, not written.
#include <lcms2.h>

#include <QProcess>
#include <QStandardPaths>
#include <QTest>
#include <array>

#include "io/camera_files.hpp"
#include "io/programs.hpp"
#include "support/files.hpp"
#include "support/skips.hpp"

using namespace sfumato;
using namespace sfumato::testing;
using enum SampleType;

namespace {

Image read_image(InputPicture& in) {
  Image image(in.format());
  image.bytes = read_all(in).bytes;
  return image;
}

bool near(Image& image, int x, int y, std::array<double, 3> light) {
  for (int c = 0; c < 3; ++c) {
    const auto expected = encode(Coding::srgb(), light[static_cast<std::size_t>(c)]);
    if (std::abs(static_cast<double>(image.get(x, y, c)) - expected) > 0.004) return false;
  }
  return true;
}

constexpr std::array<double, 3> red = {red_light, other_light, other_light};
constexpr std::array<double, 3> gray = {gray_light, gray_light, gray_light};

}  // namespace

class TestIoCameras : public QObject {
  Q_OBJECT

 private:
  QString encoder_ = QStandardPaths::findExecutable("heif-enc");

  void encode_heif(const std::filesystem::path& from, const std::filesystem::path& to,
                   QStringList options = {}) {
    QProcess process;
    options << QString::fromStdString(from.string()) << "-o" << QString::fromStdString(to.string());
    process.start(encoder_, options);
    QVERIFY(process.waitForFinished());
    QVERIFY2(std::filesystem::exists(to), process.readAllStandardError().constData());
  }

 private slots:
  // The sensor's light comes as sRGB numbers of 16 bits, demosaicked.
  void raw_colours_and_depth() {
    const Folder folder;
    put(folder / "a.dng", dng(1));
    auto in = open_picture(folder / "a.dng");
    QCOMPARE(in->info().file_format, std::string("raw"));
    QCOMPARE(in->format().width, raw_width);
    QCOMPARE(in->format().height, raw_height);
    QCOMPARE(in->format().channels, 3);
    QCOMPARE(in->format().type, u16);
    QVERIFY(in->format().coding == Coding::srgb());
    QVERIFY(in->info().warnings.empty());
    Image image = read_image(*in);
    QVERIFY(near(image, 10, 10, red));
    QVERIFY(near(image, 50, 10, gray));
    QVERIFY(near(image, 10, 40, gray));
    in.reset();
    QVERIFY(pass_through(folder / "a.dng", folder / "b.tif").empty());
    QCOMPARE(std::string(spec_of(folder / "b.tif").get_string_attribute("Model")),
             std::string("Obscura 2"));
  }

  // LibRaw turns the picture itself; no orientation may be left to turn it again.
  void raw_orientation() {
    const Folder folder;
    put(folder / "a.dng", dng(6));
    auto in = open_picture(folder / "a.dng");
    QCOMPARE(in->format().width, raw_height);
    QCOMPARE(in->format().height, raw_width);
    QCOMPARE(in->info().orientation, 1);
    Image image = read_image(*in);
    QVERIFY(near(image, 38, 10, red));
    QVERIFY(near(image, 10, 10, gray));
    QVERIFY(near(image, 38, 54, gray));
    in.reset();
    pass_through(folder / "a.dng", folder / "b.png");
    QCOMPARE(open_picture(folder / "b.png")->info().orientation, 1);
  }

  // Camera makers' files are read by their EXIF, not by what LibRaw passes on of it. exiftool
  // writes and reads it.
  void words_of_dng() {
    const Folder folder;
    put(folder / "a.dng", dng(6));
    output_of("exiftool",
              {"-q", "-overwrite_original", "-n", "-EXIF:Copyright=Ada", "-EXIF:UserComment=mist",
               "-EXIF:SubjectArea=10 20", "-EXIF:ColorSpace=2", "-EXIF:InteropIndex=R03",
               "-GPS:GPSDateStamp=2020:01:02", "-XMP-dc:Title=Leuchtturm",
               "-XMP-photoshop:City=Oslo", text_of(folder / "a.dng")});
    for (const char* name : {"b.jpg", "b.tif", "b.png", "b.webp", "b.jp2"}) {
      pass_through(folder / "a.dng", folder / name);
      const QJsonObject t = exif_tags(folder / name);
      QCOMPARE(t["IFD0:Copyright"].toString(), QString("Ada"));
      QCOMPARE(t["ExifIFD:UserComment"].toString(), QString("mist"));
      QCOMPARE(t["GPS:GPSDateStamp"].toString(), QString("2020:01:02"));
      QCOMPARE(t["XMP-dc:Title"].toString(), QString("Leuchtturm"));
      // The picture is upright, and on sRGB.
      QCOMPARE(t["ExifIFD:SubjectArea"].toString(), QString("28 10"));
      QVERIFY(t["ExifIFD:ColorSpace"].toInt(1) == 1 && !t.contains("InteropIFD:InteropIndex"));
      // What the file does not say.
      for (const char* tag : {"ExposureTime", "FNumber", "FocalLength", "Flash", "ISO"}) {
        QVERIFY2(!t.contains("ExifIFD:" + QString(tag)), tag);
      }
      QVERIFY(!t["IFD0:ModifyDate"].toString().startsWith("1970"));
    }
    pass_through(folder / "a.dng", folder / "b.exr");
    const OIIO::ImageSpec s = spec_of(folder / "b.exr");
    for (const char* name : {"Exif:ShutterSpeedValue", "Exif:ApertureValue", "Exif:FocalLength"}) {
      QVERIFY2(s.find_attribute(name) == nullptr, name);
    }
    QCOMPARE(std::string(s.get_string_attribute("Copyright")), std::string("Ada"));
  }

  // Fujifilm's have theirs in the picture beside the sensor's values.
  void words_of_raf() {
    const Folder folder;
    make_file(folder / "in.jpg", {OIIO::ImageSpec(32, 24, 3, OIIO::TypeDesc::UINT8)});
    output_of(
        "exiftool",
        {"-q", "-overwrite_original", "-JFIF:all=", "-EXIF:Make=FUJIFILM", "-EXIF:Model=Obscura 2",
         "-EXIF:Copyright=Ada", "-EXIF:ModifyDate=2020:01:02 03:04:05", "-XMP-dc:Title=Leuchtturm",
         "-EXIF:Orientation#=3", "-EXIF:SubjectLocation=10 20", text_of(folder / "in.jpg")});
    put(folder / "a.raf", raf(content(folder / "in.jpg")));
    pass_through(folder / "a.raf", folder / "b.jpg");
    const QJsonObject t = exif_tags(folder / "b.jpg");
    QCOMPARE(t["IFD0:Copyright"].toString(), QString("Ada"));
    QCOMPARE(t["IFD0:ModifyDate"].toString(), QString("2020:01:02 03:04:05"));
    QCOMPARE(t["XMP-dc:Title"].toString(), QString("Leuchtturm"));
    // LibRaw turns the picture.
    QVERIFY(t["IFD0:Orientation"].toInt(1) == 1);
    QCOMPARE(t["ExifIFD:SubjectLocation"].toString(), QString("%1 %2")
                                                          .arg(t["File:ImageWidth"].toInt() - 10)
                                                          .arg(t["File:ImageHeight"].toInt() - 20));
  }

  // DNG and TIFF begin alike: the content decides, not the name.
  void raw_under_another_name() {
    const Folder folder;
    put(folder / "a.tif", dng(1));
    QCOMPARE(open_picture(folder / "a.tif")->info().file_format, std::string("raw"));
    make_file(folder / "b.tif", {OIIO::ImageSpec(20, 10, 3, OIIO::TypeDesc::UINT8)});
    std::filesystem::rename(folder / "b.tif", folder / "b.dng");
    QCOMPARE(open_picture(folder / "b.dng")->info().file_format, std::string("tiff"));
  }

  void damaged_raw() {
    const Folder folder;
    const std::string whole = dng(1);
    for (const double part : {0.9, 0.5}) {
      put(folder / "a.dng",
          whole.substr(0, static_cast<std::size_t>(part * static_cast<double>(whole.size()))));
      const std::string message = refusal([&] { read_all(*open_picture(folder / "a.dng")); });
      QVERIFY2(message.find("a.dng") != std::string::npos, message.c_str());
      QVERIFY2(message.find("; make it again") != std::string::npos, message.c_str());
    }
  }

  void not_written() {
    const Folder folder;
    const PictureFormat f{20, 10, 3, u16, AlphaKind::none, Coding::srgb()};
    for (const char* name : {"a.dng", "a.nef", "a.gif", "a.psd"}) {
      const std::string message = refusal([&] { create_picture(folder / name, {}, f); });
      for (const char* word : {name, "cannot be written; use", ".png", ".tif", ".exr", ".webp"}) {
        QVERIFY2(message.find(word) != std::string::npos, message.c_str());
      }
    }
    QVERIFY(folder.names().empty());
  }

  void heif_pixels_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("channels");
    QTest::addColumn<int>("bits");
    for (const QString name : {"a.heic", "a.avif"}) {
      for (const int channels : {3, 4}) {
        for (const int bits : {8, name == "a.heic" ? 10 : 12}) {
          QTest::addRow("%s %d channels %d bits", qPrintable(name), channels, bits)
              << name << channels << bits;
        }
      }
    }
  }

  void heif_pixels() {
    if (encoder_.isEmpty()) SKIP_WITHOUT("heif-enc");
    QFETCH(QString, name);
    QFETCH(int, channels);
    QFETCH(int, bits);
    const Folder folder;
    const PictureFormat f{64,
                          48,
                          channels,
                          bits == 8 ? u8 : u16,
                          channels == 4 ? AlphaKind::straight : AlphaKind::none,
                          Coding::srgb()};
    Image image(f);
    for (int y = 0; y < f.height; ++y) {
      for (int x = 0; x < f.width; ++x) {
        image.set(x, y, 0, 0.3f + static_cast<float>(x) / 160);
        image.set(x, y, 1, 0.2f + static_cast<float>(y) / 80);
        image.set(x, y, 2, 0.6f);
        if (channels == 4) image.set(x, y, 3, 0.5f);
      }
    }
    through(folder / "a.png", image);
    const auto file = folder / name.toStdString();
    encode_heif(folder / "a.png", file, {"-q", "95", "-b", QString::number(bits)});
    auto in = open_picture(file);
    QCOMPARE(in->info().file_format, std::string("heif"));
    QCOMPARE(in->format().width, 64);
    QCOMPARE(in->format().channels, channels);
    QCOMPARE(in->format().type, f.type);
    QCOMPARE(in->format().alpha, f.alpha);
    QVERIFY(in->format().coding == Coding::srgb());
    QVERIFY(in->info().warnings.empty());
    Image copy = read_image(*in);
    QVERIFY2(largest_difference(image, copy) < 0.03,
             qPrintable(QString::number(largest_difference(image, copy))));
    if (bits > 8) {  // more than eight bits arrive: levels between those of eight
      int between = 0;
      for (int x = 0; x < 64; ++x) {
        const float code = copy.get(x, 20, 0) * 255;
        between += std::abs(code - std::round(code)) > 0.1f ? 1 : 0;
      }
      QVERIFY(between > 20);
    }
  }

  void heif_metadata() {
    if (encoder_.isEmpty()) SKIP_WITHOUT("heif-enc");
    const Folder folder;
    const cmsHPROFILE profile = cmsCreate_sRGBProfile();
    cmsUInt32Number size = 0;
    cmsSaveProfileToMem(profile, nullptr, &size);
    std::vector<unsigned char> icc(size);
    cmsSaveProfileToMem(profile, icc.data(), &size);
    cmsCloseProfile(profile);
    OIIO::ImageSpec s(64, 48, 3, OIIO::TypeDesc::UINT8);
    s.attribute("Make", "Telephone Works");
    s.attribute("Orientation", 6);
    s.attribute("ICCProfile", OIIO::TypeDesc(OIIO::TypeDesc::UINT8, static_cast<int>(size)),
                icc.data());
    make_file(folder / "a.jpg", {s});
    encode_heif(folder / "a.jpg", folder / "a.heic");
    QVERIFY(open_picture(folder / "a.heic")->info().icc_profile == icc);
    // The format's own turning is done by libheif, and EXIF's word on it does not count.
    QCOMPARE(open_picture(folder / "a.heic")->info().orientation, 1);
    QVERIFY(pass_through(folder / "a.heic", folder / "b.tif").empty());
    QCOMPARE(std::string(spec_of(folder / "b.tif").get_string_attribute("Make")),
             std::string("Telephone Works"));
    QVERIFY(open_picture(folder / "b.tif")->info().icc_profile == icc);
  }

  // Colours said by numbers (H.273) instead of a profile become one.
  void heif_colours_by_number() {
    if (encoder_.isEmpty()) SKIP_WITHOUT("heif-enc");
    const Folder folder;
    make_file(folder / "a.png", {OIIO::ImageSpec(64, 48, 3, OIIO::TypeDesc::UINT8)});
    encode_heif(folder / "a.png", folder / "a.avif");
    const std::string plain = content(folder / "a.avif");
    const std::size_t box = plain.find("colrnclx");
    QVERIFY(box != std::string::npos);
    const auto with_numbers = [&](const char* name, char primaries, char transfer) {
      std::string bytes = plain;
      bytes[box + 9] = primaries;
      bytes[box + 11] = transfer;
      put(folder / name, bytes);
    };
    with_numbers("p3.avif", 12, 13);
    auto in = open_picture(folder / "p3.avif");
    QVERIFY(!in->info().icc_profile.empty());
    QVERIFY(in->format().coding == Coding::srgb());
    QVERIFY(in->info().warnings.empty());
    const cmsHPROFILE profile = cmsOpenProfileFromMem(
        in->info().icc_profile.data(), static_cast<cmsUInt32Number>(in->info().icc_profile.size()));
    const auto* r = static_cast<const cmsCIEXYZ*>(cmsReadTag(profile, cmsSigRedColorantTag));
    QVERIFY(r != nullptr && std::abs(r->X - 0.5151) < 0.002);  // Display P3's red at D50
    cmsCloseProfile(profile);
    with_numbers("linear.avif", 1, 8);
    QVERIFY(open_picture(folder / "linear.avif")->format().coding == Coding::linear());
    with_numbers("hdr.avif", 9, 16);
    in = open_picture(folder / "hdr.avif");
    QVERIFY(in->info().warnings.empty());
    QVERIFY(in->format().coding == Coding::linear());
    QCOMPARE(in->format().type, f32);
    // The code 255 is 10,000 cd/m2, of which 203 are white.
    const HeldPicture held = read_all(*in);
    const auto* light = reinterpret_cast<const float*>(held.bytes.data());
    const std::size_t samples = held.bytes.size() / sizeof(float);
    QVERIFY(std::all_of(light, light + samples,
                        [](float v) { return v >= 0 && v <= 10000.0f / 203 * 1.0001f; }));
    QVERIFY(std::any_of(light, light + samples, [](float v) { return v > 10; }));
  }

  void several_pictures_in_a_heif_file() {
    if (encoder_.isEmpty()) SKIP_WITHOUT("heif-enc");
    const Folder folder;
    make_file(folder / "a.png", {OIIO::ImageSpec(64, 48, 3, OIIO::TypeDesc::UINT8)});
    encode_heif(folder / "a.png", folder / "two.heic",
                {QString::fromStdString((folder / "a.png").string())});
    const auto in = open_picture(folder / "two.heic");
    QCOMPARE(in->info().warnings.size(), 1u);
    QVERIFY2(in_english(in->info().warnings[0]).find("2 pictures") != std::string::npos,
             in_english(in->info().warnings[0]).c_str());
  }

  void damaged_heif() {
    const Folder folder;
    for (const char* brand : {"heic", "heif", "avif", "mif1"}) {
      put(folder / "a.heic",
          std::string("\0\0\0\x18", 4) + "ftyp" + brand + std::string("\0\0\0\0mif1miaf", 12));
      const std::string message = refusal([&] { open_picture(folder / "a.heic"); });
      for (const char* word : {"a.heic", "damaged", "; make it again"}) {
        QVERIFY2(message.find(word) != std::string::npos, message.c_str());
      }
    }
    if (encoder_.isEmpty()) SKIP_WITHOUT("heif-enc");
    make_file(folder / "b.png", {OIIO::ImageSpec(64, 48, 3, OIIO::TypeDesc::UINT8)});
    encode_heif(folder / "b.png", folder / "b.heic");
    const std::string whole = content(folder / "b.heic");
    for (const double part : {0.9, 0.5, 0.1}) {
      put(folder / "b.heic",
          whole.substr(0, static_cast<std::size_t>(part * static_cast<double>(whole.size()))));
      const std::string message = refusal([&] { read_all(*open_picture(folder / "b.heic")); });
      QVERIFY2(message.find("; make it again") != std::string::npos, message.c_str());
    }
  }
};

QTEST_GUILESS_MAIN(TestIoCameras)
#include "test_io_cameras.moc"
