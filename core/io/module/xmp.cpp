// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// XMP packets, taken from one file and put into another as they are: OpenImageIO 2.4 knows some
// of their properties when it reads, and writes none.
#include <unistd.h>

#include <string_view>

#include "io/module/bytes.hpp"
#include "io/module/parts.hpp"

namespace sfumato::files {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view jpeg_mark = "http://ns.adobe.com/xap/1.0/\0"sv;
constexpr std::string_view png_keyword = "XML:com.adobe.xmp\0"sv;
constexpr std::uint64_t tiff_xml_packet = 700;
constexpr int most_pieces = 10000;  // chunks, segments or tags

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

std::string from_tiff(Bytes& in) {
  const TiffDirectory directory(in);
  const std::uint64_t entry = directory.find(in, tiff_xml_packet);
  const auto word = static_cast<std::uint64_t>(directory.word);
  const std::uint64_t size = in.number(entry + 4, directory.word);
  if (entry == 0 || size <= word) return {};
  return in.text(in.number(entry + 4 + word, directory.word), size);
}

void append_big_endian(std::string& to, std::size_t value, int bytes) {
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
    to.push_back(static_cast<char>(value >> shift));
  }
}

}  // namespace

std::string xmp_of(const std::string& kind, const std::filesystem::path& path) {
  Bytes in(path, true);
  std::string packet = kind == "jpeg"   ? from_jpeg(in)
                       : kind == "png"  ? from_png(in)
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
  const TiffDirectory directory(in);
  const bool big = in.big_endian();
  const int word = directory.word;
  const std::string entries = in.text(
      directory.first, directory.count * directory.entry_bytes + static_cast<std::uint64_t>(word));
  if (directory.count == 0 || entries.empty()) return false;

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
  std::uint64_t before = 0;
  while (before < directory.count && in.number(directory.entry(before), 2) < tiff_xml_packet) {
    ++before;
  }
  const auto place = static_cast<std::size_t>(before * directory.entry_bytes);
  put(tail, directory.count + 1, directory.counter);
  tail += entries.substr(0, place) + added + entries.substr(place);
  std::string pointer;
  put(pointer, directory_at, word);
  // Classic TIFF counts bytes in 32 bits.
  if (!directory.big_tiff && directory_at + tail.size() > 0xffffffffu) return true;
  const auto whole = [descriptor](const std::string& bytes, off_t at) {
    return ::pwrite(descriptor, bytes.data(), bytes.size(), at) == std::ssize(bytes);
  };
  return whole(tail, end) && whole(pointer, static_cast<off_t>(directory.header));
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
