// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Nothing slow happens on the GUI thread: no OpenCL, and no user's file is opened, renamed or
// removed there. Calls to the libraries' functions are intercepted.
#include <sys/stat.h>
#include <unistd.h>

#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <atomic>
#include <cstdio>
#include <future>
#include <mutex>
#include <thread>

#include "app/export_dialog.hpp"
#include "app/main_window.hpp"
#include "app/message_bar.hpp"
#include "app/preferences_dialog.hpp"
#include "app/preset_menu.hpp"
#include "batch/batch_panel.hpp"
#include "batch/batch_window.hpp"
#include "batch/recipe_choice.hpp"
#include "device/device.hpp"
#include "device/files.hpp"
#include "dialog/filter_dialog.hpp"
#include "params/number_slider.hpp"
#include "params/parameter_editor.hpp"
#include "params/parameter_panel.hpp"
#include "preview/preview_view.hpp"
#include "shown.hpp"
#include "support/files.hpp"
#include "support/skips.hpp"
#include "watched_calls.hpp"

using namespace sfumato;
using namespace sfumato::gui;
using sfumato::testing::is_shown;
using sfumato::testing::scene;

class TestThreads : public QObject {
  Q_OBJECT

 private:
  const QDir folder_;
  bool opencl_ = false;  // a device of OpenCL computes, so that its calls are seen

  QString path(const char* name) const { return folder_.filePath(QLatin1String(name)); }

  static void open_in(MainWindow& window, const QString& file) {
    QSignalSpy opened(&window, &MainWindow::opened);
    window.open_file(file);
    QVERIFY(opened.wait(180000));
    QCOMPARE(opened[0][0].toString(), QString());
  }

 public:
  explicit TestThreads(const QString& folder) : folder_(folder) {}

 private Q_SLOTS:
  void initTestCase() {
    auto image = scene({160, 120, 3, SampleType::u8, AlphaKind::none, Coding::srgb()});
    const auto file = create_picture(path("in.png").toStdString(), {}, image.format);
    file->write(image.view());
    file->commit();
    for (const DeviceInfo& info : list_devices()) {
      if (info.built_in || !info.cpu) continue;
      opencl_ = true;
      qputenv("SFUMATO_DEVICE", QByteArray::fromStdString(info.title()));
      break;
    }
  }

  void init() { watch().start(folder_.path()); }

  void cleanup() { (void)watch().stop(); }

  void the_watch_sees_calls() {
    std::thread([this] {
      QFile file(path("in.png"));
      QVERIFY(file.open(QIODevice::ReadOnly));
    }).join();
    QCOMPARE(watch().stop(), QString());
    QVERIFY(watch().beside("open") > 0);

    watch().start(folder_.path());
    QFile file(path("in.png"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(watch().stop().startsWith(QLatin1String("open ")));

    watch().start(folder_.path());
    (void)open_whole(path("in.png").toStdString());
    QVERIFY(watch().stop().startsWith(QLatin1String("open ")));

    watch().start(folder_.path(), true);
    QVERIFY(QFileInfo::exists(path("in.png")));
    std::error_code error;
    (void)std::filesystem::file_size(path("in.png").toStdString(), error);
    QCOMPARE(watch().stop().count(QLatin1String("look ")), 2);

    watch().start(folder_.path());
    QVERIFY(write_file_atomically(path("text").toStdString(), "text"));
    QVERIFY(watch().stop().contains(QLatin1String("rename ")));

    watch().start(folder_.path());
    (void)list_devices();
    QVERIFY(watch().stop().contains(QLatin1String("clGetPlatformIDs")));
  }

  void a_batch_looks_for_its_files_elsewhere() {
    (void)watch().stop();
    QVERIFY(QDir(folder_.path()).mkpath(QStringLiteral("photos")));
    for (const char* copy : {"photos/1.png", "photos/2.png"}) {
      QVERIFY(QFile::copy(path("in.png"), path(copy)));
    }
    QFile recipe(path("gray.json"));
    QVERIFY(recipe.open(QIODevice::WriteOnly));
    recipe.write(R"({"sfumato": 1, "steps": [{"filter": "grayscale"}]})");
    recipe.close();
    watch().start(path("photos"), true);
    BatchWindow window;
    window.show();
    QSignalSpy added(&window, &BatchWindow::added);
    window.add({path("photos")});
    QVERIFY(added.wait(180000));
    QSignalSpy chosen(&window.panel().recipes(), &RecipeChoice::changed);
    window.take_recipe(path("gray.json"));
    QVERIFY(chosen.wait(180000));
    for (QLineEdit* line : window.panel().findChildren<QLineEdit*>()) {
      if (line->text().contains(QLatin1Char('{'))) {
        line->setText(QStringLiteral("{date}_{stem}.{ext}"));
      }
    }
    QSignalSpy finished(&window.job(), &BatchJob::finished);
    window.start();
    QVERIFY(finished.wait(120000));
    QCOMPARE(finished[0][0].value<BatchSummary>().done, std::int64_t{2});
    QCOMPARE(watch().stop(), QString());
    QVERIFY(watch().beside("look") > 0);
  }

  void a_picture_is_opened_filtered_and_shown() {
    MainWindow window;
    window.show();
    open_in(window, path("in.png"));
    QSignalSpy shown(&window.preview(), &PreviewView::shown);
    for (const char* filter : {"gaussian", "median", "hue_saturation"})
      window.document().add_step(filter);
    QTRY_VERIFY_WITH_TIMEOUT(is_shown(shown, window.document().recipe()), 180000);
    window.document().set_current(0);
    auto* sigma = window.parameters().findChild<ParameterEditor*>(QStringLiteral("sigma"));
    auto* slider = sigma->findChild<NumberSlider*>();
    const double before = window.document().recipe().steps[0].values.number("sigma");
    for (int i = 0; i < 5; ++i) QTest::keyClick(slider, Qt::Key_Right);
    QVERIFY(window.document().recipe().steps[0].values.number("sigma") > before);
    QTRY_VERIFY_WITH_TIMEOUT(is_shown(shown, window.document().recipe()), 180000);
    shown.clear();
    window.preview().zoom_full();
    window.preview().set_mode(PreviewMode::side_by_side);
    QTRY_VERIFY_WITH_TIMEOUT(is_shown(shown, window.document().recipe()), 180000);
    QCOMPARE(watch().stop(), QString());
    window.document().undo_stack().setClean();
    if (!opencl_) SKIP_WITHOUT("a device of OpenCL");
    QVERIFY(watch().beside("clEnqueueNDRangeKernel") > 0);
  }

  void a_picture_is_exported() {
    MainWindow window;
    open_in(window, path("in.png"));
    window.document().add_step("gaussian");
    QSignalSpy finished(&window.exporter(), &Exporter::finished);
    for (const char* name : {"out.png", "out.tif", "out.exr"}) {
      finished.clear();
      window.export_to(path(name), false);
      QVERIFY(finished.wait(180000));
      QVERIFY2(finished[0][0].toBool(), qPrintable(finished[0][1].toString()));
    }
    QCOMPARE(watch().stop(), QString());
    QVERIFY(watch().beside("open") > 0);
    window.document().undo_stack().setClean();
  }

  void dialogs_are_shown() {
    const auto picture = std::async(std::launch::async, [this] {
                           return open_whole(path("in.png").toStdString());
                         }).get();
    ExportDialog to(*picture, path("new.png"));
    to.show();
    for (const char* name : {"new.jpg", "new.tif", "new.exr"}) to.set_path(path(name));
    PreferencesDialog preferences({});
    QSignalSpy looked(&preferences, &PreferencesDialog::looked);
    preferences.show();
    QVERIFY(looked.wait(180000));
    FilterDialog filter(picture, {});
    QSignalSpy shown(&filter.preview(), &PreviewView::shown);
    filter.show();
    QVERIFY(shown.wait(180000));
    QCOMPARE(watch().stop(), QString());
  }

  void recipes_are_saved_and_opened() {
    MainWindow window;
    window.document().add_step("bilateral");
    QSignalSpy saved(&window, &MainWindow::recipe_saved);
    window.save_recipe_to(path("mine.json"));
    QVERIFY(saved.wait(180000));
    QCOMPARE(saved[0][0].toString(), QString());
    open_in(window, path("mine.json"));
    QCOMPARE(watch().stop(), QString());
    QVERIFY(watch().beside("rename") > 0);
  }

  void a_picture_is_pasted() {
    QImage image(40, 30, QImage::Format_RGB32);
    image.fill(Qt::red);
    auto* data = new QMimeData;
    data->setImageData(image);
    QGuiApplication::clipboard()->setMimeData(data);
    MainWindow window;
    QSignalSpy opened(&window, &MainWindow::opened);
    window.paste();
    QVERIFY(opened.wait(180000));
    QCOMPARE(opened[0][0].toString(), QString());
    data = new QMimeData;
    data->setUrls({QUrl::fromLocalFile(path("in.png"))});
    QGuiApplication::clipboard()->setMimeData(data);
    window.paste();
    QVERIFY(opened.wait(180000));
    QCOMPARE(window.document().picture()->format().width, 160);
    QCOMPARE(watch().stop(), QString());
  }

  void the_last_hold_on_a_pasted_picture_ends_here() {
    auto picture = std::async(std::launch::async, [this] {
                     QFile file(path("in.png"));
                     (void)file.open(QIODevice::ReadOnly);
                     return open_bytes(file.readAll(), QStringLiteral(".png"), QString());
                   }).get();
    const QString kept = QString::fromStdString(picture->path.string());
    QVERIFY(QFileInfo::exists(kept));
    picture.reset();
    QTRY_VERIFY_WITH_TIMEOUT(!QFileInfo::exists(kept), 60000);
    QCOMPARE(watch().stop(), QString());
    QVERIFY(watch().beside("unlink") > 0);
  }

  void presets_are_kept_renamed_and_deleted() {
    MainWindow window;
    PresetMenu& menu = window.presets();
    QSignalSpy refreshed(&menu, &PresetMenu::refreshed);
    QVERIFY(refreshed.wait(180000));
    const auto own = [&] {
      const auto& all = menu.presets();
      return *std::find_if(all.begin(), all.end(), [](const Preset& p) { return !p.built_in(); });
    };
    window.document().add_step("gaussian");
    menu.save_as(QStringLiteral("Mine"), false);
    QVERIFY(refreshed.wait(180000));
    menu.rename(own(), QStringLiteral("Ours"));
    QVERIFY(refreshed.wait(180000));
    menu.apply(own());
    menu.export_to(own(), path("ours.json"));
    QVERIFY(refreshed.wait(180000));
    menu.remove(own());
    QVERIFY(refreshed.wait(180000));
    menu.import_file(path("ours.json"));
    QVERIFY(refreshed.wait(180000));
    menu.remove(own());
    QVERIFY(refreshed.wait(180000));
    QCOMPARE(watch().stop(), QString());
    window.document().undo_stack().setClean();
  }

  void changes_are_kept_for_recovery() {
    {
      MainWindow window;
      open_in(window, path("in.png"));
      window.document().add_step("median");
      QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(window.recovery().file()), 180000);
      window.document().undo_stack().setClean();
      QTRY_VERIFY_WITH_TIMEOUT(!QFile::exists(window.recovery().file()), 180000);

      // Recovery files of an interrupted editor.
      const QString left = path("left");
      QVERIFY(QDir().mkpath(left));
      QVERIFY(QFile::copy(path("mine.json"), left + QStringLiteral("/1-0.json")));
      (void)watch().stop();  // the copy is the test's own
      watch().start(folder_.path());
      window.offer_recovery(left);
      QTRY_VERIFY_WITH_TIMEOUT(window.messages().findChild<QPushButton*>() != nullptr, 180000);
      window.messages().findChild<QPushButton*>()->click();
      QTRY_COMPARE_WITH_TIMEOUT(window.document().size(), 1, 180000);
      window.document().undo_stack().setClean();
    }
    QCOMPARE(watch().stop(), QString());
  }
};

int main(int argc, char** argv) {
  // The user's files, presets and recoveries are in the watched folder; Qt's settings are
  // elsewhere.
  const QTemporaryDir folder, settings;
  qputenv("XDG_DATA_HOME", folder.filePath(QStringLiteral("data")).toLocal8Bit());
  qputenv("XDG_CONFIG_HOME", settings.path().toLocal8Bit());
  QApplication app(argc, argv);
  TestThreads tests(folder.path());
  return QTest::qExec(&tests, argc, argv);
}
#include "test_threads.moc"
