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
#include "io/module/overlay.hpp"
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

// All segments with Photoshop's resources, among the picture's own, too.
std::vector<Segment> resources_in(Bytes& in) {
  constexpr std::uint64_t scan = 0xffda;
  constexpr std::string_view mark = "Photoshop 3.0";
  constexpr int most = 10000;
  std::vector<Segment> out;
  std::uint64_t at = 2;
  for (int i = 0; i < most && in.has(at, 4); ++i) {
    const std::uint64_t marker = in.number(at, 2), size = in.number(at + 2, 2);
    if (marker == scan || marker < 0xff00 || size < 2) break;
    const Segment segment{marker, at + 4, size - 2};
    if (marker == jpeg_app13 && segment.begins(in, mark)) out.push_back(segment);
    at += 2 + size;
  }
  return out;
}

// OpenImageIO 2.4 reads IPTC where it is the first resource of a segment, without a name, and goes
// beyond the segment's end if the rest of it is in the next one.
bool begins_with_whole_iptc(Bytes& in, const Segment& s) {
  constexpr std::uint64_t head = 26;  // a mark, and what comes before the resource's data
  return s.size >= head && in.text(s.at + 13, 9) == "\0008BIM\4\4\0\0"sv &&
         in.number(s.at + 22, 4) <= s.size - head;
}

// Whether OpenImageIO's reader must not see them.
bool are_hidden(Bytes& in, const std::vector<Segment>& resources) {
  return resources.size() > 1 ||
         (resources.size() == 1 && !begins_with_whole_iptc(in, resources[0]));
}

// A file whose bytes are partly others, as a stream: OpenImageIO's reader of JPEG takes a file's
// stream and reads from that.
struct OverlaidStream {
  OverlaidStream(std::FILE* file, const std::vector<Patch>& patches)
      : overlay(file, patches),
        stream(::fopencookie(&overlay, "rb", {read, nullptr, seek, nullptr})) {}
  ~OverlaidStream() {
    if (stream != nullptr) std::fclose(stream);
  }
  OverlaidStream(const OverlaidStream&) = delete;
  OverlaidStream& operator=(const OverlaidStream&) = delete;

  Overlay overlay;
  std::FILE* stream;

 private:
  static ssize_t read(void* overlay, char* to, std::size_t size) {
    return static_cast<ssize_t>(static_cast<Overlay*>(overlay)->read(to, size));
  }
  static int seek(void* overlay, off64_t* offset, int whence) {
    auto& file = *static_cast<Overlay*>(overlay);
    if (!file.OIIO::Filesystem::IOProxy::seek(*offset, whence)) return -1;
    *offset = file.tell();
    return 0;
  }
};

class OverlaidFile final : private OverlaidStream, public OIIO::Filesystem::IOFile {
 public:
  OverlaidFile(std::FILE* file, const std::vector<Patch>& patches)
      : OverlaidStream(file, patches), IOFile(stream, Read) {}
  // There is no descriptor to read from.
  std::size_t pread(void* to, std::size_t size, std::int64_t offset) override {
    return overlay.pread(to, size, offset);
  }
};

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
    Bytes in(name, true);
    for (const std::uint64_t begin : begins_) {
      in.begin_at(begin);
      const std::vector<Segment> resources = resources_in(in);
      if (!are_hidden(in, resources)) continue;
      constexpr std::uint64_t marker_and_size = 4;
      for (const Segment& s : resources) {
        hidden_.push_back({begin + s.at - marker_and_size, "\xff\xef"});  // APP15: no one's
      }
    }
  }
  std::unique_ptr<Proxy> show(std::FILE* file) const override {
    const std::uint64_t begin = begins_[static_cast<std::size_t>(number_)];
    auto shown = std::make_unique<OverlaidFile>(file, hidden_);
    if (std::fseek(shown->handle(), static_cast<long>(begin), SEEK_SET) != 0) return nullptr;
    return shown;
  }

  std::vector<std::uint64_t> begins_;
  std::vector<Patch> hidden_;
  int number_ = 0;
};

}  // namespace

JpegPictures pictures_in_jpeg(const std::filesystem::path& path) {
  Bytes in(path, true);
  return pictures_in(in);
}

bool has_hidden_resources(Bytes jpeg) {
  return are_hidden(jpeg, resources_in(jpeg));
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
