// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What is seen of a picture, and other programs that say what is right.
#pragma once

#include <QProcess>
#include <QStandardPaths>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "io/io.hpp"
#include "support/files.hpp"
#include "support/skips.hpp"

namespace sfumato::testing {

/// Colour of transparent pixels aside; opaque where there is no alpha.
inline std::vector<std::uint8_t> shown_pixels(const std::filesystem::path& path, int page = 0) {
  const auto in = open_picture(path, {.page = page});
  Image image(in->format());
  image.bytes = read_all(*in).bytes;
  const PictureFormat& f = image.format;
  const bool gray = f.color_channels() == 1;
  std::vector<std::uint8_t> out;
  const auto code = [&](int x, int y, int c) {
    return static_cast<std::uint8_t>(std::lround(image.get(x, y, c) * 255));
  };
  for (int y = 0; y < f.height; ++y) {
    for (int x = 0; x < f.width; ++x) {
      const std::uint8_t alpha = f.has_alpha() ? code(x, y, f.channels - 1) : std::uint8_t{255};
      for (int c = 0; c < 3; ++c) {
        out.push_back(alpha == 0 ? std::uint8_t{0} : code(x, y, gray ? 0 : c));
      }
      out.push_back(alpha);
    }
  }
  return out;
}

inline bool ran(const QString& program, const QStringList& arguments,
                const std::filesystem::path& in) {
  QProcess process;
  process.setWorkingDirectory(QString::fromStdString(in.string()));
  process.start(program, arguments);
  return process.waitForFinished(-1) && process.exitCode() == 0;
}

}  // namespace sfumato::testing

#define NEED(program) \
  if (QStandardPaths::findExecutable(program).isEmpty()) SKIP_WITHOUT(program)
