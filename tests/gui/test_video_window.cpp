// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The window for movies: it follows the editor's recipe, and never overwrites anything without
// asking.
#include <QFile>
#include <QFileInfo>
#include <QPointer>
#include <QStandardPaths>
#include <QTest>

#ifdef SFUMATO_VIDEO
#include <QDir>
#include <QProcess>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolBar>

#include "app/main_window.hpp"
#include "app/message_bar.hpp"
#include "app/video_window.hpp"
#include "gui/dialog_driver.hpp"
#include "support/pictures.hpp"
#include "support/skips.hpp"
#include "video/video_view.hpp"

using namespace sfumato;
using namespace sfumato::gui;
using sfumato::testing::Answers;
using sfumato::testing::one_step;
using sfumato::testing::with_file;
#endif

class TestVideoWindow : public QObject {
  Q_OBJECT

#ifdef SFUMATO_VIDEO
 private:
  QTemporaryDir folder_;
  QString movie_;  // 50 frames, 320 x 180; empty if it cannot be made

  QString path(const char* name) const {
    return folder_.filePath(QLatin1String(name));
  }

  void put(const char* name, const QByteArray& bytes) const {
    QFile file(path(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
  }

  QByteArray content(const char* name) const {
    QFile file(path(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }

  static void press(QWidget& within, const QString& text) {
    const QList<QPushButton*> buttons = within.findChildren<QPushButton*>();
    // Buttons of earlier questions are removed later.
    for (auto at = buttons.rbegin(); at != buttons.rend(); ++at) {
      if ((*at)->text() == text) return (*at)->click();
    }
    QFAIL(qPrintable(text));
  }

  static QAction* action(VideoWindow& window, const char* text) {
    for (QAction* one : window.findChild<QToolBar*>()->actions()) {
      if (one->text().contains(QLatin1String(text))) return one;
    }
    return nullptr;
  }

  // The largest distance of the frame from gray.
  static int colourfulness(VideoWindow& window) {
    const QImage image = window.view().screen().after();
    int most = 0;
    for (int x = 8; x < image.width(); x += 16) {
      const QColor c = image.pixelColor(x, image.height() / 2);
      most = std::max(most, std::max({c.red(), c.green(), c.blue()}) -
                                std::min({c.red(), c.green(), c.blue()}));
    }
    return most;
  }

 private Q_SLOTS:
  void initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
    const QString options = QStringLiteral(
        "-v error -f lavfi -i testsrc2=size=320x180:rate=25:duration=2 -pix_fmt yuv420p");
    const QString made = path("movie.mp4");
    if (!VideoWriter::is_available()) return;  // who needs the movie skips
    QCOMPARE(QProcess::execute(QStringLiteral("ffmpeg"),
                               options.split(QLatin1Char(' ')) + QStringList{made}),
             0);
    movie_ = made;
  }

  void a_movie_opened_in_the_editor_follows_its_recipe() {
    if (movie_.isEmpty()) SKIP_WITHOUT("ffmpeg");
    MainWindow editor;
    QSignalSpy opened(&editor, &MainWindow::opened);
    editor.open_file(movie_);
    QCOMPARE(opened.size(), 1);
    QCOMPARE(opened[0][0].toString(), QString());
    VideoWindow& window = editor.video();
    QVERIFY(window.isVisible());
    QVERIFY(window.windowTitle().contains(QStringLiteral("movie.mp4")));
    QTRY_VERIFY_WITH_TIMEOUT(colourfulness(window) > 100, 180000);
    window.view().source().pause();
    editor.document().add_step("grayscale");
    QTRY_VERIFY_WITH_TIMEOUT(colourfulness(window) <= 2, 180000);
    editor.document().undo_stack().undo();
    QTRY_VERIFY_WITH_TIMEOUT(colourfulness(window) > 100, 180000);
    QCOMPARE(window.messages().text(), QString());
    editor.document().undo_stack().setClean();
  }

  void the_action_opens_an_empty_window_once() {
    MainWindow editor;
    QAction* wanted = nullptr;
    for (QAction* one : editor.findChildren<QAction*>()) {
      if (one->shortcut() == QKeySequence(QStringLiteral("Ctrl+Shift+V"))) wanted = one;
    }
    QVERIFY(wanted != nullptr);
    wanted->trigger();
    VideoWindow* window = &editor.video();
    QVERIFY(window->isVisible());
    wanted->trigger();
    QCOMPARE(&editor.video(), window);
    QVERIFY(!action(*window, "Write")->isEnabled());
    QVERIFY(!action(*window, "Write")->toolTip().isEmpty());
    const QPointer<VideoWindow> gone = window;
    window->close();
    QTRY_VERIFY_WITH_TIMEOUT(gone.isNull(), 180000);
    wanted->trigger();
    QVERIFY(editor.video().isVisible());
  }

  void without_a_camera_the_window_says_so_and_keeps_its_movie() {
    if (VideoSource::has_camera()) QSKIP("there is a camera");
    if (movie_.isEmpty()) SKIP_WITHOUT("ffmpeg");
    VideoWindow window;
    window.show();
    window.open(movie_);
    const QString title = window.windowTitle();
    action(window, "Camera")->trigger();
    QVERIFY2(window.messages().text().contains(QStringLiteral("no camera")),
             qPrintable(window.messages().text()));
    QCOMPARE(window.windowTitle(), title);
    QVERIFY(!window.view().source().is_camera());
    QTRY_VERIFY_WITH_TIMEOUT(colourfulness(window) > 100, 180000);
  }

  void writing_needs_the_program_and_says_so() {
    if (movie_.isEmpty()) SKIP_WITHOUT("ffmpeg");
    const QByteArray before = qgetenv("PATH");
    qputenv("PATH", folder_.path().toUtf8());
    VideoWindow window;
    window.open(movie_);
    qputenv("PATH", before);
    QVERIFY(!action(window, "Write")->isEnabled());
    QVERIFY(action(window, "Write")->toolTip().contains(QStringLiteral("ffmpeg")));
  }

  void the_filtered_movie_is_written_with_its_progress() {
    if (movie_.isEmpty()) SKIP_WITHOUT("ffmpeg");
    VideoWindow window;
    window.show();
    window.set_recipe(one_step("grayscale", Values()));
    window.open(movie_);
    QVERIFY(action(window, "Write")->isEnabled());
    QSignalSpy finished(&window.writer(), &VideoWriter::finished);
    window.write_to(path("out.mp4"));
    auto* progress = window.findChild<QProgressBar*>();
    QVERIFY(progress->isVisible());
    QVERIFY(!action(window, "Write")->isEnabled());
    QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, 120000);
    QVERIFY2(finished[0][0].toBool(), qPrintable(finished[0][1].toString()));
    QCOMPARE(finished[0][2].toInt(), 50);
    QTRY_VERIFY_WITH_TIMEOUT(!progress->isVisible(), 180000);
    QVERIFY(window.messages().text().contains(QStringLiteral("out.mp4")));
    QVERIFY(action(window, "Write")->isEnabled());
    window.set_recipe({});
    window.open(path("out.mp4"));
    // A frame of the first movie may still have been on its way.
    QTRY_VERIFY_WITH_TIMEOUT(!window.view().screen().after().isNull() && colourfulness(window) <= 8,
                             180000);
  }

  void the_suggested_name_is_written_with_the_sound_of_a_camera() {
    if (movie_.isEmpty()) SKIP_WITHOUT("ffmpeg");
    const QString in = path("camera.MOV"), out = path("camera-filtered.mov");
    const QString options = QStringLiteral(
                                "-v error -i %1 -f lavfi -i sine=duration=2 -c:v copy "
                                "-c:a pcm_s16le")
                                .arg(movie_);
    QCOMPARE(QProcess::execute(QStringLiteral("ffmpeg"),
                               options.split(QLatin1Char(' ')) + QStringList{in}),
             0);
    VideoWindow window;
    window.show();
    window.open(in);
    QSignalSpy finished(&window.writer(), &VideoWriter::finished);
    QString suggested;
    Answers answers({[&](QWidget& modal) {
      suggested = modal.findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->text();
      with_file(path("camera-filtered"))(modal);
    }});
    action(window, "Write")->trigger();
    QCOMPARE(suggested, QStringLiteral("camera-filtered.mov"));
    QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, 120000);
    QVERIFY2(finished[0][0].toBool(), qPrintable(finished[0][1].toString()));
    QVERIFY(QFileInfo::exists(out));
    QCOMPARE(VideoSource::written_suffix(path("movie.WEBM")), QStringLiteral("webm"));
    QCOMPARE(VideoSource::written_suffix(path("movie.avi")), QStringLiteral("mp4"));
  }

  void a_file_that_is_there_is_replaced_only_where_the_user_says_so() {
    if (movie_.isEmpty()) SKIP_WITHOUT("ffmpeg");
    put("mine.mp4", "mine");
    put("frame_00007.png", "mine too");
    VideoWindow window;
    window.show();
    window.open(movie_);
    QSignalSpy finished(&window.writer(), &VideoWriter::finished);
    for (const auto& [target, kept] : {std::pair("mine.mp4", "mine.mp4"),
                                       { "frame.png",
                                         "frame_00007.png" }}) {
      const QByteArray before = content(kept);
      window.write_to(path(target));
      QVERIFY(!window.writer().is_running());
      QVERIFY2(window.messages().text().contains(QLatin1String(kept)), target);
      press(window.messages(), QStringLiteral("Keep it"));
      QVERIFY(!window.writer().is_running());
      QCOMPARE(content(kept), before);
    }
    window.write_to(path("mine.mp4"));
    press(window.messages(), QStringLiteral("Replace"));
    QVERIFY(window.writer().is_running());
    QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, 120000);
    QVERIFY2(finished[0][0].toBool(), qPrintable(finished[0][1].toString()));
    QVERIFY(content("mine.mp4").size() > 1000);
    QTRY_VERIFY_WITH_TIMEOUT(action(window, "Write")->isEnabled(), 180000);
    window.write_to(movie_);  // not even then
    press(window.messages(), QStringLiteral("Replace"));
    QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 2, 180000);
    QTRY_VERIFY_WITH_TIMEOUT(!finished[1][0].toBool() && !window.messages().text().isEmpty(),
                             180000);
  }

  void a_name_without_its_ending_is_asked_about_too() {
    if (movie_.isEmpty()) SKIP_WITHOUT("ffmpeg");
    put("whole.mp4", "mine");
    put("my.look.mp4", "mine");
    VideoWindow window;
    window.show();
    window.open(movie_);
    for (const char* typed : {"whole", "my.look"}) {
      Answers answers({with_file(path(typed))});
      action(window, "Write")->trigger();
      QCOMPARE(answers.given(), 1u);
      QVERIFY(window.messages().question().contains(QLatin1String(typed) + QStringLiteral(".mp4")));
      QVERIFY(!window.writer().is_running());
    }
    QCOMPARE(content("whole.mp4"), QByteArray("mine"));
  }

  void closing_while_writing_asks_first() {
    if (movie_.isEmpty()) SKIP_WITHOUT("ffmpeg");
    MainWindow editor;
    editor.document().add_step("gaussian");
    editor.document().undo_stack().setClean();
    editor.open_file(movie_);
    const QPointer<VideoWindow> window = &editor.video();
    QSignalSpy progressed(&window->writer(), &VideoWriter::progressed);
    window->write_to(path("left.mp4"));
    QTRY_VERIFY_WITH_TIMEOUT(!progressed.isEmpty(), 180000);
    QVERIFY(!window->close());
    QVERIFY(!window->messages().text().isEmpty());
    QVERIFY(!editor.close());
    press(window->messages(), QStringLiteral("Go on writing"));
    QVERIFY(window->writer().is_running());
    window->close();
    press(window->messages(), QStringLiteral("Stop and close"));
    QTRY_VERIFY_WITH_TIMEOUT(window.isNull(), 180000);
    QVERIFY(!QFileInfo::exists(path("left.mp4")));
    QCOMPARE(QDir(folder_.path()).entryList({QStringLiteral(".*")}, QDir::Files | QDir::Hidden),
             QStringList());
    QVERIFY(editor.close());
  }

  void writing_is_cancelled_by_its_button() {
    if (movie_.isEmpty()) SKIP_WITHOUT("ffmpeg");
    VideoWindow window;
    window.show();
    window.open(movie_);
    QSignalSpy finished(&window.writer(), &VideoWriter::finished);
    QSignalSpy progressed(&window.writer(), &VideoWriter::progressed);
    window.write_to(path("cancelled.mp4"));
    QTRY_VERIFY_WITH_TIMEOUT(!progressed.isEmpty(), 180000);
    press(window, QStringLiteral("Cancel"));
    QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, 180000);
    QVERIFY(!finished[0][0].toBool());
    QTRY_VERIFY_WITH_TIMEOUT(!window.messages().text().isEmpty(), 180000);
    QVERIFY(!QFileInfo::exists(path("cancelled.mp4")));
  }

  void what_is_no_movie_is_said() {
    put("none.mp4", "no movie");
    VideoWindow window;
    window.show();
    window.open(path("none.mp4"));
    QTRY_VERIFY_WITH_TIMEOUT(window.messages().text().contains(QStringLiteral("none.mp4")), 180000);
    QVERIFY(!action(window, "Write")->isEnabled());
    if (movie_.isEmpty()) SKIP_WITHOUT("ffmpeg");
    window.open(movie_);
    QTRY_VERIFY_WITH_TIMEOUT(!window.view().screen().after().isNull(), 180000);
    QCOMPARE(window.messages().text(), QString());
  }

  void a_recipe_with_other_pictures_is_refused_and_the_last_one_stays() {
    if (movie_.isEmpty()) SKIP_WITHOUT("ffmpeg");
    VideoWindow window;
    window.show();
    window.set_recipe(one_step("grayscale", Values()));
    window.open(movie_);
    QTRY_VERIFY_WITH_TIMEOUT(!window.view().screen().after().isNull(), 180000);
    Recipe masked = one_step("gaussian", Values());
    masked.steps[0].values.set("mask", ImageRef{"mask.png", ""});
    for (const Recipe& recipe : {masked, one_step("fft_convolve", Values())}) {
      window.set_recipe(recipe);
      QVERIFY(!window.messages().text().isEmpty());
      window.write_to(path("refused.mp4"));
      QVERIFY(!window.writer().is_running());
      QTest::qWait(200);
      QVERIFY(!window.messages().text().isEmpty());
    }
    window.set_recipe({});
    QCOMPARE(window.messages().text(), QString());
    QTRY_VERIFY_WITH_TIMEOUT(colourfulness(window) > 100, 180000);
  }

  void a_slow_recipe_is_said_and_left_for_a_quick_one() {
    if (movie_.isEmpty()) SKIP_WITHOUT("ffmpeg");
    Settings settings;
    settings.device = QStringLiteral("reference");
    VideoWindow window(settings);
    window.show();
    window.open(movie_);
    QTRY_VERIFY_WITH_TIMEOUT(!window.view().screen().after().isNull(), 180000);
    window.set_recipe(one_step("bilateral", {{"sigma", "60"}, { "method", "exact" }}));
    QTRY_VERIFY_WITH_TIMEOUT(window.messages().text().contains(QStringLiteral("seconds")), 180000);
    window.set_recipe(one_step("grayscale", Values()));
    QTRY_VERIFY_WITH_TIMEOUT(colourfulness(window) <= 2, 180000);
  }
#else
 private Q_SLOTS:
  void there_is_no_video() {
    SKIP_WITHOUT("Qt Multimedia");
  }
#endif
};

QTEST_MAIN(TestVideoWindow)
#include "test_video_window.moc"
