// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "io/room.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "engine/memory.hpp"
#include "io/target.hpp"

namespace sfumato {
namespace {

// Less is there, or the program could not run.
constexpr std::size_t worth_a_look = std::size_t{256} << 20;  // bytes

std::string in_gigabytes(std::size_t size) {
  constexpr std::size_t tenth = (std::size_t{1} << 30) / 10;
  const std::size_t tenths = size / tenth + (size % tenth >= tenth / 2 ? 1 : 0);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " GiB";
}

// Limits and what is compared with them are often less than a gigabyte.
std::string in_megabytes(std::size_t size) {
  return std::to_string((size + (std::size_t{1} << 20) - 1) >> 20) + " MB";
}

// In addition to its pixels. A file may claim anything.
std::size_t taken_to_read(const PictureInfo& info) {
  constexpr std::size_t held = 3;
  std::size_t chunks = 0, all = 0;
  return __builtin_mul_overflow(held, info.chunk_bytes, &chunks) ||
                 __builtin_add_overflow(info.working_bytes, chunks, &all)
             ? std::numeric_limits<std::size_t>::max()
             : all;
}

// What is free if `bytes` are not; else 0.
std::size_t too_little(std::size_t bytes) {
  if (bytes <= worth_a_look) return 0;
  const std::size_t left = free_memory();
  return bytes > left ? left : 0;
}

}  // namespace

std::size_t room_to_decode(const ReadOptions& options) {
  constexpr std::size_t unknown = std::numeric_limits<std::size_t>::max();
  const std::size_t left = free_memory();
  return std::min(options.memory == 0 ? unknown : options.memory, left == 0 ? unknown : left);
}

void check_room_to_decode(const InputPicture& picture) {
  const PictureFormat& f = picture.format();
  const std::size_t bytes = taken_to_read(picture.info());
  const std::filesystem::path& path = picture.info().path;
  if (const std::size_t left = too_little(bytes); left > 0) {
    throw FileError(
        message({"file.decoding_no_memory",
                 "{file}: decoding its {width} x {height} pixels takes {taken} of memory, and "
                 "{free} are free; close other programs or make the picture smaller"},
                files::shown(path), f.width, f.height, in_gigabytes(bytes), in_gigabytes(left)));
  }
}

void check_room_to_open(const std::filesystem::path& path, std::size_t bytes,
                        const ReadOptions& options) {
  if (options.memory != 0 && bytes > options.memory) {
    throw FileError(message({"file.opening_above_limit",
                             "{file}: opening it takes {taken} of main memory, and the limit "
                             "leaves {limit} (--limit)"},
                            files::shown(path), in_megabytes(bytes), in_megabytes(options.memory)));
  }
  if (const std::size_t left = too_little(bytes); left > 0) {
    throw FileError(message({"file.opening_no_memory",
                             "{file}: opening it takes {taken} of memory, and {free} are free; "
                             "close other programs, or make it again if it is damaged"},
                            files::shown(path), in_gigabytes(bytes), in_gigabytes(left)));
  }
}

void check_room(const PixelSource& source, std::size_t bytes) {
  const auto* picture = dynamic_cast<const InputPicture*>(&source);
  if (picture != nullptr && __builtin_add_overflow(bytes, taken_to_read(picture->info()), &bytes)) {
    bytes = std::numeric_limits<std::size_t>::max();
  }
  const std::size_t left = too_little(bytes);
  if (left == 0) return;
  const PictureFormat& f = source.format();
  if (picture == nullptr) {
    throw FileError(message({"picture.no_memory",
                             "the picture's {width} x {height} pixels take {taken} of memory, and "
                             "{free} are free; close other programs or make the picture smaller"},
                            f.width, f.height, in_gigabytes(bytes), in_gigabytes(left)));
  }
  throw FileError(message({"file.no_memory",
                           "{file}: its {width} x {height} pixels take {taken} of memory, and "
                           "{free} are free; close other programs or make the picture smaller"},
                          files::shown(picture->info().path), f.width, f.height,
                          in_gigabytes(bytes), in_gigabytes(left)));
}

}  // namespace sfumato
