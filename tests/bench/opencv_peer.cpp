// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// OpenCV as a peer, on the processor.
#include <algorithm>
#include <cmath>
#include <sstream>

#include "bench.hpp"

#ifdef SFUMATO_HAVE_OPENCV
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#pragma GCC diagnostic pop

namespace sfumato::bench {

namespace {

// The case's matrix, row by row.
cv::Mat matrix_of(const Case& c) {
  std::vector<float> values;
  int rows = 1;
  for (const auto& [name, text] : c.values) {
    if (name != "matrix") continue;
    rows += static_cast<int>(std::count(text.begin(), text.end(), ';'));
    std::string plain = text;
    std::replace(plain.begin(), plain.end(), ';', ' ');
    std::istringstream words(plain);
    for (float value; words >> value;) values.push_back(value);
  }
  return cv::Mat(values, true).reshape(1, rows);
}

}  // namespace

std::string peer_name() {
  return "OpenCV " CV_VERSION;
}

std::optional<double> peer_ms(const Case& c, int width, int height) {
  const int type = c.kind == "u8x4"    ? CV_8UC4
                   : c.kind == "u8x3"  ? CV_8UC3
                   : c.kind == "u8x1"  ? CV_8UC1
                   : c.kind == "f32x4" ? CV_32FC4
                   : c.kind == "f32x3" ? CV_32FC3
                                       : CV_32FC1;
  cv::Mat from(height, width, type), to(height, width, type);
  // The contrast of our own test pictures, for the same reason.
  const bool samples = c.kind[0] == 'u';
  cv::randu(from, cv::Scalar::all(samples ? 0 : 0.35), cv::Scalar::all(samples ? 255 : 0.65));
  if (c.peer == "gaussian" && c.number("sigma", 2) <= 64) {  // beyond, one run takes minutes
    const double sigma = c.number("sigma", 2);
    return median_ms(
        [&] { cv::GaussianBlur(from, to, cv::Size(), sigma, sigma, cv::BORDER_REPLICATE); },
        Patience{0.6, 9});
  }
  if (c.peer == "bilateral") {
    const int radius = static_cast<int>(c.number("radius", 7));
    return median_ms(
        [&] {
          cv::bilateralFilter(from, to, 2 * radius + 1, c.number("range_sigma", 0.1),
                              c.number("sigma", 3), cv::BORDER_REPLICATE);
        },
        Patience{0.6, 5});
  }
  if (c.peer == "median") {  // beyond 5 x 5 for 8-bit pixels only
    const int radius = static_cast<int>(c.number("radius", 1));
    if (radius > (c.kind[0] == 'u' ? 127 : 2)) return std::nullopt;
    return median_ms([&] { cv::medianBlur(from, to, 2 * radius + 1); }, Patience{0.6, 5});
  }
  if (c.peer == "convolve") {
    const cv::Mat weights = matrix_of(c);
    return median_ms(
        [&] {
          cv::filter2D(from, to, -1, weights, {-1, -1}, 0, cv::BORDER_REPLICATE);
        },
        Patience{0.6, 5});
  }
  if (c.peer == "dilate") {
    const int side = 2 * static_cast<int>(c.number("radius", 1)) + 1;
    const cv::Mat element = cv::getStructuringElement(cv::MORPH_RECT, {side, side});
    return median_ms([&] { cv::dilate(from, to, element); }, Patience{0.6, 5});
  }
  if (c.peer == "box") {  // of whole pixels
    const double radius = c.number("radius", 1);
    if (radius != std::floor(radius)) return std::nullopt;
    const int side = 2 * static_cast<int>(radius) + 1;
    return median_ms(
        [&] {
          cv::blur(from, to, {side, side}, {-1, -1}, cv::BORDER_REPLICATE);
        },
        Patience{0.6, 5});
  }
  if (c.peer == "canny") {
    const double low = 2040 * c.number("low_threshold", 0.05);
    const double high = 2040 * c.number("high_threshold", 0.1);
    return median_ms([&] { cv::Canny(from, to, low, high, 3, true); }, Patience{0.6, 9});
  }
  return std::nullopt;
}

}  // namespace sfumato::bench

#else

namespace sfumato::bench {

std::string peer_name() {
  return {};
}
std::optional<double> peer_ms(const Case&, int, int) {
  return std::nullopt;
}

}  // namespace sfumato::bench

#endif
