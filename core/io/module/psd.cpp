// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Metadata of Photoshop's files, in their image resources (Adobe Photoshop File Formats
// Specification): OpenImageIO 2.4 reads no IPTC, and parts of the rest.
#include <algorithm>

#include "io/module/embedded.hpp"
#include "io/module/psd.hpp"

namespace sfumato::files {
namespace {

constexpr std::uint64_t channels_id = 1006, iptc_id = 1028, writer_id = 1057, exif_id = 1058,
                        xmp_id = 1060;

}  // namespace

std::vector<PsdResource> resources_in_psd(Bytes& in, bool& whole) {
  constexpr std::uint64_t header = 26, shortest = 12;
  constexpr int most = 10000;
  std::vector<PsdResource> out;
  in.set_big_endian(true);
  // Behind the palette.
  std::uint64_t at = header + 4 + in.number(header, 4);
  const std::uint64_t size = in.number(at, 4);
  at += 4;
  const std::uint64_t end = at + std::min(size, in.behind(at));
  whole = false;
  for (int i = 0; i < most && at + shortest <= end; ++i) {
    const std::string mark = in.text(at, 4);
    if (!is_resource_mark(mark)) return out;
    const std::uint64_t begin = at, id = in.number(at + 4, 2);
    // A name with its length, padded to an even size.
    at += 6 + (in.number(at + 6, 1) + 2) / 2 * 2;
    const std::uint64_t bytes = in.number(at, 4);
    at += 4;
    if (at > end || bytes > end - at) return out;
    if (mark == "8BIM") out.push_back({id, begin, at, bytes});
    at += (bytes + 1) / 2 * 2;
  }
  whole = at + shortest > end;
  return out;
}

std::string psd_resource(Bytes& in, std::uint64_t wanted) {
  bool whole = false;
  for (const PsdResource& one : resources_in_psd(in, whole)) {
    if (one.id == wanted) return in.text(one.at, one.size);
  }
  return {};
}

// Photoshop's resource has its name in UTF-16, behind a number, a flag and a length; names of
// channels are after their lengths.
bool says_psd_on_white(Bytes& in) {
  constexpr std::size_t name_of_writer = 9;
  std::string photoshop;
  for (const char letter : std::string_view("Adobe Photoshop")) photoshop += {'\0', letter};
  const std::string version = psd_resource(in, writer_id), names = psd_resource(in, channels_id);
  return (version.size() > name_of_writer &&
          version.compare(name_of_writer, photoshop.size(), photoshop) == 0) ||
         names.starts_with("\14Transparency");
}

std::string exif_in_psd(const std::filesystem::path& path) {
  Bytes in(path, true);
  return psd_resource(in, exif_id);
}

void read_psd(Bytes& in, Metadata& out) {
  out.iptc = psd_resource(in, iptc_id);
  if (const std::string exif = psd_resource(in, exif_id); !exif.empty()) {
    out.exif = exif_in_block(exif);
  }
  out.xmp = psd_resource(in, xmp_id);
  bool whole = false;
  std::string resources;
  for (const PsdResource& one : resources_in_psd(in, whole)) {
    if (!is_carried_resource(one.id) || one.size == 0) continue;
    const std::string held = in.text(one.begin, one.at + one.size - one.begin);
    out.resources_are_cut = out.resources_are_cut || held.empty();
    resources += held;
    resources.append(held.size() & 1, '\0');
  }
  out.resources_are_cut = out.resources_are_cut || !whole;
  out.resources = carried_resources(resources, out.resources_are_cut);
}

}  // namespace sfumato::files
