// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The plan for Krita: documents, selections, roles, and disturbances.
#pragma once

#include <QColorSpace>
#include <QImage>
#include <QJsonObject>
#include <QJsonValue>
#include <QTest>
#include <map>
#include <random>
#include <string>

#include "hosts/krita/krita_run.hpp"
#include "params/layer_reference.hpp"
#include "support/not_empty.hpp"

namespace sfumato::testing {

class KritaPlan : protected KritaRun {
 protected:
  Session session_;
  std::map<std::string, Image> roles_;

  void add_pixels() {
    const Recipe gaussian = one_step("gaussian", {{"sigma", "2.5"}});
    int turn = 0;
    for (const RegisteredFilter& entry : not_empty(Registry::get().all(), "filters")) {
      const FilterInfo& info = entry.filter->info();
      const Recipe recipe = recipe_of(info, busy_values(*entry.filter));
      Image input = scene({37, 29, 4, SampleType::u8, AlphaKind::straight, Coding::srgb()});
      try {
        run(session_, recipe, input, input.format);
      } catch (const std::exception& error) {
        // Only filters with roles may need a picture: add_roles() runs those.
        QVERIFY2(!info.roles.empty(), error.what());
        continue;
      }
      filtered(QString::fromStdString(info.id), recipe, input);
      // Alternately with 16 bits and with floats.
      const SampleType other = ++turn % 2 == 0 ? SampleType::u16 : SampleType::f32;
      filtered(QString::fromStdString(info.id) + QStringLiteral("_deep"), recipe,
               scene({37, 29, 4, other, AlphaKind::straight,
                      is_integer(other) ? Coding::srgb() : Coding::linear()}));
    }
    // A layer that begins outside the canvas: both are passed.
    const PictureFormat canvas{40, 30, 4, SampleType::u8, AlphaKind::straight, Coding::srgb()};
    Image input = scene(canvas),
          reached({46, 34, 4, SampleType::u8, AlphaKind::straight, Coding::srgb()});
    for (int y = 0; y < 30; ++y) {
      for (int x = 0; x < 40; ++x) {
        // The layer's bounds are those of its visible pixels.
        const bool corner = (x == 0 && y == 0) || (x == 39 && y == 29);
        if (corner) input.set(x, y, 3, 1);
        for (int c = 0; c < 4; ++c) reached.set(x, y, c, input.get(x, y, c));
      }
    }
    QJsonObject one = plan(QStringLiteral("off_the_canvas"), gaussian, canvas);
    one[QStringLiteral("layer")] = pixels(QStringLiteral("off_the_canvas.in"), input, -6, -4);
    inputs_.emplace(QStringLiteral("off_the_canvas"), reached);
    plan_.append(one);
    for (const int channels : {2, 4}) {
      for (const SampleType type : {SampleType::u16, SampleType::f16, SampleType::f32}) {
        if (channels == 2 && type == SampleType::f16) continue;
        const Coding coding = is_integer(type) ? Coding::srgb() : Coding::linear();
        filtered(QStringLiteral("depth%1_%2").arg(static_cast<int>(type)).arg(channels), gaussian,
                 scene({37, 29, channels, type, AlphaKind::straight, coding}));
      }
    }
    filtered(QStringLiteral("one_pixel"), gaussian,
             scene({1, 1, 4, SampleType::u8, AlphaKind::straight, Coding::srgb()}));
  }

  void add_selections() {
    const PictureFormat format{40, 30, 4, SampleType::u8, AlphaKind::straight, Coding::srgb()};
    const Recipe recipe = one_step("gaussian", {{"sigma", "4"}});
    Image input = scene(format);
    for (int y = 0; y < 30; ++y) {
      for (int x = 0; x < 40; ++x) input.set(x, y, 3, 1);
    }
    Image mask({20, 12, 1, SampleType::u8, AlphaKind::none, Coding::linear()});
    for (int y = 0; y < 12; ++y) {
      for (int x = 0; x < 20; ++x) mask.set(x, y, 0, static_cast<float>(x) / 19);
    }
    QJsonObject one = plan(QStringLiteral("selection"), recipe, format);
    one[QStringLiteral("layer")] = pixels(QStringLiteral("selection.in"), input);
    one[QStringLiteral("selection")] = pixels(QStringLiteral("selection.mask"), mask, 10, 9);
    one[QStringLiteral("seen")] = true;
    inputs_.emplace(QStringLiteral("selection"), input);
    plan_.append(one);
    const auto add = [&](const char* name, const QJsonObject& other) {
      const QString named = QLatin1String(name);
      QJsonObject own = one;
      own[QStringLiteral("name")] = named;
      for (auto key = other.begin(); key != other.end(); ++key) own[key.key()] = key.value();
      recipes_[named] = recipe;
      inputs_.emplace(named, input);
      plan_.append(own);
    };
    add("selection_multiply",
        {{QStringLiteral("mode"), QStringLiteral("multiply")},
         {QStringLiteral("others"),
          QJsonObject{{QStringLiteral("below"), one[QStringLiteral("layer")]}}}});
    add("selection_opacity", {{QStringLiteral("opacity"), 100}});
    Image clear = input;
    for (int y = 0; y < 30; ++y) {
      for (int x = 0; x < 40; ++x) clear.set(x, y, 3, 128.0f / 255);
    }
    add("selection_alpha",
        {{QStringLiteral("layer"), pixels(QStringLiteral("selection_alpha.in"), clear)}});
    // The layer's own, with another one of the document's, and one that is inactive.
    const QJsonObject corner = pixels(QStringLiteral("selection.corner"), mask, 0, 0);
    const QJsonObject local{{QStringLiteral("local"), one[QStringLiteral("selection")]},
                            {QStringLiteral("active"), true},
                            {QStringLiteral("selection"), corner}};
    add("selection_local_too", local);
    const QJsonValue selected = one.take(QStringLiteral("selection"));
    add("masked", {{QStringLiteral("transparency"), selected}});
    add("undone", {{QStringLiteral("transparency"), selected},
                   {QStringLiteral("mode"), QStringLiteral("multiply")},
                   {QStringLiteral("opacity"), 100},
                   {QStringLiteral("undo"), true}});
    QJsonObject alone = local;
    alone.remove(QStringLiteral("selection"));
    add("selection_local", alone);
    alone[QStringLiteral("active")] = false;
    add("unselected_local", alone);
    one[QStringLiteral("name")] = QStringLiteral("empty_selection");
    one[QStringLiteral("selection")] = QJsonObject{};
    plan_.append(one);
  }

  static QString layer_of_role(const std::string& role) {
    return QStringLiteral("Role \"%1\"").arg(QString::fromStdString(role));
  }

  // Takes `role` of the step from a layer, which is added to the plan's document.
  void give_role(Step& step, const std::string& role, QJsonObject& others) {
    const QString layer = layer_of_role(role);
    std::shared_ptr<OwnedSource> source = role_source(role, 40, 30);
    if (source == nullptr) {  // a mask: increasing
      Image ramp({40, 30, 1, SampleType::f32, AlphaKind::none, Coding::linear()});
      for (int y = 0; y < 30; ++y) {
        for (int x = 0; x < 40; ++x) ramp.set(x, y, 0, static_cast<float>(x) / 39);
      }
      source = std::make_shared<OwnedSource>(std::move(ramp));
    }
    step.values.set(role, layer_reference(layer.toStdString()));
    if (others.contains(layer)) return;
    Image image = opaque(source->image);
    // Where it makes a difference, the layer is larger than the picture and begins elsewhere.
    const bool aligned = is_aligned(role);
    const int x = aligned ? 11 : 0, y = aligned ? 6 : 0;
    others[layer] =
        pixels(QString::fromStdString("role_" + role + ".in"), framed(image, x, y), -x, -y);
    roles_.emplace(role, image);
  }

  void with_roles_as_layers(const QString& name, const Recipe& recipe, const QJsonObject& others) {
    filtered(name, recipe,
             opaque(scene({40, 30, 4, SampleType::f32, AlphaKind::straight, Coding::linear()})));
    also(QStringLiteral("others"), others);
  }

  // Every role of every filter, and a recipe of several steps.
  void add_roles() {
    Recipe several = one_step("gaussian", {{"sigma", "1.5"}});
    QJsonObject of_several;
    for (const RegisteredFilter& entry : not_empty(Registry::get().all(), "filters")) {
      const FilterInfo& info = entry.filter->info();
      Recipe recipe = one_step(info.id, busy_values(*entry.filter));
      QJsonObject others;
      for (const RoleInfo& role : info.roles) give_role(recipe.steps[0], role.parameter, others);
      if (info.id == "gaussian") give_role(recipe.steps[0], "mask", others);
      if (others.isEmpty()) continue;
      with_roles_as_layers(QStringLiteral("role_") + QString::fromStdString(info.id), recipe,
                           others);
      if (info.id != "joint_bilateral") continue;
      several.steps.push_back(recipe.steps[0]);
      of_several = others;
    }
    several.steps.push_back(one_step("grayscale", {{"mix", "0.4"}}).steps[0]);
    with_roles_as_layers(QStringLiteral("role_several"), several, of_several);
    // The same document without those layers, in a Krita with English and German.
    QJsonObject one = plan_.last().toObject();
    one.remove(QStringLiteral("others"));
    for (const QString& language : {QStringLiteral("en"), QStringLiteral("de")}) {
      one[QStringLiteral("name")] = QStringLiteral("no_such_layer_") + language;
      one[QStringLiteral("language")] = language;
      plan_.append(one);
    }
  }

  void add_refusals() {
    const PictureFormat format{40, 30, 4, SampleType::u8, AlphaKind::straight, Coding::srgb()};
    const Recipe recipe = one_step("gaussian", {{"sigma", "2"}});
    QJsonObject group = plan(QStringLiteral("group"), recipe, format), locked = group, cmyk = group,
                lab = group;
    group[QStringLiteral("kind")] = QStringLiteral("grouplayer");
    locked[QStringLiteral("name")] = QStringLiteral("locked");
    locked[QStringLiteral("locked")] = true;
    cmyk[QStringLiteral("name")] = QStringLiteral("cmyk");
    cmyk[QStringLiteral("model")] = QStringLiteral("CMYKA");
    cmyk[QStringLiteral("profile")] = QString();
    lab[QStringLiteral("name")] = QStringLiteral("lab");
    lab[QStringLiteral("model")] = QStringLiteral("LABA");
    lab[QStringLiteral("depth")] = QStringLiteral("U16");
    lab[QStringLiteral("profile")] = QString();
    QJsonObject inside = locked;
    inside[QStringLiteral("name")] = QStringLiteral("in_locked_group");
    inside[QStringLiteral("locked")] = false;
    inside[QStringLiteral("in_locked_group")] = true;
    for (const QJsonObject& one : {group, locked, inside, cmyk, lab}) plan_.append(one);
    locked[QStringLiteral("name")] = QStringLiteral("locked_german");
    locked[QStringLiteral("language")] = QStringLiteral("de");
    plan_.append(locked);
    filtered(QStringLiteral("german"), recipe, scene(format));
    also(QStringLiteral("language"), QStringLiteral("de"));
  }

  // The menu entry, with and without something to repeat, and on a locked layer.
  void add_repeats() {
    const PictureFormat format{40, 30, 4, SampleType::u8, AlphaKind::straight, Coding::srgb()};
    const Recipe recipe = one_step("gaussian", {{"sigma", "3"}});
    for (const char* name : {"repeat", "repeat_nothing", "repeat_locked"}) {
      filtered(QLatin1String(name), recipe, scene(format));
      QJsonObject one = plan_.last().toObject();
      one[QStringLiteral("repeat")] = QLatin1String(name) == QLatin1String("repeat_nothing")
                                          ? QJsonValue(QString())
                                          : one[QStringLiteral("recipe")];
      one[QStringLiteral("locked")] = QLatin1String(name) == QLatin1String("repeat_locked");
      plan_.replace(plan_.size() - 1, one);
    }
  }

  // Changes while the dialog is open, and layers passed in bands.
  void add_changes() {
    const PictureFormat format{40, 30, 4, SampleType::u8, AlphaKind::straight, Coding::srgb()};
    const Recipe recipe = one_step("gaussian", {{"sigma", "3"}});
    const auto add = [&](const char* name, const char* key, const QJsonValue& value) {
      filtered(QLatin1String(name), recipe, scene(format));
      also(QLatin1String(key), value);
    };
    add("banded", "band", 1000);
    add("changed_convert", "meanwhile", QStringLiteral("convert"));
    add("changed_crop", "meanwhile", QStringLiteral("crop"));
    add("changed_scale", "meanwhile", QStringLiteral("scale"));
    add("changed_full", "full", true);
    add("changed_checks", "checks", true);
    add("changed_close", "meanwhile", QStringLiteral("close"));
  }

  // A file whose profile Krita has no file of.
  void add_embedded_profile() {
    QImage image(64, 48, QImage::Format_RGB888);
    for (int y = 0; y < 48; ++y) {
      for (int x = 0; x < 64; ++x) image.setPixelColor(x, y, QColor(4 * x, 5 * y, x ^ y));
    }
    QColorSpace wide(QColorSpace::Primaries::AdobeRgb, 1.8f);
    wide.setDescription(QStringLiteral("A wide space with a power of 1.8"));
    image.setColorSpace(wide);
    QVERIFY(image.save(path(QStringLiteral("embedded.png"))));
    QJsonObject one = plan(QStringLiteral("embedded"), one_step("gaussian", {{"sigma", "4"}}),
                           {64, 48, 4, SampleType::u8, AlphaKind::straight, Coding::srgb()});
    one[QStringLiteral("open")] = path(QStringLiteral("embedded.png"));
    plan_.append(one);
  }

  void add_kills() {
    const PictureFormat format{120, 90, 4, SampleType::u8, AlphaKind::straight, Coding::srgb()};
    const Recipe recipe = one_step("bilateral", {{"sigma", "4"}});
    const Image input = scene(format);
    const int times = thoroughly() ? 100 : 4;
    std::mt19937 random(5);
    for (int i = 0; i < times; ++i) {
      for (const char* what : {"dialog", "worker"}) {
        // The first at once: however fast the machine is, one kill hits during work.
        const int after = i == 0 ? 0 : static_cast<int>(random() % 400);
        const QString name = QStringLiteral("killed_%1_%2").arg(QLatin1String(what)).arg(i);
        filtered(name, recipe, input);
        also(QStringLiteral("kill"), QJsonObject{{QStringLiteral("what"), QLatin1String(what)},
                                                 {QStringLiteral("after_ms"), after}});
      }
    }
  }
};

}  // namespace sfumato::testing
