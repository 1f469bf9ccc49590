// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "image/comparison.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "image/parallel_rows.hpp"
#include "image/processors.hpp"
#include "image/wide.hpp"

namespace sfumato {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

constexpr int taps = 11, halo = taps - 1;
constexpr int columns_at_once = 512;  // whose filtered rows stay in the cache
constexpr int rows_at_once = 64;      // of one task

// Half of the window, the middle last; the sum over all is 1.
std::array<float, 6> window() {
  constexpr double sigma = 1.5;
  std::array<double, 6> weights{};
  double sum = 0;
  for (int i = 0; i < 6; ++i) {
    const double distance = 5 - i;
    weights[static_cast<std::size_t>(i)] = std::exp(-distance * distance / (2 * sigma * sigma));
    sum += (i < 5 ? 2 : 1) * weights[static_cast<std::size_t>(i)];
  }
  std::array<float, 6> out{};
  for (std::size_t i = 0; i < 6; ++i) out[i] = static_cast<float>(weights[i] / sum);
  return out;
}

// The mean of eleven numbers.
SFUMATO_PART float weighted(const std::array<float, 6>& w, float a, float b, float c, float d,
                            float e, float f, float g, float h, float i, float j, float k) {
  return w[0] * (a + k) + w[1] * (b + j) + w[2] * (c + i) + w[3] * (d + h) + w[4] * (e + g) +
         w[5] * f;
}

// That of rows at one place.
SFUMATO_PART float weighted(const std::array<float, 6>& w, const std::array<const float*, taps>& in,
                            int x) {
  return weighted(w, in[0][x], in[1][x], in[2][x], in[3][x], in[4][x], in[5][x], in[6][x], in[7][x],
                  in[8][x], in[9][x], in[10][x]);
}

double sum_of(const float* values, int count) {
  std::array<double, 8> parts{};
  int i = 0;
  for (; i + 8 <= count; i += 8) {
    for (int k = 0; k < 8; ++k) {
      parts[static_cast<std::size_t>(k)] += static_cast<double>(values[i + k]);
    }
  }
  double sum = 0;
  for (const double part : parts) sum += part;
  for (; i < count; ++i) sum += static_cast<double>(values[i]);
  return sum;
}

constexpr std::size_t kinds_of_mean = 4;
using Rows = std::array<std::array<const float*, taps>, kinds_of_mean>;

// Means along a row of `count` samples, of each with the next ones.
SFUMATO_WIDE void mean_row(const std::array<float, 6>& w, const float* from, int count,
                           float* __restrict to) {
  for (int x = 0; x < count; ++x) {
    to[x] = weighted(w, from[x], from[x + 1], from[x + 2], from[x + 3], from[x + 4], from[x + 5],
                     from[x + 6], from[x + 7], from[x + 8], from[x + 9], from[x + 10]);
  }
}

// Similarities from rows of means.
SFUMATO_WIDE void similarity_row(const std::array<float, 6>& w, const Rows& in, float middle,
                                 float white, int count, float* __restrict out) {
  const float c1 = 0.01f * white * 0.01f * white, c2 = 0.03f * white * 0.03f * white;
  for (int x = 0; x < count; ++x) {
    const float ma = weighted(w, in[0], x), mb = weighted(w, in[1], x),
                squares = weighted(w, in[2], x), products = weighted(w, in[3], x);
    const float variances = squares - ma * ma - mb * mb, covariance = products - ma * mb;
    const float ua = ma + middle, ub = mb + middle;
    out[x] =
        (2 * ua * ub + c1) * (2 * covariance + c2) / ((ua * ua + ub * ub + c1) * (variances + c2));
  }
}

// Local means of a, b, a*a + b*b and a*b along rows, of the last rows.
class LocalMeans {
 public:
  static constexpr std::size_t kinds = kinds_of_mean;

  explicit LocalMeans(const std::array<float, 6>& weights) : w_(weights) {}

  // `count` columns, of which each needs the next ones up to the width of the window. Values are
  // taken less `middle`, which changes no variance and keeps digits.
  void add_row(const float* a, const float* b, float middle, int count) {
    for (int x = 0; x < count + halo; ++x) {
      const float va = a[x] - middle, vb = b[x] - middle;
      rows_[0][x] = va;
      rows_[1][x] = vb;
      rows_[2][x] = va * va + vb * vb;
      rows_[3][x] = va * vb;
    }
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      mean_row(w_, rows_[kind].data(), count, held_[next_][kind].data());
    }
    next_ = (next_ + 1) % taps;
  }

  // The sum of the similarities of `count` places, once all rows of the window are there.
  double similarities(float middle, float white, int count) {
    Rows in;
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      for (std::size_t k = 0; k < taps; ++k) in[kind][k] = held_[(next_ + k) % taps][kind].data();
    }
    float* out = rows_[0].data();
    similarity_row(w_, in, middle, white, count, out);
    return sum_of(out, count);
  }
  // Those that were summed last.
  const float* last() const { return rows_[0].data(); }

 private:
  using Row = std::array<float, columns_at_once + halo>;

  const std::array<float, 6> w_;
  std::array<Row, kinds> rows_;
  std::array<std::array<Row, kinds>, taps> held_;
  std::size_t next_ = 0;
};

double sum_of_squares(const float* values, int count) {
  std::array<double, 8> parts{};
  for (int i = 0; i + 8 <= count; i += 8) {
    for (int k = 0; k < 8; ++k) {
      const auto value = static_cast<double>(values[i + k]);
      parts[static_cast<std::size_t>(k)] += value * value;
    }
  }
  double sum = 0;
  for (const double part : parts) sum += part;
  for (int i = count / 8 * 8; i < count; ++i)
    sum += static_cast<double>(values[i]) * static_cast<double>(values[i]);
  return sum;
}

std::int64_t count_beyond(const float* values, float limit, int count) {
  int out = 0;
  for (int i = 0; i < count; ++i) out += values[i] > limit ? 1 : 0;
  return out;
}

float largest_of(const float* values, int count) {
  std::array<float, 8> parts{};
  for (int i = 0; i + 8 <= count; i += 8) {
    for (int k = 0; k < 8; ++k) {
      float& part = parts[static_cast<std::size_t>(k)];
      part = values[i + k] > part ? values[i + k] : part;
    }
  }
  for (int i = count / 8 * 8; i < count; ++i) parts[0] = std::max(parts[0], values[i]);
  return *std::max_element(parts.begin(), parts.end());
}

}  // namespace

double ChannelDifference::root_mean_square() const {
  return samples > 0 ? std::sqrt(squares / static_cast<double>(samples)) : 0;
}

double ChannelDifference::psnr() const {
  if (std::isinf(squares)) return -infinity;
  return samples > 0 ? -10 * std::log10(squares / static_cast<double>(samples)) : infinity;
}

double ChannelDifference::similarity() const {
  return places > 0 ? std::min(1.0, structure / static_cast<double>(places))
                    : std::numeric_limits<double>::quiet_NaN();
}

void ChannelDifference::add(const ChannelDifference& other) {
  const bool first = std::pair(other.y, other.x) < std::pair(y, x);
  if (other.largest > largest || (other.largest == largest && other.largest > 0 && first)) {
    largest = other.largest;
    x = other.x;
    y = other.y;
    channel = other.channel;
  }
  sum += other.sum;
  squares += other.squares;
  samples += other.samples;
  beyond += other.beyond;
  incomparable += other.incomparable;
  structure += other.structure;
  places += other.places;
}

PictureComparison::PictureComparison(int width, int height, int channels, const Options& options)
    : width_(width),
      height_(height),
      options_(options),
      channels_(static_cast<std::size_t>(channels)) {
  if (width < 1 || height < 1 || channels < 1) throw std::invalid_argument("there is no picture");
  const unsigned threads = options.threads > 0 ? options.threads : compute_threads();
  capacity_ = halo + rows_at_once * static_cast<int>(threads);
  const std::size_t samples =
      static_cast<std::size_t>(capacity_) * static_cast<std::size_t>(width) * channels_.size();
  a_.resize(samples);
  b_.resize(samples);
}

void PictureComparison::add_rows(const float* a, const float* b, int rows, std::int64_t plane) {
  const auto row = static_cast<std::size_t>(width_);
  for (int done = 0; done < rows;) {
    const int now = std::min(rows - done, capacity_ - held_);
    for (std::size_t c = 0; c < channels_.size(); ++c) {
      const std::size_t to =
          (c * static_cast<std::size_t>(capacity_) + static_cast<std::size_t>(held_)) * row;
      const std::size_t from =
          c * static_cast<std::size_t>(plane) + static_cast<std::size_t>(done) * row;
      std::copy_n(a + from, static_cast<std::size_t>(now) * row, a_.data() + to);
      std::copy_n(b + from, static_cast<std::size_t>(now) * row, b_.data() + to);
    }
    done += now;
    held_ += now;
    if (held_ == capacity_ || begin_ + held_ == height_) compare_held();
  }
}

// All rows but those that were compared before, which are there for the windows of the next ones.
void PictureComparison::compare_held() {
  const int bands = (held_ - kept_ + rows_at_once - 1) / rows_at_once;
  const int channels = static_cast<int>(channels_.size());
  std::vector<ChannelDifference> found(static_cast<std::size_t>(bands * channels));
  ParallelRows({}, options_.threads).run(0, bands * channels, [&](int task) {
    const int first = kept_ + task / channels * rows_at_once;
    const int rows = std::min(rows_at_once, held_ - first);
    ChannelDifference& out = found[static_cast<std::size_t>(task)];
    compare_samples(first, rows, task % channels, out);
    if (options_.structure) compare_structure(first, rows, task % channels, out);
  });
  for (std::size_t i = 0; i < found.size(); ++i) channels_[i % channels_.size()].add(found[i]);

  const int keep = std::min(halo, held_);
  const auto row = static_cast<std::size_t>(width_);
  for (std::size_t c = 0; c < channels_.size(); ++c) {
    const std::size_t to = c * static_cast<std::size_t>(capacity_) * row;
    const std::size_t from = to + static_cast<std::size_t>(held_ - keep) * row;
    for (std::vector<float>* held : {&a_, &b_}) {
      std::copy_n(held->data() + from, static_cast<std::size_t>(keep) * row, held->data() + to);
    }
  }
  begin_ += held_ - keep;
  held_ = kept_ = keep;
}

const float* PictureComparison::row_of(const std::vector<float>& held, int channel, int row) const {
  return held.data() + (static_cast<std::size_t>(channel) * static_cast<std::size_t>(capacity_) +
                        static_cast<std::size_t>(row)) *
                           static_cast<std::size_t>(width_);
}

void PictureComparison::compare_samples(int first, int rows, int channel,
                                        ChannelDifference& out) const {
  out.channel = channel;
  out.samples = static_cast<std::int64_t>(rows) * width_;
  std::vector<float> differences(static_cast<std::size_t>(width_));
  const auto limit = static_cast<float>(options_.threshold * options_.white);
  double largest = 0, sum = 0, squares = 0;
  for (int y = first; y < first + rows; ++y) {
    const float *a = row_of(a_, channel, y), *b = row_of(b_, channel, y);
    float* d = differences.data();
    for (int x = 0; x < width_; ++x) d[x] = std::abs(a[x] - b[x]);
    // An infinity or no number in any sample makes the sum none.
    if (!std::isfinite(sum_of(d, width_))) settle_infinities(a, b, d, out);
    sum += sum_of(d, width_);
    squares += sum_of_squares(d, width_);
    out.beyond += count_beyond(d, limit, width_);
    const float most = largest_of(d, width_);
    if (static_cast<double>(most) <= largest) continue;
    largest = static_cast<double>(most);
    out.x = static_cast<int>(std::find(d, d + width_, most) - d);
    out.y = begin_ + y;
  }
  out.largest = largest / options_.white;
  out.sum = sum / options_.white;
  out.squares = squares / options_.white / options_.white;
}

// Equal infinities and two that are no numbers are equal; all else is infinitely far apart.
void PictureComparison::settle_infinities(const float* a, const float* b, float* differences,
                                          ChannelDifference& out) const {
  for (int x = 0; x < width_; ++x) {
    if (std::isfinite(differences[x])) continue;
    const bool same = a[x] == b[x] || (std::isnan(a[x]) && std::isnan(b[x]));
    differences[x] = same ? 0 : std::numeric_limits<float>::infinity();
    out.incomparable += same ? 0 : 1;
  }
}

void PictureComparison::compare_structure(int first, int rows, int channel,
                                          ChannelDifference& out) const {
  const int across = width_ - halo, top = std::max(0, first - halo);
  if (across < 1 || first + rows <= halo) return;
  const auto white = static_cast<float>(options_.white);
  const float middle = white / 2;
  LocalMeans means(window());
  for (int x = 0; x < across; x += columns_at_once) {
    const int count = std::min(columns_at_once, across - x);
    for (int y = top; y < first + rows; ++y) {
      means.add_row(row_of(a_, channel, y) + x, row_of(b_, channel, y) + x, middle, count);
      if (y < std::max(first, top + halo)) continue;
      const double found = means.similarities(middle, white, count);
      if (std::isfinite(found)) {
        out.structure += found;
        out.places += count;
      } else {
        add_finite(means.last(), {channel, x, y - halo, count}, out);
      }
    }
  }
}

// Where samples of a window are not finite: what one picture alone has is without likeness, what
// both have says nothing, and the window is left out.
void PictureComparison::add_finite(const float* similarities, const Windows& windows,
                                   ChannelDifference& out) const {
  for (int i = 0; i < windows.count; ++i) {
    const bool finite = std::isfinite(similarities[i]);
    if (!finite && !differ_in_finiteness(windows, i)) continue;
    out.structure += finite ? static_cast<double>(similarities[i]) : 0;
    ++out.places;
  }
}

// Whether the pictures differ in a sample of the window that is not finite in one of them, or
// whether all are finite.
bool PictureComparison::differ_in_finiteness(const Windows& windows, int number) const {
  bool all_finite = true;
  for (int y = windows.y; y < windows.y + taps; ++y) {
    const float* a = row_of(a_, windows.channel, y) + windows.x + number;
    const float* b = row_of(b_, windows.channel, y) + windows.x + number;
    for (int k = 0; k < taps; ++k) {
      if (std::isfinite(a[k]) && std::isfinite(b[k])) continue;
      all_finite = false;
      if (!(a[k] == b[k] || (std::isnan(a[k]) && std::isnan(b[k])))) return true;
    }
  }
  return all_finite;
}

ChannelDifference PictureComparison::all() const {
  ChannelDifference out;
  for (const ChannelDifference& one : channels_) out.add(one);
  return out;
}

}  // namespace sfumato
