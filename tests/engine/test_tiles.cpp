// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// How a picture is cut into tiles: within the memory, without gaps, and small ones where a file is
// read and written meanwhile.
#include <QTest>

#include "support/devices.hpp"
#include "support/engine.hpp"
#include "support/pictures.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

Target processor() {
  Target target;
  target.form = Form::cpu;
  target.local_memory = 1 << 20;
  return target;
}

Plan blur(const std::string& sigma, const PictureFormat& format) {
  return make_plan(one_step("gaussian", {{"sigma", sigma}, {"method", "separable"}}), format,
                   format, processor());
}

std::vector<Rect> streamed(const Plan& plan, const Rect& region, double limit = 4e9) {
  return make_tiles(plan, region, limit, 0, 0, true);
}

int halo(const Plan& plan) {
  int rows = 0;
  for (const PlannedStep& step : plan.steps) rows += step.needs.halo_y;
  return rows;
}

// Whether tiles cover a region from its upper left corner on, row by row, each place once.
bool cover(const std::vector<Rect>& tiles, const Rect& region) {
  int x = region.x0, y = region.y0;
  for (const Rect& tile : tiles) {
    if (tile.empty() || tile.x0 != x || tile.y0 != y) return false;
    x = tile.x1;
    if (x == region.x1) {
      x = region.x0;
      y = tile.y1;
    }
  }
  return x == region.x0 && y == region.y1;
}

}  // namespace

class TestTiles : public QObject {
  Q_OBJECT

 private slots:
  void tiles_fit_the_memory_they_are_given() {
    const PictureFormat format = rgb8(6000, 4000);
    for (const char* sigma : {"1", "20", "64", "300"}) {
      const Plan plan = blur(sigma, format);
      for (const double limit : {64e6, 160e6, 1e9}) {
        std::vector<Rect> tiles;
        try {
          tiles = make_tiles(plan, format.rect(), limit, 0);
        } catch (const DeviceError& e) {
          QVERIFY(e.memory() && std::string(sigma) == "300");
          continue;
        }
        for (const Rect& t : tiles) QVERIFY(plan.tile_bytes(t.width(), t.height()) <= limit);
        QVERIFY(cover(tiles, format.rect()));
      }
    }
  }

  // Small tiles with large halos would load most pixels many times.
  void large_halos_get_more_memory() {
    const PictureFormat format = rgba(6000, 4000);
    constexpr double limit = 80e6, most = 4e9;
    const auto loads = [&](const Plan& plan, double given) {
      double pixels = 0;
      for (const Rect& tile : make_tiles(plan, format.rect(), given, 0)) {
        pixels += static_cast<double>(plan.windows(tile).front().area());
      }
      return pixels / static_cast<double>(format.rect().area());
    };
    for (const char* sigma : {"2", "8", "20"}) {
      QCOMPARE(limit_beside_halos(blur(sigma, format), format.rect(), limit, most), limit);
    }
    for (const char* sigma : {"64", "150", "300", "1000"}) {
      const Plan plan = blur(sigma, format);
      const double given = limit_beside_halos(plan, format.rect(), limit, most);
      QVERIFY(given > limit && given <= most);
      QVERIFY(loads(plan, given) <= 3);
      // No more than that takes.
      bool half_is_enough = false;
      try {
        half_is_enough = loads(plan, given / 2) <= 2;  // at borders there is less to load
      } catch (const DeviceError& nothing_fits) {
        QVERIFY(nothing_fits.memory());
      }
      QVERIFY(!half_is_enough);
      const double little = limit_beside_halos(plan, format.rect(), limit, 100e6);
      QVERIFY(little >= limit && little <= 100e6);
    }
    // A region that is one tile anyway, and what cannot be cut.
    const Plan wide = blur("64", format);
    QCOMPARE(limit_beside_halos(wide, {0, 0, 64, 64}, limit, most), limit);
    QCOMPARE(limit_beside_halos(wide, Rect{}, limit, most), limit);
    const Plan whole = make_plan(one_step("spectrum", Values{}), format, format, processor());
    QCOMPARE(limit_beside_halos(whole, format.rect(), limit, most), limit);
  }

  // Not where someone has said what tiles may take.
  void limits_that_were_asked_for_hold() {
    Image input = scene(rgba(2400, 1600));
    const Recipe recipe = one_step("gaussian", {{"sigma", "150"}});
    SessionOptions small = one_device();
    small.preferred_tile = std::size_t{24} << 20;
    Session free(one_device()), limited(small);
    Image first(input.format), second(input.format);
    const auto tiles_of = [&](Session& session, Image& output) {
      MemorySource source(input.format, input.view());
      MemorySink sink(output.format, output.view());
      return session.render(recipe, source, sink, {}).tiles;
    };
    const int few = tiles_of(free, first), many = tiles_of(limited, second);
    QVERIFY2(few <= 4 && many > 4 * few, qPrintable(QStringLiteral("%1, %2").arg(few).arg(many)));
    QVERIFY(first.bytes == second.bytes);
  }

  // While one is computed, the next is read and the last is written.
  void streamed_tiles_are_of_some_mebibytes() {
    for (const PictureFormat& format : {rgb8(6000, 4000), rgba(6000, 4000), rgb8(60'000, 400)}) {
      const Plan plan = blur("2", format);
      QCOMPARE(make_tiles(plan, format.rect(), 4e9, 0).size(), std::size_t{1});
      const std::vector<Rect> tiles = streamed(plan, format.rect());
      QVERIFY(tiles.size() > 1 && cover(tiles, format.rect()));
      for (const Rect& tile : tiles) {
        QCOMPARE(tile.width(), format.width);
        const std::size_t bytes = static_cast<std::size_t>(tile.area()) * format.pixel_bytes();
        // 12 MiB, but at least 32 halos and a vector's rows.
        QVERIFY(bytes <= std::size_t{13} << 20 || tile.height() <= 32 * halo(plan) + 16);
      }
    }
  }

  void streamed_tiles_are_large_beside_their_halos() {
    const PictureFormat format = rgb8(6000, 40'000);
    for (const char* sigma : {"2", "8", "30"}) {
      const Plan plan = blur(sigma, format);
      const std::vector<Rect> tiles = streamed(plan, format.rect());
      QVERIFY(tiles.size() > 1 && cover(tiles, format.rect()));
      // The bands are of equal height, so that they are less than the most by a part of a band.
      QVERIFY(tiles.front().height() >= 16 * halo(plan));
    }
  }

  void streamed_tiles_keep_to_the_memory() {
    const PictureFormat format = rgb8(6000, 4000);
    const Plan plan = blur("64", format);
    constexpr double limit = 160e6;
    const std::vector<Rect> tiles = streamed(plan, format.rect(), limit);
    QVERIFY(cover(tiles, format.rect()));
    for (const Rect& t : tiles) QVERIFY(plan.tile_bytes(t.width(), t.height()) <= limit);
  }

  void streamed_tiles_of_small_and_of_whole_pictures() {
    const PictureFormat small = rgb8(200, 200), one = rgb8(1, 1);
    QCOMPARE(streamed(blur("2", small), small.rect()).size(), std::size_t{1});
    QCOMPARE(streamed(blur("2", one), one.rect()), std::vector<Rect>{one.rect()});
    QVERIFY(streamed(blur("2", small), Rect{}).empty());
    const PictureFormat large = rgba(4000, 3000);
    const Plan whole = make_plan(one_step("spectrum", Values{}), large, large, processor());
    QVERIFY(whole.whole);
    QCOMPARE(streamed(whole, large.rect()), std::vector<Rect>{large.rect()});
  }
};

QTEST_GUILESS_MAIN(TestTiles)
#include "test_tiles.moc"
