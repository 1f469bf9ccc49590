// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The engine: tiles, roles, masks, failing devices, caches, cancelling, several sessions at once.
#include <QtTest>
#include <fstream>
#include <thread>

#include "gpu/program_cache.hpp"
#include "params/errors.hpp"
#include "support/devices.hpp"
#include "support/pictures.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

constexpr PictureFormat rgba(int w, int h) {
  return {w, h, 4, SampleType::f32, AlphaKind::straight, {Coding::Curve::linear, 1.0f}};
}
constexpr PictureFormat rgb8(int w, int h) {
  return {w, h, 3, SampleType::u8, AlphaKind::none, {Coding::Curve::srgb, 1.0f}};
}

SessionOptions quiet() {
  SessionOptions options;
  options.device = "cpu";
  options.cache_folder = std::filesystem::path();
  return options;
}

Target cpu_target() {
  Target target;
  target.form = Form::cpu;
  return target;
}

Recipe two_blurs(const std::string& border) {
  Recipe recipe = one_step("gaussian", {{"sigma", "3"}, {"border", border}});
  const Recipe second =
      one_step("gaussian", {{"sigma", "1.5"}, {"border", border}, {"light", "display"}});
  const Recipe third = one_step("grayscale", {{"mix", "0.4"}});
  recipe.steps.push_back(second.steps[0]);
  recipe.steps.push_back(third.steps[0]);
  return recipe;
}

// A source whose picture is in memory, shared.
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
    // Only the needed part is given; the rest would be garbage.
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
    QVERIFY_EXCEPTION_THROWN(session.render(one_step("geometry_blur", Values{}), source, sink),
                             ParameterError);
  }

  void a_device_out_of_memory_gets_smaller_tiles() {
    SessionOptions options = quiet();
    options.memory_limit = 64u << 20;
    std::int64_t calls = 0;
    bool armed = false;
    options.before_launch = [&](std::int64_t) {
      if (armed && ++calls == 4)
        throw DeviceError(CL_MEM_OBJECT_ALLOCATION_FAILURE, "made to fail");
    };
    std::vector<std::string> lines;
    options.log = [&](const std::string& line) { lines.push_back(line); };
    Session session(options);
    Image input = scene(rgba(300, 200));
    const Recipe recipe = two_blurs("clamp");
    Image expected = run(session, recipe, input, input.format);
    QVERIFY(lines.empty());
    armed = true;
    Image output(input.format);
    MemorySource source(input.format, input.view());
    MemorySink sink(input.format, output.view());
    const RenderReport report = session.render(recipe, source, sink);
    QVERIFY(output.bytes == expected.bytes);
    QCOMPARE(report.warnings.size(), 1u);
    QVERIFY(report.warnings[0].find("smaller tiles") != std::string::npos);
    QCOMPARE(lines.size(), 1u);
  }

  void a_device_that_fails_is_replaced() {
    SessionOptions options = quiet();
    bool armed = false;
    std::int64_t calls = 0;
    options.before_launch = [&](std::int64_t) {
      if (armed && ++calls == 5) throw DeviceError(CL_OUT_OF_HOST_MEMORY - 1000, "made to fail");
    };
    Session session(options);
    Image input = scene(rgba(60, 50));
    const Recipe recipe = two_blurs("clamp");
    Image expected = run(session, recipe, input, input.format);
    armed = true;
    Image output(input.format);
    MemorySource source(input.format, input.view());
    MemorySink sink(input.format, output.view());
    RenderOptions tiles;
    tiles.forced_tile = 32;
    const RenderReport report = session.render(recipe, source, sink, tiles);
    QVERIFY(!report.warnings.empty());
    QVERIFY(report.warnings[0].find("made to fail") != std::string::npos);
    QVERIFY(report.device.find("reference") != std::string::npos);
    QVERIFY(largest_difference(output, expected) < 1e-3);
  }

  // What a tall picture holds in memory does not grow with it: passed rows must be read again.
  void rows_that_were_passed_are_let_go() {
    const PictureFormat format{10, 40000, 1, SampleType::u8, AlphaKind::none, Coding::srgb()};
    int reads = 0;
    RowWindow window(
        format,
        [&](int y0, int y1, void* to, std::ptrdiff_t stride) {
          ++reads;
          for (int y = y0; y < y1; ++y) {
            std::memset(static_cast<char*>(to) + (y - y0) * stride, y % 251, 10);
          }
        },
        16);
    char row[10];
    const auto read = [&](int y) {
      window.read({0, y, 10, y + 1}, row, 10);
      return static_cast<unsigned char>(row[9]) == y % 251;
    };
    QVERIFY(read(30000));
    const int before = std::exchange(reads, 0);
    QCOMPARE(before, 30000 / 16 + 1);
    QVERIFY(read(30001) && reads == 0);
    QVERIFY(read(17) && reads == 1);
    window.keep_all();
    reads = 0;
    QVERIFY(read(30000) && read(40) && read(29000) && reads == before - 2);
  }

  void a_replacement_that_needs_more_rows_gets_them() {
    // multirate's windows are narrower than the reference's: when the last tiles' device fails, the
    // reference wants rows that a file read from top to bottom has let go.
    SessionOptions options = quiet();
    bool armed = false;
    std::int64_t calls = 0, last = -1;
    options.before_launch = [&](std::int64_t) {
      if (armed && ++calls == last) throw DeviceError(CL_OUT_OF_HOST_MEMORY - 1000, "made to fail");
    };
    const PictureFormat format = rgba(40, 400);
    Image input = scene(format), output(format);
    const Recipe recipe = one_step("gaussian", {{"sigma", "6"}, {"method", "separable"}});
    const auto render = [&](Session& session, std::vector<int>& starts) {
      RowWindow window(
          format,
          [&](int y0, int y1, void* to, std::ptrdiff_t stride) {
            starts.push_back(y0);
            MemorySource(format, input.view()).read({0, y0, 40, y1}, to, stride);
          },
          4);
      MemorySink sink(format, output.view());
      RenderOptions tiles;
      tiles.forced_tile = 40;
      return session.render(recipe, window, sink, tiles);
    };
    armed = true;
    std::vector<int> starts;
    {
      Session session(options);
      render(session, starts);
    }
    QVERIFY(std::is_sorted(starts.begin(), starts.end()));
    Image expected = output;
    last = std::exchange(calls, 0) - 1;
    starts.clear();
    Session session(options);
    const RenderReport report = render(session, starts);
    QVERIFY(report.device.find("reference") != std::string::npos);
    QVERIFY(largest_difference(output, expected) < 1e-3);
    QVERIFY2(!std::is_sorted(starts.begin(), starts.end()), "no row was read again");
  }

  // A host gives what required_region() asked for, and nothing more.
  void a_replacement_finds_what_it_needs_in_the_required_region() {
    for (const char* sigma : {"1", "3", "9", "27"}) {
      SessionOptions options = quiet();
      bool armed = false;
      options.before_launch = [&](std::int64_t) {
        if (armed) throw DeviceError(CL_OUT_OF_HOST_MEMORY - 1000, "made to fail");
      };
      Session session(options);
      const PictureFormat format = rgba(600, 500);
      Image input = scene(format), output(format);
      const Recipe recipe = one_step("gaussian", {{"sigma", sigma}});
      RenderOptions part;
      part.region = {280, 240, 300, 260};
      const Rect needed = session.required_region(recipe, format, part.region);
      const HostView all = input.view();
      MemorySource source(format, {static_cast<char*>(all.row(needed.y0)) +
                                       static_cast<std::ptrdiff_t>(needed.x0) * 16,
                                   all.row_stride, needed});
      MemorySink sink(format, output.view());
      armed = true;
      const RenderReport report = session.render(recipe, source, sink, part);
      QVERIFY2(report.device.find("reference") != std::string::npos, sigma);
    }
  }

  void a_device_that_fails_its_self_test_is_not_used() {
    SessionOptions options = quiet();
    options.before_launch = [](std::int64_t) {
      throw DeviceError(CL_INVALID_DEVICE, "made to fail");
    };
    Session session(options);
    Image input = scene(rgba(20, 20));
    Image output(input.format);
    MemorySource source(input.format, input.view());
    MemorySink sink(input.format, output.view());
    const RenderReport report = session.render(two_blurs("clamp"), source, sink);
    QVERIFY(report.device.find("reference") != std::string::npos);
    QVERIFY(!report.warnings.empty());
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
      QVERIFY(std::string(e.what()).find("MB") != std::string::npos);
      QVERIFY(std::string(e.what()).find("--memory") != std::string::npos);
    }
    // Without a limit of the user's it fits.
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
    QVERIFY_EXCEPTION_THROWN(session.render(two_blurs("clamp"), source, sink, options), Cancelled);
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
    QTemporaryDir folder;
    SessionOptions options = quiet();
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
      // Cut in the middle, a byte changed, emptied: all three kinds of damage.
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
    // Without its remembered self-test the device needs every program again.
    std::filesystem::remove_all(std::filesystem::path(folder.path().toStdString()) / "devices");
    Session session(options);
    Image second = run(session, recipe, input, input.format);
    QVERIFY(second.bytes == first.bytes);
    for (const auto& entry : std::filesystem::directory_iterator(programs)) {
      QVERIFY2(std::filesystem::file_size(entry.path()) > 0, entry.path().c_str());
      QVERIFY(entry.path().extension() == ".bin");
    }
  }

  void a_program_cache_serves_from_disk() {
    QTemporaryDir folder;
    const std::filesystem::path path = folder.path().toStdString();
    static const char text[] =
        "kernel void twice(global float* x) { x[get_global_id(0)] *= 2.0f; }";
    const kernels::Source source{"twice", reinterpret_cast<const unsigned char*>(text),
                                 sizeof text - 1};
    for (const DeviceInfo& d : choose_devices(list_devices(), "cpu")) {
      const cl::Context context(d.handle);
      ProgramCache cold(context, d, path);
      cold.kernel(source, "", "twice");
      QCOMPARE(cold.compiled(), 1);
      ProgramCache warm(context, d, path);
      warm.kernel(source, "", "twice");
      QCOMPARE(warm.compiled(), 0);
      QCOMPARE(warm.loaded(), 1);
      warm.kernel(source, "-DOTHER", "twice");
      QCOMPARE(warm.compiled(), 1);
      static const char wrong[] = "kernel void wrong(";
      const kernels::Source broken{"wrong", reinterpret_cast<const unsigned char*>(wrong),
                                   sizeof wrong - 1};
      QVERIFY_EXCEPTION_THROWN(warm.kernel(broken, "", "wrong"), DeviceError);
    }
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

  void stored_codes_take_the_short_way_and_agree() {
    // 8-bit RGBA in stored light is filtered without conversion; it must equal the long way.
    const PictureFormat codes{130, 90, 4, SampleType::u8, AlphaKind::none, Coding::srgb()};
    Session session(quiet());
    Image input = scene(codes);
    PictureFormat wide = codes;
    wide.type = SampleType::f32;
    const Recipe recipe = one_step("gaussian", {{"sigma", "2"}, {"light", "stored"}});
    Image quick = run(session, recipe, input, codes);
    Image exact = run(session, recipe, input, wide);
    for (int y = 0; y < 90; ++y) {
      for (int x = 0; x < 130; ++x) {
        for (int c = 0; c < 4; ++c)
          QVERIFY(std::abs(quick.get(x, y, c) - exact.get(x, y, c)) <= 0.501f / 255);
      }
    }
  }

  void srgb_codes_take_the_short_way_and_agree() {
    for (const int channels : {3, 1}) {
      const PictureFormat codes{131, 90, channels, SampleType::u8, AlphaKind::none, Coding::srgb()};
      Session session(quiet());
      Image input = scene(codes);
      PictureFormat wide = codes;
      wide.type = SampleType::f32;
      for (const char* sigma : {"0.7", "2", "9"}) {
        for (const char* border : {"clamp", "mirror", "wrap", "zero", "renormalise"}) {
          const Recipe recipe = one_step("gaussian", {{"sigma", sigma}, {"border", border}});
          QVERIFY(make_plan(recipe, codes, codes, cpu_target()).on_codes());
          QVERIFY(!make_plan(recipe, codes, codes, cpu_target(), true).on_codes());
          Image quick = run(session, recipe, input, codes);
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
          Image tiled = run(session, recipe, input, codes, tiles);
          QVERIFY(tiled.bytes == quick.bytes);
        }
      }
    }
  }

  // A filter that works on codes and on the whole picture at once, asked for a region of it.
  void a_region_of_a_whole_picture_on_codes_is_its_part() {
    const PictureFormat codes = rgb8(161, 45);
    const Recipe recipe = one_step("gaussian", {{"sigma", "20"}, {"border", "wrap"}});
    const Plan plan = make_plan(recipe, codes, codes, cpu_target());
    QVERIFY(plan.whole && plan.on_codes());
    Session session(quiet());
    Image input = scene(codes);
    Image whole = run(session, recipe, input, codes);
    RenderOptions options;
    options.region = {120, 11, 161, 45};
    Image part = run(session, recipe, input, codes, options);
    for (int y = 11; y < 45; ++y) {
      for (int x = 120; x < 161; ++x) {
        for (int c = 0; c < 3; ++c) QCOMPARE(part.get(x, y, c), whole.get(x, y, c));
      }
    }
  }

  void tiles_fit_the_memory_they_are_given() {
    const PictureFormat format = rgb8(6000, 4000);
    Target target;
    target.form = Form::cpu;
    target.local_memory = 1 << 20;
    for (const char* sigma : {"1", "20", "64", "300"}) {
      const Plan plan = make_plan(one_step("gaussian", {{"sigma", sigma}, {"method", "separable"}}),
                                  format, format, target);
      for (const double limit : {64e6, 160e6, 1e9}) {
        std::vector<Rect> tiles;
        try {
          tiles = make_tiles(plan, format.rect(), limit, 0);
        } catch (const DeviceError& e) {
          QVERIFY(e.memory() && std::string(sigma) == "300");
          continue;
        }
        std::int64_t area = 0;
        for (const Rect& t : tiles) {
          area += t.area();
          QVERIFY(plan.tile_bytes(t.width(), t.height()) <= limit);
        }
        QCOMPARE(area, format.rect().area());
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestEngine)
#include "test_engine.moc"
