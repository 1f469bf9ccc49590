// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Reads numbers and bytes at offsets of a file, and the directories of a TIFF file.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <istream>
#include <memory>
#include <sstream>
#include <string>

namespace sfumato::files {

/// Beyond the end of the file, texts are empty and numbers 0.
class Bytes {
 public:
  static constexpr std::uint64_t largest = std::uint64_t{16} << 20;  ///< piece that text() reads

  Bytes(const std::filesystem::path& path, bool big_endian) : Bytes(opened(path), big_endian) {}
  /// Reads from memory.
  explicit Bytes(const std::string& held)
      : Bytes(std::make_unique<std::istringstream>(held), false) {}

  bool big_endian() const { return big_endian_; }
  void set_big_endian(bool big_endian) { big_endian_ = big_endian; }

  std::uint64_t size() const { return size_; }
  /// Offsets count from this place of the file from now on; not beyond its end.
  void begin_at(std::uint64_t place) {
    size_ += begin_;
    begin_ = std::min(place, size_);
    size_ -= begin_;
  }
  std::uint64_t begin() const { return begin_; }
  bool has(std::uint64_t at, std::uint64_t count) const {
    return at <= size_ && count <= size_ - at;
  }
  /// The number of bytes from `at` to the end.
  std::uint64_t behind(std::uint64_t at) const { return at <= size_ ? size_ - at : 0; }
  std::string text(std::uint64_t at, std::uint64_t count, std::uint64_t most = largest) {
    if (!has(at, count) || count > most) return {};
    std::string out(static_cast<std::size_t>(count), '\0');
    in_->clear();
    in_->seekg(static_cast<std::streamoff>(begin_ + at));
    in_->read(out.data(), static_cast<std::streamsize>(count));
    return *in_ ? out : std::string();
  }
  std::uint64_t number(std::uint64_t at, int bytes) {
    std::array<unsigned char, 8> raw{};
    const std::string held = text(at, static_cast<std::uint64_t>(bytes));
    std::memcpy(raw.data(), held.data(), held.size());
    std::uint64_t value = 0;
    for (int i = 0; i < bytes; ++i) {
      value = value << 8 | raw[static_cast<std::size_t>(big_endian_ ? i : bytes - 1 - i)];
    }
    return value;
  }

 private:
  // Small pieces far from each other are read: a buffer would be filled for each.
  static std::unique_ptr<std::ifstream> opened(const std::filesystem::path& path) {
    auto in = std::make_unique<std::ifstream>();
    in->rdbuf()->pubsetbuf(nullptr, 0);
    in->open(path, std::ios::binary);
    return in;
  }

  Bytes(std::unique_ptr<std::istream> in, bool big_endian)
      : in_(std::move(in)), big_endian_(big_endian) {
    in_->seekg(0, std::ios::end);
    const std::streamoff end = in_->tellg();
    size_ = end > 0 ? static_cast<std::uint64_t>(end) : 0;
  }

  std::unique_ptr<std::istream> in_;
  std::uint64_t size_ = 0, begin_ = 0;
  bool big_endian_;
};

/// Where the entries of a directory are in a TIFF file, classic or BigTIFF.
struct TiffDirectory {
  bool big_tiff;
  int word, counter;           ///< bytes of an offset, and of the number of entries
  std::uint64_t entry_bytes;   ///< of one entry
  std::uint64_t header, at;    ///< where the directory's offset is stored, and the offset
  std::uint64_t count, first;  ///< number of entries, and the first one's offset

  /// Goes to the directory at this offset; 0 is the first page's.
  explicit TiffDirectory(Bytes& in, std::uint64_t place = 0) {
    in.set_big_endian(in.text(0, 1) == "M");
    big_tiff = in.number(2, 2) == 43;
    word = big_tiff ? 8 : 4;
    counter = big_tiff ? 8 : 2;
    entry_bytes = big_tiff ? 20 : 12;
    header = big_tiff ? 8 : 4;
    go_to(in, place != 0 ? place : in.number(header, word));
  }
  /// Goes to another directory of the same file.
  void go_to(Bytes& in, std::uint64_t place) {
    at = place;
    count = in.number(at, counter);
    first = at + static_cast<std::uint64_t>(counter);
    // Not more than there can be: a small file may claim many.
    count = count > 65535 ? 0 : std::min(count, in.behind(first) / entry_bytes);
  }
  std::uint64_t entry(std::uint64_t index) const { return first + index * entry_bytes; }
  /// The offset of a tag's entry, 0 if there is none.
  std::uint64_t find(Bytes& in, std::uint64_t tag) const {
    for (std::uint64_t i = 0; i < count; ++i) {
      if (in.number(entry(i), 2) == tag) return entry(i);
    }
    return 0;
  }
};

}  // namespace sfumato::files
