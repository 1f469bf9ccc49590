// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Around the picture: filters and steps, histogram, navigator, spectrum, parameters.
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QScreen>
#include <QSettings>
#include <QTabBar>
#include <QTimer>
#include <QVBoxLayout>
#include <QWindow>
#include <chrono>
#include <utility>

#include "app/filter_browser.hpp"
#include "app/main_window.hpp"
#include "app/stack_view.hpp"
#include "document/background.hpp"
#include "filters/registry.hpp"
#include "params/model_text.hpp"
#include "params/parameter_panel.hpp"
#include "params/response_plot.hpp"
#include "preview/histogram_view.hpp"
#include "preview/navigator.hpp"
#include "preview/preview_view.hpp"
#include "preview/recipe_fault.hpp"
#include "preview/screen_profile.hpp"
#include "preview/spectrum_view.hpp"
#include "preview/thumbnails.hpp"

namespace sfumato::gui {
namespace {

constexpr auto geometry_key = "window/geometry", layout_key = "window/layout";
constexpr auto calm_after = std::chrono::milliseconds(300);  // without rendering
constexpr int layout_version = 1;  // increases when docks are added or renamed

// With the same margin as the parameters.
QWidget* framed(QWidget* widget) {
  auto* frame = new QWidget(widget->parentWidget());
  auto* layout = new QVBoxLayout(frame);
  layout->setContentsMargins(8, 6, 8, 6);
  layout->addWidget(widget);
  return frame;
}

}  // namespace

QDockWidget* MainWindow::add_dock(const QString& title, const char* name, QWidget* widget,
                                  Qt::DockWidgetArea area) {
  auto* made = new QDockWidget(title, this);
  made->setObjectName(QLatin1String(name));
  made->setWidget(widget);
  made->setFeatures(QDockWidget::DockWidgetMovable | QDockWidget::DockWidgetClosable);
  addDockWidget(area, made);
  return made;
}

void MainWindow::make_docks() {
  browser_ = new FilterBrowser(this);
  stack_ = new StackView(document_, this);
  histogram_ = new HistogramView(this);
  navigator_ = new Navigator(*preview_, this);
  spectrum_ = new SpectrumView(settings_.session(), this);
  connect(spectrum_, &SpectrumView::hovered, this, [this](const QString& wave) {
    place_->clear();
    values_->setText(wave);
  });
  parameters_ = new ParameterPanel(this);
  response_ = new ResponsePlot(this);
  auto* step = new QWidget(this);
  auto* layout = new QVBoxLayout(step);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  heading_ = new QLabel(this);
  heading_->setTextFormat(Qt::PlainText);
  heading_->setContentsMargins(12, 10, 12, 0);
  heading_->setWordWrap(true);
  QFont bold = heading_->font();
  bold.setBold(true);
  heading_->setFont(bold);
  heading_->hide();
  layout->addWidget(heading_);
  layout->addWidget(parameters_, 1);
  layout->addWidget(framed(response_));

  setTabPosition(Qt::RightDockWidgetArea, QTabWidget::North);
  auto* filters = add_dock(tr("Filters"), "filters", browser_, Qt::LeftDockWidgetArea);
  auto* steps = add_dock(tr("Steps"), "steps", stack_, Qt::LeftDockWidgetArea);
  auto* histogram =
      add_dock(tr("Histogram"), "histogram", framed(histogram_), Qt::RightDockWidgetArea);
  auto* parameters = add_dock(tr("Parameters"), "parameters", step, Qt::RightDockWidgetArea);
  auto* navigator =
      add_dock(tr("Navigator"), "navigator", framed(navigator_), Qt::RightDockWidgetArea);
  auto* spectrum = add_dock(tr("Spectrum"), "spectrum", framed(spectrum_), Qt::RightDockWidgetArea);
  tabifyDockWidget(histogram, navigator);
  tabifyDockWidget(histogram, spectrum);
  histogram->raise();
  // Their tabs already show the titles.
  for (QDockWidget* tab : {histogram, navigator, spectrum})
    tab->setTitleBarWidget(new QWidget(tab));
  resizeDocks({filters, parameters}, {250, 340}, Qt::Horizontal);
  resizeDocks({filters, steps}, {460, 240}, Qt::Vertical);
  resizeDocks({histogram, parameters}, {190, 560}, Qt::Vertical);
  connect_docks();
}

void MainWindow::connect_docks() {
  // A new filter's parameters are edited next; deferred until they exist.
  connect(
      browser_, &FilterBrowser::chosen, parameters_, [this] { parameters_->focus_first(); },
      Qt::QueuedConnection);
  connect(&renderer_, &PreviewRenderer::counted, histogram_,
          [this](const ResultPtr& result, const Histogram& after) {
            if (result->request.picture != document_.picture()) return;
            histogram_->set_histograms(result->before_histogram, after);
          });
  connect(&document_, &Document::picture_changed, histogram_, &HistogramView::clear);
  connect(&document_, &Document::current_changed, this, &MainWindow::show_heading);
  connect(&document_, &Document::stack_changed, this, &MainWindow::show_heading);
  connect(&document_, &Document::recipe_changed, stack_, [this] { stack_->mark(-1); });
  connect(&renderer_, &PreviewRenderer::failed, stack_,
          [this](const QString& why) { stack_->mark(faulty_step(document_.recipe()), why); });
  // The preview has all processors, even between the moves of a slider.
  const auto hold = [this](bool held) {
    browser_->thumbnails().pause(held);
    spectrum_->pause(held);
  };
  auto* calm = new QTimer(this);
  calm->setSingleShot(true);
  calm->setInterval(calm_after);
  connect(calm, &QTimer::timeout, this, [this, hold] {
    if (!renderer_.is_busy()) hold(false);
  });
  connect(&renderer_, &PreviewRenderer::started, this, [hold, calm] {
    calm->stop();
    hold(true);
  });
  connect(&renderer_, &PreviewRenderer::idle, calm, qOverload<>(&QTimer::start));
}

// The filter that the parameters belong to.
void MainWindow::show_heading() {
  const Step* step = document_.current_step();
  heading_->setVisible(step != nullptr);
  if (step == nullptr) return;
  const FilterInfo& info = Registry::get().at(step->filter).filter->info();
  heading_->setText(label_of(info));
  heading_->setToolTip(model_text(info.summary));
}

// Docks keep their sizes only if the window already has its own, which it gets when first shown.
void MainWindow::restore_layout() {
  if (std::exchange(layout_restored_, true)) return;
  const QSettings settings;
  restoreGeometry(settings.value(QLatin1String(geometry_key)).toByteArray());
  restoreState(settings.value(QLatin1String(layout_key)).toByteArray(), layout_version);
}

void MainWindow::save_layout() const {
  QSettings settings;
  settings.setValue(QLatin1String(geometry_key), saveGeometry());
  settings.setValue(QLatin1String(layout_key), saveState(layout_version));
}

void MainWindow::showEvent(QShowEvent* event) {
  restore_layout();
  QMainWindow::showEvent(event);
  for (QTabBar* tabs : findChildren<QTabBar*>(Qt::FindDirectChildrenOnly)) {
    tabs->setAccessibleName(tr("Views of the picture"));
  }
  connect(windowHandle(), &QWindow::screenChanged, this, &MainWindow::use_screen_profile,
          Qt::UniqueConnection);
  use_screen_profile();
}

void MainWindow::use_screen_profile() {
  if (settings_.screen_profile.isEmpty()) {
    show_for_screen(screen_profile_of(this));
    return;
  }
  in_background(
      this,
      [path = settings_.screen_profile]() -> QByteArray {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
      },
      [this](const QByteArray& profile) { show_for_screen(profile); });
}

void MainWindow::show_for_screen(const QByteArray& profile) {
  preview_->set_screen_profile(profile);
  browser_->thumbnails().set_screen_profile(profile);
}

}  // namespace sfumato::gui
