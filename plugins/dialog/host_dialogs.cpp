// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Goes from the dialog of one filter to that of several when a button is clicked or a recipe
// dropped.
#include "dialog/host_dialogs.hpp"

#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QDropEvent>
#include <QPushButton>
#include <QTimer>

#include "dialog/application.hpp"
#include "dialog/language.hpp"
#include "dialog/recipe_dialog.hpp"
#include "filters/registry.hpp"

namespace sfumato::hosts {
namespace {

// The result of the dialog of one filter if several are wanted.
constexpr int several = 2;

// Accepts a recipe file that is dropped on a dialog.
class Drops final : public QObject {
 public:
  explicit Drops(QDialog& dialog) : QObject(&dialog), dialog_(dialog) {
    dialog.setAcceptDrops(true);
    dialog.installEventFilter(this);
  }
  const QString& file() const { return file_; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() != QEvent::DragEnter && event->type() != QEvent::Drop) {
      return QObject::eventFilter(watched, event);
    }
    auto* drop = static_cast<QDropEvent*>(event);
    const QString path = dropped_recipe(drop->mimeData());
    if (path.isEmpty()) return false;
    drop->acceptProposedAction();
    if (event->type() == QEvent::Drop) {
      file_ = path;
      dialog_.done(several);
    }
    return true;
  }

 private:
  QDialog& dialog_;
  QString file_;
};

// Shows a dialog, and closes it if the host ends, as nobody could use the result.
template <typename Dialog>
int shown(Dialog& dialog, const Question& question, const std::string& notice) {
  if (!notice.empty()) dialog.say(QString::fromStdString(notice));
  put_before(dialog, question.host_window);
  QTimer watch;
  QObject::connect(&watch, &QTimer::timeout, &dialog, [&] {
    if (question.host_is_there && !question.host_is_there()) dialog.reject();
  });
  watch.start(500);
  return dialog.exec();
}

}  // namespace

void begin_with(Question& question, const std::string& recipe) {
  try {
    question.last = parse_recipe(recipe, Registry::get());
  } catch (const std::runtime_error& error) {  // of the recipe, or of a parameter in it
    question.notice = user_text(
        message({"host.last_filter", "The last filter cannot be read: {why}"}, message_in(error)));
  }
}

std::optional<Recipe> ask_for_recipe(const Question& question) {
  gui::FilterChoice choice;
  choice.filter = question.filter;
  choice.category = question.category;
  const bool any = question.filter.empty();
  const bool many = question.last && question.last->steps.size() > 1;
  Recipe begin;
  QString file;
  if (many && any && question.category.empty()) {
    begin = *question.last;
  } else {
    if (question.last && question.last->steps.size() == 1) {
      choice.first = question.last->steps[0].filter;
      choice.values = question.last->steps[0].values;
    }
    gui::FilterDialog dialog(question.picture, choice, question.session, question.layers);
    const Drops* drops = any ? new Drops(dialog) : nullptr;
    if (auto* box = dialog.findChild<QDialogButtonBox*>(); any && box != nullptr) {
      auto* more = box->addButton(QCoreApplication::translate("Hosts", "Several filters…"),
                                  QDialogButtonBox::ActionRole);
      more->setToolTip(QCoreApplication::translate(
          "Hosts", "Filters one after another, presets of several steps, recipes"));
      more->setAutoDefault(false);
      QObject::connect(more, &QPushButton::clicked, &dialog, [&] { dialog.done(several); });
    }
    const int end = shown(dialog, question, question.notice);
    if (end == QDialog::Accepted) return dialog.recipe();
    if (end != several) return std::nullopt;
    begin = dialog.recipe();
    if (drops != nullptr) file = drops->file();
  }
  RecipeDialog dialog(question.picture, begin, question.session, question.layers);
  if (!file.isEmpty()) dialog.open_recipe(file);
  if (shown(dialog, question, {}) != QDialog::Accepted) return std::nullopt;
  return dialog.recipe();
}

}  // namespace sfumato::hosts
