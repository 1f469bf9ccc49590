// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A Gaussian wider than a repeating picture equals one as wide as its period.
#include <QtTest>

#include "filters/shared/gaussian/step.hpp"

using namespace sfumato;

class TestGaussianStep : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void sigma_is_cut_where_the_border_repeats_the_picture_data() {
    QTest::addColumn<Border>("border");
    QTest::addColumn<double>("sigma");
    QTest::addColumn<double>("expected");
    QTest::newRow("wrap: its longer side") << Border::wrap << 1000.0 << 30.0;
    QTest::newRow("wrap, narrow") << Border::wrap << 29.0 << 29.0;
    QTest::newRow("mirror: twice that") << Border::mirror << 1000.0 << 60.0;
    QTest::newRow("mirror, narrow") << Border::mirror << 59.0 << 59.0;
    QTest::newRow("clamp: never") << Border::clamp << 1000.0 << 1000.0;
    QTest::newRow("zero: never") << Border::zero << 1000.0 << 1000.0;
    QTest::newRow("renormalise: never") << Border::renormalise << 1000.0 << 1000.0;
  }

  void sigma_is_cut_where_the_border_repeats_the_picture() {
    QFETCH(Border, border);
    QFETCH(double, sigma);
    Picture picture;
    picture.width = 20;
    picture.height = 30;
    QTEST(sigma_within(sigma, border, picture), "expected");
  }
};

QTEST_GUILESS_MAIN(TestGaussianStep)
#include "test_gaussian_step.moc"
