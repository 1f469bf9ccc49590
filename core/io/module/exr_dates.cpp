// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Takes dates that stand for none out of a finished OpenEXR file of several parts, and puts
// attributes of any type into it: OpenImageIO 2.4 writes it by its name, so that it cannot be done
// on the way.
#include <algorithm>

#include "io/module/embedded.hpp"

namespace sfumato::files {
namespace {

void put_little_endian(std::string& to, std::size_t at, std::uint64_t value) {
  for (std::size_t i = 0; i < 8; ++i) to[at + i] = static_cast<char>(value >> 8 * i);
}

std::uint64_t little_endian_at(std::string_view bytes, std::size_t at, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t i = count; i-- > 0;) {
    value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  }
  return value;
}

// The headers of the parts up to their end, without such dates and with these attributes; `chunks`
// receives how many chunks they announce. Empty if they make no sense.
std::string headers_with(const std::vector<std::string>& attributes, std::string_view date,
                         std::string_view file, std::size_t& end, std::uint64_t& chunks) {
  constexpr std::size_t mark = 8;
  std::string out(file.substr(0, mark));
  end = mark;
  bool begins = true;
  std::size_t part = 0;
  while (end < file.size()) {
    if (file[end] == '\0') {  // the end of a header; of all, where one would begin
      out.push_back('\0');
      ++end;
      if (begins) return out;
      begins = true;
      continue;
    }
    if (begins && part < attributes.size()) out += attributes[part++];
    begins = false;
    const std::size_t type = file.find('\0', end), size_at = file.find('\0', type + 1);
    if (type == file.npos || size_at == file.npos || size_at + 5 > file.size()) return {};
    const std::size_t size = little_endian_at(file, size_at + 1, 4), value = size_at + 5;
    if (size > file.size() - value) return {};
    const std::string_view attribute = file.substr(end, value + size - end);
    if (attribute.substr(0, type - end) == "chunkCount" && size == 4) {
      chunks += little_endian_at(file, value, 4);
    }
    if (attribute != date) out.append(attribute);
    end = value + size;
  }
  return {};
}

}  // namespace

std::string exr_attribute_without_date() {
  const std::string_view date(unknown_date);
  return std::string("capDate\0string\0", 15) + static_cast<char>(date.size()) +
         std::string(3, '\0').append(date);
}

bool settle_exr_parts(int descriptor, const std::filesystem::path& path,
                      const std::vector<std::string>& attributes) {
  Bytes in(path, false);
  const std::string file = in.text(0, std::min(in.size(), Bytes::largest));
  const std::string date = exr_attribute_without_date();
  std::size_t end = 0;
  std::uint64_t chunks = 0;
  std::string head = headers_with(attributes, date, file, end, chunks);
  const std::uint64_t shorter = end - head.size();  // or longer: it wraps around
  // A file whose head is so long stays as it is.
  if (head.empty() || head == file.substr(0, end) || chunks > (file.size() - end) / 8) return true;
  for (std::uint64_t i = 0; i < chunks; ++i, end += 8) {
    head.append(8, '\0');
    put_little_endian(head, head.size() - 8, little_endian_at(file, end, 8) - shorter);
  }
  return replace_head(descriptor, in, end, head);
}

}  // namespace sfumato::files
