// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The worker: the session's pixels in another process, and a host that continues whatever happens
// to it.
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <atomic>
#include <csignal>
#include <random>
#include <thread>

#include "device/process.hpp"
#include "host/client.hpp"
#include "hosts/losing_worker.hpp"
#include "support/pictures.hpp"
#include "support/registry_rows.hpp"
#include "support/registry_walk.hpp"

using namespace sfumato;
using namespace sfumato::hosts;
using namespace sfumato::testing;

namespace {

Image rendered(Client& client, const Recipe& recipe, Image& input, const RenderOptions& options,
               RenderReport* report = nullptr) {
  Image output(input.format);
  MemorySource source(input.format, input.view());
  MemorySink sink(output.format, output.view());
  const RenderReport said = client.render(recipe, source, sink, options);
  if (report != nullptr) *report = said;
  return output;
}

Image rendered(Session& session, const Recipe& recipe, Image& input, const RenderOptions& options) {
  Image output(input.format);
  MemorySource source(input.format, input.view());
  MemorySink sink(output.format, output.view());
  session.render(recipe, source, sink, options);
  return output;
}

// Writes a script to a file, as a program that is not a worker.
std::filesystem::path script(const QTemporaryDir& folder, const char* name, const char* text) {
  const QString path = folder.filePath(QLatin1String(name));
  QFile file(path);
  if (!file.open(QFile::WriteOnly)) return {};
  file.write(text);
  file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  return path.toStdString();
}

// Large enough for many slots.
PictureFormat large() {
  return rgba(1500, 900);
}

// A result that must come in bands, or may come in tiles, with something to do at each piece.
class WatchedSink final : public PixelSink {
 public:
  WatchedSink(Image& image, bool bands, std::function<void(int)> at_piece)
      : memory_(image.format, image.view()), bands_(bands), at_piece_(std::move(at_piece)) {}
  const PictureFormat& format() const override { return memory_.format(); }
  bool wants_bands() const override { return bands_; }
  void write(const HostView& pixels) override {
    const Rect& r = pixels.region;
    in_order = in_order && r.x0 == 0 && r.x1 == format().width && r.y0 == next_;
    next_ = r.y1;
    memory_.write(pixels);
    at_piece_(++pieces);
  }
  int pieces = 0;
  bool in_order = true;

 private:
  MemorySink memory_;
  bool bands_;
  std::function<void(int)> at_piece_;
  int next_ = 0;
};

bool is_gone(int process) {
  return ::kill(process, 0) != 0;
}

}  // namespace

class TestWorker : public QObject {
  Q_OBJECT

 private:
  Client client_;
  Session session_;

 private slots:
  // First: nothing in this process has used a device yet.
  void hosts_load_no_driver() {
    Image input = scene(rgba(64, 48));
    Client client;
    rendered(client, one_step("gaussian", {{"sigma", "3"}}), input, {});
    QVERIFY(client.worker_process() > 0);
    QFile maps(QStringLiteral("/proc/self/maps"));
    QVERIFY(maps.open(QFile::ReadOnly));
    const QByteArray mapped = maps.readAll();
    for (const char* driver : {"libpocl", "libnvidia-opencl", "libLLVM", "libamdocl", "intelocl"}) {
      QVERIFY2(!mapped.contains(driver), driver);
    }
  }

  // As if the graphics card chosen in the preferences had been removed.
  void a_chosen_device_that_is_not_there() {
    Image input = scene(rgba(64, 48));
    ClientOptions options;
    options.device = "no such device";
    std::vector<std::string> said;
    options.log = [&](const Message& sentence) { said.push_back(in_english(sentence)); };
    Client client(options);
    const Recipe recipe = one_step("gaussian", {{"sigma", "3"}});
    for (int turn = 0; turn < 2; ++turn) {
      QCOMPARE(rendered(client, recipe, input, {}).bytes,
               rendered(session_, recipe, input, {}).bytes);
      QVERIFY(client.worker_process() > 0);
    }
    QCOMPARE(said.size(), std::size_t{1});
    QVERIFY2(said[0].starts_with("The chosen device cannot be used (no device fits"),
             said[0].c_str());
  }

  void every_filter_gives_the_sessions_pixels_data() { every_filter(); }
  void every_filter_gives_the_sessions_pixels() {
    const Filter& filter = fetched();
    const Recipe recipe = one_step(filter.info().id, busy_values(filter));
    for (const PictureFormat& format :
         {rgba(97, 61), rgba(97, 61, SampleType::u8), rgba(97, 61, SampleType::u16)}) {
      Image input = scene(format);
      RenderOptions options = with_roles(97, 61);
      QCOMPARE(rendered(client_, recipe, input, options).bytes,
               rendered(session_, recipe, input, options).bytes);
      options.region = {30, 20, 71, 50};
      QCOMPARE(rendered(client_, recipe, input, options).bytes,
               rendered(session_, recipe, input, options).bytes);
    }
  }

  void large_results_come_in_pieces_data() {
    QTest::addColumn<bool>("bands");
    QTest::addColumn<bool>("killed");
    QTest::newRow("bands") << true << false;
    QTest::newRow("tiles") << false << false;
    QTest::newRow("bands, and the worker is killed") << true << true;
    QTest::newRow("tiles, and the worker is killed") << false << true;
  }
  void large_results_come_in_pieces() {
    QFETCH(bool, bands);
    QFETCH(bool, killed);
    QStringList said;
    ClientOptions options;
    options.log = [&](const Message& s) { said << QString::fromStdString(in_english(s)); };
    Client client(options);
    Image input = scene(large()), output(input.format);
    const Recipe recipe = one_step("gaussian", {{"sigma", "3"}});
    Image want = rendered(session_, recipe, input, {});
    MemorySource source(input.format, input.view());
    client.required_region(recipe, input.format, input.format.rect());
    const int process = client.worker_process();
    WatchedSink sink(output, bands, [&](int piece) {
      if (killed && piece == 2) ::kill(process, SIGKILL);
    });
    client.render(recipe, source, sink, {});
    QVERIFY(sink.pieces >= 5);
    if (bands) QVERIFY(sink.in_order);
    QCOMPARE(said.size(), killed ? 1 : 0);
    // A second worker may have another device.
    QVERIFY(largest_difference(output, want) <= (killed ? 1e-5 : 0));
  }

  // A host may be slower than a worker may be silent.
  void a_slow_host_loses_no_worker() {
    ClientOptions options;
    options.patience = std::chrono::milliseconds(8000);
    QStringList said;
    options.log = [&](const Message& s) { said << QString::fromStdString(in_english(s)); };
    Client client(options);
    Image input = scene(large()), output(input.format);
    MemorySource source(input.format, input.view());
    WatchedSink sink(output, true, [&](int piece) {
      if (piece == 1) std::this_thread::sleep_for(std::chrono::milliseconds(8500));
    });
    client.render(one_step("gaussian", {{"sigma", "3"}}), source, sink, {});
    QVERIFY2(said.isEmpty(), qPrintable(said.join(QLatin1Char('\n'))));
    QVERIFY(sink.in_order);
  }

  void a_result_that_is_not_wanted_any_more() {
    Client client;
    Image input = scene(large()), output(input.format);
    MemorySource source(input.format, input.view());
    const Recipe recipe = one_step("gaussian", {{"sigma", "3"}});
    RenderOptions options;
    bool wanted = true;
    options.progress = [&](double) { return wanted; };
    WatchedSink first(output, false, [&](int) { wanted = false; });
    QVERIFY_THROWS_EXCEPTION(Cancelled, client.render(recipe, source, first, options));
    QCOMPARE(first.pieces, 1);
    const int process = client.worker_process();
    QVERIFY(process > 0);
    WatchedSink second(output, false, [](int) { throw std::runtime_error("the disk is full"); });
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, client.render(recipe, source, second, {}));
    QVERIFY(is_gone(process));  // its answer is still to come
    Image want = rendered(session_, recipe, input, {});
    QCOMPARE(rendered(client, recipe, input, {}).bytes, want.bytes);
  }

  void regions_that_are_needed_are_the_sessions() {
    for (const char* border : {"clamp", "wrap"}) {
      const Recipe recipe = one_step("gaussian", {{"sigma", "4"}, {"border", border}});
      const PictureFormat format = rgba(400, 300);
      QVERIFY(client_.required_region(recipe, format, {100, 100, 120, 110}) ==
              session_.required_region(recipe, format, {100, 100, 120, 110}));
    }
  }

  void what_cannot_be_done_is_said_as_the_session_says_it() {
    Image input = scene(rgba(20, 20));
    const Recipe recipe = one_step("joint_bilateral", Values());
    std::string here, there;
    try {
      rendered(session_, recipe, input, {});
    } catch (const std::exception& e) {
      here = e.what();
    }
    try {
      rendered(client_, recipe, input, {});
    } catch (const std::exception& e) {
      there = e.what();
    }
    QVERIFY(!here.empty());
    QCOMPARE(there, here);
  }

  void the_worker_goes_with_the_client() {
    int process = 0;
    {
      Client client;
      Image input = scene(rgba(8, 8));
      rendered(client, one_step("gaussian", {{"sigma", "1"}}), input, {});
      process = client.worker_process();
      QVERIFY(!is_gone(process));
    }
    QVERIFY(is_gone(process));
  }

  void cancelling_is_heard() {
    Image input = scene(rgba(2000, 2000));
    RenderOptions options;
    QElapsedTimer clock;
    options.progress = [&](double) {
      if (!clock.isValid()) clock.start();
      return clock.elapsed() < 100;
    };
    const Recipe slow =
        one_step("bilateral", {{"sigma", "20"}, {"method", "exact"}, {"range_sigma", "0.1"}});
    QVERIFY_THROWS_EXCEPTION(Cancelled, rendered(client_, slow, input, options));
    // The same worker continues.
    const int process = client_.worker_process();
    rendered(client_, one_step("gaussian", {{"sigma", "2"}}), input, {});
    QCOMPARE(client_.worker_process(), process);
  }

  // A late answer from a worker must not be taken for that of another request.
  void a_request_left_open_spoils_no_other_data() {
    QTest::addColumn<bool>("throws");
    QTest::newRow("a cancel that is not answered") << false;
    QTest::newRow("a host's own error") << true;
  }
  void a_request_left_open_spoils_no_other() {
    QFETCH(bool, throws);
    Client client;
    Image input = scene(rgba(2000, 2000)), small = scene(rgba(64, 48));
    const Recipe quick = one_step("gaussian", {{"sigma", "2"}}),
                 slow = one_step("bilateral",
                                 {{"sigma", "20"}, {"method", "exact"}, {"range_sigma", "0.1"}});
    const Image want = rendered(client, quick, small, {});
    const int process = client.worker_process();
    RenderOptions options;
    options.progress = [&](double) {
      if (throws) throw std::runtime_error("the host has another idea");
      ::kill(process, SIGSTOP);
      return false;
    };
    if (throws) {
      QVERIFY_THROWS_EXCEPTION(std::runtime_error, rendered(client, slow, input, options));
    } else {
      QVERIFY_THROWS_EXCEPTION(Cancelled, rendered(client, slow, input, options));
    }
    QVERIFY(is_gone(process));
    QCOMPARE(rendered(client, quick, small, {}).bytes, want.bytes);
  }

  void a_worker_that_is_killed_is_replaced() {
    QStringList said;
    ClientOptions options;
    options.log = [&](const Message& s) { said << QString::fromStdString(in_english(s)); };
    Client client(options);
    Image input = scene(rgba(300, 200));
    const Recipe recipe = one_step("gaussian", {{"sigma", "5"}});
    const Image want = rendered(session_, recipe, input, {});
    QCOMPARE(rendered(client, recipe, input, {}).bytes, want.bytes);
    ::kill(client.worker_process(), SIGKILL);
    QCOMPARE(rendered(client, recipe, input, {}).bytes, want.bytes);
    QCOMPARE(said.size(), 1);
    QVERIFY2(said[0].contains(QLatin1String("lost")), qPrintable(said[0]));
  }

  // Whatever the worker is doing, the pixels arrive, from a second worker or the reference.
  void killed_at_random_moments() {
    std::atomic<int> process = 0;
    std::mt19937 random(7);
    Image input = scene(rgba(200, 150));
    const Recipe recipe = one_step("median", {{"radius", "3"}});
    Image want = rendered(session_, recipe, input, {});
    for (int i = 0; i < 100; ++i) {
      Client client;
      rendered(client, one_step("grayscale", Values()), input, {});
      process = client.worker_process();
      std::thread killer([&, wait = random() % 40] {
        std::this_thread::sleep_for(std::chrono::milliseconds(wait));
        ::kill(process, SIGKILL);
      });
      Image got = rendered(client, recipe, input, {});
      killer.join();
      QVERIFY(largest_difference(got, want) < 1e-5);
    }
  }

  void a_worker_that_hangs_is_replaced() {
    QStringList said;
    ClientOptions options;
    options.log = [&](const Message& s) { said << QString::fromStdString(in_english(s)); };
    Client client(options);
    Image input = scene(rgba(64, 64));
    const Recipe recipe = one_step("gaussian", {{"sigma", "2"}});
    const Image want = rendered(client, recipe, input, {});
    ::kill(client.worker_process(), SIGSTOP);
    QCOMPARE(rendered(client, recipe, input, {}).bytes, want.bytes);
    QCOMPARE(said.size(), 1);
    QVERIFY2(said[0].contains(QLatin1String("said nothing")), qPrintable(said[0]));
  }

  // In the middle of a filter: the remaining devices compute the pixels, with a warning.
  void a_worker_whose_device_is_lost() {
    const LosingWorker losing;
    qputenv("SFUMATO_DEVICE", "pocl");  // the built-in device has no driver that could lose it
    const auto forget = qScopeGuard([] { qunsetenv("SFUMATO_DEVICE"); });
    QStringList said;
    ClientOptions options;
    options.worker = losing.program();
    options.log = [&](const Message& s) { said << QString::fromStdString(in_english(s)); };
    Client client(options);
    Image input = scene(rgba(300, 200));
    const Recipe recipe = one_step("gaussian", {{"sigma", "5"}});
    RenderReport report;
    Image want = rendered(client, recipe, input, {}, &report);
    QVERIFY(report.device.find("reference") == std::string::npos);
    QVERIFY(report.warnings.empty());
    QVERIFY(losing.lose_device());
    Image got = rendered(client, recipe, input, {}, &report);
    QVERIFY(largest_difference(got, want) < 1e-3);
    QCOMPARE(report.warnings.size(), std::size_t{1});
    QVERIFY2(in_english(report.warnings[0]).find("going on with") != std::string::npos,
             in_english(report.warnings[0]).c_str());
    QCOMPARE(said.size(), 0);  // the worker itself is fine
  }

  void programs_that_are_no_worker_data() {
    QTest::addColumn<QString>("text");
    QTest::newRow("ends") << "#!/bin/sh\nexit 1\n";
    QTest::newRow("talks") << "#!/bin/sh\necho hello, this is nobody you know >&3\nsleep 5\n";
    QTest::newRow("not a program") << "";
  }
  void programs_that_are_no_worker() {
    QFETCH(QString, text);
    QTemporaryDir folder;
    QStringList said;
    ClientOptions options;
    options.worker = script(folder, "worker", qPrintable(text));
    options.log = [&](const Message& s) { said << QString::fromStdString(in_english(s)); };
    Client client(options);
    Image input = scene(rgba(40, 30));
    const Recipe recipe = one_step("median", {{"radius", "2"}});
    RenderReport report;
    Image got = rendered(client, recipe, input, {}, &report);
    Image want = rendered(session_, recipe, input, {});
    QVERIFY(largest_difference(got, want) < 1e-5);
    QVERIFY2(QString::fromStdString(report.device).contains(QLatin1String("reference")),
             report.device.c_str());
    QCOMPARE(said.size(), 2);
    QVERIFY2(said[1].contains(QLatin1String("scalar reference")), qPrintable(said[1]));
  }

  // Reported once: nothing takes over, and nothing changes until it is installed.
  void a_worker_that_is_not_installed() {
    const QByteArray before = qgetenv("SFUMATO_WORKER");
    qputenv("SFUMATO_WORKER", "/nowhere/sfumato-worker");
    QStringList said;
    ClientOptions options;
    options.log = [&](const Message& s) { said << QString::fromStdString(in_english(s)); };
    Client client(options);
    Image input = scene(rgba(40, 30));
    const Recipe recipe = one_step("median", {{"radius", "2"}});
    for (int i = 0; i < 2; ++i) {
      RenderReport report;
      rendered(client, recipe, input, {}, &report);
      QVERIFY2(QString::fromStdString(report.device).contains(QLatin1String("reference")),
               report.device.c_str());
    }
    qputenv("SFUMATO_WORKER", before);
    QCOMPARE(said.size(), 1);
    QVERIFY2(said[0].contains(QLatin1String("not installed")), qPrintable(said[0]));
  }

  void a_worker_of_another_version_is_not_used() {
    Process process = start_process(find_worker());
    Channel channel(process.take_socket());
    Hello hello;
    hello.version = "0.0.1";
    channel.send(PacketKind::hello, text_of(hello));
    const auto answer = channel.receive(std::chrono::seconds(10));
    QVERIFY(answer && answer->kind == PacketKind::failed);
    QVERIFY(in_english(read_failed(answer->text).sentence).find("0.0.1") != std::string::npos);
  }
};

QTEST_GUILESS_MAIN(TestWorker)
#include "test_worker.moc"
