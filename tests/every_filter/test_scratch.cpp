// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A filter takes no more memory than it states: the engine chooses tiles by that.
// Slow: not built with sanitizers, where small_kernels runs every filter.
#include <QTest>

#include "device/passes.hpp"
#include "filters/registry.hpp"
#include "support/cases.hpp"
#include "support/devices.hpp"
#include "support/pictures.hpp"
#include "support/registry_rows.hpp"
#include "support/registry_walk.hpp"

using namespace sfumato;
using namespace sfumato::testing;

class TestScratch : public QObject {
  Q_OBJECT

  // Just below sizes to which the pool of memory rounds up.
  static constexpr int width = 512, height = 383;

  static DeviceImage role_image(DeviceContext& context, const std::string& role) {
    const Rect rect = is_aligned(role) ? Rect{0, 0, width, height} : Rect{0, 0, 7, 5};
    DeviceImage image = context.image(rect, role == "depth" ? 1 : 4);
    const std::vector<float> ones(static_cast<std::size_t>(image.plane.stride * rect.height()) *
                                      static_cast<std::size_t>(image.channels),
                                  1.0f);
    context.write(*image.buffer, ones.data(), ones.size() * sizeof(float));
    return image;
  }

  // The bytes taken for the picture as one tile, and those stated.
  static std::pair<double, double> measured(const Plan& plan, const Runner& runner) {
    constexpr std::size_t most = std::size_t{1} << 30;
    const PlannedStep& step = plan.steps[0];
    const Picture& picture = step.picture;
    DeviceContext context(runner.device, runner.form, most, most, {});
    TileJob job{context.image(picture.rect(), picture.channels),
                Edge(picture.rect(), step.border),
                context.image(picture.rect(), picture.channels),
                {}};
    for (const RoleInfo& role : step.filter().info().roles) {
      job.roles.emplace(role.parameter, role_image(context, role.parameter));
    }
    Passes passes(context, *step.entry->source);
    step.prepared->run(job, passes);
    context.finish();
    // There are no stored samples at either end.
    const auto ends = static_cast<double>(plan.input.bytes() + plan.output.bytes());
    return {static_cast<double>(context.pool().peak()), plan.tile_bytes(width, height) - ends};
  }

 private slots:
  void is_as_stated_data() { every_filter(); }
  void is_as_stated() {
    const Filter& filter = fetched();
    const std::string& id = filter.info().id;
    for (const Runner& runner : runners()) {
      for (const int channels : {1, 4}) {
        for (const Values& values : Cases(filter).kernels()) {
          Image input = scene(channels == 1 ? gray(width, height) : rgba(width, height));
          const Plan plan = plan_of(with_roles_named(one_step(id, values)), input,
                                    target_of(runner.device, runner.form));
          if (plan.steps.empty()) continue;  // these change nothing
          const auto [taken, stated] = measured(plan, runner);
          const QString what = QString("%1, %2, %3 channels: %4 bytes a pixel of %5")
                                   .arg(QString::fromStdString(text_of(filter.info(), values)))
                                   .arg(QString::fromStdString(runner.label))
                                   .arg(channels)
                                   .arg(taken / (width * height))
                                   .arg(stated / (width * height));
          if (qEnvironmentVariableIsSet("SFUMATO_PRINT")) qInfo("%s", qPrintable(what));
          QVERIFY2(taken <= bytes_per_stated_byte * stated, qPrintable(what));
        }
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestScratch)
#include "test_scratch.moc"
