// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// gettext's catalog, which is found from the worker's place; without one, English.
#include "words.hpp"

#include <glib.h>
#include <libintl.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "host/client.hpp"

namespace sfumato::gegl {
namespace {

constexpr char domain[] = "sfumato";

bool bind() noexcept {
  try {
    const auto worker = hosts::find_worker();
    if (worker.empty()) return false;
    std::filesystem::path catalogs = worker.parent_path() / "locale";
    if (!std::filesystem::exists(catalogs)) catalogs = worker.parent_path() / SFUMATO_CATALOGS;
    bindtextdomain(domain, catalogs.lexically_normal().c_str());
    bind_textdomain_codeset(domain, "UTF-8");
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

bool is_bound() {
  static const bool bound = bind();
  return bound;
}

bool is_place(std::string_view text, std::size_t at) {
  return at + 1 < text.size() && text[at] == '%' && text[at + 1] >= '1' && text[at + 1] <= '9';
}

// The words of a template around its places, which are in the order of their numbers.
std::vector<std::string_view> pieces_of(std::string_view text) {
  std::vector<std::string_view> out;
  std::size_t from = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!is_place(text, at)) continue;
    out.push_back(text.substr(from, at - from));
    from = at + 2;
  }
  out.push_back(text.substr(from));
  return out;
}

// What stands at the places; nullopt: the sentence is another.
std::optional<std::vector<std::string>> values_in(std::string_view sentence,
                                                  std::string_view pattern) {
  const std::vector<std::string_view> pieces = pieces_of(pattern);
  if (pieces.size() == 1) {
    if (sentence != pattern) return std::nullopt;
    return std::vector<std::string>();
  }
  const std::string_view last = pieces.back();
  if (!sentence.starts_with(pieces[0]) || !sentence.ends_with(last)) return std::nullopt;
  std::vector<std::string> out;
  std::size_t from = pieces[0].size();
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    // At least one character of a value each.
    const std::size_t at =
        i + 1 == pieces.size() ? sentence.size() - last.size() : sentence.find(pieces[i], from + 1);
    if (at == std::string_view::npos || at <= from || at > sentence.size()) return std::nullopt;
    out.emplace_back(sentence.substr(from, at - from));
    from = at + pieces[i].size();
  }
  return out;
}

std::string filled(std::string_view text, const std::vector<std::string>& values) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!is_place(text, at)) {
      out += text[at];
      continue;
    }
    const auto number = static_cast<std::size_t>(text[++at] - '1');
    if (number < values.size()) out += values[number];
  }
  return out;
}

struct Sentence {
  std::string_view text, translation;
};

// One text of the catalog has them all: a line each, the translation in the next.
const std::vector<Sentence>& sentences() {
  static const std::vector<Sentence> all = [] {
    static const std::string key = "all";
    std::vector<Sentence> out;
    std::string_view left = word(key, "sentences");
    const auto line = [&left] {
      const std::size_t end = std::min(left.find('\n'), left.size());
      const std::string_view text = left.substr(0, end);
      left.remove_prefix(std::min(end + 1, left.size()));
      return text;
    };
    if (left == key) return out;
    while (!left.empty()) {
      const std::string_view text = line();
      out.push_back({text, line()});
    }
    return out;
  }();
  return all;
}

// `deep`: sentences may be values of others.
std::string said(const std::string& sentence, int deep) {
  if (deep > 4) return sentence;
  for (const Sentence& known : sentences()) {
    auto values = values_in(sentence, known.text);
    if (!values) continue;
    for (std::string& value : *values) value = said(value, deep + 1);
    return filled(known.translation, *values);
  }
  return sentence;
}

}  // namespace

std::string said(const std::string& sentence) {
  return is_bound() ? said(sentence, 0) : sentence;
}

const char* word(const std::string& text, const char* what) {
  if (!is_bound() || text.empty())
    return text.c_str();  // an empty text stands for the catalog's head
  return what == nullptr ? g_dgettext(domain, text.c_str())
                         : g_dpgettext2(domain, what, text.c_str());
}

}  // namespace sfumato::gegl
