// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// GIF files (GIF89a), frame by frame: OpenImageIO 2.4 draws some after the first wrongly.
#include <algorithm>
#include <array>
#include <fstream>
#include <vector>

#include "io/file_origin.hpp"
#include "io/module/animation.hpp"
#include "io/module/embedded.hpp"

namespace sfumato::files {
namespace {

using Color = std::array<std::uint8_t, 3>;

struct Stored {
  int x = 0, y = 0, width = 0, height = 0;  // may reach beyond the canvas
  bool interlaced = false;
  int transparent = -1;  // of the colours
  bool opaque = false;   // whatever its data holds
  std::vector<Color> colors;
  std::streamoff data = 0;  // in the file: the code size and blocks of codes
};

// The file as bytes, one after the other; 0 after its end.
class Stream {
 public:
  explicit Stream(const std::string& name) : in_(name, std::ios::binary) {}

  int byte() { return std::max(0, in_.get()); }
  int word() {
    const int low = byte();
    return low | byte() << 8;
  }
  std::vector<Color> colors(int flags) {
    std::vector<Color> out((flags & 0x80) != 0 ? std::size_t{2} << (flags & 7) : 0);
    for (Color& color : out) {
      for (std::uint8_t& part : color) part = static_cast<std::uint8_t>(byte());
    }
    return out;
  }
  void skip(int bytes) { in_.ignore(bytes); }
  void skip_blocks() {
    for (int size = byte(); in_ && size > 0; size = byte()) in_.ignore(size);
  }
  std::string text(int bytes) {
    std::string out(static_cast<std::size_t>(bytes), '\0');
    in_.read(out.data(), bytes);
    return out;
  }
  // What blocks hold, up to a length; with or without the bytes that say how long each is.
  std::string blocks(bool with_sizes) {
    std::string out;
    for (int size = byte(); in_ && size > 0; size = byte()) {
      if (out.size() > Bytes::largest) {
        skip(size);
        continue;
      }
      if (with_sizes) out.push_back(static_cast<char>(size));
      out += text(size);
    }
    return out;
  }
  void step_back() { in_.seekg(-1, std::ios::cur); }
  bool good() const { return static_cast<bool>(in_); }
  std::streamoff place() { return in_.tellg(); }
  void go_to(std::streamoff place) {
    in_.clear();
    in_.seekg(place);
  }

 private:
  std::ifstream in_;
};

// Codes of growing length, the lowest bits first.
class Codes {
 public:
  explicit Codes(Stream& in) : in_(in) {}

  // -1 at the end.
  int next(int bits) {
    while (held_ < bits) {
      if (left_ == 0) left_ = in_.byte();
      if (left_ == 0) return -1;
      --left_;
      value_ |= static_cast<unsigned>(in_.byte()) << held_;
      if (!in_.good()) return -1;  // that byte is not there
      held_ += 8;
    }
    const auto code = static_cast<int>(value_ & ((1u << bits) - 1));
    value_ >>= bits;
    held_ -= bits;
    return code;
  }

 private:
  Stream& in_;
  int left_ = 0;  // bytes of the block
  unsigned value_ = 0;
  int held_ = 0;  // bits of `value_`
};

// The strings of the LZW method, each the one before it and one more pixel (GIF89a, appendix F).
class Strings {
 public:
  explicit Strings(int bits) : clear_(1 << bits), bits_(bits) {
    for (int i = 0; i < clear_; ++i) {
      before_[static_cast<std::size_t>(i)] = -1;
      last_[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(i);
    }
    reset();
  }

  int clear_code() const { return clear_; }
  int end_code() const { return clear_ + 1; }
  int code_bits() const { return now_; }
  bool has(int code) const { return code < count_ && code != clear_ && code != end_code(); }
  void reset() {
    count_ = clear_ + 2;
    now_ = bits_ + 1;
  }
  void add(int before, std::uint8_t pixel) {
    if (count_ == most) return;
    before_[static_cast<std::size_t>(count_)] = before;
    last_[static_cast<std::size_t>(count_)] = pixel;
    if (++count_ == 1 << now_ && now_ < 12) ++now_;
  }
  std::uint8_t first(int code) const {
    while (before_[static_cast<std::size_t>(code)] >= 0)
      code = before_[static_cast<std::size_t>(code)];
    return last_[static_cast<std::size_t>(code)];
  }
  void append(int code, std::vector<std::uint8_t>& to) const {
    const auto begin = static_cast<std::ptrdiff_t>(to.size());
    for (; code >= 0; code = before_[static_cast<std::size_t>(code)]) {
      to.push_back(last_[static_cast<std::size_t>(code)]);
    }
    std::reverse(to.begin() + begin, to.end());
  }

 private:
  static constexpr int most = 4096;
  std::array<int, most> before_{};
  std::array<std::uint8_t, most> last_{};
  int clear_, bits_, count_ = 0, now_ = 0;
};

// Numbers of colours; fewer than `pixels` if the data is damaged or ends early.
std::vector<std::uint8_t> decompressed(Stream& in, std::size_t pixels) {
  std::vector<std::uint8_t> out;
  const int bits = in.byte();
  if (bits < 1 || bits > 8) return out;
  Strings strings(bits);
  Codes codes(in);
  int before = -1;
  while (out.size() < pixels) {
    const int code = codes.next(strings.code_bits());
    if (code < 0 || code == strings.end_code()) break;
    if (code == strings.clear_code()) {
      strings.reset();
      before = -1;
      continue;
    }
    if (before >= 0) {
      // A code that is about to be made repeats the first pixel of the one before it.
      strings.add(before, strings.first(strings.has(code) ? code : before));
    }
    if (!strings.has(code)) break;
    strings.append(code, out);
    before = code;
  }
  return out;
}

// The row of the picture that is stored as row `number`.
int row_of(int number, int height) {
  constexpr std::array<std::array<int, 2>, 4> passes = {{{0, 8}, {4, 8}, {2, 4}, {1, 2}}};
  for (const auto& [first, step] : passes) {
    const int rows = height > first ? (height - first + step - 1) / step : 0;
    if (number < rows) return first + number * step;
    number -= rows;
  }
  return height - 1;
}

class GifInput final : public AnimationInput {
 public:
  using AnimationInput::AnimationInput;
  const char* format_name() const override { return "gif"; }

 private:
  // OpenImageIO would make a canvas for it.
  bool describe(const std::string& name) override {
    Stream in(name);
    if (in.text(4) != "GIF8") return false;
    in.skip(2);
    const int width = in.word(), height = in.word();
    if (!in.good() || width == 0 || height == 0) return false;
    m_spec = OIIO::ImageSpec(width, height, 4, OIIO::TypeDesc::UINT8);
    m_spec.attribute("oiio:ColorSpace", "sRGB");
    return true;
  }

  bool find_frames(const std::string& name, const Rect& canvas,
                   std::vector<Frame>& frames) override {
    in_ = std::make_unique<Stream>(name);
    in_->skip(10);  // the signature and the size
    const int flags = in_->byte();
    in_->skip(1);
    const int shape = in_->byte();
    if (shape > 0 && shape != 49) {
      m_spec.attribute("PixelAspectRatio", static_cast<float>(shape + 15) / 64);
    }
    const std::vector<Color> colors = in_->colors(flags);
    Frame next;
    int transparent = -1;
    while (in_->good() && frames.size() <= static_cast<std::size_t>(most_pages)) {
      constexpr int extension = 0x21, control = 0xf9, comment = 0xfe, application = 0xff,
                    words = 0x01, picture = 0x2c;
      const int block = in_->byte();
      if (block == extension) {
        const int kind = in_->byte();
        if (kind == control) read_control(next, transparent);
        if (kind == comment) {
          read_comment();
          continue;
        }
        if (kind == application) read_application();
        if (kind == words) add_other("texts that are drawn");
        in_->skip_blocks();
        continue;
      }
      if (block != picture) break;
      stored_.push_back(read_picture(colors));
      stored_.back().transparent = std::exchange(transparent, -1);
      stored_.back().opaque = stored_.back().opaque && stored_.back().transparent < 0;
      const Stored& s = stored_.back();
      next.area = {std::min(s.x, canvas.x1), std::min(s.y, canvas.y1),
                   std::min(s.x + s.width, canvas.x1), std::min(s.y + s.height, canvas.y1)};
      next.blend = s.opaque ? Blend::source : Blend::over;
      frames.push_back(std::exchange(next, {}));
    }
    if (!comments_.empty()) m_spec.attribute("ImageDescription", comments_);
    if (!others_.empty()) m_spec.attribute(other_data, others_);
    leave_out_opacity();
    return !frames.empty();
  }

  // OpenImageIO gives every picture a fourth channel.
  void leave_out_opacity() {
    if (stored_.empty() || m_spec.nchannels != 4) return;
    const bool alone = first_only() || stored_.size() == 1;
    const bool opaque = alone ? stored_[0].opaque || shows_no_gap(stored_[0]) : shows_no_gap();
    if (!opaque) return;
    m_spec.nchannels = 3;
    m_spec.channelnames.resize(3);
    m_spec.alpha_channel = -1;
  }

  // The same of all frames: numbers of two colours have two bits, and could name others.
  bool shows_no_gap() {
    std::size_t pixels = 0;
    return std::all_of(stored_.begin(), stored_.end(), [&](const Stored& s) {
      if (s.opaque) return true;
      pixels += static_cast<std::size_t>(s.width) * static_cast<std::size_t>(s.height);
      return s.transparent < 0 && pixels <= largest && shows_no_gap(s);
    });
  }

  // Whether all pixels of a frame have colours. Large ones are not looked through.
  static constexpr std::size_t largest = std::size_t{1} << 26;
  bool shows_no_gap(const Stored& s) {
    const std::size_t pixels =
        static_cast<std::size_t>(s.width) * static_cast<std::size_t>(s.height);
    if (pixels > largest) return false;
    in_->go_to(s.data);
    const std::vector<std::uint8_t> numbers = decompressed(*in_, pixels);
    return numbers.size() >= pixels &&
           std::none_of(numbers.begin(), numbers.end(), [&s](std::uint8_t number) {
             return number == s.transparent || number >= s.colors.size();
           });
  }

  void read_comment() {
    const std::string text = in_->blocks(false);
    if (text.empty() || comments_.size() > Bytes::largest) return;
    comments_ += (comments_.empty() ? "" : "\n") + utf8_of(text);  // one may be Latin-1
  }

  // The size of the block, flags, a delay, and a transparent colour; the blocks' end follows.
  void read_control(Frame& next, int& transparent) {
    if (in_->byte() != 4) return;
    const int flags = in_->byte();
    next.microseconds = 10'000 * std::int64_t{in_->word()};
    const int color = in_->byte();
    const int dispose = flags >> 2 & 7;
    next.dispose = dispose == 2   ? Dispose::background
                   : dispose == 3 ? Dispose::previous
                                  : Dispose::none;
    transparent = (flags & 1) != 0 ? color : -1;
  }

  // Its name; its blocks' end follows.
  void read_application() {
    const int length = in_->byte();
    if (length == 0) return in_->step_back();
    const std::string name = in_->text(length);
    if (name == "NETSCAPE2.0" || name == "ANIMEXTS1.0") return read_loops();
    if (name == "XMP DataXMP") return read_xmp();
    // ImageMagick states a gamma in each file.
    if (name != "ICCRGBG1012" && name != "ImageMagick") add_other(name.substr(0, name.find('\0')));
  }

  // Nothing is read of it.
  void add_other(const std::string& name) {
    constexpr std::size_t longest = 1000;
    if (others_.size() > longest || others_.find(name) != std::string::npos) return;
    others_.append(others_.empty() ? "" : ", ").append(utf8_of(name));
  }

  // A block with a 1 and how often the animation is repeated, or 0.
  void read_loops() {
    const int size = in_->byte();
    if (size == 0) return in_->step_back();
    if (size != 3) return in_->skip(size);
    const int kind = in_->byte(), repeated = in_->word();
    if (kind == 1) set_loops(repeated == 0 ? 0 : repeated + 1);
  }

  // The packet lies there as it is: its bytes lead readers of blocks from one to another, and those
  // after it, from 255 down to 0, to the end (XMP, part 3, 1.1.2). Some writers use blocks.
  void read_xmp() {
    constexpr std::string_view end_mark = "\1\xff\xfe\xfd";
    const std::streamoff begin = in_->place();
    std::string packet = in_->blocks(true);
    const std::size_t end = packet.find(end_mark);
    if (end == std::string::npos) {
      in_->go_to(begin);
      packet = in_->blocks(false);
    } else {
      packet.resize(end);
    }
    in_->step_back();
    m_spec.attribute("sfumato:xmp", packet);
  }

  Stored read_picture(const std::vector<Color>& usual) {
    Stored s;
    s.x = in_->word();
    s.y = in_->word();
    s.width = in_->word();
    s.height = in_->word();
    const int flags = in_->byte();
    s.interlaced = (flags & 0x40) != 0;
    s.colors = in_->colors(flags);
    if (s.colors.empty()) s.colors = usual;
    s.data = in_->place();
    const int bits = in_->byte();  // of the numbers of colours
    s.opaque = bits <= 8 && s.colors.size() >= std::size_t{1} << bits;
    in_->skip_blocks();
    return s;
  }

  bool is_opaque(std::size_t number) const override {
    return AnimationInput::is_opaque(number) || stored_[number].opaque;
  }

  bool decode(std::size_t number, std::vector<std::uint16_t>& pixels) override {
    const Stored& s = stored_[number];
    // Frames are seldom larger than the canvas; a few bytes may claim 65535 x 65535 pixels.
    constexpr std::size_t usual = std::size_t{1} << 24;
    in_->go_to(s.data);
    const std::size_t width = static_cast<std::size_t>(s.width),
                      held = width * static_cast<std::size_t>(s.height);
    if (held > std::max<std::size_t>(4 * m_spec.image_pixels(), usual)) return false;
    const std::vector<std::uint8_t> numbers = decompressed(*in_, held);
    if (numbers.size() < held) return false;
    const Rect& area = frame(number).area;
    const auto across = static_cast<std::size_t>(area.width());
    const auto channels = static_cast<std::size_t>(held_channels());
    pixels.assign(across * static_cast<std::size_t>(area.height()) * channels, 0);
    for (int i = 0; i < s.height; ++i) {
      const int y = s.interlaced ? row_of(i, s.height) : i;
      if (y >= area.height()) continue;
      const std::uint8_t* from = numbers.data() + static_cast<std::size_t>(i) * width;
      std::uint16_t* to = pixels.data() + static_cast<std::size_t>(y) * across * channels;
      for (std::size_t x = 0; x < across; ++x, to += channels) {
        if (from[x] == s.transparent || from[x] >= s.colors.size()) continue;
        std::copy_n(s.colors[from[x]].begin(), 3, to);
        if (channels == 4) to[3] = 255;
      }
    }
    return true;
  }

  std::unique_ptr<Stream> in_;
  std::string comments_, others_;
  std::vector<Stored> stored_;
};

}  // namespace

std::vector<unsigned char> profile_in_gif(const std::filesystem::path& path) {
  constexpr int extension = 0x21, application = 0xff;
  Stream in(path.string());
  in.skip(10);  // the signature and the size
  const int flags = in.byte();
  in.skip(2);
  in.colors(flags);
  std::vector<unsigned char> out;
  while (in.good() && in.byte() == extension) {  // it is before the first picture
    const bool named = in.byte() == application;
    std::string name(static_cast<std::size_t>(in.byte()), '\0');
    for (char& letter : name) letter = static_cast<char>(in.byte());
    if (name.empty()) continue;  // the end of no blocks
    const bool profile = named && name == "ICCRGBG1012";
    for (int size = in.byte(); in.good() && size > 0; size = in.byte()) {
      if (!profile || out.size() > Bytes::largest) {
        in.skip(size);
        continue;
      }
      for (int i = 0; i < size; ++i) out.push_back(static_cast<unsigned char>(in.byte()));
    }
    if (profile) break;
  }
  return out;
}

std::unique_ptr<OIIO::ImageInput> make_gif_input(bool frames) {
  return std::make_unique<GifInput>(!frames);
}

}  // namespace sfumato::files
