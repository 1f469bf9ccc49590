// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Texts about a picture: their characters, and PNG's chunks for them.
#include <OpenImageIO/tiffutils.h>

#include <algorithm>
#include <array>
#include <utility>

#include "io/module/embedded.hpp"
#include "io/module/exif_attributes.hpp"
#include "io/module/tiff_writer.hpp"

namespace sfumato::files {
namespace {

using OIIO::ImageSpec;
using OIIO::ParamValue;
using namespace std::string_view_literals;

unsigned byte_at(std::string_view text, std::size_t at) {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
}

// The bytes of the character that begins at `at`; 0 if it is none of UTF-8 (RFC 3629).
std::size_t utf8_length(std::string_view text, std::size_t at) {
  const unsigned first = byte_at(text, at), second = byte_at(text, at + 1);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte_at(text, at + i) & 0xc0) != 0x80) return 0;
  }
  const bool too_long = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool no_character = (first == 0xed && second > 0x9f) || (first == 0xf4 && second > 0x8f);
  return too_long || no_character ? 0 : length;
}

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

// The character at a place of UTF-8, behind which it goes.
std::uint32_t next_character(std::string_view text, std::size_t& at) {
  const std::size_t length = std::max<std::size_t>(1, utf8_length(text, at));
  std::uint32_t code = byte_at(text, at);
  if (length > 1) code &= (1u << (7 - length)) - 1;
  for (std::size_t i = 1; i < length; ++i) code = code << 6 | (byte_at(text, at + i) & 0x3f);
  at += length;
  return code;
}

// Two bytes a character, or four, in the given order.
std::string utf16_of(std::string_view text, bool big_endian) {
  std::string out;
  const TiffWriter in_order(big_endian, false, 0);
  for (std::size_t at = 0; at < text.size();) {
    std::uint32_t code = next_character(text, at);
    if (code >= 0x10000) {
      in_order.put(out, 0xd800 + ((code - 0x10000) >> 10), 2);
      code = 0xdc00 + ((code - 0x10000) & 0x3ff);
    }
    in_order.put(out, code, 2);
  }
  return out;
}

void append_utf8(std::string& to, std::uint32_t code) {
  const int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  constexpr std::array<std::uint32_t, 4> first = {0, 0xc0, 0xe0, 0xf0};
  to.push_back(static_cast<char>(first[static_cast<std::size_t>(more)] | code >> 6 * more));
  for (int i = more - 1; i >= 0; --i) {
    to.push_back(static_cast<char>(0x80 | (code >> 6 * i & 0x3f)));
  }
}

std::string utf8_of_utf16(std::string_view text, bool big_endian) {
  const auto unit = [&](std::size_t at) -> std::uint32_t {
    return byte_at(text, at + (big_endian ? 0 : 1)) << 8 | byte_at(text, at + (big_endian ? 1 : 0));
  };
  std::string out;
  for (std::size_t at = 0; at + 1 < text.size(); at += 2) {
    std::uint32_t code = unit(at);
    const std::uint32_t next = unit(at + 2);
    if (code >= 0xd800 && code < 0xdc00 && next >= 0xdc00 && next < 0xe000) {
      code = 0x10000 + ((code - 0xd800) << 10) + (next - 0xdc00);
      at += 2;
    }
    if (code != 0 && (code < 0xd800 || code >= 0xe000)) append_utf8(out, code);
  }
  return out;
}

// Codes that stand for other characters in ISO 8859-15 than in Unicode, and these.
constexpr std::array<std::pair<std::uint32_t, std::uint32_t>, 8> latin_9 = {{{0xa4, 0x20ac},
                                                                             {0xa6, 0x160},
                                                                             {0xa8, 0x161},
                                                                             {0xb4, 0x17d},
                                                                             {0xb8, 0x17e},
                                                                             {0xbc, 0x152},
                                                                             {0xbd, 0x153},
                                                                             {0xbe, 0x178}}};

// The character set of EXIF's comment, in eight bytes, stands before the text (EXIF 2.32, 4.6.5).
constexpr std::uint16_t user_comment = 0x9286, document_name = 0x010d;
constexpr int tiff_text = 2;
constexpr std::string_view ascii_mark = "ASCII\0\0\0"sv, unicode_mark = "UNICODE\0"sv;

// As OpenImageIO's writer names texts.
std::string png_keyword(const std::string& name) {
  const std::string key = lower(name);
  if (key == "artist") return "Author";
  if (key == "name" || key == "documentname") return "Title";
  if (key == "description" || key == "imagedescription") return "Description";
  return name;
}

bool is_text(const ParamValue& p) {
  return p.type() == OIIO::TypeDesc::STRING;
}

// Texts that EXIF has places for, and those that are none about the picture.
constexpr std::array comments = {"imagedescription"sv, "artist"sv, "copyright"sv, "documentname"sv,
                                 "pagename"sv};
constexpr std::array no_comments = {"uniquecameramodel"sv,
                                    "cameraserialnumber"sv,
                                    "make"sv,
                                    "model"sv,
                                    "software"sv,
                                    "datetime"sv,
                                    "hostcomputer"sv,
                                    "resolutionunit"sv,
                                    "compression"sv,
                                    "planarconfig"sv,
                                    "keywords"sv,
                                    "name"sv,
                                    "type"sv,
                                    "textureformat"sv,
                                    "wrapmodes"sv,
                                    "colorspace"sv,
                                    "creator"sv,
                                    "rights"sv,
                                    "colorinteropid"sv};

// Gives texts that a packet says, and EXIF, too, as EXIF says them, and returns the others.
ImageSpec said_in_xmp_alone(const Metadata& held, ImageSpec& spec) {
  constexpr std::array<std::pair<std::uint16_t, const char*>, 5> of_exif = {
      {{document_name, "DocumentName"},
       {0x010e, "ImageDescription"},
       {0x0131, "Software"},
       {0x013b, "Artist"},
       {0x8298, "Copyright"}}};
  ImageSpec said;
  if (held.xmp.empty()) return said;
  OIIO::decode_xmp(held.xmp, said);
  make_texts_utf8(said);
  for (const auto& [tag, name] : of_exif) {
    const auto found = held.exif.image.find(tag);
    if (found == held.exif.image.end()) continue;
    const std::string in_xmp(said.get_string_attribute(name));
    if (!in_xmp.empty() && spec.get_string_attribute(name) == in_xmp) {
      spec.attribute(name, text_in(found->second));
    }
    said.erase_attribute(name);
  }
  return said;
}

}  // namespace

std::string other_texts(const ImageSpec& spec) {
  std::string out, alone;
  for (const ParamValue& p : spec.extra_attribs) {
    const std::string name = lower(p.name().string());
    const bool known = std::find(comments.begin(), comments.end(), name) != comments.end() ||
                       std::find(no_comments.begin(), no_comments.end(), name) != no_comments.end();
    if (!is_text(p) || known || name.find(':') != std::string::npos) continue;
    if (name.rfind("raw profile type", 0) == 0) continue;
    alone = out.empty() && name == "comment" ? p.get_string() : "";
    out += (out.empty() ? "" : "\n") + p.name().string() + ": " + p.get_string();
  }
  return alone.empty() ? out : alone;
}

std::string names_of_texts(const ImageSpec& spec) {
  std::string out;
  for (const ParamValue& p : spec.extra_attribs) {
    ImageSpec one;
    one.extra_attribs.push_back(p);
    if (!other_texts(one).empty()) out += (out.empty() ? "" : ", ") + p.name().string();
  }
  return out;
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

std::string utf8_of(std::string_view text) {
  if (is_utf8(text)) return std::string(text);
  std::string out;
  for (const char c : text) append_utf8(out, static_cast<unsigned char>(c));
  return out;
}

std::string utf8_of_latin_9(std::string_view text) {
  if (is_utf8(text)) return std::string(text);
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const auto other = std::find_if(latin_9.begin(), latin_9.end(),
                                    [byte](const auto& pair) { return pair.first == byte; });
    append_utf8(out, other != latin_9.end() ? other->second : byte);
  }
  return out;
}

std::string latin_9_of(std::string_view text) {
  constexpr std::uint32_t codes = 256;
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::uint32_t code = next_character(text, at);
    const auto other = std::find_if(latin_9.begin(), latin_9.end(), [code](const auto& pair) {
      return pair.first == code || pair.second == code;
    });
    const bool is_missing = other == latin_9.end() ? code >= codes : other->first == code;
    if (is_missing) return std::string(text);
    out.push_back(static_cast<char>(other == latin_9.end() ? code : other->first));
  }
  return is_utf8(out) ? std::string(text) : out;  // else it would be read as UTF-8
}

void make_texts_utf8(ImageSpec& spec) {
  for (ParamValue& p : spec.extra_attribs) {
    const std::string name = lower(p.name().string());
    // What a TGA file says before its picture goes into another one as it is.
    if (!is_text(p) || name == lower(targa_id)) continue;
    if (name.rfind("sfumato:", 0) == 0 || name.rfind("oiio:", 0) == 0) continue;
    const std::string held = p.get_string(), text = utf8_of(held);
    const std::string named = utf8_of(p.name().string());
    if (text != held || named != p.name().string()) p = ParamValue(named, text);
  }
}

TextPlace place_of_text(const std::string& attribute) {
  constexpr std::array of_storage = {"compression"sv, "planarconfig"sv,  "type"sv,
                                     "wrapmodes"sv,   "textureformat"sv, "colorspace"sv};
  constexpr std::array none_in_exif = {"creator"sv, "rights"sv};
  constexpr std::array in_iptc = {"keywords"sv, "iptc:"sv};
  const std::string name = lower(attribute);
  if (std::find(of_storage.begin(), of_storage.end(), name) != of_storage.end()) {
    return TextPlace::none;
  }
  // Where there is none, the loss of IPTC is named.
  if (name == in_iptc[0] || name.rfind(in_iptc[1], 0) == 0) return TextPlace::any;
  const bool of_family = name.find(':') != std::string::npos;
  const bool listed =
      std::find(none_in_exif.begin(), none_in_exif.end(), name) != none_in_exif.end();
  return of_family || listed ? TextPlace::attribute : TextPlace::any;
}

std::size_t end_of_characters(std::string_view text, std::size_t most) {
  std::size_t end = std::min(most, text.size());
  while (end > 0 && end < text.size() && (byte_at(text, end) & 0xc0) == 0x80) --end;
  return end;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of("\r\n", at), text.size());
    if (end > at) out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

std::vector<std::string> broken_lines(const std::string& text, std::size_t most) {
  std::vector<std::string> out;
  for (std::string line : lines_of(text)) {
    while (line.size() > most) {
      const std::size_t space = line.rfind(' ', most);
      const bool at_space = space != std::string::npos && space > 0;
      const std::size_t end = at_space ? space : end_of_characters(line, most);
      out.push_back(line.substr(0, end));
      line.erase(0, end + (at_space ? 1 : 0));
    }
    out.push_back(line);
  }
  return out;
}

std::string title_of(const ImageSpec& spec, const Exif& exif) {
  std::string out(spec.get_string_attribute("DocumentName"));
  const auto found = exif.image.find(document_name);
  if (!out.empty() || found == exif.image.end() || found->second.type != tiff_text) return out;
  out = found->second.value;
  return utf8_of(out.substr(0, out.find('\0')));
}

bool has_more_than_words(const Exif& exif) {
  // Versions, the comment, colour space, and the picture's size.
  constexpr std::array<std::uint16_t, 7> usual = {0x9000, 0x9101, user_comment, 0xa000,
                                                  0xa001, 0xa002, 0xa003};
  // Title, description, program, date, author and copyright.
  constexpr std::array<std::uint16_t, 6> words = {0x010d, 0x010e, 0x0131, 0x0132, 0x013b, 0x8298};
  const auto has_others = [](const TiffEntries& entries, const auto& known) {
    return std::any_of(entries.begin(), entries.end(), [&](const auto& entry) {
      return std::find(known.begin(), known.end(), entry.first) == known.end();
    });
  };
  return !exif.gps.empty() || has_others(exif.photo, usual) || has_others(exif.image, words);
}

std::string texts_in_lines(const ImageSpec& spec, const std::string& title, bool author) {
  std::string out(spec.get_string_attribute("ImageDescription"));
  const auto add = [&](const char* before, std::string_view text) {
    if (!text.empty()) out.append(out.empty() ? "" : "\n").append(before).append(text);
  };
  add("Title: ", title);
  if (author) add("Author: ", spec.get_string_attribute("Artist"));
  add("Copyright: ", spec.get_string_attribute("Copyright"));
  add("PageName: ", spec.get_string_attribute("PageName"));
  add("", other_texts(spec));
  return out;
}

std::string take_png_texts(ImageSpec& spec, const Metadata& held, bool any_names) {
  // Keywords that PNG defines, as attributes.
  constexpr std::array usual = {"imagedescription"sv, "artist"sv,   "copyright"sv, "documentname"sv,
                                "comment"sv,          "software"sv, "datetime"sv};
  constexpr std::array of_writer = {"oiio:colorspace"sv, "resolutionunit"sv, "datetime"sv};
  constexpr std::array elsewhere = {"keywords"sv, "make"sv, "model"sv, "hostcomputer"sv};
  const auto among = [](const std::string& name, const auto& list) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  const ImageSpec of_xmp = said_in_xmp_alone(held, spec);
  std::string chunks;
  auto& all = spec.extra_attribs;
  const auto ours = [&](const ParamValue& p) {
    if (!is_text(p)) return false;
    const std::string name = lower(p.name().string()), text = p.get_string();
    if (among(name, of_writer)) return false;
    // EXIF, IPTC and XMP have chunks of their own.
    if (name.find(':') != std::string::npos || among(name, elsewhere)) return true;
    if (!any_names && !among(name, usual)) return true;
    if (text == of_xmp.get_string_attribute(p.name())) return true;
    if (is_ascii(text)) return false;
    // After keyword: no compression, no language, no translated keyword.
    chunks += png_chunk(std::string("iTXt")
                            .append(png_keyword(p.name().string()).substr(0, 79))
                            .append("\0\0\0\0\0"sv)
                            .append(text));
    return true;
  };
  all.erase(std::remove_if(all.begin(), all.end(), ours), all.end());
  return chunks;
}

std::string color_space_chunk(const ImageSpec& spec) {
  return png_chunk(
      std::string("tEXtoiio:ColorSpace\0"sv).append(spec.get_string_attribute("oiio:ColorSpace")));
}

bool has_comments(const ImageSpec& spec) {
  return !other_texts(spec).empty() ||
         std::any_of(comments.begin(), comments.end(), [&](std::string_view name) {
           return !spec.get_string_attribute(std::string(name)).empty();
         });
}

bool is_usual_in_exif(std::string_view name) {
  // As has_more_than_words() says.
  constexpr std::array usual = {"exif:exifversion"sv,     "exif:componentsconfiguration"sv,
                                "exif:usercomment"sv,     "exif:ycbcrpositioning"sv,
                                "exif:flashpixversion"sv, "exif:colorspace"sv,
                                "exif:pixelxdimension"sv, "exif:pixelydimension"sv};
  return std::find(usual.begin(), usual.end(), name) != usual.end();
}

bool has_camera(const ImageSpec& spec) {
  return std::any_of(spec.extra_attribs.begin(), spec.extra_attribs.end(), [](const ParamValue& p) {
    const std::string name = lower(p.name().string());
    if (is_usual_in_exif(name)) return false;
    return name.rfind("exif:", 0) == 0 || name.rfind("gps:", 0) == 0 || name == "make" ||
           name == "model" || name == "exposuretime" || name == "fnumber";
  });
}

TiffEntry marked_text(const std::string& text, bool big_endian) {
  const std::string value = is_ascii(text) ? std::string(ascii_mark) + text
                                           : std::string(unicode_mark) + utf16_of(text, big_endian);
  return {tiff_undefined, value.size(), value};
}

std::string text_of_marked(const TiffEntry& entry, bool big_endian) {
  if (entry.value.size() < ascii_mark.size()) return {};
  const std::string_view all = entry.value, mark = all.substr(0, ascii_mark.size());
  std::string_view text = all.substr(ascii_mark.size());
  if (mark == unicode_mark) return utf8_of_utf16(text, big_endian);
  while (!text.empty() && (text.back() == '\0' || text.back() == ' ')) text.remove_suffix(1);
  return utf8_of(text);
}

void put_comment(Exif& exif, const ImageSpec& spec) {
  // OpenImageIO's writer of TIFF takes a name for a title, too.
  constexpr std::array<std::pair<std::uint16_t, const char*>, 4> places = {
      {{document_name, "DocumentName"},
       {document_name, "Name"},
       {0x011d, "PageName"},
       {0x013c, "HostComputer"}}};
  for (const auto& [tag, name] : places) {
    std::string held(spec.get_string_attribute(name));
    if (held.empty()) continue;
    held.push_back('\0');
    exif.image.try_emplace(tag, TiffEntry{tiff_text, held.size(), held});
  }
  // EXIF has one comment, which holds all of them.
  std::string text(spec.get_string_attribute("Exif:UserComment"));
  const std::string others = other_texts(spec);
  if (text != others && !others.empty()) text += (text.empty() ? "" : "\n") + others;
  if (text.empty() || exif.photo.count(user_comment) != 0) return;
  exif.photo[user_comment] = marked_text(text, exif.big_endian);
}

void note_comment(const std::string& comment, const std::string& exif, ImageSpec& spec) {
  spec.attribute("ImageDescription", exif.empty() ? comment : exif);
  if (!exif.empty() && exif != comment) spec.attribute("Comment", comment);
  spec.attribute(own_comment, comment);
}

std::string comment_of(const Exif& exif) {
  const auto found = exif.photo.find(user_comment);
  return found == exif.photo.end() ? std::string() : text_of_marked(found->second, exif.big_endian);
}

}  // namespace sfumato::files
