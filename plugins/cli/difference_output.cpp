// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "difference_output.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>

#include "image/transfer.hpp"
#include "io/drawing.hpp"

namespace sfumato::cli {
namespace {

constexpr int least_width = 160;  // of a picture with a scale

// The scale's measures by those of the picture, so that its numbers can be read when it is shown as
// a whole.
struct Scale {
  int text, side, bar, height;

  explicit Scale(int width)
      : text(std::clamp(width / 70, 12, 120)),
        side(text),
        bar(text + text / 2),
        height(2 * side + bar + 2 * text) {}
};

// Green, "A colour scheme for the display of astronomical intensity images", Bulletin of the
// Astronomical Society of India 39, 2011: as bright as the value, for all eyes and printers.
std::array<float, 3> colour_of(double value) {
  const double v = std::clamp(value, 0.0, 1.0);
  const double angle = 2 * std::numbers::pi * (0.5 / 3 + 1 - 1.5 * v);
  const double amplitude = v * (1 - v) / 2, c = std::cos(angle), s = std::sin(angle);
  return {static_cast<float>(std::clamp(v + amplitude * (-0.14861 * c + 1.78277 * s), 0.0, 1.0)),
          static_cast<float>(std::clamp(v + amplitude * (-0.29227 * c - 0.90649 * s), 0.0, 1.0)),
          static_cast<float>(std::clamp(v + amplitude * 1.97294 * c, 0.0, 1.0))};
}

bool holds_floats(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".exr" || extension == ".pfm" || extension == ".hdr";
}

PictureFormat format_for(const std::filesystem::path& path, const WriteOptions& options,
                         DifferenceKind kind, const PictureDifference& plan, int height) {
  PictureFormat out;
  out.width = plan.common.width();
  out.height = height;
  out.channels = kind == DifferenceKind::map || plan.names.size() > 2 ? 3 : 1;
  out.type = options.bits.value_or(holds_floats(path) ? SampleType::f32 : SampleType::u8);
  out.alpha = AlphaKind::none;
  out.coding = is_integer(out.type) ? Coding::srgb() : Coding::linear();
  return out;
}

}  // namespace

DifferenceOutput::DifferenceOutput(const std::filesystem::path& path, const WriteOptions& options,
                                   DifferenceKind kind, double gain, const PictureDifference& plan)
    : kind_(kind),
      gain_(gain),
      width_(plan.common.width()),
      height_(plan.common.height()),
      channels_(static_cast<int>(plan.names.size())),
      colours_(channels_ > 2 ? 3 : 1),
      white_(plan.white),
      exceeds_scale_(gain * plan.all.largest > 1 + 1e-9) {
  const bool scale = kind == DifferenceKind::map && width_ >= least_width;
  format_ = format_for(path, options, kind, plan, height_ + (scale ? Scale(width_).height : 0));
  out_ = create_picture(path, options, format_);
  floats_ = !is_integer(format_.type);
  row_.resize(static_cast<std::size_t>(width_) * static_cast<std::size_t>(format_.channels));
}

void DifferenceOutput::add(const ComparedRows& rows) {
  const std::size_t bytes = format_.row_bytes();
  const auto sample = static_cast<std::size_t>(sample_bytes(format_.type));
  bytes_.resize(bytes * static_cast<std::size_t>(rows.rows));
  for (int y = 0; y < rows.rows; ++y) {
    put(rows, y, row_.data());
    char* to = bytes_.data() + static_cast<std::size_t>(y) * bytes;
    for (std::size_t i = 0; i < row_.size(); ++i) {
      write_sample(to + i * sample, format_.type, row_[i], 0.5f);
    }
  }
  out_->write(
      {bytes_.data(), static_cast<std::ptrdiff_t>(bytes), {0, rows.y, width_, rows.y + rows.rows}});
}

// One row of samples.
void DifferenceOutput::put(const ComparedRows& rows, int row, float* to) const {
  const auto scale = static_cast<float>(gain_ / white_);
  for (int x = 0; x < width_; ++x) {
    const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(row) * width_ + x;
    const auto difference = [&](int c) {
      const std::ptrdiff_t i = c * rows.plane + at;
      const float d = scale * (rows.b[i] - rows.a[i]);
      return std::isnan(d) ? 1.0f : d;
    };
    const float opacity = channels_ % 2 == 0 ? std::abs(difference(channels_ - 1)) : 0;
    if (kind_ == DifferenceKind::map) {
      float largest = opacity;
      for (int c = 0; c < colours_; ++c) largest = std::max(largest, std::abs(difference(c)));
      for (const float colour : colour_of(static_cast<double>(largest))) *to++ = in_file(colour);
      continue;
    }
    for (int c = 0; c < colours_; ++c) {
      const float d = difference(c);
      *to++ = kind_ == DifferenceKind::absolute ? std::max(std::abs(d), opacity)
              : floats_                         ? d
                                                : 0.5f + 0.5f * d;
    }
  }
}

// A colour of the scale, which is in sRGB, as the file has it.
float DifferenceOutput::in_file(float colour) const {
  return floats_ ? static_cast<float>(decode(Coding::srgb(), static_cast<double>(colour))) : colour;
}

void DifferenceOutput::finish() {
  if (format_.height > height_) draw_scale();
  out_->commit();
}

// A bar from 0 to the difference that has the brightest colour, with numbers below.
void DifferenceOutput::draw_scale() {
  const Scale scale(width_);
  PictureFormat strip = format_;
  strip.height = scale.height;
  strip.type = SampleType::u8;
  strip.coding = Coding::srgb();
  HeldPicture picture = blank_picture(strip);
  const int length = width_ - 2 * scale.side;
  const Rect bar{scale.side, scale.side, scale.side + length, scale.side + scale.bar};
  for (int y = 0; y < scale.height; ++y) {
    auto* to = static_cast<std::uint8_t*>(picture.view().row(y));
    for (int x = 0; x < width_; ++x, to += 3) {
      const std::array<float, 3> colour =
          bar.contains({x, y, x + 1, y + 1})
              ? colour_of(static_cast<double>(x - bar.x0) / (length - 1))
              : std::array<float, 3>{0.98f, 0.98f, 0.98f};
      for (std::size_t c = 0; c < 3; ++c) {
        to[c] = static_cast<std::uint8_t>(std::lround(255 * colour[c]));
      }
    }
  }
  const TextStyle style{scale.text, {0.2f, 0.2f, 0.22f}, false};
  for (const double part : {0.0, 0.5, 1.0}) {
    char text[32];
    const bool more = part == 1 && exceeds_scale_;
    std::snprintf(text, sizeof text, more ? "≥ %.3g" : "%.3g", part / gain_);
    const int at = bar.x0 + static_cast<int>(part * (length - width_of_text(text, style)));
    draw_text(picture, at, bar.y1 + scale.text + scale.text / 2, text, style);
  }
  std::vector<char> bytes(format_.row_bytes() * static_cast<std::size_t>(scale.height));
  const auto sample = static_cast<std::size_t>(sample_bytes(format_.type));
  for (std::size_t i = 0; i < picture.bytes.size(); ++i) {
    const auto code = static_cast<unsigned char>(picture.bytes[i]);
    write_sample(bytes.data() + i * sample, format_.type, in_file(static_cast<float>(code) / 255),
                 0.5f);
  }
  out_->write({bytes.data(),
               static_cast<std::ptrdiff_t>(format_.row_bytes()),
               {0, height_, width_, format_.height}});
}

}  // namespace sfumato::cli
