// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// libtiff decodes and encodes them.
#include "io/module/tiff_samples.hpp"

#include <tiffio.h>

#include <algorithm>
#include <cstdarg>

namespace sfumato::files {
namespace {

// A file as libtiff reads it, or one in memory as it writes it.
struct Stream {
  Bytes* in = nullptr;
  std::string held;
  std::uint64_t at = 0;

  std::uint64_t size() const { return in != nullptr ? in->size() : held.size(); }
};

Stream& stream_of(thandle_t handle) {
  return *static_cast<Stream*>(handle);
}

tmsize_t read_bytes(thandle_t handle, void* to, tmsize_t wanted) {
  Stream& s = stream_of(handle);
  if (s.in == nullptr) return 0;  // what is written is not read again
  auto* place = static_cast<char*>(to);
  tmsize_t done = 0;
  while (done < wanted) {
    const std::uint64_t piece =
        std::min({static_cast<std::uint64_t>(wanted - done), s.in->behind(s.at), Bytes::largest});
    const std::string bytes = s.in->text(s.at, piece);
    if (bytes.empty()) break;
    std::copy(bytes.begin(), bytes.end(), place + done);
    s.at += bytes.size();
    done += static_cast<tmsize_t>(bytes.size());
  }
  return done;
}

tmsize_t write_bytes(thandle_t handle, void* from, tmsize_t bytes) {
  Stream& s = stream_of(handle);
  const auto count = static_cast<std::size_t>(bytes);
  const auto at = static_cast<std::size_t>(s.at);
  if (s.held.size() < at + count) s.held.resize(at + count);
  std::copy_n(static_cast<const char*>(from), count,
              s.held.begin() + static_cast<std::ptrdiff_t>(at));
  s.at += count;
  return bytes;
}

toff_t seek(thandle_t handle, toff_t offset, int whence) {
  Stream& s = stream_of(handle);
  if (whence == SEEK_SET) s.at = offset;
  if (whence == SEEK_CUR) s.at += offset;
  if (whence == SEEK_END) s.at = s.size() + offset;
  return s.at;
}

int close_nothing(thandle_t) {
  return 0;
}
toff_t size_of(thandle_t handle) {
  return stream_of(handle).size();
}

// What it complains of is said once, by who asked.
int say_nothing(TIFF*, void*, const char*, const char*, va_list) {
  return 1;
}

struct Closed {
  void operator()(TIFF* file) const { TIFFClose(file); }
};
using File = std::unique_ptr<TIFF, Closed>;

File opened(Stream& stream, const char* mode) {
  const std::unique_ptr<TIFFOpenOptions, decltype(&TIFFOpenOptionsFree)> options(
      TIFFOpenOptionsAlloc(), &TIFFOpenOptionsFree);
  TIFFOpenOptionsSetErrorHandlerExtR(options.get(), say_nothing, nullptr);
  TIFFOpenOptionsSetWarningHandlerExtR(options.get(), say_nothing, nullptr);
  return File(TIFFClientOpenExt("", mode, &stream, read_bytes, write_bytes, seek, close_nothing,
                                size_of, nullptr, nullptr, options.get()));
}

template <typename Number>
Number number_of(TIFF* file, std::uint32_t tag) {
  Number value{};
  TIFFGetFieldDefaulted(file, tag, &value);
  return value;
}

// The rows of a strip or tile as a strip of the same kind.
std::string encoded(TIFF* like, bool tiled, std::string& rows) {
  const auto row =
      static_cast<std::size_t>(tiled ? TIFFTileRowSize64(like) : TIFFScanlineSize64(like));
  if (row == 0 || rows.empty()) return {};
  const auto height = static_cast<std::uint32_t>((rows.size() + row - 1) / row);
  Stream memory;
  const File file = opened(memory, "wl");
  if (!file) return {};
  const auto planes = number_of<std::uint16_t>(like, TIFFTAG_PLANARCONFIG);
  const auto samples = number_of<std::uint16_t>(like, TIFFTAG_SAMPLESPERPIXEL);
  const auto compression = number_of<std::uint16_t>(like, TIFFTAG_COMPRESSION);
  const std::uint32_t side = tiled ? TIFFTAG_TILEWIDTH : TIFFTAG_IMAGEWIDTH;
  TIFFSetField(file.get(), TIFFTAG_IMAGEWIDTH, number_of<std::uint32_t>(like, side));
  TIFFSetField(file.get(), TIFFTAG_IMAGELENGTH, height);
  TIFFSetField(file.get(), TIFFTAG_ROWSPERSTRIP, height);
  TIFFSetField(file.get(), TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  TIFFSetField(file.get(), TIFFTAG_SAMPLESPERPIXEL,
               planes == PLANARCONFIG_SEPARATE ? 1 : int{samples});
  for (const std::uint32_t tag : {TIFFTAG_BITSPERSAMPLE, TIFFTAG_SAMPLEFORMAT}) {
    TIFFSetField(file.get(), tag, int{number_of<std::uint16_t>(like, tag)});
  }
  TIFFSetField(file.get(), TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  TIFFSetField(file.get(), TIFFTAG_COMPRESSION, int{compression});
  if (compression != COMPRESSION_PACKBITS) {
    TIFFSetField(file.get(), TIFFTAG_PREDICTOR,
                 int{number_of<std::uint16_t>(like, TIFFTAG_PREDICTOR)});
  }
  const std::size_t begin = memory.held.size();  // the header
  if (TIFFWriteEncodedStrip(file.get(), 0, rows.data(), static_cast<tmsize_t>(rows.size())) < 0) {
    return {};
  }
  return memory.held.substr(begin);
}

}  // namespace

struct TurnedStrips::Reader {
  Stream stream;
  File file;
};

TurnedStrips::TurnedStrips(Bytes& in, std::uint64_t directory)
    : reader_(std::make_unique<Reader>()) {
  reader_->stream.in = &in;
  reader_->file = opened(reader_->stream, "rhm");
  if (reader_->file && TIFFSetSubDirectory(reader_->file.get(), directory) == 0) {
    reader_->file.reset();
  }
}

TurnedStrips::~TurnedStrips() = default;

std::string TurnedStrips::strip(std::uint32_t number) {
  TIFF* const file = reader_->file.get();
  if (file == nullptr) return {};
  const bool tiled = TIFFIsTiled(file) != 0;
  const std::uint64_t most = tiled ? TIFFTileSize64(file) : TIFFStripSize64(file);
  if (most == 0 || most > most_bytes) return {};
  std::string rows(static_cast<std::size_t>(most), '\0');
  const auto size = static_cast<tmsize_t>(most);
  const tmsize_t read = tiled ? TIFFReadEncodedTile(file, number, rows.data(), size)
                              : TIFFReadEncodedStrip(file, number, rows.data(), size);
  if (read <= 0) return {};
  rows.resize(static_cast<std::size_t>(read));
  return encoded(file, tiled, rows);
}

}  // namespace sfumato::files
