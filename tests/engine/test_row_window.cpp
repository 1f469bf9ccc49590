// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The window over rows that are read once: what it delivers, keeps, reads again, and does not copy.
#include <QTest>
#include <algorithm>
#include <random>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "engine/pixels.hpp"

using namespace sfumato;

namespace {

constexpr int width = 7, height = 200, chunk_rows = 16;
const PictureFormat format{width, height, 1, SampleType::u8, AlphaKind::none, Coding::srgb()};

int sample(int x, int y) {
  return (31 * y + x) % 251;
}

// A window over a picture of such samples, and what it has read.
struct Reading {
  std::vector<int> starts;
  const void* first_place = nullptr;
  bool fails = false;
  RowWindow window{format,
                   [this](int y0, int y1, void* to, std::ptrdiff_t row_stride) {
                     if (fails) throw std::runtime_error("made to fail");
                     starts.push_back(y0);
                     if (first_place == nullptr) first_place = to;
                     for (int y = y0; y < y1; ++y) {
                       for (int x = 0; x < width; ++x) {
                         static_cast<unsigned char*>(to)[(y - y0) * row_stride + x] =
                             static_cast<unsigned char>(sample(x, y));
                       }
                     }
                   },
                   chunk_rows};
  std::vector<unsigned char> rows;

  /// Whether the region's samples are right, and nothing beside them was written.
  bool read(const Rect& region, int gap = 0) {
    const int stride = region.width() + gap;
    rows.assign(static_cast<std::size_t>(stride * region.height() + 1), 255);
    window.read(region, rows.data(), stride);
    for (int y = region.y0; y < region.y1; ++y) {
      for (int x = 0; x < stride; ++x) {
        const int want = x < region.width() ? sample(region.x0 + x, y) : 255;
        if (rows[static_cast<std::size_t>((y - region.y0) * stride + x)] != want) return false;
      }
    }
    return rows.back() == 255;
  }
  bool read_rows(int y0, int y1) { return read({0, y0, width, y1}); }
};

}  // namespace

class TestRowWindow : public QObject {
  Q_OBJECT

 private slots:
  void rows_are_kept_and_read_once() {
    Reading reading;
    QVERIFY(reading.read_rows(0, 40) && reading.read_rows(10, 60) && reading.read_rows(10, 64));
    QVERIFY((reading.starts == std::vector<int>{0, 16, 32, 48}));
  }

  void rows_above_the_next_region_go_where_they_are_requested() {
    Reading reading;
    reading.window.expect({0, 40, width, 128});
    QVERIFY(reading.read_rows(0, 60));
    QCOMPARE(reading.first_place, reading.rows.data());
    // Some of the next rows are read meanwhile, each once; the others come behind them.
    reading.window.expect({});
    QVERIFY(reading.read_rows(40, 128));
    QVERIFY((reading.starts == std::vector<int>{0, 16, 32, 48, 64, 80, 96, 112}));
  }

  // As for the replacement of a device that failed.
  void rows_that_were_not_kept_are_read_again() {
    Reading reading;
    reading.window.expect({0, 64, width, 65});
    QVERIFY(reading.read_rows(0, 80));
    reading.starts.clear();
    QVERIFY(reading.read_rows(20, 80));
    QVERIFY((reading.starts == std::vector<int>{16, 32, 48, 64}));
    // What was said holds for one read.
    QVERIFY(reading.read_rows(20, 80) && reading.starts.size() == 4);
  }

  void all_rows_are_kept_if_they_must_be() {
    Reading reading;
    reading.window.keep_all();
    reading.window.expect({0, 64, width, 65});
    QVERIFY(reading.read_rows(0, 80) && reading.read_rows(3, 9) && reading.read_rows(70, 77));
    QCOMPARE(reading.starts.size(), 5u);
  }

  // What fails ahead is thrown where the rows are requested, and they can be read later.
  void a_failure_ahead_is_told_to_who_reads_next() {
    Reading reading;
    QVERIFY(reading.read_rows(0, 16));
    reading.window.expect({0, 16, width, 64});
    reading.fails = true;
    QVERIFY(reading.read_rows(0, 16));
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, reading.read_rows(16, 32));
    reading.fails = false;
    QVERIFY(reading.read_rows(16, 64));
    QVERIFY((reading.starts == std::vector<int>{0, 16, 32, 48}));
  }

  void bands_are_written_behind_in_order() {
    constexpr int wide = 1 << 17, rows_of_band = 20;
    // A sink that fails from a row on.
    struct Written final : PixelSink {
      PictureFormat wide_format{wide, height, 1, SampleType::u8, AlphaKind::none, Coding::srgb()};
      std::vector<int> rows;
      std::set<std::thread::id> threads;
      int last = height;
      const PictureFormat& format() const override { return wide_format; }
      void write(const HostView& pixels) override {
        threads.insert(std::this_thread::get_id());
        for (int y = pixels.region.y0; y < pixels.region.y1; ++y) {
          if (y >= last) throw std::runtime_error("made to fail");
          rows.push_back(*static_cast<const unsigned char*>(pixels.row(y)));
        }
      }
    };
    const auto write = [](PixelSink& to) {
      WriteBehind behind(to, 7);
      constexpr int stride = wide + 3;
      for (int y = 0; y < height; y += rows_of_band) {
        // Memory that is used again, as a tile's is.
        std::vector<unsigned char> band(std::size_t{rows_of_band} * stride);
        for (int row = 0; row < rows_of_band; ++row) {
          band[static_cast<std::size_t>(row) * stride] = static_cast<unsigned char>(y + row);
        }
        behind.write({band.data(), stride, {0, y, wide, y + rows_of_band}});
        std::fill(band.begin(), band.end(), 255);
      }
      behind.finish();
    };
    Written whole;
    write(whole);
    QCOMPARE(whole.rows.size(), static_cast<std::size_t>(height));
    for (int y = 0; y < height; ++y) QCOMPARE(whole.rows[static_cast<std::size_t>(y)], y);
    QVERIFY(whole.threads.size() > 1 && whole.threads.contains(std::this_thread::get_id()));
    for (const int last : {5, 50, 190}) {
      Written part;
      part.last = last;
      QVERIFY_THROWS_EXCEPTION(std::runtime_error, write(part));
      QCOMPARE(part.rows.size(), static_cast<std::size_t>(last));
    }
  }

  void any_regions_in_any_order() {
    std::mt19937 random(3);
    const auto below = [&](int end) {
      return static_cast<int>(random() % static_cast<unsigned>(end));
    };
    for (int turn = 0; turn < 300; ++turn) {
      Reading reading;
      for (int i = 0; i < 8; ++i) {
        const int x0 = below(2) * below(width), y0 = below(height);
        const Rect region{x0, y0, below(2) != 0 ? width : x0 + 1 + below(width - x0),
                          y0 + 1 + below(height - y0)};
        const int next = below(height);
        if (below(3) != 0) reading.window.expect({0, next, width, next + below(height - next)});
        QVERIFY(reading.read(region, below(2) * below(5)));
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestRowWindow)
#include "test_row_window.moc"
