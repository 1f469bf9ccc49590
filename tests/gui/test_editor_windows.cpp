// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Which window opens a file that is given, dropped or recovered, and files that are not what they
// claim to be.
#include <sys/resource.h>

#include <QDataStream>
#include <QDateTime>
#include <QDir>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFile>
#include <QFileDevice>
#include <QMimeData>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QTest>
#include <QThreadPool>
#include <atomic>
#include <chrono>
#include <thread>

#include "app/editor_windows.hpp"
#include "app/main_window.hpp"
#include "app/message_bar.hpp"
#include "app/single_instance.hpp"
#include "document/background.hpp"
#include "document/paths.hpp"
#include "filters/registry.hpp"
#include "gui/dialog_driver.hpp"
#include "support/files.hpp"

using namespace sfumato;
using namespace sfumato::gui;
using namespace sfumato::testing;
using namespace std::chrono_literals;

namespace {

// One piece of a PNG file.
QByteArray chunk(const char* name, const QByteArray& content) {
  const QByteArray counted = name + content;
  quint32 sum = 0xffffffffU;
  for (const char c : counted) {
    sum ^= static_cast<uchar>(c);
    for (int i = 0; i < 8; ++i) sum = (sum >> 1) ^ ((sum & 1) != 0 ? 0xedb88320U : 0);
  }
  QByteArray out;
  QDataStream stream(&out, QIODevice::WriteOnly);
  stream << static_cast<quint32>(content.size());
  stream.writeRawData(counted.constData(), static_cast<int>(counted.size()));
  stream << ~sum;
  return out;
}

// Claims an absurd number of pixels.
class HugeSource final : public PixelSource {
 public:
  const PictureFormat& format() const override { return format_; }
  void read(const Rect&, void*, std::ptrdiff_t) override { ++reads_; }
  int reads() const { return reads_; }

 private:
  PictureFormat format_{1 << 20,         1 << 20, 4, SampleType::f32, AlphaKind::straight,
                        Coding::linear()};
  int reads_ = 0;
};

long most_memory() {
  struct rusage use {};
  ::getrusage(RUSAGE_SELF, &use);
  return use.ru_maxrss;  // KiB
}

}  // namespace

class TestEditorWindows : public QObject {
  Q_OBJECT

 private:
  std::unique_ptr<QTemporaryDir> folder_;

  QString path(const char* name) const { return folder_->filePath(QLatin1String(name)); }

  void put(const QString& name, const QByteArray& bytes) const {
    QFile file(folder_->filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
  }

  void make(const char* name, int width) const {
    Image image = scene({width, 40, 3, SampleType::u8, AlphaKind::none, Coding::srgb()});
    const auto file = create_picture(path(name).toStdString(), {}, image.format);
    file->write(image.view());
    file->commit();
  }

  // The recovery files of an interrupted editor's windows, later ones newer.
  void leave(const char* name, const char* filter, const QString& picture, int age) const {
    Recipe recipe = one_step(filter, Values());
    if (!picture.isEmpty()) recipe.extra.set_text("picture", picture.toStdString());
    QVERIFY(QDir(folder_->path()).mkpath(QStringLiteral("left")));
    const QString file = QStringLiteral("left/") + QLatin1String(name);
    put(file, QByteArray::fromStdString(print_recipe(recipe, Registry::get())));
    QFile there(folder_->filePath(file));
    QVERIFY(there.open(QIODevice::ReadWrite));
    QVERIFY(there.setFileTime(QDateTime::currentDateTime().addSecs(-age),
                              QFileDevice::FileModificationTime));
  }

  QStringList left() const {
    return QDir(path("left")).entryList({QStringLiteral("*.json*")}, QDir::Files, QDir::Name);
  }

  static int width_in(MainWindow& window) {
    const PicturePtr picture = window.document().picture();
    return picture ? picture->format().width : 0;
  }

  static void let_go(const EditorWindows& windows) {
    for (MainWindow* window : windows.windows()) window->document().undo_stack().setClean();
  }

  // Like a file manager.
  static bool drop(MainWindow& window, const QStringList& files) {
    QMimeData data;
    QList<QUrl> urls;
    for (const QString& file : files) urls << QUrl::fromLocalFile(file);
    data.setUrls(urls);
    const QPoint place(200, 200);
    QDragEnterEvent enter(place, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &enter);
    if (!enter.isAccepted()) return false;
    QDropEvent event(place, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &event);
    return event.isAccepted();
  }

 private Q_SLOTS:
  void initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
    qRegisterMetaType<RecoveredWork>();
  }

  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    make("a.png", 50);
    make("b.png", 60);
    put(QStringLiteral("look.json"),
        QByteArray::fromStdString(print_recipe(one_step("median", Values()), Registry::get())));
  }

  void a_picture_given_while_another_opens_has_a_window_of_its_own() {
    EditorWindows windows;
    windows.open_files({});
    QCOMPARE(windows.windows().size(), 1);
    QVERIFY(windows.windows()[0]->is_vacant());
    windows.open_files({path("a.png")});
    QCOMPARE(windows.windows().size(), 1);
    QVERIFY(!windows.windows()[0]->is_vacant());
    windows.open_files({path("b.png")});
    QCOMPARE(windows.windows().size(), 2);
    QTRY_COMPARE_WITH_TIMEOUT(width_in(*windows.windows()[0]), 50, 180000);
    QTRY_COMPARE_WITH_TIMEOUT(width_in(*windows.windows()[1]), 60, 180000);
  }

  void a_window_with_steps_that_are_not_saved_is_not_taken() {
    EditorWindows windows;
    windows.open_files({});
    windows.windows()[0]->document().add_step("median");
    windows.open_files({path("a.png")});
    QCOMPARE(windows.windows().size(), 2);
    QTRY_COMPARE_WITH_TIMEOUT(width_in(*windows.windows()[1]), 50, 180000);
    QCOMPARE(width_in(*windows.windows()[0]), 0);
    let_go(windows);
  }

  void a_file_that_cannot_be_opened_leaves_its_window_to_the_next() {
    EditorWindows windows;
    windows.open_files({path("none.png")});
    MainWindow& window = *windows.windows()[0];
    QTRY_VERIFY_WITH_TIMEOUT(window.messages().text().contains(QStringLiteral("none.png")), 180000);
    QVERIFY(window.is_vacant());
    windows.open_files({path("a.png")});
    QCOMPARE(windows.windows().size(), 1);
    QTRY_COMPARE_WITH_TIMEOUT(width_in(window), 50, 180000);
  }

  void recipes_go_to_the_last_window() {
    EditorWindows windows;
    windows.open_files({path("a.png"), path("b.png"), path("look.json")});
    QCOMPARE(windows.windows().size(), 2);
    QTRY_COMPARE_WITH_TIMEOUT(windows.windows()[1]->document().size(), 1, 180000);
    QCOMPARE(windows.windows()[0]->document().size(), 0);
    QTRY_COMPARE_WITH_TIMEOUT(width_in(*windows.windows()[1]), 60, 180000);
  }

  void a_second_start_opens_a_window() {
    const QTemporaryDir own;  // nobody else may enter it
    qputenv("XDG_RUNTIME_DIR", own.path().toUtf8());
    const QString name = QStringLiteral("windows");
    SingleInstance instance(name);
    QVERIFY(instance.listen());
    EditorWindows windows;
    connect(&instance, &SingleInstance::words_given, &windows, &EditorWindows::open_files);
    windows.open_files({path("a.png")});
    QSignalSpy given(&instance, &SingleInstance::words_given);
    std::thread second([&] { (void)SingleInstance(name).forward_to_running({path("b.png")}); });
    QVERIFY(given.wait(180000));
    second.join();
    QCOMPARE(windows.windows().size(), 2);
    QTRY_COMPARE_WITH_TIMEOUT(width_in(*windows.windows()[1]), 60, 180000);
    windows.windows()[1]->close();
    QTRY_COMPARE_WITH_TIMEOUT(windows.windows().size(), 1, 180000);
  }

  void a_file_that_comes_while_a_dialog_is_open_waits_for_it() {
    EditorWindows windows;
    windows.open_files({path("a.png")});
    QDialog dialog(windows.windows()[0]);
    dialog.open();
    QVERIFY(QApplication::activeModalWidget() != nullptr);
    windows.take({path("b.png")});
    QTest::qWait(500);
    QCOMPARE(windows.windows().size(), 1);
    dialog.accept();
    QTRY_COMPARE_WITH_TIMEOUT(windows.windows().size(), 2, 180000);
    QTRY_COMPARE_WITH_TIMEOUT(width_in(*windows.windows()[1]), 60, 180000);
  }

  void pictures_and_recipes_are_dropped() {
    EditorWindows windows;
    windows.open_files({});
    MainWindow& window = *windows.windows()[0];
    QVERIFY(drop(window, {path("a.png")}));
    QTRY_COMPARE_WITH_TIMEOUT(width_in(window), 50, 180000);
    QVERIFY(drop(window, {path("look.json")}));
    QTRY_COMPARE_WITH_TIMEOUT(window.document().size(), 1, 180000);
    QCOMPARE(window.document().recipe().steps[0].filter, std::string("median"));
    QVERIFY(!window.document().is_modified());
    QVERIFY(drop(window, {path("b.png"), path("a.png")}));
    QTRY_COMPARE_WITH_TIMEOUT(width_in(window), 60, 180000);
    QCOMPARE(windows.windows().size(), 2);
    QTRY_COMPARE_WITH_TIMEOUT(width_in(*windows.windows()[1]), 50, 180000);
  }

  void several_pictures_are_chosen_at_once() {
    EditorWindows windows;
    windows.open_files({});
    MainWindow& window = *windows.windows()[0];
    const auto actions = window.findChildren<QAction*>();
    const auto action = std::find_if(actions.begin(), actions.end(), [](const QAction* one) {
      return one->shortcut() == QKeySequence(QKeySequence::Open);
    });
    QVERIFY(action != actions.end());
    Answers answers({with_file(QStringLiteral("\"%1\" \"%2\"").arg(path("a.png"), path("b.png")))});
    (*action)->trigger();
    QCOMPARE(answers.given(), 1u);
    QCOMPARE(windows.windows().size(), 2);
    QTRY_COMPARE_WITH_TIMEOUT(width_in(window), 50, 180000);
    QTRY_COMPARE_WITH_TIMEOUT(width_in(*windows.windows()[1]), 60, 180000);
  }

  void recovery_is_offered_once_and_stays_when_a_picture_opens() {
    leave("1-0.json", "gaussian", path("a.png"), 10);
    EditorWindows windows;
    windows.open_files({path("b.png"), path("a.png")});
    windows.offer_recovery(path("left"));
    MainWindow &first = *windows.windows()[0], &second = *windows.windows()[1];
    QTRY_VERIFY_WITH_TIMEOUT(first.messages().question().contains(QStringLiteral("unexpectedly")),
                             180000);
    QTRY_VERIFY_WITH_TIMEOUT(first.document().picture() && second.document().picture(), 180000);
    first.messages().say_notice(Topic::recipe, QStringLiteral("Recipe saved."));
    QTest::qWait(200);
    QVERIFY(first.messages().question().contains(QStringLiteral("unexpectedly")));
    QCOMPARE(second.messages().question(), QString());
    // The picture just opened keeps its window.
    QVERIFY(press(first.messages(), QStringLiteral("Restore")));
    QCOMPARE(windows.windows().size(), 3);
    MainWindow& restored = *windows.windows()[2];
    QTRY_COMPARE_WITH_TIMEOUT(restored.document().size(), 1, 180000);
    QTRY_COMPARE_WITH_TIMEOUT(width_in(restored), 50, 180000);
    QVERIFY(restored.document().is_modified());
    QCOMPARE(width_in(first), 60);
    QTRY_VERIFY_WITH_TIMEOUT(left().isEmpty(), 180000);
    let_go(windows);
  }

  void what_is_left_of_several_windows_is_offered_one_after_another() {
    leave("1-0.json", "gaussian", path("a.png"), 30);
    leave("1-1.json", "median", path("b.png"), 20);
    leave("1-2.json", "grayscale", {}, 10);
    EditorWindows windows;
    windows.open_files({});
    windows.offer_recovery(path("left"));
    MainWindow& window = *windows.windows()[0];
    MessageBar& bar = window.messages();
    QTRY_VERIFY_WITH_TIMEOUT(!bar.question().isEmpty(), 180000);
    QVERIFY(press(bar, QStringLiteral("Discard")));  // the newest
    QTRY_COMPARE_WITH_TIMEOUT(
        left(), QStringList({QStringLiteral("1-0.json"), QStringLiteral("1-1.json")}), 180000);
    QVERIFY(bar.question().contains(QStringLiteral("b.png")));
    QVERIFY(press(bar, QStringLiteral("Restore")));
    QTRY_COMPARE_WITH_TIMEOUT(width_in(window), 60, 180000);
    QCOMPARE(window.document().recipe().steps.at(0).filter, std::string("median"));
    QVERIFY(bar.question().contains(QStringLiteral("a.png")));
    QVERIFY(press(bar, QStringLiteral("Restore")));
    QCOMPARE(windows.windows().size(), 2);
    QTRY_COMPARE_WITH_TIMEOUT(width_in(*windows.windows()[1]), 50, 180000);
    QCOMPARE(width_in(window), 60);
    QTRY_VERIFY_WITH_TIMEOUT(left().isEmpty(), 180000);
    let_go(windows);
  }

  void what_recovery_cannot_read_is_kept_aside() {
    leave("1-0.json", "gaussian", {}, 10);
    put(QStringLiteral("left/1-1.json"), R"({"sfumato": 1, "steps": [{"filter": "of 2040"}]})");
    QCOMPARE(Recovery::left_behind(path("left")).size(), 1u);
    QCOMPARE(left(), QStringList({QStringLiteral("1-0.json"), QStringLiteral("1-1.json.bad")}));
    put(QStringLiteral("left/1-1.json"), "{");
    QCOMPARE(Recovery::left_behind(path("left")).size(), 1u);
    QCOMPARE(left().size(), 3);
    put(QStringLiteral("left/1-2.json"), "[");
    EditorWindows windows;
    windows.open_files({});
    windows.offer_recovery(path("left"));
    MessageBar& bar = windows.windows()[0]->messages();
    QTRY_VERIFY_WITH_TIMEOUT(bar.text().contains(QStringLiteral("1-2.json.bad")), 180000);
    let_go(windows);
  }

  void a_picture_whose_name_is_no_text_does_not_keep_its_recipe_from_being_kept() {
    auto picture = std::make_shared<OpenedPicture>(*open_whole(native_path(path("a.png"))));
    picture->path = folder_->path().toStdString() + "/\xff\xfe.png";
    Document document;
    Recovery recovery(document, path("kept"));
    document.set_picture(picture);
    document.add_step("median");
    recovery.write_now();
    QFile kept(recovery.file());
    QVERIFY(kept.open(QIODevice::ReadOnly));
    QVERIFY(kept.readAll().contains("median"));
  }

  void a_file_that_takes_its_time_is_named_meanwhile() {
    MainWindow window;
    window.show();
    // All threads are busy.
    QThreadPool& pool = background_pool();
    const auto done = std::make_shared<std::atomic<bool>>(false);
    const auto let_go = qScopeGuard([done] { *done = true; });
    for (int i = 0; i < pool.maxThreadCount(); ++i) {
      pool.start([done] {
        while (!*done) std::this_thread::sleep_for(10ms);
      });
    }
    QSignalSpy opened(&window, &MainWindow::opened);
    window.open_file(path("a.png"));
    QCOMPARE(window.statusBar()->currentMessage(), QString());  // not at once
    QTRY_VERIFY_WITH_TIMEOUT(window.statusBar()->currentMessage().contains(QStringLiteral("a.png")),
                             180000);
    *done = true;
    QVERIFY(opened.wait(180000));
    QCOMPARE(window.statusBar()->currentMessage(), QString());
  }

  void a_file_that_claims_to_be_huge_takes_no_memory() {
    QByteArray header;
    QDataStream stream(&header, QIODevice::WriteOnly);
    stream << quint32{46000} << quint32{46000} << quint8{16} << quint8{2} << quint8{0} << quint8{0}
           << quint8{0};
    const QByteArray bytes = QByteArray("\x89PNG\r\n\x1a\n", 8) + chunk("IHDR", header) +
                             chunk("IDAT", QByteArray("\x78\x9c\x63\x00\x00", 5)) +
                             chunk("IEND", {});
    put(QStringLiteral("huge.png"), bytes);
    MainWindow window;
    const long before = most_memory();
    QSignalSpy opened(&window, &MainWindow::opened);
    window.open_file(path("huge.png"));
    QVERIFY(opened.wait(180000));
    const QString fault = opened[0][0].toString();
    QVERIFY2(fault.contains(QStringLiteral("huge.png")), qPrintable(fault));
    QVERIFY2(most_memory() - before < 1 << 20, qPrintable(fault));
  }

  void a_picture_larger_than_the_memory_is_refused_before_it_is_read() {
    HugeSource source;
    QString said;
    try {
      (void)read_all(source);
    } catch (const FileError& error) {
      said = QString::fromUtf8(error.what());
    }
    QVERIFY2(said.contains(QStringLiteral("memory")), qPrintable(said));
    QCOMPARE(source.reads(), 0);
  }
};

QTEST_MAIN(TestEditorWindows)
#include "test_editor_windows.moc"
