// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Results of the slow scalar reference, computed once for all devices and forms.
#pragma once

#include <bit>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "device/program_cache.hpp"
#include "filters/registry.hpp"
#include "params/recipe.hpp"
#include "support/pictures.hpp"

namespace sfumato::testing {

/// Everything that a case's result depends on: the recipe with all its values, the picture and its
/// format, but not roles.
inline std::string key_of(const Recipe& recipe, const Image& input) {
  const PictureFormat& f = input.format;
  std::string key = print_recipe(recipe, Registry::get());
  for (const int part :
       {f.width, f.height, f.channels, static_cast<int>(f.type), static_cast<int>(f.alpha),
        static_cast<int>(f.coding.curve), std::bit_cast<int>(f.coding.gamma)}) {
    key += ' ' + std::to_string(part);
  }
  const std::string_view bytes(reinterpret_cast<const char*>(input.bytes.data()),
                               input.bytes.size());
  return key + ' ' + std::to_string(fnv1a(bytes));
}

template <typename Result>
class Once {
 public:
  /// The result of the first call of `make` for this key. The reference is valid until clear().
  template <typename Make>
  const Result& of(const std::string& key, Make&& make) {
    const auto found = results_.find(key);
    if (found != results_.end()) return found->second;
    return results_.emplace(key, make()).first->second;
  }

  void clear() { results_.clear(); }

 private:
  std::map<std::string, Result> results_;
};

}  // namespace sfumato::testing
