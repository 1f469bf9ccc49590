// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Means over squares of pixels, row by row.
#include "image/reduce.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "image/encoder.hpp"
#include "image/transfer.hpp"

namespace sfumato {
namespace {

// Stored samples to numbers, with colour as light. Integers use a table of all their values.
class Decoder {
 public:
  Decoder(SampleType type, Coding coding) : type_(type), coding_(coding) {
    if (!is_integer(type)) return;
    const int values = type == SampleType::u8 ? 256 : 65536;
    for (int value = 0; value < values; ++value) {
      light_.push_back(static_cast<float>(decode(coding, value / (values - 1.0))));
    }
  }

  float light(const char* sample) const {
    if (type_ == SampleType::u8) return light_[static_cast<unsigned char>(*sample)];
    if (type_ == SampleType::u16) {
      std::uint16_t value;
      std::memcpy(&value, sample, sizeof value);
      return light_[value];
    }
    const float stored = read_sample(sample, type_);
    return coding_ == Coding::linear()
               ? stored
               : static_cast<float>(decode(coding_, static_cast<double>(stored)));
  }
  // Decodes a number premultiplied by alpha; the curve applies to straight colour.
  float weighted(const char* sample, float alpha) const {
    const float stored = read_sample(sample, type_);
    if (coding_ == Coding::linear() || alpha == 0) return stored;
    return static_cast<float>(decode(coding_, static_cast<double>(stored / alpha))) * alpha;
  }
  float plain(const char* sample) const { return read_sample(sample, type_); }
  // Light of every stored value; null for float samples.
  const float* table() const { return light_.data(); }

 private:
  SampleType type_;
  Coding coding_;
  std::vector<float> light_;
};

// One row of opaque integer pixels, the most common case.
template <typename Stored, int channels>
void add_opaque(const char* row, int width, int factor, const float* light, float* to) {
  const auto* sample = reinterpret_cast<const Stored*>(row);
  for (int left = width; left > 0; left -= factor, to += channels) {
    float sum[channels] = {};
    for (int k = std::min(factor, left); k > 0; --k, sample += channels) {
      for (int c = 0; c < channels; ++c) sum[c] += light[sample[c]];
    }
    for (int c = 0; c < channels; ++c) to[c] += sum[c];
  }
}

bool add_opaque(const char* row, const PictureFormat& format, int factor, const float* light,
                float* to) {
  const bool gray = format.channels == 1;
  if (format.has_alpha() || (format.channels != 3 && !gray)) return false;
  const auto add = [&]<typename Stored>(Stored) {
    if (gray) {
      add_opaque<Stored, 1>(row, format.width, factor, light, to);
    } else {
      add_opaque<Stored, 3>(row, format.width, factor, light, to);
    }
    return true;
  };
  if (format.type == SampleType::u8) return add(std::uint8_t{});
  const bool aligned = reinterpret_cast<std::uintptr_t>(row) % alignof(std::uint16_t) == 0;
  return format.type == SampleType::u16 && aligned && add(std::uint16_t{});
}

// Adds one row to the sums of `channels` floats per pixel: colour times alpha, then alpha.
void add_row(const char* row, const PictureFormat& format, int factor, const Decoder& decoder,
             std::vector<float>& sums) {
  const int sample = sample_bytes(format.type), colors = format.color_channels();
  float* to = sums.data();
  if (add_opaque(row, format, factor, decoder.table(), to)) return;
  for (int x = 0, taken = 0; x < format.width; ++x) {
    const float alpha = format.has_alpha() ? decoder.plain(row + colors * sample) : 1.0f;
    const bool premultiplied = format.alpha == AlphaKind::premultiplied;
    for (int c = 0; c < colors; ++c) {
      to[c] += premultiplied ? decoder.weighted(row + c * sample, alpha)
                             : decoder.light(row + c * sample) * alpha;
    }
    if (format.has_alpha()) to[colors] += alpha;
    row += format.channels * sample;
    if (++taken == factor) {
      taken = 0;
      to += format.channels;
    }
  }
}

// Writes the means of a row of sums, encoded again.
void write_row(const std::vector<float>& sums, const PictureFormat& out, const PictureFormat& in,
               int factor, int rows, const Encoder& encoder, float* to) {
  const int colors = out.color_channels();
  for (int x = 0; x < out.width; ++x) {
    const float* sum = sums.data() + static_cast<std::ptrdiff_t>(x) * out.channels;
    const auto pixels = static_cast<float>(std::min(factor, in.width - x * factor) * rows);
    const float weight = out.has_alpha() ? std::max(sum[colors], 1e-20f) : pixels;
    const float alpha = out.has_alpha() ? sum[colors] / pixels : 1.0f;
    for (int c = 0; c < colors; ++c) {
      to[c] = encoder(sum[c] / weight);
      if (out.alpha == AlphaKind::premultiplied) to[c] *= alpha;
    }
    if (out.has_alpha()) to[colors] = alpha;
    to += out.channels;
  }
}

}  // namespace

PictureFormat reduced_format(const PictureFormat& format, int factor) {
  PictureFormat out = format;
  out.width = (format.width + factor - 1) / factor;
  out.height = (format.height + factor - 1) / factor;
  out.type = SampleType::f32;
  return out;
}

void reduce(const HostView& from, const PictureFormat& format, int factor, const HostView& to,
            const ParallelRows& rows) {
  const PictureFormat out = reduced_format(format, factor);
  const Decoder decoder(format.type, format.coding);
  const Encoder encoder(out.coding);
  rows.run(0, out.height, [&](int y) {
    std::vector<float> sums(static_cast<std::size_t>(out.width + 1) *
                            static_cast<std::size_t>(out.channels));
    const int first = y * factor, last = std::min(first + factor, format.height);
    for (int j = first; j < last; ++j) {
      add_row(static_cast<const char*>(from.row(j)), format, factor, decoder, sums);
    }
    write_row(sums, out, format, factor, last - first, encoder, static_cast<float*>(to.row(y)));
  });
}

}  // namespace sfumato
