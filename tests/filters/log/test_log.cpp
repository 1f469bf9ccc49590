// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The Laplacian of a Gaussian on surfaces and edges with known responses.
// Slow: not built with sanitizers, where small_kernels runs every filter.
#include <QTest>
#include <cmath>

#include "support/devices.hpp"
#include "support/pictures.hpp"
#include "support/sessions.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

using Words = std::vector<std::pair<std::string, std::string>>;

PictureFormat format_of(int w, int h, int channels) {
  return {w, h, channels, SampleType::f32, AlphaKind::none, Coding::srgb()};
}

}  // namespace

class TestLog : public QObject {
  Q_OBJECT

 private:
  Sessions sessions_;

 private slots:
  // The Laplacian of x^2 + 3 y^2 is 8 everywhere, blurred or not; that of a plane is 0.
  void log_measures_the_second_derivative() {
    Image bowl(format_of(121, 121, 1)), plane(format_of(121, 121, 1));
    for (int y = 0; y < 121; ++y) {
      for (int x = 0; x < 121; ++x) {
        const double u = (x - 60) * 0.01, v = (y - 60) * 0.01;
        bowl.set(x, y, 0, static_cast<float>(u * u + 3 * v * v));
        plane.set(x, y, 0, static_cast<float>(0.5 + u - v));
      }
    }
    for (const Runner& runner : runners()) {
      for (const char* method : {"auto", "direct", "factored", "fft"}) {
        // Sigma squared is 9.
        const bool normalised = method[0] == 'f';
        const Words words = {{"sigma", "3"},
                             {"radius", "20"},
                             {"offset", "0"},
                             {"scale_normalised", normalised ? "true" : "false"},
                             {"gain", normalised ? "1111.1111" : "10000"},
                             {"method", method}};
        Image curved = run(sessions_.on(runner), one_step("log", words), bowl, bowl.format);
        Image flat = run(sessions_.on(runner), one_step("log", words), plane, plane.format);
        QVERIFY2(std::abs(curved.get(60, 60, 0) - 8) < 0.05f,
                 qPrintable(QString::number(curved.get(60, 60, 0))));
        QVERIFY2(std::abs(flat.get(60, 60, 0)) < 0.05f,
                 qPrintable(QString::number(flat.get(60, 60, 0))));
      }
    }
  }

  // They are found in a picture of the response, which has a pixel more on every side.
  void zero_crossings_need_room_for_the_response() {
    const Filter& filter = *Registry::get().at("log").filter;
    Picture picture;
    picture.width = picture.height = 500;
    const auto needs_of = [&](const Runner& runner, const char* show) {
      const Values values = one_step("log", {{"show", show}}).steps[0].values;
      return filter.prepare(values, picture, target_of(runner.device, runner.form))->needs();
    };
    for (const Runner& runner : runners()) {
      const Needs response = needs_of(runner, "response"),
                  crossings = needs_of(runner, "zero_crossings");
      QCOMPARE(crossings.halo_x, response.halo_x + 1);
      QCOMPARE(crossings.halo_y, response.halo_y + 1);
      QVERIFY(crossings.scratch_per_pixel >= response.scratch_per_pixel + 16);
    }
  }

  void zero_crossings_follow_an_edge() {
    Image step(format_of(60, 40, 1));
    for (int y = 0; y < 40; ++y) {
      for (int x = 0; x < 60; ++x) step.set(x, y, 0, x < 30 ? 0.2f : 0.8f);
    }
    for (const Runner& runner : runners()) {
      Image got = run(sessions_.on(runner), one_step("log", {{"show", "zero_crossings"}}), step,
                      step.format);
      for (int y = 0; y < 40; ++y) {
        for (int x = 0; x < 60; ++x) QCOMPARE(got.get(x, y, 0), x == 29 ? 1.0f : 0.0f);
      }
    }
  }

  // The last column and row are compared with nothing beyond them, the ones before with them.
  void zero_crossings_at_the_ends() {
    for (const int w : {64, 60}) {
      Image corner(format_of(w, 40, 1));
      for (int y = 0; y < 40; ++y) {
        for (int x = 0; x < w; ++x) {
          corner.set(x, y, 0, x == w - 1 || y == 39 ? 0.8f : 0.2f);
        }
      }
      for (const Runner& runner : runners()) {
        Image got = run(sessions_.on(runner), one_step("log", {{"show", "zero_crossings"}}), corner,
                        corner.format);
        for (int y = 0; y < 40; ++y) QCOMPARE(got.get(w - 1, y, 0), 0.0f);
        for (int x = 0; x < w; ++x) QCOMPARE(got.get(x, 39, 0), 0.0f);
        for (int y = 0; y < 30; ++y) QCOMPARE(got.get(w - 2, y, 0), 1.0f);
        for (int x = 0; x < w - 10; ++x) QCOMPARE(got.get(x, 38, 0), 1.0f);
      }
    }
  }

  // The same edge at any size.
  void scale_normalised_edges_answer_alike() {
    Image step(format_of(160, 8, 1));
    for (int y = 0; y < 8; ++y) {
      for (int x = 0; x < 160; ++x) step.set(x, y, 0, x < 80 ? 0.4f : 0.6f);
    }
    for (const Runner& runner : runners()) {
      for (const double sigma : {1.5, 4.0, 12.0}) {
        const std::string width = std::to_string(sigma);
        Image got = run(sessions_.on(runner), one_step("log", {{"sigma", width}, {"offset", "0"}}),
                        step, step.format);
        float most = 0;
        for (int x = 0; x < 160; ++x) most = std::max(most, got.get(x, 4, 0));
        // The extreme of sigma^2 (G')' of a step: 1 / sqrt(2 pi e), at sigma beside it.
        QVERIFY2(std::abs(most - 0.2f * 0.24197f) < 2e-3f, qPrintable(QString::number(most)));
        Image lines =
            run(sessions_.on(runner),
                one_step("log", {{"sigma", width}, {"show", "zero_crossings"}}), step, step.format);
        for (int x = 0; x < 160; ++x) QCOMPARE(lines.get(x, 4, 0), x == 79 ? 1.0f : 0.0f);
      }
    }
  }

  // Too large for a strip's ring: each method still agrees with the definition.
  void log_at_its_largest() {
    Image picture = scene(format_of(70, 50, 3));
    Sessions tight(24u << 20);
    for (const char* method : {"auto", "direct", "factored"}) {
      const Recipe recipe =
          one_step("log", {{"sigma", "60"}, {"radius", "250"}, {"method", method}});
      Image want = run(sessions_.on("reference", "reference", {}), recipe, picture, picture.format);
      for (const Runner& runner : runners()) {
        for (Sessions* sessions : {&sessions_, &tight}) {
          Image got = run(sessions->on(runner), recipe, picture, picture.format);
          QVERIFY(largest_difference(got, want) < 1e-4);
        }
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestLog)
#include "test_log.moc"
