// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The CPU forms on a device with the least local memory they claim to need: every launch is
// accepted, and pixels are unchanged.
#include <QtTest>

#include "filters/registry.hpp"
#include "support/devices.hpp"
#include "support/pictures.hpp"
#include "support/registry_rows.hpp"
#include "support/registry_walk.hpp"
#include "support/values.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

using Words = std::vector<std::pair<std::string, std::string>>;

std::string full_rank(int side) {
  std::string text;
  std::uint32_t seed = 5;
  for (int j = 0; j < side; ++j) {
    for (int i = 0; i < side; ++i)
      text += std::to_string(noise_at(seed) / static_cast<float>(side)) + ' ';
    text += "; ";
  }
  return text.substr(0, text.size() - 2);
}

RenderOptions with_roles(const Image& picture) {
  RenderOptions options;
  options.roles = [w = picture.format.width, h = picture.format.height](
                      int, const std::string& role, const ImageRef&) {
    return std::shared_ptr<PixelSource>(role_source(role, w, h));
  };
  return options;
}

}  // namespace

class TestLittleLocalMemory : public QObject {
  Q_OBJECT

 private:
  struct Pair {
    std::string label;
    std::unique_ptr<Session> usual, little;
  };
  std::vector<Pair> pairs_;

  void compare(const Recipe& recipe, const PictureFormat& format, const std::string& what,
               float allowed = 1e-5f) {
    Image input = scene(format);
    for (const Pair& pair : pairs_) {
      Image want(format), got(format);
      RenderReport usual, little;
      for (const bool is_little : {false, true}) {
        Image& to = is_little ? got : want;
        MemorySource source(format, input.view());
        MemorySink sink(format, to.view());
        (is_little ? little : usual) = (is_little ? *pair.little : *pair.usual)
                                           .render(recipe, source, sink, with_roles(input));
      }
      QVERIFY2(
          little.warnings == usual.warnings && little.device == usual.device,
          qPrintable(QString::fromStdString(
              what + ": " + (little.warnings.empty() ? "" : in_english(little.warnings.back())))));
      const double e = largest_difference(got, want);
      QVERIFY2(e <= static_cast<double>(allowed),
               qPrintable(QStringLiteral("%1: off by %2").arg(what.c_str()).arg(e)));
    }
  }

  // In lines longer than local memory, and in columns.
  void compare_long(const Recipe& recipe, const std::string& what) {
    for (const int channels : {1, 4}) {
      for (const auto& [w, h] : {std::pair(9000, 3), {3, 9000}}) {
        compare(recipe, channels == 1 ? gray(w, h) : rgba(w, h), what);
        if (QTest::currentTestFailed()) return;
      }
    }
  }

 private Q_SLOTS:
  void initTestCase() {
    for (const Runner& runner : runners()) {
      if (runner.form != Form::cpu) continue;
      SessionOptions options;
      options.device = runner.device.name;
      options.form = Form::cpu;
      options.memory_limit = std::size_t{1} << 30;
      Pair pair{runner.label, std::make_unique<Session>(options), nullptr};
      options.local_memory = least_of_cpu_forms;
      pair.little = std::make_unique<Session>(options);
      pairs_.push_back(std::move(pair));
    }
    if (pairs_.empty()) QSKIP("no device runs the CPU form");
  }

  void the_cpu_form_is_a_cpu_devices_own() {
    DeviceInfo info;
    info.cpu = true;
    info.local_memory = least_of_cpu_forms;
    QCOMPARE(info.natural_form(), Form::cpu);
    info.local_memory -= 1;
    QCOMPARE(info.natural_form(), Form::gpu);
    info.cpu = false;
    info.local_memory = std::size_t{1} << 20;
    QCOMPARE(info.natural_form(), Form::gpu);
  }

  void each_filter_data() { every_filter(); }
  void each_filter() {
    const Filter& filter = fetched();
    for (const Values& values : variants(filter)) {
      compare(one_step(filter.info().id, values), rgba(1700, 30), text_of(filter.info(), values));
      if (QTest::currentTestFailed()) return;
    }
  }

  void long_reaches_data() {
    QTest::addColumn<QString>("filter");
    QTest::addColumn<Words>("words");
    for (const char* radius : {"2", "500", "1999.5", "2500.5", "5000"}) {
      QTest::addRow("box %s", radius) << "box" << Words{{"radius", radius}};
    }
    QTest::newRow("box thrice") << "box" << Words{{"radius", "800"}, {"iterations", "3"}};
    for (const char* sigma : {"3.4", "25", "400"}) {
      for (const char* method : {"separable", "boxes"}) {
        QTest::addRow("gaussian %s %s", sigma, method)
            << "gaussian" << Words{{"sigma", sigma}, {"method", method}};
      }
    }
    for (const char* shape : {"square", "disk"}) {
      for (const char* radius : {"60", "1500", "2500"}) {
        QTest::addRow("morphology %s %s", shape, radius)
            << "morphology" << Words{{"shape", shape}, {"radius", radius}};
      }
    }
    QTest::newRow("morphology opened")
        << "morphology" << Words{{"operation", "open"}, {"radius", "2100"}};
    for (const int side : {31, 63, 127}) {
      QTest::addRow("convolve %d", side)
          << "convolve" << Words{{"matrix", full_rank(side)}, {"method", "direct"}};
    }
    QTest::newRow("convolve factored")
        << "convolve" << Words{{"matrix", full_rank(21)}, {"method", "factored"}};
    for (const char* method : {"direct", "factored"}) {
      QTest::addRow("log %s", method)
          << "log" << Words{{"sigma", "60"}, {"radius", "250"}, {"method", method}};
    }
    QTest::newRow("median") << "median" << Words{{"radius", "40"}};
  }
  void long_reaches() {
    QFETCH(QString, filter);
    QFETCH(Words, words);
    compare_long(one_step(filter.toStdString(), words), QTest::currentDataTag());
  }
};

QTEST_GUILESS_MAIN(TestLittleLocalMemory)
#include "test_little_local_memory.moc"
