// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Picture files for tests: written and read directly by OpenImageIO, copied by the library.
#pragma once

#include <OpenImageIO/imageio.h>

#include <QTemporaryDir>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "io/io.hpp"
#include "support/pictures.hpp"

namespace sfumato::testing {

/// A folder that is removed with the test.
struct Folder {
  QTemporaryDir dir;

  Folder() = default;
  // Qt does not remove files whose names are not valid text.
  ~Folder() {
    std::error_code error;
    std::filesystem::remove_all(dir.path().toStdString(), error);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::filesystem::path operator/(const std::string& name) const {
    return std::filesystem::path(dir.path().toStdString()) / name;
  }
  /// All names in it, sorted: nothing hidden may be left behind.
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& e : std::filesystem::directory_iterator(dir.path().toStdString())) {
      out.push_back(e.path().filename().string());
    }
    std::sort(out.begin(), out.end());
    return out;
  }
};

inline std::string content(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

inline void put(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), std::ssize(bytes));
}

inline OIIO::TypeDesc oiio_type(SampleType t) {
  return t == SampleType::u8    ? OIIO::TypeDesc::UINT8
         : t == SampleType::u16 ? OIIO::TypeDesc::UINT16
         : t == SampleType::f16 ? OIIO::TypeDesc::HALF
                                : OIIO::TypeDesc::FLOAT;
}

/// Writes parts of floats 0..1 by OpenImageIO: one part per description. Throws its error message.
inline void make_file(const std::filesystem::path& path, std::vector<OIIO::ImageSpec> parts,
                      std::uint32_t seed = 7) {
  auto out = OIIO::ImageOutput::create(path.string());
  if (!out) throw std::runtime_error(OIIO::geterror());
  const auto need = [&](bool ok) {
    if (!ok) throw std::runtime_error(out->geterror());
  };
  need(parts.size() == 1 || out->supports("appendsubimage")
           ? out->open(path.string(), parts[0])
           : out->open(path.string(), static_cast<int>(parts.size()), parts.data()));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) need(out->open(path.string(), parts[i], OIIO::ImageOutput::AppendSubimage));
    std::vector<float> values(parts[i].image_pixels() *
                              static_cast<std::size_t>(parts[i].nchannels));
    for (float& v : values) v = noise_at(seed);
    need(out->write_image(OIIO::TypeDesc::FLOAT, values.data()));
  }
  need(out->close());
}

inline OIIO::ImageSpec spec_of(const std::filesystem::path& path, int part = 0) {
  auto in = OIIO::ImageInput::open(path.string());
  if (!in) throw std::runtime_error(OIIO::geterror());
  return in->spec(part);
}

/// All channels of a part as floats, alpha as stored.
inline std::vector<float> values_of(const std::filesystem::path& path, int part = 0) {
  OIIO::ImageSpec config;
  config.attribute("oiio:UnassociatedAlpha", 1);
  auto in = OIIO::ImageInput::open(path.string(), &config);
  if (!in) throw std::runtime_error(OIIO::geterror());
  const OIIO::ImageSpec s = in->spec(part);
  std::vector<float> out(s.image_pixels() * static_cast<std::size_t>(s.nchannels));
  if (!in->read_image(part, 0, 0, s.nchannels, OIIO::TypeDesc::FLOAT, out.data())) {
    throw std::runtime_error(in->geterror());
  }
  return out;
}

/// Integers in sRGB's coding, floats in light.
inline PictureFormat usual_format(int channels, SampleType type, AlphaKind alpha, int width = 37,
                                  int height = 53) {
  return {width, height, channels,
          type,  alpha,  is_integer(type) ? Coding::srgb() : Coding::linear()};
}

/// The bytes of `image` through a file.
inline std::unique_ptr<InputPicture> through(const std::filesystem::path& path, Image& image,
                                             const WriteOptions& options = {}) {
  auto out = create_picture(path, options, image.format);
  out->write(image.view());
  out->commit();
  return open_picture(path);
}

/// What was said about a copied file, as it was read and as it was written.
struct Said {
  std::vector<Message> reading, writing;
};

/// Copies a file in bands of a few rows, like the engine with a filter that changes nothing.
/// `change` may modify the values of a band in between.
inline Said copy_picture(const std::filesystem::path& from, const std::filesystem::path& to,
                         const WriteOptions& options = {}, const ReadOptions& read = {},
                         const std::function<void(std::vector<char>&)>& change = {}, int band = 7) {
  auto in = open_picture(from, read);
  auto out = create_picture(to, options, *in);
  const PictureFormat a = in->format(), b = out->format();
  for (int y = 0; y < a.height; y += band) {
    const Rect rows{0, y, a.width, std::min(a.height, y + band)};
    const std::size_t pitch = static_cast<std::size_t>(a.width) * a.pixel_bytes();
    std::vector<char> bytes(pitch * static_cast<std::size_t>(rows.height()));
    in->read(rows, bytes.data(), static_cast<std::ptrdiff_t>(pitch));
    if (change) change(bytes);
    if (a.channels == b.channels && a.type == b.type && a.alpha == b.alpha &&
        a.coding == b.coding) {
      out->write({bytes.data(), static_cast<std::ptrdiff_t>(pitch), rows});
      continue;
    }
    std::vector<float> pixels(4 * static_cast<std::size_t>(rows.area()));
    const FloatView floats{pixels.data(), {0, y, a.width, rows.height(), a.width, 0}, 4};
    const PixelState state{b.coding, b.alpha};
    const HostView original{bytes.data(), static_cast<std::ptrdiff_t>(pitch), rows};
    load_pixels(original, a, floats, state, ParallelRows({}, 1));
    Image part(PictureFormat{a.width, rows.height(), b.channels, b.type, b.alpha, b.coding});
    HostView view = part.view();
    view.region = rows;
    store_pixels(floats, state, view, b, nullptr, nullptr, false, ParallelRows({}, 1));
    out->write(view);
  }
  out->commit();
  return {in->info().warnings, out->warnings()};
}

/// The same; what was said when it was written.
inline std::vector<std::string> pass_through(
    const std::filesystem::path& from, const std::filesystem::path& to,
    const WriteOptions& options = {}, const ReadOptions& read = {},
    const std::function<void(std::vector<char>&)>& change = {}, int band = 7) {
  return in_english(copy_picture(from, to, options, read, change, band).writing);
}

/// The message of a FileError thrown by a call; empty if it does not throw.
template <class Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const FileError& e) {
    return e.what();
  }
  return {};
}

}  // namespace sfumato::testing
