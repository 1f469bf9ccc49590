// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Texts and chunks of PNG files that go into another PNG file as they are, and the names of those
// that cannot.
#include <OpenImageIO/tiffutils.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>

#include "io/module/embedded.hpp"
#include "io/module/exif_attributes.hpp"

namespace sfumato::files {
namespace {

using OIIO::ImageSpec;
using namespace std::string_view_literals;

// More are left out by their names: descriptions must not become too long.
constexpr std::size_t most_carried = std::size_t{2} << 20,
                      most_carried_texts = std::size_t{32} << 20;

// Chunks that are read elsewhere, or belong to the picture's data.
constexpr std::array known_chunks = {"IHDR"sv, "PLTE"sv, "IEND"sv, "tRNS"sv, "cHRM"sv, "gAMA"sv,
                                     "iCCP"sv, "sRGB"sv, "cICP"sv, "pHYs"sv, "tIME"sv, "eXIf"sv,
                                     "tEXt"sv, "zTXt"sv, "iTXt"sv, "acTL"sv};

bool is_default(const std::string& language) {
  return language.empty() || lower(language) == "x-default";
}

// As OpenImageIO's reader names texts.
std::string attribute_of(const std::string& keyword) {
  const std::string key = lower(keyword);
  if (key == "description") return "ImageDescription";
  if (key == "author") return "Artist";
  if (key == "title") return "DocumentName";
  return keyword;
}

void add_to_list(std::string& list, const std::string& name) {
  list += (list.empty() ? "" : ", ") + name;
}

// The texts of one keyword. Other formats hold one of them: that in the default language, else in
// the first one's.
struct TextsOfKeyword {
  std::string name;  // as an attribute
  std::vector<const PngText*> all;

  std::string chosen(std::string& others) const {
    const auto found = std::find_if(all.begin(), all.end(),
                                    [](const PngText* one) { return is_default(one->language); });
    const std::string language = found == all.end() ? all.front()->language : "";
    std::string out;
    for (const PngText* one : all) {
      if (one->language == language || (language.empty() && is_default(one->language))) {
        if (one->text != out) out += (out.empty() ? "" : "\n") + one->text;
      } else {
        add_to_list(others, one->keyword + " (" + one->language + ")");
      }
    }
    return out;
  }
};

std::vector<TextsOfKeyword> by_keyword(const std::vector<PngText>& texts) {
  std::vector<TextsOfKeyword> out;
  std::map<std::string, std::size_t> places;
  for (const PngText& one : texts) {
    const std::string name = attribute_of(one.keyword);
    const auto [place, is_new] = places.try_emplace(lower(name), out.size());
    if (is_new) out.push_back({name, {}});
    out[place->second].all.push_back(&one);
  }
  return out;
}

// What EXIF says, by the names that texts have as attributes.
ImageSpec said_in_exif(Bytes& in) {
  ImageSpec out;
  const std::string exif = metadata_in_png(in).exif;
  if (!exif.empty()) OIIO::decode_exif(exif, out);
  make_texts_utf8(out);
  const Exif held = exif_in_block(exif);
  complete_copyright(held, out);
  // OpenImageIO does not read these.
  for (const auto& [tag, name] : {std::pair<std::uint16_t, const char*>{0x010d, "DocumentName"},
                                  {0x011d, "PageName"},
                                  {0x013c, "HostComputer"}}) {
    const auto found = held.image.find(tag);
    if (found != held.image.end()) out.attribute(name, text_in(found->second));
  }
  return out;
}

std::string without_end(std::string text) {
  while (!text.empty() && (text.back() == '\0' || text.back() == '\n' || text.back() == ' ')) {
    text.pop_back();
  }
  return text;
}

// Other formats get one text of a kind, EXIF's if it has one. What they do not get is one of
// `others`: OpenImageIO reads the first 1000 texts, and some names mean other things than texts.
void settle_text(const TextsOfKeyword& group, const ImageSpec& exif, ImageSpec& spec,
                 std::string& others, std::string& attributes) {
  const std::string chosen = group.chosen(others);
  std::string held = without_end(std::string(spec.get_string_attribute(group.name)));
  const std::string first = without_end(std::string(exif.get_string_attribute(group.name)));
  if (!held.empty()) {
    // The date is that of the file's own chunk.
    const std::string& wanted = !first.empty()                    ? first
                                : lower(group.name) == "datetime" ? held
                                                                  : chosen;
    if (wanted != held) spec.attribute(group.name, wanted);
    held = wanted;
  }
  const TextPlace place = place_of_text(group.name);
  const std::string& keyword = group.all.front()->keyword;
  if (place == TextPlace::none || without_end(held) != without_end(chosen)) {
    add_to_list(others, keyword);
  } else if (place == TextPlace::attribute) {
    add_to_list(attributes, keyword);
  }
}

// The texts of a PNG file that go into another one as they are: keywords as long as there is room
// for all texts of each. `lost` are those of a keyword that other formats do not get.
struct CarriedTexts {
  std::string names, lost;
  std::size_t bytes = 0;
  std::set<std::string> keywords;

  void add(const TextsOfKeyword& group, const std::string& others) {
    std::size_t size = 0;
    for (const PngText* one : group.all) size += one->chunk.size();
    if (bytes + size > most_carried_texts) {
      if (!others.empty()) add_to_list(lost, others);
      return;
    }
    bytes += size;
    names += group.name + "\n";
    for (const PngText* one : group.all) keywords.insert(one->keyword);
  }
};

void read_texts(Bytes& in, ImageSpec& spec) {
  std::string unread = metadata_in_png(in).unread;
  std::vector<PngText> texts = texts_in_png(in, unread);
  if (!unread.empty()) spec.attribute(unread_texts, unread);
  // What OpenImageIO says there of the samples is said anew.
  std::erase_if(texts,
                [](const PngText& one) { return lower(one.keyword).rfind("oiio:", 0) == 0; });
  if (texts.empty()) return;
  const ImageSpec exif = said_in_exif(in);
  make_texts_utf8(spec);
  std::string others, attributes, chunks;
  CarriedTexts carried;
  for (const TextsOfKeyword& group : by_keyword(texts)) {
    std::string of_group;
    settle_text(group, exif, spec, of_group, attributes);
    if (!of_group.empty()) add_to_list(others, of_group);
    carried.add(group, of_group);
  }
  for (const PngText& one : texts) {
    if (carried.keywords.count(one.keyword) != 0) chunks += one.chunk;
  }
  if (!others.empty()) spec.attribute("sfumato:other_texts", others);
  if (!attributes.empty()) spec.attribute("sfumato:attribute_texts", attributes);
  if (!carried.lost.empty()) spec.attribute(uncarried_texts, carried.lost);
  if (chunks.empty()) return;
  put_bytes(spec, "sfumato:png_texts", chunks);
  spec.attribute("sfumato:png_keywords", carried.names);
}

// The background as a picture of 16 bits would hold it: one number or three. Empty if it makes no
// sense.
std::string ground_of(Bytes& in, const std::vector<Chunk>& chunks, const std::string& data) {
  constexpr int of_palette = 3;
  const auto depth = static_cast<int>(in.number(24, 1)), kind = static_cast<int>(in.number(25, 1));
  std::vector<std::uint64_t> values;
  std::uint64_t most = (std::uint64_t{1} << std::clamp(depth, 1, 16)) - 1;
  if (kind == of_palette) {
    const auto palette = std::find_if(chunks.begin(), chunks.end(),
                                      [](const Chunk& one) { return one.name == "PLTE"; });
    const std::uint64_t at = 3 * big_endian_at(data, 0, 1);
    if (data.size() != 1 || palette == chunks.end() || at + 3 > palette->size) return {};
    for (std::uint64_t i = 0; i < 3; ++i) values.push_back(in.number(palette->at + at + i, 1));
    most = 255;
  } else {
    for (std::size_t i = 0; i + 2 <= data.size(); i += 2) {
      values.push_back(big_endian_at(data, i, 2) & most);
    }
    if (values.size() != ((kind & 2) != 0 ? 3u : 1u)) return {};
  }
  std::string out;
  for (const std::uint64_t value : values) append_big_endian(out, value * 65535 / most, 2);
  return out;
}

// Whether all bits of the samples count, so that nothing is lost without these words.
bool are_full(Bytes& in, const std::string& bits) {
  constexpr std::uint64_t of_palette = 3;
  const std::uint64_t depth = in.number(25, 1) == of_palette ? 8 : in.number(24, 1);
  return std::all_of(bits.begin(), bits.end(),
                     [&](char c) { return static_cast<unsigned char>(c) == depth; });
}

bool is_name(const std::string& name) {
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); });
}

// What becomes of other chunks.
struct OtherChunks {
  std::string kept, kept_names, lost;

  void lose(const std::string& name) {
    if ((", " + lost + ",").find(" " + name + ",") == std::string::npos) add_to_list(lost, name);
  }
  void keep(const std::string& name, const std::string& chunk) {
    if (kept.size() + chunk.size() > most_carried) return lose(name);
    kept += chunk;
    if ((", " + kept_names + ",").find(" " + name + ",") == std::string::npos) {
      add_to_list(kept_names, name);
    }
  }
};

// Chunks about the light that are metadata in HEIF, too. False for others.
bool read_light(const std::string& name, const std::string& data, ImageSpec& spec) {
  const std::string key = lower(name);
  if (key == "mdcv" && data.size() == 24) {
    put_bytes(spec, mastering_display, data);
  } else if (key == "clli" && data.size() == 8) {
    put_bytes(spec, light_level, data);
  } else {
    return false;
  }
  return true;
}

void read_chunk(Bytes& in, const std::vector<Chunk>& chunks, const Chunk& chunk, ImageSpec& spec,
                OtherChunks& out) {
  const std::string data = in.text(chunk.at, chunk.size);
  const std::string whole = png_chunk(chunk.name + data);
  // Too long, or damaged.
  if (data.size() != chunk.size || in.text(chunk.end() - 4, 4) != whole.substr(whole.size() - 4)) {
    return out.lose(chunk.name);
  }
  if (read_light(chunk.name, data, spec)) return;
  if (chunk.name == "bKGD") {
    const std::string ground = ground_of(in, chunks, data);
    if (!ground.empty()) put_bytes(spec, "sfumato:png_ground", ground);
    return ground.empty() ? out.lose(chunk.name) : void();
  }
  if (chunk.name == "sBIT" && are_full(in, data)) return;
  if (chunk.name == "oFFs" && data.find_first_not_of('\0') == std::string::npos) return;
  // The fourth letter tells editors whether it stays true of other samples (PNG, 5.4).
  const bool safe_to_copy = (chunk.name[3] & 0x20) != 0;
  safe_to_copy ? out.keep(chunk.name, whole) : out.lose(chunk.name);
}

// The number of 16 bits at a place, in as many bits as samples have, as two bytes.
std::string sample_of(const std::string& ground, std::size_t at, bool eight_bits) {
  const double value = static_cast<double>(big_endian_at(ground, at, 2));
  std::string out;
  append_big_endian(out, static_cast<std::size_t>(std::lround(eight_bits ? value / 257 : value)),
                    2);
  return out;
}

}  // namespace

void put_bytes(ImageSpec& spec, const char* name, const std::string& bytes) {
  spec.attribute(name, OIIO::TypeDesc(OIIO::TypeDesc::UINT8, static_cast<int>(bytes.size())),
                 bytes.data());
}

std::string bytes_in(const ImageSpec& spec, const char* name) {
  const OIIO::ParamValue* held = spec.find_attribute(name);
  if (held == nullptr || held->type().basetype != OIIO::TypeDesc::UINT8) return {};
  return {static_cast<const char*>(held->data()), static_cast<std::size_t>(held->datasize())};
}

std::string date_in_png(const std::filesystem::path& path) {
  Bytes in(path, true);
  for (const Chunk& chunk : chunks_of_png(in)) {
    if (chunk.name != "tIME" || chunk.size != 7) continue;
    std::array<unsigned, 6> parts{static_cast<unsigned>(in.number(chunk.at, 2))};
    for (std::size_t i = 1; i < 6; ++i) {
      parts[i] = static_cast<unsigned>(in.number(chunk.at + 1 + i, 1));
    }
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%04u:%02u:%02u %02u:%02u:%02u", parts[0], parts[1],
                  parts[2], parts[3], parts[4], parts[5]);
    return text.data();
  }
  return {};
}

void read_png_chunks(const std::filesystem::path& path, ImageSpec& spec) {
  Bytes in(path, true);
  read_texts(in, spec);
  const std::vector<Chunk> chunks = chunks_of_png(in);
  OtherChunks others;
  for (const Chunk& chunk : chunks) {
    const bool other =
        std::find(known_chunks.begin(), known_chunks.end(), chunk.name) == known_chunks.end();
    if (other && is_name(chunk.name)) read_chunk(in, chunks, chunk, spec, others);
  }
  if (!others.kept.empty()) put_bytes(spec, "sfumato:png_chunks", others.kept);
  if (!others.kept_names.empty()) spec.attribute("sfumato:png_kept", others.kept_names);
  if (!others.lost.empty()) spec.attribute("sfumato:png_lost", others.lost);
  if (chunks.size() == most_png_chunks) spec.attribute("sfumato:png_more", 1);
}

std::string take_carried_texts(const ImageSpec& from, ImageSpec& to) {
  const std::string chunks = bytes_in(from, "sfumato:png_texts");
  if (chunks.empty()) return {};
  const std::string names =
      "\n" + lower(std::string(from.get_string_attribute("sfumato:png_keywords")));
  auto& all = to.extra_attribs;
  const auto carried = [&](const OIIO::ParamValue& p) {
    const std::string name = lower(p.name().string());
    // These are no texts in PNG.
    if (name == "datetime" || name == "resolutionunit") return false;
    return p.type() == OIIO::TypeDesc::STRING &&
           names.find("\n" + name + "\n") != std::string::npos;
  };
  all.erase(std::remove_if(all.begin(), all.end(), carried), all.end());
  return chunks;
}

std::string ground_chunk(const ImageSpec& from, int colors, bool eight_bits) {
  const std::string ground = bytes_in(from, "sfumato:png_ground");
  if (ground.empty()) return {};
  const bool gray = ground.size() == 2 || (ground.substr(0, 2) == ground.substr(2, 2) &&
                                           ground.substr(0, 2) == ground.substr(4, 2));
  if (colors == 1 && !gray) return {};
  std::string data = "bKGD";
  for (std::size_t i = 0; i < static_cast<std::size_t>(colors); ++i) {
    data += sample_of(ground, ground.size() == 2 ? 0 : 2 * i, eight_bits);
  }
  return png_chunk(data);
}

std::string light_chunks(const ImageSpec& from) {
  std::string out;
  const std::string mastering = bytes_in(from, mastering_display),
                    level = bytes_in(from, light_level);
  if (!mastering.empty()) out += png_chunk("mDCV" + mastering);
  if (!level.empty()) out += png_chunk("cLLI" + level);
  return out;
}

}  // namespace sfumato::files
