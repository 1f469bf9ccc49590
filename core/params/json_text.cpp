// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// JSON text, on top of nlohmann::json's parser.
#include "params/json_text.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_set>
#include <vector>

#include "params/scan.hpp"
#include "params/suggest.hpp"

#if defined(__unix__) || defined(__APPLE__)
#include <locale.h>
#define SFUMATO_HAS_USELOCALE 1
#endif

namespace sfumato {
namespace {

using Json = nlohmann::ordered_json;

/// The library's parser takes the decimal point from the locale; this thread uses "." meanwhile.
class PlainNumbers {
 public:
#ifdef SFUMATO_HAS_USELOCALE
  PlainNumbers() {
    static const locale_t plain = newlocale(LC_ALL_MASK, "C", locale_t{});
    if (plain != locale_t{}) before_ = uselocale(plain);
  }
  ~PlainNumbers() {
    if (before_ != locale_t{}) uselocale(before_);
  }

 private:
  locale_t before_ = locale_t{};

 public:
#else
  PlainNumbers() = default;
#endif
  PlainNumbers(const PlainNumbers&) = delete;
  PlainNumbers& operator=(const PlainNumbers&) = delete;
};

[[noreturn]] void fail_at(std::string_view text, std::size_t offset, Message why) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  const std::size_t line =
      1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  const std::string_view row = before.substr(line_start);
  const auto starts = [](char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; };
  const std::size_t column =
      1 + static_cast<std::size_t>(std::count_if(row.begin(), row.end(), starts));
  throw JsonError(
      message({"json.at", "line {line}, column {column}: {why}"}, line, column, std::move(why)),
      line, column);
}

/// The library's description of a fault, without its error number and position.
std::string reason_of(std::string_view what) {
  const std::size_t column = what.find("column ");
  if (column != std::string_view::npos) {
    const std::size_t colon = what.find(": ", column);
    if (colon != std::string_view::npos) what.remove_prefix(colon + 2);
  } else if (what.find("] ") != std::string_view::npos) {
    what.remove_prefix(what.find("] ") + 2);
  }
  std::string text(what);
  const std::size_t dash = text.find(" - ");
  if (text.starts_with("syntax error") && dash != std::string::npos) text.erase(0, dash + 3);
  const std::size_t read = text.find("; last read: ");
  if (read != std::string::npos) {
    const std::size_t expected = text.find("; expected ", read);
    text.erase(read, expected == std::string::npos ? std::string::npos : expected - read);
  }
  return text;
}

/// The library's name for a token; unknown names are kept.
Message token_message(const std::string& token) {
  if (token == "end of input") return message({"json.end", "end of input"});
  if (token == "invalid literal") return message({"json.literal", "invalid literal"});
  return foreign_message(token);
}

/// Parses "unexpected ','; expected string literal" and similar texts, as far as they match.
Message message_of_reason(const std::string& reason) {
  constexpr std::string_view unexpected = "unexpected ", expected = "; expected ";
  if (!reason.starts_with(unexpected)) return token_message(reason);
  const std::size_t at = reason.find(expected);
  const std::string found = reason.substr(unexpected.size(), at - unexpected.size());
  if (at == std::string::npos) {
    return message({"json.unexpected", "unexpected {found}"}, token_message(found));
  }
  return message({"json.expected", "unexpected {found}; expected {wanted}"}, token_message(found),
                 token_message(reason.substr(at + expected.size())));
}

/// Builds the value and rejects input that could exhaust memory or hide a mistake.
class Builder : public nlohmann::json_sax<Json> {
 public:
  explicit Builder(std::string_view text) : text_(text) {}

  Json take() { return std::move(root_); }

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return false; }

  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    if (!open_.back().names.insert(name).second)
      throw JsonError(
          message({"json.twice", "the name {name} is given twice in one object"}, in_quotes(name)));
    key_ = std::move(name);
    return true;
  }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception& error) override {
    fail_at(text_, position > 0 ? position - 1 : 0, message_of_reason(reason_of(error.what())));
  }

 private:
  struct Level {
    Json* container;
    std::unordered_set<std::string> names;
  };

  Json* place(Json value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    Json& parent = *open_.back().container;
    if (parent.is_array()) {
      parent.push_back(std::move(value));
      return &parent.back();
    }
    // Used as a vector, because the map's own insertion searches all earlier names.
    auto& members = parent.get_ref<Json::object_t&>();
    static_cast<Json::object_t::Container&>(members).emplace_back(std::move(key_),
                                                                  std::move(value));
    return &members.back().second;
  }

  bool add(Json value) {
    place(std::move(value));
    return true;
  }

  bool open(Json container) {
    if (open_.size() >= json_deepest)
      throw JsonError(message({"json.deep", "it nests deeper than {levels} levels"}, json_deepest));
    open_.push_back({place(std::move(container)), {}});
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  std::string_view text_;
  Json root_;
  std::vector<Level> open_;
  std::string key_;
};

constexpr std::size_t line_width = 100;

bool is_flat_object(const Json& json) {
  return json.is_object() && std::all_of(json.begin(), json.end(), [](const Json& value) {
           return !value.is_structured() || value.is_array();
         });
}

/// Appends the value on one line, `[1, 2]`, `{"a": 1}`. Gives up beyond `longest` characters, so
/// that parts of a large value are not written repeatedly.
bool compact(const Json& json, std::size_t longest, std::string& text) {
  if (json.is_string() && json.get_ref<const std::string&>().size() > longest) return false;
  if (!json.is_structured()) text += json.dump();
  if (json.is_structured()) {
    text += json.is_array() ? "[" : "{";
    for (auto item = json.begin(); item != json.end(); ++item) {
      if (item != json.begin()) text += ", ";
      if (json.is_object()) text += Json(item.key()).dump() + ": ";
      if (!compact(*item, longest, text)) return false;
    }
    text += json.is_array() ? "]" : "}";
  }
  return text.size() <= longest;
}

void write(const Json& json, std::size_t indent, std::size_t used, bool in_array,
           std::string& text) {
  if (!json.is_structured()) {
    text += json.dump();
    return;
  }
  const bool list =
      json.is_array() &&
      std::none_of(json.begin(), json.end(), [](const Json& value) { return value.is_object(); });
  if (list || json.empty() || (in_array && is_flat_object(json))) {
    std::string line;
    if (compact(json, line_width - std::min(used, line_width), line)) {
      text += line;
      return;
    }
  }
  const std::string margin(indent + 2, ' ');
  text += json.is_array() ? "[" : "{";
  for (auto item = json.begin(); item != json.end(); ++item) {
    text += (item == json.begin() ? "\n" : ",\n") + margin;
    std::size_t column = margin.size() + 1;
    if (json.is_object()) {
      const std::string name = Json(item.key()).dump() + ": ";
      column += name.size();
      text += name;
    }
    write(*item, margin.size(), column, json.is_array(), text);
  }
  text.append(1, '\n').append(indent, ' ').append(json.is_array() ? "]" : "}");
}

}  // namespace

nlohmann::ordered_json parse_json(std::string_view text) {
  if (text.size() > json_largest)
    throw JsonError(message({"json.large", "it is larger than {size} MiB"}, json_largest >> 20));
  const std::size_t invalid = scan::invalid_utf8(text);
  if (invalid != std::string_view::npos) {
    fail_at(text, invalid, message({"json.no_utf8", "the text is not valid UTF-8"}));
  }
  const PlainNumbers guard;
  Builder builder(text);
  Json::sax_parse(text, &builder);
  return builder.take();
}

std::string print_json(const nlohmann::ordered_json& json) {
  std::string text;
  try {
    write(json, 0, 0, false, text);
  } catch (const nlohmann::json::exception&) {
    throw JsonError(message({"json.text_no_utf8", "a text in it is not valid UTF-8"}));
  }
  return text + "\n";
}

}  // namespace sfumato
