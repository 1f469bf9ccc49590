// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Messages that no host sends: the worker rejects them, and nothing else happens.
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <QTest>
#include <cstring>
#include <random>
#include <thread>

#include "host/protocol.hpp"
#include "host/worker.hpp"
#include "params/errors.hpp"
#include "support/pictures.hpp"

using namespace sfumato;
using namespace sfumato::hosts;
using namespace sfumato::testing;

namespace {

// A worker on a thread of its own, greeted.
class Served {
 public:
  explicit Served(bool greeted = true) {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) std::abort();
    raw_ = ends[0];
    channel_.emplace(Descriptor(ends[0]));
    thread_ = std::thread([this, end = ends[1]] { status_ = serve(Descriptor(end)); });
    if (!greeted) return;
    Hello hello;
    hello.device = "reference";
    channel_->send(PacketKind::hello, text_of(hello));
    if (channel_->receive(std::chrono::seconds(20))->kind != PacketKind::welcome) std::abort();
  }
  ~Served() {
    if (thread_.joinable()) finish();
  }

  Channel& channel() { return *channel_; }
  int raw() const { return raw_; }
  int signs() const { return signs_; }
  // Hangs up; returns the worker's exit status.
  int finish() {
    ::shutdown(raw_, SHUT_WR);
    thread_.join();
    channel_.reset();
    return status_;
  }
  // Its answer before it ends; nullopt: none. Signs of work are counted and skipped.
  std::optional<Packet> answer() {
    try {
      while (true) {
        auto message = channel_->receive(std::chrono::seconds(20));
        if (!message || message->kind != PacketKind::working) return message;
        ++signs_;
      }
    } catch (const Closed&) {
      return std::nullopt;
    }
  }
  // The same without progress.
  std::optional<Packet> result() {
    auto message = answer();
    while (message && message->kind == PacketKind::progress) message = answer();
    return message;
  }

 private:
  int raw_ = -1, status_ = -1, signs_ = 0;
  std::optional<Channel> channel_;
  std::thread thread_;
};

constexpr std::size_t picture_bytes = 8 * 6 * 16;

RenderRequest small_request() {
  RenderRequest request;
  request.recipe = one_step("gaussian", {{"sigma", "1"}});
  request.source = {linear_format(8, 6, 4), {0, 0, 8, 6}, 0};
  request.sink = {linear_format(8, 6, 4), {0, 0, 8, 6}, 1, 1, picture_bytes, false};
  return request;
}

// Its result comes in three pieces through one slot of two rows.
RenderRequest request_in_pieces() {
  RenderRequest request = small_request();
  request.sink.bytes = 2 * 8 * 16;
  return request;
}

// The shared memory of such a request.
struct Memory {
  SharedMemory in{picture_bytes}, out{picture_bytes};
  Memory() { std::memset(in.data(), 0, in.size()); }
};

void send(Served& served, const RenderRequest& request, const Memory& memory) {
  served.channel().send(PacketKind::render, text_of(request),
                        {memory.in.descriptor(), memory.out.descriptor()});
}

// A valid message as bytes, to be corrupted.
std::string render_text() {
  return text_of(small_request());
}

}  // namespace

class TestWorkerMessages : public QObject {
  Q_OBJECT

 private slots:
  void a_request_is_answered() {
    Served served;
    const Memory memory;
    send(served, small_request(), memory);
    auto answer = served.result();
    QVERIFY(answer && answer->kind == PacketKind::pixels);
    const Piece piece = read_piece(answer->text, small_request().sink);
    QCOMPARE(piece.slot, 0);
    QVERIFY((piece.region == Rect{0, 0, 8, 6}));
    answer = served.result();
    QVERIFY(answer && answer->kind == PacketKind::done);
    QCOMPARE(served.finish(), 0);
  }

  // One slot of two rows: the next piece comes when the last one was taken, and not before.
  void a_slot_is_filled_again_when_it_came_back() {
    Served served;
    const RenderRequest request = request_in_pieces();
    const Memory memory;
    send(served, request, memory);
    for (int y = 0; y < 6; y += 2) {
      const auto answer = served.result();
      QVERIFY(answer && answer->kind == PacketKind::pixels);
      QVERIFY((read_piece(answer->text, request.sink).region == Rect{0, y, 8, y + 2}));
      constexpr std::chrono::milliseconds soon{100};
      std::optional<Packet> early;
      while (y < 4 && (early = served.channel().receive(soon))) {
        QVERIFY(early->kind != PacketKind::pixels);
      }
      served.channel().send(PacketKind::taken, text_of_slot(0));
    }
    auto answer = served.result();
    QVERIFY(answer && answer->kind == PacketKind::done);
    QCOMPARE(served.finish(), 0);
  }

  // A host that is gone, or cancels, while its worker waits for a slot.
  void waiting_for_a_slot_ends_data() {
    QTest::addColumn<bool>("cancels");
    QTest::newRow("the host cancels") << true;
    QTest::newRow("the host is gone") << false;
  }
  void waiting_for_a_slot_ends() {
    QFETCH(bool, cancels);
    Served served;
    const Memory memory;
    send(served, request_in_pieces(), memory);
    auto answer = served.result();
    QVERIFY(answer && answer->kind == PacketKind::pixels);
    if (cancels) {
      served.channel().send(PacketKind::cancel, "{}");
      answer = served.result();
      QVERIFY(answer && answer->kind == PacketKind::failed);
      QVERIFY(read_failed(answer->text).reason == Failed::Reason::cancelled);
    }
    QCOMPARE(served.finish(), 0);
  }

  void a_slot_that_was_not_sent_ends_it() {
    Served served;
    served.channel().send(PacketKind::taken, text_of_slot(3));
    QCOMPARE(served.finish(), 1);
  }

  // A host that waits long is told that work goes on, however rare progress is.
  void long_work_shows() {
    Served served;
    constexpr int side = 1500;
    RenderRequest request;
    request.recipe = one_step("bilateral", {{"sigma", "40"}, {"method", "exact"}});
    request.source = {linear_format(side, side, 4), {0, 0, side, side}, 0};
    request.sink = {linear_format(side, side, 4), {0, 0, side, side}, 1, 1, side * 16, false};
    SharedMemory in(request.source.bytes()), out(request.sink.bytes);
    served.channel().send(PacketKind::render, text_of(request),
                          {in.descriptor(), out.descriptor()});
    while (served.signs() == 0) {
      const auto answer = served.answer();
      QVERIFY(answer && answer->kind == PacketKind::progress);
    }
    served.channel().send(PacketKind::cancel, "{}");
    auto answer = served.result();
    QVERIFY(answer && answer->kind == PacketKind::failed);
    QCOMPARE(served.finish(), 0);
  }

  // The time limit holds for the whole message, however slowly its bytes arrive.
  void messages_that_never_end() {
    Served served;
    const std::uint32_t header[] = {0x31576653, static_cast<std::uint32_t>(PacketKind::render),
                                    100000, 0};
    QVERIFY(::send(served.raw(), header, sizeof header, MSG_NOSIGNAL) == sizeof header);
    // At this rate the whole message would take 14 hours.
    int sent = 0;
    while (sent < 600 && ::send(served.raw(), "x", 1, MSG_NOSIGNAL) == 1) {
      ++sent;
      std::this_thread::sleep_for(std::chrono::milliseconds(500));
    }
    QVERIFY2(sent < 600, "it still listens");
  }

  // Corrupted text is either rejected or understood, and the reader ends.
  void damaged_texts() {
    std::mt19937 random(3);
    const std::string good = render_text();
    const std::vector<std::size_t> sizes{picture_bytes, picture_bytes};
    int refused = 0;
    for (int i = 0; i < 4000; ++i) {
      std::string text = good;
      const int times = 1 + static_cast<int>(random() % 4);
      for (int t = 0; t < times; ++t) {
        const std::size_t at = random() % text.size();
        switch (random() % 4) {
          case 0:
            text[at] = static_cast<char>(random());
            break;
          case 1:
            text.erase(at, random() % 20);
            break;
          case 2:
            text.insert(at, text.substr(random() % text.size(), random() % 30));
            break;
          default:
            text[at] = "0123456789-[]{}\",:eE."[random() % 21];
        }
        if (text.empty()) text = "x";
      }
      try {
        const RenderRequest request = read_render(text, sizes);
        QVERIFY(request.source.bytes() <= picture_bytes);
        QVERIFY(request.sink.bytes * static_cast<std::size_t>(request.sink.count) <= picture_bytes);
        QVERIFY(request.source.format.rect().contains(request.source.region));
      } catch (const ProtocolError&) {
        ++refused;
      } catch (const RecipeError&) {
        ++refused;
      } catch (const ParameterError&) {
        ++refused;
      }
    }
    QVERIFY(refused > 2000);
  }

  void bytes_that_are_no_messages() {
    std::mt19937 random(5);
    for (int i = 0; i < 60; ++i) {
      Served served(i % 2 == 0);
      std::string bytes(1 + random() % 200, '\0');
      for (char& c : bytes) c = static_cast<char>(random());
      if (i % 3 == 0) bytes.replace(0, std::min<std::size_t>(4, bytes.size()), "SfW1");
      (void)!::send(served.raw(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      const int status = served.finish();
      QVERIFY(status == 0 || status == 1);
    }
  }

  void requests_that_lie_data() {
    QTest::addColumn<int>("which");
    QTest::newRow("memory that is too small") << 0;
    QTest::newRow("memory that may shrink") << 1;
    QTest::newRow("a descriptor that is a pipe") << 2;
    QTest::newRow("fewer descriptors than named") << 3;
    QTest::newRow("a region beyond the picture") << 4;
    QTest::newRow("source and sink in one") << 5;
    QTest::newRow("a role for a step that is not there") << 6;
    QTest::newRow("a filter that is not there") << 7;
    QTest::newRow("too little of the source") << 8;
    QTest::newRow("slots beyond their memory") << 9;
    QTest::newRow("a slot smaller than a row") << 10;
    QTest::newRow("a result beyond the picture") << 11;
  }
  void requests_that_lie() {
    QFETCH(int, which);
    Served served;
    RenderRequest request = small_request();
    SharedMemory in(which == 0 ? 64 : picture_bytes), out(picture_bytes);
    std::vector<int> descriptors{in.descriptor(), out.descriptor()};
    Descriptor other;
    int ends[2] = {-1, -1};
    if (which == 1) {
      other = Descriptor(::memfd_create("loose", MFD_CLOEXEC));
      QVERIFY(::ftruncate(other.get(), picture_bytes) == 0);
      descriptors[0] = other.get();
    } else if (which == 2) {
      QVERIFY(::pipe(ends) == 0);
      descriptors[0] = ends[0];
    } else if (which == 3) {
      descriptors.pop_back();
    } else if (which == 4) {
      request.source.region = {4, 0, 12, 6};
    } else if (which == 5) {
      request.sink.descriptor = 0;
    } else if (which == 6) {
      request.roles.push_back({3, "mask", request.source, {0, 0, 8, 6}});
    } else if (which == 8) {
      request.source.region = {0, 0, 8, 2};
    } else if (which == 9) {
      request.sink.count = 2;
    } else if (which == 10) {
      request.sink.bytes = 8 * 16 - 1;
    } else if (which == 11) {
      request.sink.region = {0, 0, 8, 7};
    }
    std::string text = text_of(request);
    if (which == 7) text.replace(text.find("gaussian"), 8, "gaussiam");
    served.channel().send(PacketKind::render, text, descriptors);
    const auto answer = served.answer();
    QVERIFY(answer && answer->kind == PacketKind::failed);
    QVERIFY(!read_failed(answer->text).sentence.empty());
    // It continues to serve.
    served.channel().send(
        PacketKind::needs,
        text_of(NeedsRequest{small_request().recipe, linear_format(8, 6, 4), {0, 0, 2, 2}}));
    const auto next = served.answer();
    QVERIFY(next && next->kind == PacketKind::needed);
    QCOMPARE(served.finish(), 0);
    for (const int end : ends) {
      if (end >= 0) ::close(end);
    }
  }

  void a_second_request_before_the_answer_ends_it() {
    Served served;
    const std::string text =
        text_of(NeedsRequest{small_request().recipe, linear_format(8, 6, 4), {0, 0, 2, 2}});
    for (int i = 0; i < 50; ++i) {
      try {
        served.channel().send(PacketKind::needs, text);
      } catch (const Closed&) {
        break;
      }
    }
    const int status = served.finish();
    QVERIFY(status == 0 || status == 1);
  }

  // Names and messages of a driver may contain any bytes.
  void words_that_are_no_utf8() {
    RenderReport done;
    done.device = "Ger\xe4t";
    done.tiles = 3;
    const Message why = message({"test.within", "it is {what}"}, "fine");
    done.warnings = {foreign_message("zu hei\xdf"),
                     message({"test.hot", "{device}: {why}"}, "one", why)};
    done.methods = {message({"test.how", "{filter}: {how}"},
                            MessageValue("median", "Median", TextKind::filter), why)};
    const RenderReport read = read_report(text_of(done));
    QVERIFY2(read.device.starts_with("Ger") && read.device.ends_with("t"), read.device.c_str());
    QCOMPARE(read.tiles, 3);
    QCOMPARE(read.warnings.size(), std::size_t{2});
    QVERIFY(read.warnings[1] == done.warnings[1]);
    QVERIFY(read.methods == done.methods);
    Hello hello;
    hello.device = "Ger\xe4t";
    QVERIFY(read_hello(text_of(hello)).device.starts_with("Ger"));
    const Failed failed{Failed::Reason::engine, foreign_message("zu hei\xdf")};
    QVERIFY(in_english(read_failed(text_of(failed)).sentence).starts_with("zu hei"));
  }

  void answers_are_read_with_suspicion() {
    for (const char* text : {"", "[]", "{}", "{\"region\":[1,2,3]}", "{\"region\":[5,0,1,2]}",
                             "{\"region\":[0,0,1e30,2]}", "{\"region\":\"all\"}"}) {
      QVERIFY_THROWS_EXCEPTION(ProtocolError, read_needed(text));
    }
    for (const char* text : {"{\"part\":\"half\"}", "{\"part\":null}", "{}"}) {
      QVERIFY_THROWS_EXCEPTION(ProtocolError, read_progress(text));
    }
    for (const char* text :
         {"{\"reason\":9,\"sentence\":{\"id\":\"\",\"text\":\"\",\"values\":{}}}", "{\"reason\":0}",
          "{\"reason\":0,\"sentence\":\"it ended\"}",
          "{\"reason\":0,\"sentence\":{\"id\":\"\",\"text\":\"{\",\"values\":{}}}"}) {
      QVERIFY_THROWS_EXCEPTION(ProtocolError, read_failed(text));
    }
    for (const char* text :
         {"{}", R"({"slot": 1, "region": [0, 0, 8, 6]})", R"({"slot": 0, "region": [0, 0, 9, 5]})",
          R"({"slot": 0, "region": [2, 2, 2, 2]})", R"({"slot": -1, "region": [0, 0, 1, 1]})"}) {
      QVERIFY_THROWS_EXCEPTION(ProtocolError, read_piece(text, small_request().sink));
    }
    SharedSlots low = small_request().sink;
    low.bytes = 8 * 16;
    QVERIFY_THROWS_EXCEPTION(ProtocolError, read_piece(text_of(Piece{0, {0, 0, 8, 2}}), low));
    for (const char* text : {"{}", R"({"slot": 64})", R"({"slot": "0"})"}) {
      QVERIFY_THROWS_EXCEPTION(ProtocolError, read_slot(text));
    }
    QVERIFY_THROWS_EXCEPTION(ProtocolError, read_report("{\"device\":3}"));
    QVERIFY_THROWS_EXCEPTION(ProtocolError,
                             read_report(R"({"device": "", "tiles": 1, "seconds": 1, "warnings": [],
                                             "methods": ["as text"]})"));
    QVERIFY_THROWS_EXCEPTION(ProtocolError, read_welcome("{\"protocol\":1,\"version\":\"\"}"));
  }
};

QTEST_GUILESS_MAIN(TestWorkerMessages)
#include "test_worker_messages.moc"
