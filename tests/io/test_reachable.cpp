// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// File systems that never answer.
#include <QTest>
#include <future>

#include "io/io.hpp"
#include "io/reachable.hpp"

using namespace sfumato;

class TestReachable : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void one_that_answers() {
    files::check_reachable("/");
    files::check_reachable("/no/such/file");  // that it is missing is an answer
    bool asked = false;
    files::check_reachable("/", files::answer_within, [&](const auto&) { asked = true; });
    QVERIFY(asked);
  }

  void one_that_does_not() {
    // The thread waits until the test is over.
    auto over = std::make_shared<std::promise<void>>();
    const std::shared_future<void> end = over->get_future().share();
    QString message;
    try {
      files::check_reachable("/net/gone/a.png", std::chrono::milliseconds(1),
                             [end](const auto&) { end.wait(); });
    } catch (const FileError& error) {
      message = error.what();
    }
    over->set_value();
    QVERIFY2(message.contains("a.png") && message.contains("does not answer"), qPrintable(message));
  }
};

QTEST_GUILESS_MAIN(TestReachable)
#include "test_reachable.moc"
