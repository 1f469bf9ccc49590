// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// PNG files whose texts and EXIF follow the picture's data, as ImageMagick writes them: OpenImageIO
// reads what is before the data. And without the place of a picture that is far away.
#include <OpenImageIO/filesystem.h>
#include <OpenImageIO/tiffutils.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <vector>

#include "io/module/embedded.hpp"
#include "io/module/overlay.hpp"
#include "io/module/proxy_input.hpp"

namespace sfumato::files {
namespace {

using OIIO::Filesystem::IOFile;

// Bytes of the file, and where they are shown.
struct Piece {
  std::uint64_t from = 0, size = 0, at = 0;
};

// The file with its late chunks before the data.
class Reordered final : public PlacedFile {
 public:
  Reordered(std::FILE* file, const std::vector<Piece>& pieces)
      : PlacedFile(file), pieces_(pieces) {}

  std::size_t pread(void* to, std::size_t size, std::int64_t offset) override {
    const auto behind = [](std::uint64_t at, const Piece& piece) { return at < piece.at; };
    auto at = static_cast<std::uint64_t>(offset);
    auto piece = std::upper_bound(pieces_.begin(), pieces_.end(), at, behind) - 1;
    std::size_t done = 0;
    for (; done < size && piece != pieces_.end(); ++piece) {
      const std::uint64_t inside = at - piece->at;
      const std::size_t now = std::min<std::uint64_t>(size - done, piece->size - inside);
      const std::size_t got = IOFile::pread(static_cast<char*>(to) + done, now,
                                            static_cast<std::int64_t>(piece->from + inside));
      done += got;
      at += got;
      if (got < now) break;
    }
    return done;
  }

 private:
  const std::vector<Piece>& pieces_;
};

class LatePngInput final : public ProxyInput {
 public:
  const char* format_name() const override { return "png"; }

 private:
  void look_into(const std::string& name) override {
    Bytes in(name, true);
    std::uint64_t data = 0;
    const std::vector<Chunk> late = late_chunks_of_png(in, data);
    pieces_.clear();
    const std::optional<Chunk> far = far_offset_in_png(in);
    add(0, far ? far->begin() : data);
    if (far) add(far->end(), data);
    for (const Chunk& chunk : late) add(chunk.begin(), chunk.end());
    for (const Chunk& chunk : late) {
      add(data, chunk.begin());
      data = chunk.end();
    }
    add(data, in.size());
  }
  std::unique_ptr<Proxy> show(std::FILE* file) const override {
    return std::make_unique<Reordered>(file, pieces_);
  }

  void add(std::uint64_t begin, std::uint64_t end) {
    if (begin >= end) return;
    const std::uint64_t at = pieces_.empty() ? 0 : pieces_.back().at + pieces_.back().size;
    pieces_.push_back({begin, end - begin, at});
  }

  std::vector<Piece> pieces_;
};

}  // namespace

bool is_unusual_png(const std::filesystem::path& path) {
  Bytes in(path, true);
  std::uint64_t data = 0;
  return !late_chunks_of_png(in, data).empty() || far_offset_in_png(in);
}

void read_png_exif(const std::filesystem::path& path, OIIO::ImageSpec& spec) {
  Bytes in(path, true);
  const std::string exif = metadata_in_png(in).exif;
  if (!exif.empty() && spec.find_attribute("Orientation") == nullptr) {
    OIIO::decode_exif(exif, spec);
  }
}

std::unique_ptr<OIIO::ImageInput> make_late_png_input() {
  return std::make_unique<LatePngInput>();
}

}  // namespace sfumato::files
