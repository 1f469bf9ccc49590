// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Pictures after the first of a JPEG file: the Multi-Picture Format (CIPA DC-007), and gain maps
// for HDR displays (Adobe's and Apple's, and ISO 21496-1), which are no pictures of their own.
#include <OpenImageIO/filesystem.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>

#include "io/file_origin.hpp"
#include "io/module/embedded.hpp"
#include "io/module/proxy_input.hpp"

namespace sfumato::files {
namespace {

using namespace std::string_view_literals;
using OIIO::ImageInput;
using OIIO::ImageSpec;

constexpr std::string_view index_mark = "MPF\0"sv;
constexpr std::string_view iso_gain_map = "urn:iso:std:iso:ts:21496:-1\0"sv;

// What XMP says about a gain map, in it or in the picture that it belongs to.
constexpr std::array gain_map_names = {"http://ns.adobe.com/hdr-gain-map/1.0/"sv,
                                       "http://ns.apple.com/HDRGainMap/1.0/"sv,
                                       "Semantic=\"GainMap\""sv, "Semantic>GainMap<"sv};

bool names_gain_map(Bytes& in) {
  std::uint64_t end = 0;
  const std::vector<Segment> head = head_of_jpeg(in, end);
  return std::any_of(head.begin(), head.end(), [&](const Segment& s) {
    if (s.marker == jpeg_app2) return s.begins(in, iso_gain_map);
    if (s.marker != jpeg_app1 || s.begins(in, exif_mark)) return false;
    const std::string xmp = s.body(in);
    return std::any_of(gain_map_names.begin(), gain_map_names.end(),
                       [&](std::string_view name) { return xmp.find(name) != std::string::npos; });
  });
}

// Where the pictures begin that the index of the first one lists, without smaller copies of it.
std::vector<std::uint64_t> listed_in_index(Bytes& in) {
  std::vector<std::uint64_t> out = {0};
  std::uint64_t end = 0;
  for (const Segment& s : head_of_jpeg(in, end)) {
    if (s.marker != jpeg_app2 || !s.begins(in, index_mark)) continue;
    constexpr std::uint64_t entries_tag = 0xb002, entry_bytes = 16, start_of_picture = 0xffd8ff;
    constexpr std::uint64_t gain_map = 0x05, preview = 0x01;
    // Offsets count from the index's own header.
    const std::uint64_t base = s.at + index_mark.size();
    Bytes index(s.body(in).substr(index_mark.size()));
    const std::uint64_t entry = TiffDirectory(index).find(index, entries_tag);
    if (entry == 0) break;
    const std::uint64_t at = index.number(entry + 8, 4);
    const std::uint64_t count =
        std::min(index.number(entry + 4, 4), index.behind(at)) / entry_bytes;
    for (std::uint64_t i = 1; i < count; ++i) {
      const std::uint64_t kind = index.number(at + i * entry_bytes, 4) >> 16 & 0xff;
      const std::uint64_t begin = base + index.number(at + i * entry_bytes + 8, 4);
      // An editor may have cut the pictures off, or moved them.
      if (kind == preview || kind == gain_map || in.number(begin, 3) != start_of_picture) continue;
      out.push_back(begin);
    }
    break;
  }
  return out;
}

JpegPictures pictures_in(Bytes& in) {
  JpegPictures out{listed_in_index(in), names_gain_map(in)};
  const auto is_map = [&](std::uint64_t begin) {
    if (begin == 0) return false;
    in.begin_at(begin);
    return names_gain_map(in);
  };
  const std::size_t before = out.begins.size();
  std::erase_if(out.begins, is_map);
  in.begin_at(0);
  const bool found = out.begins.size() < before;
  // Where only the first picture names it, it is the last one.
  if (out.gain_map && !found && before > 1) out.begins.pop_back();
  out.gain_map = out.gain_map || found;
  return out;
}

// Each picture is a JPEG file of its own to OpenImageIO's reader.
class JpegPicturesInput final : public ProxyInput {
 public:
  const char* format_name() const override { return "jpeg"; }
  int current_subimage() const override { return number_; }
  bool seek_subimage(int subimage, int miplevel) override {
    if (miplevel != 0 || subimage < 0 || static_cast<std::size_t>(subimage) >= begins_.size()) {
      return false;
    }
    if (is_open() && subimage == number_) return true;
    number_ = subimage;
    return open_again();
  }

 private:
  void look_into(const std::string& name) override {
    begins_ = pictures_in_jpeg(name).begins;
    number_ = 0;
  }
  std::unique_ptr<Proxy> show(std::FILE* file) const override {
    const std::uint64_t begin = begins_[static_cast<std::size_t>(number_)];
    if (std::fseek(file, static_cast<long>(begin), SEEK_SET) != 0) return nullptr;
    return std::make_unique<OIIO::Filesystem::IOFile>(file, Proxy::Read);
  }

  std::vector<std::uint64_t> begins_;
  int number_ = 0;
};

}  // namespace

JpegPictures pictures_in_jpeg(const std::filesystem::path& path) {
  Bytes in(path, true);
  return pictures_in(in);
}

Bytes opened_jpeg(const std::filesystem::path& path, int page) {
  Bytes in(path, true);
  if (page <= 1) return in;
  const std::vector<std::uint64_t> begins = pictures_in(in).begins;
  const auto number = static_cast<std::size_t>(page);
  in.begin_at(number <= begins.size() ? begins[number - 1] : in.size());
  return in;
}

std::unique_ptr<ImageInput> make_jpeg_pictures_input() {
  return std::make_unique<JpegPicturesInput>();
}

}  // namespace sfumato::files
