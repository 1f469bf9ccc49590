// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The CPU forms on a device with the least local memory they claim to need: every launch is
// accepted, and pixels are unchanged.
// Slow: not built with sanitizers, where small_kernels runs every filter.
#include <QTest>

#include "filters/registry.hpp"
#include "support/cases.hpp"
#include "support/devices.hpp"
#include "support/not_empty.hpp"
#include "support/pictures.hpp"
#include "support/registry_rows.hpp"
#include "support/registry_walk.hpp"
#include "support/skips.hpp"
#include "support/values.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

using Words = Cases::Words;

// Instead of long values, such as matrices, their length.
std::string label_of(const std::string& filter, const Words& words) {
  std::string out = filter;
  for (const auto& [name, text] : words) {
    out += ' ' + name + (text.size() < 20 ? '=' + text : ", " + std::to_string(text.size()));
  }
  return out;
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

  // Of the largest value, if that is above 1: Fourier transforms differ with the memory they have.
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
      Image nothing(format);
      const double scale = std::max(1.0, largest_difference(want, nothing));
      QVERIFY2(e <= static_cast<double>(allowed) * scale,
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
    if (pairs_.empty()) SKIP_WITHOUT("a device that runs the CPU form");
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
      // Logarithms of what two transforms round differently.
      const bool is_spectrum = filter.info().id == "spectrum";
      const float allowed = is_spectrum ? static_cast<float>(filter.tolerance(values)) : 1e-5f;
      compare(one_step(filter.info().id, values), rgba(1700, 30), text_of(filter.info(), values),
              allowed);
      if (QTest::currentTestFailed()) return;
    }
  }

  void long_reaches_data() {
    QTest::addColumn<QString>("filter");
    QTest::addColumn<Words>("words");
    std::vector<std::pair<std::string, Words>> rows;
    for (const RegisteredFilter& f : Registry::get().all()) {
      for (const Words& words : Cases(*f.filter).long_reach()) {
        rows.emplace_back(f.filter->info().id, words);
      }
    }
    for (const auto& [filter, words] : not_empty(rows, "values with a long reach")) {
      QTest::newRow(label_of(filter, words).c_str()) << QString::fromStdString(filter) << words;
    }
  }
  void long_reaches() {
    QFETCH(QString, filter);
    QFETCH(Words, words);
    compare_long(one_step(filter.toStdString(), words), QTest::currentDataTag());
  }
};

QTEST_GUILESS_MAIN(TestLittleLocalMemory)
#include "test_little_local_memory.moc"
