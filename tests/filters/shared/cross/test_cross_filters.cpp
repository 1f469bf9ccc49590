// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// atrous and joint_bilateral compared with float64 sums by definition, and their promises about
// edges, backgrounds and bad numbers.
// Slow: not built with sanitizers, where small_kernels runs every filter.
#include <QTest>
#include <array>
#include <cfloat>
#include <cmath>
#include <functional>
#include <map>
#include <optional>

#include "cross_window.hpp"
#include "params/errors.hpp"
#include "support/devices.hpp"
#include "support/pictures.hpp"
#include "support/sessions.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

constexpr const char* borders[] = {"clamp", "mirror", "wrap", "zero", "renormalise"};

PictureFormat linear(int w, int h, int channels) {
  const bool alpha = channels == 2 || channels == 4;
  return {w,
          h,
          channels,
          SampleType::f32,
          alpha ? AlphaKind::straight : AlphaKind::none,
          Coding::linear()};
}

using Fill = std::function<float(int x, int y, int c)>;
Image made(const PictureFormat& format, const Fill& fill) {
  Image image(format);
  for (int y = 0; y < format.height; ++y) {
    for (int x = 0; x < format.width; ++x) {
      for (int c = 0; c < format.channels; ++c) image.set(x, y, c, fill(x, y, c));
    }
  }
  return image;
}

// Noise over two tones; the last of two or four channels runs from transparent to opaque.
Image noisy(int w, int h, int channels) {
  std::uint32_t seed = 17;
  return made(linear(w, h, channels), [&](int x, int y, int c) {
    if (channels % 2 == 0 && c == channels - 1) {
      return std::min(1.0f, static_cast<float>(x) / 11.0f);
    }
    return (x + 2 * y > w ? 0.6f : 0.2f) + 0.2f * noise_at(seed);
  });
}

// A room's normals with a crease and a hole, and depths with a step and an infinite background.
Image normals_of(int w, int h) {
  return made(linear(w, h, 3), [&](int x, int y, int c) {
    if (y < 4) return 0.0f;
    const float tilt = x < w / 2 ? 0.0f : 0.6f;
    return c == 0 ? tilt : c == 1 ? 0.0f : std::sqrt(1 - tilt * tilt);
  });
}
Image depths_of(int w, int h) {
  return made(linear(w, h, 1), [&](int x, int y, int) {
    if (y < 4) return INFINITY;
    return (y < h / 2 ? 2.0f : 3.5f) + 0.01f * static_cast<float>(x);
  });
}
Image guide_of(int w, int h) {
  return made(linear(w, h, 3), [&](int x, int y, int c) {
    return (x / 13 + y / 9) % 2 == 0 ? 0.2f + 0.1f * static_cast<float>(c) : 0.45f;
  });
}

using RoleImages = std::map<std::string, Image*>;

const std::vector<double> spline{0.375, 0.25, 0.0625};

}  // namespace

class TestCrossFilters : public QObject {
  Q_OBJECT

 private:
  Sessions sessions_{std::size_t{1} << 30};

  static RenderOptions with(const RoleImages& roles) {
    RenderOptions options;
    options.roles = [roles](int, const std::string& role,
                            const ImageRef&) -> std::shared_ptr<PixelSource> {
      const auto found = roles.find(role);
      if (found == roles.end()) return nullptr;
      return std::make_shared<MemorySource>(found->second->format, found->second->view());
    };
    return options;
  }

  // The result on every device and form, and by the reference.
  template <typename Check>
  void each(const std::string& filter, Image& picture, const RoleImages& roles,
            const std::vector<std::pair<std::string, std::string>>& words, Check&& check) {
    const auto filtered = [&](Session& session, const std::string& where) {
      std::string label = where + ": " + filter;
      for (const auto& [name, text] : words) label += " " + name + "=" + text;
      for (const auto& [name, image] : roles) label += " " + name;
      Image got(picture.format);
      MemorySource source(picture.format, picture.view());
      MemorySink sink(picture.format, got.view());
      const RenderReport report =
          session.render(one_step(filter, words), source, sink, with(roles));
      QVERIFY2(
          report.warnings.empty(),
          (label + ": " + (report.warnings.empty() ? "" : in_english(report.warnings[0]))).c_str());
      check(got, label);
    };
    for (const Runner& runner : runners()) {
      filtered(sessions_.on(runner.label, runner.device.name, runner.form), runner.label);
      if (QTest::currentTestFailed()) return;
    }
    filtered(sessions_.on("reference", "reference", {}), "reference");
  }

  // Parts of the picture that begin anywhere, against the whole, to the bit.
  void tiles_agree(const std::string& filter, Image& picture, const RoleImages& roles,
                   const std::vector<std::pair<std::string, std::string>>& words) {
    for (const Runner& runner : runners()) {
      std::vector<Image> results;
      for (const int tile : {0, 150}) {
        RenderOptions options = with(roles);
        options.forced_tile = tile;
        Image& got = results.emplace_back(picture.format);
        MemorySource source(picture.format, picture.view());
        MemorySink sink(picture.format, got.view());
        sessions_.on(runner.label, runner.device.name, runner.form)
            .render(one_step(filter, words), source, sink, options);
      }
      QVERIFY2(results[0].bytes == results[1].bytes, (runner.label + ": " + filter).c_str());
    }
  }

  // Colours with small alpha are less precise.
  static void compare(Image& got, Numbers& want, const std::string& label) {
    const PictureFormat& f = got.format;
    const int colors = f.color_channels();
    for (int y = 0; y < f.height; ++y) {
      for (int x = 0; x < f.width; ++x) {
        const double alpha = f.has_alpha() ? want.at(x, y, colors) : 1.0;
        for (int c = 0; c < f.channels; ++c) {
          const double e = std::abs(static_cast<double>(got.get(x, y, c)) - want.at(x, y, c));
          QVERIFY2(e * (c < colors ? alpha : 1) < 5e-6,
                   qPrintable(
                       QString("%1: (%2, %3) off by %4").arg(label.c_str()).arg(x).arg(y).arg(e)));
        }
      }
    }
  }

 private slots:
  void atrous_is_its_levels_one_after_another() {
    const int w = 43, h = 31;
    Image normals = normals_of(w, h), depths = depths_of(w, h);
    const std::vector<RoleImages> all{{},
                                      {{"normal", &normals}},
                                      {{"depth", &depths}},
                                      {{"normal", &normals}, {"depth", &depths}}};
    for (const int channels : {1, 3, 4}) {
      Image picture = noisy(w, h, channels);
      for (const RoleImages& roles : all) {
        for (const char* border : borders) {
          if (std::string(border) != "mirror" && roles.size() == 1) continue;
          std::map<std::string, Numbers> held;
          for (const auto& [name, image] : roles) held.emplace(name, *image);
          Numbers want(picture);
          for (int level = 0; level < 3; ++level) {
            want = window(want, spline, 1 << level, {0.25 / (1 << level), 0.3, 0.15}, held, border,
                          true);
          }
          each("atrous", picture, roles,
               {{"iterations", "3"},
                {"range_sigma", "0.25"},
                {"normal_sigma", "0.3"},
                {"depth_sigma", "0.15"},
                {"border", border}},
               [&](Image& got, const std::string& label) { compare(got, want, label); });
          if (QTest::currentTestFailed()) return;
        }
      }
    }
  }

  // Infinite ones of either sign and the largest number are equal, and differ from all others.
  void any_number_is_a_depth() {
    const int w = 43, h = 31;
    const std::vector<float> numbers{INFINITY, 2.0f,  FLT_MAX,  2.1f,   -INFINITY, 0.0f,
                                     1e30f,    -2.0f, -FLT_MAX, 1e-40f, 1.05e30f};
    Image depths = made(linear(w, h, 1), [&](int x, int y, int) {
      return numbers[static_cast<std::size_t>(x / 2 + 3 * y) % numbers.size()];
    });
    std::map<std::string, Numbers> held{{"depth", Numbers(depths)}};
    Image picture = noisy(w, h, 3);
    for (const char* border : borders) {
      Numbers before(picture);
      Numbers want = window(before, spline, 1, {0.25, 0, 0.15}, held, border, true);
      each("atrous", picture, {{"depth", &depths}},
           {{"iterations", "1"},
            {"range_sigma", "0.25"},
            {"depth_sigma", "0.15"},
            {"border", border}},
           [&](Image& got, const std::string& label) { compare(got, want, label); });
      if (QTest::currentTestFailed()) return;
    }
  }

  // Without edges, the spline of each level remains: variance 1, and four times as much at each
  // further level.
  void atrous_without_edges_is_the_spline() {
    for (const int levels : {1, 3, 5}) {
      Image point = made(linear(161, 161, 1),
                         [](int x, int y, int) { return x == 80 && y == 80 ? 1.0f : 0.0f; });
      each("atrous", point, {}, {{"iterations", std::to_string(levels)}, {"range_sigma", "100"}},
           [&](Image& got, const std::string& label) {
             double sum = 0, xx = 0, yy = 0;
             for (int y = 0; y < 161; ++y) {
               for (int x = 0; x < 161; ++x) {
                 const auto v = static_cast<double>(got.get(x, y, 0));
                 sum += v;
                 xx += v * (x - 80) * (x - 80);
                 yy += v * (y - 80) * (y - 80);
               }
             }
             const double want = (std::pow(4, levels) - 1) / 3;
             QVERIFY2(std::abs(sum - 1) < 1e-3 && std::abs(xx / want - 1) < 5e-3 &&
                          std::abs(yy / want - 1) < 5e-3,
                      qPrintable(QString("%1: sum %2, variances %3 %4, not %5")
                                     .arg(label.c_str())
                                     .arg(sum)
                                     .arg(xx)
                                     .arg(yy)
                                     .arg(want)));
           });
    }
  }

  // The noise disappears, the step stays, and no surface runs into another.
  void edges_of_each_kind_stop() {
    const int w = 96, h = 64;
    Image normals = normals_of(w, h), depths = depths_of(w, h), guide = guide_of(w, h);
    std::uint32_t seed = 3;
    // 1 right of the crease and below the step in depth; the noise is too strong to compare
    // colours.
    Image picture = made(linear(w, h, 3), [&](int x, int y, int) {
      const float tone = (x >= w / 2 ? 1.0f : 0.0f) + (y >= h / 2 ? 1.0f : 0.0f);
      return (y < 4 ? 5.0f : tone) + 0.4f * (noise_at(seed) - 0.5f);
    });
    const auto check = [&](Image& got, const std::string& label) {
      double worst = 0;
      for (int y = 0; y < h; ++y) {
        for (int x = 0; x < w; ++x) {
          const double tone = (x >= w / 2 ? 1 : 0) + (y >= h / 2 ? 1 : 0);
          const double e = std::abs(static_cast<double>(got.get(x, y, 0)) - (y < 4 ? 5 : tone));
          worst = std::max(worst, e);
        }
      }
      QVERIFY2(worst < 0.11, qPrintable(QString("%1: off by %2").arg(label.c_str()).arg(worst)));
    };
    const RoleImages both{{"normal", &normals}, {"depth", &depths}};
    each("joint_bilateral", picture, both,
         {{"sigma", "5"}, {"normal_sigma", "0.1"}, {"depth_sigma", "0.05"}}, check);
    each("atrous", picture, both,
         {{"range_sigma", "50"}, {"normal_sigma", "0.1"}, {"depth_sigma", "0.05"}}, check);
  }

  void joint_bilateral_is_its_sum() {
    const int w = 45, h = 33;
    Image normals = normals_of(w, h), depths = depths_of(w, h), guide = guide_of(w, h);
    const std::vector<RoleImages> all{
        {{"guide", &guide}},
        {{"normal", &normals}},
        {{"depth", &depths}},
        {{"guide", &guide}, {"normal", &normals}, {"depth", &depths}}};
    for (const int channels : {1, 3, 4}) {
      Image picture = noisy(w, h, channels);
      for (const RoleImages& roles : all) {
        for (const char* border : borders) {
          for (const int radius : {0, 3, 17}) {
            if (radius != 0 && std::string(border) != "renormalise") continue;
            std::map<std::string, Numbers> held;
            for (const auto& [name, image] : roles) held.emplace(name, *image);
            std::vector<double> half;
            for (int k = 0; k <= (radius == 0 ? 5 : radius); ++k) {  // ceil(3 x 1.6)
              half.push_back(std::exp(-k * k / (2 * 1.6 * 1.6)));
            }
            Numbers in(picture);
            Numbers want = window(in, half, 1, {0.08, 0.3, 0.15}, held, border, false);
            each("joint_bilateral", picture, roles,
                 {{"sigma", "1.6"},
                  {"radius", std::to_string(radius)},
                  {"range_sigma", "0.08"},
                  {"normal_sigma", "0.3"},
                  {"depth_sigma", "0.15"},
                  {"border", border}},
                 [&](Image& got, const std::string& label) { compare(got, want, label); });
            if (QTest::currentTestFailed()) return;
          }
        }
      }
    }
  }

  // Processors divide pictures into columns and rows, which end where parts of the window meet.
  void wide_pictures_are_divided() {
    const int w = 530, h = 60;
    Image normals = normals_of(w, h), depths = depths_of(w, h), guide = guide_of(w, h);
    Image picture = noisy(w, h, 3);
    const RoleImages roles{{"guide", &guide}, {"normal", &normals}, {"depth", &depths}};
    std::map<std::string, Numbers> held;
    for (const auto& [name, image] : roles) held.emplace(name, *image);
    for (const int radius : {1, 7, 8}) {
      std::vector<double> half;
      for (int k = 0; k <= radius; ++k) half.push_back(std::exp(-k * k / 18.0));
      Numbers in(picture);
      Numbers want = window(in, half, 1, {0.08, 0.3, 0.15}, held, "mirror", false);
      const std::vector<std::pair<std::string, std::string>> words{
          {"sigma", "3"},          {"radius", std::to_string(radius)},
          {"range_sigma", "0.08"}, {"normal_sigma", "0.3"},
          {"depth_sigma", "0.15"}, {"border", "mirror"}};
      each("joint_bilateral", picture, roles, words,
           [&](Image& got, const std::string& label) { compare(got, want, label); });
      if (QTest::currentTestFailed()) return;
      tiles_agree("joint_bilateral", picture, roles, words);
      if (QTest::currentTestFailed()) return;
    }
    tiles_agree("atrous", picture, {{"normal", &normals}}, {{"iterations", "4"}});
  }

  // Windows that reach far beyond a small picture take no longer than their samples.
  void windows_may_be_larger_than_pictures() {
    Image depths = depths_of(5, 3), picture = noisy(5, 3, 4);
    std::map<std::string, Numbers> held{{"depth", Numbers(depths)}};
    std::vector<double> half;
    for (int k = 0; k <= 400; ++k) half.push_back(std::exp(-k * k / 2e4));
    Numbers in(picture);
    Numbers want = window(in, half, 1, {0, 0, 0.15}, held, "mirror", false);
    each("joint_bilateral", picture, {{"depth", &depths}},
         {{"sigma", "100"}, {"radius", "400"}, {"depth_sigma", "0.15"}, {"border", "mirror"}},
         [&](Image& got, const std::string& label) { compare(got, want, label); });
  }

  // A picture that is given but not compared has no effect, and equal colours always mix.
  void sigmas_at_their_ends() {
    const int w = 33, h = 21;
    Image normals = normals_of(w, h), picture = noisy(w, h, 3);
    Image flat = made(linear(w, h, 3), [](int, int, int) { return 0.3f; });
    std::map<std::string, Numbers> none;
    std::vector<double> half;
    for (int k = 0; k <= 6; ++k) half.push_back(std::exp(-k * k / 8.0));
    Numbers in(picture);
    Numbers want = window(in, half, 1, {}, none, "clamp", false);
    const auto check = [&](Image& got, const std::string& label) { compare(got, want, label); };
    each("joint_bilateral", picture, {{"normal", &normals}},
         {{"sigma", "2"}, {"normal_sigma", "0"}}, check);
    each("joint_bilateral", picture, {{"guide", &flat}}, {{"sigma", "2"}, {"range_sigma", "1e-30"}},
         check);
  }

  // A guide is converted to the filter's light: a file's samples represent what they show.
  void a_guide_is_compared_in_the_filters_light() {
    const int w = 31, h = 22;
    Image picture = noisy(w, h, 3);
    Image samples({w, h, 3, SampleType::u8, AlphaKind::none, Coding::srgb()});
    Image light(linear(w, h, 3));
    std::uint32_t seed = 8;
    for (int y = 0; y < h; ++y) {
      for (int x = 0; x < w; ++x) {
        for (int c = 0; c < 3; ++c) {
          samples.set(x, y, c, noise_at(seed));
          const auto sample = static_cast<double>(samples.get(x, y, c));
          light.set(x, y, c, static_cast<float>(decode(Coding::srgb(), sample)));
        }
      }
    }
    std::map<std::string, Numbers> held;
    held.emplace("guide", light);
    std::vector<double> half;
    for (int k = 0; k <= 6; ++k) half.push_back(std::exp(-k * k / 8.0));
    Numbers in(picture);
    Numbers want = window(in, half, 1, {0.2, 0, 0}, held, "clamp", false);
    each("joint_bilateral", picture, {{"guide", &samples}},
         {{"sigma", "2"}, {"range_sigma", "0.2"}},
         [&](Image& got, const std::string& label) { compare(got, want, label); });
  }

  // A non-finite sample affects nothing else.
  void bad_samples_are_left_out() {
    const int w = 40, h = 30;
    Image guide = guide_of(w, h), depths = depths_of(w, h);
    for (const float bad : {NAN, INFINITY, -INFINITY}) {
      Image picture = noisy(w, h, 3);
      picture.set(20, 15, 1, bad);
      Image torn = depths_of(w, h);
      torn.set(9, 20, 0, bad);
      const auto check = [&](Image& got, const std::string& label) {
        for (int y = 0; y < h; ++y) {
          for (int x = 0; x < w; ++x) {
            const bool own = x == 20 && y == 15;
            QVERIFY2(std::isfinite(got.get(x, y, 1)) != own, label.c_str());
            QVERIFY2(std::isfinite(got.get(x, y, 0)), label.c_str());
          }
        }
      };
      each("joint_bilateral", picture, {{"guide", &guide}, {"depth", &torn}}, {}, check);
      each("atrous", picture, {{"depth", &torn}}, {}, check);
    }
  }

  void one_picture_at_least_must_be_bound() {
    Image picture = noisy(20, 12, 3);
    for (const Runner& runner : runners()) {
      Session& session = sessions_.on(runner.label, runner.device.name, runner.form);
      try {
        run(session, one_step("joint_bilateral", {{"sigma", "2"}}), picture, picture.format);
        QFAIL("ran with nothing to compare by");
      } catch (const ParameterError& e) {
        QVERIFY(std::string(e.what()).find("guide") != std::string::npos);
      }
      Image small = guide_of(10, 12);
      QVERIFY_THROWS_EXCEPTION(EngineError,
                               run(session, one_step("joint_bilateral", {{"sigma", "2"}}), picture,
                                   picture.format, with({{"guide", &small}})));
    }
  }

  void values_of_nothing_change_nothing() {
    Image picture = noisy(24, 18, 4), guide = guide_of(24, 18);
    const auto same = [&](Image& got, const std::string& label) {
      QVERIFY2(got.bytes == picture.bytes, label.c_str());
    };
    each("atrous", picture, {}, {{"range_sigma", "0"}}, same);
    each("joint_bilateral", picture, {{"guide", &guide}}, {{"sigma", "0"}}, same);
    each("joint_bilateral", picture, {{"guide", &guide}}, {{"range_sigma", "0"}}, same);
  }
};

QTEST_GUILESS_MAIN(TestCrossFilters)
#include "test_cross_filters.moc"
