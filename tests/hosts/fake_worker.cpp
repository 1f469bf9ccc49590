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
    if (message.kind == PacketKind::needs) {
      Rect needed = read_needs(message.text).format.rect();
      if (const std::string other = said("SFUMATO_TEST_NEEDED"); !other.empty()) {
        std::istringstream(other) >> needed.x0 >> needed.y0 >> needed.x1 >> needed.y1;
      }
      channel.send(PacketKind::needed, text_of(needed));
    } else if (message.kind == PacketKind::render) {
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
