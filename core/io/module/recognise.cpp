// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Recognises a file's format by its first bytes, because names may be wrong.
#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <new>
#include <stdexcept>
#include <string_view>

#include "io/module/embedded.hpp"
#include "io/module/parts.hpp"
#include "params/suggest.hpp"
#include "text/system_reason.hpp"

namespace sfumato::files {
namespace {

using namespace std::string_view_literals;
namespace fs = std::filesystem;

struct Mark {
  std::size_t at;
  std::string_view bytes;
  std::string_view kind;
};

constexpr std::array marks = {
    Mark{0, "\x89PNG\r\n\x1a\n"sv, "png"sv},
    Mark{0, "\xff\xd8\xff"sv, "jpeg"sv},
    Mark{0, "II*\0"sv, "tiff"sv},
    Mark{0, "MM\0*"sv, "tiff"sv},
    Mark{0, "II+\0"sv, "tiff"sv},
    Mark{0, "MM\0+"sv, "tiff"sv},
    Mark{0, "\x76\x2f\x31\x01"sv, "openexr"sv},
    Mark{8, "WEBP"sv, "webp"sv},
    Mark{0, "#?RADIANCE"sv, "hdr"sv},
    Mark{0, "#?RGBE"sv, "hdr"sv},
    Mark{4, "ftypcrx "sv, "raw"sv},
    Mark{4, "ftyphei"sv, "heif"sv},
    Mark{4, "ftyphev"sv, "heif"sv},
    Mark{4, "ftypmif1"sv, "heif"sv},
    Mark{4, "ftypmsf1"sv, "heif"sv},
    Mark{4, "ftypavi"sv, "heif"sv},
    Mark{0, "FUJIFILMCCD-RAW"sv, "raw"sv},
    Mark{0, "IIRO"sv, "raw"sv},
    Mark{0, "IIRS"sv, "raw"sv},
    Mark{0, "MMOR"sv, "raw"sv},
    Mark{0, "IIU\0"sv, "raw"sv},
    Mark{0, "GIF8"sv, "gif"sv},
    Mark{0, "8BPS"sv, "psd"sv},
    Mark{0, "DDS "sv, "dds"sv},
    Mark{0, "SDPX"sv, "dpx"sv},
    Mark{0, "XPDS"sv, "dpx"sv},
    Mark{0, "SIMPLE  ="sv, "fits"sv},
    Mark{0, "\0\0\0\x0cjP  "sv, "jpeg2000"sv},
    Mark{0, "\xff\x4f\xff\x51"sv, "jpeg2000"sv},
    Mark{0, "BM"sv, "bmp"sv},
};

// DNG files begin like TIFF files; their version tag tells them apart.
bool is_dng(const fs::path& path) {
  constexpr std::uint64_t dng_version = 50706;
  Bytes in(path, false);
  return TiffDirectory(in).find(in, dng_version) != 0;
}

int photometric_of(const fs::path& path) {
  constexpr std::uint64_t tag = 262;
  Bytes in(path, false);
  const TiffDirectory directory(in);
  const std::uint64_t entry = directory.find(in, tag);
  return entry == 0 ? -1
                    : static_cast<int>(
                          in.number(entry + 4 + static_cast<std::uint64_t>(directory.word), 2));
}

// Raw files of many other makers begin like TIFF files, too, and only their names tell.
constexpr std::array raw_extensions = {"nef"sv, "nrw"sv, "cr2"sv, "arw"sv, "sr2"sv, "srf"sv,
                                       "pef"sv, "srw"sv, "3fr"sv, "fff"sv, "iiq"sv, "erf"sv,
                                       "kdc"sv, "dcr"sv, "mos"sv, "mef"sv, "rwl"sv};

// Formats without a signature, or with a weak one: their extensions and OpenImageIO's names.
struct ByName {
  std::string_view extension, kind;
};
constexpr std::array kinds_by_name = {
    ByName{"tga"sv, "targa"sv}, ByName{"tpic"sv, "targa"sv},    ByName{"cin"sv, "cineon"sv},
    ByName{"iff"sv, "iff"sv},   ByName{"rla"sv, "rla"sv},       ByName{"sgi"sv, "sgi"sv},
    ByName{"ico"sv, "ico"sv},   ByName{"pic"sv, "softimage"sv}, ByName{"crw"sv, "raw"sv},
    ByName{"mrw"sv, "raw"sv},   ByName{"x3f"sv, "raw"sv},       ByName{"raf"sv, "raw"sv},
};

bool netpbm(std::string_view head) {
  if (head.size() < 3 || head[0] != 'P') return false;
  const bool known = (head[1] >= '1' && head[1] <= '6') || head[1] == 'F' || head[1] == 'f';
  return known && (head[2] == '\n' || head[2] == ' ' || head[2] == '\r' || head[2] == '\t' ||
                   head[2] == '#');
}

}  // namespace

std::optional<Message> other_colors_of_tiff(int photometric) {
  switch (photometric) {
    case 5:
      return message({"colors.cmyk", "CMYK, the colours of printing inks"});
    case 8:
    case 9:
    case 10:
      return message({"colors.cie_lab", "CIE Lab"});
    case 32844:
    case 32845:
      return message({"colors.log_luv", "LogLuv"});
    default:
      return {};
  }
}

void check_colors(const fs::path& path, const std::optional<Message>& other) {
  if (!other) return;
  throw FileError(
      message({"colors.not_rgb", "{file}: the picture is in {colors}; convert it to RGB"},
              shown(path), *other));
}

void check_photometric(const fs::path& path, const std::string& kind, const OIIO::ImageSpec& s) {
  constexpr int last_known = 6, none = -1;  // YCbCr
  constexpr int usual_bits = 8;
  const int number = s.get_int_attribute("tiff:PhotometricInterpretation", none);
  if (kind != "tiff") return;
  // libtiff converts no others to RGB.
  const int bits =
      s.get_int_attribute("oiio:BitsPerSample", static_cast<int>(usual_bits * s.format.size()));
  if (number == last_known && bits != usual_bits) {
    throw_kind(path, kind, message({"file.bits_of_sample", "its samples have {bits} bits"}, bits));
  }
  if (number <= last_known) return;
  throw_kind(path, kind,
             message({"tiff.photometric", "its colours are of the kind {number}"}, number));
}

std::string recognise(const fs::path& path) {
  std::array<char, 32> bytes{};
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    throw FileError(message({"file.cannot_be_read", "{file}: the file cannot be read ({reason})"},
                            shown(path), system_reason(errno)));
  }
  in.read(bytes.data(), bytes.size());
  const std::string_view head(bytes.data(), static_cast<std::size_t>(in.gcount()));
  const std::string extension = lower_extension(path);
  if (netpbm(head)) return "netpbm";
  for (const Mark& m : marks) {
    if (head.size() < m.at + m.bytes.size() || head.substr(m.at, m.bytes.size()) != m.bytes) {
      continue;
    }
    const bool raw =
        m.kind == "tiff" && (is_dng(path) || std::find(raw_extensions.begin(), raw_extensions.end(),
                                                       extension) != raw_extensions.end());
    return std::string(raw ? "raw"sv : m.kind);
  }
  for (const ByName& n : kinds_by_name) {
    if (n.extension == extension) return std::string(n.kind);
  }
  throw FileError(message({"file.no_picture",
                           "{file}: this is not a picture in a format that can be read; convert it "
                           "to PNG, TIFF or OpenEXR first"},
                          shown(path)));
}

namespace {

using Reader = std::unique_ptr<OIIO::ImageInput>;

// Of our own, for all files of a kind; null for others.
Reader own_reader_of(const std::string& kind, bool frames) {
  if (kind == "gif") return make_gif_input(frames);
  if (kind == "ico") return make_ico_input(frames);
  struct Own {
    std::string_view kind;
    Reader (*make)();
  };
  static constexpr std::array all = {
      Own{"netpbm"sv, make_netpbm_input}, Own{"webp"sv, make_webp_input},
      Own{"heif"sv, make_heif_input},     Own{"jpeg2000"sv, make_jpeg2000_input},
      Own{"bmp"sv, make_bmp_input},       Own{"fits"sv, make_fits_input},
      Own{"psd"sv, make_psd_input}};
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Own& o) { return o.kind == kind; });
  return found == all.end() ? nullptr : found->make();
}

// SGI files of obsolete kinds, in which numbers of colours or packed ones pass for gray.
void check_colormap(const fs::path& path) {
  constexpr std::uint64_t kind_at = 104;
  Bytes in(path, true);
  const std::uint64_t kind = in.number(kind_at, 4);
  if (kind == 0) return;
  throw_kind(path, "sgi", message({"sgi.colormap", "its colour map is of the kind {kind}"}, kind));
}

// Not yet opened. A file's frames or pictures have a reader of their own if there are several.
Reader reader_of(const std::string& kind, const fs::path& path, bool frames) {
  if (auto own = own_reader_of(kind, frames)) return own;
  if (kind == "dpx" && is_unusual_dpx(path)) return make_dpx_input();
  if (kind == "sgi") check_colormap(path);
  if (kind == "dds" && is_plain_dds(path)) return make_dds_input();
  if (kind == "targa" && is_unusual_targa(path)) return make_targa_input();
  if (kind == "tiff" && is_unusual_tiff(path)) return make_tiff_input(frames);
  if (kind == "hdr" && has_plain_rows(path)) return make_radiance_input();
  if (kind == "hdr" && is_xyze(path)) return make_xyze_input();
  if (kind == "png") check_png_texts(path);
  if (frames && kind == "png" && frames_of_png(path) > 1) return make_apng_input();
  if (kind == "png" && is_unusual_png(path)) return make_late_png_input();
  if (kind == "jpeg") {
    const bool several = frames && pictures_in_jpeg(path).begins.size() > 1;
    if (several || has_hidden_resources(Bytes(path, true))) return make_jpeg_pictures_input();
  }
  return OIIO::ImageInput::create(kind);
}

}  // namespace

std::unique_ptr<OIIO::ImageInput> open_as(const std::string& kind, const fs::path& path,
                                          bool frames) {
  if (kind == "openexr") choose_exr_threads(path);
  auto in = reader_of(kind, path, frames);
  if (!in) {
    OIIO::geterror();
    throw FileError(
        message({"file.format_not_read",
                 "{file}: the installed OpenImageIO cannot read {format} files; convert "
                 "it to PNG, TIFF or OpenEXR first"},
                shown(path), kind));
  }
  OIIO::ImageSpec spec, config;
  config.attribute("oiio:UnassociatedAlpha", 1);  // return colour as it is stored
  bool opened = false;
  try {
    opened = in->open(path.string(), spec, config);
  } catch (const std::length_error&) {
    throw std::bad_alloc();  // of a size that the file claims
  }
  if (!opened) {
    if (kind == "tiff") check_colors(path, other_colors_of_tiff(photometric_of(path)));
    throw_unread(*in, path, kind, [&](const MessageValue& reason) {
      return message({"file.damaged",
                      "{file}: the {format} file is damaged, cut short or of an unknown "
                      "variant ({reason}); make it again"},
                     shown(path), kind, reason);
    });
  }
  return in;
}

}  // namespace sfumato::files
