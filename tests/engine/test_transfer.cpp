// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Conversions at both ends, compared with published values, and device compared with scalar code.
// Slow: not built with sanitizers, where small_kernels runs every filter.
#include <QTest>
#include <cmath>
#include <limits>

#include "image/transfer.hpp"
#include "support/devices.hpp"

using namespace sfumato;

namespace {

constexpr int width = 37, height = 11;

std::vector<char> random_pixels(const PictureFormat& format, std::uint32_t seed) {
  const std::size_t samples =
      static_cast<std::size_t>(format.width * format.height * format.channels);
  std::vector<char> bytes(samples * static_cast<std::size_t>(sample_bytes(format.type)));
  for (std::size_t i = 0; i < samples; ++i) {
    seed = seed * 1664525u + 1013904223u;
    float v = static_cast<float>(seed >> 8) / 16777216.0f;
    const bool alpha = format.has_alpha() && i % static_cast<std::size_t>(format.channels) ==
                                                 static_cast<std::size_t>(format.channels) - 1;
    if (alpha && seed % 5 == 0) v = 0;
    if (!alpha && !is_integer(format.type)) v = v * 6.0f - 2.0f;  // negative and above white
    write_sample(bytes.data() + i * static_cast<std::size_t>(sample_bytes(format.type)),
                 format.type, v, 0.5f);
  }
  return bytes;
}

HostView view_of(std::vector<char>& bytes, const PictureFormat& f) {
  return {bytes.data(),
          static_cast<std::ptrdiff_t>(static_cast<std::size_t>(f.width) * f.pixel_bytes()),
          f.rect()};
}

std::vector<char> round_trip(Backend& on, std::vector<char> bytes, const PictureFormat& in,
                             const PixelState& state, const PictureFormat& out, bool dither) {
  const HostView view = view_of(bytes, in);
  MemorySource source(in, view);
  const auto samples = on.take_samples(
      in.rect(), in, [&](void* to, std::ptrdiff_t stride) { source.read(in.rect(), to, stride); });
  const auto image = on.load(samples, in, state, in.channels == 1 && out.channels == 1 ? 1 : 4);
  std::vector<char> result(static_cast<std::size_t>(out.width * out.height) * out.pixel_bytes());
  MemorySink sink(out, view_of(result, out));
  on.store(image, state, out.rect(), out, samples, in, dither,
           [&](const HostView& v) { sink.write(v); });
  return result;
}

}  // namespace

class TestTransfer : public QObject {
  Q_OBJECT

 private slots:
  void half_precision_is_exact() {
    for (std::uint32_t h = 0; h < 0x10000; ++h) {
      const float f = half_to_float(static_cast<std::uint16_t>(h));
      if (std::isnan(f)) {
        QVERIFY(std::isnan(half_to_float(float_to_half(f))));
        continue;
      }
      QCOMPARE(float_to_half(f), static_cast<std::uint16_t>(h));
    }
    QCOMPARE(half_to_float(0x3c00), 1.0f);
    QCOMPARE(half_to_float(0x0001), std::ldexp(1.0f, -24));
    QCOMPARE(float_to_half(65519.0f), std::uint16_t{0x7bff});
    QCOMPARE(float_to_half(65520.0f), std::uint16_t{0x7c00});
    QCOMPARE(float_to_half(1.0f + 1.0f / 2048), std::uint16_t{0x3c00});  // a tie goes to even
  }

  void srgb_curve_has_its_published_values() {
    QVERIFY(std::abs(decode(Coding::srgb(), 0.5) - 0.21404114048223255) < 1e-15);
    QVERIFY(std::abs(decode(Coding::srgb(), 0.04045) - 0.0031308049535603713) < 1e-15);
    QVERIFY(std::abs(encode(Coding::srgb(), 0.18) - 0.46135612950044164) < 1e-12);
    QVERIFY(std::abs(decode(Coding::srgb(), -0.5) + 0.21404114048223255) < 1e-15);
    QVERIFY(std::abs(decode(Coding::power(2.2f), 0.5) - 0.217637640824) < 1e-7);
    for (double v = -3; v < 20; v += 0.01) {
      QVERIFY(std::abs(encode(Coding::srgb(), decode(Coding::srgb(), v)) - v) <
              2e-7 * std::abs(v) + 1e-8);
    }
  }

  void device_agrees_with_scalar_code_data() {
    QTest::addColumn<int>("type");
    QTest::addColumn<int>("channels");
    QTest::addColumn<int>("alpha");
    QTest::addColumn<int>("curve");
    for (int type = 0; type < 4; ++type) {
      for (int channels = 1; channels <= 4; ++channels) {
        for (int alpha = 0; alpha < 3; ++alpha) {
          const bool has = channels == 2 || channels == 4;
          if ((alpha == 0 && channels == 2) || (alpha > 0 && !has)) continue;
          const int curve = (type + channels + alpha) % 3;
          QTest::addRow("type %d, %d channels, alpha %d, curve %d", type, channels, alpha, curve)
              << type << channels << alpha << curve;
        }
      }
    }
  }

  // Loads in linear premultiplied light and stores again, compared with scalar code.
  void device_agrees_with_scalar_code() {
    QFETCH(int, type);
    QFETCH(int, channels);
    QFETCH(int, alpha);
    QFETCH(int, curve);
    const Coding coding{static_cast<Coding::Curve>(curve), curve == 2 ? 2.2f : 1.0f};
    const PictureFormat in{
        width, height, channels, static_cast<SampleType>(type), static_cast<AlphaKind>(alpha),
        coding};
    const auto reference = make_reference_backend(1e9);
    const std::vector<char> bytes = random_pixels(in, 7);
    for (const auto& runner : testing::runners()) {
      const auto device = testing::open(runner);
      for (const Coding& light : {(type + channels) % 2 == 0 ? Coding::linear() : Coding::srgb()}) {
        const PixelState state{light, in.has_alpha() ? AlphaKind::premultiplied : AlphaKind::none};
        PictureFormat out = in;
        out.type = SampleType::f32;
        const auto got = round_trip(*device, bytes, in, state, out, false);
        const auto want = round_trip(*reference, bytes, in, state, out, false);
        for (std::size_t i = 0; i < got.size(); i += 4) {
          const float a = read_sample(got.data() + i, SampleType::f32);
          const float b = read_sample(want.data() + i, SampleType::f32);
          QVERIFY2(std::abs(a - b) <= 2e-5f * std::max(1.0f, std::abs(b)),
                   qPrintable(QString("%1: sample %2 is %3, not %4")
                                  .arg(QString::fromStdString(runner.label))
                                  .arg(i / 4)
                                  .arg(a)
                                  .arg(b)));
        }
        // Converted back to the original type, nothing may have changed.
        if (is_integer(in.type)) {
          const auto same = round_trip(*device, bytes, in, state, in, false);
          const auto expected = round_trip(*reference, bytes, in, state, in, false);
          QCOMPARE(same.size(), bytes.size());
          if (alpha != 2) QVERIFY(same == bytes);
          for (std::size_t i = 0; i < same.size();
               i += static_cast<std::size_t>(sample_bytes(in.type))) {
            const float step = in.type == SampleType::u8 ? 1.01f / 255 : 1.01f / 65535;
            QVERIFY(std::abs(read_sample(same.data() + i, in.type) -
                             read_sample(expected.data() + i, in.type)) <= step);
          }
        }
      }
    }
  }

  void not_a_number_becomes_black_in_integers() {
    const PictureFormat in{4, 1, 1, SampleType::f32, AlphaKind::none, Coding::linear()};
    PictureFormat out = in;
    out.type = SampleType::u8;
    const float inf = std::numeric_limits<float>::infinity();
    const float values[4] = {std::nanf(""), inf, -inf, 0.5f};
    std::vector<char> bytes(sizeof values);
    std::memcpy(bytes.data(), values, sizeof values);
    const PixelState state{Coding::srgb(), AlphaKind::none};
    std::vector<std::unique_ptr<Backend>> all;
    all.push_back(make_reference_backend(1e9));
    for (const auto& runner : testing::runners()) all.push_back(testing::open(runner));
    for (const auto& backend : all) {
      const auto got = round_trip(*backend, bytes, in, state, out, false);
      QCOMPARE(static_cast<unsigned char>(got[0]), 0);
      QCOMPARE(static_cast<unsigned char>(got[1]), 255);
      QCOMPARE(static_cast<unsigned char>(got[2]), 0);
      QCOMPARE(static_cast<unsigned char>(got[3]), 128);
    }
  }

  void colour_under_transparency_stays() {
    const PictureFormat f{2, 1, 4, SampleType::u8, AlphaKind::straight, Coding::srgb()};
    const std::vector<char> bytes{10, 20, 30, 0, 40, 50, 60, 70};
    const PixelState state{Coding::linear(), AlphaKind::premultiplied};
    QVERIFY(round_trip(*make_reference_backend(1e9), bytes, f, state, f, false) == bytes);
    for (const auto& runner : testing::runners()) {
      QVERIFY(round_trip(*testing::open(runner), bytes, f, state, f, false) == bytes);
    }
  }

  // A flat tone halfway between 8-bit values: dithered, its mean is preserved; rounded, it is not.
  void dither_keeps_the_mean() {
    PictureFormat in{128, 128, 1, SampleType::f32, AlphaKind::none, Coding::srgb()};
    PictureFormat out = in;
    out.type = SampleType::u8;
    std::vector<char> bytes(128 * 128 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 4)
      write_sample(bytes.data() + i, SampleType::f32, 100.25f / 255, 0);
    const PixelState state{Coding::srgb(), AlphaKind::none};
    const auto mean = [&](Backend& on, bool dither) {
      double sum = 0;
      for (const char c : round_trip(on, bytes, in, state, out, dither))
        sum += static_cast<unsigned char>(c);
      return sum / (128 * 128);
    };
    const auto reference = make_reference_backend(1e9);
    QCOMPARE(mean(*reference, false), 100.0);
    QVERIFY(std::abs(mean(*reference, true) - 100.25) < 0.02);
    for (const auto& runner : testing::runners()) {
      const auto device = testing::open(runner);
      QVERIFY(std::abs(mean(*device, true) - 100.25) < 0.02);
    }
  }

  // Up to thresholds that rounding moves to the other side.
  void every_device_dithers_alike() {
    PictureFormat in{64, 48, 3, SampleType::f32, AlphaKind::none, Coding::srgb()};
    PictureFormat out = in;
    out.type = SampleType::u8;
    std::vector<char> bytes(64 * 48 * 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 4)
      write_sample(bytes.data() + i, SampleType::f32, 100.5f / 255, 0);
    const PixelState state{Coding::srgb(), AlphaKind::none};
    const auto reference = make_reference_backend(1e9);
    const std::vector<char> want = round_trip(*reference, bytes, in, state, out, true);
    for (const auto& runner : testing::runners()) {
      const auto device = testing::open(runner);
      const std::vector<char> got = round_trip(*device, bytes, in, state, out, true);
      QCOMPARE(got.size(), want.size());
      std::size_t different = 0;
      for (std::size_t i = 0; i < want.size(); ++i) different += got[i] != want[i];
      QVERIFY2(different <= want.size() / 100, qPrintable(QString("%1: %2 of %3 samples")
                                                              .arg(runner.label.c_str())
                                                              .arg(different)
                                                              .arg(want.size())));
    }
  }
};

QTEST_GUILESS_MAIN(TestTransfer)
#include "test_transfer.moc"
