// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The module's pieces: recognising files, choosing channels, colour, metadata, netpbm.
#pragma once

#include <OpenImageIO/imageio.h>

#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/module.hpp"
#include "io/module/exif.hpp"
#include "io/plain_profile.hpp"
#include "io/properties.hpp"

namespace sfumato::files {

/// The format of a file, by its content ("png", "jpeg", "tiff"...: OpenImageIO's names, and
/// "netpbm"); by its name only for formats without a signature. Throws FileError.
std::string recognise(const std::filesystem::path& path);

/// Lets OpenEXR use as many threads for a file as their buffers, of a tile each, allow.
void choose_exr_threads(const std::filesystem::path& path);

/// Opens a file of a known format, with alpha left as it is stored; a PNG file by its first picture
/// or, with `frames`, by those of its animation, if it has one; so a JPEG file of several pictures.
/// Throws FileError.
std::unique_ptr<OIIO::ImageInput> open_as(const std::string& kind,
                                          const std::filesystem::path& path, bool frames = false);

/// The name of a TIFF file's colours if they are not RGB or gray, by its tag 262.
std::optional<Message> other_colors_of_tiff(int photometric);
/// Throws FileError if `other` names such colours.
void check_colors(const std::filesystem::path& path, const std::optional<Message>& other);
/// Throws FileError for TIFF files of which OpenImageIO takes what it does not know, such as the
/// mosaic of a sensor, for gray or RGB.
void check_photometric(const std::filesystem::path& path, const std::string& kind,
                       const OIIO::ImageSpec& spec);

/// Whether a TGA file's extension area says so; the alpha of others is straight.
bool is_premultiplied_targa(const std::filesystem::path& path);
/// Names gray and opacity of a TGA file, which OpenImageIO takes for red and green, and leaves out
/// a last channel that is no opacity by the extension area.
void settle_targa_channels(const std::filesystem::path& path, OIIO::ImageSpec& spec);

/// BMP files of Windows and OS/2.
std::unique_ptr<OIIO::ImageInput> make_bmp_input();
/// The merged picture of a PSD or PSB file, and its layers as OpenImageIO reads them.
std::unique_ptr<OIIO::ImageInput> make_psd_input();
/// Throws FileError if the open file has layers that cannot be read.
void check_layers(const std::filesystem::path& path, OIIO::ImageInput& psd);
std::vector<Message> warnings_of_psd(const std::filesystem::path& path,
                                     const OIIO::ImageSpec& spec);

/// PBM, PGM, PPM and PFM: OpenImageIO 2.4 writes 16-bit ones in the wrong byte order and no PFM.
std::unique_ptr<OIIO::ImageInput> make_netpbm_input();
std::unique_ptr<OIIO::ImageOutput> make_netpbm_output(bool floats);

/// HEIF and AVIF by libheif, WebP by libwebp. Rows of WebP are gathered, and encoded in close(),
/// which throws Cancelled once `cancelled` (may be empty) returns true.
std::unique_ptr<OIIO::ImageInput> make_webp_input();
std::unique_ptr<OIIO::ImageInput> make_heif_input();
/// Frames of animations, each as it is shown; of a GIF file only the first one without `frames`.
std::unique_ptr<OIIO::ImageInput> make_apng_input();
std::unique_ptr<OIIO::ImageInput> make_gif_input(bool frames);
/// Radiance HDR files that hold XYZ.
bool is_xyze(const std::filesystem::path& path);
std::unique_ptr<OIIO::ImageInput> make_xyze_input();
/// XYZ as light with sRGB's primaries, in place.
void convert_xyz(float* pixels, std::size_t count);
/// Radiance HDR files whose first row is plain, or in runs of the old kind.
bool has_plain_rows(const std::filesystem::path& path);
std::unique_ptr<OIIO::ImageInput> make_radiance_input();
/// PNG files whose descriptions follow the picture's data, before which readers stop, or whose
/// picture lies far away on its page.
bool is_unusual_png(const std::filesystem::path& path);
std::unique_ptr<OIIO::ImageInput> make_late_png_input();
/// TIFF files with several pages, whose colour map holds 8-bit numbers, or with other samples
/// beside numbers of colours.
bool is_unusual_tiff(const std::filesystem::path& path);
/// Without `pages`, the first one that is no smaller copy comes first.
std::unique_ptr<OIIO::ImageInput> make_tiff_input(bool pages);
/// An attribute of pages whose samples are a palette's colours, and not numbers that have the bits
/// of the file's samples.
inline constexpr char colors_of_palette[] = "sfumato:colors_of_palette";
/// Whether the colour map of a page says more than 8 bits hold.
bool has_16_bit_palette(const std::filesystem::path& path, const OIIO::ImageSpec& page);
/// DPX files whose rows end at a multiple of four bytes without a word, with a short header, or
/// with user data.
bool is_unusual_dpx(const std::filesystem::path& path);
/// A warning of a DPX file's user data, if it has some.
std::optional<Message> user_data_of_dpx(const std::filesystem::path& path);
std::unique_ptr<OIIO::ImageInput> make_dpx_input();
/// DDS files whose pixels are not compressed.
bool is_plain_dds(const std::filesystem::path& path);
/// What a DDS file's picture is made of, as warnings: the faces of a cube, smaller copies, or
/// opacity alone.
std::vector<Message> notes_on_dds(const std::filesystem::path& path);
/// A warning that a picture's smaller copies are left out.
Message without_smaller_copies(const std::filesystem::path& path);
std::unique_ptr<OIIO::ImageInput> make_dds_input();
/// ICO files. Without `pages`, pictures that cannot be read are left out.
std::unique_ptr<OIIO::ImageInput> make_ico_input(bool pages);
/// FITS files; those of OpenImageIO 2.4 lack their scale and lie upside down.
std::unique_ptr<OIIO::ImageInput> make_fits_input();
/// TGA files with a colour map, or of 16 bits a pixel.
bool is_unusual_targa(const std::filesystem::path& path);
std::unique_ptr<OIIO::ImageInput> make_targa_input();
/// The pictures of a JPEG file, each as if it were alone.
std::unique_ptr<OIIO::ImageInput> make_jpeg_pictures_input();
/// With `frames`, the picture becomes one of theirs and is not written.
class WebpFrames;
std::unique_ptr<OIIO::ImageOutput> make_webp_output(Metadata metadata,
                                                    std::function<bool()> cancelled,
                                                    std::shared_ptr<WebpFrames> frames = {});

/// AVIF, else HEIF, as make_webp_output(). `spec` may hold "sfumato:cicp", the colours in numbers;
/// 16-bit samples are stored with "oiio:BitsPerSample" bits, 10 or 12.
std::unique_ptr<OIIO::ImageOutput> make_heif_output(bool avif, Metadata metadata,
                                                    std::function<bool()> cancelled);
/// Whether the installed libheif has an encoder.
bool can_encode_heif(bool avif);

std::unique_ptr<OIIO::ImageInput> make_jpeg2000_input();
/// A JP2 file, or the codestream alone. Rows are gathered and encoded in tiles of
/// `jpeg2000_tile` pixels a side (of more than 65535 tiles, larger ones); write_scanline() throws
/// Cancelled once `cancelled` (may be empty) returns true.
std::unique_ptr<OIIO::ImageOutput> make_jpeg2000_output(bool codestream, Metadata metadata,
                                                        std::function<bool()> cancelled);

/// 8-bit gray, RGB or RGBA with straight alpha.
std::unique_ptr<OIIO::ImageOutput> make_bmp_output();

/// Why a reader or writer of ours failed last, as a message: OpenImageIO only knows texts.
class ErrorText {
 public:
  std::optional<Message> why;
  bool is_variant = false;  ///< the file may be sound, but is of a kind that is not read

 protected:
  ErrorText() = default;
  ~ErrorText() = default;
};

/// A reader or writer of ours; `Base` is OpenImageIO's class.
template <typename Base>
class WithErrorText : public Base, public ErrorText {
 protected:
  /// Returns false, for the caller to return.
  bool fail(Message reason) {
    this->errorfmt("{}", in_english(reason));
    why = std::move(reason);
    return false;
  }
  bool fail_as_variant(Message reason) {
    is_variant = true;
    return fail(std::move(reason));
  }
};

/// A reader of ours that knows how much memory it takes beside a few rows.
class KnownMemory {
 public:
  virtual std::size_t working_bytes() const = 0;

 protected:
  KnownMemory() = default;
  ~KnownMemory() = default;
};

/// Why a reader or writer failed: our own message, which is then cleared, or the first line of the
/// library's, safe for a terminal.
MessageValue complaint(ErrorText* own, const std::string& library);
template <typename ReaderOrWriter>
MessageValue complaint_of(ReaderOrWriter& of) {
  return complaint(dynamic_cast<ErrorText*>(&of), of.geterror());
}

/// Whether a library's text is about a kind of file that it does not read, not about damage.
bool is_about_kind(const std::string& library);
/// Throws FileError for a reader that failed: the file is of a kind that is not read, or else as
/// `damaged` says, with the reader's reason.
void throw_unread(OIIO::ImageInput& in, const std::filesystem::path& path, const std::string& kind,
                  const std::function<Message(const MessageValue&)>& damaged);
/// Throws FileError for a file that may be sound, but is of a kind that is not read.
[[noreturn]] void throw_kind(const std::filesystem::path& path, const std::string& kind,
                             const MessageValue& reason);

/// Which part of a file is the picture, and which of its channels, in the order they are given.
struct Choice {
  int part = 0;
  std::vector<int> channels;
  int alpha = -1;    ///< index of opacity in `channels`, the last one, or -1
  int left_out = 0;  ///< channels of a depth picture beside the one taken
  int blank = 0;     ///< channels of zeros after these: a pair is read as a picture of three

  std::size_t count() const { return channels.size() + static_cast<std::size_t>(blank); }

  bool contiguous() const {
    for (std::size_t i = 1; i < channels.size(); ++i) {
      if (channels[i] != channels[i - 1] + 1) return false;
    }
    return true;
  }
};

/// The name of a part of a multi-part file; empty if it has none.
std::string part_name(const OIIO::ImageSpec& spec);

/// Throws FileError for a channel or layer that the file does not have.
Choice choose_channels(const std::filesystem::path& path, const std::string& kind,
                       const std::vector<OIIO::ImageSpec>& parts, const ReadOptions& options);

/// The other views of a stereo picture, of which `choice` is one.
std::vector<std::string> other_views(const std::vector<OIIO::ImageSpec>& parts,
                                     const Choice& choice);

/// Fills `layers` and `all_channels`: the names that choose_channels() takes.
void name_layers(const std::vector<OIIO::ImageSpec>& parts, PictureInfo& info);

/// Whether a TIFF page is gray, whatever other channels it has.
bool is_gray_in_tiff(const OIIO::ImageSpec& page);
/// Whether zero means white in it, and its numbers are read as data that have no white.
bool leaves_out_white(const OIIO::ImageSpec& page);
/// Names its channels, which OpenImageIO calls red, green and blue where there are several.
void name_gray_channels(OIIO::ImageSpec& page);

/// A reader's description, without channels that are not there: OpenImageIO's reader of GIF counts
/// its alpha channel from one.
OIIO::ImageSpec without_missing_channels(OIIO::ImageSpec spec);

/// Throws FileError for a picture so far from the origin that readers' sums would overflow.
void check_place(const std::filesystem::path& path, const OIIO::ImageSpec& spec);

/// Whether a profile is as long as it says, of a kind that files embed, and all its tags lie within
/// it (ICC.1:2022, 7.2 and 7.3). Other programs refuse files with one that is not.
bool is_whole_profile(const std::vector<unsigned char>& profile);
/// The tone curve of a profile; nullopt if the engine does not know it. `other` names the colours
/// of profiles for CMYK and Lab, and is empty otherwise.
std::optional<Coding> coding_of_profile(const std::vector<unsigned char>& profile,
                                        std::optional<Message>& other);
/// The same profile with another tone curve; empty if that cannot be made.
std::vector<unsigned char> profile_with_coding(const std::vector<unsigned char>& profile,
                                               Coding coding);
/// Whether it is for pictures of one colour channel.
bool is_gray_profile(const std::vector<unsigned char>& profile);

/// Whether its primaries are sRGB's, or it is a gray profile, so that nothing but the curve is lost
/// without it.
bool has_srgb_primaries(const std::vector<unsigned char>& profile);

/// Whether its primaries and its curve are sRGB's.
bool is_srgb_profile(const std::vector<unsigned char>& profile);
/// sRGB's primaries under a tone curve.
std::vector<unsigned char> srgb_profile_with(Coding coding);

/// Converts a profile's colours to linear light with sRGB's primaries, in float, by the relative
/// colorimetric intent; gray is converted to linear light. Any thread, several at once.
class ToSrgb {
 public:
  explicit ToSrgb(const std::vector<unsigned char>& profile);
  ~ToSrgb();

  /// False if the profile is not a valid one for gray or RGB.
  bool works() const;
  /// Converts `count` pixels of 4 numbers in place; the fourth stays.
  void run(float* pixels, int count) const;

 private:
  class Transform;
  std::unique_ptr<Transform> transform_;
};

/// The functions of drawing.hpp.
int measure_text(const std::string& text, const TextStyle& style);
void write_text(HeldPicture& picture, int x, int y, const std::string& text,
                const TextStyle& style);

/// x and y of red, green, blue and white.
using Primaries = std::array<std::array<double, 2>, 4>;
inline constexpr Primaries srgb_primaries = {
    {{0.64, 0.33}, {0.30, 0.60}, {0.15, 0.06}, {0.3127, 0.3290}}};
/// A profile with these primaries and this tone curve; empty if they are invalid.
std::vector<unsigned char> profile_of(const Primaries& primaries, Coding coding);

/// Curves of HDR displays (ITU-R BT.2100). Pictures with them are read as linear light, in which
/// 1 is the white of a page: PQ's 203 cd/m2, HLG's signal of 0.75 (ITU-R BT.2408).
enum class HdrCurve : int { none, pq, hlg };
HdrCurve hdr_numbered(int transfer);  ///< by ITU-T H.273
double light_of(HdrCurve curve, double value);
double coded(HdrCurve curve, double light);
inline constexpr double hdr_white = 203;
// SMPTE ST 2084 and ARIB STD-B67, by the names that they use.
inline constexpr double pq_m1 = 2610.0 / 16384, pq_m2 = 2523.0 / 32, pq_c1 = 3424.0 / 4096,
                        pq_c2 = 2413.0 / 128, pq_c3 = 2392.0 / 128;
inline constexpr double hlg_a = 0.17883277, hlg_b = 1 - 4 * hlg_a, hlg_c = 0.55991073,
                        hlg_white = 0.26496256;

/// Colours that a file declares by numbers; no primaries if it declares none, or sRGB's.
struct DeclaredColors {
  std::optional<Primaries> primaries = {};
  Coding coding = Coding::srgb();  ///< linear for an HDR curve
  HdrCurve hdr = HdrCurve::none;
  /// As in PNG: primaries, transfer, 0, full range.
  std::optional<std::array<unsigned char, 4>> cicp = {};
  /// Black and white lie at 16/256 and 235/256 of the range of samples (ITU-T H.273, 8.3).
  bool narrow = false;
  bool curve_is_stated = false;       ///< beside or without primaries
  std::optional<Message> doubt = {};  ///< a warning: not all that is declared is understood
};
/// `spec` is OpenImageIO's description, or holds "sfumato:cicp"; `profile` is the file's profile,
/// which counts more, except PNG's cICP. `page` is ReadOptions::page.
DeclaredColors declared_colors(const std::string& kind, const std::filesystem::path& path,
                               const OIIO::ImageSpec& spec,
                               const std::vector<unsigned char>& profile, int page);
/// The warning about a transfer function that is damaged, or no plain curve.
Message other_curve(const std::filesystem::path& path);
/// Of an RGB profile that consists of primaries and a curve, without sRGB's own; else nullopt.
std::optional<Primaries> primaries_of(const std::vector<unsigned char>& profile);
/// What a profile says in the way of cICP.
std::optional<std::array<unsigned char, 4>> cicp_of_profile(
    const std::vector<unsigned char>& profile);
/// A profile for linear light, made one for an HDR curve; it names both, as cICP does.
std::vector<unsigned char> with_hdr_curve(const std::vector<unsigned char>& linear, HdrCurve curve,
                                          unsigned char primaries_number);

/// The quality, 1 to 100, by which libjpeg makes the table that is closest to the file's first one.
/// 0 if the file is not a JPEG, or holds no table of 8 bits before the picture's data. `begin` is
/// where the picture begins in the file.
int jpeg_quality(const std::filesystem::path& path, std::uint64_t begin);

/// A profile in numbers, without what would change nothing in them.
ProfileNumbers numbers_of(const std::vector<unsigned char>& profile);

/// What a writer needs to know about a profile.
struct ProfileFacts {
  bool gray = false;                   ///< is_gray_profile()
  bool srgb = false;                   ///< is_srgb_profile()
  bool srgb_primaries = false;         ///< has_srgb_primaries()
  std::optional<Primaries> primaries;  ///< primaries_of()
};
ProfileFacts facts_of(const std::vector<unsigned char>& profile);

/// Copies what describes the picture and not the way in which one file stores it.
void copy_metadata(const OIIO::ImageSpec& from, const std::string& from_kind, OIIO::ImageSpec& to,
                   const std::string& to_kind, bool all);
/// Whether an attribute of an OpenEXR file goes into another one by its name.
bool is_copied_name(const std::string& name);
/// Whether one goes into another OpenEXR file as bytes.
bool is_replaced_in_exr(const OIIO::ImageSpec& spec, const std::string& name);
/// Removes all but what a writer needs to store the pixels: OpenImageIO's writer of JPEG ends the
/// process over a text that is too long for a segment.
void keep_only_storage(OIIO::ImageSpec& spec);
/// EXIF's date for "unknown".
constexpr char unknown_date[] = "    :  :     :  :  ";
/// When a file was changed last, in UTC, as EXIF writes dates; unknown_date if there is no file.
std::string date_of(const std::filesystem::path& path);
/// Whether an attribute, in small letters, says how samples are stored, or is EXIF's comment.
bool is_usual_in_exif(std::string_view name);
/// Whether there is metadata that no property and no other sentence names; a packet of XMP says
/// what stands in families of names.
bool has_other_metadata(const OIIO::ImageSpec& from, bool has_xmp);

/// Whether an OpenEXR file says that it is an environment map, or how a texture goes on beyond its
/// edges; and whether it has attributes of numbers that are OpenEXR's own.
bool has_environment(const OIIO::ImageSpec& from);
bool has_numbers(const OIIO::ImageSpec& from);

inline OIIO::TypeDesc type_desc(SampleType type) {
  switch (type) {
    case SampleType::u8:
      return OIIO::TypeDesc::UINT8;
    case SampleType::u16:
      return OIIO::TypeDesc::UINT16;
    case SampleType::f16:
      return OIIO::TypeDesc::HALF;
    default:
      return OIIO::TypeDesc::FLOAT;
  }
}

}  // namespace sfumato::files
