// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "io/compared_side.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "image/transfer.hpp"
#include "io/file_origin.hpp"

namespace sfumato {
namespace {

std::size_t codes_of(SampleType type) {
  return type == SampleType::f32 ? 0 : type == SampleType::u8 ? 256 : 65536;
}

// Each code of a type of at most 16 bits as a number; integers as 0..1.
std::vector<float> numbers_of(SampleType type) {
  std::vector<float> out(codes_of(type));
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto code = static_cast<std::uint16_t>(i);
    out[i] = read_sample(&code, type);
  }
  return out;
}

// The files' colours are converted by their profile, unless that is sRGB's or none.
bool converts(InputPicture& picture) {
  if (picture.info().icc_profile.empty() || picture.origin() == nullptr) return false;
  return picture.origin()->can_convert_colors();
}

}  // namespace

ComparedSide::ComparedSide(InputPicture& picture, int x, int y, const PictureDifference& plan,
                           ComparedNumbers numbers, bool light)
    : picture_(picture),
      format_(picture.format()),
      x_(x),
      y_(y),
      width_(plan.common.width()),
      channels_(static_cast<int>(plan.names.size())),
      white_(plan.white),
      numbers_(numbers),
      lit_(light || numbers == ComparedNumbers::seen),
      converts_(lit_ && converts(picture)),
      premultiplies_(plan.premultiplied && format_.alpha == AlphaKind::straight) {
  const std::size_t pixels = static_cast<std::size_t>(width_) * compared_rows;
  bytes_.resize(pixels * format_.pixel_bytes());
  for (Rows* rows : {&read_, &shown_}) {
    rows->planes.resize(pixels * plan.names.size());
    if (lit_) rows->light.resize(4 * pixels);
  }
  parts_of_codes_ = numbers_of(format_.type);
  numbers_of_codes_ = parts_of_codes_;
  for (const float number : numbers_of_codes_) {
    light_of_codes_.push_back(
        static_cast<float>(decode(format_.coding, static_cast<double>(number))));
  }
  if (white_ == 1) return;
  // Codes as they are, those of 8 bits beside 16-bit ones as these.
  for (float& number : numbers_of_codes_) {
    number = static_cast<float>(std::lround(static_cast<double>(number) * white_));
  }
}

void ComparedSide::read(int first, int rows) {
  const int top = y_ + first;
  picture_.read({x_, top, x_ + width_, top + rows}, bytes_.data(),
                static_cast<std::ptrdiff_t>(format_.pixel_bytes()) * width_);
  // Row by row, while its samples are at hand.
  for (int row = 0; row < rows; ++row) take_row(row);
  if (lit_) make_light(rows);
  if (numbers_ == ComparedNumbers::seen) {
    make_seen(rows);
  } else if (premultiplies_) {
    premultiply(rows);
  }
}

// The usual case: each byte is looked up for the numbers and, where colours are needed, for the
// light.
void ComparedSide::take_row_of_bytes(int row) {
  const auto* from =
      reinterpret_cast<const unsigned char*>(bytes_.data()) + 3 * std::ptrdiff_t{row} * width_;
  const std::vector<float>& light = converts_ ? parts_of_codes_ : light_of_codes_;
  float* to = read_.planes.data() + std::ptrdiff_t{row} * width_;
  float *first = to, *second = to + plane(), *third = second + plane();
  for (int x = 0; x < width_; ++x) {
    first[x] = numbers_of_codes_[from[3 * x]];
    second[x] = numbers_of_codes_[from[3 * x + 1]];
    third[x] = numbers_of_codes_[from[3 * x + 2]];
  }
  if (!lit_) return;
  float* pixel = read_.light.data() + 4 * std::ptrdiff_t{row} * width_;
  for (int x = 0; x < width_; ++x, pixel += 4, from += 3) {
    pixel[0] = light[from[0]];
    pixel[1] = light[from[1]];
    pixel[2] = light[from[2]];
    pixel[3] = 1;
  }
}

void ComparedSide::take_row(int row) {
  if (format_.type == SampleType::u8 && format_.channels == 3 && channels_ == 3) {
    return take_row_of_bytes(row);
  }
  for (int c = 0; c < channels_; ++c) {
    float* to = read_.planes.data() + c * plane() + std::ptrdiff_t{row} * width_;
    const int source = source_of(c);
    if (source < 0) {
      std::fill_n(to, width_, static_cast<float>(white_));
    } else {
      take_samples(source, row, numbers_of_codes_, to, 1);
    }
  }
  if (lit_) fill_light(row);
}

// The picture's channel that is compared as `channel`; -1: it is opaque.
int ComparedSide::source_of(int channel) const {
  if (channels_ % 2 == 0 && channel == channels_ - 1) {
    return format_.has_alpha() ? format_.channels - 1 : -1;
  }
  return format_.color_channels() == 1 ? 0 : channel;
}

// One channel of a row that was read; `codes` says what each code stands for.
void ComparedSide::take_samples(int source, int row, const std::vector<float>& codes, float* to,
                                std::ptrdiff_t step) const {
  const std::size_t pixel = format_.pixel_bytes();
  const auto sample = static_cast<std::size_t>(sample_bytes(format_.type));
  const char* from = bytes_.data() + std::ptrdiff_t{row} * width_ * static_cast<int>(pixel) +
                     static_cast<std::size_t>(source) * sample;
  if (format_.type == SampleType::u8) {
    for (int i = 0; i < width_; ++i, from += pixel, to += step) {
      *to = codes[static_cast<unsigned char>(*from)];
    }
  } else if (format_.type == SampleType::f32) {
    for (int i = 0; i < width_; ++i, from += pixel, to += step) {
      std::memcpy(to, from, sizeof(float));
    }
  } else {
    for (int i = 0; i < width_; ++i, from += pixel, to += step) {
      std::uint16_t code = 0;
      std::memcpy(&code, from, sizeof code);
      *to = codes[code];
    }
  }
}

void ComparedSide::premultiply(int rows) {
  const float* alpha = read_.planes.data() + (channels_ - 1) * plane();
  const std::ptrdiff_t pixels = static_cast<std::ptrdiff_t>(rows) * width_;
  const auto white = static_cast<float>(white_);
  for (int c = 0; c + 1 < channels_; ++c) {
    float* to = read_.planes.data() + c * plane();
    for (std::ptrdiff_t i = 0; i < pixels; ++i) to[i] *= alpha[i] / white;
  }
}

// The profile's colours are converted as stored, with straight opacity; others by their curve.
void ComparedSide::make_light(int rows) {
  const std::size_t pixels = static_cast<std::size_t>(rows) * static_cast<std::size_t>(width_);
  const bool divides = converts_ && format_.alpha == AlphaKind::premultiplied;
  if (divides) scale_light(pixels, [](float alpha) { return alpha != 0 ? 1 / alpha : 1.0f; });
  if (converts_) {
    picture_.origin()->convert_colors(read_.light.data(), pixels);
  } else if (format_.type == SampleType::f32 && !(format_.coding == Coding::linear())) {
    decode_light(pixels);
  }
  if (divides || format_.alpha == AlphaKind::straight) {
    scale_light(pixels, [](float alpha) { return alpha; });
  }
}

// Colours as stored or, of codes, decoded; and opacity.
void ComparedSide::fill_light(int row) {
  const bool gray = format_.color_channels() == 1;
  float* to = read_.light.data() + 4 * std::ptrdiff_t{row} * width_;
  for (int c = 0; c < 3; ++c) {
    take_samples(gray ? 0 : c, row, converts_ ? parts_of_codes_ : light_of_codes_, to + c, 4);
  }
  if (format_.has_alpha()) {
    take_samples(format_.channels - 1, row, parts_of_codes_, to + 3, 4);
    return;
  }
  for (int x = 0; x < width_; ++x) to[4 * x + 3] = 1;
}

void ComparedSide::decode_light(std::size_t pixels) {
  for (std::size_t i = 0; i < 4 * pixels; ++i) {
    if (i % 4 == 3) continue;
    read_.light[i] =
        static_cast<float>(decode(format_.coding, static_cast<double>(read_.light[i])));
  }
}

// Colours times what `factor` makes of opacity.
template <typename Factor>
void ComparedSide::scale_light(std::size_t pixels, const Factor& factor) {
  for (std::size_t i = 0; i < pixels; ++i) {
    float* pixel = read_.light.data() + 4 * i;
    const float by = factor(pixel[3]);
    for (int c = 0; c < 3; ++c) pixel[c] *= by;
  }
}

// The numbers of sRGB, in place of those of the file.
void ComparedSide::make_seen(int rows) {
  const std::ptrdiff_t pixels = static_cast<std::ptrdiff_t>(rows) * width_;
  for (int c = 0; c < channels_; ++c) {
    const bool alpha = channels_ % 2 == 0 && c == channels_ - 1;
    const float* from = read_.light.data() + (alpha ? 3 : c);
    float* to = read_.planes.data() + c * plane();
    for (std::ptrdiff_t i = 0; i < pixels; ++i, from += 4) {
      to[i] =
          alpha ? *from : static_cast<float>(encode(Coding::srgb(), static_cast<double>(*from)));
    }
  }
}

}  // namespace sfumato
