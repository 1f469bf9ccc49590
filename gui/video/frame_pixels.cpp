// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Luma and chroma to red, green and blue in integer arithmetic (ITU-R BT.601-7, BT.709-6).
#include "video/frame_pixels.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "image/parallel_rows.hpp"

namespace sfumato::gui {
namespace {

// Multiplied by 256.
struct Matrix3 {
  int black, y, rv, gu, gv, bu;
};
constexpr Matrix3 bt601{16, 298, 409, -100, -208, 516}, bt709{16, 298, 459, -55, -136, 541},
    full601{0, 256, 359, -88, -183, 454}, full709{0, 256, 403, -48, -120, 475};

const Matrix3& matrix_of(const QVideoFrame& frame) {
  const QVideoFrameFormat format = frame.surfaceFormat();
  const bool full = format.colorRange() == QVideoFrameFormat::ColorRange_Full;
  const bool unknown = format.colorSpace() == QVideoFrameFormat::ColorSpace_Undefined;
  const bool small = unknown && frame.height() < 720;  // by convention
  if (small || format.colorSpace() == QVideoFrameFormat::ColorSpace_BT601) {
    return full ? full601 : bt601;
  }
  return full ? full709 : bt709;
}

// The position of the chroma samples of a 4:2:0 frame.
struct Chroma {
  const uchar *u = nullptr, *v = nullptr;
  int stride = 0, step = 0;
};

Chroma chroma_of(const QVideoFrame& frame) {
  const uchar *first = frame.bits(1), *second = frame.bits(2);
  switch (frame.pixelFormat()) {
    case QVideoFrameFormat::Format_YUV420P:
      return {first, second, frame.bytesPerLine(1), 1};
    case QVideoFrameFormat::Format_YV12:
      return {second, first, frame.bytesPerLine(1), 1};
    case QVideoFrameFormat::Format_NV12:
      return {first, first + 1, frame.bytesPerLine(1), 2};
    case QVideoFrameFormat::Format_NV21:
      return {first + 1, first, frame.bytesPerLine(1), 2};
    default:
      return {};
  }
}

constexpr int block = 64;  // pixels at a time; even

using Lane = std::int16_t;

// The high half of a product: values times 128 by coefficients times 32 give sixteenths.
Lane product(int number, Lane coefficient) {
  return static_cast<Lane>(static_cast<Lane>(number * 128) * coefficient >> 16);
}

// Converts sixteenths to bytes, given that both products were rounded down.
void round_to_bytes(const Lane* luma, const Lane* chroma, uchar* to) {
  for (int i = 0; i < block; ++i) {
    const auto sum = static_cast<Lane>(luma[i] + chroma[i] + 9);
    to[i] = static_cast<uchar>(std::clamp<Lane>(static_cast<Lane>(sum >> 4), 0, 255));
  }
}

// Colour by colour in whole blocks, which compilers vectorise, then interleaved.
void convert_block(const uchar* luma, const uchar* u, const uchar* v, const Matrix3& m, int count,
                   uchar* to) {
  const auto times32 = [](int times256) { return static_cast<Lane>(times256 * 32); };
  const Lane my = times32(m.y), rv = times32(m.rv), gu = times32(m.gu), gv = times32(m.gv),
             bu = times32(m.bu);
  Lane y[block], r[block], g[block], b[block];
  for (int i = 0; i < block; ++i) y[i] = product(luma[i] - m.black, my);
  for (int i = 0; i < block / 2; ++i) {
    const int blue = u[i] - 128, red = v[i] - 128;
    r[2 * i] = r[2 * i + 1] = product(red, rv);
    g[2 * i] = g[2 * i + 1] = static_cast<Lane>(product(blue, gu) + product(red, gv));
    b[2 * i] = b[2 * i + 1] = product(blue, bu);
  }
  uchar red[block], green[block], blue[block];
  std::uint32_t pixels[block];
  round_to_bytes(y, r, red);
  round_to_bytes(y, g, green);
  round_to_bytes(y, b, blue);
  // In memory byte order.
  constexpr bool little = std::endian::native == std::endian::little;
  constexpr int first = little ? 0 : 24, second = little ? 8 : 16, third = little ? 16 : 8;
  for (int i = 0; i < block; ++i) {
    pixels[i] = static_cast<std::uint32_t>(red[i]) << first |
                static_cast<std::uint32_t>(green[i]) << second |
                static_cast<std::uint32_t>(blue[i]) << third;
  }
  // The fourth byte of each pixel is the first of the next one.
  for (int i = 0; i + 1 < count; ++i, to += 3) std::memcpy(to, &pixels[i], 4);
  std::memcpy(to, &pixels[count - 1], 3);
}

void convert_row(const uchar* luma, const Chroma& chroma, int half_y, int width, const Matrix3& m,
                 uchar* to) {
  const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(half_y) * chroma.stride;
  uchar y[block] = {}, u[block / 2] = {}, v[block / 2] = {};
  for (int x = 0; x < width; x += block) {
    const int count = std::min(block, width - x), half = (count + 1) / 2;
    const std::ptrdiff_t at = row + static_cast<std::ptrdiff_t>(x / 2) * chroma.step;
    std::copy_n(luma + x, count, y);
    for (int i = 0; i < half; ++i) {
      u[i] = chroma.u[at + i * chroma.step];
      v[i] = chroma.v[at + i * chroma.step];
    }
    convert_block(y, u, v, m, count, to + 3 * static_cast<std::ptrdiff_t>(x));
  }
}

void shape(HeldPicture& out, int width, int height) {
  out.format = frame_format(width, height);
  out.bytes.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3);
}

bool read_image(const QImage& image, HeldPicture& out) {
  if (image.isNull()) return false;
  const QImage rgb = image.convertToFormat(QImage::Format_RGB888);
  shape(out, rgb.width(), rgb.height());
  for (int y = 0; y < rgb.height(); ++y) {
    std::memcpy(out.view().row(y), rgb.constScanLine(y), static_cast<std::size_t>(rgb.width()) * 3);
  }
  return true;
}

// Of RGB with a fourth byte, which is left out.
void read_rgbx(const QVideoFrame& frame, HeldPicture& out) {
  shape(out, frame.width(), frame.height());
  const HostView to = out.view();
  ParallelRows().run(0, frame.height(), [&](int y) {
    const uchar* from = frame.bits(0) + std::ptrdiff_t{y} * frame.bytesPerLine(0);
    auto* pixel = static_cast<uchar*>(to.row(y));
    for (int x = 0; x < frame.width(); ++x, from += 4, pixel += 3) std::copy_n(from, 3, pixel);
  });
}

}  // namespace

std::shared_ptr<HeldPicture> FramePool::take() {
  std::unique_ptr<HeldPicture> frame;
  {
    const std::lock_guard lock(left_->mutex);
    if (!left_->frames.empty()) {
      frame = std::move(left_->frames.back());
      left_->frames.pop_back();
    }
  }
  if (!frame) frame = std::make_unique<HeldPicture>();
  return {frame.release(), [left = left_](HeldPicture* done) {
            std::unique_ptr<HeldPicture> held(done);
            const std::lock_guard lock(left->mutex);
            if (left->frames.size() < most) left->frames.push_back(std::move(held));
          }};
}

PictureFormat frame_format(int width, int height) {
  return {width, height, 3, SampleType::u8, AlphaKind::none, Coding::srgb()};
}

bool read_pixels(QVideoFrame frame, HeldPicture& out) {
  if (!frame.isValid() || !frame.map(QVideoFrame::ReadOnly)) return false;
  if (frame.pixelFormat() == QVideoFrameFormat::Format_RGBX8888) {
    read_rgbx(frame, out);
    frame.unmap();
    return true;
  }
  const Chroma chroma = chroma_of(frame);
  if (chroma.u == nullptr) {
    frame.unmap();
    return read_image(frame.toImage(), out);
  }
  shape(out, frame.width(), frame.height());
  const HostView to = out.view();
  const Matrix3& matrix = matrix_of(frame);
  const int stride = frame.bytesPerLine(0), width = frame.width();
  const uchar* luma = frame.bits(0);
  ParallelRows().run(0, frame.height(), [&](int y) {
    convert_row(luma + static_cast<std::ptrdiff_t>(y) * stride, chroma, y / 2, width, matrix,
                static_cast<uchar*>(to.row(y)));
  });
  frame.unmap();
  return true;
}

QImage image_of(const std::shared_ptr<const HeldPicture>& picture) {
  using Keep = std::shared_ptr<const HeldPicture>;
  const PictureFormat& f = picture->format;
  return QImage(
      reinterpret_cast<const uchar*>(picture->bytes.data()), f.width, f.height, 3 * f.width,
      QImage::Format_RGB888, [](void* keep) { delete static_cast<Keep*>(keep); },
      new Keep(picture));
}

}  // namespace sfumato::gui
