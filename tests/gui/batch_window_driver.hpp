// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A folder of pictures and recipes, and operations on a batch window.
#pragma once

#include <QApplication>
#include <QFile>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QWindow>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "batch/batch_panel.hpp"
#include "batch/batch_window.hpp"
#include "batch/recipe_choice.hpp"
#include "document/paths.hpp"
#include "support/pictures.hpp"

namespace sfumato::testing {

class BatchWindowDriver {
 protected:
  static constexpr int patience = 180000;

  std::filesystem::path at(const std::string& name) const {
    return std::filesystem::path(folder_->path().toStdString()) / name;
  }
  QString shown(const std::string& name) const { return gui::shown_path(at(name)); }

  void picture(const std::string& name, int width = 60, int height = 40,
               std::uint32_t seed = 1) const {
    std::filesystem::create_directories(at(name).parent_path());
    Image image = scene({width, height, 3, SampleType::u8, AlphaKind::none, Coding::srgb()}, seed);
    WriteOptions options;
    options.overwrite = true;
    const auto out = create_picture(at(name), options, image.format);
    out->write(image.view());
    out->commit();
  }
  void text(const std::string& name, const std::string& content) const {
    std::filesystem::create_directories(at(name).parent_path());
    QFile file(shown(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(content));
  }
  QByteArray content(const std::string& name) const {
    QFile file(shown(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }
  void recipe(const std::string& name, const std::string& filter = "grayscale") const {
    text(name, R"({"sfumato": 1, "steps": [{"filter": ")" + filter + R"("}]})");
  }

  // Like a drag from the file manager: delivered to the window, which passes it to the widget under
  // the pointer.
  static void drop(QWidget& target, const QStringList& paths) {
    QMimeData data;
    QList<QUrl> urls;
    for (const QString& path : paths) urls << QUrl::fromLocalFile(path);
    data.setUrls(urls);
    data.setText(paths.join(QLatin1Char('\n')));
    QWidget& widget = *target.window();
    QVERIFY(QTest::qWaitForWindowExposed(&widget));
    QWindow* window = widget.windowHandle();
    const QPoint spot = target.mapTo(&widget, target.rect().center());
    QDragEnterEvent enter(spot, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window, &enter);
    QVERIFY(enter.isAccepted());
    QDragMoveEvent move(spot, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    move.setDropAction(enter.dropAction());
    move.accept();
    QApplication::sendEvent(window, &move);
    QVERIFY(move.isAccepted());
    QDropEvent event(spot, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window, &event);
    QVERIFY(event.isAccepted());
  }

  static QPushButton* button(QWidget& within, const char* text) {
    const QList<QPushButton*> buttons = within.findChildren<QPushButton*>();
    for (auto one = buttons.rbegin(); one != buttons.rend(); ++one) {
      if ((*one)->text().remove(QLatin1Char('&')) == QLatin1String(text)) return *one;
    }
    return nullptr;
  }
  static void press(QWidget& within, const char* text) {
    QPushButton* wanted = button(within, text);
    QVERIFY2(wanted != nullptr && wanted->isEnabled(), text);
    wanted->click();
  }

  void add(gui::BatchWindow& window, const QStringList& paths) const {
    QSignalSpy added(&window, &gui::BatchWindow::added);
    window.add(paths);
    QTRY_COMPARE_WITH_TIMEOUT(added.size(), 1, patience);
  }
  void take(gui::BatchWindow& window, const QString& word) const {
    QSignalSpy changed(&window.panel().recipes(), &gui::RecipeChoice::changed);
    window.take_recipe(word);
    QTRY_COMPARE_WITH_TIMEOUT(changed.size(), 1, patience);
  }
  // A window with the files of a folder, ready to start.
  std::unique_ptr<gui::BatchWindow> ready(const std::string& inputs) const {
    auto window = std::make_unique<gui::BatchWindow>();
    window->show();
    add(*window, {shown(inputs)});
    recipe("r.json");
    take(*window, shown("r.json"));
    window->panel().set_folder(shown("out"));
    return window;
  }
  static BatchSummary finish(gui::BatchWindow& window, const std::function<void()>& begin) {
    QSignalSpy finished(&window.job(), &gui::BatchJob::finished);
    QSignalSpy refused(&window.job(), &gui::BatchJob::refused);
    begin();
    if (!window.job().is_running()) qWarning() << window.panel().obstacle();
    const bool ended =
        window.job().is_running() &&
        QTest::qWaitFor([&] { return finished.size() + refused.size() > 0; }, 2 * patience);
    if (!refused.empty()) qWarning() << refused[0];
    return ended && refused.empty() ? finished[0][0].value<BatchSummary>() : BatchSummary{};
  }

  std::unique_ptr<QTemporaryDir> folder_;
};

}  // namespace sfumato::testing
