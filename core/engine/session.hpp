// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A session: runs recipes on pictures, on the best device that works.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine/backend.hpp"
#include "engine/loaded_inputs.hpp"
#include "engine/plan.hpp"
#include "engine/prepared_filters.hpp"
#include "engine/renderer.hpp"

namespace sfumato {

struct SessionOptions : RendererOptions {
  /// Number of best devices to skip, because they failed another session.
  int passed_over = 0;
  /// Preferred size of a tile in main memory (of a CPU device or the reference), in bytes; 0: the
  /// default. Unlike `memory_limit` it may be exceeded if a tile needs more.
  std::size_t preferred_tile = 0;
  /// The most bytes that a tile with large halos may take instead of the default; 0: as many as a
  /// picture that cannot be tiled. Without effect if one of the limits above is set.
  std::size_t most_tile = 0;
  /// The preferred `across` of make_tiles(); 0: no limit.
  std::size_t preferred_band = 0;
  /// The program cache; nullopt: default_cache_folder(). An empty path caches nothing.
  std::optional<std::filesystem::path> cache_folder;
  /// Messages from the program's start, logged as the first warnings.
  std::vector<Message> notes;
  bool verbose = false;  ///< `log` receives decisions too

  // For tests.
  std::optional<Form> form;                                ///< instead of the device's own
  std::size_t local_memory = 0;                            ///< simulates a device with this little
  std::shared_ptr<const Tuning> tuning;                    ///< instead of the tables
  std::function<void(std::int64_t launch)> before_launch;  ///< may throw DeviceError
};

/// Renders in this process; owns its devices, programs and buffers. A device that fails is replaced
/// by the next one, and the last by the scalar reference.
class Session final : public Renderer {
 public:
  explicit Session(SessionOptions options = {});
  ~Session() override;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Waits until the device is open.
  void prepare() noexcept override;
  bool is_opening() const noexcept override { return opening_; }
  RenderReport render(const Recipe& recipe, PixelSource& source, PixelSink& sink,
                      const RenderOptions& options = {}) override;
  Rect required_region(const Recipe& recipe, const PictureFormat& format,
                       const Rect& region) override;

  /// Number of devices that the options select, including skipped ones. Throws EngineError.
  int device_count();

  /// How each step would be computed, one line each.
  std::vector<Message> explain(const Recipe& recipe, const PictureFormat& format);

 private:
  class Render;
  void choose();
  bool has_candidate();
  Backend& backend();
  bool next_backend(const Message& why);
  std::unique_ptr<Backend> open(const DeviceInfo& info);
  Target target_for(const DeviceInfo& info);
  MemoryLimits limits_on(const DeviceInfo& info);
  double limit_of_user(bool main_memory);
  double most_for_halos() const;
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
  LoadedInputs loaded_;  ///< on the backend
  /// Bytes for a tile, after the backend had no memory for a larger one.
  double ceiling_ = std::numeric_limits<double>::infinity();
  std::vector<Message> warnings_;
  std::map<std::string, std::shared_ptr<const Tuning>> tunings_;  ///< by device
  PreparedFilters prepared_;
  bool damaged_table_reported_ = false;
  std::atomic<bool> opening_ = false;
};

/// The fault if the device does not compute a small picture as the scalar reference does. A pass is
/// remembered in `cache_folder` per driver version (empty folder: not remembered).
std::optional<Message> self_test(Backend& device, const std::filesystem::path& cache_folder);

}  // namespace sfumato
