// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Inputs that are taken in once for several renders: of the same pixels, and only of them.
#include <QTest>

#include "support/devices.hpp"
#include "support/engine.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

constexpr PictureFormat straight8(int w, int h) {
  return {w, h, 4, SampleType::u8, AlphaKind::straight, {Coding::Curve::srgb, 1.0f}};
}

// A picture whose reads are counted.
class Counted final : public PixelSource {
 public:
  Counted(Image& image, std::uint64_t content)
      : memory_(image.format, image.view()), content_(content) {}
  const PictureFormat& format() const override { return memory_.format(); }
  std::uint64_t content() const override { return content_; }
  void read(const Rect& region, void* to, std::ptrdiff_t row_stride) override {
    ++reads;
    memory_.read(region, to, row_stride);
  }
  int reads = 0;

 private:
  MemorySource memory_;
  std::uint64_t content_;
};

Recipe blur(const char* sigma, const char* light = "linear") {
  return one_step("gaussian", {{"sigma", sigma}, {"light", light}});
}

}  // namespace

class TestLoadedInputs : public QObject {
  Q_OBJECT

  static Image rendered(Session& session, const Recipe& recipe, PixelSource& source,
                        const RenderOptions& options = {}) {
    Image output(source.format());
    MemorySink sink(output.format, output.view());
    (void)session.render(recipe, source, sink, options);
    return output;
  }

  // As by a session that has rendered nothing before.
  static bool is_right(const Image& output, const Recipe& recipe, Image& input) {
    Session fresh(one_device());
    Counted source(input, 0);
    return output.bytes == rendered(fresh, recipe, source).bytes;
  }

 private Q_SLOTS:
  void the_same_pixels_are_taken_in_once_data() {
    QTest::addColumn<PictureFormat>("format");
    QTest::newRow("float") << rgba(90, 70);
    QTest::newRow("8 bits, filtered as they are stored") << rgb8(90, 70);
    QTest::newRow("8 bits with colour under transparency") << straight8(90, 70);
  }

  void the_same_pixels_are_taken_in_once() {
    QFETCH(PictureFormat, format);
    Session session(one_device());
    Image input = scene(format);
    Counted source(input, new_content());
    int reads = 0;
    for (const char* sigma : {"1", "2.5", "9"}) {
      QVERIFY(is_right(rendered(session, blur(sigma), source), blur(sigma), input));
      if (reads == 0) reads = source.reads;
      QCOMPARE(source.reads, reads);
    }
    const Recipe recipes[] = {blur("2", "display"), two_blurs("clamp"), Recipe(), blur("1")};
    for (const Recipe& recipe : recipes) {
      QVERIFY(is_right(rendered(session, recipe, source), recipe, input));
    }
  }

  // The reference has no limit on memory that they would count for.
  void the_reference_keeps_none() {
    SessionOptions on = quiet();
    on.device = "reference";
    Session session(on);
    Image input = scene(rgba(40, 30));
    Counted source(input, new_content());
    (void)rendered(session, blur("1"), source);
    const int reads = source.reads;
    (void)rendered(session, blur("1"), source);
    QCOMPARE(source.reads, 2 * reads);
  }

  void other_pixels_are_taken_in() {
    Session session(one_device());
    Image first = scene(rgba(90, 70)), second = first;
    for (char& byte : second.bytes) byte = static_cast<char>(byte & 0x3f);
    Counted one(first, new_content()), other(second, new_content()), unknown(second, 0);
    (void)rendered(session, blur("2"), one);
    QVERIFY(is_right(rendered(session, blur("2"), other), blur("2"), second));
    const int reads = other.reads;
    QVERIFY(is_right(rendered(session, blur("3"), one), blur("3"), first));
    QVERIFY(is_right(rendered(session, blur("3"), unknown), blur("3"), second));
    (void)rendered(session, blur("4"), unknown);
    QCOMPARE(unknown.reads, 2 * reads);
  }

  void other_regions_are_taken_in() {
    Session session(one_device());
    Image input = scene(rgba(200, 150));
    Counted source(input, new_content());
    const Image whole = rendered(session, blur("2"), source);
    for (const Rect& region : {Rect{10, 10, 60, 50}, Rect{11, 10, 61, 50}, Rect{0, 0, 200, 150}}) {
      RenderOptions options;
      options.region = region;
      const Image part = rendered(session, blur("2"), source, options);
      const std::size_t pixel = input.format.pixel_bytes();
      for (int y = region.y0; y < region.y1; ++y) {
        const auto at =
            (static_cast<std::size_t>(y) * 200 + static_cast<std::size_t>(region.x0)) * pixel;
        const auto n =
            static_cast<std::ptrdiff_t>(static_cast<std::size_t>(region.width()) * pixel);
        const auto from = static_cast<std::ptrdiff_t>(at);
        QVERIFY(std::equal(part.bytes.begin() + from, part.bytes.begin() + from + n,
                           whole.bytes.begin() + from));
      }
    }
  }

  void a_device_short_of_memory_gives_them_up_first() {
    SessionOptions options = one_device();
    bool fails = false;
    options.before_launch = [&](std::int64_t) {
      if (std::exchange(fails, false))
        throw DeviceError(CL_MEM_OBJECT_ALLOCATION_FAILURE, foreign_message("made to fail"));
    };
    std::vector<std::string> lines;
    options.log = [&](const Message& line) { lines.push_back(in_english(line)); };
    Session session(options);
    Image input = scene(rgba(90, 70));
    Counted source(input, new_content());
    (void)rendered(session, blur("2"), source);
    const int reads = source.reads;
    fails = true;
    QVERIFY(is_right(rendered(session, blur("3"), source), blur("3"), input));
    QVERIFY2(lines.empty(), lines.empty() ? "" : lines[0].c_str());
    QVERIFY(source.reads > reads);
  }

  void they_end_with_their_device() {
    SessionOptions options = one_device();
    bool fails = false;
    options.before_launch = [&](std::int64_t) {
      if (std::exchange(fails, false))
        throw DeviceError(CL_OUT_OF_HOST_MEMORY - 1000, foreign_message("made to fail"));
    };
    Session session(options);
    Image input = scene(rgba(90, 70));
    Counted source(input, new_content());
    (void)rendered(session, blur("2"), source);
    fails = true;
    Image expected = rendered(session, blur("3"), source);  // by the reference
    Counted unknown(input, 0);
    QVERIFY(expected.bytes == rendered(session, blur("3"), unknown).bytes);
  }

  void the_oldest_give_way() {
    LoadedInputs inputs;
    const auto key = [](int number, int side) {
      LoadedInputs::Key made;
      made.content = static_cast<std::uint64_t>(number);
      made.window = {0, 0, side, side};
      made.format = rgba(side, side);
      return made;
    };
    inputs.keep(key(1, 1200), {});  // of 23 MB
    inputs.keep(key(2, 1200), {});
    QVERIFY(inputs.find(key(1, 1200)) != nullptr);
    inputs.keep(key(3, 1200), {});
    QVERIFY(inputs.find(key(2, 1200)) == nullptr);
    QVERIFY(inputs.find(key(1, 1200)) != nullptr && inputs.find(key(3, 1200)) != nullptr);
    inputs.keep(key(4, 2100), {});  // of 71 MB
    QVERIFY(inputs.find(key(4, 2100)) == nullptr);
    QVERIFY(inputs.find(key(1, 1200)) != nullptr);
    QVERIFY(inputs.clear());
    QVERIFY(!inputs.clear());
    QVERIFY(inputs.find(key(1, 1200)) == nullptr);
  }
};

QTEST_GUILESS_MAIN(TestLoadedInputs)
#include "test_loaded_inputs.moc"
