// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Properties of every filter, tested by walking the registry: a new filter is tested automatically.
// Slow: not built with sanitizers, where small_kernels runs every filter.
#include <QTest>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "filters/registry.hpp"
#include "params/json.hpp"
#include "params/vocabulary.hpp"
#include "support/devices.hpp"
#include "support/once.hpp"
#include "support/pictures.hpp"
#include "support/registry_rows.hpp"
#include "support/registry_walk.hpp"
#include "support/sessions.hpp"
#include "support/values.hpp"

using namespace sfumato;
using namespace sfumato::testing;

class TestEveryFilter : public QObject {
  Q_OBJECT

 private:
  std::vector<Runner> runners_;
  Sessions sessions_{std::size_t{1} << 30};
  std::unique_ptr<Session> reference_;
  Once<Image> wanted_;

  // Device compared with reference for one picture; a failed device must not hide behind the
  // fallback.
  void compare(const Filter& filter, const Values& values, Image input, const Runner& runner,
               const std::string& what, double rounding = 0) {
    const Recipe recipe = one_step(filter.info().id, values);
    const PictureFormat output = compared_in(filter, values, input.format);
    const RenderOptions options = with_roles(input.format.width, input.format.height);
    Image want = wanted_.of(key_of(recipe, input),
                            [&] { return run(*reference_, recipe, input, output, options); });
    Image got(output);
    MemorySource source(input.format, input.view());
    MemorySink sink(output, got.view());
    const RenderReport report = sessions_.on(runner).render(recipe, source, sink, options);
    const std::string label = text_of(filter.info(), values) + ", " + what + ", " + runner.label;
    QVERIFY2(
        report.warnings.empty(),
        (label + ": " + (report.warnings.empty() ? "" : in_english(report.warnings[0]))).c_str());
    const double difference = largest_difference(got, want);
    QVERIFY2(difference <= filter.tolerance(values) + rounding,
             qPrintable(QString("%1: differs by %2, allowed %3")
                            .arg(QString::fromStdString(label))
                            .arg(difference)
                            .arg(filter.tolerance(values))));
  }

 private slots:
  void initTestCase() {
    runners_ = runners();
    SessionOptions options;
    options.device = "reference";
    reference_ = std::make_unique<Session>(options);
  }

  void cleanup() { wanted_.clear(); }

  void help_and_schema_are_complete_data() { every_filter(); }
  void help_and_schema_are_complete() {
    const FilterInfo& info = fetched().info();
    QVERIFY(is_snake_case(info.id));
    for (const std::string* text : {&info.label, &info.category, &info.summary, &info.description,
                                    &info.source, &info.formula}) {
      QVERIFY(!text->empty());
    }
    // On a terminal of 80 columns, and in a manual page with its margin.
    for (const QString& line : QString::fromStdString(info.formula).split('\n')) {
      QVERIFY2(line.size() <= 75, qPrintable("a line of the formula is too long: " + line));
    }
    QVERIFY(info.summary.back() == '.');
    QVERIFY(info.version >= 1);
    for (const Parameter& p : info.parameters) {
      QVERIFY2(!p.label.empty() && !p.help.empty(), p.name.c_str());
      for (const ChoiceOption& c : p.choices) QVERIFY2(!c.label.empty(), c.id.c_str());
      const auto json = schema(p);
      QVERIFY(json.contains("name") && json.contains("kind") && json.contains("default"));
    }
    for (const RoleInfo& role : info.roles)
      QVERIFY(info.parameters.find(role.parameter) != nullptr);
    for (const char* common : {"light", "mask", "mix"})
      QVERIFY(info.parameters.find(common) != nullptr);
  }

  void recipe_survives_a_round_trip_data() { every_filter(); }
  void recipe_survives_a_round_trip() {
    const FilterInfo& info = fetched().info();
    for (const Values& values : variants(*Registry::get().at(info.id).filter)) {
      const Recipe recipe = one_step(info.id, values);
      QVERIFY(parse_recipe(print_recipe(recipe, Registry::get()), Registry::get()) == recipe);
    }
  }

  void device_agrees_with_reference_data() { every_filter(); }
  void device_agrees_with_reference() {
    const Filter& filter = fetched();
    for (const Runner& runner : runners_) {
      for (const Values& values : variants(filter)) {
        compare(filter, values, scene(rgba(67, 45)), runner, "RGBA 67x45");
        if (QTest::currentTestFailed()) return;
      }
      compare(filter, busy_values(filter), scene(gray(61, 40)), runner, "gray 61x40");
    }
  }

  void odd_sizes_data() { every_filter(); }
  void odd_sizes() {
    const Filter& filter = fetched();
    const Values values = busy_values(filter);
    for (const Runner& runner : runners_) {
      for (const auto& [w, h] :
           {std::pair(1, 1), {1, 17}, {23, 1}, {2, 3}, {16, 16}, {129, 5}, {5, 130}}) {
        compare(filter, values, scene(rgba(w, h)), runner,
                "RGBA " + std::to_string(w) + "x" + std::to_string(h));
        compare(filter, values, scene(gray(w, h)), runner,
                "gray " + std::to_string(w) + "x" + std::to_string(h));
        if (QTest::currentTestFailed()) return;
      }
    }
  }

  void every_border_data() { every_filter(); }
  void every_border() {
    const Filter& filter = fetched();
    if (filter.info().parameters.find("border") == nullptr) QSKIP("has no border");
    for (const Runner& runner : runners_) {
      for (const char* border : {"mirror", "wrap", "zero", "renormalise"}) {
        for (const Values& variant : variants(filter)) {
          Values values = variant;
          values.set("border", Choice(border));
          compare(filter, values, scene(rgba(43, 29)), runner, "RGBA 43x29");
          if (QTest::currentTestFailed()) return;
        }
        Values values = busy_values(filter);
        values.set("border", Choice(border));
        compare(filter, values, scene(gray(43, 29)), runner, "gray 43x29");
        compare(filter, values, scene(rgba(3, 2)), runner, "RGBA 3x2");
        if (QTest::currentTestFailed()) return;
      }
    }
  }

  void every_format_data() { every_filter(); }
  void every_format() {
    const Filter& filter = fetched();
    const Values values = busy_values(filter);
    for (const Runner& runner : runners_) {
      for (int type = 0; type < 4; ++type) {
        for (int channels = 1; channels <= 4; ++channels) {
          const bool has_alpha = channels == 2 || channels == 4;
          const auto sample = static_cast<SampleType>(type);
          PictureFormat format{31,
                               18,
                               channels,
                               sample,
                               has_alpha ? AlphaKind::straight : AlphaKind::none,
                               is_integer(sample) ? Coding::srgb() : Coding::linear()};
          compare(filter, values, scene(format), runner,
                  "type " + std::to_string(type) + ", " + std::to_string(channels) + " channels");
          if (QTest::currentTestFailed()) return;
        }
      }
    }
  }

  void tiles_agree_with_the_whole_data() { every_filter(); }
  void tiles_agree_with_the_whole() {
    const Filter& filter = fetched();
    for (const Runner& runner : runners_) {
      for (const Values& variant : variants(filter)) {
        for (const char* border : {"clamp", "mirror", "wrap", "zero", "renormalise"}) {
          Values values = variant;
          if (filter.info().parameters.find("border") != nullptr) {
            values.set("border", Choice(border));
          } else if (std::string(border) != "clamp") {
            continue;
          }
          const Recipe recipe = one_step(filter.info().id, values);
          Image input = scene(rgba(83, 61));
          RenderOptions options = with_roles(83, 61);
          Image whole = run(sessions_.on(runner), recipe, input, input.format, options);
          options.forced_tile = 32;
          Image tiled = run(sessions_.on(runner), recipe, input, input.format, options);
          const double difference = largest_difference(whole, tiled);
          QVERIFY2(difference <= filter.tiling_tolerance(values),
                   qPrintable(QString("%1, %2: tiles differ by %3")
                                  .arg(QString::fromStdString(text_of(filter.info(), values)),
                                       QString::fromStdString(runner.label))
                                  .arg(difference)));
        }
      }
    }
  }

  void bad_numbers_stay_local_data() { every_filter(); }
  void bad_numbers_stay_local() {
    const Filter& filter = fetched();
    std::vector<Values> tried = variants(filter);
    tried.push_back(narrow_values(filter));  // otherwise some reach beyond the picture
    int compared = 0;
    for (const Runner& runner : runners_) {
      for (const Values& values : tried) {
        if (filter.neutral(values)) continue;  // no step at all
        for (const float bad : {std::nanf(""), std::numeric_limits<float>::infinity()}) {
          const Recipe recipe = one_step(filter.info().id, values);
          Image input = scene(rgba(90, 70));
          const RenderOptions options = with_roles(90, 70);
          Image good = run(sessions_.on(runner), recipe, input, input.format, options);
          input.set(45, 35, 1, bad);
          Image result = run(sessions_.on(runner), recipe, input, input.format, options);
          const Plan plan = plan_of(with_roles_named(recipe), input, target_of(runner));
          const Needs& needs = plan.steps.at(0).needs;
          if (needs.whole_image) {  // read as 0: no non-finite results at all
            for (int y = 0; y < 70; ++y) {
              for (int x = 0; x < 90; ++x) QVERIFY(std::isfinite(result.get(x, y, 1)));
            }
            ++compared;
            continue;
          }
          for (int y = 0; y < 70; ++y) {
            for (int x = 0; x < 90; ++x) {
              if (std::abs(x - 45) <= needs.halo_x && std::abs(y - 35) <= needs.halo_y) continue;
              ++compared;
              QVERIFY2(result.get(x, y, 1) == good.get(x, y, 1),
                       qPrintable(QString("%1, %2: (%3, %4) changed")
                                      .arg(QString::fromStdString(text_of(filter.info(), values)),
                                           QString::fromStdString(runner.label))
                                      .arg(x)
                                      .arg(y)));
            }
          }
        }
      }
    }
    QVERIFY(compared > 0);
  }

  // Invisible red beside green: no red may appear.
  void transparent_pixels_do_not_bleed_data() { every_filter(); }
  void transparent_pixels_do_not_bleed() {
    const Filter& filter = fetched();
    bool has_colours = false;
    int compared = 0;
    for (const Runner& runner : runners_) {
      for (const Values& values : variants(filter)) {
        if (filter.gives_data(values)) continue;
        has_colours = true;
        const Recipe recipe = one_step(filter.info().id, values);
        Image hidden(rgba(48, 32)), plain(rgba(48, 32));
        for (int y = 0; y < 32; ++y) {
          for (int x = 0; x < 48; ++x) {
            const bool clear = x < 24;
            hidden.set(x, y, 0, clear ? 1.0f : 0.0f);
            hidden.set(x, y, 1, clear ? 0.0f : 0.5f);
            hidden.set(x, y, 3, clear ? 0.0f : 1.0f);
            plain.set(x, y, 1, 0.5f);
            plain.set(x, y, 3, clear ? 0.0f : 1.0f);
          }
        }
        const RenderOptions options = with_roles(48, 32);
        Image a = run(sessions_.on(runner), recipe, hidden, hidden.format, options);
        Image b = run(sessions_.on(runner), recipe, plain, plain.format, options);
        for (int y = 0; y < 32; ++y) {
          for (int x = 0; x < 48; ++x) {
            QCOMPARE(a.get(x, y, 3), b.get(x, y, 3));
            if (a.get(x, y, 3) == 0.0f) continue;
            ++compared;
            for (int c = 0; c < 3; ++c) {
              QVERIFY2(std::abs(a.get(x, y, c) - b.get(x, y, c)) < 1e-4f,
                       qPrintable(QString("%1, %2: colour bleeds at (%3, %4)")
                                      .arg(QString::fromStdString(text_of(filter.info(), values)),
                                           QString::fromStdString(runner.label))
                                      .arg(x)
                                      .arg(y)));
            }
          }
        }
      }
    }
    if (!has_colours) QSKIP("gives data, not colours");
    QVERIFY(compared > 0);
  }

  // Each number at its minimum, slightly above it, and at the slider's end: results are finite on
  // every device, and equal the reference's.
  void ends_of_ranges_data() { every_filter(); }
  void ends_of_ranges() {
    const Filter& filter = fetched();
    int compared = 0;
    for (const Parameter& p : filter.info().parameters) {
      if (p.kind != Kind::real && p.kind != Kind::integer) continue;
      for (const double number :
           {p.valid.min, p.valid.min == 0 ? 1e-40 : p.valid.min, 1e-200, p.slider.max}) {
        const bool whole = p.kind == Kind::integer;
        if (!p.valid.contains(number) || (whole && number != std::floor(number))) continue;
        Values values = busy_values(filter);
        if (whole) {
          values.set(p.name, static_cast<std::int64_t>(number));
        } else {
          values.set(p.name, number);
        }
        try {
          filter.check(with_roles_named(one_step(filter.info().id, values)).steps[0].values);
        } catch (const ParameterError&) {
          continue;
        }
        Image input = scene(rgba(23, 17));
        // An offset of a million leaves fewer digits in floats.
        const double rounding = std::abs(number) * 1e-7;
        for (const Runner& runner : runners_) {
          compare(filter, values, input, runner, "at an end", rounding);
          ++compared;
        }
      }
    }
    QVERIFY(compared > 0);
  }

  void mix_of_nothing_changes_nothing_data() { every_filter(); }
  void mix_of_nothing_changes_nothing() {
    const Filter& filter = fetched();
    Values values = busy_values(filter);
    values.set("mix", 0.0);
    const Recipe recipe = one_step(filter.info().id, values);
    for (int type = 0; type < 4; ++type) {
      Image input = scene(rgba(20, 20, static_cast<SampleType>(type)));
      for (const Runner& runner : runners_) {
        Image output = run(sessions_.on(runner), recipe, input, input.format, with_roles(20, 20));
        QVERIFY(output.bytes == input.bytes);
      }
    }
  }

  void a_mask_leads_from_before_to_after_data() { every_filter(); }
  void a_mask_leads_from_before_to_after() {
    const Filter& filter = fetched();
    Values values = busy_values(filter);
    values.set("light", Choice("linear"));
    values.set("mix", 1.0);
    const Recipe recipe = one_step(filter.info().id, values);
    const int w = 36, h = 23;
    Image input = scene(linear_format(w, h, 3));
    Image mask(linear_format(w, h, 1));
    for (int y = 0; y < h; ++y) {
      for (int x = 0; x < w; ++x) mask.set(x, y, 0, 0.5f * static_cast<float>(x / 12));
    }
    RenderOptions masked = with_roles(w, h);
    masked.roles = [&mask, others = masked.roles](int step, const std::string& role,
                                                  const ImageRef& reference) {
      if (role != "mask") return others(step, role, reference);
      return std::shared_ptr<PixelSource>(std::make_shared<OwnedSource>(mask));
    };
    for (const Runner& runner : runners_) {
      Session& session = sessions_.on(runner);
      Image all = run(session, recipe, input, input.format, with_roles(w, h));
      Image some = run(session, recipe, input, input.format, masked);
      for (int y = 0; y < h; ++y) {
        for (int x = 0; x < w; ++x) {
          for (int c = 0; c < 3; ++c) {
            const float before = input.get(x, y, c), after = all.get(x, y, c);
            const float want = before + mask.get(x, y, 0) * (after - before);
            const float most = 2e-5f * std::max({1.0f, std::abs(before), std::abs(after)});
            QVERIFY2(std::abs(some.get(x, y, c) - want) <= most,
                     qPrintable(QString("%1, %2: %3 instead of %4 at %5, %6")
                                    .arg(QString::fromStdString(text_of(filter.info(), values)),
                                         QString::fromStdString(runner.label))
                                    .arg(some.get(x, y, c))
                                    .arg(want)
                                    .arg(x)
                                    .arg(y)));
          }
        }
      }
    }
  }

 private:
  Target target_of(const Runner& runner) { return testing::open(runner)->target(); }
};

QTEST_GUILESS_MAIN(TestEveryFilter)
#include "test_every_filter.moc"
