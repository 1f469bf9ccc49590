// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Luma and chroma to red, green and blue in whole numbers (ITU-R BT.601-7, BT.709-6).
#include "video/frame_pixels.hpp"

#include <algorithm>
#include <cstring>

#include "image/rows.hpp"

namespace sfumato::gui {
namespace {

// Times 256.
struct Matrix3 {
  int black, y, rv, gu, gv, bu;
};
constexpr Matrix3 bt601{16, 298, 409, -100, -208, 516}, bt709{16, 298, 459, -55, -136, 541},
    full601{0, 256, 359, -88, -183, 454}, full709{0, 256, 403, -48, -120, 475};

const Matrix3& matrix_of(const QVideoFrame& frame) {
  const QVideoFrameFormat format = frame.surfaceFormat();
  const bool full = format.colorRange() == QVideoFrameFormat::ColorRange_Full;
  const bool unknown = format.colorSpace() == QVideoFrameFormat::ColorSpace_Undefined;
  const bool small = unknown && frame.height() < 720;  // by custom
  if (small || format.colorSpace() == QVideoFrameFormat::ColorSpace_BT601) {
    return full ? full601 : bt601;
  }
  return full ? full709 : bt709;
}

// Where the chroma of a 4:2:0 frame lies.
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

uchar byte(int times256) {
  return static_cast<uchar>(std::clamp((times256 + 128) >> 8, 0, 255));
}

void convert_row(const uchar* luma, const Chroma& chroma, int half_y, int width, const Matrix3& m,
                 uchar* to) {
  const uchar* u_row = chroma.u + static_cast<std::ptrdiff_t>(half_y) * chroma.stride;
  const uchar* v_row = chroma.v + static_cast<std::ptrdiff_t>(half_y) * chroma.stride;
  for (int x = 0; x < width; ++x, to += 3) {
    const int at = x / 2 * chroma.step, u = u_row[at] - 128, v = v_row[at] - 128;
    const int y = m.y * (luma[x] - m.black);
    to[0] = byte(y + m.rv * v);
    to[1] = byte(y + m.gu * u + m.gv * v);
    to[2] = byte(y + m.bu * u);
  }
}

HeldPicture pixels_of_image(const QImage& image) {
  if (image.isNull()) return {};
  const QImage rgb = image.convertToFormat(QImage::Format_RGB888);
  HeldPicture out = blank_picture(frame_format(rgb.width(), rgb.height()));
  for (int y = 0; y < rgb.height(); ++y) {
    std::memcpy(out.view().row(y), rgb.constScanLine(y), static_cast<std::size_t>(rgb.width()) * 3);
  }
  return out;
}

}  // namespace

PictureFormat frame_format(int width, int height) {
  return {width, height, 3, SampleType::u8, AlphaKind::none, Coding::srgb()};
}

HeldPicture pixels_of(QVideoFrame frame) {
  if (!frame.isValid() || !frame.map(QVideoFrame::ReadOnly)) return {};
  const Chroma chroma = chroma_of(frame);
  if (chroma.u == nullptr) {
    frame.unmap();
    return pixels_of_image(frame.toImage());
  }
  HeldPicture out = blank_picture(frame_format(frame.width(), frame.height()));
  const HostView to = out.view();
  const Matrix3& matrix = matrix_of(frame);
  const int stride = frame.bytesPerLine(0), width = frame.width();
  const uchar* luma = frame.bits(0);
  Rows().run(0, frame.height(), [&](int y) {
    convert_row(luma + static_cast<std::ptrdiff_t>(y) * stride, chroma, y / 2, width, matrix,
                static_cast<uchar*>(to.row(y)));
  });
  frame.unmap();
  return out;
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
