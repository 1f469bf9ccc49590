// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Sizes that change the speed of a filter's passes and never its pixels, and the tables that say
// which are best on which device.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "device/device.hpp"

namespace sfumato {

/// Parameters of a filter as words: {"sigma", "2"}.
using TuningCase = std::vector<std::pair<std::string, std::string>>;

/// A size of a filter's passes: results of an item, columns of a group, rows of a band. The pixels
/// are the same to the bit whichever of `choices` is taken.
struct Tunable {
  std::string name;          ///< snake_case, unique within the filter
  std::string help;          ///< what it counts, a few words
  std::vector<int> choices;  ///< in growing order
  int gpu = 0, cpu = 0;      ///< the default of each form, one of `choices`; 0: it has no such size
  /// What the tuner times: values at which the size matters. Not empty.
  std::vector<TuningCase> cases;

  int otherwise(Form form) const { return form == Form::gpu ? gpu : cpu; }
  bool allows(int value) const;
};

/// The tunable of that name. Throws std::logic_error where there is none: the filter's own mistake.
const Tunable& find_tunable(const std::vector<Tunable>& all, std::string_view name);

/// Values by filter and tunable.
using Sizes = std::map<std::string, std::map<std::string, int, std::less<>>, std::less<>>;

/// Where a device's sizes come from.
enum class TuningOrigin { defaults, shipped, user };

/// The sizes of one device in one form.
class Tuning {
 public:
  Tuning() = default;
  /// Earlier layers go before later ones.
  Tuning(TuningOrigin origin, std::vector<Sizes> layers)
      : origin_(origin), layers_(std::move(layers)) {}

  /// The first layer's value that is among the tunable's choices, else the form's default.
  int at(std::string_view filter, const Tunable& tunable, Form form) const;
  TuningOrigin origin() const { return origin_; }
  /// Takes the place of what any layer says: the tuner's trials.
  void set(const std::string& filter, const std::string& tunable, int value);

 private:
  TuningOrigin origin_ = TuningOrigin::defaults;
  std::vector<Sizes> layers_;
};

/// "tuned here", "as shipped" or "the defaults".
std::string_view origin_text(TuningOrigin origin);

/// core/device/tuning.json as the build embedded it.
std::string_view shipped_tuning_table();

/// What `shipped` (a table as JSON) says of a device: entries name the beginning of its vendor's
/// and its own name, and the form; of several that fit, the one with the longest names counts.
/// Throws JsonError if it is no table.
Sizes shipped_sizes(std::string_view shipped, const DeviceInfo& info, Form form, bool* found);

/// The user's table: entries are good for one device with one driver, in one form.
class UserTuning {
 public:
  /// The table in `cache_folder`, which need not exist; an empty path has none.
  explicit UserTuning(const std::filesystem::path& cache_folder);

  /// Empty where there is no place for one.
  const std::filesystem::path& file() const { return file_; }
  /// Whether the device has an entry, and what it says. Throws JsonError for a damaged or foreign
  /// table, with a sentence that names the file.
  bool find(const DeviceInfo& info, Form form, Sizes& sizes) const;
  /// Puts an entry in the place of the device's present one, or takes that away. A damaged table is
  /// started again. The file is written whole or not at all; throws std::runtime_error with one
  /// sentence where it cannot be.
  void put(const DeviceInfo& info, Form form, const Sizes& sizes) const;
  /// Throws what put() would throw, before any work is done for it.
  void check_writable() const;
  /// False where there was none. Throws as put() does.
  bool remove(const DeviceInfo& info, Form form) const;

 private:
  std::filesystem::path file_;
};

/// The sizes for a device: the user's, then the shipped ones, then defaults. Never throws: a table
/// that cannot be read is passed over, and `warn` (may be empty) told so once.
Tuning load_tuning(const DeviceInfo& info, Form form, const std::filesystem::path& cache_folder,
                   const std::function<void(const Message&)>& warn = {});

}  // namespace sfumato
