// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The table of metadata that a decoder sends, which a hostile file may have written: what is
// accepted can be written into every format.
#include <stdexcept>

#include "fuzz/targets/seeds.hpp"
#include "io/module/embedded.hpp"
#include "io/module/origin.hpp"

namespace {

using namespace sfumato;
using namespace sfumato::files;

OriginDescription description() {
  OriginDescription d;
  OIIO::ImageSpec spec(6, 5, 4, OIIO::TypeDesc::HALF);
  spec.attribute("ImageDescription", "a sky");
  spec.attribute("XResolution", 300.0f);
  spec.attribute("Exif:ISOSpeedRatings", 100);
  const float window[] = {0, 0, 1, 1};
  spec.attribute("window", OIIO::TypeDesc(OIIO::TypeDesc::FLOAT, OIIO::TypeDesc::VEC4), window);
  spec.channelformats = {OIIO::TypeDesc::HALF, OIIO::TypeDesc::HALF, OIIO::TypeDesc::HALF,
                         OIIO::TypeDesc::FLOAT};
  d.parts = {spec};
  d.choice = {0, {0, 1, 2, 3}, 3, 0};
  d.metadata.exif.image[0x010f] = {2, 7, std::string("camera\0", 7)};
  d.metadata.exif.photo[0x9286] = {7, 12, std::string("ASCII\0\0\0text", 12)};
  d.metadata.exif.gps[1] = {2, 2, std::string("N\0", 2)};
  d.metadata.iptc = std::string(
      "\x1c\x02\x50\0\x03"
      "Ada",
      8);
  d.metadata.xmp = "<rdf:RDF><rdf:Description/></rdf:RDF>";
  d.profile.primaries = srgb_primaries;
  return d;
}

void write_everywhere(const OriginDescription& d) {
  Metadata metadata = d.metadata;
  exif_block(metadata.exif);
  png_chunks(metadata);
  resources_of(metadata.iptc);
  comment_of(metadata.exif);
  exif_in_order(metadata.exif, !metadata.exif.big_endian);
  std::string comment;
  fit_jpeg(metadata, comment);
  for (OIIO::ImageSpec spec : d.parts) {
    part_name(spec);
    has_comments(spec);
    has_camera(spec);
    iptc_of(spec);
    has_other_metadata(spec, false);
    for (const char* kind : {"png", "jpeg", "tiff", "openexr"}) {
      OIIO::ImageSpec to(spec.width, spec.height, 3, OIIO::TypeDesc::UINT8);
      copy_metadata(spec, "tiff", to, kind, true);
      convert_resolution(to, kind);
      put_comment(metadata.exif, to);
    }
    make_texts_utf8(spec);
    take_png_texts(spec, metadata, false);
    keep_only_storage(spec);
  }
}

}  // namespace

std::vector<std::string> sfumato::fuzz::seeds() {
  OriginDescription less;
  less.parts = description().parts;
  less.metadata = description().metadata;
  return {packed(description()), packed(less)};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  try {
    const OriginDescription d = unpacked_description(bytes);
    const std::string again = packed(d);
    if (packed(unpacked_description(again)) != again)
      fuzz::broken("a description survives a round trip");
    write_everywhere(d);
  } catch (const std::runtime_error&) {
    // it is none
  }
  return 0;
}
