// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Role pictures: unsuitable ones are refused, missing parts are reported.
#include <QTest>
#include <cmath>

#include "support/devices.hpp"
#include "support/engine.hpp"
#include "support/sessions.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

using Words = std::vector<std::pair<std::string, std::string>>;

constexpr int w = 40, h = 30;

PictureFormat samples_of(int channels, SampleType type = SampleType::u8) {
  return {w, h, channels, type, AlphaKind::none, Coding::srgb()};
}

// A picture of the input's size with pixels in `there` only.
class Laid final : public PixelSource {
 public:
  Laid(std::shared_ptr<Image> image, const Rect& there) : image_(std::move(image)), there_(there) {}
  const PictureFormat& format() const override { return image_->format; }
  Rect covered() const override { return there_; }
  void read(const Rect& region, void* to, std::ptrdiff_t row_stride) override {
    const std::size_t pixel = format().pixel_bytes();
    clear_rows(region, pixel, to, row_stride);
    const Rect part = region.intersected(there_).intersected(format().rect());
    if (part.empty()) return;
    char* const first = static_cast<char*>(to) + (part.y0 - region.y0) * row_stride +
                        static_cast<std::size_t>(part.x0 - region.x0) * pixel;
    MemorySource(format(), image_->view()).read(part, first, row_stride);
  }

 private:
  std::shared_ptr<Image> image_;
  Rect there_;
};

std::shared_ptr<PixelSource> all_of(const std::shared_ptr<Image>& image) {
  return std::make_shared<Laid>(image, image->format.rect());
}

// Normals of a bumpy surface with an edge in the middle; x, y and z in the first three channels.
std::shared_ptr<Image> normals(const PictureFormat& format) {
  auto map = std::make_shared<Image>(format);
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) {
      const double tilt = (x < w / 2 ? -0.8 : 0.7) + 0.1 * std::sin(0.9 * x + 0.5 * y);
      const double normal[3] = {std::sin(tilt), 0.0, std::cos(tilt)};
      for (int c = 0; c < std::min(3, format.channels); ++c) {
        const double stored = is_integer(format.type) ? (normal[c] + 1) / 2 : normal[c];
        map->set(x, y, c, static_cast<float>(stored));
      }
    }
  }
  return map;
}

std::shared_ptr<Image> filled(const PictureFormat& format, float value) {
  auto image = std::make_shared<Image>(format);
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) {
      for (int c = 0; c < format.channels; ++c) image->set(x, y, c, value);
    }
  }
  return image;
}

struct Outcome {
  Image picture;
  std::vector<Message> warnings;
  std::string refusal;  ///< empty: done
};

bool says(const std::string& text, std::initializer_list<const char*> words) {
  return std::all_of(words.begin(), words.end(),
                     [&](const char* word) { return text.find(word) != std::string::npos; });
}

}  // namespace

class TestRoles : public QObject {
  Q_OBJECT

 private:
  Sessions sessions_;

  Outcome with_role(const char* device, const char* filter, const Words& words, const char* role,
                    const std::shared_ptr<PixelSource>& source, const Rect& region = {}) {
    Image input = scene(rgba(w, h));
    Outcome out{Image(input.format), {}, {}};
    RenderOptions options;
    options.region = region;
    options.roles = [&](int, const std::string& name, const ImageRef&) {
      return name == role ? source : nullptr;
    };
    MemorySource from(input.format, input.view());
    MemorySink to(input.format, out.picture.view());
    try {
      Session& session = sessions_.on(device, device, std::nullopt);
      out.warnings = session.render(one_step(filter, words), from, to, options).warnings;
    } catch (const EngineError& e) {
      out.refusal = e.what();
    }
    return out;
  }

 private slots:
  // Callers that do not know the filter go by the role's name.
  void roles_of_one_name_lie_alike() {
    for (const RegisteredFilter& entry : Registry::get().all()) {
      const FilterInfo& info = entry.filter->info();
      for (const RoleInfo& role : info.roles) {
        QCOMPARE(info.is_aligned(role.parameter), role.aligned);
        QVERIFY2(is_aligned(role.parameter) == role.aligned, role.parameter.c_str());
      }
      QVERIFY(info.is_aligned("mask"));
    }
    QVERIFY(is_aligned("mask") && !is_aligned("kernel"));
  }

  void normals_have_three_channels() {
    for (const char* filter : {"geometry_blur", "joint_bilateral", "atrous"}) {
      const std::string one =
          with_role("cpu", filter, {}, "normal", all_of(normals(samples_of(1)))).refusal;
      QVERIFY2(says(one, {"normal picture has 1 channel,", "3 (x, y, z)"}), one.c_str());
      // Gray and alpha are not two thirds of a vector.
      PictureFormat gray = samples_of(2);
      gray.alpha = AlphaKind::straight;
      const std::string two =
          with_role("cpu", filter, {}, "normal", all_of(filled(gray, 0.5f))).refusal;
      QVERIFY2(says(two, {"normal picture has 1 channel,"}), two.c_str());
      QCOMPARE(with_role("cpu", filter, {}, "normal", all_of(normals(samples_of(3)))).refusal, "");
    }
    QCOMPARE(with_role("cpu", "joint_bilateral", {}, "guide", all_of(filled(samples_of(1), 0.5f)))
                 .refusal,
             "");
  }

  // A colour depth uses its first channel, with a warning.
  void a_depth_is_one_number() {
    const auto colours = std::make_shared<Image>(samples_of(3)),
               first = std::make_shared<Image>(samples_of(1));
    for (int y = 0; y < h; ++y) {
      for (int x = 0; x < w; ++x) {
        const float depth = x < 13 ? 0.2f : 0.9f;
        first->set(x, y, 0, depth);
        for (int c = 0; c < 3; ++c) colours->set(x, y, c, c == 0 ? depth : y < 9 ? 0.9f : 0.1f);
      }
    }
    const Words flags = {{"show", "discontinuities"}};
    for (const char* device : {"cpu", "reference"}) {
      Outcome gray = with_role(device, "geometry_blur", flags, "depth", all_of(first));
      Outcome rgb = with_role(device, "geometry_blur", flags, "depth", all_of(colours));
      QCOMPARE(gray.refusal + rgb.refusal, "");
      QVERIFY(gray.picture.get(12, 20, 0) > 0);
      QVERIFY(gray.picture.bytes == rgb.picture.bytes);
      QVERIFY(gray.warnings.empty());
      QCOMPARE(rgb.warnings.size(), 1u);
      QVERIFY2(says(in_english(rgb.warnings[0]),
                    {"depth picture has 3 channels", "the first one is taken"}),
               in_english(rgb.warnings[0]).c_str());
    }
  }

  // An 8- or 16-bit map gives the same flags as its float original, and nearly the same picture.
  void normals_in_integers_are_as_good_as_in_floats() {
    PictureFormat floats = samples_of(3, SampleType::f32);
    floats.coding = Coding::linear();
    for (const char* device : {"cpu", "reference"}) {
      const auto shown = [&](const char* filter, const Words& words, const PictureFormat& f) {
        Outcome out = with_role(device, filter, words, "normal", all_of(normals(f)));
        if (!out.refusal.empty()) qFatal("%s", out.refusal.c_str());
        return std::move(out.picture);
      };
      for (const SampleType type : {SampleType::u8, SampleType::u16}) {
        const PictureFormat samples = samples_of(3, type);
        const Words flags = {{"show", "discontinuities"}};
        Image want = shown("geometry_blur", flags, floats);
        QVERIFY(want.get(w / 2 - 1, 9, 0) > 0 && want.get(w / 2 - 5, 9, 0) == 0);
        QVERIFY(want.bytes == shown("geometry_blur", flags, samples).bytes);
        for (const char* filter : {"geometry_blur", "joint_bilateral"}) {
          Image far = shown(filter, {}, floats), near = shown(filter, {}, samples);
          Image input = scene(rgba(w, h));
          QVERIFY(largest_difference(far, input) > 0.05);
          QVERIFY2(largest_difference(far, near) < (type == SampleType::u8 ? 0.01 : 1e-4), filter);
        }
      }
    }
  }

  void roles_beside_the_picture_are_refused() {
    const auto some = filled(samples_of(3), 0.5f);
    for (const char* role : {"mask", "guide", "normal", "depth"}) {
      for (const Rect& there : {Rect{w, 0, w + 20, h}, {-5, -7, 40, 0}, {3, 4, 3, 9}}) {
        const std::string said =
            with_role("cpu", "joint_bilateral", {}, role, std::make_shared<Laid>(some, there))
                .refusal;
        QVERIFY2(says(said, {role, "no pixel in common"}), said.c_str());
      }
    }
  }

  // Outside a mask the picture stays unchanged; other roles are 0 there.
  void what_a_role_does_not_cover_is_reported() {
    const Rect right{25, 5, 60, 99};
    const auto white = filled(samples_of(1), 1.0f);
    Image input = scene(rgba(w, h));
    for (const char* device : {"cpu", "reference"}) {
      Outcome masked = with_role(device, "gaussian", {{"sigma", "2"}}, "mask",
                                 std::make_shared<Laid>(white, right));
      QCOMPARE(masked.refusal, "");
      QCOMPARE(masked.warnings.size(), 1u);
      QVERIFY2(says(in_english(masked.warnings[0]),
                    {"mask", "15 x 25 pixels, from (25, 5)", "40 x 30", "stays as it is"}),
               in_english(masked.warnings[0]).c_str());
      QCOMPARE(masked.picture.get(24, 20, 0), input.get(24, 20, 0));
      QCOMPARE(masked.picture.get(30, 4, 0), input.get(30, 4, 0));
      QVERIFY(std::abs(masked.picture.get(30, 20, 0) - input.get(30, 20, 0)) > 1e-3f);
      // Only required parts of a role are reported as missing.
      QVERIFY(with_role(device, "gaussian", {{"sigma", "2"}}, "mask",
                        std::make_shared<Laid>(white, Rect{0, 0, w, 27}), {3, 2, 6, 4})
                  .warnings.empty());

      // A missing normal is none, in integers as in floats: not (-1, -1, -1).
      PictureFormat floats = samples_of(3, SampleType::f32);
      floats.coding = Coding::linear();
      const auto flags = [&](const PictureFormat& format) {
        return with_role(device, "geometry_blur", {{"show", "discontinuities"}}, "normal",
                         std::make_shared<Laid>(normals(format), Rect{0, 0, w, 12}));
      };
      Outcome in_floats = flags(floats), in_samples = flags(samples_of(3));
      QVERIFY(in_floats.picture.bytes == in_samples.picture.bytes);
      QCOMPARE(in_samples.picture.get(w / 2, 20, 0), 0.0f);
      QCOMPARE(in_samples.warnings.size(), 1u);
      QVERIFY2(says(in_english(in_samples.warnings[0]), {"normal", "40 x 12", "counts as 0"}),
               in_english(in_samples.warnings[0]).c_str());
      Outcome outside =
          with_role(device, "joint_bilateral", {}, "guide", std::make_shared<Laid>(white, right));
      QVERIFY(outside.warnings.size() == 1 &&
              says(in_english(outside.warnings[0]), {"guide", "counts as 0"}));
    }
  }

  // A stored 0 means -1, but a missing pixel means nothing.
  void integers_that_are_missing_are_not_decoded() {
    const Rect there{5, 3, 30, 12};
    const auto map = normals(samples_of(3));
    SignedSource decoded(std::make_shared<Laid>(map, there));
    Image got({w, h, 3, SampleType::f32, AlphaKind::none, Coding::linear()});
    decoded.read(got.format.rect(), got.bytes.data(), got.view().row_stride);
    for (int y = 0; y < h; ++y) {
      for (int x = 0; x < w; ++x) {
        const bool inside = there.contains({x, y, x + 1, y + 1});
        for (int c = 0; c < 3; ++c) {
          QCOMPARE(got.get(x, y, c), inside ? 2 * map->get(x, y, c) - 1 : 0.0f);
        }
      }
    }
  }

  void whole_roles_are_nothing_to_speak_of() {
    const auto white = filled(samples_of(1), 1.0f);
    QVERIFY(with_role("cpu", "gaussian", {}, "mask", all_of(white)).warnings.empty());
    QVERIFY(with_role("cpu", "gaussian", {{"border", "wrap"}}, "mask",
                      std::make_shared<Laid>(white, Rect{-3, -3, 99, 99}))
                .warnings.empty());
  }
};

QTEST_GUILESS_MAIN(TestRoles)
#include "test_roles.moc"
