// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A host's side alone: workers that give false answers, that the system cannot end, and that are
// lost with a device which returns.
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <thread>

#include "device/descriptor.hpp"
#include "device/process.hpp"
#include "host/client.hpp"
#include "support/pictures.hpp"
#include "support/registry_walk.hpp"

using namespace sfumato;
using namespace sfumato::hosts;
using namespace sfumato::testing;

namespace {

// Whose bands, if it wants bands, must come from top to bottom.
class InBands final : public PixelSink {
 public:
  InBands(Image& image, bool bands) : memory_(image.format, image.view()), bands_(bands) {}
  const PictureFormat& format() const override { return memory_.format(); }
  bool wants_bands() const override { return bands_; }
  void write(const HostView& pixels) override {
    in_order = in_order && (!bands_ || pixels.region.y0 == next_);
    next_ = pixels.region.y1;
    memory_.write(pixels);
  }
  bool in_order = true;

 private:
  MemorySink memory_;
  bool bands_;
  int next_ = 0;
};

// A traced process, whose end nobody else can see.
struct Traced {
  pid_t id = -1, tracer = -1;
  bool traced = false;

  Traced() {
    int line[2];
    if (::pipe(line) != 0) return;
    id = ::fork();
    if (id == 0) {
      ::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
      if (::write(line[1], "x", 1) != 1) ::_exit(1);
      while (true) ::pause();
    }
    char byte = 0;
    const bool ready = ::read(line[0], &byte, 1) == 1;
    tracer = ::fork();
    if (tracer == 0) {
      ::alarm(120);  // or a host that waits would do so forever
      const bool traces = ready && ::ptrace(PTRACE_SEIZE, id, nullptr, nullptr) == 0;
      if (::write(line[1], traces ? "y" : "n", 1) != 1) ::_exit(1);
      while (true) ::pause();
    }
    traced = ::read(line[0], &byte, 1) == 1 && byte == 'y';
    for (const int end : line) ::close(end);
  }
  ~Traced() { let_go(); }
  Traced(const Traced&) = delete;
  Traced& operator=(const Traced&) = delete;

  bool is_held() const { return tracer > 0 && ::waitpid(tracer, nullptr, WNOHANG) == 0; }
  void let_go() {
    if (tracer > 0) {
      ::kill(tracer, SIGKILL);
      ::waitpid(tracer, nullptr, 0);
    }
    tracer = -1;
  }
};

}  // namespace

class TestClient : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir folder_;
  QStringList said_;

  QString path(const char* name) const { return folder_.filePath(QLatin1String(name)); }
  ClientOptions options() {
    ClientOptions out;
    out.worker = SFUMATO_FAKE_WORKER;
    out.log = [this](const Message& s) { said_ << QString::fromStdString(in_english(s)); };
    return out;
  }
  static Image rendered(Client& client, const Recipe& recipe, Image& input, RenderReport& report) {
    Image output(input.format);
    MemorySource source(input.format, input.view());
    MemorySink sink(output.format, output.view());
    report = client.render(recipe, source, sink, {});
    return output;
  }
  // Which devices the started workers left out.
  QByteArray hellos() const {
    QFile file(path("hellos"));
    return file.open(QFile::ReadOnly) ? file.readAll() : QByteArray();
  }

 private slots:
  void init() {
    said_.clear();
    QFile::remove(path("hellos"));
    qputenv("SFUMATO_TEST_HELLOS", path("hellos").toUtf8());
    qputenv("SFUMATO_TEST_ENDS", path("ends").toUtf8());
    qunsetenv("SFUMATO_TEST_NEEDED");
    qunsetenv("SFUMATO_TEST_PIECE");
  }

  // Such workers count as lost, like silent ones.
  void regions_that_cannot_be_data() {
    QTest::addColumn<QByteArray>("needed");
    QTest::newRow("empty") << QByteArray("5 5 5 9");
    QTest::newRow("beside the picture") << QByteArray("100 100 120 110");
    QTest::newRow("beyond the picture") << QByteArray("-1 0 40 30");
    QTest::newRow("far beyond it") << QByteArray("-30000000 -30000000 30000000 30000000");
  }
  void regions_that_cannot_be() {
    QFETCH(QByteArray, needed);
    qputenv("SFUMATO_TEST_NEEDED", needed);
    Client client(options());
    Image input = scene(linear_format(40, 30, 4));
    const Recipe recipe = one_step("median", {{"radius", "2"}});
    RenderReport report;
    Image got = rendered(client, recipe, input, report);
    SessionOptions reference;
    reference.device = "reference";
    Session session(reference);
    Image want = run(session, recipe, input, input.format);
    QCOMPARE(got.bytes, want.bytes);
    QVERIFY2(report.device.find("reference") != std::string::npos, report.device.c_str());
    QCOMPARE(said_.size(), 2);
    QVERIFY2(said_[0].contains(QStringLiteral("sent an unexpected answer")), qPrintable(said_[0]));
  }

  // Nor do they pass for a result.
  void pieces_that_cannot_be_data() {
    QTest::addColumn<QByteArray>("piece");
    QTest::addColumn<bool>("bands");
    QTest::newRow("none") << QByteArray("none") << true;
    QTest::newRow("half") << QByteArray("half") << false;
    QTest::newRow("beyond the region") << QByteArray("beyond") << false;
    QTest::newRow("bands in the wrong order") << QByteArray("lower half first") << true;
  }
  void pieces_that_cannot_be() {
    QFETCH(QByteArray, piece);
    QFETCH(bool, bands);
    qputenv("SFUMATO_TEST_PIECE", piece);
    Client client(options());
    Image input = scene(linear_format(40, 30, 4));
    const Recipe recipe = one_step("median", {{"radius", "2"}});
    Image got(input.format);
    MemorySource source(input.format, input.view());
    InBands sink(got, bands);
    client.render(recipe, source, sink, {});
    SessionOptions reference;
    reference.device = "reference";
    Session session(reference);
    Image want = run(session, recipe, input, input.format);
    QCOMPARE(got.bytes, want.bytes);
    QVERIFY(sink.in_order);
    QCOMPARE(said_.size(), 2);
    QVERIFY2(said_[1].contains(QStringLiteral("scalar reference")), qPrintable(said_[1]));
  }

  // An answer that was on its way already is not complete without the pieces that came too late.
  void a_cancel_beside_the_answer() {
    qputenv("SFUMATO_TEST_PIECE", "after a cancel");
    Client client(options());
    Image input = scene(linear_format(40, 30, 4)), output(input.format);
    MemorySource source(input.format, input.view());
    MemorySink sink(output.format, output.view());
    RenderOptions cancelled;
    cancelled.progress = [](double) { return false; };
    const Recipe recipe = one_step("median", {{"radius", "2"}});
    QVERIFY_THROWS_EXCEPTION(Cancelled, client.render(recipe, source, sink, cancelled));
    qunsetenv("SFUMATO_TEST_PIECE");
    const int process = client.worker_process();
    QVERIFY(process > 0);
    QVERIFY(said_.isEmpty());
  }

  void regions_of_nothing() {
    Client client(options());
    const Recipe recipe = one_step("median", {{"radius", "2"}});
    qputenv("SFUMATO_TEST_NEEDED", "0 0 0 0");
    QVERIFY(client.required_region(recipe, linear_format(40, 30, 4), {50, 50, 60, 60}).empty());
    QVERIFY(said_.isEmpty());
  }

  void a_device_gets_a_second_chance() {
    QVERIFY(QFile(path("ends")).open(QFile::WriteOnly));
    ClientOptions soon = options();
    soon.second_chance = std::chrono::milliseconds(1);
    Image input = scene(linear_format(40, 30, 4));
    const Recipe recipe = one_step("median", {{"radius", "2"}});
    RenderReport report;
    Client patient(options());
    rendered(patient, recipe, input, report);
    QCOMPARE(report.device, std::string("fake"));
    QCOMPARE(said_.size(), 1);
    QVERIFY(QFile::remove(path("ends")));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    rendered(patient, recipe, input, report);
    QCOMPARE(hellos(), QByteArray(" 0 0\n 0 1\n"));

    QVERIFY(QFile(path("ends")).open(QFile::WriteOnly));
    QVERIFY(QFile::remove(path("hellos")));
    Client client(soon);
    // Only the region, or the second chance might come before the pixels.
    client.required_region(recipe, input.format, input.format.rect());
    QCOMPARE(hellos(), QByteArray(" 0 0\n 0 1\n"));
    QVERIFY(QFile::remove(path("ends")));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    rendered(client, recipe, input, report);
    rendered(client, recipe, input, report);
    QCOMPARE(hellos(), QByteArray(" 0 0\n 0 1\n 0 0\n"));
    QCOMPARE(said_.size(), 2);
  }

  // The smallest spare memory that fits, so that a picture does not take that of its result.
  void spare_memory_goes_where_it_fits() {
    SpareMemory spare;
    SharedMemory large(4 << 20), small(1 << 20);
    char *at_large = large.data(), *at_small = small.data();
    spare.give(std::move(large));
    spare.give(std::move(small));
    const SharedMemory first = spare.take((1 << 20) - 5), second = spare.take((1 << 20) + 5),
                       third = spare.take(1000);
    QVERIFY(first.data() == at_small);
    QVERIFY(second.data() == at_large);
    QCOMPARE(third.size(), std::size_t{1000});
  }

  // Mapped once as long as it is passed again, and never confused with another.
  void memory_that_comes_again_stays_mapped() {
    SpareMappings spare;
    const SharedMemory first(1 << 16), second(1 << 16);
    const auto descriptor = [](const SharedMemory& memory) {
      return Descriptor(::dup(memory.descriptor()));
    };
    first.data()[9] = 1;
    second.data()[9] = 2;
    std::vector<Mapping> mappings;
    mappings.push_back(spare.take(descriptor(first)));
    mappings.back().prepare(1 << 16);
    QCOMPARE(mappings.back().data()[9], '\1');
    char* const at = mappings.back().data();
    spare.keep(std::move(mappings));
    mappings.clear();
    mappings.push_back(spare.take(descriptor(second)));
    QCOMPARE(mappings.back().data()[9], '\2');
    QVERIFY(mappings.back().data() != at);
    first.data()[9] = 3;
    mappings.push_back(spare.take(descriptor(first)));
    QVERIFY(mappings.back().data() == at);
    QCOMPARE(mappings.back().data()[9], '\3');
    // Memory that is not passed again is released.
    mappings.pop_back();
    spare.keep(std::move(mappings));
    QVERIFY(spare.take(descriptor(second)).is_of(descriptor(second)));
    QCOMPARE(spare.take(descriptor(first)).data()[9], '\3');
  }

  // Killed, but not gone: the host continues, and nothing is left behind in the end.
  void a_worker_that_does_not_go() {
    Traced worker;
    if (!worker.traced) {
      ::kill(worker.id, SIGKILL);
      ::waitpid(worker.id, nullptr, 0);
      QSKIP("processes may not be traced here");
    }
    { const Process process(worker.id, Descriptor()); }
    QVERIFY(worker.is_held());
    QCOMPARE(::waitpid(worker.id, nullptr, WNOHANG), 0);
    worker.let_go();
    QVERIFY(QTest::qWaitFor([&] {
      { const Process next = start_process(SFUMATO_FAKE_WORKER); }
      return ::kill(worker.id, 0) != 0;
    }));
  }
};

QTEST_GUILESS_MAIN(TestClient)
#include "test_client.moc"
