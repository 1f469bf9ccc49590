// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The host's side: a session in another process.
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
  /// A worker that says nothing for so long hangs: one that is at work says so many times
  /// meanwhile.
  std::chrono::milliseconds patience{10000};
  /// After so long a device whose worker was lost is tried again; twice as long after each further
  /// loss, to an hour.
  std::chrono::milliseconds second_chance{std::chrono::minutes(5)};
};

/// Renders in a worker process that is started when it is first needed and goes
/// with the client. No OpenCL driver is loaded here. A worker that dies, hangs or refuses is
/// replaced once, by one on the next device (on the same where there is no other), or on any where
/// the chosen device is not there; then the scalar reference computes here. The next render tries a
/// worker again, a while later, and the best device after a longer while. A device that fails is
/// replaced in the worker, by its session.
class Client final : public Renderer {
 public:
  explicit Client(ClientOptions options = {});
  ~Client() override;
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  /// Starts the worker, and does not wait for it.
  void prepare() noexcept override;
  /// From prepare() to the worker's first answer.
  bool is_opening() const noexcept override { return opening_; }

  /// The sink is written only when all is computed.
  RenderReport render(const Recipe& recipe, PixelSource& source, PixelSink& sink,
                      const RenderOptions& options = {}) override;
  Rect required_region(const Recipe& recipe, const PictureFormat& format,
                       const Rect& region) override;

  /// The worker's process, for tests; 0: none runs.
  int worker_process() const;

 private:
  class Worker;
  struct Job;
  Worker& worker();
  void forget_worker();
  void lose_worker(const Message& why, bool is_last);
  void forget_chosen_device(const Message& why);
  void say_missing();
  void pass_over();
  void give_second_chance();
  template <typename Ask>
  auto with_worker(Ask ask) -> std::optional<decltype(ask(std::declval<Worker&>()))>;
  Renderer& reference();
  void say(const Message& sentence);

  ClientOptions options_;
  mutable std::mutex mutex_;
  std::unique_ptr<Worker> worker_;
  std::unique_ptr<SpareMemory> spare_;
  std::atomic<bool> opening_ = false;
  bool missing_ = false;  ///< there was no program to start, and it was said
  int passed_over_ = 0;   ///< devices that the next worker leaves out
  std::chrono::steady_clock::time_point passed_until_{};
  std::chrono::steady_clock::time_point rests_until_{};
  std::unique_ptr<Renderer> reference_;
};

/// Where the worker's program is: SFUMATO_WORKER, beside the program or library that calls, where
/// it was installed, or on the PATH. Empty: nowhere.
std::filesystem::path find_worker();

}  // namespace sfumato::hosts
