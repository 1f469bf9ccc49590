// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// HEIF and AVIF pictures read by libheif: OpenImageIO 2.4 reads neither their colour profiles nor
// their metadata, and only 8 bits of deeper ones.
#include <OpenImageIO/tiffutils.h>
#include <libheif/heif.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <memory>
#include <vector>

#include "io/file_origin.hpp"
#include "io/module/embedded.hpp"
#include "io/module/parts.hpp"
#include "io/module/pixel_change.hpp"

namespace sfumato::files {
namespace {

using OIIO::ImageSpec;
using OIIO::TypeDesc;

struct Deleter {
  void operator()(heif_context* p) const { heif_context_free(p); }
  void operator()(const heif_image_handle* p) const { heif_image_handle_release(p); }
  void operator()(const heif_image* p) const { heif_image_release(p); }
  void operator()(heif_color_profile_nclx* p) const { heif_nclx_color_profile_free(p); }
};
template <class T>
using Held = std::unique_ptr<T, Deleter>;

class HeifInput final : public WithErrorText<OIIO::ImageInput> {
 public:
  const char* format_name() const override { return "heif"; }
  bool close() override {
    image_.reset();
    handle_.reset();
    context_.reset();
    return true;
  }

  bool open(const std::string& name, ImageSpec& spec) override {
    context_.reset(heif_context_alloc());
    if (!good(heif_context_read_from_file(context_.get(), name.c_str(), nullptr))) return false;
    if (!list_pictures(name) || !describe(0)) return false;
    spec = m_spec;
    return true;
  }

  int current_subimage() const override { return number_; }
  bool seek_subimage(int subimage, int miplevel) override {
    if (miplevel != 0 || subimage < 0 || static_cast<std::size_t>(subimage) >= pictures_.size()) {
      return false;
    }
    return subimage == number_ || describe(subimage);
  }

  bool read_native_scanline(int subimage, int miplevel, int y, int, void* data) override {
    if (!seek_subimage(subimage, miplevel) || (!image_ && !decode())) return false;
    int stride = 0;
    const std::uint8_t* rows =
        heif_image_get_plane_readonly(image_.get(), heif_channel_interleaved, &stride);
    if (rows == nullptr) return fail(message({"decoder.no_picture", "there is no picture in it"}));
    const auto bytes = static_cast<std::size_t>(m_spec.scanline_bytes());
    std::memcpy(data, rows + static_cast<std::ptrdiff_t>(y) * stride, bytes);
    if (bits_ <= 8) return true;
    // The samples are in the low bits of 16.
    auto* samples = static_cast<std::uint16_t*>(data);
    const unsigned most = (1u << bits_) - 1;
    for (std::size_t i = 0; i < bytes / 2; ++i) {
      samples[i] = static_cast<std::uint16_t>(
          (std::min<unsigned>(samples[i], most) * 65535u + most / 2) / most);
    }
    return true;
  }

 private:
  bool good(const heif_error& error) {
    if (error.code == heif_error_Ok) return true;
    errorfmt("{}", error.message);
    return false;
  }

  // The main picture comes first.
  bool list_pictures(const std::string& name) {
    heif_item_id main = 0;
    if (!good(heif_context_get_primary_image_ID(context_.get(), &main))) return false;
    const int count =
        std::clamp(heif_context_get_number_of_top_level_images(context_.get()), 0, most_pages);
    std::vector<heif_item_id> all(static_cast<std::size_t>(count));
    heif_context_get_list_of_top_level_image_IDs(context_.get(), all.data(), count);
    pictures_ = {main};
    const std::vector<std::uint32_t> maps = attached_in_heif(name).maps;
    std::copy_if(all.begin(), all.end(), std::back_inserter(pictures_), [&](heif_item_id id) {
      return id != main && std::find(maps.begin(), maps.end(), id) == maps.end();
    });
    return true;
  }

  bool describe(int number) {
    image_.reset();
    heif_image_handle* handle = nullptr;
    const heif_item_id id = pictures_[static_cast<std::size_t>(number)];
    if (!good(heif_context_get_image_handle(context_.get(), id, &handle))) return false;
    handle_.reset(handle);
    number_ = number;
    bits_ = heif_image_handle_get_luma_bits_per_pixel(handle);
    const bool alpha = heif_image_handle_has_alpha_channel(handle) != 0;
    m_spec = ImageSpec(heif_image_handle_get_width(handle), heif_image_handle_get_height(handle),
                       alpha ? 4 : 3, bits_ > 8 ? TypeDesc::UINT16 : TypeDesc::UINT8);
    if (alpha && heif_image_handle_is_premultiplied_alpha(handle) == 0) {
      m_spec.attribute("oiio:UnassociatedAlpha", 1);
    }
    if (bits_ > 8) m_spec.attribute("oiio:BitsPerSample", bits_);
    m_spec.attribute("oiio:ColorSpace", "sRGB");
    read_metadata();
    // libheif has already rotated the picture; the format tells readers to ignore EXIF's
    // orientation.
    m_spec.erase_attribute("Orientation");
    read_colour();
    m_spec.attribute("sfumato:pictures", static_cast<int>(pictures_.size()));
    m_spec.attribute(heif_item, static_cast<int>(id));
    return true;
  }

  bool decode() {
    const bool alpha = m_spec.nchannels == 4;
    const heif_chroma chroma =
        bits_ > 8
            ? (alpha ? heif_chroma_interleaved_RRGGBBAA_LE : heif_chroma_interleaved_RRGGBB_LE)
            : (alpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB);
    heif_image* image = nullptr;
    if (!good(heif_decode_image(handle_.get(), &image, heif_colorspace_RGB, chroma, nullptr))) {
      return false;
    }
    image_.reset(image);
    return (heif_image_get_width(image, heif_channel_interleaved) == m_spec.width &&
            heif_image_get_height(image, heif_channel_interleaved) == m_spec.height) ||
           fail(message({"heif.size", "its size is not what its header says"}));
  }

  std::string metadata(heif_item_id id) const {
    std::string out(heif_image_handle_get_metadata_size(handle_.get(), id), '\0');
    const heif_error error = heif_image_handle_get_metadata(handle_.get(), id, out.data());
    return error.code == heif_error_Ok ? out : std::string();
  }

  void read_metadata() {
    const int count = heif_image_handle_get_number_of_metadata_blocks(handle_.get(), nullptr);
    std::vector<heif_item_id> ids(static_cast<std::size_t>(std::max(0, count)));
    heif_image_handle_get_list_of_metadata_block_IDs(handle_.get(), nullptr, ids.data(), count);
    for (const heif_item_id id : ids) {
      const std::string_view type = heif_image_handle_get_metadata_type(handle_.get(), id);
      const std::string_view content =
          heif_image_handle_get_metadata_content_type(handle_.get(), id);
      if (type == "mime" && content == "application/rdf+xml") {
        const std::string xmp = metadata(id);
        decode_xmp_of_file(xmp, m_spec);
        m_spec.attribute("sfumato:xmp", xmp);
      } else if (type == "Exif") {
        // The first four bytes say how many more come before the TIFF header.
        const std::string block = metadata(id);
        const auto begin = static_cast<std::size_t>(big_endian_at(block, 0, 4));
        if (block.size() < 4 || begin >= block.size() - 4) {
          m_spec.attribute(unread_exif, 1);
          continue;
        }
        const std::string exif = block.substr(4 + begin);
        OIIO::decode_exif(exif, m_spec);
        m_spec.attribute("sfumato:exif", TypeDesc(TypeDesc::UINT8, static_cast<int>(exif.size())),
                         exif.data());
      }
    }
  }

  void set_profile(const std::vector<unsigned char>& profile) {
    if (profile.empty()) return;
    m_spec.attribute("ICCProfile", TypeDesc(TypeDesc::UINT8, static_cast<int>(profile.size())),
                     profile.data());
  }

  void read_colour() {
    const std::size_t size = heif_image_handle_get_raw_color_profile_size(handle_.get());
    if (size > 0) {
      std::vector<unsigned char> profile(size);
      const heif_error error =
          heif_image_handle_get_raw_color_profile(handle_.get(), profile.data());
      if (error.code == heif_error_Ok) set_profile(profile);
      return;
    }
    heif_color_profile_nclx* found = nullptr;
    if (heif_image_handle_get_nclx_color_profile(handle_.get(), &found).code != heif_error_Ok) {
      return;
    }
    const Held<heif_color_profile_nclx> nclx(found);
    // "Unspecified" means sRGB; if nothing is said, EXIF may say it.
    constexpr int unspecified = 2, srgb = 1, srgb_curve = 13;
    if (nclx->color_primaries == unspecified && nclx->transfer_characteristics == unspecified) {
      return;
    }
    const auto number = [](int code, int instead) {
      return static_cast<unsigned char>(code == unspecified ? instead : code);
    };
    const std::array<unsigned char, 4> cicp = {number(nclx->color_primaries, srgb),
                                               number(nclx->transfer_characteristics, srgb_curve),
                                               0, 1};
    m_spec.attribute("sfumato:cicp", TypeDesc(TypeDesc::UINT8, 4), cicp.data());
  }

  Held<heif_context> context_;
  Held<const heif_image_handle> handle_;
  Held<const heif_image> image_;
  std::vector<heif_item_id> pictures_;
  int number_ = 0, bits_ = 8;
};

}  // namespace

std::unique_ptr<OIIO::ImageInput> make_heif_input() {
  return std::make_unique<HeifInput>();
}

}  // namespace sfumato::files
