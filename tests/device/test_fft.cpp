// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Fourier transforms compared with direct sums, also in pieces, cancelled in between, and in other
// locales.
#include <QTest>
#include <complex>
#include <numbers>
#include <random>

#include "device/fft.hpp"
#include "device/passes.hpp"
#include "support/locale.hpp"
#include "support/skips.hpp"

using namespace sfumato;

namespace {

using Complex = std::complex<float>;

std::vector<Complex> noise(int count) {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<Complex> out(static_cast<std::size_t>(count));
  for (Complex& c : out) c = {uniform(random), uniform(random)};
  return out;
}

// The definition, for a few frequencies of one picture.
std::complex<double> direct(const Complex* from, int w, int h, int u, int v) {
  std::complex<double> sum = 0;
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) {
      const double turn = static_cast<double>(u) * x / w + static_cast<double>(v) * y / h;
      sum += std::complex<double>(from[y * w + x]) * std::polar(1.0, -2 * std::numbers::pi * turn);
    }
  }
  return sum;
}

}  // namespace

class TestFft : public QObject {
  Q_OBJECT

 private:
  std::vector<std::unique_ptr<DeviceContext>> contexts_;

  static std::vector<Complex> transformed(DeviceContext& on, std::vector<Complex> data, int w,
                                          int h, int batch, bool inverse) {
    const auto buffer = on.pool().take(data.size() * sizeof(Complex));
    on.write(*buffer, data.data(), data.size() * sizeof(Complex));
    FourierJob job{w, h, batch, inverse, {}, [] {}};
    job.take = [&on](std::size_t bytes) { return on.pool().take(bytes); };
    on.driver().transform(*buffer, job);
    on.read(*buffer, data.data(), data.size() * sizeof(Complex));
    return data;
  }

 private slots:
  void initTestCase() {
    for (const DeviceInfo& d : choose_devices(list_devices(), "auto")) {
      contexts_.push_back(std::make_unique<DeviceContext>(d, d.natural_form(), std::size_t{1} << 30,
                                                          std::size_t{1} << 28,
                                                          std::filesystem::path()));
    }
    if (contexts_.empty()) SKIP_WITHOUT("an OpenCL device");
  }

  void sizes_are_smooth_and_no_smaller() {
    for (const int n : {1, 2, 11, 13, 97, 121, 1001, 4999, 6007}) {
      const int size = fft_size(n);
      QVERIFY(size >= n && size < n + n / 8 + 3);
    }
    QCOMPARE(fft_size(6000), 6000);
  }

  void direct_sums_agree_data() {
    QTest::addColumn<int>("w");
    QTest::addColumn<int>("h");
    QTest::addColumn<int>("batch");
    QTest::newRow("square") << 64 << 64 << 1;
    QTest::newRow("odd") << 105 << 75 << 2;
    QTest::newRow("row") << 360 << 1 << 1;
    QTest::newRow("rows") << 1000 << 1 << 600;
    QTest::newRow("column") << 1 << 250 << 1;
    QTest::newRow("one") << 1 << 1 << 2;
    // Sizes with large prime factors: pictures transformed at their own size.
    QTest::newRow("primes") << 67 << 61 << 2;
    QTest::newRow("long prime") << 4003 << 3 << 1;
    QTest::newRow("tall prime") << 3 << 4003 << 1;
    QTest::newRow("twice a prime") << 8006 << 4 << 1;
    QTest::newRow("prime square") << 1369 << 38 << 1;
    // Larger than a piece: several of rows and of columns.
    QTest::newRow("pieces") << 700 << 900 << 2;
    // A size that cannot be cut into equal pieces.
    QTest::newRow("prime width") << 701 << 512 << 1;
    QTest::newRow("prime height") << 512 << 701 << 1;
    QTest::newRow("both prime") << 1601 << 409 << 1;
    QTest::newRow("prime, few rows") << 6007 << 67 << 1;
    QTest::newRow("tall") << 6 << 140009 << 1;
    QTest::newRow("long prime columns") << 40 << 6007 << 1;
    // Columns in several passes, also by a longer transform.
    QTest::newRow("long columns") << 270 << 9261 << 1;
    QTest::newRow("long columns, two pictures") << 40 << 18018 << 2;
    QTest::newRow("longest columns") << 6 << 131072 << 1;
    QTest::newRow("long columns with large factors") << 40 << 18006 << 1;
    QTest::newRow("prime columns") << 130 << 4093 << 1;
    // Groups that would take more than a thread's stack in 512 KiB of local memory.
    QTest::newRow("rows by a longer transform") << 23998 << 20 << 1;
    QTest::newRow("rows by the longest in one pass") << 32766 << 4 << 1;
  }
  void direct_sums_agree() {
    QFETCH(int, w);
    QFETCH(int, h);
    QFETCH(int, batch);
    const std::vector<Complex> data = noise(w * h * batch);
    for (const auto& on : contexts_) {
      const std::vector<Complex> got = transformed(*on, data, w, h, batch, false);
      double norm = 0;
      for (const Complex& c : data) norm += static_cast<double>(std::norm(c));
      const double allowed = 5e-6 * std::sqrt(norm);
      for (int i = 0; i < 12; ++i) {
        const int b = i % batch, u = (i * 37 + 1) % w, v = (i * 53 + 2) % h;
        const auto want = direct(data.data() + b * w * h, w, h, u, v);
        const auto have = std::complex<double>(got[static_cast<std::size_t>((b * h + v) * w + u)]);
        QVERIFY2(std::abs(have - want) <= allowed,
                 qPrintable(QString("%1,%2: %3").arg(u).arg(v).arg(std::abs(have - want))));
      }
      const std::vector<Complex> back = transformed(*on, got, w, h, batch, true);
      const float size = static_cast<float>(w) * static_cast<float>(h);
      for (std::size_t i = 0; i < data.size(); ++i) {
        QVERIFY(std::abs(back[i] / size - data[i]) < 1e-5f);
      }
    }
  }

  void it_stops_between_pieces() {
    int tried = 0;
    for (const auto& on : contexts_) {
      if (!on->info().cpu) continue;
      ++tried;
      const auto buffer = on->pool().take(std::size_t{1600} * 1200 * 8);
      int pieces = 0;
      FourierJob job{1600, 1200, 1, false, {}, {}};
      job.take = [&on](std::size_t bytes) { return on->pool().take(bytes); };
      job.between = [&] {
        if (++pieces == 3) throw Cancelled();
      };
      QVERIFY_THROWS_EXCEPTION(Cancelled, on->driver().transform(*buffer, job));
      QCOMPARE(pieces, 3);
      on->finish();
    }
    if (tried == 0) SKIP_WITHOUT("an OpenCL device on the processor");
  }

  void the_locale_changes_nothing() {
    if (!sfumato::testing::build_locale("de_DE")) SKIP_WITHOUT("localedef or its sources");
    const std::vector<Complex> data = noise(84 * 60);
    for (const auto& on : contexts_) {
      std::setlocale(LC_ALL, "de_DE.UTF-8");
      std::vector<Complex> got;
      try {
        got = transformed(*on, data, 84, 60, 1, false);
      } catch (const DeviceError& e) {
        std::setlocale(LC_ALL, "C");
        QFAIL(e.what());
      }
      const QByteArray after = std::setlocale(LC_ALL, nullptr);
      std::setlocale(LC_ALL, "C");
      QCOMPARE(after, "de_DE.UTF-8");
      const auto want = direct(data.data(), 84, 60, 3, 7);
      QVERIFY(std::abs(std::complex<double>(got[7 * 84 + 3]) - want) < 1e-3);
    }
  }
};

QTEST_GUILESS_MAIN(TestFft)
#include "test_fft.moc"
