// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The test cases of a filter. Every filter is tested with its defaults and with each choice of each
// of its own parameters; tests/filters/<id>/cases.json adds cases or leaves some out:
//   kernels     further values, at which other kernels run or other memory is used
//   every_pixel further values to try on gray and 8-bit pictures too
//   oclgrind    cases under Oclgrind, which takes minutes for what a device does in seconds:
//               "values" instead of the choices, "channels" of 4, 1 and 3 (3 are 8-bit);
//               "rows" besides the base in rows that are longer than what pads memory
//   long_reach  values to compare in lines that are longer than the least local memory
//   tuning      by the beginning of a size's name, or "otherwise": values at which it matters
//   bench       cases to time: "values", "pixels" (default f32x4), "peer"
// Values are numbers, or texts as on the command line; unnamed ones have their default (for
// kernels: that of busy_values(), with a sigma of 1). In bench, each element of an array is a case;
// in long_reach, {"full_rank": N} is a matrix of N rows, of full rank.
#pragma once

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/pictures.hpp"
#include "support/values.hpp"

namespace sfumato::testing {

class Cases {
 public:
  using Words = std::vector<std::pair<std::string, std::string>>;

  /// Reads the filter's cases.json, if there is one. Throws std::runtime_error for any other
  /// content.
  explicit Cases(const Filter& filter) : filter_(filter) {
    const std::filesystem::path rooms(SFUMATO_FILTER_TESTS);
    if (!std::filesystem::is_directory(rooms)) throw std::runtime_error(rooms.string());
    const std::filesystem::path file = rooms / filter.info().id / "cases.json";
    if (!std::filesystem::exists(file)) return;
    std::ifstream stream(file);
    json_ = nlohmann::ordered_json::parse(stream);
    for (const auto& [name, value] : json_.items()) {
      if (std::string_view(" kernels every_pixel oclgrind long_reach tuning bench ")
              .find(' ' + name + ' ') == std::string_view::npos) {
        throw std::runtime_error(file.string() + ": there is no " + name);
      }
    }
  }

  /// Small enough for tiny pictures.
  Values base() const {
    Values values = busy_values(filter_);
    if (const Parameter* sigma = filter_.info().parameters.find("sigma")) {
      values.set(sigma->name, 1.0);
    }
    return values;
  }

  /// The base, each choice, and further values.
  std::vector<Values> kernels() const {
    std::vector<Values> out = choices(true);
    for (const char* more : {"kernels", "every_pixel"}) add_values(out, json_, more);
    return out;
  }

  std::vector<Values> under_oclgrind() const {
    if (!json_.contains("oclgrind")) return choices(false);
    std::vector<Values> out;
    add_values(out, json_.at("oclgrind"), "values");
    return out;
  }

  /// 4 (RGBA), 1 (gray) and 3 (RGB of 8 bits).
  std::vector<int> channels_under_oclgrind() const {
    const auto& section = json_.contains("oclgrind") ? json_.at("oclgrind") : no_json();
    if (!section.contains("channels")) return {4, 1, 3};
    return section.at("channels").get<std::vector<int>>();
  }

  /// For few long rows: what is written below them is beyond all memory.
  std::vector<Values> in_long_rows() const {
    std::vector<Values> out{base()};
    const auto& section = json_.contains("oclgrind") ? json_.at("oclgrind") : no_json();
    if (section.contains("rows")) add_values(out, section, "rows");
    return out;
  }

  /// Whether gray and 8-bit pictures test something new with these values.
  bool wants_every_pixel(const Values& values) const {
    std::vector<Values> all{base()};
    add_values(all, json_, "every_pixel");
    return std::find(all.begin(), all.end(), values) != all.end();
  }

  /// None for filters of which the defaults and choices say enough.
  std::vector<Words> long_reach() const {
    std::vector<Words> out;
    if (!json_.contains("long_reach")) return out;
    for (const auto& one : json_.at("long_reach")) out.push_back(words_of(one));
    return out;
  }

  /// Values at which the size matters. Throws std::runtime_error if none are given.
  std::vector<Words> tuning(std::string_view size) const {
    const auto& section = json_.contains("tuning") ? json_.at("tuning") : no_json();
    const nlohmann::ordered_json* found =
        section.contains("otherwise") ? &section["otherwise"] : nullptr;
    for (const auto& [name, list] : section.items()) {
      if (size.starts_with(name)) found = &list;
    }
    if (found == nullptr) {
      throw std::runtime_error("tests/filters/" + filter_.info().id + "/cases.json has no tuning");
    }
    std::vector<Words> out;
    for (const auto& one : *found) out.push_back(words_of(one));
    return out;
  }

  /// The entry in the file, or the default.
  nlohmann::ordered_json bench() const {
    return json_.contains("bench") ? json_.at("bench") : nlohmann::ordered_json::array({no_json()});
  }

  static std::string text_of(const nlohmann::ordered_json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
  }

 private:
  static const nlohmann::ordered_json& no_json() {
    static const nlohmann::ordered_json none = nlohmann::ordered_json::object();
    return none;
  }

  static Words words_of(const nlohmann::ordered_json& values) {
    Words out;
    for (const auto& [name, value] : values.items()) {
      out.emplace_back(
          name, value.is_object() ? full_rank(value.at("full_rank").get<int>()) : text_of(value));
    }
    return out;
  }

  static std::string full_rank(int side) {
    std::string text;
    std::uint32_t seed = 5;
    for (int j = 0; j < side; ++j) {
      if (j > 0) text += "; ";
      for (int i = 0; i < side; ++i) {
        text += std::to_string(noise_at(seed) / static_cast<float>(side)) + ' ';
      }
    }
    return text;
  }

  void add_values(std::vector<Values>& to, const nlohmann::ordered_json& section,
                  const char* name) const {
    if (!section.contains(name)) return;
    for (const auto& one : section.at(name)) {
      Values values = base();
      for (const auto& [word, text] : words_of(one)) {
        set_text(values, filter_.info().parameters, word, text);
      }
      to.push_back(values);
    }
  }

  // Light is the engine's concern. Borders other than `wrap` use the same memory.
  std::vector<Values> choices(bool all_borders) const {
    std::vector<Values> out{base()};
    for (const Parameter& p : filter_.info().parameters) {
      for (const ChoiceOption& option : p.choices) {
        if (Value(Choice(option.id)) == p.default_value || p.name == "light") continue;
        if (p.name == "border" && !all_borders && option.id != "wrap") continue;
        Values values = base();
        values.set(p.name, Choice(option.id));
        if (may_be(values)) out.push_back(values);
      }
    }
    return out;
  }

  bool may_be(const Values& values) const {
    try {
      filter_.check(values);
      return true;
    } catch (const ParameterError&) {
      return false;
    }
  }

  const Filter& filter_;
  nlohmann::ordered_json json_ = no_json();
};

}  // namespace sfumato::testing
