// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Messages as JSON, read defensively.
#include "host/protocol.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "filters/registry.hpp"
#include "params/json_text.hpp"
#include "text/message_json.hpp"

namespace sfumato::hosts {
namespace {

using Json = nlohmann::ordered_json;

constexpr int largest_side = 1 << 24;
constexpr int largest_coordinate = 1 << 25;
constexpr int most_slots = 64, largest_slot = 1 << 30;

[[noreturn]] void refuse(const std::string& what) {
  throw ProtocolError("a message is refused: " + what);
}

Json parsed(const std::string& text) {
  try {
    Json json = parse_json(text);
    if (json.is_object()) return json;
  } catch (const JsonError& error) {
    refuse(error.what());
  }
  refuse("it is no JSON object");
}

const Json& member(const Json& json, const char* name) {
  const auto found = json.find(name);
  if (found == json.end()) refuse(std::string("it has no ") + name);
  return *found;
}

int integer(const Json& json, const char* name, int least, int most) {
  const Json& value = member(json, name);
  if (!value.is_number_integer()) refuse(std::string(name) + " is no whole number");
  // Unsigned numbers beyond the signed range must compare by value.
  const bool fits =
      value.is_number_unsigned()
          ? value.get<std::uint64_t>() <= static_cast<std::uint64_t>(most) &&
                (least <= 0 || value.get<std::uint64_t>() >= static_cast<std::uint64_t>(least))
          : value.get<std::int64_t>() >= least && value.get<std::int64_t>() <= most;
  if (!fits) refuse(std::string(name) + " is out of range");
  return value.get<int>();
}

double number(const Json& json, const char* name) {
  const Json& value = member(json, name);
  if (!value.is_number()) refuse(std::string(name) + " is no number");
  return value.get<double>();
}

std::string word(const Json& json, const char* name) {
  const Json& value = member(json, name);
  if (!value.is_string()) refuse(std::string(name) + " is no text");
  return value.get<std::string>();
}

// Texts from drivers and the environment may not be UTF-8.
std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json json_of(const Rect& r) {
  return Json::array({r.x0, r.y0, r.x1, r.y1});
}

Rect rect(const Json& json, const char* name) {
  const Json& value = member(json, name);
  if (!value.is_array() || value.size() != 4) refuse(std::string(name) + " is no rectangle");
  int n[4];
  for (std::size_t i = 0; i < 4; ++i) {
    const bool fits =
        value[i].is_number_integer() && std::abs(value[i].get<double>()) <= largest_coordinate;
    if (!fits) refuse(std::string(name) + " is out of range");
    n[i] = value[i].get<int>();
  }
  if (n[2] < n[0] || n[3] < n[1]) refuse(std::string(name) + " is upside down");
  return {n[0], n[1], n[2], n[3]};
}

Json json_of(const PictureFormat& f) {
  return {{"width", f.width},
          {"height", f.height},
          {"channels", f.channels},
          {"type", static_cast<int>(f.type)},
          {"alpha", static_cast<int>(f.alpha)},
          {"curve", static_cast<int>(f.coding.curve)},
          {"gamma", f.coding.gamma}};
}

PictureFormat format(const Json& json, const char* name) {
  const Json& f = member(json, name);
  if (!f.is_object()) refuse(std::string(name) + " is no format");
  PictureFormat out;
  out.width = integer(f, "width", 1, largest_side);
  out.height = integer(f, "height", 1, largest_side);
  out.channels = integer(f, "channels", 1, 4);
  out.type = static_cast<SampleType>(integer(f, "type", 0, 3));
  out.alpha = static_cast<AlphaKind>(integer(f, "alpha", 0, 2));
  out.coding.curve = static_cast<Coding::Curve>(integer(f, "curve", 0, 2));
  const double gamma = number(f, "gamma");
  if (!(gamma > 0.1 && gamma < 10)) refuse("gamma is out of range");
  out.coding.gamma = static_cast<float>(gamma);
  const bool ends_in_alpha = out.channels == 2 || out.channels == 4;
  if (out.has_alpha() && !ends_in_alpha) refuse("1 or 3 channels have no alpha");
  if (out.channels == 2 && !out.has_alpha()) refuse("2 channels are gray and alpha");
  return out;
}

Json json_of(const SharedImage& image) {
  return {{"format", json_of(image.format)},
          {"region", json_of(image.region)},
          {"descriptor", image.descriptor}};
}

// What images and slots have alike. `laid`: may reach beyond its picture.
template <typename Shared>
Shared shared(const Json& json, const char* name, bool laid) {
  if (!json.is_object()) refuse(std::string(name) + " is no shared memory");
  Shared out;
  out.format = format(json, "format");
  out.region = rect(json, "region");
  out.descriptor = integer(json, "descriptor", 0, static_cast<int>(most_descriptors) - 1);
  if (out.region.empty()) refuse(std::string(name) + " is empty");
  if (!laid && !out.format.rect().contains(out.region)) {
    refuse(std::string(name) + " reaches beyond its picture");
  }
  return out;
}

void check_memory(int descriptor, std::size_t bytes, const std::vector<std::size_t>& sizes,
                  const char* name) {
  const auto i = static_cast<std::size_t>(descriptor);
  if (i >= sizes.size() || bytes > sizes[i]) {
    refuse(std::string(name) + " reaches beyond its memory");
  }
}

SharedImage image(const Json& json, const char* name, const std::vector<std::size_t>& sizes,
                  bool laid) {
  const auto out = shared<SharedImage>(member(json, name), name, laid);
  check_memory(out.descriptor, out.bytes(), sizes, name);
  return out;
}

Json json_of(const SharedSlots& slots) {
  return {{"format", json_of(slots.format)},
          {"region", json_of(slots.region)},
          {"descriptor", slots.descriptor},
          {"count", slots.count},
          {"bytes", slots.bytes},
          {"bands", slots.bands}};
}

bool truth(const Json& json, const char* name) {
  const Json& value = member(json, name);
  if (!value.is_boolean()) refuse(std::string(name) + " is no truth value");
  return value.get<bool>();
}

std::size_t bytes_of(const Rect& region, const PictureFormat& format) {
  return static_cast<std::size_t>(region.area()) * format.pixel_bytes();
}

SharedSlots slots(const Json& json, const char* name, const std::vector<std::size_t>& sizes) {
  const Json& value = member(json, name);
  auto out = shared<SharedSlots>(value, name, false);
  out.count = integer(value, "count", 1, most_slots);
  out.bytes = static_cast<std::size_t>(integer(value, "bytes", 1, largest_slot));
  out.bands = truth(value, "bands");
  const Rect row{out.region.x0, 0, out.region.x1, 1};
  if (out.bytes < bytes_of(row, out.format)) refuse("a slot is smaller than a row");
  check_memory(out.descriptor, static_cast<std::size_t>(out.count) * out.bytes, sizes, name);
  return out;
}

// As a string, since the recipe parser has its own rules.
Json json_of(const Recipe& recipe) {
  return print_recipe(recipe, Registry::get());
}

Recipe recipe(const Json& json) {
  return parse_recipe(word(json, "recipe"), Registry::get());
}

}  // namespace

std::size_t SharedImage::row_bytes() const {
  return static_cast<std::size_t>(region.width()) * format.pixel_bytes();
}

std::size_t SharedImage::bytes() const {
  return row_bytes() * static_cast<std::size_t>(region.height());
}

std::string text_of(const Hello& hello) {
  return dumped(Json{{"protocol", hello.protocol},
                     {"version", hello.version},
                     {"device", hello.device},
                     {"memory_limit", hello.memory_limit},
                     {"passed_over", hello.passed_over}});
}

Hello read_hello(const std::string& text) {
  const Json json = parsed(text);
  Hello hello;
  hello.protocol = integer(json, "protocol", 0, 1 << 30);
  hello.version = word(json, "version");
  if (hello.protocol != protocol_version) return hello;  // the rest may differ
  hello.device = word(json, "device");
  const double limit = number(json, "memory_limit");
  if (!(limit >= 0 && limit <= 1e15)) refuse("memory_limit is out of range");
  hello.memory_limit = static_cast<std::size_t>(limit);
  hello.passed_over = integer(json, "passed_over", 0, 1000);
  return hello;
}

std::string text_of(const Welcome& welcome) {
  return dumped(Json{
      {"protocol", welcome.protocol}, {"version", welcome.version}, {"devices", welcome.devices}});
}

Welcome read_welcome(const std::string& text) {
  const Json json = parsed(text);
  Welcome welcome;
  welcome.protocol = integer(json, "protocol", 0, 1 << 30);
  welcome.version = word(json, "version");
  welcome.devices = integer(json, "devices", 0, 1000);
  return welcome;
}

std::string text_of(const NeedsRequest& request) {
  return dumped(Json{{"recipe", json_of(request.recipe)},
                     {"format", json_of(request.format)},
                     {"region", json_of(request.region)}});
}

NeedsRequest read_needs(const std::string& text) {
  const Json json = parsed(text);
  return {recipe(json), format(json, "format"), rect(json, "region")};
}

std::string text_of(const Rect& needed) {
  return dumped(Json{{"region", json_of(needed)}});
}

Rect read_needed(const std::string& text) {
  return rect(parsed(text), "region");
}

std::string text_of(const RenderRequest& request) {
  Json roles = Json::array();
  for (const SharedRole& role : request.roles) {
    roles.push_back({{"step", role.step},
                     {"name", role.name},
                     {"image", json_of(role.image)},
                     {"covered", json_of(role.covered)}});
  }
  return dumped(Json{{"recipe", json_of(request.recipe)},
                     {"source", json_of(request.source)},
                     {"sink", json_of(request.sink)},
                     {"roles", roles},
                     {"dither", request.dither}});
}

RenderRequest read_render(const std::string& text, const std::vector<std::size_t>& sizes) {
  const Json json = parsed(text);
  RenderRequest request;
  request.recipe = recipe(json);
  request.source = image(json, "source", sizes, false);
  request.sink = slots(json, "sink", sizes);
  if (request.source.descriptor == request.sink.descriptor) refuse("source and sink are one");
  if (request.source.format.width != request.sink.format.width ||
      request.source.format.height != request.sink.format.height) {
    refuse("source and sink are not of one size");
  }
  request.dither = truth(json, "dither");
  const Json& roles = member(json, "roles");
  if (!roles.is_array()) refuse("roles is no list");
  const int steps = static_cast<int>(request.recipe.steps.size());
  for (const Json& one : roles) {
    if (!one.is_object()) refuse("a role is no object");
    SharedRole role;
    role.step = integer(one, "step", 0, std::max(0, steps - 1));
    role.name = word(one, "name");
    role.image = image(one, "image", sizes, true);
    role.covered = rect(one, "covered");
    if (role.image.descriptor == request.sink.descriptor) refuse("a role and the sink are one");
    request.roles.push_back(std::move(role));
  }
  return request;
}

std::string text_of(double progress) {
  return dumped(Json{{"part", progress}});
}

double read_progress(const std::string& text) {
  return std::clamp(number(parsed(text), "part"), 0.0, 1.0);
}

std::string text_of(const Piece& piece) {
  return dumped(Json{{"slot", piece.slot}, {"region", json_of(piece.region)}});
}

Piece read_piece(const std::string& text, const SharedSlots& slots) {
  const Json json = parsed(text);
  const Piece piece{integer(json, "slot", 0, slots.count - 1), rect(json, "region")};
  if (piece.region.empty() || !slots.region.contains(piece.region) ||
      bytes_of(piece.region, slots.format) > slots.bytes) {
    refuse("a piece does not fit");
  }
  return piece;
}

std::string text_of_slot(int slot) {
  return dumped(Json{{"slot", slot}});
}

int read_slot(const std::string& text) {
  return integer(parsed(text), "slot", 0, most_slots - 1);
}

std::string text_of(const RenderReport& report) {
  return dumped(Json{{"device", report.device},
                     {"tiles", report.tiles},
                     {"seconds", report.seconds},
                     {"warnings", sfumato::json_of(report.warnings)},
                     {"methods", sfumato::json_of(report.methods)}});
}

RenderReport read_report(const std::string& text) {
  const Json json = parsed(text);
  auto warnings = messages_of_json(member(json, "warnings"));
  if (!warnings) refuse("warnings is no list of messages");
  auto methods = messages_of_json(member(json, "methods"));
  if (!methods) refuse("methods is no list of messages");
  return {word(json, "device"), integer(json, "tiles", 0, 1 << 30), number(json, "seconds"),
          std::move(*warnings), std::move(*methods)};
}

std::string text_of(const Failed& failed) {
  return dumped(Json{{"reason", static_cast<int>(failed.reason)},
                     {"sentence", sfumato::json_of(failed.sentence)}});
}

Failed read_failed(const std::string& text) {
  const Json json = parsed(text);
  auto sentence = message_of_json(member(json, "sentence"));
  if (!sentence) refuse("sentence is no message");
  return {static_cast<Failed::Reason>(integer(json, "reason", 0, 5)), std::move(*sentence)};
}

}  // namespace sfumato::hosts
