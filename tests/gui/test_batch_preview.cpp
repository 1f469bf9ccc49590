// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The batch window before a start: the preview of a selected file, and messages about the inputs.
#include <QFile>
#include <QLineEdit>
#include <QListView>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>

#include "app/message_bar.hpp"
#include "batch/batch_panel.hpp"
#include "batch/batch_window.hpp"
#include "batch/recipe_choice.hpp"
#include "document/paths.hpp"
#include "preview/preview_view.hpp"
#include "support/pictures.hpp"

using namespace sfumato;
using namespace sfumato::gui;
using namespace sfumato::testing;
namespace fs = std::filesystem;

namespace {

constexpr int patience = 180000;

}  // namespace

class TestBatchPreview : public QObject {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> folder_;

  fs::path at(const std::string& name) const {
    return fs::path(folder_->path().toStdString()) / name;
  }
  void picture(const std::string& name, std::uint32_t seed) const {
    fs::create_directories(at(name).parent_path());
    Image image = scene({60, 40, 3, SampleType::u8, AlphaKind::none, Coding::srgb()}, seed);
    const auto out = create_picture(at(name), {}, image.format);
    out->write(image.view());
    out->commit();
  }
  static void add(BatchWindow& window, const fs::path& path) {
    QSignalSpy added(&window, &BatchWindow::added);
    window.add({shown_path(path)});
    QTRY_COMPARE_WITH_TIMEOUT(added.size(), 1, patience);
  }
  // The preview after an action.
  static QImage after(BatchWindow& window, const std::function<void()>& action) {
    QSignalSpy shown(&window.preview(), &PreviewView::shown);
    action();
    const auto is_there = [&] {
      return !shown.empty() && !shown.back()[0].value<ResultPtr>()->after.isNull() &&
             !window.preview().is_busy();
    };
    if (!QTest::qWaitFor(is_there, patience)) return {};
    return shown.back()[0].value<ResultPtr>()->after;
  }

 private Q_SLOTS:
  void initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
    QApplication::setApplicationName(QStringLiteral("test_batch_preview"));
  }
  void init() {
    QSettings().clear();
    folder_ = std::make_unique<QTemporaryDir>();
  }

  void the_preview_has_the_pictures_that_are_found_for_roles() {
    picture("in/a.ppm", 1);
    picture("roles/a_G.ppm", 9);
    picture("roles/a_H.ppm", 4);
    QFile recipe(shown_path(at("r.json")));
    QVERIFY(recipe.open(QIODevice::WriteOnly));
    recipe.write(R"({"sfumato": 1, "steps": [{"filter": "joint_bilateral",
                     "values": {"sigma": 4}}]})");
    recipe.close();
    BatchWindow window;
    window.show();
    add(window, at("in"));
    QSignalSpy changed(&window.panel().recipes(), &RecipeChoice::changed);
    window.take_recipe(shown_path(at("r.json")));
    QTRY_COMPARE_WITH_TIMEOUT(changed.size(), 1, patience);
    QLineEdit* line = nullptr;
    for (QLineEdit* one : window.panel().findChildren<QLineEdit*>()) {
      if (one->placeholderText().contains(QStringLiteral("guide"))) line = one;
    }
    QVERIFY(line != nullptr);
    const QString pattern = shown_path(at("roles")) + QStringLiteral("/{stem}_%1.ppm");
    line->setText(pattern.arg(QLatin1String("G")));
    const QImage first =
        after(window, [&] { window.list().setCurrentIndex(window.model().index(0)); });
    QVERIFY(!first.isNull());
    const QImage second = after(window, [&] { line->setText(pattern.arg(QLatin1String("H"))); });
    QVERIFY(!second.isNull());
    QVERIFY(first != second);
    // The same guide, named by the recipe itself.
    Recipe bound = window.panel().recipes().recipe();
    bound.steps[0].values.set("guide", ImageRef{at("roles/a_H.ppm").string(), {}});
    PreviewRenderer renderer;
    PreviewView alone(renderer);
    alone.resize(window.preview().size());
    alone.show();
    QSignalSpy shown(&alone, &PreviewView::shown);
    alone.set_picture(window.preview().picture());
    alone.set_recipe(bound);
    QVERIFY(QTest::qWaitFor(
        [&] {
          return !alone.is_busy() && !shown.empty() &&
                 shown.back()[0].value<ResultPtr>()->after == second;
        },
        patience));
  }

  void what_is_missing_among_the_inputs_is_said() {
    picture("s.1.ppm", 1);
    BatchWindow window;
    window.show();
    add(window, at("s.1-3#.ppm"));
    QCOMPARE(window.model().rowCount(), 1);
    QVERIFY2(window.messages().text().contains(QStringLiteral("2, 3")),
             qPrintable(window.messages().text()));
  }
};

QTEST_MAIN(TestBatchPreview)
#include "test_batch_preview.moc"
