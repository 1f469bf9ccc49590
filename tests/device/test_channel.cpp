// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Packets arrive as they were sent, with their descriptors; what is no packet is refused.
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QTest>
#include <array>
#include <cstdio>
#include <cstring>

#include "device/channel.hpp"

using namespace sfumato;

namespace {

constexpr std::chrono::milliseconds soon(1000);

// As in channel.cpp: the numbers before a packet's text.
struct Header {
  std::uint32_t magic, kind, text_bytes, descriptors;
};

std::array<int, 2> ends() {
  std::array<int, 2> out{-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, out.data()) != 0) std::abort();
  return out;
}

// Two channels, connected.
struct Line {
  explicit Line(std::array<int, 2> of = ends())
      : first(Descriptor(of[0])), second(Descriptor(of[1])) {}
  Channel first, second;
};

bool is_same_file(int a, int b) {
  struct stat one {
  }, other{};
  return ::fstat(a, &one) == 0 && ::fstat(b, &other) == 0 && one.st_ino == other.st_ino &&
         one.st_dev == other.st_dev;
}

// The bytes of a packet, read past the receiving channel.
std::vector<char> bytes_of(PacketKind kind, const std::string& text) {
  Line line;
  line.first.send(kind, text);
  std::vector<char> bytes(sizeof(Header) + text.size());
  if (::read(line.second.descriptor(), bytes.data(), bytes.size()) !=
      static_cast<ssize_t>(bytes.size())) {
    std::abort();
  }
  return bytes;
}

}  // namespace

class TestChannel : public QObject {
  Q_OBJECT

 private slots:
  void packets_arrive_as_they_were_sent() {
    Line line;
    const std::string long_text(100000, 'x');
    const int file = ::fileno(stderr);
    line.first.send(PacketKind::render, "{}", {file, STDIN_FILENO});
    line.first.send(PacketKind::cancel, "");
    line.first.send(PacketKind::done, long_text);
    const auto render = line.second.receive(soon), cancel = line.second.receive(soon),
               done = line.second.receive(soon);
    QVERIFY(render && cancel && done);
    QVERIFY(render->kind == PacketKind::render && cancel->kind == PacketKind::cancel);
    QVERIFY(done->kind == PacketKind::done);
    QCOMPARE(render->text, std::string("{}"));
    QCOMPARE(cancel->text, std::string());
    QVERIFY(done->text == long_text);
    QCOMPARE(render->descriptors.size(), std::size_t{2});
    QVERIFY(is_same_file(render->descriptors[0].get(), file));
    QVERIFY(is_same_file(render->descriptors[1].get(), STDIN_FILENO));
    QVERIFY(cancel->descriptors.empty() && done->descriptors.empty());
  }

  void nothing_comes_for_a_while() {
    Line line;
    QVERIFY(!line.second.receive(std::chrono::milliseconds(20)));
    QVERIFY(line.first.has_room());
  }

  void the_other_side_is_gone() {
    const auto sockets = ends();
    Channel here{Descriptor(sockets[0])};
    ::close(sockets[1]);
    QVERIFY_THROWS_EXCEPTION(Closed, here.receive(soon));
    QVERIFY_THROWS_EXCEPTION(Closed, here.send(PacketKind::hello, "{}"));
  }

  void what_is_too_long_is_not_sent() {
    Line line;
    const std::string text(longest_text + 1, ' ');
    const std::vector<int> files(most_descriptors + 1, STDIN_FILENO);
    QVERIFY_THROWS_EXCEPTION(ProtocolError, line.first.send(PacketKind::done, text));
    QVERIFY_THROWS_EXCEPTION(ProtocolError, line.first.send(PacketKind::done, "", files));
    QVERIFY(!line.second.receive(std::chrono::milliseconds(0)));
  }

  void what_is_no_packet_is_refused_data() {
    QTest::addColumn<int>("field");
    QTest::addColumn<unsigned>("value");
    QTest::newRow("something else") << 0 << 0u;
    QTest::newRow("a text too long") << 2 << static_cast<unsigned>(longest_text + 1);
    QTest::newRow("descriptors that did not come") << 3 << 1u;
  }
  void what_is_no_packet_is_refused() {
    QFETCH(int, field);
    QFETCH(unsigned, value);
    std::vector<char> bytes = bytes_of(PacketKind::done, "{}");
    std::memcpy(bytes.data() + 4 * field, &value, sizeof value);
    Line line;
    const auto size = static_cast<ssize_t>(bytes.size());
    QCOMPARE(::write(line.first.descriptor(), bytes.data(), bytes.size()), size);
    QVERIFY_THROWS_EXCEPTION(ProtocolError, line.second.receive(soon));
  }

  void most_descriptors_come() {
    Line line;
    line.first.send(PacketKind::render, "", std::vector<int>(most_descriptors, STDIN_FILENO));
    const auto packet = line.second.receive(soon);
    QVERIFY(packet);
    QCOMPARE(packet->descriptors.size(), most_descriptors);
  }
};

QTEST_APPLESS_MAIN(TestChannel)
#include "test_channel.moc"
