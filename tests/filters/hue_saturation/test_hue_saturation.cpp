// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// hue_saturation compared with its definition on known colours.
#include <QTest>

#include "support/definitions.hpp"

using namespace sfumato;
using namespace sfumato::testing;

class TestHueSaturation : public QObject, private Definitions {
  Q_OBJECT

 private slots:
  void hues_turn_from_red_to_green() {
    expect_row("hue_saturation", {{"hue", "120"}}, row_of({{1, 0, 0}, {0, 1, 0}, {0.5, 0.5, 0}}),
               {{0, 1, 0}, {0, 0, 1}, {0, 0.5, 0.5}});
    expect_row("hue_saturation", {{"hue", "-60"}}, row_of({{1, 0, 0}}), {{1, 0, 1}});
    expect_row("hue_saturation", {{"saturation", "0.5"}, {"value", "0.5"}}, row_of({{1, 0, 0}}),
               {{0.5, 0.25, 0.25}});
  }
};

QTEST_GUILESS_MAIN(TestHueSaturation)
#include "test_hue_saturation.moc"
