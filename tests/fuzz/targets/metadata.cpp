// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Metadata as files hold it: EXIF, JPEG's segments, IPTC and XMP.
#include "fuzz/targets/seeds.hpp"
#include "io/module/embedded.hpp"
#include "io/module/pixel_change.hpp"

namespace {

using namespace sfumato;
using namespace sfumato::files;
using namespace std::string_literals;

constexpr int kinds = 5;

std::string exif_seed() {
  Exif exif;
  exif.big_endian = true;
  exif.image[0x010f] = {2, 7, "camera\0"s};
  exif.photo[0x9286] = {7, 12, "ASCII\0\0\0text"s};
  exif.gps[1] = {2, 2, "N\0"s};
  return exif_block(exif);
}

std::string segment(char marker, const std::string& body) {
  std::string out = "\xff"s + marker;
  append_big_endian(out, body.size() + 2, 2);
  return out + body;
}

void read_exif(const std::string& bytes) {
  const Exif exif = exif_in_block(bytes);
  const std::string written = exif_block(exif);
  Exif again = exif_in_block(written);
  if (exif_block(again) != written) fuzz::broken("EXIF survives a round trip");
  comment_of(exif);
  exif_in_order(exif, !exif.big_endian);
  Exif turned = exif;
  change_pixels(turning({300, 200}, 6) + scaling({200, 300}, {100, 150}), turned);
}

void read_jpeg(const std::string& bytes) {
  Bytes in(bytes);
  in.set_big_endian(true);
  Metadata metadata;
  read_jpeg_metadata(in, metadata);
  std::string comment;
  fit_jpeg(metadata, comment);
  exif_block(metadata.exif);
  png_chunks(metadata);
}

void read_iptc(const std::string& bytes) {
  const std::string iptc = iptc_of_resources(bytes);
  bool cut = false;
  carried_resources(bytes, cut);
  if (!iptc.empty() && iptc_of_resources(resources_of(iptc)) != iptc)
    fuzz::broken("IPTC survives a round trip");
}

// The first half is a packet, the second its extension.
void read_xmp(const std::string& bytes) {
  const std::string first = bytes.substr(0, bytes.size() / 2), rest = bytes.substr(first.size());
  guid_of_extension(first);
  joined_xmp(first, rest);
  without_thumbnails(bytes);
  without_attached(bytes);
  for (int orientation = 1; orientation <= 8; ++orientation) {
    changed_xmp(turning({300, 200}, orientation), bytes);
  }
  changed_xmp(scaling({300, 200}, {150, 100}), bytes);
  for (const std::size_t most : {std::size_t{300}, bytes.size() / 2}) {
    const DividedXmp divided = divided_xmp(bytes, most);
    if (divided.packet.size() > most) fuzz::broken("a packet is as short as was asked for");
    if (!divided.extension.empty() && guid_of_extension(divided.packet) != divided.guid)
      fuzz::broken("a packet names its extension");
  }
}

void read_texts(const std::string& bytes) {
  const std::string text = utf8_of(bytes);
  if (utf8_of(text) != text) fuzz::broken("UTF-8 stays as it is");
  OIIO::ImageSpec spec(4, 4, 3, OIIO::TypeDesc::UINT8);
  spec.attribute("Comment", bytes);
  spec.attribute("other", text);
  make_texts_utf8(spec);
  Exif exif;
  exif.big_endian = bytes.size() % 2 == 0;
  put_comment(exif, spec);
  comment_of(exif);
  take_png_texts(spec, {}, true);
}

}  // namespace

std::vector<std::string> sfumato::fuzz::seeds() {
  const std::string xmp =
      "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='r'><rdf:Description "
      "xmlns:dc='d'><dc:title>sky</dc:title></rdf:Description><rdf:Description "
      "xmpNote:HasExtendedXMP='0123456789ABCDEF0123456789ABCDEF'/></rdf:RDF></x:xmpmeta>";
  const std::string iptc =
      "\x1c\x02\x50\0\x03"
      "Ada"s;
  return {"\0"s + exif_seed(),
          "\1\xff\xd8"s + segment('\xe1', std::string(exif_mark) + exif_seed()) +
              segment('\xe1', "http://ns.adobe.com/xap/1.0/\0"s + xmp) +
              segment('\xed', "Photoshop 3.0\0"s + resources_of(iptc)) +
              segment('\xe1', "http://ns.adobe.com/xmp/extension/\0"s +
                                  "0123456789ABCDEF0123456789ABCDEF" + "\0\0\0\4\0\0\0\0abcd"s),
          "\2"s + resources_of(iptc), "\3"s + xmp + xmp, "\4na\xc3\xafve \xf0\x9f\x8c\xab"s};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % kinds) {
    case 0:
      read_exif(bytes);
      break;
    case 1:
      read_jpeg(bytes);
      break;
    case 2:
      read_iptc(bytes);
      break;
    case 3:
      read_xmp(bytes);
      break;
    default:
      read_texts(bytes);
      break;
  }
  return 0;
}
