// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// DPX files that OpenImageIO 2.4 does not expect: rows that end at a multiple of four bytes (SMPTE
// 268M, 5.2), of which it would take each from a little further left than the one above; files of
// other programs have no such bytes, and only the file's size tells. And headers without the parts
// about film and television, for which it would take pixels.
#include <OpenImageIO/filesystem.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "io/module/bytes.hpp"
#include "io/module/proxy_input.hpp"

namespace sfumato::files {
namespace {

// Offsets in the header, and in the description of each picture of up to eight.
constexpr std::uint64_t pictures_at = 770, width_at = 772, height_at = 776, first_picture = 780,
                        picture_bytes = 72;
constexpr std::uint64_t content_at = 20, bits_at = 23, packing_at = 24, coding_at = 26,
                        data_at = 28, padding_at = 32;

struct DpxPicture {
  std::uint64_t at = 0;  // of its description
  std::uint64_t data = 0, row = 0, padding = 0;
};

// Samples of a pixel by the kind of content; 0 for chroma that is halved.
std::uint64_t samples_of(std::uint64_t content) {
  constexpr std::uint64_t rgb = 50, rgba = 51, abgr = 52, last_single = 8;
  if (content == rgb) return 3;
  if (content == rgba || content == abgr) return 4;
  return content <= last_single ? 1 : 0;
}

// Bytes of a row without those at its end, if it consists of whole bytes; else 0.
std::uint64_t row_bytes(Bytes& in, std::uint64_t at, std::uint64_t width) {
  const std::uint64_t bits = in.number(at + bits_at, 1), packing = in.number(at + packing_at, 2);
  const bool packed = in.number(at + coding_at, 2) != 0;
  const std::uint64_t samples = width * samples_of(in.number(at + content_at, 1));
  if (packed) return 0;
  if (bits == 8) return samples;
  return bits == 16 || (bits == 12 && packing != 0) ? 2 * samples : 0;
}

// The files' byte order is told by the first bytes.
std::vector<DpxPicture> pictures_of(Bytes& in) {
  constexpr std::uint64_t unknown = 0xffffffff, most = 8;
  in.set_big_endian(in.text(0, 4) == "SDPX");
  std::vector<DpxPicture> out;
  const std::uint64_t count = std::min(in.number(pictures_at, 2), most);
  for (std::uint64_t i = 0; i < count; ++i) {
    DpxPicture one{first_picture + i * picture_bytes};
    one.data = in.number(one.at + data_at, 4);
    one.row = row_bytes(in, one.at, in.number(width_at, 4));
    one.padding = in.number(one.at + padding_at, 4);
    if (one.padding == unknown) one.padding = 0;
    out.push_back(one);
  }
  return out;
}

// Rows that have bytes at their end.
struct PaddedRows {
  std::uint64_t begin = 0, count = 0, bytes = 0, padding = 0;
};

std::vector<PaddedRows> padded_rows_of(const std::string& name) {
  Bytes in(name, true);
  const std::vector<DpxPicture> all = pictures_of(in);
  const std::uint64_t height = in.number(height_at, 4);
  std::vector<PaddedRows> out;
  for (const DpxPicture& one : all) {
    std::uint64_t end = in.size();
    for (const DpxPicture& other : all) {
      if (other.data > one.data) end = std::min(end, other.data);
    }
    const std::uint64_t padding = (4 - one.row % 4) % 4;
    const bool stated = one.padding > 0 || one.row == 0 || padding == 0;
    if (stated || end < one.data || (one.row + padding) * height > end - one.data) continue;
    out.push_back({one.data, height, one.row, padding});
  }
  return out;
}

constexpr std::uint64_t film_at = 1664, television_at = 1920, whole_header = 2048;

// Where the header ends, if it lacks parts; else 0.
std::uint64_t short_header(const std::string& name) {
  Bytes in(name, true);
  const std::vector<DpxPicture> all = pictures_of(in);
  std::uint64_t end = whole_header;
  for (const DpxPicture& one : all) end = std::min(end, one.data);
  return end >= film_at && end < whole_header ? end : 0;
}

// Shows a file as if its rows followed each other and its header were whole. What is behind the
// rows stays where it is.
class UsualDpx final : public OIIO::Filesystem::IOFile {
 public:
  UsualDpx(std::FILE* file, std::vector<PaddedRows> rows, std::uint64_t header)
      : IOFile(file, Read), rows_(std::move(rows)), header_(header) {}

  std::size_t read(void* to, std::size_t size) override {
    const std::size_t got = pread(to, size, tell());
    seek(tell() + static_cast<std::int64_t>(got));
    return got;
  }
  std::size_t pread(void* to, std::size_t size, std::int64_t offset) override {
    auto* bytes = static_cast<char*>(to);
    const auto begin = static_cast<std::uint64_t>(offset);
    if (begin < header_ && begin + size > header_) return read_header(bytes, size, begin);
    std::size_t done = 0;
    while (done < size) {
      const Run run = run_at(static_cast<std::uint64_t>(offset) + done);
      const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(size - done, run.bytes));
      const std::size_t got =
          IOFile::pread(bytes + done, wanted, static_cast<std::int64_t>(run.at));
      done += got;
      if (got < wanted) break;
    }
    return done;
  }

 private:
  // Zeros stand for no film, and bits that are all set for what is not known of television.
  std::size_t read_header(char* to, std::size_t size, std::uint64_t begin) {
    const auto held = static_cast<std::size_t>(header_ - begin);
    const std::size_t got = IOFile::pread(to, held, static_cast<std::int64_t>(begin));
    if (got < held) return got;
    const auto end = static_cast<std::size_t>(std::min<std::uint64_t>(size, whole_header - begin));
    for (std::size_t i = held; i < end; ++i) to[i] = begin + i < television_at ? '\0' : '\xff';
    return end;
  }

  struct Run {
    std::uint64_t at, bytes;
  };

  // Where a byte is in the file, and how many follow it there.
  Run run_at(std::uint64_t offset) const {
    std::uint64_t next = std::numeric_limits<std::uint64_t>::max();
    for (const PaddedRows& r : rows_) {
      if (offset < r.begin) {
        next = std::min(next, r.begin);
        continue;
      }
      const std::uint64_t row = (offset - r.begin) / r.bytes, column = (offset - r.begin) % r.bytes;
      if (row < r.count) {
        return {r.begin + row * (r.bytes + r.padding) + column, r.bytes - column};
      }
    }
    return {offset, next - offset};
  }

  std::vector<PaddedRows> rows_;
  std::uint64_t header_;
};

class UnusualDpxInput final : public ProxyInput {
 public:
  const char* format_name() const override { return "dpx"; }

 private:
  void look_into(const std::string& name) override {
    rows_ = padded_rows_of(name);
    header_ = short_header(name);
  }
  std::unique_ptr<Proxy> show(std::FILE* file) const override {
    return std::make_unique<UsualDpx>(file, rows_, header_);
  }

  std::vector<PaddedRows> rows_;
  std::uint64_t header_ = 0;
};

}  // namespace

bool is_unusual_dpx(const std::filesystem::path& path) {
  return !padded_rows_of(path.string()).empty() || short_header(path.string()) > 0;
}

std::unique_ptr<OIIO::ImageInput> make_dpx_input() {
  return std::make_unique<UnusualDpxInput>();
}

}  // namespace sfumato::files
