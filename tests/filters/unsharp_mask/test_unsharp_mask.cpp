// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// unsharp_mask compared with its definition, by the blur of gaussian, which has oracles of its own.
#include <QTest>
#include <algorithm>
#include <cmath>

#include "support/devices.hpp"
#include "support/pictures.hpp"
#include "support/sessions.hpp"

using namespace sfumato;
using namespace sfumato::testing;

class TestUnsharpMask : public QObject {
  Q_OBJECT

 private:
  Sessions sessions_;

 private slots:
  void unsharp_mask_is_its_definition() {
    Image picture = scene({90, 60, 3, SampleType::f32, AlphaKind::none, Coding::srgb()});
    for (const Runner& runner : runners()) {
      Image blurred =
          run(sessions_.on(runner), one_step("gaussian", {{"sigma", "3"}, {"light", "display"}}),
              picture, picture.format);
      for (const float threshold : {0.0f, 0.05f}) {
        Image want(picture.format);
        for (int y = 0; y < 60; ++y) {
          for (int x = 0; x < 90; ++x) {
            for (int c = 0; c < 3; ++c) {
              const float d = picture.get(x, y, c) - blurred.get(x, y, c);
              const float beyond = std::copysign(std::max(std::abs(d) - threshold, 0.0f), d);
              want.set(x, y, c, picture.get(x, y, c) + 1.5f * beyond);
            }
          }
        }
        Image got = run(
            sessions_.on(runner),
            one_step("unsharp_mask",
                     {{"sigma", "3"}, {"amount", "1.5"}, {"threshold", std::to_string(threshold)}}),
            picture, picture.format);
        const double worst = largest_difference(got, want);
        QVERIFY2(worst <= 1e-4,
                 qPrintable(QString("%1: differs by %2").arg(runner.label.c_str()).arg(worst)));
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestUnsharpMask)
#include "test_unsharp_mask.moc"
