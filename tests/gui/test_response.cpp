// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Kernels and responses measured on the filters themselves, compared with closed forms; and their
// plot.
#include <QSignalSpy>
#include <QTest>
#include <QVBoxLayout>
#include <cmath>
#include <numbers>

#include "params/response.hpp"
#include "params/response_plot.hpp"
#include "support/pictures.hpp"

using namespace sfumato;
using namespace sfumato::gui;
using sfumato::testing::one_step;

namespace {

using Texts = std::vector<std::pair<std::string, std::string>>;

Step step_of(const std::string& filter, const Texts& texts = {}) {
  return one_step(filter, texts).steps.front();
}

bool near(double got, double want, double within) {
  if (std::abs(got - want) <= within) return true;
  qWarning("%g instead of %g", got, want);
  return false;
}

void show(ResponsePlot& plot, const Step& step) {
  plot.show_step(&step);
}

}  // namespace

class TestResponse : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void a_gaussian_is_the_closed_form() {
    const auto got = response_of(step_of("gaussian", {{"sigma", "2"}}));
    QVERIFY(got);
    QVERIFY(near(got->sum(), 1, 1e-5));
    QVERIFY(!got->vertical);
    for (int x = -got->reach(); x <= got->reach(); ++x) {
      const double want = std::exp(-x * x / 8.0) / std::sqrt(8 * std::numbers::pi);
      QVERIFY(near(got->at(x), want, 1e-4));
    }
    const auto last = got->magnitude.size() - 1;
    for (std::size_t i = 0; i <= last; ++i) {
      const double f = 0.5 * static_cast<double>(i) / static_cast<double>(last);
      const double w = 2 * std::numbers::pi * f * 2;
      QVERIFY(near(got->magnitude[i], std::exp(-w * w / 2), 1e-3));
    }
  }

  // Measured on a smaller picture, expressed in pixels of the real one.
  void wide_kernels_are_whole() {
    const auto got = response_of(step_of("gaussian", {{"sigma", "300"}}));
    QVERIFY(got);
    QVERIFY(near(got->sum(), 1, 1e-3));
    for (int i = -got->reach(); i <= got->reach(); ++i) {
      const double x = i * got->pixels / 300.0;
      QVERIFY(near(got->at(i) / got->at(0), std::exp(-x * x / 2), 1e-3));
    }
  }

  void a_box_has_its_radius() {
    const auto got = response_of(step_of("box", {{"radius", "5.5"}}));
    QVERIFY(got);
    QCOMPARE(got->reach(), 6);
    for (int x = -5; x <= 5; ++x) QVERIFY(near(got->at(x), 1 / 12.0, 1e-6));
    QVERIFY(near(got->at(6), 0.5 / 12, 1e-6) && near(got->at(-6), 0.5 / 12, 1e-6));
  }

  // A matrix is applied as drawn, so a line becomes its column sums from right to left.
  void a_matrix_gives_the_sums_of_its_columns() {
    const Texts texts{{"matrix", "1 2 0; 0 5 3; 1 0 -2"}, {"normalise", "false"}};
    const auto got = response_of(step_of("convolve", texts));
    QVERIFY(got);
    QCOMPARE(got->reach(), 1);
    QVERIFY(near(got->at(-1), 1, 1e-6));
    QVERIFY(near(got->at(0), 7, 1e-6));
    QVERIFY(near(got->at(1), 2, 1e-6));
    QVERIFY(near(got->magnitude.front(), 10, 1e-5));
  }

  void a_filter_of_horizontal_edges_is_measured_down_the_columns() {
    const Texts texts{{"matrix", "1 2 1; 0 0 0; -1 -2 -1"}, {"normalise", "false"}};
    const auto got = response_of(step_of("convolve", texts));
    QVERIFY(got);
    QVERIFY(got->vertical);
    QVERIFY(near(got->at(1), 4, 1e-6) && near(got->at(-1), -4, 1e-6));
  }

  void an_ideal_low_pass_cuts() {
    const auto got =
        response_of(step_of("frequency", {{"shape", "ideal"}, {"band", "low"}, {"cutoff", "0.5"}}));
    QVERIFY(got && got->endless);
    const auto last = got->magnitude.size() - 1;
    for (std::size_t i = 0; i <= last; ++i) {
      QVERIFY(near(got->magnitude[i], 2 * i <= last ? 1 : 0, 1e-4));
    }
  }

  void an_offset_is_taken_away() {
    const auto got = response_of(step_of("emboss", {{"angle", "0"}}));
    QVERIFY(got);
    QVERIFY(near(got->sum(), 0, 1e-5));
    QVERIFY(near(got->at(1), -got->at(-1), 1e-6));
    QVERIFY(std::abs(got->at(1)) > 0.5f);
  }

  void what_is_not_linear_has_none() {
    for (const char* filter : {"median", "bilateral", "canny", "morphology", "spectrum", "bloom",
                               "levels", "fft_convolve"}) {
      QVERIFY2(!response_of(step_of(filter)), filter);
    }
    QVERIFY(!response_of(step_of("unsharp_mask", {{"threshold", "0.1"}})));
    QVERIFY(response_of(step_of("unsharp_mask")));
    QVERIFY(!response_of(step_of("log", {{"show", "zero_crossings"}})));
    QVERIFY(response_of(step_of("log")));
  }

  void what_nobody_wants_is_cancelled() {
    QVERIFY_THROWS_EXCEPTION(Cancelled, response_of(step_of("gaussian"), [] { return false; }));
  }

  void the_plot_shows_the_newest_step_and_hides() {
    QWidget window;
    auto* layout = new QVBoxLayout(&window);
    auto* plot = new ResponsePlot;
    layout->addWidget(plot);
    window.show();
    QVERIFY(plot->isHidden());
    QSignalSpy measured(plot, &ResponsePlot::measured);
    for (const char* sigma : {"50", "20", "2"}) {
      show(*plot, step_of("gaussian", {{"sigma", sigma}}));
    }
    QTRY_VERIFY_WITH_TIMEOUT(plot->response(), 180000);
    QVERIFY(near(plot->response()->at(0), 0.19947, 1e-3));
    QVERIFY(plot->isVisible());
    QCOMPARE(plot->description(), QStringLiteral("Sums to 1, 19 px wide"));
    QCOMPARE(plot->accessibleDescription(), plot->description());

    show(*plot, step_of("unsharp_mask", {{"threshold", "0.1"}}));
    measured.clear();
    QVERIFY(measured.wait(180000));
    QVERIFY(!plot->response() && plot->isHidden());

    show(*plot, step_of("frequency"));
    QTRY_VERIFY_WITH_TIMEOUT(plot->isVisible(), 180000);
    QVERIFY(!plot->shows_kernel());
    QCOMPARE(plot->description(), QStringLiteral("Halves a period of 8 px"));
    show(*plot, step_of("median"));
    QVERIFY(plot->isHidden());
  }

  // For inspection: SFUMATO_GRABS names a folder for screenshots of the plots.
  void plots_are_drawn_in_light_and_dark() {
    QWidget window;
    auto* layout = new QVBoxLayout(&window);
    auto* plot = new ResponsePlot;
    layout->addWidget(plot);
    window.resize(340, 140);
    window.show();
    const std::vector<std::pair<std::string, Texts>> steps{{"gaussian", {{"sigma", "2"}}},
                                                           {"gaussian", {{"sigma", "30"}}},
                                                           {"gaussian", {{"sigma", "800"}}},
                                                           {"unsharp_mask", {{"sigma", "3"}}},
                                                           {"emboss", {}},
                                                           {"box", {{"radius", "5.5"}}},
                                                           {"frequency", {{"shape", "ideal"}}},
                                                           {"frequency", {{"band", "high"}}},
                                                           {"log", {{"sigma", "3"}}},
                                                           {"sharpen", {}}};
    for (std::size_t i = 0; i < steps.size(); ++i) {
      plot->clear();
      show(*plot, step_of(steps[i].first, steps[i].second));
      QTRY_VERIFY_WITH_TIMEOUT(plot->response(), 180000);
      for (const bool kernel : {true, false}) {
        plot->show_kernel(kernel);
        window.setPalette(i % 2 == 0 ? QPalette(QColor(239, 239, 239))
                                     : QPalette(QColor(45, 45, 48)));
        const QImage image = window.grab().toImage();
        QVERIFY(!image.isNull());
        const QString folder = qEnvironmentVariable("SFUMATO_GRABS");
        if (!folder.isEmpty()) {
          image.save(QStringLiteral("%1/plot_%2_%3.png").arg(folder).arg(i).arg(kernel));
        }
      }
    }
  }
};

QTEST_MAIN(TestResponse)
#include "test_response.moc"
