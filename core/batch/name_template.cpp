// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A template is parsed once, and filled in for every file.
#include "batch/name_template.hpp"

#include <algorithm>
#include <cctype>
#include <ctime>

#include "batch/errors.hpp"
#include "params/suggest.hpp"

namespace sfumato {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string>& field_names() {
  static const std::vector<std::string> names = {"stem", "ext",  "recipe",  "folder", "parent",
                                                 "date", "time", "counter", "frame"};
  return names;
}

void check_field(const std::string& field) {
  const auto& known = field_names();
  if (std::find(known.begin(), known.end(), field) != known.end()) return;
  std::string list;
  for (const std::string& name : known) list += (list.empty() ? "{" : ", {") + name + "}";
  const std::string nearest = nearest_name(field, known);
  if (!nearest.empty()) {
    throw BatchError(message({"name.no_field_but",
                              "there is no field {{{field}}} for names; did you mean {nearest}? "
                              "The fields are {fields}"},
                             field, in_quotes(nearest), list));
  }
  throw BatchError(
      message({"name.no_field", "there is no field {{{field}}} for names; the fields are {fields}"},
              field, list));
}

constexpr int most_digits = 12;

int digits_of(const std::string& field, std::string_view width) {
  const bool number = field == "counter" || field == "frame";
  const bool digits =
      !width.empty() && width.size() <= 2 &&
      std::all_of(width.begin(), width.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
  const int count = digits ? std::stoi(std::string(width)) : 0;
  if (!number || count < 1 || count > most_digits) {
    const std::string named = field + ":" + std::string(width);
    if (number) {
      throw BatchError(message(
          {"name.many_digits", "the name template's field {{{field}}} takes 1 to {most} digits"},
          named, most_digits));
    }
    throw BatchError(message(
        {"name.no_digits",
         "the name template's field {{{field}}} is not a number, and takes no number of digits"},
        named));
  }
  return count;
}

std::string padded(std::int64_t number, int digits) {
  const std::string text = std::to_string(number < 0 ? -number : number);
  const auto wide = static_cast<std::size_t>(digits);
  return (number < 0 ? "-" : "") + std::string(wide > text.size() ? wide - text.size() : 0, '0') +
         text;
}

std::string local(std::int64_t time, const char* format) {
  const auto seconds = static_cast<std::time_t>(time);
  std::tm parts{};
  ::localtime_r(&seconds, &parts);
  char text[64];
  return {text, std::strftime(text, sizeof text, format, &parts)};
}

// As one part of a path, which cannot lead elsewhere.
std::string one_name(std::string text) {
  for (char& c : text) {
    if (c == '/' || std::iscntrl(static_cast<unsigned char>(c)) != 0) c = '_';
  }
  return text;
}

}  // namespace

NameTemplate::NameTemplate(std::string_view text) : text_(text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool brace = c == '{' || c == '}';
    if (c == '\0') {
      throw BatchError(message({"name.zero_byte", "a name template cannot contain zero bytes"}));
    }
    if (!brace || (i + 1 < text.size() && text[i + 1] == c)) {
      add_literal(c);
      if (brace) ++i;
      continue;
    }
    if (c == '}') {
      throw BatchError(message({"name.closed_brace",
                                "the name template {template} closes a brace that was not opened; "
                                "write }}}} for a brace itself"},
                               in_quotes(text)));
    }
    const std::size_t end = text.find_first_of("{}", i + 1);
    if (end == std::string_view::npos || text[end] != '}') {
      throw BatchError(message({"name.open_brace",
                                "the name template {template} opens a brace that is not closed; "
                                "write {{{{ for a brace itself"},
                               in_quotes(text)));
    }
    add_field(text.substr(i + 1, end - i - 1));
    i = end;
  }
  if (pieces_.empty())
    throw BatchError(
        message({"name.empty",
                 "the name template is empty; give one such as {{stem}}_{{recipe}}.{{ext}}"}));
}

void NameTemplate::add_literal(char c) {
  if (pieces_.empty() || pieces_.back().field) pieces_.emplace_back();
  pieces_.back().text += c;
}

void NameTemplate::add_field(std::string_view inside) {
  const std::size_t colon = inside.find(':');
  Piece piece{std::string(inside.substr(0, colon)), true, 0};
  check_field(piece.text);
  if (colon != std::string_view::npos) {
    piece.digits = digits_of(piece.text, inside.substr(colon + 1));
  }
  pieces_.push_back(std::move(piece));
}

bool NameTemplate::uses(std::string_view field) const {
  return std::any_of(pieces_.begin(), pieces_.end(),
                     [&](const Piece& p) { return p.field && p.text == field; });
}

std::string NameTemplate::text_of(const NameFields& fields) const {
  const auto value = [&](const Piece& piece) -> std::string {
    const std::string& name = piece.text;
    if (name == "stem") return one_name(fields.source.stem().string());
    if (name == "ext") return one_name(fields.extension);
    if (name == "recipe") return one_name(fields.recipe);
    if (name == "folder") return fields.below.string();
    if (name == "parent") return one_name(fields.source.parent_path().filename().string());
    if (name == "date") return local(fields.time, "%Y-%m-%d");
    if (name == "time") return local(fields.time, "%H%M%S");
    if (name == "counter") return padded(fields.counter, piece.digits);
    if (!fields.frame) {
      throw BatchError(
          message({"name.no_frame",
                   "{file} is not a frame of a sequence, but the name template contains {{frame}}"},
                  in_quotes(fields.source.string())));
    }
    return padded(*fields.frame, piece.digits);
  };
  std::string text;
  for (const Piece& piece : pieces_) text += piece.field ? value(piece) : piece.text;
  return text;
}

fs::path NameTemplate::fill(const NameFields& fields) const {
  const std::string text = text_of(fields);
  // "{folder}/{stem}" begins with a slash where the folder is empty.
  const bool absolute =
      text.starts_with('/') && (!pieces_.front().field || fields.below.is_absolute());
  fs::path out = absolute ? "/" : "";
  for (const fs::path& part : fs::path(text).relative_path()) {
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      throw BatchError(
          message({"name.leads_out", "the name {name} leads out of the output's folder by \"..\""},
                  in_quotes(text)));
    }
    out /= part;
  }
  if (!out.has_filename() || text.ends_with('/')) {
    throw BatchError(
        message({"name.no_name", "the name template {template} gives no name for {file}"},
                in_quotes(text_), in_quotes(fields.source.string())));
  }
  return out;
}

}  // namespace sfumato
