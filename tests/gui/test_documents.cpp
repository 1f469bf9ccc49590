// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Opening, pasting, recovery after a crash, and passing files to a running editor.
#include <sys/resource.h>

#include <QClipboard>
#include <QComboBox>
#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QLockFile>
#include <QMimeData>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>

#include "app/export_dialog.hpp"
#include "app/main_window.hpp"
#include "app/message_bar.hpp"
#include "app/preferences_dialog.hpp"
#include "app/preset_menu.hpp"
#include "device/cache_limit.hpp"
#include "device/files.hpp"
#include "device/program_cache.hpp"
#include "dialog/filter_dialog.hpp"
#include "filters/registry.hpp"
#include "opened_files.hpp"
#include "params/errors.hpp"
#include "params/image_editor.hpp"
#include "params/parameter_panel.hpp"
#include "preview/preview_view.hpp"
#include "support/files.hpp"

using namespace sfumato;
using namespace sfumato::gui;
using sfumato::testing::Image;
using sfumato::testing::opened;
using sfumato::testing::run;
using sfumato::testing::scene;
using sfumato::testing::write_picture;

namespace {

SessionOptions on_reference() {
  SessionOptions options;
  options.device = "reference";
  return options;
}

}  // namespace

class TestDocuments : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir folder_;

  QString path(const char* name) const { return folder_.filePath(QLatin1String(name)); }

  // Colour, and a mask beside it, in one file.
  void write_layers(const QString& file) const {
    OIIO::ImageSpec spec(64, 48, 6, OIIO::TypeDesc::FLOAT);
    spec.channelnames = {"R", "G", "B", "Diffuse.R", "Diffuse.G", "Diffuse.B"};
    std::vector<float> pixels(64 * 48 * 6);
    for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = i % 6 < 3 ? 0.25f : 0.75f;
    const auto out = OIIO::ImageOutput::create(file.toStdString());
    QVERIFY(out->open(file.toStdString(), spec));
    QVERIFY(out->write_image(OIIO::TypeDesc::FLOAT, pixels.data()));
    out->close();
  }

 private Q_SLOTS:
  void initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
    qputenv("XDG_DATA_HOME", folder_.filePath(QStringLiteral("data")).toLocal8Bit());
    write_picture(path("in.png"),
                  scene({120, 90, 3, SampleType::u16, AlphaKind::none, Coding::srgb()}));
  }

  void layers_of_a_file_are_chosen() {
    write_layers(path("layers.exr"));
    MainWindow window;
    QCOMPARE(opened(window, path("layers.exr")), QString());
    QComboBox& layers = window.layer_choice();
    QCOMPARE(layers.count(), 2);
    QCOMPARE(layers.itemText(1), QStringLiteral("Diffuse"));
    QCOMPARE(window.document().picture()->channel_names[0], std::string("R"));
    QSignalSpy spy(&window, &MainWindow::opened);
    layers.setCurrentIndex(1);
    Q_EMIT layers.activated(1);
    QVERIFY(spy.wait(180000));
    QCOMPARE(window.document().picture()->channel_names[0], std::string("Diffuse.R"));
    QCOMPARE(layers.currentIndex(), 1);
    const auto* first =
        reinterpret_cast<const float*>(window.document().picture()->pixels.bytes.data());
    QCOMPARE(*first, 0.75f);
  }

  void the_last_of_two_openings_counts() {
    write_picture(path("small.png"),
                  scene({16, 16, 3, SampleType::u8, AlphaKind::none, Coding::srgb()}));
    MainWindow window;
    QSignalSpy spy(&window, &MainWindow::opened);
    window.open_file(path("in.png"));
    window.open_file(path("small.png"));
    QVERIFY(spy.wait(180000));
    QTest::qWait(200);
    QCOMPARE(spy.size(), 1);
    QCOMPARE(window.document().picture()->format().width, 16);
  }

  void a_pasted_picture_keeps_its_depth_and_can_be_exported() {
    QFile file(path("in.png"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    auto* data = new QMimeData;
    data->setData(QStringLiteral("image/png"), file.readAll());
    QGuiApplication::clipboard()->setMimeData(data);
    MainWindow window;
    QSignalSpy spy(&window, &MainWindow::opened);
    window.paste();
    QVERIFY(spy.wait(180000));
    QCOMPARE(spy[0][0].toString(), QString());
    const PicturePtr picture = window.document().picture();
    QCOMPARE(picture->format().type, SampleType::u16);
    QVERIFY(picture->pixels.bytes == open_whole(path("in.png").toStdString())->pixels.bytes);
    QSignalSpy finished(&window.exporter(), &Exporter::finished);
    window.export_to(path("pasted.png"), false);
    QVERIFY(finished.wait(180000));
    QVERIFY2(finished[0][0].toBool(), qPrintable(finished[0][1].toString()));

    QGuiApplication::clipboard()->setText(QStringLiteral("no picture"));
    window.paste();
    QVERIFY(window.messages().text().contains(QStringLiteral("no picture")));
    QCOMPARE(window.document().picture(), picture);
  }

  void an_image_of_another_program_is_pasted() {
    QImage image(30, 20, QImage::Format_RGB32);
    image.fill(QColor(10, 200, 30));
    QGuiApplication::clipboard()->setImage(image);
    MainWindow window;
    QSignalSpy spy(&window, &MainWindow::opened);
    window.paste();
    QVERIFY(spy.wait(180000));
    QCOMPARE(spy[0][0].toString(), QString());
    const auto* first =
        reinterpret_cast<const uchar*>(window.document().picture()->pixels.bytes.data());
    QCOMPARE(int(first[0]), 10);
    QCOMPARE(int(first[1]), 200);
    QCOMPARE(int(first[2]), 30);
  }

  void a_mask_counts_in_the_preview_at_every_scale() {
    // The left half of the mask is black: nothing changes there.
    Image mask({1200, 900, 1, SampleType::u8, AlphaKind::none, Coding::srgb()});
    for (int y = 0; y < 900; ++y) {
      for (int x = 600; x < 1200; ++x) mask.set(x, y, 0, 1.0f);
    }
    write_picture(path("mask.png"), mask);
    write_picture(path("large.png"),
                  scene({1200, 900, 3, SampleType::u8, AlphaKind::none, Coding::srgb()}));
    const PicturePtr picture = open_whole(path("large.png").toStdString());
    const FilterInfo& info = Registry::get().at("levels").filter->info();
    Values values;
    values.set("gamma", 2.0);
    values.set("mask", ImageRef{path("mask.png").toStdString(), {}});
    for (const int reduction : {1, 3}) {
      PreviewRenderer renderer(on_reference());
      QSignalSpy rendered(&renderer, &PreviewRenderer::rendered),
          failed(&renderer, &PreviewRenderer::failed);
      renderer.request({picture, recipe_of(info, complete(info.parameters, values)), reduction,
                        Rect{0, 0, 1200 / reduction, 900 / reduction}, 0});
      QVERIFY2(!rendered.isEmpty() || rendered.wait(180000),
               failed.isEmpty() ? "nothing" : qPrintable(failed[0][0].toString()));
      const auto result = rendered[0][0].value<std::shared_ptr<const PreviewResult>>();
      const auto changed = [&](int x) {
        double most = 0;
        for (int y = 0; y < 900 / reduction; y += 7) {
          for (int c = 0; c < 3; ++c) {
            const auto at = static_cast<std::size_t>((y * (1200 / reduction) + x) * 3 + c);
            const auto sample = [&](const HeldPicture& p) {
              return static_cast<double>(reinterpret_cast<const float*>(p.bytes.data())[at]);
            };
            most = std::max(
                most, std::abs(sample(result->after_values) - sample(*result->before_values)));
          }
        }
        return most;
      };
      QVERIFY(changed(100 / reduction) < 1e-5);
      QVERIFY(changed(1000 / reduction) > 0.02);
    }
  }

  void channels_of_the_open_file_are_offered_to_roles() {
    write_layers(path("layers.exr"));
    MainWindow window;
    QCOMPARE(opened(window, path("layers.exr")), QString());
    window.document().add_step("gaussian");
    auto* editor = window.parameters().findChild<ImageEditor*>();
    QVERIFY(editor != nullptr);
    for (QPushButton* button : editor->findChildren<QPushButton*>()) {
      if (button->text() == QStringLiteral("This file")) button->click();
    }
    const Value mask = window.document().recipe().steps[0].values.at("mask");
    QCOMPARE(std::get<ImageRef>(mask).path, path("layers.exr").toStdString());
    auto* channels = editor->findChild<QComboBox*>();
    QVERIFY(channels->findText(QStringLiteral("Diffuse.R")) >= 0);
    window.document().undo_stack().setClean();
  }

  void presets_are_saved_renamed_and_deleted() {
    MainWindow window;
    PresetMenu& menu = window.presets();
    const auto settled = [&] {
      QSignalSpy refreshed(&menu, &PresetMenu::refreshed);
      return refreshed.wait(180000);
    };
    const auto own = [&]() -> const Preset* {
      for (const Preset& p : menu.presets()) {
        if (!p.built_in()) return &p;
      }
      return nullptr;
    };
    QVERIFY(settled());
    QVERIFY(own() == nullptr);
    window.document().add_step("gaussian");
    window.document().set_value(0, "sigma", 12.5, true);
    menu.save_as(QStringLiteral("Mine"), false);
    QVERIFY(settled());
    QVERIFY(own() != nullptr);
    QCOMPARE(own()->name, std::string("Mine"));
    menu.save_as(QStringLiteral("Mine"), false);
    QVERIFY(settled());
    QVERIFY(window.messages().text().contains(QStringLiteral("already")));
    menu.rename(*own(), QStringLiteral("Ours"));
    QVERIFY(settled());
    QCOMPARE(own()->name, std::string("Ours"));
    menu.export_to(*own(), path("ours.json"));
    QVERIFY(settled());
    window.document().remove_step(0);
    menu.apply(*own());
    QCOMPARE(window.document().recipe().steps.at(0).values.number("sigma"), 12.5);
    menu.remove(*own());
    QVERIFY(settled());
    QVERIFY(own() == nullptr);
    menu.import_file(path("ours.json"));
    QVERIFY(settled());
    QCOMPARE(own()->name, std::string("Ours"));
    // A second time, it is numbered; other windows are notified.
    MainWindow other;
    QSignalSpy heard(&other.presets(), &PresetMenu::refreshed);
    QVERIFY(heard.wait(180000));
    menu.import_file(path("ours.json"));
    QVERIFY(settled());
    QVERIFY(window.messages().text().contains(QStringLiteral("“Ours 2”")));
    const auto names_of = [](const PresetMenu& of) {
      std::vector<std::string> names;
      for (const Preset& p : of.presets()) {
        if (!p.built_in()) names.push_back(p.name);
      }
      return names;
    };
    QCOMPARE(names_of(menu), (std::vector<std::string>{"Ours", "Ours 2"}));
    QTRY_COMPARE_WITH_TIMEOUT(names_of(other.presets()), names_of(menu), 180000);
    while (own() != nullptr) {
      menu.remove(*own());
      QVERIFY(settled());
    }
    window.document().undo_stack().setClean();
  }

  // A recipe made from a built-in preset does not keep its name.
  void a_recipe_from_a_preset_can_be_imported() {
    MainWindow window;
    PresetMenu& menu = window.presets();
    QSignalSpy refreshed(&menu, &PresetMenu::refreshed);
    QVERIFY(refreshed.wait(180000));
    for (const Preset& preset : menu.presets()) {
      if (preset.id == "black_and_white") menu.apply(preset);
    }
    QVERIFY(window.document().size() > 0);
    QSignalSpy saved(&window, &MainWindow::recipe_saved);
    window.save_recipe_to(path("my_look.json"));
    QVERIFY(saved.wait(180000));
    QSignalSpy done(&menu, &PresetMenu::done);
    menu.import_file(path("my_look.json"));
    QVERIFY(done.wait(180000));
    QVERIFY(done[0][0].toString().contains(QStringLiteral("“my_look”")));
  }

  void a_killed_editor_leaves_its_recipe() {
    // This program itself, as an editor that dies: see main().
    const QString folder = path("recovery");
    QProcess editor;
    editor.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    editor.start(QCoreApplication::applicationFilePath(),
                 {QStringLiteral("--die-with-changes"), folder, path("in.png")});
    QVERIFY(editor.waitForFinished(180000));
    QCOMPARE(editor.exitStatus(), QProcess::CrashExit);

    const std::vector<RecoveredWork> found = Recovery::left_behind(folder);
    QCOMPARE(found.size(), std::size_t{1});
    QCOMPARE(found[0].steps, 2);
    QCOMPARE(found[0].picture, path("in.png"));
    MainWindow window;
    QSignalSpy spy(&window, &MainWindow::opened);
    window.offer_recovery(folder);
    QTRY_VERIFY_WITH_TIMEOUT(window.messages().text().contains(QStringLiteral("unexpectedly")),
                             180000);
    auto* restore = window.messages().findChild<QPushButton*>();
    QCOMPARE(restore->text(), QStringLiteral("Restore"));
    restore->click();
    QVERIFY(spy.wait(180000));
    QCOMPARE(window.document().size(), 2);
    QCOMPARE(window.document().recipe().steps[0].values.number("sigma"), 9.0);
    QVERIFY(window.document().is_modified());
    QVERIFY(window.document().picture());
    QVERIFY(Recovery::left_behind(folder).empty());
    window.document().undo_stack().setClean();
  }

  // If each program has its own process ids (as in a container), the next editor may have the
  // killed one's.
  void a_lock_of_this_process_number_may_be_an_earlier_ones() {
    const QString folder = path("namespace");
    QDir().mkpath(folder);
    QFile recipe(folder + QStringLiteral("/left.json"));
    QVERIFY(recipe.open(QIODevice::WriteOnly));
    recipe.write(R"({"sfumato": 1, "steps": [{"filter": "median"}]})");
    recipe.close();
    QLockFile lock(recipe.fileName() + QStringLiteral(".lock"));
    QVERIFY(lock.tryLock());
    QCOMPARE(Recovery::left_behind(folder).size(), std::size_t{1});
    Document document;
    Recovery recovery(document, folder);
    QVERIFY(recovery.file() != recipe.fileName());
    document.add_step("gaussian");
    recovery.write_now();
    QVERIFY(recipe.exists());
  }

  void locks_of_killed_editors_go_and_those_of_running_ones_stay() {
    const QString folder = path("locks");
    QDir().mkpath(folder);
    QProcess gone, running;
    gone.start(QStringLiteral("true"), {});
    QVERIFY(gone.waitForStarted());
    const qint64 number = gone.processId();
    QVERIFY(gone.waitForFinished());
    // What QLockFile writes: the process, its program and the machine.
    const auto lock = [&](const char* name, qint64 process, const QString& host) {
      QFile file(folder + QLatin1Char('/') + QLatin1String(name));
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write(QStringLiteral("%1\n%2\n%3\n")
                     .arg(process)
                     .arg(QCoreApplication::applicationName(), host)
                     .toUtf8());
    };
    lock("gone.json.lock", number, QSysInfo::machineHostName());
    lock("elsewhere.json.lock", number, QStringLiteral("another machine"));
    Document document;
    Recovery recovery(document, folder);
    recovery.write_now();
    QVERIFY(Recovery::left_behind(folder).empty());
    QStringList expected{QStringLiteral("elsewhere.json.lock"),
                         QFileInfo(recovery.file()).fileName() + QStringLiteral(".lock")};
    expected.sort();
    QCOMPARE(QDir(folder).entryList(QDir::Files, QDir::Name), expected);
  }

  // Writing fails beyond the limit of a file's size, as on a full disk.
  void a_full_disk_is_said_once_until_there_is_room_again() {
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    ::getrlimit(RLIMIT_FSIZE, &before);
    const auto set_limit = [&before](rlim_t bytes) {
      const rlimit limit{bytes, before.rlim_max};
      ::setrlimit(RLIMIT_FSIZE, &limit);
    };
    const auto restored = qScopeGuard([&] { set_limit(before.rlim_cur); });
    Document document;
    set_limit(0);
    Recovery recovery(document, path("full"));
    QSignalSpy changed(&recovery, &Recovery::kept_changed);
    for (const char* filter : {"median", "gaussian"}) {
      document.add_step(filter);
      recovery.write_now();
      QCoreApplication::processEvents();
    }
    set_limit(before.rlim_cur);
    QCOMPARE(changed.size(), 1);
    const QString fault = changed[0][0].toString();
    QVERIFY2(fault.contains(path("full")) && fault.contains(QStringLiteral("File too large")),
             qPrintable(fault));
    recovery.write_now();
    QCoreApplication::processEvents();
    QCOMPARE(changed.size(), 2);
    QCOMPARE(changed[1][0].toString(), QString());
    QVERIFY(Recovery::left_behind(path("full")).empty());  // the lock has been made up for
  }

  void the_window_says_that_nothing_is_kept() {
    MainWindow window;
    window.messages().say_notice(Topic::recipe, QStringLiteral("Something else."));
    Q_EMIT window.recovery().kept_changed(QStringLiteral("The disk is full."));
    QCOMPARE(window.messages().text(), QStringLiteral("The disk is full.\nSomething else."));
    Q_EMIT window.recovery().kept_changed({});
    QCOMPARE(window.messages().text(), QStringLiteral("Something else."));
  }

  void a_document_that_is_closed_leaves_nothing() {
    const QString folder = path("calm");
    {
      Document document;
      Recovery recovery(document, folder);
      document.add_step("median");
      recovery.write_now();
      QVERIFY(QFile::exists(recovery.file()));
      // A running editor is not taken for a crashed one.
      QVERIFY(Recovery::left_behind(folder).empty());
      document.undo_stack().setClean();
      recovery.write_now();
      QVERIFY(!QFile::exists(recovery.file()));
      document.add_step("median");
      recovery.write_now();
    }
    QVERIFY(QDir(folder).isEmpty());
  }
};

// An editor with two steps that is killed before it can clean up.
int die_with_changes(const QString& folder, const QString& picture) {
  Document document;
  Recovery recovery(document, folder);
  document.set_picture(open_whole(picture.toStdString()));
  document.add_step("gaussian");
  document.set_value(0, "sigma", 9.0, true);
  document.add_step("median");
  recovery.write_now();
  std::abort();
}

int main(int argc, char** argv) {
  QApplication app(argc, argv);
  const QStringList arguments = QCoreApplication::arguments();
  if (arguments.value(1) == QStringLiteral("--die-with-changes")) {
    return die_with_changes(arguments.value(2), arguments.value(3));
  }
  TestDocuments tests;
  return QTest::qExec(&tests, argc, argv);
}
#include "test_documents.moc"
