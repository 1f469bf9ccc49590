// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Thumbnails of every filter: all arrive, are made off the GUI thread, and outdated ones never
// arrive.
#include <sys/resource.h>

#include <QElapsedTimer>
#include <QLineEdit>
#include <QSemaphore>
#include <QSignalSpy>
#include <QTest>
#include <QThreadPool>
#include <QTreeWidget>
#include <atomic>
#include <set>

#include "app/filter_browser.hpp"
#include "filters/registry.hpp"
#include "opened.hpp"
#include "preview/thumbnails.hpp"
#include "support/not_empty.hpp"
#include "support/pictures.hpp"

using namespace sfumato;
using namespace sfumato::gui;
using sfumato::testing::Image;
using sfumato::testing::opened;

namespace {

constexpr std::chrono::milliseconds patient(180000);  // even on a busy machine

std::set<std::string> names(const QSignalSpy& ready) {
  std::set<std::string> out;
  for (const auto& arguments : ready) out.insert(arguments[0].value<std::string>());
  return out;
}

}  // namespace

class TestThumbnails : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void every_filter_without_roles_has_one() {
    Thumbnails thumbnails(patient);
    QSignalSpy ready(&thumbnails, &Thumbnails::ready), finished(&thumbnails, &Thumbnails::finished);
    const PicturePtr picture = opened(640, 480);
    QElapsedTimer clock;
    clock.start();
    thumbnails.set_picture(picture);
    QVERIFY(ready.isEmpty());
    QVERIFY(finished.wait(120000));
    qInfo("%d thumbnails in %lld ms", static_cast<int>(ready.size()), clock.elapsed());
    const std::set<std::string> got = names(ready);
    for (const RegisteredFilter& entry : testing::not_empty(Registry::get().all(), "filters")) {
      const FilterInfo& info = entry.filter->info();
      if (info.roles.empty()) QVERIFY2(got.count(info.id) == 1, info.id.c_str());
    }
    QVERIFY(got.count("fft_convolve") == 0);  // needs a kernel's picture
    QCOMPARE(thumbnails.thumbnail("edges").size(), QSize(160, 120));
    QVERIFY(thumbnails.thumbnail("edges") !=
            thumbnails.thumbnail("levels"));  // that changes nothing
    QVERIFY(thumbnails.thumbnail("gaussian") != thumbnails.thumbnail("levels"));
    const QColor gray = thumbnails.thumbnail("grayscale").pixelColor(40, 30);
    QCOMPARE(gray.red(), gray.blue());
  }

  // Qt draws windows with these threads.
  void the_threads_of_qt_keep_their_priority() {
    Thumbnails thumbnails(patient);
    QSignalSpy finished(&thumbnails, &Thumbnails::finished);
    thumbnails.set_picture(opened(640, 480));
    QVERIFY(finished.wait(120000));
    QThreadPool& pool = *QThreadPool::globalInstance();
    const int count = pool.maxThreadCount(), own = getpriority(PRIO_PROCESS, 0);
    QSemaphore here, go;
    std::atomic<int> lower = 0;
    for (int i = 0; i < count; ++i) {
      pool.start([&] {
        if (getpriority(PRIO_PROCESS, 0) > own) ++lower;
        here.release();
        go.acquire();  // each on a thread of its own
      });
    }
    QVERIFY(here.tryAcquire(count, 180000));
    go.release(count);
    pool.waitForDone();
    QCOMPARE(lower.load(), 0);
  }

  void they_stand_upright() {
    Thumbnails thumbnails(patient);
    QSignalSpy ready(&thumbnails, &Thumbnails::ready);
    thumbnails.set_picture(opened(200, 100, 6));
    QVERIFY(ready.wait(180000));
    const QImage image = ready[0][1].value<QImage>();
    QVERIFY(image.width() < image.height());
  }

  void a_new_picture_drops_the_old_one() {
    Thumbnails thumbnails(patient);
    QSignalSpy ready(&thumbnails, &Thumbnails::ready), finished(&thumbnails, &Thumbnails::finished);
    for (int i = 0; i < 8; ++i) thumbnails.set_picture(opened(150, 150));
    QVERIFY(ready.wait(180000));
    thumbnails.set_picture(opened(150, 75));
    ready.clear();
    QVERIFY(thumbnails.thumbnail("atrous").isNull());
    QVERIFY(finished.wait(120000));
    for (const auto& arguments : ready) {
      const QImage image = arguments[1].value<QImage>();
      QVERIFY(image.width() > image.height());
    }
    QCOMPARE(static_cast<std::size_t>(ready.size()), names(ready).size());
    QCOMPARE(finished.size(), 1);
    thumbnails.set_picture(nullptr);
    QVERIFY(thumbnails.thumbnail("edges").isNull());
  }

  void a_pause_holds_the_work() {
    Thumbnails thumbnails(patient);
    QSignalSpy ready(&thumbnails, &Thumbnails::ready);
    thumbnails.set_picture(opened(640, 480));
    QVERIFY(ready.wait(180000));
    thumbnails.pause(true);
    // A result already on its way still arrives.
    qsizetype before = 0;
    do {
      before = ready.size();
      QTest::qWait(500);
    } while (ready.size() != before);
    thumbnails.pause(false);
    QVERIFY(ready.wait(180000));
  }

  void what_takes_too_long_has_none() {
    Thumbnails thumbnails(std::chrono::milliseconds(0));
    QSignalSpy ready(&thumbnails, &Thumbnails::ready), finished(&thumbnails, &Thumbnails::finished);
    thumbnails.set_picture(opened(640, 480));
    QVERIFY(finished.wait(180000));
    QVERIFY(names(ready).count("bilateral") == 0);
  }

  void destroyed_in_the_middle() {
    for (const bool held : {false, true}) {
      Thumbnails thumbnails(patient);
      QSignalSpy ready(&thumbnails, &Thumbnails::ready);
      thumbnails.set_picture(opened(640, 480));
      QVERIFY(ready.wait(180000));
      thumbnails.pause(held);
    }
  }

  // For inspection: SFUMATO_GRABS names a folder for a screenshot of the browser.
  void the_browser_shows_them_and_searches() {
    FilterBrowser browser;
    browser.resize(240, 900);
    browser.show();
    auto* tree = browser.findChild<QTreeWidget*>();
    QSignalSpy finished(&browser.thumbnails(), &Thumbnails::finished);
    const QString file = qEnvironmentVariable("SFUMATO_PICTURE");
    browser.set_picture(file.isEmpty() ? opened(640, 480) : open_whole(file.toStdString()));
    const QImage before = browser.grab().toImage();
    QVERIFY(finished.wait(120000));
    const QImage after = browser.grab().toImage();
    QVERIFY(before != after);
    const QString folder = qEnvironmentVariable("SFUMATO_GRABS");
    if (!folder.isEmpty()) {
      after.save(folder + QStringLiteral("/browser.png"));
      browser.setPalette(QPalette(QColor(45, 45, 48)));
      tree->scrollToBottom();
      browser.grab().save(folder + QStringLiteral("/browser_dark.png"));
    }
    QSignalSpy chosen(&browser, &FilterBrowser::chosen);
    auto* search = browser.findChild<QLineEdit*>();
    QTest::keyClicks(search, QStringLiteral("canny"));
    QTest::keyClick(search, Qt::Key_Return);
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(chosen[0][0].value<std::string>(), std::string("canny"));
  }
};

QTEST_MAIN(TestThumbnails)
#include "test_thumbnails.moc"
