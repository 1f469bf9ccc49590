// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The dialogs for hosts: from one filter to several, by a button, a preset, or a file that is
// opened or dropped; the accepted recipe is the file's, and is previewed on the way.
#include <QApplication>
#include <QDialogButtonBox>
#include <QDropEvent>
#include <QFile>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QUrl>
#include <functional>

#include "app/preset_menu.hpp"
#include "app/stack_view.hpp"
#include "dialog/host_dialogs.hpp"
#include "dialog/language.hpp"
#include "dialog/recipe_dialog.hpp"
#include "filters/registry.hpp"
#include "gui/opened.hpp"
#include "io/io.hpp"
#include "params/layer_reference.hpp"
#include "params/parameter_panel.hpp"
#include "preview/preview_view.hpp"
#include "support/registry_walk.hpp"

using namespace sfumato;
using namespace sfumato::hosts;
using namespace sfumato::testing;

namespace {

constexpr int patience = 60000;

SessionOptions on_reference() {
  SessionOptions options;
  options.device = "reference";
  return options;
}

// A host without layers that is asked for one nevertheless.
class NoLayers final : public gui::HostLayers {
 public:
  const std::vector<std::string>& names() const override { return names_; }
  std::filesystem::path file_of(const std::string& name) override {
    throw FileError(message(
        {"layer.unknown", "There is no layer called \"{layer}\" to take pixels from."}, name));
  }

 private:
  std::vector<std::string> names_;
};

void drop(QWidget& on, const QString& file) {
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(file)});
  QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&on, &enter);
  QVERIFY(enter.isAccepted());
  QDropEvent dropped(QPointF(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&on, &dropped);
}

// Applies `what` to the window of that kind once it appears.
template <typename Window>
void when_shown(std::function<void(Window&)> what) {
  auto* timer = new QTimer(qApp);
  QObject::connect(timer, &QTimer::timeout, timer, [timer, what = std::move(what)] {
    auto* window = qobject_cast<Window*>(QApplication::activeModalWidget());
    if (window == nullptr) return;
    timer->deleteLater();
    timer->stop();
    what(*window);
  });
  timer->start(20);
}

QPushButton* button(QWidget& in, const QString& text) {
  for (auto* one : in.findChildren<QPushButton*>()) {
    if (one->text() == text) return one;
  }
  return nullptr;
}

}  // namespace

class TestRecipeDialog : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir folder_;
  Recipe several_;

  QString path(const char* name) const { return folder_.filePath(QLatin1String(name)); }
  void put(const char* name, const std::string& text) const {
    QFile file(path(name));
    QVERIFY(file.open(QFile::WriteOnly));
    file.write(QByteArray::fromStdString(text));
  }

 private Q_SLOTS:
  void initTestCase() {
    name_program();
    qputenv("XDG_DATA_HOME", folder_.path().toUtf8());  // no presets of the user's
    several_ = one_step("gaussian", {{"sigma", "1.5"}});
    several_.steps.push_back(one_step("median", {{"radius", "2"}}).steps[0]);
    several_.steps.push_back(one_step("grayscale", {{"mix", "0.4"}}).steps[0]);
    several_.steps[1].enabled = false;
    put("several.json", print_recipe(several_, Registry::get()));
    put("broken.json", "{\"sfumato\": 1, \"steps\": [{\"filter\": \"gausian\"}]}");
  }

  void a_recipe_is_opened_and_dropped() {
    RecipeDialog dialog(opened(80, 60), one_step("box", Values()), on_reference(), nullptr);
    dialog.show();
    auto* accept = button(dialog, QStringLiteral("OK"));
    dialog.open_recipe(path("several.json"));
    QVERIFY2(dialog.notice().isEmpty(), qPrintable(dialog.notice()));
    QVERIFY(dialog.recipe() == several_);
    // The preview shows this recipe.
    Recipe seen;
    connect(&dialog.preview(), &gui::PreviewView::shown, this,
            [&seen](const gui::ResultPtr& result) { seen = result->request.recipe; });
    QVERIFY(QTest::qWaitFor([&] { return seen.steps.size() == 3 && !dialog.preview().is_busy(); },
                            patience));
    QVERIFY(accept == nullptr || accept->isEnabled());
    // What is no recipe changes nothing, and is said.
    dialog.open_recipe(path("broken.json"));
    QVERIFY2(dialog.notice().contains(QStringLiteral("gaussian")), qPrintable(dialog.notice()));
    dialog.open_recipe(path("nowhere.json"));
    QVERIFY(dialog.notice().contains(QStringLiteral("no such file")));
    QVERIFY(dialog.recipe() == several_);
    dialog.document().replace_recipe(one_step("box", Values()), {});
    QVERIFY(dialog.notice().isEmpty());
    drop(dialog, path("several.json"));
    QVERIFY(dialog.recipe() == several_);
  }

  void steps_are_changed_one_by_one() {
    RecipeDialog dialog(opened(80, 60), several_, on_reference(), nullptr);
    dialog.show();
    QVERIFY(dialog.findChild<gui::StackView*>() != nullptr);
    dialog.document().set_current(2);
    Q_EMIT dialog.parameters().value_changed("mix", Value(0.7), true);
    QCOMPARE(std::get<double>(dialog.recipe().steps[2].values.at("mix")), 0.7);
    dialog.document().add_step("emboss");
    QCOMPARE(dialog.document().size(), 4);
    dialog.document().undo_stack().undo();
    dialog.document().undo_stack().undo();
    QVERIFY(dialog.recipe() == several_);
    QVERIFY(!dialog.document().undo_stack().canUndo());
    // Nothing is left to apply.
    for (int i = 0; i < 3; ++i) dialog.document().remove_step(0);
    auto* box = dialog.findChild<QDialogButtonBox*>();
    QVERIFY(box != nullptr && !box->button(QDialogButtonBox::Ok)->isEnabled());
  }

  void presets_of_several_steps() {
    RecipeDialog dialog(opened(80, 60), one_step("box", Values()), on_reference(), nullptr);
    auto* menu = dialog.findChild<gui::PresetMenu*>();
    QVERIFY(menu != nullptr);
    QVERIFY(QTest::qWaitFor([&] { return !menu->presets().empty(); }, patience));
    const auto& all = menu->presets();
    const auto found = std::find_if(all.begin(), all.end(),
                                    [](const Preset& preset) { return preset.id == "orton"; });
    QVERIFY(found != all.end());
    menu->apply(*found);
    QVERIFY(dialog.recipe().steps.size() > 1);
    QCOMPARE(dialog.recipe().steps.size(), found->recipe().steps.size());
  }

  void a_layer_that_is_not_there_is_said() {
    NoLayers layers;
    const Recipe recipe =
        one_step("joint_bilateral", {{"guide", std::string(layer_prefix) + "Sky"}});
    RecipeDialog dialog(opened(80, 60), recipe, on_reference(), &layers);
    QVERIFY2(dialog.notice().contains(QStringLiteral("\"Sky\"")), qPrintable(dialog.notice()));
  }

  void from_one_filter_to_several() {
    Question question;
    question.picture = opened(80, 60);
    question.session = on_reference();
    when_shown<gui::FilterDialog>([](gui::FilterDialog& dialog) {
      auto* more = button(dialog, QStringLiteral("Several filters…"));
      QVERIFY(more != nullptr);
      more->click();
    });
    when_shown<RecipeDialog>([this](RecipeDialog& dialog) {
      QCOMPARE(dialog.document().size(), 1);
      drop(dialog, path("several.json"));
      dialog.accept();
    });
    std::optional<Recipe> answer = ask_for_recipe(question);
    QVERIFY(answer && *answer == several_);
    // The next time it starts with them.
    question.last = several_;
    when_shown<RecipeDialog>([](RecipeDialog& dialog) { dialog.accept(); });
    answer = ask_for_recipe(question);
    QVERIFY(answer && *answer == several_);
    when_shown<RecipeDialog>([](RecipeDialog& dialog) { dialog.reject(); });
    QVERIFY(!ask_for_recipe(question));
  }

  void dropped_on_the_dialog_of_one_filter() {
    Question question;
    question.picture = opened(80, 60);
    question.session = on_reference();
    when_shown<gui::FilterDialog>(
        [this](gui::FilterDialog& dialog) { drop(dialog, path("several.json")); });
    when_shown<RecipeDialog>([](RecipeDialog& dialog) { dialog.accept(); });
    const std::optional<Recipe> answer = ask_for_recipe(question);
    QVERIFY(answer && *answer == several_);
  }

  // For example from a newer version: the dialog still opens, with a message.
  void what_was_kept_cannot_be_read() {
    for (const char* kept : {"{\"sfumato\": 99, \"steps\": []}", "not JSON",
                             "{\"sfumato\": 1, \"steps\": [{\"filter\": \"gausian\"}]}",
                             "{\"sfumato\": 1, \"steps\": [{\"filter\": \"gaussian\", "
                             "\"values\": {\"sigma\": \"much\"}}]}",
                             "{\"sigma\": 1, \"steps\": []}",
                             "{\"sfumato\": 1, \"steps\": [{\"filter\": \"gaussian\", "
                             "\"version\": 99}]}"}) {
      Question question;
      question.picture = opened(80, 60);
      question.session = on_reference();
      begin_with(question, kept);
      QVERIFY(!question.last);
      QString said;
      when_shown<gui::FilterDialog>([&said](gui::FilterDialog& dialog) {
        said = dialog.notice();
        dialog.accept();
      });
      QVERIFY(ask_for_recipe(question));
      QVERIFY2(said.startsWith(QStringLiteral("The last filter cannot be read: ")),
               qPrintable(said));
    }
    Question question;
    begin_with(question, print_recipe(several_, Registry::get()));
    QVERIFY(question.last == several_ && question.notice.empty());
  }

  // When the host is gone, the window closes, whichever is open.
  void a_host_that_is_gone() {
    Question question;
    question.picture = opened(80, 60);
    question.session = on_reference();
    question.host_is_there = [] { return false; };
    QVERIFY(!ask_for_recipe(question));
    question.last = several_;
    QVERIFY(!ask_for_recipe(question));
  }

  void sentences_of_hosts() {
    const Message known = message(
        {"layer.unknown", "There is no layer called \"{layer}\" to take pixels from."}, "a");
    QCOMPARE(user_text({foreign_message("Nobody knows this."), known}),
             "Nobody knows this.\n" + in_english(known));
  }
};

QTEST_MAIN(TestRecipeDialog)
#include "test_recipe_dialog.moc"
