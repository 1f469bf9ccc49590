// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Passes pixels to a worker, waits for its answers, and goes on without one.
#include "host/client.hpp"

#include <algorithm>
#include <new>
#include <utility>
#include <vector>

#include "device/process.hpp"
#include "host/shared_job.hpp"
#include "host/worker_renderer.hpp"
#include "image/parallel_rows.hpp"
#include "params/errors.hpp"

namespace sfumato::hosts {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// After two lost workers in a row, no worker is tried for this long: the reference computes.
constexpr std::chrono::seconds rest{20};
// The longest wait before a device that is lost again and again is tried again.
constexpr std::chrono::hours longest_wait{1};
// How often the host is asked whether it still wants the render while the worker sends nothing.
constexpr milliseconds asked_every{50};

/// The worker cannot be used any more; the message says why.
class WorkerLost : public MessageError {
 public:
  using MessageError::MessageError;
};

/// No device fits the one that was chosen.
class NoSuchDevice : public WorkerLost {
 public:
  using WorkerLost::WorkerLost;
};

/// There is no program to start.
class WorkerNotFound : public WorkerLost {
 public:
  using WorkerLost::WorkerLost;
};

[[noreturn]] void throw_unexpected() {
  throw WorkerLost(message({"worker.not_asked", "it sent an unexpected answer"}));
}

[[noreturn]] void throw_failed(const Failed& failed) {
  using Reason = Failed::Reason;
  switch (failed.reason) {
    case Reason::cancelled:
      throw Cancelled();
    case Reason::parameter:
    case Reason::recipe:
      throw RecipeError(failed.sentence);
    case Reason::memory:
      throw std::bad_alloc();
    case Reason::engine:
    case Reason::device:
      break;
  }
  throw EngineError(failed.sentence);
}

Message missing_worker() {
  return message({"worker.missing",
                  "The program sfumato-worker is not installed: going on with the scalar "
                  "reference, which is slow."});
}

Rect whole_or(const Rect& region, const PictureFormat& format) {
  return region.empty() ? format.rect() : region.intersected(format.rect());
}

}  // namespace

/// A worker process and the channel to it. Its answer to the greeting is awaited with the first
/// request. Throws WorkerLost if it does not answer as it should.
class Client::Worker {
 public:
  Worker(const std::filesystem::path& program, const Hello& hello, milliseconds patience)
      : process_(started(program)), channel_(process_.take_socket()), patience_(patience) {
    guarded([&] { channel_.send(PacketKind::hello, text_of(hello)); });
  }

  int devices() {
    greet();
    return devices_;
  }
  int process() const { return process_.id(); }
  /// Whether an answer is outstanding, which would be taken for the answer to the next request.
  bool has_outstanding_answer() const { return outstanding_; }

  Rect needed(const NeedsRequest& request) {
    greet();
    send(PacketKind::needs, text_of(request));
    const Packet answer = wait_for_answer(nullptr);
    if (answer.kind == PacketKind::failed) throw_failed(failed_of(answer));
    if (answer.kind != PacketKind::needed) throw_unexpected();
    const Rect needed = guarded([&] { return read_needed(answer.text); });
    const Rect all = request.format.rect();
    const bool any = !request.region.intersected(all).empty();
    if (any == needed.empty() || !all.contains(needed)) {
      throw_unexpected();
    }
    return needed;
  }

  /// Calls `take` with each piece of the result.
  RenderReport render(const RenderRequest& request, const std::vector<int>& descriptors,
                      const std::function<bool(double)>& progress,
                      const std::function<void(const Piece&)>& take) {
    greet();
    send(PacketKind::render, text_of(request), descriptors);
    std::int64_t pixels = 0;
    bool left_out = false;
    const auto piece = [&](const std::string& text, bool wanted) {
      const Piece got = guarded([&] { return read_piece(text, request.sink); });
      if (wanted) take(got);
      left_out = left_out || !wanted;
      pixels += got.region.area();
      guarded([&] { channel_.send(PacketKind::taken, text_of_slot(got.slot)); });
    };
    const Packet answer = wait_for_answer(&progress, piece);
    if (answer.kind == PacketKind::failed) throw_failed(failed_of(answer));
    if (answer.kind != PacketKind::done) throw_unexpected();
    if (left_out) throw Cancelled();  // the answer was on its way already
    if (pixels < request.sink.region.area()) throw_unexpected();
    return guarded([&] { return read_report(answer.text); });
  }

 private:
  static Process started(const std::filesystem::path& program) {
    try {
      return start_process(program);
    } catch (const std::runtime_error& error) {
      throw WorkerLost(message_in(error));
    }
  }

  void send(PacketKind kind, const std::string& text, const std::vector<int>& descriptors = {}) {
    outstanding_ = true;
    guarded([&] { channel_.send(kind, text, descriptors); });
  }

  void greet() {
    if (greeted_) return;
    const Packet answer = wait_for_answer(nullptr);
    if (answer.kind == PacketKind::failed) {
      const Failed why = failed_of(answer);
      if (why.reason == Failed::Reason::device) throw NoSuchDevice(why.sentence);
      throw WorkerLost(why.sentence);
    }
    devices_ = guarded([&] { return read_welcome(answer.text).devices; });
    greeted_ = true;
  }

  // Any error of the channel means that the worker is lost.
  template <typename Body>
  static auto guarded(Body body) -> decltype(body()) {
    try {
      return body();
    } catch (const Closed&) {
      throw WorkerLost(message({"worker.ended", "it ended"}));
    } catch (const ProtocolError& error) {
      throw WorkerLost(message_in(error));
    }
  }

  static Failed failed_of(const Packet& message) {
    return guarded([&] { return read_failed(message.text); });
  }

  // Reports progress to the host, and pieces of a result to `piece`, with whether they are still
  // wanted; cancels the worker's request if the host wants that.
  Packet wait_for_answer(const std::function<bool(double)>* progress,
                         const std::function<void(const std::string&, bool)>& piece = {}) {
    auto until = steady_clock::now() + patience_;
    double part = 0;
    bool cancelled = false;
    const bool tells = progress != nullptr && *progress;
    while (true) {
      if (tells && !cancelled && !(*progress)(part)) {
        cancelled = true;
        until = steady_clock::now() + cancel_patience;
        guarded([&] { channel_.send(PacketKind::cancel, "{}"); });
      }
      auto packet = guarded([&] { return channel_.receive(asked_every); });
      if (packet && !cancelled) until = steady_clock::now() + patience_;
      if (packet && packet->kind == PacketKind::progress) {
        part = guarded([&] { return read_progress(packet->text); });
      } else if (packet && packet->kind == PacketKind::pixels && piece) {
        piece(packet->text, !cancelled);
        if (!cancelled) until = steady_clock::now() + patience_;  // the host may have taken long
      } else if (packet && packet->kind != PacketKind::working) {
        outstanding_ = false;
        return std::move(*packet);
      }
      if (steady_clock::now() > until) {
        if (cancelled) throw Cancelled();
        throw WorkerLost(message({"worker.silent", "it said nothing for {seconds} s"},
                                 patience_.count() / 1000));
      }
    }
  }

  static constexpr milliseconds cancel_patience{5000};

  Process process_;
  Channel channel_;
  milliseconds patience_;
  int devices_ = 0;
  bool greeted_ = false, outstanding_ = false;
};

Client::Client(ClientOptions options)
    : options_(std::move(options)), spare_(std::make_unique<SpareMemory>()) {}
Client::~Client() = default;

int Client::worker_process() const {
  const std::lock_guard lock(mutex_);
  return worker_ ? worker_->process() : 0;
}

void Client::say(const Message& sentence) {
  if (options_.log) options_.log(sentence);
}

Renderer& Client::reference() {
  if (!reference_) reference_ = make_reference_renderer(options_.memory_limit);
  return *reference_;
}

Client::Worker& Client::worker() {
  if (worker_) return *worker_;
  const std::filesystem::path program = options_.worker.empty() ? find_worker() : options_.worker;
  if (program.empty()) throw WorkerNotFound(missing_worker());
  Hello hello;
  hello.device = options_.device;
  hello.memory_limit = options_.memory_limit;
  hello.passed_over = passed_over_;
  worker_ = std::make_unique<Worker>(program, hello, options_.patience);
  // The only device gets its second chance at once.
  if (passed_over_ > 0 && worker_->devices() <= passed_over_) {
    hello.passed_over = passed_over_ = 0;
    worker_.reset();
    worker_ = std::make_unique<Worker>(program, hello, options_.patience);
  }
  return *worker_;
}

void Client::pass_over() {
  passed_over_ = 1;
  passed_until_ = steady_clock::now() + options_.second_chance;
  options_.second_chance = std::min<milliseconds>(2 * options_.second_chance, longest_wait);
}

// After the wait, ends the worker on the next device, so that the best device is tried again.
void Client::give_second_chance() {
  if (passed_over_ == 0 || steady_clock::now() < passed_until_) return;
  worker_.reset();
  passed_over_ = 0;
}

void Client::prepare() noexcept {
  try {
    // If the lock is held, a request is in progress, and so there is a worker.
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock || steady_clock::now() < rests_until_) return;
    give_second_chance();
    if (worker_ || passed_over_ > 0) return;
    worker();
    opening_ = true;
  } catch (...) {
    // the first request will meet the error again, and can report it
  }
}

// The request to a lost worker is repeated once, by a worker on the next device.
void Client::lose_worker(const Message& why, bool is_last) {
  forget_worker();
  if (is_last) {
    passed_over_ = 0;
    say(message({"worker.lost",
                 "The process that filters for this program is lost ({why}); going on with the "
                 "scalar reference, which is slow."},
                why));
  } else {
    pass_over();
    say(message({"worker.replaced",
                 "The process that filters for this program is lost ({why}); another one takes "
                 "over."},
                why));
  }
}

// The chosen device does not exist any more.
void Client::forget_chosen_device(const Message& why) {
  forget_worker();
  options_.device.clear();
  say(message({"worker.other_device",
               "The chosen device cannot be used ({why}): another one takes its place."},
              why));
}

void Client::forget_worker() {
  worker_.reset();
  opening_ = false;
}

void Client::say_missing() {
  if (!std::exchange(missing_, true)) say(missing_worker());
}

namespace {
// A device that answers, or refuses, is open.
struct FlagReset {
  std::atomic<bool>& flag;
  ~FlagReset() { flag = false; }
};
}  // namespace

// Tries two workers; nullopt if both are lost.
template <typename Call>
auto Client::with_worker(Call call) -> std::optional<decltype(call(std::declval<Worker&>()))> {
  if (steady_clock::now() < rests_until_) return std::nullopt;
  give_second_chance();
  for (const bool is_last : {false, true}) {
    try {
      Worker& called = worker();
      const FlagReset opened{opening_};
      auto answer = call(called);
      missing_ = false;
      return answer;
    } catch (const WorkerNotFound&) {
      say_missing();
      break;
    } catch (const NoSuchDevice& why) {
      const bool is_chosen = !options_.device.empty() && options_.device != "auto";
      if (is_chosen && !is_last) {
        forget_chosen_device(why.message());
      } else {
        lose_worker(why.message(), is_last);
      }
    } catch (const WorkerLost& gone) {
      lose_worker(gone.message(), is_last);
    } catch (...) {
      if (worker_ && worker_->has_outstanding_answer()) worker_.reset();
      throw;
    }
  }
  rests_until_ = steady_clock::now() + rest;
  return std::nullopt;
}

Rect Client::required_region(const Recipe& recipe, const PictureFormat& format,
                             const Rect& region) {
  const std::lock_guard lock(mutex_);
  const NeedsRequest request{recipe, format, region};
  const auto needed = with_worker([&](Worker& worker) { return worker.needed(request); });
  if (!needed) return reference().required_region(recipe, format, region);
  return *needed;
}

RenderReport Client::render(const Recipe& recipe, PixelSource& source, PixelSink& sink,
                            const RenderOptions& options) {
  const std::lock_guard lock(mutex_);
  Recipe bound = recipe;
  const Roles roles = open_roles(bound, source.format(), options.roles);
  Rect missing = whole_or(options.region, source.format());
  if (missing.empty()) return {};
  const NeedsRequest request{bound, source.format(), missing};
  const auto needed = with_worker([&](Worker& worker) { return worker.needed(request); });
  std::optional<RenderReport> report;
  SharedJob job(*spare_);
  const auto take = [&](const Piece& piece) {
    const Rect& r = piece.region;
    const bool is_next = r.x0 == missing.x0 && r.x1 == missing.x1 && r.y0 == missing.y0;
    if (sink.wants_bands() && !is_next) throw_unexpected();
    sink.write(job.view(piece));
    if (sink.wants_bands()) missing.y0 = r.y1;
  };
  if (needed) {
    source.keep_all();
    job.request.source = job.add(source, *needed);
    job.add_roles(roles, *needed);
    job.add_slots(sink, missing);
    job.request.recipe = bound;
    job.request.dither = options.dither;
    report = with_worker([&](Worker& worker) {
      // A second worker goes on where the first one was lost, since bands come only once.
      if (missing.empty()) return RenderReport();
      job.request.sink.region = missing;
      return worker.render(job.request, job.descriptors(), options.progress, take);
    });
  }
  if (report) {
    job.give_back();
    return std::move(*report);
  }
  if (missing.empty()) return {};
  RenderOptions remaining = options;
  remaining.region = missing;
  return reference().render(recipe, source, sink, remaining);
}

std::unique_ptr<Renderer> make_worker_renderer(RendererOptions options) {
  ClientOptions client;
  static_cast<RendererOptions&>(client) = std::move(options);
  return std::make_unique<Client>(std::move(client));
}

}  // namespace sfumato::hosts
