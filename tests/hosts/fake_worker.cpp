// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A worker with two devices that computes nothing, and answers as the environment demands.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "device/process.hpp"
#include "host/protocol.hpp"

using namespace sfumato;
using namespace sfumato::hosts;

namespace {

std::string said(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

void serve_falsely(Channel& channel) {
  constexpr std::chrono::milliseconds for_ever{-1};
  const Hello hello = read_hello(channel.receive(for_ever)->text);
  // The requests, one line per start.
  if (const std::string file = said("SFUMATO_TEST_HELLOS"); !file.empty()) {
    std::ofstream(file, std::ios::app)
        << hello.device << ' ' << hello.memory_limit << ' ' << hello.passed_over << '\n';
  }
  Welcome welcome;
  welcome.devices = 2;
  channel.send(PacketKind::welcome, text_of(welcome));
  while (true) {
    const Packet message = *channel.receive(for_ever);
    // The best device ends it while this file exists.
    if (hello.passed_over == 0 && std::filesystem::exists(said("SFUMATO_TEST_ENDS"))) return;
    if (message.kind == PacketKind::taken) continue;
    if (message.kind == PacketKind::needs) {
      Rect needed = read_needs(message.text).format.rect();
      if (const std::string other = said("SFUMATO_TEST_NEEDED"); !other.empty()) {
        std::istringstream(other) >> needed.x0 >> needed.y0 >> needed.x1 >> needed.y1;
      }
      channel.send(PacketKind::needed, text_of(needed));
    } else if (message.kind == PacketKind::render) {
      const std::vector<std::size_t> sizes(message.descriptors.size(), std::size_t{1} << 40);
      const Rect all = read_render(message.text, sizes).sink.region;
      const std::string wrong = said("SFUMATO_TEST_PIECE");
      const int middle = (all.y0 + all.y1) / 2;
      const Piece whole{0, all}, upper{0, {all.x0, all.y0, all.x1, middle}},
          lower{0, {all.x0, middle, all.x1, all.y1}}, beyond{0, all.grown(0, 1)};
      const auto send = [&](const Piece& piece) {
        channel.send(PacketKind::pixels, text_of(piece));
      };
      if (wrong == "after a cancel") {
        while (channel.receive(for_ever)->kind != PacketKind::cancel) continue;
      }
      if (wrong == "half") send(upper);
      if (wrong == "beyond") send(beyond);
      if (wrong == "lower half first") {
        send(lower);
        send(upper);
      }
      if (wrong.empty() || wrong == "after a cancel") send(whole);
      RenderReport done;
      done.device = "fake";
      channel.send(PacketKind::done, text_of(done));
    }
  }
}

}  // namespace

int main() {
  try {
    Channel channel{Descriptor(child_socket)};
    serve_falsely(channel);
  } catch (const std::exception&) {
    // the host is gone
  }
  return 0;
}
