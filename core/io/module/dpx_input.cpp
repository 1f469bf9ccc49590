// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// DPX files that OpenImageIO 2.4 does not expect: rows that end at a multiple of four bytes (SMPTE
// 268M, 5.2), of which it would take each from a little further left than the one above; files of
// other programs have no such bytes, and few say which they are. Headers without the parts about
// film and television, for which it would take pixels. And user data, of whatever size is stated.
#include <OpenImageIO/filesystem.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "io/module/bytes.hpp"
#include "io/module/overlay.hpp"
#include "io/module/proxy_input.hpp"

namespace sfumato::files {
namespace {

// Offsets in the header, and in the description of each picture of up to eight.
constexpr std::uint64_t file_bytes_at = 16, user_bytes_at = 32, pictures_at = 770, width_at = 772,
                        height_at = 776, first_picture = 780, picture_bytes = 72;
constexpr std::uint64_t content_at = 20, bits_at = 23, packing_at = 24, coding_at = 26,
                        data_at = 28, padding_at = 32, end_padding_at = 36;
constexpr std::uint64_t unknown = 0xffffffff;

struct DpxPicture {
  std::uint64_t at = 0;  // of its description
  std::uint64_t data = 0, row = 0, padding = 0;
  std::uint64_t end_padding = 0;  // bytes after the last row
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
  constexpr std::uint64_t most = 8;
  in.set_big_endian(in.text(0, 4) == "SDPX");
  std::vector<DpxPicture> out;
  const std::uint64_t count = std::min(in.number(pictures_at, 2), most);
  for (std::uint64_t i = 0; i < count; ++i) {
    DpxPicture one{first_picture + i * picture_bytes};
    one.data = in.number(one.at + data_at, 4);
    one.row = row_bytes(in, one.at, in.number(width_at, 4));
    one.padding = in.number(one.at + padding_at, 4);
    if (one.padding == unknown) one.padding = 0;
    one.end_padding = in.number(one.at + end_padding_at, 4);
    if (one.end_padding == unknown) one.end_padding = 0;
    out.push_back(one);
  }
  return out;
}

// Rows that have bytes at their end.
struct PaddedRows {
  std::uint64_t begin = 0, count = 0, bytes = 0, padding = 0;
};

// Whether all bytes that would be padding are zero, in at most so many rows.
bool is_zero_padding(Bytes& in, const PaddedRows& rows) {
  constexpr std::uint64_t most = 4096;
  const std::uint64_t step = std::max<std::uint64_t>(1, rows.count / most);
  for (std::uint64_t y = 0; y < rows.count; y += step) {
    const std::uint64_t end = rows.begin + y * (rows.bytes + rows.padding) + rows.bytes;
    if (in.number(end, static_cast<int>(rows.padding)) != 0) return false;
  }
  return true;
}

// Whether rows are padded: what would be padding tells, and the size that the header states where
// that fits. ImageMagick states that of rows without, whatever it writes. `end` is that of the
// picture's bytes in the file.
bool is_padded(Bytes& in, const DpxPicture& one, const PaddedRows& rows, std::uint64_t end) {
  const std::uint64_t plain = rows.bytes * rows.count, padded = plain + rows.padding * rows.count;
  if (end < one.data || padded > end - one.data) return false;
  const auto is = [&one](std::uint64_t bytes, std::uint64_t wanted) {
    return bytes == wanted || bytes == wanted + one.end_padding;
  };
  const std::uint64_t held = end - one.data, stated = in.number(file_bytes_at, 4) - one.data;
  const bool last = end == in.size();
  if (is_zero_padding(in, rows)) return !last || !is(stated, plain) || is(held, padded);
  return last && is(stated, padded);
}

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
    const PaddedRows rows{one.data, height, one.row, padding};
    if (!stated && is_padded(in, one, rows, end)) out.push_back(rows);
  }
  return out;
}

// The bytes of user data by the header; 0 if it says none.
std::uint64_t user_bytes(Bytes& in) {
  in.set_big_endian(in.text(0, 4) == "SDPX");
  const std::uint64_t bytes = in.number(user_bytes_at, 4);
  return bytes == unknown ? 0 : bytes;
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

// Shows a file as if its rows followed each other and its header were whole and without user data.
// What is behind the rows stays where it is.
class UsualDpx final : public PlacedFile {
 public:
  UsualDpx(std::FILE* file, std::vector<PaddedRows> rows, std::uint64_t header)
      : PlacedFile(file), rows_(std::move(rows)), header_(header) {}

  std::size_t pread(void* to, std::size_t size, std::int64_t offset) override {
    auto* bytes = static_cast<char*>(to);
    const auto begin = static_cast<std::uint64_t>(offset);
    const std::size_t got = read_parts(bytes, size, begin);
    for (std::uint64_t at = user_bytes_at; at < user_bytes_at + 4; ++at) {
      if (at >= begin && at < begin + got) bytes[at - begin] = '\0';
    }
    return got;
  }

 private:
  std::size_t read_parts(char* bytes, std::size_t size, std::uint64_t begin) {
    if (begin < header_ && begin + size > header_) return read_header(bytes, size, begin);
    std::size_t done = 0;
    while (done < size) {
      const Run run = run_at(begin + done);
      const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(size - done, run.bytes));
      const std::size_t got =
          IOFile::pread(bytes + done, wanted, static_cast<std::int64_t>(run.at));
      done += got;
      if (got < wanted) break;
    }
    return done;
  }

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
  Bytes in(path, true);
  return user_bytes(in) > 0 || !padded_rows_of(path.string()).empty() ||
         short_header(path.string()) > 0;
}

std::optional<Message> user_data_of_dpx(const std::filesystem::path& path) {
  Bytes in(path, true);
  const std::uint64_t bytes = user_bytes(in);
  if (bytes == 0) return {};
  std::uint64_t end = in.size();
  for (const DpxPicture& one : pictures_of(in)) {
    if (one.data >= whole_header) end = std::min(end, one.data);
  }
  if (whole_header + bytes > end) {
    return message({"file.user_data_size",
                    "{file}: its header states a wrong size of user data, of which none is read"},
                   shown(path));
  }
  return message({"file.user_data", "{file}: the user data in its header is left out"},
                 shown(path));
}

std::unique_ptr<OIIO::ImageInput> make_dpx_input() {
  return std::make_unique<UnusualDpxInput>();
}

}  // namespace sfumato::files
