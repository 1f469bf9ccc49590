// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// XMP packets, taken from one file and put into another as they are: OpenImageIO 2.4 knows some
// of their properties when it reads, and writes none.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <string_view>

#include "io/module/parts.hpp"

namespace sfumato::files {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view jpeg_mark = "http://ns.adobe.com/xap/1.0/\0"sv;
constexpr std::string_view png_keyword = "XML:com.adobe.xmp\0"sv;
constexpr std::uint64_t largest = std::uint64_t{16} << 20;  // a larger packet is no description
constexpr std::uint64_t tiff_xml_packet = 700;
constexpr int most_pieces = 10000;  // chunks, segments or tags

// Numbers and bytes at places of a file; whatever lies behind its end is not there.
class Bytes {
 public:
  Bytes(const std::filesystem::path& path, bool big_endian)
      : in_(path, std::ios::binary), big_endian_(big_endian) {
    in_.seekg(0, std::ios::end);
    const std::streamoff end = in_.tellg();
    size_ = end > 0 ? static_cast<std::uint64_t>(end) : 0;
  }
  void set_big_endian(bool big_endian) { big_endian_ = big_endian; }
  bool has(std::uint64_t at, std::uint64_t count) const {
    return at <= size_ && count <= size_ - at;
  }
  std::string text(std::uint64_t at, std::uint64_t count) {
    if (!has(at, count) || count > largest) return {};
    std::string out(static_cast<std::size_t>(count), '\0');
    in_.clear();
    in_.seekg(static_cast<std::streamoff>(at));
    in_.read(out.data(), static_cast<std::streamsize>(count));
    return in_ ? out : std::string();
  }
  /// 0 behind the end.
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
  std::ifstream in_;
  std::uint64_t size_ = 0;
  bool big_endian_;
};

std::string from_jpeg(Bytes& in) {
  constexpr std::uint64_t app1 = 0xffe1, scan = 0xffda;
  std::uint64_t at = 2;
  for (int i = 0; i < most_pieces && in.has(at, 4); ++i) {
    const std::uint64_t marker = in.number(at, 2), size = in.number(at + 2, 2);
    if (marker < 0xff00 || marker == scan || size < 2) break;
    if (marker == app1 && size > jpeg_mark.size() + 2 &&
        in.text(at + 4, jpeg_mark.size()) == jpeg_mark) {
      return in.text(at + 4 + jpeg_mark.size(), size - 2 - jpeg_mark.size());
    }
    at += 2 + size;
  }
  return {};
}

std::string from_png(Bytes& in) {
  std::uint64_t at = 8;
  for (int i = 0; i < most_pieces && in.has(at, 12); ++i) {
    const std::uint64_t size = in.number(at, 4);
    if (in.text(at + 4, 4) == "iTXt" && in.text(at + 8, png_keyword.size()) == png_keyword) {
      std::string body = in.text(at + 8 + png_keyword.size(), size - png_keyword.size());
      // Behind the keyword: compressed or not, the method, a language and a translation.
      if (body.size() < 4 || body[0] != 0) return {};
      const std::size_t language = body.find('\0', 2);
      const std::size_t translation =
          language == std::string::npos ? language : body.find('\0', language + 1);
      return translation == std::string::npos ? std::string() : body.substr(translation + 1);
    }
    at += 12 + size;
  }
  return {};
}

std::string from_webp(Bytes& in) {
  std::uint64_t at = 12;
  for (int i = 0; i < most_pieces && in.has(at, 8); ++i) {
    const std::uint64_t size = in.number(at + 4, 4);
    if (in.text(at, 4) == "XMP ") return in.text(at + 8, size);
    at += 8 + size + (size & 1);
  }
  return {};
}

std::string from_tiff(Bytes& in) {
  in.set_big_endian(in.text(0, 1) == "M");
  const bool big_tiff = in.number(2, 2) == 43;
  const int word = big_tiff ? 8 : 4;
  const auto entry = static_cast<std::uint64_t>(4 + 2 * word);
  std::uint64_t at = big_tiff ? in.number(8, 8) : in.number(4, 4);
  const std::uint64_t count = in.number(at, big_tiff ? 8 : 2);
  at += big_tiff ? 8 : 2;
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(count, most_pieces); ++i, at += entry) {
    if (in.number(at, 2) != tiff_xml_packet) continue;
    const std::uint64_t size = in.number(at + 4, word);
    if (size <= static_cast<std::uint64_t>(word)) return {};
    return in.text(in.number(at + 4 + static_cast<std::uint64_t>(word), word), size);
  }
  return {};
}

void append_big_endian(std::string& to, std::size_t value, int bytes) {
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
    to.push_back(static_cast<char>(value >> shift));
  }
}

}  // namespace

std::string xmp_of(const std::string& kind, const std::filesystem::path& path) {
  Bytes in(path, kind != "webp");
  std::string packet = kind == "jpeg"   ? from_jpeg(in)
                       : kind == "png"  ? from_png(in)
                       : kind == "webp" ? from_webp(in)
                       : kind == "tiff" ? from_tiff(in)
                                        : std::string();
  while (!packet.empty() && packet.back() == '\0') packet.pop_back();
  return packet;
}

std::string xmp_for_jpeg(const std::string& packet) {
  constexpr std::size_t most = 65533 - jpeg_mark.size();
  if (packet.empty() || packet.size() > most) return {};
  std::string segment = "\xff\xe1";
  append_big_endian(segment, packet.size() + jpeg_mark.size() + 2, 2);
  return segment.append(jpeg_mark).append(packet);
}

std::string xmp_for_png(const std::string& packet) {
  if (packet.empty()) return {};
  return png_chunk(std::string("iTXt").append(png_keyword).append("\0\0\0\0"sv).append(packet));
}

// The first directory is written anew at the end, with one entry more.
bool add_xmp_to_tiff(int descriptor, const std::filesystem::path& path, const std::string& packet) {
  if (packet.empty()) return true;
  Bytes in(path, false);
  const bool big = in.text(0, 1) == "M";
  in.set_big_endian(big);
  const bool big_tiff = in.number(2, 2) == 43;
  const int word = big_tiff ? 8 : 4, counter = big_tiff ? 8 : 2;
  const std::size_t entry = static_cast<std::size_t>(4 + 2 * word);
  const std::uint64_t header = big_tiff ? 8 : 4;
  const std::uint64_t directory = in.number(header, word), count = in.number(directory, counter);
  const std::string entries = in.text(directory + static_cast<std::uint64_t>(counter),
                                      count * entry + static_cast<std::uint64_t>(word));
  if (entries.empty()) return false;

  const auto put = [big](std::string& to, std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) {
      to.push_back(static_cast<char>(value >> 8 * (big ? bytes - 1 - i : i)));
    }
  };
  const off_t end = ::lseek(descriptor, 0, SEEK_END);
  std::string tail(static_cast<std::size_t>(end & 1), '\0');  // directories begin at even places
  const auto packet_at = static_cast<std::uint64_t>(end) + tail.size();
  tail += packet;
  tail.append((tail.size() + static_cast<std::size_t>(end)) & 1, '\0');
  const auto directory_at = static_cast<std::uint64_t>(end) + tail.size();
  std::string added;
  put(added, tiff_xml_packet, 2);
  put(added, 1, 2);  // of the type BYTE
  put(added, packet.size(), word);
  put(added, packet_at, word);
  std::size_t place = 0;
  for (; place < count; ++place) {
    if (in.number(directory + static_cast<std::uint64_t>(counter) + place * entry, 2) >
        tiff_xml_packet) {
      break;
    }
  }
  put(tail, count + 1, counter);
  tail += entries.substr(0, place * entry) + added + entries.substr(place * entry);
  std::string pointer;
  put(pointer, directory_at, word);
  // Classic TIFF counts bytes in 32 bits.
  if (!big_tiff && directory_at + tail.size() > 0xffffffffu) return true;
  const auto whole = [descriptor](const std::string& bytes, off_t at) {
    return ::pwrite(descriptor, bytes.data(), bytes.size(), at) == std::ssize(bytes);
  };
  return whole(tail, end) && whole(pointer, static_cast<off_t>(header));
}

std::string png_chunk(const std::string& body) {
  // CRC of name and data (ISO 3309, as the PNG specification's annex has it).
  std::uint32_t crc = 0xffffffffu;
  for (const char byte : body) {
    crc ^= static_cast<unsigned char>(byte);
    for (int k = 0; k < 8; ++k) crc = (crc >> 1) ^ ((crc & 1u) != 0 ? 0xedb88320u : 0u);
  }
  std::string chunk;
  append_big_endian(chunk, body.size() - 4, 4);
  chunk += body;
  append_big_endian(chunk, ~crc & 0xffffffffu, 4);
  return chunk;
}

}  // namespace sfumato::files
