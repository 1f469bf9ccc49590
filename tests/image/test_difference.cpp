// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Comparing pictures: cases that must not count as equal.
#include <QTest>

#include "support/pictures.hpp"

using namespace sfumato;
using namespace sfumato::testing;

class TestDifference : public QObject {
  Q_OBJECT

  const PictureFormat format_{7, 5, 4, SampleType::f32, AlphaKind::straight, Coding::linear()};

 private slots:
  void equal_pictures_are_equal() {
    Image a = scene(format_), b = scene(format_);
    const Difference d = difference_between(a.view(), b.view(), format_);
    QCOMPARE(d.largest, 0.0);
    QVERIFY(std::isinf(d.psnr()) && d.psnr() > 0);
  }

  void one_sample_is_found() {
    Image a = scene(format_), b = scene(format_);
    b.set(4, 3, 2, a.get(4, 3, 2) + 0.5f);
    b.set(6, 4, 3, a.get(6, 4, 3) - 0.25f);
    const Difference d = difference_between(a.view(), b.view(), format_);
    QVERIFY(std::abs(d.largest - 0.5) < 1e-6);
    QCOMPARE(d.x, 4);
    QCOMPARE(d.y, 3);
    const double mean_square = (0.25 + 0.0625) / (7 * 5 * 4);
    QVERIFY(std::abs(d.psnr() - 10 * std::log10(1 / mean_square)) < 1e-4);
    QVERIFY(std::abs(d.psnr(10) - d.psnr() - 20) < 1e-9);
  }

  void codes_count_as_fractions() {
    PictureFormat format = format_;
    format.type = SampleType::u8;
    Image a(format), b(format);
    b.set(0, 0, 0, 1.0f / 255);
    QVERIFY(std::abs(difference_between(a.view(), b.view(), format).largest - 1.0 / 255) < 1e-9);
  }

  void what_is_not_a_number_differs() {
    Image a = scene(format_), b = scene(format_);
    b.set(1, 1, 1, NAN);
    Difference d = difference_between(a.view(), b.view(), format_);
    QVERIFY(std::isinf(d.largest) && d.psnr() < 0);
    QCOMPARE(d.incomparable, 1);
    d = difference_between(b.view(), a.view(), format_);
    QVERIFY(std::isinf(d.largest));
    b.set(1, 1, 1, INFINITY);
    QVERIFY(std::isinf(difference_between(a.view(), b.view(), format_).largest));
    d = difference_between(b.view(), b.view(), format_);
    QCOMPARE(d.largest, 0.0);
    QCOMPARE(d.incomparable, 0);
  }

  void sizes_must_be_equal() {
    PictureFormat narrow = format_;
    narrow.width = 6;
    Image a(format_), b(narrow);
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument,
                             difference_between(a.view(), b.view(), format_));
  }

  void upward_rows_are_followed() {
    Image a = scene(format_), b(format_);
    HostView up = b.view();
    up.data = up.row(format_.height - 1);
    up.row_stride = -up.row_stride;
    for (int y = 0; y < format_.height; ++y) {
      std::memcpy(up.row(y), a.view().row(y), static_cast<std::size_t>(a.view().row_stride));
    }
    QCOMPARE(difference_between(a.view(), up, format_).largest, 0.0);
    QVERIFY(difference_between(a.view(), b.view(), format_).largest > 0);
  }
};

QTEST_GUILESS_MAIN(TestDifference)
#include "test_difference.moc"
