// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Resized pictures are weighted sums as the filters' definitions say, whichever pieces the rows
// come in.
#include <QTest>
#include <cmath>
#include <numbers>

#include "image/resampling.hpp"
#include "support/pictures.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

struct Grid {
  PictureSize size;
  int channels = 1;
  std::vector<float> values;

  Grid(const PictureSize& s, int c)
      : size(s),
        channels(c),
        values(static_cast<std::size_t>(s.width) * static_cast<std::size_t>(s.height) *
               static_cast<std::size_t>(c)) {}
  float& at(int x, int y, int c) {
    return values[(static_cast<std::size_t>(y) * static_cast<std::size_t>(size.width) +
                   static_cast<std::size_t>(x)) *
                      static_cast<std::size_t>(channels) +
                  static_cast<std::size_t>(c)];
  }
};

Grid noise(const PictureSize& size, int channels) {
  Grid out(size, channels);
  std::uint32_t seed = 3;
  for (float& v : out.values) v = noise_at(seed);
  return out;
}

Grid resized(const Grid& from, const PictureSize& to, ResizeFilter filter, int piece = 1000) {
  Grid out(to, from.channels);
  const auto row = static_cast<std::ptrdiff_t>(from.size.width) * from.channels;
  const std::size_t new_row =
      static_cast<std::size_t>(to.width) * static_cast<std::size_t>(from.channels);
  int next = 0;
  Resampler resampler(from.size, to, from.channels, filter);
  for (int y = 0; y < from.size.height; y += piece) {
    const int rows = std::min(piece, from.size.height - y);
    resampler.add(
        from.values.data() + y * row, row, rows,
        [&](int y0, int y1, const float* made) {
          if (y0 != next) throw std::logic_error("rows come in turn");
          next = y1;
          std::copy_n(made, new_row * static_cast<std::size_t>(y1 - y0),
                      &out.values[new_row * static_cast<std::size_t>(y0)]);
        },
        ParallelRows());
  }
  if (next != to.height) throw std::logic_error("rows are missing");
  return out;
}

// The filters, written anew: in units of the larger of the two pixels.
double kernel(ResizeFilter filter, double x) {
  using std::numbers::pi;
  x = std::abs(x);
  if (filter == ResizeFilter::lanczos3) {
    if (x >= 3) return 0;
    return x < 1e-9 ? 1 : 3 * std::sin(pi * x) * std::sin(pi * x / 3) / (pi * pi * x * x);
  }
  // Mitchell and Netravali, equation 8, with B = C = 1/3.
  constexpr double b = 1.0 / 3, c = 1.0 / 3;
  if (x >= 2) return 0;
  if (x < 1) {
    return ((12 - 9 * b - 6 * c) * x * x * x + (-18 + 12 * b + 6 * c) * x * x + (6 - 2 * b)) / 6;
  }
  return ((-b - 6 * c) * x * x * x + (6 * b + 30 * c) * x * x + (-12 * b - 48 * c) * x +
          (8 * b + 24 * c)) /
         6;
}

// Of old sample `at` in the new one `to`.
double part(ResizeFilter filter, int at, int to, double scale) {
  if (filter == ResizeFilter::box) {
    const double begin = std::max<double>(at, to / scale);
    return std::max(0.0, std::min<double>(at + 1, (to + 1) / scale) - begin);
  }
  return kernel(filter, (at + 0.5 - (to + 0.5) / scale) * std::min(1.0, scale));
}

// One sample as a sum over the whole picture.
double direct(Grid& from, const PictureSize& to, ResizeFilter filter, int x, int y, int c) {
  const double across = 1.0 * to.width / from.size.width, down = 1.0 * to.height / from.size.height;
  double sum = 0, weights = 0;
  for (int v = 0; v < from.size.height; ++v) {
    for (int u = 0; u < from.size.width; ++u) {
      const double w = part(filter, u, x, across) * part(filter, v, y, down);
      sum += w * static_cast<double>(from.at(u, v, c));
      weights += w;
    }
  }
  return sum / weights;
}

constexpr std::array filters = {ResizeFilter::lanczos3, ResizeFilter::mitchell, ResizeFilter::box};

}  // namespace

class TestResampling : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void sums_are_those_of_the_definitions() {
    const std::vector<PictureSize> sizes = {{10, 7}, {29, 23}, {61, 40}, {1, 1}, {90, 3}, {7, 100}};
    for (int channels = 1; channels <= 4; ++channels) {
      Grid from = noise({29, 23}, channels);
      for (const ResizeFilter filter : filters) {
        for (const PictureSize& to : sizes) {
          Grid made = resized(from, to, filter);
          for (int y = 0; y < to.height; y += 3) {
            for (int x = 0; x < to.width; x += 5) {
              const int c = (x + y) % channels;
              const double wanted = direct(from, to, filter, x, y, c);
              QVERIFY2(std::abs(static_cast<double>(made.at(x, y, c)) - wanted) < 1e-5,
                       qPrintable(QString("filter %1, %2x%3 at %4, %5")
                                      .arg(static_cast<int>(filter))
                                      .arg(to.width)
                                      .arg(to.height)
                                      .arg(x)
                                      .arg(y)));
            }
          }
        }
      }
    }
  }

  void even_pictures_stay_even() {
    Grid from({500, 300}, 3);
    std::fill(from.values.begin(), from.values.end(), 0.75f);
    for (const ResizeFilter filter : filters) {
      for (const PictureSize& to : {PictureSize{33, 21}, PictureSize{1, 1000}}) {
        for (const float v : resized(from, to, filter).values) QVERIFY(std::abs(v - 0.75f) < 4e-6f);
      }
    }
  }

  void pieces_make_no_difference() {
    const Grid from = noise({120, 333}, 4);
    for (const ResizeFilter filter : filters) {
      for (const PictureSize& to : {PictureSize{50, 70}, PictureSize{121, 700}}) {
        const Grid whole = resized(from, to, filter);
        for (const int piece : {1, 7, 64, 100}) {
          QVERIFY(resized(from, to, filter, piece).values == whole.values);
        }
      }
    }
  }

  void the_same_size_changes_nothing() {
    const Grid from = noise({31, 17}, 3);
    QVERIFY(resized(from, from.size, ResizeFilter::box).values == from.values);
    QVERIFY(resized(from, from.size, ResizeFilter::lanczos3).values == from.values);
  }

  void sizes() {
    const auto size = [](const PictureSize& most, double scale) {
      return Resizing{most, scale, ResizeFilter::box}.of({6000, 4000});
    };
    QCOMPARE(size({2048, 2048}, 0), (PictureSize{2048, 1365}));
    QCOMPARE(size({2048, 1000}, 0), (PictureSize{1500, 1000}));
    QCOMPARE(size({8000, 8000}, 0), (PictureSize{6000, 4000}));
    QCOMPARE(size({}, 0.5), (PictureSize{3000, 2000}));
    QCOMPARE(size({}, 2), (PictureSize{12000, 8000}));
    QCOMPARE(size({9000, 9000}, 2), (PictureSize{9000, 6000}));
    QCOMPARE(size({}, 1e-4), (PictureSize{1, 1}));
    QCOMPARE((Resizing{{100, 100}, 0, {}}.of({100000, 3})), (PictureSize{100, 1}));
  }
};

QTEST_GUILESS_MAIN(TestResampling)
#include "test_resampling.moc"
