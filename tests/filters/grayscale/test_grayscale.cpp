// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// grayscale compared with sums by the published weights.
#include <QTest>

#include "support/definitions.hpp"

using namespace sfumato;
using namespace sfumato::testing;

class TestGrayscale : public QObject, private Definitions {
  Q_OBJECT

 private slots:
  void grays_by_their_weights() {
    for (const auto& [name, w] : gray_weights) {
      expect_row("grayscale", {{"weights", name}}, row_of(weighed_colours), weighed(w, {1, 1, 1}));
    }
  }
};

QTEST_GUILESS_MAIN(TestGrayscale)
#include "test_grayscale.moc"
