// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Messages of operations to GEGL's users, and a host that continues when the operations or the
// worker fail.
#include "hosts/gegl/gegl_graph.hpp"
//
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <map>
#include <random>
#include <thread>

#include "hosts/losing_worker.hpp"
#include "support/skips.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

constexpr char german[] = "SFUMATO_TEST_GERMAN", losing[] = "SFUMATO_TEST_LOST";

// Runs this program again, for one function in its own environment.
void run_again(const char* function, const std::map<QString, QString>& surroundings) {
  QProcess program;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  for (const auto& [name, value] : surroundings) environment.insert(name, value);
  program.setProcessEnvironment(environment);
  program.start(QCoreApplication::applicationFilePath(), {QLatin1String(function)});
  QVERIFY(program.waitForFinished(120000));
  QVERIFY2(program.exitCode() == 0, program.readAllStandardOutput().constData());
}

}  // namespace

class TestGeglMessages : public GeglTest {
  Q_OBJECT

 private slots:
  void initTestCase() {
    if (!qEnvironmentVariableIsSet(german)) qputenv("LANGUAGE", "en");
    gegl_init(nullptr, nullptr);
  }

  // The picture passes through unchanged, and the user is told why, once.
  void nothing_that_goes_wrong_leaves_the_operation() {
    PictureFormat format = rgba(30, 20);
    Image input = scene(format);
    {
      const Listening listening;
      Graph canny("canny");
      canny.connect(input);
      gegl_node_set(canny.op(), "low-threshold", 0.9, "high-threshold", 0.1, nullptr);
      Image got = canny.result(format, format.rect());
      QVERIFY(difference_in(got, input, format.rect()) < 1e-6);
      QCOMPARE(listening.said.size(), 1);
      QVERIFY2(listening.said[0].contains(QLatin1String("threshold")),
               qPrintable(listening.said[0]));
      gegl_node_set(canny.op(), "low-threshold", 0.9, nullptr);  // which asks for it again
      canny.result(format, format.rect());
      QCOMPARE(listening.said.size(), 1);
    }
    {
      const Listening listening;
      Graph gradient("gradient_map");
      gradient.connect(input);
      gegl_node_set(gradient.op(), "gradient", "nonsense", nullptr);
      gradient.result(format, format.rect());
      QCOMPARE(listening.said.size(), 1);
    }
    {
      const Listening listening;
      Graph kernel("fft_convolve");  // without its kernel
      kernel.connect(input);
      Image got = kernel.result(format, format.rect());
      QCOMPARE(listening.said.size(), 1);
      QVERIFY(difference_in(got, input, format.rect()) < 1e-6);
    }
    const Listening listening;
    Graph alone("gaussian");  // without an input
    alone.result(format, format.rect());
  }

  void what_the_engine_warns_of_is_said() {
    PictureFormat format = rgba(30, 20);
    Image input = scene(format), guide = scene(rgba(12, 9));
    const Listening listening;
    Graph graph("joint_bilateral");
    graph.connect(input);
    const FilterInfo& info = Registry::get().at("joint_bilateral").filter->info();
    graph.connect(guide, pad_of(info, "guide").c_str());
    graph.result(format, format.rect());
    QCOMPARE(listening.said.size(), 1);
    QVERIFY2(listening.said[0].contains(QLatin1String("the guide picture covers only 12 x 9")),
             qPrintable(listening.said[0]));
  }

  // Gray pictures have one channel, which is not a normal. A colour picture used as depth gives its
  // first channel without a warning, since hosts may have no other pictures.
  void roles_have_the_channels_that_are_there() {
    PictureFormat format = rgba(30, 20), gray = linear_format(30, 20, 1),
                  colour = linear_format(30, 20, 3);
    Image input = scene(format), flat = scene(gray), coloured = scene(colour);
    for (int y = 0; y < 20; ++y) {
      for (int x = 0; x < 30; ++x) coloured.set(x, y, 0, flat.get(x, y, 0));
    }
    const FilterInfo& info = Registry::get().at("joint_bilateral").filter->info();
    {
      const Listening listening;
      Graph normal("joint_bilateral");
      normal.connect(input);
      normal.connect(input, pad_of(info, "guide").c_str());
      normal.connect(flat, pad_of(info, "normal").c_str());
      normal.result(format, format.rect());
      QVERIFY2(listening.all().contains(QLatin1String("a normal has 3")),
               qPrintable(listening.all()));
    }
    const Listening listening;
    Image results[2] = {Image(format), Image(format)};
    for (int i = 0; i < 2; ++i) {
      Graph depth("joint_bilateral");
      depth.connect(input);
      depth.connect(input, pad_of(info, "guide").c_str());
      depth.connect(i == 0 ? flat : coloured, pad_of(info, "depth").c_str());
      results[i] = depth.result(format, format.rect());
    }
    QVERIFY2(listening.said.isEmpty(), qPrintable(listening.all()));
    QVERIFY(difference_in(results[0], input, format.rect()) > 1e-3);
    QVERIFY(difference_in(results[0], results[1], format.rect()) < 1e-6);
  }

  // GEGL reads an operation's texts once, so German needs another process.
  void texts_are_in_the_hosts_language() {
    if (!qEnvironmentVariableIsSet(german)) {
      // A locale of its own: from glibc 2.37 on nothing is translated in C.UTF-8, and a bare system
      // has no other.
      const QTemporaryDir folder;
      QProcess made;
      made.start(QStringLiteral("localedef"),
                 {QStringLiteral("-i"), QStringLiteral("de_DE"), QStringLiteral("-f"),
                  QStringLiteral("UTF-8"), folder.filePath(QStringLiteral("de_DE.UTF-8"))});
      QVERIFY(made.waitForFinished(180000));
      if (made.exitCode() != 0) SKIP_WITHOUT("what locales are made of: Debian's package locales");
      return run_again("texts_are_in_the_hosts_language",
                       {{QStringLiteral("LOCPATH"), folder.path()},
                        {QStringLiteral("LC_ALL"), QStringLiteral("de_DE.UTF-8")},
                        {QStringLiteral("LANGUAGE"), QStringLiteral("de")},
                        {QLatin1String(german), QStringLiteral("1")}});
    }
    const char* name = "sfumato:gaussian";
    QCOMPARE(QString(gegl_operation_get_key(name, "title")),
             QStringLiteral("Gaußscher Weichzeichner"));
    QCOMPARE(QString(gegl_operation_get_key(name, "gimp:menu-path")),
             QStringLiteral("<Image>/Filters/Sfumato/Weichzeichnen"));
    GParamSpec* border = gegl_operation_find_property(name, "border");
    QCOMPARE(QString(g_param_spec_get_nick(border)), QStringLiteral("Rand"));
    QCOMPARE(QString(G_PARAM_SPEC_ENUM(border)->enum_class->values[0].value_nick),
             QStringLiteral("clamp"));
    // The message with its values.
    const Listening listening;
    Image input = scene(rgba(10, 10));
    Graph kernel("fft_convolve");
    kernel.connect(input);
    kernel.connect(kernel.add("gegl:color"), "aux");
    kernel.result(input.format, input.format.rect());
    QVERIFY2(listening.all().contains(QStringLiteral("hat kein Ende oder ist zu groß")),
             qPrintable(listening.all()));
    Graph joint("joint_bilateral");
    joint.connect(input);  // without a guide
    joint.result(input.format, input.format.rect());
    QVERIFY2(listening.all().contains(QStringLiteral("Bilateral mit Leitbild braucht ein Bild")),
             qPrintable(listening.all()));
  }

  // Like a picture of the same content, far from its sides; windows of it fit together.
  void pictures_without_end_data() {
    QTest::addColumn<int>("x");
    QTest::addColumn<QString>("filter");
    for (const char* filter : {"gaussian", "median", "bloom"}) {
      for (const int x : {0, -5000000, 2097152 - 40, 1000000000}) {
        QTest::addRow("%s at %d", filter, x) << x << QString::fromLatin1(filter);
      }
    }
  }
  void pictures_without_end() {
    QFETCH(int, x);
    QFETCH(QString, filter);
    const Listening listening;
    Image results[2] = {Image(rgba(100, 60)), Image(rgba(100, 60))};
    for (int i = 0; i < 2; ++i) {
      Graph graph(filter.toStdString());
      GeglNode *plane = graph.add("gegl:checkerboard"), *crop = graph.add("gegl:crop");
      gegl_node_set(plane, "x", 7, "y", 5, nullptr);
      gegl_node_set(crop, "x", x - 500.0, "y", -500.0, "width", 1100.0, "height", 1060.0, nullptr);
      if (filter == QLatin1String("gaussian")) gegl_node_set(graph.op(), "sigma", 9.0, nullptr);
      if (i == 0) {
        graph.connect(plane);
      } else {
        gegl_node_link(plane, crop);
        graph.connect(crop);
      }
      // In two regions, as hosts request them.
      for (const int part : {0, 50}) {
        const GeglRectangle roi{x + part, 0, 50, 60};
        gegl_node_blit(graph.op(), 1.0, &roi, babl_format("RGBA float"),
                       results[i].bytes.data() + part * 16,
                       static_cast<int>(results[i].view().row_stride), GEGL_BLIT_DEFAULT);
      }
    }
    QVERIFY2(listening.said.isEmpty(), qPrintable(listening.all()));
    const double far = difference_in(results[0], results[1], {0, 0, 100, 60});
    QVERIFY2(far < 1e-3, qPrintable(QString::number(far)));
  }

  // A filter that needs a whole picture, or a kernel, that is infinite: a message, and soon.
  void what_cannot_be_had_whole() {
    std::vector<float> pixels(400);
    const GeglRectangle roi{0, 0, 10, 10};
    const auto blit = [&](const Graph& graph) {
      gegl_node_blit(graph.op(), 1.0, &roi, babl_format("RGBA float"), pixels.data(), 160,
                     GEGL_BLIT_DEFAULT);
    };
    {
      const Listening listening;
      Graph graph("frequency");
      graph.connect(graph.add("gegl:color"));
      blit(graph);
      QVERIFY2(listening.all().contains(QLatin1String("no end")), qPrintable(listening.all()));
      QVERIFY(std::abs(pixels[3] - 1) < 1e-6f);
    }
    const Listening listening;
    Image input = scene(rgba(10, 10));
    Graph graph("fft_convolve");
    graph.connect(graph.source(input, 0, 0));
    graph.connect(graph.add("gegl:color"), "aux");
    blit(graph);
    QVERIFY2(listening.all().contains(QLatin1String("no end")), qPrintable(listening.all()));
    QVERIFY(std::abs(pixels[3] - input.get(0, 0, 3)) < 1e-6f);
  }

  // A host that draws other nodes while it receives progress.
  void hosts_come_again_in_the_midst() {
    PictureFormat format = rgba(500, 400);
    Image input = scene(format);
    Graph other("gaussian"), graph("bilateral");
    for (Graph* one : {&other, &graph}) one->connect(input);
    gegl_node_set(graph.op(), "sigma", 6.0, nullptr);
    struct Host {
      Graph& other;
      PictureFormat format;
      int calls = 0;
    } host{other, format};
    g_signal_connect(graph.op(), "progress", G_CALLBACK(+[](GObject*, double, gpointer data) {
                       auto& self = *static_cast<Host*>(data);
                       if (self.calls++ == 0) self.other.result(self.format, {10, 10, 60, 50});
                     }),
                     &host);
    ::alarm(240);  // rather than waiting forever
    Image got = graph.result(format, format.rect());
    ::alarm(0);
    QVERIFY(host.calls > 0);
    Image want = by_session(one_step("bilateral", {{"sigma", "6"}}), input, format);
    QVERIFY(difference_in(got, want, format.rect()) < 1e-4);
  }

  // In the middle of a filter: the picture is still computed, and the user is informed.
  void a_device_that_is_lost() {
    if (!qEnvironmentVariableIsSet(losing)) {
      const LosingWorker worker;
      return run_again(
          "a_device_that_is_lost",
          {{QStringLiteral("SFUMATO_WORKER"), QString::fromStdString(worker.program().string())},
           {QStringLiteral("SFUMATO_DEVICE"), QStringLiteral("pocl")},
           {QLatin1String(losing), qEnvironmentVariable(losing)}});
    }
    const Listening listening;
    PictureFormat format = rgba(300, 200);
    Image input = scene(format), results[2] = {Image(format), Image(format)};
    for (Image& result : results) {
      Graph graph("gaussian");
      graph.connect(input);
      gegl_node_set(graph.op(), "sigma", 5.0, nullptr);
      result = graph.result(format, format.rect());
      QCOMPARE(listening.said.size(), &result == results ? 0 : 1);
      QVERIFY(QFile(qEnvironmentVariable(losing)).open(QFile::WriteOnly));
    }
    QVERIFY(difference_in(results[0], results[1], format.rect()) < 1e-3);
    QVERIFY2(listening.said[0].contains(QLatin1String("going on with")),
             qPrintable(listening.said[0]));
  }

  // A kill hits if the operation reports the loss of its worker before the result is there.
  void the_worker_is_killed_at_random_moments() {
    const Listening listening;
    PictureFormat format = rgba(320, 240);
    Image input = scene(format);
    const Recipe recipe = one_step("bilateral", {{"sigma", "6"}, {"method", "exact"}});
    Image want = by_session(recipe, input, format);
    const auto filtered = [&] {
      Graph graph("bilateral");
      graph.connect(input);
      set_values(graph.op(), Registry::get().at("bilateral").filter->info(),
                 recipe.steps[0].values);
      return graph.result(format, format.rect());
    };
    filtered();  // by a worker that has compiled the filter
    QElapsedTimer timer;
    timer.start();
    filtered();
    const auto takes = static_cast<unsigned>(timer.nsecsElapsed() / 1000);
    const auto losses = [&] { return listening.said.filter(QStringLiteral("is lost")).size(); };
    std::mt19937 random(11);
    constexpr int times = 100;
    int hits = 0;
    for (int i = 0; i < times; ++i) {
      const auto before = losses();
      bool killed = false;
      std::thread killer([&killed, wait = random() % (takes + takes / 4)] {
        std::this_thread::sleep_for(std::chrono::microseconds(wait));
        for (const int process : worker_processes()) {
          killed = ::kill(process, SIGKILL) == 0 || killed;
        }
      });
      Image got = filtered();
      killer.join();
      QVERIFY2(difference_in(got, want, format.rect()) < 1e-3,
               qPrintable(QString::number(difference_in(got, want, format.rect()))));
      if (losses() > before) {
        ++hits;
      } else if (killed) {
        // The next request notices the loss. After a second loss in a row, operations would do
        // without workers for a while, and there would be none to kill.
        filtered();
      }
    }
    qInfo("%d of %d kills hit a worker at work", hits, times);
    QVERIFY2(hits >= times / 4, qPrintable(QString::number(hits)));
  }
};

QTEST_GUILESS_MAIN(TestGeglMessages)
#include "test_gegl_messages.moc"
