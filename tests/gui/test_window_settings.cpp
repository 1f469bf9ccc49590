// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Several windows with one set of preferences, shortcuts that work wherever the focus is, and the
// dialog of hosts.
#include <QAbstractSpinBox>
#include <QAction>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include "app/filter_browser.hpp"
#include "app/main_window.hpp"
#include "app/preferences_dialog.hpp"
#include "device/opencl.hpp"
#include "dialog/filter_dialog.hpp"
#include "opened.hpp"
#include "params/parameter_editor.hpp"
#include "params/parameter_panel.hpp"
#include "params/response_plot.hpp"
#include "preview/preview_view.hpp"
#include "support/pictures.hpp"

using namespace sfumato;
using namespace sfumato::gui;
using sfumato::testing::one_step;
using sfumato::testing::opened;

namespace {

void show_active(QWidget& window) {
  window.show();
  window.activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(&window));
}

QAction* action_with(const QWidget& window, const QKeySequence& keys) {
  for (QAction* action : window.findChildren<QAction*>()) {
    if (action->shortcuts().contains(keys)) return action;
  }
  return nullptr;
}

}  // namespace

class TestWindowSettings : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir folder_;

  // Opens the preferences, lets `change` edit them, and presses OK.
  static void prefer(MainWindow& window, const std::function<void(PreferencesDialog&)>& change) {
    QTimer::singleShot(0, &window, [&] {
      auto* dialog = qobject_cast<PreferencesDialog*>(QApplication::activeModalWidget());
      QVERIFY(dialog);
      change(*dialog);
      dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->click();
    });
    window.show_preferences();
  }

  static void choose_device(PreferencesDialog& dialog, const QString& device) {
    auto* box = dialog.findChildren<QComboBox*>().at(0);
    QVERIFY(box->findData(device) >= 0);
    box->setCurrentIndex(box->findData(device));
  }

 private Q_SLOTS:
  void initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder_.path());
  }
  void cleanup() {
    QSettings().clear();
    Settings::use_for_this_run({});
    qunsetenv("SFUMATO_DEVICE");
  }

  void automatic_leaves_the_choice_to_the_environment() {
    QCOMPARE(Settings().session().device, std::string());
    QSettings().setValue(QStringLiteral("device"), QStringLiteral("auto"));
    QCOMPARE(Settings::load().session().device, std::string());
    qputenv("SFUMATO_DEVICE", "reference");
    PreviewRenderer renderer(Settings::load().session());
    QSignalSpy spy(&renderer, &PreviewRenderer::rendered);
    renderer.request({opened(40, 30), one_step("gaussian", Values()), 1, {0, 0, 40, 30}, 0});
    QVERIFY(spy.wait(180000));
    const QString device = spy[0][0].value<ResultPtr>()->device;
    QVERIFY2(device.contains(QStringLiteral("reference")), qPrintable(device));
  }

  void preferences_hold_for_every_window() {
    qputenv("SFUMATO_DEVICE", "reference");
    MainWindow first, second;
    show_active(first);
    second.show();
    QSignalSpy changes(&second, &MainWindow::settings_changed);
    prefer(first,
           [](PreferencesDialog& dialog) { choose_device(dialog, QStringLiteral("reference")); });
    QCOMPARE(changes.size(), 1);
    QCOMPARE(changes[0][0].value<Settings>().device, QStringLiteral("reference"));
    // Later changes by the other window preserve it.
    prefer(second, [](PreferencesDialog& dialog) {
      QCOMPARE(dialog.settings().device, QStringLiteral("reference"));
      dialog.findChild<QSpinBox*>()->setValue(512);
    });
    QCOMPARE(Settings::load().device, QStringLiteral("reference"));
    QCOMPARE(Settings::load().memory_mb, 512);
  }

  void the_command_lines_device_is_not_kept() {
    Settings::use_for_this_run(QStringLiteral("reference"));
    QCOMPARE(Settings::load().session().device, std::string("reference"));  // new windows too
    MainWindow window(Settings::load());
    show_active(window);
    prefer(window, [](PreferencesDialog& dialog) { dialog.findChild<QSpinBox*>()->setValue(512); });
    QCOMPARE(Settings::load().memory_mb, 512);
    QCOMPARE(Settings::load().device, QString());
    QCOMPARE(Settings::load().session().device, std::string("reference"));
  }

  void rendering_is_cancelled_and_repeated_from_anywhere() {
    qputenv("SFUMATO_DEVICE", "reference");
    MainWindow window;
    show_active(window);
    window.preview().set_picture(opened(900, 700));
    auto* search = window.browser().findChild<QLineEdit*>();
    search->setFocus();
    QTRY_VERIFY_WITH_TIMEOUT(!window.renderer().is_busy(), 180000);
    QAction* cancel = action_with(window, QKeySequence(Qt::Key_Escape));
    QVERIFY(cancel);
    QTRY_VERIFY_WITH_TIMEOUT(!cancel->isEnabled(), 180000);
    window.preview().set_recipe(one_step("bilateral", {{"sigma", "20"}, {"method", "exact"}}));
    QVERIFY(cancel->isEnabled());
    QTest::keyClick(search, Qt::Key_Escape);
    QTRY_VERIFY_WITH_TIMEOUT(!window.renderer().is_busy(), 180000);
    QTest::keyClick(search, Qt::Key_F5);
    QVERIFY(window.renderer().is_busy());
    window.preview().cancel_render();
  }

  void a_number_that_was_entered_is_undone_where_it_was_entered() {
    qputenv("SFUMATO_DEVICE", "reference");
    MainWindow window;
    show_active(window);
    window.document().add_step("gaussian");
    const auto sigma = [&] {
      return window.document().recipe().steps.at(0).values.number("sigma");
    };
    const double before = sigma();
    auto* editor = window.parameters().findChild<ParameterEditor*>(QStringLiteral("sigma"));
    auto* spin = editor->findChild<QAbstractSpinBox*>();
    auto* line = spin->findChild<QLineEdit*>();
    spin->setFocus();
    line->selectAll();
    QTest::keyClicks(spin, QStringLiteral("7"));
    QTest::keyClick(spin, Qt::Key_Return);
    QCOMPARE(sigma(), 7.0);
    QTest::keyClick(spin, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(sigma(), before);
    QTest::keySequence(spin, QKeySequence(QKeySequence::Redo));
    QCOMPARE(sigma(), 7.0);
    window.document().undo_stack().setClean();
  }

  // The field commits as it is destroyed, when no part of the window may react any more.
  void a_window_may_go_while_a_number_is_typed() {
    qputenv("SFUMATO_DEVICE", "reference");
    auto window = std::make_unique<MainWindow>();
    show_active(*window);
    window->document().add_step("gaussian");
    auto* editor = window->parameters().findChild<ParameterEditor*>(QStringLiteral("sigma"));
    auto* spin = editor->findChild<QAbstractSpinBox*>();
    spin->setFocus();
    spin->findChild<QLineEdit*>()->selectAll();
    QTest::keyClicks(spin, QStringLiteral("7"));
    window->document().undo_stack().setClean();
    window.reset();
  }

  void after_the_search_comes_the_first_parameter() {
    qputenv("SFUMATO_DEVICE", "reference");
    MainWindow window;
    show_active(window);
    auto* search = window.browser().findChild<QLineEdit*>();
    search->setFocus();
    QTest::keyClicks(search, QStringLiteral("gaussian"));
    QTest::keyClick(search, Qt::Key_Return);
    auto* sigma = window.parameters().findChild<ParameterEditor*>(QStringLiteral("sigma"));
    QVERIFY(sigma);
    QTRY_VERIFY_WITH_TIMEOUT(sigma->isAncestorOf(QApplication::focusWidget()), 180000);
    QVERIFY(action_with(window, QKeySequence(QStringLiteral("Ctrl+Shift+E"))));
    window.document().undo_stack().setClean();
  }

  void the_dialog_of_hosts_says_that_a_device_was_lost() {
    SessionOptions options;
    options.device = "cpu";
    options.cache_folder = std::filesystem::path();
    options.before_launch = [](std::int64_t) {
      throw DeviceError(CL_OUT_OF_HOST_MEMORY - 1000, foreign_message("made to fail"));
    };
    auto picture = std::make_shared<OpenedPicture>(*opened(120, 90));
    picture->path = "/render.exr";
    picture->all_channels = {"R", "G", "B", "Z", "N.X", "N.Y", "N.Z"};
    FilterDialog dialog(picture, "geometry_blur", {}, options);
    dialog.show();
    // Its file is offered for the roles.
    const auto buttons = dialog.parameters().findChildren<QPushButton*>();
    QVERIFY(std::any_of(buttons.begin(), buttons.end(), [](const QPushButton* button) {
      return button->text() == QStringLiteral("This file") && !button->isHidden();
    }));

    FilterDialog blur(opened(120, 90), "gaussian", {}, options);
    blur.show();
    const auto said = [&] {
      const auto labels = blur.findChildren<QLabel*>();
      return std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
        return label->isVisible() && label->text().contains(QStringLiteral("made to fail"));
      });
    };
    QTRY_VERIFY_WITH_TIMEOUT(said(), 180000);
    QTRY_VERIFY_WITH_TIMEOUT(blur.response().isVisible(), 180000);
  }
};

QTEST_MAIN(TestWindowSettings)
#include "test_window_settings.moc"
