// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The time for passing a 24 MP layer from Krita and for taking the result back; only measured
// (SFUMATO_MEASURE), since no test asserts a time.
#include "hosts/krita/krita_run.hpp"
#include "support/not_empty.hpp"

using namespace sfumato;
using namespace sfumato::testing;

class TestKritaSpeed : public QObject, private KritaRun {
  Q_OBJECT

 private slots:
  void initTestCase() {
    if (!qEnvironmentVariableIsSet("SFUMATO_MEASURE")) QSKIP("only to measure");
    // The cheapest filter, since filtering does not count.
    const Recipe recipe = one_step("grayscale", {{"mix", "0"}});
    for (const SampleType type : {SampleType::u8, SampleType::u16, SampleType::f32}) {
      const Image input = scene({6000, 4000, 4, type, AlphaKind::straight, Coding::srgb()});
      const QString bits = QStringLiteral("%1_bits").arg(8 * sample_bytes(type));
      const QJsonObject layer = pixels(bits, input);
      for (int turn = 0; turn < 5; ++turn) {
        QJsonObject one = plan(bits + QStringLiteral("_%1").arg(turn), recipe, input.format);
        one[QStringLiteral("layer")] = layer;
        plan_.append(one);
      }
    }
    run_krita();
  }

  void handing_over() {
    for (const auto& [name, result] : not_empty(results_, "results")) {
      const double out = result[QStringLiteral("out_seconds")].toDouble(),
                   in = result[QStringLiteral("in_seconds")].toDouble();
      QVERIFY2(out > 0 && in > 0, qPrintable(name));
      qInfo("%s: out %.2f s, in %.2f s, both %.2f s", qPrintable(name), out, in, out + in);
    }
  }
};

QTEST_GUILESS_MAIN(TestKritaSpeed)
#include "test_krita_speed.moc"
