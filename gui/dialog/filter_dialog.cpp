// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The dialog put together from the editor's parts.
#include "dialog/filter_dialog.hpp"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWindow>

#include "document/aside.hpp"
#include "engine/presets.hpp"
#include "filters/registry.hpp"
#include "params/keyboard.hpp"
#include "params/model_text.hpp"
#include "params/parameter_panel.hpp"
#include "params/response_plot.hpp"
#include "preview/preview_view.hpp"
#include "preview/screen_profile.hpp"

namespace sfumato::gui {

FilterDialog::FilterDialog(PicturePtr picture, const std::string& filter, const Values& values,
                           SessionOptions options, QWidget* parent)
    : QDialog(parent),
      renderer_(std::move(options)),
      preview_(new PreviewView(renderer_, this)),
      parameters_(new ParameterPanel(this)),
      response_(new ResponsePlot(this)),
      filters_(new QComboBox(this)),
      presets_(new QComboBox(this)),
      summary_(new QLabel(this)),
      notice_(new QLabel(this)) {
  set_up(filter.empty());
  preview_->set_picture(std::move(picture));
  choose_filter(filter.empty() ? Registry::get().all().front().filter->info().id : filter, values);
  connect(parameters_, &ParameterPanel::value_changed, this,
          [this](const std::string& name, const Value& value, bool) {
            Values& now = recipe_.steps[0].values;
            now.set(name, value);
            parameters_->set_values(now);
            preview_->set_recipe(recipe_);
            response_->show_step(recipe_.steps[0]);
          });
}

FilterDialog::~FilterDialog() = default;

void FilterDialog::set_up(bool choose) {
  set_up_choices(choose);
  notice_->setWordWrap(true);
  notice_->setTextFormat(Qt::PlainText);
  notice_->hide();
  connect(&renderer_, &Renderer::warned, notice_, [this](const QString& sentence) {
    notice_->setText(sentence);
    notice_->show();
  });
  auto* splitter = new QSplitter(this);
  splitter->addWidget(make_left());
  splitter->addWidget(make_right());
  splitter->setStretchFactor(0, 1);
  splitter->setSizes({640, 340});
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(splitter, 1);
  layout->addWidget(buttons);
  resize(1000, 620);
}

void FilterDialog::set_up_choices(bool choose) {
  filters_->setAccessibleName(tr("Filter"));
  filters_->setVisible(choose);
  for (const RegisteredFilter& entry : Registry::get().all()) {
    const FilterInfo& info = entry.filter->info();
    filters_->addItem(label_of(info), QString::fromStdString(info.id));
  }
  connect(filters_, &QComboBox::activated, this,
          [this] { choose_filter(filters_->currentData().toString().toStdString(), {}); });
  presets_->setAccessibleName(tr("Preset"));
  connect(presets_, &QComboBox::activated, this, &FilterDialog::take_preset);
  summary_->setWordWrap(true);
}

// The preview, how it shows, and what the engine has to say.
QWidget* FilterDialog::make_left() {
  auto* modes = new QHBoxLayout;
  const auto mode = [&](const QString& text, PreviewMode which) {
    auto* button = new QToolButton(this);
    button->setText(text);
    button->setCheckable(true);
    button->setAutoExclusive(true);
    button->setChecked(which == PreviewMode::split);
    connect(button, &QToolButton::clicked, this, [this, which] { preview_->set_mode(which); });
    modes->addWidget(button);
  };
  mode(tr("Split"), PreviewMode::split);
  mode(tr("Side by side"), PreviewMode::side_by_side);
  mode(tr("Result only"), PreviewMode::single);
  modes->addStretch();
  for (const auto& [text, slot] :
       {std::pair(tr("Fit"), &PreviewView::fit), std::pair(tr("1:1"), &PreviewView::zoom_full)}) {
    auto* button = new QToolButton(this);
    button->setText(text);
    connect(button, &QToolButton::clicked, preview_, slot);
    modes->addWidget(button);
  }
  auto* left = new QWidget(this);
  auto* layout = new QVBoxLayout(left);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(preview_, 1);
  layout->addWidget(notice_);
  layout->addLayout(modes);
  return left;
}

QWidget* FilterDialog::make_right() {
  auto* right = new QWidget(this);
  auto* layout = new QVBoxLayout(right);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(filters_);
  layout->addWidget(summary_);
  layout->addWidget(presets_);
  layout->addWidget(parameters_, 1);
  layout->addWidget(response_);
  return right;
}

void FilterDialog::showEvent(QShowEvent* event) {
  QDialog::showEvent(event);
  connect(windowHandle(), &QWindow::screenChanged, this, &FilterDialog::use_screen_profile,
          Qt::UniqueConnection);
  use_screen_profile();
}

void FilterDialog::use_screen_profile() {
  preview_->set_screen_profile(screen_profile_of(this));
}

void FilterDialog::choose_filter(const std::string& filter, const Values& values) {
  const FilterInfo& info = Registry::get().at(filter).filter->info();
  recipe_ = recipe_of(info, complete(info.parameters, values));
  filters_->setCurrentIndex(filters_->findData(QString::fromStdString(filter)));
  summary_->setText(model_text(info.summary));
  setWindowTitle(tr("Sfumato: %1").arg(label_of(info)));
  parameters_->show_filter(info.parameters, recipe_.steps[0].values);
  if (const PicturePtr& picture = preview_->picture(); picture && !picture->path.empty()) {
    QStringList names;
    for (const std::string& name : picture->all_channels) names << QString::fromStdString(name);
    parameters_->offer_channels(QString::fromStdString(picture->path.string()), names);
  }
  tab_along(*layout());
  preview_->set_recipe(recipe_);
  response_->show_step(recipe_.steps[0]);
  fill_presets();
}

// The presets of one step with this filter; files are read beside the GUI thread.
void FilterDialog::fill_presets() {
  struct Found {
    QStringList names;
    std::vector<Values> values;
  };
  presets_->hide();
  aside(
      this,
      [filter = recipe_.steps[0].filter] {
        Found found;
        const Presets presets(user_preset_folder());
        for (const Preset& preset : presets.all()) {
          try {
            const Recipe recipe = preset.recipe();
            if (recipe.steps.size() != 1 || recipe.steps[0].filter != filter) continue;
            found.names << model_text(preset.name);
            found.values.push_back(recipe.steps[0].values);
          } catch (const std::exception&) {
            // `sfumato presets` says what is wrong with it
          }
        }
        return found;
      },
      [this, filter = recipe_.steps[0].filter](const Found& found) {
        if (recipe_.steps[0].filter != filter) return;  // another was chosen meanwhile
        preset_values_ = found.values;
        presets_->clear();
        presets_->addItem(tr("Defaults"));
        presets_->addItems(found.names);
        presets_->show();
      });
}

void FilterDialog::take_preset(int index) {
  const FilterInfo& info = Registry::get().at(recipe_.steps[0].filter).filter->info();
  recipe_.steps[0].values = index == 0 ? defaults(info.parameters)
                                       : preset_values_.at(static_cast<std::size_t>(index) - 1);
  parameters_->set_values(recipe_.steps[0].values);
  preview_->set_recipe(recipe_);
  response_->show_step(recipe_.steps[0]);
}

}  // namespace sfumato::gui
