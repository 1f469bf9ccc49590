// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "fuzz/damage.hpp"

#include <algorithm>
#include <array>

namespace sfumato::fuzz {
namespace {

std::uint32_t checksum(const std::string& bytes, std::size_t from, std::size_t count) {
  std::uint32_t sum = 0xffffffff;
  for (std::size_t i = 0; i < count; ++i) {
    sum ^= static_cast<unsigned char>(bytes[from + i]);
    for (int bit = 0; bit < 8; ++bit) sum = sum >> 1 ^ ((sum & 1) != 0 ? 0xedb88320u : 0);
  }
  return ~sum;
}

void put(std::string& bytes, const Field& field, std::uint64_t value, bool big) {
  for (int i = 0; i < field.bytes; ++i) {
    const std::size_t at = field.at + static_cast<std::size_t>(big ? field.bytes - 1 - i : i);
    if (at < bytes.size()) bytes[at] = static_cast<char>(value >> (8 * i) & 0xff);
  }
}

void mend_checksums(std::string& bytes) {
  for (std::size_t at = 8; at + 12 <= bytes.size();) {
    const std::size_t length = number(bytes, at, 4, true);
    if (length > bytes.size() || at + 12 + length > bytes.size()) return;
    put(bytes, {at + 8 + length, 4}, checksum(bytes, at + 4, length + 4), true);
    at += 12 + length;
  }
}

std::size_t below(Random& random, std::size_t end) {
  return end == 0 ? 0 : random() % end;
}

void hurt(std::string& bytes, const Field& field, Random& random) {
  const bool big = below(random, 2) == 0;
  const std::uint64_t now = number(bytes, field.at, field.bytes, big);
  const std::uint64_t all = field.bytes == 8 ? ~0ull : (1ull << (8 * field.bytes)) - 1;
  const std::array<std::uint64_t, 14> values = {0,
                                                1,
                                                all,
                                                all >> 1,
                                                (all >> 1) + 1,
                                                all - 1,
                                                now + 1,
                                                now - 1,
                                                now * 2,
                                                now / 2,
                                                random(),
                                                0x10000,
                                                now ^ (1ull << below(random, 32)),
                                                bytes.size()};
  put(bytes, field, values[below(random, values.size())] & all, big);
}

// Without regard to structure.
void mangle(std::string& bytes, Random& random) {
  const std::size_t at = below(random, bytes.size());
  const std::size_t count = 1 + below(random, 64);
  switch (below(random, 5)) {
    case 0:
      bytes.resize(at);
      break;
    case 1:
      bytes.erase(at, count);
      break;
    case 2:
      bytes.insert(at, bytes.substr(below(random, bytes.size()), count));
      break;
    case 3:
      for (std::size_t i = at; i < std::min(bytes.size(), at + count); ++i) {
        bytes[i] = static_cast<char>(random() & 0xff);
      }
      break;
    default:
      for (std::size_t i = 0; i < 1 + count / 8; ++i) {
        bytes[below(random, bytes.size())] ^= static_cast<char>(1 << below(random, 8));
      }
      break;
  }
}

}  // namespace

std::string damaged(const Sample& sample, const std::vector<Field>& fields, std::uint64_t turn,
                    Random& random) {
  std::string bytes = sample.bytes;
  const std::size_t way = below(random, 8);
  if (way < 6 && !fields.empty()) {
    hurt(bytes, fields[turn % fields.size()], random);
    const std::size_t more = below(random, 2) * below(random, 3);
    for (std::size_t i = 0; i < more; ++i)
      hurt(bytes, fields[below(random, fields.size())], random);
  }
  if (way >= 5) mangle(bytes, random);
  if (sample.format == "png" && below(random, 4) != 0) mend_checksums(bytes);
  return bytes;
}

}  // namespace sfumato::fuzz
