// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The engine: tiles, roles, masks, caches, cancelling, several sessions at once.
#include <QTemporaryDir>
#include <QTest>
#include <fstream>
#include <thread>

#include "device/opencl.hpp"
#include "device/program_cache.hpp"
#include "params/errors.hpp"
#include "support/devices.hpp"
#include "support/engine.hpp"
#include "support/pictures.hpp"
#include "support/skips.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

// A source over a shared picture in memory.
std::shared_ptr<PixelSource> shared(std::shared_ptr<Image> image) {
  struct Owner final : PixelSource {
    std::shared_ptr<Image> image;
    MemorySource memory;
    explicit Owner(std::shared_ptr<Image> i) : image(i), memory(i->format, i->view()) {}
    const PictureFormat& format() const override { return image->format; }
    void read(const Rect& r, void* to, std::ptrdiff_t s) override { memory.read(r, to, s); }
  };
  return std::make_shared<Owner>(std::move(image));
}

}  // namespace

class TestEngine : public QObject {
  Q_OBJECT

 private slots:
  void chains_agree_tiled_and_whole_data() {
    QTest::addColumn<QString>("border");
    for (const char* b : {"clamp", "mirror", "wrap", "zero", "renormalise"}) QTest::newRow(b) << b;
  }
  void chains_agree_tiled_and_whole() {
    QFETCH(QString, border);
    const Recipe recipe = two_blurs(border.toStdString());
    Session session(quiet());
    Image input = scene(rgba(97, 71));
    RenderOptions options;
    Image whole = run(session, recipe, input, input.format, options);
    options.forced_tile = 24;
    Image tiled = run(session, recipe, input, input.format, options);
    QVERIFY(tiled.bytes == whole.bytes);
  }

  void a_region_is_the_same_as_its_part_of_the_whole() {
    const Recipe recipe = two_blurs("clamp");
    Session session(quiet());
    Image input = scene(rgba(97, 71));
    Image whole = run(session, recipe, input, input.format);
    const Rect region{20, 11, 63, 40};
    const Rect needed = session.required_region(recipe, input.format, region);
    QVERIFY(needed.contains(region) && input.format.rect().contains(needed));
    QVERIFY(needed != input.format.rect());
    // Only the required part is provided; the rest would be garbage.
    std::vector<float> held(static_cast<std::size_t>(needed.area()) * 4);
    MemorySource(input.format, input.view()).read(needed, held.data(), needed.width() * 16);
    MemorySource source(input.format, {held.data(), needed.width() * 16, needed});
    std::vector<float> out(static_cast<std::size_t>(region.area()) * 4, -1.0f);
    MemorySink sink(input.format, {out.data(), region.width() * 16, region});
    RenderOptions options;
    options.region = region;
    session.render(recipe, source, sink, options);
    for (int y = region.y0; y < region.y1; ++y) {
      for (int x = region.x0; x < region.x1; ++x) {
        for (int c = 0; c < 4; ++c) {
          QCOMPARE(out[static_cast<std::size_t>(
                       ((y - region.y0) * region.width() + x - region.x0) * 4 + c)],
                   whole.get(x, y, c));
        }
      }
    }
  }

  void narrow_tiles_reach_a_sink_that_wants_bands() {
    struct Bands final : PixelSink {
      PictureFormat f;
      int next = 0;
      bool good = true;
      explicit Bands(const PictureFormat& format) : f(format) {}
      const PictureFormat& format() const override { return f; }
      void write(const HostView& v) override {
        good = good && v.region.x0 == 0 && v.region.x1 == f.width && v.region.y0 == next;
        next = v.region.y1;
      }
    } sink(rgba(97, 71));
    Session session(quiet());
    Image input = scene(rgba(97, 71));
    MemorySource source(input.format, input.view());
    RenderOptions options;
    options.forced_tile = 16;
    session.render(two_blurs("clamp"), source, sink, options);
    QVERIFY(sink.good);
    QCOMPARE(sink.next, 71);
  }

  void a_file_read_once_gives_the_same() {
    const Recipe recipe = two_blurs("mirror");
    Session session(quiet());
    Image input = scene(rgba(97, 71));
    Image whole = run(session, recipe, input, input.format);
    int next = 0;
    RowWindow window(
        input.format,
        [&](int y0, int y1, void* to, std::ptrdiff_t stride) {
          QCOMPARE(y0, next);  // every row once, in order
          next = y1;
          MemorySource(input.format, input.view()).read({0, y0, 97, y1}, to, stride);
        },
        5);
    Image output(input.format);
    MemorySink sink(input.format, output.view());
    RenderOptions options;
    options.forced_tile = 24;
    session.render(recipe, window, sink, options);
    QVERIFY(output.bytes == whole.bytes);
  }

  void a_mask_keeps_the_original_where_it_is_zero() {
    auto mask = std::make_shared<Image>(
        PictureFormat{40, 30, 1, SampleType::u8, AlphaKind::none, Coding::srgb()});
    for (int y = 0; y < 30; ++y) {
      for (int x = 0; x < 40; ++x) mask->set(x, y, 0, x < 20 ? 0.0f : 1.0f);
    }
    RenderOptions options;
    options.roles = [&](int, const std::string& role,
                        const ImageRef&) -> std::shared_ptr<PixelSource> {
      return role == "mask" ? shared(mask) : nullptr;
    };
    const Recipe recipe = one_step("gaussian", {{"sigma", "2"}});
    for (const char* device : {"cpu", "reference"}) {
      SessionOptions chosen = quiet();
      chosen.device = device;
      Session session(chosen);
      Image input = scene(rgba(40, 30));
      Image masked = run(session, recipe, input, input.format, options);
      Image full = run(session, recipe, input, input.format);
      for (int y = 0; y < 30; ++y) {
        for (int x = 0; x < 40; ++x) {
          // alpha of 1: no rounding through premultiplication
          if (input.get(x, y, 3) != 1.0f) continue;
          QCOMPARE(masked.get(x, y, 0), x < 20 ? input.get(x, y, 0) : full.get(x, y, 0));
        }
      }
    }
  }

  // A rotation by a right angle, in an 8-bit map as in a float one.
  void normal_maps_of_integers_are_decoded() {
    const PictureFormat floats{8, 4, 3, SampleType::f32, AlphaKind::none, Coding::linear()};
    PictureFormat samples = floats;
    samples.type = SampleType::u8;
    samples.coding = Coding::srgb();
    const auto as_floats = std::make_shared<Image>(floats),
               as_samples = std::make_shared<Image>(samples);
    for (int y = 0; y < 4; ++y) {
      for (int x = 0; x < 8; ++x) {
        const float normal[3] = {x < 4 ? 0.0f : 1.0f, 0.0f, x < 4 ? 1.0f : 0.0f};
        for (int c = 0; c < 3; ++c) {
          as_floats->set(x, y, c, normal[c]);
          as_samples->set(x, y, c, (normal[c] + 1) / 2);
        }
      }
    }
    Recipe recipe = one_step("geometry_blur", {{"show", "discontinuities"}});
    recipe.steps[0].values.set("normal", ImageRef{"bound", ""});
    for (const char* device : {"cpu", "reference"}) {
      SessionOptions options = quiet();
      options.device = device;
      Session session(options);
      Image input = scene(rgba(8, 4));
      std::vector<Image> shown;
      for (const auto& map : {as_floats, as_samples}) {
        RenderOptions roles;
        roles.roles = [&](int, const std::string& role, const ImageRef&) {
          return role == "normal" ? shared(map) : nullptr;
        };
        shown.push_back(run(session, recipe, input, input.format, roles));
      }
      QVERIFY(shown[0].get(3, 2, 0) > 0);
      QVERIFY(shown[0].bytes == shown[1].bytes);
    }
  }

  // Transparent white has no effect as a mask.
  void a_mask_counts_as_far_as_it_is_opaque() {
    const auto mask = std::make_shared<Image>(rgba(40, 30));
    for (int y = 0; y < 30; ++y) {
      for (int x = 0; x < 40; ++x) {
        for (int c = 0; c < 3; ++c) mask->set(x, y, c, 1);
        mask->set(x, y, 3, x < 20 ? 0.0f : 1.0f);
      }
    }
    for (const char* device : {"cpu", "reference"}) {
      SessionOptions options = quiet();
      options.device = device;
      Session session(options);
      Image input = scene(rgba(40, 30));
      Recipe recipe = one_step("gaussian", {{"sigma", "2"}});
      const Image blurred = run(session, recipe, input, input.format);
      RenderOptions roles;
      roles.roles = [&](int, const std::string& role, const ImageRef&) {
        return role == "mask" ? shared(mask) : nullptr;
      };
      Image got = run(session, recipe, input, input.format, roles), want = blurred;
      for (int y = 0; y < 30; ++y) {
        for (int x = 0; x < 40; ++x) {
          for (int c = 0; c < 4; ++c) {
            const float expected = x < 20 ? input.get(x, y, c) : want.get(x, y, c);
            QVERIFY(std::abs(got.get(x, y, c) - expected) < 1e-5f);
          }
        }
      }
    }
  }

  void roles_of_another_size_are_refused() {
    auto small = std::make_shared<Image>(
        PictureFormat{8, 8, 1, SampleType::u8, AlphaKind::none, Coding::srgb()});
    RenderOptions options;
    options.roles = [&](int, const std::string& role,
                        const ImageRef&) -> std::shared_ptr<PixelSource> {
      return role == "depth" ? shared(small) : nullptr;
    };
    Session session(quiet());
    Image input = scene(rgba(40, 30));
    Image output(input.format);
    MemorySource source(input.format, input.view());
    MemorySink sink(input.format, output.view());
    try {
      session.render(one_step("geometry_blur", Values{}), source, sink, options);
      QFAIL("a depth picture of another size was taken");
    } catch (const EngineError& e) {
      QVERIFY(std::string(e.what()).find("8 x 8") != std::string::npos);
      QVERIFY(std::string(e.what()).find("40 x 30") != std::string::npos);
    }
    QVERIFY_THROWS_EXCEPTION(ParameterError,
                             session.render(one_step("geometry_blur", Values{}), source, sink));
  }

  void whole_pictures_that_do_not_fit_say_how_much_they_take() {
    SessionOptions options = quiet();
    options.memory_limit = 16u << 20;
    Session session(options);
    Image input = scene(rgba(600, 500));
    Image output(input.format);
    MemorySource source(input.format, input.view());
    MemorySink sink(input.format, output.view());
    try {
      session.render(one_step("gaussian", {{"sigma", "5"}, {"method", "fft"}}), source, sink);
      QFAIL("a limit that the user set was passed over");
    } catch (const EngineError& e) {
      QVERIFY2(std::string(e.what()).find("the limit is 16 MB") != std::string::npos, e.what());
      QVERIFY(std::string(e.what()).find("--memory") != std::string::npos);
    }
    // It fits without a user limit.
    Session roomy(quiet());
    const RenderReport report =
        roomy.render(one_step("gaussian", {{"sigma", "5"}, {"method", "fft"}}), source, sink);
    QVERIFY(report.warnings.empty());
  }

  void cancelling_stops_and_delivers_nothing_more() {
    struct Counting final : PixelSink {
      PictureFormat f;
      int writes = 0;
      explicit Counting(const PictureFormat& format) : f(format) {}
      const PictureFormat& format() const override { return f; }
      void write(const HostView&) override { ++writes; }
    } sink(rgba(200, 200));
    Session session(quiet());
    Image input = scene(rgba(200, 200));
    MemorySource source(input.format, input.view());
    RenderOptions options;
    options.forced_tile = 50;
    options.progress = [](double part) { return part < 0.4; };
    QVERIFY_THROWS_EXCEPTION(Cancelled, session.render(two_blurs("clamp"), source, sink, options));
    QVERIFY(sink.writes < 4);
    options.progress = {};
    session.render(two_blurs("clamp"), source, sink, options);  // and the session still works
  }

  void progress_rises_to_one() {
    for (const char* device : {"cpu", "reference"}) {
      SessionOptions chosen = quiet();
      chosen.device = device;
      Session session(chosen);
      Image input = scene(rgba(120, 90));
      double last = -1;
      RenderOptions options;
      options.forced_tile = 40;
      options.progress = [&](double part) {
        if (part < last) qWarning("progress fell from %f to %f", last, part);
        if (part < last || part > 1) return false;
        last = part;
        return true;
      };
      run(session, two_blurs("clamp"), input, input.format, options);
      QCOMPARE(last, 1.0);
    }
  }

  void programs_are_cached_and_damaged_entries_rebuilt() {
    if (cpu_devices().empty()) SKIP_WITHOUT("an OpenCL device on this processor");
    qputenv("POCL_KERNEL_CACHE", "0");  // PoCL keeps no kernels, so that we do
    const auto forget = qScopeGuard([] { qunsetenv("POCL_KERNEL_CACHE"); });
    QTemporaryDir folder;
    SessionOptions options = quiet();
    options.device = cpu_devices().front().title();
    options.cache_folder = folder.path().toStdString();
    Image input = scene(rgba(30, 20));
    const Recipe recipe = one_step("grayscale", Values{});
    Image first(input.format);
    {
      Session session(options);
      first = run(session, recipe, input, input.format);
    }
    const auto programs = std::filesystem::path(folder.path().toStdString()) / "programs";
    int entries = 0;
    for (const auto& entry : std::filesystem::directory_iterator(programs)) {
      ++entries;
      // Truncated, one byte changed, emptied: all three kinds of damage.
      const auto size = std::filesystem::file_size(entry.path());
      if (entries % 3 == 0) {
        std::filesystem::resize_file(entry.path(), size / 2);
      } else if (entries % 3 == 1) {
        std::fstream file(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(static_cast<std::streamoff>(size * 2 / 3));
        file.put('\x55');
        file.put('\xaa');
      } else {
        std::filesystem::resize_file(entry.path(), 0);
      }
    }
    QVERIFY(entries >= 2);
    // Without its remembered self-test, the device needs every program again.
    std::filesystem::remove_all(std::filesystem::path(folder.path().toStdString()) / "devices");
    Session session(options);
    Image second = run(session, recipe, input, input.format);
    QVERIFY(second.bytes == first.bytes);
    for (const auto& entry : std::filesystem::directory_iterator(programs)) {
      QVERIFY2(std::filesystem::file_size(entry.path()) > 0, entry.path().c_str());
      QVERIFY(entry.path().extension() == ".bin");
    }
  }

  void devices_of_one_name_are_distinguished() {
    std::vector<DeviceInfo> devices(4);
    devices[0].name = devices[2].name = "Twin";
    devices[1].name = "Other";
    devices[3].name = "Twinned";
    number_twins(devices);
    std::vector<std::string> titles;
    for (const DeviceInfo& d : devices) titles.push_back(d.title());
    QCOMPARE(titles, (std::vector<std::string>{"Twin (1)", "Other", "Twin (2)", "Twinned"}));
    QCOMPARE(devices[0].identity(), devices[2].identity());  // compiled programs serve both
    QCOMPARE(choose_devices(devices, "twin (2)").size(), std::size_t{1});
    QCOMPARE(choose_devices(devices, "twin").size(), std::size_t{3});
    // With one removed, the other is unique.
    devices.pop_back();
    devices.erase(devices.begin());
    number_twins(devices);
    QCOMPARE(devices[1].title(), std::string("Twin"));
  }

  void two_sessions_run_at_once() {
    Image input = scene(rgba(160, 120));
    Session alone(quiet());
    const Recipe recipe = two_blurs("clamp");
    Image expected = run(alone, recipe, input, input.format);
    std::vector<std::thread> threads;
    std::atomic<int> wrong{0};
    for (int t = 0; t < 3; ++t) {
      threads.emplace_back([&] {
        Session session(quiet());
        for (int i = 0; i < 3; ++i) {
          if (run(session, recipe, input, input.format).bytes != expected.bytes) ++wrong;
        }
      });
    }
    // and one session from several threads
    for (int t = 0; t < 2; ++t) {
      threads.emplace_back([&] {
        if (run(alone, recipe, input, input.format).bytes != expected.bytes) ++wrong;
      });
    }
    for (std::thread& t : threads) t.join();
    QCOMPARE(wrong.load(), 0);
  }

  void stored_samples_take_the_short_way_and_agree() {
    // 8-bit RGBA in stored light is filtered without conversion; the result must equal that with
    // conversion.
    const PictureFormat samples{130, 90, 4, SampleType::u8, AlphaKind::none, Coding::srgb()};
    Session session(quiet());
    Image input = scene(samples);
    PictureFormat wide = samples;
    wide.type = SampleType::f32;
    const Recipe recipe = one_step("gaussian", {{"sigma", "2"}, {"light", "stored"}});
    Image quick = run(session, recipe, input, samples);
    Image exact = run(session, recipe, input, wide);
    for (int y = 0; y < 90; ++y) {
      for (int x = 0; x < 130; ++x) {
        for (int c = 0; c < 4; ++c)
          QVERIFY(std::abs(quick.get(x, y, c) - exact.get(x, y, c)) <= 0.501f / 255);
      }
    }
  }

  void stored_srgb_samples_take_the_short_path_and_agree() {
    for (const int channels : {3, 1}) {
      const PictureFormat samples{131,           90, channels, SampleType::u8, AlphaKind::none,
                                  Coding::srgb()};
      Session session(quiet());
      Image input = scene(samples);
      PictureFormat wide = samples;
      wide.type = SampleType::f32;
      for (const char* sigma : {"0.7", "2", "9"}) {
        for (const char* border : {"clamp", "mirror", "wrap", "zero", "renormalise"}) {
          const Recipe recipe = one_step("gaussian", {{"sigma", sigma}, {"border", border}});
          QVERIFY(make_plan(recipe, samples, samples, cpu_target()).on_samples());
          QVERIFY(
              !make_plan(recipe, samples, samples, cpu_target(), {.dither = true}).on_samples());
          Image quick = run(session, recipe, input, samples);
          Image exact = run(session, recipe, input, wide);
          for (int y = 0; y < 90; ++y) {
            for (int x = 0; x < 131; ++x) {
              for (int c = 0; c < channels; ++c) {
                QVERIFY(std::abs(quick.get(x, y, c) - exact.get(x, y, c)) <= 0.501f / 255);
              }
            }
          }
          RenderOptions tiles;
          tiles.forced_tile = 48;
          Image tiled = run(session, recipe, input, samples, tiles);
          QVERIFY(tiled.bytes == quick.bytes);
        }
      }
    }
  }

  // A filter on stored samples that needs the whole picture, asked for a region.
  void a_region_of_a_whole_picture_on_samples_is_its_part() {
    const PictureFormat samples = rgb8(161, 45);
    const Recipe recipe = one_step("gaussian", {{"sigma", "20"}, {"border", "wrap"}});
    const Plan plan = make_plan(recipe, samples, samples, cpu_target());
    QVERIFY(plan.whole && plan.on_samples());
    Session session(quiet());
    Image input = scene(samples);
    Image whole = run(session, recipe, input, samples);
    RenderOptions options;
    options.region = {120, 11, 161, 45};
    Image part = run(session, recipe, input, samples, options);
    for (int y = 11; y < 45; ++y) {
      for (int x = 120; x < 161; ++x) {
        for (int c = 0; c < 3; ++c) QCOMPARE(part.get(x, y, c), whole.get(x, y, c));
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestEngine)
#include "test_engine.moc"
