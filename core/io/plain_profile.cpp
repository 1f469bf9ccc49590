// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Writes profiles (ICC.1:2022, 7 to 10).
#include "io/plain_profile.hpp"

#include <string_view>
#include <utility>

namespace sfumato {
namespace {

using Bytes = std::vector<unsigned char>;
using ProfileKind = ProfileNumbers::Kind;

constexpr std::array<std::size_t, 5> parameters_of_function = {1, 3, 4, 5, 7};
constexpr std::size_t most_samples = 65536;
constexpr std::int32_t fixed_one = 65536;
constexpr std::array<std::int32_t, 3> d50 = {0xf6d6, 0x10000, 0xd32d};

void put16(Bytes& to, unsigned value) {
  to.push_back(static_cast<unsigned char>(value >> 8));
  to.push_back(static_cast<unsigned char>(value));
}
void put32(Bytes& to, std::uint32_t value) {
  put16(to, value >> 16);
  put16(to, value & 0xffff);
}
void put(Bytes& to, std::string_view text) {
  to.insert(to.end(), text.begin(), text.end());
}
// A type's name and its reserved bytes.
void begin(Bytes& to, std::string_view type) {
  put(to, type);
  put32(to, 0);
}

Bytes text_tag(std::string_view text) {
  constexpr std::uint32_t records = 1, record_bytes = 12, at = 28;
  Bytes out;
  begin(out, "mluc");
  for (const std::uint32_t n : {records, record_bytes}) put32(out, n);
  put(out, "enUS");
  put32(out, static_cast<std::uint32_t>(2 * text.size()));
  put32(out, at);
  for (const char c : text) put16(out, static_cast<unsigned char>(c));
  return out;
}

template <typename Numbers>
Bytes color_tag(const Numbers& xyz) {
  Bytes out;
  begin(out, "XYZ ");
  for (const std::int32_t n : xyz) put32(out, static_cast<std::uint32_t>(n));
  return out;
}

Bytes tone_tag(const ProfileTone& tone) {
  Bytes out;
  if (tone.function >= 0) {
    begin(out, "para");
    put16(out, static_cast<unsigned>(tone.function));
    put16(out, 0);
    for (const std::int32_t n : tone.parameters) put32(out, static_cast<std::uint32_t>(n));
    return out;
  }
  begin(out, "curv");
  put32(out, static_cast<std::uint32_t>(tone.samples.size()));
  for (const std::uint16_t n : tone.samples) put16(out, n);
  return out;
}

// The grid between curves that change nothing.
Bytes table_tag(const ProfileNumbers& numbers) {
  constexpr unsigned char channels = 3;
  Bytes out;
  begin(out, "mft2");
  out.insert(out.end(), {channels, channels, ProfileNumbers::grid, 0});
  for (const std::int32_t n : {fixed_one, 0, 0, 0, fixed_one, 0, 0, 0, fixed_one}) {
    put32(out, static_cast<std::uint32_t>(n));
  }
  const auto put_identities = [&] {
    for (int c = 0; c < channels; ++c) {
      put16(out, 0);
      put16(out, 65535);
    }
  };
  put16(out, 2);
  put16(out, 2);
  put_identities();
  for (const std::uint16_t n : numbers.table) put16(out, n);
  put_identities();
  return out;
}

using Tags = std::vector<std::pair<std::string_view, Bytes>>;

Tags tags_of(const ProfileNumbers& numbers) {
  Tags tags = {
      {"desc", text_tag("Sfumato")}, {"cprt", text_tag("Public domain")}, {"wtpt", color_tag(d50)}};
  if (numbers.kind == ProfileKind::gray) tags.emplace_back("kTRC", tone_tag(numbers.tones[0]));
  if (!numbers.table.empty()) tags.emplace_back("A2B0", table_tag(numbers));
  if (numbers.kind != ProfileKind::matrix) return tags;
  constexpr std::array<std::string_view, 3> colors = {"rXYZ", "gXYZ", "bXYZ"},
                                            curves = {"rTRC", "gTRC", "bTRC"};
  for (std::size_t c = 0; c < 3; ++c) {
    const auto* xyz = numbers.colorants.data() + 3 * c;
    tags.emplace_back(colors[c], color_tag(std::array{xyz[0], xyz[1], xyz[2]}));
    tags.emplace_back(curves[c], tone_tag(numbers.tones[c]));
  }
  return tags;
}

Bytes header_of(const ProfileNumbers& numbers, std::size_t size) {
  constexpr std::size_t bytes = 128;
  constexpr std::uint32_t profile_version = 0x04300000;
  Bytes out;
  put32(out, static_cast<std::uint32_t>(size));
  put32(out, 0);
  put32(out, profile_version);
  put(out, "mntr");
  put(out, numbers.kind == ProfileKind::gray ? "GRAY" : "RGB ");
  put(out, numbers.kind == ProfileKind::table ? "Lab " : "XYZ ");
  for (const unsigned n : {2000u, 1u, 1u, 0u, 0u, 0u}) put16(out, n);  // always the same date
  put(out, "acsp");
  out.resize(68);
  for (const std::int32_t n : d50) put32(out, static_cast<std::uint32_t>(n));
  out.resize(bytes);
  return out;
}

}  // namespace

bool are_complete(const ProfileNumbers& numbers) {
  const auto complete = [](const ProfileTone& tone) {
    if (tone.function < 0) return tone.parameters.empty() && tone.samples.size() <= most_samples;
    const auto function = static_cast<std::size_t>(tone.function);
    return function < parameters_of_function.size() && tone.samples.empty() &&
           tone.parameters.size() == parameters_of_function[function];
  };
  for (const ProfileTone& tone : numbers.tones) {
    if (!complete(tone)) return false;
  }
  const bool has_table =
      numbers.kind == ProfileKind::table || numbers.kind == ProfileKind::xyz_table;
  if (!has_table && !numbers.table.empty()) return false;
  constexpr std::size_t grid = ProfileNumbers::grid;
  switch (numbers.kind) {
    case ProfileKind::none:
      return true;
    case ProfileKind::gray:
      return numbers.tones.size() == 1;
    case ProfileKind::matrix:
      return numbers.tones.size() == 3;
    case ProfileKind::table:
    case ProfileKind::xyz_table:
      return numbers.table.size() == 3 * grid * grid * grid;
  }
  return false;
}

Bytes profile_of_numbers(const ProfileNumbers& numbers) {
  if (numbers.kind == ProfileKind::none) return {};
  constexpr std::size_t header = 128, entry = 12;
  const Tags tags = tags_of(numbers);
  Bytes table, data;
  put32(table, static_cast<std::uint32_t>(tags.size()));
  const std::size_t start = header + 4 + entry * tags.size();
  for (const auto& [name, bytes] : tags) {
    put(table, name);
    put32(table, static_cast<std::uint32_t>(start + data.size()));
    put32(table, static_cast<std::uint32_t>(bytes.size()));
    data.insert(data.end(), bytes.begin(), bytes.end());
    data.resize((data.size() + 3) / 4 * 4);
  }
  Bytes out = header_of(numbers, start + data.size());
  out.insert(out.end(), table.begin(), table.end());
  out.insert(out.end(), data.begin(), data.end());
  return out;
}

}  // namespace sfumato
