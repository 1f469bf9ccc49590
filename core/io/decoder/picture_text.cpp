// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Packing and checking.
#include "io/decoder/picture_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "device/channel.hpp"
#include "text/cbor.hpp"
#include "text/message_json.hpp"

namespace sfumato::decoder {
namespace {

using Json = nlohmann::ordered_json;

constexpr int largest_side = 1 << 30;
constexpr std::size_t most_texts = 100000;

template <typename Read>
auto parsed(const std::string& text, Read read) try {
  return read(from_cbor(text));
} catch (const nlohmann::json::exception& error) {
  throw ProtocolError(error.what());
}

void require(bool good) {
  if (!good) throw ProtocolError("a value makes no sense");
}

// People must be able to read something.
bool says_something(const Message& message) {
  const std::string text = in_english(message);
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) > ' '; });
}

// Names in files may be any bytes.
Json binary(const std::string& text) {
  return Json::binary(std::vector<std::uint8_t>(text.begin(), text.end()));
}

std::string bytes_of(const Json& json) {
  const auto& bytes = json.get_binary();
  return {bytes.begin(), bytes.end()};
}

Json json_of(const std::vector<std::string>& texts) {
  Json out = Json::array();
  for (const std::string& text : texts) out.push_back(binary(text));
  return out;
}

std::vector<std::string> texts_of(const Json& json) {
  require(json.is_array() && json.size() <= most_texts);
  std::vector<std::string> out;
  for (const Json& one : json) out.push_back(bytes_of(one));
  return out;
}

Json json_of(const Rect& r) {
  return {r.x0, r.y0, r.x1, r.y1};
}

Rect rect_of(const Json& json) {
  Rect r{json.at(0).get<int>(), json.at(1).get<int>(), json.at(2).get<int>(),
         json.at(3).get<int>()};
  for (const int side : {r.x0, r.y0, r.x1, r.y1}) {
    require(side >= -largest_side && side <= largest_side);
  }
  return r;
}

// Both processes run on one machine: the order of bytes is the same.
Json packed(const std::vector<std::uint16_t>& numbers) {
  std::vector<std::uint8_t> bytes(numbers.size() * sizeof(std::uint16_t));
  if (!bytes.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return Json::binary(std::move(bytes));
}

std::vector<std::uint16_t> unpacked(const Json& json) {
  const auto& bytes = json.get_binary();
  std::vector<std::uint16_t> numbers(bytes.size() / sizeof(std::uint16_t));
  if (!numbers.empty())
    std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(std::uint16_t));
  return numbers;
}

Coding coding_of(int curve, float gamma) {
  require(curve >= 0 && curve <= static_cast<int>(Coding::Curve::gamma));
  require(std::isfinite(gamma) && gamma > 0);
  Coding coding;
  coding.curve = static_cast<Coding::Curve>(curve);
  coding.gamma = gamma;
  return coding;
}

Json json_of(const PictureFormat& f) {
  return {f.width,
          f.height,
          f.channels,
          static_cast<int>(f.type),
          static_cast<int>(f.alpha),
          static_cast<int>(f.coding.curve),
          f.coding.gamma};
}

PictureFormat format_of(const Json& json, std::uint64_t max_pixels) {
  const auto number = [&](std::size_t at, int least, int most) {
    const auto value = json.at(at).get<std::int64_t>();
    require(value >= least && value <= most);
    return static_cast<int>(value);
  };
  PictureFormat f;
  f.width = number(0, 1, largest_side);
  f.height = number(1, 1, largest_side);
  require(static_cast<std::uint64_t>(f.width) * static_cast<std::uint64_t>(f.height) <= max_pixels);
  f.channels = number(2, 1, 4);
  f.type = static_cast<SampleType>(number(3, 0, static_cast<int>(SampleType::f32)));
  f.alpha = static_cast<AlphaKind>(number(4, 0, static_cast<int>(AlphaKind::premultiplied)));
  f.coding = coding_of(json.at(5).get<int>(), json.at(6).get<float>());
  require(!f.has_alpha() || f.channels == 2 || f.channels == 4);
  return f;
}

Json json_of(const PictureInfo& info) {
  return {{"path", binary(info.path.string())},
          {"format", binary(info.file_format)},
          {"channels", json_of(info.channel_names)},
          {"layers", json_of(info.layers)},
          {"all", json_of(info.all_channels)},
          {"warnings", sfumato::json_of(info.warnings)},
          {"orientation", info.orientation},
          {"data", json_of(info.data_window)},
          {"display", json_of(info.display_window)},
          {"icc", Json::binary(info.icc_profile)},
          {"quality", info.jpeg_quality},
          {"pages", info.pages},
          {"times", info.frame_times},
          {"loops", info.loops},
          {"bytes", info.working_bytes}};
}

PictureInfo info_of(const Json& json) {
  PictureInfo info;
  info.path = bytes_of(json.at("path"));
  info.file_format = bytes_of(json.at("format"));
  info.channel_names = texts_of(json.at("channels"));
  info.layers = texts_of(json.at("layers"));
  info.all_channels = texts_of(json.at("all"));
  const auto warnings = messages_of_json(json.at("warnings"));
  require(warnings.has_value() && std::all_of(warnings->begin(), warnings->end(), says_something));
  info.warnings = *warnings;
  info.orientation = json.at("orientation").get<int>();
  require(info.orientation >= 1 && info.orientation <= 8);
  info.data_window = rect_of(json.at("data"));
  info.display_window = rect_of(json.at("display"));
  info.icc_profile = json.at("icc").get_binary();
  info.jpeg_quality = json.at("quality").get<int>();
  require(info.jpeg_quality >= 0 && info.jpeg_quality <= 100);
  info.pages = json.at("pages").get<int>();
  require(info.pages >= 0 && info.pages <= most_pages);
  require(json.at("times").size() <= most_pages);
  info.frame_times = json.at("times").get<std::vector<std::int64_t>>();
  info.loops = json.at("loops").get<int>();
  require(info.loops >= 0);
  for (const std::int64_t time : info.frame_times) require(time > 0 && time <= longest_frame);
  info.working_bytes = json.at("bytes").get<std::size_t>();
  return info;
}

}  // namespace

std::string text_of(const std::filesystem::path& path, const ReadOptions& options) {
  return to_cbor({{"path", binary(path.string())},
                  {"role", options.role},
                  {"channels", binary(options.channels)},
                  {"page", options.page},
                  {"pixels", options.max_pixels}});
}

ReadOptions read_options(const std::string& text, std::filesystem::path& path) {
  return parsed(text, [&](const Json& json) {
    path = bytes_of(json.at("path"));
    ReadOptions options;
    options.role = json.at("role").get<std::string>();
    options.channels = bytes_of(json.at("channels"));
    options.page = json.at("page").get<int>();
    options.max_pixels = json.at("pixels").get<std::uint64_t>();
    return options;
  });
}

std::string text_of(const Opened& opened) {
  return to_cbor({{"format", json_of(opened.format)},
                  {"info", json_of(opened.info)},
                  {"chunk", opened.chunk_rows}});
}

Opened read_opened(const std::string& text, std::uint64_t max_pixels) {
  return parsed(text, [&](const Json& json) {
    Opened opened{format_of(json.at("format"), max_pixels), info_of(json.at("info")),
                  json.at("chunk").get<int>()};
    require(opened.chunk_rows >= 1 && opened.chunk_rows <= 1 << 20);
    opened.chunk_rows = std::min(opened.chunk_rows, opened.format.height);
    // This program shares as much memory as two chunks take.
    constexpr std::size_t most_bytes = std::size_t{1} << 30;
    constexpr int usual_rows = 64;
    require(opened.chunk_rows <= usual_rows ||
            static_cast<std::size_t>(opened.chunk_rows) * opened.format.row_bytes() <= most_bytes);
    const auto channels = static_cast<std::size_t>(opened.format.channels);
    require(opened.info.channel_names.size() == channels);
    return opened;
  });
}

std::string text_of(const PageRequest& request) {
  return to_cbor({request.number, request.to.begin, request.to.big_tiff, request.to.metadata});
}

PageRequest read_page_request(const std::string& text) {
  return parsed(text, [](const Json& json) {
    return PageRequest{
        json.at(0).get<int>(),
        {json.at(1).get<std::uint64_t>(), json.at(2).get<bool>(), json.at(3).get<bool>()}};
  });
}

// Both processes run on one machine: the order of bytes is the same.
std::string text_of(PagePiece piece) {
  std::array<char, sizeof piece.directory> place{};
  std::memcpy(place.data(), &piece.directory, sizeof piece.directory);
  piece.bytes.append(place.data(), place.size());
  return std::move(piece.bytes);
}

PagePiece read_piece(std::string text) {
  PagePiece piece;
  require(text.size() > sizeof piece.directory);  // no piece is empty
  const std::size_t bytes = text.size() - sizeof piece.directory;
  std::memcpy(&piece.directory, text.data() + bytes, sizeof piece.directory);
  text.resize(bytes);
  piece.bytes = std::move(text);
  return piece;
}

std::string text_of(const RowRange& rows) {
  return to_cbor({rows.part, rows.y0, rows.y1, rows.bytes});
}

RowRange read_rows(const std::string& text) {
  return parsed(text, [](const Json& json) {
    return RowRange{json.at(0).get<int>(), json.at(1).get<int>(), json.at(2).get<int>(),
                    json.at(3).get<std::int64_t>()};
  });
}

std::string text_of(const ProfileCurve& curve) {
  return to_cbor(
      {static_cast<int>(curve.coding.curve), curve.coding.gamma, curve.transfer, curve.primaries});
}

ProfileCurve read_profile_curve(const std::string& text) {
  return parsed(text, [](const Json& json) {
    ProfileCurve out;
    out.coding.curve = static_cast<Coding::Curve>(json.at(0).get<int>());
    out.coding.gamma = json.at(1).get<float>();
    out.transfer = json.at(2).get<int>();
    out.primaries = json.at(3).get<int>();
    return out;
  });
}

std::string text_of(const ProfileNumbers& numbers) {
  Json tones = Json::array();
  for (const ProfileTone& tone : numbers.tones) {
    tones.push_back({tone.function, tone.parameters, packed(tone.samples)});
  }
  Json coding;
  if (numbers.coding) {
    coding = {static_cast<int>(numbers.coding->curve), numbers.coding->gamma};
  }
  return to_cbor({{"kind", static_cast<int>(numbers.kind)},
                  {"coding", coding},
                  {"colorants", numbers.colorants},
                  {"tones", tones},
                  {"table", packed(numbers.table)}});
}

ProfileNumbers read_profile_numbers(const std::string& text) {
  return parsed(text, [](const Json& json) {
    ProfileNumbers out;
    const int kind = json.at("kind").get<int>();
    require(kind >= 0 && kind <= static_cast<int>(ProfileNumbers::Kind::xyz_table));
    out.kind = static_cast<ProfileNumbers::Kind>(kind);
    if (const Json& coding = json.at("coding"); !coding.is_null()) {
      out.coding = coding_of(coding.at(0).get<int>(), coding.at(1).get<float>());
    }
    out.colorants = json.at("colorants").get<std::array<std::int32_t, 9>>();
    for (const Json& tone : json.at("tones")) {
      out.tones.push_back({tone.at(0).get<int>(), tone.at(1).get<std::vector<std::int32_t>>(),
                           unpacked(tone.at(2))});
    }
    out.table = unpacked(json.at("table"));
    require(are_complete(out));
    return out;
  });
}

std::string text_of(const Message& message) {
  return to_cbor(sfumato::json_of(message));
}

Message read_message(const std::string& text) {
  return parsed(text, [](const Json& json) {
    auto message = message_of_json(json);
    require(message.has_value() && says_something(*message));
    return std::move(*message);
  });
}

Message little_memory() {
  return message(
      {"decoder.little_memory", "there is too little memory, or no more threads can be started"});
}

std::string text_of(std::int64_t number) {
  return to_cbor(number);
}

std::int64_t read_number(const std::string& text) {
  return parsed(text, [](const Json& json) { return json.get<std::int64_t>(); });
}

}  // namespace sfumato::decoder
