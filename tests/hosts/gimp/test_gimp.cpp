// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// GIMP's console runs every filter's procedure: the session's pixels, in every precision, on layers
// at any position, through selections, and when killed.
#include <csignal>
#include <random>
#include <set>

#include "hosts/gimp/gimp_console.hpp"
#include "io/io.hpp"
#include "support/not_empty.hpp"

using namespace sfumato;
using namespace sfumato::testing;

class TestGimp : public QObject, GimpConsole {
  Q_OBJECT

 private:
  // Restricted to what a script can pass.
  static Values values_of(const Filter& filter) {
    Values values = busy_values(filter);
    for (const Parameter& p : filter.info().parameters) {
      values.set(p.name, as_script_has_it(p, values.at(p.name)));
    }
    return values;
  }

  // A gray picture as a layer of a colour image.
  void write_colour(const QString& name, Image& image) {
    if (image.format.channels == 4) return write(name, image);
    Image colour({image.format.width, image.format.height, 3, SampleType::f32, AlphaKind::none,
                  Coding::linear()});
    for (int y = 0; y < image.format.height; ++y) {
      for (int x = 0; x < image.format.width; ++x) {
        for (int c = 0; c < 3; ++c) {
          colour.set(x, y, c, image.get(x, y, std::min(c, image.format.channels - 1)));
        }
      }
    }
    write(name, colour);
  }

  // A role as samples in 0..1: normals as in normal maps, depths relative to the farthest.
  static Image samples_of_role(Image& role, SampleType type) {
    Image out({role.format.width, role.format.height, 3, type, AlphaKind::none, Coding::srgb()});
    for (int y = 0; y < role.format.height; ++y) {
      for (int x = 0; x < role.format.width; ++x) {
        for (int c = 0; c < 3; ++c) {
          const float sample =
              role.format.channels == 1 ? role.get(x, y, 0) / 6 : (role.get(x, y, c) + 1) / 2;
          out.set(x, y, c, std::clamp(sample, 0.0f, 1.0f));
        }
      }
    }
    return out;
  }

 private slots:
  void initTestCase() { set_up_plug_ins(); }

  void every_filter_gives_the_sessions_pixels() {
    // Linear light, so that roles keep their numbers.
    const PictureFormat format = linear_format(61, 47, 4);
    Image input = scene(format);
    write(QStringLiteral("input"), input);
    QString script;
    std::vector<Recipe> wanted;
    std::set<std::string> written;
    for (const RegisteredFilter& entry : not_empty(Registry::get().all(), "filters")) {
      const FilterInfo& info = entry.filter->info();
      const Values values = values_of(*entry.filter);
      script += load(path(QStringLiteral("input")));
      std::map<std::string, QString> roles;
      for (const RoleInfo& role : info.roles) {
        const QString file = QStringLiteral("role_") + QString::fromStdString(role.parameter);
        const auto source = role_source(role.parameter, format.width, format.height);
        if (source == nullptr) continue;
        if (written.insert(role.parameter).second) write(file, source->image);
        roles[role.parameter] = layer_from(file);
      }
      script += call(info, values, roles) + dump(QString::fromStdString(info.id)) + end();
      wanted.push_back(recipe_of(info, values));
    }
    run_script(script);
    for (const Recipe& recipe : wanted) {
      const QString id = QString::fromStdString(recipe.steps[0].filter);
      QVERIFY2(QFile::exists(path(id)), qPrintable(id + QLatin1Char('\n') + said_));
      Image got = image_of(path(id));
      Image want = by_session(recipe, input, with_roles(format.width, format.height));
      const double most = seen_distance(got, want);
      QVERIFY2(most < 1e-4, qPrintable(id + QStringLiteral(": %1").arg(most)));
    }
  }

  // Alternately 8 and 16 bits, roles too, on layers that begin outside the image; those of roles
  // are elsewhere and larger than the picture.
  void every_filter_on_samples() {
    const auto file_of = [](const std::string& name, SampleType type) {
      return QStringLiteral("codes_%1_%2")
          .arg(QString::fromStdString(name))
          .arg(static_cast<int>(type));
    };
    std::map<std::pair<std::string, SampleType>, Image> pictures;
    const auto add = [&](const std::string& name, SampleType type, Image image, int around_x = 0,
                         int around_y = 0) {
      Image layer = framed(image, around_x, around_y);
      write(file_of(name, type), layer, -7 - around_x, 19 - around_y);
      pictures.emplace(std::pair(name, type), std::move(image));
    };
    for (const SampleType type : {SampleType::u8, SampleType::u16}) {
      add("input", type, scene({61, 47, 4, type, AlphaKind::straight, Coding::srgb()}));
    }
    QString script;
    std::vector<std::pair<Recipe, SampleType>> wanted;
    for (const RegisteredFilter& entry : not_empty(Registry::get().all(), "filters")) {
      const FilterInfo& info = entry.filter->info();
      const SampleType type = wanted.size() % 2 == 0 ? SampleType::u8 : SampleType::u16;
      const Values values = values_of(*entry.filter);
      std::map<std::string, QString> roles;
      for (const RoleInfo& role : info.roles) {
        const auto source = role_source(role.parameter, 61, 47);
        if (source == nullptr) continue;
        add(role.parameter, type, samples_of_role(source->image, type), role.aligned ? 11 : 0,
            role.aligned ? 6 : 0);
        roles[role.parameter] = layer_from(file_of(role.parameter, type));
      }
      script += load(path(file_of("input", type))) + call(info, values, roles) +
                dump(QStringLiteral("of_samples_") + QString::fromStdString(info.id)) + end();
      wanted.emplace_back(recipe_of(info, values), type);
    }
    run_script(script);
    for (const auto& [recipe, type] : wanted) {
      const QString id = QString::fromStdString(recipe.steps[0].filter);
      const QString file = path(QStringLiteral("of_samples_") + id);
      QVERIFY2(QFile::exists(file), qPrintable(id + QLatin1Char('\n') + said_));
      RenderOptions options;
      options.roles = [&pictures, type = type](int, const std::string& role,
                                               const ImageRef&) -> std::shared_ptr<PixelSource> {
        const auto picture = pictures.find({role, type});
        return picture == pictures.end() ? nullptr : std::make_shared<OwnedSource>(picture->second);
      };
      Image got = image_of(file), want = by_session(recipe, pictures.at({"input", type}), options);
      QVERIFY(got.format.type == type);
      const double most = distance(got, want, want.format.rect());
      QVERIFY2(most <= 1.01, qPrintable(id + QStringLiteral(": %1").arg(most)));
    }
  }

  // The dialog's result: roles by their layers' names, in recipes of one step and of several.
  void recipes_name_layers() {
    const PictureFormat format = linear_format(61, 47, 4);
    Image input = scene(format);
    write(QStringLiteral("input"), input);
    std::map<QString, Recipe> wanted;
    Recipe several = one_step("gaussian", {{"sigma", "1.5"}});
    std::set<std::string> roles;
    for (const RegisteredFilter& entry : not_empty(Registry::get().all(), "filters")) {
      const FilterInfo& info = entry.filter->info();
      Recipe recipe = one_step(info.id, busy_values(*entry.filter));
      for (const RoleInfo& role : info.roles) {
        const auto source = role_source(role.parameter, format.width, format.height);
        if (source == nullptr) continue;
        const std::string name = "role_" + role.parameter;
        if (roles.insert(name).second) write_colour(QString::fromStdString(name), source->image);
        recipe.steps[0].values.set(role.parameter, layer_reference(name));
      }
      if (info.roles.empty()) continue;
      wanted.emplace(QString::fromStdString(info.id), recipe);
      if (info.id == "joint_bilateral") several.steps.push_back(recipe.steps[0]);
    }
    several.steps.push_back(one_step("grayscale", {{"mix", "0.4"}}).steps[0]);
    several.steps.push_back(one_step("emboss", Values()).steps[0]);
    several.steps.back().enabled = false;
    QCOMPARE(several.steps.size(), std::size_t{4});
    wanted.emplace(QStringLiteral("several"), several);
    QString script;
    for (const auto& [name, recipe] : wanted) {
      script += load(path(QStringLiteral("input")));
      for (const std::string& role : roles) {
        script += QStringLiteral("(plug-in-sfumato-test-load %1 image)")
                      .arg(quoted(path(QString::fromStdString(role))));
      }
      script += repeated(recipe) + dump(QStringLiteral("named_") + name) + end();
    }
    run_script(script);
    for (const auto& [name, recipe] : wanted) {
      const QString file = path(QStringLiteral("named_") + name);
      QVERIFY2(QFile::exists(file), qPrintable(name + QLatin1Char('\n') + said_));
      Image got = image_of(file),
            want = by_session(recipe, input, with_roles(format.width, format.height));
      const double most = seen_distance(got, want);
      QVERIFY2(most < 1e-4, qPrintable(name + QStringLiteral(": %1").arg(most)));
    }
  }

  // GIMP 3 keeps GEGL's operations with the pixels, in its own files too.
  void filters_that_change_nothing_survive_saving() {
    if (!is_3) QSKIP("GIMP 2.10 applies operations at once");
    // Stored numbers as used by the operation: data stays unchanged.
    PictureFormat format = linear_format(61, 47, 4);
    Image light = scene(format);
    format.coding = Coding::srgb();
    Image display = scene(format);
    write(QStringLiteral("light.in"), light);
    write(QStringLiteral("display.in"), display);
    QString script;
    std::vector<std::pair<QString, Recipe>> wanted;
    QString wrong;
    for (const RegisteredFilter& entry : not_empty(Registry::get().all(), "filters")) {
      const FilterInfo& info = entry.filter->info();
      if (!info.roles.empty()) continue;
      Values values = busy_values(*entry.filter);
      QString given;
      for (const Parameter& p : info.parameters) {
        if (p.kind == Kind::image) continue;
        values.set(p.name, as_script_has_it(p, values.at(p.name)));
        // Parameters must not use a node's own property names.
        QString name =
            QString::fromStdString(p.name == "operation" ? info.id + "-operation" : p.name);
        given += QStringLiteral(" \"%1\" %2")
                     .arg(name.replace(QLatin1Char('_'), QLatin1Char('-')),
                          argument_of_operation(p, values.at(p.name)));
      }
      const QString id = QString::fromStdString(info.id), file = path(id + QStringLiteral(".xcf"));
      const bool linear = light_of(values) == Light::linear;
      script += load(path(linear ? QStringLiteral("light.in") : QStringLiteral("display.in"))) +
                QStringLiteral(
                    "(gimp-drawable-append-new-filter layer \"sfumato:%1\" \"%1\" "
                    "LAYER-MODE-REPLACE 1.0%2)")
                    .arg(id, given) +
                dump(QStringLiteral("under_") + id) +
                QStringLiteral("(gimp-file-save RUN-NONINTERACTIVE image %1)").arg(quoted(file)) +
                end() +
                QStringLiteral(
                    "(let* ((image (car (gimp-file-load RUN-NONINTERACTIVE %1))) "
                    "(layer (vector-ref (car (gimp-image-get-layers image)) 0)))"
                    "(gimp-drawable-merge-filters layer)")
                    .arg(quoted(file)) +
                dump(QStringLiteral("merged_") + id) + end();
      wanted.emplace_back(id, recipe_of(info, values));
    }
    run_script(script);
    for (const auto& [id, recipe] : wanted) {
      QVERIFY2(QFile::exists(path(QStringLiteral("merged_") + id)),
               qPrintable(id + QLatin1Char('\n') + said_));
      Image& input = light_of(recipe.steps[0].values) == Light::linear ? light : display;
      QVERIFY(image_of(path(QStringLiteral("under_") + id)).bytes == input.bytes);
      Image got = image_of(path(QStringLiteral("merged_") + id)), want = by_session(recipe, input);
      const double most = seen_distance(got, want);
      if (!(most < 1e-4)) wrong += QStringLiteral("%1: %2 ").arg(id).arg(most);
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
  }

  // "Repeat": what was given last, whatever is given now.
  void last_values() {
    Image input = scene({50, 40, 3, SampleType::u8, AlphaKind::none, Coding::srgb()});
    write(QStringLiteral("last.in"), input);
    const Recipe recipe = one_step("gaussian", {{"sigma", "5"}});
    QString again = call(one_step("gaussian", {{"sigma", "1"}}));
    again.replace(QLatin1String("RUN-NONINTERACTIVE"), QLatin1String("RUN-WITH-LAST-VALS"));
    const QString begin = load(path(QStringLiteral("last.in")));
    run_script(begin + call(recipe) + end() + begin + again + dump(QStringLiteral("last")) + end());
    QVERIFY2(QFile::exists(path(QStringLiteral("last"))), said_.constData());
    Image got = image_of(path(QStringLiteral("last"))), want = by_session(recipe, input);
    QVERIFY(distance(got, want, got.format.rect()) <= 1.01);
  }

  // A file of the image's size is laid on the image, one of the layer's size on the layer, as for
  // sfumato-dialog.
  void roles_from_files() {
    // The module that reads them, as installed for a user.
    const QString modules = path(QStringLiteral("home/.local/lib/sfumato/")),
                  module = QStringLiteral(SFUMATO_FILE_MODULE);
    QVERIFY(QDir().mkpath(modules));
    QVERIFY(QFile::link(module, modules + QFileInfo(module).fileName()));
    const PictureFormat format = linear_format(40, 30, 4);
    Image input = scene(format);
    write(QStringLiteral("placed.in"), input, 10, 10);
    const auto picture = open_picture(path(QStringLiteral("placed.in")).toStdString());
    std::map<QString, Recipe> wanted;
    QString script;
    for (const auto& [name, width, height] :
         {std::tuple("of_image", 100, 80), std::tuple("of_layer", 40, 30)}) {
      const QString named = QLatin1String(name), file = path(named + QStringLiteral(".exr"));
      const auto depth = role_source("depth", width, height);
      const auto made = create_picture(file.toStdString(), {}, depth->image.format);
      made->write(depth->image.view());
      made->commit();
      const Recipe recipe = one_step("joint_bilateral", {{"depth", file.toStdString()}});
      wanted.emplace(named, recipe);
      script += load(path(QStringLiteral("placed.in"))) + repeated(recipe) + dump(named) + end();
    }
    run_script(script);
    std::vector<Image> all;
    for (const auto& [name, recipe] : wanted) {
      QVERIFY2(QFile::exists(path(name)), qPrintable(name + QLatin1Char('\n') + said_));
      RenderOptions options;
      options.roles = role_files(*picture, {}, [](const Message&) {});
      Image got = image_of(path(name)), want = by_session(recipe, input, options);
      const double most = seen_distance(got, want);
      QVERIFY2(most < 1e-4, qPrintable(name + QStringLiteral(": %1").arg(most)));
      all.push_back(got);
    }
    QVERIFY(distance(all[0], all[1], format.rect()) > 1e-2);
  }

  // The device and the memory of the preferences, for the result too.
  void preferences() {
    Image input = scene(linear_format(40, 30, 4));
    write(QStringLiteral("preferred.in"), input);
    QVERIFY(QDir(folder_.path()).mkpath(QStringLiteral("config/sfumato")));
    const QString hellos = path(QStringLiteral("hellos"));
    environment_ = {{QStringLiteral("SFUMATO_WORKER"), QStringLiteral(SFUMATO_FAKE_WORKER)},
                    {QStringLiteral("SFUMATO_TEST_HELLOS"), hellos},
                    {QStringLiteral("XDG_CONFIG_HOME"), path(QStringLiteral("config"))}};
    const QString script = load(path(QStringLiteral("preferred.in"))) +
                           call(one_step("gaussian", {{"sigma", "2"}})) + end();
    run_script(script);  // with none
    QFile settings(path(QStringLiteral("config/sfumato/sfumato-editor.conf")));
    QVERIFY(settings.open(QFile::WriteOnly));
    settings.write("[General]\ndevice=cpu\nmemory_mb=64\n");
    settings.close();
    run_script(script);
    environment_.clear();
    QFile said(hellos);
    QVERIFY2(said.open(QFile::ReadOnly), said_.constData());
    QCOMPARE(said.readAll(), QByteArray(" 0 0\ncpu 67108864 0\n"));
  }

  // Layers given by id in a script are found again by name.
  void last_values_with_roles() {
    Image input = scene(linear_format(50, 40, 4)), guide = scene(linear_format(50, 40, 4));
    for (int y = 0; y < 40; ++y) {
      for (int x = 0; x < 50; ++x) {
        for (int c = 0; c < 3; ++c) guide.set(x, y, c, x < 25 ? 0.1f : 0.9f);
      }
    }
    write(QStringLiteral("guided.in"), input);
    write(QStringLiteral("guide.in"), guide);
    const FilterInfo& info = Registry::get().at("joint_bilateral").filter->info();
    const Recipe recipe = one_step("joint_bilateral", {{"sigma", "4"}});
    const QString begin =
        load(path(QStringLiteral("guided.in"))) +
        QStringLiteral("(let ((guide (cadr (plug-in-sfumato-test-load %1 image))))")
            .arg(quoted(path(QStringLiteral("guide.in"))));
    const Values& values = recipe.steps[0].values;
    QString again = call(info, values);
    again.replace(QLatin1String("RUN-NONINTERACTIVE"), QLatin1String("RUN-WITH-LAST-VALS"));
    run_script(begin + call(info, values, {{"guide", QStringLiteral("guide")}}) +
               dump(QStringLiteral("guided")) + QStringLiteral(")") + end() + begin + again +
               dump(QStringLiteral("guided_again")) + QStringLiteral(")") + end());
    QVERIFY2(QFile::exists(path(QStringLiteral("guided_again"))), said_.constData());
    Image first = image_of(path(QStringLiteral("guided"))),
          second = image_of(path(QStringLiteral("guided_again")));
    QVERIFY(distance(first, input, first.format.rect()) > 1e-3);
    QCOMPARE(distance(first, second, first.format.rect()), 0.0);
  }

  // The worker, then the plug-in itself, killed at any moment: the filtered pixels still arrive, or
  // the layer stays unchanged. A kill hits if GIMP is told that the worker is lost, or if the layer
  // stays.
  void killed() {
    Image input = scene({240, 180, 3, SampleType::u8, AlphaKind::none, Coding::srgb()});
    write(QStringLiteral("killed.in"), input);
    const Recipe recipe = one_step("bilateral", {{"sigma", "4"}});
    const int times = thoroughly() ? 100 : 4;
    std::mt19937 random(7);
    for (const QByteArray& victim : {QByteArray("sfumato-worker"), QByteArray("sfumato")}) {
      QString script;
      for (int i = 0; i < times; ++i) {
        script += load(path(QStringLiteral("killed.in"))) +
                  QStringLiteral(" (catch (set! failed TRUE) %1) ").arg(call(recipe)) +
                  dump(QStringLiteral("killed%1").arg(i)) + end();
      }
      const auto gimp = start(script);
      QVERIFY(gimp != nullptr && gimp->waitForStarted());
      // Each new one, a while later.
      std::set<int> met;
      int kills = 0;
      while (gimp->state() != QProcess::NotRunning) {
        gimp->waitForFinished(10);
        for (const int id : children_of(gimp->processId(), victim)) {
          if (!met.insert(id).second) continue;
          gimp->waitForFinished(static_cast<int>(random() % 200));
          kills += ::kill(id, SIGKILL) == 0 ? 1 : 0;
        }
      }
      QCOMPARE(gimp->exitStatus(), QProcess::NormalExit);
      const bool workers = victim == "sfumato-worker";
      const QByteArray said = gimp->readAll();
      auto hits = workers ? said.count("is lost") : 0;
      Image filtered = by_session(recipe, input);
      for (int i = 0; i < times; ++i) {
        const QString name = path(QStringLiteral("killed%1").arg(i));
        QVERIFY2(QFile::exists(name), said.constData());
        Image left = image_of(name);
        const Rect all = input.format.rect();
        const bool same = distance(left, input, all) == 0,
                   done = distance(left, filtered, all) <= 1.01;
        QVERIFY(done || (same && !workers));
        hits += done ? 0 : 1;
        QFile::remove(name);
      }
      qInfo("%d of %d kills of %s hit one at work", static_cast<int>(hits), kills,
            victim.constData());
      QVERIFY2(4 * hits >= kills && hits > 0, said.constData());
    }
  }
};

QTEST_GUILESS_MAIN(TestGimp)
#include "test_gimp.moc"
