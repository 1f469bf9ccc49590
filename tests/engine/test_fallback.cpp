// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Failing devices: smaller tiles, the next device, the reference, and the rows they need again.
#include <QTest>

#include "support/devices.hpp"
#include "support/engine.hpp"
#include "support/skips.hpp"

using namespace sfumato;
using namespace sfumato::testing;

class TestFallback : public QObject {
  Q_OBJECT

 private slots:
  void a_device_out_of_memory_gets_smaller_tiles() {
    SessionOptions options = quiet();
    options.memory_limit = 64u << 20;
    std::int64_t calls = 0;
    bool armed = false;
    options.before_launch = [&](std::int64_t) {
      if (armed && ++calls == 4)
        throw DeviceError(CL_MEM_OBJECT_ALLOCATION_FAILURE, foreign_message("made to fail"));
    };
    std::vector<std::string> lines;
    options.log = [&](const Message& line) { lines.push_back(in_english(line)); };
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
    QVERIFY(in_english(report.warnings[0]).find("smaller tiles") != std::string::npos);
    QCOMPARE(lines.size(), 1u);
  }

  // The limit that was too large is that of the larger tiles, not that of usual ones.
  void a_device_without_memory_for_large_tiles() {
    SessionOptions options = one_device();
    bool fails = false;
    options.before_launch = [&](std::int64_t) {
      if (std::exchange(fails, false))
        throw DeviceError(CL_MEM_OBJECT_ALLOCATION_FAILURE, foreign_message("made to fail"));
    };
    Session session(options);
    Image input = scene(rgba(3000, 2000)), output(input.format);
    const Recipe recipe = one_step("gaussian", {{"sigma", "60"}});
    MemorySource source(input.format, input.view());
    MemorySink sink(input.format, output.view());
    const RenderReport free = session.render(recipe, source, sink);
    const Image expected = output;
    QVERIFY(free.warnings.empty());
    fails = true;
    const RenderReport less = session.render(recipe, source, sink);
    QVERIFY(output.bytes == expected.bytes);
    QCOMPARE(less.device, free.device);
    QCOMPARE(less.warnings.size(), std::size_t{1});
    QVERIFY(less.tiles > free.tiles);
    // It is remembered, and small halos have their usual tiles.
    const RenderReport again = session.render(recipe, source, sink);
    QVERIFY(again.warnings.empty());
    QVERIFY(again.tiles > free.tiles && again.tiles <= less.tiles);
    Session fresh(one_device());
    const Recipe small = one_step("gaussian", {{"sigma", "2"}});
    QCOMPARE(session.render(small, source, sink).tiles, fresh.render(small, source, sink).tiles);
  }

  void the_next_device_takes_over() {
    const std::vector<DeviceInfo> all = choose_devices(list_devices(), "cpu");
    if (all.size() < 2) SKIP_WITHOUT("two devices on this processor");
    SessionOptions options = quiet();
    bool failed = false;
    options.before_launch = [&](std::int64_t) {
      if (!std::exchange(failed, true))
        throw DeviceError(CL_OUT_OF_HOST_MEMORY - 1000, foreign_message("made to fail"));
    };
    Session session(options);
    Image input = scene(rgba(60, 50)), output(input.format);
    MemorySource source(input.format, input.view());
    MemorySink sink(input.format, output.view());
    const RenderReport report = session.render(two_blurs("clamp"), source, sink);
    QCOMPARE(report.device, all[1].title());
    QCOMPARE(report.warnings.size(), 1u);
    Session first(one_device());
    Image expected = run(first, two_blurs("clamp"), input, input.format);
    QVERIFY(largest_difference(output, expected) < 1e-4);
  }

  void a_device_that_fails_is_replaced() {
    SessionOptions options = one_device();
    bool armed = false;
    std::int64_t calls = 0;
    options.before_launch = [&](std::int64_t) {
      if (armed && ++calls == 5)
        throw DeviceError(CL_OUT_OF_HOST_MEMORY - 1000, foreign_message("made to fail"));
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
    QVERIFY(in_english(report.warnings[0]).find("made to fail") != std::string::npos);
    QVERIFY(report.device.find("reference") != std::string::npos);
    QVERIFY(largest_difference(output, expected) < 1e-3);
  }

  // The memory for a tall picture does not grow with it: earlier rows must be read again.
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
    // multirate's windows are narrower than the reference's: if the device of the last tiles fails,
    // the reference needs rows that a sequentially read file has already released.
    SessionOptions options = one_device();
    bool armed = false;
    std::int64_t calls = 0, last = -1;
    options.before_launch = [&](std::int64_t) {
      if (armed && ++calls == last)
        throw DeviceError(CL_OUT_OF_HOST_MEMORY - 1000, foreign_message("made to fail"));
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

  // A host provides what required_region() returned, and nothing more.
  void a_replacement_finds_what_it_needs_in_the_required_region() {
    for (const char* sigma : {"1", "3", "9", "27"}) {
      SessionOptions options = one_device();
      bool armed = false;
      options.before_launch = [&](std::int64_t) {
        if (armed) throw DeviceError(CL_OUT_OF_HOST_MEMORY - 1000, foreign_message("made to fail"));
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

  // Warnings of a failed render are not repeated by the next one.
  void warnings_belong_to_one_render() {
    SessionOptions options = one_device();
    bool armed = false;
    options.before_launch = [&](std::int64_t) {
      if (armed) throw DeviceError(CL_OUT_OF_HOST_MEMORY - 1000, foreign_message("made to fail"));
    };
    Session session(options);
    Image input = scene(rgba(60, 50)), output(input.format);
    const Recipe recipe = two_blurs("clamp");
    MemorySource source(input.format, input.view());
    MemorySink sink(input.format, output.view());
    RenderOptions stopped;
    run(session, recipe, input, input.format);
    armed = true;
    stopped.progress = [&](double part) { return part < 0.5; };
    QVERIFY_THROWS_EXCEPTION(Cancelled, session.render(recipe, source, sink, stopped));
    armed = false;
    QVERIFY(session.render(recipe, source, sink).warnings.empty());
  }

  void a_device_that_fails_its_self_test_is_not_used() {
    SessionOptions options = one_device();
    options.before_launch = [](std::int64_t) {
      throw DeviceError(CL_INVALID_DEVICE, foreign_message("made to fail"));
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
};

QTEST_GUILESS_MAIN(TestFallback)
#include "test_fallback.moc"
