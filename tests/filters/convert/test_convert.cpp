// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// convert compared with published components of colours.
#include <QTest>
#include <cmath>

#include "support/definitions.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

// One row of a table of colours: RGB, and the published components.
struct Known {
  Triple rgb, hsv, hsl;
};
const std::vector<Known> colours = {
    {{1, 0, 0}, {0, 1, 1}, {0, 1, 0.5}},
    {{0, 1, 0}, {1 / 3.0, 1, 1}, {1 / 3.0, 1, 0.5}},
    {{0, 0, 1}, {2 / 3.0, 1, 1}, {2 / 3.0, 1, 0.5}},
    {{1, 1, 0}, {1 / 6.0, 1, 1}, {1 / 6.0, 1, 0.5}},
    {{0, 1, 1}, {0.5, 1, 1}, {0.5, 1, 0.5}},
    {{1, 0, 1}, {5 / 6.0, 1, 1}, {5 / 6.0, 1, 0.5}},
    {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}},
    {{1, 1, 1}, {0, 0, 1}, {0, 0, 1}},
    {{0.75, 0.75, 0.75}, {0, 0, 0.75}, {0, 0, 0.75}},
    {{0.5, 0.5, 0}, {1 / 6.0, 1, 0.5}, {1 / 6.0, 1, 0.25}},
    {{0.5, 1, 1}, {0.5, 0.5, 1}, {0.5, 1, 0.75}},
    {{0.5, 0.5, 1}, {2 / 3.0, 0.5, 1}, {2 / 3.0, 1, 0.75}},
    {{0.75, 0.25, 0.75}, {5 / 6.0, 2 / 3.0, 0.75}, {5 / 6.0, 0.5, 0.5}},
};

}  // namespace

class TestConvert : public QObject, private Definitions {
  Q_OBJECT

 private slots:
  void hues_of_known_colours() {
    std::vector<Triple> rgb, hsv, hsl;
    for (const Known& k : colours) {
      rgb.push_back(k.rgb);
      hsv.push_back(k.hsv);
      hsl.push_back(k.hsl);
    }
    expect_row("convert", {{"to", "hsv"}}, row_of(rgb), hsv);
    expect_row("convert", {{"to", "hsl"}}, row_of(rgb), hsl);
    expect_row("convert", {{"from", "hsv"}, {"to", "rgb"}}, row_of(hsv), rgb);
    expect_row("convert", {{"from", "hsl"}, {"to", "rgb"}}, row_of(hsl), rgb);
    expect_row("convert", {{"from", "hsv"}, {"to", "rgb"}}, row_of({{1, 1, 1}}), {{1, 0, 0}});
  }

  // Components are data in the file: converting back uses the same words in reverse, in any light.
  void components_lead_back() {
    std::vector<Triple> rgb;
    for (const Known& k : colours) rgb.push_back(k.rgb);
    const std::vector<Runner> all = runners();
    for (const Coding& coding : {Coding::linear(), Coding::srgb()}) {
      Image picture = row_of(rgb);
      picture.format.coding = coding;
      for (const char* model : {"hsv", "hsl", "yiq"}) {
        for (const char* light : {"display", "linear", "stored"}) {
          Session& session = sessions_.on(all.front());
          Image there = run(session, one_step("convert", {{"to", model}, {"light", light}}),
                            picture, picture.format);
          Image back =
              run(session, one_step("convert", {{"from", model}, {"to", "rgb"}, {"light", light}}),
                  there, picture.format);
          for (int x = 0; x < picture.format.width; ++x) {
            for (int c = 0; c < 3; ++c) {
              QVERIFY2(std::abs(back.get(x, 0, c) - picture.get(x, 0, c)) <= 2e-5f,
                       qPrintable(QString("%1 in %2").arg(model, light)));
            }
          }
        }
      }
    }
  }

  // As printed in the television standard, to three digits; 0.5 is added to I and Q.
  void luma_and_colour_differences() {
    expect_row("convert", {{"to", "yiq"}},
               row_of({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}, {0, 0, 0}}),
               {{0.299, 1.096, 0.711},
                {0.587, 0.226, -0.023},
                {0.114, 0.178, 0.811},
                {1, 0.5, 0.5},
                {0, 0.5, 0.5}},
               2e-3);
  }
};

QTEST_GUILESS_MAIN(TestConvert)
#include "test_convert.moc"
