// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What a decoder answers is not checked_answer. The one beside this program answers as it is told
// to.
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <fstream>

#include "image/parallel_rows.hpp"
#include "io/file_origin.hpp"
#include "io/io.hpp"
#include "support/processes.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

// It has the environment of its start: the next picture starts another.
void end_waiting_process() {
  for (const int child : children_of(::getpid())) ::kill(child, SIGKILL);
}

}  // namespace

class TestDecoderFaults : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

 private Q_SLOTS:
  void every_false_answer_is_one_sentence_data() {
    QTest::addColumn<QString>("said");
    const char* nonsense = "its decoder gave an impossible answer (TIFF)";
    QTest::newRow("forbidden") << "its decoder tried what it may not do (TIFF)";
    QTest::newRow("too long") << "decoding takes too long (TIFF)";
    QTest::newRow("ends") << "its decoder ended (TIFF)";
    QTest::newRow("other answer") << nonsense;
    QTest::newRow("fault without words") << nonsense;
    QTest::newRow("warning without words") << nonsense;
    QTest::newRow("claims less than nothing") << nonsense;
    QTest::newRow("no CBOR") << nonsense;
    QTest::newRow("no packet") << nonsense;
    QTest::newRow("deep") << nonsense;
    QTest::newRow("huge") << nonsense;
    QTest::newRow("negative") << nonsense;
    QTest::newRow("endless chunk") << nonsense;
    QTest::newRow("no chunk") << nonsense;
    QTest::newRow("rows beyond") << nonsense;
    QTest::newRow("rows before") << nonsense;
    QTest::newRow("nothing") << "its decoder hangs (TIFF)";
    QTest::newRow("cannot fork") << "its decoder could not be started";
  }

  void every_false_answer_is_one_sentence() {
    QFETCH(const QString, said);
    const auto path = std::filesystem::path(folder_.filePath("a.tif").toStdString());
    std::ofstream(path) << "anything";
    // The waiting process has the environment of its start, and is started again for each.
    qputenv("SFUMATO_TEST_DECODER", QTest::currentDataTag());
    end_waiting_process();
    QString message;
    try {
      const auto picture = open_picture(path);
      std::vector<char> row(40 * 3);
      picture->read({0, 0, 40, 1}, row.data(), 40 * 3);
    } catch (const FileError& e) {
      message = e.what();
    }
    QVERIFY2(message.contains("a.tif") && message.contains(said), qPrintable(message));
  }

  void cancelling_is_felt_while_a_decoder_hangs() {
    qputenv("SFUMATO_TEST_DECODER", "nothing");
    end_waiting_process();
    const auto path = std::filesystem::path(folder_.filePath("a.tif").toStdString());
    std::ofstream(path) << "anything";
    int asked = 0;
    ReadOptions options;
    options.cancelled = [&asked] { return ++asked > 5; };
    QVERIFY_THROWS_EXCEPTION(Cancelled, open_picture(path, options));
    QCOMPARE(asked, 6);
  }

  // The waiting process still works.
  void a_fork_that_fails_is_no_reason_to_start_again() {
    qputenv("SFUMATO_TEST_DECODER", "cannot fork");
    end_waiting_process();
    const auto path = std::filesystem::path(folder_.filePath("a.tif").toStdString());
    std::ofstream(path) << "anything";
    QVERIFY_THROWS_EXCEPTION(FileError, open_picture(path));
    const std::set<int> before = children_of(::getpid());
    QVERIFY_THROWS_EXCEPTION(FileError, open_picture(path));
    QCOMPARE(before.size(), std::size_t{1});
    QVERIFY(children_of(::getpid()) == before);
  }

  void pages_that_cannot_be() {
    const auto path = std::filesystem::path(folder_.filePath("a.tif").toStdString());
    std::ofstream(path) << "anything";
    for (const char* what : {"page of no kind", "page of no CBOR", "piece of nothing",
                             "piece without a place", "endless page"}) {
      qputenv("SFUMATO_TEST_DECODER", what);
      end_waiting_process();
      const auto picture = open_picture(path);
      QString message;
      try {
        picture->origin()->begin_page(1, {});
        while (picture->origin()->next_of_page().directory == 0) {
        }
      } catch (const FileError& error) {
        message = error.what();
      }
      QVERIFY2(message.contains("impossible answer"), what);
    }
    qputenv("SFUMATO_TEST_DECODER", "endless pages");
    end_waiting_process();
    const auto picture = open_picture(path);
    int pages = 1;
    const auto count_pages = [&] {
      while (picture->origin()->begin_page(pages, {}) == PageCopy::copied) ++pages;
    };
    QVERIFY_THROWS_EXCEPTION(FileError, count_pages());
    QCOMPARE(pages, 65536);
  }

  void what_is_not_confined_is_said_once() {
    qputenv("SFUMATO_TEST_DECODER", "unconfined");
    end_waiting_process();
    const auto path = std::filesystem::path(folder_.filePath("a.tif").toStdString());
    std::ofstream(path) << "anything";
    const auto picture = open_picture(path);
    std::vector<char> row(40 * 3);
    picture->read({0, 0, 40, 1}, row.data(), 40 * 3);  // all else is in order
    const std::vector<Message> first = picture->info().warnings;
    QCOMPARE(first.size(), std::size_t{1});
    QVERIFY2(in_english(first[0]).find("the kernel does not confine it") != std::string::npos,
             in_english(first[0]).c_str());
    QVERIFY(open_picture(path)->info().warnings.empty());
  }
};

QTEST_GUILESS_MAIN(TestDecoderFaults)
#include "test_decoder_faults.moc"
