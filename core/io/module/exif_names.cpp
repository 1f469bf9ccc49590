// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The names and types of EXIF's entries (JEITA CP-3451, 2.32, tables 3, 7 and 15), and of others
// that cameras and raw converters write.
#include "io/module/exif_names.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace sfumato::files {
namespace {

using enum EntryType;

constexpr std::array image_names = {
    EntryName{0x000b, none, "ProcessingSoftware"},
    EntryName{0x010d, none, "DocumentName"},
    EntryName{0x010e, none, "ImageDescription"},
    EntryName{0x010f, none, "Make"},
    EntryName{0x0110, none, "Model"},
    EntryName{0x011d, none, "PageName"},
    EntryName{0x011e, none, "XPosition"},
    EntryName{0x011f, none, "YPosition"},
    EntryName{0x0129, none, "PageNumber"},
    EntryName{0x012d, none, "TransferFunction"},
    EntryName{0x0131, none, "Software"},
    EntryName{0x0132, none, "DateTime"},
    EntryName{0x013b, none, "Artist"},
    EntryName{0x013c, none, "HostComputer"},
    EntryName{0x013e, none, "WhitePoint"},
    EntryName{0x013f, none, "PrimaryChromaticities"},
    EntryName{0x0151, none, "TargetPrinter"},
    EntryName{0x4746, none, "Rating"},
    EntryName{0x4749, none, "RatingPercent"},
    EntryName{0x8298, none, "Copyright"},
    EntryName{0x9c9b, none, "XPTitle"},
    EntryName{0x9c9c, none, "XPComment"},
    EntryName{0x9c9d, none, "XPAuthor"},
    EntryName{0x9c9e, none, "XPKeywords"},
    EntryName{0x9c9f, none, "XPSubject"},
    EntryName{0xc4a5, none, "PrintIM"},
    EntryName{0xc614, text, "UniqueCameraModel"},
    EntryName{0xc615, none, "LocalizedCameraModel"},
    EntryName{0xc62f, text, "CameraSerialNumber"},
    EntryName{0xc65d, none, "RawDataUniqueID"},
    EntryName{0xc68b, none, "OriginalRawFileName"},
    EntryName{0xc764, none, "FrameRate"},
    EntryName{0xc772, none, "TStop"},
    EntryName{0xc789, none, "ReelName"},
    EntryName{0xc7a1, none, "CameraLabel"},
};

constexpr std::array photo_names = {
    EntryName{0x829a, fraction, "ExposureTime"},
    EntryName{0x829d, fraction, "FNumber"},
    EntryName{0x8822, number16, "Exif:ExposureProgram"},
    EntryName{0x8824, text, "Exif:SpectralSensitivity"},
    EntryName{0x8827, number16, "Exif:PhotographicSensitivity"},
    EntryName{0x8828, none, "Exif:OECF"},
    EntryName{0x882a, signed16, "Exif:TimeZoneOffset"},
    EntryName{0x882b, number16, "Exif:SelfTimerMode"},
    EntryName{0x8830, number16, "Exif:SensitivityType"},
    EntryName{0x8831, number32, "Exif:StandardOutputSensitivity"},
    EntryName{0x8832, number32, "Exif:RecommendedExposureIndex"},
    EntryName{0x8833, number32, "Exif:ISOSpeed"},
    EntryName{0x8834, number32, "Exif:ISOSpeedLatitudeyyy"},
    EntryName{0x8835, number32, "Exif:ISOSpeedLatitudezzz"},
    EntryName{0x9003, text, "Exif:DateTimeOriginal"},
    EntryName{0x9004, text, "Exif:DateTimeDigitized"},
    EntryName{0x9010, text, "Exif:OffsetTime"},
    EntryName{0x9011, text, "Exif:OffsetTimeOriginal"},
    EntryName{0x9012, text, "Exif:OffsetTimeDigitized"},
    EntryName{0x9102, fraction, "Exif:CompressedBitsPerPixel"},
    EntryName{0x9201, signed_fraction, "Exif:ShutterSpeedValue"},
    EntryName{0x9202, fraction, "Exif:ApertureValue"},
    EntryName{0x9203, signed_fraction, "Exif:BrightnessValue"},
    EntryName{0x9204, signed_fraction, "Exif:ExposureBiasValue"},
    EntryName{0x9205, fraction, "Exif:MaxApertureValue"},
    EntryName{0x9206, fraction, "Exif:SubjectDistance"},
    EntryName{0x9207, number16, "Exif:MeteringMode"},
    EntryName{0x9208, number16, "Exif:LightSource"},
    EntryName{0x9209, number16, "Exif:Flash"},
    EntryName{0x920a, fraction, "Exif:FocalLength"},
    EntryName{0x9211, number32, "Exif:ImageNumber"},
    EntryName{0x9212, text, "Exif:SecurityClassification"},
    EntryName{0x9213, text, "Exif:ImageHistory"},
    EntryName{0x9214, number16, "Exif:SubjectArea"},
    EntryName{0x927c, none, "Exif:MakerNote"},
    EntryName{0x9290, text, "Exif:SubsecTime"},
    EntryName{0x9291, text, "Exif:SubsecTimeOriginal"},
    EntryName{0x9292, text, "Exif:SubsecTimeDigitized"},
    EntryName{0x9400, signed_fraction, "Exif:Temperature"},
    EntryName{0x9401, fraction, "Exif:Humidity"},
    EntryName{0x9402, fraction, "Exif:Pressure"},
    EntryName{0x9403, signed_fraction, "Exif:WaterDepth"},
    EntryName{0x9404, fraction, "Exif:Acceleration"},
    EntryName{0x9405, signed_fraction, "Exif:CameraElevationAngle"},
    EntryName{0xa004, text, "Exif:RelatedSoundFile"},
    EntryName{0xa20b, fraction, "Exif:FlashEnergy"},
    EntryName{0xa20c, none, "Exif:SpatialFrequencyResponse"},
    EntryName{0xa20e, fraction, "Exif:FocalPlaneXResolution"},
    EntryName{0xa20f, fraction, "Exif:FocalPlaneYResolution"},
    EntryName{0xa210, number16, "Exif:FocalPlaneResolutionUnit"},
    EntryName{0xa214, number16, "Exif:SubjectLocation"},
    EntryName{0xa215, fraction, "Exif:ExposureIndex"},
    EntryName{0xa217, number16, "Exif:SensingMethod"},
    EntryName{0xa300, one_byte, "Exif:FileSource"},
    EntryName{0xa301, one_byte, "Exif:SceneType"},
    EntryName{0xa302, none, "Exif:CFAPattern"},
    EntryName{0xa401, number16, "Exif:CustomRendered"},
    EntryName{0xa402, number16, "Exif:ExposureMode"},
    EntryName{0xa403, number16, "Exif:WhiteBalance"},
    EntryName{0xa404, fraction, "Exif:DigitalZoomRatio"},
    EntryName{0xa405, number16, "Exif:FocalLengthIn35mmFilm"},
    EntryName{0xa406, number16, "Exif:SceneCaptureType"},
    EntryName{0xa407, number16, "Exif:GainControl"},
    EntryName{0xa408, number16, "Exif:Contrast"},
    EntryName{0xa409, number16, "Exif:Saturation"},
    EntryName{0xa40a, number16, "Exif:Sharpness"},
    EntryName{0xa40b, none, "Exif:DeviceSettingDescription"},
    EntryName{0xa40c, number16, "Exif:SubjectDistanceRange"},
    EntryName{0xa420, text, "Exif:ImageUniqueID"},
    EntryName{0xa430, text, "Exif:CameraOwnerName"},
    EntryName{0xa431, text, "Exif:BodySerialNumber"},
    EntryName{0xa432, fraction, "Exif:LensSpecification"},
    EntryName{0xa433, text, "Exif:LensMake"},
    EntryName{0xa434, text, "Exif:LensModel"},
    EntryName{0xa435, text, "Exif:LensSerialNumber"},
    EntryName{0xa460, number16, "Exif:CompositeImage"},
    EntryName{0xa461, number16, "Exif:SourceImageNumberOfCompositeImage"},
    EntryName{0xa462, none, "Exif:SourceExposureTimesOfCompositeImage"},
    EntryName{0xa500, fraction, "Exif:Gamma"},
    EntryName{0xea1c, none, "Exif:Padding"},
    EntryName{0xea1d, signed32, "Exif:OffsetSchema"},
    EntryName{0xfde8, text, "Exif:OwnerName"},
    EntryName{0xfde9, text, "Exif:SerialNumber"},
    EntryName{0xfdea, text, "Exif:Lens"},
    EntryName{0xfe4c, text, "Exif:RawFile"},
    EntryName{0xfe4d, text, "Exif:Converter"},
    EntryName{0xfe51, text, "Exif:RawExposure"},
    EntryName{0xfe52, text, "Exif:RawShadows"},
    EntryName{0xfe53, text, "Exif:RawBrightness"},
    EntryName{0xfe57, text, "Exif:RawSmoothness"},
    EntryName{0xfe58, text, "Exif:RawMoireFilter"},
};

constexpr std::array gps_names = {
    EntryName{0x00, byte, "GPS:VersionID"},
    EntryName{0x01, text, "GPS:LatitudeRef"},
    EntryName{0x02, fraction, "GPS:Latitude"},
    EntryName{0x03, text, "GPS:LongitudeRef"},
    EntryName{0x04, fraction, "GPS:Longitude"},
    EntryName{0x05, byte, "GPS:AltitudeRef"},
    EntryName{0x06, fraction, "GPS:Altitude"},
    EntryName{0x07, fraction, "GPS:TimeStamp"},
    EntryName{0x08, text, "GPS:Satellites"},
    EntryName{0x09, text, "GPS:Status"},
    EntryName{0x0a, text, "GPS:MeasureMode"},
    EntryName{0x0b, fraction, "GPS:DOP"},
    EntryName{0x0c, text, "GPS:SpeedRef"},
    EntryName{0x0d, fraction, "GPS:Speed"},
    EntryName{0x0e, text, "GPS:TrackRef"},
    EntryName{0x0f, fraction, "GPS:Track"},
    EntryName{0x10, text, "GPS:ImgDirectionRef"},
    EntryName{0x11, fraction, "GPS:ImgDirection"},
    EntryName{0x12, text, "GPS:MapDatum"},
    EntryName{0x13, text, "GPS:DestLatitudeRef"},
    EntryName{0x14, fraction, "GPS:DestLatitude"},
    EntryName{0x15, text, "GPS:DestLongitudeRef"},
    EntryName{0x16, fraction, "GPS:DestLongitude"},
    EntryName{0x17, text, "GPS:DestBearingRef"},
    EntryName{0x18, fraction, "GPS:DestBearing"},
    EntryName{0x19, text, "GPS:DestDistanceRef"},
    EntryName{0x1a, fraction, "GPS:DestDistance"},
    EntryName{0x1b, marked_text, "GPS:ProcessingMethod"},
    EntryName{0x1c, marked_text, "GPS:AreaInformation"},
    EntryName{0x1d, text, "GPS:DateStamp"},
    EntryName{0x1e, number16, "GPS:Differential"},
    EntryName{0x1f, fraction, "GPS:HPositioningError"},
};

}  // namespace

std::span<const EntryName> entry_names(TiffEntries Exif::*directory) {
  if (directory == &Exif::image) return image_names;
  if (directory == &Exif::gps) return gps_names;
  return photo_names;
}

const EntryName* entry_name(TiffEntries Exif::*directory, std::uint16_t tag) {
  const std::span<const EntryName> names = entry_names(directory);
  const auto found = std::find_if(names.begin(), names.end(),
                                  [tag](const EntryName& one) { return one.tag == tag; });
  return found == names.end() ? nullptr : &*found;
}

std::string name_of_entry(TiffEntries Exif::*directory, std::uint16_t tag) {
  const EntryName* known = entry_name(directory, tag);
  if (known == nullptr) {
    std::array<char, 8> digits{};
    std::snprintf(digits.data(), digits.size(), "0x%04x", static_cast<unsigned>(tag));
    return digits.data();
  }
  // EXIF's own names of positions begin with GPS.
  std::string out(known->attribute);
  const std::size_t colon = out.find(':');
  if (colon == std::string::npos) return out;
  return (directory == &Exif::gps ? "GPS" : "") + out.substr(colon + 1);
}

}  // namespace sfumato::files
