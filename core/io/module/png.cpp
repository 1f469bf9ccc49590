// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Chunks of PNG files (PNG, third edition), and the metadata in them.
#include <png.h>

#include <algorithm>
#include <array>
#include <csetjmp>
#include <iterator>

#include "io/module/embedded.hpp"

namespace sfumato::files {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view signature = "\x89PNG\r\n\x1a\n"sv;
constexpr std::string_view xmp_keyword = "XML:com.adobe.xmp"sv;
// ImageMagick's convention for metadata as bytes.
constexpr std::string_view raw_keyword = "Raw profile type "sv, iptc_keyword = "iptc"sv;
constexpr std::uint64_t most_steps = std::uint64_t{1} << 22;  // data may come in small pieces

// A file is walked from chunk to chunk.
class Walk {
 public:
  explicit Walk(Bytes& in) : in_(in) {}

  // False at the end, and where the file is damaged.
  bool next(Chunk& chunk) {
    const std::string head = in_.text(at_, 8);
    if (head.size() != 8 || ++steps_ > most_steps) return false;
    chunk = {head.substr(4), at_ + 8, big_endian_at(head, 0, 4)};
    at_ = chunk.end();
    return in_.has(chunk.at, chunk.size + 4);
  }

 private:
  Bytes& in_;
  std::uint64_t at_ = signature.size(), steps_ = 0;
};

// Those of a whole picture and of an animation's frames.
bool is_data(const std::string& name) {
  return name == "IDAT" || name == "fdAT" || name == "fcTL";
}

bool is_text(const std::string& name) {
  return name == "tEXt" || name == "zTXt" || name == "iTXt";
}

struct Memory {
  const char* at;
  std::size_t left;
};

void read_from(png_structp png, png_bytep to, std::size_t size) {
  auto& memory = *static_cast<Memory*>(png_get_io_ptr(png));
  if (size > memory.left) png_error(png, "");
  std::copy_n(memory.at, size, to);
  memory.at += size;
  memory.left -= size;
}

// Reads what is before the picture's data. No object lives here that an error would leave behind.
bool read_head(png_structp png, png_infop info) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  png_read_info(png, info);
  return true;
}

// The texts of a file's head as UTF-8, whichever way they are stored.
std::vector<PngText> texts_of(const std::string& head) {
  const auto leave = [](png_structp png, png_const_charp) { png_longjmp(png, 1); };
  const auto ignore = [](png_structp, png_const_charp) {};
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, +leave, +ignore);
  png_infop info = png != nullptr ? png_create_info_struct(png) : nullptr;
  std::vector<PngText> out;
  Memory memory{head.data(), head.size()};
  if (info != nullptr) {
    png_set_read_fn(png, &memory, read_from);
    png_set_chunk_malloc_max(png, most_png_text);
    read_head(png, info);
    png_textp texts = nullptr;
    const int count = png_get_text(png, info, &texts, nullptr);
    for (int i = 0; i < count; ++i) {
      const png_text& one = texts[i];
      const std::size_t size = one.itxt_length > 0 ? one.itxt_length : one.text_length;
      if (one.text == nullptr) continue;
      const std::string text(one.text, size);
      const bool utf8 = one.compression >= PNG_ITXT_COMPRESSION_NONE;
      const std::string language(utf8 && one.lang != nullptr ? one.lang : "");
      out.push_back({utf8_of(one.key), utf8 ? text : utf8_of(text), utf8_of(language), {}});
      // Some programs write UTF-8 where Latin-1 belongs.
      if (!utf8 && !is_ascii(text) && out.back().text == text) {
        out.back().chunk =
            png_chunk(std::string("iTXt").append(one.key).append("\0\0\0\0\0"sv).append(text));
      }
    }
  }
  png_destroy_read_struct(&png, &info, nullptr);
  return out;
}

// A file's beginning, for chunks to follow.
std::string head_of_pixel() {
  constexpr std::string_view pixel = "IHDR\0\0\0\1\0\0\0\1\x08\0\0\0\0"sv;
  return std::string(signature) + png_chunk(std::string(pixel));
}

// The texts of a chunk; none if it is damaged or too long.
std::vector<PngText> texts_in_chunk(Bytes& in, const Chunk& chunk, std::string& whole) {
  const std::string data = in.text(chunk.at, chunk.size, most_png_text);
  if (data.empty()) return {};
  whole = png_chunk(chunk.name + data);
  return texts_of(head_of_pixel() + whole + png_chunk("IDAT"));
}

// The longest keyword has 79 bytes; empty if it does not end.
std::string keyword_of(Bytes& in, const Chunk& chunk) {
  constexpr std::uint64_t longest = 80;
  const std::string begin = in.text(chunk.at, std::min(longest, chunk.size));
  const std::size_t end = begin.find('\0');
  return end == std::string::npos ? std::string() : utf8_of(begin.substr(0, end));
}

void add_unread(std::string& list, const std::string& keyword, const Chunk& chunk) {
  list.append(list.empty() ? "" : ", ").append(keyword.empty() ? chunk.name : keyword);
}

bool holds_metadata(const std::string& keyword) {
  return keyword == xmp_keyword || keyword.rfind(raw_keyword, 0) == 0;
}

// Texts that hold metadata as bytes, wherever they stand. `unread` gets the keywords of those that
// are damaged or too long.
std::vector<PngText> metadata_texts(Bytes& in, const std::vector<Chunk>& chunks,
                                    std::vector<std::string>& unread) {
  std::vector<PngText> out;
  for (const Chunk& chunk : chunks) {
    if (!is_text(chunk.name)) continue;
    const std::string keyword = keyword_of(in, chunk);
    if (!holds_metadata(keyword)) continue;
    std::string whole;
    std::vector<PngText> texts = texts_in_chunk(in, chunk, whole);
    if (texts.empty()) unread.push_back(keyword);
    std::move(texts.begin(), texts.end(), std::back_inserter(out));
  }
  return out;
}

// A name, a number of bytes, and these in hexadecimal digits.
std::string raw_profile(std::string_view text) {
  const auto digit = [](char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
  };
  std::size_t at = text.find_first_not_of('\n');
  at = text.find('\n', at);                                 // after the name
  at = text.find('\n', text.find_first_not_of("\n ", at));  // after the number
  std::string out;
  int high = -1;
  for (; at < text.size(); ++at) {
    const int value = digit(text[at]);
    if (value < 0) continue;
    if (high >= 0) out.push_back(static_cast<char>(high << 4 | value));
    high = high >= 0 ? -1 : value;
  }
  return out;
}

std::string raw_profile_of(const std::string& bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out = "\niptc\n" + std::to_string(bytes.size());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i % 36 == 0) out.push_back('\n');
    const auto byte = static_cast<unsigned char>(bytes[i]);
    out.push_back(digits[byte >> 4]);
    out.push_back(digits[byte & 15]);
  }
  return out + '\n';
}

std::string raw_name(const std::string& keyword) {
  return lower(keyword.substr(raw_keyword.size()));
}

bool begins_with(std::string_view text, std::string_view mark) {
  return text.substr(0, mark.size()) == mark;
}

// Programs give EXIF, XMP and IPTC several names: what they are shows in their bytes.
void take_raw(const std::string& keyword, std::string bytes, PngMetadata& out) {
  constexpr std::string_view xmp_name = "http://ns.adobe.com/xap/1.0/\0"sv;
  constexpr char record = 0x1c;  // some hold IPTC alone, not among Photoshop's resources
  if (begins_with(bytes, exif_mark)) {
    if (out.exif.empty()) out.exif = bytes.substr(exif_mark.size());
  } else if (begins_with(bytes, "II*\0"sv) || begins_with(bytes, "MM\0*"sv)) {
    if (out.exif.empty()) out.exif = std::move(bytes);
  } else if (begins_with(bytes, xmp_name) || begins_with(bytes, "<")) {
    if (out.xmp.empty()) out.xmp = bytes.substr(bytes[0] == '<' ? 0 : xmp_name.size());
  } else if (keyword == iptc_keyword || keyword == "8bim") {
    const bool alone = begins_with(bytes, {&record, 1});
    if (out.resources.empty() && !alone) {
      out.resources = carried_resources(bytes, out.resources_are_cut);
    }
    if (!out.iptc.empty()) return;
    out.iptc = alone ? bytes : iptc_of_resources(bytes);
  }
}

}  // namespace

// `body` is the chunk's name and data.
std::string png_chunk(const std::string& body) {
  // CRC of name and data (ISO 3309, as in the PNG specification's annex).
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

std::vector<Chunk> head_of_png(Bytes& in) {
  std::vector<Chunk> out;
  Walk walk(in);
  for (Chunk chunk; out.size() < most_png_chunks && walk.next(chunk);) {
    if (chunk.name == "IDAT") break;
    out.push_back(chunk);
  }
  return out;
}

std::vector<Chunk> chunks_of_png(Bytes& in) {
  std::vector<Chunk> out;
  Walk walk(in);
  for (Chunk chunk; out.size() < most_png_chunks && walk.next(chunk);) {
    if (!is_data(chunk.name)) out.push_back(chunk);
  }
  return out;
}

std::vector<Chunk> late_chunks_of_png(Bytes& in, std::uint64_t& data) {
  std::vector<Chunk> out;
  Walk walk(in);
  data = 0;
  for (Chunk chunk; out.size() < most_png_chunks && walk.next(chunk);) {
    if (data == 0 && chunk.name == "IDAT") data = chunk.begin();
    const bool describes = is_text(chunk.name) || chunk.name == "eXIf" || chunk.name == "tIME";
    if (data > 0 && describes) out.push_back(chunk);
  }
  return out;
}

std::uint64_t announced_frames_of_png(Bytes& in) {
  const std::vector<Chunk> head = head_of_png(in);
  const auto control =
      std::find_if(head.begin(), head.end(), [](const Chunk& c) { return c.name == "acTL"; });
  return control == head.end() ? 0 : in.number(control->at, 4);
}

int frames_of_png(const std::filesystem::path& path) {
  Bytes in(path, true);
  if (announced_frames_of_png(in) == 0) return 1;
  int frames = 0;
  Walk walk(in);
  for (Chunk chunk; walk.next(chunk);) frames += chunk.name == "fcTL" ? 1 : 0;
  return std::max(1, frames);
}

bool has_profile_in_png(const std::filesystem::path& path) {
  Bytes in(path, true);
  const std::vector<Chunk> head = head_of_png(in);
  return std::any_of(head.begin(), head.end(), [](const Chunk& c) { return c.name == "iCCP"; });
}

bool is_beside_frames(const std::filesystem::path& path) {
  Bytes in(path, true);
  const std::vector<Chunk> head = head_of_png(in);
  return std::none_of(head.begin(), head.end(), [](const Chunk& c) { return c.name == "fcTL"; });
}

PngMetadata metadata_in_png(Bytes& in) {
  PngMetadata out;
  const std::vector<Chunk> chunks = chunks_of_png(in);
  for (const Chunk& chunk : chunks) {
    if (chunk.name == "eXIf") out.exif = in.text(chunk.at, chunk.size);
  }
  std::vector<std::string> unread;
  for (const PngText& one : metadata_texts(in, chunks, unread)) {
    if (one.keyword == xmp_keyword) {
      if (out.xmp.empty()) out.xmp = one.text;
    } else {
      take_raw(raw_name(one.keyword), raw_profile(one.text), out);
    }
  }
  for (const std::string& keyword : unread) {
    if (keyword == xmp_keyword) {
      out.xmp_is_cut = true;
    } else {
      out.unread.append(out.unread.empty() ? "" : ", ").append(keyword);
    }
  }
  return out;
}

std::vector<PngText> texts_in_png(Bytes& in, std::string& unread) {
  std::vector<PngText> out;
  for (const Chunk& chunk : chunks_of_png(in)) {
    const std::string keyword = is_text(chunk.name) ? keyword_of(in, chunk) : std::string();
    if (!is_text(chunk.name) || holds_metadata(keyword)) continue;
    std::string whole;
    std::vector<PngText> texts = texts_in_chunk(in, chunk, whole);
    if (texts.empty()) add_unread(unread, keyword, chunk);
    for (PngText& text : texts) {
      if (text.chunk.empty()) text.chunk = whole;
      if (!text.text.empty()) out.push_back(std::move(text));
    }
  }
  return out;
}

// Little data may become much text.
void check_png_texts(const std::filesystem::path& path) {
  constexpr std::uint64_t ratio = 1032;  // of Deflate, at most
  Bytes in(path, true);
  std::vector<Chunk> texts = chunks_of_png(in);
  texts.erase(std::remove_if(texts.begin(), texts.end(),
                             [](const Chunk& chunk) { return !is_text(chunk.name); }),
              texts.end());
  std::uint64_t packed = 0, bytes = 0;
  for (const Chunk& chunk : texts) packed += chunk.size;
  if (packed * ratio <= most_png_text) return;
  for (const Chunk& chunk : texts) {
    std::string whole;
    for (const PngText& text : texts_in_chunk(in, chunk, whole)) bytes += text.text.size();
    if (bytes <= most_png_text) continue;
    throw FileError(message({"png.long_texts",
                             "{file}: its texts have more than {most} bytes when they are "
                             "unpacked; remove them first"},
                            shown(path), most_png_text));
  }
}

std::optional<Chunk> far_offset_in_png(Bytes& in) {
  constexpr std::uint64_t farthest = 1 << 30, none = std::uint64_t{1} << 32;
  const auto is_far = [](std::uint64_t value) { return std::min(value, none - value) > farthest; };
  for (const Chunk& chunk : head_of_png(in)) {
    if (chunk.name != "oFFs" || chunk.size < 8) continue;
    if (is_far(in.number(chunk.at, 4)) || is_far(in.number(chunk.at + 4, 4))) return chunk;
  }
  return std::nullopt;
}

std::vector<unsigned char> raw_profile_in_png(const std::filesystem::path& path) {
  Bytes in(path, true);
  std::vector<std::string> unread;
  for (const PngText& one : metadata_texts(in, chunks_of_png(in), unread)) {
    if (one.keyword == xmp_keyword) continue;
    const std::string name = raw_name(one.keyword);
    if (name != "icc" && name != "icm") continue;
    const std::string bytes = raw_profile(one.text);
    return {bytes.begin(), bytes.end()};
  }
  return {};
}

std::string png_chunks(const Metadata& metadata) {
  std::string out;
  if (!metadata.exif.empty()) out += png_chunk("eXIf" + exif_block(metadata.exif));
  if (!metadata.iptc.empty() || !metadata.resources.empty()) {
    out += png_chunk(std::string("tEXt")
                         .append(raw_keyword)
                         .append(iptc_keyword)
                         .append("\0"sv)
                         .append(raw_profile_of(resources_of(metadata.iptc) + metadata.resources)));
  }
  if (!metadata.xmp.empty()) {
    out += png_chunk(
        std::string("iTXt").append(xmp_keyword).append("\0\0\0\0\0"sv).append(metadata.xmp));
  }
  return out;
}

}  // namespace sfumato::files
