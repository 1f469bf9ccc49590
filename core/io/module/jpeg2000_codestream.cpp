// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "io/module/jpeg2000_codestream.hpp"

#include <algorithm>

#include "image/processors.hpp"

namespace sfumato::files {

bool Codestream::open(std::FILE* file, const Jp2Head& head, std::string& says) {
  file_ = file;
  begin_ = static_cast<std::int64_t>(head.codestream);
  size_ = static_cast<std::int64_t>(head.codestream_size);
  codec_.reset(opj_create_decompress(OPJ_CODEC_J2K));
  stream_.reset(opj_stream_create(std::size_t{1} << 18, OPJ_TRUE));
  if (!codec_ || !stream_ || !seek(0)) return false;
  opj_set_error_handler(
      codec_.get(),
      [](const char* text, void* to) {
        if (text != nullptr) static_cast<std::string*>(to)->append(text);
      },
      &says);
  opj_stream_set_user_data(stream_.get(), this, nullptr);
  opj_stream_set_user_data_length(stream_.get(), head.codestream_size);
  opj_stream_set_read_function(stream_.get(),
                               [](void* to, OPJ_SIZE_T bytes, void* self) -> OPJ_SIZE_T {
                                 return static_cast<Codestream*>(self)->read(to, bytes);
                               });
  opj_stream_set_seek_function(stream_.get(), [](OPJ_OFF_T to, void* self) -> OPJ_BOOL {
    return static_cast<Codestream*>(self)->seek(to) ? OPJ_TRUE : OPJ_FALSE;
  });
  opj_stream_set_skip_function(stream_.get(), [](OPJ_OFF_T by, void* self) -> OPJ_OFF_T {
    auto& in = *static_cast<Codestream*>(self);
    return in.seek(in.at_ + by) ? by : -1;
  });
  opj_dparameters_t parameters{};
  opj_set_default_decoder_parameters(&parameters);
  if (opj_setup_decoder(codec_.get(), &parameters) == 0) return false;
  opj_codec_set_threads(codec_.get(), static_cast<int>(compute_threads()));
  opj_image_t* image = nullptr;
  const bool read = opj_read_header(stream_.get(), codec_.get(), &image) != 0;
  image_.reset(image);
  return read && image_;
}

bool Codestream::has_rows_of_tiles(std::int64_t& begin, std::int64_t& rows) const {
  opj_codestream_info_v2_t* info = opj_get_cstr_info(codec_.get());
  if (info == nullptr) return false;
  begin = info->ty0;
  rows = info->tdy;
  const bool several = info->th > 1;
  opj_destroy_cstr_info(&info);
  return several && rows > 0;
}

bool Codestream::decode(std::int64_t y0, std::int64_t y1) {
  const auto side = [](std::int64_t value) { return static_cast<OPJ_INT32>(value); };
  if (opj_set_decode_area(codec_.get(), image_.get(), side(image_->x0), side(y0), side(image_->x1),
                          side(y1)) == 0 ||
      opj_decode(codec_.get(), stream_.get(), image_.get()) == 0) {
    return false;
  }
  const opj_image_comp_t* comps = image_->comps;
  return std::all_of(comps, comps + image_->numcomps,
                     [](const opj_image_comp_t& c) { return c.data != nullptr; });
}

OPJ_SIZE_T Codestream::read(void* to, OPJ_SIZE_T bytes) {
  constexpr auto at_end = static_cast<OPJ_SIZE_T>(-1);
  const auto left = static_cast<OPJ_SIZE_T>(std::max<std::int64_t>(0, size_ - at_));
  const std::size_t got = std::fread(to, 1, std::min(bytes, left), file_);
  at_ += static_cast<std::int64_t>(got);
  return got > 0 ? got : at_end;
}

bool Codestream::seek(std::int64_t to) {
  if (to < 0 || to > size_ || ::fseeko(file_, begin_ + to, SEEK_SET) != 0) return false;
  at_ = to;
  return true;
}

}  // namespace sfumato::files
