// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The batch window with real files and real drops: lists, runs and questions.
#include <QApplication>
#include <QComboBox>
#include <QDBusConnection>
#include <QElapsedTimer>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMimeData>
#include <QProcess>
#include <QPushButton>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QWindow>
#include <filesystem>

#include "app/editor_windows.hpp"
#include "app/main_window.hpp"
#include "app/message_bar.hpp"
#include "batch/batch_panel.hpp"
#include "batch/batch_window.hpp"
#include "batch/recipe_choice.hpp"
#include "batch_window_driver.hpp"
#include "document/paths.hpp"
#include "filters/registry.hpp"
#include "preview/preview_view.hpp"
#include "support/pictures.hpp"
#include "support/skips.hpp"

using namespace sfumato;
using namespace sfumato::gui;
using namespace sfumato::testing;
namespace fs = std::filesystem;

namespace {

// Stands in for the desktop's notification service.
class Notifications : public QObject {
  Q_OBJECT
  Q_CLASSINFO("D-Bus Interface", "org.freedesktop.Notifications")

 public:
  QStringList heard;

 public Q_SLOTS:
  uint Notify(const QString& /*application*/, uint /*replaces*/, const QString& /*icon*/,
              const QString& title, const QString& text, const QStringList& /*actions*/,
              const QVariantMap& /*hints*/, int /*milliseconds*/) {
    heard << title + QLatin1Char('|') + text;
    return 1;
  }
};

}  // namespace

class TestBatchWindow : public QObject, private BatchWindowDriver {
  Q_OBJECT

  QProcess bus_;

 private Q_SLOTS:
  void initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
    QApplication::setApplicationName(QStringLiteral("test_batch_window"));
    qRegisterMetaType<BatchSummary>();
    // A session bus of our own, before anything asks for one.
    bus_.start(QStringLiteral("dbus-daemon"),
               {QStringLiteral("--session"), QStringLiteral("--nofork"),
                QStringLiteral("--print-address")});
    if (bus_.waitForStarted() && bus_.waitForReadyRead(patience)) {
      qputenv("DBUS_SESSION_BUS_ADDRESS", bus_.readLine().trimmed());
    }
  }
  void cleanupTestCase() {
    bus_.kill();
    bus_.waitForFinished();
  }
  void init() {
    QSettings().clear();
    folder_ = std::make_unique<QTemporaryDir>();
  }

  void what_is_dropped_anywhere_is_listed_once() {
    picture("in/a2.ppm");
    picture("in/a10.ppm");
    picture("in/sub/deep.ppm");
    text("in/notes.txt", "no picture");
    recipe("my.json");
    BatchWindow window;
    window.show();
    QSignalSpy added(&window, &BatchWindow::added);
    drop(*window.list().viewport(), {shown("in")});
    QTRY_COMPARE_WITH_TIMEOUT(added.size(), 1, patience);
    QCOMPARE(window.model().rowCount(), 3);
    QCOMPARE(window.model().path(0), shown("in/a2.ppm"));
    QCOMPARE(window.model().path(1), shown("in/a10.ppm"));
    // Over the settings; files already in the list are not added again.
    drop(window.panel(), {shown("in/a2.ppm"), shown("my.json")});
    QTRY_COMPARE_WITH_TIMEOUT(added.size(), 2, patience);
    QCOMPARE(added[1][0].toInt(), 0);
    QCOMPARE(window.model().rowCount(), 3);
    QTRY_COMPARE_WITH_TIMEOUT(window.panel().recipes().name(), std::string("my"), patience);
    QCOMPARE(window.panel().folder(), shown("in/sfumato"));
  }

  void fields_for_texts_leave_files_to_the_window() {
    picture("in/a.ppm");
    recipe("guided.json", "joint_bilateral");
    BatchWindow window;
    window.show();
    take(window, shown("guided.json"));
    for (QComboBox* box : window.panel().findChildren<QComboBox*>()) {
      const int jpeg = box->findData(QStringLiteral("jpg"));  // has a quality
      if (jpeg >= 0) box->setCurrentIndex(jpeg);
    }
    QTest::qWait(0);  // for the rows that appear with it
    window.panel().set_folder(shown("out"));
    QSignalSpy added(&window, &BatchWindow::added);
    int fields = 0;
    for (QLineEdit* line : window.panel().findChildren<QLineEdit*>()) {
      if (!line->isVisible()) continue;
      const QString before = line->text();
      drop(*line, {shown("in/a.ppm")});
      ++fields;
      QTRY_COMPARE_WITH_TIMEOUT(added.size(), fields, patience);
      QCOMPARE(line->text(), before);
    }
    QVERIFY(fields >= 5);  // folder, name, guide, quality, memory
    drop(window.preview(), {shown("in/a.ppm")});
    QTRY_COMPARE_WITH_TIMEOUT(added.size(), fields + 1, patience);
    QCOMPARE(window.model().rowCount(), 1);
  }

  void a_run_writes_what_the_recipe_makes() {
    picture("in/a.ppm");
    picture("in/b.ppm", 31, 17, 5);
    const auto window = ready("in");
    const BatchSummary summary = finish(*window, [&] { press(*window, "Start"); });
    QCOMPARE(summary.done, 2);
    QCOMPARE(window->model().state(0), FileState::done);
    QCOMPARE(window->model().output(1), shown("out/b_r.ppm"));
    const PicturePtr before = open_whole(at("in/a.ppm")), after = open_whole(at("out/a_r.ppm"));
    QCOMPARE(after->format().width, 60);
    QVERIFY(after->pixels.bytes != before->pixels.bytes);
    for (std::size_t i = 0; i + 2 < after->pixels.bytes.size(); i += 3) {
      QCOMPARE(after->pixels.bytes[i], after->pixels.bytes[i + 1]);
      QCOMPARE(after->pixels.bytes[i], after->pixels.bytes[i + 2]);
    }
  }

  void what_was_done_is_done_again_only_where_the_user_says_so() {
    picture("in/a.ppm");
    const auto window = ready("in");
    finish(*window, [&] { window->start(); });
    const QByteArray first = content("out/a_r.ppm");
    QFile::remove(shown("in/none"));
    text("out/a_r.ppm", "mine now");
    QCOMPARE(finish(*window, [&] { window->start(); }).done, 0);
    QCOMPARE(window->model().state(0), FileState::skipped);
    QCOMPARE(content("out/a_r.ppm"), QByteArray("mine now"));
    QVERIFY(window->messages().question().contains(QStringLiteral("done before")));
    QCOMPARE(finish(*window, [&] { press(window->messages(), "Do them again"); }).done, 1);
    QCOMPARE(content("out/a_r.ppm"), first);
  }

  void an_output_in_the_way_is_asked_about() {
    picture("in/a.ppm");
    text("out/a_r.ppm", "mine");
    const auto window = ready("in");
    QSignalSpy refused(&window->job(), &BatchJob::refused);
    window->start();
    QTRY_COMPARE_WITH_TIMEOUT(refused.size(), 1, patience);
    QVERIFY2(window->messages().question().contains(QStringLiteral("a_r.ppm")),
             qPrintable(window->messages().question()));
    QVERIFY(!fs::exists(at("out/a_r_2.ppm")));
    QCOMPARE(finish(*window, [&] { press(window->messages(), "Other names"); }).done, 1);
    QCOMPARE(content("out/a_r.ppm"), QByteArray("mine"));
    QVERIFY(fs::exists(at("out/a_r_2.ppm")));
  }

  void what_failed_says_why_and_is_tried_again_alone() {
    picture("in/a.ppm");
    text("in/b.ppm", "P6 4 4 255\nshort");
    const auto window = ready("in");
    const BatchSummary summary = finish(*window, [&] { window->start(); });
    QCOMPARE(summary.done, 1);
    QCOMPARE(summary.failed, 1);
    QCOMPARE(window->model().rows_in(FileState::failed), std::vector<int>{1});
    const QModelIndex failed = window->model().index(1);
    QVERIFY2(failed.data(BatchModel::detail_role).toString().contains(QStringLiteral("b.ppm")),
             qPrintable(failed.data(BatchModel::detail_role).toString()));
    QVERIFY(button(*window, "Retry the failed")->isVisible());
    const auto written = fs::last_write_time(at("out/a_r.ppm"));
    picture("in/b.ppm");
    QCOMPARE(finish(*window, [&] { press(*window, "Retry the failed"); }).done, 1);
    QCOMPARE(window->model().state(1), FileState::done);
    QVERIFY(fs::last_write_time(at("out/a_r.ppm")) == written);
    QVERIFY(!button(*window, "Retry the failed")->isVisible());
  }

  void a_run_is_held_cancelled_and_continued() {
    for (int i = 0; i < 6; ++i) picture("in/" + std::to_string(i) + ".ppm");
    const auto window = ready("in");
    // Paused before the first file: nothing is started.
    QSignalSpy began(&window->job(), &BatchJob::began);
    window->start();
    window->pause(true);
    QVERIFY(button(*window, "Go on") != nullptr);
    QTRY_COMPARE_WITH_TIMEOUT(began.size(), 1, patience);
    const BatchSummary cancelled = finish(*window, [&] { press(*window, "Cancel"); });
    QVERIFY(cancelled.cancelled > 0);
    QCOMPARE(cancelled.done + cancelled.cancelled, 6);
    const BatchSummary rest = finish(*window, [&] { window->start(); });
    QCOMPARE(rest.done, cancelled.cancelled);
    for (int i = 0; i < 6; ++i) QVERIFY(fs::exists(at("out/" + std::to_string(i) + "_r.ppm")));
  }

  void a_window_with_a_run_asks_before_it_closes() {
    picture("in/a.ppm");
    const auto window = ready("in");
    window->start();
    window->pause(true);
    window->close();
    QVERIFY(window->isVisible());
    QVERIFY(window->messages().question().contains(QStringLiteral("running")));
    press(window->messages(), "Stop and close");
    QTRY_VERIFY_WITH_TIMEOUT(!window->isVisible(), patience);
  }

  void nothing_starts_without_a_recipe_a_folder_and_files() {
    picture("in/a.ppm");
    BatchWindow window;
    window.show();
    QVERIFY(!button(window, "Start")->isEnabled());
    add(window, {shown("in")});
    QVERIFY(!button(window, "Start")->isEnabled());
    QVERIFY(button(window, "Start")->toolTip().contains(QStringLiteral("recipe")));
    take(window, QStringLiteral("sepia"));
    QVERIFY(button(window, "Start")->isEnabled());
    window.panel().set_folder({});
    QVERIFY(!button(window, "Start")->isEnabled());
  }

  void unknown_presets_and_bad_recipes_are_said_calmly() {
    BatchWindow window;
    window.show();
    window.take_recipe(QStringLiteral("no_such"));
    QTRY_VERIFY_WITH_TIMEOUT(window.messages().text().contains(QStringLiteral("no_such")),
                             patience);
    recipe("bad.json", "no_filter");
    window.take_recipe(shown("bad.json"));
    QTRY_VERIFY_WITH_TIMEOUT(window.messages().text().contains(QStringLiteral("no_filter")),
                             patience);
    window.add({shown("nowhere.png")});
    QTRY_VERIFY_WITH_TIMEOUT(window.messages().text().contains(QStringLiteral("nowhere.png")),
                             patience);
    QCOMPARE(window.model().rowCount(), 0);
  }

  void the_chosen_file_is_seen_before_and_after() {
    picture("in/a.ppm", 120, 80);
    const auto window = ready("in");
    QSignalSpy shown(&window->preview(), &PreviewView::shown);
    window->list().setCurrentIndex(window->model().index(0));
    QTRY_VERIFY_WITH_TIMEOUT(!shown.empty(), patience);
    QTRY_VERIFY_WITH_TIMEOUT(!shown.back()[0].value<ResultPtr>()->after.isNull(), patience);
    const auto result = shown.back()[0].value<ResultPtr>();
    QVERIFY(result->before != result->after);
    window->list().clearSelection();
    QTRY_VERIFY_WITH_TIMEOUT(window->preview().picture() == nullptr, patience);
    window->list().setCurrentIndex(window->model().index(0));
    QTRY_VERIFY_WITH_TIMEOUT(window->preview().picture() != nullptr, patience);
    for (QAction* one : window->findChildren<QAction*>()) {
      if (one->shortcut() == QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Backspace)) one->trigger();
    }
    QCOMPARE(window->model().rowCount(), 0);
    QTRY_VERIFY_WITH_TIMEOUT(window->preview().picture() == nullptr, patience);
  }

  // A folder proposed by the window was not chosen by the user.
  void results_lie_beside_the_first_files_until_a_folder_is_chosen() {
    picture("first/a.ppm");
    picture("second/b.ppm");
    picture("second/sfumato/old.ppm");
    const auto beside = [this](const char* folder) {
      return shown(folder) + QStringLiteral("/sfumato");
    };
    {
      BatchWindow window;
      add(window, {shown("first")});
      QCOMPARE(window.panel().folder(), beside("first"));
      add(window, {shown("second")});
      QCOMPARE(window.panel().folder(), beside("first"));
    }
    BatchWindow window;
    QCOMPARE(window.panel().folder(), QString());
    add(window, {shown("second")});
    QCOMPARE(window.panel().folder(), beside("second"));
    QCOMPARE(window.model().rowCount(), 1);  // earlier results are not inputs
    window.panel().set_folder(shown("out"));
    BatchWindow next;
    add(next, {shown("first")});
    QCOMPARE(next.panel().folder(), shown("out"));
    next.panel().set_folder({});
  }

  void the_end_is_reported_on_the_desktop() {
    if (bus_.state() != QProcess::Running) SKIP_WITHOUT("dbus-daemon");
    Notifications desktop;
    QDBusConnection bus = QDBusConnection::connectToBus(
        QString::fromUtf8(qgetenv("DBUS_SESSION_BUS_ADDRESS")), QStringLiteral("desktop"));
    QVERIFY(bus.registerObject(QStringLiteral("/org/freedesktop/Notifications"), &desktop,
                               QDBusConnection::ExportAllSlots));
    QVERIFY(bus.registerService(QStringLiteral("org.freedesktop.Notifications")));
    picture("in/a.ppm");
    const auto window = ready("in");
    finish(*window, [&] { window->start(); });
    QTRY_COMPARE_WITH_TIMEOUT(desktop.heard.size(), 1, patience);
    QVERIFY2(desktop.heard[0].contains(QStringLiteral("1 done")), qPrintable(desktop.heard[0]));
    QDBusConnection::disconnectFromBus(QStringLiteral("desktop"));
  }

  // The list is scrolled while it runs; the response time is printed, not asserted.
  void a_long_list_runs_and_scrolls() {
    const int count = qEnvironmentVariableIntValue("SFUMATO_TEST_ALL") != 0 ? 5000 : 300;
    picture("one.ppm", 64, 48);
    fs::create_directories(at("in"));
    for (int i = 0; i < count; ++i) {
      fs::create_hard_link(at("one.ppm"), at("in/" + std::to_string(i) + ".ppm"));
    }
    const auto window = ready("in");
    QCOMPARE(window->model().rowCount(), count);
    auto* list = window->findChild<QListView*>();
    QElapsedTimer clock;
    QTimer ticks;
    qint64 longest = 0;
    int turns = 0;
    connect(&ticks, &QTimer::timeout, window.get(), [&] {
      longest = std::max(longest, clock.restart());
      list->verticalScrollBar()->setValue(++turns * 7 % (list->verticalScrollBar()->maximum() + 1));
    });
    QSignalSpy finished(&window->job(), &BatchJob::finished);
    clock.start();
    ticks.start(1);
    window->start();
    QVERIFY(QTest::qWaitFor([&] { return !finished.empty(); }, 20 * patience));
    ticks.stop();
    QCOMPARE(finished[0][0].value<BatchSummary>().done, std::int64_t{count});
    QVERIFY(window->model().rows_in(FileState::done).size() == static_cast<std::size_t>(count));
    QVERIFY(turns > 10);
    qInfo("%d files in %.1f s, longest turn of the window's events %lld ms", count,
          finished[0][0].value<BatchSummary>().seconds, static_cast<long long>(longest));
  }

  void the_editor_opens_it_with_its_steps() {
    picture("a.ppm");
    EditorWindows editor;
    editor.take({});
    MainWindow& window = *editor.windows().front();
    window.document().add_step("grayscale");
    Q_EMIT window.batch_wanted();
    BatchWindow& batch = editor.open_batch();
    QVERIFY(batch.isVisible());
    QCOMPARE(batch.panel().recipes().recipe().steps.size(), std::size_t{1});
    editor.take({QStringLiteral("--batch"), QStringLiteral("--recipe"), QStringLiteral("sepia"),
                 shown("a.ppm")});
    QTRY_COMPARE_WITH_TIMEOUT(batch.model().rowCount(), 1, patience);
    QTRY_COMPARE_WITH_TIMEOUT(batch.panel().recipes().name(), std::string("sepia"), patience);
    window.document().undo_stack().setClean();
  }

  void results_are_never_inputs() {
    picture("in/a.ppm");
    {
      BatchWindow window;
      add(window, {shown("in")});
      recipe("r.json");
      take(window, shown("r.json"));
      QCOMPARE(finish(window, [&] { window.start(); }).done, 1);
      QVERIFY(fs::exists(at("in/sfumato/a_r.ppm")));
    }
    BatchWindow again;
    add(again, {shown("in")});
    QCOMPARE(again.model().rowCount(), 1);
  }

  void what_breaks_a_run_off_is_said_and_no_success() {
    picture("in/a.ppm");
    fs::create_directories(at("out/sfumato-batch.jsonl"));
    const auto window = ready("in");
    QSignalSpy finished(&window->job(), &BatchJob::finished);
    QSignalSpy refused(&window->job(), &BatchJob::refused);
    window->start();
    QTRY_VERIFY_WITH_TIMEOUT(!window->job().is_running(), patience);
    QVERIFY(window->findChild<MessageBar*>()->text().contains(QStringLiteral("journal")));
    for (const QLabel* label : window->findChildren<QLabel*>()) {
      QVERIFY(!label->text().contains(QStringLiteral("Nothing was to be done")));
    }
  }

  // Cancelled before the plan is made: nothing is asked, and the next run can be cancelled too.
  void a_cancelled_plan_is_the_end_of_it() {
    picture("in/a.ppm");
    picture("out/a_r.ppm");
    const auto window = ready("in");
    window->start();
    press(*window, "Cancel");
    QVERIFY(!button(*window, "Cancel")->isEnabled());
    QTRY_VERIFY_WITH_TIMEOUT(!window->job().is_running(), patience);
    QVERIFY(button(*window, "Replace") == nullptr || !button(*window, "Replace")->isVisible());
    window->start();
    QTRY_VERIFY_WITH_TIMEOUT(button(*window, "Replace") != nullptr, patience);
    QCOMPARE(finish(*window,
                    [&] {
                      press(*window, "Replace");
                      QVERIFY(button(*window, "Cancel")->isEnabled());
                    })
                 .done,
             1);
  }

  void pictures_for_roles_are_no_files_to_filter() {
    picture("in/a.ppm");
    picture("in/a_G.ppm");
    picture("in/b.ppm");
    picture("in/b_G.ppm");
    const auto window = ready("in");
    recipe("guided.json", "joint_bilateral");
    take(*window, shown("guided.json"));
    for (QLineEdit* one : window->panel().findChildren<QLineEdit*>()) {
      if (one->placeholderText().contains(QStringLiteral("guide"))) {
        one->setText(QStringLiteral("{folder}/{stem}_G.ppm"));
      }
    }
    QCOMPARE(finish(*window, [&] { window->start(); }).done, 2);
    QCOMPARE(window->model().state(1), FileState::skipped);
    QCOMPARE(window->model().state(2), FileState::done);
  }

  void pictures_for_roles_are_found_by_a_pattern() {
    picture("in/a.ppm");
    picture("kernels/a_K.ppm", 5, 5, 9);
    const auto window = ready("in");
    recipe("by_kernel.json", "fft_convolve");
    take(*window, shown("by_kernel.json"));
    QVERIFY(!button(*window, "Start")->isEnabled());
    QVERIFY(button(*window, "Start")->toolTip().contains(QStringLiteral("Kernel")));
    QLineEdit* line = nullptr;
    for (QLineEdit* one : window->panel().findChildren<QLineEdit*>()) {
      if (one->placeholderText().contains(QStringLiteral("kernel"))) line = one;
    }
    QVERIFY(line != nullptr);
    line->setText(shown("kernels") + QStringLiteral("/{stem}_K.ppm"));
    QVERIFY(button(*window, "Start")->isEnabled());
    QCOMPARE(finish(*window, [&] { window->start(); }).done, 1);
  }

  void frames_are_pictures_of_their_own_or_joined() {
    picture("in/a.ppm");
    const QString animation = shown("in/b.gif");
    if (QProcess::execute(QStringLiteral("ffmpeg"),
                          QStringLiteral("-v error -f lavfi -i testsrc2=size=64x48:rate=10 "
                                         "-frames:v 3")
                                  .split(QLatin1Char(' ')) +
                              QStringList{animation}) != 0) {
      SKIP_WITHOUT("ffmpeg");
    }
    const auto window = ready("in");
    QCOMPARE(window->model().rowCount(), 2);
    QComboBox* frames = nullptr;
    for (QComboBox* one : window->panel().findChildren<QComboBox*>()) {
      if (one->findData(QStringLiteral("webm")) >= 0) frames = one;
    }
    QVERIFY(frames != nullptr);
    for (const auto& [choice, rows] : {std::pair("pages", 4), {"webp", 2}}) {
      QSignalSpy added(window.get(), &BatchWindow::added);
      frames->setCurrentIndex(frames->findData(QLatin1String(choice)));
      QTRY_COMPARE_WITH_TIMEOUT(added.size(), 1, patience);
      QCOMPARE(window->model().rowCount(), rows);
    }
    QCOMPARE(finish(*window, [&] { window->start(); }).done, 2);
    const QString made = window->model().output(1);
    QVERIFY2(made.endsWith(QStringLiteral("b_r.webp")), qPrintable(made));
    ReadOptions last;
    last.page = 3;
    const auto written = open_picture(native_path(made), last);
    QCOMPARE(written->info().pages, 3);
    QCOMPARE(written->info().frame_times, std::vector<std::int64_t>(3, 100000));
  }
};

QTEST_MAIN(TestBatchWindow)
#include "test_batch_window.moc"
