// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Every entry of EXIF goes from a JPEG file into other formats and back unchanged, or is named.
// exiftool writes and reads them.
#include <QTest>
#include <map>
#include <set>

#include "io/carried_files.hpp"
#include "io/programs.hpp"
#include "support/files.hpp"
#include "support/skips.hpp"

using namespace std::string_literals;
using namespace sfumato;
using namespace sfumato::testing;

namespace {

// By exiftool's names. 1/3 and 1/250 are no floats.
const QStringList entries = {"ProcessingSoftware=lab",
                             "DocumentName=document",
                             "ImageDescription=description",
                             "Make=maker",
                             "Model=model",
                             "PageName=page",
                             "XPosition=1.5",
                             "YPosition=2",
                             "PageNumber=0 2",
                             "Software=program",
                             "ModifyDate=2020:01:02 03:04:05",
                             "Artist=artist",
                             "HostComputer=computer",
                             "WhitePoint=0.3127 0.329",
                             "PrimaryChromaticities=0.64 0.33 0.3 0.6 0.15 0.06",
                             "TargetPrinter=printer",
                             "Rating=3",
                             "RatingPercent=50",
                             "Copyright=owner",
                             "XPTitle=title",
                             "XPComment=comment",
                             "XPAuthor=author",
                             "XPKeywords=words",
                             "XPSubject=subject",
                             "UniqueCameraModel=unique",
                             "LocalizedCameraModel=local",
                             "CameraSerialNumber=serial",
                             "CameraLabel=label",
                             "ReelName=reel",
                             "TStop=1.4 1.5",
                             "FrameRate=24",
                             "OriginalRawFileName=x.nef",
                             "ExposureTime=0.004",
                             "FNumber=2.8",
                             "ExposureProgram=2",
                             "SpectralSensitivity=spectrum",
                             "ISO=200",
                             "TimeZoneOffset=-1",
                             "SelfTimerMode=2",
                             "SensitivityType=1",
                             "StandardOutputSensitivity=201",
                             "RecommendedExposureIndex=202",
                             "ISOSpeed=203",
                             "ISOSpeedLatitudeyyy=204",
                             "ISOSpeedLatitudezzz=205",
                             "DateTimeOriginal=2020:01:02 03:04:06",
                             "CreateDate=2020:01:02 03:04:07",
                             "OffsetTime=+01:00",
                             "OffsetTimeOriginal=+02:00",
                             "OffsetTimeDigitized=+03:00",
                             "CompressedBitsPerPixel=3",
                             "ShutterSpeedValue=0.0041",
                             "ApertureValue=2.9",
                             "BrightnessValue=-1.25",
                             "ExposureCompensation=-0.333333333",
                             "MaxApertureValue=2.5",
                             "SubjectDistance=3.21",
                             "MeteringMode=5",
                             "LightSource=3",
                             "Flash=16",
                             "FocalLength=50.5",
                             "ImageNumber=77",
                             "SecurityClassification=T",
                             "ImageHistory=history",
                             "SubjectArea=10 20 30 40",
                             "UserComment=words",
                             "SubSecTime=11",
                             "SubSecTimeOriginal=12",
                             "SubSecTimeDigitized=13",
                             "AmbientTemperature=-3.5",
                             "Humidity=45.5",
                             "Pressure=1013.25",
                             "WaterDepth=-2.25",
                             "Acceleration=9.81",
                             "CameraElevationAngle=-12.5",
                             "RelatedSoundFile=DSC.WAV",
                             "FlashEnergy=1.5",
                             "FocalPlaneXResolution=1234.5",
                             "FocalPlaneYResolution=2345.25",
                             "FocalPlaneResolutionUnit=3",
                             "SubjectLocation=3 4",
                             "ExposureIndex=100.5",
                             "SensingMethod=2",
                             "FileSource=3",
                             "SceneType=1",
                             "CFAPattern=0 2 0 2 0 1 1 2",
                             "CustomRendered=1",
                             "ExposureMode=1",
                             "WhiteBalance=1",
                             "DigitalZoomRatio=1.75",
                             "FocalLengthIn35mmFormat=75",
                             "SceneCaptureType=2",
                             "GainControl=1",
                             "Contrast=1",
                             "Saturation=2",
                             "Sharpness=1",
                             "SubjectDistanceRange=2",
                             "ImageUniqueID=0123456789abcdef0123456789abcdef",
                             "OwnerName=owner",
                             "SerialNumber=serial",
                             "LensInfo=24 70 undef 2.8",
                             "LensMake=maker",
                             "LensModel=model",
                             "LensSerialNumber=serial",
                             "CompositeImage=2",
                             "CompositeImageCount=3 4",
                             "Gamma=2.2",
                             "Lens=lens",
                             "RawFile=raw",
                             "Converter=converter",
                             "Exposure=+1",
                             "MoireFilter=filter",
                             "OffsetSchema=-5",
                             "InteropIndex=R98",
                             "GPSLatitudeRef=S",
                             "GPSLatitude=48.123456",
                             "GPSLongitudeRef=W",
                             "GPSLongitude=16.7654321",
                             "GPSAltitudeRef=1",
                             "GPSAltitude=123.45",
                             "GPSTimeStamp=01:02:03.5",
                             "GPSSatellites=satellites",
                             "GPSStatus=A",
                             "GPSMeasureMode=3",
                             "GPSDOP=1.25",
                             "GPSSpeedRef=K",
                             "GPSSpeed=12.5",
                             "GPSTrackRef=T",
                             "GPSTrack=45.5",
                             "GPSImgDirectionRef=M",
                             "GPSImgDirection=90.25",
                             "GPSMapDatum=WGS-84",
                             "GPSDestLatitudeRef=N",
                             "GPSDestLatitude=47.5",
                             "GPSDestLongitudeRef=E",
                             "GPSDestLongitude=15.25",
                             "GPSDestBearingRef=T",
                             "GPSDestBearing=33.5",
                             "GPSDestDistanceRef=K",
                             "GPSDestDistance=7.5",
                             "GPSProcessingMethod=GPS",
                             "GPSAreaInformation=area",
                             "GPSDateStamp=2019:01:01",
                             "GPSDifferential=1",
                             "GPSHPositioningError=4.5"};

// What says how a file is stored, and which rules it follows.
const std::set<QString> of_storage = {
    "BitsPerSample",       "Compression",      "ExifVersion",     "FlashpixVersion",
    "GPSVersionID",        "ImageHeight",      "ImageWidth",      "PhotometricInterpretation",
    "PlanarConfiguration", "Predictor",        "ResolutionUnit",  "RowsPerStrip",
    "SampleFormat",        "SamplesPerPixel",  "StripByteCounts", "StripOffsets",
    "XResolution",         "YCbCrPositioning", "YResolution"};

bool are_equal(const QVariant& a, const QVariant& b) {
  const QStringList one = a.toString().split(' '), two = b.toString().split(' ');
  if (one == two) return true;
  for (qsizetype i = 0; i < one.size(); ++i) {
    bool number = false, other = false;
    const double x = one[i].toDouble(&number), y = two.value(i).toDouble(&other);
    if (!number || !other || std::abs(x - y) > 1e-6 * std::abs(x)) return false;
  }
  return one.size() == two.size();
}

bool is_of_exif(const QString& group) {
  return group == "IFD0" || group == "ExifIFD" || group == "GPS" || group == "InteropIFD";
}

}  // namespace

class TestIoExifTags : public QObject {
  Q_OBJECT

  Folder folder_;
  std::map<QString, QJsonObject> found_;  // in each file
  std::map<QString, std::string> said_;

  void copy(const std::string& from, const std::string& to) {
    std::string& all = said_[QString::fromStdString(to)] = said_[QString::fromStdString(from)];
    for (const std::string& one : pass_through(folder_ / from, folder_ / to)) {
      if (one.find("cannot hold it") != one.npos || one.find("place for them") != one.npos) {
        all += one + "\n";
      }
    }
  }

  // How sentences name an entry. Those of one format are named as a whole.
  static std::vector<std::string> names_of(const QString& name, const QString& file) {
    static const std::map<QString, std::string> standard = {{"ModifyDate", "DateTime"},
                                                            {"SEMInfo", "0x8546"}};
    std::vector<std::string> out = {" " + name.toStdString()};
    if (const auto other = standard.find(name); other != standard.end()) {
      out.push_back(" " + other->second);
    }
    if (file.startsWith("tif")) {
      out.push_back(name.startsWith("Page") || name.endsWith("Position") ? "page's place"
                                                                         : "private tags");
    }
    return out;
  }

 private slots:
  void initTestCase() {
    if (QStandardPaths::findExecutable("exiftool").isEmpty()) SKIP_WITHOUT("exiftool");
    make_file(folder_ / "a.jpg", {OIIO::ImageSpec(7, 5, 3, OIIO::TypeDesc::UINT8)});
    QStringList arguments = {"-q", "-n", "-m", "-overwrite_original"};
    for (const QString& one : entries) arguments << "-EXIF:" + one;
    // In the order that TIFF files of ours do not have.
    output_of("exiftool", arguments << "-ExifByteOrder=MM" << text_of(folder_ / "a.jpg"));
    QStringList files = {"a.jpg"};
    for (const char* format : {"png", "jpg", "tif", "webp", "exr", "heic", "jp2"}) {
      copy("a.jpg", "b."s + format);
      copy("b."s + format, format + "_back.jpg"s);
      files << QString("b.") + format << QString(format) + "_back.jpg";
    }
    copy("b.exr", "exr_again.exr");
    copy("exr_again.exr", "exr_twice.tif");
    files << "exr_twice.tif";
    QStringList paths;
    for (const QString& file : files) paths << text_of(folder_ / file.toStdString());
    const QJsonArray all =
        QJsonDocument::fromJson(output_of("exiftool", QStringList{"-j", "-a", "-G1", "-n"} + paths))
            .array();
    for (qsizetype i = 0; i < all.size(); ++i) found_[files[i]] = all[i].toObject();
  }

  void all_are_written() {
    std::set<QString> names;
    for (const QString& one : found_.at("a.jpg").keys()) names.insert(one.section(':', 1));
    for (const QString& one : entries) {
      QVERIFY2(names.count(one.section('=', 0, 0)) != 0, qPrintable(one));
    }
  }

  void unchanged_or_named_data() {
    QTest::addColumn<QString>("file");
    for (const auto& [file, tags] : found_) {
      // exiftool shows OpenEXR's own names.
      if (file != "a.jpg" && !file.endsWith(".exr")) QTest::newRow(qPrintable(file)) << file;
    }
  }
  void unchanged_or_named() {
    QFETCH(const QString, file);
    const QJsonObject before = found_.at("a.jpg"), after = found_.at(file);
    const std::string said = said_.at(file);
    for (const QString& key : before.keys()) {
      const QString name = key.section(':', 1);
      if (!is_of_exif(key.section(':', 0, 0)) || of_storage.count(name) != 0) continue;
      // OpenEXR's numbers follow no rules of cameras' files, and mean colours by themselves.
      const bool of_colors = key.startsWith("Interop") || name == "ColorSpace";
      if (file.startsWith("exr") && of_colors) continue;
      if (are_equal(before[key].toVariant(), after[key].toVariant())) continue;
      const auto is_said = [&](const std::string& one) { return said.find(one) != said.npos; };
      const auto names = names_of(name, file);
      const QByteArray about = (key + ": " + before[key].toVariant().toString() + ", " +
                                after[key].toVariant().toString() + "\n")
                                   .toUtf8() +
                               said.c_str();
      QVERIFY2(!after.contains(key) && std::any_of(names.begin(), names.end(), is_said), about);
    }
  }

  void nothing_is_said_of_what_is_there() {
    for (const char* file : {"b.png", "b.jpg", "b.webp", "b.heic", "b.jp2", "png_back.jpg"}) {
      QVERIFY2(said_.at(file).empty(), said_.at(file).c_str());
    }
  }

  // The photographer's and the editor's, which a 0 divides (EXIF 2.32, 4.6.4).
  void copyright_of_two() {
    std::string bytes = content(folder_ / "a.jpg");
    const std::string both = "photographer\0an editor\0"s;
    QCOMPARE(output_of("exiftool", {"-q", "-n", "-overwrite_original",
                                    "-all=", "-EXIF:Copyright=" + QString(both.size() - 1, 'x'),
                                    text_of(folder_ / "a.jpg")}),
             QByteArray());
    bytes = content(folder_ / "a.jpg");
    put(folder_ / "two.jpg", with(std::string(both.size() - 1, 'x') + '\0', both, bytes));
    for (const char* name : {"two.png", "two.tif", "two.webp"}) {
      QVERIFY(pass_through(folder_ / "two.jpg", folder_ / name).empty());
      QVERIFY(content(folder_ / name).find(both) != std::string::npos);
      QVERIFY(pass_through(folder_ / name, folder_ / (name + ".jpg"s)).empty());
      QVERIFY(content(folder_ / (name + ".jpg"s)).find(both) != std::string::npos);
    }
    for (const char* name : {"two.exr", "two.ppm", "two.tga"}) {
      pass_through(folder_ / "two.jpg", folder_ / name);
      QVERIFY2(content(folder_ / name).find("an editor") != std::string::npos, name);
    }
  }
};

QTEST_GUILESS_MAIN(TestIoExifTags)
#include "test_io_exif_tags.moc"
