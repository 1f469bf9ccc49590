// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A program becomes the trial of a driver only where it is asked to, in so many words. Trials
// themselves need a program: test_drivers.
#include <QByteArrayList>
#include <QTest>

#include "device/driver_trial.hpp"

using namespace sfumato;

class TestDriverTrial : public QObject {
  Q_OBJECT

 private slots:
  void other_arguments_start_no_trial_data() {
    QTest::addColumn<QByteArrayList>("words");
    QTest::newRow("none") << QByteArrayList{"sfumato"};
    QTest::newRow("one") << QByteArrayList{"sfumato", "devices"};
    QTest::newRow("as many") << QByteArrayList{"sfumato", "blur", "in.png", "out.png", "--quiet"};
    QTest::newRow("too few") << QByteArrayList{"sfumato", "--probe-opencl-driver", "a", "b"};
    QTest::newRow("too many") << QByteArrayList{"sfumato", "--probe-opencl-driver", "a", "b", "1",
                                                "c"};
  }
  // A trial ends the process.
  void other_arguments_start_no_trial() {
    QFETCH(QByteArrayList, words);
    std::vector<char*> argv;
    for (QByteArray& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    probe_if_requested(static_cast<int>(words.size()), argv.data());
    QVERIFY(true);
  }
};

QTEST_APPLESS_MAIN(TestDriverTrial)
#include "test_driver_trial.moc"
