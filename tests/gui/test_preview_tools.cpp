// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The tools beside the preview: navigator, histogram, spectrum and exposure. Expected values are
// counted and computed by hand.
#include <QApplication>
#include <QContextMenuEvent>
#include <QCoreApplication>
#include <QLabel>
#include <QMenu>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QSlider>
#include <QTest>
#include <QWheelEvent>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "painted.hpp"
#include "preview/display.hpp"
#include "preview/exposure_slider.hpp"
#include "preview/histogram_view.hpp"
#include "preview/navigator.hpp"
#include "preview/preview_view.hpp"
#include "preview/spectrum_view.hpp"
#include "preview/tone.hpp"

using namespace sfumato;
using namespace sfumato::gui;
using sfumato::testing::floats;
using sfumato::testing::held;
using sfumato::testing::Image;
using sfumato::testing::one_step;
using sfumato::testing::painted;
using sfumato::testing::rgb8;

namespace {

constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();

// Red in the upper left quarter as stored, blue elsewhere.
double red_corner(int x, int y, int c, int w, int h) {
  const bool red = x < w / 2 && y < h / 2;
  return c == (red ? 0 : 2) ? 1 : 0;
}

// A view of 200 x 150 on a picture of 1600 x 1200, at 1:1 in its centre.
struct Viewed {
  PreviewRenderer renderer;
  PreviewView view{renderer};
  Navigator navigator{view};

  explicit Viewed(int orientation = 1) {
    view.resize(200, 150);
    navigator.resize(220, 160);
    navigator.show();
    view.set_picture(painted(
        rgb8(1600, 1200), [](int x, int y, int c) { return red_corner(x, y, c, 1600, 1200); },
        orientation));
    view.zoom_full();
  }
};

bool is_red(const QColor& color) {
  return color.red() > 2 * color.blue() && color.red() > 60;
}
bool is_blue(const QColor& color) {
  return color.blue() > 2 * color.red() && color.blue() > 60;
}

}  // namespace

class TestPreviewTools : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void a_gradient_counts_once_in_every_bin() {
    std::vector<float> values;
    for (int i = 0; i < 256; ++i) values.push_back(static_cast<float>(i) / 255.0f);
    const Histogram gray = histogram_of(held(floats(256, 1, 1), values));
    QCOMPARE(gray.channels, 1);
    QCOMPARE(gray.pixels, 256u);
    for (std::size_t i = 0; i < 256; ++i) {
      QCOMPARE(gray.channel[0][i], 1u);
      QCOMPARE(gray.luminance[i], 1u);
    }
    QCOMPARE(gray.below[0] + gray.above[0] + gray.no_number[0], 0u);
  }

  void clipping_and_no_numbers_are_counted_by_channel() {
    const float inf = std::numeric_limits<float>::infinity();
    const Histogram h = histogram_of(held(floats(5, 1, 3), {-0.1f, 0.5f, 1.5f,      //
                                                            1.0f, 0.0f, 2.0f,       //
                                                            nan_value, 0.2f, 0.2f,  //
                                                            inf, -inf, 1.0001f,     //
                                                            0.2f, 0.2f, nan_value}));
    QCOMPARE(h.channels, 3);
    QCOMPARE(h.pixels, 5u);
    QCOMPARE(h.below, (std::array<std::uint32_t, 3>{1, 1, 0}));
    QCOMPARE(h.above, (std::array<std::uint32_t, 3>{1, 0, 3}));
    QCOMPARE(h.no_number, (std::array<std::uint32_t, 3>{1, 0, 1}));
    QCOMPARE(h.channel[0][0], 1u);
    QCOMPARE(h.channel[0][255], 2u);
    QCOMPARE(h.channel[0][51], 1u);
    QCOMPARE(h.channel[2][255], 3u);
    std::uint32_t luminances = 0;
    for (const std::uint32_t n : h.luminance) luminances += n;
    QCOMPARE(luminances, 3u);
    QCOMPARE(h.luminance[255], 0u);
    // By Rec. 709, 0.4298 and twice 0.2848 of 256 bins.
    QCOMPARE(h.luminance[110], 1u);
    QCOMPARE(h.luminance[72], 2u);
  }

  void light_is_counted_on_the_srgb_curve_and_by_exposure() {
    const HeldPicture light = held(floats(3, 1, 1, Coding::linear()), {0.5f, 1.0f, 0.25f});
    const Histogram plain = histogram_of(light);
    QCOMPARE(plain.channel[0][188], 1u);  // 187.5 of 255
    QCOMPARE(plain.channel[0][255], 1u);
    QCOMPARE(plain.above[0], 0u);
    const Histogram brighter = histogram_of(light, 1);
    QCOMPARE(brighter.channel[0][188], 1u);
    QCOMPARE(brighter.above[0], 1u);  // 2; 1 is not
    // sRGB 188 is light 0.503: a stop below, 0.2515 is sRGB 137.4.
    const Histogram darker = histogram_of(held(floats(1, 1, 1), {188 / 255.0f}), -1);
    QCOMPARE(darker.channel[0][137], 1u);
  }

  void clear_pixels_do_not_count_and_premultiplied_ones_count_as_they_look() {
    PictureFormat format = floats(3, 1, 4);
    format.alpha = AlphaKind::premultiplied;
    const Histogram h = histogram_of(held(format, {0.25f, 0.1f, 0.0f, 0.5f,  //
                                                   nan_value, -1, 9, 0,      //
                                                   0.6f, 0.0f, 0.0f, 0.5f}));
    QCOMPARE(h.pixels, 2u);
    QCOMPARE(h.channel[0][127] + h.channel[0][128], 1u);
    QCOMPARE(h.channel[1][51], 1u);
    QCOMPARE(h.above, (std::array<std::uint32_t, 3>{1, 0, 0}));
    QCOMPARE(h.below[1] + h.no_number[0], 0u);
  }

  void tone_curves_are_those_of_the_core() {
    for (const auto& [from, exposure] :
         {std::pair(Coding::linear(), 0.0), std::pair(Coding::srgb(), 1.5),
          std::pair(Coding::power(2.2f), -2.0), std::pair(Coding::linear(), 6.0)}) {
      const Tone tone(from, Coding::srgb(), exposure);
      for (int i = -3; i < 3000; ++i) {
        const double v = i / 1000.0;
        const double light = decode(from, v) * std::exp2(exposure);
        const double want = 65535 * std::clamp(encode(Coding::srgb(), light), 0.0, 1.0);
        QVERIFY(std::abs(tone(static_cast<float>(v)) - want) < 2);
      }
    }
    QCOMPARE(Tone(Coding::linear(), Coding::srgb(), 0)(nan_value), quint16(0));
  }

  void the_histogram_has_two_scales() {
    Histogram h;
    h.channels = 1;
    for (std::size_t i = 60; i < 100; ++i) h.channel[0][i] = 1000;
    for (std::size_t i = 160; i < 200; ++i) h.channel[0][i] = 10;
    HistogramView view;
    view.resize(258, 105);
    view.set_histograms({}, h);
    // The height of the filled part in the column of a bin.
    const auto height = [&](int bin) {
      const QImage image = view.grab().toImage();
      const QColor ground = image.pixelColor(1 + 20, 50);
      int n = 0;
      for (int y = 5; y < 103; ++y) n += image.pixelColor(1 + bin, y) != ground ? 1 : 0;
      return n;
    };
    QVERIFY(height(80) > 95);
    QVERIFY(height(180) < 4);
    QSignalSpy changed(&view, &HistogramView::logarithmic_changed);
    QContextMenuEvent asked(QContextMenuEvent::Mouse, {50, 50}, view.mapToGlobal(QPoint(50, 50)));
    QCoreApplication::sendEvent(&view, &asked);
    auto* menu = view.findChild<QMenu*>();
    QVERIFY(menu != nullptr);
    QVERIFY(menu->actions()[0]->isChecked());
    menu->actions()[1]->trigger();
    menu->close();
    QVERIFY(view.is_logarithmic());
    QCOMPARE(changed.size(), 1);
    // ln 11 / ln 1001 = 0.347 of 100 points.
    QVERIFY(height(80) > 95);
    QVERIFY(std::abs(height(180) - 34) <= 2);
  }

  void clipping_lights_a_corner_and_its_tooltip_says_how_much() {
    Histogram h;
    h.channels = 3;
    h.pixels = 1000;
    HistogramView view;
    view.resize(260, 140);
    view.set_histograms(h, h);
    const auto color = [&](const QRect& corner, bool left) {
      return view.grab().toImage().pixelColor(left ? corner.left() + 2 : corner.right() - 2,
                                              corner.top() + 2);
    };
    const QColor dark = color(view.highlights_corner(), false);
    QVERIFY(view.highlights_text().isEmpty());
    QVERIFY(view.accessibleDescription().isEmpty());
    h.above = {25, 0, 0};
    view.set_histograms(Histogram(), h);
    QVERIFY(view.highlights_text().contains(QStringLiteral("R 2.50 %")));
    QVERIFY(!view.highlights_text().contains(u'G'));
    QVERIFY(view.shadows_text().isEmpty());
    QVERIFY(color(view.highlights_corner(), false) != dark);
    QVERIFY(is_red(color(view.highlights_corner(), false)));
    QCOMPARE(color(view.shadows_corner(), true), dark);
    h.below = {0, 0, 400};
    h.no_number = {1, 1, 1};
    view.set_histograms(Histogram(), h);
    QVERIFY(is_blue(color(view.shadows_corner(), true)));
    QVERIFY(view.shadows_text().contains(QStringLiteral("B 40.0 %")));
    QVERIFY(view.faults_text().contains(QStringLiteral("R 0.10 %")));
    QVERIFY(view.accessibleDescription().contains(view.shadows_text()));
    view.clear();
    QVERIFY(view.shadows_text().isEmpty());
  }

  void the_navigator_moves_the_view() {
    Viewed viewed;
    PreviewView& view = viewed.view;
    // 220 x 160 less 6 on all sides holds 1600 x 1200 as 197.33 x 148.
    const QRectF place = viewed.navigator.picture_place();
    QVERIFY(std::abs(place.height() - 148) < 0.01);
    QVERIFY(std::abs(place.width() - 197.3333) < 0.01);
    const double scale = 148.0 / 1200;
    const QPoint at(60, 50);
    QTest::mouseClick(&viewed.navigator, Qt::LeftButton, {}, at);
    const QPointF want((60 - (220 - 197.3333) / 2) / scale, (50 - 6) / scale);
    QVERIFY(QLineF(view.visible().center(), want).length() < 0.5);
    QCOMPARE(view.zoom(), 1.0);
    QVERIFY(QLineF(viewed.navigator.frame().center(), at).length() < 0.1);
    QVERIFY(std::abs(viewed.navigator.frame().width() - 200 * scale) < 0.01);

    QTest::mousePress(&viewed.navigator, Qt::LeftButton, {}, at);
    QTest::mouseMove(&viewed.navigator, {80, 60});
    QTest::mouseRelease(&viewed.navigator, Qt::LeftButton, {}, {80, 60});
    const QPointF moved = want + QPointF(20, 10) / scale;
    QVERIFY(QLineF(view.visible().center(), moved).length() < 0.5);

    QTest::keyClick(&viewed.navigator, Qt::Key_Right);
    QTest::keyClick(&viewed.navigator, Qt::Key_Up);
    QVERIFY(QLineF(view.visible().center(), moved + QPointF(20, -15)).length() < 0.5);
    // Clicks beyond the edge count as on the edge.
    QTest::mouseClick(&viewed.navigator, Qt::LeftButton, {}, {1, 1});
    QCOMPARE(view.visible().topLeft(), QPointF(0, 0));
  }

  void the_navigator_leaves_a_picture_that_is_seen_whole() {
    Viewed viewed;
    viewed.view.fit();
    QTest::mouseClick(&viewed.navigator, Qt::LeftButton, {}, {60, 50});
    QTest::keyClick(&viewed.navigator, Qt::Key_Left);
    QVERIFY(viewed.view.fits());
    QVERIFY(!viewed.navigator.accessibleName().isEmpty());
  }

  void the_navigator_shows_the_picture_upright() {
    for (const int orientation : {1, 6, 8}) {
      Viewed viewed(orientation);
      viewed.view.fit();
      QTRY_VERIFY_WITH_TIMEOUT(viewed.navigator.has_image(), 180000);
      const QImage image = viewed.navigator.grab().toImage();
      const QRectF place = viewed.navigator.picture_place();
      QCOMPARE(place.width() > place.height(), orientation == 1);
      // The stored upper left corner is the upper right one for orientation 6 and the lower left
      // one for 8.
      const double u = orientation == 6 ? 0.75 : 0.25, v = orientation == 8 ? 0.75 : 0.25;
      for (const double x : {0.25, 0.75}) {
        for (const double y : {0.25, 0.75}) {
          const QPointF at = place.topLeft() + QPointF(x * place.width(), y * place.height());
          const QColor color = image.pixelColor(at.toPoint());
          QVERIFY(x == u && y == v ? is_red(color) : is_blue(color));
        }
      }
    }
  }

  void a_hidden_navigator_makes_no_image() {
    PreviewRenderer renderer;
    PreviewView view(renderer);
    Navigator navigator(view);
    navigator.resize(220, 160);
    view.set_picture(painted(rgb8(40, 30), [](int, int, int) { return 0.5; }));
    QTest::qWait(200);
    QVERIFY(!navigator.has_image());
    navigator.show();
    QTRY_VERIFY_WITH_TIMEOUT(navigator.has_image(), 180000);
    const QColor middle = navigator.grab().toImage().pixelColor(110, 80);
    QVERIFY(std::abs(middle.red() - 128) <= 1);
    view.set_picture(nullptr);
    QVERIFY(!navigator.has_image());
  }

  void exposure_is_reported_in_tenths_of_a_stop() {
    ExposureSlider slider;
    QSignalSpy changed(&slider, &ExposureSlider::changed);
    QCOMPARE(slider.text(), QStringLiteral("0.0 EV"));
    slider.set_value(1);
    QCOMPARE(slider.text(), QStringLiteral("+1.0 EV"));
    QCOMPARE(changed.last()[0].toDouble(), 1.0);
    auto* bar = slider.findChild<QSlider*>();
    QTest::keyClick(bar, Qt::Key_Right);
    QCOMPARE(changed.last()[0].toDouble(), 1.1);
    QTest::keyClick(bar, Qt::Key_Home);
    QCOMPARE(slider.value(), -6.0);
    QCOMPARE(slider.text(), QStringLiteral("\u22126.0 EV"));
    QCOMPARE(bar->accessibleDescription(), slider.text());
    QTest::keyClick(bar, Qt::Key_End);
    QCOMPARE(slider.value(), 6.0);
    QTest::mouseDClick(bar, Qt::LeftButton, {}, bar->rect().center());
    QCOMPARE(slider.value(), 0.0);
    QCOMPARE(changed.last()[0].toDouble(), 0.0);
    slider.set_value(3);
    QTest::mouseDClick(slider.findChild<QLabel*>(), Qt::LeftButton);
    QCOMPARE(slider.value(), 0.0);
  }

  void a_wave_is_two_points_of_the_spectrum() {
    PictureFormat format = floats(128, 96, 1);
    format.coding = Coding::srgb();
    const PicturePtr wave = painted(format, [](int x, int, int) {
      return 0.5 + 0.25 * std::cos(2 * std::numbers::pi * 10 * x / 128);
    });
    SpectrumView view;
    view.resize(420, 240);
    view.set_picture(wave);
    view.set_recipe(one_step("gaussian", {{"sigma", "8"}}));
    QTest::qWait(50);
    QVERIFY(!view.is_busy());
    QVERIFY(view.before().isNull());  // hidden yet
    view.show();
    QTRY_VERIFY_WITH_TIMEOUT(!view.after().isNull() && !view.is_busy(), 180000);
    const auto at = [](const QImage& image, int x, int y) { return qGray(image.pixel(x, y)); };
    QCOMPARE(view.before().size(), QSize(128, 96));
    // 1536 of 12288 samples on either side of the mean, nothing else.
    for (const int x : {54, 64, 74}) QVERIFY(at(view.before(), x, 48) > 180);
    for (const int x : {50, 59, 69, 100}) QVERIFY(at(view.before(), x, 48) < 10);
    QVERIFY(at(view.before(), 54, 40) < 10);
    QVERIFY(at(view.after(), 64, 48) > 180);
    QVERIFY(at(view.after(), 54, 48) < at(view.before(), 54, 48) - 60);
  }

  void the_wave_under_the_cursor_is_told_data() {
    QTest::addColumn<int>("orientation");
    QTest::addColumn<QString>("text");
    const std::array<int, 8> degrees = {117, 63, 117, 63, 153, 27, 153, 27};
    for (int i = 0; i < 8; ++i) {
      QTest::addRow("orientation %d", i + 1)
          << i + 1 << QStringLiteral("Wavelength 28.6 px at %1°").arg(degrees[std::size_t(i)]);
    }
  }
  // A crest every 64 pixels across and every 32 down as it is stored, in a picture that is halved;
  // the direction is that of the picture upright.
  void the_wave_under_the_cursor_is_told() {
    QFETCH(const int, orientation);
    QFETCH(const QString, text);
    PictureFormat format = floats(1024, 768, 1);
    format.coding = Coding::srgb();
    SpectrumView view;
    view.resize(1200, 640);
    view.set_picture(painted(
        format,
        [](int x, int y, int) {
          return 0.5 + 0.25 * std::cos(2 * std::numbers::pi * (x / 64.0 + y / 32.0));
        },
        orientation));
    view.show();
    QTRY_VERIFY_WITH_TIMEOUT(!view.after().isNull() && !view.is_busy(), 180000);
    const QImage seen = view.grab().toImage();
    int waves = 0, means = 0;
    for (int y = 0; y < view.height(); ++y) {
      for (int x = 0; x < view.width(); ++x) {
        if (qGray(seen.pixel(x, y)) < 120) continue;  // text and the frame's ground are outside
        const QString told = view.wave_at(QPointF(x + 0.5, y + 0.5));
        waves += told == text ? 1 : 0;
        means += told == QStringLiteral("Mean of the picture") ? 1 : 0;
      }
    }
    // In two spectra, two points of the wave and one of the mean each.
    QVERIFY2(waves >= 4 && means >= 2, qPrintable(QStringLiteral("%1, %2").arg(waves).arg(means)));
    QSignalSpy hovered(&view, &SpectrumView::hovered);
    const QPointF quarter(view.width() / 4.0, view.height() / 4.0);
    QMouseEvent move(QEvent::MouseMove, quarter, view.mapToGlobal(quarter), Qt::NoButton,
                     Qt::NoButton, Qt::NoModifier);
    QApplication::sendEvent(&view, &move);
    QCOMPARE(hovered.size(), 1);
    QVERIFY(hovered.last()[0].toString().contains(QStringLiteral("px at")));
  }

  void the_spectrum_of_the_newest_recipe_is_shown() {
    const PicturePtr picture = painted(rgb8(1200, 900), [](int x, int y, int c) {
      return 0.5 + 0.4 * std::sin(x * 0.3 + c) * std::cos(y * 0.2);
    });
    SpectrumView view, other;
    view.show();
    other.show();
    view.set_picture(picture);
    other.set_picture(picture);
    for (int i = 1; i <= 20; ++i) {
      view.set_recipe(one_step("gaussian", {{"sigma", std::to_string(i)}}));
    }
    QTRY_VERIFY_WITH_TIMEOUT(!view.after().isNull() && !view.is_busy(), 180000);
    QCOMPARE(view.before().size(), QSize(400, 300));
    other.set_recipe(one_step("gaussian", {{"sigma", "20"}}));
    QTRY_VERIFY_WITH_TIMEOUT(!other.after().isNull() && !other.is_busy(), 180000);
    QCOMPARE(view.after(), other.after());
    QVERIFY(view.after() != view.before());
    view.hide();
    view.set_recipe({});
    QTest::qWait(50);
    QVERIFY(!view.is_busy());
    view.show();
    QTRY_COMPARE_WITH_TIMEOUT(view.after(), view.before(), 180000);
  }
};

QTEST_MAIN(TestPreviewTools)
#include "test_preview_tools.moc"
