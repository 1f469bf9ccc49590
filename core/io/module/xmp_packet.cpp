// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// XMP packets that are longer than a JPEG segment, and thumbnails in packets.
#include <lcms2.h>
#include <lcms2_plugin.h>

#include <algorithm>
#include <array>

#include "io/module/embedded.hpp"

namespace sfumato::files {
namespace {

constexpr std::string_view rdf_begin = "<rdf:RDF", rdf_end = "</rdf:RDF>";
constexpr std::string_view description = "<rdf:Description", description_end = "</rdf:Description>";
constexpr std::string_view note = "HasExtendedXMP";
constexpr auto npos = std::string_view::npos;

// Where the contents of a packet are: after the start tag of rdf:RDF, up to its end tag.
struct Contents {
  std::size_t tag = npos, begin = npos, end = npos;
  explicit operator bool() const { return end != npos; }
};

Contents contents_of(std::string_view packet) {
  Contents c;
  c.tag = packet.find(rdf_begin);
  if (c.tag == npos) return c;
  c.begin = packet.find('>', c.tag);
  if (c.begin == npos || packet[c.begin - 1] == '/') return c;
  ++c.begin;
  const std::size_t end = packet.rfind(rdf_end);
  if (end != npos && end >= c.begin) c.end = end;
  return c;
}

// Declarations of namespaces in a piece of XML: `xmlns:dc="..."`.
std::vector<std::string_view> namespaces_in(std::string_view xml) {
  std::vector<std::string_view> out;
  for (std::size_t at = xml.find("xmlns:"); at != npos; at = xml.find("xmlns:", at + 1)) {
    const std::size_t quote = xml.find_first_of("\"'", at);
    if (quote == npos) break;
    const std::size_t end = xml.find(xml[quote], quote + 1);
    if (end == npos) break;
    out.push_back(xml.substr(at, end + 1 - at));
  }
  return out;
}

// Removes the first element of this local name; false if there is none.
bool remove_element(std::string& packet, std::string_view local_name) {
  const std::string tail = ":" + std::string(local_name) + ">";
  for (std::size_t name = packet.find(tail); name != npos; name = packet.find(tail, name + 1)) {
    const std::size_t begin = packet.find_last_of("< \n\r\t/", name);
    if (begin == npos || packet[begin] != '<') continue;
    const std::string end_tag = "</" + packet.substr(begin + 1, name - begin - 1) + tail;
    const std::size_t end = packet.find(end_tag, name);
    if (end == npos) return false;
    packet.erase(begin, end + end_tag.size() - begin);
    return true;
  }
  return false;
}

// Removes the attribute whose name begins at `name`; false if there is none.
bool remove_attribute(std::string& packet, std::size_t name) {
  const std::size_t quote = packet.find_first_of("\"'", name);
  const std::size_t end = quote == npos ? npos : packet.find(packet[quote], quote + 1);
  if (end == npos) return false;
  packet.erase(name, end + 1 - name);
  return true;
}

// The name of an extension is an attribute or an element.
void remove_note(std::string& packet) {
  if (remove_element(packet, note)) return;
  const std::size_t name = packet.find(std::string(note) + "=");
  if (name == npos) return;
  const std::size_t begin = packet.find_last_of(" \n\r\t", name);
  if (begin != npos) remove_attribute(packet, begin + 1);
}

// The elements rdf:Description directly in rdf:RDF, with what stands before each; empty if there is
// anything else.
std::vector<std::string_view> descriptions_in(std::string_view contents) {
  std::vector<std::string_view> out;
  std::size_t begin = 0, opens = contents.find(description),
              closes = contents.find(description_end);
  for (int depth = 0; opens != npos || depth > 0;) {
    std::size_t at = 0;
    if (opens < closes) {
      const std::size_t end = contents.find('>', opens);
      if (end == npos) return {};
      if (contents[end - 1] != '/') ++depth;
      at = end + 1;
      opens = contents.find(description, at);
    } else {
      if (closes == npos || depth == 0) return {};
      --depth;
      at = closes + description_end.size();
      closes = contents.find(description_end, at);
    }
    if (depth > 0) continue;
    out.push_back(contents.substr(begin, at - begin));
    begin = at;
  }
  const bool rest = contents.find_first_not_of(" \t\r\n", begin) != npos;
  return rest ? std::vector<std::string_view>() : out;
}

std::string md5_of(const std::string& text) {
  cmsProfileID digest{};
  const cmsHANDLE state = cmsMD5alloc(nullptr);
  cmsMD5add(state, reinterpret_cast<const cmsUInt8Number*>(text.data()),
            static_cast<cmsUInt32Number>(text.size()));
  cmsMD5finish(&digest, state);
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  for (const cmsUInt8Number byte : digest.ID8) {
    out.push_back(digits[byte >> 4]);
    out.push_back(digits[byte & 15]);
  }
  return out;
}

}  // namespace

std::string guid_of_extension(const std::string& packet) {
  constexpr std::size_t length = 32;
  const std::size_t name = packet.find(note);
  const std::size_t at = name == npos ? npos : packet.find_first_of(">\"'", name + note.size());
  return at == npos ? std::string() : packet.substr(at + 1, length);
}

std::optional<std::string> joined_xmp(const std::string& packet, const std::string& extension) {
  std::string out = packet;
  remove_note(out);
  const Contents into = contents_of(out), from = contents_of(extension);
  if (!into || !from) return std::nullopt;
  std::string missing;
  const std::string_view known = std::string_view(out).substr(0, into.begin);
  for (const std::string_view one :
       namespaces_in(std::string_view(extension).substr(0, from.begin))) {
    if (known.find(one.substr(0, one.find('='))) == npos) missing.append(" ").append(one);
  }
  out.insert(into.end, extension, from.begin, from.end - from.begin);
  out.insert(into.tag + rdf_begin.size(), missing);
  return out;
}

DividedXmp divided_xmp(const std::string& packet, std::size_t most) {
  const std::string plain = without_notes(packet);
  // Readers would look for the wrong extension.
  const bool has_note = plain.find(note) != npos;
  const Contents c = contents_of(plain);
  if (!c) return {};
  const std::string_view all = plain;
  const std::size_t outer = std::min(all.find("<x:xmpmeta"), c.tag);
  std::size_t behind = all.find("</x:xmpmeta>", c.end);
  behind =
      behind == npos ? c.end + rdf_end.size() : behind + std::string_view("</x:xmpmeta>").size();
  const std::string_view end_mark = "<?xpacket end='w'?>";
  // Without the spaces that are left for changes in place.
  const std::string begin(all.substr(0, c.begin)),
      end = std::string(all.substr(c.end, behind - c.end)).append("\n").append(end_mark);
  const std::string_view contents = all.substr(c.begin, c.end - c.begin);
  if (begin.size() + contents.size() + end.size() <= most) {
    return {std::string(begin).append(contents).append(end), {}, {}};
  }
  // With the note that is added below.
  const std::size_t fixed = begin.size() + end.size() + 256;
  std::vector<std::string_view> pieces = descriptions_in(contents);
  if (pieces.empty() || fixed > most || has_note) return {};
  std::stable_sort(pieces.begin(), pieces.end(),
                   [](std::string_view a, std::string_view b) { return a.size() < b.size(); });
  std::string first, rest;
  for (const std::string_view piece : pieces) {
    (rest.empty() && fixed + first.size() + piece.size() <= most ? first : rest).append(piece);
  }
  DividedXmp out;
  out.extension = std::string(all.substr(outer, c.begin - outer))
                      .append(rest)
                      .append(all.substr(c.end, behind - c.end));
  out.guid = md5_of(out.extension);
  out.packet = begin + first +
               "<rdf:Description rdf:about='' xmlns:xmpNote='http://ns.adobe.com/xmp/note/' "
               "xmpNote:HasExtendedXMP='" +
               out.guid + "'/>" + end;
  return out;
}

std::string without_notes(std::string packet) {
  constexpr int most = 16;  // each takes as long as the packet
  for (int i = 0; i < most && packet.find(note) != npos; ++i) remove_note(packet);
  return packet;
}

std::string without_thumbnails(std::string packet) {
  while (remove_element(packet, "Thumbnails")) {
  }
  return packet;
}

}  // namespace sfumato::files
