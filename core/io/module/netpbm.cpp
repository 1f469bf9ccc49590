// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// PBM, PGM, PPM and PFM as OpenImageIO readers and writers of our own.
#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <utility>

#include "io/file_origin.hpp"
#include "io/module/embedded.hpp"

namespace sfumato::files {
namespace {

using OIIO::ImageSpec;
using OIIO::TypeDesc;

template <class T>
void swap_bytes(T* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    auto* bytes = reinterpret_cast<unsigned char*>(values + i);
    std::reverse(bytes, bytes + sizeof(T));
  }
}

class NetpbmInput final : public WithErrorText<OIIO::ImageInput> {
 public:
  const char* format_name() const override { return "netpbm"; }
  bool close() override {
    in_.close();
    return true;
  }

  bool open(const std::string& name, ImageSpec& spec) override {
    in_.open(name, std::ios::binary);
    in_.seekg(0, std::ios::end);
    size_ = in_.tellg();
    begins_ = {0};
    number_ = 0;
    if (!describe() || !find_pictures()) return false;
    spec = m_spec;
    return true;
  }

  int current_subimage() const override { return number_; }
  bool seek_subimage(int subimage, int miplevel) override {
    if (miplevel != 0 || subimage < 0 || static_cast<std::size_t>(subimage) >= begins_.size()) {
      return false;
    }
    if (subimage == number_) return true;
    number_ = subimage;
    return describe();
  }

  bool read_native_scanline(int subimage, int miplevel, int y, int, void* data) override {
    if (!seek_subimage(subimage, miplevel)) return false;
    const bool ok = ascii_ ? read_text(y, data) : read_binary(y, data);
    return ok || fail(message({"netpbm.row_missing", "row {row} is missing"}, y));
  }

 private:
  // Some programs end a picture by a line feed.
  std::streamoff behind_space(std::streamoff at) {
    constexpr int most = 64;
    in_.clear();
    in_.seekg(at);
    for (int i = 0; i < most && is_space(in_.peek()); ++i, ++at) in_.get();
    return at;
  }

  // Pictures in binary may follow each other.
  bool find_pictures() {
    while (!ascii_ && !has_floats() && begins_.size() < static_cast<std::size_t>(most_pages)) {
      const std::streamoff next =
          behind_space(start_ + static_cast<std::streamoff>(row_bytes_) * m_spec.height);
      std::string mark(3, '\0');
      in_.clear();
      in_.seekg(next);
      const bool another = size_ - next > 3 && in_.read(mark.data(), 3) && mark[0] == 'P' &&
                           mark[1] >= '4' && mark[1] <= '6' &&
                           (is_space(mark[2]) || mark[2] == '#');
      if (!another) break;
      begins_.push_back(next);
      number_ = static_cast<int>(begins_.size()) - 1;
      if (describe()) continue;
      geterror();
      why.reset();
      begins_.pop_back();
      break;
    }
    number_ = 0;
    return describe();
  }

  // Reads the header of the picture with the current number.
  bool describe() {
    in_.clear();
    in_.seekg(begins_[static_cast<std::size_t>(number_)]);
    comments_.clear();
    comments_are_cut_ = false;
    next_row_ = 0;
    std::string mark(2, '\0');
    if (!in_.read(mark.data(), 2)) return fail(message({"netpbm.no_header", "no header"}));
    kind_ = mark[1];
    long width = 0, height = 0;
    if (!number(width) || !number(height) || width < 1 || height < 1 || width > 1 << 30 ||
        height > 1 << 30) {
      return fail(message({"netpbm.no_size", "the header has no size"}));
    }
    if (!read_largest()) return false;
    const int channels = kind_ == '3' || kind_ == '6' || kind_ == 'F' ? 3 : 1;
    m_spec = ImageSpec(static_cast<int>(width), static_cast<int>(height), channels,
                       has_floats() ? TypeDesc::FLOAT
                       : max_ > 255 ? TypeDesc::UINT16
                                    : TypeDesc::UINT8);
    m_spec.attribute("sfumato:pictures", static_cast<int>(begins_.size()));
    start_ = in_.tellg();
    ascii_ = kind_ >= '1' && kind_ <= '3';
    if (ascii_) read_comments_of_rows();
    if (!comments_.empty()) m_spec.attribute("ImageDescription", utf8_of(comments_));
    // Netpbm's programs divide by it, others multiply: samples stay as they are.
    if (scale_ != 1) m_spec.attribute(pfm_scale, TypeDesc::DOUBLE, &scale_);
    if (comments_are_cut_) m_spec.attribute("sfumato:comments_cut", 1);
    row_bytes_ = kind_ == '4' ? (static_cast<std::size_t>(width) + 7) / 8
                              : static_cast<std::size_t>(m_spec.scanline_bytes());
    // A file that was cut short is reported at once, not after half the work. The caller refuses an
    // impossible size, because it knows the user's limit.
    const auto held = static_cast<std::uint64_t>(std::max<std::streamoff>(0, size_ - start_));
    // As text, a sample has at least a digit, and white space before it unless it is a bit.
    const std::uint64_t row = kind_ == '1' ? static_cast<std::uint64_t>(width)
                              : ascii_     ? 2 * static_cast<std::uint64_t>(width * channels)
                                           : row_bytes_;
    if ((held + 1) / row < static_cast<std::uint64_t>(height)) {
      m_spec.attribute("sfumato:short", 1);
    }
    return true;
  }

  // The largest value, or the scale of floats, by whose sign their bytes are ordered.
  bool read_largest() {
    scale_ = 1;
    max_ = kind_ == '1' || kind_ == '4' ? 1 : 255;
    if (max_ == 1) return true;
    if (!has_floats()) {
      if (number(max_) && max_ >= 1 && max_ <= 65535) return true;
      return fail(message({"netpbm.no_largest", "the header has no largest value"}));
    }
    std::string scale;
    double value = 0;
    const bool there = word(scale);
    const char* first = scale.data() + (scale.starts_with('+') ? 1 : 0);
    if (!there || std::from_chars(first, scale.data() + scale.size(), value).ec != std::errc() ||
        value == 0 || !std::isfinite(value)) {
      return fail(message({"netpbm.no_scale", "the header has no scale"}));
    }
    scale_ = std::abs(value);
    swap_ = (value < 0) != (std::endian::native == std::endian::little);
    return true;
  }

  bool has_floats() const { return kind_ == 'F' || kind_ == 'f'; }
  static bool is_space(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

  // One character; a comment counts as the end of its line.
  int next() {
    int c = in_.get();
    if (c != '#') return c;
    bool begun = false;
    for (c = in_.get(); c != '\n' && c != '\r' && in_; c = in_.get()) {
      if (!begun && (c == ' ' || c == '\t')) continue;
      if (!std::exchange(begun, true) && !comments_.empty()) take_of_comment('\n');
      take_of_comment(static_cast<char>(c));
    }
    return c;
  }

  // As Netpbm's programs do, between samples, too.
  void read_comments_of_rows() {
    const int none = std::char_traits<char>::eof();
    while (in_.ignore(std::numeric_limits<std::streamsize>::max(), '#') && in_.peek() != none) {
      in_.unget();
      next();
    }
    in_.clear();
    in_.seekg(start_);
  }

  void take_of_comment(char c) {
    constexpr std::size_t most = std::size_t{1} << 20;
    if (comments_.size() < most) {
      comments_.push_back(c);
    } else {
      comments_are_cut_ = true;
    }
  }

  // Reads the next word and the one white-space character after it.
  bool word(std::string& out) {
    out.clear();
    int c = next();
    while (is_space(c)) c = next();
    while (c > ' ' && out.size() < 64) {
      out.push_back(static_cast<char>(c));
      c = next();
    }
    return !out.empty();
  }

  bool number(long& value) {
    std::string text;
    if (!word(text)) return false;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
    return end.ec == std::errc() && end.ptr == text.data() + text.size();
  }

  // Integers fill their type: largest value `max_` becomes 255 or 65535.
  unsigned scaled(unsigned value) const {
    const unsigned full = max_ > 255 ? 65535 : 255;
    const auto most = static_cast<unsigned>(max_);
    return (std::min(value, most) * full + most / 2) / most;
  }

  bool read_text(int y, void* data) {
    if (y < next_row_) {
      in_.clear();
      in_.seekg(start_);
      next_row_ = 0;
    }
    const int count = m_spec.width * m_spec.nchannels;
    for (; next_row_ <= y; ++next_row_) {
      for (int i = 0; i < count; ++i) {
        long value = 0;
        if (kind_ == '1') {  // bits need no white space between them
          int c = next();
          while (is_space(c)) c = next();
          if (c != '0' && c != '1') return false;
          value = c == '0' ? 1 : 0;  // 1 is black
        } else if (!number(value) || value < 0) {
          return false;
        }
        store(data, i, scaled(static_cast<unsigned>(value)));
      }
    }
    return true;
  }

  void store(void* data, int i, unsigned value) const {
    if (max_ > 255) {
      static_cast<std::uint16_t*>(data)[i] = static_cast<std::uint16_t>(value);
    } else {
      static_cast<std::uint8_t*>(data)[i] = static_cast<std::uint8_t>(value);
    }
  }

  bool read_binary(int y, void* data) {
    const bool floats = has_floats();
    const int row = floats ? m_spec.height - 1 - y : y;  // PFM begins with the lowest row
    const std::streamoff at =
        static_cast<std::streamoff>(row) * static_cast<std::streamoff>(row_bytes_);
    in_.clear();
    if (in_.tellg() != start_ + at) in_.seekg(start_ + at);
    const auto count = static_cast<std::size_t>(m_spec.width * m_spec.nchannels);
    if (kind_ == '4') {
      bits_.resize(row_bytes_);
      if (!in_.read(bits_.data(), static_cast<std::streamsize>(row_bytes_))) return false;
      for (std::size_t x = 0; x < count; ++x) {
        const bool black = (static_cast<unsigned char>(bits_[x / 8]) >> (7 - x % 8) & 1) != 0;
        static_cast<std::uint8_t*>(data)[x] = black ? 0 : 255;
      }
      return true;
    }
    if (!in_.read(static_cast<char*>(data), static_cast<std::streamsize>(row_bytes_))) return false;
    if (floats) {
      if (swap_) swap_bytes(static_cast<float*>(data), count);
    } else if (max_ > 255) {
      auto* values = static_cast<std::uint16_t*>(data);
      if (std::endian::native == std::endian::little) swap_bytes(values, count);
      if (max_ != 65535) rescale(values, count);
    } else if (max_ != 255) {
      rescale(static_cast<std::uint8_t*>(data), count);
    }
    return true;
  }

  template <class T>
  void rescale(T* values, std::size_t count) const {
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<T>(scaled(values[i]));
  }

  std::ifstream in_;
  std::streamoff start_ = 0, size_ = 0;
  std::vector<std::streamoff> begins_;  // of the pictures
  int number_ = 0;
  std::string comments_;
  std::vector<char> bits_;
  std::size_t row_bytes_ = 0;
  long max_ = 255;
  double scale_ = 1;  // of floats
  int next_row_ = 0;
  char kind_ = '6';
  bool ascii_ = false, swap_ = false, comments_are_cut_ = false;
};

class NetpbmOutput final : public OIIO::ImageOutput {
 public:
  explicit NetpbmOutput(bool floats) : floats_(floats) {}
  const char* format_name() const override { return floats_ ? "pfm" : "netpbm"; }
  int supports(OIIO::string_view feature) const override { return feature == "ioproxy"; }

  bool open(const std::string& name, const ImageSpec& spec, OpenMode mode) override {
    if (mode != Create) return false;
    m_spec = spec;
    if (!ioproxy_use_or_open(name)) return false;
    const bool colour = spec.nchannels == 3;
    const std::string comments = floats_ ? "" : comment_lines(spec);
    const std::string size =
        std::to_string(spec.width) + (floats_ ? " " : "\n") + std::to_string(spec.height);
    const std::string head =
        floats_ ? std::string(colour ? "PF\n" : "Pf\n") + size + "\n" + scale_line(spec) + "\n"
                : (colour ? "P6\n" : "P5\n") + comments + size +
                      (spec.format == TypeDesc::UINT16 ? "\n65535\n" : "\n255\n");
    start_ = static_cast<std::int64_t>(head.size());
    return iowrite(head.data(), head.size());
  }

  bool write_scanline(int y, int, TypeDesc format, const void* data,
                      OIIO::stride_t xstride) override {
    const void* native = to_native_scanline(format, data, xstride, scratch_);
    const auto bytes = static_cast<std::size_t>(m_spec.scanline_bytes());
    if (floats_) {
      return ioseek(start_ + static_cast<std::int64_t>(m_spec.height - 1 - y) *
                                 static_cast<std::int64_t>(bytes)) &&
             iowrite(native, bytes);
    }
    if (m_spec.format == TypeDesc::UINT16 && std::endian::native == std::endian::little) {
      const auto* from = static_cast<const unsigned char*>(native);
      row_.assign(from, from + bytes);  // the caller's numbers must not be changed
      swap_bytes(reinterpret_cast<std::uint16_t*>(row_.data()), bytes / 2);
      native = row_.data();
    }
    return iowrite(native, bytes);
  }

  bool close() override { return true; }

 private:
  // Bytes are ordered by its sign.
  static std::string scale_line(const ImageSpec& spec) {
    std::string out(std::endian::native == std::endian::little ? "-" : "");
    const OIIO::ParamValue* scale = spec.find_attribute(pfm_scale, TypeDesc::DOUBLE);
    if (scale == nullptr) return out + "1.0";
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(),
                                   *static_cast<const double*>(scale->data()));
    return out.append(digits.data(), end.ptr);
  }

  static std::string comment_lines(const ImageSpec& spec) {
    std::string out;
    const std::string text(spec.get_string_attribute("ImageDescription"));
    for (const std::string& line : lines_of(text)) out += "# " + line + "\n";
    return out;
  }

  bool floats_;
  std::int64_t start_ = 0;
  std::vector<unsigned char> scratch_, row_;
};

}  // namespace

std::unique_ptr<OIIO::ImageInput> make_netpbm_input() {
  return std::make_unique<NetpbmInput>();
}

std::unique_ptr<OIIO::ImageOutput> make_netpbm_output(bool floats) {
  return std::make_unique<NetpbmOutput>(floats);
}

}  // namespace sfumato::files
