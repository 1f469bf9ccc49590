// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The editor with failing devices, and with files that do not fit: an error is shown, and the
// document is unchanged.
#include <QDropEvent>
#include <QFile>
#include <QFileInfo>
#include <QMimeData>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <atomic>

#include "app/main_window.hpp"
#include "app/message_bar.hpp"
#include "device/opencl.hpp"
#include "opened_files.hpp"
#include "preview/preview_view.hpp"

using namespace sfumato;
using namespace sfumato::gui;
using sfumato::testing::Image;
using sfumato::testing::opened;
using sfumato::testing::scene;
using sfumato::testing::write_picture;

namespace {

using ResultPtr = std::shared_ptr<const PreviewResult>;

// The largest difference of two pictures' floats.
double distance(const HeldPicture& a, const HeldPicture& b) {
  if (a.bytes.size() != b.bytes.size()) return 1e9;
  const auto* x = reinterpret_cast<const float*>(a.bytes.data());
  const auto* y = reinterpret_cast<const float*>(b.bytes.data());
  double most = 0;
  for (std::size_t i = 0; i < a.bytes.size() / sizeof(float); ++i) {
    most = std::max(most, static_cast<double>(std::abs(x[i] - y[i])));
  }
  return most;
}

}  // namespace

class TestLostDevice : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir folder_;
  std::atomic<bool> armed_ = false;

  QString path(const char* name) const { return folder_.filePath(QLatin1String(name)); }

  // A session whose device fails on command.
  SessionOptions failing() {
    SessionOptions options;
    options.device = "cpu";
    options.cache_folder = std::filesystem::path();
    options.before_launch = [this](std::int64_t) {
      if (armed_) throw DeviceError(CL_OUT_OF_HOST_MEMORY - 1000, foreign_message("made to fail"));
    };
    return options;
  }

  static void drop(MainWindow& window, const QString& file) {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(file)});
    QSignalSpy spy(&window, &MainWindow::opened);
    QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &enter);
    QDropEvent event(QPointF(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &event);
    QVERIFY(!spy.isEmpty() || spy.wait(180000));
  }

  // The final preview of the last request; spies are notified before the window is.
  static ResultPtr next(MainWindow& window, QSignalSpy& rendered, qsizetype before) {
    for (int quiet = 0, i = 0; i < 1800 && quiet < 5; ++i) {
      QTest::qWait(100);
      quiet = rendered.size() > before && !window.renderer().is_busy() ? quiet + 1 : 0;
    }
    return rendered.size() == before ? nullptr : rendered.last()[0].value<ResultPtr>();
  }

 private Q_SLOTS:
  void initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
    write_picture(path("in.png"),
                  scene({120, 90, 3, SampleType::u16, AlphaKind::none, Coding::srgb()}));
    write_picture(path("small.png"),
                  scene({60, 45, 3, SampleType::u8, AlphaKind::none, Coding::srgb()}));
  }

  void cleanup() { armed_ = false; }

  void the_preview_goes_on_without_its_device() {
    MainWindow window;
    window.renderer().set_session(failing());
    window.resize(900, 700);
    window.show();
    QSignalSpy rendered(&window.renderer(), &PreviewRenderer::rendered);
    QCOMPARE(opened(window, path("in.png")), QString());
    window.document().add_step("gaussian");
    window.document().set_value(0, "sigma", 3.0, true);
    const Recipe recipe = window.document().recipe();
    const ResultPtr before = next(window, rendered, 0);
    QVERIFY(before != nullptr);
    QVERIFY(!before->device.contains(QStringLiteral("reference")));
    QCOMPARE(window.messages().text(), QString());

    armed_ = true;
    qsizetype count = rendered.size();
    window.preview().render_again();  // the same recipe is shown without a device
    const ResultPtr after = next(window, rendered, count);
    QVERIFY(after != nullptr);
    QVERIFY2(after->device.contains(QStringLiteral("reference")), qPrintable(after->device));
    QVERIFY(distance(before->after_values, after->after_values) < 1e-3);
    const QString said = window.messages().text();
    QVERIFY2(said.contains(QStringLiteral("made to fail")), qPrintable(said));
    QVERIFY2(said.contains(QStringLiteral("going on with")), qPrintable(said));
    QVERIFY(window.document().recipe() == recipe);
    QVERIFY(window.document().picture() != nullptr);

    count = rendered.size();
    window.document().set_value(0, "sigma", 5.0, true);  // and further
    QVERIFY(next(window, rendered, count) != nullptr);
    window.document().undo_stack().undo();
    QVERIFY(window.document().recipe() == recipe);
    window.document().undo_stack().setClean();
  }

  void the_export_is_finished_without_its_device() {
    MainWindow window;
    QCOMPARE(opened(window, path("in.png")), QString());
    window.document().add_step("gaussian");
    const Recipe recipe = window.document().recipe();
    QSignalSpy finished(&window.exporter(), &Exporter::finished);
    std::atomic<int> launches = 0, fatal = -1;
    for (const bool lost : {false, true}) {
      ExportJob job;
      job.picture = window.document().picture();
      job.output = path(lost ? "lost.png" : "whole.png").toStdString();
      job.recipe = recipe;
      job.session = failing();
      job.session.before_launch = [&](std::int64_t) {
        if (++launches == fatal)
          throw DeviceError(CL_OUT_OF_HOST_MEMORY - 1000, foreign_message("made to fail"));
      };
      QVERIFY(window.exporter().start(std::move(job)));
      QTRY_COMPARE_WITH_TIMEOUT(finished.size(), lost ? 2 : 1, 180000);
      QVERIFY2(finished.last()[0].toBool(), qPrintable(finished.last()[1].toString()));
      fatal = launches.exchange(0);  // the last one of the picture
    }
    QTRY_VERIFY_WITH_TIMEOUT(window.messages().text().contains(QStringLiteral("made to fail")),
                             180000);
    const PicturePtr whole = open_whole(path("whole.png").toStdString()),
                     lost = open_whole(path("lost.png").toStdString());
    const auto* a = reinterpret_cast<const std::uint16_t*>(whole->pixels.bytes.data());
    const auto* b = reinterpret_cast<const std::uint16_t*>(lost->pixels.bytes.data());
    for (std::size_t i = 0; i < whole->pixels.bytes.size() / 2; ++i) {
      QVERIFY(std::abs(static_cast<int>(a[i]) - static_cast<int>(b[i])) <= 60);
    }
    QVERIFY(window.document().recipe() == recipe);
    window.document().undo_stack().setClean();
  }

  void a_role_of_another_size_is_said() {
    MainWindow window;
    window.show();
    QCOMPARE(opened(window, path("in.png")), QString());
    window.document().add_step("gaussian");
    QTRY_VERIFY_WITH_TIMEOUT(!window.renderer().is_busy(), 180000);
    QSignalSpy failed(&window.renderer(), &PreviewRenderer::failed);
    window.document().set_value(0, "mask", ImageRef{path("small.png").toStdString(), ""}, true);
    const Recipe recipe = window.document().recipe();
    QTRY_VERIFY_WITH_TIMEOUT(!failed.isEmpty(), 180000);
    const QString said = failed[0][0].toString();
    QVERIFY2(said.contains(QStringLiteral("60")) && said.contains(QStringLiteral("120")),
             qPrintable(said));
    QSignalSpy finished(&window.exporter(), &Exporter::finished);
    window.export_to(path("none.png"), false);
    QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, 180000);
    QVERIFY(!finished[0][0].toBool());
    QTRY_VERIFY_WITH_TIMEOUT(window.messages().text().contains(QStringLiteral("120")), 180000);
    QVERIFY(!QFileInfo::exists(path("none.png")));
    QVERIFY(window.document().recipe() == recipe);
    QSignalSpy rendered(&window.renderer(), &PreviewRenderer::rendered);
    window.document().undo_stack().undo();  // and the preview is back
    QTRY_VERIFY_WITH_TIMEOUT(!rendered.isEmpty(), 180000);
    window.document().undo_stack().setClean();
  }

  void a_recipe_of_unknown_filters_that_is_dropped_is_said() {
    QFile file(path("unknown.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"sfumato": 1, "steps": [{"filter": "median"}, {"filter": "gausian"}]})");
    file.close();
    MainWindow window;
    QCOMPARE(opened(window, path("in.png")), QString());
    window.document().add_step("bilateral");
    const Recipe recipe = window.document().recipe();
    const int undone = window.document().undo_stack().index();
    drop(window, path("unknown.json"));
    const QString said = window.messages().text();
    QVERIFY2(said.contains(QStringLiteral("unknown.json")), qPrintable(said));
    QVERIFY2(said.contains(QStringLiteral("gaussian")), qPrintable(said));  // the intended filter
    QVERIFY(window.document().recipe() == recipe);
    QCOMPARE(window.document().undo_stack().index(), undone);
    QVERIFY(window.document().is_modified());
    QVERIFY(window.document().picture() != nullptr);
    window.document().undo_stack().setClean();
  }
};

QTEST_MAIN(TestLostDevice)
#include "test_lost_device.moc"
