// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Combinations of what a comparison varies, and their places in the grid.
#include <QTest>

#include "compare/variants.hpp"

using namespace sfumato;

namespace {

Axis axis(const std::string& name, int count, bool numbers, bool has_base = false) {
  Axis out{name, {}, has_base};
  for (int i = 0; i < count; ++i) {
    const std::string title = name + " " + std::to_string(i);
    out.settings.push_back({title, [name, i](Variant& v) { v.device += name + std::to_string(i); },
                            numbers ? std::optional<double>(i) : std::nullopt});
  }
  return out;
}

}  // namespace

class TestVariants : public QObject {
  Q_OBJECT

 private slots:
  void one_axis_is_a_row() {
    const Grid grid = all_variants({}, {axis("sigma", 3, true)});
    QCOMPARE(grid.variants.size(), 3u);
    QVERIFY(grid.rows.empty());
    QCOMPARE(grid.columns, (std::vector<std::string>{"sigma 0", "sigma 1", "sigma 2"}));
    QCOMPARE(grid.number_name, "sigma");
    for (std::size_t i = 0; i < 3; ++i) {
      const Variant& v = grid.variants[i];
      QCOMPARE(v.title, "sigma " + std::to_string(i));
      QCOMPARE(v.device, "sigma" + std::to_string(i));
      QCOMPARE(v.column, i);
      QCOMPARE(v.row, 0u);
      QCOMPARE(v.series, "");
      QCOMPARE(v.number.value_or(-1), static_cast<double>(i));
      QVERIFY(!v.base);
    }
  }

  void two_axes_are_a_grid_with_a_base_in_each_row() {
    const Grid grid = all_variants({}, {axis("method", 2, false, true), axis("sigma", 3, true)});
    QCOMPARE(grid.variants.size(), 6u);
    QCOMPARE(grid.columns, (std::vector<std::string>{"method 0", "method 1"}));
    QCOMPARE(grid.rows, (std::vector<std::string>{"sigma 0", "sigma 1", "sigma 2"}));
    for (std::size_t i = 0; i < 6; ++i) {
      const Variant& v = grid.variants[i];
      QCOMPARE(v.column, i % 2);
      QCOMPARE(v.row, i / 2);
      QCOMPARE(v.series, "method " + std::to_string(i % 2));
      QCOMPARE(v.number.value_or(-1), static_cast<double>(i / 2));
      QCOMPARE(v.base.has_value(), i % 2 == 1);
      if (v.base) QCOMPARE(*v.base, i - 1);
    }
    QCOMPARE(grid.variants[5].title, "method 1, sigma 2");
  }

  // Settings of an axis with one setting are applied, but not named.
  void what_does_not_vary_has_no_place() {
    const Grid grid = all_variants({}, {axis("device", 1, false), axis("sigma", 2, true)});
    QCOMPARE(grid.columns, (std::vector<std::string>{"sigma 0", "sigma 1"}));
    QVERIFY(grid.rows.empty());
    QCOMPARE(grid.variants[1].title, "sigma 1");
    QVERIFY(QString::fromStdString(grid.variants[1].device).contains("device0"));
  }

  void three_axes_have_rows_of_pairs() {
    const Grid grid =
        all_variants({}, {axis("a", 2, false), axis("b", 2, false), axis("c", 2, false)});
    QCOMPARE(grid.rows, (std::vector<std::string>{"b 0, c 0", "b 1, c 0", "b 0, c 1", "b 1, c 1"}));
    QVERIFY(grid.number_name.empty());
  }

  void nothing_varied_is_one_picture() {
    Variant common;
    common.title = "sepia";
    const Grid grid = all_variants(common, {});
    QCOMPARE(grid.variants.size(), 1u);
    QCOMPARE(grid.columns, (std::vector<std::string>{"sepia"}));
  }

  void the_number_of_variants_is_known_before_they_are_made() {
    QCOMPARE(count_variants({axis("a", 100, true), axis("b", 100, true)}), 10000u);
    QCOMPARE(count_variants({}), 1u);
    // Beyond what can be counted it stays large.
    const std::vector<Axis> many(40, axis("a", 100, true));
    QVERIFY(count_variants(many) > most_variants);
  }
};

QTEST_GUILESS_MAIN(TestVariants)
#include "test_variants.moc"
