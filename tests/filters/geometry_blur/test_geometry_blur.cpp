// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// geometry_blur compared with float64 sums over the samples that its geometry lets through.
#include <QTest>
#include <array>
#include <cmath>

#include "support/definitions.hpp"

using namespace sfumato;
using namespace sfumato::testing;

class TestGeometryBlur : public QObject, private Definitions {
  Q_OBJECT

 private slots:
  // A wall bent between columns 7 and 8: each side is blurred separately.
  void normals_stop_the_blur() {
    Image picture = black(16, 9), normal = black(16, 9);
    for (int y = 0; y < 9; ++y) {
      for (int x = 0; x < 16; ++x) {
        normal.set(x, y, x < 8 ? 0 : 1, 1.0f);
        for (int c = 0; c < 3; ++c) picture.set(x, y, c, static_cast<float>(x * x));
      }
    }
    RenderOptions options;
    options.roles = [&](int, const std::string& role,
                        const ImageRef&) -> std::shared_ptr<PixelSource> {
      if (role != "normal") return nullptr;
      return std::make_shared<MemorySource>(normal.format, normal.view());
    };
    each(
        "geometry_blur", {{"sigma", "1"}, {"radius", "2"}, {"normal", "bound"}}, picture,
        [&](Image& result, const std::string& where) {
          for (const int x : {6, 7, 8, 9, 12}) {
            double sum = 0, weight = 0;
            for (int k = -2; k <= 2; ++k) {
              if ((x + k < 8) != (x < 8)) continue;
              weight += std::exp(-0.5 * k * k);
              sum += std::exp(-0.5 * k * k) * (x + k) * (x + k);
            }
            const auto got = static_cast<double>(result.get(x, 4, 0));
            QVERIFY2(std::abs(got - sum / weight) < 1e-3,
                     (where + ": " + std::to_string(got) + ", not " + std::to_string(sum / weight))
                         .c_str());
          }
        },
        options);
  }

  // A step in depth between columns 7 and 8, and one between rows 3 and 4.
  void geometry_stops_the_blur() {
    Image picture = black(16, 12), depth = black(16, 12, 1);
    for (int y = 0; y < 12; ++y) {
      for (int x = 0; x < 16; ++x) {
        depth.set(x, y, 0, (x < 8 ? 1.0f : 2.0f) * (y < 4 ? 1.0f : 3.0f));
        for (int c = 0; c < 3; ++c) picture.set(x, y, c, static_cast<float>(x));
      }
    }
    RenderOptions options;
    options.roles = [&](int, const std::string& role,
                        const ImageRef&) -> std::shared_ptr<PixelSource> {
      if (role != "depth") return nullptr;
      return std::make_shared<MemorySource>(depth.format, depth.view());
    };
    const auto blur = [&](Words words, auto&& check) {
      words.emplace_back("depth", "bound");
      each("geometry_blur", words, picture, check, options);
    };
    blur({{"show", "discontinuities"}, {"sigma", "1"}}, [](Image& flags, const std::string& where) {
      const auto at = [&](int x, int y) { return std::lround(flags.get(x, y, 0) * 15); };
      const std::array<std::array<int, 3>, 6> known = {
          {{7, 8, 2}, {8, 8, 1}, {2, 3, 8}, {2, 4, 4}, {7, 3, 10}, {12, 9, 0}}};
      for (const auto& [x, y, flag] : known) {
        QVERIFY2(at(x, y) == flag, (where + ": " + std::to_string(x) + ", " + std::to_string(y) +
                                    " has " + std::to_string(at(x, y)))
                                       .c_str());
      }
    });
    blur({{"sigma", "1"}, {"radius", "2"}}, [](Image& result, const std::string& where) {
      const double one = std::exp(-0.5), two = std::exp(-2.0);
      const std::array<std::pair<int, double>, 3> known = {
          {{4, 4.0},
           {7, (7 + 6 * one + 5 * two) / (1 + one + two)},
           {8, (8 + 9 * one + 10 * two) / (1 + one + two)}}};
      for (const auto& [x, want] : known) {
        const auto got = static_cast<double>(result.get(x, 8, 0));
        QVERIFY2(std::abs(got - want) < 1e-4, qPrintable(QString("%1: column %2 is %3, not %4")
                                                             .arg(QString::fromStdString(where))
                                                             .arg(x)
                                                             .arg(got)
                                                             .arg(want)));
      }
    });
  }
};

QTEST_GUILESS_MAIN(TestGeometryBlur)
#include "test_geometry_blur.moc"
