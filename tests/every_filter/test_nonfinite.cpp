// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Non-finite samples: for every filter, each device and the reference treat them alike.
// Slow: not built with sanitizers, where small_kernels runs every filter.
#include <QTest>

#include "filters/registry.hpp"
#include "support/devices.hpp"
#include "support/nonfinite.hpp"
#include "support/once.hpp"
#include "support/pictures.hpp"
#include "support/registry_rows.hpp"
#include "support/registry_walk.hpp"
#include "support/sessions.hpp"

using namespace sfumato;
using namespace sfumato::testing;

class TestNonfinite : public QObject {
  Q_OBJECT

 private:
  std::vector<Runner> runners_;
  Sessions sessions_{std::size_t{1} << 30};
  std::unique_ptr<Session> reference_;
  int compared_ = 0;
  Once<Image> wanted_;  // by key_of(), which ignores roles, given as "good" or "spoilt"

  // Roles as in registry_walk, with non-finite samples in each; a mask too.
  static RenderOptions with_spoilt_roles(int w, int h) {
    RenderOptions options;
    options.roles = [w, h](int, const std::string& role,
                           const ImageRef&) -> std::shared_ptr<PixelSource> {
      const bool mask = role == "mask";
      std::shared_ptr<OwnedSource> source = role_source(mask ? "depth" : role, w, h);
      for (const BadSample& bad : bad_samples(gray(w, h), false)) {
        Image& image = source->image;
        const int x = bad.x % image.format.width, y = bad.y % image.format.height;
        image.set(x, y, bad.y % image.format.channels, bad.value);
      }
      return source;
    };
    return options;
  }

  // A failed device must not hide behind the fallback, which would warn.
  Image filtered(Session& session, const Recipe& recipe, Image& input, const PictureFormat& output,
                 const std::string& label, const RenderOptions& options) {
    Image result(output);
    MemorySource source(input.format, input.view());
    MemorySink sink(output, result.view());
    const RenderReport report = session.render(recipe, source, sink, options);
    for (const std::string& line : in_english(report.warnings)) {
      const bool about_samples = line.find("not finite numbers") != std::string::npos;
      if (!about_samples) QTest::qFail((label + ": " + line).c_str(), __FILE__, __LINE__);
    }
    return result;
  }

  void compare(const Filter& filter, const Values& values, PictureFormat format, bool in_alpha,
               const Runner& runner) {
    if (filter.neutral(values)) return;
    ++compared_;
    const std::vector<BadSample> places = bad_samples(format, in_alpha);
    Image input = spoilt_scene(format, places);
    const PictureFormat output = compared_in(filter, values, input.format);
    const Recipe recipe = one_step(filter.info().id, values);
    const std::string label = text_of(filter.info(), values) +
                              (in_alpha ? ", bad alpha, " : ", bad colours, ") + runner.label;
    Target scalar;
    scalar.reference = true;
    const auto needs = [&](const Target& target) {
      return plan_of(with_roles_named(recipe), input, target).steps.at(0).needs;
    };
    const Target target = filter.info().non_finite == NonFinite::left_out
                              ? scalar
                              : target_of(runner.device, runner.form);
    const Reach reach{needs(target), needs(scalar), 0, 0};
    Session& device = sessions_.on(runner);
    const RenderOptions roles = with_roles(format.width, format.height);
    Image got = filtered(device, recipe, input, output, label, roles);
    Image want = wanted_.of(key_of(recipe, input) + " good", [&] {
      return filtered(*reference_, recipe, input, output, label, roles);
    });
    Image good = scene(input.format);
    const bool free = filter.info().non_finite == NonFinite::becomes_number;
    Results results{got, want, free ? got : filtered(device, recipe, good, output, label, roles)};
    const std::string wrong = disagreement(results, filter.tolerance(values), reach, places);
    if (!wrong.empty()) QTest::qFail((label + ": " + wrong).c_str(), __FILE__, __LINE__);
  }

  void compare_with_spoilt_roles(const Filter& filter, const Values& values, const Runner& runner) {
    Image input = scene(rgba(33, 21));
    const PictureFormat output = compared_in(filter, values, input.format);
    const Recipe recipe = one_step(filter.info().id, values);
    const std::string label = text_of(filter.info(), values) + ", bad roles, " + runner.label;
    const RenderOptions roles = with_spoilt_roles(33, 21);
    Image got = filtered(sessions_.on(runner), recipe, input, output, label, roles);
    Image want = wanted_.of(key_of(recipe, input) + " spoilt", [&] {
      return filtered(*reference_, recipe, input, output, label, roles);
    });
    Results results{got, want, got};
    // Masking involves rounding, whatever the filter does.
    const double tolerance = std::max(filter.tolerance(values), 2e-5);
    const std::string wrong = disagreement(results, tolerance, {}, {});
    if (!wrong.empty()) QTest::qFail((label + ": " + wrong).c_str(), __FILE__, __LINE__);
  }

 private slots:
  void initTestCase() {
    runners_ = runners();
    SessionOptions options;
    options.device = "reference";
    reference_ = std::make_unique<Session>(options);
  }

  void cleanup() { wanted_.clear(); }

  void devices_agree_with_the_reference_data() { every_filter(); }
  void devices_agree_with_the_reference() {
    const Filter& filter = fetched();
    compared_ = 0;
    for (const Runner& runner : runners_) {
      for (const Values& values : variants(filter)) {
        for (const bool in_alpha : {false, true}) {
          compare(filter, values, rgba(33, 21), in_alpha, runner);
        }
      }
      for (const bool in_alpha : {false, true}) {
        compare(filter, narrow_values(filter), rgba(33, 21), in_alpha, runner);
      }
      compare(filter, narrow_values(filter), gray(33, 21), false, runner);
    }
    QVERIFY(compared_ > 0);
  }

  void devices_agree_on_bad_roles_data() { every_filter(); }
  void devices_agree_on_bad_roles() {
    const Filter& filter = fetched();
    for (const Runner& runner : runners_) {
      for (const Values& values : variants(filter)) {
        compare_with_spoilt_roles(filter, values, runner);
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestNonfinite)
#include "test_nonfinite.moc"
