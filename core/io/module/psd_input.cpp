// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Merged pictures of Photoshop's files: OpenImageIO 2.4 refuses whole files for the way in which
// layers are stored, and takes some palettes and inks for what they are not. It reads the layers.
#include <OpenImageIO/filesystem.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <fstream>
#include <vector>

#include "io/module/embedded.hpp"
#include "io/module/psd.hpp"

namespace sfumato::files {
namespace {

using OIIO::ImageSpec;
using OIIO::TypeDesc;

constexpr std::uint64_t transparent_index_id = 1047, version_id = 1057;

// Where each row of one channel is in the file.
struct PsdPlane {
  std::uint64_t begin = 0;                   // of rows that are not compressed
  std::vector<std::uint64_t> rows, lengths;  // of compressed ones
};

// The largest sample; 1 for floats.
template <typename Sample>
constexpr double white_of() {
  return std::is_floating_point_v<Sample> ? 1.0
                                          : static_cast<double>(std::numeric_limits<Sample>::max());
}

template <typename Sample>
Sample rounded(double value) {
  if constexpr (std::is_floating_point_v<Sample>) {
    return static_cast<Sample>(value);
  } else {
    return static_cast<Sample>(std::lround(std::clamp(value, 0.0, white_of<Sample>())));
  }
}

template <typename Sample>
Sample psd_sample(const std::string& row, std::size_t x) {
  std::array<char, sizeof(Sample)> bytes{};
  for (std::size_t i = 0; i < sizeof(Sample); ++i) {
    bytes[i] = row[(x + 1) * sizeof(Sample) - 1 - i];
  }
  Sample out{};
  std::memcpy(&out, bytes.data(), sizeof(Sample));
  return out;
}

// PackBits; false if it does not fill the row.
bool unpack_bits(const std::string& from, std::string& to) {
  std::size_t at = 0, filled = 0;
  while (at < from.size() && filled < to.size()) {
    const int code = static_cast<signed char>(from[at++]);
    if (code == -128) continue;
    const auto count = static_cast<std::size_t>(code < 0 ? 1 - code : code + 1);
    const std::size_t taken = code < 0 ? 1 : count;
    if (count > to.size() - filled || taken > from.size() - at) return false;
    if (code < 0) {
      std::fill_n(to.begin() + static_cast<std::ptrdiff_t>(filled), count, from[at]);
    } else {
      std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(at), count,
                  to.begin() + static_cast<std::ptrdiff_t>(filled));
    }
    at += taken;
    filled += count;
  }
  return filled == to.size();
}

class PsdInput final : public WithErrorText<OIIO::ImageInput> {
 public:
  const char* format_name() const override { return "psd"; }
  bool close() override {
    layers_.reset();
    in_.close();
    return true;
  }

  bool open(const std::string& name, ImageSpec& spec) override {
    return open(name, spec, ImageSpec());
  }
  bool open(const std::string& name, ImageSpec& spec, const ImageSpec& config) override {
    Bytes bytes(name, true);
    header_.emplace(bytes);
    if (auto kind = header_->variant()) return fail_as_variant(std::move(*kind));
    if (auto fault = header_->fault()) return fail(std::move(*fault));
    size_ = bytes.size();
    in_.open(name, std::ios::binary);
    if (!read_descriptions(bytes)) return false;
    if (header_->mode == PsdHeader::indexed) read_palette(bytes);
    describe();
    if (header_->layers > 0 && lacks_merged(bytes)) merged_.attribute(psd_without_merged, 1);
    if (!find_planes()) merged_.attribute("sfumato:short", 1);
    find_ground(bytes);
    open_layers(name, config);
    spec = m_spec = merged_;
    return true;
  }

  int current_subimage() const override { return number_; }
  bool seek_subimage(int subimage, int miplevel) override {
    if (subimage < 0 || miplevel != 0) return false;
    const auto layer = static_cast<std::size_t>(subimage) - 1;
    if (subimage > 0 && (layer >= drawn_.size() || !layers_->seek_subimage(drawn_[layer], 0))) {
      return false;
    }
    number_ = subimage;
    m_spec = subimage == 0 ? merged_ : spec_of_layer();
    return true;
  }

  bool read_native_scanline(int subimage, int miplevel, int y, int z, void* data) override {
    if (!seek_subimage(subimage, miplevel)) return false;
    if (subimage > 0) return read_layer(y, z, data);
    if (!on_white_) on_white_ = says_white_ && look_for_white() != Ground::none;
    if (!read_planes(static_cast<std::size_t>(y))) {
      return fail(message({"netpbm.row_missing", "row {row} is missing"}, y));
    }
    switch (merged_.format.basetype) {
      case TypeDesc::UINT8:
        fill_bytes(static_cast<std::uint8_t*>(data));
        break;
      case TypeDesc::UINT16:
        fill(static_cast<std::uint16_t*>(data));
        break;
      default:
        fill(static_cast<float*>(data));
    }
    return true;
  }

 private:
  // Resources that describe the picture are read by OpenImageIO, from a file of one pixel.
  bool read_descriptions(Bytes& in) {
    bool whole = false;
    std::string resources;
    for (const PsdResource& one : resources_in_psd(in, whole)) {
      constexpr std::array<std::uint64_t, 6> wanted = {1005, 1010, 1039, 1058, 1060, 1064};
      if (std::find(wanted.begin(), wanted.end(), one.id) == wanted.end()) continue;
      const std::string data = in.text(one.at, one.size);
      resources += "8BIM";
      append_big_endian(resources, one.id, 2);
      append_big_endian(resources, 0, 2);
      append_big_endian(resources, data.size(), 4);
      resources += data + std::string(data.size() & 1, '\0');
    }
    if (!whole) return fail(message({"psd.resources", "its image resources are damaged"}));
    constexpr std::string_view head("8BPS\0\1\0\0\0\0\0\0\0\3\0\0\0\1\0\0\0\1\0\10\0\3\0\0\0\0",
                                    30);
    std::string file(head);
    append_big_endian(file, resources.size(), 4);
    file += resources;
    file.append(64, '\0');  // no layers, and the pixel
    OIIO::Filesystem::IOMemReader memory(file.data(), file.size());
    const auto reader = OIIO::ImageInput::create("psd");
    if (!reader || !reader->set_ioproxy(&memory) || !reader->open("resources.psd", merged_)) {
      if (reader) errorfmt("{}", reader->geterror());
      return false;
    }
    return true;
  }

  // Photoshop writes white instead, if it is told to save space.
  static bool lacks_merged(Bytes& in) {
    constexpr std::size_t has_merged = 4;
    const std::string version = psd_resource(in, version_id);
    return version.size() > has_merged && version[has_merged] == 0;
  }

  void read_palette(Bytes& in) {
    palette_ = in.text(header_->palette, 768);
    const std::string number = psd_resource(in, transparent_index_id);
    if (number.size() < 2) return;
    clear_index_ = static_cast<int>(big_endian_at(number, 0, 2));
  }

  void describe() {
    const PsdHeader& h = *header_;
    const bool clear_color = clear_index_ >= 0 && clear_index_ < 256;
    const bool extra = h.channels > h.color_channels();
    has_alpha_ =
        h.transparent && extra && h.mode != PsdHeader::multichannel && h.mode != PsdHeader::indexed;
    const bool three = h.color_channels() >= 3 || h.mode == PsdHeader::indexed;
    merged_.width = merged_.full_width = static_cast<int>(h.width);
    merged_.height = merged_.full_height = static_cast<int>(h.height);
    merged_.set_format(h.depth == 32   ? TypeDesc::FLOAT
                       : h.depth == 16 ? TypeDesc::UINT16
                                       : TypeDesc::UINT8);
    // Photoshop's own rule for floats.
    if (h.depth == 32) merged_.attribute("oiio:ColorSpace", "linear");
    const bool alpha = has_alpha_ || clear_color;
    merged_.nchannels = (three ? 3 : 1) + (alpha ? 1 : 0);
    merged_.channelnames =
        three ? std::vector<std::string>{"R", "G", "B"} : std::vector<std::string>{"Y"};
    merged_.alpha_channel = -1;
    if (alpha) {
      merged_.channelnames.emplace_back("A");
      merged_.alpha_channel = merged_.nchannels - 1;
      merged_.attribute("oiio:UnassociatedAlpha", 1);
    }
    const int read = h.color_channels() + (has_alpha_ ? 1 : 0);
    merged_.attribute(psd_unread_channels, h.channels - read);
    merged_.attribute(psd_inks, h.mode);
    if (h.mode == PsdHeader::lab) {
      constexpr int cie_lab = 8;  // TIFF's number
      merged_.attribute("tiff:PhotometricInterpretation", cie_lab);
    }
  }

  // False if the file is cut short.
  bool find_planes() {
    const PsdHeader& h = *header_;
    planes_.assign(static_cast<std::size_t>(h.color_channels() + (has_alpha_ ? 1 : 0)), {});
    rows_.assign(planes_.size(), std::string());
    if (h.data > size_) return false;
    if (h.compression == PsdHeader::runs) return find_rows();
    const std::uint64_t held = (size_ - h.data) / h.row_bytes();
    if (held / planes_.size() < h.height) return false;
    for (std::size_t i = 0; i < planes_.size(); ++i) {
      planes_[i].begin = h.data + i * h.height * h.row_bytes();
    }
    return true;
  }

  // The lengths of all rows of all channels come first.
  bool find_rows() {
    const PsdHeader& h = *header_;
    const std::uint64_t width_of_length = h.large ? 4 : 2;
    const auto channels = static_cast<std::uint64_t>(h.channels);
    if ((size_ - h.data) / width_of_length / channels < h.height) return false;
    std::uint64_t at = h.data + channels * h.height * width_of_length;
    std::string bytes(static_cast<std::size_t>(h.height * width_of_length), '\0');
    in_.clear();
    in_.seekg(static_cast<std::streamoff>(h.data));
    for (PsdPlane& plane : planes_) {
      if (!in_.read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) return false;
      for (std::size_t i = 0; i < bytes.size(); i += static_cast<std::size_t>(width_of_length)) {
        const std::uint64_t length = big_endian_at(bytes, i, static_cast<int>(width_of_length));
        if (length > size_ - at) return false;
        plane.rows.push_back(at);
        plane.lengths.push_back(length);
        at += length;
      }
    }
    return true;
  }

  // What cannot be read of layers is no reason to refuse the merged picture.
  void open_layers(const std::string& name, const ImageSpec& config) {
    if (header_->layers == 0 || find_layers(name, config)) return;
    layers_.reset();
    drawn_.clear();
    merged_.attribute(psd_unread_layers, header_->layers);
  }

  // False also for layers in a block of their own, which OpenImageIO does not see. Groups and
  // adjustments have no pixels.
  bool find_layers(const std::string& name, const ImageSpec& config) try {
    constexpr int widest = 300'000;  // by the specification
    layers_ = OIIO::ImageInput::create("psd");
    ImageSpec first;
    if (!layers_) return false;
    bool seen = layers_->open(name, first, config) && layers_->seek_subimage(1, 0);
    const bool found = seen;
    for (int i = 1; seen; seen = layers_->seek_subimage(++i, 0)) {
      const ImageSpec layer = layers_->spec();
      if (layer.width > widest || layer.height > widest) return false;
      if (layer.width > 0 && layer.height > 0) drawn_.push_back(i);
    }
    layers_->geterror();  // the end of the layers is no error
    return found;
  } catch (const std::exception&) {
    return false;  // sizes that make no sense
  }

  // OpenImageIO says that gray layers have colours, and puts what they have at the begin of a row.
  ImageSpec spec_of_layer() const {
    ImageSpec s = layers_->spec();
    s.attribute(psd_layer, drawn_[static_cast<std::size_t>(number_) - 1]);
    if (header_->mode != PsdHeader::gray) return s;
    s.nchannels = s.nchannels == 4 ? 2 : 1;
    s.channelnames = {"Y", "A"};
    s.channelnames.resize(static_cast<std::size_t>(s.nchannels));
    s.channelformats.clear();
    s.alpha_channel = s.nchannels == 2 ? 1 : -1;
    return s;
  }

  bool read_layer(int y, int z, void* data) {
    packed_.resize(static_cast<std::size_t>(layers_->spec().scanline_bytes(true)));
    if (!layers_->read_native_scanline(drawn_[static_cast<std::size_t>(number_) - 1], 0, y, z,
                                       packed_.data())) {
      errorfmt("{}", layers_->geterror());
      return false;
    }
    std::memcpy(data, packed_.data(), static_cast<std::size_t>(m_spec.scanline_bytes(true)));
    return true;
  }

  bool read_planes(std::size_t y) {
    const auto row = static_cast<std::size_t>(header_->row_bytes());
    for (std::size_t i = 0; i < planes_.size(); ++i) {
      const bool packed = header_->compression == PsdHeader::runs;
      if (packed && y >= planes_[i].rows.size()) return false;
      const std::uint64_t at = packed ? planes_[i].rows[y] : planes_[i].begin + y * row;
      std::string& bytes = packed ? packed_ : rows_[i];
      bytes.resize(packed ? static_cast<std::size_t>(planes_[i].lengths[y]) : row);
      in_.clear();
      in_.seekg(static_cast<std::streamoff>(at));
      if (!in_.read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) return false;
      rows_[i].resize(row);
      if (packed && !unpack_bits(packed_, rows_[i])) return false;
    }
    return true;
  }

  void fill_bytes(std::uint8_t* to) const {
    const auto width = static_cast<std::size_t>(merged_.width);
    if (header_->mode == PsdHeader::bitmap) {
      for (std::size_t x = 0; x < width; ++x) {
        const bool black = (static_cast<unsigned char>(rows_[0][x / 8]) >> (7 - x % 8) & 1) != 0;
        to[x] = black ? 0 : 255;
      }
    } else if (header_->mode == PsdHeader::indexed) {
      for (std::size_t x = 0; x < width; ++x) to = put_color(rows_[0][x], to);
    } else {
      fill(to);
    }
  }

  std::uint8_t* put_color(char stored, std::uint8_t* to) const {
    constexpr std::size_t colors = 256;
    const auto number = static_cast<unsigned char>(stored);
    for (std::size_t c = 0; c < 3; ++c) {
      *to++ = static_cast<std::uint8_t>(palette_[c * colors + number]);
    }
    if (merged_.nchannels == 4) *to++ = number == clear_index_ ? 0 : 255;
    return to;
  }

  template <typename Sample>
  void fill(Sample* to) const {
    const auto width = static_cast<std::size_t>(merged_.width);
    std::array<double, 5> values{};
    for (std::size_t x = 0; x < width; ++x) {
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        values[i] = static_cast<double>(psd_sample<Sample>(rows_[i], x));
      }
      if (*on_white_) remove_white(values, rows_.size() - 1, white_of<Sample>());
      to = put_pixel(values, to);
    }
  }

  // Photoshop and GIMP store colours, but not gray, as they look on white; ImageMagick and others
  // do not. Where nobody says so, colours that could be on white are left as they are.
  void find_ground(Bytes& in) {
    if (!has_alpha_ || planes_.size() < 4 || merged_.get_int_attribute("sfumato:short") != 0)
      return;
    says_white_ = says_psd_on_white(in);
    if (!says_white_ && look_for_white() == Ground::white) merged_.attribute(psd_ground, 1);
  }

  // What the pixels say: they may show where a colour is too dark for white. `any`: no pixel lets
  // it through.
  enum class Ground { none, any, white };
  template <typename Sample>
  Ground look_for_white() {
    constexpr double tolerance = std::is_floating_point_v<Sample> ? 0.001
                                 : sizeof(Sample) == 2            ? 8
                                                                  : 1;
    const std::size_t colors = planes_.size() - 1;
    Ground found = Ground::any;
    for (std::size_t y = 0; y < header_->height; ++y) {
      if (!read_planes(y)) return found;  // the error comes with the row
      for (std::size_t x = 0; x < header_->width; ++x) {
        const auto alpha = static_cast<double>(psd_sample<Sample>(rows_[colors], x));
        const double least = white_of<Sample>() - alpha - tolerance;
        if (alpha > 0 && alpha < white_of<Sample>()) found = Ground::white;
        for (std::size_t c = 0; c < colors; ++c) {
          if (static_cast<double>(psd_sample<Sample>(rows_[c], x)) < least) return Ground::none;
        }
      }
    }
    return found;
  }
  Ground look_for_white() {
    if (merged_.format == TypeDesc::UINT8) return look_for_white<std::uint8_t>();
    return merged_.format == TypeDesc::UINT16 ? look_for_white<std::uint16_t>()
                                              : look_for_white<float>();
  }

  static void remove_white(std::array<double, 5>& values, std::size_t colors, double white) {
    const double alpha = values[colors];
    if (alpha >= white) return;
    for (std::size_t i = 0; i < colors; ++i) {
      const double part = alpha > 0 ? (values[i] - (white - alpha)) * white / alpha : 0;
      values[i] = std::max(part, 0.0);
    }
  }

  template <typename Sample>
  Sample* put_pixel(const std::array<double, 5>& values, Sample* to) const {
    const std::size_t colors = merged_.nchannels >= 3 ? 3 : 1;
    // Full inks are 0, and black lies over the others.
    const bool inks = header_->mode == PsdHeader::cmyk;
    for (std::size_t c = 0; c < colors; ++c) {
      *to++ = rounded<Sample>(inks ? values[c] * values[3] / white_of<Sample>() : values[c]);
    }
    if (has_alpha_) *to++ = rounded<Sample>(values[rows_.size() - 1]);
    return to;
  }

  std::optional<PsdHeader> header_;
  std::uint64_t size_ = 0;  // of the file
  std::ifstream in_;
  ImageSpec merged_;
  std::unique_ptr<OIIO::ImageInput> layers_;
  std::vector<int> drawn_;  // the numbers of layers with pixels
  int number_ = 0;
  bool has_alpha_ = false;        // in a channel
  bool says_white_ = false;       // that colours are as on white
  std::optional<bool> on_white_;  // known with the first row
  std::string palette_;           // all red, all green and all blue samples
  int clear_index_ = -1;
  std::vector<PsdPlane> planes_;
  std::vector<std::string> rows_;  // of the planes
  std::string packed_;
};

}  // namespace

std::unique_ptr<OIIO::ImageInput> make_psd_input() {
  return std::make_unique<PsdInput>();
}

}  // namespace sfumato::files
