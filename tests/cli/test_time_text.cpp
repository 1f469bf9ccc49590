// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The time shown by a progress bar.
#include <QTest>

#include "cli/time_text.hpp"

using sfumato::cli::time_left;

class TestTimeText : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void the_time_left_is_reported_when_it_is_known() {
    QCOMPARE(time_left(0, 100), std::string());
    QCOMPARE(time_left(0.005, 1.5), std::string());
    QCOMPARE(time_left(0.05, 1), std::string("19 s left"));
    QCOMPARE(time_left(0.005, 2), std::string("7 min left"));
    QCOMPARE(time_left(0.5, 89), std::string("89 s left"));
    QCOMPARE(time_left(0.5, 90), std::string("2 min left"));
    QCOMPARE(time_left(0.5, 300), std::string("5 min left"));
    QCOMPARE(time_left(0.5, 3569), std::string("59 min left"));
    QCOMPARE(time_left(0.5, 3570), std::string("1 h left"));
    QCOMPARE(time_left(0.5, 7800), std::string("2 h 10 min left"));
    QCOMPARE(time_left(1, 5), std::string("0 s left"));
    QCOMPARE(time_left(1e-12, 1e6), std::string());
  }
};

QTEST_GUILESS_MAIN(TestTimeText)
#include "test_time_text.moc"
