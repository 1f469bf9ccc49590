// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The host's side of a session in another process.
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "device/channel.hpp"
#include "device/descriptor.hpp"
#include "engine/renderer.hpp"
#include "host/protocol.hpp"

namespace sfumato::hosts {

struct ClientOptions : RendererOptions {
  /// The worker's program; empty: find_worker().
  std::filesystem::path worker;
  /// A worker that sends nothing for this long is taken to hang: a working one sends something many
  /// times meanwhile.
  std::chrono::milliseconds patience{10000};
  /// After this time a device whose worker was lost is tried again. The time doubles with each
  /// further loss, up to an hour.
  std::chrono::milliseconds second_chance{std::chrono::minutes(5)};
};

/// Renders in a worker process, which is started when it is first needed and ends with the client.
/// No OpenCL driver is loaded in this process. A worker that dies, hangs or refuses is replaced
/// once: by one on the next device (on the same if there is no other), or on any device if the
/// chosen one does not exist. If that fails, too, the scalar reference computes in this process.
/// After a short while a render tries a worker again, and after a longer one the best device. A
/// device that fails is replaced within the worker, by its session.
class Client final : public Renderer {
 public:
  explicit Client(ClientOptions options = {});
  ~Client() override;
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  /// Starts the worker without waiting for it.
  void prepare() noexcept override;
  /// True from prepare() to the first answer of the worker.
  bool is_opening() const noexcept override { return opening_; }

  /// Writes to the sink while the rest is computed, so that it holds a part of the result after an
  /// error or a cancel. If a worker was lost meanwhile, tiles come again, but bands do not.
  RenderReport render(const Recipe& recipe, PixelSource& source, PixelSink& sink,
                      const RenderOptions& options = {}) override;
  Rect required_region(const Recipe& recipe, const PictureFormat& format,
                       const Rect& region) override;

  /// The worker's process, for tests; 0: none runs.
  int worker_process() const;

 private:
  class Worker;
  Worker& worker();
  void forget_worker();
  void lose_worker(const Message& why, bool is_last);
  void forget_chosen_device(const Message& why);
  void say_missing();
  void pass_over();
  void give_second_chance();
  template <typename Call>
  auto with_worker(Call call) -> std::optional<decltype(call(std::declval<Worker&>()))>;
  Renderer& reference();
  void say(const Message& sentence);

  ClientOptions options_;
  mutable std::mutex mutex_;
  std::unique_ptr<Worker> worker_;
  std::unique_ptr<SpareMemory> spare_;
  std::atomic<bool> opening_ = false;
  bool missing_ = false;  ///< there was no program to start, and that was reported
  int passed_over_ = 0;   ///< devices that the next worker skips
  std::chrono::steady_clock::time_point passed_until_{};
  std::chrono::steady_clock::time_point rests_until_{};
  std::unique_ptr<Renderer> reference_;
};

/// The worker's program: SFUMATO_WORKER, or the one beside the calling program or library, where it
/// was installed, or on the PATH. Empty: there is none.
std::filesystem::path find_worker();

}  // namespace sfumato::hosts
