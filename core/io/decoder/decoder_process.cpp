// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// One waiting process for the whole program, which forks those for pictures.
#include "io/decoder/decoder_process.hpp"

#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include "device/process.hpp"
#include "io/decoder/contained_picture.hpp"
#include "io/decoder/picture_text.hpp"
#include "io/decoder/process_memory.hpp"
#include "io/module.hpp"
#include "text/system_reason.hpp"

namespace sfumato::decoder {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

// To load the file module and fork.
constexpr milliseconds starting{20000};

// The process that waits, started with the first picture.
class Forker {
 public:
  static Forker& get() {
    static Forker* const one = new Forker;  // used to the end of the program
    return *one;
  }

  // A process at the other end of `socket`; 0: there is none to be had.
  pid_t fork(const Descriptor& socket) {
    const std::lock_guard lock(mutex_);
    if (!fault_.empty()) return 0;
    for (int attempt = 0; attempt < 2; ++attempt) {
      try {
        if (!channel_) start();
        channel_->send(PacketKind::fork, {}, {socket.get()});
        const auto id = static_cast<pid_t>(answer(PacketKind::forked));
        if (id > 0) return id;
        fault_ = message({"decoder.no_process", "no more processes may be started"});
        return 0;
      } catch (const std::exception& error) {
        // killed from outside, perhaps: once more
        channel_.reset();
        process_.reset();
        if (attempt > 0) fault_ = message_in(error);
      }
    }
    return 0;
  }

  // How a process ended, as of waitpid(2); nullopt: not known.
  std::optional<int> status_of(pid_t id) {
    const std::lock_guard lock(mutex_);
    if (!channel_) return std::nullopt;
    try {
      channel_->send(PacketKind::reap, text_of(std::int64_t{id}));
      return static_cast<int>(answer(PacketKind::reaped));
    } catch (const std::exception&) {
      channel_.reset();
      process_.reset();
      return std::nullopt;
    }
  }

  // The process has its own memory all the same: a crash is still its own.
  void tell_unconfined() {
    const std::lock_guard lock(mutex_);
    unconfined_ = message({"decoder.unconfined",
                           "pictures are decoded in a process of their own, but the kernel does not "
                           "confine it (seccomp is missing or forbidden here)"});
  }

  Message fault() {
    const std::lock_guard lock(mutex_);
    return fault_.empty() ? unconfined_
                          : message({"decoder.none",
                                     "pictures are decoded without protection from damaged and "
                                     "hostile files: {reason}"},
                                    fault_);
  }

 private:
  void start() {
    const fs::path program = find_decoder();
    if (program.empty()) {
      throw MessageError(message({"decoder.not_found", "sfumato-decode was not found"}));
    }
    // Threads that libraries start as they are loaded would be missing after a fork.
    process_.emplace(start_process(program, {"OPENBLAS_NUM_THREADS=1", "OMP_NUM_THREADS=1"}));
    channel_.emplace(process_->take_socket());
  }

  std::int64_t answer(PacketKind kind) {
    const std::optional<Packet> packet = channel_->receive(starting);
    if (!packet || packet->kind != kind) throw ProtocolError("sfumato-decode does not answer");
    return read_number(packet->text);
  }

  std::mutex mutex_;
  std::optional<Process> process_;
  std::optional<Channel> channel_;
  Message fault_, unconfined_;
};

// Names of formats that only OpenImageIO's readers know.
std::string_view name_of(std::string_view format) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 16> names = {
      {{"softimage", "Softimage PIC"},
       {"sgi", "SGI"},
       {"dds", "DDS"},
       {"dpx", "DPX"},
       {"targa", "TGA"},
       {"cineon", "Cineon"},
       {"psd", "Photoshop"},
       {"raw", "camera raw"},
       {"heif", "HEIF"},
       {"jpeg2000", "JPEG 2000"},
       {"openexr", "OpenEXR"},
       {"tiff", "TIFF"},
       {"jpeg", "JPEG"},
       {"png", "PNG"},
       {"webp", "WebP"},
       {"gif", "GIF"}}};
  for (const auto& [id, name] : names) {
    if (id == format) return name;
  }
  return format.empty() ? "unknown format" : format;
}

}  // namespace

std::unique_ptr<DecoderProcess> DecoderProcess::start() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return nullptr;
  Descriptor ours(ends[0]);
  const Descriptor theirs(ends[1]);
  const pid_t id = Forker::get().fork(theirs);
  if (id == 0) return nullptr;
  std::unique_ptr<DecoderProcess> out(new DecoderProcess(std::move(ours), id));
  const bool confined = read_number(out->receive(PacketKind::welcome).text) != 0;
  if (!confined) Forker::get().tell_unconfined();
  return out;
}

DecoderProcess::DecoderProcess(Descriptor socket, pid_t id)
    : channel_(std::move(socket)), id_(id) {}

DecoderProcess::~DecoderProcess() {
  if (id_ <= 0) return;
  ::kill(id_, SIGKILL);
  Forker::get().status_of(id_);
}

void DecoderProcess::send(PacketKind kind, const std::string& text,
                          const std::vector<int>& descriptors) {
  try {
    channel_.send(kind, text, descriptors);
  } catch (const Closed&) {
    tell_end();
  }
}

Packet DecoderProcess::receive(PacketKind kind) {
  try {
    std::optional<Packet> packet = channel_.receive(patience_);
    if (!packet) {
      throw FileError(message({"decoder.hangs",
                               "{file}: the file could not be read: its decoder hangs ({format}); "
                               "the file may be damaged"},
                              files::shown(path_), std::string(name_of(format_))));
    }
    if (packet->kind == PacketKind::failed) throw FileError(read_message(packet->text));
    if (packet->kind != kind) throw ProtocolError("another answer");
    if (kind == PacketKind::recognised) format_ = packet->text;
    return std::move(*packet);
  } catch (const Closed&) {
    tell_end();
  } catch (const ProtocolError&) {
    throw FileError(message({"decoder.nonsense",
                             "{file}: the file could not be read: its decoder talks nonsense "
                             "({format}); the file may be hostile"},
                            files::shown(path_), std::string(name_of(format_))));
  }
}

void DecoderProcess::tell_end() {
  const std::string file = files::shown(path_), format(name_of(format_));
  const std::optional<int> status = Forker::get().status_of(std::exchange(id_, 0));
  const int signal = status && WIFSIGNALED(*status) ? WTERMSIG(*status) : 0;
  if (signal == SIGXCPU) {
    throw FileError(message({"decoder.too_long",
                             "{file}: the file could not be read: decoding takes too long "
                             "({format}); the file may be damaged"},
                            file, format));
  }
  if (signal == SIGSYS) {
    throw FileError(message({"decoder.forbidden",
                             "{file}: the file could not be read: its decoder did what it may not "
                             "({format}); the file may be hostile"},
                            file, format));
  }
  throw FileError(message({"decoder.ended",
                           "{file}: the file could not be read: its decoder ended ({format}); the "
                           "file may be damaged"},
                          file, format));
}

void DecoderProcess::allow(std::size_t bytes, std::chrono::seconds time) {
  patience_ = 3 * time;
  const rlimit seconds{static_cast<rlim_t>(time.count()), RLIM_INFINITY};
  ::prlimit(id_, RLIMIT_CPU, &seconds, nullptr);
  rlimit now{};
  if (::prlimit(id_, RLIMIT_DATA, nullptr, &now) != 0 || now.rlim_cur == RLIM_INFINITY) return;
  const std::size_t used = data_in_use(id_);
  if (used == 0) return;
  now.rlim_cur = std::min<rlim_t>(now.rlim_max, used + bytes);
  ::prlimit(id_, RLIMIT_DATA, &now, nullptr);
}

Message containment_fault() {
  return Forker::get().fault();
}

}  // namespace sfumato::decoder
