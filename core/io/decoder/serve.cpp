// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Forking, confining, decoding.
#include "io/decoder/serve.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <new>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "io/decoder/picture_text.hpp"
#include "io/decoder/process_memory.hpp"
#include "io/decoder/sandbox.hpp"
#include "io/file_origin.hpp"

namespace sfumato::decoder {
namespace {

constexpr std::chrono::milliseconds for_ever{-1};
constexpr unsigned opening_seconds = 6;

// One picture, for the program at the other end.
class PictureServer {
 public:
  PictureServer(Channel& channel, files::FileModule& module, const Give& give)
      : channel_(channel), module_(module), give_(give) {}

  [[noreturn]] void run() {
    while (true) {
      Packet packet = *channel_.receive(for_ever);
      try {
        answer(packet);
      } catch (const std::bad_alloc&) {
        fail(message({"decoder.no_memory",
                      "{file}: the file could not be read: it takes more memory than there is for "
                      "it; it may be damaged"},
                     files::shown(path_)));
      } catch (const FileError& error) {
        fail(error.message());
      } catch (const std::exception& error) {
        fail(message({"decoder.failed", "{file}: the file could not be read ({reason})"},
                     files::shown(path_), reason_in(error)));
      }
    }
  }

 private:
  void fail(const Message& why) { channel_.send(PacketKind::failed, text_of(why)); }

  void answer(Packet& packet) {
    switch (packet.kind) {
      case PacketKind::open:
        return open(packet);
      case PacketKind::memory:
        return use_memory(packet.descriptors.at(0));
      case PacketKind::decode:
        return decode(rows_of_picture(packet.text));
      case PacketKind::describe:
        return send_description();
      case PacketKind::page:
        return begin_page(read_page_request(packet.text));
      case PacketKind::piece:
        return channel_.send(PacketKind::bytes, text_of(origin().next_of_page()));
      case PacketKind::turn:
        frames().turn_to(static_cast<int>(read_number(packet.text)));
        return channel_.send(PacketKind::turned, {});
      case PacketKind::read_native:
        return read_native(read_rows(packet.text), packet.descriptors.at(0));
      case PacketKind::send_rows:
        return send_rows(rows_of_picture(packet.text));
      case PacketKind::send_native:
        return send_native(read_rows(packet.text));
      case PacketKind::profile_with: {
        const auto profile = origin().profile_with(read_profile_curve(packet.text));
        return channel_.send(PacketKind::described, {profile.begin(), profile.end()});
      }
      case PacketKind::profile:
        return channel_.send(PacketKind::numbers,
                             text_of(module_.numbers_of({packet.text.begin(), packet.text.end()})));
      case PacketKind::can_convert:
        return channel_.send(PacketKind::can, text_of(std::int64_t{origin().can_convert_colors()}));
      case PacketKind::convert:
        return convert(packet.text);
      default:
        throw ProtocolError("no request");
    }
  }

  void open(Packet& packet) {
    const ReadOptions options = read_options(packet.text, path_);
    give_({path_.string(), std::move(packet.descriptors)});
    const std::string format = module_.recognise(path_);
    channel_.send(PacketKind::recognised, format);
    const std::size_t claimed = module_.memory_to_open(path_, format);
    channel_.send(PacketKind::claims, text_of(static_cast<std::int64_t>(claimed)));
    if (claimed > 0 && channel_.receive(for_ever)->kind != PacketKind::allowed) {
      throw ProtocolError("the memory for the file is not allowed");
    }
    picture_ = module_.open(path_, options);
    channel_.send(PacketKind::opened,
                  text_of(Opened{picture_->format(), picture_->info(), rows().chunk_rows()}));
  }

  DecodedRows& rows() { return dynamic_cast<DecodedRows&>(picture()); }
  FrameReader& frames() { return dynamic_cast<FrameReader&>(picture()); }
  FileOrigin& origin() { return *picture().origin(); }
  InputPicture& picture() {
    if (!picture_) throw ProtocolError("no picture is open");
    return *picture_;
  }

  void use_memory(const Descriptor& shared) {
    Mapping memory(shared, Mapping::Access::write);
    const PictureFormat& f = picture().format();
    const std::size_t chunk =
        f.row_bytes() * static_cast<std::size_t>(std::min(rows().chunk_rows(), f.height));
    if (memory.size() / 2 < chunk) throw ProtocolError("the memory is too small for two chunks");
    rows().use_memory(memory.data());
    memory_ = std::move(memory);
  }

  // As the program reads them: a whole chunk, or the rest of the picture. Others would be decoded
  // beyond the memory.
  RowRange rows_of_picture(const std::string& text) {
    const RowRange wanted = read_rows(text);
    const std::int64_t height = picture().format().height;
    if (wanted.y0 < 0 || wanted.y0 >= height ||
        wanted.y1 != std::min(height, wanted.y0 + std::int64_t{rows().chunk_rows()})) {
      throw ProtocolError("the picture has no such chunk of rows");
    }
    return wanted;
  }

  void begin_page(const PageRequest& wanted) {
    const PageCopy copy = origin().begin_page(wanted.number, wanted.to);
    channel_.send(PacketKind::begun, text_of(static_cast<std::int64_t>(copy)));
  }

  void decode(const RowRange& wanted) {
    if (!memory_) throw ProtocolError("there is no memory for rows");
    const char* at = rows().decode(wanted.y0, wanted.y1);
    channel_.send(PacketKind::decoded, text_of(std::int64_t{at - memory_->data()}));
  }

  void read_native(const RowRange& wanted, const Descriptor& into) {
    const Mapping mapping(into, Mapping::Access::write);
    origin().read_native(wanted.part, wanted.y0, wanted.y1, mapping.data(), mapping.size());
    channel_.send(PacketKind::decoded, text_of(std::int64_t{0}));
  }

  void convert(std::string& pixels) {
    // The text is as aligned as any memory that was allocated.
    origin().convert_colors(reinterpret_cast<float*>(pixels.data()),
                            pixels.size() / bytes_of_color);
    channel_.send(PacketKind::bytes, pixels);
  }

  void send_rows(const RowRange& wanted) {
    const char* at = rows().decode(wanted.y0, wanted.y1);
    send_bytes(
        {at, picture().format().row_bytes() * static_cast<std::size_t>(wanted.y1 - wanted.y0)});
  }

  void send_native(const RowRange& wanted) {
    std::vector<char> bytes(static_cast<std::size_t>(wanted.bytes));
    origin().read_native(wanted.part, wanted.y0, wanted.y1, bytes.data(), bytes.size());
    send_bytes({bytes.data(), bytes.size()});
  }

  // In pieces, the last of which is shorter than a packet may be.
  void send_description() {
    std::string_view left = origin().description();
    for (bool more = true; more;) {
      const std::string piece(left.substr(0, longest_text));
      left.remove_prefix(piece.size());
      more = piece.size() == longest_text;
      channel_.send(PacketKind::described, piece);
    }
  }

  void send_bytes(std::string_view bytes) {
    for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), longest_text))) {
      channel_.send(PacketKind::bytes, std::string(bytes.substr(0, longest_text)));
    }
  }

  Channel& channel_;
  files::FileModule& module_;
  const Give& give_;
  std::filesystem::path path_;
  std::optional<Mapping> memory_;  // outlives the picture, which decodes into it
  std::unique_ptr<InputPicture> picture_;
};

// The process for one picture. Ends without what programs do at their end: that is its parent's.
[[noreturn]] void serve_picture(Descriptor socket, const Descriptor& nowhere,
                                files::FileModule& module, const Give& give) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
#ifndef SFUMATO_SANITIZED
  // The user's terminal is none of its business. Sanitizers report there.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (nowhere) ::dup2(nowhere.get(), stream);
  }
#else
  static_cast<void>(nowhere);
#endif
  try {
    Channel channel(std::move(socket));
    limit(opening_bytes, opening_seconds);
    const Confinement confinement = confine();
    channel.send(PacketKind::welcome, text_of(std::int64_t{confinement.calls}));
    answer_requests(channel, module, give);
  } catch (...) {
    // the program is gone, or has closed the socket
  }
  ::_exit(0);
}

int status_of(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) return 0;
  }
  return status;
}

}  // namespace

Message reason_in(const std::exception& error) {
  const auto* const system = dynamic_cast<const std::system_error*>(&error);
  const bool no_threads =
      system != nullptr && system->code() == std::errc::resource_unavailable_try_again;
  if (!no_threads && dynamic_cast<const std::bad_alloc*>(&error) == nullptr)
    return message_in(error);
  return little_memory();
}

void answer_requests(Channel& channel, files::FileModule& module, const Give& give) {
  PictureServer(channel, module, give).run();
}

int serve(Channel& channel, files::FileModule& module, const Give& give) try {
  const Descriptor nowhere(::open("/dev/null", O_RDWR | O_CLOEXEC));
  while (true) {
    Packet packet = *channel.receive(for_ever);
    if (packet.kind == PacketKind::fork && packet.descriptors.size() == 1) {
      const pid_t child = ::fork();
      if (child == 0) {
        ::close(channel.descriptor());
        serve_picture(std::move(packet.descriptors[0]), nowhere, module, give);
      }
      packet.descriptors.clear();
      channel.send(PacketKind::forked, text_of(std::int64_t{child}));
    } else if (packet.kind == PacketKind::reap) {
      const auto child = static_cast<pid_t>(read_number(packet.text));
      channel.send(PacketKind::reaped, text_of(std::int64_t{status_of(child)}));
    } else {
      return 2;
    }
  }
} catch (const std::exception&) {
  return 0;  // the program is gone
}

}  // namespace sfumato::decoder
