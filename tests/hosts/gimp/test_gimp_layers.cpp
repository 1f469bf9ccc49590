// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Layers as GIMP has them: of every precision, anywhere on the image, selected in part, with masks.
#include <csignal>
#include <random>
#include <set>

#include "hosts/gimp/gimp_console.hpp"
#include "io/io.hpp"
#include "support/not_empty.hpp"

using namespace sfumato;
using namespace sfumato::testing;

class TestGimpLayers : public QObject, GimpConsole {
  Q_OBJECT

 private slots:
  void initTestCase() { set_up_plug_ins(); }

  // Layers of another size than the image, beyond its sides, in every precision.
  void precisions_and_offsets() {
    QString script;
    struct Wanted {
      QString name;
      Recipe recipe;
      Image input;
    };
    std::vector<Wanted> wanted;
    const Recipe gaussian = one_step("gaussian", {{"sigma", "2.5"}});
    for (const SampleType type :
         {SampleType::u8, SampleType::u16, SampleType::f16, SampleType::f32}) {
      for (const bool linear : {false, true}) {
        for (const int channels : {1, 2, 3, 4}) {
          // Not all of them: each value of each is there.
          const bool ends = type == SampleType::u8 || type == SampleType::f32;
          if (channels != 4 && (linear || !ends)) continue;
          const AlphaKind alpha = channels % 2 == 0 ? AlphaKind::straight : AlphaKind::none;
          const PictureFormat format{53,   41,    channels,
                                     type, alpha, linear ? Coding::linear() : Coding::srgb()};
          const QString name = QStringLiteral("f%1%2%3")
                                   .arg(static_cast<int>(type))
                                   .arg(linear ? QStringLiteral("l") : QStringLiteral("p"))
                                   .arg(channels);
          Image input = scene(format);
          write(name + QStringLiteral(".in"), input, -7, 19);
          script += load(path(name + QStringLiteral(".in"))) + call(gaussian) + dump(name) + end();
          wanted.push_back({name, gaussian, input});
        }
      }
    }
    run_script(script);
    for (Wanted& one : wanted) {
      QVERIFY2(QFile::exists(path(one.name)), said_.constData());
      Image got = image_of(path(one.name));
      QVERIFY(got.format.type == one.input.format.type);
      QVERIFY(got.format.coding == one.input.format.coding);
      QCOMPARE(got.format.channels, one.input.format.channels);
      Image want = by_session(one.recipe, one.input);
      const double far = distance(got, want, want.format.rect());
      const SampleType type = got.format.type;
      const double allowed = is_integer(type) ? 1.01 : type == SampleType::f16 ? 2e-3 : 1e-4;
      QVERIFY2(far <= allowed, qPrintable(one.name + QStringLiteral(": %1").arg(far)));
    }
  }

  void selections_are_respected() {
    Image input = scene({90, 70, 3, SampleType::u8, AlphaKind::none, Coding::srgb()});
    write(QStringLiteral("whole.in"), input);
    const Recipe recipe = one_step("gaussian", {{"sigma", "6"}});
    const QString select =
        QStringLiteral("(gimp-image-select-rectangle image CHANNEL-OP-REPLACE 20 15 40 30)");
    run_script(load(path(QStringLiteral("whole.in"))) + select + call(recipe) +
               dump(QStringLiteral("hard")) + end() + load(path(QStringLiteral("whole.in"))) +
               select + QStringLiteral("(gimp-selection-feather image 12)") + call(recipe) +
               dump(QStringLiteral("soft")) + end());
    QVERIFY2(QFile::exists(path(QStringLiteral("soft"))), said_.constData());
    Image hard = image_of(path(QStringLiteral("hard"))),
          soft = image_of(path(QStringLiteral("soft"))), filtered = by_session(recipe, input);
    const Rect inside{20, 15, 60, 45};
    QVERIFY(distance(hard, filtered, inside) <= 1.01);
    for (const Rect& beside : {Rect{0, 0, 90, 15}, Rect{0, 45, 90, 70}, Rect{0, 0, 20, 70}}) {
      QCOMPARE(distance(hard, input, beside), 0.0);
    }
    // Feathered: between the two everywhere, and really between them at the edge.
    int mixed = 0;
    for (int y = 0; y < 70; ++y) {
      for (int x = 0; x < 90; ++x) {
        const float a = input.get(x, y, 0), b = filtered.get(x, y, 0), v = soft.get(x, y, 0);
        QVERIFY(v >= std::min(a, b) - 1.5f / 255 && v <= std::max(a, b) + 1.5f / 255);
        mixed += std::abs(v - a) > 3.0f / 255 && std::abs(v - b) > 3.0f / 255 ? 1 : 0;
      }
    }
    QVERIFY(mixed > 50);
    QCOMPARE(distance(soft, input, {0, 0, 5, 70}), 0.0);
  }

  void one_pixel() {
    Image input = scene({1, 1, 4, SampleType::u8, AlphaKind::straight, Coding::srgb()});
    input.set(0, 0, 3, 1);
    write(QStringLiteral("one.in"), input);
    const Recipe recipe = one_step("median", {{"radius", "3"}});
    run_script(load(path(QStringLiteral("one.in"))) + call(recipe) + dump(QStringLiteral("one")) +
               end());
    QVERIFY2(QFile::exists(path(QStringLiteral("one"))), said_.constData());
    QVERIFY(image_of(path(QStringLiteral("one"))).bytes == input.bytes);
  }

  // Numbers that the engine has no type for go as floats, and come back in their own precision.
  void wide_precisions() {
    Image input = scene({37, 29, 4, SampleType::f32, AlphaKind::straight, Coding::linear()});
    write(QStringLiteral("wide.in"), input);
    const Recipe recipe = one_step("gaussian", {{"sigma", "2"}});
    QString script;
    const QStringList precisions{QStringLiteral("PRECISION-U32-LINEAR"),
                                 QStringLiteral("PRECISION-DOUBLE-LINEAR")};
    for (const QString& precision : precisions) {
      script += load(path(QStringLiteral("wide.in"))) +
                QStringLiteral("(gimp-image-convert-precision image %1)").arg(precision) +
                call(recipe) +
                QStringLiteral("(if (= (car (gimp-image-get-precision image)) %1) %2)")
                    .arg(precision, dump(precision)) +
                end();
    }
    run_script(script);
    for (const QString& precision : precisions) {
      QVERIFY2(QFile::exists(path(precision)), said_.constData());
      Image got = image_of(path(precision)), want = by_session(recipe, input);
      if (precision.contains(QLatin1String("U32"))) {
        for (int y = 0; y < 29; ++y) {
          for (int x = 0; x < 37; ++x) {
            for (int c = 0; c < 4; ++c) want.set(x, y, c, std::clamp(want.get(x, y, c), 0.f, 1.f));
          }
        }
      }
      const double far = distance(got, want, want.format.rect());
      QVERIFY2(far < 1e-4, qPrintable(precision + QStringLiteral(": %1").arg(far)));
    }
  }

  // A mask is filtered, and the layer stays as it was.
  void layer_masks() {
    Image input = scene({50, 40, 3, SampleType::u8, AlphaKind::none, Coding::srgb()});
    write(QStringLiteral("masked.in"), input, 3, 5);
    const Recipe recipe = one_step("gaussian", {{"sigma", "2"}});
    run_script(
        load(path(QStringLiteral("masked.in"))) +
        QStringLiteral("(let* ((picture layer) (mask (car (gimp-layer-create-mask layer "
                       "ADD-MASK-COPY)))) (gimp-layer-add-mask layer mask) (set! layer mask)") +
        dump(QStringLiteral("mask")) + call(recipe) + dump(QStringLiteral("mask_filtered")) +
        QStringLiteral("(set! layer picture)") + dump(QStringLiteral("masked")) +
        QStringLiteral(")") + end());
    QVERIFY2(QFile::exists(path(QStringLiteral("masked"))), said_.constData());
    QVERIFY(image_of(path(QStringLiteral("masked"))).bytes == input.bytes);
    Image mask = image_of(path(QStringLiteral("mask"))),
          got = image_of(path(QStringLiteral("mask_filtered")));
    QCOMPARE(got.format.channels, 1);
    Image want = by_session(recipe, mask);
    QVERIFY(distance(got, want, got.format.rect()) <= 1.01);
    QVERIFY(distance(got, mask, got.format.rect()) > 3);
  }
};

QTEST_GUILESS_MAIN(TestGimpLayers)
#include "test_gimp_layers.moc"
