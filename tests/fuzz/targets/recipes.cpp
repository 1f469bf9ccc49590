// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Recipes: what is read is written, and read again as the same.
#include "params/recipe.hpp"

#include <map>
#include <nlohmann/json.hpp>

#include "fuzz/targets/seeds.hpp"
#include "params/vocabulary.hpp"

namespace {

using namespace sfumato;
using Json = nlohmann::ordered_json;

// Parameters of every kind, and values that were renamed once.
class Filters final : public FilterLookup {
 public:
  Filters() {
    const Parameter method =
        vocabulary("method").with_choices({{"auto", "Automatic", ""}, {"direct", "Direct", ""}});
    sets_.emplace("blur", ParameterSet("blur", {vocabulary("sigma"), vocabulary("iterations"),
                                                method, vocabulary("border"), vocabulary("mask")}));
    sets_.emplace("map", ParameterSet("map", {vocabulary("normal"), vocabulary("matrix"),
                                              vocabulary("gradient"), vocabulary("curve"),
                                              vocabulary("grayscale")}));
  }
  const ParameterSet* parameters(std::string_view filter) const override {
    const auto found = sets_.find(filter);
    return found == sets_.end() ? nullptr : &found->second;
  }
  int version(std::string_view filter) const override { return filter == "blur" ? 2 : 1; }
  std::vector<std::string> ids() const override { return {"blur", "map"}; }
  Migration migration(std::string_view, int) const override {
    return [](Json& values) {
      if (!values.contains("size")) return;
      values["sigma"] = values.at("size");
      values.erase("size");
    };
  }

 private:
  std::map<std::string, ParameterSet, std::less<>> sets_;
};

}  // namespace

std::vector<std::string> sfumato::fuzz::seeds() {
  return {R"({"sfumato": 1, "steps": [{"filter": "blur", "version": 1, "values": {"size": 3}}]})",
          R"({"sfumato": 1, "name": "x", "steps": [{"filter": "blur", "version": 2,
 "enabled": false, "values": {"sigma": 2.5, "iterations": 3, "method": "direct",
 "border": "mirror", "mask": {"path": "../m.exr", "channels": "N.X"}}, "note": [1, null]}]})",
          R"({"sfumato": 1, "steps": [{"filter": "map", "values": {"normal": null,
 "matrix": [[0, 1, 0], [1, -4, 1], [0, 1, 0]], "gradient": [[0, "#000000"], [1, "#ffffff"]],
 "curve": [[0, 0], [0.5, 0.7], [1, 1]], "grayscale": true}}]})"};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Filters filters;
  const std::string text(reinterpret_cast<const char*>(data), size);
  Recipe recipe;
  try {
    recipe = parse_recipe(text, filters, size % 2 == 0 ? "/folder/of/recipe" : "");
  } catch (const RecipeError&) {
    return 0;
  }
  std::string printed;
  try {
    printed = print_recipe(recipe, filters);
  } catch (const RecipeError&) {
    return 0;  // a key that is not UTF-8, for example
  }
  if (!(parse_recipe(printed, filters) == recipe)) fuzz::broken("a recipe survives a round trip");
  return 0;
}
