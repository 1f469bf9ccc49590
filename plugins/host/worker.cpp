// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// One thread listens, so that cancelling and the host's end are noticed at once; another computes.
#include "host/worker.hpp"

#include <time.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>
#include <thread>
#include <utility>

#include "device/device.hpp"
#include "engine/session.hpp"
#include "engine/start.hpp"
#include "host/protocol.hpp"
#include "host/slot_sink.hpp"
#include "image/parallel_rows.hpp"
#include "params/errors.hpp"

namespace sfumato::hosts {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::milliseconds report_interval{50};
// How often a waiting host is assured that work is going on.
constexpr std::chrono::milliseconds shown_every{500};
// A driver hangs if there is neither progress nor use of the processor for this long.
constexpr std::chrono::seconds hangs_after{30};
// How long a render may take to end after its host is gone, even if its driver hangs.
constexpr std::chrono::seconds grace{2};

Failed failed_by(const std::exception_ptr& error) {
  using Reason = Failed::Reason;
  try {
    std::rethrow_exception(error);
  } catch (const Cancelled&) {
    return {Reason::cancelled, message({"engine.cancelled", "cancelled"})};
  } catch (const ParameterError& e) {
    return {Reason::parameter, e.message()};
  } catch (const RecipeError& e) {
    return {Reason::recipe, e.message()};
  } catch (const std::bad_alloc&) {
    return {Reason::memory, message({"host.no_memory", "There is not enough memory."})};
  } catch (const std::exception& e) {
    return {Reason::engine, message_in(e)};
  } catch (...) {
    return {Reason::engine, message({"host.unknown_error", "An unknown error."})};
  }
}

double processor_seconds() {
  timespec used{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

class Server {
 public:
  explicit Server(Descriptor socket) : channel_(std::move(socket)) {}

  int run() {
    int status = 0;
    try {
      greet();
      while (true) {
        take(channel_.receive(shown_every));
        if (is_awaited() && is_at_work()) tell(PacketKind::working, "{}");
      }
    } catch (const Closed&) {
    } catch (const std::exception& error) {
      status = 1;
      refuse(message_in(error));
    }
    end(status);
    return status;
  }

 private:
  // Sends a message that a busy host may miss.
  void tell(PacketKind kind, const std::string& text) {
    if (channel_.has_room()) channel_.send(kind, text);
  }

  void refuse(const Message& sentence, Failed::Reason reason = Failed::Reason::engine) noexcept {
    try {
      channel_.send(PacketKind::failed, text_of(Failed{reason, sentence}));
    } catch (...) {
      // nobody is listening
    }
  }

  void greet() {
    const std::optional<Packet> first = channel_.receive(std::chrono::seconds(10));
    if (!first || first->kind != PacketKind::hello) throw ProtocolError("no hello came");
    const Hello hello = read_hello(first->text);
    if (hello.protocol != protocol_version || hello.version != SFUMATO_VERSION) {
      throw ProtocolError("the worker is of version " SFUMATO_VERSION ", the host of version " +
                          hello.version);
    }
    SessionOptions options;
    options.device = hello.device;
    options.memory_limit = hello.memory_limit;
    options.passed_over = hello.passed_over;
    options.notes = start_devices(hello.device);
    session_ = std::make_unique<Session>(options);
    opened_ = welcomed_ = false;
    at_work_ = steady_clock::now();
    opening_ = std::thread([this] {
      welcome();
      // The host may have to read a picture before its first request.
      session_->prepare();
      opened_ = true;
    });
  }

  // No thread is running yet. Trying drivers for the first time may take long, or hang.
  std::vector<Message> start_devices(std::string request) {
    auto shown = steady_clock::now();
    StartOptions options;
    options.device = std::move(request);
    options.cancelled = [&] {
      const auto now = steady_clock::now();
      if (now - shown < shown_every) return false;
      shown = now;
      tell(PacketKind::working, "{}");
      return false;
    };
    return sfumato::start_devices(options).sentences;
  }

  // Looking for devices may take a while too.
  void welcome() noexcept {
    try {
      Welcome answer;
      answer.devices = session_->device_count();
      welcomed_ = true;
      channel_.send(PacketKind::welcome, text_of(answer));
    } catch (const Closed&) {
      // the listening thread notices it
    } catch (const EngineError& no_such_device) {
      welcomed_ = true;
      refuse(no_such_device.message(), Failed::Reason::device);
    } catch (...) {
      welcomed_ = true;
      refuse(failed_by(std::current_exception()).sentence);
    }
  }

  // Whether the host is waiting for an answer.
  bool is_awaited() const { return busy_ || !welcomed_; }

  // Computing and compiling use the processor, and a GPU's work reports progress; a driver that
  // hangs does neither.
  bool is_at_work() {
    const auto now = steady_clock::now();
    const double used = processor_seconds();
    if (used - used_ > 0.05 || progress_ != seen_progress_) {
      used_ = used;
      seen_progress_ = progress_;
      at_work_ = now;
    }
    return now - at_work_ < hangs_after;
  }

  void take(std::optional<Packet> message) {
    if (!message) return;
    switch (message->kind) {
      case PacketKind::cancel:
        cancelled_ = true;
        slots_.wake();
        return;
      case PacketKind::taken:
        ++progress_;
        slots_.give(read_slot(message->text));
        return;
      case PacketKind::needs:
      case PacketKind::render:
        break;
      default:
        throw ProtocolError("a message came that a host does not send");
    }
    if (busy_.exchange(true)) throw ProtocolError("a request came while another is in work");
    if (job_.joinable()) job_.join();
    cancelled_ = false;
    at_work_ = steady_clock::now();
    job_ = std::thread([this, message = std::move(*message)]() mutable { answer(message); });
  }

  // A request that cannot be read or met is answered with the reason; the connection stays open.
  void answer(Packet& message) {
    PacketKind kind = PacketKind::failed;
    std::string text;
    try {
      if (message.kind == PacketKind::needs) {
        const NeedsRequest request = read_needs(message.text);
        text = text_of(session_->required_region(request.recipe, request.format, request.region));
        kind = PacketKind::needed;
      } else {
        text = text_of(rendered(message));
        kind = PacketKind::done;
      }
    } catch (...) {
      text = text_of(failed_by(std::current_exception()));
    }
    message.descriptors.clear();
    busy_ = false;
    try {
      channel_.send(kind, text);
    } catch (...) {
      // the host is gone, which the listening thread notices
    }
  }

  RenderReport rendered(Packet& message) {
    std::vector<Mapping> memory;
    std::vector<std::size_t> sizes;
    // The sink's memory is written to, but only the text says which one it is.
    for (const Descriptor& d : message.descriptors) {
      memory.push_back(spare_.take(d));
      sizes.push_back(memory.back().size());
    }
    const RenderRequest request = read_render(message.text, sizes);
    const auto prepared = [&](int descriptor, std::size_t bytes) {
      Mapping& mapping = memory[static_cast<std::size_t>(descriptor)];
      mapping.prepare(bytes);
      return mapping.data();
    };
    const auto view = [&](const SharedImage& image) {
      return HostView{prepared(image.descriptor, image.bytes()),
                      static_cast<std::ptrdiff_t>(image.row_bytes()), image.region};
    };
    MemorySource source(request.source.format, view(request.source));
    const SharedSlots& slots = request.sink;
    char* const slot_memory =
        prepared(slots.descriptor, static_cast<std::size_t>(slots.count) * slots.bytes);
    SlotSink sink(slots, slot_memory, slots_, cancelled_, channel_);
    RenderOptions options;
    options.dither = request.dither;
    options.region = request.sink.region;
    options.roles = [&](int step, const std::string& name,
                        const ImageRef&) -> std::shared_ptr<PixelSource> {
      for (const SharedRole& role : request.roles) {
        if (role.step != step || role.name != name) continue;
        return std::make_shared<LaidSource>(role.image.format, view(role.image), role.covered);
      }
      return nullptr;
    };
    auto last_report = steady_clock::now();
    options.progress = [&](double part) {
      ++progress_;
      const auto now = steady_clock::now();
      if (now - last_report >= report_interval) {
        last_report = now;
        tell(PacketKind::progress, text_of(part));
      }
      return !cancelled_;
    };
    RenderReport report = session_->render(request.recipe, source, sink, options);
    spare_.keep(std::move(memory));
    return report;
  }

  // Drivers may never finish: whatever is not done after a while ends with the process.
  void end(int status) noexcept {
    cancelled_ = true;
    slots_.wake();
    const auto deadline = steady_clock::now() + grace;
    while ((busy_ || !opened_) && steady_clock::now() < deadline) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    if (busy_ || !opened_) ::_exit(status);
    for (std::thread* thread : {&opening_, &job_}) {
      if (thread->joinable()) thread->join();
    }
  }

  Channel channel_;
  std::unique_ptr<Session> session_;
  SpareMappings spare_;
  FreeSlots slots_;
  std::atomic<bool> busy_ = false, cancelled_ = false, opened_ = true, welcomed_ = true;
  std::atomic<std::uint64_t> progress_ = 0;  ///< number of progress reports
  // The progress last seen by is_at_work().
  std::uint64_t seen_progress_ = 0;
  double used_ = 0;  ///< processor time, in seconds
  steady_clock::time_point at_work_{};
  std::thread opening_, job_;
};

}  // namespace

int serve(Descriptor socket) {
  return Server(std::move(socket)).run();
}

}  // namespace sfumato::hosts
