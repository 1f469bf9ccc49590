// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A session: recipes run on pictures, on the best device that works.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine/backend.hpp"
#include "engine/errors.hpp"
#include "engine/pixels.hpp"
#include "engine/plan.hpp"
#include "engine/prepared_filters.hpp"
#include "engine/roles.hpp"
#include "params/recipe.hpp"

namespace sfumato {

struct SessionOptions {
  /// As choose_devices() takes it; empty: the environment's SFUMATO_DEVICE, else "auto".
  std::string device;
  /// So many of the best of these devices are left out: they failed another session.
  int passed_over = 0;
  /// Device memory to use, in bytes; 0: chosen by the device's kind and size. Where it is main
  /// memory, no more than this process can have; a warning tells so.
  std::size_t memory_limit = 0;
  /// Tiles of a CPU device take no more than so much, in bytes; 0: as the device is used to. Unlike
  /// `memory_limit` a wish: what needs more takes more.
  std::size_t tile_wish = 0;
  /// Where programs are cached; nullopt: default_cache_folder(). An empty path caches nothing.
  std::optional<std::filesystem::path> cache_folder;
  /// Told warnings (a device failed, the reference takes over) and, with `verbose`, decisions.
  std::function<void(const Message&)> log;
  /// Sentences of the program's start, told as the first warnings.
  std::vector<Message> notes;
  bool verbose = false;

  // For tests.
  std::optional<Form> form;                                ///< instead of the device's own
  std::size_t local_memory = 0;                            ///< as if the device had so little
  std::shared_ptr<const Tuning> tuning;                    ///< instead of the tables
  std::function<void(std::int64_t launch)> before_launch;  ///< may throw DeviceError
};

struct RenderOptions {
  /// Called with 0..1, many times a second; returns false to cancel, and is not called again then.
  std::function<bool(double)> progress;
  /// Opens roles; asked for every image parameter of every enabled step, bound by name or not.
  /// Returns null for what it does not bind.
  RoleResolver roles;
  bool dither = false;
  /// Only this region of the picture is computed and written; empty: all of it.
  Rect region;
  int forced_tile = 0;  ///< for tests: tiles of this side
};

/// What a finished render has to say.
struct RenderReport {
  std::string device;
  int tiles = 0;
  double seconds = 0;
  std::vector<Message> warnings;
  /// How each step was computed, one line each, by what the picture's pixels decided.
  std::vector<std::string> methods;
};

/// One user of the engine: owns its devices, programs and buffers. Functions may be called from
/// any thread; renders of one session run one after another, those of two sessions at once.
class Session {
 public:
  explicit Session(SessionOptions options = {});
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Opens the device ahead of the first render, to overlap with reading; errors are kept for it.
  void prepare() noexcept;

  /// How many devices the options name, those passed over among them. Throws EngineError.
  int device_count();

  /// Runs a recipe. The sink has received everything when this returns. Throws EngineError,
  /// ParameterError, Cancelled, or what the source or sink threw; DeviceError never.
  RenderReport render(const Recipe& recipe, PixelSource& source, PixelSink& sink,
                      const RenderOptions& options = {});

  /// The part of the input that `region` of the output depends on, cut to the picture, whichever
  /// device computes it in the end. Empty where `region` lies outside the picture.
  Rect required_region(const Recipe& recipe, const PictureFormat& format, const Rect& region);

  /// How each step would be computed, one line each.
  std::vector<std::string> explain(const Recipe& recipe, const PictureFormat& format);

 private:
  class Render;
  void choose();
  Backend& backend();
  bool next_backend(const Message& why);
  std::unique_ptr<Backend> open(const DeviceInfo& info);
  Target target_for(const DeviceInfo& info);
  MemoryLimits limits_on(const DeviceInfo& info);
  double limit_of_user(bool main_memory);
  Message with_advice(const Message& why, double needed) const;
  void log(const Message& line);
  void log_once(const Message& line);

  SessionOptions options_;
  std::filesystem::path cache_folder_;
  std::mutex mutex_;
  std::vector<DeviceInfo> candidates_;
  std::size_t candidate_ = 0;
  bool chosen_ = false;
  std::unique_ptr<Backend> backend_;
  std::vector<Message> warnings_;
  std::map<std::string, std::shared_ptr<const Tuning>> tunings_;  ///< by device
  PreparedFilters prepared_;
  bool damaged_table_told_ = false;
};

/// Whether the device computes a small picture as the scalar reference does; `why` says what is
/// wrong. A pass is remembered in `cache_folder` per driver version (empty folder: not remembered).
bool self_test(Backend& device, const std::filesystem::path& cache_folder, std::string& why);

}  // namespace sfumato
