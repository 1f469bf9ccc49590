// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Sizes that affect the speed of a filter's passes but never its pixels, and the tables of the best
// sizes per device.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "device/device.hpp"
#include "text/message.hpp"

namespace sfumato {

/// A table that cannot be written.
class TuningError : public MessageError {
 public:
  using MessageError::MessageError;
};

/// A filter's parameters as text: {"sigma", "2"}.
using TuningCase = std::vector<std::pair<std::string, std::string>>;

/// A size in a filter's passes, such as results per item, columns per group or rows per band. Every
/// one of `choices` gives bit-identical pixels.
struct Tunable {
  std::string name;          ///< snake_case, unique within the filter
  std::string help;          ///< what it counts, in a few words
  std::vector<int> choices;  ///< in increasing order
  int gpu = 0, cpu = 0;      ///< default of each form, one of `choices`; 0: no such size
  /// Parameter values for timing, at which the size matters. Not empty.
  std::vector<TuningCase> cases;

  int otherwise(Form form) const { return form == Form::gpu ? gpu : cpu; }
  bool allows(int value) const;
};

/// The tunable with this name. Throws std::logic_error if there is none, which is a fault of the
/// filter.
const Tunable& find_tunable(const std::vector<Tunable>& all, std::string_view name);

/// Values by filter and tunable.
using Sizes = std::map<std::string, std::map<std::string, int, std::less<>>, std::less<>>;

/// Origin of a device's sizes.
enum class TuningOrigin { defaults, shipped, user };

/// The sizes of one device in one form.
class Tuning {
 public:
  Tuning() = default;
  /// Earlier layers take precedence.
  Tuning(TuningOrigin origin, std::vector<Sizes> layers)
      : origin_(origin), layers_(std::move(layers)) {}

  /// The first layer's value that is one of the tunable's choices, else the form's default.
  int at(std::string_view filter, const Tunable& tunable, Form form) const;
  TuningOrigin origin() const { return origin_; }
  /// Overrides every layer, for the tuner's trials.
  void set(const std::string& filter, const std::string& tunable, int value);

 private:
  TuningOrigin origin_ = TuningOrigin::defaults;
  std::vector<Sizes> layers_;
};

/// "tuned here", "as shipped" or "the defaults".
Message origin_message(TuningOrigin origin);

/// core/device/tuning.json, embedded by the build.
std::string_view shipped_tuning_table();

/// The entry of `shipped` (a table as JSON) for a device. Entries match by form and by the
/// beginnings of vendor and device name; among several matches the longest names win. Throws
/// JsonError if the table is invalid.
Sizes shipped_sizes(std::string_view shipped, const DeviceInfo& info, Form form, bool* found);

/// The user's table. Each entry holds for one device with one driver, in one form.
class UserTuning {
 public:
  /// The table in `cache_folder`, which need not exist; an empty path means no table.
  explicit UserTuning(const std::filesystem::path& cache_folder);

  /// Empty if there is no table.
  const std::filesystem::path& file() const { return file_; }
  /// Whether the device has an entry, and its sizes. Throws JsonError for a damaged or foreign
  /// table, with a sentence that names the file.
  bool find(const DeviceInfo& info, Form form, Sizes& sizes) const;
  /// Replaces the device's entry. A damaged table is replaced by a new one. The file is written
  /// whole or not at all; throws TuningError if that fails.
  void put(const DeviceInfo& info, Form form, const Sizes& sizes) const;
  /// Throws the error that put() would throw, before any work is done.
  void check_writable() const;
  /// Returns false if there was no entry. Throws as put() does.
  bool remove(const DeviceInfo& info, Form form) const;

 private:
  std::filesystem::path file_;
};

/// The sizes for a device: the user's, then the shipped ones, then defaults. Never throws: an
/// unreadable table is skipped, with one call of `warn` (may be empty).
Tuning load_tuning(const DeviceInfo& info, Form form, const std::filesystem::path& cache_folder,
                   const std::function<void(const Message&)>& warn = {});

}  // namespace sfumato
