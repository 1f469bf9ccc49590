// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Convolution with matrices: factoring, every method compared with direct float64 sums and OpenCV,
// and the filters based on it (log has a test of its own).
// Slow: not built with sanitizers, where small_kernels runs every filter.
#include <QTest>
#include <cmath>
#include <map>
#include <random>

#include "engine/errors.hpp"
#include "filters/shared/convolution/convolution.hpp"
#include "params/errors.hpp"
#include "support/devices.hpp"
#include "support/pictures.hpp"
#include "support/sessions.hpp"

#ifdef SFUMATO_HAVE_OPENCV
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#pragma GCC diagnostic pop
#endif

using namespace sfumato;
using namespace sfumato::testing;

namespace {

using Words = std::vector<std::pair<std::string, std::string>>;

PictureFormat format_of(int w, int h, int channels) {
  const bool alpha = channels == 4;
  return {w,
          h,
          channels,
          SampleType::f32,
          alpha ? AlphaKind::straight : AlphaKind::none,
          Coding::srgb()};
}

Matrix random_matrix(int columns, int rows, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> one(-1, 1);
  Matrix m{rows, columns, {}};
  for (int i = 0; i < rows * columns; ++i) m.values.push_back(one(random));
  return m;
}

// A sum of `rank` products.
Matrix matrix_of_rank(int columns, int rows, int rank, unsigned seed) {
  Matrix sum{rows, columns, std::vector<double>(static_cast<std::size_t>(rows * columns))};
  for (int k = 0; k < rank; ++k) {
    const Matrix a = random_matrix(1, rows, seed + 2 * static_cast<unsigned>(k));
    const Matrix b = random_matrix(columns, 1, seed + 2 * static_cast<unsigned>(k) + 1);
    for (int j = 0; j < rows; ++j) {
      for (int i = 0; i < columns; ++i) {
        sum.values[static_cast<std::size_t>(j * columns + i)] += a.at(j, 0) * b.at(0, i);
      }
    }
  }
  return sum;
}

std::string text_of(const Matrix& m) {
  const Parameter& p = *Registry::get().at("convolve").filter->info().parameters.find("matrix");
  return print(p, m);
}

double sizes_of(const Matrix& m) {
  double sum = 0;
  for (const double w : m.values) sum += std::abs(w);
  return sum;
}

// Direct sums of an opaque picture; clamped at the edges.
Image direct_sums(Image& picture, const Matrix& m) {
  const PictureFormat f = picture.format;
  Image out(f);
  for (int y = 0; y < f.height; ++y) {
    for (int x = 0; x < f.width; ++x) {
      for (int c = 0; c < f.channels; ++c) {
        double sum = 0;
        for (int j = 0; j < m.rows; ++j) {
          for (int i = 0; i < m.columns; ++i) {
            const int px = std::clamp(x + i - m.columns / 2, 0, f.width - 1);
            const int py = std::clamp(y + j - m.rows / 2, 0, f.height - 1);
            sum += m.at(j, i) * static_cast<double>(picture.get(px, py, c));
          }
        }
        out.set(x, y, c, static_cast<float>(sum));
      }
    }
  }
  return out;
}

}  // namespace

class TestConvolution : public QObject {
  Q_OBJECT

 private:
  Sessions sessions_;

  void compare(const std::string& filter, const Words& words, Image& picture, Image& want,
               double allowed) {
    for (const Runner& runner : runners()) {
      Image got = run(sessions_.on(runner), one_step(filter, words), picture, picture.format);
      const double worst = largest_difference(got, want);
      QVERIFY2(worst <= allowed, qPrintable(QString("%1: differs by %2, allowed %3")
                                                .arg(runner.label.c_str())
                                                .arg(worst)
                                                .arg(allowed)));
    }
  }

  static void refused(const std::string& filter, const Words& words, const char* part) {
    try {
      const Recipe recipe = one_step(filter, words);
      Registry::get().at(filter).filter->check(recipe.steps[0].values);
    } catch (const ParameterError& e) {
      QVERIFY2(std::string(e.what()).find(part) != std::string::npos, e.what());
      return;
    }
    QFAIL("not refused");
  }

 private slots:
  void a_matrix_is_the_sum_of_its_factors() {
    for (const auto& [columns, rows, rank] :
         {std::tuple(3, 3, 1), {7, 5, 2}, {5, 9, 5}, {1, 9, 1}, {31, 1, 1}, {127, 127, 3}}) {
      const Matrix m = matrix_of_rank(columns, rows, rank, 5);
      const Factors factors = factored(m, 1e-9 * sizes_of(m));
      QCOMPARE(factors.rank(), rank);
      double error = 0;
      for (int j = 0; j < rows; ++j) {
        for (int i = 0; i < columns; ++i) {
          double sum = 0;
          for (std::size_t k = 0; k < factors.rows.size(); ++k) {
            sum += factors.columns[k][static_cast<std::size_t>(j)] *
                   factors.rows[k][static_cast<std::size_t>(i)];
          }
          error += std::abs(sum - m.at(j, i));
        }
      }
      QVERIFY2(error <= 1e-9 * sizes_of(m), qPrintable(QString::number(error)));
    }
  }

  void the_stated_error_is_an_upper_bound() {
    const Matrix m = random_matrix(9, 9, 3);
    for (const double tolerance : {20.0, 5.0, 1.0}) {
      const Factors factors = factored(m, tolerance);
      QVERIFY(factors.rank() < 9);
      double error = 0;  // over samples of at most 1
      for (int j = 0; j < 9; ++j) {
        for (int i = 0; i < 9; ++i) {
          double sum = 0;
          for (std::size_t k = 0; k < factors.rows.size(); ++k) {
            sum += factors.columns[k][static_cast<std::size_t>(j)] *
                   factors.rows[k][static_cast<std::size_t>(i)];
          }
          error += std::abs(sum - m.at(j, i));
        }
      }
      QVERIFY(error <= factors.error + 1e-9 && factors.error <= tolerance);
    }
  }

  void every_way_gives_the_direct_sums_data() {
    QTest::addColumn<int>("columns");
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("rank");
    for (const auto& [columns, rows, rank] : {std::tuple(1, 1, 1),
                                              {3, 3, 2},
                                              {5, 3, 1},
                                              {1, 7, 1},
                                              {9, 1, 1},
                                              {11, 9, 9},
                                              {33, 17, 2},
                                              {127, 127, 2},
                                              {255, 255, 2}}) {
      QTest::addRow("%d x %d of rank %d", columns, rows, rank) << columns << rows << rank;
    }
  }
  void every_way_gives_the_direct_sums() {
    QFETCH(int, columns);
    QFETCH(int, rows);
    QFETCH(int, rank);
    const Matrix m = matrix_of_rank(columns, rows, rank, 11);
    for (const int channels : {1, 3}) {
      const bool large = columns > 100;  // a picture smaller than the matrix covers every border
      Image picture = scene(large ? format_of(37, 29, channels) : format_of(149, 71, channels));
      Image want = direct_sums(picture, m);
      for (const char* method : {"auto", "direct", "factored", "fft"}) {
        compare("convolve", {{"matrix", text_of(m)}, {"method", method}}, picture, want,
                2e-5 * std::max(1.0, sizes_of(m)));
        if (QTest::currentTestFailed()) return;
      }
    }
  }

  void a_matrix_is_applied_as_drawn() {
    Image picture(format_of(9, 9, 1));
    picture.set(4, 4, 0, 1);
    for (const char* method : {"direct", "factored", "fft"}) {
      for (const Runner& runner : runners()) {
        Image got =
            run(sessions_.on(runner),
                one_step("convolve", {{"matrix", "1 2 3; 4 5 6; 7 8 9"}, {"method", method}}),
                picture, picture.format);
        // A bright point meets the weights in reverse order.
        QVERIFY(std::abs(got.get(3, 3, 0) - 9) < 1e-4f);
        QVERIFY(std::abs(got.get(5, 3, 0) - 7) < 1e-4f);
        QVERIFY(std::abs(got.get(4, 5, 0) - 2) < 1e-4f);
      }
    }
  }

  // A convolution answers one bright pixel with its matrix, a correlation with the turned one.
  void a_flipped_matrix_is_the_answer_to_one_pixel() {
    const Matrix m = random_matrix(5, 3, 11);
    Image picture(format_of(9, 7, 1)), want(format_of(9, 7, 1));
    picture.set(4, 3, 0, 1);
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < 5; ++i) want.set(2 + i, 2 + j, 0, static_cast<float>(m.at(j, i)));
    }
    for (const char* method : {"direct", "factored", "fft", "auto"}) {
      compare("convolve", {{"matrix", text_of(m)}, {"flip", "yes"}, {"method", method}}, picture,
              want, 2e-6);
    }
    // So does the product of a column and a row.
    const Matrix row = random_matrix(5, 1, 3), column = random_matrix(1, 3, 4);
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < 5; ++i)
        want.set(2 + i, 2 + j, 0,
                 static_cast<float>(column.values[static_cast<std::size_t>(j)] *
                                    row.values[static_cast<std::size_t>(i)]));
    }
    compare("convolve", {{"row", text_of(row)}, {"column", text_of(column)}, {"flip", "yes"}},
            picture, want, 2e-6);
  }

  void row_and_column_stand_for_their_product() {
    Image picture = scene(format_of(40, 30, 3));
    Image want = direct_sums(picture, {3, 3, {3, 4, 5, 6, 8, 10, -3, -4, -5}});
    compare("convolve", {{"row", "3 4 5"}, {"column", "1 2 -1"}}, picture, want, 1e-3);
  }

  void factor_normalise_offset_and_gray() {
    Image picture = scene(format_of(40, 30, 3));
    Image sums = direct_sums(picture, {3, 3, {1, 2, 1, 2, 4, 2, 1, 2, 2}});
    Image want(picture.format);
    for (int y = 0; y < 30; ++y) {
      for (int x = 0; x < 40; ++x) {
        const float gray =
            0.299f * sums.get(x, y, 0) + 0.587f * sums.get(x, y, 1) + 0.114f * sums.get(x, y, 2);
        for (int c = 0; c < 3; ++c) want.set(x, y, c, gray / 17 * 3 - 0.25f);
      }
    }
    compare("convolve",
            {{"matrix", "1 2 1; 2 4 2; 1 2 2"},
             {"factor", "3"},
             {"normalise", "yes"},
             {"offset", "-0.25"},
             {"grayscale", "yes"}},
            picture, want, 2e-5);
  }

  // Weights of any magnitude count, even if a float cannot hold them.
  void tiny_weights_are_normalised() {
    Image picture = scene(format_of(37, 23, 3)), want = picture;
    for (int y = 0; y < 23; ++y) {
      for (int x = 0; x < 37; ++x) {
        for (int c = 0; c < 3; ++c) want.set(x, y, c, picture.get(std::max(0, x - 1), y, c));
      }
    }
    for (const char* matrix : {"1e-9 0 0", "1e-40 0 0", "1e-320 0 0"}) {
      compare("convolve", {{"matrix", matrix}, {"normalise", "yes"}}, picture, want, 2e-5);
    }
  }

  void renormalising_keeps_a_constant() {
    Image picture(format_of(37, 23, 3));
    for (int y = 0; y < 23; ++y) {
      for (int x = 0; x < 37; ++x) {
        for (int c = 0; c < 3; ++c) picture.set(x, y, c, 0.3f);
      }
    }
    for (const char* method : {"direct", "factored", "fft"}) {
      compare("convolve",
              {{"matrix", "1 2 3 2 1; 1 4 5 4 1; 1 2 3 2 1"},
               {"normalise", "yes"},
               {"border", "renormalise"},
               {"method", method}},
              picture, picture, 2e-5);
    }
  }

  // Where no share of the weights can be told, what falls outside counts as nothing.
  void renormalising_leaves_weights_that_sum_to_0() {
    Image picture = scene(format_of(37, 23, 3)), want(picture.format);
    const Words words = {{"matrix", "1 0 -1; 2 0 -2; 1 0 -1"}, {"offset", "0.5"}};
    for (const char* method : {"direct", "factored", "fft"}) {
      Words all = words;
      all.insert(all.end(), {{"method", method}, {"border", "zero"}});
      want = run(sessions_.on(runners().front()), one_step("convolve", all), picture, want.format);
      all.back().second = "renormalise";
      compare("convolve", all, picture, want, 2e-5);
    }
  }

  // Transparent neighbours count as the centre pixel: a flat colour stays flat up to its outline.
  void a_shape_keeps_its_colour_up_to_its_outline() {
    Image picture(format_of(40, 30, 4));
    for (int y = 0; y < 30; ++y) {
      for (int x = 0; x < 40; ++x) {
        const bool inside = (x - 20) * (x - 20) + (y - 15) * (y - 15) < 90;
        const float color[4] = {0.8f, 0.4f, 0.1f, inside ? 1.0f : 0.0f};
        for (int c = 0; c < 4; ++c) picture.set(x, y, c, color[c]);
      }
    }
    for (const char* method : {"direct", "factored", "fft"}) {
      compare("convolve", {{"matrix", "-1 -1 -1; -1 9 -1; -1 -1 -1"}, {"method", method}}, picture,
              picture, 1e-4);
    }
    compare("sharpen", {{"amount", "0.25"}}, picture, picture, 1e-4);
    compare("unsharp_mask", {{"amount", "2"}}, picture, picture, 1e-3);
  }

  void what_cannot_be_is_refused() {
    refused("convolve", {{"matrix", "1 2; 3 4"}}, "odd");
    refused("convolve", {{"matrix", "1 2 3; 4 5"}}, "every row");
    refused("convolve", {{"matrix", "0 0 0"}, {"normalise", "yes"}}, "every weight is 0");
    refused("convolve", {{"matrix", "1 0 -1"}, {"normalise", "yes"}}, "sum to 0");
    refused("convolve", {{"matrix", "1 1 1"}, {"row", "1 1 1"}}, "not both");
    refused("convolve", {{"matrix", "1e300 1 1"}}, "-1000000 to 1000000");
    refused("convolve", {{"row", "1 1e7 1"}}, "-1000000 to 1000000");
    std::string wide = "1";
    for (int i = 0; i < 256; ++i) wide += " 1";
    refused("convolve", {{"matrix", wide}}, "255");
  }

  void sharpen_is_its_matrix() {
    Image picture = scene(format_of(61, 40, 3));
    Image want = direct_sums(picture, {3, 3, {-.25, -.25, -.25, -.25, 3, -.25, -.25, -.25, -.25}});
    compare("sharpen", {{"amount", "0.25"}}, picture, want, 1e-4);
    // One white pixel on black shows the matrix itself.
    Image point(format_of(5, 5, 1)), matrix(format_of(5, 5, 1));
    point.set(2, 2, 0, 1.0f);
    for (int y = 1; y <= 3; ++y) {
      for (int x = 1; x <= 3; ++x) matrix.set(x, y, 0, x == 2 && y == 2 ? 5.0f : -0.5f);
    }
    compare("sharpen", {{"amount", "0.5"}}, point, matrix, 1e-5);
  }

  // In version 1, the amount was 8 k.
  void sharpen_of_old_recipes_keeps_its_pixels() {
    const auto amount = [](const std::string& members) {
      const Recipe recipe =
          parse_recipe("{\"sfumato\": 1, \"steps\": [{\"filter\": \"sharpen\"" + members + "}]}",
                       Registry::get());
      return recipe.steps[0].values.number("amount");
    };
    QCOMPARE(amount(", \"version\": 1, \"values\": {\"amount\": 2.4}"), 2.4 / 8);
    QCOMPARE(amount(", \"version\": 1, \"values\": {\"amount\": 100}"), 12.5);
    QCOMPARE(amount(", \"version\": 1"), 0.125);
    QCOMPARE(amount(", \"version\": 2, \"values\": {\"amount\": 2.4}"), 2.4);
    QCOMPARE(amount(""), 0.125);
    // A text is still not a number.
    QVERIFY_THROWS_EXCEPTION(RecipeError,
                             amount(", \"version\": 1, \"values\": {\"amount\": \"2\"}"));
    QVERIFY_THROWS_EXCEPTION(RecipeError,
                             amount(", \"version\": 1, \"values\": {\"amount\": 101}"));
  }

  void emboss_lights_what_faces_the_light() {
    // A ramp that rises to the right faces left.
    Image picture(format_of(20, 20, 1));
    for (int y = 0; y < 20; ++y) {
      for (int x = 0; x < 20; ++x) picture.set(x, y, 0, 0.01f * static_cast<float>(x));
    }
    const std::map<std::string, float> expected = {
        {"180", 0.52f}, {"0", 0.48f}, {"90", 0.5f}, {"135", 0.5f + 0.02f * std::sqrt(0.5f)}};
    for (const Runner& runner : runners()) {
      for (const auto& [angle, value] : expected) {
        Image got =
            run(sessions_.on(runner), one_step("emboss", {{"angle", angle}, {"amount", "2"}}),
                picture, picture.format);
        QVERIFY(std::abs(got.get(10, 10, 0) - value) < 1e-4f);
      }
    }
  }

  // A method that needs the whole picture is not chosen if that does not fit; if it is requested,
  // the message names the limit.
  void auto_stays_within_the_memory_there_is() {
    constexpr std::size_t megabyte = std::size_t{1} << 20;
    Sessions tight(24 * megabyte);
    const Words words = {{"matrix", text_of(random_matrix(63, 63, 7))}};
    Words fft = words, direct = words;
    fft.emplace_back("method", "fft");
    direct.emplace_back("method", "direct");
    Image picture = scene(format_of(700, 500, 3));
    for (const Runner& runner : runners()) {
      Session &roomy = sessions_.on(runner), &small = tight.on(runner);
      const Recipe automatic = one_step("convolve", words);
      const auto method = [&](Session& session, const Image& of) {
        return QString::fromStdString(in_english(session.explain(automatic, of.format)[0]));
      };
      QVERIFY(method(roomy, picture).contains("Fourier"));
      QVERIFY(method(small, picture).contains("direct"));
      Image got = run(small, automatic, picture, picture.format);
      Image want = run(roomy, one_step("convolve", direct), picture, picture.format);
      QVERIFY(got.bytes == want.bytes);
      try {
        run(small, one_step("convolve", fft), picture, picture.format);
        QFAIL("not refused");
      } catch (const EngineError& e) {
        QVERIFY2(QString(e.what()).contains("the limit is 24 MB; raise the limit"), e.what());
      }
      // The same session has room for a smaller picture.
      Image part = scene(format_of(90, 80, 3));
      QVERIFY(method(small, part).contains("Fourier"));
      Image small_part = run(small, automatic, part, part.format);
      QVERIFY(small_part.bytes == run(roomy, automatic, part, part.format).bytes);
    }
  }

#ifdef SFUMATO_HAVE_OPENCV
  void opencv_finds_the_same() {
    const Matrix m = random_matrix(7, 5, 23);
    const std::map<std::string, int> borders = {{"clamp", cv::BORDER_REPLICATE},
                                                {"mirror", cv::BORDER_REFLECT_101},
                                                {"zero", cv::BORDER_CONSTANT}};
    for (const int channels : {1, 3}) {
      Image picture = scene(format_of(133, 97, channels));
      for (const auto& [border, rule] : borders) {
        Image want(picture.format);
        const auto pitch = static_cast<std::size_t>(picture.view().row_stride);
        const cv::Mat from(97, 133, CV_MAKETYPE(CV_32F, channels), picture.bytes.data(), pitch);
        cv::Mat to(97, 133, CV_MAKETYPE(CV_32F, channels), want.bytes.data(), pitch);
        const cv::Mat weights(5, 7, CV_64F, const_cast<double*>(m.values.data()));
        cv::filter2D(from, to, -1, weights, {-1, -1}, 0, rule);
        QVERIFY(to.data == reinterpret_cast<uchar*>(want.bytes.data()));
        compare("convolve", {{"matrix", text_of(m)}, {"border", border}}, picture, want,
                2e-5 * sizes_of(m));
      }
    }
  }
#endif
};

QTEST_GUILESS_MAIN(TestConvolution)
#include "test_convolution.moc"
