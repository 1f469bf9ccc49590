// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Descriptions of files as bytes. They come from a process that read a hostile file: nothing in
// them is checked_answer.
#include "io/module/origin.hpp"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <utility>

#include "io/module/tiff_writer.hpp"
#include "text/cbor.hpp"
#include "text/message_json.hpp"

namespace sfumato::files {
namespace {

using Json = nlohmann::ordered_json;
using OIIO::ImageSpec;
using OIIO::ParamValue;
using OIIO::TypeDesc;

constexpr int most_channels = 1 << 16, largest_side = 1 << 30;
// More do not fit into a packet; the product of two of them and of an aggregate fits into 64 bits.
constexpr int most_values = 1 << 26;

// Bytes that describe no file.
class Malformed : public std::runtime_error {
 public:
  Malformed() : std::runtime_error("a description makes no sense") {}
};

[[noreturn]] void refuse() {
  throw Malformed();
}

// What `unpack` makes of a description of the picture's file. Throws FileError if it is none.
template <typename Unpack>
auto unpacked_of(const InputPicture& picture, Unpack unpack) try {
  return unpack();
} catch (const Malformed&) {
  throw FileError(message({"origin.malformed",
                           "{file}: the file could not be read: its decoder described it in a way "
                           "that makes no sense; the file may be hostile"},
                          shown(picture.info().path)));
}

Json binary(const void* data, std::size_t bytes) {
  const auto* first = static_cast<const std::uint8_t*>(data);
  return Json::binary(std::vector<std::uint8_t>(first, first + bytes));
}
Json binary(const std::string& text) {
  return binary(text.data(), text.size());
}
std::string text_of(const Json& json) {
  const auto& bytes = json.get_binary();
  return {bytes.begin(), bytes.end()};
}

Json json_of_type(const TypeDesc& t) {
  return {t.basetype, t.aggregate, t.vecsemantics, t.arraylen};
}

TypeDesc type_of(const Json& json) {
  const int base = json.at(0).get<int>(), aggregate = json.at(1).get<int>();
  const int length = json.at(3).get<int>();
  const bool known_aggregate = aggregate == TypeDesc::SCALAR || aggregate == TypeDesc::VEC2 ||
                               aggregate == TypeDesc::VEC3 || aggregate == TypeDesc::VEC4 ||
                               aggregate == TypeDesc::MATRIX33 || aggregate == TypeDesc::MATRIX44;
  // Pointers are no data.
  const int meaning = json.at(2).get<int>();
  const bool known_meaning = meaning >= TypeDesc::NOSEMANTICS && meaning <= TypeDesc::RATIONAL;
  if (base < 0 || base > TypeDesc::STRING || !known_aggregate || !known_meaning || length < 0 ||
      length > most_values) {
    refuse();
  }
  return {static_cast<TypeDesc::BASETYPE>(base), static_cast<TypeDesc::AGGREGATE>(aggregate),
          static_cast<TypeDesc::VECSEMANTICS>(meaning), length};
}

std::size_t strings_in(const ParamValue& p) {
  return p.type().numelements() * static_cast<std::size_t>(p.type().aggregate) *
         static_cast<std::size_t>(p.nvalues());
}

Json json_of_value(const ParamValue& p) {
  Json data;
  if (p.type().basetype == TypeDesc::STRING) {
    data = Json::array();
    const auto* texts = static_cast<const OIIO::ustring*>(p.data());
    for (std::size_t i = 0; i < strings_in(p); ++i) data.push_back(binary(texts[i].string()));
  } else {
    data = binary(p.data(), static_cast<std::size_t>(p.datasize()));
  }
  return {binary(p.name().string()), json_of_type(p.type()), p.nvalues(), std::move(data)};
}

ParamValue value_of(const Json& json) {
  const std::string name = text_of(json.at(0));
  const TypeDesc type = type_of(json.at(1));
  const int count = json.at(2).get<int>();
  const Json& data = json.at(3);
  if (count < 1 || count > most_values) refuse();
  if (type.basetype == TypeDesc::STRING) {
    std::vector<OIIO::ustring> texts;
    for (const Json& one : data) texts.emplace_back(text_of(one));
    if (texts.size() != type.numelements() * static_cast<std::size_t>(type.aggregate) *
                            static_cast<std::size_t>(count)) {
      refuse();
    }
    return {name, type, count, texts.data()};
  }
  const auto& bytes = data.get_binary();
  if (bytes.size() / static_cast<std::size_t>(count) != type.size() ||
      bytes.size() % static_cast<std::size_t>(count) != 0) {
    refuse();
  }
  return {name, type, count, bytes.data()};
}

Json json_of_spec(const ImageSpec& s) {
  Json names = Json::array(), formats = Json::array(), values = Json::array();
  // Some readers name more channels than there are, or fewer.
  for (int c = 0; c < s.nchannels; ++c) names.push_back(binary(std::string(s.channel_name(c))));
  for (int c = 0; c < s.nchannels && !s.channelformats.empty(); ++c) {
    formats.push_back(json_of_type(s.channelformat(c)));
  }
  for (const ParamValue& p : s.extra_attribs) {
    if (p.type().basetype <= TypeDesc::STRING) values.push_back(json_of_value(p));
  }
  return {{"window", {s.x, s.y, s.z, s.width, s.height, s.depth}},
          {"full", {s.full_x, s.full_y, s.full_z, s.full_width, s.full_height, s.full_depth}},
          {"tile", {s.tile_width, s.tile_height, s.tile_depth}},
          {"channels", s.nchannels},
          {"format", json_of_type(s.format)},
          {"formats", std::move(formats)},
          {"names", std::move(names)},
          {"alpha", s.alpha_channel},
          {"z", s.z_channel},
          {"deep", s.deep},
          {"values", std::move(values)}};
}

void read_sides(const Json& json, std::initializer_list<int*> to, int least) {
  std::size_t at = 0;
  for (int* side : to) {
    const auto value = json.at(at++).get<std::int64_t>();
    if (value < least || value > largest_side) refuse();
    *side = static_cast<int>(value);
  }
}

ImageSpec spec_of(const Json& json) {
  ImageSpec s;
  const Json &window = json.at("window"), &full = json.at("full");
  read_sides(window, {&s.x, &s.y, &s.z, &s.width, &s.height, &s.depth}, -largest_side);
  read_sides(full, {&s.full_x, &s.full_y, &s.full_z, &s.full_width, &s.full_height, &s.full_depth},
             -largest_side);
  read_sides(json.at("tile"), {&s.tile_width, &s.tile_height, &s.tile_depth}, 0);
  if (s.width < 1 || s.height < 1 || s.depth < 0) refuse();
  s.nchannels = json.at("channels").get<int>();
  if (s.nchannels < 1 || s.nchannels > most_channels) refuse();
  s.format = type_of(json.at("format"));
  for (const Json& one : json.at("formats")) s.channelformats.push_back(type_of(one));
  for (const Json& one : json.at("names")) s.channelnames.push_back(text_of(one));
  const auto channels = static_cast<std::size_t>(s.nchannels);
  if (s.channelnames.size() != channels ||
      (!s.channelformats.empty() && s.channelformats.size() != channels)) {
    refuse();
  }
  s.alpha_channel = json.at("alpha").get<int>();
  s.z_channel = json.at("z").get<int>();
  if (s.alpha_channel >= s.nchannels || s.z_channel >= s.nchannels) refuse();
  s.deep = json.at("deep").get<bool>();
  for (const Json& one : json.at("values")) s.extra_attribs.push_back(value_of(one));
  return s;
}

Json json_of_entries(const TiffEntries& entries) {
  Json out = Json::array();
  for (const auto& [tag, e] : entries) {
    out.push_back({tag, e.type, e.count, binary(e.value), binary(e.raw)});
  }
  return out;
}

TiffEntries entries_of(const Json& json) {
  TiffEntries out;
  for (const Json& one : json) {
    TiffEntry entry{one.at(1).get<int>(), one.at(2).get<std::uint64_t>(), text_of(one.at(3)),
                    text_of(one.at(4))};
    // A writer goes by the count and reads as many bytes.
    const std::uint64_t bytes = tiff_value_bytes(entry.type);
    if (entry.raw.empty() && (bytes == 0 || entry.count != entry.value.size() / bytes)) refuse();
    out[one.at(0).get<std::uint16_t>()] = std::move(entry);
  }
  return out;
}

Json json_of_metadata(const Metadata& m) {
  return {{"big_endian", m.exif.big_endian},
          {"image", json_of_entries(m.exif.image)},
          {"photo", json_of_entries(m.exif.photo)},
          {"gps", json_of_entries(m.exif.gps)},
          {"rules", json_of_entries(m.exif.interoperability)},
          {"iptc", binary(m.iptc)},
          {"xmp", binary(m.xmp)},
          {"resources", binary(m.resources)},
          {"tags", json_of_entries(m.tags)},
          {"exif_cut", m.exif.is_damaged},
          {"resources_cut", m.resources_are_cut},
          {"tags_cut", m.tags_are_cut},
          {"texts_cut", m.texts_are_cut},
          {"cut", m.xmp_is_cut}};
}

Metadata metadata_of(const Json& json) {
  Metadata m;
  m.exif.big_endian = json.at("big_endian").get<bool>();
  m.exif.image = entries_of(json.at("image"));
  m.exif.photo = entries_of(json.at("photo"));
  m.exif.gps = entries_of(json.at("gps"));
  m.exif.interoperability = entries_of(json.at("rules"));
  m.iptc = text_of(json.at("iptc"));
  m.xmp = text_of(json.at("xmp"));
  m.resources = text_of(json.at("resources"));
  m.tags = entries_of(json.at("tags"));
  m.exif.is_damaged = json.at("exif_cut").get<bool>();
  m.resources_are_cut = json.at("resources_cut").get<bool>();
  m.tags_are_cut = json.at("tags_cut").get<bool>();
  m.texts_are_cut = json.at("texts_cut").get<bool>();
  m.xmp_is_cut = json.at("cut").get<bool>();
  return m;
}

Json json_of_numbers(const DeclaredNumbers& n) {
  return {n.declared, static_cast<int>(n.curve), n.cicp};
}

DeclaredNumbers numbers_of(const Json& json) {
  DeclaredNumbers n;
  n.declared = json.at(0).get<bool>();
  const int curve = json.at(1).get<int>();
  if (curve < 0 || curve > static_cast<int>(HdrCurve::hlg)) refuse();
  n.curve = static_cast<HdrCurve>(curve);
  n.cicp = json.at(2).get<std::array<unsigned char, 4>>();
  return n;
}

Json json_of_facts(const ProfileFacts& facts) {
  Json out{facts.gray, facts.srgb, facts.srgb_primaries};
  if (facts.primaries) out.push_back(*facts.primaries);
  return out;
}

ProfileFacts facts_of_json(const Json& json) {
  ProfileFacts facts{json.at(0).get<bool>(), json.at(1).get<bool>(), json.at(2).get<bool>(), {}};
  if (json.size() > 3) facts.primaries = json.at(3).get<Primaries>();
  return facts;
}

Choice choice_of(const Json& json, const std::vector<ImageSpec>& parts) {
  Choice c;
  c.part = json.at("part").get<int>();
  c.channels = json.at("channels").get<std::vector<int>>();
  c.alpha = json.at("alpha").get<int>();
  c.blank = json.at("blank").get<int>();
  if (c.blank < 0 || c.blank > 1) refuse();
  if (c.part < 0 || static_cast<std::size_t>(c.part) >= parts.size()) refuse();
  const int most = parts[static_cast<std::size_t>(c.part)].nchannels;
  for (const int channel : c.channels) {
    if (channel < 0 || channel >= most) refuse();
  }
  return c;
}

OriginDescription description_of(const Json& json) {
  OriginDescription d;
  for (const Json& one : json.at("parts")) d.parts.push_back(spec_of(one));
  d.choice = choice_of(json.at("choice"), d.parts);
  if (json.contains("numbers")) {
    d.other_numbers = message_of_json(json.at("numbers"));
    if (!d.other_numbers) refuse();
  }
  d.more_pages = json.at("more_pages").get<bool>();
  d.metadata = metadata_of(json.at("metadata"));
  d.numbers = numbers_of(json.at("colours"));
  d.profile = facts_of_json(json.at("profile"));
  return d;
}

template <typename Read>
auto parsed(const std::string& bytes, Read read) try {
  return read(from_cbor(bytes));
} catch (const nlohmann::json::exception&) {
  refuse();
}

}  // namespace

std::string packed(const OriginDescription& d) {
  Json parts = Json::array();
  for (const ImageSpec& s : d.parts) parts.push_back(json_of_spec(s));
  Json json{{"parts", std::move(parts)},
            {"choice",
             {{"part", d.choice.part},
              {"channels", d.choice.channels},
              {"alpha", d.choice.alpha},
              {"blank", d.choice.blank}}},
            {"more_pages", d.more_pages},
            {"metadata", json_of_metadata(d.metadata)},
            {"colours", json_of_numbers(d.numbers)},
            {"profile", json_of_facts(d.profile)}};
  if (d.other_numbers) json["numbers"] = json_of(*d.other_numbers);
  return to_cbor(json);
}

OriginDescription unpacked_description(const std::string& bytes) {
  return parsed(bytes, description_of);
}

Origin::Origin(InputPicture& picture)
    : picture_(picture), description_(unpacked_of(picture, [&] {
        return unpacked_description(picture.origin()->description());
      })) {
  // Pixels are read with one, and merged with rows that are read by the other.
  const PictureFormat& format = picture.format();
  const std::vector<int>& channels = choice().channels;
  const std::set<int> different(channels.begin(), channels.end());
  if (spec().width != format.width || spec().height != format.height ||
      std::cmp_not_equal(choice().count(), format.channels) ||
      different.size() != channels.size() ||
      (choice().alpha != -1 && choice().alpha != format.channels - 1) ||
      (numbers().curve != HdrCurve::none && format.type != SampleType::f32)) {
    unpacked_of(picture, [] { refuse(); });
  }
}

void Origin::read(int part, const ImageSpec& spec, int y0, int y1, void* to) const {
  const auto row = static_cast<std::size_t>(spec.scanline_bytes(true));
  picture_.origin()->read_native(part, y0, y1, to, row * static_cast<std::size_t>(y1 - y0));
}

}  // namespace sfumato::files
