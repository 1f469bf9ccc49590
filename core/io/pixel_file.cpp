// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The file is not trusted: its numbers are checked against its size before anything is read.
#include "io/pixel_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "device/files.hpp"
#include "io/module.hpp"
#include "text/system_reason.hpp"

namespace sfumato {
namespace {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little);

constexpr char magic[] = "sfumato\n";
constexpr std::size_t magic_bytes = 8, header_bytes = 128, page = 4096;
constexpr std::uint32_t version = 1;
constexpr int longest_side = 1 << 24;  // floats hold all integers up to this
constexpr std::uint32_t longest_profile = 64u << 20;
constexpr std::uint32_t curve_of_profile = 3;

class OpenFile {
 public:
  OpenFile(const fs::path& path, int flags, mode_t mode = 0)
      : fd_(::open(path.c_str(), flags | O_CLOEXEC, mode)) {}
  ~OpenFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int get() const { return fd_; }

  bool read(std::size_t at, void* to, std::size_t bytes) const {
    auto* out = static_cast<char*>(to);
    while (bytes > 0) {
      const ssize_t got = ::pread(fd_, out, bytes, static_cast<off_t>(at));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return false;
      out += got;
      at += static_cast<std::size_t>(got);
      bytes -= static_cast<std::size_t>(got);
    }
    return true;
  }

 private:
  int fd_;
};

// The numbers after the magic, in their order.
struct Numbers {
  std::uint32_t version, width, height, channels, type, bgr, alpha, curve;
  float gamma;
  std::int32_t x, y;
  std::uint32_t canvas_width, canvas_height, profile;
};
static_assert(sizeof(Numbers) == 56);

std::size_t pixels_at(std::size_t profile) {
  return (header_bytes + profile + page - 1) / page * page;
}

std::size_t row_bytes(const PictureFormat& format) {
  return static_cast<std::size_t>(format.width) * format.pixel_bytes();
}

using files::shown;

[[noreturn]] void not_written(const fs::path& path) {
  const int error = errno;
  throw FileError(message({"pixel_file.not_written", "{file}: it cannot be written: {reason}"},
                          shown(path), system_reason(error)));
}

[[noreturn]] void no_curve(const fs::path& path) {
  throw FileError(
      message({"pixel_file.no_curve", "{file}: its tone curve is unknown"}, shown(path)));
}

// Throws FileError for numbers that are invalid.
PixelFile checked(const fs::path& path, const Numbers& n) {
  if (n.version != version) {
    throw FileError(message({"pixel_file.other_version",
                             "{file}: it was handed over in version {version}, and this program "
                             "knows version 1; install both parts of Sfumato again"},
                            shown(path), n.version));
  }
  if (n.width < 1 || n.height < 1 || n.width > longest_side || n.height > longest_side) {
    throw FileError(message(
        {"pixel_file.size", "{file}: a picture of {width} x {height} pixels cannot be filtered"},
        shown(path), n.width, n.height));
  }
  if (n.channels < 1 || n.channels > 4) {
    throw FileError(message({"pixel_file.channels",
                             "{file}: {count} channels were handed over; gray and RGB, with or "
                             "without alpha, can be filtered"},
                            shown(path), n.channels));
  }
  const bool even = n.channels % 2 == 0;
  if (n.type > 3 || n.bgr > 1 || n.alpha > 2 || n.curve > curve_of_profile ||
      even != (n.alpha != 0)) {
    throw FileError(message(
        {"pixel_file.unknown_pixels", "{file}: it does not say what its pixels are"}, shown(path)));
  }
  if (n.curve == curve_of_profile && n.profile == 0) no_curve(path);
  if (n.curve == 2 && !(n.gamma >= 0.1f && n.gamma <= 10.0f)) {
    no_curve(path);
  }
  const auto on_canvas = [](std::int32_t v) { return v > -longest_side && v < longest_side; };
  if (!on_canvas(n.x) || !on_canvas(n.y) || n.canvas_width > longest_side ||
      n.canvas_height > longest_side || n.profile > longest_profile) {
    throw FileError(
        message({"pixel_file.place",
                 "{file}: its position on the canvas is out of range, or its profile is too long"},
                shown(path)));
  }
  PixelFile out;
  out.format.width = static_cast<int>(n.width);
  out.format.height = static_cast<int>(n.height);
  out.format.channels = static_cast<int>(n.channels);
  out.format.type = static_cast<SampleType>(n.type);
  out.format.alpha = static_cast<AlphaKind>(n.alpha);
  if (n.curve != curve_of_profile) out.format.coding.curve = static_cast<Coding::Curve>(n.curve);
  out.format.coding.gamma = n.curve == 2 ? n.gamma : 1.0f;
  out.bgr = n.bgr == 1 && n.channels >= 3;
  out.x = n.x;
  out.y = n.y;
  out.canvas_width = n.canvas_width > 0 ? static_cast<int>(n.canvas_width) : out.format.width;
  out.canvas_height = n.canvas_height > 0 ? static_cast<int>(n.canvas_height) : out.format.height;
  out.icc_profile.resize(n.profile);
  return out;
}

// As for any other file with such a profile.
void take_curve(PixelFile& of, const fs::path& path) {
  const bool whole = is_integer(of.format.type);
  const std::optional<Coding> coding = coding_of_icc(of.icc_profile, path);
  of.format.coding = coding.value_or(whole ? Coding::srgb() : Coding::linear());
  if (!coding) of.warning = files::unknown_curve(path, of.format.type);
}

PixelFile read_from(const OpenFile& file, const fs::path& path) {
  char head[header_bytes];
  Numbers numbers{};
  if (!file.read(0, head, sizeof head) || std::memcmp(head, magic, magic_bytes) != 0) {
    throw FileError(message({"pixel_file.none", "{file}: there is no picture in it"}, shown(path)));
  }
  std::memcpy(&numbers, head + magic_bytes, sizeof numbers);
  // checked() allows for a long profile; whether the file contains it is checked next.
  PixelFile out = checked(path, numbers);
  struct stat state {};
  const std::size_t wanted = pixels_at(numbers.profile) +
                             row_bytes(out.format) * static_cast<std::size_t>(out.format.height);
  if (::fstat(file.get(), &state) != 0 || static_cast<std::size_t>(state.st_size) != wanted) {
    throw FileError(
        message({"pixel_file.length", "{file}: it is not as long as it says"}, shown(path)));
  }
  if (!file.read(header_bytes, out.icc_profile.data(), out.icc_profile.size())) {
    throw FileError(message({"pixel_file.not_read", "{file}: it cannot be read"}, shown(path)));
  }
  if (numbers.curve == curve_of_profile) take_curve(out, path);
  return out;
}

void write_head(const NewFile& file, const fs::path& path, const PixelFile& header) {
  if (file.descriptor() < 0) not_written(path);
  const PictureFormat& f = header.format;
  Numbers n{};
  n.version = version;
  n.width = static_cast<std::uint32_t>(f.width);
  n.height = static_cast<std::uint32_t>(f.height);
  n.channels = static_cast<std::uint32_t>(f.channels);
  n.type = static_cast<std::uint32_t>(f.type);
  n.bgr = header.bgr && f.channels >= 3 ? 1 : 0;
  n.alpha = static_cast<std::uint32_t>(f.alpha);
  n.curve = static_cast<std::uint32_t>(f.coding.curve);
  n.gamma = f.coding.gamma;
  n.x = header.x;
  n.y = header.y;
  n.canvas_width = static_cast<std::uint32_t>(header.canvas_width);
  n.canvas_height = static_cast<std::uint32_t>(header.canvas_height);
  n.profile = static_cast<std::uint32_t>(header.icc_profile.size());
  checked(path, n);
  const std::size_t bytes =
      pixels_at(n.profile) + row_bytes(f) * static_cast<std::size_t>(f.height);
  if (::ftruncate(file.descriptor(), static_cast<off_t>(bytes)) != 0 ||
      !file.write(0, magic, magic_bytes) || !file.write(magic_bytes, &n, sizeof n) ||
      !file.write(header_bytes, header.icc_profile.data(), header.icc_profile.size())) {
    not_written(path);
  }
}

// Swaps the first and the third of each pixel's samples.
template <typename T>
void swap_red_and_blue(char* row, int width, int channels) {
  auto* sample = reinterpret_cast<T*>(row);
  for (int x = 0; x < width; ++x, sample += channels) std::swap(sample[0], sample[2]);
}

void swap_red_and_blue(char* row, int width, const PictureFormat& f) {
  switch (sample_bytes(f.type)) {
    case 1:
      return swap_red_and_blue<std::uint8_t>(row, width, f.channels);
    case 2:
      return swap_red_and_blue<std::uint16_t>(row, width, f.channels);
    default:
      return swap_red_and_blue<std::uint32_t>(row, width, f.channels);
  }
}

class PixelFilePicture final : public InputPicture {
 public:
  PixelFilePicture(const fs::path& path, const ReadOptions& options)
      : file_(path, O_RDONLY), header_(read_from(file_, path)) {
    const PictureFormat& f = header_.format;
    if (static_cast<std::uint64_t>(f.width) * static_cast<std::uint64_t>(f.height) >
        options.max_pixels) {
      throw FileError(
          message({"pixel_file.too_many_pixels", "{file}: it has more pixels than are allowed"},
                  shown(path)));
    }
    format_ = f;
    // Data has no opacity: the values of transparent pixels count, too.
    if (!options.role.empty() && f.has_alpha()) {
      format_.channels = f.channels - 1;
      format_.alpha = AlphaKind::none;
    }
    static const char* const gray[] = {"Y", "A"};
    static const char* const color[] = {"R", "G", "B", "A"};
    for (int c = 0; c < format_.channels; ++c) {
      info_.channel_names.emplace_back(f.color_channels() == 1 ? gray[c] : color[c]);
    }
    info_.path = path;
    info_.file_format = files::pixel_file_format;
    info_.all_channels = info_.channel_names;
    if (!header_.warning.empty() && options.role.empty()) info_.warnings = {header_.warning};
    info_.data_window = {header_.x, header_.y, header_.x + format_.width,
                         header_.y + format_.height};
    info_.display_window = {0, 0, header_.canvas_width, header_.canvas_height};
    info_.icc_profile = header_.icc_profile;
  }

  void read_rows(const Rect& region, void* to, std::ptrdiff_t row_stride) override {
    const PictureFormat& f = header_.format;
    const std::size_t pixel = f.pixel_bytes(), given = format_.pixel_bytes(),
                      bytes = static_cast<std::size_t>(region.width()) * pixel;
    std::vector<char> whole(pixel == given ? 0 : bytes);
    for (int y = region.y0; y < region.y1; ++y) {
      char* const out = static_cast<char*>(to) + (y - region.y0) * row_stride;
      char* const row = pixel == given ? out : whole.data();
      const std::size_t at = pixels_at(header_.icc_profile.size()) +
                             static_cast<std::size_t>(y) * row_bytes(f) +
                             static_cast<std::size_t>(region.x0) * pixel;
      if (!file_.read(at, row, bytes)) {
        throw FileError(
            message({"pixel_file.ended", "{file}: it ended while it was read"}, shown(info_.path)));
      }
      if (header_.bgr) swap_red_and_blue(row, region.width(), f);
      if (row == out) continue;
      for (int x = 0; x < region.width(); ++x) {
        std::memcpy(out + static_cast<std::size_t>(x) * given,
                    row + static_cast<std::size_t>(x) * pixel, given);
      }
    }
  }

 private:
  OpenFile file_;
  PixelFile header_;
};

}  // namespace

bool is_pixel_file(const fs::path& path) {
  // Does not wait for the writer of a pipe, nor read from it.
  const OpenFile file(path, O_RDONLY | O_NONBLOCK);
  struct stat state {};
  char head[magic_bytes];
  return file.get() >= 0 && ::fstat(file.get(), &state) == 0 && S_ISREG(state.st_mode) &&
         file.read(0, head, sizeof head) && std::memcmp(head, magic, magic_bytes) == 0;
}

PixelFile read_pixel_file(const fs::path& path) {
  check_input(path);
  const OpenFile file(path, O_RDONLY);
  return read_from(file, path);
}

std::unique_ptr<InputPicture> open_pixel_file(const fs::path& path, const ReadOptions& options) {
  check_input(path);
  return std::make_unique<PixelFilePicture>(path, options);
}

void write_pixel_file(const fs::path& path, const PixelFile& header, const HostView& pixels) {
  NewFile file(path, 0600);
  write_head(file, path, header);
  const PictureFormat& f = header.format;
  const std::size_t bytes = row_bytes(f), start = pixels_at(header.icc_profile.size());
  // About 4 MiB at once.
  const int rows =
      static_cast<int>(std::clamp<std::size_t>((std::size_t{4} << 20) / bytes, 1, 4096));
  std::vector<char> strip;
  for (int y = 0; y < f.height; y += rows) {
    const int count = std::min(rows, f.height - y);
    strip.resize(bytes * static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
      char* const row = strip.data() + bytes * static_cast<std::size_t>(i);
      std::memcpy(row, pixels.row(pixels.region.y0 + y + i), bytes);
      if (header.bgr && f.channels >= 3) swap_red_and_blue(row, f.width, f);
    }
    if (!file.write(start + bytes * static_cast<std::size_t>(y), strip.data(), strip.size())) {
      not_written(path);
    }
  }
  if (!file.commit()) not_written(path);
}

void write_empty_pixel_file(const fs::path& path, const PixelFile& header) {
  NewFile file(path, 0600);
  write_head(file, path, header);
  if (!file.commit()) not_written(path);
}

}  // namespace sfumato
