// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "io/module/resized_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string_view>

#include "image/transfer.hpp"

namespace sfumato::files {
namespace {

using OIIO::TypeDesc;
using namespace std::string_view_literals;

std::optional<SampleType> sample_type_of(const TypeDesc& type) {
  if (type == TypeDesc::UINT8) return SampleType::u8;
  if (type == TypeDesc::UINT16) return SampleType::u16;
  if (type == TypeDesc::HALF) return SampleType::f16;
  if (type == TypeDesc::FLOAT) return SampleType::f32;
  return std::nullopt;
}

// By the last part of their names, as OpenEXR's conventions have them.
bool is_of_color(const std::string& channel) {
  constexpr std::array tails = {"r"sv,   "g"sv,     "b"sv,    "a"sv,     "y"sv,  "ry"sv, "by"sv,
                                "red"sv, "green"sv, "blue"sv, "alpha"sv, "ar"sv, "ag"sv, "ab"sv};
  const std::string name = lower(channel);
  const std::string tail = name.substr(name.rfind('.') + 1);
  return std::find(tails.begin(), tails.end(), tail) != tails.end();
}

// The old sample under the middle of a new one.
int nearest_sample(int at, int from, int to) {
  return std::min(from - 1, static_cast<int>((at + 0.5) * from / to));
}

}  // namespace

ResizedRows::ResizedRows(const Origin& origin, int part, const PictureSize& to, ResizeFilter filter,
                         const std::vector<int>& left_out)
    : origin_(origin),
      part_(part),
      from_(origin.parts()[static_cast<std::size_t>(part)]),
      to_(to),
      pixel_(from_.pixel_bytes(true)),
      to_width_(static_cast<std::size_t>(to.width)) {
  const PictureSize old{from_.width, from_.height};
  std::size_t at = 0;
  for (int c = 0; c < from_.nchannels; ++c) {
    const TypeDesc type = from_.channelformat(c);
    const bool wanted = std::find(left_out.begin(), left_out.end(), c) == left_out.end();
    const bool colors =
        origin.kind() != FileKind::openexr || is_of_color(std::string(from_.channel_name(c)));
    if (wanted) {
      Channel channel{at, type.size(), type, nullptr};
      if (colors && sample_type_of(type)) {
        channel.resampler = std::make_unique<Resampler>(old, to_, 1, filter);
      }
      channels_.push_back(std::move(channel));
    }
    at += type.size();
  }
  for (int x = 0; x < to_.width; ++x) columns_.push_back(nearest_sample(x, old.width, to_.width));
}

int ResizedRows::nearest_row(int y) const {
  return nearest_sample(y, from_.height, to_.height);
}

const char* ResizedRows::read(int y0, int y1) {
  const std::size_t row = pixel_ * to_width_;
  const auto gone = static_cast<std::ptrdiff_t>(static_cast<std::size_t>(y0 - begin_) * row);
  rows_.erase(rows_.begin(), rows_.begin() + std::min(gone, std::ssize(rows_)));
  begin_ = y0;
  while (made_ < y1 && fed_ < from_.height) feed_row();
  make_room(y1);
  return rows_.data();
}

void ResizedRows::make_room(int end) {
  const std::size_t bytes = static_cast<std::size_t>(end - begin_) * pixel_ * to_width_;
  if (rows_.size() < bytes) rows_.resize(bytes);
}

void ResizedRows::feed_row() {
  const std::size_t row = static_cast<std::size_t>(from_.scanline_bytes(true));
  if (fed_ == strip_y1_) {
    constexpr int rows_at_once = 16;
    const int unit = from_.tile_width > 0 ? std::max(1, from_.tile_height) : rows_at_once;
    strip_y0_ = fed_;
    strip_y1_ = std::min(from_.height, fed_ + unit);
    strip_.resize(row * static_cast<std::size_t>(strip_y1_ - strip_y0_));
    origin_.read(part_, from_, strip_y0_, strip_y1_, strip_.data());
  }
  const char* at = strip_.data() + static_cast<std::size_t>(fed_ - strip_y0_) * row;
  int made = to_.height;
  for (Channel& channel : channels_) {
    if (channel.resampler) {
      feed(channel, at);
    } else {
      take_nearest(channel, at);
    }
  }
  ++fed_;
  for (const Channel& channel : channels_) {
    if (channel.resampler) {
      made = std::min(made, channel.resampler->rows_made());
    } else {
      int next = made_;
      while (next < to_.height && nearest_row(next) < fed_) ++next;
      made = std::min(made, next);
    }
  }
  made_ = made;
}

void ResizedRows::feed(Channel& channel, const char* row) {
  const SampleType type = *sample_type_of(channel.type);
  constexpr float largest_half = 65504;
  floats_.resize(static_cast<std::size_t>(from_.width));
  for (std::size_t x = 0; x < floats_.size(); ++x) {
    floats_[x] = read_sample(row + x * pixel_ + channel.at, type);
  }
  channel.resampler->add(
      floats_.data(), from_.width, 1,
      [&](int y0, int y1, const float* made) {
        make_room(y1);
        for (int y = y0; y < y1; ++y) {
          char* to = row_at(y) + channel.at;
          for (std::size_t x = 0; x < to_width_; ++x, to += pixel_, ++made) {
            const bool is_long = type == SampleType::f16 && std::isfinite(*made);
            write_sample(to, type, is_long ? std::clamp(*made, -largest_half, largest_half) : *made,
                         0.5f);
          }
        }
      },
      parallel_);
}

void ResizedRows::take_nearest(const Channel& channel, const char* row) {
  for (int y = std::max(made_, begin_); y < to_.height && nearest_row(y) <= fed_; ++y) {
    if (nearest_row(y) != fed_) continue;
    make_room(y + 1);
    char* to = row_at(y) + channel.at;
    for (std::size_t x = 0; x < to_width_; ++x, to += pixel_) {
      std::memcpy(to, row + static_cast<std::size_t>(columns_[x]) * pixel_ + channel.at,
                  channel.bytes);
    }
  }
}

OriginRows::OriginRows(const Origin& origin, int part, const PictureSize& to, ResizeFilter filter,
                       const std::vector<int>& left_out)
    : origin_(origin), part_(part) {
  const OIIO::ImageSpec& from = origin.parts()[static_cast<std::size_t>(part)];
  if (to == PictureSize{from.width, from.height}) return;
  resized_.emplace(origin, part, to, filter, left_out);
}

// Rows of tiles cannot be read in part.
const char* OriginRows::read(int y0, int y1) {
  if (resized_) return resized_->read(y0, y1);
  const OIIO::ImageSpec& from = origin_.parts()[static_cast<std::size_t>(part_)];
  const int unit = from.tile_width > 0 ? std::max(1, from.tile_height) : 1;
  const int begin = y0 / unit * unit;
  const int end = std::min(from.height, (y1 + unit - 1) / unit * unit);
  const auto row = static_cast<std::size_t>(from.scanline_bytes(true));
  rows_.resize(row * static_cast<std::size_t>(end - begin));
  origin_.read(part_, from, begin, end, rows_.data());
  return rows_.data() + static_cast<std::size_t>(y0 - begin) * row;
}

}  // namespace sfumato::files
