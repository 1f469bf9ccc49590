// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The preview's text about a pixel, its look under transparency and on dense screens, and key
// releases that go elsewhere.
#include <QLineEdit>
#include <QLocale>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>
#include <cmath>
#include <limits>

#include "answered.hpp"
#include "preview/pixel_text.hpp"
#include "preview/preview_renderer.hpp"
#include "preview/preview_view.hpp"
#include "support/pictures.hpp"

using namespace sfumato;
using namespace sfumato::gui;
using sfumato::testing::Image;
using sfumato::testing::one_step;

namespace {

PicturePtr flat(int w, int h, int channels, SampleType type, const std::vector<float>& pixel) {
  const AlphaKind alpha = channels == 4 ? AlphaKind::straight : AlphaKind::none;
  Image image({w, h, channels, type, alpha, Coding::srgb()});
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) {
      for (int c = 0; c < channels; ++c) image.set(x, y, c, pixel[static_cast<std::size_t>(c)]);
    }
  }
  auto picture = std::make_shared<OpenedPicture>();
  picture->pixels = {image.format, image.bytes};
  return picture;
}

struct Shown {
  PreviewRenderer renderer;
  PreviewView view{renderer};
  QSignalSpy results{&view, &PreviewView::shown};

  explicit Shown(const PicturePtr& picture, QSize size = {200, 100}) {
    view.resize(size);
    view.show();
    view.set_picture(picture);
  }
  bool finished() { return sfumato::testing::answered(results, renderer); }
};

}  // namespace

class TestPreviewInput : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { QLocale::setDefault(QLocale::c()); }

  void pixels_are_reported_at_the_depth_of_the_picture_data() {
    QTest::addColumn<int>("type");
    QTest::addColumn<float>("value");
    QTest::addColumn<QString>("text");
    constexpr float inf = std::numeric_limits<float>::infinity();
    QTest::newRow("byte") << int(SampleType::u8) << 128 / 255.0f << "128";
    QTest::newRow("byte, over white") << int(SampleType::u8) << 1.5f << "255";
    QTest::newRow("word") << int(SampleType::u16) << 40000 / 65535.0f << "40000";
    QTest::newRow("half") << int(SampleType::f16) << 0.25f << "0.2500";
    QTest::newRow("float") << int(SampleType::f32) << 2.5f << "2.50000";
    QTest::newRow("no number") << int(SampleType::f32) << std::nanf("") << "NaN";
    QTest::newRow("infinite") << int(SampleType::f32) << inf << "∞";
    QTest::newRow("infinite, below") << int(SampleType::f32) << -inf << "−∞";
  }
  void pixels_are_reported_at_the_depth_of_the_picture() {
    QFETCH(const int, type);
    QFETCH(const float, value);
    QFETCH(const QString, text);
    HeldPicture values = blank_picture({2, 1, 1, SampleType::f32, AlphaKind::none, Coding::srgb()});
    reinterpret_cast<float*>(values.bytes.data())[1] = value;
    QCOMPARE(pixel_text(values, 1, 0, static_cast<SampleType>(type)), text);
  }

  void a_new_result_is_reported_under_a_mouse_that_rests() {
    Shown shown(flat(200, 100, 3, SampleType::u8, {0.2f, 0.4f, 0.6f}));
    QVERIFY(shown.finished());
    QSignalSpy hovered(&shown.view, &PreviewView::hovered);
    QTest::mouseMove(&shown.view, {50, 40});
    QTRY_VERIFY_WITH_TIMEOUT(!hovered.isEmpty(), 180000);
    QCOMPARE(hovered.last()[0].toString(), QStringLiteral("50, 40"));
    QCOMPARE(hovered.last()[2].toString(), QStringLiteral("51  102  153"));
    hovered.clear();
    shown.results.clear();
    shown.view.set_recipe(one_step("grayscale", Values()));
    QVERIFY(shown.finished());
    QVERIFY(!hovered.isEmpty());
    QCOMPARE(hovered.last()[1].toString(), QStringLiteral("51  102  153"));
    QVERIFY(hovered.last()[2].toString() != QStringLiteral("51  102  153"));
  }

  void keys_held_are_let_go_with_the_focus() {
    QWidget window;
    window.resize(300, 200);
    PreviewRenderer renderer;
    PreviewView view(renderer, &window);
    view.setGeometry(0, 30, 200, 100);
    QLineEdit other(&window);
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    view.set_picture(flat(200, 100, 3, SampleType::u8, {0.2f, 0.4f, 0.6f}));
    view.set_mode(PreviewMode::single);
    QSignalSpy results(&view, &PreviewView::shown);
    view.set_recipe(one_step("grayscale", Values()));
    QVERIFY(sfumato::testing::answered(results, renderer));
    const QImage after = view.grab({60, 5, 80, 60}).toImage();
    view.setFocus();
    QTest::keyPress(&view, Qt::Key_B);
    QVERIFY(view.grab({60, 5, 80, 60}).toImage() != after);
    other.setFocus();
    QCOMPARE(view.grab({60, 5, 80, 60}).toImage(), after);
    view.setFocus();
    QTest::keyPress(&view, Qt::Key_Space);
    QCOMPARE(view.cursor().shape(), Qt::OpenHandCursor);
    other.setFocus();
    QCOMPARE(view.cursor().shape(), Qt::ArrowCursor);
  }

  void the_checkerboard_goes_on_behind_the_divider() {
    // Half transparent and smaller than the view, so that nothing begins at round numbers.
    Shown shown(flat(183, 91, 4, SampleType::u8, {1, 0, 0, 0.25f}));
    QVERIFY(shown.finished());
    shown.view.set_mode(PreviewMode::single);
    QTRY_VERIFY_WITH_TIMEOUT(!shown.renderer.is_busy(), 180000);
    const QImage whole = shown.view.grab().toImage();
    QVERIFY(whole.pixel(40, 20) != whole.pixel(45, 20));  // there are squares
    QCOMPARE(whole.pixel(40, 20), whole.pixel(50, 20));
    shown.view.set_mode(PreviewMode::split);
    for (const int steps : {0, 1, 2}) {
      for (int i = 0; i < steps; ++i) {
        QTest::keyClick(&shown.view, Qt::Key_Left, Qt::ShiftModifier);
      }
      QTRY_VERIFY_WITH_TIMEOUT(!shown.renderer.is_busy(), 180000);
      const QImage split = shown.view.grab().toImage();
      for (int x = 12; x < 188; ++x) {
        if (std::abs(x - shown.view.divider() * 200) < 10) continue;
        for (const int y : {36, 40, 46}) QCOMPARE(split.pixel(x, y), whole.pixel(x, y));
      }
    }
  }

  void a_dense_screen_shows_every_pixel() {
    // One column white, one black: only the true size preserves them.
    auto picture = std::make_shared<OpenedPicture>();
    Image image({300, 200, 3, SampleType::u8, AlphaKind::none, Coding::srgb()});
    for (int y = 0; y < 200; ++y) {
      for (int x = 0; x < 300; ++x) {
        for (int c = 0; c < 3; ++c) image.set(x, y, c, x % 2 == 0 ? 1.0f : 0.0f);
      }
    }
    picture->pixels = {image.format, image.bytes};
    Shown shown(picture, {150, 100});
    shown.view.set_mode(PreviewMode::single);
    shown.view.zoom_full();
    QVERIFY(shown.finished());
    const double ratio = shown.view.devicePixelRatioF();
    const QImage grabbed = shown.view.grab().toImage();
    QCOMPARE(grabbed.size(), QSize(qRound(150 * ratio), qRound(100 * ratio)));
    QCOMPARE(shown.view.zoom(), 1.0);
    const QRectF seen = shown.view.visible();
    QVERIFY(std::abs(seen.width() - std::min(300.0, 150 * ratio)) < 1e-6);
    const int y = grabbed.height() / 2;
    const auto middle = grabbed.width() / 2;
    for (int x = middle - 20; x < middle + 20; ++x) {
      const int here = qRed(grabbed.pixel(x, y)), next = qRed(grabbed.pixel(x + 1, y));
      QVERIFY2(std::abs(here - next) == 255, qPrintable(QStringLiteral("%1: %2").arg(x).arg(here)));
    }
  }
};

QTEST_MAIN(TestPreviewInput)
#include "test_preview_input.moc"
