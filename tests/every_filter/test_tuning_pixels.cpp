// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// No tunable size changes a pixel, in either form, whole or in tiles. Every choice requires
// recompiling, so the smallest and the largest are tried, or all of them if SFUMATO_TEST_ALL is
// set, at values that compile faster than those that the tuner times.
// Slow: not built with sanitizers, where small_kernels runs every filter.
#include <QTest>
#include <cstdlib>

#include "support/cases.hpp"
#include "support/devices.hpp"
#include "support/not_empty.hpp"
#include "support/pictures.hpp"
#include "support/skips.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

std::vector<int> choices_of(const Tunable& tunable) {
  if (std::getenv("SFUMATO_TEST_ALL") != nullptr) return tunable.choices;
  return {tunable.choices.front(), tunable.choices.back()};
}

}  // namespace

class TestTuningPixels : public QObject {
  Q_OBJECT

 private slots:
  void no_choice_changes_a_pixel_data() {
    QTest::addColumn<QString>("filter");
    for (const RegisteredFilter& f : not_empty(Registry::get().all(), "filters")) {
      if (f.filter->info().tunables.empty()) continue;
      QTest::newRow(f.filter->info().id.c_str()) << QString::fromStdString(f.filter->info().id);
    }
  }
  // Tall enough for bands of any choice to end inside; whole, and in tiles.
  void no_choice_changes_a_pixel() {
    QFETCH(QString, filter);
    const FilterInfo& info = Registry::get().at(filter.toStdString()).filter->info();
    const Cases cases(*Registry::get().at(filter.toStdString()).filter);
    int compared = 0;
    for (const Runner& runner : runners()) {
      for (const int channels : {4, 1}) {
        // Apart from the type, the GPU forms are the same for one channel.
        if (channels == 1 && runner.form == Form::gpu) continue;
        Image picture = scene(linear_format(151, 613, channels));
        for (const Tunable& tunable : info.tunables) {
          const int usual = tunable.otherwise(runner.form);
          if (usual == 0) continue;
          for (const Cases::Words& words : not_empty(cases.tuning(tunable.name), "cases")) {
            ++compared;
            const auto render = [&](int choice, int tile) {
              Tuning tuning;
              tuning.set(info.id, tunable.name, choice);
              SessionOptions options;
              options.device = runner.device.name;
              options.form = runner.form;
              options.tuning = std::make_shared<const Tuning>(tuning);
              Session session(options);
              RenderOptions how;
              how.forced_tile = tile;
              return run(session, one_step(info.id, words), picture, picture.format, how).bytes;
            };
            const std::vector<char> expected = render(usual, 0);
            for (const int choice : choices_of(tunable)) {
              const std::string label = runner.label + ", " + info.id + " " + tunable.name + " " +
                                        std::to_string(choice) + ", " + std::to_string(channels) +
                                        " channels, " + words[0].second;
              QVERIFY2(choice == usual || render(choice, 0) == expected, label.c_str());
              QVERIFY2(render(choice, 96) == expected, (label + ", tiles").c_str());
            }
          }
        }
      }
    }
    if (compared == 0) SKIP_WITHOUT("a device for a form with such a size");
  }
};

QTEST_GUILESS_MAIN(TestTuningPixels)
#include "test_tuning_pixels.moc"
