// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Pictures in ICO files (Microsoft, Icons): BMP pictures without the file's header, over a mask of
// one bit a pixel. OpenImageIO 2.4 reads few palettes, and masks of widths in whole bytes only, and
// ends the process over a PNG file in one that is cut short.
#include <OpenImageIO/filesystem.h>

#include <algorithm>
#include <array>
#include <memory>
#include <unordered_map>

#include "io/module/embedded.hpp"
#include "io/module/overlay.hpp"

namespace sfumato::files {
namespace {

using OIIO::ImageSpec;
using OIIO::TypeDesc;

struct IconPicture {
  std::uint64_t width = 0, height = 0, bits = 0, compression = 0;
  std::uint64_t palette = 0, colors = 0, rows = 0, mask = 0;  // places, and a number

  IconPicture() = default;
  IconPicture(Bytes& in, std::uint64_t at) {
    width = in.number(at + 4, 4);
    height = in.number(at + 8, 4) / 2;  // with the mask
    bits = in.number(at + 14, 2);
    compression = in.number(at + 16, 4);
    const std::uint64_t used = in.number(at + 32, 4);
    palette = at + in.number(at, 4);
    if (bits <= 8) colors = used > 0 ? std::min<std::uint64_t>(used, 256) : 1u << bits;
    rows = palette + 4 * colors;
    mask = rows + row_bytes() * height;
  }
  std::uint64_t row_bytes() const { return (width * bits + 31) / 32 * 4; }
  std::uint64_t mask_bytes() const { return (width + 31) / 32 * 4; }
};

// A file from a place on, as a file of its own.
class FileFrom final : public PlacedFile {
 public:
  FileFrom(std::FILE* file, std::uint64_t begin)
      : PlacedFile(file), begin_(static_cast<std::int64_t>(begin)) {}

  std::size_t pread(void* to, std::size_t size, std::int64_t offset) override {
    return IOFile::pread(to, size, begin_ + offset);
  }

 private:
  std::int64_t begin_;
};

// A PNG file that begins at a place of another one.
class EmbeddedPng {
 public:
  // False on an error, which reader() states, if there is one.
  bool open(const std::string& name, std::uint64_t begin, ImageSpec& spec,
            const ImageSpec& config) {
    file_.reset(std::fopen(name.c_str(), "rb"));
    if (!file_) return false;
    proxy_ = std::make_unique<FileFrom>(file_.get(), begin);
    reader_ = OIIO::ImageInput::create("png");
    return reader_ && reader_->set_ioproxy(proxy_.get()) && reader_->open(name, spec, config);
  }
  OIIO::ImageInput* reader() const { return reader_.get(); }

 private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  std::unique_ptr<std::FILE, Closer> file_;
  std::unique_ptr<FileFrom> proxy_;
  std::unique_ptr<OIIO::ImageInput> reader_;  // destroyed first
};

bool is_png(Bytes& in, std::uint64_t at) {
  return in.text(at, 4) == "\x89PNG";
}

// Whether all its chunks are there; of more than so many, nobody looks.
bool is_whole_png(Bytes& in, std::uint64_t at) {
  constexpr std::uint64_t signature = 8, around = 12;
  constexpr int most = 10000;
  in.set_big_endian(true);
  at += signature;
  bool whole = false;
  for (int i = 0; i < most && !whole && in.has(at, around); ++i) {
    const std::uint64_t size = in.number(at, 4);
    whole = in.text(at + 4, 4) == "IEND";
    at += size + around;
  }
  in.set_big_endian(false);
  return whole;
}

// The pictures of an icon that are read: those that can be, or all of them as pages.
class IcoInput final : public WithErrorText<OIIO::ImageInput> {
 public:
  explicit IcoInput(bool pages) : pages_(pages) {}
  const char* format_name() const override { return "ico"; }
  bool close() override {
    png_.reset();
    in_.reset();
    return true;
  }

  bool open(const std::string& name, ImageSpec& spec) override {
    return open(name, spec, ImageSpec());
  }
  bool open(const std::string& name, ImageSpec& spec, const ImageSpec& config) override {
    constexpr std::uint64_t icons = 1, head = 6, entry = 16;
    name_ = name;
    config_ = config;
    in_ = std::make_unique<Bytes>(name, false);
    const std::uint64_t count = std::min(in_->number(4, 2), in_->behind(head) / entry);
    places_.clear();
    for (std::uint64_t i = 0; i < count; ++i) {
      places_.push_back(in_->number(head + i * entry + 12, 4));
    }
    if (in_->number(2, 2) != icons || places_.empty()) {
      return fail(message({"file.none_inside", "there is no picture in the file"}));
    }
    const int first = leave_out_unread();
    if (!describe(first)) return false;
    spec = m_spec;
    return true;
  }

  int current_subimage() const override { return now_; }
  bool seek_subimage(int subimage, int miplevel) override {
    if (miplevel != 0 || subimage < 0 || static_cast<std::size_t>(subimage) >= places_.size()) {
      return false;
    }
    return subimage == now_ || describe(subimage);
  }

  bool read_native_scanline(int subimage, int miplevel, int y, int z, void* data) override {
    if (!seek_subimage(subimage, miplevel)) return false;
    if (png_) {
      if (png_->reader()->read_native_scanline(0, 0, y, z, data)) return true;
      errorfmt("{}", png_->reader()->geterror());
      return false;
    }
    const auto row = picture_.height - 1 - static_cast<std::uint64_t>(y);
    const std::string held =
        in_->text(picture_.rows + row * picture_.row_bytes(), picture_.row_bytes());
    if (held.empty()) return fail(message({"netpbm.row_missing", "row {row} is missing"}, y));
    const std::string mask = mask_row(row);
    auto* to = static_cast<char*>(data);
    for (std::size_t x = 0; x < picture_.width; ++x, to += m_spec.nchannels) {
      if (!put_pixel(held, x, y, to)) return false;
      if (m_spec.nchannels < 4) continue;
      to[3] = has_alpha_ ? held[4 * x + 3] : is_masked(mask, x) ? '\0' : '\xff';
    }
    return true;
  }

 private:
  // Notes the numbers of pictures that cannot be read; without pages, others come after them.
  // Returns the first one that can.
  int leave_out_unread() {
    std::unordered_map<std::uint64_t, bool> known;  // many entries may name one place
    std::vector<std::uint64_t> read;
    int first = 0;
    unread_.clear();
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const auto [found, is_new] = known.try_emplace(places_[i], false);
      if (is_new) found->second = !fault_at(places_[i]) && is_whole(places_[i]);
      if (found->second) {
        if (read.empty()) first = static_cast<int>(i);
        read.push_back(places_[i]);
      } else {
        note_unread(i + 1);
      }
    }
    count_ = static_cast<int>(places_.size());
    is_variant_ = false;
    if (pages_ || read.empty()) return first;
    places_ = std::move(read);
    return 0;
  }

  void note_unread(std::size_t number) {
    constexpr std::size_t longest = 60;
    if (unread_.size() > longest) return;
    unread_ += (unread_.empty() ? "" : ", ") + std::to_string(number);
    if (unread_.size() > longest) unread_ += ", …";
  }

  // Why a picture that is no PNG file cannot be read, by its header alone.
  std::optional<Message> fault_at(std::uint64_t at) {
    is_variant_ = false;
    if (is_png(*in_, at)) return std::nullopt;
    constexpr std::uint64_t plain_header = 40, longest = 32768;
    const IconPicture p(*in_, at);
    const bool sound = in_->number(at, 4) >= plain_header && in_->has(at, in_->number(at, 4));
    if (!sound || p.width == 0 || p.height == 0 || p.width > longest || p.height > longest) {
      return message({"netpbm.no_size", "the header has no size"});
    }
    const bool known = p.bits == 1 || p.bits == 4 || p.bits == 8 || p.bits == 24 || p.bits == 32;
    if (known && p.compression == 0) return std::nullopt;
    is_variant_ = true;
    return message({"file.bits_of_pixel", "its pixels have {bits} bits"}, p.bits);
  }

  bool is_whole(std::uint64_t at) {
    if (is_png(*in_, at)) return is_whole_png(*in_, at);
    const IconPicture p(*in_, at);
    return in_->has(p.rows, p.row_bytes() * p.height);
  }

  bool describe(int number) {
    const std::uint64_t at = places_[static_cast<std::size_t>(number)];
    now_ = -1;
    png_.reset();
    if (const auto fault = fault_at(at)) {
      return is_variant_ ? fail_as_variant(*fault) : fail(*fault);
    }
    if (!is_png(*in_, at)) {
      describe_rows(at);
    } else if (!describe_png(at)) {
      return false;
    }
    m_spec.attribute("sfumato:pages", count_);
    if (!unread_.empty() && !pages_) m_spec.attribute("sfumato:unread", unread_);
    if (!is_whole(at)) m_spec.attribute("sfumato:short", 1);
    now_ = number;
    return true;
  }

  void describe_rows(std::uint64_t at) {
    picture_ = IconPicture(*in_, at);
    const IconPicture& p = picture_;
    colors_ = in_->text(p.palette, 4 * p.colors);
    has_alpha_ = p.bits == 32 && find_alpha();
    const bool clear = has_alpha_ || find_mask();
    m_spec = ImageSpec(static_cast<int>(p.width), static_cast<int>(p.height), clear ? 4 : 3,
                       TypeDesc::UINT8);
  }

  bool describe_png(std::uint64_t at) {
    png_ = std::make_unique<EmbeddedPng>();
    if (!png_->open(name_, at, m_spec, config_)) {
      if (png_->reader() != nullptr) errorfmt("{}", png_->reader()->geterror());
      return false;
    }
    remove_own_names(m_spec);
    return true;
  }

  // Fourth bytes that are 0 everywhere are none of opacity: the mask counts.
  bool find_alpha() {
    for (std::uint64_t y = 0; y < picture_.height; ++y) {
      const std::string row =
          in_->text(picture_.rows + y * picture_.row_bytes(), picture_.row_bytes());
      if (row.empty()) break;
      for (std::size_t i = 3; i < row.size(); i += 4) {
        if (row[i] != '\0') return true;
      }
    }
    return false;
  }

  bool find_mask() {
    for (std::uint64_t y = 0; y < picture_.height; ++y) {
      const std::string row = mask_row(y);
      if (row.empty()) break;
      for (std::size_t x = 0; x < picture_.width; ++x) {
        if (is_masked(row, x)) return true;
      }
    }
    return false;
  }

  std::string mask_row(std::uint64_t row) {
    return in_->text(picture_.mask + row * picture_.mask_bytes(), picture_.mask_bytes());
  }
  static bool is_masked(const std::string& row, std::size_t x) {
    return x / 8 < row.size() && (static_cast<unsigned char>(row[x / 8]) >> (7 - x % 8) & 1) != 0;
  }

  // Blue comes first.
  bool put_pixel(const std::string& row, std::size_t x, int y, char* to) {
    const auto bits = static_cast<std::size_t>(picture_.bits);
    const std::string* from = &row;
    std::size_t at = x * bits / 8;
    if (bits <= 8) {
      const auto byte = static_cast<unsigned char>(row[at]);
      const std::size_t number = byte >> (8 - bits - x * bits % 8) & ((1u << bits) - 1);
      from = &colors_;
      at = 4 * number;
      if (at + 4 > colors_.size()) {
        return fail(message({"file.beyond_palette",
                             "row {row} has the colour number {number}, which is not in the "
                             "palette"},
                            y, number));
      }
    }
    for (std::size_t c = 0; c < 3; ++c) to[c] = (*from)[at + 2 - c];
    return true;
  }

  std::string name_;
  ImageSpec config_;
  std::unique_ptr<Bytes> in_;
  std::vector<std::uint64_t> places_;
  bool pages_, is_variant_ = false;  // what fault_at() found
  std::string unread_;               // numbers of pictures
  int count_ = 0, now_ = -1;
  IconPicture picture_;
  std::string colors_;
  bool has_alpha_ = false;
  std::unique_ptr<EmbeddedPng> png_;
};

}  // namespace

std::unique_ptr<OIIO::ImageInput> make_ico_input(bool pages) {
  return std::make_unique<IcoInput>(pages);
}

}  // namespace sfumato::files
