// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// One waiting process for the whole program, which forks those for pictures.
#include "io/decoder/decoder_process.hpp"

#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <mutex>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "device/process.hpp"
#include "image/parallel_rows.hpp"
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

// The limit that a process begins with (serve.cpp), and how much longer than it may take.
constexpr milliseconds opening_time{6000};
constexpr int waiting_factor = 3;

// sfumato-decode said why it cannot go on.
class CannotStart : public MessageError {
 public:
  using MessageError::MessageError;
};

// There is no process for this picture; sfumato-decode itself works.
class CannotFork : public MessageError {
 public:
  using MessageError::MessageError;
};

// What a decoder may know of the user's environment: where its libraries are, and how to report
// faults. Not passwords, addresses and names.
std::vector<std::string> decoder_environment() {
  constexpr std::array<std::string_view, 11> known = {
      "HOME=", "LANG=", "LC_",      "LD_",   "OIIO_", "GLIBC_TUNABLES=",
      "ASAN_", "LSAN_", "SFUMATO_", "TSAN_", "UBSAN_"};
  std::vector<std::string> out = own_environment();
  std::erase_if(out, [&](const std::string& variable) {
    return std::none_of(known.begin(), known.end(),
                        [&](std::string_view name) { return variable.starts_with(name); });
  });
  // Threads that libraries start as they are loaded would be missing after a fork.
  out.insert(out.end(), {"OPENBLAS_NUM_THREADS=1", "OMP_NUM_THREADS=1"});
  return out;
}

// Whether a limit allows less memory than the machine has.
bool is_memory_limited() {
  const auto has = [](auto resource) {
    rlimit limit{};
    return ::getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  };
  return has(RLIMIT_AS) || has(RLIMIT_DATA);
}

// The process that waits, started with the first picture.
class Forker {
 public:
  static Forker& get() {
    static Forker* const one = new Forker;  // used to the end of the program
    return *one;
  }

  // A process at the other end of `socket`; 0 if sfumato-decode is not installed. Throws
  // std::exception if none can be started.
  pid_t fork(const Descriptor& socket) {
    const std::lock_guard lock(mutex_);
    try {
      return forked(socket);
    } catch (const CannotFork&) {
      throw;
    } catch (const CannotStart&) {
      forget();
      throw;
    } catch (const std::exception&) {
      // The waiting process may have been killed from outside: another one is tried.
      forget();
    }
    try {
      return forked(socket);
    } catch (const CannotFork&) {
      throw;
    } catch (const std::exception&) {
      forget();
      throw;
    }
  }

  // A fault is reported with the first picture.
  void prepare() noexcept {
    const std::lock_guard lock(mutex_);
    try {
      if (!channel_) start();
    } catch (const std::exception&) {
      forget();
    }
  }

  // How a process ended, as of waitpid(2); nullopt: not known.
  std::optional<int> status_of(pid_t id) {
    const std::lock_guard lock(mutex_);
    if (!channel_) return std::nullopt;
    try {
      channel_->send(PacketKind::reap, text_of(std::int64_t{id}));
      return static_cast<int>(answer(PacketKind::reaped));
    } catch (const std::exception&) {
      forget();
      return std::nullopt;
    }
  }

  // The process has its own memory all the same: a crash is still its own.
  void report_unconfined() {
    const std::lock_guard lock(mutex_);
    fault_ = message({"decoder.unconfined",
                      "pictures are decoded in a process of their own, but the kernel does not "
                      "confine it (seccomp is missing or forbidden here)"});
  }

  Message take_fault() {
    const std::lock_guard lock(mutex_);
    if (fault_.empty() || std::exchange(fault_said_, true)) return {};
    return fault_;
  }

 private:
  pid_t forked(const Descriptor& socket) try {
    if (!channel_ && !start()) return 0;
    channel_->send(PacketKind::fork, {}, {socket.get()});
    const auto id = static_cast<pid_t>(answer(PacketKind::forked));
    if (id > 0) return id;
    throw CannotFork(message({"decoder.no_process", "no more processes or memory can be had"}));
  } catch (const Closed&) {
    // With too little memory, the dynamic linker or a library ends the process.
    throw MessageError(is_memory_limited()
                           ? little_memory()
                           : message({"decoder.gone", "sfumato-decode ended while it started"}));
  }

  // False: the program is not installed.
  bool start() {
    const fs::path program = find_decoder();
    if (program.empty()) {
      fault_ = message({"decoder.none",
                        "pictures are decoded without protection from damaged and hostile files, "
                        "since sfumato-decode was not found; install Sfumato again"});
      return false;
    }
    process_.emplace(start_process(program, decoder_environment()));
    channel_.emplace(process_->take_socket());
    return true;
  }

  void forget() {
    channel_.reset();
    process_.reset();
  }

  std::int64_t answer(PacketKind kind) {
    const std::optional<Packet> packet = channel_->receive(starting);
    if (packet && packet->kind == PacketKind::failed) {
      throw CannotStart(read_message(packet->text));
    }
    if (!packet || packet->kind != kind) throw ProtocolError("sfumato-decode does not answer");
    return read_number(packet->text);
  }

  std::mutex mutex_;
  std::optional<Process> process_;
  std::optional<Channel> channel_;
  Message fault_;
  bool fault_said_ = false;
};

// Names of formats that only OpenImageIO's readers know.
std::string_view name_of(std::string_view format) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 17> names = {
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
       {"bmp", "BMP"},
       {"gif", "GIF"}}};
  for (const auto& [id, name] : names) {
    if (id == format) return name;
  }
  return format.empty() ? "unknown format" : format;
}

}  // namespace

std::unique_ptr<DecoderProcess> DecoderProcess::start(const fs::path& path,
                                                      const std::function<bool()>& cancelled) try {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw std::system_error(errno, std::generic_category());
  }
  Descriptor ours(ends[0]);
  Descriptor theirs(ends[1]);
  const pid_t id = Forker::get().fork(theirs);
  theirs = Descriptor();  // else its end would not be noticed
  if (id == 0) return nullptr;
  std::unique_ptr<DecoderProcess> out(new DecoderProcess(path, std::move(ours), id, cancelled));
  const bool confined = read_number(out->receive(PacketKind::welcome).text) != 0;
  if (!confined) Forker::get().report_unconfined();
  return out;
} catch (const FileError&) {
  throw;
} catch (const Cancelled&) {
  throw;
} catch (const std::exception& error) {
  throw FileError(message({"decoder.not_started",
                           "{file}: the file could not be read: its decoder could not be started "
                           "({reason})"},
                          files::shown(path), message_in(error)));
}

DecoderProcess::DecoderProcess(const fs::path& path, Descriptor socket, pid_t id,
                               const std::function<bool()>& cancelled)
    : channel_(std::move(socket)),
      id_(id),
      path_(path),
      cancelled_(cancelled),
      time_(opening_time),
      patience_(waiting_factor * opening_time) {}

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
    throw_end();
  }
}

// Waits in slices, so that cancelling is felt at once. nullopt: its time is over.
std::optional<Packet> DecoderProcess::next_packet() {
  constexpr milliseconds slice{50};
  std::optional<Packet> packet;
  do {
    if (cancelled_ && cancelled_()) throw Cancelled();
    const auto begin = std::chrono::steady_clock::now();
    packet = channel_.receive(std::clamp(patience_, milliseconds{0}, slice));
    patience_ -= std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - begin);
  } while (!packet && patience_.count() > 0);
  return packet;
}

Packet DecoderProcess::receive(PacketKind kind) {
  try {
    std::optional<Packet> packet = next_packet();
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
    throw_end();
  } catch (const ProtocolError&) {
    throw_impossible_answer();
  }
}

void DecoderProcess::throw_impossible_answer() const {
  throw FileError(message({"decoder.nonsense",
                           "{file}: the file could not be read: its decoder gave an impossible "
                           "answer ({format}); the file may be hostile"},
                          files::shown(path_), std::string(name_of(format_))));
}

void DecoderProcess::throw_end() {
  // Later calls report the same end. Process number 0 would mean this process and its whole group.
  if (id_ > 0) {
    // One that is ending already keeps the status that it ends with.
    ::kill(id_, SIGKILL);
    const std::optional<int> status = Forker::get().status_of(std::exchange(id_, 0));
    end_signal_ = status && WIFSIGNALED(*status) ? WTERMSIG(*status) : 0;
  }
  const std::string file = files::shown(path_), format(name_of(format_));
  if (end_signal_ == SIGXCPU) {
    throw FileError(message({"decoder.too_long",
                             "{file}: the file could not be read: decoding takes too long "
                             "({format}); the file may be damaged"},
                            file, format));
  }
  if (end_signal_ == SIGSYS) {
    throw FileError(
        message({"decoder.forbidden",
                 "{file}: the file could not be read: its decoder tried what it may not do "
                 "({format}); the file may be hostile"},
                file, format));
  }
  throw FileError(message({"decoder.ended",
                           "{file}: the file could not be read: its decoder ended ({format}); the "
                           "file may be damaged"},
                          file, format));
}

void DecoderProcess::allow_time(milliseconds time) {
  if (id_ <= 0) return;
  time_ += time;
  patience_ += waiting_factor * time;
  const auto all = std::chrono::ceil<std::chrono::seconds>(time_);
  const rlimit seconds{static_cast<rlim_t>(all.count()), RLIM_INFINITY};
  ::prlimit(id_, RLIMIT_CPU, &seconds, nullptr);
}

void DecoderProcess::allow_memory(std::size_t bytes) {
  if (id_ <= 0) return;
  rlimit now{};
  if (::prlimit(id_, RLIMIT_DATA, nullptr, &now) != 0 || now.rlim_cur == RLIM_INFINITY) return;
  const std::size_t used = data_in_use(id_);
  if (used == 0) return;
  now.rlim_cur = std::min<rlim_t>(now.rlim_max, used + bytes);
  ::prlimit(id_, RLIMIT_DATA, &now, nullptr);
}

void prepare() noexcept {
  Forker::get().prepare();
}

Message take_containment_fault() {
  return Forker::get().take_fault();
}

}  // namespace sfumato::decoder
