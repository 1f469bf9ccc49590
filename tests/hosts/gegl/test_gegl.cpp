// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The operations inside GEGL: the model's properties, and the session's pixels, wherever a layer is
// and whatever region is requested.
#include "hosts/gegl/gegl_graph.hpp"
//
#include <QTest>

#include "support/registry_rows.hpp"

using namespace sfumato;
using namespace sfumato::testing;

class TestGegl : public GeglTest {
  Q_OBJECT

 private:
  Image wide_ = scene(rgba(1500, 1200));  // of several cells

  // Values that reveal missing surroundings: the reach stays below the size of a cell, and no
  // surface is excluded.
  static Values open_values(const Filter& filter) {
    Values values = busy_values(filter);
    if (filter.info().id == "bloom") values.set("sigma", 2.0);
    if (filter.info().id == "atrous") values.set("range_sigma", 1.0);
    return values;
  }

 private slots:
  void initTestCase() {
    qputenv("LANGUAGE", "en");
    gegl_init(nullptr, nullptr);
    g_type_class_ref(GEGL_TYPE_NODE);  // for its properties' names
  }

  void every_filter_is_there_with_the_models_properties_data() { every_filter(); }
  void every_filter_is_there_with_the_models_properties() {
    const FilterInfo& info = fetched().info();
    const std::string name = "sfumato:" + info.id;
    QVERIFY(gegl_has_operation(name.c_str()));
    auto* node_class = static_cast<GObjectClass*>(g_type_class_peek(GEGL_TYPE_NODE));
    QVERIFY(node_class != nullptr);
    QCOMPARE(QString(gegl_operation_get_key(name.c_str(), "title")),
             QString::fromStdString(info.label));
    QVERIFY(QString(gegl_operation_get_key(name.c_str(), "gimp:menu-path"))
                .startsWith(QLatin1String("<Image>/Filters/Sfumato")));
    QCOMPARE(QString(gegl_operation_get_key(name.c_str(), "categories")),
             QString::fromStdString(info.category).toLower());
    for (const Parameter& p : info.parameters) {
      const std::string property = property_of(info, p);
      GParamSpec* spec = gegl_operation_find_property(name.c_str(), property.c_str());
      QCOMPARE(spec != nullptr, p.kind != Kind::image);
      QVERIFY(g_object_class_find_property(node_class, property.c_str()) == nullptr);
      if (spec == nullptr) continue;
      QCOMPARE(QString(g_param_spec_get_blurb(spec)), QString::fromStdString(p.help));
      if (p.kind == Kind::real) {
        const auto* real = GEGL_PARAM_SPEC_DOUBLE(spec);
        QCOMPARE(real->ui_minimum, p.slider.min);
        QCOMPARE(real->ui_maximum, p.slider.max);
        QCOMPARE(real->parent_instance.minimum, std::max(p.valid.min, -1.7976931348623157e308));
        QCOMPARE(real->parent_instance.maximum, std::min(p.valid.max, 1.7976931348623157e308));
        QCOMPARE(real->parent_instance.default_value, std::get<double>(p.default_value));
        QCOMPARE(real->ui_gamma > 1,
                 p.law == SliderLaw::logarithmic || (p.law == SliderLaw::power && p.law_gamma > 1));
        if (p.step > 0) QCOMPARE(real->ui_step_small, p.step);
      } else if (p.kind == Kind::integer) {
        const auto* number = GEGL_PARAM_SPEC_INT(spec);
        QCOMPARE(number->ui_minimum, static_cast<int>(p.slider.min));
        QCOMPARE(number->ui_maximum, static_cast<int>(p.slider.max));
        QCOMPARE(std::int64_t{number->parent_instance.default_value},
                 std::get<std::int64_t>(p.default_value));
      } else if (p.kind == Kind::boolean) {
        QCOMPARE(G_PARAM_SPEC_BOOLEAN(spec)->default_value != FALSE,
                 std::get<bool>(p.default_value));
      } else if (p.kind == Kind::choice) {
        const auto* word = G_PARAM_SPEC_ENUM(spec);
        QCOMPARE(static_cast<std::size_t>(word->enum_class->n_values), p.choices.size());
        for (std::size_t i = 0; i < p.choices.size(); ++i) {
          QCOMPARE(QString(word->enum_class->values[i].value_name),
                   QString::fromStdString(p.choices[i].label));
        }
      }
      if (p.unit == Unit::px) {
        QCOMPARE(QString(gegl_param_spec_get_property_key(spec, "unit")),
                 QStringLiteral("pixel-distance"));
      }
    }
  }

  void pixels_are_the_sessions_data() { every_filter(); }
  void pixels_are_the_sessions() {
    const Filter& filter = fetched();
    const FilterInfo& info = filter.info();
    const Values values = busy_values(filter);
    const Recipe recipe = one_step(info.id, values);
    // Stored numbers as used by the operation: data stays unchanged.
    PictureFormat format = rgba(83, 59);
    if (light_of(values) != Light::linear) format.coding = Coding::srgb();
    Image input = scene(format);
    Graph graph(info.id);
    graph.connect(input);
    std::vector<std::shared_ptr<OwnedSource>> roles;
    for (std::size_t i = 0; i < info.roles.size(); ++i) {
      roles.push_back(role_source(info.roles[i].parameter, 83, 59));
      graph.connect(roles.back()->image, (i == 0 ? "aux" : "aux" + std::to_string(i + 1)).c_str());
    }
    set_values(graph.op(), info, values);
    // Compared where small alpha does not amplify rounding errors.
    const bool data = filter.gives_data(values);
    PictureFormat output = format;
    if (!data) output.alpha = AlphaKind::premultiplied;
    Image want = by_session(recipe, input, output);
    const auto premultiplied = [data](Image image) { return data ? image : times_alpha(image); };
    const Rect all = format.rect();
    Image got = premultiplied(graph.result(format, all));
    QVERIFY2(difference_in(got, want, all) < 1e-4,
             qPrintable(QString::number(difference_in(got, want, all))));
    // Samples of 8 and 16 bits.
    for (const SampleType type : {SampleType::u8, SampleType::u16}) {
      PictureFormat stored = format;
      stored.type = type;
      stored.coding = Coding::srgb();
      Image samples = scene(stored);
      Graph coded(info.id);
      coded.connect(samples);
      for (std::size_t i = 0; i < info.roles.size(); ++i) {
        coded.connect(roles[i]->image, (i == 0 ? "aux" : "aux" + std::to_string(i + 1)).c_str());
      }
      set_values(coded.op(), info, values);
      Image made = premultiplied(coded.result(format, all));
      Image wanted = by_session(recipe, samples, output);
      QVERIFY2(difference_in(made, wanted, all) < 1e-4,
               qPrintable(QString::number(difference_in(made, wanted, all))));
    }
    // A region of another graph, which has nothing left of the first.
    Graph part(info.id);
    part.connect(input);
    for (std::size_t i = 0; i < info.roles.size(); ++i) {
      part.connect(roles[i]->image, (i == 0 ? "aux" : "aux" + std::to_string(i + 1)).c_str());
    }
    set_values(part.op(), info, values);
    const Rect region{40, 11, 77, 31};
    Image some = premultiplied(part.result(format, region));
    QVERIFY2(difference_in(some, want, region) < 1e-4,
             qPrintable(QString::number(difference_in(some, want, region))));
  }

  // Integers are passed as stored; a picture without alpha gets none, and gray stays gray if the
  // filter makes no colours.
  void stored_numbers_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<int>("channels");
    QTest::newRow("colour") << QByteArray("R'G'B' u8") << 3;
    QTest::newRow("colour, alpha, light") << QByteArray("RGBA u16") << 4;
    QTest::newRow("gray") << QByteArray("Y' u16") << 1;
    QTest::newRow("gray, alpha") << QByteArray("Y'A u8") << 2;
    QTest::newRow("gray, alpha, floats") << QByteArray("Y'A float") << 2;
    QTest::newRow("gray floats") << QByteArray("Y' float") << 1;
    QTest::newRow("halves") << QByteArray("RGB half") << 3;
  }
  void stored_numbers() {
    QFETCH(QByteArray, name);
    QFETCH(int, channels);
    PictureFormat format = rgba(83, 59);
    format.channels = channels;
    format.alpha = channels % 2 == 0 ? AlphaKind::straight : AlphaKind::none;
    format.type = name.endsWith("u8")     ? SampleType::u8
                  : name.endsWith("u16")  ? SampleType::u16
                  : name.endsWith("half") ? SampleType::f16
                                          : SampleType::f32;
    format.coding = name.contains('\'') ? Coding::srgb() : Coding::linear();
    Image input = scene(format);
    const GeglRectangle extent{left, top, format.width, format.height};
    GeglBuffer* buffer = gegl_buffer_new(&extent, babl_format(name.constData()));
    gegl_buffer_set(buffer, &extent, 0, babl_format(name.constData()), input.view().data,
                    static_cast<int>(input.view().row_stride));
    // The last one goes below zero and above one.
    for (const char* id : {"gaussian", "median", "unsharp_mask", "night_vision"}) {
      const bool sharpens = QLatin1String(id) == QLatin1String("unsharp_mask");
      GeglNode* root = gegl_node_new();
      GeglNode* source =
          gegl_node_new_child(root, "operation", "gegl:buffer-source", "buffer", buffer, nullptr);
      GeglNode* op =
          gegl_node_new_child(root, "operation", (std::string("sfumato:") + id).c_str(), nullptr);
      Recipe recipe = sharpens ? one_step(id, {{"amount", "4"}, {"light", "linear"}})
                               : one_step(id, {{"mix", "1"}});
      set_values(op, Registry::get().at(id).filter->info(), recipe.steps[0].values);
      GeglBuffer* made = nullptr;
      GeglNode* sink =
          gegl_node_new_child(root, "operation", "gegl:buffer-sink", "buffer", &made, nullptr);
      gegl_node_link_many(source, op, sink, nullptr);
      gegl_node_process(sink);
      QVERIFY(made != nullptr);
      const Babl* gave = gegl_buffer_get_format(made);
      QCOMPARE(babl_format_has_alpha(gave) != 0, channels % 2 == 0);
      const bool makes_colour = Registry::get().at(id).filter->makes_colour(recipe.steps[0].values);
      QCOMPARE(makes_colour, QLatin1String(id) == QLatin1String("night_vision"));
      QCOMPARE(babl_format_get_n_components(gave),
               makes_colour && channels < 3 ? channels + 2 : channels);
      PictureFormat output = rgba(83, 59);
      Image got(output);
      gegl_buffer_get(made, &extent, 1.0, babl_format("RGBA float"), got.view().data,
                      static_cast<int>(got.view().row_stride), GEGL_ABYSS_NONE);
      // Floats are passed multiplied by alpha: as above.
      if (format.type == SampleType::f32) {
        got = times_alpha(got);
        output.alpha = AlphaKind::premultiplied;
      }
      Image want = run(session_, recipe, input, output);  // without roles
      const double far = difference_in(got, want, output.rect());
      if (sharpens) {
        float least = 0;
        for (int y = 0; y < 59; ++y) {
          for (int x = 0; x < 83; ++x) least = std::min(least, want.get(x, y, 0));
        }
        QVERIFY2(least < -0.01f, qPrintable(QString::number(least)));
      }
      QVERIFY2(far < 1e-4, qPrintable(QStringLiteral("%1: %2").arg(QLatin1String(id)).arg(far)));
      g_object_unref(made);
      g_object_unref(root);
    }
    g_object_unref(buffer);
  }

  // If a region needs nothing of a role, the role still exists. The picture is larger than a cell.
  void roles_may_cover_a_part_data() { every_filter(); }
  void roles_may_cover_a_part() {
    const Filter& filter = fetched();
    const FilterInfo& info = filter.info();
    const auto alone = [](const RoleInfo& role) { return !role.aligned; };
    if (info.roles.empty() || std::any_of(info.roles.begin(), info.roles.end(), alone)) {
      QSKIP("has no roles that are laid over the picture");
    }
    PictureFormat format = rgba(1500, 1200);
    const Values values = busy_values(filter);
    if (light_of(values) != Light::linear) format.coding = Coding::srgb();
    const Recipe recipe = one_step(info.id, values);
    Image input = scene(format);
    const Rect region{1400, 1100, 1440, 1125};
    Graph graph(info.id);
    std::vector<std::shared_ptr<OwnedSource>> held;
    RenderOptions options;
    for (const RoleInfo& role : info.roles) {
      held.push_back(role_source(role.parameter, 40, 30));
      graph.connect(held.back()->image, pad_of(info, role.parameter).c_str());
    }
    options.roles = [&](int, const std::string& name,
                        const ImageRef&) -> std::shared_ptr<PixelSource> {
      for (std::size_t i = 0; i < info.roles.size(); ++i) {
        if (info.roles[i].parameter != name) continue;
        PictureFormat laid = held[i]->image.format;
        laid.width = format.width;
        laid.height = format.height;
        return std::make_shared<LaidSource>(laid, held[i]->image.view());
      }
      return nullptr;
    };
    options.region = region;
    graph.connect(input);
    set_values(graph.op(), info, values);
    Listening listening;
    Image want = run(session_, recipe, input, format, options);
    Image got = graph.result(format, region);
    QVERIFY2(difference_in(got, want, region) < 1e-4,
             qPrintable(QString::number(difference_in(got, want, region))));
    QVERIFY2(!listening.all().contains(QStringLiteral("needs a picture")),
             qPrintable(listening.all()));
  }

  // Pictures and guides in a space whose curve is not sRGB's: Adobe RGB's is a power of 563 / 256.
  void spaces_keep_their_curves_data() {
    QTest::addColumn<QByteArray>("type");
    QTest::newRow("8 bits") << QByteArray("u8");
    QTest::newRow("16 bits") << QByteArray("u16");
    QTest::newRow("floats") << QByteArray("float");
  }
  void spaces_keep_their_curves() {
    QFETCH(QByteArray, type);
    const Babl* space = babl_space("Adobish");
    const Babl* name = babl_format_with_space(("R'G'B' " + type).constData(), space);
    const double half[] = {0.5, 0.5, 0.5};
    double light[3];
    babl_process(babl_fish(babl_format_with_space("R'G'B' double", space),
                           babl_format_with_space("RGB double", space)),
                 half, light, 1);
    const auto gamma = static_cast<float>(std::log(light[0]) / std::log(0.5));
    QVERIFY(gamma > 2.1 && gamma < 2.3);
    PictureFormat format = rgba(83, 59);
    format.channels = 3;
    format.alpha = AlphaKind::none;
    format.type = type == "u8" ? SampleType::u8 : type == "u16" ? SampleType::u16 : SampleType::f32;
    format.coding = Coding::power(gamma);
    Image input = scene(format), guide = scene(format);
    const GeglRectangle extent{left, top, format.width, format.height};
    const auto buffer_in_space = [&](Image& image) {
      GeglBuffer* buffer = gegl_buffer_new(&extent, name);
      gegl_buffer_set(buffer, &extent, 0, name, image.view().data,
                      static_cast<int>(image.view().row_stride));
      return buffer;
    };
    GeglBuffer *picture = buffer_in_space(input), *beside = buffer_in_space(guide);
    for (const char* id : {"gaussian", "joint_bilateral"}) {
      for (const char* working : {"linear", "display"}) {
        const Recipe recipe = one_step(id, {{"light", working}});
        Graph graph(id);
        set_values(graph.op(), Registry::get().at(id).filter->info(), recipe.steps[0].values);
        GeglNode* source = graph.add("gegl:buffer-source");
        gegl_node_set(source, "buffer", picture, nullptr);
        graph.connect(source);
        RenderOptions options;
        if (id == std::string("joint_bilateral")) {
          GeglNode* aux = graph.add("gegl:buffer-source");
          gegl_node_set(aux, "buffer", beside, nullptr);
          graph.connect(aux, "aux");
          options.roles = [&](int, const std::string& role,
                              const ImageRef&) -> std::shared_ptr<PixelSource> {
            return role == "guide" ? std::make_shared<MemorySource>(guide.format, guide.view())
                                   : nullptr;
          };
        }
        PictureFormat output = rgba(83, 59);
        Image got(output);
        gegl_node_blit(graph.op(), 1.0, &extent, babl_format_with_space("RGBA float", space),
                       got.view().data, static_cast<int>(got.view().row_stride), GEGL_BLIT_DEFAULT);
        Image want = run(session_, recipe, input, output, options);
        const double far = difference_in(got, want, output.rect());
        QVERIFY2(far < 2e-4, qPrintable(QStringLiteral("%1 in %2 light: %3")
                                            .arg(QLatin1String(id), QLatin1String(working))
                                            .arg(far)));
      }
    }
    g_object_unref(picture);
    g_object_unref(beside);
  }

  // At the sides of a cell, which is computed at once: beyond them there are only requested pixels.
  void what_lies_around_a_region_is_asked_for_data() { every_filter(); }
  void what_lies_around_a_region_is_asked_for() {
    const Filter& filter = fetched();
    const FilterInfo& info = filter.info();
    const Values values = open_values(filter);
    const PictureFormat format = wide_.format;
    std::vector<std::shared_ptr<OwnedSource>> roles;
    for (const RoleInfo& role : info.roles) {
      roles.push_back(role_source(role.parameter, format.width, format.height));
    }
    Graph whole(info.id), part(info.id);
    for (Graph* graph : {&whole, &part}) {
      graph->connect_computed(wide_);
      for (std::size_t i = 0; i < roles.size(); ++i) {
        graph->connect_computed(roles[i]->image, pad_of(info, info.roles[i].parameter).c_str());
      }
      set_values(graph->op(), info, values);
    }
    // First, so that the worker answers by then: before that, the whole picture is requested.
    Image want = whole.result(format, format.rect());
    const Rect cell = whole.cell_of(format.width / 4, format.height / 4);
    const Recipe recipe = with_roles_named(one_step(info.id, values));
    const bool needs_all = session_.required_region(recipe, format, {0, 0, 1, 1}) == format.rect();
    QCOMPARE(cell == format.rect(), needs_all);
    const Rect region{cell.x1 - 40, cell.y1 - 30, cell.x1, cell.y1};
    Image got = part.result(format, region);
    QCOMPARE(difference_in(got, want, region), 0.0);
  }
};

QTEST_GUILESS_MAIN(TestGegl)
#include "test_gegl.moc"
