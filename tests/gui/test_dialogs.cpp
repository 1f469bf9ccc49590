// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The windows that ask: export, preferences, and the dialog of hosts.
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLockFile>
#include <QMimeData>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include "app/export_dialog.hpp"
#include "app/main_window.hpp"
#include "app/message_bar.hpp"
#include "app/preferences_dialog.hpp"
#include "app/preset_menu.hpp"
#include "app/single_instance.hpp"
#include "device/cache_limit.hpp"
#include "device/files.hpp"
#include "device/program_cache.hpp"
#include "dialog/filter_dialog.hpp"
#include "filters/registry.hpp"
#include "opened_files.hpp"
#include "params/errors.hpp"
#include "params/image_editor.hpp"
#include "params/parameter_panel.hpp"
#include "params/size_editor.hpp"
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

class TestDialogs : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir folder_;

  QString path(const char* name) const { return folder_.filePath(QLatin1String(name)); }

 private Q_SLOTS:
  void initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
    qputenv("XDG_DATA_HOME", folder_.filePath(QStringLiteral("data")).toLocal8Bit());
    write_picture(path("in.png"),
                  scene({120, 90, 3, SampleType::u16, AlphaKind::none, Coding::srgb()}));
  }

  void export_keeps_the_quality_of_a_jpeg() {
    Image image = scene({120, 90, 3, SampleType::u8, AlphaKind::none, Coding::srgb()});
    testing::through(path("in.jpg").toStdString(), image, {.overwrite = true, .quality = 83});
    const PicturePtr picture = open_whole(path("in.jpg").toStdString());
    ExportDialog dialog(*picture, path("new.jpg"));
    auto* quality = dialog.findChild<QSpinBox*>();
    const auto boxes = dialog.findChildren<QCheckBox*>();
    const auto kept = std::find_if(boxes.begin(), boxes.end(), [](const QCheckBox* box) {
      return box->text() == QStringLiteral("&As the original");
    });
    QVERIFY(kept != boxes.end());
    dialog.show();
    QVERIFY((*kept)->isVisible() && (*kept)->toolTip().contains(QStringLiteral("83")));
    QCOMPARE(dialog.options().quality, 95);
    (*kept)->setChecked(true);
    QVERIFY(!quality->isEnabled());
    QCOMPARE(dialog.options().quality, kept_quality);
    dialog.set_path(path("new.jp2"));  // lossless unless another quality is chosen
    QVERIFY(!(*kept)->isVisible() && quality->isEnabled());
    QCOMPARE(dialog.options().quality, 100);
    dialog.set_path(path("new.avif"));
    QCOMPARE(dialog.options().quality, 95);
    dialog.set_path(path("new.jpg"));
    QCOMPARE(dialog.options().quality, kept_quality);

    ExportDialog again(*picture, path("new.jpg"));
    again.set_options(dialog.options());
    QCOMPARE(again.options().quality, kept_quality);
    // A picture of another format has no quality to keep.
    ExportDialog other(*open_whole(path("in.png").toStdString()), path("new.jpg"));
    other.set_options(dialog.options());
    QCOMPARE(other.options().quality, 95);
  }

  void exports_have_a_size() {
    const PicturePtr picture = open_whole(path("in.png").toStdString());
    const int width = picture->format().width;
    ExportDialog dialog(*picture, path("new.jpg"));
    dialog.show();
    QVERIFY(!dialog.options().resizing);
    auto* size = dialog.findChild<SizeEditor*>();
    const auto boxes = size->findChildren<QComboBox*>();
    auto* percent = size->findChildren<QSpinBox*>().at(2);
    QVERIFY(!percent->isVisible() && !boxes.at(1)->isVisible());
    boxes.at(0)->setCurrentIndex(2);
    percent->setValue(25);
    boxes.at(1)->setCurrentIndex(1);
    QVERIFY(percent->isVisible());
    const Resizing quarter{{}, 0.25, ResizeFilter::mitchell};
    QVERIFY(dialog.options().resizing == quarter);
    const auto labels = size->findChildren<QLabel*>();
    QVERIFY(labels.at(1)->text().contains(QString::number((width + 2) / 4)));
    boxes.at(0)->setCurrentIndex(1);
    QVERIFY((dialog.options().resizing == Resizing{{2048, 2048}, 0, ResizeFilter::mitchell}));
    dialog.set_options({.resizing = quarter});
    QVERIFY(dialog.options().resizing == quarter);
    // As a batch keeps it.
    SizeEditor again;
    again.set_text(size->text());
    QVERIFY(again.resizing() == quarter);
    again.set_text(QStringLiteral("nonsense"));
    QVERIFY(again.resizing() == quarter);
  }

  void export_options_follow_the_format() {
    const PicturePtr picture = open_whole(path("in.png").toStdString());
    ExportDialog dialog(*picture, path("new.jpg"));
    auto* save = dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save);
    const auto combos = dialog.findChildren<QComboBox*>();
    auto* depth = combos.at(1);
    auto* packing = combos.at(2);
    auto* quality = dialog.findChild<QSpinBox*>();
    dialog.show();
    QVERIFY(save->isEnabled() && quality->isVisible() && !depth->isEnabled());
    QVERIFY(!packing->isVisible());
    QCOMPARE(depth->currentText(), QStringLiteral("8 bits"));
    quality->setValue(71);
    QCOMPARE(dialog.options().quality, 71);
    dialog.set_path(path("new.tif"));
    QVERIFY(!quality->isVisible() && depth->isEnabled() && packing->isVisible());
    QVERIFY(!dialog.options().bits);  // as the original
    depth->setCurrentIndex(depth->findText(QStringLiteral("Float")));
    packing->setCurrentIndex(packing->findText(QStringLiteral("ZIP")));
    const WriteOptions options = dialog.options();
    QVERIFY(options.bits == SampleType::f32);
    QCOMPARE(options.compression, std::string("zip"));
    QCOMPARE(options.quality, 0);
    QVERIFY(!options.overwrite);
    dialog.set_path(path("new.pfm"));
    QVERIFY(!quality->isVisible() && !packing->isVisible());
    dialog.set_path(path("new.tif"));
    auto* colours = combos.at(3);
    QVERIFY(options.profile == ProfileChoice::keep);
    colours->setCurrentIndex(colours->findText(QStringLiteral("Convert to sRGB")));
    QVERIFY(dialog.options().profile == ProfileChoice::srgb);
    dialog.set_path(path("new.exr"));  // holds no profile, but colours
    QVERIFY(colours->isEnabled() && dialog.options().profile == ProfileChoice::srgb);
    dialog.set_path(path("new.xyz"));
    QVERIFY(!save->isEnabled());

    MainWindow window;
    QCOMPARE(opened(window, path("in.png")), QString());
    QSignalSpy finished(&window.exporter(), &Exporter::finished);
    window.export_to(path("new.tif"), options);
    QVERIFY(finished.wait(180000));
    QVERIFY2(finished[0][0].toBool(), qPrintable(finished[0][1].toString()));
    const auto written = testing::spec_of(path("new.tif").toStdString());
    QVERIFY(written.format == OIIO::TypeDesc::FLOAT);
    QCOMPARE(std::string(written.get_string_attribute("compression")), std::string("zip"));
  }

  void preferences_know_the_devices_and_the_cache() {
    Settings settings;
    settings.theme = Theme::dark;
    settings.memory_mb = 512;
    PreferencesDialog dialog(settings);
    QSignalSpy looked(&dialog, &PreferencesDialog::looked);
    QVERIFY(looked.wait(180000));
    QCOMPARE(dialog.settings(), settings);
    auto* device = dialog.findChildren<QComboBox*>().at(0);
    device->setCurrentIndex(device->findData(QStringLiteral("reference")));
    QCOMPARE(dialog.settings().device, QStringLiteral("reference"));
    dialog.settings().save();
    QCOMPARE(Settings::load(), dialog.settings());
    Settings().save();
    const QString report = system_report();
    for (const char* part : {"Sfumato", "Qt", "OpenImageIO", "LittleCMS"}) {
      QVERIFY2(report.contains(QLatin1String(part)), qPrintable(report));
    }
  }

  void the_cache_keeps_to_the_limit_that_was_set() {
    QTemporaryDir folder;
    const QByteArray before = qgetenv("XDG_CACHE_HOME");
    qputenv("XDG_CACHE_HOME", folder.path().toUtf8());
    const auto at = default_cache_folder();
    for (int i = 0; i < 70; ++i) {
      QVERIFY(
          write_file_atomically(at / "programs" / std::to_string(i), std::string(1 << 20, 'x')));
    }
    const auto limit_of = [](PreferencesDialog& dialog) {
      return dialog.findChildren<QSpinBox*>().at(1);
    };
    PreferencesDialog first({});
    QSignalSpy looked(&first, &PreferencesDialog::looked);
    QVERIFY(looked.wait(180000));
    QCOMPARE(limit_of(first)->value(), 512);
    limit_of(first)->setValue(64);
    first.accept();
    QTRY_VERIFY_WITH_TIMEOUT(cached_program_bytes(at) <= 64u << 20, 180000);
    QVERIFY(cached_program_bytes(at) > 0);
    PreferencesDialog second({});
    QSignalSpy again(&second, &PreferencesDialog::looked);
    QVERIFY(again.wait(180000));
    QCOMPARE(limit_of(second)->value(), 64);
    for (QPushButton* button : second.findChildren<QPushButton*>()) {
      if (button->text().contains(QStringLiteral("Clear"))) button->click();
    }
    QTRY_COMPARE_WITH_TIMEOUT(cached_program_bytes(at), std::uint64_t{0}, 180000);
    qputenv("XDG_CACHE_HOME", before);
    if (before.isNull()) qunsetenv("XDG_CACHE_HOME");
  }

  void the_dialog_of_hosts_gives_a_recipe() {
    const PicturePtr picture = open_whole(path("in.png").toStdString());
    Values values;
    values.set("sigma", 3.5);
    FilterDialog dialog(picture, "gaussian", values, on_reference());
    dialog.show();
    QSignalSpy shown(&dialog.preview(), &PreviewView::shown);
    QVERIFY(shown.wait(180000));
    QCOMPARE(dialog.recipe().steps.at(0).values.number("sigma"), 3.5);
    Q_EMIT dialog.parameters().value_changed("sigma", 6.0, true);
    QCOMPARE(dialog.recipe().steps[0].values.number("sigma"), 6.0);
    QVERIFY(shown.wait(180000));
    QTest::keyClick(&dialog, Qt::Key_Escape);
    QCOMPARE(dialog.result(), int(QDialog::Rejected));
    QVERIFY_THROWS_EXCEPTION(ParameterError, FilterDialog(picture, "gausian"));
  }

  // One whose values are a preset's says which; others are no one's.
  void the_dialog_says_whose_values_are_shown() {
    const PicturePtr picture = open_whole(path("in.png").toStdString());
    FilterDialog dialog(picture, {}, {}, on_reference());
    QCOMPARE(dialog.recipe().steps.at(0).filter, std::string("gaussian"));
    QComboBox* presets = nullptr;
    for (QComboBox* box : dialog.findChildren<QComboBox*>()) {
      if (box->accessibleName() == QStringLiteral("Preset")) presets = box;
    }
    QVERIFY(presets != nullptr);
    QTRY_VERIFY_WITH_TIMEOUT(presets->count() > 0, 180000);
    QCOMPARE(presets->currentIndex(), 0);
    Q_EMIT dialog.parameters().value_changed("sigma", 61.5, true);
    QCOMPARE(presets->currentIndex(), -1);
    QCOMPARE(presets->placeholderText(), QStringLiteral("Own settings"));
    presets->setCurrentIndex(0);
    Q_EMIT presets->activated(0);
    QCOMPARE(dialog.recipe().steps[0].values.number("sigma"), 2.0);
    QCOMPARE(presets->currentIndex(), 0);
  }
};

QTEST_MAIN(TestDialogs)
#include "test_dialogs.moc"
