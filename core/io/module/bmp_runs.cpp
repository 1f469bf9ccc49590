// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "io/module/bmp_runs.hpp"

#include <algorithm>

namespace sfumato::files {

BmpRuns::BmpRuns(std::istream& in, const BmpHeader& header)
    : in_(in),
      data_(header.data),
      width_(header.width),
      height_(header.height),
      bits_(header.bits) {
  find_rows();
}

std::uint64_t BmpRuns::bytes_of(std::uint64_t pixels) const {
  return (pixels * static_cast<std::uint64_t>(bits_) + 7) / 8;
}

BmpRuns::Code BmpRuns::next() {
  const int count = in_.get(), second = in_.get();
  if (!in_) return {};
  if (count > 0) {
    in_.unget();
    return {.kind = Kind::run, .count = static_cast<std::uint64_t>(count)};
  }
  if (second > 2) return {.kind = Kind::absolute, .count = static_cast<std::uint64_t>(second)};
  if (second < 2) return {.kind = second == 0 ? Kind::end_of_row : Kind::end};
  const int right = in_.get(), up = in_.get();
  if (!in_) return {};
  return {.kind = Kind::delta,
          .right = static_cast<std::uint64_t>(right),
          .up = static_cast<std::uint64_t>(up)};
}

// A run holds one pixel, or two of half a byte; what is absolute is padded to an even size.
void BmpRuns::skip(const Code& code) {
  if (code.kind == Kind::run) in_.ignore(std::max(1, bits_ / 8));
  if (code.kind == Kind::absolute) {
    in_.ignore(static_cast<std::streamsize>((bytes_of(code.count) + 1) / 2 * 2));
  }
}

// One pass, because rows are stored from the bottom and asked for from the top.
void BmpRuns::find_rows() {
  in_.clear();
  in_.seekg(static_cast<std::streamoff>(data_));
  std::uint64_t row = 0, x = 0;
  bool begun = false;
  while (row < height_) {
    const std::streamoff at = begun ? std::streamoff{0} : std::streamoff{in_.tellg()};
    const Code code = next();
    if (code.kind == Kind::missing || code.kind == Kind::end) {
      whole_ = code.kind == Kind::end || (row + 1 == height_ && x >= width_);
      return;
    }
    if (code.kind == Kind::end_of_row || (code.kind == Kind::delta && code.up > 0)) {
      x = code.kind == Kind::delta ? x + code.right : 0;
      row += code.kind == Kind::delta ? code.up : 1;
      begun = false;
      continue;
    }
    if (!begun) begins_.push_back({row, x, at});
    begun = true;
    skip(code);
    if (!in_) return;
    x += code.count + code.right;
  }
  whole_ = true;
}

std::uint32_t BmpRuns::pixel() {
  std::uint32_t out = 0;
  for (int shift = 0; shift < std::max(8, bits_); shift += 8) {
    out |= static_cast<std::uint32_t>(in_.get() & 0xff) << shift;
  }
  return out;
}

// Pixels beyond the row's end are left out.
void BmpRuns::put(const Code& code, std::uint64_t x, std::vector<std::uint32_t>& pixels) {
  const bool run = code.kind == Kind::run;
  std::uint32_t held = run ? pixel() : 0;
  for (std::uint64_t i = 0; i < code.count; ++i) {
    const bool first = bits_ != 4 || i % 2 == 0;
    if (!run && first) held = pixel();
    const std::uint32_t value = bits_ != 4 ? held : first ? held >> 4 : held & 15;
    if (x + i < pixels.size()) pixels[static_cast<std::size_t>(x + i)] = value;
  }
  if (!run && bytes_of(code.count) % 2 != 0) in_.ignore(1);
}

std::vector<BmpRuns::Begin>::const_iterator BmpRuns::begin_of(std::uint64_t y) const {
  const std::uint64_t row = height_ - 1 - y;
  const auto found = std::lower_bound(begins_.begin(), begins_.end(), row,
                                      [](const Begin& b, std::uint64_t r) { return b.row < r; });
  return found == begins_.end() || found->row != row ? begins_.end() : found;
}

bool BmpRuns::holds(std::uint64_t y) const {
  return begin_of(y) != begins_.end();
}

bool BmpRuns::read(std::uint64_t y, std::vector<std::uint32_t>& pixels) {
  std::fill(pixels.begin(), pixels.end(), 0);
  const auto found = begin_of(y);
  if (found == begins_.end()) return true;
  in_.clear();
  in_.seekg(found->at);
  std::uint64_t x = found->x;
  for (Code code = next(); code.kind != Kind::end_of_row && code.kind != Kind::end; code = next()) {
    if (code.kind == Kind::missing) return x >= width_;
    if (code.kind == Kind::delta && code.up > 0) break;
    if (code.kind != Kind::delta) put(code, x, pixels);
    if (!in_) return false;
    x += code.count + code.right;
  }
  return true;
}

}  // namespace sfumato::files
