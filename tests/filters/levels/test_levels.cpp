// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// levels compared with its definition on single pixels.
#include <QTest>

#include "support/definitions.hpp"

using namespace sfumato;
using namespace sfumato::testing;

class TestLevels : public QObject, private Definitions {
  Q_OBJECT

 private slots:
  void levels_are_a_power_between_two_ends() {
    expect_row("levels", {{"gamma", "2"}}, row_of_grays({0, 0.25, 0.81, 1}),
               {{0, 0, 0}, {0.5, 0.5, 0.5}, {0.9, 0.9, 0.9}, {1, 1, 1}});
    expect_row("levels",
               {{"black", "0.2"}, {"white", "0.6"}, {"output_black", "1"}, {"output_white", "0"}},
               row_of_grays({0.2, 0.3, 0.6}), {{1, 1, 1}, {0.75, 0.75, 0.75}, {0, 0, 0}});
  }
};

QTEST_GUILESS_MAIN(TestLevels)
#include "test_levels.moc"
