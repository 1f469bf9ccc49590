// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Assembles the dialog from the editor's parts.
#include "dialog/filter_dialog.hpp"

#include <QAbstractButton>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "app/filter_browser.hpp"
#include "dialog/preview_pane.hpp"
#include "document/background.hpp"
#include "engine/presets.hpp"
#include "filters/registry.hpp"
#include "params/core_text.hpp"
#include "params/keyboard.hpp"
#include "params/model_text.hpp"
#include "params/parameter_panel.hpp"
#include "params/response_plot.hpp"
#include "preview/preview_view.hpp"
#include "preview/thumbnails.hpp"

namespace sfumato::gui {
namespace {

constexpr int beside_rows = 12;            // margin of the parameter panel
constexpr char best_known[] = "gaussian";  // shown by default at first use

QTreeWidgetItem* item_of(const QTreeWidget& tree, const std::string& filter) {
  for (int i = 0; i < tree.topLevelItemCount(); ++i) {
    for (int j = 0; j < tree.topLevelItem(i)->childCount(); ++j) {
      QTreeWidgetItem* item = tree.topLevelItem(i)->child(j);
      if (item->data(0, Qt::UserRole).toString().toStdString() == filter) return item;
    }
  }
  return nullptr;
}

bool wants_another_picture(const FilterInfo& info) {
  return std::any_of(info.roles.begin(), info.roles.end(),
                     [](const RoleInfo& role) { return role.required; });
}

// The filter shown first: one with a visible effect.
std::string first_of(const FilterChoice& choice) {
  if (!choice.filter.empty()) return choice.filter;
  const std::string& category = choice.category;
  for (const std::string& id : {choice.first, std::string(best_known)}) {
    const RegisteredFilter* requested = Registry::get().find(id);
    if (requested != nullptr &&
        (category.empty() || requested->filter->info().category == category)) {
      return id;
    }
  }
  for (const RegisteredFilter& entry : Registry::get().all()) {
    const FilterInfo& info = entry.filter->info();
    if (!wants_another_picture(info) && (category.empty() || info.category == category)) {
      return info.id;
    }
  }
  return Registry::get().all().front().filter->info().id;
}

}  // namespace

FilterDialog::FilterDialog(PicturePtr picture, const std::string& filter, const Values& values,
                           SessionOptions options, QWidget* parent)
    : FilterDialog(std::move(picture), FilterChoice{filter, {}, values, {}}, std::move(options),
                   nullptr, parent) {}

FilterDialog::FilterDialog(PicturePtr picture, const FilterChoice& choice, SessionOptions options,
                           HostLayers* layers, QWidget* parent)
    : QDialog(parent),
      renderer_(std::move(options)),
      layers_(layers),
      pane_(new PreviewPane(renderer_, this)),
      parameters_(new ParameterPanel(this)),
      response_(new ResponsePlot(this)),
      presets_(new QComboBox(this)),
      title_(new QLabel(this)),
      summary_(new QLabel(this)) {
  set_up(picture, choice);
  preview().set_picture(std::move(picture));
  const std::string first = first_of(choice);
  const bool started = first == choice.filter || first == choice.first;
  choose_filter(first, started ? choice.values : Values{});
  connect(parameters_, &ParameterPanel::value_changed, this,
          [this](const std::string& name, const Value& value, bool) {
            Values& now = recipe_.steps[0].values;
            now.set(name, value);
            parameters_->set_values(now);
            show_recipe();
            show_preset();
          });
}

FilterDialog::~FilterDialog() = default;

PreviewView& FilterDialog::preview() {
  return pane_->view();
}

void FilterDialog::say(const QString& sentence) {
  pane_->say(sentence);
}

QString FilterDialog::notice() const {
  return pane_->notice();
}

void FilterDialog::set_up(const PicturePtr& picture, const FilterChoice& choice) {
  set_up_presets();
  if (layers_ != nullptr) {
    QStringList names;
    for (const std::string& name : layers_->names()) names << QString::fromStdString(name);
    parameters_->offer_layers(names);
  }
  auto* splitter = new QSplitter(this);
  if (choice.filter.empty()) {
    set_up_browser(picture);
    splitter->addWidget(browser_);
  }
  splitter->addWidget(pane_);
  splitter->addWidget(make_right());
  splitter->setStretchFactor(browser_ != nullptr ? 1 : 0, 1);
  splitter->setSizes(browser_ != nullptr ? QList<int>{230, 640, 340} : QList<int>{640, 340});
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(splitter, 1);
  layout->addWidget(buttons);
  resize(browser_ != nullptr ? 1240 : 1000, browser_ != nullptr ? 720 : 620);
}

// A click on a filter shows it, as do the arrow keys, and Return after a search.
void FilterDialog::set_up_browser(const PicturePtr& picture) {
  browser_ = new FilterBrowser(this);
  auto* tree = browser_->findChild<QTreeWidget*>();
  const auto take = [this](const QTreeWidgetItem* item) {
    if (item != nullptr) go_to(item->data(0, Qt::UserRole).toString().toStdString());
  };
  connect(tree, &QTreeWidget::itemClicked, this, take);
  connect(tree, &QTreeWidget::currentItemChanged, this, [tree, take](const QTreeWidgetItem* item) {
    if (tree->hasFocus()) take(item);
  });
  connect(browser_, &FilterBrowser::chosen, this, &FilterDialog::go_to);
  // The editor's help on adding to a list does not apply here.
  browser_->findChild<QLineEdit*>()->setToolTip(QString());
  for (const RegisteredFilter& entry : Registry::get().all()) {
    const FilterInfo& info = entry.filter->info();
    if (auto* item = item_of(*tree, info.id)) item->setToolTip(0, model_text(info.summary));
  }
  browser_->set_picture(picture);
  connect(&renderer_, &PreviewRenderer::started, browser_,
          [this] { browser_->thumbnails().pause(true); });
  connect(&renderer_, &PreviewRenderer::idle, browser_,
          [this] { browser_->thumbnails().pause(false); });
}

void FilterDialog::set_up_presets() {
  presets_->setAccessibleName(tr("Preset"));
  presets_->setPlaceholderText(tr("Own settings"));
  connect(presets_, &QComboBox::activated, this, &FilterDialog::take_preset);
  QFont bold = title_->font();
  bold.setBold(true);
  title_->setFont(bold);
  summary_->setWordWrap(true);
}

// Return in the search field must not press OK.
void FilterDialog::keyPressEvent(QKeyEvent* event) {
  const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  const QWidget* focus = focusWidget();
  if (enter && browser_ != nullptr && focus != nullptr && browser_->isAncestorOf(focus)) return;
  QDialog::keyPressEvent(event);
}

// Switches to another filter, with its last values.
void FilterDialog::go_to(const std::string& filter) {
  Step& now = recipe_.steps[0];
  if (filter.empty() || filter == now.filter) return;
  left_[now.filter] = now.values;
  const auto found = left_.find(filter);
  choose_filter(filter, found != left_.end() ? found->second : Values{});
}

// The preview is computed from files; the recipe still names layers.
void FilterDialog::show_recipe() {
  pane_->hide_message();
  try {
    preview().set_recipe(layers_ != nullptr ? with_files(recipe_, *layers_) : recipe_);
  } catch (const std::exception& error) {
    pane_->say(core_text(message_in(error)));
  }
  response_->show_step(&recipe_.steps[0]);
}

QWidget* FilterDialog::make_right() {
  auto* right = new QWidget(this);
  auto* layout = new QVBoxLayout(right);
  layout->setContentsMargins(0, 0, 0, 0);
  auto* head = new QVBoxLayout;
  head->setContentsMargins(beside_rows, 0, beside_rows, 0);
  head->addWidget(title_);
  head->addWidget(summary_);
  head->addWidget(presets_);
  layout->addLayout(head);
  layout->addWidget(parameters_, 1);
  auto* foot = new QVBoxLayout;
  foot->setContentsMargins(beside_rows, 0, beside_rows, 0);
  foot->addWidget(response_);
  layout->addLayout(foot);
  return right;
}

void FilterDialog::choose_filter(const std::string& filter, const Values& values) {
  const FilterInfo& info = Registry::get().at(filter).filter->info();
  recipe_ = recipe_of(info, complete(info.parameters, values));
  if (browser_ != nullptr) {
    auto* tree = browser_->findChild<QTreeWidget*>();
    tree->setCurrentItem(item_of(*tree, filter));
  }
  title_->setText(label_of(info));
  summary_->setText(model_text(info.summary));
  setWindowTitle(tr("Sfumato: %1").arg(label_of(info)));
  parameters_->show_filter(info.parameters, recipe_.steps[0].values);
  if (const PicturePtr& picture = preview().picture(); picture && !picture->path.empty()) {
    QStringList names;
    for (const std::string& name : picture->all_channels) names << QString::fromStdString(name);
    parameters_->offer_channels(QString::fromStdString(picture->path.string()), names);
  }
  tab_along(*layout());
  // The button that cancels a render is on the preview, outside any layout.
  for (auto* own : preview().findChildren<QAbstractButton*>())
    QWidget::setTabOrder(&preview(), own);
  show_recipe();
  fill_presets();
}

// The presets of one step with this filter; files are read off the GUI thread.
void FilterDialog::fill_presets() {
  struct Found {
    QStringList names;
    std::vector<Values> values;
  };
  presets_->hide();
  presets_->clear();  // those of the previous filter
  preset_values_.clear();
  in_background(
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
            // `sfumato presets` reports damaged ones
          }
        }
        return found;
      },
      [this, filter = recipe_.steps[0].filter](const Found& found) {
        if (recipe_.steps[0].filter != filter) return;  // another filter was chosen meanwhile
        preset_values_ = found.values;
        presets_->clear();
        presets_->addItem(tr("Defaults"));
        presets_->addItems(found.names);
        show_preset();
        presets_->show();
      });
}

// Selects the preset with these values, if any.
void FilterDialog::show_preset() {
  if (presets_->count() == 0) return;  // presets are still being read
  const Step& now = recipe_.steps[0];
  const FilterInfo& info = Registry::get().at(now.filter).filter->info();
  const auto same = [&](const Values& values) {
    return complete(info.parameters, values) == now.values;
  };
  const auto found = std::find_if(preset_values_.begin(), preset_values_.end(), same);
  int index = -1;
  if (same(defaults(info.parameters))) {
    index = 0;
  } else if (found != preset_values_.end()) {
    index = static_cast<int>(found - preset_values_.begin()) + 1;
  }
  presets_->setCurrentIndex(index);
}

void FilterDialog::take_preset(int index) {
  const FilterInfo& info = Registry::get().at(recipe_.steps[0].filter).filter->info();
  recipe_.steps[0].values = index == 0 ? defaults(info.parameters)
                                       : preset_values_.at(static_cast<std::size_t>(index) - 1);
  parameters_->set_values(recipe_.steps[0].values);
  show_recipe();
  show_preset();
}

}  // namespace sfumato::gui
